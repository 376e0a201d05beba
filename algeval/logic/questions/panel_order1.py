"""Order 1: the largest panel of judges that can meet the conditions together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any

from algeval.data import Specification
from algeval.logic.demand import System, read_specification, select_exam, system_of
from algeval.logic.exam import Exam
from algeval.logic.orders.closed_form import interval
from algeval.logic.orders.find_key import find_key
from algeval.logic.orders.order1 import Decision, decide, refutation_of, witness_of
from algeval.logic.orders.order1_tables import best_tables
from algeval.logic.proof.blame import Blame, Conflict, grow_blame
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.program import Program, Row
from algeval.logic.proof.solver import propose_integers

__all__ = [
    "PanelFound",
    "decide_panel",
    "find_panel",
    "pairwise_conflicts",
    "restricted",
    "smallest_hitting",
]


@dataclass(frozen=True, slots=True)
class PanelFound:
    """The largest panel known, and how many judges are proved to fall short."""

    panel: tuple[int, ...]
    key: tuple[int, ...]
    tables: list[list[list[int]]] | None
    violators: int
    evidence: dict[str, Any] | None


def decide_panel(exam: Exam, spec: Specification, clock: Clock) -> Decision:
    """Settle whether at least `spec.min_judges` judges can meet the conditions together."""
    needed = spec.min_judges or exam.n_judges
    found = find_panel(exam, Specification(spec.conditions), clock)
    if len(found.panel) >= needed and found.tables is not None:
        names = tuple(exam.judges[i] for i in found.panel)
        return Decision(True, witness_of(exam, spec, found.key, found.tables, judges=names))
    if found.violators >= exam.n_judges - needed + 1 and found.evidence is not None:
        return Decision(False, refutation_of(exam, spec, found.evidence))
    return Decision()


def find_panel(exam: Exam, spec: Specification, clock: Clock) -> PanelFound:
    """Return the largest panel at order 1, with the evidence that no larger one will do."""
    asked = read_specification(exam, spec)
    if not asked.simple:
        return _any_specification(exam, spec, clock)
    system = system_of(exam, asked)
    if system.n_labels == 2:
        return _two_labels(exam, system)
    return _many_labels(exam, spec, system, clock)


def _shown_on(exam: Exam, system: System, panel: Sequence[int], key: tuple[int, ...]) -> PanelFound:
    """Return a panel with tables in which its judges, at least, meet their levels at this key."""
    free = tuple((exam.n_items,) * exam.n_labels for _ in exam.judges)
    caps = tuple(system.caps[i] if i in panel else free[i] for i in range(exam.n_judges))
    tables = best_tables(exam, replace(system, caps=caps), key)
    return PanelFound(tuple(panel), key, tables, 0, None)


# Two labels: judges are intervals of q[0]; the deepest point is the largest panel.


def _two_labels(exam: Exam, system: System) -> PanelFound:
    ends = {i: end for i in range(exam.n_judges) if (end := interval(system, i)) is not None}
    chains = _chains(ends)
    names = [[exam.judges[i] for i in chain] for chain in chains]
    evidence = {"kind": "conflicts", "chains": names}
    violators = exam.n_judges - len(chains)
    depth = {
        first: [i for i, (a, b) in ends.items() if a <= first <= b] for first, _ in ends.values()
    }
    if not depth:
        return PanelFound((), (), None, violators, evidence)
    first = max(depth, key=lambda q: len(depth[q]))
    found = _shown_on(exam, system, depth[first], (first, exam.n_items - first))
    return replace(found, violators=violators, evidence=evidence if violators else None)


def _chains(ends: dict[int, tuple[int, int]]) -> list[list[int]]:
    """Colour intervals into as few chains of disjoint ones as there is depth."""
    chains: list[list[int]] = []
    busy: list[tuple[int, int]] = []
    for i in sorted(ends, key=lambda i: ends[i]):
        low, high = ends[i]
        if busy and busy[0][0] < low:
            _, chain = heappop(busy)
            chains[chain].append(i)
        else:
            chain = len(chains)
            chains.append([i])
        heappush(busy, (high, chain))
    return chains


# More labels: an integer program proposes the panel, conflicts and a blame tree prove it.


def _many_labels(exam: Exam, spec: Specification, system: System, clock: Clock) -> PanelFound:
    able = [i for i in range(exam.n_judges) if find_key(system.select([i]), clock).key is not None]
    found = _largest(exam, system, able, clock)
    pairs = pairwise_conflicts(system, able)

    def conflict(among: frozenset[int]) -> Conflict | None:
        rest = sorted(among)
        group = next(
            ([i] for i in rest if i not in able),
            next(([i, j] for i, j in pairs if i in among and j in among), rest),
        )
        return _conflict(exam, spec, group, clock)

    return _blamed(exam, found, conflict, clock)


def _blamed(exam: Exam, found: PanelFound, conflict: Any, clock: Clock) -> PanelFound:
    blame = Blame(exam.n_judges, conflict, clock)
    violators, evidence = grow_blame(blame, exam.judges, exam.n_judges - len(found.panel))
    return replace(found, violators=violators, evidence=evidence)


def _conflict(
    exam: Exam, spec: Specification, group: Sequence[int], clock: Clock
) -> Conflict | None:
    """Return a certified set of judges within the group that cannot meet it together.

    It names one judge at least, also where no answer key is allowed at all.
    """
    decision = decide(select_exam(exam, group), restricted(spec, exam, group), clock)
    if decision.certificate is None or decision.possible:
        return None
    members = [group[place] for place in decision.judges] or list(group[:1])
    if len(members) < len(group):
        inner = decide(select_exam(exam, members), restricted(spec, exam, members), clock)
        if inner.certificate is None or inner.possible:
            return None
        return Conflict(frozenset(members), tuple(members), inner.certificate.evidence)
    return Conflict(frozenset(members), tuple(members), decision.certificate.evidence)


def restricted(spec: Specification, exam: Exam, group: Sequence[int]) -> Specification:
    """Return the conditions that speak of these judges, in their order."""
    names = {exam.judges[i] for i in group}
    kept = [c for c in spec.conditions if c.judge is None or c.judge in names]
    trivial = Specification.prevalence(None, ">=", 0)
    return Specification(tuple(kept)) if kept else trivial


def _largest(exam: Exam, system: System, able: list[int], clock: Clock) -> PanelFound:
    everyone = find_key(system.select(able), clock)
    if able and everyone.key is not None:
        return _shown_on(exam, system, able, everyone.key)
    program, objective = _panel_program(system, able)
    proposal = propose_integers(program, objective=objective, time_limit=clock.left)
    if able and proposal.values is not None:
        key = tuple(proposal.values[: system.n_labels])
        panel = [i for i in able if system.select([i]).admits(key)]
        if panel:
            return _shown_on(exam, system, panel, key)
    for i in able:
        key_alone = find_key(system.select([i]), clock).key
        if key_alone is not None:
            return _shown_on(exam, system, [i], key_alone)
    return PanelFound((), (), None, 0, None)


def _panel_program(system: System, able: list[int]) -> tuple[Program, dict[int, float]]:
    """Columns q[t]; then per judge z (it is on the panel) and its items above its caps per label."""
    R, Q = system.n_labels, system.n_items
    rows = [Row(("size",), dict.fromkeys(range(R), 1), True, Q)]
    lower, upper = list(system.low), list(system.high)
    objective: dict[int, float] = {}
    for i in able:
        z = len(lower)
        objective[z] = 1.0
        excused = system.excused[i]
        lower += [0] * (1 + (R if excused else 0))
        upper += [1] + ([excused] * R if excused else [])
        for t, cap in enumerate(system.caps[i]):
            terms = {t: -1, z: -(Q - cap)} | ({z + 1 + t: 1} if excused else {})
            rows.append(Row(("member", i, t), terms, False, -Q))
        if excused:
            above = {z + 1 + t: -1 for t in range(R)}
            rows.append(Row(("excused", i), above, False, -excused))
    return Program(rows, lower, upper), objective


def pairwise_conflicts(system: System, able: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of judges, each able alone, that cannot both meet their levels.

    Two judges share an answer key exactly when, for every way to split the labels between them,
    their caps and the items they are not held to suffice (intersection of two polymatroids).
    """
    if _bounded(system):
        return [
            (i, j) for i, j in _pairs(able) if find_key(system.select([i, j]), _FREE).key is None
        ]
    total = system.n_items
    return [
        (i, j)
        for i, j in _pairs(able)
        if sum(map(min, system.caps[i], system.caps[j])) + system.excused[i] + system.excused[j]
        < total
    ]


