"""Any accepted input as a sketch, a summary, or votes apart from their key."""

import numpy as np
import pytest

import algeval as ae
from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.reading import (
    as_counts,
    as_sketch,
    as_summary,
    is_scores,
    keyed_part,
    refuse_scores,
    split_key,
)
from algeval.errors import DataError

VOTES = Votes.from_columns({"i": ["a", "b", None], "j": ["a", "a", "b"]}, key=["a", "b", None])
SKETCH = Sketch.from_counts({"aa": 1, "ba": 1, ".b": 1}, judges=["i", "j"])
KEYED = VOTES.keyed_sketch()
SUMMARY = Summary.from_counts({"i": {"a": 1, "b": 1}, "j": {"a": 2, "b": 1}}, n_items=3)


@pytest.mark.parametrize("data", [VOTES, VOTES.without_key(), SKETCH])
def test_votes_and_sketches_of_the_same_items_read_the_same(data):
    assert as_sketch(data) == SKETCH
    assert as_counts(data) == SKETCH
    assert as_summary(data) == SUMMARY


def test_a_keyed_sketch_reads_as_its_sketch():
    assert as_sketch(KEYED) is KEYED.sketch
    assert as_counts(KEYED) is KEYED.sketch
    assert as_summary(KEYED) == KEYED.sketch.summary()
    assert KEYED.sketch.n_items == 2


def test_sketch_is_a_method_on_all_data_and_still_the_field_of_a_keyed_sketch():
    assert VOTES.sketch() == SKETCH
    assert SKETCH.sketch() is SKETCH
    assert isinstance(KEYED.sketch, Sketch)
    assert KEYED.sketch() is KEYED.sketch


def test_a_summary_is_its_own_counts_and_has_no_sketch():
    assert as_counts(SUMMARY) is SUMMARY
    assert as_summary(SUMMARY) is SUMMARY
    with pytest.raises(DataError, match="got Summary; counts per judge do not say"):
        as_sketch(SUMMARY)
    with pytest.raises(DataError, match=r"got Summary; so much for that$"):
        as_sketch(SUMMARY, "so much for that")
    assert not hasattr(SUMMARY, "sketch")


@pytest.mark.parametrize("read", [as_sketch, as_counts, as_summary])
@pytest.mark.parametrize("data", [{"i": ["a"]}, None, np.zeros((2, 2), int), Sketch])
def test_anything_else_is_refused_in_one_sentence(read, data):
    with pytest.raises(DataError, match=r"^data must be Votes, .*got "):
        read(data)


def test_split_key_takes_the_key_off():
    blind, key, keyed = split_key(VOTES)
    assert blind.key is None
    assert np.array_equal(blind.codes, VOTES.codes)
    assert key is VOTES
    assert keyed.to_dict() == KEYED.to_dict()
    assert split_key(KEYED) == (KEYED.sketch, KEYED, KEYED)
    unkeyed = Votes.from_columns({"i": ["a", "b"]}, key=[None, None])
    for data in (SKETCH, VOTES.without_key(), unkeyed):
        assert split_key(data) == (data, None, None)


def test_the_keyed_part_is_none_without_a_known_label():
    assert keyed_part(KEYED) is KEYED
    assert isinstance(keyed_part(VOTES), KeyedSketch)
    for data in (SKETCH, SUMMARY, VOTES.without_key()):
        assert keyed_part(data) is None


SCORES = Scores.from_columns({"i": [1.5, 2, 3], "j": [2, 1, None]}, key=[1, 0, 1])


def test_scores_are_told_from_votes():
    assert is_scores(SCORES)
    for data in (VOTES, SKETCH, KEYED, SUMMARY, None):
        assert not is_scores(data)
        assert refuse_scores(data) is None


READERS = [as_sketch, as_counts, as_summary, keyed_part, split_key, refuse_scores]


@pytest.mark.parametrize("read", READERS)
def test_scores_are_refused_with_the_way_out(read):
    with pytest.raises(DataError, match=r"got Scores; call \.cut\(x\) on them"):
        read(SCORES)


ASKED = {
    "alarm": lambda s: ae.alarm(s, "0.6"),
    "bounds": ae.bounds,
    "check": lambda s: ae.check(s, "0.6"),
    "compare": ae.compare,
    "count_consistent": ae.count_consistent,
    "decode": ae.decode,
    "diagnose": ae.diagnose,
    "evaluations": ae.evaluations,
    "half_votes": ae.logic.half_votes,
    "if_others": lambda s: ae.logic.if_others(s, judge="i"),
    "members": ae.logic.members,
    "monitor": lambda s: ae.Monitor("0.6", judges=["i", "j"], labels=["0", "1"]).add(s),
    "panel": ae.panel,
    "sample_consistent": lambda s: ae.sample_consistent(s, 1),
    "suspect_key": lambda s: ae.suspect_key(s, judges=["i"]),
    "threshold": ae.threshold,
    "windows": lambda s: ae.logic.windows(s, 2),
}


@pytest.mark.parametrize("name", ASKED)
def test_every_question_of_logic_names_the_cut(name):
    with pytest.raises(DataError, match=r"^data must be Votes, .*; call \.cut\(x\) on them"):
        ASKED[name](SCORES)
