"""Labels of decision tuples joined to rows: the same as item by item, in every engine."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import joining
from algeval.io.answers import ReadOptions, Rules
from algeval.io.joining import TupleTable, join_columns


def panel(n_items, n_judges, seed=0):
    """Columns of votes in several spellings, some missing, and what programs write in their place."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_items)
    columns = {"id": [f"q{item}" for item in range(n_items)]}
    for judge in range(n_judges):
        codes = np.where(rng.random(n_items) < 0.8, truth, 1 - truth)
        cells = [("no", "yes")[code] for code in codes.tolist()]
        for row in np.flatnonzero(rng.random(n_items) < 0.2).tolist():
            cells[row] = (None, " Yes ", "NA", "No.", "error: timeout", "")[row % 6]
        columns[f"judge {judge}"] = cells
    return columns


def columns_of(table):
    """Columns of a frame of any library as lists."""
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pl.DataFrame):
        return table.to_dict(as_series=False)
    if isinstance(table, pd.DataFrame):
        table = table.astype(object).where(table.notna(), None)
        return {name: table[name].tolist() for name in table}
    if isinstance(table, duckdb.DuckDBPyRelation):
        names = table.columns
        return dict(zip(names, map(list, zip(*table.fetchall(), strict=True)), strict=True))
    return table.to_pydict()


ENGINES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("n_judges", [4, 45])
def test_joined_labels_are_those_of_each_item(engine, n_judges):
    columns = panel(120, n_judges)  # votes of 45 judges take two whole numbers
    result = ae.aggregate(columns, "majority")
    frame = ENGINES[engine](columns)
    joined = result.join(frame)
    assert type(joined) is type(frame)
    cells = columns_of(joined)
    assert list(cells) == [*columns, "consensus", "probability"]
    assert cells["consensus"] == result.item_labels
    assert all(cells[name] == columns[name] for name in ("id", "judge 0"))
    expected = [
        None if label is None else top
        for label, top in zip(
            result.item_labels, result.posterior_items.max(axis=1).tolist(), strict=True
        )
    ]
    for got, wanted in zip(cells["probability"], expected, strict=True):
        assert got == (None if wanted is None else pytest.approx(wanted, abs=1e-8))
    assert ("consensus" in columns_of(frame)) is False


@pytest.mark.parametrize("engine", ENGINES)
def test_votes_not_seen_together_have_no_label(engine):
    result = ae.aggregate({"x": ["a", "b"], "y": ["a", "b"], "z": ["a", "b"]}, "majority")
    new = {"x": ["a", "b", "a"], "y": ["a", "b", "b"], "z": ["a", "b", "b"]}
    cells = columns_of(result.join(ENGINES[engine](new), label="said", probability="p"))
    assert cells["said"] == ["a", "b", None]
    first, second = result.posterior_items.max(axis=1).tolist()
    assert cells["p"] == [pytest.approx(first), pytest.approx(second), None]


def test_pandas_keeps_its_index_and_order():
    columns = panel(20, 3)
    frame = pd.DataFrame(columns).set_index("id").iloc[::-1]
    joined = ae.aggregate(frame, "majority").join(frame)
    assert joined.index.equals(frame.index)
    assert "consensus" not in frame


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_are_read_as_votes_are(engine):
    columns = {"x": [1, 0, 1], "y": ["1", "0.0", "1"], "z": [1.0, None, 1.0]}
    result = ae.aggregate(columns, "majority")
    cells = columns_of(result.join(ENGINES[engine](columns)))
    assert cells["consensus"] == result.item_labels


def test_reading_options_are_those_of_the_votes():
    columns = {"x": [7, 2, 9], "y": [8, 3, 1], "z": [9, 1, 8]}
    votes = ae.read_votes(columns, cut=5)
    result = ae.aggregate(votes, "majority")
    for make in ENGINES.values():
        assert columns_of(result.join(make(columns), cut=5))["consensus"] == result.item_labels
        with pytest.raises(DataError, match="must hold answers that were fitted"):
            result.join(make(columns))


