"""Wawa: a case by hand, another implementation, what it cannot see, refusals, JSON."""

import json
from fractions import Fraction as F

import numpy as np
import pytest

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.methods.voting import wawa
from algeval.data import Sketch, Votes
from algeval.result import Status


def crowd(accuracy, n_labels, n_items, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    wrong = (truth[:, None] + rng.integers(1, n_labels, (n_items, len(accuracy)))) % n_labels
    codes = np.where(rng.random(wrong.shape) < accuracy, truth[:, None], wrong).astype(np.int16)
    labels = tuple("abcd"[:n_labels])
    judges = tuple(f"j{place}" for place in range(len(accuracy)))
    return Votes(range(n_items), judges, labels, labels, codes), truth


def test_weights_and_labels_by_hand():
    """Majority b, a, tied, a; the tied item teaches nothing, and the second vote settles it."""
    votes = Votes.from_columns(
        {
            "i": ["b", "a", "a", "a"],
            "j": ["b", "a", "a", "b"],
            "k": ["b", "b", "b", None],
            "l": ["a", "b", "b", "a"],
            "m": ["b", "a", None, "a"],
        }
    )
    found = wawa(votes)
    assert found.parameters["weight"] == pytest.approx([1, F(2, 3), F(1, 2), F(1, 3), 1])
    assert found.item_labels == ["b", "a", "a", "a"]
    # item 3: a has 1 + 2/3, b has 1/2 + 1/3, and each half of the one vote that smooths
    assert found.posterior_items[2] == pytest.approx([F(13, 21), F(8, 21)])
    assert wawa(votes, smoothing=0).posterior_items[2] == pytest.approx([F(2, 3), F(1, 3)])
    assert found.evaluation.accuracy("k", "b") == 1
    assert "labels 4 of 4 items" in found.message
    assert any("2 votes are missing; they count for no label." in note for note in found.warnings)


def test_it_beats_the_majority_where_judges_differ():
    votes, truth = crowd([0.9, 0.9, 0.45, 0.4, 0.4], 3, 4000, seed=1)
    right = {
        method: np.mean(aggregate(votes, method).posterior_items.argmax(axis=1) == truth)
        for method in ("majority", "wawa")
    }
    assert right["wawa"] > right["majority"] + 0.03


def test_refusals_count_as_no_vote():
    s = Sketch.from_counts({"aar": 6, "bbb": 4}, labels=["a", "b"], answers=["a", "b", "r"])
    assert wawa(s).parameters["weight"].tolist() == [1, 1, 1]


@pytest.mark.filterwarnings("ignore::Warning")  # of the peer and its pandas
@pytest.mark.parametrize("n_labels", [2, 4])
def test_the_other_implementation_agrees(n_labels):
    peer = pytest.importorskip("crowdkit.aggregation")
    pd = pytest.importorskip("pandas")
    votes, _ = crowd([0.9, 0.7, 0.6, 0.8, 0.5], n_labels, 300, seed=3)
    kept = aggregate(votes, "majority").decisions[aggregate(votes, "majority").item_pattern] >= 0
    codes = votes.codes[kept]  # ties are broken otherwise there
    votes = Votes(range(len(codes)), votes.judges, votes.labels, votes.answers, codes)
    items, judges = np.indices(codes.shape).reshape(2, -1)
    table = pd.DataFrame({"task": items, "worker": judges, "label": codes.ravel()})
    model = peer.Wawa().fit(table)
    # its own second step fails with scikit-learn 1.9, so its weighted majority is asked itself
    second = peer.MajorityVote().fit(table, skills=model.skills_)
    theirs = second.probas_.sort_index()[list(range(n_labels))].fillna(0)
    found = wawa(votes, smoothing=0)
    np.testing.assert_allclose(found.parameters["weight"], model.skills_.sort_index(), atol=1e-12)
    np.testing.assert_allclose(found.posterior_items, theirs, atol=1e-12)


def test_without_a_majority_anywhere_it_refuses():
    tied = wawa(Sketch.from_counts({"ab": 3, "ba": 4}))
    assert tied.status is Status.NOT_IDENTIFIABLE
    assert tied.evaluation is None
    assert "must see some item with a majority" in tied.message


def test_it_predicts_after_json_with_the_weights_found():
    votes, _ = crowd([0.9, 0.6, 0.55], 2, 200, seed=5)
    found = wawa(votes)
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    unseen = Sketch.from_counts({"abb": 1, "...": 1}, judges=["j0", "j1", "j2"])
    told = again.predict(unseen)
    first, *others = found.parameters["weight"]
    by_row = dict(zip(map(tuple, unseen.codes.tolist()), told, strict=True))
    share = (first + 0.5) / (first + sum(others) + 1)
    assert by_row[0, 1, 1] == pytest.approx([share, 1 - share])
    assert by_row[-1, -1, -1].tolist() == [0.5, 0.5]
