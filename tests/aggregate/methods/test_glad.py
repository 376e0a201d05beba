"""GLAD: a planted crowd found again, the climb, orientation, and another implementation."""

import csv

import numpy as np
import pytest

from algeval.aggregate.em import read_prevalence
from algeval.aggregate.methods.tables import _climb, _problem, _value, glad
from algeval.data import Sketch, Votes
from algeval.errors import DataError


def planted(n_items, ability, n_labels, seed):
    """Votes of the model itself, with the labels and eases they were drawn from."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    ease = np.exp(rng.normal(0, 1, n_items))
    right = rng.random((n_items, len(ability))) < 1 / (1 + np.exp(-np.outer(ease, ability)))
    wrong = (truth[:, None] + rng.integers(1, n_labels, right.shape)) % n_labels
    codes = np.where(right, truth[:, None], wrong).astype(np.int16)
    names = tuple("abcde"[:n_labels])
    judges = tuple(f"j{place}" for place in range(len(ability)))
    items = tuple(str(place) for place in range(n_items))
    return Votes(items, judges, names, names, codes), truth, ease


def right_share(result, truth):
    return float((result.posterior_items.argmax(axis=1) == truth).mean())


@pytest.mark.parametrize("n_labels", [2, 5])
def test_a_planted_crowd_is_found_again(n_labels):
    rng = np.random.default_rng(7)
    ability = rng.normal(0.4, 1, 15)
    votes, truth, ease = planted(800, ability, n_labels, seed=n_labels)
    found = glad(votes)
    assert found.status.ok
    assert np.corrcoef(found.parameters["ability"], ability)[0, 1] > 0.97
    guessed = np.log(found.parameters["ease"])[found.item_pattern]
    assert np.corrcoef(guessed, np.log(ease))[0, 1] > 0.6
    weight = np.outer(ease, ability) + np.log(n_labels - 1)
    best = np.stack([((votes.codes == t) * weight).sum(axis=1) for t in range(n_labels)], axis=1)
    counted = np.stack([(votes.codes == t).sum(axis=1) for t in range(n_labels)], axis=1)
    assert right_share(found, truth) >= (best.argmax(axis=1) == truth).mean() - 0.02
    assert right_share(found, truth) >= (counted.argmax(axis=1) == truth).mean() - 0.003


def test_the_climb_never_falls_and_ends_at_one_height_from_any_start():
    votes, _, _ = planted(60, np.array([2.0, 1.5, 1.0, 0.5, 0.2, -0.5, 1.0]), 2, seed=3)
    sketch = votes.sketch()
    rule = read_prevalence("equal", sketch.labels)
    problem = _problem(sketch.codes, sketch.counts.astype(float), 2, rule, 1.0)
    heights = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        start = np.concatenate([rng.normal(0, 1, len(sketch)), rng.normal(1, 1, 7), np.zeros(2)])
        heights.append(_climb(start, problem, {"max_iter": 3000, "tol": 1e-8}).objective)
    found = glad(votes, tol=1e-8)
    assert (np.diff(found.trace) >= -1e-9).all()
    np.testing.assert_allclose(heights, found.trace[-1], atol=1e-3)


def test_the_slope_is_that_of_the_height():
    votes, _, _ = planted(12, np.array([1.0, 2.0, 0.5]), 3, seed=1)
    rule = read_prevalence(("prior", 2), votes.labels)
    problem = _problem(votes.codes, np.arange(1.0, 13.0), 3, rule, 0.8)
    theta = np.random.default_rng(0).normal(0.3, 0.5, 12 + 3 + 3)
    slope = _value(theta, problem)[1]
    for place in range(len(theta)):
        step = np.zeros(len(theta))
        step[place] = 1e-6
        rise = _value(theta + step, problem)[0] - _value(theta - step, problem)[0]
        assert slope[place] == pytest.approx(rise / 2e-6, rel=1e-5, abs=1e-5)


def test_a_judge_who_lies_gets_a_negative_ability():
    votes, truth, _ = planted(800, np.array([2.0, 2.0, 1.5, 1.5, -2.0]), 2, seed=5)
    found = glad(votes)
    assert found.parameters["ability"][4] < -0.5
    assert (found.parameters["ability"][:4] > 0.5).all()
    assert right_share(found, truth) > 0.8


def test_judges_strict_on_one_label_mislead_a_free_prevalence():
    """All the judges say b of 9 in 10 items of b and of 45 in 100 of a; half the items are b."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    codes = (rng.random((400, 25)) < np.where(truth, 0.9, 0.45)[:, None]).astype(np.int16)
    data = Sketch(tuple("abcdefghijklmnopqrstuvwxy"), ("a", "b"), ("a", "b"), codes, [1] * 400)
    equal, free = glad(data), glad(data, prevalence="free")
    assert equal.settings["prevalence"] == "equal"
    assert equal.evaluation.prevalence.tolist() == [0.5, 0.5]
    assert free.trace[-1] > equal.trace[-1]
    assert free.evaluation.prevalence_of("b") > 0.75


def test_equal_shares_are_one_label_each():
    rule = read_prevalence("equal", ["a", "b", "c", "d"])
    assert rule.fixed.tolist() == [0.25] * 4
    assert rule.symmetric
    with pytest.raises(DataError, match="write 'free', 'equal', one share"):
        read_prevalence("even", ["a", "b"])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["bluebird", pytest.param("rte", marks=pytest.mark.slow)])
def test_the_other_implementation_labels_alike(real_votes, name):
    """crowd-kit's GLAD, told our prior of eases, stops a little below our height."""
    peer = pytest.importorskip("crowdkit.aggregation")
    pd = pytest.importorskip("pandas")
    with (real_votes / f"{name}_truth.csv").open(newline="") as stream:
        key = {row["item"]: row["truth"] for row in csv.DictReader(stream)}
    table = pd.read_csv(real_votes / f"{name}_votes.csv", dtype=str)
    table = table.rename(columns={"item": "task"})
    votes = Votes.from_records(table.itertuples(index=False, name=None), labels=["0", "1"])
    mine = glad(votes)
    model = peer.GLAD(betas_priors_mean=pd.Series(0.0, index=table["task"].unique()))
    theirs = model.fit_predict_proba(table).reindex(index=votes.items, columns=votes.labels)
    truth = np.array([votes.labels.index(key[item]) for item in votes.items])
    gap = right_share(mine, truth) - (theirs.to_numpy().argmax(axis=1) == truth).mean()
    assert abs(gap) <= 0.01
    rule = read_prevalence("equal", votes.labels)
    problem = _problem(votes.codes, np.ones(len(votes)), 2, rule, 1.0)
    point = [model.betas_.reindex(votes.items), model.alphas_.reindex(votes.judges), np.zeros(2)]
    height = _value(np.concatenate(point), problem)[0]
    assert height <= mine.trace[-1] + 1e-6
    assert height == pytest.approx(mine.trace[-1], abs=0.1)