def test_what_cannot_be_joined_is_refused():
    columns = panel(20, 3)
    result = ae.aggregate(columns, "majority")
    frame = pl.DataFrame(columns)
    with pytest.raises(DataError, match=r"a column for each judge .* got none for 'judge 1'"):
        result.join(frame.drop("judge 1"))
    with pytest.raises(DataError, match="names of new columns; got 'id'"):
        result.join(frame, label="id")
    with pytest.raises(DataError, match=r"got path 'votes\.csv'"):
        result.join("votes.csv")
    with pytest.raises(DataError, match="got list"):
        result.join([1, 2])
    with pytest.raises(DataError, match="got 'item'; leave it out"):
        result.join(frame, item="id")
    with pytest.raises(DataError, match="got 'perhaps'"):
        result.join(frame.with_columns(pl.lit("perhaps").alias("judge 2")))


def test_many_words_lead_to_the_tuple():
    rng = np.random.default_rng(1)
    codes = np.unique(rng.integers(-1, 3, (60, 70)).astype(np.int16), axis=0)
    names = tuple(f"j{judge}" for judge in range(70))
    texts = ["a", "b", "c", None]
    columns = {
        name: [texts[code] for code in codes[:, at].tolist()] for at, name in enumerate(names)
    }
    table = TupleTable(
        names, ("a", "b", "c"), codes, {"row": [str(row) for row in range(len(codes))]}
    )
    assert len(list(table.steps())) == 3
    for make in ENGINES.values():
        cells = columns_of(join_columns(make(columns), table, Rules.make(None, None, None)))
        assert cells["row"] == [str(row) for row in range(len(codes))]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_with_many_values_of_tuples_are_labelled_alike_and_in_order(
    ending, tmp_path, monkeypatch
):
    rng = np.random.default_rng(2)
    names = np.array([*"abcdefg", None], object)
    cells = {f"j{k}": names[rng.integers(0, 8, 900)].tolist() for k in range(3)}
    source = tmp_path / "votes.parquet"
    pl.DataFrame({"id": [f"q{k}" for k in range(900)], **cells}).write_parquet(source)
    rows = joining.RowsOfFiles.of(str(source), ReadOptions(item="id", judges=list(cells)))
    fit = ae.aggregate(ae.io.count(str(source), judges=list(cells)), "majority")
    table = fit.tuple_table(
        "label", {"a": fit.posterior[:, 0], "tiny": fit.posterior[:, 1] * 3e-20}
    )
    written = []
    for most in (joining._FEW_VALUES, 0):
        monkeypatch.setattr(joining, "_FEW_VALUES", most)
        rows = joining.RowsOfFiles.of(str(source), ReadOptions(item="id", judges=list(cells)))
        path = tmp_path / f"{most}.{ending}"
        rows.write(path, table)
        read = pl.read_csv(path) if ending == "csv" else pl.read_parquet(path)
        written.append(read.to_dicts())
    assert written[0] == written[1]
    assert [row["item"] for row in written[0]] == [f"q{k}" for k in range(900)]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_where_little_memory_does_not_do_more_is_taken(monkeypatch, tmp_path, ending):
    source, out = tmp_path / "v.parquet", tmp_path / f"out.{ending}"
    pd.DataFrame({"id": range(50_000), "x": ["a", "b"] * 25_000}).to_parquet(source)
    table = TupleTable(("x",), ("a", "b"), np.array([[0], [1]], np.int16), {"said": ["A", "B"]})
    limits, limit = [], joining.limit_memory
    monkeypatch.setattr(
        joining, "limit_memory", lambda opened, mb: limits.append(mb) or limit(opened, mb)
    )
    for last, fails in ((100, False), (-98.5, True)):
        monkeypatch.setattr(joining, "_WRITING", (-99.5, -99, last))
        limits.clear()
        rows = joining.RowsOfFiles.of(str(source), ReadOptions(item="id", judges=["x"]))
        rows.opened.connection.execute("SET threads = 2")
        if fails:
            with pytest.raises(DataError, match="room in memory"):
                rows.write(out, table)
        else:
            rows.write(out, table)
            read = pd.read_csv if ending == "csv" else pd.read_parquet
            assert read(out)["said"].tolist() == ["A", "B"] * 25_000
        assert limits == [-99.5, -99, last][ending == "csv" :]


def test_nine_digits_are_those_that_are_spelled():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.random(500), rng.random(500) * 10.0 ** rng.integers(-20, 3, 500)])
    values = np.append(values, [0.0, 1.0, np.nan, 1 / 3])
    spelled = [float(f"{value:.9g}") for value in values.tolist()]
    np.testing.assert_array_equal(joining._nine_digits(values), spelled)
