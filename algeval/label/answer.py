"""The answer so far, valid whenever one stops, and how many more labels it may take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algeval.io.journal import Labels, in_mixed_order
from algeval.judges.intervals import Looked
from algeval.label.choosing import Plan
from algeval.rates.streams import (
    AnytimeEnds,
    DrawnPairs,
    Draws,
    LabelStream,
    anytime,
    paired_ends,
)
from algeval.result.base import Record
from algeval.result.numbers import how_many, level_text

Floats = NDArray[np.float64]

WIDTH = 0.2  # chosen: ten points either way, where nothing else says when to stop
FEWEST_TO_FORESEE = 12  # chosen: labels before it is said how many more
MOST_FORESEEN = 1500  # chosen: labels looked ahead, about 50 ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar(Record):
    """One rate, or difference of two, with the interval that holds whenever one stops.

    Attributes
    ----------
    name : str
        A system or a slice; empty where the rate is of all.
    low, rate, high : float
        The rate, or difference, and the ends of its interval.
    n_labels : int
        Labels that it rests on.
    decided : bool
        Whether the rule says that it is enough.
    """

    name: str
    low: float
    rate: float | None
    high: float
    n_labels: int
    decided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What labels say so far: bars, a sentence, whether it is enough, and how many more it may take."""

    sentence: str
    stop: bool
    more: int | None
    bars: tuple[Bar, ...] = ()
    ends: tuple[float, float] = (0.0, 1.0)
    mark: float | None = None  # a value to compare with


def live(plan: Plan, labels: Labels) -> Live:
    """Answer to what the labelling is for."""
    return _ANSWERS[plan.settings.goal](plan, labels)


def value_of(plan: Plan, labels: Labels, item: str) -> float:
    """What most people say of the item, 1 for what is counted, NaN where split or not to be told."""
    counts = sorted(_counts(plan, labels, item).items(), key=lambda pair: -pair[1])
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return np.nan
    return plan.value(item, counts[0][0])


def _drawn(plan: Plan, labels: Labels) -> tuple[list[int], list[float]]:
    """Rows in the order drawn, those that the table had labels for first, and their values."""
    items = _order(plan, labels)
    return [plan.row_of[i] for i in items], [value_of(plan, labels, i) for i in items]


def _order(plan: Plan, labels: Labels) -> list[str]:
    first = in_mixed_order(plan.before) if plan.before_drawn == "random" else []
    return [item for item in (*first, *labels.draws()) if item in plan.row_of]


def _counts(plan: Plan, labels: Labels, item: str) -> dict[str, int]:
    """{label: how many people say so}, the table's label among them."""
    return {plan.before[item]: 1} if item in plan.before else labels.truth(item)


def enough(plan: Plan, low: float, high: float, against: float | None) -> bool:
    """Whether an interval leaves out what it is compared with, or is as narrow as wanted."""
    width = plan.settings.width
    if width is None and against is None:
        width = WIDTH
    apart = against is not None and not low <= against <= high
    return apart or (width is not None and high - low <= width + 1e-12)


# --- Rates: of all items, of each system, or of each slice.


def _rates(plan: Plan, labels: Labels) -> Live:
    results, settings = plan.results, plan.settings
    if len(plan.contestants) > 2:
        return _several(plan, labels)
    if settings.goal == "slices":
        of, level = plan.strata, 1 - (1 - settings.level) / max(1, len(plan.strata_names))
        names = plan.strata_names
    else:
        systems = list(results.systems) if results.system_of else []
        names = tuple(systems) if len(systems) > 1 else ("",)
        of, level = None, settings.level
        if len(names) > 1:
            of = np.array([systems.index(name) for name in results.system_of], np.int64)
    rows, values = _drawn(plan, labels)
    group = np.zeros(len(plan.items), np.int64) if of is None else of
    bars, more = [], []
    for k, name in enumerate(names):
        own = np.flatnonzero(group == k)
        bar, ahead = _bar(plan, name, own, (rows, values), level)
        bars.append(bar)
        if not bar.decided:
            share = len(own) / len(plan.items) if settings.goal == "rate" else 1 / len(names)
            more.append(None if ahead is None else ahead / share)
    return _said(plan, tuple(bars), more, level)


