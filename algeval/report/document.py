"""A report as data: sections of sentences and tables, rendered elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from algeval.result import Result, to_json

__all__ = ["Report", "Section", "Table"]


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report(Result):
    """Everything the votes alone say, in sections.

    Attributes
    ----------
    source : str
        The name of the file or example.
    alarm : bool or None
        Whether the alarm at the level asked for went off (None: not settled).
    sections : tuple of Section
    verified : int
        How many certificates the stand-alone verifier accepted (a rejected one is an error).
    """

    schema: ClassVar[str] = "algeval.report/1"

    source: str
    alarm: bool | None
    verified: int
    sections: tuple[Section, ...]

    def summary(self) -> str:
        """Return the report as text."""
        from algeval.report.text import render

        return render(self)

    def _repr_html_(self) -> str:
        from algeval.report.html import fragment

        return fragment(self)
