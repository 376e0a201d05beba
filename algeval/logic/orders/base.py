"""What the orders share: layouts, answer keys, names of rows, rounding."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from algeval.data import Condition, Evaluation, Specification
from algeval.data.names import read_as
from algeval.data.sketch import WHOLE_FLOATS
from algeval.errors import TooLargeError
from algeval.logic.exam import Asked, Exam, Frame, floor_condition, level_of, read_specification
from algeval.logic.policy import (
    CELLS_A_SECOND,
    ENTRIES_A_SECOND,
    INTERIOR_DECIDED,
    INTERIOR_GAP,
    INTERIOR_STEPS,
    LEVEL_SHARE,
    MET,
    MOST_UNKNOWNS,
    NEARLY_WHOLE,
    NODES,
    REPAIR_CLOSED,
    REPAIR_STEPS,
    REPAIR_STUCK,
    ROUNDED_AT_ONCE,
    ROUNDED_SINGLY,
    SOLVER_SHARE,
    SPARSE_BELOW,
    STEP_SHARE,
    TUPLE_BLOCK,
)
from algeval.logic.proof import (
    Bools,
    Certificate,
    Clock,
    Evidence,
    Ints,
    Leaf,
    Outcome,
    Rows,
    Shares,
    Writer,
    branch,
    claim,
    find_shares,
    refutation_at,
    relax,
    root_refutation,
)

# --- How an order lays its observed counts on the labels, and the conditions of any specification.
#
# A layout knows the totals of an order (decision tuples, pairs of answers, answers of one judge), how
# they hang together, and which shares add up to the correct answers C[i,t] and to the items D[i,t] that
# a judge is held to. It is built once for an exam; `program` adds the rows of one specification, named
# as the certificate format names them.


UNANSWERED = -1
Columns = tuple[int, ...]
RowId = tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The unknowns of one order and what couples them."""

    exam: Exam
    totals: Ints  # (P,) ints, part 0 is Q, whose shares are the answer key
    # the row of a total, and the form to split its shares on
    parts: Sequence[RowId]
    forms: Sequence[RowId]
    coupling: Rows  # the rows that hold whatever is asked
    # (N * R, P * R) sparse 0/1, row i * R + t adds up C[i,t], D[i,t]
    correct: Any
    held: Any
    n_first: int = 1  # how many of the first totals to split before the rest
    links: tuple[int, ...] = ()  # see `Shares`

    def occurs(self, program: Shares, i: int, t: int) -> Shares:
        """Program in which judge i is held to at least one item of label t."""
        row = Rows.of([("held", 0)], self.held[[i * self.exam.n_labels + t]], [1])
        return replace(program, rows=program.rows + row)

    def columns(self, matrix: Any, i: int, t: int) -> Columns:
        """Unknowns that add up to C[i,t] or D[i,t]."""
        row = i * self.exam.n_labels + t
        return tuple(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]].tolist())

    def program(
        self,
        spec: Specification,
        *,
        judges: Sequence[int] | None = None,
        write: Writer | None = None,
    ) -> Shares:
        """Program of a specification, asked of some judges (default: of all)."""
        exam, labels = self.exam, self.exam.n_labels
        demands = read_specification(exam, spec)
        conditions = _Conditions(self, spec, demands, judges)
        high = np.repeat(self.totals[:, None], labels, 1)
        low = np.zeros_like(high)
        low[0], high[0] = (np.array(ends, high.dtype) for ends in (demands.low, demands.high))
        return Shares(
            totals=self.totals,
            parts=self.parts,
            forms=self.forms,
            rows=self.coupling + conditions.rows(),
            low=low,
            high=high,
            rounded=conditions.rounded,
            asked={pair: self.columns(self.correct, *pair) for pair in conditions.pairs},
            n_first=self.n_first,
            floors=[floor_condition(exam, spec, t, demands.low[t]) for t in range(labels)],
            links=self.links,
            write=write if demands.simple else None,
        )


