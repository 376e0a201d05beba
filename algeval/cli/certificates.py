"""Check every certificate before it is shown, and write it where the user asks."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from algeval.verify import verify

__all__ = ["check", "save"]


def check(certificates: dict[str, Any], counts: Any) -> list[str]:
    """Return one line per certificate, with the verifier's own sentence."""
    lines = []
    for name, certificate in certificates.items():
        if certificate is None:
            continue
        verdict = verify(certificate, counts)
        if not verdict.ok:
            raise RuntimeError(f"the {name} was rejected by the verifier: {verdict.sentence}")
        lines.append(f"{name.capitalize()}. {verdict.sentence}")
    return lines


def save(folder: str | None, certificates: dict[str, Any], counts: Any) -> list[str]:
    """Write certificates and counts as JSON; return the lines that say so."""
    if folder is None:
        return []
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    kind = counts.to_dict()["schema"].split(".")[1].split("/")[0]
    _write(place / f"{kind}.json", counts)
    lines = []
    for name, certificate in certificates.items():
        if certificate is not None:
            _write(place / f"{name}.json", certificate)
            files = shlex.join([str(place / f"{name}.json"), str(place / f"{kind}.json")])
            lines.append(f"Check it yourself: python -m algeval.verify {files}")
    return lines


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value.to_dict()) + "\n", encoding="utf-8")
