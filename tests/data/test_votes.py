import numpy as np
import pytest

from algeval.data import Votes
from algeval.errors import DataError


def test_columns_keep_missing_and_order():
    v = Votes.from_columns(
        {"gpt4": ["10", "9", None], "claude": ["9", "9", "10"]}, key=["10", None, "9"]
    )
    assert v.labels == ("9", "10")
    assert v.codes.tolist() == [[1, 0], [0, 0], [-1, 1]]
    assert v.key.tolist() == [1, -1, 0]
    assert v.missing.tolist() == [1, 0]
    assert not v.complete
    assert (len(v), v.n_judges, v.n_labels, v.n_answers) == (3, 2, 2, 2)


def test_records_join_on_item_ids():
    v = Votes.from_records(
        [("q2", "i", "a"), ("q1", "j", "b"), ("q1", "i", "b")], key={"q1": "b"}, judges=["i", "j"]
    )
    assert v.items == ("q2", "q1")
    assert v.codes.tolist() == [[0, -1], [1, 1]]
    assert v.key.tolist() == [-1, 1]


def test_extra_answers_are_never_labels():
    v = Votes.from_columns({"i": ["a", "refused", "b"]}, labels=["a", "b"])
    assert v.answers == ("a", "b", "refused")
    assert v.n_labels == 2


def test_select_and_key():
    v = Votes.from_columns({"i": list("abab"), "j": list("aabb")}, key=list("abbb"))
    w = v.select(judges=["j"], items=["4", "1"])
    assert w.items == ("4", "1")
    assert w.codes.tolist() == [[1], [0]]
    assert w.key.tolist() == [1, 0]
    assert v.without_key().key is None
    with pytest.raises(DataError, match="judge 'k' is not known; choose from 'i', 'j'"):
        v.select(judges=["k"])


def test_json_round_trip():
    v = Votes.from_columns({"i": ["a", None], "j": ["b", "b"]}, key=["a", None])
    w = Votes.from_dict(v.to_dict())
    assert w.to_dict() == v.to_dict()
    assert w.sketch() == v.sketch()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Votes.from_columns({"i": ["a"], "j": ["a", "b"]}), "one answer per item"),
        (lambda: Votes.from_columns({"i": [None]}), "at least one answer"),
        (lambda: Votes.from_columns({"i": ["a"]}, key=["b"]), "never from the key.*got 'b'"),
        (
            lambda: Votes.from_records([("q", "i", "a"), ("q", "i", "a")]),
            "two votes of 'i' on item 'q'",
        ),
        (
            lambda: Votes(["q", "q"], ["i"], ["a"], ["a"], np.zeros((2, 1), int)),
            "ids must be distinct",
        ),
        (
            lambda: Votes(["q"], ["i"], ["a"], ["a"], np.ones((1, 1), int)),
            r"codes must lie in -1\.\.0",
        ),
        (lambda: Votes([], ["i"], ["a"], ["a"], np.zeros((0, 1), int)), "at least one item"),
        (lambda: Votes(["q"], ["i"], ["a"], ["a"], np.zeros((1, 2), int)), "one column per judge"),
        (
            lambda: Votes(["q"], ["i"], ["a"], ["a"], np.zeros((1, 1), int), np.array([3])),
            r"key must lie in -1\.\.0",
        ),
    ],
)
def test_bad_votes_get_one_sentence(build, message):
    with pytest.raises(DataError, match=message):
        build()


def test_caller_keeps_its_array_writable():
    codes = np.zeros((2, 1), np.int16)
    v = Votes(["p", "q"], ["i"], ["a", "b"], ["a", "b"], codes)
    codes[0, 0] = 1
    assert v.codes[0, 0] == 0
