"""Counts of decision tuples, and counts per judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from algeval.data.evaluation import Evaluation
from algeval.data.names import (
    AXES,
    NOT_ANSWERED,
    Axes,
    Codes,
    Counts,
    axes_in,
    axes_to_dict,
    check_axes,
    check_names,
    digest_in_parts,
    digest_of,
    expect_names,
    expect_schema,
    is_sparse,
    label_names,
    natural_order,
    positions,
    read_only,
    set_fields,
)
from algeval.data.sparse import group_sparse_rows
from algeval.errors import DataError
from algeval.result.numbers import ByValue, short_list
from algeval.result.tables import Table, Tabled, free_name

# --- Counts and codes: checked, grouped into distinct decision tuples, split by true label.


_MOST = np.iinfo(np.int64).max
NDArrayInt = np.ndarray[Any, np.dtype[np.intp]]
Kind = TypeVar("Kind", bound=np.signedinteger[Any])
Rows = np.ndarray[Any, np.dtype[Kind]]


def group_rows(codes: Rows[Kind], n_answers: int) -> tuple[Rows[Kind], NDArrayInt]:
    """Distinct rows in lexicographic order, and which of them each row is.

    Codes run from -1 to n_answers - 1. Columns are packed into as few 64-bit words as hold them.
    """
    if not len(codes):
        return codes, np.zeros(0, np.intp)
    if is_sparse(codes):
        return group_sparse_rows(codes, n_answers)
    words = _pack(codes, n_answers + 1)
    if len(words) == 1:
        _, first, inverse = np.unique(words[0], return_index=True, return_inverse=True)
        return codes[first], inverse
    order = np.lexsort(words[::-1])
    changed = np.zeros(len(codes), bool)
    for word in words:
        changed[1:] |= np.diff(word[order]) != 0
    inverse = np.empty(len(codes), np.intp)
    inverse[order] = np.cumsum(changed)
    starts = np.concatenate([[0], np.flatnonzero(changed)])
    return codes[order[starts]], inverse


WHOLE_FLOATS = 2**53
"""Sums of whole numbers below it are exact in floats, and far faster."""

_PAIR_ENTRIES = 1 << 19
"""Entries of a block when pairs of answers are counted, for memory."""


def totals_of(groups: Any, counts: Counts, n_groups: int) -> Counts:
    """(n_groups,) sums of whole counts by group, exactly."""
    if counts.sum(dtype=float) < WHOLE_FLOATS:
        return np.bincount(groups, counts, n_groups).astype(np.int64)
    totals = np.zeros(n_groups, np.int64)
    np.add.at(totals, groups, counts)
    return totals


def pairs_of_answers(codes: Rows[Any], counts: NDArray[Any], n_answers: int) -> Counts:
    """(N, A + 1, N, A + 1) how often each two judges gave each two answers; index 0 is none given."""
    n_rows, n_judges = codes.shape
    answers = np.arange(-1 if (codes < 0).any() else 0, n_answers)
    size = n_judges * len(answers)
    kind: Any = float if counts.sum(dtype=float) < WHOLE_FLOATS else object
    total = np.zeros((size, size), kind)
    rows = max(1, _PAIR_ENTRIES // max(1, size))
    for start in range(0, n_rows, rows):
        hot = codes[start : start + rows, :, None] == answers
        hot_ = hot.reshape(-1, size).astype(np.int64 if kind is object else float).astype(kind)
        total += hot_.T @ (hot_ * counts[start : start + rows, None])
    pairs = np.zeros((n_judges, n_answers + 1) * 2, np.int64)
    first = n_answers + 1 - len(answers)
    pairs[:, first:, :, first:] = total.astype(np.int64).reshape((n_judges, len(answers)) * 2)
    return pairs


def _pack(codes: Rows[Any], base: int) -> list[Counts]:
    per_word = max(1, int(62 / np.log2(max(base, 2))))
    words = []
    for start in range(0, codes.shape[1], per_word):
        columns = codes[:, start : start + per_word].T
        word = np.zeros(len(codes), np.int64)
        for column in columns:
            word *= base
            word += column
            word += 1
        words.append(word)
    return words


def split_by_truth(
    codes: Codes, counts: Counts, truth: NDArrayInt, *, n_answers: int, n_labels: int
) -> Counts:
    """Return (U, R): the counts of each distinct tuple by true label."""
    kept = counts > 0
    distinct, inverse = group_rows(codes[kept], n_answers)
    keyed = np.zeros((len(distinct), n_labels), np.int64)
    np.add.at(keyed, (inverse, truth[kept]), counts[kept])
    return keyed


def answer_counts(codes: Codes, counts: Counts, n_answers: int) -> Counts:
    """(N, R, A) counts: how often each judge gave each answer, of rows that stand for (U, R) items."""
    table = np.zeros((codes.shape[1], counts.shape[1], n_answers), np.int64)
    if is_sparse(codes):
        np.add.at(table.transpose(0, 2, 1), (codes.columns, codes.values), counts[codes.rows])
        return table
    for judge, column in enumerate(codes.T):
        for k, row in enumerate(counts.T):
            table[judge, k] = totals_of(column + 1, row, n_answers + 1)[
                1:
            ]  # the first is no answer
    return table


def check_mapping(name: str, value: object, written: str) -> None:
    """Refuse what is no mapping, naming how one is written."""
    if not isinstance(value, Mapping):
        raise DataError(f"{name} must be a mapping; got {value!r}; write {written}")


def whole_counts(values: Iterable[object]) -> Counts:
    """Counts as int64, refusing what is no whole number or does not fit."""
    listed: list[Any] = list(values)
    for value in listed:
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise DataError(f"counts must be whole numbers; got {value!r}; count items, not shares")
        if not 0 <= int(value) <= _MOST:
            raise DataError(f"counts must lie in 0..2^63-1; got {value}; split the data or recount")
    return np.array([int(value) for value in listed], np.int64)


def whole_table(values: Any, name: str) -> Any:
    """Nested lists of whole numbers as int64: 0.5, true and text are none."""
    wrong = next(
        (x for x in _leaves(values) if not isinstance(x, int) or isinstance(x, bool)), None
    )
    if wrong is not None:
        raise DataError(f"{name} must be whole numbers; got {wrong!r}; write the document again")
    return np.asarray(values, np.int64)


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _leaves(value)
        else:
            yield value.item() if isinstance(value, np.generic) else value


def check_counts(counts: Any, shape: tuple[int, ...]) -> Counts:
    """Whole counts of this shape as int64, or say what is wrong with them."""
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        if array.size:
            raise DataError(f"counts must be whole numbers; got dtype {array.dtype}; count items")
        array = array.astype(np.int64)
    if array.shape != shape:
        raise DataError(f"counts must have shape {shape}; got {array.shape}; one count per tuple")
    if (array < 0).any() or (array > _MOST).any():
        raise DataError("counts must lie in 0..2^63-1; got one outside; recount")
    if array.size and int(array.max()) * array.size > _MOST:
        reduce(add_checked, map(int, array.ravel()), 0)
    return array.astype(np.int64)


def add_checked(total: int, count: int) -> int:
    """Sum of two counts, refusing what does not fit 64 bits."""
    if total + count > _MOST:
        raise DataError("the counts must add up to at most 2^63-1 items; got more; split the data")
    return total + count


def check_codes(codes: Any, n_judges: int, n_answers: int, *, copy: bool = True) -> Codes:
    """(items, N) answer codes as int16, another array if `copy`, or say what is wrong with them."""
    array: Any = codes if is_sparse(codes) else np.asarray(codes)
    if array.ndim != 2 or array.shape[1] != n_judges:
        raise DataError(
            f"codes must have one column per judge ({n_judges}); got shape {array.shape}; "
            "axis order is item, judge"
        )
    if array.dtype.kind not in "iu" and array.size:
        raise DataError(f"codes must be whole numbers; got dtype {array.dtype}; encode the answers")
    if array.size and not (array.min() >= -1 and array.max() < n_answers):
        raise DataError(f"codes must lie in -1..{n_answers - 1}; got {array.min()}..{array.max()}")
    checked: Codes = array.astype(np.int16, copy=copy)
    return checked


# --- How often each judge gave each answer: all that order-1 logic needs.


@dataclass(frozen=True, slots=True, eq=False)
class Summary(Axes, Tabled, ByValue):
    """Per judge, how often each answer was given (the papers' "grader summaries").

    Parameters
    ----------
    judges, labels, answers : sequences of str
        `answers` starts with `labels` and may go on with answers that are never correct.
    counts : (N, A) int array
        How often judge i gave answer a.
    n_items : int
        Number of items on the test, Q; a judge whose counts sum to less left items unanswered.

    Raises
    ------
    DataError
        If the shapes or counts break these rules.

    Examples
    --------
    >>> s = Summary.from_counts({"authors": {"a": 5, "b": 10}, "gpt4": {"a": 4, "b": 11}})
    >>> s.n_items
    15
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    counts: Counts
    n_items: int

    def __post_init__(self) -> None:
        judges, labels, answers = check_axes(*self.axes)
        counts = check_counts(self.counts, (len(judges), len(answers)))
        for name, total in zip(judges, counts.sum(1).tolist(), strict=True):
            if total > self.n_items:
                raise DataError(
                    f"judge {name!r} must have at most n_items = {self.n_items} answers; got {total}; "
                    "correct the counts or n_items"
                )
        set_fields(self, judges=judges, labels=labels, answers=answers)
        set_fields(self, counts=counts, n_items=int(self.n_items))

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[object, Mapping[object, int]],
        *,
        labels: Iterable[object] | None = None,
        answers: Iterable[object] | None = None,
        n_items: int | None = None,
    ) -> Self:
        """Build from {judge: {answer: count}}.

        `n_items` may be left out when every judge's counts have the same sum.
        """
        check_mapping("counts", counts, "{'judge': {'a': 5, 'b': 7}}")
        judges = check_names("judge", counts)
        for name, row in zip(judges, counts.values(), strict=True):
            check_mapping(f"counts of judge {name!r}", row, "{'a': 5, 'b': 7}")
        seen = (str(answer) for row in counts.values() for answer in row)
        labels_, answers_ = label_names(seen, labels, answers)
        table = np.zeros((len(judges), len(answers_)), np.int64)
        for position, row in enumerate(counts.values()):
            if row:
                table[position, positions("answer", row, answers_)] = whole_counts(row.values())
        return cls(judges, labels_, answers_, table, _common_total(judges, table, n_items))

    @property
    def answered(self) -> Counts:
        """(N,) how many items each judge answered."""
        result: Counts = self.counts.sum(1)
        return result

    @property
    def missing(self) -> Counts:
        """(N,) how many items each judge did not answer."""
        return self.n_items - self.answered

    @property
    def complete(self) -> bool:
        """Whether every judge answered every item."""
        return bool((self.answered == self.n_items).all())

    @property
    def digest(self) -> str:
        """The SHA-256 that certificates quote to say which summary they speak of."""
        return digest_of(self._body())

    def select(self, judges: Iterable[object]) -> Summary:
        """Summary of some of the judges, in the order named."""
        columns = positions("judge", judges, self.judges)
        names = tuple(self.judges[column] for column in columns)
        return Summary(names, self.labels, self.answers, self.counts[columns], self.n_items)

    marginal = select

    def summary(self) -> Summary:
        """Summary itself, so that sketches and summaries can be used alike."""
        return self

    def _body(self) -> dict[str, Any]:
        return {
            "schema": "algeval.summary/1",
            **axes_to_dict(self),
            "counts": self.counts.tolist(),
            "n_items": self.n_items,
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.summary/1`) with the digest."""
        body = self._body()
        return body | {"digest": digest_of(body)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, checking schema and digest."""
        expect_schema(document, "algeval.summary/1")
        document = {"answers": document["labels"], **document}
        expect_names(document, "judges", "labels", "answers")
        return cls(
            *axes_in(document),
            whole_table(document["counts"], "counts"),
            int(whole_counts([document["n_items"]])[0]),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """How often each judge gave each answer; the answer is missing where it gave none."""
        counts = np.column_stack([self.counts, self.missing])
        rows = [
            (judge, answer, count)
            for judge, row in zip(self.judges, counts.tolist(), strict=True)
            for answer, count in zip((*self.answers, None), row, strict=True)
        ]
        return (Table.of_rows("Answers of each judge", ("judge", "answer", "count"), rows),)

    def _file_tables(self) -> tuple[Table, ...]:
        """The same, with a column that says which answers are labels where some are not."""
        (table,) = self.as_tables()
        if self.answers == self.labels:
            return (table,)
        marks = [
            "no" if a is not None and a not in self.labels else "yes"
            for a in table.columns["answer"]
        ]
        names = ("judge", "answer", "count")
        return (Table(table.title, {**{n: table.columns[n] for n in names}, "label": marks}),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Summary) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Summary({self.n_items} items, {self.n_judges} judges, labels {short_list(self.labels)})"


def _common_total(judges: tuple[str, ...], table: Counts, n_items: int | None) -> int:
    totals = table.sum(1).tolist()
    if n_items is not None:
        return int(n_items)
    if len(set(totals)) > 1:
        shown = dict(zip(judges, totals, strict=True))
        raise DataError(
            f"every judge must have the same number of answers, or n_items must be given; got {shown}; "
            "pass n_items= if some items were left unanswered"
        )
    return int(totals[0])


# --- Counts of decision tuples: the only thing algebra, logic and EM need to see.


Decision = str | Sequence[object]


@dataclass(frozen=True, slots=True, eq=False)
class Sketch(Axes, Tabled, ByValue):
    """How often each tuple of answers was given; everything the methods read.

    Parameters
    ----------
    judges, labels, answers : sequences of str
        `answers` starts with `labels` and may go on with answers that are never correct.
    codes : (U, N) int array
        Distinct decision tuples as positions in `answers`; -1 where a judge did not answer.
    counts : (U,) int array
        How many items got each tuple; tuples counted zero times are dropped.

    Raises
    ------
    DataError
        If shapes, codes or counts break these rules, or a total does not fit 64 bits.

    Examples
    --------
    >>> s = Sketch.from_counts({"ab": 5, "ba": 5}, judges=["i", "j"])
    >>> s.n_items, s.frequency("ab")
    (10, Fraction(1, 2))
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    codes: Codes
    counts: Counts
    _digest: str | None = field(default=None, init=False, repr=False, compare=False)
    _summary: Summary | None = field(default=None, init=False, repr=False, compare=False)
    _pair_table: Counts | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        judges, labels, answers = check_axes(*self.axes)
        codes = check_codes(self.codes, len(judges), len(answers), copy=False)
        counts = check_counts(self.counts, (len(codes),))
        distinct, inverse = group_rows(codes, len(answers))
        totals = totals_of(inverse, counts, len(distinct))
        kept = totals > 0
        if not kept.all():
            distinct, totals = distinct[kept], totals[kept]
        set_fields(self, judges=judges, labels=labels, answers=answers)
        set_fields(self, codes=distinct, counts=totals)

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[Any, int],
        *,
        judges: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        answers: Iterable[object] | None = None,
    ) -> Self:
        """Build a sketch from {decision tuple: count}.

        Parameters
        ----------
        counts : mapping
            Keys are sequences with one answer per judge (None where a judge did not answer), or
            text with one character per judge ("." where a judge did not answer).
        judges, labels, answers : sequences of str, optional
            By default judges are numbered "1", "2", ... and every answer seen is a label.
        """
        check_mapping("counts", counts, "{'aab': 5, 'bbb': 7}")
        rows = [_as_tuple(key) for key in counts]
        names, labels_, answers_ = _names_of(rows, judges, labels, answers)
        codes = _encode(rows, len(names), answers_)
        return cls(names, labels_, answers_, codes, whole_counts(counts.values()))

    @property
    def n_items(self) -> int:
        """Number of items counted, Q."""
        return int(self.counts.sum())

    @property
    def missing(self) -> Counts:
        """(N,) how many items each judge did not answer."""
        answered: Counts = self.summary().counts.sum(axis=1)
        return self.n_items - answered

    @property
    def complete(self) -> bool:
        """Whether every judge answered every item."""
        return not (self.codes == NOT_ANSWERED).any()

    @property
    def digest(self) -> str:
        """The SHA-256 that certificates quote to say which sketch they speak of; found once."""
        if self._digest is None:
            arrays: dict[str, Any] = {"codes": self.codes, "counts": self.counts}
            empty: dict[str, Any] = {name: [] for name in arrays}
            names = {"schema": "algeval.sketch/1", **axes_to_dict(self), **empty}
            set_fields(self, _digest=digest_in_parts(names, arrays))
        return str(self._digest)

    def marginal(self, judges: Iterable[object]) -> Sketch:
        """Sketch of some of the judges, in the order named; items stay the same."""
        columns = positions("judge", judges, self.judges)
        names = tuple(self.judges[column] for column in columns)
        return Sketch(names, self.labels, self.answers, self.codes[:, columns], self.counts)

    def sketch(self) -> Sketch:
        """Sketch itself, so that votes and sketches can be used alike."""
        return self

    __call__ = sketch  # KeyedSketch.sketch is a field; this lets `keyed.sketch()` work as well

    def summary(self) -> Summary:
        """How often each judge gave each answer; counted once."""
        if self._summary is None:
            table = answer_counts(self.codes, self.counts[:, None], self.n_answers)[:, 0]
            set_fields(self, _summary=Summary(*self.axes, table, self.n_items))
        assert self._summary is not None
        return self._summary

    def pair_table(self) -> Counts:
        """(N, A + 1, N, A + 1) how often each two judges gave each two answers; index 0 is none given."""
        if self._pair_table is None:
            pairs = pairs_of_answers(self.codes, self.counts, self.n_answers)
            set_fields(self, _pair_table=read_only(pairs))
        assert self._pair_table is not None
        return self._pair_table

    def frequency(self, decision: Decision) -> Fraction:
        """Exact share of items with this decision tuple."""
        code = _encode([_as_tuple(decision)], self.n_judges, self.answers)[0]
        counts = self.counts[(self.codes == code).all(1)]
        return Fraction(int(counts.sum()), self.n_items)

    def decision(self, row: int) -> tuple[str | None, ...]:
        """Return one decision tuple by name, None where a judge did not answer."""
        return tuple(
            None if c == NOT_ANSWERED else self.answers[c] for c in self.codes[row].tolist()
        )

    def to_counts(self) -> dict[tuple[str | None, ...], int]:
        """Return {decision tuple: count}, the inverse of `from_counts`."""
        return {self.decision(row): int(count) for row, count in enumerate(self.counts)}

    def __add__(self, other: object) -> Sketch:
        if not isinstance(other, Sketch):
            return NotImplemented
        for kind, a, b in zip(AXES, self.axes, other.axes, strict=True):
            if a != b:
                raise DataError(
                    f"sketches to add must share their {kind}; got {list(a)} and {list(b)}"
                )
        add_checked(self.n_items, other.n_items)
        return Sketch(
            *self.axes,
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.counts, other.counts]),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per decision tuple: the answer of each judge, and how many items got it."""
        return (Table("Decision tuples", self._columns(self.counts)),)

    def _file_tables(self) -> tuple[Table, ...]:
        """The same; rows that count 0 say the labels, in order, where the tuples do not."""
        return (self._with_labels(self.as_tables()[0]),)

    def _with_labels(self, table: Table, key: str | None = None) -> Table:
        seen = {a for column in self.codes.T for a in np.unique(column).tolist() if a >= 0}
        in_order = (
            tuple(natural_order(self.answers[a] for a in seen)) == self.answers == self.labels
        )
        if in_order and self.n_judges > 1:
            return table
        named = {**dict.fromkeys(self.judges, self.answers), "count": [0] * self.n_answers}
        if key is not None:
            named[key] = [a if a in self.labels else None for a in self.answers]
        columns = {
            name: [*named[name if name in named else "count"], *cells]
            for name, cells in table.columns.items()
        }
        if self.answers != self.labels:
            marks = ["yes" if a in self.labels else "no" for a in self.answers]
            columns[free_name("label", columns)] = [*marks, *[None] * table.n_rows]
        return Table(table.title, columns)

    def _columns(self, counts: Counts, rows: Any = slice(None)) -> dict[str, Any]:
        answers = np.array([*self.answers, None], object)
        columns = {j: answers[self.codes[rows, column]] for column, j in enumerate(self.judges)}
        return columns | {free_name("count", self.judges): counts}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sketch) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return (
            f"Sketch({self.n_items} items, {self.n_judges} judges, labels {short_list(self.labels)}, "
            f"{len(self)} distinct decision tuples)"
        )

    def _body(self) -> dict[str, Any]:
        return {
            "schema": "algeval.sketch/1",
            **axes_to_dict(self),
            "codes": self.codes.tolist(),
            "counts": self.counts.tolist(),
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.sketch/1`) with the digest."""
        return self._body() | {"digest": self.digest}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, checking schema and digest."""
        expect_schema(document, "algeval.sketch/1")
        document = {"answers": document["labels"], **document}
        expect_names(document, "judges", "labels", "answers")
        codes = whole_table(document["codes"], "codes").reshape(-1, len(document["judges"]))
        return cls(
            *axes_in(document),
            check_codes(codes, len(document["judges"]), len(document["answers"])),
            whole_counts(document["counts"]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class KeyedSketch(Tabled, ByValue):
    """A sketch whose items have known true labels: n(u; t).

    Parameters
    ----------
    sketch : Sketch
        The decision tuples of the items whose true label is known, (U, N).
    keyed : (U, R) int array
        How many items with each tuple have each true label; rows sum to `sketch.counts`.

    Raises
    ------
    DataError
        If `keyed` does not add up to the sketch.
    """

    sketch: Sketch
    keyed: Counts

    def __post_init__(self) -> None:
        keyed = check_counts(self.keyed, (len(self.sketch), self.sketch.n_labels))
        if not np.array_equal(keyed.sum(1), self.sketch.counts):
            raise DataError(
                "keyed counts must add up to the sketch's counts; they do not; recount them"
            )
        set_fields(self, keyed=keyed)

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[object, Mapping[Any, int]],
        *,
        judges: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        answers: Iterable[object] | None = None,
    ) -> Self:
        """Build from {true label: {decision tuple: count}}."""
        check_mapping("counts", counts, "{'a': {'aab': 5}, 'b': {'bbb': 7}}")
        labels_ = check_names("label", counts if labels is None else labels)
        positions_ = positions("label", counts, labels_)
        for part in counts.values():
            check_mapping("counts of a label", part, "{'aab': 5, 'bbb': 7}")
        rows = [_as_tuple(key) for part in counts.values() for key in part]
        names, labels_, answers_ = _names_of(rows, judges, labels_, answers)
        codes = _encode(rows, len(names), answers_)
        flat = whole_counts([c for part in counts.values() for c in part.values()])
        truth = np.repeat(positions_, [len(part) for part in counts.values()])
        sketch = Sketch(names, labels_, answers_, codes, flat)
        return cls(sketch, keyed_by_row(sketch, codes, flat, truth).keyed)

    @property
    def n_items(self) -> int:
        """Number of items with a known true label."""
        return self.sketch.n_items

    def evaluation(self) -> Evaluation:
        """Truth: exact prevalences and confusion tables on these items."""
        s = self.sketch
        table = answer_counts(s.codes, self.keyed, s.n_answers)
        return Evaluation.from_counts(*s.axes, self.keyed.sum(0), table)

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.keyed_sketch/1`)."""
        return {
            "schema": "algeval.keyed_sketch/1",
            "sketch": self.sketch.to_dict(),
            "keyed": self.keyed.tolist(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.keyed_sketch/1")
        return cls(Sketch.from_dict(document["sketch"]), whole_table(document["keyed"], "keyed"))

    def as_tables(self) -> tuple[Table, ...]:
        """Row per decision tuple and true label that occur together, and on how many items."""
        rows, truths = np.nonzero(self.keyed)
        columns = self.sketch._columns(self.keyed[rows, truths], rows)
        labels = np.array(self.sketch.labels, object)
        true = {free_name("true label", self.sketch.judges): labels[truths]}
        return (Table("Decision tuples by true label", true | columns),)

    def _file_tables(self) -> tuple[Table, ...]:
        """The same; rows that count 0 say the labels, in order, where the tuples do not."""
        (table,) = self.as_tables()
        return (self.sketch._with_labels(table, next(iter(table.columns))),)

    def __hash__(self) -> int:
        return hash(self.sketch)

    def __repr__(self) -> str:
        return f"KeyedSketch({self.sketch!r})"


def keyed_by_row(sketch: Sketch, codes: Codes, counts: Counts, truth: Any) -> KeyedSketch:
    """Sketch split by the true label of each of the rows it was made of."""
    sizes = {"n_answers": sketch.n_answers, "n_labels": sketch.n_labels}
    return KeyedSketch(sketch, split_by_truth(codes, counts, truth, **sizes))


def _as_tuple(key: object) -> tuple[str | None, ...]:
    if isinstance(key, str):
        return tuple(None if letter == "." else letter for letter in key)
    if isinstance(key, Iterable):
        return tuple(None if part is None else str(part) for part in key)
    raise DataError(f"a decision tuple must be text or a sequence of answers; got {key!r}")


def _names_of(
    rows: list[tuple[str | None, ...]],
    judges: Iterable[object] | None,
    labels: Iterable[object] | None,
    answers: Iterable[object] | None,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    if judges is None:
        judges = range(1, 1 + (len(rows[0]) if rows else 0))
    names = check_names("judge", judges)
    seen = (answer for row in rows for answer in row if answer is not None)
    return names, *label_names(seen, labels, answers)


def _encode(rows: list[tuple[str | None, ...]], n_judges: int, answers: tuple[str, ...]) -> Codes:
    index: dict[str | None, int] = {answer: position for position, answer in enumerate(answers)}
    index[None] = NOT_ANSWERED
    codes = np.empty((len(rows), n_judges), np.int16)
    for position, row in enumerate(rows):
        if len(row) != n_judges:
            raise DataError(
                f"a decision tuple must have one answer per judge ({n_judges}); got {row!r}; "
                "name the judges or fix the tuple"
            )
        unknown = [answer for answer in row if answer not in index]
        if unknown:
            raise DataError(f"answer {unknown[0]!r} is not known; choose from {list(answers)}")
        codes[position] = [index[answer] for answer in row]
    return codes
