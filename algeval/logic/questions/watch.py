"""Watching judges: monitors, windows, half votes, suspect keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import ceil, log2
from typing import Any, ClassVar, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Specification, Summary, Votes
from algeval.data.names import check_answers, check_names, expect_fields, expect_schema, positions
from algeval.data.reading import Data, as_sketch, refuse_scores
from algeval.data.sketch import check_codes, whole_counts, whole_table
from algeval.door import reads
from algeval.errors import DataError, TooLargeError, option
from algeval.logic.exam import (
    Asked,
    Exam,
    read_specification,
    resolve_order,
    spelled_as,
    standard,
    system_of,
)
from algeval.logic.orders.order1 import find_key, has_box
from algeval.logic.policy import MOST_WINDOW_LABELS
from algeval.logic.proof import Clock
from algeval.logic.questions.alarm import alarm
from algeval.logic.questions.threshold import threshold
from algeval.logic.results import Alarm, LogicResult, Threshold
from algeval.result import Result, Status, exact, format_exact
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- Suspect the answer key: what the experts' own disagreement leaves of the truth they
# established.
#
# No-Knowledge Alarms, section IV, asks that every answer key made from disagreeing experts be
# published with one sentence: how accurate, at most, they can all have been on every label. Appendix B
# makes such a key by half votes (see `half_votes`).


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeySuspicion(LogicResult):
    """How accurate the experts behind an answer key can all have been, at most.

    Attributes
    ----------
    level : Fraction
        Some answer key lets every expert be this accurate on every label; the witness of
        `threshold` shows it.
    ceiling : Fraction
        No answer key lets all of them be more accurate than this; the refutation proves it.
    exact : bool
        Whether the two are equal.
    agreement : Fraction or None
        How often two experts who answered the same item agreed, over all pairs (None: counts per
        expert do not say). It is what is usually reported in place of `level`.
    threshold : Threshold
        Where the two levels come from, with both certificates.
    """

    schema: ClassVar[str] = "algeval.key_suspicion/1"

    level: Fraction
    ceiling: Fraction
    exact: bool
    agreement: Fraction | None
    threshold: Threshold

    @property
    def experts(self) -> tuple[str, ...]:
        """The experts who established the answer key."""
        return self.judges

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "It is an upper limit, not an estimate: experts who agree can all be wrong, and nothing "
            "here says that the test has a right answer for every item."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row, and the tables of the threshold it rests on."""
        return scalars(self), *self.threshold.as_tables()[1:]

    def summary(self) -> str:
        """Sentence, the agreement beside it, and the settings."""
        lines = [LogicResult.summary(self)]
        if self.agreement is not None:
            lines.append(f"Pairs of experts agree on {format_exact(self.agreement)} of answers.")
        return "\n".join(lines)


@reads
def suspect_key(
    data: Data,
    judges: Iterable[object] | None = None,
    order: int | str | None = None,
    *,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = None,
) -> KeySuspicion:
    """How accurate the experts behind an answer key can all have been on every label.

    Use it wherever an answer key was made from people or models who disagree, and print its sentence
    beside their agreement rate. It reads their answers alone: the key they established is never
    read.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the experts answered.
    judges : names, optional
        The experts among the judges; all of them if left out.
    order : int, "full" or None
        How many experts' joint answers to use; None is the highest the data supports.
    missing : "excluded" or "wrong"
        Whether an expert is held to the items left unanswered.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float, optional
        Seconds after which the bracket reached is returned.

    Returns
    -------
    KeySuspicion
        Status `ok`; `time_limit` or `undetermined` where level < ceiling, and the sentence then says
        what is certified; `inconsistent` where no answer key is of the kind asked for.

    Raises
    ------
    DataError
        If the data, the judges or the order breaks a rule.

    Notes
    -----
    No-Knowledge Alarms, section IV.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> suspect_key(Summary.from_counts(grades)).level
    Fraction(2, 3)
    """
    chosen = _select(data, judges)
    answer = threshold.core(
        chosen,
        order=order,
        exact=True,
        missing=missing,
        require_labels=require_labels,
        time_limit=time_limit,
    )
    rate = None if isinstance(chosen, Summary) else agreement_rate(as_sketch(chosen))
    return KeySuspicion(
        status=_status(answer),
        message=_sentence(answer),
        level=answer.lower,
        ceiling=answer.upper,
        exact=answer.exact,
        agreement=rate,
        threshold=answer,
        order=answer.order,
        missing_rule=answer.missing_rule,
        n_items=answer.n_items,
        judges=answer.judges,
        labels=answer.labels,
        answers=answer.answers,
        missing_counts=answer.missing_counts,
        data=answer.data,
    )


