class Backend(Enum):
    SM120 = "sm_120"
    TRITON = "triton"
    FLASH = "flash"

    @property
    def fast(self):
        return self is Backend.FLASH
