"""A report as a result: its first screen and its sections as text, page or JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from algeval.report.html import fragment
from algeval.report.markdown import render_markdown
from algeval.report.parts import Overview, Section
from algeval.report.text import first_screen, render
from algeval.result import Result
from algeval.result.tables import Table as Grid
from algeval.result.tables import Tabled

__all__ = ["Report"]


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
        How many certificates the stand-alone verifier accepted (a rejected one is an error).
    """

    schema: ClassVar[str] = "algeval.report/1"

    source: str
    alarm: bool | None
    verified: int
    overview: Overview
    sections: tuple[Section, ...]

    @property
    def results(self) -> dict[str, Any]:
        """Every result that a section was made from, by name."""
        return {name: found for s in self.sections for name, found in s.results.items()}

    def summary(self) -> str:
        """Return the first screen: at most 40 lines of at most 100 characters."""
        return first_screen(self)

    def full(self) -> str:
        """Return the whole report as text."""
        return render(self)

    def as_tables(self) -> tuple[Grid, ...]:
        """Return the table of judges as the first screen shows it, and those of every result.

        The titles of the latter begin with the name of the result: "bounds: Ranges".
        """
        judges = self.overview.table
        parts = [
            replace(table, title=f"{name}: {table.title}")
            for name, found in self.results.items()
            if isinstance(found, Tabled)
            for table in found.as_tables()
        ]
        return (Grid.of_rows("Judges", judges.columns, judges.rows), *parts)

    def _markdown(self, title: str | None) -> str:
        return render_markdown(self) if title is None else Result._markdown(self, title)

    def _repr_html_(self) -> str:
        return fragment(self)
