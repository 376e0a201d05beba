"""Prove how many judges fall short from certified conflicts: a blame tree.

Whoever falls short includes a member of each conflict. Blame one, look at a conflict among the
judges not blamed yet, blame one of its members, and so on: every path of length v names v judges
that fall short together, so at least v do. Equal sets of blamed judges share a node in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from algeval.logic.branching import Clock

__all__ = ["Blame", "Conflict", "grow_blame"]

MOST_NODES = 50_000
"""Nodes of a tree written out; a deeper tree is cut off at a smaller number of judges."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Judges that cannot meet the conditions together, with the evidence about them alone."""

    members: frozenset[int]
    order: tuple[int, ...]
    evidence: Mapping[str, Any]


class Blame:
    """Grow a tree from an oracle that finds a conflict among some of the judges."""

    def __init__(
        self, n_judges: int, conflict: Callable[[frozenset[int]], Conflict | None], clock: Clock
    ) -> None:
        self.everyone = frozenset(range(n_judges))
        self.conflict, self.clock = conflict, clock
        self.found: list[Conflict] = []
        self.choice: dict[frozenset[int], int | None] = {}

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
        for reached in range(most):
            following: dict[frozenset[int], int] = {}
            for blamed, paths in level.items():
                place = self.choose(blamed)
                if place is None:
                    return reached
                for judge in self.found[place].members:
                    after = blamed | {judge}
                    following[after] = following.get(after, 0) + paths
            if sum(following.values()) > MOST_NODES:
                return reached
            level = following
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


def grow_blame(blame: Blame, names: Sequence[str], most: int) -> tuple[int, dict[str, Any] | None]:
    """Return how many judges are proved to fall short, at most `most`, and the evidence."""
    depth = blame.depth(most)
    if depth == 0:
        return 0, None
    tree = blame.node(frozenset(), depth, names, {})
    conflicts = [
        {"judges": [names[i] for i in c.order], "evidence": dict(c.evidence)} for c in blame.found
    ]
    return depth, {"kind": "conflicts", "conflicts": conflicts, "tree": tree}
