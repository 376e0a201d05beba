"""The theorem where it holds, and what fails where it does not: exactly, on small tests."""

import random
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from algeval.budgets import (
    LabelAccuracy,
    Rivals,
    assumption_1,
    assumption_2,
    gap_at_least,
    gap_chances,
    majority_accuracy,
    outcomes,
    why_not_proved,
)
from algeval.budgets.kernel import exact_law
from algeval_papers.conjecture import exact_comparison

HALF = Fraction(1, 2)


def chance(rng, low=50):
    return Fraction(rng.randint(low, 100), 100)


def draw(rng):
    """Return rivals and labels in the box of Assumption 1, its corners included."""
    while True:
        p_w, p_b0, p_b1 = (rng.choice([HALF, Fraction(1), chance(rng)]) for _ in range(3))
        if (1 - p_w) * p_b0 > p_w * (1 - p_b1):
            break
    q_w, q_b = sorted(chance(rng, 51) for _ in range(2))
    return Rivals.correlated(p_w, p_b0, p_b1), LabelAccuracy.of((q_b, rng.choice([q_w, q_b])))


def exact_bound(rivals, labels, m, n):
    """Return (1/2 + delta/4)(T(M, n) - T(theta, mn)), every step in fractions."""
    a, b = gap_chances(rivals, labels)
    s, theta = a + b, a / (a + b)
    voted = sum(comb(m, k) * theta**k * (1 - theta) ** (m - k) for k in range((m + 1) // 2, m + 1))
    ties = exact_law(s * voted, s * (1 - voted), n).tie - exact_law(a, b, m * n).tie
    return (1 + 2 * theta) / 4 * ties


def test_one_label_each_wins_more_often_and_by_no_less_than_the_bound():
    rng = random.Random(14)
    for _ in range(600):
        rivals, labels = draw(rng)
        m, n = rng.choice([3, 5, 7]), rng.randint(1, 6)
        assert why_not_proved(rivals, labels, m) == ""
        several, one = exact_comparison(rivals, labels, m, n)
        bound = exact_bound(rivals, labels, m, n)
        assert one - several >= bound > 0
        assert gap_at_least(rivals, labels, m, n) == pytest.approx(float(bound), rel=1e-11)


@pytest.mark.slow
def test_a_million_exact_comparisons_without_a_violation():
    rng = random.Random(4)
    for _ in range(1_000_000):
        rivals, labels = draw(rng)
        several, one = exact_comparison(rivals, labels, rng.choice([3, 5]), rng.randint(1, 3))
        assert several < one


@pytest.mark.parametrize(("m", "n"), [(3, 1), (3, 4), (5, 2), (9, 3)])
def test_the_bound_is_three_quarters_of_the_gap_where_labels_and_classifier_never_err(m, n):
    rivals, labels = Rivals.correlated(0.7, 0.9, 1), LabelAccuracy.of(1)
    several, one = exact_comparison(rivals, labels, m, n)
    assert exact_bound(rivals, labels, m, n) == Fraction(3, 4) * (one - several)


@pytest.mark.parametrize(("m", "n"), [(3, 1), (3, 4), (5, 2), (9, 3)])
def test_the_bound_is_all_of_the_gap_in_the_limit_of_labels_that_say_nothing(m, n):
    rivals = Rivals.correlated(0.6, 0.9, 1)
    missed = []
    for k in (2, 4, 6):
        labels = LabelAccuracy.of(HALF + Fraction(1, 10**k))
        several, one = exact_comparison(rivals, labels, m, n)
        missed.append(1 - exact_bound(rivals, labels, m, n) / (one - several))
    assert 0 < missed[2] < Fraction(1, 10**5)
    assert 90 < missed[0] / missed[1] < 110  # in proportion to the distance from one half
    assert 90 < missed[1] / missed[2] < 110


def test_of_the_gap_the_bound_is_never_more_than_all():
    """Over the box's (s, theta), of which it alone depends if labels are as good in either event."""
    s, theta = np.meshgrid(np.linspace(0.01, 0.75, 38), np.linspace(0.501, 1, 40))
    found = []
    for m, n in product((3, 5, 11), (1, 2, 3, 10, 100)):
        voted = majority_accuracy(theta, m)
        one = outcomes(s * theta, s * (1 - theta), m * n)
        several = outcomes(s * voted, s * (1 - voted), n)
        gap = (several.tie + several.loss) - (one.tie + one.loss)
        seen = gap > 1e-6  # below it differences are rounding
        found.append(((1 + 2 * theta) / 4 * (several.tie - one.tie))[seen] / gap[seen])
    shares = np.concatenate(found)
    assert 0.99 < shares.max() < 1


def test_four_fifths_is_sharp_as_items_on_which_the_classifiers_differ():
    s, theta = Fraction(801, 1000), Fraction(501, 1000)
    voted = 3 * theta**2 - 2 * theta**3
    several = exact_law(s * voted, s * (1 - voted), 1).win
    one = exact_law(s * theta, s * (1 - theta), 3).win
    assert float(one - several) == pytest.approx(-1.5e-4, abs=5e-6)
    rivals, labels = Rivals.correlated(0.5, 1, "0.398"), LabelAccuracy.of(0.51)
    several, one = exact_comparison(rivals, labels, 3, 1)
    assert rivals.disagree == Fraction(801, 1000)
    assert float(one - several) == pytest.approx(-7.8e-5, abs=5e-7)
    assert "4/5" in why_not_proved(rivals, labels, 3)


@pytest.mark.parametrize("s", [Fraction(k, 100) for k in (10, 50, 75, 79, 81, 90)])
def test_near_even_labels_the_gap_at_one_item_has_the_sign_of_4_minus_5_s(s):
    theta = HALF + Fraction(1, 10**6)
    voted = 3 * theta**2 - 2 * theta**3
    gap = (
        exact_law(s * theta, s * (1 - theta), 3).win - exact_law(s * voted, s * (1 - voted), 1).win
    )
    assert float(gap) == pytest.approx(float(s * (1 - s) * (4 - 5 * s) / 4), abs=5e-6)
    assert (gap > 0) == (s < Fraction(4, 5))


def test_two_labels_can_beat_one():
    rivals, labels = Rivals.correlated(0.5, 1, 0.5), LabelAccuracy.of(0.6)
    assert exact_comparison(rivals, labels, 2, 1) == (Fraction(2, 5), Fraction(9, 25))
    assert "odd" in why_not_proved(rivals, labels, 2)


def test_four_and_six_labels_lose_against_one_each():
    """Even numbers from 4 on, with a coin for ties, obey the theorem up to s = 3/4."""
    rng = random.Random(46)
    for _ in range(150):
        rivals, labels = draw(rng)
        several, one = exact_comparison(rivals, labels, rng.choice([4, 6]), rng.randint(1, 5))
        assert several < one


def test_two_labels_whose_tie_counts_as_wrong_can_beat_one():
    better, worse = Fraction(35, 100), Fraction(65, 200)
    several = better * 1 + worse * (1 - Fraction(9, 16))  # right only if both are
    one = exact_law(*gap_chances(Rivals(better, worse), LabelAccuracy.of((1, "3/4"))), 2).win
    assert (one, several) == (Fraction(11937, 25600), Fraction(63, 128))


def test_labels_that_favour_the_worse_are_refused_or_met_by_the_conditions():
    rng, failures = random.Random(5), 0
    for _ in range(400):
        rivals, labels = draw(rng)
        q_b, q_w = labels.mean
        turned = LabelAccuracy.of((q_w, q_b))
        several, one = exact_comparison(rivals, turned, 3, rng.randint(1, 4))
        assert assumption_1(turned) == (q_b == q_w)
        if not why_not_proved(rivals, turned, 3):
            assert several < one
        failures += several >= one
    assert failures > 5


def test_varying_accuracy_can_make_three_labels_better():
    """Assumption 2 is broken where only the worse one is right: half the items there have sure labels."""
    rivals = Rivals(Fraction(2505, 10_000), Fraction(2500, 10_000))
    varying = {"better": {"3/4": 1}, "worse": {"0.500001": "1/2", 1: "1/2"}}
    labels = LabelAccuracy.of(varying)
    assert not assumption_2(rivals, labels, 3)
    assert why_not_proved(rivals, labels, 3)
    for n, one, several in ((5, 0.428, 0.436), (200, 0.49, 0.81)):
        chances = [tuple(map(float, gap_chances(rivals, labels, m))) for m in (1, 3)]
        assert outcomes(*chances[0], 3 * n).win == pytest.approx(one, abs=6e-3)
        assert outcomes(*chances[1], n).win == pytest.approx(several, abs=6e-3)


def test_varying_accuracy_under_assumption_2_is_covered():
    rivals = Rivals.independent(0.8, 0.05)
    varying = {"better": {0.6: 0.5, 1: 0.5}, "worse": {0.75: 0.5, 0.85: 0.5}}
    labels = LabelAccuracy.of(varying)
    assert assumption_1(labels)
    assert assumption_2(rivals, labels, 3)
    assert why_not_proved(rivals, labels, 3) == ""
    several, one = exact_comparison(rivals, labels, 3, 3)
    assert float(one - several) >= gap_at_least(rivals, labels, 3, 3)


def test_chances_of_varying_labels_are_those_of_a_population_listed():
    """Two items per event, every vector of three labels."""
    varying = {"better": {0.6: 0.5, 0.9: 0.5}, "worse": {0.7: 0.25, 0.8: 0.75}}
    expected = []
    for part in ("better", "worse"):
        total = 0.0
        for q, weight in varying[part].items():
            for votes in np.ndindex(2, 2, 2):
                right = sum(votes)
                total += weight * q**right * (1 - q) ** (3 - right) * (right > 1)
        expected.append(total)
    assert list(map(float, LabelAccuracy.of(varying).majority(3))) == pytest.approx(
        expected, rel=1e-14
    )
