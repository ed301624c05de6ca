def forward(self, x, scale=1.0, bias=None) -> Tensor:
    return x * scale


def other():
    pass
