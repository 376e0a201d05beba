"""Rules on the number of 1 votes, against fractions over all 2^K patterns: no tolerance but rounding."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest

from algeval.errors import DataError
from algeval.models.binary import count_risks
from algeval.models.count_rules import (
    bayes_decisions,
    changes,
    count_risk,
    independent_decisions,
    size_decisions,
    size_log_ratio,
    size_posterior_decisions,
    sizes,
)
from algeval.models.curie_weiss import CurieWeiss


def fractions_of(k, x, y):
    """Return the exact law of patterns when exp(beta / (2 K)) = x and exp(h) = y are fractions."""
    weights = {
        votes: x ** (s * s) * y**s
        for votes in product((0, 1), repeat=k)
        for s in [2 * sum(votes) - k]
    }
    total = sum(weights.values())
    return {votes: weight / total for votes, weight in weights.items()}


def curie_weiss(k, x, y):
    return CurieWeiss(k, 2 * k * log(x), log(y))


def exact_risks(prior, p0, p1, threshold):
    """Return the risks of Bayes, of independence and of the threshold by enumeration, in fractions."""
    k = len(next(iter(p0)))
    q0, q1 = (sum(p for votes, p in law.items() if votes[0]) for law in (p0, p1))
    risks = [Fraction(0)] * 3
    for votes in p0:
        s = sum(votes)
        wrong = (1 - prior) * p0[votes], prior * p1[votes]
        naive = prior * q1**s * (1 - q1) ** (k - s) >= (1 - prior) * q0**s * (1 - q0) ** (k - s)
        says = (wrong[1] >= wrong[0], naive, abs(Fraction(2 * s - k, k)) >= threshold)
        risks = [risk + wrong[not one] for risk, one in zip(risks, says, strict=True)]
    return risks


CASES = [
    (5, Fraction(7, 10), (Fraction(21, 20), Fraction(2, 3)), (Fraction(7, 5), Fraction(10, 9))),
    (6, Fraction(1, 2), (Fraction(51, 50), Fraction(1)), (Fraction(6, 5), Fraction(1))),
    (7, Fraction(1, 3), (Fraction(1), Fraction(1, 2)), (Fraction(9, 8), Fraction(1, 1))),
    (8, Fraction(2, 3), (Fraction(19, 20), Fraction(3, 5)), (Fraction(5, 4), Fraction(9, 10))),
]


@pytest.mark.parametrize(("k", "prior", "zero", "one"), CASES)
def test_risks_are_those_of_fractions_over_all_patterns(k, prior, zero, one):
    threshold = Fraction(7, 10)
    want = exact_risks(prior, fractions_of(k, *zero), fractions_of(k, *one), threshold)
    both = curie_weiss(k, *zero).log_pmf(), curie_weiss(k, *one).log_pmf()
    rules = (
        bayes_decisions(float(prior), *both),
        independent_decisions(float(prior), *both),
        size_decisions(k, float(threshold)),
    )
    got = [count_risk(float(prior), *both, rule) for rule in rules]
    np.testing.assert_allclose(got, [float(risk) for risk in want], rtol=0, atol=4e-16)
    assert count_risks(float(prior), *both) == pytest.approx(got[:2], abs=1e-15)


def test_no_rule_on_counts_beats_bayes():
    both = CurieWeiss(4, 0.5, -0.5).log_pmf(), CurieWeiss(4, 2.0, 0.3).log_pmf()
    best = min(count_risk(0.4, *both, rule) for rule in product((False, True), repeat=5))
    assert count_risk(0.4, *both, bayes_decisions(0.4, *both)) == best


@pytest.mark.parametrize("k", [6, 7])
def test_no_rule_on_the_size_beats_the_posterior_of_the_size(k):
    both = CurieWeiss(k, 0.4, -0.6).log_pmf(), CurieWeiss(k, 1.8, 0.2).log_pmf()
    size = sizes(k)
    values = np.unique(size)
    best = min(
        count_risk(0.6, *both, np.isin(size, values[list(chosen)]))
        for chosen in product((False, True), repeat=len(values))
    )
    found = size_posterior_decisions(0.6, *both)
    assert count_risk(0.6, *both, found) == pytest.approx(best, abs=1e-15)
    assert found.tolist() == found[::-1].tolist()


@pytest.mark.parametrize("k", [6, 7])
def test_the_log_ratio_of_the_size_is_that_of_summed_chances(k):
    p0, p1 = CurieWeiss(k, 0.4, -0.6).pmf(), CurieWeiss(k, 1.8, 0.2).pmf()
    size, ratio = size_log_ratio(np.log(p0), np.log(p1))
    for m, told in zip(size, ratio, strict=True):
        chosen = np.isclose(sizes(k), m)
        assert told == pytest.approx(np.log(p1[chosen].sum() / p0[chosen].sum()), abs=1e-12)
    assert (np.diff(size) > 0).all()


def test_wrong_input_is_named():
    both = CurieWeiss(4, 0.5).log_pmf(), CurieWeiss(4, 2.0).log_pmf()
    with pytest.raises(DataError, match="decisions must be 5, one for each number"):
        count_risk(0.4, *both, [True])
    with pytest.raises(DataError, match="prevalence must be between 0 and 1"):
        bayes_decisions(1.0, *both)
    assert changes([True, True]) == 0
