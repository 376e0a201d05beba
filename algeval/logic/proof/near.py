"""Whole-number shares near the best real ones, where asking for all whole numbers at once takes long.

A real solution at a corner of its polytope has few fractional shares. All others are kept, and the
solver is asked for the rest; what it returns is checked. Its value is compared with that of the real
solution, beyond which nothing lies.
"""

from __future__ import annotations

import numpy as np

from algeval.logic.policy import APART, FREED_TOTALS, NEAR_SECONDS
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import find_shares, real_shares

__all__ = ["near_best"]


def near_best(shares: Shares, objective: Ints, clock: Clock) -> Ints | None:
    """Return whole-number shares, checked, that come near the greatest objective; None without any.

    objective : (P * R,)
    """
    real = real_shares(shares, clock, objective)
    if real is None:
        return None
    whole = np.rint(real).astype(np.int64)
    kept: Ints = np.asarray((np.abs(real - whole) <= APART).all(axis=1))
    kept[0] = False
    places = np.arange(len(kept))
    for step in FREED_TOTALS:
        free = ~kept if step is None else ~kept | (places % step == 0)
        fixed = np.where(free[:, None], -1, whole)
        found, _ = find_shares(shares, clock.part(NEAR_SECONDS), fixed=fixed, objective=objective)
        if found is not None and shares.satisfied(found):
            return found
    return None
