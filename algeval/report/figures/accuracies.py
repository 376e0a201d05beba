"""How good each judge is, with intervals: a row a judge, a mark a method, the key's own mark last."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from algeval.data import Evaluation
from algeval.data.names import positions
from algeval.data.reading import Joint
from algeval.data.shown import is_share, items_behind
from algeval.logic.results import Threshold
from algeval.report.figures.fits import Fit, Told, read_fits
from algeval.report.figures.style import (
    COLOURS,
    INK,
    MARKERS,
    RED,
    describe,
    legend_below,
    new_figure,
    plain,
    show_levels,
)
from algeval.result import exact, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_accuracies"]


class Series(NamedTuple):
    """One mark per judge: its accuracy, and the ends of the interval; NaN where unknown."""

    name: str
    values: list[float]
    ends: list[tuple[float, float]]


def draw_accuracies(
    data: Any,
    *,
    methods: Sequence[str] | None = None,
    label: str | None = None,
    ceiling: Threshold | float | str | None = None,
    intervals: int | str = "auto",
    key: Joint | None = None,
) -> Figure:
    """Draw the accuracy of every judge with its interval, the best judge first.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Aggregation, Bootstrap or Comparison
        Of a comparison every method has a mark.
    methods : sequence of str, optional
        Those to show; of votes those to fit.
    label : str, optional
        Accuracy on the items of one label; by default the share of right answers.
    ceiling : Threshold or number, optional
        The level that not all judges can exceed together, as a line.
    intervals : "auto" or int
        Refits for intervals where the data hold none; 0 for none.
    key : Votes or KeyedSketch, optional
        Adds the accuracies counted against the key, where `data` has no key.
    """
    told = read_fits(data, methods=methods, intervals=intervals, key=key)
    judges = list(dict.fromkeys(j for fit in told.fits for j in fit.evaluation.judges))
    found = [_series(fit, judges, label) for fit in told.fits]
    if label is None:
        found = [*_modest(told, judges), *found]
    counted = _counted(told, judges, label)
    judges, shown = _sorted(judges, [*found, *counted])
    figure = new_figure(6.4, _height(len(judges), len(shown)), _title(told, label))
    axes = figure.add_subplot()
    for place, series in enumerate(shown):
        _marks(axes, series, place, len(shown), key=place >= len(found))
    if ceiling is not None:
        _line(axes, ceiling)
    _axes(axes, judges, shown, label, ceiling)
    if len(shown) > 1 or ceiling is not None:
        legend_below(figure, 3)
    return describe(figure, *_words(told, judges, shown, label))


def _series(fit: Fit, judges: Sequence[str], label: str | None) -> Series:
    known = set(fit.evaluation.judges)
    values = [_accuracy(fit, j, label) if j in known else nan for j in judges]
    made = fit.intervals
    ends = [
        (nan, nan) if made is None or j not in known or isnan(v) else made.accuracy_of(j, label)
        for j, v in zip(judges, values, strict=True)
    ]
    return Series(fit.name, values, ends)


def _modest(told: Told, judges: Sequence[str]) -> list[Series]:
    """Return the grades by posteriors that were held back; they have no intervals."""
    return [
        Series(
            f"{fit.name}, if errors are shared",
            [fit.shared.get(judge, nan) for judge in judges],
            [(nan, nan)] * len(judges),
        )
        for fit in told.fits
        if fit.shared is not None
    ]


def _accuracy(fit: Fit, judge: str, label: str | None) -> float:
    """Return an accuracy; NaN where it is no share, or rests on less than one item."""
    told: Evaluation = fit.evaluation
    if label is None:
        value: Any = told.grade(judge)
    else:
        (i,) = positions("judge", [judge], told.judges)
        (t,) = positions("label", [label], told.labels)
        thin = fit.n_items and items_behind(told, i, t, fit.n_items) < 1
        value = None if thin else told.accuracy(judge, label)
    return min(max(float(value), 0.0), 1.0) if is_share(value) else nan


def _counted(told: Told, judges: Sequence[str], label: str | None) -> list[Series]:
    if told.truth is None:
        return []
    name = f"counted against the key ({told.n_keyed} items)"
    return [_series(Fit(name, told.truth, told.n_keyed), judges, label)]


def _sorted(judges: list[str], series: list[Series]) -> tuple[list[str], list[Series]]:
    first = series[0].values
    order = sorted(
        range(len(judges)),
        key=lambda i: (isnan(first[i]), -first[i] if first[i] == first[i] else 0),
    )
    turned = [
        Series(s.name, [s.values[i] for i in order], [s.ends[i] for i in order]) for s in series
    ]
    return [judges[i] for i in order], turned


def _height(n_judges: int, n_series: int) -> float:
    return 1.9 + n_judges * max(0.21, 0.11 * n_series)


def _marks(axes: Any, series: Series, place: int, many: int, *, key: bool) -> None:
    spread = 0.7 * (place - (many - 1) / 2) / many
    rows = [row + spread for row in range(len(series.values))]
    errors = [
        [0.0 if isnan(low) else max(v - low, 0.0) for v, (low, _) in _pairs(series)],
        [0.0 if isnan(high) else max(high - v, 0.0) for v, (_, high) in _pairs(series)],
    ]
    colour = "#000000" if key else COLOURS[place % (len(COLOURS) - 2)]
    without = all(isnan(low) for low, _ in series.ends)
    axes.errorbar(
        series.values,
        rows,
        xerr=None if without else errors,
        fmt="x" if key else MARKERS[place % len(MARKERS)],
        color=colour,
        markersize=5,
        elinewidth=1.2,
        label=series.name,
        zorder=4 if key else 3,
    )


def _pairs(series: Series) -> list[tuple[float, tuple[float, float]]]:
    return list(zip(series.values, series.ends, strict=True))


def _line(axes: Any, ceiling: Threshold | float | str) -> None:
    level = _level(ceiling)
    axes.axvline(
        float(level),
        color=RED,
        linestyle="--",
        linewidth=1.2,
        label=f"not all judges can be above {percent(level)} on every label (logic)",
    )


def _level(ceiling: Threshold | float | str) -> Fraction:
    return ceiling.upper if isinstance(ceiling, Threshold) else exact(ceiling, "ceiling")


def _axes(
    axes: Any,
    judges: Sequence[str],
    shown: Sequence[Series],
    label: str | None,
    ceiling: Threshold | float | str | None,
) -> None:
    axes.set_yticks(range(len(judges)), [plain(j) for j in judges])
    axes.set_ylim(len(judges) - 0.4, -0.6)
    numbers = [v for s in shown for v in (*s.values, *(low for low, _ in s.ends)) if not isnan(v)]
    numbers += [] if ceiling is None else [float(_level(ceiling))]
    least = floor(10 * min(numbers, default=0.0)) / 10
    axes.set_xlim(min(max(least, 0.0), 0.9), 1.005)
    axes.set_xlabel(
        "share of right answers" if label is None else f"right on items of {plain(label)}"
    )
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["bottom"].set_color(INK)
    show_levels(axes.xaxis)


def _title(told: Told, label: str | None) -> str:
    who = f"by {told.fits[0].name}" if len(told.fits) == 1 else f"by {len(told.fits)} methods"
    on = "" if label is None else f" on {plain(label)}"
    levels = {fit.intervals.level for fit in told.fits if fit.intervals is not None}
    bars = f", with {percent(min(levels), 0)} intervals" if levels else ""
    return f"Accuracy of each judge{on} {who}{bars}"


def _words(
    told: Told, judges: Sequence[str], shown: Sequence[Series], label: str | None
) -> list[str]:
    first = shown[0]
    known = [(j, v, e) for j, v, e in zip(judges, first.values, first.ends, strict=True) if v == v]
    words = [f"{_title(told, label)}, for {len(judges)} judges from the best to the worst."]
    if known:
        best, worst = _one(*known[0]), _one(*known[-1])
        words.append(f"By {first.name} the best is {best}, the worst {worst}.")
    if len(known) < len(judges):
        words.append(f"{len(judges) - len(known)} judges have no accuracy there.")
    if told.silent:
        words.append(f"Methods that gave no accuracies: {', '.join(told.silent)}.")
    if told.truth is not None:
        words.append(f"Crosses are counted against the key of {told.n_keyed} items.")
    return words


def _one(judge: str, value: float, ends: tuple[float, float]) -> str:
    low, high = ends
    between = "" if isnan(low) else f" ({percent(low)} to {percent(high)})"
    return f"{plain(judge)} with {percent(value)}{between}"
