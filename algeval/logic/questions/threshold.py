"""`threshold`: how good all judges can be at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from time import perf_counter
from typing import NamedTuple

import numpy as np

from algeval.data import Specification
from algeval.data.reading import Data
from algeval.door import reads
from algeval.errors import DataError, TooLargeError, option
from algeval.logic.exam import (
    Exam,
    Frame,
    System,
    frame_of,
    hard_words,
    order_words,
    read_exam,
    read_specification,
    resolve_order,
    spelled_as,
    system_of,
)
from algeval.logic.orders.base import Order, certified, certified_keys, decide, refuted
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import (
    Highest,
    Order1,
    at_level,
    compositions,
    count_in_time,
    has_box,
    highest,
    key_box,
    tables_in_time,
)
from algeval.logic.orders.tables import Tables
from algeval.logic.policy import (
    BEYOND,
    CLOSED_CELLS,
    CLOSING_WORK,
    END_DENOMINATOR,
    FULL_SHARE,
    HARDLY,
    KEY_WORK,
    LEVEL_SHARE,
    LEVELS_UNDECIDED,
    MET,
    MOST_CELLS_FOR_KEYS,
    MOST_ITEMS_FOR_KEYS,
    MOST_KEYS_TRIED,
    NARROW,
    PRINTED_ITEMS,
    PROVED_KEYS,
    RAISES,
    ROUNDED_LEVELS,
    RUNGS_BELOW,
    RUNGS_WORK,
    SHOWN_KEYS,
    STEP_SHARE,
    STEPS_BELOW,
)
from algeval.logic.proof import (
    Certificate,
    Clock,
    Evidence,
    Ints,
    Outcome,
    Shares,
    farey_floor,
    keys_meeting,
    next_fraction,
    previous_fraction,
    question_clock,
    relax,
    root_refutation,
)
from algeval.logic.questions.asking import order_of
from algeval.logic.results import Rung, Threshold
from algeval.progress import within
from algeval.result import Status, format_exact, percent
from algeval.result.base import with_reading

# --- Which answer-key counts let every judge meet its levels, and how many there are.


def keys_admitted(
    system: System, most: int, clock: Clock | None = None
) -> tuple[int | None, tuple[tuple[int, ...], ...]]:
    """How many answer keys a system admits, and the first of them.

    The count is None, and no key is returned, where it would take too long.
    """
    clock = clock or Clock(None)
    if clock.over:
        return None, ()
    total = system.n_items
    if has_box(system):
        box = key_box(system)
        if box is None:
            return 0, ()
        count = count_in_time(*box, total, clock)
        return count, () if count is None else tuple(islice(compositions(*box, total), most))
    count = count_in_time(system.low, system.high, total, clock)
    if count is None or count > MOST_KEYS_TRIED:
        return None, ()
    results = []
    for key in compositions(system.low, system.high, total):
        if clock.over:
            return None, ()
        if system.admits(key):
            results.append(key)
    return len(results), tuple(results[:most])


@reads
def count_keys_meeting(data: Data, at_least: object, *, missing: str = "excluded") -> int:
    """Count the answer-key counts at which every judge could meet a specification (order 1).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered.
    at_least : number, text or Specification
        Accuracy from below, of every judge and label or of some, and bounds on prevalences.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.

    Raises
    ------
    DataError
        If the specification asks for a grade or for accuracy from above.
    TooLargeError
        With missing answers and four labels or more, if there are too many keys to go through.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> count_keys_meeting(Summary.from_counts(grades), Specification.at_least(0.5, strict=True))
    27
    """
    exam = read_exam(data, missing)
    spec, _ = spelled_as(Specification.of(at_least), exam.labels)
    demands = read_specification(exam, spec)
    if not demands.simple or spec.min_judges is not None:
        raise DataError(
            "keys are counted for accuracy from below and bounds on prevalences; got "
            f"{spec.describe()!r}; leave the other conditions out"
        )
    count, _ = keys_admitted(system_of(exam, demands), 0)
    if count is None:
        raise TooLargeError(
            f"counting would try more than {MOST_KEYS_TRIED} answer keys one by one; use fewer items, or "
            f"{option('missing', 'wrong')}, which has a closed form"
        )
    return count


# --- The bracket of a threshold: whole-number witnesses below, exact refutations above, closing in.
#
# The relaxation's own threshold comes first: by weights where an order has them, else raised from point
# to point (Dinkelbach's rule: the next level is the lowest accuracy of the point with the largest
# surplus). Just above it a relaxation refutes; just below it whole numbers are laid out; halving among
# attainable fractions does the rest.


class Bracket:
    """Between which levels the threshold lies, while it closes in.

    `lower`, `shares`: Fraction, (P, R) ints or None, a level that is attained (-1 while none is
    known), and the shares that attain it; `upper`, `refutation`: nothing is above `upper`; the
    evidence proves it, None where that is 1; `relaxation`: the best bound by weights, before it
    is lowered to an attainable fraction; `settled`: whether closing, if it was asked for, came to
    an end; `rounded`: whether ends that are printed alike are close enough.
    """

    def __init__(self, order: Order, frame: Frame, clock: Clock, *, rounded: bool = False) -> None:
        self.order, self.frame, self.clock = order, frame, clock
        self.rounded = rounded
        self.lower, self.upper = Fraction(-1), Fraction(1)
        self.shares: Ints | None = None
        self.refutation: Evidence | None = None
        self.relaxation: Fraction | None = None
        self.settled = True

    @property
    def items(self) -> int:
        """Number of items, Q: no accuracy has a larger denominator."""
        return self.order.exam.n_items

    @property
    def closed(self) -> bool:
        """Whether the ends meet."""
        return self.lower >= self.upper

    @property
    def _enough(self) -> bool:
        """Whether the ends meet, or are printed alike and an item is less than what is printed."""
        if self.closed or not self.rounded or self.upper == 1 or self.items < PRINTED_ITEMS:
            return self.closed
        return percent(self.lower) == percent(self.upper)

    @property
    def narrow(self) -> bool:
        """Whether the ends of an order with large programs are so near that none is worth its time.

        An accuracy cannot be had much closer than one item of a label of average size, of the judge
        who is held to the fewest items.
        """
        exam = self.order.exam
        held = min(filter(None, map(exam.held, range(exam.n_judges))), default=self.items)
        least = max(NARROW, Fraction(exam.n_labels, held))
        return self.order.many and self.upper - self.lower < least

    def run(self, upper: Fraction, refutation: Evidence | None) -> None:
        """Close in cheaply from a bound of order 1, whose refutation (or None) holds here too."""
        if refutation is not None:
            self.upper, self.refutation = upper, refutation
        highest = self.order.highest(self.frame, self.clock)
        if highest is not None:
            value, evidence, shares = highest
            if value < self.upper:
                self.upper, self.refutation = value, evidence
            self.offer(shares)
            return
        self._start()
        top = None if self.closed else self._bound()
        if self.closed or self.narrow:
            return
        if top is None or self.frame.bounded:
            top = self._relaxed_threshold()
            self._refute_above(top)
        elif upper < self.upper:
            self._refute(next_fraction(upper, self.items))
        self._attain(top)
        if not self.closed and not self.clock.over:
            self._refute(next_fraction(max(self.lower, Fraction(0)), self.items))

    def reach(self, x: Fraction, *, strict: bool) -> Ints | None:
        """Close in cheaply; return the shares, if they attain level x, or are above it if `strict`."""
        self.run(Fraction(1), None)
        return self.shares if self.lower > x or (self.lower == x and not strict) else None

    def close(self, clock: Clock, *, exact: bool) -> None:
        """Search on for the threshold itself within the clock, to the end where it is to be `exact`."""
        if self._enough or not (exact or self.order.closes_always):
            return
        self.clock = clock
        self._halve(self.lower, self.upper)
        if exact and not self._enough:
            self.settled = False
            self._halve(self.lower, (self.lower + self.upper) / 2)

    # what is known

    def offer(self, shares: Ints) -> bool:
        """Keep whole-number shares that hang together, if they attain more than what is known."""
        level = self.lowest(shares)
        level = Fraction(1) if level is None else min(level, self.upper)
        if level <= self.lower:
            return False
        self.lower, self.shares = level, shares
        return True

    def lowest(self, shares: Ints) -> Fraction | None:
        """Lowest accuracy at whole-number shares; None where nothing is to be met."""
        right, held = self.order.counted(shares)
        pairs = zip(right.tolist(), held.tolist(), strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=None)

    def above(self, x: Fraction, evidence: Evidence) -> None:
        """Take over that x, and so all above it, is refuted."""
        self.upper, self.refutation = previous_fraction(x, self.items), evidence

    def program(self, x: Fraction) -> Shares:
        """Program of a level."""
        return self.order.program(self.frame.specification(x, strict=False))

    # the upper end

    def _bound(self) -> Fraction | None:
        bound = self.order.bound(self.clock)
        if bound is None:
            return None
        value, evidence, shares = bound
        self.relaxation = value
        limit = min(farey_floor(value, self.items), Fraction(1))
        if limit < self.upper:
            self.upper, self.refutation = limit, evidence
        self._offer_each([] if shares is None else [shares])
        return self.upper

    def _refute(self, x: Fraction) -> bool:
        """Refute x without a tree, or take over the whole numbers near its relaxation."""
        if x > self.upper or not self.order.in_time(self.clock):
            return False
        program = self.program(x)
        evidence, relaxed = root_refutation(program, self.clock)
        if evidence is not None:
            self.above(x, evidence)
        elif relaxed is not None:
            whole = self.order.whole(program, relaxed.shares, self.clock)
            self._offer_each([] if whole is None else [whole])
        return evidence is not None

    def _refute_above(self, top: Fraction) -> None:
        """Refute a level just above the relaxation's threshold, coarser until one is."""
        for more in BEYOND:
            x = next_fraction(farey_floor(top + Fraction(more), self.items), self.items)
            if x > self.upper or self.clock.over or self._refute(x):
                return

    def _relaxed_threshold(self) -> Fraction:
        """Highest level the relaxation allows, or a little less."""
        best = max(self.lower, Fraction(0))
        for _ in range(RAISES):
            if not self.order.in_time(self.clock):
                break
            program = self.program(best.limit_denominator(END_DENOMINATOR))
            relaxed = relax(program, program.root(), self.clock, surplus=float(self.items))
            if relaxed is None or relaxed.amount > 0:
                break
            right, held = self.order.counted(relaxed.shares)
            mask = held > HARDLY
            level = Fraction(float((right[mask] / held[mask]).min(initial=1.0)))
            if level <= best + Fraction(MET):
                break
            best = min(level, self.upper)
            if best >= self.upper:
                break
        return best

    # the lower end

    def _start(self) -> None:
        shares = self.order.start(self.frame)
        if shares is not None:
            self.offer(shares)
        else:
            self._try(Fraction(0))

    def _attain(self, top: Fraction) -> None:
        """Look for whole numbers at the upper end, then lower and lower."""
        if self.order.rounds:
            self._by_rounding()
            return
        top = farey_floor(min(self.upper, top), self.items)
        for steps in STEPS_BELOW:
            x = farey_floor(top - Fraction(steps, 4 * self.items), self.items)
            x = x if steps else self.upper
            if x <= self.lower or self.clock.over or self._try(x):
                return

    def _by_rounding(self) -> None:
        """Round at the upper end, then at levels halfway down to what is attained."""
        target = self.upper
        for _ in range(ROUNDED_LEVELS):
            if self.closed or self.clock.over:
                return
            better = self._try(target, merely_better=True)
            target = farey_floor((self.lower + (self.upper if better else target)) / 2, self.items)
            if target <= self.lower:
                return

    def _try(self, x: Fraction, *, merely_better: bool = False) -> bool:
        """Look for whole numbers that reach x; keep the level they really reach."""
        if not self.order.in_time(self.clock):
            return False
        program = self.program(max(x, Fraction(0)))
        near = program.plain() if self.order.rounds else program
        relaxed = relax(near, near.root(), self.clock)
        best = self.lower
        if self.order.rounds:
            starts = [] if relaxed is None else [relaxed.shares]
            starts += [] if self.shares is None else [self.shares]
            for start in starts:
                rounded = self.order.near(start)
                self._offer_each([rounded, self.order.repaired(program, rounded, self.clock)])
        elif relaxed is not None and relaxed.amount <= MET:
            whole = self.order.whole(program, relaxed.shares, self.clock)
            if whole is None:
                whole, _ = self.order.solve(program, self.patience())
            self._offer_each([] if whole is None else [whole])
        return self.lower > best if merely_better else self.lower >= x

    def _offer_each(self, result: Iterable[Ints]) -> None:
        """Offer shares whose answer key is of the kind in question."""
        low, high = np.array(self.frame.low), np.array(self.frame.high)
        for shares in result:
            if (shares[0] >= low).all() and (shares[0] <= high).all():
                self.offer(shares)

    # what lies between

    def patience(self) -> Clock:
        """Time for one level: a third of what is left."""
        return self.clock.part(share=LEVEL_SHARE)

    def _halve(self, floor: Fraction, ceiling: Fraction) -> None:
        """Decide level after level among the attainable fractions; undecided ones are left below.

        Where a level stays undecided in its share of the time, the easier levels above it are
        still tried.
        """
        undecided = 0
        while undecided < LEVELS_UNDECIDED and not self.clock.over:
            floor, ceiling = max(floor, self.lower), min(ceiling, self.upper)
            if floor >= ceiling or self._enough:
                return
            middle = farey_floor((floor + ceiling) / 2, self.items)
            x = middle if middle > floor else next_fraction(floor, self.items)
            if x > ceiling:
                return
            spec = self.frame.specification(max(x, Fraction(0)), strict=False)
            if not self._learn(x, decide(self.order, spec, self.patience())):
                floor, undecided = x, undecided + 1

    def _learn(self, x: Fraction, outcome: Outcome) -> bool:
        """Use a decision at level x; False when there was none."""
        if outcome.witness is not None:
            self.offer(self.order.read(outcome.witness))
        elif outcome.refutation is not None:
            self.above(x, outcome.refutation)
        return outcome.possible is not None


