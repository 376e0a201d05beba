"""The rungs of the ladder that need no model: what is assumed, and the range it leaves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar, TypeVar

import numpy as np
from scipy.special import betaincinv

from algeval.data import Condition, Specification, Summary, Votes
from algeval.data.names import NOT_ANSWERED, check_choice, check_number
from algeval.data.reading import Data, as_sketch, as_summary
from algeval.data.votes import LabelledSketch
from algeval.errors import DataError, parameter
from algeval.logic.exam import Exam, level_of, read_exam, spelled_as
from algeval.logic.orders.base import Order, certified, decide
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof import Certificate, Clock, next_fraction, previous_fraction
from algeval.logic.questions.bounds import Proved, Quantity, ranges
from algeval.logic.results import RangeProof
from algeval.rates.inputs import Gold, exact_share, label_index
from algeval.rates.intervals import lowest_correct
from algeval.rates.policy import END_WORK, FLOORS, FULL_ITEMS, FULL_TUPLES, REFUTED_GRADES
from algeval.result import Result, Status, percent
from algeval.result.base import Record
from algeval.result.numbers import did_you_mean, how_many
from algeval.result.tables import Table, scalars

# --- One rung of the ladder: what an assumption leaves possible, and what it takes to be wrong.


End = Fraction | float
"""An end of an interval: a fraction where it is exact, a float where it is estimated."""

Ends = tuple[End, End]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AssumptionRow(Record):
    """What every table of rates says of one assumption; each adds fields of its own."""

    name: str
    assumption: str
    low: End | None
    estimate: End | None
    high: End | None
    against: str
    breaks_at: str

    @property
    def ends(self) -> Ends | None:
        """Both ends, None where there are none."""
        return None if self.low is None or self.high is None else (self.low, self.high)


AnyRow = TypeVar("AnyRow", bound=AssumptionRow)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rung(AssumptionRow):
    """What one assumption says of a rate.

    Attributes
    ----------
    name : str
        Short and unique on its ladder, as "every judge right on at least 70%".
    assumption : str
        What has to hold, in words.
    low, high : Fraction, float or None
        Nothing outside is possible (exact rungs, fractions) or probable (estimated ones, floats).
        None where the assumption is impossible or the rung has no interval.
    estimate : Fraction, float or None
        The point, where there is one.
    against : "above", "below" or "undetermined"
        Where the interval lies beside the rate compared with. It is no verdict: a rung is as good as
        its assumption.
    breaks_at : str
        What it takes for the rung to be wrong.
    status : Status
        `ok`; `inconsistent` where the votes contradict the assumption; else why there is no interval.
    target : "items" or "population"
        Whose rate it is.
    exact : bool
        Whether the ends are logic, not estimates.
    order : int, "full" or None
        How many judges' joint answers an exact rung used.
    refuted_by : str
        Which judge the labels grade below what is assumed, where they do.
    """

    status: Status = Status.OK
    target: str = "items"
    exact: bool = False
    order: int | str | None = None
    refuted_by: str = ""


def side_of(
    low: End | None, high: End | None, against: Fraction, between: str = "undetermined"
) -> str:
    """Word "above" or "below" where a whole interval lies on one side, and `between` else."""
    if low is not None and low > against:
        return "above"
    if high is not None and high < against:
        return "below"
    return between


def assumption_row(
    kind: type[AnyRow],
    name: str,
    assumption: str,
    breaks_at: str,
    *,
    against: Fraction | str,
    ends: Ends | None = None,
    **fields: Any,
) -> AnyRow:
    """Row whose interval is laid beside the rate `against`, or whose word that already is."""
    low, high = ends or (None, None)
    between = "undetermined" if kind is Rung else "open"
    word = against if isinstance(against, str) else side_of(low, high, against, between)
    fields = {"estimate": None, **fields, "low": low, "high": high, "against": word}
    return kind(name=name, assumption=assumption, breaks_at=breaks_at, **fields)


def apart(rung: Rung, other: Rung) -> bool:
    """Whether the sets of two rungs have no rate in common; a rung without interval is its estimate."""
    first, second = _set(rung), _set(other)
    if first is None or second is None:
        return False
    return first[1] < second[0] or second[1] < first[0]


def _set(rung: Rung) -> Ends | None:
    if rung.ends is None and rung.estimate is not None:
        return rung.estimate, rung.estimate
    return rung.ends


def shown(value: End | None) -> str:
    """End as a percentage, a dash where there is none."""
    return "-" if value is None else percent(value)


_BRIEF = {"nothing": "votes alone", "every judge right on at least": " + accuracy"}


def brief(name: str) -> str:
    """Name of a rung as it stands in a table of narrow columns."""
    for long, short in _BRIEF.items():
        name = name.replace(long, short)
    return name


# --- The highest level that all judges can reach at some key of a kind: exact, at any order.


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The highest level that all judges reach at some key of a kind.

    Attributes
    ----------
    reached : Fraction
        Some key lets all judges reach it; `witness` shows one.
    limit : Fraction
        No key lets all judges exceed it; `refutation` proves it (None where it is 1).
    """

    reached: Fraction
    limit: Fraction
    witness: Certificate | None = None
    refutation: Certificate | None = None

    @property
    def exact(self) -> bool:
        """Whether the two meet."""
        return self.reached == self.limit


