class Backend(Enum):
    TRITON = "triton"
    FLASH = "flash"
    AITER = "aiter"
    SM120 = "sm120"

    @property
    def fast(self):
        return self is Backend.FLASH
