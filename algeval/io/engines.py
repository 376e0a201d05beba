"""Counts made where a frame lies: Polars, Dask, Spark, a database behind Ibis."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algeval.data import Sketch
from algeval.data.names import NOT_ANSWERED, natural_order
from algeval.errors import DataError, option
from algeval.io.answers import (
    MOST_ANSWERS,
    Column,
    Meaning,
    Positions,
    Rules,
    encode_columns,
    factorise,
    plain,
    score_notes,
)
from algeval.io.formats import nested_cells
from algeval.io.items import (
    chosen_judges,
    is_certain,
    judge_columns,
    left_out,
    left_out_notes,
    wide_votes,
)
from algeval.io.layout import ColumnRoles, Layout, find_layout, shown
from algeval.io.options import UNSTATED, ReadOptions
from algeval.io.reading import refuse_export
from algeval.io.score_tables import scores_in
from algeval.io.sql import LOOKED_AT, MOST_JUDGES, unlike_the_first, votes_notes
from algeval.io.tables import (
    MOST_ROWS,
    TOTAL,
    Frame,
    MemoryTable,
    Table,
    is_path,
    is_relation,
    open_frame,
    series_cells,
)
from algeval.io.tuples import (
    Counted,
    Grouped,
    above_or_below,
    kept_numbers,
    room,
    sides,
    spellings_tie,
)
from algeval.result.numbers import how_many

# --- Distinct rows that came back from an engine: not too many, and in an order that no engine
# decides.


def too_many_rows(frame: Frame, what: str, advice: str) -> DataError:
    """Complaint that more would come back than is brought into memory."""
    return DataError(
        f"the {frame.kind} must have at most {MOST_ROWS} different {what} to be counted; got more; {advice}"
    )


def in_order(table: Grouped) -> Grouped:
    """Same rows, sorted by the texts of their cells, the first column before the second.

    Examples
    --------
    >>> column = Column("j", ("b", "a"), np.array([0, 1, -1]))
    >>> in_order(Grouped({"j": column}, np.array([5, 7, 9]))).weights.tolist()
    [9, 7, 5]
    """
    columns = [_ranked(table.column(name)) for name in table.names]
    order = np.lexsort([column.codes for column in reversed(columns)])
    ordered = {c.name: replace(c, codes=c.codes[order]) for c in columns}
    return Grouped(ordered, table.weights[order], table.notes)


def _ranked(column: Column) -> Column:
    """Column whose values are in alphabetical order."""
    texts = [plain(value) or "" for value in column.values]
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank: Positions = np.full(len(texts) + 1, -1, np.int64)
    rank[order] = np.arange(len(order))
    return Column(
        column.name, tuple(column.values[position] for position in order), rank[column.codes]
    )


# --- What is asked of a cell in a frame's own engine: its value, the side of a cut, an item's id.


def plain_cell(frame: Frame, name: str) -> Any:
    """Expression of a cell as text, number or truth value."""
    import narwhals as nw

    kind, cell = frame.dtype(name), frame.column(name)
    if kind.is_nested():
        raise nested_cells(name)
    if kind.is_integer() or kind.is_float() or kind in (nw.String, nw.Boolean, nw.Object):
        return cell
    return cell.cast(nw.String)


def answer_cell(frame: Frame, name: str, rules: Rules) -> Any:
    """Expression of an answer; where scores are cut, one number stands for each side.

    Numbers near the cut, those that mean no vote or have a new name, and such as are not finite stay as
    they are. So do texts.
    """
    import narwhals as nw

    cell, kind = plain_cell(frame, name), frame.dtype(name)
    if rules.cut is None or not (kind.is_integer() or kind.is_float()):
        return cell
    kept = kept_numbers(rules)
    low, high, below, above = sides(rules.cut, kept)
    end = sys.float_info.max
    over, under = (cell > high) & (cell <= end), (cell < low) & (cell >= -end)
    for number in kept:
        other = (cell < number - room(number)) | (cell > number + room(number))
        over, under = over & other, under & other
    score = cell.cast(nw.Float64)
    return (
        nw.when(over)
        .then(nw.lit(float(above)))
        .otherwise(nw.when(under).then(nw.lit(float(below))).otherwise(score))
    )


def item_cell(frame: Frame, name: str) -> Any:
    """Expression of an item's id: texts without the spaces around them, null where it is empty."""
    import narwhals as nw

    cell = plain_cell(frame, name)
    if frame.dtype(name) != nw.String:
        return cell
    text = cell.str.strip_chars()
    return nw.when(text != "").then(text)


