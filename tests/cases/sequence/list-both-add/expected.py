BACKENDS = [
    "flashinfer",
    "triton",
    "sm120",
    "aiter",
    "torch_native",
]
