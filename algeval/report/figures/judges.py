"""Figures of judges and of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Votes
from algeval.data.evaluation import is_share, items_behind, shown_share, with_interval
from algeval.data.names import check_choice, check_whole, positions
from algeval.data.reading import Joint, keyed_part, split_key
from algeval.errors import DataError
from algeval.judges.card import JudgeCard, JudgeRow, judge_card
from algeval.judges.intervals import Interval
from algeval.judges.slicing import Slices
from algeval.logic.results import Threshold
from algeval.report.figures.drawing import (
    BLUE,
    COLOURS,
    DARK_TEXT,
    GREY,
    INK,
    LEVELS,
    LIGHT_TEXT,
    MARKERS,
    MOST_COLOURS,
    MOST_WRITTEN,
    RED,
    STYLE,
    Cells,
    Fit,
    Fits,
    colour_of,
    describe,
    fitted,
    legend_below,
    log_ticks,
    name_each,
    name_rows,
    new_figure,
    plain,
    read_fits,
    refuse_data,
    show_levels,
    show_table,
    table_figure,
    values_at,
    with_values,
)
from algeval.report.figures.systems import Row, draw_rows, mark_level
from algeval.result import exact, percent
from algeval.result.numbers import capital, how_many, rate_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METHODS = ("majority", "dawid-skene", "recommended")
"""Those whose learning curve or calibration is drawn of votes."""


# --- How good each judge is, with intervals: a row a judge, a mark a method, the key's own mark
# last.


class Series(NamedTuple):
    """Accuracy of each judge, and the ends of its interval; NaN where unknown."""

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
    """Accuracy of every judge with its interval, the best judge first.

    Of votes, an Aggregation, a Bootstrap or a Comparison, of which every method has a mark. `methods`
    are those to show, or to fit to votes; `label` takes the accuracy on the items of one label in place
    of the share of right answers; `ceiling` is a line at the level that not all judges can exceed
    together; `intervals` are refits where the data hold none, 0 for none; `key` is data whose key adds
    the accuracies counted against it, where `data` has no key.
    """
    fits = read_fits(data, methods=methods, intervals=intervals, key=key)
    judges = list(dict.fromkeys(j for fit in fits.fits for j in fit.evaluation.judges))
    results = [_series(fit, judges, label) for fit in fits.fits]
    if label is None:  # grades by posteriors that were held back; they have no intervals
        modest = [
            Series(
                f"{fit.name}, if errors are shared",
                [fit.shared.get(judge, nan) for judge in judges],
                [(nan, nan)] * len(judges),
            )
            for fit in fits.fits
            if fit.shared is not None
        ]
        results = [*modest, *results]
    shown = results
    if fits.truth is not None:
        name = f"by human labels ({fits.n_keyed} items)"
        shown = [*results, _series(Fit(name, fits.truth, fits.n_keyed), judges, label)]
    first = shown[0].values
    order = sorted(
        range(len(judges)),
        key=lambda i: (isnan(first[i]), -first[i] if first[i] == first[i] else 0),
    )
    judges = [judges[i] for i in order]
    shown = [
        Series(s.name, [s.values[i] for i in order], [s.ends[i] for i in order]) for s in shown
    ]
    height = 1.9 + len(judges) * max(0.21, 0.11 * len(shown))
    figure = new_figure(6.4, height, _title(fits, label))
    axes = figure.add_subplot()
    for index, series in enumerate(shown):
        marks = _marks(axes, series, index, len(shown), key=index >= len(results))
        values = zip(judges, series.values, series.ends, strict=True)
        texts = [
            f"{plain(judge)}: {with_interval(shown_share(value), ends)}, {series.name}"
            for judge, value, ends in values
            if not isnan(value)
        ]
        with_values(marks[0], texts)
    name_each(axes, [plain(j) for j in judges])
    numbers = [v for s in shown for v in (*s.values, *(low for low, _ in s.ends)) if not isnan(v)]
    if ceiling is not None:
        level = ceiling.upper if isinstance(ceiling, Threshold) else exact(ceiling, "ceiling")
        text = f"not all judges can be above {percent(level)} on every label (logic)"
        axes.axvline(float(level), color=RED, linestyle="--", linewidth=1.2, label=text)
        numbers.append(float(level))
    least = floor(10 * min(numbers, default=0.0)) / 10
    axes.set_xlim(min(max(least, 0.0), 0.9), 1.005)
    axes.set_xlabel(
        "share of right answers" if label is None else f"right on items of {plain(label)}"
    )
    axes.grid(axis="x")
    axes.spines["bottom"].set_color(INK)
    show_levels(axes.xaxis)
    if len(shown) > 1 or ceiling is not None:
        legend_below(figure, 3)
    return describe(figure, *_words(fits, judges, shown, label))


def _series(fit: Fit, judges: Sequence[str], label: str | None) -> Series:
    values = [_accuracy(fit, j, label) if j in fit.evaluation.judges else nan for j in judges]
    made = fit.intervals
    ends = [
        (nan, nan) if made is None or isnan(v) else made.accuracy_of(j, label)
        for j, v in zip(judges, values, strict=True)
    ]
    return Series(fit.name, values, ends)


def _accuracy(fit: Fit, judge: str, label: str | None) -> float:
    """Accuracy; NaN where it is no share, or rests on less than one item."""
    evaluation = fit.evaluation
    if label is None:
        value: Any = evaluation.grade(judge)
    else:
        (i,) = positions("judge", [judge], evaluation.judges)
        (t,) = positions("label", [label], evaluation.labels)
        thin = fit.n_items and items_behind(evaluation, i, t, fit.n_items) < 1
        value = None if thin else evaluation.accuracy(judge, label)
    return min(max(float(value), 0.0), 1.0) if is_share(value) else nan


def _marks(axes: Any, series: Series, index: int, many: int, *, key: bool) -> Any:
    spread = 0.7 * (index - (many - 1) / 2) / many
    pairs = list(zip(series.values, series.ends, strict=True))
    errors = [
        [0.0 if isnan(low) else max(v - low, 0.0) for v, (low, _) in pairs],
        [0.0 if isnan(high) else max(high - v, 0.0) for v, (_, high) in pairs],
    ]
    return axes.errorbar(
        series.values,
        [row + spread for row in range(len(series.values))],
        xerr=None if all(isnan(low) for low, _ in series.ends) else errors,
        fmt="x" if key else MARKERS[index % len(MARKERS)],
        color="#000000" if key else COLOURS[index % (len(COLOURS) - 2)],
        markersize=5,
        elinewidth=1.2,
        label=series.name,
        zorder=4 if key else 3,
    )


def _title(fits: Fits, label: str | None) -> str:
    who = f"by {fits.fits[0].name}" if len(fits.fits) == 1 else f"by {len(fits.fits)} methods"
    on = "" if label is None else f" on {plain(label)}"
    levels = {fit.intervals.level for fit in fits.fits if fit.intervals is not None}
    bars = f", with {percent(min(levels), 0)} intervals" if levels else ""
    return f"Accuracy of each judge{on} {who}{bars}"


def _words(
    fits: Fits, judges: Sequence[str], shown: Sequence[Series], label: str | None
) -> list[str]:
    first = shown[0]
    points = [
        f"{plain(judge)} with {percent(value)}"
        + ("" if isnan(low) else f" ({percent(low)} to {percent(high)})")
        for judge, value, (low, high) in zip(judges, first.values, first.ends, strict=True)
        if value == value
    ]
    words = [f"{_title(fits, label)}, for {len(judges)} judges from the best to the worst."]
    if points:
        words.append(f"By {first.name} the best is {points[0]}, the worst {points[-1]}.")
    if len(points) < len(judges):
        words.append(f"{len(judges) - len(points)} judges have no accuracy there.")
    if fits.silent:
        words.append(f"Methods that gave no accuracies: {', '.join(fits.silent)}.")
    if fits.truth is not None:
        words.append(f"Crosses are by human labels of {fits.n_keyed} items.")
    return words


# --- How good each judge is by what people labelled.


def draw_by_labels(
    rows: Sequence[tuple[str, int, int, tuple[float, float]]], *, whenever: bool = False
) -> Figure:
    """Share of right answers of every judge on what people labelled, with its interval, the best first.

    `rows` are the judges: a name, how many of its answers were right, of how many, and the ends of the 95%
    interval; `whenever`: these hold whenever one stops labelling.
    """
    ordered = sorted(rows, key=lambda row: -row[1] / row[2])
    names = [plain(judge) for judge, *_ in ordered]
    values = [k / n for _, k, n, _ in ordered]
    ends = [row[3] for row in ordered]
    title = "Accuracy of each judge by human labels, 95% confidence intervals"
    kind = (
        "Each interval is of one judge by itself, and holds whenever one stops labelling"
        if whenever
        else "Each interval is of one judge by itself (mid-p), for a number of labels fixed beforehand"
    )
    figure = new_figure(6.4, 1.7 + 0.33 * len(rows), title)
    axes = figure.add_subplot()
    errors = [
        [max(v - low, 0.0) for v, (low, _) in zip(values, ends, strict=True)],
        [max(high - v, 0.0) for v, (_, high) in zip(values, ends, strict=True)],
    ]
    marks = axes.errorbar(
        values,
        range(len(rows)),
        xerr=errors,
        fmt="o",
        color=BLUE,
        markersize=6,
        elinewidth=2.0,
    )
    texts = [
        f"{plain(judge)}: {percent(k / n)} right, {k} of {n} labelled "
        f"(95% interval {percent(low)} to {percent(high)})"
        for judge, k, n, (low, high) in ordered
    ]
    with_values(marks[0], texts)
    values_at(axes, [(*end, k - 0.4, k + 0.4) for k, end in enumerate(ends)], texts)
    name_each(axes, names)
    least = floor(10 * min(low for low, _ in ends)) / 10
    axes.set_xlim(min(max(least, 0.0), 0.9), 1.005)
    holds = (
        "whenever one stops labelling" if whenever else "for a number of labels fixed beforehand"
    )
    axes.set_xlabel(f"accuracy on the items that people labelled\n95% intervals {holds}")
    axes.grid(axis="x")
    axes.spines["bottom"].set_color(INK)
    show_levels(axes.xaxis, digits=0)
    best, worst = (
        f"{name} with {percent(value, 0)} ({100 * low:.0f} to {100 * high:.0f})"
        for name, value, (low, high) in ((names[k], values[k], ends[k]) for k in (0, len(rows) - 1))
    )
    return describe(
        figure,
        f"{title}, for {how_many(len(rows), 'judge')}. {kind}.",
        f"By labels the best is {best}, the worst {worst}.",
    )


# --- A learning curve as a figure.


_NAMES = {"accuracy": "accuracy on unseen items", "log_loss": "log loss on unseen items (nats)"}
_SIZES = 4


def draw_learning_curve(
    data: LearningCurve | Votes,
    *,
    measure: str = "accuracy",
    over: str = "items",
    methods: Sequence[str] = METHODS,
    sizes: Sequence[int] | None = None,
) -> Figure:
    """Accuracy on unseen items against the items fitted to, a line a method.

    A LearningCurve is drawn as it is; of Votes with a key one is made with five repeats, of `methods` and
    with `sizes` items to fit to: by default half of those with a known label, and that halved three times.
    `measure` is "accuracy" or "log_loss", `over` "items" or "judges".
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
    lines = {method: _line(curve, method, measure, over) for method in curve.methods}
    name = _NAMES[measure]
    with rc_context(STYLE):
        figure = new_figure(6.0, 4.0, f"{name.capitalize()}, over {curve.n_repeats} repeats")
        axes = figure.add_subplot()
        for index, (method, (sizes, values, errors)) in enumerate(lines.items()):
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
        axes.set_ylabel(name)
        if over == "items" and max(curve.sizes) >= 10 * min(curve.sizes):
            log_ticks(axes, sorted(curve.sizes))
        axes.legend()
    words = [
        f"{plain(method)}: {values[0]:.3f} at {sizes[0]}, {values[-1]:.3f} at {sizes[-1]}."
        for method, (sizes, values, _) in lines.items()
        if sizes
    ]
    return describe(figure, f"{name.capitalize()} against {over}, a line a method.", *words)


