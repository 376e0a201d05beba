"""What labels buy: half the width of a rate's interval against their number, with judges and without."""

from __future__ import annotations

from math import ceil, inf
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

from algeval.errors import DataError
from algeval.rates.planning.labels import variance
from algeval.rates.planning.results import LabelPlan, Way
from algeval.report.figures.style import (
    BLUE,
    ORANGE,
    RED,
    describe,
    legend_below,
    new_figure,
)
from algeval.result import percent
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_labels"]

_POINTS = 200
_BEYOND = 2.0
"""How far the axis goes, in numbers of labels without judges."""


def draw_labels(data: LabelPlan) -> Figure:
    """Draw the half-width of a rate, or of a difference, against labels; what was asked is a line.

    Parameters
    ----------
    data : LabelPlan
        With an interval for `rho2`, from a pilot, the judges' curve is a band.
    """
    if not isinstance(data, LabelPlan):
        raise DataError(
            f"the figure must be of a LabelPlan; got {type(data).__name__}; pass what ae.plan returns for "
            "a half-width or a margin"
        )
    figure = new_figure(6.4, 4.0, _title(data))
    axes = figure.add_subplot()
    n, goal = _numbers(data), _goal(data)
    axes.plot(n, _half_width(data, n, 0.0), color=BLUE, label="labels only")
    if data.rho2 is not None:
        told = f"labels and judges, rho2 = {data.rho2:.2f}"
        axes.plot(n, _half_width(data, n, data.rho2), color=ORANGE, label=told)
    if data.rho2_low is not None and data.rho2_high is not None:
        ends = (_half_width(data, n, rho2) for rho2 in (data.rho2_low, data.rho2_high))
        axes.fill_between(n, *ends, color=ORANGE, alpha=0.25, linewidth=0, label="its interval")
    axes.axhline(goal, color=RED, linestyle="--", linewidth=1.2, label=f"asked for: {goal:.3g}")
    for way, colour in _ways(data):
        axes.plot(way.labels or 0, goal, "o", color=colour, markersize=6, zorder=4)
    axes.set(xlim=(0, n[-1]), ylim=(0, min(4 * goal, 0.5)), xlabel="items labelled")
    axes.set_ylabel(f"half of the {percent(data.level, 0)} interval")
    axes.grid(axis="y")
    legend_below(figure, 2)
    return describe(figure, *_words(data))


def _spread(plan: LabelPlan) -> float:
    """Return the variance of one label, or of one difference."""
    if plan.margin is not None and plan.discordance is not None:
        return plan.discordance - plan.margin**2
    rate = 0.5 if plan.rate is None else plan.rate
    return rate * (1 - rate)


def _half_width(plan: LabelPlan, n: Any, rho2: float) -> Any:
    population, items = plan.target == "population", inf if plan.items is None else plan.items
    spread, z = _spread(plan), float(norm.ppf((1 + plan.level) / 2))
    found = [variance(k, spread, rho2, items, population=population) for k in n.tolist()]
    return z * np.sqrt(np.maximum(found, 0.0))


def _goal(plan: LabelPlan) -> float:
    """Return the half-width asked for; of a margin, that which shows it with the power asked for."""
    if plan.half_width is not None:
        return plan.half_width
    z, power = norm.ppf((1 + plan.level) / 2), norm.ppf(plan.power or 0.8)
    return float((plan.margin or 0.0) * z / (z + power))


def _numbers(plan: LabelPlan) -> Any:
    z = float(norm.ppf((1 + plan.level) / 2))
    most = ceil(_BEYOND * _spread(plan) * (z / _goal(plan)) ** 2)
    most = max(10, most if plan.items is None else min(most, plan.items))
    return np.unique(np.linspace(max(1, most // 100), most, _POINTS).round().astype(int))


def _ways(plan: LabelPlan) -> list[tuple[Way, str]]:
    """Return the ways that a curve is of, with its colour, where they reach the goal."""
    names = {
        "labels only": BLUE,
        "labels and judges": ORANGE,
        "same items, an interval": BLUE,
        "the same and judges": ORANGE,
    }
    return [(way, names[way.name]) for way in plan.table if way.name in names and way.labels]


def _title(plan: LabelPlan) -> str:
    among = "" if plan.items is None else f" of {plan.items:,} items"
    what = "a rate" if plan.goal == "rate" else f"a difference of {plan.margin:g}"
    return f"What labels{among} tell of {what}"


def _words(plan: LabelPlan) -> list[str]:
    words = [f"Half-width of the interval against labels; {_goal(plan):.3g} is asked for."]
    for way, _ in _ways(plan):
        words.append(f"{way.name.capitalize()}: {how_many(way.labels or 0, 'item')} to label.")
    return words if plan.feasible else [*words, "No number of labels on these items does."]
