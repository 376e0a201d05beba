"""Votes: one answer per item and judge, with the items left unanswered marked as such."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import (
    NOT_ANSWERED,
    Axes,
    Caution,
    Codes,
    Counts,
    RowNumbers,
    axes_in,
    axes_to_dict,
    check_axes,
    check_choice,
    check_names,
    digest_of,
    expect_names,
    expect_schema,
    is_sparse,
    item_names,
    label_names,
    mostly_empty,
    natural_order,
    positions,
    set_fields,
)
from algeval.data.sketch import (
    KeyedSketch,
    Sketch,
    Summary,
    check_codes,
    check_counts,
    group_rows,
    keyed_by_row,
    totals_of,
    whole_counts,
    whole_table,
)
from algeval.data.sparse import sparse_table
from algeval.errors import DataError, option
from algeval.result.numbers import ByValue, how_many, short_list
from algeval.result.tables import Table, Tabled, free_name


class Grouping(NamedTuple):
    """A column of the table that votes were read from, whose values items share: a prompt, a source."""

    name: str
    codes: NDArray[np.int64]  # (n_items,) alike for the same value, -1 for none

    @property
    def apart(self) -> NDArray[np.int64]:
        """Codes, with one of its own for each item without a value."""
        n = len(self.codes)
        return np.where(self.codes < 0, np.arange(n) + n, self.codes)


class OfPrompts(Grouping):
    """Prompts, of which several items are outputs."""


class BothOrders(Grouping):
    """Pairs of answers that several items show, in one order and the other."""


class EachOrder(BothOrders):
    """Pairs of answers whose verdicts in one order and the other are items of their own."""


class Texts(NamedTuple):
    """A column of the table that votes were read from, with words to show: a prompt, a response."""

    name: str
    cells: tuple[str | None, ...]  # (n_items,)
    reasons: bool = False  # whether judges wrote them, which nobody who labels is to see


_SUMMED = 20_000  # items that are counted together


@dataclass(frozen=True, slots=True, eq=False)
class Votes(Axes, Tabled, ByValue):
    """Who answered what on which item.

    Parameters
    ----------
    items : sequence of str
        Item ids, distinct. Judges are joined on them, never on position.
    judges, labels, answers : sequences of str
        No judge (an empty tuple) beside a key: what people said, and nothing else. `labels`
        are the possible truths; `answers` starts with them and may go on with answers
        that are never correct ("refused", "invalid").
    codes : (n_items, n_judges) int array
        Positions in `answers`; -1 where the judge did not answer the item. Of a large table that holds few
        votes what stands in for the array and keeps the votes alone; `np.asarray` writes it out.
    key : (n_items,) int array, optional
        Positions in `labels` of the true labels; -1 where unknown. Used for scoring only.
    notes : tuple of str, optional
        What reading the table did, a sentence each; no part of the votes, and not compared.
    groupings : tuple of Grouping, optional
        Columns of the table whose values items share, as `rate` takes for clusters; not compared either.
    texts : tuple of Texts, optional
        Columns with words to show beside an item, such as its prompt; not compared either.
    drawn : tuple of Texts, optional
        Of a key that a journal of labels holds, how its items were drawn; not compared either.
    again : (n_items, n_judges, 2) int array, optional
        Of pairs judged in both orders, each judge's verdict in either, where `codes` hold those that agree;
        not compared either.

    Raises
    ------
    DataError
        If names repeat, shapes do not fit or codes are out of range.

    Examples
    --------
    >>> v = Votes.from_columns({"gpt4": ["a", "b", None], "human": ["a", "a", "b"]})
    >>> len(v), v.missing.tolist()
    (3, [1, 0])
    """

    items: tuple[str, ...]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    codes: Codes
    key: Codes | None = None
    notes: tuple[str, ...] = field(default=(), repr=False, compare=False)
    groupings: tuple[Grouping, ...] = field(default=(), repr=False, compare=False)
    texts: tuple[Texts, ...] = field(default=(), repr=False, compare=False)
    drawn: tuple[Texts, ...] = field(default=(), repr=False, compare=False)
    again: Codes | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        items = item_names(self.items)
        if len(set(items)) < len(items):
            raise DataError(
                "item ids must be distinct; got a repeated one; merge or rename its rows"
            )
        if not items:
            raise DataError(
                "votes must hold at least one item; got none; check the file or selection"
            )
        judges, labels, answers = check_axes(*self.axes, keyed=self.key is not None)
        codes = check_codes(self.codes, len(judges), len(answers))
        if len(codes) != len(items):
            raise DataError(
                f"codes must have one row per item ({len(items)}); got {len(codes)} rows"
            )
        key = None if self.key is None else _check_key(self.key, len(items), len(labels))
        set_fields(self, items=items, judges=judges, labels=labels, answers=answers)
        set_fields(self, codes=codes, key=key)

    @classmethod
    def from_columns(
        cls,
        columns: Mapping[object, Sequence[object]],
        *,
        items: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        answers: Iterable[object] | None = None,
        key: Sequence[object] | None = None,
    ) -> Self:
        """Build from {judge: answers in item order}; None means not answered.

        Without `labels`, every answer seen is a label; the key is never used to guess them. Answers
        are taken exactly: "Yes" and "yes" are two labels here, where `read_votes` makes them one.
        """
        judges = check_names("judge", columns)
        lengths = {
            judge: len(column) for judge, column in zip(judges, columns.values(), strict=True)
        }
        n_items = next(iter(lengths.values()))
        if len(set(lengths.values())) > 1:
            raise DataError(f"every judge must have one answer per item; got lengths {lengths}")
        labels_, answers_ = _names_from(columns.values(), labels, answers)
        codes = np.stack([_codes(column, answers_) for column in columns.values()], axis=1)
        names = RowNumbers.of(n_items) if items is None else item_names(items)
        return cls(names, judges, labels_, answers_, codes, _key_codes(key, labels_))

    @classmethod
    def from_records(
        cls,
        records: Iterable[tuple[object, object, object]],
        *,
        judges: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        answers: Iterable[object] | None = None,
        key: Mapping[Any, object] | None = None,
    ) -> Self:
        """Build from (item, judge, answer) triples; `key` maps item ids to true labels.

        Items and judges keep the order in which they first appear.
        """
        triples = [(str(item), str(judge), answer) for item, judge, answer in records]
        items = tuple(dict.fromkeys(item for item, _, _ in triples))
        seen = tuple(dict.fromkeys(judge for _, judge, _ in triples))
        names = seen if judges is None else check_names("judge", judges)
        labels_, answers_ = _names_from([[answer for _, _, answer in triples]], labels, answers)
        row = {item: position for position, item in enumerate(items)}
        column = {judge: position for position, judge in enumerate(names)}
        of_names = [t for t in triples if t[1] in column]
        cells = np.array([(row[i], column[j]) for i, j, _ in of_names], np.int64).reshape(-1, 2)
        number = cells[:, 0] * len(names) + cells[:, 1]
        _, first = np.unique(number, return_index=True)
        if len(first) < len(number):
            item, judge, _ = of_names[np.setdiff1d(np.arange(len(number)), first)[0]]
            raise DataError(
                f"each judge must answer an item once; got two votes of {judge!r} on item {item!r}; "
                "keep one of them"
            )
        own = _codes([answer for _, _, answer in of_names], answers_)
        codes = votes_table(cells[:, 0], cells[:, 1], own, (len(items), len(names)))
        truths = None
        if key is not None:
            truth = {str(item): label for item, label in key.items()}
            truths = _key_codes([truth.get(item) for item in items], labels_)
        return cls(items, names, labels_, answers_, codes, truths)

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def cautions(self) -> tuple[str, ...]:
        """Those of the notes that may change an answer; results repeat them as warnings."""
        return tuple(str(note) for note in self.notes if isinstance(note, Caution))

    @property
    def missing(self) -> Counts:
        """(N,) how many items each judge did not answer."""
        result: Counts = (self.codes == NOT_ANSWERED).sum(0, dtype=np.int64)
        return result

    @property
    def complete(self) -> bool:
        """Whether every judge answered every item."""
        return not (self.codes == NOT_ANSWERED).any()

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return (
            f"Votes({self.n_items} items, {self.n_judges} judges, labels {short_list(self.labels)}, "
            f"{int(self.missing.sum())} missing, {'no key' if self.key is None else 'with a key'})"
        )

    def __hash__(self) -> int:
        return hash((self.items, self.axes))

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item: its id, the answer of each judge, and the key if there is one."""
        answers = np.array([*self.answers, None], object)
        columns: dict[str, Any] = {free_name("item", self.judges): self.items}
        columns |= {j: answers[self.codes[:, column]] for column, j in enumerate(self.judges)}
        if self.key is not None:
            labels = np.array([*self.labels, None], object)
            columns[free_name("truth", self.judges)] = labels[self.key]
        return (Table("Votes", columns),)

    def select(
        self, judges: Iterable[object] | None = None, items: Iterable[object] | None = None
    ) -> Votes:
        """Votes of some judges on some items, in the order named.

        Items that none of the chosen judges answered are kept, so that counts stay comparable.
        """
        columns = slice(None) if judges is None else positions("judge", judges, self.judges)
        names = self.judges if judges is None else tuple(self.judges[p] for p in columns)  # type: ignore[union-attr]
        rows = slice(None) if items is None else positions("item", items, self.items)
        ids = self.items if items is None else tuple(self.items[p] for p in rows)  # type: ignore[union-attr]
        key = None if self.key is None else self.key[rows]
        codes = self.codes[rows][:, columns]
        groupings = tuple(type(own)(own.name, own.codes[rows]) for own in self.groupings)
        texts, drawn = self.texts, self.drawn
        if items is not None:
            texts, drawn = (
                tuple(own._replace(cells=tuple(own.cells[p] for p in rows)) for own in columns)  # type: ignore[union-attr]
                for columns in (texts, drawn)
            )
        again = None if self.again is None else self.again[rows][:, columns]
        return Votes(
            *(ids, names, self.labels, self.answers, codes, key),
            *(self.notes, groupings, texts, drawn, again),
        )

    def in_each_order(self) -> Votes:
        """Votes with an item for each verdict on a pair judged in both orders; themselves where none was."""
        if self.again is None:
            return self
        codes = np.concatenate([self.again[:, :, 0], self.again[:, :, 1]])
        names = (*self.items, *(f"{item} (answers exchanged)" for item in self.items))
        if len(set(names)) < len(names):
            return self
        key = None if self.key is None else np.tile(self.key, 2)
        pairs = np.tile(np.arange(self.n_items), 2)
        grouping = EachOrder("pair", pairs)
        return Votes(
            *(names, self.judges, self.labels, self.answers, codes, key),
            *(self.notes, (grouping,)),
        )

    def without_key(self) -> Votes:
        """Same votes with the key forgotten."""
        return replace(self, key=None)

    def need_judges(self) -> Self:
        """These votes; refused where no judge gave one and they are what people said alone."""
        if not self.judges:
            raise DataError(
                "this question is about judges, and must have a column of a judge's verdicts; got labels of "
                f"people alone; name such a column with {option('judges')}, or ask for the rate that these "
                "labels settle (rate, versus, report)"
            )
        return self

    def sketch(self) -> Sketch:
        """Counts of decision tuples over all items."""
        self.need_judges()
        counts = np.ones(self.n_items, np.int64)
        return Sketch(*self.axes, self.codes, counts)

    def keyed_sketch(self) -> KeyedSketch:
        """Counts by true label, over the items whose true label is known."""
        self.need_judges()
        if self.key is None or not (self.key != NOT_ANSWERED).any():
            raise DataError(
                f"a keyed sketch must have a key; these votes have none; pass {option('key')}"
            )
        labelled = self.key != NOT_ANSWERED
        codes, truth = self.codes[labelled], self.key[labelled]
        counts = np.ones(len(codes), np.int64)
        sketch = Sketch(*self.axes, codes, counts)
        return keyed_by_row(sketch, codes, counts, truth.astype(np.intp))

    def summary(self) -> Summary:
        """How often each judge gave each answer."""
        self.need_judges()
        if is_sparse(self.codes):
            return self.sketch().summary()
        width = self.n_answers + 1
        counts = np.zeros((self.n_judges, width), np.int64)
        first = np.arange(self.n_judges) * width + 1
        for start in range(0, self.n_items, _SUMMED):  # all at once would copy large tables
            cells = (self.codes[start : start + _SUMMED] + first).ravel()
            counts += np.bincount(cells, minlength=counts.size).reshape(counts.shape)
        return Summary(*self.axes, counts[:, 1:], self.n_items)

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.votes/1`)."""
        return {
            "schema": "algeval.votes/1",
            "items": list(self.items),
            **axes_to_dict(self),
            "codes": self.codes.tolist(),
            "key": None if self.key is None else self.key.tolist(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.votes/1")
        expect_names(document, "items", "judges", "labels", "answers")
        key = document["key"]
        return cls(
            document["items"],
            *axes_in(document),
            whole_table(document["codes"], "codes"),
            None if key is None else whole_table(key, "key"),
        )


def votes_table(
    rows: NDArray[Any], columns: NDArray[Any], codes: NDArray[Any], shape: tuple[int, int]
) -> Codes:
    """(items, judges) codes of votes in any order, kept as the votes where most cells hold none."""
    if mostly_empty(shape[0] * shape[1], int((codes != NOT_ANSWERED).sum())):
        some = codes != NOT_ANSWERED
        return sparse_table(rows[some], columns[some], codes[some], shape, NOT_ANSWERED)
    table = np.full(shape, NOT_ANSWERED, codes.dtype)
    table[rows, columns] = codes
    return table


def _check_key(key: NDArray[Any], n_items: int, n_labels: int) -> Codes:
    array = np.asarray(key)
    if array.shape != (n_items,):
        raise DataError(f"key must have one entry per item ({n_items}); got shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise DataError(f"key must hold positions in labels; got dtype {array.dtype}; encode it")
    if array.min() < -1 or array.max() >= n_labels:
        raise DataError(f"key must lie in -1..{n_labels - 1}; got {array.min()}..{array.max()}")
    return array.astype(np.int16)


def _names_from(
    columns: Iterable[Sequence[object]],
    labels: Iterable[object] | None,
    answers: Iterable[object] | None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    seen = (str(answer) for column in columns for answer in column if answer is not None)
    return label_names(seen, labels, answers)


def _codes(column: Sequence[object], answers: tuple[str, ...]) -> Codes:
    index: dict[object, int] = {answer: position for position, answer in enumerate(answers)}
    try:
        return np.array(
            [NOT_ANSWERED if value is None else index[str(value)] for value in column], np.int16
        )
    except KeyError as error:
        raise DataError(
            f"answer {error.args[0]!r} is not known; choose from {list(answers)} or leave answers= out"
        ) from None


def _key_codes(key: Sequence[object] | None, labels: tuple[str, ...]) -> Codes | None:
    if key is None:
        return None
    unknown = natural_order({str(v) for v in key if v is not None and str(v) not in labels})
    if unknown:
        raise DataError(
            f"every key label must be one of the labels {list(labels)} (labels are read from the "
            f"answers, never from the key); got {unknown[0]!r}; pass {option('labels')} to add it"
        )
    return _codes(key, labels)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelledSketch(Sketch):
    """Counts of all items, and the votes on some of them, labelled by people, beside them."""

    some: Votes

    @property
    def others(self) -> tuple[Codes, Counts]:
        """The distinct tuples of all other items, and on how many of them each was given."""
        codes = np.concatenate([self.codes, self.some.codes])
        distinct, group = group_rows(codes, self.n_answers)
        counts = np.zeros(len(distinct), np.int64)
        np.add.at(counts, group[: len(self.codes)], self.counts)
        np.subtract.at(counts, group[len(self.codes) :], 1)
        return distinct[counts > 0], counts[counts > 0]


class Split(NamedTuple):
    """What tuples are counted by: a column of human labels, systems or slices, and its value of each cell."""

    kind: str  # "human", "system", "slice", or "prompt": of outputs with a human label alone
    name: str
    values: tuple[str, ...]  # of human labels the labels of the judges
    codes: NDArray[np.int64]  # (n_cells,), -1 for none


MOST_LABELS = 1_000_000
"""Items with a human label that are gone through one by one."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupedSketch(Sketch):
    """Counts of decision tuples by human label, system and slices, as far as they are there.

    It is a sketch of all items; `rate`, `judge_card`, `versus`, `slices`, `self_consistency` and `report`
    take what they need of it, and answer as they do from the rows.

    Parameters
    ----------
    judges, labels, answers : sequences of str
    codes : (n_cells, N) int array
        Decision tuples as positions in `answers`, -1 where a judge did not answer; they may occur again.
    counts : (n_cells,) int array
        How many items each cell stands for.
    splits : tuple of Split
        What items are counted by; of human labels the values are `labels`.
    pairs : (n_pairs, 3) int array, optional
        Of outputs of two systems for one prompt: the cell of one, that of the other, and how many prompts.
    systems : tuple of str
        Systems in the order in which the rows have them, where the engine has one; no part of the digest.
    n_parts : int
        Of how many counts it is the sum; no part of the digest.
    uncounted : str
        Column of the table that may hold prompts and was not counted by; no part of the digest.

    Raises
    ------
    DataError
        If shapes, codes or counts do not fit.

    Examples
    --------
    >>> human = Split("human", "human", ("a", "b"), np.array([0, 1, -1]))
    >>> s = GroupedSketch(("i", "j"), ("a", "b"), ("a", "b"), [[0, 0], [0, 1], [0, 0]], [3, 2, 7], (human,))
    >>> s.n_items, s.to_counts()[("a", "a")], s.keyed_sketch().n_items
    (12, 10, 5)
    """

    splits: tuple[Split, ...] = ()
    pairs: NDArray[np.int64] | None = None
    systems: tuple[str, ...] = ()
    n_parts: int = 1
    uncounted: str = ""
    tuples: NDArray[np.int64] = field(init=False)  # (n_cells,), place of its tuple in `codes`
    cells: Counts = field(init=False)  # (n_cells,), how many items each stands for

    def __post_init__(self) -> None:
        judges, labels, answers = check_axes(*self.axes)
        codes = check_codes(self.codes, len(judges), len(answers), copy=False)
        counts = check_counts(self.counts, (len(codes),))
        splits = tuple(_check_split(Split(*split), len(codes), labels) for split in self.splits)
        names = [split.name for split in splits]
        if len(set(names)) < len(names):
            raise DataError(f"splits must be of distinct columns; got {names}; name each once")
        most = max(len(answers), *(len(split.values) for split in splits), 1)
        kind = np.min_scalar_type(-1 - most)
        table = np.column_stack(
            [codes.astype(kind), *(split.codes.astype(kind) for split in splits)]
        )
        distinct, inverse = group_rows(table, most)
        totals = totals_of(inverse, counts, len(distinct))
        cell_of = np.where(totals > 0, np.cumsum(totals > 0) - 1, -1)[inverse]
        distinct, totals = distinct[totals > 0], totals[totals > 0]
        n = len(judges)
        tuples, inverse = group_rows(distinct[:, :n].astype(np.int16), len(answers))
        sums = totals_of(inverse, totals, len(tuples))
        own = tuple(
            split._replace(codes=distinct[:, n + k].astype(np.int64))
            for k, split in enumerate(splits)
        )
        set_fields(self, judges=judges, labels=labels, answers=answers, codes=tuples, counts=sums)
        set_fields(self, splits=own, tuples=inverse.astype(np.int64), cells=totals)
        order = self.split("system").values if self.has("system") else ()
        first = tuple(dict.fromkeys(name for name in map(str, self.systems) if name in order))
        set_fields(self, systems=tuple(dict.fromkeys([*first, *order])))
        if self.pairs is not None:
            set_fields(self, pairs=_check_pairs(self.pairs, cell_of, self))

    @classmethod
    def of_keyed(cls, keyed: KeyedSketch) -> GroupedSketch:
        """Counts by human label of items that all have one."""
        rows, truth = np.nonzero(keyed.keyed)
        sketch, counts = keyed.sketch, keyed.keyed[rows, truth]
        split = Split("human", "key", sketch.labels, truth.astype(np.int64))
        return cls(*sketch.axes, sketch.codes[rows], counts, (split,))

    def split(self, kind: str) -> Split:
        """What items are counted by: the split of this kind, or of a column's name.

        Raises
        ------
        DataError
            If they are not counted by it.
        """
        for split in self.splits:
            if kind in (split.name, split.kind):
                return split
        by = ", ".join(split.kind for split in self.splits) or "nothing"
        raise DataError(
            f"counts must be by {kind}; got counts by {by}; count the rows again with {option(kind)}"
        )

    def has(self, kind: str) -> bool:
        """Whether items are counted by human labels, systems or slices."""
        return any(kind in (split.name, split.kind) for split in self.splits)

    def sketch(self) -> Sketch:
        """Counts of decision tuples alone."""
        return Sketch(*self.axes, self.codes, self.counts)

    __call__ = sketch

    def each(self, kind: str) -> dict[str, GroupedSketch]:
        """Counts of each system, or of each value of a slice, without that split."""
        split = self.split(kind)
        rest = [other for other in self.splits if other is not split]
        parts = {}
        for value in self.systems if split.kind == "system" else split.values:
            kept = split.codes == split.values.index(value)
            if kept.any():
                parts[value] = self._of(kept, rest)
        return parts

    def paired(self, pairs: Any) -> GroupedSketch:
        """Same counts, with how many prompts have which two cells."""
        return self._like(self.axes, self.codes[self.tuples], self.splits, pairs)

    def in_order(self, systems: Iterable[str]) -> GroupedSketch:
        """Same counts, with the systems in another order."""
        return replace(self, codes=self.codes[self.tuples], counts=self.cells, systems=(*systems,))

    def _like(
        self, axes: Any, codes: Any, splits: tuple[Split, ...], pairs: Any, kept: Any = slice(None)
    ) -> GroupedSketch:
        """Some of the cells under other axes, in the same order of systems."""
        more = splits, pairs, self.systems, self.n_parts, self.uncounted
        judges, labels, answers = axes
        return GroupedSketch(judges, labels, answers, codes, self.cells[kept], *more)

    def _of(self, kept: Any, splits: Iterable[Split], columns: Any = slice(None)) -> GroupedSketch:
        judges = tuple(np.array(self.judges, object)[columns].tolist())
        own = tuple(split._replace(codes=split.codes[kept]) for split in splits)
        codes = self.codes[self.tuples[kept]][:, columns]
        pairs = self.pairs if isinstance(kept, slice) else None
        return self._like((judges, self.labels, self.answers), codes, own, pairs, kept)

    def marginal(self, judges: Iterable[object]) -> GroupedSketch:
        """Same counts of some of the judges, in the order named."""
        return self._of(slice(None), self.splits, positions("judge", judges, self.judges))

    def spelled(self, labels: tuple[str, ...], answers: tuple[str, ...]) -> GroupedSketch:
        """Same counts with labels and answers in another order."""
        position = np.array([*map(answers.index, self.answers), NOT_ANSWERED], np.int16)
        splits = tuple(
            split._replace(values=labels, codes=position[split.codes].astype(np.int64))
            if split.kind == "human"
            else split
            for split in self.splits
        )
        codes = position[self.codes[self.tuples]]
        return self._like((self.judges, labels, answers), codes, splits, self.pairs)

    def keyed_sketch(self) -> KeyedSketch:
        """Counts by human label, of the items that have one."""
        truth = self.split("human").codes
        kept = truth != NOT_ANSWERED
        codes, counts = self.codes[self.tuples[kept]], self.cells[kept]
        return keyed_by_row(Sketch(*self.axes, codes, counts), codes, counts, truth[kept])

    def labelled(self, human: object = None) -> Sketch:
        """Counts with the labelled items one by one; the sketch alone without labels.

        human : the column of labels that is meant, where one is named.
        """
        if not self.has("human") and human is None:
            return self.sketch()
        split = self.split("human")
        if human not in (None, "key", "human", split.name) and human != [split.name]:
            raise DataError(
                f"labels must be those that were counted, {split.name!r}, as counts have no items to join "
                f"others to; got {human!r}; count the rows again with {option('human')}"
            )
        kept = np.flatnonzero(split.codes != NOT_ANSWERED)
        n = int(self.cells[kept].sum())
        if not n:
            return self.sketch()
        if n > MOST_LABELS:
            raise DataError(
                f"at most {MOST_LABELS:,} items may have a human label, as they are gone through one by one; "
                f"got {n:,}; count a random part of them with {option('human')}"
            )
        each = np.repeat(kept, self.cells[kept])
        codes, key = self.codes[self.tuples[each]], split.codes[each].astype(np.int16)
        prompts = [split for split in self.splits if split.kind == "prompt"]
        groupings = tuple(OfPrompts(split.name, split.codes[each]) for split in prompts)
        said = (
            f"column {self.uncounted!r} may hold prompts and was not counted by: labels count as "
            "independent, and where several are of one prompt intervals are too narrow; count with "
            f"{option('prompt', self.uncounted)}"
        )
        alone = bool(self.uncounted) and self.pairs is None and not prompts
        notes = (Caution(said),) if alone else ()
        some = Votes(RowNumbers.of(n), *self.axes, codes, key, notes=notes, groupings=groupings)
        return LabelledSketch(*self.axes, self.codes, self.counts, some)

    @property
    def digest(self) -> str:
        """The SHA-256 of counts and splits; certificates quote that of the sketch alone."""
        return digest_of(self._body())

    def __add__(self, other: object) -> GroupedSketch:
        if not isinstance(other, GroupedSketch):
            return NotImplemented
        names = [(split.kind, split.name) for split in self.splits]
        if names != [(split.kind, split.name) for split in other.splits]:
            raise DataError(
                f"counts to add must be by the same columns; got {names} and "
                f"{[(s.kind, s.name) for s in other.splits]}; count both alike"
            )
        _ = (
            self.sketch() + other.sketch()
        )  # which refuses other judges, labels and too large counts
        splits = []
        for a, b in zip(self.splits, other.splits, strict=True):
            values = a.values if a.values == b.values else natural_order({*a.values, *b.values})
            index = {value: k for k, value in enumerate(values)}
            moved = [
                np.array([*(index[v] for v in s.values), NOT_ANSWERED], np.int64)[s.codes]
                for s in (a, b)
            ]
            splits.append(Split(a.kind, a.name, values, np.concatenate(moved)))
        if (self.pairs is None) != (other.pairs is None):
            raise DataError(
                "counts to add must both have pairs of outputs, or neither; got one with them; count both "
                f"with {option('prompt')}"
            )
        pairs, n = None, len(self.cells)
        if self.pairs is not None and other.pairs is not None:
            pairs = np.concatenate([self.pairs, other.pairs + np.array([n, n, 0])])
        codes = np.concatenate([self.codes[self.tuples], other.codes[other.tuples]])
        counts = np.concatenate([self.cells, other.cells])
        more = (
            (*self.systems, *other.systems),
            self.n_parts + other.n_parts,
            self.uncounted or other.uncounted,
        )
        return GroupedSketch(*self.axes, codes, counts, tuple(splits), pairs, *more)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per cell: the value of each split, the answers of the judges, and how many items have them."""
        taken = list(self.judges)
        columns: dict[str, Any] = {}
        for split in self.splits:
            values = np.array([*split.values, None], object)
            columns[free_name(split.name, [*taken, *columns])] = values[split.codes]
        own = self._columns(self.cells, self.tuples)
        return (Table("Decision tuples by column", columns | own),)

    def _body(self) -> dict[str, Any]:
        return {
            "schema": "algeval.grouped_sketch/1",
            **axes_to_dict(self),
            "codes": self.codes[self.tuples].tolist(),
            "counts": self.cells.tolist(),
            "splits": [
                {
                    "kind": s.kind,
                    "name": s.name,
                    "values": list(s.values),
                    "codes": s.codes.tolist(),
                }
                for s in self.splits
            ],
        } | ({} if self.pairs is None else {"pairs": self.pairs.tolist()})

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.grouped_sketch/1`) with the digest; the order of systems, and parts."""
        beside: dict[str, Any] = {} if self.n_parts == 1 else {"n_parts": self.n_parts}
        if self.systems and self.systems != self.split("system").values:
            beside["systems"] = list(self.systems)
        body = self._body()
        return body | {"digest": digest_of(body)} | beside

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, checking schema and digest."""
        own = document
        if isinstance(document, Mapping):
            own = {k: v for k, v in document.items() if k not in ("systems", "n_parts")}
        expect_schema(own, "algeval.grouped_sketch/1")
        expect_names(document, "judges", "labels", "answers")
        codes = whole_table(document["codes"], "codes").reshape(-1, len(document["judges"]))
        splits = tuple(
            Split(
                str(part["kind"]),
                str(part["name"]),
                tuple(map(str, part["values"])),
                whole_table(part["codes"], "codes"),
            )
            for part in document["splits"]
        )
        pairs = document.get("pairs")
        pairs = None if pairs is None else whole_table(pairs, "pairs").reshape(-1, 3)
        beside = tuple(map(str, document.get("systems", ()))), int(document.get("n_parts", 1))
        counts = whole_counts(document["counts"])
        return cls(*axes_in(document), codes, counts, splits, pairs, *beside)

    def __repr__(self) -> str:
        by = ", ".join(f"{split.kind} {split.name!r}" for split in self.splits)
        return (
            f"GroupedSketch({how_many(self.n_items, 'item')}, {how_many(self.n_judges, 'judge')}, labels "
            f"{short_list(self.labels)}, by {by or 'nothing'}, {len(self.cells)} cells"
            f"{'' if self.pairs is None else f', {int(self.pairs[:, 2].sum())} pairs'})"
        )


