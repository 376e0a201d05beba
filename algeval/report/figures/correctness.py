"""What judges can have right at one answer key: squares and cubes ("No-Knowledge Alarms", figures 5, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import log10, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.data.reading import Data
from algeval.errors import DataError, TooLargeError
from algeval.logic.demand import check_key_counts
from algeval.logic.exam import read_exam
from algeval.logic.questions.threshold import threshold
from algeval.report.figures.data import CorrectCounts, correct_multiplicities
from algeval.report.figures.style import (
    GREEN,
    LEVELS,
    RED,
    describe,
    level_words,
    new_figure,
    plain,
)
from algeval.result import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_correctness"]

_MOST_IN_CUBE = 125
"""Points of a cube; of more, every judge keeps five of its numbers."""
_KEPT = 5


def draw_correctness(
    data: Data, *, q: Sequence[int] | None = None, at_least: object = "1/2", missing: str = "wrong"
) -> Figure:
    """Draw what two or three judges' correct answers can be at one answer key (figures 5 and 6).

    One square (or cube) per label. Colour says in how many response tables a point occurs; the
    standard is framed, and judges can meet it at this key exactly if every square has a point there.
    Of a cube with many points some are drawn, and the box of all.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
        Of two or three judges.
    q : (R,) ints, optional
        How many items have each label; by default a key that attains the threshold.
    at_least : number
        The accuracy asked of every judge on every label.
    missing : "wrong" or "excluded"
        An item left unanswered is not correct; "excluded" is allowed where none is missing.
    """
    exam = read_exam(data, missing)
    _check(exam)
    level = exact(at_least, "at_least")
    key = threshold(data, order=1, missing=missing).answer_keys[0] if q is None else tuple(q)
    panels, counted = _panels(data, key, missing)
    shown = ", ".join(f"{n} {plain(label)}" for n, label in zip(key, exam.labels, strict=True))
    thinned = exam.n_judges == 3 and max(map(_size, panels)) > _MOST_IN_CUBE
    title = f"Possible correct answers if the answer key has {shown}"
    title += (
        ""
        if counted
        else "\n(in how many response tables each occurs would take too long to count)"
    )
    title += "\ndots: some of the possible points; thin box: all of them" if thinned else ""
    height = 4.5 if exam.n_judges == 3 else 5.0  # room for what stands over and under squares
    figure = new_figure(3.6 * len(panels) + 0.9, height, title)
    most = max(log10(prod(max(ways.values()) for ways in p.ways)) for p in panels)
    scale = (0.0, most) if most else (-1.0, 1.0)
    mark: Any = None
    for column, panel in enumerate(panels, start=1):
        projection = {"projection": "3d"} if exam.n_judges == 3 else {}
        axes: Any = figure.add_subplot(1, len(panels), column, **projection)
        draw = _cube if exam.n_judges == 3 else _square
        mark = draw(axes, panel, level, scale)
        _name(axes, panel, [plain(j, 18) for j in exam.judges], level)
    if most > 0:
        from matplotlib.ticker import FuncFormatter

        bar = figure.colorbar(mark, ax=figure.axes, label="response tables", shrink=0.7, pad=0.02)
        bar.formatter = FuncFormatter(lambda value, _: f"{10**value:.3g}")
        bar.update_ticks()
    verdicts = (_panel_title(panel, level).replace("\n", " ") for panel in panels)
    return describe(
        figure,
        f"Possible correct answers if the answer key has {shown}.",
        *(f"{v}." for v in verdicts),
    )


def _check(exam: Any) -> None:
    if exam.n_judges not in (2, 3):
        raise DataError(
            f"correctness can be drawn for two or three judges; got {exam.n_judges}; choose them with "
            "judges="
        )
    if any(exam.excused):
        raise DataError(
            "correctness is drawn per item of a label; got missing answers, which the rule 'excluded' "
            "leaves out of some unknown label; use missing='wrong'"
        )


def _panels(data: Data, key: Sequence[int], missing: str) -> tuple[tuple[CorrectCounts, ...], bool]:
    """Return what can be correct on each label, and whether the tables behind it were counted.

    Uncounted, every number that some table has counts once: a judge that gave a label r times, of q
    items among n, has at least r + q - n of them right and at most the smaller of both.
    """
    try:
        return correct_multiplicities(data, key, missing=missing), True
    except TooLargeError:
        exam = read_exam(data, missing)
    found = []
    for t, (label, q) in enumerate(zip(exam.labels, check_key_counts(exam, key), strict=True)):
        given = [row[t] for row in exam.counts]
        ends = [(max(0, r + q - exam.n_items), min(r, q)) for r in given]
        ways = tuple(dict.fromkeys(range(low, high + 1), 1) for low, high in ends)
        found.append(CorrectCounts(label, q, ways))
    return tuple(found), False


def _size(panel: CorrectCounts) -> int:
    return prod(len(ways) for ways in panel.ways)


def _meets(panel: CorrectCounts, level: Any) -> bool:
    """Say whether some point meets the standard; judges are free of one another."""
    return all(max(ways) >= level * panel.q for ways in panel.ways)


def _square(axes: Any, panel: CorrectCounts, level: Any, scale: tuple[float, float]) -> Any:
    """Draw a square for every point of two judges, as one picture."""
    side = panel.q + 1
    table = np.full((side, side), np.nan)
    first, second = panel.ways
    for (x, ways), (y, others) in product(first.items(), second.items()):
        table[y, x] = log10(ways * others)
    image = axes.imshow(
        np.ma.masked_invalid(table),
        origin="lower",
        cmap=LEVELS,
        vmin=scale[0],
        vmax=scale[1],
        interpolation="none",
        extent=(-0.5, side - 0.5, -0.5, side - 0.5),
    )
    _shade(axes, float(level * panel.q), panel.q, meets=_meets(panel, level))
    return image


def _cube(axes: Any, panel: CorrectCounts, level: Any, scale: tuple[float, float]) -> Any:
    """Draw the points of three judges, thinned where there are many, and the box of all."""
    ends = [(min(ways), max(ways)) for ways in panel.ways]
    kept = [list(ways.items()) for ways in panel.ways]
    if _size(panel) > _MOST_IN_CUBE:
        kept = [_some(one) for one in kept]
        _box(axes, ends, "#8c8c8c", 0.9)
    points = list(product(*kept))
    places = [[point[k][0] for point in points] for k in range(3)]
    colours = [log10(prod(ways for _, ways in point)) for point in points]
    mark = axes.scatter(
        *places,
        c=colours,
        cmap=LEVELS,
        vmin=scale[0],
        vmax=scale[1],
        s=16,
        linewidths=0,
        depthshade=False,
        clip_on=False,
    )
    least = float(level * panel.q)
    colour = GREEN if _meets(panel, level) else RED
    _box(axes, [(least, float(panel.q))] * 3, colour, 1.5)
    return mark


def _some(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return some of the numbers a judge can have right, the first and the last among them."""
    last = len(pairs) - 1
    return [pairs[k] for k in sorted({round(i * last / (_KEPT - 1)) for i in range(_KEPT)})]


