"""Labels of decision tuples joined to the rows of a table, in the engine that holds them.

Every vote becomes a digit, the votes of a row one whole number, and that number a position in the list of
decision tuples. Where rows have an order or an index that is a look-up, and they keep it; Ibis and Spark join
a table of the tuples. Of the rows only the different cells of the judges are fetched.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import NOT_ANSWERED, Codes
from algeval.data.sketch import group_rows
from algeval.errors import DataError, option
from algeval.io.answers import (
    MOST_ANSWERS,
    Column,
    Positions,
    ReadOptions,
    Rules,
    answer_codes,
    cut_column,
    factorise,
    plain,
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
    read_call,
    spill_folder,
    sql_text,
    watched_query,
)
from algeval.io.layout import ColumnRoles, find_layout, open_parts, shown
from algeval.io.reading import table_files
from algeval.io.tables import LEAVING, FileTable, Frame, is_arrow, is_path, is_relation, open_frame
from algeval.io.tuples import Scan, item_key, limit_memory, looked_up, of_file, of_relation
from algeval.result.files import OF_TABLES, check_ending, refuse_alike, whole_file
from algeval.result.numbers import how_many

_MOST_CELLS = 10 * MOST_ANSWERS
"""Of different cells of a judge; with more they are no labels."""

MOST_TUPLES = 200_000
"""Of different decision tuples that an expression of an engine lists."""

_MOST_CASES = 16
"""Up to so many different cells of a judge are compared one by one in DuckDB."""

_MOST_LISTED = 100_000
"""Numbers below this are looked up in a list of all of them in DuckDB, others by their text."""

_TUPLE = "algeval tuple"
_WRITING = (0, 50, 300)
"""MB, beside those of each thread, for DuckDB while it labels a file, as it keeps what it read while there is
room; more where that was too little."""

_FEW_VALUES = 100_000
"""Up to so many values of all tuples that is enough for it."""

_ROW_TUPLE, _ROW_ITEM = f'"{_TUPLE}"', '"algeval item"'


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

    def check(self, names: Sequence[str], what: str, *, folded: bool = False) -> None:
        """Refuse a table without the judges' columns, or with columns of the names to add.

        folded : whether names that differ in case alone are one name.
        """
        gone = [judge for judge in self.judges if judge not in names]
        if gone:
            raise DataError(
                f"{what} must have a column for each judge of the result, {shown(self.judges)}; got none for "
                f"{gone[0]!r}; join the wide table that the votes were read from"
            )
        there = {name.casefold() for name in names} if folded else set(names)
        taken = [name for name in self.columns if (name.casefold() if folded else name) in there]
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
    if not frame.is_lazy:
        table.check(frame.names, f"the {frame.kind}")
        return _of_memory(source, frame, table, rules)
    look_up = _LOOK_UPS.get(frame.kind.split()[0])
    if look_up is None:
        raise DataError(
            "a lazy frame must be of Polars, Dask, Ibis or PySpark, or a DuckDB relation, to be labelled; "
            f"got a {frame.kind}; write its rows to Parquet and use algeval aggregate FILE -o labels.parquet"
        )
    return _of_lazy(source, frame, table, rules, look_up)


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


# --- Lazy frames: votes become a number by expressions, which each engine looks up as it does best.


def _of_lazy(source: Any, frame: Frame, table: TupleTable, rules: Rules, look_up: LookUp) -> Any:
    """Lazy frame that adds the columns when it is run, and keeps its own, and its index if it has one."""
    import narwhals as nw

    if frame.index.columns:  # of Dask, whose rows keep theirs
        frame = _with_its_index(source, frame)
    engine = frame.kind.split()[0]
    in_sql = engine in ("ibis", "pyspark")
    table.check(frame.names, f"the {frame.kind}", folded=in_sql)
    table.check_size()
    cells = {judge: plain_cell(frame, judge) for judge in table.judges}
    meanings = _meanings(frame, cells, table, rules)
    if engine == "dask":
        data = _mapped_digits(frame, cells, meanings)
        made = [f"{_TUPLE} digit {judge}" for judge in cells]
        digits = [nw.col(name) for name in made]
    else:
        data, made = frame.data, []
        digits = [_digit(cells[judge], means) for judge, means in meanings.items()]
    number: Any = nw.lit(0)
    for judges, base, positions in table.steps():
        for judge in judges:
            number = number * base + digits[judge]
        here, after = f"{_TUPLE} {judges.start}", f"{_TUPLE} before {judges.stop}"
        last = judges.stop == len(table.judges)
        columns = _kept_columns(table) if last else {after: list(positions.values())}
        data = look_up(data.with_columns(number.alias(here)), here, list(positions), columns)
        made += [here] if last else [here, after]
        number = nw.col(after)
    native = data.drop(*made).to_native()
    renamed = list(frame.native) != list(frame.native.values())
    return native.toDF(*frame.names, *table.columns) if in_sql and renamed else native


def _with_its_index(source: Any, frame: Frame) -> Frame:
    """Frame with its index left as it is."""
    import narwhals as nw

    texts = [str(name) for name in source.columns]
    if texts != list(source.columns):
        raise DataError(
            f"columns of a {frame.kind} must have texts for names to be labelled; got "
            f"{list(source.columns)[:5]}; rename them"
        )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=LEAVING)
        data: Any = nw.from_native(source)
    return Frame(data, frame.kind, dict(zip(texts, texts, strict=True)))


def _kept_columns(table: TupleTable) -> dict[str, list[Any]]:
    """Columns of the tuples as lists, with None in the place of no number."""
    return {
        name: [None if v is None or v != v else v for v in np.asarray(values, object).tolist()]
        for name, values in table.columns.items()
    }


def _meanings(
    frame: Frame, cells: dict[str, Any], table: TupleTable, rules: Rules
) -> dict[str, dict[object, int]]:
    """Code plus 1 of each cell of each judge that is a vote."""
    meanings = {}
    for judge, column in _columns_of_cells(frame, cells).items():
        codes = _codes(judge, column.values, table, rules)
        pairs = zip(column.values, codes, strict=True)
        meanings[judge] = {value: code + 1 for value, code in pairs if code != NOT_ANSWERED}
    return meanings


def _digit(cell: Any, means: dict[object, int]) -> Any:
    """Vote as its code plus 1, 0 where there is none; one case in another, which Ibis types right."""
    import narwhals as nw

    digit: Any = nw.lit(0)
    for number in sorted(set(means.values()), reverse=True):
        values = [value for value, own in means.items() if own == number]
        digit = nw.when(is_any_of(cell, values)).then(nw.lit(number)).otherwise(digit)
    return digit.cast(nw.Int64)


def _mapped_digits(
    frame: Frame, cells: dict[str, Any], meanings: dict[str, dict[object, int]]
) -> Any:
    """Frame of Dask with the digits as columns: a case for each answer would take it seconds to plan."""
    import narwhals as nw

    names = {judge: f"{_TUPLE} digit {judge}" for judge in cells}
    native = frame.data.with_columns(
        *(cell.alias(names[judge]) for judge, cell in cells.items())
    ).to_native()
    digits = {
        name: native[name].map(meanings[judge], meta=(name, float)).fillna(0).astype("int64")
        for judge, name in names.items()
    }
    return nw.from_native(native.assign(**digits))


def _columns_of_cells(frame: Frame, cells: dict[str, Any]) -> dict[str, Column]:
    """Different cells of each judge: of all judges in one run where few rows differ, else a run each."""
    keys = {f"k{position}": cell for position, cell in enumerate(cells.values())}
    columns, counts = frame.distinct(keys, MOST_TUPLES + 1)
    if len(counts) > MOST_TUPLES:
        columns = [frame.distinct({key: keys[key]}, _MOST_CELLS + 1)[0][0] for key in keys]
    for judge, column in zip(cells, columns, strict=True):
        if len(column.values) > _MOST_CELLS:
            raise _too_many(judge)
    return dict(zip(cells, columns, strict=True))


LookUp = Callable[[Any, str, list[int], dict[str, list[Any]]], Any]
"""Narwhals frame with new columns, {name: values}, that go with the numbers of a column, else null."""


def _replaced(data: Any, number: str, keys: list[int], columns: dict[str, list[Any]]) -> Any:
    """In Polars by an expression, so that rows keep their order."""
    import narwhals as nw

    added = []
    for name, values in columns.items():
        held = [(key, v) for key, v in zip(keys, values, strict=True) if v is not None]
        kind = _kind(values)
        looked = (
            nw.col(number).replace_strict(
                [k for k, _ in held], [v for _, v in held], default=None, return_dtype=kind
            )
            if held
            else nw.lit(None, kind)
        )
        added.append(looked.alias(name))
    return data.with_columns(*added)


def _kind(values: list[Any]) -> Any:
    import narwhals as nw

    first = next((value for value in values if value is not None), "")
    return {int: nw.Int64, float: nw.Float64}.get(type(first), nw.String)


def _mapped(data: Any, number: str, keys: list[int], columns: dict[str, list[Any]]) -> Any:
    """In Dask by partition, which keeps partitions and index; workers need nothing but pandas."""
    import narwhals as nw

    native, added = data.to_native(), {}
    for name, values in columns.items():
        kind = _kind(values)
        meta = object if kind is nw.String else float
        looked = native[number].map(dict(zip(keys, values, strict=True)), meta=(name, meta))
        if kind is nw.Int64:
            looked = looked.fillna(-1).astype("int64")
        added[name] = looked.astype("string[pyarrow]") if kind is nw.String else looked
    return nw.from_native(native.assign(**added))


def _joined(data: Any, number: str, keys: list[int], columns: dict[str, list[Any]]) -> Any:
    """In Ibis and Spark by a join with a small table, which Spark sends to every worker."""
    import narwhals as nw

    native = data.to_native()
    kinds = {number: nw.Int64, **{name: _kind(values) for name, values in columns.items()}}
    if hasattr(native, "sparkSession"):
        spelled = {nw.Int64: "bigint", nw.Float64: "double", nw.String: "string"}
        schema = ", ".join(f"`{name}` {spelled[kind]}" for name, kind in kinds.items())
        rows = list(zip(keys, *columns.values(), strict=True))
        beside = native.sparkSession.createDataFrame(rows, schema).hint("broadcast")
    else:
        import ibis
        import pyarrow as pa

        arrow = {nw.Int64: pa.int64(), nw.Float64: pa.float64(), nw.String: pa.string()}
        lists = {number: keys, **columns}
        beside = ibis.memtable(
            pa.table({name: pa.array(lists[name], arrow[kind]) for name, kind in kinds.items()})
        )
    return data.join(nw.from_native(beside), on=number, how="left")


_LOOK_UPS: dict[str, LookUp] = {
    "polars": _replaced,
    "dask": _mapped,
    "ibis": _joined,
    "pyspark": _joined,
}


# --- Some of the rows of each tuple, drawn at random.
#
# A row is drawn if its number, a hash or a random one, is among the lowest of its tuple. So many rows are
# looked at only: those below a threshold that leaves enough of each tuple but once in 10^9.


def draw_rows(source: Any, table: TupleTable, wanted: Positions, seed: int, rules: Rules) -> Any:
    """Rows of a table with the columns of their tuples: of each tuple as many, at random, as are wanted.

    wanted : (U, 2), how many of how many rows; of a tuple with all of its rows wanted none is looked for.
    """
    positions = np.arange(len(table.codes), dtype=np.float64)
    numbered = replace(table, columns={**table.columns, _TUPLE: positions})
    joined = join_columns(source, numbered, rules)
    if is_relation(source):
        return _drawn_of_relation(joined, wanted, seed)
    frame = open_frame(joined)
    if frame is not None and frame.is_lazy:
        return _DRAWS[frame.kind.split()[0]](joined, wanted, seed)
    return _drawn_of_memory(joined, wanted, seed)


def _drawn_of_memory(joined: Any, wanted: Positions, seed: int) -> Any:
    import narwhals as nw

    native: Any = nw.from_native(joined, eager_only=True)
    tuples = np.array(
        [-1 if v is None or v != v else int(v) for v in native[_TUPLE].to_list()], np.int64
    )
    have = np.bincount(tuples[tuples >= 0], minlength=len(wanted))
    check_counted(have, wanted, "row")
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(tuples >= 0)
    rows = rows[np.lexsort((rng.random(len(rows)), tuples[rows]))]
    rank = np.arange(len(rows)) - np.repeat(np.cumsum(have) - have, have)
    kept = np.sort(rows[rank < wanted[tuples[rows], 0]])
    drawn = native[kept.tolist()] if len(kept) else native.head(0)
    return drawn.drop(_TUPLE).to_native()


def check_counted(have: Positions, wanted: Positions, what: str) -> None:
    """Refuse a table that holds fewer rows, or prompts, of a tuple than are to be drawn."""
    short = np.flatnonzero(have < wanted[:, 0])
    if len(short):
        k = int(short[0])
        raise DataError(
            f"the table must hold the {what}s that were counted; got {how_many(int(have[k]), what)} of a "
            f"tuple of which {int(wanted[k, 0])} are to be drawn; draw from the table that was counted"
        )


def _thresholds(wanted: Positions) -> NDArray[np.float64]:
    """Share of the rows of each tuple that are looked at."""
    n, size = wanted[:, 0].astype(np.float64), np.maximum(wanted[:, 1], 1)
    share: NDArray[np.float64] = np.minimum((n + 9 * np.sqrt(n) + 40) / size, 1.0)
    return share


def _drawn_of_polars(joined: Any, wanted: Positions, seed: int, by: str | None = None) -> Any:
    import polars as pl

    own = pl.DataFrame(
        {
            _TUPLE: np.arange(len(wanted)) * 1.0,
            f"{_TUPLE} n": wanted[:, 0],
            f"{_TUPLE} most": _thresholds(wanted) * 2.0**64,
        }
    ).lazy()
    each = pl.int_range(pl.len(), dtype=pl.UInt64) if by is None else pl.col(by)
    hashed = each.hash(seed).alias(f"{_TUPLE} hash")
    near = (
        joined.with_columns(hashed)
        .filter(pl.col(_TUPLE).is_not_null())
        .join(own, on=_TUPLE, how="inner", maintain_order="left")
        .filter(pl.col(f"{_TUPLE} hash").cast(pl.Float64) <= pl.col(f"{_TUPLE} most"))
    )
    rank = pl.col(f"{_TUPLE} hash").rank("ordinal").over(_TUPLE)
    kept = near.filter(rank <= pl.col(f"{_TUPLE} n"))
    return kept.drop(_TUPLE, f"{_TUPLE} n", f"{_TUPLE} most", f"{_TUPLE} hash")


def _drawn_of_relation(joined: Any, wanted: Positions, seed: int) -> Any:
    number = f"CAST({quoted(_TUPLE)} AS BIGINT) + 1"
    n = ", ".join(map(str, wanted[:, 0].tolist()))
    most = ", ".join(map(str, (_thresholds(wanted) * 2.0**64).tolist()))
    names = [str(name) for name in joined.columns if name != _TUPLE]
    own = ", ".join(map(quoted, names))
    first = int(
        np.random.default_rng(seed).integers(1 << 60)
    )  # a hash of two numbers mixes them badly
    hashed = f"hash(row_number() OVER () + {first})"
    near = joined.project(f"*, {hashed} AS {quoted(f'{_TUPLE} hash')}").filter(
        f"{quoted(_TUPLE)} IS NOT NULL AND CAST({quoted(f'{_TUPLE} hash')} AS DOUBLE) <= "
        f"([{most}]::DOUBLE[])[{number}]"
    )
    over = f"PARTITION BY {quoted(_TUPLE)} ORDER BY {quoted(f'{_TUPLE} hash')}"
    ranked = near.project(
        f"{own}, ([{n}]::BIGINT[])[{number}] AS {quoted(f'{_TUPLE} n')}, row_number() OVER ({over}) "
        f"AS {quoted(f'{_TUPLE} rank')}"
    )
    kept = ranked.filter(f"{quoted(f'{_TUPLE} rank')} <= {quoted(f'{_TUPLE} n')}")
    return kept.project(own)


def _drawn_of_dask(joined: Any, wanted: Positions, seed: int, by: str | None = None) -> Any:
    """Candidates of each partition, then the lowest numbers of them all; workers need nothing but pandas."""
    number, share, n = f"{_TUPLE} number", _thresholds(wanted), wanted[:, 0]

    # functions within this one are sent to the workers as they are
    def near(part: Any, partition_info: Any = None) -> Any:
        if by is None:
            own = np.random.default_rng(
                [seed, partition_info["number"]] if partition_info else seed
            )
            numbers = own.random(len(part))
        else:
            texts = (f"{seed} {cell}".encode() for cell in part[by])
            hashes = [blake2b(text, digest_size=8).digest() for text in texts]
            numbers = np.array([int.from_bytes(h, "big") / 2.0**64 for h in hashes])
        drawn = part.assign(**{number: numbers})[part[_TUPLE].notna()]
        return drawn[drawn[number] <= share[drawn[_TUPLE].astype("int64")]]

    def lowest(part: Any) -> Any:
        rank = part.groupby(_TUPLE)[number].rank("first")
        return part[rank <= n[part[_TUPLE].astype("int64")]].drop(columns=[_TUPLE, number])

    numbered = joined.assign(**{number: 0.0})
    some = numbered.map_partitions(near, meta=numbered)
    return some.repartition(npartitions=1).map_partitions(
        lowest, meta=joined.drop(columns=[_TUPLE])
    )


def _drawn_of_spark(joined: Any, wanted: Positions, seed: int, by: str | None = None) -> Any:
    from pyspark.sql import Window
    from pyspark.sql import functions as sf

    number, n, most = (f"{_TUPLE} {name}" for name in ("number", "n", "most"))
    schema = f"`{_TUPLE}` double, `{n}` bigint, `{most}` double"
    own = [(float(k), int(m), share) for k, (m, share) in _listed_by_tuple(wanted)]
    beside = joined.sparkSession.createDataFrame(own, schema).hint("broadcast")
    mixed = sf.rand(seed)
    if by is not None:
        mixed = sf.pmod(sf.xxhash64(sf.col(f"`{by}`"), sf.lit(seed)), sf.lit(_BUCKETS)) / _BUCKETS
    drawn = joined.withColumn(number, mixed).join(beside, on=_TUPLE, how="inner")
    near = drawn.filter(sf.col(number) <= sf.col(most))
    rank = sf.row_number().over(Window.partitionBy(_TUPLE).orderBy(number))
    ranked = near.withColumn(f"{_TUPLE} rank", rank)
    kept = ranked.filter(sf.col(f"{_TUPLE} rank") <= sf.col(n))
    return kept.drop(_TUPLE, number, n, most, f"{_TUPLE} rank")


def _drawn_of_ibis(joined: Any, wanted: Positions, seed: int, by: str | None = None) -> Any:
    import ibis
    import pyarrow as pa

    number, key, n, most = (f"{_TUPLE} {name}" for name in ("number", "key", "n", "most"))
    own = list(_listed_by_tuple(wanted))
    columns = {
        key: pa.array([float(k) for k, _ in own], pa.float64()),
        n: pa.array([m for _, (m, _) in own], pa.int64()),
        most: pa.array([int(share * _BUCKETS) for _, (_, share) in own], pa.int64()),
    }
    first = int(np.random.default_rng(seed).integers(1 << 60))
    each = ibis.row_number() + first if by is None else joined[by].cast("string") + f" {first}"
    hashed = joined.mutate(**{number: each.hash()})
    beside = ibis.memtable(pa.table(columns))
    drawn = hashed.join(beside, hashed[_TUPLE] == beside[key], how="inner")
    bucket = (drawn[number] % _BUCKETS + _BUCKETS) % _BUCKETS
    near = drawn.filter(bucket <= drawn[most])
    order = ibis.window(group_by=_TUPLE, order_by=number)
    ranked = near.mutate(**{f"{_TUPLE} rank": ibis.row_number().over(order)})  # from 0
    kept = ranked.filter(ranked[f"{_TUPLE} rank"] < ranked[n])
    return kept.drop(_TUPLE, number, key, n, most, f"{_TUPLE} rank")


_BUCKETS = 1 << 50
"""Hashes have the ends of their engine; what they leave when divided by this has not."""


def _listed_by_tuple(wanted: Positions) -> Iterator[tuple[int, tuple[int, float]]]:
    """Position of each tuple of which rows are wanted, how many, and the share that is looked at."""
    numbers, shares = wanted[:, 0].tolist(), _thresholds(wanted).tolist()
    yield from ((k, own) for k, own in enumerate(zip(numbers, shares, strict=True)) if own[0])


_DRAWS: dict[str, Callable[..., Any]] = {
    "polars": _drawn_of_polars,
    "dask": _drawn_of_dask,
    "ibis": _drawn_of_ibis,
    "pyspark": _drawn_of_spark,
}


# --- Both outputs of some of the prompts, drawn by a hash of the prompt, whatever the order of rows.


@dataclass(frozen=True, slots=True, eq=False)
class PairsOfTuples:
    """Pairs of tuples of which prompts are drawn, by the outputs of two systems."""

    prompt: str
    system: str
    systems: tuple[str, ...]
    n_tuples: int
    groups: dict[tuple[int, int], int]  # positions of both tuples: that in the columns
    columns: dict[str, NDArray[np.float64]]

    @property
    def numbers(self) -> dict[int, int]:
        """Number of each pair of tuples, as it is made of both positions, and its group."""
        return {a * self.n_tuples + b: group for (a, b), group in self.groups.items()}

    @property
    def spellings(self) -> dict[str, str]:
        """How engines write each system, and which it is: 1 also as 1.0, a flag as True or true."""
        written: dict[str, str] = {}
        for name in self.systems:
            flags = (name.lower(), name.capitalize()) if name.lower() in ("true", "false") else ()
            more = [f"{name}.0"] if name.isdigit() else []
            written |= dict.fromkeys((name, *more, *flags), name)
        return written

    def written(self, side: int) -> list[str]:
        """How engines write the first system, or the second."""
        return [text for text, name in self.spellings.items() if name == self.systems[side]]

    def check(self, names: Sequence[str]) -> None:
        """Refuse a table without the columns of prompts and systems, or with one of a name to add."""
        for name in (self.prompt, self.system):
            if name not in names:
                raise DataError(
                    f"the table must have a column {name!r}; got {shown(names)}; draw from the table counted"
                )
        taken = [name for name in self.columns if name.casefold() in {n.casefold() for n in names}]
        if taken:
            raise DataError(
                f"the table must have no column {taken[0]!r}, which is added; rename it"
            )


def draw_pairs(
    source: Any, table: TupleTable, pairs: PairsOfTuples, wanted: Positions, seed: int, rules: Rules
) -> Any:
    """Rows of both systems for as many prompts of each pair of tuples as are wanted, with their columns."""
    positions = np.arange(len(table.codes), dtype=np.float64)
    joined = join_columns(source, replace(table, columns={_TUPLE: positions}), rules)
    if is_relation(source):
        pairs.check([str(name) for name in source.columns])
        return _pairs_of_relation(joined, pairs, wanted, seed)
    frame = open_frame(source)
    assert frame is not None  # as a table was joined to it
    pairs.check(frame.names)
    if not frame.is_lazy:
        return _pairs_of_memory(joined, pairs, wanted, seed)
    return _pairs_of_lazy(joined, frame, pairs, wanted, seed)


def _pairs_of_memory(joined: Any, pairs: PairsOfTuples, wanted: Positions, seed: int) -> Any:
    import narwhals as nw

    native: Any = nw.from_native(joined, eager_only=True)
    parts = (native[name].to_list() for name in (pairs.prompt, pairs.system, _TUPLE))
    sides: list[dict[Any, int]] = [{}, {}]
    rows, spellings = [], pairs.spellings
    for prompt, system, position in zip(*parts, strict=True):
        name = spellings.get(str(system).strip(), spellings.get(plain(system) or ""))
        rows.append(None if name is None else prompt)
        if name is not None and position is not None and position == position:
            sides[pairs.systems.index(name)][prompt] = int(position)
    both = [(p, pairs.groups.get((a, sides[1].get(p, -1)))) for p, a in sides[0].items()]
    prompts = [p for p, group in both if group is not None]
    group = np.array([g for _, g in both if g is not None], np.int64)
    have = np.bincount(group, minlength=len(wanted))
    check_counted(have, wanted, "prompt")
    order = np.lexsort((np.random.default_rng(seed).random(len(group)), group))
    rank = np.arange(len(group)) - np.repeat(np.cumsum(have) - have, have)
    drawn = order[rank < wanted[group[order], 0]].tolist()
    group_of = {prompts[k]: int(group[k]) for k in drawn}
    kept = [row for row, prompt in enumerate(rows) if prompt in group_of]
    taken = native[kept] if kept else native.head(0)
    added = [
        nw.new_series(
            name,
            [float(values[group_of[rows[k]]]) for k in kept],
            nw.Float64,
            backend=native.implementation,
        )
        for name, values in pairs.columns.items()
    ]
    if hasattr(joined, "assign"):  # of pandas, which keeps its index
        return (
            joined.iloc[kept].drop(columns=[_TUPLE]).assign(**{s.name: s.to_numpy() for s in added})
        )
    return taken.drop(_TUPLE).with_columns(*added).to_native()


def _pairs_of_lazy(
    joined: Any,
    frame: Frame,
    pairs: PairsOfTuples,
    wanted: Positions,
    seed: int,
) -> Any:
    import narwhals as nw

    columns, engine = [*frame.names, _TUPLE], frame.kind.split()[0]
    names = [f"c{k}" for k in range(len(columns))] if engine == "pyspark" else columns
    if engine == "pyspark":  # a point in a name would be taken for a field
        joined = joined.toDF(*names)
    prompt, system, tuple_ = (names[columns.index(n)] for n in (pairs.prompt, pairs.system, _TUPLE))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=LEAVING)
        data: Any = nw.from_native(joined)
    said = nw.col(system).cast(nw.String).str.strip_chars()
    first, other = f"{_TUPLE} first", f"{_TUPLE} other"
    own, others = (
        data.filter(said.is_in(pairs.written(side)), ~nw.col(tuple_).is_null()).select(
            prompt, nw.col(tuple_).alias(name)
        )
        for side, name in enumerate((first, other))
    )
    number = (nw.col(first) * pairs.n_tuples + nw.col(other)).cast(nw.Int64)
    both = own.join(_as_another(others, engine), on=prompt, how="inner")
    groups = list(pairs.numbers.values())
    new = {_TUPLE: [float(g) for g in groups]}
    new |= {name: values[groups].tolist() for name, values in pairs.columns.items()}
    numbered = _as_another(both.select(prompt, number.alias(first)), engine)
    looked = _LOOK_UPS[engine](numbered, first, list(pairs.numbers), new).drop(first)
    drawn = nw.from_native(_DRAWS[engine](looked.to_native(), wanted, seed, prompt))
    rows = data.filter(said.is_in([*pairs.spellings])).drop(tuple_)
    drawn_rows = rows.join(_as_another(drawn, engine), on=prompt, how="inner")
    native = drawn_rows.select(
        *(name for name in names if name != tuple_), *pairs.columns
    ).to_native()
    kept = [name for name in columns if name != _TUPLE]
    return native.toDF(*kept, *pairs.columns) if engine == "pyspark" else native


def _as_another(data: Any, engine: str) -> Any:
    """Same frame as Ibis wants it, where it is joined to one that it was made of."""
    import narwhals as nw

    return nw.from_native(data.to_native().view()) if engine == "ibis" else data


def _pairs_of_relation(
    joined: Any,
    pairs: PairsOfTuples,
    wanted: Positions,
    seed: int,
) -> Any:
    prompt, tuple_ = quoted(pairs.prompt), quoted(_TUPLE)
    said = f"trim(CAST({quoted(pairs.system)} AS VARCHAR))"
    first = int(np.random.default_rng(seed).integers(1 << 60))
    shares = _thresholds(wanted).tolist()
    listed = ", ".join(
        f"({number}, {group}, {wanted[group, 0]}, {shares[group]!r}::DOUBLE, "
        f"{', '.join(_double(values[group]) for values in pairs.columns.values())})"
        for number, group in pairs.numbers.items()
        if wanted[group, 0]
    )
    new = ", ".join(map(quoted, pairs.columns))
    sides = " JOIN ".join(
        f"(SELECT {prompt} AS p, {tuple_} AS t FROM rows WHERE {said} IN "
        f"({', '.join(map(sql_text, pairs.written(side)))})) {name}"
        for side, name in enumerate("ab")
    )
    names = ", ".join(map(sql_text, pairs.spellings))
    query = (
        f"WITH groups(number, g, n, most, {new}) AS (VALUES {listed}), pairs AS (SELECT a.p, "
        f"hash(CAST(a.p AS VARCHAR) || ' {first}') AS h, groups.* FROM {sides} ON a.p = b.p JOIN groups ON "
        f"CAST(a.t * {pairs.n_tuples} + b.t AS BIGINT) = number), near AS (SELECT * FROM pairs WHERE "
        f"CAST(h AS DOUBLE) <= most * pow(2, 64)), drawn AS (SELECT p, {new} FROM near QUALIFY "
        f"row_number() OVER (PARTITION BY g ORDER BY h) <= n) SELECT rows.* EXCLUDE ({tuple_}), {new} "
        f"FROM rows JOIN drawn ON rows.{prompt} = drawn.p WHERE {said} IN ({names})"
    )
    return joined.query("rows", query)


def _double(number: float) -> str:
    return "NULL::DOUBLE" if np.isnan(number) else f"{float(number)!r}::DOUBLE"


# --- DuckDB: relations and files.


def _of_relation(source: Any, table: TupleTable, rules: Rules) -> Any:
    names = list(map(str, source.columns))
    table.check(names, "the relation", folded=True)
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


Values = Sequence[str | int | None] | NDArray[np.float64]
Kept = Callable[[Values, str], str]
"""SQL of a list, of a type of DuckDB, that is looked into again and again."""


def _listed(values: Values, kind: str) -> str:
    """List in the query itself."""
    cells = ("NULL" if value is None or value != value else _sql_value(value) for value in values)
    return f"([{', '.join(cells)}]::{kind}[])"


def _sql_steps(scan: Scan, table: TupleTable, rules: Rules, kept: Kept = _listed) -> list[str]:
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
        every = f"* EXCLUDE ({_ROW_TUPLE})" if selected else "*"
        for judge_number in judges:
            number = f"({number} * {base} + {digits[judge_number]})"
        selected.append(f"{every}, {number} AS {_ROW_TUPLE}")
        size = (max(positions) if positions else 0) + 1
        if size <= _MOST_LISTED:
            listed = kept([positions.get(key, -1) for key in range(size)], "BIGINT")
            before = f"coalesce({listed}[{_ROW_TUPLE} + 1], -1)"
        else:
            texts = {str(key): position for key, position in positions.items()}
            before = looked_up(f"CAST({_ROW_TUPLE} AS VARCHAR)", texts, -1, all_listed=False)
    return [*selected, f"* EXCLUDE ({_ROW_TUPLE}), {before} AS {_ROW_TUPLE}"]


def _sql_columns(table: TupleTable, kept: Kept = _listed) -> dict[str, str]:
    columns = {}
    for name, values in table.columns.items():
        listed = kept(values, "DOUBLE" if isinstance(values, np.ndarray) else "VARCHAR")
        columns[name] = f"{listed}[nullif({_ROW_TUPLE}, -1) + 1]"
    return columns


def _sql_value(value: str | float) -> str:
    # nine digits: what comes after differs between machines
    if isinstance(value, int):
        return str(value)
    return sql_text(value) if isinstance(value, str) else f"{value:.9g}"


def _nine_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Numbers as nine digits spell them."""
    size = np.abs(values)
    step = 8 - np.floor(np.log10(np.where(size > 0, size, 1.0)))
    plain = (size == 0) | ((step >= 0) & (step <= 22))  # by an exact power of ten
    power = 10.0 ** np.where(plain, step, 0.0)
    short = np.where(plain, np.rint(values * power) / power, values)
    for row in np.flatnonzero(~plain & np.isfinite(values)).tolist():
        short[row] = float(f"{values[row]:.9g}")
    return short


