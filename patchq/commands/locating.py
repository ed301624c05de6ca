"""Where the series of a repository is; apart from the workspace, because the hook has no time to import all of that."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchq.commands.session import Session
    from patchq.gitstore.repository import Repository

SERIES_VARIABLE = "PATCHQ_SERIES"
SERIES_SETTING = "patchq.series"


def series_root(session: Session, repo: Repository) -> Path:
    """Find the series folder: `--series`, PATCHQ_SERIES, `git config patchq.series`, then `series/` at the top."""
    if session.series_option is not None:
        return session.series_option.absolute()
    variable = os.environ.get(SERIES_VARIABLE)
    if variable:
        return Path(variable).absolute()
    top = repo.work_tree or repo.git_dir
    return top / (repo.config(SERIES_SETTING) or "series")
