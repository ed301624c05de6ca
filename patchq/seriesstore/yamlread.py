"""YAML bytes to plain data: bounded in size, depth and number of nodes, without aliases, tags or duplicate keys."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from patchq.errors import SeriesError, Where

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from yaml.error import YAMLError
    from yaml.events import CollectionStartEvent, Event, MappingStartEvent, NodeEvent, ScalarEvent, SequenceStartEvent

Path = tuple[str | int, ...]

MAX_DEPTH = 32
MAX_NODES = 500_000  # 0.4 s with libyaml, 6 s without; a record of 1,000 patches has 45,000
MAX_KEY = 512  # YAML stops looking for the colon of a plain `key:` after 1,024
_BINARY = "tag:yaml.org,2002:binary"
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Unquoted(str):
    """A scalar without quotes: text where the format wants text (`1.10` is a ref), else to be read by `resolve`."""

    __slots__ = ()


def parse(data: bytes, *, file: str) -> object:
    """Return the one document in `data` as dict, list and str; unquoted scalars are `Unquoted`.

    `!!binary` scalars become text with surrogateescape, the counterpart of `yamlwrite.dump`. Raises SeriesError with
    `file` and line for anything that is not such a document; building from the event stream (yaml.org, 1.1, chapter 3)
    keeps time and memory bounded whatever the bytes are.
    """
    return _build(data, _Builder(file))


def find_line(data: bytes, path: Path, *, file: str) -> int | None:
    """Return the line, from 1, of the value at `path` (or of the nearest one above it) in the document `data`."""
    builder = _Builder(file, lines={})
    _build(data, builder)
    lines = builder.lines or {}
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path)


def is_null(value: object) -> bool:
    """Whether `value` is YAML's null, written out or left empty."""
    return value is None or (isinstance(value, Unquoted) and value in _NULLS)


def resolve(value: object) -> object:
    """Return `value` with unquoted scalars read as YAML 1.1 does: null, truth values, numbers, else text."""
    match value:
        case Unquoted():
            return _resolve_scalar(value)
        case dict():
            return {str(key): resolve(item) for key, item in value.items()}
        case list():
            return [resolve(item) for item in value]
        case _:
            return value


def _resolve_scalar(text: Unquoted) -> object:
    yaml = _yaml()
    tag = str(yaml.resolver.Resolver().resolve(yaml.ScalarNode, str(text), (True, False)))
    kind = tag.removeprefix("tag:yaml.org,2002:")
    if kind not in {"null", "bool", "int", "float"}:
        return str(text)
    try:
        found: object = yaml.constructor.SafeConstructor().construct_object(yaml.ScalarNode(tag, str(text)))
    except ValueError:  # `0b_` looks like a number to the resolver, and 5,000 digits are more than int() takes
        return str(text)
    return found


def _yaml() -> ModuleType:
    """Import PyYAML only when YAML is read: it costs 53 ms, and a call that finds its JSON cache does without."""
    import yaml  # noqa: PLC0415 - see the docstring

    return yaml


def _line(event: Event) -> int:
    return 0 if event.start_mark is None else event.start_mark.line + 1


class _Builder:
    """Makes plain data of events; one instance a document."""

    def __init__(self, file: str, *, lines: dict[Path, int] | None = None) -> None:
        self.file = file
        self.lines = lines
        self.root: object = None
        self._stack: list[dict[str, object] | list[object]] = []
        self._keys: list[str | int] = []  # the key or index being filled, one per open container
        self._await_key: list[bool] = []
        self._documents = 0
        self._nodes = 0

    def error(self, message: str, event: Event) -> SeriesError:
        return SeriesError(message, where=Where(file=self.file, line=_line(event)))

    def scalar(self, event: ScalarEvent) -> None:
        text: str = event.value
        if event.tag is not None:
            if event.tag != _BINARY:
                raise self.error(f"the tag {event.tag[:80]!r} is not used in this format", event)
            try:
                text = base64.b64decode("".join(text.split()), validate=True).decode("utf-8", "surrogateescape")
            except (binascii.Error, ValueError) as error:
                raise self.error("is not base64", event) from error
        elif event.implicit[0]:
            text = Unquoted(text)
        self._add(text, event)

    def open_mapping(self, event: MappingStartEvent) -> None:
        self._open({}, event)
        self._await_key.append(True)

    def open_sequence(self, event: SequenceStartEvent) -> None:
        self._open([], event)
        self._await_key.append(False)

    def close(self, _event: Event) -> None:
        self._stack.pop()
        self._keys.pop()
        self._await_key.pop()

    def open_document(self, event: Event) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self.error("a second document starts here", event)

    def alias(self, event: Event) -> None:
        raise self.error("anchors and aliases are not used in this format", event)

    def _open(self, container: dict[str, object] | list[object], event: CollectionStartEvent) -> None:
        if event.tag is not None:
            raise self.error(f"the tag {event.tag[:80]!r} is not used in this format", event)
        if len(self._stack) >= MAX_DEPTH:
            raise self.error(f"is nested deeper than {MAX_DEPTH} levels", event)
        self._add(container, event)
        self._stack.append(container)
        self._keys.append(-1)

    def _add(self, value: object, event: NodeEvent) -> None:
        """Put `value` where the document is being filled: as root, list item, key or value."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self.error(f"has more than {MAX_NODES} values", event)
        if event.anchor is not None:
            self.alias(event)
        if not self._stack:
            self.root = value
        elif isinstance(top := self._stack[-1], list):
            self._keys[-1] = len(top)
            top.append(value)
        elif self._await_key[-1]:
            self._key(value, top, event)
        else:
            top[str(self._keys[-1])] = value
            self._await_key[-1] = True
        if self.lines is not None:  # a value below its key is told by the key's line
            self.lines.setdefault(tuple(self._keys), _line(event))

    def _key(self, value: object, top: dict[str, object], event: Event) -> None:
        if not isinstance(value, str) or len(value) > MAX_KEY:
            raise self.error(f"a key must be text of at most {MAX_KEY} characters", event)
        key = str(value)
        if key in top:
            raise self.error(f"the key {key[:80]!r} is given twice", event)
        self._keys[-1] = key
        self._await_key[-1] = False


def _build(data: bytes, builder: _Builder) -> object:
    yaml = _yaml()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SeriesError("is not UTF-8", where=Where(file=builder.file, line=line)) from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    handlers: dict[type[Event], Callable[[Any], None]] = {
        yaml.ScalarEvent: builder.scalar,
        yaml.MappingStartEvent: builder.open_mapping,
        yaml.MappingEndEvent: builder.close,
        yaml.SequenceStartEvent: builder.open_sequence,
        yaml.SequenceEndEvent: builder.close,
        yaml.DocumentStartEvent: builder.open_document,
        yaml.AliasEvent: builder.alias,
    }
    try:
        for event in yaml.parse(text, Loader=loader):
            if handler := handlers.get(type(event)):
                handler(event)
    except yaml.YAMLError as error:
        raise _syntax_error(error, builder.file) from error
    return builder.root


def _syntax_error(error: YAMLError, file: str) -> SeriesError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "context", None) or str(error).splitlines()[0]
    return SeriesError(f"is not YAML: {problem}", where=Where(file=file, line=None if mark is None else mark.line + 1))
