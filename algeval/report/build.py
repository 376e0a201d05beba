"""Build a report: votes, logic, algebra, consensus, everything side by side."""

from __future__ import annotations

import json
from pathlib import Path

from algeval.compare.comparison import compare
from algeval.data import Scores, Sketch, Specification, Summary
from algeval.data.reading import Joint, as_counts, split_key
from algeval.errors import DataError
from algeval.io.sources import Source, read_data_or_scores
from algeval.logic.demand import spelled_as
from algeval.report.document import Report
from algeval.report.html import page
from algeval.report.parts import Section
from algeval.report.sections.agreement import agreement_section
from algeval.report.sections.estimates import (
    algebra_section,
    consensus_section,
    side_by_side_section,
)
from algeval.report.sections.logic import LogicAnswers, ask, logic_section
from algeval.report.sections.scores import consensus_of_scores, scores_section
from algeval.report.sections.votes import votes_section
from algeval.result import Status

__all__ = ["report"]


def report(
    data: Source | Scores,
    path: str | Path | None = None,
    *,
    at_least: object = "0.6",
    missing: str = "excluded",
    time_limit: float | None = 20.0,
    intervals: int | str = "auto",
    source: str = "votes",
    notes: tuple[str, ...] = (),
) -> Report:
    """Say everything the votes alone say, with every certificate checked.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, Scores, or a table
        A key, if there is one, is used for scoring only. Scores have a report of their own, without
        logical questions, which are about labels: cut them for these.
    path : path, optional
        Where to write the report: .html, .json or .txt.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label.
    missing : "excluded" or "wrong"
        What an unanswered item means for a judge's accuracy.
    time_limit : float, seconds
        For each logical question; a bracket is reported where it runs out.
    intervals : "auto" or int
        Refits for intervals, 0 for none; see `compare`.
    source, notes : str, tuple of str
        The name of the data and what reading it did, shown as given.

    Returns
    -------
    Report
        Status ok, or time_limit where a logical question was not settled.

    Raises
    ------
    DataError
        If `path` ends in something else, the specification names unknown judges or labels, or
        `intervals` is out of range.
    """
    _check_path(path)
    data = read_data_or_scores(data)
    if isinstance(data, Scores):
        result = _of_scores(data, source, notes)
        if path is not None:
            _write(result, Path(path))
        return result
    counts = as_counts(data)
    specification, read = spelled_as(Specification.of(at_least), counts.labels)
    answers = ask(counts, specification, missing=missing, time_limit=time_limit)
    sections = [
        votes_section(data, (*notes, *([read.strip()] if read else []))),
        logic_section(answers),
    ]
    if not isinstance(data, Summary) and isinstance(counts, Sketch):
        sections += _estimates(data, counts, intervals)
    result = Report(
        status=_status(answers),
        message=_headline(answers, specification),
        source=source,
        alarm=answers.alarm.triggered,
        verified=answers.verified,
        sections=tuple(sections),
    )
    if path is not None:
        _write(result, Path(path))
    return result


def _of_scores(data: Scores, source: str, notes: tuple[str, ...]) -> Report:
    sections = [scores_section(data, notes), consensus_of_scores(data)]
    found = sections[-1].results["consensus"]
    return Report(
        status=found.status,
        message="Scores: consensus without cutting them; logical questions need votes, so cut= first.",
        source=source,
        alarm=None,
        verified=0,
        sections=tuple(sections),
    )


def _estimates(data: Joint, counts: Sketch, intervals: int | str) -> list[Section]:
    compared = compare(data, intervals=intervals)
    return [
        agreement_section(counts),
        algebra_section(counts),
        consensus_section(split_key(data)[0], compared),
        side_by_side_section(compared),
    ]


def _status(answers: LogicAnswers) -> Status:
    ends = (answers.alarm.status, answers.threshold.status)
    return next((s for s in ends if s is not Status.OK), Status.OK)


def _headline(answers: LogicAnswers, specification: Specification) -> str:
    verdict = answers.alarm.triggered
    if verdict is None:
        return f"Not settled whether some answer key allows this: {specification.short()}."
    if verdict:
        return f"ALARM: no answer key whatever allows this: {specification.short()}."
    return f"No alarm: some answer key allows this: {specification.short()}."


def _check_path(path: str | Path | None) -> None:
    if path is None:
        return
    if Path(path).suffix not in (".html", ".json", ".txt"):
        raise DataError(f"path must end in .html, .json or .txt; got {str(path)!r}; rename it")
    folder = Path(path).parent
    if not folder.is_dir():
        raise DataError(
            f"path must lie in a folder that exists; got {str(path)!r}; make {str(folder)!r} first"
        )


def _write(result: Report, path: Path) -> None:
    if path.suffix == ".html":
        text = page(result)
    elif path.suffix == ".json":
        text = json.dumps(result.to_dict(), indent=1) + "\n"
    else:
        text = result.summary()
    path.write_text(text, encoding="utf-8")
