"""Sums over all decision tuples in floats, block by block, so that memory does not grow with them.

Where judges answered few of the items each, only what they answered is stored and summed.

Row u, label t of a table stands for "the items of tuple u have true label t". Judge i then gains
1[u_i = t], and is held to the item or not. Tables of judges are (N, R), tables of tuples (U, R).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.logic.orders.labelling import Labelling
from algeval.logic.policy import SPARSE_BELOW, TUPLE_BLOCK
from algeval.logic.proof.clock import Clock

__all__ = ["SparseSums", "TupleSums"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TupleSums:
    """Decision tuples (U, N), the share of the items that each is, and who is held to which."""

    codes: NDArray[np.int32]
    share: Floats
    held: NDArray[np.bool_]
    n_labels: int

    @classmethod
    def of(cls, labelling: Labelling) -> TupleSums:
        """Read a labelling."""
        counts = labelling.counts.astype(float)
        codes = labelling.codes.astype(np.int32)
        held = labelling.held
        kind = SparseSums if issubclass(SparseSums, cls) and held.mean() < SPARSE_BELOW else cls
        return kind(codes, counts / counts.sum(), held, labelling.n_labels)

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


class SparseSums(TupleSums):
    """The same sums over the answers that were given, where most judges are held to few items."""

    @cached_property
    def _given(self) -> Any:
        """(U, N) sparse: 1 where a judge is held to the item."""
        from scipy import sparse

        sp: Any = sparse
        return sp.csr_array(self.held, dtype=float)

    @cached_property
    def _right(self) -> list[Any]:
        """Per label (U, N) sparse: 1 where a judge answers so."""
        from scipy import sparse

        sp: Any = sparse
        return [sp.csr_array(self.codes == t, dtype=float) for t in range(self.n_labels)]

    def scores(self, gain: Floats, loss: Floats) -> Floats:
        """(U, R) what each label gains and loses in a tuple, over all judges."""
        columns = [self._right[t] @ gain[:, t] for t in range(self.n_labels)]
        result: Floats = np.column_stack(columns) - self._given @ loss
        return result

    def right_and_held(self, table: Floats) -> tuple[Floats, Floats]:
        """(N, R) shares of all items that judges have right, and are held to, by label."""
        part = self.share[:, None] * table
        right = [self._right[t].T @ part[:, t] for t in range(self.n_labels)]
        return np.column_stack(right), self._given.T @ part

    def curvature(self, give: Floats, levels: Floats, clock: Clock) -> Floats | None:
        """(R * N, R * N) how surpluses react to weights, label by label; see `TupleSums`."""
        from scipy import sparse

        sp: Any = sparse
        n_judges, n_labels = self.shape
        result = np.zeros((n_labels * n_judges,) * 2)
        rows = [self._right[t] - self._given * levels[None, :, t] for t in range(n_labels)]
        ready = np.sqrt(self.share / give.sum(1))
        for s, t in combinations(range(n_labels), 2):
            if clock.over:
                return None
            weight = (ready * np.sqrt(give[:, s] * give[:, t]))[:, None]
            b = sp.hstack([rows[s] * weight, rows[t] * -weight]).tocsr()
            places = np.r_[_of(s, n_judges), _of(t, n_judges)]
            result[np.ix_(places, places)] += (b.T @ b).toarray()
        return result
