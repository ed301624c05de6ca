def build(cfg):
    return Runner(
        cfg.model,
        cfg.device,
        capability=12,
        dtype=cfg.dtype,
        quant=cfg.quant,
    )
