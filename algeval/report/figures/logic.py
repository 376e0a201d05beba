"""Figures of what the votes allow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import atan2, cos, degrees, log10, pi, prod, sin, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval.data.names import check_choice, positions
from algeval.data.reading import Data, as_counts
from algeval.errors import DataError, TooLargeError
from algeval.logic import bounds
from algeval.logic.consistent.count import (
    by_correct,
    correct_counts,
    count_correct,
    count_keys,
    read_rows,
    refuse,
)
from algeval.logic.consistent.count import steps as steps_of_count
from algeval.logic.exam import Exam, check_key_counts, order_words, read_exam
from algeval.logic.orders.order1 import compositions, highest_level
from algeval.logic.questions.panel import panel as panel_of_panel
from algeval.logic.questions.reach import Reach, reach
from algeval.logic.questions.threshold import threshold
from algeval.logic.results import Bounds, Panel, Range, Threshold
from algeval.rates.planning import JudgePlan
from algeval.report.figures.drawing import (
    BLUE,
    COLOURS,
    DARK_TEXT,
    GREEN,
    GREY,
    INK,
    LEVELS,
    LIGHT_TEXT,
    ORANGE,
    PALE_RED,
    RED,
    Bracket,
    PanelSteps,
    could,
    describe,
    legend_below,
    name_each,
    new_figure,
    panel_steps,
    plain,
    refuse_data,
    show_levels,
    threshold_brackets,
    values_at,
    with_values,
)
from algeval.result import exact, format_exact, percent
from algeval.result.numbers import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- Down to which level logic refutes with enough items, by the number of judges.


_MOST_JUDGES = 12


def draw_reach(
    data: Reach | JudgePlan | Sequence[Reach], *, points: Sequence[tuple[int, float]] = ()
) -> Figure:
    """Level above which logic refutes everything with enough items, against judges of the same kind.

    Of one result of `reach` or several, a line each, or of what `plan` says of judges of an accuracy;
    dashes are the judges' accuracy, which is never refuted.
    `points` are thresholds of exams, each with its number of judges, to see how far they are from it.
    """
    if isinstance(data, JudgePlan) and data.accuracy is not None:
        data = reach(data.n_judges, data.accuracy, prevalence=data.rate)
    sources = [data] if isinstance(data, Reach) else data
    if not isinstance(sources, list | tuple) or not all(isinstance(r, Reach) for r in sources):
        raise refuse_data(data, "what ae.reach returns, or ae.plan of judges with accuracy=")
    if any(len(set(r.accuracy)) > 1 for r in sources):
        raise DataError("judges must be alike in this figure; got several accuracies; ask for one")
    figure = new_figure(6.4, 4.0, "Above which level logic refutes, if errors are independent")
    axes: Any = figure.add_subplot()
    words = ["Level above which logic refutes with enough items, against the number of judges."]
    most = max([_MOST_JUDGES, *(r.n_judges for r in sources)])
    for index, r in enumerate(sources):
        colour, p = COLOURS[index % len(COLOURS)], r.accuracy[0]
        counts = range(2, most + 1)
        limits = [reach(n, p, prevalence=r.prevalence, n_labels=r.n_labels).limit for n in counts]
        text = f"judges right on {percent(p)} of items"
        axes.plot(counts, limits, color=colour, marker="o", markersize=3, label=text)
        axes.axhline(max(p, 1 - p), color=colour, linestyle="--", linewidth=0.8)
        words.append(
            f"{text.capitalize()}: {percent(limits[0])} at 2, {percent(limits[-1])} at {most}."
        )
    if points:
        at, levels = zip(*points, strict=True)
        axes.plot(at, levels, "x", color=INK, label="thresholds of exams", zorder=4)
        words.append(f"Beside it {how_many(len(levels), 'threshold')} of exams.")
    axes.set(xlabel="judges", ylabel="every higher level is refuted")
    show_levels(axes.yaxis)
    axes.grid(axis="y")
    legend_below(figure, 2)
    return describe(figure, *words)


# --- What logic leaves open: the lowest and highest value of every grade, prevalence and accuracy.


_WHAT = ("grade", "accuracy")
_COLOURS = {"prevalence": ORANGE, "grade": BLUE, "accuracy": GREEN}


def draw_bounds(
    data: Data | Bounds,
    *,
    of: str = "grade",
    judges: Sequence[str] | None = None,
    at_least: object | None = None,
    order: int | str | None = None,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Figure:
    """Range that the votes leave of each prevalence, and of each judge.

    Of votes, counts or Bounds, which are drawn as they are. `of` is "grade", the share of right answers
    of each judge, or "accuracy" label by label; `judges` are those to show; the rest is for making the
    bounds of votes, see `bounds`.
    """
    check_choice("of", of, _WHAT)
    if isinstance(data, Bounds):
        result = data
    else:
        as_counts(data)
        result = bounds(
            data, order=order, at_least=at_least, missing=missing, time_limit=time_limit
        )
    shown = list(result.judges if judges is None else judges)
    positions("judge", shown, result.judges)
    rows: list[tuple[str, str, Range | None]] = [
        ("prevalence", f"prevalence of {label}", result.prevalence_of(label))
        for label in result.labels
    ]
    for judge in shown:
        if of == "grade":
            rows.append(("grade", f"grade of {judge}", result.grade_of(judge)))
            continue
        for label in result.labels:
            ends = result.accuracy_of(judge, label)
            rows.append(("accuracy", f"accuracy of {judge} on {label}", ends))
    condition = "" if result.specification is None else f", if {result.specification.short()}"
    votes = f"{result.n_items} items, {order_words(result.order)}"
    title = f"What the votes alone leave open ({votes}){condition}"
    figure = new_figure(6.4, 1.7 + 0.21 * len(rows), title)
    axes: Any = figure.add_subplot()
    for index, (kind, name, ends) in enumerate(rows):
        if ends is None:
            axes.text(0.01, index, "nothing", va="center", fontsize=8)
            continue
        style = {"color": _COLOURS[kind], "linewidth": 3, "marker": "|", "markersize": 8}
        line = ":" if name in result.outer else "-"
        x, y = [*map(float, ends)], [index, index]
        axes.plot(x, y, line, **style, solid_capstyle="butt", clip_on=False)
    outer = " (or narrower)"
    name_each(axes, [f"{plain(name, 44)}{outer * (name in result.outer)}" for _, name, _ in rows])
    axes.set(xlim=(0, 1), xlabel="from the lowest to the highest value")
    axes.grid(axis="x")
    show_levels(axes.xaxis)
    bounded = [(name, ends) for _, name, ends in rows if ends is not None]
    words = [f"{title}: the lowest and highest value of {len(rows)} quantities."]
    if bounded:
        name, (low, high) = min(bounded, key=lambda row: row[1][1] - row[1][0])
        words.append(f"The narrowest is the {plain(name, 44)}: {percent(low)} to {percent(high)}.")
    if len(bounded) < len(rows):
        words.append(f"{len(rows) - len(bounded)} have no value that fits what was asked.")
    return describe(figure, *words)


# --- How good all judges could be together, by how many judges' joint answers are used.


def draw_threshold_curve(
    data: Data | Threshold | Sequence[Threshold],
    *,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Figure:
    """Up to which level some answer key lets every judge be right on every label, per order.

    One bar an order, lower orders above: they know less, so they allow more. Of votes, counts, a
    Threshold or several, which are drawn as they are. `time_limit`, in seconds, is for all orders
    together; what is not settled by then is drawn as open.
    """
    sources = [data] if isinstance(data, Threshold) else data
    if not isinstance(sources, list | tuple):
        as_counts(data)  # type: ignore[arg-type]
        result = threshold_brackets(data, missing=missing, time_limit=time_limit)  # type: ignore[arg-type]
    elif not sources or not all(isinstance(source, Threshold) for source in sources):
        raise DataError("thresholds must be Threshold results; got others; draw the votes")
    else:
        bars = [rung for source in sources for rung in source.ladder or (source,)]
        result = tuple(Bracket(bar.order, bar.lower, bar.upper) for bar in bars)
    figure = new_figure(
        7.0,
        1.9 + 0.5 * len(result),
        "Can every judge be this accurate on every label?",
    )
    axes: Any = figure.add_subplot()
    words = ["Up to which level some answer key lets every judge be this accurate on every label."]
    for row, bracket in enumerate(result):
        low, high = float(bracket.lower), float(bracket.upper)
        axes.barh(row, low, height=0.55, color=GREEN)
        axes.barh(row, 1 - high, left=high, height=0.55, color=PALE_RED)
        text = format_exact(bracket.lower)
        if low < high:
            axes.barh(row, high - low, left=low, height=0.55, **_OPEN)
            text = f"{text} to {format_exact(bracket.upper)}"
        if low > 0.45:
            x, side, colour = low - 0.01, "right", LIGHT_TEXT
        else:
            x, side, colour = high + 0.01 if high < 0.6 else 0.01, "left", DARK_TEXT
        axes.text(x, row, text, ha=side, va="center", color=colour)
        values_at(axes, [(0, 1, row - 0.3, row + 0.3)], [f"{order_words(bracket.order)}: {text}"])
        ends = f"up to {format_exact(bracket.lower)}, exactly."
        if bracket.lower != bracket.upper:
            ends = (
                f"up to {format_exact(bracket.lower)}, not above {format_exact(bracket.upper)}; between "
                "them it is open."
            )
        words.append(f"With {order_words(bracket.order)} {ends}")
    name_each(axes, [order_words(b.order) for b in result])
    axes.set(xlim=(0, 1), xlabel="accuracy required of every judge on every label")
    axes.spines["left"].set_visible(False)
    show_levels(axes.xaxis)
    legend_below(figure, 3, handles=_legend(any(b.lower < b.upper for b in result)))
    return describe(figure, *words)


_OPEN: dict[str, Any] = {"facecolor": "none", "edgecolor": GREY, "hatch": "////"}


def _legend(any_open: bool) -> list[Any]:
    from matplotlib.patches import Patch

    yes = Patch(color=GREEN, label="possible")
    no = Patch(color=PALE_RED, label="impossible")
    return [yes, *([Patch(**_OPEN, label="not decided")] if any_open else []), no]


# --- How many judges must fall short, against the level asked of each on every label.


PANEL_LEVELS = tuple(Fraction(k, 20) for k in range(8, 21))


def draw_panel_curve(
    data: Data | Panel | Sequence[PanelSteps],
    *,
    levels: Sequence[object] = PANEL_LEVELS,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Figure:
    """How many judges fall short at least, whatever the answer key, against the level asked.

    A line an order: so many fall short, proved. Above it a band where more may have to. Of votes, counts,
    what `panel_steps` returned, or a Panel: one level, and what it proves holds of every higher one.
    `levels` are those to ask, by default from 40% to 100% in steps of 5%; `time_limit`, in seconds, is for
    all questions together, and what is not settled by then is left as a band.
    """
    result = _steps(data, levels, missing, time_limit)
    n = result[0].n_judges
    figure = new_figure(6.6, 4.2, f"How many of {n} judges must miss a required accuracy")
    axes: Any = figure.add_subplot()
    words = [f"How many of {n} judges miss the accuracy required of every judge, at least."]
    for index, steps in enumerate(result):
        _curve_of_steps(axes, steps, index)
        first = next((x for x, k in zip(steps.levels, steps.fewest, strict=True) if k), None)
        start = "none at any level asked" if first is None else f"the first at {percent(first, 0)}"
        last = f"{steps.fewest[-1]} at {percent(steps.levels[-1], 0)}"
        words.append(f"With {order_words(steps.order)}: {start}, {last}.")
        if steps.left_open:
            shown = ", ".join(percent(level, 0) for level in steps.left_open)
            words.append(f"Open at {shown}: more may miss it.")
    least = float(result[0].levels[0]) if len(result[0].levels) > 1 else 0.0
    axes.set(
        xlabel="accuracy required of every judge on every label",
        ylabel="judges that miss it, at least",
        xlim=(least - 0.01, 1.01),
        ylim=(-0.03 * n, 1.03 * n),
    )
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
    show_levels(axes.xaxis)
    legend_below(figure, 1 if any(s.left_open for s in result) else 3)
    return describe(figure, *words)


def _steps(data: Any, levels: Any, missing: str, time_limit: float | None) -> list[PanelSteps]:
    if isinstance(data, Panel):
        level = data.specification.level
        if level is None:
            raise DataError(
                "the panel must be of one level for all judges and labels to stand on a curve; got "
                f"{data.specification.short()}; draw its 'conflicts' instead"
            )
        n = len(data.judges)
        most = n - len(data.largest_panel)
        return [PanelSteps(data.order, n, (level[0],), (data.min_violators,), (most,))]
    if isinstance(data, list | tuple):
        if not data or not all(isinstance(source, PanelSteps) for source in data):
            raise DataError("panels must be what panel_steps returned; got others; draw the votes")
        return list(data)
    as_counts(data)
    if not list(levels):
        raise DataError("levels must name at least one level; got none; leave it out for defaults")
    return list(panel_steps(data, levels, missing=missing, time_limit=time_limit))


def _curve_of_steps(axes: Any, steps: PanelSteps, index: int) -> None:
    """Draw certified steps: `fewest` holds from its level on, `most` up to its level."""
    levels = [float(level) for level in steps.levels]
    colour, style = COLOURS[(0, 5, 2)[index % 3]], ("-", "--", "-.")[index % 3]
    name = order_words(steps.order)
    if steps.left_open:
        name += f" ({len(steps.left_open)} of {len(levels)} levels not decided: up to the band)"
    ends, height = [*levels, 1.0], [*steps.fewest, steps.fewest[-1]]
    axes.step(ends, height, style, where="post", color=colour, linewidth=2.0, label=name)
    (marks,) = axes.plot(levels, steps.fewest, "o", color=colour, markersize=3.5)
    pairs = zip(steps.levels, steps.fewest, strict=True)
    words = order_words(steps.order)
    texts = [f"{percent(x, 0)}: at least {k} of {steps.n_judges} judges, {words}" for x, k in pairs]
    with_values(marks, texts)
    # what is possible from one level to the next, where either is open
    if len(levels) == 1:
        axes.plot([*levels, *levels], [steps.fewest[0], steps.most[0]], color=colour, alpha=0.4)
    open_ = [low < high for low, high in zip(steps.fewest, steps.most, strict=True)]
    for k in range(len(levels) - 1):
        if open_[k] or open_[k + 1]:
            ends, high = levels[k : k + 2], steps.most[k + 1]
            axes.fill_between(ends, steps.fewest[k], high, color=colour, alpha=0.18, linewidth=0)


# --- The conflict graph of a panel: which judges cannot both be as good as asked.


FEW = 12
"""Names of more judges than this are written along the radius."""
_LINES = "Lines join judges that cannot both meet it."


def draw_conflicts(
    data: Data | Panel,
    *,
    at_least: object = "0.6",
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Figure:
    """Judges of a panel in a circle, with a line between two that exclude one another.

    Clockwise from the top: a largest panel, others, failing. Of a Panel, or of votes or counts, with
    what is asked of every judge.
    """
    result = (
        data
        if isinstance(data, Panel)
        else panel_of_panel(data, at_least, missing=missing, time_limit=time_limit)
    )
    together = [j for j in result.judges if j in result.largest_panel]
    failing = [j for j in result.judges if j in result.failing]
    others = [j for j in result.judges if j not in together and j not in failing]
    circle = {"marker": "o", "color": BLUE, "markersize": 9}
    diamond = {"marker": "D", "color": "white", "markeredgecolor": INK, "markersize": 8}
    cross = {"marker": "X", "color": RED, "markersize": 10}
    groups = [
        ("a largest panel that may meet it", circle, together),
        ("others", diamond, others),
        ("fail even alone", cross, failing),
    ]
    ordered = [name for _, _, names in groups for name in names]
    turn = 2 * pi / len(ordered)
    points = {name: (sin(k * turn), cos(k * turn)) for k, name in enumerate(ordered)}
    message = result.message.replace(": ", ":\n", 1)
    crowded, quiet = len(points) > FEW, not result.pairwise
    lines = "No two judges exclude one another." if quiet else _LINES
    height = 7.2 if crowded else 4.4 if quiet else 5.6
    figure = new_figure(7.0, height, f"{message}\n{lines}")
    axes: Any = figure.add_subplot()
    if quiet:
        from matplotlib.patches import Circle

        axes.add_patch(Circle((0, 0), 1.0, fill=False, color=GREY, linewidth=0.8, linestyle=":"))
        axes.text(0, 0, "no conflict\nbetween two judges", ha="center", va="center", color=GREY)
    for pair in result.pairwise:
        xs, ys = zip(*(points[name] for name in pair), strict=True)
        axes.plot(xs, ys, color=GREY, linewidth=0.8, alpha=0.6, zorder=1)
    for words, style, names in groups:
        if names:
            xs, ys = zip(*(points[name] for name in names), strict=True)
            axes.plot(xs, ys, linestyle="none", label=f"{words} ({len(names)})", zorder=3, **style)
    for name, (x, y) in points.items():
        _write(axes, name, x, y, turned=crowded)
    reach = 2.0 if crowded else 1.3
    axes.set(xlim=(-2.0, 2.0), ylim=(-reach, reach))
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, -0.08), ncols=3)
    alone = f"Failing even alone: {', '.join(map(plain, result.failing))}." * bool(result.failing)
    return describe(
        figure,
        result.message,
        f"{len(result.pairwise)} pairs of judges cannot both meet it.",
        alone,
        f"A largest panel that may has {len(result.largest_panel)} judges.",
    )


def _write(axes: Any, name: str, x: float, y: float, *, turned: bool) -> None:
    """Write a name outside the circle, along the radius where many judges leave little room."""
    shown = plain(name)
    if turned:
        angle = degrees(atan2(y, x))
        left = abs(angle) > 90.0
        style = {"ha": "right" if left else "left", "va": "center", "rotation_mode": "anchor"}
        axes.text(1.09 * x, 1.09 * y, shown, rotation=angle + 180 * left, **style)
        return
    side = "center" if abs(x) < 0.1 else "left" if x > 0 else "right"
    stand = "center" if abs(x) >= 0.1 else "bottom" if y > 0 else "top"
    axes.text(1.1 * x, 1.1 * y, shown, ha=side, va=stand)


# --- What figures show, as exact numbers: every point, level and multiplicity, before any ink.


STAGES = ("conceivable", "inequalities", "axioms")
"""Before anything is observed; no more correct than answered; consistent with the answers."""

MOST_KEYS = 50_000


class KeyLevel(NamedTuple):
    """The highest accuracy that all judges could reach together at one answer key.

    `key` says how many items have each label, q; the level is on every label, or on the one asked for.
    """

    key: tuple[int, ...]
    level: Fraction


class CorrectCounts(NamedTuple):
    """What the judges' correct answers on one label can be, at an answer key with q items of it.

    `ways` holds per judge in how many response tables it answers so many of them correctly.
    """

    label: str
    q: int
    ways: tuple[dict[int, int], ...]

    @property
    def size(self) -> int:
        """Number of points."""
        return prod(len(counts) for counts in self.ways)

    def meets(self, level: Fraction) -> bool:
        """Whether some point meets the standard; judges are free of one another."""
        return all(max(counts) >= level * self.q for counts in self.ways)


def key_levels(data: Data, *, missing: str = "excluded") -> tuple[KeyLevel, ...]:
    """Highest accuracy all judges could reach on every label, for every answer key.

    The smallest over judges of the largest they could have (order 1), in ascending order: paper
    003, figure 7. The last one is the threshold.
    """
    exam = read_exam(data, missing)
    rows = [(row[: exam.n_labels], exam.held(i)) for i, row in enumerate(exam.counts)]
    results = [
        KeyLevel(key, min(highest_level(row, held, key) for row, held in rows))
        for key in _keys(exam)
    ]
    return tuple(sorted(results, key=lambda k: k.level))


def label_levels(
    data: Data, *, missing: str = "excluded"
) -> dict[str, tuple[tuple[KeyLevel, ...], int]]:
    """Same for each label by itself, and the number of keys without the label.

    At such a key the label says nothing, so the key is left out: "No-Knowledge Alarms", figure 8.
    """
    exam = read_exam(data, missing)
    keys = list(_keys(exam))
    result = {}
    for t, label in enumerate(exam.labels):
        present = [key for key in keys if key[t]]
        results = [KeyLevel(key, _on_label(exam, key[t], t)) for key in present]
        ordered = tuple(sorted(results, key=lambda k: k.level))
        result[label] = ordered, len(keys) - len(present)
    return result


def _on_label(exam: Exam, q: int, t: int) -> Fraction:
    """Smallest over judges of R / (the fewest items of the label it is held to)."""
    fewest = [max(q - excused, 0) for excused in exam.excused]
    return min(
        Fraction(row[t], d) if row[t] < d else Fraction(1)
        for row, d in zip(exam.counts, fewest, strict=True)
    )


def keys_above(levels: Sequence[KeyLevel], x: Fraction) -> int:
    """Number of answer keys that allow more than x."""
    return sum(k.level > x for k in levels)


def _keys(exam: Exam) -> Iterator[tuple[int, ...]]:
    many = count_keys(exam.n_items, exam.n_labels)
    if many > MOST_KEYS:
        raise TooLargeError(
            f"a figure over the answer keys would show {many} of them, more than {MOST_KEYS}; use "
            "fewer items, or ask for the threshold instead"
        )
    low, high = (0,) * exam.n_labels, (exam.n_items,) * exam.n_labels
    return compositions(low, high, exam.n_items)


def evaluation_points(
    data: Data, stage: str = "axioms", judge: object = None
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """One judge's evaluations as (key counts, correct counts); the first judge's by default.

    The stage says what is taken into account: "conceivable" the number of items; "inequalities" that no
    more answers were correct than given; "axioms" all that order 1 says (figures 1, 3, 4).
    """
    check_choice("stage", stage, STAGES)
    exam = read_exam(data)
    (index,) = [0] if judge is None else positions("judge", [judge], exam.judges)
    counts = exam.counts[index][: exam.n_labels]
    results: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for key in _keys(exam):
        if stage == "axioms":
            correct = correct_counts(counts, key)
        else:
            caps = key if stage == "conceivable" else map(min, counts, key)
            correct = product(*(range(c + 1) for c in caps))
        results += [(key, d) for d in correct]
        if len(results) > MOST_KEYS:
            raise TooLargeError(
                f"a figure would show more than {MOST_KEYS} evaluations; use fewer items or labels"
            )
    return tuple(results)


def prevalence_points(
    points: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> tuple[tuple[Fraction, ...], ...]:
    """Evaluations as (prevalence of the first label, accuracy per label): figure 2.

    Those at keys without some label are left out: its accuracy is 0 of 0.
    """
    return tuple(
        (Fraction(key[0], sum(key)), *(Fraction(d, q) for d, q in zip(correct, key, strict=True)))
        for key, correct in points
        if all(key)
    )


def correct_multiplicities(
    data: Data, q: Sequence[int], *, missing: str = "wrong"
) -> tuple[CorrectCounts, ...]:
    """How often each number of correct answers occurs among all response tables at the answer key q.

    A response table says how many items of each true label got each answer; order 1 allows every
    table with the judge's counts as margins. The judges are free of one another, so their ways
    multiply: "No-Knowledge Alarms", figures 5 and 6. Two labels leave one table per number.
    """
    rows = read_rows(data, 1, missing)
    key = check_key_counts(rows.exam, q)
    needed = sum(steps_of_count(row, rows.labels, key) * (max(row) + 1) for row in rows.judges)
    refuse(needed * rows.labels, "counting response tables", "use fewer items, labels or answers")
    results = []
    for t, label in enumerate(rows.exam.labels):
        series = [enumerate(by_correct(row, key, t).tolist()) for row in rows.judges]
        attained = tuple({right: n for right, n in counts if n} for counts in series)
        results.append(CorrectCounts(label, key[t], attained))
    return tuple(results)


# --- Over all answer keys: which share of them allows a level ("No-Knowledge Alarms", figures 7,
# 8).


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
    """Share of the answer keys that lets all judges be better than a level (figure 7).

    Of votes or counts. `levels` are marked, with the number of keys that allow more; `also` are other data
    by name, whose curves are dashed.
    """
    exam = read_exam(data, missing)
    result = key_levels(data, missing=missing)
    marked = sorted(exact(x, "level") for x in levels)
    lines = len(marked) + len(also or {}) + 2
    title = f"Share of the answer keys by which {could(exam.judges)}\nbe better than a level on every label"
    figure = new_figure(6.4, 3.7 + 0.17 * lines, title)
    axes = figure.add_subplot()
    _curve(axes, result, BLUE, "-", "these counts" if also else f"the {len(result)} answer keys")
    for number, (name, other) in enumerate((also or {}).items(), start=1):
        curve = key_levels(other, missing=missing)
        label = f"{plain(name)}: at most {format_exact(curve[-1].level)}"
        _curve(axes, curve, COLOURS[number % len(COLOURS)], "--", label)
    words = []
    for level in marked:
        above = keys_above(result, level)
        share, x = above / len(result), float(level)
        text = f"{above} of {len(result)} keys allow more than {format_exact(level)}"
        axes.plot([x, x], [0, share], ":", color=GREY, linewidth=1.2)
        axes.plot([x], [share], "D", color=GREY, markersize=5, label=text)
        words.append(f"{text}.")
    best = result[-1]
    top = f"threshold {format_exact(best.level)}, at {_key_words(best.key, exam.labels)}"
    axes.plot([float(best.level)], [0], "o", color=RED, clip_on=False, zorder=4, label=top)
    _name_axes(axes, "level that all judges exceed on every label", "share of the answer keys")
    legend_below(figure, 1)
    head = f"{' '.join(title.split())}, falling from left to right."
    return describe(figure, head, *words, f"The {top}.")


def _curve(axes: Any, levels: Sequence[KeyLevel], colour: str, style: str, label: str) -> None:
    """Draw the share of keys that allow more than x, against x."""
    many, ends = len(levels), [float(k.level) for k in levels]
    last = {x: (many - index) / many for index, x in enumerate(ends, start=1)}
    steps = [(0.0, last.get(0.0, 1.0)), *last.items(), (1.0, 0.0)]
    if len(steps) > _MOST_STEPS:  # without those that nobody could tell apart
        kept = [steps[0]]
        for x, share in steps[1:-1]:
            if max(x - kept[-1][0], kept[-1][1] - share) >= _APART:
                kept.append((x, share))
        steps = [*kept, *steps[-2:]]
    points = zip(*steps, strict=True)
    axes.step(*points, style, where="post", color=colour, label=label, linewidth=1.8)


def draw_label_thresholds(data: Data, *, missing: str = "excluded") -> Figure:
    """Same for each label by itself, over the answer keys that have it (figure 8)."""
    exam = read_exam(data, missing)
    title = f"Share of the answer keys by which {could(exam.judges)}\nbe better than a level on one label"
    figure = new_figure(6.4, 3.6 + 0.17 * exam.n_labels, title)
    axes = figure.add_subplot()
    words = []
    for index, (label, (levels, without)) in enumerate(label_levels(data, missing=missing).items()):
        lowest, highest = format_exact(levels[0].level), format_exact(levels[-1].level)
        text = f"{plain(label)}: from {lowest} to {highest}, {how_many(without, 'key')} without it"
        colour, style = COLOURS[index % len(COLOURS)], _STYLES[index % len(_STYLES)]
        _curve(axes, levels, colour, style, text)
        words.append(f"{text}.")
    _name_axes(axes, "level that all judges exceed on the label", "share of the keys that have it")
    legend_below(figure, 1)
    return describe(figure, f"{' '.join(title.split())}, a line a label.", *words)


def _name_axes(axes: Any, below: str, beside: str) -> None:
    axes.set(xlabel=below, ylabel=beside, xlim=(0, 1), ylim=(0, 1.02))
    axes.grid()
    show_levels(axes.xaxis, axes.yaxis)


def _key_words(key: Sequence[int], labels: Sequence[str]) -> str:
    return ", ".join(f"{q} {plain(label)}" for q, label in zip(key, labels, strict=True))


# --- What judges can have right at one answer key: squares and cubes ("No-Knowledge Alarms",
# figures 5, 6).


_MOST_IN_CUBE = 125
"""Points of a cube; of more, every judge keeps five of its numbers."""
_KEPT = 5


def draw_correctness(
    data: Data, *, q: Sequence[int] | None = None, at_least: object = "1/2", missing: str = "wrong"
) -> Figure:
    """What two or three judges' correct answers can be at one answer key (figures 5 and 6).

    One square (or cube) per label. Colour says in how many response tables a point occurs; the
    standard, `at_least`, is framed, and judges can meet it at this key exactly if every square has a point
    there. Of a cube with many points some are drawn, and the box of all. `q` says how many items have each
    label, by default a key that attains the threshold; an item left unanswered is not correct, and
    `missing` "excluded" is allowed where none is missing.
    """
    exam = read_exam(data, missing)
    n_judges = exam.n_judges
    if n_judges not in (2, 3):
        raise DataError(
            f"correctness can be drawn for two or three judges; got {n_judges}; choose them with judges="
        )
    if any(exam.excused):
        raise DataError(
            "correctness is drawn per item of a label; got missing answers, which the rule 'excluded' "
            "leaves out of some unknown label; use missing='wrong'"
        )
    level = exact(at_least, "at_least")
    key = threshold(data, order=1, missing=missing).answer_keys[0] if q is None else tuple(q)
    panels, counted = _panels(data, key, missing)
    shown = _key_words(key, exam.labels)
    thinned = n_judges == 3 and max(panel.size for panel in panels) > _MOST_IN_CUBE
    title = head = f"Possible correct answers if the answer key has {shown}"
    if not counted:
        title += "\n(in how many response tables each occurs would take too long to count)"
    title += "\ndots: some of the possible points; thin box: all of them" if thinned else ""
    height = 4.5 if n_judges == 3 else 5.0  # room for what stands over and under squares
    figure = new_figure(3.6 * len(panels) + 0.9, height, title)
    most = max(log10(prod(max(counts.values()) for counts in p.ways)) for p in panels)
    scale = (0.0, most) if most else (-1.0, 1.0)
    mark: Any = None
    verdicts = []
    for column, panel in enumerate(panels, start=1):
        projection = {"projection": "3d"} if n_judges == 3 else {}
        axes: Any = figure.add_subplot(1, len(panels), column, **projection)
        draw = _cube if n_judges == 3 else _square
        mark = draw(axes, panel, level, scale)
        judges = [plain(j, 18) for j in exam.judges]
        solid = len(judges) == 3
        limits = (-0.5, max(panel.q, 1) + 0.5)
        for axis, judge in zip("xyz", judges, strict=False):
            name = judge if solid else f"{judge}: correct"
            axes.set(**{f"{axis}label": name, f"{axis}lim": limits})
            getattr(axes, f"{axis}axis").get_major_locator().set_params(integer=True, nbins=6)
        if solid:
            axes.set_box_aspect((1, 1, 1), zoom=0.84)
        else:
            axes.set_aspect("equal")
        colour = "black" if panel.q == 0 or panel.meets(level) else RED
        axes.set_title(_panel_title(panel, level), color=colour, pad=-10 if solid else 6)
        verdicts.append(f"{_panel_title(panel, level)}.".replace("\n", " "))
    if most > 0:
        from matplotlib.ticker import FuncFormatter

        bar = figure.colorbar(mark, ax=figure.axes, label="response tables", shrink=0.7, pad=0.02)
        bar.formatter = FuncFormatter(lambda value, _: f"{10**value:.3g}")
        bar.update_ticks()
    return describe(figure, f"{head}.", *verdicts)


def _panels(data: Data, key: Sequence[int], missing: str) -> tuple[tuple[CorrectCounts, ...], bool]:
    """What can be correct on each label, and whether the tables behind it were counted.

    Uncounted, every number that some table has counts once: a judge that gave a label r times, of q
    items among n, has at least r + q - n of them right and at most the smaller of both.
    """
    try:
        return correct_multiplicities(data, key, missing=missing), True
    except TooLargeError:
        exam = read_exam(data, missing)
    results = []
    for t, (label, q) in enumerate(zip(exam.labels, check_key_counts(exam, key), strict=True)):
        counts = [row[t] for row in exam.counts]
        ends = [(max(0, r + q - exam.n_items), min(r, q)) for r in counts]
        series = tuple(dict.fromkeys(range(low, high + 1), 1) for low, high in ends)
        results.append(CorrectCounts(label, q, series))
    return tuple(results), False


def _square(axes: Any, panel: CorrectCounts, level: Any, scale: tuple[float, float]) -> Any:
    """Draw a square for every point of two judges, as one picture, and the standard as a frame."""
    from matplotlib.patches import Rectangle

    side = panel.q + 1
    table = np.full((side, side), np.nan)
    first, second = panel.ways
    for (x, options), (y, others) in product(first.items(), second.items()):
        table[y, x] = log10(options * others)
    image = axes.imshow(
        np.ma.masked_invalid(table),
        origin="lower",
        cmap=LEVELS,
        vmin=scale[0],
        vmax=scale[1],
        interpolation="none",
        extent=(-0.5, side - 0.5, -0.5, side - 0.5),
    )
    least, meets = float(level * panel.q), panel.meets(level)
    width = panel.q - least + 0.5
    style: Any = {"edgecolor": GREEN if meets else RED, "hatch": None if meets else "//"}
    style |= {"fill": False, "linewidth": 2.0, "zorder": 4, "clip_on": False}
    axes.add_patch(Rectangle((least, least), width, width, **style))
    return image


def _cube(axes: Any, panel: CorrectCounts, level: Any, scale: tuple[float, float]) -> Any:
    """Draw the points of three judges, thinned where there are many, and the box of all."""
    kept = [list(counts.items()) for counts in panel.ways]
    if panel.size > _MOST_IN_CUBE:  # some numbers of each judge, the first and the last among them
        _box(axes, [(min(counts), max(counts)) for counts in panel.ways], GREY, 0.9)
        parts = [k / (_KEPT - 1) for k in range(_KEPT)]
        kept = [
            [c[k] for k in sorted({round(part * (len(c) - 1)) for part in parts})] for c in kept
        ]
    points = list(product(*kept))
    mark = axes.scatter(
        *([point[k][0] for point in points] for k in range(3)),
        c=[log10(prod(counts for _, counts in point)) for point in points],
        cmap=LEVELS,
        vmin=scale[0],
        vmax=scale[1],
        s=16,
        linewidths=0,
        depthshade=False,
        clip_on=False,
    )
    ends = float(level * panel.q), float(panel.q)
    _box(axes, [ends] * 3, GREEN if panel.meets(level) else RED, 1.5)
    return mark


def _box(axes: Any, ends: Sequence[tuple[float, float]], colour: str, width: float) -> None:
    """Draw the twelve edges of a box."""
    for axis in range(3):
        others = [ends[k] for k in range(3) if k != axis]
        for corner in product(*others):
            line = [[end, end] for end in corner]
            line.insert(axis, list(ends[axis]))
            axes.plot(*line, color=colour, linewidth=width)


def _panel_title(panel: CorrectCounts, level: Any) -> str:
    label = plain(panel.label)
    if panel.q == 0:
        return f"{label}: does not occur"
    who = "both" if len(panel.ways) == 2 else "all"
    verdict = f"{'can' if panel.meets(level) else 'cannot'} {who} be"
    return f"{label}, {panel.q} items:\n{verdict} at least {format_exact(level)} right"


# --- The answer keys as a map: how high all judges could be at each of them.


_MANY_KEYS = 400
"""Of more keys the map is one picture, a cell a key, and the keys that meet the standard one region."""


def draw_q_complex(data: Data, *, at_least: object = "1/2", missing: str = "excluded") -> Figure:
    """The Q-complex itself, coloured by the level that each answer key allows.

    A line for two labels, a triangle for three. Keys that allow `at_least`, the accuracy asked of every
    judge on every label, have a ring.
    """
    exam = read_exam(data, missing)
    if exam.n_labels not in (2, 3):
        raise DataError(
            f"the Q-complex can be drawn for two or three labels; got {exam.n_labels}; draw "
            "'thresholds' instead"
        )
    level = exact(at_least, "at_least")
    result = key_levels(data, missing=missing)
    able = [k for k in result if k.level >= level]
    figure = new_figure(
        6.0,
        5.0 if exam.n_labels == 3 else 3.4,
        f"At {len(able)} of {len(result)} answer keys {could(exam.judges)} be\n"
        f"at least {format_exact(level)} right on every label",
    )
    axes: Any = figure.add_subplot()
    if exam.n_labels == 3:
        _triangle_map(figure, axes, result, able, exam.labels)
    else:
        points = sorted((k.key[0], float(k.level)) for k in result)
        marks = "o-" if len(points) <= 100 else "-"
        axes.plot(*zip(*points, strict=True), marks, color=BLUE, markersize=4, linewidth=1.4)
        axes.axhspan(float(level), 1, color=GREEN, alpha=0.15, linewidth=0)
        axes.set(
            xlabel=f"items of {plain(exam.labels[0])} in the answer key",
            ylabel="highest accuracy all could reach",
            ylim=(0, 1.04),
        )
        show_levels(axes.yaxis)
    best = result[-1]
    return describe(
        figure,
        f"{' '.join(figure.get_suptitle().split())}: the answer keys as a map.",
        f"The highest level is {format_exact(best.level)}, at {_key_words(best.key, exam.labels)}.",
    )


def _triangle_map(
    figure: Any,
    axes: Any,
    result: Sequence[KeyLevel],
    able: Sequence[KeyLevel],
    labels: Sequence[str],
) -> None:
    n_items = sum(result[0].key)
    mark = (_cells if len(result) > _MANY_KEYS else _marks)(axes, result, able)
    best = result[-1]
    axes.plot(*_in_triangle([best.key]), "*", color=RED, markersize=13, markeredgecolor="white")
    for t, label in enumerate(labels):
        (x,), (y,) = _in_triangle([tuple(n_items if t == s else 0 for s in range(3))])
        axes.annotate(
            f"all {n_items} are {plain(label)}",
            (x, y),
            (0, -14 if t < 2 else 10),
            textcoords="offset points",
            ha="center",
            va="top" if t < 2 else "bottom",
        )
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.set_axis_off()
    text = f"star: {format_exact(best.level)} at {_key_words(best.key, labels)}"
    figure.supxlabel(f"{text}\noutlined: the standard can be met", fontsize=9)
    bar = figure.colorbar(mark, ax=axes, shrink=0.75, label="highest accuracy all could reach")
    show_levels(bar.ax.yaxis)


def _marks(axes: Any, result: Sequence[KeyLevel], able: Sequence[KeyLevel]) -> Any:
    """Draw a mark for every key."""
    size = (272.0 / (sum(result[0].key) + 2)) ** 2
    heights = [float(k.level) for k in result]
    shape: dict[str, Any] = {"s": size, "marker": "h"}
    scale = {"cmap": LEVELS, "vmin": 0, "vmax": max(heights[-1], 0.01)}
    points = _in_triangle([k.key for k in result])
    mark = axes.scatter(*points, c=heights, linewidths=0, **shape, **scale)
    if able:
        ring = {"facecolors": "none", "edgecolors": RED, "linewidths": 1.2}
        axes.scatter(*_in_triangle([k.key for k in able]), **shape, **ring)
    return mark


def _cells(axes: Any, result: Sequence[KeyLevel], able: Sequence[KeyLevel]) -> Any:
    """Draw a cell for every key, sheared into the triangle, and the edge of those that are able."""
    from matplotlib.transforms import Affine2D

    side = sum(result[0].key) + 1
    table, meets = np.full((side, side), np.nan), np.zeros((side, side))
    for key, level in result:
        table[key[2], key[1]] = float(level)
    for key, _ in able:
        meets[key[2], key[1]] = 1.0
    sheared = Affine2D.from_values(1, 0, 0.5, sqrt(3) / 2, 0, 0) + axes.transData
    image = axes.imshow(
        np.ma.masked_invalid(table),
        origin="lower",
        cmap=LEVELS,
        vmin=0,
        vmax=max(float(result[-1].level), 0.01),
        interpolation="none",
        transform=sheared,
    )
    if able:
        axes.contour(meets, levels=[0.5], colors=[RED], linewidths=1.2, transform=sheared)
    axes.set(xlim=(-0.12 * side, 1.12 * side), ylim=(-0.1 * side, 0.97 * side))
    return image


def _in_triangle(keys: Sequence[Sequence[int]]) -> tuple[list[float], list[float]]:
    """Coordinates of keys in a triangle: first label left, second right, third on top."""
    return [q[1] + q[2] / 2 for q in keys], [q[2] * sqrt(3) / 2 for q in keys]


# --- All evaluations of one judge on two labels: point clouds ("No-Knowledge Alarms", figures 1 to
# 4).


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

    counts: tuple[int, int]
    n_items: int

    def caps(self, key: tuple[int, int], stage: str) -> tuple[int, int]:
        """How many of each label can be correct, each by itself."""
        if stage == "conceivable":
            return key
        return min(self.counts[0], key[0]), min(self.counts[1], key[1])


def draw_evaluations(
    data: Data, *, stage: str = "all", space: str = "R", judge: object = None
) -> Figure:
    """Every evaluation one judge could have, two labels ("No-Knowledge Alarms", figures 1 to 4).

    More than 1,500 evaluations are drawn as outlines: at 21 of the answer keys, the edge of what is
    possible there. `stage` is what is taken into account, see `evaluation_points`; `space` is "R", whole
    numbers (items of the first label, correct answers of each), or "P", prevalence and accuracies; `judge`
    is the first one by default.
    """
    exam = read_exam(data)
    if exam.n_labels != 2:
        raise DataError(
            f"evaluations can be drawn for two labels; got {exam.n_labels}; draw 'correctness' instead"
        )
    if exam.n_items > _MOST_ITEMS:
        raise DataError(
            f"evaluations can be drawn for at most {_MOST_ITEMS} items; got {exam.n_items}; select "
            "some of them"
        )
    check_choice("space", space, ("R", "P"))
    check_choice("stage", stage, ("all", *STAGES))
    stages = STAGES if stage == "all" else (stage,)
    (index,) = [0] if judge is None else positions("judge", [judge], exam.judges)
    entry = _Judge((exam.counts[index][0], exam.counts[index][1]), exam.n_items)
    many = [_how_many(entry, name) for name in stages]
    counts = zip(exam.answers, exam.counts[index], strict=True)
    text = ", ".join(f"{n} {plain(a)}" for a, n in counts)
    title = f"Possible evaluations of {plain(exam.judges[index])} on {exam.n_items} items (answers: {text})"
    if max(many) > _MOST_POINTS:
        shown = min(_SLICES, exam.n_items + 1)
        title = f"{title}\ndrawn: their outlines at {shown} of {exam.n_items + 1} answer keys"
    figure = new_figure(3.7 * len(stages) + 0.6, 4.9, title)
    for column, name in enumerate(stages):
        axes: Any = figure.add_subplot(1, len(stages), column + 1, projection="3d")
        below = f"{_STAGE_WORDS[name]}:\n{many[column]} evaluations"
        if max(many) > _MOST_POINTS:
            _outlines(axes, entry, name, space)
        else:
            points = evaluation_points(data, name, judge)
            drawn: Sequence[tuple[Any, ...]] = prevalence_points(points)
            if space == "R":
                drawn = [(key[0], *correct) for key, correct in points]
            elif len(drawn) < many[column]:
                below += f"\n({many[column] - len(drawn)} with an absent label, not drawn)"
            x, y, z = ([float(p[k]) for p in drawn] for k in range(3))
            style = {"s": 26 if len(drawn) < 100 else 14, "depthshade": False, "linewidths": 0}
            axes.scatter(x, y, z, c=x, cmap=LEVELS, rasterized=len(drawn) > _MOST_MARKS, **style)
        _view(axes, exam, space)
        axes.set_title(below, pad=-10)
    lines = [f"{k} are {_STAGE_WORDS[name]}" for name, k in zip(stages, many, strict=True)]
    return describe(figure, f"{' '.join(title.split())}.", f"{'; '.join(lines)}.")


def _how_many(judge: _Judge, stage: str) -> int:
    """Number of evaluations, without a list of them."""
    keys = [(q, judge.n_items - q) for q in range(judge.n_items + 1)]
    if stage == "axioms":
        return sum(count_correct(judge.counts, key) for key in keys)
    return sum((a + 1) * (b + 1) for a, b in (judge.caps(key, stage) for key in keys))


def _outlines(axes: Any, judge: _Judge, stage: str, space: str) -> None:
    from matplotlib import colormaps

    n, shades = judge.n_items, colormaps[LEVELS]
    for q in sorted({round(k * n / (_SLICES - 1)) for k in range(_SLICES)}):
        key = (q, n - q)
        if space == "P" and 0 in key:
            continue
        edge = list(_edge(judge, key, stage))
        points = [
            (q, *right) if space == "R" else (q / n, right[0] / key[0], right[1] / key[1])
            for right in edge
        ]
        x, y, z = zip(*points, strict=True)
        axes.plot(x, y, z, color=shades(q / n), linewidth=1.3, marker="." if len(edge) < 2 else "")


def _edge(judge: _Judge, key: tuple[int, int], stage: str) -> Iterator[tuple[int, int]]:
    """Yield the corners of what is possible at one answer key, and the first of them again.

    Consistent with x of the first label are from x + r1 + q1 - n to x + n - r0 - q0 of the second
    (`attained`), within 0 and its cap.
    """
    a, b = judge.caps(key, stage)
    if stage != "axioms":
        yield from ((0, 0), (a, 0), (a, b), (0, b), (0, 0))
        return
    below = judge.counts[1] + key[1] - judge.n_items
    above = judge.n_items - judge.counts[0] - key[0]
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
    names = [f"prevalence of {first}", f"accuracy on {first}", f"accuracy on {second}"]
    if space == "R":
        names = [f"items of {first}", f"{first} correct", f"{second} correct"]
    limits = (0, exam.n_items if space == "R" else 1)
    for axis, name in zip("xyz", names, strict=True):
        axes.set(**{f"{axis}label": name, f"{axis}lim": limits})
        line = getattr(axes, f"{axis}axis")
        line.get_major_locator().set_params(integer=True, nbins=5)
        if space == "P":
            show_levels(line)
            line.set_ticks([0.5, 1.0] if axis == "y" else [0.0, 0.5, 1.0])