# --- The threshold: the highest accuracy all judges could reach on every label at once.


@reads
def threshold(
    data: Data,
    *,
    order: int | str | None = None,
    exact: bool | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    key_counts: Sequence[int] | None = None,
    ladder: bool = False,
    time_limit: float | None = None,
) -> Threshold:
    """Highest x for which some answer key lets every judge reach x on every label.

    An alarm set above it goes off, an alarm at it does not. Use it when no level is given: it says
    how high the worst accuracy could be, whatever the truth.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    exact : bool or None
        Search on for the exact threshold where only a bracket comes cheaply, or leave the bracket. None
        searches on where few different tuples of answers occur, for a fixed amount of work. At order 1
        it is always exact. A bracket holds the threshold, and how narrow it is depends on the order of
        judges and labels, since the search follows it.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    key_counts : (R,) ints, optional
        Only answer keys with these many items of each label.
    ladder : bool
        Also tell what each order below says, up to the first that tells as much.
    time_limit : float or None
        Seconds after which the bracket reached is returned. By default work is counted, a minute or two of
        it, so that the answer is the same on any machine; `math.inf` for no limit.

    Returns
    -------
    Threshold
        Status `ok` (orders 2 and full: for a bracket as well, unless `exact` was asked for);
        `time_limit` or `undetermined` where lower < upper; `inconsistent` where no answer key is of
        the kind asked for.

    Raises
    ------
    DataError
        If the data or the order breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    The threshold of No-Knowledge Alarms, figure 7, in closed form: Jefferson's apportionment of Q items to
    the labels by the smallest counts. The 45% and 46% printed there are wrong; it is 2/3.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> found = threshold(Summary.from_counts(grades))
    >>> found.lower, found.answer_keys
    (Fraction(2, 3), ((6, 15, 4),))
    """
    settings = _Settings(order, exact, missing, require_labels, key_counts, ladder, time_limit)
    return with_reading(_threshold(data, settings), data)


