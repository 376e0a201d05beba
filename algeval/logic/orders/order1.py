"""Order 1: every judge's own counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.data import Specification
from algeval.logic.exam import Asked, Exam, System, read_specification, select_exam, system_of
from algeval.logic.orders.base import UNANSWERED, Builder, Layout, Order, check_size, sparse_ints
from algeval.logic.policy import (
    ALL_SETS,
    BISECTIONS,
    FEW_TABLE_CELLS,
    NODES,
    TABLE_CELLS_AT_ONCE,
    TERMS_A_SECOND,
    WITHOUT_CLOCK,
)
from algeval.logic.proof import (
    Clock,
    Evidence,
    Ints,
    Leaf,
    Node,
    Outcome,
    Relaxation,
    RowId,
    Rows,
    Shares,
    branch,
    find_shares,
    next_fraction,
    refutation_at,
    relax,
)

# --- Order 1 in closed form: complete votes, or at most three labels.
#
# With every judge held to every item, q[t] can be at most k[t] = min over judges of
# floor(R[i,t] / x), and every q below these caps is attained: being right as often as possible
# (min of R[i,t] and q[t]) is possible for all judges and labels at once. So every judge can reach x
# exactly when the caps add up to Q, and the highest such x is what Jefferson's rule for apportioning
# seats calls the divisor: the Q-th largest of the quotients m[t] / k, m[t] = min over judges of R[i,t].


def highest_level(most: Sequence[int], n_items: int, high: Sequence[int]) -> Fraction:
    """Highest x <= 1 with sum over t of min(high[t], floor(most[t] / x)) >= n_items.

    A label that reaches its bound `high` at some level stays there at every lower one, so it is
    given its items and the rest is apportioned again. 0 if no x > 0 will do.
    """
    free = [(m, h) for m, h in zip(most, high, strict=True) if m > 0]
    if n_items <= 0:
        return Fraction(1)
    while free:
        x = _jefferson([m for m, _ in free], n_items)
        if sum(min(h, m // x) for m, h in free) >= n_items:
            return x
        n_items -= sum(h for m, h in free if m // x >= h)
        free = [(m, h) for m, h in free if m // x < h]
    return Fraction(0)


def _jefferson(most: list[int], n_items: int) -> Fraction:
    """N_items-th largest of the quotients m / k, at most 1."""
    x = min(Fraction(1), Fraction(sum(most), n_items))
    seats = [m // x for m in most]
    while sum(seats) < n_items:
        x = max(Fraction(m, k + 1) for m, k in zip(most, seats, strict=True))
        seats = [m // x for m in most]
    return x


def has_box(system: System) -> bool:
    """Whether the admitted answer keys are all those within bounds, label by label.

    So it is with complete votes. With at most three labels every row on a set of labels is a bound
    on one label: the others add up to the rest.
    """
    return system.complete or system.n_labels <= 3


def key_box(system: System) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Bounds low <= q <= high such that every q in them that sums to Q is admitted.

    Only where `has_box`; None if there is no such q.
    """
    total = system.n_items
    rooms = [e + sum(caps) - total for e, caps in zip(system.excused, system.caps, strict=True)]
    if any(room < 0 for room in rooms):
        return None
    low, high = list(system.low), list(system.high)
    for e, caps, room in zip(system.excused, system.caps, rooms, strict=True):
        for t, cap in enumerate(caps):
            high[t] = min(high[t], e + cap)
            low[t] = max(low[t], cap - room)
    possible = all(a <= b for a, b in zip(low, high, strict=True))
    if not possible or not sum(low) <= total <= sum(high):
        return None
    return tuple(low), tuple(high)


def interval(system: System, judge: int) -> tuple[int, int] | None:
    """Counts of the first of two labels that let one judge meet its levels."""
    n_items, slack = system.n_items, system.excused[judge]
    first, second = system.caps[judge]
    if first + second < n_items - slack:
        return None
    low = max(system.low[0], n_items - system.high[1], n_items - slack - second)
    high = min(system.high[0], n_items - system.low[1], first + slack)
    return (low, high) if low <= high else None