def _line(
    curve: LearningCurve, method: str, measure: str, over: str
) -> tuple[list[int], list[float], list[float]]:
    if over == "items":
        points = [(p.n_items, p) for p in curve.of(method)]
    else:
        top = max(curve.sizes)
        points = [(p.n_judges, p) for p in curve.points if p.method == method and p.n_items == top]
    drawn = sorted([(x, p) for x, p in points if p.accuracy is not None], key=lambda pair: pair[0])
    values = [float(getattr(p, measure)) for _, p in drawn]
    errors = [float(getattr(p, f"{measure}_error") or 0.0) for _, p in drawn]
    return [x for x, _ in drawn], values, errors


# --- How sure and how often right, as a figure.


_LARGEST = 12.0


def draw_reliability(
    data: Any, *, methods: Sequence[str] | None = None, key: Any = None, title: str = ""
) -> Figure:
    """How often the top label is right against how sure a method is of it.

    Of Votes or a KeyedSketch with a key, a Comparison of such, a Score or a mapping of them, or a fit with
    `key`, which is what `score` takes. `methods` are those to fit to votes without their key, or those of a
    comparison to show.
    """
    if isinstance(data, Score):
        data = {data.message.partition(":")[0]: data}
    elif isinstance(data, Aggregation | ScoreAggregation):
        if key is None:
            raise DataError(
                "a fit must come with key= to be scored; got none; pass the keyed votes"
            )
        data = {data.method: score(data, key)}
    elif isinstance(data, Comparison):
        shown = data.estimates if methods is None else [data[name] for name in methods]
        data = {e.method: e.score for e in shown if e.score is not None}
        if not data:
            raise DataError("the comparison must hold scores; got none; compare votes with a key")
    elif isinstance(data, Votes | KeyedSketch):
        if keyed_part(data) is None:
            raise DataError("votes must carry a key to be scored; got none; pass key= when reading")
        blind = split_key(data)[0]
        data = {name: score(aggregate(blind, name), data) for name in methods or METHODS}
    elif not isinstance(data, Mapping):
        raise refuse_data(data, "votes with a key, a Score, a Comparison or a fit")
    return reliability_figure(data, title=title)


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
    words = ["How often the most probable label is right, against how sure the method is of it."]
    with rc_context(STYLE):
        figure = new_figure(4.8, 4.4, title or "How sure, and how often right")
        axes: Any = figure.add_subplot()
        points = [(b.confidence, b.accuracy) for scored in scores.values() for b in scored.bins]
        least = min(0.5, *(value for point in points for value in point))
        axes.plot([least, 1], [least, 1], color=GREY, linewidth=1, label="as sure as right")
        for index, (name, scored) in enumerate(scores.items()):
            colour, error = COLOURS[index % len(COLOURS)], f"{scored.calibration_error:.3f}"
            bins = [b.confidence for b in scored.bins], [b.accuracy for b in scored.bins]
            area = [max(12.0, _LARGEST**2 * b.n_items / scored.n_scored) for b in scored.bins]
            style = {"color": colour, "marker": MARKERS[index % len(MARKERS)]}
            axes.plot(*bins, color=colour, linewidth=1)
            axes.scatter(*bins, s=area, label=f"{plain(name)} ({error})", **style)
            words.append(
                f"{plain(name)}: {percent(scored.accuracy)} of {scored.n_scored} items right, calibration "
                f"error {error}."
            )
        axes.set_xlabel("how sure: mean probability of the top label")
        axes.set_ylabel("how often right")
        show_levels(axes.xaxis, axes.yaxis)
        axes.legend(title="calibration error", markerscale=0.8)
    return describe(figure, *words)


