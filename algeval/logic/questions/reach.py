"""`reach`: down to which level logic will ever refute, with as many items as you like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod
from typing import Any, ClassVar, TypeVar

import numpy as np

from algeval.data.names import check_number
from algeval.errors import DataError, TooLargeError
from algeval.logic.exam import order_words
from algeval.logic.policy import (
    MOST_REACH_JUDGES,
    MOST_REACH_PATTERNS,
    REACH_HALVINGS,
    SHOWN_PANELS,
)
from algeval.result import Result, Status, percent
from algeval.result.numbers import size_text
from algeval.result.tables import Table, scalars

Number = TypeVar("Number", float, Fraction)

# --- What logic can ever tell of judges who err independently.
#
# With many items the shares of the decision tuples are those that the judges' accuracies imply. A level can
# be met in the limit if shares f(u, t) of each tuple can be labelled t, adding up to 1, so that every judge
# has it on every label: a linear program over tuples. Judges who are alike may be averaged over, so that only
# the numbers of judges who gave each label count. At order m any m judges do: labelling the answers of every
# m of them by what they do best agrees among all m, and no key does better for m judges than that.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reach(Result):
    """Down to which level logic refutes, in the long run.

    Attributes
    ----------
    limit : float
        With enough items every higher level is refuted, and no lower one.
    n_judges : int
        Judges of the panel.
    accuracy : tuple of float
        How often each judge is right, on every label.
    prevalence : tuple of float
        Shares of the labels.
    n_labels : int
        Labels to tell apart.
    order : int or "full"
        How many judges' joint answers logic uses.
    by_judges : tuple of (int, float)
        The same limit of other numbers of judges of this kind; empty where judges differ.
    """

    schema: ClassVar[str] = "algeval.reach/1"

    limit: float
    n_judges: int
    accuracy: tuple[float, ...]
    prevalence: tuple[float, ...]
    n_labels: int
    order: int | str
    by_judges: tuple[tuple[int, float], ...] = ()

    @property
    def meaning(self) -> str:
        """What the limit does not mean."""
        return (
            "It assumes independent errors: judges who err together agree more, and logic refutes less. "
            "On a finite exam the threshold is lower, by up to about one over the root of the items."
        )

    @property
    def refuted(self) -> str:
        """The answer alone, without the judges."""
        if self.limit >= 1:
            return "However many items there are, logic refutes nothing."
        above = percent(self.limit)
        return f"With enough items logic refutes every level above {above} and none below."

    @property
    def more_judges(self) -> str:
        """What more judges of this kind would bring; empty where judges differ or nothing is gained."""
        better = [(n, x) for n, x in self.by_judges if n > self.n_judges and x < self.limit]
        shown = [(n, x) for n, x in better if percent(x) != percent(self.limit)][:2]
        if not shown:
            return ""
        (n, limit), *rest = shown
        also = "".join(f", {k} to {percent(x)}" for k, x in rest if percent(x) != percent(limit))
        return f"{n} judges of this kind would bring it to {percent(limit)}{also}."

    def summary(self) -> str:
        """Limit, what more judges would bring, what it rests on, and other numbers of judges."""
        sizes = "; ".join(f"{n} judges: {percent(limit)}" for n, limit in self.by_judges)
        lines = [self.message, self.more_judges, self.meaning]
        lines += [f"Of judges of this kind: {sizes}."] if sizes else []
        return "\n".join(filter(None, lines))

    def as_tables(self) -> tuple[Table, ...]:
        """One row, and the limits of other numbers of judges."""
        return (scalars(self), Table.of_rows("By judges", ("judges", "limit"), self.by_judges))


def reach(
    n_judges: int,
    accuracy: float | Sequence[float],
    *,
    prevalence: float | Sequence[float] | None = None,
    n_labels: int = 2,
    order: int | str | None = None,
) -> Reach:
    """Lowest level that logic refutes if given enough items, for judges who err independently.

    Use it before an exam is planned: however many items it has, the votes of such judges will never refute
    lower levels, so no alarm can go off there.

    Parameters
    ----------
    n_judges : int
        How many judges vote.
    accuracy : float, or a list with one for each judge
        How often a judge is right, whatever the label; its wrong answers go to the other labels alike.
    prevalence : float or list, optional
        Share of the first of two labels, or of each label; by default all alike.
    n_labels : int
        How many labels there are.
    order : int, "full" or None
        How many judges' joint answers to use; None is all of them. Where accuracies differ it must be that.

    Returns
    -------
    Reach
        Status `ok`.

    Raises
    ------
    DataError
        If a number is out of range.
    TooLargeError
        If there are too many different decision tuples to go through.

    Notes
    -----
    Two labels that are as frequent, order m: the mean over items of the share of m judges who give the
    commoner answer, 1 - s - s^2 - 2 s^3 - 5 s^4 - ..., with s = p (1 - p) and floor(m / 2) of Catalan's
    numbers. So orders 2 and 3 reach as far there, and so do 4 and 5; where labels are not as frequent odd
    orders bring something.

    Examples
    --------
    >>> round(reach(5, 0.8).limit, 4)
    0.8144
    >>> round(reach(5, 0.8, order=2).limit, 4)
    0.84
    """
    if not isinstance(n_judges, int) or isinstance(n_judges, bool) or n_judges < 1:
        raise DataError(f"n_judges must be a whole number >= 1; got {n_judges!r}; correct it")
    if not isinstance(n_labels, int) or n_labels < 2:
        raise DataError(f"n_labels must be a whole number >= 2; got {n_labels!r}; correct it")
    if n_judges > MOST_REACH_JUDGES:
        raise TooLargeError(
            f"the number of judges must be at most {MOST_REACH_JUDGES:,}; got {size_text(n_judges)}; ask for "
            "fewer, as more hardly change the limit"
        )
    rates = _accuracies(accuracy, n_judges)
    shares = _prevalences(prevalence, n_labels)
    together = n_judges if order in (None, "full") else order
    if not isinstance(together, int) or isinstance(together, bool) or not 1 <= together <= n_judges:
        raise DataError(f"order must be 1..{n_judges} or 'full'; got {order!r}; choose one of them")
    alike = len(set(rates)) == 1
    if not alike and together not in (1, n_judges):
        raise DataError(
            f"order must be 1 or 'full' where judges' accuracies differ; got {order!r}; leave it out"
        )
    limit = 1.0
    if together > 1:
        limit = _limit_alike(rates[0], shares, together) if alike else _limit(rates, shares)
    named: int | str = "full" if together == n_judges and together > 1 else together
    by_judges: tuple[tuple[int, float], ...] = ()
    if alike and named == "full":
        counts = [n for n in SHOWN_PANELS if _n_patterns(n, n_labels) <= MOST_REACH_PATTERNS // 4]
        by_judges = tuple((n, _limit_alike(rates[0], shares, n)) for n in counts)
    return Reach(
        status=Status.OK,
        message=_sentence(n_judges, rates, limit, named),
        limit=limit,
        n_judges=n_judges,
        accuracy=rates,
        prevalence=shares,
        n_labels=n_labels,
        order=named,
        by_judges=by_judges,
    )


def _accuracies(accuracy: float | Sequence[float], n_judges: int) -> tuple[float, ...]:
    values = (
        list(accuracy) if isinstance(accuracy, Sequence | np.ndarray) else [accuracy] * n_judges
    )
    rates = tuple(float(check_number("accuracy", rate)) for rate in values)
    if len(rates) != n_judges or not all(0 <= rate <= 1 for rate in rates):
        raise DataError(
            f"accuracy must be a number in 0..1, or one for each of {n_judges} judges; got {accuracy!r}; "
            "correct it"
        )
    return rates


def _prevalences(prevalence: float | Sequence[float] | None, n_labels: int) -> tuple[float, ...]:
    if prevalence is None:
        return (1 / n_labels,) * n_labels
    if not isinstance(prevalence, Sequence | np.ndarray):
        first = float(check_number("prevalence", prevalence))
        values = [first, 1 - first]
    else:
        values = [float(check_number("prevalence", share)) for share in prevalence]
    if len(values) != n_labels or min(values) < 0 or abs(sum(values) - 1) > 1e-9:
        raise DataError(
            f"prevalence must be the share of the first of two labels, or {n_labels} shares that add up "
            f"to 1; got {prevalence!r}; correct it"
        )
    return tuple(values)


def _n_patterns(n_judges: int, n_labels: int) -> int:
    return comb(n_judges + n_labels - 1, n_labels - 1)


def majority_share(n_judges: int, accuracy: Number) -> Number:
    """Mean share of the judges who give the commoner of two answers, exactly of a fraction.

    Examples
    --------
    >>> majority_share(5, Fraction(4, 5))
    Fraction(509, 625)
    """
    s = accuracy * (1 - accuracy)
    term, share = s, 1 - 0 * s
    for k in range(1, n_judges // 2 + 1):  # term: the Catalan number k - 1 times s to the k
        share -= term
        term = term * s * (4 * k - 2) / (k + 1)
    return share


def _limit_alike(p: float, shares: Sequence[float], m: int) -> float:
    """Limit of m judges who are alike, from how many of them gave each label."""
    labels = len(shares)
    if m == 1 or p in (0.0, 1.0):
        return 1.0 if m == 1 or p == 1.0 or labels == 2 else _limit((p,) * m, shares)
    even = max(shares) - min(shares) < 1e-12
    if labels == 2 and even:
        return majority_share(m, p)
    if _n_patterns(m, labels) > MOST_REACH_PATTERNS:
        raise TooLargeError(
            f"n_judges must leave at most {MOST_REACH_PATTERNS} ways of sharing out the labels; got "
            f"{_n_patterns(m, labels)}; ask for fewer judges or a lower order"
        )
    wrong = (1 - p) / (labels - 1)
    counts, weights = [], []
    for k in _compositions(m, labels):
        orders = factorial(m) // prod(map(factorial, k))
        counts.append(k)
        weights.append(
            sum(q * orders * p ** k[t] * wrong ** (m - k[t]) for t, q in enumerate(shares))
        )
    if even:
        return float(sum(w * max(k) for w, k in zip(weights, counts, strict=True)) / m)
    if labels == 2:
        return _where_labels_meet(np.array(weights), np.array(counts, float)[:, 0] / m)
    right = np.array(counts, float)[:, None] / m  # (U, 1, R)
    return _highest(np.array(weights), right)


def _where_labels_meet(weights: Any, share: Any) -> float:
    """Limit of judges alike and two labels: patterns with most votes for the first label are labelled so.

    `share` (U,), rising: of the judges who gave the first label. The best labelling is a step with at most
    one pattern cut in two; as it widens, accuracy on the first label falls and on the second rises.
    """
    weights, share = weights[::-1], share[::-1]
    first = np.concatenate([[0.0], np.cumsum(weights)])
    gained = np.concatenate([[0.0], np.cumsum(weights * share)])
    lost = np.concatenate([[0.0], np.cumsum(weights * (1 - share))])
    low, high = 0.0, float(len(weights))
    ends = range(len(first))

    def both(cut: float) -> tuple[float, float]:
        q, a, b = (float(np.interp(cut, ends, line)) for line in (first, gained, lost))
        of_second = lost[-1] - b
        return (a / q if q > 0 else 1.0), (of_second / (1 - q) if q < 1 - 1e-15 else 1.0)

    for _ in range(2 * REACH_HALVINGS):
        middle = (low + high) / 2
        a, b = both(middle)
        low, high = (middle, high) if a > b else (low, middle)
    return round(float(min(both((low + high) / 2))), 8)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _limit(rates: Sequence[float], shares: Sequence[float]) -> float:
    """Limit of judges who differ, tuple by tuple."""
    labels = len(shares)
    if labels ** len(rates) > MOST_REACH_PATTERNS:
        raise TooLargeError(
            f"n_judges must leave at most {MOST_REACH_PATTERNS} decision tuples where accuracies differ; got "
            f"{labels ** len(rates)}; ask for fewer judges"
        )
    tuples = np.array(list(product(range(labels), repeat=len(rates))))
    weights = np.zeros(len(tuples))
    for t, share in enumerate(shares):
        each = np.where(tuples == t, np.array(rates), (1 - np.array(rates)) / (labels - 1))
        weights += share * each.prod(1)
    right = (tuples[:, :, None] == np.arange(labels)).astype(float)
    return _highest(weights, right)


def _highest(weights: Any, right: Any) -> float:
    """Highest level at which shares of tuples meet it for all judges on all labels; right (U, N, R)."""
    from scipy.optimize import linprog

    n_tuples, n_judges, labels = right.shape
    sums = np.repeat(np.eye(n_tuples), labels, axis=1)
    gains = np.zeros((n_judges * labels, n_tuples, labels))
    held = np.zeros_like(gains)
    for i in range(n_judges):
        for t in range(labels):
            gains[i * labels + t, :, t] = weights * right[:, i, t]
            held[i * labels + t, :, t] = weights
    rows = n_judges * labels
    gains, held = gains.reshape(rows, -1), held.reshape(rows, -1)
    low, high = 0.0, 1.0
    for _ in range(REACH_HALVINGS):
        middle = (low + high) / 2
        # the greatest least surplus at this level, as the last unknown
        table = np.column_stack([-(gains - middle * held), np.ones(rows)])
        solved: Any = linprog(
            np.append(np.zeros(n_tuples * labels), -1.0),
            A_ub=table,
            b_ub=np.zeros(rows),
            A_eq=np.column_stack([sums, np.zeros(n_tuples)]),
            b_eq=np.ones(n_tuples),
            bounds=[(0, 1)] * (n_tuples * labels) + [(-1, 1)],
            method="highs",
        )
        if solved.status == 0 and -solved.fun >= -1e-9:
            low = middle
        else:
            high = middle
    return round(low, 8)


def _sentence(n_judges: int, rates: Sequence[float], limit: float, order: int | str) -> str:
    who = "One judge" if n_judges == 1 else f"{n_judges} judges"
    if len(set(rates)) == 1:
        skill = f"right on {percent(rates[0])} of items"
    else:
        skill = f"right on {percent(min(rates))} to {percent(max(rates))} of items"
    each = f"{who}, each {skill}" if n_judges > 1 else f"{who}, {skill}"
    if limit >= 1:
        return (
            f"{each}: however many items there are, logic refutes nothing ({order_words(order)})."
        )
    return (
        f"{each}: with enough items logic refutes every level above {percent(limit)} and none below "
        f"({order_words(order)})."
    )
