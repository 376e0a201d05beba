"""What every aggregator returns: labels and posteriors per decision tuple, and the judges' quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.aggregate import policy
from algeval.aggregate.inputs import Patterns, Places, align
from algeval.aggregate.intervals import Bootstrap, judge_lines, level_words
from algeval.data import NOT_ANSWERED, Evaluation, Sketch
from algeval.data.names import Codes, Counts, expect_schema, read_only
from algeval.data.shown import dash_note
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.result import Result, Status
from algeval.result.tables import Table, free_name
from algeval.result.wording import how_many

__all__ = ["Aggregation", "End", "Floats", "assemble", "check_fitted", "decide"]

Floats = NDArray[np.float64]


class End(NamedTuple):
    """How an iteration ended; `what` was iterated, for the sentence on one that was stopped."""

    converged: bool = True
    n_iter: int = 0
    trace: tuple[float, ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aggregation(Result):
    """Consensus labels, posteriors and judge quality, from votes alone.

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
    item_pattern: Places | None = None

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
        return self.posterior[self._rows()]

    @property
    def item_labels(self) -> list[str | None]:
        """The label chosen for each item, None where nothing was decided."""
        names: list[str | None] = [*self.labels, None]
        return [names[code] for code in self.decisions[self._rows()].tolist()]

    def _rows(self) -> Places:
        if self.item_pattern is None:
            raise DataError(
                "data must be Votes for an answer per item; this result was made from counts; "
                "use posterior and decisions, which follow patterns"
            )
        return self.item_pattern

    def predict(self, data: Source) -> Floats:
        """Return the posterior of other votes under the fitted parameters, without refitting.

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
        posterior: Floats = predictor(self.method)(self, codes)
        return posterior

    def bootstrap(
        self,
        n: int = 200,
        level: float = 0.95,
        seed: int = 0,
        *,
        time_limit: float | None = None,
    ) -> Bootstrap:
        """Fit again on resampled items and return intervals of every number of the evaluation.

        Use it before resting a decision on a prevalence or an accuracy. The intervals speak of the
        population the items were drawn from, with these judges; they hold if the model does: that
        judges share errors, or that the classes found are not the labels you mean, is in none of
        them. Each holds at its level by itself, not all of them together.

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

        found: Bootstrap = bootstrapper()(self, n=n, level=level, seed=seed, time_limit=time_limit)
        return found

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per item, or per decision tuple of counts, and the judges' accuracies.

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
        for t, label in enumerate(self.labels):
            columns[free_name(label, list(columns))] = self.posterior[rows, t]
        names = np.array([*self.labels, None], object)
        columns[free_name("decision", list(columns))] = names[self.decisions[rows]]
        return Table("Labels and posteriors", columns)

    def summary(self, intervals: Bootstrap | None = None) -> str:
        """Return the lines a person reads: verdict, judges, warnings.

        With `intervals`, what `bootstrap` returned, every share is followed by its ends in percent.
        """
        lines = [self.message, *_judge_lines(self.evaluation, self.n_items, intervals)]
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
        return cls(
            **body
            | {
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
