"""Decode and decide group by group, so that a judge that fails on one kind of item is seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algeval.algebra.decoding.decode import decode
from algeval.algebra.decoding.partition import Partition, majority, partition
from algeval.algebra.decoding.results import Decoding
from algeval.data import Evaluation, Votes
from algeval.data.reading import keyed_part
from algeval.data.shown import shown_share
from algeval.errors import DataError
from algeval.result import Result, Status
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["Group", "Groups", "by_group"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group(Result):
    """One slice of the items.

    Attributes
    ----------
    status : Status
        That of the decoding.
    group : str
    n_items : int
    decoding : Decoding
        Of this slice alone.
    independent, majority : Partition or None
        The split by the decoding and by majority vote. The first is None where the decoding has no
        best evaluation, where that leaves [0, 1], and where it gives an answer seen here no chance: a
        rate of exactly 0 or 1 on the items all three answered, which an item with a missing answer
        contradicts.
    truth : Evaluation or None
        From the key, where this slice has one.
    n_keyed : int
    errors, majority_errors : int or None
        Items with a known key that each split labels wrong, ties included.
    """

    schema: ClassVar[str] = "algeval.group/1"

    group: str
    n_items: int
    decoding: Decoding
    independent: Partition | None
    majority: Partition
    truth: Evaluation | None
    n_keyed: int
    errors: int | None
    majority_errors: int | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups(Result):
    """Every slice, in the order in which its first item appears.

    Attributes
    ----------
    groups : tuple of Group
    n_ungrouped : int
        Items without a group, left out.
    """

    schema: ClassVar[str] = "algeval.groups/1"

    groups: tuple[Group, ...]
    n_ungrouped: int

    def __getitem__(self, name: str) -> Group:
        for found in self.groups:
            if found.group == name:
                return found
        raise DataError(
            f"group {name!r} is not known; choose from {[g.group for g in self.groups]}"
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per group: items, status, and label errors where there is a key."""
        names = ("group", "n_items", "status", "n_keyed", "errors", "majority_errors")
        return (Table.of_records("Groups", names, self.groups),)

    def summary(self) -> str:
        """Return one line per group."""
        lines = [self.message]
        for g in self.groups:
            line = f"  {g.group}: {how_many(g.n_items, 'item')}, {g.status.value}"
            if g.decoding.best is not None:
                shares = g.decoding.best.to_floats().prevalence
                told = zip(g.decoding.labels, shares, strict=True)
                line += ", " + ", ".join(f"{label} {shown_share(share)}" for label, share in told)
            if g.majority_errors is not None:
                algebra = "-" if g.errors is None else str(g.errors)
                line += f"; label errors: algebra {algebra}, majority {g.majority_errors}"
            lines.append(line)
        return "\n".join(lines)


def by_group(
    votes: Votes,
    groups: Mapping[Any, object] | Sequence[object],
    judges: Iterable[object] | None = None,
) -> Groups:
    """Decode a trio separately on each slice of the items, and score each slice against the key.

    Use it to see whether judges that look good overall fail on some kind of item. Each slice is
    decoded from its own counts alone; errors that are independent overall need not be so within
    slices, nor the other way round.

    Parameters
    ----------
    votes : Votes
        A key, if there is one, is used for scoring only.
    groups : mapping or sequence
        {item id: group}, or one group per item in item order; None leaves an item out.
    judges : three judge names, optional
        Needed when there are more than three.

    Returns
    -------
    Groups
        Status ok; every slice has the status of its own decoding.

    Raises
    ------
    DataError
        If `groups` does not fit the items, or no item has a group.

    Notes
    -----
    The multi-accuracy experiments of Algebraic Evaluation (by attributes that the judges did not see).

    Examples
    --------
    >>> once = {"i": list("aaaabbbb"), "j": list("aabbaabb"), "k": list("abababab")}
    >>> by_group(Votes.from_columns(once), ["x"] * 4 + ["y"] * 4).groups[0].n_items
    4
    """
    places = _places(votes, groups)
    if not places:
        raise DataError("groups must give at least one item a group; got none; check the item ids")
    blind = votes.without_key() if judges is None else votes.without_key().select(judges=judges)
    found = tuple(_group(name, np.array(rows), votes, blind) for name, rows in places.items())
    grouped = sum(g.n_items for g in found)
    return Groups(
        status=Status.OK,
        message=(
            f"{how_many(len(found), 'group')} of {how_many(grouped, 'item')}; "
            f"{how_many(votes.n_items - grouped, 'item')} without a group."
        ),
        groups=found,
        n_ungrouped=votes.n_items - grouped,
    )


def _places(votes: Votes, groups: Mapping[Any, object] | Sequence[object]) -> dict[str, list[int]]:
    if isinstance(groups, Mapping):
        known = {str(item): group for item, group in groups.items()}
        values: Sequence[object] = [known.get(item) for item in votes.items]
    else:
        values = groups
        if len(values) != votes.n_items:
            raise DataError(
                f"groups must have one entry per item ({votes.n_items}); got {len(values)}; "
                "give {item: group} for some of the items"
            )
    places: dict[str, list[int]] = {}
    for row, group in enumerate(values):
        if group is not None:
            places.setdefault(str(group), []).append(row)
    return places


def _rows(votes: Votes, rows: Any) -> Votes:
    key = None if votes.key is None else votes.key[rows]
    items = tuple(votes.items[row] for row in rows)
    return Votes(items, votes.judges, votes.labels, votes.answers, votes.codes[rows], key)


def _split(part: Votes, found: Decoding) -> Partition | None:
    """Return the split by a decoding, None where it gives an answer seen here no chance."""
    try:
        return partition(part, found)
    except DataError:
        return None


def _group(name: str, rows: Any, votes: Votes, blind: Votes) -> Group:
    part = _rows(blind, rows)
    found: Any = decode(part)
    usable = found.best is not None and found.in_range is not False
    split = _split(part, found) if usable else None
    simple = majority(part)
    keyed = keyed_part(_rows(votes, rows))
    return Group(
        status=found.status,
        message=found.message,
        group=name,
        n_items=len(rows),
        decoding=found,
        independent=split,
        majority=simple,
        truth=None if keyed is None else keyed.evaluation(),
        n_keyed=0 if keyed is None else keyed.n_items,
        errors=None if keyed is None or split is None else split.errors(keyed),
        majority_errors=None if keyed is None else simple.errors(keyed),
    )