def agreement_rate(sketch: Sketch) -> Fraction | None:
    """Share of agreeing answers over all pairs of judges who answered the same item.

    None if no two judges ever did. Two answers that are not labels agree if they are the same.

    Examples
    --------
    >>> agreement_rate(Sketch.from_counts({"aa": 8, "ab": 2}))
    Fraction(4, 5)
    """
    same = both = 0
    for i, j in combinations(range(sketch.n_judges), 2):
        first, second = sketch.codes[:, i], sketch.codes[:, j]
        answered = (first != NOT_ANSWERED) & (second != NOT_ANSWERED)
        both += int(sketch.counts[answered].sum(dtype=np.int64))
        same += int(sketch.counts[answered & (first == second)].sum(dtype=np.int64))
    return Fraction(same, both) if both else None


def _select(data: Data, judges: Iterable[object] | None) -> Votes | Sketch | Summary:
    if isinstance(data, KeyedSketch):
        data = data.sketch
    if judges is None or not isinstance(data, Votes | Sketch | Summary):
        return data
    if isinstance(judges, str):
        raise DataError(f"judges must be a list of names; got {judges!r}; write [{judges!r}]")
    return data.select(judges=judges) if isinstance(data, Votes) else data.marginal(judges)


def _status(bracket: Threshold) -> Status:
    if bracket.status.ok and not bracket.exact:
        return Status.UNDETERMINED
    return bracket.status


def _sentence(bracket: Threshold) -> str:
    if bracket.status is Status.INCONSISTENT:
        return bracket.message
    n = len(bracket.judges)
    who = "this expert" if n == 1 else f"these {n} experts"
    whom = "the expert" if n == 1 else "them all"
    text = (
        f"The ground truth established by {who} is logically consistent with {whom} being "
        f"{format_exact(bracket.lower)} or more correct on all labels"
    )
    if bracket.lower == 1:
        return f"{text}: nothing they answered contradicts it."
    if bracket.exact:
        return f"{text}, and with no higher level."
    return f"{text}; above {format_exact(bracket.upper)} it is not, and in between is not settled."


# --- One assignment of true labels to all items so far, carried along a stream.
#
# While it meets the levels asked, it is a full-order witness: no answer of a solver is needed to know
# that the alarm is silent. It proves nothing when it fails.


Whole = NDArray[np.object_]


