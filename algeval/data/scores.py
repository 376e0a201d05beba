"""Scores: one number per item and judge, with the items that were not scored marked as such."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from algeval.data.joining import joined
from algeval.data.names import (
    NOT_ANSWERED,
    Codes,
    Counts,
    check_names,
    expect_names,
    expect_schema,
    natural_order,
    positions,
    set_fields,
)
from algeval.data.score_checks import (
    Attributes,
    Floats,
    Key,
    KeyKind,
    checked_attributes,
    checked_key,
    checked_values,
)
from algeval.data.votes import Votes
from algeval.errors import DataError
from algeval.result import exact
from algeval.result.tables import Table, Tabled, free_name
from algeval.result.values import ByValue
from algeval.result.visible import short_list

__all__ = ["Scores"]


@dataclass(frozen=True, slots=True, eq=False)
class Scores(Tabled, ByValue):
    """Who scored which item how high.

    Use it for graders that give numbers, on any scale of their own. Methods that read scores say so;
    every other one reads the votes that `cut` makes of them. Two tables are equal when all they hold
    is.

    Parameters
    ----------
    items : sequence of str
        Item ids, distinct.
    judges : sequence of str
        Names, distinct.
    values : (n_items, n_judges) float array
        The scores, as float64; NaN where the judge did not score the item. A judge may have none.
    key : sequence of n_items, optional
        True classes as text, or true scores as numbers; None where unknown. Numbers that are all 0
        or 1 are classes. Used for scoring only.
    attributes : {column: sequence of n_items}, optional
        What else is known of the items, kept as text; None where nothing is.
    key_kind : {"class", "number"}, optional
        What the key holds; by default found by looking.

    Raises
    ------
    DataError
        If names repeat, shapes do not fit, a score is infinite or no number, or a key holds numbers
        and texts.

    Examples
    --------
    >>> s = Scores(["q1", "q2"], ["gpt4", "human"], [[7, 5.5], [2, None]], key=["good", "bad"])
    >>> s.missing.tolist(), s.key_kind
    ([0, 1], 'class')
    >>> s.without_key().cut(5).codes.tolist()
    [[1, 1], [0, -1]]
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    values: Floats
    key: Key | None = None
    attributes: Attributes | None = None
    key_kind: KeyKind | None = None

    def __post_init__(self) -> None:
        items = tuple(str(item) for item in self.items)
        if len(set(items)) < len(items):
            raise DataError(
                "item ids must be distinct; got a repeated one; merge or rename its rows"
            )
        if not items:
            raise DataError(
                "scores must hold at least one item; got none; check the file or selection"
            )
        judges = check_names("judge", self.judges)
        values = checked_values(self.values, items, judges)
        key, kind = (
            (None, None) if self.key is None else checked_key(self.key, items, self.key_kind)
        )
        texts = checked_attributes(self.attributes, len(items))
        set_fields(self, items=items, judges=judges, values=values, key=key)
        set_fields(self, key_kind=kind, attributes=MappingProxyType(texts) if texts else None)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[object, Sequence[object]],
        *,
        items: Iterable[object] | None = None,
        key: Sequence[Any] | None = None,
        attributes: Mapping[Any, Sequence[Any]] | None = None,
    ) -> Self:
        """Build from {judge: scores in item order}; None and NaN mean not scored.

        Without `items` the ids are 1, 2, ... Scores must be numbers here; `read_scores` also takes
        text such as "7.5".

        Examples
        --------
        >>> Scores.from_columns({"gpt4": [7, 2], "human": [5.5, None]}).n_items
        2
        """
        judges = check_names("judge", columns)
        lengths = {
            judge: len(column) for judge, column in zip(judges, columns.values(), strict=True)
        }
        if len(set(lengths.values())) > 1:
            raise DataError(f"every judge must have one score per item; got lengths {lengths}")
        n_items = next(iter(lengths.values()))
        names = tuple(str(i) for i in (range(1, n_items + 1) if items is None else items))
        rows: Any = list(zip(*columns.values(), strict=True))
        return cls(names, judges, rows, key, attributes)  # type: ignore[arg-type]

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def n_judges(self) -> int:
        """Number of judges, N."""
        return len(self.judges)

    @property
    def missing(self) -> Counts:
        """(N,) how many items each judge did not score."""
        result: Counts = np.isnan(self.values).sum(0, dtype=np.int64)
        return result

    @property
    def complete(self) -> bool:
        """Whether every judge scored every item."""
        return not np.isnan(self.values).any()

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        kind = {"class": "with a key of classes", "number": "with a key of numbers"}
        more = f", attributes {short_list(list(self.attributes), 60)}" if self.attributes else ""
        return (
            f"Scores({self.n_items} items, {self.n_judges} judges, {int(self.missing.sum())} missing, "
            f"{kind.get(self.key_kind or '', 'no key')}{more})"
        )

    def __hash__(self) -> int:
        return hash((self.items, self.judges, self.values.tobytes(), self.key))

    def __reduce__(self) -> tuple[Any, ...]:
        attributes = None if self.attributes is None else dict(self.attributes)
        fields = (self.items, self.judges, self.values, self.key, attributes, self.key_kind)
        return type(self), fields

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per item: its id, the score of each judge, the key, and the attributes."""
        columns: dict[str, Any] = {free_name("item", self.judges): self.items}
        columns |= {j: self.values[:, place] for place, j in enumerate(self.judges)}
        more = {} if self.key is None else {"key": self.key}
        for name, column in {**more, **(self.attributes or {})}.items():
            columns[free_name(name, list(columns))] = column
        return (Table("Scores", columns),)

    def select(
        self, judges: Iterable[object] | None = None, items: Iterable[object] | None = None
    ) -> Scores:
        """Return the scores of some judges on some items, in the order named.

        Items that none of the chosen judges scored are kept, so that counts stay comparable.
        """
        columns = _places("judge", judges, self.judges)
        rows = _places("item", items, self.items)
        return Scores(
            tuple(self.items[p] for p in rows),
            tuple(self.judges[p] for p in columns),
            self.values[np.ix_(rows, columns)],
            None if self.key is None else tuple(self.key[p] for p in rows),  # type: ignore[arg-type]
            {name: tuple(c[p] for p in rows) for name, c in (self.attributes or {}).items()},
            self.key_kind,
        )

    def join(self, *others: Scores) -> Scores:
        """Return these judges beside those of other tables, joined on item ids, never on position.

        An item that one of the tables lacks stays, without those scores. Before files of the same length
        are joined, `misread_by_position` tells whether it matters; after, `misaligned` names judges
        who go against all others.

        Raises
        ------
        DataError
            If a judge is in two tables, or keys or attributes contradict each other on an item.

        Examples
        --------
        >>> s = Scores.from_columns({"gpt4": [7, 2]}, items=["q1", "q2"])
        >>> s.join(Scores.from_columns({"human": [5, 6]}, items=["q3", "q2"])).values.tolist()
        [[7.0, nan], [2.0, 6.0], [nan, 5.0]]
        """
        for other in others:
            if not isinstance(other, Scores):
                raise DataError(
                    f"others must be Scores; got {type(other).__name__}; use read_scores"
                )
        return Scores(*joined([self, *others]))

    def without_key(self) -> Scores:
        """Return the same scores with the key forgotten."""
        return Scores(self.items, self.judges, self.values, None, self.attributes)

    def cut(self, at: object) -> Votes:
        """Return the votes that `read_votes(cut=at)` reads: label "1" from `at` on, "0" below.

        A score that is missing stays missing. A key of 0 and 1 is kept as it is, a key of other
        numbers is cut like the scores, and attributes are left behind.

        Parameters
        ----------
        at : number or text
            On the scale of the scores; 4.5, "9/2" and Fraction(9, 2) are the same.

        Raises
        ------
        DataError
            If the key holds classes other than 0 and 1: nothing says which of them is the higher.

        Examples
        --------
        >>> s = Scores.from_columns({"gpt4": [7, 2], "human": [5.5, None]}, key=[1, 0])
        >>> v = s.cut(5.5)
        >>> v.labels, v.codes.tolist(), v.key.tolist()
        (('0', '1'), [[1, 1], [0, -1]], [1, 0])
        """
        reaches = _threshold(exact(at, "cut"))
        key = None if self.key is None else _cut_key(self.key, self.key_kind, reaches)
        return Votes(self.items, self.judges, ("0", "1"), ("0", "1"), reaches(self.values), key)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types (schema `algeval.scores/1`); null stands for what is missing."""
        values = self.values.astype(object)
        values[np.isnan(self.values)] = None
        attributes = self.attributes or {}
        return {
            "schema": "algeval.scores/1",
            "items": list(self.items),
            "judges": list(self.judges),
            "values": values.tolist(),
            "key": None if self.key is None else list(self.key),
            "key_kind": self.key_kind,
            "attributes": {name: list(column) for name, column in attributes.items()},
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.scores/1")
        expect_names(document, "items", "judges")
        fields = ("items", "judges", "values", "key", "attributes", "key_kind")
        return cls(*(document[field] for field in fields))


def _places(kind: str, wanted: Iterable[object] | None, names: tuple[str, ...]) -> Sequence[int]:
    return range(len(names)) if wanted is None else positions(kind, wanted, names)


def _threshold(cut: Fraction) -> Callable[[Floats], Codes]:
    """Return what makes codes of numbers: 1 from the cut on, 0 below, -1 for NaN.

    A float is the number that its shortest spelling names, as in a file: 0.1 reaches 1/10.
    """
    try:
        limit = float(cut)
    except OverflowError:
        limit = float("inf") if cut > 0 else float("-inf")
    touching = abs(limit) < float("inf") and exact(repr(limit)) >= cut

    def codes(values: Floats) -> Codes:
        above = (values >= limit) if touching else (values > limit)
        return np.where(np.isnan(values), NOT_ANSWERED, above).astype(np.int16)

    return codes


def _cut_key(key: Key, kind: KeyKind | None, reaches: Callable[[Floats], Codes]) -> Codes:
    classes = {truth for truth in key if isinstance(truth, str)}
    strange = natural_order(classes - {"0", "1"})
    if strange:
        raise DataError(
            "a key must hold 0 and 1, or numbers, to be cut with the scores; got the class "
            f"{strange[0]!r}; call without_key() first, or give the higher class as 1 and the lower as 0"
        )
    numbers = np.array([np.nan if truth is None else float(truth) for truth in key])
    if kind == "number":
        return reaches(numbers)
    return np.where(np.isnan(numbers), NOT_ANSWERED, numbers).astype(np.int16)
