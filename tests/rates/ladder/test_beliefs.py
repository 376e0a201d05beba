"""What `at_least` may be, and what it is read as."""

import pytest

from algeval.data import Specification, Summary
from algeval.errors import DataError
from algeval.logic.exam import read_exam
from algeval.rates.rungs import beliefs_in

EXAM = read_exam(Summary.from_counts({"x": {"pass": 6, "fail": 4}, "y": {"pass": 5, "fail": 5}}))


def read(at_least):
    return [(one.specification.describe(), one.asked) for one in beliefs_in(EXAM, at_least)]


def test_nothing_believed_shows_the_usual_levels():
    assert read(None) == [
        ("grade of every judge >= 7/10", False),
        ("grade of every judge >= 4/5", False),
    ]


@pytest.mark.parametrize("number", [0.55, "55%", "11/20"])
def test_a_number_is_of_all_items_answered_and_shown_by_label(number):
    assert read(number) == [
        ("grade of every judge >= 11/20", True),
        ("accuracy of every judge on every label >= 11/20", False),
    ]


@pytest.mark.parametrize(
    ("at_least", "words"),
    [
        ({"x": 0.9}, "grade of judge 'x' >= 9/10"),
        ({"pass": 0.9, "fail": "60%"}, None),
        ({"x": {"pass": 0.9}}, "accuracy of judge 'x' on label 'pass' >= 9/10"),
        ("grade(x) >= 0.9", "grade of judge 'x' >= 9/10"),
        (Specification.at_least(0.7), "accuracy of every judge on every label >= 7/10"),
        (
            Specification.accuracy(">=", 0.7, label="Pass"),
            "accuracy of every judge on label 'pass' >= 7/10",
        ),
    ],
)
def test_names_and_conditions(at_least, words):
    words = words or (
        "accuracy of every judge on label 'pass' >= 9/10, and accuracy of every judge on label "
        "'fail' >= 3/5"
    )
    assert read(at_least) == [(words, True)]


@pytest.mark.parametrize(
    ("at_least", "told"),
    [
        ({"z": 0.9}, "'z'"),
        ({}, "empty"),
        (70, "70 percent"),
        (-0.1, "0 to 1"),
        (Specification.grade(">=", 0.7).by_at_least(1), "every judge named"),
        ({"x": {"perhaps": 0.9}}, "perhaps"),
    ],
)
def test_what_is_refused(at_least, told):
    with pytest.raises(DataError, match=told):
        beliefs_in(EXAM, at_least)


def test_a_name_of_a_judge_and_a_label_is_refused():
    exam = read_exam(Summary.from_counts({"pass": {"pass": 6, "fail": 4}}))
    with pytest.raises(DataError, match="a name of both"):
        beliefs_in(exam, {"pass": 0.7})
