"""Tables of numbers as coloured squares: one picture each, so that large ones stay small files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.report.figures.style import plain

__all__ = ["MOST_WRITTEN", "frame", "name_rows", "show_table"]

MOST_WRITTEN = 12
"""Numbers are written into the squares of tables with at most so many rows."""
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
        aspect="equal",
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


def name_rows(axes: Any, names: Sequence[str], *, size: float = 8.0) -> None:
    """Write the same names beside the rows and under the columns."""
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
