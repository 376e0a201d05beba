"""Figures of judges and of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, floor, isnan, nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import Aggregation, aggregate, policy, score
from algeval.aggregate.checks.groups import JudgeGroups, judge_groups
from algeval.aggregate.checks.identified import ScoreTest
from algeval.aggregate.checks.pairs import Agreement, PairTest, agreement, pair_test
from algeval.aggregate.checks.quality import Score
from algeval.aggregate.em import vote_entropy
from algeval.aggregate.registry import predictor
from algeval.aggregate.results import Floats, decide
from algeval.aggregate.score_results import ScoreAggregation
from algeval.compare.comparison import Comparison, disagreement
from algeval.compare.robustness import LearningCurve, learning_curve
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.evaluation import is_share, items_behind
from algeval.data.names import check_choice, check_whole, positions
from algeval.data.reading import Joint, keyed_part, split_key
from algeval.errors import DataError
from algeval.logic.results import Threshold
from algeval.report.figures.drawing import (
    BLUE,
    COLOURS,
    GREY,
    INK,
    LEVELS,
    MARKERS,
    MOST_COLOURS,
    MOST_WRITTEN,
    RED,
    STYLE,
    Fit,
    Told,
    colour_of,
    describe,
    fitted,
    frame,
    legend_below,
    name_rows,
    new_figure,
    plain,
    read_fits,
    refuse_data,
    show_levels,
    show_table,
    table_figure,
)
from algeval.result import exact, percent
from algeval.result.numbers import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- How good each judge is, with intervals: a row a judge, a mark a method, the key's own mark
# last.


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
    fits = read_fits(data, methods=methods, intervals=intervals, key=key)
    judges = list(dict.fromkeys(j for fit in fits.fits for j in fit.evaluation.judges))
    results = [_series(fit, judges, label) for fit in fits.fits]
    if label is None:
        results = [*_modest(fits, judges), *results]
    counted = _counted(fits, judges, label)
    judges, shown = _sorted(judges, [*results, *counted])
    figure = new_figure(6.4, _height(len(judges), len(shown)), _title(fits, label))
    axes = figure.add_subplot()
    for index, series in enumerate(shown):
        _marks(axes, series, index, len(shown), key=index >= len(results))
    if ceiling is not None:
        _line_of_accuracies(axes, ceiling)
    _axes(axes, judges, shown, label, ceiling)
    if len(shown) > 1 or ceiling is not None:
        legend_below(figure, 3)
    return describe(figure, *_words(fits, judges, shown, label))


def _series(fit: Fit, judges: Sequence[str], label: str | None) -> Series:
    fitted_judges = set(fit.evaluation.judges)
    values = [_accuracy(fit, j, label) if j in fitted_judges else nan for j in judges]
    made = fit.intervals
    ends = [
        (nan, nan)
        if made is None or j not in fitted_judges or isnan(v)
        else made.accuracy_of(j, label)
        for j, v in zip(judges, values, strict=True)
    ]
    return Series(fit.name, values, ends)


def _modest(fits: Told, judges: Sequence[str]) -> list[Series]:
    """Grades by posteriors that were held back; they have no intervals."""
    return [
        Series(
            f"{fit.name}, if errors are shared",
            [fit.shared.get(judge, nan) for judge in judges],
            [(nan, nan)] * len(judges),
        )
        for fit in fits.fits
        if fit.shared is not None
    ]


def _accuracy(fit: Fit, judge: str, label: str | None) -> float:
    """Accuracy; NaN where it is no share, or rests on less than one item."""
    evaluation: Evaluation = fit.evaluation
    if label is None:
        value: Any = evaluation.grade(judge)
    else:
        (i,) = positions("judge", [judge], evaluation.judges)
        (t,) = positions("label", [label], evaluation.labels)
        thin = fit.n_items and items_behind(evaluation, i, t, fit.n_items) < 1
        value = None if thin else evaluation.accuracy(judge, label)
    return min(max(float(value), 0.0), 1.0) if is_share(value) else nan


def _counted(fits: Told, judges: Sequence[str], label: str | None) -> list[Series]:
    if fits.truth is None:
        return []
    name = f"counted against the key ({fits.n_keyed} items)"
    return [_series(Fit(name, fits.truth, fits.n_keyed), judges, label)]


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


def _marks(axes: Any, series: Series, index: int, many: int, *, key: bool) -> None:
    spread = 0.7 * (index - (many - 1) / 2) / many
    rows = [row + spread for row in range(len(series.values))]
    errors = [
        [0.0 if isnan(low) else max(v - low, 0.0) for v, (low, _) in _pairs(series)],
        [0.0 if isnan(high) else max(high - v, 0.0) for v, (_, high) in _pairs(series)],
    ]
    colour = "#000000" if key else COLOURS[index % (len(COLOURS) - 2)]
    without = all(isnan(low) for low, _ in series.ends)
    axes.errorbar(
        series.values,
        rows,
        xerr=None if without else errors,
        fmt="x" if key else MARKERS[index % len(MARKERS)],
        color=colour,
        markersize=5,
        elinewidth=1.2,
        label=series.name,
        zorder=4 if key else 3,
    )


def _pairs(series: Series) -> list[tuple[float, tuple[float, float]]]:
    return list(zip(series.values, series.ends, strict=True))


def _line_of_accuracies(axes: Any, ceiling: Threshold | float | str) -> None:
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


def _title(fits: Told, label: str | None) -> str:
    who = f"by {fits.fits[0].name}" if len(fits.fits) == 1 else f"by {len(fits.fits)} methods"
    on = "" if label is None else f" on {plain(label)}"
    levels = {fit.intervals.level for fit in fits.fits if fit.intervals is not None}
    bars = f", with {percent(min(levels), 0)} intervals" if levels else ""
    return f"Accuracy of each judge{on} {who}{bars}"


def _words(
    fits: Told, judges: Sequence[str], shown: Sequence[Series], label: str | None
) -> list[str]:
    first = shown[0]
    points = [(j, v, e) for j, v, e in zip(judges, first.values, first.ends, strict=True) if v == v]
    words = [f"{_title(fits, label)}, for {len(judges)} judges from the best to the worst."]
    if points:
        best, worst = _one(*points[0]), _one(*points[-1])
        words.append(f"By {first.name} the best is {best}, the worst {worst}.")
    if len(points) < len(judges):
        words.append(f"{len(judges) - len(points)} judges have no accuracy there.")
    if fits.silent:
        words.append(f"Methods that gave no accuracies: {', '.join(fits.silent)}.")
    if fits.truth is not None:
        words.append(f"Crosses are counted against the key of {fits.n_keyed} items.")
    return words


def _one(judge: str, value: float, ends: tuple[float, float]) -> str:
    low, high = ends
    between = "" if isnan(low) else f" ({percent(low)} to {percent(high)})"
    return f"{plain(judge)} with {percent(value)}{between}"


# --- A learning curve as a figure.


_NAMES = {"accuracy": "accuracy on unseen items", "log_loss": "log loss on unseen items (nats)"}
_METHODS = ("majority", "dawid-skene", "recommended")
_SIZES = 4


def draw_learning_curve(
    data: LearningCurve | Votes,
    *,
    measure: str = "accuracy",
    over: str = "items",
    methods: Sequence[str] = _METHODS,
    sizes: Sequence[int] | None = None,
) -> Figure:
    """Draw accuracy on unseen items against the items fitted to, a line a method.

    Parameters
    ----------
    data : LearningCurve, or Votes with a key
        A curve is drawn as it is; of votes one is made with five repeats.
    measure : "accuracy" or "log_loss"
    over : "items" or "judges"
    methods : sequence of str
        For the curve of votes.
    sizes : sequence of int, optional
        Items to fit to; by default half of those with a known label, and that halved three times.
    """
    if isinstance(data, LearningCurve):
        return learning_curve_figure(data, measure=measure, over=over)
    if not isinstance(data, Votes):
        raise refuse_data(data, "Votes with a key or a LearningCurve")
    if data.key is None:
        raise DataError("votes must carry a key to score with; got none; pass key= when reading")
    if sizes is None:
        half = int((data.key != NOT_ANSWERED).sum()) // 2
        sizes = sorted({max(1, half >> k) for k in range(_SIZES)})
    curve = learning_curve(data, methods, sizes=sizes, n_repeats=5)
    return learning_curve_figure(curve, measure=measure, over=over)


def learning_curve_figure(
    curve: LearningCurve, *, measure: str = "accuracy", over: str = "items"
) -> Figure:
    """Draw one line per method, with error bars of one standard error over repeats.

    Parameters
    ----------
    curve : LearningCurve
    measure : "accuracy" or "log_loss"
    over : "items" or "judges"
        What runs along the axis; the other is held at its largest size.

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot; `algeval.report.figures.save` writes it.

    Raises
    ------
    DataError
        If `measure` or `over` is unknown.
    """
    from matplotlib import rc_context

    check_choice("measure", measure, tuple(_NAMES))
    check_choice("over", over, ("items", "judges"))
    with rc_context(STYLE):
        figure = new_figure(
            6.0, 4.0, f"{_NAMES[measure].capitalize()}, over {curve.n_repeats} repeats"
        )
        axes = figure.add_subplot()
        for index, method in enumerate(curve.methods):
            sizes, values, errors = _line(curve, method, measure, over)
            axes.errorbar(
                sizes,
                values,
                yerr=errors,
                label=plain(method),
                marker=MARKERS[index % len(MARKERS)],
                color=COLOURS[index % len(COLOURS)],
                capsize=3,
            )
        axes.set_xlabel("items fitted to" if over == "items" else "judges")
        axes.set_ylabel(_NAMES[measure])
        if over == "items" and max(curve.sizes) >= 10 * min(curve.sizes):
            _log_scale(axes, curve.sizes)
        axes.legend()
    return describe(figure, *_words_of_learning_curve(curve, measure, over))


def _log_scale(axes: Any, sizes: Sequence[int]) -> None:
    """Name the sizes themselves, as powers of ten would need mathematics drawn."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xticks(sorted(sizes), [str(size) for size in sorted(sizes)])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def _words_of_learning_curve(curve: LearningCurve, measure: str, over: str) -> list[str]:
    words = [f"{_NAMES[measure].capitalize()} against {over}, a line a method."]
    for method in curve.methods:
        sizes, values, _ = _line(curve, method, measure, over)
        if sizes:
            words.append(
                f"{plain(method)}: {values[0]:.3f} at {sizes[0]}, {values[-1]:.3f} at {sizes[-1]}."
            )
    return words


