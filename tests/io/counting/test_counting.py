import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.io import count, read_votes

DATA = Path(__file__).parents[3] / "../shared/data"
JUDGES = ["i", "j", "k"]


def table(n=400, seed=3):
    rng = np.random.default_rng(seed)
    cells = {
        name: rng.choice(["a", "b", "tie", None], n, p=[0.5, 0.3, 0.1, 0.1]) for name in JUDGES
    }
    return {"item": [f"q{place}" for place in range(n)]} | {k: v.tolist() for k, v in cells.items()}


def sources(tmp_path):
    cells = table()
    frame = pl.DataFrame(cells)
    frame.write_csv(tmp_path / "v.csv")
    frame.write_parquet(tmp_path / "v.parquet")
    frame.write_ndjson(tmp_path / "v.jsonl")
    con = duckdb.connect()
    con.execute(f"CREATE TABLE v AS SELECT * FROM '{tmp_path / 'v.parquet'}'")
    return {
        "csv": tmp_path / "v.csv",
        "parquet": tmp_path / "v.parquet",
        "jsonl": tmp_path / "v.jsonl",
        "pandas": pd.DataFrame(cells),
        "polars": frame,
        "lazy": frame.lazy(),
        "arrow": pa.table(cells),
        "duckdb": con.sql("SELECT * FROM v WHERE item <> 'none'"),
        "mapping": cells,
        "records": [
            dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)
        ],
        "votes": read_votes(cells),
    }


KINDS = "csv parquet jsonl pandas polars lazy arrow duckdb mapping records votes"


@pytest.mark.parametrize("kind", KINDS.split())
def test_counts_where_the_data_lie_equal_votes_read_then_counted(tmp_path, kind):
    cells = table()
    expected = Votes.from_columns({name: cells[name] for name in JUDGES}).sketch()
    source = sources(tmp_path)[kind]
    assert count(source, judges=JUDGES) == expected
    assert count(source, judges=["k", "i"]) == expected.marginal(["k", "i"])
    assert read_votes(source, judges=JUDGES).sketch() == expected


def test_labels_missing_and_spelling(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("i,j\n1.0,1\n?,0\n1, 1.00\nx,NA\n")
    sketch = count(path, judges=["i", "j"], labels=["0", "1"], missing="?")
    assert sketch.answers == ("0", "1", "x")
    assert sketch.to_counts() == {(None, "0"): 1, ("1", "1"): 2, ("x", None): 1}
    assert count(pl.read_csv(path), judges=["i", "j"], labels=["0", "1"], missing="?") == sketch


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, lambda x: pl.DataFrame(x).lazy()])
def test_cut_on_frames_and_files_agree(tmp_path, make):
    rng = np.random.default_rng(1)
    cells = {name: rng.random(600) for name in JUDGES}
    cells["k"][::7] = np.nan
    path = tmp_path / "v.csv"
    pd.DataFrame(cells).to_csv(path, index=False)
    expected = count(path, judges=JUDGES, cut=0.3)
    assert expected.missing.tolist() == [0, 0, 86]
    assert expected == read_votes(path, judges=JUDGES, cut=0.3).sketch()
    assert count(make(cells), judges=JUDGES, cut=0.3) == expected


