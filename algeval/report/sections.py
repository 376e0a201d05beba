"""The sections of a report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.checks.groups import judge_groups
from algeval.aggregate.checks.pairs import Agreement, agreement, suspects
from algeval.aggregate.checks.quality import score
from algeval.aggregate.em import vote_entropy
from algeval.aggregate.results import Floats
from algeval.algebra import decode
from algeval.compare import Comparison
from algeval.data import NOT_ANSWERED, Evaluation, Scores, Sketch, Specification, Summary, Votes
from algeval.data.evaluation import (
    DASH,
    dash_note,
    is_share,
    items_behind,
    shown_accuracy,
    shown_share,
)
from algeval.data.names import Counts, is_sparse
from algeval.data.reading import Data, as_summary, n_labelled
from algeval.errors import DataError, TooLargeError
from algeval.io.results import Results
from algeval.io.roles import likeliest_first
from algeval.judges.bias import JudgeBias, judge_bias
from algeval.judges.intervals import Interval
from algeval.judges.slicing import Slices, slices
from algeval.logic import alarm, panel, reach, threshold
from algeval.logic.exam import order_words
from algeval.logic.proof import Certificate, work_of_questions
from algeval.logic.questions.threshold import rounded_threshold, rungs_of
from algeval.logic.results import Alarm, Panel, Rung, Threshold
from algeval.progress import steps
from algeval.rates.inputs import pass_label
from algeval.report.first import ByPeople, Rates, points
from algeval.report.parts import (
    Badge,
    Card,
    Section,
    Table,
    are_sides,
    rate_call,
    sample_call,
)
from algeval.result import Status, format_exact, percent
from algeval.result.numbers import (
    capital,
    how_many,
    is_bare,
    level_text,
    percent_up,
    rate_name,
    signed,
)
from algeval.verify import read_data, verify
from algeval.verify_alarm import Panel as Read

if TYPE_CHECKING:
    from algeval.aggregate.scores.confounders import Confounders
    from algeval.rates.rating import RateResult
    from algeval.rates.systems import SystemComparison

# --- The items judges differ on, those they differ on most first.


_IN_TEXT, _ON_PAGE, _IN_FILE = 12, 200, 1000

Row = tuple[str, ...]


def items_section(comparison: Comparison) -> Section | None:
    """Section, or None where no two fits of the same votes are there to lay side by side."""
    majority, model = (comparison[name].fit for name in ("majority", "recommended"))
    if majority is None or model is None or model.evaluation is None:
        return None
    counted, entropy = vote_entropy(model.patterns, len(model.answers))
    rows = tuple(islice(_rows(majority, model, counted, entropy), _IN_FILE))
    what, weight = ("item", model.counts) if model.items is not None else ("decision tuple", 1)
    columns = (what, "votes", "disagreement", "majority", model.method, "sure")
    many = weight * np.ones(len(entropy), int)
    split, total = int(many[entropy.round(2) > 0].sum()), int(many.sum())
    lines = [f"Judges differ on {split} of {total} {what}s."]
    if total > _IN_FILE:
        lines.append(
            f"The file has the {_IN_FILE} they differ on most; algeval aggregate writes all."
        )
    short, table = (
        Table(
            columns=columns,
            rows=rows[:most],
            note=f"... and {total - most} more." if total > most else "",
        )
        for most in (_IN_TEXT, _ON_PAGE)
    )
    return Section(
        title="Items that judges differ on",
        lines=tuple(lines),
        tables=(short,),
        page_tables=(replace(table, download="items.csv", file_rows=rows),),
        caveat=(
            "Items that all judges answer alike are not settled: all may be wrong. Disagreement is the "
            "entropy of the votes in bits: 0 where all agree, 1 where two answers have half each."
        ),
    )


def _rows(
    majority: Aggregation, model: Aggregation, counted: Counts, entropy: Floats
) -> Iterator[Row]:
    """Yield a row for each item, or for each decision tuple where items are not known."""
    top = model.posterior.max(axis=1)
    items: list[list[str]] = [[] for _ in model.counts]
    if model.items is not None and model.item_pattern is not None:
        for name, row in zip(model.items, model.item_pattern.tolist(), strict=True):
            items[row].append(name)
    else:
        items = [[_tuple(model, row)] for row in range(len(items))]
    for row in np.lexsort((top, -entropy.round(9))).tolist():
        counts = counted[row]
        order = np.argsort(-counts, kind="stable").tolist()
        votes = ", ".join(f"{model.answers[a]} {counts[a]}" for a in order if counts[a]) or "none"
        labels = (_label(majority, row), _label(model, row))
        for name in items[row]:
            yield name, votes, f"{entropy[row]:.2f}", *labels, percent(top[row])


def _tuple(model: Aggregation, row: int) -> str:
    answers, n = (*model.answers, "-"), int(model.counts[row])
    text = ", ".join(answers[code] for code in model.patterns[row].tolist())
    return f"{text} (x {n})" if n > 1 else text


def _label(fit: Aggregation, row: int) -> str:
    code = int(fit.decisions[row])
    return fit.labels[code] if code >= 0 else "-"


# --- Who voted, what is missing, and how often each answer was given.


MOST_ROWS = 40


def votes_section(data: Data, notes: tuple[str, ...], key: str) -> Section:
    """Section on the votes themselves; `key` are the words on true labels."""
    summary = as_summary(data)
    missing = int(summary.missing.sum())
    lines = [
        f"{how_many(summary.n_items, 'item')}, {how_many(summary.n_judges, 'judge')}, "
        f"{how_many(summary.n_labels, 'label')}: {', '.join(summary.labels)}."
    ]
    if summary.n_answers > summary.n_labels:
        extra = ", ".join(summary.answers[summary.n_labels :])
        lines.append(f"Answers that are no label, hence never correct: {extra}.")
    possible = summary.n_items * summary.n_judges
    lines.append(
        f"{missing} of {possible} votes are missing ({percent(missing / possible)})."
        if missing
        else "No vote is missing."
    )
    lines.append(key_line(key))
    lines += [f"Note: {note}" for note in notes]
    rows = []
    for i, judge in enumerate(summary.judges[:MOST_ROWS]):
        answered = int(summary.answered[i])
        shares = (
            f"{count} ({percent(count / answered, 0)})" if answered else "0"
            for count in summary.counts[i].tolist()
        )
        rows.append((judge, str(answered), str(int(summary.missing[i])), *shares))
    table = Table(
        columns=("judge", "answered", "missing", *summary.answers),
        rows=tuple(rows),
        note=left_out_note(summary.n_judges - len(rows)),
    )
    return Section(
        title="The votes",
        lines=tuple(lines),
        tables=(table,),
        results={"summary": summary},
    )


def labels_section(data: Votes, notes: tuple[str, ...]) -> Section:
    """Section on labels of people that no judge stands beside."""
    assert data.key is not None  # what else there would be is votes
    counts = np.bincount(data.key[data.key != NOT_ANSWERED], minlength=data.n_labels).tolist()
    n = sum(counts)
    rows = [
        (label, str(k), percent(k / n, 0))
        for label, k in zip(data.labels, counts, strict=True)
        if k
    ]
    lines = [
        f"{how_many(data.n_items, 'item')}, {n} labelled by people; no judge.",
        *(f"Note: {note}" for note in notes),
    ]
    table = Table(columns=("label", "items", "share"), rows=tuple(rows))
    return Section(title="The labels", lines=tuple(lines), tables=(table,))


def key_words(n_in_key: int, rated: int = 0, *, of_key: bool = False) -> str:
    """What labels of people there are, and what a report used them for.

    Of `n_in_key` items in the key and `rated` labels of a rate, which are those of the key with `of_key`.
    """
    items = f"human labels for {how_many(n_in_key, 'item')}, used "
    if of_key and rated:
        return f"{items}for the rate and to score judges"
    labels = f"{how_many(rated, 'human label')}, used for the rate" if rated else ""
    words = (f"{items}to score judges" if n_in_key else "", labels)
    return "; ".join(filter(None, words)) or NO_LABELS


NO_LABELS = "no human labels"


def key_line(words: str) -> str:
    """Same as a sentence of its own."""
    if words == NO_LABELS:
        return "No human labels."
    return f"{words[0].upper()}{words[1:]}; the consensus is made without them."


def left_out_note(n_judges: int) -> str:
    """Sentence on judges that a table leaves out; empty for none."""
    return f"... and {n_judges} more judges (all of them with --json)." if n_judges else ""


# --- What is logically possible, each verdict with a certificate the verifier accepted.


LEVELS = tuple(map(Fraction, ("0.6", "0.75", "0.9")))
"""Where no level is asked for: how many judges fall short of these."""

_WORK, _UNASKED_WORK, _UNASKED = 10.0, 2.0, 5
"""Counted work of a question where there is no time limit, and of panels at levels that nobody asked
for, which get this part of a time limit each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicAnswers:
    """The verdicts, and their certificates.

    `alarm` is None where there is no level; `panels` are at that level if it is impossible, and otherwise
    at those of `LEVELS` that not all judges can meet.
    """

    threshold: Threshold
    alarm: Alarm | None
    panels: tuple[Panel, ...]
    proofs: dict[str, Certificate]
    ladder: tuple[Rung, ...] = ()

    @property
    def panel(self) -> Panel | None:
        """The panel at the level asked for."""
        return self.panels[0] if self.panels and self.alarm is not None else None


def ask(
    counts: Sketch | Summary,
    specification: Specification | None,
    missing: str,
    time_limit: float | None,
    *,
    brief: bool = False,
    levels: bool = True,
) -> LogicAnswers:
    """Threshold, alarm if there is a level, and panels; the certificates are left to `check`.

    Each at the highest order the data support. What lower orders say is part of that; where the alarm
    steps down it says so. `brief`: only what the first screen says, and what proves that; `levels`:
    whether it says how many judges miss `LEVELS` where no level is asked for.
    """
    options: dict[str, Any] = {"missing": missing, "time_limit": time_limit}
    with work_of_questions(_WORK):
        t = (rounded_threshold if brief else threshold)(counts, **options)
        a = None if specification is None else alarm(counts, specification, **options)
    for_panels: list[Any] = []
    work = _WORK
    if specification is None or a is None:
        for_panels += [level for level in LEVELS if levels and level > t.lower]
        work = _UNASKED_WORK
        if time_limit is not None:
            options["time_limit"] = time_limit / _UNASKED
    elif a.triggered and specification.min_judges is None:
        for_panels.append(specification)
    with work_of_questions(work):
        panels = tuple(panel(counts, level, **options) for level in for_panels)
    proofs = dict(_proofs(t, a, panels, brief=brief))
    rungs = () if brief else rungs_of(t, counts)
    return LogicAnswers(threshold=t, alarm=a, panels=panels, proofs=proofs, ladder=rungs)


def for_verifier(counts: Sketch | Summary) -> Read:
    """Counts as the verifier reads them."""
    return read_data(counts)


def on_trust(counts: Sketch | Summary) -> bool:
    """Whether a first screen, which has no certificate to look at, leaves these counts to the full report.

    What it says was proved in exact arithmetic; to read so many tuples again takes longer than that.
    """
    return isinstance(counts, Sketch) and counts.codes.size > _CELLS_READ_AGAIN