class Carried:
    """Counts of an assignment: correct[i, t] of held[i, t] items, key[t] items in all.

    Each new item gets the label on which its judges fall short least; `replace` takes over a better
    assignment when a solver has found one.
    """

    def __init__(self, n_judges: int, n_labels: int, *, excluded: bool) -> None:
        self.excluded = excluded
        self.correct: Whole = _zeros(n_judges, n_labels)
        self.held: Whole = _zeros(n_judges, n_labels)
        self.key = [0] * n_labels
        self.levels: Whole | None = None

    def add(self, code: Sequence[int], count: int) -> None:
        """Give items with one decision tuple the label that hurts least."""
        short = [self._shortfall(code, count, t) for t in range(len(self.key))]
        self._put(code, count, short.index(min(short)))

    def _put(self, code: Sequence[int], count: int, label: int) -> None:
        answers = np.array(code)
        self.correct[answers == label, label] += count
        held = answers >= 0 if self.excluded else answers >= -1
        self.held[held, label] += count
        self.key[label] += count

    def _shortfall(self, code: Sequence[int], count: int, label: int) -> tuple[Fraction, int]:
        """How much more the judges fall short with this label, and how many are wrong."""
        answers = np.array(code)
        right = answers == label
        held = (answers >= 0) | (not self.excluded)
        wrong = int((held & ~right).sum())
        if self.levels is None:
            return Fraction(0), wrong
        before = self.levels[:, label] * self.held[:, label] - self.correct[:, label]
        change = self.levels[:, label] * held.astype(object) - right.astype(object)
        after = before + count * change
        more = sum(max(b, 0) - max(a, 0) for a, b in zip(before, after, strict=True))
        return Fraction(more), wrong

    def holds(self, question: Asked) -> bool:
        """Whether the assignment meets the levels, and the bounds on the answer key."""
        levels = np.array([[x or 0 for x in row] for row in question.levels], dtype=object)
        self.levels = levels
        bounded = all(
            a <= q <= b for a, q, b in zip(question.low, self.key, question.high, strict=True)
        )
        return bounded and bool((self.correct >= levels * self.held).all())

    def replace(self, codes: Sequence[Sequence[int]], cells: Sequence[Sequence[int]]) -> None:
        """Take over an assignment: cells[u][t] items with tuple codes[u] have label t."""
        self.correct[:], self.held[:] = 0, 0
        self.key = [0] * len(self.key)
        for code, row in zip(codes, cells, strict=True):
            for label, count in enumerate(row):
                if count:
                    self._put(code, count, label)

    def to_dict(self) -> dict[str, Any]:
        """Whole numbers and the levels as JSON types."""
        levels = None if self.levels is None else [[str(x) for x in row] for row in self.levels]
        return {
            "correct": [[int(x) for x in row] for row in self.correct],
            "held": [[int(x) for x in row] for row in self.held],
            "key": [int(x) for x in self.key],
            "levels": levels,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], excluded: bool) -> Self:
        """Read what `to_dict` wrote."""
        tables = [whole_table(document[name], name).astype(object) for name in ("correct", "held")]
        made = cls(*tables[0].shape, excluded=excluded)
        made.correct, made.held = tables
        made.key = whole_counts(document["key"]).tolist()
        if document["levels"] is not None:
            rows = [[exact(x, "levels") for x in row] for row in document["levels"]]
            made.levels = np.array(rows, dtype=object)
        return made


def _zeros(n_judges: int, n_labels: int) -> Whole:
    return np.zeros((n_judges, n_labels), dtype=object)


# --- Sequences: windows of consecutive items are a test of their own, with tuples as labels.
#
# No-Knowledge Alarms, appendix E: what holds for single items holds for sequences of S items, because the
# R^S
# tuples of labels are again labels.


NO_LABEL = "(no label)"
"""The answer to a window in which a judge gave an answer that is no label: never correct."""


def windows(votes: Votes, size: int, step: int = 1, *, separator: str = ">") -> Votes:
    """Windows of `size` consecutive items as items whose labels are tuples of labels.

    Use it to ask about runs: an accuracy on label "a>b" is how often a judge got both items right
    where a true "a" is followed by a true "b". Every method then applies. An alarm on windows is as
    certain as one on items. Silence says less: windows that overlap share items, and the key found
    for the windows need not be the windows of one key.

    Parameters
    ----------
    votes : Votes
        In the order of the test.
    size : int
        Items per window, S.
    step : int
        Items from the start of one window to the next; 1 gives Q - S + 1 windows, `size` windows
        that do not overlap. Items after the last full window are left out.
    separator : str
        What stands between the labels of a tuple.

    Returns
    -------
    Votes
        R^S labels in lexicographic order. A judge that left out any item of a window did not answer
        it; one that gave an answer that is no label answered `NO_LABEL`, which is never correct. A
        key, if there is one, becomes the key of the windows.

    Raises
    ------
    DataError
        If the size or step does not fit, or a label holds the separator.
    TooLargeError
        If there are more than 4,096 tuples of labels.

    Notes
    -----
    No-Knowledge Alarms, appendix E. Names of items are "first..last".

    Examples
    --------
    >>> v = Votes.from_columns({"x": ["a", "b", "b"], "y": ["a", "a", None]})
    >>> w = windows(v, 2)
    >>> w.labels, w.sketch().to_counts()
    (('a>a', 'a>b', 'b>a', 'b>b'), {('a>b', 'a>a'): 1, ('b>b', None): 1})
    """
    _check(votes, size, step, separator)
    labels = tuple(separator.join(parts) for parts in product(votes.labels, repeat=size))
    answers = labels if votes.n_answers == votes.n_labels else (*labels, NO_LABEL)
    codes = _encode(_slide(votes.codes, size, step), votes.n_labels, len(labels))
    key = None
    if votes.key is not None:
        key = _encode(_slide(votes.key[:, None], size, step), votes.n_labels, len(labels))[:, 0]
    return Votes(_names(votes.items, size, step), votes.judges, labels, answers, codes, key)


