"""Labels per item before they are paid: chances that the better system wins."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Context
from fractions import Fraction
from itertools import product
from math import comb, log
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias, overload

import numpy as np
from scipy.special import betainc

from algeval.budgets.kernel import LogLaw, lead_law, log_law, log_rho
from algeval.data.names import check_number, check_whole
from algeval.data.scores import Floats
from algeval.errors import DataError, TooLargeError, parameter
from algeval.result import Result, Status, Table, exact
from algeval.result.base import Record
from algeval.result.numbers import how_many

# --- How probable it is that the better of two classifiers wins on n labelled items.


MOST_ITEMS = 2**53
"""Whole numbers above it are not all floats."""


class Outcomes(NamedTuple):
    """The chances that the sum is positive, zero, negative; floats, or arrays of one shape."""

    win: Any
    tie: Any
    loss: Any


def win_probability(a: Any, b: Any, n: Any) -> Any:
    """Chance that the sum of n items, each +1 with chance a and -1 with chance b, is positive.

    The items are independent, and 0 with what is left of the chance. A tied test is no win. The value is
    right to some 1e-14 of itself, be it next to 0 or to 1, and takes as long for a million items as for a
    dozen.

    Parameters
    ----------
    a, b : float or array of float
        Chances of +1 and -1, at least 0 and at most 1 together.
    n : int or array of int
        Number of items, at least 0; all three broadcast.

    Returns
    -------
    float or array of float
        In [0, 1].

    Raises
    ------
    DataError
        If a or b is no chance, or n no whole number.

    Examples
    --------
    >>> round(win_probability(0.16, 0.154, 1500), 5)
    0.65237
    """
    return outcomes(a, b, n).win


def outcomes(a: Any, b: Any, n: Any) -> Outcomes:
    """Chances of a win, a tie and a loss; see `win_probability`.

    Each is right to some 1e-14 of itself while it is no smaller than a float can be.

    Examples
    --------
    >>> [round(part, 2) for part in outcomes(0.5, 0.25, 2)]
    [0.5, 0.31, 0.19]
    """
    return Outcomes(*(_plain(np.exp(part)) for part in log_outcomes(a, b, n)))


def log_outcomes(a: Any, b: Any, n: Any) -> LogLaw:
    """Natural logarithms of the chances of a win, a tie and a loss; see `win_probability`.

    Examples
    --------
    >>> round(log_outcomes(0.45, 0.001, 100_000).loss)
    -52530
    """
    up, down, many = _checked(a, b, n)
    return LogLaw(*map(_plain, log_law(up, down, many)))


def error_rate(a: Any, b: Any) -> Any:
    """Return -log(c + 2 sqrt(ab)), c = 1 - a - b: how fast errors die out, in nats per item.

    For a > b the chance of no win is at most exp(-n rate), and its logarithm divided by n tends to -rate
    (Lemma C.1 of the paper on single labels, and Cramer's theorem).

    Examples
    --------
    >>> round(error_rate(0.16, 0.10), 8)
    0.00704253
    """
    up, down, _ = _checked(a, b, 1)
    return _plain(-log_rho(up, down) + 0.0)


def smallest_n(a: float, b: float, target: float) -> int:
    """Fewest items on which the better classifier wins with at least the target probability.

    The chance of a win is not monotone in n, as an even number of items ties more often. Half the ties
    added, it is; where that falls short, so does the win. From there on every n is tried.

    Raises
    ------
    DataError
        If a is not above b, or the target not between 0 and 1.

    Examples
    --------
    >>> smallest_n(0.5, 0.25, 0.9)
    23
    """
    goal = check_number("target", target, least=0, most=1, strict=True)
    _checked(a, b, 1)
    if not a > b:
        raise DataError(
            f"a must be above b for any number of items to do; got {a!r} and {b!r}; change one"
        )
    high = 1
    while _fair(a, b, high) < goal:
        high *= 2
        if high > MOST_ITEMS:
            raise DataError(
                f"{parameter('target')} must be within reach of 2^53 items; got {target!r}; ask for less"
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fair(a, b, middle) < goal else (low, middle)
    return _first_from(a, b, high, goal)


def _fair(a: float, b: float, n: int) -> float:
    win, tie, _ = outcomes(a, b, n)
    return float(win + tie / 2)


def _first_from(a: float, b: float, start: int, goal: float) -> int:
    block = 256
    while True:
        tried = np.arange(start, start + block)
        reached = np.flatnonzero(win_probability(a, b, tried) >= goal)
        if reached.size:
            return int(tried[reached[0]])
        start, block = start + block, min(2 * block, 2**16)


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)


def _checked(a: Any, b: Any, n: Any) -> tuple[Floats, Floats, Floats]:
    up, down = (_chances(name, value) for name, value in (("a", a), ("b", b)))
    if np.any(up + down > 1 + 1e-12):
        raise DataError(
            f"a and b must be at most 1 together; got up to {float((up + down).max()):g}; "
            "give the chances of +1 and of -1"
        )
    many = _counts(n)
    try:
        np.broadcast_shapes(up.shape, down.shape, many.shape)
    except ValueError:
        shapes = [up.shape, down.shape, many.shape]
        raise DataError(
            f"a, b and n must have shapes that broadcast; got {shapes}; make them alike"
        ) from None
    return up, down, many


def _chances(name: str, value: Any) -> Floats:
    try:
        chances = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        chances = np.asarray(np.nan)
    if not np.all((chances >= 0) & (chances <= 1)):
        raise DataError(f"{parameter(name)} must be chances from 0 to 1; got {value!r}; change it")
    return chances


def _counts(value: Any) -> Floats:
    try:
        counts = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        counts = np.asarray(np.nan)
    if not np.all((counts >= 0) & (counts <= MOST_ITEMS) & (counts == np.floor(counts))):
        raise DataError(
            f"{parameter('n')} must be whole numbers from 0 to 2^53; got {value!r}; change it"
        )
    return counts


# --- How good the majority of m labels is, if each is right with chance q, independently.


@overload
def majority_accuracy(q: Fraction, m: int) -> Fraction: ...
@overload
def majority_accuracy(q: float, m: int) -> float: ...
@overload
def majority_accuracy(q: Any, m: int) -> Any: ...
def majority_accuracy(q: Any, m: int) -> Any:
    """M_m(q), the chance that the majority of m labels is right; a tie is decided by a coin.

    With the coin, 2r labels are as good as 2r - 1: a last label can only make a tie, or break a tie's
    coin its own way.

    Parameters
    ----------
    q : Fraction, float or array of float
        Chance that one label is right, in [0, 1]. A fraction gives a fraction.
    m : int
        Labels, at least 1.

    Raises
    ------
    DataError
        If m is no whole number from 1 on, or q leaves [0, 1].

    Examples
    --------
    >>> majority_accuracy(Fraction(4, 5), 3)
    Fraction(112, 125)
    """
    votes = check_whole("m", m)
    if not np.all((np.asarray(q) >= 0) & (np.asarray(q) <= 1)):
        raise DataError(f"q must be from 0 to 1; got {q!r}; give the chance that a label is right")
    odd = votes - 1 + votes % 2
    if isinstance(q, Fraction):
        return _exactly(q, odd // 2)
    accuracy = betainc(odd // 2 + 1, odd // 2 + 1, q)
    return accuracy if np.ndim(accuracy) else float(accuracy)


def _exactly(q: Fraction, pairs: int) -> Fraction:
    """M_m(q) for m = 2 pairs + 1 by its gain over one label, a term for each pair more."""
    right, whole = q.numerator, q.denominator
    term = total = 1
    for j in range(1, pairs + 1):
        term = term * right * (whole - right) * 2 * (2 * j - 1) // j
        total = total * whole**2 + term
    scale = whole ** (2 * pairs)
    return Fraction(whole * scale + (2 * right - whole) * total, 2 * whole * scale)


def majority_gain(q: Any, m: int) -> Any:
    """Return (2 M_m(q) - 1) / (2q - 1), how much steeper a majority is than one label.

    It is the sum of C(2j, j) (q(1 - q))^j over j up to (m - 1)/2, which is 1 + 2 sigma of Lemma C.4 of
    the paper on single labels, with sigma the sum of C(k, (k + 1)/2) (q(1 - q))^((k + 1)/2) over odd
    k <= m - 2; it is taken at its limit where q is 1/2.

    Examples
    --------
    >>> majority_gain(Fraction(1, 2), 3)
    Fraction(3, 2)
    """
    votes = check_whole("m", m)
    return sum(comb(2 * j, j) * (q * (1 - q)) ** j for j in range((votes - 1) // 2 + 1))


MOST_PLURALITY = 99
"""Labels per item of several kinds; their plurality takes longer."""


def plurality_accuracy(q: float, m: int, n_labels: int) -> float:
    """Chance that the commonest of m labels is right, ties decided by lot; wrong labels are alike.

    Two labels of an item say as much as one: where they differ a lot decides. Beyond that even numbers help,
    too, if there are more than two kinds.

    Parameters
    ----------
    q : float
        Chance that one label is right; each other kind has (1 - q) / (n_labels - 1).
    m : int
        Labels of an item, at most 99.
    n_labels : int
        Kinds of labels, at least 2.

    Examples
    --------
    >>> round(plurality_accuracy(0.6, 3, 3), 3)
    0.696
    """
    votes, kinds = check_whole("m", m, 1, MOST_PLURALITY), check_whole("n_labels", n_labels, 2) - 1
    wrong = (1 - q) / kinds
    powers = np.array([wrong**i / math.factorial(i) for i in range(votes + 1)])
    total = 0.0
    for k in range(1, votes + 1):  # right labels, then how many kinds have as many
        below = np.zeros(votes + 1)
        below[:k] = powers[:k]
        others = [np.eye(1, votes + 1)[0]]
        for _ in range(kinds):
            others.append(np.convolve(others[-1], below)[: votes + 1])
        tied = (
            comb(kinds, j) * powers[k] ** j * others[kinds - j][votes - k - j * k] / (j + 1)
            for j in range(min(kinds, votes // k - 1) + 1)
        )
        total += q**k / math.factorial(k) * math.fsum(tied)
    return min(1.0, total * math.factorial(votes))


# --- What one labelled item says about two classifiers: +1, -1 or nothing, and with which chances.


Spread: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Rivals:
    """Two classifiers, by the chances that exactly one of them is right on an item.

    Numbers are read as a person wrote them: 0.8 is 4/5.

    Attributes
    ----------
    better_alone, worse_alone : Fraction
        Chance that only the better one is right, and that only the worse one is.
    both_wrong : Fraction
        Chance that both are wrong, and not alike; 0 of two labels.

    Examples
    --------
    >>> Rivals.independent(0.8, 0.01).disagree
    Fraction(157, 500)
    """

    better_alone: Fraction
    worse_alone: Fraction
    both_wrong: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        """Check the chances."""
        better, worse = self.better_alone, self.worse_alone
        if not (0 <= worse < better and self.disagree <= 1):
            raise DataError(
                "the better classifier must be right alone more often than the worse one; "
                f"got {float(better):g} and {float(worse):g}; change the accuracies"
            )

    @property
    def disagree(self) -> Fraction:
        """How often the two answer differently."""
        return self.better_alone + self.worse_alone + self.both_wrong

    @classmethod
    def independent(cls, accuracy: Any, margin: Any, n_labels: int = 2) -> Rivals:
        """Two classifiers that err independently, right with `accuracy` and `accuracy + margin`.

        Of several labels their wrong answers go to the wrong labels alike.
        """
        worse = _chance(accuracy, "accuracy")
        best = worse + exact(margin, "margin")
        if not worse < best <= 1:
            raise DataError(
                f"{parameter('margin')} must be above 0 and leave {parameter('accuracy')} + "
                f"{parameter('margin')} at most 1; got "
                f"{margin!r}; change it"
            )
        apart = (1 - worse) * (1 - best) * _unlike(n_labels)
        return cls((1 - worse) * best, worse * (1 - best), apart)

    @classmethod
    def correlated(
        cls, accuracy: Any, better_if_wrong: Any, better_if_right: Any, n_labels: int = 2
    ) -> Rivals:
        """Classifiers by the worse one's accuracy, and the better one's where it is wrong or right.

        These are p_w, p_b^0 and p_b^1 of the paper on single labels.
        """
        worse = _chance(accuracy, "accuracy")
        wrong = _chance(better_if_wrong, "better_if_wrong")
        right = _chance(better_if_right, "better_if_right")
        apart = (1 - worse) * (1 - wrong) * _unlike(n_labels)
        return cls((1 - worse) * wrong, worse * (1 - right), apart)


def _unlike(n_labels: int) -> Fraction:
    """Chance that two wrong answers differ."""
    return Fraction(n_labels - 2, n_labels - 1)


def _chance(value: Any, name: str) -> Fraction:
    chance = exact(value, name)
    if not 0 <= chance <= 1:
        raise DataError(f"{parameter(name)} must be from 0 to 1; got {value!r}; change it")
    return chance


@dataclasses.dataclass(frozen=True, slots=True)
class LabelAccuracy:
    """How often one label is right, where only the better classifier is right, and where only the worse.

    Attributes
    ----------
    better, worse : tuple of (q, weight)
        Accuracies in [1/2, 1] and how often each occurs; the weights sum to 1. One pair if all items are
        alike.
    n_labels : int
        Kinds of labels. Of more than two all items are alike, and wrong labels too.
    """

    better: Spread
    worse: Spread
    n_labels: int = 2

    @classmethod
    def of(cls, values: Any, n_labels: int = 2) -> LabelAccuracy:
        """Read a number; a pair (q_b, q_w); or {"better": {q: weight}, "worse": {q: weight}}.

        Examples
        --------
        >>> LabelAccuracy.of((0.9, 0.8)).mean
        (Fraction(9, 10), Fraction(4, 5))
        """
        if isinstance(values, LabelAccuracy):
            return values
        if n_labels > 2:
            return cls._of_several(values, n_labels)
        if isinstance(values, Mapping):
            return cls._of_mapping(values)
        pair = tuple(values) if isinstance(values, list | tuple) else (values, values)
        if len(pair) != 2:
            raise DataError(
                f"{parameter('label_accuracy')} must be one number or two, where only the better "
                "and where only the "
                f"worse classifier is right; got {values!r}; write it like 0.8, or 0.85 and 0.8"
            )
        better, worse = (((_accuracy(q), Fraction(1)),) for q in pair)
        return cls(better, worse)

    @classmethod
    def _of_several(cls, value: Any, n_labels: int) -> LabelAccuracy:
        q = exact(value, "label_accuracy")
        if not Fraction(1, n_labels) < q <= 1:
            raise DataError(
                f"{parameter('label_accuracy')} must be one number above 1/{n_labels} and at most 1 of "
                f"{n_labels} labels; got {value!r}; no other label may be as likely as the right one"
            )
        only = ((q, Fraction(1)),)
        return cls(only, only, n_labels)

    @classmethod
    def _of_mapping(cls, by_kind: Mapping[Any, Any]) -> LabelAccuracy:
        if set(by_kind) != {"better", "worse"}:
            raise DataError(
                f"{parameter('label_accuracy')} must have the parts 'better' and 'worse'; "
                f"got {sorted(map(str, by_kind))}; write {{'better': {{0.8: 1}}, 'worse': {{0.7: 1}}}}"
            )
        return cls(_spread(by_kind["better"]), _spread(by_kind["worse"]))

    @property
    def mean(self) -> tuple[Fraction, Fraction]:
        """q_b and q_w: how often one label is right in either event."""
        return self.majority(1)

    @property
    def varies(self) -> bool:
        """Whether some items are labelled better than others within an event."""
        return len(self.better) > 1 or len(self.worse) > 1

    def majority(self, m: int) -> tuple[Fraction, Fraction]:
        """How often the majority of m labels, of several kinds the plurality, is right in either event."""
        if self.n_labels > 2 and m > 1:
            right = Fraction(plurality_accuracy(float(self.better[0][0]), m, self.n_labels))
            return right, right
        return _mean(self.better, m), _mean(self.worse, m)

    def plain(self) -> Any:
        """What `of` reads, as JSON types."""
        if self.varies:
            parts = {"better": self.better, "worse": self.worse}
            return {name: {str(q): str(w) for q, w in part} for name, part in parts.items()}
        q_b, q_w = map(str, self.mean)
        return q_b if q_b == q_w else [q_b, q_w]


def _accuracy(value: Any) -> Fraction:
    q = exact(value, "label_accuracy")
    if not Fraction(1, 2) <= q <= 1:
        raise DataError(
            f"{parameter('label_accuracy')} must be from 0.5 to 1; got {value!r}; labels worse "
            "than chance name no winner"
        )
    return q


def _spread(value: Any) -> Spread:
    if not isinstance(value, Mapping) or not value:
        raise DataError(
            f"{parameter('label_accuracy')} must give {{accuracy: weight}}; got {value!r}; write "
            f"{{0.7: 0.5, 0.9: 0.5}}"
        )
    pairs = tuple((_accuracy(q), exact(w, "weight")) for q, w in value.items())
    if min(w for _, w in pairs) < 0 or sum(w for _, w in pairs) != 1:
        raise DataError(
            f"{parameter('label_accuracy')} must give weights that sum to 1; got {value!r}; write "
            f"{{0.7: 0.5, 0.9: 0.5}}"
        )
    return pairs


def _mean(part: Spread, m: int) -> Fraction:
    return sum((w * majority_accuracy(q, m) for q, w in part), Fraction(0))


def gap_chances(rivals: Rivals, labels: LabelAccuracy, m: int = 1) -> tuple[Fraction, Fraction]:
    """Chances of +1 and -1: the label, a majority of m, sides with the better, with the worse.

    Propositions B.1 and B.2 of the paper on single labels.

    Examples
    --------
    >>> gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8))
    (Fraction(4, 25), Fraction(77, 500))
    """
    q_b, q_w = labels.majority(m)
    better, worse, kinds = rivals.better_alone, rivals.worse_alone, labels.n_labels - 1
    # a label is just one of the wrong ones with this chance
    wrong_b, wrong_w = (1 - q_b) / kinds, (1 - q_w) / kinds
    both = rivals.both_wrong * wrong_b
    return better * q_b + worse * wrong_w + both, better * wrong_b + worse * q_w + both


def assumption_1(labels: LabelAccuracy) -> bool:
    """Whether labels are at least as good where only the better classifier is right."""
    q_b, q_w = labels.mean
    return bool(q_b >= q_w)


def assumption_2(rivals: Rivals, labels: LabelAccuracy, m: int) -> bool:
    """Whether what varying accuracy takes from a majority of m harms the better classifier no less.

    The paper's (1), multiplied out, so that it has a meaning where the worse is never right alone.
    """
    if not labels.varies:
        return True
    accuracies, mean = labels.majority(m), labels.mean
    lost = [majority_accuracy(q, m) - part for q, part in zip(mean, accuracies, strict=True)]
    return bool(rivals.better_alone * lost[0] >= rivals.worse_alone * lost[1])


# --- Two labels an item, and a third where they differ, until the budget is spent.


def adaptive_outcomes(rivals: Rivals, q: float, budget: int) -> Outcomes:
    """Chances of a win, a tie and a loss if the third label is bought where two labels differ.

    An item costs two labels, or three with chance 2q(1 - q); it is as good as a majority of three. Items
    are labelled while three labels can be paid, so their number is random. Exact; time grows as budget
    squared.

    Parameters
    ----------
    rivals : Rivals
    q : float
        Chance that a label is right, whatever the item.
    budget : int
        Labels to spend.

    Examples
    --------
    >>> round(adaptive_outcomes(Rivals.independent(0.8, 0.01), 0.8, 1500).win, 5)
    0.62711
    """
    cheap, dear = _items(rivals, float(q))
    spent = [np.zeros(budget + 3) for _ in range(3)]
    spent[0][_middle(budget)] = 1.0
    total = np.zeros(budget + 3)
    for left in range(budget, -1, -1):
        here, spent = spent[0], [*spent[1:], np.zeros(budget + 3)]
        if left < 3:
            total += here
            continue
        _add(spent[1], here, cheap)
        _add(spent[2], here, dear)
    return _signs(total, _middle(budget))


def _middle(budget: int) -> int:
    return budget // 2 + 1


def _items(rivals: Rivals, q: float) -> tuple[Floats, Floats]:
    """Chances of -1, 0 and +1 with two labels, and with three."""
    better, worse = float(rivals.better_alone), float(rivals.worse_alone)
    same, torn = 1 - better - worse, 2 * q * (1 - q)
    both, none = q**2, (1 - q) ** 2
    cheap = [better * none + worse * both, same * (1 - torn), better * both + worse * none]
    dear = [
        torn * (better * (1 - q) + worse * q),
        torn * same,
        torn * (better * q + worse * (1 - q)),
    ]
    return np.array(cheap), np.array(dear)


def _add(target: Floats, law: Floats, item: Floats) -> None:
    target[:-1] += item[0] * law[1:]
    target += item[1] * law
    target[1:] += item[2] * law[:-1]


def _signs(total: Floats, zero: int) -> Outcomes:
    win, loss = float(total[zero + 1 :].sum()), float(total[:zero].sum())
    return Outcomes(min(win, 1.0), float(total[zero]), min(loss, 1.0))


# --- More than two classifiers: three exactly, any number between bounds.


MOST_ITEMS_OF_SEVERAL = 1500
"""Items of three classifiers: a plane of (2n + 2)^2 complex numbers, some 150 MB."""


def best_of_three(accuracies: Sequence[Any], label_accuracy: Any, n: int) -> float:
    """Chance that the first of three classifiers alone scores highest on n labelled items.

    The three err independently, and so do the labels. Its leads over the other two are a walk in the plane;
    their law is a Fourier transform, right to some 1e-13.

    Parameters
    ----------
    accuracies : three numbers
        The first one's is the highest.
    label_accuracy : number
        Chance that a label is right.
    n : int
        Items, one label each.

    Raises
    ------
    DataError
        If the accuracies are not three, or another one is as good as the first.
    TooLargeError
        If n is above 1,500.

    Examples
    --------
    >>> round(best_of_three([0.9, 0.8, 0.7], 0.9, 100), 5)
    0.9309
    """
    chances = _checked_of_several(accuracies, label_accuracy)
    if len(chances) != 4:
        raise DataError(
            f"accuracies must be three; got {len(chances) - 1}; for more use not_best_between"
        )
    items = check_whole("n", n)
    if items > MOST_ITEMS_OF_SEVERAL:
        raise TooLargeError(
            f"{parameter('n')} must be at most {MOST_ITEMS_OF_SEVERAL}; got {n}; bound it by not_best_between"
        )
    size = 2 * items + 2
    law = np.fft.irfft2(np.fft.rfft2(_one_item(chances, size)) ** items, s=(size, size))
    won = law[1 : items + 1, 1 : items + 1].sum()
    return float(min(max(won, 0.0), 1.0))


def not_best_between(accuracies: Sequence[Any], label_accuracy: Any, n: int) -> tuple[float, float]:
    """Bounds on the chance that the first of several classifiers does not score highest alone.

    The chance that it does not beat them all is at least the largest and at most the sum of the chances
    that it does not beat each. All err independently; see `best_of_three`.

    Examples
    --------
    >>> low, high = not_best_between([0.9, 0.8, 0.7], 0.9, 100)
    >>> round(low, 5), round(high, 5)
    (0.06742, 0.07021)
    """
    *rights, q = _checked_of_several(accuracies, label_accuracy)
    labels, lost = LabelAccuracy.of(q), []
    for other in rights[1:]:
        a, b = gap_chances(Rivals.independent(other, rights[0] - other), labels)
        chances = outcomes(float(a), float(b), n)
        lost.append(chances.tie + chances.loss)
    return max(lost), min(sum(lost), 1.0)


def _checked_of_several(accuracies: Sequence[Any], label_accuracy: Any) -> list[Any]:
    """Accuracies and that of the labels, as fractions."""
    rights = [exact(p, "accuracies") for p in accuracies]
    if len(rights) < 2 or min(rights) < 0 or max(rights) > 1 or max(rights[1:]) >= rights[0]:
        raise DataError(
            f"accuracies must be from 0 to 1, the first the highest; got {list(accuracies)!r}; sort them"
        )
    return [*rights, LabelAccuracy.of(label_accuracy).mean[0]]


def _one_item(chances: list[Any], size: int) -> Floats:
    """Law of the leads over the second and the third on one item, as a plane that wraps round."""
    *rights, q = map(float, chances)
    plane = np.zeros((size, size))
    for first, second, third, label in product((0, 1), repeat=4):
        weight = q if label else 1 - q
        for right, p in zip((first, second, third), rights, strict=True):
            weight *= p if right else 1 - p
        sign = 1 if label else -1
        plane[sign * (first - second), sign * (first - third)] += weight
    return plane


# --- When it is proved that one label for each of mn items beats a majority of m labels for each of n.
#
# The theorem (Conjecture 1 of the paper on single labels, which it leaves open). Let a and b be the chances
# of +1 and -1 with one label, c = 1 - a - b, theta = a/(a + b) the share that one label gives to the better
# classifier of the items the two differ on, and theta_m the same for a majority of m. If 0 < a + b < 1,
# theta > 1/2, theta_m <= M_m(theta) and ab <= 4 c^2, then for every n and every odd m >= 3 the m labels win
# less often. The last holds wherever the two differ on at most 4/5 of the items; Assumptions 1 and 2 give
# the one before.


SAY_NOTHING = "one label sides with the worse classifier as often as with the better one"


def why_not_proved(rivals: Rivals, labels: LabelAccuracy, m: int) -> str:
    """Condition of the theorem that fails, in words, or "" if all hold; in exact arithmetic.

    Examples
    --------
    >>> why_not_proved(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3)
    ''
    >>> why_not_proved(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 2)
    'the theorem is about odd numbers of labels from 3 on'
    """
    if m < 3 or m % 2 == 0:
        return "the theorem is about odd numbers of labels from 3 on"
    a, b = gap_chances(rivals, labels)
    s = a + b
    if a == b:
        return SAY_NOTHING
    if a < b:
        return "one label sides with the worse classifier more often than with the better one"
    if s == 1 or a * b > 4 * (1 - s) ** 2:
        return "the classifiers differ on too many items (the theorem reaches to 4/5)"
    # under Assumption 1 a majority never gains more (Lemma 1 of the proof), unless labels vary with the item
    plain = assumption_1(labels) and not labels.varies
    if not plain and gap_chances(rivals, labels, m)[0] > s * majority_accuracy(a / s, m):
        return "a majority gains more on the items where only the better classifier is right"
    return ""


def gap_at_least(rivals: Rivals, labels: LabelAccuracy, m: int, n: int) -> float:
    """What the theorem puts between the two chances of a win, given that it applies.

    W(one label, mn items) - W(m labels, n items) is at least (1/2 + (2 theta - 1)/4) times the same
    difference of ties: of n items, if m labels were right with chance M_m(theta), and of mn items. It is all
    of the gap in the limit of theta = 1/2, and three quarters of it at theta = 1.

    Examples
    --------
    >>> round(gap_at_least(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8), 3, 500), 5)
    0.00656
    """
    a, b = gap_chances(rivals, labels)
    s, theta = float(a + b), a / (a + b)
    voted = [s * majority_accuracy(float(p), m) for p in (theta, 1 - theta)]
    single = log_outcomes(float(a), float(b), m * n).tie
    several = log_outcomes(voted[0], voted[1], n).tie
    return (1 + 2 * float(theta)) / 4 * math.exp(several) * -math.expm1(single - several)


# --- What a plan is made for, and one row of it: m labels for each of n items.


MOST_LABELS = 999
"""Per item; majorities are taken in exact arithmetic, whose time grows as the square of their size."""


class Task(NamedTuple):
    """The settings of a plan, read once."""

    budget: Fraction
    rivals: Rivals
    labels: LabelAccuracy
    item_cost: Fraction
    label_cost: Fraction
    gold_cost: Fraction | None
    disagreements: bool
    in_the_box: bool = True  # each of the three accuracies of the two classifiers at least one half


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row(Record):
    """So many labels for each of so many items.

    Attributes
    ----------
    m : int
        Labels per item, whose majority is the label of the item.
    items : int
        Items that the budget pays with that many labels each.
    win, tie, loss : float
        Chances that the better classifier scores higher, as high, lower.
    verdict : str
        "proved" if one label each for `m * items` items wins more often, by the theorem; "computed" else.
    gap_at_least : float or None
        If proved: by how much at least.
    """

    m: int
    items: int
    win: float
    tie: float
    loss: float
    verdict: str = "computed"
    gap_at_least: float | None = None


def row_of(m: int, **settings: Any) -> Row:
    """Row of a plan for any number of labels."""
    task, votes = read(settings), check_whole("m", m, 1, MOST_LABELS)
    row = next(iter(rows_of(task, [votes])), None)
    if row is None:
        raise DataError(
            f"m must leave the budget at least one item; got {m!r}; raise the budget or lower m"
        )
    return row


def plain_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as JSON types from which the same plan is made."""
    labels = LabelAccuracy.of(settings["label_accuracy"], settings.get("n_labels", 2))
    plain = ("label_accuracy", "disagreements", "most_labels", "n_labels")
    read = {
        k: None if v is None else str(exact(v, k)) for k, v in settings.items() if k not in plain
    }
    kept = {name: settings.get(name, 2) for name in plain} | {"label_accuracy": labels.plain()}
    return read | kept


