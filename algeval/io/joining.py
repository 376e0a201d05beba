"""Labels of decision tuples joined to the rows of a table, in the engine that holds them.

Every vote becomes a digit, the votes of a row one whole number, and that number a position in the list of
decision tuples: a look-up, no join of tables, so that rows keep their order. Of the rows only the different
cells of the judges are fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import NOT_ANSWERED, Codes
from algeval.data.sketch import group_rows
from algeval.errors import DataError, option
from algeval.io.answers import (
    MOST_ANSWERS,
    Positions,
    Rules,
    answer_codes,
    cut_column,
    factorise,
    unmasked,
)
from algeval.io.counting import LOOKED_AT
from algeval.io.engines import is_any_of, plain_cell
from algeval.io.formats import (
    Opened,
    decoded,
    is_nested,
    one_sentence,
    quoted,
    sql_text,
    watched_query,
)
from algeval.io.layout import ColumnRoles, find_layout, open_parts, shown
from algeval.io.options import ReadOptions
from algeval.io.reading import table_files
from algeval.io.tables import FileTable, Frame, is_arrow, is_path, is_relation, open_frame
from algeval.io.tuples import Scan, item_key, looked_up, of_file, of_relation
from algeval.result.files import OF_TABLES, check_ending, refuse_alike, whole_file

_MOST_CELLS = 10 * MOST_ANSWERS
"""Of different cells of a judge; with more they are no labels."""

MOST_TUPLES = 200_000
"""Of different decision tuples that an expression of an engine lists."""

_MOST_CASES = 16
"""Up to so many different cells of a judge are compared one by one in DuckDB."""

_MOST_LISTED = 100_000
"""Numbers below this are looked up in a list of all of them in DuckDB, others by their text."""

_ROW_TUPLE, _ROW_ITEM = '"algeval tuple"', '"algeval item"'


@dataclass(frozen=True, slots=True, eq=False)
class TupleTable:
    """Values that go with each decision tuple: `codes` (U, N) and {column: one value a tuple}."""

    judges: tuple[str, ...]
    answers: tuple[str, ...]
    codes: Codes
    columns: dict[
        str, list[str | None] | NDArray[np.float64]
    ]  # numbers are NaN where there is none

    def steps(self) -> Iterator[tuple[range, int, dict[int, int]]]:
        """Judges taken together, the base of their digits, and {number: position of these votes}.

        The position that the judges before led to is the first digit of the number; a vote is its code
        plus 1. The last positions are those of the tuples.
        """
        n_tuples, n_judges = self.codes.shape
        base = len(self.answers) + 1
        together = max(1, int((62 - np.log2(n_tuples + 1)) / np.log2(base)))
        before: Positions = np.zeros(n_tuples, np.int64)
        for start in range(0, n_judges, together):
            judges = range(start, min(start + together, n_judges))
            number = before
            for judge in judges:
                number = number * base + self.codes[:, judge] + 1
            last = judges.stop == n_judges
            different, position = np.unique(number, return_inverse=True)
            before = np.arange(n_tuples) if last else position.astype(np.int64)
            keys = number if last else different
            positions = before if last else np.arange(len(different))
            yield judges, base, dict(zip(keys.tolist(), positions.tolist(), strict=True))

    def check(self, names: Sequence[str], what: str) -> None:
        """Refuse a table without the judges' columns, or with columns of the names to add."""
        gone = [judge for judge in self.judges if judge not in names]
        if gone:
            raise DataError(
                f"{what} must have a column for each judge of the result, {shown(self.judges)}; got none for "
                f"{gone[0]!r}; join the wide table that the votes were read from"
            )
        taken = [name for name in self.columns if name in names]
        if taken:
            raise DataError(
                f"label and probability must be names of new columns; got {taken[0]!r}, which {what} has; "
                "choose another name"
            )

    def check_size(self) -> None:
        """Refuse more tuples than an engine takes in one expression."""
        if len(self.codes) > MOST_TUPLES:
            raise DataError(
                f"a result must have at most {MOST_TUPLES} different decision tuples to be joined where "
                f"rows lie; got {len(self.codes)}; collect the table first, or aggregate fewer judges"
            )


def _codes(judge: str, values: Sequence[object], table: TupleTable, rules: Rules) -> list[int]:
    """Code of each cell of a judge."""
    texts = [rules.answer(value) for value in values]
    if rules.cut is not None:
        texts = cut_column(judge, texts, rules.cut)
    codes, strange = answer_codes(texts, table.answers)
    if strange is not None:
        raise DataError(
            f"column {judge!r} must hold answers that were fitted, {shown(table.answers)}; got {strange!r}; "
            f"correct it, or pass the reading options that the votes were read with, such as {option('map')}"
        )
    return codes


def _too_many(judge: str) -> DataError:
    return DataError(
        f"column {judge!r} must hold at most {_MOST_CELLS} different cells to be labelled; got more; join a "
        "table of labels"
    )