# --- What each judge answers to items of each label: one small table a judge.


MOST_TABLES = 24
"""Tables on one figure; further judges are on the next page."""
_MOST_WRITTEN = 4
"""Tables of more answers have colours only."""
_ACROSS = 6


def draw_confusion(
    data: Any, *, judges: Sequence[str] | None = None, method: str | None = None, page: int = 1
) -> Figure:
    """Confusion table of each judge, as a method estimates it: rows true, columns answered.

    Of votes, an Aggregation, a Bootstrap, a Comparison or an Evaluation. `judges` are those to show, in
    this order, by default all, 24 on a `page`, from 1 on; `method` is the one to fit, or that of a
    comparison to show.
    """
    fits = read_fits(data, methods=None if method is None else [method])
    fit = next((fit for fit in fits.fits if fit.name == "recommended"), fits.fits[-1])
    every = list(fit.evaluation.judges) if judges is None else list(judges)
    positions("judge", every, fit.evaluation.judges)
    pages = max(1, ceil(len(every) / MOST_TABLES))
    first = MOST_TABLES * (check_whole("page", page, 1, pages) - 1)
    shown = every[first : first + MOST_TABLES]
    left_out = len(every) - len(shown)
    note = f"{left_out} judges not shown: pages 1 to {pages}, this is {page}" if left_out else ""
    figure = _draw_of_confusion(fit, shown, note)
    return describe(figure, *_words_of_confusion(fit, shown), f"{note}." if note else "")