def _line(
    curve: LearningCurve, method: str, measure: str, over: str
) -> tuple[list[int], list[float], list[float]]:
    if over == "items":
        points = [(p.n_items, p) for p in curve.of(method)]
    else:
        top = max(curve.sizes)
        points = [(p.n_judges, p) for p in curve.points if p.method == method and p.n_items == top]
    points_ = [(x, p) for x, p in points if p.accuracy is not None]
    drawn = sorted(points_, key=lambda pair: pair[0])
    values = [float(getattr(p, measure)) for _, p in drawn]
    errors = [float(getattr(p, f"{measure}_error") or 0.0) for _, p in drawn]
    return [x for x, _ in drawn], values, errors


# --- How sure and how often right, as a figure.


_LARGEST = 12.0
_TITLE = "How sure, and how often right"
_METHODS_OF_RELIABILITY = ("majority", "dawid-skene", "recommended")


def draw_reliability(
    data: Any,
    *,
    methods: Sequence[str] | None = None,
    key: Any = None,
    title: str = "",
) -> Figure:
    """Draw how often the top label is right against how sure a method is of it.

    Parameters
    ----------
    data : Votes or KeyedSketch with a key, Comparison of such, Score, mapping of them, or a fit
        A fit needs `key`.
    methods : sequence of str, optional
        Of votes those to fit, without their key; of a comparison those to show.
    key : optional
        What `score` takes, for a fit.
    title : str
    """
    return reliability_figure(_scores(data, methods, key), title=title)


