"""`self_consistency`: how many verdicts are wrong whatever the truth, each number with a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import ceil, lcm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, Scores, Summary, Votes
from algeval.data.names import check_number, check_whole
from algeval.data.reading import Data, as_counts, as_summary, keyed_part
from algeval.data.sparse import refuse_pairs
from algeval.data.specification import Specification
from algeval.door import reads_as_named
from algeval.errors import DataError
from algeval.io.results import Results, where_to_cut
from algeval.io.sources import name_of, read_with_table
from algeval.logic.proof import Certificate
from algeval.rates.intervals import log_hypergeometric
from algeval.result import Result, Status, Table, exact, percent
from algeval.result.numbers import ByValue, did_you_mean, how_many, percent_up

Whole = NDArray[np.int64]

SCHEMA = "algeval.floor/1"
_LEVELS = ("0.8", "0.9", "0.95")
_ROWS = 2**16  # taken at a time: whole columns of a large table would be copied many times over
_EXACT = 1 << 40  # of weights of judges: beyond it they are rounded up, in units of 1 / _UNIT
_UNIT = 10**12
_MOST_PAIRS = 3  # pairs of judges in a summary


# --- What a certificate says.


@dataclass(frozen=True, slots=True, eq=False)
class FloorCertificate(ByValue):
    """Proof that some verdicts are wrong whatever the truth, as ``python -m algeval.verify`` reads it.

    Parameters
    ----------
    claim : mapping
        Digest of the data, order, judges, how many of their verdicts are right at most, and what it rests on.
    evidence : mapping
        Of kind "tallies": the verifier counts again.
    """

    claim: Mapping[str, Any]
    evidence: Mapping[str, Any]

    @property
    def verdict(self) -> str:
        """Always "wrong"."""
        return "wrong"

    @property
    def kind(self) -> str:
        """Kind of evidence."""
        return str(self.evidence["kind"])

    def describe(self) -> str:
        """Claim in one sentence."""
        judges = ", ".join(self.claim["judges"])
        if "weights" in self.claim:
            return (
                f"The mean of the accuracies of {judges} on what they answered is at most "
                f"{self.claim['right']}, whatever the truth."
            )
        return f"Of the verdicts of {judges} at most {self.claim['right']} are right, whatever the truth."

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.floor/1`)."""
        return {"schema": SCHEMA, "claim": dict(self.claim), "evidence": dict(self.evidence)}


# --- Tallies: how many judges gave each label, item by item.


@dataclass(frozen=True, slots=True)
class Tallies:
    """Distinct items: what was answered, how often each label, and how many such items there are.

    `tally`: (rows, labels); `times`: (rows,); `answers`: number of verdicts, labels or not, (rows,).
    """

    tally: Whole
    times: Whole
    answers: Whole

    @classmethod
    def of(cls, codes: NDArray[np.int16], n_labels: int, times: Whole | None = None) -> Tallies:
        """Tallies of rows of codes."""
        rows = [(codes == t).sum(axis=1, dtype=np.int64) for t in range(n_labels)]
        cast = (codes != NOT_ANSWERED).sum(axis=1, dtype=np.int64)
        n = np.ones(len(codes), np.int64) if times is None else times.astype(np.int64)
        return cls(np.stack(rows, axis=1), n, cast)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.times.sum())

    @property
    def n_verdicts(self) -> int:
        """Number of verdicts."""
        return int(self.answers @ self.times)

    def most_right(self, multipliers: Sequence[int] | None = None) -> int:
        """Most verdicts that can be right together: on each item those of the commonest label.

        With `multipliers`, one a label, that many are taken off each item of the label.
        """
        less = 0 if multipliers is None else np.array(multipliers, np.int64)
        return int((self.tally - less).max(axis=1) @ self.times)

    def able(self, level: Fraction, n_judges: int) -> int:
        """Most judges of whom each may be right on `level` of all items."""
        least = ceil(level * self.n_items)
        common = self.tally.max(axis=1)
        fits = [
            s
            for s in range(1, n_judges + 1)
            if s * least <= int(np.minimum(common, s) @ self.times)
        ]
        return max(fits, default=0)

    def recall_ceiling(self, label: int, at_least: int, n_judges: int) -> Fraction:
        """Most that the judges' mean recall of a label can be, if so many items have it (complete votes)."""
        top = self._largest(self.tally[:, label], at_least)
        return Fraction(top, n_judges * at_least)

    def balanced_ceiling(self, n_first: int, n_judges: int) -> Fraction:
        """Most that the mean balanced accuracy can be, if so many items have the second of two labels."""
        n, rest = n_first, self.n_items - n_first
        second, first = self.tally[:, 1], self.tally[:, 0]
        order = np.argsort(-(second / n - first / rest), kind="stable")
        taken = np.minimum(
            self.times[order], np.maximum(n - (np.cumsum(self.times[order]) - self.times[order]), 0)
        )
        seconds = int(second[order] @ taken)
        firsts = int(first[order] @ (self.times[order] - taken))
        return (Fraction(seconds, n) + Fraction(firsts, rest)) / (2 * n_judges)

    def _largest(self, values: Whole, n: int) -> int:
        order = np.argsort(-values, kind="stable")
        before = np.cumsum(self.times[order]) - self.times[order]
        taken = np.clip(n - before, 0, self.times[order])
        return int(values[order] @ taken)


