"""What logic leaves open: the lowest and highest value of every grade, prevalence and accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from algeval.data.names import positions
from algeval.data.reading import Data, as_counts
from algeval.data.settings import check_choice
from algeval.logic import bounds
from algeval.logic.exam import order_words
from algeval.logic.results import Bounds, Range
from algeval.report.figures.style import (
    BLUE,
    GREEN,
    ORANGE,
    describe,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_bounds"]

_WHAT = ("grade", "accuracy")
_COLOURS = {"prevalence": ORANGE, "grade": BLUE, "accuracy": GREEN}


def draw_bounds(
    data: Data | Bounds,
    *,
    of: str = "grade",
    judges: Sequence[str] | None = None,
    at_least: object | None = None,
    order: int | str | None = None,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Figure:
    """Draw the range that the votes leave of each prevalence, and of each judge.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary or Bounds
        Bounds are drawn as they are.
    of : "grade" or "accuracy"
        The share of right answers of each judge, or its accuracy label by label.
    judges : sequence of str, optional
        Those to show; by default all.
    at_least, order, missing, time_limit
        For finding the bounds of votes; see `bounds`.
    """
    check_choice("of", of, _WHAT)
    if isinstance(data, Bounds):
        found = data
    else:
        as_counts(data)
        found = bounds(data, order=order, at_least=at_least, missing=missing, time_limit=time_limit)
    shown = list(found.judges if judges is None else judges)
    positions("judge", shown, found.judges)
    rows = list(_rows(found, of, shown))
    figure = new_figure(6.4, 1.7 + 0.21 * len(rows), _title(found))
    axes = figure.add_subplot()
    for place, (kind, name, ends) in enumerate(rows):
        _draw_row(axes, place, kind, ends, outer=name in found.outer)
    axes.set_yticks(range(len(rows)), [_shown(found, name) for _, name, _ in rows])
    axes.set(
        xlim=(0, 1), ylim=(len(rows) - 0.4, -0.6), xlabel="from the lowest to the highest value"
    )
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    show_levels(axes.xaxis)
    return describe(figure, *_words(found, rows))


Row = tuple[str, str, Range | None]
"""What it is, its name as in `Bounds.outer`, its ends."""


def _rows(found: Bounds, of: str, judges: Sequence[str]) -> Iterator[Row]:
    for label in found.labels:
        yield "prevalence", f"prevalence of {label}", found.prevalence_of(label)
    for judge in judges:
        if of == "grade":
            yield "grade", f"grade of {judge}", found.grade_of(judge)
            continue
        for label in found.labels:
            ends = found.accuracy_of(judge, label)
            yield "accuracy", f"accuracy of {judge} on {label}", ends


def _shown(found: Bounds, name: str) -> str:
    return f"{plain(name, 44)}{' (or narrower)' * (name in found.outer)}"


def _draw_row(axes: Any, place: int, kind: str, ends: Range | None, *, outer: bool) -> None:
    if ends is None:
        axes.text(0.01, place, "nothing", va="center", fontsize=8)
        return
    low, high = map(float, ends)
    colour = _COLOURS[kind]
    axes.plot(
        [low, high],
        [place, place],
        ":" if outer else "-",
        color=colour,
        linewidth=3,
        marker="|",
        markersize=8,
        solid_capstyle="butt",
        clip_on=False,
    )


def _title(found: Bounds) -> str:
    asked = "" if found.specification is None else f", if {found.specification.short()}"
    return f"What the votes alone leave open ({found.n_items} items, {order_words(found.order)}){asked}"


def _words(found: Bounds, rows: Sequence[Row]) -> list[str]:
    known = [(name, ends) for _, name, ends in rows if ends is not None]
    words = [f"{_title(found)}: the lowest and highest value of {len(rows)} quantities."]
    if known:
        name, (low, high) = min(known, key=lambda row: row[1][1] - row[1][0])
        words.append(f"The narrowest is the {plain(name, 44)}: {percent(low)} to {percent(high)}.")
    if len(known) < len(rows):
        words.append(f"{len(rows) - len(known)} have no value that fits what was asked.")
    return words
