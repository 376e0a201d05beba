"""Full order: whole decision tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations
from math import comb, gcd, lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.data import Evaluation, KeyedSketch, Sketch, Specification
from algeval.data.sketch import WHOLE_FLOATS
from algeval.logic.exam import Frame, read_specification, select_exam, system_of
from algeval.logic.orders.base import (
    Labelling,
    Layout,
    Levels,
    Order,
    check_size,
    repair,
    room,
    round_cells,
    round_together,
    sparse_ints,
    until_settled,
)
from algeval.logic.orders.chains import Chains, fits
from algeval.logic.orders.order1 import cap_evidence, fill
from algeval.logic.orders.pair_interior import pair_counts
from algeval.logic.policy import (
    CELLS_A_SECOND,
    CLOSE_ENOUGH,
    END_DENOMINATOR,
    FIRST_NODES,
    FIRST_NODES_BELOW,
    FULL_NODES,
    INTERIOR_GAP,
    INTERIOR_START,
    INTERIOR_STEP,
    INTERIOR_STEPS,
    MOVED_TUPLES,
    PRODUCTS_A_SECOND,
    ROUNDED_LEVELS,
    SAFE,
    SHARPEST_ROUNDINGS,
    SPARSE_BELOW,
    SPARSE_PRODUCTS,
    SPOILED_BY,
    TUPLE_BLOCK,
    TUPLES_AT_ONCE,
    VIOLATED,
    WEIGHT_ROUNDINGS,
    WEIGHT_STEP,
    WEIGHT_STEPS,
)
from algeval.logic.proof import (
    Bools,
    Clock,
    Evidence,
    Ints,
    Outcome,
    RowId,
    Rows,
    Shares,
    Writer,
    farey_floor,
    next_fraction,
    relax,
)

# --- Weight certificates: nonnegative weights that bound what any answer key can give.
#
# For weights y >= 0 on (judge, label), whatever the key, the weighted surplus
# ``sum_it y[i,t] (C[i,t] - x D[i,t])`` is at most
# ``g(y, x) = sum_u n(u) max_t sum_i y[i,t] (1[u_i = t] - x d_i(u))``.
# When g < 0 no key lets every judge reach x. Solvers propose y; g is evaluated in whole numbers.


@dataclass(frozen=True, slots=True, eq=False)
class WeightBound:
    """A level no key exceeds, whole-number weights (N, R), and the labelling they came with.

    The weights may have been made simpler than those that gave `value`: they refute every
    attainable fraction above it, not every real number.
    """

    value: Fraction
    weights: Ints
    cells: Ints


def whole_weights(proposed: Ints, scale: int) -> Ints:
    """Round proposed multipliers to whole numbers of at most `scale`, in lowest terms."""
    most = float(proposed.max(initial=0.0))
    if most <= 0:
        return np.zeros(proposed.shape, np.int64)
    whole: Ints = np.rint(proposed / most * scale).astype(np.int64)
    return whole // (gcd(*whole.ravel().tolist()) or 1)


def _scores(labelling: Labelling, hit: Ints, held: Ints) -> tuple[Ints, Ints]:
    """(U, R) sums over judges of `hit` where they answer t, and of `held` where held, exactly."""
    most = labelling.n_judges * max(
        (abs(int(v)) for w in (hit, held) for v in w.ravel()), default=0
    )
    kind = np.int64 if most * max(1, labelling.n_items) < SAFE else object
    hit, held = hit.astype(kind), held.astype(kind)
    if labelling.given is not None and kind is np.int64:
        hits, values = labelling.given
        return np.stack([part @ hit[:, t] for t, part in enumerate(hits)], 1), values @ held
    if most < WHOLE_FLOATS:
        sums, none = TupleSums.of(labelling, sparse=False), np.zeros(hit.shape)
        right = sums.scores(hit.astype(float), none).astype(np.int64)
        return right, -sums.scores(none, held.astype(float)).astype(np.int64)
    right = np.stack(
        [(labelling.codes == t).astype(kind) @ hit[:, t] for t in range(labelling.n_labels)], 1
    )
    return right, labelling.held.astype(kind) @ held


def _total(counts: Ints, values: Ints) -> int:
    """Exact sum of counts times values."""
    most = max((abs(int(values.max())), abs(int(values.min())))) if len(values) else 0
    if most * max(1, int(counts.sum())) < SAFE:
        return int(counts @ values.astype(np.int64))
    return sum(n * int(v) for n, v in zip(counts.tolist(), values.tolist(), strict=True))


def root(labelling: Labelling, weights: Ints, start: Fraction) -> Fraction | None:
    """Return where g(weights, .) crosses zero, exactly; None when it never falls below.

    Newton's method on a convex piecewise linear function: the first step lands left of the root,
    every other climbs, and the last is exact.
    """
    right, wanted = _scores(labelling, weights, weights)
    largest = max(int(right.max(initial=0)), int(wanted.max(initial=0)))
    z, first = start, True
    while True:
        exact = max(z.numerator, z.denominator) * largest < SAFE
        slope = gained = 0
        for block in _blocks(len(right)):
            score = _score(right[block], wanted[block], z, whole=exact)
            rows, best = np.arange(len(score)), score.argmax(1)
            slope += _total(labelling.counts[block], wanted[block][rows, best])
            gained += _total(labelling.counts[block], right[block][rows, best])
        if slope <= 0:
            return None
        following = Fraction(gained, slope)
        if not first and following <= z:
            return z if _falls_after(labelling, right, wanted, z, whole=exact) else None
        z, first = following, False


def _score(right: Ints, wanted: Ints, z: Fraction, *, whole: bool) -> Ints:
    """(U, R) q right - p wanted at p / q, in Python's whole numbers where they may be large."""
    right, wanted = (part if whole else part.astype(object) for part in (right, wanted))
    score: Ints = z.denominator * right - z.numerator * wanted
    return score


