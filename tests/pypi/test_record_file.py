from __future__ import annotations

import pytest

from patchq.errors import ReleaseError
from patchq.pypi.record_file import updated_record
from tests.site import row_of

OWN = "p-1.dist-info/RECORD"
RECORD = b'p/a.py,sha256=x,1\r\n"p/a,b.py",sha256=y,2\r\np/__pycache__/a.pyc,,\r\n../../bin/p,sha256=z,3\r\n'


def test_rows_of_changed_files_are_new_and_all_others_keep_their_bytes() -> None:
    record = RECORD + f"{OWN},,\r\n".encode()
    made = updated_record(record, OWN, {"p/a,b.py": b"hello", "p/new.py": b"", "p/a.py": None})
    hello, new = row_of("p/a,b.py", b"hello"), row_of("p/new.py", b"")
    assert made.decode().split("\r\n") == [
        f'"p/a,b.py",{hello[1]},5',
        "p/__pycache__/a.pyc,,",
        "../../bin/p,sha256=z,3",
        f"p/new.py,{new[1]},0",
        f"{OWN},,",
        "",
    ]
    assert updated_record(record, OWN, {}) == record


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ReleaseError, match="RECORD cannot be read"):
        updated_record(b"\xff", OWN, {})
