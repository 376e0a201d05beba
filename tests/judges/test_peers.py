"""Coverage beside the usual formulas, by every table of 20 labels; ``pytest -m slow -s`` prints it.

Kappa: percentile bootstrap, and the delta method of statsmodels. AC1: Gwet's variance, as irrCAC has it. Two
judges: Wald, Bonett and Price. Shares: Wilson, Wald. A pass rate put right by recalls, as judgy does.
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom, norm
from scipy.stats import t as t_law

from algeval.judges.intervals import share, tango
from algeval.judges.slicing import Stratum, slice_rate
from tests.judges.test_coverage import JUDGES, SHARES, N, chances, ends, tables

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


@cache
def gwet_ends():
    """AC1 with the variance over items that Gwet (2008) gives, and Student's t of n - 1 degrees."""
    made = []
    for table in tables()[0]:
        p = table.reshape(2, 2)
        judge, truth = np.repeat([(0, 0), (0, 1), (1, 0), (1, 1)], p.ravel(), axis=0).T
        pi = (
            np.stack([judge == 0, judge == 1]).mean(1) + np.stack([truth == 0, truth == 1]).mean(1)
        ) / 2
        agrees, chance = (judge == truth).astype(float), float((pi * (1 - pi)).sum())
        value = (agrees.mean() - chance) / (1 - chance)
        own = ((1 - pi)[judge] + (1 - pi)[truth]) / 2  # the items' shares of the chance
        spread = (agrees - chance) / (1 - chance) - 2 * (1 - value) * (own - chance) / (1 - chance)
        error = np.sqrt(((spread - value) ** 2).sum() / (N * (N - 1)))
        half = t_law.ppf(0.975, N - 1) * error
        made.append((max(-1.0, value - half), min(1.0, value + half)))
    return np.array(made)


def bonett_price(b, c, n):
    """Difference of two shares of the same n rows, with one more row of each discordant kind (2012)."""
    d, s = (b - c) / (n + 2), (b + c + 2) / (n + 2)
    half = Z * np.sqrt((s - d**2) / (n + 2))
    return d - half, d + half


def wald(b, c, n):
    d = (b - c) / n
    half = Z * np.sqrt(np.maximum(0, b + c - (b - c) ** 2 / n)) / n
    return d - half, d + half


@pytest.mark.parametrize(
    ("counts", "of_price", "of_wald"),
    [
        ((12, 4, 100), (-0.001659, 0.158522), (0.003185, 0.156815)),
        ((0, 0, 30), (-0.086619, 0.086619), (0, 0)),
        ((5, 0, 40), (0.000948, 0.237148), (0.022511, 0.227489)),
        ((0, 7, 20), (-0.550032, -0.086332), (-0.559037, -0.140963)),
    ],
)
def test_the_usual_formulas_have_the_figures_of_independent_code(counts, of_price, of_wald):
    assert bonett_price(*counts) == pytest.approx(of_price, abs=1e-6)
    assert wald(*counts) == pytest.approx(of_wald, abs=1e-6)


@pytest.mark.slow
def test_ac1_beside_gwets_variance():
    own = np.array([tuple(i)[1:] for i in ends("ac1")])
    rows = {"algeval": [], "Gwet (irrCAC)": []}
    for p in SHARES:
        for found, spared in JUDGES:
            chance = chances(p, found, spared)
            pi = (chance[0] + chance[1] + p) / 2
            luck = 2 * pi * (1 - pi)
            truth = (chance[0] + chance[3] - luck) / (1 - luck)
            for name, intervals in zip(rows, (own, gwet_ends()), strict=True):
                rows[name].append(held(intervals, chance, truth))
    cover = shown(f"AC1, {N} labels, {len(rows['algeval'])} settings", rows)
    assert cover["algeval"].min() > 0.945
    assert cover["Gwet (irrCAC)"].min() < 0.2


def corrected(rng, labels, verdicts, others, draws=400):
    """A pass rate put right by the recalls of the labelled rows, percentiles over resamples of these.

    Resamples in which the recalls sum to 1 or less are left out, as judgy does.
    """
    passed, n, made = others.mean(), len(labels), []
    for rows in rng.integers(0, n, (draws, n)):
        y, v = labels[rows], verdicts[rows]
        if 0 < y.sum() < n:
            gain = v[y == 1].mean() + (1 - v[y == 0].mean()) - 1
            if gain > 0:
                made.append(np.clip((passed - v[y == 0].mean()) / gain, 0, 1))
    return np.percentile(made, [2.5, 97.5]) if made else (0.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 200])
def test_a_pass_rate_beside_the_corrected_one(n):
    """2,000 outputs, 80% good, a judge right on 90% and 80%; n labels drawn at random."""
    rng, hits, widths, draws = np.random.default_rng(n), np.zeros(2), np.zeros(2), 200
    for _ in range(draws):
        y = rng.random(2_000) < 0.8
        v = rng.random(2_000) < np.where(y, 0.9, 0.2)
        strata = [
            Stratum(int((v == k).sum()), int((v[:n] == k).sum()), int(y[:n][v[:n] == k].sum()))
            for k in (True, False)
        ]
        own = slice_rate(strata, 0.95, target="population")
        theirs = corrected(rng, y[:n], v[:n].astype(float), v[n:])
        for k, (low, high) in enumerate((own[1:], theirs)):
            hits[k] += low <= 0.8 <= high
            widths[k] += high - low
    for name, held_, width in zip(("algeval", "corrected (judgy)"), hits, widths, strict=True):
        print(f"  {n} labels, {name:20} holds {held_ / draws:.3f} width {width / draws:.2f}")
    assert hits[0] / draws > 0.92


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_delta_method_is_that_of_statsmodels():
    rater = pytest.importorskip("statsmodels.stats.inter_rater")
    for row in (100, 500, 900, 1200):
        table = tables()[0][row].reshape(2, 2)
        result = rater.cohens_kappa(table)
        assert delta_ends()[row] == pytest.approx([result.kappa_low, result.kappa_upp], abs=1e-6)


@pytest.mark.slow
def test_two_judges_beside_wald():
    cells = tables()[0]
    b, c = cells[:, 1], cells[:, 2]
    own = np.array([tuple(tango(int(x), int(y), N))[1:] for x, y in zip(b, c, strict=True)])
    others = [np.stack(f(b, c, N), axis=1) for f in (bonett_price, wald)]
    rows = {"algeval (Tango)": [], "Bonett and Price": [], "Wald": []}
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ratio in (0, 0.5, 0.8, 1):
            first, second = differ / (1 + ratio), differ * ratio / (1 + ratio)
            chance = ((1 - differ) / 2, first, second, (1 - differ) / 2)
            for name, intervals in zip(rows, (own, *others), strict=True):
                rows[name].append(held(intervals, chance, first - second))
    cover = shown(f"Two judges, {N} labels, {len(rows['Wald'])} settings", rows)
    assert cover["algeval (Tango)"].min() > 0.945
    assert cover["Wald"].min() < 0.4


@pytest.mark.slow
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