_FREE = Clock(None)


def _bounded(system: System) -> bool:
    return any(system.low) or any(high < system.n_items for high in system.high)


def _pairs(able: Sequence[int]) -> list[tuple[int, int]]:
    return [(i, j) for place, i in enumerate(able) for j in able[place + 1 :]]


# Any specification: conflicts are found one by one, and a smallest set that hits them all is left out.


def _any_specification(exam: Exam, spec: Specification, clock: Clock) -> PanelFound:
    everyone = frozenset(range(exam.n_judges))
    known: list[Conflict] = []
    found = PanelFound((), (), None, 0, None)
    while not clock.over:
        left_out = smallest_hitting(exam.n_judges, known)
        if left_out is None or len(left_out) == exam.n_judges:
            break
        group = sorted(everyone - left_out)
        decision = decide(select_exam(exam, group), restricted(spec, exam, group), clock)
        if decision.certificate is None:
            break
        if decision.possible:
            found = _with_others(exam, group, decision.certificate)
            break
        known.append(_shrink(exam, spec, group, clock))

    def conflict(among: frozenset[int]) -> Conflict | None:
        ready = next((c for c in known if c.members <= among), None)
        if ready is None and among:
            ready = _conflict(exam, spec, sorted(among), clock)
        return ready

    return _blamed(exam, found, conflict, clock)


