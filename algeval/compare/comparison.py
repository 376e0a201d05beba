"""`compare`: all methods side by side on one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, isfinite
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, Aggregation, Bootstrap, aggregate, policy
from algeval.aggregate.bootstrap import check_intervals, shown_intervals
from algeval.aggregate.checks.quality import Score, score
from algeval.aggregate.registry import predictor
from algeval.aggregate.results import Floats, decide, fit_seconds, n_cells, size_of
from algeval.aggregate.score_results import numeric_attribute
from algeval.aggregate.scores.simple import Affine, NormalScores
from algeval.algebra import PooledTrios, decode, pool_trios
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.evaluation import dash_note, shown_accuracy, shown_share, with_interval
from algeval.data.names import (
    check_choice,
    check_number,
    check_time_limit,
    check_whole,
    check_work,
    expect_schema,
    is_sparse,
)
from algeval.data.reading import Data, split_key
from algeval.data.sparse import equal
from algeval.door import reads
from algeval.errors import AlgevalError, DataError, NotIdentifiableError, TooLargeError
from algeval.logic import bounds
from algeval.logic.results import Bounds
from algeval.progress import TimeUp, check_time, stages, until
from algeval.result import Result, Status, percent
from algeval.result.base import Record, with_reading
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- How far consensus scores and judges were moved, as a result that shows itself.


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Record):
    """How far one consensus, or one judge, was moved.

    Attributes
    ----------
    name : str
        Of the method or the judge.
    n_items : int
        Items with a score before and after.
    change, error : float or None
        Mean absolute change on the judges' scale, and its bootstrap standard error; None without a fit,
        and the error also where there is one item or cluster.
    shift : float or None
        Mean change with its sign.
    spread : float or None
        Standard deviation over the items before.
    flipped : float or None
        Share of the items whose class is another one; None of judges.
    difference, difference_error : float or None
        Change less that of the first method, and its standard error, over the same resamples.
    status : str
        How the fit ended.
    """

    name: str
    n_items: int
    change: float | None
    error: float | None
    shift: float | None
    spread: float | None
    flipped: float | None = None
    difference: float | None = None
    difference_error: float | None = None
    status: str = "ok"

    @property
    def relative(self) -> float | None:
        """Change in standard deviations of the scores before: a narrow consensus moves little anyway."""
        return self.change / self.spread if self.change is not None and self.spread else None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Robustness(Result):
    """How far a perturbation moved each consensus, and each judge.

    Attributes
    ----------
    status : Status
        ok; that of the first method that did not end so.
    methods, judges : tuples of Moved
    n_items, n_clusters : int
        Items found in both tables; clusters that are resampled.
    fit : "together" or "apart"
    n_samples, seed : int
    settings : dict
        Of the methods.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.robustness/1"

    methods: tuple[Moved, ...]
    judges: tuple[Moved, ...]
    n_items: int
    n_clusters: int
    fit: str
    n_samples: int
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Moved:
        for pairs in (*self.methods, *self.judges):
            if pairs.name == name:
                return pairs
        raise DataError(f"{name!r} is not here; choose from {[m.name for m in self.methods]}")

    def as_tables(self) -> tuple[Table, ...]:
        """Row per method, and a row per judge."""
        named = {"Methods": self.methods, "Judges": self.judges}
        return tuple(
            Table.of_records(title, Moved, rows, relative=[row.relative for row in rows])
            for title, rows in named.items()
        )

    def summary(self) -> str:
        """One line per method, the judge who moved most, and the warnings."""
        lines = [self.message, *(_line(moved) for moved in self.methods)]
        sentences = [moved for moved in self.judges if moved.change is not None]
        if sentences:
            most = max(sentences, key=lambda moved: moved.change or 0.0)
            lines.append(f"{_line(most)}, the most of all judges")
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])


def _line(moved: Moved) -> str:
    if moved.change is None:
        return f"  {moved.name}: no fit"
    error = "unknown" if moved.error is None else f"{moved.error:.2g}"
    text = f"  {moved.name}: moved by {moved.change:.3g} (standard error {error})"
    if moved.relative is not None:
        text += f", {moved.relative:.2f} of its standard deviation; mean shift {moved.shift:+.3g}"
    return text + ("" if moved.flipped is None else f"; {percent(moved.flipped)} change class")


# --- Where the majority and a model give different labels, and what each needs to be right there.


_MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(Record):
    """Judges who gave one label on a group of items, and what follows if the other side is right.

    Attributes
    ----------
    label : str
    judges : tuple of str
        Those who gave the label on any item of the group, the most often first.
    errors : tuple of int
        How many items of the group each gave it on: its errors there, if it is wrong.
    answered : tuple of int
        Items of all that each answered.
    together : int
        Items of the group on which all of `judges` gave it, so would share the error.
    """

    label: str
    judges: tuple[str, ...]
    errors: tuple[int, ...]
    answered: tuple[int, ...]
    together: int

    @property
    def at_most(self) -> tuple[Fraction, ...]:
        """The share of its answers that each can be right on at most, if the label is wrong here."""
        pairs = zip(self.errors, self.answered, strict=True)
        return tuple(Fraction(n - k, n) for k, n in pairs)

    def summary(self) -> str:
        """What follows for these judges if their label is wrong on the group's items."""
        if not self.judges:
            return f"no judge errs there (none gave {self.label})"
        lines = list(zip(self.judges, self.errors, self.answered, strict=True))
        alike = len({pair[1:] for pair in lines}) == 1
        if alike and self.together == self.errors[0]:
            k, n = self.errors[0], self.answered[0]
            share, each = ("makes", "it is") if len(lines) == 1 else ("share", "each is")
            errors = "1 error" if k == 1 else f"{k} errors"
            return f"{_names(self.judges)} {share} {errors}: {each} right on at most {n - k} of {n}"
        shown = [f"{j} {k} (right on at most {n - k} of {n})" for j, k, n in lines[:_MOST_NAMED]]
        left_out = len(lines) - _MOST_NAMED
        more = f" and {left_out} more" if left_out > 0 else ""
        return f"the errors are {', '.join(shown)}{more}; {self.together} in common"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitGroup(Record):
    """Items on which the majority says one label and the model another.

    Attributes
    ----------
    n_items : int
    majority, model : Side
    """

    n_items: int
    majority: Side
    model: Side

    def summary(self) -> list[str]:
        """Who stands where, and what either needs to be right, a line each."""
        sides = ((self.majority, "the majority"), (self.model, "the model"))
        stand = " and ".join(
            f"{_names(side.judges)} {'say' if side.judges[1:] else 'says'} {side.label} ({who})"
            for side, who in sides
        )
        return [
            f"Largest group, {self.n_items} item{'s' * (self.n_items != 1)}: {stand}.",
            f"If the majority is right there, {self.model.summary()}; if the model is, "
            f"{self.majority.summary()}.",
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement(Result):
    """Where the majority and a model differ.

    Attributes
    ----------
    status : Status
        ok, also where they differ nowhere; undetermined where the model has no labels.
    method : str
        The model's.
    n_items, n_differing, n_undecided : int
        All items; those both label, differently; those that only one of them or none labels.
    groups : tuple of SplitGroup
        By the two labels and by which judges gave them, largest first.
    pairs : tuple of SplitGroup
        By the two labels alone, largest first.
    """

    schema: ClassVar[str] = "algeval.disagreement/1"

    method: str
    n_items: int
    n_differing: int
    n_undecided: int
    groups: tuple[SplitGroup, ...] = ()
    pairs: tuple[SplitGroup, ...] = ()

    @property
    def share(self) -> Fraction:
        """The share of all items on which both give a label, and not the same."""
        return Fraction(self.n_differing, self.n_items)

    @property
    def largest(self) -> SplitGroup | None:
        """The largest group of the same judges; of the same labels if that is more than twice as large."""
        if not self.groups:
            return None
        alike, pair = self.groups[0], self.pairs[0]
        return alike if 2 * alike.n_items >= pair.n_items else pair

    def as_tables(self) -> tuple[Table, ...]:
        """Row per group of items: how many, both labels, and the judges on either side."""
        names = ("n_items", "majority says", "by", "model says", "and by")
        rows = [
            (
                group.n_items,
                *(group.majority.label, ", ".join(group.majority.judges)),
                *(group.model.label, ", ".join(group.model.judges)),
            )
            for group in self.groups
        ]
        return Table.of_rows("Where they differ", names, rows), scalars(self)

    def summary(self) -> str:
        """Share, the largest group, and what would have to be true."""
        return "\n".join([self.message, *([] if self.largest is None else self.largest.summary())])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        read = {name: tuple(map(_read_group, body[name])) for name in ("groups", "pairs")}
        return cls(**body | read | {"status": Status(body["status"])})


@reads
def disagreement(data: Data, result: Aggregation | None = None) -> Disagreement:
    """Where the majority and a model give different labels, and what each needs to be right.

    Use it before trusting either: the groups are the items to look at by hand. All of it is
    counting; nothing here says which of the two is right.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is not read.
    result : Aggregation, optional
        The model's labels, fitted to these votes or to some of their judges; by default those of
        `aggregate(data)`.

    Returns
    -------
    Disagreement
        Counts are of items. Status ok, or undetermined where the model gave no label.

    Raises
    ------
    DataError
        If the result is of other judges or labels.

    Notes
    -----
    The majority is the label with most votes, ties left without one. Were the majority right on k
    items, every judge who said there what the model says erred on them, so on its n answered items
    it is right at most (n - k) / n of the time; were the model right, the same holds of the others.

    Examples
    --------
    >>> s = Sketch.from_counts({"aabb": 1, "aaab": 6, "aaaa": 40, "bbbb": 40, "bbba": 5})
    >>> disagreement(s, aggregate(s.marginal(["4"]), "majority")).n_differing
    11
    """
    blind = split_key(data)[0]
    model = aggregate(blind) if result is None else result
    sketch = blind.sketch()
    return between(sketch, aggregate(sketch, "majority"), model)


def between(sketch: Sketch, majority: Aggregation, model: Aggregation) -> Disagreement:
    """Where two results differ; the first is the majority's, of the same sketch."""
    if model.evaluation is None or majority.evaluation is None:
        why = model.message if model.evaluation is None else majority.message
        return Disagreement(
            status=Status.UNDETERMINED,
            message=f"The majority and {model.method} cannot be compared: {why}",
            method=model.method,
            n_items=sketch.n_items,
            n_differing=0,
            n_undecided=sketch.n_items,
        )
    first, second = majority.decisions, _decisions(sketch, model)
    decided = (first != NOT_ANSWERED) & (second != NOT_ANSWERED)
    differ = decided & (first != second)
    n = int(sketch.counts[differ].sum())
    rows = _Rows(sketch, first, second)
    alike, pairs = (_grouped(rows, np.flatnonzero(differ), by_side) for by_side in (True, False))
    undecided = int(sketch.counts[~decided].sum())
    open_ = f"; {undecided} more have no label from one of them" if undecided else ""
    return Disagreement(
        status=Status.OK,
        message=(
            f"The majority and {model.method} differ on {n} of {how_many(sketch.n_items, 'item')} "
            f"({percent(n / sketch.n_items)}){open_}."
        ),
        method=model.method,
        n_items=sketch.n_items,
        n_differing=n,
        n_undecided=undecided,
        groups=alike,
        pairs=pairs,
    )


def _decisions(sketch: Sketch, model: Aggregation) -> Any:
    """(U,): the model's labels of the decision tuples."""
    unknown = [judge for judge in model.judges if judge not in sketch.judges]
    if unknown or model.labels != sketch.labels or model.answers != sketch.answers:
        raise DataError(
            f"result must be of judges and labels in data; got {list(model.judges)} and "
            f"{list(model.labels)}; aggregate these votes, or select(judges=...) of them"
        )
    if model.judges == sketch.judges and equal(model.patterns, sketch.codes):
        return model.decisions
    indices = [sketch.judges.index(judge) for judge in model.judges]
    return decide(predictor(model.method)(model, sketch.codes[:, indices]))


class _Rows:
    """Decision tuples with the two labels each got."""

    def __init__(self, sketch: Sketch, majority: Any, model: Any) -> None:
        self.sketch, self.majority, self.model = sketch, majority, model
        self.answered = sketch.n_items - sketch.missing

    def group(self, rows: NDArray[np.intp]) -> SplitGroup:
        """Group of some rows of the same two labels."""
        n = int(self.sketch.counts[rows].sum())
        return SplitGroup(
            n_items=n,
            majority=self._side(rows, int(self.majority[rows[0]])),
            model=self._side(rows, int(self.model[rows[0]])),
        )

    def _side(self, rows: NDArray[np.intp], label: int) -> Side:
        counts = self.sketch.counts[rows]
        gave = self.sketch.codes[rows] == label
        errors = counts @ gave
        judges = [j for j in np.argsort(-errors, kind="stable").tolist() if errors[j]]
        lines = [int(errors[j]) for j in judges]
        whole = [int(self.answered[j]) for j in judges]
        return Side(
            label=self.sketch.labels[label],
            judges=tuple(self.sketch.judges[j] for j in judges),
            errors=tuple(lines),
            answered=tuple(whole),
            together=int(counts[gave[:, judges].all(axis=1)].sum()) if judges else 0,
        )


def _grouped(rows: _Rows, indices: NDArray[np.intp], by_side: bool) -> tuple[SplitGroup, ...]:
    """Groups of rows with the same labels, and the same judges behind them."""
    results: dict[Any, list[int]] = {}
    for index in indices.tolist():
        labels = int(rows.majority[index]), int(rows.model[index])
        codes = rows.sketch.codes[index]
        sides = tuple((codes == label).tobytes() for label in labels) if by_side else ()
        results.setdefault((labels, sides), []).append(index)
    groups = [rows.group(np.array(members)) for members in results.values()]
    return tuple(sorted(groups, key=lambda group: -group.n_items))


def _names(judges: Sequence[str]) -> str:
    if not judges:
        return "no judge"
    left_out = len(judges) - _MOST_NAMED
    named = ", ".join(judges[:_MOST_NAMED])
    return f"{named} and {left_out} more" if left_out > 0 else named


def _read_group(document: Mapping[str, Any]) -> SplitGroup:
    sides = {name: _read_side(document[name]) for name in ("majority", "model")}
    return SplitGroup(n_items=document["n_items"], **sides)


def _read_side(document: Mapping[str, Any]) -> Side:
    return Side(
        label=document["label"],
        judges=tuple(document["judges"]),
        errors=tuple(document["errors"]),
        answered=tuple(document["answered"]),
        together=document["together"],
    )


# --- Test whether an estimate is logically possible, given how often each judge gave each answer.
#
# Every evaluation of a finished test obeys the axioms of No-Knowledge Alarms: for each judge and answer, the
# items of each true label that got the answer add up to the observed count. An estimate that misses a count
# by more than half an item describes no possible test; so does one outside [0, 1].


_HALF_AN_ITEM = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency(Record):
    """Whether an estimate could describe these votes.

    Attributes
    ----------
    possible : bool
        Whether it lies in [0, 1] and meets every count to within half an item.
    gap : float
        The largest miss of an observed count, in items.
    where : str
        The judge and answer of that miss, or what left [0, 1].
    """

    possible: bool
    gap: float
    where: str

    def describe(self) -> str:
        """One sentence."""
        if self.possible:
            if self.gap < _EXACT:
                return "logically possible (it matches every count)"
            return (
                f"logically possible (it differs from the counts by at most {self.gap:.2g} items)"
            )
        return f"logically impossible: {self.where}"


_EXACT = 1e-3
"""Items by which an estimate may differ from a count that it matches."""


def consistency(evaluation: Evaluation, summary: Summary) -> Consistency:
    """Test an evaluation against the single-judge axioms (No-Knowledge Alarms, equation 9), in items.

    Parameters
    ----------
    evaluation : Evaluation
        Of the same judges, labels and answers as `summary`.
    summary : Summary
        The observed counts; with missing answers, shares of the answered items are compared,
        which assumes the answers were left out at random.
    """
    floats = evaluation.to_floats()
    outside = _outside(floats)
    if outside:
        return Consistency(possible=False, gap=float("inf"), where=outside)
    confusion = np.nan_to_num(floats.confusion)
    share = floats.prevalence[None, :]
    if floats.coverage is not None:
        share = share * np.nan_to_num(floats.coverage)
        share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    expected = summary.answered[:, None] * np.einsum(
        "nt,nta->na", np.broadcast_to(share, confusion.shape[:2]), confusion
    )
    miss = np.abs(expected - summary.counts)
    judge, answer = np.unravel_index(int(miss.argmax()), miss.shape)
    gap = float(miss[judge, answer])
    where = (
        f"judge {summary.judges[judge]!r} gave answer {summary.answers[answer]!r} "
        f"{summary.counts[judge, answer]} times, the estimate implies {expected[judge, answer]:.1f}"
    )
    return Consistency(possible=gap <= _HALF_AN_ITEM, gap=gap, where=where)


def _outside(evaluation: Evaluation) -> str:
    slack = 1e-9
    for label, value in zip(evaluation.labels, evaluation.prevalence, strict=True):
        if not -slack <= value <= 1 + slack:
            return f"the prevalence of {label!r} is {value:.3g}, outside [0, 1]"
    table = np.nan_to_num(evaluation.confusion)
    bad = np.argwhere((table < -slack) | (table > 1 + slack))
    if not len(bad):
        return ""
    judge, label, answer = bad[0]
    value = evaluation.confusion[judge, label, answer]
    return (
        f"judge {evaluation.judges[judge]!r} answers {evaluation.answers[answer]!r} on "
        f"{evaluation.labels[label]!r} with a share of {value:.3g}, outside [0, 1]"
    )


# --- Run one method and say what it assumed, how it ended and whether it is logically possible.


DEFAULT_METHODS = ("algebra", "majority", "dawid-skene", "recommended")

_ALGEBRA = "errors exactly independent on this test"
_MOST_WORK = 1_000_000  # about two seconds


_REFUSALS: tuple[tuple[type[AlgevalError], Status], ...] = (
    (NotIdentifiableError, Status.NOT_IDENTIFIABLE),
    (TooLargeError, Status.TOO_LARGE),
    (AlgevalError, Status.UNDETERMINED),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate(Record):
    """What one method says.

    Attributes
    ----------
    method, assumes : str
    status : Status
    message : str
    evaluation : Evaluation or None
        None where the method does not apply or found none.
    consistency : Consistency or None
        Whether the evaluation is logically possible.
    score : Score or None
        Against the key, where there is one; computed after everything else.
    intervals : Bootstrap or None
        Of the evaluation, from refits on resampled items; None where none were asked for.
    ranges : PooledTrios or None
        Lowest and highest of each number over the trios of more than three judges, where the
        evaluation is the median over them.
    fit : Aggregation or None
        The result itself; not written to JSON.
    """

    method: str
    assumes: str
    status: Status
    message: str
    evaluation: Evaluation | None = None
    consistency: Consistency | None = None
    score: Score | None = None
    intervals: Bootstrap | None = None
    ranges: PooledTrios | None = None
    fit: Aggregation | None = field(default=None, repr=False)

    @property
    def ends(self) -> Bootstrap | PooledTrios | None:
        """What says between which ends each number lies: intervals, or ranges over trios."""
        return self.ranges if self.intervals is None else self.intervals

    @property
    def ended(self) -> str:
        """The status; of a fit that ended well on what no test can have been, that it is impossible."""
        impossible = self.consistency is not None and not self.consistency.possible
        return (
            "impossible" if impossible and self.status.ok and not self._drawn else self.status.value
        )

    @property
    def _drawn(self) -> str:
        record = METHODS.get(self.method)
        result = self.consistency
        return record.drawn if record and result is not None and isfinite(result.gap) else ""

    @property
    def standing(self) -> str:
        """The sentence on whether the evaluation is logically possible; empty where not tested."""
        result = self.consistency
        if result is None:
            return ""
        if result.possible or not self._drawn:
            return f"It is {result.describe()}."
        return (
            f"Its tables are smoothed towards {self._drawn}: they differ from the counts by up to "
            f"{result.gap:.1f} items ({result.where})."
        )


def estimate(
    method: str,
    votes: Votes | Sketch,
    key: Votes | KeyedSketch | None,
    *,
    intervals: int | str = 0,
    prevalence: Any = None,
) -> Estimate:
    """Run one method on votes without a key, then score it against the key if there is one.

    `intervals`: refits for intervals, "auto" where they cost little, 0 for none.
    """
    try:
        check_time()
        if method == "algebra":
            return _algebra(votes)
        shares = {} if prevalence is None or method != "recommended" else {"prevalence": prevalence}
        return _aggregate(method, votes, key, intervals=intervals, settings=shares)
    except TimeUp:
        assumes = _ALGEBRA if method == "algebra" else METHODS[method].assumes
        late = "not finished within the time limit"
        return Estimate(method=method, assumes=assumes, status=Status.TIME_LIMIT, message=late)


def _algebra(votes: Votes | Sketch) -> Estimate:
    ended = partial(Estimate, method="algebra", assumes=_ALGEBRA)
    why = None
    if votes.n_labels < 2:
        why = "the algebra needs two labels; here is one"
    elif votes.n_judges < 3:
        why = f"the algebra needs three judges; got {votes.n_judges}"
    elif comb(votes.n_judges, 3) * _work_of_a_trio(votes.n_labels) > _MOST_WORK:
        sentence = f"not done here: {votes.n_judges} judges have {comb(votes.n_judges, 3)} trios"
        return ended(status=Status.TOO_LARGE, message=sentence)
    if why is not None:
        return ended(status=Status.UNDETERMINED, message=why)
    decoding: Any = decode.core(votes) if votes.n_judges == 3 else pool_trios.core(votes)
    ranges = decoding if isinstance(decoding, PooledTrios) and not decoding.shared else None
    best = decoding.evaluation if isinstance(decoding, PooledTrios) else decoding.best
    return ended(
        status=decoding.status,
        message=decoding.message,
        evaluation=best,
        consistency=None if best is None or ranges else consistency(best, votes.summary()),
        ranges=None if best is None else ranges,
    )


def _work_of_a_trio(n_labels: int) -> int:
    """Two labels have a closed form, more need the determinants of R x R tables."""
    return 1 if n_labels == 2 else 20 * n_labels**3


def _aggregate(
    method: str,
    votes: Votes | Sketch,
    key: Votes | KeyedSketch | None,
    *,
    intervals: int | str,
    settings: Mapping[str, Any],
) -> Estimate:
    assumes = METHODS[method].assumes
    try:
        fit = aggregate(votes, method, **settings)
    except AlgevalError as error:
        status = next(s for kind, s in _REFUSALS if isinstance(error, kind))
        message = f"does not apply here: {error}"
        return Estimate(method=method, assumes=assumes, status=status, message=message)
    fitted = fit.evaluation
    partial = method == "majority" and fit.n_undecided > 0
    message = fit.message
    if partial:
        message += (
            " Its evaluation speaks of the decided items only, so it is not tested for consistency."
        )
    try:
        made = shown_intervals(fit, intervals)
    except TimeUp:
        made, message = None, f"{message} Time ran out before its intervals."
    return Estimate(
        method=method,
        assumes=assumes,
        status=fit.status,
        message=message,
        evaluation=fitted,
        consistency=None if fitted is None or partial else consistency(fitted, votes.summary()),
        score=None if key is None or fitted is None else score(fit, key),
        intervals=made,
        fit=fit,
    )


# --- Logic, algebra, majority and EM side by side, cell by cell, with the key last.


Ends = Bootstrap | PooledTrios | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Result):
    """What every method says of the same votes.

    Attributes
    ----------
    judges, labels : tuples of str
    n_items : int
    bounds : Bounds
        What logic alone allows, at order 1.
    estimates : tuple of Estimate
        One per method, in the order asked for.
    truth : Evaluation or None
        From the key, over the items whose true label is known; read by no method.
    n_keyed : int
        How many items have a known true label.
    disagreement : Disagreement or None
        Where the majority and the model differ: 'recommended', or else the last of the others that
        was fitted; None where none was.
    """

    schema: ClassVar[str] = "algeval.comparison/1"
    frame_table: ClassVar[int] = -1

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_items: int
    bounds: Bounds
    estimates: tuple[Estimate, ...]
    truth: Evaluation | None
    n_keyed: int
    disagreement: Disagreement | None = None

    def __getitem__(self, method: str) -> Estimate:
        for result in self.estimates:
            if result.method == method:
                return result
        methods = [result.method for result in self.estimates]
        raise DataError(f"method {method!r} was not compared; choose from {methods}")

    def columns(self) -> list[str]:
        """Names of the columns of `rows`."""
        names = ["quantity", "logic", *(e.method for e in self.estimates if e.evaluation)]
        return [*names, "key"] if self.truth is not None else names

    def rows(self, judges: Sequence[str] | None = None) -> list[list[str]]:
        """Table as text: prevalences first, then each judge on each label."""
        rows = [
            [f"prevalence of {label}", _range(self.bounds.prevalence_of(label))]
            + [self._prevalence(*e, index) for e in self._evaluations()]
            for index, label in enumerate(self.labels)
        ]
        for judge in self.judges if judges is None else judges:
            rows += [
                [f"{judge} on {label}", _range(self.bounds.accuracy_of(judge, label))]
                + [self._accuracy(*e, judge, label) for e in self._evaluations()]
                for label in self.labels
            ]
        return rows

    def _prevalence(self, evaluation: Evaluation, made: Ends, index: int) -> str:
        ends = None if made is None else made.prevalence_of(self.labels[index])
        return with_interval(shown_share(evaluation.prevalence[index]), ends)

    def _accuracy(self, evaluation: Evaluation, made: Ends, judge: str, label: str) -> str:
        i, t = evaluation.judges.index(judge), evaluation.labels.index(label)
        n_items = self.n_keyed if evaluation is self.truth else self.n_items
        ends = None if made is None else made.accuracy_of(judge, label)
        return with_interval(shown_accuracy(evaluation, i, t, n_items), ends)

    @property
    def note(self) -> str:
        """What the dashes and brackets of `rows` mean; empty where there are none."""
        dashes = dash_note((e.evaluation for e in self.estimates if e.evaluation), self.n_items)
        return " ".join(
            notes for notes in (dashes, *self._brackets(), self._same_equations) if notes
        )

    @property
    def _same_equations(self) -> str:
        """Sentence where agreement of algebra and Dawid-Skene is arithmetic; empty elsewhere."""
        made = {e.method: e.evaluation for e in self.estimates if e.evaluation is not None}
        fit = made.get("dawid-skene") if "algebra" in made else None
        if fit is None or fit.coverage is not None or fit.confusion.shape != (3, 2, 2):
            return ""
        return (
            "With three judges of two labels algebra and dawid-skene solve the same seven equations, any "
            "other fit of two classes nearly so: that they agree confirms nothing, and no test is left of "
            "the independence they assume."
        )

    def _brackets(self) -> list[str]:
        """Sentences on intervals and ranges shown, and one on each method that has none."""
        made = [e.intervals for e in self.estimates if e.intervals is not None]
        shown = [result for result in made if result.status.ok]
        lines = [result.message for result in made if not result.status.ok]
        if any(e.ranges for e in self.estimates):
            lines = ["In brackets after algebra: lowest and highest over its trios.", *lines]
        if not shown:
            return lines
        level, n = percent(shown[0].level, 0), shown[0].n
        fewest = min(result.n - result.n_failed for result in shown)
        refits = f"{n} refits" if fewest == n else f"{fewest} to {n} refits"
        return [
            f"In brackets: {level} intervals in percent if errors are independent, from {refits} on "
            "resampled items.",
            *lines,
        ]

    def _evaluations(self) -> list[tuple[Evaluation, Ends]]:
        result: list[tuple[Evaluation, Ends]]
        result = [(e.evaluation, e.ends) for e in self.estimates if e.evaluation is not None]
        return result if self.truth is None else [*result, (self.truth, None)]

    def as_tables(self) -> tuple[Table, ...]:
        """Numbers side by side, how each method ended, and a row per number and method.

        `to_frame` returns the last: quantity, judge, label, method, value, lower, upper. Method "logic"
        has ends without a value, "key" a value without ends.
        """
        shown = Table.of_rows("Side by side", self.columns(), self.rows())
        ends = [(e.method, e.ended, e.assumes) for e in self.estimates]
        names = ("quantity", "judge", "label", "method", "value", "lower", "upper")
        return (
            shown,
            Table.of_rows("Methods", ("method", "status", "assumes"), ends),
            Table.of_rows("Numbers", names, [*self._allowed(), *self._estimated()]),
        )

    def _allowed(self) -> list[tuple[Any, ...]]:
        results: list[tuple[Any, ...]] = [
            ("prevalence", None, x, self.bounds.prevalence_of(x)) for x in self.labels
        ]
        results += [
            ("accuracy", judge, x, self.bounds.accuracy_of(judge, x))
            for judge, x in product(self.judges, self.labels)
        ]
        return [(*named, "logic", None, *(ends or (None, None))) for *named, ends in results]

    def _estimated(self) -> list[tuple[Any, ...]]:
        values = [(e.method, e.evaluation, e.ends) for e in self.estimates if e.evaluation]
        values += [] if self.truth is None else [("key", self.truth, None)]
        rows: list[tuple[Any, ...]] = []
        for method, result, made in values:
            for x in self.labels:
                ends = (None, None) if made is None else made.prevalence_of(x)
                rows.append(("prevalence", None, x, method, result.prevalence_of(x), *ends))
            for judge, x in product(self.judges, self.labels):
                ends = (None, None) if made is None else made.accuracy_of(judge, x)
                rows.append(("accuracy", judge, x, method, result.accuracy(judge, x), *ends))
        return rows

    def summary(self) -> str:
        """Table as aligned text, and how each method ended."""
        table = [self.columns(), *self.rows()]
        widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in table]
        ends = [line for e in self.estimates for line in _ending(e)]
        noted = [self.note] if self.note else []
        differ = [] if self.disagreement is None else self.disagreement.summary().splitlines()
        return "\n".join([self.message, *(line.rstrip() for line in lines), *noted, *ends, *differ])


