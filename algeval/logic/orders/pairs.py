"""Order 2: pairs of judges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.exam import Frame, level_of, read_specification, select_exam
from algeval.logic.orders.base import (
    UNANSWERED,
    Labelling,
    Levels,
    Top,
)
from algeval.logic.orders.chains import Chains, fits
from algeval.logic.orders.full import shared_level
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.pair_interior import (
    Floats,
    FreeTables,
    Ints,
    Middle,
    Pairs,
    PairTables,
    pair_counts,
    pairs_at_levels,
    pairs_at_threshold,
)
from algeval.logic.orders.tables import Tables
from algeval.logic.policy import (
    BEYOND,
    END_DENOMINATOR,
    HARDLY,
    MESSAGE_ROUNDINGS,
    MOST_REFITS,
    NEARLY_WHOLE,
    PAIR_HALVINGS,
    PAIR_MOVES,
    PAIR_PRODUCTS,
    PAIR_STEPS_BELOW,
    PAIR_STEPS_CLOSER,
    PAIRS_APART,
    PAIRS_AT_ONCE,
    SAFE,
    STEP_SHARE,
    TIE,
    WIDER,
)
from algeval.logic.proof import (
    Bools,
    Clock,
    Evidence,
    Outcome,
    farey_floor,
    next_fraction,
    whole_point,
)
from algeval.logic.proof import Ints as Ints_of_proof

# --- Whole pair tables with given margins, for all pairs at once, by moving single items between
# labels.
#
# Each table starts as its real one, rounded. A move takes an item of one pair of answers from a label of
# which both judges have too many to one of which they have too few; small random numbers break ties, so
# that the walk does not turn in circles. Where it finds no end a solver is asked, elsewhere.


def rounded_cells(real: Floats, counts: Ints) -> Ints:
    """Round shares (..., R) to whole numbers that add up to counts (...), largest parts first."""
    total = real.sum(-1)
    real = real * np.divide(counts, total, out=np.zeros(total.shape), where=total > 0)[..., None]
    whole: Ints = np.floor(real).astype(np.int64)
    rank = np.argsort(np.argsort(whole - real, axis=-1, kind="stable"), axis=-1)
    whole += rank < (counts - whole.sum(-1))[..., None]
    return whole


def fitted_tables(tables: Ints, left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Whole tables (P, W, W, R) with margins (P, W, R), and which of them (P,) have these.

    tables : (P, W, W, R) ints
        Whole tables with margins near those; how many items each pair of answers has is kept.
    """
    rng = np.random.default_rng(0)
    tables, open_ = tables.copy(), np.arange(len(tables))
    first, second = left - tables.sum(2), right - tables.sum(1)
    for _ in range(PAIR_MOVES):
        apart = first[open_].any((1, 2)) | second[open_].any((1, 2))
        open_ = open_[apart]
        if not len(open_):
            break
        wanted = first[open_][:, :, None] + second[open_][:, None]
        wanted = wanted + TIE * rng.random(wanted.shape)
        leaving = np.where(tables[open_] > 0, wanted, np.inf)
        gain = (wanted.max(3) - leaving.min(3)).reshape(len(open_), -1)
        a, b = np.divmod(gain.argmax(1), tables.shape[2])
        row = np.arange(len(open_))
        start, end = leaving[row, a, b].argmin(1), wanted[row, a, b].argmax(1)
        for label, sign in ((start, -1), (end, 1)):
            tables[open_, a, b, label] += sign
            first[open_, a, label] -= sign
            second[open_, b, label] -= sign
    return tables, ~(first.any((1, 2)) | second.any((1, 2)))


# --- Whole tables of judges and of their pairs near real ones, built up from small programs.
#
# The key is rounded, then each judge's table by itself, then each pair's: with whole margins given, a pair
# has a whole table nearly always where it has a real one. Where a pair has none, one of its judges is laid
# out anew, so that real tables exist for all pairs it belongs to.


