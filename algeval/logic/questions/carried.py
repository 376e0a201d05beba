"""One assignment of true labels to all items so far, carried along a stream.

While it meets the levels asked, it is a full-order witness: no answer of a solver is needed to know
that the alarm is silent. It proves nothing when it fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from algeval.logic.demand import Asked

__all__ = ["Carried"]

Whole = NDArray[np.object_]


class Carried:
    """Counts of an assignment: correct[i, t] of held[i, t] items, key[t] items in all.

    Each new item gets the label on which its judges fall short least; `replace` takes over a better
    assignment when a solver has found one.
    """

    def __init__(self, n_judges: int, n_labels: int, *, excluded: bool) -> None:
        self.excluded = excluded
        self.correct: Whole = _zeros(n_judges, n_labels)
        self.held: Whole = _zeros(n_judges, n_labels)
        self.key = [0] * n_labels
        self.levels: Whole | None = None

    def add(self, code: Sequence[int], count: int) -> None:
        """Give items with one decision tuple the label that hurts least."""
        short = [self._shortfall(code, count, t) for t in range(len(self.key))]
        self._put(code, count, short.index(min(short)))

    def _put(self, code: Sequence[int], count: int, label: int) -> None:
        answers = np.array(code)
        self.correct[answers == label, label] += count
        held = answers >= 0 if self.excluded else answers >= -1
        self.held[held, label] += count
        self.key[label] += count

    def _shortfall(self, code: Sequence[int], count: int, label: int) -> tuple[Fraction, int]:
        """Return how much more the judges fall short with this label, and how many are wrong."""
        answers = np.array(code)
        right = answers == label
        held = (answers >= 0) | (not self.excluded)
        wrong = int((held & ~right).sum())
        if self.levels is None:
            return Fraction(0), wrong
        before = self.levels[:, label] * self.held[:, label] - self.correct[:, label]
        change = self.levels[:, label] * held.astype(object) - right.astype(object)
        after = before + count * change
        more = sum(max(b, 0) - max(a, 0) for a, b in zip(before, after, strict=True))
        return Fraction(more), wrong

    def holds(self, asked: Asked) -> bool:
        """Whether the assignment meets the levels, and the bounds on the answer key."""
        levels = np.array([[x or 0 for x in row] for row in asked.levels], dtype=object)
        self.levels = levels
        bounded = all(a <= q <= b for a, q, b in zip(asked.low, self.key, asked.high, strict=True))
        return bounded and bool((self.correct >= levels * self.held).all())

    def replace(self, codes: Sequence[Sequence[int]], cells: Sequence[Sequence[int]]) -> None:
        """Take over an assignment: cells[u][t] items with tuple codes[u] have label t."""
        self.correct[:], self.held[:] = 0, 0
        self.key = [0] * len(self.key)
        for code, row in zip(codes, cells, strict=True):
            for label, count in enumerate(row):
                if count:
                    self._put(code, count, label)


def _zeros(n_judges: int, n_labels: int) -> Whole:
    return np.zeros((n_judges, n_labels), dtype=object)
