"""Climbing a smooth objective by L-BFGS: what Ising, factor, log-linear, GLAD and Curie-Weiss share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import End, Floats
from algeval.progress import steps

__all__ = ["Climb", "Objective", "best_climb_from", "best_of", "climb_from", "climb_value"]


class Objective(Protocol):
    """A penalised log-likelihood with its slope; with `held` posteriors, that of the M-step."""

    def __call__(self, theta: Floats, *, held: Floats | None = None) -> tuple[float, Floats]:
        """Return height and slope at a point."""


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """Where one climb ended: the vector, the penalised log-likelihood, the largest slope per item."""

    theta: Floats
    objective: float
    gradient: float
    iterations: int
    trace: tuple[float, ...]

    def end(self, tol: float) -> End:
        """Return how it ended: converged where no slope per item is above `tol`."""
        return End(self.gradient <= tol, self.iterations, self.trace, "The climb")


def climb_value(
    theta: Floats,
    height_and_slope: Callable[[Floats], tuple[float, Floats]],
    n: float,
    *,
    max_iter: int,
    tol: float,
) -> Climb:
    """Climb any objective of `n` items; `gradient` is the largest slope per item at the end."""
    from scipy import optimize

    minimize: Any = optimize.minimize
    scale = max(n, 1.0)
    trace: list[float] = []

    def negative(point: Floats) -> tuple[float, Floats]:
        height, slope = height_and_slope(point)
        return -height / scale, -slope / scale

    def remember(*, intermediate_result: Any) -> None:
        trace.append(-scale * float(intermediate_result.fun))

    options = {"maxiter": max_iter, "gtol": tol, "ftol": 0.0}
    options |= {"maxcor": policy.MEMORY, "maxls": policy.LINE_SEARCH}
    found = minimize(
        negative, theta, jac=True, method="L-BFGS-B", callback=remember, options=options
    )
    slope = float(np.abs(found.jac).max())
    return Climb(found.x, -scale * float(found.fun), slope, int(found.nit), tuple(trace))


def climb_from(
    held: Floats, theta: Floats, objective: Objective, n: float, *, max_iter: int, tol: float
) -> Climb:
    """Climb from the M-step at `held` posteriors, itself climbed a little way from `theta`."""
    few, loose = policy.FIRST_CLIMB
    first = climb_value(theta, lambda at: objective(at, held=held), n, max_iter=few, tol=loose)
    return climb_value(first.theta, objective, n, max_iter=max_iter, tol=tol)


def best_climb_from(
    points: Sequence[Floats],
    thetas: Sequence[Floats],
    objective: Objective,
    n: float,
    *,
    max_iter: int,
    tol: float,
) -> tuple[Climb, list[float]]:
    """Climb from every start, as `climb_from`; return the highest climb and every height."""
    starts = zip(points, thetas, strict=True)
    return best_of(
        [
            climb_from(*start, objective, n, max_iter=max_iter, tol=tol)
            for start in steps(starts, "fitting from several starts")
        ]
    )


def best_of(found: list[Climb]) -> tuple[Climb, list[float]]:
    """Return the highest of several climbs, the first on ties, and every height."""
    heights = [one.objective for one in found]
    return found[int(np.argmax(heights))], heights
