"""Order 2 by interior points: tables of pairs of judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algeval.data import Sketch
from algeval.errors import TooLargeError
from algeval.logic.exam import Exam
from algeval.logic.orders.base import room, until_settled
from algeval.logic.policy import (
    HARDLY_CURVED,
    INTERIOR_COPIES,
    INTERIOR_GAP,
    INTERIOR_MINUTES,
    INTERIOR_START,
    INTERIOR_STEP,
    INTERIOR_STEPS,
    MOST_INTERIOR_GIGABYTES,
    MOST_INTERIOR_MINUTES,
    NEVER,
)
from algeval.logic.proof import Clock
from algeval.result.numbers import how_many

# --- How often each two judges gave each pair of answers.


PairCountsInts = np.ndarray[Any, np.dtype[Any]]
Pairs = dict[tuple[int, int], PairCountsInts]


def pair_counts(sketch: Sketch) -> Pairs:
    """Return {(i, j): (A + 1, A + 1) counts} for i < j; row and column 0 are "not answered"."""
    whole = sketch.pair_table()
    return {(i, j): whole[i, :, j] for j in range(sketch.n_judges) for i in range(j)}


# --- The pair tables of an exam as arrays: what judges gain by their answers, and what messages
# bound.
#
# Order 2 asks what any two judges said together. In the best proof of what it rules out, each judge's gain
# f[i](a; t) on its answers is shared out among the pairs it belongs to, as *messages* u: then each pair of
# answers goes, by itself, to the label with the largest sum of its two messages.


Floats = NDArray[np.float64]
Ints = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PairTables:
    """Counts of answers, singly and in pairs; answers are places 0 to W - 1 of each judge's own order."""

    # (P,) ints, the judges of each pair
    left: Ints
    right: Ints
    counts: Ints  # (P, W, W) ints, how often the two gave each pair of answers
    single: Ints  # (N, W) ints, how often each judge gave each answer; the last one most often
    code: Ints  # (N, W) ints, which answer it is, -1 for none
    held: Ints  # (N, W) bool, whether a judge who answers so is held to the item
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
        values: Ints = self.single > 0
        return values

    def hits(self) -> Ints:
        """(N, W, R) 0/1: the answer is the label."""
        hits: Ints = (self.code[:, :, None] == np.arange(self.n_labels)).astype(np.int64)
        return hits * self.given[:, :, None]

    def losses(self) -> Ints:
        """(N, W) 0/1: the judge gave the answer and is held to the item."""
        losses: Ints = (self.held & self.given).astype(np.int64)
        return losses

    def shared(self, gains: Any) -> tuple[Any, Any]:
        """Messages (P, W, R) to each pair from its two judges: equal shares of gains (N, W, R)."""
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

    @property
    def minutes(self) -> float:
        """How long 25 steps of Newton's method take, about."""
        n_pairs, margins = self.places.shape
        return float((2 * n_pairs * margins**3 + self.size**3 / 3) * INTERIOR_MINUTES)

    def check_step(self) -> None:
        """Refuse a step of Newton's method that would take too much memory, or hours."""
        n_pairs, margins = self.places.shape
        gigabytes = 8e-9 * (INTERIOR_COPIES * n_pairs * margins**2 + 2 * self.size**2)
        minutes = self.minutes
        if gigabytes > MOST_INTERIOR_GIGABYTES or minutes > MOST_INTERIOR_MINUTES:
            n, _, r = self.shape
            raise TooLargeError(
                f"the pairs of {how_many(n, 'judge')} on {how_many(r, 'label')} would take about "
                f"{gigabytes:.0f} GB and {minutes / 60:.1f} hours; ask at order 1, or with fewer judges, "
                "or merge labels"
            )

    def spread(self, free: Floats) -> Floats:
        """(N, W, R) the change of all single tables behind that of the free unknowns."""
        n, w, r = self.shape
        change = np.zeros((n, w, r))
        change[:, :-1, :-1] = free[r - 1 :].reshape(n, w - 1, r - 1)
        change[:, -1, :-1] = free[: r - 1] - change[:, :-1, :-1].sum(1)
        change[:, :, -1] = -change[:, :, :-1].sum(2)
        return change

    def gathered(self, table: Floats) -> Floats:
        """For tables (N, W, R) what its product with `spread` is: the transpose."""
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
        """Messages (P, W, R) twice behind multipliers (P, H) of the margins."""
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
        indices = self.places[:, :, None] * self.size + self.places[:, None, :]
        total: Any = np.bincount(indices.ravel(), blocks.ravel(), self.size**2)
        squares: Floats = total.reshape(self.size, self.size)
        return squares


