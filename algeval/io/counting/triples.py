"""Votes of a long table in order of their items: a part of the items at a time, whatever their number."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from algeval.io.columns import Places
from algeval.io.counting.items import Hashed
from algeval.io.counting.scan import Scan
from algeval.io.counting.tuples import Cells
from algeval.io.opened import read_call, sql_text

__all__ = ["Part", "items_in_parts"]

_PART = 4_000_000
"""Votes that are sorted at a time; all votes of an item are in one part."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the items, with all their votes.

    Attributes
    ----------
    cells : (votes,) int array
        A number for judge and answer; those of an item together and in order.
    item_of : (votes,) int array
        Whose vote each is, from 0 on.
    n_items : int
    mixed : bool
        Whether two items have one hash, and are taken for one.
    """

    cells: Cells
    item_of: Places
    n_items: int
    mixed: bool

    def again(self, cells_of_a_judge: int) -> NDArray[np.bool_]:
        """(votes - 1,) whether the next vote is of the same judge on the same item."""
        judge = self.cells // cells_of_a_judge
        same: NDArray[np.bool_] = self.item_of[1:] == self.item_of[:-1]
        same &= judge[1:] == judge[:-1]
        return same


def items_in_parts(scan: Scan, item: Hashed, cell: str, n_rows: int) -> Iterator[Part]:
    """Yield the items with all their votes; DuckDB writes them to disk in parts, once.

    item, cell : the SQL of a row's item, and of a number for its judge and answer.
    """
    n_parts = -(-n_rows // _PART)
    with tempfile.TemporaryDirectory(prefix="algeval-") as folder:
        parts = Path(folder, "parts")
        scan.run("SET preserve_insertion_order = false")  # rows would wait in memory for their turn
        scan.run(
            f"COPY (SELECT {item.first} AS h, {item.second} AS g, ({cell})::INTEGER AS c, "
            f"{item.first} % {n_parts} AS part FROM {scan.relation}) TO {sql_text(str(parts))} "
            "(FORMAT parquet, PARTITION_BY (part), COMPRESSION uncompressed)"
        )
        scan.run("SET preserve_insertion_order = true")
        for place in range(n_parts):
            files = sorted(Path(parts, f"part={place}").glob("*.parquet"))
            if files:
                yield _part(scan, read_call("read_parquet", files, "hive_partitioning=false"))


def _part(scan: Scan, files: str) -> Part:
    found = scan.run(f"SELECT h, g, c FROM {files} ORDER BY h, c")
    hashes, others = np.asarray(found["h"]), np.asarray(found["g"])
    new = hashes[1:] != hashes[:-1]
    mixed = bool((others[1:] != others[:-1])[~new].any())
    item_of = np.zeros(len(hashes), np.int64)
    np.cumsum(new, out=item_of[1:])
    return Part(np.asarray(found["c"], np.int32), item_of, int(item_of[-1]) + 1, mixed)
