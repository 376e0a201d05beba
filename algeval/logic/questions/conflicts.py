"""The largest panel at any order: conflicts found from small to large, and a set that hits them all.

Sets of judges that cannot meet the conditions together are found from small to large: single
judges, pairs, then whatever still stands in the way of the largest panel the known conflicts
allow. A refutation names few judges, so what it does not name is left out of the conflict. The
fewest judges that meet every certified conflict is the bound; a blame tree proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order, decide, shown
from algeval.logic.policy import (
    CONFLICTS_SHARE,
    GROUP_SECONDS,
    GROWING_SECONDS,
    LEVEL_SHARE,
    SHRUNK_BELOW,
)
from algeval.logic.proof.blame import Blame, Conflict, grow_blame
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.program import Program, Row
from algeval.logic.proof.solver import propose_integers

__all__ = ["PanelFound", "restricted", "search", "smallest_hitting"]


@dataclass(frozen=True, slots=True, eq=False)
class PanelFound:
    """The largest panel known with its witness, and how many judges are proved to fall short."""

    panel: tuple[int, ...] = ()
    witness: Evidence | None = None
    violators: int = 0
    evidence: Evidence | None = None
    failing: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    late: bool = False
    """Whether time ran out before all pairs were compared."""


def restricted(spec: Specification, exam: Exam, group: Sequence[int]) -> Specification:
    """Return the conditions that speak of these judges, in their order."""
    names = {exam.judges[i] for i in group}
    kept = [c for c in spec.conditions if c.judge is None or c.judge in names]
    trivial = Specification.prevalence(None, ">=", 0)
    return Specification(tuple(kept)) if kept else trivial


def smallest_hitting(
    n_judges: int, conflicts: Sequence[Conflict], time_limit: float | None = None
) -> frozenset[int] | None:
    """Return the fewest judges that meet every conflict, as the solver proposes."""
    rows = [Row(("hit",), dict.fromkeys(c.order, 1), False, 1) for c in conflicts]
    program = Program(rows, [0] * n_judges, [1] * n_judges)
    values = propose_integers(
        program, objective=dict.fromkeys(range(n_judges), -1.0), time_limit=time_limit
    ).values
    return None if values is None else frozenset(i for i, v in enumerate(values) if v)


def search(
    order: Order, spec: Specification, clock: Clock, *, enough: int | None = None
) -> PanelFound:
    """Return the largest panel found.

    enough : stop at a panel of this size.
    """
    return _Search(order, spec, clock).run(enough)


class _Search:
    def __init__(self, order: Order, spec: Specification, clock: Clock) -> None:
        self.order, self.exam, self.spec, self.clock = order, order.exam, spec, clock
        self.searching = Clock(None) if clock.left is None else clock.part(share=CONFLICTS_SHARE)
        self.known: list[Conflict] = []
        self.undecided: list[Conflict] = []

    def run(self, enough: int | None) -> PanelFound:
        """Look for conflicts until the panel they leave has a witness, or time runs out."""
        if not self.searching.over and not self.order.counted_in_time(self.searching):
            return PanelFound(late=True)
        everyone = list(range(self.exam.n_judges))
        all_of_them = Outcome()
        if not self.searching.over:
            all_of_them = self.decide(everyone, self.searching.part(share=LEVEL_SHARE))
        witness = self._shown(everyone, all_of_them)
        if witness is not None:
            return PanelFound(tuple(everyone), witness)
        for i in everyone:
            found = None if self.searching.over else self.conflict([i])
            self.known += [] if found is None else [found]
        failing = tuple(c.order[0] for c in self.known)
        able = [i for i in range(self.exam.n_judges) if i not in failing]
        for pair in combinations(able, 2):
            if self.searching.over:
                break
            found = self.conflict(list(pair))
            if found is not None:
                self.known.append(found)
        pairs = [(c.order[0], c.order[1]) for c in self.known if len(c.order) == 2]
        whole = _as_conflict(everyone, all_of_them)
        if whole is not None and not self.known:
            self.known.append(self._shrunk(whole))
        panel, witness = self._largest(enough)
        if witness is None and enough is None:
            panel, witness = self._grow(able, pairs)
        blame = Blame(self.exam.n_judges, lambda _: None, Clock(None), self.known)
        most = self.exam.n_judges - len(panel)
        violators, evidence = grow_blame(blame, self.exam.judges, most)
        return PanelFound(panel, witness, violators, evidence, failing, tuple(pairs))

    # one group of judges

    def decide(self, group: Sequence[int], clock: Clock) -> Outcome:
        """Settle whether a group can meet the conditions, from their own answers."""
        return decide(self.order.select(group), restricted(self.spec, self.exam, group), clock)

    def conflict(self, group: Sequence[int]) -> Conflict | None:
        """Return the group as a certified conflict, or None."""
        return _as_conflict(group, self.decide(group, self.searching.part(GROUP_SECONDS)))

    def _shrunk(self, conflict: Conflict) -> Conflict:
        """Leave out the judges that a refutation does not name, then others one by one."""
        names = [self.exam.judges[i] for i in conflict.order]
        named = [conflict.order[place] for place in sorted(_named(conflict.evidence, names))]
        smaller = self.conflict(named) if 0 < len(named) < len(conflict.order) else None
        best = smaller or conflict
        for judge in best.order if len(best.order) <= SHRUNK_BELOW else ():
            rest = [i for i in best.order if i != judge]
            if rest and not self.searching.over:
                best = self.conflict(rest) or best
        return best

    # the largest panel

    def _largest(self, enough: int | None) -> tuple[tuple[int, ...], Evidence | None]:
        everyone = frozenset(range(self.exam.n_judges))
        while not self.searching.over:
            left_out = smallest_hitting(
                self.exam.n_judges, [*self.known, *self.undecided], self.searching.left
            )
            if left_out is None or left_out == everyone:
                break
            group = sorted(everyone - left_out)
            if enough is not None and len(group) > enough:
                group = self._part(group, enough)
            if enough is not None and len(group) < enough:
                break
            outcome = self.decide(group, self.searching.part(GROUP_SECONDS))
            witness = self._shown(group, outcome)
            if witness is not None:
                return tuple(group), witness
            found = _as_conflict(group, outcome)
            if found is None:
                self.undecided.append(Conflict(frozenset(group), tuple(group), {}))
            else:
                self.known.append(self._shrunk(found))
        return (), None

    def _part(self, group: list[int], size: int) -> list[int]:
        """Return as many judges as are asked for, those in the fewest conflicts."""
        busy = {i: sum(i in c.members for c in self.known) for i in group}
        return sorted(sorted(group, key=lambda i: busy[i])[:size])

    def _grow(
        self, able: Sequence[int], pairs: Sequence[tuple[int, int]]
    ) -> tuple[tuple[int, ...], Evidence | None]:
        """Add judge after judge while a witness is found, those in the fewest pairs first."""
        self.searching = self.clock.part()
        against: dict[int, set[int]] = {i: set() for i in able}
        for i, j in pairs:
            against[i].add(j)
            against[j].add(i)
        found: list[tuple[list[int], Outcome]] = []
        for i in sorted(able, key=lambda i: len(against[i])):
            if self.searching.over:
                break
            group = found[-1][0] if found else []
            if not against[i] & set(group):
                outcome = self.decide(
                    [*group, i], self.searching.part(GROWING_SECONDS, share=LEVEL_SHARE)
                )
                if outcome.possible:
                    found.append(([*group, i], outcome))
        while found:
            group, outcome = found.pop()
            witness = self._shown(group, outcome)
            if witness is not None:
                return tuple(group), witness
        return (), None

    def _shown(self, group: Sequence[int], outcome: Outcome) -> Evidence | None:
        if outcome.witness is None:
            return None
        return shown(self.order, group, self.spec, outcome.witness, self.clock.part())


def _as_conflict(group: Sequence[int], outcome: Outcome) -> Conflict | None:
    if outcome.refutation is None:
        return None
    return Conflict(frozenset(group), tuple(group), outcome.refutation)


def _named(evidence: Mapping[str, Any], names: Sequence[str]) -> set[int]:
    """Return the places of the judges whose conditions a refutation uses."""
    found: set[int] = set()
    for leaf in _leaves(evidence.get("tree", evidence)):
        if leaf["kind"] == "cap":
            found |= {names.index(name) for name in leaf["judges"] if name is not None}
        elif leaf["kind"] == "weights":
            for table in (leaf["weights"], leaf.get("correct", ())):
                found |= {i for i, row in enumerate(table) if any(y != "0" for y in row)}
        else:
            kinds = ("condition", "cap", "rounded")
            found |= {row[2] for row, _ in leaf["rows"] if row[0] in kinds and row[2] is not None}
    return found


def _leaves(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if "split" in here:
            waiting += [here["low"], here["high"]]
        else:
            yield here
