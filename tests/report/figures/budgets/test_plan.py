"""The figure of a plan: its rows as points, its other ways as lines, its best row ringed and said."""

import json

import pytest

import algeval as ae
from algeval.budgets import Plan
from algeval.errors import DataError
from algeval.report.figures import draw, to_svg

GIVEN = {"budget": 1500, "accuracy": 0.8, "margin": 0.01, "label_accuracy": 0.8}


@pytest.fixture(scope="module")
def found():
    return ae.plan(**GIVEN, gold_cost=3)


def lines(figure):
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines}


def test_the_curve_goes_through_the_chances_of_figure_1_of_the_paper(found):
    curve = lines(found.plot())["majority of m labels"]
    drawn = dict(zip(curve.get_xdata(), curve.get_ydata(), strict=True))
    assert {m: round(drawn[m], 5) for m in (1, 3, 5, 15)} == {
        1: 0.65237,
        3: 0.60882,
        5: 0.58780,
        15: 0.53499,
    }
    assert len(drawn) == 50


def test_the_best_number_is_ringed_and_each_other_way_is_a_line_across(found):
    drawn = lines(found.plot())
    assert list(drawn) == [
        "majority of m labels",
        "1 label on 1,500 items where the classifiers differ: 76.3%",
        "two labels, a third where these differ: 62.7%",
        "one gold label on 500 items: 64.0%",
        "best: 1 label on 1,500 items, 65.2%",
    ]
    ring = drawn["best: 1 label on 1,500 items, 65.2%"]
    assert (list(ring.get_xdata()), list(ring.get_ydata())) == ([1], [found.win])
    across = drawn["1 label on 1,500 items where the classifiers differ: 76.3%"]
    assert across.get_ydata()[0] == pytest.approx(0.76252, abs=5e-6)


def test_the_ring_is_where_three_labels_are_best():
    found = ae.plan(**GIVEN, item_cost=3)
    ring = lines(found.plot())["best: 3 labels on 250 items, 56.6%"]
    assert list(ring.get_xdata()) == [3]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({}, "With 99 labels on 15 items it is 43.5%."),
        ({"budget": 3}, "With 3 labels on 1 item it is 16.1%."),
        ({"most_labels": 1}, "Best: 1 label on 1,500 items, 65.2%; proved. 1 label on"),
        ({"disagreements": True}, "Best: 1 label on 1,500 items, 76.3%; computed."),
    ],
)
def test_the_description_says_the_main_numbers(change, sentence):
    figure = ae.plan(**GIVEN | change).plot()
    assert sentence in figure.get_label()
    where = "where the classifiers differ, for a budget" in figure.get_suptitle()
    assert where == ("disagreements" in change)


def test_on_a_page_it_takes_the_colours_of_the_page(found):
    text = to_svg(found.plot(), page=True)
    assert text.count("<title") == text.count("<desc") == 1
    assert "currentColor" in text
    assert "fill: #ffffff" not in text.replace("fill: #ffffff; opacity: 0", "")


def test_a_plan_read_back_has_the_same_figure(found):
    again = Plan.from_dict(json.loads(json.dumps(found.to_dict())))
    assert to_svg(again.plot()) == to_svg(found.plot())


def test_votes_are_no_plan():
    with pytest.raises(
        DataError, match=r"must be of a Plan; got Votes; pass what ae\.plan returns"
    ):
        draw("plan", ae.example("mt-bench"))
