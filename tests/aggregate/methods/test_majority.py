from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.aggregate.methods.voting import evaluate_by_majority, majority
from algeval.data import KeyedSketch, Sketch, Votes
from algeval.errors import DataError

ACS = {
    "AAA": 568,
    "AAB": 553,
    "ABA": 649,
    "BAA": 1813,
    "BBA": 3534,
    "BAB": 3607,
    "ABB": 1068,
    "BBB": 8208,
}
BASIC = {"judges": ["i", "j", "k"], "labels": ["A", "B"]}


def names(result):
    return [None if d < 0 else result.labels[d] for d in result.decisions.tolist()]


def test_paper_001_closed_forms_s1_to_s8():
    evaluation = evaluate_by_majority(Sketch.from_counts(ACS, **BASIC))
    f = {key: F(value, 20000) for key, value in ACS.items()}
    p_a = f["AAA"] + f["AAB"] + f["ABA"] + f["BAA"]
    p_b = f["BBB"] + f["BBA"] + f["BAB"] + f["ABB"]
    assert evaluation.prevalence.tolist() == [p_a, p_b] == [F(3583, 20000), F(16417, 20000)]
    for place, judge in enumerate("ijk"):
        flip = "".join("B" if q == place else "A" for q in range(3))
        assert evaluation.accuracy(judge, "A") == (p_a - f[flip]) / p_a
        flip = "".join("A" if q == place else "B" for q in range(3))
        assert evaluation.accuracy(judge, "B") == (p_b - f[flip]) / p_b


def test_paper_001_table_1_partition():
    result = majority(Sketch.from_counts(ACS, **BASIC))
    got = {
        "".join("AB"[c] for c in row): (name, int(count))
        for row, name, count in zip(result.patterns, names(result), result.counts, strict=True)
    }
    assert got == {
        "AAA": ("A", 568),
        "AAB": ("A", 553),
        "ABA": ("A", 649),
        "BAA": ("A", 1813),
        "BBA": ("B", 3534),
        "BAB": ("B", 3607),
        "ABB": ("B", 1068),
        "BBB": ("B", 8208),
    }


def test_ties_are_seen_and_every_rule_is_named():
    s = Sketch.from_counts({"ab": 3, "aa": 1, "..": 2, "x.": 4}, labels=["a", "b"])
    # lexicographic: "..", "aa", "ab", "x."
    shown = majority(s, smoothing=0)
    assert names(shown) == [None, "a", None, None]
    assert shown.n_undecided == 9
    assert shown.posterior.tolist() == [[0.5, 0.5], [1, 0], [0.5, 0.5], [0.5, 0.5]]
    assert names(majority(s, ties="first")) == [None, "a", "a", None]
    drawn = {names(majority(s, ties="random", seed=seed))[2] for seed in range(40)}
    assert drawn == {"a", "b"}
    told = " ".join(shown.warnings)
    assert "3 items are tied and left undecided." in told
    assert "6 items got no vote for any label." in told
    assert "8 votes are missing" in told
    assert "4 answers are no label" in told


def test_rule_majority_asks_for_more_than_half_of_the_answers():
    s = Sketch.from_counts({"abcc": 1, "aaxx": 1, "aaax": 1, "aa.x": 1}, labels=["a", "b", "c"])
    plural = dict(zip(s.to_counts(), names(majority(s)), strict=True))
    strict = dict(zip(s.to_counts(), names(majority(s, rule="majority")), strict=True))
    assert plural[("a", "b", "c", "c")] == "c"
    assert strict[("a", "b", "c", "c")] is None  # 2 of 4 is not more than half
    assert plural[("a", "a", "x", "x")] == "a"
    assert strict[("a", "a", "x", "x")] is None
    assert strict[("a", "a", "a", "x")] == "a"
    assert strict[("a", "a", None, "x")] == "a"  # 2 of 3 answers given


