"""The script that measures growth, on the smallest panels; what the page of limits says of constants."""

import re
import sys
from pathlib import Path

import pytest

from algeval.data.names import MOST_SECONDS
from algeval.data.votes import MOST_LABELS
from algeval.io import engines, joining, tuples
from algeval.io.tables import MOST_ROWS
from algeval.logic import policy

sys.path.insert(0, str(Path(__file__).parent))
import growth

sys.path.remove(str(Path(__file__).parent))

PAGE = growth.PAGE.read_text(encoding="utf-8")


def test_exponents_are_slopes_of_logs():
    assert growth.exponent([(10, 0.1), (100, 1.0), (1000, 100.0)]) == pytest.approx(2)
    assert growth.exponent([(10, 0.1), (100, 1.0), (1000, None)]) == pytest.approx(1)
    assert growth.exponent([(10, None), (100, 1.0)]) is None
    assert growth.exponent([(10, 0.001), (100, 0.001)]) is None
    assert growth.cell([(10, 0.1), (100, 1.0), (1000, None)]) == "1.0 (1 s); refused at 1,000"
    assert growth.cell([(10, None)]) == "refused"


def test_a_question_is_measured_on_every_axis():
    sizes = {"items": (60, 120), "judges": (3, 4), "labels": (2, 3)}
    table = growth.measured(sizes, ["judge_card", "self_consistency"])
    assert {axis: [n for n, _ in runs] for axis, runs in table["judge_card"].items()} == {
        axis: list(listed) for axis, listed in sizes.items()
    }
    text = growth.tables(table, growth.estimates([(100, 4, 2)], ["aggregate"]))
    assert text.count("\n") == 7
    assert "| `aggregate` | 100 x 4 x 2 |" in text


def test_every_question_is_on_the_page():
    for name in growth.QUESTIONS:
        assert re.search(rf"^\| `?{re.escape(name)}`? \|", PAGE, re.MULTILINE), name


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("| fits without `time_limit=` | {} seconds", MOST_SECONDS),
        ("relation | {}, or", tuples._MOST_TUPLES),
        ("or {} answers", tuples._MOST_CELLS),
        ("of a frame | {} |", MOST_ROWS),
        ("of a long frame | {} |", engines.MOST_JUDGES),
        ("from counts | {} |", MOST_LABELS),
        ("counted by | {} |", engines._MOST_VALUES),
        ("program of logic | {} |", policy.MOST_UNKNOWNS),
        ("on pairs | {} gigabytes", policy.MOST_INTERIOR_GIGABYTES),
        ("written back | {} distinct", joining.MOST_TUPLES),
    ],
)
def test_the_page_says_what_is_refused(words, number):
    assert words.format(f"{int(number):,}") in PAGE


@pytest.mark.slow
def test_estimates_are_within_a_factor_of_three_where_they_decide():
    """Of work of seconds: the estimate decides whether it is begun at all."""
    rows = [row for row in growth.estimates() if max(row[4:]) > 2]
    assert rows
    for name, *size, estimate, took in rows:
        assert took / 3 < estimate < 3 * took, (name, size, estimate, took)


@pytest.mark.benchmark
@pytest.mark.parametrize("name", growth.ESTIMATED)
def test_an_estimate_is_within_a_factor_of_three_of_what_work_takes(name):
    """The less of two tries, as other programs on the machine only add to it."""
    tries = [growth.estimates(chosen=[name]) for _ in range(2)]
    for runs in zip(*tries, strict=True):
        estimated, took = runs[0][4], min(run[5] for run in runs)
        assert took / 3 <= estimated <= 3 * took, runs[0][:4]
