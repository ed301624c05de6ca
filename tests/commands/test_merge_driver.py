from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.gitrepo import GitRepo
from tests.running import patchq

PROGRAM = Path(sys.executable).with_name("patchq")
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="patchq is not installed beside this Python")

TABLE = "T = {\n    9: [1],\n    10: [6, 8],\n}\n\n\nLIMIT = 8\n"
PATCHED = TABLE.replace("    10: [6, 8],\n", "    10: [6, 8],\n    12: [2],\n")
UPSTREAM = TABLE.replace("[6, 8]", "[4, 6, 8]")
MERGED = UPSTREAM.replace("8],\n", "8],\n    12: [2],\n")
BODY = "    n = len(x)\n    log(n)\n    check(n)\n    return n\n"


@pytest.fixture
def fork(repo: GitRepo) -> GitRepo:
    """A repository whose merges go through patchq, with nothing committed."""
    assert patchq("hook", "install", "--merge-driver", cwd=repo.path).code == 0
    return repo


def diverge(repo: GitRepo, base: str, patched: str, upstream: str, path: str = "pkg/table.py") -> None:
    """Make branches `patch` and `main` from `base`, and leave HEAD on `patch`."""
    repo.commit("base", {path: base})
    repo.git("checkout", "-q", "-b", "patch")
    repo.commit("Sizes for 12", {path: patched})
    repo.git("checkout", "-q", "main")
    repo.commit("upstream moves on", {path: upstream})
    repo.git("checkout", "-q", "patch")


def read(repo: GitRepo, path: str = "pkg/table.py") -> str:
    return (repo.path / path).read_text()


def replayed(repo: GitRepo, how: str) -> int:
    """Bring the patch and upstream together; HEAD is on `patch` before."""
    match how:
        case "rebase":
            return repo.try_git("rebase", "main").returncode
        case "merge upstream":
            return repo.try_git("merge", "--no-edit", "main").returncode
        case "merge patch":
            repo.git("checkout", "-q", "main")
            return repo.try_git("merge", "--no-edit", "patch").returncode
        case _:
            repo.git("checkout", "-q", "main")
            return repo.try_git("cherry-pick", "patch").returncode


WAYS = ("rebase", "merge upstream", "merge patch", "cherry-pick")


@pytest.mark.parametrize("how", WAYS)
def test_what_lines_cannot_merge_is_carried_by_structure(fork: GitRepo, how: str) -> None:
    diverge(fork, TABLE, PATCHED, UPSTREAM)
    assert replayed(fork, how) == 0
    assert read(fork) == MERGED
    assert fork.text("status", "--porcelain") == ""


def test_without_the_driver_git_conflicts_there(repo: GitRepo) -> None:
    diverge(repo, TABLE, PATCHED, UPSTREAM)
    assert replayed(repo, "rebase") == 1


@pytest.mark.parametrize(
    ("how", "theirs", "sides"),
    [
        ("rebase", "{} (Sizes for 12)", (16, 12)),
        ("merge upstream", "main", (12, 16)),
        ("merge patch", "patch", (16, 12)),
        ("cherry-pick", "theirs", (16, 12)),
    ],
)
def test_what_stays_open_is_a_conflict_of_git_in_words_of_the_user(
    fork: GitRepo, how: str, theirs: str, sides: tuple[int, int]
) -> None:
    diverge(fork, TABLE, PATCHED.replace("= 8", "= 12"), UPSTREAM.replace("= 8", "= 16"))
    commit = fork.text("rev-parse", "patch")[:7]
    assert replayed(fork, how) == 1
    assert fork.text("status", "--porcelain") == "UU pkg/table.py"
    version = fork.text("version").split()[2].split(".")
    labels = theirs.format(commit) if (int(version[0]), int(version[1])) < (2, 44) else None
    text = read(fork)
    if labels is not None:
        assert f">>>>>>> {labels}\n" in text
    head, _, rest = text.partition("<<<<<<< HEAD\n")
    ours, _, rest = rest.partition("||||||| ")
    shown, _, _ = rest.partition("=======\n")[2].partition(">>>>>>> ")
    assert (ours, shown) == (f"LIMIT = {sides[0]}\n", f"LIMIT = {sides[1]}\n")
    # The other change of the same file is carried all the same.
    assert head == MERGED.partition("LIMIT")[0]