@dataclass(frozen=True, slots=True)
class Grades:
    """The shares of answered items on which a judge can be right: the levels that make a difference."""

    held: tuple[int, ...]

    def up(self, x: Fraction) -> Fraction:
        """Lowest level not below x."""
        return min(Fraction(ceil(x * n), n) for n in self.held)

    def above(self, x: Fraction) -> Fraction:
        """Lowest level above x."""
        return min(Fraction(floor(x * n) + 1, n) for n in self.held)

    def below(self, x: Fraction) -> Fraction:
        """Highest level below x."""
        return max(Fraction(ceil(x * n) - 1, n) for n in self.held)

    def asked(self, sense: str, x: Fraction) -> Specification:
        """Every judge reaches (or exceeds) x."""
        return Specification.grade(sense, x)


@dataclass(frozen=True, slots=True)
class Accuracies:
    """The accuracies that a judge can have on a label of at most so many items."""

    n_items: int

    def up(self, x: Fraction) -> Fraction:
        """Lowest level not below x."""
        return x if x.denominator <= self.n_items else next_fraction(x, self.n_items)

    def above(self, x: Fraction) -> Fraction:
        """Lowest level above x."""
        return next_fraction(x, self.n_items)

    def below(self, x: Fraction) -> Fraction:
        """Highest level below x."""
        return previous_fraction(x, self.n_items)

    def asked(self, sense: str, x: Fraction) -> Specification:
        """Every judge reaches (or exceeds) x on every label."""
        return Specification.accuracy(sense, x)


def best_grade(exam: Exam, index: int, low: int, high: int) -> Fraction:
    """Highest grade that all judges reach at a key of two labels, in closed form.

    Each judge's best grade is concave in the number q of items of the label, and so is the least of them:
    the best q from low to high is found by halving.
    """

    def least(q: int) -> Fraction:
        rows = zip(exam.counts, range(exam.n_judges), strict=True)
        return min(
            (_best(row, index, q, exam.n_items, exam.held(i)) for row, i in rows if exam.held(i)),
            default=Fraction(1),
        )

    while low < high:
        middle = (low + high) // 2
        if least(middle + 1) > least(middle):
            low = middle + 1
        else:
            high = middle
    return least(low)


def _best(counts: Sequence[int], index: int, q: int, n_items: int, held: int) -> Fraction:
    return Fraction(min(counts[index], q) + min(counts[1 - index], n_items - q), held)


