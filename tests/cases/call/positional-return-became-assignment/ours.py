def build(cfg):
    runner = Runner(
        cfg.model,
        cfg.device,
        dtype=cfg.dtype,
        quant=cfg.quant,
    )
    return runner
