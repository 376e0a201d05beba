"""Mean-field equations: where each judge sees the others at their mean; fixed points and stability.

For equal judges, m = tanh(beta m + h). The log of the law of the magnetisation is about K times the
objective Phi, so its peaks are the stable fixed points (Balasubramanian et al., Lemma 1, equations (29)
and (31)). For any Ising law, q_j = sigma(h_j + sum over k of W_jk q_k): the best product of marginals, and
a lower bound on log Z.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import check_number, check_whole, read_only
from algeval.errors import DataError
from algeval.models.binary import Floats, expit
from algeval.models.curie_weiss import CurieWeiss, log_binomials
from algeval.models.ising import Ising
from algeval.result import Result, Status, Table
from algeval.result.base import Record
from algeval.result.numbers import how_many

__all__ = [
    "FixedPoint",
    "MeanField",
    "count_law_after",
    "fair_counts",
    "fixed_points",
    "glauber",
    "mean_field",
    "objective",
    "vote_steps",
]


# --- Mean-field equations: where each judge sees the others at their mean; fixed points and
# stability.
#
# For equal judges, m = tanh(beta m + h). The log of the law of the magnetisation is about K times
# the objective Phi, so its peaks are the stable fixed points (Balasubramanian et al., Lemma 1,
# equations (29) and (31)). For any Ising law, q_j = sigma(h_j + sum over k of W_jk q_k): the best
# product of marginals, and a lower bound on log Z.


def objective(m: ArrayLike, beta: float, field: float = 0.0) -> Floats:
    """Phi(m) + h m, nats per judge: entropy of the votes, plus beta m^2 / 2, plus the field.

    Parameters
    ----------
    m : array of magnetisations from -1 to 1

    Examples
    --------
    >>> objective([0.0, 1.0], beta=2.0).round(4).tolist()
    [0.6931, 1.0]
    """
    m = np.asarray(m, float)
    up, down = (1 + m) / 2, (1 - m) / 2
    entropy = -_times_log(up) - _times_log(down)
    result: Floats = entropy + beta * m**2 / 2 + field * m
    return result


def _times_log(p: Floats) -> Floats:
    result: Floats = p * np.log(np.where(p > 0, p, 1.0))
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedPoint(Record):
    """One solution of m = tanh(beta m + h).

    Attributes
    ----------
    m : float
        Magnetisation.
    slope : float
        Slope of the right side there: below 1 the objective has a peak, and unless it is below -1 as
        well, iterating the equation settles.
    height : float
        The objective there, nats per judge: phases with less weigh exp(-K times the gap).
    """

    m: float
    slope: float
    height: float

    @property
    def stable(self) -> bool:
        """Whether it is a phase: a peak of the law, not a saddle between two."""
        return self.slope < 1


def fixed_points(beta: float, field: float = 0.0) -> tuple[FixedPoint, ...]:
    """All solutions of m = tanh(beta m + field), ascending: one or three (two if they touch).

    Raises
    ------
    DataError
        If a number is not finite.

    Examples
    --------
    >>> [(round(point.m, 4), point.stable) for point in fixed_points(2.0)]
    [(-0.9575, True), (0.0, False), (0.9575, True)]
    """
    check_number("beta", beta)
    check_number("field", field)
    ends = [-1.0, *_turns(beta, field), 1.0]
    heights = [np.tanh(beta * end + field) - end for end in ends]
    roots = {end for end, height in zip(ends, heights, strict=True) if height == 0}
    for k in range(len(ends) - 1):
        if heights[k] * heights[k + 1] < 0:
            roots.add(_root(beta, field, ends[k], ends[k + 1]))
    return tuple(_fixed_point(m, beta, field) for m in sorted(roots))


def _turns(beta: float, field: float) -> list[float]:
    """Where tanh(beta m + field) - m turns within (-1, 1): between them lies at most a root."""
    if beta <= 1:
        return []
    reach = float(np.arctanh(np.sqrt(1 - 1 / beta)))
    turns = ((-reach - field) / beta, (reach - field) / beta)
    return [m for m in turns if -1 < m < 1]


def _root(beta: float, field: float, low: float, high: float) -> float:
    from scipy.optimize import brentq

    root = brentq(lambda m: np.tanh(beta * m + field) - m, low, high, xtol=1e-15, rtol=1e-14)
    return float(root)


def _fixed_point(m: float, beta: float, field: float) -> FixedPoint:
    slope = beta * (1 - m**2)
    return FixedPoint(m=m, slope=slope, height=float(objective(m, beta, field)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanField(Result):
    """The best product law near an Ising law.

    Attributes
    ----------
    status : Status
        ok, or not_converged.
    means : (K,) array
        q_j, each judge's chance of a 1 vote; read-only.
    log_z_bound : float
        A lower bound on the log of the partition function, by as much as the product law is off (KL, nats).
    gap : float
        The true log Z less the bound: what the product law loses.
    stable : bool
        Whether the simultaneous iteration settles there.
    n_iter : int
    settings : dict
    """

    schema: ClassVar[str] = "algeval.mean_field/1"

    means: Floats
    log_z_bound: float
    gap: float
    stable: bool
    n_iter: int
    settings: dict[str, Any]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per judge."""
        columns = {"judge": list(range(len(self.means))), "mean": self.means.tolist()}
        return (Table("Chance of a 1 vote", columns),)


