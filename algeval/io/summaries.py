"""Tables of counts: grader summaries, counts of decision tuples, confusion tables per grader.

Rules are tried in order, the first that fits decides; structure comes before words, which are looked up
in heads and titles alone. A table of counts is never read as votes unless the caller says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, prod
from pathlib import Path
from typing import Any, NoReturn

from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.data.column_words import CELLS, COUNT, COUNTED_ITEM, PERCENT, TOTAL, WEAK_COUNT
from algeval.data.names import read_as, word_set
from algeval.errors import DataError, option
from algeval.io.answers import Question, ReadOptions, answered, people_of
from algeval.io.grids import MOST_ROWS, Grid, grids_of
from algeval.io.tables import is_path

Tables = Mapping[str, Mapping[str, Mapping[str, int]]]  # grader, true label, answer


# --- Words of heads and titles, singular.

_WHO = word_set(
    "judge grader rater annotator coder reviewer labeler labeller evaluator assessor expert teacher "
    "worker student respondent marker critic juror gutachter"
)
_LABEL = word_set("label answer verdict category class rating grade response decision outcome vote")
_KEY = word_set("truth true gold key actual reference expected")
_GROUP = word_set(
    "model system dimension run criterion metric variant comparison baseline backbone"
)
_MEASURE = word_set(
    "accuracy f1 precision recall kappa elo mean median std p95 age year minute ms time token score rate"
)
_TEXT = word_set("reason comment note explanation rationale confidence text")
_NO_ANSWER = word_set(
    "blank missing skipped skip unanswered na n/a nan invalid error - none null"
) | {
    "no answer",
    "not answered",
}
_CONFUSED = dict(zip(CELLS, ((0, 0), (0, 1), (1, 0), (1, 1)), strict=True))  # true label, answer
_MARKS = word_set("correct incorrect right wrong agree disagree")
_OUTCOMES = word_set("win tie lose loss draw")


def _raw(text: str) -> frozenset[str]:
    return frozenset(
        re.findall(r"[^\W\d_]+\d*|#", re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text).lower())
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(re.sub(r"s$", "", w) for w in _raw(text)) | _raw(text)


def _says(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(_words(text))


def _is_weak(name: str) -> bool:
    return name.strip().lower() in WEAK_COUNT


def _is_count(name: str) -> bool:
    raw = _raw(name)
    beside = raw <= COUNT | WEAK_COUNT | {"of", "the", "total", "item", "tuple", "pattern"}
    return _is_weak(name) or (beside and not COUNT.isdisjoint(raw))


def _is_who(name: str) -> bool:
    return _says(name, _WHO) and not _says(name, _LABEL | _KEY | _TEXT | _MEASURE)


def _names_graders(name: str) -> bool:
    """Whether a head says who judged, and is none of several graders' own."""
    return bool(name) and _words(name) <= _WHO | {"name", "id"}


def _is_item(name: str) -> bool:
    return _says(name, COUNTED_ITEM) and not _says(name, _WHO) and not _is_count(name)


def _no_answer(name: str) -> bool:
    return re.sub(r"s$", "", name.strip().lower()) in _NO_ANSWER or not name.strip()


# --- Columns: what the texts of a grid say as numbers.


def _whole(text: str, mark: str = "") -> int | None:
    """Whole number that a text is: thousands parted, or with its percentage behind it."""
    text = re.sub(r"\s*\(\s*[\d.,]+\s*%?\s*\)$", "", text)
    if re.fullmatch(
        r"\d{1,3}([,' \u00a0\u202f]\d{3})+" + (r"|\d{1,3}(\.\d{3})+" * (mark == ";")), text
    ):
        text = re.sub(r"\D", "", text)
    text = re.sub(r"\.0+$", "", text)
    return int(text) if text.isascii() and text.isdigit() else None


def _share(text: str) -> tuple[Fraction, Fraction] | None:
    """Share or percentage that a text is, of 1, and the unit of its last digit."""
    match = re.fullmatch(r"(\d*)(?:[.,](\d+))?\s*(%?)", text)
    if match is None or not (match[1] or match[2]):
        return None
    unit = Fraction(1, 10 ** len(match[2] or "") * (100 if match[3] else 1))
    return int(match[1] + (match[2] or "")) * unit, unit


_MEASURED = re.compile(
    r"[-+]?\d[\d.,]*(e-?\d+)?%?(\s*[\[(±].*)?|[\[(]\s*[-+]?\d[\d.]*\s*[,;-].*"  # 0.43 [0.31, 0.55]
)


class _Column:
    """A column, its cells, and what these are: "whole", "share", "number", "text" or "empty"."""

    def __init__(self, name: str, cells: Sequence[str], mark: str = "") -> None:
        self.name = re.sub(r"(,?\s*\b[nN])?\s*\(%\)$|,\s*[nN]$|\s*\([nN]\)$", "", name) or name
        self.cells = tuple(cells)
        said = [cell for cell in cells if cell]
        self.numbers = [_whole(cell, mark) or 0 for cell in cells]
        self.shares = [_share(cell) for cell in cells]
        if all(_whole(cell, mark) is not None for cell in said):
            self.kind = "whole" if said else "empty"
        elif all(_share(cell) for cell in said):
            self.kind = "share"
        else:
            self.kind = "number" if all(map(_MEASURED.fullmatch, said)) else "text"
        if self.kind == "whole" and ("%" in self.name or _says(self.name, PERCENT)):
            self.kind = "share"
        self.distinct = len({*cells} - {""}) == len(cells)
        self.is_measure = _says(name, _MEASURE)


