class Model:
    @property
    def size(self):
        return self._size

    @torch.no_grad()
    def backward(self, x):
        return -x

    @traced
    @torch.no_grad()
    def forward(self, x):
        return x
