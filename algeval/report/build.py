"""`report`: its overview, its sections in order, and where it is written."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from algeval.aggregate import ScoreAggregation
from algeval.aggregate.bootstrap import shown_intervals
from algeval.aggregate.checks.pairs import relatedness, suspects
from algeval.aggregate.checks.quality import posterior_grades, posterior_if_shared, score
from algeval.compare import Comparison
from algeval.compare.comparison import Estimate, compare
from algeval.data import NOT_ANSWERED, Scores, Sketch, Specification, Summary, Votes
from algeval.data.evaluation import shown_share, with_interval
from algeval.data.names import Caution, is_sparse
from algeval.data.reading import Data, Joint, Source, as_counts, n_labelled, split_key
from algeval.data.sparse import refuse_pairs
from algeval.data.votes import GroupedSketch, LabelledSketch
from algeval.door import reads_as_named, table_or_scores
from algeval.errors import option
from algeval.io.answers import answered
from algeval.io.counting import Enough
from algeval.io.journal import is_journal
from algeval.io.results import Results
from algeval.io.sources import read_with_table, saved_counts
from algeval.io.tables import is_path
from algeval.judges.intervals import Interval
from algeval.logic.exam import spelled_as
from algeval.logic.proof import work_of_questions
from algeval.logic.results import Alarm, Panel, Threshold
from algeval.progress import stages, until
from algeval.rates.inputs import as_votes, either_setting
from algeval.rates.intervals import NOT_RANDOM
from algeval.report.answerable import FEWEST_SCORED
from algeval.report.first import (
    COPIES,
    SHARED,
    Rates,
    Refuted,
    about_judges,
    by_judges_alone,
    by_people,
    good_of,
    judges_table,
    leaning,
    ranks_of_pairs,
    rate_line,
    rates_of,
    refuted_by_labels,
    refuted_line,
    scores_by_people,
    share_with_interval,
    stand_out_line,
    strongest_floor,
    votes_with_labels,
    which_is_good,
)
from algeval.report.items import with_human_labels
from algeval.report.parts import (
    MORE_OF_THE_SAME,
    Badge,
    Overview,
    Section,
    Step,
    Table,
    first_screen,
    next_steps,
    render,
    render_markdown,
    steps_of_pairs,
    steps_with_labels,
    whole_report,
)
from algeval.report.render import fragment, page
from algeval.report.sections import (
    LEVELS,
    agreement_section,
    algebra_section,
    ask,
    badge_by_labels,
    by_columns,
    cards_of,
    check,
    consensus_of_scores,
    consensus_section,
    for_verifier,
    is_key,
    items_section,
    key_words,
    labels_section,
    logic_section,
    on_trust,
    proofs_of,
    scores_section,
    shared_line,
    shared_section,
    side_by_side_section,
    system_line,
    system_section,
    votes_section,
    with_reach,
)
from algeval.result import Result, Status, format_exact, percent
from algeval.result.files import OF_TABLES, check_target, write_json, write_text
from algeval.result.numbers import how_many
from algeval.result.tables import Table as Grid
from algeval.result.tables import Tabled
from algeval.verify_alarm import Panel as Counted

# --- A report as a result: its first screen and its sections as text, page or JSON.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report(Result):
    """Everything the votes alone say: an overview, and sections.

    Attributes
    ----------
    source : str
        The name of the file or example.
    alarm : bool or None
        Whether the alarm at the level asked for went off (None: not settled, or no level asked).
    overview : Overview
        The first screen: a verdict, a line for each judge, the consensus, what to do next.
    sections : tuple of Section
    verified : int
        How many certificates the stand-alone verifier accepted (a rejected one is an error); a first screen
        of more than 500,000 answers in distinct tuples leaves them to the full report.
    paths : tuple of str
        Files in other folders that its commands name; what is written has their names alone.
    """

    schema: ClassVar[str] = "algeval.report/1"

    source: str
    alarm: bool | None
    verified: int
    overview: Overview
    sections: tuple[Section, ...]
    paths: tuple[str, ...] = field(default=(), repr=False)

    def to_send(self) -> Report:
        """Report as others may see it: without folders, and no step that it is already."""
        steps = (s for s in self.overview.steps if s.purpose not in MORE_OF_THE_SAME)
        overview = replace(
            self.overview,
            steps=tuple(replace(step, call=self._named(step.call)) for step in steps),
            undecided=tuple(map(self._named, self.overview.undecided)),
        )
        sections = (replace(s, lines=tuple(map(self._named, s.lines))) for s in self.sections)
        return replace(self, overview=overview, sections=tuple(sections), paths=())

    def _named(self, text: str) -> str:
        for path in sorted(self.paths, key=len, reverse=True):
            name = Path(path).name
            text = text.replace(shlex.quote(path), shlex.quote(name)).replace(path, name)
        return text

    def to_dict(self) -> dict[str, Any]:
        """JSON types: the overview, and of every section its sentences and results."""
        return Result.to_dict(self.to_send())

    @property
    def results(self) -> dict[str, Any]:
        """Every result that a section was made from, by name."""
        return {name: result for s in self.sections for name, result in s.results.items()}

    def summary(self) -> str:
        """First screen: at most 40 lines of at most 100 characters."""
        return first_screen(self)

    def full(self) -> str:
        """Whole report as text."""
        return render(self)

    def as_tables(self) -> tuple[Grid, ...]:
        """Table of judges as the first screen shows it, and those of every result.

        The titles of the latter begin with the name of the result: "bounds: Ranges".
        """
        judges = self.overview.table
        parts = [
            replace(table, title=f"{name}: {table.title}")
            for name, result in self.results.items()
            if isinstance(result, Tabled)
            for table in result.as_tables()
        ]
        return (Grid.of_rows("Judges", judges.columns, judges.rows), *parts)

    def _markdown(self, title: str | None) -> str:
        return render_markdown(self.to_send()) if title is None else Result._markdown(self, title)

    def _repr_html_(self) -> str:
        return fragment(self)


# --- Where a report may be written, and in which form.


REPORT_ENDINGS = (".html", ".md", ".json", ".txt", *OF_TABLES)


def write(
    report: Report,
    path: str | Path,
    data: Data | Scores,
    proofs: Mapping[str, Any],
    made: str,
    table: Results | None = None,
) -> None:
    """Write all of a report; a page also holds the counts of `data`, the proofs, and items of `table`."""
    suffix = Path(path).suffix.lower()
    if suffix in OF_TABLES:
        report.to_file(path)
        return
    report = report.to_send()
    if suffix == ".json":
        write_json(path, report.to_dict())
        return
    if suffix == ".html":
        text = page(report, data, report.results, proofs, made, table)
    elif suffix == ".md":
        text = render_markdown(report)
    else:
        text = report.full()
    write_text(path, text)


def names_only(words: Sequence[str]) -> list[str]:
    """Words of a command with the names of its files, and no folder of them."""
    names, before = [], ""
    for word in words:
        option, sign, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
        to_write = before in _WRITTEN or option in _WRITTEN
        name = Path(value).name if to_write or _has_folder(value) else value
        names.append(f"{option}{sign}{name}")
        before = word
    return names


_WRITTEN = frozenset({"-o", "--output"})


def _has_folder(word: str) -> bool:
    try:
        return Path(word).name != word and Path(word).name != "" and Path(word).exists()
    except (OSError, ValueError):  # a name too long, or no name of a file
        return False


# --- What a report says first: a verdict, every judge on one line, the consensus, and what to do
# next.


_MODEL = "recommended"
_PANEL = 3
"""Judges of whom the majority, or a model, says something: two agree or do not."""
_SHARED, _APART = "accuracy if errors shared", "if independent"
_MOST_LABELS = 5
_MOST_NOTES = 3
_MOST_READING = 2


def overview_of(
    results: Mapping[str, Any],
    spec: Specification | None,
    steps: Sequence[Step],
    notes: Sequence[str] = (),
    *,
    key: str,
) -> Overview:
    """Overview of what the sections of a report hold, by name; `key` are the words on true labels."""
    badge, verdict = _verdict(results, spec)
    comparison: Comparison | None = results.get("comparison")
    short = [p for p in results["panels"] if 0 < p.min_violators < len(p.judges)]
    who = "which judges miss it, " if short else ""
    keyed = comparison is not None and comparison.n_keyed
    remedy = "" if keyed else f" A random sample of human labels ({option('human')}) can."
    n = results["summary"].n_judges
    several = n > 1
    alone = stand_out_line(results.get("suspects", ()))
    undecided = (
        f"Votes alone cannot say {who}whether judges who agree share an error, or whether the labels "
        f"mean what you mean.{remedy}"
        if several
        else f"Votes of one judge do not say how often it is right.{remedy}"
    )
    return Overview(
        badge=badge,
        about=_about(results["summary"], key),
        reading=reading_notes(notes),
        verdict=verdict,
        table=_judges(results),
        about_judges=alone,
        consensus=() if comparison is None or n < _PANEL else tuple(_consensus(comparison)),
        notes=() if comparison is None or n < _PANEL else tuple(_notes(comparison)),
        undecided=(undecided,) if several or not keyed else (),
        steps=tuple(steps),
        system=system_line(results),
    )


def _about(summary: Summary, key: str) -> str:
    missing = int(summary.missing.sum())
    votes = summary.n_items * summary.n_judges
    gaps = f"{percent(missing / votes)} of the votes missing" if missing else "no vote missing"
    labels = ", ".join(summary.labels[:_MOST_LABELS])
    more = ", ..." if summary.n_labels > _MOST_LABELS else ""
    return (
        f"{how_many(summary.n_items, 'item')}, {how_many(summary.n_judges, 'judge')}, "
        f"{how_many(summary.n_labels, 'label')} ({labels}{more}); {gaps}; {key}."
    )


_USUAL = re.compile(r"read as [CT]SV|wide layout|long layout|judges: |votes missing$")


def reading_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Notes on reading beyond the usual, what may change an answer first, and how many more there are."""
    unusual = [note for note in notes if not _USUAL.search(note)]
    lines = sorted(unusual, key=lambda note: not isinstance(note, Caution))
    more = len(lines) - _MOST_READING
    if more > 0:
        words = f"{how_many(more, 'more note')} on how the data were read, in the full report"
        lines[_MOST_READING:] = [words]
    return tuple(lines)


