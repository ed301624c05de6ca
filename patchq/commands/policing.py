"""What the policies of a series mean for one upstream state: who is needed there, and who stays away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patchq.errors import PatchFormatError, SeriesError, Where
from patchq.gitstore.release_tags import contained_tags, own_tag
from patchq.model.policy import Need, Policy, Ruling
from patchq.model.series import Standing
from patchq.model.verdict import Verdict
from patchq.model.verification import Demand
from patchq.patchfile.policy import parse_policy, read_need
from patchq.queue.conditions import Standpoint, highest, ruling_of, version_of
from patchq.seriesstore.layout import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from patchq.commands.workspace import Workspace
    from patchq.gitstore.repository import Repository
    from patchq.model.names import PatchName
    from patchq.model.patch import Patch
    from patchq.model.series import RefPoint, Series
    from patchq.seriesstore.store import SeriesStore

DEFAULT = "default"


def rulings_for(workspace: Workspace, series: Series, onto: RefPoint, ref: str) -> Callable[[Patch], Ruling]:
    """Return what each patch's policy means on `onto`, whose folder is `ref`.

    Those of the series are read at once: PatchFormatError, with file and line, for one that is malformed. Tags
    are asked for only if some condition has to be judged.
    """
    need = default_need(workspace.store)
    known: list[Standpoint] = []

    def ruling(patch: Patch, file: str | None = None) -> Ruling:
        policy = parse_policy(patch.message, file=file or patch.name.file_name, head=patch.raw, need=need)
        if policy.condition and not known:
            known.append(standpoint(workspace.repo, onto))
        return ruling_of(policy, ref, known[0] if known else Standpoint(None))

    folder = workspace.folder(series.ref)
    rulings = {
        entry.patch.name: ruling(entry.patch, f"{folder}/{entry.patch.name.file_name}") for entry in series.entries
    }
    return lambda patch: rulings.get(patch.name) or ruling(patch)


def standpoint(repo: Repository, point: RefPoint) -> Standpoint:
    """Find the version that an upstream state counts as: its own tag's, else the highest that it contains."""
    tag = own_tag(repo, point)
    version = None if tag is None else version_of(tag)
    return highest(contained_tags(repo, point.commit)) if version is None else Standpoint(version, tag)


def default_need(store: SeriesStore) -> Need:
    """Read `policy: {default: required|optional}` of patchq.yaml; SeriesError for another value."""
    said = store.manifest().policy.get(DEFAULT)
    need = read_need(said) if isinstance(said, str) else None
    if said is not None and need is None:
        where = Where(file=str(store.root / MANIFEST), field=f"policy.{DEFAULT}")
        raise SeriesError(f"{said!r} is no policy", hint="write `policy: {default: required}` or optional", where=where)
    return need or Need.USUAL


def demand_of(patch: Patch, need: Need) -> Demand:
    """Say whether a tree has to have `patch`; `need` is for one that does not say.

    PatchFormatError for a policy that is malformed.
    """
    policy = parse_policy(patch.message, file=patch.name.file_name, head=patch.raw, need=need)
    return Demand.OPTIONAL if policy.need is Need.OPTIONAL else Demand.REQUIRED


def policies_of(workspace: Workspace, series: Series) -> Mapping[PatchName, Policy | PatchFormatError]:
    """Read the policy of each patch for a listing, which goes on where one is malformed."""
    need, folder = default_need(workspace.store), workspace.folder(series.ref)
    found: dict[PatchName, Policy | PatchFormatError] = {}
    for entry in series.entries:
        patch = entry.patch
        try:
            found[patch.name] = parse_policy(
                patch.message, file=f"{folder}/{patch.name.file_name}", head=patch.raw, need=need
            )
        except PatchFormatError as error:
            found[patch.name] = error
    return found


def turned(
    workspace: Workspace, series: Series, policies: Mapping[PatchName, Policy | PatchFormatError]
) -> Mapping[PatchName, str]:
    """Tell of patches whose condition has another answer now than when the series was carried: the next rebase acts."""
    record = series.record
    asked = {name: it for name, it in policies.items() if isinstance(it, Policy) and it.condition}
    base = workspace.find(record.base) if asked and record is not None else None
    if base is None or record is None:
        return {}
    at, told = standpoint(workspace.repo, base), {}
    for entry in series.entries:
        name = entry.patch.name
        known = record.find(name)
        if name not in asked or known is None:
            continue
        guard = ruling_of(asked[name], series.ref, at).guard
        if guard and entry.standing is Standing.CARRIED:
            told[name] = f"its condition does not hold: the next rebase leaves it out ({guard})"
        elif not guard and known.verdict is Verdict.GUARDED:
            told[name] = "its condition holds now: the next rebase carries it"
    return told


def left_open(series: Series, policies: Mapping[PatchName, Policy | PatchFormatError]) -> bool:
    """Whether a patch that is not carried waits for a person: neither its condition nor its policy lets it rest."""
    record = series.record
    for entry in series.entries:
        name, policy = entry.patch.name, policies.get(entry.patch.name)
        known = None if record is None else record.find(name)
        guarded = known is not None and known.verdict is Verdict.GUARDED
        optional = isinstance(policy, Policy) and policy.need is Need.OPTIONAL
        if entry.standing is Standing.NOT_CARRIED and not guarded and not optional:
            return True
    return False
