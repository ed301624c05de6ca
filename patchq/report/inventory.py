"""JSON of the verbs that look at a series or change it, such as `series`, `show`, `files`, `diff` and `import`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.report.document import branch_point, ref_point
from patchq.report.jsonsafe import Json, JsonObject, document, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from patchq.model.change import FileChange
    from patchq.model.names import PatchName
    from patchq.model.patch import GitDate, Patch, Person
    from patchq.model.series import Entry, Manifest, RefPoint, Series
    from patchq.report.document import BuiltBranch


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """What `undo` took back: the operation in words, the folder that is current again, where the branch points now."""

    operation: str
    ref: str | None
    branch: BuiltBranch | None


def series_document(series: Series, applied: Sequence[PatchName] | None = None) -> JsonObject:
    """Give a series in order, positions counting from 1.

    `applied` are the patches that the checkout has; null where it does not stand on the built branch.
    """
    base = series.record.base if series.record is not None else None
    patches: list[Json] = [
        {
            "position": position,
            **_named(entry.patch),
            "standing": entry.standing.value,
            "applied": None if applied is None else entry.patch.name in applied,
        }
        for position, entry in enumerate(series.entries, 1)
    ]
    return document("series", {"ref": series.ref, "base": ref_point(base), "patches": patches})


def show_document(entry: Entry) -> JsonObject:
    """Give one patch as it is kept: its head in parts, its files, and the whole text of its file."""
    message = entry.patch.message
    fields: JsonObject = {
        **_named(entry.patch),
        "standing": entry.standing.value,
        "author": _person(message.author),
        "date": _date(message.date),
        "body": text(message.body),
        "trailers": [{"key": trailer.key, "value": trailer.value} for trailer in message.trailers],
        "text": text(entry.patch.raw),
    }
    return document("show", fields)


def files_document(ref: str, patches: Sequence[Patch]) -> JsonObject:
    """Give every file that `patches` touch, with what each of them does to it."""
    found: dict[bytes, list[Json]] = {}
    for patch in patches:
        for change in patch.changes:
            found.setdefault(change.path, []).append({"name": str(patch.name), **_file(change)})
    files: list[Json] = [{"path": text(path), "patches": told} for path, told in sorted(found.items())]
    return document("files", {"ref": ref, "files": files})


def diff_document(ref: str, patches: Sequence[Patch], changes: Sequence[FileChange], diff: bytes) -> JsonObject:
    """Give what `patches` change together: the files, and the diff as text."""
    fields: JsonObject = {
        "ref": ref,
        "patches": [str(patch.name) for patch in patches],
        "files": [*map(_file, changes)],
        "text": text(diff),
    }
    return document("diff", fields)


def init_document(*, folder: str, manifest: Manifest, base: RefPoint | None) -> JsonObject:
    """Give the manifest that `init` wrote into `folder`, and the upstream state it starts from, if any."""
    fields: JsonObject = {
        "folder": folder,
        "upstream": manifest.upstream,
        "follow": manifest.follow,
        "current": manifest.current,
        "branch": manifest.branch,
        "base": ref_point(base),
    }
    return document("init", fields)


def import_document(
    *, ref: str, patches: Sequence[Patch], proposed: Mapping[PatchName, Sequence[str]] | None = None
) -> JsonObject:
    """Give the patches that `import` added to the folder of `ref`, each with the trailers proposed for it."""
    lines = proposed or {}
    entries: list[Json] = [{**_named(patch), "proposed": [*lines.get(patch.name, ())]} for patch in patches]
    return document("import", {"ref": ref, "patches": entries})


def export_document(
    *, ref: str, form: str, to: str, patches: Sequence[Patch], left_out: Sequence[PatchName]
) -> JsonObject:
    """Give the patches that `export` wrote to the file or folder `to`, in order, and those that are not carried."""
    fields: JsonObject = {
        "ref": ref,
        "form": form,
        "to": to,
        "patches": [_named(patch) for patch in patches],
        "left_out": [str(name) for name in left_out],
    }
    return document("export", fields)


def undo_document(undone: Undone, *, command: str = "undo", count: int = 1) -> JsonObject:
    """Give what `undo` took back or `redo` did again, the last of `count` operations."""
    word = f"{command.removesuffix('o')}one"
    fields: JsonObject = {word: undone.operation, "ref": undone.ref, "branch": branch_point(undone.branch)}
    return document(command, {**fields, "count": count})


def _named(patch: Patch) -> JsonObject:
    return {"name": str(patch.name), "title": patch.message.title, "files": [*map(_file, patch.changes)]}


def _file(change: FileChange) -> JsonObject:
    moved = change.old_path is not None and change.old_path != change.path
    return {
        "path": text(change.path),
        "old_path": text(change.old_path) if change.old_path is not None and moved else None,
        "kind": change.kind.value,
    }


def _person(person: Person | None) -> Json:
    return {"name": text(person.name), "email": text(person.email)} if person is not None else None


def _date(date: GitDate | None) -> Json:
    return {"seconds": date.seconds, "offset": date.offset} if date is not None else None
