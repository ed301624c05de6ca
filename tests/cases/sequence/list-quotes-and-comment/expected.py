BACKENDS = [
    'flashinfer',
    'triton',  # default
    "sm120",
    'torch_native',
]