def _name(axes: Any, panel: CorrectCounts, judges: Sequence[str], level: Any) -> None:
    solid = len(judges) == 3
    for axis, judge in zip("xyz", judges, strict=False):
        name = judge if solid else f"{judge}: correct"
        axes.set(**{f"{axis}label": name})
    limits = (-0.5, max(panel.q, 1) + 0.5)
    axes.set(xlim=limits, ylim=limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True, nbins=6)
    if not solid:
        axes.set_aspect("equal")
    else:
        axes.set(zlim=limits)
        axes.zaxis.get_major_locator().set_params(integer=True, nbins=6)
        axes.set_box_aspect((1, 1, 1), zoom=0.84)
    pad = -10 if solid else 6
    colour = "black" if panel.q == 0 or _meets(panel, level) else RED
    axes.set_title(_panel_title(panel, level), color=colour, pad=pad)


def _panel_title(panel: CorrectCounts, level: Any) -> str:
    label = plain(panel.label)
    if panel.q == 0:
        return f"{label}: does not occur"
    who = "both" if len(panel.ways) == 2 else "all"
    verdict = f"{'can' if _meets(panel, level) else 'cannot'} {who} be"
    return f"{label}, {panel.q} items:\n{verdict} at least {level_words(level)} right"


def _shade(axes: Any, least: float, q: int, *, meets: bool) -> None:
    from matplotlib.patches import Rectangle

    width = q - least + 0.5
    colour = GREEN if meets else RED
    box = Rectangle(
        (least, least),
        width,
        width,
        fill=False,
        edgecolor=colour,
        linewidth=2.0,
        hatch=None if meets else "//",
        zorder=4,
        clip_on=False,
    )
    axes.add_patch(box)


def _box(axes: Any, ends: Sequence[tuple[float, float]], colour: str, width: float) -> None:
    """Draw the twelve edges of a box."""
    for axis in range(3):
        others = [ends[k] for k in range(3) if k != axis]
        for corner in product(*others):
            line = [[end, end] for end in corner]
            line.insert(axis, list(ends[axis]))
            axes.plot(*line, color=colour, linewidth=width)