class _Conditions:
    """The rows of accuracies and grades: each is a * C + b * D, or a sum of such."""

    def __init__(
        self, layout: Layout, spec: Specification, question: Asked, judges: Sequence[int] | None
    ) -> None:
        self.layout, self.exam, self.asked = layout, layout.exam, question
        self.ids: list[RowId] = []
        self.a: list[int] = []
        self.b: list[int] = []
        self.bound: list[int] = []
        self.scale: list[int] = []
        self.first: list[list[int]] = []
        self.second: list[list[int]] = []
        self.rounded: list[tuple[RowId, Columns, Fraction, int]] = []
        self.pairs: dict[tuple[int, int], None] = {}
        self.done: set[tuple[int, int]] = set()
        chosen = frozenset(range(self.exam.n_judges) if judges is None else judges)
        for c, condition in enumerate(spec.conditions):
            for i, judge in enumerate(self.exam.judges):
                if i in chosen and condition.judge in (None, judge):
                    self._condition(c, i, condition)

    def _condition(self, c: int, i: int, condition: Condition) -> None:
        if condition.quantity == "grade":
            self._grade(c, i, condition)
        if condition.quantity == "accuracy":
            for t, label in enumerate(self.exam.labels):
                if condition.label in (None, label):
                    self._accuracy(c, i, t, condition)

    def _add(
        self,
        name: RowId,
        first: list[int],
        second: list[int],
        numbers: tuple[int, int, int, int],
    ) -> None:
        """Add a * (rows `first` of C) + b * (rows `second` of D) >= bound, scaled."""
        self.ids.append(name)
        self.first.append(first)
        self.second.append(second)
        for part, number in zip((self.a, self.b, self.bound, self.scale), numbers, strict=True):
            part.append(number)

    def _accuracy(self, c: int, i: int, t: int, condition: Condition) -> None:
        x = level_of(condition, self.exam.n_items)
        p, q = x.numerator, x.denominator
        row = [i * self.exam.n_labels + t]
        name = ("condition", c, i, t)
        if condition.sense == "<=":
            self.pairs[i, t] = None
            self._add(name, row, row, (-q, p, 0, q))
            return
        if not p or x != self.asked.levels[i][t] or (i, t) in self.done:
            return  # a higher level is asked by another condition
        self.done.add((i, t))
        self.pairs[i, t] = None
        self._add(name, row, row, (q, -p, 0, q))
        most = 0 if x > 1 else self.exam.counts[i][t] * q // p
        self._add(("cap", c, i, t), [], row, (0, -1, -most, 1))
        if not self.exam.excused[i]:
            right = self.layout.columns(self.layout.correct, i, t)
            self.rounded.append((("rounded", c, i, t), right, x, t))

    def _grade(self, c: int, i: int, condition: Condition) -> None:
        bound = level_of(condition, self.exam.n_items) * self.exam.held(i)
        rows = [i * self.exam.n_labels + t for t in range(self.exam.n_labels)]
        sign = -1 if condition.sense == "<=" else 1
        least = -floor(bound) if sign < 0 else ceil(bound)
        self._add(("condition", c, i, None), rows, [], (sign, 0, least, 1))

    def rows(self) -> Rows:
        """Return what was added."""
        layout = self.layout
        return Rows(
            tuple(self.ids),
            _sums(self.first, layout.correct),
            _sums(self.second, layout.held),
            tuple(self.a),
            tuple(self.b),
            tuple(self.bound),
            tuple(self.scale),
            np.zeros(len(self.ids), bool),
        )


def _sums(chosen: Sequence[Sequence[int]], matrix: Any) -> Any:
    """Return one row per list: the sum of the chosen rows of a matrix."""
    from scipy import sparse

    sp: Any = sparse
    indices = np.repeat(np.arange(len(chosen)), [len(rows) for rows in chosen])
    columns = np.array([r for rows in chosen for r in rows], np.intp)
    entries = (np.ones(len(columns), np.int64), (indices, columns))
    picks = sp.csr_array(entries, shape=(len(chosen), matrix.shape[0]), dtype=np.int64)
    return (picks @ matrix).tocsr()


class Builder:
    """Totals first, one after another; then rows on their shares."""

    def __init__(self, exam: Exam) -> None:
        self.exam, self.labels = exam, range(exam.n_labels)
        self.totals = [exam.n_items]
        self.parts: list[RowId] = [("size",)]
        self.forms: list[RowId] = [("key",)]
        self.ids: list[RowId] = []
        self.entries: list[tuple[int, int, int]] = []

    def part(self, name: RowId, form: RowId, total: int) -> int:
        """Add a total; return its place."""
        self.totals.append(total)
        self.parts.append(name)
        self.forms.append(form)
        return len(self.totals) - 1

    def adds_up(self, name: RowId, indices: Sequence[int], whole: int, t: int) -> None:
        """Add the row that the shares of label t in some totals add up to that in another."""
        row, n = len(self.ids), len(self.labels)
        self.ids.append(name)
        self.entries += [(row, p * n + t, 1) for p in indices]
        self.entries.append((row, whole * n + t, -1))

    def layout(self, correct: Any, held: Any, n_first: int) -> Layout:
        """Layout; `correct` and `held` give the totals whose shares add up to C and D."""
        n = len(self.totals) * len(self.labels)
        matrix = sparse_ints(self.entries, (len(self.ids), n))
        coupling = Rows.of(self.ids, matrix, [0] * len(self.ids), equal=True)
        right, wanted = (
            sparse_ints(
                [
                    (i * len(self.labels) + t, p * len(self.labels) + t, 1)
                    for i in range(self.exam.n_judges)
                    for t in self.labels
                    for p in indices(i, t)
                ],
                (self.exam.n_judges * len(self.labels), n),
            )
            for indices in (correct, held)
        )
        totals = np.array(self.totals, np.int64)
        return Layout(self.exam, totals, self.parts, self.forms, coupling, right, wanted, n_first)


