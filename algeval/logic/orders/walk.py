"""What both interior-point methods do alike: how far a step may go, and when a walk is over."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.logic.policy import INTERIOR_DECIDED, INTERIOR_GAP, INTERIOR_STEPS
from algeval.logic.proof.clock import Clock

__all__ = ["room", "until_settled"]


class _Path(Protocol):
    """The iterates of a pair of programs."""

    @property
    def gap(self) -> float:
        """How far the two programs are apart."""

    @property
    def most(self) -> float:
        """What the least surplus cannot exceed."""

    @property
    def least(self) -> float:
        """The least surplus there is."""

    def advance(self) -> bool:
        """Take one step; False where floats carry no further."""


def until_settled(path: _Path, clock: Clock) -> None:
    """Walk on until the sign of the greatest least surplus is beyond doubt, or no step is left."""
    for _ in range(INTERIOR_STEPS):
        sure = max(-path.most, path.least) * INTERIOR_DECIDED
        if path.gap < max(INTERIOR_GAP, sure) or clock.over or not path.advance():
            break


def room(values: NDArray[Any], change: NDArray[Any]) -> float:
    """Return the longest step, at most 1, that keeps positive values from falling below 0; or nan.

    Examples
    --------
    >>> room(np.array([1.0, 2.0]), np.array([0.5, -4.0]))
    0.5
    """
    fastest = float((change / values).min())
    if np.isnan(fastest):
        return fastest
    return min(1.0, -1 / fastest) if fastest < 0 else 1.0
