MODELS = {
    "llama": Llama,
    "qwen": Qwen,
}

BACKENDS = [
    "triton",
    "sm120",
]


def load(name):
    return MODELS[name](BACKENDS)
