def on_mouse(self, event):
    if event.kind == "wheel":
        return
    super().on_mouse(event)
