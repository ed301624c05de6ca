from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from patchq.errors import ApplyError
from patchq.model.judgement import Judgement, Need
from patchq.model.tree import FileState, Mode
from patchq.patchfile.imports import read_import
from patchq.queue.judging import Question, judge

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = b"""import os


def first(path):
    data = read_file(path)
    return parse_tree(data)


def second(value):
    text = render_value(value)
    return text.strip()


def third(value):
    return value.encode()
"""
MOVED = BASE[BASE.index(b"def second") : BASE.index(b"\n\ndef third")]
PATCH = b"""--- a/pkg/m.py
+++ b/pkg/m.py
@@ -9,3 +9,4 @@
 def second(value):
-    text = render_value(value)
+    check_shape(value, strict=True)
+    text = render_value(value, indent=2)
     return text.strip()
"""
PATCHED = BASE.replace(
    b"    text = render_value(value)\n",
    b"    check_shape(value, strict=True)\n    text = render_value(value, indent=2)\n",
)


class Files(dict[bytes, FileState]):
    """A tree in memory."""

    def read(self, path: bytes) -> FileState | None:
        return self.get(path)


def files(contents: Mapping[str, bytes], mode: Mode = Mode.REGULAR) -> Files:
    return Files({path.encode(): FileState(mode, data) for path, data in contents.items()})


def judged(patch: bytes, base: Files, tree: Files, renames: Mapping[bytes, bytes] | None = None) -> Judgement:
    made = read_import(patch, file="fix.patch")[0]
    return judge(made, Question(base=base, tree=tree, renames=renames or {}, changed=lambda: tuple(tree)))


def ask(tree: Mapping[str, bytes], patch: bytes = PATCH, base: Mapping[str, bytes] | None = None) -> Judgement:
    return judged(patch, files({"pkg/m.py": BASE} if base is None else base), files(tree))


def test_on_its_own_base_it_is_needed_and_applied_it_is_absorbed() -> None:
    assert ask({"pkg/m.py": BASE}).need is Need.NEEDED
    assert ask({"pkg/m.py": PATCHED}).need is Need.ABSORBED


def test_a_patch_that_does_not_fit_its_base_is_an_error() -> None:
    with pytest.raises(ApplyError, match="hunk 1"):
        ask({"pkg/m.py": BASE}, base={"pkg/m.py": BASE.replace(b"render_value", b"other")})


def test_a_file_that_git_follows_is_judged_where_it_is() -> None:
    tree = files({"src/n.py": PATCHED.replace(b"import os", b"import sys")})
    found = judged(PATCH, files({"pkg/m.py": BASE}), tree, {b"pkg/m.py": b"src/n.py"})
    assert found.need is Need.ABSORBED
    assert {edit.path for edit in found.edits} == {b"src/n.py"}


def test_a_file_that_nobody_follows_is_found_by_what_it_says() -> None:
    found = ask({"src/n.py": PATCHED.replace(b"import os", b"import sys"), "src/other.py": b"x = 1\n"})
    assert (found.need, found.edits[0].path) == (Need.ABSORBED, b"src/n.py")
    assert ask({"src/n.py": BASE.replace(b"import os", b"import sys")}).need is Need.NEEDED


def test_two_files_alike_are_no_place() -> None:
    assert ask({"src/n.py": PATCHED, "src/o.py": PATCHED}).need is Need.ORPHANED


def test_a_target_that_is_gone_is_orphaned() -> None:
    found = ask({"pkg/other.py": b"x = 1\n"})
    assert (found.need, found.edits[0].reason) == (Need.ORPHANED, "the file is gone")


def test_a_function_that_moved_to_another_file_is_found_there() -> None:
    rest = BASE.replace(MOVED, b"")
    moved = PATCHED[PATCHED.index(b"def second") : PATCHED.index(b"\n\ndef third")]
    head = b"from os import path\n\n\nLIMIT = 10\n\n\n"
    there = ask({"pkg/m.py": rest, "pkg/text.py": head + moved})
    assert there.need is Need.ABSORBED
    assert (there.edits[0].path, there.edits[0].line) == (b"pkg/text.py", 8)
    needed = ask({"pkg/m.py": rest, "pkg/text.py": head + MOVED})
    assert needed.need is Need.NEEDED
    assert needed.edits[0].path == b"pkg/text.py"


