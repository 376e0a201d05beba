"""The difference of two systems by judges alone, by labels alone, and by both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algeval.errors import DataError
from algeval.rates.systems.result import Line, SystemComparison, signed
from algeval.report.figures.style import describe, legend_below, new_figure, plain
from algeval.report.figures.systems.rows import Row, draw_rows, legend_of, mark_level
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_difference"]

_ROOM = 1.25
"""Of the axis, beyond the farthest number on it."""


def draw_difference(data: SystemComparison) -> Figure:
    """Draw three rows where there are labels, and without them what each belief leaves.

    Parameters
    ----------
    data : SystemComparison
    """
    if not isinstance(data, SystemComparison):
        raise DataError(
            f"the figure must be of a SystemComparison; got {type(data).__name__}; pass what "
            "ae.compare_systems returns"
        )
    settled = data.difference is not None
    rows = [_row(line, answer=settled and line is data.table[-1]) for line in data.table]
    figure = new_figure(6.4, 1.9 + 0.3 * len(rows), _title(data))
    axes = figure.add_subplot()
    mark_level(axes, 0.0, "no difference")
    draw_rows(axes, rows)
    most = max((abs(end) for row in rows for end in row[1:4] if end is not None), default=1.0)
    axes.set_xlim(-min(_ROOM * most, 1.02), min(_ROOM * most, 1.02))
    first, second = (plain(name) for name in data.names)
    axes.set_xlabel(f"share of {plain(data.label)} in {first} less that in {second}")
    legend_below(figure, 2, handles=legend_of(axes, rows))
    return describe(figure, *_words(data, rows))


def _row(line: Line, *, answer: bool) -> Row:
    low, estimate, high = (
        None if end is None else float(end) for end in (line.low, line.estimate, line.high)
    )
    return Row(line.name.strip(), low, estimate, high, kind="answer" if answer else "belief")


def _title(found: SystemComparison) -> str:
    first, second = (plain(name) for name in found.names)
    told = f"{found.n_items} items, {found.n_gold} labelled for both"
    return f"{first} against {second}: {found.verdict}\n{told}"


def _words(found: SystemComparison, rows: list[Row]) -> list[str]:
    first, second = (plain(name) for name in found.names)
    words = [f"Difference of {first} and {second} in {plain(found.label)}, {len(rows)} rows."]
    judged = next((row.estimate for row in rows if row.name == "judges only"), None)
    if judged is not None:
        words.append(f"By the judges alone it is {signed(judged)}, without an interval.")
    ends = f"{signed(found.low)} to {signed(found.high)}"
    if found.difference is None:
        return [*words, f"No item is labelled: it lies between {ends}."]
    level = percent(found.level, 0)
    return [*words, f"By the labels it is {signed(found.difference)}, {level} interval {ends}."]