def _ending(e: Estimate) -> list[str]:
    """How one method ended, whether it is possible, and its score."""
    lines = [f"{e.method} (assumes {e.assumes}) [{e.ended}]: {e.message}"]
    if e.consistency is not None:
        lines.append(f"  {e.standing[:1].lower()}{e.standing[1:]}")
    if e.score is not None:
        s = e.score
        lines.append(
            f"  against the key: accuracy {percent(s.accuracy)}, balanced "
            f"{percent(s.balanced_accuracy)}, log loss {s.log_loss:.3f}, calibration error "
            f"{s.calibration_error:.3f}, {s.n_undecided} undecided"
        )
    return lines


def _range(pair: Any) -> str:
    return "-" if pair is None else f"{percent(pair[0], 0)}..{percent(pair[1], 0)}"


@reads(items=True)
def compare(
    data: Data,
    methods: Sequence[str] = DEFAULT_METHODS,
    *,
    intervals: int | str = "auto",
    time_limit: float | None = None,
    prevalence: Any = None,
) -> Comparison:
    """Several methods on the same votes, their estimates side by side.

    Every method sees the votes without their key; the key is read afterwards, for scoring.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
    methods : sequence of str
        "algebra" and any method of `aggregate`.
    intervals : "auto" or int
        Refits on resampled items that the intervals of every method but the algebra come from (see
        `Aggregation.bootstrap`), 0 for none. "auto" makes 100, and none for a method whose first
        refits show that all would take more than four seconds; the note of the table says so.

    time_limit : float, optional
        Seconds. A method that is not finished by then has status time_limit, as the comparison has.
    prevalence : optional
        Of 'recommended': see the function of that name.

    Returns
    -------
    Comparison
        Status ok when every method ended ok or did not apply; each estimate has its own status.

    Raises
    ------
    DataError
        If `methods` is empty or names an unknown one, or `intervals` is out of range.
    TooLargeError
        Where it is counted to take more than about a minute, and there is no `time_limit`.
    """
    if not methods:
        raise DataError(f"methods must name at least one; got none; try {list(DEFAULT_METHODS)}")
    for method in methods:
        check_choice("method", method, ["algebra", *METHODS])
    intervals = check_intervals(intervals)
    blind, key, keyed = split_key(data)
    truth = None if keyed is None else keyed.evaluation()
    n_keyed = 0 if keyed is None else keyed.n_items
    estimates: list[Estimate] = []
    with (
        until(check_time_limit(time_limit)),
        stages("comparing methods", len(methods)) as work,
    ):
        _check_size(blind, methods, intervals)
        for method in methods:
            made = estimate(method, blind, key, intervals=intervals, prevalence=prevalence)
            estimates.append(made)
            work.step()
    late = [e.method for e in estimates if e.status is Status.TIME_LIMIT]
    text = f"scored by {how_many(n_keyed, 'human label')}" if n_keyed else "no human labels"
    result = Comparison(
        status=Status.TIME_LIMIT if late else Status.OK,
        message=(
            f"{how_many(len(estimates), 'method')} on {how_many(blind.n_items, 'item')} and "
            f"{how_many(blind.n_judges, 'judge')}; {text}."
            + (f" The time limit left {', '.join(late)} unfinished." if late else "")
        ),
        judges=blind.judges,
        labels=blind.labels,
        n_items=blind.n_items,
        bounds=bounds.core(blind.summary() if is_sparse(blind.codes) else blind, order=1),
        estimates=tuple(estimates),
        truth=truth,
        n_keyed=n_keyed,
        disagreement=_disagreement(blind, estimates),
    )
    return with_reading(result, data)


