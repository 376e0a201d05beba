"""Intervals and rank sets on battles of a known law: prompts hang together, judges err together."""

import numpy as np
import pytest
from scipy.optimize import root
from scipy.special import expit

from algeval.rates.leaderboards import (
    Battles,
    Request,
    estimate,
    largest_gap,
    rank_sets,
    ranking,
    spreads,
)

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


def battles(first, second, outcome, item, k, judge=None):
    names = tuple(f"s{place}" for place in range(k))
    order = np.arange(len(outcome))
    return Battles(names, first, second, outcome.astype(np.int8), item, judge, {}, order)


def all_pairs(k, n_prompts):
    one, two = np.triu_indices(k, 1)
    prompt = np.repeat(np.arange(n_prompts), len(one))
    return np.tile(one, n_prompts), np.tile(two, n_prompts), prompt


def judged(rng, strengths, *, n_prompts=200, judges=5, error=0.25, shared=0.4, spread=0.7):
    """Votes of judges who err, together now and then, on prompts that favour systems."""
    k = len(strengths)
    one, two, prompt = all_pairs(k, n_prompts)
    effect = strengths + spread * rng.normal(size=(n_prompts, k))
    truth = rng.random(len(one)) < expit(effect[prompt, one] - effect[prompt, two])
    wrong = rng.random((judges, len(one))) < error
    together = rng.random(len(one)) < shared  # all judges of a battle err alike, or each alone
    wrong = np.where(together, rng.random(len(one)) < error, wrong)
    won = (truth ^ wrong).ravel()
    return battles(
        np.tile(one, judges), np.tile(two, judges), ~won * 1, np.tile(prompt, judges), k
    ), np.tile(truth, judges)


def target(strengths, *, error=0.25, spread=0.7):
    """Return the ratings at which the expected score of Bradley-Terry is zero."""
    gap = strengths[:, None] - strengths
    p = expit(gap[..., None] + spread * 2**0.5 * NODES) @ WEIGHTS
    p = error + (1 - 2 * error) * p

    def score(free):
        at = np.append(free, -free.sum())
        lead = p - expit(at[:, None] - at)
        return (lead - np.diag(np.diag(lead))).sum(axis=1)[:-1]

    free = root(score, strengths[:-1], tol=1e-12).x
    return np.append(free, -free.sum())


STRENGTHS = np.array([0.5, 0.4, 0.2, 0.0, -0.3, -0.8])
TIED = np.array([0.3, 0.3, 0.3, 0.0, -0.3, -0.6])


def numbers(drawn, cluster=None, gold=None, ties="half"):
    made = estimate(Request(drawn, drawn.item if cluster is None else cluster, gold, ties, False))
    return ranking(made, 0.95, 0), made


def covered(found, truth):
    return np.abs(found.ratings - truth) <= found.wide * found.errors


def coverage(n, seed, *, clustered):
    rng, truth, hits = np.random.default_rng(seed), target(STRENGTHS), []
    for _ in range(n):
        drawn, _ = judged(rng, STRENGTHS)
        cluster = None if clustered else np.arange(len(drawn))
        hits.append(covered(numbers(drawn, cluster)[0], truth).mean())
    return float(np.mean(hits))


def test_clusters_cover_where_independent_battles_do_not():
    assert coverage(40, 0, clustered=True) > 0.91
    assert coverage(15, 0, clustered=False) < 0.80


@pytest.mark.slow
def test_clusters_cover_where_independent_battles_do_not_at_length():
    assert coverage(400, 1, clustered=True) > 0.935
    assert coverage(400, 1, clustered=False) == pytest.approx(0.71, abs=0.04)


def wrongly_apart(n, seed):
    """The share of runs in which one of three systems that are equal in truth is set behind another."""
    rng, wrong, naive = np.random.default_rng(seed), 0, 0
    for _ in range(n):
        drawn, _ = judged(rng, TIED)
        sets = numbers(drawn)[0].ranks[:3]
        wrong += any(best > 1 or worst < 3 for best, worst in sets)
        alone = numbers(drawn, np.arange(len(drawn)))[0]
        low, high = (alone.ratings + sign * alone.wide * alone.errors for sign in (-1, 1))
        naive += low[:3].max() > high[:3].min()
    return wrong / n, naive / n


def test_three_tied_leaders_are_seldom_set_apart():
    ours, overlapping = wrongly_apart(20, 2)
    assert ours <= 0.05
    assert overlapping >= 0.15


@pytest.mark.slow
def test_three_tied_leaders_are_seldom_set_apart_at_length():
    ours, overlapping = wrongly_apart(400, 3)
    assert ours <= 0.05
    assert overlapping > 0.3


