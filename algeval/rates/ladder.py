"""What can be said about a pass rate without labels, from nothing assumed upwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, floor, isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from algeval.aggregate import aggregate
from algeval.algebra.correlation import GROUPS, bootstrap, error_bars
from algeval.algebra.trios import STATUSES, decode_batch, inside
from algeval.data import Evaluation, KeyedSketch, Sketch, Specification, Summary, Votes
from algeval.data.names import NOT_ANSWERED, Codes, positions
from algeval.data.reading import Data, Joint, as_joint, as_sketch
from algeval.data.votes import LabelledSketch
from algeval.door import reads
from algeval.errors import AlgevalError, DataError, option
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof import Certificate, Clock, question_clock
from algeval.models.shares import wilson
from algeval.progress import steps
from algeval.rates.inputs import Floats, Gold, Ints
from algeval.rates.intervals import normal_quantile
from algeval.rates.policy import (
    BOOTSTRAP_SAMPLES,
    FULL_SHARE,
    FULL_TUPLES,
    LADDER_WORK,
    LEVEL,
    MODELS,
    MOST_TRIO_CELLS,
    MOST_TRIOS,
    ROBUST_FOUND,
    ROBUST_MISS,
    ROBUST_STARTS,
    UNBALANCED_CHANCE,
)
from algeval.rates.rungs import (
    Accuracies,
    Belief,
    Floors,
    Grades,
    Ground,
    Ladder,
    Level,
    Robustness,
    Rung,
    Settled,
    apart,
    assumption_row,
    beliefs_in,
    best_grade,
    checked_grades,
    floors_of,
    graded_below,
    ground_of,
    highest_level,
    level_at,
    narrowed,
    settle,
    side_of,
)
from algeval.result import Status, format_exact, percent
from algeval.result.base import Record
from algeval.result.numbers import how_many, level_text, percent_up

# --- What models of how votes arise say of a rate: a row each, and how far apart they are.


def modelled(
    data: Joint, label: str, against: Fraction, *, target: str, clock: Clock
) -> tuple[tuple[Rung, ...], tuple[str, ...]]:
    """Rung per model, one of their spread, and notes on those left out.

    `data`: the key is not read; `clock`: models not begun when it runs out are left out.
    """
    plain = data.without_key() if isinstance(data, Votes) else data.sketch()
    rungs, notes = [], []
    for name in steps(MODELS, "fitting models", even=False):
        if clock.over:
            notes.append(f"Model {name} was left out: time ran out.")
            continue
        try:
            fitted = aggregate(plain, name)
        except AlgevalError as error:
            notes.append(f"Model {name} was left out: {error}")
            continue
        rungs.append(_rung(name, fitted.evaluation, fitted.status, label, against, target))
    rungs += list(_spread(rungs, against, target))
    return tuple(rungs), tuple(notes)


def _rung(
    name: str,
    evaluation: Evaluation | None,
    status: Status,
    label: str,
    against: Fraction,
    target: str,
) -> Rung:
    share = None if evaluation is None else evaluation.prevalence_of(label)
    rate = None if share is None or share != share else float(share)
    return assumption_row(
        Rung,
        f"model: {name}",
        f"the votes arise as the model {name} says",
        "errors that the model does not know, as those that judges share",
        estimate=rate,
        against=side_of(rate, rate, against),
        status=status,
        target=target,
    )


def _spread(rungs: list[Rung], against: Fraction, target: str) -> Iterator[Rung]:
    rates = [float(rung.estimate) for rung in rungs if rung.estimate is not None]
    if len(rates) > 1:
        yield assumption_row(
            Rung,
            "spread of the models",
            "one of these models is right",
            "errors that none of them knows; it is no error bar",
            ends=(min(rates), max(rates)),
            estimate=float(np.median(rates)),
            against=against,
            target=target,
        )


# --- Which side wins, for whom: the beliefs about the judges that decide, and those that are possible.
#
# "The rate is above t" holds for whoever believes that every judge is right on more than x*, the highest
# level that all judges reach at some key with a rate of at most t. No key lets all of them exceed x_max.
# Where the two are equal, no belief decides.


@dataclass(frozen=True, slots=True, eq=False)
class Conclusion:
    """What beliefs about accuracy decide.

    Attributes
    ----------
    winner : "above", "below" or None
        None: no belief decides.
    threshold, possible_up_to : Fraction
        Beliefs above the first, up to the second, decide. Equal where none does.
    at_most, at_least : Level
        The highest levels at keys whose rate is at most, or at least, the one compared with.
    order : int or "full"
    exact : bool
        Whether both are the best possible; else they are proved limits.
    """

    winner: str | None
    threshold: Fraction
    possible_up_to: Fraction
    at_most: Level
    at_least: Level
    order: int | str
    exact: bool

    def certificates(self) -> dict[str, Certificate]:
        """Proofs by what they prove."""
        sides = {"at most": self.at_most, "at least": self.at_least}
        parts = {
            f"threshold {side}: {what}": getattr(level, what)
            for side, level in sides.items()
            for what in ("witness", "refutation")
        }
        return {name: part for name, part in parts.items() if part is not None}

    def sentence(self, label: str, against: Fraction) -> str:
        """What beliefs decide, in words."""
        most = format_exact(self.possible_up_to)
        if self.winner is None:
            return (
                f"No belief about accuracy decides on which side of {format_exact(against)} the rate of "
                f"{label!r} lies on these items; that all judges are right on more than {most} of what they "
                "answered is impossible."
            )
        return (
            f"On these items the rate of {label!r} is {self.winner} {format_exact(against)} for whoever "
            f"believes that every judge is right on more than {format_exact(self.threshold)} of what it "
            f"answered; more than {most} is impossible for all of them."
        )


def conclude(
    order: Order,
    label_row: int,
    against: Fraction,
    clock: Clock,
    *,
    before: Conclusion | None = None,
    by_label: bool = False,
) -> Conclusion:
    """Which beliefs decide on which side of a rate the rate of a label lies.

    `before`: what order 1 found: higher orders only lower its levels;
    `by_label`: beliefs about every label's accuracy, in place of those about all items answered.
    """
    exam = order.exam
    label = exam.labels[label_row]
    keys = [Specification.prevalence(label, sense, against) for sense in ("<=", ">=")]
    earlier = [_UNKNOWN] * 2 if before is None else [before.at_most, before.at_least]
    at_most, at_least = (
        _level(order, label_row, key, level, clock, by_label=by_label)
        for key, level in zip(keys, earlier, strict=True)
    )
    return _read(at_most, at_least, order.name)


_UNKNOWN = Level(Fraction(0), Fraction(1))


def _level(
    order: Order,
    index: int,
    key: Specification,
    before: Level,
    clock: Clock,
    *,
    by_label: bool,
) -> Level:
    exam = order.exam
    held = tuple(sorted({n for n in map(exam.held, range(exam.n_judges)) if n}))
    grid = Accuracies(exam.n_items) if by_label else Grades(held or (1,))
    if isinstance(order, Order1) and exam.n_labels == 2 and not by_label:
        (condition,) = key.conditions
        edge = condition.value * exam.n_items
        ends = (0, floor(edge)) if condition.sense == "<=" else (ceil(edge), exam.n_items)
        x = best_grade(exam, index, *ends)
        return level_at(order, grid, key, x, clock)
    return highest_level(order, grid, key, before, clock)


def _read(at_most: Level, at_least: Level, order: int | str) -> Conclusion:
    highest = max(at_most.limit, at_least.limit)
    winner, threshold = None, highest
    if at_most.limit < at_least.reached:
        winner, threshold = "above", at_most.limit
    elif at_least.limit < at_most.reached:
        winner, threshold = "below", at_least.limit
    exact = at_most.exact and at_least.exact
    return Conclusion(winner, threshold, highest, at_most, at_least, order, exact)


# --- How little dependence between errors moves what a trio says of a rate: two answers, neither a licence.
#
# To first order, with within-label correlations of pairs and third cumulants of at most r, standardised, the
# estimate p moves by at most r (S2 + S3). That takes errors that go together on one label and apart on the
# other. Judges who share errors on both labels are the milder case: the smallest r such that pair
# correlations between 0 and r, and no third cumulants, give the same counts at the other rate.


Of = Callable[[Floats, float, "_Moments"], Floats]

_PAIRS = tuple(combinations(range(3), 2))
_FIRST, _SECOND = [0, 0, 1], [1, 2, 2]
_SIGNS = 1 - 2 * np.array(list(np.ndindex(2, 2, 2)))  # +1 where the first label is given


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """A decoded trio and the rate it is moved to.

    Attributes
    ----------
    rate : float
        Share of the first label in the solution, strictly between 0 and 1.
    accuracies : (3, 2) array
    to : float
        The rate it is compared with.
    """

    rate: float
    accuracies: Floats
    to: float

    @property
    def skill(self) -> Floats:
        """(3,): accuracy on the first label plus that on the second, less 1."""
        result: Floats = self.accuracies.sum(1) - 1
        return result

    def terms(self) -> tuple[Floats, Floats]:
        """Largest shift per correlation: (3, 2) of pairs by label, (2,) of the trio."""
        spread = np.sqrt(self.accuracies * (1 - self.accuracies))
        share = np.array([self.rate, 1 - self.rate])
        rows = [share * spread[list(g)].prod(0) / abs(self.skill[list(g)].prod()) for g in GROUPS]
        return np.array(rows[:3]), 2 * rows[3]


def worst_to(moved: Moved) -> float | None:
    """Correlation that moves the estimate, errors arranged in the worst way; None above 1.

    First order: it errs by some percent, more where it is large.
    """
    pairs, third = moved.terms()
    total = float(pairs.sum() + third.sum())
    return _capped(abs(moved.rate - moved.to) / total if total else np.inf)


def shared_to(moved: Moved, seed: int = 0) -> float | None:
    """Smallest r for which shared errors give the same counts at the other rate, or None.

    All pair correlations within a label lie between 0 and r, third cumulants are 0. A local search from
    several starts over the eight counts: an upper limit on the smallest r, within rounding.
    """
    if not 0 < moved.to < 1:
        return None
    moments = _Moments.of(moved)
    rng = np.random.default_rng(seed)
    ends: list[float] = []
    for start in steps(range(ROBUST_STARTS), "searching for the judges that would mislead most"):
        point = _search(moments, moved, rng, start)
        ends += [] if point is None else [point]
        if len(ends) == ROBUST_FOUND:
            break
    return _capped(min(ends)) if ends else None


def _capped(r: float) -> float | None:
    return r if r <= 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class _Moments:
    """Means (3,), covariances of pairs (3,) and the third moment of the votes for the first label."""

    means: Floats
    pairs: Floats
    third: float

    @classmethod
    def of(cls, moved: Moved) -> _Moments:
        """Those that independent errors give."""
        p, d = moved.rate, moved.skill
        q = 1 - p
        means = p * moved.accuracies[:, 0] + q * (1 - moved.accuracies[:, 1])
        pairs = p * q * np.array([d[i] * d[j] for i, j in _PAIRS])
        return cls(means, pairs, p * q * (q - p) * d.prod())


def _search(moments: _Moments, moved: Moved, rng: np.random.Generator, start: int) -> float | None:
    """Smallest bound found from one start; None where the counts are missed."""
    from scipy.optimize import minimize

    p = moved.to
    scale = rng.uniform(0.8, 1.1) if start else 1.0
    shares = rng.uniform(0, 0.2, 6) if start else np.full(6, 0.05)
    first = np.concatenate([scale * moved.skill, shares, [max(0.2, shares.max())]])
    constraints = [
        {
            "type": kind,
            "fun": partial(of, p=p, moments=moments),
            "jac": partial(_slopes, of, p, moments),
        }
        for kind, of in (("eq", _missed), ("ineq", _room))
    ]
    search: Any = minimize
    solved = search(
        lambda z: (z[9], np.eye(10)[9]),
        first,
        jac=True,
        method="SLSQP",
        bounds=[(-1, 1)] * 3 + [(0, 1)] * 7,
        constraints=constraints,
        options={"maxiter": 300, "ftol": 1e-10},
    )
    off = max(abs(_missed(solved.x, p, moments)).max(), -_room(solved.x, p, moments).min())
    return float(solved.x[9]) if off < ROBUST_MISS else None


def _slopes(of: Of, p: float, moments: _Moments, z: Floats) -> Floats:
    """Derivatives of constraints (m, 10), by central differences, all at once."""
    step = 1e-6 * np.eye(10)
    result: Floats = (of(z + step, p, moments) - of(z - step, p, moments)).T / 2e-6
    return result


# below, z (..., 10) holds the skills of the judges (3), correlations of pairs on items of the first label
# (3) and of the second (3), and their bound


def _votes(z: Floats, p: float, moments: _Moments) -> Floats:
    """(..., 2, 3): how often each judge gives the first label on items of the first, and second."""
    d = z[..., :3]
    return np.stack([moments.means + (1 - p) * d, moments.means - p * d], axis=-2)


def _covariances(z: Floats, votes: Floats) -> Floats:
    """(..., 2, 3): covariance of each pair within the first label and the second."""
    spread = np.sqrt(np.clip(votes * (1 - votes), 0, None))
    within = z[..., 3:9].reshape(*z.shape[:-1], 2, 3)
    result: Floats = within * spread[..., _FIRST] * spread[..., _SECOND]
    return result


def _missed(z: Floats, p: float, moments: _Moments) -> Floats:
    """(..., 4): by how much the moments of pairs and of all three are missed."""
    q, d = 1 - p, z[..., :3]
    within = _covariances(z, _votes(z, p, moments))
    on, off = within[..., 0, :], within[..., 1, :]
    pairs = p * q * d[..., _FIRST] * d[..., _SECOND] + p * on + q * off - moments.pairs
    third = p * q * ((q - p) * d.prod(-1) + (d * (on - off)[..., ::-1]).sum(-1)) - moments.third
    return np.concatenate([pairs, third[..., None]], axis=-1)


def _room(z: Floats, p: float, moments: _Moments) -> Floats:
    """(..., 22): how far correlations are below their bound, and chances of triples above 0."""
    votes = _votes(z, p, moments)
    within = _covariances(z, votes)
    gave = np.where(_SIGNS > 0, votes[..., None, :], 1 - votes[..., None, :])
    chance = gave.prod(-1)
    for number, (i, j) in enumerate(_PAIRS):
        signs = _SIGNS[:, i] * _SIGNS[:, j]
        chance = chance + signs * within[..., [number]] * gave[..., 3 - i - j]
    below = z[..., 9:] - z[..., 3:9]
    return np.concatenate([below, chance.reshape(*z.shape[:-1], 16)], axis=-1)


# --- The same beliefs where the items are a sample: each judge's counts become intervals, then meet.
#
# A maximum over judges of noisy ends is not covered by widening the maximum, so each judge's share of votes
# gets its own Wilson interval, at a level that all of them hold together.


Ends = tuple[float, float]


def population_range(exam: Exam, floors: Floors, index: int, level: float) -> Ends | None:
    """Rates of a label in the population that floors leave, at a level of confidence.

    `exam`: counts of items drawn at random from the population; `floors`: of the judges' accuracies in the
    population, on what they answer there. None where no rate is left: at this
    confidence the floors are wrong.
    """
    low, high = (_by_label if floors.by_label else _by_grade)(exam, floors, index, level)
    return (low, high) if low <= high else None


def _by_grade(exam: Exam, floors: Floors, index: int, level: float) -> Ends:
    """Rate >= share - (1 - x) answered, and rate <= share + (1 - x) answered + left out."""
    each = _each(level, sum(1 + bool(m) for m in exam.missing))
    low, high = 0.0, 1.0
    for i in range(exam.n_judges):
        if not exam.held(i):
            continue
        slack = 1 - float(floors.levels[i][0])
        least, most = wilson(exam.counts[i][index], exam.n_items, each)
        none, left_out = _left_out(exam, i, each)
        low = max(low, least - slack * (1 - none))
        high = min(high, most + slack + (1 - slack) * left_out)
    return low, high


def _by_label(exam: Exam, floors: Floors, index: int, level: float) -> Ends:
    """Each label's rate <= share / x + left out, and the others leave the rest."""
    two = exam.n_labels == 2  # of two labels one share is the other's complement
    shares = sum((1 if two else exam.n_labels) + bool(m) for m in exam.missing)
    each = _each(level, shares)
    most = [1.0] * exam.n_labels
    for i in range(exam.n_judges):
        _, left_out = _left_out(exam, i, each)
        for t, x in enumerate(floors.levels[i]):
            if x and exam.held(i):
                share = wilson(exam.counts[i][t], exam.n_items, each)[1]
                most[t] = min(most[t], share / float(x) + left_out)
    return max(0.0, 1 - sum(most) + most[index]), most[index]


