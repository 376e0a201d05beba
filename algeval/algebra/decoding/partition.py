"""Split every decision tuple's count by true label, and decide labels from the split."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.decoding.results import Decoding, evaluation_of
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import NOT_ANSWERED, positions, read_only
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.models.independent import joint
from algeval.result import Result, Status
from algeval.result.tables import Table, free_name
from algeval.result.wording import how_many

__all__ = ["Partition", "majority", "partition"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Partition(Result):
    """The counts of every decision tuple split by true label, and the label decided for it.

    Attributes
    ----------
    status : Status
        `ok`, or the status of the decoding the split rests on.
    method : str
        "independent" or "majority".
    codes, counts : (U, N) and (U,) int arrays
        The decision tuples and how many items got each.
    expected : (U, R) array
        Items with this tuple and true label: exact where the evaluation is; rows add up to counts.
    decisions : (U,) int array
        The label with the most expected items; -1 where labels tie.
    expected_errors : number
        Items the decisions label wrong by the method's own account (for "majority" always 0 among
        decided items); items with tied labels are counted in `n_tied`, not here.
    n_tied : int
        Items whose tuple is undecided.
    evaluation : Evaluation
        The evaluation the split rests on; for "majority" the one it implies (Algebraic Evaluation, S1-S8).
    """

    schema: ClassVar[str] = "algeval.partition/1"

    method: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    sketch_digest: str
    codes: NDArray[Any]
    counts: NDArray[Any]
    expected: NDArray[Any]
    decisions: NDArray[Any]
    expected_errors: Any
    n_tied: int
    evaluation: Evaluation

    @property
    def rounded(self) -> NDArray[np.int64]:
        """(U, R): the expected counts rounded cell by cell, as papers print them."""
        flat = [_nearest(value) for value in self.expected.ravel().tolist()]
        return np.array(flat, np.int64).reshape(self.expected.shape)

    def label(self, row: int) -> str | None:
        """Return the label decided for one tuple, None where labels tie."""
        place = int(self.decisions[row])
        return None if place < 0 else self.labels[place]

    def errors(self, truth: KeyedSketch | Votes) -> int:
        """Return how many items with a known key the decisions label wrong.

        An undecided item counts as an error: nothing right was said about it. Items with a tuple
        that was not there when the decisions were made count as undecided.
        """
        keyed = truth.keyed_sketch() if isinstance(truth, Votes) else truth
        places = positions("judge", self.judges, keyed.sketch.judges)
        if keyed.sketch.answers[: len(self.labels)] != self.labels:
            raise DataError(
                f"the key must use the labels {list(self.labels)}; got {list(keyed.sketch.labels)}"
            )
        names = keyed.sketch.answers
        decided = {
            tuple(None if c < 0 else self.answers[c] for c in row): int(choice)
            for row, choice in zip(self.codes.tolist(), self.decisions, strict=True)
        }
        wrong = 0
        for row, counts in zip(keyed.sketch.codes[:, places].tolist(), keyed.keyed, strict=True):
            choice = decided.get(tuple(None if c < 0 else names[c] for c in row), NOT_ANSWERED)
            wrong += int(counts.sum()) - (int(counts[choice]) if choice >= 0 else 0)
        return wrong

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per decision tuple: answers, count, items expected of each label, decision."""
        sketch = Sketch(self.judges, self.labels, self.answers, self.codes, self.counts)
        columns = dict(sketch.as_tables()[0].columns)
        columns |= {f"expected {label}": self.expected[:, t] for t, label in enumerate(self.labels)}
        decided = [self.label(row) for row in range(len(self.counts))]
        return (Table("Decision tuples", columns | {free_name("decision", self.judges): decided}),)

    def summary(self) -> str:
        """Return the split as a table."""
        lines = [self.message]
        for row, codes in enumerate(self.codes.tolist()):
            answers = ", ".join("-" if c < 0 else self.answers[c] for c in codes)
            split = ", ".join(
                f"{label} {count}"
                for label, count in zip(self.labels, self.rounded[row], strict=True)
            )
            lines.append(
                f"  ({answers}): {how_many(self.counts[row], 'item')} = {split}: {self.label(row)}"
            )
        return "\n".join(lines)