def sparse_ints(entries: Any, shape: tuple[int, int]) -> Any:
    """Sparse matrix of (row, column, value) triples."""
    from scipy import sparse

    sp: Any = sparse
    table = np.array(entries, np.int64).reshape(-1, 3)
    return sp.csr_array((table[:, 2], (table[:, 0], table[:, 1])), shape=shape, dtype=np.int64)


def check_size(n_unknowns: int, *, lowest: bool = False) -> None:
    """Refuse a program that is too large, with its size, and say what to do.

    lowest : whether it is the program of order 1, below which there is none.
    """
    if n_unknowns > MOST_UNKNOWNS:
        way_out = (
            "give counts of fewer judges, or merge labels"
            if lowest
            else "ask at order 1, or with fewer judges or decision tuples"
        )
        raise TooLargeError(
            f"the program would have {n_unknowns} unknowns, more than {MOST_UNKNOWNS}; {way_out}"
        )


# --- Names for a person: what the unknowns and rows of an order's program are called in a file.
#
# Files of linear programs allow few characters and 100 of them, so names of judges, labels and answers are
# simplified; where two would be called the same, the second gets a number.


_LONGEST_PART, _LONGEST = 24, 90
_UNFIT = re.compile(r"[^A-Za-z0-9]+")


def distinct(names: Sequence[str]) -> list[str]:
    """Names no two of which are the same, the first of each kept.

    Examples
    --------
    >>> distinct(["a", "b", "a", "a_2"])
    ['a', 'b', 'a_3', 'a_2']
    """
    taken, seen, pairs = set(names), set(), []
    for name in names:
        other, n = name, 1
        while other in seen or (n > 1 and other in taken):
            n += 1
            other = f"{name}_{n}"
        seen.add(other)
        pairs.append(other)
    return pairs


def _simple(kind: str, names: Sequence[str]) -> list[str]:
    """Names of letters, digits and underscores; those with nothing left are numbered."""
    parts = (_UNFIT.sub("_", name).strip("_")[:_LONGEST_PART] for name in names)
    return distinct([part or f"{kind}{n}" for n, part in enumerate(parts, start=1)])


class Naming:
    """Names of one exam.

    `tuples`: the decision tuples as places of answers; full order only.
    """

    def __init__(self, exam: Exam, tuples: Sequence[Sequence[int]] = ()) -> None:
        self._judges = _simple("judge", exam.judges)
        self._answers = _simple("answer", exam.answers)
        self._tuples = tuples

    def unknowns(self, forms: Sequence[tuple[Any, ...]], n_labels: int) -> list[str]:
        """Name of each share, label by label within each total."""
        stems = [self._total(*form) for form in forms]
        labels = self._answers[:n_labels]
        keys = [f"Q_{label}" for label in labels]
        shares = [f"R_{stem}_true_{label}" for stem in stems[1:] for label in labels]
        return distinct(keys + shares)

    def totals(self, forms: Sequence[tuple[Any, ...]]) -> list[str]:
        """Name of the row that each total's shares add up to it."""
        return ["items", *(f"observed_{self._total(*form)}" for form in forms[1:])]

    def row(self, name: tuple[Any, ...]) -> str:
        """Name of a row that couples shares, or of a condition."""
        kind, *indices = name
        if kind == "label":
            return f"simplex_true_{self._answers[indices[0]]}"
        if kind == "key":
            return f"simplex_{self._judges[indices[0]]}_true_{self._answers[indices[1]]}"
        if kind in ("left", "right"):
            i, j, a, t = indices
            own, other = (i, j) if kind == "left" else (j, i)
            whole = f"{self._answer(own, a)}_beside_{self._judges[other]}"
            return f"margin_{whole}_true_{self._answers[t]}"
        if kind == "margin":
            judges, j, said, t = indices
            whole = self._joint([i for i in judges if i != j], said)
            return f"margin_{whole}_beside_{self._judges[j]}_true_{self._answers[t]}"
        c, i, t = indices
        what = "grade" if t is None else self._answers[t]
        return f"asked_{c + 1}_{self._judges[i]}_{what}"

    def _total(self, kind: str, *indices: Any) -> str:
        if kind == "answer":
            return self._answer(*indices)
        if kind == "pair":
            i, j, a, b = indices
            return f"{self._answer(i, a)}_{self._answer(j, b)}"
        if kind == "table":
            return self._joint(*indices)
        if kind == "cell":
            return self._decision(indices[0])
        return kind

    def _joint(self, judges: Sequence[int], said: Sequence[int]) -> str:
        return "_".join(map(self._answer, judges, said))

    def _answer(self, i: int, a: int) -> str:
        return f"{self._judges[i]}_{self._said(a)}"

    def _said(self, a: int) -> str:
        return "unanswered" if a == UNANSWERED else self._answers[a]

    def _decision(self, u: int) -> str:
        said = "_".join(map(self._said, self._tuples[u]))
        return said if len(said) <= _LONGEST - 2 * _LONGEST_PART else f"tuple{u + 1}"