def _verdict(
    results: Mapping[str, Any], spec: Specification | None
) -> tuple[Badge, tuple[str, ...]]:
    threshold: Threshold = results["threshold"]
    alarm: Alarm | None = results["alarm"]
    ceiling = _ceiling(threshold)
    if alarm is None or spec is None:
        most = f"Joint accuracy limit {percent(threshold.upper)}"
        shown = most if threshold.upper < 1 else "Nothing excluded"
        levels = _levels(results["panels"], threshold)
        return Badge(kind="ceiling", text=shown), (ceiling, levels)
    short = spec.short()
    if alarm.triggered is None:
        return Badge(kind="open", text="Not settled"), (
            f"Not decided whether some answer key allows this: {short}.",
            ceiling,
        )
    if not alarm.triggered:
        text = f"No alarm: some answer key allows this: {short}."
        return Badge(kind="quiet", text="No alarm"), (text, ceiling)
    text = f"ALARM: no answer key whatever allows this: {short}."
    panel: Panel | None = results["panel"]
    if panel is not None:
        n, m = len(panel.judges), panel.min_violators
        text += f" At least {m} of {n} judges {'falls' if m == 1 else 'fall'} short."
    return Badge(kind="alarm", text="ALARM"), (text, ceiling)


def _ceiling(threshold: Threshold) -> str:
    """How accurate all judges can be together, whatever the true labels are."""
    n = len(threshold.judges)
    who = "the one judge" if n == 1 else "both judges" if n == 2 else f"all {n} judges"
    if threshold.lower == 1:
        return f"Some answer key makes {who} right on every item: logic alone excludes no accuracy."
    if threshold.upper == 1:
        return (
            f"Some answer key makes {who} {percent(threshold.lower)} accurate on every label; whether one "
            "makes them better was not decided in time."
        )
    subject = "The one judge" if n == 1 else f"At least one of the {n} judges"
    text = f"{subject} has at most {format_exact(threshold.upper)} accuracy on some label: "
    text += "votes alone prove it."
    if threshold.exact:
        return text
    if percent(threshold.lower) == percent(threshold.upper):
        return f"{text} More computing would not change the digits shown."
    return f"{text} More computing could lower this to {percent(threshold.lower)}, no further."


