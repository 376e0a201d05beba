from fractions import Fraction

import pytest

from algeval.result.files import check_ending, either
from algeval.result.numbers import (
    cut_short,
    did_you_mean,
    how_many,
    level_text,
    percent_up,
    rounded,
    same,
    short_list,
)
from algeval.result.tables import free_name


@pytest.mark.parametrize(
    ("n", "told"), [(0, "0 judges"), (1, "1 judge"), (2, "2 judges"), (11, "11 judges")]
)
def test_one_thing_is_singular(n, told):
    assert how_many(n, "judge") == told


def test_a_plural_of_its_own():
    assert [how_many(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]


def test_a_near_name_is_asked_about_whatever_its_case():
    known = ["majority", "dawid-skene"]
    assert did_you_mean("Majorty", known) == "did you mean 'majority'?"
    assert did_you_mean("dawidskene", known) == "did you mean 'dawid-skene'?"
    assert did_you_mean("zzz", known) == "choose one"
    assert did_you_mean("zzz", known, "") == ""


def test_choices_need_not_be_text():
    assert did_you_mean(10, [1, 100]) == "did you mean 100?"


def test_long_texts_are_cut_and_long_lists_say_how_many():
    assert cut_short("a long story", 8) == "a lon..."
    assert short_list(["a", "b"]) == "['a', 'b']"
    assert short_list(["yes", "no", "tie"], most=12) == "['yes', ... 3 in all]"


def test_levels_and_shares_are_never_rounded_the_wrong_way():
    assert [level_text(level) for level in (0.95, 0.999, 1 - 0.95)] == ["95%", "99.9%", "5%"]
    assert [percent_up(Fraction(1, n)) for n in (3, 2)] == ["33.4%", "50.0%"]
    assert [rounded(Fraction(1, 8), 2), rounded(0.125, 2), rounded(0.165, 0, 100)] == [
        "0.12",
        "0.12",
        "16",
    ]
    assert rounded(-1e-9) == "0.0"


def test_values_are_the_same_with_nan_and_whatever_kind_of_list_holds_them():
    assert same({"x": (1, float("nan"))}, {"x": [1, float("nan")]})
    assert not same({"x": (1, 2)}, {"x": 1})
    assert not same([1], {"x": 1})


def test_endings_and_free_names():
    assert either([".csv", ".md", ".json"]) == ".csv, .md or .json"
    assert check_ending("fit.CSV", [".csv", ".json"]) == ".csv"
    assert free_name("item", ["gpt4", "item"]) == "item_"