def _scores(data: Any, methods: Sequence[str] | None, key: Any) -> Mapping[str, Score]:
    if isinstance(data, Score):
        return {data.message.partition(":")[0]: data}
    if isinstance(data, Mapping):
        return data
    if isinstance(data, Aggregation | ScoreAggregation):
        if key is None:
            raise DataError(
                "a fit must come with key= to be scored; got none; pass the keyed votes"
            )
        return {data.method: score(data, key)}
    if isinstance(data, Comparison):
        shown = data.estimates if methods is None else [data[name] for name in methods]
        results = {e.method: e.score for e in shown if e.score is not None}
        if not results:
            raise DataError("the comparison must hold scores; got none; compare votes with a key")
        return results
    if not isinstance(data, Votes | KeyedSketch):
        raise refuse_data(data, "votes with a key, a Score, a Comparison or a fit")
    if keyed_part(data) is None:
        raise DataError("votes must carry a key to be scored; got none; pass key= when reading")
    blind = split_key(data)[0]
    return {
        method: score(aggregate(blind, method), data)
        for method in methods or _METHODS_OF_RELIABILITY
    }


def reliability_figure(scores: Mapping[str, Score], *, title: str = "") -> Figure:
    """Draw how often the top label is right against how sure the method was of it.

    Use it on what `algeval.aggregate.score` returns, for one method or several. A method whose
    probabilities mean what they say lies on the grey line; below it, it is too sure, above it too
    modest. Each mark is one bin; its area grows with the items in it.

    Parameters
    ----------
    scores : mapping from name to Score
    title : str

    Returns
    -------
    matplotlib.figure.Figure
        Not registered with pyplot; `algeval.report.figures.to_svg` makes text of it.

    Raises
    ------
    DataError
        If no score is given.
    """
    from matplotlib import rc_context

    if not scores or not all(isinstance(scored, Score) for scored in scores.values()):
        raise DataError("scores must hold at least one Score; got none; call score() on a result")
    with rc_context(STYLE):
        figure = new_figure(4.8, 4.4, title or _TITLE)
        axes = figure.add_subplot()
        points = [(b.confidence, b.accuracy) for scored in scores.values() for b in scored.bins]
        least = min(0.5, *(value for point in points for value in point))
        axes.plot([least, 1], [least, 1], color=GREY, linewidth=1, label="as sure as right")
        for index, (name, scored) in enumerate(scores.items()):
            _bins(axes, name, scored, index)
        axes.set_xlabel("how sure: mean probability of the top label")
        axes.set_ylabel("how often right")
        show_levels(axes.xaxis)
        show_levels(axes.yaxis)
        axes.legend(title="calibration error", markerscale=0.8)
    return describe(figure, *_words_of_reliability(scores))