def is_any_of(cell: Any, values: Iterable[object]) -> Any:
    """Whether a cell holds one of some values; not so where it is null."""
    first, *others = (cell == value for value in values)
    for other in others:
        first = first | other
    return first


# --- Count a long frame in its own engine: a sum per judge and item, then the items by their sums.


_MOST_PAIRS = 1_000_000
"""Pairs of a judge and an answer; with more, answers are scores or judges are items."""

_MOST_ANSWERS = 2_000
"""Of different cells of answers, each of which an engine compares with every row."""

_UNIT = 1 << 20
"""What a vote adds to the sum of its judge and item, beside the number of its answer."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The distinct pairs of judge and answer."""

    answer: Column
    judges: list[str]
    weights: Positions
    held: dict[str, list[object]]
    """What the frame holds where a judge is meant, by the judge's name."""
    rules: Rules
    """By which the frame's cells became these answers."""


def count_long_frame(
    frame: Frame, layout: Layout, judges: tuple[str, ...] | None, rules: Rules
) -> Counted:
    """Count the votes of each item, of at most 40 judges; in natural order unless they are named.

    Repeated votes are looked for among the judges that are counted. Of two spellings of an answer that are
    equally common, the first in alphabetical order is shown.
    """
    pairs = _pairs(frame, layout, rules)
    if rules.cut is not None and above_or_below([pairs.answer], rules):
        pairs = _pairs(frame, layout, replace(rules, cut=None))
    names, _ = chosen_judges(natural_order(pairs.held), judges)
    if len(names) > MOST_JUDGES:
        raise DataError(
            f"a long table must have at most {MOST_JUDGES} judges to be counted; got {len(names)}; name some "
            f"of them with {option('judges')}, or read the votes with read_votes"
        )
    meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
    votes = _votes(
        frame, layout, [pairs.held[name] for name in names], _number(frame, layout, pairs, meaning)
    )
    sums, counts = _by_sums(frame, layout, votes)
    again = (sums >= 2 * _UNIT).any(0)
    if again.any():
        row = int(np.argmax(again))
        n_items = int(counts[sums[:, row] >= 2 * _UNIT].sum())
        raise _repeated(frame, layout, names[row], pairs.held[names[row]], n_items)
    codes = (sums % _UNIT - 1).astype(np.int16)
    return Counted(names, meaning, codes, counts, _notes(pairs, names, meaning, rules))


def _pairs(frame: Frame, layout: Layout, rules: Rules) -> _Pairs:
    """Learn in one pass which judges there are, and which answers, and that every row names its item."""
    import narwhals as nw

    blanks = {
        f"blank {position}": nw.when(cell.is_null()).then(nw.lit(1)).otherwise(nw.lit(0))
        for position, cell in enumerate(_item_cells(frame, layout).values())
    }
    keys = {"a": answer_cell(frame, layout.answer, rules), "j": plain_cell(frame, layout.judge)}
    rows = frame.fetched(frame.grouped(keys, **blanks), _MOST_PAIRS + 1)
    if len(rows) > _MOST_PAIRS:
        raise DataError(
            f"a long table must have at most {_MOST_PAIRS} different pairs of judge and answer to be "
            f"counted; got more; pass {option('cut')} if these are scores, or name other columns "
            f"with {option('judge')} and {option('answer')}"
        )
    for name, blank in zip(layout.item, blanks, strict=True):
        _refuse_blank("item", name, sum(rows[blank].to_list()))
    columns = {key: factorise(key, series_cells(rows[key])) for key in keys}
    table = in_order(Grouped(columns, np.asarray(rows[TOTAL].to_numpy(), np.int64)))
    texts = table.column("j").texts()
    nameless = [text is None for text in texts]
    _refuse_blank("judge", layout.judge, int(table.weights[nameless].sum()))
    held: defaultdict[str, list[object]] = defaultdict(list)
    for value in table.column("j").values:
        held[str(plain(value))].append(value)
    answer = replace(table.column("a"), name=layout.answer)
    return _Pairs(answer, list(map(str, texts)), table.weights, dict(held), rules)


def _item_cells(frame: Frame, layout: Layout) -> dict[str, Any]:
    return {f"i{position}": item_cell(frame, name) for position, name in enumerate(layout.item)}


def _refuse_blank(option: str, column: str, n_rows: int) -> None:
    if n_rows:
        raise DataError(
            f"every row must name its {option}; got {how_many(n_rows, 'row')} with none in column "
            f"{column!r}; fill it or choose another with {option}="
        )


