"""What plans for a rate and for a margin say alike of judges and of pilots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, inf
from typing import Any, NamedTuple

from algeval.data.settings import check_choice, check_whole
from algeval.rates import policy
from algeval.rates.planning.labels import labels_needed
from algeval.rates.planning.results import Way
from algeval.result.wording import how_many

__all__ = ["Items", "Rho2", "pilot_warnings", "read_items", "way_with_judges", "whole"]

Rho2 = tuple[float, float | None, float | None]
"""The squared correlation, and the ends of its interval where it comes from a pilot."""


class Items(NamedTuple):
    """The items that may be labelled, and what they stand for.

    number : float
        How many the judges saw; infinite if as many as one likes.
    population : bool
        Whether the answer is about what they are a sample of.
    """

    number: float
    population: bool

    @property
    def seen(self) -> int | None:
        """How many the judges saw; None if as many as one likes."""
        return None if self.number == inf else int(self.number)

    @property
    def target(self) -> str:
        """What the answer is about, in one word."""
        return "population" if self.population else "items"

    def labels(self, alone: float, rho2: float) -> int | None:
        """Return the labels with judges, from those on endless items without; None if none do."""
        return labels_needed(alone, rho2, self.number, population=self.population)

    def needed(self, alone: float) -> int:
        """Return the items without which no number of labels does."""
        return whole(alone) if self.population else 1


def whole(alone: float) -> int:
    """Return labels in whole numbers, at least one."""
    return max(1, ceil(alone - 1e-9))


def read_items(given: dict[str, Any], seen: float = inf) -> Items:
    """Return the items and the target that were given; `seen` stands in for the items."""
    number = check_whole("items", given["items"], 1) if "items" in given else seen
    target = check_choice("target", given.get("target", "items"), ["items", "population"])
    return Items(number, target == "population")


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