def _several(plan: Plan, labels: Labels) -> Live:
    """Progress on pairs of three systems or more, of which no rate says who leads."""
    values = [
        max(c, key=c.__getitem__) for i in _order(plan, labels) if (c := _counts(plan, labels, i))
    ]
    ties = values.count(plan.tie) if plan.tie else 0
    tied = f", {how_many(ties, 'tie')}" if ties else ""
    return Live(
        sentence=f"{how_many(len(values), 'pair')} labelled{tied}. `algeval leaderboard` with these "
        f"labels as --human ranks the {len(plan.contestants)} systems",
        stop=False,
        more=None,
    )


def _bar(
    plan: Plan,
    name: str,
    own: NDArray[np.int64],
    drawn: tuple[list[int], list[float]],
    level: float,
) -> tuple[Bar, float | None]:
    """Rate of some of the items, and how many more labels of these it may take."""
    position = np.full(len(plan.items), -1)
    position[own] = np.arange(len(own))
    kept = [(int(position[r]), v) for r, v in zip(*drawn, strict=True) if position[r] >= 0]
    certain_labels = {} if plan.before_drawn == "random" else plan.before
    labelled = [
        (row, label)
        for item, label in certain_labels.items()
        if (row := plan.row_of.get(item, -1)) >= 0
    ]
    inside = [(position[row], plan.value(plan.items[row], label)) for row, label in labelled]
    inside = [(row, value) for row, value in inside if row >= 0]
    certain = (
        np.array([row for row, _ in inside], np.int64),
        np.array([value for _, value in inside], np.float64),
    )
    draws = Draws(
        np.array([row for row, _ in kept], np.int64),
        np.array([value for _, value in kept], np.float64),
    )
    shares = None if plan.shares is None else plan.shares[own]
    if shares is not None and not np.ptp(shares):
        shares = None
    if len(certain[0]) == len(own):
        rate = float(certain[1].mean())
        ends = AnytimeEnds(rate, rate, rate)
    else:
        ends = anytime(draws, shares, certain, np.ones(len(own)), level)
    against = plan.settings.against
    done = enough(plan, ends.low, ends.high, against)
    n = int((~np.isnan(draws.values)).sum())
    bar = Bar(
        name=name,
        low=ends.low,
        rate=ends.rate if n else None,
        high=ends.high,
        n_labels=n,
        decided=done,
    )
    return bar, None if done else _ahead(plan, draws, shares, len(own) - len(certain[0]), level)


def _ahead(
    plan: Plan, draws: Draws, shares: Floats | None, n_items: int, level: float
) -> int | None:
    """About how many more labels, if those to come are as those so far; None where that is too early."""
    clear = ~np.isnan(draws.values)
    n = int(clear.sum())
    if n < FEWEST_TO_FORESEE:
        return None
    y, rows = draws.values[clear], draws.rows[clear]
    f = None if shares is None else shares[rows]
    stream = LabelStream(None if f is None else float(np.mean(shares)), level, n_items=n_items)  # type: ignore[arg-type]
    against = plan.settings.against
    for k in range(min(n_items, n + MOST_FORESEEN)):
        stream.add(y[k % n], None if f is None else f[k % n])
        if k >= n and enough(plan, stream.low, stream.high, against):
            return k + 1 - n
    return n_items - n if n_items <= n + MOST_FORESEEN else MOST_FORESEEN


def _said(plan: Plan, bars: tuple[Bar, ...], more: Sequence[float | None], level: float) -> Live:
    stop = all(bar.decided for bar in bars)
    ahead = None
    if more and None not in more:
        ahead = round(max(float(m) for m in more if m is not None))
    against = plan.settings.against
    sentence = _stop_words(plan, bars) if stop else _go_on(ahead)
    note = f"{level_text(level)} interval that holds whenever you stop" if bars else ""
    return Live(
        sentence=f"{sentence} ({note})" if note else sentence,
        stop=stop,
        more=ahead,
        bars=bars,
        mark=against,
    )


def _stop_words(plan: Plan, bars: tuple[Bar, ...]) -> str:
    against = plan.settings.against
    good = "share of pairs that " if len(plan.contestants) == 2 else "share of "
    good += plan.counted if plan.contestants else repr(plan.counted)
    if len(bars) > 1:
        kinds = "slice" if plan.settings.goal == "slices" else "system"
        return f"You may stop: the {good} of every {kinds} is decided"
    if against is not None and not bars[0].low <= against <= bars[0].high:
        side = "above" if bars[0].low > against else "below"
        return f"You may stop: the {good} is {side} {100 * against:g}%"
    half = 50 * (bars[0].high - bars[0].low)
    return f"You may stop: the {good} is known to within {half:.0f} points either way"