def by_counts(summary: Summary, weights: Sequence[int] | None = None) -> int:
    """Most verdicts that each judge's own counts (order 1) let be right, counted by its weight."""
    weight = np.array([1] * summary.n_judges if weights is None else weights, object)
    runs = []
    for column in summary.counts[:, : summary.n_labels].T:
        order = np.argsort(column, kind="stable")
        steps = np.diff(column[order], prepend=0).tolist()
        value = int(weight.sum())
        for judge, length in zip(order, steps, strict=True):
            runs.append((value, length))
            value -= weight[judge]
    total, left = 0, summary.n_items
    for value, length in sorted(runs, reverse=True):
        taken = min(left, length)
        total, left = total + value * taken, left - taken
    return total


def _multipliers(tallies: Tallies, ends: Sequence[tuple[int, int]]) -> list[int]:
    """Whole number a label that makes the bound on right verdicts sharp, if labels are so many items."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    rows, group = np.unique(tallies.tally, axis=0, return_inverse=True)
    times = np.bincount(group.ravel(), tallies.times).astype(np.int64)
    g, k = rows.shape
    of_row = csr_array((np.ones(g * k), (np.repeat(np.arange(g), k), np.arange(g * k))))
    of_label = csr_array((np.ones(g * k), (np.tile(np.arange(k), g), np.arange(g * k))))
    low, high = (np.array(column, float) for column in zip(*ends, strict=True))
    solved: Any = linprog(  # type: ignore[call-overload]
        -rows.ravel().astype(float),
        A_ub=vstack([of_label, -of_label]),
        b_ub=np.concatenate([high, -low]),
        A_eq=of_row,
        b_eq=times.astype(float),
        method="highs",
    )
    if solved.status == 2:
        raise DataError(
            f"label_counts must be possible for {how_many(tallies.n_items, 'item')}; got {list(ends)}; they "
            "sum to less or to more"
        )
    if solved.status != 0:
        return [0] * k
    dual = -solved.ineqlin.marginals
    return [round(x) for x in (dual[:k] - dual[k:]).tolist()]


# --- What repeated judgements of one judge say, and pairs of judges.


@dataclass(frozen=True, slots=True)
class Repeats:
    """Judgements of the same outputs by one judge, several times or in two orders.

    Attributes
    ----------
    judge : str
    votes : Votes
        A column a repeat; what its certificate is checked against.
    n_items, n_verdicts, most_right : int
    n_changed : int
        Items on which two of its answers differ.
    """

    judge: str
    votes: Votes = field(repr=False, compare=False)
    n_items: int
    n_verdicts: int
    most_right: int
    n_changed: int

    @property
    def least_wrong(self) -> int:
        """Verdicts that are wrong whatever the truth."""
        return self.n_verdicts - self.most_right

    def __str__(self) -> str:
        return (
            f"{self.judge} judged {how_many(self.n_items, 'item')} more than once and changed its answer on "
            f"{self.n_changed:,}: whatever the truth, at least {self.least_wrong:,} of its "
            f"{self.n_verdicts:,} verdicts are wrong."
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges: on how many of the items both answered they differ."""

    judges: tuple[str, str]
    n_items: int
    n_differing: int

    @property
    def least_wrong(self) -> int:
        """Items on which the worse of the two is wrong, whatever the truth: half of them, rounded up."""
        return -(-self.n_differing // 2)

    def __str__(self) -> str:
        a, b = self.judges
        return (
            f"{a} and {b} differ on {self.n_differing:,} of {how_many(self.n_items, 'item')}: one of the "
            f"two is wrong on at least {self.least_wrong:,}."
        )


def _repeats(results: Results | None) -> tuple[Repeats, ...]:
    if results is None:
        return ()
    made = []
    for judge, votes in results.trials.items():
        several = (votes.codes != NOT_ANSWERED).sum(axis=1) > 1
        if not several.any():
            continue
        votes = votes.select(items=[votes.items[k] for k in np.flatnonzero(several).tolist()])
        tallies = Tallies.of(votes.codes, votes.n_labels)
        highest = np.where(votes.codes == NOT_ANSWERED, -2, votes.codes).max(axis=1)
        same = ((votes.codes == highest[:, None]) | (votes.codes == NOT_ANSWERED)).all(axis=1)
        made.append(
            Repeats(
                judge,
                votes,
                votes.n_items,
                tallies.n_verdicts,
                tallies.most_right(),
                int((~same).sum()),
            )
        )
    return tuple(made)


def _pairs(codes: NDArray[np.int16], times: Whole, judges: Sequence[str]) -> tuple[Pair, ...]:
    """Pairs of judges, those that differ most often first."""
    both, same = np.zeros((2, len(judges), len(judges)))
    for start in range(0, len(codes), _ROWS):
        rows, weights = codes[start : start + _ROWS], times[start : start + _ROWS].astype(float)
        answered = (rows != NOT_ANSWERED).astype(float)
        both += (answered.T * weights) @ answered
        for answer in np.unique(rows[rows != NOT_ANSWERED]).tolist():
            gave = (rows == answer).astype(float)
            same += (gave.T * weights) @ gave
    pairs = [
        Pair((judges[i], judges[j]), round(both[i, j]), round(both[i, j] - same[i, j]))
        for i, j in combinations(range(len(judges)), 2)
    ]
    return tuple(sorted(pairs, key=lambda p: (-p.n_differing, p.judges)))


# --- The result.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SelfConsistency(Result):
    """How many verdicts are wrong whatever the truth is.

    All its numbers hold at once, for one unknown truth: no correction for their number is due.

    Attributes
    ----------
    status : Status
        Always ok.
    judges : tuple of str
    n_items, n_verdicts : int
    most_right, least_wrong : int
        Verdicts that can be right together at most, and those that are wrong at least; no sharper number
        follows from the verdicts.
    ceiling : Fraction
        Share of the verdicts that can be right at most.
    mean_accuracy_ceiling : Fraction
        The judges' own accuracies are at most this on average; other than `ceiling` where votes are missing.
    by_counts, by_pairs : int
        Wrong verdicts that each judge's counts alone, and that pairs of judges alone, prove.
    pairs : tuple of Pair
        Those that differ most often first; none of a summary.
    below : dict
        {level: how many judges are right on less than that share of all items, at least}.
    complete : bool
        Whether every judge answered every item; a missing answer is not right in `below`.
    n_labelled : int
        Items that people labelled.
    least_wrong_with_labels : int or None
        Wrong verdicts if these labels are right.
    least_wrong_confident : int or None
        The same with probability `level` over the draw, if labelled items were drawn at random.
    least_wrong_with_counts : int or None
        Wrong verdicts if labels are true of as many items as `label_counts` says.
    repeats : tuple of Repeats
        Of each judge that judged outputs more than once.
    label_counts : dict or None
        {label: (least, most)}.
    level : float
    """

    schema: ClassVar[str] = "algeval.self_consistency/1"
    meaning: ClassVar[str] = (
        "These are the fewest wrong verdicts, not all: judges who err alike look as if they were right. "
        "Nothing here speaks of one named judge."
    )

    judges: tuple[str, ...]
    n_items: int
    n_verdicts: int
    most_right: int
    least_wrong: int
    ceiling: Fraction
    mean_accuracy_ceiling: Fraction
    by_counts: int
    by_pairs: int | None
    pairs: tuple[Pair, ...]
    below: dict[Fraction, int]
    complete: bool
    n_labelled: int
    least_wrong_with_labels: int | None
    least_wrong_confident: int | None
    least_wrong_with_counts: int | None
    repeats: tuple[Repeats, ...]
    label_counts: dict[str, tuple[int, int]] | None
    level: float
    data: Any = field(repr=False)
    tallies: Tallies | None = field(repr=False)
    multipliers: tuple[int, ...] | None = field(default=None, repr=False)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is proved, in words, the strongest first."""
        lines = [str(r) for r in self.repeats if r.least_wrong]
        if self.least_wrong and len(self.judges) > 1:
            lines.append(floor_sentence(self.least_wrong, self.n_verdicts, len(self.judges)))
        said = 0
        for level, n in sorted(self.below.items()):
            if n > said and len(self.judges) > 1:
                said = n
                verb = "is" if n == 1 else "are"
                gaps = "" if self.complete else ", a missing answer counted as wrong"
                share = percent(level, 0) if (100 * level).denominator == 1 else percent_up(level)
                lines.append(
                    f"At least {n} of {how_many(len(self.judges), 'judge')} {verb} right on less than "
                    f"{share} of the items, whatever the truth{gaps}."
                )
        lines += [str(pair) for pair in self.pairs[:_MOST_PAIRS] if pair.least_wrong]
        with_labels = self.least_wrong_with_labels
        if with_labels is not None and with_labels > self.least_wrong:
            lines.append(
                f"With the {how_many(self.n_labelled, 'label')} of people: at least "
                f"{with_labels:,} of {self.n_verdicts:,} verdicts are wrong."
            )
        if self.least_wrong_confident is not None and self.least_wrong_confident > (
            with_labels or 0
        ):
            lines.append(
                "If the labelled items were drawn at random, one by one: at least "
                f"{self.least_wrong_confident:,}, with {percent(self.level, 0)} confidence."
            )
        if self.least_wrong_with_counts is not None:
            lines.append(
                f"With as many items of each label as stated: at least {self.least_wrong_with_counts:,} "
                "verdicts are wrong."
            )
        return tuple(lines)

    @property
    def certificates(self) -> dict[str, Certificate | FloorCertificate]:
        """Certificates by what they prove; checked against `data`, and those of repeats against theirs."""
        counts: Any = as_counts(self.data)
        if isinstance(counts, Summary):
            proofs: dict[str, Any] = {
                "wrong": _floor(counts, self.judges, self.n_verdicts - self.by_counts)
            }
        else:
            proofs = {"wrong": _floor(counts, self.judges, self.most_right)}
        if not self.complete and self.mean_accuracy_ceiling < 1:
            proofs["mean accuracy"] = _mean_proof(counts, self.judges, self.mean_accuracy_ceiling)
        for level, n in self.below.items():
            if n:
                proofs[f"below {percent_up(level)}"] = _below(counts, level, n, len(self.judges))
        for pair in self.pairs[:_MOST_PAIRS]:
            if pair.n_differing:
                columns = [counts.judges.index(judge) for judge in pair.judges]
                part = Tallies.of(counts.codes[:, columns], counts.n_labels, counts.counts)
                most = part.most_right()
                proofs[f"{pair.judges[0]} and {pair.judges[1]}"] = _floor(counts, pair.judges, most)
        if self.least_wrong_with_labels is not None:
            proofs["with labels"] = _floor(
                counts,
                self.judges,
                self.n_verdicts - self.least_wrong_with_labels,
                labelled=_labelled(self.data),
            )
        if self.least_wrong_with_counts is not None and self.label_counts is not None:
            ends = [list(self.label_counts[label]) for label in counts.labels]
            proofs["with label counts"] = _floor(
                counts,
                self.judges,
                self.n_verdicts - self.least_wrong_with_counts,
                {"multipliers": list(self.multipliers or ())},
                label_counts=ends,
            )
        for repeat in self.repeats:
            own = repeat.votes
            proofs[f"repeats of {repeat.judge}"] = _floor(
                own.sketch(), own.judges, repeat.most_right
            )
        return proofs

    def recall_ceiling(self, label: str, at_least: int) -> Fraction:
        """Most that the judges' mean recall of a label can be, if at least so many items truly have it.

        Raises
        ------
        DataError
            If votes are missing, there is no such label, or `at_least` is no number of items.
        """
        tallies = self._complete("recall_ceiling")
        labels = self.data.labels
        if label not in labels:
            raise DataError(
                f"label must be one of {list(labels)}; got {label!r}; {did_you_mean(label, labels)}"
            )
        n = check_whole("at_least", at_least, 1, self.n_items)
        return tallies.recall_ceiling(labels.index(label), n, len(self.judges))

    def balanced_ceiling(self, label: str, n: int) -> Fraction:
        """Most that the judges' mean balanced accuracy can be, if n items truly have the label.

        Raises
        ------
        DataError
            If votes are missing, there are not two labels, or n leaves no item to one of them.
        """
        tallies = self._complete("balanced_ceiling")
        labels = self.data.labels
        if len(labels) != 2 or label not in labels:
            raise DataError(
                f"balanced_ceiling needs one of two labels; got {label!r} of {list(labels)}"
            )
        n = check_whole("n", n, 1, self.n_items - 1)
        first = n if labels.index(label) == 1 else self.n_items - n
        return tallies.balanced_ceiling(first, len(self.judges))

    def _complete(self, name: str) -> Tallies:
        if self.tallies is None or not self.complete:
            raise DataError(
                f"{name} needs the votes of every judge on every item; got "
                f"{'a summary' if self.tallies is None else 'missing votes'}; leave out judges or items"
            )
        return self.tallies

    def as_tables(self) -> tuple[Table, ...]:
        """Floors, pairs of judges, and repeats."""
        rows: list[tuple[str, int | None]] = [
            ("whatever the truth", self.least_wrong),
            ("by each judge's counts alone", self.by_counts),
            ("by pairs of judges alone", self.by_pairs),
            ("with people's labels", self.least_wrong_with_labels),
            ("with them as a random sample", self.least_wrong_confident),
            ("with label counts", self.least_wrong_with_counts),
        ]
        kept = [(name, n, self.n_verdicts) for name, n in rows if n is not None]
        pairs = [(*p.judges, p.n_items, p.n_differing, p.least_wrong) for p in self.pairs]
        again = [
            (r.judge, r.n_items, r.n_verdicts, r.n_changed, r.least_wrong) for r in self.repeats
        ]
        head = ("items", "differing", "least_wrong")
        return (
            Table.of_rows("Wrong verdicts", ("from", "least_wrong", "verdicts"), kept),
            Table.of_rows("Pairs of judges", ("first", "second", *head), pairs),
            Table.of_rows(
                "Repeats", ("judge", "items", "verdicts", "changed", "least_wrong"), again
            ),
        )

    def summary(self) -> str:
        """Sentences, and what they do not mean."""
        return "\n".join(
            [*(self.sentences or (self.message,)), f"What this does not mean: {self.meaning}"]
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON types: the numbers, the sentences and the certificates; no data."""
        bare = replace(self, data=None, tallies=None)
        document = {k: v for k, v in Result.to_dict(bare).items() if k not in ("data", "tallies")}
        document["sentences"] = list(self.sentences)
        document["certificates"] = {n: c.to_dict() for n, c in self.certificates.items()}
        return document


def floor_sentence(wrong: int, verdicts: int, n_judges: int) -> str:
    """How many verdicts of several judges are wrong at least."""
    most = percent_up(Fraction(verdicts - wrong, verdicts))
    return (
        f"Whatever the truth, at least {wrong:,} of the {verdicts:,} verdicts of these {n_judges} judges "
        f"are wrong: no more than {most} can be right."
    )


def _floor(
    counts: Any,
    judges: Sequence[str],
    right: int | str,
    evidence: Mapping[str, Any] | None = None,
    **rests_on: Any,
) -> FloorCertificate:
    order = 1 if isinstance(counts, Summary) else "full"
    claim = {
        "data": counts.digest,
        "order": order,
        "judges": list(judges),
        "right": right,
        **rests_on,
    }
    return FloorCertificate(claim, {"kind": "tallies", **(evidence or {})})


def _mean_proof(counts: Any, judges: Sequence[str], ceiling: Fraction) -> FloorCertificate:
    """Certificate of the ceiling of the mean: a right verdict weighs one over what its judge answered."""
    each, unit = _shares(as_summary(counts))
    voting = sum(share > 0 for share in each)
    weights = [str(Fraction(share, unit * voting)) for share in each]
    return _floor(counts, judges, str(ceiling), weights=weights)


def _below(counts: Any, level: Fraction, n: int, n_judges: int) -> Certificate:
    """Certificate that n judges are right on less than a share of all items."""
    specification = replace(Specification.grade(">=", level), min_judges=n_judges - n + 1)
    claim = {
        "verdict": "impossible",
        "data": counts.digest,
        "order": "full",
        "missing": "wrong",
        "specification": specification.to_dict(),
    }
    return Certificate(claim, {"kind": "tallies"})


def _labelled(data: Data) -> list[list[Any]]:
    """How many items of each decision tuple people gave each label."""
    keyed = keyed_part(data)
    assert keyed is not None
    rows, labels = np.nonzero(keyed.keyed)
    return [
        [keyed.sketch.codes[row].tolist(), int(label), int(keyed.keyed[row, label])]
        for row, label in zip(rows.tolist(), labels.tolist(), strict=True)
    ]


# --- The function.


@reads_as_named
def self_consistency(
    data: Any,
    human: Any = None,
    *,
    levels: Sequence[object] = _LEVELS,
    label_counts: Mapping[str, Any] | None = None,
    level: float = 0.95,
) -> SelfConsistency:
    """How many verdicts are wrong whatever the truth, from the verdicts alone; each number with a proof.

    On each item at most the judges with the commonest label are right, so all others are wrong. It needs no
    label, assumes nothing, and no larger number follows from the verdicts. Repeated judgements of a results
    table (trials, both orders of a pair) are held against each other judge by judge.

    Parameters
    ----------
    data : results table, path, data frame, Votes, Sketch, KeyedSketch or Summary
        Of a Summary, what each judge's counts alone prove.
    human : str, list of str, mapping, Series or table, optional
        People's labels, as `judge_card` takes them: they make the number larger.
    levels : sequence of numbers
        Shares of all items; how many judges are right on less, at least.
    label_counts : mapping, optional
        {label: number, or (least, most)} of items of which a label is true.
    level : float
        Of the sentence that takes labelled items for a random sample.

    Returns
    -------
    SelfConsistency
        Always ok; `certificates` are what `algeval.verify` accepts.

    Raises
    ------
    DataError
        If there is no verdict, or `label_counts` cannot be.

    Notes
    -----
    The number of verdicts less the sum, over items, of the votes of the commonest label, attained by the key
    of commonest labels. How many judges fall short: s judges have at most min(s, votes of the commonest
    label) right answers on an item.

    Examples
    --------
    >>> votes = Votes.from_columns({"x": "aabb", "y": "abab", "z": "aabb"})
    >>> found = self_consistency(votes)
    >>> found.least_wrong, found.n_verdicts, found.ceiling
    (2, 12, Fraction(5, 6))
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    shares = [exact(x, "levels") for x in levels]
    data, labels, results = _read(data, human)
    if isinstance(data, Summary):
        return _of_summary(data, level)
    counts = keyed_part(data)
    sketch: Any = data if isinstance(data, Votes) else as_counts(data)
    times = getattr(sketch, "counts", np.ones(len(sketch.codes), np.int64))
    tallies = Tallies.of(sketch.codes, sketch.n_labels, times)
    verdicts, right = tallies.n_verdicts, tallies.most_right()
    if not verdicts:
        raise DataError("self_consistency needs at least one verdict; got none")
    summary = as_summary(data)
    n_judges = len(sketch.judges)
    refuse_pairs(sketch.codes, "self_consistency")
    pairs = _pairs(sketch.codes, times, sketch.judges)
    differing = sum(pair.n_differing for pair in pairs)
    with_labels = confident = None
    if labels is not None and counts is not None:
        with_labels, confident = _with_labels(tallies, sketch, counts, level)
    ends = _ends(label_counts, sketch.labels, tallies.n_items)
    multipliers = None if ends is None else tuple(_multipliers(tallies, list(ends.values())))
    wrong = verdicts - right
    return SelfConsistency(
        status=Status.OK,
        message=floor_sentence(wrong, verdicts, n_judges),
        judges=tuple(sketch.judges),
        n_items=tallies.n_items,
        n_verdicts=verdicts,
        most_right=right,
        least_wrong=wrong,
        ceiling=Fraction(right, verdicts),
        mean_accuracy_ceiling=_mean_ceiling(sketch, times, summary),
        by_counts=verdicts - by_counts(summary),
        by_pairs=-(-differing // (n_judges - 1)) if n_judges > 1 else 0,
        pairs=pairs,
        below={x: n_judges - tallies.able(x, n_judges) for x in shares},
        complete=verdicts == tallies.n_items * n_judges,
        n_labelled=0 if counts is None else counts.n_items,
        least_wrong_with_labels=with_labels,
        least_wrong_confident=confident,
        least_wrong_with_counts=None
        if ends is None or multipliers is None
        else verdicts - _at_most(tallies, multipliers, list(ends.values())),
        repeats=_repeats(results),
        label_counts=ends,
        level=level,
        data=data,
        tallies=tallies,
        multipliers=multipliers,
    )


def _read(data: Any, human: Any) -> tuple[Any, Any, Results | None]:
    results, source = data if isinstance(data, Results) else None, data
    data, labels, own = read_with_table(data, human)
    if isinstance(data, Scores) and isinstance(source, Scores):
        raise DataError("self_consistency counts verdicts; got scores; cut them into votes first")
    if isinstance(data, Scores):
        raise where_to_cut(data, name_of(source))
    if labels is not None and labels != "key":
        from algeval.rates.inputs import as_votes, read_gold

        votes = as_votes(data, "data")
        gold = read_gold(labels, votes, votes.labels[0])
        key = np.full(votes.n_items, NOT_ANSWERED, np.int16)
        key[gold.rows] = gold.truth
        data, labels = replace(votes, key=key), "key"
    if labels is None and isinstance(data, Votes) and data.key is not None:
        labels = "key"
    return data, labels, own or results


def _of_summary(data: Summary, level: float) -> SelfConsistency:
    verdicts, right = int(data.counts.sum()), by_counts(data)
    if not verdicts:
        raise DataError("self_consistency needs at least one verdict; got none")
    each, unit = _shares(data)
    return SelfConsistency(
        status=Status.OK,
        message=floor_sentence(verdicts - right, verdicts, data.n_judges),
        judges=tuple(data.judges),
        n_items=data.n_items,
        n_verdicts=verdicts,
        most_right=right,
        least_wrong=verdicts - right,
        ceiling=Fraction(right, verdicts),
        mean_accuracy_ceiling=_mean_of_shares(by_counts(data, each), each, unit),
        by_counts=verdicts - right,
        by_pairs=None,
        pairs=(),
        below={},
        complete=verdicts == data.n_items * data.n_judges,
        n_labelled=0,
        least_wrong_with_labels=None,
        least_wrong_confident=None,
        least_wrong_with_counts=None,
        repeats=(),
        label_counts=None,
        level=level,
        data=data,
        tallies=None,
    )


def _mean_ceiling(sketch: Any, times: Whole, summary: Summary) -> Fraction:
    """Most that the mean of the judges' own accuracies can be; rounded up where numbers grow too long."""
    each, unit = _shares(summary)
    total, weights = 0, np.array(each)
    for start in range(0, len(times), _ROWS):
        rows = sketch.codes[start : start + _ROWS]
        right = [(rows == t).astype(np.int64) @ weights for t in range(sketch.n_labels)]
        total += int(np.max(right, axis=0) @ times[start : start + _ROWS])
    return _mean_of_shares(total, each, unit)


def _shares(summary: Summary) -> tuple[list[int], int]:
    """What one right verdict adds to each judge's own accuracy, and the unit it is counted in."""
    answered = summary.answered.tolist()
    common = lcm(*(n for n in answered if n))
    unit = common if common <= _EXACT else _UNIT
    return [0 if not n else -(-unit // n) for n in answered], unit


def _mean_of_shares(total: int, each: Sequence[int], unit: int) -> Fraction:
    return min(Fraction(total, unit * sum(share > 0 for share in each)), Fraction(1))


def _with_labels(tallies: Tallies, sketch: Any, counts: Any, level: float) -> tuple[int, int]:
    """Wrong verdicts if people's labels are right, and if their items are a random sample besides."""
    own = Tallies.of(counts.sketch.codes, sketch.n_labels)
    lost = own.tally.max(axis=1)[:, None] - own.tally
    more = int((lost * counts.keyed).sum())
    misled = int(((lost > 0) * counts.keyed).sum())
    n, total = counts.n_items, tallies.n_items
    wrong = tallies.n_verdicts - tallies.most_right()
    least = fewest_marked(misled, n, total, level)
    return wrong + more, wrong + more + least - misled


def fewest_marked(seen: int, n: int, total: int, level: float) -> int:
    """Lower bound, at a level, on how many of `total` items are marked: of n drawn at random `seen` are."""
    below = np.arange(float(seen))

    def likely(marked: int) -> bool:  # whether as many are seen with a chance above 1 - level
        return float(np.exp(log_hypergeometric(below, n, marked, total)).sum()) < level

    low, high = seen, total - n + seen
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if likely(middle) else (middle + 1, high)
    return low


def _ends(
    stated: Mapping[str, Any] | None, labels: Sequence[str], n_items: int
) -> dict[str, tuple[int, int]] | None:
    """Least and most items of each label, those not stated free."""
    if stated is None:
        return None
    unknown = [label for label in stated if label not in labels]
    if unknown:
        raise DataError(
            f"label_counts must be of labels {list(labels)}; got {unknown[0]!r}; "
            f"{did_you_mean(unknown[0], labels)}"
        )
    ends = {}
    for label in labels:
        value = stated.get(label, (0, n_items))
        low, high = value if isinstance(value, Sequence) else (value, value)
        low = check_whole("label_counts", low, 0, n_items)
        ends[label] = (low, check_whole("label_counts", high, low, n_items))
    if not sum(low for low, _ in ends.values()) <= n_items <= sum(h for _, h in ends.values()):
        raise DataError(
            f"label_counts must be possible for {how_many(n_items, 'item')}; got {ends}; they sum to less "
            "or to more"
        )
    return ends


def _at_most(tallies: Tallies, multipliers: Sequence[int], ends: Sequence[tuple[int, int]]) -> int:
    """Right verdicts at most, by what each label is charged."""
    charged = sum(max(u * low, u * high) for u, (low, high) in zip(multipliers, ends, strict=True))
    return tallies.most_right(multipliers) + charged
