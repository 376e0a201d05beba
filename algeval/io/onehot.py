"""Fold columns that hold one vote between them: winner_a, winner_b, winner_tie, a 1 in one of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.answers import tidy
from algeval.io.columns import Column, Places
from algeval.io.layout import JUDGE_NAMES, shown

__all__ = ["fold_one_hot"]

_WINNER = frozenset({"winner", "winning", "won", "preference", "preferred", "better", "best"})
"""A column called so, with an ending, is about one candidate and never a judge."""

_FEWEST_ROWS = 5
"""So many rows that sum to 1 are no coincidence of three judges or more."""

_MOSTLY = 0.9
"""A larger share of rows that sum to 1 is one vote with slips rather than judges."""

_VALUES = {"0": 0, "1": 1, "false": 0, "true": 1}


def fold_one_hot(
    columns: list[Column], weights: Places | None = None
) -> tuple[list[Column], tuple[str, ...]]:
    """Return the columns with each one-hot group as one column of answers, and a note on each.

    weights : how many rows each cell stands for; one by default.

    Raises
    ------
    DataError
        If some columns look like one vote, but rows do not sum to 1.
    """
    notes: tuple[str, ...] = ()
    taken: set[str] = set()
    made: dict[str, Column] = {}
    for prefix, group in _groups(columns):
        if taken.intersection(column.name for column in group):
            continue
        if not _is_one_vote(prefix, group, weights):
            continue
        folded = _folded(group)
        made[group[0].name] = folded
        taken.update(column.name for column in group)
        notes += (
            f"one vote per row in {shown([c.name for c in group])}: read as judge {folded.name!r} "
            f"answering {shown([str(value) for value in folded.values])}",
        )
    kept = [made.get(c.name, c) for c in columns if c.name not in taken or c.name in made]
    return kept, notes


def _groups(columns: list[Column]) -> list[tuple[str, list[Column]]]:
    """Return (prefix, columns of 0 and 1 that share it), the largest group first."""
    binary = [column for column in columns if _bits(column) is not None]
    found: defaultdict[str, list[Column]] = defaultdict(list)
    for column in binary:
        for end in re.finditer(r"[_. -]+", column.name):
            if end.start() > 0 and end.end() < len(column.name):
                found[column.name[: end.start()]].append(column)
    groups = [(prefix, group) for prefix, group in found.items() if len(group) > 1]
    return sorted(groups, key=lambda pair: (-len(pair[1]), len(pair[0])))


def _bits(column: Column) -> NDArray[np.int64] | None:
    """Return a column of 0 and 1 (-1 for none), None where it holds anything else."""
    texts = [tidy(value) for value in column.values]
    values = [-1 if text is None else _VALUES.get(text.lower(), 2) for text in texts]
    return column.look_up(values) if {0, 1} & set(values) and 2 not in values else None


def _table(group: Sequence[Column]) -> NDArray[np.int64]:
    return np.stack([bits for column in group if (bits := _bits(column)) is not None], axis=1)


def _is_one_vote(prefix: str, group: Sequence[Column], weights: Places | None) -> bool:
    """Whether columns are one vote; refuse where that is not clear."""
    words = re.split(r"[_. -]+", prefix.lower())
    if words[-1] in JUDGE_NAMES:
        return False
    table = _table(group)
    voted = (table >= 0).any(axis=1)
    given, times = table[voted], None if weights is None else weights[voted]
    ones = (given.sum(axis=1) == 1) & (given >= 0).all(axis=1)
    every, share = bool(ones.all()), float(np.average(ones, weights=times))
    n = len(ones) if times is None else int(times.sum())
    sure = bool(_WINNER.intersection(words)) or (len(group) > 2 and n >= _FEWEST_ROWS)
    if every and sure:
        return True
    doubtful = _WINNER.intersection(words) or (
        (len(group) > 2 and share >= _MOSTLY and n >= 2 * _FEWEST_ROWS)
        or (len(group) == 2 and every and n >= _FEWEST_ROWS)
    )
    if doubtful:
        raise DataError(_refusal([column.name for column in group], ones, table, times))
    return False


def _refusal(
    names: list[str], ones: NDArray[np.bool_], table: NDArray[np.int64], times: Places | None
) -> str:
    start = f"columns {shown(names, 6)} must be one vote, a 1 in exactly one of them, or judges"
    rows = np.flatnonzero((table >= 0).any(axis=1))
    bad = rows[~ones]
    if len(bad):
        sums = int(table[bad[0]].clip(min=0).sum())
        n, right = (len(ones), ones.sum()) if times is None else (times.sum(), times[ones].sum())
        which = f"row {bad[0] + 1}" if times is None else "one"
        got = f"{right} of {n} rows have one 1, but {which} sums to {sums}"
    else:
        got = "two columns that never agree, which may be either"
    return f"{start}; got {got}; make one column of them, or pass judges= to count each as a judge"


def _folded(group: Sequence[Column]) -> Column:
    """Return one column whose values are the endings of the group's names."""
    names = [column.name for column in group]
    stem = _common_stem(names)
    table = _table(group)
    codes = np.where((table >= 0).any(axis=1), table.argmax(axis=1), -1)
    endings = tuple(name[len(stem) :].lstrip("_. -") for name in names)
    return Column(stem.rstrip("_. -"), endings, codes.astype(np.int64))


def _common_stem(names: Sequence[str]) -> str:
    """Return the longest start all names share that ends before a separator."""
    shared = names[0]
    while not all(name.startswith(shared) for name in names):
        shared = shared[:-1]
    places = [end.end() for end in re.finditer(r"[_. -]+", shared)]
    return shared[: places[-1]] if places else shared
