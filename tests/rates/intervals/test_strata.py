"""Strata of the verdict against sums by hand, other laws of the library, and their own limits."""

from time import process_time

import numpy as np
import pytest
from scipy.stats import beta, betabinom

from algeval.rates import intervals
from algeval.rates.intervals import Strata, exact_ends, strata_interval, strata_of


def test_the_fixture_of_a_panel_that_was_right_on_all_fails():
    found = strata_interval(Strata.of([0, 67], [25, 75], [394, 1262]))
    assert [round(end, 4) for end in found[:3]] == [0.6220, 0.6814, 0.7277]


def by_sums(passes, labelled, sizes, tail):
    """Quantiles of the number of passes from the double sum over both strata."""
    others = [n - m for n, m in zip(sizes, labelled, strict=True)]
    laws = [
        betabinom(m, k + 0.5, n - k + 0.5) for m, k, n in zip(others, passes, labelled, strict=True)
    ]
    chance = np.zeros(sum(others) + 1)
    for i in range(others[0] + 1):
        for j in range(others[1] + 1):
            chance[i + j] += laws[0].pmf(i) * laws[1].pmf(j)
    below = np.cumsum(chance)
    ends = [int(np.argmax(below >= level)) for level in (tail, 1 - tail)]
    mean = sum(passes) + sum(law.mean() for law in laws)
    return [(sum(passes) + end) / sum(sizes) for end in ends], mean / sum(sizes)


@pytest.mark.parametrize(
    ("passes", "labelled", "sizes"),
    [((2, 9), (5, 10), (20, 31)), ((0, 0), (0, 3), (4, 3)), ((1, 7), (1, 7), (30, 9))],
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_items_are_the_double_sum(passes, labelled, sizes, level):
    ends, mean = by_sums(passes, labelled, sizes, (1 - level) / 2)
    found = strata_interval(Strata.of(passes, labelled, sizes), level=level, few=0)
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-12)
    assert found.rate == pytest.approx(mean, abs=1e-12)


def test_a_transform_convolves_as_plain_sums_do(monkeypatch):
    strata = Strata.of([3, 30, 1], [25, 40, 4], [500, 700, 60])
    plain = strata_interval(strata)
    monkeypatch.setattr(intervals, "CONVOLVED_BELOW", 0)
    assert strata_interval(strata) == pytest.approx((*plain[:4], None))


def test_all_labelled_is_the_count_itself():
    found = strata_interval(Strata.of([3, 40], [10, 50], [10, 50]))
    assert found[:3] == (43 / 60, pytest.approx(43 / 60), 43 / 60)


def test_a_population_of_one_stratum_is_its_beta_law():
    found = strata_interval(Strata.of([12], [40], [900]), target="population")
    assert [found.low, found.high] == pytest.approx(beta(12.5, 28.5).ppf([0.025, 0.975]), abs=0.005)
    assert found.rate == pytest.approx(12.5 / 41)


def test_a_population_is_wider_than_its_items_and_the_seed_settles_it():
    strata = Strata.of([3, 40], [25, 50], [100, 150])
    items, population = (strata_interval(strata, target=t) for t in ("items", "population"))
    assert population.low < items.low < items.high < population.high
    assert strata_interval(strata, target="population") == population
    assert strata_interval(strata, target="population", random=1) != population


def test_a_stratum_without_labels_is_anything():
    wide = strata_interval(Strata.of([0, 20], [0, 25], [100, 100]))
    assert wide.low < 0.45
    assert wide.high > 0.85


def test_strata_are_counted_by_value_and_items_nobody_judged_are_one():
    counts = strata_of(np.array([1.0, 0, 1]), np.array([0, 2, 5]), np.array([1, 1, -1, 0, 0, 1]))
    assert [part.tolist() for part in counts] == [[0, 0, 2], [1, 0, 2], [1, 2, 3]]


@pytest.mark.parametrize(("se", "sp"), [(0.9, 0.95), (0.6, 0.7), (0.3, 0.99), (0.99, 0.99)])
@pytest.mark.parametrize(
    ("n", "rate"), [(20, 0.95), (50, 0.02), (50, 0.95), (100, 0.03), (200, 0.05), (200, 0.98)]
)
def test_rare_labels_miss_on_no_side_more_than_meant(se, sp, n, rate):
    """600 items whose verdicts see se and sp of the truth; where there are three labels of a kind."""
    passes = round(rate * 600)
    seen, false = round(se * passes), round((1 - sp) * (600 - passes))
    cells = [seen, passes - seen, false, 600 - passes - false]
    draws = np.random.default_rng(0).multivariate_hypergeometric(cells, n, 2000)
    missed = np.zeros(2)
    for (a, b, c, d), times in zip(*np.unique(draws, axis=0, return_counts=True), strict=True):
        if min(a + b, c + d) >= 3:
            sizes = [cells[1] + cells[3], cells[0] + cells[2]]
            found = strata_interval(Strata.of([b, a], [b + d, a + c], sizes))
            missed += times * np.array(
                [found.low > passes / 600 + 1e-9, found.high < passes / 600 - 1e-9]
            )
    assert missed.max() / 2000 <= 0.035 + 0.004


def test_one_stratum_with_few_of_a_kind_has_the_exact_end():
    found = strata_interval(Strata.of([4], [50], [10**6]))
    assert found.low == pytest.approx(exact_ends(4, 50)[0], abs=1e-4)


@pytest.mark.parametrize("seed", range(60))
def test_likely_counts_alone_give_the_same_ends(monkeypatch, seed):
    """From few to 300,000 items, with strata without labels, without passes, and fully labelled."""
    rng = np.random.default_rng(seed)
    n_strata = int(rng.integers(1, 5))
    sizes = (10 ** rng.uniform(0, 5 if seed < 50 else 5.5, n_strata)).astype(int)
    labelled = np.minimum(sizes, (10 ** rng.uniform(0, 2.7, n_strata)).astype(int) - 1)
    passes = rng.binomial(labelled, rng.choice([0.0, 0.01, 0.4, 0.97, 1.0], n_strata))
    counts = Strata.of(passes, labelled, sizes)
    monkeypatch.setattr(intervals, "WHOLE_BELOW", 10**9)
    whole = strata_interval(counts)
    monkeypatch.setattr(intervals, "WHOLE_BELOW", 0)
    assert strata_interval(counts)[:3] == pytest.approx(whole[:3], abs=1e-9)


@pytest.mark.parametrize("prior", [(0.5, 0.5), (1e-9, 1.0), (1.0, 1e-9)])
@pytest.mark.parametrize(("k", "n"), [(0, 0), (0, 30), (30, 30), (7, 300)])
def test_what_is_left_out_has_no_chance(prior, k, n):
    m, a, b = 50_000, k + prior[0], n - k + prior[1]
    first, likely = intervals._likely_passes(m, a, b)
    whole = intervals._all_passes(m, a, b)
    whole /= whole.sum()
    inside = np.zeros(m + 1)
    inside[first : first + len(likely)] = likely
    assert np.abs(np.cumsum(inside) - np.cumsum(whole)).max() < 1e-9


@pytest.mark.benchmark
def test_likely_counts_take_less_than_half_the_time_of_the_whole_law(monkeypatch):
    counts = Strata.of([20, 190], [221, 300], [400_000, 600_000])
    seconds = []
    for below in (10**9, 10**5):
        monkeypatch.setattr(intervals, "WHOLE_BELOW", below)
        began = process_time()
        strata_interval(counts)
        seconds.append(process_time() - began)
    assert seconds[1] < seconds[0] / 2
