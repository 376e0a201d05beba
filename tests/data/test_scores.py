"""A table of scores: what it holds, what it refuses, and the votes a cut makes of it."""

import copy
import json
import pickle
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.data import Scores
from algeval.errors import DataError
from algeval.io import read_votes

NAN = float("nan")


def table(**more):
    return Scores.from_columns(
        {"x": [7, 2.5, None], "y": [5, NAN, -0.0], "z": [None, None, None]},
        items=["q1", "q2", "q3"],
        **more,
    )


KEYS = {
    "no key": (None, None, None),
    "classes": (["good", None, "bad"], ("good", None, "bad"), "class"),
    "0/1": ([1, 0, None], ("1", "0", None), "class"),
    "0/1 as floats": ([1.0, 0.0, NAN], ("1", "0", None), "class"),
    "0/1 as text": (["1", "0", "1"], ("1", "0", "1"), "class"),
    "numbers": ([6.5, None, 2], (6.5, None, 2.0), "number"),
    "an array": (np.array([3, 1, 2]), (3.0, 1.0, 2.0), "number"),
    "unknown": ([None, NAN, pd.NA], (None, None, None), "class"),
}


def test_what_a_table_holds():
    s = table()
    assert (s.items, s.judges) == (("q1", "q2", "q3"), ("x", "y", "z"))
    assert (s.n_items, len(s), s.n_judges, s.complete) == (3, 3, 3, False)
    assert s.missing.tolist() == [1, 1, 3]
    assert s.values.dtype == np.float64
    assert s.values[:, :2].tolist()[0] == [7, 5]
    assert not np.signbit(s.values[2, 1])
    assert Scores(["q"], ["x"], np.array([[3]])).complete


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_is_classes_or_numbers(kind):
    given, key, key_kind = KEYS[kind]
    s = table(key=given)
    assert (s.key, s.key_kind) == (key, key_kind)
    assert s.without_key().key is None
    assert s.without_key().key_kind is None
    assert s.without_key() == table()


def test_it_is_read_only():
    s = table(attributes={"pair": [1, 1, 2]})
    with pytest.raises(ValueError, match="read-only"):
        s.values[0, 0] = 1
    with pytest.raises(TypeError, match="item assignment"):
        s.attributes["pair"] = ()
    with pytest.raises(AttributeError):
        s.items = ()
    given = np.ones((1, 1))
    kept = Scores(["q"], ["x"], given)
    given[0, 0] = 9
    assert kept.values[0, 0] == 1


def test_attributes_are_text():
    s = table(attributes={"pair": [7.0, NAN, 8], 5: ["a", None, pd.NA]})
    assert s.attributes == {"pair": ("7", None, "8"), "5": ("a", None, None)}
    assert table().attributes is None
    assert table(attributes={}).attributes is None


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({}, "Scores(3 items, 3 judges, 5 missing, no key)"),
        (
            {"key": ["a", "b", "a"], "attributes": {"pair": [1, 2, 3]}},
            "Scores(3 items, 3 judges, 5 missing, with a key of classes, attributes ['pair'])",
        ),
        ({"key": [1, 2, 3]}, "Scores(3 items, 3 judges, 5 missing, with a key of numbers)"),
    ],
)
def test_how_it_is_shown(more, text):
    assert repr(table(**more)) == text


@pytest.mark.parametrize("kind", KEYS)
def test_round_trips(kind):
    s = table(key=KEYS[kind][0], attributes={"pair": [1, None, 2]})
    document = json.loads(json.dumps(s.to_dict(), allow_nan=False))
    assert document["schema"] == "algeval.scores/1"
    for again in (Scores.from_dict(document), pickle.loads(pickle.dumps(s)), copy.deepcopy(s)):
        assert again == s
        assert hash(again) == hash(s)
        assert repr(again) == repr(s)
        assert not again.values.flags.writeable
        assert again.to_dict() == s.to_dict()


def test_tables_are_equal_when_all_they_hold_is():
    s = table(key=[1, 0, 1], attributes={"pair": [1, 1, 2]})
    assert s == s.select()
    for other in (
        s.without_key(),
        s.select(judges=["x", "z", "y"]),
        s.select(items=["q2", "q1", "q3"]),
        table(key=[1, 0, 1]),
        table(key=[1, 0, 1], attributes={"pair": [1, 1, 3]}),
        "scores",
    ):
        assert s != other