# --- Messages and real pair tables of many judges, by an interior-point method of their own.
#
# How large can the least surplus C[i,t] - x D[i,t] be when only pairs of judges are known? As a linear
# program this has a row for each answer of each judge in each pair. But pairs meet one another only in
# the tables m[i](a; t) of single judges and in the key: given those, each pair lays its items on the
# labels by itself. So a step of Newton's method solves one small system for each pair, all alike, and one
# of N * W * R unknowns for all of them.
#
# The pair of programs, with v[c,t] the shares of a pair of answers, c its share of the items, f the gains
# of the weights y, u the messages::
#
#     max s             C(m) - x D(m) - s = w >= 0,  v >= 0, sum_t v[c,t] = 1, margins of v are m
#     min sum c k       k[c] - (u[i](a; t) + u[j](b; t)) = r >= 0,  y >= 0, sum y = 1, sum_j u = f(y)
#
# Along the central path c v r and w y are all one number, which falls to zero. The path begins inside:
# answers spread evenly over the labels, gains shared evenly among pairs. All is in floats and proves
# nothing: messages are rounded and checked elsewhere.


@dataclass(frozen=True, slots=True, eq=False)
class Middle:
    """Weights (N, R), messages (P, W, R) twice, single tables (N, W, R), pair tables (P, W, W, R).

    The tables are shares of all items. `most` is what the least surplus cannot exceed.
    """

    weights: Floats
    first: Floats
    second: Floats
    single: Floats
    pairs: Floats
    levels: Floats
    most: float
    least: float


def pairs_at_threshold(tables: PairTables, clock: Clock) -> Middle:
    """Weights and tables at the highest level that all judges can share, nearly.

    After each step the level falls to where the messages refute whatever is above.
    """
    shape = (tables.n_judges, tables.n_labels)
    path = _Path(tables, np.full(shape, 1.0), np.ones(shape, bool))
    for _ in range(INTERIOR_STEPS):
        clock.spend(path.work)
        moved = path.lower()
        if (moved < INTERIOR_GAP and path.gap < INTERIOR_GAP) or clock.over or not path.advance():
            break
    return path.middle


def pairs_at_levels(tables: PairTables, levels: Floats, mask: Ints, clock: Clock) -> Middle:
    """Weights and tables that settle whether judges can reach levels (N, R) where asked."""
    path = _Path(tables, levels, mask)
    until_settled(path, clock)
    return path.middle


@dataclass(slots=True, eq=False)
class _Step:
    """All that moves, or its change."""

    shares: Floats
    single: Floats
    w: Floats
    s: float
    y: Floats
    first: Floats
    second: Floats
    k: Floats
    r: Floats


