"""A small tree of files, and a change of it of every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.treestore.swap import STATE, Access, Change

if TYPE_CHECKING:
    from pathlib import Path

OLD = {"pkg/a.py": b"a = 1\n", "pkg/b.py": b"b = 1\n", "pkg/gone.py": b"gone\n"}
NEW = {"pkg/a.py": b"a = 2\n", "pkg/b.py": b"b = 2\n", "pkg/deep/new.py": b"new\n"}
CHANGES = {
    b"pkg/a.py": Change(b"a = 1\n", b"a = 2\n"),
    b"pkg/b.py": Change(b"b = 1\n", b"b = 2\n"),
    b"pkg/gone.py": Change(b"gone\n", None),
    b"pkg/deep/new.py": Change(None, b"new\n", Access.PROGRAM),
}
STALE = (b"pkg/__pycache__/a.cpython-311.pyc",)


def made(root: Path) -> Path:
    for path, data in OLD.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and STATE not in path.parts)
    return {str(path.relative_to(root)): path.read_bytes() for path in found}
