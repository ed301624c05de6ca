def on_mouse(self, event):
    if event.position is None:
        return
    self.forward(event, self.layers)
