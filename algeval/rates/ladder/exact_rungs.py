"""The rungs that are logic: nothing assumed, contradictions, beliefs about the judges, thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil

from algeval.data import Specification, Summary
from algeval.data.reading import as_joint
from algeval.logic.exam import Exam
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof.certificate import Certificate
from algeval.rates.ladder.beliefs import Belief
from algeval.rates.ladder.conclusion import Conclusion, conclude
from algeval.rates.ladder.contradictions import (
    CallAccuracy,
    accuracy_of_calls,
    most_contradicting,
)
from algeval.rates.ladder.covers import Floors, floors_of
from algeval.rates.ladder.ground import Ground
from algeval.rates.ladder.population import population_range
from algeval.rates.ladder.rung import Rung
from algeval.rates.ladder.settle import Settled, narrowed, settle
from algeval.rates.policy import FULL_SHARE
from algeval.result import Status, format_exact, percent
from algeval.result.wording import level_text, percent_up

__all__ = [
    "Proofs",
    "contradictions",
    "nothing",
    "of_belief",
    "of_contradictions",
    "refused",
    "thresholds",
]

Proofs = dict[str, Certificate]


def nothing(ground: Ground) -> Rung:
    """Return the rung of no assumption at all."""
    return Rung(
        name="nothing",
        assumption="nothing: every answer key is possible with these votes",
        low=Fraction(0),
        estimate=None,
        high=Fraction(1),
        against=ground.side(Fraction(0), Fraction(1)),
        breaks_at="impossible",
        target=ground.target,
        exact=True,
    )


def contradictions(ground: Ground) -> tuple[CallAccuracy, ...]:
    """Return how right all judges, and the two who differ most, can be: none where it is not known."""
    if isinstance(ground.data, Summary) or ground.exam.n_judges < 2:
        return ()
    data = as_joint(ground.data)
    pair = most_contradicting(data)
    if pair is None:
        return ()
    every = (accuracy_of_calls(data),) if ground.exam.n_judges > 2 else ()
    return *every, accuracy_of_calls(data, pair)


def of_contradictions(ground: Ground, found: Sequence[CallAccuracy]) -> Rung:
    """Return the rung of what judges who contradict one another cannot be."""
    words = [
        f"at most {format_exact(one.highest)} of {_whose(one, ground.exam)} are right"
        for one in found
    ]
    return replace(
        nothing(ground),
        name="judges contradict one another",
        assumption="nothing: of two different answers at most one is right",
        breaks_at=f"impossible: so {', and '.join(words)}",
    )


def _whose(found: CallAccuracy, exam: Exam) -> str:
    several = len(found.calls) > 2 or found.calls == exam.judges
    return "the judges' answers" if several else f"those of {' and '.join(found.calls)}"


def refused(ground: Ground, belief: Belief, found: Sequence[CallAccuracy]) -> str | None:
    """Return why contradictions make a belief impossible, in words; None where they do not.

    Counts per judge may leave a belief possible that two judges' joint answers rule out.
    """
    floors = floors_of(ground.exam, belief.specification)
    if floors is None:
        return None
    for one in found:
        if _too_much(ground.exam, floors, one):
            return (
                f"That {belief.assumption} is impossible with these votes: at most "
                f"{format_exact(one.highest)} of {_whose(one, ground.exam)} are right, so often do they "
                "contradict one another."
            )
    return None


def _too_much(exam: Exam, floors: Floors, found: CallAccuracy) -> bool:
    """Whether floors ask for more right answers than contradictions leave."""
    places = [exam.judges.index(name) for name in found.calls]
    asked = sum(ceil(min(floors.levels[i]) * exam.held(i)) for i in places)
    return asked > found.highest * found.n_answers


def of_belief(ground: Ground, belief: Belief, level: float | None = None) -> tuple[Rung, Proofs]:
    """Return the rung of a belief about the judges, and its proofs.

    level : confidence left for the votes as a sample; by default all of it.
    """
    if ground.target == "population":
        found = _in_population(ground, belief, level or ground.level)
        if found is not None:
            return found, {}
    settled = settle(ground.exam, belief.specification, ground.place, ground.clock)
    if ground.full is not None:
        part = ground.clock.part(share=FULL_SHARE)
        settled = narrowed(ground.full, belief.specification, ground.place, settled, part)
    proofs = {f"{belief.name}: {what}": one for what, one in settled.certificates().items()}
    return _settled_rung(ground, belief, settled), proofs


def _settled_rung(ground: Ground, belief: Belief, settled: Settled) -> Rung:
    low, high = (None, None) if settled.ends is None else settled.ends
    return Rung(
        name=belief.name,
        assumption=belief.assumption,
        low=low,
        estimate=None,
        high=high,
        against=ground.side(low, high),
        breaks_at=belief.breaks_at if settled.ends else "impossible with these votes",
        status=Status.OK if settled.ends else Status.INCONSISTENT,
        target="items",
        exact=True,
        order=settled.order,
    )


def _in_population(ground: Ground, belief: Belief, level: float) -> Rung | None:
    """Return the rung for the population; None where the belief is no floors."""
    floors = floors_of(ground.exam, belief.specification)
    if floors is None:
        return None
    found = population_range(ground.exam, floors, ground.place, level)
    low, high = found or (None, None)
    chance = level_text(1 - ground.level)
    return Rung(
        name=belief.name,
        assumption=f"{belief.assumption}, in the population that the items were drawn from at random",
        low=low,
        estimate=None,
        high=high,
        against=ground.side(low, high),
        breaks_at=f"{belief.breaks_at}; chance ({chance})"
        if found
        else f"impossible with these votes, but for chance ({chance})",
        status=Status.OK if found else Status.INCONSISTENT,
        target="population",
    )


def thresholds(ground: Ground) -> tuple[Conclusion, Rung, Proofs, tuple[str, ...]]:
    """Return which beliefs decide, the rung of the weakest of them, proofs and notes."""
    found = conclude(Order1(ground.exam), ground.place, ground.against, ground.clock)
    notes: tuple[str, ...] = ()
    if ground.full is not None and ground.full.in_time(ground.clock):
        part = ground.clock.part(share=FULL_SHARE)
        found = conclude(ground.full, ground.place, ground.against, part, before=found)
    if not found.exact:
        notes = ("Time ran out: the thresholds are proved limits, not the best possible.",)
    belief = _deciding(found, ground)
    rung, proofs = of_belief(replace(ground, target="items"), belief)
    return found, rung, proofs | found.certificates(), notes


def _deciding(found: Conclusion, ground: Ground) -> Belief:
    x = format_exact(found.threshold)
    most = max(found.at_most.reached, found.at_least.reached)
    if found.winner is None:
        return Belief(
            f"every judge right on {percent(most)}, the most that is known to be possible",
            found.sentence(ground.label, ground.against),
            "one judge below it; more is impossible",
            Specification.grade(">=", most),
            asked=False,
        )
    return Belief(
        f"every judge right on more than {percent_up(found.threshold)}",
        found.sentence(ground.label, ground.against),
        f"one judge right on {x} or less",
        Specification.grade(">", found.threshold),
        asked=False,
    )
