"""What git may see of the user's environment and configuration, each restriction with its reason beside it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Every other GIT_* variable is dropped. Hooks export GIT_DIR, GIT_INDEX_FILE, GIT_PREFIX and, in a quarantine,
# GIT_OBJECT_DIRECTORY: inherited, they turn a call meant for one repository upon another. GIT_AUTHOR_* and
# GIT_COMMITTER_* of an outer `git commit` or `git am` would get into our commits, GIT_EXTERNAL_DIFF and GIT_DIFF_OPTS
# into our patches, and GIT_CONFIG_PARAMETERS is what an outer `git -c …` leaves behind.
_KEPT = frozenset(
    {
        # how this machine reaches a remote
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSH_VARIANT",
        "GIT_ASKPASS",
        "GIT_PROXY_COMMAND",
        "GIT_ALLOW_PROTOCOL",
        "GIT_PROTOCOL_FROM_USER",
        "GIT_NO_LAZY_FETCH",
        # where git and its configuration are; containers set safe.directory and credentials by GIT_CONFIG_COUNT
        "GIT_EXEC_PATH",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_COUNT",
        "GIT_ATTR_NOSYSTEM",
        "GIT_CEILING_DIRECTORIES",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    }
)
_KEPT_PREFIXES = ("GIT_SSL_", "GIT_PROXY_SSL_", "GIT_HTTP_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_TRACE")

_FIXED = {
    "LC_ALL": "C",  # messages are matched and quoted
    "GIT_TERMINAL_PROMPT": "0",  # a tool in a pipeline must fail, not wait
    "GIT_OPTIONAL_LOCKS": "0",  # reading must not refresh the user's index
    "GIT_LITERAL_PATHSPECS": "1",  # a file may be called `*` or `:(top)x`
    "GIT_NO_REPLACE_OBJECTS": "1",  # refs/replace is local: the same id would mean other bytes elsewhere
}

# Given as `-c` to every call, so that it wins over files and GIT_CONFIG_COUNT alike.
NEUTRAL_CONFIG = (
    "core.hooksPath=/dev/null",  # nothing of a repository is run unasked …
    "core.fsmonitor=false",  # … and this may name a program
    "protocol.ext.allow=never",
    "core.quotePath=true",
    "core.warnAmbiguousRefs=true",  # how a name that is both tag and branch is noticed
    "core.splitIndex=false",  # a copied index must stand alone
    "color.ui=false",
    "diff.suppressBlankEmpty=false",  # plumbing obeys it, and `patch` then misreads blank context lines
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.ignoreSubmodules=none",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "commit.gpgSign=false",
    "log.showSignature=false",
    "gc.auto=0",  # no repacking behind the back of a process that still reads
    "maintenance.auto=false",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "submodule.recurse=false",
    "advice.addEmbeddedRepo=false",
)


def clean_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a git process: the user's, without what leaks, with `extra` on top."""
    kept = {name: value for name, value in os.environ.items() if _passes(name)}
    return {**kept, **_FIXED, **extra}


def _passes(name: str) -> bool:
    return not name.startswith("GIT_") or name in _KEPT or name.startswith(_KEPT_PREFIXES)
