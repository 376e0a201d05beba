"""The parts of a report, as text and as markdown."""

from __future__ import annotations

import shlex
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from io import StringIO
from typing import Any, Literal, Protocol

import numpy as np

from algeval.aggregate.checks.pairs import leaves_nothing_to_test
from algeval.data import NOT_ANSWERED, Scores, Specification, Summary, Votes
from algeval.data.names import EVEN, folded, is_sparse, side_of
from algeval.data.reading import Data, as_counts, n_labelled
from algeval.errors import without_options
from algeval.io.results import suggested_cuts, typed_cut
from algeval.io.roles import likeliest_first
from algeval.rates.inputs import answered_by, likely_grade, pass_label
from algeval.report.answerable import FEWEST_SCORED, groups_of
from algeval.result import to_json, visible
from algeval.result.numbers import how_many
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

    kind: Literal["alarm", "quiet", "open", "ceiling", "rate"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A rate or a difference as a slide shows it, in words and on a scale between two ends."""

    name: str
    title: str
    value: str
    interval: str
    size: str
    caveat: str
    low: float
    point: float
    high: float
    ends: tuple[float, float] = (0.0, 1.0)


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
    answers : tuple of str
        What people's labels say: the rate of each system, the difference of two.
    about_judges : tuple of str
        Whether labels tell the judges apart, and the error that matters most; without labels, how many
        verdicts can be right.
    steps : tuple of Step
    cards : tuple of Card
        The rate of each system, or of all outputs, and the difference of two, for slides.
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
    answers: tuple[str, ...] = ()
    about_judges: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()


class Page(Protocol):
    """What the renderers read of a report."""

    @property
    def source(self) -> str:
        """Name of the file or example."""

    @property
    def overview(self) -> Overview:
        """What comes first."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """What follows, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A page whose texts are one line each, with the control characters of names written out."""

    source: str
    overview: Overview
    sections: tuple[Section, ...]

    @classmethod
    def of(cls, page: Page) -> Shown:
        """Page as renderers may show it."""
        texts = _visible((page.source, page.overview, page.sections))
        return cls(source=texts[0], overview=texts[1], sections=texts[2])


def _visible(value: Any) -> Any:
    """Same with all its texts visible; results of sections stay as they are."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, tuple):
        return tuple(map(_visible, value))
    if not is_dataclass(value):
        return value
    parts = {field.name: _visible(getattr(value, field.name)) for field in fields(value)}
    return replace(value, **parts)  # type: ignore[type-var]


# --- A report as Markdown, for an issue, a pull request or a wiki.


def render_markdown(report: Page) -> str:
    """Report as Markdown; no name in it can be read as markup."""
    shown = Shown.of(report)
    text = shown.overview
    lines = [f"# {_plain(shown.source)}", "", f"**{_plain(text.badge.text)}**", ""]
    lines += _paragraphs(
        (*text.answers, *text.verdict, text.about, *(f"Note: {n}" for n in text.reading))
    )
    lines += _table(text.table)
    notes = (f"Note: {n}" for n in text.notes)
    lines += _paragraphs(
        (*text.about_judges, *text.consensus, *notes, *text.undecided, *text.system)
    )
    if text.steps:
        lines += ["```", *(f"{s.call}  # {s.purpose}" for s in text.steps), "```", ""]
    for section in shown.sections:
        lines += [f"## {_plain(section.title)}", "", *_paragraphs(section.lines)]
        for table in section.tables:
            lines += _table(table)
        if section.caveat:
            lines += [f"> **What this does not mean.** {_plain(section.caveat)}", ""]
    return "\n".join(lines).rstrip() + "\n"


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


_RANKS = "which ranks each system may have"
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

    `arguments` name the data on the command line, and are empty in Python; `wanted` is the standard;
    `copies` says whether some judges are near copies, `rated` whether the report has a rate by labels.
    """
    steps: list[tuple[str, str]] = []
    proof: list[tuple[str, str]] = []
    if not isinstance(data, Scores) and (wanted is None or wanted.level is not None):
        level = "0.8"
        if wanted is not None and wanted.level is not None:
            value, strict = wanted.level
            level = f"accuracy > {value}" if strict else str(value)
        call = f'ae.alarm(votes, "{level}").certificate'
        if arguments:
            call = f"algeval alarm {arguments} --at-least {shlex.quote(level)} --save proof"
        proof.append((call, "can every judge be this good? (proof)"))
    if wanted is not None:
        steps, proof = proof, []
    if isinstance(data, Scores):
        steps += _of_scores(data, arguments)
    elif isinstance(data, Summary):
        call = f"algeval bounds {arguments}" if arguments else "ae.bounds(summary)"
        steps.append((call, "the range of every accuracy and share"))
    else:
        steps += _of_votes(data, arguments, copies=copies, rated=rated)
    steps += proof
    own = tuple(Step(call=call, purpose=purpose) for call, purpose in steps)
    return (*own, *whole_report(arguments))


def whole_report(arguments: str) -> tuple[Step, ...]:
    """Steps to the page, and to everything as text."""
    calls = ('ae.report(votes, "report.html")', "print(report.full())")
    if arguments:
        named = f"algeval report {arguments}"
        calls = (f"{named} -o report.html", f"{named} --full")
    return (Step(call=calls[0], purpose=_PAGE), Step(call=calls[1], purpose=_FULL))


def _of_votes(
    data: Data, arguments: str, *, copies: bool, rated: bool
) -> Iterator[tuple[str, str]]:
    crowd = _is_crowd(data) and not rated
    sides = isinstance(data, Votes) and are_sides(data.labels)
    if crowd:
        yield doubtful_call(arguments), "labels most in doubt, to ask again"
    if isinstance(data, Votes) and not rated and not crowd:
        if n_labelled(data):
            yield from _of_labels(data, arguments)
        else:
            yield sample_call(data, arguments), "items to label by hand"
    if not arguments:
        call = "ae.aggregate(votes" + copies * ', groups="one-each"' + ")"
        yield call, _LABELS
    elif isinstance(data, Votes) and n_labelled(data) and data.n_judges < 3 and not sides:
        yield f"algeval judges {arguments}", "each judge by the labels"
    elif isinstance(data, Votes):
        once = copies * " --groups one-each"
        yield f"algeval aggregate {arguments}{once} -o labels.csv", _LABELS
    if crowd and isinstance(data, Votes):
        yield sample_call(data, arguments), "items to label by hand"
    counts = as_counts(data)
    if not (is_sparse(getattr(counts, "codes", None)) or leaves_nothing_to_test(counts)):
        call = f"algeval diagnose {arguments}" if arguments else "ae.diagnose(votes)"
        yield call, "shared errors? which method?"


def _of_labels(data: Votes, arguments: str) -> Iterator[tuple[str, str]]:
    """What labels of people answer."""
    option, label = _counted(data)
    if are_sides(data.labels) and arguments:
        yield f"algeval judges {arguments}", "how often judges pick as people do"
        return
    what = f"{label!r} is true" if option == "good" else f"the truth is {label} or more"
    yield rate_call(data, arguments), f"how often {what}"
    if option == "cut":
        call = rate_call(data, arguments).replace("algeval rate ", "algeval judges ", 1)
        call = call.replace("ae.rate(", "ae.judge_card(")
        yield call, f"how good the judges are at {label} or more"


def steps_with_labels(data: Votes, arguments: str, table: Any, n_items: int) -> tuple[Step, ...]:
    """What to do next where people labelled some of so many items: more labels, the systems side by side."""
    steps = []
    in_pairs = table is not None and table.layout == "pairwise"
    if table is not None and not in_pairs and len(_labelled_systems(data, table)) > 1:
        call = f"algeval versus {arguments}" if arguments else "ae.versus(results)"
        steps.append(Step(call=call, purpose="which system is better"))
    if n_labelled(data) < n_items:
        purpose = "more labels narrow the interval"
        call = sample_call(data, arguments)
        if arguments and table is not None and len(table.systems) == 2 and table.pairs_prompts:
            purpose = "more labels, of both outputs of a prompt"
            call = f"algeval next {arguments} --goal difference --n 25 -o to_label.csv"
        steps.append(Step(call=call, purpose=purpose))
    groups = [] if table is None else groups_of(table)
    if len(steps) < 2 and groups:
        call = f"algeval slices {arguments}" if arguments else "ae.slices(results)"
        steps.append(Step(call=call, purpose=f"which {groups[0]} passes least"))
    if not data.judges:
        return tuple(steps)
    few = data.n_judges < 3  # who make no consensus
    more = [
        (f"algeval judges {arguments}", "ae.judge_card(votes)", "each judge by the labels"),
        (f"algeval report {arguments} -o report.html", 'ae.report(votes, "report.html")', _PAGE),
    ]
    if not few:
        more = [
            (f"algeval aggregate {arguments} -o labels.csv", "ae.aggregate(votes)", _LABELS),
            (f"algeval compare {arguments}", "ae.compare(votes)", "every method, by the labels"),
        ]
    for command, call, purpose in more[: 2 - len(steps)]:
        steps.append(Step(call=command if arguments else call, purpose=purpose))
    return tuple(steps)


_LABELS = "a label for each item"


def _labelled_systems(data: Votes, table: Any) -> set[str]:
    """Systems of which an output has a label; all of them where that is not known by row."""
    if data.key is None or len(table.system_of) != data.n_items:
        return set(table.systems)
    return {table.system_of[row] for row in np.flatnonzero(data.key != NOT_ANSWERED).tolist()}


def steps_of_pairs(table: Any, arguments: str) -> tuple[Step, ...]:
    """What verdicts on pairs of systems are asked for first; nothing of other tables."""
    if not table.names_winners:
        return ()
    call = "ae.leaderboard(results)"
    if arguments:
        call = f"algeval leaderboard {_without_scores(arguments)}"
    return (Step(call=call, purpose=_RANKS),)


def are_sides(labels: Sequence[str]) -> bool:
    """Whether labels say which of two answers is better, so that nobody asks how often one is true.

    A and B alone may be any labels; with a tie they are sides.
    """
    named = [label for label in labels if folded(label) not in EVEN]
    plain = len(named) == len(labels) and all(len(label) == 1 for label in named)
    return {side_of(label) for label in named} == {0, 1} and not plain


def rate_call(data: Votes | Scores, arguments: str, gold: str = "key") -> str:
    """Call that makes a rate of labels: those of the key, or of a file."""
    option, label = _counted(data) if isinstance(data, Votes) else ("good", "")
    if not arguments and option == "cut":
        return f"ae.rate(table, cut={label})"
    if not arguments:
        name = "scores" if isinstance(data, Scores) else "votes"
        of = f", {label!r}" if label else ""
        return f"ae.rate({name}{of}, human={gold!r})"
    sign = "=" if label.startswith("-") else " "
    of = f" --{option}{sign}{shlex.quote(label)}" if label else ""
    people = "" if gold == "key" else f" --human {gold}"
    if option == "cut":
        arguments = _without_scores(arguments)
    return f"algeval rate {arguments}{people}{of}"


def _counted(data: Votes) -> tuple[str, str]:
    """Option and label of a rate: the label named like a pass, else the upper grades."""
    label, grade = pass_label(data.labels, answered_by(data)), likely_grade(data)
    if not label and (
        good := pass_label(data.labels)
    ):  # judges are named after bad news: yes is bad
        label = next(other for other in data.labels if other != good)
    likely = likeliest_first(data.labels)[0]
    return "cut" if grade and not label else "good", label or grade or likely


def sample_call(data: Votes | Scores, arguments: str) -> str:
    """Call that draws items to label."""
    n = min(_SAMPLE, data.n_items)
    if isinstance(data, Scores):
        if not arguments:
            cuts = suggested_cuts(data)
            if [*cuts] != ["judges"]:
                return f"ae.next(ae.read_results(table, cut={cuts}), {n})"
            return f"ae.next(scores.cut({cuts['judges']}), {n})"
        arguments = f"{_without_scores(arguments)} {_cut_options(data, arguments)}"
    elif not arguments:
        return f"ae.next(votes, {n})"
    return f"algeval next {arguments} --n {n} -o to_label.csv"


def doubtful_call(arguments: str) -> str:
    """Call that picks the items whose consensus label is the most doubtful."""
    if not arguments:
        return f'ae.next(votes, {_SAMPLE}, goal="labels")'
    return f"algeval next {arguments} --goal labels -o to_relabel.csv"


_FEWEST_IN_CROWD = 6


def _is_crowd(data: Data) -> bool:
    """Whether many judges answered less than half of the items each: raters hired to label them."""
    if not isinstance(data, Votes) or n_labelled(data) or data.n_judges < _FEWEST_IN_CROWD:
        return False
    return bool((data.codes == NOT_ANSWERED).mean() > 0.5)


_MOST_CUTS = 6
"""Judges with cuts of their own that a command names."""


def _cut_options(data: Scores, arguments: str) -> str:
    """Options that cut the scores: of all judges, or of the first where very many have cuts of their own."""
    cuts = suggested_cuts(data)
    if len(cuts) > _MOST_CUTS:
        first = data.judges[0]
        return f"--judges {shlex.quote(first)} --cut {cuts[first]}"
    cut = f"--cut {shlex.quote(typed_cut(cuts))}"
    own = [name for name in data.judges if name in cuts and "," not in name]
    said = len(own) < data.n_judges or "--judges" in shlex.split(arguments)
    return cut if said else f"--judges {shlex.quote(','.join(own))} {cut}"


def _of_scores(data: Scores, arguments: str) -> Iterator[tuple[str, str]]:
    present, cut = "with a known base rate, here 1/2", "proofs, after cutting scores into labels"
    if data.n_judges < FEWEST_SCORED:
        if data.key is None or None in data.key:
            yield sample_call(data, arguments), "items to label by hand"
    elif arguments:
        yield f"algeval aggregate {arguments} --prevalence 0.5 -o labels.csv", present
    else:
        yield "ae.aggregate(scores, prevalence=0.5)", present
    if not arguments:
        cuts = suggested_cuts(data)
        by_column = f"ae.report(ae.read_results(table, cut={cuts}))"
        alike = [*cuts] == ["judges"]
        yield f"ae.report(scores.cut({cuts['judges']}))" if alike else by_column, cut
    else:
        yield f"algeval report {_without_scores(arguments)} {_cut_options(data, arguments)}", cut


def _without_scores(arguments: str) -> str:
    """Arguments that name the same table, to be cut: without what only scores, or labels, have."""
    kept = without_options(arguments, ("--attributes", "--labels", "--cut"))
    flags = ("--scores", "--exact-labels")
    return shlex.join(word for word in shlex.split(kept) if word not in flags)


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
    if text.count("\n") > lines and rows > 2:  # a judge may take a row of several blocks
        fewer = range(rows - 1, 2, -1)
        k = bisect_left(fewer, True, key=lambda n: _screen(shown, width, n).count("\n") <= lines)
        rows = fewer[k] if k < len(fewer) else 2
        text = _screen(shown, width, rows)
    for part in ("undecided", "reading", "notes"):  # said in full with --full
        if text.count("\n") > lines:
            shorter: dict[str, Any] = {part: ()}
            shown = replace(shown, overview=replace(shown.overview, **shorter))
            text = _screen(shown, width, rows)
    return text


def _console(width: int) -> tuple[Any, StringIO]:
    """Console that writes plain text, and what it has written."""
    from rich.console import Console

    stream = StringIO()
    return Console(
        file=stream, width=width, color_system=None, highlight=False, emoji=False
    ), stream


def _stripped(stream: StringIO) -> str:
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _screen(report: Shown, width: int, rows: int) -> str:
    console, stream = _console(width)
    text = report.overview
    _heading(console, report.source)
    _print(console, (text.about, *(f"Note: {note}" for note in text.reading)))
    notes = (f"Note: {note}" for note in text.notes)
    _paragraph(console, text.answers or text.verdict)
    left_out = len(text.table.rows) - rows
    kept = text.table.rows
    if left_out > 0:
        kept = (*kept[: rows - rows // 2], *kept[len(kept) - rows // 2 :])
    if kept:
        console.print("")
    for block in (
        _blocks(Table(columns=text.table.columns, rows=kept), console.width) if kept else ()
    ):
        console.print(_table_of_text(block))
    if left_out > 0:
        console.print(
            f"... and {how_many(left_out, 'more judge')} between these, in the full report."
        )
    if text.table.note:
        console.print(text.table.note, markup=False)
    _print(console, text.about_judges)
    last = text.verdict if text.answers else ()
    for lines in ((*text.consensus, *notes), last, text.undecided, text.system):
        _paragraph(console, lines)
    _print_steps(console, text.steps, width)
    return _stripped(stream)


_MOST_STEPS = 2
PAGE = "; -o report.html for a page to share"
"""What a first screen says at its end of pages, until there is one."""


def _print_steps(console: Any, every: tuple[Step, ...], width: int) -> None:
    """Print the commands that matter most, and where the rest is."""
    steps = [step for step in every if step.purpose not in MORE_OF_THE_SAME][:_MOST_STEPS]
    if every:
        console.print("")
    room = width - max((len(step.purpose) for step in steps), default=0) - 6
    widest = max((len(s.call) for s in steps if len(s.call) <= room), default=0)
    for step in steps:
        purpose = f"  # {step.purpose}" * (len(step.call) <= room)
        console.print(f"  {step.call.ljust(widest)}{purpose}", markup=False, soft_wrap=True)
    if any(step.call.startswith("algeval ") for step in every):
        more = f"--full for everything, theory included{PAGE}"
        console.print(f"Add {more}.", markup=False)
    elif every:
        call = 'ae.report(votes, "report.html")'
        more = f"print(report.full()) for everything, theory included; {call} for a page to share"
        console.print(f"Then {more}.", markup=False, soft_wrap=True)


def _heading(console: Any, source: str) -> None:
    _print(console, (f"algeval report: {source}", "=" * min(console.width, 16 + len(source))))


def _print(console: Any, lines: Iterable[str]) -> None:
    for line in lines:
        console.print(line, markup=False)


def _paragraph(console: Any, lines: tuple[str, ...]) -> None:
    _print(console, ("", *lines) if lines else ())


def render(report: Page, width: int = WIDTH) -> str:
    """All sections of the report as text no wider than `width` where its names allow."""
    report = Shown.of(report)
    console, stream = _console(width)
    _heading(console, report.source)
    _print(console, report.overview.verdict)
    for section in report.sections:
        _print(console, ("", section.title, "-" * len(section.title), *section.lines))
        for table in section.tables:
            for block in _blocks(table, width):
                console.print("")
                console.print(_table_of_text(block))
            _print(console, [table.note] if table.note else ())
        if section.caveat:
            _print(console, ("", f"What this does not mean: {section.caveat}"))
    return _stripped(stream)


def _blocks(table: Table, width: int) -> list[Table]:
    """Split a table that is too wide into blocks of columns, each with the first column."""
    from rich.cells import cell_len

    columns = list(zip(table.columns, *table.rows, strict=True))
    widths = [max(map(cell_len, column)) + _GAP for column in columns]
    first = min(widths[0], width // 2)
    blocks: list[list[int]] = [[0]]
    used = first
    for index, wide in enumerate(widths[1:], start=1):
        if len(blocks[-1]) > 1 and used + wide - _GAP > width:
            blocks.append([0])
            used = first
        blocks[-1].append(index)
        used += wide
    parts = [list(zip(*(columns[index] for index in block), strict=True)) for block in blocks]
    return [Table(columns=head, rows=tuple(rows), words=table.words) for head, *rows in parts]


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
