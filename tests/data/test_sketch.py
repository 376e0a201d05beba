import hashlib
import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import KeyedSketch, Sketch, Votes, names
from algeval.data.sketch import group_rows
from algeval.errors import DataError

SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)


@st.composite
def code_tables(draw, most_judges=5, most_answers=4, most_items=30):
    n = draw(st.integers(1, most_judges))
    a = draw(st.integers(1, most_answers))
    rows = draw(
        st.lists(st.lists(st.integers(-1, a - 1), min_size=n, max_size=n), max_size=most_items)
    )
    return np.array(rows, np.int16).reshape(-1, n), a


def make_votes(codes, a, key=None):
    answers = [f"x{k}" for k in range(a)]
    judges = [f"j{k}" for k in range(codes.shape[1])]
    return Votes(range(len(codes)), judges, answers, answers, codes, key)


def test_from_counts_text_tuples_and_missing():
    s = Sketch.from_counts({"aab": 553, ("b", "a", "a"): 12, "a.b": 1}, judges=["x", "y", "z"])
    assert s.labels == ("a", "b")
    assert s.n_items == 566
    assert s.to_counts() == {("a", None, "b"): 1, ("a", "a", "b"): 553, ("b", "a", "a"): 12}
    assert s.missing.tolist() == [0, 1, 0]
    assert s.frequency("baa") == Fraction(12, 566)
    assert s.frequency("bbb") == 0
    assert not s.complete


def test_rows_are_distinct_sorted_and_zero_free():
    s = Sketch(
        ["i", "j"], ["a", "b"], ["a", "b"], [[1, 0], [0, 1], [1, 0], [0, 0]], np.array([2, 3, 4, 0])
    )
    assert s.codes.tolist() == [[0, 1], [1, 0]]
    assert s.counts.tolist() == [3, 6]
    with pytest.raises(ValueError, match="read-only"):
        s.codes[0, 0] = 1


@SETTINGS
@given(code_tables())
def test_group_rows_equals_numpy_unique(table):
    codes, a = table
    distinct, inverse = group_rows(codes, a)
    expected = np.unique(codes, axis=0) if len(codes) else codes
    assert distinct.tolist() == expected.tolist()
    assert distinct[inverse].tolist() == codes.tolist()


def test_group_rows_with_more_judges_than_one_word_holds():
    rng = np.random.default_rng(5)
    base = rng.integers(-1, 5, (40, 90)).astype(np.int16)
    codes = base[rng.integers(0, 40, 500)]
    distinct, inverse = group_rows(codes, 5)
    assert distinct.tolist() == np.unique(codes, axis=0).tolist()
    assert (distinct[inverse] == codes).all()


@SETTINGS
@given(code_tables(), st.integers(0, 30))
def test_sketches_of_shards_add(table, cut):
    codes, a = table
    if not 0 < cut < len(codes):
        return
    whole = make_votes(codes, a).sketch()
    first = make_votes(codes[:cut], a).sketch()
    second = make_votes(codes[cut:], a).sketch()
    assert first + second == whole
    assert (second + first).digest == whole.digest


@SETTINGS
@given(code_tables())
def test_marginal_and_summary_equal_recounting(table):
    codes, a = table
    if not len(codes):
        return
    votes = make_votes(codes, a)
    kept = [f"j{k}" for k in range(codes.shape[1])][::-1]
    assert votes.sketch().marginal(kept) == votes.select(judges=kept).sketch()
    expected = [[int((codes[:, i] == k).sum()) for k in range(a)] for i in range(codes.shape[1])]
    assert votes.summary().counts.tolist() == expected
    assert votes.sketch().summary() == votes.summary()


@SETTINGS
@given(code_tables())
def test_json_round_trip(table):
    codes, a = table
    sketch = (
        make_votes(codes, a).sketch()
        if len(codes)
        else Sketch(["j"], ["a"], ["a"], codes[:, :1], [])
    )
    assert Sketch.from_dict(sketch.to_dict()) == sketch


def test_changed_file_is_noticed():
    document = Sketch.from_counts({"ab": 5, "ba": 5}).to_dict()
    document["counts"][0] = 6
    with pytest.raises(DataError, match="digest must match the content"):
        Sketch.from_dict(document)
    with pytest.raises(DataError, match=r"schema must be 'algeval.sketch/1'; got 'other'"):
        Sketch.from_dict(document | {"schema": "other"})


