def setup(cfg):
    use(cfg.x)
    use(cfg.y)
    d = cfg.d
    use(cfg.z)
