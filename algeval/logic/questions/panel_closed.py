"""The largest panel at order 1, where only accuracies from below and bounds on the key are asked.

With two labels every judge allows an interval of answer keys, and the largest panel is the depth of the
intervals. With more, an integer program proposes the panel; conflicts and a blame tree prove it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heappop, heappush

from algeval.data import Specification
from algeval.logic.demand import System, read_specification, system_of
from algeval.logic.orders.base import decide
from algeval.logic.orders.closed_form import interval
from algeval.logic.orders.find_key import find_key
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.tables import best_tables
from algeval.logic.proof.blame import Blame, Conflict, grow_blame
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.program import Program, Row
from algeval.logic.proof.solver import propose_integers
from algeval.logic.questions.conflicts import PanelFound, restricted

__all__ = ["largest_panel", "pairwise_conflicts"]


def largest_panel(order: Order1, spec: Specification, clock: Clock) -> PanelFound:
    """Return the largest panel at order 1, with the evidence that no larger one will do."""
    exam = order.exam
    system = system_of(exam, read_specification(exam, spec))
    everyone = range(exam.n_judges)
    able = [i for i in everyone if find_key(system.select([i]), clock)[0] is not None]
    pairs = pairwise_conflicts(system, able)
    if system.n_labels == 2:
        found = _two_labels(order, system)
    else:
        found = _many_labels(order, spec, system, able, pairs, clock)
    failing = tuple(i for i in everyone if i not in able)
    return replace(found, failing=failing, pairs=tuple(pairs))


def _shown_on(
    order: Order1, system: System, panel: Sequence[int], key: tuple[int, ...]
) -> PanelFound:
    """Return a panel with tables in which its judges, at least, meet their levels at this key."""
    exam = order.exam
    free = (exam.n_items,) * exam.n_labels
    caps = tuple(system.caps[i] if i in panel else free for i in range(exam.n_judges))
    tables = best_tables(exam, replace(system, caps=caps), key)
    names = [exam.judges[i] for i in panel]
    return PanelFound(tuple(panel), order.at_key(key, tables) | {"judges": names})


# two labels


def _two_labels(order: Order1, system: System) -> PanelFound:
    exam = order.exam
    ends = {i: end for i in range(exam.n_judges) if (end := interval(system, i)) is not None}
    chains = _chains(ends)
    names = [[exam.judges[i] for i in chain] for chain in chains]
    evidence = {"kind": "conflicts", "chains": names}
    violators = exam.n_judges - len(chains)
    depth = {
        first: [i for i, (a, b) in ends.items() if a <= first <= b] for first, _ in ends.values()
    }
    if not depth:
        return PanelFound(violators=violators, evidence=evidence)
    first = max(depth, key=lambda q: len(depth[q]))
    found = _shown_on(order, system, depth[first], (first, exam.n_items - first))
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


# more labels


def _many_labels(
    order: Order1,
    spec: Specification,
    system: System,
    able: list[int],
    pairs: Sequence[tuple[int, int]],
    clock: Clock,
) -> PanelFound:
    found = _largest(order, system, able, clock)

    def conflict(among: frozenset[int]) -> Conflict | None:
        rest = sorted(among)
        group = next(
            ([i] for i in rest if i not in able),
            next(([i, j] for i, j in pairs if i in among and j in among), rest),
        )
        return _conflict(order, spec, group, clock)

    n_judges = order.exam.n_judges
    blame = Blame(n_judges, conflict, clock)
    violators, evidence = grow_blame(blame, order.exam.judges, n_judges - len(found.panel))
    return replace(found, violators=violators, evidence=evidence)


def _conflict(
    order: Order1, spec: Specification, group: Sequence[int], clock: Clock
) -> Conflict | None:
    """Return a certified set of judges within the group that cannot meet it together.

    It names one judge at least, also where no answer key is allowed at all.
    """
    found = decide(order.select(group), restricted(spec, order.exam, group), clock)
    if found.refutation is None:
        return None
    members = [group[place] for place in found.judges] or list(group[:1])
    if len(members) < len(group):
        found = decide(order.select(members), restricted(spec, order.exam, members), clock)
    if found.refutation is None:
        return None
    return Conflict(frozenset(members), tuple(members), found.refutation)


def _largest(order: Order1, system: System, able: list[int], clock: Clock) -> PanelFound:
    everyone, _ = find_key(system.select(able), clock)
    if able and everyone is not None:
        return _shown_on(order, system, able, everyone)
    program, objective = _panel_program(system, able)
    proposal = propose_integers(program, objective=objective, time_limit=clock.left)
    if able and proposal.values is not None:
        key = tuple(proposal.values[: system.n_labels])
        panel = [i for i in able if system.select([i]).admits(key)]
        if panel:
            return _shown_on(order, system, panel, key)
    for i in able:
        alone, _ = find_key(system.select([i]), clock)
        if alone is not None:
            return _shown_on(order, system, [i], alone)
    return PanelFound()


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
            (i, j) for i, j in _pairs(able) if find_key(system.select([i, j]), _FREE)[0] is None
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
