"""Theorems 1 to 3 of paper 000 as curves of exact risks: the printed and noted numbers, limits, messages."""

import numpy as np
import pytest

from algeval.errors import DataError
from algeval.models.binary import TwoClass
from algeval.models.count_rules import (
    bayes_decisions,
    changes,
    count_risk,
    independent_decisions,
    size_log_ratio,
    size_posterior_decisions,
    sizes,
)
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation
from algeval_papers.mean_field import objective
from algeval_papers.separation import curie_weiss_risks, factor_risks

TOP = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}
BOTTOM = {"beta0": 0.5, "field0": -0.5, "beta1": 5.0, "c": 1.0}


def laws(k, *, beta0, field0, beta1, c):
    return CurieWeiss(k, beta0, field0).log_pmf(), CurieWeiss(k, beta1, c / k).log_pmf()


@pytest.mark.parametrize(
    ("given", "bayes", "at_100", "limit"),
    [
        (TOP, [0.046625, 0.011563, 0.002548, 0.000137], 0.037728, 0.037470),
        (BOTTOM, [0.060049, 0.000420, 0.000003, 0.0], 0.083457, 0.083455),
    ],
    ids=["top", "bottom"],
)
def test_theorem_2_at_the_parameters_of_figure_4(given, bayes, at_100, limit):
    found = curie_weiss_risks(0.7, **given)
    assert [row.n_judges for row in found.rows] == [10, 50, 100, 200]
    assert [round(row.bayes, 6) for row in found.rows] == bayes
    assert round(found.rows[2].independent, 6) == at_100
    assert round(found.limit.independent, 6) == limit
    assert (found.limit.bayes, found.limit.threshold, found.rests_on) == (0.0, 0.0, "Theorem 2")


def test_theorem_1():
    found = curie_weiss_risks(0.5, beta0=0.5, beta1=1.5, n_judges=[10, 50, 100])
    assert [round(row.bayes, 6) for row in found.rows] == [0.207631, 0.01166, 0.000367]
    assert [row.independent for row in found.rows] == pytest.approx([0.5] * 3, abs=1e-12)
    assert found.rests_on == "Theorem 1"
    for prevalence in (0.2, 0.5, 0.9):
        limit = curie_weiss_risks(prevalence, beta0=0.5, beta1=1.5, n_judges=[3]).limit
        assert limit.independent == min(prevalence, 1 - prevalence)
    far = curie_weiss_risks(0.5, beta0=0.5, beta1=1.5, n_judges=[2000]).rows[0]
    assert far.bayes < 1e-30
    assert far.threshold < 1e-20


def test_curves_and_patterns_give_the_same_risks():
    row = curie_weiss_risks(0.7, **TOP, n_judges=[7], threshold=0.5).rows[0]
    mixture = TwoClass(0.7, CurieWeiss(7, 0.5, -0.5), CurieWeiss(7, 2.0, 1.5 / 7))
    assert row.bayes == pytest.approx(mixture.bayes_risk(), abs=1e-14)
    assert row.independent == pytest.approx(mixture.independent_risk(), abs=1e-14)
    rng = np.random.default_rng(0)
    labels, votes = mixture.sample(100_000, rng)
    wrong = ((np.abs(2 * votes.mean(axis=1) - 1) >= 0.5) != labels).mean()
    assert wrong == pytest.approx(row.threshold, abs=4 * np.sqrt(row.threshold / 100_000))


def test_risks_approach_their_limits():
    found = curie_weiss_risks(0.7, **TOP, n_judges=[200, 2000, 20_000])
    off = [row.independent - found.limit.independent for row in found.rows]
    assert off[0] > off[1] > off[2] > 0
    assert off[2] < 2e-6
    assert found.rows[1].bayes < 1e-12


@pytest.mark.parametrize(("given", "last"), [(TOP, 58), (BOTTOM, 15)], ids=["top", "bottom"])
def test_the_printed_threshold_loses_to_independence_for_few_judges(given, last):
    """Figure 4 shows that rule in place of Bayes'; up to so many judges it is the worst of the three."""
    found = curie_weiss_risks(0.7, **given, n_judges=range(1, 201))
    known = separation(0.7, **given)
    assert found.settings["threshold"] == (abs(known.m0) + known.m_star) / 2
    worse = [row.n_judges for row in found.rows if row.threshold > row.independent]
    assert worse[-1] == last
    assert all(row.bayes <= min(row.threshold, row.independent) + 1e-15 for row in found.rows)