def test_select():
    s = table(key=[6.5, None, 0], attributes={"pair": ["a", "b", "c"]})
    part = s.select(judges=["y", "x"], items=["q3", "q1"])
    assert (part.judges, part.items) == (("y", "x"), ("q3", "q1"))
    assert np.array_equal(part.values, [[0, NAN], [5, 7]], equal_nan=True)
    assert part.key == (0.0, 6.5)
    assert part.attributes == {"pair": ("c", "a")}
    with pytest.raises(DataError, match="judge 'w' is not known; choose from 'x', 'y', 'z'"):
        s.select(judges=["w"])
    with pytest.raises(DataError, match="item 'w' is not known"):
        s.select(items=["w"])


def test_a_key_of_numbers_stays_one_when_only_0_and_1_are_selected():
    """A cut at 50 would otherwise call the truth 1 of 100 the higher class."""
    s = Scores.from_columns({"x": [10, 60, 90]}, key=[0, 1, 90])
    part = s.select(items=[1, 2])
    assert part.key_kind == "number"
    assert part.cut(50).key.tolist() == [0, 0]
    assert Scores.from_dict(part.to_dict()).cut(50).key.tolist() == [0, 0]
    assert pickle.loads(pickle.dumps(part)).key_kind == "number"


def test_a_cut_makes_votes():
    v = table(key=[1, None, 0]).cut(2.5)
    assert (v.items, v.judges) == (("q1", "q2", "q3"), ("x", "y", "z"))
    assert (v.labels, v.answers) == (("0", "1"), ("0", "1"))
    assert v.codes.tolist() == [[1, 1, -1], [1, -1, -1], [-1, 0, -1]]
    assert v.key.tolist() == [1, -1, 0]
    assert table().cut(2.5).key is None


@pytest.mark.parametrize("at", [4.5, "4.5", F(9, 2), "9/2", np.float32(4.5)])
def test_a_cut_is_a_number_in_any_spelling(at):
    assert table(key=[4.5, 4.4, None]).cut(at).key.tolist() == [1, 0, -1]
    assert table().cut(at).codes.tolist() == table().cut(4.5).codes.tolist()


def test_a_cut_is_exact_where_floats_are_not():
    s = Scores.from_columns({"x": [0.1, 1 / 3, 1e300]})
    assert s.cut(F(1, 10)).codes[:, 0].tolist() == [1, 1, 1]
    assert s.cut(F(1, 3)).codes[:, 0].tolist() == [0, 0, 1]
    assert s.cut("1e400").codes[:, 0].tolist() == [0, 0, 0]
    assert s.cut("-1e400").codes[:, 0].tolist() == [1, 1, 1]


def test_short_floats_are_the_numbers_they_print_as():
    """0.7 in 32 bits is below 0.7 in 64, and did not reach a cut at 0.7."""
    array = np.array([[0.7], [0.1], [NAN]], np.float32)
    for values in (array, [[array[0, 0]], [array[1, 0]], [array[2, 0]]]):
        s = Scores(["a", "b", "c"], ["x"], values)
        assert s.values[:2].tolist() == [[0.7], [0.1]]
        assert s.cut(0.7).codes.tolist() == [[1], [0], [-1]]
    assert read_votes({"x": array[:, 0]}, cut=0.7).codes.tolist() == [[1], [0], [-1]]


@pytest.mark.parametrize("at", [None, "high", NAN, float("inf"), True])
def test_a_cut_must_be_a_number(at):
    with pytest.raises(DataError, match=r"^cut must be "):
        table().cut(at)


def test_classes_that_are_not_0_and_1_are_not_guessed():
    with pytest.raises(DataError, match=r"got the class 'bad'; call without_key\(\) first"):
        table(key=["good", "bad", "good"]).cut(5)
    assert table(key=["good", "bad", None]).without_key().cut(5).key is None
    assert table(key=[None, None, None]).cut(5).key.tolist() == [-1, -1, -1]


