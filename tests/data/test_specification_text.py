import re
from fractions import Fraction as F
from pathlib import Path

import pytest

from algeval.data import Condition, Specification
from algeval.data.specification import FORMS, QUANTITIES, parse_specification
from algeval.errors import DataError

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "algeval" / "SKILL.md", *(ROOT / "docs").rglob("*.md")]


def shown():
    """Every standard that a page, the help or a message shows: what is in quotes or set as code."""
    texts = [FORMS, *(path.read_text(encoding="utf-8") for path in PAGES)]
    form = rf"(?:at least \d+ judges: )?(?:{'|'.join(QUANTITIES)})(?:\([^`\"]*?\))? (?:>=|>|<=|in) [^`\"']*"
    quoted = rf"'({form})'|\"({form})\"|`({form})`"
    found = {next(filter(None, m.groups())) for text in texts for m in re.finditer(quoted, text)}
    return sorted(found - {f for f in found if "..." in f or "[" in f or "\n" in f})


def test_the_forms_that_are_looked_for_are_shown():
    forms = {"accuracy(*, tie) >= 0.9", "accuracy(gpt4, tie) >= 0.9", "prevalence(tie) in 0.1..0.4"}
    assert forms | {"at least 2 judges: accuracy >= 0.7", "grade >= 0.7"} <= set(shown())


@pytest.mark.parametrize("text", shown())
def test_every_standard_shown_is_one(text):
    """Names are taken from the conditions themselves; that they exist is another matter."""
    spec = parse_specification(text)
    judges = {c.judge for c in spec.conditions} - {None} | {"i", "j"}
    labels = {c.label for c in spec.conditions} - {None} | {"x", "y"}
    assert not judges & labels
    spec.check_names(judges, labels)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("accuracy(tie) >= 0.9", "['gpt4', 'o 1']; a label stands second: write accuracy(*, tie)"),
        ("accuracy(TIE) >= 0.9", "write accuracy(*, TIE)"),
        ("grade(tie) >= 0.9", "write accuracy(*, tie)"),
        ("accuracy(tie, tie) >= 0.9", "write accuracy(*, tie)"),
        ("accuracy('no, never') >= 0.9", "write accuracy(*, 'no, never')"),
        ("accuracy(*, gpt4) >= 0.9", "['tie', 'no, never']; a judge stands first: write accuracy(gpt4)"),
        ("accuracy(*, 'o 1') >= 0.9", "write accuracy(o 1)"),
    ],
)  # fmt: skip
def test_a_label_where_a_judge_stands_is_answered_with_the_form(text, words):
    spec = parse_specification(text)
    with pytest.raises(DataError) as caught:
        spec.check_names(["gpt4", "o 1"], ["tie", "no, never"])
    assert words in str(caught.value)
    right = str(caught.value).partition("write ")[2]
    parse_specification(f"{right} >= 0.9").check_names(["gpt4", "o 1"], ["tie", "TIE", "no, never"])


def test_names_that_are_neither_are_not_taken_for_one_another():
    for text in ("accuracy(mistral) >= 0.9", "accuracy(*, draw) >= 0.9", "prevalence(gpt4) >= 0.1"):
        with pytest.raises(DataError) as caught:
            parse_specification(text).check_names(["gpt4"], ["tie"])
        assert "write" not in str(caught.value)


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
