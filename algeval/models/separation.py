"""How much is lost, as judges are added, by pretending that they are independent: exact risks.

Balasubramanian et al., section 3 and appendix C.3.1. Nothing is sampled: equal judges are told by the
number of their 1 votes, so each risk is a sum of K + 1 terms. The other rule knows the true chance of a 1
vote on each label, and takes the judges for independent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.models.binary import Floats, check_probability
from algeval.models.count_rules import (
    bayes_decisions,
    count_risk,
    independent_decisions,
    size_decisions,
)
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation
from algeval.models.factor_limit import FactorLimit
from algeval.result import Result, Status, Table
from algeval.result.base import Record
from algeval.result.wording import how_many

__all__ = [
    "CountLaw",
    "RiskCurve",
    "RiskLimit",
    "RiskRow",
    "curie_weiss_risks",
    "factor_risks",
    "risk_curve",
]


class CountLaw(Protocol):
    """The law of the number of 1 votes of equal judges, given a label."""

    def log_pmf(self) -> Floats:
        """Return (K + 1,): log-probability of each number of 1 votes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskLimit(Record):
    """The risks with endlessly many judges.

    Attributes
    ----------
    bayes, independent : float
    threshold : float or None
        None where no threshold was asked for.
    """

    bayes: float
    independent: float
    threshold: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskRow(Record):
    """The risks with so many judges: shares of the items that a rule labels wrong.

    Attributes
    ----------
    n_judges : int
    bayes, independent : float
    threshold : float or None
        Of the rule that decides 1 where |M| reaches the threshold.
    """

    n_judges: int
    bayes: float
    independent: float
    threshold: float | None = None

    @property
    def lost(self) -> float:
        """What independence loses."""
        return self.independent - self.bayes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskCurve(Result):
    """Exact risks of Bayes' rule and of its rivals, by the number of judges.

    Attributes
    ----------
    status : Status
        Always ok: the risks are exact to rounding.
    prevalence : float
    rows : tuple of RiskRow
        In order of the number of judges.
    limit : RiskLimit or None
        None where no theorem covers the laws.
    rests_on : str
        The theorem behind the limit, or why there is none.
    settings : dict
        What the function was given, and the threshold taken.
    """

    schema: ClassVar[str] = "algeval.risk_curve/1"

    prevalence: float
    rows: tuple[RiskRow, ...]
    limit: RiskLimit | None
    rests_on: str
    settings: dict[str, Any]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number of judges: the risks, and what independence loses."""
        names = [field.name for field in fields(RiskRow)] + ["lost"]
        rows = [[getattr(row, name) for name in names] for row in self.rows]
        return (Table.of_rows("Shares of items labelled wrong", names, rows),)

    def summary(self) -> str:
        """Return the message, a line per number of judges, the limit, and what it rests on."""
        head = "  judges     Bayes  independent      lost"
        if self.rows[0].threshold is not None:
            head += "  threshold"
        lines = [_line(str(row.n_judges), row) for row in self.rows]
        if self.limit is not None:
            lines.append(_line("limit", self.limit))
        return "\n".join([self.message, head, *lines, f"Limit: {self.rests_on}."])


def _line(name: str, row: RiskRow | RiskLimit) -> str:
    told = (
        f"  {name:>6}  {row.bayes:.6f}     {row.independent:.6f}  {row.independent - row.bayes:.6f}"
    )
    return told if row.threshold is None else f"{told}   {row.threshold:.6f}"


def risk_curve(
    prevalence: float,
    laws: Callable[[int], tuple[CountLaw, CountLaw]],
    n_judges: Sequence[int],
    *,
    threshold: float | None = None,
    limit: RiskLimit | None = None,
    rests_on: str = "no theorem was named",
    settings: dict[str, Any] | None = None,
) -> RiskCurve:
    """Return the exact risks of Bayes' rule and of independence, for any laws of equal judges.

    Parameters
    ----------
    prevalence : float
        Chance of label 1.
    laws : callable
        From a number of judges to the laws of the number of 1 votes given label 0 and label 1.
    n_judges : sequence of int
        Numbers of judges.
    threshold : float, optional
        Also the risk of deciding 1 where |M|, the distance from an even split, reaches it.
    limit, rests_on, settings
        What is known besides, for the result to hold.

    Raises
    ------
    DataError
        If a number is out of range.

    Examples
    --------
    >>> from algeval.models.curie_weiss import CurieWeiss
    >>> found = risk_curve(0.5, lambda k: (CurieWeiss(k, 0.5), CurieWeiss(k, 1.5)), [10, 50])
    >>> [(row.n_judges, round(row.bayes, 4), round(row.independent, 4)) for row in found.rows]
    [(10, 0.2076, 0.5), (50, 0.0117, 0.5)]
    """
    prevalence = check_probability("prevalence", prevalence)
    if threshold is not None:
        check_number("threshold", threshold, least=0, most=1)
    sizes = sorted({check_whole("n_judges", k) for k in n_judges})
    if not sizes:
        raise DataError("n_judges must name at least one number of judges; got none; add some")
    rows = tuple(_row(prevalence, k, laws(k), threshold) for k in sizes)
    return RiskCurve(
        status=Status.OK,
        message=_message(rows[-1], limit),
        prevalence=prevalence,
        rows=rows,
        limit=limit,
        rests_on=rests_on,
        settings=(settings or {}) | {"threshold": threshold},
    )


def _row(
    prevalence: float, k: int, laws: tuple[CountLaw, CountLaw], threshold: float | None
) -> RiskRow:
    both = laws[0].log_pmf(), laws[1].log_pmf()
    bayes = count_risk(prevalence, *both, bayes_decisions(prevalence, *both))
    independent = count_risk(prevalence, *both, independent_decisions(prevalence, *both))
    third = (
        None if threshold is None else count_risk(prevalence, *both, size_decisions(k, threshold))
    )
    return RiskRow(n_judges=k, bayes=bayes, independent=independent, threshold=third)


def _message(last: RiskRow, limit: RiskLimit | None) -> str:
    told = (
        f"With {how_many(last.n_judges, 'judge')} Bayes' rule is wrong on {last.bayes:.2%} of the items, "
        f"and the rule that takes them for independent on {last.independent:.2%}"
    )
    if limit is None:
        return told
    return f"{told}; with endlessly many, on {limit.bayes:.2%} and {limit.independent:.2%}"


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
        On |M|; by default halfway between the limits of |M| on the two labels.

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
