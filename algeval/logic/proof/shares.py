"""Programs whose unknowns lay observed counts on the labels: every question of every order.

Every unknown is a share v[p,t] of a known total p (the items of a decision tuple, of a pair of
answers, of one judge's answer, or all items) that goes to label t, so the shares of a total add up
to it. All other rows couple shares or state conditions. For given multipliers of those rows the
best multiplier of each total is a maximum over labels, so it is found exactly, whatever rounding
the others went through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from algeval.logic.policy import SAFE
from algeval.logic.proof.outcome import Evidence

__all__ = [
    "Extra",
    "Ints",
    "Node",
    "RowId",
    "Rows",
    "Shares",
    "best_totals",
    "empty_total",
    "refutation",
]

Ints = np.ndarray[Any, np.dtype[Any]]
RowId = tuple[Any, ...]
Writer = Callable[[Sequence[tuple[RowId, int]], Sequence[int]], Evidence | None]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of whole numbers: a * first + b * second >= bound, or = bound, each `scale` times the real row.

    The two matrices hold 0, 1 and -1, so that products stay exact however long the numbers of a
    condition are.

    Attributes
    ----------
    ids : M row ids
    first, second : (M, n) sparse int64
    a, b, bound, scale : M ints
    equal : (M,) bool
    """

    ids: tuple[RowId, ...]
    first: Any
    second: Any
    a: tuple[int, ...]
    b: tuple[int, ...]
    bound: tuple[int, ...]
    scale: tuple[int, ...]
    equal: Ints

    @classmethod
    def of(
        cls, ids: Sequence[RowId], matrix: Any, bound: Sequence[int], *, equal: bool = False
    ) -> Rows:
        """Return rows matrix v >= bound (or = bound)."""
        ones = (1,) * len(ids)
        nothing = _empty(matrix.shape)
        which = np.full(len(ids), equal)
        return cls(tuple(ids), matrix, nothing, ones, (0,) * len(ids), tuple(bound), ones, which)

    @property
    def n_entries(self) -> int:
        """How many entries of the matrices are not 0."""
        return int(self.first.nnz + self.second.nnz)

    def __add__(self, other: Rows) -> Rows:
        return Rows(
            self.ids + other.ids,
            _stacked(self.first, other.first),
            _stacked(self.second, other.second),
            self.a + other.a,
            self.b + other.b,
            self.bound + other.bound,
            self.scale + other.scale,
            np.concatenate([self.equal, other.equal]),
        )

    def kept(self, places: Ints) -> Rows:
        """Return some of the rows."""

        def some(values: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(values[p] for p in places.tolist())

        return Rows(
            some(self.ids),
            self.first[places],
            self.second[places],
            some(self.a),
            some(self.b),
            some(self.bound),
            some(self.scale),
            self.equal[places],
        )

    def values(self, shares: Ints) -> list[int]:
        """Return the left sides at whole-number shares (n,), exactly."""
        first, second = _times(self.first, shares), _times(self.second, shares)
        return [a * v + b * w for a, v, b, w in zip(self.a, first, self.b, second, strict=True)]

    def summed(self, weights: Sequence[int]) -> Ints:
        """(n,) the sum of the rows, each times a whole number, exactly."""
        total: Ints = np.zeros(self.first.shape[1], object)
        for matrix, factors in ((self.first, self.a), (self.second, self.b)):
            times = [w * k for w, k in zip(weights, factors, strict=True)]
            if any(times):
                total = total + _times_rows(matrix, times)
        return total

    @cached_property
    def real(self) -> tuple[Any, Ints]:
        """Return the rows and their bounds in floats, each row at its real size."""
        a, b, bound = (
            np.array([float(Fraction(v, s)) for v, s in zip(part, self.scale, strict=True)])
            for part in (self.a, self.b, self.bound)
        )
        matrix = self.first.multiply(a[:, None]) + self.second.multiply(b[:, None])
        return matrix.tocsr(), bound


def _empty(shape: tuple[int, int]) -> Any:
    from scipy import sparse

    return sparse.csr_array(shape, dtype=np.int64)


def _stacked(above: Any, below: Any) -> Any:
    from scipy import sparse

    return sparse.vstack([above, below]).tocsr()


def _times(matrix: Any, vector: Ints) -> list[int]:
    """Return matrix @ vector in exact whole numbers."""
    most = max((abs(int(v)) for v in (vector.max(initial=0), vector.min(initial=0))), default=0)
    if vector.dtype != object and most * max(1, matrix.nnz) < SAFE:
        result: list[int] = (matrix @ vector).tolist()
        return result
    table = matrix.tocoo()
    values, out = vector.tolist(), [0] * matrix.shape[0]
    entries = zip(table.row.tolist(), table.col.tolist(), table.data.tolist(), strict=True)
    for row, column, entry in entries:
        out[row] += entry * values[column]
    return out


def _times_rows(matrix: Any, weights: Sequence[int]) -> Ints:
    used = [r for r, w in enumerate(weights) if w]
    part = matrix[used].T.tocsr()
    chosen = [weights[r] for r in used]
    small = max(map(abs, chosen)) < SAFE
    return np.array(_times(part, np.array(chosen, np.int64 if small else object)), object)


@dataclass(frozen=True, slots=True)
class Extra:
    """A row that holds at a node: sign * (sum of columns) >= bound."""

    name: RowId
    columns: tuple[int, ...]
    sign: int
    bound: int


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """What is known below some splits: low <= v <= high, (P, R), and further rows.

    `cited` says which split narrowed a bound, for those the verifier does not narrow by itself.
    """

    low: Ints
    high: Ints
    cited: Mapping[tuple[int, int], int] = field(default_factory=dict)
    extra: tuple[Extra, ...] = ()
    depth: int = 0

    def narrowed(self, column: int, at: int, *, above: bool) -> Node:
        """Return the side on which the unknown is at most `at`, or at least `at + 1`."""
        low, high = self.low.copy(), self.high.copy()
        if above:
            low.flat[column] = max(low.flat[column], at + 1)
        else:
            high.flat[column] = min(high.flat[column], at)
        cited = dict(self.cited)
        if column >= low.shape[1]:
            cited[column, int(above)] = self.depth
        return replace(self, low=low, high=high, cited=cited, depth=self.depth + 1)

    def with_row(self, columns: Sequence[int], at: int, *, above: bool) -> Node:
        """Return the side on which a sum of unknowns is at most `at`, or at least `at + 1`."""
        sign, bound = (1, at + 1) if above else (-1, -at)
        row = Extra(("split", self.depth), tuple(columns), sign, bound)
        return replace(self, extra=(*self.extra, row), depth=self.depth + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The program of one specification.

    Part 0 is the answer key: its total is Q and its shares are q[t].

    Attributes
    ----------
    totals : (P,) ints
    parts : P row ids
        The row that says that the shares of a total add up to it.
    forms : P tuples
        What a split on share t of a part is called, without t.
    rows : Rows
        Every other row.
    low, high : (P, R) ints
    rounded : sequence of (row id, columns of C, level, label)
        C >= ceil(x l) wherever q[t] >= l.
    asked : mapping {(judge, label): columns}
        The unknowns that add up to C[i,t], where something is asked of it.
    n_first : int
        How many of the first totals to split before the rest.
    floors : R row ids or None
        The condition that bounds q[t] from below.
    links : ints
        Per label the row, if there is just one, that says that other shares add up to q[t]. Its
        multiplier follows from what is to be left on q[t].
    write : callable or None
        Another way to write a refutation from (row id, multiplier) pairs and what is left on the
        key, where there is one.
    """

    totals: Ints
    parts: Sequence[RowId]
    forms: Sequence[RowId]
    rows: Rows
    low: Ints
    high: Ints
    rounded: Sequence[tuple[RowId, tuple[int, ...], Fraction, int]] = ()
    asked: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    n_first: int = 1
    floors: Sequence[RowId | None] = ()
    links: tuple[int, ...] = ()
    write: Writer | None = None

    @property
    def n_labels(self) -> int:
        """Number of labels, R."""
        return int(self.low.shape[1])

    @property
    def n_columns(self) -> int:
        """Number of unknowns."""
        return int(self.low.size)

    def root(self) -> Node:
        """Return the node without splits."""
        return self.refreshed(Node(self.low, self.high))

    def refreshed(self, node: Node) -> Node:
        """Return a node with the rows that follow from its bounds on the answer key."""
        extra = [row for row in node.extra if row.name[0] == "split"]
        for name, columns, x, t in self.rounded:
            least = -(-x.numerator * int(node.low[0, t]) // x.denominator)
            if least > 0:
                extra.append(Extra(name, columns, 1, least))
        return replace(node, extra=tuple(extra))

    def plain(self) -> Shares:
        """Return the program without the rows that only follow from others: caps and roundings."""
        kept = [r for r, name in enumerate(self.rows.ids) if name[0] != "cap"]
        return replace(self, rows=self.rows.kept(np.array(kept, np.intp)), rounded=())

    def with_row(
        self,
        first: tuple[Sequence[int], int],
        second: tuple[Sequence[int], int],
        bound: int,
        *,
        scale: int = 1,
    ) -> Shares:
        """Return the program with the row that two sums of columns, times numbers, are >= bound.

        No certificate names it.
        """
        (columns, a), (others, b) = first, second
        sums = self._sum_of(columns), self._sum_of(others)
        row = Rows((("asked",),), *sums, (a,), (b,), (bound,), (scale,), np.array([False]))
        return replace(self, rows=self.rows + row)

    def _sum_of(self, columns: Sequence[int]) -> Any:
        from scipy import sparse

        sp: Any = sparse
        entries = (np.ones(len(columns), np.int64), ([0] * len(columns), list(columns)))
        return sp.csr_array(entries, shape=(1, self.n_columns), dtype=np.int64)

    def split_form(self, column: int) -> list[Any]:
        """Return the name of an unknown as certificates write it."""
        part, t = divmod(column, self.n_labels)
        return [*self.forms[part], t]

    def satisfied(self, shares: Ints) -> bool:
        """Check whole-number shares (P, R) exactly."""
        if (shares < self.low).any() or (shares > self.high).any():
            return False
        if not np.array_equal(shares.sum(1), self.totals):
            return False
        reach = self.rows.values(shares.ravel())
        return all(
            v == b if equal else v >= b
            for v, b, equal in zip(reach, self.rows.bound, self.rows.equal.tolist(), strict=True)
        )


def refutation(shares: Shares, node: Node, base: Ints, extra: Sequence[int]) -> Evidence | None:
    """Return multipliers as evidence if they prove, exactly, that no shares meet the rows.

    Parameters
    ----------
    shares, node : Shares, Node
    base : (M,) whole numbers (objects or int64)
        Multipliers of the rows of `shares`, >= 0 on inequalities; at `links`, what is to be left
        on the counts of the answer key.
    extra : whole numbers >= 0
        Multipliers of the rows of the node.
    """
    rows = shares.rows
    base = base.astype(object)
    left = {t: int(base[r]) for t, r in enumerate(shares.links)}
    base[list(shares.links)] = 0
    used = np.flatnonzero(base).tolist()
    common = lcm(*(rows.scale[r] for r in used), 1)
    weights = [0] * len(rows.ids)
    for r in used:
        weights[r] = int(base[r]) * (common // rows.scale[r])
    gains, right = rows.summed(weights), sum(w * rows.bound[r] for r, w in enumerate(weights) if w)
    for y, row in zip(extra, node.extra, strict=True):
        if y:
            right += y * common * row.bound
            gains[list(row.columns)] += y * common * row.sign
    named: list[tuple[RowId, int]] = [(rows.ids[r], int(base[r]) * common) for r in used]
    named += [(row.name, y * common) for y, row in zip(extra, node.extra, strict=True) if y]
    linked = [0] * len(rows.ids)
    for t, r in enumerate(shares.links):
        linked[r] = int(gains[t]) - left[t] * common
    if any(linked):
        gains = gains + rows.summed(linked)
    gains = _compact(gains.reshape(node.low.shape), shares, node)
    offset, reach = best_totals(gains, node.low, node.high, shares.totals)
    if sum(reach.tolist()) >= right:
        return None
    final = gains + offset[:, None]
    cited = _cited_bounds(final, node)
    if shares.write is not None and not cited:
        written = shares.write(named, final[0].tolist())
        if written is not None:
            return written
    named += [(rows.ids[r], linked[r]) for r in shares.links if linked[r]]
    named += [(shares.parts[p], int(offset[p])) for p in np.flatnonzero(offset).tolist()]
    return _as_evidence(named + cited)


def _compact(gains: Ints, shares: Shares, node: Node) -> Ints:
    """Return whole numbers as 64-bit ones where every product and sum stays within."""
    most = max((abs(v) for v in gains.ravel().tolist()), default=0)
    largest = max(int(shares.totals.max(initial=0)), int(node.high.max(initial=0)), 1)
    return gains.astype(np.int64) if most * largest * 4 * gains.size < SAFE else gains


def best_totals(gains: Ints, low: Ints, high: Ints, totals: Ints) -> tuple[Ints, Ints]:
    """Return per total the multiplier that bounds its shares best, and the bound (P,).

    sum over t of max of (gain + y) v over low <= v <= high, less y * total, is convex and piecewise
    linear in y with kinks at -gain.
    """
    low, high, totals = (np.asarray(part).astype(gains.dtype) for part in (low, high, totals))
    best = reach = None
    for t in range(gains.shape[1]):
        y = -gains[:, t]
        w = gains + y[:, None]
        value = np.where(w > 0, w * high, w * low).sum(1) - y * totals
        if best is None or reach is None:
            best, reach = y, value
        else:
            better = value < reach
            best, reach = np.where(better, y, best), np.where(better, value, reach)
    if best is None or reach is None:
        best = reach = np.zeros(0, np.int64)
    return best, reach


def _cited_bounds(weights: Ints, node: Node) -> list[tuple[RowId, int]]:
    """Cite the splits behind bounds that the verifier does not narrow: each absorbs its weight."""
    rows: list[tuple[RowId, int]] = []
    for (column, above), split in node.cited.items():
        w = int(weights.flat[column])
        if (w > 0 and not above) or (w < 0 and above):
            rows.append((("split", split), abs(w)))
    return rows


def _as_evidence(rows: Sequence[tuple[RowId, int]]) -> Evidence:
    shared = gcd(*(y for _, y in rows)) or 1
    return {"kind": "multipliers", "rows": [[list(name), str(y // shared)] for name, y in rows]}


def empty_total(shares: Shares, node: Node) -> Evidence | None:
    """Refute a node at which the bounds of the shares of one total contradict it."""
    for t, floor in enumerate(shares.floors):
        if floor is not None and shares.low[0, t] > shares.high[0, t]:
            return _as_evidence([(floor, 1)])
    over, under = node.low.sum(1) > shares.totals, node.high.sum(1) < shares.totals
    for p in np.flatnonzero(over | under).tolist():
        y = 1 if under[p] else -1
        weights = np.zeros(node.low.shape, np.int64)
        weights[p] = y
        return _as_evidence([(shares.parts[p], y), *_cited_bounds(weights, node)])
    return None
