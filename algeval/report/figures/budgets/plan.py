"""How often the better of two classifiers wins, by labels per item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algeval.budgets import Alternative, Plan
from algeval.errors import DataError
from algeval.report.figures.style import (
    BLUE,
    COLOURS,
    RED,
    describe,
    legend_below,
    new_figure,
    show_levels,
)
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_plan"]

_TICKS = (1, 3, 5, 9, 15, 25, 49, 99, 199, 499, 999)
_DASHES = {"disagreements": "--", "adaptive": "-.", "gold": ":"}


def draw_plan(data: Plan) -> Figure:
    """Draw the chance that the better classifier wins against labels per item, the best number marked.

    The budget is the same all along the curve. What it does when spent in other ways is a line across.

    Parameters
    ----------
    data : Plan
    """
    if not isinstance(data, Plan):
        raise DataError(
            f"the figure must be of a Plan; got {type(data).__name__}; pass what ae.plan returns"
        )
    figure = new_figure(6.4, 4.2, _title(data))
    axes = figure.add_subplot()
    votes, wins = [row.m for row in data.table], [row.win for row in data.table]
    axes.plot(votes, wins, color=BLUE, marker="o", markersize=3, label="majority of m labels")
    for place, other in enumerate(data.alternatives):
        colour, dashes = COLOURS[place + 1], _DASHES[other.name]
        axes.axhline(other.win, color=colour, linestyle=dashes, label=_told(other))
    axes.plot(data.labels_per_item, data.win, **_RING, label=f"best: {_best(data)}")
    _label_axes(axes, votes)
    legend_below(figure, 1)
    return describe(figure, *_words(data))


_RING: dict[str, Any] = {
    "marker": "o",
    "markersize": 10,
    "markerfacecolor": "none",
    "markeredgecolor": RED,
    "markeredgewidth": 2,
    "linestyle": "none",
}


def _label_axes(axes: Any, votes: list[int]) -> None:
    """Name the numbers themselves, as powers of ten would need mathematics drawn."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.25 * votes[-1])
    shown = [m for m in _TICKS if m <= votes[-1]]
    axes.set_xticks(shown, [str(m) for m in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("labels per item, m")
    axes.set_ylabel("the better classifier wins")
    show_levels(axes.yaxis)


def _title(plan: Plan) -> str:
    where = " where the classifiers differ" if plan.settings["disagreements"] else ""
    return f"How many labels per item{where}, for a budget of {plan.settings['budget']}"


def _best(plan: Plan) -> str:
    return f"{how_many(plan.labels_per_item, 'label')} on {plan.items:,} items, {plan.win:.1%}"


def _told(other: Alternative) -> str:
    if other.name == "adaptive":
        return f"two labels, a third where these differ: {other.win:.1%}"
    if other.name == "gold":
        return f"one gold label on {other.items:,} items: {other.win:.1%}"
    labels = how_many(other.labels_per_item or 1, "label")
    return f"{labels} on {other.items:,} items where the classifiers differ: {other.win:.1%}"


def _words(plan: Plan) -> list[str]:
    last = plan.table[-1]
    words = [
        "Chance that the better of two classifiers scores higher, against labels per item.",
        f"Best: {_best(plan)}; {plan.verdict}.",
    ]
    if last.m > 1:
        labels = how_many(last.m, "label")
        words.append(f"With {labels} on {how_many(last.items, 'item')} it is {last.win:.1%}.")
    return words + [f"{_told(other).capitalize()}." for other in plan.alternatives]
