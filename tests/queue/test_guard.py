from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from patchq.model.anchor import Fact
from patchq.model.names import PatchName
from patchq.model.series import FileRecord, PatchRecord, Record, RefPoint
from patchq.model.tree import FileState, Mode
from patchq.model.verdict import Rung, Verdict
from patchq.queue.guard import OtherBuild, Promise, changed_since, promises
from patchq.queue.losses import kept, losses
from patchq.reapply.facts import FactState, derive_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

PATH = b"pkg/table.py"
PLAIN = b"SIZES = {\n    9: 1,\n}\n"
PATCHED = b"SIZES = {\n    9: 1,\n    12: 2,\n}\n"
POINT = RefPoint("v1", "1" * 40, "2" * 40)
ONE, TWO = PatchName("one"), PatchName("two")


@dataclass(frozen=True)
class Tree:
    """A tree in memory, which notes what is read."""

    files: Mapping[bytes, bytes | FileState]
    reads: list[bytes] = field(default_factory=list)

    def read(self, path: bytes) -> FileState | None:
        self.reads.append(path)
        found = self.files.get(path)
        return FileState(Mode.REGULAR, found) if isinstance(found, bytes) else found


def promise(path: bytes = PATH, before: bytes = PLAIN, after: bytes = PATCHED, *, ref: str = "v1") -> Promise:
    (fact,) = derive_facts(path, before, after)
    return Promise(ref=ref, patch=ONE, path=path, fact=fact)


def record(*patches: PatchRecord) -> Record:
    return Record(base=POINT, branch="patched/v1", branch_commit="3" * 40, patches=patches)


def patch_record(name: PatchName, verdict: Verdict = Verdict.CLEAN, path: str = "pkg/table.py") -> PatchRecord:
    file = FileRecord(
        path=path,
        old_path=None,
        verdict=verdict,
        rung=Rung.EXACT,
        evidence="",
        facts=(Fact(anchor=f"{path}::SIZES[12]", holds=("12: 2",)),),
    )
    return PatchRecord(
        name=name,
        verdict=verdict,
        rung=Rung.EXACT,
        review=None,
        digest=f"digest of {name}",
        made_for=POINT,
        origin="series",
        files=(file,),
    )


def test_only_patches_that_are_carried_promise_anything() -> None:
    known = record(patch_record(ONE), patch_record(TWO), patch_record(PatchName("three"), Verdict.ORPHANED))
    told = promises("v1", known, {ONE, PatchName("three")})
    assert [(one.ref, one.patch, one.path, one.fact.anchor) for one in told] == [
        ("v1", ONE, PATH, "pkg/table.py::SIZES[12]")
    ]


def test_a_path_that_is_not_utf8_is_the_same_bytes_again() -> None:
    (told,) = promises("v1", record(patch_record(ONE, path="caf\udce9.txt")), {ONE})
    assert told.path == b"caf\xe9.txt"


def test_a_branch_built_from_this_very_series_is_as_recorded() -> None:
    known = record(patch_record(ONE), patch_record(TWO, Verdict.CONFLICT))
    assert changed_since("v1", known, {ONE: "digest of one", PatchName("new"): "any"}) is None


def test_edited_missing_and_dropped_patches_are_told_apart() -> None:
    known = record(patch_record(ONE), patch_record(TWO), patch_record(PatchName("three")))
    assert changed_since("v1", known, {ONE: "another", TWO: None}) == OtherBuild(
        ref="v1",
        branch="patched/v1",
        commit="3" * 40,
        edited=(ONE, TWO),
        dropped=(PatchName("three"),),
    )


def test_a_fact_that_head_keeps_and_the_staged_tree_does_not_is_lost() -> None:
    (loss,) = losses([promise()], Tree({PATH: PATCHED}), Tree({PATH: PLAIN}), [PATH])
    assert (loss.promise, loss.state, loss.gone, loss.back) == (promise(), FactState.ABSENT, ("12: 2",), ())


def test_a_fact_that_stands_is_not_lost_and_head_is_not_even_read() -> None:
    head = Tree({PATH: PATCHED})
    assert losses([promise()], head, Tree({PATH: b"# moved\n" + PATCHED}), [PATH]) == ()
    assert head.reads == []


