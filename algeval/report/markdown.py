"""A report as Markdown, for an issue, a pull request or a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterator

from algeval.report.parts import Page, Section, Shown, Table

__all__ = ["render_markdown"]

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


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
    yield _row(table.columns)
    ends = ("---" if name in table.words else "---:" for name in table.columns[1:])
    yield _row(("---", *ends), plain=False)
    yield from map(_row, table.rows)
    yield ""
    if table.note:
        yield from (_plain(table.note), "")


def _row(cells: tuple[str, ...], *, plain: bool = True) -> str:
    return f"| {' | '.join(map(_plain, cells) if plain else cells)} |"


def _plain(text: str) -> str:
    """Return text in which no character is read as markup."""
    return _MARKS.sub(r"\\\1", text)