def read(settings: dict[str, Any]) -> Task:
    """Settings as numbers and classifiers, checked."""
    numbers = {
        name: _cost(settings, name) for name in ("budget", "item_cost", "label_cost", "gold_cost")
    }
    for name in ("budget", "label_cost", "gold_cost"):
        if numbers[name] == 0:
            raise DataError(f"{parameter(name)} must be above 0; got {settings[name]!r}; change it")
    if not isinstance(settings["disagreements"], bool):
        raise DataError(
            f"disagreements must be True or False; got {settings['disagreements']!r}; choose one"
        )
    kinds = check_whole("n_labels", settings.get("n_labels", 2), 2)
    labels = LabelAccuracy.of(settings["label_accuracy"], kinds)
    return Task(
        rivals=_rivals(settings, kinds),
        labels=labels,
        disagreements=settings["disagreements"],
        in_the_box=_in_the_box(settings),
        **numbers,  # type: ignore[arg-type]
    )


def _in_the_box(settings: dict[str, Any]) -> bool:
    """Whether p_w, p_b^0 and p_b^1 are at least one half, as the paper asks."""
    accuracies = [settings[n] for n in ("accuracy", "better_if_wrong", "better_if_right")]
    return all(exact(p, "accuracy") >= Fraction(1, 2) for p in accuracies if p is not None)


