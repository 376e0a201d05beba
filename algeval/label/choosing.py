"""What is labelled, and in which order: items drawn at random, or at random within strata."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED, check_choice
from algeval.errors import DataError, option, parameter
from algeval.io.journal import EVEN, Act, Labels
from algeval.io.layout import shown
from algeval.io.results import Results
from algeval.judges.intervals import Interval, anytime_share
from algeval.judges.people import HumanAgreement, People, agreements, human_agreement
from algeval.label.texts import side_columns, side_labels
from algeval.rates.inputs import label_or_pass, panel_of
from algeval.rates.sampling import NextItems
from algeval.rates.sampling import next as next_items
from algeval.rates.streams import stream_ends

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GOALS = ("rate", "difference", "judges", "slices", "labels")
APART = 0.8  # share of the labels that go to items on which the judges differ, by goal "judges"
_NO_TEXTS = ("judge", "human", "system", "score", "reason", "item")
BACK_AFTER = 8  # acts after which what was put off comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a labelling is for, as its journal keeps it.

    Attributes
    ----------
    goal : one of `GOALS`
    labels : what may be answered, a key each
    good : the label a rate counts
    by : the column of slices, by goal "slices"
    systems : the two that are compared, by goal "difference"
    seed : of the order
    level : of the intervals
    against : stop when a rate is known to be above or below it
    width : stop when an interval is no wider
    """

    goal: str = "rate"
    labels: tuple[str, ...] = ()
    good: str = ""
    by: str | None = None
    systems: tuple[str, ...] = ()
    seed: int = 0
    level: float = 0.95
    against: float | None = None
    width: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """Items of a table in the order they are labelled in.

    A unit is what is drawn: an item, or by goal "difference" the outputs of both systems on one prompt.

    Attributes
    ----------
    units : tuple of tuple of int
        Rows of the items of each unit, in order.
    strata : (n_items,) int array or None
        Within a stratum the order is random; None where all items are one.
    before : {item: label}
        Labels that the table had: as good as drawn first where they are a random draw ("random", by
        `before_drawn`), else of their own items alone ("unknown").
    """

    results: Results
    settings: Settings
    units: tuple[tuple[int, ...], ...]
    strata: Ints | None
    strata_names: tuple[str, ...]
    before: dict[str, str] = field(default_factory=dict)
    before_drawn: str = "random"

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of all items."""
        return self.results.items

    @cached_property
    def row_of(self) -> dict[str, int]:
        """{item: its row}."""
        return {item: row for row, item in enumerate(self.items)}

    @cached_property
    def votes(self) -> Votes | None:
        """What the judges say; None where the table has no judges."""
        results = self.results
        return results.votes if results.judged or results.options.cut is not None else None

    @cached_property
    def other_side(self) -> dict[str, str]:
        """{label: the same of the other answer} of a table of pairs; empty of others."""
        roles = self.results.roles
        texts = (name for name in self.results.reading.columns if roles.get(name) not in _NO_TEXTS)
        return side_labels(self.settings.labels) if side_columns(texts) else {}

    @cached_property
    def two_sides(self) -> dict[str, str]:
        """{label: the same of the other answer} of pairs whose answers need not be in the table."""
        paired = self.results.layout == "pairwise"
        return self.other_side or (side_labels(self.settings.labels) if paired else {})

    @cached_property
    def tie(self) -> str | None:
        """The label of a tie, which counts one half; None where items are no pairs."""
        rest = [label for label in self.settings.labels if label not in self.two_sides]
        return rest[0] if self.two_sides and rest else None

    @cached_property
    def sides(self) -> tuple[tuple[str | None, str | None], ...]:
        """Systems of the first and the second answer of each pair; empty where they have no names."""
        names = self.results.reading.named("system")
        if len(names) != 2 or self.settings.good not in self.two_sides:
            return ()
        columns = [self.results.reading.columns[name] for name in names]
        first, second = ([*c.texts, None] for c in columns)
        codes = (c.codes[self.results.rows].tolist() for c in columns)
        return tuple((first[a], second[b]) for a, b in zip(*codes, strict=True))

    @cached_property
    def contestants(self) -> tuple[str, ...]:
        """Systems that met in the pairs, in order of appearance; empty of other tables."""
        return tuple(
            dict.fromkeys(name for pair in self.sides for name in pair if name is not None)
        )

    @property
    def counted(self) -> str:
        """What a rate is the share of: the good label, or of pairs of two systems a win of the first."""
        return f"{self.contestants[0]} wins" if len(self.contestants) == 2 else self.settings.good

    @cached_property
    def _wins(self) -> Floats | None:
        """(n_items,) 1 where the good label is a win of the first system, 0 a loss, NaN without both."""
        if len(self.contestants) != 2:
            return None
        own = int(self.settings.good != next(iter(self.two_sides)))
        best = self.contestants[0]
        met = (None not in pair and pair[0] != pair[1] for pair in self.sides)
        return np.array(
            [
                float(pair[own] == best) if two else np.nan
                for pair, two in zip(self.sides, met, strict=True)
            ]
        )

    def value(self, item: str, label: str) -> float:
        """1 where a label of an item is what is counted, 0 where it is not, one half for a tie."""
        if label == self.tie:
            return 0.5
        good = float(label == self.settings.good)
        if self._wins is None:
            return good
        won = float(self._wins[self.row_of[item]])
        return won if good else 1 - won

    def swapped(self, item: str, who: str) -> bool:
        """Whether a person is shown the second answer of a pair first: a coin for each item and person."""
        coin = sha256(json.dumps([self.settings.seed, item, who]).encode()).digest()[0] & 1
        return bool(self.other_side) and bool(coin)

    @cached_property
    def shares(self) -> Floats | None:
        """(n_items,) share of the judges who say what is counted of an item; a half where none did."""
        votes = self.votes
        if votes is None or self.settings.good not in votes.labels:
            return None
        tie = self.tie if self.tie in votes.labels else None
        share = panel_of(votes, self.settings.good, tie).share
        if self._wins is not None:
            share = np.where(self._wins == 0, 1 - share, np.where(self._wins == 1, share, np.nan))
        return np.where(np.isnan(share), 0.5, share)

    @cached_property
    def digest(self) -> str:
        """Hash of what is labelled: ids and texts, whatever the judges say."""
        texts = {name: sorted(cells.items()) for name, cells in self.results.texts.items()}
        document = json.dumps([list(self.items), texts], ensure_ascii=True, sort_keys=True)
        return sha256(document.encode()).hexdigest()

    @property
    def start(self) -> dict[str, Any]:
        """What the first line of the journal says."""
        own = self.settings
        document: dict[str, Any] = {
            "digest": self.digest,
            "table": self.results.name,
            "n_items": len(self.items),
            "goal": own.goal,
            "labels": list(own.labels),
            "good": own.good,
            "seed": own.seed,
            "level": own.level,
        }
        if self.strata is not None:
            names = [self.strata_names[code] for code in self.strata.tolist()]
            document["strata"] = dict(zip(self.items, names, strict=True))
        if self.before:
            document |= {"before": dict(self.before), "before_drawn": self.before_drawn}
        return document


def plan_of(results: Results, settings: Settings, before: Mapping[str, str] | None = None) -> Plan:
    """Order in which the items of a table are labelled.

    Raises
    ------
    DataError
        If the table lacks what the goal needs.
    """
    check_choice("goal", settings.goal, GOALS)
    rng = np.random.default_rng(settings.seed)
    before = dict(before or {})
    left = np.array([row for row, item in enumerate(results.items) if item not in before], np.int64)
    if not len(left):
        raise DataError(
            f"items must be left to label; all {len(results.items)} have a label in the table; name "
            f"another column with {option('human')}, or leave it out with {option('ignore')}"
        )
    units, strata, names = _ORDERS[settings.goal](results, settings, left, rng)
    return Plan(
        results=results,
        settings=settings,
        units=units,
        strata=strata,
        strata_names=names,
        before=before,
        before_drawn=_how_drawn(results, before),
    )


def _how_drawn(results: Results, before: Mapping[str, str]) -> str:
    """How earlier labels were drawn: at random where a strategy, or else one chance of all, says so."""
    cells_of = {name: {*cells} - {None} for name, cells, _ in results.drawn}
    chances, hows = cells_of.get("inclusion", set()), cells_of.get("strategy", set())
    even = hows <= {*EVEN} if hows else len(chances) == 1
    return "random" if even or not before else "unknown"


Order = tuple[tuple[tuple[int, ...], ...], Ints | None, tuple[str, ...]]


def _single(rows: Sequence[int] | Ints) -> tuple[tuple[int, ...], ...]:
    return tuple((int(row),) for row in rows)


def _at_random(results: Results, settings: Settings, left: Ints, rng: np.random.Generator) -> Order:
    return _single(rng.permutation(left)), None, ()


def _pairs(results: Results, settings: Settings, left: Ints, rng: np.random.Generator) -> Order:
    """Prompts in a random order, each with the outputs of both systems, in a random order too."""
    names = settings.systems
    parts = {name: part.by_prompt() for name, part in results.by_system.items()}
    if len(names) != 2 or set(names) - set(parts):
        raise DataError(_no_two_systems(results, names, list(parts)))
    rows = {item: row for row, item in enumerate(results.items)}
    free = set(left.tolist())
    of: list[dict[str, int]] = []
    for name in names:
        own = results.by_system[name].items
        of.append({p: rows[item] for p, item in zip(parts[name].items, own, strict=True)})
    both = [p for p in of[0] if p in of[1] and {of[0][p], of[1][p]} <= free]
    if not both:
        raise DataError(
            "goal 'difference' needs prompts that both systems answered; got none without labels; name "
            f"the column of prompts with {option('prompt')}"
        )
    units = []
    for k in rng.permutation(len(both)).tolist():
        pair = of[0][both[k]], of[1][both[k]]
        units.append(pair if rng.random() < 0.5 else pair[::-1])
    paired = {row for unit in units for row in unit}
    if paired >= free:
        return tuple(units), None, ()
    strata = np.array([row not in paired for row in range(len(results.items))], np.int64)
    return tuple(units), strata, ("prompts of both systems", "not drawn")


def _no_two_systems(results: Results, names: Sequence[str], own: Sequence[str]) -> str:
    """Why there is no difference of two systems to label for, and what to do."""
    if results.layout == "pairwise":
        return (
            f"goal 'difference' compares outputs that people label one by one; {results.name} holds pairs, "
            f"of which a label says which is better: leave {option('goal')} out"
        )
    if len(own) < 2:
        what = f"{own[0]!r} alone" if own else "none"
        return (
            f"goal 'difference' compares two systems; {results.name} names {what}; name the column that says "
            f"whose output a row is with {option('system')}, or ask for {option('goal', 'rate')}"
        )
    return (
        f"goal 'difference' compares two systems; got {shown(list(names))} of {shown(list(own))}; name two "
        f"of them with {option('systems', own[0] + ',' + own[1])}"
    )


def _for_judges(
    results: Results, settings: Settings, left: Ints, rng: np.random.Generator
) -> Order:
    """Mostly items on which the judges differ, at random there and elsewhere."""
    codes = results.votes.codes
    first = codes.max(axis=1, keepdims=True)
    differ = ((codes != first) & (codes != NOT_ANSWERED)).any(axis=1)
    strata = differ.astype(np.int64)
    kinds = [rng.permutation(left[strata[left] == kind]).tolist() for kind in (0, 1)]
    if not kinds[1]:
        raise DataError(
            "goal 'judges' needs items on which the judges differ; got none without a label; ask for "
            f"{option('goal', 'rate')}"
        )
    order = []
    while kinds[0] or kinds[1]:
        wanted = int(rng.random() < APART)
        order.append(kinds[wanted if kinds[wanted] else 1 - wanted].pop())
    return _single(order), strata, ("the judges agree", "the judges differ")


def _for_slices(
    results: Results, settings: Settings, left: Ints, rng: np.random.Generator
) -> Order:
    """As many items of each slice as of any other, at random within."""
    columns = results.slices
    by = settings.by or next(iter(columns), None)
    if by is None or by not in columns:
        raise DataError(
            f"goal 'slices' needs a column of groups; got {by!r} of {shown(list(columns)) or 'none'}; name "
            f"one with {option('slice')}"
        )
    cells = [columns[by].get(item, "") for item in results.items]
    names, codes = np.unique(cells, return_inverse=True)
    strata = codes.astype(np.int64)
    queues = [rng.permutation(left[strata[left] == kind]).tolist() for kind in range(len(names))]
    order = []
    while any(queues):
        for kind in rng.permutation(len(names)).tolist():
            if queues[kind]:
                order.append(queues[kind].pop())
    return _single(order), strata, tuple(map(str, names))


def _by_doubt(results: Results, settings: Settings, left: Ints, rng: np.random.Generator) -> Order:
    """Items whose consensus label is the most doubtful first; these are picked, not drawn."""
    votes = results.votes.select(items=[results.items[row] for row in left.tolist()])
    ranked = next_items(votes.without_key(), len(left), goal="labels", random=settings.seed)
    assert isinstance(ranked, NextItems)  # as of votes
    rows = {item: row for row, item in enumerate(results.items)}
    return _single([rows[item] for item in ranked.items]), None, ()


_ORDERS: dict[str, Callable[[Results, Settings, Ints, np.random.Generator], Order]] = {
    "rate": _at_random,
    "difference": _pairs,
    "judges": _for_judges,
    "slices": _for_slices,
    "labels": _by_doubt,
}


def labels_of(
    results: Results, labels: Sequence[str] | None, good: object
) -> tuple[tuple[str, ...], str]:
    """Labels that may be given, the good one first, and which that is."""
    if labels is not None:
        names = tuple(str(label) for label in labels)
        if not 2 <= len(names) <= 9 or len(set(names)) < len(names):
            raise DataError(
                f"{parameter('labels')} must be two to nine different labels; got {list(names)}; write "
                "pass,fail"
            )
    else:
        votes = results.judged or results.said or results.options.cut is not None
        names = results.labels if votes else ("pass", "fail")
    judges = tuple(results.judged)
    if not 2 <= len(names) <= 9:
        raise DataError(
            f"there must be two to nine labels, a key each; got {shown(list(names))}; name them with "
            f"{option('labels')}"
        )
    own = results.good if good is None and results.good in names else None
    if own is None and good is None and side_columns(results.reading.columns):
        own = next(
            iter(side_labels(names)), None
        )  # the share of pairs whose first answer is better
    best = own or label_or_pass(good, names, judges)
    rest = [name for name in names if name != best]
    return (best, *rest), best


# --- Whose turn it is for which item.


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of the units one person labels: every M-th from the K-th, and those that all label."""

    part: tuple[int, int] = (1, 1)
    overlap: float = 0.0

    def for_all(self, number: int) -> bool:
        """Whether a unit is one that everybody labels."""
        return int((number + 1) * self.overlap) > int(number * self.overlap)

    def holds(self, number: int) -> bool:
        """Whether a unit is in this part."""
        k, m = self.part
        return self.for_all(number) or number % m == k - 1