def draw_confusion_by_labels(comparison: Comparison) -> Figure:
    """Confusion table of each judge as people's labels count it."""
    if comparison.truth is None:
        raise DataError("the comparison must have labels of people; got none; leave the figure out")
    fit = Fit("human labels", comparison.truth.to_floats(), comparison.n_keyed)
    shown = fit.evaluation.judges[:MOST_TABLES]
    note = f"{how_many(comparison.n_keyed, 'labelled item')}"
    figure = _draw_of_confusion(fit, shown, note)
    return describe(figure, *_words_of_confusion(fit, shown))


def _draw_of_confusion(fit: Fit, shown: Sequence[str], note: str) -> Figure:
    evaluation = fit.evaluation
    labels, answers = evaluation.labels, evaluation.answers
    across = min(len(shown), _ACROSS)
    down = ceil(len(shown) / across)
    side = 1.25 if len(answers) <= _MOST_WRITTEN else 1.7
    title = (
        f"What each judge answers to each label, by {fit.name}\nrows: true label; columns: answer"
    )
    figure = new_figure(
        max(4.4, across * side + 1.6),
        down * (side * max(len(labels) / len(answers), 0.6) + 0.35) + 1.5,
        f"{title}\n{note}" if note else title,
    )
    grid = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    written = max(len(labels), len(answers)) <= _MOST_WRITTEN
    form = partial(percent, digits=0)
    size = 7.5 if len(answers) <= 12 else 6.0
    turn = 90 if max(map(len, answers)) > 4 else 0
    image = None
    for index, axes in enumerate(grid.ravel()):
        if index >= len(shown):
            axes.set_visible(False)
            continue
        table = evaluation.confusion[evaluation.judges.index(shown[index])].astype(float)
        cells = Cells(labels, answers, f"{plain(shown[index], 60)} on true label ", " says ")
        style: dict[str, Any] = {"colours": LEVELS, "least": 0.0, "most": 1.0, "form": form}
        image = show_table(axes, table, **style, written=written, cells=cells)
        axes.set_title(plain(shown[index], 18), fontsize=8)
        # labels stand left of the first table of a row, answers under the last of a column
        axes.set_yticks(range(len(labels)), [plain(x, 14) for x in labels], fontsize=size)
        axes.set_xticks(range(len(answers)), [plain(x, 14) for x in answers], fontsize=size)
        axes.tick_params(axis="y", labelleft=index % across == 0)
        axes.tick_params(axis="x", labelbottom=index + across >= len(shown), labelrotation=turn)
    if image is not None:
        bar = figure.colorbar(image, ax=list(grid.ravel()), shrink=0.8, label="share of the label")
        show_levels(bar.ax.yaxis)
    return figure


def _words_of_confusion(fit: Fit, shown: Sequence[str]) -> list[str]:
    evaluation = fit.evaluation
    labels = ", ".join(map(plain, evaluation.labels))
    words = [f"Confusion tables of {len(shown)} judges by {fit.name}, labels {labels}."]
    entries = [
        (value, judge, label)
        for judge in shown
        for label in evaluation.labels
        if (value := evaluation.accuracy(judge, label)) is not None
    ]
    for what, pick in (("Lowest", min), ("Highest", max)) if entries else ():
        value, judge, label = pick(entries)
        words.append(
            f"{what} accuracy on a label: {plain(judge)} on {plain(label)}, {percent(float(value))}."
        )
    return words


