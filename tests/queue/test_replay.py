from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.model.change import ChangeKind, FileChange
from patchq.model.verdict import Accept
from patchq.patchfile.read import write_patch
from tests.queue.series import Texts, built, carry, patch, reasons, words

LINES = "".join(f"line {number}\n" for number in range(30))
CODE = """import os


def first(a):
    return a + 1


def second(a):
    return a + 2


TABLE = {
    "one": 1,
    "two": 2,
}
"""


def test_replay_onto_the_same_base_is_clean_and_keeps_every_byte() -> None:
    base: Texts = {"a.py": CODE, "b.txt": LINES}
    one = patch("one", base, {"a.py": CODE.replace("a + 1", "a + 10")})
    two = patch(
        "two",
        {**base, "a.py": CODE.replace("a + 1", "a + 10")},
        {"a.py": CODE.replace("a + 1", "a + 11"), "b.txt": LINES.upper()},
    )
    done = carry(base, {}, one, two)
    assert words(done) == ["clean", "clean"]
    assert [outcome.after for outcome in done.outcomes] == [one, two]
    assert built(done, "a.py") == CODE.replace("a + 1", "a + 11")


def test_a_renamed_file_is_followed_and_the_intents_with_it() -> None:
    base: Texts = {"a.py": CODE}
    one = patch(
        "one",
        base,
        {"a.py": CODE.replace('"two": 2,\n', '"two": 2,\n    "three": 3,\n')},
        'Expect: a.py::TABLE["three"]',
    )
    done = carry(base, {"a.py": None, "lib/b.py": "# moved\n" + CODE}, one, renames={"a.py": "lib/b.py"})
    (outcome,) = done.outcomes
    assert outcome.verdict.value == "moved"
    assert outcome.files[0].old_path == b"a.py"
    assert outcome.after is not None
    assert b"--- a/lib/b.py\n" in outcome.after.raw
    assert b'Expect: lib/b.py::TABLE["three"]' in outcome.after.raw
    assert '"three": 3' in built(done, "lib/b.py")


def test_absorption_by_an_earlier_patch_is_bleed_and_not_absorbed() -> None:
    base: Texts = {"a.py": CODE}
    changed = CODE.replace("a + 1", "a + 10")
    one = patch("one", base, {"a.py": changed})
    twin = patch("twin", base, {"a.py": changed})
    done = carry(base, {"b.txt": "new"}, one, twin)
    assert words(done)[1] == "conflict"
    alone = carry(base, {"a.py": changed}, one)
    assert words(alone) == ["absorbed"]


def test_a_later_patch_on_what_an_open_one_left_is_blocked_and_others_go_on() -> None:
    base: Texts = {"a.txt": LINES, "b.txt": LINES}
    first = LINES.replace("line 5\n", "line five\n")
    one = patch("one", base, {"a.txt": first})
    two = patch("two", {**base, "a.txt": first}, {"a.txt": first.replace("line five\n", "line FIVE\n")})
    three = patch("three", base, {"b.txt": LINES.replace("line 9\n", "line nine\n")})
    done = carry(base, {"a.txt": LINES.replace("line 5\n", "LINE 5\n")}, one, two, three)
    assert words(done) == ["conflict", "blocked", "clean"]
    assert [str(name) for name in done.outcomes[1].blocked_by] == ["one"]


def test_a_patch_is_carried_whole_or_not_at_all() -> None:
    base: Texts = {"a.txt": LINES, "b.txt": LINES}
    both = patch(
        "both", base, {"a.txt": LINES.replace("line 5", "line five"), "b.txt": LINES.replace("line 5", "line five")}
    )
    done = carry(base, {"a.txt": LINES.replace("line 5", "LINE")}, both)
    assert words(done) == ["conflict"]
    assert done.outcomes[0].writes == {}


