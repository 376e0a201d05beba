"""Intervals of judges: numbers worked out by others, exact enumeration, and simulation."""

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, binom

from algeval.judges.intervals import (
    _beats,
    ac1,
    balanced,
    clustered_share,
    kappa,
    may_be_best,
    mcnemar,
    quadratic_weights,
    rank_correlation,
    ranked_above,
    share,
    tango,
)
from algeval.rates.intervals import exact_ends

FIVE = np.array(
    [[8, 2, 0, 0, 0], [1, 9, 3, 0, 0], [0, 2, 10, 4, 0], [0, 0, 3, 12, 2], [0, 0, 0, 3, 11]]
)


def near(interval, value, low, high):
    return interval == pytest.approx((value, low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("x", "n", "low", "high"),
    [
        (17, 20, 0.643893, 0.960380),
        (0, 5, 0, 0.450720),
        (57, 60, 0.869959, 0.987126),
        (1, 3, 0.016668, 0.867962),
        (40, 50, 0.672402, 0.893690),
        (45, 50, 0.792209, 0.962428),
        (40, 45, 0.770790, 0.958132),
        (85, 100, 0.769751, 0.910220),
    ],
)
def test_a_share_has_its_mid_p_interval(x, n, low, high):
    assert near(share(x, n), x / n, low, high)


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_mid_p_ends_solve_their_equations(n):
    for x in range(n + 1):
        _, low, high = share(x, n, 0.9)
        if x > 0:
            assert binom.sf(x, n, low) + binom.pmf(x, n, low) / 2 == pytest.approx(0.05)
        if x < n:
            assert binom.cdf(x - 1, n, high) + binom.pmf(x, n, high) / 2 == pytest.approx(0.05)
    assert share(0, 0) == (None, 0.0, 1.0)


def test_mid_p_covers_with_random_class_sizes():
    """Exact: a recall whose class has Bin(50, 0.5) rows; the lowest of the notes' accuracies is .954."""
    lowest = 1.0
    for right in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1):
        covered = total = 0.0
        for n in range(1, 51):
            weight = binom.pmf(n, 50, 0.5)
            ends = [share(x, n) for x in range(n + 1)]
            hit = [low <= right <= high for _, low, high in ends]
            covered += weight * float(binom.pmf(np.arange(n + 1), n, right) @ np.array(hit, float))
            total += weight
        lowest = min(lowest, covered / total)
    assert lowest == pytest.approx(0.954, abs=0.0015)


def test_balanced_accuracy_is_the_mean_of_recalls():
    assert near(balanced([share(40, 50), share(45, 50)]), 0.85, 0.766483, 0.906292)
    assert balanced([share(3, 3), share(0, 0)]).value is None


@pytest.mark.parametrize(
    ("table", "of_kappa", "of_ac1"),
    [
        ([[40, 5], [10, 45]], (0.7, 0.529846, 0.816308), (0.700748, 0.530028, 0.817633)),
        ([[18, 1], [1, 0]], (-0.052632, -0.329534, 0.805724), (0.889503, 0.550930, 1)),
        (FIVE, (0.639175, 0.484128, 0.758568), (0.643800, 0.491850, 0.760022)),
    ],
)
def test_agreement_beyond_chance(table, of_kappa, of_ac1):
    assert near(kappa(np.array(table)), *of_kappa)
    assert near(ac1(np.array(table)), *of_ac1)


def test_quadratic_kappa_and_tables_of_a_single_label():
    assert near(kappa(FIVE, quadratic_weights(5)), 0.917081, 0.840165, 0.964131)
    alone = np.array([[20, 0], [0, 0]])
    assert kappa(alone).value is None
    assert near(ac1(alone), 1, 0.750973, 1)


def test_shares_of_clusters_and_of_unequal_chances():
    right = np.array([c == "1" for c in "1111011110011111111110"])
    clusters = np.repeat(range(6), [5, 3, 3, 5, 2, 4])
    assert near(clustered_share(right, clusters), 0.818182, 0.464849, 0.980212)
    for n_star, p, ends in (  # effective sizes worked out by others
        (10.097030, 18 / 22, (0.464849, 0.980212)),
        (3.272426, 28 / 38, (0.143032, 0.996100)),
    ):
        assert exact_ends(p * n_star, n_star) == pytest.approx(ends, abs=2e-6)
    weights = np.array([8, 8, 8, 8, 1, 1, 1, 1, 1, 1], float)
    right = np.array([c == "1" for c in "1110101101"])
    assert near(clustered_share(right, None, weights), 0.736842, 0.143032, 0.996100)


def test_clusters_all_right_count_as_rows_of_their_number():
    low, high = clustered_share(np.ones(40, bool), np.repeat(range(10), 4))[1:]
    assert (low, high) == pytest.approx((beta.ppf(0.025, 10, 1), 1.0))


def test_rows_that_are_clusters_of_their_own_lose_little():
    right = np.arange(60) < 50
    low, high = clustered_share(right, np.arange(60))[1:]
    wide = share(50, 60)
    assert low < wide.low
    assert high > wide.high
    assert high - low < 1.25 * (wide.high - wide.low)


