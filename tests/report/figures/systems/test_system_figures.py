"""Figures of systems: what is drawn is what the result holds, and the description says the numbers."""

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import norm

import algeval as ae
from algeval.data import Votes
from algeval.errors import DataError
from algeval.report.figures import draw, to_svg


def votes_of(n_items=80, seed=0, accuracy=0.85):
    """Four independent judges; 70% of the key is "pass"."""
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.7).astype(np.int16)
    right = rng.random((n_items, 4)) < accuracy
    codes = np.where(right, key[:, None], 1 - key[:, None]).astype(np.int16)
    names = ["fail", "pass"]
    return Votes([f"q{k}" for k in range(n_items)], list("wxyz"), names, names, codes, key)


def gold_of(votes, n):
    return {item: votes.labels[votes.key[k]] for k, item in enumerate(votes.items[:n])}


def intervals(axes):
    """Return {name of a row: (low, high)} of the lines drawn level with it."""
    names = [text.get_text() for text in axes.get_yticklabels()]
    found = {}
    for line in axes.lines:
        x, y = (np.asarray(v, float) for v in (line.get_xdata(), line.get_ydata()))
        if len(x) == 2 and y[0] == y[1] and line.get_marker() in ("None", ""):
            found[names[int(y[0])]] = tuple(x)
    return names, found


@pytest.fixture(scope="module")
def found():
    votes = votes_of()
    return ae.rate(votes.without_key(), "pass", gold_of(votes, 40), at_least=0.6, time_limit=2)


def test_each_row_of_a_rate_is_drawn_from_its_low_to_its_high(found):
    (axes,) = found.plot().axes
    names, drawn = intervals(axes)
    for row in found.table:
        if row.low is None or row.name not in names:
            continue
        assert drawn[row.name] == pytest.approx((float(row.low), float(row.high))), row.name
    assert names[0] == "raw judge votes"
    assert names[-1] == "labels + judges"
    assert sum(ends == (0, 1) for ends in drawn.values()) == 1, "all is open is said once"
    (level,) = [line for line in axes.lines if line.get_label() == "compared with 50.0%"]
    assert set(level.get_xdata()) == {0.5}


def test_the_raw_votes_are_a_mark_for_each_judge(found):
    (axes,) = found.plot().axes
    (marks,) = [line for line in axes.lines if line.get_marker() == "|"]
    shares = [said["votes_for_it"] for said in found.judged.values()]
    assert sorted(marks.get_xdata()) == sorted(shares)


def test_the_answer_is_another_colour_and_is_told_in_words(found):
    (axes,) = found.plot().axes
    colours = {
        line.get_marker(): line.get_color() for line in axes.lines if line.get_marker() in "oD"
    }
    assert colours["D"] != colours["o"]
    words = found.plot().get_label()
    assert f"it is {100 * found.rate:.1f}%, 95% interval" in words


def test_what_labels_refute_and_what_is_impossible_is_told():
    rng = np.random.default_rng(1)
    key = (rng.random(400) < 0.5).astype(np.int16)
    fooled = (key == 0) & (rng.random(400) < 0.6)
    own = rng.random((400, 3)) < 0.9
    codes = np.where(own, key[:, None], 1 - key[:, None]) | fooled[:, None]
    names = ["no", "yes"]
    votes = Votes(range(400), list("xyz"), names, names, codes.astype(np.int16), key)
    loud = ae.rate(votes.without_key(), "yes", gold_of(votes, 100), at_least=0.99, time_limit=2)
    assert loud.row("independent errors").refuted
    figure = loud.plot()
    refuted = figure.get_label().split("Refuted by the labels: ")[1].split(". ")[0]
    assert "independent errors" in refuted.split(", ")
    assert "Impossible with these votes: every judge right on at least 99%" in figure.get_label()
    assert "impossible" in [text.get_text() for text in figure.axes[0].texts]
    assert "refuted by the labels" in to_svg(figure, page=True)


def test_a_rate_is_drawn_of_votes_with_a_label():
    figure = draw("rate", votes_of(30), label="pass")
    assert "30 items, 4 judges, no label" in figure.get_suptitle()
    assert "30 items, 4 judges, no label" in draw("rate", votes_of(30)).get_suptitle()
    with pytest.raises(DataError, match="good must name the label"):
        draw("rate", Votes.from_columns({"x": list("abb"), "y": list("aab"), "z": list("bab")}))
    with pytest.raises(DataError, match="must be of a RateResult, or of Votes with a label"):
        draw("rate", ae.example("mt-bench-summary"), label="a")


@pytest.fixture(scope="module")
def systems():
    a, b = votes_of(200, seed=1), votes_of(200, seed=2)
    blind = a.without_key(), b.without_key()
    return {
        "labelled": ae.compare_systems(
            *blind, label="pass", gold_a=gold_of(a, 100), gold_b=gold_of(b, 100)
        ),
        "blind": ae.compare_systems(*blind, label="pass"),
    }


def test_with_labels_a_difference_has_three_rows_and_an_answer(systems):
    found = systems["labelled"]
    figure = found.plot()
    (axes,) = figure.axes
    names, drawn = intervals(axes)
    assert names == ["judges only", "labels only", "labels + judges"]
    assert drawn["labels + judges"] == (found.low, found.high)
    assert found.verdict in figure.get_suptitle()
    assert "the answer" in to_svg(figure)


def test_without_labels_there_is_no_answer(systems):
    figure = systems["blind"].plot()
    names, drawn = intervals(figure.axes[0])
    assert names[:2] == ["judges only", "votes alone"]
    assert "judges only" not in drawn, "judges have no error bar"
    assert "the answer" not in to_svg(figure)
    assert "NOT DETERMINED" in figure.get_suptitle()