def _levels(panels: Sequence[Panel], threshold: Threshold) -> str:
    n = len(threshold.judges)
    if threshold.lower == 1 and n == 1:
        return "That is no praise: one judge contradicts nobody."
    if threshold.lower == 1:
        return "That is no praise: judges who err alike look as these do."
    if not panels:
        return f"{percent(LEVELS[-1], 0)} they can reach together, which is no praise."
    short = [p for p in panels if p.min_violators]
    if not short:
        return "How many judges miss higher levels was not decided in time."
    levels = _listed([percent(p.specification.conditions[0].value, 0) for p in short], "or")
    counts = [str(p.min_violators) for p in short]
    fewest = counts[0] if len(set(counts)) == 1 else _listed(counts)
    miss = "misses" if fewest == "1" else "miss"
    who = "the one judge" if n == 1 else f"{n} judges"
    return f"If you need {levels} on every label, at least {fewest} of {who} {miss} it."


def _listed(parts: Sequence[str], word: str = "and") -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def _judges(results: Mapping[str, Any]) -> Table:
    """Table of judges, the best first, without columns that say nothing."""
    summary: Summary = results["summary"]
    columns: dict[str, list[str]] = {}
    order = list(range(summary.n_judges))
    comparison: Comparison | None = results.get("comparison")
    if comparison is not None:
        chosen = _chosen(comparison) if summary.n_judges >= _PANEL else None
        if chosen is not None and chosen.fit is not None and _related(chosen):
            modest = posterior_grades(chosen.fit)
            order = np.argsort(-np.nan_to_num(modest, nan=-1.0), kind="stable").tolist()
            if chosen.method == _MODEL:
                columns[_SHARED] = [shown_share(grade) for grade in modest.tolist()]
            columns |= _estimated(chosen)
        if comparison.truth is not None:
            grades = map(comparison.truth.grade, summary.judges)
            columns["by human labels"] = [shown_share(grade) for grade in grades]
        columns["agrees"] = _agreement(results, summary.n_judges)
        ends = [comparison.bounds.grade_of(judge) for judge in comparison.judges]
        columns["at most"] = [
            "" if pair is None or pair[1] == 1 else percent(pair[1]) for pair in ends
        ]
    if comparison is None or summary.n_judges < _PANEL:
        # how often each judge gave each answer
        values = np.maximum(summary.answered, 1)
        for index, answer in enumerate(summary.answers[:_MOST_LABELS]):
            shares = summary.counts[:, index] / values
            columns[f"says {answer}"] = [percent(share) for share in shares]
    groups = results["groups"].groups if "groups" in results else ()
    letters = (chr(ord("A") + k) if k < 26 else f"A{k - 25}" for k in range(len(groups)))
    copies = {name: letter for letter, group in zip(letters, groups, strict=True) for name in group}
    columns["copies"] = [copies.get(judge, "") for judge in summary.judges]
    columns["missing"] = [str(n) if n else "" for n in summary.missing.tolist()]
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    rows = tuple((summary.judges[j], *(cells[j] for cells in shown.values())) for j in order)
    lines = [text for name, text in _LEGEND.items() if name in shown]
    note = f"{'; '.join(lines)}." if lines else ""
    return Table(columns=("judge", *shown), rows=rows, note=note)


_LEGEND = {
    _SHARED: "accuracy: estimated, pessimistic if errors are shared",
    "range": "range: from agreement to independence, widened, no interval",
    "agrees": "agrees: mean pairwise agreement",
    "at most": "at most: by logic, the judge alone",
    "copies": COPIES,
}


def _chosen(comparison: Comparison) -> Estimate | None:
    """Estimate that the first screen shows: the default, or else the majority."""
    results = {e.method: e for e in comparison.estimates if e.evaluation is not None}
    return results.get(_MODEL, results.get("majority"))


def _related(chosen: Estimate) -> bool:
    """Whether judges' answers go together beyond those of coins, without which no estimate stands."""
    fit = chosen.fit
    test = None if fit is None else relatedness(fit.patterns, fit.counts, len(fit.answers))
    return test is None or test.shown


def _estimated(chosen: Estimate) -> dict[str, list[str]]:
    """Each judge's estimated accuracy, and the range that votes alone leave it."""
    evaluation = chosen.evaluation
    assert evaluation is not None
    title = _APART if chosen.method == _MODEL else f"agrees with {chosen.method}"
    columns = {title: [shown_share(evaluation.grade(judge)) for judge in evaluation.judges]}
    if chosen.method == _MODEL and chosen.fit is not None:
        columns["range"] = [
            "" if np.isnan(row.independent) else f"{100 * row.low:.0f}-{100 * row.high:.0f}%"
            for row in chosen.fit.accuracy_ranges()
        ]
    return columns


def _agreement(results: Mapping[str, Any], n: int) -> list[str]:
    """Mean agreement of each judge with the others; its near copies say nothing of it."""
    result = results.get("agreement")
    if result is None:
        return [""] * n
    same = result.pairs.trace(axis1=2, axis2=3).astype(float)
    shared = result.shared().astype(float)
    groups = results["groups"].groups if "groups" in results else ()
    alike = [[result.judges.index(name) for name in group] for group in groups]
    for table in (same, shared):
        table[range(n), range(n)] = 0
        for group in alike:
            table[np.ix_(group, group)] = 0
    return [percent(same[j].sum() / shared[j].sum()) if shared[j].sum() else "" for j in range(n)]


