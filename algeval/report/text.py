"""A report as plain text, aligned, for any width of terminal."""

from __future__ import annotations

from io import StringIO

from algeval.report.parts import Page, Section, Shown, Table

__all__ = ["render"]

WIDTH = 100
_GAP = 3
"""Spaces between columns."""


def render(report: Page, width: int = WIDTH) -> str:
    """Return the report as text no wider than `width` where its names allow."""
    from rich.console import Console

    report = Shown.of(report)
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
        for block in _blocks(table, console.width):  # type: ignore[attr-defined]
            out("")
            out(_table(block))
        if table.note:
            out(table.note, markup=False)
    if section.caveat:
        out("")
        out(f"What this does not mean: {section.caveat}", markup=False)


def _blocks(table: Table, width: int) -> list[Table]:
    """Split a table that is too wide into blocks of columns, each with the first column."""
    from rich.cells import cell_len

    lines = [table.columns, *table.rows]
    widths = [max(map(cell_len, column)) + _GAP for column in zip(*lines, strict=True)]
    first = min(widths[0], width // 2)
    blocks: list[list[int]] = [[]]
    used = first
    for place, wide in enumerate(widths[1:], start=1):
        if blocks[-1] and used + wide - _GAP > width:
            blocks.append([])
            used = first
        blocks[-1].append(place)
        used += wide
    return [_columns(table, (0, *places)) for places in blocks]


def _columns(table: Table, places: tuple[int, ...]) -> Table:
    def pick(row: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(row[place] for place in places)

    return Table(columns=pick(table.columns), rows=tuple(map(pick, table.rows)))


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
