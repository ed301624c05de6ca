from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from patchq.model.attempt import Case
from patchq.model.judgement import Need
from patchq.model.verdict import AbsorbedHow
from patchq.reapply.pieces import find, look_for, pieces
from patchq.reapply.summing import summed

if TYPE_CHECKING:
    from patchq.model.judgement import EditFinding

BASE = b"""import os

SIZES = {
    9: [2, 4],
    10: [6, 8],
}


def load(path, mode):
    data = read_file(path)
    check(data)
    return parse(data, mode)


def store(path, value):
    text = render(value)
    write_file(path, text)
"""


def looked(theirs: bytes, ours: bytes, base: bytes = BASE, path: bytes = b"m.py") -> tuple[EditFinding, ...]:
    return find(pieces(Case(path=path, ours_path=path, base=base, theirs=theirs, ours=ours)), ours)


def word(theirs: bytes, ours: bytes, base: bytes = BASE, path: bytes = b"m.py") -> Need:
    cut = pieces(Case(path=path, ours_path=path, base=base, theirs=theirs, ours=ours))
    return summed([look.standing for look in look_for(cut, ours)])


GUARDED = BASE.replace(
    b"    check(data)\n", b"    if data.stale:\n        data = refresh_cache(path)\n    check(data)\n"
)


def test_an_edit_alone_is_the_case_with_that_edit_only() -> None:
    theirs = GUARDED.replace(b"render(value)", b"render(value, indent=2)")
    cut = pieces(Case(path=b"m.py", ours_path=b"m.py", base=BASE, theirs=theirs, ours=BASE))
    assert [cut.alone(piece).theirs for piece in cut.edits] == [
        GUARDED,
        BASE.replace(b"render(value)", b"render(value, indent=2)"),
    ]


def test_the_line_and_the_reason_are_told() -> None:
    ours = GUARDED.replace(b"import os\n", b"import os\nimport sys\n")
    (found,) = looked(GUARDED, ours)
    assert (found.need, found.how, found.line) == (Need.ABSORBED, AbsorbedHow.HUNKS, 12)
    assert found.anchor.startswith("m.py::")
    assert found.reason == "the same lines are there"


def test_other_quotes_and_line_breaks_are_the_same() -> None:
    theirs = BASE.replace(b"parse(data, mode)", b"parse(data, mode, 'strict', fallback_parser)")
    ours = BASE.replace(
        b"parse(data, mode)",
        b'parse(\n        data,\n        mode,\n        "strict",\n        fallback_parser,\n    )',
    )
    (found,) = looked(theirs, ours)
    assert (found.need, found.how) == (Need.ABSORBED, AbsorbedHow.SYNTAX)


def test_absorbed_and_then_modified_is_absorbed() -> None:
    ours = GUARDED.replace(b"refresh_cache(path)", b"refresh_cache(path, timeout=30)")
    assert word(GUARDED, ours) is Need.ABSORBED


def test_a_line_that_upstream_changed_elsewhere_leaves_the_edit_needed() -> None:
    theirs = BASE.replace(b"parse(data, mode)", b"parse(data, mode, fallback_parser)")
    ours = BASE.replace(b"    return parse(data, mode)", b"    return parse(data, mode).tree")
    assert word(theirs, ours) is Need.NEEDED


def test_behind_a_condition_of_upstream_it_is_superseded() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n    warm_up_cache(path)\n")
    ours = BASE.replace(b"    check(data)\n", b"    check(data)\n    if has_device(10):\n        warm_up_cache(path)\n")
    (found,) = looked(theirs, ours)
    assert found.need is Need.SUPERSEDED
    assert "if has_device(10):" in found.reason


def test_behind_a_condition_that_the_patch_has_too_it_is_absorbed() -> None:
    assert word(GUARDED, GUARDED.replace(b"import os", b"import sys")) is Need.ABSORBED


def test_behind_an_ifdef_of_upstream_it_is_superseded() -> None:
    base = b"int a(void)\n{\n    start();\n    stop();\n}\n"
    theirs = base.replace(b"    stop", b"    enable_fast_path(12);\n    stop")
    ours = base.replace(b"    stop", b"#if CUDA_ARCH == 10\n    enable_fast_path(12);\n#endif\n    stop")
    assert [one.need for one in looked(theirs, ours, base, b"a.c")] == [Need.SUPERSEDED]


