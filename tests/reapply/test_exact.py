from __future__ import annotations

from patchq.model.attempt import Applied, Case, Declined, EditFate
from patchq.model.verdict import ReviewClass, Rung
from patchq.reapply.exact import exact


def test_an_unchanged_file_takes_the_patched_text_with_every_edit_named() -> None:
    base = b"1\n2\n3\n4\n5\n6\n"
    theirs = base.replace(b"2\n", b"").replace(b"5\n", b"five\n")
    attempt = exact(Case(path=b"old/x.py", ours_path=b"new/x.py", base=base, theirs=theirs, ours=base))
    assert isinstance(attempt, Applied)
    assert attempt.data == theirs
    assert attempt.evidence.rung is Rung.EXACT
    assert attempt.evidence.review is ReviewClass.A
    assert [(edit.fate, edit.anchor) for edit in attempt.evidence.edits] == [
        (EditFate.CARRIED, "new/x.py:2"),
        (EditFate.CARRIED, "new/x.py:4"),
    ]


def test_one_changed_byte_is_no_exact_match() -> None:
    attempt = exact(Case(path=b"x", ours_path=b"x", base=b"1\n", theirs=b"2\n", ours=b"1\r\n"))
    assert attempt == Declined("upstream has changed the file")