# --- What every order of logic offers, and how a specification is settled at any of them.
#
# An order reads an exam, answers at once what has a closed form, writes everything else as a program of
# shares, finds whole numbers near a real solution, and shows them as a witness. Settling is the same for
# all: closed forms, one relaxation, whole numbers near it, a small tree, the integer program, a tree.


Top = tuple[Fraction, Evidence | None, Ints]


@dataclass(frozen=True, eq=False)
class Order(ABC):
    """One order of logic on one exam; shares (P, R) are whole numbers laid out as `layout` says."""

    exam: Exam
    # what every order says for itself

    @property
    @abstractmethod
    def name(self) -> int | str:
        """1, 2, ... or "full"."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """What is laid out on the labels, whatever is asked."""

    @abstractmethod
    def select(self, judges: Sequence[int]) -> Order:
        """Same order for some of the judges."""

    @abstractmethod
    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Settle what needs no program; neither way elsewhere."""

    @abstractmethod
    def witness(self, shares: Ints) -> Evidence:
        """Whole-number shares as the evidence of a witness."""

    @abstractmethod
    def read(self, witness: Evidence) -> Ints:
        """Shares behind the evidence of a witness."""

    @property
    @abstractmethod
    def n_entries(self) -> int:
        """About how many entries a program of all judges has, known before it is built."""

    @property
    @abstractmethod
    def n_unknowns(self) -> int:
        """About how many unknowns its programs have, known before one is built."""

    # what an order may do better

    rounds: ClassVar[bool] = False
    """Whether rounded shares hang together, so that they attain some level."""

    @property
    def nodes(self) -> tuple[int, int]:
        """How many relaxations a tree may solve before the integer program, and after it."""
        return 0, NODES

    @property
    def many(self) -> bool:
        """Whether its own bound comes with shares as near as is cheap, and programs are large."""
        return False

    @property
    def closes_always(self) -> bool:
        """Whether a bracket is cheap enough to be closed unasked."""
        return False

    def program(self, spec: Specification, judges: Sequence[int] | None = None) -> Shares:
        """Program of a specification, asked of some judges (default: of all)."""
        return self.layout.program(spec, judges=judges)

    def counted(self, shares: Ints) -> tuple[Ints, Ints]:
        """Correct answers and items held, of each judge and label (N R,), at shares."""
        flat = shares.ravel()
        return self.layout.correct @ flat, self.layout.held @ flat

    def around(
        self, spec: Specification, judge: int | None, label: int | None, clock: Clock
    ) -> tuple[Layout, Shares, Leaf]:
        """Program that says as much about one judge, and the key, as that of all.

        With a label, the judge is held to at least one item of it. The third part turns what
        refutes a node of this program into evidence about the whole one.
        """
        program = self.program(spec)
        if judge is not None and label is not None:
            program = self.layout.occurs(program, judge, label)
        return self.layout, program, refutation_at

    def completed(self, spec: Specification, judge: int | None, shares: Ints) -> Evidence | None:
        """Witness of all judges behind shares of `around`; None where it fails."""
        return self.witness(shares)

    def counted_in_time(self, clock: Clock) -> bool:
        """Whether what its programs are built from can be counted before time runs out."""
        return not clock.over

    def pairs_met(self, spec: Specification, clock: Clock) -> Bools | None:
        """(N, N) which pairs of judges surely can meet conditions together; None without a quick answer."""
        return None

    def in_time(self, clock: Clock) -> bool:
        """Whether a program of all judges can be built and solved before time runs out."""
        return self.counted_in_time(clock) and clock.allows(self.n_entries / ENTRIES_A_SECOND)

    def around_in_time(self, spec: Specification, judge: int | None, clock: Clock) -> bool:
        """Whether the program of `around` can be built and solved before time runs out."""
        return self.in_time(clock)

    def near(self, relaxed: Ints) -> Ints:
        """Whole-number shares near real ones, to be checked."""
        return np.rint(relaxed).astype(np.int64)

    def repaired(self, program: Shares, shares: Ints, clock: Clock) -> Ints:
        """Whole-number shares nearer to what a program asks."""
        return shares

    def whole(self, program: Shares, relaxed: Ints, clock: Clock) -> Ints | None:
        """Whole-number shares, checked, from real ones; None where that takes a search."""
        near_point = self.near(relaxed)
        if not program.satisfied(near_point):
            near_point = self.repaired(program, near_point, clock)
        return near_point if program.satisfied(near_point) else None

    def solve(self, program: Shares, clock: Clock) -> tuple[Ints | None, bool]:
        """Ask the solver for whole-number shares, checked; and whether it came to an end."""
        whole, ended = find_shares(program, clock)
        if whole is not None and program.satisfied(whole):
            return whole, True
        return None, ended and whole is None

    def highest(self, frame: Frame, clock: Clock) -> Top | None:
        """Threshold, the proof that nothing is above (None at 1) and shares; None without a closed form."""
        return None

    def start(self, frame: Frame) -> Ints | None:
        """Some whole-number shares whose key is of a kind; None where that takes a search."""
        return None

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints | None] | None:
        """Level that no key exceeds, the proof, and shares near it or None; None without one."""
        return None

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Witness of all judges from one of a group alone; None where it takes a search."""
        return None

    def met_by(self, group: Sequence[int], spec: Specification, clock: Clock) -> Evidence | None:
        """Witness of all judges in which a group meets conditions; None without a quick one."""
        return None

    def evaluation(self, evidence: Evidence) -> Evaluation | None:
        """Evaluation that a witness shows, where the certificate cannot tell it."""
        return None

    def as_evidence(self, evidence: Evidence) -> Evidence:
        """Refutation as a claim of this order writes it."""
        return evidence

    def check_size(self) -> None:
        """Refuse programs that would be too large."""
        check_size(self.n_unknowns, lowest=self.name == 1)


Rounding = Callable[[Clock], Evidence | None]
"""Another search for a witness, without a tree."""


def decide(
    order: Order,
    spec: Specification,
    clock: Clock,
    *,
    most: int | None = None,
    rounding: Rounding | None = None,
) -> Outcome:
    """Settle whether all judges can meet a specification together.

    Parameters
    ----------
    order : Order
    spec : Specification
        Without `min_judges`.
    most : int, optional
        How many relaxations the last tree may solve; default the order's own number.
    rounding : callable, optional
        Asked for a witness before any tree, and where a program would be too large to be solved in time.

    Raises
    ------
    TooLargeError
        If the program would have too many unknowns.
    """
    outcome = _decided(order, spec, clock, most, rounding)
    if outcome.refutation is None:
        return outcome
    return replace(outcome, refutation=order.as_evidence(outcome.refutation))


def _decided(
    order: Order, spec: Specification, clock: Clock, most: int | None, rounding: Rounding | None
) -> Outcome:
    first = clock.part(share=LEVEL_SHARE) if rounding is not None and order.many else clock
    outcome = order.quick(spec, first)
    if outcome.possible is not None:
        return outcome
    if rounding is not None and (order.many or not order.in_time(clock)):
        outcome, rounding = Outcome(witness=rounding(clock.part(share=STEP_SHARE))), None
        if outcome.possible is None and first.over:
            outcome = order.quick(spec, clock)
    if outcome.possible is not None or not order.in_time(clock):
        return outcome
    return decide_program(order, order.program(spec), clock, most=most, rounding=rounding)


def decide_program(
    order: Order,
    program: Shares,
    clock: Clock,
    *,
    most: int | None = None,
    rounding: Rounding | None = None,
) -> Outcome:
    """Settle a program of an order."""
    evidence, relaxed = root_refutation(program, clock)
    if evidence is None and relaxed is not None:
        whole = order.whole(program, relaxed.shares, clock)
        if whole is None and rounding is not None:
            witness = rounding(clock.part(share=SOLVER_SHARE))
            if witness is not None:
                return Outcome(witness=witness)
        if whole is None:
            whole, evidence = _searched(order, program, clock, most)
        if whole is not None:
            return Outcome(witness=order.witness(whole))
    if evidence is None:
        return Outcome()
    return Outcome(refutation=evidence, judges=tuple(range(order.exam.n_judges)))


def _searched(
    order: Order, program: Shares, clock: Clock, most: int | None
) -> tuple[Ints | None, Evidence | None]:
    """Look for whole numbers by a small tree, then the solver, then a tree that proves."""
    small, large = order.nodes
    limit = large if most is None else most
    if small:
        outcome, evidence = branch(program, clock, most=min(small, limit), near=order.near)
        if outcome is not None or evidence is not None:
            return outcome, evidence
    if clock.over:
        return None, None
    outcome, ended = order.solve(program, clock.part(share=SOLVER_SHARE) if small else clock)
    if outcome is not None or clock.over or (small and not ended):
        return outcome, None
    return branch(program, clock, most=limit, near=order.near)


def restricted(spec: Specification, exam: Exam, group: Sequence[int]) -> Specification:
    """Conditions that speak of these judges, in their order."""
    names = {exam.judges[i] for i in group}
    kept = [c for c in spec.conditions if c.judge is None or c.judge in names]
    trivial = Specification.prevalence(None, ">=", 0)
    return Specification(tuple(kept)) if kept else trivial


def shown(
    order: Order, group: Sequence[int], spec: Specification, part: Evidence, clock: Clock
) -> Evidence | None:
    """Witness of all judges in which those of a group meet the conditions; or None.

    part : a witness of the group alone.
    """
    whole = order.among(group, part) or order.met_by(group, spec, clock)
    if whole is None:
        if not order.in_time(clock):
            return None
        program = order.program(spec, group)
        relaxed = relax(program, program.root(), clock)
        if relaxed is None or relaxed.amount > MET:
            return None
        point = order.whole(program, relaxed.shares, clock)
        if point is None:
            point, _ = order.solve(program, clock)
        whole = None if point is None else order.witness(point)
    names = [order.exam.judges[i] for i in group]
    return None if whole is None else whole | {"judges": names}


def certified(
    order: Order, spec: Specification, outcome: Outcome, held: Sequence[tuple[int, int]] = ()
) -> Certificate | None:
    """Certificate of an outcome; None where it is open.

    held : judges and labels: the claim is about keys that hold the judge to an item of the label.
    """
    if outcome.witness is not None:
        return _certificate(order, spec, outcome.witness, held, possible=True)
    if outcome.refutation is not None:
        return _certificate(order, spec, outcome.refutation, held, possible=False)
    return None


def refuted(order: Order, spec: Specification, evidence: Evidence) -> Certificate:
    """Certificate of a refutation."""
    return _certificate(order, spec, evidence, (), possible=False)


def certified_keys(
    order: Order,
    spec: Specification,
    keys: Mapping[tuple[int, ...], Ints],
    tree: Evidence | None,
) -> Certificate:
    """Certificate that answer keys meet a specification, and by the tree that no other does.

    keys : shares of just that key
    """
    exam = order.exam
    stated = claim(exam.digest, order.name, exam.rule, spec, possible=True)
    stated |= {"verdict": "keys", "keys": [list(key) for key in keys], "every": tree is not None}
    witnesses = [order.witness(shares) for shares in keys.values()]
    shown = {"kind": "keys", "witnesses": witnesses}
    return Certificate(stated, shown if tree is None else shown | {"tree": tree}, read_as(exam))


def _certificate(
    order: Order,
    spec: Specification,
    evidence: Evidence,
    held: Sequence[tuple[int, int]],
    *,
    possible: bool,
) -> Certificate:
    exam = order.exam
    stated = claim(exam.digest, order.name, exam.rule, spec, possible=possible)
    if held:
        stated["held"] = [{"judge": exam.judges[i], "label": exam.labels[t]} for i, t in held]
    shown = order.evaluation(evidence) if possible else None
    return Certificate(stated, evidence, read_as(exam), shown)


# --- Whole labellings of the decision tuples: n(u; t) as arrays, rounded, repaired, measured
# exactly.
#
# Written once for both rules of missing answers: `held` says on which tuples a judge is held to
# the item. C[i,t] sums n(u;t) over tuples where judge i answers t, D[i,t] over those i is held to.


Levels = Sequence[Sequence[Fraction | None]]


@dataclass(frozen=True, eq=False)
class Labelling:
    """Decision tuples (U, N), their counts (U,), and who is held to which of them."""

    codes: Ints
    counts: Ints
    n_labels: int
    held: Ints

    @classmethod
    def of(cls, codes: Ints, counts: Ints, n_labels: int, *, missing: str) -> Self:
        """Read arrays as a sketch holds them; `missing` is "excluded" or "wrong"."""
        codes = np.asarray(codes)
        held = np.ones(codes.shape, bool) if missing == "wrong" else codes >= 0
        return cls(codes, np.asarray(counts, np.int64), n_labels, held)

    @property
    def n_judges(self) -> int:
        """N."""
        return int(self.codes.shape[1])

    @property
    def n_items(self) -> int:
        """Q."""
        return int(self.counts.sum())

    @cached_property
    def given(self) -> tuple[list[Any], Any] | None:
        """Sparse (U, N) 0/1: who answers each label, and is held to it; None where most are held."""
        if self.held.size == 0 or self.held.mean() >= SPARSE_BELOW:
            return None
        from scipy import sparse

        sp: Any = sparse
        hits = [sp.csr_array(self.codes == t, dtype=np.int64) for t in range(self.n_labels)]
        return hits, sp.csr_array(self.held, dtype=np.int64)

    def correct(self, cells: Ints) -> Ints:
        """(N, R) correct answers C of labelled tuples, cells (U, R)."""
        if self.given is not None:
            return np.stack(
                [hits.T @ column for hits, column in zip(self.given[0], cells.T, strict=True)], 1
            )
        return np.stack([self._sums(c, self.codes == t) for t, c in enumerate(cells.T)], 1)

    def held_counts(self, cells: Ints) -> Ints:
        """(N, R) items D that each judge is held to, by label."""
        if self.given is not None:
            counts: Ints = self.given[1].T @ cells
            return counts
        return np.stack([self._sums(column, self.held) for column in cells.T], 1)

    def _sums(self, column: Ints, marks: Ints) -> Ints:
        """(N,) sums of a column of cells (U,) over the tuples that each judge has marked."""
        if column.dtype != float and np.abs(column).sum(dtype=float) >= WHOLE_FLOATS:
            sums: Ints = column @ marks
            return sums
        total, column_ = np.zeros(self.n_judges), column.astype(float)
        for start in range(0, len(column), TUPLE_BLOCK):
            block = slice(start, start + TUPLE_BLOCK)
            total += column_[block] @ marks[block].astype(float)
        return total.astype(column.dtype)


def round_cells(counts: Ints, cells: Ints) -> Ints:
    """Round cells (U, R) to whole numbers that keep each tuple's count (largest remainders)."""
    whole = np.floor(cells + 1e-9).astype(np.int64)
    short = counts - whole.sum(1)
    order = np.argsort(whole - cells, axis=1, kind="stable")
    for u in np.flatnonzero(short):
        if short[u] > 0:
            each, rest = divmod(int(short[u]), whole.shape[1])
            whole[u] += each
            whole[u, order[u, :rest]] += 1
        while (over := int(whole[u].sum() - counts[u])) > 0:
            most = int(whole[u].argmax())
            whole[u, most] -= min(over, int(whole[u, most]))
    return whole


