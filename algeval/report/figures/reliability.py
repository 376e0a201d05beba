"""How sure and how often right, as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from algeval.aggregate import Aggregation, aggregate, score
from algeval.aggregate.checks.scoring import Score
from algeval.aggregate.score_results import ScoreAggregation
from algeval.compare.comparison import Comparison
from algeval.data import KeyedSketch, Votes
from algeval.data.reading import keyed_part, split_key
from algeval.errors import DataError
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.style import (
    COLOURS,
    GREY,
    MARKERS,
    STYLE,
    describe,
    new_figure,
    plain,
    show_levels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_reliability", "reliability_figure"]

_LARGEST = 12.0
_TITLE = "How sure, and how often right"
_METHODS = ("majority", "dawid-skene", "recommended")


def draw_reliability(
    data: Any,
    *,
    methods: Sequence[str] | None = None,
    key: Any = None,
    title: str = "",
) -> Figure:
    """Draw how often the top label is right against how sure a method is of it.

    Parameters
    ----------
    data : Votes or KeyedSketch with a key, Comparison of such, Score, mapping of them, or a fit
        A fit needs `key`.
    methods : sequence of str, optional
        Of votes those to fit, without their key; of a comparison those to show.
    key : optional
        What `score` takes, for a fit.
    title : str
    """
    return reliability_figure(_scores(data, methods, key), title=title)


def _scores(data: Any, methods: Sequence[str] | None, key: Any) -> Mapping[str, Score]:
    if isinstance(data, Score):
        return {data.message.partition(":")[0]: data}
    if isinstance(data, Mapping):
        return data
    if isinstance(data, Aggregation | ScoreAggregation):
        if key is None:
            raise DataError(
                "a fit must come with key= to be scored; got none; pass the keyed votes"
            )
        return {data.method: score(data, key)}
    if isinstance(data, Comparison):
        shown = data.estimates if methods is None else [data[name] for name in methods]
        found = {e.method: e.score for e in shown if e.score is not None}
        if not found:
            raise DataError("the comparison must hold scores; got none; compare votes with a key")
        return found
    if not isinstance(data, Votes | KeyedSketch):
        raise refuse_data(data, "votes with a key, a Score, a Comparison or a fit")
    if keyed_part(data) is None:
        raise DataError("votes must carry a key to be scored; got none; pass key= when reading")
    blind = split_key(data)[0]
    return {method: score(aggregate(blind, method), data) for method in methods or _METHODS}


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

    if not scores or not all(isinstance(told, Score) for told in scores.values()):
        raise DataError("scores must hold at least one Score; got none; call score() on a result")
    with rc_context(STYLE):
        figure = new_figure(4.8, 4.4, title or _TITLE)
        axes = figure.add_subplot()
        points = [(b.confidence, b.accuracy) for told in scores.values() for b in told.bins]
        least = min(0.5, *(value for point in points for value in point))
        axes.plot([least, 1], [least, 1], color=GREY, linewidth=1, label="as sure as right")
        for place, (name, told) in enumerate(scores.items()):
            _bins(axes, name, told, place)
        axes.set_xlabel("how sure: mean probability of the top label")
        axes.set_ylabel("how often right")
        show_levels(axes.xaxis)
        show_levels(axes.yaxis)
        axes.legend(title="calibration error", markerscale=0.8)
    return describe(figure, *_words(scores))


def _bins(axes: Any, name: str, told: Score, place: int) -> None:
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
        label=f"{plain(name)} ({told.calibration_error:.3f})",
    )


def _words(scores: Mapping[str, Score]) -> list[str]:
    words = ["How often the most probable label is right, against how sure the method is of it."]
    return words + [
        f"{plain(name)}: {told.accuracy:.1%} of {told.n_scored} items right, calibration error "
        f"{told.calibration_error:.3f}."
        for name, told in scores.items()
    ]
