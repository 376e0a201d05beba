"""How little dependence between errors moves what a trio says of a rate: two answers, neither a licence.

To first order, with within-label correlations of pairs and third cumulants of at most r, standardised,
the estimate p moves by at most r (S2 + S3). That takes errors that go together on one label and apart on
the other. Judges who share errors on both labels are the milder case: the smallest r such that pair
correlations between 0 and r, and no third cumulants, give the same counts at the other rate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from algeval.algebra.correlation.sensitivity import GROUPS
from algeval.progress import steps
from algeval.rates.policy import ROBUST_FOUND, ROBUST_MISS, ROBUST_STARTS

__all__ = ["Moved", "shared_to", "worst_to"]

Floats = NDArray[np.float64]
Of = Callable[[Floats, float, "_Moments"], Floats]

_PAIRS = tuple(combinations(range(3), 2))
_FIRST, _SECOND = [0, 0, 1], [1, 2, 2]
_SIGNS = 1 - 2 * np.array(list(np.ndindex(2, 2, 2)))  # +1 where the first label is given


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A decoded trio and the rate it is moved to.

    Attributes
    ----------
    rate : float
        Share of the first label in the solution, strictly between 0 and 1.
    accuracies : (3, 2) array
    to : float
        The rate it is compared with.
    """

    rate: float
    accuracies: Floats
    to: float

    @property
    def skill(self) -> Floats:
        """(3,): accuracy on the first label plus that on the second, less 1."""
        result: Floats = self.accuracies.sum(1) - 1
        return result

    def terms(self) -> tuple[Floats, Floats]:
        """Return the largest shift per correlation: (3, 2) of pairs by label, (2,) of the trio."""
        spread = np.sqrt(self.accuracies * (1 - self.accuracies))
        share = np.array([self.rate, 1 - self.rate])
        rows = [share * spread[list(g)].prod(0) / abs(self.skill[list(g)].prod()) for g in GROUPS]
        return np.array(rows[:3]), 2 * rows[3]


def worst_to(moved: Moved) -> float | None:
    """Return the correlation that moves the estimate, errors arranged in the worst way; None above 1.

    First order: it errs by some percent, more where it is large.

    Examples
    --------
    >>> trio = np.array([[0.8, 0.7], [0.75, 0.8], [0.7, 0.75]])
    >>> round(worst_to(Moved(0.6, trio, 0.5)), 4)
    0.0283
    """
    pairs, third = moved.terms()
    total = float(pairs.sum() + third.sum())
    return _capped(abs(moved.rate - moved.to) / total if total else np.inf)


def shared_to(moved: Moved, seed: int = 0) -> float | None:
    """Return the smallest r for which shared errors give the same counts at the other rate, or None.

    All pair correlations within a label lie between 0 and r, third cumulants are 0. A local search from
    several starts over the eight counts: an upper limit on the smallest r, within rounding.

    Examples
    --------
    >>> trio = np.array([[0.8, 0.7], [0.75, 0.8], [0.7, 0.75]])
    >>> round(shared_to(Moved(0.6, trio, 0.5)), 3)
    0.08
    """
    if not 0 < moved.to < 1:
        return None
    moments = _Moments.of(moved)
    rng = np.random.default_rng(seed)
    known: list[float] = []
    for start in steps(range(ROBUST_STARTS), "searching for the judges that would mislead most"):
        found = _search(moments, moved, rng, start)
        known += [] if found is None else [found]
        if len(known) == ROBUST_FOUND:
            break
    return _capped(min(known)) if known else None


