"""Sums over all decision tuples in floats, block by block, so that memory does not grow with them.

Row u, label t of a table stands for "the items of tuple u have true label t". Judge i then gains
1[u_i = t], and is held to the item or not. Tables of judges are (N, R), tables of tuples (U, R).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algeval.logic.orders.labelling import Labelling
from algeval.logic.policy import TUPLE_BLOCK
from algeval.logic.proof.clock import Clock

__all__ = ["TupleSums"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TupleSums:
    """Decision tuples (U, N), the share of the items that each is, and who is held to which."""

    codes: NDArray[np.int32]
    share: Floats
    held: NDArray[np.bool_]
    n_labels: int

    @classmethod
    def of(cls, labelling: Labelling) -> Self:
        """Read a labelling."""
        counts = labelling.counts.astype(float)
        codes = labelling.codes.astype(np.int32)
        return cls(codes, counts / counts.sum(), labelling.held, labelling.n_labels)

    @property
    def shape(self) -> tuple[int, int]:
        """(N, R) of a table of judges."""
        return self.codes.shape[1], self.n_labels

    def _blocks(self) -> Iterator[slice]:
        for start in range(0, len(self.codes), TUPLE_BLOCK):
            yield slice(start, start + TUPLE_BLOCK)

    def _hits(self, block: slice, t: int) -> Floats:
        hits: Floats = (self.codes[block] == t).astype(float)
        return hits

    def scores(self, gain: Floats, loss: Floats) -> Floats:
        """(U, R) what each label gains and loses in a tuple, over all judges."""
        result = np.empty((len(self.codes), self.n_labels))
        for block in self._blocks():
            result[block] = -(self.held[block].astype(float) @ loss)
            for t in range(self.n_labels):
                result[block, t] += self._hits(block, t) @ gain[:, t]
        return result

    def right_and_held(self, table: Floats) -> tuple[Floats, Floats]:
        """(N, R) shares of all items that judges have right, and are held to, by label."""
        right, held = np.zeros(self.shape), np.zeros(self.shape)
        for block in self._blocks():
            part = self.share[block, None] * table[block]
            held += self.held[block].T.astype(float) @ part
            for t in range(self.n_labels):
                right[:, t] += part[:, t] @ self._hits(block, t)
        return right, held

    def curvature(self, give: Floats, levels: Floats, clock: Clock) -> Floats | None:
        """(R * N, R * N) how surpluses react to weights, label by label.

        `give` (U, R) says how readily the shares of a tuple move. It is the sum over tuples and
        pairs of labels of w b b', with w = give give' / (sum of give), and b what all judges gain
        when an item passes from one label to the other. None if the time runs out on the way: the work
        grows with the squares of judges and of labels.
        """
        n_judges, n_labels = self.shape
        result = np.zeros((n_labels * n_judges,) * 2)
        for block in self._blocks():
            if clock.over:
                return None
            held = self.held[block].astype(float)
            rows = [self._hits(block, t) - held * levels[:, t] for t in range(n_labels)]
            ready = np.sqrt(self.share[block] / give[block].sum(1))
            for s, t in combinations(range(n_labels), 2):
                weight = (ready * np.sqrt(give[block, s] * give[block, t]))[:, None]
                b = np.hstack([rows[s] * weight, rows[t] * -weight])
                places = np.r_[_of(s, n_judges), _of(t, n_judges)]
                result[np.ix_(places, places)] += b.T @ b
        return result


def _of(t: int, n_judges: int) -> Any:
    return slice(t * n_judges, (t + 1) * n_judges)