def _each(level: float, n: int) -> float:
    return 1 - (1 - level) / max(1, n)


def _left_out(exam: Exam, judge: int, level: float) -> Ends:
    missing = exam.missing[judge]
    return wilson(missing, exam.n_items, level) if missing else (0.0, 0.0)


# --- Trios of judges decoded as if their errors were independent: counts, rates, error bars.


_PASSING = (Status.OK, Status.IRRATIONAL, Status.NOT_INTEGRAL)
Counts = Ints


@dataclass(frozen=True, slots=True, eq=False)
class Trio:
    """What three judges say if their errors are independent.

    Attributes
    ----------
    judges : 3 str
    counts : 8 ints
        Items by their answers AAA, AAB, ..., BBB; A the first label.
    status : Status
    rate : float or None
        Share of the first label; None where the solution is none or leaves [0, 1].
    accuracies : (3, 2) array
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Counts
    status: Status
    rate: float | None
    accuracies: Floats

    @property
    def n_items(self) -> int:
        """Items that all three answered."""
        return int(self.counts.sum())

    @property
    def evaluation(self) -> Evaluation:
        """The solution."""
        on_a, on_b = self.accuracies.T
        rows = [np.column_stack([on_a, 1 - on_a]), np.column_stack([1 - on_b, on_b])]
        shares = np.array([self.rate, 1 - (self.rate or 0.0)])
        return Evaluation(self.judges, self.labels, self.labels, shares, np.stack(rows, axis=1))

    def error(self, target: str) -> float | None:
        """Standard error of the rate; None where first order does not give one."""
        p = self.rate
        if p is None or not 0 < p < 1 or (self.accuracies.sum(1) == 1).any():
            return None
        of: Literal["exam", "population"] = "exam" if target == "items" else "population"
        with np.errstate(invalid="ignore"):
            error = error_bars(self.evaluation, self.n_items, of=of).prevalence
        return error if isfinite(error) else None

    def sketch(self) -> Sketch:
        """Counts alone."""
        codes = np.array(list(np.ndindex(2, 2, 2)))
        return Sketch(self.judges, self.labels, self.labels, codes, self.counts)


def decoded_trios(data: Joint) -> tuple[Trio, ...]:
    """Trios of judges who answer with two labels, decoded; spread evenly where there are many.

    Items that one of the three did not answer, or answered with no label, are left out of its counts.
    """
    axes = data if isinstance(data, Votes) else as_sketch(data)
    chosen = _chosen(len(axes.judges), len(axes.codes))
    counts = np.array(list(_counts(data, chosen)), np.int64).reshape(-1, 8)
    chosen = [trio for trio, row in zip(chosen, counts, strict=True) if row.sum()]
    counts = counts[counts.sum(1) > 0]
    if not chosen:
        return ()
    batch = decode_batch(counts)
    passing = inside(batch.prevalence, batch.accuracies) & ~batch.tie
    return tuple(
        Trio(
            tuple(axes.judges[i] for i in trio),
            axes.labels,
            counts[row],
            STATUSES[int(batch.codes[row])],
            float(batch.prevalence[row])
            if passing[row] and STATUSES[int(batch.codes[row])] in _PASSING
            else None,
            batch.accuracies[row],
        )
        for row, trio in enumerate(chosen)
    )


def _chosen(n_judges: int, n_rows: int) -> list[tuple[int, ...]]:
    every: list[tuple[int, ...]] = list(combinations(range(n_judges), 3))
    most = min(MOST_TRIOS, max(1, MOST_TRIO_CELLS // max(1, n_rows)))
    if len(every) <= most:
        return every
    spread = np.linspace(0, len(every) - 1, most).round().astype(int)
    return [every[position] for position in np.unique(spread)]


def _counts(data: Joint, chosen: list[tuple[int, ...]]) -> Iterator[Counts]:
    """Yield how many items got each of the eight triples of answers."""
    if isinstance(data, Votes):
        codes, weights = data.codes, None
    else:
        sketch = as_sketch(data)
        codes, weights = sketch.codes, sketch.counts.astype(float)  # exact below 2^53
    columns = {i: np.ascontiguousarray(codes[:, i]) for trio in chosen for i in trio}
    for trio in chosen:
        column, two, three = (columns[i] for i in trio)
        kept = (column >= 0) & (column < 2) & (two >= 0) & (two < 2) & (three >= 0) & (three < 2)
        cells = (4 * column + 2 * two + three)[kept]
        times = None if weights is None else weights[kept]
        yield np.rint(np.bincount(cells, times, minlength=8)).astype(np.int64)


# --- What judges who contradict one another cannot all be: of two different answers one at most is right.


_ROWS = 1 << 16
Counted = tuple[Codes, Ints]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CallAccuracy(Record):
    """How often several calls can be right, all of them together, whatever the truth.

    Attributes
    ----------
    calls : tuple of str
        The judges, or the calls of one judge: orders of the answers, repetitions.
    lowest, highest : Fraction
        Share of their answers that is right.
    contradicted : Fraction
        Share of the items with two or more of their answers on which these differ.
    n_answers : int
    """

    calls: tuple[str, ...]
    lowest: Fraction
    highest: Fraction
    contradicted: Fraction
    n_answers: int


@reads
def accuracy_of_calls(data: Data, calls: Iterable[object] | None = None) -> CallAccuracy:
    """How accurate several calls can be on average, from their contradictions alone.

    Use it on a judge asked twice, with the order of two answers swapped or in other words: if its
    answers differ on a share c of the items, it is right on at most 1 - c/2 of the calls. For two
    judges it bounds the mean of their accuracies.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is never read.
    calls : names of judges, optional
        Two or more; default all.

    Raises
    ------
    DataError
        If there are fewer than two calls, or none of them answered anything.

    Notes
    -----
    On an item whose label is l exactly the calls that answered l are right: between the fewest and the
    most that any label got. Answers that are no label are never right.

    Examples
    --------
    >>> swapped = {"A first": ["A", "A", "B", "B"], "B first": ["A", "B", "B", "A"]}
    >>> accuracy_of_calls(swapped).highest
    Fraction(3, 4)
    """
    data = as_joint(data)
    judges, labels = _axes(data)
    names = judges if calls is None else tuple(map(str, calls))
    columns = positions("judge", names, judges)
    if len(columns) < 2:
        raise DataError(f"calls must be two or more; got {len(columns)}; name them in calls=")
    codes, weights = _counted(data)
    counts = np.stack([(codes[:, columns] == t).sum(1) for t in range(len(labels))])
    answered = (codes[:, columns] != NOT_ANSWERED).sum(1)
    total = int(answered @ weights)
    if not total:
        raise DataError(f"calls must have answered something; {list(names)} did not; choose others")
    apart = (answered > 1) & (counts.max(0) < answered)
    several = int(weights[answered > 1].sum())
    return CallAccuracy(
        calls=tuple(names),
        lowest=Fraction(int(counts.min(0) @ weights), total),
        highest=Fraction(int(counts.max(0) @ weights), total),
        contradicted=Fraction(int(weights[apart].sum()), several) if several else Fraction(0),
        n_answers=total,
    )


def _axes(data: Joint) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Judges and labels."""
    named = data.sketch if isinstance(data, KeyedSketch) else data
    return named.judges, named.labels


