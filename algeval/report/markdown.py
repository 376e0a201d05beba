"""A report as Markdown, for an issue, a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterator

from algeval.report.parts import Page, Section, Shown, Table
from algeval.result.markdown import pipe_table
from algeval.result.markdown import plain as _plain

__all__ = ["render_markdown"]


def render_markdown(report: Page) -> str:
    """Return the report as Markdown; no name in it can be read as markup."""
    shown = Shown.of(report)
    told = shown.overview
    lines = [f"# {_plain(shown.source)}", "", f"**{_plain(told.badge.text)}**", ""]
    lines += _paragraphs((*told.verdict, told.about, *(f"Note: {n}" for n in told.reading)))
    lines += _table(told.table)
    lines += _paragraphs(
        (*told.consensus, *(f"Note: {n}" for n in told.notes), *told.undecided, *told.system)
    )
    lines += (
        ["```", *(f"{s.call}  # {s.purpose}" for s in told.steps), "```", ""] if told.steps else []
    )
    for section in shown.sections:
        lines += _section(section)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: Section) -> Iterator[str]:
    yield from (f"## {_plain(section.title)}", "")
    yield from _paragraphs(section.lines)
    for table in section.tables:
        yield from _table(table)
    if section.caveat:
        yield from (f"> **What this does not mean.** {_plain(section.caveat)}", "")


def _paragraphs(lines: tuple[str, ...]) -> Iterator[str]:
    for line in lines:
        yield from (_plain(line), "")


def _table(table: Table) -> Iterator[str]:
    ends = ("---" if name in table.words else "---:" for name in table.columns[1:])
    yield from pipe_table(table.columns, ("---", *ends), table.rows)
    if table.note:
        yield from (_plain(table.note), "")