def _consensus(comparison: Comparison) -> Iterator[str]:
    chosen = _chosen(comparison)
    if chosen is None or chosen.fit is None:
        yield f"No consensus: {comparison[_MODEL].message}"
        return
    fit = chosen.fit
    counted = [int(fit.counts[fit.decisions == t].sum()) for t in range(len(fit.labels))]
    most = sorted(range(len(counted)), key=lambda t: -counted[t])[:_MOST_LABELS]
    shown = ", ".join(f"{fit.labels[t]} on {counted[t]}" for t in sorted(most))
    more = ", ..." if len(counted) > _MOST_LABELS else ""
    text = f"Consensus ({chosen.method}): {shown}{more} of {fit.n_items} items."
    yield text + _expected_accuracy(comparison, chosen)
    differ = comparison.disagreement
    if differ is not None and differ.n_differing + differ.n_undecided:
        yield differ.message
    scored = [
        e for e in comparison.estimates if e.score is not None and e.score.accuracy is not None
    ]
    if scored:
        text = ", ".join(f"{e.method} {percent(e.score.accuracy)}" for e in scored if e.score)
        yield f"Accuracy by human labels: {text}."


def _expected_accuracy(comparison: Comparison, chosen: Estimate) -> str:
    """Sentence on the accuracy of the consensus, by the modest fit and by independence."""
    sentence = _expected(chosen) if _related(chosen) else ""
    apart = {e.method: e for e in comparison.estimates if e.evaluation is not None}
    if not sentence or chosen.method != _MODEL:
        return ""
    other = _expected(apart["dawid-skene"]) if "dawid-skene" in apart else ""
    apart_too = f", {other} if they are independent" if other else ""
    return f" Estimated accuracy of the consensus: {sentence} if errors are shared{apart_too}."


def _expected(estimate: Estimate) -> str:
    fit, made = estimate.fit, estimate.intervals
    if fit is None or not fit.n_items:
        return ""
    posterior = posterior_if_shared(fit)
    if posterior is not fit.posterior:
        made = None  # refits have the weight of independence too
    top = float(fit.counts @ posterior.max(axis=1)) / fit.n_items
    return with_interval(shown_share(top), None if made is None else made.consensus_accuracy)


def _notes(comparison: Comparison) -> Iterator[str]:
    chosen = _chosen(comparison)
    warnings = () if chosen is None or chosen.fit is None else chosen.fit.warnings
    lines = [warning for warning in warnings if "votes are missing" not in warning]
    yield from lines[:_MOST_NOTES]
    if len(lines) > _MOST_NOTES:
        yield f"{how_many(len(lines) - _MOST_NOTES, 'more note')} with everything else."


# --- What a report on scores says first.


def overview_of_scores(
    data: Scores,
    fit: ScoreAggregation,
    steps: Sequence[Step],
    notes: Sequence[str] = (),
    *,
    shared: tuple[str, ...] = (),
    key: str,
) -> Overview:
    """Overview of scores and of their consensus.

    `shared` is a sentence on what the judges share beside it, if there is one; `key` are the words on true
    labels.
    """
    few = data.n_judges < FEWEST_SCORED and not fit.status.ok
    who = "One judge's scores" if data.n_judges == 1 else "Two judges' scores"
    verdict = [f"{who} do not say how good they are; human labels can." if few else fit.message]
    consensus: tuple[str, ...] = ()
    badge = Badge(kind="open", text="No consensus")
    if fit.status.ok:
        higher = int((fit.decisions == 1).sum())
        undecided = int((fit.decisions == NOT_ANSWERED).sum())
        share = percent(higher / fit.n_items)
        badge = Badge(kind="quiet", text=f"{share} in the higher class")
        verdict.append(
            f"{higher} of {fit.n_items} items ({share}) are more probably in the higher class, "
            f"{undecided} are undecided."
        )
        if n_labelled(data) and data.key_kind == "class":
            consensus = (f"By human labels: {score(fit, data).summary().splitlines()[0]}",)
    missing, cells = int(data.missing.sum()), data.n_items * data.n_judges
    gaps = f"{percent(missing / cells)} of the scores missing" if missing else "no score missing"
    by, what = scores_by_people(data)
    if by and not fit.status.ok:  # a model that found nothing: people's scores are the answer
        verdict = []
        best = max(
            by, key=lambda judge: -2.0 if by[judge].value is None else by[judge].value or 0.0
        )
        if by[best].value is not None:
            badge = Badge(kind="quiet", text=f"with people: {best} {_going(by[best], what)}")
    about = f"{data.n_items} items, {data.n_judges} judges who give numbers; {gaps}; {key}."
    return Overview(
        badge=badge,
        about=about,
        reading=reading_notes(notes),
        verdict=tuple(verdict),
        table=_judges_of_scores(data, fit, by, what),
        consensus=consensus,
        notes=fit.warnings,
        undecided=(
            *shared,
            "Scores alone cannot say where the higher class begins, whether judges who go together "
            "share a bias, or whether what they share is what you mean; logical questions need votes.",
        ),
        steps=tuple(steps),
    )


def _judges_of_scores(
    data: Scores, fit: ScoreAggregation, by: Mapping[str, Interval], what: str
) -> Table:
    """Row for each judge, the one that goes most with people first, else with what all share."""
    going = np.array([-2.0 if i.value is None else i.value for i in by.values()] or fit.loading)
    order = np.argsort(-going, kind="stable").tolist()
    columns = [column[~np.isnan(column)] for column in data.values.T]
    labelled = np.array([k is not None for k in data.key or [None] * data.n_items])
    both = (labelled[:, None] & ~np.isnan(data.values)).sum(axis=0)
    cells = {
        "people (95%)": [_going(interval, what) for interval in by.values()],
        "labels": [str(n) for n in both.tolist()] if by else [],
        "correlation": [f"{load:+.2f}" for load in fit.loading.tolist()] if fit.status.ok else [],
        "median score": [f"{np.median(x):.6g}" if len(x) else "" for x in columns],
        "missing": [str(n) if n else "" for n in data.missing.tolist()],
    }
    shown = {name: column for name, column in cells.items() if any(column)}
    rows = tuple((data.judges[j], *(column[j] for column in shown.values())) for j in order)
    notes = [what] if by else []
    notes += ["correlation: with what the judges share"] if "correlation" in shown else []
    return Table(columns=("judge", *shown), rows=rows, note=f"{'; '.join(notes)}." if notes else "")


def _going(interval: Interval, what: str) -> str:
    """A chance in percent, a correlation as a number, with its interval."""
    if interval.value is None:
        return "-"
    if "chance" in what:
        ends = f"{100 * interval.low:.0f}-{100 * interval.high:.0f}"
        return f"{percent(interval.value, 0)} ({ends})"
    return f"{interval.value:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})"


def _journal_of_pairs(people: Any, table: Results | None) -> str:
    """The option that names people's picks, where they decide pairs of a table."""
    if not (_is_paired(table) and is_path(people) and is_journal(people)):
        return ""
    return f" --human {shlex.quote(str(people))}"


def _is_paired(table: Results | None) -> bool:
    """Whether rows are pairs of systems."""
    return table is not None and table.layout == "pairwise"


def _status(*answers: Threshold | Alarm | None) -> Status:
    """The first status that is not ok."""
    return next(
        (a.status for a in answers if a is not None and a.status is not Status.OK), Status.OK
    )


# --- Build a report: votes, logic, algebra, consensus, everything side by side.


@reads_as_named
def report(
    data: Source | Scores,
    path: str | Path | None = None,
    *,
    at_least: object = None,
    missing: str = "excluded",
    time_limit: float | None = None,
    intervals: int | str = "auto",
    prevalence: Any = None,
    good: object = None,
    human: Any = None,
    source: str | None = None,
    notes: tuple[str, ...] = (),
    arguments: str = "",
    made: str = "",
    first_screen: bool = False,
    label: object = None,
    gold: Any = None,
) -> Report:
    """Report on judges and systems: rates, accuracies, consensus, and proofs that were checked.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, Scores, or a table
        People's labels that came with them score judges and are evidence for the rate. Scores have a report
        of their own, without logical questions, which are about labels: cut them for these.
    path : path, optional
        Where to write all of the report: .html, .md, .json or .txt.
    at_least : number, text or Specification, optional
        The accuracy asked of every judge on every label; without it the report says how many fall
        short of a few levels.
    missing : "excluded" or "wrong"
        What an unanswered item means for a judge's accuracy.
    time_limit : float, seconds
        For each logical question, by default counted work; a bracket is reported where it runs out.
    intervals : "auto" or int
        Refits for intervals, 0 for none; see `compare`.
    prevalence : share, (low, high) or mapping, optional
        How frequent a label is, if you know it; see `aggregate`. Votes do not tell it.
    good : str, optional
        The label to count for a rate; by default the one named like a pass, where there is one. See `rate`.
    human : name of a column, mapping, path, table, Series or "key", optional
        What people said of items drawn at random: evidence for the rate, and what judges are scored by. Of a
        results table its human column is taken without it; "key" takes the key of the votes.
    source, notes : str, tuple of str
        The name of the data (of a path its own, otherwise "votes") and what reading it did.
    arguments : str
        How the data are named on the command line, for the commands to go on with.
    made : str
        What made the report, for the foot of a page; this call if not told.
    first_screen : bool
        Whether `summary` is all that will be read: sections, orders of logic, rows of rates and
        intervals that it does not show are left out, from 1,000 items on an exact limit beyond what is
        printed, and of very many distinct tuples a second check of certificates that it does not show.
    label, gold : optional
        The old names of `good` and `human`, for one release.

    Returns
    -------
    Report
        Status ok, or time_limit where a logical question was not settled.

    Raises
    ------
    DataError
        If `path` ends in something else, the specification names unknown judges or labels, `good` or
        `human` does not fit, or `intervals` is out of range.
    """
    if path is not None:
        check_target(path, REPORT_ENDINGS)
    named = isinstance(data, str | Path)
    source = source or (Path(data).name if named else "votes")  # type: ignore[arg-type]
    arguments = arguments or (shlex.quote(str(data)) if named else "")
    made = made or f"algeval.report({source!r}, {Path(path or '').name!r})"
    people = (human if gold is None else gold) if named else None
    settings = (label, good), (gold, human), Enough(of_results=first_screen)
    data, label, gold, table, by_system = _read(data, *settings)
    arguments += _journal_of_pairs(people, table)
    notes = notes or getattr(data, "notes", ())
    rated = {"label": label, "gold": gold, "time_limit": time_limit, "brief": first_screen}
    if isinstance(data, Scores) or (isinstance(data, Votes) and not data.judges):
        result = _of_no_votes(data, (source, arguments), notes, rated, table, prevalence)
        if path is not None:
            write(result, path, data, {}, made, table)
        return result
    counts = as_counts(data)
    spec, read = _specification(at_least, counts.labels)
    logical = _of_logic(counts, first_screen=first_screen)
    with stages("report", 4 + (path is not None)) as work:
        key = _key_words(data, system := _system(data, arguments, rated), gold)
        notes, labelled = (*notes, *read), with_human_labels(data, gold)
        context = _Context(table, label, arguments, _written_out(labelled, counts))
        levels = not (first_screen and _led_by_labels(context, system))
        answers = ask(logical, spec, missing, time_limit, brief=first_screen, levels=levels)
        work.step()
        unread = first_screen and on_trust(counts)
        panel = None if unread else for_verifier(logical)  # once for all certificates
        _check(answers.proofs, panel)
        work.step()
        sections = [votes_section(data, notes, key), logic_section(answers, verified=not unread)]
        if not isinstance(data, Summary) and isinstance(counts, Sketch):
            sides = (_compared if first_screen else _estimates)(data, counts, intervals, prevalence)
            sections = sections + sides if first_screen else with_reach(sections + sides)
            sections += by_columns(table, brief=first_screen)
        work.step()
        proofs = answers.proofs if system is None else answers.proofs | _proofs_of(system, panel)
        sections += [] if system is None else [system]
        results = {name: answer for section in sections for name, answer in section.results.items()}
        steps = _next(data, arguments, spec, results)
        overview = overview_of(results, spec, steps, notes, key=key)
        floor, wrong = strongest_floor(data, table, panel)
        proofs, context = proofs | wrong, context._replace(floor=floor, by_system=by_system)
        answered, sections = _answered(overview, sections, labelled, context)
        result = Report(
            status=_status(answers.threshold, answers.alarm),
            message=overview.verdict[0],
            source=source,
            alarm=None if answers.alarm is None else answers.alarm.triggered,
            verified=0 if unread else len(proofs),
            overview=answered,
            sections=tuple(sections),
            paths=tuple(filter(_has_folder, shlex.split(arguments))),
        )
        work.step()
        if path is not None:
            write(result, path, labelled, proofs, made, table)
    return result