_CELLS_READ_AGAIN = 500_000
"""Answers of all distinct tuples up to which the stand-alone verifier takes half a second."""


def check(proofs: Mapping[str, Certificate], counts: Sketch | Summary | Read) -> None:
    """Raise if the verifier rejects one of some certificates."""
    read = read_data(counts)  # once for all certificates
    for name, certificate in steps(proofs.items(), "checking certificates"):
        verdict = verify(certificate, read)
        if not verdict.ok:
            raise RuntimeError(f"{name} was rejected by the verifier: {verdict.sentence}")


def _proofs(
    t: Threshold, a: Alarm | None, panels: tuple[Panel, ...], *, brief: bool
) -> Iterator[tuple[str, Any]]:
    """Yield every certificate there is, under the name of a file; of a `brief` panel no witness."""
    named = [("threshold-attained", t.witness), ("threshold-nothing-above", t.refutation)]
    named += [("threshold-answer-keys", t.keys)]
    named += [] if a is None else [("alarm", a.certificate)]
    for k, p in enumerate(panels, start=1):
        index = f"-{k}" if len(panels) > 1 else ""
        named += [(f"panel{index}-fall-short", p.certificate)]
        named += [] if brief else [(f"panel{index}-may", p.witness)]
    yield from ((name, proof) for name, proof in named if proof is not None)


def logic_section(answers: LogicAnswers, *, verified: bool = True) -> Section:
    """Section on the verdicts, each with its certificate, which the verifier accepted if `verified`."""
    t, a = answers.threshold, answers.alarm
    what = (
        "from how often each judge gave each answer (order 1)"
        if t.order == 1
        else "from how the judges agreed item by item (full order)"
    )
    lines = [_threshold_line(t)]
    if t.refutation is not None:
        lines.append(f"Why no more: {t.refutation.explain(t.judges, t.labels)}")
    if len(answers.ladder) > 1:
        lines.append(_ladder_line(answers.ladder))
    lines += [] if a is None else [a.message]
    lines += [p.message for p in answers.panels if p.min_violators or p.status is not Status.OK]
    read = "each accepted by the stand-alone verifier" if verified else "not read by the verifier"
    lines.append(f"{len(answers.proofs)} certificates, {read}.")
    results = {"threshold": t, "alarm": a, "panel": answers.panel, "panels": answers.panels}
    return Section(
        title=f"What is logically possible, {what}",
        lines=tuple(lines),
        caveat=t.meaning if a is None else f"{a.meaning} {t.meaning}",
        results=results,
    )


def _threshold_line(t: Threshold) -> str:
    if t.exact:
        line = f"Limit: together all judges reach at most {format_exact(t.lower)} accuracy on every label."
    else:
        line = (
            f"Limit: between {format_exact(t.lower, 3)}, which all judges can reach together on every "
            f"label, and {format_exact(t.upper, 3)}, above which they cannot."
        )
    if t.answer_keys and t.key_count is not None:
        first = ", ".join(
            f"{n} x {label!r}" for label, n in zip(t.labels, t.answer_keys[0], strict=True)
        )
        more = t.key_count - 1
        others = "or 1 other answer key" if more == 1 else f"or {more} other answer keys"
        others += "" if t.keys is not None else " (counted, without a certificate)"
        line += f" It takes an answer key of {first}{', ' + others if more else ' only'}."
    if t.status is not Status.OK:
        line += f" ({t.status.value}: {t.status.advice})"
    return line


_READ: dict[int | str, str] = {
    1: "from each judge's own counts",
    2: "from every two judges",
    "full": "from whole tuples",
}


def _ladder_line(rungs: Sequence[Rung]) -> str:
    """What each order lets all judges reach; of a bracket its upper end, which is proved."""
    said = [f"{percent(r.upper)} {_READ.get(r.order, '')} ({order_words(r.order)})" for r in rungs]
    return f"By how much of the votes logic reads: at most {', '.join(said)}."


def with_reach(sections: Sequence[Section]) -> list[Section]:
    """Sections, the one on logic with how far it would get with more items and more judges."""
    results = {name: answer for section in sections for name, answer in section.results.items()}
    line = _reach_line(results["comparison"])
    return [
        replace(section, lines=(*section.lines[:-1], line, section.lines[-1]))
        if line and "threshold" in section.results
        else section
        for section in sections
    ]


def _reach_line(comparison: Comparison) -> str:
    """How far logic would get with judges as good as these on average, if their errors were independent."""
    chosen = next((e for e in comparison.estimates if e.method == "dawid-skene"), None)
    truth = comparison.truth or (None if chosen is None else chosen.evaluation)
    if len(comparison.judges) < 2 or truth is None:
        return ""
    grades = [float(g) for g in map(truth.grade, truth.judges) if g is not None]
    accuracy = sum(grades) / len(grades) if grades else 0.0
    if not 0.5 < accuracy < 1:
        return ""
    try:
        limit = reach(len(comparison.judges), accuracy, n_labels=len(comparison.labels))
    except TooLargeError:
        return ""
    source = "by people's labels" if comparison.truth else "as estimated if errors are independent"
    refuted = limit.refuted.replace("logic refutes", "logic would refute")
    line = (
        f"Were errors independent, each judge right on {percent(accuracy)} of items (the mean, {source}) "
        f"and labels as frequent: {refuted[0].lower()}{refuted[1:]} {limit.more_judges}"
    )
    return line.rstrip()


# --- The report's sections on scores: who scored how, and the consensus without cutting.


