"""What is wrong with one patch by its text alone: rules by name, each with the place and what to type."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, Where
from patchq.model.change import LineKind, TextBody
from patchq.model.finding import Finding, Rule
from patchq.patchfile.countercheck import Differs, read_again
from patchq.patchfile.intents import EXPECT, MIRROR
from patchq.patchfile.policy import POLICY_KEYS, is_clear_status, parse_policy
from patchq.patchfile.probes import PROBE_KEYS, parse_probes
from patchq.patchfile.read import read_patch
from patchq.patchfile.recount import Doubt, recount, restore_blanks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patchq.model.names import PatchName
    from patchq.model.patch import Message, Patch


_COUNTING = {
    None: "patchq lint --fix counts anew",
    Doubt.CUT_OFF: "it may have been cut off; if nothing is missing, write these counts into its @@ line",
    Doubt.BLANKS: "blank lines follow it: put a blank in front of those that are context, and delete the others",
}
# What is read as a statement about upstream: DEP-3's fields, and what OpenEmbedded calls the same.
_STATUS = frozenset({"forwarded", "applied-upstream", "upstream-status"})
_KNOWN = (
    *POLICY_KEYS,
    *PROBE_KEYS,
    *(EXPECT, MIRROR, "Forwarded", "Applied-Upstream", "Upstream-Status", "Origin", "Bug", "Last-Update"),
    *("Signed-off-by", "Reviewed-by", "Acked-by", "Tested-by", "Reported-by", "Suggested-by", "Co-authored-by"),
    *(
        "Helped-by",
        "Fixes",
        "Closes",
        "Link",
        "Cc",
        "Change-Id",
        "Patchq-Patch",
        "Depends-on",
        "See-also",
        "References",
    ),
)
_BY_LOWER = {key.lower(): key for key in _KNOWN}
_NEAR = 0.8
_MOST_TRAILERS = 200  # looking for near misses takes 0.3 ms each
_SHORTEST_NEAR = 4  # `Cc`, `Bug` and `Link` are near to too much
_ADDRESSED = re.compile(rb"^([A-Za-z][A-Za-z-]*): ?(\S+::.*)$", re.MULTILINE)
_STATED = re.compile(rb"^(?:Forwarded|Applied-Upstream|Upstream-Status|Origin): *\S", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """One patch file looked at: what is wrong, the patch if it can be read as it is, and its bytes as `--fix` has them.

    `mended` is read: it is the patch itself where nothing is to be repaired, None where it cannot be.
    """

    findings: tuple[Finding, ...]
    patch: Patch | None
    mended: Patch | None


def lint_patch(name: PatchName, data: bytes, *, file: str) -> Linted:
    """Apply all rules that need nothing but the text of one patch; `file` is what findings call it."""
    found: list[Finding] = []
    patch = mended = None
    try:
        patch = read_patch(name, data, file=file)
    except PatchFormatError as error:
        found, mended = _malformed(name, data, file, error)
    if patch is not None:
        mended, blanks = _with_blanks(patch, file)
        found += [*blanks, *_of_message(patch.message, _head_lines(data), Where(file=file, patch=str(name)))]
        found += _of_policy(patch, file)
        found += _of_changes(patch, file)
    return Linted(findings=tuple(found), patch=patch, mended=mended)


def _malformed(name: PatchName, data: bytes, file: str, error: PatchFormatError) -> tuple[list[Finding], Patch | None]:
    """Tell what `error` was about, and try what needs no guess: blanks where counts are right, else the counts."""
    fresh, trimmed = restore_blanks(data)
    mended = _readable(name, fresh, file) if trimmed else None
    if mended is not None:
        return _trimmed(name, file, data), mended
    fresh, wrong = recount(data)
    mended = _readable(name, fresh, file) if wrong else None
    if mended is None:
        where = Where(file=file, patch=str(name), hunk=error.where.hunk, line=error.where.line)
        return [Finding(rule=Rule.MALFORMED, message=error.message, hint=error.hint, where=where)], None
    found = []
    doubtful = any(one.doubt is not None for one in wrong)
    for one in wrong:
        stated, counted = (f"{old} old and {new} new" for old, new in (one.stated, one.counted))
        found.append(
            Finding(
                rule=Rule.WRONG_COUNT,
                message=f"the header promises {stated} lines, and {counted} follow",
                hint=_COUNTING[one.doubt],
                where=Where(file=file, patch=str(name), hunk=one.hunk, line=one.line),
                fixable=not doubtful,
            )
        )
    if doubtful:
        return found, None
    return found, _with_blanks(mended, file)[0]


def _readable(name: PatchName, data: bytes, file: str) -> Patch | None:
    """Read repaired bytes; they are believed only if an independent reader does not see other hunks in them."""
    try:
        patch = read_patch(name, data, file=file)
    except PatchFormatError:
        return None
    return None if isinstance(read_again(data, patch.changes), Differs) else patch


def _with_blanks(patch: Patch, file: str) -> tuple[Patch, list[Finding]]:
    fresh, trimmed = restore_blanks(patch.raw)
    again = _readable(patch.name, fresh, file) if trimmed else None
    if again is None or again.changes != patch.changes:
        return patch, []
    return again, _trimmed(patch.name, file, patch.raw)


def _trimmed(name: PatchName, file: str, data: bytes) -> list[Finding]:
    return [
        Finding(
            rule=Rule.TRIMMED_BLANK,
            message=f"{one.count} blank context line{'' if one.count == 1 else 's'} lost the blank in front",
            hint="patchq lint --fix puts them back; GNU patch and some readers take such lines for the end of a hunk",
            where=Where(file=file, patch=str(name), hunk=one.hunk, line=one.line),
            fixable=True,
        )
        for one in restore_blanks(data)[1]
    ]


def _head_lines(data: bytes) -> dict[bytes, int]:
    return {line.strip(): number for number, line in reversed(list(enumerate(data.split(b"\n")[:2000], 1)))}


def _of_message(message: Message, lines: dict[bytes, int], where: Where) -> Iterator[Finding]:
    at = Where(file=where.file, patch=where.patch, line=lines.get(b"Subject: " + message.subject, 1))
    if not message.body.strip():
        hint = "write the reason between the subject and the trailers"
        yield Finding(rule=Rule.NO_REASON, message="the message does not say why", hint=hint, where=at)
    keys = {trailer.key.lower() for trailer in message.trailers}
    if not keys & _STATUS and "origin" not in keys and not _STATED.search(message.body):
        hint = "add `Forwarded: URL`, `Forwarded: no` or `Forwarded: not-needed` to its trailers"
        yield Finding(rule=Rule.NO_STATUS, message="nothing says whether upstream has it", hint=hint, where=at)
    said = [(trailer.key, trailer.value) for trailer in message.trailers]
    said += [(key.decode(), text.decode("utf-8", "replace")) for key, text in _ADDRESSED.findall(message.body)]
    for key, value in said[:_MOST_TRAILERS]:
        yield from _misspelt(key, value, Where(file=where.file, patch=where.patch, line=_line_of(key, value, lines)))


def _of_policy(patch: Patch, file: str) -> Iterator[Finding]:
    try:
        policy = parse_policy(patch.message, file=file, head=patch.raw)
        parse_probes(patch.message, file=file, head=patch.raw)
    except PatchFormatError as error:
        where = replace(error.where, patch=str(patch.name), field=None)
        message = f"{error.where.field}: {error.message}"
        yield Finding(rule=Rule.MALFORMED_POLICY, message=message, hint=error.hint, where=where)
        return
    if policy.forwarded is not None and not is_clear_status(policy.forwarded):
        where = Where(
            file=file, patch=str(patch.name), line=_line_of("Forwarded", policy.forwarded, _head_lines(patch.raw))
        )
        message = f"`Forwarded: {policy.forwarded[:80]}` says neither where upstream was asked nor why not"
        hint = "write a URL, `no` or `not-needed`"
        yield Finding(rule=Rule.UNCLEAR_STATUS, message=message, hint=hint, where=where)


def _line_of(key: str, value: str, lines: dict[bytes, int]) -> int | None:
    return lines.get(f"{key}: {value}".encode("utf-8", "surrogateescape").strip())


def _misspelt(key: str, value: str, where: Where) -> Iterator[Finding]:
    lower = key.lower()
    if lower in _BY_LOWER or len(key) < _SHORTEST_NEAR or lower.startswith(("x-", "bug-")):
        return
    near = difflib.get_close_matches(lower, _BY_LOWER, n=1, cutoff=_NEAR)
    if not near:
        return
    meant = _BY_LOWER[near[0]]
    if meant in {EXPECT, MIRROR}:
        if "::" in value:
            message = f"`{key}:` has no effect; it is nearly `{meant}:`"
            yield Finding(rule=Rule.MISSPELT_INTENT, message=message, hint=f"write `{meant}: {value}`", where=where)
        return
    message = f"`{key}:` is not known, and nearly `{meant}:`"
    yield Finding(rule=Rule.UNKNOWN_TRAILER, message=message, hint=f"write `{meant}: {value}`", where=where)


def _of_changes(patch: Patch, file: str) -> Iterator[Finding]:
    where = Where(file=file, patch=str(patch.name))
    if not patch.changes:
        hint = "refresh it, or delete its line and its file"
        yield Finding(rule=Rule.CHANGES_NOTHING, message="it changes nothing yet", hint=hint, where=where)
    for change in patch.changes:
        for number, hunk in enumerate(change.body.hunks if isinstance(change.body, TextBody) else (), 1):
            kept = {line.text.endswith(b"\r\n") for line in hunk.lines if line.kind is LineKind.CONTEXT}
            added = {line.text.endswith(b"\r\n") for line in hunk.lines if line.kind is LineKind.ADDED}
            if len(kept) == 1 and added and added != kept:
                path = change.path.decode("utf-8", "backslashreplace")
                ends = ("CR LF", "LF") if kept == {True} else ("LF", "CR LF")
                yield Finding(
                    rule=Rule.LINE_ENDS,
                    message=f"{path}: the lines around it end in {ends[0]}, and those that it adds in {ends[1]}",
                    hint="if that is meant, --ignore line-ends; else give the added lines the ends of their neighbours",
                    where=Where(file=file, patch=str(patch.name), hunk=number),
                )