# --- What a table of counts is read as.


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts, how they were read, notes, and of confusion tables of several graders each grader's."""

    data: Summary | Sketch | KeyedSketch
    how: tuple[str, ...]
    tables: dict[str, KeyedSketch] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The first line of every answer."""
        axes = self.data.sketch if isinstance(self.data, KeyedSketch) else self.data
        return f"Read as counts: {'; '.join([read_as(axes), *self.how])}"


class CountsError(DataError):
    """A question about a grid, or its refusal."""


def _ask(text: str, columns: Iterable[str], *answers: str) -> NoReturn:
    error = CountsError(f"{text} Answer with {' or '.join(answers)}")
    error.questions = (Question(text, tuple(columns), answers),)
    raise error


def _refuse(text: str) -> NoReturn:
    raise CountsError(text)


def _rows(kind: str, more: str = "") -> str:
    return answered("rows", kind) + (f" ({more})" if more else "")


def _votes() -> str:
    return _rows("items", "votes")


def read_summaries(source: Any, options: ReadOptions) -> Counted | None:
    """Counts in a source, None where it holds none: votes, scores, or too large for a table of counts.

    Raises
    ------
    DataError
        If the counts can be read in more than one way (with `questions`), or say too little.
    """
    grids = (
        [] if options.rows == "items" or _declares_votes(options) else _named_grids(source, options)
    )
    if not any(c and c[0] in ".0123456789" for g in grids for row in g.rows for c in row):
        return None  # no number, no count
    together = _blocks_of_graders(grids, options)
    if together is not None:
        return together
    tables: list[tuple[Grid, Counted]] = []
    questions: list[CountsError] = []
    for grid in grids:
        try:
            counted = _read(grid, options)
        except CountsError as error:
            questions.append(error)
            continue
        if counted is not None:
            tables.append((grid, counted))
        elif grid.form == "table":
            return None  # a file of votes may hold other tables beside them
    if len(tables) > 1:
        listed = ", ".join(f"{k} ({_called(grid)})" for k, (grid, _) in enumerate(tables, start=1))
        _ask(
            f"These are {len(tables)} tables of counts: {listed}. Which?",
            (),
            f"{option('table')} N",
        )
    if tables:
        ((chosen, counted),) = tables
        others = ", ".join(_called(grid) for grid in grids if grid is not chosen)
        left = (f"other tables left out: {others}",) if others else ()
        return replace(counted, how=(*counted.how, *left))
    for first in questions:
        raise first
    return None


def _named_grids(source: Any, options: ReadOptions) -> list[Grid]:
    """Grids of a source, or the one that `table` numbers, or those of the sheet that it names."""
    grids, table = grids_of(source), str(options.table or "")
    if table.isdigit() and 1 <= int(table) <= len(grids):
        return [grids[int(table) - 1]]
    return [grid for grid in grids if table and grid.title.startswith(f"{table}:")] or grids


def _called(grid: Grid) -> str:
    return repr(grid.title[:40]) if grid.title else f"a table with column {grid.head[0]!r}"


_OF_VOTES = "item judge answer prompt system systems trial covariate columns layout reader cut swap"


def _declares_votes(options: ReadOptions) -> bool:
    """Whether the caller said that rows are items or votes."""
    named = any(getattr(options, name) is not None for name in _OF_VOTES.split())
    return named and options.rows is None


def grid_as_votes(source: Any, options: ReadOptions) -> Any:
    """Columns of the one table of a page, which no reader of files knows; other sources as they are."""
    if not is_path(source) or not Path(source).is_file() or options.format is not None:
        return source
    grids = _named_grids(source, options)
    if not grids or any(grid.form != "page" for grid in grids):
        return source
    if len(grids) > 1:
        listed = ", ".join(f"{k} ({_called(grid)})" for k, grid in enumerate(grids, start=1))
        _ask(f"The page holds several tables: {listed}. Which?", (), answered("table", "N"))
    return grids[0].columns()


# --- A table without totals and what says nothing.


class _Table:
    """Columns of a grid, what was left out of it, and what the caller said."""

    def __init__(self, grid: Grid, options: ReadOptions) -> None:
        self.grid, self.options, self.title, self.form = grid, options, grid.title, grid.form
        self.typed = grid.counts or options.count is not None
        self.rows_are, human = options.rows, people_of(options)
        self.key = human if isinstance(human, str) else None
        self.left: list[str] = []
        rows = list(grid.rows)
        last = rows.pop() if len(rows) > 1 and _is_total(rows[-1]) else None
        cells = zip(*rows, strict=True)
        made = [_Column(n, c, grid.mark) for n, c in zip(grid.head, cells, strict=True)]
        self.n_rows = len(rows)
        self.columns = [c for c in made if c.kind != "empty"]
        self._drop_constants()
        self._drop_row_numbers()
        self._check_totals(dict(zip(grid.head, last, strict=True)) if last else {})

    def kinds(self, *kinds: str) -> list[_Column]:
        return [c for c in self.columns if c.kind in kinds]

    def leave(self, column: _Column, why: str) -> None:
        self.columns.remove(column)
        self.left.append(f"{column.name!r} ({why})")

    def said(self, rows: str) -> tuple[str, ...]:
        """How the table was read."""
        return (rows, f"left out: {', '.join(self.left)}") if self.left else (rows,)

    def _drop_constants(self) -> None:
        """Columns of one text beside named graders; the text is their head where they have none."""
        texts = self.kinds("text")
        same = [c for c in texts if c.cells[0] and {*c.cells} <= {c.cells[0], ""}]
        names = [c for c in texts if c not in same]
        counted = any(_is_count(c.name) for c in self.columns)
        if self.n_rows < 2 or not names or any(_is_who(c.name) for c in same):
            return
        if counted and not any(_is_who(c.name) for c in names):
            return  # of tuples, a grader who always gave one answer
        for column in same:
            if not column.name and not names[0].name:
                names[0].name = column.cells[0]
                self.columns.remove(column)
            elif column.name:
                self.leave(column, f"always {column.cells[0]!r}")

    def _drop_row_numbers(self) -> None:
        first, *rest = self.columns or [_Column("", ())]
        numbers = [[*range(self.n_rows)], [*range(1, self.n_rows + 1)]]
        if first.name or first.numbers not in numbers or self.form == "nested" or len(rest) < 2:
            return
        counted = all(c.kind == "whole" for c in rest) and len({sum(c.numbers) for c in rest}) == 1
        if not counted or max(n for c in rest for n in c.numbers) < 10:
            self.columns = rest

    def _check_totals(self, last: Mapping[str, str]) -> None:
        """Leave out a column and a row of totals that agree; refuse what disagrees."""
        for column in self.kinds("whole"):
            others = [c for c in self.kinds("whole") if c is not column and not c.is_measure]
            sums = [sum(c.numbers[k] for c in others) for k in range(self.n_rows)]
            named = _words(column.name) <= TOTAL | COUNT | WEAK_COUNT and _says(column.name, TOTAL)
            if len(others) < 2 or not (named or _is_count(column.name)):
                continue
            if sums == column.numbers:
                self.leave(column, "agrees")
            elif named and "tp" not in {c.name.lower() for c in others}:
                k = next(k for k in range(self.n_rows) if sums[k] != column.numbers[k])
                _refuse(
                    f"column {column.name!r} must be the sum of the other counts; got "
                    f"{column.numbers[k]} beside {sums[k]} in row {k + 1}; correct it or take it out"
                )
        for column in self.kinds("whole"):
            total = _whole(last.get(column.name, ""), self.grid.mark)
            if total is not None and total != sum(column.numbers):
                _refuse(
                    f"the last row must be the sum of column {column.name!r}; got {total} beside "
                    f"{sum(column.numbers)}; correct it or take it out"
                )
        if last:
            self.left.append("a row of totals (agrees)")

    def leave_shares(self, least: int) -> None:
        """Leave out percentages and measures beside counts."""
        counts = [c for c in self.kinds("whole") if not c.is_measure]
        for column in self.kinds("share", "number") if len(counts) >= least else ():
            self.leave(column, "agrees" if _agrees(column, counts) else "no counts")

    def stated_size(self) -> int:
        """The number of items that an option, the title or the document states; 0 where none does."""
        title = re.search(r"\b[nNQ]\s*=\s*([\d,]+)", self.title)
        text = str(
            self.options.n_items or (title[1].replace(",", "") if title else self.grid.n_items)
        )
        if self.options.n_items is not None and not (text.isdigit() and int(text)):
            raise DataError(
                f"{option('n_items')} must be a number of items; got {text!r}; write it like 250"
            )
        return int(text) if text.isdigit() else 0


def _is_total(row: Sequence[str]) -> bool:
    return any(cell.strip("*: ").lower() in TOTAL for cell in row)


def _agrees(column: _Column, counts: Sequence[_Column]) -> bool:
    """Whether percentages are those of a column of counts, of the sum of its row or of its own."""
    rows = range(len(column.cells))
    across = [sum(c.numbers[k] for c in counts) for k in rows]

    def near(share: tuple[Fraction, Fraction] | None, n: int, of: int, scale: int) -> bool:
        return share is not None and of > 0 and abs(share[0] - Fraction(n, of) * scale) <= share[1]

    return any(
        all(near(column.shares[k], c.numbers[k], of[k], scale) for k in rows)
        for c in counts
        for of in (across, [sum(c.numbers)] * len(across))
        for scale in (1, 100)
    )


# --- The rules.


def _read(grid: Grid, options: ReadOptions) -> Counted | None:
    """The first rule that fits."""
    table = _Table(grid, options)
    for rule in (_confused, _listed, _crossed, _across):
        counted = rule(table)
        if counted is not None:
            return counted
    return None


def _confused(table: _Table) -> Counted | None:
    """R1: TP, FP, FN, TN."""
    cells = {}
    for column in table.kinds("whole"):
        words = re.sub(r"s\b", "", column.name.lower()).split()
        cells["".join(word[0] for word in words) if len(words) == 2 else column.name.lower()] = (
            column
        )
    names = table.kinds("text")
    if not cells.keys() >= _CONFUSED.keys():
        return None
    if len(names) != 1 or not names[0].distinct:
        _ask("Which rows of TP, FP, FN, TN are one test?", cells, "a file with a row per grader")
    labels = ("positive", "negative")
    tables = {
        who: {
            labels[t]: {labels[a]: cells[c].numbers[k] for c, (u, a) in _CONFUSED.items() if u == t}
            for t in (0, 1)
        }
        for k, who in enumerate(names[0].cells)
    }
    for column in [c for c in table.columns if c not in (names[0], *map(cells.get, _CONFUSED))]:
        table.leave(column, "no counts")
    return _keyed(table, tables, f"by true label; rows are graders (column {names[0].name!r})")


def _keyed(table: _Table, tables: Tables, rows: str) -> Counted:
    """Confusion tables of graders: the keyed counts of each, and the summary of all."""
    labels = list(dict.fromkeys(t for rows_ in tables.values() for t in rows_))
    answers = dict.fromkeys([*labels, *(a for t in tables.values() for r in t.values() for a in r)])
    kept = [a for a in answers if not _no_answer(a)]
    keyed = {
        who: KeyedSketch.from_counts(
            {
                t: {(a if a in kept else None,): n for a, n in row.items()}
                for t, row in confusion.items()
            },
            judges=[who],
            labels=labels,
            answers=kept,
        )
        for who, confusion in tables.items()
    }
    if len(keyed) == 1:
        return Counted(next(iter(keyed.values())), table.said(rows), keyed)
    sums = {
        who: {a: sum(r.get(a, 0) for r in confusion.values()) for a in answers}
        for who, confusion in tables.items()
    }
    return replace(_summary(table, sums, rows, labels), tables=keyed)


def _listed(table: _Table) -> Counted | None:
    """R2: one column of counts."""
    count = _count_of(table)
    others = [c for c in table.kinds("text", "whole") if c is not count]
    key = [c for c in others if c.name == table.key or _says(c.name, _KEY)]
    small = all(c.kind == "text" or max(c.numbers) < 10 for c in others)
    if count is None or not others or not small:
        return None
    if any(_is_item(c.name) and c not in key for c in others):
        return None
    if count.kind == "share":
        size = table.stated_size()
        if not size:
            question = f"Column {count.name!r} holds shares: of how many items?"
            _ask(question, [count.name], _size("N"))
        count.numbers = _from_shares([count], size, rows=False)[0]
    own = _own(table, others, count, key)
    if own is not None or len(others) > 1:
        table.leave_shares(1)
        return own or _per_grader(table, others, key, count) or _tuples(table, others, count, key)
    split = _split(others[0])
    return None if split is None else _tuples(table, split, count)


def _count_of(table: _Table) -> _Column | None:
    """The column of counts: the one stated, else the one whose name says so."""
    stated, numbers = table.options.count, table.kinds("whole", "share")
    named = [c for c in numbers if c.name == stated or (stated is None and _is_count(c.name))]
    strong = [c for c in named if not _is_weak(c.name)] or named
    shares = len(strong) == 1 and strong[0].kind == "share" and len(table.columns) < 3
    return (
        None if len(strong) != 1 or shares or table.rows_are in ("graders", "labels") else strong[0]
    )


def _per_grader(
    table: _Table, others: Sequence[_Column], key: Sequence[_Column], count: _Column
) -> Counted | None:
    """R2 a and b: one column names the graders and one their answers."""
    who = [c for c in others if _is_who(c.name)]
    marks = [c for c in others if c.name == "label" and {*c.cells} <= {"yes", "no"} and not key]
    marks = marks if len(others) == 3 else []
    rest = [c for c in others if c not in (*who, *key, *marks)]
    if not len(who) == len(rest) == 1 or table.rows_are is not None or not _are_distinct(others):
        return None
    if not (key or table.typed or _says(rest[0].name, _LABEL)):
        _ask(
            f"Does a row count how often {who[0].name!r} answered {rest[0].name!r}, or are both graders?",
            [who[0].name, rest[0].name],
            f"the head 'label' in place of {rest[0].name!r}",
            _rows("tuples", "both are graders"),
        )
    if marks:  # which answers are labels, in a file of a summary
        pairs = zip(rest[0].cells, marks[0].cells, strict=True)
        own = dict.fromkeys(a for a, mark in pairs if a and mark == "yes")
        table.options = replace(table.options, labels=[*own])
    return _long(table, who[0], key[0] if key else None, rest[0], count)


def _own(
    table: _Table, others: Sequence[_Column], count: _Column, key: Sequence[_Column]
) -> Counted | None:
    """A file of sketches that rows which count 0 begin: the labels, and the other answers, in order."""
    marks = [c for c in others if c.name.strip("_") == "label" and {*c.cells} <= {"yes", "no", ""}]
    judges = [c for c in others if c not in marks and c not in key]
    rows = [*zip(*(c.cells for c in judges), strict=True)]
    size = next((k for k, n in enumerate(count.numbers) if n or len({*rows[k]}) > 1), len(rows))
    answers = [row[0] for row in rows[:size]]
    if (
        not size
        or len(set(answers)) < size
        or (marks and len(others) == 3 and "judge" in judges[0].name)
    ):
        return None
    labels = [a for k, a in enumerate(answers) if not marks or marks[0].cells[k] == "yes"]
    named: dict[str, Any] = {
        "judges": [c.name for c in judges],
        "labels": labels,
        "answers": answers,
    }
    truths = key[0].cells if key else [""] * len(rows)
    counts: dict[Any, dict[Any, int]] = {t: {} for t in (labels if key else [""])}
    for t, row, n in [*zip(truths, rows, count.numbers, strict=True)][size:]:
        counts[t][tuple(a or None for a in row)] = n
    data = (
        KeyedSketch.from_counts(counts, **named) if key else Sketch.from_counts(counts[""], **named)
    )
    return Counted(data, table.said("rows are tuples of answers"))


def _size(number: object) -> str:
    return answered("n_items", str(number))


def _are_distinct(columns: Sequence[_Column]) -> bool:
    cells = [*zip(*(c.cells for c in columns), strict=True)]
    return len(set(cells)) == len(cells)


def _long(
    table: _Table, who: _Column, key: _Column | None, label: _Column, count: _Column
) -> Counted:
    """R2 a and b: a row per grader and answer, and true label."""
    truths = label.cells if key is None else key.cells
    rows = [*zip(who.cells, truths, label.cells, count.numbers, strict=True)]
    answers = dict.fromkeys([*(truths if key else ()), *label.cells], 0)
    sums = {w: {t: answers.copy() for t in dict.fromkeys(truths)} for w in who.cells}
    for w, t, a, n in rows:
        sums[w][t][a] += n
    if key is not None:
        return _keyed(table, sums, "by true label; rows are graders, true labels and answers")
    columns = f"rows are graders and answers (columns {who.name!r}, {label.name!r})"
    return _summary(table, {w: {a: row[a][a] for a in answers} for w, row in sums.items()}, columns)


def _split(column: _Column) -> list[_Column] | None:
    """R2 c: the answers of all graders in one text, split alike, each of which comes again."""
    _refuse_splits(column.cells)
    for mark in (";", ",", "|", "/", ""):
        rows = [[p.strip() for p in (cell.split(mark) if mark else cell)] for cell in column.cells]
        if len({len(row) for row in rows}) == 1 < len(rows[0]):
            break
    else:
        return None
    pairs = [[part.rpartition("=") for part in row] for row in rows]
    names = {tuple(pair[0].strip() for pair in row) for row in pairs}
    answers = [[pair[2].strip() for pair in row] for row in pairs]
    seen = [a for row in answers for a in row]
    if (
        len(names) > 1
        or len(rows) < 2
        or not column.distinct
        or any(seen.count(a) < 2 for a in seen)
    ):
        return None
    heads = [name or f"judge {k}" for k, name in enumerate(names.pop(), start=1)]
    return [
        _Column(head, cells) for head, cells in zip(heads, zip(*answers, strict=True), strict=True)
    ]


def _refuse_splits(cells: Sequence[str]) -> None:
    """Refuse 3/0, 2/1: how many graders said what, and not who."""
    if len(cells) < 2 or not all(re.fullmatch(r"\d+([/:-]\d+)+", cell) for cell in cells):
        return
    sums = {sum(map(int, re.split(r"\D", cell))) for cell in cells}
    if len(sums) == 1 and max(sums) > 1:
        _refuse(
            f"counts of tuples must say which grader gave which answer; got splits such as {cells[0]!r}, "
            "of which who said what is lost; write a column per grader and one of counts"
        )


def _tuples(
    table: _Table, columns: Sequence[_Column], count: _Column, key: Sequence[_Column] = ()
) -> Counted | None:
    """R2 d: a row per tuple of answers, as the reader of such tables reads it."""
    from algeval.io.reading import counts_of

    cells = list(zip(*(c.cells for c in columns), strict=True))
    if not table.typed and table.rows_are != "tuples":
        texts = len({a for row in cells for a in row}) > max(len(cells), 3)  # answers come again
        if texts or len(set(cells)) < len(cells):
            return None
        if _is_weak(count.name) and not _in_order(cells, count.numbers):
            question = (
                f"Does column {count.name!r} count the items on which the others occurred together?"
            )
            _ask(question, [count.name], _rows("tuples"), _votes())
    options, human = table.options, key[0].name if len(key) == 1 else None
    same = {
        name: getattr(options, name)
        for name in ("judges", "labels", "missing", "exact_labels", "map")
    }
    source = {c.name: list(c.cells) for c in columns} | {count.name: count.numbers}
    data, notes = counts_of(source, ReadOptions(count=count.name, human=human, **same))
    how = table.said(f"rows are tuples of answers (counted in {count.name!r})")
    return Counted(data, how, notes=notes[1:])


def _in_order(cells: Sequence[Sequence[str]], counts: Sequence[int]) -> bool:
    """Whether the tuples are all there are, or in order by tuple or by count."""
    rank = {a: k for k, a in enumerate(dict.fromkeys(a for row in cells for a in row))}
    seen = [[rank[a] for a in row] for row in cells]
    orders: list[Sequence[Any]] = [cells, seen, counts]
    up = any(all(a <= b for a, b in pairwise(order)) for order in orders)
    down = any(all(a >= b for a, b in pairwise(order)) for order in orders)
    return up or down or len(cells) == prod(len(set(column)) for column in zip(*cells, strict=True))


def _crossed(table: _Table) -> Counted | None:
    """R3: the same names down and across."""
    square = _square(table)
    if square is None:
        return None
    names, across, down = square
    first, labels = names.name or "A", list(names.cells)
    if down is not None:
        who = _grader_in(table.title) or "judge"
        side = "rows" if down else "columns"
        tables = {who: _confusion(names, across, down=down)}
        return _keyed(table, tables, f"by true label ({side} are the key)")
    heads = [part.strip() for part in re.split(r"[\\/]", names.name) if part.strip()]
    heads += [table.title] if table.typed and table.title and len(heads) == 1 else []
    if len(heads) != 2:
        _ask(
            f"Who are the columns of this table, whose rows are {first!r}: true labels, or a second grader?",
            labels,
            rf"the head '{first} \ NAME' for two graders",
            rf"the head 'truth \ {first}' where the rows are the key",
        )
    counts = {(r, c): across[c][k] for k, r in enumerate(labels) for c in labels}
    said = table.said(f"two graders, {heads[0]!r} down and {heads[1]!r} across")
    return Counted(Sketch.from_counts(counts, judges=heads, labels=labels), said)


def _square(table: _Table) -> tuple[_Column, dict[str, list[int]], bool | None] | None:
    """Names, counts by the names across, and whether the rows are the key (None: nobody says)."""
    texts, wholes = table.kinds("text"), table.kinds("whole")
    if not texts and len(wholes) > 2 and wholes[0].distinct:
        texts, wholes = wholes[:1], wholes[1:]
    across = {c.name.strip(): c.numbers for c in wholes}
    if len(texts) != 1 or len(across) < 2 or sorted(texts[0].cells) != sorted(across):
        return None
    parts = [_says(part, _KEY) for part in re.split(r"[\\/]", texts[0].name) if part.strip()]
    if len(parts) == 2:
        return texts[0], across, parts[0] if parts[0] != parts[1] else None
    for side, what in re.findall(r"(row|col)[a-z]*\s*[:=]?\s*([^,;()]*)", table.title.lower()):
        if _says(what, _KEY):
            return texts[0], across, side == "row"
    return (
        texts[0],
        across,
        True if any(parts) or _says(table.title, _KEY | {"confusion"}) else None,
    )


def _confusion(
    names: _Column, across: Mapping[str, list[int]], *, down: bool
) -> dict[str, dict[str, int]]:
    at = {name: k for k, name in enumerate(names.cells)}
    return {t: {a: across[a][at[t]] if down else across[t][at[a]] for a in at} for t in at}


def _grader_in(title: str) -> str:
    """The grader that a title names: "Confusion matrix: gpt4 (rows: truth)"."""
    return re.sub(r"(?i)\bconfusion( matrix)?( of| for)?\b|[:–]|\(.*", " ", title).strip()


def _blocks_of_graders(grids: Sequence[Grid], options: ReadOptions) -> Counted | None:
    """R3 of several blocks: a sheet or block per grader, all with the same labels."""
    tables: dict[str, dict[str, dict[str, int]]] = {}
    for grid in grids if len(grids) > 1 else ():
        try:
            square = _square(table := _Table(grid, options))
        except CountsError:
            return None
        who = _grader_in(grid.title)
        labels = next(iter(tables.values()), None)
        if square is None or not square[2] is not None or not who or who in tables:
            return None
        tables[who] = _confusion(square[0], square[1], down=bool(square[2]))
        if labels is not None and labels.keys() != tables[who].keys():
            return None
    return _keyed(table, tables, "by true label; a block per grader") if tables else None


def _across(table: _Table) -> Counted | None:
    """R4 and R5: names, and whole numbers or shares of the others."""
    names = _names_of(table)
    if names is None or len(table.columns) < 2:
        return None
    _refuse_splits(names.cells)
    rest = [c for c in table.columns if c is not names]
    rows_are = table.rows_are or _who_are_rows(table, names)
    if rows_are == "items":
        _refuse_per_item(names, rest)
        return None
    if all(c.kind != "whole" or c.is_measure or _is_count(c.name) for c in rest):
        shares = [c for c in rest if c.kind == "share" and not c.is_measure]
        if len(shares) > 1 and _add_up(shares):
            return _of_shares(table, names, shares, rows_are)
        if any(c.is_measure for c in rest) and (rows_are == "graders" or _says(names.name, _GROUP)):
            _no_counts(rest)
        if rows_are != "labels":
            return None
    table.leave_shares(2)
    kept = [c for c in table.columns if c is not names and not c.is_measure]
    cells = [c for c in table.columns if c is not names]
    if not kept or len(_sums(cells)) == 1 < len(_sums(kept)):
        kept = cells
    for column in [c for c in cells if c not in kept]:
        table.leave(column, "no counts")
    if any(c.kind != "whole" for c in kept):
        return None
    return _named_counts(table, names, kept, rows_are)


def _no_counts(columns: Sequence[_Column]) -> NoReturn:
    _refuse(
        "a table of counts must hold how often each grader gave each answer; got "
        f"{[c.name for c in columns]}: no counts here; give the counts behind them"
    )


def _sums(columns: Sequence[_Column]) -> set[int]:
    """Sums of the rows."""
    return {sum(row) for row in zip(*(c.numbers for c in columns), strict=True)}


def _names_of(table: _Table) -> _Column | None:
    """The column of distinct names, or the question which of several rows of a grader counts."""
    texts, first = table.kinds("text"), table.columns[0] if table.columns else None
    if not texts and first is not None and first.kind == "whole" and first.distinct:
        named = _names_graders(first.name) or _says(first.name, COUNTED_ITEM | _LABEL | _KEY)
        return first if named or table.rows_are or not first.name else None
    if len(texts) == 1 and texts[0].distinct:
        return texts[0] if max(map(len, texts[0].cells)) <= 80 else None
    who = [c for c in texts if _is_who(c.name)]
    counts = [c for c in table.kinds("whole") if not c.is_measure]
    page = table.form == "page"
    if any(_is_item(c.name) for c in table.columns) or not (page or who):
        return None
    if len(counts) > 1 and (page or max(max(c.numbers) for c in counts) > 9):
        name = (who or texts or counts)[0].name
        question = (
            f"Column {name!r} stands on several rows of counts: which are one test of all graders?"
        )
        _ask(question, [c.name for c in texts], "a file with the rows of one test", _votes())
    if page and any(c.kind in ("share", "number") or c.is_measure for c in table.columns):
        _no_counts(table.columns)
    return None


def _who_are_rows(table: _Table, names: _Column) -> str | None:
    title = table.title.lower().replace("_", " ")
    per = re.search(r"\b(?:per|by|for each|of each) ((?:\w+ )?\w+)", title)
    of = "" if per is None else per[1]
    if _is_who(names.name) or (_is_who(of) and not _says(names.name, _LABEL)):
        return "graders"
    if _is_item(names.name):
        return "items"
    return "labels" if _says(names.name or of, _LABEL) else None


def _refuse_per_item(names: _Column, columns: Sequence[_Column]) -> None:
    """Refuse counts per item as for Fleiss' kappa, of which who gave which is lost."""
    counts = [c for c in columns if c.kind == "whole"]
    lettered = len(counts) < len(columns) and all(len(c.name) < 3 for c in counts)
    rows = {*zip(*(c.numbers for c in counts), strict=True)}
    seen = {n for row in rows for n in row}  # of few raters, some answer is given by none
    alike = len(_sums(counts)) == 1 < len(rows) and max(seen) > (1 if 0 in seen else 9)
    if alike and len(counts) > 1 and (lettered or len(counts) == len(columns)):
        _ask(
            f"Each row of {names.name!r} adds up to {sum(min(rows))}: these are counts per item, as for "
            "Fleiss' kappa, of which who gave which answer is lost; give the votes, or a row per grader.",
            [c.name for c in counts],
            _votes(),
        )


