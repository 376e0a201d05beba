"""What a report says first: a verdict, every judge on one line, the consensus, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from algeval.aggregate.checks.posterior_grades import posterior_grades
from algeval.compare import Comparison
from algeval.compare.estimates import Estimate
from algeval.data import Evaluation, Specification, Summary
from algeval.data.shown import shown_share, with_interval
from algeval.logic.results import Alarm, Panel, Threshold
from algeval.report.parts import Badge, Overview, Step, Table
from algeval.report.sections.logic import LEVELS
from algeval.result import format_exact, percent
from algeval.result.wording import how_many

__all__ = ["overview_of", "reading_notes"]

_MODEL = "recommended"
_SHARED, _APART = "right if errors shared", "if not"
_MOST_LABELS = 4
_MOST_NOTES = 3
_MOST_READING = 2


def overview_of(
    results: Mapping[str, Any],
    asked: Specification | None,
    steps: Sequence[Step],
    notes: Sequence[str] = (),
) -> Overview:
    """Return the overview of what the sections of a report found, by the names they gave it."""
    summary: Summary = results["summary"]
    badge, verdict = _verdict(results, asked)
    comparison: Comparison | None = results.get("comparison")
    return Overview(
        badge=badge,
        about=_about(summary, comparison),
        reading=reading_notes(notes),
        verdict=verdict,
        table=_judges(results),
        consensus=() if comparison is None else tuple(_consensus(comparison)),
        notes=() if comparison is None else tuple(_notes(comparison)),
        undecided=tuple(_undecided(results)),
        steps=tuple(steps),
    )


def _about(summary: Summary, comparison: Comparison | None) -> str:
    missing, keyed = int(summary.missing.sum()), 0 if comparison is None else comparison.n_keyed
    votes = summary.n_items * summary.n_judges
    gaps = f"{percent(missing / votes)} of the votes missing" if missing else "no vote missing"
    key = f"a key for {keyed} items, used for scoring only" if keyed else "no answer key"
    labels = ", ".join(summary.labels[:_MOST_LABELS])
    more = ", ..." if summary.n_labels > _MOST_LABELS else ""
    return (
        f"{how_many(summary.n_items, 'item')}, {how_many(summary.n_judges, 'judge')}, "
        f"{how_many(summary.n_labels, 'label')} ({labels}{more}); {gaps}; {key}."
    )


_USUAL = re.compile(r"read as text with|wide layout|long layout|judges: |votes missing$")


def reading_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Return what reading did beyond the usual, a line each, and how many more there are."""
    told = [note for note in notes if not _USUAL.search(note)]
    more = len(told) - _MOST_READING
    rest = (f"{more} more notes on how the data were read, in the full report",) if more > 0 else ()
    return (*told[:_MOST_READING], *rest)


def _verdict(
    results: Mapping[str, Any], asked: Specification | None
) -> tuple[Badge, tuple[str, ...]]:
    threshold: Threshold = results["threshold"]
    alarm: Alarm | None = results["alarm"]
    ceiling = _ceiling(threshold)
    if alarm is None or asked is None:
        most = f"Together at most {percent(threshold.upper)}"
        shown = most if threshold.upper < 1 else "Nothing excluded"
        levels = _levels(results["panels"], threshold)
        return Badge(kind="ceiling", text=shown), (ceiling, levels)
    short = asked.short()
    if alarm.triggered is None:
        return Badge(kind="open", text="Not settled"), (
            f"Not settled whether some answer key allows this: {short}.",
            ceiling,
        )
    if not alarm.triggered:
        told = f"No alarm: some answer key allows this: {short}."
        return Badge(kind="quiet", text="No alarm"), (told, ceiling)
    told = f"ALARM: no answer key whatever allows this: {short}."
    panel: Panel | None = results["panel"]
    fall = "" if panel is None else f" {_fall_short(panel)}."
    return Badge(kind="alarm", text="ALARM"), (told + fall, ceiling)


