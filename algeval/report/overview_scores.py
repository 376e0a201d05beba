"""What a report on scores says first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algeval.aggregate import ScoreAggregation
from algeval.aggregate.checks.scoring import score
from algeval.data import NOT_ANSWERED, Scores
from algeval.report.overview import reading_notes
from algeval.report.parts import Badge, Overview, Step, Table
from algeval.result import percent

__all__ = ["overview_of_scores"]


def overview_of_scores(
    data: Scores,
    found: ScoreAggregation,
    steps: Sequence[Step],
    notes: Sequence[str] = (),
    *,
    shared: tuple[str, ...] = (),
) -> Overview:
    """Return the overview of scores and of the consensus found in them.

    shared : a sentence on what the judges share beside it, if there is one.
    """
    settled = found.status.ok
    higher = int((found.decisions == 1).sum())
    undecided = int((found.decisions == NOT_ANSWERED).sum())
    verdict = [found.message]
    if settled:
        verdict.append(
            f"{higher} of {found.n_items} items ({percent(higher / found.n_items)}) are more probably "
            f"in the higher class, {undecided} are undecided."
        )
    return Overview(
        badge=Badge(
            kind="quiet" if settled else "open",
            text="Consensus found" if settled else "No consensus",
        ),
        about=_about(data),
        reading=reading_notes(notes),
        verdict=tuple(verdict),
        table=_judges(data, found),
        consensus=_by_key(data, found) if settled else (),
        notes=found.warnings,
        undecided=(
            *shared,
            "Scores alone cannot say where the higher class begins, whether judges who go together "
            "share a bias, or whether what they share is what you mean; logical questions need votes.",
        ),
        steps=tuple(steps),
    )


def _about(data: Scores) -> str:
    missing = int(data.missing.sum())
    gaps = (
        f"{percent(missing / (data.n_items * data.n_judges))} of the scores missing"
        if missing
        else "no score missing"
    )
    known = 0 if data.key is None else sum(truth is not None for truth in data.key)
    key = f"a key for {known} items, used for scoring only" if known else "no answer key"
    return f"{data.n_items} items, {data.n_judges} judges who give numbers; {gaps}; {key}."


def _by_key(data: Scores, found: ScoreAggregation) -> tuple[str, ...]:
    if data.key is None or data.key_kind != "class":
        return ()
    return (f"By the key: {score(found, data).summary().splitlines()[0]}",)


def _judges(data: Scores, found: ScoreAggregation) -> Table:
    """Return a row for each judge, the one nearest to what all share first."""
    order = np.argsort(-found.loading, kind="stable").tolist()
    cells = {
        "goes with the others": [f"{load:+.2f}" for load in found.loading.tolist()],
        "middle score": [_middle(column) for column in data.values.T],
        "missing": [str(n) if n else "" for n in data.missing.tolist()],
    }
    told = {name: column for name, column in cells.items() if any(column)}
    rows = tuple((data.judges[j], *(column[j] for column in told.values())) for j in order)
    note = "goes with the others: correlation with what the judges share."
    return Table(columns=("judge", *told), rows=rows, note=note)


def _middle(column: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    given = column[~np.isnan(column)]
    return f"{np.median(given):.6g}" if len(given) else ""