def _check_size(blind: Votes | Sketch, methods: Sequence[str], intervals: int | str) -> None:
    """Refuse what would take long: a fit per method and, where they are asked for, its refits."""
    fits = [name for name in methods if name not in ("algebra", *policy.QUICK_METHODS)]
    refits = 0 if isinstance(intervals, str) else intervals / 4  # which start near their end
    seconds = (1 + refits) * sum(fit_seconds(name, blind) for name in fits)
    seconds += _SIDES_SECONDS + n_cells(blind) * _SIDES_NANOSECONDS / 1e9 * (blind.n_labels == 2)
    check_work("the comparison", size_of(blind), seconds)


_SIDES_SECONDS, _SIDES_NANOSECONDS = 0.1, 1500
"""What a comparison takes beside its fits; of two labels per tuple and judge, too, for algebra and limits."""


def _disagreement(blind: Votes | Sketch, estimates: Sequence[Estimate]) -> Disagreement | None:
    """Where the majority and 'recommended', or else the last fitted model, differ."""
    fits = {e.method: e.fit for e in estimates if e.evaluation is not None and e.fit is not None}
    majority = fits.pop("majority", None)
    if not fits:
        return None
    sketch = blind.sketch()
    model = fits.get("recommended", list(fits.values())[-1])
    return between(sketch, majority or aggregate(sketch, "majority"), model)