def battles(seed=0):
    rng = np.random.default_rng(seed)
    strength = {"p": 1.5, "q": 1.0, "r": -1.5}
    rows = []
    for prompt in range(40):
        for one, other in (("p", "q"), ("p", "r"), ("q", "r")):
            wins = rng.random() < 1 / (1 + np.exp(strength[other] - strength[one]))
            rows.append((prompt, one, other, one if wins else other))
    columns = zip(*rows, strict=True)
    return dict(zip(("prompt", "model_a", "model_b", "winner"), map(list, columns), strict=True))


@pytest.mark.parametrize("scale", ["elo", "natural"])
def test_ratings_and_ranks_are_those_of_the_leaderboard(scale):
    board = ae.leaderboard(battles())
    left, right = board.plot(scale=scale).axes
    names, drawn = intervals(left)
    assert names == list(board.systems)
    for row, bar in zip(board.table, right.patches, strict=True):
        ends = (row.elo_low, row.elo_high) if scale == "elo" else (row.low, row.high)
        assert drawn[row.system] == pytest.approx(ends)
        ranks = np.round([bar.get_x(), bar.get_x() + bar.get_width()]).tolist()
        assert ranks == [row.best_rank, row.worst_rank]
    assert right.xaxis_inverted()


def test_only_so_many_systems_are_drawn():
    figure = ae.leaderboard(battles()).plot(most=2)
    assert "the first 2 of 3 systems" in figure.get_suptitle()
    assert len(figure.axes[1].patches) == 2
    with pytest.raises(DataError, match="most must be"):
        ae.leaderboard(battles()).plot(most=0)


def test_a_system_that_always_wins_has_an_interval_to_the_frame():
    board = ae.leaderboard({"model_a": ["p"] * 8, "model_b": ["q"] * 8, "winner": ["p"] * 8})
    assert any(not np.isfinite(row.high) for row in board.table)
    left = board.plot().axes[0]
    drawn = [x for line in left.lines for x in np.asarray(line.get_xdata(), float)]
    assert not {inf, -inf, nan} & set(drawn)
    assert "groups on scales of their own" in board.plot().get_label()


def test_curves_of_labels_cross_the_line_at_the_numbers_of_the_plan():
    plan = ae.plan(half_width=0.04, rate=0.7, rho2=0.5, items=3000)
    (axes,) = plan.plot().axes
    curves = {line.get_label(): line for line in axes.lines}
    alone, helped = plan.table
    for name, way in (("labels only", alone), ("labels and judges, rho2 = 0.50", helped)):
        crossing = np.interp(-0.04, -curves[name].get_ydata(), curves[name].get_xdata())
        assert crossing == pytest.approx(way.labels, abs=2)
    n = 400  # by hand: z sqrt(p q (1/n - 1/N)), and a half row farther out on either side
    by_hand = norm.ppf(0.975) * np.sqrt(0.21 * (1 / n - 1 / 3000)) + (1 / n - 1 / 3000) / 2
    curve = curves["labels only"]
    assert np.interp(n, curve.get_xdata(), curve.get_ydata()) == pytest.approx(by_hand, rel=5e-3)


def test_of_a_population_no_number_of_labels_goes_below_what_the_items_allow():
    plan = ae.plan(half_width=0.05, rate=0.5, items=200, target="population", rho2=0.5)
    assert not plan.feasible
    figure = plan.plot()
    assert "No number of labels on these items does." in figure.get_label()
    lowest = min(figure.axes[0].lines[1].get_ydata())
    by_hand = (
        norm.ppf(0.975) * np.sqrt(0.25 / 200) + 1 / 400
    )  # a half row farther out on either side
    assert lowest == pytest.approx(by_hand, rel=0.02)


def test_a_pilot_makes_a_band_and_a_margin_its_own_line():
    votes = votes_of(200)
    plan = ae.plan(
        half_width=0.05, pilot=votes.without_key(), gold=gold_of(votes, 60), label="pass"
    )
    assert len(plan.plot().axes[0].collections) == 1
    margin = ae.plan(margin=0.05, discordance=0.2, rho2=0.3)
    assert "a difference of 0.05" in margin.plot().get_suptitle()
    z, power = norm.ppf([0.975, 0.8])
    assert f"{0.05 * z / (z + power):.3g} is asked for" in margin.plot().get_label()


def test_a_stream_is_replayed_and_not_changed():
    stream = ae.LabelStream()
    labels = [1] * 20
    figure = draw("label-stream", stream, labels=labels)
    assert stream.n == 0
    replay = ae.LabelStream()
    stop = next(k for k, label in enumerate(labels, 1) if replay.add(label))
    lines = {line.get_label() for line in figure.axes[0].lines}
    assert f"stop at {stop}" in lines
    for label in labels[stop:]:
        replay.add(label)
    assert f"at the end {100 * replay.low:.1f}% to {100 * replay.high:.1f}%" in figure.get_label()


def test_a_stream_with_judges_takes_pairs_and_one_without_labels_says_nothing_yet():
    stream = ae.LabelStream(fbar=0.6)
    figure = draw("label-stream", stream, labels=[(1, 0.8), (0, 0.2), (1, 1.0)])
    assert "helped by the judges" in figure.get_suptitle()
    assert "does not say stop" in figure.get_label()
    assert "after each of 0 labels" in draw("label-stream", ae.LabelStream()).get_label()


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("difference", "a SystemComparison"),
        ("leaderboard", "a Leaderboard"),
        ("label-plan", "a LabelPlan"),
        ("label-stream", "a LabelStream"),
    ],
)
def test_votes_are_refused_with_what_is_wanted(kind, wanted):
    with pytest.raises(DataError, match=f"must be of {wanted}; got Votes"):
        draw(kind, votes_of(10))