def test_counts_beyond_64_bits_are_refused():
    with pytest.raises(DataError, match=r"2\^63-1; got 9223372036854775808"):
        Sketch.from_counts({"ab": 2**63})
    with pytest.raises(DataError, match="add up to at most"):
        Sketch.from_counts({"ab": 2**63 - 1, "ba": 1})
    big = Sketch.from_counts({"ab": 2**63 - 1})
    assert big.n_items == 2**63 - 1
    with pytest.raises(DataError, match="add up to at most"):
        big + Sketch.from_counts({"ab": 1})


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        ({"ab": -1}, {}, "counts must lie in 0"),
        ({"ab": 1.5}, {}, "counts must be whole numbers; got 1.5"),
        ({"ab": 1, "abc": 1}, {}, "one answer per judge"),
        ({"ab": 1}, {"labels": ["b"], "answers": ["a", "b"]}, "answers must start with the labels"),
        ({"ab": 1}, {"answers": ["a", "c"]}, "answer 'b' is not known"),
        ({"ab": 1}, {"judges": ["x", "x"]}, "judges must be distinct; got 'x'"),
        ({"ab": 1}, {"judges": "xy"}, "must be a list of names"),
        ({}, {}, "judges must name at least one judge"),
    ],
)
def test_bad_counts_get_one_sentence(counts, options, message):
    with pytest.raises(DataError, match=message):
        Sketch.from_counts(counts, **options)


def test_sketches_with_other_names_do_not_add():
    with pytest.raises(DataError, match="must share their judges"):
        Sketch.from_counts({"ab": 1}) + Sketch.from_counts({"ab": 1}, judges=["x", "y"])


def test_keyed_sketch_truth_by_hand():
    keyed = KeyedSketch.from_counts({"a": {"ab": 3, "aa": 1}, "b": {"ab": 2, "b.": 2}})
    e = keyed.evaluation()
    assert e.prevalence.tolist() == [Fraction(1, 2), Fraction(1, 2)]
    assert e.accuracy("1", "a") == 1
    assert e.accuracy("1", "b") == Fraction(1, 2)
    assert e.accuracy("2", "a") == Fraction(1, 4)
    assert e.accuracy("2", "b") == 1
    assert e.coverage.tolist() == [[1, 1], [1, Fraction(1, 2)]]
    assert e.grade("1") == Fraction(6, 8)
    assert e.grade("2") == Fraction(1 + 2, 6)
    assert KeyedSketch.from_dict(keyed.to_dict()).keyed.tolist() == keyed.keyed.tolist()


def test_keyed_counts_must_add_up():
    sketch = Sketch.from_counts({"ab": 2})
    with pytest.raises(DataError, match="keyed counts must add up"):
        KeyedSketch(sketch, np.array([[1, 0]]))


@SETTINGS
@given(code_tables(), st.randoms(use_true_random=False))
def test_keyed_sketch_equals_counting_items(table, random):
    codes, a = table
    if not len(codes):
        return
    key = np.array([random.randrange(-1, a) for _ in codes], np.int16)
    votes = make_votes(codes, a, key)
    if (key < 0).all():
        with pytest.raises(DataError, match="must have a key"):
            votes.keyed_sketch()
        return
    evaluation = votes.keyed_sketch().evaluation()
    known = key >= 0
    for i in range(codes.shape[1]):
        for t in range(a):
            held = (key == t) & (codes[:, i] >= 0)
            right = held & (codes[:, i] == t)
            expected = Fraction(int(right.sum()), int(held.sum())) if held.any() else None
            assert evaluation.accuracy(f"j{i}", f"x{t}") == expected
    for t in range(a):
        expected = Fraction(int((key[known] == t).sum()), int(known.sum()))
        assert evaluation.prevalence_of(f"x{t}") == expected


def test_the_digest_is_that_of_the_whole_document(monkeypatch):
    monkeypatch.setattr(names, "_ROWS_AT_A_TIME", 3)
    judges = ['"codes":[', 'a","counts":[],"', "é\\"]
    rng = np.random.default_rng(0)
    for n in (0, 1, 3, 7, 20):
        sketch = Sketch(
            judges, ["a", "b"], ["a", "b"], rng.integers(-1, 2, (n, 3)), np.ones(n, int)
        )
        document = sketch.to_dict()
        told = document.pop("digest")
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        assert sketch.digest == told == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
