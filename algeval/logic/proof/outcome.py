"""What settling a question ends in: a witness, a refutation, or neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Evidence", "Outcome"]

Evidence = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A solution in whole numbers, or evidence that there is none, or neither (gave up).

    Attributes
    ----------
    witness : evidence or None
        Whole numbers that meet the conditions, as certificates write them.
    refutation : evidence or None
        Proof that no whole numbers do.
    judges : tuple of int
        The judges a refutation speaks of.
    """

    witness: Evidence | None = None
    refutation: Evidence | None = None
    judges: tuple[int, ...] = ()

    @property
    def possible(self) -> bool | None:
        """True, False, or None where nothing was settled."""
        if self.witness is not None:
            return True
        return None if self.refutation is None else False
