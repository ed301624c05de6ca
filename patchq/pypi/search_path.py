"""Where an interpreter looks for packages, asked of it without its `site`: nothing that is installed is run."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from patchq.errors import PatchqError, Where

_TIMEOUT = 60.0  # seconds; it takes 20 ms

# `-S` keeps it from running `.pth` files, which may hold code; so what site.py makes of a virtual environment is done
# again here (https://docs.python.org/3/library/site.html).
_PROGRAM = """
import json, os, site, sys
folder = os.path.dirname(os.path.abspath(sys.executable))
places = [os.path.join(p, "pyvenv.cfg") for p in (folder, os.path.dirname(folder))]
found = [p for p in places if os.path.isfile(p)]
prefixes, shared = [], True
if found:
    prefixes.append(os.path.dirname(found[0]))
    with open(found[0], encoding="utf-8") as lines:
        pairs = [line.partition("=") for line in lines]
    settings = {key.strip().lower(): value.strip().lower() for key, _, value in pairs}
    shared = settings.get("include-system-site-packages") == "true"
paths = site.getsitepackages(prefixes) if prefixes else []
if shared:
    if not os.environ.get("PYTHONNOUSERSITE"):
        paths.append(site.getusersitepackages())
    paths += site.getsitepackages([sys.base_prefix, sys.base_exec_prefix])
print(json.dumps(paths))
"""


def search_path(python: Path) -> tuple[Path, ...]:
    """Return the folders in which the interpreter `python` looks for packages, in its order.

    These are PYTHONPATH, the site folders, and what plain lines of `.pth` files name: lines of code in them are not
    run. PatchqError where `python` cannot be run.
    """
    where = Where(file=str(python))
    hint = "name an interpreter, such as .venv/bin/python"
    try:
        program = [os.fspath(python.absolute()), "-I", "-S", "-c", _PROGRAM]
        done = subprocess.run(program, capture_output=True, check=True, timeout=_TIMEOUT)
        sites = [Path(place) for place in json.loads(done.stdout)]
    except OSError as error:
        raise PatchqError(f"cannot be run: {error.strerror}", hint=hint, where=where) from error
    except (subprocess.SubprocessError, ValueError) as error:
        raise PatchqError("does not answer as a Python interpreter does", hint=hint, where=where) from error
    paths = [Path(place) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    for site in sites:
        paths += (site, *_named_in(site))
    return tuple(_distinct(paths))


def _named_in(site: Path) -> list[Path]:
    """Return the folders that `.pth` files in `site` add, by plain lines."""
    found = []
    for file in sorted(site.glob("*.pth")):
        for line in file.read_text("utf-8", "surrogateescape").splitlines():
            name = line.strip()
            if name and not name.startswith(("#", "import ", "import\t")):
                found.append(site / name)
    return found


def _distinct(paths: list[Path]) -> list[Path]:
    """Leave out what does not exist, and what comes a second time under another name (`lib64` is often `lib`)."""
    found: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())
