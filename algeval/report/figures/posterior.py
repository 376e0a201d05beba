"""How sure a method is of its labels: items by the probability of the most probable label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.data import NOT_ANSWERED
from algeval.report.figures.fits import fitted
from algeval.report.figures.style import (
    GREY,
    MOST_COLOURS,
    colour_of,
    describe,
    legend_below,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_posterior"]

_BINS = 20
_UNSURE, _SURE = 0.6, 0.95


def draw_posterior(data: Any, *, method: str | None = None) -> Figure:
    """Draw how many items have a most probable label of which probability, by label.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Scores, Aggregation, ScoreAggregation or Comparison
        Of methods whose posteriors are shares of votes these are drawn.
    method : str, optional
        The method to fit, or that of a comparison to show; by default 'recommended'.
    """
    found = fitted(data, method)
    top = found.posterior.max(axis=1)
    edges = np.linspace(1 / len(found.labels), 1.0, _BINS + 1)
    figure = new_figure(
        6.4, 4.0, f"How sure {found.method} is of its labels: {found.n_items} items"
    )
    axes: Any = figure.add_subplot()
    names = [*map(plain, found.labels), "undecided"]
    base = np.zeros(_BINS)
    for place, name in zip([*range(len(found.labels)), NOT_ANSWERED], names, strict=True):
        rows = found.decisions == place
        items = _histogram(top[rows], found.counts[rows], edges)
        if items.any():
            colour = GREY if place == NOT_ANSWERED else colour_of(place)
            width = (edges[1] - edges[0]) * 0.94
            axes.bar(edges[:-1], items, width, bottom=base, align="edge", color=colour, label=name)
        base += items
    axes.set(xlabel="probability of the most probable label", ylabel="items")
    axes.set_xlim(edges[0], 1.0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
    show_levels(axes.xaxis)
    if len(found.labels) <= MOST_COLOURS:
        legend_below(figure, min(5, len(names)), title="label chosen")
    return describe(figure, *_words(found, top))


def _histogram(top: Any, counts: Any, edges: Any) -> Any:
    """Return (bins,) items; a probability on an edge counts in the bin above, 1 in the last."""
    inside = np.clip(top, edges[0], edges[-1])
    return np.histogram(inside, edges, weights=counts.astype(float))[0]


def _words(found: Any, top: Any) -> list[str]:
    n = found.n_items
    sure, unsure = (int(found.counts[rows].sum()) for rows in (top >= _SURE, top < _UNSURE))
    mean = float(found.counts @ top) / n
    return [
        f"Histogram of the probability of the most probable label of {n} items, by {found.method}.",
        f"On average it is {percent(mean)}; at least {_SURE:.0%} for {sure} items, below {_UNSURE:.0%} "
        f"for {unsure}; {found.n_undecided} items are undecided.",
    ]
