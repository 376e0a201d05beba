"""Which attributes of the items go with what judges share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.results import Floats
from algeval.aggregate.score_checks.results import ONE, Association, factor_name
from algeval.aggregate.score_kernels.rank_correlation import ranked, spearman
from algeval.data import Scores

__all__ = ["associations"]


def associations(
    data: Scores,
    factors: Floats,
    attributes: Mapping[str, Floats],
    clusters: NDArray[np.intp],
) -> tuple[Association, ...]:
    """Return every attribute with one factor, each turned factor and each judge, strongest first.

    Parameters
    ----------
    data : Scores
    factors : (n_items, 1 + k) array
        Where items stand on one factor, and on each turned one.
    attributes : {name: (n_items,) numbers, NaN where not known}
    clusters : (n_items,) places
        Of the items that may say the same twice.
    """
    scored = ~np.isnan(data.values).all(axis=1)
    columns = [("score" if k == 0 else "factor", _name(k), f) for k, f in enumerate(factors.T)]
    columns = [(kind, name, np.where(scored, f, np.nan)) for kind, name, f in columns]
    columns += [("judge", judge, f) for judge, f in zip(data.judges, data.values.T, strict=True)]
    placed = [(kind, name, ranked(column)) for kind, name, column in columns]
    found = []
    for attribute, numbers in attributes.items():
        place = ranked(numbers)
        for kind, name, other in placed:
            told = spearman(place, other, clusters)
            if np.isfinite(told.error):
                found.append(Association(attribute, kind, name, *told))
    return tuple(sorted(found, key=lambda one: -abs(one.correlation)))


def _name(place: int) -> str:
    return ONE if place == 0 else factor_name(place - 1)
