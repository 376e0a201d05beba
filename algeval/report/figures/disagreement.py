"""Where judges disagree most: the votes of the items, in order of how far they are split."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.registry import predictor
from algeval.aggregate.results import decide
from algeval.aggregate.votes import vote_entropy
from algeval.compare.differing import disagreement
from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Votes
from algeval.data.settings import check_whole
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.style import (
    BLUE,
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

__all__ = ["draw_disagreement"]

_TIE = 1e-12


class Rows(NamedTuple):
    """Items, or decision tuples, the most disputed first.

    names of each; counts (U,) items of each; shares (U, A) of the votes for each answer; entropy
    (U,) of the shares in bits, NaN with fewer than two votes.
    """

    names: list[str]
    counts: NDArray[np.int64]
    shares: NDArray[np.float64]
    entropy: NDArray[np.float64]


def draw_disagreement(data: Any, *, most: int = 15, result: Aggregation | None = None) -> Figure:
    """Draw how far the judges are split on each item, and the votes of the most disputed items.

    The measure is the entropy of the shares of the votes, in bits: 0 where all agree, 1 where two
    answers have half each.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
        Counts have no items; their decision tuples are named.
    most : int
        Items to name.
    result : Aggregation, optional
        Of these votes: a star marks items on which it and the majority differ.
    """
    if not isinstance(data, Votes | Sketch | KeyedSketch):
        raise refuse_data(data, "Votes, a Sketch or a KeyedSketch")
    votes = data.sketch if isinstance(data, KeyedSketch) else data
    rows = _rows(votes)
    shown = min(check_whole("most", most), int((rows.entropy > _TIE).sum()))
    starred, told = _starred(votes, result)
    figure = _draw(rows, votes.answers, shown, starred, f"\n{told} Star: there." if told else "")
    return describe(figure, *_words(rows, shown), told)


def _rows(votes: Votes | Sketch) -> Rows:
    given, bits = vote_entropy(votes.codes, votes.n_answers)
    total = given.sum(axis=1)
    shares = given / np.maximum(total, 1)[:, None]
    entropy = np.where(total > 1, bits, np.nan)
    counts = np.ones(len(votes), np.int64) if isinstance(votes, Votes) else votes.counts
    order = np.lexsort((-counts, np.nan_to_num(-entropy, nan=1.0)))
    names = _names(votes)
    return Rows([names[i] for i in order], counts[order], shares[order], entropy[order])


def _names(votes: Votes | Sketch) -> list[str]:
    if isinstance(votes, Votes):
        return list(votes.items)
    tuples = (votes.decision(row) for row in range(len(votes)))
    return [" ".join("-" if a is None else a for a in one) for one in tuples]


def _starred(votes: Votes | Sketch, result: Aggregation | None) -> tuple[set[str], str]:
    """Return the names on which the majority and the result differ, and how many items that is."""
    if result is None:
        return set(), ""
    told = disagreement(votes, result).message
    places = [votes.judges.index(judge) for judge in result.judges]
    plainly = aggregate(votes, "majority")
    majority = decide(predictor("majority")(plainly, votes.codes))
    model = decide(predictor(result.method)(result, votes.codes[:, places]))
    differ = (majority != NOT_ANSWERED) & (model != NOT_ANSWERED) & (majority != model)
    return {name for name, starred in zip(_names(votes), differ, strict=True) if starred}, told


def _draw(rows: Rows, answers: tuple[str, ...], shown: int, starred: set[str], told: str) -> Figure:
    n_split = int(rows.counts[rows.entropy > _TIE].sum())
    n_items = int(rows.counts.sum())
    figure = new_figure(
        9.4,
        max(3.6, 1.6 + 0.2 * shown),
        f"The judges are split on {n_split} of {n_items} items{told}",
    )
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    heights, ends = _steps(rows)
    left.stairs(heights, ends, color=BLUE, fill=True, alpha=0.85, baseline=0)
    left.set(
        xlabel="items, the most disputed first", ylabel="disagreement (entropy of the votes, bits)"
    )
    left.set_xlim(0, n_items)
    left.set_ylim(0, max(1.0, ceil(10 * np.nanmax(rows.entropy, initial=0.0)) / 10))
    _bars(right, rows, shown, len(answers), starred)
    colours = [colour_of(place) for place in range(len(answers))]
    if len(answers) <= MOST_COLOURS:
        from matplotlib.patches import Patch

        patches = [Patch(color=c, label=plain(a)) for a, c in zip(answers, colours, strict=True)]
        legend_below(figure, min(6, len(answers)), handles=patches)
    return figure


def _steps(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the disagreements there are, falling, and after how many items each begins and ends."""
    known = np.isfinite(rows.entropy)
    values, place = np.unique(np.round(-rows.entropy[known], 9), return_inverse=True)
    items = np.bincount(place, rows.counts[known], len(values))
    return -values, np.concatenate([[0.0], np.cumsum(items)])


def _bars(axes: Any, rows: Rows, shown: int, n_answers: int, starred: set[str]) -> None:
    base = np.zeros(shown)
    for answer in range(n_answers):
        width = rows.shares[:shown, answer]
        axes.barh(range(shown), width, left=base, color=colour_of(answer), height=0.75)
        base += width
    many = rows.counts[:shown].tolist()
    names = [
        f"{'* ' * (name in starred)}{plain(name, 36)}" + (f" ({k} items)" if k > 1 else "")
        for name, k in zip(rows.names, many, strict=False)
    ]
    axes.set_yticks(range(shown), names)
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1), ylim=(max(shown, 1) - 0.4, -0.6), xlabel="share of the votes")
    show_levels(axes.xaxis)


def _words(rows: Rows, shown: int) -> list[str]:
    n_items, known = int(rows.counts.sum()), np.isfinite(rows.entropy)
    split = int(rows.counts[rows.entropy > _TIE].sum())
    mean = float(rows.counts[known] @ rows.entropy[known]) / max(int(rows.counts[known].sum()), 1)
    words = [
        f"Items in order of disagreement: the judges are split on {split} of {n_items} "
        f"({percent(split / n_items)}); the mean entropy of the votes is {mean:.2f} bits."
    ]
    silent = int(rows.counts[~known].sum())
    if silent:
        words.append(f"{silent} items with fewer than two votes are left out.")
    if shown:
        named = ", ".join(plain(name) for name in rows.names[:3])
        words.append(f"The votes of the {shown} most disputed are shown, among them {named}.")
    return words
