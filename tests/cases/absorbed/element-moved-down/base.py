FORMATS = [
    "llama",
    "qwen",
    "gemma",
]
