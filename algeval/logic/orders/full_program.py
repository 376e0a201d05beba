"""The full-order program: whole numbers n(u; t) that lay every decision tuple on the labels.

Written once for both rules of missing answers: `held` says on which tuples a judge is held to
the item. C[i,t] sums n(u;t) over tuples where judge i answers t, D[i,t] over those i is held to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np

__all__ = [
    "FullProgram",
    "Ints",
    "Levels",
    "cap_judges",
    "level_array",
    "pairs_asked",
    "uniform",
]

Ints = np.ndarray[Any, np.dtype[Any]]
Levels = list[list[Fraction | None]]


@dataclass(frozen=True, slots=True, eq=False)
class FullProgram:
    """Decision tuples (U, N), their counts (U,), and who is held to which of them.

    `always` (N,) says which judges are held to every item, D[i,t] = q[t]: only their counts of
    correct answers may be rounded up from bounds on the answer key. `low` and `high` (R,) bound
    the answer key itself: low <= q <= high.
    """

    codes: Ints
    counts: Ints
    n_labels: int
    held: Ints
    always: Ints
    low: tuple[int, ...]
    high: tuple[int, ...]

    @classmethod
    def build(
        cls,
        codes: Ints,
        counts: Ints,
        n_labels: int,
        *,
        missing: str,
        low: Sequence[int] | None = None,
        high: Sequence[int] | None = None,
    ) -> Self:
        """Read arrays as a sketch holds them; `missing` is "excluded" or "wrong"."""
        codes = np.asarray(codes, np.int64)
        held = np.ones(codes.shape, bool) if missing == "wrong" else codes >= 0
        always: Ints = np.asarray(held.all(0))
        counts = np.asarray(counts, np.int64)
        n_items = int(counts.sum())
        lowest = tuple(max(0, int(q)) for q in low) if low is not None else (0,) * n_labels
        highest = tuple(min(n_items, int(q)) for q in high) if high is not None else None
        return cls(codes, counts, n_labels, held, always, lowest, highest or (n_items,) * n_labels)

    @property
    def bounded(self) -> bool:
        """Whether the answer key is bounded at all."""
        return any(self.low) or min(self.high) < self.n_items

    @property
    def n_judges(self) -> int:
        """N."""
        return int(self.codes.shape[1])

    @property
    def n_items(self) -> int:
        """Q."""
        return int(self.counts.sum())

    def observed(self) -> Ints:
        """(N, R) how often each judge gave each label."""
        return np.stack([self.counts @ (self.codes == t) for t in range(self.n_labels)], 1)

    def correct(self, cells: Ints) -> Ints:
        """(N, R) correct answers C of a labelled sketch, cells (U, R)."""
        return np.stack([cells[:, t] @ (self.codes == t) for t in range(self.n_labels)], 1)

    def held_counts(self, cells: Ints) -> Ints:
        """(N, R) items D that each judge is held to, by label."""
        held: Ints = self.held.T.astype(np.int64) @ cells
        return held

    def key_fits(self, cells: Ints) -> bool:
        """Whether the key counts of a labelled sketch lie within their bounds."""
        key = cells.sum(0)
        return bool((key >= self.low).all() and (key <= self.high).all())

    def lowest(self, cells: Ints, mask: Ints) -> Fraction | None:
        """Return the least accuracy among the pairs in `mask`, None when every one is vacuous."""
        right, asked = self.correct(cells), self.held_counts(cells)
        pairs = zip(right[mask].tolist(), asked[mask].tolist(), strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=None)

    def meets(self, cells: Ints, levels: Levels) -> bool:
        """Whether a labelled sketch is one of this sketch and reaches every level, exactly."""
        if (cells < 0).any() or not np.array_equal(cells.sum(1), self.counts):
            return False
        if not self.key_fits(cells):
            return False
        right, asked = self.correct(cells).tolist(), self.held_counts(cells).tolist()
        return all(
            x is None or x.denominator * c >= x.numerator * d
            for row, c_row, d_row in zip(levels, right, asked, strict=True)
            for x, c, d in zip(row, c_row, d_row, strict=True)
        )


def uniform(level: Fraction, mask: Ints) -> Levels:
    """Return the same level for every pair (judge, label) in `mask`."""
    return [[level if asked else None for asked in row] for row in mask.tolist()]


def level_array(levels: Levels) -> Ints:
    """Return levels as floats, not-a-number where nothing is asked."""
    return np.array([[np.nan if x is None else float(x) for x in row] for row in levels])


def pairs_asked(levels: Levels) -> list[tuple[int, int]]:
    """Return the pairs (judge, label) of which something is asked that can fail."""
    return [
        (i, t) for i, row in enumerate(levels) for t, x in enumerate(row) if x is not None and x > 0
    ]


def cap_judges(program: FullProgram, levels: Levels) -> list[tuple[int, int] | None]:
    """Return the order-1 cap of each label, (cap, judge), None where nothing caps it.

    Judge i, held to every item, is right at most R[i,t] times on label t, so at level x the label
    occurs at most floor(R[i,t] / x) times.
    """
    observed = program.observed().tolist()
    caps: list[tuple[int, int] | None] = [None] * program.n_labels
    for i, t in pairs_asked(levels):
        x, known = levels[i][t], caps[t]
        if x and program.always[i]:
            cap = observed[i][t] * x.denominator // x.numerator
            caps[t] = (cap, i) if known is None or cap < known[0] else known
    return caps