def _number(frame: Frame, layout: Layout, pairs: _Pairs, meaning: Meaning) -> Any:
    """Expression of an answer's number from 1 on, 0 where a vote is missing."""
    import narwhals as nw

    if len(pairs.answer.values) > _MOST_ANSWERS:
        raise DataError(
            f"column {layout.answer!r} must have at most {_MOST_ANSWERS} different cells to be counted; got "
            f"{len(pairs.answer.values)}; make it a column of numbers if these are scores to cut"
        )
    meant: defaultdict[int, list[object]] = defaultdict(list)
    for value, code in zip(pairs.answer.values, meaning.codes[0], strict=True):
        if code != NOT_ANSWERED:
            meant[code].append(value)
    cell, number = answer_cell(frame, layout.answer, pairs.rules), nw.lit(0)
    for code, values in meant.items():
        is_it = is_any_of(cell, values)
        number = number + nw.when(is_it).then(nw.lit(code + 1)).otherwise(nw.lit(0))
    return number


def _votes(
    frame: Frame, layout: Layout, judges: Sequence[Sequence[object]], number: Any
) -> dict[str, Any]:
    """Per judge what a row adds to the sum of its item: 0 if it is about another judge."""
    import narwhals as nw

    judge = plain_cell(frame, layout.judge)
    return {
        f"w{position}": nw.when(is_any_of(judge, held))
        .then(number + nw.lit(_UNIT))
        .otherwise(nw.lit(0))
        for position, held in enumerate(judges)
    }


def _by_sums(frame: Frame, layout: Layout, votes: dict[str, Any]) -> tuple[Positions, Positions]:
    """Distinct sums that items have, (rows, judges), and how many items have them."""
    import narwhals as nw

    items = frame.grouped(_item_cells(frame, layout), **votes)
    rows = frame.fetched(items.group_by(*votes).agg(nw.len().alias("items")), MOST_ROWS + 1)
    if len(rows) > MOST_ROWS:
        raise too_many_rows(
            frame,
            "items by their answers",
            f"name fewer judges with {option('judges')}, or count parts of it",
        )
    sums = [np.asarray(rows[name].to_numpy(), np.int64) for name in votes]
    return np.stack(sums, axis=1), np.asarray(rows["items"].to_numpy(), np.int64)


def _repeated(
    frame: Frame, layout: Layout, judge: str, held: Sequence[object], n_items: int
) -> DataError:
    """Complaint about a judge who answers some items twice, with one of them."""
    import narwhals as nw

    theirs = frame.where(is_any_of(plain_cell(frame, layout.judge), held))
    keys = _item_cells(frame, layout)
    rows = theirs.fetched(theirs.grouped(keys).filter(nw.col(TOTAL) > 1), 1)
    item = ":".join(str(plain(rows[key].to_list()[0])) for key in keys)
    return DataError(
        f"each judge must answer an item once; got {rows[TOTAL].to_list()[0]} votes of {judge!r} on item "
        f"{item!r} ({how_many(n_items, 'item')} with repeated votes of this judge); keep one of each"
    )


def _notes(
    pairs: _Pairs, judges: tuple[str, ...], meaning: Meaning, rules: Rules
) -> tuple[str, ...]:
    kept = int(pairs.weights[np.isin(pairs.judges, judges)].sum())
    others = int(pairs.weights.sum()) - kept
    read, *left = votes_notes(how_many(len(judges), "judge"), kept, others)
    return (read, *score_notes(meaning.answers, rules), *left)


# --- Count a wide frame in its own engine: its distinct rows stand for all of them.


def count_wide_frame(frame: Frame, layout: Layout, rules: Rules) -> Counted:
    """Count the columns `layout.votes`; where `layout.item` names columns, each item has one row.

    Of two spellings of an answer that are equally common, the first in alphabetical order is shown.
    """
    if frame.index.named or not set(layout.item) & set(frame.index.columns):
        _refuse_repeated_items(frame, layout.item)
    grouped = _distinct_rows(frame, layout.votes, rules)
    judges, meaning, codes, notes = wide_votes(grouped, layout, rules)
    return Counted(judges, meaning, codes, grouped.weights, notes)


def count_wide_frame_like(frame: Frame, sample: Table, layout: Layout, rules: Rules) -> Counted:
    """Count a frame whose columns of votes are those of its first rows."""
    columns, _ = judge_columns(sample, layout, rules)
    gone = left_out(sample, layout, rules)
    for name, why in gone.items():
        _refuse_later_votes(frame, name, why, rules)
    kept = tuple(name for name in layout.votes if name not in gone)
    counted = count_wide_frame(frame, replace(layout, votes=kept), rules)
    expected = tuple(column.name for column in columns)
    if counted.judges != expected:
        raise unlike_the_first(f"judges {shown(expected)}", f"judges {shown(counted.judges)}")
    return replace(counted, notes=(*left_out_notes(gone), *counted.notes))


