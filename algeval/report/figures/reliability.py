"""How sure and how often right, as a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from algeval.aggregate.checks.scoring import Score
from algeval.errors import DataError
from algeval.report.figures.style import COLOURS, GREY, MARKERS, STYLE, new_figure, show_levels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["reliability_figure"]

_LARGEST = 12.0


def reliability_figure(scores: Mapping[str, Score], *, title: str = "") -> Figure:
    """Draw how often the top label is right against how sure the method was of it.

    Use it on what `algeval.aggregate.score` returns, for one method or several. A method whose
    probabilities mean what they say lies on the grey line; below it, it is too sure, above it too
    modest. Each mark is one bin; its area grows with the items in it.

    Parameters
    ----------
    scores : mapping from name to Score
    title : str

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot; `algeval.report.figures.to_svg` makes text of it.

    Raises
    ------
    DataError
        If no score is given.
    """
    from matplotlib import rc_context

    if not scores:
        raise DataError("scores must hold at least one Score; got none; call score() on a result")
    with rc_context(STYLE):
        figure = new_figure(4.6, 4.2, title)
        axes = figure.add_subplot()
        points = [(b.confidence, b.accuracy) for told in scores.values() for b in told.bins]
        least = min(0.5, *(value for point in points for value in point))
        axes.plot([least, 1], [least, 1], color=GREY, linewidth=1, label="as sure as right")
        for place, (name, told) in enumerate(scores.items()):
            colour = COLOURS[place % len(COLOURS)]
            sure, right = [b.confidence for b in told.bins], [b.accuracy for b in told.bins]
            area = [_LARGEST**2 * b.n_items / told.n_scored for b in told.bins]
            axes.plot(sure, right, color=colour, linewidth=1)
            axes.scatter(
                sure,
                right,
                s=[max(12.0, size) for size in area],
                color=colour,
                marker=MARKERS[place % len(MARKERS)],
                label=f"{name} ({told.calibration_error:.3f})",
            )
        axes.set_xlabel("how sure: mean probability of the top label")
        axes.set_ylabel("how often right")
        show_levels(axes.xaxis)
        show_levels(axes.yaxis)
        axes.legend(title="calibration error", markerscale=0.8)
    return figure