def _shrink(exam: Exam, spec: Specification, group: list[int], clock: Clock) -> Conflict:
    """Leave judges out of a conflict while it stays one."""
    best = _conflict(exam, spec, group, clock)
    for judge in list(group):
        smaller = [i for i in group if i != judge]
        trial = _conflict(exam, spec, smaller, clock) if smaller else None
        if trial is not None:
            best, group = trial, smaller
    return best or Conflict(frozenset(group), tuple(group), {})


def smallest_hitting(n_judges: int, conflicts: Sequence[Conflict]) -> frozenset[int] | None:
    """Return the fewest judges that meet every conflict, as the solver proposes."""
    rows = [Row(("hit",), dict.fromkeys(c.order, 1), False, 1) for c in conflicts]
    program = Program(rows, [0] * n_judges, [1] * n_judges)
    values = propose_integers(program, objective=dict.fromkeys(range(n_judges), -1.0)).values
    return None if values is None else frozenset(i for i, v in enumerate(values) if v)


def _with_others(exam: Exam, group: list[int], certificate: Certificate) -> PanelFound:
    """Give the judges off the panel any table that fits the key."""
    key = tuple(certificate.evidence["key_counts"])
    free = ((exam.n_items,) * exam.n_labels,) * exam.n_judges
    system = System(
        exam.n_items, free, exam.excused, (0,) * exam.n_labels, (exam.n_items,) * exam.n_labels
    )
    tables = best_tables(exam, system, key)
    for place, i in enumerate(group):
        tables[i] = certificate.evidence["tables"][place]
    return PanelFound(tuple(group), key, tables, 0, None)
