"""How much a panel of so many judges knows of the truth, and what no number of them passes."""

from __future__ import annotations

from typing import Any

from algeval.data.settings import check_whole
from algeval.errors import DataError
from algeval.rates import policy
from algeval.rates.planning.numbers import number
from algeval.rates.planning.pilot import mean_correlations, read_pilot
from algeval.rates.planning.results import JudgePlan, PanelSize
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["panel_rho2", "plan_judges"]


def panel_rho2(rho1: float, vote_correlation: float, judges: int) -> float:
    """Return the squared correlation of a share of votes with the truth.

    Parameters
    ----------
    rho1 : float
        Correlation of one judge's vote with the truth.
    vote_correlation : float
        Of two judges' votes.
    judges : int

    Examples
    --------
    >>> round(panel_rho2(0.5, 0.25, 3), 3)
    0.5
    """
    return judges * rho1**2 / (1 + (judges - 1) * vote_correlation)


def plan_judges(given: dict[str, Any]) -> JudgePlan:
    """Return what so many judges are worth, from two correlations or from a pilot."""
    judges = check_whole("judges", given["judges"], 1)
    rho1, between, n_labels = _correlations(given)
    limit = 1.0 if between <= 0 else min(1.0, rho1**2 / between)
    if 1 + (judges - 1) * between <= 0 or panel_rho2(rho1, between, judges) > 1:
        raise DataError(
            f"vote_correlation must be large enough for {how_many(judges, 'judge')} who each agree with the "
            f"truth as rho1 = {rho1:.3g} says; got {between:.3g}; check both"
        )
    sizes = sorted({*policy.PANEL_SIZES, judges})
    table = [
        (size, panel_rho2(rho1, between, size)) for size in sizes if between > 0 or size <= judges
    ]
    rho2 = panel_rho2(rho1, between, judges)
    return JudgePlan(
        status=Status.OK,
        message=f"{how_many(judges, 'judge')} of this kind save {rho2:.3f} of the labels, and no number of "
        f"them more than {limit:.3f}.",
        n_judges=judges,
        rho2=rho2,
        ceiling=limit,
        rho1=rho1,
        vote_correlation=between,
        n_labels=n_labels,
        table=tuple(PanelSize(judges=size, rho2=worth) for size, worth in table if worth <= 1),
        assumption="judges alike: each as close to the truth, and each two as close to one another"
        + (
            ""
            if n_labels is None
            else f", as on average in a pilot of {how_many(n_labels, 'label')}"
        ),
    )


def _correlations(given: dict[str, Any]) -> tuple[float, float, int | None]:
    plain = {"rho1", "vote_correlation"} & given.keys()
    if "pilot" in given and not plain:
        pilot = read_pilot(given["pilot"], given.get("gold"), given.get("label"))
        rho1, between = mean_correlations(pilot)
        return rho1, between, len(pilot.rows)
    if len(plain) < 2 or "pilot" in given:
        raise DataError(
            "the judges must be told of by rho1 and vote_correlation, or by a pilot; got "
            f"{', '.join(sorted(plain | ({'pilot'} & given.keys()))) or 'neither'}; give the two or the one"
        )
    rho1 = number(given, "rho1", least=0, most=1, strict=False)
    return rho1, number(given, "vote_correlation", least=-1, most=1, strict=False), None