@pytest.mark.parametrize(("given", "last"), [(TOP, 53), (BOTTOM, 6)], ids=["top", "bottom"])
def test_even_the_best_rule_on_the_size_loses_to_independence_for_few_judges(given, last):
    worse = []
    for k in range(1, 151):
        both = laws(k, **given)
        best = count_risk(0.7, *both, size_posterior_decisions(0.7, *both))
        if best > count_risk(0.7, *both, independent_decisions(0.7, *both)) + 1e-12:
            worse.append(k)
    assert worse == list(range(1, last + 1))


def test_a_threshold_of_ones_own_has_a_limit_where_the_theorem_covers_it():
    low, high = abs(magnetisation(0.5, -0.5)), magnetisation(2.0)
    inside = curie_weiss_risks(0.7, **TOP, n_judges=[4000], threshold=(2 * low + high) / 3)
    assert inside.limit.threshold == 0
    assert inside.rows[0].threshold < 1e-3
    outside = curie_weiss_risks(0.7, **TOP, n_judges=[4000], threshold=low - 0.05)
    assert outside.limit.threshold is None
    assert outside.rows[0].threshold == pytest.approx(0.3, abs=0.01)  # label 0 is never decided


def test_remark_1_as_c_falls_the_limit_is_half_the_prevalence():
    """Erratum: Remark 1 says that Theorem 1 is recovered; its value is min(pi, 1 - pi)."""
    for prevalence in (0.3, 0.5, 0.7):
        limits = [
            separation(prevalence, **(TOP | {"c": c})).independent_risk for c in (1e-1, 1e-2, 1e-4)
        ]
        assert limits[0] < limits[1] < limits[2]
        assert limits[2] == pytest.approx(prevalence / 2, abs=1e-4)
    assert separation(2 / 3, **(TOP | {"c": 1e-9})).independent_risk == pytest.approx(1 / 3)
    assert separation(0.7, **(TOP | {"c": 0.001})).independent_risk == pytest.approx(
        0.34966, abs=5e-6
    )
    assert curie_weiss_risks(0.7, beta0=0.5, beta1=2.0).limit.independent == pytest.approx(0.3)
    many = curie_weiss_risks(0.7, **(TOP | {"c": 0.001}), n_judges=[20_000]).rows[0]
    assert many.independent == pytest.approx(0.34966, abs=1e-5)


@pytest.mark.parametrize(("k", "lowest"), [(50, 0.32), (100, 0.32)])
def test_d_2_the_likelihood_ratio_of_the_size_falls_before_it_rises(k, lowest):
    """Erratum: with fields it is not increasing; it falls to about |h0| / (beta1 - beta0)."""
    size, ratio = size_log_ratio(*laws(k, **TOP))
    place = int(ratio.argmin())
    assert size[place] == pytest.approx(lowest)
    assert (np.diff(ratio)[:place] < 0).all()
    assert (np.diff(ratio)[place:] > 0).all()
    closed = k * 1.5 * size**2 / 2 + np.log(np.cosh(1.5 * size)) - np.log(np.cosh(k * 0.5 * size))
    np.testing.assert_allclose(ratio - ratio[0], closed - closed[0], atol=1e-9)


