BACKENDS = ["flashinfer", "triton", "sm120", "torch_native"]