def _bins(axes: Any, name: str, scored: Score, index: int) -> None:
    colour = COLOURS[index % len(COLOURS)]
    sure, right = [b.confidence for b in scored.bins], [b.accuracy for b in scored.bins]
    area = [_LARGEST**2 * b.n_items / scored.n_scored for b in scored.bins]
    axes.plot(sure, right, color=colour, linewidth=1)
    axes.scatter(
        sure,
        right,
        s=[max(12.0, size) for size in area],
        color=colour,
        marker=MARKERS[index % len(MARKERS)],
        label=f"{plain(name)} ({scored.calibration_error:.3f})",
    )


def _words_of_reliability(scores: Mapping[str, Score]) -> list[str]:
    words = ["How often the most probable label is right, against how sure the method is of it."]
    return words + [
        f"{plain(name)}: {percent(scored.accuracy)} of {scored.n_scored} items right, calibration error "
        f"{scored.calibration_error:.3f}."
        for name, scored in scores.items()
    ]


# --- What each judge answers to items of each label: one small table a judge.


MOST_TABLES = 24
"""Tables on one figure; further judges are on the next page."""
_MOST_WRITTEN = 4
"""Tables of more answers have colours only."""
_ACROSS = 6


def draw_confusion(
    data: Any,
    *,
    judges: Sequence[str] | None = None,
    method: str | None = None,
    page: int = 1,
) -> Figure:
    """Draw the confusion table of each judge, as a method estimates it: rows true, columns answered.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Aggregation, Bootstrap, Comparison or Evaluation
    judges : sequence of str, optional
        Those to show, in this order; by default all, 24 a page.
    method : str, optional
        The method to fit, or that of a comparison to show.
    page : int
        Which 24 judges, from 1 on.
    """
    fit = _fit(data, method)
    every = list(fit.evaluation.judges) if judges is None else list(judges)
    positions("judge", every, fit.evaluation.judges)
    pages = max(1, ceil(len(every) / MOST_TABLES))
    first = MOST_TABLES * (check_whole("page", page, 1, pages) - 1)
    shown = every[first : first + MOST_TABLES]
    left_out = len(every) - len(shown)
    note = f"{left_out} judges not shown: pages 1 to {pages}, this is {page}" if left_out else ""
    figure = _draw(fit, shown, note)
    return describe(figure, *_words_of_confusion(fit, shown), f"{note}." if note else "")


def _fit(data: Any, method: str | None) -> Fit:
    fits = read_fits(data, methods=None if method is None else [method])
    return next((fit for fit in fits.fits if fit.name == "recommended"), fits.fits[-1])


def _draw(fit: Fit, shown: Sequence[str], note: str) -> Figure:
    evaluation = fit.evaluation
    rows, columns = len(evaluation.labels), len(evaluation.answers)
    across = min(len(shown), _ACROSS)
    down = ceil(len(shown) / across)
    side = 1.25 if columns <= _MOST_WRITTEN else 1.7
    title = (
        f"What each judge answers to each label, by {fit.name}\nrows: true label; columns: answer"
    )
    figure = new_figure(
        max(4.4, across * side + 1.6),
        down * (side * max(rows / columns, 0.6) + 0.35) + 1.5,
        f"{title}\n{note}" if note else title,
    )
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    image = None
    for index, axes in enumerate(grid.ravel()):
        if index >= len(shown):
            axes.set_visible(False)
            continue
        image = _one_of_confusion(axes, evaluation, shown[index])
        _name(axes, evaluation, left=index % across == 0, bottom=index + across >= len(shown))
    if image is not None:
        bar = figure.colorbar(image, ax=list(grid.ravel()), shrink=0.8, label="share of the label")
        show_levels(bar.ax.yaxis)
    return figure


