"""Error correlations of every order, exactly, from keyed counts and back.

For a set S of judges and a true label l, the correlation of the answers a_S is the average over
the items of label l of ``prod over i in S of (1[judge i said a_i] - P_i(a_i | l))``. For answers
that are all correct this is the paper's Gamma (Algebraic Evaluation, S44, S45 and S69). Since
``1[u_i = a_i] = (1[u_i = a_i] - P_i) + P_i``, expanding the product over all judges gives back
every joint frequency, for any number of judges and answers: both directions are one small linear
map per judge, hence exact inverses of each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch
from algeval.data.names import positions
from algeval.errors import DataError, TooLargeError
from algeval.result import Result, Status, exact
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = [
    "Correlations",
    "correlations",
    "error_correlations",
    "frequencies_from",
    "keyed_from",
]

_MOST_CELLS = 300_000

Tensor = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Correlations(Result):
    """The parameters of correlated judges: prevalences, confusion tables and every Gamma.

    Attributes
    ----------
    evaluation : Evaluation
        Exact prevalences and confusion tables on the items used.
    tensor : (R, A + 1, ..., A + 1) object array
        One axis per judge after the label: position a < A means that the judge is in S with
        answer a, position A that it is not in S. Single judges have correlation 0. Zero
        everywhere for a label that does not occur.
    n_items, n_used, n_left_out : int
        Items in the data, items all judges answered (the ones used), and the rest.
    """

    schema: ClassVar[str] = "algeval.correlations/1"

    evaluation: Evaluation
    tensor: Tensor = field(repr=False)
    n_items: int
    n_used: int
    n_left_out: int

    def of(
        self, judges: Iterable[object], label: object, answers: Iterable[object] | None = None
    ) -> Fraction:
        """Return the correlation of some judges on items of one true label.

        Parameters
        ----------
        judges : sequence of judges
            The set S.
        label : str
            The true label.
        answers : sequence of answers, optional
            One per judge; by default every answer is the true label, as in the paper.
        """
        places = positions("judge", judges, self.evaluation.judges)
        (t,) = positions("label", [label], self.evaluation.labels)
        given = [t] * len(places)
        if answers is not None:
            given = [positions("answer", [a], self.evaluation.answers)[0] for a in answers]
        if len(given) != len(places):
            raise DataError(
                f"answers must name one per judge ({len(places)}); got {len(given)}; name them all"
            )
        index = [len(self.evaluation.answers)] * len(self.evaluation.judges)
        for place, answer in zip(places, given, strict=True):
            index[place] = answer
        value: Fraction = self.tensor[(t, *index)]
        return value

    def __getitem__(self, key: tuple[Iterable[object], object]) -> Fraction:
        judges, label = key
        return self.of(judges, label)

    def items(self) -> Iterator[tuple[tuple[tuple[str, ...], str], Fraction]]:
        """Yield ((judges S, true label), Gamma) for every S of two or more, all answers correct."""
        names = self.evaluation.judges
        for size in range(2, len(names) + 1):
            for chosen in combinations(names, size):
                for label in self.evaluation.labels:
                    yield (chosen, label), self.of(chosen, label)

    @property
    def independent(self) -> bool:
        """Whether every correlation of every order is exactly zero."""
        outside = len(self.evaluation.answers)
        return all(
            value == 0
            for index, value in np.ndenumerate(self.tensor)
            if any(place != outside for place in index[1:])
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per group of judges and true label: their correlation, all answers correct."""
        rows = [(", ".join(names), label, value) for (names, label), value in self.items()]
        return (Table.of_rows("Correlations", ("judges", "label", "correlation"), rows),)

    def summary(self) -> str:
        """Return the lines a person reads."""
        lines = [self.message]
        for (judges, label), value in self.items():
            lines.append(f"  Gamma_{','.join(judges)}({label}) = {value} ({float(value):+.4f})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types; `gammas` lists the correlations whose answers are all correct."""
        gammas = [
            {"judges": list(judges), "label": label, "value": str(value)}
            for (judges, label), value in self.items()
        ]
        return Result.to_dict(self) | {"gammas": gammas}


def correlations(keyed: KeyedSketch) -> Correlations:
    """Return every error correlation on items whose true label is known.

    Use it to see how far from independent judges were on a test with an answer key. Items that
    some judge did not answer are left out and counted.

    Parameters
    ----------
    keyed : KeyedSketch
        Counts of decision tuples by true label.

    Returns
    -------
    Correlations
        Status `ok`; `undetermined` if no item was answered by every judge.

    Raises
    ------
    TooLargeError
        If labels times (answers + 1) to the number of judges exceeds 300,000.

    Notes
    -----
    Algebraic Evaluation, equations S44, S45, S66-S71, extended to every order and any number of answers.

    Examples
    --------
    >>> keyed = KeyedSketch.from_counts({"A": {"AA": 1, "BB": 1}, "B": {"BB": 1}})
    >>> correlations(keyed)[("1", "2"), "A"]
    Fraction(1, 4)
    """
    sketch = keyed.sketch
    _check_size(sketch.n_labels, sketch.n_answers, sketch.n_judges)
    complete = (sketch.codes != NOT_ANSWERED).all(axis=1)
    used = _restricted(keyed, complete)
    evaluation = used.evaluation()
    counts = _dense(used)
    tensor = np.array([_forward(counts[t], evaluation, t) for t in range(sketch.n_labels)])
    tensor.setflags(write=False)
    left_out = keyed.n_items - used.n_items
    return Correlations(
        status=Status.OK if used.n_items else Status.UNDETERMINED,
        message=_sentence(used, left_out),
        evaluation=evaluation,
        tensor=tensor,
        n_items=keyed.n_items,
        n_used=used.n_items,
        n_left_out=left_out,
    )


def _sentence(used: KeyedSketch, left_out: int) -> str:
    items = how_many(used.n_items, "item")
    text = f"Error correlations of {used.sketch.n_judges} judges on {items} with a key"
    return text + (
        f"; {how_many(left_out, 'item')} that some judge did not answer left out."
        if left_out
        else "."
    )


def error_correlations(truth: KeyedSketch) -> dict[tuple[str, ...], tuple[Fraction, Fraction]]:
    """Return the exact error correlations of every pair and trio of three judges by true label.

    These are `correlations` as `Sensitivity.shift` reads them; here every judge must have answered
    every item. Fully dependent judges of accuracy P reach P (1 - P). Algebraic Evaluation, S44-S45.
    """
    sketch = truth.sketch
    if sketch.n_judges != 3 or sketch.n_labels != 2:
        raise DataError(
            f"correlations must be of three judges and two labels; got {sketch.n_judges} and "
            f"{sketch.n_labels}; choose judges first"
        )
    if not sketch.complete:
        raise DataError("every judge must have answered every item; leave out the other items")
    for label, size in zip(sketch.labels, truth.keyed.sum(0), strict=True):
        if not size:
            raise DataError(f"label {label!r} must occur in the key; it does not")
    found = correlations(truth)
    groups = [group for size in (2, 3) for group in combinations(sketch.judges, size)]
    first, second = sketch.labels
    return {group: (found.of(group, first), found.of(group, second)) for group in groups}


def frequencies_from(
    source: Correlations | Evaluation, gammas: Mapping[Any, object] | None = None
) -> dict[str, dict[tuple[str, ...], Fraction]]:
    """Return the share of items with each true label and decision tuple: the inverse of `correlations`.

    Parameters
    ----------
    source : Correlations or Evaluation
        All the parameters, or the exact prevalences and confusion tables alone.
    gammas : mapping, optional
        With an `Evaluation` of two answers: {((judge, judge, ...), label): Gamma} for answers
        that are all correct; pairs and larger sets left out are uncorrelated.

    Returns
    -------
    dict
        {true label: {decision tuple: share}}; all shares add up to 1. Negative shares mean that
        no exam has these parameters.

    Examples
    --------
    >>> keyed = KeyedSketch.from_counts({"A": {"AA": 1, "BB": 1}, "B": {"BB": 1}})
    >>> frequencies_from(correlations(keyed))["A"]["A", "A"]
    Fraction(1, 3)
    """
    if isinstance(source, Correlations):
        if gammas is not None:
            raise DataError(
                "gammas must come alone with an Evaluation; got Correlations, which hold them "
                "already; leave gammas out"
            )
        evaluation, tensor = source.evaluation, source.tensor
    else:
        evaluation = source
        tensor = _tensor_of(evaluation, gammas or {})
    return {
        label: _named(evaluation, _share(evaluation, t) * _backward(tensor[t], evaluation, t))
        for t, label in enumerate(evaluation.labels)
    }


def keyed_from(source: Correlations) -> KeyedSketch:
    """Return the exam itself, in whole counts, from its parameters and its number of items."""
    shares = frequencies_from(source)
    counts = {
        label: {decision: value * source.n_used for decision, value in table.items()}
        for label, table in shares.items()
    }
    if any(v.denominator != 1 or v < 0 for table in counts.values() for v in table.values()):
        raise DataError(
            f"{source.n_used} items must give whole counts; got a fraction; were the parameters edited?"
        )
    return KeyedSketch.from_counts(
        {label: {d: int(v) for d, v in table.items()} for label, table in counts.items()},
        judges=source.evaluation.judges,
        labels=source.evaluation.labels,
        answers=source.evaluation.answers,
    )


def _check_size(n_labels: int, n_answers: int, n_judges: int) -> None:
    cells = n_labels * (n_answers + 1) ** n_judges
    if cells > _MOST_CELLS:
        raise TooLargeError(
            f"{n_judges} judges with {n_answers} answers and {n_labels} labels have {cells} "
            f"correlations; at most {_MOST_CELLS} are computed; choose fewer judges"
        )


def _restricted(keyed: KeyedSketch, rows: NDArray[np.bool_]) -> KeyedSketch:
    s = keyed.sketch
    part = Sketch(*s.axes, s.codes[rows], s.counts[rows])
    return KeyedSketch(part, keyed.keyed[rows])


def _dense(keyed: KeyedSketch) -> Tensor:
    """Return (R, A, ..., A): exact counts of every decision tuple by true label."""
    s = keyed.sketch
    table = np.full((s.n_labels, *[s.n_answers] * s.n_judges), Fraction(0), dtype=object)
    for code, row in zip(s.codes.tolist(), keyed.keyed.tolist(), strict=True):
        for t, count in enumerate(row):
            table[(t, *code)] = Fraction(count)
    return table


def _forward(counts: Tensor, evaluation: Evaluation, t: int) -> Tensor:
    """Return (A + 1, ..., A + 1): correlations of one label from its counts."""
    total = counts.sum()
    table = counts / total if total else counts
    for judge in range(counts.ndim):
        out = table.sum(axis=judge, keepdims=True)
        rates = _rates(evaluation, judge, t, counts.ndim)
        table = np.concatenate([table - rates * out, out], axis=judge)
    return table


def _backward(tensor: Tensor, evaluation: Evaluation, t: int) -> Tensor:
    """Return (A, ..., A): shares of one label's items, the inverse of `_forward`."""
    table = tensor
    n = tensor.ndim
    for judge in range(n):
        inside, out = np.split(table, [len(evaluation.answers)], axis=judge)
        table = inside + _rates(evaluation, judge, t, n) * out
    return table


def _rates(evaluation: Evaluation, judge: int, t: int, n_axes: int) -> Tensor:
    """Return how often a judge gives each answer on one label, shaped for broadcasting."""
    row = [Fraction(0) if v is None else v for v in evaluation.confusion[judge, t]]
    shape = [1] * n_axes
    shape[judge] = len(row)
    return np.array(row, dtype=object).reshape(shape)


def _share(evaluation: Evaluation, t: int) -> Fraction:
    value = evaluation.prevalence[t]
    return Fraction(0) if value is None else value


def _named(evaluation: Evaluation, table: Tensor) -> dict[tuple[str, ...], Fraction]:
    names = product(evaluation.answers, repeat=len(evaluation.judges))
    return dict(zip(names, table.ravel().tolist(), strict=True))


def _tensor_of(evaluation: Evaluation, gammas: Mapping[Any, object]) -> Tensor:
    n, a, r = len(evaluation.judges), len(evaluation.answers), len(evaluation.labels)
    _check_size(r, a, n)
    if not evaluation.exact:
        raise DataError("the evaluation must hold exact fractions; got floats; give Fractions")
    if gammas and a != 2:
        raise DataError(
            f"gammas must describe two answers; got {a} answers; build Correlations from counts"
        )
    tensor = np.full((r, *[a + 1] * n), Fraction(0), dtype=object)
    tensor.reshape(r, -1)[:, -1] = Fraction(1)
    for (judges, label), value in gammas.items():
        places = positions("judge", judges, evaluation.judges)
        (t,) = positions("label", [label], evaluation.labels)
        if len(places) < 2:
            raise DataError(
                f"a correlation must name two judges or more; got {list(judges)}; leave it out"
            )
        number = exact(value, "a correlation")
        for answers in product((0, 1), repeat=len(places)):
            index = [a] * n
            for place, answer in zip(places, answers, strict=True):
                index[place] = answer
            sign = math.prod(1 if answer == t else -1 for answer in answers)
            tensor[(t, *index)] = sign * number
    return tensor
