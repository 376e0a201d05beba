"""Where a polynomial that is nowhere negative is zero, in floating point."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.floats import FloatPolynomial
from algeval.algebra.inequalities.goal import Deadline, Goal

__all__ = ["zeros"]

_STARTS = 100
_SMALL = 1e-9


def zeros(goal: Goal, deadline: Deadline) -> list[NDArray[np.float64]]:
    """Return points at which the goal's polynomial is nearly zero, each seen once.

    Hypotheses are left out: squares that vanish where the claim does without them suffice.
    """
    from scipy import optimize

    minimize: Any = optimize.minimize
    domain = goal.domain
    claim = FloatPolynomial(domain, goal.polynomial)
    ones = np.array([[float(c in block) for c in range(domain.n)] for block in domain.blocks])
    sums = {"type": "eq", "fun": lambda z: ones @ z - 1, "jac": lambda z: ones}
    draw = np.random.default_rng(1)
    found: list[NDArray[np.float64]] = []
    for _ in range(_STARTS):
        if deadline.passed:
            break
        start = np.concatenate([draw.dirichlet(np.ones(size)) for size in domain.sizes])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            end = minimize(
                claim, start, jac=claim.gradient, method="SLSQP", bounds=[(0, 1)] * domain.n,
                constraints=[sums], options={"maxiter": 300, "ftol": 1e-16},
            )  # fmt: skip
        point = np.asarray(end.x, float)
        new = all(np.abs(point - other).max() > 1e-3 for other in found)
        if np.isfinite(point).all() and abs(claim(point)) < _SMALL and new:
            found.append(point)
    return found
