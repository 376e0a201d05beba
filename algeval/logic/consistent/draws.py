"""Exactly uniform draws: whole numbers of any size, tables, and correct counts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np

from algeval.logic.consistent.lattice import count_in_box
from algeval.logic.consistent.tables import Key, Series, Table
from algeval.logic.orders.closed_form import compositions

__all__ = ["Weighted", "below", "draw_correct", "draw_split", "draw_table"]


def below(rng: np.random.Generator, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1, however large: bits, and again if too large."""
    bits = bound.bit_length()
    excess = -bits % 8
    while True:
        value = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> excess
        if value < bound:
            return value


class Weighted:
    """Values to draw with whole-number weights."""

    def __init__(self, pairs: Iterable[tuple[object, int]]) -> None:
        listed = [(value, weight) for value, weight in pairs if weight]
        self.values = [value for value, _ in listed]
        self.ends = list(accumulate(weight for _, weight in listed))

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return self.ends[-1] if self.ends else 0

    def draw(self, rng: np.random.Generator) -> object:
        """Return one value."""
        return self.values[bisect_right(self.ends, below(rng, self.total))]


def draw_split(rng: np.random.Generator, count: int, labels: int) -> Key:
    """Draw one of the ways to write `count` as an ordered sum of `labels` whole numbers."""
    total = count + labels - 1
    chosen: set[int] = set()
    while len(chosen) < labels - 1:  # a uniform set of bars among the stars
        chosen.add(below(rng, total))
    ends = [-1, *sorted(chosen), total]
    return tuple(b - a - 1 for a, b in pairwise(ends))


def draw_table(
    rng: np.random.Generator, rows: Sequence[int], key: Key, after: Sequence[Series]
) -> Table:
    """Draw one of the tables with these row and column sums, row by row.

    after : for every k the numbers of tables of rows k, k+1, ... by column sums (`suffixes`).
    """
    table: list[Key] = []
    left = key
    zero = (0,) * len(key)
    for k, count in enumerate(rows):
        place = below(rng, after[k][left])
        for split in compositions(zero, tuple(min(count, q) for q in left), count):
            rest = tuple(q - s for q, s in zip(left, split, strict=True))
            place -= after[k + 1].get(rest, 0)
            if place < 0:
                break
        table.append(split)
        left = rest
    return tuple(table)


def draw_correct(rng: np.random.Generator, given: Key, key: Key) -> Key:
    """Draw one of the attained correct counts of a judge, halving one label's range after another."""
    low = [0] * len(key)
    high = [min(r, q) for r, q in zip(given, key, strict=True)]
    place = below(rng, count_in_box(given, key, low, high))
    for t in range(len(key)):
        while low[t] < high[t]:
            middle = (low[t] + high[t]) // 2
            half = count_in_box(given, key, low, [*high[:t], middle, *high[t + 1 :]])
            if place < half:
                high[t] = middle
            else:
                place -= half
                low[t] = middle + 1
    return tuple(low)