def _ceiling(found: Threshold) -> str:
    """Return how accurate all judges can be together, whatever the true labels are."""
    who = _everybody(len(found.judges))
    if found.lower == 1:
        return f"Some answer key makes {who} right on every item: logic alone excludes no accuracy."
    if found.upper == 1:
        return (
            f"Some answer key makes {who} {percent(found.lower)} right on every label; whether one "
            "makes them better was not settled in time."
        )
    told = f"No answer key lets {who} be more than {format_exact(found.upper)} right on every label"
    if found.exact:
        return f"{told}."
    if percent(found.lower) == percent(found.upper):
        return f"{told}; at a hair less one does."
    return f"{told}; at {percent(found.lower)} one does, between the two it was not settled."


def _everybody(n: int) -> str:
    return "the one judge" if n == 1 else "both judges" if n == 2 else f"all {n} judges"


def _fall_short(panel: Panel) -> str:
    n, m = len(panel.judges), panel.min_violators
    return f"At least {m} of {n} judges {'falls' if m == 1 else 'fall'} short"


def _levels(panels: Sequence[Panel], threshold: Threshold) -> str:
    n = len(threshold.judges)
    if threshold.lower == 1:
        return "That is no praise: judges who err alike look as these do."
    if not panels:
        return f"{percent(LEVELS[-1], 0)} they can reach together, which is no praise."
    short = [p for p in panels if p.min_violators]
    if not short:
        return "How many fall short of higher levels was not settled in time."
    levels = _listed([percent(p.specification.conditions[0].value, 0) for p in short])
    fewest = _listed([str(p.min_violators) for p in short])
    return f"Asked for {levels} on every label, at least {fewest} of {n} fall short."


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _judges(results: Mapping[str, Any]) -> Table:
    """Return the table of judges, the best first, without columns that say nothing."""
    summary: Summary = results["summary"]
    columns: dict[str, list[str]] = {}
    order = list(range(summary.n_judges))
    comparison: Comparison | None = results.get("comparison")
    if comparison is not None:
        chosen = _chosen(comparison)
        if chosen is not None and chosen.fit is not None:
            modest = posterior_grades(chosen.fit)
            order = np.argsort(-np.nan_to_num(modest, nan=-1.0), kind="stable").tolist()
            if chosen.method == _MODEL:
                columns[_SHARED] = [shown_share(grade) for grade in modest.tolist()]
            columns[_title(chosen)] = _estimated(chosen)
        if comparison.truth is not None:
            columns["by the key"] = _graded(comparison.truth, summary.judges)
        columns["agrees"] = _agreement(results, summary.n_judges)
        columns["at most"] = _at_most(comparison)
    else:
        columns |= _answers(summary)
    columns["copies"] = _copies(results, summary.judges)
    columns["missing"] = [str(n) if n else "" for n in summary.missing.tolist()]
    told = {name: cells for name, cells in columns.items() if any(cells)}
    rows = tuple((summary.judges[j], *(cells[j] for cells in told.values())) for j in order)
    return Table(columns=("judge", *told), rows=rows, note=_legend(told))


def _answers(summary: Summary) -> dict[str, list[str]]:
    """Return how often each judge gave each answer, where that is all that is known."""
    given = np.maximum(summary.answered, 1)
    return {
        f"says {answer}": [percent(share) for share in summary.counts[:, place] / given]
        for place, answer in enumerate(summary.answers[:_MOST_LABELS])
    }


def _legend(columns: Mapping[str, Any]) -> str:
    words = {
        _SHARED: "right: estimated, if judges share errors and if they do not",
        "agrees": "agrees: with another judge, on average",
        "at most": "at most: by logic, the judge alone",
        "copies": "copies: one letter answers nearly alike, count it as one",
    }
    told = [text for name, text in words.items() if name in columns]
    return f"{'; '.join(told)}." if told else ""


def _chosen(comparison: Comparison) -> Estimate | None:
    """Return the estimate that the first screen shows: the default, or else the majority."""
    found = {e.method: e for e in comparison.estimates if e.evaluation is not None}
    return found.get(_MODEL, found.get("majority"))


