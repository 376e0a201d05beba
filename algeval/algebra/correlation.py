"""Error correlations: measured, with error bars, and what they do to a decoding."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.trios import Decoding, decode_batch, evaluation_of, inside, trio_of
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch
from algeval.data.evaluation import shown_share
from algeval.data.names import check_choice, check_number, check_whole, positions, read_only
from algeval.data.reading import Data
from algeval.door import reads
from algeval.errors import DataError, TooLargeError
from algeval.result import Result, Status, exact, percent
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- Error correlations of every order, exactly, from keyed counts and back.
#
# For a set S of judges and a true label l, the correlation of the answers a_S is the average over
# the items of label l of ``prod over i in S of (1[judge i said a_i] - P_i(a_i | l))``. For answers
# that are all correct this is the paper's Gamma (Algebraic Evaluation, S44, S45 and S69). Since
# ``1[u_i = a_i] = (1[u_i = a_i] - P_i) + P_i``, expanding the product over all judges gives back
# every joint frequency, for any number of judges and answers: both directions are one small linear
# map per judge, hence exact inverses of each other.


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
        """Correlation of some judges on items of one true label.

        Parameters
        ----------
        judges : sequence of judges
            The set S.
        label : str
            The true label.
        answers : sequence of answers, optional
            One per judge; by default every answer is the true label, as in the paper.
        """
        indices = positions("judge", judges, self.evaluation.judges)
        (t,) = positions("label", [label], self.evaluation.labels)
        values = [t] * len(indices)
        if answers is not None:
            values = [positions("answer", [a], self.evaluation.answers)[0] for a in answers]
        if len(values) != len(indices):
            raise DataError(
                f"answers must name one per judge ({len(indices)}); got {len(values)}; name them all"
            )
        index = [len(self.evaluation.answers)] * len(self.evaluation.judges)
        for position, answer in zip(indices, values, strict=True):
            index[position] = answer
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
            if any(position != outside for position in index[1:])
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per group of judges and true label: their correlation, all answers correct."""
        rows = [(", ".join(names), label, value) for (names, label), value in self.items()]
        return (Table.of_rows("Correlations", ("judges", "label", "correlation"), rows),)

    def summary(self) -> str:
        """Lines a person reads."""
        lines = [self.message]
        for (judges, label), value in self.items():
            lines.append(f"  Gamma_{','.join(judges)}({label}) = {value} ({float(value):+.4f})")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """JSON types; `gammas` lists the correlations whose answers are all correct."""
        gammas = [
            {"judges": list(judges), "label": label, "value": str(value)}
            for (judges, label), value in self.items()
        ]
        return Result.to_dict(self) | {"gammas": gammas}


def correlations(keyed: KeyedSketch) -> Correlations:
    """Every error correlation on items whose true label is known.

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
    s = keyed.sketch
    part = Sketch(*s.axes, s.codes[complete], s.counts[complete])
    used = KeyedSketch(part, keyed.keyed[complete])
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
    """Exact error correlations of every pair and trio of three judges by true label.

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
    result = correlations(truth)
    groups = [group for size in (2, 3) for group in combinations(sketch.judges, size)]
    first, second = sketch.labels
    return {group: (result.of(group, first), result.of(group, second)) for group in groups}


