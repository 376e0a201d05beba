"""Order 1: settle whether all judges can meet a specification together, with a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algeval.data import Specification
from algeval.logic.demand import Asked, floor_condition, read_specification, system_of
from algeval.logic.exam import Exam
from algeval.logic.orders.find_key import find_key, refute_keys
from algeval.logic.orders.order1_rows import build_rows
from algeval.logic.orders.order1_tables import best_tables
from algeval.logic.proof.branching import Clock, evidence_of, settle
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.proof.program import satisfied
from algeval.logic.proof.solver import propose_integers

__all__ = ["Decision", "decide", "refutation_of", "witness_of"]


@dataclass(frozen=True, slots=True)
class Decision:
    """A certificate, if one was found; `possible` says which way it goes."""

    possible: bool = False
    certificate: Certificate | None = None
    judges: tuple[int, ...] = ()
    """The judges a refutation speaks of."""


def decide(exam: Exam, spec: Specification, clock: Clock) -> Decision:
    """Settle at order 1 whether all judges can meet the conditions together."""
    asked = read_specification(exam, spec)
    return _simple(exam, spec, asked, clock) if asked.simple else _general(exam, spec, asked, clock)


def _simple(exam: Exam, spec: Specification, asked: Asked, clock: Clock) -> Decision:
    system = system_of(exam, asked)
    search = find_key(system, clock)
    if search.key is not None:
        tables = best_tables(exam, system, search.key)
        return Decision(True, witness_of(exam, spec, search.key, tables))
    refuted = refute_keys(exam, spec, system, clock) if search.finished else None
    if refuted is None:
        return _general(exam, spec, asked, clock)
    return Decision(False, refutation_of(exam, spec, refuted[0]), refuted[1])


def _general(exam: Exam, spec: Specification, asked: Asked, clock: Clock) -> Decision:
    for t, (low, high) in enumerate(zip(asked.low, asked.high, strict=True)):
        row = floor_condition(exam, spec, t, low)
        if low > high and row is not None:  # this one row already asks for more than q[t] may be
            evidence = {"kind": "multipliers", "rows": [[list(row), "1"]]}
            return Decision(False, refutation_of(exam, spec, evidence), tuple(range(exam.n_judges)))
    built = build_rows(exam, spec, asked.low, asked.high)
    values = None
    if all(a <= b for a, b in zip(asked.low, asked.high, strict=True)):
        values = propose_integers(built.program, time_limit=clock.left).values
    if values is None or not satisfied(built.program, values):
        settled = settle(built.program, built.forms, clock)
        if settled.tree is not None:
            everyone = tuple(range(exam.n_judges))
            return Decision(False, refutation_of(exam, spec, evidence_of(settled.tree)), everyone)
        values = settled.values
    if values is None:
        return Decision()
    tables = built.tables(exam, values)
    return Decision(True, witness_of(exam, spec, values[: exam.n_labels], tables))


def witness_of(
    exam: Exam,
    spec: Specification,
    key: list[int] | tuple[int, ...],
    tables: list[list[list[int]]],
    *,
    judges: tuple[str, ...] | None = None,
) -> Certificate:
    """Return the certificate of a solution."""
    evidence: dict[str, Any] = {"kind": "witness", "key_counts": list(key), "tables": tables}
    if judges is not None:
        evidence["judges"] = list(judges)
    return Certificate(claim(exam.digest, 1, exam.rule, spec, possible=True), evidence)


def refutation_of(exam: Exam, spec: Specification, evidence: dict[str, Any]) -> Certificate:
    """Return the certificate of a refutation."""
    return Certificate(claim(exam.digest, 1, exam.rule, spec, possible=False), evidence)