def _counted(data: Joint) -> Counted:
    """Rows of answers, and how many items each stands for."""
    if isinstance(data, Votes):
        return data.codes, np.ones(len(data.codes), np.int64)
    sketch = as_sketch(data)
    return sketch.codes, sketch.counts


def most_contradicting(data: Joint) -> tuple[str, str] | None:
    """Two judges who differ on the largest share of the items both answered."""
    codes, weights = _counted(data)
    judges, labels = _axes(data)
    same, both = np.zeros((2, len(judges), len(judges)))
    for start in range(0, len(codes), _ROWS):
        part, times = codes[start : start + _ROWS], weights[start : start + _ROWS]
        for index in range(len(labels)):
            same += _together(part == index, times)
        both += _together(part != NOT_ANSWERED, times)
    share = [
        (Fraction(int(both[i, j] - same[i, j]), int(both[i, j])), -i, -j)
        for i, j in combinations(range(len(judges)), 2)
        if both[i, j]
    ]
    if not share:
        return None
    _, i, j = max(share)
    return judges[-i], judges[-j]


def _together(gave: NDArray[np.bool_], times: Ints) -> Floats:
    """On how many items two judges both did; floats, exact below 2^53."""
    floats = gave.astype(float)
    weighted = floats if times.max() == 1 else floats * times[:, None]
    sums: Floats = floats.T @ weighted
    return sums


