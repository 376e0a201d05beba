"""The interval of a stream of labels as they come in: it only narrows, and may be read at any time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from algeval.errors import DataError
from algeval.rates.sampling import LabelStream
from algeval.report.figures.style import (
    BLUE,
    INK,
    RED,
    describe,
    legend_below,
    new_figure,
    show_levels,
)
from algeval.result import percent
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_stream"]


class _Course(NamedTuple):
    """After each label: how many there are, the interval, the rate; and when the rule first said stop."""

    n: list[int]
    low: list[float]
    high: list[float]
    rate: list[float | None]
    stopped: int | None


def draw_stream(data: LabelStream, *, labels: Sequence[object] = ()) -> Figure:
    """Draw the interval after each label, and where the rule says to stop.

    Parameters
    ----------
    data : LabelStream
        Where to start from, as new or with labels; it is not changed. It does not keep its course.
    labels : sequence
        What comes in: 1 and 0, or pairs of that and the judges' share where the stream has `fbar`.
    """
    if not isinstance(data, LabelStream):
        raise DataError(
            f"the figure must be of a LabelStream; got {type(data).__name__}; pass one, and labels="
        )
    course = _follow(data, labels)
    figure = new_figure(6.4, 4.0, _title(data))
    axes = figure.add_subplot()
    axes.fill_between(
        course.n, course.low, course.high, color=BLUE, alpha=0.25, linewidth=0, step="post",
        label=f"{percent(data.level, 0)} interval, at all times at once",
    )  # fmt: skip
    known = [(n, rate) for n, rate in zip(course.n, course.rate, strict=True) if rate is not None]
    axes.plot(*zip(*known, strict=True), color=BLUE, label="the rate so far") if known else None
    against = float(data.against)
    axes.axhline(
        against, color=RED, linestyle="--", linewidth=1.2, label=f"compared with {percent(against)}"
    )
    if course.stopped is not None:
        axes.axvline(course.stopped, color=INK, linewidth=1.2, label=f"stop at {course.stopped}")
    axes.set(xlim=(course.n[0], max(course.n[-1], 1)), ylim=(0, 1), xlabel="labels")
    axes.set_ylabel("rate")
    show_levels(axes.yaxis)
    legend_below(figure, 2)
    return describe(figure, *_words(data, course))


def _follow(start: LabelStream, labels: Sequence[object]) -> _Course:
    stream = LabelStream.from_dict(start.to_dict())
    told = [(stream.n, stream.low, stream.high, stream.rate)]
    stopped = stream.n if stream.stop else None
    for label in labels:
        stop = stream.add(*label) if isinstance(label, tuple | list) else stream.add(label)
        told.append((stream.n, stream.low, stream.high, stream.rate))
        stopped = stream.n if stop and stopped is None else stopped
    n, low, high, rate = (list(column) for column in zip(*told, strict=True))
    return _Course(n, low, high, rate, stopped)


def _title(start: LabelStream) -> str:
    helped = "" if start.fbar is None else ", helped by the judges"
    return f"Labels one at a time, an interval after each{helped}"


def _words(start: LabelStream, course: _Course) -> list[str]:
    ends = f"{percent(course.low[-1])} to {percent(course.high[-1])}"
    words = [
        f"Interval of the rate after each of {how_many(course.n[-1], 'label')}: at the end {ends}."
    ]
    against = percent(float(start.against))
    if course.stopped is None:
        return [*words, f"The rule does not say stop: it is compared with {against}."]
    labels = how_many(course.stopped, "label")
    return [*words, f"The rule says stop after {labels}; it is compared with {against}."]
