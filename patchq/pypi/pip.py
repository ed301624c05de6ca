"""Releases fetched by pip, the user's own and with its configuration, and never built or executed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from packaging.tags import Tag

from patchq.errors import NetworkError, PatchqError, ReleaseError
from patchq.pypi.bounds import amount
from patchq.pypi.direct import fetch_sdist
from patchq.pypi.findings import Findings, read_log
from patchq.pypi.pin import identify
from patchq.pypi.wheels import SdistOffer, WheelOffer, choose, split_interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from patchq.pypi.pin import Pin

_PURE = Tag("py3", "none", "any")
_TICK = 5.0  # seconds between two signs of life
_FILE_HINT = "or give the path of an archive that you have"

# Settings of pip that would change which archive is chosen, or that are about installing. What says where releases
# come from (index, find-links, no-index, proxy, certificates, cache) stays as the user has it.
_NOT_PASSED_ON = frozenset(
    f"PIP_{name}"
    for name in (
        *("ABI", "IMPLEMENTATION", "PLATFORM", "PYTHON", "PYTHON_VERSION"),
        *("NO_BINARY", "ONLY_BINARY", "PREFER_BINARY"),
        *("CONSTRAINT", "REQUIREMENT", "EDITABLE", "REQUIRE_HASHES", "REQUIRE_VIRTUALENV"),
    )
)


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run of pip left behind: the archive or None, its last words, and its log."""

    file: Path | None
    last_words: str
    log: Path


@dataclass(frozen=True, slots=True)
class Pip:
    """The pip of one Python interpreter (3.11 or later); `tell` gets lines about the progress."""

    tell: Callable[[str], None]
    interpreter: str = sys.executable

    def fetch(self, pin: Pin, folder: Path) -> Path:
        """Download one archive of the release `pin` into `folder` (empty, existing) and return its path.

        The first run of pip asks for a pure wheel. If there is none, its log says what else there is, `choose` picks
        from that, and a second run asks for exactly this wheel. pip would run the build code of an sdist to download
        it, so an sdist is fetched from the address in the log instead. NetworkError when an index does not answer or
        the download fails, ReleaseError when there is no such release.
        """
        self.tell(f"{pin}: asking pip")
        first = self._run(pin, _PURE, "==", folder / "pure")
        # `==1.0` takes 1.0+cpu as well (PEP 440), which is another release
        if first.file is not None and identify(first.file.name)[1] == pin:
            return self._got(pin, first.file)
        findings = read_log(first.log, pin.name)
        match choose(pin, findings.offers):
            case None:
                if not first.log.exists():
                    raise self._no_pip(pin, first)
                raise _no_release(pin, findings)
            case WheelOffer(tag=tag) if tag == _PURE and first.file is None:
                raise _failed(pin, first)
            case WheelOffer() as wheel:
                second = self._run(wheel.pin, wheel.tag, "===", folder / "tagged")
                if second.file is None:
                    raise _failed(pin, second)
                if second.file.name != wheel.file_name:
                    raise ReleaseError(
                        f"pip gave {second.file.name} for {pin}, but {wheel.file_name} is the one to read",
                        hint="download that file and give its path instead",
                    )
                return self._got(pin, second.file)
            case SdistOffer() as sdist:
                return fetch_sdist(sdist, folder, self.tell)
            case never:
                assert_never(never)

    def _no_pip(self, pin: Pin, run: _Run) -> PatchqError:
        if "No module named pip" not in run.last_words:
            return _failed(pin, run)
        return ReleaseError(
            f"pip is not installed for {self.interpreter}",
            hint=f"type: {self.interpreter} -m ensurepip --upgrade; {_FILE_HINT}",
        )

    def _got(self, pin: Pin, file: Path) -> Path:
        self.tell(f"{pin}: got {file.name}, {amount(file.stat().st_size)}")
        return file

    def _run(self, pin: Pin, tag: Tag, operator: str, folder: Path) -> _Run:
        """Let pip download the best wheel for `tag` and nothing else, with everything it writes below `folder`."""
        target, scratch, log = folder / "got", folder / "scratch", folder / "log"
        scratch.mkdir(parents=True)
        implementation, major, minor = split_interpreter(tag.interpreter)
        command = (
            # -P: a file pip.py in the current folder, which may be somebody else's checkout, must not run
            *(self.interpreter, "-P", "-m", "pip", "download", "--no-input", "--disable-pip-version-check"),
            *("--progress-bar", "off", "--log", str(log), "--dest", str(target)),
            *("--no-deps", "--only-binary", ":all:", "--ignore-requires-python"),
            *("--implementation", implementation, "--abi", tag.abi, "--platform", tag.platform),
            *("--python-version", str(major) if minor is None else f"{major}.{minor}"),
            f"{pin.name}{operator}{pin.version}",
        )
        environment = {name: value for name, value in os.environ.items() if name.upper() not in _NOT_PASSED_ON}
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
        words = folder / "words"
        with (
            words.open("wb") as output,
            subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            ) as process,
        ):
            try:
                self._wait(pin, process, scratch)
            finally:
                process.kill()
        files = sorted(target.iterdir()) if process.returncode == 0 and target.is_dir() else []
        return _Run(files[0] if files else None, words.read_text("utf-8", "replace"), log)

    def _wait(self, pin: Pin, process: subprocess.Popen[bytes], scratch: Path) -> None:
        """Wait for pip and say every few seconds how far it is: its scratch folder holds what has arrived."""
        while True:
            try:
                process.wait(_TICK)
            except subprocess.TimeoutExpired:
                size = _size(scratch)
                self.tell(f"{pin}: {amount(size)} so far" if size else f"{pin}: still waiting for an answer")
            else:
                return


def _size(folder: Path) -> int:
    """Add up the files below `folder`, some of which may vanish meanwhile."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(here, name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _no_release(pin: Pin, findings: Findings) -> PatchqError:
    """Say why there is nothing to choose from: no answer, no index, no such project, no such version."""
    if findings.troubles:
        trouble = findings.troubles[0]
        return NetworkError(
            f"cannot look for {pin} at {trouble.url}: {trouble.reason}",
            hint=f"check the connection and `pip config list`; {_FILE_HINT}",
        )
    versions = sorted({offer.pin.version for offer in findings.offers})
    if versions:
        lower = [str(version) for version in versions if version < pin.version]
        higher = [str(version) for version in versions if version > pin.version]
        near = ", ".join(lower[-3:] + higher[:3])
        return ReleaseError(f"{pin.name} has no release {pin.version}", hint=f"near it there are {near}")
    if findings.no_index:
        return ReleaseError(
            f"pip finds no release of {pin.name}, and is told to look at no index",
            hint=f"unset PIP_NO_INDEX, or no-index in `pip config list`; {_FILE_HINT}",
        )
    return ReleaseError(
        f"pip finds no release of {pin.name} at all",
        hint=f"check the name, and the indexes that `pip config list` shows; {_FILE_HINT}",
    )


def _failed(pin: Pin, run: _Run) -> NetworkError:
    """Repeat pip's last word about why it could not download what it had found."""
    lines = [line.strip() for line in run.last_words.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    reason = (errors or lines or ["it said nothing"])[-1]
    return NetworkError(f"pip could not download {pin}: {reason}", hint=f"try again; {_FILE_HINT}")