# --- The rungs that are logic: nothing assumed, contradictions, beliefs about the judges, thresholds.


Proofs = dict[str, Certificate]


def nothing(ground: Ground) -> Rung:
    """Rung of no assumption at all."""
    return assumption_row(
        Rung,
        "nothing",
        "nothing: every answer key is possible with these votes",
        "impossible",
        ends=(Fraction(0), Fraction(1)),
        against=ground.against,
        target=ground.target,
        exact=True,
    )


def contradictions(ground: Ground) -> tuple[CallAccuracy, ...]:
    """How right all judges, and the two who differ most, can be: none where it is not known."""
    if isinstance(ground.data, Summary) or ground.exam.n_judges < 2:
        return ()
    data = as_joint(ground.data)
    pair = most_contradicting(data)
    if pair is None:
        return ()
    every = (accuracy_of_calls(data),) if ground.exam.n_judges > 2 else ()
    return *every, accuracy_of_calls(data, pair)


def of_contradictions(ground: Ground, calls: Sequence[CallAccuracy]) -> Rung:
    """Rung of what judges who contradict one another cannot be."""
    words = [
        f"at most {format_exact(call.highest)} of {_judge_of(call, ground.exam)} are right"
        for call in calls
    ]
    return replace(
        nothing(ground),
        name="judges contradict one another",
        assumption="nothing: of two different answers at most one is right",
        breaks_at=f"impossible: so {', and '.join(words)}",
    )