def next_row(plan: Plan, labels: Labels, who: str, share: Share, busy: set[str]) -> int | None:
    """Row of the item that is next for a person; None where nothing is left.

    What is on the screen of others (`busy`) is theirs; what was put off comes back after some other items,
    or when there are none.
    """
    own = labels.latest.get(who, [])
    count = len(own)
    put_off = {a.item: k for k, a in enumerate(own) if a.kind == "skip"}
    put_off = {item: k for item, k in put_off.items() if labels.acts[item, who].kind == "skip"}
    for item, k in put_off.items():
        if count - k > BACK_AFTER and item in plan.row_of:
            return plan.row_of[item]
    for number, unit in enumerate(plan.units):
        if not share.holds(number):
            continue
        for row in unit:
            item = plan.items[row]
            acts = labels.by_item.get(item, {})
            if who not in acts and (share.for_all(number) or not (acts or item in busy)):
                return row
    left = min(put_off.items(), key=lambda pair: pair[1], default=None)
    return None if left is None else plan.row_of.get(left[0])


def agreement(labels: Labels) -> tuple[int, int]:
    """Of the pairs of people who labelled one item: how many agree, of how many."""
    same = pairs = 0
    for acts in labels.by_item.values():
        said: list[Act] = [act for act in acts.values() if act.kind == "label"]
        for k, act in enumerate(said):
            pairs += k
            same += sum(act.label == other.label for other in said[:k])
    return same, pairs


