"""How good all judges could be together, by how many judges' joint answers are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from algeval.data.reading import Data, as_counts
from algeval.errors import DataError
from algeval.logic.exam import order_words
from algeval.logic.results import Threshold
from algeval.report.figures.stairs import Bracket, threshold_brackets
from algeval.report.figures.style import (
    GREEN,
    GREY,
    PALE_RED,
    describe,
    legend_below,
    level_words,
    new_figure,
    show_levels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_threshold_curve"]


def draw_threshold_curve(
    data: Data | Threshold | Sequence[Threshold],
    *,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Figure:
    """Draw up to which level some answer key lets every judge be right on every label, per order.

    One bar an order, lower orders above: they know less, so they allow more.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, Threshold or several Thresholds
        Thresholds are drawn as they are.
    missing : "excluded" or "wrong"
    time_limit : float, seconds, or None
        For all orders together; what is not settled by then is drawn as open.
    """
    found = _read(data, missing, time_limit)
    figure = new_figure(
        7.0,
        1.9 + 0.5 * len(found),
        "Can every judge be this accurate on every label, by some answer key?",
    )
    axes = figure.add_subplot()
    for row, bracket in enumerate(found):
        _bar(axes, row, bracket)
    axes.set_yticks(range(len(found)), [order_words(b.order) for b in found])
    axes.set(xlim=(0, 1), ylim=(len(found) - 0.4, -0.6))
    axes.set_xlabel("accuracy asked of every judge on every label")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    show_levels(axes.xaxis)
    legend_below(figure, 3, handles=_legend(any(b.lower < b.upper for b in found)))
    return describe(figure, *_words(found))


def _read(data: Any, missing: str, time_limit: float | None) -> tuple[Bracket, ...]:
    given = [data] if isinstance(data, Threshold) else data
    if isinstance(given, list | tuple):
        if not given or not all(isinstance(one, Threshold) for one in given):
            raise DataError("thresholds must be Threshold results; got others; draw the votes")
        return tuple(Bracket(one.order, one.lower, one.upper) for one in given)
    as_counts(data)
    return threshold_brackets(data, missing=missing, time_limit=time_limit)


def _bar(axes: Any, row: int, bracket: Bracket) -> None:
    low, high = float(bracket.lower), float(bracket.upper)
    axes.barh(row, low, height=0.55, color=GREEN)
    axes.barh(row, 1 - high, left=high, height=0.55, color=PALE_RED)
    if low < high:
        axes.barh(
            row, high - low, left=low, height=0.55, color="none", edgecolor=GREY, hatch="////"
        )
    text = level_words(bracket.lower)
    if low < high:
        text = f"{text} to {level_words(bracket.upper)}"
    inside = low > 0.45
    axes.text(
        low - 0.01 if inside else high + 0.01 if high < 0.6 else 0.01,
        row,
        text,
        ha="right" if inside else "left",
        va="center",
        color="#f5f5f5" if inside else "#111111",
    )


def _legend(any_open: bool) -> list[Any]:
    from matplotlib.patches import Patch

    handles = [
        Patch(color=GREEN, label="yes: an answer key was found"),
        Patch(color=PALE_RED, label="no: no answer key allows it"),
    ]
    open_ = Patch(facecolor="none", edgecolor=GREY, hatch="////", label="open")
    return [handles[0], open_, handles[1]] if any_open else handles


def _words(found: Sequence[Bracket]) -> list[str]:
    words = ["Up to which level some answer key lets every judge be right on every label."]
    for b in found:
        if b.lower == b.upper:
            words.append(f"With {order_words(b.order)} up to {level_words(b.lower)}, exactly.")
        else:
            words.append(
                f"With {order_words(b.order)} up to {level_words(b.lower)}, not above "
                f"{level_words(b.upper)}; between them it is open."
            )
    return words