def repair(
    labelling: Labelling,
    cells: Ints,
    levels: Levels,
    key: tuple[Any, Any],
    *,
    among: Ints | None = None,
    max_steps: int = REPAIR_STEPS,
    clock: Clock | None = None,
) -> Ints:
    """Move single items between labels until every level is met, or return the best seen.

    Each step takes the move that leaves the least sum of squared shortfalls; a pair (tuple, label)
    just left is closed for a few steps, so that the walk does not turn back.

    key : two (R,) arrays
        Bounds on the answer key.
    among : ints, optional
        Tuples whose items may be moved; default all.
    """
    among = np.arange(len(cells)) if among is None else among
    search = _Search(labelling, cells, levels, key, among)
    best, best_cost = search.cells.copy(), search.cost()
    last_gain = 0
    for step in range(max_steps):
        late = clock is not None and clock.over_before(search.work)
        if late or best_cost <= 0 or step - last_gain > REPAIR_STUCK or not search.step(step):
            break
        cost = search.cost()
        if cost < best_cost - 1e-12:
            best, best_cost, last_gain = search.cells.copy(), cost, step
    repaired = cells.copy()
    repaired[among] = best
    return repaired


class _Search:
    """Local search on whole labellings; shortfalls are floats, since they only rank moves."""

    def __init__(
        self, labelling: Labelling, cells: Ints, levels: Levels, key: tuple[Any, Any], among: Ints
    ) -> None:
        self.cells = cells[among]
        self.held = labelling.held[among].astype(float)
        codes = labelling.codes[among]
        self.hits = [(codes == t).astype(float) for t in range(labelling.n_labels)]
        mask = np.array([[np.nan if x is None else float(x) for x in row] for row in levels])
        self.asked = ~np.isnan(mask)
        self.x = np.where(self.asked, mask, 0.0)
        self.surplus = labelling.correct(cells) - self.x * labelling.held_counts(cells)
        self.low, self.high = key
        self.key = cells.sum(0)
        self.closed = np.full(self.cells.shape, -1)

    def _penalty(self, surplus: Ints) -> Ints:
        short = np.where(self.asked, np.maximum(-surplus - 1e-9, 0.0), 0.0)
        return short * short

    def _key_penalty(self, key: Ints) -> Ints:
        outside = np.maximum(self.low - key, 0) + np.maximum(key - self.high, 0)
        penalty: Ints = outside.astype(float) ** 2
        return penalty

    @property
    def work(self) -> float:
        """Counted work of a step."""
        return 2 * self.held.size * len(self.hits) / CELLS_A_SECOND

    def cost(self) -> float:
        """Sum of squared shortfalls, those of the key's bounds included."""
        return float(self._penalty(self.surplus).sum() + self._key_penalty(self.key).sum())

    def _change(self, sign: int) -> Ints:
        """(U, R) change of the cost when one item of tuple u enters or leaves label t."""
        now = self._penalty(self.surplus)
        hit = self._penalty(self.surplus + sign * (1 - self.x)) - now
        missed = self._penalty(self.surplus - sign * self.x) - now
        gain = hit - missed
        change: Ints = self.held @ missed
        change += self._key_penalty(self.key + sign) - self._key_penalty(self.key)
        for t, hits in enumerate(self.hits):
            change[:, t] += hits @ gain[:, t]
        return change

    def step(self, now: int) -> bool:
        """Take the best open move; False when there is none."""
        enter = np.where(self.closed < now, self._change(1), np.inf)
        leave = np.where(self.cells > 0, self._change(-1), np.inf)
        best, move = np.inf, None
        for start in range(leave.shape[1]):
            for end in range(leave.shape[1]):
                if start != end:
                    total = leave[:, start] + enter[:, end]
                    u = int(total.argmin())
                    if total[u] < best:
                        best, move = float(total[u]), (u, start, end)
        if move is None:
            return False
        self._apply(*move)
        self.closed[move[0], move[1]] = now + REPAIR_CLOSED
        return True

    def _apply(self, u: int, start: int, end: int) -> None:
        self.cells[u, start] -= 1
        self.cells[u, end] += 1
        for label, sign in ((start, -1), (end, 1)):
            self.key[label] += sign
            change = self.hits[label][u] - self.x[:, label] * self.held[u]
            self.surplus[:, label] += sign * change


