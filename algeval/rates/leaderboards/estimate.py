"""From battles to ratings: what can be put on one scale, the fit, and why there may be none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates.leaderboards.battles import Battles
from algeval.rates.leaderboards.cells import Cells, cells_of
from algeval.rates.leaderboards.graph import Standing, runs_away, standing_of
from algeval.rates.leaderboards.likelihood import MODELS
from algeval.rates.leaderboards.outcomes import UNKNOWN
from algeval.rates.leaderboards.sandwich import Sandwich, counts_of, sandwich, with_gold

__all__ = ["Asked", "Estimate", "estimate"]

Ints = NDArray[np.int64]


class Asked(NamedTuple):
    """What is fitted to: battles, the cluster of each, true outcomes or None, ties, the order effect."""

    battles: Battles
    cluster: Ints
    gold: NDArray[np.int8] | None
    ties: str
    ordered: bool


class Estimate(NamedTuple):
    """What came of it.

    Attributes
    ----------
    standing : Standing
    main : (m,) int array
        Systems on one scale, in the order of the fit; none where there is no fit.
    found : Sandwich or None
        None where no two systems share a scale, or the fit did not end.
    n_clusters : int
        Of the battles fitted to.
    failed : str
        Why there is no fit: "", "scale", "one order", "ties", "order" or "gold".
    """

    standing: Standing
    main: Ints
    found: Sandwich | None
    n_clusters: int
    failed: str


def estimate(asked: Asked) -> Estimate:
    """Return the ratings of the largest group of systems that have a common scale."""
    battles = asked.battles
    rows = _Rows.of(asked)
    k = len(battles.systems)
    standing = standing_of(rows.cells(k, ordered=False)[0])
    none = np.array([], np.int64)
    main = np.array(standing.components[0], np.int64)
    if len(main) < 2:
        return Estimate(standing, none, None, 0, "scale")
    if asked.ordered and not _both_orders(battles):
        return Estimate(standing, none, None, 0, "one order")
    rows = rows.among(main, k)
    cells, cell_of = rows.cells(len(main), ordered=asked.ordered)
    found, n_clusters = rows.fitted(cells, cell_of, asked.ties)
    if found.fit.converged:
        return Estimate(standing, main, found, n_clusters, "")
    return Estimate(standing, none, None, n_clusters, _cause(rows, cells, asked))


class _Rows(NamedTuple):
    """Votes, and below them the gold of some of the same battles."""

    first: Ints
    second: Ints
    outcome: NDArray[np.int8]
    cluster: Ints
    known: Ints
    """The rows of votes that have gold."""

    @classmethod
    def of(cls, asked: Asked) -> _Rows:
        battles = asked.battles
        gold = np.full(0, UNKNOWN, np.int8) if asked.gold is None else asked.gold
        known = np.flatnonzero(gold != UNKNOWN)
        return cls(
            np.concatenate([battles.first, battles.first[known]]),
            np.concatenate([battles.second, battles.second[known]]),
            np.concatenate([battles.outcome, gold[known]]),
            np.concatenate([asked.cluster, asked.cluster[known]]),
            known,
        )

    @property
    def n_votes(self) -> int:
        return len(self.first) - len(self.known)

    def cells(self, n_systems: int, *, ordered: bool) -> tuple[Cells, Ints]:
        return cells_of(n_systems, self.first, self.second, self.outcome, ordered=ordered)

    def among(self, main: Ints, n_systems: int) -> _Rows:
        """Return the rows between some systems, which are numbered anew."""
        place = np.full(n_systems, -1)
        place[main] = np.arange(len(main))
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        votes = kept[: self.n_votes]
        known = (np.cumsum(votes) - 1)[self.known[kept[self.n_votes :]]]
        return _Rows(first[kept], second[kept], self.outcome[kept], self.cluster[kept], known)

    def fitted(self, cells: Cells, cell_of: Ints, ties: str) -> tuple[Sandwich, int]:
        distinct, cluster = np.unique(self.cluster, return_inverse=True)
        shape, n = (len(distinct), len(cells)), self.n_votes
        votes = counts_of(cluster[:n], cell_of[:n], shape)
        if not len(self.known):
            return sandwich(cells, votes, ties), len(distinct)
        labelled = counts_of(cluster[self.known], cell_of[self.known], shape)
        gold = counts_of(cluster[n:], cell_of[n:], shape)
        return with_gold(cells, votes, labelled, gold, ties), len(distinct)


def _both_orders(battles: Battles) -> bool:
    """Whether some two systems met in both orders."""
    k = len(battles.systems)
    there = np.unique(battles.first * k + battles.second)
    return bool(np.isin(there % k * k + there // k, there).any())


def _cause(rows: _Rows, cells: Cells, asked: Asked) -> str:
    """Return what makes the likelihood grow for ever."""
    if len(rows.known):
        return "gold"
    free = MODELS[asked.ties].start is not None and cells.any_tie
    unordered = rows.cells(cells.n_systems, ordered=False)[0]
    if runs_away(unordered, ties=free):
        return "ties"
    return "order" if asked.ordered and runs_away(cells, ties=free) else "gold"
