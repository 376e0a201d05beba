"""The largest panel at order 1, where only accuracies from below and bounds on the key are asked.

With two labels every judge allows an interval of answer keys, and the largest panel is the depth of the
intervals. With more, an integer program proposes the panel; conflicts and a blame tree prove it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush

import numpy as np

from algeval.data import Specification
from algeval.logic.demand import System, read_specification, system_of
from algeval.logic.orders.base import decide
from algeval.logic.orders.closed_form import has_box, interval
from algeval.logic.orders.find_key import find_key
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.tables import tables_in_time
from algeval.logic.policy import (
    KEYS_SHARE,
    MOST_PAIRS,
    MOST_PANEL_ROWS,
    PAIRS_SHARE,
    SAFE,
    WITHOUT_CLOCK,
)
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
    able = []
    for i in everyone:
        if i % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            return PanelFound(late=True)
        if find_key(system.select([i]), clock)[0] is not None:
            able.append(i)
    pairs, complete = pairwise_conflicts(system, able, clock.part(share=PAIRS_SHARE))
    if _bounded(system) and not has_box(system):  # these rest on a solver's word until proved
        pairs = [pair for pair in pairs if _conflict(order, spec, pair, clock) is not None]
    if system.n_labels == 2:
        found = _two_labels(order, system, clock)
    else:
        found = _many_labels(order, spec, system, able, pairs, clock)
    known = set(able)
    failing = tuple(i for i in everyone if i not in known)
    return replace(found, failing=failing, pairs=tuple(pairs), late=not complete)


def _shown_on(
    order: Order1, system: System, panel: Sequence[int], key: tuple[int, ...], clock: Clock
) -> PanelFound:
    """Return a panel with tables in which its judges, at least, meet their levels at this key.

    Where time runs out before the tables are laid out no panel is shown.
    """
    exam, members = order.exam, set(panel)
    free = (exam.n_items,) * exam.n_labels
    caps = tuple(system.caps[i] if i in members else free for i in range(exam.n_judges))
    tables = tables_in_time(exam, replace(system, caps=caps), key, clock)
    if tables is None:
        return PanelFound()
    names = [exam.judges[i] for i in panel]
    return PanelFound(tuple(panel), order.at_key(key, tables) | {"judges": names})


# two labels


def _two_labels(order: Order1, system: System, clock: Clock) -> PanelFound:
    exam = order.exam
    ends = {i: end for i in range(exam.n_judges) if (end := interval(system, i)) is not None}
    chains = _chains(ends)
    names = [[exam.judges[i] for i in chain] for chain in chains]
    evidence = {"kind": "conflicts", "chains": names}
    violators = exam.n_judges - len(chains)
    if not ends:
        return PanelFound(violators=violators, evidence=evidence)
    first = _deepest(list(ends.values()))
    panel = [i for i, (a, b) in ends.items() if a <= first <= b]
    found = _shown_on(order, system, panel, (first, exam.n_items - first), clock)
    return replace(found, violators=violators, evidence=evidence if violators else None)


def _deepest(ends: Sequence[tuple[int, int]]) -> int:
    """Return the start of an interval that lies in the most intervals, the first listed of these."""
    starts, stops = sorted(a for a, _ in ends), sorted(b for _, b in ends)
    return max((a for a, _ in ends), key=lambda q: bisect_right(starts, q) - bisect_left(stops, q))


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
        return _shown_on(order, system, able, everyone, clock)
    for key in _proposed_keys(system, able, clock.part(share=KEYS_SHARE)):
        panel = [i for i in able if system.select([i]).admits(key)]
        if panel:
            return _shown_on(order, system, panel, key, clock)
    return PanelFound()


def _proposed_keys(system: System, able: list[int], clock: Clock) -> Iterator[tuple[int, ...]]:
    """Yield answer keys that many judges may admit: the solver's, then the best of single judges'."""
    small = len(able) * system.n_labels <= MOST_PANEL_ROWS
    if small and not clock.over:
        program, objective = _panel_program(system, able)
        proposal = propose_integers(program, objective=objective, time_limit=clock.left)
        if able and proposal.values is not None:
            yield tuple(proposal.values[: system.n_labels])
    best: tuple[int, tuple[int, ...]] | None = None
    for i in able:
        key, _ = find_key(system.select([i]), clock)
        if key is not None:
            size = sum(system.excess(j, key) <= system.excused[j] for j in able)
            best = max(best or (0, key), (size, key), key=lambda found: found[0])
        if small or clock.over:
            break
    if best is not None:
        yield best[1]


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


def pairwise_conflicts(
    system: System, able: Sequence[int], clock: Clock
) -> tuple[list[tuple[int, int]], bool]:
    """Return the pairs of judges, each able alone, that cannot both meet their levels.

    At most `MOST_PAIRS` of them; and whether time sufficed.

    Two judges share an answer key exactly when, for every way to split the labels between them,
    their caps and the items they are not held to suffice (intersection of two polymatroids).
    """
    pairs: list[tuple[int, int]] = []
    against = _asked_in_turn if _bounded(system) else _too_few
    for place, conflicting in against(system, able, clock):
        if conflicting is None:
            return pairs, False
        pairs += [(able[place], j) for j in conflicting]
        if len(pairs) > MOST_PAIRS:
            return pairs[:MOST_PAIRS], True
    return pairs, True


Against = Iterator[tuple[int, Sequence[int] | None]]
"""The place of a judge, and which of the later ones exclude it (None: time ran out)."""


def _too_few(system: System, able: Sequence[int], clock: Clock) -> Against:
    """Compare each judge with all later ones at once: caps and excused items that do not reach Q."""
    exact = object if system.n_items * (system.n_labels + 2) > SAFE else np.int64
    caps = np.array([system.caps[i] for i in able], exact).reshape(len(able), system.n_labels)
    excused = np.array([system.excused[i] for i in able], exact)
    for place in range(len(able)):
        if place % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            yield place, None
        reach = np.minimum(caps[place], caps[place + 1 :]).sum(1) + excused[place + 1 :]
        later = np.flatnonzero(reach + excused[place] < system.n_items) + place + 1
        yield place, [able[j] for j in later.tolist()]


def _asked_in_turn(system: System, able: Sequence[int], clock: Clock) -> Against:
    """Look for a key of each two judges, where the key itself is bounded."""
    for place, i in enumerate(able):
        found = []
        for j in able[place + 1 :]:
            key, certain = find_key(system.select([i, j]), clock)
            if key is None and not certain and clock.over:
                yield place, None
            if key is None and certain:
                found.append(j)
            if j % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
                yield place, None
        yield place, found


def _bounded(system: System) -> bool:
    return any(system.low) or any(high < system.n_items for high in system.high)
