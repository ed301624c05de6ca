class Reporter:
    def __init__(self, model):
        self.model = model

    def decode_perf(self, batch):
        flops = self.model.flops * batch.size
        reads = self.model.reads * batch.size
        self.log("decode", flops)
        return Perf(flops, reads)

    def prefill_perf(self, batch):
        flops = self.model.flops * batch.tokens
        reads = self.model.reads * batch.size
        self.log("prefill", flops)
        return Perf(flops, reads)
