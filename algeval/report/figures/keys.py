"""Figures over the answer keys: how high all judges could be, key by key (paper 003, figures 7, 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from algeval.data.reading import Data
from algeval.errors import DataError
from algeval.logic.exam import read_exam
from algeval.report.figures.data import KeyLevel, key_levels, keys_above, label_levels
from algeval.report.figures.style import (
    BLUE,
    COLOURS,
    GREY,
    LEVELS,
    MARKERS,
    RED,
    could,
    level_words,
    new_figure,
    show_levels,
)
from algeval.result import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_key_map", "draw_label_thresholds", "draw_thresholds"]


def draw_thresholds(
    data: Data,
    *,
    levels: Sequence[object] = ("1/2",),
    also: Mapping[str, Data] | None = None,
    missing: str = "excluded",
) -> Figure:
    """Draw the highest accuracy all judges could reach, for every answer key (figure 7).

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
    figure = new_figure(
        6.4,
        4.0,
        f"Highest accuracy that {could(exam.judges)} reach on every label",
    )
    axes = figure.add_subplot()
    _curve(axes, found, BLUE, "-", "these counts" if also else None)
    for number, (name, other) in enumerate((also or {}).items(), start=1):
        curve = key_levels(other, missing=missing)
        top = level_words(curve[-1].level)
        _curve(axes, curve, COLOURS[number % len(COLOURS)], "--", f"{name}: at most {top}")
    best = found[-1]
    axes.annotate(
        f"threshold {level_words(best.level)}\nat {_key_words(best.key, exam.labels)}",
        (len(found), float(best.level)),
        (-8, 6),
        textcoords="offset points",
        ha="right",
        va="bottom",
    )
    axes.plot([len(found)], [float(best.level)], "o", color=RED, clip_on=False, zorder=4)
    _mark_levels(axes, found, sorted(exact(x, "level") for x in levels))
    axes.set(
        xlabel=f"the {len(found)} answer keys, in order of the level they allow",
        ylabel="smallest over judges and labels\nof the highest possible accuracy",
        xlim=(0, len(found) + 1),
        ylim=(0, 1.04),
    )
    show_levels(axes.yaxis)
    if also:
        axes.legend(loc="upper left")
    return figure


def _mark_levels(axes: Any, found: Sequence[KeyLevel], levels: Sequence[Fraction]) -> None:
    """Draw levels with how many keys allow more; of two close ones the lower is named below."""
    for level, following in zip(levels, [*levels[1:], None], strict=True):
        axes.axhline(float(level), color=GREY, linewidth=0.8, linestyle=":")
        above = keys_above(found, level)
        text = f" {above} of {len(found)} keys allow more than {level_words(level)}"
        crowded = following is not None and following - level < Fraction(6, 100)
        side = "top" if crowded else "bottom"
        axes.text(1, float(level), text, va=side, ha="left", color="#444444")


def _curve(
    axes: Any, levels: Sequence[KeyLevel], colour: str, style: str, label: str | None
) -> None:
    ranks = range(1, len(levels) + 1)
    heights = [float(k.level) for k in levels]
    axes.step(ranks, heights, style, where="mid", color=colour, label=label, linewidth=1.8)


