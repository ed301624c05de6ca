MODELS = {
    "llama": Llama,
}

BACKENDS = [
    "triton",
]


def load(name):
    return MODELS[name]()
