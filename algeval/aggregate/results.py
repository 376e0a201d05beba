"""Results of a consensus, what a fit reads, and intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.aggregate import policy
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.evaluation import dash_note, shown_accuracy, shown_share, with_interval
from algeval.data.names import (
    Codes,
    Counts,
    check_number,
    expect_schema,
    is_sparse,
    positions,
    read_only,
)
from algeval.data.reading import Source, as_sketch
from algeval.data.sketch import group_rows
from algeval.door import table as read_table
from algeval.errors import DataError
from algeval.result import Result, Status, percent
from algeval.result.base import Record
from algeval.result.numbers import how_many
from algeval.result.tables import Table, free_name

if TYPE_CHECKING:
    from algeval.io.joining import TupleTable

# --- What every aggregator reads: distinct decision tuples, and which of them each item has.


Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patterns:
    """Counts of decision tuples and, where there are items, the tuple of each item.

    `sketch`: distinct decision tuples (U, N) with their counts.
    `items`: item ids, None when only counts were given.
    `item_pattern` (n_items,): row of the sketch that holds the item's answers.
    `start` (U, R): posterior that the iterations of table models start from, when a fit is repeated
      on resampled counts; None for a start of their own.
    `near_copies`: groups of judges of which one speaks for independence, as the data had them when a
      fit is repeated on resampled counts, whose repeated items make copies of judges who are none;
      None where they are to be looked for.
    """

    sketch: Sketch
    items: tuple[str, ...] | None = None
    item_pattern: Indices | None = None
    start: NDArray[np.float64] | None = None
    near_copies: tuple[tuple[str, ...], ...] | None = None


def read_patterns(data: Source | Patterns) -> Patterns:
    """Distinct decision tuples of votes, a sketch or a table; a key is never looked at.

    What was read already is returned as it is.

    Raises
    ------
    DataError
        If `data` is something else, or holds no item.
    """
    if isinstance(data, Patterns):
        return data
    data = read_table(data, items=True)
    if isinstance(data, Votes):
        codes, inverse = distinct_rows(data.codes, data.n_answers)
        counts = np.bincount(inverse, minlength=len(codes)).astype(np.int64)
        sketch = Sketch(*data.axes, codes, counts)
        return Patterns(sketch=sketch, items=data.items, item_pattern=inverse)
    sketch = as_sketch(
        data, "aggregation needs the judges' answers item by item, or their joint counts"
    )
    if not len(sketch):
        raise DataError("data must hold at least one item; got none; check the file or selection")
    return Patterns(sketch=sketch)


def n_cells(data: Any) -> int:
    """Different tuples x judges x labels: the work of one step of a fit.

    Tuples are counted only where there could be many; where most votes are missing, votes are.
    """
    codes = getattr(data, "codes", None)
    if is_sparse(codes):
        return n_written(codes) * int(data.n_labels)
    rows = min(data.n_items, (data.n_answers + 1) ** data.n_judges)
    if isinstance(data, Sketch):
        rows = len(data)
    elif rows * data.n_judges * data.n_labels > policy.CELLS_NOT_COUNTED:
        rows = len(as_sketch(data))
    return int(rows * data.n_judges * data.n_labels)


def n_written(codes: Any) -> int:
    """Size of tuples, of which votes that are kept by themselves count for several cells."""
    return int(len(codes.values) * policy.CELLS_A_VOTE if is_sparse(codes) else codes.size)


def fit_seconds(method: str, data: Any) -> float:
    """About how long a fit takes, by its method and by how many tuples, judges and labels there are."""
    two = f"{method}, two labels" if data.n_labels == 2 else method
    costs = policy.FIT_SECONDS
    first, each = costs.get(two) or costs.get(method) or costs[""]
    return first + n_cells(data) * each / 1e9


def size_of(data: Any) -> str:
    """Size of votes in words."""
    return (
        f"{how_many(data.n_items, 'item')}, {how_many(data.n_judges, 'judge')} and "
        f"{how_many(data.n_labels, 'label')}"
    )


def distinct_rows(codes: Codes, n_answers: int) -> tuple[Codes, Indices]:
    """Distinct rows in lexicographic order and which each row is.

    While every possible tuple has a cell of its own, counting needs no sort.
    """
    base, n_judges = n_answers + 1, codes.shape[1]
    cells = base**n_judges
    if cells > min(policy.MOST_DIRECT_CELLS, 8 * len(codes) + 64):
        return group_rows(codes, n_answers)
    word = np.zeros(len(codes), np.int32)
    for column in codes.T:
        word *= base
        word += column
        word += 1
    seen = np.bincount(word, minlength=cells) > 0
    numbers = np.cumsum(seen) - 1
    digits = np.flatnonzero(seen)[:, None] // base ** np.arange(n_judges)[::-1]
    return (digits % base - 1).astype(np.int16), numbers[word]


def align(data: Source, judges: Any, answers: Any) -> Codes:
    """Codes (rows, N) of other votes, with its judges and answers matched by name.

    A judge that is absent from `data` counts as not answering; an unknown judge or answer is an
    error, because nothing was learned about it.
    """
    data = read_table(data, items=True)
    if isinstance(data, KeyedSketch):
        data = data.sketch
    if not isinstance(data, Votes | Sketch):
        raise DataError(f"data must be Votes or a Sketch; got {type(data).__name__}; give votes")
    unknown = [judge for judge in data.judges if judge not in judges]
    if unknown:
        raise DataError(
            f"judge {unknown[0]!r} must be one of those fitted {list(judges)}; it is not; "
            "leave it out with select(judges=...)"
        )
    translate = np.full(data.n_answers + 1, NOT_ANSWERED, np.int16)
    for code, answer in enumerate(data.answers):
        if answer in answers:
            translate[code] = answers.index(answer)
        elif (data.codes == code).any():
            raise DataError(
                f"answer {answer!r} must be one of those fitted {list(answers)}; it is not; "
                "code it as not answered or fit again"
            )
    result = np.full((len(data.codes), len(judges)), NOT_ANSWERED, np.int16)
    result[:, [judges.index(judge) for judge in data.judges]] = translate[data.codes]
    return result


# --- Intervals of one aggregation: what refits on resampled items say of its numbers.


_Floats = NDArray[np.float64]
_ENDS = ("prevalence", "confusion", "accuracy", "consensus_accuracy")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Result):
    """Intervals of an aggregation from refits on resampled items; see `Aggregation.bootstrap`.

    Attributes
    ----------
    status : Status
        ok; undetermined where fewer than half of the refits ended ok, time_limit where the first
        ones showed that all of them would take too long (all ends are NaN then).
    method : str
    settings : dict
        Those of the fit, used for every refit.
    judges, labels, answers : tuples of str
    n_items : int
    n, n_failed, level, seed
        Refits asked for; those that did not end ok, which are left out; the level of every
        interval by itself; the seed of the resampling.
    evaluation : Evaluation
        The fit's own, which the intervals are around.
    consensus : float
        Expected share of right consensus labels if the posteriors of the fit were right: the mean
        over items of the top posterior. It is no accuracy against a key: that judges share errors,
        or the model is wrong, is not in it. Methods that hold posteriors back for shared errors
        ('recommended', 'pooled-dawid-skene') make it low on purpose; of a method whose
        posteriors are shares of votes it is the mean share of the winner.
    prevalence : (R, 2) array
        Lower and upper end, shares from 0 to 1; so are all below.
    confusion : (N, R, A, 2) array
        NaN in rows that rest on less than one expected item.
    accuracy : (N, 2) array
        Each judge's share of right answers over the items it answered (`Evaluation.grade`).
    consensus_accuracy : (2,) array
        Of `consensus`. It says how `consensus` varies from one set of items to another, not how
        far it lies from the truth.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.aggregation_bootstrap/1"

    method: str
    settings: dict[str, Any]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    n_items: int
    n: int
    n_failed: int
    level: float
    seed: int
    evaluation: Evaluation
    consensus: float
    prevalence: _Floats
    confusion: _Floats
    accuracy: _Floats
    consensus_accuracy: _Floats
    warnings: tuple[str, ...] = field(default=())

    def prevalence_of(self, label: object) -> tuple[float, float]:
        """Interval of the share of items whose true label is `label`."""
        (index,) = positions("label", [label], self.labels)
        return _pair(self.prevalence[index])

    def accuracy_of(self, judge: object, label: object | None = None) -> tuple[float, float]:
        """Interval of a judge's accuracy: on items of one label, or on all it answered."""
        (i,) = positions("judge", [judge], self.judges)
        if label is None:
            return _pair(self.accuracy[i])
        (t,) = positions("label", [label], self.labels)
        return _pair(self.confusion[i, t, t])

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number: quantity, judge, label, answer, value, lower, upper."""
        truth = self.evaluation
        rows: list[tuple[Any, ...]] = [
            ("consensus", None, None, None, self.consensus, *self.consensus_accuracy)
        ]
        for t, label in enumerate(self.labels):
            ends = self.prevalence[t]
            rows.append(("prevalence", None, label, None, truth.prevalence[t], *ends))
        for i, judge in enumerate(self.judges):
            rows.append(("accuracy", judge, None, None, truth.grade(judge), *self.accuracy[i]))
        for i, t, a in np.ndindex(self.confusion.shape[:3]):
            named = ("confusion", self.judges[i], self.labels[t], self.answers[a])
            rows.append((*named, truth.confusion[i, t, a], *self.confusion[i, t, a]))
        names = ("quantity", "judge", "label", "answer", "value", "lower", "upper")
        return (Table.of_rows("Intervals", names, rows),)

    def summary(self) -> str:
        """Estimates with their intervals, one judge a line."""
        return "\n".join([self.message, *self.lines(), *(f"Note: {w}" for w in self.warnings)])

    def lines(self) -> list[str]:
        """Return one line for the prevalence, the consensus and each judge, with intervals."""
        consensus = with_interval(shown_share(self.consensus), self.consensus_accuracy)
        lines = [
            *judge_lines(self.evaluation, self.n_items, self),
            f"accuracy of the consensus labels, if the probabilities are calibrated: {consensus}",
        ]
        note = dash_note([self.evaluation], self.n_items)
        return [*lines, note] if note else lines

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        n, r, a = (len(body[name]) for name in ("judges", "labels", "answers"))
        shapes = ((r, 2), (n, r, a, 2), (n, 2), (2,))
        ends = {
            name: np.array(_known(body[name]), float).reshape(shape)
            for name, shape in zip(_ENDS, shapes, strict=True)
        }
        names = {name: tuple(body[name]) for name in ("judges", "labels", "answers", "warnings")}
        parts = {
            "status": Status(body["status"]),
            "evaluation": Evaluation.from_dict(body["evaluation"]),
        }
        return cls(**body | names | parts | ends)


def judge_lines(
    evaluation: Evaluation, n_items: int, intervals: Bootstrap | None = None
) -> list[str]:
    """Line of prevalences and one a judge, with intervals where there are any."""
    shares = [
        f"{label} {with_interval(shown_share(share), None if intervals is None else ends)}"
        for label, share, ends in zip(
            evaluation.labels,
            evaluation.prevalence.tolist(),
            evaluation.prevalence if intervals is None else intervals.prevalence,
            strict=True,
        )
    ]
    lines = ["prevalence: " + ", ".join(shares)]
    for i, judge in enumerate(evaluation.judges[: policy.MOST_SHOWN]):
        words = ", ".join(
            f"{label} "
            + with_interval(
                shown_accuracy(evaluation, i, t, n_items),
                None if intervals is None else intervals.confusion[i, t, t],
            )
            for t, label in enumerate(evaluation.labels)
        )
        lines.append(f"{judge}: right on {words}")
    left_out = len(evaluation.judges) - policy.MOST_SHOWN
    return lines + [f"... and {left_out} more judges"] * (left_out > 0)


def level_words(intervals: Bootstrap) -> str:
    """Sentence that says what the brackets are."""
    made = intervals.n - intervals.n_failed
    return (
        f"In brackets: {percent(intervals.level, 0)} intervals in percent if errors are independent, from "
        f"{how_many(made, 'refit')} on resampled items."
    )


def _pair(ends: _Floats) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])


def _known(nested: Any) -> Any:
    """Nested lists with NaN for null."""
    if isinstance(nested, list):
        return [_known(part) for part in nested]
    return np.nan if nested is None else nested


# --- What every aggregator returns: labels and posteriors per decision tuple, and the judges'
# quality.


Floats = NDArray[np.float64]


class End(NamedTuple):
    """How an iteration ended; `what` was iterated, for the sentence on one that was stopped."""

    converged: bool = True
    n_iter: int = 0
    trace: tuple[float, ...] = ()
    what: str = ""


class AccuracyRange(NamedTuple):
    """Accuracy of a judge by two readings of votes alone, and the range they span, widened; no interval.

    `like_a_judge`: if the key is like one more judge, its mean agreement with the others; `independent`: if
    errors are independent.
    """

    judge: str
    like_a_judge: float
    independent: float
    low: float
    high: float

    def sentence(self) -> str:
        """The range, and what it is."""
        return (
            f"{self.judge}: accuracy {100 * self.low:.0f}-{100 * self.high:.0f}% (if the key is like one "
            f"more judge {percent(self.like_a_judge, 0)}, if errors are independent "
            f"{percent(self.independent, 0)})"
        )


"""What is to be said of accuracy ranges."""


class JudgeByLabels(NamedTuple):
    """Accuracy of a judge on all items, from those of them that have labels, with its 95% interval.

    `by_regression`: whether the label-free posteriors of the other items had a part in it; without, the
    interval is Wilson's.
    """

    judge: str
    n: int
    value: float
    low: float
    high: float
    by_regression: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned(Record):
    """What human labels changed in a consensus; see `aggregate(..., human=)`.

    Attributes
    ----------
    rows, codes : (n,) int arrays
        Items that have a label, and its position among the labels.
    loss_before, loss_after : float
        Log loss of those items, in nats: of the label-free answer, and expected of the learned one, by
        cross-validation.
    loss_error : float
        Standard error of their difference.
    next_gain : float or None
        What as many labels more would bring, extrapolated from half of these labels; None below 20.
    weights : dict
        Weight of each way of learning; 'free' is the label-free answer.
    judges : tuple of JudgeByLabels
        Empty where labels had unequal chances: `judge_card` takes those.
    """

    rows: Indices
    codes: Codes
    loss_before: float
    loss_after: float
    loss_error: float
    next_gain: float | None
    weights: dict[str, float]
    judges: tuple[JudgeByLabels, ...] = ()

    @property
    def n(self) -> int:
        """Number of labels."""
        return len(self.rows)

    def with_labels(self, posterior: Floats) -> Floats:
        """Posteriors (n_items, R) in which items with a label are sure of it."""
        result = np.array(posterior)
        result[self.rows] = np.eye(posterior.shape[1])[self.codes]
        return result

    def sentence(self) -> str:
        """How much the labels are worth."""
        words = (
            f"Your {how_many(self.n, 'label')}: expected log loss {self.loss_before:.2f} -> "
            f"{self.loss_after:.2f} (difference {self.loss_after - self.loss_before:+.2f}, standard error "
            f"{self.loss_error:.2f})"
        )
        if self.next_gain is None:
            return (
                f"{words}. Below 20 labels the answer moves only if the label-free one is far off."
            )
        return f"{words}; {self.n} more would bring about {self.next_gain:.2f}."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aggregation(Result):
    """Consensus labels, posteriors and judge quality, from votes, and human labels where there are some.

    Attributes
    ----------
    status : Status
        ok; not_converged when the iteration ran out of steps; not_identifiable when no number of
        items would settle the model (then posteriors are uniform, nothing is decided and
        `evaluation` is None).
    method : str
        Name in the registry, which is also how `predict` finds its way after a JSON round trip.
    settings : dict
        Every setting that produced the result.
    judges, labels, answers : tuples of str
    patterns : (U, N) int array
        Distinct decision tuples, -1 where a judge did not answer.
    counts : (U,) int array
        Items with each tuple.
    posterior : (U, R) array
        Probability (or, for majority vote, share of the votes) of each label; rows sum to 1.
    decisions : (U,) int array
        Position of the chosen label, -1 where there is a tie or nothing to decide on.
    evaluation : Evaluation or None
        Prevalences and confusion tables, in floats.
    log_likelihood : float or None
        Observed log-likelihood in nats; None where the method has none.
    n_iter : int
        Steps of the iteration, 0 where there is none.
    converged : bool
    trace : tuple of float
        The objective (penalised log-likelihood, nats) at every step.
    warnings : tuple of str
        One sentence each: missing votes, ties, weak identification, ...
    parameters : dict
        Whatever `predict` needs beyond the evaluation and the settings, as JSON types or arrays.
    items : tuple of str, or None
        Item ids, None when only counts were given.
    item_pattern : (n_items,) int array, or None
        Row of `patterns` of each item.
    learned : Learned or None
        What human labels changed; None where no labels took part. `posterior` and `decisions`, which follow
        decision tuples, do not hold the labels themselves; `posterior_items` and `item_labels` do.
    """

    schema: ClassVar[str] = "algeval.aggregation/1"
    frame_table: ClassVar[int] = -1

    method: str
    settings: dict[str, Any]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    patterns: Codes
    counts: Counts
    posterior: Floats
    decisions: Codes
    evaluation: Evaluation | None
    log_likelihood: float | None = None
    n_iter: int = 0
    converged: bool = True
    trace: tuple[float, ...] = ()
    warnings: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    items: tuple[str, ...] | None = None
    item_pattern: Indices | None = None
    learned: Learned | None = None

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return int(self.counts.sum())

    @property
    def n_undecided(self) -> int:
        """Number of items without a label of their own."""
        return int(self.counts[self.decisions == NOT_ANSWERED].sum())

    @property
    def posterior_items(self) -> Floats:
        """(n_items, R) the posterior of each item, in item order."""
        posterior = self.posterior[self._rows()]
        return posterior if self.learned is None else self.learned.with_labels(posterior)

    @property
    def item_labels(self) -> list[str | None]:
        """The label chosen for each item, None where nothing was decided."""
        names: list[str | None] = [*self.labels, None]
        return [names[code] for code in self._decided_items().tolist()]

    def _decided_items(self) -> Codes:
        decisions = self.decisions[self._rows()]
        if self.learned is not None:
            decisions = np.array(decisions)
            decisions[self.learned.rows] = self.learned.codes
        return decisions

    def _rows(self) -> Indices:
        if self.item_pattern is None:
            raise DataError(
                "data must be Votes for an answer per item; this result was made from counts; label the rows "
                "of a frame with join(frame), or use posterior and decisions, which follow patterns"
            )
        return self.item_pattern

    def predict(self, data: Source) -> Floats:
        """Posterior of other votes under the fitted parameters, without refitting.

        Parameters
        ----------
        data : Votes, Sketch, KeyedSketch, or a table
            Judges and answers are matched by name; a judge left out counts as not answering.

        Returns
        -------
        (n_items, R) array, or (U, R) for a sketch
        """
        from algeval.aggregate.registry import predictor

        if self.evaluation is None:
            raise DataError(f"the result must hold a fit to predict from; got none: {self.message}")
        codes = align(data, self.judges, self.answers)
        posterior: Floats
        if self.learned is not None:
            from algeval.aggregate.registry import learned_predictor

            posterior = learned_predictor()(self, codes)
        else:
            posterior = predictor(self.method)(self, codes)
        return posterior

    def join(
        self,
        source: Any,
        *,
        label: str = "consensus",
        probability: str = "probability",
        **reading: Any,
    ) -> Any:
        """Table with the consensus label of each row and its probability, in the engine of the table.

        Use it to write labels back. Rows keep their order and index, where their engine has them; lazy frames
        and DuckDB relations stay lazy, and only the different cells of the judges are fetched. Labels go by
        the votes of a row, so that human labels of single items (`human=`) are not in them.

        Parameters
        ----------
        source : frame of pandas, Polars (eager or lazy), PyArrow, Dask, Ibis or PySpark, or DuckDB relation
            A row per item and a column per judge of the result.
        label, probability : str
            Names of the new columns. Both are empty where nothing was decided, or where no item of the fit
            had these votes.
        reading
            Options of `read_votes` that say what cells mean (missing, labels, exact_labels, map, cut), where
            the votes were read with them.

        Raises
        ------
        DataError
            If a judge has no column, a new name is taken, or a cell is no answer that was fitted.

        Examples
        --------
        >>> votes = {"i": ["a", "b", "a"], "j": ["a", "b", "b"], "k": ["a", "b", "a"]}
        >>> from algeval.aggregate import aggregate
        >>> import pandas
        >>> list(aggregate(votes, "majority").join(pandas.DataFrame(votes)).consensus)
        ['a', 'b', 'a']
        """
        from algeval.io.answers import rules_of
        from algeval.io.joining import join_columns

        rules = rules_of("join", reading)
        top = np.where(self.decisions == NOT_ANSWERED, np.nan, self.posterior.max(axis=1))
        return join_columns(source, self.tuple_table(label, {probability: top}), rules)

    def tuple_table(self, label: str, numbers: Mapping[str, Floats]) -> TupleTable:
        """Label of each decision tuple, and numbers (U,) beside it."""
        from algeval.io.joining import TupleTable

        names: list[str | None] = [*self.labels, None]
        decided = [names[code] for code in self.decisions.tolist()]
        return TupleTable(self.judges, self.answers, self.patterns, {label: decided, **numbers})

    def sensitivity(
        self,
        label: object | None = None,
        shares: Sequence[float] = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5),
    ) -> Table:
        """Table of how many items are called a label if a share of the items is so, which votes do not tell.

        Use it where a label is rare, or where majority and fit call it differently often. Items are ranked by
        probability, whatever the share: the first ones are those to look at.

        Parameters
        ----------
        label : str, optional
            By default the one that the posteriors call more rarely; the second on ties.
        shares : sequence of float
            Each above 0 and below 1.

        Returns
        -------
        Table
            Row a share: items called, and hits expected among the first 10, 20 and 50 of the ranking, if the
            probabilities hold; nothing where there are fewer items.

        Raises
        ------
        DataError
            If the label is not known, or a share is not between 0 and 1.

        Examples
        --------
        >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "aba": 5, "bab": 6, "bbb": 40})
        >>> from algeval.aggregate import aggregate
        >>> aggregate(s).sensitivity("b", (0.1, 0.5)).columns["called"]
        [0, 46]
        """
        from algeval.aggregate.registry import sensitivity_of

        if label is None:
            mass = self.counts @ self.posterior
            label = self.labels[len(mass) - 1 - int(np.argmin(mass[::-1]))]
        table: Table = sensitivity_of()(
            self,
            str(label),
            tuple(check_number("shares", share, least=0, most=1, strict=True) for share in shares),
        )
        return table

    def accuracy_ranges(self) -> tuple[AccuracyRange, ...]:
        """Range of each judge's accuracy from votes alone; no interval, which only labels give.

        Use it where there are no labels. One end takes the key for one more judge (the judge's mean agreement
        with the others), the other takes errors for independent; the range is the hull of both with
        Wilson's ends, widened by half of its width at each end. On nine balanced panels it held the accuracy
        of 126 of 133 judges, on four panels with a rare label of 35 of 62. With labels of 20 items
        drawn at random `aggregate(votes, human=...).learned.judges` has 95% intervals.

        Examples
        --------
        >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
        >>> from algeval.aggregate import aggregate
        >>> aggregate(s).accuracy_ranges()[0].judge
        '1'
        """
        from algeval.aggregate.registry import ranges_of

        return tuple(ranges_of()(self))

    def bootstrap(
        self, n: int = 200, level: float = 0.95, seed: int = 0, *, time_limit: float | None = None
    ) -> Bootstrap:
        """Fit again on resampled items and return intervals that hold if errors are independent.

        Use it to see how far chance alone moves the numbers. The intervals speak of the
        population the items were drawn from, with these judges; they hold if the model does: that
        judges share errors, or that the classes found are not the labels you mean, is in none of
        them. On eight panels of language models they held 9 of 94 accuracies: there `accuracy_ranges`
        is what votes say, and labels give an interval. Each holds at its level by itself, not all of
        them together.

        Parameters
        ----------
        n : int
            Refits, at least 2.
        level : float
            Between 0 and 1, of every interval.
        seed : int
        time_limit : float, seconds of processor time, optional
            Where the first refits show that n of them take longer, none more are made.

        Returns
        -------
        Bootstrap
            `prevalence` (R, 2), `confusion` (N, R, A, 2), `accuracy` (N, 2) and
            `consensus_accuracy` (2,), shares from 0 to 1. Status ok; undetermined where fewer than
            half of the refits ended ok; time_limit.

        Raises
        ------
        DataError
            If a setting is out of range, or the result holds no fit.

        Notes
        -----
        The counts of the decision tuples are drawn anew (multinomial) and the method is fitted with
        the settings of this result; models of tables start from this fit, others from their own
        start. Classes bear the names under which they agree best with the posteriors of this fit.
        An interval is the hull of three, cut to [0, 1]: the estimate plus and minus z sqrt(variance +
        bias^2), spread and bias of the refits around it; their quantiles; and Wilson's (1927) of a
        share counted on the expected items behind it, as if the labels were known, for an accuracy of
        1 in every refit is not certain. The first two alone leave single cells near .9, quantiles
        (percentile interval) hold the accuracy of the best judge of four labels in .86, turned around
        (basic interval) an accuracy of .9 on a label in .76 to .83; see Efron and Tibshirani (1993).

        Coverage of 95% intervals was measured on 200 simulated exams each, of 300 items and five
        independent judges of accuracy .9, .8, .7, .7 and .6, with 100 refits. Shares of exams whose
        interval holds the true value, for prevalences; accuracies; accuracies on one label:

        - 'dawid-skene', two labels: .930; .915 to .980; .915 to .975
        - 'dawid-skene', four labels: .940 to .955; .940 to .975; .935 to .995
        - 'pooled-dawid-skene' (the tables of 'recommended'), two labels: .930; .910 to .960; .915 to .975
        - 'recommended', four labels: .940 to .955; .940 to .970; .945 to .995

        The consensus accuracy was not measured against true labels: of 'recommended' it is low on
        purpose on such exams.

        Examples
        --------
        >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
        >>> from algeval.aggregate import aggregate
        >>> low, high = aggregate(s).bootstrap(n=20).prevalence_of("a")
        >>> low < 0.49 < high
        True
        """
        from algeval.aggregate.registry import bootstrapper

        intervals: Bootstrap = bootstrapper()(
            self, n=n, level=level, seed=seed, time_limit=time_limit
        )
        return intervals

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item, or per decision tuple of counts, and the judges' accuracies.

        A row has the item (or the answer of each judge and the count), the posterior of each label,
        and the decision.
        """
        about = () if self.evaluation is None else self.evaluation.as_tables()[:2]
        return (*about, self._decided())

    def _decided(self) -> Table:
        rows = self.item_pattern
        if rows is None or self.items is None:
            sketch = Sketch(self.judges, self.labels, self.answers, self.patterns, self.counts)
            columns, rows = dict(sketch.as_tables()[0].columns), np.arange(len(self.counts))
        else:
            columns = {free_name("item", self.labels): self.items}
        posterior, decisions = self.posterior[rows], self.decisions[rows]
        if self.learned is not None and self.items is not None:
            posterior, decisions = self.posterior_items, self._decided_items()
        for t, label in enumerate(self.labels):
            columns[free_name(label, list(columns))] = posterior[:, t]
        names = np.array([*self.labels, None], object)
        columns[free_name("decision", list(columns))] = names[decisions]
        return Table("Labels and posteriors", columns)

    def summary(self, intervals: Bootstrap | None = None) -> str:
        """Lines a person reads: verdict, judges, warnings.

        With `intervals`, what `bootstrap` returned, every share is followed by its ends in percent.
        """
        stated = isinstance(self.settings.get("prevalence"), Mapping)
        tells = stated or self.parameters.get("chosen") != SHARES
        shown = self.evaluation if tells else None
        lines = [self.message, *_judge_lines(shown, self.n_items, intervals)]
        if self.learned is not None:
            lines += [self.learned.sentence(), *_accuracies_by_labels(self.learned)]
        if self.log_likelihood is not None:
            lines.append(
                f"log-likelihood {self.log_likelihood:.3f} nats, {how_many(self.n_iter, 'step')}"
            )
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        n, r = len(body["judges"]), len(body["labels"])
        for name in ("judges", "labels", "answers", "trace", "warnings"):
            body[name] = tuple(body[name])
        evaluation, rows = body["evaluation"], body["item_pattern"]
        learned = body.get("learned")
        return cls(
            **body
            | {
                "learned": None if learned is None else read_learned(learned),
                "status": Status(body["status"]),
                "patterns": np.array(body["patterns"], np.int16).reshape(-1, n),
                "counts": np.array(body["counts"], np.int64),
                "posterior": np.array(body["posterior"], float).reshape(-1, r),
                "decisions": np.array(body["decisions"], np.int16),
                "evaluation": None if evaluation is None else Evaluation.from_dict(evaluation),
                "items": None if body["items"] is None else tuple(body["items"]),
                "item_pattern": None if rows is None else np.array(rows, np.intp),
            }
        )


