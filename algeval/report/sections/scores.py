"""The report's sections on scores: who scored how, and the consensus without cutting."""

from __future__ import annotations

import numpy as np

from algeval.aggregate import ScoreAggregation, aggregate
from algeval.aggregate.checks.scoring import score
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.shown import DASH
from algeval.report.parts import Section, Table
from algeval.report.sections.votes import MOST_ROWS, left_out_note
from algeval.result import percent

__all__ = ["consensus_of_scores", "scores_section"]


def scores_section(data: Scores, notes: tuple[str, ...]) -> Section:
    """Return the section on the scores themselves."""
    missing, asked = int(data.missing.sum()), data.n_items * data.n_judges
    told = f"{missing} of {asked} scores are missing ({percent(missing / asked)})."
    key = "No answer key was given, and none is needed."
    if data.key is not None:
        known = sum(truth is not None for truth in data.key)
        key = f"A key for {known} items was given: it is used for scoring only, by no method."
    rows = [_row(data, j) for j in range(min(data.n_judges, MOST_ROWS))]
    names = "judge,scored,missing,different,lowest,middle,highest"
    return Section(
        title="The scores",
        lines=(
            f"{data.n_items} items, {data.n_judges} judges.",
            told if missing else "No score is missing.",
            key,
            *(f"Note: {note}" for note in notes),
        ),
        tables=(
            Table(
                columns=tuple(names.split(",")),
                rows=tuple(rows),
                note=left_out_note(data.n_judges - len(rows)),
            ),
        ),
    )


def _row(data: Scores, judge: int) -> tuple[str, ...]:
    given = data.values[:, judge][~np.isnan(data.values[:, judge])]
    counts = (str(len(given)), str(int(data.missing[judge])), str(len(np.unique(given))))
    ends = (given.min(), np.median(given), given.max()) if len(given) else ()
    shown = tuple(f"{value:.6g}" for value in ends) or (DASH,) * 3
    return data.judges[judge], *counts, *shown


def consensus_of_scores(data: Scores) -> Section:
    """Return the section on consensus scores and classes, scored where there is a key of classes."""
    found = aggregate(data)
    higher = int((found.decisions == 1).sum())
    undecided = int((found.decisions == NOT_ANSWERED).sum())
    lines = [found.message]
    if found.status.ok:
        lines.append(
            f"{higher} of {found.n_items} items ({percent(higher / found.n_items)}) are more probably "
            f"in the higher class; {undecided} are undecided."
        )
    lines += [f"Note: {warning}" for warning in found.warnings]
    tables = [_loadings(found)] if found.status.ok else []
    if data.key is not None and data.key_kind == "class" and found.status.ok:
        lines += score(found, data).summary().splitlines()
    return Section(
        title="Consensus of the scores",
        lines=tuple(lines),
        tables=tuple(tables),
        caveat=(
            "Judges who share a bias share it with the consensus too; nothing here checks that what "
            "they share is what you mean."
        ),
        results={"consensus": found},
    )


def _loadings(found: ScoreAggregation) -> Table:
    order = np.argsort(-found.loading, kind="stable")[:MOST_ROWS].tolist()
    rows = tuple((found.judges[j], f"{found.loading[j]:+.2f}") for j in order)
    note = left_out_note(len(found.judges) - len(rows))
    return Table(columns=("judge", "correlation with what the judges share"), rows=rows, note=note)