def test_d_2_one_threshold_where_the_herd_is_the_likelier_at_an_even_split():
    """At a grid around Figure 4 the best rule on |M| is one threshold, as D.2 concludes."""
    for beta1 in (1.8, 2.0, 3.0, 5.0):
        for c in (0.2, 1.0, 1.5):
            for field0 in (-0.1, -0.3, -0.5):
                for k in (5, 10, 25, 50, 100, 200):
                    both = laws(k, beta0=0.5, field0=field0, beta1=beta1, c=c)
                    half = size_posterior_decisions(0.7, *both)[(k + 1) // 2 :]
                    assert changes(half) <= 1
                    assert half[-1]


def test_d_2_two_thresholds_within_the_conditions_of_theorem_2():
    """Erratum: its conclusion fails where a strong field keeps even splits rarer on label 0 than herds do."""
    given = {"beta0": 0.1, "field0": -0.8, "beta1": 1.25, "c": 1.0}
    assert separation(0.5, **given).m_star > abs(separation(0.5, **given).m0)
    both = laws(100, **given)
    size, ratio = size_log_ratio(*both)
    assert ratio[0] > 26
    assert ratio.min() < -0.5
    assert changes(size_posterior_decisions(0.5, *both)[50:]) == 2
    best = count_risk(0.5, *both, size_posterior_decisions(0.5, *both))
    one_cut = min(count_risk(0.5, *both, sizes(100) >= t) for t in [*size, 2.0])
    assert best < one_cut - 0.07


def test_d_2_two_thresholds_however_many_judges():
    """Wherever max Phi0 + h0 m is above max Phi1: the chances of M = 0 fall at these two rates."""
    given = {"beta0": 0.1, "field0": -1.0, "beta1": 2.0, "c": 1.0}
    known = separation(0.5, **given)
    assert known.m_star - abs(known.m0) > 0.15
    heights = objective(known.m0, 0.1, -1.0), objective(known.m_star, 2.0)
    assert heights[0] > heights[1] + 0.1
    for k in (100, 1000, 10_000):
        both = laws(k, **given)
        assert changes(size_posterior_decisions(0.5, *both)[k // 2 :]) == 2
        _, ratio = size_log_ratio(*both)
        assert ratio[0] / k == pytest.approx(heights[0] - heights[1], abs=0.02)


@pytest.mark.parametrize("given", [TOP, BOTTOM], ids=["top", "bottom"])
def test_bayes_decides_0_on_one_interval_of_m(given):
    """The log-odds are a quadratic in M that opens upwards: two cuts, or one if the other is beyond -1."""
    for k in (10, 50, 101, 200):
        both = laws(k, **given)
        m = 2 * np.arange(k + 1) / k - 1
        odds = both[1] - both[0]
        quadratic = (
            k * (given["beta1"] - given["beta0"]) * m**2 / 2
            + (given["c"] - k * given["field0"]) * m
        )
        np.testing.assert_allclose(odds - odds[0], quadratic - quadratic[0], atol=1e-8 * k)
        assert changes(bayes_decisions(0.7, *both)) in (1, 2)


def test_laws_outside_the_theorems_have_risks_and_no_limit():
    found = curie_weiss_risks(0.7, **(TOP | {"beta1": 0.8}), n_judges=[10])
    assert found.limit is None
    assert "0 < beta0 < 1 < beta1" in found.rests_on
    assert found.rows[0].threshold is None
    assert "limit" not in found.summary().split("Limit: none")[0]
    mixed = curie_weiss_risks(0.7, beta0=0.5, beta1=2.0, c=1.0, n_judges=[10])
    assert mixed.limit is None


def test_theorem_3_more_judges_can_make_independence_worse():
    found = factor_risks(0.7, a=0.5, b=1.0, spread=2.0, n_judges=[1, 10, 100, 1000])
    told = [row.independent for row in found.rows]
    assert told == sorted(told)
    assert told[-1] < found.limit.independent
    best = [row.bayes for row in found.rows]
    assert best == sorted(best, reverse=True)
    assert best[-1] > found.limit.bayes
    assert found.rows[-1].lost == pytest.approx(0.07707, abs=1e-3)
    assert found.rests_on == "Theorem 3"


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="prevalence must be between 0 and 1"):
        curie_weiss_risks(1.0, **TOP)
    with pytest.raises(DataError, match="beta1 must be a finite number"):
        curie_weiss_risks(0.5, **(TOP | {"beta1": float("inf")}))
    with pytest.raises(DataError, match="n_judges must be a whole number of at least 1"):
        curie_weiss_risks(0.5, **TOP, n_judges=[0])
    with pytest.raises(DataError, match="n_judges must name at least one"):
        factor_risks(0.5, a=1.0, b=0.0, spread=1.0, n_judges=[])
    with pytest.raises(DataError, match="threshold must be from 0 to 1"):
        curie_weiss_risks(0.5, **TOP, threshold=1.5)
    with pytest.raises(DataError, match="a must be above 0"):
        factor_risks(0.5, a=-1.0, b=0.0, spread=1.0)
