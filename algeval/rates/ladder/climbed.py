"""What was climbed so far, what in it contradicts one another, and the ladder made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from algeval.rates.ladder.beliefs import Belief
from algeval.rates.ladder.conclusion import Conclusion
from algeval.rates.ladder.exact_rungs import Proofs
from algeval.rates.ladder.ground import Ground
from algeval.rates.ladder.results import Ladder, Robustness
from algeval.rates.ladder.rung import Rung, apart
from algeval.result import Status, format_exact

__all__ = ["Climbed"]


@dataclass(slots=True)
class Climbed:
    """Rungs, proofs and notes on the way up.

    Attributes
    ----------
    binding : list of str
        Names of rungs that somebody believes, or that labels show: what contradicts one is an alarm.
    """

    rungs: list[Rung] = field(default_factory=list)
    binding: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    proofs: Proofs = field(default_factory=dict)
    conclusion: Conclusion | None = None
    robustness: Robustness | None = None

    def add(self, rung: Rung, proofs: Proofs | None = None, *, binding: bool = False) -> None:
        """Add a rung above the others."""
        self.rungs.append(rung)
        self.proofs |= proofs or {}
        if binding:
            self.binding.append(rung.name)

    def ladder(
        self, ground: Ground, beliefs: tuple[Belief, ...], settings: dict[str, Any]
    ) -> Ladder:
        """Return the ladder, its verdict, and what contradicts one another."""
        for binds, told in self._outside():
            (self.alarms if binds else self.notes).append(told)
        believed = self._believed(ground, beliefs)
        status = Status.OK if believed.against != "undetermined" else Status.UNDETERMINED
        found = self.conclusion
        return Ladder(
            status=Status.INCONSISTENT if self.alarms else status,
            message=self._message(ground, believed),
            label=ground.label,
            target=ground.target,
            against=ground.against,
            n_items=ground.exam.n_items,
            judges=ground.exam.judges,
            rungs=tuple(self.rungs),
            low=Fraction(0) if believed.low is None else believed.low,
            high=Fraction(1) if believed.high is None else believed.high,
            winner=None if found is None else found.winner,
            conclusion_threshold=None if found is None else found.threshold,
            possible_up_to=None if found is None else found.possible_up_to,
            robustness=self.robustness,
            alarms=tuple(self.alarms),
            notes=tuple(self.notes),
            certificates=self.proofs,
            settings=settings,
        )

    def _outside(self) -> Iterator[tuple[bool, str]]:
        """Yield pairs of rungs without a rate in common, and whether the lower one binds.

        Two rungs of logic are not compared: what they contradict is each other's assumption.
        """
        for lower, higher in combinations(self.rungs, 2):
            binds = lower.name in self.binding
            compared = (binds or lower.exact) and (higher.name in self.binding or not higher.exact)
            if compared and apart(lower, higher):
                told = f"'{higher.name}' lies outside '{lower.name}': at least one of the two is wrong."
                yield binds, told

    def _believed(self, ground: Ground, beliefs: tuple[Belief, ...]) -> Rung:
        """Return the rung that somebody believes, of the rate asked for; else that of nothing."""
        asked = {belief.name for belief in beliefs if belief.asked}
        found = [r for r in self.rungs if r.name in asked and r.target == ground.target]
        return found[0] if found and not self.alarms else self.rungs[0]

    def _message(self, ground: Ground, believed: Rung) -> str:
        if self.alarms:
            return f"Inconsistent: {self.alarms[0]}"
        found = self.conclusion
        told = "" if found is None else " " + found.sentence(ground.label, ground.against)
        side, label = format_exact(ground.against), repr(ground.label)
        if believed.against != "undetermined":
            return (
                f"If {believed.assumption}, the rate of {label} is {believed.against} {side}.{told}"
            )
        return (
            f"Undetermined: the votes alone do not say on which side of {side} the rate of {label} lies."
            f"{told}"
        )
