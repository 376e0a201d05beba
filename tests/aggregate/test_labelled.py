"""A consensus that learns from human labels: its fixtures, its limits, and what it says of itself."""

import json

import numpy as np
import pytest
from scipy.optimize import minimize

from algeval.aggregate import SCORE_METHODS, aggregate
from algeval.aggregate.checks.quality import score
from algeval.aggregate.labelled import (
    RECIPES,
    Recipe,
    fit_recipe,
    learn,
    prior_of,
    softmax,
    stack_features,
)
from algeval.data import Scores, Votes
from algeval.errors import DataError
from algeval.io import example
from algeval.result import percent


def panel(n_items=400, n_judges=5, share=0.1, seed=0, n_labels=2):
    """Judges who share errors, so that a label is called too often."""
    rng = np.random.default_rng(seed)
    key = np.where(rng.random(n_items) < share, 1 + rng.integers(0, n_labels - 1, n_items), 0)
    common = np.where(rng.random(n_items) < 0.3, rng.integers(0, n_labels, n_items), key)
    own = np.where(rng.random((n_items, n_judges)) < 0.5, common[:, None], key[:, None])
    slips = rng.random((n_items, n_judges)) < 0.15
    codes = np.where(slips, rng.integers(0, n_labels, (n_items, n_judges)), own).astype(np.int16)
    labels = list("abcd")[:n_labels]
    return Votes(range(n_items), range(n_judges), labels, labels, codes, key.astype(np.int16))


def labels_of(votes, n, seed=0):
    rows = np.random.default_rng(seed).choice(votes.n_items, n, replace=False)
    return {votes.items[row]: votes.labels[votes.key[row]] for row in rows.tolist()}


def test_fits_worked_by_hand():
    odds = np.array([2, 2, 1, 1, -1, -1, -2, -2.0])
    p = 1 / (1 + np.exp(-odds))
    features = stack_features(np.stack([1 - p, p], axis=1), [])
    codes = np.array([1, 0, 1, 0, 0, 0, 0, 0], np.int16)
    expected = {
        "calibration 1": ([0.97162, 0.30920, -0.30920], [0.7900, 0.5874, 0.1694, 0.0716]),
        "calibration 2": ([1.00353, 0.76069, -0.76069], [0.6191, 0.3734, 0.0741, 0.0285]),
    }
    for recipe in RECIPES:
        if recipe.name in expected:
            theta = fit_recipe(recipe, features, codes, np.ones(8))
            coefficients, chances = expected[recipe.name]
            assert theta == pytest.approx(coefficients, abs=1e-4)
            assert softmax(features.values @ theta)[::2, 1] == pytest.approx(chances, abs=1e-4)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_newton_ends_where_another_climb_does(n_labels):
    rng = np.random.default_rng(n_labels)
    base = rng.dirichlet(np.ones(n_labels), 40)
    judged = [rng.random((40, n_labels)) for _ in range(2)]
    features = stack_features(base, [rng.dirichlet(np.ones(n_labels), 40)], judged)
    codes = rng.integers(0, n_labels, 40)
    weights = rng.uniform(0.5, 2, 40)
    recipe = Recipe("all", 0.4, 1.0, 0.3, 0.6)
    means, spreads = prior_of(recipe, features.kinds)

    def height(theta):
        chances = softmax(features.values @ theta)
        likelihood = weights @ np.log(chances[np.arange(40), codes])
        return -likelihood + 0.5 * (((theta - means) / spreads) ** 2).sum()

    other = minimize(height, means, tol=1e-10).x
    assert fit_recipe(recipe, features, codes, weights) == pytest.approx(other, abs=1e-3)


def test_without_labels_the_answer_is_bitwise_the_label_free_one():
    votes = panel()
    free, none = aggregate(votes), aggregate(votes, human={})
    assert np.array_equal(free.posterior, none.posterior)
    assert none.learned is None
    assert none.summary() == free.summary()


@pytest.mark.parametrize("n_labels", [2, 3])
def test_labels_help_where_a_label_is_rare(n_labels):
    votes = panel(800, share=0.06, n_labels=n_labels)
    gains = []
    for seed in range(3):
        human = labels_of(votes, 40, seed)
        held, free = aggregate(votes, human=human), aggregate(votes)
        rest = {i: votes.labels[k] for i, k in zip(votes.items, votes.key, strict=True)}
        for item in human:
            del rest[item]
        gains.append(score(free, rest).log_loss - score(held, rest).log_loss)
        assert held.item_labels[votes.items.index(next(iter(human)))] == human[next(iter(human))]
    assert np.mean(gains) > 0.02


