def forward(self, x, scale=1.0, gate=None):
    return x * scale


def other():
    pass
