"""Exact risks of rules by the number of judges: the curve, its limit, and how it is computed.

Equal judges are told by the number of their 1 votes, so each risk is a sum of K + 1 terms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

from algeval.data.names import check_number, check_whole
from algeval.errors import DataError
from algeval.models.binary import Floats, check_probability
from algeval.models.count_rules import (
    bayes_decisions,
    count_risk,
    independent_decisions,
    size_decisions,
)
from algeval.result import Result, Status, Table
from algeval.result.base import Record
from algeval.result.numbers import how_many

__all__ = ["CountLaw", "RiskCurve", "RiskLimit", "RiskRow", "risk_curve"]


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
        """Row per number of judges: the risks, and what independence loses."""
        names = [field.name for field in fields(RiskRow)] + ["lost"]
        rows = [[getattr(row, name) for name in names] for row in self.rows]
        return (Table.of_rows("Shares of items labelled wrong", names, rows),)

    def summary(self) -> str:
        """Message, a line per number of judges, the limit, and what it rests on."""
        head = "  judges     Bayes  independent      lost"
        if self.rows[0].threshold is not None:
            head += "  threshold"
        lines = [_line(str(row.n_judges), row) for row in self.rows]
        if self.limit is not None:
            lines.append(_line("limit", self.limit))
        return "\n".join([self.message, head, *lines, f"Limit: {self.rests_on}."])


def _line(name: str, row: RiskRow | RiskLimit) -> str:
    text = (
        f"  {name:>6}  {row.bayes:.6f}     {row.independent:.6f}  {row.independent - row.bayes:.6f}"
    )
    return text if row.threshold is None else f"{text}   {row.threshold:.6f}"


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
    """Exact risks of Bayes' rule and of independence, for any laws of equal judges.

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
        If a number is out of range, or the laws are of another number of judges.

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
    if not len(both[0]) == len(both[1]) == k + 1:
        raise DataError(
            f"laws must be of as many judges as asked, {k}; got laws of {len(both[0]) - 1} and "
            f"{len(both[1]) - 1}; let laws(k) make laws of k judges"
        )
    bayes = count_risk(prevalence, *both, bayes_decisions(prevalence, *both))
    independent = count_risk(prevalence, *both, independent_decisions(prevalence, *both))
    third = (
        None if threshold is None else count_risk(prevalence, *both, size_decisions(k, threshold))
    )
    return RiskRow(n_judges=k, bayes=bayes, independent=independent, threshold=third)


def _message(last: RiskRow, limit: RiskLimit | None) -> str:
    text = (
        f"With {how_many(last.n_judges, 'judge')} Bayes' rule is wrong on {last.bayes:.2%} of the items, "
        f"and the rule that takes them for independent on {last.independent:.2%}"
    )
    if limit is None:
        return text
    return f"{text}; with endlessly many, on {limit.bayes:.2%} and {limit.independent:.2%}"
