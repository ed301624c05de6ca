"""The form of a YAML tree: wrappers gone, a scalar one token, comments in the block that their column says."""

from __future__ import annotations

import bisect
import re
import textwrap
from typing import TYPE_CHECKING

from patchq.syntax.node import column, starts_line
from patchq.syntax.raw import one_line

if TYPE_CHECKING:
    from patchq.syntax.raw import Raw

BLOCKS = frozenset({"block_mapping", "block_sequence"})
_WRAPPERS = frozenset({"flow_node", "block_node"})
_QUOTED = frozenset({"double_quote_scalar", "single_quote_scalar"})
_FLOW = frozenset({"flow_mapping", "flow_sequence", "flow_pair"})
# Text that is the same with quotes and without them, in YAML 1.1 too, where `no` is false and `1_000` a number.
_ALWAYS_TEXT = re.compile(rb"(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][\w./@-]*(?: [\w./@-]+)*", re.IGNORECASE)


def shape(raw: Raw, source: bytes) -> Raw:
    """Bring the grammar's tree into the form that the tables of `yaml` are about."""
    comments: list[Raw] = []
    root = _plain(raw, source, comments)
    for comment in comments:
        _home(root, comment, source)
    for node in reversed(list(root.walk())):
        if node.children:
            node.start, node.end = node.children[0].start, node.children[-1].end
    return root


def _plain(node: Raw, source: bytes, comments: list[Raw]) -> Raw:
    """Simplify bottom-up; comments between block constructs are taken out."""
    if node.kind == "block_scalar":
        return _block_scalar(node, source)
    if node.kind in {"plain_scalar", *_QUOTED}:
        return _scalar(node, source)
    if node.kind in {"alias", "anchor", "tag"}:
        node.children = []
        return node
    if node.kind not in _FLOW:
        comments.extend(child for child in node.children if child.kind == "comment")
        node.children = [child for child in node.children if child.kind != "comment"]
    node.children = [_plain(child, source, comments) for child in node.children]
    if node.kind in _WRAPPERS and len(node.children) == 1:
        (only,) = node.children
        only.field = node.field
        return only
    if node.children:
        node.start, node.end = node.children[0].start, node.children[-1].end
    return node


def _scalar(node: Raw, source: bytes) -> Raw:
    text = source[node.start : node.end]
    wrong = any(each.wrong for each in node.walk())
    if node.kind in _QUOTED:
        content = text[1:-1]
        plain = not any(byte in content for byte in b"\\\"'\n")
        node.means = ("text" if _ALWAYS_TEXT.fullmatch(content) else "quoted", content) if plain else (node.kind, text)
    else:
        kind = node.children[0].kind if node.children else "string_scalar"
        node.means = ("text", b" ".join(text.split())) if kind == "string_scalar" else (kind, text)
    node.kind, node.children, node.wrong = "scalar", [], wrong
    return node


def _block_scalar(node: Raw, source: bytes) -> Raw:
    """Make one token, which means the same at another indentation."""
    header, _, lines = source[node.start : node.end].decode("utf-8", "surrogateescape").partition("\n")
    node.means = ("block", header.split("#")[0].strip(), textwrap.dedent(lines).rstrip())
    node.children = []
    return node


def _home(root: Raw, comment: Raw, source: bytes) -> None:
    """Put a comment where a reader sees it: behind its member, above the next one, or at the end of its block."""
    chain = _chain(root, comment.start)
    around = next(node for node in reversed(chain) if node is root or node.start < comment.start < node.end)
    if starts_line(source, comment.start):
        block = _block(chain, around, comment, source)
    else:
        beside = (
            node
            for node in reversed(chain)
            if node.kind in BLOCKS and one_line(source, _before(node, comment.start), comment.start)
        )
        block = next(beside, around)
    block.children.insert(_place(block, comment.start), comment)
    for node in {id(node): node for node in (*chain[: _depth(chain, block)], block)}.values():
        node.start, node.end = min(node.start, comment.start), max(node.end, comment.end)


def _depth(chain: list[Raw], block: Raw) -> int:
    return next((at for at, node in enumerate(chain) if node is block), len(chain))


def _chain(root: Raw, position: int) -> list[Raw]:
    """Go down to `position` through whatever contains it or ends before it."""
    chain = [root]
    while True:
        at = _place(chain[-1], position)
        if not at or not chain[-1].children[at - 1].children:
            return chain
        chain.append(chain[-1].children[at - 1])


def _before(block: Raw, position: int) -> int:
    """Return the end of the last member before `position`; that of the text's start where there is none."""
    at = _place(block, position)
    before = block.children[at - 1].end if at else 0
    return before if before <= position else 0


def _place(node: Raw, position: int) -> int:
    """Count the children that begin before `position`."""
    return bisect.bisect_left(node.children, position, key=lambda child: child.start)


def _block(chain: list[Raw], around: Raw, comment: Raw, source: bytes) -> Raw:
    """Choose the block of a comment on a line of its own by its column and by what follows it."""
    at = _place(around, comment.start)
    following = around.children[at] if at < len(around.children) else None
    led = None if following is None or around.kind in BLOCKS else _leading(following)
    if led is not None:
        return led
    # A block further out has what contains the comment as one member.
    blocks = [node for node in chain[_depth(chain, around) :] if node.kind in BLOCKS]
    here = column(source, comment.start)
    inside = around if around.kind in BLOCKS and following is not None else None
    if inside is not None and _column(inside, source) == here:
        return inside
    alike = [block for block in blocks if _column(block, source) == here]
    if alike:
        return alike[-1]
    if inside is not None and following is not None and source.count(b"\n", comment.end, following.start) == 1:
        return inside
    left = [block for block in blocks if _column(block, source) <= here]
    return left[-1] if left else blocks[0] if blocks else around


def _leading(node: Raw) -> Raw | None:
    """Return the block that `node` begins with."""
    while node.kind in {"document", "block_node"} and node.children:
        node = node.children[0]
    return node if node.kind in BLOCKS else None


def _column(block: Raw, source: bytes) -> int:
    member = next((child for child in block.children if child.kind != "comment"), block)
    return column(source, member.start)
