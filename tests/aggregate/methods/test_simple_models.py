"""One-coin, MACE, GLAD and triplets: planted truth, closed forms, refusals, JSON."""

import json

import numpy as np
import pytest

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.methods.tables import glad, mace, one_coin, triplets
from algeval.data import Evaluation, Sketch
from algeval.errors import DataError
from algeval.models.independent import sample
from algeval.result import Status


def crowd(tables, prevalence, answers=None):
    n, r, _ = tables.shape
    labels = tuple("abcd"[:r])
    return Evaluation(
        tuple(f"j{i}" for i in range(n)), labels, answers or labels, np.array(prevalence), tables
    )


def coins(accuracy, r):
    tables = np.empty((len(accuracy), r, r))
    for j, p in enumerate(accuracy):
        tables[j] = (1 - p) / (r - 1)
        np.fill_diagonal(tables[j], p)
    return tables


def exact_sketch(evaluation, n=10**9):
    """The law's own frequencies as counts."""
    from algeval.models.independent import pmf

    shape = (len(evaluation.answers),) * len(evaluation.judges)
    codes = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1)
    counts = np.round(n * pmf(evaluation, codes)).astype(np.int64)
    return Sketch(evaluation.judges, evaluation.labels, evaluation.answers, codes, counts)


ACCURACY = [0.9, 0.8, 0.7, 0.6, 0.55]


def test_one_coin_finds_the_law_behind_exact_frequencies():
    found = one_coin(exact_sketch(crowd(coins(ACCURACY, 2), [0.4, 0.6])))
    assert found.parameters["accuracy"] == pytest.approx(ACCURACY, abs=1e-5)
    assert found.evaluation.prevalence == pytest.approx([0.4, 0.6], abs=1e-5)
    assert (np.diff(found.trace) >= -1e-3).all()


def test_one_coin_with_three_labels_and_votes_left_out():
    data = sample(crowd(coins([0.9, 0.8, 0.7, 0.6], 3), [0.2, 0.3, 0.5]), 8000, seed=1)
    codes = data.codes.copy()
    codes[np.random.default_rng(0).random(codes.shape) < 0.2] = -1
    ones = np.ones(len(codes), int)
    found = one_coin(Sketch(data.judges, data.labels, data.answers, codes, ones))
    assert found.status.ok
    assert found.parameters["accuracy"] == pytest.approx([0.9, 0.8, 0.7, 0.6], abs=0.03)
    assert any("votes are missing" in warning for warning in found.warnings)


def test_one_coin_prior_by_hand():
    """Three judges who always agree: each accuracy is (n + a - 1) / (n + a + b - 2)."""
    found = one_coin(Sketch.from_counts({"aaa": 6, "bbb": 4}), prior=(3.0, 2.0))
    assert found.parameters["accuracy"] == pytest.approx([12 / 13] * 3, abs=0.01)


def test_mace_separates_a_spammer_from_judges_who_know():
    know, habit = (
        np.array([0.8, 0.6, 0.7, 0.0, 0.5]),
        np.array([[0.5, 0.5]] * 3 + [[0.9, 0.1], [0.2, 0.8]]),
    )
    tables = (1 - know)[:, None, None] * habit[:, None, :] + know[:, None, None] * np.eye(2)
    found = mace(exact_sketch(crowd(tables, [0.5, 0.5])), n_starts=1)
    assert found.parameters["knowing"] == pytest.approx(know, abs=1e-3)
    np.testing.assert_allclose(np.array(found.parameters["habit"]), habit, atol=1e-3)
    assert any("j3 almost never know" in warning for warning in found.warnings)
    np.testing.assert_allclose(found.evaluation.confusion, tables, atol=1e-3)
    assert (np.diff(found.trace) >= -1e-3).all()


