"""Glauber dynamics against exact laws: what stays, what is reached, and what a short chain gets wrong."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from algeval.errors import DataError
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.ising import Ising
from algeval_papers.mean_field import count_law_after, fair_counts, glauber, vote_steps


def chain_on_patterns(law):
    """Return the (2^K, 2^K) matrix of one new vote, from the law's own conditional chances."""
    rows = list(product((0, 1), repeat=law.n_judges))
    place = {votes: k for k, votes in enumerate(rows)}
    p = np.exp(law.log_probability(np.array(rows)))
    steps = np.zeros((len(rows), len(rows)))
    for votes in rows:
        for judge in range(law.n_judges):
            both = [place[(*votes[:judge], one, *votes[judge + 1 :])] for one in (0, 1)]
            for other in both:
                steps[place[votes], other] += p[other] / p[both].sum() / law.n_judges
    return steps, p, np.array(rows).sum(axis=1)


def test_the_chain_on_counts_is_the_chain_on_patterns_summed():
    law = CurieWeiss(4, 1.3, 0.2)
    steps, p, ones = chain_on_patterns(law)
    np.testing.assert_allclose(p @ steps, p, atol=1e-15)
    start = np.full(16, 1 / 16)
    after = start @ np.linalg.matrix_power(steps, 3 * 4)
    want = np.bincount(ones, weights=after)
    np.testing.assert_allclose(count_law_after(law, 3, fair_counts(4)), want, atol=1e-14)


@pytest.mark.parametrize(("k", "beta", "field"), [(1, 0.5, 0.3), (7, 2.0, -0.1), (60, 1.5, 0.01)])
def test_the_exact_law_stays_and_every_step_balances(k, beta, field):
    law = CurieWeiss(k, beta, field)
    p = law.pmf()
    up, down = vote_steps(law)
    np.testing.assert_allclose(p[:-1] * up[:-1], p[1:] * down[1:], rtol=1e-10)
    np.testing.assert_allclose(count_law_after(law, 5, p), p, atol=1e-14)


def test_below_beta_1_a_hundred_sweeps_reach_the_law_and_above_they_do_not():
    warm = CurieWeiss(100, 0.5, -0.5)
    assert abs(count_law_after(warm, 100, fair_counts(100)) - warm.pmf()).sum() < 1e-10
    for beta, c, wrong in ((2.0, 1.5, (0.438, 0.457)), (5.0, 1.0, (0.487, 0.491))):
        for k, told in zip((50, 100), wrong, strict=True):
            law = CurieWeiss(k, beta, c / k)
            after = count_law_after(law, 100, fair_counts(k))[: k // 2].sum()
            assert after == pytest.approx(told, abs=5e-4)
            exact = law.pmf()[: k // 2].sum()
            assert exact == pytest.approx({2.0: 0.054, 5.0: 0.119}[beta], abs=1e-3)


def test_votes_of_short_chains_have_the_computed_law():
    law = CurieWeiss(12, 2.0, 0.1)
    votes = glauber(law, 20_000, 5, sweeps=2)
    seen = np.bincount(votes.sum(axis=1), minlength=13)
    expected = 20_000 * count_law_after(law, 2, fair_counts(12))
    assert stats.chisquare(seen, expected).pvalue > 1e-3
    assert stats.chisquare(seen, 20_000 * law.pmf()).pvalue < 1e-10  # not yet the law itself


def test_votes_of_long_chains_and_exact_draws_follow_an_ising_law():
    law = Ising([0.5, -0.3, 0.2], [[0, 0.8, -0.4], [0.8, 0, 0.6], [-0.4, 0.6, 0]])
    for votes in (glauber(law, 20_000, 1, sweeps=30), law.sample(20_000, 2)):
        seen = np.bincount(votes @ np.array([4, 2, 1]), minlength=8)
        assert stats.chisquare(seen, 20_000 * law.probabilities()).pvalue > 1e-3


def test_exact_draws_of_curie_weiss_follow_the_law_pattern_by_pattern():
    law = CurieWeiss(4, 2.0, 0.1)
    votes = law.sample(40_000, 7)
    rows = np.array(list(product((0, 1), repeat=4)))
    seen = np.bincount(votes @ np.array([8, 4, 2, 1]), minlength=16)
    assert stats.chisquare(seen, 40_000 * np.exp(law.log_probability(rows))).pvalue > 1e-3


def test_no_sweep_leaves_fair_coins():
    law = CurieWeiss(6, 3.0, 1.0)
    np.testing.assert_allclose(
        count_law_after(law, 0, fair_counts(6)), stats.binom.pmf(range(7), 6, 0.5)
    )
    assert abs(glauber(law, 20_000, 0, sweeps=0).mean() - 0.5) < 0.01


def test_wrong_input_is_named():
    law = CurieWeiss(3, 1.0)
    for start in (np.ones(4), np.array([0.5, 0.5]), np.array([1.5, -0.5, 0, 0])):
        with pytest.raises(DataError, match="start must be 4 chances that sum to 1"):
            count_law_after(law, 1, start)
    with pytest.raises(DataError, match="sweeps must be a whole number of at least 0"):
        glauber(law, 5, 0, sweeps=-1)
