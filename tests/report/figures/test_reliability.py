"""The reliability figure shows the bins of a score, and nothing else."""

import pytest

import algeval as ae
from algeval.aggregate import score
from algeval.report.figures import to_svg
from algeval.report.figures.judges import reliability_figure


@pytest.fixture
def scores():
    votes = ae.Votes.from_columns(
        {"i": list("aabbaabb"), "j": list("abbbaaab"), "k": list("aabbbabb")},
        key=list("aabbaaba"),
    )
    methods = "majority", "dawid-skene"
    return {m: score(ae.aggregate(votes.without_key(), m), votes) for m in methods}


def test_every_bin_is_one_mark_and_the_legend_tells_the_errors(scores):
    figure = reliability_figure(scores, title="eight items")
    (axes,) = figure.axes
    drawn = [[tuple(point) for point in marks.get_offsets()] for marks in axes.collections]
    expected = [[(b.confidence, b.accuracy) for b in told.bins] for told in scores.values()]
    assert drawn == expected
    told = [text.get_text() for text in axes.get_legend().get_texts()]
    assert told[0] == "as sure as right"
    assert told[1:] == [f"{m} ({s.calibration_error:.3f})" for m, s in scores.items()]
    assert figure.get_suptitle() == "eight items"


def test_the_grey_line_reaches_every_mark(scores):
    (axes,) = reliability_figure(scores).axes
    low, high = axes.lines[0].get_xdata()
    assert (high, low <= 0.5) == (1, True)
    values = [v for told in scores.values() for b in told.bins for v in (b.confidence, b.accuracy)]
    assert low <= min(values)


def test_the_same_scores_give_the_same_svg(scores):
    first, second = (to_svg(reliability_figure(scores)) for _ in range(2))
    assert first == second
    assert "how often right" in first


def test_no_score_is_refused():
    with pytest.raises(ae.DataError, match="at least one Score"):
        reliability_figure({})
