SUPPORTED = {
    "llama",
    "qwen",
}