def _blocks(n: int) -> Iterator[slice]:
    for start in range(0, n, TUPLE_BLOCK):
        yield slice(start, start + TUPLE_BLOCK)


def _falls_after(
    labelling: Labelling, right: Ints, wanted: Ints, z: Fraction, *, whole: bool
) -> bool:
    """Whether g falls to the right of a point."""
    least = 0
    for block in _blocks(len(right)):
        score, own = _score(right[block], wanted[block], z, whole=whole), wanted[block]
        slopes = np.where(score == score.max(1)[:, None], own, own.max(1)[:, None])
        least += _total(labelling.counts[block], slopes.min(1))
    return least > 0


Solve = Callable[[Fraction, Clock], tuple[Ints, Ints] | None]
"""Proposes weights (N, R) at a level, and real cells (U, R); None where they refute nothing."""


def best_bound(
    labelling: Labelling, solve: Solve, start: Fraction, clock: Clock
) -> WeightBound | None:
    """Best bound on the level that all judges can share, from above.

    Dinkelbach's steps: weights that are best at x, the exact root of their g, again from there.
    None when the relaxation already holds at `start`.
    """
    x, bound = start, None
    for _ in range(WEIGHT_STEPS):
        proposed = None if clock.over and bound is not None else solve(x, clock)
        bound_ = None if proposed is None else sharpest(labelling, proposed[0], x)
        if bound_ is None or proposed is None:
            break
        bound = WeightBound(bound_[0], bound_[1], proposed[1])
        step, x = x - bound_[0], bound_[0]
        if step < WEIGHT_STEP:
            break
    if bound is None:
        return None
    target = farey_floor(bound.value, labelling.n_items)
    beyond = next_fraction(target, labelling.n_items)
    nearby = None if clock.over else solve(beyond, clock)
    proposals = [bound.weights.astype(float), *(() if nearby is None else nearby[:1])]
    simple = simplest(labelling, proposals, (bound.value, bound.weights), clock)
    return replace(bound, weights=simple)


