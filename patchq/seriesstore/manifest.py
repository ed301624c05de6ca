"""`series/patchq.yaml`: read, written anew, or changed in place so that people's comments in it stay."""

from __future__ import annotations

import re
from dataclasses import replace

from patchq.errors import SeriesError
from patchq.model.series import SCHEMA, Manifest
from patchq.seriesstore.fields import Block, Document
from patchq.seriesstore.yamlread import parse
from patchq.seriesstore.yamlwrite import dump, entries

_KEYS = ("upstream", "follow", "current", "branch", "policy")
_COMMENT = "which upstream this series follows; yours to edit, comments stay"
_VALUE = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|\{\}|[^\s#"'|>&*!%@`{\[][^\n#]*?)?"""


def read_manifest(data: bytes, *, file: str) -> Manifest:
    """Return the manifest in `data`; SeriesError with file, line and field where it is not one."""
    return manifest_of(parse(data, file=file), Document(file, data))


def manifest_of(value: object, document: Document) -> Manifest:
    """Return the manifest in plain data."""
    block = Block.top(document, value, _KEYS)
    for key in ("upstream", "follow", "current", "branch"):
        if (block.text_or_none(key) or "").startswith("-"):
            raise block.error(key, "starts with '-', which git would take for an option")
    manifest = Manifest(
        upstream=block.text_or_none("upstream"),
        follow=block.text_or_none("follow"),
        current=block.text_or_none("current"),
        policy=block.free("policy"),
    )
    return replace(manifest, branch=block.text("branch")) if "branch" in block.values else manifest


def plain_manifest(manifest: Manifest) -> dict[str, object]:
    """Return the manifest as plain data in the order of the file."""
    return {
        "schema": SCHEMA,
        "upstream": manifest.upstream,
        "follow": manifest.follow,
        "current": manifest.current,
        "branch": manifest.branch,
        "policy": dict(manifest.policy),
    }


def write_manifest(manifest: Manifest, *, old: bytes | None, file: str) -> bytes:
    """Return the file for `manifest`, changing only the lines of `old` whose values differ.

    Where that does not read back as `manifest` (a value over several lines, another policy), all is written anew and
    comments are lost. Raises SeriesError where `old` cannot be read, a newer schema included.
    """
    fresh = dump(plain_manifest(manifest), comment=_COMMENT)
    if old is None:
        return fresh
    before = read_manifest(old, file=file)
    if before == manifest:
        return old
    edited = old.decode("utf-8")
    was = plain_manifest(before)
    for key, value in plain_manifest(manifest).items():
        if was[key] != value:
            edited = _replace(edited, key, value)
    try:
        proved = read_manifest(edited.encode(), file=file) == manifest
    except SeriesError:
        proved = False
    return edited.encode() if proved else fresh


def _replace(text: str, key: str, value: object) -> str:
    """Put `value` into the line of the top-level `key`, in front of a comment there, or into a new last line."""
    line = entries({key: value}).rstrip("\n")
    found = re.search(rf"^{key}:[ \t]*{_VALUE}(?P<comment>[ \t]+#[^\n]*)?[ \t]*\r?$", text, re.MULTILINE)
    if found is None:
        return f"{text.rstrip()}\n{line}\n"
    return f"{text[: found.start()]}{line}{found['comment'] or ''}{text[found.end() :]}"