@dataclass(frozen=True, slots=True, eq=False)
class WholePairs:
    """Whole tables of judges (N, W, R) and of pairs (P, W, W, R), which agree."""

    single: Ints
    pairs: Ints

    def lowest(self, tables: PairTables) -> Fraction:
        """Lowest accuracy; 1 where nobody is held to anything."""
        right, held = self.right_and_held(tables)
        pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))

    def right_and_held(self, tables: PairTables) -> tuple[Ints, Ints]:
        """(N, R) correct answers C, and items D each judge is held to."""
        right = (tables.hits() * self.single).sum(1)
        return right, (tables.losses()[:, :, None] * self.single).sum(1)


def lay_out(tables: PairTables, middle: Middle, levels: Levels, clock: Clock) -> WholePairs | None:
    """Whole tables near real ones that reach levels (N, R); None where none were found."""
    return _Builder(tables, middle, levels, clock).run()


def labelled(tables: PairTables, sketch: Sketch, cells: Ints) -> WholePairs:
    """Tables behind a labelling (U, R) of whole decision tuples."""
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
    def __init__(self, tables: PairTables, middle: Middle, levels: Levels, clock: Clock) -> None:
        self.tables, self.clock = tables, clock
        self.levels = np.array([[float(x or 0) for x in row] for row in levels])
        self.real = middle.single * tables.n_items
        self.near = middle.pairs * tables.n_items
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
            present = self.single[i].copy()
            table = None if self.clock.over else self._refitted(i)
            if table is None:
                continue
            self.single[i] = table
            own = [p for p, pair in enumerate(self.names) if i in pair]
            left = sorted({*bad} - {*own}) + self._lay(own)
            if len(left) < len(bad):
                return left
            self.single[i] = present
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
            clock=self.clock,
        )
        return None if point is None else np.rint(point).astype(np.int64).reshape(box[0].shape)

    def _refitted(self, i: int) -> Ints | None:
        """Table of a judge for which all its pairs have real tables; None without any.

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
            entry = self._pair(p)
            mine, other = (entry.left, self.single[b]) if i == a else (entry.right, self.single[a])
            theirs = entry.right if i == a else entry.left
            columns = column + np.arange(len(entry.most))
            for indices in (
                entry.sums,
                len(entry.counts) + theirs,
                len(entry.counts) + size + mine,
            ):
                parts.append((row + indices, columns, np.ones(len(columns))))
            minus = row + len(entry.counts) + size + np.arange(size)
            parts.append((minus, np.arange(size), -np.ones(size)))
            bounds += [entry.counts, other.ravel(), np.zeros(size)]
            most.append(entry.most)
            row, column = row + len(entry.counts) + 2 * size, column + len(columns)
        rows, indices, values = (np.concatenate(part) for part in zip(*parts, strict=True))
        joined, bound = (
            sp.csr_array((values, (rows, indices)), (row, column)),
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
            clock=self.clock,
        )
        return None if point is None else np.rint(point[:size]).astype(np.int64).reshape(own.shape)

    # pairs

    def _lay(self, indices: Sequence[int]) -> list[int]:
        """Lay out some pairs; return those for which that failed."""
        which = np.array(indices, np.intp)
        margins = (self.single[part[which]] for part in (self.tables.left, self.tables.right))
        start = rounded_cells(self.near[which], self.tables.counts[which])
        self.pairs[which], fit = fitted_tables(start, *margins)
        return [p for p in which[~fit].tolist() if self.clock.over or not self._laid(p)]

    def _pair(self, p: int) -> _Pair:
        if p not in self.known:
            self.known[p] = _Pair.of(self.tables.counts[p], self.tables.n_labels)
        return self.known[p]

    def _laid(self, p: int) -> bool:
        """Ask the solver for the table of a pair."""
        from scipy import sparse

        sp: Any = sparse
        entry, (i, j) = self._pair(p), self.names[p]
        near = self.near[p][entry.cells].ravel()
        whole = np.concatenate([entry.counts, self.single[i].ravel(), self.single[j].ravel()])
        k, size = len(entry.counts), self.single[i].size
        indices = np.concatenate([entry.sums, k + entry.left, k + size + entry.right])
        columns = np.tile(np.arange(len(near)), 3)
        rows = sp.csr_array((np.ones(len(columns)), (indices, columns)), (len(whole), len(near)))
        point, _ = whole_point(
            [(rows, whole, whole)],
            (np.zeros(len(near)), entry.most),
            objective=near - np.floor(near),
            clock=self.clock,
        )
        if point is None:
            return False
        array = np.rint(point).astype(np.int64)
        self.pairs[p] = 0
        self.pairs[p][entry.cells] = array.reshape(-1, self.tables.n_labels)
        return bool((rows @ array == whole).all() and (array >= 0).all())


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


# --- Messages between pairs of judges in whole numbers: the exact proof that no key reaches a
# level.
#
# Weights y on accuracies give each judge's answers a gain f[i](a; t) = y[i,t] (1[a = t] - x[i,t] d[i](a)).
# Messages that add up to it, judge by judge, bound what any evaluation of order 2 can gain:
# ``sum over pairs of answers of n max_t (u[i](a; t) + u[j](b; t))``. Where that is negative the levels are
# refuted. Floats propose; they are rounded, what the rounding left over is sent along with one message of
# each judge, and the sum is computed in whole numbers.


@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """Whole-number weights (N, R), and messages (N, N, W, R): from a judge, to its pair with another.

    All are `scale` times the real ones, so that gains are whole numbers too.
    """

    weights: Ints
    sent: Ints
    scale: int


def refuting_messages(
    tables: PairTables, middle: Middle, levels: Levels, clock: Clock
) -> Messages | None:
    """Smallest whole messages found that refute levels (N, R), exactly; None without any."""
    mask = np.array([[float(x or 0) for x in row] for row in levels])
    sent = _folded(tables, middle, mask)
    most = float(middle.weights.max(initial=0.0))
    if most <= 0:
        return None
    for size in MESSAGE_ROUNDINGS:
        if clock.over:
            break
        messages = _whole(tables, middle.weights * (size / most), sent * (size / most), levels)
        if _bound(tables, messages.sent) < 0:
            return messages
    return None


def _folded(tables: PairTables, middle: Middle, levels: Floats) -> Floats:
    """(N, N, W, R) real messages that add up to the gains at levels.

    What was gained beyond them is the sum of something for each answer and something for each label.
    The first goes anywhere; the second moves to the first judge and cancels there.
    """
    n = tables.n_judges
    sent = np.zeros((n, n, *middle.first.shape[1:]))
    sent[tables.left, tables.right], sent[tables.right, tables.left] = middle.first, middle.second
    losses = tables.losses()[:, :, None] * middle.weights[:, None, :]
    lower = losses * (middle.levels - levels)[:, None, :] / (n - 1)
    sent += lower[:, None] * (1 - np.eye(n))[:, :, None, None]
    gains = tables.hits() * middle.weights[:, None, :] - losses * levels[:, None, :]
    over = gains - sent.sum(1)
    by_label = over[:, -1:] - over[:, -1:, -1:]
    sent[1:, 0] += by_label[1:]
    sent[0, 1:] -= by_label[1:]
    return sent


def _whole(tables: PairTables, weights: Floats, sent: Floats, levels: Levels) -> Messages:
    """Round weights and messages; each judge's first message makes its gains come out right."""
    n, whole = tables.n_judges, np.rint(weights).astype(np.int64).astype(object)
    used = [
        [Fraction(x or 0) if y else Fraction(0) for x, y in zip(row, own, strict=True)]
        for row, own in zip(levels, whole.tolist(), strict=True)
    ]
    scale = lcm(*(x.denominator for row in used for x in row))
    mask = np.array([[int(x * scale) for x in row] for row in used], dtype="O")
    sums = np.rint(np.cumsum(sent, 1))
    rounded = np.diff(sums, axis=1, prepend=0)
    rounded[~np.repeat(tables.given[:, None], n, 1)] = 0
    largest = scale * max(1.0, float(np.abs(weights).max()), float(np.abs(rounded).max()))
    kind = np.int64 if largest * 4 * n * tables.counts.sum() < SAFE else object
    result = rounded.astype(np.int64).astype(kind) * scale
    gains = tables.hits().astype(kind) * (whole * scale).astype(kind)[:, None]
    gains = gains - tables.losses().astype(kind)[:, :, None] * (whole * mask).astype(kind)[:, None]
    over = gains - result.sum(1)
    result[1:, 0] += over[1:]
    result[0, 1] += over[0]
    return Messages(whole * scale, result, scale)


