"""True winners of some battles: a column of the table, or a table of its own joined by prompt."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.tables import Table
from algeval.rates.leaderboards.battles import Battles, Named, outcome_column, read_battles
from algeval.rates.leaderboards.outcomes import FIRST, SECOND, TIE, UNKNOWN

__all__ = ["gold_outcomes"]

Outcomes = NDArray[np.int8]


def gold_outcomes(gold: Any, table: Table, battles: Battles) -> Outcomes:
    """Return the true outcome of each battle, UNKNOWN where there is none.

    Parameters
    ----------
    gold : str, path or table
        A column of `table` with winners, blank where unknown; or a table of prompts, two systems each,
        and the winner, whatever the order of the two.
    table : Table
    battles : Battles

    Raises
    ------
    DataError
        If no battle has gold, one has two, or battles cannot be told by their prompts.
    """
    if isinstance(gold, Mapping) and any(isinstance(cells, str) for cells in gold.values()):
        raise DataError(
            "gold must say which two systems met, as a prompt may have several pairs; got a mapping of "
            "prompts; pass a table with columns prompt, model_a, model_b and winner"
        )
    column = isinstance(gold, str) and (gold in table.names or not os.path.exists(gold))
    found = outcome_column(table, gold, battles) if column else _joined(gold, battles)
    if (found == UNKNOWN).all():
        raise DataError(
            "gold must name the winner of at least one of the battles; got none; leave gold= out"
        )
    return found


def _joined(gold: Any, battles: Battles) -> Outcomes:
    true, _ = read_battles(gold, Named())
    if battles.item is None or true.item is None:
        raise DataError(
            "gold must be joined by prompt; one of the tables has no column of prompts; name it 'prompt' "
            "in both, or give gold as a column of the battles"
        )
    systems = {name: k for k, name in enumerate(battles.systems)}
    items = {name: k for k, name in enumerate(battles.items)}
    place = np.array([systems.get(name, -1) for name in true.systems])
    item = np.array([items.get(name, -1) for name in true.items])[true.item]
    first, second = place[true.first], place[true.second]
    here = (item >= 0) & (first >= 0) & (second >= 0)
    code, outcome = _codes(item[here], first[here], second[here], true.outcome[here], len(systems))
    code, outcome = _one_each(code, outcome)
    asked, _ = _codes(battles.item, battles.first, battles.second, battles.outcome, len(systems))
    at = np.minimum(np.searchsorted(code, asked), max(len(code) - 1, 0))
    if not len(code):
        return np.full(len(battles), UNKNOWN, np.int8)
    found = np.where(code[at] == asked, outcome[at], UNKNOWN)
    return _turned(found, battles.first > battles.second)


def _codes(
    item: NDArray[Any], first: NDArray[Any], second: NDArray[Any], outcome: Outcomes, k: int
) -> tuple[NDArray[np.int64], Outcomes]:
    """Return a number per prompt and pair of systems, and the outcome as the lower place sees it."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    return (item * k + low) * k + high, _turned(outcome, first > second)


def _turned(outcome: NDArray[Any], where: NDArray[np.bool_]) -> Outcomes:
    other = np.array([SECOND, FIRST, TIE, UNKNOWN], np.int8)
    return np.where(where, other[outcome], outcome).astype(np.int8)


def _one_each(code: NDArray[np.int64], outcome: Outcomes) -> tuple[NDArray[np.int64], Outcomes]:
    distinct, first, group = np.unique(code, return_index=True, return_inverse=True)
    kept = outcome[first]
    if (kept[group] != outcome).any():
        raise DataError(
            "gold must name one winner for a prompt and two systems; got two different ones; keep one, "
            "the majority of several people for example"
        )
    return distinct, kept