def _named_counts(
    table: _Table, names: _Column, cells: Sequence[_Column], rows_are: str | None
) -> Counted | None:
    """R4: a row per grader, or per label."""
    heads, most = [c.name for c in cells], max(max(c.numbers) for c in cells)
    row_sums, column_sums = _sums(cells), {sum(c.numbers) for c in cells}
    if len(set(heads)) < len(heads):
        _refuse(f"columns of counts must have distinct names; got {heads}; rename or add them up")
    stated = table.typed or table.rows_are is not None
    named = (
        rows_are is not None or table.form != "table" or _says(names.name, _GROUP) or not names.name
    )
    equal = len(row_sums) == 1 < table.n_rows, len(column_sums) == 1 < len(cells)
    if not stated and not named and (most < 10 or not any(equal)):
        return None  # votes or scores of items under a head that says nothing
    if not stated and most < 10:
        numbered = all(re.fullmatch(r"[A-Za-z]{0,9}[ _]?\d+", head) for head in heads)
        if rows_are != "graders" or len(row_sums) > 1 or numbered:
            _ask(
                f"No number is above 9: counts, or votes of {', '.join(names.cells[:3])} written across?",
                [names.name, *heads],
                _rows("graders", "counts, a row per grader"),
                _rows("labels", "counts, a row per label"),
                _votes(),
            )
    outcomes = any(_says(head, _OUTCOMES) for head in heads)
    if rows_are is None and not names.name and not outcomes:
        rows_are = (
            "graders" if equal == (True, False) else "labels" if equal == (False, True) else None
        )
        rows_are = "graders" if rows_are is None and table.typed else rows_are
    if rows_are is None:
        _ask(
            f"{table.title or 'The table'} looks like counts. Who are {', '.join(names.cells[:3])} "
            f"(column {names.name!r})?",
            [names.name, *heads],
            _rows("graders", "of the same items; systems that one grader judged are not for this"),
            _rows("labels", "a column per grader"),
            _votes(),
        )
    rows = f"rows are {rows_are}" + (f" (column {names.name!r})" if names.name else "")
    if rows_are == "labels":
        if len(cells) == 1 and _is_count(cells[0].name):
            _refuse(
                f"counts must be of named graders; got one column {heads[0]!r}; write who gave them in "
                "its place"
            )
        down = {c.name: dict(zip(names.cells, c.numbers, strict=True)) for c in cells}
        return _summary(table, down, rows)
    if {head.lower() for head in heads} <= _MARKS and len(heads) == 2 and table.rows_are is None:
        question = f"Are {heads} answers that graders gave, or marks of their answers by a key?"
        _ask(question, heads, _rows("graders", "answers"), "a table of TP, FP, FN, TN (marks)")
    numbers = zip(*(c.numbers for c in cells), strict=True)
    counts = {
        w: dict(zip(heads, row, strict=True)) for w, row in zip(names.cells, numbers, strict=True)
    }
    return _summary(table, counts, rows)