@pytest.mark.parametrize(
    ("b", "c", "n", "low", "high"),
    [
        (12, 4, 100, 0.001783, 0.165588),
        (0, 0, 30, -0.113513, 0.113513),
        (5, 0, 40, 0.026426, 0.261121),
        (0, 7, 20, -0.567146, -0.132481),
    ],
)
def test_two_judges_on_the_same_labels(b, c, n, low, high):
    assert near(tango(b, c, n), (b - c) / n, low, high)
    assert near(tango(c, b, n), (c - b) / n, -high, -low)


def test_tango_ends_solve_the_score_equation():
    """The constrained estimate found by maximising the likelihood, not by the closed form."""
    for b, c, n in product((1, 6, 15), (2, 9), (30, 80)):
        _, low, high = tango(b, c, n)
        for delta, sign in ((low, 1), (high, -1)):

            def slope(q, delta=delta, b=b, c=c, n=n):  # chances q + delta, q, 1 - 2q - delta
                return b / (q + delta) + c / q - 2 * (n - b - c) / (1 - 2 * q - delta)

            least = max(0.0, -delta) + 1e-12
            q = brentq(slope, least, (1 - delta) / 2 - 1e-12)
            z = (b - c - n * delta) / np.sqrt(n * (2 * q + delta - delta**2))
            assert z == pytest.approx(sign * 1.959964, abs=1e-4)


def test_mcnemar_by_enumeration():
    for n in range(1, 15):
        for b in range(n + 1):
            most = max(b, n - b)
            above = sum(comb(n, k) for k in range(most + 1, n + 1)) / 2**n
            assert mcnemar(b, n - b) == pytest.approx(min(1, 2 * above + comb(n, most) / 2**n))
    assert mcnemar(0, 0) == 1
    assert mcnemar(14, 4) == pytest.approx(0.019211, abs=1e-6)


def test_the_set_of_best_judges_of_two():
    right = np.array([[True, False]] * 12 + [[False, True]] * 4 + [[True, True]] * 30)
    kept, p = may_be_best(right)
    assert p[0] > 0.5
    assert p[1] == pytest.approx(mcnemar(12, 4) / 2)
    assert kept.tolist() == [True, p[1] > 0.05]
    _, exact = may_be_best(right, guarantee=True)
    assert exact[1] == pytest.approx(binom.sf(11, 16, 0.5))


def test_who_may_be_best_by_counts_of_pairs():
    """Right where the other is wrong, row over column; no rows have these counts, so pair by pair."""
    ahead = np.array([[0, 12, 20, 30], [5, 0, 15, 22], [9, 11, 0, 18], [6, 9, 8, 0]])
    for half, wanted in (
        (1.0, [0.975479, 0.071732, 0.030714, 0.000035]),
        (0.5, [0.951874, 0.048126, 0.021387, 0.000021]),
    ):
        least = [
            min(_beats(ahead[j, i], ahead[j, i] + ahead[i, j], half) for j in range(4) if j != i)
            for i in range(4)
        ]
        assert least == pytest.approx(wanted, abs=5e-7)
        assert [p > 0.05 / 3 for p in least] == [True, True, True, False]


def test_a_best_judge_stays_in_the_set_with_exact_tests():
    """Four judges, two tied for best, errors that depend: a given best one leaves in at most 5% of draws."""
    draw = np.random.default_rng(1)
    left = kept_all = 0
    for _ in range(600):
        hard = draw.random(60) < 0.3
        chance = np.where(hard[:, None], [0.5, 0.5, 0.35, 0.2], [0.9, 0.9, 0.8, 0.6])
        right = draw.random((60, 4)) < chance
        kept, p = may_be_best(right, guarantee=True)
        assert kept.any()
        left += not kept[0]
        kept_all += kept.all()
        assert (p <= 1).all()
    assert left / 600 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 600)
    assert kept_all < 300
    assert may_be_best(np.array([[True], [False]]))[0].tolist() == [True]


def test_a_rank_correlation_is_that_of_scipy_and_its_interval_holds():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(0)
    x, y = rng.integers(1, 6, (2, 40)).astype(float)
    assert rank_correlation(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic)
    assert rank_correlation(x[:3], y[:3]) == (None, -1.0, 1.0)
    truth, hits = 6 / np.pi * np.arcsin(0.8 / 2), 0
    for _ in range(400):
        a = rng.normal(size=20)
        found = rank_correlation(a, 0.8 * a + 0.6 * rng.normal(size=20))
        hits += found.low <= truth <= found.high
    assert hits >= 370  # .961 in 2,000 draws


def test_a_chance_to_be_above_is_counted_pair_by_pair_and_its_interval_holds():
    rng = np.random.default_rng(1)
    scores, good = rng.integers(1, 6, 25).astype(float), rng.random(25) < 0.4
    pairs = [(a > b) + (a == b) / 2 for a in scores[good] for b in scores[~good]]
    assert ranked_above(scores, good).value == pytest.approx(np.mean(pairs))
    assert ranked_above(scores, np.arange(25) < 1) == (None, 0.0, 1.0)
    apart = ranked_above(np.arange(10.0), np.arange(10) > 4)
    assert apart.value == apart.high == 1
    assert 0.4 < apart.low < 1
    hits = 0
    for _ in range(400):
        draws = np.r_[rng.normal(1.8124, 1, 10), rng.normal(size=10)]  # area .9
        found = ranked_above(draws, np.arange(20) < 10)
        hits += found.low <= 0.9 <= found.high
    assert hits >= 375  # .975 in 2,000 draws