def _one_of_confusion(axes: Any, evaluation: Evaluation, judge: str) -> Any:
    table = evaluation.confusion[evaluation.judges.index(judge)].astype(float)
    written = max(table.shape) <= _MOST_WRITTEN
    image = show_table(
        axes,
        table,
        colours=LEVELS,
        least=0.0,
        most=1.0,
        form=partial(percent, digits=0) if written else None,
    )
    axes.set_title(plain(judge, 18), fontsize=8)
    return image


def _name(axes: Any, evaluation: Evaluation, *, left: bool, bottom: bool) -> None:
    """Write labels left of the first table of a row and answers under the last of a column."""
    size = 7.5 if len(evaluation.answers) <= 12 else 6.0
    axes.set_yticks(
        range(len(evaluation.labels)), [plain(x, 14) for x in evaluation.labels], fontsize=size
    )
    axes.set_xticks(
        range(len(evaluation.answers)), [plain(x, 14) for x in evaluation.answers], fontsize=size
    )
    axes.tick_params(axis="y", labelleft=left)
    long = max(map(len, evaluation.answers)) > 4
    axes.tick_params(axis="x", labelbottom=bottom, labelrotation=90 if long else 0)


def _words_of_confusion(fit: Fit, shown: Sequence[str]) -> list[str]:
    evaluation = fit.evaluation
    words = [
        f"Confusion tables of {len(shown)} judges by {fit.name}, labels "
        f"{', '.join(map(plain, evaluation.labels))}."
    ]
    worst = [
        (value, judge, label)
        for judge in shown
        for label in evaluation.labels
        if (value := evaluation.accuracy(judge, label)) is not None
    ]
    for what, (value, judge, label) in (
        (("Lowest", min(worst)), ("Highest", max(worst))) if worst else ()
    ):
        told_share = percent(float(value))
        words.append(f"{what} accuracy on a label: {plain(judge)} on {plain(label)}, {told_share}.")
    return words


# --- How often two judges agree, judges that pass for copies of one another side by side.


_WORDS = {"agreement": "share of common items answered alike", "kappa": "Cohen's kappa"}


def draw_agreement(
    data: Any,
    *,
    measure: str = "agreement",
    groups: JudgeGroups | Literal["auto"] | None = "auto",
) -> Figure:
    """Draw how often every two judges agree; a frame holds judges that pass for copies.

    Groups stand first, then the other judges, those who agree most with everybody first.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Agreement
    measure : "agreement" or "kappa"
        The share of common items answered alike, or Cohen's kappa.
    groups : JudgeGroups, "auto" or None
        "auto" looks for groups in votes, unless that would take long; None draws no frames.
    """
    check_choice("measure", measure, tuple(_WORDS))
    if isinstance(data, JudgeGroups):
        raise DataError(
            "data must be votes or an Agreement, as a JudgeGroups does not hold how often every two "
            "judges agree; got one; draw 'agreement' of the votes with groups= this result"
        )
    if not isinstance(data, Votes | Sketch | KeyedSketch | Agreement):
        raise refuse_data(data, "Votes, a Sketch, a KeyedSketch or an Agreement")
    result = data if isinstance(data, Agreement) else agreement(data)
    if len(result.judges) < 2:
        raise DataError("agreement must be of two judges or more; got one; choose more")
    framed, note = _groups(data, groups)
    table = _table(result, measure)
    judges = _order(result.judges, framed, table)
    indices = [result.judges.index(judge) for judge in judges]
    figure = _draw_of_agreement(judges, table[np.ix_(indices, indices)], framed, measure)
    return describe(
        figure, *_words_of_agreement(result.judges, table, measure), _framed_words(framed), note
    )


def _groups(data: Any, groups: Any) -> tuple[list[tuple[str, ...]], str]:
    """Groups to frame, and what was not looked for."""
    if isinstance(groups, JudgeGroups):
        return list(groups.groups), ""
    if groups is None or isinstance(data, Agreement):
        return [], "Groups of copies were not looked for."
    sketch = data.sketch() if isinstance(data, Votes) else getattr(data, "sketch", data)
    sketch = sketch() if callable(sketch) else sketch
    if sketch.n_judges**2 * len(sketch) > policy.MOST_COPIES_WORK:
        return [], "Groups of copies were not looked for, as that would take long."
    return list(judge_groups(sketch).groups), ""


def _table(result: Agreement, measure: str) -> Floats:
    """Return (N, N) numbers, NaN on the diagonal and where there are none."""
    n = len(result.judges)
    if measure == "kappa":
        flat = [np.nan if v is None else float(v) for v in result.cohens().ravel().tolist()]
        return np.array(flat).reshape(n, n)
    alike = np.trace(result.pairs, axis1=2, axis2=3).astype(float)
    shared = result.shared().astype(float)
    table: Floats = np.divide(alike, shared, where=shared > 0, out=np.full((n, n), np.nan))
    np.fill_diagonal(table, np.nan)
    return table


