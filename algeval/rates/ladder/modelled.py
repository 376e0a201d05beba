"""What models of how votes arise say of a rate: a row each, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from algeval.aggregate import aggregate
from algeval.data import Evaluation, Votes
from algeval.data.reading import Joint
from algeval.errors import AlgevalError
from algeval.logic.proof.clock import Clock
from algeval.progress import steps
from algeval.rates.ladder.rung import Rung, side_of
from algeval.rates.policy import MODELS
from algeval.result import Status

__all__ = ["modelled"]


def modelled(
    data: Joint, label: str, against: Fraction, *, target: str, clock: Clock
) -> tuple[tuple[Rung, ...], tuple[str, ...]]:
    """Return a rung per model, one of their spread, and notes on those left out.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
        The key is not read.
    label : str
    against : Fraction
    target : "items" or "population"
    clock : Clock
        Models not begun when it runs out are left out.
    """
    plain = data.without_key() if isinstance(data, Votes) else data.sketch()
    rungs, notes = [], []
    for name in steps(MODELS, "fitting models", even=False):
        if clock.over:
            notes.append(f"Model {name} was left out: time ran out.")
            continue
        try:
            found = aggregate(plain, name)
        except AlgevalError as error:
            notes.append(f"Model {name} was left out: {error}")
            continue
        rungs.append(_rung(name, found.evaluation, found.status, label, against, target))
    rungs += list(_spread(rungs, against, target))
    return tuple(rungs), tuple(notes)


def _rung(
    name: str,
    evaluation: Evaluation | None,
    status: Status,
    label: str,
    against: Fraction,
    target: str,
) -> Rung:
    share = None if evaluation is None else evaluation.prevalence_of(label)
    rate = None if share is None or share != share else float(share)
    return Rung(
        name=f"model: {name}",
        assumption=f"the votes arise as the model {name} says",
        low=None,
        estimate=rate,
        high=None,
        against=side_of(rate, rate, against),
        breaks_at="errors that the model does not know, as those that judges share",
        status=status,
        target=target,
    )


def _spread(rungs: list[Rung], against: Fraction, target: str) -> Iterator[Rung]:
    rates = [float(rung.estimate) for rung in rungs if rung.estimate is not None]
    if len(rates) > 1:
        low, high = min(rates), max(rates)
        yield Rung(
            name="spread of the models",
            assumption="one of these models is right",
            low=low,
            estimate=float(np.median(rates)),
            high=high,
            against=side_of(low, high, against),
            breaks_at="errors that none of them knows; it is no error bar",
            target=target,
        )
