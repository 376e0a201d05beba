"""Climb the ladder: every rung that these votes have, from nothing assumed upwards."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from algeval.io.sources import Source
from algeval.rates.ladder.results import Ladder

if TYPE_CHECKING:
    from algeval.rates.inputs.gold import Gold

__all__ = ["climb"]


def climb(
    data: Source,
    label: str,
    *,
    against: object = Fraction(1, 2),
    at_least: object | None = None,
    gold: Gold | None = None,
    target: str = "items",
    level: float = 0.95,
    models: bool = False,
    time_limit: float | None = 20.0,
) -> Ladder:
    """Return what the votes say about the rate of a label, rung by rung."""
    raise NotImplementedError
