"""How far to trust a decoded binary trio: correlations, finite tests, and resampling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.decoding.batch import decode_batch
from algeval.algebra.decoding.results import Decoding
from algeval.algebra.decoding.trio import Data, trio_of
from algeval.data import Evaluation, KeyedSketch
from algeval.data.names import NOT_ANSWERED, positions
from algeval.errors import DataError, TooLargeError
from algeval.result import Result, Status, percent

__all__ = [
    "Bootstrap",
    "ErrorBars",
    "Sensitivity",
    "bootstrap",
    "error_bars",
    "error_correlations",
    "sensitivity",
]

Floats: TypeAlias = NDArray[np.float64]
Correlations: TypeAlias = Mapping[tuple[str, ...], tuple[Any, Any]]

_MOST_SAMPLES = 1_000_000
_GROUPS = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


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

    def shift(self, correlations: Correlations) -> tuple[float, Floats]:
        """Return the predicted error of the prevalence and of the (3, 2) accuracies.

        Parameters
        ----------
        correlations : mapping
            {group of judge names: (Gamma on the first label, Gamma on the second)}; groups left
            out are uncorrelated. `error_correlations` measures them where the key is known.
        """
        gamma = np.zeros((4, 2))
        for group, values in correlations.items():
            places = tuple(sorted(positions("judge", group, self.judges)))
            if places not in _GROUPS or len(values) != 2:
                raise DataError(
                    f"correlations must give two numbers for two or three judges; got {values!r} "
                    f"for {group!r}; one number per label"
                )
            gamma[_GROUPS.index(places)] = [float(value) for value in values]
        move = (self.accuracies * gamma).sum((2, 3))
        return float((self.prevalence * gamma).sum()), move


def sensitivity(evaluation: Evaluation | Decoding) -> Sensitivity:
    """Return how error correlations would move the decoded evaluation, to first order.

    Use it to ask how much a suspected common cause matters: a correlation is divided by the
    product of the judges' skills P_iA + P_iB - 1, so judges near chance amplify it.

    Raises
    ------
    DataError
        If the evaluation is not of three judges and two labels, or a judge has no skill, or a
        label never occurs.

    Notes
    -----
    Derivatives of the s-form at zero correlation, with correlations as in paper 001, S44-S45.
    """
    chosen = _binary(evaluation)
    p, accuracy = _numbers(chosen)
    into_p, into_accuracy = _coefficients(p, accuracy)
    return Sensitivity(
        status=Status.OK,
        message="First-order effect of error correlations on the decoded evaluation.",
        judges=chosen.judges,
        labels=chosen.labels,
        prevalence=_frozen(into_p),
        accuracies=_frozen(into_accuracy),
    )


def error_correlations(truth: KeyedSketch) -> dict[tuple[str, ...], tuple[Any, Any]]:
    """Return the exact error correlations of every pair and trio of three judges by true label.

    Gamma is the mean over items of one label of the product of (correct or not) minus accuracy;
    fully dependent judges of accuracy P reach P (1 - P). Paper 001, S44-S45.
    """
    sketch = truth.sketch
    if sketch.n_judges != 3 or sketch.n_labels != 2:
        raise DataError(
            f"correlations must be of three judges and two labels; got {sketch.n_judges} and "
            f"{sketch.n_labels}; choose judges first"
        )
    if (sketch.codes == NOT_ANSWERED).any():
        raise DataError("every judge must have answered every item; leave out the other items")
    found: dict[tuple[str, ...], list[Any]] = {
        tuple(sketch.judges[i] for i in group): [] for group in _GROUPS
    }
    for t in range(2):
        size = int(truth.keyed[:, t].sum())
        if not size:
            raise DataError(f"label {sketch.labels[t]!r} must occur in the key; it does not")
        weights = np.array([_fraction(int(n), size) for n in truth.keyed[:, t]], dtype=object)
        correct = (sketch.codes == t).astype(int).astype(object)
        centred = correct - (weights[:, None] * correct).sum(0)
        for group, values in zip(_GROUPS, found.values(), strict=True):
            values.append((weights * centred[:, list(group)].prod(1)).sum())
    return {group: (values[0], values[1]) for group, values in found.items()}


def _fraction(top: int, bottom: int) -> Any:
    from fractions import Fraction

    return Fraction(top, bottom)


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

    def summary(self) -> str:
        """Return the estimates with their standard errors."""
        lines = [self.message]
        for t, label in enumerate(self.labels):
            share = float(self.evaluation.prevalence[t])
            lines.append(f"  {label}: {percent(share)} +- {percent(self.prevalence)}")
            for i, judge in enumerate(self.judges):
                value = float(self.evaluation.confusion[i, t, t])
                lines.append(f"    {judge}: {percent(value)} +- {percent(self.accuracies[i, t])}")
        return "\n".join(lines)


def error_bars(
    evaluation: Evaluation | Decoding,
    n_items: int | None = None,
    *,
    of: Literal["exam", "population"] = "exam",
) -> ErrorBars:
    """Return first-order standard errors, assuming the judges err independently.

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
    chosen = _binary(evaluation)
    if n_items is None:
        if not isinstance(evaluation, Decoding):
            raise DataError("n_items must be given with an evaluation; pass n_items=")
        n_items = evaluation.n_used
    if not (isinstance(n_items, int | np.integer) and n_items >= 1):
        raise DataError(f"n_items must be a whole number >= 1; got {n_items!r}; count the items")
    p, accuracy = _numbers(chosen)
    if not (0 < p < 1 and ((accuracy >= 0) & (accuracy <= 1)).all()):
        raise DataError(
            "the evaluation must lie in [0, 1] with both labels present; it does not; "
            "error bars assume independent judges"
        )
    if of == "exam":
        variances = _exam_variances(p, accuracy)
    elif of == "population":
        variances = _population_variances(p, accuracy)
    else:
        raise DataError(f"of must be 'exam' or 'population'; got {of!r}; choose one")
    errors = np.sqrt(variances / n_items)
    what = "on these items" if of == "exam" else "in the population the items were drawn from"
    return ErrorBars(
        status=Status.OK,
        message=f"Standard errors of the rates {what}, if the judges err independently "
        f"({n_items} items).",
        of=of,
        n_items=n_items,
        judges=chosen.judges,
        labels=chosen.labels,
        evaluation=chosen,
        prevalence=float(errors[0]),
        accuracies=_frozen(errors[1:].reshape(3, 2)),
    )


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
            f"{list(trio.answers)} and {trio.n_used} items"
        )
    if not (0 < level < 1 and n_samples >= 1):
        raise DataError(
            f"level must lie in (0, 1) and n_samples be positive; got {level} and {n_samples}"
        )
    if n_samples > _MOST_SAMPLES:
        raise TooLargeError(
            f"n_samples must be at most {_MOST_SAMPLES}; got {n_samples}, whose counts alone take "
            f"{n_samples * 64 / 1e9:.0f} GB; a thousand are enough"
        )
    rng = np.random.default_rng(seed)
    weights = np.array(trio.flat, float) / trio.n_used
    batch = decode_batch(rng.multinomial(trio.n_used, weights, size=n_samples))
    points = np.column_stack([batch.prevalence, batch.accuracies.reshape(-1, 6)])
    with np.errstate(invalid="ignore"):
        inside = ((points >= 0) & (points <= 1)).all(1)
    ends = np.full((2, 7), np.nan)
    if inside.any():
        ends = np.quantile(points[inside], [(1 - level) / 2, (1 + level) / 2], axis=0)
    return Bootstrap(
        status=Status.OK if inside.any() else Status.UNDETERMINED,
        message=_bootstrap_message(int(inside.sum()), n_samples, level, trio.labels[0], ends[:, 0]),
        judges=trio.judges,
        labels=trio.labels,
        sketch_digest=trio.sketch_digest,
        n_samples=n_samples,
        seed=seed,
        level=level,
        status_counts=batch.status_counts,
        n_used=int(inside.sum()),
        prevalence=_frozen(ends[:, 0].copy()),
        accuracies=_frozen(np.ascontiguousarray(ends[:, 1:].T).reshape(3, 2, 2)),
    )


