"""Order 1: find an answer key that lets every judge meet its levels, or prove that none does.

Judge i can meet its levels at q exactly when, for every set T of labels, the items of these labels
beyond its caps fit among those it is not held to: q(T) <= excused[i] + caps[i](T). So all judges
together ask q(T) <= min over i of that: at most 2^R - 1 rows on R whole numbers, however many judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval.data import Specification
from algeval.logic.demand import System
from algeval.logic.exam import Exam
from algeval.logic.orders.closed_form import fill, has_box, key_box
from algeval.logic.orders.order1_rows import build_rows
from algeval.logic.proof.branching import Clock, evidence_of, multipliers_leaf, settle
from algeval.logic.proof.program import Program, Row
from algeval.logic.proof.refute import refute
from algeval.logic.proof.solver import propose_integers

__all__ = ["Search", "find_key", "refute_keys"]

ALL_SETS = 8
"""Up to this many labels every set of labels gets its row at once."""


@dataclass(frozen=True, slots=True)
class Search:
    """An answer key, or the word of the search that there is none (`finished`)."""

    key: tuple[int, ...] | None
    finished: bool = True


def find_key(system: System, clock: Clock) -> Search:
    """Look for answer-key counts that every judge admits."""
    if has_box(system):
        box = key_box(system)
        return Search(None if box is None else fill(*box, system.n_items))
    if len(system.caps) == 1:
        return Search(_one_judge(system))
    return _by_rows(system, clock)


def _one_judge(system: System) -> tuple[int, ...] | None:
    """Return a key with the fewest items above the one judge's caps, if these are excused."""
    caps = system.caps[0]
    within = [
        max(low, min(high, cap))
        for low, high, cap in zip(system.low, system.high, caps, strict=True)
    ]
    if sum(within) >= system.n_items:
        key = fill(system.low, within, system.n_items)
    else:
        key = fill(within, system.high, system.n_items)
    return key if system.admits(key) else None


def _by_rows(system: System, clock: Clock) -> Search:
    cuts = _first_cuts(system)
    while not clock.over:
        proposal = propose_integers(_reduced(system, cuts), time_limit=clock.left)
        if proposal.values is None:
            return Search(None, proposal.finished)
        key = tuple(proposal.values)
        if system.admits(key):
            return Search(key)
        more = _violated(system, key)
        if more is None or more in cuts:  # the proposal breaks the rows it was given
            return Search(None, False)
        cuts.append(more)
    return Search(None, False)


Cut = tuple[int, ...]


def _first_cuts(system: System) -> list[Cut]:
    labels = range(system.n_labels)
    if system.n_labels <= ALL_SETS:
        return [
            tuple(t for t in labels if mask >> t & 1) for mask in range(1, 1 << system.n_labels)
        ]
    return [*((t,) for t in labels), tuple(labels)]


def _violated(system: System, key: Sequence[int]) -> Cut | None:
    """Return the set of labels on which some judge has the most items too many."""
    over = [(system.excess(i, key) - e, i) for i, e in enumerate(system.excused)]
    most, judge = max(over)
    if most <= 0:
        return None
    return tuple(t for t, q in enumerate(key) if q > system.caps[judge][t])


def _reduced(system: System, cuts: Sequence[Cut]) -> Program:
    """Return the rows on q alone; each is named by the judge it comes from."""
    rows = [Row(("size",), dict.fromkeys(range(system.n_labels), 1), True, system.n_items)]
    for cut in cuts:
        bound, judge = min(
            (e + sum(caps[t] for t in cut), i)
            for i, (e, caps) in enumerate(zip(system.excused, system.caps, strict=True))
        )
        if bound < system.n_items:
            rows.append(Row(("judge", judge), dict.fromkeys(cut, -1), False, -bound))
    return Program(rows, system.low, system.high)


def refute_keys(
    exam: Exam, spec: Specification, system: System, clock: Clock
) -> tuple[dict[str, Any], tuple[int, ...]] | None:
    """Return evidence that no answer key will do, and the judges it speaks of; or None."""
    cap = _cap(exam, system)
    if cap is not None:
        return cap
    used: set[int] = set()

    def leaf(node: Program, multipliers: dict[int, Fraction]) -> dict[str, Any] | None:
        names = [node.rows[place].name for place in multipliers]
        judges = sorted({name[1] for name in names if name[0] == "judge"})
        full = build_rows(exam, spec, node.lower, node.upper, judges=judges).program
        exact = refute(full)
        used.update(judges)
        return None if exact is None else multipliers_leaf(full, exact)

    forms = [("key", t) for t in range(system.n_labels)]
    cuts = _first_cuts(system)
    while not clock.over:
        result = settle(_reduced(system, cuts), forms, clock, leaf=leaf)
        if result.tree is not None:
            return evidence_of(result.tree), tuple(sorted(used))
        more = None if result.values is None else _violated(system, result.values)
        if more is None or more in cuts:
            return None
        cuts.append(more)
    return None


def _cap(exam: Exam, system: System) -> tuple[dict[str, Any], tuple[int, ...]] | None:
    """Return one judge per label (or none) whose caps, with the items left out, stay below Q."""
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
