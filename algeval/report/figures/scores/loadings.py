"""Which judge follows what judges share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.report.figures.heat import show_table
from algeval.report.figures.scores.shared import found_in
from algeval.report.figures.style import LEVELS, describe, new_figure, plain
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_loadings"]

_SIGNED = "RdBu"
_ROW, _LETTER = 0.23, 0.075
"""Inches of a row, and of a letter of a judge's name."""


class _Loadings(NamedTuple):
    judges: tuple[str, ...]
    names: list[str]
    loadings: Floats
    noise: Floats


def draw_loadings(data: Any, *, most: int = 60) -> Figure:
    """Draw the correlation of each judge with each shared thing, and what is left of its scores.

    Judges stand in the order of the first column.

    Parameters
    ----------
    data : Scores, Confounders or ScoreAggregation
        Of a Confounders the one factor, and the two turned ones beside it.
    most : int
        Judges to show; the description says how many are left out.
    """
    told = _read(data)
    order = np.argsort(-told.loadings[:, 0], kind="stable")[: check_whole("most", most)]
    judges = [plain(told.judges[j]) for j in order]
    columns = told.loadings.shape[1]
    longest = max(map(len, judges))
    figure = new_figure(
        1.6 + _LETTER * longest + 0.62 * (columns + 1),
        1.5 + _ROW * len(judges),
        "Who follows what judges share",
    )
    left, right = figure.subplots(1, 2, width_ratios=(columns, 1), sharey=True)
    table = told.loadings[order]
    show_table(left, table, colours=_SIGNED, least=-1.0, most=1.0, form="{:+.2f}")
    show_table(right, told.noise[order, None], colours=LEVELS, least=0.0, most=1.0, form="{:.2f}")
    left.set_yticks(range(len(judges)), judges)
    left.set_xticks(range(columns), told.names, rotation=30, ha="right", rotation_mode="anchor")
    right.set_xticks([0], ["noise"], rotation=30, ha="right", rotation_mode="anchor")
    return describe(figure, *_words(told, len(order)))


def _read(data: Any) -> _Loadings:
    if isinstance(data, ScoreAggregation):
        if not data.loadings.any():
            raise DataError(f"the result must hold loadings to be drawn; got none: {data.message}")
        names = ["consensus", *(f"factor {k + 1}" for k in range(1, data.loadings.shape[1]))]
        return _Loadings(data.judges, names, data.loadings, data.noise)
    found = found_in(data, "Scores, a Confounders or a ScoreAggregation")
    table = np.column_stack([found.loading, found.turned])
    return _Loadings(found.judges, list(found.factors), table, found.noise)


def _words(told: _Loadings, shown: int) -> list[str]:
    words = [
        f"A table of {how_many(shown, 'judge')} by {', '.join(told.names)}: the correlation of each "
        "judge's scores with each, from -1 to 1, and the share of its variance that is left as noise."
    ]
    for place, name in enumerate(told.names):
        column = told.loadings[:, place]
        high, low = int(column.argmax()), int(column.argmin())
        words.append(
            f"{name}: from {column[low]:+.2f} ({plain(told.judges[low])}) to {column[high]:+.2f} "
            f"({plain(told.judges[high])})."
        )
    left_out = len(told.judges) - shown
    if left_out > 0:
        words.append(f"{how_many(left_out, 'more judge')} are not shown.")
    return words