# --- Whole cells near real ones that keep what judges gain: later tuples make up for earlier ones.
#
# Rounding each tuple by itself moves a surplus C[i,t] - x D[i,t] by about the root of the number of
# tuples rounded. Here the single items left over are laid down one after another, each where the
# shortfalls of all judges are then least.


def round_together(labelling: Labelling, cells: Any, levels: Any, wanted: Any) -> Ints:
    """Round cells (U, R) to whole numbers that keep each tuple's count, for levels (N, R) where asked.

    `cells` (U, R) floats >= 0; `levels` (N, R) floats; `wanted` (N, R) bool.
    """
    cells = cells * (labelling.counts / cells.sum(1))[:, None]
    whole: Ints = np.floor(cells + NEARLY_WHOLE).astype(np.int64)
    over = np.flatnonzero(whole.sum(1) > labelling.counts)
    whole[over] = np.floor(cells[over])
    left = labelling.counts - whole.sum(1)
    surplus = labelling.correct(cells) - levels * labelling.held_counts(cells)
    settled = np.flatnonzero((left == 0) & (whole != cells).any(1))
    surplus += _gains(labelling, settled, whole[settled] - cells[settled], levels)
    parts = cells - whole
    order = _decided_first(np.flatnonzero(left), parts)
    bulk = max(0, len(order) - ROUNDED_SINGLY)
    for start in range(0, bulk, ROUNDED_AT_ONCE):
        rows = order[start : min(start + ROUNDED_AT_ONCE, bulk)]
        gains = _gains_of_items(labelling, rows, levels)
        surplus -= np.einsum("unr,ur->nr", gains, parts[rows])
        for more in range(int(left[rows].max())):
            t = _least_short(surplus, gains, wanted)
            own = left[rows] > more
            np.add.at(whole, (np.array(rows)[own], t[own]), 1)
            np.add.at(surplus.T, t[own], gains[own, :, t[own]])
    order = order[bulk:]
    for block in range(0, len(order), TUPLE_BLOCK):
        rows = order[block : block + TUPLE_BLOCK]
        gains = _gains_of_items(labelling, rows, levels)
        moved = gains * parts[rows][:, None, :]
        for u, gain, gone in zip(rows, gains, moved, strict=True):
            surplus -= gone
            for _ in range(left[u]):
                t = int(_least_short(surplus, gain, wanted))
                whole[u, t] += 1
                surplus[:, t] += gain[:, t]
    return whole


