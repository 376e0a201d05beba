"""Risks of rules against the number of judges: what is drawn is what the curve holds."""

import pytest

import algeval as ae
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.risk_curves import risk_curve
from algeval.report.figures import plot, to_svg
from algeval_papers.separation import curie_weiss_risks, factor_risks

KNOWN = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}


@pytest.fixture(scope="module")
def curve():
    return curie_weiss_risks(0.7, **KNOWN, n_judges=[10, 50, 100])


def test_lines_are_the_risks_and_dashes_the_limits(curve):
    axes = plot(curve).axes[0]
    lines = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert lines["Bayes"] == [row.bayes for row in curve.rows]
    assert lines["independence assumed"] == [row.independent for row in curve.rows]
    assert lines["threshold on |M|"] == [row.threshold for row in curve.rows]
    dashes = [line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "--"]
    assert dashes == [curve.limit.independent]  # the two others are 0, which is no line


def test_what_is_lost_is_above_bayes(curve):
    axes = plot(curve, measure="lost", scale="log").axes[0]
    assert axes.get_yscale() == "log"
    lines = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert "Bayes" not in lines
    assert lines["independence assumed"] == [row.lost for row in curve.rows]


def test_the_description_has_the_numbers(curve):
    words = plot(curve).get_label()
    assert "Independence assumed: 0.04722 at 10, 0.03773 at 100, limit 0.03747." in words
    assert "prevalence 0.7" in to_svg(plot(curve))


def test_a_curve_without_limit_and_without_threshold_has_neither():
    bare = risk_curve(
        0.5,
        lambda k: (CurieWeiss(k, 0.2), CurieWeiss(k, 0.4)),
        [3, 5],
        settings={"named": "by me", "beta0": 0.2},
    )
    figure = plot(bare)
    assert figure.get_suptitle().splitlines()[-1] == "prevalence 0.5, beta0 0.2"
    assert len(figure.axes[0].lines) == 2
    assert "limit" not in figure.get_label()
    assert len(plot(factor_risks(0.7, a=1.0, b=0.0, spread=1.0, n_judges=[2])).axes[0].lines) == 4


def test_what_does_not_fit_is_refused(curve):
    with pytest.raises(ae.DataError, match="measure must be one of"):
        plot(curve, measure="beauty")
    with pytest.raises(ae.DataError, match="scale must be one of"):
        plot(curve, scale="cubic")
    with pytest.raises(ae.DataError, match="data must be a RiskCurve"):
        ae.figures.draw("rule-risks", ae.Sketch.from_counts({"ab": 3, "ba": 2}))
