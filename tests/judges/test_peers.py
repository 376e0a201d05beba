"""Coverage beside the usual formulas, by every table of 20 labels; ``pytest -m slow -s`` prints it.

Kappa: percentile bootstrap, and the delta method without smoothing. Two judges: Wald. Shares: Wilson, Wald.
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom, norm

from algeval.judges.intervals import share, tango
from tests.judges.test_coverage import JUDGES, SHARES, N, chances, ends, tables

pytestmark = pytest.mark.slow
Z = norm.ppf(0.975)
DRAWS = 1000


def kappa_of(tables_of):
    """Cohen's kappa of many tables, (..., 4) in the order of `tables`; NaN where not defined."""
    p = tables_of / tables_of.sum(axis=-1, keepdims=True)
    a, b = p[..., 0] + p[..., 1], p[..., 0] + p[..., 2]
    by_chance = a * b + (1 - a) * (1 - b)
    with np.errstate(divide="ignore", invalid="ignore"):
        return (p[..., 0] + p[..., 3] - by_chance) / (1 - by_chance)


@cache
def bootstrap_ends():
    """Percentiles of kappa over resamples of the rows; resamples of one label only are left out."""
    rng, made = np.random.default_rng(1), []
    for table in tables()[0]:
        values = kappa_of(rng.multinomial(N, table / N, DRAWS).astype(float))
        values = values[np.isfinite(values)]
        made.append(np.percentile(values, [2.5, 97.5]) if len(values) else (np.nan, np.nan))
    return np.array(made)


@cache
def delta_ends():
    """Kappa and its large-sample standard error (Fleiss, Cohen and Everitt 1969)."""
    made = []
    for table in tables()[0]:
        p = table.reshape(2, 2) / N
        a, b = p.sum(axis=1), p.sum(axis=0)
        by_chance, seen = float(a @ b), float(np.trace(p))
        if by_chance == 1:
            made.append((np.nan, np.nan))
            continue
        k = (seen - by_chance) / (1 - by_chance)
        first = sum(p[i, i] * (1 - (a[i] + b[i]) * (1 - k)) ** 2 for i in range(2))
        second = (1 - k) ** 2 * sum(
            p[i, j] * (b[i] + a[j]) ** 2 for i in range(2) for j in range(2) if i != j
        )
        spread = max(0.0, first + second - (k - by_chance * (1 - k)) ** 2)
        half = Z * np.sqrt(spread / N) / (1 - by_chance)
        made.append((k - half, k + half))
    return np.array(made)


def held(intervals, chance, truth):
    """Chance that the interval holds, and its mean width, where there is one."""
    cells, orders = tables()
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(cells > 0, cells * np.log(np.array(chance)), 0.0).sum(axis=1)
    weights = np.exp(orders + logs)
    low, high = intervals[:, 0], intervals[:, 1]
    inside = (low - 1e-9 <= truth) & (truth <= high + 1e-9)
    there = np.isfinite(low)
    weights = np.where(there, weights, 0.0) / weights[there].sum()
    return float(weights @ inside), float(weights @ np.where(there, high - low, 0.0))


def shown(title, rows):
    print(f"\n{title}")
    for name, pairs in rows.items():
        cover, width = np.array(pairs).T
        print(
            f"  {name:28} lowest {cover.min():.3f}  mean {cover.mean():.3f}  width {width.mean():.2f}"
        )
    return {name: np.array(pairs)[:, 0] for name, pairs in rows.items()}


def test_kappa_beside_the_bootstrap_and_the_delta_method():
    own = np.array([tuple(i)[1:] for i in ends("kappa")])
    rows = {"algeval": [], "percentile bootstrap": [], "delta, not smoothed": []}
    for p in SHARES:
        for found, spared in JUDGES:
            chance = chances(p, found, spared)
            says = chance[0] + chance[1]
            luck = says * p + (1 - says) * (1 - p)
            truth = (chance[0] + chance[3] - luck) / (1 - luck)
            every = zip(rows, (own, bootstrap_ends(), delta_ends()), strict=True)
            for name, intervals in every:
                rows[name].append(held(intervals, chance, truth))
    cover = shown(f"Kappa, {N} labels, {len(rows['algeval'])} settings", rows)
    assert cover["algeval"].min() > 0.94
    assert cover["percentile bootstrap"].min() < 0.2
    assert cover["percentile bootstrap"].mean() < 0.75
    assert cover["delta, not smoothed"].mean() < 0.7


def test_the_delta_method_is_that_of_statsmodels():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    for row in (100, 500, 900, 1200):
        table = tables()[0][row].reshape(2, 2)
        result = rater.cohens_kappa(table)
        assert delta_ends()[row] == pytest.approx([result.kappa_low, result.kappa_upp], abs=1e-6)


def test_two_judges_beside_wald():
    cells = tables()[0]
    b, c = cells[:, 1], cells[:, 2]
    own = np.array([tuple(tango(int(x), int(y), N))[1:] for x, y in zip(b, c, strict=True)])
    d = (b - c) / N
    half = Z * np.sqrt(np.maximum(0, b + c - (b - c) ** 2 / N)) / N
    wald = np.stack([d - half, d + half], axis=1)
    rows = {"algeval (Tango)": [], "Wald": []}
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ratio in (0, 0.5, 0.8, 1):
            first, second = differ / (1 + ratio), differ * ratio / (1 + ratio)
            chance = ((1 - differ) / 2, first, second, (1 - differ) / 2)
            for name, intervals in zip(rows, (own, wald), strict=True):
                rows[name].append(held(intervals, chance, first - second))
    cover = shown(f"Two judges, {N} labels, {len(rows['Wald'])} settings", rows)
    assert cover["algeval (Tango)"].min() > 0.945
    assert cover["Wald"].min() < 0.4


def test_a_share_beside_wilson_and_wald():
    """Of a class whose size is random."""
    rows = {"algeval (mid-p)": [], "Wilson": [], "Wald": []}
    for rate in (0.5, 0.1):
        for truth in (0.7, 0.9, 0.98, 0.995):
            size = binom.pmf(np.arange(51), 50, rate)
            size[0] = 0
            sums = np.zeros((3, 2))
            for n in range(1, 51):
                x = np.arange(n + 1)
                p, q = x / n, Z**2 / n
                root = Z * np.sqrt(p * (1 - p) / n + q / (4 * n))
                half = Z * np.sqrt(p * (1 - p) / n)
                made = (
                    np.array([tuple(share(int(k), n))[1:] for k in x]),
                    np.stack([p + q / 2 - root, p + q / 2 + root], axis=1) / (1 + q),
                    np.stack([p - half, p + half], axis=1),
                )
                weight = binom.pmf(x, n, truth) * size[n] / size.sum()
                for k, intervals in enumerate(made):
                    inside = (intervals[:, 0] <= truth) & (truth <= intervals[:, 1])
                    sums[k] += weight @ inside, weight @ (intervals[:, 1] - intervals[:, 0])
            for name, pair in zip(rows, sums, strict=True):
                rows[name].append(tuple(pair))
    cover = shown("Recall of a label, 50 labels in all, 8 settings", rows)
    assert cover["algeval (mid-p)"].min() > 0.945
    assert cover["Wilson"].min() < 0.93
    assert cover["Wald"].min() < 0.5
