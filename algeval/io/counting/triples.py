"""Votes of a long table in order of their items: a part of the items at a time, whatever their number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from algeval.io.columns import Places
from algeval.io.counting.scan import Scan
from algeval.io.counting.tuples import Cells

__all__ = ["Part", "items_in_parts", "keep_cells"]

_PART = 4_000_000
"""Votes that are sorted at a time; all votes of an item are in one part."""

_KEPT = '"algeval cells"'


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the items, with all their votes.

    Attributes
    ----------
    cells : (votes,) int array
        As `keep_cells` made them, those of an item together and in order.
    item_of : (votes,) int array
        Whose vote each is, from 0 on.
    n_items : int
    """

    cells: Cells
    item_of: Places
    n_items: int

    def again(self, cells_of_a_judge: int) -> NDArray[np.bool_]:
        """(votes - 1,) whether the next vote is of the same judge on the same item."""
        judge = self.cells // cells_of_a_judge
        same: NDArray[np.bool_] = self.item_of[1:] == self.item_of[:-1]
        same &= judge[1:] == judge[:-1]
        return same


def keep_cells(scan: Scan, item: str, cell: str) -> None:
    """Let DuckDB keep of each row a hash of its item, and a number for its judge and answer."""
    scan.run(
        f"CREATE OR REPLACE TEMP TABLE {_KEPT} AS SELECT hash({item}) AS h, ({cell})::INTEGER AS c "
        f"FROM {scan.relation}"
    )


def items_in_parts(scan: Scan, n_rows: int) -> Iterator[Part]:
    """Yield the items of what `keep_cells` kept, each with all its votes; two of one hash are one."""
    n_parts = -(-n_rows // _PART)
    for part in range(n_parts):
        found = scan.run(f"SELECT h, c FROM {_KEPT} WHERE h % {n_parts} = {part} ORDER BY h, c")
        hashes = np.asarray(found["h"])
        if len(hashes):
            item_of = np.zeros(len(hashes), np.int64)
            np.cumsum(hashes[1:] != hashes[:-1], out=item_of[1:])
            yield Part(np.asarray(found["c"], np.int32), item_of, int(item_of[-1]) + 1)
    scan.run(f"DROP TABLE {_KEPT}")
