import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.errors import DataError
from algeval.result import Quadratic, exact, format_exact, from_json_number, percent, to_json
from algeval.result.numbers import signed

SETTINGS = settings(derandomize=True, deadline=None, max_examples=100)
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=50)


@pytest.mark.parametrize(
    "value", [0.6, "0.6", "60%", "3/5", Fraction(3, 5), Decimal("0.6"), np.float64(0.6)]
)
def test_a_number_means_what_was_written(value):
    assert exact(value) == Fraction(3, 5)


def test_whole_numbers_of_any_kind():
    assert exact(np.int64(1)) == 1
    assert exact(1) == exact("1") == exact("100%") == 1


@pytest.mark.parametrize("value", ["", "x", "1/0", "nan", "inf", None, True, [1], float("inf")])
def test_not_a_number_gets_one_sentence(value):
    with pytest.raises(DataError, match="must be a"):
        exact(value)


@SETTINGS
@given(fractions, fractions, fractions, fractions, st.sampled_from([2, 3, 12, 50, 3190087950361]))
def test_field_laws_and_order_agree_with_floats(a, b, c, e, d):
    x, y = Quadratic.make(a, b, d), Quadratic.make(c, e, d)
    fx, fy = float(a) + float(b) * math.sqrt(d), float(c) + float(e) * math.sqrt(d)
    assert float(x + y) == pytest.approx(fx + fy, abs=1e-8, rel=1e-12)
    assert float(x * y) == pytest.approx(fx * fy, abs=1e-6, rel=1e-9)
    assert (x - y) + y == x
    if y != 0:
        assert (x / y) * y == x
        assert (1 / y) * y == 1
    if abs(fx - fy) > 1e-6:
        assert (x < y) == (fx < fy)
    assert (x == y) == (a == c and b == e)


def test_rational_results_become_fractions():
    x = Quadratic.make(1, 1, 2)
    assert isinstance(x - Quadratic.make(0, 1, 2), Fraction)
    assert isinstance(x * x.conjugate(), Fraction)
    assert x * x.conjugate() == -1
    assert Quadratic.make(1, 2, 9) == 7


def test_two_square_roots_in_one_field():
    assert Quadratic.make(0, 1, 8) == Quadratic.make(0, 2, 2)
    assert hash(Quadratic.make(0, 1, 8)) == hash(Quadratic.make(0, 2, 2))
    assert Quadratic.make(0, 1, 2) != Quadratic.make(0, 1, 3)
    with pytest.raises(DataError, match="share one square root"):
        Quadratic.make(0, 1, 2) + Quadratic.make(0, 1, 3)
    with pytest.raises(DataError, match="complex"):
        Quadratic.make(0, 1, -2)


def test_floats_stay_sharp_when_parts_cancel():
    big = Quadratic.make(-665857, 470832, 2)
    assert float(big) == pytest.approx(-1 / (665857 + 470832 * math.sqrt(2)), rel=1e-12)


@SETTINGS
@given(fractions, fractions)
def test_json_round_trip(a, b):
    for value in (a, Quadratic.make(a, b, 7), 0.25, None, math.inf, -math.inf):
        assert from_json_number(to_json(value)) == value


def test_words():
    assert format_exact(Fraction(2, 3)) == "66.7% (2/3)"
    assert format_exact(0.5) == "50.0%"
    assert percent(Fraction(1, 8), 2) == "12.50%"
    assert str(Quadratic.make(Fraction(1, 2), -1, 3)) == "1/2 - 1*sqrt(3)"


def test_what_is_infinite_is_text_for_json_has_no_number_of_it():
    assert to_json([math.inf, -math.inf, math.nan, np.float64(math.inf)]) == [
        "inf",
        "-inf",
        None,
        "inf",
    ]
    assert to_json(np.array([1.5, math.inf])) == [1.5, "inf"]


def test_what_json_cannot_hold_is_said():
    with pytest.raises(TypeError, match="cannot write object as JSON"):
        to_json(object())


@pytest.mark.parametrize("text", ["1e-9999999", "1e99999", "1E+1001", "1e-1_001", "1e-9999999%"])
def test_a_power_of_ten_that_would_fill_the_memory_is_refused(text):
    with pytest.raises(DataError, match="an exponent from -1000 to 1000"):
        exact(text)


def test_decimals_are_bounded_like_texts():
    with pytest.raises(DataError, match="an exponent from -1000 to 1000"):
        exact(Decimal("1e-9999999"))
    with pytest.raises(DataError, match=r"at most 1000 digits; got '0\.3333333333"):
        exact("0." + "3" * 5000)


def test_numbers_at_the_bound_are_exact():
    assert exact("1e-1000") == Fraction(1, 10**1000)
    assert exact("25e-2") == exact("2.5E-1") == Fraction(1, 4)
    assert exact("0." + "3" * 998) == Fraction(int("3" * 998), 10**998)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 0, "0"),
        (-0.4, 0, "0"),
        (0.4, 0, "0"),
        (-0.0, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (12.3, 0, "+12"),
        (-0.6, 0, "-1"),
        (0.05001, 1, "+0.1"),
        (float("nan"), 0, "+nan"),
    ],
)
def test_a_zero_has_no_sign(value, digits, text):
    assert signed(value, digits) == text
