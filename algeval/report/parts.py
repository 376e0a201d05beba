"""The parts of a report, as text and as markdown."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any, Literal, Protocol

import numpy as np

from algeval.aggregate.checks.pairs import leaves_nothing_to_test
from algeval.data import Scores, Specification, Summary, Votes
from algeval.data.reading import Data, as_counts, n_labelled
from algeval.rates.rating import pass_label
from algeval.result import to_json, visible
from algeval.result.tables import pipe_table
from algeval.result.tables import plain as _plain

# --- What a report is made of: an overview, and sections of sentences and tables, rendered
# elsewhere.


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
        """JSON types: the results in full, and the sentences."""
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
        """Page as renderers may show it."""
        return cls(
            source=visible(page.source),
            overview=_shown_overview(page.overview),
            sections=tuple(map(_shown_section, page.sections)),
        )


def _shown_overview(values: Overview) -> Overview:
    texts = ("reading", "verdict", "consensus", "notes", "undecided", "system")
    steps = (Step(call=visible(s.call), purpose=visible(s.purpose)) for s in values.steps)
    return replace(
        values,
        badge=replace(values.badge, text=visible(values.badge.text)),
        about=visible(values.about),
        table=_shown_table(values.table),
        steps=tuple(steps),
        **{name: tuple(map(visible, getattr(values, name))) for name in texts},
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


# --- A report as Markdown, for an issue, a pull request or a wiki.


def render_markdown(report: Page) -> str:
    """Report as Markdown; no name in it can be read as markup."""
    shown = Shown.of(report)
    text = shown.overview
    lines = [f"# {_plain(shown.source)}", "", f"**{_plain(text.badge.text)}**", ""]
    lines += _paragraphs((*text.verdict, text.about, *(f"Note: {n}" for n in text.reading)))
    lines += _table(text.table)
    lines += _paragraphs(
        (*text.consensus, *(f"Note: {n}" for n in text.notes), *text.undecided, *text.system)
    )
    lines += (
        ["```", *(f"{s.call}  # {s.purpose}" for s in text.steps), "```", ""] if text.steps else []
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


# --- What to do after a report: commands with the user's own file, or calls where there is none.
#
# Every command answers as it stands: it needs nothing that the data do not have.


_PAGE, _FULL = "a shareable page", "everything, theory included"
MORE_OF_THE_SAME = frozenset({_PAGE, _FULL})
"""Purposes of steps that make no sense in a page, which is that already."""

_SAMPLE = 50
"""Items to label first."""


def next_steps(
    data: Data | Scores,
    arguments: str,
    wanted: Specification | None = None,
    *,
    copies: bool = False,
    rated: bool = False,
) -> tuple[Step, ...]:
    """Few steps.

    `arguments` name the data on the command line, and are empty in Python; `asked` is the standard;
    `copies` says whether some judges are near copies, `rated` whether the report has a rate by labels.
    """
    if isinstance(data, Scores):
        steps = _of_scores(data, arguments)
    elif isinstance(data, Summary):
        steps = _of_counts(arguments)
    else:
        steps = _of_votes(data, arguments, copies=copies, rated=rated)
    return (*_proof(arguments, data, wanted), *steps, *_all_of_it(arguments))


def _proof(arguments: str, data: Data | Scores, wanted: Specification | None) -> Iterator[Step]:
    if isinstance(data, Scores) or (wanted is not None and wanted.level is None):
        return
    level = "0.8"
    if wanted is not None and wanted.level is not None:
        value, strict = wanted.level
        level = f"accuracy > {value}" if strict else str(value)
    call = f'ae.alarm(votes, "{level}").certificate'
    if arguments:
        call = f"algeval alarm {arguments} --at-least {shlex.quote(level)} --save proof"
    yield Step(call=call, purpose="can all be this good? (proof)")


def _of_votes(data: Data, arguments: str, *, copies: bool, rated: bool) -> Iterator[Step]:
    if not leaves_nothing_to_test(as_counts(data)):
        call = f"algeval diagnose {arguments}" if arguments else "ae.diagnose(votes)"
        yield Step(call=call, purpose="shared errors? which method?")
    items = isinstance(data, Votes)
    once = copies * (" --groups one-each" if arguments else ', groups="one-each"')
    if not arguments:
        yield Step(call=f"ae.aggregate(votes{once})", purpose="a label for each item")
    elif items:
        call = f"algeval aggregate {arguments}{once} -o labels.csv"
        yield Step(call=call, purpose="a label for each item")
    if isinstance(data, Votes) and not rated:
        yield _labels(data, arguments)


def _labels(data: Votes, arguments: str) -> Step:
    """Return what true labels are for: the rate they give, or which items to label."""
    if not n_labelled(data):
        return Step(call=sample_call(data, arguments), purpose="items to label by hand")
    label = pass_label(data.labels) or data.labels[0]
    return Step(call=rate_call(data, arguments), purpose=f"how often {label!r} is true")


def rate_call(data: Votes | Scores, arguments: str, gold: str = "key") -> str:
    """Call that makes a rate of labels: those of the key, or of a file."""
    label = ""
    if isinstance(data, Votes):
        label = pass_label(data.labels) or data.labels[0]
    if not arguments:
        name = "scores" if isinstance(data, Scores) else "votes"
        of = f", {label!r}" if label else ""
        return f"ae.rate({name}{of}, gold={gold!r})"
    sign = "=" if label.startswith("-") else " "
    of = f" --label{sign}{shlex.quote(label)}" if label else ""
    return f"algeval rate {arguments} --gold {gold}{of}"


def sample_call(data: Votes | Scores, arguments: str) -> str:
    """Call that draws items to label."""
    n = min(_SAMPLE, data.n_items)
    if isinstance(data, Scores):
        cut = middle(data)
        if not arguments:
            return f"ae.next_items(scores.cut({cut}), {n})"
        arguments = f"{_without_scores(arguments)} --cut {cut}"
    elif not arguments:
        return f"ae.next_items(votes, {n})"
    return f"algeval next {arguments} --n {n} -o to_label.csv"


def middle(data: Scores) -> str:
    """Middle of all scores as text, where a cut leaves both sides something."""
    return f"{np.nanmedian(data.values):.6g}"


def _of_counts(arguments: str) -> Iterator[Step]:
    call = f"algeval bounds {arguments}" if arguments else "ae.bounds(summary)"
    yield Step(call=call, purpose="the range of every accuracy and share")


def _of_scores(data: Scores, arguments: str) -> Iterator[Step]:
    present, cut = "with a known base rate, here 1/2", "proofs, after cutting scores into labels"
    if not arguments:
        yield Step(call="ae.aggregate(scores, prevalence=0.5)", purpose=present)
        yield Step(call=f"ae.report(scores.cut({middle(data)}))", purpose=cut)
        return
    call = f"algeval aggregate {arguments} --prevalence 0.5 -o labels.csv"
    yield Step(call=call, purpose=present)
    call = f"algeval report {_without_scores(arguments)} --cut {middle(data)}"
    yield Step(call=call, purpose=cut)


def _without_scores(arguments: str) -> str:
    """Arguments that name the same table without what only scores have."""
    words, kept = iter(shlex.split(arguments)), []
    for word in words:
        if word == "--attributes":
            next(words, None)
        elif word != "--scores":
            kept.append(word)
    return shlex.join(kept)


def _all_of_it(arguments: str) -> Iterator[Step]:
    if arguments:
        yield Step(call=f"algeval report {arguments} -o report.html", purpose=_PAGE)
        yield Step(call=f"algeval report {arguments} --full", purpose=_FULL)
    else:
        yield Step(call='ae.report(votes, "report.html")', purpose=_PAGE)
        yield Step(call="print(report.full())", purpose=_FULL)


# --- A report as plain text, aligned, for any width of terminal: its first screen, and all of it.


WIDTH = 100
LINES = 40
_GAP = 3
"""Spaces between columns."""


def first_screen(report: Page, width: int = WIDTH, lines: int = LINES) -> str:
    """Overview as text, with as many judges as `lines` leave room for."""
    shown = Shown.of(report)
    rows = len(shown.overview.table.rows)
    text = _screen(shown, width, rows)
    while (over := text.count("\n") - lines) > 0 and rows > 2:
        rows = max(2, rows - over - (rows == len(shown.overview.table.rows)))
        text = _screen(shown, width, rows)
    return text


def _screen(report: Shown, width: int, rows: int) -> str:
    from rich.console import Console

    stream, text = StringIO(), report.overview
    console = Console(file=stream, width=width, color_system=None, highlight=False, emoji=False)
    _heading(console, report.source)
    console.print(text.about, markup=False)
    for note in text.reading:
        console.print(f"Note: {note}", markup=False)
    _paragraph(console, text.verdict)
    _some_judges(console, text.table, rows)
    _paragraph(console, (*text.consensus, *(f"Note: {note}" for note in text.notes)))
    _paragraph(console, text.undecided)
    _paragraph(console, text.system)
    _steps(console, text)
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
        console.print(_table_of_text(block))
    if left_out > 0:
        console.print(f"... and {left_out} judges between these, with --full.")
    if table.note:
        console.print(table.note, markup=False)


def _steps(console: Any, values: Overview) -> None:
    if not values.steps:
        return
    console.print("")
    purpose = max(len(step.purpose) for step in values.steps)
    room = console.width - purpose - 6
    widest = max((len(s.call) for s in values.steps if len(s.call) <= room), default=0)
    for step in values.steps:
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
        _section_of_text(console, section)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _section_of_text(console: object, section: Section) -> None:
    out = console.print  # type: ignore[attr-defined]
    out("")
    out(section.title, markup=False)
    out("-" * len(section.title))
    for line in section.lines:
        out(line, markup=False)
    for table in section.tables:
        for block in _blocks(table, console.width):  # type: ignore[attr-defined]
            out("")
            out(_table_of_text(block))
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
    for index, wide in enumerate(widths[1:], start=1):
        if blocks[-1] and used + wide - _GAP > width:
            blocks.append([])
            used = first
        blocks[-1].append(index)
        used += wide
    return [_columns(table, (0, *indices)) for indices in blocks]


def _columns(table: Table, indices: tuple[int, ...]) -> Table:
    def pick(row: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(row[index] for index in indices)

    return Table(columns=pick(table.columns), rows=tuple(map(pick, table.rows)), words=table.words)


def _table_of_text(table: Table) -> object:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="")
    for index, name in enumerate(table.columns):
        left = index == 0 or name in table.words
        drawn.add_column(Text(name), justify="left" if left else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn
