"""How figures look: one size of text, colours that colour-blind readers can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "LEVELS",
    "MARKERS",
    "ORANGE",
    "RED",
    "STYLE",
    "could",
    "level_words",
    "new_figure",
    "show_levels",
]

BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#8c8c8c"
COLOURS = (BLUE, ORANGE, GREEN, "#cc79a7", "#56b4e9", RED, "#000000", "#f0e442")
"""Okabe and Ito's colours."""
MARKERS = "os^Dv<>P"
LEVELS = "cividis"

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.grid": False,
    "figure.facecolor": "white",
    "figure.titlesize": 10.5,
    "axes3d.xaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.yaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.zaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "grid.color": "#dddddd",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "algeval",
    "savefig.dpi": 120,
}


def new_figure(width: float, height: float, title: str) -> Figure:
    """Return an empty figure that no global state knows of."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, wrap=True)
    return figure


def show_levels(axis: Any) -> None:
    """Show an axis of accuracies as percentages from 0 to 100."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0))


def level_words(x: Fraction) -> str:
    """Return a level and its percentage, rounded down so that it never overstates.

    Examples
    --------
    >>> level_words(Fraction(1, 2)), level_words(Fraction(2, 3))
    ('1/2 (50%)', '2/3 (66.6%)')
    """
    return f"{x}" if x.denominator == 1 else f"{x} ({floor(1000 * x) / 10:g}%)"


def could(judges: Sequence[str]) -> str:
    """Return the judges as the subject of "could ... reach"."""
    if len(judges) == 1:
        return f"{judges[0]} could"
    return (
        f"{judges[0]} and {judges[1]} could both"
        if len(judges) == 2
        else f"{len(judges)} judges could all"
    )
