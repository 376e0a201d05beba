"""Plans: what they hold, when they say "proved", and one sentence for bad input."""

import json
import re

import pytest

import algeval as ae
from algeval.budgets import Plan, win_probability
from algeval.errors import DataError

GIVEN = {"budget": 1500, "accuracy": 0.8, "margin": 0.01, "label_accuracy": 0.8}


@pytest.fixture(scope="module")
def found():
    return ae.plan(**GIVEN)


def test_the_figures_that_must_show(found):
    assert found.labels_per_item == 1
    assert [round(row.win, 5) for row in found.table[:3]] == [0.65237, 0.60882, 0.58780]
    for told in ("0.65237", "0.60882", "0.58780", "0.76252", "Proved"):
        assert told in found.summary()


def test_rows_are_affordable_odd_and_sum_to_one(found):
    assert [row.m for row in found.table] == list(range(1, 100, 2))
    assert all(row.items == 1500 // row.m for row in found.table)
    assert all(row.win + row.tie + row.loss == pytest.approx(1, abs=1e-14) for row in found.table)


def test_each_row_but_the_first_is_proved_with_a_bound_that_holds(found):
    assert [row.verdict for row in found.table] == ["computed"] + ["proved"] * 49
    for row in found.table[1:20:6]:
        single = ae.plan(**GIVEN | {"budget": row.m * row.items}).win
        assert 0 < row.gap_at_least <= single - row.win


@pytest.mark.parametrize("q", [0.55, 0.6, 0.7, 0.8, 0.9, 1])
def test_the_bound_told_is_rounded_down(q):
    found = ae.plan(**GIVEN | {"label_accuracy": q}, most_labels=9)
    told = float(re.search(r"by at least (\S+)$", found.why)[1])
    least = min(row.gap_at_least for row in found.table[1:])
    assert 0.9 * least < told <= least


def test_even_numbers_of_labels_are_as_good_as_one_fewer_on_the_same_items(found):
    fewer = ae.plan(**GIVEN | {"budget": 375 * 3})
    assert found.win_probability(4) == fewer.win_probability(3)


def test_a_plan_goes_through_json(found):
    text = json.dumps(found.to_dict())
    assert Plan.from_dict(json.loads(text)) == found
    assert Plan.from_dict(json.loads(text)).win_probability(2) == found.win_probability(2)


def test_numbers_are_read_as_written(found):
    text = ae.plan(budget="1500", accuracy="80%", margin="1/100", label_accuracy="4/5")
    assert text.to_dict() == found.to_dict()


def test_a_dear_label_is_a_smaller_budget():
    assert ae.plan(**GIVEN, label_cost=3).win == ae.plan(**GIVEN | {"budget": 500}).win


def test_correlated_classifiers_by_two_accuracies():
    found = ae.plan(
        budget=100,
        accuracy=0.6,
        better_if_wrong=0.7,
        better_if_right=0.9,
        label_accuracy=(0.9, 0.8),
    )
    a, b = 0.28 * 0.9 + 0.06 * 0.2, 0.28 * 0.1 + 0.06 * 0.8
    assert found.win == pytest.approx(win_probability(a, b, 100), rel=1e-13)
    assert found.verdict == "proved"
    assert {way.name for way in found.alternatives} == {"disagreements"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"item_cost": 1}, "items cost as well"),
        ({"disagreements": True}, "not on those the two differ on"),
        ({"label_accuracy": (0.7, 0.95)}, "more often than with the better"),
        ({"accuracy": 0.1, "margin": 0.85}, "reaches to 4/5"),
        ({"label_accuracy": {"better": {0.8: 1}, "worse": {0.6: 0.5, 1: 0.5}}}, "gains more"),
    ],
)
def test_a_plan_is_computed_where_the_theorem_does_not_reach(change, why):
    found = ae.plan(**GIVEN | change)
    assert found.verdict == "computed"
    assert why in found.why


def test_ties_that_make_three_labels_look_better_are_told():
    told = set()
    for budget in range(2, 40):
        found = ae.plan(
            budget=budget, accuracy=0.5, better_if_wrong=1, better_if_right=0.5, label_accuracy=0.55
        )
        told.add((found.labels_per_item > 1, found.verdict))
    assert told <= {(False, "proved"), (True, "computed")}
    assert (False, "proved") in told


def test_tables_and_frames(found):
    rows, others = found.as_tables()
    assert rows.columns["m"][:3] == [1, 3, 5]
    assert others.columns["name"] == ["disagreements", "adaptive"]
    assert len(found.to_frame("pandas")) == 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"budget": 0}, "budget must be above 0; got 0"),
        ({"budget": "many"}, "budget must be"),
        ({"budget": 0.5}, "budget must pay at least one item"),
        ({"budget": float("nan")}, "budget must be"),
        ({"accuracy": 1.5}, "accuracy must be from 0 to 1; got 1.5"),
        ({"margin": 0}, "margin must be above 0"),
        ({"margin": 0.3}, "margin must be above 0 and leave"),
        ({"margin": None}, "must be given by margin, or by"),
        ({"better_if_wrong": 0.9}, "must be given by margin, or by"),
        ({"label_accuracy": 0.4}, "label_accuracy must be from 0.5 to 1; got 0.4"),
        ({"label_accuracy": (0.9, 0.8, 0.7)}, "one number or two"),
        ({"label_accuracy": {"better": {0.8: 1}}}, "'better' and 'worse'"),
        ({"label_accuracy": {"better": {0.8: 0.9}, "worse": {0.8: 1}}}, "sum to 1"),
        ({"item_cost": -1}, "item_cost must be from 0"),
        ({"label_cost": 0}, "label_cost must be above 0"),
        ({"gold_cost": 0}, "gold_cost must be above 0"),
        ({"disagreements": 1}, "disagreements must be True or False"),
        ({"most_labels": 0}, "most_labels must be a whole number"),
    ],
)
def test_bad_input_is_told_in_a_sentence(change, message):
    with pytest.raises(DataError, match=re.escape(message)):
        ae.plan(**GIVEN | change)


def test_a_number_of_labels_the_budget_cannot_pay(found):
    with pytest.raises(DataError, match="m must leave the budget at least one item; got 10; raise"):
        ae.plan(**GIVEN | {"budget": 9}).win_probability(10)
    with pytest.raises(DataError, match="m must be a whole number"):
        found.win_probability(0)
