"""What a comparison of several systems holds: every pair, and the ranks that each may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from algeval.rates.systems.result import signed
from algeval.result import Result, Table
from algeval.result.base import Record

__all__ = ["Pair", "SystemsComparison"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Record):
    """Two of the systems.

    Attributes
    ----------
    first, second : str
    difference : float or None
        Share of the label in the first less that in the second.
    low, high : float
        Of all pairs at once: at `level` no pair's interval misses.
    verdict : str
        As of two systems, by Holm's steps over all pairs: at `level` no verdict is wrong.
    n_items, n_gold, n_discordant : int
        Items in common, labelled for both, and labelled differently.
    """

    first: str
    second: str
    difference: float | None
    low: float
    high: float
    verdict: str
    n_items: int
    n_gold: int
    n_discordant: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemsComparison(Result):
    """Which of several systems are better than which.

    Attributes
    ----------
    status : Status
        ok where labels give every pair an interval; else `undetermined`, or `inconsistent` where votes
        contradict what was believed.
    names : tuple of str
    label : str
    target : "items" or "population"
    level : float
        Of all intervals together, of all verdicts together, and of all ranks together.
    pairs : tuple of Pair
    ranks : dict of str to (int, int)
        The best and the worst rank that a system may have, 1 the highest share.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.systems-comparison/1"
    meaning: ClassVar[str] = (
        "Verdicts and ranks rest on the labels. Systems whose ranks overlap may be equal; it does not say "
        "that they are."
    )

    names: tuple[str, ...]
    label: str
    target: str
    level: float
    pairs: tuple[Pair, ...]
    ranks: dict[str, tuple[int, int]]
    warnings: tuple[str, ...] = ()

    def pair(self, first: str, second: str) -> Pair:
        """Return the pair of two systems, as it stands in `pairs`."""
        return next(one for one in self.pairs if {one.first, one.second} == {first, second})

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per pair, and a row per system."""
        ranks = [(name, *self.ranks[name]) for name in self.names]
        return (
            Table.of_records("Pairs", Pair, self.pairs),
            Table.of_rows("Ranks", ("system", "best", "worst"), ranks),
        )

    def summary(self) -> str:
        """Return the verdict, the ranks, a line a pair, and warnings."""
        width = max(map(len, self.names))
        lines = [self.message, f"{'system':{max(width, 6)}}  rank"]
        for name in sorted(self.names, key=lambda name: self.ranks[name]):
            best, worst = self.ranks[name]
            lines.append(
                f"{name:{max(width, 6)}}  {best if best == worst else f'{best} to {worst}'}"
            )
        both = max(len(_named(pair)) for pair in self.pairs)
        lines.append(f"{'':{both}}  difference     low    high")
        lines += [
            f"{_named(pair):{both}}  {signed(pair.difference):>10}  {signed(pair.low):>6}  "
            f"{signed(pair.high):>6}  {pair.verdict}"
            for pair in self.pairs
        ]
        lines.append(self.meaning)
        return "\n".join([*lines, *(f"Warning: {told}" for told in self.warnings)])


def _named(pair: Pair) -> str:
    return f"{pair.first} - {pair.second}"