def _judge_of(call: CallAccuracy, exam: Exam) -> str:
    several = len(call.calls) > 2 or call.calls == exam.judges
    return "the judges' answers" if several else f"those of {' and '.join(call.calls)}"


def refused(ground: Ground, belief: Belief, calls: Sequence[CallAccuracy]) -> str | None:
    """Why contradictions make a belief impossible, in words; None where they do not.

    Counts per judge may leave a belief possible that two judges' joint answers rule out.
    """
    floors = floors_of(ground.exam, belief.specification)
    if floors is None:
        return None
    for call in calls:
        if _too_much(ground.exam, floors, call):
            return (
                f"That {belief.assumption} is impossible with these votes: at most "
                f"{format_exact(call.highest)} of {_judge_of(call, ground.exam)} are right, so often do they "
                "contradict one another."
            )
    return None


def _too_much(exam: Exam, floors: Floors, call: CallAccuracy) -> bool:
    """Whether floors ask for more right answers than contradictions leave."""
    judges = [exam.judges.index(name) for name in call.calls]
    needed = sum(ceil(min(floors.levels[i]) * exam.held(i)) for i in judges)
    return needed > call.highest * call.n_answers


def of_belief(
    ground: Ground, belief: Belief, level: float | None = None, *, proved: bool = True
) -> tuple[Rung, Proofs]:
    """Rung of a belief about the judges, and its proofs if it is to be `proved`.

    `level`: confidence left for the votes as a sample; by default all of it.
    """
    if ground.target == "population":
        range_ = _in_population(ground, belief, level or ground.level)
        if range_ is not None:
            return range_, {}
    settled = settle(ground.exam, belief.specification, ground.place, ground.clock, proved=proved)
    if ground.full is not None:
        part = ground.clock.part(share=FULL_SHARE)
        settled = narrowed(ground.full, belief.specification, ground.place, settled, part)
    proofs = {
        f"{belief.name}: {what}": certificate
        for what, certificate in settled.certificates().items()
    }
    return _settled_rung(ground, belief, settled), proofs


def _settled_rung(ground: Ground, belief: Belief, settled: Settled) -> Rung:
    return assumption_row(
        Rung,
        belief.name,
        belief.assumption,
        belief.breaks_at if settled.ends else "impossible with these votes",
        ends=settled.ends,
        against=ground.against,
        status=Status.OK if settled.ends else Status.INCONSISTENT,
        target="items",
        exact=True,
        order=settled.order,
    )


def _in_population(ground: Ground, belief: Belief, level: float) -> Rung | None:
    """Rung for the population; None where the belief is no floors."""
    floors = floors_of(ground.exam, belief.specification)
    if floors is None:
        return None
    range_ = population_range(ground.exam, floors, ground.place, level)
    chance = level_text(1 - ground.level)
    breaks_at = f"{belief.breaks_at};" if range_ else "impossible with these votes, but for"
    return assumption_row(
        Rung,
        belief.name,
        f"{belief.assumption}, in the population that the items were drawn from at random",
        f"{breaks_at} chance ({chance})",
        ends=range_,
        against=ground.against,
        status=Status.OK if range_ else Status.INCONSISTENT,
        target="population",
    )