def scores_section(data: Scores, notes: tuple[str, ...], key: str) -> Section:
    """Section on the scores themselves; `key` are the words on true labels."""
    missing, possible = int(data.missing.sum()), data.n_items * data.n_judges
    text = f"{missing} of {possible} scores are missing ({percent(missing / possible)})."
    rows = []
    for judge, column in list(zip(data.judges, data.values.T, strict=True))[:MOST_ROWS]:
        values = column[~np.isnan(column)]
        ends = (values.min(), np.median(values), values.max()) if len(values) else ()
        counts = (len(values), len(column) - len(values), len(np.unique(values)))
        shown = tuple(f"{value:.6g}" for value in ends) or (DASH,) * 3
        rows.append((judge, *map(str, counts), *shown))
    columns = ("judge", "scored", "missing", "different", "lowest", "middle", "highest")
    left_out = left_out_note(data.n_judges - len(rows))
    return Section(
        title="The scores",
        lines=(
            f"{data.n_items} items, {data.n_judges} judges.",
            text if missing else "No score is missing.",
            key_line(key),
            *(f"Note: {note}" for note in notes),
        ),
        tables=(Table(columns=columns, rows=tuple(rows), note=left_out),),
    )


def consensus_of_scores(data: Scores, prevalence: Any = None) -> Section:
    """Section on consensus scores and classes, scored where there is a key of classes."""
    fit = aggregate(data) if prevalence is None else aggregate(data, prevalence=prevalence)
    lines, tables = [fit.message], []
    if fit.status.ok:
        higher = int((fit.decisions == 1).sum())
        undecided = int((fit.decisions == NOT_ANSWERED).sum())
        lines.append(
            f"{higher} of {fit.n_items} items ({percent(higher / fit.n_items)}) are more probably "
            f"in the higher class; {undecided} are undecided."
        )
        order = np.argsort(-fit.loading, kind="stable")[:MOST_ROWS].tolist()
        rows = tuple((fit.judges[j], f"{fit.loading[j]:+.2f}") for j in order)
        columns = ("judge", "correlation with what the judges share")
        note = left_out_note(len(fit.judges) - len(rows))
        tables.append(Table(columns=columns, rows=rows, note=note))
    lines += [f"Note: {warning}" for warning in fit.warnings]
    if n_labelled(data) and data.key_kind == "class" and fit.status.ok:
        lines += score(fit, data).summary().splitlines()
    return Section(
        title="Consensus of the scores",
        lines=tuple(lines),
        tables=tuple(tables),
        caveat=(
            "Judges who share a bias share it with the consensus too; nothing here checks that what "
            "they share is what you mean."
        ),
        results={"consensus": fit},
    )


# --- How often a label is the true one: what a report says of the system that the judges judge.


TITLE = "What this says about the system"
_WORDS = ("assumes", "fails if")
_MOST_LETTERS = 100


def system_section(
    data: Data | Scores,
    arguments: str,
    *,
    label: object = None,
    gold: Any = None,
    time_limit: float | None = None,
    brief: bool = False,
) -> Section:
    """Section: the table of a rate, or, as no label is chosen unasked, how to ask.

    A key takes part only as `human="key"`; `arguments` name the data on the command line, and are empty in
    Python; `time_limit`, in seconds, is for the rows without labels, of which a `brief` one has few. See
    `rate`.
    """
    if label is None and gold is None and isinstance(data, Votes | Scores):
        return Section(title=TITLE, lines=(_to_ask(data, arguments),))
    from algeval.rates.rating import answer, rate, rate_by_labels, votes_decide

    with work_of_questions(_WORK):
        if brief and is_key(gold) and not isinstance(data, Scores) and n_labelled(data):
            reply = rate_by_labels(data, label, time_limit)
        else:
            reply = rate(data, label, gold, time_limit=time_limit)
    return Section(
        title=TITLE,
        lines=(
            f"{answer(reply)}.",
            reply.message,
            *votes_decide(reply),
            *_of_key(data, gold, arguments),
            *reply.remarks,
            *(f"Note: {warning}." for warning in reply.warnings),
        ),
        tables=(_table(reply, without=_WORDS[:1]),),
        page_tables=(_table(reply),),
        caveat=reply.meaning,
        results={"rate": reply},
    )


def _to_ask(data: Votes | Scores, arguments: str) -> str:
    """How to get a rate: by the labels of the key, or by labels of items to draw."""
    what = "an item passes" if isinstance(data, Scores) else "a label is the true one"
    n_labelled_items = n_labelled(data)
    if isinstance(data, Scores) and not set(data.key or ()) <= {"0", "1", None}:
        n_labelled_items = 0
    if n_labelled_items:
        text = f"The {how_many(n_labelled_items, 'human label')} settle how often {what}"
        if not isinstance(data, Scores) and not pass_label(data.labels):
            text += f" (here for {likeliest_first(data.labels)[0]}; choose a label)"
        return f"{text}: {rate_call(data, arguments)}"
    if arguments and not isinstance(data, Scores) and are_sides(data.labels):
        return (
            "How often judges pick as people do needs what people pick of some pairs drawn at random. Draw "
            f"them: {sample_call(data, arguments)}; fill in the file; then: algeval judges {arguments} "
            "--human to_label.csv"
        )
    labelled = "to_label.csv" if arguments else "labels"
    draw = sample_call(data, arguments)
    fill = "fill in the file" if arguments else "label them"
    return (
        f"How often {what} needs the true labels of some items drawn at random. Draw them: {draw}; "
        f"{fill}; then: {rate_call(data, arguments, labelled)}"
    )


def _of_key(data: Data | Scores, gold: Any, arguments: str) -> tuple[str, ...]:
    """Sentences on the part that the key of the votes had: none, unless it was named as the labels."""
    n_labelled_items = n_labelled(data)
    asks = "--good LABEL" if arguments else 'human="key"'
    if not n_labelled_items:
        return ()
    among = f"{n_labelled_items} of {data.n_items} items"
    if not is_key(gold):
        return (f"The human labels of {among} had no part in this; with {asks} they are evidence.",)
    text = f"The labels are people's: {among}, taken as drawn at random."
    return (text,)


def is_key(gold: Any) -> bool:
    """Whether labels are those of the key."""
    return isinstance(gold, str) and gold == "key"


def _table(rate_: RateResult, without: tuple[str, ...] = ()) -> Table:
    from algeval.rates.rating import table_of

    head, rows = table_of(rate_)
    kept = [index for index, name in enumerate(head) if name not in without]
    return Table(
        columns=tuple(head[index] for index in kept),
        rows=tuple(tuple(row[index].strip() for index in kept) for row in rows),
        words=tuple(name for name in _WORDS if name not in without),
    )


def system_line(results: Mapping[str, Any]) -> tuple[str, ...]:
    """Line for the first screen, if a rate was asked for."""
    result = results.get("rate")
    if result is None:
        return ()
    from algeval.rates.rating import answer

    text, more = answer(result), ""
    if result.n_gold:
        more = f" ({how_many(result.n_gold, 'label')})"
    elif result.winner is not None and result.conclusion_threshold is not None:
        side = f"{result.winner} {percent(result.against)}"
        more = f"; {side} if all judges are right on over {percent_up(result.conclusion_threshold)}"
    line = f"{text}{more}."
    return (text[:_MOST_LETTERS] if len(line) > _MOST_LETTERS else line,)


# --- What a slide shows: a rate with its interval, or the difference of two systems.


_SCALES = (0.1, 0.2, 0.3, 0.5, 1.0)
"""Half the width of a scale of differences: the least that holds the interval."""


def cards_of(rates: Rates) -> tuple[Card, ...]:
    """Card of each rate that labels settle, and of the difference of two systems."""
    cards = [_card_of_rate(rate, system) for system, rate in rates.of.items()]
    compared = rates.difference
    if compared is not None and compared.difference is not None:
        cards.append(_card_of_difference(compared))
    return tuple(card for card in cards if card is not None)


def _card_of_rate(rate: RateResult, system: str = "") -> Card | None:
    """Card of a rate; None where labels settle none."""
    if rate.rate is None:
        return None
    interval = f"{level_text(rate.level)} confidence interval "
    interval += f"{100 * rate.low:.0f}% to {100 * rate.high:.0f}%"
    return Card(
        name=f"slide{_in_file_name(system)}.svg",
        title=capital(rate_name(rate.label, system, rate.counted)),
        value=percent(rate.rate, 0),
        interval=interval,
        size=f"{how_many(rate.n_gold, 'human label')}, {how_many(rate.n_items, 'item')}"
        f"{', ' + how_many(len(rate.judges), 'judge') if rate.judges else ''}",
        caveat=f"Assumes: {rate.assumption}. {rate.meaning}",
        low=rate.low,
        point=rate.rate,
        high=rate.high,
    )


def _card_of_difference(compared: SystemComparison) -> Card:
    """Card of the system with the higher rate against the other."""
    first, second = compared.names
    gap, low, high = (float(x) for x in (compared.difference or 0, compared.low, compared.high))
    if gap < 0:
        first, second, gap, low, high = second, first, -gap, -high, -low
    wide = next(scale for scale in _SCALES if max(-low, high) <= scale or scale == _SCALES[-1])
    shown = "" if compared.verdict.endswith("BETTER") else "; no difference shown"
    labels = f"{how_many(compared.n_gold, 'item')} labelled for both of {compared.n_items}"
    if compared.n_own_gold is not None and compared.n_own_items is not None:
        of = (
            f"of the same {how_many(compared.n_items, 'item')}"
            if compared.n_items
            else "items unpaired"
        )
        labels = f"{' and '.join(map(str, compared.n_own_gold))} human labels, {of}"
    return Card(
        name="slide-difference.svg",
        title=f"{capital(rate_name(compared.label, counted=compared.counted))}: {first} over {second}"
        if is_bare(compared.label)
        else f"{compared.label!r}: {first} over {second}",
        value=f"{signed(points(gap))} points",
        interval=f"{level_text(compared.level)} confidence interval "
        f"{signed(points(low))} to {signed(points(high))} points",
        size=f"{labels}{shown}",
        caveat=f"Of outputs like these. {compared.meaning}"
        if compared.target == "population"
        else compared.meaning,
        ends=(-wide, wide),
        low=low,
        point=gap,
        high=high,
    )


def _in_file_name(system: str) -> str:
    safe = re.sub("[^A-Za-z0-9._]+", "-", system).strip("-.")[:40]
    return f"-{safe}" if safe else ""


_MOST_IN_BADGE = 24


def badge_by_labels(rates: Rates, judges: Sequence[ByPeople]) -> Badge | None:
    """Badge with the rates that labels settle, else with the judges' accuracies by labels."""
    shares = [
        f"{name[:_MOST_IN_BADGE]} {percent(rate.rate, 0)}".strip()
        for name, rate in rates.of.items()
        if rate.rate is not None
    ]
    if shares:
        rated = next(iter(rates.of.values()))
        label = rated.label[:_MOST_IN_BADGE]
        dots = ", ..." if len(shares) > 3 else ""
        named = rated.counted or (f"rated {label}" if is_bare(label) else label)
        return Badge(kind="rate", text=f"{named}: {', '.join(shares[:3])}{dots}")
    right = [row.right / row.n for row in judges if row.n]
    if not right:
        return None
    ends = dict.fromkeys(percent(share, 0) for share in (min(right), max(right)))
    return Badge(kind="rate", text=f"Accuracy by human labels: {' to '.join(ends)}")


