FORMATS = [
    "llama",
    "gemma",
    "qwen",
]
