def forward(self, x, scale=3.0):
    return x * scale


def other():
    pass
