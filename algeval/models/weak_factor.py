"""A weak factor looks like an Ising law: to second order, to fourth, and what is left over.

Balasubramanian et al., Proposition 1 and Remark 3, with loadings eps times fixed shapes. Put
u = sum over j of (J_j - p_j) lambda_j and M = sum over j of p_j (1 - p_j) lambda_j lambda_j'. Then

    log P(J) = const + sum of eta_j J_j + u'u / 2 + R,
    R = - u'Mu / 2 - sum over j of g'''(eta_j) |lambda_j|^2 (lambda_j . u) / 2 + order eps^6,

with g(t) = log(1 + exp t). So R is of order eps^4, and that order has terms of one and two judges only: three
judges have none below eps^6, and four none below eps^8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np

from algeval.errors import DataError
from algeval.models.binary import Floats, expit, patterns
from algeval.models.factor import Factor, second_order
from algeval.result.base import Record

__all__ = ["Remainder", "fourth_order", "interaction", "remainder"]

_STEEPEST = 1 / (6 * sqrt(3))
"""The largest |g'''|, where the logistic function's density is steepest."""


def fourth_order(law: Factor) -> tuple[Floats, Floats]:
    """Return the fields and couplings of the Ising law near a weak factor, right to the fourth order.

    What `second_order` leaves of order eps^4 moves fields and couplings alone; what this leaves is of
    order eps^6.

    Examples
    --------
    >>> from algeval.models.factor import Factor
    >>> _, W = fourth_order(Factor([0.0, 0.0], [0.1, 0.2]))
    >>> round(float(W[0, 1]), 8)  # 0.02 to the second order
    0.01975
    """
    p = expit(law.intercepts)
    steepness, bend = p * (1 - p), p * (1 - p) * (1 - 2 * p)
    lam = law.loadings
    M = (lam * steepness[:, None]).T @ lam
    gram = lam @ (np.eye(len(M)) - M) @ lam.T
    own = gram.diagonal().copy()
    W = gram - np.diag(own)
    pull = 0.5 * lam @ (lam.T @ (bend * (lam**2).sum(axis=1)))
    h: Floats = law.intercepts + (0.5 - p) * own - W @ p - pull
    return h, W


@dataclass(frozen=True, slots=True, kw_only=True)
class Remainder(Record):
    """What a quadratic leaves of log P, and how large the paper and its proof say it may be.

    Attributes
    ----------
    size : float
        Half the range of the remainder over all votes, exact: the best constant is taken out.
    printed : float
        B3 + B2^2, the bracket of (15), B_r the sum of the r-th powers of the loadings' lengths.
    mended : float
        B2 B1^2 / 16 + B1 B3 / (24 sqrt(3)), which the part of order eps^4 never exceeds.
    """

    size: float
    printed: float
    mended: float


def remainder(law: Factor, *, order: int = 2) -> Remainder:
    """Return what the Ising law of second (or fourth) order misses, over all 2^K votes.

    Parameters
    ----------
    law : Factor
    order : 2 or 4

    Raises
    ------
    DataError
        If the order is neither 2 nor 4.
    TooLargeError
        For more than 24 judges.

    Examples
    --------
    >>> from algeval.models.factor import Factor
    >>> left = remainder(Factor([0.0] * 8, [0.2 / 8**0.5] * 8))
    >>> round(left.size / (0.2**4 * 8 / 64), 2)
    0.99
    """
    if order not in (2, 4):
        raise DataError(f"order must be 2 or 4; got {order!r}; choose one")
    rows = patterns(len(law.intercepts))
    h, W = second_order(law) if order == 2 else fourth_order(law)
    J = rows.astype(float)
    left = law.log_probability(rows) - J @ h - 0.5 * ((J @ W) * J).sum(axis=1)
    lengths = np.linalg.norm(law.loadings, axis=1)
    b1, b2, b3 = (float((lengths**power).sum()) for power in (1, 2, 3))
    return Remainder(
        size=float(np.ptp(left)) / 2,
        printed=b3 + b2**2,
        mended=b2 * b1**2 / 16 + b1 * b3 * _STEEPEST / 4,
    )


def interaction(law: Factor, judges: Sequence[int]) -> float:
    """Return the term of a set of judges in log P, equation (20): the others vote 0.

    Its order in eps is 2 for two judges, 6 for three and 8 for four.

    Raises
    ------
    DataError
        If the judges are not different judges of the law.

    Examples
    --------
    >>> from algeval.models.factor import Factor
    >>> round(interaction(Factor([0.0, 0.0], [0.1, 0.1]), [0, 1]), 4)
    0.01
    """
    told = [int(judge) for judge in judges]
    if len(set(told)) < len(told) or not all(0 <= judge < law.n_judges for judge in told):
        raise DataError(f"judges must be different ones of 0 to {law.n_judges - 1}; got {told}")
    votes = np.zeros((1 << len(told), law.n_judges), np.int8)
    votes[:, told] = list(product((0, 1), repeat=len(told)))
    signs = (-1.0) ** (len(told) - votes.sum(axis=1))
    return float(signs @ law.log_probability(votes))
