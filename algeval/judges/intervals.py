"""Intervals and tests of judges against people's labels, from counts; each returns (estimate, low, high)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, ndtri, stdtr, stdtrit, xlog1py, xlogy

from algeval.data.scores import mid_ranks
from algeval.rates.intervals import exact_ends, log_choose, log_hypergeometric

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

_STEPS = 60  # halvings: beyond what a float tells apart
FEWEST_CLUSTERS = 8  # below it spread between clusters cannot be seen
_NARROW = 1e-12


class Interval(NamedTuple):
    """An estimate and the ends of its interval; None where it is not defined."""

    value: float | None
    low: float
    high: float


def points(interval: Interval, *, sign: bool = False) -> str:
    """Ends in whole points of a percent, rounded outwards: 0 is inside or it is not."""
    ends = [floor(100 * interval.low), ceil(100 * interval.high)]
    return " to ".join(f"{end:+}" if sign and end else str(end) for end in ends)


def _halve(wrong: Callable[[float], bool], low: float, high: float, steps: int = _STEPS) -> float:
    """End of the stretch from `low` on which `wrong` holds."""
    for _ in range(steps):
        middle = (low + high) / 2
        if wrong(middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


# --- Shares of independent rows.


def share(x: int, n: int, level: float = 0.95) -> Interval:
    """Share x of n with its mid-p interval; all of [0, 1] where n is 0.

    Lowest coverage of random class sizes .945 for n from 20 to 500 (Clopper-Pearson .955, a third wider).
    """
    if n == 0:
        return Interval(None, 0.0, 1.0)
    tail = (1 - level) / 2

    def above(p: float) -> float:  # P(X > x) + P(X = x) / 2
        at_least = betainc(x, n - x + 1, p) if x > 0 else 1.0
        more = betainc(x + 1, n - x, p) if x < n else 0.0
        return float(at_least + more) / 2

    low = 0.0 if x == 0 else _halve(lambda p: above(p) < tail, 0.0, x / n)
    high = 1.0 if x == n else _halve(lambda p: 1 - above(p) > tail, x / n, 1.0)
    return Interval(x / n, low, high)


def share_of_items(x: int, n: int, n_items: int, level: float = 0.95) -> Interval:
    """Share of `n_items` of which n drawn at random showed x, with its hypergeometric mid-p interval."""
    if n == 0:
        return Interval(None, 0.0, 1.0)
    tail = (1 - level) / 2

    def below(total: int) -> float:  # P(X < x) + P(X = x) / 2
        k = np.arange(max(0, n - (n_items - total)), x + 1.0)
        chances = np.exp(log_hypergeometric(k, n, total, n_items))
        return float(chances.sum() - chances[-1] / 2)

    def first(holds: Callable[[int], bool]) -> int:  # of totals that x of n allow
        low, high = x, n_items - (n - x)
        while low < high:
            middle = (low + high) // 2
            if holds(middle):
                high = middle
            else:
                low = middle + 1
        return low

    low = 0 if x == 0 else first(lambda total: 1 - below(total) > tail)
    most = n_items - (n - x)
    high = most if below(most) > tail else first(lambda total: below(total) <= tail) - 1
    return Interval(x / n, low / n_items, (n_items if x == n else high) / n_items)


def mover(
    shares: Sequence[Interval],
    weights: Sequence[float],
    between: float = 0.0,
    together: Floats | None = None,
) -> Interval:
    """Weighted sum of shares, by MOVER on their ends (Zou and Donner 2008); about its level.

    A share that is not defined counts as one half, from 0 to 1. `between` adds to both squared half widths.
    together : their correlations; by default they are independent.
    """
    w = np.array(weights, float)
    values = np.array([0.5 if part.value is None else part.value for part in shares])
    below = w * (values - [part.low for part in shares])
    above = w * ([part.high for part in shares] - values)
    r, value = np.eye(len(w)) if together is None else together, float(w @ values)
    low, high = (sqrt(float(gap @ r @ gap) + between) for gap in (below, above))
    return Interval(value, max(0.0, value - low), min(1.0, value + high))


def balanced(recalls: Sequence[Interval], together: Floats | None = None) -> Interval:
    """Mean of the recalls of all labels, by `mover`; not defined where a label has no row."""
    if any(r.value is None for r in recalls):
        return Interval(None, 0.0, 1.0)
    return mover(recalls, [1 / len(recalls)] * len(recalls), together=together)


def recalls_together(truth: Counts, right: NDArray[np.bool_], drawn: Drawn, k: int) -> Floats:
    """Correlations of the recalls of k labels over clusters, those below 0 as 0: they would narrow."""
    z = np.zeros((k, int(drawn.clusters.max()) + 1))
    for t in range(k):
        w = np.where(truth == t, drawn.weights, 0.0)
        recall = float((w * right).sum() / w.sum()) if w.any() else 0.0
        z[t] = np.bincount(drawn.clusters, w * (right - recall))
    size = np.sqrt((z**2).sum(axis=1))
    scale = np.where(size > _NARROW, size, 1.0)
    r = np.clip(z @ z.T / scale[:, None] / scale, 0.0, 1.0)
    np.fill_diagonal(r, 1.0)
    return np.asarray(r, float)


# --- Agreement beyond chance: a k x k table of rows, judge by truth.


def quadratic_weights(k: int) -> Floats:
    """Weights 1 - (a - b)^2 / (k - 1)^2 of a scale of k levels."""
    a = np.arange(k)
    return np.asarray(1 - (a[:, None] - a) ** 2 / max(1, k - 1) ** 2, float)


class Drawn(NamedTuple):
    """Rows that were drawn in clusters, or with unequal chances.

    clusters : (n,), from 0 on.
    weights : (n,), one over the chance of each.
    cells : (n, 2), where each row is in a table.
    """

    clusters: Counts
    weights: Floats
    cells: Counts

    def sums(self, values: Floats) -> tuple[Floats, Floats]:
        """Weighted sums of values over clusters, and of ones."""
        sums, sizes = (np.bincount(self.clusters, self.weights * x) for x in (values, 1.0))
        return np.asarray(sums, float), np.asarray(sizes, float)

    def shares(self, k: int) -> tuple[Floats, float]:
        """Weighted shares of a k x k table, and how many independent rows the clusters come to."""
        p = np.zeros((k, k))
        np.add.at(p, tuple(self.cells.T), self.weights)
        totals = np.bincount(self.clusters, self.weights)
        return p / p.sum(), float(totals.sum() ** 2 / (totals**2).sum())

    def spread(self, h: Floats, n: float) -> float:
        """Sum of squares over clusters of the influence `h` of their rows, whose weights add up to n."""
        own = self.weights / self.weights.sum() * n
        sums = np.bincount(self.clusters, own * h[tuple(self.cells.T)])
        return len(sums) / (len(sums) - 1) * float((sums**2).sum())


def kappa(
    table: Counts,
    weights: Floats | None = None,
    level: float = 0.95,
    drawn: Drawn | None = None,
) -> Interval:
    """Cohen's kappa, weighted if there are weights; not defined where both say one label only.

    The interval is of the table with 4 / k^2 added to each cell (2 / k^2 for k > 2, 1 / k^2 weighted), by the
    delta method with Student's quantile of n - 1 degrees; lowest coverage .935 at 20 labels. Of rows `drawn`
    in clusters n is the effective number of clusters, and squares are those of sums of clusters.
    """
    k = len(table)
    added = 1.0 if weights is not None else 4.0 if k == 2 else 2.0
    scale = np.eye(k) if weights is None else weights

    def parts(p: Floats) -> tuple[float, float, Floats]:
        a, b = p.sum(axis=1), p.sum(axis=0)
        seen = float((scale * p).sum())
        chance = float(a @ scale @ b)
        return seen, chance, (scale @ b)[:, None] + (scale.T @ a)[None, :]

    return _beyond_chance(table, scale, parts, (added, drawn), level)


def ac1(table: Counts, level: float = 0.95, drawn: Drawn | None = None) -> Interval:
    """Gwet's AC1, with the interval of a table smoothed as for `kappa`."""
    k = len(table)

    def parts(p: Floats) -> tuple[float, float, Floats]:
        pi = (p.sum(axis=1) + p.sum(axis=0)) / 2
        chance = float((pi * (1 - pi)).sum()) / (k - 1)
        slope = ((1 - 2 * pi)[:, None] + (1 - 2 * pi)[None, :]) / (2 * (k - 1))
        return float(np.trace(p)), chance, slope

    return _beyond_chance(table, np.eye(k), parts, (4.0 if k == 2 else 2.0, drawn), level)


