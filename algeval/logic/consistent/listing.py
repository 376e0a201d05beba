"""A consistent set listed lazily: what `evaluations` and `members` return."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from algeval.logic.results import LogicResult
from algeval.result.tables import Table, scalars

__all__ = ["Listing"]

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing(LogicResult, Generic[Item]):
    """Members counted at once and listed on demand; true when there is one.

    Attributes
    ----------
    count : int
        How many there are, as large as it gets.
    key_counts : tuple of int or None
        The answer key asked for; None means all of the Q-complex.
    engine : "lattice" or "pulp"
        How they are found.
    """

    count: int
    key_counts: tuple[int, ...] | None
    engine: str
    lister: Callable[[], Iterator[Item]] = field(repr=False)

    @property
    def meaning(self) -> str:
        """What the set does not mean."""
        return "Consistent is not probable: nothing here says that one of them is more likely."

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row: how many there are, of what; the members are there by iterating."""
        return (scalars(self),)

    def __iter__(self) -> Iterator[Item]:
        return self.lister()

    def __bool__(self) -> bool:
        return self.count > 0

    def __len__(self) -> int:
        """Return `count`, where Python's `len` can: OverflowError above `sys.maxsize`."""
        if self.count > sys.maxsize:
            raise OverflowError(
                f"len() must be at most {sys.maxsize}; got {self.count} members; read .count"
            )
        return self.count