def proofs_of(section: Section) -> dict[str, Any]:
    """Certificates of the section's rows, under names of files."""
    result = section.results.get("rate")
    if result is None:
        return {}
    return {
        f"system-{index}-{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}": proof
        for index, (name, proof) in enumerate(result.certificates.items(), 1)
    }


# --- The report's section on what judges who give scores share, and its line on the first screen.


MOST_CELLS = 500_000
"""Scores up to which a report looks for shared things; as many with gaps take half a minute or so."""


def shared_section(data: Scores, arguments: str) -> Section:
    """Section on what the judges share; with more scores it only says how to ask."""
    from algeval.aggregate.scores.confounders import confounders

    title = "What the judges share"
    if data.values.size > MOST_CELLS:
        size = f"{data.values.size} scores"
        sentence = f"Not looked for, as that takes long with {size}; {_ask(arguments)} does."
        return Section(title=title, lines=(sentence,))
    result = confounders(data)
    if result.status is Status.NOT_IDENTIFIABLE:
        return Section(title=title, lines=(result.message,), results={"shared": result})
    lines = [result.message, *(f"Note: {warning}" for warning in result.warnings)]
    return Section(
        title=title,
        lines=tuple(lines),
        tables=(
            _loadings(result),
            *_attributes(result),
            Table(
                columns=(
                    "instead of one factor",
                    "correlation with it",
                    "items that flip",
                    "by this you say",
                ),
                rows=tuple(
                    (shift.act, f"{shift.correlation:.3f}", percent(shift.flipped), shift.asserts)
                    for shift in result.alternatives
                ),
            ),
        ),
        caveat=(
            "Two factors are turned so that each judge follows as few as possible; that this splits "
            "quality from a bias is an assumption. An attribute that goes with a factor may be part of "
            "quality."
        ),
        results={"shared": result},
    )


def shared_line(section: Section, arguments: str) -> tuple[str, ...]:
    """Sentence for the first screen: that there is more than one shared thing, or nothing."""
    result = section.results.get("shared")
    if result is None or not result.more_than_one:
        return ()
    from algeval.aggregate.scores.confounders import factor_name

    with_it = result.named(factor_name(1))
    goes = "" if with_it is None else f"; the narrower one goes with {with_it.words()}"
    return (f"The judges share more than one thing{goes}: see {_ask(arguments)}.",)


def _ask(arguments: str) -> str:
    return f"algeval confounders {arguments}" if arguments else "ae.confounders(scores)"


def _loadings(result: Confounders) -> Table:
    order = (-result.loading).argsort(kind="stable")[:MOST_ROWS].tolist()
    names = ("judge", *result.factors, "noise")
    rows = tuple(
        (
            result.judges[j],
            f"{result.loading[j]:+.2f}",
            *(f"{load:+.2f}" for load in result.turned[j]),
            f"{result.noise[j]:.2f}",
        )
        for j in order
    )
    return Table(columns=names, rows=rows, note=left_out_note(len(result.judges) - len(rows)))


def _attributes(result: Confounders) -> Iterator[Table]:
    """Yield a table with a row for each attribute, the one that goes most with anything shared first."""
    names, links = result.factors, result.links
    shared = dict.fromkeys(a.attribute for a in result.associations if a.kind != "judge")
    if not shared:
        return
    rows = []
    for attribute in list(shared)[:MOST_ROWS]:
        cells = (links.get((attribute, name)) for name in names)
        shown = (DASH if link is None else f"{link.correlation:+.2f}" for link in cells)
        rows.append((attribute, *shown))
    note = (
        f"Rank correlations; {len(result.associations)} were looked at, those with judges included."
    )
    yield Table(columns=("attribute", *names), rows=tuple(rows), note=note)


# --- What the algebra and the aggregators estimate, and everything side by side.


_MOST_LINES = 12
_MOST_WORK = 50_000
"""Above this many trios of two labels, or their like, the report leaves the atlas to `decode`."""


def algebra_section(counts: Sketch) -> Section:
    """Section on the exact evaluation if errors are independent."""
    title, n = "If the judges' errors are independent: exact algebra", counts.n_judges
    if counts.n_labels < 2:
        line = "The algebra needs two labels; here is one."
        return Section(title=title, lines=(line,))
    if n < 3:
        are = f"are {n}" if n > 1 else "is one"
        line = f"The algebra needs three judges; here {are}."
        return Section(title=title, lines=(line,))
    if n > 3:
        return _atlas_section(title, counts)
    decoding: Any = decode(counts)
    tables = () if decoding.best is None else (_evaluation_table(decoding.best, decoding.n_used),)
    return Section(
        title=title,
        lines=(decoding.message,),
        tables=tables,
        caveat=_CAVEATS.get(decoding.status, _NOT_INDEPENDENT),
        results={"decoding": decoding},
    )


_NOT_INDEPENDENT = (
    "It does not say which judges share their errors, nor how good they are; only that their errors "
    "are not exactly independent on this test."
)
_CAVEATS = {
    Status.OK: "The counts are consistent with exactly independent errors; that does not prove that "
    "the errors are independent, since dependent judges can produce such counts too.",
    Status.IRRATIONAL: Status.IRRATIONAL.advice,
    Status.UNDETERMINED: "It is no alarm: independent errors could produce these counts in more than "
    "one way, so nothing is known about these judges from them.",
}


