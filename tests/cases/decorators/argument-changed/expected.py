@register(
    'a',
    order=2,
)
def f():
    pass
