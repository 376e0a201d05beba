"""What the algebra and the aggregators estimate, and everything side by side."""

from __future__ import annotations

from math import comb
from typing import Any

from algeval.aggregate.checks.suspects import suspects
from algeval.algebra import decode
from algeval.compare import Comparison
from algeval.data import Evaluation, Sketch, Votes
from algeval.data.shown import DASH, dash_note, is_share, items_behind, shown_accuracy, shown_share
from algeval.errors import TooLargeError
from algeval.report.parts import Section, Table
from algeval.report.sections.votes import MOST_ROWS, left_out_note
from algeval.result import Status, format_exact, percent

__all__ = ["algebra_section", "consensus_section", "side_by_side_section"]

_MOST_LINES = 12
_MOST_WORK = 200_000
"""Above this many trios of two labels, or their like, the report leaves the atlas to `decode`."""


def algebra_section(counts: Sketch) -> Section:
    """Return the section on the exact evaluation if errors are independent."""
    title = "If the judges' errors are independent: exact algebra"
    if counts.n_labels < 2:
        line = "The algebra needs two labels; here is one, so it says nothing."
        return Section(title=title, lines=(line,))
    if counts.n_judges < 3:
        line = f"The algebra needs three judges; here {_are(counts.n_judges)}, so it says nothing."
        return Section(title=title, lines=(line,))
    if counts.n_judges > 3:
        return _atlas_section(title, counts)
    found: Any = decode(counts)
    tables = () if found.best is None else (_evaluation_table(found.best, found.n_used),)
    return Section(
        title=title,
        lines=(found.message,),
        tables=tables,
        caveat=_CAVEATS.get(found.status, _NOT_INDEPENDENT),
        results={"decoding": found},
    )


def _are(n: int) -> str:
    return f"are {n}" if n > 1 else "is one"


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
    if trios * _work_of_a_trio(counts.n_labels) > _MOST_WORK:
        line = (
            f"Not done here: {counts.n_judges} judges have {trios} trios, and to solve each for "
            f"{counts.n_labels} labels would take longer than the rest of the report; name three "
            "to `algeval decode` with --judges."
        )
        return Section(title=title, lines=(line,))
    try:
        found = decode(counts)
    except TooLargeError as error:
        return Section(title=title, lines=(f"Not done: {error}.",))
    return Section(
        title=title,
        lines=tuple(found.summary().splitlines()[:_MOST_LINES]),
        caveat=Status.IRRATIONAL.advice,
        results={"atlas": found},
    )


def _work_of_a_trio(n_labels: int) -> float:
    """Measured: two labels have a closed form, more need the determinants of R x R tables."""
    return 1 if n_labels == 2 else n_labels**3 / 10


def _evaluation_table(evaluation: Evaluation, n_items: int) -> Table:
    rows = [("prevalence", *(_cell(value) for value in evaluation.prevalence))]
    labels = range(len(evaluation.labels))
    for i, judge in enumerate(evaluation.judges):
        told = (
            DASH
            if shown_accuracy(evaluation, i, t, n_items) == DASH
            else _cell(evaluation.confusion[i, t, t])
            for t in labels
        )
        rows.append((f"accuracy of {judge}", *told))
    note = dash_note([evaluation], n_items)
    return Table(columns=("", *evaluation.labels), rows=tuple(rows), note=note)


def _cell(value: Any) -> str:
    if not is_share(value):
        return DASH
    text = format_exact(value)
    return text if len(text) <= 28 else f"{float(value):.10f} ({shown_share(value)})"


def consensus_section(votes: Votes | Sketch, comparison: Comparison) -> Section:
    """Return the section on consensus labels, from the fits compared, and on judges that stand out."""
    fits = {name: comparison[name].fit for name in ("majority", "recommended")}
    results: dict[str, Any] = {name: fit for name, fit in fits.items() if fit is not None}
    lines = [comparison[name].message for name in fits]
    if comparison.disagreement is not None:
        lines += comparison.disagreement.summary().splitlines()
    chosen = [fit for fit in results.values() if fit.evaluation is not None]
    warnings = fits["recommended"].warnings if fits["recommended"] is not None else ()
    columns = ("label", *(fit.method for fit in chosen))
    places = [*enumerate(comparison.labels), (-1, "tied or unanswered")]
    rows = tuple((name, *(_items(found, place) for found in chosen)) for place, name in places)
    return Section(
        title="Consensus labels",
        lines=(
            *lines,
            *(f"Note: {warning}" for warning in warnings),
            *(found.message for found in suspects(votes)),
        ),
        tables=(Table(columns=columns, rows=rows),),
        caveat=(
            "A majority can be wrong together, and so can any model of the judges; nothing here checks "
            "that either is right."
        ),
        results=results,
    )


def _items(found: Any, place: int) -> str:
    n = int(found.counts[found.decisions == place].sum())
    return f"{n} ({percent(n / max(found.n_items, 1))})"


def side_by_side_section(comparison: Comparison) -> Section:
    """Return the table of every method, and the scores where there is a key."""
    shown = comparison.judges[: max(1, MOST_ROWS // len(comparison.labels) * 2)]
    note = left_out_note(len(comparison.judges) - len(shown))
    table = Table(
        columns=tuple(comparison.columns()),
        rows=tuple(tuple(row) for row in comparison.rows(shown)),
        note=" ".join(told for told in (note, comparison.note) if told),
    )
    lines = [comparison.message]
    for e in comparison.estimates:
        checked = f" {e.standing}" if e.standing else ""
        lines.append(f"{e.method} assumes {e.assumes} [{e.ended}]: {e.message}{checked}")
    tables = [table, *_score_table(comparison)]
    return Section(
        title="Side by side",
        lines=tuple(lines),
        tables=tuple(tables),
        page_tables=(*tables, *_confusion_table(comparison)),
        caveat=(
            "The logic column alone holds whatever the judges' errors; every other column is as good "
            "as its assumption."
        ),
        results={"comparison": comparison},
    )


def _confusion_table(comparison: Comparison) -> list[Table]:
    """Return what each judge says on each label, as the default method estimates it."""
    found = comparison["recommended"].evaluation
    if found is None:
        return []
    rows = tuple(
        (judge, label, *(shown_share(share) for share in found.confusion[i, t]))
        for i, judge in enumerate(found.judges)
        for t, label in enumerate(found.labels)
        if items_behind(found, i, t, comparison.n_items) >= 1
    )
    columns = ("recommended: judge", "true label", *(f"says {answer}" for answer in found.answers))
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
    names = "scored with the key,accuracy,balanced,log loss,calibration,undecided"
    return [Table(columns=tuple(names.split(",")), rows=rows)]
