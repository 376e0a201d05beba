"""Climb the ladder: every rung that these votes have, from nothing assumed upwards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algeval.data import Summary, Votes
from algeval.data.reading import as_joint
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.proof.clock import Clock
from algeval.progress import steps
from algeval.rates.inputs import Gold
from algeval.rates.ladder.beliefs import Belief, beliefs_in
from algeval.rates.ladder.checked import checked_grades
from algeval.rates.ladder.climbed import Climbed
from algeval.rates.ladder.exact_rungs import (
    contradictions,
    nothing,
    of_belief,
    of_contradictions,
    refused,
    thresholds,
)
from algeval.rates.ladder.ground import Ground, ground_of
from algeval.rates.ladder.independent import independence
from algeval.rates.ladder.modelled import modelled
from algeval.rates.ladder.results import Ladder
from algeval.rates.policy import FULL_TUPLES, LEVEL
from algeval.result.wording import how_many, level_text

__all__ = ["climb"]


def climb(
    data: Source,
    label: str,
    *,
    against: object = Fraction(1, 2),
    at_least: object | None = None,
    gold: Gold | None = None,
    target: str = "items",
    level: float = LEVEL,
    models: bool = False,
    time_limit: float | None = 20.0,
) -> Ladder:
    """Return what the votes say about the rate of a label, rung by rung.

    Use it where there are no labels, or too few: it says what follows from what you believe of the
    judges, and how much you would have to believe for the votes to decide.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        A key is never read.
    label : str
        Whose rate is asked for, as "pass".
    against : number
        The rate compared with.
    at_least : number, mapping, text or Specification, optional
        What is believed of the judges: a share of the items each answered, on which it is right; {judge:
        share}; {label: share}; or conditions. By default the usual levels are shown, none believed.
    gold : Gold, optional
        Labels of some items, drawn at random, used to grade the judges alone; needs Votes.
    target : "items" or "population"
        The rate on these items, or in what they were drawn from at random.
    level : float
        Confidence of the rungs that are not logic.
    models : bool
        Whether to fit models of how votes arise.
    time_limit : float or None
        Seconds for programs and proofs; closed forms are always worked out.

    Returns
    -------
    Ladder
        Status `ok`: what is believed decides; `undetermined`: the votes do not decide, as ever without
        beliefs; `inconsistent`: see `alarms`.

    Raises
    ------
    DataError
        If the label, a judge or a number is not what it has to be.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"x": {"pass": 80, "fail": 20}, "y": {"pass": 70, "fail": 30}}
    >>> found = climb(Summary.from_counts(grades), "pass", at_least=0.9)
    >>> found.low, found.high, found.status.value
    (Fraction(7, 10), Fraction(4, 5), 'ok')
    >>> found.conclusion_threshold, found.possible_up_to
    (Fraction(7, 10), Fraction(19, 20))
    """
    ground = ground_of(
        read_data(data),
        label,
        against=against,
        target=target,
        level=level,
        clock=Clock(time_limit),
    )
    exam = ground.exam
    rungs = Climbed()
    rungs.add(nothing(ground))
    beliefs = beliefs_in(exam, at_least)
    if exam.n_labels > 1:
        _climb_exact(ground, beliefs, gold, rungs)
        _climb_estimates(ground, rungs, models=models)
    else:
        rungs.notes.append(
            f"The votes know one label alone, {exam.labels[0]!r}; name the others with labels= when "
            "they are read, for anything to be said."
        )
    settings: dict[str, Any] = {
        "at_least": _told(at_least),
        "level": ground.level,
        "models": models,
    }
    return rungs.ladder(ground, beliefs, settings | {"time_limit": time_limit})


def _told(at_least: object) -> str | None:
    return None if at_least is None else str(at_least)


def _climb_exact(
    ground: Ground, beliefs: tuple[Belief, ...], gold: Gold | None, rungs: Climbed
) -> None:
    found = contradictions(ground)
    if found:
        rungs.add(of_contradictions(ground, found))
    for belief in steps(beliefs, "asking what each belief leaves possible"):
        rung, proofs = of_belief(ground, belief)
        rungs.add(rung, proofs, binding=belief.asked)
        told = refused(ground, belief, found) if ground.target == "items" else None
        if belief.asked and rung.target != ground.target:
            rungs.notes.append(f"'{rung.name}' speaks of these items alone, not of the population.")
        if rung.low is None:
            told = f"That {belief.assumption} is {rung.breaks_at}."
        if told is not None:
            (rungs.alarms if belief.asked else rungs.notes).append(told)
    rungs.conclusion, rung, proofs, notes = thresholds(ground)
    rungs.add(rung, proofs)
    rungs.notes += notes
    if ground.full is None and not isinstance(ground.data, Summary):
        rungs.notes.append(
            f"Exact rungs use each judge's counts alone: full order is tried up to {FULL_TUPLES} different "
            "tuples of answers."
        )
    if gold is not None:
        _climb_checked(ground, gold, rungs)


def _climb_checked(ground: Ground, gold: Gold, rungs: Climbed) -> None:
    if not isinstance(ground.data, Votes):
        raise DataError(
            f"data must be Votes, as labels are joined to items; got {type(ground.data).__name__}"
        )
    population = ground.target == "population"
    alpha = (1 - ground.level) / (2 if population else 1)  # the other half is the votes' own
    spec = checked_grades(ground.data, gold, ground.target, alpha)
    if spec is None:
        rungs.notes.append("No judge answered a labelled item, so none can be graded.")
        return
    level = level_text(ground.level)
    belief = Belief(
        f"judges graded by {how_many(len(gold), 'label')}",
        f"the labelled items were drawn at random; then, at {level} for all judges together, "
        + spec.describe(),
        "labelled items not drawn at random"
        + ("" if population else f"; chance ({level_text(1 - ground.level)})"),
        spec,
        asked=False,
    )
    rung, proofs = of_belief(ground, belief, 1 - alpha)
    rungs.add(rung, proofs, binding=True)
    if rung.low is None:
        rungs.alarms.append(
            "The labels grade the judges higher than the votes allow on these items: were the labelled "
            "items drawn at random?"
        )


def _climb_estimates(ground: Ground, rungs: Climbed, *, models: bool) -> None:
    exam, data = ground.exam, ground.data
    if isinstance(data, Summary):
        rungs.notes.append(
            "Counts per judge alone: no row rests on which answers fell on the same item."
        )
        return
    joint = as_joint(data)
    if exam.n_labels == 2 and exam.n_judges >= 3:
        found = independence(
            joint, ground.place, ground.against, target=ground.target, level=ground.level
        )
        rungs.add(found.rung)
        rungs.robustness = found.robustness
        rungs.notes += found.notes
    else:
        rungs.notes.append(
            "Independent errors are decoded for two labels and three judges or more."
        )
    if models:
        fitted, notes = modelled(
            joint, ground.label, ground.against, target=ground.target, clock=ground.clock
        )
        for rung in fitted:
            rungs.add(rung)
        rungs.notes += notes
