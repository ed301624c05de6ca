def build(cfg):
    return Runner(
        cfg.model,
        cfg.device,
        dtype=cfg.dtype,
        quant=cfg.quant,
    )