def _cost(settings: dict[str, Any], name: str) -> Fraction | None:
    if settings[name] is None:
        return None
    value = exact(settings[name], name)
    if not 0 <= value <= MOST_ITEMS:
        raise DataError(
            f"{parameter(name)} must be from 0 to 2^53; got {settings[name]!r}; change it"
        )
    return value


def _rivals(settings: dict[str, Any], n_labels: int) -> Rivals:
    wrong, right = settings["better_if_wrong"], settings["better_if_right"]
    margin = settings["margin"]
    if (margin is None) == (wrong is None and right is None) or (wrong is None) != (right is None):
        raise DataError(
            f"the better classifier must be given by {parameter('margin')}, or by "
            f"{parameter('better_if_wrong')} and {parameter('better_if_right')}; "
            f"got {margin!r}, {wrong!r} and {right!r}; give the one or the other two"
        )
    if margin is not None:
        return Rivals.independent(settings["accuracy"], margin, n_labels)
    return Rivals.correlated(settings["accuracy"], wrong, right, n_labels)


def _items_of_rows(task: Task, m: int) -> int:
    """How many items are labelled for the budget."""
    per_item = task.item_cost / task.rivals.disagree if task.disagreements else task.item_cost
    return int(task.budget / (per_item + m * task.label_cost))


