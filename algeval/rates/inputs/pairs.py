"""Two systems' votes and labels, item by item: what the judges say of each difference, what labels say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.errors import DataError
from algeval.io.items.rows import read_item_rows
from algeval.io.layout import shown
from algeval.rates.inputs.gold import Gold
from algeval.rates.inputs.verdicts import Panel, panel_of
from algeval.result.wording import how_many

__all__ = [
    "UNJUDGED",
    "Labels",
    "Pairs",
    "join_gold",
    "join_systems",
    "left_out",
    "no_labels",
    "same_outputs",
]

Places = NDArray[np.int64]
Floats = NDArray[np.float64]

UNJUDGED = 2
"""The difference of two verdicts of which one is missing; a stratum of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The items that both systems answered.

    Attributes
    ----------
    items : tuple of str
        In the order of A.
    rows_a, rows_b : (n_items,) int arrays
        Where each is among the items of A's votes, and of B's.
    panel_a, panel_b : Panel
        Of all items of A's votes, and of B's.
    only_a, only_b : tuples of str
        Items that only one of them answered; they take no part.
    """

    items: tuple[str, ...]
    rows_a: Places
    rows_b: Places
    panel_a: Panel
    panel_b: Panel
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]

    @property
    def n_items(self) -> int:
        """Number of items that both answered."""
        return len(self.items)

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """The panel's verdict on A less that on B; `UNJUDGED` where there is only one."""
        a, b = self.panel_a.verdict[self.rows_a], self.panel_b.verdict[self.rows_b]
        return np.where((a < 0) | (b < 0), UNJUDGED, a - b).astype(np.int8)

    @property
    def shares(self) -> Floats:
        """The share of votes for A less that for B; the mean of the others where nobody judged."""
        return _filled(self.panel_a.share[self.rows_a] - self.panel_b.share[self.rows_b])

    @property
    def mean_shares(self) -> Floats:
        """The mean of both shares, filled in the same way."""
        return _filled((self.panel_a.share[self.rows_a] + self.panel_b.share[self.rows_b]) / 2)


def _filled(values: Floats) -> Floats:
    known = ~np.isnan(values)
    return np.where(known, values, values[known].mean() if known.any() else 0.0)


def join_systems(votes_a: Votes, votes_b: Votes, label: object) -> Pairs:
    """Return the items that both files have, joined by id.

    Raises
    ------
    DataError
        If there are none, or the label is not one of both files.
    """
    panel_a, panel_b = panel_of(votes_a, label), panel_of(votes_b, label)
    if votes_a.items == votes_b.items:
        every = np.arange(votes_a.n_items)
        return Pairs(votes_a.items, every, every, panel_a, panel_b, (), ())
    place = {item: row for row, item in enumerate(votes_b.items)}
    rows_a = [row for row, item in enumerate(votes_a.items) if item in place]
    items = tuple(votes_a.items[row] for row in rows_a)
    if not items:
        raise DataError(
            f"the two systems must have items in common; got for example {votes_a.items[0]!r} and "
            f"{votes_b.items[0]!r}; write the item ids alike in both files"
        )
    rows_b = [place.pop(item) for item in items]  # what stays is B's alone
    both = set(items)
    only_a = tuple(item for item in votes_a.items if item not in both)
    places = np.array(rows_a, np.int64), np.array(rows_b, np.int64)
    return Pairs(items, *places, panel_a, panel_b, only_a, tuple(place))


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Items labelled for both systems.

    Attributes
    ----------
    rows : (n,) int array
        Places in the items of the pairs, increasing.
    a, b : (n,) float arrays
        1 where the system's answer has the label.
    n_one_sided : int
        Items labelled for one of the systems only, which say nothing of the difference.
    """

    rows: Places
    a: Floats
    b: Floats
    n_one_sided: int = 0

    @property
    def differences(self) -> Floats:
        """A less B."""
        return self.a - self.b

    def __len__(self) -> int:
        return len(self.rows)


def no_labels() -> Labels:
    """Return the labels of nothing."""
    return Labels(np.empty(0, np.int64), np.empty(0), np.empty(0))


def join_gold(pairs: Pairs, gold_a: Gold, gold_b: Gold) -> Labels:
    """Return the labels of the items that are labelled for both systems."""
    a = _by_pair(gold_a, pairs.rows_a, len(pairs.panel_a.items))
    b = _by_pair(gold_b, pairs.rows_b, len(pairs.panel_b.items))
    known_a, known_b = ~np.isnan(a), ~np.isnan(b)
    rows = np.flatnonzero(known_a & known_b)
    return Labels(rows, a[rows], b[rows], int((known_a ^ known_b).sum()))


def _by_pair(gold: Gold, rows: Places, n_items: int) -> Floats:
    values = np.full(n_items, np.nan)
    values[gold.rows] = gold.values
    return np.asarray(values[rows])


_OUTPUTS = ("output", "response", "answer", "text", "completion", "generation")


def same_outputs(pairs: Pairs, outputs_a: Any, outputs_b: Any) -> NDArray[np.bool_] | None:
    """Return where the two systems put out exactly the same, None where outputs were not given.

    An item without an output in either is taken to differ.

    Raises
    ------
    DataError
        If the outputs of one system alone are given, or as many as there are not items.
    """
    if outputs_a is None and outputs_b is None:
        return None
    if outputs_a is None or outputs_b is None:
        raise DataError(
            "outputs of both systems must be given, or of neither; got those of one; pass outputs_a= and "
            "outputs_b="
        )
    a = _outputs(outputs_a, pairs.panel_a.items, "outputs_a")
    b = _outputs(outputs_b, pairs.panel_b.items, "outputs_b")
    known = [item in a and item in b for item in pairs.items]
    if not any(known):
        raise DataError(
            f"outputs must be of the items voted on; got none, for example of {pairs.items[0]!r}; write "
            "the item ids alike"
        )
    return np.array(
        [k and a[item] == b[item] for k, item in zip(known, pairs.items, strict=True)], bool
    )


def _outputs(outputs: Any, items: Sequence[str], name: str) -> dict[str, Any]:
    if isinstance(outputs, Mapping) and not set(map(str, outputs)).isdisjoint(items):
        found = {str(item): text for item, text in outputs.items()}
    elif isinstance(outputs, list | tuple) and not any(isinstance(o, Mapping) for o in outputs):
        if len(outputs) != len(items):
            raise DataError(
                f"{name} must hold one output per item ({len(items)}); got {len(outputs)}; or pass "
                "{item: output}"
            )
        found = dict(zip(items, outputs, strict=True))
    else:
        rows = read_item_rows(outputs, name, _OUTPUTS)
        found = dict(zip(rows.items, rows.values, strict=True))
    return {item: text for item, text in found.items() if text is not None}


def left_out(names: tuple[str, str], pairs: Pairs) -> tuple[str, ...]:
    """Return a sentence per system on the items that it alone answered."""
    told = []
    for name, only in zip(names, (pairs.only_a, pairs.only_b), strict=True):
        if only:
            told.append(f"{how_many(len(only), 'item')} of {name} alone left out: {shown(only, 3)}")
    return tuple(told)
