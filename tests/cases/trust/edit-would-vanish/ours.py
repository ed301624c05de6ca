def setup(cfg):
    a = cfg.a
    b = cfg.b
    d = cfg.d
    e = cfg.e
