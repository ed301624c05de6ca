def build(cfg):
    return Runner(
        cfg.model,
        cfg.device,
        dtype=cfg.dtype,
        quant=cfg.quant,
        rank=0,
        capability=12,
    )
