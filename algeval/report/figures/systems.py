"""Figures of systems, of plans, and of laws of votes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from algeval.budgets import Alternative, Plan
from algeval.data import Scores, Votes
from algeval.data.names import check_choice, check_whole
from algeval.errors import DataError
from algeval.models.risk_curves import RiskCurve
from algeval.rates.inputs import either_setting
from algeval.rates.leaderboards import Leaderboard, Rated
from algeval.rates.planning import LabelPlan, Way
from algeval.rates.rating import RAW, RateResult, rate
from algeval.rates.sizes import rows_for_width, variance
from algeval.rates.streams import LabelStream
from algeval.rates.systems import SystemComparison, signed
from algeval.report.figures.drawing import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    INK,
    ORANGE,
    RED,
    describe,
    legend_below,
    log_ticks,
    name_each,
    new_figure,
    plain,
    refuse_data,
    show_levels,
    values_at,
)
from algeval.result import percent
from algeval.result.numbers import capital, how_many, is_bare, rate_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _check(data: object, kind: type, remedy: str, more: str = "") -> None:
    if not isinstance(data, kind):
        raise DataError(
            f"the figure must be of a {kind.__name__}{more}; got {type(data).__name__}; pass {remedy}"
        )


# --- The interval of a stream of labels as they come in: it only narrows, and may be read at any
# time.


def draw_label_stream(data: LabelStream, *, labels: Sequence[object] = ()) -> Figure:
    """Interval after each label, and where the rule says to stop.

    The LabelStream is where to start from, as new or with labels; it is not changed. It does not keep its
    course: `labels` are what comes in, 1 and 0, or pairs of that and the judges' share where the stream has
    `fbar`.
    """
    _check(data, LabelStream, "one, and labels=")
    stream = LabelStream.from_dict(data.to_dict())
    points = [(stream.n, stream.low, stream.high, stream.rate)]
    stopped = stream.n if stream.stop else None
    for label in labels:
        stop = stream.add(*label) if isinstance(label, tuple | list) else stream.add(label)
        points.append((stream.n, stream.low, stream.high, stream.rate))
        stopped = stream.n if stop and stopped is None else stopped
    n, low, high, rates = zip(*points, strict=True)
    helped = "" if data.fbar is None else ", helped by the judges"
    figure = new_figure(6.4, 4.0, f"Labels one at a time, an interval after each{helped}")
    axes: Any = figure.add_subplot()
    style: dict[str, Any] = {"color": BLUE, "alpha": 0.25, "linewidth": 0, "step": "post"}
    text = f"{percent(data.level, 0)} interval, at all times at once"
    axes.fill_between(n, low, high, label=text, **style)
    drawn = [(k, value) for k, value in zip(n, rates, strict=True) if value is not None]
    if drawn:
        axes.plot(*zip(*drawn, strict=True), color=BLUE, label="the rate so far")
    against = percent(float(data.against))
    mark_level(axes, float(data.against), f"compared with {against}", across=True)
    if stopped is not None:
        axes.axvline(stopped, color=INK, linewidth=1.2, label=f"stop at {stopped}")
    axes.set(xlim=(n[0], max(n[-1], 1)), ylim=(0, 1), xlabel="labels")
    axes.set_ylabel("rate")
    show_levels(axes.yaxis)
    legend_below(figure, 2)
    ends = f"{percent(low[-1])} to {percent(high[-1])}"
    verdict = f"The rule does not say stop: it is compared with {against}."
    if stopped is not None:
        verdict = (
            f"The rule says stop after {how_many(stopped, 'label')}; it is compared with {against}."
        )
    return describe(
        figure,
        f"Interval of the rate after each of {how_many(n[-1], 'label')}: at the end {ends}.",
        verdict,
    )


# --- Intervals as rows, from the least assumed at the top to the most at the bottom.


class Row(NamedTuple):
    """An interval with its point.

    `kind` is "belief", "refuted" or "answer"; `points` are shown in place of an interval, and `nothing` is
    said where there is neither.
    """

    name: str
    low: float | None
    estimate: float | None
    high: float | None
    kind: str = "belief"
    points: Sequence[float] = ()
    nothing: str = "impossible"

    @classmethod
    def of(cls, name: str, row: Any, kind: str, points: Sequence[float] = ()) -> Row:
        """Row of an interval with ends and an estimate of its own."""
        low, estimate, high = (
            None if end is None else float(end) for end in (row.low, row.estimate, row.high)
        )
        return cls(name, low, estimate, high, kind, points)


_LOOKS: dict[str, dict[str, Any]] = {
    "belief": {"color": BLUE, "linewidth": 2.0, "linestyle": "-", "marker": "o"},
    "refuted": {"color": ORANGE, "linewidth": 2.0, "linestyle": ":", "marker": "X"},
    "answer": {"color": GREEN, "linewidth": 3.5, "linestyle": "-", "marker": "D"},
}
_MEANINGS = {
    "belief": "under its assumption",
    "refuted": "refuted by the labels",
    "answer": "the answer",
}
_TICK: dict[str, Any] = {"marker": "|", "color": GREY, "markersize": 9, "linestyle": "none"}
_CAP = 0.16
"""Half the height of the ends of an interval, in rows."""


def draw_rows(axes: Any, rows: Sequence[Row]) -> None:
    """Draw the rows from top to bottom, names at the left."""
    for index, row in enumerate(rows):
        look = _LOOKS[row.kind]
        colour = look["color"]
        if row.low is not None and row.high is not None:
            line = {"linewidth": look["linewidth"], "linestyle": look["linestyle"], "color": colour}
            ends = [row.low, row.high]
            axes.plot(ends, [index, index], **line, solid_capstyle="butt", zorder=2)
            caps = [index - _CAP] * 2, [index + _CAP] * 2
            axes.vlines(ends, *caps, color=colour, linewidth=1.5, clip_on=False, zorder=2)
        if row.points:
            axes.plot(row.points, [index] * len(row.points), **_TICK, zorder=3)
        if row.estimate is not None:
            size = 6.5 if row.kind == "answer" else 5
            style = {"marker": look["marker"], "color": colour, "linestyle": "none"}
            axes.plot([row.estimate], [index], **style, markersize=size, zorder=4)
        if row.low is None and row.estimate is None and not row.points:
            inside = axes.get_yaxis_transform()
            axes.text(0.02, index, row.nothing, transform=inside, va="center", fontsize=8)
    name_each(axes, [plain(row.name, 38) for row in rows])
    axes.grid(axis="x")
    boxes, texts = [], []
    for index, row in enumerate(rows):
        numbers = [n for n in (row.low, row.estimate, row.high, *row.points) if n is not None]
        left, right = (min(numbers), max(numbers)) if numbers else axes.get_xlim()
        wide = 0.01 * (left == right)
        boxes.append((left - wide, right + wide, index - 0.45, index + 0.45))
        texts.append(f"{plain(row.name, 80)}: {_said(row)}")
    values_at(axes, boxes, texts)


def _said(row: Row) -> str:
    """Numbers of a row, for who points at it."""
    ends = (
        "" if row.low is None or row.high is None else f"{percent(row.low)} to {percent(row.high)}"
    )
    if row.estimate is not None:
        return f"{percent(row.estimate)} ({ends})" if ends else percent(row.estimate)
    return ends or ", ".join(map(percent, row.points)) or row.nothing


def mark_level(axes: Any, value: float, text: str, *, across: bool = False) -> None:
    """Draw a value to compare with, as a line with its words: up, or across."""
    line = axes.axhline if across else axes.axvline
    line(
        value,
        color=RED,
        linestyle="--",
        linewidth=1.2,
        label=text,
        **({} if across else {"zorder": 1}),
    )


def legend_of(axes: Any, rows: Iterable[Row], points: str = "") -> list[Any]:
    """Entries of the legend: the lines drawn with words, and each kind of row there is."""
    from matplotlib.lines import Line2D

    kinds = {row.kind for row in rows}
    handles = list(axes.get_legend_handles_labels()[0])
    handles += [
        Line2D([], [], **look, label=_MEANINGS[kind])
        for kind, look in _LOOKS.items()
        if kind in kinds
    ]
    return [*handles, *([Line2D([], [], **_TICK, label=points)] if points else [])]


# --- What each assumption leaves of a rate: a row a rung, the answer marked, the rate compared with
# a line.


def draw_rate(
    data: RateResult | Votes | Scores,
    *,
    good: str | None = None,
    human: Any = None,
    label: str | None = None,
    gold: Any = None,
) -> Figure:
    """Interval of each row of a rate, the fewest assumptions at the top.

    A RateResult is drawn as it is; of Votes or Scores it is the rate of the label `good`, with `human`, what
    people said of some items; see `rate`. `label` and `gold` are their old names.
    """
    if isinstance(data, Votes | Scores):
        good = either_setting(label, good, "label", "good")
        data = rate(data, good, either_setting(gold, human, "gold", "human"))
    _check(data, RateResult, "what ae.rate returns", ", or of Votes with a label")
    # of the rows that leave everything open only the first
    first = next((row for row in data.table if (row.low, row.high) == (0, 1)), None)
    shown = [
        row for row in data.table if row.answer or row is first or (row.low, row.high) != (0, 1)
    ]
    rows = []
    for row in shown:
        kind = "answer" if row.answer else "refuted" if row.refuted else "belief"
        shares = [judged["votes_for_it"] for judged in data.judged.values()]
        points = [share for share in shares if share is not None] if row.name == RAW else []
        rows.append(Row.of(row.name, row, kind, points))
    against = percent(data.against)
    n_gold = how_many(data.n_gold, "label") if data.n_gold else "no label"
    judges = how_many(len(data.judges), "judge") if data.judges else "no judge"
    who = f"{how_many(data.n_items, 'item')}, {judges}, {n_gold}"
    named = f"rate of {plain(data.label)}"
    if is_bare(data.label):
        named = rate_name(plain(data.label), counted=data.counted)
    title = f"{capital(named)}: under each assumption\n{who}"
    figure = new_figure(6.4, 1.9 + 0.27 * len(rows), title)
    axes: Any = figure.add_subplot()
    mark_level(axes, float(data.against), f"compared with {against}")
    draw_rows(axes, rows)
    axes.set(xlim=(0, 1), xlabel=named)
    show_levels(axes.xaxis)
    legend_below(figure, 2, handles=legend_of(axes, rows, "votes of each judge"))
    return describe(figure, *_words_of_rate(data), f"The line is at {against}.")


def _words_of_rate(rated: RateResult) -> list[str]:
    of = rate_name(plain(rated.label), counted=rated.counted) if rated.counted else ""
    of = of or f"rate of {plain(rated.label)}"
    words = [f"Intervals of the {of}, from the least assumed to the most."]
    if rated.rate is None:
        words.append("The votes alone have no point and decide no interval.")
    else:
        level = percent(rated.level, 0)
        ends = f"{percent(rated.low)} to {percent(rated.high)}"
        words.append(f"By the labels it is {percent(rated.rate)}, {level} interval {ends}.")
    wrong = [row.name for row in rated.table if row.refuted]
    if wrong:
        words.append(f"Refuted by the labels: {', '.join(wrong)}.")
    none = [row.name for row in rated.table if row.against == "impossible"]
    if none:
        words.append(f"Impossible with these votes: {', '.join(none)}.")
    return words


# --- Ratings with their intervals, and beside them the ranks that each system may have.


_SCALES = ("elo", "natural")
_ROOM_OF_LEADERBOARD = 0.08
"""Of the axis, beside the farthest number on it."""

_HALF = 0.3
"""Of a rank, on either side of its number."""


def draw_leaderboard(data: Leaderboard, *, scale: str = "elo", most: int = 40) -> Figure:
    """Each system's rating and interval, and the ranks that hold for all systems at once.

    `scale` is "elo", points, or "natural", log-odds; the `most` best systems are drawn.
    """
    _check(data, Leaderboard, "what ae.leaderboard returns")
    check_choice("scale", scale, _SCALES)
    shown, elo = data.table[: check_whole("most", most, 1)], scale == "elo"
    left_out = len(data.table) - len(shown)
    level = percent(data.level, 0)
    unit = "" if data.cluster is None else f" in {data.n_clusters:,} clusters by {data.cluster}"
    cut = f", the first {len(shown)} of {len(data.table)} systems" if left_out else ""
    title = f"Ratings with {level} intervals, and ranks\n{data.battles}{unit}{cut}"
    figure = new_figure(7.2, 1.6 + 0.27 * len(shown), title)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    # low, rating, high; infinite or NaN where the battles do not say
    numbers = [
        (row.elo_low, row.elo, row.elo_high) if elo else (row.low, row.rating, row.high)
        for row in shown
    ]
    finite = [value for row in numbers for value in row if isfinite(value)] or [0.0, 1.0]
    room = _ROOM_OF_LEADERBOARD * (max(finite) - min(finite)) or 1.0
    ends = min(finite) - room, max(finite) + room
    rows = []
    for row, (low, estimate, high) in zip(shown, numbers, strict=True):
        # an interval without an end goes to the frame
        pair = (
            (max(low, ends[0]), min(high, ends[1])) if low == low and high == high else (None, None)
        )
        point = estimate if isfinite(estimate) else None
        rows.append(Row(row.system, pair[0], point, pair[1], nothing="on no common scale"))
    draw_rows(left, rows)
    left.set(xlim=ends, xlabel="rating (Elo)" if elo else "rating (log-odds)")
    _ranks(right, shown, len(data.table))
    lead = [plain(row.system) for row in data.table if row.best_rank == 1]
    first = f"{', '.join(lead[:5])}{', ...' * (len(lead) > 5)}"
    return describe(
        figure,
        f"Ratings and rank sets of {how_many(len(shown), 'system')}, the best rating first.",
        f"{how_many(len(lead), 'system')} may be first, at {level} for all ranks together: {first}.",
        ""
        if data.connected
        else f"The battles leave {len(data.components)} groups on scales of their own.",
    )


def _ranks(axes: Any, shown: Sequence[Rated], n_systems: int) -> None:
    from matplotlib.ticker import MaxNLocator

    for index, row in enumerate(shown):
        width = row.worst_rank - row.best_rank + 2 * _HALF
        colour = ORANGE if row.best_rank == 1 else BLUE
        axes.barh(index, width, left=row.best_rank - _HALF, height=0.4, color=colour)
    axes.set(xlim=(n_systems + 0.6, 0.4), xlabel="ranks (orange: perhaps first)")
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.grid(axis="x")


# --- How often each rule is wrong, by the number of judges, and the limits.


_RULES = {
    "bayes": ("Bayes", BLUE, "o"),
    "independent": ("independence assumed", ORANGE, "s"),
    "threshold": ("threshold on |M|", GREEN, "^"),
}
_MOST_MARKERS = 40
_AXES = {"risk": "share of items labelled wrong", "lost": "risk above Bayes"}


def draw_rule_risks(data: RiskCurve, *, measure: str = "risk", scale: str = "linear") -> Figure:
    """Exact risk of each rule against the number of judges; dashes are the limits.

    `measure` is "risk", or "lost", what the other rules lose against Bayes; `scale` of the risks is "linear"
    or "log".
    """
    if not isinstance(data, RiskCurve):
        raise refuse_data(data, "a RiskCurve, such as curie_weiss_risks(...)")
    check_choice("measure", measure, tuple(_AXES))
    check_choice("scale", scale, ("linear", "log"))
    measured = "How often each rule is wrong" if measure == "risk" else "What a rule loses to Bayes"
    settings = [
        f"{name} {v:.4g}" for name, v in data.settings.items() if isinstance(v, int | float)
    ]
    law = ", ".join([f"prevalence {data.prevalence:.4g}", *settings])
    figure = new_figure(6.0, 4.0, f"{measured}, by the number of judges\n{law}")
    axes: Any = figure.add_subplot()
    words = [f"{_AXES[measure].capitalize()} against the number of judges, a line a rule."]
    rules = [rule for rule in _RULES if getattr(data.rows[0], rule) is not None]
    n_judges = [row.n_judges for row in data.rows]
    for rule in rules if measure == "risk" else rules[1:]:
        name, colour, marker = _RULES[rule]
        values = [_value(row, rule, measure) for row in data.rows]
        mark = marker if len(values) <= _MOST_MARKERS else None
        axes.plot(n_judges, values, label=name, color=colour, marker=mark, markersize=4)
        limit = None if data.limit is None else _value(data.limit, rule, measure)
        if limit:
            axes.axhline(limit, color=colour, linestyle="--", linewidth=0.8)
        ends = f"{values[0]:.4g} at {n_judges[0]}, {values[-1]:.4g} at {n_judges[-1]}"
        least = "" if limit is None else f", limit {limit:.4g}"
        words.append(f"{name.capitalize()}: {ends}{least}.")
    axes.set_xlabel("judges")
    axes.set_ylabel(_AXES[measure])
    if scale == "log":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        show_levels(axes.yaxis)
    axes.legend()
    return describe(figure, *words)


def _value(row: Any, rule: str, measure: str) -> float | None:
    risk: float | None = getattr(row, rule)
    return risk if measure == "risk" or risk is None else risk - float(row.bayes)


# --- How often the better of two classifiers wins, by labels per item.


_TICKS = (1, 3, 5, 9, 15, 25, 49, 99, 199, 499, 999)
_DASHES = {"disagreements": "--", "adaptive": "-.", "gold": ":"}
_RING: dict[str, Any] = {
    "marker": "o",
    "markersize": 10,
    "markerfacecolor": "none",
    "markeredgecolor": RED,
    "markeredgewidth": 2,
    "linestyle": "none",
}


def draw_plan(data: Plan) -> Figure:
    """Chance that the better classifier wins against labels per item, the best number marked.

    The budget is the same all along the curve. What it does when spent in other ways is a line across.
    """
    _check(data, Plan, "what ae.plan returns")
    where = " where the classifiers differ" if data.settings["disagreements"] else ""
    title = f"How many labels per item{where}, for a budget of {data.settings['budget']}"
    best = f"{how_many(data.labels_per_item, 'label')} on {data.items:,} items, {percent(data.win)}"
    others = [(_spent(other), other) for other in data.alternatives]
    figure = new_figure(6.4, 4.2, title)
    axes: Any = figure.add_subplot()
    votes, wins = [row.m for row in data.table], [row.win for row in data.table]
    axes.plot(votes, wins, color=BLUE, marker="o", markersize=3, label="majority of m labels")
    for index, (text, other) in enumerate(others):
        colour, dashes = COLOURS[index + 1], _DASHES[other.name]
        axes.axhline(other.win, color=colour, linestyle=dashes, label=text)
    axes.plot(data.labels_per_item, data.win, **_RING, label=f"best: {best}")
    log_ticks(axes, [m for m in _TICKS if m <= votes[-1]])
    axes.set_xlim(0.8, 1.25 * votes[-1])
    axes.set_xlabel("labels per item, m")
    axes.set_ylabel("the better classifier wins")
    show_levels(axes.yaxis)
    legend_below(figure, 1)
    words = [
        "Chance that the better of two classifiers scores higher, against labels per item.",
        f"Best: {best}; {data.verdict}.",
    ]
    last = data.table[-1]
    if last.m > 1:
        labels = how_many(last.m, "label")
        words.append(f"With {labels} on {how_many(last.items, 'item')} it is {percent(last.win)}.")
    return describe(figure, *words, *(f"{text.capitalize()}." for text, _ in others))


def _spent(other: Alternative) -> str:
    """How a budget is spent, and how often the better classifier then wins."""
    if other.name == "adaptive":
        return f"two labels, a third where these differ: {percent(other.win)}"
    if other.name == "gold":
        return f"one gold label on {other.items:,} items: {percent(other.win)}"
    labels = how_many(other.labels_per_item or 1, "label")
    return f"{labels} on {other.items:,} items where the classifiers differ: {percent(other.win)}"


# --- What labels buy: half the width of a rate's interval against their number, with judges and
# without.


_POINTS = 200
_BEYOND = 2.0
"""How far the axis goes, in numbers of labels without judges."""
_CURVES = {
    "labels only": BLUE,
    "labels and judges": ORANGE,
    "of that label": BLUE,
    "same items, an interval": BLUE,
    "the same and judges": ORANGE,
}


def draw_label_plan(data: LabelPlan) -> Figure:
    """Half-width of a rate, or of a difference, against labels; what was asked is a line.

    With an interval for `rho2`, from a pilot, the judges' curve is a band.
    """
    _check(data, LabelPlan, "what ae.plan returns for a half-width or a margin")
    among = "" if data.items is None else f" of {data.items:,} items"
    of = {"accuracy": "a judge's accuracy", "recall": "a judge's recall", "rate": "a rate"}
    what = of.get(data.goal) or f"a difference of {data.margin:g}"
    what += f" in each of {data.slices} slices" if data.slices > 1 else ""
    figure = new_figure(6.4, 4.0, f"What labels{among} tell of {what}")
    axes: Any = figure.add_subplot()
    z = float(ndtri((1 + data.own_level) / 2))
    goal = _goal(data, z)
    most = ceil(_BEYOND * _spread(data) * (z / goal) ** 2)
    most = max(10, most if data.items is None else min(most, data.items))
    n = np.unique(np.linspace(max(1, most // 100), most, _POINTS).round().astype(int))
    axes.plot(n, _half_width(data, n, 0.0), color=BLUE, label="labels only")
    if data.rho2 is not None:
        text = f"labels and judges, rho2 = {data.rho2:.2f}"
        axes.plot(n, _half_width(data, n, data.rho2), color=ORANGE, label=text)
    if data.rho2_low is not None and data.rho2_high is not None:
        ends = (_half_width(data, n, rho2) for rho2 in (data.rho2_low, data.rho2_high))
        axes.fill_between(n, *ends, color=ORANGE, alpha=0.25, linewidth=0, label="its interval")
    mark_level(axes, goal, f"asked for: {goal:.3g}", across=True)
    words = [f"Half-width of the interval against labels; {goal:.3g} is asked for."]
    rows: list[Way] = [row for row in data.table if row.name in _CURVES and row.labels]
    for row in rows:
        axes.plot(row.labels, goal, "o", color=_CURVES[row.name], markersize=6, zorder=4)
        words.append(f"{row.name.capitalize()}: {how_many(row.labels or 0, 'item')} to label.")
    axes.set(xlim=(0, n[-1]), ylim=(0, min(4 * goal, 0.5)), xlabel="items labelled")
    if data.goal == "recall":
        axes.set_xlabel("labelled items with that label")
    axes.set_ylabel(f"half of the {percent(data.own_level, int(data.slices > 1))} interval")
    axes.grid(axis="y")
    legend_below(figure, 2)
    none = "" if data.feasible else "No number of labels on these items does."
    return describe(figure, *words, none)


def _spread(plan: LabelPlan) -> float:
    """Variance of one label, as far as the plan's own number goes by it, or of one difference."""
    if plan.margin is not None and plan.discordance is not None:
        return plan.discordance - (0.0 if plan.slices > 1 else plan.margin**2)
    assert plan.rate is not None and plan.half_width is not None  # noqa: PT018
    exact = plan.goal == "rate"
    rows = rows_for_width(plan.rate, plan.half_width, plan.own_level, exact=exact)
    return rows * (plan.half_width / float(ndtri((1 + plan.own_level) / 2))) ** 2


