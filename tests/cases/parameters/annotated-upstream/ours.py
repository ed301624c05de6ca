def forward(
    self,
    x: Tensor,
    scale: float = 1.0,
) -> Tensor:
    return x * scale


def other():
    pass
