import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.aggregate import METHODS, Aggregation, aggregate
from algeval.aggregate.registry import settings_of
from algeval.aggregate.results import decide, distinct_rows, read_patterns
from algeval.data import Sketch, Votes
from algeval.data.sketch import group_rows
from algeval.errors import DataError

COLUMNS = {
    "i": list("aabbab"),
    "j": [*list("aabba"), None],
    "k": list("abbbbb"),
    "l": list("aabaab"),
}


@pytest.fixture
def votes():
    return Votes.from_columns(COLUMNS)


def test_the_module_is_the_function(votes):
    assert ae.aggregate(votes, "majority").method == "majority"
    assert ae.aggregate.aggregate is aggregate


def test_unknown_names_are_refused_with_the_choices(votes):
    with pytest.raises(DataError, match=r"method 'borda' is not known; choose from .*'majority'"):
        aggregate(votes, "borda")
    with pytest.raises(DataError, match=r"setting 'tie' is not one .*choose from \['rule', 'ties'"):
        aggregate(votes, "majority", tie=1)
    with pytest.raises(
        DataError, match="data must be Votes, a Sketch or a KeyedSketch; got Summary"
    ):
        aggregate(votes.summary(), "majority")


def test_items_follow_the_rows_of_the_votes(votes):
    result = aggregate(votes, "majority")
    assert result.items == votes.items
    assert np.array_equal(result.patterns[result.item_pattern], votes.codes)
    assert result.item_labels == ["a", "a", "b", "b", "a", "b"]
    assert result.posterior_items.shape == (6, 2)
    counted = aggregate(votes.sketch(), "majority")
    assert np.array_equal(counted.posterior, result.posterior)
    with pytest.raises(DataError, match="data must be Votes for an answer per item"):
        counted.item_labels  # noqa: B018


@pytest.mark.parametrize("method", ["majority", "weighted-majority", "dawid-skene"])
def test_json_round_trip_predicts_alike(votes, method):
    result = aggregate(votes, method)
    again = Aggregation.from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    assert again.to_dict() == result.to_dict()
    assert again.item_labels == result.item_labels
    unseen = Sketch.from_counts({"bab.": 1, "....": 2}, judges=["i", "j", "k", "l"])
    assert np.array_equal(again.predict(unseen), result.predict(unseen))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_registered_method_names_its_settings(method):
    assert all(isinstance(name, str) for name in settings_of(method))


@pytest.mark.parametrize("method", ["majority", "weighted-majority", "dawid-skene"])
def test_predicting_the_fitted_votes_gives_the_posterior(votes, method):
    result = aggregate(votes, method)
    assert np.allclose(result.predict(votes), result.posterior_items, atol=1e-6)


def test_predict_matches_names_not_positions(votes):
    result = aggregate(votes, "dawid-skene")
    shuffled = votes.select(judges=["l", "j", "i", "k"])
    assert np.array_equal(result.predict(shuffled), result.predict(votes))
    renamed = Votes.from_columns({"i": ["a"], "z": ["b"]})
    with pytest.raises(DataError, match="judge 'z' must be one of those fitted"):
        result.predict(renamed)
    with pytest.raises(DataError, match="answer 'c' must be one of those fitted"):
        result.predict(Votes.from_columns({"i": ["a", "c"]}))
    with pytest.raises(DataError, match="data must be Votes or a Sketch"):
        result.predict(votes.summary())


def test_summary_says_what_was_found(votes):
    text = aggregate(votes, "majority").summary()
    assert "prevalence: a 50.0%, b 50.0%" in text
    assert "k: right on a 33.3%, b 100.0%" in text
    assert "Note: 1 vote is missing" in text


def test_decide_leaves_ties_open():
    table = np.array([[0.5, 0.5, 0], [0.2, 0.3, 0.5], [1 / 3, 1 / 3, 1 / 3]])
    assert decide(table).tolist() == [-1, 2, -1]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=1, max_size=30))
def test_counting_without_a_sort_agrees_with_sorting(rows):
    codes = np.array(rows, np.int16)
    got, expected = distinct_rows(codes, 3), group_rows(codes, 3)
    assert np.array_equal(got[0], expected[0])
    assert np.array_equal(got[1], expected[1])


def test_read_patterns_refuses_what_is_empty():
    with pytest.raises(DataError, match="data must hold at least one item"):
        read_patterns(Sketch.from_counts({}, judges=["i"], labels=["a"]))