def _check_pairs(
    pairs: Any, cell_of: NDArray[np.int64], counts: GroupedSketch
) -> NDArray[np.int64]:
    """Distinct pairs of cells, that of the first system first, or say what is wrong with them."""
    table = np.asarray(pairs, np.int64)
    if table.ndim != 2 or table.shape[1] != 3 or (len(table) and table[:, 2].min() < 0):
        raise DataError("pairs must be rows of two cells and a count; got others; count again")
    table = table[table[:, 2] > 0]
    if len(table) and not (table[:, :2].min() >= 0 and table[:, :2].max() < len(cell_of)):
        raise DataError(
            f"cells of pairs must lie in 0..{len(cell_of) - 1}; got others; count again"
        )
    cells = cell_of[table[:, :2]]
    systems = counts.split("system").codes[cells]
    if (cells < 0).any() or (systems[:, 0] == systems[:, 1]).any() or (systems < 0).any():
        raise DataError(
            "pairs must be of counted outputs of two systems; got others; count the rows again"
        )
    swapped = systems[:, 0] > systems[:, 1]
    cells[swapped] = cells[swapped][:, ::-1]
    distinct, inverse = np.unique(cells, axis=0, return_inverse=True)
    totals = np.zeros(len(distinct), np.int64)
    np.add.at(totals, inverse.ravel(), table[:, 2])
    _check_fits(distinct, totals, counts)
    return np.column_stack([distinct, totals]).astype(np.int64)


