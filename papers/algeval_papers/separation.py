"""Risks of rules under models of dependence, their limits, and factors that are weak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from algeval.data.names import check_choice, check_number
from algeval.errors import DataError
from algeval.models.binary import Floats, check_probability, expit, logit, patterns
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation
from algeval.models.factor import (
    ExchangeableFactor,
    Factor,
    independent_cut,
    limiting_excess_risk,
    second_order,
)
from algeval.models.risk_curves import RiskCurve, RiskLimit, risk_curve
from algeval.result.base import Record

__all__ = [
    "FactorLimit",
    "Remainder",
    "bernoulli_divergence",
    "curie_weiss_risks",
    "factor_risks",
    "fourth_order",
    "interaction",
    "remainder",
]


# --- Endlessly many equal judges who share one normal factor: both rules, and what each gets
# wrong.
#
# Balasubramanian et al., appendix C.3.1: equations (21) and (22) and Theorem 3. The share s of 1
# votes becomes sigma(theta), with theta = b + a (2 y - 1) plus normal noise of standard deviation
# |lambda| sigma_Z. Bayes' rule and the rule that assumes independence each cut theta once, at
# different places.


def bernoulli_divergence(s: ArrayLike, q: ArrayLike) -> Floats:
    """KL(s || q) of two chances, in nats.

    Examples
    --------
    >>> bernoulli_divergence(0.5, [0.5, 0.9]).round(4).tolist()
    [0.0, 0.5108]
    """
    s, q = np.asarray(s, float), np.asarray(q, float)
    result: Floats = s * np.log(s / q) + (1 - s) * (np.log1p(-s) - np.log1p(-q))
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FactorLimit(Record):
    """The limit of Theorem 3: the two scores, where they cut, and the risks.

    Parameters
    ----------
    prevalence : float
        Chance of label 1, pi.
    a, b : float
        At factor 0 the log-odds of a 1 are b + a (2 y - 1); a > 0.
    spread : float
        |lambda| sigma_Z > 0; the sign of lambda (2 y - 1) z cannot be seen, as z is symmetric.

    Raises
    ------
    DataError
        If a number is out of range.

    Examples
    --------
    >>> limit = FactorLimit(prevalence=0.7, a=0.5, b=1.0, spread=1.0)
    >>> round(limit.bayes_risk, 4), round(limit.independent_risk, 4)
    (0.253, 0.2866)
    """

    prevalence: float
    a: float
    b: float
    spread: float

    def __post_init__(self) -> None:
        check_probability("prevalence", self.prevalence)
        check_number("a", self.a, least=0, strict=True)
        check_number("b", self.b)
        check_number("spread", self.spread, least=0, strict=True)

    def law(self, n_judges: int, label: int) -> ExchangeableFactor:
        """Law (21) of so many judges, given the label."""
        return ExchangeableFactor(n_judges, self._center(label), self.spread)

    def vote_chance(self, label: int, z: ArrayLike) -> Floats:
        """P(y, z) of (21), the chance of a 1 vote at a standard normal factor z."""
        sign = 2 * check_choice("label", label, (0, 1)) - 1
        return expit(self._center(label) + sign * self.spread * np.asarray(z, float))

    def marginal(self, label: int) -> float:
        """Q_y, the chance of a 1 vote with the factor summed over."""
        return float(Factor([self._center(label)], [self.spread]).marginals()[0])

    def bayes_log_odds(self, s: ArrayLike) -> Floats:
        """L*(s), Bayes' log-odds of label 1 where the share of 1 votes is s."""
        slope = 2 * self.a / self.spread**2
        result: Floats = logit(self.prevalence) + slope * (logit(s) - self.b)
        return result

    def independent_score(self, s: ArrayLike) -> Floats:
        """L_ind(s), nats per judge for label 1 if judges were independent.

        It is KL(s || q0) - KL(s || q1); the prior weighs nothing against endlessly many judges.
        """
        s = np.asarray(s, float)
        q0, q1 = self.marginal(0), self.marginal(1)
        result: Floats = s * np.log(q1 / q0) + (1 - s) * (np.log1p(-q1) - np.log1p(-q0))
        return result

    def density(self, s: ArrayLike, label: int) -> Floats:
        """F_y(s) of (22), the density of the limiting share of 1 votes."""
        s = np.asarray(s, float)
        z = (logit(s) - self._center(label)) / self.spread
        result: Floats = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) / (self.spread * s * (1 - s))
        return result

    @property
    def bayes_cut(self) -> float:
        """The share of 1 votes from which Bayes' rule decides 1."""
        return float(expit(self.b - logit(self.prevalence) * self.spread**2 / (2 * self.a)))

    @property
    def independent_cut(self) -> float:
        """The share of 1 votes from which independence decides 1."""
        return independent_cut(self.marginal(0), self.marginal(1))

    @property
    def bayes_risk(self) -> float:
        """The limit of Bayes' risk; it is not 0, for the factor is never told apart from the label."""
        return self._risk(self.bayes_cut)

    @property
    def independent_risk(self) -> float:
        """The limit of the risk of the rule that assumes independence."""
        return self._risk(self.independent_cut)

    @property
    def excess_risk(self) -> float:
        """The limiting excess of Theorem 3, without cancellation where it is tiny."""
        return limiting_excess_risk(self.prevalence, a=self.a, b=self.b, spread=self.spread)

    def _center(self, label: int) -> float:
        return self.b + self.a * (2 * check_choice("label", label, (0, 1)) - 1)

    def _risk(self, cut: float) -> float:
        theta = float(logit(cut))
        below1 = NormalDist(self._center(1), self.spread).cdf(theta)
        above0 = NormalDist(-self._center(0), self.spread).cdf(-theta)
        return self.prevalence * below1 + (1 - self.prevalence) * above0


