"""Real scores: calibration beside Platt scaling with every label, errors by pair beside the notes' table.

The gold is read for scoring only, but for Platt's curve, which is fitted to it on purpose.
"""

import csv

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score

ASSET = {
    "average": 33.80,
    "median": 34.84,
    "uws": 34.07,
    "linear": 28.59,
    "rank-factor": 28.59,
    "factor": 28.59,
    "graded-response": 29.46,
    "care-svd": 30.00,
}
"""Mean absolute errors measured before, without labels."""


def columns(path):
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.fixture
def civil(real_votes):
    return ae.read_scores(real_votes / "civilcomments_judge_scores.csv", item="item", key="gold")


@pytest.fixture
def asset(real_votes):
    path = real_votes / "asset_judge_scores.csv"
    attributes = ["pair", "rater", "aspect"]
    return ae.read_scores(path, item="item", key="gold", attributes=attributes)


def by_pair(values, pairs):
    """The standard error of a mean over items of which those of a pair say the same."""
    _, place = np.unique(pairs, return_inverse=True)
    sums = np.bincount(place, weights=values - values.mean())
    return np.sqrt((sums**2).sum() * len(sums) / (len(sums) - 1)) / len(values)


def platt(share, truth, folds=10):
    """Return the log loss of a curve fitted to the labels of the other folds."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    x = np.log(share / (1 - share))[:, None]
    fold = np.random.default_rng(0).permutation(len(truth)) % folds
    told = np.empty(len(truth))
    for k in range(folds):
        fit = linear_model.LogisticRegression(C=1e6).fit(x[fold != k], truth[fold != k])
        told[fold == k] = fit.predict_proba(x[fold == k])[:, 1]
    return -np.log(np.where(truth, told, 1 - told)).mean()


@pytest.mark.parametrize(
    ("method", "settings", "most"),
    [
        ("factor", {}, 0.510),
        ("rank-factor", {}, 0.510),
        ("graded-response", {}, 0.510),
        ("factor", {"rotate": "varimax", "posterior": "weighted"}, 0.490),
    ],
)
def test_probabilities_without_labels_are_as_good_as_platt_scaling_with_all(
    civil, method, settings, most
):
    found = aggregate(civil, method, **settings)
    truth = np.array([k == "1" for k in civil.key])
    ours = score(found, civil).log_loss
    votes = score(aggregate(civil.without_key().cut(4.5), "majority"), civil).log_loss
    assert ours <= most
    assert votes > 0.58
    assert ours < platt(found.posterior[:, 1], truth) + 0.006


@pytest.mark.parametrize("method", ASSET)
def test_errors_on_asset_are_those_measured_before(asset, method):
    error = np.abs(aggregate(asset, method).item_scores - np.array(asset.key, float))
    spread = by_pair(error, asset.attributes["pair"])
    assert 0.3 < spread < 2
    worse = error.mean() - ASSET[method]
    assert worse < spread
    if (
        method != "care-svd"
    ):  # measured on the sum of raw scores, not on the judges' scale: 28.7 here
        assert worse > -spread
    if method not in ("average", "median", "uws"):
        assert error.mean() < 30.1


@pytest.mark.parametrize(
    ("n", "calibration", "measured"),
    [
        (20, "shift", 27.58),
        (50, "shift", 27.11),
        (200, "shift", 26.64),
        (20, "isotonic", 27.20),
        (50, "isotonic", 26.85),
        (200, "isotonic", 26.50),
    ],
)
def test_errors_on_asset_with_anchors_are_those_measured_before(asset, n, calibration, measured):
    gold, rng = np.array(asset.key, float), np.random.default_rng(n)
    errors = []
    for _ in range(12):
        places = rng.choice(len(gold), n, replace=False)
        anchors = {asset.items[p]: gold[p] for p in places}
        found = aggregate(asset, "factor", anchors=anchors, calibration=calibration)
        errors.append(np.abs(np.delete(found.item_scores - gold, places)).mean())
    assert np.mean(errors) == pytest.approx(measured, abs=1.4)


def test_other_panels_of_the_same_kind_gain_over_the_share_of_votes(civil):
    rng, gains = np.random.default_rng(1), []
    for n_judges in (6, 12):
        for _ in range(6):
            part = civil.select(judges=rng.choice(civil.judges, n_judges, replace=False))
            share = score(aggregate(part.without_key().cut(4.5), "majority"), part).log_loss
            gains.append(share - score(aggregate(part, "factor"), part).log_loss)
    assert min(gains) > 0