def mean_field(law: Ising, *, tol: float = 1e-12, max_iter: int = 10_000) -> MeanField:
    """Mean-field solution with the highest bound on log Z, of three starts.

    One judge's mean is set at a time, so that the bound never falls; the starts are all 0, all 1/2 and
    all 1. Use it to see what averaging over the others loses against the exact law.

    Parameters
    ----------
    law : Ising
    tol : float
        It stops when no mean moves by more.
    max_iter : int
        Sweeps over the judges, for each start.

    Raises
    ------
    DataError
        If a setting is out of range.

    Examples
    --------
    >>> found = mean_field(Ising([0.0, 0.0], [[0.0, 0.5], [0.5, 0.0]]))
    >>> found.means.round(4).tolist(), round(found.gap, 4)
    ([0.5709, 0.5709], 0.0075)
    """
    check_number("tol", tol, least=0, strict=True)
    check_whole("max_iter", max_iter)
    starts = [np.full(law.n_judges, value) for value in (0.0, 0.5, 1.0)]
    runs = [_ascend(law, start, tol, max_iter) for start in starts]
    means, n_iter, settled = max(runs, key=lambda run: _bound(law, run[0]))
    bound = _bound(law, means)
    slope = np.abs(np.linalg.eigvals((means * (1 - means))[:, None] * law.couplings)).max()
    text = f"The best product law is {law.log_z - bound:.3g} nats from the Ising law"
    return MeanField(
        status=Status.OK if settled else Status.NOT_CONVERGED,
        message=f"{text}, after {how_many(n_iter, 'sweep')}",
        means=read_only(means),
        log_z_bound=bound,
        gap=law.log_z - bound,
        stable=bool(slope < 1),
        n_iter=n_iter,
        settings={"tol": tol, "max_iter": max_iter},
    )


def _ascend(law: Ising, start: Floats, tol: float, max_iter: int) -> tuple[Floats, int, bool]:
    means = start.copy()
    for sweep in range(1, max_iter + 1):
        before = means.copy()
        for judge in range(len(means)):
            means[judge] = expit(law.fields[judge] + law.couplings[judge] @ means)
        if np.abs(means - before).max() <= tol:
            return means, sweep, True
    return means, max_iter, False


def _bound(law: Ising, means: Floats) -> float:
    entropy = -(_times_log(means) + _times_log(1 - means)).sum()
    return float(law.fields @ means + 0.5 * means @ law.couplings @ means + entropy)


# --- Glauber dynamics: one judge at a time votes anew, given the others; what a sampler would
# draw, and when.
#
# The exact samplers of the laws need none of this. It is here to test them, and to see what a
# chain that ran too briefly draws: above beta = 1 it stays in the phase it fell into, and gets
# the weights of the phases wrong. For equal judges the law after any number of votes is computed,
# not sampled.


