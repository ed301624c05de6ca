SUPPORTED = {"qwen", "llama", "mixtral", "sm120"}
