"""Figures of systems, of plans, and of laws of votes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.stats import norm

from algeval.budgets import Alternative, Plan
from algeval.data import Scores, Votes
from algeval.data.names import check_choice, check_whole
from algeval.errors import DataError
from algeval.models.risk_curves import RiskCurve
from algeval.rates.leaderboards import Leaderboard, Rated
from algeval.rates.planning import LabelPlan, Way, variance
from algeval.rates.rating import RAW, RateResult, rate
from algeval.rates.rating import Row as Rung
from algeval.rates.sampling import LabelStream
from algeval.rates.systems import Line, SystemComparison, signed
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
    new_figure,
    plain,
    refuse_data,
    show_levels,
)
from algeval.result import percent
from algeval.result.numbers import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# --- The interval of a stream of labels as they come in: it only narrows, and may be read at any
# time.


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
    points = [(n, rate) for n, rate in zip(course.n, course.rate, strict=True) if rate is not None]
    axes.plot(*zip(*points, strict=True), color=BLUE, label="the rate so far") if points else None
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
    points = [(stream.n, stream.low, stream.high, stream.rate)]
    stopped = stream.n if stream.stop else None
    for label in labels:
        stop = stream.add(*label) if isinstance(label, tuple | list) else stream.add(label)
        points.append((stream.n, stream.low, stream.high, stream.rate))
        stopped = stream.n if stop and stopped is None else stopped
    n, low, high, rate = (list(column) for column in zip(*points, strict=True))
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


# --- Intervals as rows, from the least assumed at the top to the most at the bottom.


class Row(NamedTuple):
    """One interval with its point.

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


_LOOKS: dict[str, dict[str, Any]] = {
    "belief": {"color": BLUE, "linewidth": 2.0, "linestyle": "-", "marker": "o"},
    "refuted": {"color": ORANGE, "linewidth": 2.0, "linestyle": ":", "marker": "X"},
    "answer": {"color": GREEN, "linewidth": 3.5, "linestyle": "-", "marker": "D"},
}
_TOLD = {
    "belief": "as good as what it assumes",
    "refuted": "refuted by the labels",
    "answer": "the answer",
}
_CAP = 0.16
"""Half the height of the ends of an interval, in rows."""


