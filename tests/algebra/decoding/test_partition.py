"""Counts split by true label, label decisions, and the majority baseline, on Table 1 of paper 001."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from algeval.algebra.correlation import error_bars
from algeval.algebra.decoding import decode, majority, partition
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.errors import DataError
from algeval.models.independent import exact_exam
from algeval.result import Status

F = Fraction
TRIOS = json.loads((Path(__file__).parents[2] / "fixtures" / "trios.json").read_text())
TABLE_1 = TRIOS["table_1"]


@pytest.fixture(scope="module")
def table_1():
    cells = {t: dict(zip(TRIOS["order"], TABLE_1["actual"][t], strict=True)) for t in "ab"}
    return KeyedSketch.from_counts(cells, judges=["i", "j", "k"])


def test_table_1_all_sixteen_integers_and_the_label_errors(table_1):
    split = partition(table_1, decode(table_1))
    printed = {
        tuple(cell): (a, b)
        for cell, a, b in zip(
            TRIOS["order"], TABLE_1["printed_ae"]["a"], TABLE_1["printed_ae"]["b"], strict=True
        )
    }
    names = np.array(["a", "b"])
    found = {
        tuple(names[row]): tuple(values)
        for row, values in zip(split.codes, split.rounded.tolist(), strict=True)
    }
    assert found == printed
    assert split.errors(table_1) == 1720
    assert split.status is Status.IRRATIONAL
    assert majority(table_1).errors(table_1) == 3003


def test_the_exact_split_adds_up_and_is_the_product_form(table_1):
    decoding = decode(table_1)
    split = partition(table_1, decoding)
    p = decoding.best.prevalence_of("a")
    i, j, k = (decoding.best.accuracy(judge, "a") for judge in "ijk")
    assert split.expected[0][0] == 20000 * p * i * j * k
    assert all(
        sum(row) == count for row, count in zip(split.expected, split.counts.tolist(), strict=True)
    )


def test_no_rule_per_tuple_beats_the_decisions_of_table_1(table_1):
    least = sum(int(min(row)) for row in table_1.keyed)
    assert least == 1720


def test_majority_evaluation_follows_s1_to_s8(table_1):
    e = majority(table_1).evaluation
    f = {k: F(v, 20000) for k, v in zip(TRIOS["order"], TABLE_1["observed"], strict=True)}
    share = f["aaa"] + f["aab"] + f["aba"] + f["baa"]
    assert e.prevalence.tolist() == [share, 1 - share]
    assert e.accuracy("i", "a") == (f["aaa"] + f["aab"] + f["aba"]) / share
    assert e.accuracy("k", "b") == (f["bbb"] + f["bab"] + f["abb"]) / (1 - share)


def test_majority_ties_are_counted_and_left_out():
    data = Sketch.from_counts({"ab": 4, "aa": 3, "b.": 2}, labels=["a", "b"])
    vote = majority(data)
    assert vote.n_tied == 4
    assert "4 items undecided" in vote.message
    assert [vote.label(row) for row in range(3)] == ["a", None, "b"]
    assert vote.evaluation.prevalence.tolist() == [F(3, 5), F(2, 5)]
    with pytest.raises(DataError, match="ties only"):
        majority(Sketch.from_counts({"ab": 4}))


def test_errors_match_votes_item_by_item():
    rng = np.random.default_rng(1)
    columns = {j: rng.choice(["a", "b", "c"], 60).tolist() for j in "ijk"}
    truth = rng.choice(["a", "b", "c"], 60).tolist()
    votes = Votes.from_columns(columns, key=truth)
    vote = majority(votes)
    wrong = 0
    for row, answers in enumerate(zip(*columns.values(), strict=True)):
        most = max("abc", key=answers.count)
        tied = answers.count(most) == 1
        wrong += tied or most != truth[row]
    assert vote.errors(votes) == wrong


def test_any_evaluation_of_any_number_of_judges_splits_counts_by_bayes():
    table = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]
    e = Evaluation(
        ("w", "x", "y", "z"),
        ("a", "b"),
        ("a", "b"),
        np.array([F(1, 2)] * 2, dtype=object),
        np.array([table] * 4, dtype=object),
    )
    exam = exact_exam(e)
    split = partition(exam, e)
    assert split.expected.tolist() == [[F(int(v)) for v in row] for row in exam.keyed]
    assert split.n_tied == exam.keyed[exam.keyed[:, 0] == exam.keyed[:, 1]].sum() > 0
    floats = partition(exam, e.to_floats())
    assert np.allclose(floats.expected, exam.keyed)
    missing = Sketch.from_counts({"a...": 8}, judges=list("wxyz"), labels=["a", "b"])
    assert partition(missing, e).expected.tolist() == [[6, 2]]


def test_rounding_is_to_the_nearest_whole_number():
    counts = dict(zip(map("".join, product("ab", repeat=3)), [9, 3, 3, 1, 1, 3, 3, 9], strict=True))
    split = partition(Sketch.from_counts(counts), decode(Sketch.from_counts(counts)))
    nearest = [[int(v + F(1, 2)) for v in row] for row in split.expected.tolist()]
    assert split.rounded.tolist() == nearest
    assert "items = a" in split.summary()


def test_a_split_below_zero_says_why():
    counts = (558, 92, 397, 146, 212, 29, 323, 243)
    cells = ["".join(t) for t in product("ab", repeat=3)]
    sketch = Sketch.from_counts(dict(zip(cells, counts, strict=True)))
    split = partition(sketch, decode(sketch))
    assert split.expected[0][1] < 0
    assert sum(split.expected[0]) == 558
    assert "below zero, since the evaluation leaves [0, 1]" in split.message


def test_refusals():
    none = decode(Sketch.from_counts({"aaa": 3, "bbb": 0}, labels=["a", "b"]))
    with pytest.raises(DataError, match="must have a best evaluation; got status 'undetermined'"):
        partition(Sketch.from_counts({"aaa": 3}, labels=["a", "b"]), none)
    sure = np.array([[[F(1), F(0)], [F(0), F(1)]]] * 2, dtype=object)
    e = Evaluation(("1", "2"), ("a", "b"), ("a", "b"), np.array([F(1, 2)] * 2), sure)
    with pytest.raises(DataError, match="gives one of them no chance"):
        partition(Sketch.from_counts({"ab": 1, "aa": 1}), e)
    with pytest.raises(DataError, match="labels must match"):
        partition(Sketch.from_counts({"aa": 1, "cc": 1}), e)
    with pytest.raises(DataError, match="answer 'c' must be among"):
        partition(Sketch.from_counts({"aa": 1, "bc": 1}, labels=["a", "b"]), e)
    panel = decode(Sketch.from_counts({"abab": 1, "baab": 2}))
    with pytest.raises(DataError, match="must be an Evaluation or a Decoding; got Atlas"):
        partition(Sketch.from_counts({"aa": 1, "bb": 1}), panel)
    with pytest.raises(DataError, match="must be an Evaluation or a Decoding; got Atlas"):
        error_bars(panel)