def test_mace_knows_refusals_as_answers_that_are_never_right():
    know = np.array([0.8, 0.6, 0.7, 0.5])
    habit = np.array([[0.4, 0.4, 0.2]] * 4)
    tables = (1 - know)[:, None, None] * habit[:, None, :] + know[:, None, None] * np.eye(3)[:2]
    found = mace(exact_sketch(crowd(tables, [0.4, 0.6], ("a", "b", "refused"))))
    np.testing.assert_allclose(found.evaluation.confusion, tables, atol=2e-3)


def test_glad_orders_judges_and_finds_hard_items():
    rng = np.random.default_rng(2)
    ability, ease = (
        np.array([3.0, 2.0, 1.5, 1.0, 0.5, 0.2, 1.0, 2.5]),
        np.exp(rng.normal(0, 1, 3000)),
    )
    labels = rng.integers(0, 2, 3000)
    right = rng.random((3000, 8)) < 1 / (1 + np.exp(-ease[:, None] * ability))
    codes = np.where(right, labels[:, None], 1 - labels[:, None]).astype(np.int16)
    data = Sketch(tuple("abcdefgh"), ("n", "y"), ("n", "y"), codes, np.ones(3000, int))
    found = glad(data)
    assert found.status.ok
    assert np.corrcoef(found.parameters["ability"], ability)[0, 1] > 0.9
    agree = np.abs(found.patterns.mean(axis=1) - 0.5)
    assert np.corrcoef(np.log(found.parameters["ease"]), agree)[0, 1] > 0.5
    one = glad(data, prevalence=[0.5, 0.5])
    assert one.evaluation.prevalence.tolist() == [0.5, 0.5]


def test_one_ease_per_pattern_is_one_ease_per_item():
    """Splitting every pattern's items changes nothing: the same ease is best for each of them."""
    few = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2, "aaa": 6})
    from algeval.aggregate.em import read_prevalence
    from algeval.aggregate.methods.tables import _climb, _problem, _split

    rule = read_prevalence("free", few.labels)
    rows = np.repeat(few.codes, few.counts, axis=0)
    problem = _problem(rows, np.ones(len(rows)), 2, rule, 1.0)
    start = np.concatenate([np.zeros(len(rows)), np.ones(3), np.zeros(2)])
    found = _climb(start, problem, {"max_iter": 5000, "tol": 1e-9})
    _, alpha, prevalence = _split(found.theta, problem)
    whole = glad(few, tol=1e-9, prevalence="free")
    assert whole.parameters["ability"] == pytest.approx(alpha, abs=1e-5)
    assert whole.parameters["prevalence"] == pytest.approx(prevalence, abs=1e-5)


def rates(sensitivity, specificity):
    return np.stack(
        [[[s0, 1 - s0], [1 - s1, s1]] for s1, s0 in zip(sensitivity, specificity, strict=True)]
    )


@pytest.mark.parametrize("known", [True, False])
def test_triplets_invert_the_moments_exactly(known):
    tables = rates([0.9, 0.7, 0.6, 0.8], [0.8, 0.75, 0.7, 0.55])
    law = crowd(tables, [0.7, 0.3])
    setting = [0.7, 0.3] if known else "free"
    found = triplets(exact_sketch(law, 10**12), prevalence=setting)
    np.testing.assert_allclose(found.evaluation.confusion, tables, atol=1e-5)
    np.testing.assert_allclose(found.evaluation.prevalence, [0.7, 0.3], atol=1e-5)
    assert found.status.ok


def test_triplets_give_an_adversary_its_sign():
    tables = rates([0.9, 0.8, 0.8, 0.2], [0.8, 0.85, 0.8, 0.3])
    found = triplets(exact_sketch(crowd(tables, [0.5, 0.5]), 10**12), prevalence=[0.5, 0.5])
    np.testing.assert_allclose(found.evaluation.confusion, tables, atol=1e-5)
    assert any("j3 look no better than chance" in warning for warning in found.warnings)


