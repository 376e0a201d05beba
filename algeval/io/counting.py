"""`count`: decision tuples counted where the data lie, at the size of the data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.data.names import NOT_ANSWERED, Caution, CutNote
from algeval.data.reading import refuse_scores
from algeval.data.scores import is_percentage
from algeval.data.sketch import group_rows
from algeval.data.votes import GroupedSketch, LabelledSketch, Split
from algeval.errors import DataError, option
from algeval.io.answers import (
    UNSTATED,
    Column,
    CountOptions,
    Meaning,
    Positions,
    ReadOptions,
    Rules,
    answer_codes,
    cut_column,
    is_at_most,
    plain,
    takes,
)
from algeval.io.engines import (
    FileRows,
    FrameRows,
    Prompt,
    Rows,
    SeveralOutputsError,
    refuse_prompts,
    split_by,
)
from algeval.io.evidence import Evidence
from algeval.io.formats import Opened, is_database, is_packed, is_parquet, open_file, sql_text
from algeval.io.items import (
    is_certain,
    judge_columns,
    left_out,
    left_out_notes,
    read_long,
    read_wide,
    wide_items,
    wide_votes,
)
from algeval.io.layout import ColumnRoles, Layout, find_layout, open_parts, shown
from algeval.io.reading import refuse_export, scores_in, table_files
from algeval.io.results import PlainTable, Pooled, Results, is_person, results_of
from algeval.io.roles import beside_models
from algeval.io.tables import (
    FileTable,
    MemoryTable,
    Table,
    Without,
    arrow_relation,
    is_arrow,
    is_excel,
    is_path,
    is_relation,
    open_frame,
    open_table,
)
from algeval.io.tuples import (
    ROW,
    Counted,
    CountedEach,
    Grouped,
    Scan,
    check_there,
    of_file,
    of_relation,
    query_file,
)
from algeval.result import exact
from algeval.result.numbers import how_many

# --- Count a large file or a lazy frame by the rules of reading it, without keeping its items.


LARGE = 100_000
"""Tables with more rows than this are counted where they lie, where counts are enough."""

LOOKED_AT = 10_000  # rows from which the layout of a table is found that is not loaded
_COUNTED_OF_FRAMES = {"item", "judge", "answer", "judges", "layout"}
_COUNTED_OF_FRAMES |= {"missing", "labels", "cut", "exact_labels", "map", "good"}
_COUNTED = _COUNTED_OF_FRAMES | {"format", "reader", "table", "key"}


@dataclass(frozen=True, slots=True)
class Enough:
    """Which counts of a large table will do in place of its votes."""

    each: bool = False  # those of each judge, as a `Summary`
    scored: bool = True  # whether a key is wanted for more than to be checked
    labelled: tuple[str, ...] = ()  # items whose votes are wanted beside the counts of all
    of_results: bool = False  # of a results table counts of all, and the rows with a human label
    of_people: bool = False  # none of a table with labels of people, whose rows are to be read
    of_wide_frames: bool = (
        False  # those of wide lazy frames alone, whose rows can be labelled by them
    )


_TUPLES = Enough()


def open_large(source: Any, options: ReadOptions) -> Opened | None:
    """Files of a table that may be large, open; None where they are not to be counted."""
    apart = isinstance(options.cut, Mapping) or is_at_most(options.cut)
    if options.stated().keys() - _COUNTED or apart:
        return None
    paths = table_files(source, ColumnRoles.of(options), options)
    if not paths or any(is_excel(path) for path in paths) or _surely_small(paths):
        return None
    return open_parts(paths, format=options.format, table=options.table)


def _surely_small(paths: tuple[Path, ...]) -> bool:
    """Whether text is too short to have so many lines."""
    if sum(path.stat().st_size for path in paths) > 2 * LARGE:
        return False
    return not any(is_packed(p) or is_parquet(p) or is_database(p) for p in paths)


def rows_of(opened: Opened) -> int:
    """Number of rows of a file, of a large one `LARGE` + 1."""
    rows = f"(SELECT * FROM {opened.relation} LIMIT {LARGE + 1})"
    return int(query_file(opened, f"SELECT count(*) AS n FROM {rows}")["n"][0])


def count_large(
    opened: Opened, options: ReadOptions, enough: Enough = _TUPLES, *, scores: bool = False
) -> tuple[Sketch | KeyedSketch | Summary, tuple[str, ...]] | None:
    """Counts and notes that reading a large table gives; None where votes are to be read.

    That is where the table is small or looks like `scores`, where the key is no column of it or does not
    know every item and is wanted, and where a labelled item is absent. Repeated items are refused.
    """
    key = options.key
    if not (key is None or (isinstance(key, str) and key in opened.cells)):
        return None
    if rows_of(opened) <= LARGE:
        return None
    first = replace(opened, relation=f"(SELECT * FROM {opened.relation} LIMIT {LOOKED_AT})")
    roles, rules = ColumnRoles.of(options).with_key(key), Rules.of(options)
    sample = FileTable(first)
    of_all = FileRows(of_file(opened))
    result = _by_the_first(of_all, sample, roles, rules, options, scores=scores, each=enough.each)
    if result is None:
        return None
    counted, layout, notes = result
    if layout.kind == "long" and _may_have_people(counted, layout, options, sample, opened):
        return None
    data: Sketch | KeyedSketch | Summary | None
    if isinstance(counted, Counted) and counted.truth is not None:
        if enough.labelled or (enough.scored and not counted.all_known):
            return None
        data = counted.data() if enough.scored else counted.sketch()
    elif enough.labelled:
        data = _with_items(enough.labelled, opened, layout, rules, counted)
    else:
        data = counted.data()
    said = (
        f"more than {LARGE} rows: the layout was found from the first {LOOKED_AT}, votes were counted where "
        "they lie, and items were not kept"
    )
    return None if data is None else (data, (*notes, said))


def counted_frame(
    source: Any, options: ReadOptions = UNSTATED, *, scores: bool = False, wide: bool = False
) -> tuple[Sketch, tuple[str, ...]] | None:
    """Counts and notes that reading a lazy frame gives; None where votes are to be read.

    Judges of a long frame are in natural order. Where counts of a `wide` one alone will do, it is read.
    """
    apart = isinstance(options.cut, Mapping) or is_at_most(options.cut)
    if options.stated().keys() - _COUNTED_OF_FRAMES or apart:
        return None
    if is_path(source) or is_relation(source) or isinstance(source, list | tuple | dict):
        return None
    frame = open_frame(source)
    if frame is None or not frame.is_lazy:
        return None
    sample = MemoryTable(frame.cells(frame.names, LOOKED_AT), f"counted in a {frame.kind}")
    roles, rules = ColumnRoles.of(options), Rules.of(options)
    result = _by_the_first(
        FrameRows(frame), sample, roles, rules, options, scores=scores, wide=wide
    )
    if result is None:
        return None
    counted, layout, notes = result
    if isinstance(counted, CountedEach):
        return None
    if layout.kind == "long" and _may_have_people(counted, layout, options, sample):
        return None
    return counted.sketch(), notes


def _may_have_people(
    counted: Counted | CountedEach,
    layout: Layout,
    options: ReadOptions,
    sample: Table,
    opened: Opened | None = None,
) -> bool:
    """Whether some raters of a long table may be people, by all its rows, so that these are to be read.

    A column may say who is a person; so rows are looked at of raters whom the `sample` lacks.
    """
    raters = counted.raters
    judges = set(map(str, options.judges or ()))
    if any(is_person(name, tuple(raters)) for name in raters.keys() - judges):
        return True
    if beside_models({n: k for n, k in raters.items() if n not in judges})[1]:
        return True
    unseen = raters.keys() - set(sample.column(layout.judge).texts())
    if not unseen or opened is None or opened.nested or opened.json:
        return False
    cell = f"trim({opened.cells[layout.judge]}::VARCHAR)"
    names = ", ".join(sql_text(name) for name in sorted(unseen)[:LOOKED_AT])
    few = max(1, LOOKED_AT // len(unseen))
    theirs = (
        f"SELECT * FROM {opened.relation} WHERE {cell} IN ({names}) QUALIFY row_number() OVER (PARTITION "
        f"BY {cell}) <= {few}"
    )
    first = f"SELECT * FROM {opened.relation} LIMIT {LOOKED_AT}"
    table = FileTable(replace(opened, relation=f"(({first}) UNION ALL ({theirs}))"))
    return isinstance(results_of(table, options, "the table"), Results)


def _by_the_first(
    rows: Rows,
    sample: Table,
    roles: ColumnRoles,
    rules: Rules,
    options: ReadOptions,
    *,
    scores: bool,
    each: bool = False,
    wide: bool = False,
) -> tuple[Counted | CountedEach, Layout, tuple[str, ...]] | None:
    """Counts of rows laid out as the first of them are, the layout, and notes.

    wide : whether a long table is to be read.

    None of a results table, which is read; what people said of a plain one has no part in counts.
    """
    if not roles.anything:
        refuse_export(sample)
    first = None if roles.key else results_of(sample, options, "the table")
    if isinstance(first, Results):
        return None
    human = None if first is None else first.human
    said: tuple[str, ...] = ()
    if human is not None:
        sample = Without(sample, human)
        words = f"what people said (column {human!r}) has no part in these counts; {option('human', human)}"
        said = (Caution(f"{words} takes it"),)
    layout = find_layout(sample, roles)
    if (wide and layout.kind == "long") or (scores and scores_in(sample, layout, rules)):
        return None
    counted = _count(rows, layout, roles, rules, sample, each=each)
    if counted is None:
        return None
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    return counted, layout, (*sample.notes, *layout.notes, *rest, *counted.said(rules), *said)


def _count(
    rows: Rows,
    layout: Layout,
    roles: ColumnRoles,
    rules: Rules,
    sample: Table | None = None,
    *,
    each: bool = False,
    beside: Mapping[str, str] | None = None,
) -> Counted | CountedEach | None:
    """Counts of all rows; of a wide table those columns that are votes in the `sample`, its first rows."""
    with rows.ready(layout, roles.key, tuple(beside or ())) as kept:
        if layout.kind == "long":
            return None if roles.key else kept.long(layout, roles.judges, rules, each=each)
        counted: Counted | None
        if beside:
            counted = kept.split(layout, rules, beside)
        elif sample is None:
            counted = kept.wide(layout, rules, roles.key)
        else:
            counted = _wide_like(kept, sample, layout, rules, roles.key)
        if counted is None or not layout.item:
            return counted
        return counted if kept.check_items(layout.item, int(counted.counts.sum())) else None


def _wide_like(
    rows: Rows, sample: Table, layout: Layout, rules: Rules, key: str | None
) -> Counted | None:
    columns, _ = judge_columns(sample, layout, rules)
    gone = left_out(sample, layout, rules)
    for name, why in gone.items():
        if not is_certain(why) and (later := rows.votes_in(name, rules)):
            raise _unlike_the_first(f"no votes in {name!r} ({why})", later)
    kept = tuple(name for name in layout.votes if name not in gone)
    counted = rows.wide(replace(layout, votes=kept), rules, key)
    if counted is None:
        return None
    expected = tuple(column.name for column in columns)
    if counted.judges != expected:
        raise _unlike_the_first(f"judges {shown(expected)}", f"judges {shown(counted.judges)}")
    return replace(counted, notes=(*left_out_notes(gone), *counted.notes))


def _unlike_the_first(expected: str, got: str) -> DataError:
    return DataError(
        f"all rows must be laid out like the first {LOOKED_AT}, which have {expected}; got {got} from all "
        f"rows; name the columns of votes with {option('judges')}"
    )


def _with_items(
    items: tuple[str, ...],
    opened: Opened,
    layout: Layout,
    rules: Rules,
    counted: Counted | CountedEach,
) -> LabelledSketch | None:
    """Counts and the votes on some items; None where an item or an answer is not found."""
    wide = layout.kind == "wide" and len(layout.item) == 1 and not opened.json
    if not wide or isinstance(counted, CountedEach):
        return None
    cell, run = opened.cells[layout.item[0]], opened.connection.cursor()  # for a table of its own
    run.execute("CREATE OR REPLACE TEMP TABLE labelled (id VARCHAR)")
    run.execute("INSERT INTO labelled SELECT unnest($1)", [list(items)])
    theirs = f"SELECT * FROM {opened.relation} WHERE trim({cell}) IN (SELECT id FROM labelled)"
    try:
        table = FileTable(replace(opened, relation=f"({theirs})", connection=run))
    except DataError:
        return None
    names = wide_items(table, layout)
    chosen = replace(layout, votes=counted.judges, chosen=True)
    _, meaning, codes, _ = wide_votes(table, chosen, rules)
    answers = counted.meaning.answers
    spelled = {rules.form(answer): position for position, answer in enumerate(answers)}
    if set(items) != set(names) or not all(rules.form(a) in spelled for a in meaning.answers):
        return None
    position = np.array(
        [*(spelled[rules.form(a)] for a in meaning.answers), NOT_ANSWERED], np.int16
    )
    axes = counted.judges, counted.meaning.labels, answers
    notes = () if rules.cut is None else (CutNote(rules.cut),)
    some = Votes(names, *axes, position[codes], notes=notes)
    return LabelledSketch(*axes, counted.codes, counted.counts, some)


# --- A large results table: its rows with a human label, and counts of all. Roles are found from some rows
# all over the table; whatever all rows show to be otherwise has the whole table read.


_FIRST, _ALL_OVER, _OF_EACH = 5_000, 15_000, 5_000
"""Rows from which roles are found: the first, some all over, and those with a cell where most have none."""
_MOST_LABELLED = 100_000
_COUNTED_RESULTS = {"format", "table", "good", "human", "system"}


def count_results(
    opened: Opened, options: ReadOptions, name: str
) -> tuple[GroupedSketch, Results | None, tuple[str, ...]] | None:
    """Counts of a large table by human label and system, its labelled rows as results, and notes.

    None where the rows are to be read: of few, or where several rows are an output, prompts pair outputs, or
    what some rows say of the roles is not what all say. Of a plain table of votes there are no results.
    """
    if options.stated().keys() - _COUNTED_RESULTS or opened.nested or opened.json:
        return None
    scan = of_file(opened)
    n_rows, filled, distinct = _filled(scan)
    if n_rows <= LARGE:
        return None
    try:
        sample = _some_rows(opened, n_rows, filled)
        first = results_of(sample, options, name)
        if isinstance(first, PlainTable):
            return _count_plain(scan, sample, first, options)
        reading = first.reading
        if not _is_simple(first) or any(
            _is_otherwise(reading.columns[c], filled[c], distinct[c]) for c in scan.cells
        ):
            return None
        beside = {reading.named("human")[0]: "human"}
        beside |= dict.fromkeys(reading.named("system"), "system")
        layout = Layout("wide", reading.item, votes=tuple(first.judged), chosen=True)
        rules, rows = first.rules_of_votes, FileRows(scan)
        if not _counts_alike(sample, layout, rules, beside, first):
            return None
        counts = _count(rows, layout, ColumnRoles(), rules, beside=beside)
        results = _labelled_results(opened, first, name)
    except DataError:  # the reader of all rows says what is wrong
        return None
    if not isinstance(counts, Counted) or results is None:
        return None
    return _with_counts(counts, results, first, rows, rules)


def holds_people(opened: Opened, options: ReadOptions, name: str) -> bool:
    """Whether a large table has a column of people's labels, by some of its rows."""
    n_rows, filled, _ = _filled(of_file(opened))
    if n_rows <= LARGE or opened.nested or opened.json:
        return False
    try:
        first = results_of(_some_rows(opened, n_rows, filled), options, name)
    except DataError:  # the reader of all rows says what is wrong
        return False
    return first.human is not None if isinstance(first, PlainTable) else bool(first.said)