def test_the_same_place_with_another_value_is_superseded() -> None:
    theirs = BASE.replace(b"10: [6, 8]", b"10: [16, 18]")
    ours = BASE.replace(b"10: [6, 8]", b"10: [26, 28]")
    (found,) = looked(theirs, ours)
    assert found.need in {Need.SUPERSEDED, Need.UNKNOWN}
    assert word(theirs, ours) not in {Need.ABSORBED, Need.NEEDED, Need.PARTIAL}


def test_a_twin_that_upstream_changed_is_not_the_place() -> None:
    body = b"    lens = batch.lens + 1\n    rows = compute_rows(batch)\n    return lens, rows\n"
    base = b"def extend(batch):\n" + body + b"\n\ndef decode(batch):\n" + body
    masked = body.replace(b"(batch)", b"(batch, mask)")
    theirs = base.replace(body, masked, 1)
    ours = base[: len(base) - len(body)] + masked
    assert word(theirs, ours, base) is Need.NEEDED
    assert word(theirs, base[base.index(b"def decode") :], base) is Need.SUPERSEDED


def test_a_key_with_more_in_its_value_is_superseded() -> None:
    theirs = BASE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [6, 8],\n")
    ours = BASE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: [4, 6, 8],\n")
    assert [one.need for one in looked(theirs, ours)] == [Need.SUPERSEDED]
    assert word(theirs, ours) is Need.SUPERSEDED


def test_a_method_that_stands_in_another_class_is_needed_in_this_one() -> None:
    base = b"class A:\n    def one(self):\n        return 1\n\n\nclass B:\n    pass\n"
    method = b"\n    def capability(self, device):\n        return self.table[device.major]\n"
    theirs = base.replace(b"        return 1\n", b"        return 1\n" + method)
    assert word(theirs, base + method, base) is Need.NEEDED


def test_a_removal_whose_surroundings_are_gone_is_orphaned() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"")
    ours = BASE[: BASE.index(b"def load")] + BASE[BASE.index(b"def store") :]
    (found,) = looked(theirs, ours)
    assert found.need is Need.ORPHANED
    assert word(theirs, ours) is Need.ORPHANED


def test_a_removal_that_upstream_has_made_too_is_absorbed() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"")
    assert word(theirs, theirs.replace(b"import os", b"import sys")) is Need.ABSORBED


def test_a_member_at_another_place_of_its_list_is_absorbed() -> None:
    theirs = BASE.replace(b"    10: [6, 8],\n", b"    10: [6, 8],\n    12: make_sizes(device_count),\n")
    ours = BASE.replace(b"    9: [2, 4],\n", b"    12: make_sizes(device_count),\n    9: [2, 4],\n")
    (found,) = looked(theirs, ours)
    assert (found.need, found.line) == (Need.ABSORBED, 4)


def test_an_import_that_ours_has_in_another_form_says_nothing() -> None:
    theirs = GUARDED.replace(b"import os\n", b"import os\nfrom cache import refresh_cache\n")
    ours = GUARDED.replace(b"import os\n", b"import os\nfrom cache import (\n    Cache,\n    refresh_cache,\n)\n")
    first, second = looked(theirs, ours)
    assert (first.need, second.need) == (Need.UNKNOWN, Need.ABSORBED)
    assert word(theirs, ours) is Need.ABSORBED


def test_an_import_that_ours_lacks_is_needed() -> None:
    theirs = GUARDED.replace(b"import os\n", b"import os\nfrom cache import refresh_cache\n")
    first, second = looked(theirs, GUARDED.replace(b"import os\n", b"import sys\n"))
    assert (first.need, second.need) == (Need.NEEDED, Need.ABSORBED)


CALLS = b"""import os


class Cache:
    pass


def load(path):
    data = read_file(path)
    check(data)
    audit(data)
    return parse(data)
"""
LOGS = (
    CALLS.replace(b"import os\n", b"import logging\nimport os\n")
    .replace(b"    check(data)\n", b"    logging.debug('loaded %s', path)\n    check(data)\n")
    .replace(b"    return parse", b"    size = measure_size(data)\n    return parse")
)


def test_an_import_that_went_with_its_last_use_is_not_missed() -> None:
    ours = LOGS.replace(b"import logging\n", b"").replace(b"logging.debug('loaded %s', path)", b"trace(path)")
    looks = looked(LOGS, ours, CALLS)
    assert looks[0].need is Need.UNKNOWN
    assert looks[0].reason == "nothing uses there what it imports"