def _check_fits(cells: NDArray[np.int64], totals: Counts, counts: GroupedSketch) -> None:
    """Refuse an output in more pairs with outputs of one system than there are such outputs."""
    split = counts.split("system")
    used = np.zeros((len(counts.cells), len(split.values)), np.int64)
    for own, other in ((0, 1), (1, 0)):
        np.add.at(used, (cells[:, own], split.codes[cells[:, other]]), totals)
    if (used > counts.cells[:, None]).any():
        raise DataError(
            "an output must be in one pair with each other system at most; got more pairs than outputs; "
            "count the rows again"
        )


def _check_split(split: Split, n_cells: int, labels: tuple[str, ...]) -> Split:
    """Split with codes that fit, or say what is wrong with it."""
    check_choice("kind", split.kind, ("human", "system", "slice", "prompt"))
    values = check_names("value", split.values) if split.values else ()
    codes = np.asarray(split.codes, np.int64)
    if codes.shape != (n_cells,):
        raise DataError(
            f"codes of {split.name!r} must be one a cell ({n_cells}); got shape {codes.shape}"
        )
    if len(codes) and not (codes.min() >= -1 and codes.max() < len(values)):
        raise DataError(f"codes of {split.name!r} must lie in -1..{len(values) - 1}; got others")
    if split.kind == "human" and values != labels:
        raise DataError(
            f"human labels must be those of the judges, {list(labels)}; got {list(values)}; name them alike"
        )
    return split._replace(values=values, codes=codes)