# --- A weak factor looks like an Ising law: to second order, to fourth, and what is left over.
#
# Balasubramanian et al., Proposition 1 and Remark 3, with loadings eps times fixed shapes. Put u
# = sum over j of (J_j - p_j) lambda_j and M = sum over j of p_j (1 - p_j) lambda_j lambda_j'.
# Then
#
#     log P(J) = const + sum of eta_j J_j + u'u / 2 + R,
#     R = - u'Mu / 2 - sum over j of g'''(eta_j) |lambda_j|^2 (lambda_j . u) / 2 + order eps^6,
#
# with g(t) = log(1 + exp t). So R is of order eps^4, and that order has terms of one and two
# judges only: three judges have none below eps^6, and four none below eps^8.


_STEEPEST = 1 / (6 * sqrt(3))
"""The largest |g'''|, where the logistic function's density is steepest."""


def fourth_order(law: Factor) -> tuple[Floats, Floats]:
    """Fields and couplings of the Ising law near a weak factor, right to the fourth order.

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
    """What the Ising law of second (or fourth) order misses, over all 2^K votes.

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
    """Term of a set of judges in log P, equation (20): the others vote 0.

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
    positions = [int(judge) for judge in judges]
    if len(set(positions)) < len(positions) or not all(
        0 <= judge < law.n_judges for judge in positions
    ):
        raise DataError(
            f"judges must be different ones of 0 to {law.n_judges - 1}; got {positions}"
        )
    votes = np.zeros((1 << len(positions), law.n_judges), np.int8)
    votes[:, positions] = list(product((0, 1), repeat=len(positions)))
    signs = (-1.0) ** (len(positions) - votes.sum(axis=1))
    return float(signs @ law.log_probability(votes))


# --- How much is lost, as judges are added, by pretending that they are independent: exact risks.
#
# Balasubramanian et al., section 3 and appendix C.3.1. Nothing is sampled. The rule that loses
# knows the true chance of a 1 vote on each label, and takes the judges for independent.


def curie_weiss_risks(
    prevalence: float,
    *,
    beta0: float,
    beta1: float,
    field0: float = 0.0,
    c: float = 0.0,
    n_judges: Sequence[int] = (10, 50, 100, 200),
    threshold: float | None = None,
) -> RiskCurve:
    """Exact risks of Balasubramanian et al., Theorem 1 (no fields) and Theorem 2.

    Judges follow one another: a crowd with coupling beta0 and field field0 on label 0, and on label 1 a
    herd with coupling beta1 and the vanishing field c / K.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    beta0, field0 : float
        The law given label 0; the theorems have 0 < beta0 < 1 and field0 = 0, or below 0.
    beta1, c : float
        The law given label 1; the theorems have beta1 > 1 and c = 0, or above 0.
    n_judges : sequence of int
    threshold : float, optional
        On |M|; by default halfway between the limits of |M| on the two labels, and none where the
        theorems do not hold.

    Returns
    -------
    RiskCurve
        Without a limit where the conditions of the theorems do not hold.

    Raises
    ------
    DataError
        If a number is out of range.

    Examples
    --------
    >>> found = curie_weiss_risks(0.7, beta0=0.5, field0=-0.5, beta1=2.0, c=1.5, n_judges=[100])
    >>> round(found.rows[0].bayes, 6), round(found.rows[0].independent, 6)
    (0.002548, 0.037728)
    >>> round(found.limit.independent, 6)
    0.03747
    """
    numbers = {"beta0": beta0, "field0": field0, "beta1": beta1, "c": c}
    checked = {name: check_number(name, value) for name, value in numbers.items()}
    limit, rests_on = _curie_weiss_limit(check_probability("prevalence", prevalence), checked)
    if threshold is None:
        halfway = (abs(magnetisation(beta0, field0)) + magnetisation(beta1)) / 2
        threshold = halfway if limit is not None else None
    elif limit is not None:
        limit = _with_threshold(limit, threshold, checked)
    return risk_curve(
        prevalence,
        lambda k: (CurieWeiss(k, beta0, field0), CurieWeiss(k, beta1, c / k)),
        n_judges,
        threshold=threshold,
        limit=limit,
        rests_on=rests_on,
        settings=checked,
    )


def _curie_weiss_limit(
    prevalence: float, settings: dict[str, float]
) -> tuple[RiskLimit | None, str]:
    beta0, field0, beta1, c = (settings[name] for name in ("beta0", "field0", "beta1", "c"))
    if field0 == c == 0 and 0 < beta0 < 1 < beta1:
        worse = min(prevalence, 1 - prevalence)
        return RiskLimit(bayes=0.0, independent=worse, threshold=0.0), "Theorem 1"
    try:
        limits = separation(prevalence, **settings)
    except DataError as error:
        return None, f"none, as {error}"
    return RiskLimit(bayes=0.0, independent=limits.independent_risk, threshold=0.0), "Theorem 2"


def _with_threshold(limit: RiskLimit, threshold: float, settings: dict[str, float]) -> RiskLimit:
    """Forget the limit of a threshold that the theorem does not cover."""
    low, high = (
        abs(magnetisation(settings["beta0"], settings["field0"])),
        magnetisation(settings["beta1"]),
    )
    if low < threshold < high:
        return limit
    return RiskLimit(bayes=limit.bayes, independent=limit.independent)


def factor_risks(
    prevalence: float,
    *,
    a: float,
    b: float,
    spread: float,
    n_judges: Sequence[int] = (10, 50, 100, 200),
) -> RiskCurve:
    """Exact risks of Balasubramanian et al., Theorem 3: judges share one normal factor.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    a, b : float
        At factor 0 the log-odds of a 1 are b + a (2 y - 1); a > 0.
    spread : float
        |lambda| sigma_Z > 0.
    n_judges : sequence of int

    Raises
    ------
    DataError
        If a number is out of range.

    Examples
    --------
    >>> found = factor_risks(0.7, a=0.5, b=1.0, spread=2.0, n_judges=[10, 100])
    >>> [round(row.lost, 4) for row in found.rows], round(found.limit.independent - found.limit.bayes, 4)
    ([0.0561, 0.0739], 0.0771)
    """
    many = FactorLimit(prevalence=prevalence, a=a, b=b, spread=spread)
    return risk_curve(
        prevalence,
        lambda k: (many.law(k, 0), many.law(k, 1)),
        n_judges,
        limit=RiskLimit(bayes=many.bayes_risk, independent=many.independent_risk),
        rests_on="Theorem 3",
        settings={"a": a, "b": b, "spread": spread},
    )