def highest_level(
    order: Order, grid: Grades | Accuracies, key: Specification, before: Level, clock: Clock
) -> Level:
    """Highest level that all judges reach at some key, by halving between decisions.

    `grid`: the levels that make a difference; `key`: what is asked of the answer key; `before`: what is
    known not to be exceeded; its limit is tried first; `clock`: where it runs out, or a level is left open,
    the two ends stay apart.
    """
    reached, limit, refutation = Fraction(0), before.limit, before.refutation
    witness, tried = None, limit
    while reached < limit and not clock.over:
        spec = grid.asked(">=", tried) & key
        outcome = decide(order, spec, clock.part(share=0.5))
        if outcome.possible is None:
            break
        if outcome.possible:
            reached, witness = tried, certified(order, spec, outcome)
        else:
            limit, refutation = grid.below(tried), certified(order, spec, outcome)
        tried = max(grid.up((reached + limit) / 2), grid.above(reached))
    return Level(reached, limit, witness, refutation)


def level_at(
    order: Order, grid: Grades | Accuracies, key: Specification, level: Fraction, clock: Clock
) -> Level:
    """Level known in closed form, with its witness and its refutation."""

    def proof(sense: str) -> Certificate | None:
        spec = grid.asked(sense, level) & key
        return certified(order, spec, decide(order, spec, clock.part(END_WORK)))

    return Level(level, level, proof(">="), proof(">") if level < 1 else None)


# --- Floors and ceilings of two labels: which rates a judge's share of votes leaves possible.


ExactEnds = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Box:
    """The accuracies that a judge may have on a label and on the other one."""

    on: ExactEnds  # lowest and highest accuracy on the items of the label, and on the others
    off: ExactEnds

    def rates(self, share: Fraction) -> ExactEnds | None:
        """Rates at which a judge may give the label on a share of the items.

        None where there is none. Clipped to [0, 1] only after that is decided: clipping first would show a
        point where there is nothing.
        """
        (a, most_on), (b, most_off) = self.on, self.off
        if a + b <= 1:
            return Fraction(0), Fraction(1)
        if share < 1 - most_off or share > most_on:
            return None
        low = (share - 1 + b) / (most_on + b - 1)
        high = (share - 1 + most_off) / (a + most_off - 1)
        return max(low, Fraction(0)), min(high, Fraction(1))


def box_range(exam: Exam, spec: Specification, index: int) -> ExactEnds | None:
    """Rates of one of two labels that floors and ceilings leave, for any number of items.

    Every key's rate lies inside; not every rate inside need be that of a key in whole numbers. Conditions
    on anything but accuracies, and judges who left items out, are passed over.
    """
    low, high = Fraction(0), Fraction(1)
    for i, judge in enumerate(exam.judges):
        if (
            exam.n_labels != 2
            or exam.missing[i]
            or exam.counts[i][2:].count(0) < len(exam.answers) - 2
        ):
            continue
        box = Box(*(_limits(judge, exam.labels[t], spec.conditions) for t in (index, 1 - index)))
        rates = box.rates(Fraction(exam.counts[i][index], exam.n_items))
        if rates is None:
            return None
        low, high = max(low, rates[0]), min(high, rates[1])
    return (low, high) if low <= high else None


def _limits(judge: str, label: str, conditions: Sequence[Condition]) -> ExactEnds:
    about = [
        c
        for c in conditions
        if c.quantity == "accuracy" and c.judge in (None, judge) and c.label in (None, label)
    ]
    low = max((c.value for c in about if c.sense != "<="), default=Fraction(0))
    high = min((c.value for c in about if c.sense == "<="), default=Fraction(1))
    return low, high


# --- What somebody may believe of the judges: `at_least` as specifications, each with its words.


_OF_ANSWERED = "of the items it answered"


@dataclass(frozen=True, slots=True)
class Belief:
    """A specification of the judges, and whether somebody asked for it."""

    name: str  # as of a rung, like the next two
    assumption: str
    breaks_at: str
    specification: Specification
    asked: bool  # whether it is what the user believes; else it is looked at for comparison