def _count_plain(
    scan: Scan, sample: FileTable, first: PlainTable, options: ReadOptions
) -> tuple[GroupedSketch, None, tuple[str, ...]] | None:
    """Counts of votes by the human label beside them; None without one, or with columns of neither."""
    if first.human is None:
        return None
    rules, without = Rules.of(options), Without(sample, first.human)
    layout = find_layout(without, ColumnRoles.of(options))
    if (
        layout.kind != "wide"
        or left_out(without, layout, rules)
        or scores_in(without, layout, rules)
    ):
        return None
    judges = tuple(column.name for column in judge_columns(without, layout, rules)[0])
    layout = replace(layout, votes=judges, chosen=True)
    counted = _count(FileRows(scan), layout, ColumnRoles(), rules, beside={first.human: "human"})
    if not isinstance(counted, Counted) or counted.judges != judges:
        return None
    counts = counted.grouped()
    n = int(counts.cells[counts.split("human").codes >= 0].sum())
    if not 0 < n <= _MOST_LABELLED:
        return None
    people = (
        f"{how_many(n, 'item')} labelled by people ({first.human!r}): evidence for the rate, and what judges "
        "are scored by"
    )
    return counts, None, (*sample.notes, *layout.notes, *counted.said(rules), people, _SOME_READ)


