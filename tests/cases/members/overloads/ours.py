class Parser:
    @overload
    def parse(self, x: int) -> int: ...

    @overload
    def parse(self, x: str) -> str: ...

    def parse(self, x):
        return self.convert(x)
