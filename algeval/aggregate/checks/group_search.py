"""The search behind `judge_groups`: the tightest group beyond chance becomes one judge, and again."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.checks.group_panel import Unit, centrality, most_central
from algeval.aggregate.checks.pair_test import FittedExam
from algeval.aggregate.kernels.tetrads import (
    NOTHING,
    Alike,
    Found,
    alike,
    candidates,
    measured,
    measured_all,
    z_of,
)
from algeval.aggregate.results import Floats
from algeval.data import Sketch
from algeval.models.independent_fit import generator

__all__ = ["Merged", "Panel", "Rule", "Search", "search"]


@dataclass(frozen=True, slots=True)
class Rule:
    """The settings of a search."""

    level: float
    closeness: float
    min_common: int
    replicates: int
    seed: int


@dataclass(frozen=True, slots=True)
class Merged:
    """A group that became one judge: its judges, the p-value, and who could be the group instead."""

    members: Unit
    p_value: float
    rivals: tuple[Unit, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """All judges' correlations, and the units that count as one judge each."""

    found: Alike
    ranks: list[int]
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, sketch: Sketch, rule: Rule) -> Panel:
        """Return the panel in which every judge who can be compared is a unit."""
        found = _alike(sketch, rule)
        units = tuple((place,) for place in range(sketch.n_judges) if found.tested[place].any())
        return cls(found, centrality(found), units)

    def merging(self, members: Unit) -> Panel:
        """Return the panel in which these judges are one unit."""
        units = tuple(unit for unit in self.units if not set(unit) <= set(members))
        return Panel(self.found, self.ranks, (*units, members))

    def own(self) -> dict[int, Unit]:
        """Return {the judge that stands for it: unit}, in the order of judges."""
        return dict(sorted((most_central(unit, self.ranks), unit) for unit in self.units))

    def others(self, members: Unit) -> Unit:
        """Return one judge of each unit without these judges."""
        apart = [unit for unit in self.units if not set(unit) & set(members)]
        return tuple(sorted(most_central(unit, self.ranks) for unit in apart))

    def measured(self, members: Unit) -> Found:
        """Return what tetrads say of some judges against one judge of each other unit."""
        return measured(self.found, members, self.others(members))


class Search(NamedTuple):
    """Where a search ended."""

    panel: Panel
    groups: tuple[Merged, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """A group that passes for near copies."""

    members: Unit
    found: Found
    z: float

    @property
    def worth(self) -> float:
        return self.found.worth(len(self.members))


def search(sketch: Sketch, rule: Rule) -> Search:
    """Merge the tightest group that chance does not explain into one judge, until there is none."""
    panel = Panel.of(sketch, rule)
    merged: list[Merged] = []
    while len(panel.units) >= policy.FEWEST_UNITS:
        chosen = _round(sketch, panel, rule)
        if chosen is None:
            break
        panel = panel.merging(chosen.members)
        inside = [one for one in merged if set(one.members) <= set(chosen.members)]
        merged = [one for one in merged if one not in inside]
        p_value = max(one.p_value for one in [chosen, *inside])
        rivals = tuple(dict.fromkeys(r for one in [chosen, *inside] for r in one.rivals))
        merged.append(Merged(chosen.members, p_value, rivals))
    return Search(panel, tuple(merged))


def _round(sketch: Sketch, panel: Panel, rule: Rule) -> Merged | None:
    """Return the tightest group of units beyond chance, or None."""
    own = panel.own()
    reduced = sketch.marginal([sketch.judges[place] for place in own])
    looks = _looks(_alike(reduced, rule), rule.closeness)
    looks = [_joined(look, list(own.values()), panel) for look in looks]
    looks = [look for look in looks if look.z > 0 and _close(panel, look, rule.closeness)]
    if not looks:
        return None
    drawn = _drawn_extremes(reduced, max(look.z for look in looks), rule)
    beyond = {
        look: (1 + int((drawn >= look.z).sum())) / (len(drawn) + 1)
        for look in sorted(looks, key=lambda look: (look.worth, look.members))
    }
    passed = [look for look, p_value in beyond.items() if p_value <= rule.level]
    if not passed:
        return None
    chosen = passed[0]
    rivals = [look.members for look in passed if not set(look.members) & set(chosen.members)]
    return Merged(chosen.members, beyond[chosen], tuple(rivals))


def _joined(look: _Look, own: list[Unit], panel: Panel) -> _Look:
    """Return a group of the reduced panel as a group of all judges, measured on all of them."""
    members = tuple(sorted(judge for place in look.members for judge in own[place]))
    return _Look(members, panel.measured(members), look.z)


def _close(panel: Panel, look: _Look, closeness: float) -> bool:
    outside = panel.others(look.members)
    return look.found.residual >= closeness and not _milder_outside(
        panel.found, look.members, outside
    )


def _looks(found: Alike, closeness: float) -> list[_Look]:
    """Return the groups of a panel that are as close as asked, with their z."""
    n = len(found.tested)
    groups = candidates(found, closeness, policy.MOST_GROUP if n > policy.FEW_JUDGES else n)
    measures = zip(groups, measured_all(found, groups), strict=True)
    close = {group: here for group, here in measures if here.residual >= closeness}
    if not close:
        return []
    z = z_of(found, list(close), np.array([here.tetrad for here in close.values()]))
    return [
        _Look(group, here, float(value))
        for (group, here), value in zip(close.items(), z, strict=True)
    ]


def _milder_outside(found: Alike, group: Unit, outside: Unit) -> bool:
    """Whether far milder sharing of errors among the others would explain the same tetrads."""
    here, there = measured(found, group, outside), measured(found, outside, group)
    if there is NOTHING:
        return False
    strength = (len(outside) - 1) * max(there.residual, 0.0) ** 2
    return strength < policy.FAR_MILDER * (len(group) - 1) * here.residual**2


def _drawn_extremes(panel: Sketch, z: float, rule: Rule) -> Floats:
    """Return the largest z of any group, close or not, in each exam of independent judges.

    With close groups alone the p-value is too small on few items: which groups come out close in
    drawn exams depends on what the fit took for the judges' accuracies. Drawing stops where
    nothing can be rejected any more.
    """
    rng = generator(rule.seed, panel.codes, panel.counts)
    exam = FittedExam.of(panel)
    answered = float(1 - panel.missing.sum() / (panel.n_items * panel.n_judges))
    exam = exam._replace(most_drawn=ceil(policy.GROUP_ITEMS / answered))
    most = max(1, policy.DRAWN_CELLS // (exam.n_drawn * panel.n_judges * panel.n_answers))
    enough = ceil(rule.level * (rule.replicates + 1))
    extremes: list[float] = []
    while len(extremes) < rule.replicates:
        size = min(most, policy.DRAWN_AT_ONCE, rule.replicates - len(extremes))
        for codes in exam.drawn(size, rng):
            found = alike(codes, np.ones(len(codes)), panel.n_answers, rule.min_common)
            extremes.append(max((look.z for look in _looks(found, 0.0)), default=0.0))
        if sum(one >= z for one in extremes) >= enough:
            break
    return np.array(extremes)


def _alike(sketch: Sketch, rule: Rule) -> Alike:
    return alike(sketch.codes, sketch.counts.astype(float), sketch.n_answers, rule.min_common)