def tied_battles(rng, strengths, n_prompts=150, spread=0.6, nu=0.8):
    k = len(strengths)
    one, two = np.triu_indices(k, 1)
    prompt = np.repeat(np.arange(n_prompts), len(one))
    one, two = np.tile(one, n_prompts), np.tile(two, n_prompts)
    effect = strengths + spread * rng.normal(size=(n_prompts, k))
    x = effect[prompt, one] - effect[prompt, two]
    p = np.stack([np.exp(x / 2), np.exp(-x / 2), np.full(len(x), nu)])
    p /= p.sum(axis=0)
    outcome = (rng.random(len(x)) > np.cumsum(p, axis=0)).sum(axis=0)
    return battles(one, two, outcome, prompt, k)


def half_target(strengths, spread=0.6, nu=0.8):
    x = (strengths[:, None] - strengths)[..., None] + spread * 2**0.5 * NODES
    total = np.exp(x / 2) + np.exp(-x / 2) + nu
    credit = ((np.exp(x / 2) + nu / 2) / total) @ WEIGHTS

    def score(free):
        at = np.append(free, -free.sum())
        return (credit - expit(at[:, None] - at)).sum(axis=1)[:-1]

    free = root(score, strengths[:-1], tol=1e-12).x
    return np.append(free, -free.sum())


def half_coverage(n, seed):
    rng, truth = np.random.default_rng(seed), half_target(STRENGTHS)
    return np.mean(
        [covered(numbers(tied_battles(rng, STRENGTHS))[0], truth).mean() for _ in range(n)]
    )


def test_half_wins_cover_the_ratings_they_aim_at():
    assert half_coverage(40, 4) > 0.91


@pytest.mark.slow
def test_half_wins_cover_the_ratings_they_aim_at_at_length():
    assert half_coverage(1000, 5) > 0.935


def biased(rng, n_prompts=200, n_labelled=80, whole=True):
    """Judges who turn a third of the first system's losses into wins; gold for some prompts."""
    drawn, truth = judged(rng, STRENGTHS, n_prompts=n_prompts, judges=1, error=0.1)
    favoured = (drawn.first == 0) & (drawn.outcome == 1) & (rng.random(len(drawn)) < 0.35)
    outcome = np.where(favoured, 0, drawn.outcome)
    seen = battles(drawn.first, drawn.second, outcome, drawn.item, 6)
    chosen = rng.permutation(n_prompts)[:n_labelled]
    scattered = rng.random(len(drawn)) < n_labelled / n_prompts
    known = np.isin(drawn.item, chosen) if whole else scattered
    return seen, np.where(known, ~truth * 1, -1).astype(np.int8)


def gold_coverage(n, seed, *, whole):
    """Coverage with gold, with votes alone for the favoured, and the width beside gold alone."""
    rng, truth = np.random.default_rng(seed), target(STRENGTHS, error=0)
    hits, alone, ratio = [], [], []
    for _ in range(n):
        seen, gold = biased(rng, whole=whole)
        found, _ = numbers(seen, gold=gold)
        hits.append(covered(found, truth).mean())
        alone.append(covered(numbers(seen)[0], truth)[0])
        known = gold >= 0
        only = battles(seen.first[known], seen.second[known], gold[known], seen.item[known], 6)
        ratio.append(found.errors.mean() / numbers(only)[0].errors.mean())
    return np.mean(hits), np.mean(alone), np.mean(ratio)


@pytest.mark.parametrize("whole", [True, False])
def test_gold_puts_a_judge_right_who_favours_a_system(whole):
    hits, alone, ratio = gold_coverage(25, 6, whole=whole)
    assert hits > 0.90
    assert alone < 0.5
    assert ratio < 0.95


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_gold_puts_a_judge_right_who_favours_a_system_at_length(whole):
    hits, alone, ratio = gold_coverage(500, 7, whole=whole)
    assert hits > 0.93
    assert alone < 0.3
    assert ratio < 0.95


def test_the_draws_are_those_of_multipliers_on_what_clusters_add():
    """With many clusters the quantile is that of sums of influences times normal multipliers."""
    rng = np.random.default_rng(8)
    added = rng.normal(size=(4000, 5)) * [1, 2, 1, 3, 1]
    added -= added.mean(axis=1, keepdims=True)
    covariance = added.T @ added
    errors = spreads(covariance)
    one, two = np.triu_indices(5, 1)
    sums = rng.normal(size=(2000, 4000)) @ added
    largest = np.abs((sums[:, one] - sums[:, two]) / errors[one, two]).max(axis=1)
    ours = largest_gap(covariance, 10**6, 0.95, rng)
    assert ours == pytest.approx(np.quantile(largest, 0.95), rel=0.03)


def test_rank_sets_by_hand():
    ahead = np.zeros((4, 4), bool)
    ahead[0, 2] = True
    assert rank_sets(ahead) == [(1, 3), (1, 4), (2, 4), (1, 4)]
    ahead[2, 1] = ahead[1, 3] = True  # who is ahead of one that is ahead is ahead
    assert rank_sets(ahead) == [(1, 1), (3, 3), (2, 2), (4, 4)]
