"""What is known of items besides scores, as numbers: attributes, and the clusters they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.results import Floats
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result.wording import did_you_mean

__all__ = ["attribute_names", "cluster_of", "numeric_attribute", "numeric_attributes"]

Columns = Mapping[str, Sequence[Any]]


def attribute_names(data: Scores, given: Columns | None = None) -> list[str]:
    """Return the names of the attributes of the scores and of those given beside them."""
    return list({**(data.attributes or {}), **(given or {})})


def numeric_attribute(data: Scores, name: str, given: Columns | None = None) -> Floats:
    """Return (n_items,) numbers of an attribute, NaN where it is not known.

    Parameters
    ----------
    data : Scores
    name : str
    given : {name: sequence of n_items}, optional
        Attributes beside those the scores carry.

    Raises
    ------
    DataError
        If there is no such attribute, or it holds something that is no number.
    """
    column = _column(data, name, given)
    numbers = np.full(data.n_items, np.nan)
    for place, value in enumerate(column):
        if value is None or value == "":
            continue
        try:
            numbers[place] = float(value)
        except (TypeError, ValueError):
            raise DataError(
                f"attribute {name!r} must hold numbers; got {value!r} on item {data.items[place]!r}; "
                "leave it out, or code it as numbers"
            ) from None
    return numbers


def numeric_attributes(data: Scores, given: Columns | None = None) -> dict[str, Floats]:
    """Return {name: (n_items,) numbers} of the attributes that hold numbers and vary; others are left out."""
    found = {}
    for name in attribute_names(data, given):
        try:
            numbers = numeric_attribute(data, name, given)
        except DataError:
            continue
        known = numbers[~np.isnan(numbers)]
        if len(known) > 1 and np.ptp(known) > 0:
            found[name] = numbers
    return found


def cluster_of(
    data: Scores, cluster: str | Sequence[Any] | None, given: Columns | None = None
) -> NDArray[np.intp]:
    """Return (n_items,) the number of the cluster of each item; its own where there are none.

    cluster : the name of an attribute, or a cluster id per item.
    """
    if cluster is None:
        return np.arange(data.n_items)
    if not isinstance(cluster, Iterable):
        raise DataError(
            f"cluster must name an attribute, or have one id per item; got {cluster!r}; change it"
        )
    column = _column(data, cluster, given) if isinstance(cluster, str) else list(cluster)
    if len(column) != data.n_items:
        raise DataError(
            f"cluster must have one id per item ({data.n_items}); got {len(column)}; name an attribute, "
            "or give as many"
        )
    ids = [f"item {k}" if value is None else f"id {value}" for k, value in enumerate(column)]
    found: NDArray[np.intp] = np.unique(ids, return_inverse=True)[1]
    return found


def _column(data: Scores, name: str, given: Columns | None) -> Sequence[Any]:
    known = {**(data.attributes or {}), **(given or {})}
    if name not in known:
        near = did_you_mean(name, known, "give it with attributes=")
        raise DataError(f"attribute {name!r} must be one of {list(known)}; it is not; {near}")
    column = known[name]
    if len(column) != data.n_items:
        raise DataError(
            f"attribute {name!r} must have one value per item ({data.n_items}); got {len(column)}; "
            "give None where it is not known"
        )
    return column
