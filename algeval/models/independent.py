"""Judges whose errors are independent given the true label, for any number of labels.

The law of Algebraic Evaluation (and of Dawid and Skene): the chance of a decision tuple u is
``sum over t of P_t * product over i of confusion[i, t, u_i]``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, check_whole
from algeval.errors import DataError, TooLargeError

__all__ = ["exact_exam", "joint", "pmf", "posterior", "sample"]

_MOST_CELLS = 4_000_000


def joint(evaluation: Evaluation, codes: ArrayLike) -> NDArray[Any]:
    """Return (U, R): the chance that an item has true label t and gets decision tuple u.

    A judge that did not answer (-1) leaves its factor out.

    Parameters
    ----------
    evaluation : Evaluation
        Exact numbers give exact chances; floats give floats.
    codes : (U, N) int array
        Decision tuples as positions in `evaluation.answers`.
    """
    tuples = np.asarray(codes)
    if tuples.ndim != 2 or tuples.shape[1] != len(evaluation.judges):
        raise DataError(
            f"codes must have one column per judge ({len(evaluation.judges)}); got shape {tuples.shape}"
        )
    chance = np.repeat(evaluation.prevalence[None, :], len(tuples), axis=0)
    for judge, column in enumerate(tuples.T):
        answered = column != NOT_ANSWERED
        chance[answered] = chance[answered] * evaluation.confusion[judge].T[column[answered]]
    return chance


def pmf(evaluation: Evaluation, codes: ArrayLike) -> NDArray[Any]:
    """Return (U,): the chance of each decision tuple; see `joint`.

    Examples
    --------
    >>> half, sure = Fraction(1, 2), [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    >>> e = Evaluation(("i",), ("a", "b"), ("a", "b"), np.array([half, half]), np.array([sure]))
    >>> pmf(e, [[0], [1]]).tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """
    result: NDArray[Any] = joint(evaluation, codes).sum(axis=1)
    return result


def posterior(evaluation: Evaluation, codes: ArrayLike) -> NDArray[np.float64]:
    """Return (U, R): the chance of each true label given the decision tuple (Bayes' rule).

    Rows that the evaluation gives no chance at all are NaN.
    """
    chance = joint(evaluation.to_floats(), codes).astype(float)
    total = chance.sum(axis=1, keepdims=True)
    unknown = np.full_like(chance, np.nan)
    result: NDArray[np.float64] = np.divide(chance, total, out=unknown, where=total > 0)
    return result


def exact_exam(evaluation: Evaluation, n_items: int | None = None) -> KeyedSketch:
    """Exam on which the judges' errors are exactly independent, in whole counts.

    Parameters
    ----------
    evaluation : Evaluation
        Exact prevalences and confusion tables, every one a fraction.
    n_items : int, optional
        Number of items; by default the smallest that makes every cell a whole number.

    Raises
    ------
    DataError
        If the numbers are not fractions, or `n_items` leaves a cell that is not whole.
    TooLargeError
        If there are more than four million cells.
    """
    if not evaluation.exact or any(
        not isinstance(v, Fraction | int)
        for v in [*evaluation.prevalence.ravel(), *evaluation.confusion.ravel()]
    ):
        raise DataError("the evaluation must hold exact fractions; got floats; give Fractions")
    n, r, a = evaluation.confusion.shape
    if a**n * r > _MOST_CELLS:
        raise TooLargeError(
            f"an exact exam must have at most {_MOST_CELLS} cells; {a}^{n} x {r} asked for"
        )
    codes = np.array(list(product(range(a), repeat=n)), np.int16).reshape(-1, n)
    chance = joint(evaluation, codes)
    smallest = math.lcm(*(Fraction(value).denominator for value in chance.ravel()))
    items = smallest if n_items is None else n_items
    if items % smallest:
        raise DataError(
            f"n_items must be a multiple of {smallest} for whole counts; got {items}; change it"
        )
    keyed = np.array([[int(value * items) for value in row] for row in chance], np.int64)
    kept = keyed.sum(axis=1) > 0
    sketch = Sketch(*evaluation.axes, codes[kept], keyed[kept].sum(axis=1))
    return KeyedSketch(sketch, keyed[kept])


def sample(
    evaluation: Evaluation, n_items: int, *, seed: int | np.random.Generator, missing: float = 0.0
) -> Votes:
    """Draw votes with their key; each answer is left out at random with chance `missing`.

    Parameters
    ----------
    evaluation : Evaluation
        Prevalences and confusion tables, used as floats.
    n_items : int
    seed : int or numpy.random.Generator
        Randomness is always passed in.
    missing : float
        In [0, 1).
    """
    n_items = check_whole("n_items", n_items)
    if not 0 <= missing < 1:
        raise DataError(f"missing must lie in [0, 1); got {missing}; give a share")
    rng = np.random.default_rng(seed)
    floats = evaluation.to_floats()
    key = _draw(rng, np.broadcast_to(floats.prevalence, (n_items, len(floats.labels))))
    codes = np.stack([_draw(rng, table[key]) for table in floats.confusion], axis=1)
    codes[rng.random(codes.shape) < missing] = NOT_ANSWERED
    items = tuple(str(item) for item in range(1, n_items + 1))
    return Votes(items, *floats.axes, codes, key)


def _draw(rng: np.random.Generator, chances: NDArray[np.float64]) -> Codes:
    """Draw one category per row of chances."""
    cumulative = np.cumsum(chances, axis=1)
    if not np.allclose(cumulative[:, -1], 1.0, atol=1e-9):
        raise DataError(
            "every prevalence and confusion row must sum to 1 to be sampled; one does not"
        )
    below = rng.random((len(chances), 1)) >= cumulative[:, :-1]
    drawn: Codes = below.sum(axis=1).astype(np.int16)
    return drawn