def _capped(r: float) -> float | None:
    return r if r <= 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Means (3,), covariances of pairs (3,) and the third moment of the votes for the first label."""

    means: Floats
    pairs: Floats
    third: float

    @classmethod
    def of(cls, moved: Moved) -> _Moments:
        """Return those that independent errors give."""
        p, d = moved.rate, moved.skill
        q = 1 - p
        means = p * moved.accuracies[:, 0] + q * (1 - moved.accuracies[:, 1])
        pairs = p * q * np.array([d[i] * d[j] for i, j in _PAIRS])
        return cls(means, pairs, p * q * (q - p) * d.prod())


def _search(moments: _Moments, moved: Moved, rng: np.random.Generator, start: int) -> float | None:
    """Return the smallest bound found from one start; None where the counts are missed."""
    p = moved.to
    scale = rng.uniform(0.8, 1.1) if start else 1.0
    shares = rng.uniform(0, 0.2, 6) if start else np.full(6, 0.05)
    first = np.concatenate([scale * moved.skill, shares, [max(0.2, shares.max())]])
    constraints = [
        {
            "type": kind,
            "fun": partial(of, p=p, moments=moments),
            "jac": partial(_slopes, of, p, moments),
        }
        for kind, of in (("eq", _missed), ("ineq", _room))
    ]
    search: Any = minimize
    found = search(
        lambda z: (z[9], np.eye(10)[9]),
        first,
        jac=True,
        method="SLSQP",
        bounds=[(-1, 1)] * 3 + [(0, 1)] * 7,
        constraints=constraints,
        options={"maxiter": 300, "ftol": 1e-10},
    )
    off = max(abs(_missed(found.x, p, moments)).max(), -_room(found.x, p, moments).min())
    return float(found.x[9]) if off < ROBUST_MISS else None


def _slopes(of: Of, p: float, moments: _Moments, z: Floats) -> Floats:
    """Return the derivatives of constraints (m, 10), by central differences, all at once."""
    step = 1e-6 * np.eye(10)
    result: Floats = (of(z + step, p, moments) - of(z - step, p, moments)).T / 2e-6
    return result


# below, z (..., 10) holds the skills of the judges (3), correlations of pairs on items of the first label
# (3) and of the second (3), and their bound


def _votes(z: Floats, p: float, moments: _Moments) -> Floats:
    """Return (..., 2, 3): how often each judge gives the first label on items of the first, and second."""
    d = z[..., :3]
    return np.stack([moments.means + (1 - p) * d, moments.means - p * d], axis=-2)


def _covariances(z: Floats, votes: Floats) -> Floats:
    """Return (..., 2, 3): covariance of each pair within the first label and the second."""
    spread = np.sqrt(np.clip(votes * (1 - votes), 0, None))
    within = z[..., 3:9].reshape(*z.shape[:-1], 2, 3)
    result: Floats = within * spread[..., _FIRST] * spread[..., _SECOND]
    return result


def _missed(z: Floats, p: float, moments: _Moments) -> Floats:
    """Return (..., 4): by how much the moments of pairs and of all three are missed."""
    q, d = 1 - p, z[..., :3]
    within = _covariances(z, _votes(z, p, moments))
    on, off = within[..., 0, :], within[..., 1, :]
    pairs = p * q * d[..., _FIRST] * d[..., _SECOND] + p * on + q * off - moments.pairs
    third = p * q * ((q - p) * d.prod(-1) + (d * (on - off)[..., ::-1]).sum(-1)) - moments.third
    return np.concatenate([pairs, third[..., None]], axis=-1)


def _room(z: Floats, p: float, moments: _Moments) -> Floats:
    """Return (..., 22): how far correlations are below their bound, and chances of triples above 0."""
    votes = _votes(z, p, moments)
    within = _covariances(z, votes)
    gave = np.where(_SIGNS > 0, votes[..., None, :], 1 - votes[..., None, :])
    chance = gave.prod(-1)
    for place, (i, j) in enumerate(_PAIRS):
        signs = _SIGNS[:, i] * _SIGNS[:, j]
        chance = chance + signs * within[..., [place]] * gave[..., 3 - i - j]
    below = z[..., 9:] - z[..., 3:9]
    return np.concatenate([below, chance.reshape(*z.shape[:-1], 16)], axis=-1)
