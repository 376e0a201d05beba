"""Figures of possible evaluations: the point clouds, correctness squares and cubes of paper 003."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from algeval.data.names import positions
from algeval.data.reading import Data
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.logic.exam import read_exam
from algeval.logic.questions.threshold import threshold
from algeval.report.figures.data import (
    STAGES,
    CorrectCounts,
    correct_multiplicities,
    evaluation_points,
    prevalence_points,
)
from algeval.report.figures.style import GREEN, LEVELS, RED, level_words, new_figure, show_levels
from algeval.result import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_correctness", "draw_evaluations"]

_STAGE_WORDS = {
    "conceivable": "before any answer is seen",
    "inequalities": "no more correct than answered",
    "axioms": "consistent with the answers",
}


def draw_evaluations(
    data: Data, *, stage: str = "all", space: str = "R", judge: object = None
) -> Figure:
    """Draw every evaluation one judge could have, two labels (paper 003, figures 1 to 4).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    stage : "all", "conceivable", "inequalities" or "axioms"
        What is taken into account.
    space : "R" or "P"
        Whole numbers (items of the first label, correct answers of each), or prevalence and
        accuracies.
    judge : name, optional
        The first one by default.
    """
    exam = read_exam(data)
    if exam.n_labels != 2:
        raise DataError(
            f"evaluations can be drawn for two labels; got {exam.n_labels}; draw 'correctness' instead"
        )
    check_choice("space", space, ("R", "P"))
    stages = STAGES if stage == "all" else (stage,)
    (place,) = [0] if judge is None else positions("judge", [judge], exam.judges)
    counts = ", ".join(f"{n} {a}" for a, n in zip(exam.answers, exam.counts[place], strict=True))
    figure = new_figure(
        3.7 * len(stages) + 0.6,
        4.2,
        f"Possible evaluations of {exam.judges[place]} on {exam.n_items} items (answers: {counts})",
    )
    for column, name in enumerate(stages, start=1):
        axes: Any = figure.add_subplot(1, len(stages), column, projection="3d")
        points = evaluation_points(data, name, judge)
        drawn: Sequence[tuple[Any, ...]]
        drawn = (
            [(key[0], *correct) for key, correct in points]
            if space == "R"
            else prevalence_points(points)
        )
        _cloud(axes, drawn)
        _name_axes(axes, exam.labels, space, exam.n_items)
        axes.set_title(_cloud_title(name, len(points), len(drawn)), pad=-10)
    return figure


def _cloud(axes: Any, points: Sequence[tuple[Any, ...]]) -> None:
    x, y, z = ([float(p[k]) for p in points] for k in range(3))
    size = 26 if len(points) < 100 else 14
    axes.scatter(x, y, z, c=x, cmap=LEVELS, s=size, depthshade=False, linewidths=0)
    axes.view_init(elev=22, azim=-58)
    axes.set_box_aspect((1, 1, 1), zoom=0.86)


def _name_axes(axes: Any, labels: Sequence[str], space: str, n_items: int) -> None:
    first, second = labels
    if space == "R":
        axes.set(xlabel=f"items of {first}", ylabel=f"{first} correct", zlabel=f"{second} correct")
        limits = (0, n_items)
    else:
        axes.set(
            xlabel=f"prevalence of {first}",
            ylabel=f"accuracy on {first}",
            zlabel=f"accuracy on {second}",
        )
        limits = (0, 1)
    axes.set(xlim=limits, ylim=limits, zlim=limits)
    if space == "P":
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            show_levels(axis)
            axis.set_ticks([0.5, 1.0] if axis is axes.yaxis else [0.0, 0.5, 1.0])


def _cloud_title(stage: str, points: int, drawn: int) -> str:
    text = f"{_STAGE_WORDS[stage]}:\n{points} evaluations"
    missing = points - drawn
    return f"{text}\n({missing} with an absent label, not drawn)" if missing else text


def draw_correctness(
    data: Data, *, q: Sequence[int] | None = None, at_least: object = "1/2", missing: str = "wrong"
) -> Figure:
    """Draw what two or three judges' correct answers can be at one answer key (figures 5 and 6).

    One square (or cube) per label. Colour says in how many response tables a point occurs; the
    standard is shaded, and judges can meet it at this key exactly if every square has a point there.

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
    level = exact(at_least, "at_least")
    key = threshold(data, order=1, missing=missing).answer_keys[0] if q is None else tuple(q)
    panels = correct_multiplicities(data, key, missing=missing)
    shown = ", ".join(f"{n} {label}" for n, label in zip(key, exam.labels, strict=True))
    figure = new_figure(
        3.6 * len(panels) + 0.9,
        4.3,
        f"Possible correct answers if the answer key has {shown}",
    )
    most = max(max(map(_product, _points(p))) for p in panels)
    mark = None
    for column, panel in enumerate(panels, start=1):
        projection = {"projection": "3d"} if exam.n_judges == 3 else {}
        axes: Any = figure.add_subplot(1, len(panels), column, **projection)
        mark = _panel(axes, panel, exam.judges, level, most)
    if most > 1 and mark is not None:
        figure.colorbar(mark, ax=figure.axes, label="response tables", shrink=0.7, pad=0.02)
    return figure


