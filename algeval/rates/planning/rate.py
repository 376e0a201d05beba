"""Labels for a rate that is to be known to within half a width."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.rates import policy
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.planning.numbers import number
from algeval.rates.planning.pilot import Pilot, read_pilot, rho2_with_range
from algeval.rates.planning.results import LabelPlan, Way, or_never
from algeval.rates.planning.ways import (
    Items,
    Rho2,
    pilot_warnings,
    read_items,
    way_with_judges,
    whole,
)
from algeval.result import Status
from algeval.result.wording import how_many, level_text

__all__ = ["plan_rate"]


class _Goal(NamedTuple):
    rate: float
    half_width: float
    items: Items
    level: float

    @property
    def alone(self) -> float:
        z = normal_quantile(self.level)
        return self.rate * (1 - self.rate) * (z / self.half_width) ** 2

    def labels(self, rho2: float) -> int | None:
        found, few = self.items.labels(self.alone, rho2), self.items.labels(self.alone, 0)
        if found is None or few is None:
            return None
        return max(found, min(few, policy.FEWEST_GOLD))


def plan_rate(given: dict[str, Any]) -> LabelPlan:
    """Return how many labels do, alone and with judges."""
    pilot = None
    if "pilot" in given:
        pilot = read_pilot(given["pilot"], given.get("gold"), given.get("label"))
    goal, rho2 = _goal(given, pilot), _rho2(given, pilot)
    ways = [Way(name="labels only", labels=goal.labels(0), rests_on="random labels")]
    if rho2 is not None:
        told = "judges who know rho2 = {} of the truth"
        ways.append(way_with_judges("labels and judges", told, goal.labels, rho2))
    labels = ways[-1].labels
    return LabelPlan(
        status=Status.OK,
        message=_message(goal, ways, rho2),
        goal="rate",
        labels=labels,
        table=tuple(ways),
        items=goal.items.seen,
        items_needed=goal.items.needed(goal.alone),
        target=goal.items.target,
        rho2=None if rho2 is None else rho2[0],
        rho2_low=None if rho2 is None else rho2[1],
        rho2_high=None if rho2 is None else rho2[2],
        rate=goal.rate,
        half_width=goal.half_width,
        margin=None,
        discordance=None,
        power=None,
        level=goal.level,
        assumption=_assumption(given, pilot, goal),
        warnings=pilot_warnings(None if pilot is None else len(pilot.rows), ways),
    )


def _goal(given: dict[str, Any], pilot: Pilot | None) -> _Goal:
    half_width = number(given, "half_width", most=0.5)
    if "rate" in given:
        rate = number(given, "rate", most=1)
    else:
        rate = policy.HARDEST if pilot is None else float(pilot.truth.mean())
        if not 0 < rate < 1:
            rate = policy.HARDEST
    items = read_items(given, inf if pilot is None else len(pilot.votes.items))
    level = check_number("level", given.get("level", policy.LEVEL), least=0, most=1, strict=True)
    return _Goal(rate, half_width, items, level)


def _rho2(given: dict[str, Any], pilot: Pilot | None) -> Rho2 | None:
    if "rho2" in given and pilot is not None:
        raise DataError("rho2 must be given or come from a pilot; got both; leave one out")
    if pilot is not None:
        judged = pilot.verdict >= 0
        seed = check_whole("random", given.get("random", 0), 0)
        return rho2_with_range(pilot.truth[judged], pilot.verdict[judged], seed)
    if "rho2" in given:
        return number(given, "rho2", least=0, most=1, strict=False), None, None
    return None


def _message(goal: _Goal, ways: list[Way], rho2: Rho2 | None) -> str:
    best = ways[-1]
    within = f"within {goal.half_width:g} at {level_text(goal.level)}"
    if best.labels is None:
        return (
            f"No number of labels on {goal.items.number:,} items tells the population's rate to {within}: "
            f"it takes {whole(goal.alone):,} items; get more items, not labels."
        )
    told = f"{how_many(best.labels, 'label')} tell the rate to {within}"
    if best.fewest is not None:
        told += f", and {best.fewest:,} to {or_never(best.most)} as far as the pilot can say"
    return told + (f"; without judges {ways[0].labels:,}." if rho2 is not None else ".")


def _assumption(given: dict[str, Any], pilot: Pilot | None, goal: _Goal) -> str:
    guessed = " (the hardest case)" if "rate" not in given and pilot is None else ""
    about = "these items" if not goal.items.population else "what the items are a sample of"
    of_pilot = "" if pilot is None else f"; rho2 as among {len(pilot.rows)} labels of the pilot"
    return f"a rate near {goal.rate:.2f}{guessed} of {about}; labels drawn at random, and right{of_pilot}"
