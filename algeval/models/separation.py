"""How much is lost, as judges are added, by pretending that they are independent: exact risks.

Balasubramanian et al., section 3 and appendix C.3.1. Nothing is sampled. The rule that loses knows the
true chance of a 1 vote on each label, and takes the judges for independent.
"""

from __future__ import annotations

from collections.abc import Sequence

from algeval.data.names import check_number
from algeval.errors import DataError
from algeval.models.binary import check_probability
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation
from algeval.models.factor_limit import FactorLimit
from algeval.models.risk_curves import RiskCurve, RiskLimit, risk_curve

__all__ = ["curie_weiss_risks", "factor_risks"]


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
    """Return the exact risks of Balasubramanian et al., Theorem 1 (no fields) and Theorem 2.

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


def _curie_weiss_limit(prevalence: float, given: dict[str, float]) -> tuple[RiskLimit | None, str]:
    beta0, field0, beta1, c = (given[name] for name in ("beta0", "field0", "beta1", "c"))
    if field0 == c == 0 and 0 < beta0 < 1 < beta1:
        worse = min(prevalence, 1 - prevalence)
        return RiskLimit(bayes=0.0, independent=worse, threshold=0.0), "Theorem 1"
    try:
        known = separation(prevalence, **given)
    except DataError as error:
        return None, f"none, as {error}"
    return RiskLimit(bayes=0.0, independent=known.independent_risk, threshold=0.0), "Theorem 2"


def _with_threshold(limit: RiskLimit, threshold: float, given: dict[str, float]) -> RiskLimit:
    """Forget the limit of a threshold that the theorem does not cover."""
    low, high = abs(magnetisation(given["beta0"], given["field0"])), magnetisation(given["beta1"])
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
    """Return the exact risks of Balasubramanian et al., Theorem 3: judges share one normal factor.

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
