"""What judges who contradict one another cannot all be: of two different answers one at most is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from algeval.data import KeyedSketch, Votes
from algeval.data.names import NOT_ANSWERED, Codes, positions
from algeval.data.reading import Joint, as_joint, as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.result.base import Record

__all__ = ["CallAccuracy", "accuracy_of_calls", "most_contradicting"]

_ROWS = 1 << 16
Counted = tuple[Codes, NDArray[np.int64]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CallAccuracy(Record):
    """How often several calls can be right, all of them together, whatever the truth.

    Attributes
    ----------
    calls : tuple of str
        The judges, or the calls of one judge: orders of the answers, repetitions.
    lowest, highest : Fraction
        Share of their answers that is right.
    contradicted : Fraction
        Share of the items with two or more of their answers on which these differ.
    n_answers : int
    """

    calls: tuple[str, ...]
    lowest: Fraction
    highest: Fraction
    contradicted: Fraction
    n_answers: int


def accuracy_of_calls(data: Source, calls: Iterable[object] | None = None) -> CallAccuracy:
    """Return how accurate several calls can be on average, from their contradictions alone.

    Use it on a judge asked twice, with the order of two answers swapped or in other words: if its
    answers differ on a share c of the items, it is right on at most 1 - c/2 of the calls. For two
    judges it bounds the mean of their accuracies.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never read.
    calls : names of judges, optional
        Two or more; default all.

    Raises
    ------
    DataError
        If there are fewer than two calls, or none of them answered anything.

    Notes
    -----
    On an item whose label is l exactly the calls that answered l are right: between the fewest and the
    most that any label got. Answers that are no label are never right.

    Examples
    --------
    >>> swapped = {"A first": ["A", "A", "B", "B"], "B first": ["A", "B", "B", "A"]}
    >>> accuracy_of_calls(swapped).highest
    Fraction(3, 4)
    """
    data = as_joint(read_data(data))
    judges, labels = _axes(data)
    names = judges if calls is None else tuple(map(str, calls))
    places = positions("judge", names, judges)
    if len(places) < 2:
        raise DataError(f"calls must be two or more; got {len(places)}; name them in calls=")
    codes, weights = _counted(data)
    given = np.stack([(codes[:, places] == t).sum(1) for t in range(len(labels))])
    answered = (codes[:, places] != NOT_ANSWERED).sum(1)
    total = int(answered @ weights)
    if not total:
        raise DataError(f"calls must have answered something; {list(names)} did not; choose others")
    apart = (answered > 1) & (given.max(0) < answered)
    several = int(weights[answered > 1].sum())
    return CallAccuracy(
        calls=tuple(names),
        lowest=Fraction(int(given.min(0) @ weights), total),
        highest=Fraction(int(given.max(0) @ weights), total),
        contradicted=Fraction(int(weights[apart].sum()), several) if several else Fraction(0),
        n_answers=total,
    )


def _axes(data: Joint) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return judges and labels."""
    named = data.sketch if isinstance(data, KeyedSketch) else data
    return named.judges, named.labels


def _counted(data: Joint) -> Counted:
    """Return rows of answers, and how many items each stands for."""
    if isinstance(data, Votes):
        return data.codes, np.ones(len(data.codes), np.int64)
    sketch = as_sketch(data)
    return sketch.codes, sketch.counts


def most_contradicting(data: Joint) -> tuple[str, str] | None:
    """Return the two judges who differ on the largest share of the items both answered.

    Examples
    --------
    >>> most_contradicting(Votes.from_columns({"x": "aab", "y": "aab", "z": "baa"}))
    ('x', 'z')
    """
    codes, weights = _counted(data)
    judges, labels = _axes(data)
    same, both = np.zeros((2, len(judges), len(judges)))
    for start in range(0, len(codes), _ROWS):
        part, times = codes[start : start + _ROWS], weights[start : start + _ROWS]
        for place in range(len(labels)):
            same += _together(part == place, times)
        both += _together(part != NOT_ANSWERED, times)
    share = [
        (Fraction(int(both[i, j] - same[i, j]), int(both[i, j])), -i, -j)
        for i, j in combinations(range(len(judges)), 2)
        if both[i, j]
    ]
    if not share:
        return None
    _, i, j = max(share)
    return judges[-i], judges[-j]


def _together(gave: NDArray[np.bool_], times: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return on how many items two judges both did; floats, exact below 2^53."""
    floats = gave.astype(float)
    weighted = floats if times.max() == 1 else floats * times[:, None]
    found: NDArray[np.float64] = floats.T @ weighted
    return found
