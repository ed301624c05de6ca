def setup(cfg):
    a = cfg.a
    b = cfg.b
    c = cfg.c
    d = cfg.d
    e = cfg.e