@dataclass(frozen=True, slots=True)
class RowsOfFiles:
    """Wide files whose rows can be labelled one after the other, without being loaded."""

    opened: Opened
    scan: Scan
    items: tuple[str, ...]
    rules: Rules
    variables: list[str] = field(default_factory=list)

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

    def _variable(self, values: Values, kind: str) -> str:
        """Variable of DuckDB: in the query itself each value of a long list would take 200 bytes and more."""
        name = f"algeval_{len(self.variables)}"
        self.variables.append(name)
        own: NDArray[Any] = np.array(values, object if kind == "VARCHAR" else None)
        if kind == "DOUBLE":
            own = _nine_digits(own)
        run = self.opened.connection
        run.register(name, {"v": own, "k": np.arange(len(own))})
        cell = (
            f"CASE WHEN isnan(v) THEN NULL ELSE v END::{kind}" if kind == "DOUBLE" else f"v::{kind}"
        )
        run.execute(
            f"SET VARIABLE {name} = (SELECT coalesce(list({cell} ORDER BY k), []) FROM {name})"
        )
        run.unregister(name)
        return f"getvariable('{name}')"

    def write(self, path: Path, table: TupleTable) -> None:
        """Write each row's item and what goes with its votes, as CSV, TSV or Parquet by the ending."""
        import duckdb

        ending = check_ending(path, OF_TABLES)
        if ending == ".parquet":
            refuse_alike(["item", *table.columns])
        key = item_key(self.scan, self.items) if self.items else "row_number() OVER ()"
        try:
            self._write(path, table, ending, str(key))
        except duckdb.Error as error:
            raise one_sentence(self.opened.path, error) from None

    @contextmanager
    def in_parts(
        self, table: TupleTable, size: int
    ) -> Iterator[Callable[[str], Iterator[list[Any]]]]:
        """Yield what goes through a column of `write`, of which "item" is one, in lists of so many rows."""
        with tempfile.TemporaryDirectory(dir=spill_folder()) as folder:
            path = Path(folder, "rows.parquet")
            self.write(path, table)
            run = self.opened.connection

            def parts(column: str) -> Iterator[list[Any]]:
                cells = run.execute(
                    f"SELECT {quoted(column)} FROM {read_call('read_parquet', path)}"
                )
                while rows := cells.fetchmany(size):
                    yield [row[0] for row in rows]

            yield parts

    def _write(self, path: Path, table: TupleTable, ending: str, key: str) -> None:
        few = len(table.codes) * (len(table.columns) + 1) <= _FEW_VALUES
        first, *rest = _sql_steps(self.scan, table, self.rules, self._variable)
        query = f"SELECT {first}, CAST({key} AS VARCHAR) AS {_ROW_ITEM} FROM {self.scan.relation}"
        for step in rest if few else rest[:-1]:
            query = f"SELECT {step} FROM ({query})"
        columns = {"item": _ROW_ITEM}
        if few:
            columns |= _sql_columns(table, self._variable)
        else:  # a list would be copied for every two thousand rows
            columns |= self._stored(table)
            query = f"({query}) LEFT JOIN algeval_values ON {_ROW_TUPLE} = number"
            self.opened.connection.execute("SET disabled_optimizers = 'build_side_probe_side'")
        listed = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in columns.items())
        mark = "," if ending == ".csv" else "\t"
        form = "FORMAT parquet, ROW_GROUP_SIZE 100000"
        form = form if ending == ".parquet" else f"FORMAT csv, HEADER, DELIMITER '{mark}'"
        with whole_file(path) as beside:
            rows = f"({query})" if few else query
            copy = f"COPY (SELECT {listed} FROM {rows}) TO {sql_text(str(beside))} ({form})"
            rooms = _WRITING if ending == ".parquet" else _WRITING[1:]  # texts of whole row groups
            self._copy(copy, rooms if few else ())

    def _copy(self, query: str, rooms: Sequence[int]) -> None:
        """Run a query within the first limit on memory that does, or the one there is without any."""
        import duckdb

        for room in rooms:
            limit_memory(self.opened, room)
            try:
                with watched_query(self.opened.connection, query):
                    self.opened.connection.execute(query)
            except duckdb.OutOfMemoryException:
                if room == rooms[-1]:
                    raise
            else:
                return
        with watched_query(self.opened.connection, query):
            self.opened.connection.execute(query)

    def _stored(self, table: TupleTable) -> dict[str, str]:
        """Columns of a table of the tuples by their last number, the SQL of each."""
        (*_, (_, _, numbers)) = table.steps()
        own: dict[str, NDArray[Any]] = {"number": np.array(list(numbers), np.int64)}
        position = np.array(list(numbers.values()))
        columns, cells = {}, ["number"]
        for k, (name, values) in enumerate(table.columns.items()):
            columns[name] = column = f"v{k}"
            if isinstance(values, np.ndarray):
                own[column] = _nine_digits(values)[position]
                cells.append(f"CASE WHEN NOT isnan({column}) THEN {column} END AS {column}")
            else:
                own[column] = np.array(values, object)[position]
                cells.append(f"{column}::VARCHAR AS {column}")
        run = self.opened.connection
        run.register("algeval_columns", own)
        run.execute(
            f"CREATE TEMP TABLE algeval_values AS SELECT {', '.join(cells)} FROM algeval_columns"
        )
        run.unregister("algeval_columns")
        return columns
