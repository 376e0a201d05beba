"""The answer keys as a map: how high all judges could be at each of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.data.reading import Data
from algeval.errors import DataError
from algeval.logic.exam import read_exam
from algeval.report.figures.data import KeyLevel, key_levels
from algeval.report.figures.style import (
    BLUE,
    GREEN,
    LEVELS,
    RED,
    could,
    describe,
    level_words,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_key_map"]

_MANY_KEYS = 400
"""Of more keys the map is one picture, a cell a key, and the keys that meet the standard one region."""


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
    best = found[-1]
    at = _key_words(best.key, exam.labels)
    return describe(
        figure,
        f"{' '.join(figure.get_suptitle().split())}: the answer keys as a map.",
        f"The highest level is {level_words(best.level)}, at {at}.",
    )


def _line_map(axes: Any, found: Sequence[KeyLevel], level: Any, labels: Sequence[str]) -> None:
    points = sorted((k.key[0], float(k.level)) for k in found)
    marks = "o-" if len(points) <= 100 else "-"
    axes.plot(*zip(*points, strict=True), marks, color=BLUE, markersize=4, linewidth=1.4)
    axes.axhspan(float(level), 1, color=GREEN, alpha=0.15, linewidth=0)
    axes.set(
        xlabel=f"items of {plain(labels[0])} in the answer key",
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
    draw = _cells if len(found) > _MANY_KEYS else _marks
    mark = draw(axes, found, able)
    best = found[-1]
    axes.plot(*_corner_places([best.key]), "*", color=RED, markersize=13, markeredgecolor="white")
    corners = [tuple(n_items if t == s else 0 for s in range(3)) for t in range(3)]
    for corner, label, side in zip(corners, labels, ("right", "left", "center"), strict=True):
        (cx,), (cy,) = _corner_places([corner])
        below = side != "center"
        axes.annotate(
            f"all {n_items} are {plain(label)}",
            (cx, cy),
            (0, -14 if below else 10),
            textcoords="offset points",
            ha="center",
            va="top" if below else "bottom",
        )
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.set_axis_off()
    told = f"star: {level_words(best.level)} at {_key_words(best.key, labels)}"
    figure.supxlabel(f"{told}\noutlined: the standard can be met", fontsize=9)
    bar = figure.colorbar(mark, ax=axes, shrink=0.75, label="highest accuracy all could reach")
    show_levels(bar.ax.yaxis)


def _marks(axes: Any, found: Sequence[KeyLevel], able: Sequence[KeyLevel]) -> Any:
    """Draw a mark for every key."""
    size = (272.0 / (sum(found[0].key) + 2)) ** 2
    x, y = _corner_places([k.key for k in found])
    heights = [float(k.level) for k in found]
    top = max(heights[-1], 0.01)
    mark = axes.scatter(
        x, y, c=heights, cmap=LEVELS, vmin=0, vmax=top, s=size, marker="h", linewidths=0
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
    return mark


def _cells(axes: Any, found: Sequence[KeyLevel], able: Sequence[KeyLevel]) -> Any:
    """Draw a cell for every key, sheared into the triangle, and the edge of those that are able."""
    from matplotlib.transforms import Affine2D

    side = sum(found[0].key) + 1
    table, meets = np.full((side, side), np.nan), np.zeros((side, side))
    for key, level in found:
        table[key[2], key[1]] = float(level)
    for key, _ in able:
        meets[key[2], key[1]] = 1.0
    sheared = Affine2D.from_values(1, 0, 0.5, sqrt(3) / 2, 0, 0) + axes.transData
    image = axes.imshow(
        np.ma.masked_invalid(table),
        origin="lower",
        cmap=LEVELS,
        vmin=0,
        vmax=max(float(found[-1].level), 0.01),
        interpolation="none",
        transform=sheared,
    )
    if able:
        axes.contour(meets, levels=[0.5], colors=[RED], linewidths=1.2, transform=sheared)
    axes.set(xlim=(-0.12 * side, 1.12 * side), ylim=(-0.1 * side, 0.97 * side))
    return image


def _corner_places(keys: Sequence[Sequence[int]]) -> tuple[list[float], list[float]]:
    """Place keys in a triangle: first label left, second right, third on top."""
    return [q[1] + q[2] / 2 for q in keys], [q[2] * sqrt(3) / 2 for q in keys]


def _key_words(key: Sequence[int], labels: Sequence[str]) -> str:
    return ", ".join(f"{q} {plain(label)}" for q, label in zip(key, labels, strict=True))