def _bootstrap_message(n_used: int, n_samples: int, level: float, label: str, ends: Floats) -> str:
    text = f"{n_used} of {n_samples} resampled tests decode inside [0, 1]"
    if not n_used:
        return text + ": resampling says nothing about these judges."
    return (
        f"{text}; {percent(level, 0)} of them put {label!r} between {percent(ends[0])} and "
        f"{percent(ends[1])} of the population."
    )


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _binary(evaluation: Evaluation | Decoding) -> Evaluation:
    if isinstance(evaluation, Decoding):
        best = evaluation.best
        if best is None:
            raise DataError(
                f"the decoding must have a best evaluation; got status "
                f"{evaluation.status.value!r}; pass one of .evaluations"
            )
        evaluation = best
    if not isinstance(evaluation, Evaluation):
        raise DataError(
            f"evaluation must be an Evaluation or a Decoding; got {type(evaluation).__name__}; "
            "decode three judges and pass that"
        )
    if len(evaluation.judges) != 3 or len(evaluation.answers) != 2:
        raise DataError(
            f"the evaluation must be of three judges and two answers; got "
            f"{len(evaluation.judges)} judges and answers {list(evaluation.answers)}"
        )
    return evaluation


def _numbers(evaluation: Evaluation) -> tuple[float, Floats]:
    floats = evaluation.to_floats()
    p, accuracy = float(floats.prevalence[0]), floats.accuracies().astype(float)
    if not (p * (1 - p) and (accuracy.sum(1) != 1).all()):
        raise DataError(
            "both labels must occur and every judge must tell them apart; got a label that never "
            "occurs or a judge that answers both alike"
        )
    return p, accuracy


