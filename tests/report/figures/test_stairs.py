"""Thresholds and panels of every order, asked within one limit of time, against single questions."""

from fractions import Fraction

import pytest

import algeval as ae
from algeval.report.figures import draw, drawing
from algeval.report.figures.drawing import Bracket, PanelSteps, panel_steps, threshold_brackets

F = Fraction


@pytest.fixture(scope="module")
def votes():
    return ae.example("mt-bench")


def test_brackets_are_the_thresholds_of_the_orders(votes):
    found = threshold_brackets(votes)
    assert [b.order for b in found] == [1, 2, "full"]
    for bracket in found[:2]:
        told = ae.threshold(votes, order=bracket.order)
        assert (bracket.lower, bracket.upper) == (told.lower, told.upper)
    # full order may stop at a bracket, which then lies within those of the lower orders
    assert found[2].lower <= found[2].upper <= found[1].upper <= found[0].upper == F(5, 8)


def test_no_bracket_contradicts_another(votes, monkeypatch):
    ends = {1: (F(1, 2), F(1)), 2: (F(0), F(3, 4)), "full": (F(3, 5), F(9, 10))}

    def told(data, *, order, **_):
        lower, upper = ends[order]
        return type("T", (), {"lower": lower, "upper": upper})

    monkeypatch.setattr(drawing, "threshold", told)
    assert threshold_brackets(votes) == (
        Bracket(1, F(3, 5), F(1)),
        Bracket(2, F(3, 5), F(3, 4)),
        Bracket("full", F(3, 5), F(3, 4)),
    )


def test_an_order_too_large_is_left_open(votes, monkeypatch):
    def refuse(data, *, order, **given):
        if order == 2:
            raise ae.TooLargeError("too large")
        return ae.logic.threshold(data, order=1, **given)

    monkeypatch.setattr(drawing, "threshold", refuse)
    monkeypatch.setattr(drawing, "panel", lambda *_, **given: refuse(None, order=2))
    assert threshold_brackets(votes)[1] == Bracket(2, F(5, 8), F(5, 8))
    assert panel_steps(votes, ["1/2"])[2] == PanelSteps("full", 3, (F(1, 2),), (0,), (3,))


def test_halving_gives_what_every_single_question_gives(votes):
    levels = [F(k, 20) for k in range(8, 21)]
    for found in panel_steps(votes, levels)[:2]:
        for k, level in enumerate(levels):
            told = ae.panel(votes, level, order=found.order)
            assert told.exact
            assert (found.fewest[k], found.most[k]) == (told.min_violators,) * 2
        assert found.left_open == ()


@pytest.mark.parametrize("truth", [(0,) * 9, (0, 0, 0, 1, 1, 2, 5, 5, 7), (3,) * 8 + (4,), (1,)])
def test_halves_ask_no_more_than_needed(truth):
    asked = []

    def ask(k, _):
        asked.append(k)
        return truth[k], truth[k]

    assert drawing._by_halves(ask, (0,) * len(truth), 7) == (truth, truth)
    assert len(asked) == len(set(asked)) <= len(truth)
    if len(truth) > 8 and len(set(truth)) < 3:
        assert len(asked) <= 5


def test_without_time_everything_stays_open_and_nothing_is_wrong(votes):
    for b in threshold_brackets(votes, time_limit=0):
        assert b.lower <= F(5, 8) <= 1 >= b.upper >= b.lower
    full = panel_steps(votes, ["0.7", 1], time_limit=0)[2]
    assert all(low <= 2 <= high for low, high in zip(full.fewest, full.most, strict=True))


def test_bars_end_where_the_brackets_do(votes):
    brackets = threshold_brackets(votes)
    axes = draw("threshold-curve", votes).axes[0]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["order 1", "order 2", "full order"]
    green, red = ([b for b in axes.patches if b.get_facecolor()[:3] == c] for c in colours())
    assert [b.get_width() for b in green] == [float(b.lower) for b in brackets]
    assert [b.get_x() for b in red] == [float(b.upper) for b in brackets]
    assert all(b.get_x() + b.get_width() == 1 for b in red)
    hatched = [b for b in axes.patches if b.get_hatch()]
    assert len(hatched) == sum(b.lower < b.upper for b in brackets)


def colours():
    from matplotlib.colors import to_rgb

    from algeval.report.figures.drawing import GREEN, PALE_RED

    return to_rgb(GREEN), to_rgb(PALE_RED)


def test_thresholds_are_drawn_as_they_are(votes, monkeypatch):
    told = [ae.threshold(votes, order=order) for order in (1, 2)]
    monkeypatch.setattr(drawing, "threshold", None)
    axes = draw("threshold-curve", told).axes[0]
    assert axes.patches[0].get_width() == 0.625
    assert len(draw("threshold-curve", told[0]).axes[0].get_yticklabels()) == 1
    with pytest.raises(ae.DataError, match="must be Threshold results"):
        draw("threshold-curve", [])
    with pytest.raises(ae.DataError, match="build one of them first"):
        draw("threshold-curve", "votes.csv")


def test_the_panel_curve_steps_as_the_panels_do(votes):
    levels = ["0.5", "0.6", "0.7", 1]
    axes = draw("panel-curve", votes, levels=levels).axes[0]
    for place, order in enumerate((1, 2)):
        line = axes.lines[2 * place]
        known = [ae.panel(votes, level, order=order).min_violators for level in levels]
        assert line.get_ydata().tolist() == [*known, known[-1]]
        assert line.get_drawstyle() == "steps-post"
    assert not axes.collections


def test_open_levels_are_bands_and_are_named():
    open_ = PanelSteps(1, 5, (F(1, 2), F(3, 4), F(1)), (0, 1, 3), (0, 4, 3))
    figure = draw("panel-curve", [open_])
    assert len(figure.axes[0].collections) == 2
    assert "1 of 3 levels not decided" in figure.legends[0].get_texts()[0].get_text()
    assert "Open at 75%" in figure.get_label()


def test_a_panel_is_one_step(votes):
    told = ae.panel(votes, "0.7", order=1)
    line = draw("panel-curve", told).axes[0].lines[0]
    assert line.get_data()[0].tolist() == [0.7, 1.0]
    assert line.get_ydata().tolist() == [told.min_violators] * 2
    mixed = ae.panel(votes, "accuracy >= 0.6 and prevalence(tie) <= 0.5")
    with pytest.raises(ae.DataError, match="must be of one level"):
        draw("panel-curve", mixed)
    with pytest.raises(ae.DataError, match="what panel_steps returned"):
        draw("panel-curve", [told])
    with pytest.raises(ae.DataError, match="at least one level"):
        draw("panel-curve", votes, levels=[])