def beliefs_in(
    exam: Exam, at_least: object | None, usual: Sequence[str] = FLOORS
) -> tuple[Belief, ...]:
    """What `at_least` asks of the judges; of none, the usual levels to look at.

    `at_least`: a number: every judge is right on at least this share of the items it answered. {judge:
    number}: the same of some judges. {label: number}: every judge, of the items of this label. Text and
    specifications say all of it themselves; `usual`: the levels to look at where nothing is believed.
    """
    if at_least is None:
        return tuple(_of_all(level, wanted=False) for level in usual)
    if isinstance(at_least, Mapping):
        return (_of_mapping(exam, at_least),)
    is_text = isinstance(at_least, str) and any(letter.isalpha() for letter in at_least)
    if isinstance(at_least, Specification) or is_text:
        return (_as_specified(exam, Specification.of(at_least)),)
    return _of_all(at_least, wanted=True), _of_each_label(at_least)


def _of_all(level: object, *, wanted: bool) -> Belief:
    share = _share(level)
    return Belief(
        f"every judge right on at least {share}",
        f"every judge is right on at least {share} {_OF_ANSWERED}",
        f"one judge right on less than {share}",
        Specification.grade(">=", level),
        wanted,
    )


def _of_each_label(level: object) -> Belief:
    share = _share(level)
    return Belief(
        f"every judge right on at least {share} of each label",
        f"every judge is right on at least {share} of the items of each label that it answered",
        f"one judge right on less than {share} of the items of one label",
        Specification.accuracy(">=", level),
        False,
    )


def _of_mapping(exam: Exam, levels: Mapping[Any, Any]) -> Belief:
    parts = list(_parts(exam, levels))
    if not parts:
        raise DataError(
            f"{parameter('at_least')} must name a judge or a label; got an empty mapping; write 0.7"
        )
    spec = parts[0]
    for part in parts[1:]:
        spec = spec & part
    return _as_specified(exam, spec)


def _parts(exam: Exam, levels: Mapping[Any, Any]) -> Iterator[Specification]:
    names = [str(name) for name in levels]
    if any(name in exam.judges and name in exam.labels for name in names):
        raise DataError(
            f"{parameter('at_least')} must name judges or labels by names that no other has; got a "
            "name of both; write "
            'conditions, as in "grade of x >= 70%"'
        )
    for name, level in zip(names, levels.values(), strict=True):
        if name in exam.labels:
            yield Specification.accuracy(">=", level, label=name)
        elif name not in exam.judges:
            near = did_you_mean(name, (*exam.judges, *exam.labels))
            raise DataError(
                f"{parameter('at_least')} must name judges {list(exam.judges)} or labels "
                f"{list(exam.labels)}; got "
                f"{name!r}; {near}"
            )
        elif isinstance(level, Mapping):
            for label, x in level.items():
                yield Specification.accuracy(">=", x, judge=name, label=str(label))
        else:
            yield Specification.grade(">=", level, judge=name)


def _as_specified(exam: Exam, spec: Specification) -> Belief:
    spec, _ = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    if spec.min_judges is not None:
        raise DataError(
            f"{parameter('at_least')} must be asked of every judge named; got 'at least k of the "
            "judges'; leave that out"
        )
    words = spec.describe()
    return Belief("as specified", words, "one of these conditions fails", spec, asked=True)


def _share(level: object) -> str:
    value = exact_share(level, "at_least")
    return percent(value, 0 if (100 * value).denominator == 1 else 1)