def _atlas_section(title: str, counts: Sketch) -> Section:
    trios = comb(counts.n_judges, 3)
    # measured: two labels have a closed form, more need the determinants of R x R tables
    work = 1 if counts.n_labels == 2 else counts.n_labels**3 / 10
    if trios * work > _MOST_WORK:
        line = (
            f"Not done here: {counts.n_judges} judges have {trios} trios, and to solve each for "
            f"{counts.n_labels} labels would take longer than the rest of the report; name three "
            "to algeval decode with --judges."
        )
        return Section(title=title, lines=(line,))
    try:
        decoding = decode(counts)
    except TooLargeError as error:
        return Section(title=title, lines=(f"Not done: {error}.",))
    return Section(
        title=title,
        lines=tuple(decoding.summary().splitlines()[:_MOST_LINES]),
        caveat=Status.IRRATIONAL.advice,
        results={"atlas": decoding},
    )


def _evaluation_table(evaluation: Evaluation, n_items: int) -> Table:
    rows = [("prevalence", *(_cell(value) for value in evaluation.prevalence))]
    labels = range(len(evaluation.labels))
    for i, judge in enumerate(evaluation.judges):
        cells = (
            DASH
            if shown_accuracy(evaluation, i, t, n_items) == DASH
            else _cell(evaluation.confusion[i, t, t])
            for t in labels
        )
        rows.append((f"accuracy of {judge}", *cells))
    note = dash_note([evaluation], n_items)
    return Table(columns=("", *evaluation.labels), rows=tuple(rows), note=note)


def _cell(value: Any) -> str:
    if not is_share(value):
        return DASH
    text = format_exact(value)
    return text if len(text) <= 28 else f"{float(value):.10f} ({shown_share(value)})"


def consensus_section(votes: Votes | Sketch, comparison: Comparison) -> Section:
    """Section on consensus labels, from the fits compared, and on judges that stand out."""
    fits = {name: comparison[name].fit for name in ("majority", "recommended")}
    results: dict[str, Any] = {name: fit for name, fit in fits.items() if fit is not None}
    lines = [comparison[name].message for name in fits]
    if comparison.disagreement is not None:
        lines += comparison.disagreement.summary().splitlines()
    chosen = [fit for fit in results.values() if fit.evaluation is not None]
    alone = suspects(votes)
    if alone:
        results["suspects"] = alone
    warnings = fits["recommended"].warnings if fits["recommended"] is not None else ()
    columns = ("label", *(fit.method for fit in chosen))
    rows = []
    for index, name in [*enumerate(comparison.labels), (-1, "tied or unanswered")]:
        counted = [(int(f.counts[f.decisions == index].sum()), f.n_items) for f in chosen]
        rows.append((name, *(f"{n} ({percent(n / max(n_items, 1))})" for n, n_items in counted)))
    return Section(
        title="Consensus labels",
        lines=(
            *lines,
            *(f"Note: {warning}" for warning in warnings),
            *(result.message for result in alone),
        ),
        tables=(Table(columns=columns, rows=tuple(rows)), *_if_rarer(fits["recommended"])),
        caveat=(
            "A majority can be wrong together, and so can any model of the judges; nothing here checks "
            "that either is right."
        ),
        results=results,
    )


def _if_rarer(fit: Aggregation | None) -> list[Table]:
    """Table of what is called if a label is more or less frequent, of dense panels of two labels."""
    if fit is None or fit.evaluation is None or fit.parameters.get("called") is None:
        return []
    table = fit.sensitivity()
    rows = [
        (percent(share, 0), f"{called}", *(DASH if hits is None else f"{hits:g}" for hits in more))
        for share, called, *more in zip(*table.columns.values(), strict=True)
    ]
    note = (
        "Votes do not tell how frequent a label is. Items are ranked by probability, whatever its share: "
        "look at the first ones."
    )
    return [Table(columns=tuple(table.columns), rows=tuple(rows), note=note)]


_ENDED = {"ok": "", "irrational": " (approximate)", "not_identifiable": " (not identifiable)"}