def _go_on(more: int | None) -> str:
    if more is None:
        return "Go on: it is too early to say how many more"
    return f"Go on: about {how_many(max(1, more), 'more label', 'more labels')}"


# --- The difference of two systems: of each prompt, A less B.


def _difference(plan: Plan, labels: Labels) -> Live:
    systems, of = plan.settings.systems, plan.results.system_of
    order: list[tuple[str, int, float]] = []
    shares, judged = plan.shares, np.zeros(len(plan.units))
    for k, unit in enumerate(plan.units):
        a, b = unit if of[unit[0]] == systems[0] else unit[::-1]
        judged[k] = 0.0 if shares is None else shares[a] - shares[b]
        acts = [labels.by_item.get(plan.items[row], {}) for row in (a, b)]
        if not all(acts):
            continue
        last = max(min(act.shown for act in own.values()) for own in acts)
        y = value_of(plan, labels, plan.items[a]) - value_of(plan, labels, plan.items[b])
        order.append((last, k, y))
    order.sort()
    values = np.array([y for *_, y in order], np.float64)
    rows = np.array([k for _, k, _ in order], np.int64)
    pairs = DrawnPairs(np.ones(len(judged), bool), rows, values, np.empty(0))
    low, rate, high = paired_ends(pairs, judged, plan.settings.level)
    against = 0.0 if plan.settings.against is None else plan.settings.against
    stop = enough(plan, low, high, against)
    n = int((~np.isnan(values)).sum())
    bar = Bar(
        name="difference", low=low, rate=rate if n else None, high=high, n_labels=n, decided=stop
    )
    if stop and not low <= against <= high:
        sentence = "You may stop: which system is better is decided"
    elif stop:
        sentence = "You may stop: the difference is as narrow as you asked for"
    else:
        sentence = "Go on: which system is better is not decided"
    note = f"{level_text(plan.settings.level)} interval that holds whenever you stop"
    return Live(
        sentence=f"{sentence} ({note})",
        stop=stop,
        more=None,
        bars=(bar,),
        ends=(-1.0, 1.0),
        mark=against,
    )


# --- Which judge is best: only items on which two judges differ tell them apart.


def _judges(plan: Plan, labels: Labels) -> Live:
    votes = plan.results.votes
    codes = votes.codes.astype(np.int64)
    n_items, n_judges = codes.shape
    index = {label: k for k, label in enumerate(votes.labels)}
    truth, drawn = np.full(n_items, -1), np.zeros(n_items, bool)
    certain = np.zeros(n_items, bool)
    for item, label in plan.before.items() if plan.before_drawn != "random" else ():
        if item in plan.row_of:
            truth[plan.row_of[item]], certain[plan.row_of[item]] = index.get(label, -1), True
    for item in _order(plan, labels):
        row, counts = plan.row_of[item], _counts(plan, labels, item)
        most = sorted(counts, key=lambda label: -counts[label])[:2]
        drawn[row] = True
        if len(most) == 1 or (most and counts[most[0]] > counts[most[1]]):
            truth[row] = index.get(most[0], -1)
    strata = np.zeros(n_items, np.int64) if plan.strata is None else plan.strata
    looked = Looked(strata, truth, drawn & (truth < 0), certain)
    level = plan.settings.level
    n_left = int(looked.may_be_best(codes, len(votes.labels), level).sum())
    stop = n_left == 1 and n_judges > 1
    sentence = f"Go on: {n_left} of {how_many(n_judges, 'judge')} may still be the best"
    if stop:
        sentence = f"You may stop: which judge is the best is decided ({level_text(level)})"
    return Live(sentence=sentence, stop=stop, more=None)


def _picked(plan: Plan, labels: Labels) -> Live:
    n = sum(1 for item in labels.by_item if labels.truth(item))
    return Live(
        sentence=f"{how_many(n, 'label')}. These items were picked for their doubt, not drawn: they improve "
        "consensus labels, and no rate may be made of them",
        stop=False,
        more=None,
    )


_ANSWERS = {
    "rate": _rates,
    "slices": _rates,
    "difference": _difference,
    "judges": _judges,
    "labels": _picked,
}
