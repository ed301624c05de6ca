"""Why a patch cannot be imported as it was asked for, and what to type instead."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from patchq.commands.import_origin import made_for
from patchq.commands.import_target import called
from patchq.errors import ApplyError, PatchqError, SeriesError, Where
from patchq.gitstore.partial import promisor_remote
from patchq.queue.prefixes import relocation
from patchq.queue.unfit import does_the_same, fits, is_there, missing_files, pinpoint

if TYPE_CHECKING:
    from patchq.commands.import_sources import Reading
    from patchq.commands.import_target import Target, Wish
    from patchq.commands.workspace import Workspace
    from patchq.model.patch import Patch
    from patchq.queue.adopt import Unfit


def refusal(workspace: Workspace, target: Target, wish: Wish, unfit: Unfit, reading: Reading) -> PatchqError:
    """Explain `unfit`, looking for the cause that a person can mend; `reading` is how names were made paths."""
    patch, where = unfit.patch, Where(patch=str(unfit.patch.name))
    place = f"{target.base.ref} ({target.base.commit[:12]})"
    twin = next((one for one in target.series.entries if does_the_same(one.patch, patch)), None)
    if twin is not None:
        name = twin.patch.name
        return SeriesError(
            f"the series has the same change already, as {name}", hint=f"patchq show {name}", where=where
        )
    missing = missing_files(patch, unfit.stack)
    options = _options(workspace, target, missing, reading) if missing else ""
    if options:
        first = missing[0].decode("utf-8", "replace")
        return ApplyError(
            f"{first} is not in {place}, but there is such a file elsewhere",
            hint=f"import it again with {options}",
            where=where,
        )
    if is_there(patch, unfit.stack):
        return ApplyError(
            f"{place} has this change already", hint=_elsewhere(workspace, target, wish, patch), where=where
        )
    error = pinpoint(patch, unfit.stack, unfit.error)
    if fits(patch, unfit.stack.below):
        hint = f"it fits {target.base.ref} without the patches before it: make it anew on top of those"
    else:
        hint = error.hint or _elsewhere(workspace, target, wish, patch)
    return ApplyError(f"{error.message} (on {place})", hint=hint, where=error.where)


def _options(workspace: Workspace, target: Target, missing: tuple[bytes, ...], reading: Reading) -> str:
    """Write the options with which all missing files would be found; empty where there is not one way to do so."""
    if promisor_remote(workspace.repo) is not None:
        return ""  # it would fetch every folder that is not here
    listed = workspace.repo.git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", target.base.tree)
    way = relocation([path.removeprefix(reading.prefix) for path in missing], frozenset(listed.split(b"\0")))
    if way is None:
        return ""
    if way.strip:
        return f"-p{reading.strip + way.strip}"
    return f"--prefix {shlex.quote(os.fsdecode(way.prefix))}"


def _elsewhere(workspace: Workspace, target: Target, wish: Wish, patch: Patch) -> str:
    """Say how to import it into a series of the upstream state that it was made for."""
    repo, span = workspace.repo, wish.span
    origin = called(repo, span.fork) if span is not None else made_for(repo, patch)
    option = "--onto" if target.series.entries else "--base"
    if origin is None or origin == target.series.ref:
        return f"if it was made for another upstream state, name that: {option} REF"
    carry = f", then patchq rebase {target.series.ref} --from {origin}" if target.series.entries else ""
    return f"it was made for {origin}: import it with {option} {origin}{carry}"
