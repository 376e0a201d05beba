"""What figures of scores are drawn from: what judges share, found already or to be found."""

from __future__ import annotations

from typing import Any

from algeval.aggregate.score_checks.confounders import confounders
from algeval.aggregate.score_checks.results import Confounders
from algeval.data import Scores
from algeval.errors import DataError
from algeval.report.figures.fits import refuse_data
from algeval.result import Status

__all__ = ["found_in"]


def found_in(data: Any, needed: str = "Scores or a Confounders") -> Confounders:
    """Return what judges share, or refuse data that do not say.

    Raises
    ------
    DataError
        If the data are of another kind, or settle not even one factor.
    """
    if not isinstance(data, Scores | Confounders):
        raise refuse_data(data, needed)
    found = confounders(data) if isinstance(data, Scores) else data
    if found.status is Status.NOT_IDENTIFIABLE:
        raise DataError(f"the scores must settle what judges share; they do not: {found.message}")
    return found
