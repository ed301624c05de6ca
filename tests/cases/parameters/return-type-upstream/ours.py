def forward(self, x, scale=1.0) -> Tensor:
    return x * scale


def other():
    pass