def people_agree(labels: Labels, names: Sequence[str], level: float) -> HumanAgreement | None:
    """How far people agree on the items that two or more of them labelled, as the judge card counts it.

    The interval holds whenever one stops: items come at random, and each one's share of pairs of people that
    agree is a number from 0 to 1 (0 or 1 of two people).
    """
    index = {name: k for k, name in enumerate(names)}
    who = labels.people
    rows = []
    for item in labels.draws():
        acts = labels.by_item.get(item, {})
        said = [acts[w].label if w in acts and acts[w].kind == "label" else None for w in who]
        codes = [
            NOT_ANSWERED if label is None else index.get(label, NOT_ANSWERED) for label in said
        ]
        if sum(code != NOT_ANSWERED for code in codes) > 1:
            rows.append(codes)
    if not rows:
        return None
    table = np.array(rows, np.int64)
    people = People(who, table, np.empty((len(table), 0), np.int64), len(names))
    humans = human_agreement(people, (), level)
    if humans is None:
        return None
    shares = agreements(people.counts)
    if np.isin(shares, (0, 1)).all():
        ends = anytime_share(int(shares.sum()), len(shares), level)
    else:
        low, _, high = stream_ends(shares, None, None, None, level)
        ends = low, high
    return replace(humans, agreement=Interval(float(shares.mean()), *ends))
