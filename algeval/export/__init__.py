"""Certificates as text of other systems, whose kernels check them again.

A certificate is rewritten, never proved anew: the statement as typed, and where the system takes a proof, the
proof that the certificate holds. It needs the standard library and the verifier's own reading of names.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algeval._lazy import load
from algeval.errors import AlgevalError

__all__ = ["FILES", "SYSTEMS", "NotExported", "coq_library", "export"]

_WRITERS = {
    "coq": ("coq:text", ".v"),
    "lean": ("lean:text", ".lean"),
    "latex": ("latex:text", ".tex"),
    "singular": ("ideals:singular", ".sing"),
    "m2": ("ideals:m2", ".m2"),
    "sage": ("ideals:sage", ".sage"),
    "smt": ("smt:text", ".smt2"),
}
"""Of each system the function that writes a claim, and the ending of its files."""

_CLAIMS = {system: function for system, (function, _) in _WRITERS.items()}
"""Function of each kind that writes a claim: it takes a certificate."""

_ALARMS = {"coq": "alarms:coq"}
"""Function of each kind that writes an alarm: it takes a certificate and its data."""

SYSTEMS = tuple(_WRITERS)
"""Systems that certificates are written for."""

FILES = {system: ending for system, (_, ending) in _WRITERS.items()}
"""{system: ending of its files}"""

_SCHEMAS = {
    "algeval.inequality/1": _CLAIMS,
    "algeval.counterexample/1": _CLAIMS,
    "algeval.certificate/1": _ALARMS,
    "algeval.alarm/1": _ALARMS,
}


class NotExported(AlgevalError, ValueError):  # noqa: N818
    """A certificate cannot be written for a system; the message is the reason."""


def coq_library() -> Path:
    """Folder of the Coq files that exports rest on: `coqc -Q FOLDER Algeval x.v` compiles an export.

    Where coqc is installed it is a copy in the user's cache (XDG_CACHE_HOME, by default ~/.cache), compiled
    by this version of coqc; elsewhere it is the folder of the package, not compiled.
    """
    source, coqc = Path(__file__).parent / "coq", shutil.which("coqc")
    if coqc is None:
        return source
    texts = {file.name: file.read_bytes() for file in sorted(source.glob("*.v"))}
    version = subprocess.run([coqc, "--version"], capture_output=True, check=False).stdout
    digest = hashlib.sha256(version + b"".join(texts.values())).hexdigest()[:16]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "algeval"
    target = home / f"coq-{digest}"
    if target.is_dir():
        return target
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home, ignore_cleanup_errors=True) as folder:
            for name, text in texts.items():
                (Path(folder) / name).write_bytes(text)
                command = [coqc, "-q", "-Q", folder, "Algeval", name]
                subprocess.run(command, cwd=folder, capture_output=True, check=True)
            Path(folder).rename(target)
    except (OSError, subprocess.CalledProcessError):
        return target if target.is_dir() else source
    return target


def export(document: Mapping[str, Any], kind: str, *, data: Mapping[str, Any] | None = None) -> str:
    """Text of a certificate for another system.

    Parameters
    ----------
    document : dict
        A certificate of `prove` (``algeval.inequality/1``), a counterexample
        (``algeval.counterexample/1``) or a certificate of `alarm` (``algeval.certificate/1``).
    kind : {"coq", "lean", "latex", "singular", "m2", "sage", "smt"}
        The system. Alarms are written for Coq alone.
    data : dict, optional
        The sketch or summary that an alarm is about.

    Raises
    ------
    NotExported
        With the reason, where the certificate cannot be written for this system.
    """
    from algeval.verify_alarm import Rejected, Unreadable

    if kind not in SYSTEMS:
        raise NotExported(f"kind must be one of {', '.join(SYSTEMS)}; got {kind!r}")
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if schema not in _SCHEMAS:
        raise NotExported(
            f"a certificate must be of {', '.join(_SCHEMAS)} to be exported; got {schema!r}"
        )
    entry = _SCHEMAS[schema].get(kind)
    if entry is None:
        raise NotExported(f"{schema} is exported to {', '.join(_SCHEMAS[schema])}; got {kind!r}")
    arguments = (document, data) if _SCHEMAS[schema] is _ALARMS else (document,)
    try:
        return str(load(__name__, entry)(*arguments))
    except (Rejected, Unreadable) as error:
        raise NotExported(f"the certificate cannot be read: {error}") from error
    except (KeyError, TypeError, RecursionError, OverflowError) as error:
        raise NotExported(
            f"the certificate must be as algeval writes it; it lacks or misuses {error}"
        ) from error