def side_by_side_section(comparison: Comparison) -> Section:
    """Table of every method, and the scores where there is a key."""
    shown = comparison.judges[: max(1, MOST_ROWS // len(comparison.labels) * 2)]
    note = left_out_note(len(comparison.judges) - len(shown))
    table = Table(
        columns=tuple(comparison.columns()),
        rows=tuple(tuple(row) for row in comparison.rows(shown)),
        note=" ".join(notes for notes in (note, comparison.note) if notes),
    )
    lines = [comparison.message]
    for e in comparison.estimates:
        checked = f" {e.standing}" if e.standing else ""
        ended = _ENDED.get(e.ended, f" ({e.ended})")
        lines.append(f"{e.method}{ended} assumes {e.assumes}: {e.message}{checked}")
    tables = [table, *_score_table(comparison)]
    return Section(
        title="Side by side",
        lines=tuple(lines),
        tables=tuple(tables),
        page_tables=(*tables, *_confusion_table(comparison)),
        caveat=(
            "The logic column holds whatever the judges' errors; every other column needs its assumption."
        ),
        results={"comparison": comparison},
    )


def _confusion_table(comparison: Comparison) -> list[Table]:
    """Table of what each judge says on each label: as people's labels count it, or else as estimated."""
    result, name = comparison["recommended"].evaluation, "recommended"
    if comparison.truth is not None:
        result, name = comparison.truth.to_floats(), "human labels"
    if result is None:
        return []
    n_items = comparison.n_keyed if comparison.truth is not None else comparison.n_items
    rows = tuple(
        (judge, label, *(shown_share(share) for share in result.confusion[i, t]))
        for i, judge in enumerate(result.judges)
        for t, label in enumerate(result.labels)
        if items_behind(result, i, t, n_items) >= 1
    )
    columns = (f"{name}: judge", "true label", *(f"says {answer}" for answer in result.answers))
    return [Table(columns=columns, rows=rows)]


def _score_table(comparison: Comparison) -> list[Table]:
    scored = [(e.method, e.score) for e in comparison.estimates if e.score is not None]
    if not scored:
        return []
    rows = tuple(
        (
            *(method, percent(s.accuracy), percent(s.balanced_accuracy)),
            *(f"{s.log_loss:.3f}", f"{s.calibration_error:.3f}", str(s.n_undecided)),
        )
        for method, s in scored
    )
    names = "scored by human labels,accuracy,balanced,log loss,calibration,undecided"
    return [Table(columns=tuple(names.split(",")), rows=rows)]


# --- How much the judges agree, in the coefficients people expect.


_MOST_JUDGES = 8
_MOST_COPIED = 100
"""Above so many judges the search for near copies takes longer than the rest of the report."""
_TITLE = "How much the judges agree"
_CAVEAT = "Agreement is not accuracy: judges trained alike agree also where they are wrong."


def agreement_section(counts: Sketch) -> Section:
    """Percent agreement, Cohen, Fleiss and Krippendorff, from counts."""
    judges = counts.judges
    if len(judges) < 2:
        return Section(title=_TITLE, lines=("One judge alone agrees with nobody.",))
    if is_sparse(counts.codes):  # thousands of judges, each on few items
        n = len(judges) * (len(judges) - 1) // 2
        return Section(
            title=_TITLE, lines=(f"Not done of {n:,} pairs of judges, most without a common item.",)
        )
    try:
        result = agreement(counts)
    except TooLargeError as error:
        return Section(title=_TITLE, lines=(f"Not done: {error}.",))
    pairs = [(i, j) for n, i in enumerate(judges) for j in judges[:n]]
    shares = sorted(share for i, j in pairs if (share := result.percent(i, j)) is not None)
    lines = [
        f"Krippendorff's alpha {_short(result.alpha)}; Fleiss' kappa {_short(result.fleiss)}"
        + (" (not defined here)." if result.fleiss is None else ".")
    ]
    if shares:
        middle = shares[len(shares) // 2]
        lines.append(
            f"Pairs agree on {percent(shares[0])} to {percent(shares[-1])} of their common items, "
            f"median {percent(middle)} ({len(shares)} pairs)."
        )
    lines += [f"Note: {warning}" for warning in result.warnings]
    results: dict[str, Any] = {"agreement": result}
    if len(judges) > _MOST_COPIED:
        lines.append(f"Near copies were not looked for among so many judges (over {_MOST_COPIED}).")
    elif (groups := judge_groups(counts)).status.ok:
        lines += [line.strip() for line in groups.summary().splitlines()]
        results["groups"] = groups
    return Section(
        title=_TITLE,
        lines=tuple(lines),
        tables=(_table_of_agreement(result),) if len(judges) <= _MOST_JUDGES else (),
        caveat=_CAVEAT,
        results=results,
    )


def _table_of_agreement(result: Agreement) -> Table:
    rows = []
    for i in result.judges:
        row = [i]
        for j in result.judges:
            share, kappa = result.percent(i, j), result.cohen(i, j)
            row.append("" if i == j or share is None else f"{percent(share, 0)} ({_short(kappa)})")
        rows.append(tuple(row))
    return Table(columns=("agreement (Cohen's kappa)", *result.judges), rows=tuple(rows))


def _short(value: Fraction | float | None) -> str:
    return "-" if value is None else f"{float(value):.3f}"


# --- Judges and slices by the columns of a results table.


def by_columns(table: Results | None, *, brief: bool = False) -> list[Section]:
    """Whether judges are biased, and the rate of each slice: of a table with labels and such columns.

    `brief`: no slices, which the first screen does not show.
    """
    labelled = 0 if table is None else sum(label is not None for label in table.human.values())
    if table is None or labelled < _FEWEST_LABELS or not table.judged:
        return []
    if table.layout == "pairwise" or table.holds_scores:
        return []
    prompts = table.reading.named("prompt") if table.n_prompts < len(table.items) else []
    cluster = prompts[0] if prompts else None
    sections = []
    for title, name, ask in (
        ("Is a judge biased?", "bias", judge_bias),
        ("Rate of each slice", "slices", slices),
    ):
        if name == "bias" and labelled * len(table.judged) > _MOST_VERDICTS:
            continue  # minutes: `algeval columns` names the command
        if name == "slices" and brief:
            continue
        try:
            result: Any = ask(table, cluster=cluster)
        except DataError:  # no such column, or none that labels can be held against
            continue
        if result.status.ok:
            sections.append(
                Section(
                    title=title,
                    lines=_sentences(result),
                    tables=() if name == "bias" else (_table_of_slices(result),),
                    caveat=result.meaning,
                    results={name: result},
                )
            )
    return sections


_FEWEST_LABELS = 30
"""Human labels from which columns are looked at."""
_MOST_VERDICTS = 50_000
"""Verdicts on labelled outputs to which the test of bias takes a second."""


def _sentences(result: JudgeBias | Slices) -> tuple[str, ...]:
    effects = result.lines if isinstance(result, JudgeBias) else result.changes
    warnings = (f"{warning[0].upper()}{warning[1:]}." for warning in result.warnings)
    return (result.message, *(line.message for line in effects[:_MOST_LINES]), *warnings)


_MOST_LINES = 20


def _table_of_slices(result: Slices) -> Table:
    rows = [
        (row.name, str(row.n), str(row.labelled), _ends(row.rate), _ends(row.together))
        for row in result.table
    ]
    return Table(
        columns=("slice", "outputs", "labels", "rate (95%)", "all at once (95%)"), rows=tuple(rows)
    )


def _ends(interval: Interval) -> str:
    ends = f"{100 * interval.low:.0f}-{100 * interval.high:.0f}"
    return f"({ends})" if interval.value is None else f"{percent(interval.value, 0)} ({ends})"
