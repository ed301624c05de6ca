"""`record.yaml`: what patchq found out about each patch when it last carried it, for people and for `verify`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from patchq.errors import SeriesError
from patchq.model.anchor import Fact
from patchq.model.judgement import UpstreamCommit
from patchq.model.names import PatchName
from patchq.model.patch import GitDate
from patchq.model.series import SCHEMA, FileRecord, PatchRecord, Record
from patchq.model.verdict import ReviewClass, Rung, Verdict
from patchq.seriesstore.fields import Block, Document
from patchq.seriesstore.yamlread import is_null, parse
from patchq.seriesstore.yamlwrite import dump

if TYPE_CHECKING:
    from patchq.model.series import RefPoint

_KEYS = ("base", "carried_from", "branch", "branch_commit", "retired", "patches")
_KEPT = ("name", "verdict", "rung", "class", "origin", "made_for", "digest", "evidence", "notes")
PATCH_KEYS = (*_KEPT, "landed_in", "files")
COMMIT_KEYS = ("commit", "subject", "author_date", "pull_request")
FILE_KEYS = ("path", "old_path", "verdict", "rung", "evidence", "absorbed_edits", "facts")
FACT_KEYS = ("anchor", "holds", "lacks")
_DATE = re.compile(r"(-?[0-9]{1,18}) ([+-][0-9]{4})")
_COMMENT = "written by patchq when it carries this series; edits here are overwritten"


def read_record(data: bytes, *, file: str) -> Record:
    """Return the record in `data`; SeriesError with file, line and field where it is not one."""
    return record_of(parse(data, file=file), Document(file, data))


def write_record(record: Record) -> bytes:
    """Return the file for `record`."""
    return dump(plain_record(record), comment=_COMMENT)


def record_copy(folder: str) -> str:
    """Name the copy in the cache of the record in `folder` (its name below the root of the series)."""
    return f"record-{folder}.json"


def record_of(value: object, document: Document) -> Record:
    """Return the record in plain data."""
    block = Block.top(document, value, _KEYS)
    base = block.ref_point("base")
    patches = tuple(_patch(item, base) for item in block.blocks("patches", PATCH_KEYS))
    seen: set[PatchName] = set()
    for index, patch in enumerate(patches):
        if patch.name in seen:
            raise document.error(("patches", index, "name"), f"{patch.name} is recorded twice")
        seen.add(patch.name)
    return Record(
        base=base,
        branch=block.text_or_none("branch"),
        branch_commit=block.object_id_or_none("branch_commit"),
        patches=patches,
        carried_from=block.ref_point_or_none("carried_from"),
        retired=_retired(block),
    )


def _retired(block: Block) -> tuple[PatchName, ...] | None:
    if is_null(block.values.get("retired")):
        return None
    found = []
    for index, text in enumerate(block.texts("retired")):
        try:
            found.append(PatchName(text))
        except SeriesError as error:
            raise block.document.error(("retired", index), error.message, hint=error.hint) from error
    return tuple(found)


def plain_record(record: Record) -> dict[str, object]:
    """Return the record as plain data in the order of the file; what is empty is left out."""
    came_from = {} if record.carried_from is None else {"carried_from": plain_ref_point(record.carried_from)}
    retired = {} if record.retired is None else {"retired": [name.value for name in record.retired]}
    return {
        "schema": SCHEMA,
        "base": plain_ref_point(record.base),
        **came_from,
        "branch": record.branch,
        "branch_commit": record.branch_commit,
        **retired,
        "patches": [_plain_patch(patch, record.base) for patch in record.patches],
    }


def plain_ref_point(point: RefPoint) -> dict[str, object]:
    """Return a ref point as plain data."""
    return {"ref": point.ref, "commit": point.commit, "tree": point.tree}


def patch_name(block: Block, key: str) -> PatchName:
    """Read a patch name, with the place in the message where it is not legal."""
    text = block.text(key)
    try:
        return PatchName(text)
    except SeriesError as error:
        raise block.error(key, error.message, hint=error.hint) from error


def _patch(block: Block, base: RefPoint) -> PatchRecord:
    return PatchRecord(
        name=patch_name(block, "name"),
        verdict=block.choice("verdict", Verdict),
        rung=block.choice_or_none("rung", Rung),
        review=block.choice_or_none("class", ReviewClass),
        digest=block.text("digest"),
        made_for=block.ref_point("made_for") if "made_for" in block.values else base,
        origin=block.text_or_none("origin") or "",
        evidence=block.text_or_none("evidence") or "",
        notes=block.texts("notes"),
        landed_in=tuple(_commit(item) for item in block.blocks("landed_in", COMMIT_KEYS)),
        files=tuple(_file(item) for item in block.blocks("files", FILE_KEYS)),
    )


def _commit(block: Block) -> UpstreamCommit:
    commit, date = block.object_id_or_none("commit"), _DATE.fullmatch(block.text("author_date"))
    if commit is None:
        raise block.error("commit", "is missing")
    if date is None:
        raise block.error("author_date", "is not seconds since 1970 and an offset, as in '1700000000 +0000'")
    return UpstreamCommit(
        commit=commit,
        subject=block.text_or_none("subject") or "",
        date=GitDate(int(date[1]), date[2]),
        pull_request=block.integer_or_none("pull_request"),
    )


def _plain_commit(commit: UpstreamCommit) -> dict[str, object]:
    return _filled(
        {
            "commit": commit.commit,
            "subject": commit.subject,
            "author_date": f"{commit.date.seconds} {commit.date.offset}",
            "pull_request": commit.pull_request,
        }
    )


def _file(block: Block) -> FileRecord:
    return FileRecord(
        path=block.text("path"),
        old_path=block.text_or_none("old_path"),
        verdict=block.choice("verdict", Verdict),
        rung=block.choice_or_none("rung", Rung),
        evidence=block.text_or_none("evidence") or "",
        absorbed_edits=block.texts("absorbed_edits"),
        facts=tuple(
            Fact(anchor=item.text("anchor"), holds=item.texts("holds"), lacks=item.texts("lacks"))
            for item in block.blocks("facts", FACT_KEYS)
        ),
    )


def _plain_patch(patch: PatchRecord, base: RefPoint) -> dict[str, object]:
    return _filled(
        {
            "name": patch.name.value,
            "verdict": patch.verdict.value,
            "rung": patch.rung and patch.rung.value,
            "class": patch.review and patch.review.value,
            "origin": patch.origin,
            "made_for": None if patch.made_for == base else plain_ref_point(patch.made_for),
            "digest": patch.digest,
            "evidence": patch.evidence,
            "notes": list(patch.notes),
            "landed_in": [_plain_commit(commit) for commit in patch.landed_in],
            "files": [_plain_file(file) for file in patch.files],
        }
    )


def _plain_file(file: FileRecord) -> dict[str, object]:
    return _filled(
        {
            "path": file.path,
            "old_path": file.old_path,
            "verdict": file.verdict.value,
            "rung": file.rung and file.rung.value,
            "evidence": file.evidence,
            "absorbed_edits": list(file.absorbed_edits),
            "facts": [
                _filled({"anchor": fact.anchor, "holds": list(fact.holds), "lacks": list(fact.lacks)})
                for fact in file.facts
            ],
        }
    )


def _filled(values: dict[str, object]) -> dict[str, object]:
    """Leave out what is None or empty: a record is read by people."""
    return {key: value for key, value in values.items() if value not in (None, "", [])}
