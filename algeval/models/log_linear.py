"""Log-linear laws of yes/no votes with terms of any order: exact by listing all patterns.

Balasubramanian et al., equation (20): log P(J) is a constant plus a coefficient for each set of
judges who all vote 1. Coefficients stand in an array over sets, in the order of `patterns` (judge j
is in set s where row s has a 1), so energies and moments are sums over subsets and supersets: K 2^K
steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import set_fields
from algeval.errors import DataError
from algeval.models.binary import Floats, check_enumerable, check_votes, draw_patterns, log_sum_exp

__all__ = ["LogLinear", "set_energies", "set_moments", "sets_of_size"]


def sets_of_size(n_judges: int, least: int, most: int) -> list[tuple[int, ...]]:
    """Sets of `least` to `most` judges, small sets first.

    Examples
    --------
    >>> sets_of_size(3, 2, 3)
    [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
    """
    return [s for size in range(least, most + 1) for s in combinations(range(n_judges), size)]


def set_energies(coefficients: Floats, center: Floats) -> Floats:
    """Return (2^K,): sum over sets S of c_S times the product over j in S of (J_j - m_j).

    Parameters
    ----------
    coefficients : (2^K,) array
        One per set of judges; that of the empty set is a constant.
    center : (K,) array
        m; zeros give the plain products of votes.

    Examples
    --------
    >>> set_energies(np.array([0.0, 1.0, 2.0, 5.0]), np.zeros(2)).tolist()
    [0.0, 1.0, 2.0, 8.0]
    """
    result = coefficients.copy()
    for judge, m in enumerate(center):
        part = result.reshape(1 << judge, 2, -1)
        high = part[:, 1].copy()
        part[:, 1] = part[:, 0] + (1 - m) * high
        part[:, 0] -= m * high
    return result


def set_moments(weights: Floats, center: Floats) -> Floats:
    """Return (2^K,): for each set of judges, the weighted sum of the product of (J_j - m_j).

    The adjoint of `set_energies`.

    Examples
    --------
    >>> set_moments(np.array([0.1, 0.2, 0.3, 0.4]), np.zeros(2)).round(9).tolist()
    [1.0, 0.6, 0.7, 0.4]
    """
    result = weights.copy()
    for judge, m in enumerate(center):
        part = result.reshape(1 << judge, 2, -1)
        low = part[:, 0].copy()
        part[:, 0] += part[:, 1]
        part[:, 1] = (1 - m) * part[:, 1] - m * low
    return result


@dataclass(frozen=True, slots=True, eq=False)
class LogLinear:
    """The law of one class's votes with fields and terms for sets of judges (Balasubramanian et al., eq. 20).

    Use it where judges err together in threes: three who copy each other only when two others
    agree. With pairs only it is `Ising`. At most 24 judges.

    Parameters
    ----------
    fields : (K,) array
        h_j: log-odds of a 1 from judge j when all others vote 0.
    interactions : mapping from a tuple of two or more judges to a number
        What it adds to the log-probability when all of them vote 1; sets left out have none.

    Raises
    ------
    DataError
        If a set is not of two or more different judges, or a number is not finite.
    TooLargeError
        For more than 24 judges.

    Examples
    --------
    >>> law = LogLinear([0.0, 0.0, 0.0], {(0, 1, 2): 1.0})
    >>> law.probabilities().round(4).tolist()[-2:]
    [0.1029, 0.2797]
    """

    fields: Floats
    interactions: Mapping[tuple[int, ...], float]
    log_z: float
    _log: Floats

    def __init__(
        self, fields: ArrayLike, interactions: Mapping[tuple[int, ...], float] | None = None
    ) -> None:
        h = np.array(fields, float)
        if h.ndim != 1 or not len(h):
            raise DataError(f"fields must be one number per judge; got shape {h.shape}")
        check_enumerable(len(h))
        checked = _check_interactions(interactions or {}, len(h))
        if not (np.isfinite(h).all() and np.isfinite(list(checked.values())).all()):
            raise DataError("fields and interactions must be finite; got one that is not")
        bits = 1 << np.arange(len(h) - 1, -1, -1)
        coefficients = np.zeros(1 << len(h))
        coefficients[bits] = h
        for judges, value in checked.items():
            coefficients[bits[list(judges)].sum()] = value
        log = set_energies(coefficients, np.zeros(len(h)))
        log_z = float(log_sum_exp(log))
        log -= log_z
        set_fields(self, fields=h, interactions=checked, log_z=log_z, _log=log)

    @property
    def n_judges(self) -> int:
        """Number of judges, K."""
        return len(self.fields)

    @property
    def order(self) -> int:
        """The size of the largest set with a term."""
        return max((len(judges) for judges in self.interactions), default=1)

    def probabilities(self) -> Floats:
        """Return (2^K,): the probability of every pattern, in lexicographic order."""
        return np.exp(self._log)

    def log_probability(self, votes: ArrayLike) -> Floats:
        """Return (U,): log-probability of each row; votes left out (-1) are summed over exactly."""
        rows = check_votes(votes, self.n_judges)
        table = self._log.reshape((2,) * self.n_judges)
        result = np.empty(len(rows))
        sets, set_of = np.unique(rows >= 0, axis=0, return_inverse=True)
        for number, answered in enumerate(sets):
            chosen = set_of.ravel() == number
            lines = table.transpose(*np.flatnonzero(answered), *np.flatnonzero(~answered))
            logs = log_sum_exp(lines.reshape(1 << int(answered.sum()), -1))
            seen = rows[chosen][:, answered].astype(np.int64)
            result[chosen] = logs[seen @ (1 << np.arange(seen.shape[1] - 1, -1, -1))]
        return result

    def marginals(self) -> Floats:
        """Return (K,): each judge's chance of voting 1."""
        moments = set_moments(self.probabilities(), np.zeros(self.n_judges))
        result: Floats = moments[1 << np.arange(self.n_judges - 1, -1, -1)]
        return result

    def sample(self, n: int, rng: np.random.Generator | int) -> NDArray[np.int8]:
        """Return (n, K) votes, exact draws from the listed probabilities."""
        return draw_patterns(self.probabilities(), n, rng)


def _check_interactions(
    interactions: Mapping[tuple[int, ...], float], n_judges: int
) -> dict[tuple[int, ...], float]:
    checked: dict[tuple[int, ...], float] = {}
    for judges, value in interactions.items():
        key = tuple(sorted(int(j) for j in judges))
        inside = all(0 <= j < n_judges for j in key)
        if len(key) < 2 or len(set(key)) < len(key) or not inside:
            raise DataError(
                f"interactions must be of two or more different judges among 0 to {n_judges - 1}; "
                f"got {judges}; terms of one judge are fields"
            )
        if key in checked:
            raise DataError(f"interactions must name each set once; got {key} twice; add them up")
        checked[key] = float(value)
    return checked