def fill(low: Sequence[int], high: Sequence[int], total: int) -> tuple[int, ...]:
    """Lexicographically largest q with low <= q <= high that sums to total."""
    left = total - sum(low)
    result = []
    for a, b in zip(low, high, strict=True):
        more = min(left, b - a)
        result.append(a + more)
        left -= more
    return tuple(result)


def compositions(low: Sequence[int], high: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield every q with low <= q <= high that sums to total, lexicographically descending."""
    if len(low) == 1:
        if low[0] <= total <= high[0]:
            yield (total,)
        return
    least, most = sum(low[1:]), sum(high[1:])
    for first in range(min(high[0], total - least), max(low[0], total - most) - 1, -1):
        for rest in compositions(low[1:], high[1:], total - first):
            yield (first, *rest)


def count_between(low: Sequence[int], high: Sequence[int], total: int) -> int:
    """Count the q with low <= q <= high that sum to total."""
    count = count_in_time(low, high, total, Clock(None))
    assert count is not None  # a clock without a limit stops nothing
    return count


def count_in_time(low: Sequence[int], high: Sequence[int], total: int, clock: Clock) -> int | None:
    """Count the q with low <= q <= high that sum to total, by inclusion and exclusion; or None.

    The sets of labels over their range are grouped by how many items they take: their signed
    counts are the coefficients of the product of (1 - x^(width + 1)). Labels whose range cannot
    bind are left out, so the cost is at most (labels that bind) times (items to place).
    """
    room = total - sum(low)
    widths = [b - a for a, b in zip(low, high, strict=True)]
    if room < 0 or min(widths) < 0:
        return 0
    signed = {0: 1}
    for step in (w + 1 for w in widths if w < room):
        if not clock.allows(len(signed) / TERMS_A_SECOND):
            return None
        for taken, count in sorted(signed.items(), reverse=True):
            if taken + step <= room:
                signed[taken + step] = signed.get(taken + step, 0) - count
    others = len(widths) - 1
    if not clock.allows(len(signed) * others / TERMS_A_SECOND):
        return None
    return sum(n * comb(room - taken + others, others) for taken, n in signed.items() if n)


# --- Order 1: find an answer key that lets every judge meet its levels, or prove that none does.
#
# Judge i can meet its levels at q exactly when, for every set T of labels, the items of these labels
# beyond its caps fit among those it is not held to: q(T) <= excused[i] + caps[i](T). So all judges
# together ask q(T) <= min over i of that: at most 2^R - 1 rows on R whole numbers, however many judges.


Key = tuple[int, ...]
Part = Callable[[Specification, Sequence[int]], Shares]


def find_key(system: System, clock: Clock) -> tuple[Key | None, bool]:
    """Answer-key counts that every judge admits, or None; and whether that is for certain.

    Where no closed form knows it, that there is none is the word of a solver (`refute_keys`
    proves it).
    """
    if has_box(system):
        box = key_box(system)
        return (None if box is None else fill(*box, system.n_items)), True
    if len(system.caps) == 1:
        # key with the fewest items above the one judge's caps, if these are excused
        caps = system.caps[0]
        within = [
            max(low, min(high, cap))
            for low, high, cap in zip(system.low, system.high, caps, strict=True)
        ]
        if sum(within) >= system.n_items:
            key = fill(system.low, within, system.n_items)
        else:
            key = fill(within, system.high, system.n_items)
        return (key if system.admits(key) else None), True
    return _by_rows(system, clock)


def _by_rows(system: System, clock: Clock) -> tuple[Key | None, bool]:
    cuts = first_cuts(system)
    while not clock.over:
        whole, ended = find_shares(_reduced(system, cuts), clock)
        if whole is None:
            return None, ended
        key = tuple(whole[0].tolist())
        if system.admits(key):
            return key, True
        more = _violated(system, key)
        if more is None or more in cuts:  # the proposal breaks the rows it was given
            return None, False
        cuts.append(more)
    return None, False


Cut = tuple[int, ...]


def first_cuts(system: System) -> list[Cut]:
    """Sets of labels that get a row at once: all of them where they are few."""
    labels = range(system.n_labels)
    if system.n_labels <= ALL_SETS:
        return [
            tuple(t for t in labels if mask >> t & 1) for mask in range(1, 1 << system.n_labels)
        ]
    return [*((t,) for t in labels), tuple(labels)]


def _violated(system: System, key: Sequence[int]) -> Cut | None:
    """Set of labels on which some judge has the most items too many."""
    over = [(system.excess(i, key) - e, i) for i, e in enumerate(system.excused)]
    most, judge = max(over)
    if most <= 0:
        return None
    return tuple(t for t, q in enumerate(key) if q > system.caps[judge][t])


def key_rows(system: System, cuts: Sequence[Cut], n_columns: int) -> Rows:
    """Return what all judges together ask of q, which is the first R of the columns.

    Each row is named by the judge it comes from.
    """
    names: list[RowId] = []
    bounds: list[int] = []
    entries: list[tuple[int, int, int]] = []
    for cut in cuts:
        bound, judge = min(
            (e + sum(caps[t] for t in cut), i)
            for i, (e, caps) in enumerate(zip(system.excused, system.caps, strict=True))
        )
        if bound < system.n_items:
            entries += [(len(names), t, -1) for t in cut]
            names.append(("judge", judge))
            bounds.append(-bound)
    return Rows.of(names, sparse_ints(entries, (len(names), n_columns)), bounds)


def _reduced(system: System, cuts: Sequence[Cut]) -> Shares:
    """Program on q alone."""
    return Shares(
        totals=np.array([system.n_items], np.int64),
        parts=[("size",)],
        forms=[("key",)],
        rows=key_rows(system, cuts, system.n_labels),
        low=np.array([system.low], np.int64),
        high=np.array([system.high], np.int64),
    )


def restated(
    part: Callable[[Sequence[int]], Shares], own: Sequence[int], used: set[int], clock: Clock
) -> Leaf:
    """Return what writes a refutation that rests on `key_rows` in the rows of the judges named.

    `part` returns the program of order 1 that knows some of the judges in full; `own` are judges
    it is to know in any case; the judges named are added to `used`. Below a split on anything but
    the answer key it writes nothing.
    """

    def leaf(shares: Shares, node: Node, relaxed: Relaxation) -> Evidence | None:
        beside = node.cited or any(row.name[0] == "split" for row in node.extra)
        result = None if beside else refutation_at(shares, node, relaxed)
        if result is None:
            return None
        judges = sorted({name[1] for name, _ in result["rows"] if name[0] == "judge"} | {*own})
        program = part(judges)
        low, high = program.low.copy(), program.high.copy()
        low[0], high[0] = node.low[0], node.high[0]
        program = replace(program, low=low, high=high)
        solved = relax(program, program.root(), clock)
        used.update(judges)
        return None if solved is None else refutation_at(program, program.root(), solved)

    return leaf


def refute_keys(
    exam: Exam, spec: Specification, system: System, clock: Clock, part: Part
) -> tuple[Evidence, tuple[int, ...]] | None:
    """Evidence that no answer key will do, and the judges it speaks of; or None.

    part : returns the program of order 1 that knows some of the judges only.
    """
    cap = cap_evidence(exam, system)
    if cap is not None:
        return cap
    used: set[int] = set()
    leaf = restated(lambda judges: part(spec, judges), (), used, clock)
    cuts = first_cuts(system)
    while not clock.over:
        outcome, evidence = branch(_reduced(system, cuts), clock, most=NODES, leaf=leaf)
        if evidence is not None:
            return evidence, tuple(sorted(used))
        more = None if outcome is None else _violated(system, outcome[0].tolist())
        if more is None or more in cuts:
            return None
        cuts.append(more)
    return None


def cap_evidence(exam: Exam, system: System) -> tuple[Evidence, tuple[int, ...]] | None:
    """Refute by one judge per label (or none) whose caps, with the items left out, stay below Q."""
    candidates = [_caps_of(system, range(len(system.caps)))] if system.complete else []
    candidates += [_caps_of(system, [i]) for i in range(len(system.caps)) if system.excused[i]]
    for chosen, total in candidates:
        if total < system.n_items:
            names = [None if i is None else exam.judges[i] for i in chosen]
            used = sorted({i for i in chosen if i is not None})
            return {"kind": "cap", "judges": names}, tuple(used)
    return None


def _caps_of(system: System, judges: Sequence[int]) -> tuple[list[int | None], int]:
    chosen: list[int | None] = []
    total = 0
    for t, high in enumerate(system.high):
        judge = min(judges, key=lambda i: system.caps[i][t])
        within = high <= system.caps[judge][t]
        chosen.append(None if within else judge)
        total += min(high, system.caps[judge][t])
    total += sum(system.excused[i] for i in {i for i in chosen if i is not None})
    return chosen, total


# --- Order 1: the highest level that some answer key lets every judge reach on every label.


@dataclass(frozen=True, slots=True)
class Highest:
    """A level attained at `key`, and one above which there is none."""

    lower: Fraction
    upper: Fraction
    key: tuple[int, ...]


def at_level(
    exam: Exam, x: Fraction, low: Sequence[int], high: Sequence[int], *, strict: bool = False
) -> System:
    """System of answer keys for accuracy >= x (or > x) of every judge everywhere."""
    level = next_fraction(x, exam.n_items) if strict else x
    row = (level,) * exam.n_labels
    return system_of(exam, Asked((row,) * exam.n_judges, tuple(low), tuple(high), True))


def highest(exam: Exam, low: Sequence[int], high: Sequence[int], clock: Clock) -> Highest | None:
    """Threshold within bounds on the answer key; None if no key is within them."""
    if not any(exam.excused):
        n_items, labels = exam.n_items, range(exam.n_labels)
        if any(a > b for a, b in zip(low, high, strict=True)):
            return None
        if not sum(low) <= n_items <= sum(high):
            return None
        most = [min(counts[t] for counts in exam.counts) for t in labels]
        x = highest_level(most, n_items, high)
        for m, least in zip(most, low, strict=True):
            if least:
                x = min(x, Fraction(m, least))
        key = find_key(at_level(exam, x, low, high), Clock(None))[0]
        return None if key is None else Highest(x, x, key)
    start = find_key(at_level(exam, Fraction(0), low, high), clock)[0]
    if start is None:
        return None
    return _Ascent(exam, low, high, clock).run(start)


class _Ascent:
    """Raise the level from key to key, and halve the gap to a level known to be too high."""

    def __init__(self, exam: Exam, low: Sequence[int], high: Sequence[int], clock: Clock) -> None:
        self.exam, self.low, self.high, self.clock = exam, low, high, clock

    def find(self, x: Fraction, *, strict: bool = False) -> tuple[tuple[int, ...] | None, bool]:
        return find_key(at_level(self.exam, x, self.low, self.high, strict=strict), self.clock)

    def reach(self, key: Sequence[int], best: Fraction | None = None) -> Fraction:
        """Highest level that every judge reaches at this key.

        Where time runs out it is a level known to be reached; if none is given, that of the judges
        looked at, which the others can only lower.
        """
        labels, least = self.exam.n_labels, Fraction(1)
        for i in range(self.exam.n_judges):
            if self.clock.over:
                return least if best is None else best
            own = highest_level(self.exam.counts[i][:labels], self.exam.held(i), key)
            least = min(least, own)
        return least

    def run(self, key: tuple[int, ...]) -> Highest:
        best, upper = key, self.reach(self.high)
        lower = self.reach(best, Fraction(0))
        while lower < 1:
            above, ended = self.find(lower, strict=True)
            if above is None:
                return Highest(lower, lower if ended else upper, best)
            best, lower = above, self.reach(above, lower)
            for x in (upper, *[None] * BISECTIONS):
                if lower >= upper:
                    break
                middle = _between(lower, upper) if x is None else x
                result, ended = self.find(middle)
                if result is not None:
                    best, lower = result, self.reach(result, middle)
                elif ended:
                    upper = middle
                else:
                    return Highest(lower, upper, best)
        return Highest(lower, lower, best)


def _between(lower: Fraction, upper: Fraction) -> Fraction:
    """Level near the middle; its own denominator need not be small."""
    middle = (lower + upper) / 2
    near = middle.limit_denominator(10**9)
    return near if lower < near < upper else middle


# --- Lay each judge's answers on an answer key so that it is right as often as possible.


def best_tables(exam: Exam, system: System, key: Sequence[int]) -> list[list[list[int]]]:
    """Tables[i][a][t] in which every judge of the system meets its levels at this key."""
    cells = len(exam.answers) * exam.n_labels
    if exam.n_judges * cells < FEW_TABLE_CELLS or exam.n_items >= 2**62:
        return [_best_table(exam, system, i, key) for i in range(exam.n_judges)]
    at_once = max(1, TABLE_CELLS_AT_ONCE // cells)
    tables = []
    for first in range(0, exam.n_judges, at_once):
        judges = range(first, min(first + at_once, exam.n_judges))
        tables += _best_tables_of(exam, system, judges, key)
    return tables


def _best_tables_of(
    exam: Exam, system: System, judges: range, key: Sequence[int]
) -> list[list[list[int]]]:
    """Return what `_best_table` does for each of these judges, by running sums."""
    some = slice(judges.start, judges.stop)
    need = np.array(key, np.int64)
    out = np.array(system.excused[some], np.int64)[:, None]
    held = np.diff(np.minimum(_running(np.minimum(need, system.caps[some])), system.n_items - out))
    left = system.n_items - out - held.sum(axis=1, keepdims=True)
    held += np.diff(np.minimum(_running(need - held), left))
    missed = np.array(exam.missing[some], np.int64) - exam.excused[some]
    counts = np.concatenate([np.array(exam.counts[some], np.int64), missed[:, None]], axis=1)
    n_labels = exam.n_labels
    correct = np.minimum(counts[:, :n_labels], held)
    counts[:, :n_labels] -= correct
    rows, columns = _running(counts)[:, :, None], _running(held - correct)[:, None, :]
    upper = np.minimum(rows[:, 1:-1], columns[..., 1:])
    upper -= np.maximum(rows[:, :-2], columns[..., :-1])
    np.maximum(upper, 0, out=upper)
    labels = np.arange(n_labels)
    upper[:, labels, labels] += correct
    result: list[list[list[int]]] = upper.tolist()
    return result


def _running(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0 and the sums up to each count of a row."""
    sums: NDArray[np.int64] = np.cumsum(np.pad(counts, ((0, 0), (1, 0))), axis=1)
    return sums


def tables_in_time(
    exam: Exam, system: System, key: Sequence[int], clock: Clock
) -> list[list[list[int]]] | None:
    """Best tables, or None where time runs out before they are laid out."""
    tables = []
    for i in range(exam.n_judges):
        if i % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            return None
        tables.append(_best_table(exam, system, i, key))
    return tables


def _best_table(exam: Exam, system: System, i: int, key: Sequence[int]) -> list[list[int]]:
    held = _held(system, i, key)
    counts = list(exam.counts[i])
    skipped = exam.missing[i] if not exam.excused[i] else 0
    correct = [min(r, d) for r, d in zip(counts, held, strict=False)]
    return lay_out([*counts, skipped], held, correct)[:-1]


def _held(system: System, i: int, key: Sequence[int]) -> list[int]:
    """Choose which items of each label the judge is held to: those within its caps first."""
    left = system.n_items - system.excused[i]
    held = []
    for q, cap in zip(key, system.caps[i], strict=True):
        held.append(min(q, cap, left))
        left -= held[-1]
    for t, q in enumerate(key):
        more = min(q - held[t], left)
        held[t] += more
        left -= more
    return held


def lay_out(counts: Sequence[int], held: Sequence[int], correct: Sequence[int]) -> list[list[int]]:
    """Table[a][t] with these margins and this diagonal, filled greedily.

    The rest of row t and of column t must not both be positive, as when `correct` is as large as
    it can be.
    """
    n_labels = len(held)
    table = [[0] * n_labels for _ in counts]
    rows, columns = list(counts), list(held)
    for t, right in enumerate(correct):
        table[t][t] = right
        rows[t] -= right
        columns[t] -= right
    t = 0
    for a, row in enumerate(table):
        while rows[a] > 0:
            while columns[t] == 0:
                t += 1
            more = min(rows[a], columns[t])
            row[t] += more
            rows[a] -= more
            columns[t] -= more
    return table


# --- Order 1: how often each judge gave each answer.


def add_judges(builder: Builder, judges: Sequence[int]) -> dict[tuple[int, int], int]:
    """Add what some judges answered; return the place of each answer's total."""
    exam, single = builder.exam, {}
    for i in judges:
        indices = []
        for a, count in enumerate(exam.counts[i]):
            single[i, a] = builder.part(("observed", i, a), ("answer", i, a), count)
            indices.append(single[i, a])
        if exam.missing[i]:
            name = ("unanswered", i)
            single[i, UNANSWERED] = builder.part(name, ("answer", i, UNANSWERED), exam.missing[i])
            indices.append(single[i, UNANSWERED])
        for t in builder.labels:
            builder.adds_up(("key", i, t), indices, 0, t)
    return single


def finished(builder: Builder, single: dict[tuple[int, int], int]) -> Layout:
    """Layout in which single answers say who is right, and who is held to an item."""
    exam, answers = builder.exam, range(len(builder.exam.answers))

    def correct(i: int, t: int) -> list[int]:
        return [single[i, t]] if (i, t) in single else []

    def held(i: int, t: int) -> list[int]:
        if not exam.excused[i]:
            return [0]
        return [single[i, a] for a in answers if (i, a) in single]

    return builder.layout(correct, held, 1 + len(single))


def answers_layout(exam: Exam, judges: Sequence[int] | None = None) -> Layout:
    """Layout of order 1, of some of the judges (default: of all)."""
    chosen = range(exam.n_judges) if judges is None else judges
    check_size((1 + len(chosen) * len(exam.answers)) * exam.n_labels, lowest=True)
    builder = Builder(exam)
    return finished(builder, add_judges(builder, chosen))


@dataclass(frozen=True, eq=False)
class Order1(Order):
    """Order 1 on one exam: the shares are the key, then each judge's answers by true label."""

    name: ClassVar[int | str] = 1

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        return 3 * self.exam.n_judges * len(self.exam.answers) * self.exam.n_labels

    @property
    def n_unknowns(self) -> int:
        """How many unknowns its programs have, but for votes not given."""
        return (1 + self.exam.n_judges * len(self.exam.answers)) * self.exam.n_labels

    @cached_property
    def layout(self) -> Layout:
        """Totals are Q and how often each judge gave each answer."""
        return answers_layout(self.exam)

    def select(self, judges: Sequence[int]) -> Order1:
        """Order 1 for some of the judges."""
        return Order1(select_exam(self.exam, judges))

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Settle accuracies from below by the answer-key counts alone."""
        demands = read_specification(self.exam, spec)
        if not demands.simple:
            return Outcome()
        system = system_of(self.exam, demands)
        key, ended = find_key(system, clock)
        if key is not None:
            tables = tables_in_time(self.exam, system, key, clock)
            return Outcome(witness=None if tables is None else self.at_key(key, tables))
        outcome = refute_keys(self.exam, spec, system, clock, self.part) if ended else None
        return Outcome() if outcome is None else Outcome(refutation=outcome[0], judges=outcome[1])

    def part(self, spec: Specification, judges: Sequence[int]) -> Shares:
        """Program that knows some of the judges only."""
        return answers_layout(self.exam, judges).program(spec, judges=judges)

    def around(
        self, spec: Specification, judge: int | None, label: int | None, clock: Clock
    ) -> tuple[Layout, Shares, Leaf]:
        """Program that knows one judge in full, and the others by what they ask of the key."""
        demands = read_specification(self.exam, spec)
        if not self._by_key(spec, judge):
            return super().around(spec, judge, label, clock)
        own = [] if judge is None else [judge]

        def part(judges: Sequence[int]) -> Shares:
            layout = answers_layout(self.exam, judges)
            program = layout.program(spec, judges=judges)
            if judge is None or label is None:
                return program
            return layout.occurs(program, judge, label)

        program, others = part(own), [i for i in range(self.exam.n_judges) if i != judge]
        system = system_of(self.exam, demands).select(others)
        rows = key_rows(system, first_cuts(system), program.n_columns) if others else None
        if rows is not None:
            names = tuple((kind, others[index]) for kind, index in rows.ids)
            program = replace(program, rows=program.rows + replace(rows, ids=names))
        layout = answers_layout(self.exam, own)
        return layout, program, restated(part, own, set(), clock)

    def around_in_time(self, spec: Specification, judge: int | None, clock: Clock) -> bool:
        """Whether the program of `around` can be built and solved before time runs out."""
        return not clock.over and (self._by_key(spec, judge) or self.in_time(clock))

    def _by_key(self, spec: Specification, judge: int | None) -> bool:
        """Whether all judges but one ask something of the key alone."""
        name = None if judge is None else self.exam.judges[judge]
        simple = all(
            c.quantity == "prevalence"
            or (c.judge is not None and c.judge == name)
            or (c.quantity == "accuracy" and c.sense != "<=")
            for c in spec.conditions
        )
        return simple and self.exam.n_labels <= ALL_SETS

    def completed(self, spec: Specification, judge: int | None, shares: Ints) -> Evidence | None:
        """Tables of all judges at the key of these shares."""
        if not self._by_key(spec, judge):
            return self.witness(shares)
        key = shares[0].tolist()
        system = system_of(self.exam, read_specification(self.exam, spec))
        tables = best_tables(self.exam, system, key)
        if judge is not None:
            tables[judge] = shares[1 : 1 + len(self.exam.answers)].tolist()
        return self.at_key(key, tables)

    def witness(self, shares: Ints) -> Evidence:
        """Whole-number shares as the evidence of a witness."""
        table, tables, index = shares.tolist(), [], 1
        answers = len(self.exam.answers)
        for missing in self.exam.missing:
            tables.append(table[index : index + answers])
            index += answers + bool(missing)
        return self.at_key(table[0], tables)

    def read(self, witness: Evidence) -> Ints:
        """Shares behind the evidence of a witness."""
        rows, key = [witness["key_counts"]], np.array(witness["key_counts"])
        for table, missing in zip(witness["tables"], self.exam.missing, strict=True):
            rows += table
            if missing:
                rows.append((key - np.sum(table, axis=0)).tolist())
        return np.array(rows, np.int64)

    def at_key(self, key: Sequence[int], tables: list[list[list[int]]]) -> Evidence:
        """Witness of answer-key counts and tables m[i][a][t]."""
        return {"kind": "witness", "key_counts": list(key), "tables": tables}

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Tables of all judges at the group's key: the others' answers fit any key."""
        key = part["key_counts"]
        free = Specification.prevalence(None, ">=", 0)
        system = system_of(self.exam, read_specification(self.exam, free))
        tables = best_tables(self.exam, system, key)
        for index, i in enumerate(group):
            tables[i] = part["tables"][index]
        return self.at_key(key, tables)