# --- The card of judges by people's labels: intervals, and what each said of what.


def draw_judge_card(data: Any, *, most: int = 10) -> Figure:
    """Each judge by people's labels, a panel a figure with its intervals, and below what it said of what.

    A JudgeCard is drawn as it is; of Votes with a key it is made. The line is a judge that always gives the
    commonest label. Below, rows are what people said and columns what the judge said, in items; colours are
    shares of the row. Of more than `most` judges those that are right most often are drawn.
    """
    card = data if isinstance(data, JudgeCard) else None
    if isinstance(data, Votes):
        card = judge_card(data)
    if card is None:
        raise refuse_data(data, "a JudgeCard, or Votes with a key")
    rows = sorted(card.judges, key=lambda r: (-(r.accuracy.value or 0.0), r.judge))
    rows = rows[: check_whole("most", most, 1)]
    labels = card.labels[:_MOST_WRITTEN]
    panels = [
        ("accuracy", [r.accuracy for r in rows], card.constant.accuracy),
        ("balanced accuracy", [r.balanced_accuracy for r in rows], card.constant.balanced_accuracy),
    ]
    for label in labels:
        name = f"recall of {plain(label, 14)}"
        panels.append((name, [r.recall[label] for r in rows], card.constant.recall[label]))
    across = min(len(rows), _ACROSS)
    down = ceil(len(rows) / across)
    top, bottom = 0.75 + 0.27 * len(rows), down * (1.25 if len(card.labels) <= 4 else 1.6)
    left_out = len(card.judges) - len(rows)
    title = (
        f"{how_many(len(card.judges), 'judge')} by people's labels of {how_many(card.n_gold, 'item')}, "
        f"{percent(card.level, 0)} intervals\ndashed: {plain(card.constant.judge)}"
    )
    title += f"; {how_many(left_out, 'less accurate judge')} left out" if left_out else ""
    figure = new_figure(max(6.4, 1.6 + 1.95 * len(panels)), top + bottom + 1.4, title)
    parts: Any = figure.subfigures(2, 1, height_ratios=(top + 0.3, bottom + 0.3))
    upper, lower = parts
    grid = upper.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (name, intervals, constant) in zip(grid, panels, strict=True):
        _card_panel(axes, rows, intervals, constant)
        axes.set_xlabel(name)
    _card_tables(lower, card, rows, across, down)
    words = [
        f"{plain(r.judge)}: right on {with_interval(percent(r.accuracy.value), r.accuracy[1:])}."
        for r in rows
        if r.accuracy.value is not None
    ]
    return describe(figure, "Each judge by people's labels, the most accurate first.", *words)


def draw_slices(data: Any, *, most: int = 40) -> Figure:
    """Rate of each slice: its interval by itself, and as a thin line that of all slices at once.

    A slice with too few labels has its interval and no point. Of more than `most` slices those with the
    fewest labels are left out.
    """
    if not isinstance(data, Slices):
        raise refuse_data(data, "what ae.slices returns")
    ranked = sorted(range(len(data.table)), key=lambda k: -data.table[k].labelled)
    rows = [data.table[k] for k in sorted(ranked[: check_whole("most", most, 1)])]
    left_out = len(data.table) - len(rows)
    title = (
        f"{capital(rate_name(plain(data.good)))} of {how_many(len(data.table), 'slice')} by "
        f"{data.n_labelled} labels, "
        f"{percent(data.level, 0)} intervals\nthin: all slices at once; no point: too few labels"
    )
    title += f"; {how_many(left_out, 'slice')} left out" if left_out else ""
    figure = new_figure(6.4, 0.9 + 0.27 * len(rows) + 0.4, title)
    axes: Any = figure.subplots()
    labelled = [row for row in rows if row.labelled]
    draw_rows(
        axes,
        [
            Row(row.name, row.rate.low, row.rate.value, row.rate.high)
            if row in labelled
            else Row(row.name, None, None, None, nothing="no label")
            for row in rows
        ],
    )
    for height, row in enumerate(rows):
        if row in labelled:
            axes.hlines(height, row.together.low, row.together.high, color="0.6", lw=0.8, zorder=1)
    axes.set_xlim(-0.02, 1.02)
    show_levels(axes.xaxis)
    words = [f"{plain(row.name)}: {row.labelled} labels." for row in rows]
    return describe(figure, "The rate of each slice of outputs.", *words)


def _card_panel(
    axes: Any, rows: Sequence[JudgeRow], intervals: Sequence[Interval], constant: Interval
) -> None:
    """One figure of every judge; a judge without it has no mark."""
    shown = [
        Row(r.judge, i.low, i.value, i.high)
        if i.value is not None
        else Row(r.judge, None, None, None, nothing="not known")
        for r, i in zip(rows, intervals, strict=True)
    ]
    draw_rows(axes, shown)
    if constant.value is not None:
        mark_level(axes, constant.value, "")
    axes.set_xlim(-0.02, 1.02)
    show_levels(axes.xaxis)