def _summary(
    table: _Table, counts: Mapping[str, Mapping[str, int]], rows: str, labels: Sequence[str] = ()
) -> Counted:
    """Summary of {grader: {answer: count}}; answers that say so are items not answered."""
    options = table.options
    missing = [options.missing] if isinstance(options.missing, str) else options.missing or ()
    answers = list(dict.fromkeys(a for row in counts.values() for a in row))
    stated = [*map(str, options.labels)] if options.labels is not None else list(labels)
    none = [a for a in answers if (_no_answer(a) or a in map(str, missing)) and a not in stated]
    kept = [*stated, *(a for a in answers if a not in none and a not in stated)]
    if not kept:
        _refuse(f"counts must be of answers; got {answers}; name the labels")
    size = _n_items(table, {who: sum(row.values()) for who, row in counts.items()})
    judges = [*map(str, options.judges)] if options.judges is not None else list(counts)
    named = {
        who: {a: n for a, n in counts[who].items() if a in kept} for who in judges if who in counts
    }
    by_judge: Any = named or counts
    data = Summary.from_counts(by_judge, labels=stated or kept, answers=kept, n_items=size)
    said = (f"not answered: {', '.join(map(repr, none))}",) if none else ()
    return Counted(data, (*table.said(rows), *said))


def _n_items(table: _Table, totals: Mapping[str, int]) -> int:
    """The number of items, stated where graders answered different numbers."""
    size, most = (
        table.stated_size() if table.options.n_items is not None else 0,
        max(totals.values()),
    )
    if size and size < most:
        who = next(name for name in totals if totals[name] == most)
        _refuse(
            f"{option('n_items')} must be at least what each grader answered; got {size} beside {most} of "
            f"{who!r}; correct one of them"
        )
    if not size and len(set(totals.values())) > 1:
        shown = ", ".join(f"{who} {n}" for who, n in [*totals.items()][:4])
        _ask(
            f"The counts of graders add up to different numbers ({shown}): of how many items?",
            totals,
            f"{_size(most)} (if all saw the same items; what is lacking is not answered)",
            _votes(),
        )
    return size or most


