"""What a leaderboard holds: a row for each system, and what its ratings rest on."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.rates.leaderboards.rank_sets import quantile
from algeval.result import Result, Table, percent, to_json
from algeval.result.base import Record
from algeval.result.wording import did_you_mean, how_many, level_text

__all__ = ["Leaderboard", "OrderEffect", "Rated"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rated(Record):
    """One system of a leaderboard.

    Attributes
    ----------
    system : str
    rating, low, high : float
        On the natural scale: a difference of 1 is odds of e. Infinite where the battles set no end, NaN
        where nothing says.
    elo, elo_low, elo_high : float
        The same on the Elo scale: 1000 + 400 / log(10) times.
    best_rank, worst_rank : int
        The ranks it may have, right for all systems at once.
    battles, wins, losses, ties : int
    """

    system: str
    rating: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    best_rank: int
    worst_rank: int
    battles: int
    wins: int
    losses: int
    ties: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderEffect(Record):
    """What being shown first adds to a system's rating, with its interval; 0 is no effect."""

    effect: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaderboard(Result):
    """Ratings of systems from judged battles, with ranks that hold for all of them at once.

    Attributes
    ----------
    status : Status
        Ok; not_identifiable where battles do not put all systems on one scale, or cannot tell the order
        shown, or ties, from strength: `components` says which systems are; not_converged if the fit
        did not end.
    table : tuple of Rated
        Best rating first.
    components : tuple of tuples of str
        Systems that wins and ties link both ways, largest first; one if `connected`.
    level : float
        Of every interval, and of all rank sets together.
    ties : str
    tie_parameter : float or None
        Davidson's nu, or Rao and Kupper's theta; None where ties have none.
    order_effect : OrderEffect or None
        What being shown first adds to the rating; None unless asked for.
    n_pairs_swapped : int
        Pairs of answers that one judge compared in both orders.
    flip_rate : Fraction or None
        Share of these that got another answer when the order was swapped.
    accuracy_ceiling : Fraction or None
        At most this share of these calls is right, both orders together, whatever the answer key: two
        different answers are not both right. No bound for one order alone, nor where a tie is half right.
    n_battles, n_clusters : int
    cluster : str or None
        The column whose entries hang together; None where each battle counts as independent.
    n_gold : int
        Battles whose true winner was given.
    lambda_ : float or None
        With gold: the weight of the votes, 0 where they are of no help and 1 where they are as good.
    warnings, notes : tuples of str
    covariance : (n_systems, n_systems) array
        Of the ratings, in the order of `table`; NaN where there are none.
    """

    schema: ClassVar[str] = "algeval.leaderboard/1"
    meaning: ClassVar[str] = (
        "Ratings are as judged. Errors that strike all systems alike shrink them and leave their order; "
        "a judge that favours a system moves it, and only gold can show that."
    )

    table: tuple[Rated, ...]
    components: tuple[tuple[str, ...], ...]
    level: float
    ties: str
    tie_parameter: float | None
    order_effect: OrderEffect | None
    n_pairs_swapped: int
    flip_rate: Fraction | None
    accuracy_ceiling: Fraction | None
    n_battles: int
    n_clusters: int
    cluster: str | None
    n_gold: int
    lambda_: float | None
    random: int
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    covariance: NDArray[np.float64] = dataclasses.field(repr=False)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best rating first."""
        return tuple(row.system for row in self.table)

    @property
    def connected(self) -> bool:
        """Whether all systems are on one scale."""
        return len(self.components) == 1

    @property
    def ratings(self) -> dict[str, float]:
        """{system: rating}; they sum to 0 over the systems on one scale."""
        return {row.system: row.rating for row in self.table}

    @property
    def low(self) -> dict[str, float]:
        """{system: lower end}."""
        return {row.system: row.low for row in self.table}

    @property
    def high(self) -> dict[str, float]:
        """{system: upper end}."""
        return {row.system: row.high for row in self.table}

    @property
    def ranks(self) -> dict[str, int | None]:
        """{system: place of its rating}, None where it has none; `rank_sets` says what is known."""
        rated = [row.rating for row in self.table if isfinite(row.rating)]
        return {
            row.system: 1 + sum(r > row.rating for r in rated) if isfinite(row.rating) else None
            for row in self.table
        }

    @property
    def rank_sets(self) -> dict[str, tuple[int, int]]:
        """{system: (best, worst) rank}: at the level, all of them hold together."""
        return {row.system: (row.best_rank, row.worst_rank) for row in self.table}

    def difference(self, one: str, other: str) -> tuple[float, float, float]:
        """Return how far one system is ahead of another, and the ends of its interval (of this pair alone).

        Raises
        ------
        DataError
            If a system is not on the leaderboard.
        """
        i, j = self._place(one), self._place(other)
        c = self.covariance
        error = float(np.sqrt(max(c[i, i] + c[j, j] - 2 * c[i, j], 0)))
        ahead = self.table[i].rating - self.table[j].rating
        wide = quantile(self.n_clusters - 1, self.level) * error if self.n_clusters > 1 else np.inf
        return ahead, ahead - wide, ahead + wide

    def _place(self, system: str) -> int:
        if system not in self.systems:
            near = did_you_mean(system, self.systems)
            raise DataError(f"system must be one of {list(self.systems)}; got {system!r}; {near}")
        return self.systems.index(system)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types, and what the ratings mean."""
        return Result.to_dict(self) | {"meaning": to_json(self.meaning)}

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per system."""
        return (Table.of_records("Ratings", Rated, self.table),)

    def summary(self) -> str:
        """Return the leaders, a line for each system, and what the numbers rest on."""
        lines = [self.message, *self._lines(), *self._told()]
        lines += [f"Warning: {warning}" for warning in self.warnings]
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes), self.meaning])

    def _lines(self) -> list[str]:
        head = ("rank", "system", "rating", level_text(self.level), "Elo", "battles")
        rows = [
            (
                _span(row.best_rank, row.worst_rank),
                row.system,
                _number(row.rating),
                f"{_number(row.low)} .. {_number(row.high)}",
                _number(row.elo, 0),
                f"{row.battles:,}",
            )
            for row in self.table
        ]
        widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        return [
            "  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]

    def _clusters(self) -> str:
        return f"{self.n_clusters:,} clusters by {self.cluster}"

    def _told(self) -> list[str]:
        unit = "each for itself" if self.cluster is None else self._clusters()
        told = [f"{self.n_battles:,} battles, {unit}; ties: {self.ties}."]
        if self.n_gold:
            weigh = "" if self.lambda_ is None else f"; the judges' votes weigh {self.lambda_:.2f}"
            told += [f"Gold for {how_many(self.n_gold, 'battle')}{weigh}."]
        if self.order_effect is not None:
            told += [
                f"Being shown first adds {self.order_effect.effect:.2f} "
                f"({_number(self.order_effect.low)} .. {_number(self.order_effect.high)})."
            ]
        if self.flip_rate is not None and self.accuracy_ceiling is not None:
            told += [
                f"Asked in both orders: {how_many(self.n_pairs_swapped, 'pair')}, "
                f"{percent(self.flip_rate)} with another answer; so at most "
                f"{percent(self.accuracy_ceiling)} of these calls are right (ties as an answer of their own)."
            ]
        return told


def _span(best: int, worst: int) -> str:
    return f"{best}" if best == worst else f"{best}-{worst}"


def _number(value: float | None, digits: int = 2) -> str:
    if value is None or value != value:
        return "-"
    if not isfinite(value):
        return "inf" if value > 0 else "-inf"
    return f"{round(value, digits) + 0.0:.{digits}f}"