def _order(judges: tuple[str, ...], framed: list[tuple[str, ...]], table: Floats) -> list[str]:
    grouped = [judge for group in framed for judge in group]
    with_others = np.array([np.nanmean(row) if np.isfinite(row).any() else -1.0 for row in table])
    rest = [judges[i] for i in np.argsort(-with_others, kind="stable") if judges[i] not in grouped]
    return [*grouped, *rest]


def _draw_of_agreement(
    judges: list[str], table: Floats, framed: list[tuple[str, ...]], measure: str
) -> Figure:
    n = len(judges)
    figure, (axes,) = table_figure(judges, _title_of_agreement(framed, measure))
    finite = table[np.isfinite(table)]
    least = float(np.floor(10 * finite.min()) / 10) if len(finite) else 0.0
    form = partial(percent, digits=0) if measure == "agreement" else "{:.2f}".format
    image = show_table(
        axes,
        table,
        colours=LEVELS,
        least=least,
        most=1.0,
        form=form if n <= MOST_WRITTEN else None,
    )
    name_rows(axes, judges)
    first = 0
    for group in framed:
        frame(axes, first, len(group), RED)
        first += len(group)
    bar = figure.colorbar(image, ax=axes, shrink=0.75, label=_WORDS[measure])
    if measure == "agreement":
        show_levels(bar.ax.yaxis)
    return figure


def _title_of_agreement(framed: list[tuple[str, ...]], measure: str) -> str:
    what = "How often two judges agree" if measure == "agreement" else "Cohen's kappa of two judges"
    return f"{what}\nframed: pass for copies of one judge" if framed else what


def _words_of_agreement(judges: tuple[str, ...], table: Floats, measure: str) -> list[str]:
    n = len(judges)
    left, right = np.triu_indices(n, 1)
    values = table[left, right]
    words = [f"A table of {n} by {n} judges: {_WORDS[measure]}."]
    finite = np.flatnonzero(np.isfinite(values))
    if len(finite) < len(values):
        blank = how_many(len(values) - len(finite), "pair")
        words.append(f"{blank} without any: left blank.")
    for what, index in (("most", np.argmax), ("least", np.argmin)) if len(finite) else ():
        p = finite[index(values[finite])]
        number = percent(values[p]) if measure == "agreement" else f"{values[p]:.2f}"
        words.append(
            f"{plain(judges[left[p]])} and {plain(judges[right[p]])} agree {what}: {number}."
        )
    return words


def _framed_words(framed: list[tuple[str, ...]]) -> str:
    lines = ["; ".join(", ".join(map(plain, group)) for group in framed)] if framed else []
    return "".join(f"Framed as near copies: {groups}." for groups in lines)


