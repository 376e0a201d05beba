"""Intervals as rows, from the least assumed at the top to the most at the bottom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from algeval.report.figures.style import BLUE, GREEN, GREY, ORANGE, RED, plain

__all__ = ["Row", "draw_rows", "legend_of", "mark_level"]


class Row(NamedTuple):
    """One interval with its point.

    `kind` is "belief", "refuted" or "answer"; `points` are shown in place of an interval, and `nothing` is
    said where there is neither.
    """

    name: str
    low: float | None
    estimate: float | None
    high: float | None
    kind: str = "belief"
    points: Sequence[float] = ()
    nothing: str = "impossible"


_LOOKS: dict[str, dict[str, Any]] = {
    "belief": {"color": BLUE, "linewidth": 2.0, "linestyle": "-", "marker": "o"},
    "refuted": {"color": ORANGE, "linewidth": 2.0, "linestyle": ":", "marker": "X"},
    "answer": {"color": GREEN, "linewidth": 3.5, "linestyle": "-", "marker": "D"},
}
_TOLD = {
    "belief": "as good as what it assumes",
    "refuted": "refuted by the labels",
    "answer": "the answer",
}
_CAP = 0.16
"""Half the height of the ends of an interval, in rows."""


def draw_rows(axes: Any, rows: Sequence[Row]) -> None:
    """Draw the rows from top to bottom, names at the left."""
    for place, row in enumerate(rows):
        _draw(axes, place, row)
    axes.set_yticks(range(len(rows)), [plain(row.name, 38) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _draw(axes: Any, place: int, row: Row) -> None:
    look = _LOOKS[row.kind]
    line = {name: look[name] for name in ("color", "linewidth", "linestyle")}
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [place, place], **line, solid_capstyle="butt", zorder=2)
        caps = [row.low, row.high], [place - _CAP] * 2, [place + _CAP] * 2
        axes.vlines(*caps, color=look["color"], linewidth=1.5, clip_on=False, zorder=2)
    if row.points:
        axes.plot(row.points, [place] * len(row.points), "|", color=GREY, markersize=9, zorder=3)
    if row.estimate is not None:
        size = 6.5 if row.kind == "answer" else 5
        style = {"marker": look["marker"], "color": look["color"], "linestyle": "none"}
        axes.plot([row.estimate], [place], **style, markersize=size, zorder=4)
    if row.low is None and row.estimate is None and not row.points:
        inside = axes.get_yaxis_transform()
        axes.text(0.02, place, row.nothing, transform=inside, va="center", fontsize=8)


def mark_level(axes: Any, value: float, told: str) -> None:
    """Draw the value that the rows are compared with, as a line with its words."""
    axes.axvline(value, color=RED, linestyle="--", linewidth=1.2, label=told, zorder=1)


def legend_of(axes: Any, rows: Iterable[Row], points: str = "") -> list[Any]:
    """Return what the legend tells: the lines drawn with words, and each kind of row there is."""
    from matplotlib.lines import Line2D

    rows = list(rows)
    handles = list(axes.get_legend_handles_labels()[0])
    kinds = [kind for kind in _LOOKS if any(row.kind == kind for row in rows)]
    handles += [Line2D([], [], **_LOOKS[kind], label=_TOLD[kind]) for kind in kinds]
    if points:
        mark: dict[str, Any] = {"marker": "|", "color": GREY, "markersize": 9, "linestyle": "none"}
        handles.append(Line2D([], [], **mark, label=points))
    return handles