def _distinct_rows(frame: Frame, names: Sequence[str], rules: Rules) -> Grouped:
    table = _grouped(frame, names, rules)
    if above_or_below([table.column(name) for name in names], rules):
        table = _grouped(frame, names, replace(rules, cut=None))
    return in_order(table) if spellings_tie(table, rules) else table


def _grouped(frame: Frame, names: Sequence[str], rules: Rules) -> Grouped:
    keys = {f"k{position}": answer_cell(frame, name, rules) for position, name in enumerate(names)}
    grouped_columns, counts = frame.distinct(keys, MOST_ROWS + 1)
    if len(counts) > MOST_ROWS:
        raise too_many_rows(
            frame,
            "rows of answers",
            f"name fewer judges with {option('judges')}, or pass {option('cut')} if these are "
            "scores in columns of numbers",
        )
    columns = zip(names, grouped_columns, strict=True)
    return Grouped({name: replace(column, name=name) for name, column in columns}, counts)


def _refuse_repeated_items(frame: Frame, names: Sequence[str]) -> None:
    import narwhals as nw

    if not names:
        return
    keys = {f"i{position}": item_cell(frame, name) for position, name in enumerate(names)}
    items = frame.grouped(keys)
    odd = nw.col(TOTAL) > 1
    for key in keys:
        odd = odd | nw.col(key).is_null()
    rows = frame.fetched(items.filter(odd), 1)
    if not len(rows):
        return
    ids = [plain(rows[key].to_list()[0]) for key in keys]
    n = int(rows[TOTAL].to_list()[0])
    if None in ids:
        raise DataError(
            f"every row must name its item; {how_many(n, 'row')} with none in column "
            f"{names[ids.index(None)]!r}; fill it or choose another with {option('item')}"
        )
    raise DataError(
        f"a wide table must have one row per item; got item {':'.join(map(str, ids))!r} in {n} rows of the "
        f"{frame.kind}; name another column or a list of columns with {option('item')}, or "
        f"{option('judge')} and {option('answer')} of a "
        "long table"
    )


def _refuse_later_votes(frame: Frame, name: str, why: str, rules: Rules) -> None:
    """Refuse a column that was left out for its first rows, and holds votes in others."""
    if is_certain(why):
        return
    (column,), counts = frame.distinct({name: answer_cell(frame, name, rules)}, MOST_ANSWERS)
    alone = Layout("wide", (), votes=(name,))
    if not left_out(Grouped({name: column}, counts), alone, rules):
        raise unlike_the_first(f"no votes in {name!r} ({why})", "votes in other rows of it")


# --- Count a frame in its own engine: its columns as told, or found as reading finds them.


_COUNTED = {"item", "judge", "answer", "judges", "layout"}
_COUNTED |= {"missing", "labels", "cut", "exact_labels", "map"}


def count_frame(
    frame: Frame, layout: Layout, judges: tuple[str, ...] | None, rules: Rules
) -> Counted:
    """Count the columns that a layout names; errors are those of `algeval.io.count`."""
    if layout.kind == "long":
        return count_long_frame(frame, layout, judges, rules)
    return count_wide_frame(frame, layout, rules)


def counted_frame(
    source: Any, options: ReadOptions = UNSTATED, *, scores: bool = False
) -> tuple[Sketch, tuple[str, ...]] | None:
    """Counts and notes that reading a lazy frame gives; None where votes are to be read.

    The layout is that of the first 10,000 rows that the engine gives; all rows are counted in the engine,
    and only the distinct rows come back. Judges of a long frame are in natural order. Votes are to be read
    of anything but a lazy frame, where an option needs the items, or where it looks like `scores`.
    """
    if options.stated().keys() - _COUNTED:
        return None
    frame = _lazy(source)
    if frame is None:
        return None
    roles, rules = ColumnRoles.of(options), Rules.of(options)
    sample = MemoryTable(frame.cells(frame.names, LOOKED_AT), f"counted in a {frame.kind}")
    if not roles.anything:
        refuse_export(sample)
    layout = find_layout(sample, roles)
    if scores and scores_in(sample, layout, rules):
        return None
    if layout.kind == "long":
        counted = count_long_frame(frame, layout, roles.judges, rules)
    else:
        counted = count_wide_frame_like(frame, sample, layout, rules)
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    return counted.sketch(), (*sample.notes, *layout.notes, *rest, *counted.said(rules))


def _lazy(source: Any) -> Frame | None:
    """Frame whose rows are not in memory, None for anything else."""
    if is_path(source) or is_relation(source) or isinstance(source, list | tuple | dict):
        return None
    frame = open_frame(source)
    return frame if frame is not None and frame.is_lazy else None