# --- What all rungs stand on: the counts, the label, the rate compared with, the time there is.


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What all rungs stand on."""

    data: Data
    exam: Exam  # its counts per judge
    place: int  # of the label
    against: Fraction
    target: str
    level: float
    clock: Clock
    full: Order | None  # full order, where it is small enough to be tried

    @property
    def label(self) -> str:
        """The label whose rate is asked for."""
        return self.exam.labels[self.place]


def ground_of(
    data: Data, label: object, *, against: object, target: str, level: float, clock: Clock
) -> Ground:
    """Ground of a ladder, its settings checked."""
    exam = read_exam(as_summary(data))
    return Ground(
        data,
        exam,
        label_index(exam.labels, label),
        exact_share(against, "against"),
        check_choice("target", target, ("items", "population")),
        check_number("level", level, least=0, most=1, strict=True),
        clock,
        _full_order(data, exam),
    )


def _full_order(data: Data, exam: Exam) -> Order | None:
    """Full order, where the data have it and few enough different tuples of answers."""
    if isinstance(data, Summary) or exam.n_judges < 2:
        return None
    if exam.n_items > FULL_ITEMS and len(exam.answers) ** exam.n_judges > FULL_TUPLES:
        return None
    sketch = as_sketch(data)
    return Full(replace(exam, digest=sketch.digest), sketch) if len(sketch) <= FULL_TUPLES else None


# --- The ladder itself: rungs from nothing assumed up, and the panel's thresholds.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness(Record):
    """How much dependence between errors moves the algebra's estimate to the rate compared with.

    It translates an estimate into a claim about correlations. It is no licence, and no part of a verdict:
    on real judges large values went with wrong estimates too.

    Attributes
    ----------
    judges : tuple of str
        The trio.
    worst : float or None
        Errors arranged in the worst way, to first order; None where a correlation of 1 does not do it.
    shared : float or None
        The smallest bound on pair correlations that are all positive, third order absent; None as above.
    """

    judges: tuple[str, ...]
    worst: float | None
    shared: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ladder(Result):
    """What can be said about a pass rate without labels of the items, and at what price.

    Attributes
    ----------
    status : Status
        `ok` where what was believed of the judges (`at_least`) decides; `inconsistent` where that is
        impossible, or a rung lies outside a lower one; else `undetermined`.
    label : str
    target : "items" or "population"
    against : Fraction
        The rate compared with.
    rungs : tuple of Rung
        The fewer assumptions, the earlier.
    low, high : Fraction or float
        The widest honest set: what `at_least` leaves, and all rates where nothing is believed.
    winner : "above", "below" or None
        The side that beliefs above `conclusion_threshold`, up to `possible_up_to`, certify.
    conclusion_threshold : Fraction or None
        The largest x for which some key on the other side, or at `against`, leaves every judge right on
        at least x of the items it answered. Equal to `possible_up_to` where no belief decides.
    possible_up_to : Fraction or None
        The largest x for which any key at all leaves every judge right on at least x.
    robustness : Robustness or None
    alarms : tuple of str
        What contradicts one another, a sentence each.
    notes : tuple of str
    not_random : bool
        Whether the labels grade the judges higher than the votes allow, but for a chance of .3%: then they
        were not drawn at random.
    certificates : dict of Certificate
        Proofs of the exact statements, by what they prove; those of full order need the sketch.
    settings : dict
        What it was asked with.
    """

    schema: ClassVar[str] = "algeval.rate_ladder/1"

    label: str
    target: str
    against: Fraction
    n_items: int
    judges: tuple[str, ...]
    rungs: tuple[Rung, ...]
    low: End
    high: End
    winner: str | None
    conclusion_threshold: Fraction | None
    possible_up_to: Fraction | None
    robustness: Robustness | None
    alarms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    not_random: bool = False
    certificates: dict[str, Certificate] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """What it does not mean."""
        return (
            "Every row is as good as its assumption, and votes cannot test it: judges who share a "
            "mistake agree on it. Votes alone give no significance."
        )

    def rung(self, name: str) -> Rung:
        """Rung of a name."""
        return next(rung for rung in self.rungs if rung.name == name)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per rung, and one for the ladder."""
        return Table.of_records("Rungs", Rung, self.rungs), scalars(self)

    def summary(self) -> str:
        """Verdict, a table of the rungs, the thresholds, alarms and notes."""
        what = "these items" if self.target == "items" else "the population of the items"
        lines = [
            self.message,
            f"Rate of {self.label!r} on {what} ({how_many(self.n_items, 'item')}, "
            f"{how_many(len(self.judges), 'judge')}):",
            *_rows(self.rungs),
        ]
        lines += [f"Alarm: {alarm}" for alarm in self.alarms]
        lines += [f"Note: {note}" for note in self.notes]
        return "\n".join([*lines, self.meaning])


def _rows(rungs: tuple[Rung, ...]) -> list[str]:
    head = ("assumed", "from", "estimate", "to", "to be wrong it takes")
    rows = [head] + [
        (r.name, shown(r.low), shown(r.estimate), shown(r.high), r.breaks_at) for r in rungs
    ]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    return [
        "  "
        + "  ".join([*(cell.ljust(w) for cell, w in zip(row[:4], widths, strict=True)), row[4]])
        for row in rows
    ]


