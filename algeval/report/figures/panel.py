"""The conflict graph of a panel: which judges cannot both be as good as asked."""

from __future__ import annotations

from math import atan2, cos, degrees, pi, sin
from typing import TYPE_CHECKING, Any

from algeval.data.reading import Data
from algeval.logic.questions.panel import panel
from algeval.logic.results import Panel
from algeval.report.figures.style import (
    BLUE,
    GREY,
    RED,
    describe,
    new_figure,
    plain,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_conflicts"]

FEW = 12
"""Names of more judges than this are written along the radius."""
_LINES = "Lines join judges that cannot both meet it."


def draw_conflicts(
    data: Data | Panel,
    *,
    at_least: object = "0.6",
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Figure:
    """Draw the judges of a panel in a circle, with a line between two that exclude one another.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary or Panel
        A `Panel` is drawn as it is.
    at_least : number, text or Specification
        What is asked of every judge.
    missing : "excluded" or "wrong"
    time_limit : float, seconds
        For finding the panel.
    """
    found = (
        data
        if isinstance(data, Panel)
        else panel(data, at_least, missing=missing, time_limit=time_limit)
    )
    places = _circle(found)
    message = found.message.replace(": ", ":\n", 1)
    crowded, quiet = len(places) > FEW, not found.pairwise
    lines = "No two judges exclude one another." if quiet else _LINES
    height = 7.2 if crowded else 4.4 if quiet else 5.6
    figure = new_figure(7.0, height, f"{message}\n{lines}")
    axes = figure.add_subplot()
    _join(axes, found, places)
    for words, style, names in _groups(found):
        if names:
            xs, ys = zip(*(places[name] for name in names), strict=True)
            axes.plot(xs, ys, linestyle="none", label=f"{words} ({len(names)})", zorder=3, **style)
    for name, (x, y) in places.items():
        _write(axes, name, x, y, turned=crowded)
    reach = 2.0 if crowded else 1.3
    axes.set(xlim=(-2.0, 2.0), ylim=(-reach, reach))
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, -0.08), ncols=3)
    return describe(figure, found.message, *_words(found))


def _join(axes: Any, found: Panel, places: dict[str, tuple[float, float]]) -> None:
    """Draw lines between judges that exclude one another; without any, the ring they stand on."""
    from matplotlib.patches import Circle

    if not found.pairwise:
        axes.add_patch(Circle((0, 0), 1.0, fill=False, color=GREY, linewidth=0.8, linestyle=":"))
        axes.text(0, 0, "no conflict\nbetween two judges", ha="center", va="center", color=GREY)
    for i, j in found.pairwise:
        (x1, y1), (x2, y2) = places[i], places[j]
        axes.plot([x1, x2], [y1, y2], color=GREY, linewidth=0.8, alpha=0.6, zorder=1)


def _words(found: Panel) -> list[str]:
    words = [f"{len(found.pairwise)} pairs of judges cannot both meet it."]
    if found.failing:
        words.append(f"Failing even alone: {', '.join(map(plain, found.failing))}.")
    return [*words, f"A largest panel that may has {len(found.largest_panel)} judges."]


def _circle(found: Panel) -> dict[str, tuple[float, float]]:
    """Place the judges clockwise from the top: largest panel, others, failing."""
    ordered = [name for _, _, names in _groups(found) for name in names]
    step = 2 * pi / len(ordered)
    return {name: (sin(k * step), cos(k * step)) for k, name in enumerate(ordered)}


def _groups(found: Panel) -> list[tuple[str, dict[str, Any], list[str]]]:
    together = [j for j in found.judges if j in found.largest_panel]
    failing = [j for j in found.judges if j in found.failing]
    others = [j for j in found.judges if j not in together and j not in failing]
    return [
        (
            "a largest panel that may meet it",
            {"marker": "o", "color": BLUE, "markersize": 9},
            together,
        ),
        (
            "others",
            {"marker": "D", "color": "white", "markeredgecolor": "#444444", "markersize": 8},
            others,
        ),
        ("fail even alone", {"marker": "X", "color": RED, "markersize": 10}, failing),
    ]


def _write(axes: Any, name: str, x: float, y: float, *, turned: bool) -> None:
    """Write a name outside the circle, along the radius where many judges leave little room."""
    shown = plain(name)
    if turned:
        angle = degrees(atan2(y, x))
        left = abs(angle) > 90.0
        axes.text(
            1.09 * x,
            1.09 * y,
            shown,
            rotation=angle + 180 if left else angle,
            rotation_mode="anchor",
            ha="right" if left else "left",
            va="center",
        )
        return
    side = "center" if abs(x) < 0.1 else "left" if x > 0 else "right"
    stand = "center" if abs(x) >= 0.1 else "bottom" if y > 0 else "top"
    axes.text(1.1 * x, 1.1 * y, shown, ha=side, va=stand)