def join_columns(source: Any, table: TupleTable, rules: Rules) -> Any:
    """Source with the columns of a table of tuples, null in rows whose votes are none of its tuples."""
    if is_path(source):
        raise DataError(
            f"source must be a data frame, an Arrow table or a DuckDB relation; got path {str(source)!r}; "
            "read it lazily with polars.scan_parquet or duckdb.read_parquet, or use algeval aggregate FILE -o"
        )
    if is_relation(source):
        return _of_relation(source, table, rules)
    frame = None if is_arrow(source) else open_frame(source)
    if frame is None:
        raise DataError(
            f"source must be a data frame, an Arrow table or a DuckDB relation; got {type(source).__name__}; "
            "pass the table that the votes were read from"
        )
    table.check(frame.names, f"the {frame.kind}")
    if not frame.is_lazy:
        return _of_memory(source, frame, table, rules)
    if not frame.kind.startswith("polars"):
        raise DataError(
            f"a lazy frame must be one of Polars, or a DuckDB relation, to be labelled; got a {frame.kind}; "
            "write its rows to Parquet and use algeval aggregate FILE -o labels.parquet"
        )
    return _of_lazy(frame, table, rules)


# --- Frames in memory.


def _of_memory(source: Any, frame: Frame, table: TupleTable, rules: Rules) -> Any:
    """Eager frame of pandas, Polars or PyArrow, with its index."""
    import narwhals as nw

    cells = frame.cells(table.judges)
    codes = np.empty((len(frame.data), len(table.judges)), np.int16)
    for position, judge in enumerate(table.judges):
        column = factorise(judge, cells[judge])
        codes[:, position] = column.look_up(_codes(judge, column.values, table, rules))
    both = np.concatenate([table.codes, codes])
    different, row_of = group_rows(both, len(table.answers))
    position_of = np.full(len(different), -1, np.int64)
    position_of[row_of[: len(table.codes)]] = np.arange(len(table.codes))
    rows = position_of[row_of[len(table.codes) :]]
    added: dict[str, Any] = {}
    for name, values in table.columns.items():
        if isinstance(values, np.ndarray):
            numbers = np.append(values, np.nan)[rows]
            whole = hasattr(source, "assign") or not np.isnan(numbers).any()
            added[name] = numbers if whole else [None if v != v else v for v in numbers.tolist()]
        else:
            texts = [*values, None]
            added[name] = [texts[row] for row in rows.tolist()]
    if hasattr(source, "assign"):
        return source.assign(**added)
    native = nw.from_native(source, eager_only=True)
    engine = native.implementation
    series = [nw.new_series(name, values, backend=engine) for name, values in added.items()]
    return native.with_columns(*series).to_native()


# --- Lazy frames of Polars: an expression.


def _of_lazy(frame: Frame, table: TupleTable, rules: Rules) -> Any:
    import narwhals as nw

    table.check_size()
    digits = []
    for judge in table.judges:
        cell = plain_cell(frame, judge)
        (column,), counts = frame.distinct({judge: cell}, _MOST_CELLS + 1)
        if len(counts) > _MOST_CELLS:
            raise _too_many(judge)
        digit: Any = nw.lit(0, nw.Int64)
        means = _codes(judge, column.values, table, rules)
        for code in sorted(set(means) - {NOT_ANSWERED}):
            values = [v for v, own in zip(column.values, means, strict=True) if own == code]
            is_it = is_any_of(cell, values)
            digit = digit + nw.when(is_it).then(nw.lit(code + 1)).otherwise(nw.lit(0))
        digits.append(digit)
    number: Any = nw.lit(0, nw.Int64)
    data, name = frame.data, _ROW_TUPLE.strip('"')
    for judges, base, positions in table.steps():
        for judge_number in judges:
            number = number * base + digits[judge_number]
        data = data.with_columns(number.alias(name))
        keys, values = list(positions), list(positions.values())
        number = nw.col(name).replace_strict(keys, values, default=-1, return_dtype=nw.Int64)
    data = data.with_columns(number.alias(name))
    added = []
    for new, column_values in table.columns.items():
        numbers = isinstance(column_values, np.ndarray)
        kind = nw.Float64 if numbers else nw.String
        held = [v for v in enumerate(column_values) if v[1] is not None and v[1] == v[1]]
        olds, news = [p for p, _ in held], [v for _, v in held]
        looked = (
            nw.col(name).replace_strict(olds, news, default=None, return_dtype=kind)
            if held
            else nw.lit(None, kind)
        )
        added.append(looked.alias(new))
    return data.with_columns(*added).drop(name).to_native()


# --- DuckDB: relations and files.


def _of_relation(source: Any, table: TupleTable, rules: Rules) -> Any:
    names = list(map(str, source.columns))
    table.check(names, "the relation")
    nested = [j for j, k in zip(names, source.types, strict=True) if is_nested(str(k))]
    if set(nested) & set(table.judges):
        raise DataError(
            f"column {nested[0]!r} must hold one plain value per cell; got lists; flatten it"
        )
    labelled = source
    steps = _sql_steps(of_relation(source), table, rules)
    for step in steps:
        labelled = labelled.project(step)
    columns = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in _sql_columns(table).items())
    return labelled.project(f"* EXCLUDE ({_ROW_TUPLE}), {columns}")