def refuting(labelling: Labelling, y: Ints, levels: Levels) -> Ints | None:
    """Smallest whole weights found, by rounding y, that refute levels (N, R), exactly."""
    for scale in WEIGHT_ROUNDINGS:
        weights = whole_weights(y, scale)
        wanted = [[Fraction(0) if x is None else x for x in row] for row in levels]
        common = lcm(*(x.denominator for row in wanted for x in row))
        losses = [[x.numerator * (common // x.denominator) for x in row] for row in wanted]
        whole = weights.astype(object)
        gain, loss = _scores(labelling, whole * common, whole * np.array(losses, object))
        if _total(labelling.counts, (gain - loss).max(1)) < 0:
            return weights
    return None


def sharpest(labelling: Labelling, y: Ints, x: Fraction) -> tuple[Fraction, Ints] | None:
    """Lowest root below x among two roundings of the proposed weights."""
    best = None
    for scale in SHARPEST_ROUNDINGS:
        weights = whole_weights(y, scale)
        value = root(labelling, weights, x)
        if value is not None and value < (x if best is None else best[0]):
            best = value, weights
    return best


def simplest(
    labelling: Labelling, proposals: Sequence[Ints], best: tuple[Fraction, Ints], clock: Clock
) -> Ints:
    """Smallest weights that refute the same attainable fractions as a bound.

    Weights that are best at the next attainable fraction may be among those proposed: where the
    bound itself is approached and not attained, they are far smaller.
    """
    items, bound = labelling.n_items, best[0]
    target = farey_floor(bound, items)
    for scale in WEIGHT_ROUNDINGS:
        for proposed in () if clock.over else proposals:
            clock.spend(labelling.codes.size * labelling.n_labels / CELLS_A_SECOND)
            weights = whole_weights(proposed, scale)
            value = root(labelling, weights, bound)
            if value is not None and farey_floor(value, items) <= target:
                return weights
    return best[1]


def weights_evidence(weights: Any) -> Evidence:
    """Evidence of kind `weights`."""
    return {"kind": "weights", "weights": [[str(y) for y in row] for row in weights]}


def weights_writer(n_judges: int, n_labels: int) -> Writer:
    """Return what writes a refutation as weights, where it rests on accuracies and the key alone."""

    def write(named: Sequence[tuple[RowId, int]], key: Sequence[int]) -> Evidence | None:
        tables = {kind: np.zeros((n_judges, n_labels), object) for kind in ("condition", "rounded")}
        for (kind, *indices), y in named:
            if kind not in tables:
                return None
            _, i, t = indices
            tables[kind][i, t] += y
        shared = gcd(*key, *(y for table in tables.values() for y in table.ravel())) or 1
        result = weights_evidence(tables["condition"] // shared)
        if tables["rounded"].any():
            result["correct"] = weights_evidence(tables["rounded"] // shared)["weights"]
        for name, sign in (("key_low", -1), ("key_high", 1)):
            values = [max(0, sign * z) // shared for z in key]
            if any(values):
                result[name] = [str(z) for z in values]
        return result

    return write


# --- Sums over all decision tuples in floats, block by block, so that memory does not grow with
# them.
#
# Where judges answered few of the items each, only what they answered is stored and summed.
#
# Row u, label t of a table stands for "the items of tuple u have true label t". Judge i then gains
# 1[u_i = t], and is held to the item or not. Tables of judges are (N, R), tables of tuples (U, R).


Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TupleSums:
    """Decision tuples (U, N), the share of the items that each is, and who is held to which."""

    codes: NDArray[np.signedinteger[Any]]
    share: Floats
    held: NDArray[np.bool_]
    n_labels: int

    @classmethod
    def of(cls, labelling: Labelling, *, sparse: bool = True) -> TupleSums:
        """Read a labelling; `sparse`: where few answers were given, these alone are summed."""
        counts = labelling.counts.astype(float)
        codes = labelling.codes.astype(np.min_scalar_type(-1 - int(labelling.codes.max(initial=0))))
        held = labelling.held
        few = sparse and issubclass(SparseSums, cls) and held.mean() < SPARSE_BELOW
        kind = SparseSums if few else cls
        return kind(codes, counts / counts.sum(), held, labelling.n_labels)

    @property
    def shape(self) -> tuple[int, int]:
        """(N, R) of a table of judges."""
        return self.codes.shape[1], self.n_labels

    @property
    def work(self) -> float:
        """Counted work of a step of Newton's method: its matrix, and passes over all cells."""
        (n_tuples, n_judges), n_labels = self.codes.shape, self.n_labels
        products = n_tuples * comb(n_labels, 2) * (2 * n_judges) ** 2
        passes = 20 * self.codes.size * n_labels
        return float(products / PRODUCTS_A_SECOND + passes / CELLS_A_SECOND)

    def _hits(self, block: slice, t: int) -> Floats:
        hits: Floats = (self.codes[block] == t).astype(float)
        return hits

    @cached_property
    def _all_held(self) -> bool:
        """Whether every judge is held to every tuple, so that nothing need be summed to know it."""
        return bool(self.held.all())

    def scores(self, gain: Floats, loss: Floats) -> Floats:
        """(U, R) what each label gains and loses in a tuple, over all judges."""
        result = np.empty((len(self.codes), self.n_labels))
        shared = loss.sum(0) if self._all_held else None
        gains = [t for t in range(self.n_labels) if gain[:, t].any()]
        for block in _blocks(len(self.codes)):
            result[block] = -(self.held[block].astype(float) @ loss if shared is None else shared)
            for t in gains:
                result[block, t] += self._hits(block, t) @ gain[:, t]
        return result

    def right_and_held(self, table: Floats) -> tuple[Floats, Floats]:
        """(N, R) shares of all items that judges have right, and are held to, by label."""
        right, held = np.zeros(self.shape), np.zeros(self.shape)
        for block in _blocks(len(self.codes)):
            part = self.share[block, None] * table[block]
            held += part.sum(0) if self._all_held else self.held[block].T.astype(float) @ part
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
        for block in _blocks(len(self.codes)):
            if clock.over:
                return None
            held = 1.0 if self._all_held else self.held[block].astype(float)
            rows = [self._hits(block, t) - held * levels[:, t] for t in range(n_labels)]
            ready = np.sqrt(self.share[block] / sum_of(give[block]))
            for s, t in combinations(range(n_labels), 2):
                weight = (ready * np.sqrt(give[block, s] * give[block, t]))[:, None]
                b = np.hstack([rows[s] * weight, rows[t] * -weight])
                indices = np.r_[_of(s, n_judges), _of(t, n_judges)]
                result[np.ix_(indices, indices)] += b.T @ b
        return result


def sum_of(table: Floats) -> Floats:
    """(U,) sums of rows of a few columns, which are added up one by one much faster."""
    return reduce(np.add, table.T) if table.shape[1] < FEW_COLUMNS else table.sum(1)


def most_of(table: Floats) -> Floats:
    """(U,) the most of each row of a few columns."""
    return reduce(np.maximum, table.T) if table.shape[1] < FEW_COLUMNS else table.max(1)


FEW_COLUMNS = 8


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

    @property
    def work(self) -> float:
        """Counted work of a step of Newton's method: its matrix, and passes over all cells."""
        n_cells = self._given.nnz
        products = comb(self.n_labels, 2) * 4 * n_cells * (1 + n_cells / len(self.codes))
        passes = 20 * n_cells * self.n_labels
        return float(products / SPARSE_PRODUCTS + passes / CELLS_A_SECOND)

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
        ready = np.sqrt(self.share / sum_of(give))
        for s, t in combinations(range(n_labels), 2):
            if clock.over:
                return None
            weight = (ready * np.sqrt(give[:, s] * give[:, t]))[:, None]
            b = sp.hstack([rows[s] * weight, rows[t] * -weight]).tocsr()
            indices = np.r_[_of(s, n_judges), _of(t, n_judges)]
            result[np.ix_(indices, indices)] += (b.T @ b).toarray()
        return result


# --- Weights and labellings of very many decision tuples, by an interior-point method of their own.
#
# Which labelling leaves the least surplus C[i,t] - x D[i,t] as large as it can be, and which weights y
# prove that it cannot be larger? As a linear program this has a row for each tuple. But tuples meet one
# another only in the N * R surpluses: given the weights, each lays its items on the labels by itself. So
# a step of Newton's method asks for one system of N * R unknowns, and for a few passes over the tuples.
#
# The pair of programs, with v[u,t] the shares of a tuple, c[u] its share of the items, A the surpluses::
#
#     max s             A(v) - s = w >= 0,   v >= 0, sum_t v[u,t] = 1
#     min sum c m       m[u] - z[u,t](y) = r >= 0,   y >= 0, sum y = 1
#
# with z[u,t](y) = sum_i y[i,t] (1[u_i = t] - x d_i(u)). Along the central path c v r and w y are all one
# number; steps follow it by prediction and correction (Mehrotra) while that number falls to zero. All
# is in floats and proves nothing: weights and labellings are rounded and checked elsewhere.


@dataclass(frozen=True, slots=True, eq=False)
class Central:
    """Weights (N, R), real shares (U, R) of the tuples, and the levels (N, R) they belong to.

    `most` is what the least surplus cannot exceed, by the weights, as a share of all items.
    """

    weights: Floats
    shares: Floats
    levels: Floats
    most: float


def at_threshold(sums: TupleSums, clock: Clock) -> Central:
    """Weights and shares at the highest level that all judges can share, nearly.

    After each step the level falls to where the weights refute whatever is above.
    """
    path = _Path(sums, np.full(sums.shape, 1.0), np.ones(sums.shape, bool), clock)
    best = path.weights
    for _ in range(INTERIOR_STEPS):
        clock.spend(path.work)
        x = _root(sums, path.weights, path.levels[0, 0])
        moved = path.levels[0, 0] - x
        if moved > 0:
            best = path.weights
            path.lower(x)
        if (moved < INTERIOR_GAP and path.gap < INTERIOR_GAP) or clock.over or not path.advance():
            break
    return Central(best, path.shares, path.levels, path.most)


def at_levels(sums: TupleSums, levels: Floats, wanted: Any, clock: Clock) -> Central:
    """Weights and shares that settle whether judges can reach levels (N, R) where asked.

    The walk ends as soon as the sign of the greatest least surplus is beyond doubt.
    """
    path = _Path(sums, levels, wanted, clock)
    until_settled(path, clock)
    return Central(path.weights, path.shares, levels, path.most)


def _root(sums: TupleSums, weights: Floats, start: float) -> float:
    """Return where g(weights, .) crosses zero if that is below `start`, else `start`."""
    gain, loss = sums.scores(weights, 0 * weights), -sums.scores(0 * weights, weights)
    rows, x = np.arange(len(gain)), start
    for _ in range(INTERIOR_STEPS):
        best = (gain - x * loss).argmax(1)
        slope = float(sums.share @ loss[rows, best])
        following = float(sums.share @ gain[rows, best]) / slope if slope > 0 else start
        if abs(following - x) < INTERIOR_GAP / 1000:
            break
        x = following
    return min(x, start)


class _Path:
    """The iterates. Tables of judges are kept as vectors of what is asked, label by label."""

    def __init__(self, sums: TupleSums, levels: Floats, wanted: Any, clock: Clock) -> None:
        self.sums, self.levels, self.asked, self.clock = sums, levels, wanted, clock
        n_tuples, n_labels = len(sums.codes), sums.n_labels
        k = int(wanted.sum())
        self.y = np.full(k, 1 / k)
        self.shares = np.full((n_tuples, n_labels), 1 / n_labels)
        z = self._scores(self.y)
        self.m = most_of(z) + INTERIOR_START * n_labels
        self.r = self.m[:, None] - z
        self.w = np.full(k, INTERIOR_START * k * sums.share.min())
        self.s = float((self._surplus(self.shares) - self.w).mean())

    # between tables of judges and vectors of what is asked

    def _table(self, vector: Floats) -> Floats:
        table = np.zeros(self.asked.T.shape)
        table[self.asked.T] = vector
        return table.T

    def _vector(self, table: Floats) -> Floats:
        vector: Floats = table.T[self.asked.T]
        return vector

    def _scores(self, y: Floats) -> Floats:
        table = self._table(y)
        return self.sums.scores(table, table * self.levels)

    def _surplus(self, shares: Floats) -> Floats:
        right, held = self.sums.right_and_held(shares)
        return self._vector(right - self.levels * held)

    # where the path stands

    @property
    def weights(self) -> Floats:
        """(N, R) the weights, none below 0, of sum 1."""
        return self._table(self.y / self.y.sum())

    @property
    def gap(self) -> float:
        """How far the two programs are apart."""
        inner = self.sums.share @ sum_of(self.shares * self.r)
        return float(inner + self.w @ self.y)

    @property
    def most(self) -> float:
        """What the least surplus cannot exceed, by the weights."""
        return float(self.sums.share @ most_of(self.m[:, None] - self.r)) / float(self.y.sum())

    @property
    def least(self) -> float:
        """The least surplus of the shares."""
        return float(self._surplus(self.shares).min())

    def lower(self, x: float) -> None:
        """Go on at a lower level for all; what a tuple can gain rises by what it is held to."""
        rise = self.sums.scores(0 * self.levels, self._table(self.y) * (x - self.levels))
        most = most_of(rise)
        self.levels = np.full(self.levels.shape, x)
        self.m += most
        self.r += most[:, None] - rise

    # one step

    @property
    def work(self) -> float:
        """Counted work of a step."""
        return self.sums.work

    def advance(self) -> bool:
        """Take one step; False where floats carry no further, or time ends."""
        share, give = self.sums.share[:, None], self.shares / self.r
        miss = self._surplus(self.shares) - self.s - self.w
        solve = self._system(give)
        if solve is None:
            return False
        mean = self.gap / (self.r.size + len(self.y))
        direction = self._direction(give, miss, solve)
        guess = direction(0.0, 0.0)
        centring = (self._gap_after(guess, *self._lengths(guess)) / self.gap) ** 3 * mean
        bend = np.clip(share * guess.shares * guess.r, -mean, mean)
        turn = np.clip(guess.w * guess.y, -mean, mean)
        step = direction((centring - bend) / share, centring - turn)
        primal, dual = (min(1.0, INTERIOR_STEP * length) for length in self._lengths(step))
        if not np.isfinite([primal, dual]).all() or max(primal, dual) < INTERIOR_GAP:
            return False
        self._take(step, primal, dual)
        return True

    def _system(self, give: Floats) -> Callable[[Floats], Floats] | None:
        """Return what solves (H + diag(w / y)) x = b."""
        from scipy.linalg import LinAlgError, cho_factor, cho_solve

        flat = self.asked.T.ravel()
        whole = self.sums.curvature(give, self.levels, self.clock)
        if whole is None:
            return None
        matrix = whole[np.ix_(flat, flat)]
        matrix[np.diag_indices_from(matrix)] += self.w / self.y
        try:
            factor = cho_factor(matrix)
        except (LinAlgError, ValueError):
            return None
        return lambda b: np.asarray(cho_solve(factor, b), float)

    def _direction(
        self, give: Floats, miss: Floats, solve: Callable[[Floats], Floats]
    ) -> Callable[[Any, Any], _Step]:
        total = sum_of(give)
        ones = solve(np.ones(len(self.y)))

        def direction(inner: Any, outer: Any) -> _Step:
            """Aim at v r = inner (U, R) and w y = outer (K,)."""
            own = inner / self.r - self.shares
            moved = self._surplus(own - give * (sum_of(own) / total)[:, None])
            plain = solve(outer / self.y - self.w - miss - moved)
            s = (1 - self.y.sum() - plain.sum()) / ones.sum()
            y = plain + s * ones
            z = self._scores(y)
            m = (sum_of(own) + sum_of(give * z)) / total
            r = m[:, None] - z
            w = (outer - self.w * y) / self.y - self.w
            return _Step(own - give * r, w, float(s), y, m, r)

        return direction

    def _lengths(self, step: _Step) -> tuple[float, float]:
        primal = min(room(self.shares, step.shares), room(self.w, step.w))
        return primal, min(room(self.r, step.r), room(self.y, step.y))

    def _gap_after(self, step: _Step, primal: float, dual: float) -> float:
        shares, r = self.shares + primal * step.shares, self.r + dual * step.r
        outer = (self.w + primal * step.w) @ (self.y + dual * step.y)
        return float(self.sums.share @ sum_of(shares * r) + outer)

    def _take(self, step: _Step, primal: float, dual: float) -> None:
        self.shares = self.shares + primal * step.shares
        self.w = self.w + primal * step.w
        self.s += primal * step.s
        self.y = self.y + dual * step.y
        self.m = self.m + dual * step.m
        self.r = self.r + dual * step.r


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """Changes of all that moves."""

    shares: Floats
    w: Floats
    s: float
    y: Floats
    m: Floats
    r: Floats


# --- Full order on many decision tuples: weights above, a whole labelling below, without a large
# program.
#
# Floats propose both at once (`interior`). The weights are rounded and the bound they give is computed
# in whole numbers; the shares are rounded together, then single items are moved among the tuples that
# the weights leave undecided.


Key = tuple[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A level no key exceeds, the whole-number weights (N, R) that say so, and cells (U, R) near it."""

    value: Fraction
    weights: Ints
    cells: Ints


def shared_level(labelling: Labelling, clock: Clock) -> Bound | None:
    """Best bound on the level that all judges can share, and a labelling close below.

    None where no weights refute any attainable level.
    """
    sums = TupleSums.of(labelling)
    middle = at_threshold(sums, clock)
    above = _bounded(labelling, sums, middle, clock)
    if above is None:
        return None
    anywhere = np.zeros(sums.n_labels), np.full(sums.n_labels, labelling.n_items)
    return Bound(*above, _highest(_Nearby(labelling, sums, middle, anywhere, clock), above[0]))


def _bounded(
    labelling: Labelling, sums: TupleSums, central: Central, clock: Clock
) -> tuple[Fraction, Ints] | None:
    """Level that rounded weights bound, and the weights.

    Where no weights attain the best bound they fade as it is neared, and rounding spoils them: then
    those that refute a level a little above do better.
    """
    beyond = next_fraction(Fraction(1), labelling.n_items)
    level, everywhere = float(central.levels[0, 0]), np.ones(sums.shape, bool)
    weights, best = central.weights, None
    for more in SPOILED_BY:
        new = sharpest(labelling, weights, beyond)
        best = new if best is None or (new is not None and new[0] < best[0]) else best
        if clock.over or (best is not None and best[0] <= level + more):
            break
        weights = at_levels(sums, np.full(sums.shape, level + more), everywhere, clock).weights
    return None if best is None else (best[0], simplest(labelling, [best[1]], best, clock))


def settle(
    labelling: Labelling, levels: Levels, key: Key, clock: Clock
) -> tuple[Ints | None, Ints | None]:
    """Weights that refute levels, or whole cells that reach them within bounds on the key.

    Both are checked exactly; both None where it is too close to call, or time ran out.
    """
    busy = np.any(labelling.held, axis=0).tolist()
    mask = np.array([[bool(x and b) for x in row] for row, b in zip(levels, busy, strict=True)])
    if not mask.any():
        return None, None
    sums = TupleSums.of(labelling)
    middle = at_levels(sums, _floats(levels), mask, clock)
    if middle.most < 0:
        return refuting(labelling, middle.weights, levels), None
    if clock.over:
        return None, None
    for cells in _Nearby(labelling, sums, middle, key, clock).wholes(levels):
        if _reaches(labelling, cells, levels, key):
            return None, cells
    return None, None


def _highest(nearby: _Nearby, upper: Fraction) -> Ints:
    """Whole cells of the highest level seen, while targets halve the way up from it."""
    n_judges, n_labels = nearby.sums.shape
    target, best, level = min(upper, Fraction(1)), None, Fraction(-1)
    for _ in range(ROUNDED_LEVELS):
        levels = [[target.limit_denominator(END_DENOMINATOR)] * n_labels] * n_judges
        for cells in nearby.wholes(levels, best):
            # lowest accuracy of whole cells; 1 where nobody is held to anything
            right, held = nearby.labelling.correct(cells), nearby.labelling.held_counts(cells)
            pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
            reached = min((Fraction(c, d) for c, d in pairs if d), default=Fraction(1))
            if reached > level:
                level, best = reached, cells
        if upper - level < CLOSE_ENOUGH or nearby.clock.over:
            break
        target = (level + (upper if level >= target else target)) / 2
    assert best is not None  # rounding alone gives some labelling
    return best


def _reaches(labelling: Labelling, cells: Ints, levels: Levels, key: Key) -> bool:
    """Whether whole cells reach all levels, at a key within bounds, exactly."""
    total, (low, high) = cells.sum(0), key
    if (total < low).any() or (total > high).any():
        return False
    right, held = (part(cells).tolist() for part in (labelling.correct, labelling.held_counts))
    return all(
        not x or c * x.denominator >= x.numerator * d
        for row in zip(levels, right, held, strict=True)
        for x, c, d in zip(*row, strict=True)
    )


def _floats(levels: Levels) -> Any:
    return np.array([[float(x or 0) for x in row] for row in levels])


@dataclass(frozen=True, slots=True, eq=False)
class _Nearby:
    """Real shares and the weights that go with them, and what whole cells must keep to."""

    labelling: Labelling
    sums: TupleSums
    found: Central
    key: Key
    clock: Clock

    def wholes(self, levels: Levels, mask: Ints | None = None) -> Iterator[Ints]:
        """Yield whole cells for levels: rounded, the same repaired, and the known ones repaired."""
        labelling, wanted = (
            self.labelling,
            np.array([[x is not None for x in row] for row in levels]),
        )
        real = self.found.shares * labelling.counts[:, None]
        rounded = round_together(labelling, real, _floats(levels), wanted)
        yield rounded
        undecided = self._undecided()
        for start in (rounded,) if mask is None else (rounded, mask):
            yield repair(labelling, start, levels, self.key, among=undecided, clock=self.clock)

    def _undecided(self) -> Ints:
        """Tuples on which the weights prefer the best label least."""
        weights, levels = self.found.weights, self.found.levels
        scores = np.sort(self.sums.scores(weights, weights * levels), axis=1)
        lead: Ints = scores[:, -1] - scores[:, -2]
        return np.argsort(lead, kind="stable")[:MOVED_TUPLES]


# --- Full order: whole decision tuples, each laid on the labels.


@dataclass(frozen=True, eq=False)
class Full(Order):
    """Full order on one exam: the shares are the key, then the cells n(u; t)."""

    sketch: Sketch
    name: ClassVar[int | str] = "full"
    rounds: ClassVar[bool] = True

    @property
    def nodes(self) -> tuple[int, int]:
        """How many relaxations a tree may solve before the integer program, and after it."""
        small = len(self.sketch) * self.exam.n_labels <= FIRST_NODES_BELOW
        return FIRST_NODES[not small], FULL_NODES

    @property
    def many(self) -> bool:
        """Whether weights and labellings are found tuple by tuple, not by one program of all."""
        return len(self.sketch) > TUPLES_AT_ONCE and self.exam.n_labels > 1

    @cached_property
    def labelling(self) -> Labelling:
        """The decision tuples as arrays."""
        s = self.sketch
        return Labelling.of(s.codes, s.counts, s.n_labels, missing=self.exam.rule)

    def pairs_met(self, spec: Specification, clock: Clock) -> Bools | None:
        """By chains: two judges alone have no more in common than their pairs of answers."""
        if not fits(self.exam):
            return None
        return Chains(self.exam, pair_counts(self.sketch)).meeting(spec, clock)

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        excused = sum(map(bool, self.exam.excused))
        judges = self.exam.n_judges + (excused + 2) * self.exam.n_labels
        return len(self.sketch) * judges

    @property
    def n_unknowns(self) -> int:
        """How many unknowns its programs have."""
        return (len(self.sketch) + 1) * self.exam.n_labels

    @cached_property
    def layout(self) -> Layout:
        """Totals are Q and the counts of the decision tuples."""
        exam, codes, r = self.exam, self.sketch.codes, self.exam.n_labels
        shape = (exam.n_judges * r, (1 + len(codes)) * r)
        u, i = np.nonzero((codes >= 0) & (codes < r))
        t = codes[u, i].astype(np.int64)
        correct = np.column_stack([i * r + t, (1 + u) * r + t, np.ones(len(u), np.int64)])
        excused = np.array([bool(e) for e in exam.excused])
        u, i = np.nonzero((codes >= 0) & excused)
        parts = [np.column_stack([i * r + t, (1 + u) * r + t, np.ones_like(u)]) for t in range(r)]
        parts += [np.array([[i * r + t, t, 1]]) for i in np.flatnonzero(~excused) for t in range(r)]
        rows = range(len(codes))
        columns = np.arange((1 + len(codes)) * r)
        adds = np.column_stack([columns % r, columns, np.where(columns < r, -1, 1)])
        names = [("label", t) for t in range(r)]
        return Layout(
            exam,
            np.concatenate([[exam.n_items], self.sketch.counts]),
            [("size",), *(("tuple", u) for u in rows)],
            [("key",), *(("cell", u) for u in rows)],
            Rows.of(names, sparse_ints(adds, (r, shape[1])), [0] * r, equal=True),
            sparse_ints(correct, shape),
            sparse_ints(np.concatenate(parts), shape),
            links=tuple(range(r)),
        )

    def select(self, judges: Sequence[int]) -> Full:
        """Full order for some of the judges, on their marginal sketch."""
        part = self.sketch.marginal([self.exam.judges[i] for i in judges])
        return Full(select_exam(self.exam, judges), part)

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Refute by the label caps of order 1, which hold at every order; settle many tuples."""
        demands = read_specification(self.exam, spec)
        result = cap_evidence(self.exam, system_of(self.exam, demands))
        if result is not None:
            return Outcome(refutation=result[0], judges=result[1])
        if not (self.many and demands.simple):
            return Outcome()
        key = np.array(demands.low), np.array(demands.high)
        weights, cells = settle(self.labelling, demands.levels, key, clock)
        if weights is not None:
            judges = tuple(range(self.exam.n_judges))
            return Outcome(refutation=weights_evidence(weights), judges=judges)
        return Outcome() if cells is None else Outcome(witness=self.witness(self.shares(cells)))

    def program(self, spec: Specification, judges: Sequence[int] | None = None) -> Shares:
        """Program of a specification, asked of some judges (default: of all)."""
        simple = read_specification(self.exam, spec).simple
        if not simple:
            check_size(self.n_unknowns)
        write = weights_writer(self.exam.n_judges, self.exam.n_labels) if judges is None else None
        return self.layout.program(spec, judges=judges, write=write)

    def near(self, relaxed: Ints) -> Ints:
        """Round tuple by tuple; the key is what the cells add up to."""
        return self.shares(round_cells(self.sketch.counts, relaxed[1:]))

    def shares(self, cells: Ints) -> Ints:
        """Shares behind cells (U, R)."""
        return np.vstack([cells.sum(0)[None], cells])

    def counted(self, shares: Ints) -> tuple[Ints, Ints]:
        """Correct answers and items held of shares; of many tuples without the layout of a program."""
        if not self.many:
            return super().counted(shares)
        cells = shares[1:]
        return self.labelling.correct(cells).ravel(), self.labelling.held_counts(cells).ravel()

    def start(self, frame: Frame) -> Ints | None:
        """Lay the tuples, in order, on a key within its bounds."""
        counts = self.sketch.counts
        key = fill(frame.low, frame.high, self.exam.n_items)
        ends, cuts = np.cumsum(counts), np.cumsum(key)
        columns = [
            np.maximum(np.minimum(ends, cut) - np.maximum(ends - counts, cut - q), 0)
            for cut, q in zip(cuts, key, strict=True)
        ]
        return self.shares(np.column_stack(columns))

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints] | None:
        """Best bound by weights; of many tuples with shares close below it."""
        if self.many:
            level = shared_level(self.labelling, clock)
            if level is None:
                return None
            return level.value, weights_evidence(level.weights), self.shares(level.cells)
        beyond = next_fraction(Fraction(1), self.exam.n_items)
        proposal = best_bound(self.labelling, self.proposed, beyond, clock)
        if proposal is None:
            return None
        near = self.shares(round_cells(self.sketch.counts, proposal.cells))
        return proposal.value, weights_evidence(proposal.weights), near

    def read(self, witness: Evidence) -> Ints:
        """Shares behind the evidence of a witness."""
        return self.shares(np.array(witness["cells"], np.int64))

    def repaired(self, program: Shares, shares: Ints, clock: Clock) -> Ints:
        """Move single items until the accuracies asked are met, or as near as that comes."""
        if program.write is None:
            return shares
        levels: list[list[Fraction | None]] = [
            [None] * self.exam.n_labels for _ in self.exam.judges
        ]
        for r, (kind, *indices) in enumerate(program.rows.ids):
            if kind == "condition":
                _, i, t = indices
                levels[i][t] = Fraction(-program.rows.b[r], program.rows.a[r])
        key = program.low[0], program.high[0]
        return self.shares(repair(self.labelling, shares[1:], levels, key, clock=clock))

    def proposed(self, x: Fraction, clock: Clock) -> tuple[Ints, Ints] | None:
        """Weights (N, R) that speak most against level x, and the cells they leave."""
        level = (
            Specification.at_least(x)
            if x <= 1
            else Specification.at_least(Fraction(1), strict=True)
        )
        if not self.in_time(clock):
            return None
        program = self.program(level).plain()
        relaxed = relax(program, program.root(), clock)
        if relaxed is None or relaxed.amount <= VIOLATED:
            return None
        weights = np.zeros((self.exam.n_judges, self.exam.n_labels))
        for r, (kind, *indices) in enumerate(program.rows.ids):
            if kind == "condition":
                weights[indices[1], indices[2]] = relaxed.base[r]
        return weights, relaxed.shares[1:]

    def witness(self, shares: Ints) -> Evidence:
        """Whole-number shares as the evidence of a witness."""
        return {"kind": "witness", "cells": shares[1:].tolist()}

    def evaluation(self, evidence: Evidence) -> Evaluation:
        """Evaluation that a witness shows."""
        cells = np.array(evidence["cells"], np.int64)
        return KeyedSketch(self.sketch, cells).evaluation()

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Cells of the whole sketch that add up to those of a group's marginal one."""
        marginal = self.sketch.marginal([self.exam.judges[i] for i in group])
        rows = {tuple(codes): index for index, codes in enumerate(marginal.codes.tolist())}
        left = np.array(part["cells"], np.int64)
        cells = np.zeros((len(self.sketch), self.exam.n_labels), np.int64)
        columns = self.sketch.codes[:, list(group)].tolist()
        for u, (codes, need) in enumerate(zip(columns, self.sketch.counts.tolist(), strict=True)):
            row = left[rows[tuple(codes)]]
            for t in range(self.exam.n_labels):
                take = min(need, int(row[t]))
                cells[u, t] = take
                row[t] -= take
                need -= take
        witness: dict[str, Any] = {"kind": "witness", "cells": cells.tolist()}
        return witness
