"""Figures of judges who give scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import ScoreAggregation, Shift
from algeval.aggregate.scores.confounders import ONE, Association, Confounders, confounders
from algeval.aggregate.scores.simple import mid_ranks
from algeval.data import Scores
from algeval.data.names import check_choice, check_whole
from algeval.errors import DataError
from algeval.report.figures.drawing import (
    BLUE,
    GREY,
    LEVELS,
    RED,
    describe,
    legend_below,
    new_figure,
    plain,
    refuse_data,
    show_levels,
    show_table,
)
from algeval.result import Status, percent
from algeval.result.numbers import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- What figures of scores are drawn from: what judges share, found already or to be found.


def found_in(data: Any, needed: str = "Scores or a Confounders") -> Confounders:
    """Return what judges share, or refuse data that do not say.

    Raises
    ------
    DataError
        If the data are of another kind, or settle not even one factor.
    """
    if not isinstance(data, Scores | Confounders):
        raise refuse_data(data, needed)
    result = confounders(data) if isinstance(data, Scores) else data
    if result.status is Status.NOT_IDENTIFIABLE:
        raise DataError(f"the scores must settle what judges share; they do not: {result.message}")
    return result


# --- Which items another consensus would move.


_MANY = 400
"""More items than this are one picture in the file, not a mark each."""


def draw_shift(data: Any, *, method: str | None = None) -> Figure:
    """Draw where items stand under one factor and under another consensus, and which change class.

    Parameters
    ----------
    data : Scores or Confounders
    method : str, optional
        The other: "varimax", "cluster", "average", "median", or the attribute discounted; by default
        the first there is.
    """
    result = found_in(data)
    index = _place(result, method)
    return _draw(result, index, result.alternatives[index - 1])


def _place(result: Confounders, method: str | None) -> int:
    """Column of an alternative, by what stands behind its =."""
    short = [shift.act.partition("=")[2].strip("'") or shift.act for shift in result.alternatives]
    if not short:
        raise DataError("the result must hold alternatives to be drawn; got none; use more judges")
    return 1 + (0 if method is None else short.index(check_choice("method", method, short)))


def _draw(result: Confounders, index: int, shift: Shift) -> Figure:
    before, after = ((mid_ranks(result.traits[:, k]) - 0.5) / result.n_items for k in (0, index))
    was, now = result.decisions[:, 0], result.decisions[:, index]
    figure = new_figure(
        5.6,
        6.0,
        f"What {plain(shift.act, 40)} would move\n{percent(shift.flipped)} of {result.n_items} items change "
        "their class",
    )
    axes: Any = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
    for rows, colour, marker, label in (
        (was == now, GREY, ".", "keep their class"),
        (now > was, RED, "^", "go to the higher class"),
        (now < was, BLUE, "v", "go to the lower class"),
    ):
        axes.scatter(
            before[rows],
            after[rows],
            s=10,
            color=colour,
            marker=marker,
            linewidths=0,
            label=f"{int(rows.sum())} {label}",
            rasterized=result.n_items > _MANY,
        )
    axes.set(xlabel=f"items that stand lower, under {ONE}")
    axes.set(ylabel=f"items that stand lower, under {plain(shift.act, 40)}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    show_levels(axes.xaxis)
    show_levels(axes.yaxis)
    legend_below(figure, 3, markerscale=1.6)
    return describe(figure, *_words(result, shift, before, after))


def _words(result: Confounders, shift: Shift, before: Any, after: Any) -> list[str]:
    far = int(np.abs(after - before).argmax())
    return [
        f"Each of {result.n_items} items by its rank under one factor and under another consensus.",
        shift.sentence(),
        f"The item that moves most is {plain(result.items[far])}: from {percent(before[far])} to "
        f"{percent(after[far])} of the items below it.",
    ]


# --- Which attributes of the items go with what judges share.


def draw_attributes(data: Any, *, most: int = 12) -> Figure:
    """Draw how each attribute goes with one factor and with each of two, with two standard errors.

    Parameters
    ----------
    data : Scores with attributes, or Confounders
    most : int
        Attributes to show, those with the largest correlations.
    """
    result = found_in(data)
    names = result.factors
    links = result.links
    shown = _shown(links, check_whole("most", most))
    if not shown:
        raise DataError(
            "attributes must have been given to be drawn; got none that are numbers and vary; pass "
            "attributes= to confounders"
        )
    figure = new_figure(
        2.6 + 1.9 * len(names),
        1.7 + 0.26 * len(shown),
        "What goes with what judges share: rank correlations",
    )
    panels = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for axes, name in zip(panels, names, strict=True):
        _draw_of_attributes(
            axes, [links.get((attribute, name)) for attribute in shown], len(result.associations)
        )
        axes.set_title(name)
    panels[0].set_yticks(range(len(shown)), [plain(attribute) for attribute in shown])
    panels[0].set_ylim(len(shown) - 0.5, -0.5)
    _legend(figure)
    return describe(figure, *_words_of_attributes(result, names, len(shown)))


def _shown(links: dict[tuple[str, str], Association], most: int) -> list[str]:
    """Attributes, those first that go most with anything shared."""
    size: dict[str, float] = {}
    for (attribute, _), link in links.items():
        size[attribute] = max(size.get(attribute, 0.0), abs(link.correlation))
    return sorted(size, key=lambda attribute: -size[attribute])[:most]


def _draw_of_attributes(axes: Any, row: list[Association | None], looks: int) -> None:
    for index, association in enumerate(row):
        if association is None:
            continue
        sure = association.beyond(looks)
        colour = BLUE if sure else GREY
        axes.errorbar(
            association.correlation,
            index,
            xerr=2 * association.error,
            fmt="o",
            markersize=5,
            color=colour,
            markerfacecolor=colour if sure else "none",
        )
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlim(-1, 1)
    axes.set_xticks([-0.5, 0.0, 0.5])
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


def _legend(figure: Figure) -> None:
    from matplotlib.lines import Line2D

    marks: list[Any] = [
        Line2D([], [], color=BLUE, marker="o", label="beyond the luck of all looks"),
        Line2D([], [], color=GREY, marker="o", markerfacecolor="none", label="may be luck"),
    ]
    legend_below(figure, 2, handles=marks)


def _words_of_attributes(result: Confounders, names: Sequence[str], shown: int) -> list[str]:
    looks = len(result.associations)
    words = [
        f"Rank correlations of {how_many(shown, 'attribute')} with {', '.join(names)}, and two standard "
        f"errors; {looks} correlations were looked at."
    ]
    for name in names:
        best = result.named(name)
        strongest = "nothing beyond luck" if best is None else best.words()
        words.append(f"{name} goes most with {strongest}.")
    return [*words, "Nothing here says which is quality."]


# --- Which judge follows what judges share.


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
    loadings = _read(data)
    order = np.argsort(-loadings.loadings[:, 0], kind="stable")[: check_whole("most", most)]
    judges = [plain(loadings.judges[j]) for j in order]
    columns = loadings.loadings.shape[1]
    longest = max(map(len, judges))
    figure = new_figure(
        1.6 + _LETTER * longest + 0.62 * (columns + 1),
        1.5 + _ROW * len(judges),
        "Who follows what judges share",
    )
    left, right = figure.subplots(1, 2, width_ratios=(columns, 1), sharey=True)
    table = loadings.loadings[order]
    show_table(left, table, colours=_SIGNED, least=-1.0, most=1.0, form="{:+.2f}".format)
    show_table(
        right,
        loadings.noise[order, None],
        colours=LEVELS,
        least=0.0,
        most=1.0,
        form="{:.2f}".format,
    )
    left.set_yticks(range(len(judges)), judges)
    left.set_xticks(range(columns), loadings.names, rotation=30, ha="right", rotation_mode="anchor")
    right.set_xticks([0], ["noise"], rotation=30, ha="right", rotation_mode="anchor")
    return describe(figure, *_words_of_loadings(loadings, len(order)))


def _read(data: Any) -> _Loadings:
    if isinstance(data, ScoreAggregation):
        if not data.loadings.any():
            raise DataError(f"the result must hold loadings to be drawn; got none: {data.message}")
        names = ["consensus", *(f"factor {k + 1}" for k in range(1, data.loadings.shape[1]))]
        return _Loadings(data.judges, names, data.loadings, data.noise)
    result = found_in(data, "Scores, a Confounders or a ScoreAggregation")
    table = np.column_stack([result.loading, result.turned])
    return _Loadings(result.judges, list(result.factors), table, result.noise)


def _words_of_loadings(loadings: _Loadings, shown: int) -> list[str]:
    words = [
        f"A table of {how_many(shown, 'judge')} by {', '.join(loadings.names)}: the correlation of each "
        "judge's scores with each, from -1 to 1, and the share of its variance that is left as noise."
    ]
    for index, name in enumerate(loadings.names):
        column = loadings.loadings[:, index]
        high, low = int(column.argmax()), int(column.argmin())
        words.append(
            f"{name}: from {column[low]:+.2f} ({plain(loadings.judges[low])}) to {column[high]:+.2f} "
            f"({plain(loadings.judges[high])})."
        )
    left_out = len(loadings.judges) - shown
    if left_out > 0:
        words.append(f"{how_many(left_out, 'more judge')} are not shown.")
    return words
