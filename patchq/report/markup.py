"""HTML as a tree of elements, so that no text can become markup: the standard library's ElementTree writes it."""

from __future__ import annotations

from typing import TypeAlias
from xml.etree import ElementTree as ET

Element: TypeAlias = ET.Element
Content: TypeAlias = "Element | str | None"

# A line end behind these costs nothing on the screen, and makes the source readable and its changes diffable.
_BLOCKS = frozenset(
    {
        *("head", "meta", "title", "style", "body", "header", "nav", "main", "section", "article", "footer", "div"),
        *("h1", "h2", "h3", "p", "pre", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    }
)


def element(tag: str, *content: Content, **attributes: str | None) -> Element:
    """Make an element; content that is None is left out, and so is an attribute.

    Underscores in names of attributes stand for dashes, and one at the end keeps clear of Python's words: `class_`.
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None}
    return extend(ET.Element(tag, given), *content)


def extend(parent: Element, *content: Content) -> Element:
    """Put more content into an element, and return it."""
    for part in content:
        if isinstance(part, str):
            _append_text(parent, part)
        elif part is not None:
            parent.append(part)
            if part.tag in _BLOCKS:
                part.tail = "\n"
    return parent


def write(root: Element) -> str:
    """Write a whole page; text and attributes are escaped."""
    return f"<!doctype html>\n{ET.tostring(root, encoding='unicode', method='html')}\n"


def _append_text(parent: Element, text: str) -> None:
    if len(parent):
        last = parent[-1]
        last.tail = (last.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
