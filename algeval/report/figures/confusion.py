"""What each judge answers to items of each label: one small table a judge."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from algeval.data import Evaluation
from algeval.data.names import positions
from algeval.data.settings import check_whole
from algeval.report.figures.fits import Fit, read_fits
from algeval.report.figures.heat import show_table
from algeval.report.figures.style import LEVELS, describe, new_figure, plain, show_levels
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MOST_TABLES", "draw_confusion"]

MOST_TABLES = 24
"""Tables on one figure; further judges are on the next page."""
_MOST_WRITTEN = 4
"""Tables of more answers have colours only."""
_ACROSS = 6


def draw_confusion(
    data: Any,
    *,
    judges: Sequence[str] | None = None,
    method: str | None = None,
    page: int = 1,
) -> Figure:
    """Draw the confusion table of each judge, as a method estimates it: rows true, columns answered.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Aggregation, Bootstrap, Comparison or Evaluation
    judges : sequence of str, optional
        Those to show, in this order; by default all, 24 a page.
    method : str, optional
        The method to fit, or that of a comparison to show.
    page : int
        Which 24 judges, from 1 on.
    """
    fit = _fit(data, method)
    every = list(fit.evaluation.judges) if judges is None else list(judges)
    positions("judge", every, fit.evaluation.judges)
    pages = max(1, ceil(len(every) / MOST_TABLES))
    first = MOST_TABLES * (check_whole("page", page, 1, pages) - 1)
    shown = every[first : first + MOST_TABLES]
    left_out = len(every) - len(shown)
    note = f"{left_out} judges not shown: pages 1 to {pages}, this is {page}" if left_out else ""
    figure = _draw(fit, shown, note)
    return describe(figure, *_words(fit, shown), f"{note}." if note else "")


def _fit(data: Any, method: str | None) -> Fit:
    told = read_fits(data, methods=None if method is None else [method])
    return next((fit for fit in told.fits if fit.name == "recommended"), told.fits[-1])


def _draw(fit: Fit, shown: Sequence[str], note: str) -> Figure:
    told = fit.evaluation
    rows, columns = len(told.labels), len(told.answers)
    across = min(len(shown), _ACROSS)
    down = ceil(len(shown) / across)
    side = 1.25 if columns <= _MOST_WRITTEN else 1.7
    title = (
        f"What each judge answers to each label, by {fit.name}\nrows: true label; columns: answer"
    )
    figure = new_figure(
        max(4.4, across * side + 1.6),
        down * (side * max(rows / columns, 0.6) + 0.35) + 1.5,
        f"{title}\n{note}" if note else title,
    )
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    image = None
    for place, axes in enumerate(grid.ravel()):
        if place >= len(shown):
            axes.set_visible(False)
            continue
        image = _one(axes, told, shown[place])
        _name(axes, told, left=place % across == 0, bottom=place + across >= len(shown))
    if image is not None:
        bar = figure.colorbar(image, ax=list(grid.ravel()), shrink=0.8, label="share of the label")
        show_levels(bar.ax.yaxis)
    return figure


def _one(axes: Any, told: Evaluation, judge: str) -> Any:
    table = told.confusion[told.judges.index(judge)].astype(float)
    written = max(table.shape) <= _MOST_WRITTEN
    image = show_table(
        axes, table, colours=LEVELS, least=0.0, most=1.0, form="{:.0%}" if written else None
    )
    axes.set_title(plain(judge, 18), fontsize=8)
    return image


def _name(axes: Any, told: Evaluation, *, left: bool, bottom: bool) -> None:
    """Write labels left of the first table of a row and answers under the last of a column."""
    size = 7.5 if len(told.answers) <= 12 else 6.0
    axes.set_yticks(range(len(told.labels)), [plain(x, 14) for x in told.labels], fontsize=size)
    axes.set_xticks(range(len(told.answers)), [plain(x, 14) for x in told.answers], fontsize=size)
    axes.tick_params(axis="y", labelleft=left)
    long = max(map(len, told.answers)) > 4
    axes.tick_params(axis="x", labelbottom=bottom, labelrotation=90 if long else 0)


def _words(fit: Fit, shown: Sequence[str]) -> list[str]:
    told = fit.evaluation
    words = [
        f"Confusion tables of {len(shown)} judges by {fit.name}, labels {', '.join(map(plain, told.labels))}."
    ]
    worst = [
        (value, judge, label)
        for judge in shown
        for label in told.labels
        if (value := told.accuracy(judge, label)) is not None
    ]
    for what, (value, judge, label) in (
        (("Lowest", min(worst)), ("Highest", max(worst))) if worst else ()
    ):
        told_share = percent(float(value))
        words.append(f"{what} accuracy on a label: {plain(judge)} on {plain(label)}, {told_share}.")
    return words
