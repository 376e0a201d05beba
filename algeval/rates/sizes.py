"""How many labels: closed forms, and sums over every outcome where numbers are small."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf, sqrt

import numpy as np
from scipy.special import bdtrc, bdtrik, betainc, betaincinv, ndtri, xlog1py, xlogy

from algeval.rates import policy
from algeval.rates.inputs import Floats, Ints
from algeval.rates.intervals import exact_ends, log_choose, log_hypergeometric, normal_quantile

_MOST = 5_000  # labels up to which widths and tests are those of every outcome
_STEPS = 50


# --- A rate or a difference, with judges who know rho2 of it.
#
# All rest on one variance. Of n labels drawn at random from N items, on which a judge's verdict has squared
# correlation rho2 with the truth, the rate has `V (1 - rho2) (1/n - 1/N)` about that of these items, and V/N
# more about that of the population they come from.


def labels_needed(alone: float, rho2: float, items: float, *, population: bool) -> int | None:
    """Fewest labels that do, None if all items labelled do not.

    `alone`: labels it takes without judges from endless items: V over the variance that is aimed at;
    `rho2`: from 0 to 1; `items`: N, inf where items are endless; `population`: whether the items are a
    sample of what the rate is about.
    """
    if not population:
        return whole(0.0 if rho2 == 1 else 1 / (1 / (alone * (1 - rho2)) + 1 / items))
    if alone > items:
        return None
    return min(whole(alone * (1 - rho2) / (1 - alone * rho2 / items)), whole(items))


def variance(n: int, spread: float, rho2: float, items: float, *, population: bool) -> float:
    """Variance of a rate or a difference from n labels."""
    return spread * ((1 - rho2) * (1 / n - 1 / items) + population / items)


def connor(discordance: float, margin: float, z_level: float, z_power: float) -> int:
    """Pairs that a test of discordant pairs takes (Connor 1987)."""
    root = z_level * discordance**0.5 + z_power * (discordance - margin**2) ** 0.5
    return whole((root / margin) ** 2)


def unpaired(rate: float, margin: float, z_level: float, z_power: float) -> int:
    """Items per system if each system has its own."""
    return whole(2 * rate * (1 - rate) * ((z_level + z_power) / margin) ** 2)


def whole(number: float) -> int:
    """Next whole number, at least 1, and none more for rounding; 0 of what has no end."""
    return max(1, ceil(number - 1e-9)) if number < inf else 0


# --- The power of the exact test of discordant pairs, and the pairs it takes.


def exact_power(n: int, discordance: float, margin: float, level: float) -> float:
    """Chance that an exact two-sided test on n pairs shows the better system better.

    Of the pairs that differ, the test asks whether half go each way; it is never right less often than its
    level says, and so takes some more pairs than the large-sample formula.
    """
    m = np.arange(n + 1)
    shown = bdtrc(most_by_chance((1 - level) / 2, m), m, (discordance + margin) / (2 * discordance))
    return float(binomial_chances(n, discordance) @ shown)


def most_by_chance(tail: float, m: Ints) -> Ints:
    """Fewest of m fair coins that more than fall heads with a chance of at most `tail`.

    By `scipy.special`: `scipy.stats`, which has it too, takes most of a second to load.
    """
    fewest: Ints = np.nan_to_num(np.ceil(bdtrik(1 - tail, m, 0.5)) - 1).clip(0).astype(int)
    for _ in range(3):  # the inverse is of real numbers and may be one off
        fewest = fewest + (bdtrc(fewest, m, 0.5) > tail)
    return fewest


def binomial_chances(n: int, p: float) -> Floats:
    """(n + 1,): chances of 0 to n successes."""
    m = np.arange(n + 1.0)
    chances: Floats = np.exp(log_choose(n, m) + xlogy(m, p) + xlog1py(n - m, -p))
    return chances


def exact_pairs(discordance: float, margin: float, level: float, power: float) -> int | None:
    """Fewest pairs with so much power, None where they are too many to count out.

    Power is not quite monotone in the number of pairs, as whole numbers are tested; the number returned is
    the first found by halving, and one less has less power.
    """
    start = connor(discordance, margin, normal_quantile(level), float(ndtri(power)))
    if start > policy.MOST_EXACT_PAIRS:
        return None
    low, high = 0, 2 * start + 20
    while high - low > 1:
        middle = (low + high) // 2
        if exact_power(middle, discordance, margin, level) >= power:
            high = middle
        else:
            low = middle
    return high


# --- Labels for a width: the expected half width of a share's interval, over every outcome.


def _mid_p_above(x: Floats, n: int, p: Floats) -> Floats:
    """P(X > x) + P(X = x) / 2 of each x."""
    at_least = np.where(x > 0, betainc(np.maximum(x, 0.5), n - x + 1, p), 1.0)
    more = np.where(x < n, betainc(x + 1, np.maximum(n - x, 0.5), p), 0.0)
    return np.asarray((at_least + more) / 2, float)


def _lowest(x: Floats, n: int, tail: float, *, exact: bool) -> Floats:
    """Low ends of the interval of a share, mid-p or exact, by how many of n rows show it."""
    if exact:
        ends = betaincinv(np.maximum(x, 0.5), n - x + 1, tail)
    else:
        low, high = np.zeros(len(x)), x / n
        for _ in range(_STEPS):
            middle = (low + high) / 2
            outside = _mid_p_above(x, n, middle) < tail
            low, high = np.where(outside, middle, low), np.where(outside, high, middle)
        ends = (low + high) / 2
    return np.where(x == 0, 0.0, ends)


def expected_half_width(p: float, n: int, level: float = 0.95, *, exact: bool = False) -> float:
    """Expected half width of the interval of a share p, of n rows."""
    far = 10 * sqrt(n * p * (1 - p)) + 40  # outcomes beyond it have no chance to speak of
    x = np.arange(max(0, ceil(n * p - far)), min(n, n * p + far) + 1.0)
    chances = np.exp(log_choose(n, x) + xlogy(x, p) + xlog1py(n - x, -p))
    widths = 1 - sum(_lowest(k, n, (1 - level) / 2, exact=exact) for k in (x, n - x))
    return float((chances * widths).sum() / 2)


def fewest(left: int, width: Callable[[int], float], narrow: float) -> int:
    """Labels, of those left, with which an interval is expected to be so narrow, or all."""
    low, high = 0, 1
    while high < left and width(high) > narrow:
        low, high = high, min(2 * high, left)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if width(middle) > narrow else (low, middle)
    return min(high, left)


def rows_for_width(p: float, half_width: float, level: float = 0.95, *, exact: bool = False) -> int:
    """Fewest rows whose interval of a share p, mid-p or exact, is expected to be so narrow."""
    rough = float(ndtri((1 + level) / 2)) ** 2 * p * (1 - p) / half_width**2
    if rough > _MOST:
        return ceil(rough + exact / half_width)  # an exact end is half a row farther
    return fewest(_MOST**2, lambda n: expected_half_width(p, n, level, exact=exact), half_width)


# --- Labels that tell two judges apart: of the rows on which exactly one is right.


def _power_of(n: int, d: float, level: float) -> float:
    """Chance that McNemar's mid-p test decides for the first, who is right on the share d of n rows."""
    x = np.arange(n + 1.0)
    half = np.full(n + 1, 0.5)
    wins = x[2 * _mid_p_above(x, n, half) <= 1 - level]  # P(X > x) + P(X = x) / 2, two-sided
    if not len(wins):
        return 0.0
    k = float(wins[0])
    return float(betainc(k, n - k + 1, d)) if k > 0 else 1.0


