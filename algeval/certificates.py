"""Check every certificate before it is shown, and write it where the user asks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from algeval.progress import steps
from algeval.result.files import spare, write_json, write_text
from algeval.verify import read_data, verify

__all__ = ["check", "of_ranges", "save", "save_ranges"]

_RANGE = "range-"


def check(certificates: Mapping[str, Any], counts: Any) -> list[str]:
    """Return one line per certificate, with the verifier's own sentence."""
    panel, lines = read_data(counts), []
    for name, certificate in steps(certificates.items(), "checking certificates"):
        if certificate is None:
            continue
        verdict = verify(certificate, panel)
        if not verdict.ok:
            raise RuntimeError(f"the {name} was rejected by the verifier: {verdict.sentence}")
        lines.append(f"{name.capitalize()}. {verdict.sentence}")
    return lines


def of_ranges(proofs: Mapping[str, Any]) -> dict[str, Any]:
    """Certificates of ranges by the name of a file each: number, quantity, which end."""
    results = {}
    for number, (name, proof) in enumerate(proofs.items(), start=1):
        words = re.sub("[^A-Za-z0-9]+", "-", name).strip("-")[:60]
        for end in ("lowest", "below", "highest", "above", "undefined"):
            if getattr(proof, end) is not None:
                results[f"{_RANGE}{number:04}-{words}-{end}"] = getattr(proof, end)
    return results


def save(folder: str | None, certificates: Mapping[str, Any], counts: Any) -> list[str]:
    """Write certificates, counts and the verifier; return the lines that say how to check them."""
    if folder is None:
        return []
    index, data = _write_all(folder, certificates, counts)
    written = [name for name, certificate in certificates.items() if certificate is not None]
    return [_line(index, shlex.quote(str(index / f"{name}.json")), data) for name in written]


def save_ranges(folder: str | None, certificates: Mapping[str, Any], counts: Any) -> list[str]:
    """Write the certificates of ranges in place of those written there before."""
    if folder is None:
        return []
    for old in Path(folder).glob(f"{_RANGE}[0-9][0-9][0-9][0-9]-*.json"):
        spare(old)
        old.unlink()
    index, data = _write_all(folder, certificates, counts)
    every = f"{shlex.quote(str(index))}/{_RANGE}[0-9]*.json"
    return [_line(index, every, data)] if certificates else []


def _write_all(folder: str, certificates: Mapping[str, Any], counts: Any) -> tuple[Path, Path]:
    index = Path(folder)
    index.mkdir(parents=True, exist_ok=True)
    kind = counts.to_dict()["schema"].split(".")[1].split("/")[0]
    proofs = {name: proof for name, proof in certificates.items() if proof is not None}
    verifiers = ("verify.py", "verify_alarm.py", "verify_statements.py")
    documents = {
        f"{name}.json": value.to_dict() for name, value in {kind: counts, **proofs}.items()
    }
    for name in documents:
        spare(index / name)  # before any is written
    for name in verifiers:
        write_text(index / name, files("algeval").joinpath(name).read_text(encoding="utf-8"))
    for name, document in documents.items():
        write_json(index / name, document)
    return index, index / f"{kind}.json"


def _line(path: Path, certificates: str, data: Path) -> str:
    program = shlex.quote(str(path / "verify.py"))
    return f"Check it yourself: python3 {program} {certificates} {shlex.quote(str(data))}"
