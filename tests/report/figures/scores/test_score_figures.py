"""What judges share, drawn: the numbers in the figure are those of the result."""

import numpy as np
import pytest
from scipy.stats import rankdata

import algeval as ae
from algeval.data import Scores
from algeval.errors import DataError
from algeval.report.figures import draw, to_svg

LOADINGS = np.array([[0.8, 0], [0.8, 0], [0.7, 0], [0.7, 0], [0.3, 0.7], [0.2, 0.8]])


def scores(n_items=300, n_judges=6):
    rng = np.random.default_rng(2)
    shared = rng.normal(size=(n_items, 2))
    values = shared @ LOADINGS[:n_judges].T + 0.5 * rng.normal(size=(n_items, n_judges))
    known = {"length": shared[:, 1].tolist(), "luck": rng.normal(size=n_items).tolist()}
    return Scores(range(n_items), [f"j{k}" for k in range(n_judges)], values, None, known)


@pytest.fixture(scope="module")
def found():
    return ae.confounders(scores())


def test_loadings_are_in_their_squares_in_order(found):
    left, right = draw("loadings", found).axes
    order = np.argsort(-found.loading)
    table = np.column_stack([found.loading, found.turned])[order]
    np.testing.assert_array_equal(left.images[0].get_array(), table)
    np.testing.assert_array_equal(right.images[0].get_array()[:, 0], found.noise[order])
    assert [t.get_text() for t in left.get_yticklabels()] == [f"j{k}" for k in order]
    assert left.texts[0].get_text() == f"{table[0, 0]:+.2f}"
    told = draw("loadings", found, most=4).get_label()
    assert "A table of 4 judges by one factor, factor 1, factor 2" in told
    assert "2 more judges are not shown" in told


def test_loadings_of_a_consensus():
    turned = ae.aggregate(scores(), "factor", rotate="varimax")
    figure = turned.plot("loadings")
    assert [t.get_text() for t in figure.axes[0].get_xticklabels()] == ["consensus", "factor 2"]
    refused = ae.aggregate(scores(n_judges=2), "factor")
    with pytest.raises(DataError, match="must hold loadings"):
        refused.plot("loadings")


def test_attributes_stand_where_they_correlate(found):
    panels = draw("attributes", found).axes
    assert [axes.get_title() for axes in panels] == ["one factor", "factor 1", "factor 2"]
    assert [t.get_text() for t in panels[0].get_yticklabels()] == ["length", "luck"]
    for axes, name in zip(panels, ("one factor", "factor 1", "factor 2"), strict=True):
        by_name = {one.attribute: one for one in found.of(name)}
        for place, attribute in enumerate(("length", "luck")):
            point, _, (bar,) = axes.containers[place].lines
            assert point.get_xydata()[0].tolist() == [by_name[attribute].correlation, place]
            (low, _), (high, _) = bar.get_segments()[0]
            assert high - low == pytest.approx(4 * by_name[attribute].error)
    assert "factor 2 goes most with length" in draw("attributes", found).get_label()


@pytest.mark.parametrize("method", ["varimax", "length", "average", "median"])
def test_every_item_stands_at_its_ranks_and_those_that_flip_are_marked(found, method):
    figure = draw("shift", found, method=method)
    keep, up, down = figure.axes[0].collections
    place = 1 + ["varimax", "length", "average", "median"].index(method)
    was, now = found.decisions[:, 0], found.decisions[:, place]
    for marks, rows in ((keep, was == now), (up, now > was), (down, now < was)):
        drawn = np.asarray(marks.get_offsets())
        ranks = [(rankdata(found.traits[:, k])[rows] - 0.5) / 300 for k in (0, place)]
        np.testing.assert_allclose(drawn, np.stack(ranks, axis=1))
    assert len(up.get_offsets()) + len(down.get_offsets()) == round(
        300 * found.alternatives[place - 1].flipped
    )
    assert found.alternatives[place - 1].asserts in figure.get_label()


def test_figures_have_a_title_and_a_description_and_many_items_stay_small():
    many = scores(4000)
    for kind in ("loadings", "attributes", "shift"):
        text = to_svg(draw(kind, many))
        assert "<title" in text
        assert "<desc" in text
        assert len(text) < 150_000


def test_refusals(found):
    with pytest.raises(DataError, match="method must be one of"):
        draw("shift", found, method="varimx")
    with pytest.raises(DataError, match="attributes must have been given"):
        draw("attributes", Scores(range(300), found.judges, scores().values))
    with pytest.raises(DataError, match="must settle what judges share"):
        draw("loadings", scores(n_judges=2))
    with pytest.raises(DataError, match="got Votes"):
        draw("shift", scores().cut(0))