def _proofs_of(system: Section, panel: Counted | None) -> dict[str, Any]:
    """Certificates of a section, which the verifier accepted where it has the counts."""
    proofs = proofs_of(system)
    _check(proofs, panel)
    return proofs


def _of_logic(counts: Sketch | Summary, *, first_screen: bool) -> Sketch | Summary:
    """Counts that logic is asked about: of each judge alone, where thousands voted on few outputs each.

    The first screen does without their pairs; a full report is refused.
    """
    if not isinstance(counts, Sketch) or not is_sparse(counts.codes):
        return counts
    if not first_screen:
        refuse_pairs(counts.codes, "a full report")
    return counts.summary()


def _check(proofs: Mapping[str, Any], panel: Counted | None) -> None:
    """Raise if the verifier rejects one of some certificates; None for counts leaves them unread."""
    if panel is not None:
        check(proofs, panel)


def _next(
    data: Data,
    arguments: str,
    spec: Specification | None,
    results: Mapping[str, Any],
) -> tuple[Step, ...]:
    rated = "rate" in results and results["rate"].n_gold > 0
    copies = "groups" in results and bool(results["groups"].groups)
    return next_steps(data, arguments, spec, copies=copies, rated=rated)


def _read(
    data: Any, goods: tuple[object, object], people: tuple[Any, Any], enough: Enough
) -> tuple[Data | Scores, object, Any, Results | None, GroupedSketch | None]:
    """Data, the label of a rate, its labels of people, the results table of the data, counts by system.

    Both settings come as they were typed, under the old name and under the new.
    """
    label = either_setting(*goods, "label", "good")
    gold = either_setting(*people, "gold", "human")
    explicit = not (gold is None or is_key(gold))
    table, data = data if isinstance(data, Results) else None, saved_counts(data)
    counts = data if table is None or table.counts is None else table.counts
    data, gold, own = read_with_table(counts, gold, enough)
    table = table if own is None else own
    counts = counts if own is None else own.counts
    by_system = counts if isinstance(counts, GroupedSketch) and counts.has("system") else None
    data = table_or_scores(data, items=gold is not None or label is not None)
    if is_key(gold) and label is None and isinstance(data, Votes):
        label = good_of(data, None, table) or None
        gold = gold if label or (explicit and not _is_paired(table)) else None  # pairs have no rate
    return data, label, gold, table, by_system


class _Context(NamedTuple):
    """Results table, label of a rate, words that name the file, labelled votes, and verdicts surely wrong."""

    table: Results | None
    label: object
    arguments: str
    votes: Votes | None
    floor: str = ""
    by_system: GroupedSketch | None = None  # counts, where there is no table


def _specification(
    at_least: object, labels: Sequence[str]
) -> tuple[Specification | None, tuple[str, ...]]:
    """Specification of a level, and the note on how it was read."""
    if at_least is None:
        return None, ()
    spec, read = spelled_as(Specification.of(at_least), labels)
    return spec, (read.strip(),) if read else ()


def _written_out(data: Any, counts: Sketch | Summary) -> Votes | None:
    """Votes with labels of people; none of summaries, which have no consensus."""
    is_joint = isinstance(counts, Sketch) and not isinstance(data, Summary)
    return votes_with_labels(data) if is_joint else None


def _led_by_labels(context: _Context, system: Section | None) -> bool:
    """Whether rates by people's labels come first, after which how many judges miss a level is not said."""
    made = None if system is None else system.results.get("rate")
    if context.votes is None or made is None or not made.n_gold:
        return False
    return good_of(context.votes, context.label, context.table) in context.votes.labels


