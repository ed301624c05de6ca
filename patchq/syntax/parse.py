"""Text to tree by tree-sitter: error-tolerant, with byte spans, comments put where a reader sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from patchq.syntax.build import MAX_DEPTH, MAX_MEMBERS, Builder, Style, TooMuchError
from patchq.syntax.clip import Clips, out_of_reach, untouched
from patchq.syntax.identities import Identities
from patchq.syntax.node import Tree, Unread
from patchq.syntax.raw import raw_of
from patchq.syntax.reparse import Parses

if TYPE_CHECKING:
    import tree_sitter

    from patchq.syntax.languages import Language

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_MEMBERS", "Forest"]

# The largest source file of SGLang 0.5.23 has 0.5 MB. 4 MB take about 4 s and 400 MB; beyond is generated code.
MAX_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class Forest:
    """Trees whose identities compare with one another; it lives as long as one case."""

    _identities: Identities = field(default_factory=Identities)
    _trees: dict[tuple[bytes, str], Tree | Unread] = field(default_factory=dict)
    _parses: Parses = field(default_factory=Parses)
    _clips: Clips = field(default_factory=Clips)

    def settle(self, base: bytes, theirs: bytes, ours: bytes, language: Language) -> None:
        """Take what one case does not turn on as it is: trees that are made from now on do not go into it."""
        facts, sources = language.facts, (base, theirs, ours)
        if language.reader is None and facts.shape is None and all(len(source) <= MAX_BYTES for source in sources):
            trees = [self._parses.parse(source, language) for source in sources]
            roots = [tree.root_node for tree in trees if not isinstance(tree, Unread)]
            if len(roots) == len(sources):
                self._clips = Clips(untouched(roots, sources, facts), *out_of_reach(roots, sources, facts))

    def whole(self) -> Forest:
        """Make a forest whose trees are read everywhere; what the parser has found is shared."""
        return Forest(_parses=self._parses)

    def tree(self, source: bytes, language: Language) -> Tree | Unread:
        """Parse `source`, or return the tree from last time; `Unread` for what is too large or too deep."""
        key = (source, language.facts.name)
        if key not in self._trees:
            self._trees[key] = self._read(source, language)
        return self._trees[key]

    def _read(self, source: bytes, language: Language) -> Tree | Unread:
        if len(source) > MAX_BYTES:
            return Unread(f"{len(source):,} bytes are too many to read as {language.facts.name}")
        builder = Builder(source, Style.of(language.facts), self._identities, self._clips)
        if language.reader is not None:
            return Tree(builder.grow(language.reader(source)), language.facts)
        parsed = self._parses.parse(source, language)
        if isinstance(parsed, Unread):
            return parsed
        if language.facts.shape is not None:
            raw = raw_of(parsed, MAX_DEPTH)
            if raw is None:
                return Unread(f"nested more than {MAX_DEPTH} levels deep")
            return Tree(builder.grow(language.facts.shape(raw, source)), language.facts)
        root: tree_sitter.Node = parsed.root_node
        try:
            return Tree(builder.build(root), language.facts, partial(builder.stubs, root))
        except TooMuchError as found:
            return Unread(str(found))