def test_a_fact_that_head_does_not_keep_is_not_lost() -> None:
    assert losses([promise()], Tree({PATH: PLAIN}), Tree({PATH: b""}), [PATH]) == ()
    assert losses([promise()], Tree({}), Tree({PATH: PLAIN}), [PATH]) == ()


def test_the_same_fact_of_two_refs_is_lost_once() -> None:
    both = [promise(ref="v1"), promise(ref="v2")]
    (loss,) = losses(both, Tree({PATH: PATCHED}), Tree({PATH: PLAIN}), [PATH])
    assert loss.promise.ref == "v1"


def test_of_a_fact_with_several_texts_only_those_concerned_are_told() -> None:
    before = b"def f():\n    a()\n    b()\n"
    after = b"def f():\n    b()\n    c()\n    d()\n"
    staged = b"def f():\n    a()\n    b()\n    c()\n"
    (loss,) = losses([promise(b"f.py", before, after)], Tree({b"f.py": after}), Tree({b"f.py": staged}), [])
    assert (loss.gone, loss.back) == (("d()",), ("a()",))


def test_lines_of_a_file_without_a_grammar_are_facts_too() -> None:
    told = promise(b"Makefile", b"all:\n", b"all:\n\tmake 12\n")
    (loss,) = losses([told], Tree({b"Makefile": b"all:\n\tmake 12\n"}), Tree({b"Makefile": b"all:\n"}), [])
    assert loss.gone == ("make 12",)


def test_a_deleted_file_is_a_loss_only_of_what_was_put_in() -> None:
    taken_out = promise(b"a.txt", b"bad\ngood\n", b"good\n")
    assert losses([taken_out], Tree({b"a.txt": b"good\n"}), Tree({}), []) == ()
    (loss,) = losses([promise()], Tree({PATH: PATCHED}), Tree({}), [])
    assert (loss.state, loss.gone) == (FactState.TARGET_GONE, ("12: 2",))


def test_a_link_in_the_place_of_the_file_holds_nothing() -> None:
    link = FileState(Mode.SYMLINK, b"12: 2")
    (loss,) = losses([promise()], Tree({PATH: PATCHED}), Tree({PATH: link}), [PATH])
    assert loss.state is FactState.TARGET_GONE


def test_what_another_file_gains_has_moved() -> None:
    head = Tree({PATH: PATCHED, b"b.py": b""})
    staged = Tree({b"b.py": b"\n\n" + PATCHED, b"c.txt": PATCHED})
    assert losses([promise()], head, staged, [b"c.txt", b"b.py"]) == ()
    assert len(losses([promise()], head, Tree({b"c.txt": PATCHED}), [b"c.txt"])) == 1


def test_what_another_file_had_before_has_not_moved_there() -> None:
    head = Tree({PATH: PATCHED, b"twin.py": PATCHED})
    assert len(losses([promise()], head, Tree({PATH: PLAIN, b"twin.py": PATCHED + b"\n"}), [b"twin.py"])) == 1


def test_a_merge_of_thousands_of_files_is_looked_through_within_bounds() -> None:
    many = [b"new/%d.py" % number for number in range(5_000)]
    staged = Tree({PATH: PLAIN} | dict.fromkeys(many, b"x = 1\n"))
    assert len(losses([promise()], Tree({PATH: PATCHED}), staged, many)) == 1
    assert len(staged.reads) < 200


def test_a_file_of_the_same_name_is_looked_at_first() -> None:
    many = [b"new/%d.py" % number for number in range(500)]
    staged = Tree(dict.fromkeys(many, b"SIZES = {}\n") | {b"zzz/table.py": PATCHED})
    assert losses([promise()], Tree({PATH: PATCHED}), staged, [*many, b"zzz/table.py"]) == ()


def test_a_version_is_kept_when_all_of_it_stands() -> None:
    other = promise(b"other.py", b"", b"X = 1\n")
    assert kept([promise(), other], Tree({PATH: PATCHED, b"other.py": b"X = 1\n"}))
    assert not kept([promise(), other], Tree({PATH: PATCHED}))
    assert not kept([], Tree({}))
