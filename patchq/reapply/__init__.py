"""How one file's change is carried to new text: the ladder, one rung per file, and its proof."""
