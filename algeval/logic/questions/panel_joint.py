"""Orders 2 and full: how many judges must fall short, and the largest panel that might not.

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

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.demand import select_exam
from algeval.logic.exam import Exam
from algeval.logic.orders.full import decide_full, full_witness
from algeval.logic.orders.order1 import Decision
from algeval.logic.orders.pairs import decide_pairs, pair_witness, whole_pairs
from algeval.logic.orders.rows import pair_shares
from algeval.logic.proof.blame import Blame, Conflict, grow_blame
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.proof.shares import Ints
from algeval.logic.proof.tree import relax_shares
from algeval.logic.questions.panel_order1 import find_panel, restricted, smallest_hitting

__all__ = ["JointPanel", "decide_joint_panel", "find_joint_panel"]

_PATIENCE = 10.0
"""Seconds for one group of judges."""
_SEARCH = 0.75
"""The part of the time in which conflicts are looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class JointPanel:
    """The largest panel known with its witness, and how many judges are proved to fall short."""

    panel: tuple[int, ...] = ()
    witness: Certificate | None = None
    violators: int = 0
    evidence: dict[str, Any] | None = None
    failing: tuple[int, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()


def decide_joint_panel(
    sketch: Sketch, exam: Exam, spec: Specification, order: int | str, clock: Clock
) -> Decision:
    """Settle whether at least `spec.min_judges` judges can meet the conditions together."""
    needed = spec.min_judges or exam.n_judges
    search = _Search(sketch, exam, Specification(spec.conditions), order, clock)
    found = search.run(enough=needed)
    if len(found.panel) >= needed:
        witness = search.witness(found.panel, spec)
        return Decision() if witness is None else Decision(True, witness)
    if found.violators >= exam.n_judges - needed + 1 and found.evidence is not None:
        stated = claim(exam.digest, order, exam.rule, spec, possible=False)
        return Decision(False, Certificate(stated, found.evidence))
    return Decision()


def find_joint_panel(
    sketch: Sketch, exam: Exam, spec: Specification, order: int | str, clock: Clock
) -> JointPanel:
    """Return the largest panel found at order 2 or full, and the proof of how many fall short."""
    return _Search(sketch, exam, spec, order, clock).run()


class _Search:
    def __init__(
        self, sketch: Sketch, exam: Exam, spec: Specification, order: int | str, clock: Clock
    ) -> None:
        self.sketch, self.exam, self.spec = sketch, exam, spec
        self.order, self.clock = order, clock
        left = clock.left
        self.searching = Clock(None if left is None else left * _SEARCH)
        self.known: list[Conflict] = []
        self.undecided: list[Conflict] = []

    def run(self, enough: int | None = None) -> JointPanel:
        """Look for conflicts until the panel they leave has a witness, or time runs out."""
        self.known = [c for i in range(self.exam.n_judges) if (c := self.conflict([i]))]
        failing = tuple(c.order[0] for c in self.known)
        able = [i for i in range(self.exam.n_judges) if i not in failing]
        for pair in combinations(able, 2):
            if self.searching.over:
                break
            found = self.conflict(list(pair))
            if found is not None:
                self.known.append(found)
        pairs = [(c.order[0], c.order[1]) for c in self.known if len(c.order) == 2]
        panel, witness = self._largest(enough)
        if witness is None and enough is None:
            panel, witness = self._grow(able, pairs)
        violators, evidence = self._blame(len(panel))
        return JointPanel(panel, witness, violators, evidence, failing, tuple(pairs))

    # one group of judges

    def decide(self, group: Sequence[int], clock: Clock) -> Decision:
        """Settle whether a group can meet the conditions, from their own marginal sketch."""
        names = [self.exam.judges[i] for i in group]
        sketch, exam = self.sketch.marginal(names), select_exam(self.exam, group)
        spec = restricted(self.spec, self.exam, group)
        settle = decide_full if self.order == "full" else decide_pairs
        return settle(sketch, exam, spec, clock)

    def patience(self) -> Clock:
        """Return the time for one group."""
        left = self.searching.left
        return Clock(_PATIENCE if left is None else min(_PATIENCE, left))

    def conflict(self, group: Sequence[int]) -> Conflict | None:
        """Return the group as a certified conflict, or None."""
        decision = self.decide(group, self.patience())
        return self._as_conflict(group, decision)

    def _as_conflict(self, group: Sequence[int], decision: Decision) -> Conflict | None:
        if decision.certificate is None or decision.possible:
            return None
        evidence = decision.certificate.evidence
        return Conflict(frozenset(group), tuple(group), evidence)

    def _shrunk(self, conflict: Conflict) -> Conflict:
        """Leave out the judges that a refutation does not name, then others one by one."""
        names = [self.exam.judges[i] for i in conflict.order]
        named = [conflict.order[place] for place in sorted(_named(conflict.evidence, names))]
        smaller = self.conflict(named) if 0 < len(named) < len(conflict.order) else None
        best = smaller or conflict
        for judge in best.order if len(best.order) <= 6 else ():
            rest = [i for i in best.order if i != judge]
            if rest and not self.searching.over:
                best = self.conflict(rest) or best
        return best

    # the largest panel

    def _largest(self, enough: int | None) -> tuple[tuple[int, ...], Certificate | None]:
        everyone = frozenset(range(self.exam.n_judges))
        while not self.searching.over:
            left_out = smallest_hitting(self.exam.n_judges, [*self.known, *self.undecided])
            if left_out is None or left_out == everyone:
                break
            group = sorted(everyone - left_out)
            if enough is not None and len(group) > enough:
                group = self._part(group, enough)
            if enough is not None and len(group) < enough:
                break
            decision = self.decide(group, self.patience())
            if decision.possible:
                witness = self.witness(group, self.spec.by_at_least(len(group)))
                if witness is not None:
                    return tuple(group), witness
            found = self._as_conflict(group, decision)
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
    ) -> tuple[tuple[int, ...], Certificate | None]:
        """Add judge after judge while a witness is found, those in the fewest pairs first."""
        self.searching = Clock(self.clock.left)
        against = {i: {j for pair in pairs if i in pair for j in pair} - {i} for i in able}
        group: list[int] = []
        for i in sorted(able, key=lambda i: len(against[i])):
            if self.searching.over:
                break
            if not against[i] & set(group):
                left = self.searching.left
                clock = Clock(1.0 if left is None else min(1.0, left / 3))
                if self.decide([*group, i], clock).possible:
                    group.append(i)
        while group:
            witness = self.witness(sorted(group), self.spec.by_at_least(len(group)))
            if witness is not None:
                return tuple(sorted(group)), witness
            group.pop()
        return (), None

    def witness(self, group: Sequence[int], spec: Specification) -> Certificate | None:
        """Return the witness of all judges in which those of a group meet the conditions."""
        names = tuple(self.exam.judges[i] for i in group)
        if self.order == "full":
            decision = self.decide(group, Clock(self.clock.left))
            if not decision.possible or decision.certificate is None:
                return None
            part = np.array(decision.certificate.evidence["cells"], np.int64)
            cells = lifted(self.sketch, self.sketch.marginal(names), part)
            return full_witness(self.sketch, self.exam, spec, cells, judges=names)
        layout = pair_shares(self.sketch, self.exam, self.spec, judges=group)
        relaxed = relax_shares(layout.shares, layout.shares.root(), self.clock)
        if relaxed is None or relaxed.amount > 1e-9:
            return None
        shares = whole_pairs(layout, relaxed.shares, Clock(self.clock.left))
        if shares is None:
            return None
        return pair_witness(self.exam, spec, layout.evidence(self.exam, shares), judges=names)

    # the proof

    def _blame(self, size: int) -> tuple[int, dict[str, Any] | None]:
        blame = Blame(self.exam.n_judges, lambda _: None, Clock(None))
        blame.found = sorted(self.known, key=lambda c: len(c.order))
        violators, evidence = grow_blame(blame, self.exam.judges, self.exam.n_judges - size)
        return self._at_least_order1(violators, evidence)

    def _at_least_order1(
        self, violators: int, evidence: dict[str, Any] | None
    ) -> tuple[int, dict[str, Any] | None]:
        """Return what order 1 proves instead, where that is more and holds at this order."""
        if not self.searching.over and not self.undecided:
            return violators, evidence
        first = find_panel(self.exam, self.spec, Clock(5.0))
        listed = () if first.evidence is None else first.evidence.get("conflicts", ())
        holds = self.order == 2 or all(c["evidence"]["kind"] == "cap" for c in listed)
        if first.violators > violators and holds:
            return first.violators, first.evidence
        return violators, evidence


def lifted(sketch: Sketch, marginal: Sketch, part: Ints) -> Ints:
    """Return cells (U, R) of the whole sketch that add up to those of a marginal one."""
    rows = {tuple(codes): place for place, codes in enumerate(marginal.codes.tolist())}
    columns = [sketch.judges.index(name) for name in marginal.judges]
    left = part.copy()
    cells = np.zeros((len(sketch), sketch.n_labels), np.int64)
    for u, codes in enumerate(sketch.codes[:, columns].tolist()):
        row, need = left[rows[tuple(codes)]], int(sketch.counts[u])
        for t in range(sketch.n_labels):
            take = min(need, int(row[t]))
            cells[u, t] = take
            row[t] -= take
            need -= take
    return cells


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