def rows_of(task: Task, votes: list[int]) -> list[Row]:
    """Rows the budget pays, without verdicts."""
    paid = [(m, n) for m in votes if (n := _items_of_rows(task, m)) >= 1]
    if not paid:
        return []
    chances = _chances_of_rows(task, [m for m, _ in paid], [n for _, n in paid])
    triples = zip(*chances, strict=True)
    return [
        Row(m=m, items=n, win=float(w), tie=float(t), loss=float(x))
        for (m, n), (w, t, x) in zip(paid, triples, strict=True)
    ]


def _chances_of_rows(task: Task, votes: list[int], items: list[int]) -> Outcomes:
    share = task.rivals.disagree if task.disagreements else Fraction(1)
    pairs = [[float(p / share) for p in gap_chances(task.rivals, task.labels, m)] for m in votes]
    a, b = np.array(pairs).T
    return outcomes(a, b, np.array(items))


# --- Labels of two kinds, a few sure ones beside many weak ones, weighed by what each is worth.


MOST_LEADS = 5 * 10**7
"""Pairs of leads that are looked at, one of either kind."""


def two_kinds_outcomes(rivals: Rivals, first: tuple[Any, int], second: tuple[Any, int]) -> Outcomes:
    """Chances of a win, a tie and a loss where the better one is told by labels of two kinds.

    Some items get a label of one kind, other items one of the other. A label that sides with a classifier
    counts as log(a/b), its log-likelihood ratio, and the larger total wins; a label that never sides with the
    worse one outweighs all others. Exact to some 1e-13.

    Parameters
    ----------
    rivals : Rivals
    first, second : (label accuracy, items)
        Accuracies as `LabelAccuracy.of` reads them.

    Raises
    ------
    TooLargeError
        If there are too many items of both kinds.

    Examples
    --------
    >>> mixed = two_kinds_outcomes(Rivals.independent(0.8, 0.1), (1, 50), (0.7, 300))
    >>> round(mixed.win, 4)
    0.9752
    """
    kinds = [(LabelAccuracy.of(q), check_whole("items", n, 0)) for q, n in (first, second)]
    if (2 * kinds[0][1] + 1) * (2 * kinds[1][1] + 1) > MOST_LEADS:
        raise TooLargeError(
            f"{parameter('items')} must be at most {MOST_LEADS} pairs of leads; got {first[1]} and "
            f"{second[1]}; take fewer"
        )
    chances = [tuple(map(float, gap_chances(rivals, labels))) for labels, _ in kinds]
    sizes = [n for _, n in kinds]
    laws = [lead_law(a, b, n) for (a, b), n in zip(chances, sizes, strict=True)]
    return _compared(laws, _weights(chances, sizes))