def test_half_of_it_absorbed_is_partial_and_the_patch_shrinks() -> None:
    base: Texts = {"a.txt": LINES, "b.txt": LINES}
    five = LINES.replace("line 5\n", "line five\n")
    both = patch("both", base, {"a.txt": five, "b.txt": five})
    done = carry(base, {"a.txt": five}, both)
    assert words(done) == ["partial"]
    (outcome,) = done.outcomes
    assert outcome.after is not None
    assert [change.path for change in outcome.after.changes] == [b"b.txt"]
    assert outcome.after.message == both.message


def test_an_expectation_that_does_not_hold_refuses_the_patch() -> None:
    base: Texts = {"a.py": CODE}
    one = patch("one", base, {"a.py": CODE.replace("a + 1", "a + 10")}, "Expect: a.py::TABLE[12]")
    done = carry(base, {}, one)
    assert words(done) == ["conflict"]
    assert "Expect: a.py::TABLE[12]" in reasons(done.outcomes[0])[0]


def test_a_deleted_file_is_orphaned_and_deleted_by_both_is_absorbed() -> None:
    base: Texts = {"a.txt": LINES}
    edit = patch("edit", base, {"a.txt": LINES.replace("line 5", "five")})
    delete = patch("delete", base, {"a.txt": None})
    assert words(carry(base, {"a.txt": None}, edit)) == ["orphaned"]
    assert words(carry(base, {"a.txt": None}, delete)) == ["absorbed"]
    assert words(carry(base, {"a.txt": LINES + "more\n"}, delete)) == ["conflict"]


def test_a_new_file_that_upstream_added_too_is_absorbed_or_superseded() -> None:
    base: Texts = {"a.txt": LINES}
    new = patch("new", base, {"n.py": CODE})
    assert words(carry(base, {"n.py": CODE}, new)) == ["absorbed"]
    assert words(carry(base, {"n.py": CODE.replace("a + 1", "a")}, new)) == ["superseded"]
    assert words(carry(base, {}, new)) == ["clean"]


def test_wrong_twin_upstream_deleted_the_function_and_the_same_lines_stand_in_another() -> None:
    body = "    total = 0\n    for item in items:\n        total += item\n    return total\n"
    base: Texts = {"t.py": f"def extend(items):\n{body}\n\ndef decode(items):\n{body}"}
    fixed = body.replace("total += item", "total += item.size")
    one = patch("one", base, {"t.py": f"def extend(items):\n{fixed}\n\ndef decode(items):\n{body}"})
    done = carry(base, {"t.py": f"def decode(items):\n{body}"}, one)
    assert done.outcomes[0].verdict.needs_person
    assert done.outcomes[0].writes == {}


def test_a_patch_that_does_not_fit_its_own_base_says_which_line() -> None:
    base: Texts = {"a.txt": LINES}
    one = patch("one", {"a.txt": LINES.replace("line 4", "other")}, {"a.txt": LINES.replace("line 4", "four")})
    done = carry(base, {}, one)
    assert words(done) == ["conflict"]
    assert "does not apply to its own base" in reasons(done.outcomes[0])[0]


def test_a_result_of_class_d_waits_unless_it_is_accepted() -> None:
    base: Texts = {"a.py": "ok = a or b\n"}
    one = patch("one", base, {"a.py": "ok = a or b or c\n"})
    onto: Texts = {"a.py": "ok = a or b or z\n"}
    held = carry(base, onto, one)
    assert (held.outcomes[0].verdict.value, held.outcomes[0].open, held.outcomes[0].writes) == ("adapted", True, {})
    taken = carry(base, onto, one, accept=Accept.REVIEW)
    assert not taken.outcomes[0].open


