from fractions import Fraction as F

import pytest

from algeval.data import Condition, Specification
from algeval.data.specification import parse_specification
from algeval.errors import DataError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accuracy >= 0.6", [Condition("accuracy", ">=", F(3, 5))]),
        ("Accuracy≥60%", [Condition("accuracy", ">=", F(3, 5))]),
        ("grade(gpt4) > 1/2", [Condition("grade", ">", F(1, 2), "gpt4")]),
        (
            "prevalence(tie) in 0.1..0.4",
            [
                Condition("prevalence", ">=", F(1, 10), None, "tie"),
                Condition("prevalence", "<=", F(2, 5), None, "tie"),
            ],
        ),
        ("accuracy(gpt4, tie) <= .5", [Condition("accuracy", "<=", F(1, 2), "gpt4", "tie")]),
        ("accuracy(*, tie) > 0", [Condition("accuracy", ">", F(0), None, "tie")]),
        ("accuracy(label=tie) > 0", [Condition("accuracy", ">", F(0), None, "tie")]),
        ("accuracy('a (b), c') >= 1", [Condition("accuracy", ">=", F(1), "a (b), c")]),
        (
            "accuracy >= 0.5 and grade >= 3/4; prevalence(a) <= 1",
            [
                Condition("accuracy", ">=", F(1, 2)),
                Condition("grade", ">=", F(3, 4)),
                Condition("prevalence", "<=", F(1), None, "a"),
            ],
        ),
        (
            "prevalence(Llama-3.1) in 1..1",
            [
                Condition("prevalence", ">=", F(1), None, "Llama-3.1"),
                Condition("prevalence", "<=", F(1), None, "Llama-3.1"),
            ],
        ),
    ],
)
def test_text_means_its_conditions(text, expected):
    assert parse_specification(text) == Specification(tuple(expected))


def test_at_least_some_of_the_judges():
    for text in ("at least 2 judges accuracy >= 0.7", "At least 2 of the judges: accuracy >= 70%"):
        assert parse_specification(text) == Specification.at_least("0.7").by_at_least(2)


def test_of_reads_numbers_and_text():
    assert Specification.of("accuracy >= 0.6") == Specification.of("0.6") == Specification.of(0.6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("accuracy", "must be conditions; got 'accuracy'"),
        ("", "must be conditions"),
        ("f1 >= 0.5", "quantity must be one of"),
        ("accuracy >= 0.5 or grade > 1", "joined by 'and'; got 'or grade"),
        ("accuracy >= 0.5 and", "must be conditions"),
        ("accuracy < 0.5", "sense must be one of"),
        ("accuracy >= 60", r"must lie in \[0, 1\]; got 60"),
        ("accuracy(a, b, c) >= 1", "fewer arguments"),
        ("prevalence(a, b) >= 1", "fewer arguments"),
        ("grade(i, a) >= 1", "must not name a label"),
        ("prevalence(a) in 0.5..0.1", "must go upwards"),
        ("at least 0 judges accuracy >= 0.5", "at least 1; got 0"),
    ],
)
def test_bad_text_gets_one_sentence(text, message):
    with pytest.raises(DataError, match=message):
        parse_specification(text)
