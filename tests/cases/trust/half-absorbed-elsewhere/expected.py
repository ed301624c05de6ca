MODELS = {
    "qwen": Qwen,
    "llama": Llama,
}

BACKENDS = [
    "triton",
    "sm120",
]


def load(name: str):
    return MODELS[name](BACKENDS)