def test_triplets_agree_with_dawid_skene_on_independent_judges():
    tables = rates([0.9, 0.7, 0.6, 0.8, 0.75], [0.8, 0.75, 0.7, 0.65, 0.9])
    data = sample(crowd(tables, [0.6, 0.4]), 50_000, seed=3)
    fast, slow = triplets(data), aggregate(data, "dawid-skene")
    np.testing.assert_allclose(fast.evaluation.confusion, slow.evaluation.confusion, atol=0.04)


def test_triplets_without_agreement_are_refused():
    counts = {"".join(row): 10 for row in ("aaa", "abb", "bab", "bba", "aab", "aba", "baa", "bbb")}
    found = triplets(Sketch.from_counts(counts), prevalence=[0.5, 0.5])
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "got none" in found.message


@pytest.mark.parametrize("method", ["one-coin", "mace", "glad", "triplets"])
def test_every_method_predicts_after_json_and_refuses_two_judges(method):
    data = sample(crowd(coins(ACCURACY, 2), [0.4, 0.6]), 500, seed=4)
    found = aggregate(data, method)
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(data), found.posterior_items, atol=2e-4)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    assert found.settings["prevalence"] == ("equal" if method == "glad" else "free")
    two = aggregate(data.select(judges=["j0", "j1"]), method)
    assert two.status is Status.NOT_IDENTIFIABLE
    assert (two.posterior == 0.5).all()


@pytest.mark.parametrize("method", ["one-coin", "mace", "glad"])
def test_stopped_early_says_so(method):
    data = sample(crowd(coins(ACCURACY, 2), [0.4, 0.6]), 500, seed=5)
    found = aggregate(data, method, max_iter=1)
    assert found.status is Status.NOT_CONVERGED
    assert "stopped before it settled" in found.message


def test_settings_out_of_range_are_named():
    data = Sketch.from_counts({"aab": 5, "bbb": 7})
    with pytest.raises(DataError, match="prior must be at least 1"):
        one_coin(data, prior=(0.5, 1.0))
    with pytest.raises(DataError, match="habit must be at least 1"):
        mace(data, habit=0.0)
    with pytest.raises(DataError, match="spread must be above 0"):
        glad(data, spread=0.0)
    with pytest.raises(DataError, match="floor must be above 0"):
        triplets(data, floor=0.0)
    with pytest.raises(DataError, match="max_iter must be a whole number of at least 1"):
        one_coin(data, max_iter=1.5)
    with pytest.raises(DataError, match="exactly two answers"):
        triplets(Sketch.from_counts({"abc": 3}))


def five_judges(missing, seed, n_items=50_000):
    rng = np.random.default_rng(seed)
    key = rng.random(n_items) < 0.8
    right = rng.random((n_items, 5)) < np.array([0.8, 0.75, 0.7, 0.85, 0.65])
    codes = np.where(right, key[:, None], ~key[:, None]).astype(np.int16)
    codes[rng.random(codes.shape) < missing] = -1
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return Sketch(tuple("vwxyz"), ("n", "y"), ("n", "y"), rows, counts)


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.5, 0.7])
def test_triplets_divided_third_moments_by_items_that_nobody_answered(missing):
    found = triplets(five_judges(missing, 0))
    assert found.evaluation.prevalence[1] == pytest.approx(0.8, abs=0.02)
    assert found.evaluation.accuracies()[0] == pytest.approx([0.8, 0.8], abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.3, 0.5, 0.7])
def test_triplets_with_missing_votes_lean_to_neither_side(missing):
    shares = [triplets(five_judges(missing, seed)).evaluation.prevalence[1] for seed in range(30)]
    assert np.mean(shares) == pytest.approx(0.8, abs=0.006)


@pytest.mark.parametrize("method", ["one-coin", "glad"])
def test_an_exam_of_one_label_gave_nan(method):
    found = aggregate(Sketch.from_counts({"aaa": 5}), method=method)
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "at least two answers, or nobody can be wrong; got ['a']" in found.message
    assert np.isfinite(found.posterior).all()
    assert found.evaluation is None
