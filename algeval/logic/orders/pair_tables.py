"""The pair tables of an exam as arrays: what judges gain by their answers, and what messages bound.

Order 2 asks what any two judges said together. In the best proof of what it rules out, each judge's gain
f[i](a; t) on its answers is shared out among the pairs it belongs to, as *messages* u: then each pair of
answers goes, by itself, to the label with the largest sum of its two messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algeval.logic.exam import Exam
from algeval.logic.orders.pair_counts import Pairs

__all__ = ["PairTables"]

Floats = NDArray[np.float64]
Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """Counts of answers, singly and in pairs; answers are places 0 to W - 1 of each judge's own order.

    Attributes
    ----------
    left, right : (P,) ints
        The judges of each pair.
    counts : (P, W, W) ints
        How often the two gave each pair of answers.
    single : (N, W) ints
        How often each judge gave each answer; the last one most often.
    code : (N, W) ints
        Which answer it is, -1 for none.
    held : (N, W) bool
        Whether a judge who answers so is held to the item.
    """

    left: Ints
    right: Ints
    counts: Ints
    single: Ints
    code: Ints
    held: Ints
    n_labels: int

    @classmethod
    def of(cls, exam: Exam, pairs: Pairs) -> Self:
        """Read the pairs of answers of an exam."""
        single = np.array([[out, *row] for out, row in zip(exam.missing, exam.counts, strict=True)])
        n_judges = len(single)
        order = np.argsort(single, axis=1, kind="stable")
        order = order[:, 0 if any(exam.missing) else 1 :]
        left, right = np.array([(i, j) for j in range(n_judges) for i in range(j)]).T
        tables = np.array([pairs[i, j] for i, j in zip(left.tolist(), right.tolist(), strict=True)])
        rows = np.arange(len(left))[:, None, None]
        return cls(
            left=left,
            right=right,
            counts=tables[rows, order[left][:, :, None], order[right][:, None, :]],
            single=np.take_along_axis(single, order, 1),
            code=order - 1,
            held=np.full(order.shape, exam.rule == "wrong") | (order > 0),
            n_labels=exam.n_labels,
        )

    @property
    def n_judges(self) -> int:
        """N."""
        return len(self.single)

    @property
    def n_items(self) -> int:
        """Q."""
        return int(self.single[0].sum())

    @property
    def names(self) -> list[tuple[int, int]]:
        """P pairs of judges."""
        return list(zip(self.left.tolist(), self.right.tolist(), strict=True))

    @property
    def given(self) -> Ints:
        """(N, W) whether a judge ever gave an answer."""
        given: Ints = self.single > 0
        return given

    def hits(self) -> Ints:
        """(N, W, R) 0/1: the answer is the label."""
        hits: Ints = (self.code[:, :, None] == np.arange(self.n_labels)).astype(np.int64)
        return hits * self.given[:, :, None]

    def losses(self) -> Ints:
        """(N, W) 0/1: the judge gave the answer and is held to the item."""
        losses: Ints = (self.held & self.given).astype(np.int64)
        return losses

    def shared(self, gains: Any) -> tuple[Any, Any]:
        """Return messages (P, W, R) to each pair from its two judges: equal shares of gains (N, W, R)."""
        equal = gains / (self.n_judges - 1)
        return equal[self.left], equal[self.right]

    def received(self, first: Any, second: Any) -> Any:
        """(N, ...) the sums of messages (P, ...) from the left and the right judge of each pair."""
        total = np.zeros((self.n_judges, *first.shape[1:]), first.dtype)
        np.add.at(total, self.left, first)
        np.add.at(total, self.right, second)
        return total