def _weights(chances: list[Any], sizes: list[int]) -> list[float]:
    """Log(a/b) of either kind, or a weight above all of the other kind where b is 0."""
    finite = [log(a / b) if b else 0.0 for a, b in chances]
    other = finite[::-1]
    above = [1 + w * n for w, n in zip(other, sizes[::-1], strict=True)]
    return [w if b else most for w, (_, b), most in zip(finite, chances, above, strict=True)]


def _compared(laws: list[Floats], weights: list[float]) -> Outcomes:
    """Law of the sign of w_1 S_1 + w_2 S_2."""
    total = np.add.outer(*(w * _leads(law) for law, w in zip(laws, weights, strict=True)))
    both = np.multiply.outer(*laws)
    near = 1e-9 * max(map(abs, weights))
    parts = (total > near, np.abs(total) <= near, total < -near)
    return Outcomes(*(min(float(both[part].sum()), 1.0) for part in parts))


def _leads(law: Floats) -> Floats:
    return np.arange(law.size, dtype=float) - law.size // 2


# --- What a plan holds: a row for each number of labels, what else the budget could buy, and why.


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alternative(Record):
    """Another way to spend the budget.

    Attributes
    ----------
    name : str
        "disagreements": labels only where the classifiers differ; "adaptive": two labels, and a third where
        these differ; "gold": one label that is always right, at its own price.
    labels_per_item : int or None
        None where it is random.
    items : int or None
        Items that are labelled; None where it is random.
    items_seen : float or None
        Items the classifiers answer, on average, until so many are labelled.
    win, tie, loss : float
    """

    name: str
    labels_per_item: int | None
    items: int | None
    items_seen: float | None
    win: float
    tie: float
    loss: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan(Result):
    """How many labels per item tell the better of two classifiers apart most often.

    Attributes
    ----------
    status : Status
        Always ok: the chances are exact to rounding.
    labels_per_item : int
        The best number of labels per item, odd.
    items : int
        Items to label with it.
    win : float
        Chance that the better classifier wins then; a tied test is no win.
    verdict : str
        "proved" if the theorem covers every other row, and "computed" else.
    why : str
        What the verdict rests on.
    table : tuple of Row
        One row for each odd number of labels the budget pays; even numbers are never better than the odd
        number below.
    alternatives : tuple of Alternative
        What the same budget would do, spent in other ways.
    disagree : Fraction
        How often the classifiers differ.
    settings : dict
        What `plan` was given.
    """

    schema: ClassVar[str] = "algeval.plan/1"

    labels_per_item: int
    items: int
    win: float
    verdict: str
    why: str
    table: tuple[Row, ...]
    alternatives: tuple[Alternative, ...]
    disagree: Fraction
    settings: dict[str, Any]

    def win_probability(self, m: int) -> float:
        """Chance that the better classifier wins with m labels per item, m even or odd.

        Raises
        ------
        DataError
            If m is no whole number from 1 on, or the budget pays not one such item.
        """
        return row_of(m, **self.settings).win

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number of labels, and one per alternative."""
        return Table.of_records("Labels per item", Row, self.table), Table.of_records(
            "Other ways to spend it", Alternative, self.alternatives
        )

    def summary(self) -> str:
        """Verdict, the rows around the best, the reason, and the alternatives."""
        lines = [self.message, "  labels per item  items     win      tie      loss"]
        lines += [_line(row) for row in self._shown()]
        lines += [f"{self.verdict.capitalize()}: {self.why}."]
        return "\n".join([*lines, *(_told(other) for other in self.alternatives)])

    def _shown(self) -> list[Row]:
        near = {1, 3, 5, *range(self.labels_per_item - 2, self.labels_per_item + 3)}
        return [row for row in self.table if row.m in near]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        fields = {f.name: document[f.name] for f in dataclasses.fields(cls) if f.name != "reading"}
        fields["status"] = Status(fields["status"])
        fields["disagree"] = Fraction(fields["disagree"])
        fields["table"] = tuple(Row(**row) for row in fields["table"])
        fields["alternatives"] = tuple(Alternative(**other) for other in fields["alternatives"])
        return cls(**fields)


def _line(row: Row) -> str:
    chances = "  ".join(f"{chance:.5f}" for chance in (row.win, row.tie, row.loss))
    return f"  {row.m:>15}  {row.items:>5}  {chances}"


def _told(other: Alternative) -> str:
    if other.name == "disagreements":
        per = how_many(other.labels_per_item or 1, "label")
        return (
            f"Labels only where the two differ ({per} on {other.items:,} of about "
            f"{other.items_seen:,.0f} items): {other.win:.5f}."
        )
    if other.name == "gold":
        return f"One gold label on {other.items:,} items: {other.win:.5f}."
    return f"Two labels an item, a third where they differ: {other.win:.5f}."


# --- Before labels are paid: how many per item, for how many items.


MOST_ADAPTIVE = 5000
"""Budgets beyond it, whose adaptive plan takes more than a second, are left without one."""


def plan(
    *,
    budget: Any,
    accuracy: Any,
    label_accuracy: Any,
    margin: Any = None,
    item_cost: Any = 0,
    label_cost: Any = 1,
    gold_cost: Any = None,
    better_if_wrong: Any = None,
    better_if_right: Any = None,
    disagreements: bool = False,
    most_labels: int = 99,
    n_labels: int = 2,
) -> Plan:
    """How many labels per item to buy so that the better of two classifiers wins most often.

    Items are drawn at random; each gets m labels, and the classifiers are scored on the majority. The chance
    that the better one scores higher is computed for every odd m, exactly to rounding. Numbers are read as
    written: 0.8 and "80%" are 4/5.

    Parameters
    ----------
    budget : number
        What may be spent, in the unit of the costs; in labels by default.
    accuracy : number
        Accuracy of the worse classifier.
    label_accuracy : number, pair or mapping
        Chance that a label is right; or two of them, (q_b, q_w), where only the better and where only the
        worse classifier is right; or, where it varies with the item,
        {"better": {q: weight}, "worse": {q: weight}}.
    margin : number, optional
        By how much the other classifier is better, if the two err independently.
    item_cost, label_cost : number
        Of an item, and of a label.
    gold_cost : number, optional
        Of a label that is always right, to set beside the others.
    better_if_wrong, better_if_right : number, optional
        In place of the margin: accuracy of the better classifier where the worse is wrong, and where it is
        right.
    disagreements : bool
        Whether labels are bought only where the classifiers differ, as their answers are free. An item's
        cost is paid until one is found on which they do.
    most_labels : int
        The largest number of labels per item to try.
    n_labels : int
        Classes. With more than two, wrong labels and wrong answers go to the wrong classes alike, the
        plurality of an item's labels is its label, a lot decides ties, and `why` says whether a theorem, a
        conjecture or a counterexample is nearest.

    Returns
    -------
    Plan
        `labels_per_item`, `table`, `win_probability(m)`; "proved" where a theorem says that one label each is
        best, with a bound on what more labels lose, and "computed" elsewhere.

    Raises
    ------
    DataError
        If a number is out of range, the classifiers are not told apart, or the budget pays no item.

    Examples
    --------
    >>> found = plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    >>> found.labels_per_item, round(found.win, 5), found.verdict
    (1, 0.65237, 'proved')
    """
    settings = dict(locals())
    task = read(settings)
    several = task.labels.n_labels > 2
    most = check_whole("most_labels", most_labels, 1, MOST_PLURALITY if several else MOST_LABELS)
    table = _table(task, most)
    best = max(table, key=lambda row: row.win)
    verdict, why = _verdict(task, table, best)
    return Plan(
        status=Status.OK,
        message=_message(task, best),
        labels_per_item=best.m,
        items=best.items,
        win=best.win,
        verdict=verdict,
        why=why,
        table=table,
        alternatives=_alternatives(task, most),
        disagree=task.rivals.disagree,
        settings=plain_settings(settings),
    )


def _message(task: Task, best: Row) -> str:
    a, b = gap_chances(task.rivals, task.labels)
    if a == b:
        return f"these labels say nothing: {SAY_NOTHING}, and no number of them tells the two apart"
    return (
        f"{how_many(best.m, 'label')} for each of {best.items:,} items is best: the better classifier wins "
        f"with probability {best.win:.5f}"
    )


def _table(task: Task, most: int) -> tuple[Row, ...]:
    rows = rows_of(task, _votes(task, most))
    if not rows:
        raise DataError(
            f"{parameter('budget')} must pay at least one item with one label; got "
            f"{float(task.budget):g}; raise it"
        )
    return tuple(_with_verdict(task, row) for row in rows)


def _votes(task: Task, most: int) -> list[int]:
    """Numbers of labels worth a row: of two classes an even one is never better than the one before."""
    return list(range(1, most + 1, 2 if task.labels.n_labels == 2 else 1))


def _with_verdict(task: Task, row: Row) -> Row:
    if task.labels.n_labels > 2:
        return row
    if task.disagreements or why_not_proved(task.rivals, task.labels, row.m):
        return row
    named = {name: getattr(row, name) for name in ("m", "items", "win", "tie", "loss")}
    bound = gap_at_least(task.rivals, task.labels, row.m, row.items)
    return Row(**named, verdict="proved", gap_at_least=bound)


def _verdict(task: Task, table: tuple[Row, ...], best: Row) -> tuple[str, str]:
    others = [row for row in table if row.m > 1]
    failed = [row.m for row in others if row.verdict != "proved"]
    if task.disagreements:
        return (
            "computed",
            "the theorem is about labels on all items, not on those the two differ on",
        )
    if task.item_cost:
        return "computed", "the theorem is about labels alone, and here items cost as well"
    if task.labels.n_labels > 2:
        return _verdict_of_several(task)
    if failed:
        return "computed", why_not_proved(task.rivals, task.labels, failed[0])
    if best.m > 1:
        fewer = (
            f"{best.items * best.m} items with one label each win more often still, by the theorem"
        )
        return "computed", f"ties make it best at these numbers; {fewer}"
    least = min((row.gap_at_least or 0 for row in others), default=0.0)
    bound = f", here by at least {_rounded_down(least):g}" if least else ""
    return "proved", (
        "for the same number of labels a majority of 3, 5, ... wins less often whatever the budget"
        + bound
    )


def _verdict_of_several(task: Task) -> tuple[str, str]:
    """On which side of Conjecture 1 a plan for several labels stands."""
    rivals, (a, b) = task.rivals, gap_chances(task.rivals, task.labels)
    better, worse, apart = rivals.better_alone, rivals.worse_alone, rivals.both_wrong
    s = a + b
    if a <= b:
        return "computed", SAY_NOTHING
    if b == 0 and rivals.disagree < 1:
        return "proved", "no label ever sides with the worse classifier (Proposition 17)"
    if worse == 0 and apart == 0 and s < 1 and 4 * a * b <= (1 - s) ** 2:
        return "computed", (
            "with a tied test decided by a coin it is proved that one label each is best (Theorem 16); as a "
            "tie counts for nobody here, it is computed"
        )
    if task.in_the_box:
        return "computed", (
            "Conjecture 18 says that one label each is best here if numbers of labels are odd; it is open, "
            "and no counterexample is known"
        )
    often = "; both are often wrong and differ, where pluralities help" if apart > better else ""
    return "computed", f"neither a theorem nor a conjecture reaches here{often}"


def _rounded_down(bound: float) -> float:
    """Two digits of a lower bound, none of them rounded up."""
    return float(Context(prec=2, rounding=ROUND_DOWN).create_decimal_from_float(bound))


def _alternatives(task: Task, most: int) -> tuple[Alternative, ...]:
    alternatives = [] if task.disagreements else _where_they_differ(task, most)
    return (*alternatives, *_adaptive(task), *_gold(task))


def _where_they_differ(task: Task, most: int) -> list[Alternative]:
    narrowed = task._replace(disagreements=True)
    rows = rows_of(narrowed, _votes(task, most))
    if not rows:
        return []
    best = max(rows, key=lambda row: row.win)
    seen = best.items / float(task.rivals.disagree)
    return [
        _alternative("disagreements", best.m, best.items, seen, (best.win, best.tie, best.loss))
    ]


def _adaptive(task: Task) -> list[Alternative]:
    q_b, q_w = task.labels.mean
    labels = int(task.budget / task.label_cost)
    alike = q_b == q_w and not task.labels.varies and task.labels.n_labels == 2
    if task.item_cost or task.disagreements or not alike or not 3 <= labels <= MOST_ADAPTIVE:
        return []
    chances = adaptive_outcomes(task.rivals, float(q_b), labels)
    return [_alternative("adaptive", None, None, None, chances)]


def _gold(task: Task) -> list[Alternative]:
    if task.gold_cost is None:
        return []
    labels = LabelAccuracy.of(1, task.labels.n_labels)
    sure = task._replace(labels=labels, label_cost=task.gold_cost, gold_cost=None)
    rows = rows_of(sure, [1])
    return [_alternative("gold", 1, row.items, None, (row.win, row.tie, row.loss)) for row in rows]


def _alternative(
    name: str,
    m: int | None,
    items: int | None,
    seen: float | None,
    chances: tuple[float, float, float],
) -> Alternative:
    win, tie, loss = chances
    return Alternative(
        name=name, labels_per_item=m, items=items, items_seen=seen, win=win, tie=tie, loss=loss
    )