def _best(tables: PairTables, sent: Ints) -> Ints:
    """(P, W, W) the best sum of two messages over the labels."""
    first, second = sent[tables.left, tables.right], sent[tables.right, tables.left]
    best: Ints = (first[:, :, None, :] + second[:, None, :, :]).max(3)
    return best


def _bound(tables: PairTables, sent: Ints) -> int:
    """Return what any evaluation can gain at most, exactly; `sent` holds small enough numbers."""
    best = _best(tables, sent)
    return int((tables.counts.astype(best.dtype) * best).sum())


def messages_evidence(
    tables: PairTables,
    messages: Messages,
    levels: Levels,
    condition: Callable[[int, int], int],
    excused: Sequence[int],
) -> Evidence:
    """Evidence of kind `multipliers`.

    condition : which condition asks a judge and a label for its level.
    """
    rows: list[tuple[list[Any], int]] = []
    for i, t in np.argwhere(messages.weights > 0).tolist():
        y, x = int(messages.weights[i, t]), levels[i][t] or Fraction(0)
        rows.append((["condition", condition(i, t), i, t], y))
        if not excused[i]:
            rows.append((["key", i, t], -int(y * x)))
    codes = tables.code.tolist()
    sent = messages.sent
    best = _best(tables, sent)
    for p, (i, j) in enumerate(tables.names):
        for name, own, table in (("left", i, sent[i, j]), ("right", j, sent[j, i])):
            for a, t in np.argwhere(table != 0).tolist():
                rows.append(([name, i, j, codes[own][a], t], int(table[a, t])))
        for a, b in np.argwhere((best[p] != 0) & (tables.counts[p] > 0)).tolist():
            rows.append((["pair", i, j, codes[i][a], codes[j][b]], -int(best[p, a, b])))
    shared = gcd(*(y for _, y in rows)) or 1
    return {"kind": "multipliers", "rows": [[name, str(y // shared)] for name, y in rows if y]}


# --- Order 2 with many judges: messages above, whole tables below, without a large program.
#
# Floats propose both at once (`pair_interior`). Messages are rounded and checked in whole numbers; real
# tables at levels a little lower are rounded judge by judge and pair by pair.


@dataclass(frozen=True, slots=True, eq=False)
class PairBound:
    """Levels (N, R) that messages refute, next above an attainable one; whole tables below, or None."""

    value: Fraction
    levels: Levels
    messages: Messages
    whole: WholePairs | None


def shared_pair_level(tables: PairTables, clock: Clock) -> PairBound | None:
    """Best bound on the level that all judges can share, and tables close below it.

    None where no messages refute any attainable level.
    """
    middle = pairs_at_threshold(tables, clock)
    low, middle = _closer(tables, middle, clock)
    above = _refuted(tables, middle, clock)
    if above is None:
        return None
    return PairBound(*above, _highest(tables, min(low, above[0]), clock))


def settle_pairs(
    tables: PairTables, levels: Levels, key: tuple[Any, Any], clock: Clock
) -> tuple[Messages | None, WholePairs | None]:
    """Messages that refute levels, or whole tables that reach them within bounds on the key.

    Both are checked exactly; both None where it is too close to call, or time ran out.
    """
    busy = (tables.losses().sum(1) > 0).tolist()
    mask = np.array([[bool(x and b) for x in row] for row, b in zip(levels, busy, strict=True)])
    if not mask.any():
        return None, None
    floats = np.array([[float(x or 0) for x in row] for row in levels])
    middle = pairs_at_levels(tables, floats, mask, clock)
    if middle.most < 0:
        return refuting_messages(tables, middle, levels, clock), None
    whole = None if clock.over or middle.least < 0 else lay_out(tables, middle, levels, clock)
    return None, whole if whole is not None and _reaches(tables, whole, levels, key) else None


def _alike(tables: PairTables, x: Fraction) -> Levels:
    return [[x] * tables.n_labels] * tables.n_judges


def _at(tables: PairTables, x: Fraction, clock: Clock) -> Middle:
    levels = np.full((tables.n_judges, tables.n_labels), float(x))
    return pairs_at_levels(tables, levels, np.ones(levels.shape, bool), clock)


def _reached(tables: PairTables, middle: Middle) -> Fraction:
    """Lowest accuracy of real tables."""
    right = (tables.hits() * middle.single).sum(1)
    held = (tables.losses()[:, :, None] * middle.single).sum(1)
    mask = held * tables.n_items > HARDLY
    return Fraction(float((right[mask] / held[mask]).min(initial=1.0)))


def _closer(tables: PairTables, pairs: Middle, clock: Clock) -> tuple[Fraction, Middle]:
    """Halve what is left between the level of real tables and that above which messages refute."""
    low, high = _reached(tables, pairs), Fraction(float(pairs.levels.max()))
    apart = max(PAIRS_APART, Fraction(1, 10 * tables.fewest_held))
    for _ in range(PAIR_HALVINGS):
        if high - low < apart or clock.over:
            break
        middle = ((low + high) / 2).limit_denominator(END_DENOMINATOR)
        tried = _at(tables, middle, clock)
        if tried.most < 0:
            high, pairs = middle, tried
        elif tried.least >= 0:
            low = max(middle, min(_reached(tables, tried), high))
        else:
            break
    return low, pairs


def _refuted(
    tables: PairTables, middle: Middle, clock: Clock
) -> tuple[Fraction, Levels, Messages] | None:
    """Highest attainable level that is not refuted, the next one, and the messages."""
    level = Fraction(float(middle.levels.max()))
    for more in BEYOND:
        value = farey_floor(level + Fraction(more), tables.n_items)
        levels = _alike(tables, next_fraction(value, tables.n_items))
        messages = refuting_messages(tables, middle, levels, clock)
        if messages is not None:
            return value, levels, messages
    return None


def _highest(tables: PairTables, top: Fraction, clock: Clock) -> WholePairs | None:
    """Whole tables at a level below the top, then at higher ones while some are found."""
    unit = Fraction(tables.n_labels, 4 * tables.fewest_held)
    for steps in PAIR_STEPS_BELOW:
        best = _laid_out(tables, top - steps * unit, clock)
        if best is not None:
            break
    else:
        return None
    for halved in range(1, PAIR_STEPS_CLOSER + 1):
        better = _laid_out(tables, top - steps * unit / 2**halved, clock)
        if better is None:
            break
        best = better
    return best


def _laid_out(tables: PairTables, x: Fraction, clock: Clock) -> WholePairs | None:
    """Whole tables at a level."""
    x = x.limit_denominator(END_DENOMINATOR)
    if x <= 0 or clock.over:
        return None
    middle = _at(tables, x, clock)
    return None if clock.over else lay_out(tables, middle, _alike(tables, x), clock)


def _reaches(tables: PairTables, whole: WholePairs, levels: Levels, key: tuple[Any, Any]) -> bool:
    """Whether whole tables reach all levels, at a key within bounds, exactly."""
    total, (low, high) = whole.single[0].sum(0), key
    if (total < low).any() or (total > high).any():
        return False
    right, held = (part.tolist() for part in whole.right_and_held(tables))
    return all(
        not x or c * x.denominator >= x.numerator * d
        for row in zip(levels, right, held, strict=True)
        for x, c, d in zip(*row, strict=True)
    )


# --- Order 2: how often each two judges gave each pair of answers.
#
# What order 1 refutes is refuted here as well, so its evidence stands. Otherwise one relaxation
# refutes, whole numbers are laid out on the answer key, and a tree closes what is left between.


@dataclass(frozen=True, eq=False)
class Order2(Tables):
    """Order 2 on one exam: the shares are the key, single answers, then pairs of answers."""

    @cached_property
    def observed(self) -> Pairs:
        """How often each two judges gave each pair of answers; counted when first asked for."""
        return pair_counts(self.source) if isinstance(self.source, Sketch) else self.source

    def counted_in_time(self, clock: Clock) -> bool:
        """Whether the pairs of answers can be counted before time runs out."""
        if not isinstance(self.source, Sketch) or "observed" in self.__dict__:
            return not clock.over
        width = self.exam.n_judges * (1 + len(self.exam.answers))
        return clock.allows(len(self.source) * width**2 / PAIR_PRODUCTS)

    def observed_answers(self, judges: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield pairs of answers that two judges gave, and how often."""
        i, j = judges
        table = self.observed[i, j]
        for x, y in np.argwhere(table > 0).tolist():
            yield (x - 1, y - 1), int(table[x, y])

    @cached_property
    def _given(self) -> int:
        """How many pairs of answers were given."""
        return sum(int((table > 0).sum()) for table in self.observed.values())

    @property
    def many(self) -> bool:
        """Whether messages and tables are found pair by pair, not by one program of all."""
        return self.n_unknowns > PAIRS_AT_ONCE and min(self.exam.n_labels, self.exam.n_judges) > 1

    @cached_property
    def tables(self) -> PairTables:
        """The pairs of answers as arrays; refused where a step over them would be too large."""
        tables = PairTables.of(self.exam, self.observed)
        FreeTables(tables).check_step()
        return tables

    def select(self, judges: Sequence[int]) -> Order2:
        """Order 2 for some of the judges."""
        kept = {}
        for x, i in enumerate(judges):
            for y, j in enumerate(judges[x + 1 :], x + 1):
                kept[x, y] = self.observed[i, j] if i < j else self.observed[j, i].T
        return Order2(select_exam(self.exam, judges), kept)

    @cached_property
    def chains(self) -> Chains | None:
        """Chains of judges, which settle everything where there are two labels and no vote is missing."""
        return Chains(self.exam, self.observed) if fits(self.exam) else None

    def highest(self, frame: Frame, clock: Clock) -> Top | None:
        """Threshold by chains of judges."""
        if self.chains is None or not self.counted_in_time(clock):
            return None
        top = self.chains.highest(frame, clock)
        if top is None:
            return None
        level, evidence, q, c = top
        return level, evidence, self.at_counts(q, c)

    def at_counts(self, q: int, c: Sequence[int]) -> Ints_of_proof:
        """Shares with q items of the first label, c of them answered with it by each judge."""
        layout, single, pair = self._laid
        shares = np.zeros((len(layout.totals), 2), np.int64)
        shares[0, 0] = q
        for (i, a), part in single.items():
            shares[part, 0] = q - c[i] if a else c[i]
        both = self.chains.tables(q, c) if self.chains is not None else {}
        for ((i, j), (a, b)), part in pair.items():
            z = both[i, j]
            shares[part, 0] = (z, c[i] - z, c[j] - z, q - c[i] - c[j] + z)[2 * a + b]
        shares[:, 1] = layout.totals - shares[:, 0]
        return shares

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Refute what order 1 refutes; settle two labels by chains, and many pairs."""
        first = Order1(self.exam).quick(spec, clock)
        if first.refutation is not None:
            return first
        if self.chains is not None and self.counted_in_time(clock):
            point, refuted = self.chains.settle(spec, clock)
            if point is not None:
                return Outcome(witness=self.witness(self.at_counts(*point)))
            if refuted is not None:
                return Outcome(refutation=refuted, judges=tuple(range(self.exam.n_judges)))
        demands = read_specification(self.exam, spec)
        if not demands.simple or not self.counted_in_time(clock) or not self.many:
            return Outcome()
        key = np.array(demands.low), np.array(demands.high)
        messages, whole = settle_pairs(self.tables, demands.levels, key, clock)
        if messages is not None:
            evidence = self._evidence(messages, demands.levels, spec)
            return Outcome(refutation=evidence, judges=tuple(range(self.exam.n_judges)))
        return Outcome() if whole is None else Outcome(witness=self.witness(self.shares(whole)))

    def pairs_met(self, spec: Specification, clock: Clock) -> Bools | None:
        """By chains, where they settle pairs."""
        return None if self.chains is None else self.chains.meeting(spec, clock)

    def met_by(self, group: Sequence[int], spec: Specification, clock: Clock) -> Evidence | None:
        """Witness of all judges in which a group meets conditions; None without a quick one."""
        demands = read_specification(self.exam, spec)
        if not demands.simple or not self.counted_in_time(clock) or not self.many:
            return None
        none = (None,) * self.exam.n_labels
        levels = [row if i in group else none for i, row in enumerate(demands.levels)]
        key = np.array(demands.low), np.array(demands.high)
        _, whole = settle_pairs(self.tables, levels, key, clock)
        return None if whole is None else self.witness(self.shares(whole))

    def _evidence(self, messages: Messages, levels: Levels, spec: Specification) -> Evidence:
        """Messages as evidence about a specification that asks for levels."""

        def asks(i: int, t: int) -> int:
            judge, label = self.exam.judges[i], self.exam.labels[t]
            return next(
                c
                for c, condition in enumerate(spec.conditions)
                if condition.quantity == "accuracy"
                and condition.sense != "<="
                and condition.judge in (None, judge)
                and condition.label in (None, label)
                and level_of(condition, self.exam.n_items) == levels[i][t]
            )

        return messages_evidence(self.tables, messages, levels, asks, self.exam.excused)

    def start(self, frame: Frame) -> Ints_of_proof | None:
        """Lay all items on one label that may hold them all."""
        free = np.array(frame.high) == self.exam.n_items
        others = np.array(frame.low) > 0
        index = next((t for t in np.flatnonzero(free) if not np.delete(others, t).any()), None)
        if index is None or not self.many:
            return None
        shares = np.zeros((len(self.layout.totals), self.exam.n_labels), np.int64)
        shares[:, index] = self.layout.totals
        return shares

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints_of_proof | None] | None:
        """Best bound by messages between many pairs, with shares close below it."""
        if not self.many or not self.counted_in_time(clock):
            return None
        proposal = shared_pair_level(self.tables, clock.part(share=STEP_SHARE))
        if proposal is None:
            return None
        whole = self._by_tuples(clock) if proposal.whole is None else proposal.whole
        spec = Specification.at_least(proposal.value, strict=True)
        evidence = self._evidence(proposal.messages, proposal.levels, spec)
        return proposal.value, evidence, None if whole is None else self.shares(whole)

    def _by_tuples(self, clock: Clock) -> WholePairs | None:
        """Tables of a good labelling of whole tuples, which stands at every order."""
        source = self.source
        if not isinstance(source, Sketch) or clock.over:
            return None
        codes, rule = source.codes, self.exam.rule
        labelling = Labelling.of(codes, source.counts, source.n_labels, missing=rule)
        level = shared_level(labelling, clock)
        return None if level is None else labelled(self.tables, source, level.cells)

    def shares(self, whole: WholePairs) -> Ints_of_proof:
        """Shares behind whole tables of judges and pairs."""
        layout, single, pair = self._laid
        at = {
            (i, c): a for i, row in enumerate(self.tables.code.tolist()) for a, c in enumerate(row)
        }
        index = {pair: p for p, pair in enumerate(self.tables.names)}
        shares = np.zeros((len(layout.totals), self.exam.n_labels), np.int64)
        shares[0] = whole.single[0].sum(0)
        for (i, a), part in single.items():
            shares[part] = whole.single[i, at[i, a]]
        for ((i, j), (a, b)), part in pair.items():
            shares[part] = whole.pairs[index[i, j], at[i, a], at[j, b]]
        return shares

    def witness(self, shares: Ints_of_proof) -> Evidence:
        """Whole-number shares as the evidence of a witness."""
        _, single, pair = self._laid
        answers, table = range(len(self.exam.answers)), shares.tolist()
        codes, nothing = [*answers, UNANSWERED], [0] * self.exam.n_labels

        def cells(i: int, j: int) -> list[Any]:
            indices = [[pair.get(((i, j), (a, b))) for b in codes] for a in codes]
            return [[nothing if p is None else table[p] for p in row] for row in indices]

        judges = range(self.exam.n_judges)
        pairs = [[i, j, cells(i, j)] for j in judges for i in range(j)]
        tables = [[table[single[i, a]] for a in answers] for i in judges]
        return {"kind": "witness", "key_counts": table[0], "tables": tables, "pairs": pairs}

    def read(self, witness: Evidence) -> Ints_of_proof:
        """Shares behind the evidence of a witness."""
        shares = self.singles(witness)
        tables = {(i, j): table for i, j, table in witness["pairs"]}
        for ((i, j), (a, b)), index in self._laid[2].items():
            shares[index] = tables[i, j][a][b]
        return shares
