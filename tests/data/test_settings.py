"""One checker for settings: what it takes, what it refuses, and in which words."""

import numpy as np
import pytest

from algeval.data.names import check_choice, check_number, check_whole
from algeval.errors import DataError


@pytest.mark.parametrize("value", [3, 3.0, np.int16(3), np.float64(3.0)])
def test_whole_numbers_of_any_type_are_taken(value):
    found = check_whole("n", value)
    assert found == 3
    assert type(found) is int


@pytest.mark.parametrize("value", [0, -1, 2.5, True, "3", None, float("nan"), float("inf"), [3]])
def test_what_is_no_whole_number_of_at_least_one_is_refused(value):
    with pytest.raises(
        DataError, match=r"^n must be a whole number of at least 1; got .*; change it$"
    ):
        check_whole("n", value)


def test_a_whole_number_above_the_most_is_refused():
    assert check_whole("n", 5, 2, 5) == 5
    with pytest.raises(DataError, match="n must be a whole number from 2 to 5; got 6"):
        check_whole("n", 6, 2, 5)


@pytest.mark.parametrize(
    ("bounds", "good", "bad", "words"),
    [
        ({"least": 0}, 0, -0.1, "at least 0"),
        ({"least": 0, "strict": True}, 1e-9, 0, "above 0"),
        ({"least": 0, "most": 1}, 1, 1.5, "from 0 to 1"),
        ({"least": 0, "most": 1, "strict": True}, 0.5, 1, "between 0 and 1"),
        ({"most": 1}, -9, 2, "at most 1"),
        ({"most": 1, "strict": True}, 0, 1, "below 1"),
        ({}, 7, "7", "a finite number"),
    ],
)
def test_numbers_within_bounds(bounds, good, bad, words):
    assert check_number("x", good, **bounds) == good
    for value in (bad, float("nan"), True, None):
        with pytest.raises(DataError, match=f"^x must be {words}; got "):
            check_number("x", value, **bounds)


def test_choices_are_listed_when_refused():
    assert check_choice("rule", "a", ("a", "b")) == "a"
    with pytest.raises(DataError, match=r"rule must be one of \['a', 'b'\]; got 'c'; choose one"):
        check_choice("rule", "c", ("a", "b"))
