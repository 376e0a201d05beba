"""Figures of judges who give scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import ScoreAggregation
from algeval.aggregate.scores.confounders import ONE, Association, Confounders, confounders
from algeval.data import Scores
from algeval.data.names import check_choice, check_whole
from algeval.data.scores import mid_ranks
from algeval.errors import DataError
from algeval.report.figures.drawing import (
    BLUE,
    GREY,
    LEVELS,
    RED,
    Cells,
    describe,
    legend_below,
    new_figure,
    plain,
    refuse_data,
    show_levels,
    show_table,
    values_at,
    with_values,
)
from algeval.result import Status, percent
from algeval.result.numbers import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- What figures of scores are drawn from: what judges share, of a result or of scores.


def shared_in(data: Any, needed: str = "Scores or a Confounders") -> Confounders:
    """What judges share, or refuse data that do not say."""
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
    """Ranks of items under one factor and under another consensus, and which change class.

    Of Scores or Confounders. `method` is the other: "varimax", "cluster", "average", "median", or the
    attribute discounted; by default the first there is.
    """
    result = shared_in(data)
    short = [shift.act.partition("=")[2].strip("'") or shift.act for shift in result.alternatives]
    if not short:
        raise DataError("the result must hold alternatives to be drawn; got none; use more judges")
    index = 1 + (0 if method is None else short.index(check_choice("method", method, short)))
    shift, n = result.alternatives[index - 1], result.n_items
    before, after = ((mid_ranks(result.traits[:, k]) - 0.5) / n for k in (0, index))
    was, now = result.decisions[:, 0], result.decisions[:, index]
    act = plain(shift.act, 40)
    change = f"{percent(shift.flipped)} of {n} items change their class"
    figure = new_figure(5.6, 6.0, f"What {act} would move\n{change}")
    axes: Any = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8)
    for rows, colour, marker, label in (
        (was == now, GREY, ".", "keep their class"),
        (now > was, RED, "^", "go to the higher class"),
        (now < was, BLUE, "v", "go to the lower class"),
    ):
        style: dict[str, Any] = {"s": 10, "color": colour, "marker": marker, "linewidths": 0}
        text = f"{int(rows.sum())} {label}"
        dots = axes.scatter(before[rows], after[rows], label=text, rasterized=n > _MANY, **style)
        if n <= _MANY:
            with_values(dots, [plain(result.items[k], 60) for k in np.flatnonzero(rows)])
    axes.set(xlabel=f"items that stand lower, under {ONE}")
    axes.set(ylabel=f"items that stand lower, under {act}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    show_levels(axes.xaxis, axes.yaxis)
    legend_below(figure, 3, markerscale=1.6)
    far = int(np.abs(after - before).argmax())
    return describe(
        figure,
        f"Each of {n} items by its rank under one factor and under another consensus.",
        shift.sentence(),
        f"The item that moves most is {plain(result.items[far])}: from {percent(before[far])} to "
        f"{percent(after[far])} of the items below it.",
    )


# --- Which attributes of the items go with what judges share.


def draw_attributes(data: Any, *, most: int = 12) -> Figure:
    """How each attribute goes with one factor and with each of two, with two standard errors.

    Of Scores with attributes, or Confounders; the `most` attributes with the largest correlations.
    """
    from matplotlib.lines import Line2D

    result = shared_in(data)
    names, links, looks = result.factors, result.links, len(result.associations)
    size: dict[str, float] = {}
    for (attribute, _), link in links.items():
        size[attribute] = max(size.get(attribute, 0.0), abs(link.correlation))
    shown = sorted(size, key=lambda name: -size[name])[: check_whole("most", most)]
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
    words = [
        f"Rank correlations of {how_many(len(shown), 'attribute')} with {', '.join(names)}, and two "
        f"standard errors; {looks} correlations were looked at."
    ]
    panels = figure.subplots(1, len(names), sharey=True, squeeze=False)[0]
    for axes, name in zip(panels, names, strict=True):
        _associations(axes, [links.get((attribute, name)) for attribute in shown], looks)
        axes.set_title(name)
        best = result.named(name)
        strongest = "nothing beyond luck" if best is None else best.words()
        words.append(f"{name} goes most with {strongest}.")
    panels[0].set_yticks(range(len(shown)), [plain(attribute) for attribute in shown])
    panels[0].set_ylim(len(shown) - 0.5, -0.5)
    luck: Any = {"color": GREY, "marker": "o", "markerfacecolor": "none", "label": "may be luck"}
    beyond = Line2D([], [], color=BLUE, marker="o", label="beyond the luck of all looks")
    legend_below(figure, 2, handles=[beyond, Line2D([], [], **luck)])
    return describe(figure, *words, "Nothing here says which is quality.")


def _associations(axes: Any, row: list[Association | None], looks: int) -> None:
    for index, association in enumerate(row):
        if association is None:
            continue
        beyond = association.beyond(looks)
        colour = BLUE if beyond else GREY
        axes.errorbar(
            association.correlation,
            index,
            xerr=2 * association.error,
            fmt="o",
            markersize=5,
            color=colour,
            markerfacecolor=colour if beyond else "none",
        )
        value, error = association.correlation, association.error
        text = f"{value:+.2f}, standard error {error:.2f}"
        values_at(axes, [(value - 2 * error, value + 2 * error, index - 0.4, index + 0.4)], [text])
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlim(-1, 1)
    axes.set_xticks([-0.5, 0.0, 0.5])
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)


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
    """Correlation of each judge with each shared thing, and what is left of its scores.

    Of Scores, Confounders, of which the one factor and the two turned ones stand side by side, or a
    ScoreAggregation. Judges stand in the order of the first column; the description says how many beside
    the first `most` are left out.
    """
    shared = _read(data)
    order = np.argsort(-shared.loadings[:, 0], kind="stable")[: check_whole("most", most)]
    judges, table = [plain(shared.judges[j]) for j in order], shared.loadings[order]
    columns = table.shape[1]
    longest = max(map(len, judges))
    figure = new_figure(
        1.6 + _LETTER * longest + 0.62 * (columns + 1),
        1.5 + _ROW * len(judges),
        "Who follows what judges share",
    )
    left, right = figure.subplots(1, 2, width_ratios=(columns, 1), sharey=True)
    signed: dict[str, Any] = {"colours": _SIGNED, "least": -1.0, "most": 1.0}
    cells = Cells(judges, shared.names)
    show_table(left, table, **signed, form="{:+.2f}".format, cells=cells)
    noise = shared.noise[order, None]
    share: dict[str, Any] = {"colours": LEVELS, "least": 0.0, "most": 1.0}
    show_table(right, noise, **share, form="{:.2f}".format, cells=Cells(judges, ["noise"]))
    left.set_yticks(range(len(judges)), judges)
    turned: Any = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"}
    left.set_xticks(range(columns), shared.names, **turned)
    right.set_xticks([0], ["noise"], **turned)
    words = [
        f"A table of {how_many(len(judges), 'judge')} by {', '.join(shared.names)}: the correlation of "
        "each judge's scores with each, from -1 to 1, and the share of its variance that is left as noise."
    ]
    for name, column in zip(shared.names, shared.loadings.T, strict=True):
        ends = [
            f"{column[j]:+.2f} ({plain(shared.judges[j])})"
            for j in (int(column.argmin()), int(column.argmax()))
        ]
        words.append(f"{name}: from {ends[0]} to {ends[1]}.")
    left_out = len(shared.judges) - len(judges)
    more = f"{how_many(left_out, 'more judge')} are not shown." if left_out > 0 else ""
    return describe(figure, *words, more)


def _read(data: Any) -> _Loadings:
    if isinstance(data, ScoreAggregation):
        if not data.loadings.any():
            raise DataError(f"the result must hold loadings to be drawn; got none: {data.message}")
        names = ["consensus", *(f"factor {k + 1}" for k in range(1, data.loadings.shape[1]))]
        return _Loadings(data.judges, names, data.loadings, data.noise)
    result = shared_in(data, "Scores, a Confounders or a ScoreAggregation")
    table = np.column_stack([result.loading, result.turned])
    return _Loadings(result.judges, list(result.factors), table, result.noise)