def test_what_is_said_of_the_labels():
    votes = panel()
    held = aggregate(votes, human=labels_of(votes, 50))
    learned = held.learned
    assert learned.n == 50
    assert sum(learned.weights.values()) == pytest.approx(1)
    assert learned.loss_after < learned.loss_before
    assert len(learned.judges) == votes.n_judges
    assert all(row.low <= row.value <= row.high for row in learned.judges)
    assert "Your 50 labels: expected log loss" in held.summary()
    assert "50 more would bring" in learned.sentence()
    few = aggregate(votes, human=labels_of(votes, 10))
    assert "Below 20 labels" in few.learned.sentence()
    assert few.learned.next_gain is None
    with pytest.raises(DataError, match="must be label-free"):
        held.bootstrap(n=2)


def test_items_with_labels_are_not_scored_by_them():
    votes = panel()
    human = labels_of(votes, 50)
    held = aggregate(votes, human=human)
    assert score(held, votes).n_scored == votes.n_items - 50
    with pytest.raises(DataError, match="has not learned from"):
        score(held, human)


def test_prediction_and_json():
    votes = panel()
    held = aggregate(votes, human=labels_of(votes, 30))
    again = type(held).from_dict(json.loads(json.dumps(held.to_dict())))
    assert again == held
    for result in (held, again):
        np.testing.assert_allclose(result.predict(votes), held.posterior[held.item_pattern])
    assert again.item_labels == held.item_labels


def test_order_and_names_do_not_matter_and_the_key_is_not_read():
    votes = panel()
    human = labels_of(votes, 30)
    shuffled = dict(sorted(human.items(), reverse=True))
    results = [aggregate(v, human=h) for v, h in ((votes, human), (votes.without_key(), shuffled))]
    assert np.array_equal(results[0].posterior, results[1].posterior)
    every = aggregate(votes, human="key")
    assert every.learned.n == votes.n_items


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "pooled-dawid-skene", "vote-factor"])
def test_any_method_learns(method):
    votes = panel()
    held = aggregate(votes, method, human=labels_of(votes, 40))
    assert held.method == method
    assert held.learned.n == 40
    np.testing.assert_allclose(held.predict(votes), held.posterior[held.item_pattern], atol=1e-6)


def test_unequal_chances_weigh_the_labels():
    votes = panel()
    human = labels_of(votes, 40)
    rows = [{"item": i, "label": t, "inclusion": 0.1 + 0.4 * (t == "b")} for i, t in human.items()]
    weighed, plain = aggregate(votes, human=rows), aggregate(votes, human=human)
    assert weighed.posterior_items[:, 1].mean() < plain.posterior_items[:, 1].mean()
    assert weighed.learned.judges == ()
    assert any("unequal chances" in note for note in weighed.warnings)


@pytest.mark.parametrize(
    ("human", "says"),
    [
        ({"0": "z"}, "labels of the votes"),
        ({"nobody": "a"}, "items of the votes"),
        ([{"item": "0", "label": "a"}, {"item": "0", "label": "b"}], "one label per item"),
        ([{"item": "0", "label": "a", "inclusion": 0}], "chances above 0"),
    ],
)
def test_labels_that_are_none(human, says):
    with pytest.raises(DataError, match=says):
        aggregate(panel(), human=human)


def test_counts_cannot_learn():
    votes = panel()
    with pytest.raises(DataError, match="item by item"):
        aggregate(votes.sketch(), human={"0": "a"})


def test_a_results_table_says_that_its_labels_took_no_part():
    results = example("support-bot")
    assert any("took no part" in note for note in aggregate(results).warnings)
    assert aggregate(results, human="key").learned.n == 80


def test_cross_validation_weighs_what_predicts():
    rng = np.random.default_rng(0)
    base = np.full((60, 2), 0.5)
    signal = rng.integers(0, 2, 60)
    judged = [np.eye(2)[signal], np.eye(2)[rng.integers(0, 2, 60)]]
    features = stack_features(base, [], judged)
    mixture = learn(features, signal, np.ones(60))
    assert mixture.weights[0] < 0.01
    assert mixture.after.mean() < 0.5 * mixture.before.mean()
    noise = learn(stack_features(base, [], []), rng.integers(0, 2, 60), np.ones(60))
    assert abs(noise.after.mean() - noise.before.mean()) < 0.05