_SOME_READ = (
    "a large table: roles were found from some of its rows, votes were counted where they lie, and items "
    "were not kept but for those with a human label"
)


def _filled(scan: Scan) -> tuple[int, dict[str, int], dict[str, int]]:
    """Number of rows, and of each column how many cells are filled, and about how many differ."""
    cells = {c: f"nullif(trim({cell}), '')" for c, cell in scan.cells.items()}
    counts = ", ".join(
        f"count({cell}) AS f{k}, approx_count_distinct({cell}) AS d{k}"
        for k, cell in enumerate(cells.values())
    )
    row = scan.run(f"SELECT count(*) AS n, {counts} FROM {scan.relation}")
    filled, distinct = (
        {c: int(row[f"{letter}{k}"][0]) for k, c in enumerate(cells)} for letter in "fd"
    )
    return int(row["n"][0]), filled, distinct


def _some_rows(opened: Opened, n_rows: int, filled: Mapping[str, int]) -> FileTable:
    """Some rows of a table, in their order."""
    some = f"{ROW} <= {_FIRST} OR {ROW} % {max(1, n_rows // _ALL_OVER)} = 0"
    for column, n in filled.items():
        if 0 < 2 * n < n_rows:
            each = f"{ROW} % {max(1, n // _OF_EACH)} = 0" if n > _OF_EACH else "true"
            some += f" OR (nullif(trim({opened.cells[column]}), '') IS NOT NULL AND {each})"
    numbered = f"SELECT *, row_number() OVER () AS {ROW} FROM {opened.relation}"
    query_file(
        opened,
        f"CREATE OR REPLACE TEMP TABLE some_rows AS SELECT * EXCLUDE ({ROW}) FROM ({numbered}) WHERE {some} "
        f"ORDER BY {ROW}",
    )
    return FileTable(replace(opened, relation="some_rows"))


