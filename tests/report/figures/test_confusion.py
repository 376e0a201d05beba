"""Confusion tables as drawn against those counted by hand; no judge is dropped in silence."""

import numpy as np
import pytest

import algeval as ae
from algeval.report.figures import draw


def tables(figure):
    return {
        axes.get_title(): np.asarray(axes.images[0].get_array()).tolist()
        for axes in figure.axes
        if axes.get_visible() and axes.get_title()
    }


def test_tables_by_hand(four):
    blind = four.without_key()
    told = tables(draw("confusion", blind, method="majority"))
    assert told == {"x": [[1, 0], [0, 1]], "y": [[1, 0], [0, 1]], "z": [[0.5, 0.5], [0.5, 0.5]]}
    fit = ae.aggregate(blind, "majority")
    assert tables(draw("confusion", fit, judges=["z", "x"])) == {k: told[k] for k in "zx"}
    compared = ae.compare(four, ["majority"], intervals=0)
    assert tables(draw("confusion", compared, method="majority")) == told


def test_an_evaluation_is_drawn_as_it_is(four):
    counted = four.keyed_sketch().evaluation()
    assert tables(draw("confusion", counted))["z"] == [[1, 0], [0, 1]]


def test_more_judges_than_fit_are_on_further_pages_and_counted(make_votes):
    votes = make_votes(60, ["a", "b"]).without_key()
    fit = ae.aggregate(votes, "majority")
    seen = []
    for page, n in ((1, 24), (2, 24), (3, 12)):
        figure = draw("confusion", fit, page=page)
        assert f"{60 - n} judges not shown: pages 1 to 3, this is {page}" in figure.get_suptitle()
        assert f"{60 - n} judges not shown" in figure.get_label()
        seen += tables(figure)
    assert seen == list(fit.judges)
    with pytest.raises(ae.DataError, match="page must"):
        draw("confusion", fit, page=4)


def test_ten_labels_have_colours_and_few_have_numbers(make_votes):
    few, many = (make_votes(3, [str(k) for k in range(n)]) for n in (2, 10))
    assert len(draw("confusion", few, method="majority").axes[0].texts) == 4
    assert len(draw("confusion", many, method="majority").axes[0].texts) == 0


def test_an_unknown_judge_is_refused(four):
    with pytest.raises(ae.DataError, match="judge"):
        draw("confusion", four, judges=["nobody"])
