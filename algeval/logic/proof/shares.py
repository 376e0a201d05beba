"""Programs whose unknowns lay observed counts on the labels: order 2, and any question at full order.

Every unknown is a share v[p,t] of a known total p (the items of a decision tuple, of a pair of
answers, of one judge's answer, or all items) that goes to label t, so the shares of a total add up
to it. All other rows couple shares or state conditions. For given multipliers of those rows the
best multiplier of each total is a maximum over labels, so it is found exactly, whatever rounding
the others went through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

__all__ = [
    "Evidence",
    "Extra",
    "Ints",
    "Node",
    "ShareRows",
    "Shares",
    "empty_total",
    "refutation_of_rows",
]

Ints = np.ndarray[Any, np.dtype[Any]]
RowId = tuple[Any, ...]
Evidence = dict[str, Any]

_SAFE = 1 << 61


@dataclass(slots=True, eq=False)
class ShareRows:
    """Rows under construction: whole-number terms on columns p * R + t, `scale` times the real row."""

    ids: list[RowId] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[int] = field(default_factory=list)
    bound: list[int] = field(default_factory=list)
    scale: list[int] = field(default_factory=list)
    equal: list[bool] = field(default_factory=list)

    def add(
        self,
        name: RowId,
        terms: Mapping[int, int],
        bound: int,
        *,
        scale: int = 1,
        equal: bool = False,
    ) -> None:
        """Add a row: terms >= bound, or = bound."""
        self.place += [len(self.ids)] * len(terms)
        self.column += terms.keys()
        self.value += terms.values()
        self.ids.append(name)
        self.bound.append(bound)
        self.scale.append(scale)
        self.equal.append(equal)


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
    cited: Mapping[tuple[int, int], int]
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
    rows : ShareRows
        Every other row.
    matrix : (M, P * R) sparse ints
        The terms of `rows`.
    low, high : (P, R) ints
    rounded : sequence of (row id, columns of C, level, label)
        C >= ceil(x l) wherever q[t] >= l.
    correct : (N, R) lists of columns
        The unknowns that add up to C[i,t].
    n_first : int
        How many of the first totals to split before the rest.
    floors : R row ids or None
        The condition that bounds q[t] from below.
    """

    totals: Ints
    parts: Sequence[RowId]
    forms: Sequence[RowId]
    rows: ShareRows
    matrix: Any
    low: Ints
    high: Ints
    rounded: Sequence[tuple[RowId, tuple[int, ...], Fraction, int]]
    correct: Sequence[Sequence[tuple[int, ...]]]
    n_first: int = 1
    floors: Sequence[RowId | None] = ()

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
        return self.refreshed(Node(self.low, self.high, {}))

    def refreshed(self, node: Node) -> Node:
        """Return a node with the rows that follow from its bounds on the answer key."""
        extra = [row for row in node.extra if row.name[0] == "split"]
        for name, columns, x, t in self.rounded:
            least = -(-x.numerator * int(node.low[0, t]) // x.denominator)
            if least > 0:
                extra.append(Extra(name, columns, 1, least))
        return replace(node, extra=tuple(extra))

    def with_row(self, terms: Mapping[int, int], bound: int, *, scale: int = 1) -> Shares:
        """Return the program with one more row, terms >= bound; no certificate names it."""
        from scipy import sparse

        sp: Any = sparse
        own = self.rows
        rows = ShareRows(
            ids=[*own.ids, ("asked",)],
            bound=[*own.bound, bound],
            scale=[*own.scale, scale],
            equal=[*own.equal, False],
        )
        entries = np.array(list(terms.values()), np.int64), ([0] * len(terms), list(terms))
        more = sp.csr_array(entries, shape=(1, self.n_columns), dtype=np.int64)
        return replace(self, rows=rows, matrix=sp.vstack([self.matrix, more]).tocsr())

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
        reach = _times(self.matrix, shares.ravel())
        return all(
            v == b if equal else v >= b
            for v, b, equal in zip(reach, self.rows.bound, self.rows.equal, strict=True)
        )


def _small(matrix: Any, vector: Ints) -> bool:
    """Whether products and sums of these whole numbers stay far from 64 bits."""
    most = max((abs(int(v)) for v in (vector.max(initial=0), vector.min(initial=0))), default=0)
    largest = int(abs(matrix.data).max()) if matrix.nnz else 0
    return bool(most * largest * max(1, matrix.nnz) < _SAFE)


def _times(matrix: Any, vector: Ints) -> list[int]:
    """Return matrix @ vector in exact whole numbers."""
    if vector.dtype != object and _small(matrix, vector):
        result: list[int] = (matrix @ vector).tolist()
        return result
    table = matrix.tocoo()
    values, out = vector.tolist(), [0] * matrix.shape[0]
    for row, column, entry in zip(
        table.row.tolist(), table.col.tolist(), table.data.tolist(), strict=True
    ):
        out[row] += entry * values[column]
    return out


def refutation_of_rows(
    shares: Shares, node: Node, base: Ints, extra: Sequence[int]
) -> Evidence | None:
    """Return multipliers as evidence if they prove, exactly, that no shares meet the rows.

    Parameters
    ----------
    shares, node : Shares, Node
    base : (M,) whole numbers (objects or int64)
        Multipliers of the rows of `shares`, >= 0 on inequalities.
    extra : whole numbers >= 0
        Multipliers of the rows of the node.
    """
    used = np.flatnonzero(base)
    common = lcm(*(shares.rows.scale[r] for r in used), 1)
    weights = np.array([int(base[r]) * (common // shares.rows.scale[r]) for r in used], object)
    right = sum(int(w) * shares.rows.bound[r] for w, r in zip(weights, used, strict=True))
    if all(abs(int(w)) < _SAFE for w in weights):
        weights = weights.astype(np.int64)
    gains = np.array(_times(shares.matrix[used].T.tocsr(), weights), object)
    for y, row in zip(extra, node.extra, strict=True):
        if y:
            right += y * common * row.bound
            gains[list(row.columns)] += y * common * row.sign
    gains = _compact(gains.reshape(node.low.shape), shares, node)
    offset, reach = _best_totals(gains, node.low, node.high, shares.totals)
    if sum(reach.tolist()) >= right:
        return None
    rows: list[tuple[RowId, int]] = [
        (shares.rows.ids[r], int(base[r]) * common) for r in used.tolist()
    ]
    rows += [(row.name, y * common) for y, row in zip(extra, node.extra, strict=True) if y]
    rows += [(shares.parts[p], int(offset[p])) for p in np.flatnonzero(offset).tolist()]
    rows += _cited_bounds(gains + offset[:, None], node)
    return _as_evidence(rows)


def _compact(gains: Ints, shares: Shares, node: Node) -> Ints:
    """Return whole numbers as 64-bit ones where every product and sum stays within."""
    most = max((abs(v) for v in gains.ravel().tolist()), default=0)
    largest = max(int(shares.totals.max(initial=0)), int(node.high.max(initial=0)), 1)
    return gains.astype(np.int64) if most * largest * 4 * gains.size < _SAFE else gains


def _best_totals(gains: Ints, low: Ints, high: Ints, totals: Ints) -> tuple[Ints, Ints]:
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
