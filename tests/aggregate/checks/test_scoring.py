import json
from math import log

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import KeyedSketch, Votes
from algeval.errors import DataError

COLUMNS = {"i": list("aabb"), "j": list("abbb"), "k": list("aaab"), "l": list("abab")}
# by item: a 4:0, a 2:2 (tie), a 2:2 (tie), b 0:4


@pytest.fixture
def votes():
    return Votes.from_columns(COLUMNS)


def test_by_hand(votes):
    votes = Votes.from_columns({"i": list("aaab"), "j": list("aabb"), "k": list("abbb")})
    result = aggregate(votes, "majority", smoothing=0)  # shares of a: 1, 2/3, 1/3, 0
    s = score(result, {"1": "a", "2": "b", "3": "b", "4": "b"})
    assert (s.n_scored, s.n_correct, s.n_undecided) == (4, 3, 0)
    assert s.accuracy == s.accuracy_decided == 0.75
    assert s.balanced_accuracy == pytest.approx((1 + 2 / 3) / 2)
    assert s.log_loss == pytest.approx((log(3) + log(3 / 2)) / 4)
    assert s.brier == pytest.approx((2 * 4 / 9 + 2 * 1 / 9) / 4)
    assert s.n_certain_wrong == 0
    # bins of width 1/10: two items at confidence 2/3 (half right), two at 1 (all right)
    assert [(b.n_items, b.accuracy) for b in s.bins] == [(2, 0.5), (2, 1.0)]
    assert s.bins[0].low == 0.6
    assert s.calibration_error == pytest.approx(0.5 * (2 / 3 - 1 / 2))
    assert "3 of 4 items right (75.0%)" in s.summary()


def test_undecided_items_count_as_wrong_and_are_counted(votes):
    s = score(aggregate(votes, "majority", smoothing=0), {"1": "a", "2": "a", "3": "b", "4": "b"})
    assert (s.n_undecided, s.n_correct) == (2, 2)
    assert s.accuracy == 0.5
    assert s.accuracy_decided == 1.0
    # a tie counts half in the reliability diagram
    assert [(b.n_items, b.confidence, b.accuracy) for b in s.bins] == [(2, 0.5, 0.5), (2, 1, 1)]
    assert s.calibration_error == 0


def test_certainty_that_is_wrong_is_counted(votes):
    s = score(aggregate(votes, "majority", smoothing=0), {"1": "b"})
    assert s.n_certain_wrong == 1
    assert s.log_loss == pytest.approx(-log(1e-15))
    assert s.accuracy == 0
    assert s.brier == 2


def test_every_kind_of_key_agrees(votes):
    truth = {"1": "a", "2": "a", "3": "b", "4": "b"}
    keyed = Votes.from_columns(COLUMNS, key=["a", "a", "b", "b"])
    result = aggregate(votes, "majority")
    first = score(result, truth).to_dict()
    assert score(result, keyed).to_dict() == first
    assert score(result, keyed.keyed_sketch()).to_dict() == first
    assert score(aggregate(keyed.sketch(), "majority"), keyed.keyed_sketch()).to_dict() == first
    json.dumps(first, allow_nan=False)


def test_items_are_joined_on_their_ids(votes):
    result = aggregate(votes, "majority")
    shuffled = Votes.from_columns(
        {name: column[::-1] for name, column in COLUMNS.items()},
        items=["4", "3", "2", "1"],
        key=["b", None, None, "a"],
    )
    s = score(result, shuffled)
    assert (s.n_scored, s.n_correct) == (2, 2)


def test_the_mean_over_many_items_matches_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 300)
    codes = np.where(rng.random((300, 5)) < 0.6, truth[:, None], rng.integers(0, 3, (300, 5)))
    names, judges = list("abc"), list("ijklm")
    votes = Votes(range(300), judges, names, names, codes.astype(np.int16), truth)
    result = aggregate(votes, "dawid-skene", prior=2)
    s = score(result, votes)
    posterior = result.posterior_items
    assert s.log_loss == pytest.approx(metrics.log_loss(truth, posterior), rel=1e-6)
    guess = posterior.argmax(1)
    assert s.accuracy == pytest.approx(metrics.accuracy_score(truth, guess))
    assert s.balanced_accuracy == pytest.approx(metrics.balanced_accuracy_score(truth, guess))
    hot = np.eye(3)[truth]
    assert s.brier == pytest.approx(((posterior - hot) ** 2).sum(1).mean())


def test_messages(votes):
    result = aggregate(votes, "majority")
    with pytest.raises(DataError, match="key must be votes that carry a key"):
        score(result, votes)
    with pytest.raises(DataError, match="key label 'z' is not known"):
        score(result, {"1": "z"})
    with pytest.raises(DataError, match="must name items of the result"):
        score(result, {"99": "a"})
    with pytest.raises(DataError, match="must have items to be joined"):
        score(aggregate(votes.sketch(), "majority"), {"1": "a"})
    with pytest.raises(DataError, match="key must name its items"):
        score(result, ["a"])
    with pytest.raises(DataError, match="n_bins must be a whole number"):
        score(result, {"1": "a"}, n_bins=0)
    other = KeyedSketch.from_counts({"a": {"aabb": 1}, "b": {}}, judges=list("ijkl"))
    with pytest.raises(DataError, match="key must hold decision tuples of the result"):
        score(result, other)
    fewer = KeyedSketch.from_counts({"a": {"aab": 1}, "b": {}})
    with pytest.raises(DataError, match="key must have the judges of the result"):
        score(result, fewer)
