"""A public function that is given what it cannot read says so in one sentence, whatever the type."""

import itertools

import pytest

import algeval as ae
from algeval.errors import AlgevalError

VOTES = {"i": ["a", "b", "a", "b"], "j": ["a", "b", "b", "b"], "k": ["a", "a", "a", "b"]}
SKETCH = ae.Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2})
FOUND = ae.aggregate(VOTES, "majority")

WRONG = [
    1.5,
    True,
    "",
    "nowhere.csv",
    [],
    [None],
    {},
    {"x": 1},
    {"x": [None]},
    object(),
    b"x",
    {1, 2},
]
NO_VALUES = [1.5, True, "x", [], [None], {}, {"x": 1}, object(), float("nan")]

CALLS = {
    "aggregate": lambda x: ae.aggregate(x),
    "alarm": lambda x: ae.alarm(x, "2/3"),
    "alarm, at least": lambda x: ae.alarm(SKETCH, x),
    "alarm, time": lambda x: ae.alarm(SKETCH, "2/3", time_limit=x),
    "bounds": lambda x: ae.bounds(x),
    "panel": lambda x: ae.panel(x, "2/3"),
    "threshold": lambda x: ae.threshold(x, time_limit=1),
    "suspect_key": lambda x: ae.suspect_key(x, "i"),
    "read_votes": lambda x: ae.read_votes(x),
    "read_votes, judges": lambda x: ae.read_votes(VOTES, judges=x),
    "read_votes, item": lambda x: ae.read_votes(VOTES, item=x),
    "read_votes, labels": lambda x: ae.read_votes(VOTES, labels=x),
    "read_votes, missing": lambda x: ae.read_votes(VOTES, missing=x),
    "read_votes, map": lambda x: ae.read_votes(VOTES, map=x),
    "read_votes, cut": lambda x: ae.read_votes(VOTES, cut=x),
    "read_votes, key": lambda x: ae.read_votes(VOTES, key=x),
    "read_scores": lambda x: ae.read_scores(x),
    "read_scores, key": lambda x: ae.read_scores({"i": [1, 2.5]}, key=x),
    "read_sketch": lambda x: ae.read_sketch(x),
    "rate": lambda x: ae.rate(x, "a"),
    "rate, gold": lambda x: ae.rate(VOTES, "a", x, time_limit=0.01),
    "rate, cluster": lambda x: ae.rate(
        VOTES, "a", {"1": "a", "2": "b"}, cluster=x, time_limit=0.01
    ),
    "compare_systems": lambda x: ae.compare_systems(x, VOTES, label="a"),
    "compare_systems, gold": lambda x: ae.compare_systems(VOTES, VOTES, label="a", gold=x),
    "next_items": lambda x: ae.next_items(x, 1),
    "next_items, gold": lambda x: ae.next_items(VOTES, 1, x, label="a"),
    "plan": lambda x: ae.plan(half_width=0.1, pilot=x, label="a"),
    "leaderboard": lambda x: ae.leaderboard(x),
    "score": lambda x: ae.score(x, {"1": "a"}),
    "score, key": lambda x: ae.score(FOUND, x),
    "relations": lambda x: ae.relations(x),
    "Sketch.from_counts": lambda x: ae.Sketch.from_counts(x),
    "KeyedSketch.from_counts": lambda x: ae.KeyedSketch.from_counts(x),
    "Summary.from_counts": lambda x: ae.Summary.from_counts(x),
    "Summary.from_counts, row": lambda x: ae.Summary.from_counts({"i": x}),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_cannot_be_read_is_refused_in_a_sentence(call):
    raw = []
    for value in itertools.chain(WRONG, NO_VALUES):
        try:
            CALLS[call](value)
        except AlgevalError as error:
            raw += [f"{value!r}: {error}"] if "\n" in str(error) else []
        except Exception as error:
            raw.append(f"{value!r}: {type(error).__name__}: {error}")
    assert not raw, "\n".join(raw)


def test_a_column_without_a_name_is_read_or_refused_in_a_sentence():
    pd = pytest.importorskip("pandas")
    for name in (None, float("nan"), 1.5, ("a", None), True):
        votes = ae.read_votes(pd.DataFrame({name: ["a", "b"], "j": ["a", "b"]}))
        assert votes.n_judges == 2


def test_votes_are_no_battles():
    with pytest.raises(AlgevalError, match="got Votes, which do not say"):
        ae.leaderboard(ae.Votes.from_columns(VOTES))
