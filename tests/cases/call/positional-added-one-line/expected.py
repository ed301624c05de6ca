def build(cfg):
    return Runner(cfg.model, cfg.device, cfg.rank, dtype=cfg.dtype, quant=cfg.quant)
