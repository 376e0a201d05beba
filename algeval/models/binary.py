"""What every law of yes/no votes shares: patterns, completions, and a mixture of two classes.

Votes are arrays of 0 and 1, with -1 where a judge did not answer. Axis order is item, judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import check_number
from algeval.errors import DataError, TooLargeError

__all__ = [
    "Floats",
    "Law",
    "TwoClass",
    "check_probability",
    "check_votes",
    "completions",
    "count_risks",
    "expit",
    "independent_count_odds",
    "log_expit",
    "log_sum_exp",
    "logit",
    "patterns",
]

Floats = NDArray[np.float64]
TIE = 1e-9
"""Log-odds this near 0 are a tie, which decides 1: equal marginals differ by rounding alone."""
MOST_ENUMERATED = 24
"""The most judges whose vote patterns are listed one by one (2^24 floats are 128 MB)."""


class Law(Protocol):
    """The law of the votes of one class."""

    @property
    def n_judges(self) -> int:
        """Number of judges, K."""

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): the log-probability of each row of votes; -1 is summed over."""

    def marginals(self) -> Floats:
        """Return (K,): each judge's chance of voting 1."""

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """Return (n, K) votes drawn independently."""


def log_expit(t: ArrayLike) -> Floats:
    """Log(1 / (1 + exp(-t))) without overflow or cancellation."""
    result: Floats = -np.logaddexp(0.0, -np.asarray(t, float))
    return result


def expit(t: ArrayLike) -> Floats:
    """Return 1 / (1 + exp(-t)) without overflow."""
    return np.exp(log_expit(t))


def logit(p: ArrayLike) -> Floats:
    """Log(p / (1 - p))."""
    p = np.asarray(p, float)
    result: Floats = np.log(p) - np.log1p(-p)
    return result


def log_sum_exp(a: Floats, axis: int = -1) -> Floats:
    """Log(sum(exp(a))) along an axis; all of it -inf gives -inf."""
    top = a.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        result: Floats = np.log(np.exp(a - top).sum(axis=axis)) + np.squeeze(top, axis)
    return result


