"""Three ways to count a tie: the log likelihood of one battle, and its derivatives.

Each takes the log odds `x` of the first system, the tie parameter `t` and the outcomes, and returns
the log likelihood, its gradient in (x, t), and the curvatures -d2/dx2, -d2/dxdt and -d2/dt2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from algeval.rates.leaderboards.outcomes import FIRST, SECOND, TIE

__all__ = ["MODELS", "Derivatives", "Model", "davidson", "half", "rao_kupper"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Derivatives(NamedTuple):
    """What a battle adds to the log likelihood and its derivatives; arrays (cells,)."""

    log_likelihood: Floats
    by_x: Floats
    by_t: Floats
    curved_x: Floats
    curved_xt: Floats
    curved_t: Floats


class Model(NamedTuple):
    """A way to count ties: its derivatives, where its tie parameter starts, and how that is told."""

    of: Callable[[Floats, float, Ints], Derivatives]
    start: float | None
    """None where ties have no parameter."""


def half(x: Floats, t: float, outcome: Ints) -> Derivatives:
    """Half a win for each: Bradley-Terry on shares of a win, a quasi-likelihood where there are ties."""
    y = np.select([outcome == FIRST, outcome == TIE], [1.0, 0.5], 0.0)
    p, none = expit(x), np.zeros(len(x))
    told = y * log_expit(x) + (1 - y) * log_expit(-x)
    return Derivatives(told, y - p, none, p * (1 - p), none, none)


def davidson(x: Floats, t: float, outcome: Ints) -> Derivatives:
    """Chances of win, loss and tie as exp(x/2), exp(-x/2) and exp(t), up to a factor."""
    logs = np.stack([x / 2, -x / 2, np.full(len(x), t)])
    logs -= np.logaddexp.reduce(logs, axis=0)
    win, loss, tie = np.exp(logs)
    lead = win - loss
    given = (outcome == FIRST) * 1.0 - (outcome == SECOND)
    return Derivatives(
        np.choose(outcome, logs),
        (given - lead) / 2,
        (outcome == TIE) - tie,
        (win + loss - lead**2) / 4,
        -lead * tie / 2,
        tie * (1 - tie),
    )


def rao_kupper(x: Floats, t: float, outcome: Ints) -> Derivatives:
    """Let a win take a lead of more than t: chances s(x - t) and s(-x - t), a tie with the rest."""
    if t <= 0:
        worst = np.full(len(x), -np.inf)
        return Derivatives(worst, *(np.zeros(len(x)) for _ in range(5)))
    tied = (outcome == TIE) * 1.0
    up, down = tied + (outcome == FIRST), tied + (outcome == SECOND)
    u, v = expit(x - t), expit(-x - t)
    a, b = up * u * (1 - u), down * v * (1 - v)
    gap = np.expm1(2 * t)
    told = up * log_expit(x - t) + down * log_expit(-x - t) + tied * np.log(gap)
    pull, stiff = 2 * (gap + 1) / gap, 4 * (gap + 1) / gap**2
    won, lost = up * (1 - u), down * (1 - v)
    return Derivatives(
        told, won - lost, tied * pull - won - lost, a + b, b - a, a + b + tied * stiff
    )


MODELS = {
    "half": Model(half, None),
    "davidson": Model(davidson, 0.0),
    "rao-kupper": Model(rao_kupper, 1.0),
}
"""By the name of the setting `ties`."""
