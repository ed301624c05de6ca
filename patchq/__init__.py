"""patchq carries your patches on a moving upstream without losing one."""

__version__ = "0.1.0"