# --- How sure a method is of its labels: items by the probability of the most probable label.


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
    fit = fitted(data, method)
    top = fit.posterior.max(axis=1)
    edges = np.linspace(1 / len(fit.labels), 1.0, _BINS + 1)
    figure = new_figure(6.4, 4.0, f"How sure {fit.method} is of its labels: {fit.n_items} items")
    axes: Any = figure.add_subplot()
    names = [*map(plain, fit.labels), "undecided"]
    base = np.zeros(_BINS)
    for index, name in zip([*range(len(fit.labels)), NOT_ANSWERED], names, strict=True):
        rows = fit.decisions == index
        items = _histogram(top[rows], fit.counts[rows], edges)
        if items.any():
            colour = GREY if index == NOT_ANSWERED else colour_of(index)
            width = (edges[1] - edges[0]) * 0.94
            axes.bar(edges[:-1], items, width, bottom=base, align="edge", color=colour, label=name)
        base += items
    axes.set(xlabel="probability of the most probable label", ylabel="items")
    axes.set_xlim(edges[0], 1.0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
    show_levels(axes.xaxis)
    if len(fit.labels) <= MOST_COLOURS:
        legend_below(figure, min(5, len(names)), title="label chosen")
    return describe(figure, *_words_of_posterior(fit, top))


def _histogram(top: Any, counts: Any, edges: Any) -> Any:
    """Return (bins,) items; a probability on an edge counts in the bin above, 1 in the last."""
    inside = np.clip(top, edges[0], edges[-1])
    return np.histogram(inside, edges, weights=counts.astype(float))[0]


def _words_of_posterior(result: Any, top: Any) -> list[str]:
    n = result.n_items
    sure, unsure = (int(result.counts[rows].sum()) for rows in (top >= _SURE, top < _UNSURE))
    mean = float(result.counts @ top) / n
    return [
        f"Histogram of the probability of the most probable label of {n} items, by {result.method}.",
        f"On average it is {percent(mean)}; at least {percent(_SURE, 0)} for {sure} items, below "
        f"{percent(_UNSURE, 0)} for {unsure}; {result.n_undecided} items are undecided.",
    ]


# --- Where judges disagree most: the votes of the items, in order of how far they are split.


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
    rows = _rows(votes, result)
    shown = min(check_whole("most", most), int((rows.entropy > _TIE).sum()))
    starred, title = _starred(votes, result)
    figure = _draw_of_disagreement(
        rows,
        votes.answers,
        shown,
        starred,
        f"\n{title} Star: majority and model differ." if title else "",
    )
    return describe(figure, *_words_of_disagreement(rows, shown), title)


def _rows(votes: Votes | Sketch, result: Aggregation | None = None) -> Rows:
    """Rows; of those that are split alike the ones first that the result is least sure of."""
    values, bits = vote_entropy(votes.codes, votes.n_answers)
    total = values.sum(axis=1)
    shares = values / np.maximum(total, 1)[:, None]
    entropy = np.where(total > 1, bits, np.nan)
    counts = np.ones(len(votes), np.int64) if isinstance(votes, Votes) else votes.counts
    split = np.nan_to_num(-entropy, nan=1.0).round(9)
    patterns = None if result is None else result.item_pattern
    if (
        result is not None
        and patterns is not None
        and result.items == getattr(votes, "items", None)
    ):
        order = np.lexsort((patterns, result.posterior_items.max(axis=1), split))
    else:
        order = np.lexsort((-counts, split))
    names = _names(votes)
    return Rows([names[i] for i in order], counts[order], shares[order], entropy[order])


def _names(votes: Votes | Sketch) -> list[str]:
    if isinstance(votes, Votes):
        return list(votes.items)
    tuples = (votes.decision(row) for row in range(len(votes)))
    return [" ".join("-" if a is None else a for a in answer) for answer in tuples]


def _starred(votes: Votes | Sketch, result: Aggregation | None) -> tuple[set[str], str]:
    """Names on which the majority and the result differ, and how many items that is."""
    if result is None:
        return set(), ""
    text = disagreement(votes, result).message
    indices = [votes.judges.index(judge) for judge in result.judges]
    plainly = aggregate(votes, "majority")
    majority = decide(predictor("majority")(plainly, votes.codes))
    model = decide(predictor(result.method)(result, votes.codes[:, indices]))
    differ = (majority != NOT_ANSWERED) & (model != NOT_ANSWERED) & (majority != model)
    return {name for name, starred in zip(_names(votes), differ, strict=True) if starred}, text


def _draw_of_disagreement(
    rows: Rows, answers: tuple[str, ...], shown: int, starred: set[str], text: str
) -> Figure:
    n_split = int(rows.counts[rows.entropy > _TIE].sum())
    n_items = int(rows.counts.sum())
    figure = new_figure(
        9.4,
        max(3.6, 1.6 + 0.2 * shown),
        f"The judges are split on {n_split} of {n_items} items{text}",
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
    colours = [colour_of(index) for index in range(len(answers))]
    if len(answers) <= MOST_COLOURS:
        from matplotlib.patches import Patch

        patches = [Patch(color=c, label=plain(a)) for a, c in zip(answers, colours, strict=True)]
        legend_below(figure, min(6, len(answers)), handles=patches)
    return figure


def _steps(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Disagreements there are, falling, and after how many items each begins and ends."""
    finite = np.isfinite(rows.entropy)
    values, index = np.unique(np.round(-rows.entropy[finite], 9), return_inverse=True)
    items = np.bincount(index, rows.counts[finite], len(values))
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


def _words_of_disagreement(rows: Rows, shown: int) -> list[str]:
    n_items, finite = int(rows.counts.sum()), np.isfinite(rows.entropy)
    split = int(rows.counts[rows.entropy > _TIE].sum())
    mean = float(rows.counts[finite] @ rows.entropy[finite]) / max(
        int(rows.counts[finite].sum()), 1
    )
    words = [
        f"Items in order of disagreement: the judges are split on {split} of {n_items} "
        f"({percent(split / n_items)}); the mean entropy of the votes is {mean:.2f} bits."
    ]
    silent = int(rows.counts[~finite].sum())
    if silent:
        words.append(f"{silent} items with fewer than two votes are left out.")
    if shown:
        named = ", ".join(plain(name) for name in rows.names[:3])
        words.append(f"The votes of the {shown} most disputed are shown, among them {named}.")
    return words


# --- Errors that judges share: couplings of a fitted model, or correlations left over after the
# label.


_LEFTOVER = "correlation of being wrong,\nleft over after the label"
_COUPLING = "coupling"


class Shared(NamedTuple):
    """What pairs of judges share: (N, N) tables by name, what their numbers are, what is left out."""

    judges: tuple[str, ...]
    tables: dict[str, Floats]
    unit: str
    note: str = ""


def draw_couplings(data: Any, *, label: str | None = None) -> Figure:
    """Draw what every two judges share beyond the label: red together, blue against one another.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, PairTest, ScoreTest or Aggregation
        Of votes the correlations of being wrong that `pair_test` finds are drawn; of a fit of
        'ising', 'ising-class-dependent' or 'log-linear' its couplings (log-odds that two judges
        answer alike beyond what the label explains; they count for conditional dependence).
    label : str, optional
        Of a fit with couplings per label the one to show; by default each.
    """
    result = _read(data)
    tables = result.tables
    if label is not None:
        positions("label", [label], tuple(tables))
        tables = {label: tables[label]}
    figure = _draw_of_couplings(result, tables)
    return describe(figure, *_words_of_couplings(result, tables))


def _read(data: Any) -> Shared:
    if isinstance(data, Votes | Sketch | KeyedSketch):
        data = pair_test(data, replicates=1)
    if isinstance(data, PairTest | ScoreTest):
        return Shared(data.judges, {"all labels": _off(data.pair_correlation)}, _LEFTOVER)
    if not isinstance(data, Aggregation):
        raise refuse_data(data, "votes, a test of pairs or an Aggregation")
    if "couplings" in data.parameters:
        tables = [_off(table) for table in np.array(data.parameters["couplings"], float)]
        alike = np.allclose(tables[0], tables[1], equal_nan=True)
        named = {"all labels": tables[0]} if alike else dict(zip(data.labels, tables, strict=True))
        return Shared(_heard(data), named, _COUPLING)
    if "interactions" in data.parameters:
        return _log_linear(data)
    raise DataError(
        "the result must be a fit with couplings between judges ('ising', 'ising-class-dependent' or "
        f"'log-linear'); got {data.method!r}; draw 'couplings' of the votes instead"
    )


def _log_linear(data: Aggregation) -> Shared:
    judges = _heard(data)
    table = np.full((len(judges), len(judges)), np.nan)
    sets, values = data.parameters["sets"], data.parameters["interactions"]
    pairs = [(s, v) for s, v in zip(sets, values, strict=True) if len(s) == 2]
    for (i, j), value in pairs:
        table[i, j] = table[j, i] = value
    more = len(sets) - len(pairs)
    note = f"{more} terms of three judges are not shown" if more else ""
    return Shared(judges, {"all labels": table}, _COUPLING, note)


def _heard(data: Aggregation) -> tuple[str, ...]:
    """Judges that answered at all: models of couplings hold no others."""
    gave = (data.patterns != NOT_ANSWERED).any(axis=0)
    return tuple(j for j, counts in zip(data.judges, gave.tolist(), strict=True) if counts)


def _off(table: Floats) -> Floats:
    """Copy without its diagonal."""
    result: Floats = np.array(table, float)
    np.fill_diagonal(result, np.nan)
    return result


def _draw_of_couplings(result: Shared, tables: dict[str, Floats]) -> Figure:
    n = len(result.judges)
    title = "What two judges share beyond the label\nred: err together; blue: against one another"
    title = f"{title}\n{result.note}" if result.note else title
    figure, grid = table_figure(result.judges, title, tables=len(tables))
    most = max(0.01, *(float(np.nanmax(np.abs(table), initial=0.0)) for table in tables.values()))
    image: Any = None
    for axes, (name, table) in zip(grid, tables.items(), strict=True):
        image = show_table(
            axes,
            table,
            colours="RdBu_r",
            least=-most,
            most=most,
            form="{:+.2f}".format if n <= MOST_WRITTEN else None,
        )
        name_rows(axes, result.judges)
        if len(tables) > 1:
            axes.set_title(f"items of {plain(name)}")
    figure.colorbar(image, ax=list(grid), shrink=0.75, label=result.unit)
    return figure


def _words_of_couplings(result: Shared, tables: dict[str, Floats]) -> list[str]:
    unit = result.unit.replace("\n", " ")
    words = [f"A table of {len(result.judges)} by {len(result.judges)} judges: {unit}, 0 is white."]
    left, right = np.triu_indices(len(result.judges), 1)
    for name, table in tables.items():
        values = table[left, right]
        finite = np.flatnonzero(np.isfinite(values))
        if len(finite):
            p = finite[np.argmax(np.abs(values[finite]))]
            pair = f"{plain(result.judges[left[p]])} and {plain(result.judges[right[p]])}"
            on = "" if len(tables) == 1 else f" on {plain(name)}"
            words.append(f"Furthest from 0{on}: {pair} with {values[p]:+.2f}.")
    return [*words, f"{result.note}." if result.note else ""]