def _card_tables(
    part: Any, card: JudgeCard, rows: Sequence[JudgeRow], across: int, down: int
) -> None:
    """What each judge said of what people said: numbers of items, coloured by shares of what people said."""
    grid = part.subplots(down, across, squeeze=False, sharex=True, sharey=True)
    counts = [np.array(r.confusion).T for r in rows]  # people's label by what it said
    others = any(table[:, -1].any() for table in counts)
    answers = [*card.labels, *(["other"] if others else [])]
    written = len(answers) <= _MOST_WRITTEN + 2
    turn = 90 if max(map(len, answers)) > 4 else 0
    image = None
    for index, axes in enumerate(grid.ravel()):
        if index >= len(rows):
            axes.set_visible(False)
            continue
        table = counts[index][:, : len(answers)]
        totals = table.sum(axis=1, keepdims=True)
        shares = np.divide(table, totals, where=totals > 0, out=np.full(table.shape, np.nan))
        image = show_table(axes, shares, colours=LEVELS, least=0.0, most=1.0)
        if written:
            for (row, column), n in np.ndenumerate(table):
                bright = shares[row, column] > 0.5 or not totals[row, 0]
                colour = DARK_TEXT if bright else LIGHT_TEXT
                style = {"ha": "center", "va": "center", "fontsize": 7.5, "color": colour}
                axes.text(column, row, f"{n}", **style)
        axes.set_title(plain(rows[index].judge, 26), fontsize=8)
        axes.set_yticks(range(len(card.labels)), [plain(x, 14) for x in card.labels], fontsize=7.5)
        axes.set_xticks(range(len(answers)), [plain(x, 14) for x in answers], fontsize=7.5)
        axes.tick_params(axis="y", labelleft=index % across == 0)
        axes.tick_params(axis="x", labelbottom=index + across >= len(rows), labelrotation=turn)
    part.supylabel("people said", fontsize=8)
    part.supxlabel("the judge said", fontsize=8)
    if image is not None:
        bar = part.colorbar(image, ax=list(grid.ravel()), shrink=0.8, label="share of the row")
        show_levels(bar.ax.yaxis)


# --- How often two judges agree, judges that pass for copies of one another side by side.


_WORDS = {"agreement": "share of common items answered alike", "kappa": "Cohen's kappa"}