def rounded_threshold(data: Data, missing: str, time_limit: float | None) -> Threshold:
    """Threshold for a line of text: its ends need only be printed alike, and no keys are listed."""
    settings = _Settings(missing=missing, time_limit=time_limit, rounded=True)
    return _threshold(data, settings)


class _Settings(NamedTuple):
    """Settings of `threshold`; `rounded`: whether its answer is for a line of text alone."""

    order: int | str | None = None
    exact: bool | None = None
    missing: str = "excluded"
    require_labels: bool = False
    key_counts: Sequence[int] | None = None
    ladder: bool = False
    time_limit: float | None = None
    rounded: bool = False


def _threshold(data: Data, options: _Settings) -> Threshold:
    clock = question_clock(options.time_limit)
    exam = read_exam(data, options.missing)
    resolved = resolve_order(data, options.order)
    frame = frame_of(exam, require_labels=options.require_labels, key_counts=options.key_counts)
    first = Order1(exam)
    rungs: tuple[Rung, ...] = ()
    with within("finding the highest accuracy all judges can have", options.time_limit):
        outcome = highest(exam, frame.low, frame.high, clock)
        started = perf_counter()
        if outcome is None:
            parts = _Parts(Status.INCONSISTENT, Fraction(0), Fraction(0))
        elif resolved == 1:
            parts = _certified(first, frame, outcome, clock, keys=not options.rounded)
        else:
            chosen = order_of(data, exam, resolved)
            ends = Bracket(chosen, frame, clock, rounded=options.rounded)
            parts = _closed_in(ends, first, outcome, exact=options.exact)
        if options.ladder and outcome is not None:
            last = _rung(resolved, parts, perf_counter() - started)
            rungs = _climbed(data, first, frame, outcome, clock, last)
    return Threshold(
        status=parts.status,
        message=_NO_KEY if outcome is None else _sentence(parts, exam, resolved, clock),
        lower=parts.lower,
        upper=parts.upper,
        exact=outcome is not None and parts.lower == parts.upper,
        witness=parts.witness,
        refutation=parts.refutation,
        key_count=parts.key_count,
        answer_keys=parts.answer_keys,
        keys=parts.keys,
        relaxation=parts.relaxation,
        ladder=rungs,
        require_labels=options.require_labels,
        time_limit=options.time_limit,
        **exam.echo(resolved),
    )