def test_an_import_that_upstream_has_at_another_place_is_not_missed() -> None:
    moved = LOGS.replace(b"import logging\n", b"").replace(b"class Cache", b"import logging\n\n\nclass Cache")
    assert [one.need for one in looked(LOGS, moved, CALLS)] == [Need.UNKNOWN, Need.ABSORBED, Need.ABSORBED]
    assert word(LOGS, moved, CALLS) is Need.ABSORBED


def test_a_name_that_a_package_only_gives_on_is_missed() -> None:
    base = b"from .one import first\n\nLIMIT = 8\n__all__ = [\n    'first',\n]\n"
    theirs = base.replace(b"LIMIT", b"from .two import second\n\nLIMIT").replace(b"]\n", b"    'second',\n]\n")
    ours = base.replace(b"]\n", b"    'second',\n]\n")
    assert word(theirs, ours, base) is Need.PARTIAL
    bare = base.replace(b"LIMIT = 8\n", b"from .two import second\n\nLIMIT = 8\nTABLE = size_of(16)\n")
    assert word(bare, base.replace(b"LIMIT = 8\n", b"LIMIT = 8\nTABLE = size_of(16)\n"), base) is Need.PARTIAL


def test_most_of_it_without_one_line_is_not_absorbed() -> None:
    added = b"".join(b"    step_%d(value, option_%d)\n" % (k, k) for k in range(12))
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n" + added)
    ours = theirs.replace(b"    step_5(value, option_5)\n", b"")
    (found,) = looked(theirs, ours)
    assert found.need is Need.UNKNOWN
    assert "step_5" in found.reason


def test_white_space_alone_is_compared_byte_by_byte() -> None:
    theirs = BASE.replace(b"    check(data)", b"    check(data)  ")
    assert word(theirs, theirs.replace(b"import os", b"import sys")) is Need.ABSORBED
    assert word(theirs, BASE.replace(b"import os", b"import sys")) is Need.NEEDED


LINES = st.lists(st.integers(0, 60).map(lambda n: b"word_%d = other_%d\n" % (n, n * 7)), min_size=4, max_size=40)


def changed(lines: list[bytes], seed: int) -> bytes:
    """Replace, remove or add some lines, never two side by side."""
    draw = random.Random(seed)  # noqa: S311 - it makes texts, no secrets
    out: list[bytes] = []
    for at, line in enumerate(lines):
        kind = draw.randrange(12) if at % 3 == 1 else 9
        out += {0: [], 1: [b"fresh_%d()\n" % at], 2: [line, b"added_%d(seed_%d)\n" % (at, seed)]}.get(kind, [line])
    return b"".join(out)


@settings(max_examples=60, deadline=None)
@given(LINES, st.integers(0, 10**6))
def test_a_patch_is_absorbed_where_it_was_applied_and_needed_where_not(lines: list[bytes], seed: int) -> None:
    base = b"".join(lines)
    theirs = changed(lines, seed)
    if theirs == base:
        return
    assert word(theirs, theirs, base, b"notes.txt") is Need.ABSORBED
    assert word(theirs, base, base, b"notes.txt") is Need.NEEDED
    # An edit of upstream's own far from it changes nothing.
    for ours, expected in ((theirs, Need.ABSORBED), (base, Need.NEEDED)):
        assert word(theirs, b"# upstream\n" + ours, base, b"notes.txt") is expected


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_some_of_its_edits_are_partial(seed: int) -> None:
    lines = [b"line_%d = value_%d\n" % (k, k * k) for k in range(30)]
    theirs = changed(lines, seed)
    cut = pieces(Case(path=b"n.txt", ours_path=b"n.txt", base=b"".join(lines), theirs=theirs, ours=b""))
    if len(cut.edits) < 2:
        return
    some = cut.alone(cut.edits[seed % len(cut.edits)]).theirs
    found = look_for(cut, some)
    assert summed([look.standing for look in found]) is Need.PARTIAL
    absorbed = [at for at, look in enumerate(found) if look.finding.need is Need.ABSORBED]
    assert absorbed == [seed % len(cut.edits)]


