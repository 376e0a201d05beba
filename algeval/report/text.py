"""A report as plain text, aligned, for any width of terminal."""

from __future__ import annotations

from io import StringIO

from algeval.report.document import Report, Section, Table

__all__ = ["render"]

WIDTH = 100


def render(report: Report, width: int = WIDTH) -> str:
    """Return the report as text no wider than `width` where its names allow."""
    from rich.console import Console

    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None, highlight=False, emoji=False)
    console.print(f"algeval report: {report.source}", markup=False)
    console.print("=" * min(width, 17 + len(report.source)))
    console.print(report.message, markup=False)
    for section in report.sections:
        _section(console, section)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _section(console: object, section: Section) -> None:
    out = console.print  # type: ignore[attr-defined]
    out("")
    out(section.title, markup=False)
    out("-" * len(section.title))
    for line in section.lines:
        out(line, markup=False)
    for table in section.tables:
        out("")
        out(_table(table))
        if table.note:
            out(table.note, markup=False)
    if section.caveat:
        out("")
        out(f"What this does not mean: {section.caveat}", markup=False)


def _table(table: Table) -> object:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="")
    for place, name in enumerate(table.columns):
        drawn.add_column(Text(name), justify="left" if place == 0 else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn
