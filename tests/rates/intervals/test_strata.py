"""Strata of the verdict against sums by hand, other laws of the library, and their own limits."""

import numpy as np
import pytest
from scipy.stats import beta, betabinom

from algeval.rates.intervals import strata as module
from algeval.rates.intervals.strata import Strata, strata_interval, strata_of


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
    found = strata_interval(Strata.of(passes, labelled, sizes), level=level)
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-12)
    assert found.rate == pytest.approx(mean, abs=1e-12)


def test_a_transform_convolves_as_plain_sums_do(monkeypatch):
    strata = Strata.of([3, 30, 1], [25, 40, 4], [500, 700, 60])
    plain = strata_interval(strata)
    monkeypatch.setattr(module, "CONVOLVED_BELOW", 0)
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
