class Model:
    @property
    def size(self):
        return self._size

    @torch.no_grad()
    def forward(self, x):
        return x
