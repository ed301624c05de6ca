"""The environment in which every tool is timed."""

from __future__ import annotations

import os


def environment() -> dict[str, str]:
    """Take away everything that would make two machines differ."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PATCHQ_"))}
    who = {"GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@b", "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@b"}
    return {**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
