class Model:
    @property
    def size(self):
        return self._size

    @traced
    @torch.no_grad()
    def forward(self, x: Tensor) -> Tensor:
        return x * 2
