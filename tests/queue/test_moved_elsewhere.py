from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.model.verdict import Accept
from patchq.queue import lookout
from tests.queue.series import Texts, built, carry, patch, reasons, words

if TYPE_CHECKING:
    import pytest

LOAD = """def load(path, default=None):
    with open(path) as file:
        data = json.load(file)
    check(data, path)
    log("loaded", path)
    return data or default
"""
SAVE = """def save(path, data):
    with open(path, "w") as file:
        json.dump(data, file)
"""
IMPORTS = "import json\n\nfrom log import check, log, migrate\n\n\n"
STORE = f"{IMPORTS}{LOAD}\n\n{SAVE}"
MIGRATED = LOAD.replace("    check(data, path)\n", "    check(data, path)\n    migrate(data)\n")
METHOD = "class Reader:\n    def " + LOAD.replace("\n", "\n    ").replace("def load(", "load(self, ").rstrip(" ")


def test_a_function_split_off_into_a_new_file_is_followed() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}from loading import load\n\n\n{SAVE}", "loading.py": f"{IMPORTS}{LOAD}"}
    held = carry(base, onto, one).outcomes[0]
    assert (held.verdict.value, held.open, held.writes) == ("adapted", True, {})
    done = carry(base, onto, one, accept=Accept.REVIEW)
    (outcome,) = done.outcomes
    (file,) = outcome.files
    assert (file.path, file.old_path, file.notes) == (b"loading.py", b"store.py", ("`load` moved to loading.py",))
    assert file.rung is not None
    assert file.review is not None
    assert (file.rung.value, file.review.value) == ("structural", "D")
    assert [fact.anchor for fact in file.facts] == ["loading.py::load"]
    assert built(done, "loading.py") == f"{IMPORTS}{MIGRATED}"
    assert outcome.after is not None
    assert [change.path for change in outcome.after.changes] == [b"loading.py"]


def test_what_was_carried_to_another_file_is_absorbed_the_next_time_and_waits_for_a_look() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", "loading.py": f"{IMPORTS}{MIGRATED}"}
    outcome = carry(base, onto, one).outcomes[0]
    assert (outcome.verdict.value, outcome.held) == ("absorbed", True)


def test_a_function_that_became_a_method_in_an_existing_file_is_followed_and_the_rest_stays() -> None:
    base: Texts = {"store.py": STORE, "reading.py": f"{IMPORTS}LIMIT = 3\n"}
    waited = SAVE.replace("file)\n", "file, indent=1)\n")
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{waited}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", "reading.py": f"{IMPORTS}LIMIT = 3\n\n\n{METHOD}"}
    done = carry(base, onto, one, accept=Accept.REVIEW)
    assert words(done) == ["adapted"]
    assert [file.path for file in done.outcomes[0].files] == [b"store.py", b"reading.py"]
    assert built(done, "store.py") == f"{IMPORTS}{waited}"
    moved = METHOD.replace("        check(data, path)\n", "        check(data, path)\n        migrate(data)\n")
    assert built(done, "reading.py") == f"{IMPORTS}LIMIT = 3\n\n\n{moved}"


def test_if_the_rest_clashes_nothing_is_carried() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE.replace('file)', 'file, indent=1)')}"})
    onto: Texts = {
        "store.py": f"{IMPORTS}{SAVE.replace('json.dump(data, file)', 'store[path] = data')}",
        "loading.py": f"{IMPORTS}{LOAD}",
    }
    done = carry(base, onto, one, accept=Accept.REVIEW)
    assert done.outcomes[0].verdict.needs_person
    assert done.outcomes[0].writes == {}


def test_a_file_that_is_gone_with_its_code_stays_orphaned() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    assert words(carry(base, {"store.py": None, "other.py": f"{IMPORTS}A = 1\n"}, one)) == ["orphaned"]
    assert words(carry(base, {"store.py": f"{IMPORTS}{SAVE}"}, one)) == ["orphaned"]


def test_a_file_whose_functions_all_went_elsewhere_is_followed() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": None, "a.py": f"{IMPORTS}{LOAD}", "b.py": f"{IMPORTS}{SAVE}"}
    done = carry(base, onto, one, accept=Accept.REVIEW)
    assert words(done) == ["adapted"]
    assert built(done, "a.py") == f"{IMPORTS}{MIGRATED}"