def _coefficients(p: float, accuracy: Floats) -> tuple[Floats, Floats]:
    """Return d(p)/d(Gamma) (4, 2) and d(accuracy)/d(Gamma) (3, 2, 4, 2)."""
    skill = accuracy.sum(1) - 1
    share = np.array([p, 1 - p])
    sign = np.array([-1.0, 1.0])
    into_p = np.zeros((4, 2))
    for g, group in enumerate(_GROUPS):
        factor = 2 if len(group) == 3 else 1
        into_p[g] = factor * sign * share / skill[list(group)].prod()
    into_accuracy = np.zeros((3, 2, 4, 2))
    for i in range(3):
        j, k = (n for n in range(3) if n != i)
        opposite, trio = _GROUPS.index((j, k)), 3
        for t in range(2):
            other = 1 - t
            row = into_accuracy[i, t]
            for n in (j, k):
                row[_GROUPS.index((min(i, n), max(i, n))), t] = 1 / skill[n]
            row[trio, t] = 1 / (skill[j] * skill[k])
            ratio = share[other] / share[t] / (skill[j] * skill[k])
            row[opposite, other] = -ratio * skill[i]
            row[trio, other] = -ratio
    return into_p, into_accuracy


def _exam_variances(p: float, accuracy: Floats) -> Floats:
    """Return Q times the variances of p and the six accuracies around the exam's own truth."""
    into_p, into_accuracy = _coefficients(p, accuracy)
    v = accuracy * (1 - accuracy)
    spread = np.array([v[list(group)].prod(0) for group in _GROUPS]) / np.array([p, 1 - p])
    rows = np.concatenate([into_p[None], into_accuracy.reshape(6, 4, 2)])
    result: Floats = (rows**2 * spread).sum((1, 2))
    return result


def _population_variances(p: float, accuracy: Floats) -> Floats:
    """Return Q times the variances of p and the six accuracies under multinomial sampling."""
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
    result: Floats = np.diag(inverse @ covariance @ inverse.T).copy()
    return result