def _add_up(shares: Sequence[_Column]) -> bool:
    """Whether the shares of each row add up to the whole, within rounding."""
    for row in zip(*(c.shares for c in shares), strict=True):
        said = [share for share in row if share is not None]
        total, room = sum(s for s, _ in said), sum(unit for _, unit in said)
        if len(said) < len(row) or all(abs(total - whole) > room for whole in (1, 100)):
            return False
    return True


def _of_shares(
    table: _Table, names: _Column, shares: Sequence[_Column], rows_are: str | None
) -> Counted:
    """R5: shares of answers, of a number of items that somebody states."""
    heads = [c.name.strip().removesuffix("%").strip() for c in shares]
    if rows_are != "graders":
        question = (
            f"Rows of column {names.name!r} are shares of answers: of graders of the same items?"
        )
        _ask(question, [names.name, *heads], f"{_rows('graders')} {_size('N')}")
    beside = {n for c in table.kinds("whole") if c is not names for n in c.numbers}
    size = table.stated_size() or (max(beside) if len(beside) == 1 else 0)
    if not size:
        _ask("The table holds shares of answers: of how many items?", heads, _size("N"))
    numbers = zip(*_from_shares(shares, size, rows=True), strict=True)
    counts = {
        w: dict(zip(heads, row, strict=True)) for w, row in zip(names.cells, numbers, strict=True)
    }
    said = f"shares of {size} items; rows are graders (column {names.name!r})"
    return _summary(table, counts, said)


