from fractions import Fraction as F
from itertools import product
from math import log

import numpy as np
import pytest

from algeval.aggregate.methods.tables import dawid_skene
from algeval.aggregate.methods.voting import log_odds_weights, majority, weighted_majority
from algeval.data import Evaluation, Sketch, Votes
from algeval.errors import DataError

JUDGES, LABELS = ["i", "j", "k"], ["0", "1"]
ALPHA, BETA, PI = [F(9, 10), F(3, 5), F(1, 4)], [F(4, 5), F(7, 10), F(2, 5)], F(3, 10)


def evaluation():
    confusion = np.empty((3, 2, 2), object)
    for place, (a, b) in enumerate(zip(ALPHA, BETA, strict=True)):
        confusion[place] = [[b, 1 - b], [1 - a, a]]
    return Evaluation(JUDGES, LABELS, LABELS, np.array([1 - PI, PI], object), confusion)


def all_votes():
    return Sketch.from_counts(
        {"".join(u): 1 for u in product("01.", repeat=3)}, judges=JUDGES, labels=LABELS
    )


def test_the_posterior_is_bayes_rule_in_fractions():
    result = weighted_majority(all_votes(), evaluation=evaluation())
    for row, got in zip(result.patterns.tolist(), result.posterior, strict=True):
        one, zero = PI, 1 - PI
        for judge, vote in enumerate(row):
            if vote == 1:
                one, zero = one * ALPHA[judge], zero * (1 - BETA[judge])
            elif vote == 0:
                one, zero = one * (1 - ALPHA[judge]), zero * BETA[judge]
        assert got[1] == pytest.approx(float(one / (one + zero)), abs=1e-14)


def test_equation_12_of_paper_000():
    prior, offset, weight = log_odds_weights(evaluation())
    for a, b, w in zip(ALPHA, BETA, weight, strict=True):
        assert w == pytest.approx(log(a * b / ((1 - a) * (1 - b))), abs=1e-12)
    assert (weight > 0).tolist() == [a + b > 1 for a, b in zip(ALPHA, BETA, strict=True)]
    b = log(PI / (1 - PI)) + sum(log((1 - a) / b) for a, b in zip(ALPHA, BETA, strict=True))
    assert prior + offset.sum() == pytest.approx(b, abs=1e-12)
    result = weighted_majority(all_votes(), evaluation=evaluation())
    for row, got in zip(result.patterns, result.posterior, strict=True):
        score = prior + (offset + weight * row)[row >= 0].sum()
        assert got[1] == pytest.approx(1 / (1 + np.exp(-score)), abs=1e-12)


def test_weights_for_the_other_label_are_mirrored():
    prior, offset, weight = log_odds_weights(evaluation())
    prior0, offset0, weight0 = log_odds_weights(evaluation(), label="0")
    assert prior0 == pytest.approx(-prior)
    assert np.allclose(weight0, weight)
    assert np.allclose(offset0, -offset - weight)


def test_equal_judges_vote_like_the_majority():
    confusion = np.full((3, 2, 2), 0.3) + 0.4 * np.eye(2)
    e = Evaluation(JUDGES, LABELS, LABELS, [0.5, 0.5], confusion)
    votes = all_votes()
    assert np.array_equal(
        weighted_majority(votes, evaluation=e).decisions, majority(votes).decisions
    )


def test_judges_are_matched_by_name():
    votes = Votes.from_columns({"k": ["0", "1", "1"], "i": ["1", "0", "0"]}, labels=LABELS)
    result = weighted_majority(votes, evaluation=evaluation())
    full = votes.select(judges=["i", "k"])
    again = weighted_majority(full, evaluation=evaluation())
    assert np.array_equal(result.posterior_items, again.posterior_items)
    assert result.evaluation.judges == ("k", "i")


def test_the_weights_of_a_dawid_skene_fit_give_its_posterior():
    s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45, "abb": 5}, judges=JUDGES)
    fit = dawid_skene(s, prior=2)
    again = weighted_majority(s, evaluation=fit.evaluation)
    assert np.abs(again.posterior - fit.posterior).max() < 1e-12
    assert again.log_likelihood == pytest.approx(fit.log_likelihood)


def test_certain_and_unknown_rows_stay_finite():
    confusion = [[[1.0, 0.0], [0.0, 1.0]], [[np.nan, np.nan], [0.5, 0.5]], [[0.9, 0.1], [0.1, 0.9]]]
    e = Evaluation(JUDGES, LABELS, LABELS, [0.5, 0.5], confusion)
    s = Sketch.from_counts({"010": 1, "011": 2, "101": 3}, judges=JUDGES, labels=LABELS)
    result = weighted_majority(s, evaluation=e, floor=0.01)
    # judge j says nothing; i, its zero raised to 0.01, counts 100 : 1 against 9 : 1 of k
    assert result.posterior[1].tolist() == pytest.approx([100 / 109, 9 / 109])
    with pytest.raises(DataError, match="strictly between 0 and 1"):
        log_odds_weights(e)


def test_messages():
    s = all_votes()
    with pytest.raises(DataError, match=r"floor must be between 0 and 0\.5"):
        weighted_majority(s, floor=0)
    with pytest.raises(DataError, match="evaluation must be an Evaluation"):
        weighted_majority(s, evaluation={"i": 0.9})
    other = Evaluation(["i"], ["a", "b"], ["a", "b"], [0.5, 0.5], [[[1, 0], [0, 1]]])
    with pytest.raises(DataError, match="evaluation must have the labels"):
        weighted_majority(s, evaluation=other)
    one = Evaluation(["i"], LABELS, LABELS, [0.5, 0.5], [[[1, 0], [0, 1]]])
    with pytest.raises(DataError, match="judge 'j' must be one of those fitted"):
        weighted_majority(s, evaluation=one)
    odd = Evaluation(["i"], LABELS, [*LABELS, "x"], [0.5, 0.5], [[[0.8, 0.1, 0.1]] * 2])
    with pytest.raises(DataError, match="evaluation must have no answer the votes lack"):
        weighted_majority(s.marginal(["i"]), evaluation=odd)
    with pytest.raises(DataError, match="labels and answers must be the same two"):
        log_odds_weights(odd)
    with pytest.raises(DataError, match="label 'z' is not known"):
        log_odds_weights(evaluation(), label="z")