def partition(data: Source, evaluation: Evaluation | Decoding) -> Partition:
    """Split the counts by true label under independent errors, and decide labels.

    Use it after `decode`, or with any evaluation of any number of judges. A judge that did not
    answer an item says nothing about it.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never used.
    evaluation : Evaluation or Decoding
        A decoding stands for its `best`.

    Raises
    ------
    DataError
        If a decoding has no best evaluation, or the labels or answers do not match.

    Notes
    -----
    Algebraic Evaluation, equation 1 and Table 1. The split of a count n is n times Bayes' rule; for a decoded
    trio this equals Q P_t times the product of accuracies, exactly.

    Examples
    --------
    >>> from algeval.algebra import decode
    >>> once = dict.fromkeys(["aaa", "aab", "aba", "abb", "baa", "bab", "bba"], 1)
    >>> s = Sketch.from_counts(once | {"bbb": 9})
    >>> [str(part) for part in partition(s, decode(s)).expected[7]]
    ['1', '8']
    """
    data = read_data(data)
    status = evaluation.status if isinstance(evaluation, Decoding) else Status.OK
    chosen = evaluation_of(evaluation)
    part = _matching(as_sketch(data), chosen)
    shares = joint(_without_none(chosen), part.codes)
    totals = shares.sum(1)
    if any(total == 0 for total in totals.tolist()):
        raise DataError(
            "the evaluation must allow every decision tuple seen; it gives one of them no chance; "
            "use an evaluation estimated from these data"
        )
    if shares.dtype == object:
        counts = np.array([Fraction(int(c)) for c in part.counts], dtype=object)
        expected = np.empty(shares.shape, dtype=object)
        for place in np.ndindex(shares.shape):
            expected[place] = counts[place[0]] * shares[place] / totals[place[0]]
    else:
        expected = part.counts[:, None] * shares / totals[:, None]
    return _finish(part, expected, chosen, status, "independent")


def majority(data: Source, judges: Iterable[object] | None = None) -> Partition:
    """Split the counts by majority vote: all items of a tuple get its most frequent label.

    Use it as the baseline. Answers beyond the labels do not vote; items whose votes tie are
    undecided, counted, and left out of the evaluation. Algebraic Evaluation, equations S1-S8.
    """
    data = read_data(data)
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    votes = np.stack([(part.codes == t).sum(1) for t in range(part.n_labels)], axis=1)
    first = votes == votes.max(1, keepdims=True)
    settled = first.sum(1) == 1
    expected = np.zeros(votes.shape, dtype=object)
    for row in range(len(part)):
        share = Fraction(int(part.counts[row]), int(first[row].sum()))
        expected[row] = [share if winner else Fraction(0) for winner in first[row]]
    keyed = (first & settled[:, None])[settled] * part.counts[settled, None]
    decided = Sketch(*part.axes, part.codes[settled], part.counts[settled])
    if not len(decided):
        raise DataError("at least one item must have a majority; got ties only; use more judges")
    evaluation = KeyedSketch(decided, keyed).evaluation()
    return _finish(part, expected, evaluation, Status.OK, "majority")


def _finish(
    part: Sketch, expected: NDArray[Any], evaluation: Evaluation, status: Status, method: str
) -> Partition:
    decisions = np.full(len(part), NOT_ANSWERED, np.int64)
    wrong: Any = 0
    tied = 0
    for row, values in enumerate(expected.tolist()):
        most = max(values)
        if values.count(most) > 1:
            tied += int(part.counts[row])
            continue
        decisions[row] = values.index(most)
        wrong = wrong + int(part.counts[row]) - most
    text = f"By {'majority vote' if method == 'majority' else 'independent errors'}, "
    text += (
        f"{float(wrong):.0f} of {how_many(part.n_items, 'item')} labelled wrong by its own account"
    )
    text += f", {how_many(tied, 'item')} undecided." if tied else "."
    if any(value < 0 for value in expected.ravel().tolist()):
        text += " Some counts are below zero, since the evaluation leaves [0, 1]."
    return Partition(
        status=status,
        message=text,
        method=method,
        judges=part.judges,
        labels=part.labels,
        answers=part.answers,
        sketch_digest=part.digest,
        codes=part.codes,
        counts=part.counts,
        expected=read_only(expected),
        decisions=read_only(decisions),
        expected_errors=wrong,
        n_tied=tied,
        evaluation=evaluation,
    )


def _matching(sketch: Sketch, evaluation: Evaluation) -> Sketch:
    """Return the sketch of the evaluation's judges, coded in the evaluation's answers."""
    part = sketch.marginal(evaluation.judges)
    if part.labels != evaluation.labels:
        raise DataError(
            f"labels must match the evaluation's {list(evaluation.labels)}; got {list(part.labels)}"
        )
    if part.answers == evaluation.answers:
        return part
    known = {name: place for place, name in enumerate(evaluation.answers)}
    codes = np.full(part.codes.shape, NOT_ANSWERED, np.int16)
    for place, name in enumerate(part.answers):
        here = part.codes == place
        if here.any() and name not in known:
            raise DataError(
                f"answer {name!r} must be among the evaluation's {list(evaluation.answers)}; "
                "decode again with all answers"
            )
        codes[here] = known.get(name, NOT_ANSWERED)
    return Sketch(part.judges, part.labels, evaluation.answers, codes, part.counts)


def _without_none(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation with rows of labels that never occur as zeros."""
    confusion = evaluation.confusion.copy()
    confusion[confusion == None if evaluation.exact else np.isnan(confusion)] = Fraction(0)  # noqa: E711
    return Evaluation(*evaluation.axes, evaluation.prevalence, confusion)


def _nearest(value: Any) -> int:
    """Return the nearest whole number of any exact or float number, halves up."""
    if isinstance(value, float | int | Fraction):
        return floor(value + Fraction(1, 2) if not isinstance(value, float) else value + 0.5)
    guess = floor(float(value))
    return max(n for n in (guess - 1, guess, guess + 1) if n <= value + Fraction(1, 2))
