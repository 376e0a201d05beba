"""Who voted, what is missing, and how often each answer was given."""

from __future__ import annotations

from algeval.data import Summary
from algeval.data.reading import Data, as_summary, keyed_part
from algeval.report.parts import Section, Table
from algeval.result import percent
from algeval.result.wording import how_many

__all__ = ["MOST_ROWS", "left_out_note", "votes_section"]

MOST_ROWS = 40


def votes_section(data: Data, notes: tuple[str, ...]) -> Section:
    """Return the section on the votes themselves."""
    summary = as_summary(data)
    missing = int(summary.missing.sum())
    lines = [
        f"{how_many(summary.n_items, 'item')}, {how_many(summary.n_judges, 'judge')}, "
        f"{how_many(summary.n_labels, 'label')}: {', '.join(summary.labels)}."
    ]
    if summary.n_answers > summary.n_labels:
        extra = ", ".join(summary.answers[summary.n_labels :])
        lines.append(f"Answers that are no label, hence never correct: {extra}.")
    asked = summary.n_items * summary.n_judges
    lines.append(
        f"{missing} of {asked} votes are missing ({percent(missing / asked)})."
        if missing
        else "No vote is missing."
    )
    lines.append(_key_line(data))
    lines += [f"Note: {note}" for note in notes]
    return Section(
        title="The votes",
        lines=tuple(lines),
        tables=(_table(summary),),
        results={"summary": summary},
    )


def _key_line(data: Data) -> str:
    keyed = keyed_part(data)
    if keyed is None or not keyed.n_items:
        return "No answer key was given, and none is needed."
    return f"A key for {keyed.n_items} items was given: it is used for scoring only, by no method."


def _table(summary: Summary) -> Table:
    shown = range(min(summary.n_judges, MOST_ROWS))
    rows = []
    for i in shown:
        answered = int(summary.answered[i])
        row = [summary.judges[i], str(answered), str(int(summary.missing[i]))]
        for count in summary.counts[i].tolist():
            row.append(f"{count} ({percent(count / answered, 0)})" if answered else "0")
        rows.append(tuple(row))
    return Table(
        columns=("judge", "answered", "missing", *summary.answers),
        rows=tuple(rows),
        note=left_out_note(summary.n_judges - len(rows)),
    )


def left_out_note(n_judges: int) -> str:
    """Return the sentence on judges that a table leaves out; empty for none."""
    return f"... and {n_judges} more judges (all of them with --json)." if n_judges else ""