_NO_KEY = (
    "No answer key is of the kind asked for: every label must occur, or the counts do not fit."
)


@dataclass(frozen=True, slots=True)
class _Parts:
    status: Status
    lower: Fraction
    upper: Fraction
    witness: Certificate | None = None
    refutation: Certificate | None = None
    key_count: int | None = None
    answer_keys: tuple[tuple[int, ...], ...] = ()
    relaxation: Fraction | None = None
    keys: Certificate | None = None


def _certified(
    order: Order1, frame: Frame, optimum: Highest, clock: Clock, *, keys: bool = True
) -> _Parts:
    """Threshold of order 1, which is known, with its proofs, and with the `keys` that attain it."""
    exam = order.exam
    system = at_level(exam, optimum.lower, frame.low, frame.high)
    spec = frame.specification(optimum.lower, strict=False)
    tables = tables_in_time(exam, system, optimum.key, clock)
    lower = (
        optimum.lower if tables is not None else Fraction(0)
    )  # a level without a witness is none
    shown = None if tables is None else order.at_key(optimum.key, tables)
    upper, evidence = _refuted_above(order, frame, optimum, clock)
    refutation = None
    if evidence is not None:
        refutation = refuted(order, frame.specification(upper, strict=True), evidence)
    count, admitted = keys_admitted(system, PROVED_KEYS, clock) if keys else (None, ())
    proof = None
    if count is not None and count <= PROVED_KEYS and lower == optimum.lower:
        proof = _keys(order, frame, lower, None, clock)[2]
        if proof is not None and sorted(map(tuple, proof.claim["keys"])) != sorted(admitted):
            proof = None
    late = Status.TIME_LIMIT if clock.over else Status.UNDETERMINED
    return _Parts(
        Status.OK if lower == upper else late,
        lower,
        upper,
        certified(order, spec, Outcome(witness=shown)),
        refutation,
        count,
        admitted[:SHOWN_KEYS],
        None,
        proof,
    )


