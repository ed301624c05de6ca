"""Gates about copies: nothing stands there twice, and what counts as removed does not stand elsewhere."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from patchq.reapply.claim import Failed, Passed
from patchq.syntax.anchors import Address
from patchq.syntax.facts import Layout
from patchq.syntax.members import pegs
from patchq.syntax.residue import residue
from patchq.syntax.strip import strip_of
from patchq.text.diff import diff
from patchq.text.lines import split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from patchq.model.anchor import Step
    from patchq.model.attempt import Case
    from patchq.reapply.claim import Claim, GateAnswer
    from patchq.syntax.facts import LanguageFacts
    from patchq.syntax.node import Node, Tree

# Shorter statements (`return None`, `continue`) stand in one function many times; shorter lines in any text.
_TELLING_TOKENS = 4
_TELLING_BYTES = 12
_SHOWN = 60
_LOOKED_AT = 4_000  # bytes, in which there are nearly always
_ENOUGH = 400  # that are no white space
# `name==1.0`, `name=1`, `name: 1`, at the start of a line.
_SETTING = re.compile(rb"([A-Za-z_][\w.\[\]-]*)[ \t]*(?:[=~<>!]=|=(?!=)|:(?=[ \t])|>|<)[ \t]*\S")
_CALLED = 3  # a bracket, an argument, a bracket


def no_second_copy(claim: Claim) -> GateAnswer:
    """(d) No definition, entry, argument, import or telling statement stands there twice that did not before."""
    base, theirs, ours, result = _stock(claim)
    now, before = result(), ours()
    gained = [thing for thing, count in now.items() if count > before[thing]]
    patched = theirs() if gained else before
    suspects = [thing for thing in gained if now[thing] > patched[thing]]
    for thing in suspects:
        if isinstance(thing, _Twice):
            return Failed(f"`{thing.name}` would stand twice in {thing.where}")
        if before[thing] > base()[thing]:
            return Failed(f"upstream has added `{thing.text}` too; it would stand there twice")
    twice = _added_twice(claim)
    if twice is not None:
        return Failed(f"upstream has added `{twice}` too; it would stand there twice")
    return Passed("nothing stands there twice")


def removal_holds(claim: Claim) -> GateAnswer:
    """(d) What counts as removed by upstream too does not stand there as often as before, at another place."""
    if not claim.absorbed_some:
        return Passed("nothing counts as removed already")
    line = left_standing(claim.case, claim.result)
    if line is not None:
        return Failed(f"upstream still has `{line}`, which the patch removes")
    return Passed("what upstream has removed is gone")


def left_standing(case: Case, result: bytes) -> str | None:
    """Find a line that the patch only takes away and that `result` has as often as base: it was moved, not removed."""
    base, theirs, now = (_words(text) for text in (case.base, case.theirs, result))
    old = split_lines(case.base)
    regions = [region for region in diff(old, split_lines(case.theirs)) if region.new_start == region.new_end]
    gone = _words(b"".join(line for region in regions for line in old[region.old_start : region.old_end]))
    left = (line for line in gone if now[line] > theirs[line] and now[line] >= base[line])
    return next((line.decode("utf-8", "replace") for line in left), None)


def _added_twice(claim: Claim) -> str | None:
    """Find a short line of a list that both sides have added; in code such lines (`return x`) mean nothing."""
    case = claim.case
    base, theirs = _words(case.base), _words(case.theirs)
    added = [line for line in theirs - base if claim.trees is None or line.startswith(b"- ")]
    ours, result = _words(case.ours), _words(claim.result)
    twice = (line for line in added if ours[line] > base[line] and result[line] > max(ours[line], theirs[line]))
    found = next(twice, None) or _set_twice(claim) or _said_twice(claim)
    return None if found is None else found.decode("utf-8", "replace")


def _set_twice(claim: Claim) -> bytes | None:
    """Find a name that both sides give a value in a text without a grammar: `a==1.0` here, `a==2.0` there."""
    if claim.trees is not None:
        return None
    before, *after = (
        Counter(found[1] for line in split_lines(text) if (found := _SETTING.match(line)))
        for text in (claim.case.base, claim.case.theirs, claim.case.ours, claim.result)
    )
    theirs, ours, result = after
    return next((name for name in theirs - before if ours[name] > before[name] and result[name] > theirs[name]), None)


def _said_twice(claim: Claim) -> bytes | None:
    """Find lines that both sides have added to strings, each at a place of its own; a line of a help text is short."""
    if claim.trees is None:
        return None
    trees = claim.trees
    base, theirs, ours, result = (_in_strings(tree) for tree in (trees.base, trees.theirs, trees.ours, trees.result))
    both = set(_added_runs(base, theirs)) & set(_added_runs(base, ours))
    counts = (Counter(base), Counter(theirs), Counter(ours), Counter(result))
    for run in sorted(both):
        if all(counts[3][line] > max(counts[1][line], counts[2][line]) for line in run):
            return run[0]
    return None


def _added_runs(old: list[bytes], new: list[bytes]) -> Iterator[tuple[bytes, ...]]:
    for region in diff(old, new):
        run = tuple(line for line in new[region.new_start : region.new_end] if line)
        if region.old_start == region.old_end and run:
            yield run


def _in_strings(tree: Tree) -> list[bytes]:
    """List the lines inside strings of several lines, without their margins."""
    texts = (leaf.text for leaf in tree.root.leaves() if leaf.kind in tree.facts.strings and b"\n" in leaf.text)
    return [line.strip() for text in texts for line in text.split(b"\n")[1:]]


def _words(text: bytes) -> Counter[bytes]:
    """Count lines that say something, without what separates them in a list."""
    lines = (line.strip().rstrip(b",\\ ") for line in split_lines(text))
    return Counter(line for line in lines if any(chr(byte).isalnum() for byte in line))


@dataclass(frozen=True, slots=True)
class _Twice:
    """One member too many of a name, somewhere below `where`."""

    where: str
    name: str


@dataclass(frozen=True, slots=True)
class _Saying:
    """A statement of one scope, or a line, that is long enough to be no coincidence; `text` is for people."""

    identity: Hashable
    text: str


_Countable = _Twice | _Saying


def _stock(claim: Claim) -> tuple[Callable[[], Counter[_Countable]], ...]:
    """Count when asked what base, theirs, ours and the result have; of trees only where the four differ."""
    trees = claim.trees
    if trees is None:
        case = claim.case
        return tuple(_counted(_lines(text)) for text in (case.base, case.theirs, case.ours, claim.result))
    four = (trees.base, trees.theirs, trees.ours, trees.result)
    census = [Counter(node.same for node in side) for side in residue(*(tree.root for tree in four))]
    unsettled = {same for one in census for same in one if len({other[same] for other in census}) > 1}
    return tuple(_counted(_things(tree, unsettled)) for tree in four)


def _counted(things: Iterator[_Countable]) -> Callable[[], Counter[_Countable]]:
    return cache(lambda: Counter(things))


def _lines(text: bytes) -> Iterator[_Countable]:
    for line in split_lines(text):
        if len(line.strip()) >= _TELLING_BYTES:
            yield _Saying(line.strip(), line.strip().decode("utf-8", "replace"))


def _things(tree: Tree, unsettled: set[int]) -> Iterator[_Countable]:
    """Find what may not stand there twice, in the `unsettled` constructs: not equally often in all four."""
    facts = tree.facts
    stack: list[tuple[Node, Address, Node | None]] = (
        [(tree.root, Address(), None)] if tree.root.same in unsettled else []
    )
    while stack:
        node, address, owner = stack.pop()
        if not node.children:
            continue
        strip = strip_of(node, facts)
        members = pegs(strip, owner, facts)
        names: Counter[str] = Counter()
        for segment, peg in zip(strip.segments, members, strict=True):
            member = segment.member
            step = None if peg.signature is None else peg.signature.step
            if peg.name is not None and step is not None:
                names[" ".join((str(step), *peg.name[2:]))] += 1
            elif strip.layout is Layout.LINES and member.same in unsettled and member.has_size(_TELLING_TOKENS):
                yield _Saying((address.steps, member.same), _shortened(member.text))
            elif strip.layout is Layout.SEPARATED and not member.children and address.steps and not address.sealed:
                # An element of a list that has a name, such as `__all__`.
                yield _Saying((address.steps, member.same), _shortened(member.text))
            if strip.layout is Layout.LINES:
                names.update(facts.takes(member))
            yield from (_Saying((address.steps, *key), key[-1]) for key in _said(member, strip.layout, facts))
            if member.same in unsettled:
                stack.append((member, address.into(step, node, facts), node))
        for name, count in names.items():
            yield from [_Twice(dotted(address.steps), name)] * (count - 1)


def _shortened(text: bytes) -> str:
    """Quote the beginning; a class of a thousand lines is not reformatted for that."""
    begin = b" ".join(text[:_LOOKED_AT].split())
    if len(begin) < _ENOUGH < len(text):
        begin = text
    return textwrap.shorten(begin.decode("utf-8", "replace"), _SHOWN, placeholder="…")


def dotted(steps: tuple[Step, ...]) -> str:
    """Name a place by its steps, for people."""
    return "`" + ".".join(str(step) for step in steps) + "`" if steps else "the file"


def _said(member: Node, layout: Layout, facts: LanguageFacts) -> Iterator[tuple[str, str]]:
    """Give what a member says once for its whole scope, whatever it says it in."""
    if layout is Layout.LINES:
        yield from _registered(member)
    if member.kind in facts.leads:
        yield from _attributed(member)


def _registered(statement: Node) -> Iterator[tuple[str, str]]:
    """Give callee and first argument of a statement that is a call with a string first: an option, a hook."""
    call = next((node for node in (statement, *statement.children) if node.child("function") is not None), None)
    function, arguments = (None, None) if call is None else (call.child("function"), call.child("arguments"))
    if function is None or arguments is None or len(arguments.children) < _CALLED:
        return
    first = arguments.children[1]
    if "string" in first.kind and any(map(str.isalnum, first.word)):
        said = first.word.replace("'", '"')
        yield "registered", f"{function.word}({said}"


def _attributed(attribute: Node) -> Iterator[tuple[str, str]]:
    """Give the words inside an attribute with its name: what is derived stands in one of several."""
    name, *words = (leaf.word for leaf in attribute.leaves() if any(map(str.isalnum, leaf.word)))
    yield from (("attribute", f"{name}({word})") for word in words)
