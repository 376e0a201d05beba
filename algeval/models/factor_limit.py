"""Endlessly many equal judges who share one normal factor: both rules, and what each gets wrong.

Balasubramanian et al., appendix C.3.1: equations (21) and (22) and Theorem 3. The share s of 1 votes
becomes sigma(theta), with theta = b + a (2 y - 1) plus normal noise of standard deviation |lambda| sigma_Z.
Bayes' rule and the rule that assumes independence each cut theta once, at different places.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from algeval.data.names import check_choice, check_number
from algeval.models.binary import Floats, check_probability, expit, logit
from algeval.models.factor import (
    ExchangeableFactor,
    Factor,
    independent_cut,
    limiting_excess_risk,
)
from algeval.result.base import Record

__all__ = ["FactorLimit", "bernoulli_divergence"]


def bernoulli_divergence(s: ArrayLike, q: ArrayLike) -> Floats:
    """Return KL(s || q) of two chances, in nats.

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
        """Return the law (21) of so many judges, given the label."""
        return ExchangeableFactor(n_judges, self._center(label), self.spread)

    def vote_chance(self, label: int, z: ArrayLike) -> Floats:
        """Return p(y, z) of (21), the chance of a 1 vote at a standard normal factor z."""
        sign = 2 * check_choice("label", label, (0, 1)) - 1
        return expit(self._center(label) + sign * self.spread * np.asarray(z, float))

    def marginal(self, label: int) -> float:
        """Return q_y, the chance of a 1 vote with the factor summed over."""
        return float(Factor([self._center(label)], [self.spread]).marginals()[0])

    def bayes_log_odds(self, s: ArrayLike) -> Floats:
        """Return l*(s), Bayes' log-odds of label 1 where the share of 1 votes is s."""
        slope = 2 * self.a / self.spread**2
        result: Floats = logit(self.prevalence) + slope * (logit(s) - self.b)
        return result

    def independent_score(self, s: ArrayLike) -> Floats:
        """Return l_ind(s), nats per judge for label 1 if judges were independent.

        It is KL(s || q0) - KL(s || q1); the prior weighs nothing against endlessly many judges.
        """
        s = np.asarray(s, float)
        q0, q1 = self.marginal(0), self.marginal(1)
        result: Floats = s * np.log(q1 / q0) + (1 - s) * (np.log1p(-q1) - np.log1p(-q0))
        return result

    def density(self, s: ArrayLike, label: int) -> Floats:
        """Return f_y(s) of (22), the density of the limiting share of 1 votes."""
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
