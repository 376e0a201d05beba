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

__all__ = ["Floats", "FreeTables", "Ints", "PairTables"]

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
    def fewest_held(self) -> int:
        """How many items the judge is held to who is held to the fewest, but for those held to none."""
        held = (self.single * self.held).sum(1)
        return int(held[held > 0].min(initial=self.n_items))

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


class FreeTables:
    """How changes of single tables hang on the free ones: the key, and all answers but the last.

    A free unknown is one of label t < R - 1; the last label and the last answer make up for it.
    """

    def __init__(self, tables: PairTables) -> None:
        self.tables = tables
        n, w, r = tables.n_judges, tables.single.shape[1], tables.n_labels
        self.shape = n, w, r
        self.size = (1 + n * (w - 1)) * (r - 1)
        own = np.arange(r - 1, self.size).reshape(n, (w - 1) * (r - 1))
        key = np.broadcast_to(np.arange(r - 1), (len(tables.left), r - 1))
        self.places = np.hstack([own[tables.left], own[tables.right], key])
        never = np.repeat(~tables.given[:, :-1].ravel(), r - 1)
        self.fixed = r - 1 + np.flatnonzero(never)

    def spread(self, free: Floats) -> Floats:
        """(N, W, R) the change of all single tables behind that of the free unknowns."""
        n, w, r = self.shape
        change = np.zeros((n, w, r))
        change[:, :-1, :-1] = free[r - 1 :].reshape(n, w - 1, r - 1)
        change[:, -1, :-1] = free[: r - 1] - change[:, :-1, :-1].sum(1)
        change[:, :, -1] = -change[:, :, :-1].sum(2)
        return change

    def gathered(self, table: Floats) -> Floats:
        """Return for tables (N, W, R) what its product with `spread` is: the transpose."""
        inner = table[:, :, :-1] - table[:, :, -1:]
        return np.concatenate([inner[:, -1].sum(0), (inner[:, :-1] - inner[:, -1:]).ravel()])

    def margins(self, table: Floats) -> Floats:
        """(P, H) sums of pair tables (P, W, W, R) that free unknowns have to equal."""
        inner = table[..., :-1]
        left, right = inner.sum(2), inner.sum(1)
        flat = len(table), -1
        parts = [left[:, :-1].reshape(flat), right[:, :-1].reshape(flat), left.sum(1)]
        return np.hstack(parts)

    def messages(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return messages (P, W, R) twice behind multipliers (P, H) of the margins."""
        _, w, r = self.shape
        split = (w - 1) * (r - 1)
        first, second = np.zeros((2, len(rows), w, r))
        first[:, :-1, :-1] = rows[:, :split].reshape(-1, w - 1, r - 1)
        second[:, :-1, :-1] = rows[:, split : 2 * split].reshape(-1, w - 1, r - 1)
        first[:, :, :-1] += rows[:, None, 2 * split :]
        return first, second

    def curvature(self, give: Floats, share: Floats) -> Floats:
        """(P, H, H) how margins react to their own multipliers."""
        p, w, _, r = give.shape
        inner = give[..., :-1] * share[..., None]
        cell = -(inner / give.sum(3)[..., None])[..., :, None] * give[..., None, :-1]
        cell[..., range(r - 1), range(r - 1)] += inner
        left, right, n = cell.sum(2), cell.sum(1), 2 * w - 1
        table = np.zeros((p, n, r - 1, n, r - 1))
        for a in range(w - 1):
            table[:, a, :, a] = left[:, a]
            table[:, w - 1 + a, :, w - 1 + a] = right[:, a]
        crossed = cell[:, :-1, :-1].transpose(0, 1, 3, 2, 4)
        table[:, : w - 1, :, w - 1 : -1] = crossed
        table[:, w - 1 : -1, :, : w - 1] = crossed.transpose(0, 3, 4, 1, 2)
        table[:, : w - 1, :, -1] = left[:, :-1]
        table[:, w - 1 : -1, :, -1] = right[:, :-1]
        table[:, -1, :, : w - 1] = left[:, :-1].transpose(0, 2, 1, 3)
        table[:, -1, :, w - 1 : -1] = right[:, :-1].transpose(0, 2, 1, 3)
        table[:, -1, :, -1] = left.sum(1)
        return table.reshape(p, n * (r - 1), n * (r - 1))

    def scattered(self, rows: Floats) -> Floats:
        """Sum rows (P, H) into the free unknowns they belong to."""
        total: Any = np.bincount(self.places.ravel(), rows.ravel(), self.size)
        sums: Floats = total
        return sums

    def scattered_squares(self, blocks: Floats) -> Floats:
        """Sum blocks (P, H, H) into a matrix of the free unknowns."""
        places = self.places[:, :, None] * self.size + self.places[:, None, :]
        total: Any = np.bincount(places.ravel(), blocks.ravel(), self.size**2)
        squares: Floats = total.reshape(self.size, self.size)
        return squares
