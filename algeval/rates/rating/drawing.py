"""How labels came about: at random, with known chances, or elsewhere; and the settings that say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.errors import DataError
from algeval.io import read_votes
from algeval.io.layout import KEY_NAMES, match, shown
from algeval.io.tables import open_table
from algeval.rates.inputs import Gold, panel_of, read_gold
from algeval.rates.inputs.numbers import chances_of
from algeval.rates.intervals.labelled import stands_for
from algeval.rates.intervals.transfer import Elsewhere

__all__ = ["ASSUMPTIONS", "elsewhere_of", "inclusion_of"]

ASSUMPTIONS = {
    "random": "labels drawn at random",
    "unequal": "labels drawn with the chances given",
    "elsewhere": "the verdict errs as often as where the labels are from",
}
"""What an interval from labels rests on, by how they were drawn."""


def inclusion_of(
    inclusion: Any, gold: Gold, votes: Votes, drawn: str
) -> NDArray[np.float64] | None:
    """Return the chance of each labelled item, None where all were alike.

    Raises
    ------
    DataError
        If chances are missing, out of range, given where labels were drawn otherwise, or such that the
        labels stand for far fewer or far more items than there are.
    """
    found = _chances(inclusion, gold, votes, drawn)
    n_items = len(votes.items)
    told = None if found is None else stands_for(found, n_items)
    if told is not None:
        raise DataError(
            f"labelled items must stand for all {n_items}, each for one over its chance of inclusion; got "
            f"chances by which they stand for about {told:.0f}; label every item that was drawn, or "
            "correct the chances"
        )
    return found


def _chances(inclusion: Any, gold: Gold, votes: Votes, drawn: str) -> NDArray[np.float64] | None:
    if drawn != "unequal":
        if inclusion is not None:
            raise DataError(
                f"inclusion must come with drawn='unequal'; got drawn={drawn!r}; say which it is"
            )
        found = gold.inclusion if drawn == "random" else None
        return None if found is None or np.ptp(found) == 0 else found
    if inclusion is None and gold.inclusion is None:
        raise DataError(
            "drawn='unequal' needs the chance with which each labelled item was drawn; got none; pass "
            "inclusion={item: chance}, or a column 'inclusion' beside the labels"
        )
    if inclusion is None:
        return gold.inclusion
    return chances_of(inclusion, votes.items, gold.rows)


def elsewhere_of(gold: Any, votes: Votes, label: str) -> tuple[Elsewhere, Gold]:
    """Return how often the panel's verdict was right on items labelled elsewhere.

    Parameters
    ----------
    gold : Votes with a key, a table of them, or what `read_gold` takes
        Votes of the same judges on other items, with their key; or labels of some of these items.
    votes : Votes
    label : str

    Raises
    ------
    DataError
        If the judges are others, or every label is the same.
    """
    gold = _with_votes(gold, votes)
    if isinstance(gold, Votes) and gold is not votes and gold.key is not None:
        lacking = [judge for judge in votes.judges if judge not in gold.judges]
        if lacking:
            raise DataError(
                f"labels from elsewhere must come with votes of the same judges; got none of "
                f"{shown(lacking, 3)}; leave these judges out here too"
            )
        votes = gold.select(judges=votes.judges)
        gold = "key"
    found = read_gold(gold, votes, label)
    verdict = panel_of(votes, label).verdict[found.rows]
    passes, others = found.values[verdict >= 0] == 1, found.values[verdict >= 0] == 0
    seen = verdict[verdict >= 0]
    if not passes.any() or not others.any():
        raise DataError(
            f"labels from elsewhere must hold {label!r} and something else; got one kind; label more"
        )
    counts = passes.sum(), (passes & (seen == 1)).sum(), others.sum(), (others & (seen == 0)).sum()
    return Elsewhere(*map(float, counts)), found


def _with_votes(gold: Any, votes: Votes) -> Any:
    """Return votes with their key where a table holds a column of each judge, and one of labels."""
    if isinstance(gold, Mapping | Votes) or (isinstance(gold, str) and gold == "key"):
        return gold
    names = open_table(gold).names
    key = match(names, KEY_NAMES)
    if key is None or not set(votes.judges) <= set(names):
        return gold
    return read_votes(gold, key=key, judges=votes.judges, labels=votes.labels)