def patterns(n_judges: int) -> NDArray[np.int8]:
    """Return (2^K, K): every vote pattern, in lexicographic order.

    Examples
    --------
    >>> patterns(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    check_enumerable(n_judges)
    rows = np.arange(1 << n_judges, dtype=np.int64)
    result = np.empty((len(rows), n_judges), np.int8)
    for judge in range(n_judges):
        result[:, judge] = (rows >> (n_judges - 1 - judge)) & 1
    return result


def draw_patterns(
    probabilities: Floats, n: int, rng: np.random.Generator | int
) -> NDArray[np.int8]:
    """Return (n, K) votes drawn exactly from the (2^K,) probabilities of the patterns."""
    edges = np.cumsum(probabilities)
    drawn = np.searchsorted(edges, np.random.default_rng(rng).random(n) * edges[-1], "right")
    bits = np.arange(len(edges).bit_length() - 2, -1, -1)
    result: NDArray[np.int8] = ((drawn[:, None] >> bits) & 1).astype(np.int8)
    return result


def check_enumerable(n_judges: int) -> None:
    """Refuse to list more patterns than fit in memory."""
    if n_judges > MOST_ENUMERATED:
        raise TooLargeError(
            f"vote patterns can be listed for at most {MOST_ENUMERATED} judges; got {n_judges}, "
            f"which have 2^{n_judges} patterns; choose fewer judges"
        )


def check_votes(votes: ArrayLike, n_judges: int) -> NDArray[np.int8]:
    """Votes as (U, K) of -1, 0 and 1, or say what is wrong with them."""
    array = np.asarray(votes)
    if array.ndim == 1:
        array = array[None, :]
    if array.ndim != 2 or array.shape[1] != n_judges:
        raise DataError(
            f"votes must have one column per judge ({n_judges}); got shape {array.shape}; "
            "axis order is item, judge"
        )
    if array.size and not np.isin(array, (-1, 0, 1)).all():
        raise DataError("votes must be 0, 1 or -1 (not answered); got something else; recode them")
    return array.astype(np.int8)


def check_probability(name: str, value: float) -> float:
    """Probability strictly between 0 and 1, or say what is wrong with it."""
    return check_number(name, value, least=0, most=1, strict=True)


def completions(
    votes: NDArray[np.int8], most: int = 1 << 21
) -> tuple[NDArray[np.int8], NDArray[np.intp]]:
    """Every way to fill in the votes left out, and the row each came from.

    A row with m votes left out has 2^m completions; rows stay together and in order.

    Raises
    ------
    TooLargeError
        If there would be more than `most` of them.

    Examples
    --------
    >>> rows, origin = completions(np.array([[1, -1], [0, 0]], np.int8))
    >>> rows.tolist(), origin.tolist()
    ([[1, 0], [1, 1], [0, 0]], [0, 0, 1])
    """
    gaps = (votes == -1).sum(axis=1)
    if gaps.max(initial=0) > 40 or (total := int((1 << gaps.astype(np.int64)).sum())) > most:
        shown = "2^" + str(int(gaps.max())) if gaps.max() > 40 else f"{total:,}"
        raise TooLargeError(
            f"votes left out can be filled in at most {most:,} ways in all; got {shown}; "
            "drop the judges who left out most, or use a model that leaves their factor out"
        )
    sizes = (1 << gaps).astype(np.int64)
    origin = np.repeat(np.arange(len(votes)), sizes)
    starts = np.cumsum(sizes) - sizes
    rest = np.arange(len(origin)) - starts[origin]
    rows = votes[origin]
    for judge in range(votes.shape[1] - 1, -1, -1):
        gap = rows[:, judge] == -1
        rows[gap, judge] = rest[gap] & 1
        rest[gap] >>= 1
    return rows, origin


@dataclass(frozen=True, slots=True, eq=False)
class TwoClass:
    """A hidden yes/no label and one law of the votes for each: the truth of a simulation.

    Parameters
    ----------
    prevalence : float
        Chance that the label is 1, strictly between 0 and 1.
    negative, positive : Law
        The laws of the votes given label 0 and label 1, of the same judges.

    Examples
    --------
    >>> from algeval.models.ising import Ising
    >>> no = Ising([-2.0, -2.0, -2.0], np.zeros((3, 3)))
    >>> yes = Ising([2.0, 2.0, 2.0], np.zeros((3, 3)))
    >>> round(float(TwoClass(0.5, no, yes).posterior([[1, 1, 0]])[0]), 6)
    0.880797
    """

    prevalence: float
    negative: Law
    positive: Law

    def __post_init__(self) -> None:
        object.__setattr__(self, "prevalence", check_probability("prevalence", self.prevalence))
        if self.negative.n_judges != self.positive.n_judges:
            raise DataError(
                "the two laws must have the same judges; got "
                f"{self.negative.n_judges} and {self.positive.n_judges}"
            )

    @property
    def n_judges(self) -> int:
        """Number of judges, K."""
        return self.negative.n_judges

    def log_joint(self, votes: ArrayLike) -> Floats:
        """Return (U, 2): log-probability of each row of votes together with each label."""
        return np.stack(
            [
                np.log1p(-self.prevalence) + self.negative.log_probability(votes),
                np.log(self.prevalence) + self.positive.log_probability(votes),
            ],
            axis=1,
        )

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-probability of each row of votes, labels summed over."""
        return log_sum_exp(self.log_joint(votes))

    def log_odds(self, votes: ArrayLike) -> Floats:
        """Return (U,): Bayes log-odds of label 1."""
        joint = self.log_joint(votes)
        return joint[:, 1] - joint[:, 0]

    def posterior(self, votes: ArrayLike) -> Floats:
        """Return (U,): the chance of label 1 given each row of votes."""
        return expit(self.log_odds(votes))

    def independent_log_odds(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-odds of one who knows the true marginals and assumes independence."""
        rows = check_votes(votes, self.n_judges)
        q0, q1 = self.negative.marginals(), self.positive.marginals()
        yes, no = (rows == 1).astype(float), (rows == 0).astype(float)
        weight_one = np.log(q1) - np.log(q0)
        weight_zero = np.log1p(-q1) - np.log1p(-q0)
        result: Floats = logit(self.prevalence) + yes @ weight_one + no @ weight_zero
        return result

    def independent_posterior(self, votes: ArrayLike) -> Floats:
        """Return (U,): the posterior of one who knows the marginals and assumes independence."""
        return expit(self.independent_log_odds(votes))

    def risk(self, decisions: ArrayLike) -> float:
        """Exact chance of error of a rule, given its decision on every pattern.

        Parameters
        ----------
        decisions : (2^K,) array of 0 and 1
            In the order of `patterns`.
        """
        joint = np.exp(self.log_joint(patterns(self.n_judges)))
        wrong = np.where(np.asarray(decisions, bool), joint[:, 0], joint[:, 1])
        return float(wrong.sum())

    def bayes_risk(self) -> float:
        """Smallest chance of error any rule has, by enumeration."""
        return self.risk(self.log_odds(patterns(self.n_judges)) >= -TIE)

    def independent_risk(self) -> float:
        """Chance of error of the rule that knows the marginals and assumes independence."""
        return self.risk(self.independent_log_odds(patterns(self.n_judges)) >= -TIE)

    def sample(self, n: int, seed: int | np.random.Generator) -> tuple[Any, NDArray[np.int8]]:
        """Return (n,) labels and (n, K) votes."""
        rng = np.random.default_rng(seed)
        labels = (rng.random(n) < self.prevalence).astype(np.int8)
        votes = np.empty((n, self.n_judges), np.int8)
        for label, law in enumerate((self.negative, self.positive)):
            chosen = labels == label
            votes[chosen] = law.sample(int(chosen.sum()), rng)
        return labels, votes


def count_risks(prevalence: float, log_pmf0: Floats, log_pmf1: Floats) -> tuple[float, float]:
    """Bayes risk and the oracle independent rule's risk for exchangeable judges.

    The number of 1 votes is sufficient, so K + 1 probabilities say everything.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    log_pmf0, log_pmf1 : (K + 1,) arrays
        Log-probability of each number of 1 votes given label 0 and 1.
    """
    odds = independent_count_odds(prevalence, log_pmf0, log_pmf1)
    p0 = (1 - prevalence) * np.exp(log_pmf0)
    p1 = prevalence * np.exp(log_pmf1)
    independent = np.where(odds >= -TIE, p0, p1).sum()
    return float(np.minimum(p0, p1).sum()), float(independent)


def independent_count_odds(prevalence: float, log_pmf0: Floats, log_pmf1: Floats) -> Floats:
    """Return (K + 1,): log-odds, by the number of 1 votes, of one who assumes independence.

    The marginals are the true ones; arguments as of `count_risks`.
    """
    prior = logit(check_probability("prevalence", prevalence))
    n_yes = np.arange(len(log_pmf0))
    k = len(n_yes) - 1
    q0, q1 = np.exp(log_pmf0) @ n_yes / k, np.exp(log_pmf1) @ n_yes / k
    odds: Floats = prior + n_yes * np.log(q1 / q0) + (k - n_yes) * (np.log1p(-q1) - np.log1p(-q0))
    return odds
