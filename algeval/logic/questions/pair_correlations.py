"""The range of the correlation of two judges' answers on the items of a label, at an answer key.

Eq. (18) is not linear, but one answer of each judge makes a 2 by 2 table of the q items of a label:
x with both answers, r and s with one of them, w with neither. Then q^2 Gamma = x w - r s, and every
table with 0 <= x <= X, ..., x + r + s + w = q occurs, where X, ... are the counts in the whole exam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import Summary
from algeval.data.names import positions
from algeval.data.reading import as_sketch
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.demand import check_key_counts
from algeval.logic.exam import Exam, read_exam
from algeval.logic.orders.pair_counts import pair_counts
from algeval.logic.results import LogicResult, Range, ends_in_words, ends_of
from algeval.result import Status
from algeval.result.tables import Table

__all__ = ["PairCorrelations", "pair_correlations"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCorrelations(LogicResult):
    """The lowest and highest correlation of each pair of answers on each label.

    Attributes
    ----------
    judge, other : str
        The two judges.
    key_counts : (R,) tuple of int
        How many items of each label the answer key has.
    ranges : (A, A, R, 2) object array
        Lowest and highest correlation [answer of judge, answer of other, label], as fractions; both
        are attained. None where no item of the label can be one the two are held to.
    both_answered : int
        How many items both judges answered.
    """

    schema: ClassVar[str] = "algeval.pair_correlations/1"

    judge: str
    other: str
    key_counts: tuple[int, ...]
    ranges: NDArray[Any]
    both_answered: int

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "Each range stands alone, and holds for this answer key only. A range without 0 shows "
            "answers that go together, or apart, on these items; it does not say why."
        )

    @property
    def dependent(self) -> tuple[tuple[str, str, str], ...]:
        """The (answer of judge, answer of other, label) whose correlation cannot be 0."""
        return tuple(
            (self.answers[a], self.answers[b], self.labels[t])
            for a, b, t in np.ndindex(self.ranges.shape[:3])
            if _without_zero(self.ranges[a, b, t])
        )

    def range_of(self, answer: object, other_answer: object, label: object) -> Range | None:
        """Return (lowest, highest) correlation, or None."""
        a, b = (positions("answer", [name], self.answers)[0] for name in (answer, other_answer))
        (t,) = positions("label", [label], self.labels)
        return ends_of(self.ranges[a, b, t])

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per label and pair of answers: lowest and highest correlation."""
        names = ("label", f"answer of {self.judge}", f"answer of {self.other}", "lower", "upper")
        rows = [
            (self.labels[t], self.answers[a], self.answers[b], *self.ranges[a, b, t].tolist())
            for a, b, t in np.ndindex(self.ranges.shape[:3])
        ]
        return (Table.of_rows("Correlations", names, rows),)

    def summary(self) -> str:
        """Return the verdict and a table of every range."""
        lines = [LogicResult.summary(self)]
        for t, label in enumerate(self.labels):
            for a, first in enumerate(self.answers):
                for b, second in enumerate(self.answers):
                    told = ends_in_words(self.ranges[a, b, t])
                    lines.append(f"{first} and {second} on {label}: {told}")
        return "\n".join(lines)