# -- scores ---------------------------------------------------------------------------------------


def scored(n_items=400, share=0.1, seed=0):
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < share).astype(int)
    trait = key * 2.0 + rng.normal(size=n_items)
    values = trait[:, None] + rng.normal(size=(n_items, 5))
    items = [str(k) for k in range(n_items)]
    return Scores(items, [f"j{k}" for k in range(5)], values, key=key.tolist(), key_kind="class")


def test_scores_learn_and_items_carry_their_labels():
    scores = scored()
    rows = np.random.default_rng(1).choice(400, 40, replace=False)
    human = {scores.items[row]: str(scores.key[row]) for row in rows.tolist()}
    free, held = aggregate(scores), aggregate(scores, human=human)
    rest = np.setdiff1d(np.arange(400), rows)
    truth = np.array(scores.key, int)[rest]
    losses = [-np.log(f.posterior[rest, truth]).mean() for f in (free, held)]
    assert losses[1] < losses[0] - 0.1
    assert held.posterior[rows, np.array(scores.key, int)[rows]].min() == 1
    assert held.learned.n == 40
    assert "Your 40 labels" in held.summary()
    again = type(held).from_dict(json.loads(json.dumps(held.to_dict())))
    for result in (held, again):
        np.testing.assert_allclose(result.predict(scores)[rest], held.posterior[rest], atol=1e-6)
    assert np.array_equal(aggregate(scores, human={}).posterior, free.posterior)


@pytest.mark.parametrize("method", sorted(SCORE_METHODS))
@pytest.mark.parametrize(
    ("low", "high", "share"), [(0.05, 0.2, 0.2), (0.3, 0.6, 0.5), (0.7, 0.9, 0.7)]
)
def test_a_range_of_the_higher_class_is_its_share_nearest_to_one_half(method, low, high, share):
    scores = scored()
    held = aggregate(scores, method, prevalence=(low, high))
    same = aggregate(scores, method) if share == 0.5 else None
    same = same or aggregate(scores, method, prevalence=share)
    np.testing.assert_allclose(held.posterior, same.posterior, atol=1e-12)
    assert held.prevalence == pytest.approx(share)
    assert f"between {percent(low)} and {percent(high)}" in held.message
    again = type(held).from_dict(json.loads(json.dumps(held.to_dict())))
    for result in (held, again):
        if result.status.ok:
            np.testing.assert_allclose(result.predict(scores), held.posterior, atol=1e-6)


# -- accuracies of judges: how many ranges and intervals hold the true one --------------------------


def held_by_ranges(votes):
    """Whether each judge's true accuracy is inside its range without labels."""
    right = np.array([(votes.codes[:, j] == votes.key).mean() for j in range(votes.n_judges)])
    ranges = aggregate(votes).accuracy_ranges()
    return [row.low <= share <= row.high for row, share in zip(ranges, right, strict=True)]


def held_by_labels(votes, n, seed):
    """Whether each judge's accuracy is inside its interval from labels, and how wide this is."""
    right = (votes.codes == np.asarray(votes.key)[:, None]).mean(axis=0)
    rows = aggregate(votes, human=labels_of(votes, n, seed)).learned.judges
    return [(r.low <= p <= r.high, r.high - r.low) for r, p in zip(rows, right, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(("share", "least"), [(0.5, 0.9), (0.3, 0.9), (0.1, 0.8)])
def test_ranges_without_labels_hold_most_accuracies_where_no_label_is_rare(share, least):
    held = [held_by_ranges(panel(500, share=share, seed=700 + seed)) for seed in range(10)]
    print(f"share {share}: {np.mean(held):.2f} of 50 judges")
    assert np.mean(held) >= least


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.4])
@pytest.mark.parametrize("n", [20, 50, 100])
def test_intervals_of_labels_hold_the_accuracies(share, n):
    rows = [held_by_labels(panel(400, share=share, seed=k), n, k) for k in range(40)]
    held = np.array(rows)[..., 0].mean(axis=1)
    error = held.std() / 40**0.5
    print(
        f"{n} labels, share {share}: {held.mean():.3f} ({error:.3f}), {np.array(rows)[..., 1].mean():.2f}"
    )
    assert held.mean() > 0.95 - 0.02 - 3 * error
