"""Build a report: votes, logic, algebra, consensus, everything side by side."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from algeval.compare.comparison import compare
from algeval.data import Scores, Sketch, Specification, Summary, Votes
from algeval.data.reading import Data, Joint, as_counts, split_key
from algeval.io.sources import Source, read_data_or_scores
from algeval.logic.demand import spelled_as
from algeval.progress import stages
from algeval.rates.inputs import as_votes
from algeval.report.document import Report
from algeval.report.overview import overview_of
from algeval.report.overview_scores import overview_of_scores
from algeval.report.parts import Section
from algeval.report.sections.agreement import agreement_section
from algeval.report.sections.estimates import (
    algebra_section,
    consensus_section,
    side_by_side_section,
)
from algeval.report.sections.items import items_section
from algeval.report.sections.logic import LogicAnswers, ask, check, logic_section
from algeval.report.sections.scores import consensus_of_scores, scores_section
from algeval.report.sections.shared import shared_line, shared_section
from algeval.report.sections.system import proofs_of, system_line, system_section
from algeval.report.sections.votes import votes_section
from algeval.report.steps import next_steps
from algeval.report.writing import check_path, write
from algeval.result import Status

__all__ = ["report"]


def report(
    data: Source | Scores,
    path: str | Path | None = None,
    *,
    at_least: object = None,
    missing: str = "excluded",
    time_limit: float | None = 10.0,
    intervals: int | str = "auto",
    label: object = None,
    gold: Any = None,
    source: str | None = None,
    notes: tuple[str, ...] = (),
    arguments: str = "",
    made: str = "",
) -> Report:
    """Say everything the votes alone say, with every certificate checked.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, Scores, or a table
        A key, if there is one, is used for scoring only, unless `gold` says "key". Scores have a report
        of their own, without logical questions, which are about labels: cut them for these.
    path : path, optional
        Where to write all of the report: .html, .md, .json or .txt.
    at_least : number, text or Specification, optional
        The accuracy asked of every judge on every label; without it the report says how many fall
        short of a few levels.
    missing : "excluded" or "wrong"
        What an unanswered item means for a judge's accuracy.
    time_limit : float, seconds
        For each logical question; a bracket is reported where it runs out.
    intervals : "auto" or int
        Refits for intervals, 0 for none; see `compare`.
    label : str, optional
        Whose rate is asked for; no label is chosen without, and the report says how to ask. See `rate`.
    gold : mapping, path, table or "key", optional
        True labels of items drawn at random, for the rate. "key" takes those of the key, which has no
        part in it otherwise.
    source, notes : str, tuple of str
        The name of the data (of a path its own, otherwise "votes") and what reading it did.
    arguments : str
        How the data are named on the command line, for the commands to go on with.
    made : str
        What made the report, for the foot of a page; this call if not told.

    Returns
    -------
    Report
        Status ok, or time_limit where a logical question was not settled.

    Raises
    ------
    DataError
        If `path` ends in something else, the specification names unknown judges or labels, `label` or
        `gold` does not fit, or `intervals` is out of range.
    """
    check_path(path)
    if isinstance(data, str | Path) and not arguments:
        arguments = shlex.quote(str(data))
    source = source or (Path(data).name if isinstance(data, str | Path) else "votes")
    made = made or f"algeval.report({source!r}, {str(path)!r})"
    data = read_data_or_scores(data, items=gold is not None or label is not None)
    rated = {"label": label, "gold": gold, "time_limit": time_limit}
    if isinstance(data, Scores):
        result = _of_scores(data, source, notes, arguments, rated)
        if path is not None:
            write(result, path, data, {}, made)
        return result
    counts = as_counts(data)
    asked, read = None, ""
    if at_least is not None:
        asked, read = spelled_as(Specification.of(at_least), counts.labels)
    notes = (*notes, *([read.strip()] if read else []))
    with stages("report", 4 + (path is not None)) as work:
        answers = ask(counts, asked, missing=missing, time_limit=time_limit)
        work.step()
        check(answers.proofs, counts)
        work.step()
        sections = [
            votes_section(data, notes),
            logic_section(answers),
        ]
        if not isinstance(data, Summary) and isinstance(counts, Sketch):
            sections += _estimates(data, counts, intervals)
        work.step()
        proofs = answers.proofs
        system = _system(data, arguments, rated)
        if system is not None:
            sections.append(system)
            check(more := proofs_of(system), counts)
            proofs = proofs | more
        triggered = None if answers.alarm is None else answers.alarm.triggered
        found = {name: one for section in sections for name, one in section.results.items()}
        copies = "groups" in found and bool(found["groups"].groups)
        overview = overview_of(
            found, asked, next_steps(data, arguments, asked, copies=copies), notes
        )
        if system is not None:
            overview = replace(overview, system=system_line(system))
        result = Report(
            status=_status(answers),
            message=overview.verdict[0],
            source=source,
            alarm=triggered,
            verified=len(proofs),
            overview=overview,
            sections=tuple(sections),
        )
        work.step()
        if path is not None:
            write(result, path, data, proofs, made)
    return result


def _system(data: Data, arguments: str, rated: dict[str, Any]) -> Section | None:
    """Return the section on the rate; none of counts, unless it is asked for and so refused."""
    if rated["label"] is None and rated["gold"] is None and not isinstance(data, Votes):
        return None
    return system_section(as_votes(data), arguments, **rated)


def _of_scores(
    data: Scores, source: str, notes: tuple[str, ...], arguments: str, rated: dict[str, Any]
) -> Report:
    with stages("report", 3) as work:
        consensus = consensus_of_scores(data)
        work.step()
        shared = shared_section(data, arguments)
        work.step()
        system = system_section(data, arguments, **rated)
    sections = [scores_section(data, notes), consensus, shared, system]
    found, line = consensus.results["consensus"], shared_line(shared, arguments)
    overview = overview_of_scores(data, found, next_steps(data, arguments), notes, shared=line)
    overview = replace(overview, system=system_line(system))
    return Report(
        status=found.status,
        message=overview.verdict[0],
        source=source,
        alarm=None,
        verified=0,
        overview=overview,
        sections=tuple(sections),
    )


def _estimates(data: Joint, counts: Sketch, intervals: int | str) -> list[Section]:
    compared = compare(data, intervals=intervals)
    return [
        agreement_section(counts),
        algebra_section(counts),
        consensus_section(split_key(data)[0], compared),
        *([items] if (items := items_section(compared)) is not None else []),
        side_by_side_section(compared),
    ]


def _status(answers: LogicAnswers) -> Status:
    ends = [answers.threshold.status]
    ends += [] if answers.alarm is None else [answers.alarm.status]
    return next((s for s in ends if s is not Status.OK), Status.OK)
