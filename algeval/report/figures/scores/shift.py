"""Which items another consensus would move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.aggregate.score_checks.results import ONE, Confounders
from algeval.aggregate.score_kernels.rank_correlation import mid_ranks
from algeval.aggregate.score_results import Shift
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.scores.shared import found_in
from algeval.report.figures.style import (
    BLUE,
    GREY,
    RED,
    describe,
    legend_below,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_shift"]

_MANY = 400
"""More items than this are one picture in the file, not a mark each."""


def draw_shift(data: Any, *, method: str | None = None) -> Figure:
    """Draw where items stand under one factor and under another consensus, and which change class.

    Parameters
    ----------
    data : Scores or Confounders
    method : str, optional
        The other: "varimax", "cluster", "average", "median", or the attribute discounted; by default
        the first there is.
    """
    found = found_in(data)
    place = _place(found, method)
    return _draw(found, place, found.alternatives[place - 1])


def _place(found: Confounders, method: str | None) -> int:
    """Return the column of an alternative, by what stands behind its =."""
    short = [shift.act.partition("=")[2].strip("'") or shift.act for shift in found.alternatives]
    if not short:
        raise DataError("the result must hold alternatives to be drawn; got none; use more judges")
    return 1 + (0 if method is None else short.index(check_choice("method", method, short)))


def _draw(found: Confounders, place: int, shift: Shift) -> Figure:
    before, after = ((mid_ranks(found.traits[:, k]) - 0.5) / found.n_items for k in (0, place))
    was, now = found.decisions[:, 0], found.decisions[:, place]
    figure = new_figure(
        5.6,
        6.0,
        f"What {plain(shift.act, 40)} would move\n{percent(shift.flipped)} of {found.n_items} items change "
        "their class",
    )
    axes: Any = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
    for rows, colour, marker, label in (
        (was == now, GREY, ".", "keep their class"),
        (now > was, RED, "^", "go to the higher class"),
        (now < was, BLUE, "v", "go to the lower class"),
    ):
        axes.scatter(
            before[rows],
            after[rows],
            s=10,
            color=colour,
            marker=marker,
            linewidths=0,
            label=f"{int(rows.sum())} {label}",
            rasterized=found.n_items > _MANY,
        )
    axes.set(xlabel=f"items that stand lower, under {ONE}")
    axes.set(ylabel=f"items that stand lower, under {plain(shift.act, 40)}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    show_levels(axes.xaxis)
    show_levels(axes.yaxis)
    legend_below(figure, 3, markerscale=1.6)
    return describe(figure, *_words(found, shift, before, after))


def _words(found: Confounders, shift: Shift, before: Any, after: Any) -> list[str]:
    far = int(np.abs(after - before).argmax())
    return [
        f"Each of {found.n_items} items by its rank under one factor and under another consensus.",
        shift.sentence(),
        f"The item that moves most is {plain(found.items[far])}: from {percent(before[far])} to "
        f"{percent(after[far])} of the items below it.",
    ]