def _is_simple(first: Results) -> bool:
    """Whether each row is one output, judged once, with one person's label at most and no prompt."""
    reading = first.reading
    once = first.layout == "wide" and first.n_trials == 1 and not (first.runs or reading.runs)
    once = once and len(first.items) == reading.n_rows and not (reading.pairs or reading.grid)
    columns = len(reading.named("human")) == 1 and len(reading.named("system")) <= 1
    columns = columns and len(reading.item) <= 1 and not reading.changed and not first.settled
    no_more = not (reading.named("prompt", "swap", "trial", "score", "slice") or first.scored)
    return once and columns and no_more and bool(first.judged) and not _come_in_groups(first.items)


def _come_in_groups(items: Sequence[str]) -> bool:
    """Whether ids may be those of groups, as p17/0 and p17/1, of which the rows are looked at."""
    stems = Counter(re.split(r"[^0-9A-Za-z]+(?=[0-9A-Za-z]{1,8}$)", item)[0] for item in items)
    return len([n for n in stems.values() if n > 1]) > 1


def _is_otherwise(column: Evidence, filled: int, distinct: int) -> bool:
    """Whether a column of some rows differs from what all rows hold, by how many cells differ."""
    n = len(column.texts)
    if n <= _FEW_TEXTS:
        return distinct > n + 1 + n // 10
    all_distinct = n > 0.95 * column.filled
    return all_distinct and distinct < 0.8 * filled


