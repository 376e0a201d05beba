"""Logic, algebra, majority and EM side by side, cell by cell, with the key last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.aggregate import METHODS
from algeval.compare.estimates import DEFAULT_METHODS, Estimate, estimate
from algeval.data import Evaluation
from algeval.data.reading import Joint, split_key
from algeval.data.settings import check_choice
from algeval.data.shown import dash_note, shown_accuracy, shown_share
from algeval.errors import DataError
from algeval.logic import bounds
from algeval.logic.results import Bounds
from algeval.result import Result, Status, percent

__all__ = ["Comparison", "compare"]


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
    """

    schema: ClassVar[str] = "algeval.comparison/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_items: int
    bounds: Bounds
    estimates: tuple[Estimate, ...]
    truth: Evaluation | None
    n_keyed: int

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
            + [shown_share(e.prevalence_of(label)) for e in self._evaluations()]
            for label in self.labels
        ]
        for judge in self.judges if judges is None else judges:
            rows += [
                [f"{judge} on {label}", _range(self.bounds.accuracy_of(judge, label))]
                + [self._accuracy(e, judge, label) for e in self._evaluations()]
                for label in self.labels
            ]
        return rows

    def _accuracy(self, evaluation: Evaluation, judge: str, label: str) -> str:
        places = evaluation.judges.index(judge), evaluation.labels.index(label)
        n_items = self.n_keyed if evaluation is self.truth else self.n_items
        return shown_accuracy(evaluation, *places, n_items)

    @property
    def note(self) -> str:
        """What the dashes of `rows` mean; empty where there are none."""
        return dash_note((e.evaluation for e in self.estimates if e.evaluation), self.n_items)

    def _evaluations(self) -> list[Evaluation]:
        found = [e.evaluation for e in self.estimates if e.evaluation is not None]
        return found if self.truth is None else [*found, self.truth]

    def summary(self) -> str:
        """Return the table as aligned text, and how each method ended."""
        table = [self.columns(), *self.rows()]
        widths = [max(len(row[k]) for row in table) for k in range(len(table[0]))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in table]
        ends = [line for e in self.estimates for line in _ending(e)]
        noted = [self.note] if self.note else []
        return "\n".join([self.message, *(line.rstrip() for line in lines), *noted, *ends])


def _ending(e: Estimate) -> list[str]:
    """Return how one method ended, whether it is possible, and its score."""
    lines = [f"{e.method} (assumes {e.assumes}) [{e.status.value}]: {e.message}"]
    if e.consistency is not None:
        lines.append(f"  it is {e.consistency.describe()}")
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


def compare(data: Joint, methods: Sequence[str] = DEFAULT_METHODS) -> Comparison:
    """Run several methods on the same votes and lay their evaluations side by side.

    Every method sees the votes without their key; the key is read afterwards, for scoring.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    methods : sequence of str
        "algebra" and any method of `aggregate`.

    Returns
    -------
    Comparison
        Status ok when every method ended ok or did not apply; each estimate has its own status.

    Raises
    ------
    DataError
        If `methods` is empty or names an unknown one.
    """
    if not methods:
        raise DataError(f"methods must name at least one; got none; try {list(DEFAULT_METHODS)}")
    for method in methods:
        check_choice("method", method, ["algebra", *METHODS])
    blind, key, keyed = split_key(data)
    truth = None if keyed is None else keyed.evaluation()
    n_keyed = 0 if keyed is None else keyed.n_items
    estimates = tuple(estimate(method, blind, key) for method in methods)
    told = f"the key ({n_keyed} items) was read for scoring only" if n_keyed else "no key"
    return Comparison(
        status=Status.OK,
        message=f"{len(estimates)} methods on {blind.n_items} items and {blind.n_judges} judges; {told}.",
        judges=blind.judges,
        labels=blind.labels,
        n_items=blind.n_items,
        bounds=bounds(blind, order=1),
        estimates=estimates,
        truth=truth,
        n_keyed=n_keyed,
    )
