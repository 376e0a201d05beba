"""How many labels each judge of a trio tells apart, as far as the counts show it."""

from __future__ import annotations

import flint
import numpy as np

from algeval.algebra.decoding.trio import Trio

__all__ = ["blind_judges", "flattening_ranks", "rank_words"]


def flattening_ranks(trio: Trio) -> tuple[int, ...]:
    """Return for each judge the rank of its answers against the joint answers of the other two.

    It is at most the rank of the judge's confusion table, hence at least that many labels are told
    apart. Exact, in whole numbers.
    """
    cube = np.array(trio.table, dtype=object)
    size = len(trio.answers)
    rows = (np.moveaxis(cube, axis, 0).reshape(size, -1).tolist() for axis in range(3))
    return tuple(flint.fmpz_mat(table).rank() for table in rows)


def blind_judges(ranks: tuple[int, ...], n_labels: int) -> tuple[int, ...]:
    """Return the judges whom the counts prove to answer every label alike.

    Where a judge tells all labels apart, the ranks of the other two are those of their own tables.
    """
    if max(ranks) < n_labels:
        return ()
    return tuple(judge for judge, rank in enumerate(ranks) if rank == 1)


def rank_words(trio: Trio, ranks: tuple[int, ...]) -> str:
    """Return what the ranks say of each judge, and what they would have to add up to."""
    n_labels = len(trio.labels)
    told = ", ".join(f"{judge} {rank}" for judge, rank in zip(trio.judges, ranks, strict=True))
    words = f"; kinds of items that the counts show told apart, of {n_labels}: {told}"
    if sum(ranks) < 2 * n_labels + 2:
        words += f" (one evaluation, by Kruskal's condition: {2 * n_labels + 2} in all)"
    return words
