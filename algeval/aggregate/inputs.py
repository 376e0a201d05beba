"""What every aggregator reads: distinct decision tuples, and which of them each item has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Votes
from algeval.data.counts import group_rows
from algeval.data.names import Codes
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data

__all__ = ["Patterns", "Places", "align", "distinct_rows", "read_patterns"]

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """Counts of decision tuples and, where there are items, the tuple of each item.

    Attributes
    ----------
    sketch : Sketch
        Distinct decision tuples (U, N) with their counts.
    items : tuple of str, or None
        Item ids, None when only counts were given.
    item_pattern : (n_items,) int array, or None
        Row of the sketch that holds the item's answers.
    start : (U, R) float array, or None
        Posterior that the iterations of table models start from, when a fit is repeated on
        resampled counts; None for a start of their own.
    """

    sketch: Sketch
    items: tuple[str, ...] | None = None
    item_pattern: Places | None = None
    start: NDArray[np.float64] | None = None


def read_patterns(data: Source | Patterns) -> Patterns:
    """Return the distinct decision tuples of votes, a sketch or a table; a key is never looked at.

    What was read already is returned as it is.

    Raises
    ------
    DataError
        If `data` is something else, or holds no item.
    """
    if isinstance(data, Patterns):
        return data
    data = read_data(data, items=True)
    if isinstance(data, Votes):
        codes, inverse = distinct_rows(data.codes, data.n_answers)
        counts = np.bincount(inverse, minlength=len(codes)).astype(np.int64)
        sketch = Sketch(*data.axes, codes, counts)
        return Patterns(sketch=sketch, items=data.items, item_pattern=inverse)
    sketch = as_sketch(
        data, "aggregation needs the judges' answers item by item, or their joint counts"
    )
    if not len(sketch):
        raise DataError("data must hold at least one item; got none; check the file or selection")
    return Patterns(sketch=sketch)


def distinct_rows(codes: Codes, n_answers: int) -> tuple[Codes, Places]:
    """Return the distinct rows in lexicographic order and which each row is.

    While every possible tuple has a cell of its own, counting needs no sort.
    """
    base, n_judges = n_answers + 1, codes.shape[1]
    cells = base**n_judges
    if cells > min(policy.MOST_DIRECT_CELLS, 8 * len(codes) + 64):
        return group_rows(codes, n_answers)
    word = np.zeros(len(codes), np.int32)
    for column in codes.T:
        word *= base
        word += column
        word += 1
    seen = np.bincount(word, minlength=cells) > 0
    place = np.cumsum(seen) - 1
    digits = np.flatnonzero(seen)[:, None] // base ** np.arange(n_judges)[::-1]
    return (digits % base - 1).astype(np.int16), place[word]


def align(data: Source, judges: Any, answers: Any) -> Codes:
    """Return codes (rows, N) of other votes, with its judges and answers matched by name.

    A judge that is absent from `data` counts as not answering; an unknown judge or answer is an
    error, because nothing was learned about it.
    """
    data = read_data(data, items=True)
    if isinstance(data, KeyedSketch):
        data = data.sketch
    if not isinstance(data, Votes | Sketch):
        raise DataError(f"data must be Votes or a Sketch; got {type(data).__name__}; give votes")
    unknown = [judge for judge in data.judges if judge not in judges]
    if unknown:
        raise DataError(
            f"judge {unknown[0]!r} must be one of those fitted {list(judges)}; it is not; "
            "leave it out with select(judges=...)"
        )
    translate = np.full(data.n_answers + 1, NOT_ANSWERED, np.int16)
    for place, answer in enumerate(data.answers):
        if answer in answers:
            translate[place] = answers.index(answer)
        elif (data.codes == place).any():
            raise DataError(
                f"answer {answer!r} must be one of those fitted {list(answers)}; it is not; "
                "code it as not answered or fit again"
            )
    result = np.full((len(data.codes), len(judges)), NOT_ANSWERED, np.int16)
    result[:, [judges.index(judge) for judge in data.judges]] = translate[data.codes]
    return result