def read_learned(body: Mapping[str, Any]) -> Learned:
    """What `to_dict` of a result wrote of its labels."""
    arrays = {"rows": np.array(body["rows"], np.intp), "codes": np.array(body["codes"], np.int16)}
    judges = tuple(JudgeByLabels(*row) for row in body["judges"])
    return Learned(**dict(body) | arrays | {"judges": judges})


def _accuracies_by_labels(learned: Learned) -> list[str]:
    """A line a judge: accuracy by the labels, with its interval."""
    shown = learned.judges[: policy.MOST_SHOWN]
    lines = [
        f"{row.judge}: {percent(row.value, 0)} right by {how_many(row.n, 'label')} "
        f"({percent(row.low, 0)} to {percent(row.high, 0)})"
        for row in shown
    ]
    left_out = len(learned.judges) - len(shown)
    return lines + [f"... and {left_out} more judges"] * (left_out > 0)


SHARES = "shares of votes"
"""What the recommended method makes of one or two judges, whose votes tell no prevalence and no accuracy."""


def _judge_lines(
    evaluation: Evaluation | None, n_items: int, intervals: Bootstrap | None
) -> list[str]:
    if evaluation is None:
        return []
    if intervals is not None and intervals.status.ok:
        return [*intervals.lines(), level_words(intervals)]
    lines = judge_lines(evaluation, n_items)
    note = dash_note([evaluation], n_items)
    lines += [note] if note else []
    return lines if intervals is None else [*lines, intervals.message]