_FEW_TEXTS = 40


def _counts_alike(
    sample: Table, layout: Layout, rules: Rules, beside: Mapping[str, str], first: Results
) -> bool:
    """Whether votes and human labels of some rows are the same counted as read."""
    votes = first.votes
    try:
        _, judges, meaning, codes, _, _ = read_wide(sample, layout, ColumnRoles(), rules)
        each = Counted(judges, meaning, codes, np.ones(len(codes), np.int64))
        counted = split_by(each, sample, beside, rules)
    except DataError:
        return False
    axes = (counted.judges, meaning.labels, meaning.answers)
    key = next(split.codes for split in counted.splits if split.kind == "human")
    return (
        axes == (votes.judges, votes.labels, votes.answers)
        and np.array_equal(codes, votes.codes)
        and votes.key is not None
        and np.array_equal(key, votes.key)
    )


def _labelled_results(opened: Opened, first: Results, name: str) -> Results | None:
    """Results of the rows with a human label, whose columns have the roles that some rows gave them."""
    cell = f"nullif(trim({opened.cells[first.reading.named('human')[0]]}), '')"
    query_file(
        opened,
        f"CREATE OR REPLACE TEMP TABLE labelled_rows AS SELECT * FROM {opened.relation} WHERE {cell} IS NOT "
        f"NULL LIMIT {_MOST_LABELLED + 1}",
    )
    table = FileTable(replace(opened, relation="labelled_rows"))
    if table.n_rows > _MOST_LABELLED:
        return None
    roles = {column: decision.role for column, decision in first.reading.decided.items()}
    made = results_of(table, replace(first.options, columns=roles), name, always=True)
    if not isinstance(made, Results):
        return None
    reading = replace(made.reading, decided=first.reading.decided)
    return replace(made, reading=reading, options=first.options)


def _with_counts(
    counted: Counted, results: Results, first: Results, rows: Rows, rules: Rules
) -> tuple[GroupedSketch, Results, tuple[str, ...]] | None:
    """Counts and results of the labelled rows, where both say the same of the labels; else None."""
    counts, votes = counted.grouped(), results.votes
    same = {*counts.answers} <= {*votes.answers}  # else the reader of all rows may ask
    if counts.judges != votes.judges or votes.key is None or not same:
        return None
    human = counts.split("human")
    by_label = {
        label: int(counts.cells[human.codes == k].sum()) for k, label in enumerate(human.values)
    }
    named = Counter(votes.labels[k] for k in votes.key[votes.key >= 0].tolist())
    if {label: n for label, n in by_label.items() if n} != dict(named):
        return None
    if counts.has("system"):
        column = counts.split("system")
        if (column.codes < 0).any() or {*column.values} != {*first.systems}:
            return None
        if len(column.values) > 1:
            counts = counts.in_order(rows.in_order(column.name))
    results = replace(results, counts=counts, table_notes=first.table_notes)
    caution = (Pooled(results.pooled),) if results.pooled else ()
    said = *results.notes, *caution, _SOME_READ
    notes = (*first.table_notes, *counted.said(rules), *said)
    return counts, results, notes


# --- Count decision tuples where the data lie: a group-by in DuckDB or in the frame's own engine.


def _refuse_percentage(cut: object) -> None:
    """Refuse a cut in percent of rows whose numbers are not looked at before they are counted."""
    if is_percentage(cut):
        share = exact(cut, "cut")
        raise DataError(
            f"cut must be a number as cells have it, where rows are counted; got {cut!r}; write "
            f"{float(share):g} of cells up to 1, {float(100 * share):g} of cells up to 100"
        )