def _gains_of_items(labelling: Labelling, rows: Sequence[int], levels: Any) -> Any:
    """(rows, N, R) what each surplus gains where an item of a tuple has a label."""
    labels = np.arange(labelling.n_labels)
    right = labelling.codes[rows][:, :, None] == labels
    return right - levels * labelling.held[rows][:, :, None]


def _least_short(surplus: Any, gain: Any, wanted: Any) -> Any:
    """Label of an item, or of each of several, after which the squared shortfalls of all judges are least."""
    now, then = np.minimum(surplus, 0.0), np.minimum(surplus + gain, 0.0)
    now *= now
    then *= then
    then -= now
    then *= wanted
    return np.add.reduce(then, -2).argmin(-1)


def _gains(labelling: Labelling, rows: Ints, change: Any, levels: Any) -> Ints:
    """(N, R) what surpluses gain when the cells of some tuples change."""
    part = Labelling(
        labelling.codes[rows], labelling.counts[rows], labelling.n_labels, labelling.held[rows]
    )
    gains: Ints = part.correct(change) - levels * part.held_counts(change)
    return gains


def _decided_first(rows: Ints, parts: Any) -> list[int]:
    """Rows in the order of how near the largest part of an item is to a whole one."""
    order: list[int] = rows[np.argsort(-parts[rows].max(1), kind="stable")].tolist()
    return order


