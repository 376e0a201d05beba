"""Prove how many judges fall short from certified conflicts: a blame tree.

Whoever falls short includes a member of each conflict. Blame one, look at a conflict among the
judges not blamed yet, blame one of its members, and so on: every path of length v names v judges
that fall short together, so at least v do. A large tree is written with one node for each set of
judges blamed, however many paths lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from algeval.logic.policy import MOST_BLAMED, MOST_PATHS
from algeval.logic.proof.clock import Clock

__all__ = ["Blame", "Conflict", "grow_blame"]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Judges that cannot meet the conditions together, with the evidence about them alone."""

    members: frozenset[int]
    order: tuple[int, ...]
    evidence: Mapping[str, Any]


class Blame:
    """Grow a tree from known conflicts, and an oracle that finds one among some of the judges."""

    def __init__(
        self,
        n_judges: int,
        conflict: Callable[[frozenset[int]], Conflict | None],
        clock: Clock,
        known: Sequence[Conflict] = (),
    ) -> None:
        self.everyone = frozenset(range(n_judges))
        self.conflict, self.clock = conflict, clock
        self.found = sorted(known, key=lambda c: len(c.order))
        self.choice: dict[frozenset[int], int | None] = {}
        self.n_paths = 1

    def choose(self, blamed: frozenset[int]) -> int | None:
        """Return the position of a conflict that avoids the judges blamed."""
        if blamed not in self.choice:
            ready = [k for k, c in enumerate(self.found) if not c.members & blamed]
            if ready:
                place: int | None = min(ready, key=lambda k: len(self.found[k].members))
            else:
                place = self._look(blamed)
            self.choice[blamed] = place
        return self.choice[blamed]

    def _look(self, blamed: frozenset[int]) -> int | None:
        if self.clock.over or blamed == self.everyone:
            return None
        new = self.conflict(self.everyone - blamed)
        if new is None:
            return None
        self.found.append(new)
        return len(self.found) - 1

    def depth(self, most: int) -> int:
        """Return how many judges can be blamed on every path, within the limit on nodes."""
        level: dict[frozenset[int], int] = {frozenset(): 1}
        n_nodes = 0
        for reached in range(most):
            following: dict[frozenset[int], int] = {}
            for blamed, paths in level.items():
                place = None if self.clock.over else self.choose(blamed)
                if place is None:
                    return reached
                for judge in self.found[place].members:
                    after = blamed | {judge}
                    following[after] = following.get(after, 0) + paths
            n_nodes += len(following)
            if n_nodes > MOST_BLAMED:
                return reached
            level, self.n_paths = following, sum(following.values())
        return most

    def node(self, blamed: frozenset[int], depth: int, names: Sequence[str], seen: Any) -> Any:
        """Return the tree below a set of blamed judges."""
        if depth == 0:
            return None
        if blamed not in seen:
            place = self.choose(blamed) or 0
            members = self.found[place].order
            seen[blamed] = {
                "conflict": place,
                "children": {
                    names[i]: self.node(blamed | {i}, depth - 1, names, seen) for i in members
                },
            }
        return seen[blamed]

    def shared(self, depth: int, names: Sequence[str]) -> tuple[Any, list[Any]]:
        """Return the tree with children given as positions in a list of nodes."""
        nodes: list[Any] = []
        level: list[frozenset[int]] = [frozenset()]
        for reached in range(depth):
            following: dict[frozenset[int], None] = {}
            for blamed in level:
                members = self.found[self.choose(blamed) or 0].order
                following.update(dict.fromkeys(blamed | {i} for i in members))
            start = len(nodes) + len(level)
            place_of = {blamed: start + k for k, blamed in enumerate(following)}
            last = reached == depth - 1
            for blamed in level:
                conflict = self.choose(blamed) or 0
                children = {
                    names[i]: None if last else place_of[blamed | {i}]
                    for i in self.found[conflict].order
                }
                nodes.append({"conflict": conflict, "children": children})
            level = list(following)
        return nodes[0], nodes


def grow_blame(blame: Blame, names: Sequence[str], most: int) -> tuple[int, dict[str, Any] | None]:
    """Return how many judges are proved to fall short, at most `most`, and the evidence."""
    depth = blame.depth(most)
    if depth == 0:
        return 0, None
    conflicts = [
        {"judges": [names[i] for i in c.order], "evidence": dict(c.evidence)} for c in blame.found
    ]
    evidence: dict[str, Any] = {"kind": "conflicts", "conflicts": conflicts}
    if blame.n_paths <= MOST_PATHS:
        return depth, evidence | {"tree": blame.node(frozenset(), depth, names, {})}
    root, nodes = blame.shared(depth, names)
    return depth, evidence | {"tree": root, "nodes": nodes}