def _check(votes: Votes, size: int, step: int, separator: str) -> None:
    refuse_scores(votes)
    if not isinstance(votes, Votes):
        raise DataError(
            f"windows must be cut from Votes; got {type(votes).__name__}; counts do not know which "
            "item follows which"
        )
    for name, value in {"size": size, "step": step}.items():
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise DataError(f"{name} must be a whole number from 1 on; got {value!r}; correct it")
    if size > len(votes):
        raise DataError(
            f"size must be at most the {how_many(len(votes), 'item')}; got {size}; use less"
        )
    clash = [label for label in votes.labels if not separator or separator in label]
    if size > 1 and clash:
        raise DataError(
            f"separator must occur in no label; got {separator!r} and label {clash[0]!r}; choose "
            "another with separator="
        )
    count = (len(votes) - size) // step + 1
    if size * log2(votes.n_labels) > log2(MOST_WINDOW_LABELS):
        raise TooLargeError(
            f"{size} consecutive items of {votes.n_labels} labels have {votes.n_labels}^{size} tuples, "
            f"more than {MOST_WINDOW_LABELS}, and each of {count} windows could be any of them; use a "
            "smaller size, or fewer labels"
        )


def _slide(codes: NDArray[np.int16], size: int, step: int) -> NDArray[np.int64]:
    """Return (windows, judges, size): the codes of every window."""
    return sliding_window_view(codes, size, axis=0)[::step].astype(np.int64)


def _encode(parts: NDArray[np.int64], n_labels: int, n_tuples: int) -> NDArray[np.int16]:
    """Return (windows, judges): the place of each tuple of labels."""
    code = np.zeros(parts.shape[:2], np.int64)
    for index in range(parts.shape[2]):
        code = code * n_labels + parts[:, :, index]
    code[(parts >= n_labels).any(2)] = n_tuples
    code[(parts == NOT_ANSWERED).any(2)] = NOT_ANSWERED
    return code.astype(np.int16)


def _names(items: tuple[str, ...], size: int, step: int) -> tuple[str, ...]:
    starts = range(0, len(items) - size + 1, step)
    if size == 1:
        return tuple(items[i] for i in starts)
    names = tuple(f"{items[i]}..{items[i + size - 1]}" for i in starts)
    if len(set(names)) == len(names):
        return names
    return tuple(f"{i + 1}:{name}" for i, name in zip(starts, names, strict=True))


