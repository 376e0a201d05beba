"""What plans for a rate and for a margin say alike of judges and of pilots."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from algeval.rates import policy
from algeval.rates.planning.results import Way
from algeval.result.wording import how_many

__all__ = ["Rho2", "pilot_warnings", "way_with_judges"]

Rho2 = tuple[float, float | None, float | None]
"""The squared correlation, and the ends of its interval where it comes from a pilot."""


def way_with_judges(name: str, told: str, labels: Callable[[float], int | None], rho2: Rho2) -> Way:
    """Return the way with judges, and its range where rho2 has one.

    told : what it rests on, with {} for rho2.
    """
    point, low, high = rho2
    if low is None or high is None:
        return Way(name=name, labels=labels(point), rests_on=told.format(f"{point:.2f}"))
    return Way(
        name=name,
        labels=labels(point),
        fewest=labels(high),
        most=labels(low),
        rests_on=told.format(f"{point:.2f} [{low:.2f}, {high:.2f}]"),
    )


def pilot_warnings(n_labels: int | None, ways: Sequence[Way]) -> tuple[str, ...]:
    """Warn where few labels with judges will do, and where few tell what judges know."""
    told = []
    judged = any(way.name.endswith("judges") for way in ways)
    if judged and 0 < (ways[-1].labels or 0) < policy.ENOUGH_LABELS:
        told.append(
            f"with fewer than {policy.ENOUGH_LABELS} labels how far judges can be relied on is itself a "
            "guess, and the interval comes out wider by a tenth or so; label some more"
        )
    if n_labels is not None and n_labels < policy.ENOUGH_PILOT:
        n = how_many(n_labels, "label")
        told.append(f"a pilot of {n} knows rho2 poorly; plan by the larger number")
    return tuple(told)
