def build(cfg):
    return Runner(
        cfg.model,
        cfg.device,
        cfg.stream,
        dtype=cfg.dtype,
        quant=cfg.quant,
    )
