"""A reader of HTML for tests: refuses what is not well-formed, and gives back elements that can be asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VOID = {"meta", "br", "hr", "img", "link", "input", "col"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    parent: Node | None
    content: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.content)

    @property
    def children(self) -> list[Node]:
        return [part for part in self.content if isinstance(part, Node)]

    def all(self, *tags: str) -> list[Node]:
        return [node for node in self.walk() if not tags or node.tag in tags]

    def walk(self) -> Iterator[Node]:
        for child in self.children:
            yield child
            yield from child.walk()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {}, None)
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        assert len(attributes) == len(attrs), f"an attribute twice in <{tag}>"
        node = Node(tag, attributes, self.at)
        self.at.content.append(node)
        self.at = self.at if tag in VOID else node

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.content.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def read_page(page: str) -> Node:
    """Read a whole page, every element of which has to be closed in its order."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is open at the end"
    return reader.root
