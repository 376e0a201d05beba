"""Windows of consecutive items: appendix E of paper 003."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.logic.questions.watch import NO_LABEL, windows


def columns(*judges, **options):
    return ae.Votes.from_columns({str(i): list(c) for i, c in enumerate(judges)}, **options)


def test_pairs_by_hand():
    votes = columns("abba", ["a", None, "b", "b"], key=["a", "b", None, "a"])
    pairs = windows(votes, 2)
    assert pairs.items == ("1..2", "2..3", "3..4")
    assert pairs.labels == pairs.answers == ("a>a", "a>b", "b>a", "b>b")
    assert pairs.codes.tolist() == [[1, -1], [3, -1], [2, 3]]
    assert pairs.key.tolist() == [1, -1, -1]
    assert windows(votes, 2, step=2).items == ("1..2", "3..4")
    assert windows(votes, 1).labels == ("a", "b")
    assert windows(votes, 1).items == votes.items
    assert windows(votes, 4).sketch().n_items == 1


def test_answers_that_are_no_label_are_never_correct():
    votes = columns(["a", "refused", "b", None], "abab", labels=["a", "b"])
    pairs = windows(votes, 2)
    assert pairs.answers == ("a>a", "a>b", "b>a", "b>b", NO_LABEL)
    assert pairs.codes[:, 0].tolist() == [4, 4, -1]


def test_the_alarm_applies_to_windows():
    # Half of the items each at most; of three windows, all a>b, one judge has one right.
    votes = columns("abab", "baba")
    assert not ae.alarm(votes, "1/2").triggered
    pairs = windows(votes, 2)
    assert ae.threshold(pairs, exact=True).lower == Fraction(1, 3)
    loud = ae.alarm(pairs, "1/2")
    assert loud.triggered
    assert ae.verify(loud.certificate, pairs.sketch()).ok


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 2), min_size=3, max_size=5))
def test_alarm_on_windows_against_every_key_of_the_windows(rows):
    votes = columns(*zip(*rows, strict=True), labels=["a", "b"])
    pairs = windows(votes, 2)
    for level in (Fraction(1, 2), Fraction(2, 3)):
        possible = any(
            all(
                sum(c == k == t for c, k in zip(answers, key, strict=True)) >= level * key.count(t)
                for answers in pairs.codes.T.tolist()
                for t in range(4)
            )
            for key in product(range(4), repeat=len(pairs))
        )
        assert ae.alarm(pairs, level, order="full").triggered is not possible


@settings(derandomize=True, deadline=None, max_examples=40)
@given(
    st.lists(st.lists(st.integers(-1, 2), min_size=2, max_size=2), min_size=1, max_size=8),
    st.integers(1, 4),
    st.integers(1, 3),
)
def test_windows_against_plain_loops(codes, size, step):
    names = [str(i) for i in range(len(codes))]
    votes = ae.Votes(names, ["x", "y"], ["a", "b"], ["a", "b", "c"], np.array(codes, np.int16))
    if size > len(votes):
        with pytest.raises(ae.DataError, match="size must be at most"):
            windows(votes, size, step)
        return
    found = windows(votes, size, step)
    expected = []
    for start in range(0, len(codes) - size + 1, step):
        row = []
        for judge in range(2):
            given = [codes[i][judge] for i in range(start, start + size)]
            if -1 in given:
                row.append(None)
            elif 2 in given:
                row.append(NO_LABEL)
            else:
                row.append(">".join("ab"[g] for g in given))
        expected.append(tuple(row))
    named = [[None if c < 0 else found.answers[c] for c in row] for row in found.codes.tolist()]
    assert [tuple(row) for row in named] == expected


def test_windows_of_the_key_are_a_possible_key():
    # The windows of the true key satisfy whatever the windows' alarm calls possible or not.
    rng = np.random.default_rng(5)
    key = rng.integers(0, 2, 40)
    answers = np.where(rng.random((40, 3)) < 0.9, key[:, None], 1 - key[:, None])
    names = [str(i) for i in range(40)]
    votes = ae.Votes(names, list("xyz"), ["a", "b"], ["a", "b"], answers.astype(np.int16), key)
    pairs = windows(votes, 2)
    truth = pairs.keyed_sketch().evaluation()
    worst = min(truth.accuracy(j, t) for j in "xyz" for t in pairs.labels)
    assert ae.alarm(pairs, worst, order="full").triggered is False


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"size": 0}, ae.DataError, "size must be a whole number from 1 on; got 0"),
        ({"size": 2, "step": 0}, ae.DataError, "step must be a whole number from 1 on"),
        ({"size": True}, ae.DataError, "got True"),
        ({"size": 41}, ae.DataError, "size must be at most the 40 items; got 41"),
        ({"size": 2, "separator": ""}, ae.DataError, "separator must occur in no label"),
        ({"size": 2, "separator": "a"}, ae.DataError, "and label 'a'"),
        ({"size": 13}, ae.TooLargeError, r"2\^13 tuples, more than 4096, and each of 28 windows"),
        ({"size": 40}, ae.TooLargeError, r"2\^40 tuples"),
    ],
)
def test_refusals(options, error, message):
    with pytest.raises(error, match=message):
        windows(columns("ab" * 20, "ba" * 20), **options)


def test_counts_have_no_order():
    with pytest.raises(ae.DataError, match="windows must be cut from Votes; got Sketch"):
        windows(columns("ab").sketch(), 2)


def test_the_largest_size_allowed():
    assert len(windows(columns("ab" * 20), 12).labels) == 4096


def test_names_that_would_collide_are_numbered():
    votes = columns("abab", items=["x", "x..y", "y", "y..y"])
    names = windows(votes, 3).items
    assert names == ("x..y", "x..y..y..y")
    votes = columns("abab", items=["x", "y", "x..y", "z"])
    assert len(set(windows(votes, 2).items)) == 3
    votes = columns("abab", items=["x", "x..y", "y..z", "z"])
    assert windows(votes, 3).items == ("1:x..y..z", "2:x..y..z")
