x = f(
    'a',
    ['b', 'c'],  # letters
    key={
        'd': 1,
    },
)
