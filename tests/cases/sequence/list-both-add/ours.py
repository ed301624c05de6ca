BACKENDS = [
    "flashinfer",
    "triton",
    "aiter",
    "torch_native",
]
