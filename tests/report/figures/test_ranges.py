"""The ranges drawn are those of the bounds."""

import pytest

import algeval as ae
from algeval.report.figures import draw


@pytest.fixture
def found():
    summary = ae.Summary.from_counts({"x": {"a": 4, "b": 6}, "y": {"a": 7, "b": 3}})
    return ae.bounds(summary, at_least="1/2")


def drawn(figure):
    axes = figure.axes[0]
    names = [text.get_text() for text in axes.get_yticklabels()]
    return dict(zip(names, (tuple(line.get_xdata()) for line in axes.lines), strict=True))


def test_grades_and_prevalences(found):
    told = drawn(draw("bounds", found))
    assert list(told) == ["prevalence of a", "prevalence of b", "grade of x", "grade of y"]
    assert told["grade of x"] == tuple(map(float, found.grade_of("x")))
    assert told["prevalence of a"] == tuple(map(float, found.prevalence_of("a")))


def test_accuracies_of_some_judges(found):
    told = drawn(draw("bounds", found, of="accuracy", judges=["y"]))
    assert told["accuracy of y on b"] == tuple(map(float, found.accuracy_of("y", "b")))
    assert len(told) == 4


def test_what_nothing_fits_has_no_line():
    opposite = ae.Summary.from_counts({"x": {"a": 4, "b": 0}, "y": {"a": 0, "b": 4}})
    figure = draw("bounds", opposite, at_least=1)
    assert not figure.axes[0].lines
    assert [text.get_text() for text in figure.axes[0].texts] == ["nothing"] * 4
    assert "4 have no value" in figure.get_label()


def test_refusals(found):
    with pytest.raises(ae.DataError, match="of must be one of"):
        draw("bounds", found, of="everything")
    with pytest.raises(ae.DataError, match="judge"):
        draw("bounds", found, judges=["nobody"])