# --- Panels with judges added: copies of an attribute, and programs whose numbers have units of their own.


def settings_of(methods: Sequence[str], settings: object) -> dict[str, dict[str, Any]]:
    """Settings of each method, refusing those of a method that is not compared."""
    options = {} if settings is None else settings
    if not isinstance(options, Mapping):
        raise DataError(
            f"settings must be of methods by name; got {settings!r}; write {{'average': {{...}}}}"
        )
    strange = [name for name in options if name not in methods]
    if strange:
        raise DataError(
            f"settings must be of methods that are compared, {list(methods)}; got {strange[0]!r}; "
            "leave it out"
        )
    return {name: dict(options.get(name, {})) for name in methods}


def on_panel_scale(values: Floats, panel: Floats) -> Floats:
    """(n, m): scores moved and stretched to the mean and spread of a panel's (n_items, N) scores.

    A program counts characters or shares; only on the judges' scale can an average hear it as one of them.
    Mean and spread are the means of those of the judges who gave any score.
    """
    judges = Affine.of(panel[:, ~np.isnan(panel).all(axis=0)])
    result: Floats = judges.center.mean() + judges.spread.mean() * Affine.of(values).transform(
        values
    )
    return result


def with_copies(
    scores: Scores,
    attribute: str,
    k: int,
    *,
    reliability: float = 0.9,
    seed: int = 0,
    attributes: Mapping[str, Sequence[Any]] | None = None,
) -> Scores:
    """Panel with k judges added who score an attribute, not the items' quality.

    Use it to find out how many judges of, say, length a method of scores withstands. Ranks of the
    attribute as normal scores are copied, each copy with noise of its own, on the judges' scale.

    Parameters
    ----------
    scores : Scores
    attribute : str
        One of numbers, that the scores carry or `attributes` holds; an item without it gets no score.
    k : int
        How many; their names are the attribute's with "copy 1", "copy 2", ...
    reliability : number from 0 to 1
        Correlation of two copies with each other; each correlates sqrt(reliability) with the attribute.
    seed : int
    attributes : {name: sequence of n_items}, optional

    Raises
    ------
    DataError
        If the attribute is not known, is not of numbers, or does not vary.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 3, 5]}, attributes={"length": [10, 20, 40, 30]})
    >>> with_copies(s, "length", 1, reliability=1).values[:, 1].argsort().tolist()
    [0, 1, 3, 2]
    """
    k = check_whole("k", k)
    reliability = check_number("reliability", reliability, least=0.0, most=1.0)
    numbers = numeric_attribute(scores, attribute, attributes)[:, None]
    finite = numbers[~np.isnan(numbers)]
    if not len(finite) or np.ptp(finite) == 0:
        raise DataError(
            f"attribute {attribute!r} must vary over the items to be copied; it does not; choose another"
        )
    ranks = NormalScores.of(numbers).transform(numbers)
    trait = Affine.of(ranks).transform(ranks)
    noise = np.random.default_rng(seed).normal(size=(scores.n_items, k))
    copies = np.sqrt(reliability) * trait + np.sqrt(1 - reliability) * noise
    names = [f"{attribute} copy {index + 1}" for index in range(k)]
    added = Scores(scores.items, names, on_panel_scale(copies, scores.values))  # type: ignore[arg-type]
    return scores.join(added)
