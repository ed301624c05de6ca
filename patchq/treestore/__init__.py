"""Trees of plain files, changed as a whole or not at all, with a backup and a way back."""
