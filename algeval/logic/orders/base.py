"""What every order of logic offers, and how a specification is settled at any of them.

An order reads an exam, answers at once what has a closed form, writes everything else as a program of
shares, finds whole numbers near a real solution, and shows them as a witness. Settling is the same for
all: closed forms, one relaxation, whole numbers near it, a small tree, the integer program, a tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from algeval.data import Evaluation, Specification
from algeval.logic.demand import Frame
from algeval.logic.exam import Exam
from algeval.logic.orders.layout import Layout
from algeval.logic.policy import ENTRIES_A_SECOND, MET, NODES, SOLVER_SHARE
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import (
    Leaf,
    branch,
    find_shares,
    refutation_at,
    relax,
    root_refutation,
)

__all__ = ["Order", "certified", "decide", "decide_program", "refuted", "shown"]


@dataclass(frozen=True, eq=False)
class Order(ABC):
    """One order of logic on one exam; shares (P, R) are whole numbers laid out as `layout` says."""

    exam: Exam
    name: ClassVar[int | str]
    """1, 2 or "full"."""

    # what every order says for itself

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """What is laid out on the labels, whatever is asked."""

    @abstractmethod
    def select(self, judges: Sequence[int]) -> Order:
        """Return the same order for some of the judges."""

    @abstractmethod
    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Settle what needs no program; neither way elsewhere."""

    @abstractmethod
    def witness(self, shares: Ints) -> Evidence:
        """Return whole-number shares as the evidence of a witness."""

    @abstractmethod
    def read(self, witness: Evidence) -> Ints:
        """Return the shares behind the evidence of a witness."""

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
        """Return the program of a specification, asked of some judges (default: of all)."""
        return self.layout.program(spec, judges=judges)

    def around(
        self, spec: Specification, judge: int | None, label: int | None, clock: Clock
    ) -> tuple[Layout, Shares, Leaf]:
        """Return a program that says as much about one judge, and the key, as that of all.

        With a label, the judge is held to at least one item of it. The third part turns what
        refutes a node of this program into evidence about the whole one.
        """
        program = self.program(spec)
        if judge is not None and label is not None:
            program = self.layout.occurs(program, judge, label)
        return self.layout, program, refutation_at

    def completed(self, spec: Specification, judge: int | None, shares: Ints) -> Evidence | None:
        """Return the witness of all judges behind shares of `around`; None where it fails."""
        return self.witness(shares)

    def counted_in_time(self, clock: Clock) -> bool:
        """Whether what its programs are built from can be counted before time runs out."""
        return not clock.over

    def in_time(self, clock: Clock) -> bool:
        """Whether a program of all judges can be built and solved before time runs out."""
        return self.counted_in_time(clock) and clock.allows(self.n_entries / ENTRIES_A_SECOND)

    def around_in_time(self, spec: Specification, judge: int | None, clock: Clock) -> bool:
        """Whether the program of `around` can be built and solved before time runs out."""
        return self.in_time(clock)

    def near(self, relaxed: Ints) -> Ints:
        """Return whole-number shares near real ones, to be checked."""
        return np.rint(relaxed).astype(np.int64)

    def repaired(self, program: Shares, shares: Ints, clock: Clock) -> Ints:
        """Return whole-number shares nearer to what a program asks."""
        return shares

    def whole(self, program: Shares, relaxed: Ints, clock: Clock) -> Ints | None:
        """Return whole-number shares, checked, from real ones; None where that takes a search."""
        found = self.near(relaxed)
        if not program.satisfied(found):
            found = self.repaired(program, found, clock)
        return found if program.satisfied(found) else None

    def solve(self, program: Shares, clock: Clock) -> tuple[Ints | None, bool]:
        """Ask the solver for whole-number shares, checked; and whether it came to an end."""
        found, ended = find_shares(program, clock)
        if found is not None and program.satisfied(found):
            return found, True
        return None, ended and found is None

    def start(self, frame: Frame) -> Ints | None:
        """Return some whole-number shares whose key is of a kind; None where that takes a search."""
        return None

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints | None] | None:
        """Return a level that no key exceeds, the proof, and shares near it or None; None without one."""
        return None

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Return a witness of all judges from one of a group alone; None where it takes a search."""
        return None

    def met_by(self, group: Sequence[int], spec: Specification, clock: Clock) -> Evidence | None:
        """Return a witness of all judges in which a group meets conditions; None without a quick one."""
        return None

    def evaluation(self, evidence: Evidence) -> Evaluation | None:
        """Return the evaluation that a witness shows, where the certificate cannot tell it."""
        return None


def decide(order: Order, spec: Specification, clock: Clock, *, most: int | None = None) -> Outcome:
    """Settle whether all judges can meet a specification together.

    Parameters
    ----------
    order : Order
    spec : Specification
        Without `min_judges`.
    most : int, optional
        How many relaxations the last tree may solve; default the order's own number.

    Raises
    ------
    TooLargeError
        If the program would have too many unknowns.
    """
    found = order.quick(spec, clock)
    if found.possible is not None or not order.in_time(clock):
        return found
    return decide_program(order, order.program(spec), clock, most=most)


def decide_program(
    order: Order, program: Shares, clock: Clock, *, most: int | None = None
) -> Outcome:
    """Settle a program of an order."""
    evidence, relaxed = root_refutation(program, clock)
    if evidence is None and relaxed is not None:
        found = order.whole(program, relaxed.shares, clock)
        if found is None:
            found, evidence = _searched(order, program, clock, most)
        if found is not None:
            return Outcome(witness=order.witness(found))
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
        found, evidence = branch(program, clock, most=min(small, limit), near=order.near)
        if found is not None or evidence is not None:
            return found, evidence
    if clock.over:
        return None, None
    found, ended = order.solve(program, clock.part(share=SOLVER_SHARE) if small else clock)
    if found is not None or clock.over or (small and not ended):
        return found, None
    return branch(program, clock, most=limit, near=order.near)


def shown(
    order: Order, group: Sequence[int], spec: Specification, part: Evidence, clock: Clock
) -> Evidence | None:
    """Return a witness of all judges in which those of a group meet the conditions; or None.

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
        found = order.whole(program, relaxed.shares, clock)
        if found is None:
            found, _ = order.solve(program, clock)
        whole = None if found is None else order.witness(found)
    names = [order.exam.judges[i] for i in group]
    return None if whole is None else whole | {"judges": names}


def certified(
    order: Order, spec: Specification, outcome: Outcome, held: Sequence[tuple[int, int]] = ()
) -> Certificate | None:
    """Return the certificate of an outcome; None where it is open.

    held : judges and labels: the claim is about keys that hold the judge to an item of the label.
    """
    if outcome.witness is not None:
        return _certificate(order, spec, outcome.witness, held, possible=True)
    if outcome.refutation is not None:
        return _certificate(order, spec, outcome.refutation, held, possible=False)
    return None


def refuted(order: Order, spec: Specification, evidence: Evidence) -> Certificate:
    """Return the certificate of a refutation."""
    return _certificate(order, spec, evidence, (), possible=False)


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
    return Certificate(stated, evidence, order.evaluation(evidence) if possible else None)
