"""The anchored rung for a file without a tree: blocks found by words and neighbours, edits put in word by word."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from patchq.model.attempt import (
    Applied,
    Attempt,
    Case,
    Conflict,
    Conflicted,
    ConflictKind,
    Declined,
    Edit,
    EditFate,
    Evidence,
)
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.presence import short
from patchq.reapply.spots import spot
from patchq.reapply.texts import like, plain_text
from patchq.syntax.match import Pair, Peg, match
from patchq.text.prose import Block, BlockKind, Blocks, Style, blocks_of
from patchq.text.words import reworded

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_BYTES = 4 * 1024 * 1024
_WORDS = re.compile(rb"[\w.\x80-\xff]+")
# Lines of code are short and alike: `import a`, `import b`.
_TELLING_WORDS = 4
_SUSPECT_SHARE = 0.5
# Members of a list: a person sees at a glance whether two of them may stand side by side.
_LISTED = frozenset({BlockKind.ITEM, BlockKind.ROW})


def by_paragraph(case: Case, style: Style) -> Attempt:
    """Carry the change of one file block by block; in prose, edits of different words of one block both stand.

    Declines what is too large or no text. Line ends are upstream's.
    """
    texts = [plain_text(text) for text in (case.base, case.theirs, case.ours)]
    if max(map(len, (case.base, case.theirs, case.ours))) > MAX_BYTES or b"\0" in case.base + case.ours:
        return Declined("no grammar for files of this kind, and too much to compare by paragraphs")
    base, theirs, ours = (None if text is None else blocks_of(text, style) for text in texts)
    if base is None or theirs is None or ours is None:
        return Declined("the line ends are mixed")
    if [block.says for block in base.blocks] == [block.says for block in theirs.blocks]:
        return Declined("the patch changes white space only, which paragraphs do not see")
    work = _Work(case, base, theirs, ours)
    data = work.merged()
    if work.conflicts:
        return Conflicted(tuple(work.conflicts))
    return Applied(like(data, case.ours), Evidence(rung=Rung.ANCHORED, edits=tuple(work.edits)))


def same_words(one: bytes, other: bytes, style: Style) -> bool:
    """Whether two texts differ in line breaks and blank lines only; in code a line break is no white space."""
    left, right = (blocks_of(plain_text(text) or text, style).blocks for text in (one, other))
    return [(block.kind, block.says) for block in left] == [(block.kind, block.says) for block in right]


def _pegs(blocks: Sequence[Block]) -> list[Peg]:
    return [
        Peg(exact=(b.kind, b.mark, b.text), same=(b.kind, b.says), kind=b.kind.value, signature=None, movable=False)
        for b in blocks
    ]


def _own_line(block: Block) -> bytes:
    """Give the line ends before a block that had none: a paragraph must not run into the one above."""
    return b"\n" if block.kind in _LISTED or not block.kind.worded else b"\n\n"


def _alike(one: Block, other: Block) -> bool:
    """Whether half of the words are the same; used to refuse only, never to choose."""
    if one.kind is not other.kind:
        return False
    bags = [Counter(_WORDS.findall(b.text)) for b in (one, other)]
    least = 1 if one.kind.worded else _TELLING_WORDS
    both = bags[0].total() + bags[1].total()
    return min(bag.total() for bag in bags) >= least and 2 * (bags[0] & bags[1]).total() >= _SUSPECT_SHARE * both


@dataclass(slots=True)
class _Work:
    """One merge: what is decided so far."""

    case: Case
    base: Blocks
    theirs: Blocks
    ours: Blocks
    edits: list[Edit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    now: dict[int, Block | None] = field(default_factory=dict)  # block of ours -> its new form, None: dropped
    fresh: dict[int, list[Block]] = field(default_factory=dict)  # behind which block of ours, -1: before all
    to_theirs: dict[int, Pair] = field(default_factory=dict)
    to_ours: dict[int, Pair] = field(default_factory=dict)
    stock: tuple[Counter[object], ...] = ()
    rows: list[int] = field(default_factory=list)  # where each block of ours begins, from 0

    def merged(self) -> bytes:
        """Decide about every block and write ours anew."""
        pegs = [_pegs(side.blocks) for side in (self.base, self.theirs, self.ours)]
        self.to_theirs = {pair.left: pair for pair in match(pegs[0], pegs[1])}
        self.to_ours = {pair.left: pair for pair in match(pegs[0], pegs[2])}
        self.stock = tuple(Counter(peg.same for peg in side) for side in pegs)
        row = 0
        for block in self.ours.blocks:
            row += block.lead.count(b"\n")
            self.rows.append(row)
            row += block.text.count(b"\n")
        for i in range(len(self.base.blocks)):
            self._judge(i)
        self._insert()
        out = list(self.fresh.get(-1, []))
        for k, block in enumerate(self.ours.blocks):
            form = self.now.get(k, block)
            out.extend([form] if form is not None else [])
            out.extend(self.fresh.get(k, []))
        tail = self._merge_bytes(self.base.tail, self.theirs.tail, self.ours.tail)
        if out and self.ours.blocks:
            out[0] = replace(out[0], lead=self.ours.blocks[0].lead)
        # What stood first has no line end before it; it may stand further down now.
        out[1:] = [block if block.lead else replace(block, lead=_own_line(block)) for block in out[1:]]
        return Blocks(tuple(out), self.ours.tail if tail is None else tail).data

    def _judge(self, i: int) -> None:
        """Decide about one block of base: what the patch and upstream have made of it."""
        old = self.base.blocks[i]
        theirs = self.theirs.blocks[self.to_theirs[i].right] if i in self.to_theirs else None
        k = self.to_ours[i].right if i in self.to_ours else None
        ours = None if k is None else self.ours.blocks[k]
        same = theirs is not None and (theirs.mark, theirs.text) == (old.mark, old.text)
        if theirs is not None and same and ours is not None and k is not None:
            self._gap(k, old, theirs, ours)
        if same:
            return
        if self._twinned(i):
            self._refuse(ConflictKind.AMBIGUOUS, "the block stands there more or less often than before", i, None)
        elif ours is None or k is None:
            self._gone(i, theirs)
        elif theirs is None:
            self._drop(i, k, ours)
        else:
            self._change(i, k, theirs, ours)

    def _twinned(self, i: int) -> bool:
        """Whether equal blocks make it a guess which one is meant."""
        block = self.base.blocks[i]
        key = block.kind, block.says
        ours = self.ours.blocks[self.to_ours[i].right] if i in self.to_ours else None
        changed = ours is None or ours.says != block.says
        return self.stock[2][key] + changed > self.stock[0][key] if self.stock[0][key] > 1 else (self.stock[2][key] > 1)

    def _gap(self, k: int, old: Block, theirs: Block, ours: Block) -> None:
        """Take over a change of the blank lines before a block that the patch leaves."""
        lead = self._merge_bytes(old.lead, theirs.lead, ours.lead)
        if lead and lead != ours.lead:
            self.now[k] = replace(self.now.get(k) or ours, lead=lead)

    def _merge_bytes(self, base: bytes, theirs: bytes, ours: bytes) -> bytes | None:
        if base in {theirs, ours} or theirs == ours:
            return theirs if ours == base else ours
        return None

    def _gone(self, i: int, theirs: Block | None) -> None:
        if theirs is None:
            self._note(EditFate.ABSORBED, ReviewClass.B, "upstream has removed it too", -1)
            return
        if self.stock[2][theirs.kind, theirs.says] > self.stock[0][theirs.kind, theirs.says]:
            self._note(EditFate.ABSORBED, ReviewClass.B, "upstream has the same", -1)
            return
        self._refuse(ConflictKind.GONE, "upstream no longer has the text that the patch changes", i, theirs)

    def _drop(self, i: int, k: int, ours: Block) -> None:
        old = self.base.blocks[i]
        if ours.says != old.says or ours.kind is not old.kind:
            self._refuse(ConflictKind.CLASH, "the patch removes what upstream has changed", i, None)
            return
        self.now[k] = None
        self._note(EditFate.CARRIED, ReviewClass.B, "removed; upstream has not changed it", k)

    def _change(self, i: int, k: int, theirs: Block, ours: Block) -> None:
        old = self.base.blocks[i]
        lead = self._merge_bytes(old.lead, theirs.lead, ours.lead) or ours.lead
        mark = self._merge_bytes(old.mark, theirs.mark, ours.mark)
        if ours.says == theirs.says and old.says != theirs.says:
            self._note(EditFate.ABSORBED, ReviewClass.B, "upstream has the same", k)
        elif ours.text == old.text and mark is not None:
            self.now[k] = replace(theirs, lead=lead, mark=mark)
            self._note(EditFate.CARRIED, ReviewClass.B, "upstream has not changed this", k)
        elif not old.kind.worded or mark is None or old.says == theirs.says:
            self._refuse(ConflictKind.CLASH, "the patch and upstream changed it differently", i, theirs)
        else:
            self._words(i, k, theirs, replace(ours, lead=lead, mark=mark))

    def _words(self, i: int, k: int, theirs: Block, ours: Block) -> None:
        """Put the patch's words among upstream's, in upstream's lines."""
        old = self.base.blocks[i]
        done = reworded(list(old.words()), list(theirs.words()), list(ours.words()), ours.text)
        if done is None:
            self._refuse(ConflictKind.CLASH, "the patch and upstream changed the same words, or neighbours", i, theirs)
            return
        if done.carried:
            self.now[k] = replace(ours, text=done.text)
            review = ReviewClass.D if done.close else ReviewClass.C
            how = "words placed between upstream's" if ours.says != old.says else "words placed in upstream's lines"
            self._note(EditFate.CARRIED, review, how, k)
        if done.absorbed:
            self._note(EditFate.ABSORBED, ReviewClass.C, "upstream has the same words", k)

    def _insert(self) -> None:
        """Seat every run of new blocks between its neighbours."""
        back = {pair.right: i for i, pair in self.to_theirs.items()}
        blocks = self.theirs.blocks
        j = 0
        while j < len(blocks):
            if j in back:
                j += 1
                continue
            end = j
            while end < len(blocks) and end not in back:
                end += 1
            self._seat(blocks[j:end], back.get(j - 1), back.get(end), starts=j == 0, ends=end == len(blocks))
            j = end

    def _seat(self, run: Sequence[Block], above: int | None, below: int | None, *, starts: bool, ends: bool) -> None:
        """Seat a run of new blocks that stands between two blocks of base, or at an end of the text."""
        low = -1 if starts else self._image(above)
        high = len(self.ours.blocks) if ends else self._image(below)
        known = {pair.right for pair in self.to_ours.values()}
        added = [(k, block) for k, block in enumerate(self.ours.blocks) if k not in known]
        says = [(block.kind, block.says) for block in run]
        there = {(block.kind, block.says) for _, block in added} & set(says)
        if there:
            self._there(run, says, [k for k, b in added if (b.kind, b.says) in there], (low, high))
            return
        if low is None and high is None:
            self._refuse_run(ConflictKind.GONE, "the text on both sides of it is gone upstream", run)
            return
        if low is not None and high is not None and low >= high:
            self._refuse_run(ConflictKind.AMBIGUOUS, "its neighbours stand in another order upstream", run)
            return
        alike = next((block for _, block in added for new in run if _alike(block, new)), None)
        if alike is not None:
            said = short((alike.mark + alike.text).decode("utf-8", "replace"))
            self._refuse_run(ConflictKind.AMBIGUOUS, f"upstream added {said}, which may be the same", run)
            return
        if not self._firm(above, below, starts=starts, ends=ends):
            self._refuse_run(ConflictKind.AMBIGUOUS, "its neighbours stand there more or less often than before", run)
            return
        between = (
            [] if low is None or high is None else [k for k in range(low + 1, high) if self.now.get(k, k) is not None]
        )
        new = [k for k in between if k not in known]
        review, how = ReviewClass.B, "placed by its neighbours"
        if low is None or high is None:
            review, how = ReviewClass.D, "placed by the neighbour on one side; the other is gone"
        elif new and all(block.kind in _LISTED for block in (*run, *(self.ours.blocks[k] for k in new))):
            review, how = ReviewClass.D, "upstream added a member at the same place; order chosen"
        elif new:
            self._refuse_run(ConflictKind.AMBIGUOUS, "upstream added text at the same place", run)
            return
        after = low if low is not None else (high or 0) - 1
        self.fresh.setdefault(after, []).extend(self._fitted(run, after))
        self._note(EditFate.CARRIED, review, how, after)

    def _fitted(self, run: Sequence[Block], after: int) -> list[Block]:
        """Give a run the line end that it needs where it does not begin the text any more."""
        first = run[0]
        if after >= 0 and not first.lead:
            following = next((block for block in self.theirs.blocks if block.lead), first)
            return [replace(first, lead=following.lead or b"\n"), *run[1:]]
        return list(run)

    def _there(
        self, run: Sequence[Block], says: Sequence[object], twins: Sequence[int], gap: tuple[int | None, int | None]
    ) -> None:
        """Judge new blocks of which upstream has added some: all of them in their place are absorbed."""
        low, high = gap
        here = [(self.ours.blocks[k].kind, self.ours.blocks[k].says) for k in twins]
        fits = (low is None or twins[0] > low) and (high is None or twins[-1] < high)
        known = {pair.right for pair in self.to_ours.values()}
        beside = [k for k in (twins[0] - 1, twins[-1] + 1) if 0 <= k < len(self.ours.blocks) and k not in known]
        if here == list(says) and len(beside) > 1 and all(block.kind is BlockKind.LINE for block in run):
            self._refuse_run(ConflictKind.OTHER_VALUE, "upstream has it too, between other new lines", run)
            return
        if here == list(says) and fits and (low is not None or high is not None):
            self._note(EditFate.ABSORBED, ReviewClass.B, "upstream added the same", twins[0])
            return
        self._refuse_run(ConflictKind.AMBIGUOUS, "upstream added the same, or a part of it, here or elsewhere", run)

    def _image(self, i: int | None) -> int | None:
        return None if i is None or i not in self.to_ours else self.to_ours[i].right

    def _firm(self, above: int | None, below: int | None, *, starts: bool, ends: bool) -> bool:
        """Whether a neighbour, or an end of the text, says which of several equal places is meant."""
        sides = [self.base.blocks[i] for i in (above, below) if i is not None and i in self.to_ours]
        keys = [(block.kind, block.says) for block in sides]
        return (
            starts
            or ends
            or any(self.stock[0][key] == 1 and self.stock[2][key] <= 1 for key in keys)
            or all(self.stock[0][key] == self.stock[2][key] for key in keys)
        )

    def _note(self, fate: EditFate, review: ReviewClass, how: str, k: int) -> None:
        self.edits.append(Edit(fate=fate, review=review, anchor=spot(self.case.ours_path, self._row(k)), how=how))

    def _row(self, k: int) -> int:
        return self.rows[k] if 0 <= k < len(self.rows) else 0

    def _refuse(self, kind: ConflictKind, reason: str, i: int, theirs: Block | None) -> None:
        old = self.base.blocks[i]
        k = self.to_ours[i].right if i in self.to_ours else -1
        ours = self.ours.blocks[k] if k >= 0 else None
        sides = (b"" if side is None else side.mark + side.text for side in (old, theirs, ours))
        base_text, theirs_text, ours_text = sides
        where = spot(self.case.ours_path, self._row(k))
        # The sides are told only where they clash: a conflict with all three is taken for a verdict on merges by line.
        told = {"base": base_text, "theirs": theirs_text, "ours": ours_text} if kind is ConflictKind.CLASH else {}
        self.conflicts.append(Conflict(kind=kind, reason=reason, anchor=where, **told))

    def _refuse_run(self, kind: ConflictKind, reason: str, run: Sequence[Block]) -> None:
        theirs = b"".join(block.lead + block.mark + block.text for block in run).lstrip(b"\n")
        where = spot(self.case.ours_path, 0)
        self.conflicts.append(Conflict(kind=kind, reason=reason, anchor=where, theirs=theirs))