BASE = "import a\n\n\ndef f():\n    return a\n\n\ndef g():\n    return a\n\n\ndef h():\n    return a\n"
EXTRA = "\n\ndef extra():\n    return a.extra()\n"
TWINS = "def first(x):\n" + BODY + "\n\ndef second(x):\n" + BODY


def twice(repo: GitRepo) -> None:
    """Let upstream add at the top, with one more line, what the patch adds at the end."""
    top = BASE.replace("\n\ndef f", EXTRA.replace("extra()\n", "extra() or None\n") + "\n\ndef f")
    diverge(repo, BASE, BASE + EXTRA, top)


def wrong_twin(repo: GitRepo, path: str) -> None:
    """Let upstream delete the second of two functions, which the patch changes, and rename the first."""
    patched = TWINS.removesuffix("    return n\n") + "    flush(n)\n    return n\n"
    diverge(repo, TWINS, patched, "def third(x):\n" + BODY, path)


@pytest.mark.parametrize("how", WAYS)
def test_a_second_copy_that_git_would_make_is_refused(fork: GitRepo, how: str) -> None:
    twice(fork)
    assert replayed(fork, how) == 1
    assert fork.text("status", "--porcelain") == "UU pkg/table.py"
    assert read(fork).count("def extra():\n") == 1


def test_git_would_make_that_second_copy(repo: GitRepo) -> None:
    twice(repo)
    assert replayed(repo, "rebase") == 0
    assert read(repo).count("def extra():\n") == 2


@pytest.mark.parametrize(("how", "path"), [*((how, "table.txt") for how in WAYS), ("merge upstream", "pkg/table.py")])
def test_a_wrong_twin_that_git_would_take_is_refused(fork: GitRepo, how: str, path: str) -> None:
    wrong_twin(fork, path)
    assert replayed(fork, how) == 1
    assert fork.text("status", "--porcelain") == f"UU {path}"
    # Whatever is in question stands between marks: what is brought in, that is, not what HEAD had.
    assert ("flush" in read(fork, path).rpartition(">>>>>>>")[2]) is (how == "merge upstream")


def test_git_would_take_that_twin(repo: GitRepo) -> None:
    wrong_twin(repo, "table.txt")
    assert replayed(repo, "rebase") == 0
    assert "flush" in read(repo, "table.txt")


def test_a_mail_is_named_by_its_subject_and_a_stash_is_merged_too(fork: GitRepo) -> None:
    diverge(fork, "a = 1\n", "a = 2\n", "a = 3\n")
    mail = fork.git("format-patch", "--stdout", "main..patch")
    fork.git("checkout", "-q", "main")
    assert fork.try_git("am", "-3", stdin=mail).returncode != 0
    assert read(fork).endswith(">>>>>>> Sizes for 12\n")
    fork.git("am", "--abort")
    fork.write({"pkg/table.py": "a = 4\n"})
    fork.git("stash")
    fork.commit("more", {"pkg/table.py": "a = 3\nb = 1\n"})
    assert fork.try_git("stash", "pop").returncode == 0
    assert read(fork) == "a = 4\nb = 1\n"


def test_a_broken_patchq_leaves_the_conflict_of_git_and_says_so(fork: GitRepo) -> None:
    diverge(fork, TABLE, PATCHED, UPSTREAM)
    command = fork.text("config", "merge.patchq.driver")
    fork.git("config", "merge.patchq.driver", command.replace(str(PROGRAM), "/gone/patchq"))
    done = fork.try_git("merge", "main")
    assert done.returncode != 0
    assert "<<<<<<< HEAD\n" in read(fork)
    assert (
        b"error: patchq failed; this is the merge by lines of git, which nothing has proved: pkg/table.py"
        in done.stderr
    )


def test_a_file_that_the_patch_renamed_is_merged_under_its_new_name(fork: GitRepo) -> None:
    fork.commit("base", {"pkg/table.txt": TABLE})
    fork.git("checkout", "-q", "-b", "patch")
    fork.commit("Rename", {"pkg/table.txt": None, "pkg/a b'c.py": PATCHED})
    fork.git("checkout", "-q", "main")
    fork.commit("upstream", {"pkg/table.txt": UPSTREAM})
    assert fork.try_git("merge", "--no-edit", "patch").returncode == 0
    assert read(fork, "pkg/a b'c.py") == MERGED


