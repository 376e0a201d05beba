"""Over all answer keys: which share of them allows a level ("No-Knowledge Alarms", figures 7, 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from algeval.data.reading import Data
from algeval.logic.exam import read_exam
from algeval.report.figures.data import KeyLevel, key_levels, keys_above, label_levels
from algeval.report.figures.style import (
    BLUE,
    COLOURS,
    GREY,
    RED,
    could,
    describe,
    legend_below,
    level_words,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import exact
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_label_thresholds", "draw_thresholds"]

_STYLES = ("-", "--", "-.", ":")
_MOST_STEPS = 600
_APART = 1 / 250
"""Of a curve with more steps those that are less apart, in both directions, are left out."""


def draw_thresholds(
    data: Data,
    *,
    levels: Sequence[object] = ("1/2",),
    also: Mapping[str, Data] | None = None,
    missing: str = "excluded",
) -> Figure:
    """Draw which share of the answer keys lets all judges be better than a level (figure 7).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    levels : numbers
        Levels to mark, with the number of keys that allow more.
    also : {name: data}, optional
        Other curves to compare, dashed.
    missing : "excluded" or "wrong"
    """
    exam = read_exam(data, missing)
    found = key_levels(data, missing=missing)
    marked = sorted(exact(x, "level") for x in levels)
    lines = len(marked) + len(also or {}) + 2
    title = f"Share of the answer keys by which {could(exam.judges)}\nbe better than a level on every label"
    figure = new_figure(6.4, 3.7 + 0.17 * lines, title)
    axes = figure.add_subplot()
    _curve(axes, found, BLUE, "-", "these counts" if also else f"the {len(found)} answer keys")
    for number, (name, other) in enumerate((also or {}).items(), start=1):
        curve = key_levels(other, missing=missing)
        label = f"{plain(name)}: at most {level_words(curve[-1].level)}"
        _curve(axes, curve, COLOURS[number % len(COLOURS)], "--", label)
    words = [_mark(axes, found, level) for level in marked]
    best = found[-1]
    top = f"threshold {level_words(best.level)}, at {_key_words(best.key, exam.labels)}"
    axes.plot([float(best.level)], [0], "o", color=RED, clip_on=False, zorder=4, label=top)
    _name_axes(axes, "level that all judges exceed on every label", "share of the answer keys")
    legend_below(figure, 1)
    return describe(
        figure, f"{' '.join(title.split())}, falling from left to right.", *words, f"The {top}."
    )


def _mark(axes: Any, found: Sequence[KeyLevel], level: Fraction) -> str:
    """Mark a level on the curve, and return how many keys allow more."""
    above = keys_above(found, level)
    text = f"{above} of {len(found)} keys allow more than {level_words(level)}"
    axes.plot([float(level)] * 2, [0, above / len(found)], ":", color=GREY, linewidth=1.2)
    axes.plot([float(level)], [above / len(found)], "D", color=GREY, markersize=5, label=text)
    return f"{text}."


def _curve(
    axes: Any, levels: Sequence[KeyLevel], colour: str, style: str, label: str | None
) -> None:
    """Draw the share of keys that allow more than x, against x."""
    many, ends = len(levels), [float(k.level) for k in levels]
    steps = [(x, (many - place) / many) for place, x in enumerate(ends, start=1)]
    last = dict(steps)
    kept = _thinned([(0.0, last.get(0.0, 1.0)), *last.items(), (1.0, 0.0)])
    x, share = zip(*kept, strict=True)
    axes.step(x, share, style, where="post", color=colour, label=label, linewidth=1.8)


def _thinned(steps: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out steps of a curve that nobody could tell apart, if they are many."""
    if len(steps) <= _MOST_STEPS:
        return steps
    kept = [steps[0]]
    for x, share in steps[1:-1]:
        if max(x - kept[-1][0], kept[-1][1] - share) >= _APART:
            kept.append((x, share))
    return [*kept, *steps[-2:]]


def draw_label_thresholds(data: Data, *, missing: str = "excluded") -> Figure:
    """Draw the same for each label by itself, over the answer keys that have it (figure 8).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    missing : "excluded" or "wrong"
    """
    exam = read_exam(data, missing)
    title = f"Share of the answer keys by which {could(exam.judges)}\nbe better than a level on one label"
    figure = new_figure(6.4, 3.6 + 0.17 * exam.n_labels, title)
    axes = figure.add_subplot()
    words = []
    for place, (label, (levels, without)) in enumerate(label_levels(data, missing=missing).items()):
        lowest, highest = level_words(levels[0].level), level_words(levels[-1].level)
        text = f"{plain(label)}: from {lowest} to {highest}, {how_many(without, 'key')} without it"
        colour, style = COLOURS[place % len(COLOURS)], _STYLES[place % len(_STYLES)]
        _curve(axes, levels, colour, style, text)
        words.append(f"{text}.")
    _name_axes(axes, "level that all judges exceed on the label", "share of the keys that have it")
    legend_below(figure, 1)
    return describe(figure, f"{' '.join(title.split())}, a line a label.", *words)


def _name_axes(axes: Any, below: str, beside: str) -> None:
    axes.set(xlabel=below, ylabel=beside, xlim=(0, 1), ylim=(0, 1.02))
    axes.grid()
    show_levels(axes.xaxis)
    show_levels(axes.yaxis)


def _key_words(key: Sequence[int], labels: Sequence[str]) -> str:
    return ", ".join(f"{q} {plain(label)}" for q, label in zip(key, labels, strict=True))