@takes(CountOptions)
def count(source: Any, options: ReadOptions) -> Sketch | GroupedSketch:
    """Count the decision tuples of a table where it lies, without loading its items.

    Use it for files larger than memory, tables in a database, and the frames of Polars, Dask, Spark and
    Ibis, which count in their own engine: only the distinct tuples come back. The result equals
    ``read_votes(source, ...).sketch()`` with the same options. In a frame, of two spellings that are
    equally common the first in alphabetical order is shown.

    Parameters
    ----------
    source : path, several paths, folder, pattern, data frame (eager or lazy), DuckDB relation, list of dicts
        Wide (a row per item, a column per judge) or long (a row per vote).
    item : str or list of str, optional
        Columns of the item ids: needed for a long table; of a wide one they are looked through for items
        that have two rows, which takes longer than the counting, and are not looked at without it.
    judges : list of str
        Wide: the columns that hold votes, in order. Long: which judges to count, by default all; those of a
        frame are then in natural order.
    human : str, optional
        Wide: a column of human labels. Long: the judge whose answers are human labels.
    system : str, optional
        Wide: the column that says whose output was judged.
    slice : str or list of str, optional
        Wide: columns of groups.
    prompt : str, optional
        Wide, with `system`: the column that pairs outputs of several systems, so that `versus` is paired.
        With `human`, and several outputs of a prompt: labels of a prompt count once in intervals.
    {options}

    Returns
    -------
    Sketch
        With `human`, `system` or `slice` a `GroupedSketch`, which has the counts by their values, too:
        `rate`, `judge_card`, `slices`, `versus`, `self_consistency` and `report` answer from it.

    Raises
    ------
    DataError
        If the source cannot be read as votes, an item or a vote occurs twice, or too many different tuples
        would come back: a frame may have 5,000,000.

    Examples
    --------
    >>> count({"i": ["a", "b", "a"], "j": ["a", "a", None]}, judges=["i", "j"]).to_counts()
    {('a', None): 1, ('a', 'a'): 1, ('b', 'a'): 1}
    >>> count({"i": ["a", "b", "a"], "anna": ["a", "a", None]}, judges=["i"], human="anna")
    GroupedSketch(3 items, 1 judge, labels ['a', 'b'], by human 'anna', 3 cells)
    >>> votes = {"q": [1, 1, 2], "who": ["i", "j", "i"], "said": ["a", "b", "b"]}
    >>> count(votes, item="q", judge="who", answer="said").to_counts()
    {('a', 'b'): 1, ('b', None): 1}
    """
    roles, rules = ColumnRoles.of(options), Rules.of(options)
    _refuse_percentage(options.cut)
    beside = _beside(options)
    by = _by(options)
    if roles.judge is not None and beside:
        return _long_with_people(source, options, beside)
    layout = _layout(roles)
    refuse_scores(source)
    if isinstance(source, Votes) and beside:
        raise DataError(
            f"{option(next(iter(beside.values())))} must name a column of a table; got Votes; count what "
            "they were read from"
        )
    if isinstance(source, Votes):
        return source.select(roles.judges or source.judges).sketch()
    rows = _rows(source, layout, options, beside)
    if rows is not None:
        counted = _count(rows, layout, roles, rules, beside=beside)
        if isinstance(counted, Counted):
            if not beside:
                return counted.sketch()
            made = _counted_beside(counted, rows, (layout, roles, rules), by, beside)
            return _naming_prompts(made, rows.names, options)
        raise DataError(
            "a table must have item ids of one type, and answers that occur again, to be counted where it "
            "lies; got others; read the votes with read_votes"
        )
    table = open_table(source)
    _check_columns(layout, table.names, "the table", beside, options.prompt)
    if layout.kind == "long":
        _, judges, meaning, codes, _, _ = read_long(table, layout, roles, rules)
    else:
        if layout.item:
            wide_items(table, layout)
        judges, meaning, codes, _ = wide_votes(table, layout, rules)
    if beside:
        each = Counted(judges, meaning, codes, np.ones(len(codes), np.int64))
        made = _rows_beside(each, table, rules, by, beside)
        return _naming_prompts(made, table.names, options)
    return Sketch(judges, meaning.labels, meaning.answers, codes, np.ones(len(codes), np.int64))


def _beside(options: ReadOptions) -> dict[str, str]:
    """Columns that tuples are counted by, and the kind of each."""
    beside: dict[str, str] = {}
    kinds = {"human": options.human, "system": options.system, "slice": options.slice}
    for kind, stated in kinds.items():
        listed = isinstance(stated, list | tuple)
        names = [] if stated is None else list(stated) if listed else [stated]
        if kind != "slice" and (len(names) > 1 or not all(isinstance(n, str) for n in names)):
            raise DataError(
                f"{option(kind)} must name one column to count by; got {stated!r}; several people, or labels "
                "from elsewhere, need the rows: read them with read_results"
            )
        for name in map(str, names):
            if name in beside:
                raise DataError(
                    f"column {name!r} must be counted by once; got it twice; name another"
                )
            beside[name] = kind
    if isinstance(options.prompt, str) and "human" in beside.values() and options.system is None:
        return _with_prompts(beside, options.prompt)
    return beside


def _counted_beside(
    counted: Counted,
    rows: Rows,
    how: tuple[Layout, ColumnRoles, Rules],
    by: Prompt | None,
    beside: dict[str, str],
) -> GroupedSketch:
    """Counts of rows where they lie, by columns beside the votes."""

    def paired(by: Prompt | None, columns: dict[str, str]) -> GroupedSketch:
        own = counted if columns is beside else _count(rows, *how, beside=columns)
        assert isinstance(own, Counted)
        return _paired(own, rows, by, how[2], columns)

    return _paired_or_by_prompts(paired, by, beside)


def _paired_or_by_prompts(
    paired: Callable[[Prompt | None, dict[str, str]], GroupedSketch],
    by: Prompt | None,
    beside: dict[str, str],
) -> GroupedSketch:
    """Counts with pairs of outputs, or the prompts of labels where a system has several outputs of one."""
    try:
        return paired(by, beside)
    except SeveralOutputsError:
        if by is None or "human" not in beside.values():
            raise
    return paired(None, _with_prompts(beside, by.prompt))