def test_a_clone_that_another_file_had_before_is_not_taken_for_it() -> None:
    twin = f"{IMPORTS}{LOAD}"
    base: Texts = {"store.py": STORE, "twin.py": twin}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    gone: Texts = {"store.py": f"{IMPORTS}{SAVE}", "twin.py": f"{twin}\n\nA = 1\n"}
    assert words(carry(base, gone, one)) == ["orphaned"]
    copied: Texts = {**gone, "copy.py": f"{IMPORTS}{METHOD}"}
    outcome = carry(base, copied, one, accept=Accept.REVIEW).outcomes[0]
    assert outcome.verdict.needs_person
    assert "its twin `load`" in reasons(outcome)[0]


def test_two_files_that_have_it_now_are_both_named() -> None:
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", "a.py": f"{IMPORTS}{LOAD}", "b.py": f"{IMPORTS}{METHOD}"}
    outcome = carry(base, onto, one, accept=Accept.REVIEW).outcomes[0]
    assert outcome.verdict.needs_person
    assert "more than one place now: `load` in a.py, `Reader.load` in b.py" in reasons(outcome)[0]


def test_a_name_that_the_other_file_does_not_import_is_a_persons_decision() -> None:
    bare = IMPORTS.replace(", migrate", "")
    onto: Texts = {"store.py": f"{bare}{SAVE}", "loading.py": f"{bare}{LOAD}"}
    for imports in (bare, IMPORTS):  # the patch brings the import itself, or base had it
        base: Texts = {"store.py": f"{imports}{LOAD}\n\n{SAVE}"}
        one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
        outcome = carry(base, onto, one, accept=Accept.REVIEW).outcomes[0]
        assert outcome.verdict.needs_person
        assert any("`migrate` is used" in reason for reason in reasons(outcome))


def test_edits_of_two_files_that_have_come_together_in_one_are_refused() -> None:
    base: Texts = {"a.py": f"{IMPORTS}{LOAD}", "b.py": f"{IMPORTS}{SAVE}"}
    one = patch(
        "one", base, {"a.py": f"{IMPORTS}{MIGRATED}", "b.py": f"{IMPORTS}{SAVE.replace('file)', 'file, indent=1)')}"}
    )
    onto: Texts = {"a.py": f"{IMPORTS}A = 1\n", "b.py": f"{IMPORTS}{SAVE}\n\n{LOAD}"}
    outcome = carry(base, onto, one, accept=Accept.REVIEW).outcomes[0]
    assert outcome.verdict.needs_person
    assert outcome.writes == {}


def test_a_name_that_stands_in_too_many_changed_files_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout, "MOST_PLACES", 2)
    base: Texts = {"store.py": STORE}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", **{f"f{n}.py": f"{IMPORTS}{LOAD}" for n in range(4)}}
    outcome = carry(base, onto, one, accept=Accept.REVIEW).outcomes[0]
    assert outcome.verdict.needs_person
    assert "too many" in reasons(outcome)[0]


def test_a_later_patch_of_the_same_function_finds_it_with_the_first_ones_edit() -> None:
    base: Texts = {"store.py": STORE}
    first: Texts = {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"}
    one = patch("one", base, first)
    quiet = MIGRATED.replace('    log("loaded", path)\n', "")
    two = patch("two", first, {"store.py": f"{IMPORTS}{quiet}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", "loading.py": f"{IMPORTS}{LOAD}"}
    done = carry(base, onto, one, two, accept=Accept.REVIEW)
    assert words(done) == ["adapted", "adapted"]
    assert built(done, "loading.py") == f"{IMPORTS}{quiet}"


def test_what_only_an_earlier_patch_has_brought_there_is_not_absorbed() -> None:
    base: Texts = {"store.py": STORE, "loading.py": f"{IMPORTS}A = 1\n"}
    one = patch("one", base, {"store.py": f"{IMPORTS}{MIGRATED}\n\n{SAVE}"})
    onto: Texts = {"store.py": f"{IMPORTS}{SAVE}", "loading.py": f"{IMPORTS}A = 1\n\n\n{LOAD}"}
    done = carry(base, onto, one, one, accept=Accept.REVIEW)
    assert words(done)[0] == "adapted"
    assert done.outcomes[1].verdict.needs_person
    other = patch("other", base, {"loading.py": f"{IMPORTS}A = 2\n"})
    there: Texts = {"store.py": f"{IMPORTS}{SAVE}", "loading.py": f"{IMPORTS}A = 1\n\n\n{MIGRATED}"}
    assert words(carry(base, there, other, one, accept=Accept.REVIEW))[1] == "absorbed"
