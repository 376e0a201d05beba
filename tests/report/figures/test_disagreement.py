"""Items in order of disagreement, against entropies worked by hand."""

from math import log2

import pytest

import algeval as ae
from algeval.report.figures import draw

THIRDS = -(log2(1 / 3) + 2 * log2(2 / 3)) / 3


@pytest.fixture
def votes():
    """Items: one unanimous, one split 2 to 1, one split three ways, one with a single vote."""
    columns = {"x": ["a", "a", "a", "a"], "y": ["a", "a", "b", None], "z": ["a", "b", "c", None]}
    return ae.Votes.from_columns(columns, items=["same", "split", "all", "alone"])


def test_the_curve_falls_as_worked_by_hand(votes):
    figure = draw("disagreement", votes)
    values, edges, _ = figure.axes[0].patches[0].get_data()
    assert values.tolist() == pytest.approx([log2(3), THIRDS, 0])
    assert edges.tolist() == [0, 1, 2, 3]
    told = figure.get_label()
    assert "split on 2 of 4 (50.0%)" in told
    assert f"{(log2(3) + THIRDS) / 3:.2f} bits" in told
    assert "1 items with fewer than two votes are left out." in told


def test_the_most_disputed_items_are_named_with_their_votes(votes):
    axes = draw("disagreement", votes).axes[1]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["all", "split"]
    widths = [[round(b.get_width(), 9) for b in group] for group in axes.containers]
    third = round(1 / 3, 9)
    # a, b, c of the three-way item, then of the one split two to one
    assert widths == [[third, round(2 / 3, 9)], [third, third], [third, 0]]
    assert len(draw("disagreement", votes, most=1).axes[1].get_yticklabels()) == 1


def test_counts_name_their_decision_tuples(votes):
    axes = draw("disagreement", ae.Sketch.from_counts({"aab": 3, "aba": 5, "aaa": 9})).axes
    names = [text.get_text() for text in axes[1].get_yticklabels()]
    assert names == ["a b a (5 items)", "a a b (3 items)"]
    values, edges, _ = axes[0].patches[0].get_data()
    assert (values.tolist(), edges.tolist()) == (pytest.approx([THIRDS, 0]), [0, 8, 17])


def test_counts_on_which_majority_and_model_differ_are_starred():
    sketch = ae.Sketch.from_counts({"aabb": 1, "aaab": 6, "aaaa": 40, "bbbb": 40, "bbba": 5})
    lone = ae.aggregate(sketch.marginal(["4"]), "majority")
    figure = draw("disagreement", sketch, result=lone)
    names = {text.get_text() for text in figure.axes[1].get_yticklabels()}
    # the fourth judge stands against three on 6 + 5 items; two against two is no majority
    assert names == {"* a a a b (6 items)", "* b b b a (5 items)", "a a b b"}
    assert "differ on 11 of 92" in figure.get_label()


def test_votes_of_a_model_that_differs_are_starred_by_item():
    columns = {"x": list("aaab"), "y": list("aabb"), "z": list("abab")}
    votes = ae.Votes.from_columns(columns)
    lone = ae.aggregate(votes.select(judges=["z"]), "majority")
    names = [
        t.get_text() for t in draw("disagreement", votes, result=lone).axes[1].get_yticklabels()
    ]
    # of the two split items the majority says a on both, z says b on the first and a on the other
    assert sorted(names) == ["* 2", "3"]


def test_refusals(four):
    with pytest.raises(ae.DataError, match="got Summary"):
        draw("disagreement", four.summary())
    with pytest.raises(ae.DataError, match="most must"):
        draw("disagreement", four, most=0)
