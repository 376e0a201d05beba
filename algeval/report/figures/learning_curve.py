"""A learning curve as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from algeval.compare.learning_curves import LearningCurve, learning_curve
from algeval.data import NOT_ANSWERED, Votes
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.style import COLOURS, MARKERS, STYLE, describe, new_figure, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_learning_curve", "learning_curve_figure"]

_NAMES = {"accuracy": "accuracy on unseen items", "log_loss": "log loss on unseen items (nats)"}
_METHODS = ("majority", "dawid-skene", "recommended")
_SIZES = 4


def draw_learning_curve(
    data: LearningCurve | Votes,
    *,
    measure: str = "accuracy",
    over: str = "items",
    methods: Sequence[str] = _METHODS,
    sizes: Sequence[int] | None = None,
) -> Figure:
    """Draw accuracy on unseen items against the items fitted to, a line a method.

    Parameters
    ----------
    data : LearningCurve, or Votes with a key
        A curve is drawn as it is; of votes one is made with five repeats.
    measure : "accuracy" or "log_loss"
    over : "items" or "judges"
    methods : sequence of str
        For the curve of votes.
    sizes : sequence of int, optional
        Items to fit to; by default half of those with a known label, and that halved three times.
    """
    if isinstance(data, LearningCurve):
        return learning_curve_figure(data, measure=measure, over=over)
    if not isinstance(data, Votes):
        raise refuse_data(data, "Votes with a key or a LearningCurve")
    if data.key is None:
        raise DataError("votes must carry a key to score with; got none; pass key= when reading")
    if sizes is None:
        half = int((data.key != NOT_ANSWERED).sum()) // 2
        sizes = sorted({max(1, half >> k) for k in range(_SIZES)})
    curve = learning_curve(data, methods, sizes=sizes, n_repeats=5)
    return learning_curve_figure(curve, measure=measure, over=over)


def learning_curve_figure(
    curve: LearningCurve, *, measure: str = "accuracy", over: str = "items"
) -> Figure:
    """Draw one line per method, with error bars of one standard error over repeats.

    Parameters
    ----------
    curve : LearningCurve
    measure : "accuracy" or "log_loss"
    over : "items" or "judges"
        What runs along the axis; the other is held at its largest size.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot; `algeval.report.figures.save` writes it.

    Raises
    ------
    DataError
        If `measure` or `over` is unknown.
    """
    from matplotlib import rc_context

    check_choice("measure", measure, tuple(_NAMES))
    check_choice("over", over, ("items", "judges"))
    with rc_context(STYLE):
        figure = new_figure(
            6.0, 4.0, f"{_NAMES[measure].capitalize()}, over {curve.n_repeats} repeats"
        )
        axes = figure.add_subplot()
        for place, method in enumerate(curve.methods):
            sizes, values, errors = _line(curve, method, measure, over)
            axes.errorbar(
                sizes,
                values,
                yerr=errors,
                label=plain(method),
                marker=MARKERS[place % len(MARKERS)],
                color=COLOURS[place % len(COLOURS)],
                capsize=3,
            )
        axes.set_xlabel("items fitted to" if over == "items" else "judges")
        axes.set_ylabel(_NAMES[measure])
        if over == "items" and max(curve.sizes) >= 10 * min(curve.sizes):
            _log_scale(axes, curve.sizes)
        axes.legend()
    return describe(figure, *_words(curve, measure, over))


def _log_scale(axes: Any, sizes: Sequence[int]) -> None:
    """Name the sizes themselves, as powers of ten would need mathematics drawn."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xticks(sorted(sizes), [str(size) for size in sorted(sizes)])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def _words(curve: LearningCurve, measure: str, over: str) -> list[str]:
    words = [f"{_NAMES[measure].capitalize()} against {over}, a line a method."]
    for method in curve.methods:
        sizes, values, _ = _line(curve, method, measure, over)
        if sizes:
            words.append(
                f"{plain(method)}: {values[0]:.3f} at {sizes[0]}, {values[-1]:.3f} at {sizes[-1]}."
            )
    return words


def _line(
    curve: LearningCurve, method: str, measure: str, over: str
) -> tuple[list[int], list[float], list[float]]:
    if over == "items":
        points = [(p.n_items, p) for p in curve.of(method)]
    else:
        top = max(curve.sizes)
        points = [(p.n_judges, p) for p in curve.points if p.method == method and p.n_items == top]
    known = [(x, p) for x, p in points if p.accuracy is not None]
    drawn = sorted(known, key=lambda pair: pair[0])
    values = [float(getattr(p, measure)) for _, p in drawn]
    errors = [float(getattr(p, f"{measure}_error") or 0.0) for _, p in drawn]
    return [x for x, _ in drawn], values, errors
