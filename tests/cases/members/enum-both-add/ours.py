class Backend(Enum):
    TRITON = "triton"
    FLASH = "flash"
    AITER = "aiter"

    @property
    def fast(self):
        return self is Backend.FLASH
