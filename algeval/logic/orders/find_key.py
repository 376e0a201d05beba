"""Order 1: find an answer key that lets every judge meet its levels, or prove that none does.

Judge i can meet its levels at q exactly when, for every set T of labels, the items of these labels
beyond its caps fit among those it is not held to: q(T) <= excused[i] + caps[i](T). So all judges
together ask q(T) <= min over i of that: at most 2^R - 1 rows on R whole numbers, however many judges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from algeval.data import Specification
from algeval.logic.demand import System
from algeval.logic.exam import Exam
from algeval.logic.orders.closed_form import fill, has_box, key_box
from algeval.logic.orders.layout import sparse_ints
from algeval.logic.policy import ALL_SETS, NODES
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence
from algeval.logic.proof.shares import Node, RowId, Rows, Shares
from algeval.logic.proof.tree import (
    Leaf,
    Relaxation,
    branch,
    find_shares,
    refutation_at,
    relax,
)

__all__ = [
    "ALL_SETS",
    "cap_evidence",
    "find_key",
    "first_cuts",
    "key_rows",
    "refute_keys",
    "restated",
]

Key = tuple[int, ...]
Part = Callable[[Specification, Sequence[int]], Shares]


def find_key(system: System, clock: Clock) -> tuple[Key | None, bool]:
    """Return answer-key counts that every judge admits, or None; and whether that is for certain.

    Where no closed form knows it, that there is none is the word of a solver (`refute_keys`
    proves it).
    """
    if has_box(system):
        box = key_box(system)
        return (None if box is None else fill(*box, system.n_items)), True
    if len(system.caps) == 1:
        return _one_judge(system), True
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


def _by_rows(system: System, clock: Clock) -> tuple[Key | None, bool]:
    cuts = first_cuts(system)
    while not clock.over:
        found, ended = find_shares(_reduced(system, cuts), clock)
        if found is None:
            return None, ended
        key = tuple(found[0].tolist())
        if system.admits(key):
            return key, True
        more = _violated(system, key)
        if more is None or more in cuts:  # the proposal breaks the rows it was given
            return None, False
        cuts.append(more)
    return None, False


Cut = tuple[int, ...]


def first_cuts(system: System) -> list[Cut]:
    """Return the sets of labels that get a row at once: all of them where they are few."""
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
    """Return the program on q alone."""
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

    part : returns the program of order 1 that knows some of the judges in full.
    own : judges it is to know in any case.
    used : the judges named are added here.

    Below a split on anything but the answer key it writes nothing.
    """

    def leaf(shares: Shares, node: Node, relaxed: Relaxation) -> Evidence | None:
        beside = node.cited or any(row.name[0] == "split" for row in node.extra)
        found = None if beside else refutation_at(shares, node, relaxed)
        if found is None:
            return None
        judges = sorted({name[1] for name, _ in found["rows"] if name[0] == "judge"} | {*own})
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
    """Return evidence that no answer key will do, and the judges it speaks of; or None.

    part : returns the program of order 1 that knows some of the judges only.
    """
    cap = cap_evidence(exam, system)
    if cap is not None:
        return cap
    used: set[int] = set()
    leaf = restated(lambda judges: part(spec, judges), (), used, clock)
    cuts = first_cuts(system)
    while not clock.over:
        found, evidence = branch(_reduced(system, cuts), clock, most=NODES, leaf=leaf)
        if evidence is not None:
            return evidence, tuple(sorted(used))
        more = None if found is None else _violated(system, found[0].tolist())
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
