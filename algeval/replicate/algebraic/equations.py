"""The numbered equations, from the catalogue; steps and definitions that stand beside them."""

from __future__ import annotations

from algeval.algebra import catalogue
from algeval.replicate.claim import Claim
from algeval.replicate.computed import entry

__all__ = ["equations"]

_VERDICTS = {"proved": "reproduced", "erratum": "erratum"}


def equations() -> tuple[Claim, ...]:
    """Return a claim per numbered equation of the catalogue."""
    return tuple(
        Claim(
            id=f"001-{one.number}",
            place=f"({one.number})",
            printed=one.statement,
            verdict=_VERDICTS[one.verdict],  # type: ignore[arg-type]
            compute=entry(one.number),
            note=one.note,
        )
        for one in catalogue()
        if one.paper == "001"
    )