def _beyond_chance(
    table: Counts,
    scale: Floats,
    parts: Callable[[Floats], tuple[float, float, Floats]],
    design: tuple[float, Drawn | None],
    level: float,
) -> Interval:
    """(seen - chance) / (1 - chance), with the delta interval of the smoothed table."""
    (added, drawn), k = design, len(table)
    n: float = int(table.sum())
    if n < 2 or k < 2 or (drawn is not None and drawn.clusters.max() < 1):
        return Interval(None, -1.0, 1.0)
    shares, degrees = np.asarray(table / n, float), n - 1
    if drawn is not None:
        (shares, n), degrees = drawn.shares(k), float(drawn.clusters.max())
    seen, chance, _ = parts(shares)
    value = None if 1 - chance < _NARROW else (seen - chance) / (1 - chance)
    p: Floats = np.asarray((n * shares + added / k**2) / (n + added), float)
    seen, chance, slope = parts(p)
    centre = (seen - chance) / (1 - chance)
    h = (scale - (1 - centre) * slope) / (1 - chance)
    h = h - (p * h).sum()
    squares = (p * h**2).sum() * (n + added)
    if drawn is not None:
        squares = drawn.spread(h, n) + added / k**2 * (h**2).sum()
    half = float(stdtrit(degrees, (1 + level) / 2)) * sqrt(float(squares)) / (n + added)
    low, high = max(-1.0, centre - half), min(1.0, centre + half)
    if value is not None:
        low, high = min(low, value), max(high, value)
    return Interval(value, low, high)