def pair_correlations(
    data: Source,
    judge: str,
    other: str,
    *,
    key_counts: Sequence[int],
    missing: str = "excluded",
) -> PairCorrelations:
    """Return the lowest and highest correlation of two judges' answers, at an answer key.

    Use it to ask what an assumption of independent errors claims: Gamma[a, b, t], the share of the
    items of label t with answers a and b, less the product of the two shares, is 0 on average when
    the judges err independently. Only the votes and how many items have each label are used.
    Without the latter nothing follows: two items of a label may have any correlation.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        What the judges answered; a key is never read.
    judge, other : str
        The two judges.
    key_counts : (R,) ints
        How many items of the answer key have each label.
    missing : "excluded" or "wrong"
        "excluded" looks at the items both judges answered (which of them have the label is part of
        what is open); "wrong" at all items, an unanswered one counting as an answer of its own.

    Returns
    -------
    PairCorrelations
        Status `ok`. Closed form and exact at any size, at order 2 and at full order alike: the
        answers of further judges never narrow these ranges.

    Raises
    ------
    DataError
        If the data, the judges or the answer-key counts break a rule.

    Notes
    -----
    No-Knowledge Alarms, appendix C, eqs. (17) and (18). With k = x + w items, the greatest x w and the least
    r s both grow and fall with k so that the best k is the largest, min(q, X + W).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> same = Sketch.from_counts({("a", "a"): 3, ("b", "b"): 3}, judges=["x", "y"])
    >>> found = pair_correlations(same, "x", "y", key_counts=(4, 2))
    >>> found.range_of("a", "a", "a"), found.range_of("a", "a", "b")
    ((Fraction(3, 16), Fraction(1, 4)), (Fraction(0, 1), Fraction(1, 4)))
    """
    data = read_data(data)
    exam = read_exam(data, missing)
    if isinstance(data, Summary):
        raise DataError(
            "data must say how the judges answered together; got counts per judge; give votes or a "
            "sketch"
        )
    if judge == other:
        raise DataError(f"judge and other must be two judges; got {judge!r} twice; name another")
    positions("judge", [judge, other], exam.judges)
    key = check_key_counts(exam, key_counts)
    counts = pair_counts(as_sketch(data).marginal([judge, other]))[0, 1]
    both = int(counts[1:, 1:].sum())
    return PairCorrelations(
        status=Status.OK,
        message=_sentence(judge, other, exam, key),
        judge=str(judge),
        other=str(other),
        key_counts=key,
        ranges=_ranges(counts if missing == "wrong" else counts[1:, 1:], exam, key, both),
        both_answered=both,
        **exam.echo(2),
    )


def _sentence(judge: str, other: str, exam: Exam, key: tuple[int, ...]) -> str:
    words = ", ".join(f"{q} {label}" for q, label in zip(key, exam.labels, strict=True))
    return (
        f"Correlations of the answers of {judge} and {other} that the votes leave possible, if the "
        f"answer key has {words}."
    )


def _without_zero(ends: NDArray[Any]) -> bool:
    low, high = ends.tolist()
    return low is not None and (low > 0 or high < 0)


class _Table(NamedTuple):
    """Counts in the whole exam: both answers, the first only, the second only, neither."""

    both: int
    first: int
    second: int
    neither: int


def _ranges(counts: NDArray[Any], exam: Exam, key: tuple[int, ...], both: int) -> NDArray[Any]:
    n, left_out = len(exam.answers), exam.n_items - both if exam.rule == "excluded" else 0
    found = np.full((n, n, exam.n_labels, 2), None, object)
    first = counts.shape[0] - n
    for a in range(n):
        for b in range(n):
            table = _table(counts, a + first, b + first)
            for t, q in enumerate(key):
                sizes = range(max(1, q - left_out), min(q, sum(table)) + 1)
                if sizes:
                    found[a, b, t] = _lowest(table, sizes), _highest(table, sizes)
    found.setflags(write=False)
    return found


def _table(counts: NDArray[Any], a: int, b: int) -> _Table:
    both = int(counts[a, b])
    first, second = int(counts[a].sum()) - both, int(counts[:, b].sum()) - both
    return _Table(both, first, second, int(counts.sum()) - both - first - second)


def _lowest(table: _Table, sizes: range) -> Fraction:
    """Return the lowest Gamma: the highest, with the diagonals of the table exchanged, negated."""
    return -_highest(_Table(table.first, table.both, table.neither, table.second), sizes)


def _highest(table: _Table, sizes: range) -> Fraction:
    """Return the highest Gamma over the numbers q of items in `sizes`, a range of whole numbers.

    It rises with even and with odd q up to twice the smaller of `both` and `neither`, and falls from
    there on, so that a few q are enough.
    """
    peak = 2 * min(table.both, table.neither)
    low, high = sizes[0], sizes[-1]
    tried = {low, low + 1, peak - 1, peak, peak + 1, high - 1, high}
    return max(Fraction(_most(table, q), q * q) for q in tried if q in sizes)


def _most(table: _Table, q: int) -> int:
    """Return the greatest x w - r s of q items."""
    k = min(q, table.both + table.neither)
    x = min(table.both, table.neither, k // 2)
    wide = max(table.first, table.second)
    return x * (k - x) - wide * max(0, q - k - wide)