# --- Monitor a stream of votes: cheap at every item, and the same answer as from scratch.
#
# Three tests, cheapest first. (1) Order 1 in closed form refutes, or finds answer-key counts. (2) A full
# assignment of true labels is carried along, each new item given the label that hurts least; while it
# meets the specification, the alarm is silent for certain. (3) Otherwise the alarm is asked from scratch,
# once the stream has grown enough since the last time, or when the user asks.


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
        Seconds for each time the alarm is asked from scratch; by default work is counted.
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
        time_limit: float | None = None,
        specification: object = None,
    ) -> None:
        self.judges = check_names("judge", judges)
        self.labels = check_names("label", labels)
        spec = Specification.of(standard(at_least, specification))
        self.specification, self._read_as = spelled_as(spec, self.labels)
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
        self._index: dict[object, int] = {a: index for index, a in enumerate(self.answers)}
        self._index[None] = NOT_ANSWERED
        self._carried = Carried(len(self.judges), len(self.labels), excluded=missing == "excluded")
        self._triggered: bool | None = None
        self._asked: Alarm | None = None
        self._next_ask = 0
        self._first: tuple[int, Alarm, Sketch] | None = None
        self._try_out(order)

    def _try_out(self, order: int | str | None) -> None:
        """Ask about one item on which all agree, so that bad settings are refused at once."""
        entry = self._sketch_of({(0,) * len(self.judges): 1})
        self.order = resolve_order(entry, order)
        self._from_scratch(entry)

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
        """Alarm on all items so far, as from scratch, with its certificate.

        Parameters
        ----------
        time_limit : float or None, optional
            Seconds for this time; None counts work instead. Default the monitor's own.

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
        demands = read_specification(exam, self.specification)
        closed = demands.simple and self.specification.min_judges is None
        possible = _order_1(exam, demands) if closed else None
        if possible is False:
            self._settle(True)
        elif (possible and self.order == 1) or (closed and self._carried.holds(demands)):
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

    def _adopt(self, alarm_: Alarm) -> None:
        """Take over the verdict, and the witness, of an alarm asked from scratch."""
        if self._n_items >= self.min_items:
            self._settle(alarm_.triggered)
        if alarm_.certificate is not None and "cells" in alarm_.certificate.evidence:
            sketch = self.sketch
            self._carried.replace(sketch.codes.tolist(), alarm_.certificate.evidence["cells"])

    def _from_scratch(
        self, sketch: Sketch, order: int | str | None = None, time_limit: float | None = None
    ) -> Alarm:
        answer = alarm.core(
            sketch,
            self.specification,
            order=self.order if order is None else order,
            missing=self.missing,
            time_limit=time_limit,
        )
        return replace(answer, message=answer.message + self._read_as)

    def _exam(self) -> Exam:
        """Counts; nothing here quotes the digest, so none is made."""
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
        indices = np.array([*(self._index[a] for a in votes.answers), NOT_ANSWERED])
        rows = indices[votes.codes[:, columns]].tolist()
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
        values = [None if a in (None, empty) else str(a) for a in row]
        if len(values) != len(self.judges):
            raise DataError(
                f"a row must have one answer per judge ({len(self.judges)}); got {row!r}; use "
                "{judge: answer} or None"
            )
        unknown = [a for a in values if a not in self._index]
        if unknown:
            raise DataError(f"answer {unknown[0]!r} is not known; choose from {list(self.answers)}")
        return tuple(self._index[a] for a in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Monitor) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # it grows

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to go on later as JSON types (schema `algeval.monitor/1`)."""
        first = None
        if self._first is not None:
            n_items, proof, sketch = self._first
            held = dict(zip(map(tuple, sketch.codes.tolist()), sketch.counts.tolist(), strict=True))
            first = {
                "n_items": n_items,
                "order": proof.order,
                "counts": [int(held.get(code, 0)) for code in self._counts],
            }
        return {
            "schema": _MONITOR,
            "specification": self.specification.to_dict(),
            "judges": list(self.judges),
            "labels": list(self.labels),
            "answers": list(self.answers),
            "order": self.order,
            "missing": self.missing,
            "min_items": self.min_items,
            "growth": str(self.growth),
            "time_limit": self.time_limit,
            "codes": [list(map(int, code)) for code in self._counts],
            "counts": list(map(int, self._counts.values())),
            "triggered": self._triggered,
            "next_ask": self._next_ask,
            "carried": self._carried.to_dict(),
            "first": first,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; the monitor goes on as if it had never stopped.

        The alarm of the first time is asked again of the counts of then.

        Raises
        ------
        DataError
            If it is no document of a monitor.
        """
        expect_schema(document, _MONITOR)
        expect_fields(document, _FIELDS, "a saved monitor")
        monitor = cls(
            Specification.from_dict(document["specification"]),
            document["judges"],
            document["labels"],
            answers=document["answers"],
            order=document["order"],
            missing=document["missing"],
            min_items=document["min_items"],
            growth=document["growth"],
            time_limit=document["time_limit"],
        )
        codes = check_codes(
            whole_table(document["codes"], "codes").reshape(-1, len(monitor.judges)),
            len(monitor.judges),
            len(monitor.answers),
        )
        counts = whole_counts(document["counts"]).tolist()
        if len(codes) != len(counts):
            raise DataError(
                f"a saved monitor must hold a count for each tuple; got {len(counts)} for {len(codes)}; was "
                "the file changed?"
            )
        rows = [tuple(row) for row in codes.tolist()]
        for code, count in zip(rows, counts, strict=True):
            monitor._add_one(code, count)
        monitor._carried = Carried.from_dict(document["carried"], monitor.missing == "excluded")
        monitor._triggered = document["triggered"]
        monitor._next_ask = int(document["next_ask"])
        first = document["first"]
        if first is not None:
            held = dict(zip(rows, whole_counts(first["counts"]).tolist(), strict=True))
            sketch = monitor._sketch_of({code: n for code, n in held.items() if n})
            proof = monitor._from_scratch(sketch, order=first["order"])
            monitor._first = (int(first["n_items"]), proof, sketch)
        return monitor

    def __repr__(self) -> str:
        verdict = {True: "alarm", False: "silent", None: "open"}[self._triggered]
        return f"Monitor({self.specification.describe()!r}, {self._n_items} items, {verdict})"


_MONITOR = "algeval.monitor/1"
_FIELDS = [
    *("specification", "judges", "labels", "answers", "order", "missing", "min_items", "growth"),
    *("time_limit", "codes", "counts", "triggered", "next_ask", "carried", "first"),
]


def _order_1(exam: Exam, question: Asked) -> bool | None:
    """Settle order 1 where it has a closed form; None elsewhere."""
    system = system_of(exam, question)
    if not has_box(system) and len(system.caps) > 1:
        return None
    return find_key(system, Clock(None))[0] is not None


# --- The weighted half-vote: one decision from several experts, a tie counting half for each side.
#
# No-Knowledge Alarms, appendix B, establishes its ground truth, and the grades of the panel of
# authors, this way.


_HALF = Fraction(1, 2)

Groups = Mapping[Any, Sequence[object]]
Record = tuple[object, object, object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalfVotes(Result):
    """One decision per item, and the weights it was made from.

    Attributes
    ----------
    items : tuple of str
        Item ids.
    decisions : tuple of str or None
        The side with more weight, or the tie; None where nobody voted.
    weights : tuple of pairs of Fraction
        Per item, the votes for the first and the second side, ties counting half for each.
    counts : dict
        How many items were decided each way.
    ties : tuple of str
        Items decided as ties: the two sides weigh the same.
    split : tuple of str
        Those ties that no expert, or not every expert, called a tie: opposite votes cancelled.
    undecided : tuple of str
        Items without any vote.
    labels : pair of str
        The two sides.
    tie : str
        How a tie is written.
    """

    schema: ClassVar[str] = "algeval.half_votes/1"

    items: tuple[str, ...]
    decisions: tuple[str | None, ...]
    weights: tuple[tuple[Fraction, Fraction], ...]
    counts: dict[str, int]
    ties: tuple[str, ...]
    split: tuple[str, ...]
    undecided: tuple[str, ...]
    labels: tuple[str, str]
    tie: str

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item: the weight of each side, and the decision."""
        columns: dict[str, Any] = {"item": self.items}
        columns |= {
            f"for {label}": [w[k] for w in self.weights] for k, label in enumerate(self.labels)
        }
        return (Table("Half votes", columns | {"decision": self.decisions}),)

    def records(self, judge: object) -> list[tuple[str, str, str | None]]:
        """Return (item, judge, decision) triples, to join with those of other judges.

        Examples
        --------
        >>> decided = half_votes({"q1": ["a", "tie"]})
        >>> decided.records("experts")
        [('q1', 'experts', 'a')]
        """
        return [(i, str(judge), d) for i, d in zip(self.items, self.decisions, strict=True)]

    def to_votes(self, judge: object) -> Votes:
        """Decisions as the votes of one judge."""
        labels = (*self.labels, self.tie)
        return Votes.from_columns({judge: self.decisions}, items=self.items, labels=labels)


def half_votes(
    votes: Votes | Groups | Iterable[Record],
    tie: object = "tie",
    labels: Sequence[object] = ("a", "b"),
) -> HalfVotes:
    """Decide every item by its experts' votes, each tie counting half for each side.

    Use it to make one judge of a panel, or an answer key of experts, in pair comparisons. It is the
    majority of those who took a side; a tie vote never changes who wins, only by what share.

    Parameters
    ----------
    votes : Votes, {item: votes} or (item, expert, vote) triples
        A vote is one of the two labels, the tie, or None where the expert did not vote. An expert
        votes once on an item.
    tie : str
        How a tie is written.
    labels : pair of str
        The two sides.

    Returns
    -------
    HalfVotes
        Status `ok`, or `undetermined` where some item got no vote at all.

    Raises
    ------
    DataError
        If a vote is neither a side nor a tie, or an expert votes twice on an item.

    Notes
    -----
    No-Knowledge Alarms, appendix B: "if two experts voted (model a, tie) this would be a preference for a".

    Examples
    --------
    >>> decided = half_votes({"q1": ["a", "tie"], "q2": ["a", "b"], "q3": ["b", "b", "a"]})
    >>> decided.decisions, decided.weights[0]
    (('a', 'tie', 'b'), (Fraction(3, 2), Fraction(1, 2)))
    """
    sides, even = _sides(labels, tie)
    value = {
        sides[0]: (Fraction(1), Fraction(0)),
        sides[1]: (Fraction(0), Fraction(1)),
        even: (_HALF, _HALF),
    }
    groups = _groups(votes)
    for item, group in groups.items():
        for vote in group:
            if vote not in value:
                raise DataError(
                    f"every vote must be one of {[*sides, even]} or None; got {vote!r} on item "
                    f"{item!r}; leave that vote out or pass {option('labels')} and {option('tie')}"
                )
    weights = tuple(_weigh([value[vote] for vote in group]) for group in groups.values())
    decisions = tuple(_decide(pair, sides, even) for pair in weights)
    table = dict(zip(groups, decisions, strict=True))
    tally = Counter(decisions)
    undecided = tuple(item for item, decision in table.items() if decision is None)
    ties = tuple(item for item, decision in table.items() if decision == even)
    counts = {name: tally[name] for name in (*sides, even)}
    return HalfVotes(
        status=Status.UNDETERMINED if undecided else Status.OK,
        message=_sentence_of_half_votes(counts, undecided),
        items=tuple(groups),
        decisions=decisions,
        weights=weights,
        counts=counts,
        ties=ties,
        split=tuple(item for item in ties if set(groups[item]) != {even}),
        undecided=undecided,
        labels=sides,
        tie=even,
    )


def _sides(labels: Sequence[object], tie: object) -> tuple[tuple[str, str], str]:
    sides = tuple(str(label) for label in labels) if not isinstance(labels, str) else ()
    if len(sides) != 2 or len({*sides, str(tie)}) < 3:
        raise DataError(
            f"labels must name two sides, neither of them the tie {str(tie)!r}; got {labels!r}; half "
            "votes are for pair comparisons, use aggregate for more labels"
        )
    return (sides[0], sides[1]), str(tie)


def _groups(votes: Votes | Groups | Iterable[Record]) -> dict[str, list[str]]:
    """Return {item: votes}, without those who did not vote."""
    refuse_scores(votes)
    if isinstance(votes, Votes):
        names = votes.answers
        rows = votes.codes.tolist()
        return {
            item: [names[c] for c in row if c != NOT_ANSWERED]
            for item, row in zip(votes.items, rows, strict=True)
        }
    if isinstance(votes, Mapping):
        return {
            str(item): [str(v) for v in _listed(item, group) if v is not None]
            for item, group in votes.items()
        }
    groups: dict[str, list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for item, expert, vote in votes:
        voter = str(item), str(expert)
        if voter in seen:
            raise DataError(
                f"an expert must vote once on an item; got two votes of {voter[1]!r} on item "
                f"{voter[0]!r}; keep one of them"
            )
        seen.add(voter)
        groups.setdefault(voter[0], []).extend([] if vote is None else [str(vote)])
    return groups


def _listed(item: object, group: Sequence[object]) -> Sequence[object]:
    if isinstance(group, str):
        raise DataError(
            f"the votes of an item must be a list; got {group!r} on item {str(item)!r}; write "
            f"[{group!r}]"
        )
    return group


def _weigh(pairs: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    first = sum((a for a, _ in pairs), Fraction(0))
    return first, sum((b for _, b in pairs), Fraction(0))


def _decide(pair: tuple[Fraction, Fraction], sides: tuple[str, str], tie: str) -> str | None:
    first, second = pair
    if first == second:
        return tie if first else None
    return sides[0] if first > second else sides[1]


def _sentence_of_half_votes(counts: dict[str, int], undecided: Sequence[str]) -> str:
    listed = ", ".join(f"{n} {name}" for name, n in counts.items())
    text = f"Half votes decide {how_many(sum(counts.values()), 'item')}: {listed}."
    return f"{text} Nobody voted on {len(undecided)} more." if undecided else text
