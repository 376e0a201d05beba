"""Order 2: tables of judges that the tables of every pair of them agree with.

Once every judge's own table is fixed, the pairs are free of one another. So for each pair all its
tables are summed up by their two margins, and tables of the judges are joined one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, product
from operator import mul

from algeval.logic.consistent.cells import PairTable, Rows
from algeval.logic.consistent.tables import Key, Table, count_all, refuse
from algeval.logic.orders.closed_form import compositions
from algeval.logic.policy import MOST_JOINED

__all__ = ["Joined", "join", "pair_tables"]

Margins = dict[Table, dict[Table, int]]
ADVICE = "use order=1, or fewer items or judges"


@dataclass(frozen=True, slots=True)
class Joined:
    """Every choice of one table per judge at order 2, and how many pair tables go with it."""

    rows: Rows
    margins: dict[tuple[int, int], Margins]

    def choices(self, key: Key | None = None) -> Iterator[tuple[tuple[Table, ...], int]]:
        """Yield (one table per judge, number of ways), keys and tables lexicographically descending."""
        refuse(self._most(), "joining the tables of the judges", ADVICE, most=MOST_JOINED)
        first = self.margins[0, 1]
        starts = sorted(first, key=lambda table: (_key(table), table), reverse=True)
        for key_of_start in dict.fromkeys(map(_key, starts)):
            if key in (None, key_of_start):
                for start in starts:
                    if _key(start) == key_of_start:
                        yield from self._extend((start,), 1)

    def _most(self) -> int:
        """Bound the choices tried: every pair with the first judge allows so many tables of the other."""
        others = range(1, self.rows.exam.n_judges)
        degrees = ([len(self.margins[0, k][table]) for k in others] for table in self.margins[0, 1])
        return sum(sum(accumulate(row, mul)) for row in degrees)

    def _extend(
        self, chosen: tuple[Table, ...], ways: int
    ) -> Iterator[tuple[tuple[Table, ...], int]]:
        k = len(chosen)
        if k == self.rows.exam.n_judges:
            yield chosen, ways
            return
        for table in sorted(self.margins[0, k][chosen[0]], reverse=True):
            more = ways
            for j, other in enumerate(chosen):
                more *= self.margins[j, k][other].get(table, 0)
            if more:
                yield from self._extend((*chosen, table), more)


def _key(table: Table) -> Key:
    return tuple(map(sum, zip(*table, strict=True)))


def join(rows: Rows) -> Joined:
    """Sum up every pair's tables by their margins; refuse what would take too long."""
    needed = 0
    for i, j in rows.pairs():
        pair = count_all(list(rows.pair_counts(i, j).values()), rows.labels)
        margins = count_all((*rows.judges[i], *rows.judges[j]), rows.labels)
        needed += min(pair, margins)
    refuse(needed, "going through the tables of each pair", ADVICE, most=MOST_JOINED)
    return Joined(rows, {(i, j): _margins(rows, i, j) for i, j in rows.pairs()})


def _margins(rows: Rows, i: int, j: int) -> Margins:
    empty: Table = ((0,) * rows.labels,) * len(rows.answers)
    states: dict[tuple[Table, Table], int] = {(empty, empty): 1}
    bound = (0,) * rows.labels
    for (a, b), count in rows.pair_counts(i, j).items():
        splits = list(compositions(bound, (count,) * rows.labels, count))
        grown: dict[tuple[Table, Table], int] = {}
        for (left, right), ways in states.items():
            for split in splits:
                state = _plus(left, a, split), _plus(right, b, split)
                grown[state] = grown.get(state, 0) + ways
        states = grown
    result: Margins = {}
    for (left, right), ways in states.items():
        result.setdefault(left, {})[right] = ways
    return result


def _plus(table: Table, row: int, split: Key, sign: int = 1) -> Table:
    new = tuple(x + sign * y for x, y in zip(table[row], split, strict=True))
    return (*table[:row], new, *table[row + 1 :])


def pair_tables(
    rows: Rows, pair: tuple[int, int], left: Table, right: Table
) -> Iterator[PairTable]:
    """Yield every pair table with these margins, cells lexicographically descending."""
    cells = list(rows.pair_counts(*pair).items())
    zero = (0,) * rows.labels
    for splits in _fill(cells, left, right, zero):
        found = dict(zip((ab for ab, _ in cells), splits, strict=True))
        answers = range(len(rows.answers))
        flat = {ab: found.get(ab, zero) for ab in product(answers, answers)}
        yield tuple(tuple(flat[a, b] for b in answers) for a in answers)


def _fill(
    cells: list[tuple[tuple[int, int], int]], left: Table, right: Table, zero: Key
) -> Iterator[tuple[Key, ...]]:
    if not cells:
        yield ()
        return
    ((a, b), count), rest = cells[0], cells[1:]
    room = tuple(map(min, left[a], right[b]))
    for split in compositions(zero, room, count):
        for others in _fill(rest, _plus(left, a, split, -1), _plus(right, b, split, -1), zero):
            yield (split, *others)
