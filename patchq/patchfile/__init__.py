"""Patch bytes to model and back; the only room that imports unidiff."""
