def on_mouse(self, event):
    if event.position is None:
        return
    if event.handled:
        return
    self.forward(event, self.layers)