# --- Which answer keys leave judges right so often, in whole numbers: the closed forms of order 1.
#
# Whatever a judge is asked, the counts q of an answer key satisfy it if and only if the label answers
# cover enough items: sum over labels of min(caps[l], q[l]) >= need. Right on at least x of the Q items
# answered: caps are the label counts R[l], need = ceil(x Q). Right on at least x[l] of those of each
# label: caps are floor(R[l] / x[l]), the most items of the label it can have been asked, need = Q.


Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cover:
    """One judge's demand on the answer key: sum over labels of min(caps[l], q[l]) >= need."""

    caps: tuple[int, ...]
    need: int

    def admits(self, key: Sequence[int]) -> bool:
        """Whether the judge can be right so often with these counts of an answer key."""
        return sum(map(min, self.caps, key)) >= self.need

    def window(self, n_items: int, index: int) -> Interval | None:
        """Counts of one of two labels that meet the demand, before they are clipped."""
        if sum(self.caps) < self.need:
            return None
        return self.need - self.caps[1 - index], self.caps[index] + n_items - self.need


@dataclass(frozen=True, slots=True)
class Floors:
    """How often each judge is at least right: of what it answered, or of each label."""

    by_label: bool
    # per judge and label; where `by_label` is false all of a judge's are the same
    levels: tuple[tuple[Fraction, ...], ...]

    def cover(self, exam: Exam, judge: int) -> Cover:
        """What one judge demands of the answer key."""
        right, held = exam.counts[judge][: exam.n_labels], exam.held(judge)
        levels = self.levels[judge]
        if not self.by_label:
            return Cover(right, ceil(levels[0] * held))
        return Cover(tuple(map(_most_held, right, levels, [held] * len(right))), held)


def floors_of(exam: Exam, spec: Specification) -> Floors | None:
    """Floors that a specification is; None where it asks for anything else.

    It has to ask grades from below, or accuracies from below, but not both.
    """
    kinds = {(c.quantity, c.sense == "<=") for c in spec.conditions}
    if spec.min_judges is not None or kinds not in ({("grade", False)}, {("accuracy", False)}):
        return None
    rows = [
        tuple(_highest(exam, judge, label, spec.conditions) for label in exam.labels)
        for judge in exam.judges
    ]
    return Floors(("accuracy", False) in kinds, tuple(rows))


def covers_of(exam: Exam, spec: Specification) -> tuple[Cover, ...] | None:
    """Demands of a specification; None where it is no floors."""
    floors = floors_of(exam, spec)
    if floors is None:
        return None
    return tuple(floors.cover(exam, judge) for judge in range(exam.n_judges))


def _most_held(right: int, x: Fraction, held: int) -> int:
    """Most items of a label that a judge can be held to and still reach x on it."""
    if x > 1:
        return 0
    return min(held, floor(right / x)) if x else held


def _highest(exam: Exam, judge: str, label: str, conditions: Sequence[Condition]) -> Fraction:
    levels = [
        level_of(c, exam.n_items)
        for c in conditions
        if c.judge in (None, judge) and c.label in (None, label)
    ]
    return max(levels, default=Fraction(0))


def closed(covers: Sequence[Cover], n_items: int) -> bool:
    """Whether `key_range` is exact: two labels, or every judge held to every item label by label."""
    return all(len(cover.caps) == 2 or cover.need == n_items for cover in covers)


def key_range(covers: Sequence[Cover], n_items: int, index: int) -> Interval | None:
    """Fewest and the most items that a label can have; None where no key meets all demands.

    `covers`: such that they are `closed`.
    """
    of_two = all(len(cover.caps) == 2 for cover in covers)
    return (_of_two if of_two else _of_boxes)(covers, n_items, index)


def _of_two(covers: Sequence[Cover], n_items: int, index: int) -> Interval | None:
    low, high = 0, n_items
    for cover in covers:
        window = cover.window(n_items, index)
        if window is None:
            return None
        low, high = max(low, window[0]), min(high, window[1])
    return (low, high) if low <= high else None