class _Path:
    """The iterates; vectors of judges are those asked."""

    def __init__(self, tables: PairTables, levels: Floats, mask: Ints) -> None:
        self.tables, self.levels, self.asked = tables, levels, mask
        self.frame = FreeTables(tables)
        self.share = tables.counts / tables.n_items
        self.empty = tables.counts == 0
        self.hits, self.losses = tables.hits().astype(float), tables.losses().astype(float)
        p, w = self.share.shape[:2]
        labels, n_asked = tables.n_labels, int(mask.sum())
        self.y = np.full(n_asked, 1 / n_asked)
        self.shares = np.full((p, w, w, labels), 1 / labels)
        even = tables.single / (tables.n_items * labels)
        self.single = np.repeat(even[:, :, None], labels, 2)
        self.first, self.second = tables.shared(self._gains(self.y))
        z = self._scores(self.first, self.second)
        self.k = z.max(3) + INTERIOR_START * labels / p
        self.r = self.k[..., None] - z
        surplus = self._surplus(self.single)
        self.w = surplus - surplus.min() + INTERIOR_START
        self.s = float(surplus.min() - INTERIOR_START)

    # between tables of judges and vectors of what is asked

    def _table(self, vector: Floats) -> Floats:
        table = np.zeros(self.asked.shape)
        table[self.asked] = vector
        return table

    def _gains(self, y: Floats) -> Floats:
        """(N, W, R) what each answer of a judge gains on each label."""
        table = self._table(y)
        losses = self.losses[:, :, None] * (table * self.levels)[:, None, :]
        return self.hits * table[:, None, :] - losses

    def _surplus(self, single: Floats) -> Floats:
        right = (self.hits * single).sum(1)
        held = (self.losses[:, :, None] * single).sum(1)
        surplus: Floats = (right - self.levels * held)[self.asked]
        return surplus

    @staticmethod
    def _scores(first: Floats, second: Floats) -> Floats:
        return first[:, :, None, :] + second[:, None, :, :]

    def rows(self) -> Floats:
        """(K, M) how what is asked hangs on the free unknowns."""
        (i, t), (n, w, r) = np.nonzero(self.asked), self.frame.shape
        gain = self.hits[i, :, t] - self.levels[i, t][:, None] * self.losses[i]
        label = np.eye(r)[t]
        inner = label[:, :-1] - label[:, -1:]
        own = np.zeros((len(i), n, (w - 1) * (r - 1)))
        apart = (gain[:, :-1] - gain[:, -1:])[:, :, None] * inner[:, None, :]
        own[np.arange(len(i)), i] = apart.reshape(len(i), -1)
        return np.hstack([gain[:, -1:] * inner, own.reshape(len(i), -1)])

    # where the path stands

    @property
    def gap(self) -> float:
        """How far the two programs are apart."""
        inner = (self.share[..., None] * self.shares * self.r).sum()
        return float(inner + self.w @ self.y)

    @property
    def most(self) -> float:
        """What the least surplus cannot exceed, by the messages."""
        z = self._scores(self.first, self.second)
        return (float((self.share * z.max(3)).sum()) + self._kept()) / float(self.y.sum())

    def _kept(self) -> float:
        """Return what is gained beyond the messages: the same at all single tables that are possible."""
        sent = self.tables.received(self.first, self.second)
        return float(((self._gains(self.y) - sent) * self.single).sum())

    @property
    def least(self) -> float:
        """The least surplus of the single tables."""
        return float(self._surplus(self.single).min())

    @property
    def middle(self) -> Middle:
        total = self.y.sum()
        return Middle(
            self._table(self.y / total),
            self.first / total,
            self.second / total,
            self.single,
            self.share[..., None] * self.shares,
            self.levels,
            self.most,
            self.least,
        )

    def lower(self) -> float:
        """Fall to the level above which the messages refute all; return how far that is."""
        table = self._table(self.y)
        losses = self.losses[:, :, None] * table[:, None, :]
        fall = self._scores(*self.tables.shared(losses))
        z = self._scores(self.first, self.second)
        moved = _root(self.share, z, fall, self._kept())
        if moved <= 0:
            return 0.0
        self.levels = self.levels - moved
        more = self.tables.shared(moved * losses)
        self.first, self.second = self.first + more[0], self.second + more[1]
        rise = moved * fall
        most = rise.max(3)
        self.k = self.k + most
        self.r = self.r + most[..., None] - rise
        return moved

    # one step

    @property
    def work(self) -> float:
        """Counted work of a step."""
        return 60 * self.frame.minutes / 25

    def advance(self) -> bool:
        """Take one step; False where floats carry no further."""
        with np.errstate(all="ignore"):
            try:
                step = self._step(_Newton.of(self))
            except (np.linalg.LinAlgError, ValueError):
                return False
            primal, dual = (INTERIOR_STEP * length for length in self._lengths(step))
        if not np.isfinite([primal, dual, step.s]).all() or max(primal, dual) < INTERIOR_GAP:
            return False
        self._take(step, primal, dual)
        return True

    def _step(self, newton: _Newton) -> _Step:
        """Step by prediction and correction."""
        gap = self.gap
        guess = newton.direction(0.0, 0.0)
        mean = gap / ((~self.empty).sum() * self.tables.n_labels + len(self.y))
        left = max(self._gap_after(guess, *self._lengths(guess)), 0.0)
        centring = (left / gap) ** 3 * mean
        share = np.where(self.empty, 1.0, self.share)[..., None]
        bend = np.clip(share * guess.shares * guess.r, -mean, mean)
        turn = np.clip(guess.w * guess.y, -mean, mean)
        return newton.direction((centring - bend) / share, centring - turn)

    def _lengths(self, step: _Step) -> tuple[float, float]:
        some = ~self.empty
        primal = min(room(self.shares[some], step.shares[some]), room(self.w, step.w))
        return primal, min(room(self.r[some], step.r[some]), room(self.y, step.y))

    def _gap_after(self, step: _Step, primal: float, dual: float) -> float:
        shares, r = self.shares + primal * step.shares, self.r + dual * step.r
        outer = (self.w + primal * step.w) @ (self.y + dual * step.y)
        return float((self.share[..., None] * shares * r).sum() + outer)

    def _take(self, step: _Step, primal: float, dual: float) -> None:
        for name in ("shares", "single", "w", "s"):
            setattr(self, name, getattr(self, name) + primal * getattr(step, name))
        for name in ("y", "first", "second", "k", "r"):
            setattr(self, name, getattr(self, name) + dual * getattr(step, name))
        self.shares[self.empty] = 1 / self.tables.n_labels
        self.r[self.empty] = 1.0


