"""Certificates as theorems that other systems check."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algeval.errors import AlgevalError

__all__ = ["NotExported", "coq_library", "export"]


class NotExported(AlgevalError):  # noqa: N818
    """There is no way yet to write this certificate in that system; the sentence says why."""


def coq_library() -> Path:
    """Folder of our Coq files: `coqc -Q FOLDER Algeval x.v` compiles an export once they are compiled."""
    return Path(__file__).parent / "coq"


def export(document: Mapping[str, Any], kind: str, *, data: Any = None) -> str:
    """Text of a certificate in another system.

    Raises
    ------
    NotExported
        If certificates of this sort cannot be written there.
    """
    from algeval.export import alarms

    if kind != "coq":
        raise NotExported(f"an alarm can be exported as 'coq'; got {kind!r}")
    return alarms.coq(document, data)
