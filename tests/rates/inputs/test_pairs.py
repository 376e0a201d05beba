"""Two files of votes joined by item, and labels and outputs joined to both."""

import numpy as np
import pytest

from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.inputs import (
    UNJUDGED,
    join_gold,
    join_systems,
    left_out,
    read_both,
    read_gold,
    same_outputs,
)


def votes(items, *columns):
    named = {f"j{k}": [{"p": "pass", "f": "fail"}.get(x) for x in c] for k, c in enumerate(columns)}
    return Votes.from_columns(named, items=list(items), labels=["fail", "pass"])


A = votes("xyzwv", "ppfp.", "pfpf.")
B = votes("vwuxy", "pfpff", "p.pfp")
PAIRS = join_systems(A, B, "pass")


def test_items_are_joined_by_id_in_the_order_of_the_first():
    assert PAIRS.items == ("x", "y", "w", "v")
    assert [A.items[row] for row in PAIRS.rows_a] == list(PAIRS.items)
    assert [B.items[row] for row in PAIRS.rows_b] == list(PAIRS.items)
    assert (PAIRS.only_a, PAIRS.only_b) == (("z",), ("u",))
    assert left_out(("new", "old"), PAIRS)[1] == "1 item of old alone left out: 'u'"


def test_verdicts_and_shares_are_taken_apart():
    # x: 2 of 2 against 0 of 2; y: 1 of 2 (a tie, no verdict) against 1 of 2; w: 1 of 2 against 0 of 1
    assert PAIRS.verdicts.tolist() == [1, UNJUDGED, UNJUDGED, UNJUDGED]
    np.testing.assert_allclose(PAIRS.shares, [1, 0, 0.5, 0.5])


def test_the_same_items_need_no_join():
    same = join_systems(A, A, "pass")
    assert (same.items, same.only_a, same.only_b) == (A.items, (), ())
    assert same.verdicts.tolist() == [0, UNJUDGED, UNJUDGED, UNJUDGED, UNJUDGED]


def test_nothing_in_common_is_refused():
    with pytest.raises(DataError, match="must have items in common; got for example 'x' and 'k'"):
        join_systems(A, votes("kl", "pf"), "pass")


def test_labels_count_where_both_answers_have_one():
    gold_a = read_gold({"x": "pass", "y": "fail", "z": "pass"}, A, "pass")
    gold_b = read_gold({"y": "pass", "v": "fail", "u": "pass"}, B, "pass")
    labels = join_gold(PAIRS, gold_a, gold_b)
    assert (labels.rows.tolist(), labels.differences.tolist()) == ([1], [-1])
    assert labels.n_one_sided == 2


def test_a_table_of_both_keeps_the_chances():
    rows = [
        {"item": "x", "truth_a": "pass", "truth_b": "fail", "inclusion": "0.5"},
        {"item": "y", "truth_a": "fail", "truth_b": None, "inclusion": "0.25"},
    ]
    a, b = read_both(rows, (A, B), "pass")
    assert (a.values.tolist(), b.values.tolist()) == ([1, 0], [0])
    assert (a.inclusion.tolist(), b.inclusion.tolist()) == ([0.5, 0.25], [0.5])


@pytest.mark.parametrize(
    "make",
    [
        lambda texts, items: dict(zip(items, texts, strict=True)),
        lambda texts, items: list(texts),
        lambda texts, items: [{"item": i, "output": t} for i, t in zip(items, texts, strict=True)],
        lambda texts, items: {"item": list(items), "output": list(texts)},
    ],
)
def test_outputs_are_read_from_every_form(make):
    a = make(["one", "two", "three", "four", "five"], A.items)
    b = make(["five", "4", "six", "one", "2"], B.items)
    assert same_outputs(PAIRS, a, b).tolist() == [True, False, False, True]


def test_an_output_that_is_missing_may_differ():
    assert same_outputs(PAIRS, {"x": "one"}, {"x": "one", "y": "two"}).tolist() == [
        *(True, False),
        *(False, False),
    ]
    assert same_outputs(PAIRS, None, None) is None
    with pytest.raises(DataError, match="must be of the items voted on"):
        same_outputs(PAIRS, {"x": "one"}, {"y": "two"})
