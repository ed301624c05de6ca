SUPPORTED = {"qwen", "llama", "mixtral"}
