"""Items that belong together: responses to one prompt, turns of one conversation, epochs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.items.rows import read_item_rows
from algeval.io.layout import shown
from algeval.result.wording import how_many

__all__ = ["cluster_codes"]

_NAMES = ("cluster", "group", "prompt", "prompt_id", "question", "conversation", "pair", "document")


def cluster_codes(cluster: Any, items: Sequence[str]) -> NDArray[np.int64]:
    """Return the cluster of each item as a number from 0, in order of first appearance.

    Parameters
    ----------
    cluster : mapping, path, table or sequence
        {item: cluster}; a path or table with a column of items and one of clusters; or one cluster per
        item, in their order.
    items : sequence of str

    Raises
    ------
    DataError
        If an item has no cluster, or the lengths differ.

    Examples
    --------
    >>> cluster_codes(["p1", "p2", "p1"], ["a", "b", "c"]).tolist()
    [0, 1, 0]
    """
    names = _of_items(cluster, items)
    place: dict[str, int] = {}
    return np.array([place.setdefault(name, len(place)) for name in names], np.int64)


def _of_items(cluster: Any, items: Sequence[str]) -> list[str]:
    if _is_plain(cluster):
        if len(cluster) != len(items):
            raise DataError(
                f"cluster must hold one value per item ({len(items)}); got {len(cluster)}; or pass "
                "{item: cluster}"
            )
        values = [None if value is None else str(value) for value in cluster]
    else:
        found = read_item_rows(cluster, "cluster", _NAMES)
        known = dict(zip(found.items, found.values, strict=True))
        values = [known.get(item) for item in items]
    lacking = [item for item, value in zip(items, values, strict=True) if value is None]
    if lacking:
        raise DataError(
            f"every item must belong to a cluster; {how_many(len(lacking), 'item')} without one: "
            f"{shown(lacking, 3)}; give each its own name if it stands alone"
        )
    return [value or "" for value in values]


def _is_plain(cluster: Any) -> bool:
    """Whether it is one value per item, and no table."""
    if isinstance(cluster, str | Mapping) or hasattr(cluster, "columns"):
        return False
    if hasattr(cluster, "tolist"):
        return getattr(cluster, "ndim", 1) == 1
    return isinstance(cluster, list | tuple) and not any(
        isinstance(one, Mapping) for one in cluster
    )