def _of_boxes(covers: Sequence[Cover], n_items: int, index: int) -> Interval | None:
    """Range where every label has at most so many items, whatever the others have."""
    most = [min(n_items, *caps) for caps in zip(*(c.caps for c in covers), strict=True)]
    low = max(0, n_items - sum(most) + most[index])
    return (low, most[index]) if low <= most[index] else None


# --- The range of a rate under a belief about the judges, exact and with its proofs.
#
# Closed forms give the ends where there are any, and two refutations and two witnesses prove them;
# elsewhere the integer programs of `algeval.logic` do both. A higher order only narrows what order 1 says.


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """Which rates a belief leaves possible.

    `proof`: what proves the ends.
    """

    ends: tuple[Fraction, Fraction] | None  # None where the belief is impossible
    proof: RangeProof = RangeProof()  # noqa: RUF009 (frozen)
    impossible: Certificate | None = None  # what proves that there are none
    order: int | str = 1  # how many judges' joint answers it took
    exact: bool = True  # whether both ends are attained; else nothing lies beyond them

    def certificates(self) -> dict[str, Certificate]:
        """Proofs by what they prove."""
        parts = {
            "impossible": self.impossible,
            "not below": self.proof.below,
            "lowest": self.proof.lowest,
            "highest": self.proof.highest,
            "not above": self.proof.above,
        }
        return {name: part for name, part in parts.items() if part is not None}


def settle(
    exam: Exam, spec: Specification, index: int, clock: Clock, *, proved: bool = True
) -> Settled:
    """Rates of a label that a specification leaves possible at order 1, `proved` or not.

    `exam`: under the rule that a judge is held to what it answered; `clock`: for the
    proofs, and for what has no closed form.
    """
    covers = covers_of(exam, spec)
    if covers is None or not closed(covers, exam.n_items):
        return _boxed(_by_program(Order1(exam), spec, index, clock), exam, spec, index)
    range_ = key_range(covers, exam.n_items, index)
    if range_ is None:
        return Settled(None, impossible=_certificate(exam, spec, clock) if proved else None)
    ends = Fraction(range_[0], exam.n_items), Fraction(range_[1], exam.n_items)
    return Settled(ends, _proofs(exam, spec, index, range_, clock) if proved else RangeProof())


def _boxed(settled: Settled, exam: Exam, spec: Specification, index: int) -> Settled:
    """Ends that a program left open, cut to the closed form of floors and ceilings."""
    if settled.exact or settled.ends is None:
        return settled
    box = box_range(exam, spec, index)
    if box is None:
        return Settled(None, exact=False)
    ends = max(settled.ends[0], box[0]), min(settled.ends[1], box[1])
    return replace(settled, ends=ends if ends[0] <= ends[1] else None)


def narrowed(
    order: Order, spec: Specification, index: int, first: Settled, clock: Clock
) -> Settled:
    """What a higher order leaves of what order 1 found; the same where it settles nothing."""
    if first.ends is None or not order.in_time(clock):
        return first
    proved = _by_program(order, spec, index, clock)
    if proved.ends is None:
        return proved
    if proved.ends == first.ends or not _inside(proved.ends, first.ends):
        return first
    return proved