def thresholds(ground: Ground) -> tuple[Conclusion, Belief, Rung, Proofs, tuple[str, ...]]:
    """Which beliefs decide, the weakest of them and its rung, proofs and notes."""
    conclusion = conclude(Order1(ground.exam), ground.place, ground.against, ground.clock)
    notes: tuple[str, ...] = ()
    if ground.full is not None and ground.full.in_time(ground.clock):
        part = ground.clock.part(share=FULL_SHARE)
        conclusion = conclude(ground.full, ground.place, ground.against, part, before=conclusion)
    if not conclusion.exact:
        notes = ("Time ran out: the thresholds are proved limits, not the best possible.",)
    belief = _deciding(conclusion, ground)
    rung, proofs = of_belief(replace(ground, target="items"), belief)
    return conclusion, belief, rung, proofs | conclusion.certificates(), notes


def _deciding(conclusion: Conclusion, ground: Ground) -> Belief:
    x = format_exact(conclusion.threshold)
    most = max(conclusion.at_most.reached, conclusion.at_least.reached)
    if conclusion.winner is None:
        return Belief(
            f"every judge right on {percent(most)}, the most that is known to be possible",
            conclusion.sentence(ground.label, ground.against),
            "one judge below it; more is impossible",
            Specification.grade(">=", most),
            asked=False,
        )
    return Belief(
        f"every judge right on more than {percent_up(conclusion.threshold)}",
        conclusion.sentence(ground.label, ground.against),
        f"one judge right on {x} or less",
        Specification.grade(">", conclusion.threshold),
        asked=False,
    )


# --- What was climbed so far, what in it contradicts one another, and the ladder made of it.


@dataclass(slots=True)
class Climbed:
    """Rungs, proofs and notes on the way up."""

    rungs: list[Rung] = field(default_factory=list)
    # names of rungs that somebody believes, or that labels show: what contradicts one is an alarm
    binding: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    proofs: Proofs = field(default_factory=dict)
    conclusion: Conclusion | None = None
    robustness: Robustness | None = None
    not_random: bool = False

    def add(self, rung: Rung, proofs: Proofs | None = None, *, binding: bool = False) -> None:
        """Add a rung above the others."""
        self.rungs.append(rung)
        self.proofs |= proofs or {}
        if binding:
            self.binding.append(rung.name)

    def ladder(
        self, ground: Ground, beliefs: tuple[Belief, ...], settings: dict[str, Any]
    ) -> Ladder:
        """Ladder, its verdict, and what contradicts one another."""
        for binds, remarks in self._outside():
            (self.alarms if binds else self.notes).append(remarks)
        believed = self._believed(ground, beliefs)
        status = Status.OK if believed.against != "undetermined" else Status.UNDETERMINED
        conclusion = self.conclusion
        return Ladder(
            status=Status.INCONSISTENT if self.alarms else status,
            message=self._message(ground, believed),
            label=ground.label,
            target=ground.target,
            against=ground.against,
            n_items=ground.exam.n_items,
            judges=ground.exam.judges,
            rungs=tuple(self.rungs),
            low=Fraction(0) if believed.low is None else believed.low,
            high=Fraction(1) if believed.high is None else believed.high,
            winner=None if conclusion is None else conclusion.winner,
            conclusion_threshold=None if conclusion is None else conclusion.threshold,
            possible_up_to=None if conclusion is None else conclusion.possible_up_to,
            robustness=self.robustness,
            alarms=tuple(self.alarms),
            notes=tuple(self.notes),
            not_random=self.not_random,
            certificates=self.proofs,
            settings=settings,
        )

    def _outside(self) -> Iterator[tuple[bool, str]]:
        """Yield pairs of rungs without a rate in common, and whether the lower one binds.

        Two rungs of logic are not compared: what they contradict is each other's assumption.
        """
        for lower, higher in combinations(self.rungs, 2):
            binds = lower.name in self.binding
            compared = (binds or lower.exact) and (higher.name in self.binding or not higher.exact)
            if compared and apart(lower, higher):
                sentence = f"'{higher.name}' lies outside '{lower.name}': at least one of the two is wrong."
                yield binds, sentence

    def _believed(self, ground: Ground, beliefs: tuple[Belief, ...]) -> Rung:
        """Rung that somebody believes, of the rate asked for; else that of nothing."""
        names = {belief.name for belief in beliefs if belief.asked}
        rungs = [r for r in self.rungs if r.name in names and r.target == ground.target]
        return rungs[0] if rungs and not self.alarms else self.rungs[0]

    def _message(self, ground: Ground, believed: Rung) -> str:
        if self.alarms:
            return f"Inconsistent: {self.alarms[0]}"
        conclusion = self.conclusion
        sentence = (
            "" if conclusion is None else " " + conclusion.sentence(ground.label, ground.against)
        )
        side, label = format_exact(ground.against), repr(ground.label)
        if believed.against != "undetermined":
            return f"If {believed.assumption}, the rate of {label} is {believed.against} {side}.{sentence}"
        return (
            f"Undetermined: the votes alone do not say on which side of {side} the rate of {label} lies."
            f"{sentence}"
        )


# --- The rung of independent errors: what the trios of judges say of a rate, and how easily it moves.


NAME = "independent errors"
_ASSUMED = "the judges err independently on the items of each label, and are better than guessing"
_BROKEN = (
    "broken already: no rates from 0 to 1 give such counts; errors go together, or items are few"
)
_OPEN = "nothing to break: any number of rates give such counts"


@dataclass(frozen=True, slots=True, eq=False)
class Independence:
    """The rung, how robust it is, and notes."""

    rung: Rung
    robustness: Robustness | None
    notes: tuple[str, ...]


