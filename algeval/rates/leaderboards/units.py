"""What was drawn independently: prompts with all their battles, or single battles for want of better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import factorise
from algeval.io.layout import shown
from algeval.io.tables import Table
from algeval.rates.leaderboards.battles import Battles
from algeval.result.wording import how_many

__all__ = ["Units", "units_of"]


class Units(NamedTuple):
    """The cluster of each battle, as numbers from 0; the column they come from; warnings."""

    codes: NDArray[np.int64]
    name: str | None
    warnings: tuple[str, ...]


def units_of(table: Table, battles: Battles, cluster: str | Sequence[Any] | None) -> Units:
    """Return the clusters asked for, by default the prompts, and else the battles one by one.

    Raises
    ------
    DataError
        If `cluster` is no column, or not one entry for each row of the table.
    """
    if cluster is None and battles.item is not None:
        return Units(battles.item, battles.names["item"], ())
    if cluster is None:
        return Units(np.arange(len(battles)), None, (_WITHOUT,))
    name, codes = _given(table, cluster)
    codes = codes[battles.kept]
    if (codes < 0).any():
        n = int((codes < 0).sum())
        raise DataError(
            f"every battle must belong to a cluster; {how_many(n, 'battle')} without one in {name}; give "
            "each its own name if it stands alone"
        )
    return Units(np.unique(codes, return_inverse=True)[1], name, _split(battles, codes, name))


_WITHOUT = (
    "battles are taken as independent, for want of a column of prompts; several votes on one prompt are "
    "not, and intervals are then too narrow: name the column with cluster="
)


def _given(table: Table, cluster: str | Sequence[Any]) -> tuple[str, NDArray[np.int64]]:
    if isinstance(cluster, str):
        if cluster not in table.names:
            raise DataError(
                f"cluster must name a column; got {cluster!r}; choose from {shown(table.names)}"
            )
        return cluster, table.column(cluster).codes
    column = factorise("cluster", cluster)
    if len(column.codes) != table.n_rows:
        raise DataError(
            f"cluster must hold one entry for each row ({table.n_rows}); got {len(column.codes)}; or name "
            "a column"
        )
    return "cluster", column.codes


def _split(battles: Battles, codes: NDArray[np.int64], name: str) -> tuple[str, ...]:
    """Warn where the battles of one prompt lie in several clusters."""
    if battles.item is None:
        return ()
    largest = np.full(int(battles.item.max()) + 1, -1, np.int64)
    np.maximum.at(largest, battles.item, codes)
    n = len(np.unique(battles.item[largest[battles.item] != codes]))
    if not n:
        return ()
    told = f"{how_many(n, 'prompt has', 'prompts have')} battles in several clusters of {name}"
    return (f"{told}; votes on one prompt are not independent, and intervals may be too narrow",)