def _inside(inner: tuple[Fraction, Fraction], outer: tuple[Fraction, Fraction]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _by_program(order: Order, spec: Specification, index: int, clock: Clock) -> Settled:
    possible = decide(order, spec, clock)
    if possible.possible is False:
        return Settled(None, impossible=certified(order, spec, possible), order=order.name)
    ((_, proved),) = ranges(order, spec, clock, [Quantity(None, index)])
    return _settled(proved, order.name)


def _settled(proved: Proved, order: int | str) -> Settled:
    if proved.ends is None:
        return Settled((Fraction(0), Fraction(1)), order=order, exact=False)
    return Settled(proved.ends, proved.proof, order=order, exact=proved.exact)


def _proofs(
    exam: Exam, spec: Specification, index: int, ends: Interval, clock: Clock
) -> RangeProof:
    """Witnesses of both ends, and refutations of what lies one item beyond."""
    label, n = exam.labels[index], exam.n_items
    low, high = ends

    def proof(sense: str, items: int) -> Certificate | None:
        if not 0 <= items <= n:
            return None
        value = Fraction(items, n)
        return _certificate(exam, spec & Specification.prevalence(label, sense, value), clock)

    return RangeProof(
        lowest=proof("<=", low),
        below=proof("<=", low - 1),
        highest=proof(">=", high),
        above=proof(">=", high + 1),
    )


def _certificate(exam: Exam, spec: Specification, clock: Clock) -> Certificate | None:
    order = Order1(exam)
    return certified(order, spec, decide(order, spec, clock.part(END_WORK)))


# --- Labels that grade the judges and nothing else: how good each is for certain, but for chance.


_GRID = 10**6


def lowest_share(right: int, n: int, alpha: float) -> Fraction:
    """One-sided Clopper-Pearson lower end of a share, rounded down."""
    if not right:
        return Fraction(0)
    return Fraction(floor(float(betaincinv(right, n - right + 1, alpha)) * _GRID), _GRID)


def checked_grades(
    votes: Votes | LabelledSketch, gold: Gold, target: str, alpha: float
) -> Specification | None:
    """How often each judge is right at least, all of them together at level 1 - alpha.

    `gold`: labels of items drawn at random from those of the votes; `target`: whether the grades are on
    these items, or in what they were drawn from. A grade from below for each judge that answered a labelled
    item; None if none did.
    """
    named = votes.some if isinstance(votes, LabelledSketch) else votes
    codes = named.codes[gold.rows]
    answered = codes != NOT_ANSWERED
    right = ((codes == gold.truth[:, None]) & answered).sum(0).tolist()
    graded = answered.sum(0).tolist()
    held = as_summary(votes).counts.sum(axis=1).tolist()
    n_judges = int(np.count_nonzero(graded))
    grades = None
    for name, k, n, n_items in zip(votes.judges, right, graded, held, strict=True):
        if not n:
            continue
        if target == "items":
            least = Fraction(lowest_correct(k, n, n_items, alpha / n_judges), n_items)
        else:
            least = lowest_share(k, n, alpha / n_judges)
        part = Specification.grade(">=", least, judge=name)
        grades = part if grades is None else grades & part
    return grades


def graded_below(votes: Votes | LabelledSketch, gold: Gold, floors: Floors, target: str) -> str:
    """Which judge the labels grade below its floor, and what it is right on at most; or nothing.

    Each judge's upper end is one-sided and exact, and all of them hold together: a belief that is true is
    contradicted with a chance of `REFUTED_GRADES` at most. `gold`: labels of items drawn at random from
    those of the votes.
    """
    named = votes.some if isinstance(votes, LabelledSketch) else votes
    codes = named.codes[gold.rows]
    answered = codes != NOT_ANSWERED
    right = (codes == gold.truth[:, None]) & answered
    held = as_summary(votes).counts.sum(axis=1).tolist()
    lowered, seen_before = [], set()
    for judge, levels in enumerate(floors.levels):
        column = votes.codes[:, judge].tobytes(), levels
        if column in seen_before:  # a copy of another judge is no second chance to err
            continue
        seen_before.add(column)
        for index, level in enumerate(levels if floors.by_label else levels[:1]):
            seen = answered[:, judge] & ((gold.truth == index) | (not floors.by_label))
            n, k = int(seen.sum()), int((right[:, judge] & seen).sum())
            if n and level:
                lowered.append((judge, index, level, k, n))
    for judge, index, level, k, n in lowered:
        alpha = REFUTED_GRADES / len(lowered)
        if target == "items" and not floors.by_label:
            least = lowest_correct(n - k, n, held[judge], alpha)
            most = 1 - Fraction(least, held[judge])
        else:
            most = 1 - lowest_share(n - k, n, alpha)
        if most < level:
            of = f" of {votes.labels[index]}" if floors.by_label else ""
            return f"{votes.judges[judge]} right on at most {percent(most, 0)}{of}"
    return ""