def _refuted_above(
    order: Order1, frame: Frame, optimum: Highest, clock: Clock
) -> tuple[Fraction, Evidence | None]:
    """Upper end of order 1 and its proof; 1 where there is none."""
    if optimum.upper >= 1 or clock.over:
        return Fraction(1), None
    above = frame.specification(optimum.upper, strict=True)
    evidence = decide(order, above, clock.part()).refutation
    return (Fraction(1) if evidence is None else optimum.upper), evidence


def _rung(order: int | str, parts: _Parts, seconds: float) -> Rung:
    keys = parts.answer_keys
    return Rung(
        order=order,
        status=parts.status.value,
        lower=parts.lower,
        upper=parts.upper,
        key_counts=keys[0] if keys else None,
        seconds=seconds,
    )


def rungs_of(result: Threshold, data: Data) -> tuple[Rung, ...]:
    """Ladder up to a threshold that is there: order 1, order 2 where its program is small."""
    exam = read_exam(data, result.missing_rule)
    frame = frame_of(exam, require_labels=result.require_labels, key_counts=None)
    clock = question_clock(None, RUNGS_WORK)
    optimum = highest(exam, frame.low, frame.high, clock)
    if optimum is None or result.order == 1:
        return ()
    parts = _Parts(result.status, result.lower, result.upper, answer_keys=result.answer_keys)
    last = _rung(result.order, parts, 0.0)
    return _climbed(data, Order1(exam), frame, optimum, clock, last, most=RUNGS_BELOW)