Point = tuple[tuple[int, int], ...]
"""(correct, ways) of each judge."""


def _points(panel: CorrectCounts) -> list[Point]:
    return list(product(*(ways.items() for ways in panel.ways)))


def _product(point: Point) -> int:
    return prod(ways for _, ways in point)


def _panel(axes: Any, panel: CorrectCounts, judges: Sequence[str], level: Any, most: int) -> Any:
    from matplotlib.colors import LogNorm

    points = _points(panel)
    places = [[point[k][0] for point in points] for k in range(len(judges))]
    weights = [_product(point) for point in points]
    meets = any(all(c >= level * panel.q for c, _ in point) for point in points)
    least = float(level * panel.q)
    if len(judges) == 2:
        _shade(axes, least, panel.q, meets=meets)
        size = min(160.0, (150.0 / max(panel.q, 1)) ** 2)
        extra: dict[str, Any] = {"marker": "s", "zorder": 3}
    else:
        _shade_cube(axes, least, panel.q, meets=meets)
        size, extra = 16.0, {"depthshade": False}
    norm = LogNorm(1, max(most, 2))
    mark = axes.scatter(*places, c=weights, cmap=LEVELS, norm=norm, s=size, linewidths=0, **extra)
    names = dict(zip(("xlabel", "ylabel", "zlabel"), judges, strict=False))
    axes.set(**{k: f"{v}: correct" for k, v in names.items()})
    limits = (-0.5, max(panel.q, 1) + 0.5)
    axes.set(xlim=limits, ylim=limits)
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True)
    if len(judges) == 2:
        axes.set_aspect("equal")
    else:
        axes.set(zlim=limits)
        axes.set_box_aspect((1, 1, 1), zoom=0.84)
    pad = 6 if len(judges) == 2 else -10
    axes.set_title(
        _panel_title(panel, level, meets=meets), color="black" if meets else RED, pad=pad
    )
    return mark


def _panel_title(panel: CorrectCounts, level: Any, *, meets: bool) -> str:
    if panel.q == 0:
        return f"{panel.label}: does not occur"
    who = "both" if len(panel.ways) == 2 else "all"
    verdict = f"{'can' if meets else 'cannot'} {who} be"
    return f"{panel.label}, {panel.q} items:\n{verdict} at least {level_words(level)} right"


def _shade(axes: Any, least: float, q: int, *, meets: bool) -> None:
    from matplotlib.patches import Rectangle

    width = q - least + 0.5
    box = Rectangle(
        (least, least),
        width,
        width,
        facecolor=GREEN if meets else RED,
        alpha=0.22,
        linewidth=0,
        hatch=None if meets else "//",
    )
    axes.add_patch(box)


def _shade_cube(axes: Any, least: float, q: int, *, meets: bool) -> None:
    ends = (least, float(q))
    colour = GREEN if meets else RED
    for axis in range(3):
        for a, b in product(ends, ends):
            corners = [[a, b], [a, b]]
            for place, end in enumerate(ends):
                corners[place] = [*corners[place][:axis], end, *corners[place][axis:]]
            axes.plot(*zip(*corners, strict=True), color=colour, linewidth=1.5)
