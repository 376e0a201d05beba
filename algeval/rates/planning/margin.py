"""Labels that show one of two systems better on the same items, with a power."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.rates import policy
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.planning.labels import connor, unpaired
from algeval.rates.planning.mcnemar import exact_pairs
from algeval.rates.planning.numbers import number
from algeval.rates.planning.pilot import Differences, read_paired_pilot, rho2_with_range
from algeval.rates.planning.results import LabelPlan, Way, or_never
from algeval.rates.planning.ways import (
    Items,
    Rho2,
    pilot_warnings,
    read_items,
    way_with_judges,
    whole,
)
from algeval.result import Status, percent
from algeval.result.wording import how_many, level_text

__all__ = ["plan_margin"]


class _Goal(NamedTuple):
    margin: float
    discordance: float
    rate: float
    z_level: float
    z_power: float
    items: Items

    @property
    def alone(self) -> float:
        """Labels for an interval of the difference, from endless items without judges."""
        spread = self.discordance - self.margin**2
        return spread * ((self.z_level + self.z_power) / self.margin) ** 2

    def labels(self, rho2: float) -> int | None:
        return self.items.labels(self.alone, rho2)

    def on_items(self, labels: int) -> int | None:
        """Return labels if there are so many items."""
        return labels if labels <= self.items.number else None


def plan_margin(given: dict[str, Any]) -> LabelPlan:
    """Return how many items must be labelled for both systems, alone, with judges, and unpaired."""
    level = check_number("level", given.get("level", policy.LEVEL), least=0, most=1, strict=True)
    power = number(given, "power", most=1) if "power" in given else policy.POWER
    pilot = _pilot(given)
    goal, rho2 = _goal(_with_pilot(given, pilot), level, power), _rho2(given, pilot)
    ways = _ways(goal, level, power, rho2)
    best = ways[0] if rho2 is None else ways[-1]
    return LabelPlan(
        status=Status.OK,
        message=_message(goal, ways, best, power, level),
        goal="margin",
        labels=best.labels,
        table=tuple(ways),
        items=goal.items.seen,
        items_needed=goal.items.needed(goal.alone),
        target=goal.items.target,
        rho2=None if rho2 is None else rho2[0],
        rho2_low=None if rho2 is None else rho2[1],
        rho2_high=None if rho2 is None else rho2[2],
        rate=goal.rate,
        half_width=None,
        margin=goal.margin,
        discordance=goal.discordance,
        power=power,
        level=level,
        assumption=f"systems that differ on {percent(goal.discordance)} of the items, one right and one "
        f"wrong; rates near {goal.rate:.2f} (for unpaired alone); labels drawn at random, and right",
        warnings=pilot_warnings(None if pilot is None else len(pilot.truth), ways),
    )


def _pilot(given: dict[str, Any]) -> Differences | None:
    if "pilot" not in given:
        return None
    both = {"discordance", "rho2"} & given.keys()
    if both:
        raise DataError(f"{min(both)} must be given or come from a pilot; got both; leave one out")
    return read_paired_pilot(given["pilot"], given.get("gold"), given.get("label"))


def _with_pilot(given: dict[str, Any], pilot: Differences | None) -> dict[str, Any]:
    """Return the settings with the pilot's discordance, and its items unless others are given."""
    if pilot is None:
        return given
    return {"items": pilot.n_items} | given | {"discordance": float(np.abs(pilot.truth).mean())}


def _rho2(given: dict[str, Any], pilot: Differences | None) -> Rho2 | None:
    if pilot is not None:
        seed = check_whole("random", given.get("random", 0), 0)
        return rho2_with_range(pilot.truth, pilot.verdict, seed)
    if "rho2" in given:
        return number(given, "rho2", least=0, most=1, strict=False), None, None
    return None


def _goal(given: dict[str, Any], level: float, power: float) -> _Goal:
    discordance = number(given, "discordance", most=1, strict=False)
    margin = number(given, "margin", most=1)
    if not 0 < margin <= discordance or margin**2 == discordance:
        raise DataError(
            f"discordance must be above 0, at most 1 and at least the margin ({margin:g}), as a system is "
            f"ahead only where they differ; got {discordance:g}; change it"
        )
    items = read_items(given)
    rate = number(given, "rate", most=1) if "rate" in given else policy.HARDEST
    ends = normal_quantile(level), float(ndtri(power))
    return _Goal(margin, discordance, rate, *ends, items)


def _ways(goal: _Goal, level: float, power: float, rho2: Rho2 | None) -> list[Way]:
    ends = goal.z_level, goal.z_power
    exactly = exact_pairs(goal.discordance, goal.margin, level, power)
    apart = unpaired(goal.rate, goal.margin, *ends)
    ways = [
        Way(
            name="same items, a test",
            labels=goal.on_items(connor(goal.discordance, goal.margin, *ends)),
            rests_on="items labelled for both systems; large-sample test of those that differ",
        ),
        Way(
            name="the same, exact test",
            labels=exactly and goal.on_items(exactly),
            rests_on="the same, with the binomial test",
        ),
        Way(name="other items each", labels=apart, rests_on="items for each of the systems"),
        Way(
            name="same items, an interval",
            labels=goal.labels(0),
            rests_on="of the difference, which must leave 0",
        ),
    ]
    if rho2 is not None:
        told = "judges whose differences know rho2 = {} of the true ones"
        ways.append(way_with_judges("the same and judges", told, goal.labels, rho2))
    return ways


def _message(goal: _Goal, ways: list[Way], best: Way, power: float, level: float) -> str:
    sure = f"power {level_text(power)} at {level_text(level)}"
    if best.labels is None:
        return (
            f"No number of labels on {goal.items.number:,} items shows a difference of {goal.margin:g} with "
            f"{sure}: it takes {whole(goal.alone):,} items; get more items, not labels."
        )
    between = (
        "" if best.fewest is None else f" ({best.fewest:,} to {or_never(best.most)} by the pilot)"
    )
    return (
        f"{how_many(best.labels, 'item')}{between} labelled for both systems show a difference of "
        f"{goal.margin:g} with {sure}; on items of their own each system takes {ways[2].labels:,}."
    )