C = b"""static int check(int a, int b)
{
    int r = a;
    return r;
}

static int verify(int a, int b)
{
    int r = a;
    return r;
}
"""
ZERO = b"    if (b == 0)\n        return -1;\n"


def test_a_twin_behind_a_bracket_of_its_own_line_is_another_place() -> None:
    at = b"    int r = a;\n"
    theirs = C.replace(at, at + ZERO, 1)
    ours = C[: C.index(b"static int verify")] + C[C.index(b"static int verify") :].replace(at, at + ZERO)
    assert word(theirs, ours, C, b"m.c") is Need.NEEDED


def test_the_same_key_in_another_section_is_needed() -> None:
    toml = b"[a]\nx = 1\n\n[b]\nx = 1\n"
    assert word(toml.replace(b"1\n", b"1\ny = 2\n", 1), toml + b"y = 2\n", toml, b"d.toml") is Need.NEEDED
    yaml = b"web:\n  env:\n    MODE: p\nbg:\n  env:\n    MODE: p\n"
    theirs = yaml.replace(b"p\n", b"p\n    DEBUG: no\n", 1)
    assert word(theirs, yaml + b"    DEBUG: no\n", yaml, b"c.yaml") is Need.NEEDED


def test_what_stands_in_a_string_or_a_comment_is_not_there() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n    warm_up_cache(path)\n")
    said = b'    """Load.\n\n    check(data)\n    warm_up_cache(path)\n    return parse(data, mode)\n    """\n'
    assert word(theirs, BASE.replace(b"mode):\n", b"mode):\n" + said)) is not Need.ABSORBED
    commented = C.replace(b"    int r = a;\n", b"    int r = a;\n    /*\n" + ZERO + b"    */\n", 1)
    made = C.replace(b"    int r = a;\n", b"    int r = a;\n" + ZERO, 1)
    assert word(made, commented, C, b"m.c") is not Need.ABSORBED
    bash = b"build() {\n  make -j4\n  make check\n}\nbuild\n"
    heredoc = bash.replace(b"check\n", b"check\n  cat <<EOF\n  make install\nEOF\n")
    assert word(bash.replace(b"check\n", b"check\n  make install\n"), heredoc, bash, b"r.sh") is not Need.ABSORBED


def test_what_a_nested_function_or_a_handler_has_is_not_there() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n    warm_up_cache(path)\n")
    for opening in (b"    def inner():\n", b"    try:\n        pass\n    except TypeError:\n"):
        ours = BASE.replace(b"    check(data)\n", b"    check(data)\n" + opening + b"        warm_up_cache(path)\n")
        (found,) = looked(theirs, ours)
        assert found.need is Need.SUPERSEDED
        assert opening.splitlines()[-1].strip().decode() in found.reason


def test_a_comment_that_begins_with_if_is_no_condition() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n    warm_up_cache(path)\n")
    assert word(theirs, theirs.replace(b"import os\n", b"import os\n\n# if it is stale\n")) is Need.ABSORBED


def test_an_import_that_upstream_needs_itself_is_no_half() -> None:
    ours = CALLS.replace(b"import os\n", b"import logging\nimport os\n") + b"\n\nlogging.captureWarnings(True)\n"
    assert word(LOGS, ours, CALLS) is Need.NEEDED
    assert word(LOGS, CALLS.replace(b"import os\n", b"import logging\nimport os\n"), CALLS) is Need.PARTIAL


def test_what_differs_in_an_operator_or_a_number_only_is_superseded() -> None:
    at = b"    int r = a;\n"
    theirs = C.replace(at, at + ZERO, 1)
    assert word(theirs, theirs.replace(b"b == 0", b"b != 0"), C, b"m.c") is Need.SUPERSEDED
    page = b"# Use\n\nRun it.\n"
    said = page + b"\nSet `X_DEBUG=1` to see what it does with the cache.\n"
    assert word(said, said.replace(b"=1", b"=0"), page, b"R.md") is not Need.ABSORBED


def test_what_a_nested_function_has_that_is_called_is_there() -> None:
    theirs = BASE.replace(b"    check(data)\n", b"    check(data)\n    warm_up_cache(path)\n")
    nested = b"    check(data)\n    def inner():\n        warm_up_cache(path)\n    run_in_thread(inner)\n"
    assert word(theirs, BASE.replace(b"    check(data)\n", nested)) is Need.ABSORBED
