"""Monitor a stream of votes: cheap at every item, and the same answer as from scratch.

Three tests, cheapest first. (1) Order 1 in closed form refutes, or finds answer-key counts. (2) A full
assignment of true labels is carried along, each new item given the label that hurts least; while it
meets the specification, the alarm is silent for certain. (3) Otherwise the alarm is asked from scratch,
once the stream has grown enough since the last time, or when the user asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import numpy as np

from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Specification, Votes
from algeval.data.names import check_answers, check_names, positions
from algeval.data.reading import refuse_scores
from algeval.errors import DataError
from algeval.logic.demand import Asked, read_specification, spelled_as, standard, system_of
from algeval.logic.exam import Exam, resolve_order
from algeval.logic.orders.closed_form import has_box
from algeval.logic.orders.find_key import find_key
from algeval.logic.proof.clock import Clock
from algeval.logic.questions.alarm import alarm
from algeval.logic.questions.carried import Carried
from algeval.logic.results import Alarm
from algeval.result import exact

__all__ = ["Monitor"]

Row = Mapping[Any, object] | Sequence[object]
Code = tuple[int, ...]


class Monitor:
    """Watch votes as they arrive, and say when they prove that a specification fails.

    Use it in a pipeline that cannot wait for the end. The verdict is always about the items so far,
    all of them, and can change back: two judges who differ on the first item cannot both be right on
    it, but may be good enough on the first hundred. So start late enough (`min_items`), and read
    `first_at` as "by then it was impossible", not as "since then".

    Parameters
    ----------
    at_least : number, text or Specification
        What is asked of the judges, as in `alarm`.
    judges, labels, answers : sequences of str
        `answers` starts with the labels and may go on with answers that are never correct.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest there is.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    min_items : int
        No verdict before so many items.
    growth : number > 1
        Ask from scratch, where that is needed, once the items are `growth` times those of the last
        time; 1.1 asks at most some 25 times while the stream grows tenfold.
    time_limit : float or None
        Seconds for each time the alarm is asked from scratch; None for no limit.
    specification : optional
        The former name of `at_least`; deprecated.

    Raises
    ------
    DataError
        If the specification, names or settings break a rule.

    Notes
    -----
    An item costs O(judges x labels^2) exact operations. Order 1 has a closed form for complete
    votes or two labels, and specifications of accuracy from below; elsewhere step 3 answers.

    Examples
    --------
    >>> m = Monitor("accuracy >= 0.8", judges=["x", "y"], labels=["a", "b"], min_items=4)
    >>> [m.add([row]) for row in ("aa", "ab", "ba", "bb", "aa")]
    [None, None, None, True, True]
    >>> m.first_at, m.alarm.triggered
    (4, True)
    """

    def __init__(
        self,
        at_least: object = None,
        judges: Iterable[object] = (),
        labels: Iterable[object] = (),
        *,
        answers: Iterable[object] | None = None,
        order: int | str | None = None,
        missing: str = "excluded",
        min_items: int = 1,
        growth: object = 1.1,
        time_limit: float | None = 60.0,
        specification: object = None,
    ) -> None:
        self.judges = check_names("judge", judges)
        self.labels = check_names("label", labels)
        asked = Specification.of(standard(at_least, specification))
        self.specification, self._read_as = spelled_as(asked, self.labels)
        self.answers = check_answers(self.labels, answers)
        self.missing, self.time_limit = missing, time_limit
        self.min_items, self.growth = int(min_items), exact(growth, "growth")
        if self.min_items < 1 or self.growth <= 1:
            raise DataError(
                f"min_items must be at least 1 and growth above 1; got {min_items} and {growth}; "
                "raise them"
            )
        self._counts: dict[Code, int] = {}
        self._table = np.zeros((len(self.judges), len(self.answers)), np.int64)
        self._n_items = 0
        self._index: dict[object, int] = {a: place for place, a in enumerate(self.answers)}
        self._index[None] = NOT_ANSWERED
        self._carried = Carried(len(self.judges), len(self.labels), excluded=missing == "excluded")
        self._triggered: bool | None = None
        self._asked: Alarm | None = None
        self._next_ask = 0
        self._first: tuple[int, Alarm, Sketch] | None = None
        self._try_out(order)

    def _try_out(self, order: int | str | None) -> None:
        """Ask about one item on which all agree, so that bad settings are refused at once."""
        one = self._sketch_of({(0,) * len(self.judges): 1})
        self.order = resolve_order(one, order)
        self._from_scratch(one)

    @property
    def n_items(self) -> int:
        """Number of items so far, Q."""
        return self._n_items

    @property
    def sketch(self) -> Sketch:
        """The counts of decision tuples so far."""
        return self._sketch_of(self._counts)

    @property
    def triggered(self) -> bool | None:
        """The verdict on the items so far; None where it waits to be asked from scratch."""
        return self._triggered

    @property
    def first_at(self) -> int | None:
        """How many items there were when the alarm was first found to go off."""
        return None if self._first is None else self._first[0]

    @property
    def first_alarm(self) -> Alarm | None:
        """The alarm of that moment; its certificate speaks of `first_sketch`."""
        return None if self._first is None else self._first[1]

    @property
    def first_sketch(self) -> Sketch | None:
        """The counts of that moment."""
        return None if self._first is None else self._first[2]

    @property
    def alarm(self) -> Alarm:
        """The alarm on all items so far, as from scratch, with its certificate; see `ask`."""
        return self.ask()

    def ask(self, time_limit: float | str | None = "as set") -> Alarm:
        """Return the alarm on all items so far, as from scratch, with its certificate.

        Parameters
        ----------
        time_limit : float or None, optional
            Seconds for this time; None for no limit. Default the monitor's own.

        Raises
        ------
        DataError
            If there is no item yet.
        """
        if not self._n_items:
            raise DataError("an alarm must have at least one item; got none; add votes first")
        again = time_limit != "as set" and (self._asked is None or self._asked.triggered is None)
        if self._asked is None or again:
            limit = self.time_limit if isinstance(time_limit, str) else time_limit
            self._asked = self._from_scratch(self.sketch, time_limit=limit)
            self._next_ask = ceil(self._n_items * self.growth)
            self._adopt(self._asked)
        return self._asked

    def add(
        self, votes: Votes | Sketch | KeyedSketch | Mapping[Any, object] | Iterable[Row]
    ) -> Any:
        """Add votes, and return the verdict on all items so far.

        Parameters
        ----------
        votes : Votes, Sketch or rows
            Votes and rows are taken item by item, a sketch at once. A row is {judge: answer} (judges
            left out did not answer), or one answer per judge in order, None where there is none; text
            has one letter per judge, "." where there is none.

        Returns
        -------
        bool or None
            True: the specification is impossible. False: it is not. None: too few items, or the
            closed forms are silent and it was not yet time to ask again; `alarm` asks now.

        Raises
        ------
        DataError
            If names are unknown; rows before the bad one were added.
        """
        for code, count in self._read(votes):
            self._add_one(code, count)
            if not isinstance(votes, Sketch | KeyedSketch):
                self._judge()
        self._judge()
        return self._triggered

    def _add_one(self, code: Code, count: int) -> None:
        self._counts[code] = self._counts.get(code, 0) + count
        self._n_items += count
        for judge, answer in enumerate(code):
            if answer != NOT_ANSWERED:
                self._table[judge, answer] += count
        self._carried.add(code, count)
        self._asked = None
        self._triggered = None

    def _judge(self) -> None:
        """Settle the verdict as cheaply as possible."""
        if self._triggered is not None or self._n_items < max(1, self.min_items):
            return
        exam = self._exam()
        asked = read_specification(exam, self.specification)
        closed = asked.simple and self.specification.min_judges is None
        possible = _order_1(exam, asked) if closed else None
        if possible is False:
            self._settle(True)
        elif (possible and self.order == 1) or (closed and self._carried.holds(asked)):
            self._settle(False)
        elif self._n_items >= self._next_ask:
            self._settle(self.alarm.triggered)

    def _settle(self, triggered: bool | None) -> None:
        self._triggered = triggered
        if triggered and self._first is None:
            sketch = self.sketch
            proof = self._asked
            if proof is None or not proof.triggered:
                proof = self._from_scratch(sketch, order=1)
            self._first = (self._n_items, proof, sketch)

    def _adopt(self, found: Alarm) -> None:
        """Take over the verdict, and the witness, of an alarm asked from scratch."""
        if self._n_items >= self.min_items:
            self._settle(found.triggered)
        if found.certificate is not None and "cells" in found.certificate.evidence:
            sketch = self.sketch
            self._carried.replace(sketch.codes.tolist(), found.certificate.evidence["cells"])

    def _from_scratch(
        self, sketch: Sketch, order: int | str | None = None, time_limit: float | None = 60.0
    ) -> Alarm:
        found = alarm(
            sketch,
            self.specification,
            order=self.order if order is None else order,
            missing=self.missing,
            time_limit=time_limit,
        )
        return replace(found, message=found.message + self._read_as)

    def _exam(self) -> Exam:
        """Return the counts; nothing here quotes the digest, so none is made."""
        counts = tuple(tuple(row) for row in self._table.tolist())
        return Exam(
            judges=self.judges,
            labels=self.labels,
            answers=self.answers,
            counts=counts,
            missing=tuple(self._n_items - sum(row) for row in counts),
            n_items=self._n_items,
            rule=self.missing,
            digest="",
        )

    def _sketch_of(self, counts: Mapping[Code, int]) -> Sketch:
        codes = np.array(list(counts), np.int16).reshape(-1, len(self.judges))
        totals = np.array(list(counts.values()), np.int64)
        return Sketch(self.judges, self.labels, self.answers, codes, totals)

    def _read(self, votes: Any) -> Iterator[tuple[Code, int]]:
        refuse_scores(votes)
        if isinstance(votes, KeyedSketch):
            votes = votes.sketch
        if isinstance(votes, Votes | Sketch):
            yield from self._read_codes(votes)
            return
        for row in [votes] if isinstance(votes, Mapping) else votes:
            yield self._read_row(row), 1

    def _read_codes(self, votes: Votes | Sketch) -> Iterator[tuple[Code, int]]:
        columns = positions("judge", self.judges, votes.judges)
        unknown = [a for a in votes.answers if a not in self._index]
        if unknown:
            raise DataError(
                f"answer {unknown[0]!r} is not known; choose from {list(self.answers)} or pass answers="
            )
        places = np.array([*(self._index[a] for a in votes.answers), NOT_ANSWERED])
        rows = places[votes.codes[:, columns]].tolist()
        counts = votes.counts.tolist() if isinstance(votes, Sketch) else [1] * len(rows)
        for row, count in zip(rows, counts, strict=True):
            yield tuple(row), count

    def _read_row(self, row: Row) -> Code:
        if isinstance(row, Mapping):
            named = {str(judge): answer for judge, answer in row.items()}
            if named:
                positions("judge", named, self.judges)
            row = [named.get(judge) for judge in self.judges]
        empty = "." if isinstance(row, str) else None
        given = [None if a in (None, empty) else str(a) for a in row]
        if len(given) != len(self.judges):
            raise DataError(
                f"a row must have one answer per judge ({len(self.judges)}); got {row!r}; use "
                "{judge: answer} or None"
            )
        unknown = [a for a in given if a not in self._index]
        if unknown:
            raise DataError(f"answer {unknown[0]!r} is not known; choose from {list(self.answers)}")
        return tuple(self._index[a] for a in given)

    def __repr__(self) -> str:
        verdict = {True: "alarm", False: "silent", None: "open"}[self._triggered]
        return f"Monitor({self.specification.describe()!r}, {self._n_items} items, {verdict})"


def _order_1(exam: Exam, asked: Asked) -> bool | None:
    """Settle order 1 where it has a closed form; None elsewhere."""
    system = system_of(exam, asked)
    if not has_box(system) and len(system.caps) > 1:
        return None
    return find_key(system, Clock(None))[0] is not None
