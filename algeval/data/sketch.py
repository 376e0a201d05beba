"""Counts of decision tuples: the only thing algebra, logic and EM need to see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np

from algeval.data.counts import (
    add_checked,
    check_codes,
    check_counts,
    group_rows,
    split_by_truth,
    whole_counts,
    whole_table,
)
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
    expect_names,
    expect_schema,
    label_names,
    positions,
    set_fields,
)
from algeval.data.summary import Summary
from algeval.errors import DataError
from algeval.result.tables import Table, Tabled, free_name
from algeval.result.values import ByValue
from algeval.result.visible import short_list

__all__ = ["KeyedSketch", "Sketch", "keyed_by_row"]

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

    def __post_init__(self) -> None:
        judges, labels, answers = check_axes(*self.axes)
        codes = check_codes(self.codes, len(judges), len(answers), copy=False)
        counts = check_counts(self.counts, (len(codes),))
        distinct, inverse = group_rows(codes, len(answers))
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, inverse, counts)
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
        result: Counts = ((self.codes == NOT_ANSWERED) * self.counts[:, None]).sum(
            0, dtype=np.int64
        )
        return result

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
        """Return the sketch of some of the judges, in the order named; items stay the same."""
        places = positions("judge", judges, self.judges)
        names = tuple(self.judges[place] for place in places)
        return Sketch(names, self.labels, self.answers, self.codes[:, places], self.counts)

    def sketch(self) -> Sketch:
        """Return the sketch itself, so that votes and sketches can be used alike."""
        return self

    __call__ = sketch  # KeyedSketch.sketch is a field; this lets `keyed.sketch()` work as well

    def summary(self) -> Summary:
        """Return how often each judge gave each answer."""
        table = np.zeros((self.n_judges, self.n_answers), np.int64)
        for judge in range(self.n_judges):
            given = self.codes[:, judge] != NOT_ANSWERED
            np.add.at(table[judge], self.codes[given, judge], self.counts[given])
        return Summary(*self.axes, table, self.n_items)

    def frequency(self, decision: Decision) -> Fraction:
        """Return the exact share of items with this decision tuple."""
        code = _encode([_as_tuple(decision)], self.n_judges, self.answers)[0]
        found = self.counts[(self.codes == code).all(1)]
        return Fraction(int(found.sum()), self.n_items)

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
        _check_same_names(self, other)
        add_checked(self.n_items, other.n_items)
        return Sketch(
            *self.axes,
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.counts, other.counts]),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per decision tuple: the answer of each judge, and how many items got it."""
        return (Table("Decision tuples", self._columns(self.counts)),)

    def _columns(self, counts: Counts, rows: Any = slice(None)) -> dict[str, Any]:
        answers = np.array([*self.answers, None], object)
        columns = {j: answers[self.codes[rows, place]] for place, j in enumerate(self.judges)}
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
        """Return JSON types (schema `algeval.sketch/1`) with the digest."""
        return self._body() | {"digest": self.digest}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, checking schema and digest."""
        expect_schema(document, "algeval.sketch/1")
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
        labels_ = check_names("label", counts if labels is None else labels)
        places = positions("label", counts, labels_)
        rows = [_as_tuple(key) for part in counts.values() for key in part]
        names, labels_, answers_ = _names_of(rows, judges, labels_, answers)
        codes = _encode(rows, len(names), answers_)
        flat = whole_counts([c for part in counts.values() for c in part.values()])
        truth = np.repeat(places, [len(part) for part in counts.values()])
        sketch = Sketch(names, labels_, answers_, codes, flat)
        return cls(sketch, keyed_by_row(sketch, codes, flat, truth).keyed)

    @property
    def n_items(self) -> int:
        """Number of items with a known true label."""
        return self.sketch.n_items

    def evaluation(self) -> Evaluation:
        """Return the truth: exact prevalences and confusion tables on these items."""
        s = self.sketch
        table = np.zeros((s.n_judges, s.n_labels, s.n_answers), np.int64)
        for judge in range(s.n_judges):
            given = s.codes[:, judge] != NOT_ANSWERED
            np.add.at(table[judge].T, s.codes[given, judge], self.keyed[given])
        return Evaluation.from_counts(*s.axes, self.keyed.sum(0), table)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types (schema `algeval.keyed_sketch/1`)."""
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
        """Return a row per decision tuple and true label that occur together, and on how many items."""
        rows, truths = np.nonzero(self.keyed)
        columns = self.sketch._columns(self.keyed[rows, truths], rows)
        labels = np.array(self.sketch.labels, object)
        true = {free_name("true label", self.sketch.judges): labels[truths]}
        return (Table("Decision tuples by true label", true | columns),)

    def __hash__(self) -> int:
        return hash(self.sketch)

    def __repr__(self) -> str:
        return f"KeyedSketch({self.sketch!r})"


def keyed_by_row(sketch: Sketch, codes: Codes, counts: Counts, truth: Any) -> KeyedSketch:
    """Return a sketch split by the true label of each of the rows it was made of."""
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
    index: dict[str | None, int] = {answer: place for place, answer in enumerate(answers)}
    index[None] = NOT_ANSWERED
    codes = np.empty((len(rows), n_judges), np.int16)
    for place, row in enumerate(rows):
        if len(row) != n_judges:
            raise DataError(
                f"a decision tuple must have one answer per judge ({n_judges}); got {row!r}; "
                "name the judges or fix the tuple"
            )
        unknown = [answer for answer in row if answer not in index]
        if unknown:
            raise DataError(f"answer {unknown[0]!r} is not known; choose from {list(answers)}")
        codes[place] = [index[answer] for answer in row]
    return codes


def _check_same_names(first: Sketch, second: Sketch) -> None:
    for kind, a, b in zip(AXES, first.axes, second.axes, strict=True):
        if a != b:
            raise DataError(f"sketches to add must share their {kind}; got {list(a)} and {list(b)}")