def test_the_evaluation_leaves_undecided_items_out():
    s = Sketch.from_counts({"ab.": 3, "aab": 4, "bbb": 5}, judges=["i", "j", "k"])
    e = evaluate_by_majority(s)
    assert e.prevalence.tolist() == [F(4, 9), F(5, 9)]
    assert e.accuracy("k", "a") == 0
    assert majority(s).n_undecided == 3


def test_all_undecided():
    s = Sketch.from_counts({"ab": 3}, judges=["i", "j"])
    assert majority(s).evaluation is None
    assert majority(s).status.ok
    with pytest.raises(DataError, match="some item must have a majority label"):
        evaluate_by_majority(s)


def test_a_key_is_never_read():
    columns = {"i": ["a", "b", "a"], "j": ["a", "b", "b"], "k": ["b", "b", "b"]}
    open_ = Votes.from_columns(columns)
    keyed = Votes.from_columns(columns, key=["b", "a", "a"])
    assert majority(open_).to_dict() == majority(keyed).to_dict()
    sketch = KeyedSketch.from_counts({"a": {"aab": 1}, "b": {"bbb": 1}})
    assert majority(sketch).counts.tolist() == [1, 1]


def test_messages():
    s = Sketch.from_counts({"aa": 1})
    with pytest.raises(DataError, match="rule must be one of"):
        majority(s, rule="borda")
    with pytest.raises(DataError, match="ties must be one of"):
        majority(s, ties="coin")
    with pytest.raises(DataError, match="seed must be given with ties='random'"):
        majority(s, ties="random")
    with pytest.raises(DataError, match="seed must be given with ties='random'"):
        majority(s, seed=1)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.text("abx.", min_size=4, max_size=4), min_size=1, max_size=25))
def test_against_counting_by_hand(rows):
    votes = Votes.from_columns(
        {j: [None if r[j] == "." else r[j] for r in rows] for j in range(4)},
        labels=["a", "b"],
        answers=["a", "b", "x"],
    )
    result = majority(votes, smoothing=0)
    for row, label, shares in zip(rows, result.item_labels, result.posterior_items, strict=True):
        a, b = row.count("a"), row.count("b")
        assert label == ("a" if a > b else "b" if b > a else None)
        expected = [a / (a + b), b / (a + b)] if a + b else [0.5, 0.5]
        assert shares.tolist() == expected


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.text("abc.", min_size=3, max_size=3), min_size=1, max_size=20), st.randoms())
def test_renaming_labels_and_reordering_judges_commute(rows, random):
    s = Sketch.from_counts({r: 1 + len(r) for r in rows}, labels=["a", "b", "c"])
    order = random.sample(range(3), 3)
    swapped = {"".join(r[j] for j in order): 1 + len(r) for r in rows}
    t = Sketch.from_counts(swapped, labels=["c", "a", "b"], judges=[s.judges[j] for j in order])
    first = dict(zip(s.to_counts(), names(majority(s)), strict=True))
    second = dict(zip(t.to_counts(), names(majority(t)), strict=True))
    assert second == {tuple(key[j] for j in order): name for key, name in first.items()}


def test_predict_gives_vote_shares_of_new_tuples():
    sketch = Sketch.from_counts({"aab": 1, "bbb": 2}, judges=["i", "j", "k"])
    fitted = majority(sketch, smoothing=0)
    new = Votes.from_columns({"k": ["a", None], "i": ["b", "b"]}, labels=["b", "a"])
    assert np.array_equal(fitted.predict(new), [[0.5, 0.5], [0, 1]])


def test_a_label_without_a_vote_is_unlikely_and_not_impossible():
    s = Sketch.from_counts({"aaa": 4, "aab": 2, "..b": 1}, labels=["a", "b"])
    found = majority(s)
    by_row = {"..b": [0.25, 0.75], "aaa": [3.5 / 4, 0.5 / 4], "aab": [2.5 / 4, 1.5 / 4]}
    assert found.posterior.tolist() == list(by_row.values())
    np.testing.assert_allclose(found.predict(s), found.posterior)
    assert np.array_equal(found.decisions, majority(s, smoothing=0).decisions)
    with pytest.raises(DataError, match="smoothing must be at least 0"):
        majority(s, smoothing=-1)