def _climbed(
    data: Data,
    first: Order1,
    frame: Frame,
    optimum: Highest,
    clock: Clock,
    last: Rung,
    *,
    most: int | None = None,
) -> tuple[Rung, ...]:
    """What the orders below one tell, up to the first that tells as much, and that one.

    An order lies between the one below it and the one asked for: neither end need be looked for beyond.
    With `most` unknowns no order above 2 and no larger program.
    """
    highest = first.exam.n_judges if last.order == "full" else int(last.order)
    rungs: list[Rung] = []
    for name in range(1, highest):
        started = perf_counter()
        upper = rungs[-1].upper if rungs else Fraction(1)
        if name > 2 and (upper == last.lower or clock.over):
            break
        try:
            if name == 1:
                parts = _certified(first, frame, optimum, clock)
            else:
                chosen = order_of(data, first.exam, name)
                if most is not None and (name > 2 or chosen.n_unknowns > most):
                    break
                chosen.check_size()
                part = clock.part(share=STEP_SHARE)
                parts = _closed_in(Bracket(chosen, frame, part), first, optimum, exact=True)
            rung = _rung(name, parts, perf_counter() - started)
        except TooLargeError:
            rung = Rung(
                order=name,
                status=Status.TOO_LARGE.value,
                lower=last.lower,
                upper=upper,
                key_counts=None,
                seconds=perf_counter() - started,
            )
        lower = max(rung.lower, last.lower)
        rungs.append(replace(rung, lower=lower, upper=max(lower, min(rung.upper, upper))))
        if name > 2 and rung.status == Status.TOO_LARGE.value:
            break
    return (*rungs, last)


def _closed_in(ends: Bracket, first: Order1, optimum: Highest, *, exact: bool | None) -> _Parts:
    """Bracket of an order, from that of order 1, which it never exceeds."""
    order, frame, clock = ends.order, ends.frame, ends.clock
    upper, evidence = _refuted_above(first, frame, optimum, clock)
    holds = evidence is not None and (order.name != "full" or evidence["kind"] == "cap")
    if isinstance(order, Tables) and order.name != 2:
        upper, evidence = _between(ends, order, frame, (upper, evidence), clock)
    ends.run(upper, evidence if holds else None)
    unasked = exact is None and not order.many and _n_cells(order) <= CLOSED_CELLS
    ends.close(clock.part(CLOSING_WORK) if unasked else clock, exact=exact or unasked)
    witness = refutation = None
    if ends.shares is not None:
        spec = frame.specification(ends.lower, strict=False)
        witness = certified(order, spec, Outcome(witness=order.witness(ends.shares)))
    if evidence is not None and upper < ends.upper:  # nothing of this order proves as much
        ends.upper = upper
        refutation = refuted(first, frame.specification(upper, strict=True), evidence)
    elif ends.refutation is not None and ends.upper < 1:
        spec = frame.specification(ends.upper, strict=True)
        refutation = refuted(order, spec, ends.refutation)
    count, keys, proof = _keys_of(order, frame, ends, clock)
    return _Parts(
        _status(ends, clock, exact=bool(exact)),
        max(ends.lower, Fraction(0)),
        ends.upper,
        witness,
        refutation,
        count,
        keys,
        ends.relaxation,
        proof,
    )