def _from_shares(shares: Sequence[_Column], size: int, *, rows: bool) -> list[list[int]]:
    """Counts that alone round to the shares printed, and add up to the number of items."""
    total = sum(share[0] for share in (c.shares[0] for c in shares) if share)
    whole = 100 if rows and total > 2 else 1
    made = []
    for column in shares:
        counts = []
        for cell, share in zip(column.cells, column.shares, strict=True):
            value, unit = share or (Fraction(0), Fraction(0))
            low, high = ((value + side * unit / 2) * size / whole for side in (-1, 1))
            if ceil(low) != floor(high):
                _refuse(
                    f"a share must round from one count alone; got {cell!r} of {size} items, which is "
                    f"{max(0, ceil(low))} to {floor(high)} items; give the counts"
                )
            counts.append(ceil(low))
        made.append(counts)
    sums = map(sum, zip(*made, strict=True)) if rows else [sum(made[0])]
    for number in sums:
        if number != size:
            _refuse(f"shares must add up to all {size} items; got {number}; give the counts")
    return made


# --- Guards: votes that look like a table of counts which no rule fits.


def guard(data: Any, source: Any, options: ReadOptions) -> None:
    """Refuse to take for votes what bears the marks of counts; each mark ends in the one question."""
    said = (options.labels, options.exact_labels, options.map, options.same, options.judges)
    declared = _declares_votes(options) or any(x is not None for x in (*said, people_of(options)))
    if (
        options.rows == "items"
        or not isinstance(data, Votes)
        or declared
        or data.n_items > MOST_ROWS
    ):
        return
    grids = grids_of(source)
    why = _mark_of_counts(data, grids[0]) if grids else ""
    if why:
        question = f"{why} Are these votes, or a table of counts or names?"
        _ask(question, data.judges, _votes(), _rows("graders", "counts"))


