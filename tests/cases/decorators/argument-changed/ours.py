@register(
    'a',
    order=1,
)
def f():
    pass
