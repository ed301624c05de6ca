"""Texts for laws: few different lines, so that repeats, twins and blank lines are the rule and not the exception."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

LINES = st.sampled_from([b"\n", b"}\n", b"  a\n", b"\ta\n", b"    b\n", b"def f():\n", b"x\n", b"y\r\n", b"z\x00\n"])
ENDS = st.sampled_from([b"", b"", b"x", b"  a", b"\r"])


@st.composite
def texts(draw: st.DrawFn, max_lines: int = 30) -> bytes:
    """Make a text, maybe without an end at its last line."""
    return b"".join(draw(st.lists(LINES, max_size=max_lines))) + draw(ENDS)


@st.composite
def edited(draw: st.DrawFn, text: bytes, max_edits: int = 3) -> bytes:
    """Replace some runs of lines in `text`."""
    lines = text.splitlines(keepends=True)
    for _ in range(draw(st.integers(0, max_edits))):
        start = draw(st.integers(0, len(lines)))
        lines[start : start + draw(st.integers(0, 3))] = draw(st.lists(LINES, max_size=3))
    return b"".join(lines)


@st.composite
def two_edits(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """Make a base and two texts that come from it."""
    base = draw(texts())
    return base, draw(edited(base)), draw(edited(base))


def seeded(seed: int) -> Random:
    """Make the source of the same inputs in every run."""
    return Random(seed)  # noqa: S311 - inputs for tests, no secrets


def random_text(rng: Random, size: int, words: int) -> bytes:
    """Make a text of `size` lines, some of them blank, indented or repeated, out of `words` different ones."""
    shapes = ["", "}", "    x", "\tif a:", "        y = 1", "def f():", *(f"w{number}" for number in range(words))]
    text = "\n".join(rng.choice(shapes[:words]) for _ in range(size))
    return (text + rng.choice(["\n", "\n", ""]) * bool(text)).encode()


def randomly_edited(rng: Random, text: bytes, most: int) -> bytes:
    """Delete, copy and insert up to `most` runs of lines."""
    lines = text.split(b"\n")
    for _ in range(rng.randint(0, most)):
        at = rng.randrange(len(lines) + 1)
        source = rng.randrange(len(lines) + 1)
        match rng.randrange(3):
            case 0:
                del lines[at : at + rng.randint(1, 4)]
            case 1:
                lines[at:at] = lines[source : source + rng.randint(1, 5)]
            case _:
                lines[at : at + rng.randint(0, 2)] = random_text(rng, rng.randint(1, 3), rng.choice([3, 8, 60])).split(
                    b"\n"
                )
    return b"\n".join(lines)