def _title(chosen: Estimate) -> str:
    made = chosen.intervals
    level = f" ({percent(made.level, 0)})" if made is not None and made.status.ok else ""
    name = _APART if chosen.method == _MODEL else f"agrees with {chosen.method}"
    return name + level


def _estimated(chosen: Estimate) -> list[str]:
    """Return each judge's estimated accuracy with its interval."""
    evaluation, made = chosen.evaluation, chosen.intervals
    assert evaluation is not None
    return [
        with_interval(
            shown_share(evaluation.grade(judge)), None if made is None else made.accuracy[j]
        )
        for j, judge in enumerate(evaluation.judges)
    ]


def _graded(truth: Evaluation, judges: Sequence[str]) -> list[str]:
    return [shown_share(truth.grade(judge)) for judge in judges]


def _agreement(results: Mapping[str, Any], n: int) -> list[str]:
    found = results.get("agreement")
    if found is None:
        return [""] * n
    same = found.pairs.trace(axis1=2, axis2=3).astype(float)
    shared = found.shared().astype(float)
    for table in (same, shared):
        table[range(n), range(n)] = 0
    return [percent(same[j].sum() / shared[j].sum()) if shared[j].sum() else "" for j in range(n)]


def _at_most(comparison: Comparison) -> list[str]:
    ends = [comparison.bounds.grade_of(judge) for judge in comparison.judges]
    return ["" if pair is None or pair[1] == 1 else percent(pair[1]) for pair in ends]


def _copies(results: Mapping[str, Any], judges: Sequence[str]) -> list[str]:
    groups = results["groups"].groups if "groups" in results else ()
    letter = {name: _letter(k) for k, group in enumerate(groups) for name in group}
    return [letter.get(judge, "") for judge in judges]


def _letter(k: int) -> str:
    return chr(ord("A") + k) if k < 26 else f"A{k - 25}"


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
    yield f"Consensus ({chosen.method}): {shown}{more} of {fit.n_items} items.{_sure(comparison, chosen)}"
    differ = comparison.disagreement
    if differ is not None and differ.n_differing + differ.n_undecided:
        yield differ.message
    scored = [
        e for e in comparison.estimates if e.score is not None and e.score.accuracy is not None
    ]
    if scored:
        told = ", ".join(f"{e.method} {percent(e.score.accuracy)}" for e in scored if e.score)
        yield f"Right by the key: {told}."


def _sure(comparison: Comparison, chosen: Estimate) -> str:
    """Return how many labels are expected to be right, by the modest fit and by independence."""
    told = _expected(chosen)
    apart = {e.method: e for e in comparison.estimates if e.evaluation is not None}
    if not told or chosen.method != _MODEL:
        return ""
    other = _expected(apart["dawid-skene"]) if "dawid-skene" in apart else ""
    return f" Expected right: {told} if errors are shared{f', {other} if not' if other else ''}."


def _expected(one: Estimate) -> str:
    if one.fit is None or not one.fit.n_items:
        return ""
    top = float(one.fit.counts @ one.fit.posterior.max(axis=1)) / one.fit.n_items
    made = one.intervals
    return with_interval(shown_share(top), None if made is None else made.consensus_accuracy)


def _notes(comparison: Comparison) -> Iterator[str]:
    chosen = _chosen(comparison)
    warnings = () if chosen is None or chosen.fit is None else chosen.fit.warnings
    told = [warning for warning in warnings if "votes are missing" not in warning]  # said above
    yield from told[:_MOST_NOTES]
    if len(told) > _MOST_NOTES:
        yield f"{len(told) - _MOST_NOTES} more notes with everything else."


def _undecided(results: Mapping[str, Any]) -> Iterator[str]:
    comparison: Comparison | None = results.get("comparison")
    short = [p for p in results["panels"] if 0 < p.min_violators < len(p.judges)]
    who = "which judges fall short, " if short else ""
    keyed = comparison is not None and comparison.n_keyed
    remedy = "" if keyed else " Some true labels (--key) can."
    yield (
        f"Votes alone cannot say {who}whether judges who agree share an error, or whether the labels "
        f"mean what you mean.{remedy}"
    )
