"""Programs as judges: added one by one while anchors say that the consensus gets better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import aggregate
from algeval.aggregate.results import Floats
from algeval.aggregate.score_scales import anchor_values
from algeval.compare.panels import on_panel_scale
from algeval.data import Scores
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.io.sources import Source, read_score_table
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["GreedyJudges", "GreedyStep", "greedy_judges"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyStep(Record):
    """The panel after one addition.

    Attributes
    ----------
    added : str or None
        The judge; None of the panel as it was.
    n_judges : int
    validation_error : float
        Mean absolute error on the anchors that chose, so optimistic.
    held_out_error : float or None
        The same on those that did not; None where none were kept.
    """

    added: str | None
    n_judges: int
    validation_error: float
    held_out_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GreedyJudges(Result):
    """Which judges were worth adding, by known scores of some items.

    Attributes
    ----------
    status : Status
        ok; that of the fit of the base panel where it has none.
    steps : tuple of GreedyStep
        The base panel first; up to `patience` steps beyond the best.
    chosen : tuple of str
        Those added up to the step of the smallest validation error, in order.
    gain, gain_error : float or None
        Error on the held-out anchors before less after, and its standard error, paired by anchor.
    n_validation, n_held_out : int
        Labels used to choose, and to measure.
    method, patience, seed
    settings : dict
        Of the method.
    """

    schema: ClassVar[str] = "algeval.greedy_judges/1"

    steps: tuple[GreedyStep, ...]
    chosen: tuple[str, ...]
    gain: float | None
    gain_error: float | None
    n_validation: int
    n_held_out: int
    method: str
    patience: int
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per step."""
        return (Table.of_records("Judges added", GreedyStep, self.steps),)

    def summary(self) -> str:
        """Return the verdict and one line per step."""
        return "\n".join([self.message, *map(_line, self.steps)])


def _line(step: GreedyStep) -> str:
    told = f"  {'base panel' if step.added is None else '+ ' + step.added}: "
    told += f"error {step.validation_error:.4g} on the anchors that chose"
    return told + (
        "" if step.held_out_error is None else f", {step.held_out_error:.4g} on those held out"
    )


def greedy_judges(
    base: Source | Scores,
    candidates: Source | Scores,
    validation: Mapping[Any, Any],
    *,
    method: str = "factor",
    patience: int = 4,
    held_out: float = 0.5,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
) -> GreedyJudges:
    """Add the candidate that lowers the error on known scores most, again and again.

    Use it to see whether cheap programs (length, overlap, keywords) are worth a place beside the judges.
    It is supervised: it uses the known scores, though no method reads them. The least of many
    errors is too good to be true, so a part of the anchors chooses and the rest says what that was
    worth.

    Parameters
    ----------
    base : Scores, or a table of them
    candidates : Scores, or a table of them
        Other judges, joined on item ids; each is brought to the mean and spread of the base panel.
        Items beyond those of the base are left out.
    validation : {item: score}
        Known scores on the judges' scale, at least 2 to choose by and 2 to hold out.
    method : str
        Of scores.
    patience : int
        Steps without a new least error after which it stops.
    held_out : number from 0 to below 1
        Share of the anchors that never choose; 0 leaves none to measure by.
    seed : int
        Of the split.
    settings : {name: value}, optional
        Of the method.

    Returns
    -------
    GreedyJudges

    Raises
    ------
    DataError
        If an anchor is no item of the base, anchors are too few, or a candidate is a judge of the base.

    Notes
    -----
    The protocol of CARE, section 5.3, which reports the error at the chosen step; there the anchors were
    10% of the training items.

    Examples
    --------
    >>> x = np.arange(12.0)
    >>> s = Scores.from_columns({"i": x + x % 2, "j": x + x % 3, "k": x - x % 5})
    >>> program = Scores.from_columns({"noise": x % 4, "good": 100 * x})
    >>> greedy_judges(s, program, {k + 1: x[k] for k in range(12)}, method="average").chosen[0]
    'good'
    """
    patience = check_whole("patience", patience)
    panel, programs = read_score_table(base, "base"), read_score_table(candidates, "candidates")
    path = _Search.of(panel, programs, validation, held_out, seed)._replace(
        method=method, settings=dict(settings or {})
    )
    start = path.errors(())
    if start is None:
        status = aggregate(panel, method, **path.settings).status
        return path.result((), [], status, patience, seed)
    added: tuple[str, ...] = ()
    steps, best = [(added, start)], 0
    while len(steps) - 1 - best < patience:
        found = path.next(added)
        if found is None:
            break
        added = found[0]
        steps.append(found)
        if path.chooses(found[1]) < path.chooses(steps[best][1]):
            best = len(steps) - 1
    return path.result(steps[best][0], steps, Status.OK, patience, seed)