def test_half_of_its_files_is_partial() -> None:
    patch = PATCH + PATCH.replace(b"pkg/m.py", b"pkg/n.py")
    base = {"pkg/m.py": BASE, "pkg/n.py": BASE}
    assert ask({"pkg/m.py": PATCHED, "pkg/n.py": BASE}, patch, base).need is Need.PARTIAL


def test_a_file_deleted_by_both_is_absorbed() -> None:
    patch = b"--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x = 1\n"
    assert ask({}, patch, {"old.py": b"x = 1\n"}).need is Need.ABSORBED
    assert ask({"old.py": b"x = 2\n"}, patch, {"old.py": b"x = 1\n"}).need is Need.NEEDED


NEW_TEXT = b"alpha = load_alpha(1)\nbeta = load_beta(2)\ngamma = load_gamma(3)\n"
NEW = b"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,3 @@\n+" + NEW_TEXT[:-1].replace(b"\n", b"\n+") + b"\n"


def test_a_new_file_is_needed_absorbed_or_another_one() -> None:
    assert ask({}, NEW, {}).need is Need.NEEDED
    assert ask({"new.py": NEW_TEXT}, NEW, {}).need is Need.ABSORBED
    assert ask({"new.py": NEW_TEXT + b"delta = 4\n"}, NEW, {}).need is Need.ABSORBED
    assert ask({"new.py": b"quite = another(1)\n"}, NEW, {}).need is Need.SUPERSEDED
    assert ask({"lib/new.py": NEW_TEXT}, NEW, {}).need is Need.ABSORBED


def test_a_mode_is_judged_by_itself() -> None:
    patch = b"diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    base = files({"run.sh": b"true\n"})
    assert judged(patch, base, base).need is Need.NEEDED
    assert judged(patch, base, files({"run.sh": b"false\n"}, Mode.EXECUTABLE)).need is Need.ABSORBED


def test_a_rename_is_judged_with_its_edit() -> None:
    patch = b"""diff --git a/pkg/m.py b/pkg/n.py
similarity index 90%
rename from pkg/m.py
rename to pkg/n.py
""" + PATCH.replace(b"+++ b/pkg/m.py", b"+++ b/pkg/n.py")
    assert ask({"pkg/m.py": BASE}, patch).need is Need.NEEDED
    assert ask({"pkg/n.py": PATCHED}, patch).need is Need.ABSORBED
    assert ask({"pkg/n.py": BASE}, patch).need is Need.PARTIAL


def test_a_revert_of_upstream_makes_it_needed_again() -> None:
    assert ask({"pkg/m.py": BASE.replace(b"import os", b"import os\nimport sys")}).need is Need.NEEDED


def test_the_wrong_twin_is_not_taken() -> None:
    twin = BASE.replace(b"value.encode()", b"render_value(value)")
    base = twin.replace(b"def third", b"def last")
    gone = base.replace(MOVED, b"")
    assert ask({"pkg/m.py": gone}, PATCH, {"pkg/m.py": base}).need not in {Need.ABSORBED, Need.NEEDED, Need.PARTIAL}


def test_a_link_is_compared_as_a_whole() -> None:
    end = b"\\ No newline at end of file\n"
    head = b"diff --git a/l b/l\nindex 1111111..2222222 120000\n--- a/l\n+++ b/l\n"
    patch = head + b"@@ -1 +1 @@\n-one\n" + end + b"+two\n" + end
    base = files({"l": b"one"}, Mode.SYMLINK)
    assert judged(patch, base, base).need is Need.NEEDED
    assert judged(patch, base, files({"l": b"two"}, Mode.SYMLINK)).need is Need.ABSORBED
    assert judged(patch, base, files({"l": b"six"}, Mode.SYMLINK)).need is Need.SUPERSEDED