def draw_rows(axes: Any, rows: Sequence[Row]) -> None:
    """Draw the rows from top to bottom, names at the left."""
    for index, row in enumerate(rows):
        _draw(axes, index, row)
    axes.set_yticks(range(len(rows)), [plain(row.name, 38) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _draw(axes: Any, index: int, row: Row) -> None:
    look = _LOOKS[row.kind]
    line = {name: look[name] for name in ("color", "linewidth", "linestyle")}
    if row.low is not None and row.high is not None:
        axes.plot([row.low, row.high], [index, index], **line, solid_capstyle="butt", zorder=2)
        caps = [row.low, row.high], [index - _CAP] * 2, [index + _CAP] * 2
        axes.vlines(*caps, color=look["color"], linewidth=1.5, clip_on=False, zorder=2)
    if row.points:
        axes.plot(row.points, [index] * len(row.points), "|", color=GREY, markersize=9, zorder=3)
    if row.estimate is not None:
        size = 6.5 if row.kind == "answer" else 5
        style = {"marker": look["marker"], "color": look["color"], "linestyle": "none"}
        axes.plot([row.estimate], [index], **style, markersize=size, zorder=4)
    if row.low is None and row.estimate is None and not row.points:
        inside = axes.get_yaxis_transform()
        axes.text(0.02, index, row.nothing, transform=inside, va="center", fontsize=8)


def mark_level(axes: Any, value: float, text: str) -> None:
    """Draw the value that the rows are compared with, as a line with its words."""
    axes.axvline(value, color=RED, linestyle="--", linewidth=1.2, label=text, zorder=1)


def legend_of(axes: Any, rows: Iterable[Row], points: str = "") -> list[Any]:
    """Return what the legend tells: the lines drawn with words, and each kind of row there is."""
    from matplotlib.lines import Line2D

    rows = list(rows)
    handles = list(axes.get_legend_handles_labels()[0])
    kinds = [kind for kind in _LOOKS if any(row.kind == kind for row in rows)]
    handles += [Line2D([], [], **_LOOKS[kind], label=_TOLD[kind]) for kind in kinds]
    if points:
        mark: dict[str, Any] = {"marker": "|", "color": GREY, "markersize": 9, "linestyle": "none"}
        handles.append(Line2D([], [], **mark, label=points))
    return handles


# --- What each assumption leaves of a rate: a row a rung, the answer marked, the rate compared with
# a line.


def draw_rate(
    data: RateResult | Votes | Scores, *, label: str | None = None, gold: Any = None
) -> Figure:
    """Draw the interval of each row of a rate, the fewest assumptions at the top.

    Parameters
    ----------
    data : RateResult, Votes or Scores
        A result is drawn as it is.
    label : str, optional
        Of votes: whose rate.
    gold : mapping, path, table or "key", optional
        Of votes: true labels of some items; see `rate`.
    """
    result = data if isinstance(data, RateResult) else _asked(data, label, gold)
    rows = [_row(rung, result) for rung in _telling(result)]
    figure = new_figure(6.4, 1.9 + 0.27 * len(rows), _title_of_rate(result))
    axes = figure.add_subplot()
    mark_level(axes, float(result.against), f"compared with {percent(result.against)}")
    draw_rows(axes, rows)
    axes.set(xlim=(0, 1), xlabel=f"rate of {plain(result.label)}")
    show_levels(axes.xaxis)
    legend_below(figure, 2, handles=legend_of(axes, rows, "votes of each judge"))
    return describe(figure, *_words_of_rate(result))


def _asked(data: Any, label: str | None, gold: Any) -> RateResult:
    if not isinstance(data, Votes | Scores):
        raise DataError(
            f"the figure must be of a RateResult, or of Votes with a label; got {type(data).__name__}; pass "
            "what ae.rate returns"
        )
    return rate(data, label, gold)


def _telling(rated: RateResult) -> list[Rung]:
    """Rows without those that leave everything open again."""
    first = next((row for row in rated.table if (row.low, row.high) == (0, 1)), None)
    return [
        row for row in rated.table if row.answer or row is first or (row.low, row.high) != (0, 1)
    ]


def _row(rung: Rung, rated: RateResult) -> Row:
    low, estimate, high = (
        None if end is None else float(end) for end in (rung.low, rung.estimate, rung.high)
    )
    kind = "answer" if rung.answer else "refuted" if rung.refuted else "belief"
    shares = [said["votes_for_it"] for said in rated.judged.values()]
    points = [share for share in shares if share is not None] if rung.name == RAW else []
    return Row(rung.name, low, estimate, high, kind=kind, points=points)


def _title_of_rate(rated: RateResult) -> str:
    gold = how_many(rated.n_gold, "label") if rated.n_gold else "no label"
    who = f"{how_many(rated.n_items, 'item')}, {how_many(len(rated.judges), 'judge')}, {gold}"
    return f"Rate of {plain(rated.label)}: what each assumption leaves open\n{who}"


def _words_of_rate(rated: RateResult) -> list[str]:
    words = [f"Intervals of the rate of {plain(rated.label)}, from the least assumed to the most."]
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
    return [*words, f"The line is at {percent(rated.against)}."]


# --- Ratings with their intervals, and beside them the ranks that each system may have.


_SCALES = ("elo", "natural")
_ROOM_OF_LEADERBOARD = 0.08
"""Of the axis, beside the farthest number on it."""

_HALF = 0.3
"""Of a rank, on either side of its number."""


def draw_leaderboard(data: Leaderboard, *, scale: str = "elo", most: int = 40) -> Figure:
    """Draw each system's rating and interval, and the ranks that hold for all systems at once.

    Parameters
    ----------
    data : Leaderboard
    scale : "elo" or "natural"
        Elo points, or log-odds.
    most : int
        Systems to draw, the best first.
    """
    if not isinstance(data, Leaderboard):
        raise DataError(
            f"the figure must be of a Leaderboard; got {type(data).__name__}; pass what ae.leaderboard "
            "returns"
        )
    check_choice("scale", scale, _SCALES)
    shown = data.table[: check_whole("most", most, 1)]
    figure = new_figure(7.2, 1.6 + 0.27 * len(shown), _title_of_leaderboard(data, len(shown)))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    numbers = [_numbers(row, scale) for row in shown]
    ends = _limits(numbers)
    draw_rows(
        left, [_row_of_leaderboard(r, pair, ends) for r, pair in zip(shown, numbers, strict=True)]
    )
    left.set(xlim=ends, xlabel="rating (Elo)" if scale == "elo" else "rating (log-odds)")
    _ranks(right, shown, len(data.table))
    return describe(figure, *_words_of_leaderboard(data, shown))


Numbers = tuple[float, float, float]
"""Low, rating, high; infinite or NaN where the battles do not say."""


def _numbers(row: Rated, scale: str) -> Numbers:
    if scale == "elo":
        return row.elo_low, row.elo, row.elo_high
    return row.low, row.rating, row.high


def _limits(numbers: Sequence[Numbers]) -> tuple[float, float]:
    finite = [value for pair in numbers for value in pair if isfinite(value)] or [0.0, 1.0]
    room = _ROOM_OF_LEADERBOARD * (max(finite) - min(finite)) or 1.0
    return min(finite) - room, max(finite) + room


def _row_of_leaderboard(row: Rated, pair: Numbers, ends: tuple[float, float]) -> Row:
    """Row; an interval without an end goes to the frame."""
    low, estimate, high = pair
    finite = low == low and high == high
    return Row(
        row.system,
        max(low, ends[0]) if finite else None,
        estimate if isfinite(estimate) else None,
        min(high, ends[1]) if finite else None,
        nothing="on no common scale",
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


def _title_of_leaderboard(board: Leaderboard, shown: int) -> str:
    level = percent(board.level, 0)
    unit = "" if board.cluster is None else f" in {board.n_clusters:,} clusters by {board.cluster}"
    cut = "" if shown == len(board.table) else f", the first {shown} of {len(board.table)} systems"
    return f"Ratings with {level} intervals, and ranks\n{board.n_battles:,} battles{unit}{cut}"


def _words_of_leaderboard(board: Leaderboard, shown: Sequence[Rated]) -> list[str]:
    lead = [row.system for row in board.table if row.best_rank == 1]
    level = percent(board.level, 0)
    noun = "system may" if len(lead) == 1 else "systems may"
    words = [
        f"Ratings and rank sets of {how_many(len(shown), 'system')}, the best rating first.",
        f"{len(lead)} {noun} be first, at {level} for all ranks together: "
        f"{', '.join(plain(name) for name in lead[:5])}{', ...' * (len(lead) > 5)}.",
    ]
    if not board.connected:
        words.append(f"The battles leave {len(board.components)} groups on scales of their own.")
    return words


# --- How often each rule is wrong, by the number of judges, and the limits.


_NAMES = {"bayes": "Bayes", "independent": "independence assumed", "threshold": "threshold on |M|"}
_COLOURS = {"bayes": BLUE, "independent": ORANGE, "threshold": GREEN}
_MARKERS = {"bayes": "o", "independent": "s", "threshold": "^"}
_MOST_MARKERS = 40
_AXES = {"risk": "share of items labelled wrong", "lost": "risk above Bayes"}


def draw_rule_risks(data: RiskCurve, *, measure: str = "risk", scale: str = "linear") -> Figure:
    """Draw the exact risk of each rule against the number of judges; dashes are the limits.

    Parameters
    ----------
    data : RiskCurve
    measure : "risk" or "lost"
        Risks, or what the other rules lose against Bayes.
    scale : "linear" or "log"
        Of the risks.

    Raises
    ------
    DataError
        If the data are something else, or an option is unknown.
    """
    if not isinstance(data, RiskCurve):
        raise refuse_data(data, "a RiskCurve, such as curie_weiss_risks(...)")
    check_choice("measure", measure, tuple(_AXES))
    check_choice("scale", scale, ("linear", "log"))
    figure = new_figure(6.0, 4.0, _title_of_risks(data, measure))
    axes = figure.add_subplot()
    for rule in _rules(data, measure):
        _draw_of_risks(axes, data, rule, measure)
    axes.set_xlabel("judges")
    axes.set_ylabel(_AXES[measure])
    if scale == "log":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        show_levels(axes.yaxis)
    axes.legend()
    return describe(figure, *_words_of_risks(data, measure))


def _title_of_risks(data: RiskCurve, measure: str) -> str:
    measured = "How often each rule is wrong" if measure == "risk" else "What a rule loses to Bayes"
    settings = [
        f"{name} {v:.4g}" for name, v in data.settings.items() if isinstance(v, int | float)
    ]
    return f"{measured}, by the number of judges\n" + ", ".join(
        [f"prevalence {data.prevalence:.4g}", *settings]
    )


def _rules(data: RiskCurve, measure: str) -> list[str]:
    rules = [rule for rule in _NAMES if getattr(data.rows[0], rule) is not None]
    return rules if measure == "risk" else rules[1:]


def _value(held: Any, rule: str, measure: str) -> float | None:
    risk: float | None = getattr(held, rule)
    return risk if measure == "risk" or risk is None else risk - float(held.bayes)


def _draw_of_risks(axes: Any, data: RiskCurve, rule: str, measure: str) -> None:
    colour = _COLOURS[rule]
    values = [_value(row, rule, measure) for row in data.rows]
    axes.plot(
        [row.n_judges for row in data.rows],
        values,
        label=_NAMES[rule],
        color=colour,
        marker=_MARKERS[rule] if len(values) <= _MOST_MARKERS else None,
        markersize=4,
    )
    limit = None if data.limit is None else _value(data.limit, rule, measure)
    if limit:
        axes.axhline(limit, color=colour, linestyle="--", linewidth=0.8)


def _words_of_risks(data: RiskCurve, measure: str) -> list[str]:
    first, last = data.rows[0], data.rows[-1]
    words = [f"{_AXES[measure].capitalize()} against the number of judges, a line a rule."]
    for rule in _rules(data, measure):
        text = (
            f"{_NAMES[rule].capitalize()}: {_value(first, rule, measure):.4g} at {first.n_judges}, "
            f"{_value(last, rule, measure):.4g} at {last.n_judges}"
        )
        limit = None if data.limit is None else _value(data.limit, rule, measure)
        words.append(text + (f", limit {limit:.4g}." if limit is not None else "."))
    return words


# --- How often the better of two classifiers wins, by labels per item.


_TICKS = (1, 3, 5, 9, 15, 25, 49, 99, 199, 499, 999)
_DASHES = {"disagreements": "--", "adaptive": "-.", "gold": ":"}


def draw_plan(data: Plan) -> Figure:
    """Draw the chance that the better classifier wins against labels per item, the best number marked.

    The budget is the same all along the curve. What it does when spent in other ways is a line across.

    Parameters
    ----------
    data : Plan
    """
    if not isinstance(data, Plan):
        raise DataError(
            f"the figure must be of a Plan; got {type(data).__name__}; pass what ae.plan returns"
        )
    figure = new_figure(6.4, 4.2, _title_of_plan(data))
    axes = figure.add_subplot()
    votes, wins = [row.m for row in data.table], [row.win for row in data.table]
    axes.plot(votes, wins, color=BLUE, marker="o", markersize=3, label="majority of m labels")
    for index, other in enumerate(data.alternatives):
        colour, dashes = COLOURS[index + 1], _DASHES[other.name]
        axes.axhline(other.win, color=colour, linestyle=dashes, label=_told(other))
    axes.plot(data.labels_per_item, data.win, **_RING, label=f"best: {_best(data)}")
    _label_axes(axes, votes)
    legend_below(figure, 1)
    return describe(figure, *_words_of_plan(data))


_RING: dict[str, Any] = {
    "marker": "o",
    "markersize": 10,
    "markerfacecolor": "none",
    "markeredgecolor": RED,
    "markeredgewidth": 2,
    "linestyle": "none",
}


def _label_axes(axes: Any, votes: list[int]) -> None:
    """Name the numbers themselves, as powers of ten would need mathematics drawn."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(0.8, 1.25 * votes[-1])
    shown = [m for m in _TICKS if m <= votes[-1]]
    axes.set_xticks(shown, [str(m) for m in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("labels per item, m")
    axes.set_ylabel("the better classifier wins")
    show_levels(axes.yaxis)


def _title_of_plan(plan: Plan) -> str:
    where = " where the classifiers differ" if plan.settings["disagreements"] else ""
    return f"How many labels per item{where}, for a budget of {plan.settings['budget']}"


def _best(plan: Plan) -> str:
    return f"{how_many(plan.labels_per_item, 'label')} on {plan.items:,} items, {percent(plan.win)}"


def _told(other: Alternative) -> str:
    if other.name == "adaptive":
        return f"two labels, a third where these differ: {percent(other.win)}"
    if other.name == "gold":
        return f"one gold label on {other.items:,} items: {percent(other.win)}"
    labels = how_many(other.labels_per_item or 1, "label")
    return f"{labels} on {other.items:,} items where the classifiers differ: {percent(other.win)}"


def _words_of_plan(plan: Plan) -> list[str]:
    last = plan.table[-1]
    words = [
        "Chance that the better of two classifiers scores higher, against labels per item.",
        f"Best: {_best(plan)}; {plan.verdict}.",
    ]
    if last.m > 1:
        labels = how_many(last.m, "label")
        words.append(f"With {labels} on {how_many(last.items, 'item')} it is {percent(last.win)}.")
    return words + [f"{_told(other).capitalize()}." for other in plan.alternatives]


# --- What labels buy: half the width of a rate's interval against their number, with judges and
# without.


_POINTS = 200
_BEYOND = 2.0
"""How far the axis goes, in numbers of labels without judges."""


def draw_labels(data: LabelPlan) -> Figure:
    """Draw the half-width of a rate, or of a difference, against labels; what was asked is a line.

    Parameters
    ----------
    data : LabelPlan
        With an interval for `rho2`, from a pilot, the judges' curve is a band.
    """
    if not isinstance(data, LabelPlan):
        raise DataError(
            f"the figure must be of a LabelPlan; got {type(data).__name__}; pass what ae.plan returns for "
            "a half-width or a margin"
        )
    figure = new_figure(6.4, 4.0, _title_of_labels(data))
    axes = figure.add_subplot()
    n, goal = _numbers_of_labels(data), _goal(data)
    axes.plot(n, _half_width(data, n, 0.0), color=BLUE, label="labels only")
    if data.rho2 is not None:
        text = f"labels and judges, rho2 = {data.rho2:.2f}"
        axes.plot(n, _half_width(data, n, data.rho2), color=ORANGE, label=text)
    if data.rho2_low is not None and data.rho2_high is not None:
        ends = (_half_width(data, n, rho2) for rho2 in (data.rho2_low, data.rho2_high))
        axes.fill_between(n, *ends, color=ORANGE, alpha=0.25, linewidth=0, label="its interval")
    axes.axhline(goal, color=RED, linestyle="--", linewidth=1.2, label=f"asked for: {goal:.3g}")
    for row, colour in _ways(data):
        axes.plot(row.labels or 0, goal, "o", color=colour, markersize=6, zorder=4)
    axes.set(xlim=(0, n[-1]), ylim=(0, min(4 * goal, 0.5)), xlabel="items labelled")
    axes.set_ylabel(f"half of the {percent(data.level, 0)} interval")
    axes.grid(axis="y")
    legend_below(figure, 2)
    return describe(figure, *_words_of_labels(data))


def _spread(plan: LabelPlan) -> float:
    """Variance of one label, or of one difference."""
    if plan.margin is not None and plan.discordance is not None:
        return plan.discordance - plan.margin**2
    rate = 0.5 if plan.rate is None else plan.rate
    return rate * (1 - rate)


def _half_width(plan: LabelPlan, n: Any, rho2: float) -> Any:
    population, items = plan.target == "population", inf if plan.items is None else plan.items
    spread, z = _spread(plan), float(norm.ppf((1 + plan.level) / 2))
    results = [variance(k, spread, rho2, items, population=population) for k in n.tolist()]
    return z * np.sqrt(np.maximum(results, 0.0))


def _goal(plan: LabelPlan) -> float:
    """Half-width asked for; of a margin, that which shows it with the power asked for."""
    if plan.half_width is not None:
        return plan.half_width
    z, power = norm.ppf((1 + plan.level) / 2), norm.ppf(plan.power or 0.8)
    return float((plan.margin or 0.0) * z / (z + power))


def _numbers_of_labels(plan: LabelPlan) -> Any:
    z = float(norm.ppf((1 + plan.level) / 2))
    most = ceil(_BEYOND * _spread(plan) * (z / _goal(plan)) ** 2)
    most = max(10, most if plan.items is None else min(most, plan.items))
    return np.unique(np.linspace(max(1, most // 100), most, _POINTS).round().astype(int))


def _ways(plan: LabelPlan) -> list[tuple[Way, str]]:
    """Ways that a curve is of, with its colour, where they reach the goal."""
    names = {
        "labels only": BLUE,
        "labels and judges": ORANGE,
        "same items, an interval": BLUE,
        "the same and judges": ORANGE,
    }
    return [(row, names[row.name]) for row in plan.table if row.name in names and row.labels]


def _title_of_labels(plan: LabelPlan) -> str:
    among = "" if plan.items is None else f" of {plan.items:,} items"
    what = "a rate" if plan.goal == "rate" else f"a difference of {plan.margin:g}"
    return f"What labels{among} tell of {what}"


def _words_of_labels(plan: LabelPlan) -> list[str]:
    words = [f"Half-width of the interval against labels; {_goal(plan):.3g} is asked for."]
    for row, _ in _ways(plan):
        words.append(f"{row.name.capitalize()}: {how_many(row.labels or 0, 'item')} to label.")
    return words if plan.feasible else [*words, "No number of labels on these items does."]


# --- The difference of two systems by judges alone, by labels alone, and by both.


_ROOM = 1.25
"""Of the axis, beyond the farthest number on it."""


def draw_difference(data: SystemComparison) -> Figure:
    """Draw three rows where there are labels, and without them what each belief leaves.

    Parameters
    ----------
    data : SystemComparison
    """
    if not isinstance(data, SystemComparison):
        raise DataError(
            f"the figure must be of a SystemComparison; got {type(data).__name__}; pass what "
            "ae.compare_systems returns"
        )
    settled = data.difference is not None
    rows = [
        _row_of_difference(line, answer=settled and line is data.table[-1]) for line in data.table
    ]
    figure = new_figure(6.4, 1.9 + 0.3 * len(rows), _title_of_difference(data))
    axes = figure.add_subplot()
    mark_level(axes, 0.0, "no difference")
    draw_rows(axes, rows)
    most = max((abs(end) for row in rows for end in row[1:4] if end is not None), default=1.0)
    axes.set_xlim(-min(_ROOM * most, 1.02), min(_ROOM * most, 1.02))
    first, second = (plain(name) for name in data.names)
    axes.set_xlabel(f"share of {plain(data.label)} in {first} less that in {second}")
    legend_below(figure, 2, handles=legend_of(axes, rows))
    return describe(figure, *_words_of_difference(data, rows))


def _row_of_difference(line: Line, *, answer: bool) -> Row:
    low, estimate, high = (
        None if end is None else float(end) for end in (line.low, line.estimate, line.high)
    )
    return Row(line.name.strip(), low, estimate, high, kind="answer" if answer else "belief")


def _title_of_difference(result: SystemComparison) -> str:
    first, second = (plain(name) for name in result.names)
    text = f"{result.n_items} items, {result.n_gold} labelled for both"
    return f"{first} against {second}: {result.verdict}\n{text}"


def _words_of_difference(result: SystemComparison, rows: list[Row]) -> list[str]:
    first, second = (plain(name) for name in result.names)
    words = [f"Difference of {first} and {second} in {plain(result.label)}, {len(rows)} rows."]
    judged = next((row.estimate for row in rows if row.name == "judges only"), None)
    if judged is not None:
        words.append(f"By the judges alone it is {signed(judged)}, without an interval.")
    ends = f"{signed(result.low)} to {signed(result.high)}"
    if result.difference is None:
        return [*words, f"No item is labelled: it lies between {ends}."]
    level = percent(result.level, 0)
    return [*words, f"By the labels it is {signed(result.difference)}, {level} interval {ends}."]
