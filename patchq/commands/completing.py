"""What a shell completes behind the verbs: patches, and refs that have a series; quick, and never an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from patchq.commands.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from patchq.seriesstore.store import SeriesStore


class _Named(click.ParamType):  # type: ignore[type-arg]  # it takes arguments since click 8.2 only
    """A word that is taken as it is typed: what it means is for `queue/finding.py` to say."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click has it
        del param, ctx
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del param
        first, dots, typed = incomplete.rpartition("..")  # a range: its second end
        return [CompletionItem(first + dots + it) for it in self._known(ctx) if it.startswith(typed)]

    def _known(self, ctx: click.Context) -> Iterable[str]:
        # A half-typed command line may name no repository, no series, or a broken one: then nothing is offered.
        from patchq.commands.locating import series_root  # noqa: PLC0415 - git is asked only when a shell asks
        from patchq.errors import PatchqError  # noqa: PLC0415 - see above
        from patchq.gitstore.repository import Repository  # noqa: PLC0415 - see above
        from patchq.seriesstore.store import SeriesStore  # noqa: PLC0415 - see above

        session = ctx.obj if isinstance(ctx.obj, Session) else Session()
        try:
            repo = Repository.discover(session.repo_option)
            return self.names(SeriesStore(series_root(session, repo)), ctx)
        except (PatchqError, OSError):
            return ()

    def names(self, store: SeriesStore, ctx: click.Context) -> Iterable[str]:
        """Return what could be meant; may raise PatchqError and OSError."""
        raise NotImplementedError


class PatchParameter(_Named):
    """A patch of the series that `--ref` names, or of the current one."""

    name = "patch"

    def names(self, store: SeriesStore, ctx: click.Context) -> Iterable[str]:
        """Name the patches; none of them is read."""
        ref = ctx.params.get("ref") or store.manifest().current
        return [] if ref is None else map(str, store.names(ref))


class RetiredParameter(_Named):
    """A patch of the ledger."""

    name = "patch"

    def names(self, store: SeriesStore, ctx: click.Context) -> Iterable[str]:
        """Name the retired patches."""
        del ctx
        return dict.fromkeys(str(entry.name) for entry in store.ledger().entries)


class SeriesRefParameter(_Named):
    """A ref that has a series."""

    name = "ref"

    def names(self, store: SeriesStore, ctx: click.Context) -> Iterable[str]:
        """Name the folders' refs."""
        del ctx
        return store.refs()


PATCH = PatchParameter()
RETIRED = RetiredParameter()
SERIES_REF = SeriesRefParameter()
