BACKENDS = [
    'flashinfer',
    'triton',  # default
    'torch_native',
]
