"""Glauber dynamics: one judge at a time votes anew, given the others; what a sampler would draw, and when.

The exact samplers of the laws need none of this. It is here to test them, and to see what a chain that ran
too briefly draws: above beta = 1 it stays in the phase it fell into, and gets the weights of the phases
wrong. For equal judges the law after any number of votes is computed, not sampled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import check_whole
from algeval.errors import DataError
from algeval.models.binary import Floats, expit
from algeval.models.curie_weiss import CurieWeiss, log_binomials
from algeval.models.ising import Ising

__all__ = ["count_law_after", "fair_counts", "glauber", "vote_steps"]


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
    ones = np.arange(k + 1)
    spins = 2.0 * ones - k
    up = (k - ones) / k * expit(2 * (law.beta * (spins + 1) / k + law.field))
    down = ones / k * expit(-2 * (law.beta * (spins - 1) / k + law.field))
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