def _naming_prompts(
    counts: GroupedSketch, names: Iterable[str], options: ReadOptions
) -> GroupedSketch:
    """Counts that name a column of prompts, by which labels were not counted."""
    used = {split.name for split in counts.splits}
    there = [n for n in names if n.casefold() in _NAMES_OF_PROMPTS and n not in used]
    if not there or options.prompt is not None or not counts.has("human"):
        return counts
    return replace(
        counts, codes=counts.codes[counts.tuples], counts=counts.cells, uncounted=there[0]
    )


_NAMES_OF_PROMPTS = ("prompt", "prompt_id", "question", "question_id")


def _rows_beside(
    each: Counted, table: Table, rules: Rules, by: Prompt | None, beside: dict[str, str]
) -> GroupedSketch:
    """Same of rows in memory."""

    def paired(by: Prompt | None, columns: dict[str, str]) -> GroupedSketch:
        return _paired_rows(split_by(each, table, columns, rules), table, by)

    return _paired_or_by_prompts(paired, by, beside)


def _with_prompts(beside: dict[str, str], prompt: str) -> dict[str, str]:
    """Same columns, with that of prompts, which are those of rows with a human label."""
    if prompt in beside:
        raise DataError(f"column {prompt!r} must be counted by once; got it twice; name another")
    return {**beside, prompt: "prompt"}


def _by(options: ReadOptions) -> Prompt | None:
    """Columns that pair outputs, where they are to be paired."""
    if options.prompt is None or (options.system is None and options.human is not None):
        return None
    if not isinstance(options.system, str):
        raise DataError(
            f"{option('prompt')} pairs the outputs of systems; got no system; name their column with "
            f"{option('system')}"
        )
    if not isinstance(options.prompt, str):
        raise DataError(
            f"{option('prompt')} must name one column to pair outputs by; got {options.prompt!r}; make one "
            "of them"
        )
    return Prompt(options.system, options.prompt)


def _paired(
    counted: Counted, rows: Rows, by: Prompt | None, rules: Rules, beside: dict[str, str]
) -> GroupedSketch:
    """Counts, with pairs of outputs where they are to be paired."""
    counts = counted.grouped()
    systems = [name for name, kind in beside.items() if kind == "system"]
    if systems:
        counts = counts.in_order(rows.in_order(systems[0]))
    if by is None:
        return counts
    sides = rows.paired((*counts.judges, *beside), counts.n_judges, by, rules)
    cells = [_cells_of(counts, counted.meaning, side, rules, beside) for side in sides]
    return counts.paired(np.column_stack([*cells, sides[0].weights]))