class _Newton:
    """One matrix of a step, and the directions it gives."""

    def __init__(self, path: _Path, inverse: Floats, solve: Any) -> None:
        self.path, self.inverse, self.solve = path, inverse, solve
        self.give = path.shares / path.r
        self.total = self.give.sum(3)
        self.ratio = path.y / path.w
        frame = path.frame
        self.margin_miss = frame.margins(path.share[..., None] * path.shares)
        self.margin_miss -= self._margins_of(path.single)
        received = path.tables.received(path.first, path.second)
        self.dual_miss = frame.gathered(received - path._gains(path.y))
        self.surplus_miss = path.w - (path._surplus(path.single) - path.s)
        self.unit = solve(self._from_asked(self.ratio))

    @classmethod
    def of(cls, path: _Path) -> _Newton:
        """Matrix at where a path stands."""
        from scipy.linalg import cho_factor, cho_solve

        frame, rows = path.frame, path.rows()
        inverse = _inverses(frame.curvature(path.shares / path.r, path.share))
        matrix = frame.scattered_squares(inverse) + rows.T @ (rows * (path.y / path.w)[:, None])
        matrix[frame.fixed, frame.fixed] = NEVER
        size = np.sqrt(np.diag(matrix))
        factor = cho_factor(matrix / size / size[:, None])
        return cls(path, inverse, lambda b: cho_solve(factor, b / size) / size)

    def _margins_of(self, single: Floats) -> Floats:
        """(P, H) the margins that single tables ask for."""
        path = self.path
        inner = single[:, :-1, :-1].reshape(len(single), -1)
        key = single[path.tables.left][:, :, :-1].sum(1)
        return np.hstack([inner[path.tables.left], inner[path.tables.right], key])

    def _from_asked(self, vector: Floats) -> Floats:
        return self.path.frame.gathered(self.path._gains(vector))

    def _times(self, rows: Floats) -> Floats:
        product: Floats = (self.inverse @ rows[:, :, None])[:, :, 0]
        return product

    def direction(self, inner: Any, outer: Any) -> _Step:
        """Aim at c v r = c inner and w y = outer."""
        path, frame = self.path, self.path.frame
        own = inner / path.r - path.shares
        moved = own - self.give * (own.sum(3) / self.total)[..., None]
        need = self.margin_miss + frame.margins(path.share[..., None] * moved)
        rest = outer / path.w - path.y + self.ratio * self.surplus_miss
        right = frame.scattered(self._times(need)) - self.dual_miss + self._from_asked(rest)
        plain = self.solve(right)
        there = path._surplus
        a, b = there(frame.spread(plain)), there(frame.spread(self.unit))
        s = (1 - path.y.sum() - rest.sum() + self.ratio @ a) / (self.ratio.sum() - self.ratio @ b)
        free = plain + s * self.unit
        single = frame.spread(free)
        w = there(single) - s - self.surplus_miss
        y = outer / path.w - path.y - self.ratio * w
        first, second = frame.messages(self._times(free[frame.places] - need))
        z = path._scores(first, second)
        k = (own.sum(3) + (self.give * z).sum(3)) / self.total
        r = k[..., None] - z
        return _Step(own - self.give * r, single, w, float(s), y, first, second, k, r)


def _inverses(blocks: Floats) -> Floats:
    """Invert symmetric blocks (P, H, H), scaled; what is hardly curved at all is taken to be, a little."""
    size = np.sqrt(np.einsum("phh->ph", blocks))
    size[size <= 0] = 1.0
    scaled = blocks / size[:, :, None] / size[:, None, :]
    rows = np.arange(blocks.shape[1])
    scaled[:, rows, rows] = 1 + HARDLY_CURVED
    inverse: Floats = np.linalg.inv(scaled)
    bad = np.flatnonzero(~(inverse[:, rows, rows] > 0).all(1))
    if len(bad):
        values, vectors = np.linalg.eigh(scaled[bad])
        kept = vectors / np.maximum(values, HARDLY_CURVED)[:, None, :]
        inverse[bad] = kept @ vectors.transpose(0, 2, 1)
    inverse = (inverse + inverse.transpose(0, 2, 1)) / 2
    scaled_back: Floats = inverse / size[:, :, None] / size[:, None, :]
    return scaled_back


def _root(share: Floats, z: Floats, fall: Floats, kept: float) -> float:
    """How far the level may fall until messages bound the surplus by 0; negative: not at all."""
    moved = 0.0
    for _ in range(INTERIOR_STEPS):
        best = (z + moved * fall).argmax(3)[..., None]
        gain = kept + float((share * np.take_along_axis(z, best, 3)[..., 0]).sum())
        slope = float((share * np.take_along_axis(fall, best, 3)[..., 0]).sum())
        following = -gain / slope if slope > 0 else 0.0
        if abs(following - moved) < INTERIOR_GAP / 1000:
            break
        moved = following
    return moved