def _mark_of_counts(data: Votes, grid: Grid) -> str:
    """A rule for an answer, names for votes, numbers for answers, or who judged about to be left out."""
    if any(re.fullmatch(r":?-{3,}:?", answer) for answer in data.answers):
        return "An answer is '---', the rule of a Markdown table."
    once = (
        data.n_judges == 1
        and 2 < data.n_items == int(data.summary().counts.sum()) == data.n_answers
    )
    if once and len(grid.head) > 1 and data.key is None:
        return f"The only judge, {data.judges[0]!r}, never gives one answer twice."
    numbers = [int(a) for a in data.answers if a.isascii() and a.isdigit()]
    all_numbers = data.n_items <= 10 and len(numbers) == len(data.answers)
    if all_numbers and max(numbers, default=0) > 10 and not _is_item(grid.head[0]):
        form = f"{{{data.judges[0]!r}: {{'pass': {data.answers[0]}, ...}}}}"
        return (
            f"Answers are whole numbers such as {max(numbers)}; counts have labels, as in {form}."
        )
    for name, cells in zip(grid.head, zip(*grid.rows, strict=True), strict=True):
        if not _names_graders(name) or not len({*cells}) == len(cells) > 1:
            continue
        others = {
            c for row in grid.rows for c, other in zip(row, grid.head, strict=True) if other != name
        }
        used = {*data.judges} <= {*cells} or (name in data.judges and not others.isdisjoint(cells))
        if not used and not any(map(_is_item, grid.head)):
            return f"Column {name!r} says who judged."
    return ""