def _keys_of(order: Order, frame: Frame, ends: Bracket, clock: Clock) -> Keys:
    """Answer keys at an exact threshold of full order; elsewhere the one that is known."""
    if isinstance(order, Full) and ends.closed and not ends.rounded:
        return _keys(order, frame, ends.lower, ends.shares, clock)
    return None, (() if ends.shares is None else (tuple(ends.shares[0].tolist()),)), None


def _n_cells(order: Order) -> int:
    return order.layout.totals.size * order.exam.n_labels


def _between(
    ends: Bracket,
    order: Tables,
    frame: Frame,
    above: tuple[Fraction, Evidence | None],
    clock: Clock,
) -> tuple[Fraction, Evidence | None]:
    """Begin with a labelling of whole tuples, and with the bound of order 2, which holds here too."""
    full = Bracket(order.full, frame, clock.part(share=FULL_SHARE))
    full.run(Fraction(1), None)
    if full.shares is not None:
        ends.offer(order.shares_of_cells(full.shares[1:]))
    pairs = Bracket(order_of(order.full.sketch, order.exam, 2), frame, clock.part(share=FULL_SHARE))
    pairs.run(*above)
    return pairs.upper, pairs.refutation


def _status(ends: Bracket, clock: Clock, *, exact: bool) -> Status:
    """Return `ok` for a bracket too, unless an exact answer was asked for."""
    over = not ends.narrow and (clock.out_of_time or not ends.order.in_time(clock))
    if ends.closed or (ends.shares is not None and not exact and not over):
        return Status.OK
    late = over or ends.order.name == "full"
    return Status.TIME_LIMIT if late else Status.UNDETERMINED


Keys = tuple[int | None, tuple[tuple[int, ...], ...], Certificate | None]


def _keys(order: Order, frame: Frame, level: Fraction, best: Ints | None, clock: Clock) -> Keys:
    """How many answer keys attain an exact threshold, which, and the proof, where that is cheap.

    best : shares that attain it, for the answer where it is not
    """
    one = () if best is None else (tuple(best[0].tolist()),)
    small = _n_cells(order) <= MOST_CELLS_FOR_KEYS
    if not (small and order.exam.n_items <= MOST_ITEMS_FOR_KEYS):
        return None, one, None
    spec = frame.specification(level, strict=False)
    program = order.program(spec)
    listed = keys_meeting(program, clock.part(KEY_WORK), most=order.nodes[1], near=order.near)
    if listed is None or not all(  # each has a witness: shares of just this key, at just this level
        program.satisfied(shares) and tuple(shares[0].tolist()) == key
        for key, shares in listed[0].items()
    ):
        return None, one, None
    keys, tree = listed
    proof = certified_keys(order, spec, keys, tree) if len(keys) <= PROVED_KEYS else None
    return len(keys), tuple(keys)[:SHOWN_KEYS], proof


def _sentence(parts: _Parts, exam: Exam, order: int | str, clock: Clock) -> str:
    cut = parts.lower < parts.upper or parts.key_count is None
    late = " The search was stopped: pass a longer time_limit for more." if cut else ""
    why = ""
    if parts.status is not Status.OK:
        bound = parts.relaxation
        below = None if bound is None else (parts.lower, bound)
        why = hard_words(exam, order, "What is reached", below)
    return _ends(parts.lower, parts.upper, order) + (late if clock.out_of_time else "") + why


def _ends(lower: Fraction, upper: Fraction, order: int | str) -> str:
    words = order_words(order)
    if lower == upper == 1:
        return f"Some answer key allows every judge to be always right on every label ({words})."
    if lower == upper:
        return (
            f"No answer key lets every judge be more than {format_exact(lower)} accurate on "
            f"every label, and some answer key allows just that ({words})."
        )
    return (
        f"Some answer key lets every judge be at least {format_exact(lower)} accurate on every "
        f"label, none more than {format_exact(upper)} ({words})."
    )
