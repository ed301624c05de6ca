from __future__ import annotations

import pytest

from patchq.reapply.lacking import Sieve, places
from patchq.reapply.siblings import lessons

BASE = b"def f(a):\n    return a.oak() or a.elm()\n"
PATCHED = BASE.replace(b"a.elm()", b"a.elm() or a.ash()")
TABLE = b"T = {9: 1, 10: 2}\n"


def lacking(base: bytes, patched: bytes, other: bytes, path: bytes = b"a.py") -> list[tuple[int, str]]:
    learned = Sieve(lessons(path, base, patched)).passing(other)
    return [(one.line, one.missing) for one in places(path, other, learned)]


def test_a_lesson_is_what_differs_between_the_added_member_and_its_siblings() -> None:
    (one,) = lessons(b"a.py", BASE, PATCHED)
    assert (one.rows, one.added) == ((("oak",), ("elm",)), ("ash",))
    assert one.frame[:3] == ("a", ".", "□")


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (b"if x and (b.elm() or b.oak()):\n    y = 1\n", [(1, "b.ash()")]),
        (b"if b.elm() and not b.oak():\n    y = 1\n", []),  # no two that read alike
        (b"if b.elm() or b.oak() or b.ash():\n    y = 1\n", []),
        (b"if (b.elm() or b.oak()) and z or b.ash():\n    y = 1\n", []),
        (b"if b.elm() or b.pine():\n    y = 1\n", []),
        (b"# b.elm() or b.oak()\n'b.elm() or b.oak()'\n", []),
        (b"if b.elm() or (\n    b.oak()  # why\n):\n    y = 1\n", [(1, "b.ash()")]),
        (b"x = [b.elm(), b.oak()]\n", [(1, "b.ash()")]),
    ],
)
def test_a_place_names_two_siblings_alike_and_not_what_was_added(other: bytes, found: list[tuple[int, str]]) -> None:
    assert lacking(BASE, PATCHED, other) == found


def test_numbers_inside_of_others_are_no_siblings() -> None:
    patched = TABLE.replace(b"}", b", 12: 3}")
    assert lacking(TABLE, patched, b"T = {9: 1, 10: 2}\n") == [(1, "12")]
    assert lacking(TABLE, patched, b"T = {0.9: 1, 10: 2, 910: 3}\n") == []
    (lesson,) = lessons(b"a.py", TABLE, patched)
    assert Sieve((lesson,)).passing(b"x = 9\n" + b"#\n" * 4000 + b"y = 10\n") == ()


@pytest.mark.parametrize(
    ("path", "base", "added", "other", "found"),
    [
        (
            b"a.json",
            b'{"oak": 1, "elm": 2}',
            b'{"oak": 1, "elm": 2, "ash": 2}',
            b'{"elm": 5,\n"oak": 4}',
            [(1, '"ash"')],
        ),
        (b"a.yaml", b"oak: 1\nelm: 2\n", b"oak: 1\nelm: 2\nash: 2\n", b"x:\n  elm: 1\n  oak: 2\n", [(2, "ash")]),
        (
            b"a.c",
            b"int f(int k) { return k == OAK || k == ELM; }\n",
            b"int f(int k) { return k == OAK || k == ELM || k == ASH; }\n",
            b"int g(int m) {\n  return m == ELM || m == OAK;\n}\n",
            [(2, "m == ASH")],
        ),
        (
            b"a.ts",
            b"const t = { oak: 1, elm: 2 };\n",
            b"const t = { oak: 1, elm: 2, ash: 3 };\n",
            b"const u = {\n  elm: 3,\n  oak: 4,\n};\n",
            [(2, "ash")],
        ),
        (
            b"a.rs",
            b"fn f(k: K) -> u8 { match k { K::Oak => 1, K::Elm => 2, _ => 0 } }\n",
            b"fn f(k: K) -> u8 { match k { K::Oak => 1, K::Elm => 2, K::Ash => 2, _ => 0 } }\n",
            b"fn g(k: K) -> bool {\n    k == K::Elm || k == K::Oak\n}\n",
            [(2, "k == K::Ash")],
        ),
    ],
    ids=["json", "yaml", "c", "typescript", "rust"],
)
def test_languages(path: bytes, base: bytes, added: bytes, other: bytes, found: list[tuple[int, str]]) -> None:
    assert lacking(base, added, other, path) == found