def independence(
    data: Joint, index: int, against: Fraction, *, target: str, level: float, brief: bool = False
) -> Independence:
    """What independent errors say of the rate of one of two labels.

    `data`: of three or more judges; `against`: the rate that dependence would have
    to move the estimate to. Each trio is decoded. The estimate is the median; the error bar is the median
    of the trios' own, by the delta method on the logit scale, for the trios share their judges and
    averaging gains little. `brief`: its ends alone, not what would move it.
    """
    trios = decoded_trios(data)
    usable = [trio for trio in trios if trio.rate is not None and trio.error(target) is not None]
    if not usable:
        return Independence(_none(trios, target), None, ())
    rates = np.array([_seen(trio, index) for trio in usable])
    middle = float(np.median(rates))
    error = float(np.median([trio.error(target) or 0.0 for trio in usable]))
    half = normal_quantile(level) * error / (middle * (1 - middle))
    low, high = map(float, expit(logit(middle) + np.array([-half, half])))
    central = usable[int(np.argmin(abs(rates - middle)))]
    robustness = None if brief else _robustness(central, index, against)
    rung = assumption_row(
        Rung,
        NAME,
        f"{_ASSUMED} ({_trios(trios, usable)})",
        "" if robustness is None else _breaks(robustness, against),
        ends=(low, high),
        estimate=middle,
        against=against,
        target=target,
    )
    notes = () if brief else _notes(rates, central, index, level)
    return Independence(rung, robustness, notes)


def _seen(trio: Trio, index: int) -> float:
    rate = trio.rate or 0.0
    return 1 - rate if index else rate


def _none(trios: tuple[Trio, ...], target: str) -> Rung:
    """Rung where no trio has a solution with an error bar."""
    status, why = Status.UNDETERMINED, "no item was answered by three judges with labels"
    if trios:
        statuses = {trio.status for trio in trios} - {
            Status.OK,
            Status.IRRATIONAL,
            Status.NOT_INTEGRAL,
        }
        status = statuses.pop() if len(statuses) == 1 == len(trios) else Status.OUT_OF_RANGE
        why = _BROKEN if status is not Status.UNDETERMINED else _OPEN
    return assumption_row(
        Rung, NAME, _ASSUMED, why, against="undetermined", status=status, target=target
    )


def _trios(trios: tuple[Trio, ...], usable: list[Trio]) -> str:
    if len(trios) == 1:
        return "judges " + ", ".join(trios[0].judges)
    return f"median of the {len(usable)} of {how_many(len(trios), 'trio')} that decode"


def _robustness(trio: Trio, index: int, against: Fraction) -> Robustness:
    # as seen from the label asked for, judges in the order of their accuracies: no name moves a search
    accuracies = trio.accuracies[:, [index, 1 - index]]
    moved = Moved(_seen(trio, index), accuracies[np.lexsort(accuracies.T)], float(against))
    return Robustness(judges=trio.judges, worst=worst_to(moved), shared=shared_to(moved))


def _breaks(robustness: Robustness, against: Fraction) -> str:
    to = f"moves the estimate to {percent(float(against), 0)}"
    if robustness.shared is None:
        shared = f"no correlation was found that, shared on both labels, {to}"
    else:
        shared = (
            f"errors shared on both labels, correlated about {robustness.shared:.2g}: that {to}"
        )
    if robustness.worst is None:
        return shared
    return f"{shared}; arranged in the worst way, about {robustness.worst:.2g}"


def _notes(rates: Floats, trio: Trio, index: int, level: float) -> tuple[str, ...]:
    sentences = []
    if len(rates) > 1:
        sentences.append(
            f"Independent errors: the trios say {percent(rates.min())} to {percent(rates.max())}; were the "
            "errors independent they would agree."
        )
    again = bootstrap(trio.sketch(), n_samples=BOOTSTRAP_SAMPLES, level=level)
    if again.n_used:
        ends = sorted(1 - again.prevalence if index else again.prevalence)
        sentences.append(
            f"Independent errors, items of {', '.join(trio.judges)} drawn again: {level_text(level)} of "
            f"{again.n_used} decodings lie between {percent(ends[0])} and {percent(ends[1])}."
        )
    return tuple(sentences)


# --- Climb the ladder: every rung that these votes have, from nothing assumed upwards.


@reads
def climb(
    data: Data,
    label: str,
    *,
    against: object = Fraction(1, 2),
    at_least: object | None = None,
    gold: Gold | None = None,
    target: str = "items",
    level: float = LEVEL,
    models: bool = False,
    time_limit: float | None = None,
) -> Ladder:
    """What the votes say about the rate of a label, rung by rung.

    Use it where there are no labels, or too few: it says what follows from what you believe of the
    judges, and how much you would have to believe for the votes to decide.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        A key is never read.
    label : str
        Whose rate is asked for, as "pass".
    against : number
        The rate compared with.
    at_least : number, mapping, text or Specification, optional
        What is believed of the judges: a share of the items each answered, on which it is right; {judge:
        share}; {label: share}; or conditions. By default the usual levels are shown, none believed.
    gold : Gold, optional
        Labels of some items, drawn at random, used to grade the judges alone; needs Votes.
    target : "items" or "population"
        The rate on these items, or in what they were drawn from at random.
    level : float
        Confidence of the rungs that are not logic.
    models : bool
        Whether to fit models of how votes arise.
    time_limit : float or None
        Seconds for programs and proofs, by default counted work; closed forms are always worked out.

    Returns
    -------
    Ladder
        Status `ok`: what is believed decides; `undetermined`: the votes do not decide, as ever without
        beliefs; `inconsistent`: see `alarms`.

    Raises
    ------
    DataError
        If the label, a judge or a number is not what it has to be.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"x": {"pass": 80, "fail": 20}, "y": {"pass": 70, "fail": 30}}
    >>> found = climb(Summary.from_counts(grades), "pass", at_least=0.9)
    >>> found.low, found.high, found.status.value
    (Fraction(7, 10), Fraction(4, 5), 'ok')
    >>> found.conclusion_threshold, found.possible_up_to
    (Fraction(7, 10), Fraction(19, 20))
    """
    ground = ground_of(
        data,
        label,
        against=against,
        target=target,
        level=level,
        clock=question_clock(time_limit, LADDER_WORK),
    )
    exam = ground.exam
    rungs = Climbed()
    rungs.add(nothing(ground))
    beliefs = beliefs_in(exam, at_least)
    if exam.n_labels > 1:
        _climb_exact(ground, beliefs, gold, rungs)
        _climb_estimates(ground, rungs, models=models)
    else:
        rungs.notes.append(
            f"The votes know one label alone, {exam.labels[0]!r}; name the others with "
            f"{option('labels')} when "
            "they are read, for anything to be said."
        )
    settings: dict[str, Any] = {
        "at_least": _sentences(at_least),
        "level": ground.level,
        "models": models,
    }
    return rungs.ladder(ground, beliefs, settings | {"time_limit": time_limit})


