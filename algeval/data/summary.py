"""How often each judge gave each answer: all that order-1 logic needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from algeval.data.counts import check_counts, whole_counts, whole_table
from algeval.data.names import (
    Axes,
    Counts,
    axes_in,
    axes_to_dict,
    check_axes,
    check_names,
    digest_of,
    expect_names,
    expect_schema,
    label_names,
    positions,
    set_fields,
)
from algeval.errors import DataError
from algeval.result.tables import Table, Tabled
from algeval.result.values import ByValue
from algeval.result.visible import short_list

__all__ = ["Summary"]


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
        judges = check_names("judge", counts)
        seen = (str(answer) for row in counts.values() for answer in row)
        labels_, answers_ = label_names(seen, labels, answers)
        table = np.zeros((len(judges), len(answers_)), np.int64)
        for place, row in enumerate(counts.values()):
            if row:
                table[place, positions("answer", row, answers_)] = whole_counts(row.values())
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
        """Return the summary of some of the judges, in the order named."""
        places = positions("judge", judges, self.judges)
        names = tuple(self.judges[place] for place in places)
        return Summary(names, self.labels, self.answers, self.counts[places], self.n_items)

    marginal = select

    def summary(self) -> Summary:
        """Return the summary itself, so that sketches and summaries can be used alike."""
        return self

    def _body(self) -> dict[str, Any]:
        return {
            "schema": "algeval.summary/1",
            **axes_to_dict(self),
            "counts": self.counts.tolist(),
            "n_items": self.n_items,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types (schema `algeval.summary/1`) with the digest."""
        body = self._body()
        return body | {"digest": digest_of(body)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, checking schema and digest."""
        expect_schema(document, "algeval.summary/1")
        expect_names(document, "judges", "labels", "answers")
        return cls(
            *axes_in(document),
            whole_table(document["counts"], "counts"),
            int(whole_counts([document["n_items"]])[0]),
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return how often each judge gave each answer; the answer is missing where it gave none."""
        counts = np.column_stack([self.counts, self.missing])
        rows = [
            (judge, answer, count)
            for judge, row in zip(self.judges, counts.tolist(), strict=True)
            for answer, count in zip((*self.answers, None), row, strict=True)
        ]
        return (Table.of_rows("Answers of each judge", ("judge", "answer", "count"), rows),)

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
