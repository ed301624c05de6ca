MODELS = {
    "qwen": Qwen,
    "llama": Llama,
}

BACKENDS = [
    "triton",
]


def load(name: str):
    return MODELS[name](BACKENDS)