def test_bad_counting_gets_one_sentence(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("i,j\na,b\nb\n")
    with pytest.raises(DataError, match="got 1 on line 3"):
        count(path, judges=["i"])
    with pytest.raises(DataError, match=r"columns of v.csv; got 'x'; the columns are 'i', 'j'"):
        count(path, judges=["x"])
    with pytest.raises(DataError, match="the polars DataFrame; got 'x'"):
        count(pl.DataFrame({"i": ["a"]}), judges=["x"])
    with pytest.raises(DataError, match="must hold numbers to be cut at 1; got 'a'"):
        count({"i": ["a"]}, judges=["i"], cut=1)
    path.write_text("i\n" + "".join(f"{k}\n" for k in range(1001)))
    with pytest.raises(DataError, match="at most 1000 different answers; got 1001"):
        count(path, judges=["i"])
    path.write_text("i\n" + "".join(f"{k}\n" for k in range(10_001)))
    with pytest.raises(DataError, match="at most 1000 different answers"):
        count(path, judges=["i"])
    con = duckdb.connect()
    with pytest.raises(DataError, match="the relation; got 'x'"):
        count(con.sql("SELECT 1 AS i"), judges=["x"])


def test_bad_frames_get_one_sentence():
    with pytest.raises(DataError, match="distinct column names"):
        count(pd.DataFrame([["a", "b"]], columns=["i", "i"]), judges=["i"])
    with pytest.raises(DataError, match="one plain value per cell"):
        count(pd.DataFrame({"i": [["a"], ["b"]]}), judges=["i"])
    with pytest.raises(DataError, match="source must be a path, a data frame"):
        count(3, judges=["i"])


def test_narrow_floats_and_categories():
    cells = {"i": [0.1, 0.5, None], "j": [0.1, 0.5, 0.5]}
    narrow = pl.DataFrame(cells, schema={"i": pl.Float32, "j": pl.Float64})
    assert count(narrow, judges=["i", "j"]) == read_votes(narrow).sketch()
    kinds = pd.DataFrame({"i": ["a", "b", None], "j": ["b", "b", "a"]}, dtype="category")
    assert count(kinds, judges=["i", "j"]) == read_votes(kinds).sketch()


def test_header_only(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("i,j\n")
    with pytest.raises(DataError, match="at least one answer"):
        count(path, judges=["i", "j"])


def test_shards_add_up(tmp_path):
    cells = pl.DataFrame(table())
    parts = []
    for place, part in enumerate((cells[:150], cells[150:])):
        path = tmp_path / f"{place}.parquet"
        part.write_parquet(path)
        parts.append(count(path, judges=JUDGES, labels=["a", "b", "tie"]))
    whole: Sketch = parts[0] + parts[1]
    assert whole == count(cells, judges=JUDGES)


@pytest.mark.skipif(not DATA.exists(), reason="shared data absent")
def test_civil_comments():
    path = DATA / "civilcomments_judge_scores.csv"
    votes = read_votes(path, cut=4.5)
    assert count(path, judges=votes.judges, cut=4.5) == votes.sketch()


def test_engines_load_only_when_used():
    code = (
        "import sys, algeval.io; "
        "print([m for m in ('duckdb', 'narwhals', 'pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_only_the_core_dependencies_are_needed(tmp_path):
    """CSV, JSON lines, Parquet and relations are read without pandas, polars or pyarrow."""
    code = f"""
import sys
for name in ("pandas", "polars", "pyarrow"):
    sys.modules[name] = None
import duckdb
from algeval.io import count, read_votes
con = duckdb.connect()
con.execute("CREATE TABLE v AS SELECT 'q' || i AS item, i % 2 AS i, (i % 3) / 1.0 AS j FROM range(9) r(i)")
expected = read_votes(con.table("v")).sketch()
for end, options in (("csv", ""), ("jsonl", ""), ("parquet", "(FORMAT parquet)")):
    path = "{tmp_path}/v." + end
    con.execute("COPY v TO '" + path + "' " + ("(FORMAT json)" if end == "jsonl" else options))
    assert read_votes(path).sketch() == expected, end
    assert count(path, judges=["i", "j"]) == expected, end
print(expected.n_items)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.stdout.strip() == "9", out.stderr


LONG = {"item": "q", "judge": "who", "answer": "said"}
VOTES = {"q": [1, 1, 2, 3, 3], "who": [*"ijiij"], "said": ["a", "b", "b", "a", None]}


@pytest.mark.parametrize("kind", ["csv", "parquet", "duckdb", "mapping"])
def test_long_tables_are_counted_as_wide_ones(tmp_path, kind):
    pl.DataFrame(VOTES).write_csv(tmp_path / "v.csv")
    pl.DataFrame(VOTES).write_parquet(tmp_path / "v.parquet")
    con = duckdb.connect()
    sources = {"csv": tmp_path / "v.csv", "parquet": tmp_path / "v.parquet", "mapping": VOTES}
    sources["duckdb"] = con.sql(f"SELECT * FROM '{tmp_path}/v.parquet'")
    source = sources[kind]
    both = {("a", "b"): 1, ("b", None): 1, ("a", None): 1}
    assert count(source, **LONG).to_counts() == both
    assert count(source, **LONG, judges=["j"]).to_counts() == {("b",): 1, (None,): 2}
    with pytest.raises(DataError, match=r"judge must name columns of .*; got 'x'"):
        count(source, item="q", judge="x", answer="said")
    with pytest.raises(DataError, match="one row per item; got item '1' again"):
        count(source, judges=["said"], item="q")


@pytest.mark.parametrize("kind", ["csv", "parquet", "duckdb", "mapping", "records"])
def test_an_item_that_is_named_has_one_row(tmp_path, kind):
    source = sources(tmp_path)[kind]
    assert count(source, judges=JUDGES, item="item") == count(source, judges=JUDGES)
    with pytest.raises(DataError, match="must name its item; row 11 has none in column 'j'"):
        count(source, judges=["i"], item=["item", "j"])


def test_parts_a_pattern_a_folder_and_a_table_of_a_database_are_counted_as_one(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    for name, rows in (("a", "x,y\nyes,no\nyes,yes\n"), ("b", "x,y\nno,no\n")):
        (folder / f"{name}.csv").write_text(rows)
    with duckdb.connect(str(tmp_path / "v.duckdb")) as connection:
        connection.execute("CREATE TABLE votes (x TEXT, y TEXT)")
        connection.execute("INSERT INTO votes VALUES ('yes', 'no'), ('yes', 'yes'), ('no', 'no')")
        connection.execute("CREATE TABLE other (z INT)")
    sources = [sorted(folder.iterdir()), str(folder / "*.csv"), folder]
    counted = [count(source, judges=["x", "y"]) for source in sources]
    counted.append(count(tmp_path / "v.duckdb", judges=["x", "y"], table="votes"))
    expected = {("yes", "no"): 1, ("yes", "yes"): 1, ("no", "no"): 1}
    assert [one.to_counts() for one in counted] == [expected] * 4
    with pytest.raises(DataError, match="choose with table='votes'"):
        count(tmp_path / "v.duckdb", judges=["x", "y"])
    with pytest.raises(DataError, match="must be a file that exists"):
        count([folder / "a.csv", folder / "none.csv"], judges=["x", "y"])
