"""The rows of a rate: the ladder's rungs, then the labels, and which rungs the labels speak against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import hypot

from algeval.rates.intervals.estimate import Estimate
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.ladder import Ladder, Rung
from algeval.rates.ladder.rung import side_of
from algeval.rates.policy import REFUTED
from algeval.rates.rating.page import RAW, span
from algeval.rates.rating.results import Row
from algeval.result import Status
from algeval.result.wording import level_text

__all__ = ["judged_by", "label_row", "raw_row", "row_of"]


def raw_row(judged: dict[str, dict[str, float | None]]) -> Row:
    """Return the row of each judge's own votes, which have a point and no interval."""
    known = [x for said in judged.values() if (x := said["right_on_labelled"]) is not None]
    right = f": {span(known)} right on the labels" if known else ""
    return Row(
        name=RAW,
        assumption="judges do not err",
        low=None,
        estimate=None,
        high=None,
        against="",
        breaks_at=f"they err{right}",
    )


def row_of(rung: Rung, against: Fraction) -> Row:
    """Return a rung as a row."""
    word = "impossible" if rung.status is Status.INCONSISTENT else ""
    if rung.ends is not None:
        word = side_of(*rung.ends, against, "open")
    return Row(
        name=rung.name,
        assumption=rung.assumption,
        low=rung.low,
        estimate=rung.estimate,
        high=rung.high,
        against=word,
        breaks_at="never" if rung.breaks_at == "impossible" else rung.breaks_at,
    )


def label_row(
    name: str, found: Estimate, *, assumption: str, against: Fraction, level: float, answer: bool
) -> Row:
    """Return the row of an interval from labels."""
    known = found.rate == found.rate
    return Row(
        name=name,
        assumption=assumption,
        low=found.low,
        estimate=found.rate if known else None,
        high=found.high,
        against=side_of(found.low, found.high, against, "open"),
        breaks_at=f"{level_text(1 - level)} bad luck",
        answer=answer,
    )


def judged_by(rows: Iterable[Row], ladder: Ladder, found: Estimate, level: float) -> list[Row]:
    """Return the rows with those marked that the labels' interval speaks against.

    A row with a point of its own is compared by the difference in standard errors, any other by whether
    the intervals meet.
    """
    exact = {rung.name for rung in ladder.rungs if rung.exact}
    return [_judged(row, row.name in exact, found, level) for row in rows]


def _judged(row: Row, exact: bool, found: Estimate, level: float) -> Row:
    if row.low is None or row.high is None:
        return row
    if exact or row.estimate is None:
        return replace(row, refuted=bool(row.high < found.low or row.low > found.high))
    widths = hypot(float(row.high - row.low), found.high - found.low)
    error = widths / (2 * normal_quantile(level))
    apart = abs(float(row.estimate) - found.rate) / error if error else 0.0
    return replace(row, refuted=apart > REFUTED, standard_errors=round(apart, 2))