def check_fitted(result: Aggregation, method: str) -> None:
    """Raise `DataError` unless the result holds a fit of this method."""
    if result.method != method or result.evaluation is None:
        raise DataError(
            f"the result must be a fit of method {method!r}; got {result.method!r}, "
            f"status {result.status.value}"
        )


def decide(posterior: Floats, tolerance: float = policy.TIE) -> Codes:
    """Return (U,) the most probable label of each row, -1 where the first two are tied."""
    choice = posterior.argmax(1)
    top = posterior[np.arange(len(posterior)), choice]
    tied = (posterior >= top[:, None] - tolerance).sum(1) > 1
    return np.where(tied, NOT_ANSWERED, choice).astype(np.int16)


def assemble(
    read: Patterns,
    *,
    method: str,
    settings: Mapping[str, Any],
    message: str,
    posterior: ArrayLike,
    evaluation: Evaluation | None,
    status: Status = Status.OK,
    decisions: ArrayLike | None = None,
    **rest: Any,
) -> Aggregation:
    """Build the result of one method on what `read_patterns` returned.

    Parameters
    ----------
    read : Patterns
    posterior : (U, R) array
        In the order of `read.sketch`.
    decisions : (U,) int array, optional
        By default the most probable label, -1 on ties.
    rest : optional
        Any other field of `Aggregation`: log_likelihood, n_iter, converged, trace, warnings,
        parameters.
    """
    sketch = read.sketch
    table = read_only(np.array(posterior, float))
    chosen = decide(table) if decisions is None else np.array(decisions, np.int16)
    return Aggregation(
        status=status,
        message=message,
        method=method,
        settings=dict(settings),
        judges=sketch.judges,
        labels=sketch.labels,
        answers=sketch.answers,
        patterns=sketch.codes,
        counts=sketch.counts,
        posterior=table,
        decisions=read_only(chosen),
        evaluation=evaluation,
        items=read.items,
        item_pattern=None if read.item_pattern is None else read_only(read.item_pattern),
        **rest,
    )
