"""What a report is made of: sections of sentences and tables, rendered elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from algeval.result import to_json, visible

__all__ = ["Page", "Section", "Shown", "Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of text cells; the first column is left-aligned, the others right-aligned."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title, sentences, tables, and the results they were made from."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
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


class Page(Protocol):
    """What the renderers read of a report."""

    @property
    def source(self) -> str:
        """The name of the file or example."""

    @property
    def message(self) -> str:
        """The verdict in one sentence."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """What was found, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page whose texts are one line each, with the control characters of names written out."""

    source: str
    message: str
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, page: Page) -> Shown:
        """Return a page as renderers may show it."""
        return cls(
            source=visible(page.source),
            message=visible(page.message),
            sections=tuple(map(_shown_section, page.sections)),
        )


def _shown_section(section: Section) -> Section:
    return replace(
        section,
        title=visible(section.title),
        lines=tuple(map(visible, section.lines)),
        tables=tuple(map(_shown_table, section.tables)),
        caveat=visible(section.caveat),
    )


def _shown_table(table: Table) -> Table:
    rows = tuple(tuple(map(visible, row)) for row in table.rows)
    return Table(columns=tuple(map(visible, table.columns)), rows=rows, note=visible(table.note))