REFUSED = [
    ({"items": ["q", "q"]}, "item ids must be distinct; got a repeated one"),
    ({"items": [], "values": np.empty((0, 2))}, "scores must hold at least one item; got none"),
    ({"judges": ["x", "x"]}, "judges must be distinct; got 'x' more than once"),
    ({"judges": "xy"}, "judges must be a list of names; got the text 'xy'"),
    ({"values": [[1, 2]]}, r"one column per judge \(2, 2\); got shape \(1, 2\)"),
    ({"values": [[1, 2], [3]]}, r"one column per judge \(2, 2\); got shape \(2,\)"),
    ({"values": [np.ones((2, 1)), np.ones((2, 2))]}, "values must be rows of the same length"),
    (
        {"values": [[1, 2], [3, float("-inf")]]},
        "scores must be finite; got -inf of judge 'y' on item 'b'; leave it out",
    ),
    ({"values": [[1, 2], [3, 10**400]]}, "scores must be finite; got inf of judge 'y' on item 'b'"),
    (
        {"values": [[1, "7.5"], [3, 4]]},
        "scores must be numbers; got '7.5' of judge 'y' on item 'a'",
    ),
    (
        {"values": np.array([["1", "2"], ["3", "4"]])},
        "scores must be numbers; got '1' of judge 'x'",
    ),
    ({"values": [[True, 2], [3, 4]]}, "scores must be numbers; got True of judge 'x' on item 'a'"),
    ({"key": [1]}, r"key must have one entry per item \(2\); got 1"),
    ({"key": [1, "a"]}, "finite numbers, or classes as text; got 'a' for item 'b' beside numbers"),
    ({"key": [2, float("inf")]}, "got inf for item 'b'"),
    ({"key": [2, 3], "key_kind": "rank"}, "key_kind must be 'class' or 'number'; got 'rank'"),
    ({"key": ["a", "b"], "key_kind": "number"}, "got 'a' for item 'a' beside numbers"),
    ({"attributes": {"p": [1]}}, r"attribute 'p' must have one entry per item \(2\); got 1"),
    ({"attributes": {"p": "ab"}}, r"attribute 'p' must have one entry per item \(2\); got text"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_refused(change, message):
    good = {"items": ["a", "b"], "judges": ["x", "y"], "values": [[1, 2], [3, 4]]}
    assert Scores(**good).complete
    with pytest.raises(DataError, match=message):
        Scores(**{**good, **change})


def test_columns_must_be_of_one_length():
    with pytest.raises(DataError, match=r"one score per item; got lengths \{'x': 1, 'y': 2\}"):
        Scores.from_columns({"x": [1], "y": [1, 2]})


def test_documents_are_checked():
    document = table().to_dict()
    with pytest.raises(DataError, match=r"schema must be 'algeval.scores/1'"):
        Scores.from_dict({**document, "schema": "algeval.votes/1"})
    with pytest.raises(DataError, match="judges must be texts; got 1"):
        Scores.from_dict({**document, "judges": [1, "y", "z"]})
    with pytest.raises(DataError, match="scores must be numbers; got '7' of judge 'x'"):
        Scores.from_dict({**document, "values": [["7", 1, 1]] * 3})


def test_a_saved_table_is_read_again(tmp_path):
    s = table(key=[6.5, None, 2], attributes={"pair": [1, 1, 2]})
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(s.to_dict()))
    assert ae.read_sketch(path) == s
    assert ae.load(path) == s
    assert ae.load(s) is s
    path.write_text(json.dumps({**s.to_dict(), "attributes": [1]}))
    with pytest.raises(DataError, match=r"attributes must be columns by name; got \[1\]"):
        ae.read_sketch(path)
    path.write_text(json.dumps({k: v for k, v in s.to_dict().items() if k != "values"}))
    with pytest.raises(DataError, match=r"must be a whole algeval\.scores/1 document"):
        ae.read_sketch(path)


def test_planted_scores_come_out_of_a_cut_as_compared_one_by_one():
    rng = np.random.default_rng(11)
    values = rng.integers(-30, 30, (40, 5)) / 10
    values[rng.random(values.shape) < 0.2] = NAN
    s = Scores(range(40), ["a", "b", "c", "d", "e"], values)
    for tenths in range(-30, 31, 7):
        wanted = [[-1 if x != x else int(round(x * 10) >= tenths) for x in row] for row in values]
        assert s.cut(F(tenths, 10)).codes.tolist() == wanted


def test_a_percentage_is_of_each_judge_s_own_scale():
    s = Scores(["a", "b"], ["of_100", "of_1"], [[60, 0.4], [40, 0.9]], [80, 20])
    assert s.cut("50%").codes.tolist() == [[1, 0], [0, 1]]
    assert s.cut("50%").key.tolist() == [1, 0]
    with pytest.raises(DataError, match=r"a percentage must be of .* 'j' from 2 to 5"):
        Scores(["a", "b"], ["j"], [[2], [5]]).cut("50%")


def test_counts_refuse_a_cut_in_percent():
    with pytest.raises(
        DataError, match=r"cut must be a number .* write 0\.5 of cells up to 1, 50 of"
    ):
        ae.count({"id": [1, 2], "x": [60, 40]}, judges=["x"], cut="50%")
