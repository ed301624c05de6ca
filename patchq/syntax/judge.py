"""A language's own parser as the second judge: tree-sitter accepts more than the language does."""

from __future__ import annotations

import builtins
import symtable
import warnings
from dataclasses import dataclass
from importlib.util import decode_source
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Bound in every module by the interpreter (Python reference, "import-related attributes on module objects").
_MODULE_NAMES = frozenset(
    {
        "__annotations__",
        "__builtins__",
        "__debug__",
        "__doc__",
        "__file__",
        "__loader__",
        "__name__",
        "__package__",
        "__path__",
        "__spec__",
    }
)
_ALWAYS_BOUND = _MODULE_NAMES | frozenset(dir(builtins)) | {"__class__", "__module__", "__qualname__"}


@dataclass(frozen=True, slots=True)
class Accepted:
    """The language's parser takes the text; `unbound` are the names that the text uses and nothing in it binds.

    None for a language without names to look up.
    """

    unbound: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """The language's parser does not take the text."""

    reason: str


Judgement = Accepted | Rejected


def judge_python(source: bytes) -> Judgement:
    """Ask CPython's compiler, up to its symbol tables: syntax, duplicate parameters, misplaced `nonlocal` and the like.

    Nothing is executed. The grammar is that of the running interpreter, so a text for a newer Python is rejected here
    although nothing is wrong with it: compare judgements of several texts, do not trust one.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are upstream's business
            table = symtable.symtable(decode_source(source), "<text>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return Rejected(f"{getattr(error, 'msg', error)}" + (f" (line {line})" if line else ""))
    return Accepted(_unbound(table))


def _unbound(module: symtable.SymbolTable) -> frozenset[str]:
    bound = {symbol.get_name() for symbol in _symbols(module) if _binds(symbol)}
    used: set[str] = set()
    tables = [module]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        for symbol in _symbols(table):
            at_module = table is module or symbol.is_global()
            if at_module and symbol.is_referenced():
                used.add(symbol.get_name())
            if table is not module and symbol.is_declared_global() and symbol.is_assigned():
                bound.add(symbol.get_name())
    return frozenset(used - bound - _ALWAYS_BOUND)


def _symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """Yield what `get_symbols` does, without its search through all inner tables for each name.

    That takes the product of names and functions: 8 s for a module of 14,000 functions.
    """
    inner = table._table  # type: ignore[attr-defined]  # noqa: SLF001 - there is no public way past the search
    for name, flags in inner.symbols.items():
        yield symtable.Symbol(name, flags, None, module_scope=table.get_type() == "module")


def _binds(symbol: symtable.Symbol) -> bool:
    # Functions and classes are assigned to their names, too.
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_parameter()
