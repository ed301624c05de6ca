OPTIONS = {
    **DEFAULTS,
    "a": 1,
    **OVERRIDES,
}
