"""Tables of numbers as coloured squares: one picture each, so that large ones stay small files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from algeval.report.figures.style import new_figure, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MOST_WRITTEN", "frame", "name_rows", "show_table", "table_figure"]

MOST_WRITTEN = 12
"""Numbers are written into the squares of tables with at most so many rows."""
_MANY = 30
_DARK, _LIGHT = "#111111", "#f5f5f5"


def show_table(
    axes: Any,
    table: NDArray[np.float64],
    *,
    colours: str,
    least: float,
    most: float,
    form: str | None = None,
) -> Any:
    """Draw (rows, columns) numbers as squares, NaN as none; `form` writes them in, as in '{:.0%}'."""
    image = axes.imshow(
        np.ma.masked_invalid(table),
        cmap=colours,
        vmin=least,
        vmax=max(most, least + 1e-9),
        interpolation="none",
        aspect="auto",
    )
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if form is not None:
        for (row, column), value in np.ndenumerate(table):
            if value == value:
                _write(axes, image, row, column, value, form)
    return image


def _write(axes: Any, image: Any, row: int, column: int, value: float, form: str) -> None:
    red, green, blue, _ = image.cmap(image.norm(value))
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
    axes.text(
        column,
        row,
        form.format(value),
        ha="center",
        va="center",
        fontsize=7.5,
        color=_DARK if bright else _LIGHT,
    )


def table_figure(names: Sequence[str], title: str, *, tables: int = 1) -> tuple[Figure, Any]:
    """Return a figure with room for square tables with these names beside and under, and its axes."""
    n = len(names)
    side = max(2.4, n * (0.42 if n <= MOST_WRITTEN else 0.24 if n <= _MANY else 0.17))
    longest = max(len(plain(name)) for name in names)
    room = 0.15 + 0.6 * _letter_size(n) / 72 * longest
    lines = 1 + title.count("\n")
    figure = new_figure(tables * (side + room) + 1.2, side + room + 0.2 * lines, title)
    return figure, figure.subplots(1, tables, squeeze=False)[0]


def _letter_size(n: int) -> float:
    return 8.0 if n <= _MANY else 6.5


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """Write the same names beside the rows and under the columns."""
    size = _letter_size(len(names))
    shown = [plain(name) for name in names]
    axes.set_yticks(range(len(names)), shown, fontsize=size)
    axes.set_xticks(range(len(names)), shown, fontsize=size, rotation=90)


def frame(axes: Any, first: int, many: int, colour: str) -> None:
    """Draw a frame around so many rows and columns from `first` on."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (first - 0.5, first - 0.5), many, many, fill=False, edgecolor=colour, linewidth=2.2
        )
    )