Step = tuple[tuple[str, ...], Floats]


class _Search(NamedTuple):
    """The joined panel, and the known scores: which of them choose, and which are held out."""

    panel: Scores
    n_base: int
    known: Floats
    choosing: NDArray[np.intp]
    held: NDArray[np.intp]
    method: str = ""
    settings: Mapping[str, Any] = {}

    @classmethod
    def of(
        cls,
        base: Scores,
        candidates: Scores,
        validation: Mapping[Any, Any],
        held_out: float,
        seed: int,
    ) -> _Search:
        check_number("held_out", held_out, least=0.0, most=1.0)
        known: Any = anchor_values(base.items, validation or {})
        order = np.random.default_rng(seed).permutation(np.flatnonzero(~np.isnan(known)))
        n_held = round(held_out * len(order))
        if len(order) - n_held < 2 or (held_out > 0 and n_held < 2):
            raise DataError(
                f"validation must hold at least 2 anchors to choose by and 2 held out; got {len(order)}; "
                "give more, or held_out=0"
            )
        blind = base.without_key()
        scaled = on_panel_scale(candidates.values, base.values)
        more = Scores(candidates.items, candidates.judges, scaled)
        panel = blind.join(more).select(items=base.items)
        held, choosing = np.split(order, [n_held])
        return cls(panel, base.n_judges, known, choosing, held)

    def errors(self, added: tuple[str, ...]) -> Floats | None:
        """Return (n_items,) absolute errors of the panel with these judges, NaN without an anchor."""
        judges = [*self.panel.judges[: self.n_base], *added]
        found = aggregate(self.panel.select(judges=judges), self.method, **self.settings)
        scores: Floats = found.item_scores
        return np.abs(scores - self.known) if found.status in _FITTED else None

    def chooses(self, errors: Floats) -> float:
        """Return the mean error on the anchors that choose."""
        return float(errors[self.choosing].mean())

    def next(self, added: tuple[str, ...]) -> Step | None:
        """Return the best panel with one judge more, or None where no candidate is left to fit."""
        left = [judge for judge in self.panel.judges[self.n_base :] if judge not in added]
        each = steps(left, "trying one more judge")
        tried = [((*added, judge), self.errors((*added, judge))) for judge in each]
        fitted = [(judges, errors) for judges, errors in tried if errors is not None]
        return min(fitted, key=lambda step: self.chooses(step[1]), default=None)

    def result(
        self, chosen: tuple[str, ...], steps: list[Step], status: Status, patience: int, seed: int
    ) -> GreedyJudges:
        labels = f"{how_many(len(self.choosing), 'label')} chose and {len(self.held)} measured"
        gain = error = None
        if len(self.held) and steps:
            end = next(errors for judges, errors in steps if judges == chosen)
            apart = (steps[0][1] - end)[self.held]
            gain, error = float(apart.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart)))
        told = (
            f"{how_many(len(chosen), 'judge')} of {self.panel.n_judges - self.n_base} were worth adding to "
            f"{self.n_base} by {self.method!r}; {labels}"
        )
        if not steps:
            told = f"Method {self.method!r} gave the base panel no consensus"
        elif gain is not None:
            moved = "fell" if gain >= 0 else "rose"
            told += f": the error {moved} by {abs(gain):.3g} (standard error {error:.2g}) on anchors held out"
        return GreedyJudges(
            status=status,
            message=f"{told}.",
            steps=tuple(self.step(*step) for step in steps),
            chosen=chosen,
            gain=gain,
            gain_error=error,
            n_validation=len(self.choosing),
            n_held_out=len(self.held),
            method=self.method,
            patience=patience,
            seed=seed,
            settings=dict(self.settings),
        )

    def step(self, judges: tuple[str, ...], errors: Floats) -> GreedyStep:
        return GreedyStep(
            added=judges[-1] if judges else None,
            n_judges=self.n_base + len(judges),
            validation_error=self.chooses(errors),
            held_out_error=float(errors[self.held].mean()) if len(self.held) else None,
        )


_FITTED = (Status.OK, Status.NOT_CONVERGED)
