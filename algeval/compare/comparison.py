"""Logic, algebra, majority and EM side by side, cell by cell, with the key last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

from algeval.aggregate import METHODS, Bootstrap, aggregate
from algeval.aggregate.bootstrap import check_intervals
from algeval.algebra import PooledTrios
from algeval.compare.differing import Disagreement, between
from algeval.compare.estimates import DEFAULT_METHODS, Estimate, estimate
from algeval.data import Evaluation, Sketch, Votes
from algeval.data.reading import split_key
from algeval.data.settings import check_choice
from algeval.data.shown import dash_note, shown_accuracy, shown_share, with_interval
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic import bounds
from algeval.logic.results import Bounds
from algeval.progress import steps
from algeval.result import Result, Status, percent
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["Comparison", "compare"]

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
        for found in self.estimates:
            if found.method == method:
                return found
        known = [found.method for found in self.estimates]
        raise DataError(f"method {method!r} was not compared; choose from {known}")

    def columns(self) -> list[str]:
        """Return the names of the columns of `rows`."""
        names = ["quantity", "logic", *(e.method for e in self.estimates if e.evaluation)]
        return [*names, "key"] if self.truth is not None else names

    def rows(self, judges: Sequence[str] | None = None) -> list[list[str]]:
        """Return the table as text: prevalences first, then each judge on each label."""
        rows = [
            [f"prevalence of {label}", _range(self.bounds.prevalence_of(label))]
            + [self._prevalence(*e, place) for e in self._evaluations()]
            for place, label in enumerate(self.labels)
        ]
        for judge in self.judges if judges is None else judges:
            rows += [
                [f"{judge} on {label}", _range(self.bounds.accuracy_of(judge, label))]
                + [self._accuracy(*e, judge, label) for e in self._evaluations()]
                for label in self.labels
            ]
        return rows

    def _prevalence(self, evaluation: Evaluation, made: Ends, place: int) -> str:
        ends = None if made is None else made.prevalence_of(self.labels[place])
        return with_interval(shown_share(evaluation.prevalence[place]), ends)

    def _accuracy(self, evaluation: Evaluation, made: Ends, judge: str, label: str) -> str:
        i, t = evaluation.judges.index(judge), evaluation.labels.index(label)
        n_items = self.n_keyed if evaluation is self.truth else self.n_items
        ends = None if made is None else made.accuracy_of(judge, label)
        return with_interval(shown_accuracy(evaluation, i, t, n_items), ends)

    @property
    def note(self) -> str:
        """What the dashes and brackets of `rows` mean; empty where there are none."""
        dashes = dash_note((e.evaluation for e in self.estimates if e.evaluation), self.n_items)
        return " ".join(told for told in (dashes, *self._brackets()) if told)

    def _brackets(self) -> list[str]:
        """Return the sentences on intervals and ranges shown, and one on each method that has none."""
        made = [e.intervals for e in self.estimates if e.intervals is not None]
        shown = [found for found in made if found.status.ok]
        told = [found.message for found in made if not found.status.ok]
        if any(e.ranges for e in self.estimates):
            told = ["In brackets after algebra: lowest and highest over its trios.", *told]
        if not shown:
            return told
        level, n = percent(shown[0].level, 0), shown[0].n
        fewest = min(found.n - found.n_failed for found in shown)
        refits = f"{n} refits" if fewest == n else f"{fewest} to {n} refits"
        return [
            f"In brackets: {level} intervals in percent, from {refits} on resampled items.",
            *told,
        ]

    def _evaluations(self) -> list[tuple[Evaluation, Ends]]:
        found: list[tuple[Evaluation, Ends]]
        found = [(e.evaluation, e.ends) for e in self.estimates if e.evaluation is not None]
        return found if self.truth is None else [*found, (self.truth, None)]

    def as_tables(self) -> tuple[Table, ...]:
        """Return the numbers side by side, how each method ended, and a row per number and method.

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
        found: list[tuple[Any, ...]] = [
            ("prevalence", None, x, self.bounds.prevalence_of(x)) for x in self.labels
        ]
        found += [
            ("accuracy", judge, x, self.bounds.accuracy_of(judge, x))
            for judge, x in product(self.judges, self.labels)
        ]
        return [(*named, "logic", None, *(ends or (None, None))) for *named, ends in found]

    def _estimated(self) -> list[tuple[Any, ...]]:
        given = [(e.method, e.evaluation, e.ends) for e in self.estimates if e.evaluation]
        given += [] if self.truth is None else [("key", self.truth, None)]
        rows: list[tuple[Any, ...]] = []
        for method, found, made in given:
            for x in self.labels:
                ends = (None, None) if made is None else made.prevalence_of(x)
                rows.append(("prevalence", None, x, method, found.prevalence_of(x), *ends))
            for judge, x in product(self.judges, self.labels):
                ends = (None, None) if made is None else made.accuracy_of(judge, x)
                rows.append(("accuracy", judge, x, method, found.accuracy(judge, x), *ends))
        return rows

    def summary(self) -> str:
        """Return the table as aligned text, and how each method ended."""
        table = [self.columns(), *self.rows()]
        widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in table]
        ends = [line for e in self.estimates for line in _ending(e)]
        noted = [self.note] if self.note else []
        differ = [] if self.disagreement is None else self.disagreement.summary().splitlines()
        return "\n".join([self.message, *(line.rstrip() for line in lines), *noted, *ends, *differ])


def _ending(e: Estimate) -> list[str]:
    """Return how one method ended, whether it is possible, and its score."""
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


def compare(
    data: Source, methods: Sequence[str] = DEFAULT_METHODS, *, intervals: int | str = "auto"
) -> Comparison:
    """Run several methods on the same votes and lay their evaluations side by side.

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

    Returns
    -------
    Comparison
        Status ok when every method ended ok or did not apply; each estimate has its own status.

    Raises
    ------
    DataError
        If `methods` is empty or names an unknown one, or `intervals` is out of range.
    """
    data = read_data(data, items=True)
    if not methods:
        raise DataError(f"methods must name at least one; got none; try {list(DEFAULT_METHODS)}")
    for method in methods:
        check_choice("method", method, ["algebra", *METHODS])
    intervals = check_intervals(intervals)
    blind, key, keyed = split_key(data)
    truth = None if keyed is None else keyed.evaluation()
    n_keyed = 0 if keyed is None else keyed.n_items
    each = steps(methods, "comparing methods", even=False)
    estimates = tuple(estimate(method, blind, key, intervals=intervals) for method in each)
    told = (
        f"the key ({how_many(n_keyed, 'item')}) was read for scoring only" if n_keyed else "no key"
    )
    return Comparison(
        status=Status.OK,
        message=(
            f"{how_many(len(estimates), 'method')} on {how_many(blind.n_items, 'item')} and "
            f"{how_many(blind.n_judges, 'judge')}; {told}."
        ),
        judges=blind.judges,
        labels=blind.labels,
        n_items=blind.n_items,
        bounds=bounds(blind, order=1),
        estimates=estimates,
        truth=truth,
        n_keyed=n_keyed,
        disagreement=_disagreement(blind, estimates),
    )


def _disagreement(blind: Votes | Sketch, estimates: Sequence[Estimate]) -> Disagreement | None:
    """Return where the majority and 'recommended', or else the last fitted model, differ."""
    fits = {e.method: e.fit for e in estimates if e.evaluation is not None and e.fit is not None}
    majority = fits.pop("majority", None)
    if not fits:
        return None
    sketch = blind.sketch()
    model = fits.get("recommended", list(fits.values())[-1])
    return between(sketch, majority or aggregate(sketch, "majority"), model)
