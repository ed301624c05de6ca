def build(cfg):
    return Runner(
        cfg.model,
        cfg.device,
        quant=cfg.quant,
        dtype=cfg.dtype,
    )