def rows_to_tell(d: float, level: float = 0.95, power: float = policy.POWER) -> int | None:
    """Rows on which exactly one of two judges is right, so that a test decides with this chance from then on.

    d : share of them on which the first is right. None where it is one half. The chance rises and falls with
    n, as n is whole; it stays above `power` from this number on.
    """
    d = max(d, 1 - d)
    if d <= 0.5:
        return None
    z = float(ndtri((1 + level) / 2)), float(ndtri(power))
    rough = ((z[0] / 2 + z[1] * sqrt(d * (1 - d))) / (d - 0.5)) ** 2
    if rough > _MOST:
        return ceil(rough)
    n = ceil(1.2 * rough) + 20  # beyond it the chance stays above
    while n > 1 and _power_of(n - 1, d, level) >= power:
        n -= 1
    return n


def rows_to_decide(
    right: int, rows: int, level: float = 0.95, power: float = policy.POWER
) -> int | None:
    """Of so many rows on which two verdicts differ, labels drawn at random that decide for the first.

    right : rows on which the first is right. By the exact set of the hypergeometric law, with this chance
    from then on; None where the first is right on no more than half.
    """
    rough = rows_to_tell(right / rows, level, power) if 2 * right > rows else None
    if rough is None:
        return None

    def chance(n: int) -> float:
        fewest, beyond = 0, n + 1  # right ones that decide
        while fewest < beyond:
            x = (fewest + beyond) // 2
            if x > n or 2 * round(exact_ends(x, n, level, n_items=rows)[0] * rows) > rows:
                beyond = x
            else:
                fewest = x + 1
        k = np.arange(max(fewest, n - rows + right), min(n, right) + 1.0)
        return float(np.exp(log_hypergeometric(k, n, right, rows)).sum())

    n = min(rows, ceil(1.3 * rough) + 20)  # exact ends take some more
    while n < rows and chance(n) < power:
        n = min(rows, ceil(1.3 * n))
    while n > 1 and chance(n - 1) >= power:
        n -= 1
    return n
