"""Names in a file: readable, fit for the LP format, and no two the same."""

import re

import pytest

from algeval.data import Sketch, Summary
from algeval.logic.orders.base import Naming, distinct
from algeval.logic.questions.alarm import program

FIT = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (["a", "a", "a"], ["a", "a_2", "a_3"]),
        (["a", "a_2", "a"], ["a", "a_2", "a_3"]),
        (["a", "a", "a_2", "a_2"], ["a", "a_3", "a_2", "a_2_2"]),
        ([], []),
    ],
)
def test_the_first_keeps_its_name(given, wanted):
    assert distinct(given) == wanted


def names(found):
    return [v.name for v in found.variables], [c.name for c in found.constraints]


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_whatever_judges_are_called(order):
    judges = ["gpt-4 (new)", "gpt 4 new", "日本", "é", "free"]
    rows = {("yes", "no", "yes", "??", "no"): 3, ("no", "no", "yes", "yes", "yes"): 2}
    sketch = Sketch.from_counts(rows, judges=judges, labels=["yes", "no", "??"])
    for told in names(program(sketch, "1/2", order=order)):
        assert len(set(told)) == len(told)
        assert all(FIT.fullmatch(name) and len(name) <= 100 for name in told)


def test_two_judges_whose_names_run_into_each_other():
    """Judge `a` answering `b_c` and judge `a_b` answering `c` would both be a_b_c."""
    summary = Summary.from_counts({"a": {"b_c": 1, "c": 1}, "a_b": {"b_c": 1, "c": 1}})
    told, rows = names(program(summary, "1/2"))
    assert "R_a_b_c_true_c" in told
    assert "R_a_b_c_true_c_2" in told
    assert len(set(rows)) == len(rows)


def test_long_tuples_are_numbered_and_unanswered_items_are_told():
    wide = {tuple(["yes"] * 30): 2, tuple(["no"] * 30): 1}
    sketch = Sketch.from_counts(wide, labels=["yes", "no"])
    told, rows = names(program(sketch, "1/2", order="full"))
    assert told == [
        "Q_yes",
        "Q_no",
        *(f"R_tuple{u}_true_{t}" for u in (1, 2) for t in ("yes", "no")),
    ]
    assert rows[:3] == ["items", "observed_tuple1", "observed_tuple2"]
    summary = Summary(["x"], ["a", "b"], ["a", "b"], [[1, 1]], 3)
    told, rows = names(program(summary, "1/2"))
    assert "R_x_unanswered_true_a" in told
    assert "observed_x_unanswered" in rows


def test_a_grade_is_no_label():
    found = program(Summary.from_counts({"x": {"a": 2, "b": 1}}), "grade >= 0.5")
    assert found.constraints[-1].name == "asked_1_x_grade"
    assert Naming(found.source.exam).row(("label", 1)) == "simplex_true_b"