@settings(max_examples=60, deadline=None)
@given(place=st.integers(0, 29), extra=st.text("xyz\n", min_size=1, max_size=20))
def test_an_unrelated_upstream_edit_in_another_file_changes_no_result(place: int, extra: str) -> None:
    base: Texts = {"a.py": CODE, "b.txt": LINES}
    one = patch("one", base, {"a.py": CODE.replace("a + 1", "a + 10")})
    onto: Texts = {"a.py": CODE.replace("a + 2", "a + 3"), "b.txt": LINES[: place * 5] + extra + LINES[place * 5 :]}
    with_edit, without = carry(base, onto, one), carry(base, {"a.py": onto["a.py"]}, one)
    assert with_edit.outcomes[0].files == without.outcomes[0].files
    assert with_edit.outcomes[0].after == without.outcomes[0].after


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(st.integers(1, 29), min_size=1, max_size=4, unique=True), shift=st.integers(0, 5))
def test_an_applied_patch_is_absorbed_next_time(lines: list[int], shift: int) -> None:
    base: Texts = {"b.txt": LINES}
    text = LINES
    for number in lines:
        text = text.replace(f"line {number}\n", f"our line {number}\n")
    one = patch("one", base, {"b.txt": text})
    first = carry(base, {"b.txt": "new\n" * shift + LINES}, one)
    result = built(first, "b.txt")
    assert words(carry(base, {"b.txt": result}, one)) == ["absorbed"]


def test_a_patch_that_changes_a_file_twice_is_refused_and_nothing_of_it_is_lost() -> None:
    base: Texts = {"a.txt": LINES}
    first = patch("one", base, {"a.txt": LINES.replace("line 2\n", "two\n")})
    second = patch("one", base, {"a.txt": LINES.replace("line 20\n", "twenty\n")})
    both = replace(first, changes=(*first.changes, *second.changes))
    done = carry(base, {"b.txt": "new\n"}, both)
    assert words(done) == ["conflict"]
    assert "changes this file twice" in reasons(done.outcomes[0])[0]


def test_a_rename_follows_upstreams_contents_and_swapped_files_both_arrive() -> None:
    base: Texts = {"a.txt": LINES, "b.txt": LINES.upper()}
    moved = FileChange(kind=ChangeKind.RENAME, old_path=b"a.txt", new_path=b"c.txt", similarity=100)
    one = replace(patch("one", base, {"b.txt": None}), changes=(moved,))
    done = carry(base, {"a.txt": LINES + "more\n"}, replace(one, raw=write_patch(one)))
    assert built(done, "c.txt") == LINES + "more\n"
    assert done.outcomes[0].writes[b"a.txt"] is None

    back = FileChange(kind=ChangeKind.RENAME, old_path=b"b.txt", new_path=b"a.txt", similarity=100)
    there = replace(moved, new_path=b"b.txt")
    two = replace(one, changes=(there, back))
    swapped = carry(base, {"d.txt": "new\n"}, replace(two, raw=write_patch(two)))
    assert (built(swapped, "a.txt"), built(swapped, "b.txt")) == (LINES.upper(), LINES)


def test_a_new_file_below_what_is_a_file_upstream_is_open() -> None:
    new = patch("new", {}, {"lib/new.py": "A = 1\n"})
    done = carry({}, {"lib": "a file\n"}, new)
    assert done.outcomes[0].verdict.needs_person
    assert "needs a folder" in reasons(done.outcomes[0])[0]


def test_absorbed_in_a_place_that_is_only_alike_waits_for_a_look() -> None:
    base: Texts = {"a.py": CODE}
    longer = CODE.replace('"two": 2,\n', '"two": 2,\n    "three": 3,\n')
    one = patch("one", base, {"a.py": longer})
    renamed: Texts = {"a.py": longer.replace("TABLE", "NUMBERS")}
    held = carry(base, renamed, one).outcomes[0]
    assert (held.verdict.value, held.held, held.open) == ("absorbed", True, True)
    taken = carry(base, renamed, one, accept=Accept.REVIEW).outcomes[0]
    assert (taken.verdict.value, taken.open) == ("absorbed", False)


def test_what_an_open_patch_would_have_brought_is_missed_and_not_guessed() -> None:
    base: Texts = {"a.py": "def f():\n    use()\n    done()\n"}
    locked = "def f():\n    lock()\n    use()\n    done()\n"
    one = patch("one", base, {"a.py": locked, "b.txt": "new\n"})
    two = patch("two", {"a.py": locked}, {"a.py": locked.replace("    use()\n", "    use()\n    unlock()\n")})
    done = carry(base, {"b.txt": "other\n", "c.txt": "x\n"}, one, two)
    assert words(done) == ["superseded", "blocked"]
    assert [str(name) for name in done.outcomes[1].blocked_by] == ["one"]


