class Backend(Enum):
    TRITON = "triton"
    FLASH = "flash"
    SM120 = "sm120"
    AITER = "aiter"

    @property
    def fast(self):
        return self is Backend.FLASH
