"""What every goal is asked, and what is drawn of the items that have no label yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.inputs import Gold, cluster_codes, read_gold
from algeval.rates.sampling.design import spread_order, systematic
from algeval.rates.sampling.result import NextItems
from algeval.result import Status

__all__ = ["Before", "Drawing", "Floats", "Places", "not_labelled"]

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
Before = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """What every goal is asked: how many items, what is labelled, what belongs together."""

    n: int
    gold: Any
    cluster: Any
    label: object
    random: int

    def labels_of(self, votes: Votes) -> tuple[Gold | None, Before]:
        """Return the labels there are, and the same by item."""
        if self.gold is None:
            return None, {}
        gold = read_gold(self.gold, votes, self.label)
        truths = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        return gold, {votes.items[row]: (votes.labels[code],) for row, code in truths}

    def clusters_of(self, items: tuple[str, ...], rows: Places) -> Places | None:
        """Return the clusters of some of the items, numbered from 0 without gaps."""
        if self.cluster is None:
            return None
        codes = cluster_codes(self.cluster, items)[rows]
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)

    def draw(
        self,
        items: Sequence[str],
        eligible: Places,
        chances: Floats,
        spread: tuple[Places, Places | None],
        **told: Any,
    ) -> NextItems:
        """Return what is drawn of the eligible items, with these chances.

        spread : the strata and the clusters of the eligible items.
        told : what the result says besides.
        """
        rng = np.random.default_rng(self.random)
        drawn = systematic(chances, spread_order(*spread, rng), rng)
        return NextItems(
            status=Status.OK,
            items=tuple(items[row] for row in eligible[drawn].tolist()),
            inclusion=tuple(chances[drawn].tolist()),
            n_items=len(items),
            n_eligible=len(eligible),
            random=self.random,
            **told,
        )

    def how_many_of(self, eligible: Places) -> int:
        """Return how many are drawn of those left."""
        if not len(eligible):
            raise DataError(
                "items must be left to label; got none; every one that counts is labelled"
            )
        return min(self.n, len(eligible))


def not_labelled(n_items: int, labelled: Places | None) -> Places:
    """Return the places that are not labelled."""
    left = np.ones(n_items, bool)
    left[[] if labelled is None else labelled] = False
    return np.flatnonzero(left)