def test_a_file_that_upstream_renamed_is_neither_deleted_nor_moved_elsewhere() -> None:
    base: Texts = {"b.txt": LINES}
    delete = patch("delete", base, {"b.txt": None})
    onto: Texts = {"b.txt": None, "c.txt": LINES}
    assert words(carry(base, onto, delete, renames={"b.txt": "c.txt"})) == ["conflict"]
    move = FileChange(kind=ChangeKind.RENAME, old_path=b"b.txt", new_path=b"d.txt", similarity=100)
    moved = replace(delete, changes=(move,))
    assert words(carry(base, onto, replace(moved, raw=write_patch(moved)), renames={"b.txt": "c.txt"})) == ["conflict"]


def test_an_order_that_the_patch_changes_is_not_called_absorbed() -> None:
    base: Texts = {"a.py": CODE}
    turned = CODE.replace('    "one": 1,\n    "two": 2,\n', '    "two": 2,\n    "one": 1,\n')
    one = patch("one", base, {"a.py": turned})
    assert words(carry(base, {"a.py": CODE.replace("a + 2", "a + 3")}, one)) == ["clean"]
    assert carry(base, {"a.py": CODE.replace('"one": 1', '"one": 11')}, one).outcomes[0].verdict.needs_person


def test_without_a_grammar_the_heading_tells_twins_apart() -> None:
    body = "{\n    lock();\n    run();\n    unlock();\n}\n"
    base: Texts = {"t.c": f"void a(void)\n{body}\nvoid b(void)\n{body}"}
    fixed = body.replace("run();", "run_safely();")
    one = patch("one", base, {"t.c": f"void a(void)\n{fixed}\nvoid b(void)\n{body}"})
    moved: Texts = {"t.c": f"void b(void)\n{body}\nvoid a(void)\n{body}"}
    done = carry(base, moved, one)
    assert done.outcomes[0].verdict.needs_person or "void a(void)\n" + fixed in built(done, "t.c")
    gone = carry(base, {"t.c": f"void b(void)\n{body}\nvoid z(void)\n{{\n    z();\n}}\n"}, one)
    assert gone.outcomes[0].verdict.needs_person
    renamed: Texts = {"t.c": f"void a(int x)\n{body}\nvoid b(void)\n{body}"}
    assert "void a(int x)\n" + fixed in built(carry(base, renamed, one), "t.c")


def test_a_parameter_that_upstream_has_elsewhere_is_not_absorbed() -> None:
    base: Texts = {"a.py": "def f(a, b=1):\n    return a, b\n"}
    one = patch("one", base, {"a.py": "def f(a, b=1, c=2):\n    return a, b\n"})
    same = carry(base, {"a.py": "def f(a, b=1, c=2):\n    return b, a\n"}, one)
    assert words(same) == ["absorbed"]
    for signature in ("a, b=1, *, c=2", "a, c=2, b=1", "a, b=1, x=0, c=2"):
        elsewhere = carry(base, {"a.py": f"def f({signature}):\n    return b, a\n"}, one)
        assert elsewhere.outcomes[0].verdict.needs_person, signature


def test_an_equal_statement_that_upstream_put_before_the_patched_one_is_not_taken_for_it() -> None:
    call = '    go({\n        "a": 1,\n        "b": 2,\n    })\n'
    base: Texts = {"a.py": f"def f(q):\n{call}    mid(q)\n{call}"}
    one = patch("one", base, {"a.py": base["a.py"].replace('"b": 2,\n', '"b": 2,\n        "c": 3,\n', 1)})  # type: ignore[union-attr]
    onto: Texts = {"a.py": f"def f(q):\n{call}    pre(q)\n{call}    mid(q)\n{call}"}
    assert carry(base, onto, one).outcomes[0].verdict.needs_person
