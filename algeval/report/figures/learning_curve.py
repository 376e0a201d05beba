"""A learning curve as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algeval.compare.learning_curves import LearningCurve
from algeval.data.settings import check_choice

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["learning_curve_figure"]

_NAMES = {"accuracy": "accuracy on unseen items", "log_loss": "log loss on unseen items (nats)"}
_MARKERS = "os^Dv<>PX*"


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
        Not registered with pyplot; save it with `savefig`.

    Raises
    ------
    DataError
        If `measure` or `over` is unknown.
    """
    from matplotlib.figure import Figure

    check_choice("measure", measure, tuple(_NAMES))
    check_choice("over", over, ("items", "judges"))
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    for place, method in enumerate(curve.methods):
        sizes, values, errors = _line(curve, method, measure, over)
        axes.errorbar(
            sizes, values, yerr=errors, label=method, marker=_MARKERS[place % 10], capsize=3
        )
    axes.set_xlabel("items fitted to" if over == "items" else "judges")
    axes.set_ylabel(_NAMES[measure])
    if over == "items" and max(curve.sizes) >= 10 * min(curve.sizes):
        axes.set_xscale("log")
    axes.legend()
    return figure


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
