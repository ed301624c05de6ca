"""The `series` file as quilt reads it: a patch a line, comments and patches that are not carried kept in place."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patchq.errors import SeriesError, Where
from patchq.model.names import PatchName
from patchq.model.series import Standing
from patchq.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOT_CARRIED = "#patchq:not-carried"

# quilt(1): blanks before a name are skipped, options follow it, ` #` starts a comment.
_LINE = re.compile(
    r"(?P<lead>[ \t]*|#[ \t]*patchq:not-carried[ \t]+)(?P<file>[^ \t\r\n#][^ \t\r\n]*)"
    r"(?P<rest>[^\r\n]*)(?P<end>\r?\n|\r)?"
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*patchq:")
_COMMENT = re.compile(r"[ \t\r]*(#|$)")
_VERDICT = re.compile(r"[ \t]+# (" + "|".join(verdict.value for verdict in Verdict) + r")[ \t]*$")
_PACKED = (".gz", ".bz2", ".xz", ".lzma", ".lz", ".zst", ".Z")
_OWN_NAMES = frozenset({"series", "record.yaml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A line that names a patch. `index` counts lines from 0; `file_name` is the name as it stands there."""

    index: int
    name: PatchName
    file_name: str
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A patch that a rewritten file has to name; `verdict` is the reason told behind one that is not carried."""

    name: PatchName
    standing: Standing
    verdict: Verdict | None = None


def split(data: bytes) -> tuple[str, ...]:
    """Return the lines with their ends, decoded with surrogateescape, so that `join` gives back every byte."""
    return tuple(re.findall(r"[^\n]*\n|[^\n]+", data.decode("utf-8", "surrogateescape")))


def join(lines: Iterable[str]) -> bytes:
    """Return the bytes of a series file; the inverse of `split`."""
    return "".join(lines).encode("utf-8", "surrogateescape")


def listed_files(data: bytes) -> tuple[str, ...]:
    """Return the legal patch files that a series file mentions, in order, without judging the rest of it."""
    matches = (_LINE.fullmatch(line) for line in split(data))
    names = dict.fromkeys(match["file"] for match in matches if match)
    return tuple(name for name in names if _is_legal(name))


def read_slots(lines: Sequence[str], *, file: str) -> tuple[Slot, ...]:
    """Return the patches that `lines` name, in order; `file` is the path for messages.

    Raises SeriesError with file and line for names that are not plain, options other than `-p1`, an unknown
    `#patchq:` comment, and names given twice or differing only in case.
    """
    slots: list[Slot] = []
    seen: dict[str, Slot] = {}
    for index, line in enumerate(lines):
        where = Where(file=file, line=index + 1)
        match = _LINE.fullmatch(line)
        if match is None:
            if _DIRECTIVE.match(line):
                raise SeriesError(
                    f"{line.strip()[:80]!r} is not understood", hint=f"write '{NOT_CARRIED} NAME.patch'", where=where
                )
            if not _COMMENT.match(line):
                raise SeriesError(
                    f"{line.strip()[:80]!r} is not understood", hint="write one file name a line", where=where
                )
            continue
        _check_options(match["rest"], where)
        name = _patch_name(match["file"], where)
        standing = Standing.NOT_CARRIED if "#" in match["lead"] else Standing.CARRIED
        slot = Slot(index=index, name=name, file_name=match["file"], standing=standing)
        twin = seen.setdefault(name.value.casefold(), slot)
        if twin is not slot:
            how = "is the same patch as" if twin.name == name else "differs only in case from"
            raise SeriesError(
                f"{slot.file_name} {how} {twin.file_name} in line {twin.index + 1}",
                hint="delete or rename one of the two",
                where=where,
            )
        slots.append(slot)
    return tuple(slots)


def arrange(lines: Sequence[str], wanted: Sequence[Wanted], *, file: str) -> tuple[str, ...]:
    """Return `lines` changed so that they name exactly `wanted`, in that order, and every other line stays.

    Lines of patches that keep their relative order stay where they are; a new or moved one goes directly behind the
    patch before it (in front of the next one where it is the first), as quilt does.
    """
    slots = {slot.name: slot for slot in read_slots(lines, file=file)}
    old = [slots[want.name].index if want.name in slots else -1 for want in wanted]
    kept = _longest_rising(old)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    inserted: dict[int, list[str]] = {}
    rewritten: dict[int, str] = {}
    gap = next((index for index in old if index in kept), len(lines))
    for want, index in zip(wanted, old, strict=True):
        text = _render(want, lines[index] if index >= 0 else None, end)
        if index in kept:
            rewritten[index] = text
            gap = index + 1
        else:
            inserted.setdefault(gap, []).append(text)
    dropped = {slot.index for slot in slots.values()} - kept
    out: list[str] = []
    for index in range(len(lines) + 1):
        fresh = inserted.get(index, ())
        if fresh and out and not out[-1].endswith("\n"):
            out[-1] += end
        out.extend(fresh)
        if index < len(lines) and index not in dropped:
            out.append(rewritten.get(index, lines[index]))
    return tuple(out)


def renamed_line(lines: Sequence[str], old: PatchName, new: PatchName) -> tuple[str, ...]:
    """Return `lines` with the patch `old` called `new`; options and comments behind the name stay."""
    slot = next((slot for slot in read_slots(lines, file="series") if slot.name == old), None)
    if slot is None:
        return tuple(lines)
    line = lines[slot.index]
    at = line.index(slot.file_name)
    told = line[:at] + new.file_name + line[at + len(slot.file_name) :]
    return (*lines[: slot.index], told, *lines[slot.index + 1 :])


def _render(want: Wanted, line: str | None, end: str) -> str:
    """Write the line of `want`; an old `line` that says the same stays, else its options and comments are kept."""
    match = _LINE.fullmatch(line) if line is not None else None
    rest = ""
    if line is not None and match is not None:
        reason = _VERDICT.search(match["rest"]) if "#" in match["lead"] else None
        standing = Standing.NOT_CARRIED if "#" in match["lead"] else Standing.CARRIED
        told = reason is not None and want.verdict is not None and reason[1] == want.verdict.value
        same_reason = standing is Standing.CARRIED or want.verdict is None or told
        if match["file"] == want.name.file_name and standing is want.standing and same_reason:
            return line
        rest = match["rest"] if reason is None else match["rest"][: reason.start()]
        end = match["end"] or end
    match want.standing:
        case Standing.CARRIED:
            return f"{want.name.file_name}{rest}{end}"
        case Standing.NOT_CARRIED:
            why = "" if want.verdict is None else f"  # {want.verdict.value}"
            return f"{NOT_CARRIED} {want.name.file_name}{rest}{why}{end}"


def _check_options(rest: str, where: Where) -> None:
    for option in re.sub(r"(^|[ \t]+)#.*", "", rest).split():
        if option == "-p1":
            continue
        if option == "-R":
            raise SeriesError("reversed patches (-R) are not read", hint="reverse the patch itself", where=where)
        if re.fullmatch(r"-p(\d+|ab)", option):
            raise SeriesError(
                f"patches with {option} are not read in a series",
                hint="give its paths one leading part (a/ and b/) and delete the option",
                where=where,
            )
        raise SeriesError(
            f"the option {option[:80]!r} is not understood", hint="only -p1 may follow a name", where=where
        )


def _patch_name(file_name: str, where: Where) -> PatchName:
    if "/" in file_name or "\\" in file_name:
        raise SeriesError(
            f"{file_name[:80]!r} lies in a sub-folder, which is not supported",
            hint="move the patch beside the series file",
            where=where,
        )
    if file_name.endswith(_PACKED):
        raise SeriesError(
            f"{file_name[:80]!r} is a packed patch", hint="unpack it and change its name here", where=where
        )
    if file_name in _OWN_NAMES:
        raise SeriesError(f"{file_name[:80]!r} is a file of the series itself", hint="delete the line", where=where)
    try:
        return PatchName.from_file_name(file_name)
    except SeriesError as error:
        raise SeriesError(error.message, hint=error.hint, where=where) from error


def _is_legal(file_name: str) -> bool:
    try:
        _patch_name(file_name, Where())
    except SeriesError:
        return False
    return True


def _longest_rising(numbers: Sequence[int]) -> frozenset[int]:
    """Return a longest strictly rising subsequence of the numbers that are not negative (patience sorting)."""
    tails: list[int] = []
    chains: list[tuple[int, int]] = []  # (number, position of the chain it continues)
    tops: list[int] = []
    for number in numbers:
        if number < 0:
            continue
        pile = bisect_left(tails, number)
        chains.append((number, tops[pile - 1] if pile else -1))
        tails[pile : pile + 1] = [number]
        tops[pile : pile + 1] = [len(chains) - 1]
    found = set()
    position = tops[-1] if tops else -1
    while position >= 0:
        number, position = chains[position]
        found.add(number)
    return frozenset(found)