def draw_label_thresholds(data: Data, *, missing: str = "excluded") -> Figure:
    """Draw the same for each label by itself, each curve in its own order (figure 8).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    missing : "excluded" or "wrong"
    """
    exam = read_exam(data, missing)
    figure = new_figure(6.4, 4.0, f"Highest accuracy that {could(exam.judges)} reach on one label")
    axes = figure.add_subplot()
    many = 0
    for place, (label, (levels, without)) in enumerate(label_levels(data, missing=missing).items()):
        many = max(many, len(levels) + without)
        heights = [float(k.level) for k in levels]
        lowest = level_words(levels[0].level)
        axes.plot(
            range(1, len(levels) + 1),
            heights,
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            markevery=(10 * place, max(1, len(levels) // 8)),
            markersize=4.5,
            label=f"{label}: from {lowest} to {level_words(levels[-1].level)}, {without} keys have none",
        )
    axes.set(
        xlabel=f"the {many} answer keys, for each label in its own order",
        ylabel="smallest over judges of the\nhighest possible accuracy on the label",
        xlim=(0, many + 1),
        ylim=(0, 1.04),
    )
    show_levels(axes.yaxis)
    axes.legend(loc="lower right")
    return figure


def draw_key_map(data: Data, *, at_least: object = "1/2", missing: str = "excluded") -> Figure:
    """Draw the Q-complex itself, coloured by the level that each answer key allows.

    A line for two labels, a triangle for three. Keys that allow the standard have a ring.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    at_least : number
        The accuracy asked of every judge on every label.
    missing : "excluded" or "wrong"
    """
    exam = read_exam(data, missing)
    if exam.n_labels not in (2, 3):
        raise DataError(
            f"the Q-complex can be drawn for two or three labels; got {exam.n_labels}; draw "
            "'thresholds' instead"
        )
    level = exact(at_least, "at_least")
    found = key_levels(data, missing=missing)
    able = [k for k in found if k.level >= level]
    figure = new_figure(
        6.0,
        5.0 if exam.n_labels == 3 else 3.4,
        f"At {len(able)} of {len(found)} answer keys {could(exam.judges)} be\n"
        f"at least {level_words(level)} right on every label",
    )
    axes = figure.add_subplot()
    if exam.n_labels == 2:
        _line_map(axes, found, level, exam.labels)
    else:
        _triangle_map(figure, axes, found, able, exam.labels)
    return figure


def _line_map(axes: Any, found: Sequence[KeyLevel], level: Any, labels: Sequence[str]) -> None:
    points = sorted((k.key[0], float(k.level)) for k in found)
    axes.plot(*zip(*points, strict=True), "o-", color=BLUE, markersize=4, linewidth=1)
    axes.axhspan(float(level), 1, color=COLOURS[2], alpha=0.15, linewidth=0)
    axes.set(
        xlabel=f"items of {labels[0]} in the answer key",
        ylabel="highest accuracy all could reach",
        ylim=(0, 1.04),
    )
    show_levels(axes.yaxis)


def _triangle_map(
    figure: Any,
    axes: Any,
    found: Sequence[KeyLevel],
    able: Sequence[KeyLevel],
    labels: Sequence[str],
) -> None:
    n_items = sum(found[0].key)
    x, y = _corner_places([k.key for k in found])
    size = (272.0 / (n_items + 2)) ** 2
    mark = axes.scatter(
        x,
        y,
        c=[float(k.level) for k in found],
        cmap=LEVELS,
        vmin=0,
        vmax=max(float(found[-1].level), 0.01),
        s=size,
        marker="h",
        linewidths=0,
    )
    if able:
        axes.scatter(
            *_corner_places([k.key for k in able]),
            s=size,
            marker="h",
            facecolors="none",
            edgecolors=RED,
            linewidths=1.2,
        )
    best = found[-1]
    axes.plot(*_corner_places([best.key]), "*", color=RED, markersize=13, markeredgecolor="white")
    corners = [tuple(n_items if t == s else 0 for s in range(3)) for t in range(3)]
    for corner, label, side in zip(corners, labels, ("right", "left", "center"), strict=True):
        (cx,), (cy,) = _corner_places([corner])
        below = side != "center"
        axes.annotate(
            f"all {n_items} are {label}",
            (cx, cy),
            (0, -14 if below else 10),
            textcoords="offset points",
            ha="center",
            va="top" if below else "bottom",
        )
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.set_axis_off()
    axes.set_title(
        f"star: {level_words(best.level)} at {_key_words(best.key, labels)}; "
        "outlined: the standard can be met",
        y=-0.06,
    )
    bar = figure.colorbar(mark, ax=axes, shrink=0.75, label="highest accuracy all could reach")
    show_levels(bar.ax.yaxis)


def _corner_places(keys: Sequence[Sequence[int]]) -> tuple[list[float], list[float]]:
    """Place keys in a triangle: first label left, second right, third on top."""
    return [q[1] + q[2] / 2 for q in keys], [q[2] * sqrt(3) / 2 for q in keys]


def _key_words(key: Sequence[int], labels: Sequence[str]) -> str:
    return ", ".join(f"{q} {label}" for q, label in zip(key, labels, strict=True))