def _answered(
    overview: Overview, sections: list[Section], data: Any, context: _Context
) -> tuple[Overview, list[Section]]:
    """Overview that begins with what people's labels say, and sections that say what these refute."""
    results = {name: answer for section in sections for name, answer in section.results.items()}
    votes = context.votes
    if votes is None:
        order = leaning(None, context.table, context.arguments)
        floor_said = (context.floor,) if context.floor else ()
        about = (*order, *overview.about_judges, *floor_said)
        overview = replace(overview, about_judges=about)
        if isinstance(data, Votes) and context.table is not None and not n_labelled(data):
            alone = by_judges_alone(
                context.table, data, good_of(data, context.label, context.table)
            )
            trivial = bool(alone or data.n_judges == 1) and results["threshold"].lower == 1
            overview = replace(overview, answers=alone, verdict=() if trivial else overview.verdict)
        return _of_table(overview, context.table, context.arguments), sections
    table, label, arguments, _, floor, by_system = context
    good = good_of(votes, label, table)
    good = good if good in votes.labels else ""
    rows = by_people(votes, good)
    comparison = results["comparison"]
    excluded = refuted_by_labels(comparison, rows)
    rates = Rates((), {})
    if good and "rate" in results and results["rate"].n_gold:
        rates = rates_of(by_system or table, good, results["rate"], _rate)
    answers = rates.lines
    picked = any(NOT_RANDOM in rate.message for rate in rates.of.values())
    together = [row.together for row in rows if row.together]
    cautions = [*dict.fromkeys((*rates.cautions, *together))]
    agrees = _agreement(results, votes.n_judges) if votes.n_judges > 1 else [""] * votes.n_judges
    estimated = () if answers else _unrefuted(overview.table, {r.method for r in excluded})
    overview = replace(
        overview,
        consensus=_by_labels(comparison, overview.consensus),
        notes=(
            *(said := [c for c in cautions if c not in overview.reading][:_MOST_NOTES]),
            *(n for n in overview.notes if n not in said and n not in overview.reading),
        ),
        badge=(results["alarm"] is None and badge_by_labels(rates, rows)) or overview.badge,
        cards=cards_of(rates),
        answers=answers or (() if good or _is_paired(table) else which_is_good(votes, table)),
        table=judges_table(rows, good, agrees, overview.table, estimated, picked=picked),
        about_judges=(
            *about_judges(rows, good),
            *leaning(results.get("bias"), table, arguments),
        ),
    )
    # what logic excludes in one line, nothing where it excludes nothing, and what is wrong at least
    trivial = bool(answers or votes.n_judges == 1) and results["threshold"].lower == 1
    limit = () if trivial else overview.verdict[:1]
    if trivial:
        overview = replace(overview, verdict=())
    if answers:
        overview = replace(overview, verdict=(*limit, *([floor] if floor else [])))
    elif floor:
        overview = replace(overview, about_judges=(*overview.about_judges, floor))
    if answers:
        more = steps_with_labels(votes, arguments, table, data.n_items)
        overview = replace(overview, undecided=(), system=(), steps=(*more, *overview.steps[-2:]))
    n = n_labelled(votes)
    return _of_table(overview, table, arguments, n), _with_refuted(sections, excluded)


def _of_table(
    overview: Overview, table: Results | None, arguments: str, labelled: int | None = None
) -> Overview:
    """Overview that says of a results table what it is."""
    reading = tuple(note for note in overview.reading if "labelled by" not in note)
    if table is None:
        return replace(overview, reading=reading)
    pooled, ranks = table.pooled, ranks_of_pairs(table)
    calm = overview.badge is None or overview.badge.kind != "alarm"
    return replace(
        overview,
        answers=(*ranks.lines, *overview.answers),
        cards=(*ranks.cards, *overview.cards),
        badge=Badge(kind="rate", text=ranks.short) if ranks.short and calm else overview.badge,
        steps=(
            *(first := steps_of_pairs(table, arguments)),
            *(s for s in overview.steps if not (first and s.call.startswith(_RATES))),
        ),
        about=table.headline(labelled).partition(": ")[2] + ".",
        notes=tuple(note for note in overview.notes if note != pooled),
        reading=tuple(note for note in reading if note != pooled),
    )


_RATES = ("algeval rate", "ae.rate")  # of a label, which of pairs is a side


def _unrefuted(table: Table, excluded: set[str]) -> tuple[str, ...]:
    """Columns of estimated accuracies that the labels allow for every judge."""
    methods = {_SHARED: SHARED, _APART: _MODEL}
    return tuple(
        name
        for name in table.columns
        for title, method in methods.items()
        if name.startswith(title) and method not in excluded
    )


def _with_refuted(sections: Sequence[Section], excluded: Sequence[Refuted]) -> list[Section]:
    """Sections of theory that say first which of their accuracies the labels refute."""
    by_algebra = [r for r in excluded if r.method == "algebra"]
    lines = {"Side by side": refuted_line(excluded), _ALGEBRA: refuted_line(by_algebra)}
    shown = []
    for section in sections:
        line = next((text for start, text in lines.items() if section.title.startswith(start)), "")
        shown.append(replace(section, lines=(line, *section.lines)) if line else section)
    return shown


_ALGEBRA = "If the judges' errors are independent"


def _by_labels(comparison: Comparison, lines: tuple[str, ...]) -> tuple[str, ...]:
    """Consensus with what the labels say of it, in place of what models say of themselves."""
    chosen = _chosen(comparison)
    if not lines or chosen is None or chosen.score is None or not chosen.score.n_scored:
        return lines
    right, n = chosen.score.n_correct, chosen.score.n_scored
    counts = lines[0].partition(" Estimated accuracy")[0].rstrip(".")
    return (
        f"{counts}; right on {right} of {n} labelled: {share_with_interval(right, n)}. Labels only score it "
        "here; aggregate learns from them, too, where it is asked to.",
    )


def _rate(votes: Votes | Sketch, label: str) -> Any:
    from algeval.rates.rating import rate_by_labels

    with work_of_questions(_WORK):
        return rate_by_labels(votes, label)


def _rate_of_scores(scores: Scores, label: str) -> Any:
    """How often people say that a label is the true one; what scores alone would say is no rate."""
    from algeval.rates.rating import rate

    return replace(rate(scores, human="key"), label=label, judged={})


_WORK = 5


def _system(data: Data, arguments: str, rated: dict[str, Any]) -> Section | None:
    """Section on the rate; none of counts, unless it is asked for and so refused."""
    if rated["label"] is None and rated["gold"] is None and not isinstance(data, Votes):
        return None
    if rated["gold"] is not None and not isinstance(data, LabelledSketch):
        data = as_votes(data)
    return system_section(data, arguments, **rated)


def _key_words(data: Data | Scores, system: Section | None, gold: Any) -> str:
    made = None if system is None else system.results.get("rate")
    rated = 0 if made is None else made.n_gold
    return key_words(n_labelled(data), rated, of_key=is_key(gold))


_Said = tuple[Status, str, Overview, list[Section]]
"""How a report ended, its message, first screen and sections."""


