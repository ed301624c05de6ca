BACKENDS = [
    "torch_native",
    "triton",
    "flashinfer",
]