def climb_checked(
    data: Data, label: str, gold: Gold | None, time_limit: float | None = None
) -> Ladder:
    """The rungs of which one can refute the labels or be refuted by them, without proofs.

    `gold`: as of `climb`; its alarms are those of `climb` where nothing is believed.
    """
    ground = ground_of(
        data,
        label,
        against=Fraction(1, 2),
        target="items",
        level=LEVEL,
        clock=question_clock(time_limit, LADDER_WORK),
    )
    rungs = Climbed()
    rungs.add(nothing(ground))
    if ground.exam.n_labels > 1 and gold is not None:
        _climb_checked(ground, gold, rungs, proved=False)
        if _decodes(ground):
            joint, at = as_joint(data), (ground.place, ground.against)
            independent = independence(joint, *at, target="items", level=LEVEL, brief=True)
            rungs.add(independent.rung)
    return rungs.ladder(ground, (), {})


def _decodes(ground: Ground) -> bool:
    """Whether independent errors are decoded."""
    exam = ground.exam
    return exam.n_labels == 2 and exam.n_judges >= 3 and not isinstance(ground.data, Summary)


def _sentences(at_least: object) -> str | None:
    return None if at_least is None else str(at_least)


def _climb_exact(
    ground: Ground, beliefs: tuple[Belief, ...], gold: Gold | None, rungs: Climbed
) -> None:
    contradicted = contradictions(ground)
    if contradicted:
        rungs.add(of_contradictions(ground, contradicted))
    for belief in steps(beliefs, "asking what each belief leaves possible"):
        rung, proofs = of_belief(ground, belief)
        rung = _graded(ground, belief, rung, gold)
        rungs.add(rung, proofs, binding=belief.asked)
        sentence = refused(ground, belief, contradicted) if ground.target == "items" else None
        if belief.asked and rung.target != ground.target:
            rungs.notes.append(f"'{rung.name}' speaks of these items alone, not of the population.")
        if rung.low is None:
            sentence = f"That {belief.assumption} is {rung.breaks_at}."
        if sentence is not None:
            (rungs.alarms if belief.asked else rungs.notes).append(sentence)
    rungs.conclusion, belief, rung, proofs, notes = thresholds(ground)
    rungs.add(_graded(ground, belief, rung, gold), proofs)
    rungs.notes += notes
    if ground.full is None and not isinstance(ground.data, Summary):
        rungs.notes.append(
            f"Exact rungs use each judge's counts alone: full order is tried up to {FULL_TUPLES} different "
            "tuples of answers."
        )
    if gold is not None:
        _climb_checked(ground, gold, rungs)


def _graded(ground: Ground, belief: Belief, rung: Rung, gold: Gold | None) -> Rung:
    """Rung of a belief with the judge whom labels drawn at random grade below it."""
    floors = floors_of(ground.exam, belief.specification)
    if gold is None or floors is None or not isinstance(ground.data, Votes | LabelledSketch):
        return rung
    return replace(rung, refuted_by=graded_below(ground.data, gold, floors, rung.target))


def _climb_checked(ground: Ground, gold: Gold, rungs: Climbed, *, proved: bool = True) -> None:
    if not isinstance(ground.data, Votes | LabelledSketch):
        raise DataError(
            f"data must be Votes, as labels are joined to items; got {type(ground.data).__name__}"
        )
    population = ground.target == "population"
    alpha = (1 - ground.level) / (2 if population else 1)  # the other half is the votes' own
    spec = checked_grades(ground.data, gold, ground.target, alpha)
    if spec is None:
        rungs.notes.append("No judge answered a labelled item, so none can be graded.")
        return
    level = level_text(ground.level)
    belief = Belief(
        f"judges graded by {how_many(len(gold), 'label')}",
        f"the labelled items were drawn at random; then, at {level} for all judges together, "
        + spec.describe(),
        "labelled items not drawn at random"
        + ("" if population else f"; chance ({level_text(1 - ground.level)})"),
        spec,
        asked=False,
    )
    rung, proofs = of_belief(ground, belief, 1 - alpha, proved=proved)
    rungs.add(rung, proofs, binding=True)
    if rung.low is not None:
        return
    surely = checked_grades(ground.data, gold, ground.target, UNBALANCED_CHANCE)
    if surely is not None:
        unlikely = replace(belief, specification=surely)
        rare, _ = of_belief(ground, unlikely, 1 - UNBALANCED_CHANCE, proved=False)
        rungs.not_random = rare.low is None
    if rungs.not_random:
        rungs.alarms.append(
            "The labels grade the judges higher than the votes allow on these items: were the labelled "
            "items drawn at random?"
        )


def _climb_estimates(ground: Ground, rungs: Climbed, *, models: bool) -> None:
    data = ground.data
    if isinstance(data, Summary):
        rungs.notes.append(
            "Counts per judge alone: no row rests on which answers fell on the same item."
        )
        return
    joint = as_joint(data)
    if _decodes(ground):
        independent = independence(
            joint, ground.place, ground.against, target=ground.target, level=ground.level
        )
        rungs.add(independent.rung)
        rungs.robustness = independent.robustness
        rungs.notes += independent.notes
    else:
        rungs.notes.append(
            "Independent errors are decoded for two labels and three judges or more."
        )
    if models:
        fitted, notes = modelled(
            joint, ground.label, ground.against, target=ground.target, clock=ground.clock
        )
        for rung in fitted:
            rungs.add(rung)
        rungs.notes += notes
