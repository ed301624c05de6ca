class Mixin:
    def decode_perf(self, batch):
        flops = self.model.flops * batch.size
        reads = self.model.reads * batch.size
        self.log("decode", flops)
        return flops, reads

    def prefill_perf(self, batch):
        flops = self.model.flops * batch.tokens
        reads = self.model.reads * batch.size
        self.log("prefill", flops)
        return flops, reads
