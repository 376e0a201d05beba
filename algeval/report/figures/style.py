"""How figures look: one size of text, colours that colour-blind readers can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from textwrap import fill
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "COLOURS",
    "GREEN",
    "GREY",
    "GRID",
    "INK",
    "LEVELS",
    "LIGHTER",
    "MARKERS",
    "MOST_COLOURS",
    "ORANGE",
    "PALE_RED",
    "RED",
    "STYLE",
    "colour_of",
    "could",
    "describe",
    "legend_below",
    "level_words",
    "new_figure",
    "plain",
    "show_levels",
]

BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#8c8c8c"
COLOURS = (BLUE, ORANGE, GREEN, "#cc79a7", "#56b4e9", RED, "#000000", "#f0e442")
"""Okabe and Ito's colours."""
PALE_RED = "#ecb48c"
"""A ground that dark letters can be read on, on any page."""
LIGHTER = ("#8cbfdd", "#f4d392", "#8cd3bf", "#e8c4d9", "#b6ddf5", PALE_RED, "#a6a6a6", "#f8f2ab")
MOST_COLOURS = len(COLOURS) + len(LIGHTER)
MARKERS = "os^Dv<>P"
LEVELS = "cividis"
INK = "#444444"
"""Lines of axes and frames; a page shows them in its own colour of text, as it does black."""
GRID = "#dddddd"

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.usetex": False,
    "text.parse_math": False,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.formatter.use_mathtext": False,
    "figure.facecolor": "white",
    "figure.titlesize": 10.5,
    "axes3d.xaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.yaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.zaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "grid.color": GRID,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "algeval",
    "savefig.dpi": 120,
}
"""Names in data are text: neither TeX nor mathematics is looked for in them."""

_TITLE_LETTERS = 11.0
"""Letters of a title that fit an inch."""
_LEGEND_LETTERS = 12.5
"""Letters of a legend that do."""


def new_figure(width: float, height: float, title: str) -> Figure:
    """Return an empty figure that no global state knows of, in inches; its title is wrapped."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    letters = int(_TITLE_LETTERS * width)
    figure.suptitle("\n".join(fill(_printable(line), letters) for line in title.split("\n")))
    return figure


def describe(figure: Figure, *sentences: str) -> Figure:
    """Tell what a figure shows with its main numbers, for those who cannot see it; return it.

    The sentences are the figure's label, which `to_svg` writes as its description.
    """
    figure.set_label(" ".join(sentence for sentence in sentences if sentence))
    return figure


def plain(name: str, most: int = 28) -> str:
    """Return a name as it can be drawn: control characters replaced, cut to `most` letters.

    Examples
    --------
    >>> plain("a judge with a name too long to write"), plain("x" + chr(0))
    ('a judge with a name too lon\N{HORIZONTAL ELLIPSIS}', 'x\N{REPLACEMENT CHARACTER}')
    """
    safe = _printable(name)
    return safe if len(safe) <= most else f"{safe[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def colour_of(place: int) -> str:
    """Return the colour of the label or answer at a place: eight, then eight lighter, then grey."""
    if place >= len(COLOURS):
        return LIGHTER[place - len(COLOURS)] if place < MOST_COLOURS else GREY
    return COLOURS[place]


def legend_below(figure: Figure, columns: int = 3, **options: Any) -> None:
    """Write the legend under all axes, where it crosses nothing, in at most so many columns."""
    handles = options.get("handles") or [
        one for axes in figure.axes for one in axes.get_legend_handles_labels()[0]
    ]
    longest = max((len(str(handle.get_label())) for handle in handles), default=0)
    fits = int(_LEGEND_LETTERS * figure.get_figwidth() / (longest + 6))
    figure.legend(loc="outside lower center", ncols=max(1, min(columns, fits)), **options)


def show_levels(axis: Any) -> None:
    """Show an axis of accuracies as percentages from 0 to 100."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0))


def level_words(x: Fraction) -> str:
    """Return a level as a percentage, rounded down so that it never overstates, and exactly.

    Examples
    --------
    >>> level_words(Fraction(1, 2)), level_words(Fraction(2, 3))
    ('50% (1/2)', '66.6% (2/3)')
    """
    shown = f"{floor(1000 * x) / 10:g}%"
    return shown if x.denominator == 1 else f"{shown} ({x})"


def could(judges: Sequence[str]) -> str:
    """Return the judges as the subject of "could ... reach"."""
    if len(judges) == 1:
        return f"{plain(judges[0])} could"
    return (
        f"{plain(judges[0])} and {plain(judges[1])} could both"
        if len(judges) == 2
        else f"{len(judges)} judges could all"
    )