def _of_no_votes(
    data: Scores | Votes,
    words: tuple[str, str],
    notes: tuple[str, ...],
    rated: dict[str, Any],
    table: Results | None,
    prevalence: Any,
) -> Report:
    """Report on judges who give numbers, or on what people say where there is no judge."""
    source, arguments = words
    if isinstance(data, Votes):
        said = _of_people(data, arguments, notes, rated, table)
    else:
        consensus = consensus_of_scores(data, prevalence)
        said = _of_scores(data, consensus, arguments, notes, rated, table)
    status, message, overview, sections = said
    return Report(
        status=status,
        message=message,
        source=source,
        alarm=None,
        verified=0,
        overview=overview,
        sections=tuple(sections),
        paths=tuple(filter(_has_folder, shlex.split(arguments))),
    )


def _of_people(
    data: Votes,
    arguments: str,
    notes: tuple[str, ...],
    rated: dict[str, Any],
    table: Results | None,
) -> _Said:
    """Labels of people that no judge stands beside: rates, the systems, and what is missing."""
    n, good = n_labelled(data), good_of(data, rated["label"], table)
    if good in data.labels:
        rated = {**rated, "label": good}
    system = system_section(data, arguments, **rated)
    rates = Rates((), {})
    if "rate" in system.results and good:
        rates = rates_of(table, good, system.results["rate"], _rate)
    said = f"People labelled {n} of {how_many(data.n_items, 'item')}; no judge judged any."
    badge = badge_by_labels(rates, ()) or Badge(kind="open", text="Which label is good?")
    overview = Overview(
        badge=badge,
        about=said,
        reading=reading_notes(notes),
        verdict=() if rates.lines or _is_paired(table) else which_is_good(data, table),
        table=Table(columns=(), rows=()),
        consensus=(),
        notes=tuple(c for c in dict.fromkeys(rates.cautions) if c not in notes),
        undecided=(_NO_JUDGES.format(answered("judges", "NAME")),),
        steps=_steps_of_people(data, arguments, table, rates, system),
        answers=rates.lines,
        cards=cards_of(rates),
    )
    message = rates.lines[0] if rates.lines else said
    overview = _of_table(overview, table, arguments, n)
    return Status.OK, message, overview, [labels_section(data, notes), system]


_NO_JUDGES = (
    "Of judges this table says nothing: it has no column of verdicts. One beside the labels ({}) "
    "is measured by them, and may narrow the intervals."
)


def _steps_of_people(
    data: Votes, arguments: str, table: Results | None, rates: Rates, system: Section
) -> tuple[Step, ...]:
    """What to do next with labels of people alone: name the good one, label more, compare the systems."""
    if not rates.lines:
        what = system.lines[-1].rpartition(": ")[2]
        first: tuple[Step, ...] = (Step(call=what, purpose="how often outputs are good"),)
    else:
        first = steps_with_labels(data, arguments, table, data.n_items)
    return (*first, *whole_report(arguments))


def _of_scores(
    data: Scores,
    consensus: Section,
    arguments: str,
    notes: tuple[str, ...],
    rated: dict[str, Any],
    table: Results | None,
) -> _Said:
    """Scores of judges, what they share, and rates by people's labels."""
    with stages("report", 2) as work:
        shared = shared_section(data, arguments)
        work.step()
        system = system_section(data, arguments, **rated)
    key = _key_words(data, system, rated["gold"])
    sections = [scores_section(data, notes, key), consensus, shared, system]
    parts, line = consensus.results["consensus"], shared_line(shared, arguments)
    overview = overview_of_scores(
        data, parts, next_steps(data, arguments), notes, shared=line, key=key
    )
    rated_by = None if system is None else system.results.get("rate")
    n = None if rated_by is None or not rated_by.n_gold else rated_by.n_gold
    overview = _of_table(replace(overview, system=system_line(system.results)), table, arguments, n)
    if rated_by is not None and rated_by.n_gold:
        rates = Rates((), {"": rated_by})
        if table is not None and table.good:
            rated_by = replace(rated_by, label=table.good, judged={})
            rates = rates_of(table, table.good, rated_by, _rate_of_scores)
            overview = replace(overview, answers=rates.lines, system=())
        elif table is not None:
            rates = Rates((rate_line("", replace(rated_by, judged={})),), rates.of)
            overview = replace(overview, answers=rates.lines, system=())
        badge = badge_by_labels(rates, ()) or overview.badge
        overview = replace(overview, cards=cards_of(rates), badge=badge)
    if table is not None and table.mean_scores:
        overview = replace(overview, answers=(*overview.answers, f"{table.mean_scores}."))
    return parts.status, parts.message, overview, sections


def _with_intervals(estimate: Estimate) -> Estimate:
    """Estimate with its intervals, of a model whose posteriors the first screen does not hold back."""
    fit = estimate.fit
    if (
        estimate.method in ("majority", "algebra")
        or fit is None
        or posterior_if_shared(fit) is not fit.posterior
    ):
        return estimate
    return replace(estimate, intervals=shown_intervals(fit, "auto"))


def _estimates(data: Joint, counts: Sketch, intervals: int | str, prevalence: Any) -> list[Section]:
    """Sections on what methods say."""
    with until(inf):
        compared = compare(data, intervals=intervals, prevalence=prevalence)
    return [
        agreement_section(counts),
        algebra_section(counts),
        consensus_section(split_key(data)[0], compared),
        *([items] if (items := items_section(compared)) is not None else []),
        side_by_side_section(compared),
    ]


def _compared(data: Joint, counts: Sketch, intervals: int | str, prevalence: Any) -> list[Section]:
    """What the first screen shows of them: no algebra, and intervals where no label scores a consensus."""
    with until(inf):
        unasked = intervals == "auto"
        compared = compare(
            data, _ON_SCREEN, intervals=0 if unasked else intervals, prevalence=prevalence
        )
        if unasked and not compared.n_keyed:
            shown = tuple(map(_with_intervals, compared.estimates))
            compared = replace(compared, estimates=shown)
    agreed = agreement_section(counts)
    if not is_sparse(counts.codes) and (alone := suspects(counts)):
        agreed = replace(agreed, results={**agreed.results, "suspects": alone})
    return [agreed, side_by_side_section(compared)]


_ON_SCREEN = ("majority", "dawid-skene", _MODEL)
