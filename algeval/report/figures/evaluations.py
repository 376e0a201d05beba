"""All evaluations of one judge on two labels: point clouds ("No-Knowledge Alarms", figures 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from algeval.data.names import positions
from algeval.data.reading import Data
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.logic.consistent.lattice import count_correct
from algeval.logic.exam import Exam, read_exam
from algeval.report.figures.data import STAGES, evaluation_points, prevalence_points
from algeval.report.figures.style import LEVELS, describe, new_figure, plain, show_levels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_evaluations"]

_STAGE_WORDS = {
    "conceivable": "before any answer is seen",
    "inequalities": "no more correct than answered",
    "axioms": "consistent with the answers",
}
_MOST_POINTS = 1500
"""More evaluations would hide one another: then only outlines of some slices are drawn."""
_MOST_MARKS = 300
"""More marks are written as one picture."""
_SLICES = 21
_MOST_ITEMS = 5000


class _Judge(NamedTuple):
    """One judge's counts of the two labels, on so many items."""

    given: tuple[int, int]
    n_items: int


def draw_evaluations(
    data: Data, *, stage: str = "all", space: str = "R", judge: object = None
) -> Figure:
    """Draw every evaluation one judge could have, two labels ("No-Knowledge Alarms", figures 1 to 4).

    More than 1,500 evaluations are drawn as outlines: at 21 of the answer keys, the edge of what is
    possible there.

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
    _check(exam)
    check_choice("space", space, ("R", "P"))
    check_choice("stage", stage, ("all", *STAGES))
    stages = STAGES if stage == "all" else (stage,)
    (place,) = [0] if judge is None else positions("judge", [judge], exam.judges)
    one = _Judge((exam.counts[place][0], exam.counts[place][1]), exam.n_items)
    many = [_how_many(one, name) for name in stages]
    figure = new_figure(3.7 * len(stages) + 0.6, 4.9, _title(exam, place, many))
    for column, name in enumerate(stages):
        axes: Any = figure.add_subplot(1, len(stages), column + 1, projection="3d")
        if max(many) > _MOST_POINTS:
            absent = 0
            _outlines(axes, one, name, space)
        else:
            points = evaluation_points(data, name, judge)
            drawn: Sequence[tuple[Any, ...]] = _places(points, space)
            absent = many[column] - len(drawn)
            _cloud(axes, drawn)
        _view(axes, exam, space)
        axes.set_title(_cloud_title(name, many[column], absent), pad=-10)
    told = [f"{k} are {_STAGE_WORDS[name]}" for name, k in zip(stages, many, strict=True)]
    return describe(
        figure, f"{' '.join(_title(exam, place, many).split())}.", f"{'; '.join(told)}."
    )


def _check(exam: Exam) -> None:
    if exam.n_labels != 2:
        raise DataError(
            f"evaluations can be drawn for two labels; got {exam.n_labels}; draw 'correctness' instead"
        )
    if exam.n_items > _MOST_ITEMS:
        raise DataError(
            f"evaluations can be drawn for at most {_MOST_ITEMS} items; got {exam.n_items}; select "
            "some of them"
        )


def _title(exam: Exam, place: int, many: Sequence[int]) -> str:
    counts = zip(exam.answers, exam.counts[place], strict=True)
    told = ", ".join(f"{n} {plain(a)}" for a, n in counts)
    title = f"Possible evaluations of {plain(exam.judges[place])} on {exam.n_items} items (answers: {told})"
    if max(many) <= _MOST_POINTS:
        return title
    shown = min(_SLICES, exam.n_items + 1)
    return f"{title}\ndrawn: their outlines at {shown} of {exam.n_items + 1} answer keys"


def _how_many(one: _Judge, stage: str) -> int:
    """Count the evaluations without listing them."""
    keys = [(q, one.n_items - q) for q in range(one.n_items + 1)]
    if stage == "axioms":
        return sum(count_correct(one.given, key) for key in keys)
    caps = [_caps(one, key, stage) for key in keys]
    return sum((a + 1) * (b + 1) for a, b in caps)


def _caps(one: _Judge, key: tuple[int, int], stage: str) -> tuple[int, int]:
    """Return how many of each label can be correct, each by itself."""
    if stage == "conceivable":
        return key
    return min(one.given[0], key[0]), min(one.given[1], key[1])


def _places(points: Any, space: str) -> Sequence[tuple[Any, ...]]:
    if space == "R":
        return [(key[0], *correct) for key, correct in points]
    return prevalence_points(points)


def _cloud(axes: Any, points: Sequence[tuple[Any, ...]]) -> None:
    x, y, z = ([float(p[k]) for p in points] for k in range(3))
    size = 26 if len(points) < 100 else 14
    axes.scatter(
        x,
        y,
        z,
        c=x,
        cmap=LEVELS,
        s=size,
        depthshade=False,
        linewidths=0,
        rasterized=len(points) > _MOST_MARKS,
    )


def _outlines(axes: Any, one: _Judge, stage: str, space: str) -> None:
    from matplotlib import colormaps

    n, shades = one.n_items, colormaps[LEVELS]
    slices = sorted({round(k * n / (_SLICES - 1)) for k in range(_SLICES)})
    for q in slices:
        key = (q, n - q)
        if space == "P" and 0 in key:
            continue
        edge = list(_edge(one, key, stage))
        x, y, z = zip(*(_at(key, point, space) for point in edge), strict=True)
        axes.plot(x, y, z, color=shades(q / n), linewidth=1.3, marker="." if len(edge) < 2 else "")


def _at(key: tuple[int, int], correct: tuple[int, int], space: str) -> tuple[float, float, float]:
    if space == "R":
        return float(key[0]), float(correct[0]), float(correct[1])
    return key[0] / sum(key), correct[0] / key[0], correct[1] / key[1]


def _edge(one: _Judge, key: tuple[int, int], stage: str) -> Iterator[tuple[int, int]]:
    """Yield the corners of what is possible at one answer key, and the first of them again.

    Consistent with x of the first label are from x + r1 + q1 - n to x + n - r0 - q0 of the second
    (`attained`), within 0 and its cap.
    """
    a, b = _caps(one, key, stage)
    if stage != "axioms":
        yield from ((0, 0), (a, 0), (a, b), (0, b), (0, 0))
        return
    below = one.given[1] + key[1] - one.n_items
    above = one.n_items - one.given[0] - key[0]
    fits = [x for x in range(a + 1) if max(0, x + below) <= min(b, x + above)]
    turns = sorted({min(max(x, fits[0]), fits[-1]) for x in (fits[0], fits[-1], -below, b - above)})
    low = [(x, max(0, x + below)) for x in turns]
    high = [(x, min(b, x + above)) for x in turns]
    yield from low
    if low != high:
        yield from [*reversed(high), low[0]]


def _view(axes: Any, exam: Exam, space: str) -> None:
    axes.view_init(elev=22, azim=-58)
    axes.set_box_aspect((1, 1, 1), zoom=0.86)
    first, second = (plain(label, 16) for label in exam.labels)
    if space == "R":
        axes.set(xlabel=f"items of {first}", ylabel=f"{first} correct", zlabel=f"{second} correct")
        limits = (0, exam.n_items)
    else:
        axes.set(
            xlabel=f"prevalence of {first}",
            ylabel=f"accuracy on {first}",
            zlabel=f"accuracy on {second}",
        )
        limits = (0, 1)
    axes.set(xlim=limits, ylim=limits, zlim=limits)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.get_major_locator().set_params(integer=True, nbins=5)
    if space == "P":
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            show_levels(axis)
            axis.set_ticks([0.5, 1.0] if axis is axes.yaxis else [0.0, 0.5, 1.0])


def _cloud_title(stage: str, points: int, absent: int) -> str:
    text = f"{_STAGE_WORDS[stage]}:\n{points} evaluations"
    return f"{text}\n({absent} with an absent label, not drawn)" if absent else text