# --- Shares of rows in clusters, or drawn with unequal chances.


def clustered_share(
    right: NDArray[np.bool_],
    clusters: Counts | None = None,
    weights: Floats | None = None,
    level: float = 0.95,
    largest: float | None = None,
) -> Interval:
    """Share of rows that are right, by Korn and Graubard with degrees of freedom of the rarer outcome.

    Lowest coverage .935 over clusters of 1 to 10 rows that correlate up to .7; fewer than
    `FEWEST_CLUSTERS` are the caller's to refuse. `largest`: weight of a row that may be missing here; where
    all rows are right, or none, as many count as there would be of that weight.
    """
    y = right.astype(float)
    w = np.ones(len(y)) if weights is None else weights
    groups = np.arange(len(y)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    total, n_groups = float(w.sum()), int(groups.max()) + 1
    p = float((w * y).sum()) / total
    kish = total**2 / float((w**2).sum())
    z = float(ndtri((1 + level) / 2))
    wrong = len(np.unique(groups[~right]))
    good = len(np.unique(groups[right]))
    if not wrong or not good:
        n_star = min(n_groups, kish, total / max(float(w.max()), largest or 0.0))
        return Interval(p, *exact_ends(p * n_star, n_star, level))
    if n_groups < 2:  # right and wrong ones of a single cluster: their spread is not known
        return Interval(p, 0.0, 1.0)
    sums = np.bincount(groups, w * (y - p), minlength=n_groups)
    v = n_groups / (n_groups - 1) * float((sums**2).sum()) / total**2
    n_eff = min(p * (1 - p) / v, kish) if v > 0 else kish
    df = min(n_groups - 1, 2 * min(wrong, good))
    n_star = n_eff * (z / float(stdtrit(df, (1 + level) / 2))) ** 2
    return Interval(p, *exact_ends(p * n_star, n_star, level))


# --- Means of bounded values, in clusters or not.


def _mean_and_spread(sums: Floats, sizes: Floats, centre: float) -> tuple[float, float, float]:
    """Mean with two more clusters, half a unit above the centre and below it, its error, and its degrees.

    These have the size that a row is in on average, and degrees are those of clusters of that size.
    """
    n, usual = len(sums), float((sizes**2).sum() / sizes.sum())
    m = np.append(sizes, [usual, usual])
    more = np.append(sums, [(centre - 0.5) * usual, (centre + 0.5) * usual])
    middle = float(more.sum() / m.sum())
    squares = float(((more - middle * m) ** 2).sum())
    degrees = max(1.0, float(sizes.sum()) / usual - 1)
    return middle, sqrt((n + 2) / (n + 1) * squares) / float(m.sum()), degrees


def mean_interval(
    sums: Floats, sizes: Floats | None = None, *, centre: float = 0.0, level: float = 0.95
) -> Interval:
    """Mean of values in [centre - 1, centre + 1], by Student's t on the sums of items, or of clusters.

    The ends are those of the values and two more units, half above the centre and half below; without them
    the coverage of 15 values falls to .83. `sizes`: values in each sum, or their weight, by default one.
    None with fewer than two sums.
    """
    n = len(sums)
    if n < 2:
        return Interval(None, centre - 1, centre + 1)
    m = np.ones(n) if sizes is None else sizes
    value = float(sums.sum() / m.sum())
    middle, spread, degrees = _mean_and_spread(sums, m, centre)
    half = float(stdtrit(degrees, (1 + level) / 2)) * spread
    return Interval(value, min(middle - half, value), max(middle + half, value))


def cut_interval(interval: Interval, least: float, most: float) -> Interval:
    """Interval whose ends are cut to what is possible."""
    return Interval(interval.value, max(least, interval.low), min(most, interval.high))


def mean_above(sums: Floats, sizes: Floats) -> float:
    """One-sided p of the test that the mean of `mean_interval` is not above 0; 1 with fewer than two sums."""
    if len(sums) < 2:
        return 1.0
    middle, spread, degrees = _mean_and_spread(sums, sizes, 0.0)
    return float(stdtr(degrees, -middle / spread))


# --- Shares of labels that came one by one, at every look at once: ratio of prior to posterior, uniform prior
# (Waudby-Smith and Ramdas 2020). At the true share its mean is 1 whatever came before, so that it ever passes
# 1 / alpha with a chance of alpha at most.


_TIE = 1e-9  # a ratio that is exactly the limit stays in the set, however it is rounded


def anytime_count(x: int, n: int, f: int, level: float) -> tuple[int, int]:
    """Ends of the set for the hits among f items, x of n drawn at random without replacement being hits.

    The posterior has one peak, so that each end is reached by halving.
    """
    low, high = x, f - (n - x)

    def kept(r: int) -> bool:
        posterior = log_choose(f - n, float(r - x)) + betaln(r + 1, f - r + 1)
        ratio = -log(f + 1) - posterior + betaln(1 + x, 1 + n - x)
        return bool(ratio < -log(1 - level) + _TIE)

    peak = min(max(x * (f + 1) // n, low), high) if n else low
    return peak - _last(peak - low, lambda k: kept(peak - k)), peak + _last(
        high - peak, lambda k: kept(peak + k)
    )


def _last(most: int, holds: Callable[[int], bool]) -> int:
    """The last of 0, ..., most at which it holds, where it holds up to some point and not beyond."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def anytime_share(x: int, n: int, level: float) -> tuple[float, float]:
    """Ends of the set for a share of draws without end, or from items whose number is not known.

    Of items without replacement the ratio is smaller still where the set ends, but for less than one part in
    their number.
    """
    if n == 0:
        return 0.0, 1.0
    limit = float(betaln(x + 1, n - x + 1)) + log(1 - level)

    def out(p: float) -> bool:
        return bool(xlogy(x, p) + xlog1py(n - x, -p) <= limit)

    low = 0.0 if x == 0 else _halve(out, 0.0, x / n)
    high = 1.0 if x == n else _halve(lambda p: not out(p), x / n, 1.0)
    return low, high


def two_answers(codes: NDArray[Any], n_labels: int) -> bool:
    """Whether one of two answers that differ is always right: there are two labels, and no other answer."""
    return n_labels == 2 and bool(((codes >= 0) & (codes < 2)).all())


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """Items in strata of random draws, and what people said of those drawn so far."""

    strata: Counts  # (n_items,)
    truth: Counts  # (n_items,), place of the label; -1 without
    unclear: NDArray[np.bool_]  # (n_items,), drawn, and without a label: the truth may be any
    certain: NDArray[
        np.bool_
    ]  # (n_items,), labelled, by a draw that is not known: each counts for itself

    @property
    def plain(self) -> bool:
        """Whether all labels are one random draw."""
        return not self.certain.any() and not np.ptp(self.strata)

    def hits(self, inside: NDArray[np.bool_], hit: NDArray[np.bool_], level: float) -> Interval:
        """How many of the items `inside`, which do not hang on labels, are hits.

        hit : (n_items,), read where there is a label. Strata share the chance of a miss.
        """
        free, labelled = inside & ~self.certain, self.truth >= 0
        certain = int((inside & self.certain & hit).sum())
        kinds = np.unique(self.strata[free])
        each = 1 - (1 - level) / max(1, len(kinds))
        low, high, value = certain, certain, float(certain)
        for kind in kinds.tolist():
            own = free & (self.strata == kind)
            f, n, u = int(own.sum()), int((own & labelled).sum()), int((own & self.unclear).sum())
            x = int((own & labelled & hit).sum())
            low += anytime_count(x, n + u, f, each)[0]
            high += anytime_count(x + u, n + u, f, each)[1]
            value += f * x / n if n else f / 2
        return Interval(value, low, high)

    def share(self, inside: NDArray[np.bool_], hit: NDArray[np.bool_], level: float) -> Interval:
        """Share of hits among items that do not hang on labels."""
        size = int(inside.sum())
        if not size or not (inside & (self.truth >= 0)).any():
            return Interval(None, 0.0, 1.0)
        value, low, high = self.hits(inside, hit, level)
        return Interval((value or 0.0) / size, low / size, high / size)

    def recall(
        self, said: NDArray[np.bool_], answered: NDArray[np.bool_], label: int, level: float
    ) -> Interval:
        """Share said of the items whose true label is `label`.

        Of one random draw, items with this label come in a random order among themselves, and what was said
        of each is a stream of its own. Else it is made of two counts, of items said and with the label, and
        of items not said and with the label, each at half of the chance of a miss.
        """
        own, missed = self.truth == label, answered & ~said
        x, n = int((own & said).sum()), int((own & answered).sum())
        if not n:
            return Interval(None, 0.0, 1.0)
        half = 1 - (1 - level) / 2
        if self.plain:
            u_hit, u_miss = int((self.unclear & said).sum()), int((self.unclear & missed).sum())
            low = anytime_share(x, n + u_miss, level)[0]
            high = anytime_share(x + u_hit, n + u_hit, level)[1]
            left = self.truth < 0
            least = x / (n + int((left & missed).sum()))
            more = int((left & said).sum())
            return Interval(x / n, max(low, least), min(high, (x + more) / (n + more)))
        caught, lost = self.hits(said, own, half), self.hits(missed, own, half)
        whole = (caught.value or 0.0) + (lost.value or 0.0)
        low = caught.low / (caught.low + lost.high) if caught.low else 0.0
        high = caught.high / (caught.high + lost.low) if caught.high else 0.0
        value = (caught.value or 0.0) / whole if whole else x / n
        return Interval(value, low, high)

    def difference(
        self, codes: Counts, within: NDArray[np.bool_], level: float, *, binary: bool
    ) -> Interval:
        """By how much the first of two judges is right more often, over the items `within`.

        codes : (n_items, 2), what both said; only items on which they differ can tell them apart.
        binary : whether one of two that differ is always right
        """
        apart, size = within & (codes[:, 0] != codes[:, 1]), int(within.sum())
        if not size:
            return Interval(None, -1.0, 1.0)
        right = codes == self.truth[:, None]
        part = level if binary else 1 - (1 - level) / 2
        wins = self.hits(apart, right[:, 0], part)
        n = int(apart.sum())
        losses = Interval(n - (wins.value or 0.0), n - wins.high, n - wins.low)
        if not binary:
            losses = self.hits(apart, right[:, 1], part)
        value = (wins.value or 0.0) - (losses.value or 0.0)
        low, high = max(wins.low - losses.high, -n), min(wins.high - losses.low, n)
        return Interval(value / size, low / size, high / size)

    def may_be_best(self, codes: Counts, n_labels: int, level: float) -> NDArray[np.bool_]:
        """Which judges may be best, a missing answer counting as wrong; a best one leaves with 1 - level."""
        n = codes.shape[1]
        stays, every = np.ones(n, bool), np.ones(len(codes), bool)
        part = 1 - (1 - level) / max(1, n - 1)
        for i, j in combinations(range(n), 2):
            own = codes[:, [i, j]]
            ends = self.difference(own, every, part, binary=two_answers(own, n_labels))
            stays[i] &= ends.high >= 0
            stays[j] &= ends.low <= 0
        return stays

    def p_value(self, codes: Counts, within: NDArray[np.bool_], *, binary: bool) -> float:
        """Smallest 1 - level at which the interval of the difference leaves 0, to about a tenth."""

        def inside(log_p: float) -> bool:
            ends = self.difference(codes, within, 1 - 10.0**log_p, binary=binary)
            return ends.low <= 0 <= ends.high

        if inside(-1e-9):
            return 1.0
        return float(min(1.0, 10 ** _halve(inside, -12.0, 0.0, steps=9)))


# --- Two judges on the same labels, and the set of judges that may be best.


def tango(b: int, c: int, n: int, level: float = 0.95) -> Interval:
    """Difference (b - c) / n of two shares of the same n rows, by Tango (1998).

    b : rows on which only the first is right; c : only the second.
    """
    if n == 0:
        return Interval(None, -1.0, 1.0)
    d, z = (b - c) / n, float(ndtri((1 + level) / 2))

    def score(delta: float) -> float:
        first = -b - c + (2 * n - b + c) * delta
        third = -c * delta * (1 - delta)
        q = (sqrt(max(0.0, first**2 - 8 * n * third)) - first) / (4 * n)
        spread = n * (2 * q + delta * (1 - delta))
        gap = b - c - n * delta
        return 0.0 if abs(gap) < _NARROW else gap / sqrt(max(spread, _NARROW))

    low = _halve(lambda x: score(x) > z, -1.0, d)
    high = _halve(lambda x: score(x) >= -z, d, 1.0)
    return Interval(d, low, high)


def mcnemar(b: int, c: int) -> float:
    """Two-sided mid-p of McNemar's test; no guarantee, at most about .065 where 5% is asked."""
    return min(1.0, 2 * _beats(max(b, c), b + c))


def _beats(wins: int, n: int, half: float = 0.5) -> float:
    """P(X > wins) and `half` of P(X = wins), X the heads of n fair coins; half = 1: P(X >= wins)."""
    more = float(betainc(wins + 1, n - wins, 0.5)) if wins < n else 0.0
    at_least = float(betainc(wins, n - wins + 1, 0.5)) if wins > 0 else 1.0
    return half * at_least + (1 - half) * more


def may_be_best(
    right: NDArray[np.bool_],
    level: float = 0.95,
    *,
    guarantee: bool = False,
    drawn: Drawn | None = None,
) -> tuple[NDArray[np.bool_], Floats]:
    """Which judges may be best, and the smallest p of each: that another is better.

    right : (n_rows, n_judges), whether each was right; a missing answer is wrong.
    guarantee : exact tails, with which a best judge is in the set with probability `level` at every n, of
        rows drawn independently; else mid-p, about so.
    drawn : rows in clusters or with unequal chances, compared by t tests on sums of clusters; about so.
    """
    n_judges = right.shape[1]
    if n_judges == 1:
        return np.ones(1, bool), np.ones(1)
    ahead = right.T.astype(np.int64) @ (~right).astype(np.int64)  # [j, i]: j right, i wrong
    least = np.ones(n_judges)
    for i in range(n_judges):
        for j in range(n_judges):
            if i == j:
                continue
            wins, n = int(ahead[j, i]), int(ahead[j, i] + ahead[i, j])
            p = _beats(wins, n, 1.0 if guarantee else 0.5)
            if drawn is not None:
                p = mean_above(*drawn.sums(right[:, j].astype(float) - right[:, i]))
            least[i] = min(least[i], p)
    return least > (1 - level) / (n_judges - 1), least


# --- Several tests at once.


def holm(p: Sequence[float]) -> list[float]:
    """P values adjusted for their number (Holm 1979)."""
    order = np.argsort(p, kind="stable")
    n, adjusted, highest = len(p), [0.0] * len(p), 0.0
    for rank, k in enumerate(order.tolist()):
        highest = max(highest, min(1.0, (n - rank) * p[k]))
        adjusted[k] = highest
    return adjusted


# --- Judges who give numbers.


def rank_correlation(x: Floats, y: Floats, level: float = 0.95) -> Interval:
    """Spearman's correlation of scores with people's scores, with the interval of Bonett and Wright (2000).

    None and all of [-1, 1] with fewer than 4 items or one value only.
    """
    n = len(x)
    if n < 4 or not np.ptp(x) or not np.ptp(y):
        return Interval(None, -1.0, 1.0)
    r = float(np.corrcoef(mid_ranks(x), mid_ranks(y))[0, 1])
    error = sqrt((1 + r * r / 2) / (n - 3))
    z, half = np.arctanh(np.clip(r, -1 + _NARROW, 1 - _NARROW)), -float(ndtri((1 - level) / 2))
    return Interval(r, float(np.tanh(z - half * error)), float(np.tanh(z + half * error)))


def ranked_above(scores: Floats, good: NDArray[np.bool_], level: float = 0.95) -> Interval:
    """Chance that a good item has a higher score than a bad one, ties half (the area under the ROC curve).

    Variance of DeLong, DeLong and Clarke-Pearson (1988) on the scale of log odds with Welch's degrees of
    freedom: coverage .95 and more from 5 items of each class on, .92 with 3. Where all pairs are in order,
    or none, the interval is that of as many pairs as have no item in common. None and all of [0, 1] without
    two items of each class.
    """
    first, second = scores[good], scores[~good]
    m, n = len(first), len(second)
    if m < 2 or n < 2:
        return Interval(None, 0.0, 1.0)
    below, ties = (np.searchsorted(np.sort(second), first, side=side) for side in ("left", "right"))
    own = (below + ties) / (2 * n)  # of each good item, the share of bad ones it is above
    below, ties = (np.searchsorted(np.sort(first), second, side=side) for side in ("left", "right"))
    other = 1 - (below + ties) / (2 * m)
    area = float(own.mean())
    if area in (0, 1):
        k = min(m, n)
        return share(round(area * k), k, level)
    parts = own.var(ddof=1) / m, other.var(ddof=1) / n
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1))
    error = sqrt(sum(parts)) / (area * (1 - area))
    middle, half = np.log(area / (1 - area)), -float(stdtrit(freedom, (1 - level) / 2)) * error
    low, high = (float(1 / (1 + np.exp(-end))) for end in (middle - half, middle + half))
    return Interval(area, low, high)
