"""The rung of independent errors: what the trios of judges say of a rate, and how easily it moves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from algeval.algebra.correlation.bootstrap import bootstrap
from algeval.data.reading import Joint
from algeval.rates.intervals.wilson import normal_quantile
from algeval.rates.ladder.results import Robustness
from algeval.rates.ladder.robustness import Moved, shared_to, worst_to
from algeval.rates.ladder.rung import Rung, side_of
from algeval.rates.ladder.trios import Trio, decoded_trios
from algeval.rates.policy import BOOTSTRAP_SAMPLES
from algeval.result import Status, percent
from algeval.result.wording import how_many, level_text

__all__ = ["Independence", "independence"]

Floats = NDArray[np.float64]
NAME = "independent errors"
_ASSUMED = "the judges err independently on the items of each label, and are better than guessing"
_BROKEN = (
    "broken already: no rates from 0 to 1 give such counts; errors go together, or items are few"
)
_OPEN = "nothing to break: any number of rates give such counts"


@dataclass(frozen=True, slots=True, eq=False)
class Independence:
    """The rung, how robust it is, and notes."""

    rung: Rung
    robustness: Robustness | None
    notes: tuple[str, ...]


def independence(
    data: Joint, place: int, against: Fraction, *, target: str, level: float
) -> Independence:
    """Return what independent errors say of the rate of one of two labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
        Of three or more judges.
    place : int
        Of the label.
    against : Fraction
        The rate that dependence would have to move the estimate to.
    target : "items" or "population"
    level : float

    Notes
    -----
    Each trio is decoded. The estimate is the median; the error bar is the median of the trios' own, by the
    delta method on the logit scale, for the trios share their judges and averaging gains little.
    """
    trios = decoded_trios(data)
    usable = [trio for trio in trios if trio.rate is not None and trio.error(target) is not None]
    if not usable:
        return Independence(_none(trios, target), None, ())
    rates = np.array([_seen(trio, place) for trio in usable])
    middle = float(np.median(rates))
    error = float(np.median([trio.error(target) or 0.0 for trio in usable]))
    low, high = _on_logits(middle, error, level)
    central = usable[int(np.argmin(abs(rates - middle)))]
    robustness = _robustness(central, place, against)
    rung = Rung(
        name=NAME,
        assumption=f"{_ASSUMED} ({_trios(trios, usable)})",
        low=low,
        estimate=middle,
        high=high,
        against=side_of(low, high, against),
        breaks_at=_breaks(robustness, against),
        target=target,
    )
    return Independence(rung, robustness, _notes(rates, central, place, level))


def _seen(trio: Trio, place: int) -> float:
    rate = trio.rate or 0.0
    return 1 - rate if place else rate


def _on_logits(rate: float, error: float, level: float) -> tuple[float, float]:
    half = normal_quantile(level) * error / (rate * (1 - rate))
    low, high = expit(logit(rate) + np.array([-half, half]))
    return float(low), float(high)


def _none(trios: tuple[Trio, ...], target: str) -> Rung:
    """Return the rung where no trio has a solution with an error bar."""
    status, why = Status.UNDETERMINED, "no item was answered by three judges with labels"
    if trios:
        told = {trio.status for trio in trios} - {Status.OK, Status.IRRATIONAL, Status.NOT_INTEGRAL}
        status = told.pop() if len(told) == 1 == len(trios) else Status.OUT_OF_RANGE
        why = _BROKEN if status is not Status.UNDETERMINED else _OPEN
    return Rung(
        name=NAME,
        assumption=_ASSUMED,
        low=None,
        estimate=None,
        high=None,
        against="undetermined",
        breaks_at=why,
        status=status,
        target=target,
    )


def _trios(trios: tuple[Trio, ...], usable: list[Trio]) -> str:
    if len(trios) == 1:
        return "judges " + ", ".join(trios[0].judges)
    return f"median of the {len(usable)} of {how_many(len(trios), 'trio')} that decode"


def _robustness(trio: Trio, place: int, against: Fraction) -> Robustness:
    to = float(1 - against if place else against)
    moved = Moved(trio.rate or 0.0, trio.accuracies, to)
    return Robustness(judges=trio.judges, worst=worst_to(moved), shared=shared_to(moved))


def _breaks(robustness: Robustness, against: Fraction) -> str:
    to = f"moves the estimate to {percent(float(against), 0)}"
    if robustness.shared is None:
        shared = f"no correlation was found that, shared on both labels, {to}"
    else:
        shared = (
            f"errors shared on both labels, correlated about {robustness.shared:.2g}: that {to}"
        )
    if robustness.worst is None:
        return shared
    return f"{shared}; arranged in the worst way, about {robustness.worst:.2g}"


def _notes(rates: Floats, trio: Trio, place: int, level: float) -> tuple[str, ...]:
    found = []
    if len(rates) > 1:
        found.append(
            f"Independent errors: the trios say {percent(rates.min())} to {percent(rates.max())}; were the "
            "errors independent they would agree."
        )
    again = bootstrap(trio.sketch(), n_samples=BOOTSTRAP_SAMPLES, level=level)
    if again.n_used:
        ends = sorted(1 - again.prevalence if place else again.prevalence)
        found.append(
            f"Independent errors, items of {', '.join(trio.judges)} drawn again: {level_text(level)} of "
            f"{again.n_used} decodings lie between {percent(ends[0])} and {percent(ends[1])}."
        )
    return tuple(found)
