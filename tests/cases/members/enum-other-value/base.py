class Backend(Enum):
    TRITON = "triton"
    FLASH = "flash"

    @property
    def fast(self):
        return self is Backend.FLASH