def frequencies_from(
    source: Correlations | Evaluation, gammas: Mapping[Any, object] | None = None
) -> dict[str, dict[tuple[str, ...], Fraction]]:
    """Share of items with each true label and decision tuple: the inverse of `correlations`.

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
    """Exam itself, in whole counts, from its parameters and its number of items."""
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
    """How often a judge gives each answer on one label, shaped for broadcasting."""
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
        indices = positions("judge", judges, evaluation.judges)
        (t,) = positions("label", [label], evaluation.labels)
        if len(indices) < 2:
            raise DataError(
                f"a correlation must name two judges or more; got {list(judges)}; leave it out"
            )
        number = exact(value, "a correlation")
        for answers in product((0, 1), repeat=len(indices)):
            index = [a] * n
            for position, answer in zip(indices, answers, strict=True):
                index[position] = answer
            sign = math.prod(1 if answer == t else -1 for answer in answers)
            tensor[(t, *index)] = sign * number
    return tensor


# --- How error correlations would move a decoded binary trio, to first order.


Floats: TypeAlias = NDArray[np.float64]

GROUPS = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sensitivity(Result):
    """First-order effect of error correlations on what `decode` returns for a binary trio.

    Attributes
    ----------
    prevalence : (4, 2) float array
        d(share of the first label) / d(Gamma): rows are the judge groups (1, 2), (1, 3), (2, 3),
        (1, 2, 3), columns the label on which the judges' correctness is correlated.
    accuracies : (3, 2, 4, 2) float array
        d(accuracy of judge i on label t) / d(Gamma), same last two axes.
    """

    schema: ClassVar[str] = "algeval.sensitivity/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    prevalence: Floats
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Row per derivative: of what, by the correlation of which judges on which label."""
        of: list[tuple[Any, ...]] = [("prevalence", None, self.labels[0], self.prevalence)]
        of += [
            ("accuracy", judge, label, self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        rows = [
            (*named, ", ".join(self.judges[k] for k in GROUPS[g]), self.labels[u], table[g, u])
            for *named, table in of
            for g, u in np.ndindex(4, 2)
        ]
        names = ("quantity", "judge", "label", "correlated judges", "on label", "derivative")
        return (Table.of_rows("Derivatives", names, rows),)

    def shift(
        self, correlations: Mapping[tuple[str, ...], tuple[Any, Any]]
    ) -> tuple[float, Floats]:
        """Predicted error of the prevalence and of the (3, 2) accuracies.

        Parameters
        ----------
        correlations : mapping
            {group of judge names: (Gamma on the first label, Gamma on the second)}; groups left
            out are uncorrelated. `error_correlations` measures them where the key is known.
        """
        gamma = np.zeros((4, 2))
        for group, values in correlations.items():
            indices = tuple(sorted(positions("judge", group, self.judges)))
            if indices not in GROUPS or len(values) != 2:
                raise DataError(
                    f"correlations must give two numbers for two or three judges; got {values!r} "
                    f"for {group!r}; one number per label"
                )
            gamma[GROUPS.index(indices)] = [float(value) for value in values]
        move = (self.accuracies * gamma).sum((2, 3))
        return float((self.prevalence * gamma).sum()), move


def sensitivity(evaluation: Evaluation | Decoding) -> Sensitivity:
    """How error correlations would move the decoded evaluation, to first order.

    Use it to ask how much a suspected common cause matters: a correlation is divided by the
    product of the judges' skills P_iA + P_iB - 1, so judges near chance amplify it.

    Raises
    ------
    DataError
        If the evaluation is not of three judges and two labels, or a judge has no skill, or a
        label never occurs.

    Notes
    -----
    Derivatives of the s-form at zero correlation, with correlations as in Algebraic Evaluation, S44-S45.
    """
    chosen = binary_trio(evaluation)
    p, accuracy = rates_of(chosen)
    into_p, into_accuracy = coefficients(p, accuracy)
    return Sensitivity(
        status=Status.OK,
        message="First-order effect of error correlations on the decoded evaluation.",
        judges=chosen.judges,
        labels=chosen.labels,
        prevalence=read_only(into_p),
        accuracies=read_only(into_accuracy),
    )


def binary_trio(evaluation: Evaluation | Decoding) -> Evaluation:
    """Evaluation of three judges and two answers, or say what is wrong."""
    evaluation = evaluation_of(evaluation)
    if len(evaluation.judges) != 3 or len(evaluation.answers) != 2:
        raise DataError(
            f"the evaluation must be of three judges and two answers; got "
            f"{len(evaluation.judges)} judges and answers {list(evaluation.answers)}"
        )
    return evaluation


def rates_of(evaluation: Evaluation) -> tuple[float, Floats]:
    """Share of the first label and the (3, 2) accuracies."""
    floats = evaluation.to_floats()
    p, accuracy = float(floats.prevalence[0]), floats.accuracies().astype(float)
    if not (p * (1 - p) and (accuracy.sum(1) != 1).all()):
        raise DataError(
            "both labels must occur and every judge must tell them apart; got a label that never "
            "occurs or a judge that answers both alike"
        )
    return p, accuracy


def coefficients(p: float, accuracy: Floats) -> tuple[Floats, Floats]:
    """D(p)/d(Gamma) (4, 2) and d(accuracy)/d(Gamma) (3, 2, 4, 2)."""
    skill = accuracy.sum(1) - 1
    share = np.array([p, 1 - p])
    sign = np.array([-1.0, 1.0])
    into_p = np.zeros((4, 2))
    for g, group in enumerate(GROUPS):
        factor = 2 if len(group) == 3 else 1
        into_p[g] = factor * sign * share / skill[list(group)].prod()
    into_accuracy = np.zeros((3, 2, 4, 2))
    for i in range(3):
        j, k = (n for n in range(3) if n != i)
        opposite, trio = GROUPS.index((j, k)), 3
        for t in range(2):
            other = 1 - t
            row = into_accuracy[i, t]
            for n in (j, k):
                row[GROUPS.index((min(i, n), max(i, n))), t] = 1 / skill[n]
            row[trio, t] = 1 / (skill[j] * skill[k])
            ratio = share[other] / share[t] / (skill[j] * skill[k])
            row[opposite, other] = -ratio * skill[i]
            row[trio, other] = -ratio
    return into_p, into_accuracy


# --- Decode resampled tests: how estimates vary from test to test.


_MOST_SAMPLES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Result):
    """Decodings of resampled tests: spread over the population, not over this exam's truth.

    Attributes
    ----------
    status_counts : dict
        How many resampled tests ended in each status.
    n_used : int
        Resampled tests whose solution lies in [0, 1]; the intervals rest on these alone.
    prevalence : (2,) float array
        Percentile interval of the share of the first label; NaN where none could be used.
    accuracies : (3, 2, 2) float array
        Percentile interval (last axis) per judge and label.
    """

    schema: ClassVar[str] = "algeval.bootstrap/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    sketch_digest: str
    n_samples: int
    seed: int
    level: float
    status_counts: dict[str, int]
    n_used: int
    prevalence: Floats
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number: quantity, judge, label, lower and upper end."""
        rows: list[tuple[Any, ...]] = [("prevalence", None, self.labels[0], *self.prevalence)]
        rows += [
            ("accuracy", judge, label, *self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        names = ("quantity", "judge", "label", "lower", "upper")
        return Table.of_rows("Intervals", names, rows), scalars(self)


@reads
def bootstrap(
    data: Data,
    judges: Any = None,
    *,
    n_samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Bootstrap:
    """Resample the items and decode again: how the estimates vary from test to test.

    Use it where first-order error bars are doubtful (few items, judges near chance). Only two
    labels: with more, resampled counts have no exact solution. Solutions outside [0, 1] are
    counted and left out.

    Raises
    ------
    DataError
        If the trio is not binary or no item was answered by all three.
    TooLargeError
        If more than a million samples are asked for.
    """
    trio = trio_of(data, judges)
    if not trio.binary or not trio.n_used:
        raise DataError(
            f"the bootstrap must have two labels and at least one item; got answers "
            f"{list(trio.answers)} and {how_many(trio.n_used, 'item')}"
        )
    level = check_number("level", level, least=0, most=1, strict=True)
    n_samples = check_whole("n_samples", n_samples)
    if n_samples > _MOST_SAMPLES:
        raise TooLargeError(
            f"n_samples must be at most {_MOST_SAMPLES}; got {n_samples}, whose counts alone take "
            f"{n_samples * 64 / 1e9:.0f} GB; a thousand are enough"
        )
    rng = np.random.default_rng(seed)
    weights = np.array(trio.flat, float) / trio.n_used
    batch = decode_batch(rng.multinomial(trio.n_used, weights, size=n_samples))
    points = np.column_stack([batch.prevalence, batch.accuracies.reshape(-1, 6)])
    usable = points[inside(batch.prevalence, batch.accuracies)]
    ends = np.full((2, 7), np.nan)
    if len(usable):
        ends = np.quantile(usable, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Bootstrap(
        status=Status.OK if len(usable) else Status.UNDETERMINED,
        message=_bootstrap_message(len(usable), n_samples, level, trio.labels[0], ends[:, 0]),
        judges=trio.judges,
        labels=trio.labels,
        sketch_digest=trio.sketch_digest,
        n_samples=n_samples,
        seed=seed,
        level=level,
        status_counts=batch.status_counts,
        n_used=len(usable),
        prevalence=read_only(ends[:, 0]),
        accuracies=read_only(ends[:, 1:].T.reshape(3, 2, 2)),
    )


def _bootstrap_message(n_used: int, n_samples: int, level: float, label: str, ends: Floats) -> str:
    text = f"{n_used} of {n_samples} resampled tests decode inside [0, 1]"
    if not n_used:
        return text + ": resampling says nothing about these judges."
    return (
        f"{text}; {percent(level, 0)} of them put {label!r} between {percent(ends[0])} and "
        f"{percent(ends[1])} of the population."
    )


# --- Standard errors of a decoded binary trio whose judges err independently.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorBars(Result):
    """Standard errors of a decoded binary trio whose judges err independently.

    Attributes
    ----------
    of : str
        "exam": distance from the truth on this very test. "population": distance from the rates
        in the population the test was drawn from, which adds the luck of the draw.
    prevalence : float
        Standard error of the share of the first (and of the second) label.
    accuracies : (3, 2) float array
        Standard errors of every judge's accuracy on every label.
    """

    schema: ClassVar[str] = "algeval.error_bars/1"

    of: str
    n_items: int
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    evaluation: Evaluation
    prevalence: float
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number: quantity, judge, label, value, standard error."""
        truth = self.evaluation
        rows: list[tuple[Any, ...]] = [
            ("prevalence", None, label, truth.prevalence_of(label), self.prevalence)
            for label in self.labels
        ]
        rows += [
            ("accuracy", judge, label, truth.accuracy(judge, label), self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        names = ("quantity", "judge", "label", "value", "standard error")
        return (Table.of_rows("Standard errors", names, rows),)

    def summary(self) -> str:
        """Estimates with their standard errors."""
        lines = [self.message]
        for t, label in enumerate(self.labels):
            share = float(self.evaluation.prevalence[t])
            lines.append(f"  {label}: {shown_share(share)} +- {percent(self.prevalence)}")
            for i, judge in enumerate(self.judges):
                value = float(self.evaluation.confusion[i, t, t])
                lines.append(
                    f"    {judge}: {shown_share(value)} +- {percent(self.accuracies[i, t])}"
                )
        return "\n".join(lines)


def error_bars(
    evaluation: Evaluation | Decoding,
    n_items: int | None = None,
    *,
    of: Literal["exam", "population"] = "exam",
) -> ErrorBars:
    """First-order standard errors, assuming the judges err independently.

    Use it on a decoding whose status is ok, irrational or not_integral. It says nothing about
    correlated judges: for those see `sensitivity`.

    Parameters
    ----------
    evaluation : Evaluation or Decoding
        Two labels, three judges; a decoding stands for its `best`.
    n_items : int
        Size of the test; taken from a decoding.
    of : {"exam", "population"}
        What the estimate is of: the truth on these items, or the rates they were drawn from.

    Notes
    -----
    "exam": on a finite test independent judges have sample correlations of variance
    v v / Q_t and v v v / Q_t with v = P (1 - P); they enter through `sensitivity`.
    "population": multinomial covariance of the frequencies through the inverse Jacobian.
    """
    chosen = binary_trio(evaluation)
    if n_items is None:
        if not isinstance(evaluation, Decoding):
            raise DataError("n_items must be given with an evaluation; pass n_items=")
        n_items = evaluation.n_used
    n_items = check_whole("n_items", n_items)
    check_choice("of", of, ("exam", "population"))
    p, accuracy = rates_of(chosen)
    if not (0 < p < 1 and ((accuracy >= 0) & (accuracy <= 1)).all()):
        raise DataError(
            "the evaluation must lie in [0, 1] with both labels present; it does not; "
            "error bars assume independent judges"
        )
    variances = _exam_variances if of == "exam" else _population_variances
    errors = np.sqrt(variances(p, accuracy) / n_items)
    what = "on these items" if of == "exam" else "in the population the items were drawn from"
    return ErrorBars(
        status=Status.OK,
        message=f"Standard errors of the rates {what}, if the judges err independently "
        f"({how_many(n_items, 'item')}).",
        of=of,
        n_items=n_items,
        judges=chosen.judges,
        labels=chosen.labels,
        evaluation=chosen,
        prevalence=float(errors[0]),
        accuracies=read_only(errors[1:].reshape(3, 2)),
    )


def _exam_variances(p: float, accuracy: Floats) -> Floats:
    """Q times the variances of p and the six accuracies around the exam's own truth."""
    into_p, into_accuracy = coefficients(p, accuracy)
    v = accuracy * (1 - accuracy)
    spread = np.array([v[list(group)].prod(0) for group in GROUPS]) / np.array([p, 1 - p])
    rows = np.concatenate([into_p[None], into_accuracy.reshape(6, 4, 2)])
    result: Floats = (rows**2 * spread).sum((1, 2))
    return result


def _population_variances(p: float, accuracy: Floats) -> Floats:
    """Q times the variances of p and the six accuracies under multinomial sampling."""
    cells = np.array(list(np.ndindex(2, 2, 2)))
    on_a = np.where(cells == 0, accuracy[:, 0], 1 - accuracy[:, 0])
    on_b = np.where(cells == 1, accuracy[:, 1], 1 - accuracy[:, 1])
    f = p * on_a.prod(1) + (1 - p) * on_b.prod(1)
    jacobian = np.zeros((8, 7))
    jacobian[:, 0] = on_a.prod(1) - on_b.prod(1)
    for i in range(3):
        rest = [n for n in range(3) if n != i]
        jacobian[:, 1 + 2 * i] = p * np.where(cells[:, i] == 0, 1, -1) * on_a[:, rest].prod(1)
        jacobian[:, 2 + 2 * i] = (1 - p) * np.where(cells[:, i] == 1, 1, -1) * on_b[:, rest].prod(1)
    covariance = np.diag(f) - np.outer(f, f)
    inverse = np.linalg.pinv(jacobian)
    return np.diag(inverse @ covariance @ inverse.T).copy()