def test_binary_files_and_two_new_files_are_conflicts_as_ever(fork: GitRepo) -> None:
    fork.commit("base", {"x.bin": b"\0base"})
    fork.git("checkout", "-q", "-b", "patch")
    fork.commit("patch", {"x.bin": b"\0patch", "new.txt": "1\na\n"})
    fork.git("checkout", "-q", "main")
    fork.commit("upstream", {"x.bin": b"\0upstream", "new.txt": "1\nb\n"})
    assert fork.try_git("merge", "patch").returncode == 1
    assert fork.text("status", "--porcelain").splitlines() == ["AA new.txt", "UU x.bin"]
    assert (fork.path / "x.bin").read_bytes() == b"\0upstream"
    assert read(fork, "new.txt") == "1\n<<<<<<< HEAD\nb\n||||||| base\n=======\na\n>>>>>>> patch\n"


def test_the_size_of_markers_is_gits(fork: GitRepo) -> None:
    diverge(fork, "a = 1\n", "a = 2\n", "a = 3\n")
    with (fork.path / ".git/info/attributes").open("a") as stream:
        stream.write("*.py conflict-marker-size=11\n")
    assert replayed(fork, "rebase") == 1
    assert read(fork).startswith("<<<<<<<<<<< HEAD\na = 3\n|||||||||||")


def test_install_says_what_it_did_and_what_comes_before_it(repo: GitRepo) -> None:
    repo.commit("base", {".gitattributes": "*.md merge=union\n*.py text\n", "pkg/.gitattributes": "x -merge\n"})
    attributes = repo.path / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("# mine\n*.lock merge=ours")
    ran = patchq("hook", "install", "--merge-driver", cwd=repo.path)
    assert (ran.code, ran.out) == (0, f"installed: the merge driver, in {attributes}\n")
    assert ran.err.splitlines() == [
        "note: `*.lock merge=ours` stands in that file, too, and comes first",
        "note: `*.md merge=union` in .gitattributes does not count any more",
        "note: `x -merge` in pkg/.gitattributes does not count any more",
        "      To keep such a choice, put the line at the end of the file above.",
    ]
    assert repo.text("check-attr", "merge", "a.py", "b.lock", "c.md").splitlines() == [
        "a.py: merge: patchq",
        "b.lock: merge: ours",
        "c.md: merge: patchq",
    ]
    assert repo.text("status", "--porcelain") == ""
    assert not (repo.path / ".git/hooks/pre-commit").exists()
    again = patchq("hook", "install", "--merge-driver", "--json", cwd=repo.path).json
    assert (again["command"], again["done"], again["before"]) == ("hook install", "unchanged", ["*.lock merge=ours"])


def test_uninstall_leaves_what_was_there(repo: GitRepo) -> None:
    attributes = repo.path / ".git/info/attributes"
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_bytes(b"# mine\r\n*.lock merge=ours")
    config = (repo.path / ".git/config").read_bytes()
    for options in (("--merge-driver",), ()):
        assert patchq("hook", "install", "--merge-driver", cwd=repo.path).code == 0
        ran = patchq("hook", "uninstall", *options, cwd=repo.path)
        assert ran.out.startswith(f"removed: the merge driver, from {attributes}\n")
        assert attributes.read_bytes() == b"# mine\r\n*.lock merge=ours"
        assert (repo.path / ".git/config").read_bytes() == config
    assert patchq("hook", "uninstall", "--json", cwd=repo.path).json["merge_driver"]["done"] == "absent"
    attributes.unlink()
    patchq("hook", "install", "--merge-driver", cwd=repo.path)
    patchq("hook", "uninstall", cwd=repo.path)
    assert not attributes.exists()


def test_every_worktree_merges_through_it(fork: GitRepo, tmp_path: Path) -> None:
    diverge(fork, TABLE, PATCHED, UPSTREAM)
    linked = GitRepo(tmp_path / "linked tree")
    fork.git("worktree", "add", "-q", str(linked.path), "main")
    assert linked.try_git("merge", "--no-edit", "patch").returncode == 0
    assert read(linked) == MERGED