def _half_width(plan: LabelPlan, n: Any, rho2: float) -> Any:
    population, items = plan.target == "population", inf if plan.items is None else plan.items
    spread, z = _spread(plan), float(ndtri((1 + plan.own_level) / 2))
    results = [variance(k, spread, rho2, items, population=population) for k in n.tolist()]
    return z * np.sqrt(np.maximum(results, 0.0))


def _goal(plan: LabelPlan, z: float) -> float:
    """Half-width asked for; of a margin, that which shows it with the power asked for."""
    if plan.half_width is not None:
        return plan.half_width
    return float((plan.margin or 0.0) * z / (z + ndtri(plan.power or 0.8)))


# --- The difference of two systems by judges alone, by labels alone, and by both.


_ROOM = 1.25
"""Of the axis, beyond the farthest number on it."""


def draw_difference(data: SystemComparison) -> Figure:
    """Three rows where there are labels, and without them what each belief leaves."""
    _check(data, SystemComparison, "what ae.versus returns")
    first, second = (plain(name) for name in data.names)
    settled = data.difference is not None
    rows = [
        Row.of(
            line.name.strip(), line, "answer" if settled and line is data.table[-1] else "belief"
        )
        for line in data.table
    ]
    text = f"{data.n_items} items, {data.n_gold} labelled for both"
    title = f"{first} against {second}: {data.verdict}\n{text}"
    figure = new_figure(6.4, 1.9 + 0.3 * len(rows), title)
    axes: Any = figure.add_subplot()
    mark_level(axes, 0.0, "no difference")
    draw_rows(axes, rows)
    most = max((abs(end) for row in rows for end in row[1:4] if end is not None), default=1.0)
    axes.set_xlim(-min(_ROOM * most, 1.02), min(_ROOM * most, 1.02))
    axes.set_xlabel(f"share of {plain(data.label)} in {first} less that in {second}")
    legend_below(figure, 2, handles=legend_of(axes, rows))
    words = [f"Difference of {first} and {second} in {plain(data.label)}, {len(rows)} rows."]
    judged = next((row.estimate for row in rows if row.name == "judges only"), None)
    if judged is not None:
        words.append(f"By the judges alone it is {signed(judged)}, without an interval.")
    ends = f"{signed(data.low)} to {signed(data.high)}"
    if data.difference is None:
        return describe(figure, *words, f"No item is labelled: it lies between {ends}.")
    level = percent(data.level, 0)
    by_labels = f"By the labels it is {signed(data.difference)}, {level} interval {ends}."
    return describe(figure, *words, by_labels)
