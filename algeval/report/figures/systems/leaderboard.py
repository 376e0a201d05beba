"""Ratings with their intervals, and beside them the ranks that each system may have."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice, check_whole
from algeval.errors import DataError
from algeval.rates.leaderboards import Leaderboard
from algeval.rates.leaderboards.results import Rated
from algeval.report.figures.style import BLUE, ORANGE, describe, new_figure, plain
from algeval.report.figures.systems.rows import Row, draw_rows
from algeval.result import percent
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_leaderboard"]

_SCALES = ("elo", "natural")
_ROOM = 0.08
"""Of the axis, beside the farthest number on it."""

_HALF = 0.3
"""Of a rank, on either side of its number."""


def draw_leaderboard(data: Leaderboard, *, scale: str = "elo", most: int = 40) -> Figure:
    """Draw each system's rating and interval, and the ranks that hold for all systems at once.

    Parameters
    ----------
    data : Leaderboard
    scale : "elo" or "natural"
        Elo points, or log-odds.
    most : int
        Systems to draw, the best first.
    """
    if not isinstance(data, Leaderboard):
        raise DataError(
            f"the figure must be of a Leaderboard; got {type(data).__name__}; pass what ae.leaderboard "
            "returns"
        )
    check_choice("scale", scale, _SCALES)
    shown = data.table[: check_whole("most", most, 1)]
    figure = new_figure(7.2, 1.6 + 0.27 * len(shown), _title(data, len(shown)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    numbers = [_numbers(row, scale) for row in shown]
    ends = _limits(numbers)
    draw_rows(left, [_row(r, told, ends) for r, told in zip(shown, numbers, strict=True)])
    left.set(xlim=ends, xlabel="rating (Elo)" if scale == "elo" else "rating (log-odds)")
    _ranks(right, shown, len(data.table))
    return describe(figure, *_words(data, shown))


Numbers = tuple[float, float, float]
"""Low, rating, high; infinite or NaN where the battles do not say."""


def _numbers(row: Rated, scale: str) -> Numbers:
    if scale == "elo":
        return row.elo_low, row.elo, row.elo_high
    return row.low, row.rating, row.high


def _limits(numbers: Sequence[Numbers]) -> tuple[float, float]:
    known = [value for told in numbers for value in told if isfinite(value)] or [0.0, 1.0]
    room = _ROOM * (max(known) - min(known)) or 1.0
    return min(known) - room, max(known) + room


def _row(row: Rated, told: Numbers, ends: tuple[float, float]) -> Row:
    """Return a row; an interval without an end goes to the frame."""
    low, estimate, high = told
    known = low == low and high == high
    return Row(
        row.system,
        max(low, ends[0]) if known else None,
        estimate if isfinite(estimate) else None,
        min(high, ends[1]) if known else None,
        nothing="on no common scale",
    )


def _ranks(axes: Any, shown: Sequence[Rated], n_systems: int) -> None:
    from matplotlib.ticker import MaxNLocator

    for place, row in enumerate(shown):
        width = row.worst_rank - row.best_rank + 2 * _HALF
        colour = ORANGE if row.best_rank == 1 else BLUE
        axes.barh(place, width, left=row.best_rank - _HALF, height=0.4, color=colour)
    axes.set(xlim=(n_systems + 0.6, 0.4), xlabel="ranks (orange: perhaps first)")
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.grid(axis="x")


def _title(board: Leaderboard, shown: int) -> str:
    level = percent(board.level, 0)
    unit = "" if board.cluster is None else f" in {board.n_clusters:,} clusters by {board.cluster}"
    cut = "" if shown == len(board.table) else f", the first {shown} of {len(board.table)} systems"
    return f"Ratings with {level} intervals, and ranks\n{board.n_battles:,} battles{unit}{cut}"


def _words(board: Leaderboard, shown: Sequence[Rated]) -> list[str]:
    lead = [row.system for row in board.table if row.best_rank == 1]
    level = percent(board.level, 0)
    told = "system may" if len(lead) == 1 else "systems may"
    words = [
        f"Ratings and rank sets of {how_many(len(shown), 'system')}, the best rating first.",
        f"{len(lead)} {told} be first, at {level} for all ranks together: "
        f"{', '.join(plain(name) for name in lead[:5])}{', ...' * (len(lead) > 5)}.",
    ]
    if not board.connected:
        words.append(f"The battles leave {len(board.components)} groups on scales of their own.")
    return words
