"""What tests of pairs of judges tell alike: the pairs furthest from independence."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.results import Floats
from algeval.result.tables import Table, scalars

__all__ = ["WorstPairs"]


class WorstPairs:
    """The worst pairs of any result that holds z and a leftover correlation per pair of judges."""

    __slots__ = ()

    message: str
    judges: tuple[str, ...]
    pair_z: Floats
    pair_correlation: Floats

    def worst_pairs(self, most: int = 5) -> list[tuple[str, str, float, float]]:
        """Return the pairs furthest from independence: two judges, z and correlation."""
        left, right = np.triu_indices(len(self.judges), 1)
        z, correlation = self.pair_z[left, right], self.pair_correlation[left, right]
        order = np.argsort(-np.abs(z), kind="stable")[:most]
        return [
            (self.judges[left[p]], self.judges[right[p]], float(z[p]), float(correlation[p]))
            for p in order
        ]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per pair of judges, the furthest from independence first, and the test."""
        pairs = self.worst_pairs(len(self.judges) ** 2)
        names = ("judge", "other", "z", "correlation")
        return Table.of_rows("Pairs of judges", names, pairs), scalars(self)

    def summary(self) -> str:
        """Return the verdict and the worst pairs."""
        lines = [
            f"  {a} and {b}: z = {z:+.1f}, leftover correlation {r:+.2f}"
            for a, b, z, r in self.worst_pairs()
        ]
        return "\n".join([self.message, *lines])