def _sql_steps(scan: Scan, table: TupleTable, rules: Rules) -> list[str]:
    """Lists of columns to select one after the other, the last of which holds the position of the tuple."""
    table.check_size()
    digits = []
    for judge in table.judges:
        cell = scan.cells[judge]
        cells = scan.run(
            f"SELECT DISTINCT {cell} AS a FROM {scan.relation} WHERE {cell} IS NOT NULL "
            f"LIMIT {_MOST_CELLS + 1}"
        )
        raw = [str(value) for value in unmasked(cells["a"])]
        if len(raw) > _MOST_CELLS:
            raise _too_many(judge)
        codes = _codes(judge, decoded(judge, raw, scan.json), table, rules)
        means = {text: code + 1 for text, code in zip(raw, codes, strict=True)}
        if 0 < len(means) <= _MOST_CASES:  # four times as fast as a look-up
            cases = " ".join(f"WHEN {sql_text(text)} THEN {code}" for text, code in means.items())
            digits.append(f"(CASE {cell} {cases} ELSE 0 END)::BIGINT")
        else:
            digits.append(looked_up(cell, means, 0))
    selected: list[str] = []
    before = "0::BIGINT"
    for judges, base, positions in table.steps():
        number = before
        for judge_number in judges:
            number = f"({number} * {base} + {digits[judge_number]})"
        kept = f"* EXCLUDE ({_ROW_TUPLE})" if selected else "*"
        selected.append(f"{kept}, {number} AS {_ROW_TUPLE}")
        size = (max(positions) if positions else 0) + 1
        if size <= _MOST_LISTED:
            listed = ", ".join(str(positions.get(key, -1)) for key in range(size))
            before = f"coalesce(([{listed}]::BIGINT[])[{_ROW_TUPLE} + 1], -1)"
        else:
            texts = {str(key): position for key, position in positions.items()}
            before = looked_up(f"CAST({_ROW_TUPLE} AS VARCHAR)", texts, -1, all_listed=False)
    return [*selected, f"* EXCLUDE ({_ROW_TUPLE}), {before} AS {_ROW_TUPLE}"]


def _sql_columns(table: TupleTable) -> dict[str, str]:
    columns = {}
    for name, values in table.columns.items():
        numbers = isinstance(values, np.ndarray)
        listed = ", ".join(
            "NULL" if value is None or value != value else _sql_value(value) for value in values
        )
        kind = "DOUBLE" if numbers else "VARCHAR"
        columns[name] = f"([{listed}]::{kind}[])[nullif({_ROW_TUPLE}, -1) + 1]"
    return columns


def _sql_value(value: str | float) -> str:
    # nine digits: what comes after differs between machines
    return sql_text(value) if isinstance(value, str) else f"{value:.9g}"


@dataclass(frozen=True, slots=True)
class RowsOfFiles:
    """Wide files whose rows can be labelled one after the other, without being loaded."""

    opened: Opened
    scan: Scan
    items: tuple[str, ...]
    rules: Rules

    @classmethod
    def of(cls, source: Any, options: ReadOptions) -> RowsOfFiles | None:
        """Rows of a wide table; None of a long one, and of ids that are numbers and texts."""
        roles = ColumnRoles.of(options).with_key(options.key)
        paths = table_files(source, roles, options)
        if not paths:
            return None
        opened = open_parts(paths, format=options.format, table=options.table)
        first = f"(SELECT * FROM {opened.relation} LIMIT {LOOKED_AT})"
        layout = find_layout(FileTable(replace(opened, relation=first)), roles)
        scan = of_file(opened)
        if layout.kind == "long" or (layout.item and item_key(scan, layout.item) is None):
            return None
        return cls(opened, scan, layout.item, Rules.of(options))

    def write(self, path: Path, table: TupleTable) -> None:
        """Write each row's item and what goes with its votes, as CSV, TSV or Parquet by the ending."""
        import duckdb

        ending = check_ending(path, OF_TABLES)
        if ending == ".parquet":
            refuse_alike(["item", *table.columns])
        key = item_key(self.scan, self.items) if self.items else "row_number() OVER ()"
        first, *rest = _sql_steps(self.scan, table, self.rules)
        query = f"SELECT {first}, CAST({key} AS VARCHAR) AS {_ROW_ITEM} FROM {self.scan.relation}"
        for step in rest:
            query = f"SELECT {step} FROM ({query})"
        columns = {"item": _ROW_ITEM, **_sql_columns(table)}
        listed = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in columns.items())
        mark = "," if ending == ".csv" else "\t"
        form = "FORMAT parquet, ROW_GROUP_SIZE 100000"
        form = form if ending == ".parquet" else f"FORMAT csv, HEADER, DELIMITER '{mark}'"
        try:
            with whole_file(path) as beside:
                copy = f"COPY (SELECT {listed} FROM ({query})) TO {sql_text(str(beside))} ({form})"
                with watched_query(self.opened.connection, copy):
                    self.opened.connection.execute(copy)
        except duckdb.Error as error:
            raise one_sentence(self.opened.path, error) from None