def _cells_of(
    counts: GroupedSketch, meaning: Meaning, table: Grouped, rules: Rules, beside: dict[str, str]
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Which cell of the counts each row is in."""
    columns = []
    for judge in counts.judges:
        column = table.column(judge)
        texts = [rules.answer(value) for value in column.values]
        if rules.cut is not None:
            texts = cut_column(judge, texts, rules.cut)
        codes, strange = answer_codes(texts, counts.answers)
        if strange is not None:
            raise _changed(judge)
        columns.append(column.look_up(codes))
    rows = np.stack(columns, axis=1).astype(np.int16)
    counted = split_by(Counted(counts.judges, meaning, rows, table.weights), table, beside, rules)
    own = []
    for wide, part in zip(counts.splits, counted.splits, strict=True):
        if not set(part.values) <= set(wide.values):
            raise _changed(wide.name)
        own.append(np.array([*map(wide.values.index, part.values), NOT_ANSWERED])[part.codes])
    held = np.column_stack([counts.codes[counts.tuples], *(s.codes for s in counts.splits)])
    both = np.concatenate([held, np.column_stack([rows, *own])]).astype(np.int64)
    most = max(counts.n_answers, *(len(split.values) for split in counts.splits))
    inverse = group_rows(both, most)[1]
    cell = np.full(int(inverse.max()) + 1, -1, np.int64)
    cell[inverse[: len(held)]] = np.arange(len(held))
    cells = cell[inverse[len(held) :]]
    if (cells < 0).any():
        raise _changed("votes")
    return cells


def _changed(name: str) -> DataError:
    return DataError(
        f"the table must stay the same while it is counted; got other cells in {name!r} the second time; "
        "count a copy of it"
    )


def _paired_rows(counted: Counted, table: Table, by: Prompt | None) -> GroupedSketch:
    """Same of rows in memory, each a cell of its own, of which the constructor takes equal ones together."""
    cells = counted.codes, counted.counts, counted.splits
    axes = counted.judges, counted.meaning.labels, counted.meaning.answers
    named: tuple[str, ...] = ()
    for split in counted.splits:
        if split.kind == "system":
            named = tuple(split.values[k] for k in dict.fromkeys(split.codes.tolist()) if k >= 0)
    if by is None:
        return GroupedSketch(*axes, *cells, systems=named)
    prompts, systems = (_numbers(table.column(name)) for name in (by.prompt, by.system))
    lacking = (prompts < 0) | (systems < 0)
    if lacking.any():
        raise refuse_prompts(by, None, int(lacking.sum()))
    order = np.lexsort([systems, prompts])
    prompts, systems = prompts[order], systems[order]
    same = (np.diff(prompts) == 0) & (np.diff(systems) == 0)
    if same.any():
        row = int(order[int(np.argmax(same))])
        raise refuse_prompts(by, table.column(by.prompt).texts()[row], int(same.sum()) + 1)
    pairs = [np.zeros((0, 3), np.int64)]
    for step in range(1, len(np.unique(systems))):
        first = np.flatnonzero(prompts[step:] == prompts[:-step])
        pairs.append(np.column_stack([order[first], order[first + step], np.ones_like(first)]))
    return GroupedSketch(*axes, *cells, np.concatenate(pairs), named)


def _numbers(column: Column) -> Positions:
    """Cells as whole numbers, equal where their texts are; -1 for none."""
    texts = [(plain(value) or "").strip() for value in column.values]
    order = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return column.look_up([order[text] if text else NOT_ANSWERED for text in texts])


def _long_with_people(source: Any, options: ReadOptions, beside: dict[str, str]) -> GroupedSketch:
    """Counts of a long table in which one of the judges is a person, whose answers are labels."""
    if set(beside.values()) != {"human"}:
        raise DataError(
            "counts by system or slice must be of a wide table, a row an output; got a long one; make a "
            "column of each judge first"
        )
    _ = _by(options)
    human = next(iter(beside))
    judges = None if options.judges is None else [*options.judges, human]
    held = count(source, **{**_counting(options), "judges": judges})
    if human not in held.judges:
        raise DataError(
            f"{option('human')} must be one of the judges of a long table; got {human!r}; they are "
            f"{shown(held.judges)}"
        )
    column = held.judges.index(human)
    rest = [k for k in range(held.n_judges) if k != column]
    if not rest:
        raise DataError(f"a judge beside {human!r} must have voted; got none; name others")
    names = tuple(held.judges[k] for k in rest)
    codes = held.codes[:, column].astype(np.int64)
    codes[codes >= held.n_labels] = NOT_ANSWERED
    split = Split("human", human, held.labels, codes)
    return GroupedSketch(
        names, held.labels, held.answers, held.codes[:, rest], held.counts, (split,)
    )


def _counting(options: ReadOptions) -> dict[str, Any]:
    """Options of a count without what tuples are counted by."""
    names = {f.name for f in fields(CountOptions)} - {"human", "system", "slice", "prompt"}
    return {name: getattr(options, name) for name in names}


def _layout(roles: ColumnRoles) -> Layout:
    """Return what the caller says of the columns."""
    if roles.judge is None and roles.answer is None and roles.judges is not None:
        return Layout("wide", roles.item, votes=roles.judges, chosen=True)
    if not (roles.item and roles.judge and roles.answer):
        raise DataError(
            f"count must be told the columns; got neither {option('judges')} of a wide table nor all of "
            f"{option('item')}, {option('judge')} and {option('answer')} of a long one; name them"
        )
    return Layout("long", roles.item, roles.judge, roles.answer)


def _check_columns(
    layout: Layout,
    names: Iterable[str],
    what: str,
    beside: Mapping[str, str] | None = None,
    prompt: object = None,
) -> None:
    there = tuple(names)
    check_there([prompt] if isinstance(prompt, str) else [], there, what, "prompt")
    for name, kind in (beside or {}).items():
        check_there([name], there, what, kind)
        if name in layout.votes:
            raise DataError(f"column {name!r} must be a judge or {kind}; got it as both; drop one")
    check_there(layout.votes, there, what)
    check_there(layout.item, there, what, "item")
    for stated, name in (("judge", layout.judge), ("answer", layout.answer)):
        check_there([name] if name else [], there, what, stated)


def _rows(
    source: Any, layout: Layout, options: ReadOptions, beside: Mapping[str, str]
) -> Rows | None:
    """Rows that an engine goes through, None for anything in memory, and where a library mixes 1 and True."""
    format = options.format
    listed = isinstance(source, list | tuple) and len(source) > 0
    named = all(map(is_path, source)) if listed else is_path(source)
    if named and not (format in (None, "xlsx") and is_excel(source)):
        paths = table_files(source, ColumnRoles(), ReadOptions(format=format, reader="table"))
        if paths:
            opened = open_parts(paths, format=format, table=options.table)
        else:
            opened = open_file(source, format=format, table=options.table)  # says what is wrong
        _check_columns(layout, opened.cells, opened.path.name, beside, options.prompt)
        return FileRows(of_file(opened))
    if is_arrow(source) and hasattr(source, "scanner"):  # a stream can be read once only
        source = arrow_relation(source)
    if is_relation(source):
        _check_columns(layout, map(str, source.columns), "the relation", beside, options.prompt)
        return FileRows(of_relation(source))
    frame = None if named else open_frame(source)
    if frame is None:
        return None
    _check_columns(layout, frame.names, f"the {frame.kind}", beside, options.prompt)
    columns = (*(layout.votes or (*layout.item, layout.judge, layout.answer)), *beside)
    return FrameRows(frame) if frame.is_lazy or not frame.mixes(columns) else None
