"""A panel in which a group of judges counts as one: by one judge of each, or by weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from algeval.aggregate.kernels.tetrads import Alike, alike
from algeval.aggregate.results import Floats
from algeval.data import Sketch, Votes
from algeval.data.names import check_names, positions
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data

__all__ = ["centrality", "group_weights", "most_central", "one_of_each", "units_of"]

Unit = tuple[int, ...]


def one_of_each(data: Source, groups: Iterable[Sequence[object]]) -> Votes | Sketch:
    """Return the votes of one judge of each group, and of everybody in no group.

    The judge kept is the one of its group with most answers; among equals the one that goes most with
    the whole panel (sum of its correlations); among equals the first named. Judges keep their order,
    and items that only the others answered stay.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        Votes keep their key; of a keyed sketch the sketch is returned.
    groups : tuples of judge names, as `JudgeGroups.groups`

    Raises
    ------
    DataError
        If a name is not known, or in two groups.
    """
    data = read_data(data, items=True)
    sketch = as_sketch(data)
    units = units_of(sketch.judges, groups)
    found = alike(sketch.codes, sketch.counts.astype(float), sketch.n_answers, 1)
    ranks = centrality(found)
    kept = sorted(most_central(unit, ranks) for unit in units)
    names = [sketch.judges[place] for place in kept]
    return data.select(judges=names) if isinstance(data, Votes) else sketch.marginal(names)


def group_weights(judges: Sequence[object], groups: Iterable[Sequence[object]]) -> Floats:
    """Return (N,) weights: 1 / size of a judge's group, 1 for a judge in none.

    Raises
    ------
    DataError
        If a name is not known, or in two groups.

    Examples
    --------
    >>> group_weights(["i", "j", "k"], [("i", "k")]).tolist()
    [0.5, 1.0, 0.5]
    """
    names = check_names("judge", judges)
    weights = np.ones(len(names))
    for unit in units_of(names, groups):
        weights[list(unit)] = 1 / len(unit)
    return weights


def units_of(judges: Sequence[str], groups: Iterable[Sequence[object]]) -> list[Unit]:
    """Return the places of each group's judges, then of each other judge alone."""
    units: list[Unit] = []
    taken: set[int] = set()
    for group in groups:
        places = positions("judge", group, judges)
        twice = [judges[place] for place in places if place in taken]
        if twice:
            raise DataError(f"groups must not share a judge; got {twice[0]!r} twice; merge them")
        taken.update(places)
        units.append(tuple(places))
    return units + [(place,) for place in range(len(judges)) if place not in taken]


def centrality(found: Alike) -> list[int]:
    """Return each judge's rank as the one who stands for its group, 0 first; see `one_of_each`."""
    answers = found.weights @ found.given
    ties = found.together.sum(axis=1).round(6)
    order = np.lexsort((np.arange(len(answers)), -ties, -answers))
    result: list[int] = np.argsort(order).tolist()
    return result


def most_central(unit: Unit, ranks: Sequence[int]) -> int:
    """Return the judge that stands for a group."""
    return min(unit, key=lambda place: ranks[place])
