"""Trios of judges decoded as if their errors were independent: counts, rates, error bars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.correlation.error_bars import error_bars
from algeval.algebra.decoding.batch import STATUSES, decode_batch, inside
from algeval.data import Evaluation, Sketch, Votes
from algeval.data.reading import Joint, as_sketch
from algeval.rates.policy import MOST_TRIO_CELLS, MOST_TRIOS
from algeval.result import Status

__all__ = ["Trio", "decoded_trios"]

_PASSING = (Status.OK, Status.IRRATIONAL, Status.NOT_INTEGRAL)
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Trio:
    """What three judges say if their errors are independent.

    Attributes
    ----------
    judges : 3 str
    counts : 8 ints
        Items by their answers AAA, AAB, ..., BBB; A the first label.
    status : Status
    rate : float or None
        Share of the first label; None where the solution is none or leaves [0, 1].
    accuracies : (3, 2) array
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Counts
    status: Status
    rate: float | None
    accuracies: NDArray[np.float64]

    @property
    def n_items(self) -> int:
        """Items that all three answered."""
        return int(self.counts.sum())

    @property
    def evaluation(self) -> Evaluation:
        """The solution."""
        on_a, on_b = self.accuracies.T
        rows = [np.column_stack([on_a, 1 - on_a]), np.column_stack([1 - on_b, on_b])]
        shares = np.array([self.rate, 1 - (self.rate or 0.0)])
        return Evaluation(self.judges, self.labels, self.labels, shares, np.stack(rows, axis=1))

    def error(self, target: str) -> float | None:
        """Return the standard error of the rate; None where first order does not give one."""
        p = self.rate
        if p is None or not 0 < p < 1 or (self.accuracies.sum(1) == 1).any():
            return None
        of: Literal["exam", "population"] = "exam" if target == "items" else "population"
        with np.errstate(invalid="ignore"):
            error = error_bars(self.evaluation, self.n_items, of=of).prevalence
        return error if isfinite(error) else None

    def sketch(self) -> Sketch:
        """Return the counts alone."""
        codes = np.array(list(np.ndindex(2, 2, 2)))
        return Sketch(self.judges, self.labels, self.labels, codes, self.counts)


def decoded_trios(data: Joint) -> tuple[Trio, ...]:
    """Return trios of judges who answer with two labels, decoded; spread evenly where there are many.

    Items that one of the three did not answer, or answered with no label, are left out of its counts.
    """
    axes = data if isinstance(data, Votes) else as_sketch(data)
    chosen = _chosen(len(axes.judges), len(axes.codes))
    counts = np.array(list(_counts(data, chosen)), np.int64).reshape(-1, 8)
    chosen = [trio for trio, row in zip(chosen, counts, strict=True) if row.sum()]
    counts = counts[counts.sum(1) > 0]
    if not chosen:
        return ()
    batch = decode_batch(counts)
    passing = inside(batch.prevalence, batch.accuracies) & ~batch.tie
    return tuple(
        Trio(
            tuple(axes.judges[i] for i in trio),
            axes.labels,
            counts[row],
            STATUSES[int(batch.codes[row])],
            float(batch.prevalence[row])
            if passing[row] and STATUSES[int(batch.codes[row])] in _PASSING
            else None,
            batch.accuracies[row],
        )
        for row, trio in enumerate(chosen)
    )


def _chosen(n_judges: int, n_rows: int) -> list[tuple[int, ...]]:
    every: list[tuple[int, ...]] = list(combinations(range(n_judges), 3))
    most = min(MOST_TRIOS, max(1, MOST_TRIO_CELLS // max(1, n_rows)))
    if len(every) <= most:
        return every
    places = np.linspace(0, len(every) - 1, most).round().astype(int)
    return [every[place] for place in np.unique(places)]


def _counts(data: Joint, chosen: list[tuple[int, ...]]) -> Iterator[Counts]:
    """Yield how many items got each of the eight triples of answers."""
    if isinstance(data, Votes):
        codes, weights = data.codes, None
    else:
        sketch = as_sketch(data)
        codes, weights = sketch.codes, sketch.counts.astype(float)  # exact below 2^53
    columns = {i: np.ascontiguousarray(codes[:, i]) for trio in chosen for i in trio}
    for trio in chosen:
        one, two, three = (columns[i] for i in trio)
        kept = (one >= 0) & (one < 2) & (two >= 0) & (two < 2) & (three >= 0) & (three < 2)
        cells = (4 * one + 2 * two + three)[kept]
        times = None if weights is None else weights[kept]
        yield np.rint(np.bincount(cells, times, minlength=8)).astype(np.int64)
