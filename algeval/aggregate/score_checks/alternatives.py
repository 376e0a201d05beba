"""How far each way of discounting, and other plain methods, would move a consensus of one factor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate.registry import method
from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import ScoreAggregation, Shift
from algeval.data import Scores
from algeval.data.names import Codes

__all__ = ["Alternatives", "alternatives"]

_PLAIN = {
    "average": "all judges use the scale alike, and none is better than another",
    "median": "all judges use the scale alike, none is better than another, and some are far off",
}


class Alternatives(NamedTuple):
    """Shifts from one factor, and traits and decisions (n_items, 1 + shifts), those of one factor first."""

    shifts: tuple[Shift, ...]
    traits: Floats
    decisions: Codes


def alternatives(
    data: Scores,
    plain: ScoreAggregation,
    *,
    rotate: bool,
    discounted: Mapping[str, Floats],
    cluster: Sequence[Any] | None,
    settings: Mapping[str, Any],
) -> Alternatives:
    """Return how far each alternative moves the consensus.

    Parameters
    ----------
    data : Scores without a key
    plain : the consensus of one factor
    rotate : whether two factors can be told apart
    discounted : {attribute: (n_items,) numbers} to take out, each by itself
    cluster : a cluster id per item, where there are clusters
    settings : prevalence, cut and seed
    """
    factor, given = method("factor", "scores"), dict(settings)
    acts: list[dict[str, Any]] = [{"rotate": "varimax"}] if rotate else []
    acts += [
        {"discount": name, "attributes": {name: _cells(numbers)}}
        for name, numbers in discounted.items()
    ]
    acts += [] if cluster is None else [{"cluster": cluster}]
    found = [factor(data, **act, **given) for act in acts]
    told = [(one.shifts[0], one) for one in found if one.shifts]
    given.pop("seed", None)
    for name, asserts in _PLAIN.items():
        other = method(name, "scores")(data, **given)
        if other.status.ok:
            told.append((Shift.between(name, asserts, plain.standing, other.standing), other))
    everything = [plain, *(one for _, one in told)]
    return Alternatives(
        tuple(shift for shift, _ in told),
        np.stack([one.item_traits for one in everything], axis=1),
        np.stack([one.decisions for one in everything], axis=1),
    )


def _cells(numbers: Floats) -> list[float | None]:
    return [None if value != value else value for value in numbers.tolist()]
