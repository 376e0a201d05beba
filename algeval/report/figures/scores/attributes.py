"""Which attributes of the items go with what judges share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from algeval.aggregate.score_checks.results import Association, Confounders
from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.report.figures.scores.shared import found_in
from algeval.report.figures.style import BLUE, GREY, describe, legend_below, new_figure, plain
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_attributes"]


def draw_attributes(data: Any, *, most: int = 12) -> Figure:
    """Draw how each attribute goes with one factor and with each of two, with two standard errors.

    Parameters
    ----------
    data : Scores with attributes, or Confounders
    most : int
        Attributes to show, those with the largest correlations.
    """
    found = found_in(data)
    names = found.factors
    links = found.links
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
        _draw(axes, [links.get((attribute, name)) for attribute in shown], len(found.associations))
        axes.set_title(name)
    panels[0].set_yticks(range(len(shown)), [plain(attribute) for attribute in shown])
    panels[0].set_ylim(len(shown) - 0.5, -0.5)
    _legend(figure)
    return describe(figure, *_words(found, names, len(shown)))


def _shown(links: dict[tuple[str, str], Association], most: int) -> list[str]:
    """Return attributes, those first that go most with anything shared."""
    size: dict[str, float] = {}
    for (attribute, _), one in links.items():
        size[attribute] = max(size.get(attribute, 0.0), abs(one.correlation))
    return sorted(size, key=lambda attribute: -size[attribute])[:most]


def _draw(axes: Any, row: list[Association | None], looks: int) -> None:
    for place, one in enumerate(row):
        if one is None:
            continue
        sure = one.beyond(looks)
        colour = BLUE if sure else GREY
        axes.errorbar(
            one.correlation,
            place,
            xerr=2 * one.error,
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


def _words(found: Confounders, names: Sequence[str], shown: int) -> list[str]:
    looks = len(found.associations)
    words = [
        f"Rank correlations of {how_many(shown, 'attribute')} with {', '.join(names)}, and two standard "
        f"errors; {looks} correlations were looked at."
    ]
    for name in names:
        best = found.named(name)
        told = "nothing beyond luck" if best is None else best.words()
        words.append(f"{name} goes most with {told}.")
    return [*words, "Nothing here says which is quality."]
