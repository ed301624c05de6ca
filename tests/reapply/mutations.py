"""A small module, patches for it, and what upstreams do to modules: for laws that need no expected text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE = '''"""Chooses kernels."""

import json
import os

from pkg.layers import Attention, Linear
from pkg.utils import (
    is_cuda,
    is_hip,
)

LIMITS = {
    "small": 64,
    "large": 128,
}
NAMES = ["flash", "triton"]
KINDS = {"a", "b"}


class Runner:
    """Runs."""

    sizes = {9: [4, 6, 8], 10: [6, 8]}
    depth = 3

    def __init__(self, config, rank=0):
        self.config = config
        self.rank = rank
        self.layers = [Attention(config), Linear(config, bias=True)]

    @property
    def fast(self):
        return is_cuda() and self.rank == 0

    def run(self, batch, scale=1.0):
        if batch is None or not batch.rows:
            return None
        rows = prepare(batch, self.config, limit=LIMITS["small"])
        for row in rows:
            row.scale(scale)
            self.layers[0].forward(row, mask=batch.mask)
        try:
            return finish(rows, rank=self.rank)
        except ValueError:
            return json.dumps({"error": "rows", "path": os.getcwd()})


def choose(kind, major):
    if kind == "flash":
        return Attention
    elif kind == "linear":
        return Linear
    weight = major * 10 + LIMITS["large"]
    return NAMES[0] if weight > 100 and not is_hip() else NAMES[-1]


def report(values):
    total = sum(values)
    return {"total": total, "mean": total / len(values)}
'''


@dataclass(frozen=True, slots=True)
class Patch:
    """Replaces `old`, which stands once in the module, by `new`; `spoiled` says what upstream made of it instead."""

    name: str
    old: str
    new: str
    spoiled: tuple[str, ...] = ()

    def on(self, text: str) -> str:
        """Apply the patch by hand."""
        return swapped(text, self.old, self.new)


PATCHES = (
    Patch(
        "dict entry",
        '    "large": 128,\n',
        '    "large": 128,\n    "huge": 256,\n',
        ('    "large": 128,\n    "huge": 512,\n',),
    ),
    Patch("dict value", '"small": 64', '"small": 96', ('"small": 32', '"tiny": 64')),
    Patch("entry of a class attribute", "10: [6, 8]", "10: [6, 8], 12: [6, 8]", ("10: [6, 8], 12: [8]",)),
    Patch("class attribute", "    depth = 3\n", "    depth = 3\n    width = 7\n", ("    depth = 3\n    width = 8\n",)),
    Patch("list element", '"flash", "triton"', '"flash", "sm120", "triton"'),
    Patch("set element", '"a", "b"', '"a", "b", "c"'),
    Patch("imported name", "import Attention, Linear", "import Attention, Linear, Norm"),
    Patch("name in brackets", "    is_hip,\n", "    is_hip,\n    is_xpu,\n"),
    Patch("import", "import os\n", "import os\nimport sys\n"),
    Patch("keyword argument", "bias=True", "bias=True, dtype=config.dtype", ("bias=True, dtype=None",)),
    Patch("changed keyword argument", "mask=batch.mask", "mask=batch.causal_mask", ("mask=None", "bias=batch.mask")),
    Patch("positional argument", "prepare(batch, self.config,", "prepare(batch, self.config, self.rank,"),
    Patch("parameter", "scale=1.0)", "scale=1.0, bias=None)", ("scale=1.0, bias=0)",)),
    Patch("default", "rank=0)", "rank=1)", ("rank=2)",)),
    Patch("decorator", "    def run(", "    @traced\n    def run("),
    Patch(
        "operand",
        "is_cuda() and self.rank == 0",
        "is_cuda() and self.rank == 0 and self.depth > 2",
        ("is_cuda() or self.rank == 0",),
    ),
    Patch("bound", "weight > 100", "weight > 120", ("weight < 100", "weight >= 100", "weight > 90")),
    Patch("term", "major * 10 +", "major * 12 +", ("major * 11 +", "major // 10 +")),
    Patch(
        "elif",
        "        return Linear\n",
        '        return Linear\n    elif kind == "sm120":\n        return Attention\n',
    ),
    Patch("except", "            return json", '            log("rows", rows)\n            return json'),
    Patch("statement", "            row.scale(scale)\n", "            row.scale(scale)\n            row.check()\n"),
    Patch("removed statement", "        self.rank = rank\n", "", ("        self.rank = int(rank)\n",)),
    Patch("changed statement", "total = sum(values)", "total = sum(values, start=0)", ("total = max(values)",)),
    Patch("method", "    @property\n", "    def reset(self):\n        self.layers.clear()\n\n    @property\n"),
    Patch("function", "def report(", "def audit(rows):\n    for row in rows:\n        print(row)\n\n\ndef report("),
    Patch("docstring", '"""Runs."""', '"""Runs on one device."""', ('"""Walks."""',)),
    Patch(
        "return",
        'return {"total": total,',
        'return {"count": len(values), "total": total,',
        ('return {"count": 0, "total": total,',),
    ),
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """Something an upstream does that does not touch the meaning of a patch, on the module before or after it."""

    name: str
    apply: Callable[[str], str]


def swapped(text: str, old: str, new: str) -> str:
    """Replace the one place where `old` stands."""
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands {text.count(old)} times")
    return text.replace(old, new)


def joined(text: str) -> str:
    """Write every simple statement on one line, with single quotes."""
    return ast.unparse(ast.parse(text)) + "\n"


def exploded(text: str) -> str:
    """Break every bracket that holds something over lines, one member each, as formatters do."""
    return "".join(_broken(line) for line in joined(text).splitlines(keepends=True))


def _broken(line: str) -> str:
    margin = line[: len(line) - len(line.lstrip())]
    out = ""
    depth = 0
    quote = ""
    for here, following in zip(line, line[1:] + " ", strict=True):
        before = out
        out += here
        if quote or here in "'\"":
            quote = "" if here == quote else quote or here
        elif here in "([{" or (here == "," and depth):
            depth += here in "([{"
            if following not in ")]}":
                out += "\n" + margin + "    " * depth
        elif here in ")]}":
            depth -= 1
            if before[-1] not in "([{":
                out = before + "\n" + margin + "    " * depth + here
        elif depth and here == " " and before.rstrip(" ").endswith("\n"):
            out = before
    return out


class _Reversed(ast.NodeTransformer):
    """Reverses dict entries, keyword arguments and imported names, whose order means nothing."""

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        return ast.Dict(node.keys[::-1], node.values[::-1])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(node.func, node.args, node.keywords[::-1])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        return ast.ImportFrom(node.module, node.names[::-1], node.level)


def reversed_entries(text: str) -> str:
    """Reverse what has no order; layout is that of `ast.unparse`."""
    return ast.unparse(ast.fix_missing_locations(_Reversed().visit(ast.parse(text)))) + "\n"


def last_function_first(text: str) -> str:
    """Move the last function of the file before the others."""
    head, mark, tail = text.partition("\n\nclass Runner")
    body, _, last = (mark + tail).rpartition("\n\ndef report")
    return head + "\n\ndef report" + last + body


MUTATIONS = (
    Mutation("joined lines, other quotes", joined),
    Mutation("one member a line", exploded),
    Mutation("reversed entries", reversed_entries),
    Mutation(
        "annotated assignments",
        lambda text: re.sub(r"(?m)^( *)(LIMITS|NAMES|KINDS|sizes|weight|rows) = ", r"\1\2: object = ", text),
    ),
    Mutation("brackets around values", lambda text: re.sub(r"(?m)^( *return) (.+[^({[\n])$", r"\1 (\2)", text)),
    Mutation(
        "a function before", lambda text: swapped(text, "class Runner:", "def new(a):\n    return a\n\n\nclass Runner:")
    ),
    Mutation("a function behind", lambda text: text + "\n\ndef later(values):\n    return sorted(values)\n"),
    Mutation(
        "a method before",
        lambda text: swapped(text, "    def __init__", "    def stop(self):\n        halt(self)\n\n    def __init__"),
    ),
    Mutation("an entry more", lambda text: swapped(text, '    "small"', '    "zero": 0,\n    "small"')),
    Mutation("a keyword more", lambda text: swapped(text, "finish(rows, ", "finish(rows, wait=False, ")),
    Mutation("an import more", lambda text: swapped(text, "import json\n", "import json\nimport math\n")),
    Mutation("another docstring", lambda text: swapped(text, "Chooses kernels.", "Chooses a kernel.")),
    Mutation("return types", lambda text: re.sub(r"(?m)^( *def (choose|run|fast)\(.*\)):$", r"\1 -> object:", text)),
    Mutation(
        "a twin statement elsewhere",
        lambda text: text + "\n\ndef twin(values):\n    total = sum(values)\n    return total\n",
    ),
    Mutation(
        "a clone of a method",
        lambda text: (
            text + "\n\nclass Other:\n    @property\n    def fast(self):\n        return is_cuda() and self.rank == 0\n"
        ),
    ),
    Mutation("comments", lambda text: re.sub(r"(?m)^(    def .*)$", r"    # Called often.\n\1", text)),
    Mutation("functions in another order", last_function_first),
)


def meaning(text: bytes) -> str:
    """Dump a module so that two texts which mean the same compare equal, whatever the order of what has none."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Dict():
                pairs = sorted(zip(node.keys, node.values, strict=True), key=lambda pair: _dump(pair[0]))
                node.keys, node.values = [key for key, _ in pairs], [value for _, value in pairs]
            case ast.Set():
                node.elts.sort(key=_dump)
            case ast.Call():
                node.keywords.sort(key=_dump)
            case ast.ImportFrom():
                node.names.sort(key=_dump)
            case ast.Module() | ast.ClassDef():
                node.body.sort(key=_rank)
            case _:
                pass
    return ast.dump(tree)


def _dump(node: ast.AST | None) -> str:
    return "" if node is None else ast.dump(node)


def _rank(statement: ast.stmt) -> tuple[int, str]:
    """Definitions and imports may stand in any order among themselves; other statements keep theirs."""
    free = isinstance(
        statement, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
    )
    return (1, ast.dump(statement)) if free else (0, "")
