BACKENDS = [
    "flashinfer",
    "triton",
    "torch_native",
]