# --- What both interior-point methods do alike: how far a step may go, and when a walk is over.


class _Path(Protocol):
    """The iterates of a pair of programs."""

    @property
    def gap(self) -> float:
        """How far the two programs are apart."""

    @property
    def most(self) -> float:
        """What the least surplus cannot exceed."""

    @property
    def least(self) -> float:
        """The least surplus there is."""

    @property
    def work(self) -> float:
        """Counted work of a step."""

    def advance(self) -> bool:
        """Take one step; False where floats carry no further."""


def until_settled(path: _Path, clock: Clock) -> None:
    """Walk on until the sign of the greatest least surplus is beyond doubt, or no step is left."""
    for _ in range(INTERIOR_STEPS):
        clock.spend(path.work)
        sure = max(-path.most, path.least) * INTERIOR_DECIDED
        if path.gap < max(INTERIOR_GAP, sure) or clock.over or not path.advance():
            break


def room(values: NDArray[Any], change: NDArray[Any]) -> float:
    """Longest step, at most 1, that keeps positive values from falling below 0; or nan.

    Examples
    --------
    >>> room(np.array([1.0, 2.0]), np.array([0.5, -4.0]))
    0.5
    """
    fastest = float((change / values).min())
    if np.isnan(fastest):
        return fastest
    return min(1.0, -1 / fastest) if fastest < 0 else 1.0
