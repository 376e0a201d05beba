"""Scales of a consensus: the judges', a person's, and that of anchors, which are labels and said to be."""

import numpy as np
import pytest

from algeval.aggregate import SCORE_METHODS, aggregate
from algeval.aggregate.score_fitting import on_judges_scale
from algeval.data import Scores
from algeval.errors import DataError


def panel(n_items=400, seed=0):
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=(n_items, 1))
    values = 50 + 15 * (trait + rng.normal(size=(n_items, 5)) * [0.4, 0.6, 0.8, 1.0, 1.2])
    truth = 80 + 25 * trait[:, 0] + rng.normal(size=n_items) * 5
    return Scores(range(n_items), list("abcde"), values, truth.tolist())


def test_on_the_judges_scale_the_consensus_has_the_better_judges_mean_and_spread():
    rng = np.random.default_rng(1)
    values = np.stack([rng.normal(10, 2, 5000), rng.normal(40, 8, 5000)], axis=1)
    told = on_judges_scale(
        rng.normal(size=5000), values, np.array([0.9, 0.3]), np.array([0.19, 0.91])
    )
    weights = np.array([0.81 / 0.19, 0.09 / 0.91])
    assert told.mean() == pytest.approx(np.average(values.mean(0), weights=weights), abs=0.1)
    assert told.std() == pytest.approx(np.average(values.std(0), weights=weights), abs=0.1)
    assert values.min() <= told.min()
    assert told.max() <= values.max()


@pytest.mark.parametrize("method", sorted(set(SCORE_METHODS) - {"care-tensor"}))
def test_every_method_tells_its_scores_on_the_scale_asked_for(method):
    scores = panel()
    plain = aggregate(scores, method)
    assert abs(plain.item_scores.mean() - 50) < 5
    told = aggregate(scores, method, scale={"mean": 100, "sd": 15, "low": 70})
    assert told.item_scores.min() >= 70
    free = aggregate(scores, method, scale={"mean": 100, "sd": 15})
    assert free.item_scores.mean() == pytest.approx(100)
    assert free.item_scores.std() == pytest.approx(15)
    assert np.array_equal(aggregate(scores, method, scale="trait").item_scores, plain.item_traits)
    assert np.array_equal(free.posterior, plain.posterior)


@pytest.mark.parametrize("calibration", ["shift", "isotonic"])
def test_anchors_move_the_scores_towards_the_truth_and_are_said_to_be_used(calibration):
    scores = panel()
    truth = np.array(scores.key)
    plain = aggregate(scores)
    anchors = {scores.items[k]: truth[k] for k in range(0, 400, 4)}
    found = aggregate(scores, anchors=anchors, calibration=calibration)
    left = np.setdiff1d(np.arange(400), np.arange(0, 400, 4))
    error = np.abs(found.item_scores - truth)[left].mean()
    assert error < 0.6 * np.abs(plain.item_scores - truth)[left].mean()
    assert "100 anchors were used" in found.summary()
    curve = found.anchored.curve
    assert [n for n, _, _ in curve] == [5, 10, 20, 50]
    place = ["shift", "isotonic"].index(calibration)
    assert curve[-1][1 + place] == pytest.approx(error, rel=0.2)
    assert np.array_equal(found.posterior, plain.posterior)
    assert type(found).from_dict(found.to_dict()) == found


def test_isotonic_is_the_best_rising_curve_by_brute_force():
    from itertools import product

    from algeval.aggregate.score_fitting import _calibrated

    at, known = np.array([1.0, 2.0, 3.0, 3.0]), np.array([1.0, 4.0, 0.0, 3.0])
    grid = np.linspace(0, 4, 41)
    best = min(
        ((a - 1) ** 2 + (b - 4) ** 2 + (c - 0) ** 2 + (c - 3) ** 2, (a, b, c))
        for a, b, c in product(grid, repeat=3)
        if a <= b <= c
    )[1]
    found = _calibrated("isotonic", at, known, np.array([1.0, 2.0, 3.0, 9.0]))
    np.testing.assert_allclose(found[:3], best, atol=0.06)
    assert found[3] == found[2]


def test_scales_and_anchors_that_mean_nothing_are_refused():
    scores = panel(20)
    for wrong in ("human", {"mean": 1}, {"mean": 1, "sd": -1}, {"mean": 1, "sd": 1, "top": 3}, 3):
        with pytest.raises(DataError, match=r"scale|sd"):
            aggregate(scores, scale=wrong)
    with pytest.raises(DataError, match="anchors must be items that were scored; got 'zz'"):
        aggregate(scores, anchors={"zz": 1})
    for wrong in ({}, [1, 2]):
        with pytest.raises(DataError, match="anchors must map at least one item"):
            aggregate(scores, anchors=wrong)
    with pytest.raises(DataError, match="anchor"):
        aggregate(scores, anchors={"1": "good"})
    with pytest.raises(DataError, match="calibration must be one of"):
        aggregate(scores, anchors={"1": 3}, calibration="platt")


def test_judges_on_different_scales_are_warned_of():
    scores = panel(100)
    mixed = Scores(scores.items, scores.judges, scores.values * [1, 1, 1, 1, 100])
    assert "scales of different width" in aggregate(mixed).summary()
    assert "scales of different width" not in aggregate(mixed, scale="trait").summary()
    assert "scales of different width" not in aggregate(scores).summary()


def test_a_scale_that_ends_before_it_begins_is_refused():
    with pytest.raises(DataError, match="low must be at most high; got 5 and 2"):
        aggregate(panel(), scale={"mean": 1, "sd": 1, "low": 5, "high": 2})


def test_a_curve_needs_more_anchors_than_a_shift():
    scores = panel(50)
    anchors = {str(k): float(k) for k in range(4)}
    with pytest.raises(DataError, match="calibration must be 'shift' with fewer than 5 anchors"):
        aggregate(scores, anchors=anchors, calibration="isotonic")
    assert aggregate(scores, anchors=anchors).anchored.n_anchors == 4


@pytest.mark.parametrize("method", ["average", "rank-factor", "factor", "graded-response"])
@pytest.mark.parametrize(
    ("cut", "says"), [(1e6, "No score reaches"), (-1e6, "Every score reaches")]
)
def test_a_cut_beyond_all_scores_is_noted(method, cut, says):
    scores = panel(60)
    assert says in aggregate(scores, method, cut=cut).summary()
    assert "reaches the cut" not in aggregate(scores, method, cut=50).summary()


def test_two_alike_judges_set_the_scale_by_halves():
    values, loading, noise = np.array([[0.0, 10.0], [2.0, 30.0]]), np.full(2, 0.9), np.full(2, 0.2)
    assert on_judges_scale(np.array([-1.0, 1.0]), values, loading, noise).tolist() == [5, 16]
