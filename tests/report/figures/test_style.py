"""Nothing of a figure is cut off, whatever the names; legends and titles break where they must."""

import pytest
from matplotlib import rc_context
from matplotlib.text import Text

import algeval as ae
from algeval.report.figures import draw
from algeval.report.figures.drawing import (
    COLOURS,
    MOST_COLOURS,
    STYLE,
    colour_of,
    plain,
    show_levels,
)
from algeval.report.figures.judges import draw_by_labels

LONG = "a name of a judge that is far too long to be drawn"
SLACK = 3.0
"""Pixels by which letters may be measured too large."""


def cut_off(figure):
    """Return the texts that do not lie inside the figure; numbers beyond an axis are not drawn."""
    with rc_context(STYLE):
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        shown = [t for t in texts if any(c.isalpha() for c in t.get_text())]
        boxes = [(t, t.get_window_extent(renderer)) for t in shown]
    width, height = figure.bbox.width + SLACK, figure.bbox.height + SLACK
    return [
        t.get_text()
        for t, b in boxes
        if b.x0 < -SLACK or b.y0 < -SLACK or b.x1 > width or b.y1 > height
    ]


@pytest.mark.parametrize("n_judges", [3, 39])
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("accuracies", {"methods": ["majority", "wawa"], "intervals": 0, "ceiling": "90%"}),
        ("agreement", {"groups": None}),
        ("confusion", {"method": "majority"}),
        ("couplings", {}),
        ("disagreement", {}),
        ("bounds", {"order": 1}),
    ],
)
def test_every_name_lies_inside(kind, options, long, n_judges, make_votes):
    names = [f"{LONG} {j}" if long else f"j{j}" for j in range(n_judges)]
    votes = make_votes(n_judges, ["a", "b", "c"], n_items=40, names=names)
    assert cut_off(draw(kind, votes, **options)) == []


@pytest.mark.parametrize("whenever", [False, True])
@pytest.mark.parametrize("n_judges", [1, 3, 20])
def test_every_text_of_judges_by_labels_lies_inside(n_judges, whenever):
    rows = [(f"{LONG} {j}", 30 + j, 60, (0.4, 0.9)) for j in range(n_judges)]
    assert cut_off(draw_by_labels(rows, whenever=whenever)) == []


@pytest.mark.parametrize("labels", ["ab", "abcd"])
def test_every_name_of_squares_lies_inside(labels):
    counts = {t: 10 // len(labels) for t in labels}
    pair = ae.Summary.from_counts({"first": counts, "second": counts})
    assert cut_off(draw("correctness", pair)) == []


def test_a_cut_off_text_is_seen():
    figure = draw("thresholds", ae.Summary.from_counts({"x": {"a": 4, "b": 6}}))
    assert cut_off(figure) == []
    figure.text(0.99, 0.5, LONG)
    assert cut_off(figure) == [LONG]


def test_names_keep_what_can_be_drawn():
    assert plain("$\\frac{1}{2}$ <b>&") == "$\\frac{1}{2}$ <b>&"
    assert plain("a\tb\nc") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
    assert len(plain(LONG)) == 28
    assert plain(LONG).endswith("\N{HORIZONTAL ELLIPSIS}")


def test_sixteen_labels_have_colours_of_their_own():
    shown = [colour_of(place) for place in range(MOST_COLOURS)]
    assert len(set(shown)) == MOST_COLOURS == 2 * len(COLOURS)
    assert colour_of(99) not in shown


def test_a_tick_says_where_it_stands():
    from matplotlib import pyplot

    for low, high in ((0.8, 1.0), (0.6, 0.8), (0.0, 1.0), (0.93, 0.99), (0.41, 0.52)):
        figure, axes = pyplot.subplots(figsize=(6, 2))
        axes.set_xlim(low, high)
        show_levels(axes.xaxis)
        figure.draw_without_rendering()
        ticks = axes.xaxis.get_ticklabels()
        where = axes.get_xticks()
        said = [float(tick.get_text().rstrip("%")) / 100 for tick in ticks]
        assert said == pytest.approx(where, abs=1e-9)
        pyplot.close(figure)
