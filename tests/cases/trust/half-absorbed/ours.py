MODELS = {
    "llama": Llama,
    "qwen": Qwen,
}

BACKENDS = [
    "triton",
]


def load(name):
    return MODELS[name]()
