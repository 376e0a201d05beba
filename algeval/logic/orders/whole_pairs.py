"""Whole tables of judges and of their pairs near real ones, built up from small programs.

The key is rounded, then each judge's table by itself, then each pair's: with whole margins given, a pair
has a whole table nearly always where it has a real one. Where a pair has none, one of its judges is laid
out anew, so that real tables exist for all pairs it belongs to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.data import Sketch
from algeval.logic.orders.labelling import Levels
from algeval.logic.orders.pair_counts import pair_counts
from algeval.logic.orders.pair_interior import Middle
from algeval.logic.orders.pair_rounding import fitted_tables, rounded_cells
from algeval.logic.orders.pair_tables import Floats, Ints, PairTables
from algeval.logic.policy import MOST_REFITS, NEARLY_WHOLE, WIDER
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.solver import whole_point

__all__ = ["WholePairs", "labelled", "lay_out"]


@dataclass(frozen=True, slots=True, eq=False)
class WholePairs:
    """Whole tables of judges (N, W, R) and of pairs (P, W, W, R), which agree."""

    single: Ints
    pairs: Ints

    def lowest(self, tables: PairTables) -> Fraction:
        """Return the lowest accuracy; 1 where nobody is held to anything."""
        right, held = self.right_and_held(tables)
        pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))

    def right_and_held(self, tables: PairTables) -> tuple[Ints, Ints]:
        """(N, R) correct answers C, and items D each judge is held to."""
        right = (tables.hits() * self.single).sum(1)
        return right, (tables.losses()[:, :, None] * self.single).sum(1)


def lay_out(tables: PairTables, found: Middle, levels: Levels, clock: Clock) -> WholePairs | None:
    """Return whole tables near real ones that reach levels (N, R); None where none were found."""
    return _Builder(tables, found, levels, clock).run()


def labelled(tables: PairTables, sketch: Sketch, cells: Ints) -> WholePairs:
    """Return the tables behind a labelling (U, R) of whole decision tuples."""
    pairs = np.zeros((*tables.counts.shape, tables.n_labels), np.int64)
    for t in range(tables.n_labels):
        used = np.flatnonzero(cells[:, t])
        if not len(used):
            continue
        axes = sketch.judges, sketch.labels, sketch.answers
        counted = pair_counts(Sketch(*axes, sketch.codes[used], cells[used, t]))
        for p, (i, j) in enumerate(tables.names):
            pairs[p, :, :, t] = counted[i, j][np.ix_(tables.code[i] + 1, tables.code[j] + 1)]
    single = np.zeros((*tables.single.shape, tables.n_labels), np.int64)
    single[tables.left], single[tables.right] = pairs.sum(2), pairs.sum(1)
    return WholePairs(single, pairs)


class _Builder:
    def __init__(self, tables: PairTables, found: Middle, levels: Levels, clock: Clock) -> None:
        self.tables, self.clock = tables, clock
        self.levels = np.array([[float(x or 0) for x in row] for row in levels])
        self.real = found.single * tables.n_items
        self.near = found.pairs * tables.n_items
        self.key = _rounded(self.real[0].sum(0), tables.n_items)
        self.hits, self.losses = tables.hits(), tables.losses()
        self.single = np.zeros(self.real.shape, np.int64)
        self.pairs = np.zeros(self.near.shape, np.int64)
        self.names = tables.names
        self.known: dict[int, _Pair] = {}

    def run(self) -> WholePairs | None:
        for i in range(self.tables.n_judges):
            table = self._alone(i)
            if table is None:
                return None
            self.single[i] = table
        bad = self._lay(range(len(self.pairs)))
        for _ in range(MOST_REFITS):
            if not bad or self.clock.over:
                break
            bad = self._mended(bad)
        return None if bad or self.clock.over else WholePairs(self.single, self.pairs)

    def _mended(self, bad: list[int]) -> list[int]:
        """Lay out one judge of the bad pairs anew, the one in most of them; return what is bad then."""
        often = Counter(i for p in bad for i in self.names[p])
        for i, _ in often.most_common():
            known = self.single[i].copy()
            table = None if self.clock.over else self._refitted(i)
            if table is None:
                continue
            self.single[i] = table
            own = [p for p, pair in enumerate(self.names) if i in pair]
            left = sorted({*bad} - {*own}) + self._lay(own)
            if len(left) < len(bad):
                return left
            self.single[i] = known
            self._lay(own)
        return bad

    # one judge

    def _alone(self, i: int) -> Ints | None:
        """Round the table of a judge at the whole key, near its real one."""
        rows = self._rows_of(i)
        for more in WIDER:
            floor = np.floor(self.real[i] + NEARLY_WHOLE)
            low, high = np.maximum(floor - more, 0), np.ceil(self.real[i] - NEARLY_WHOLE) + more
            part = (self.real[i] - floor - 0.5) if not more else np.zeros(floor.shape)
            table = self._solved(rows, (low, np.maximum(low, high)), part)
            if table is not None:
                return table
        return None

    def _rows_of(self, i: int) -> list[tuple[Any, Any, Any]]:
        """Return what the table of a judge adds up to, and the levels it reaches."""
        width, labels = self.tables.single.shape[1], self.tables.n_labels
        adds = [
            np.kron(np.eye(width), np.ones(labels)),
            np.kron(np.ones(width), np.eye(labels)),
        ]
        whole = np.concatenate([self.tables.single[i], self.key])
        gain = self.hits[i] - self.losses[i][:, None] * self.levels[i]
        level = np.stack([(gain * (np.arange(labels) == t)).ravel() for t in range(labels)])
        return [(np.vstack(adds), whole, whole), (level, 0.0, np.inf)]

    def _solved(self, rows: Any, box: tuple[Floats, Floats], objective: Floats) -> Ints | None:
        point, _ = whole_point(
            rows,
            (box[0].ravel(), box[1].ravel()),
            objective=objective.ravel(),
            time_limit=self.clock.left,
        )
        return None if point is None else np.rint(point).astype(np.int64).reshape(box[0].shape)

    def _refitted(self, i: int) -> Ints | None:
        """Return a table of a judge for which all its pairs have real tables; None without any.

        The unknowns are the judge's own table, whole, then the tables of its pairs.
        """
        from scipy import sparse

        sp: Any = sparse
        own = self.single[i]
        size, parts, bounds, most = own.size, [], [], []
        row, column = 0, size
        for p, (a, b) in enumerate(self.names):
            if i not in (a, b):
                continue
            one = self._pair(p)
            mine, other = (one.left, self.single[b]) if i == a else (one.right, self.single[a])
            theirs = one.right if i == a else one.left
            columns = column + np.arange(len(one.most))
            for places in (one.sums, len(one.counts) + theirs, len(one.counts) + size + mine):
                parts.append((row + places, columns, np.ones(len(columns))))
            minus = row + len(one.counts) + size + np.arange(size)
            parts.append((minus, np.arange(size), -np.ones(size)))
            bounds += [one.counts, other.ravel(), np.zeros(size)]
            most.append(one.most)
            row, column = row + len(one.counts) + 2 * size, column + len(columns)
        rows, places, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        joined, bound = (
            sp.csr_array((values, (rows, places)), (row, column)),
            np.concatenate(bounds),
        )
        inner = [(_padded(part, column - size), low, up) for part, low, up in self._rows_of(i)]
        free = np.zeros(column - size)
        point, _ = whole_point(
            [(joined, bound, bound), *inner],
            (
                np.concatenate([np.maximum(own.ravel() - WIDER[-1], 0), free]),
                np.concatenate([own.ravel() + WIDER[-1], *most]),
            ),
            whole=np.arange(column) < size,
            time_limit=self.clock.left,
        )
        return None if point is None else np.rint(point[:size]).astype(np.int64).reshape(own.shape)

    # pairs

    def _lay(self, places: Sequence[int]) -> list[int]:
        """Lay out some pairs; return those for which that failed."""
        which = np.array(places, np.intp)
        margins = (self.single[part[which]] for part in (self.tables.left, self.tables.right))
        start = rounded_cells(self.near[which], self.tables.counts[which])
        self.pairs[which], found = fitted_tables(start, *margins)
        return [p for p in which[~found].tolist() if self.clock.over or not self._laid(p)]

    def _pair(self, p: int) -> _Pair:
        if p not in self.known:
            self.known[p] = _Pair.of(self.tables.counts[p], self.tables.n_labels)
        return self.known[p]

    def _laid(self, p: int) -> bool:
        """Ask the solver for the table of a pair."""
        from scipy import sparse

        sp: Any = sparse
        one, (i, j) = self._pair(p), self.names[p]
        near = self.near[p][one.cells].ravel()
        whole = np.concatenate([one.counts, self.single[i].ravel(), self.single[j].ravel()])
        k, size = len(one.counts), self.single[i].size
        places = np.concatenate([one.sums, k + one.left, k + size + one.right])
        columns = np.tile(np.arange(len(near)), 3)
        rows = sp.csr_array((np.ones(len(columns)), (places, columns)), (len(whole), len(near)))
        point, _ = whole_point(
            [(rows, whole, whole)],
            (np.zeros(len(near)), one.most),
            objective=near - np.floor(near),
            time_limit=self.clock.left,
        )
        if point is None:
            return False
        found = np.rint(point).astype(np.int64)
        self.pairs[p] = 0
        self.pairs[p][one.cells] = found.reshape(-1, self.tables.n_labels)
        return bool((rows @ found == whole).all() and (found >= 0).all())


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """The k pairs of answers that two judges gave, and in which sums each of their k * R shares is."""

    cells: tuple[Ints, Ints]
    counts: Ints
    most: Ints
    sums: Ints
    left: Ints
    right: Ints

    @classmethod
    def of(cls, table: Ints, n_labels: int) -> _Pair:
        a, b = np.nonzero(table)
        labels = np.tile(np.arange(n_labels), len(a))
        return cls(
            (a, b),
            table[a, b],
            np.repeat(table[a, b], n_labels),
            np.repeat(np.arange(len(a)), n_labels),
            np.repeat(a, n_labels) * n_labels + labels,
            np.repeat(b, n_labels) * n_labels + labels,
        )


def _rounded(real: Floats, total: int) -> Ints:
    """Round numbers that add up to a whole one, largest parts first."""
    whole: Ints = np.floor(real + NEARLY_WHOLE).astype(np.int64)
    order = np.argsort(whole - real, kind="stable")
    short = total - int(whole.sum())
    whole[order[:short] if short > 0 else order[short:]] += np.sign(short)
    return whole


def _padded(matrix: Ints, more: int) -> Any:
    from scipy import sparse

    sp: Any = sparse
    return sp.hstack([sp.csr_array(matrix), sp.csr_array((len(matrix), more))]).tocsr()
