"""Where the series of a repository is; apart from the workspace, because the hook has no time to import all of that."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from patchq.gitstore.sitting_file import read_sitting

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.gitstore.repository import Repository

SERIES_VARIABLE = "PATCHQ_SERIES"
SERIES_SETTING = "patchq.series"


def series_root(session: Session, repo: Repository) -> Path:
    """Find the series folder: `--series`, PATCHQ_SERIES, `git config patchq.series`, then `series/` at the top.

    In the work tree of `patchq resolve`, which has none, it is the one that the run is of.
    """
    if session.series_option is not None:
        return session.series_option.absolute()
    variable = os.environ.get(SERIES_VARIABLE)
    if variable:
        return Path(variable).absolute()
    top = repo.work_tree or repo.git_dir
    configured = repo.config(SERIES_SETTING)
    root = top / (configured or "series")
    if repo.git_dir != repo.common_dir and not root.exists():
        return _of_open_run(repo) or root
    return root


def _of_open_run(repo: Repository) -> Path | None:
    """Return the series of the run of `patchq resolve` whose work tree this is, as it is written in its file."""
    data = read_sitting(repo)
    try:
        told = {} if data is None else json.loads(data)
        here = repo.work_tree is not None and Path(told["place"]).resolve() == repo.work_tree.resolve()
        return Path(told["root"]) if here else None
    except (ValueError, KeyError, TypeError):  # the verbs of the run say what is wrong with it
        return None