def vote_steps(law: CurieWeiss) -> tuple[Floats, Floats]:
    """Return (K + 1,) and (K + 1,): chances that one new vote raises and lowers the number of 1 votes.

    A judge drawn at random votes anew, given the others.

    Examples
    --------
    >>> up, down = vote_steps(CurieWeiss(2, 0.0))
    >>> up.tolist(), down.tolist()
    ([0.5, 0.25, 0.0], [0.0, 0.25, 0.5])
    """
    k = law.n_judges
    n_yes = np.arange(k + 1)
    spins = 2.0 * n_yes - k
    up = (k - n_yes) / k * expit(2 * (law.beta * (spins + 1) / k + law.field))
    down = n_yes / k * expit(-2 * (law.beta * (spins - 1) / k + law.field))
    return up, down


def count_law_after(law: CurieWeiss, sweeps: int, start: ArrayLike) -> Floats:
    """Return (K + 1,): the law of the number of 1 votes after so many sweeps of K new votes each.

    Exact: the K + 1 chances are carried forward, vote by vote.

    Parameters
    ----------
    law : CurieWeiss
        What the chain would draw from in the end.
    sweeps : int
        From 0 on.
    start : (K + 1,) array
        Chances of each number of 1 votes at the start; `fair_counts` for fair coins.

    Raises
    ------
    DataError
        If the start is no law of K + 1 chances.

    Examples
    --------
    >>> law = CurieWeiss(20, 2.0, 0.05)
    >>> short = count_law_after(law, 20, fair_counts(20))
    >>> round(float(short[:10].sum()), 3), round(float(law.pmf()[:10].sum()), 3)
    (0.428, 0.132)
    """
    check_whole("sweeps", sweeps, 0)
    chances = np.array(start, float)
    shape = (law.n_judges + 1,)
    if chances.shape != shape or (chances < 0).any() or abs(chances.sum() - 1) > 1e-9:
        raise DataError(
            f"start must be {shape[0]} chances that sum to 1; got shape {chances.shape} and sum "
            f"{chances.sum():g}; see fair_counts"
        )
    up, down = vote_steps(law)
    stay = 1 - up - down
    for _ in range(sweeps * law.n_judges):
        moved = stay * chances
        moved[1:] += (up * chances)[:-1]
        moved[:-1] += (down * chances)[1:]
        chances = moved
    return chances


def fair_counts(n_judges: int) -> Floats:
    """Return (K + 1,): the law of the number of 1 votes of fair coins.

    Examples
    --------
    >>> fair_counts(2).round(9).tolist()
    [0.25, 0.5, 0.25]
    """
    k = check_whole("n_judges", n_judges)
    result: Floats = np.exp(log_binomials(k) - k * np.log(2))
    return result


def glauber(
    law: Ising | CurieWeiss, n: int, rng: np.random.Generator | int, *, sweeps: int
) -> NDArray[np.int8]:
    """Return (n, K) votes of n chains, each from fair coins, after so many sweeps of K new votes.

    Raises
    ------
    DataError
        If n or the number of sweeps is no whole number.

    Examples
    --------
    >>> votes = glauber(Ising([2.0, 2.0], [[0.0, 1.0], [1.0, 0.0]]), 1000, 0, sweeps=20)
    >>> votes.shape, bool(votes.mean() > 0.9)
    ((1000, 2), True)
    """
    check_whole("n", n, 0)
    check_whole("sweeps", sweeps, 0)
    generator = np.random.default_rng(rng)
    fields, couplings = _parameters(law)
    k = len(fields)
    votes = generator.integers(0, 2, (n, k)).astype(float)
    items = np.arange(n)
    for _ in range(sweeps * k):
        judge = generator.integers(0, k, n)
        odds = fields[judge] + (couplings[judge] * votes).sum(axis=1)
        votes[items, judge] = generator.random(n) < expit(odds)
    return votes.astype(np.int8)


def _parameters(law: Ising | CurieWeiss) -> tuple[Floats, Floats]:
    if isinstance(law, Ising):
        return law.fields, law.couplings
    return law.zero_one_parameters()
