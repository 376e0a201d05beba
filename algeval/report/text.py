"""A report as plain text, aligned, for any width of terminal: its first screen, and all of it."""

from __future__ import annotations

from io import StringIO
from typing import Any

from algeval.report.parts import Overview, Page, Section, Shown, Table

__all__ = ["LINES", "WIDTH", "first_screen", "render"]

WIDTH = 100
LINES = 40
_GAP = 3
"""Spaces between columns."""


def first_screen(report: Page, width: int = WIDTH, lines: int = LINES) -> str:
    """Return the overview as text, with as many judges as `lines` leave room for."""
    shown = Shown.of(report)
    rows = len(shown.overview.table.rows)
    text = _screen(shown, width, rows)
    while (over := text.count("\n") - lines) > 0 and rows > 2:
        rows = max(2, rows - over - (rows == len(shown.overview.table.rows)))
        text = _screen(shown, width, rows)
    return text


def _screen(report: Shown, width: int, rows: int) -> str:
    from rich.console import Console

    stream, told = StringIO(), report.overview
    console = Console(file=stream, width=width, color_system=None, highlight=False, emoji=False)
    _heading(console, report.source)
    console.print(told.about, markup=False)
    for note in told.reading:
        console.print(f"Note: {note}", markup=False)
    _paragraph(console, told.verdict)
    _some_judges(console, told.table, rows)
    _paragraph(console, (*told.consensus, *(f"Note: {note}" for note in told.notes)))
    _paragraph(console, told.undecided)
    _paragraph(console, told.system)
    _steps(console, told)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _heading(console: Any, source: str) -> None:
    console.print(f"algeval report: {source}", markup=False)
    console.print("=" * min(console.width, 16 + len(source)))


def _paragraph(console: Any, lines: tuple[str, ...]) -> None:
    if lines:
        console.print("")
    for line in lines:
        console.print(line, markup=False)


def _some_judges(console: Any, table: Table, rows: int) -> None:
    """Print the first and the last judges of a table, and how many are left out between them."""
    left_out = len(table.rows) - rows
    first = rows - rows // 2
    kept = (
        table.rows
        if left_out <= 0
        else (*table.rows[:first], *table.rows[len(table.rows) - rows // 2 :])
    )
    console.print("")
    for block in _blocks(Table(columns=table.columns, rows=kept), console.width):
        console.print(_table(block))
    if left_out > 0:
        console.print(f"... and {left_out} judges between these, with --full.")
    if table.note:
        console.print(table.note, markup=False)


def _steps(console: Any, told: Overview) -> None:
    if not told.steps:
        return
    console.print("")
    purpose = max(len(step.purpose) for step in told.steps)
    room = console.width - purpose - 6
    widest = max((len(s.call) for s in told.steps if len(s.call) <= room), default=0)
    for step in told.steps:
        line = f"  {step.call.ljust(widest)}"
        line += f"  # {step.purpose}" * (len(step.call) <= room)
        console.print(line, markup=False, soft_wrap=True)


def render(report: Page, width: int = WIDTH) -> str:
    """Return all sections of the report as text no wider than `width` where its names allow."""
    from rich.console import Console

    report = Shown.of(report)
    stream = StringIO()
    console = Console(file=stream, width=width, color_system=None, highlight=False, emoji=False)
    _heading(console, report.source)
    for sentence in report.overview.verdict:
        console.print(sentence, markup=False)
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

    return Table(columns=pick(table.columns), rows=tuple(map(pick, table.rows)), words=table.words)


def _table(table: Table) -> object:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="")
    for place, name in enumerate(table.columns):
        left = place == 0 or name in table.words
        drawn.add_column(Text(name), justify="left" if left else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn
