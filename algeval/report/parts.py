"""What a report is made of: an overview, and sections of sentences and tables, rendered elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from algeval.result import to_json, visible

__all__ = ["Badge", "Overview", "Page", "Section", "Shown", "Step", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of text cells; the first column is left-aligned, the others right-aligned.

    Columns named in `words` hold sentences: they are left-aligned and may be wrapped. With `download`,
    the name of a file, a page offers `file_rows` as CSV.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    words: tuple[str, ...] = ()
    download: str = ""
    file_rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title, sentences, tables, and the results they were made from.

    A page shows `page_tables` in place of `tables`, if there are any.
    """

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    page_tables: tuple[Table, ...] = ()
    caveat: str = ""
    results: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types: the results in full, and the sentences."""
        return {
            "title": self.title,
            "lines": list(self.lines),
            "caveat": self.caveat,
            "results": to_json(self.results),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """The verdict in two or three words, and what kind it is."""

    kind: Literal["alarm", "quiet", "open", "ceiling"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something to do next: the command, or Python, and what it is for."""

    call: str
    purpose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The first screen of a report.

    Attributes
    ----------
    badge : Badge
    about, reading : str, tuple of str
        What was read, and what reading did to it beyond the usual.
    verdict : tuple of str
        Two sentences.
    table : Table
        A row for each judge, the best first.
    consensus, notes, undecided : tuples of str
        The consensus and how sure it is; what to beware of; what votes alone cannot decide.
    system : tuple of str
        How often a label is the true one, in one line, if that was asked.
    steps : tuple of Step
    """

    badge: Badge
    about: str
    reading: tuple[str, ...] = ()
    verdict: tuple[str, ...]
    table: Table
    consensus: tuple[str, ...]
    notes: tuple[str, ...]
    undecided: tuple[str, ...]
    steps: tuple[Step, ...]
    system: tuple[str, ...] = ()


class Page(Protocol):
    """What the renderers read of the sections of a report."""

    @property
    def source(self) -> str:
        """The name of the file or example."""

    @property
    def overview(self) -> Overview:
        """What comes first."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """What was found, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page whose texts are one line each, with the control characters of names written out."""

    source: str
    overview: Overview
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, page: Page) -> Shown:
        """Return a page as renderers may show it."""
        return cls(
            source=visible(page.source),
            overview=_shown_overview(page.overview),
            sections=tuple(map(_shown_section, page.sections)),
        )


def _shown_overview(told: Overview) -> Overview:
    texts = ("reading", "verdict", "consensus", "notes", "undecided", "system")
    steps = (Step(call=visible(s.call), purpose=visible(s.purpose)) for s in told.steps)
    return replace(
        told,
        badge=replace(told.badge, text=visible(told.badge.text)),
        about=visible(told.about),
        table=_shown_table(told.table),
        steps=tuple(steps),
        **{name: tuple(map(visible, getattr(told, name))) for name in texts},
    )


def _shown_section(section: Section) -> Section:
    return replace(
        section,
        title=visible(section.title),
        lines=tuple(map(visible, section.lines)),
        tables=tuple(map(_shown_table, section.tables)),
        page_tables=tuple(map(_shown_table, section.page_tables)),
        caveat=visible(section.caveat),
    )


def _shown_table(table: Table) -> Table:
    return replace(
        table,
        columns=tuple(map(visible, table.columns)),
        words=tuple(map(visible, table.words)),
        rows=_shown_rows(table.rows),
        note=visible(table.note),
        file_rows=_shown_rows(table.file_rows),
    )


def _shown_rows(rows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(visible, row)) for row in rows)