def draw_agreement(
    data: Any, *, measure: str = "agreement", groups: JudgeGroups | Literal["auto"] | None = "auto"
) -> Figure:
    """How often every two judges agree; a frame holds judges that pass for copies.

    Of votes or an Agreement. Groups stand first, then the other judges, those who agree most with
    everybody first. `measure` is "agreement", the share of common items answered alike, or "kappa",
    Cohen's; `groups` "auto" looks for groups in votes, unless that would take long; None draws no frames.
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
    # groups first, then those who agree most with the others
    grouped = [judge for group in framed for judge in group]
    with_others = np.array([np.nanmean(row) if np.isfinite(row).any() else -1.0 for row in table])
    order = [result.judges[i] for i in np.argsort(-with_others, kind="stable")]
    judges = [*grouped, *(judge for judge in order if judge not in grouped)]
    indices = [result.judges.index(judge) for judge in judges]
    figure = _draw_of_agreement(judges, table[np.ix_(indices, indices)], framed, measure)
    copies = "; ".join(", ".join(map(plain, group)) for group in framed)
    words = f"Framed as near copies: {copies}." if framed else ""
    return describe(figure, *_words_of_agreement(result.judges, table, measure), words, note)


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
    """(N, N) numbers, NaN on the diagonal and where there are none."""
    n = len(result.judges)
    if measure == "kappa":
        flat = [np.nan if v is None else float(v) for v in result.cohens().ravel().tolist()]
        return np.array(flat).reshape(n, n)
    alike = np.trace(result.pairs, axis1=2, axis2=3).astype(float)
    shared = result.shared().astype(float)
    table: Floats = np.divide(alike, shared, where=shared > 0, out=np.full((n, n), np.nan))
    np.fill_diagonal(table, np.nan)
    return table


def _draw_of_agreement(
    judges: list[str], table: Floats, framed: list[tuple[str, ...]], measure: str
) -> Figure:
    from matplotlib.patches import Rectangle

    n = len(judges)
    what = "How often two judges agree" if measure == "agreement" else "Cohen's kappa of two judges"
    title = f"{what}\nframed: near copies of one judge" if framed else what
    figure, (axes,) = table_figure(judges, title)
    finite = table[np.isfinite(table)]
    least = float(np.floor(10 * finite.min()) / 10) if len(finite) else 0.0
    form = partial(percent, digits=0) if measure == "agreement" else "{:.2f}".format
    style: dict[str, Any] = {"colours": LEVELS, "least": least, "most": 1.0, "form": form}
    image = show_table(axes, table, **style, written=n <= MOST_WRITTEN, cells=Cells(judges, judges))
    name_rows(axes, judges)
    first = 0
    for group in framed:
        corner, side = (first - 0.5, first - 0.5), len(group)
        axes.add_patch(Rectangle(corner, side, side, fill=False, edgecolor=RED, linewidth=2.2))
        first += side
    bar = figure.colorbar(image, ax=axes, shrink=0.75, label=_WORDS[measure])
    if measure == "agreement":
        show_levels(bar.ax.yaxis)
    return figure


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


# --- How sure a method is of its labels: items by the probability of the most probable label.


_BINS = 20
_DOUBTFUL, _CERTAIN = 0.6, 0.95


def draw_posterior(data: Any, *, method: str | None = None) -> Figure:
    """How many items have a most probable label of which probability, by label.

    Of votes, Scores, an Aggregation, a ScoreAggregation or a Comparison; of methods whose posteriors are
    shares of votes these are drawn. `method` is the one to fit, or that of a comparison to show.
    """
    fit = fitted(data, method)
    top, n = fit.posterior.max(axis=1), fit.n_items
    edges = np.linspace(1 / len(fit.labels), 1.0, _BINS + 1)
    figure = new_figure(6.4, 4.0, f"How sure {fit.method} is of its labels: {n} items")
    axes: Any = figure.add_subplot()
    names = [*map(plain, fit.labels), "undecided"]
    base = np.zeros(_BINS)
    for index, name in zip([*range(len(fit.labels)), NOT_ANSWERED], names, strict=True):
        rows = fit.decisions == index
        # a probability on an edge counts in the bin above, 1 in the last
        inside = np.clip(top[rows], edges[0], edges[-1])
        items = np.histogram(inside, edges, weights=fit.counts[rows].astype(float))[0]
        if items.any():
            colour = GREY if index == NOT_ANSWERED else colour_of(index)
            width = (edges[1] - edges[0]) * 0.94
            style = {"align": "edge", "color": colour, "label": name}
            bars = axes.bar(edges[:-1], items, width, bottom=base, **style)
            for bar, low, high, n_in in zip(bars, edges, edges[1:], items.tolist(), strict=False):
                if n_in:
                    text = (
                        f"{name}, {percent(low)} to {percent(high)}: {how_many(int(n_in), 'item')}"
                    )
                    with_values(bar, [text])
        base += items
    axes.set(xlabel="probability of the most probable label", ylabel="items")
    axes.set_xlim(edges[0], 1.0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
    show_levels(axes.xaxis)
    if len(fit.labels) <= MOST_COLOURS:
        legend_below(figure, min(5, len(names)), title="label chosen")
    certain, doubtful = (int(fit.counts[rows].sum()) for rows in (top >= _CERTAIN, top < _DOUBTFUL))
    return describe(
        figure,
        f"Histogram of the probability of the most probable label of {n} items, by {fit.method}.",
        f"On average it is {percent(float(fit.counts @ top) / n)}; at least {percent(_CERTAIN, 0)} for "
        f"{certain} items, below {percent(_DOUBTFUL, 0)} for {doubtful}; {fit.n_undecided} items are "
        "undecided.",
    )


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

    @property
    def split(self) -> int:
        """Number of items on which judges differ."""
        return int(self.counts[self.entropy > _TIE].sum())


def draw_disagreement(data: Any, *, most: int = 15, result: Aggregation | None = None) -> Figure:
    """How far the judges are split on each item, and the votes of the most disputed items.

    The measure is the entropy of the shares of the votes, in bits: 0 where all agree, 1 where two
    answers have half each. `most` items of votes are named, or decision tuples of counts, which have no
    items; with `result`, an Aggregation of these votes, a star marks items on which it and the majority
    differ.
    """
    if not isinstance(data, Votes | Sketch | KeyedSketch):
        raise refuse_data(data, "Votes, a Sketch or a KeyedSketch")
    votes = data.sketch if isinstance(data, KeyedSketch) else data
    rows = _rows(votes, result)
    shown = min(check_whole("most", most), int((rows.entropy > _TIE).sum()))
    starred, title = _starred(votes, result)
    text = f"\n{title} * = majority and model disagree." if title else ""
    n_items = int(rows.counts.sum())
    figure = new_figure(
        9.4,
        max(3.6, 1.6 + 0.2 * shown),
        f"The judges are split on {rows.split} of {n_items} items{text}",
    )
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    # the disagreements there are, falling, and after how many items each begins and ends
    finite = np.isfinite(rows.entropy)
    values, index = np.unique(np.round(-rows.entropy[finite], 9), return_inverse=True)
    items = np.bincount(index, rows.counts[finite], len(values))
    ends = np.concatenate([[0.0], np.cumsum(items)])
    left.stairs(-values, ends, color=BLUE, fill=True, alpha=0.85, baseline=0)
    left.set(
        xlabel="items, the most disputed first", ylabel="disagreement (entropy of the votes, bits)"
    )
    left.set_xlim(0, n_items)
    left.set_ylim(0, max(1.0, ceil(10 * np.nanmax(rows.entropy, initial=0.0)) / 10))
    _bars(right, rows, shown, votes.answers, starred)
    if votes.n_answers <= MOST_COLOURS:
        from matplotlib.patches import Patch

        patches = [Patch(color=colour_of(k), label=plain(a)) for k, a in enumerate(votes.answers)]
        legend_below(figure, min(6, votes.n_answers), handles=patches)
    return describe(figure, *_words_of_disagreement(rows, shown), title)


def _rows(votes: Votes | Sketch, result: Aggregation | None) -> Rows:
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


def _bars(axes: Any, rows: Rows, shown: int, answers: Sequence[str], starred: set[str]) -> None:
    base = np.zeros(shown)
    for answer, text in enumerate(answers):
        width = rows.shares[:shown, answer]
        bars = axes.barh(range(shown), width, left=base, color=colour_of(answer), height=0.75)
        for bar, name, part in zip(bars, rows.names, width.tolist(), strict=False):
            if part:
                with_values(bar, [f"{plain(name, 60)}: {plain(text)} {percent(part)}"])
        base += width
    many = rows.counts[:shown].tolist()
    names = [
        f"{'* ' * (name in starred)}{plain(name, 36)}" + (f" ({k} items)" if k > 1 else "")
        for name, k in zip(rows.names, many, strict=False)
    ]
    name_each(axes, names)
    axes.set(xlim=(0, 1), ylim=(max(shown, 1) - 0.4, -0.6), xlabel="part of the votes")
    show_levels(axes.xaxis)


def _words_of_disagreement(rows: Rows, shown: int) -> list[str]:
    n_items, finite = int(rows.counts.sum()), np.isfinite(rows.entropy)
    voted = int(rows.counts[finite].sum())
    mean = float(rows.counts[finite] @ rows.entropy[finite]) / max(voted, 1)
    words = [
        f"Items in order of disagreement: the judges are split on {rows.split} of {n_items} "
        f"({percent(rows.split / n_items)}); the mean entropy of the votes is {mean:.2f} bits."
    ]
    if n_items > voted:
        words.append(f"{n_items - voted} items with fewer than two votes are left out.")
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
    """What every two judges share beyond the label: red together, blue against one another.

    Of votes the correlations of being wrong that `pair_test` makes, as of a PairTest or ScoreTest; of a
    fit of 'ising', 'ising-class-dependent' or 'log-linear' its couplings (log-odds that two judges answer
    alike beyond what the label explains; they count for conditional dependence), of one `label` where they
    differ by label; by default of each.
    """
    result = _couplings(data)
    tables, judges = result.tables, result.judges
    if label is not None:
        positions("label", [label], tuple(tables))
        tables = {label: tables[label]}
    title = "What two judges share beyond the label\nred: err together; blue: against one another"
    title = f"{title}\n{result.note}" if result.note else title
    figure, grid = table_figure(judges, title, tables=len(tables))
    most = max(0.01, *(float(np.nanmax(np.abs(table), initial=0.0)) for table in tables.values()))
    form = "{:+.2f}".format if len(judges) <= MOST_WRITTEN else None
    image: Any = None
    unit = result.unit.replace("\n", " ")
    words = [f"A table of {len(judges)} by {len(judges)} judges: {unit}, 0 is white."]
    left, right = np.triu_indices(len(judges), 1)
    for axes, (name, table) in zip(grid, tables.items(), strict=True):
        image = show_table(axes, table, colours="RdBu_r", least=-most, most=most, form=form)
        name_rows(axes, judges)
        if len(tables) > 1:
            axes.set_title(f"items of {plain(name)}")
        values = table[left, right]
        finite = np.flatnonzero(np.isfinite(values))
        if len(finite):
            p = finite[np.argmax(np.abs(values[finite]))]
            pair = f"{plain(judges[left[p]])} and {plain(judges[right[p]])}"
            on = "" if len(tables) == 1 else f" on {plain(name)}"
            words.append(f"Furthest from 0{on}: {pair} with {values[p]:+.2f}.")
    figure.colorbar(image, ax=list(grid), shrink=0.75, label=result.unit)
    return describe(figure, *words, f"{result.note}." if result.note else "")


def _couplings(data: Any) -> Shared:
    if isinstance(data, Votes | Sketch | KeyedSketch):
        data = pair_test(data, replicates=1)
    if isinstance(data, PairTest | ScoreTest):
        return Shared(data.judges, {"all labels": _off(data.pair_correlation)}, _LEFTOVER)
    if not isinstance(data, Aggregation):
        raise refuse_data(data, "votes, a test of pairs or an Aggregation")
    # models of couplings hold no judges that never answered
    gave = (data.patterns != NOT_ANSWERED).any(axis=0).tolist()
    judges = tuple(j for j, answered in zip(data.judges, gave, strict=True) if answered)
    if "couplings" in data.parameters:
        tables = [_off(table) for table in np.array(data.parameters["couplings"], float)]
        alike = np.allclose(tables[0], tables[1], equal_nan=True)
        named = {"all labels": tables[0]} if alike else dict(zip(data.labels, tables, strict=True))
        return Shared(judges, named, _COUPLING)
    if "interactions" not in data.parameters:
        raise DataError(
            "the result must be a fit with couplings between judges ('ising', 'ising-class-dependent' or "
            f"'log-linear'); got {data.method!r}; draw 'couplings' of the votes instead"
        )
    table = np.full((len(judges), len(judges)), np.nan)
    sets, values = data.parameters["sets"], data.parameters["interactions"]
    pairs = [(s, v) for s, v in zip(sets, values, strict=True) if len(s) == 2]
    for (i, j), value in pairs:
        table[i, j] = table[j, i] = value
    more = len(sets) - len(pairs)
    note = f"{more} terms of three judges are not shown" if more else ""
    return Shared(judges, {"all labels": table}, _COUPLING, note)


def _off(table: Floats) -> Floats:
    """Copy without its diagonal."""
    result: Floats = np.array(table, float)
    np.fill_diagonal(result, np.nan)
    return result
