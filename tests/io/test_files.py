"""Files that were misread in silence, or died of their size, are read or refused."""

import gzip
import itertools
import json
import os
import subprocess
import sys

import duckdb
import pytest

from algeval.errors import DataError
from algeval.io import count, read_sketch, read_votes, read_votes_with_notes
from algeval.io.formats import columns_of, open_json
from algeval.io.tables import open_table


def put(tmp_path, text, name="votes.csv"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def parquet(tmp_path, query, name="v.parquet", options=""):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    duckdb.connect().execute(f"COPY ({query}) TO '{path}' (FORMAT parquet{options})")
    return path


def refusal(source, **options):
    with pytest.raises(DataError) as caught:
        read_votes(source, **options)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize("folder", ["j1=b", "j3=a", "date=2026-01-01"])
def test_a_folder_named_like_a_column_changes_no_vote(tmp_path, folder):
    query = "SELECT '1' AS item, 'a' AS j1, 'b' AS j2 UNION ALL SELECT '2', 'b', 'b'"
    path = parquet(tmp_path, query, f"{folder}/v.parquet")
    votes = read_votes(path)
    assert (votes.judges, votes.answers) == (("j1", "j2"), ("a", "b"))
    assert sorted(map(tuple, votes.codes.tolist())) == [(0, 1), (1, 1)]
    assert count(path, judges=["j1", "j2"]) == votes.sketch()


def test_numbered_classes_get_their_names_and_minus_one_is_no_vote(tmp_path):
    names = {
        "info": {"features": {j: {"names": ["bad", "good"], "_type": "ClassLabel"} for j in "xy"}}
    }
    query = "SELECT * FROM (VALUES ('1', 0, 1), ('2', -1, 1), ('3', 1, 0)) AS t(item, x, y)"
    options = f", KV_METADATA {{huggingface: '{json.dumps(names)}'}}"
    path = parquet(tmp_path, query, options=options)
    votes, notes = read_votes_with_notes(path)
    assert votes.answers == ("bad", "good")
    assert votes.codes.tolist() == [[0, 1], [-1, 1], [1, 0]]
    assert "classes named as the file says, -1 is no vote: 'x', 'y'" in notes
    assert count(path, judges=["x", "y"]) == votes.sketch()


def test_lists_in_parquet_are_no_labels(tmp_path):
    path = parquet(tmp_path, "SELECT 1 AS item, ['yes', 'no'] AS x, ['yes'] AS y")
    assert "column 'x' must hold one plain value per cell" in refusal(path)
    with pytest.raises(DataError, match="one plain value per cell"):
        count(path, judges=["x"])
    relation = duckdb.sql("SELECT 1 AS item, ['yes', 'no'] AS x")
    assert "one plain value per cell" in refusal(relation)
    with pytest.raises(DataError, match="one plain value per cell"):
        count(relation, judges=["x"])


JSON = {
    "key twice": ('{"item":"1","x":"a","x":"b","y":"a"}\n', "got 'x' twice in one"),
    "cut after a comma": ('[{"item":"1","x":"a","y":"a"},', "must end with ]; got ',' at its end"),
    "cut after a comma and a blank": ('[{"item":"1","x":"a","y":"a"},\n\n', "must end with ]"),
    "beyond floats": (
        '{"item":"1","x":1e400,"y":2e400}\n',
        "finite numbers of at most 4300 digits; got 1e400",
    ),
    "infinity": ('{"item":"1","x":Infinity,"y":Infinity}\n', "got Infinity"),
    "many digits": ('{"item":"1","x":' + "7" * 5000 + ',"y":1}\n', "(5000 characters)"),
    "deeply nested": (
        '{"item":"1","x":' + "[" * 5000 + "]" * 5000 + "}\n",
        "one plain value per cell",
    ),
}


@pytest.mark.parametrize("case", JSON)
def test_bad_json_is_refused(tmp_path, case):
    text, expected = JSON[case]
    assert expected in refusal(put(tmp_path, text, "v.json"))


def test_a_packed_list_that_was_cut_is_refused(tmp_path):
    rows = [{"item": str(i), "x": "a", "y": "b" if i % 2 else "a"} for i in range(5000)]
    whole = json.dumps(rows)
    assert len(read_votes(put(tmp_path, gzip.compress(whole.encode()), "w.json.gz"))) == 5000
    cut = whole[: whole.rindex("{")].rstrip()
    assert cut.endswith(",")
    assert "must end with ]" in refusal(put(tmp_path, gzip.compress(cut.encode()), "v.json.gz"))


@pytest.mark.parametrize(
    ("text", "line"), [("x\na\n\nb\n", 3), ("x\na\nb\n\n", 4), ("x\n \na\n", 2)]
)
def test_blank_lines_of_one_column_are_refused(tmp_path, text, line):
    assert f"has one at line {line}; write NA" in refusal(put(tmp_path, text))
    assert read_votes(put(tmp_path, "x\na\nNA\nb\n")).codes.ravel().tolist() == [0, -1, 1]


def test_a_header_longer_than_the_first_look_is_read(tmp_path):
    names = [f"judge{'x' * 3000}{i}" for i in range(100)]
    path = put(tmp_path, "item," + ",".join(names) + "\n1" + ",a" * 100 + "\n2" + ",b" * 100 + "\n")
    assert path.read_bytes().index(b"\n") > 1 << 18
    assert read_votes(path).judges == tuple(names)


def test_more_columns_than_can_be_read_in_time_are_refused(tmp_path):
    names = [f"j{i}" for i in range(100_000)]
    message = refusal(put(tmp_path, "item," + ",".join(names) + "\n1" + ",a" * 100_000 + "\n"))
    assert "at most 20000 columns; votes.csv has 100001; write a long table" in message


def test_odd_separators_inside_a_name_do_not_end_the_header(tmp_path):
    path = put(tmp_path, "item,a\u2028b,c\x0bd\n1,x,y\n2,y,y\n")
    assert read_votes(path).judges == ("a\u2028b", "c\x0bd")


ENDINGS = list(itertools.product(["\n", "\r\n"], repeat=4))


@pytest.mark.parametrize("ends", ENDINGS)
def test_lines_may_end_in_two_ways(tmp_path, ends):
    rows = ["item,x,y", "1,a,b", "2,b,b", "3,b,a"]
    path = put(tmp_path, "".join(row + end for row, end in zip(rows, ends, strict=True)))
    votes = read_votes(path)
    assert (votes.items, votes.judges, votes.answers) == (("1", "2", "3"), ("x", "y"), ("a", "b"))
    assert votes.codes.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert count(path, judges=["x", "y"]) == votes.sketch()


@pytest.mark.parametrize("tail", ["", "3,a\n"])
def test_a_line_longer_than_the_buffer_is_not_dropped(tmp_path, tail):
    path = put(tmp_path, "item,x\n1,a\n2," + "z" * 36_000_000 + "\n" + tail)
    assert "must be shorter than 2 MB" in refusal(path)


@pytest.mark.parametrize(
    "address", ["https://x.org/a.csv", "s3://bucket/v.parquet", "file:///v.csv"]
)
def test_an_address_is_no_path(address):
    assert f"got the address {address!r}; download it" in refusal(address)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert "a pipe or a device" in refusal(path)


@pytest.mark.skipif(sys.platform == "win32", reason="no C locale there")
def test_a_path_beyond_ascii_is_read_in_the_c_locale(tmp_path):
    put(tmp_path, "item,x,y\n1,a,b\n2,b,b\n", "v\u00fc.csv")
    code = "import glob; from algeval.io import read_votes; print(len(read_votes(glob.glob('v*.csv')[0])))"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", code]
    kept = {k: v for k, v in os.environ.items() if k != "LANG"}
    done = subprocess.run(
        command, cwd=tmp_path, env=kept | plain, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.returncode) == ("2", 0), done.stderr


BROKEN = {
    "half a code": ({"codes": [[0.5], [1]]}, "codes must be whole numbers; got 0.5"),
    "true for a code": ({"codes": [[True], [1]]}, "codes must be whole numbers; got True"),
    "a code that wraps": ({"codes": [[65536], [1]]}, "codes must lie in -1..1"),
    "half a count": ({"counts": [0.5, 1]}, "counts must be whole numbers"),
    "no name": ({"judges": [None]}, "judges must be texts; got None"),
    "a number for a name": ({"labels": [1, "b"]}, "labels must be texts; got 1"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_documents_with_half_numbers_or_no_names_are_refused(tmp_path, case):
    change, expected = BROKEN[case]
    document = {"schema": "algeval.sketch/1", "judges": ["x"], "labels": ["a", "b"]}
    document |= {"answers": ["a", "b"], "codes": [[0], [1]], "counts": [3, 4]}
    good = put(tmp_path, json.dumps(document), "good.json")
    assert read_sketch(good).n_items == 7
    with pytest.raises(DataError) as caught:
        read_sketch(put(tmp_path, json.dumps(document | change), "bad.json"))
    assert expected in str(caught.value)


def test_a_document_with_a_key_twice_is_refused(tmp_path):
    text = '{"schema": "algeval.sketch/1", "judges": ["x"], "judges": ["y"]}'
    with pytest.raises(DataError, match="got 'judges' twice"):
        read_sketch(put(tmp_path, text, "s.json"))


OBJECTS = {
    "alike": [{"i": "q1", "x": "a"}, {"i": "q2", "x": None}],
    "braces in texts": [{"i": "q{1}", "x": "a"}, {"i": "q2", "x": "{"}],
    "another order": [{"i": "q1", "x": "a"}, {"x": "b", "i": "q2"}],
    "more keys": [{"i": "q1", "x": "a"}, {"i": "q2", "x": "b", "y": 1.50}],
    "objects": [{"i": "q1", "v": {"x": "a", "y": True}}, {"i": "q2", "v": {"y": None, "x": "b"}}],
    "objects later": [{"i": "q1", "v": None}, {"i": "q2", "v": {"x": "b"}}],
    "objects and texts": [{"i": "q1", "v": "t"}, {"i": "q2", "v": {"x": "b"}}],
    "odd names": [{"a/b": "1", "c~d": "2", 'e"f': "3", "g.h": "4", " ": 5}],
}


@pytest.mark.parametrize("case", OBJECTS)
@pytest.mark.parametrize("spaced", [False, True])
def test_cells_of_json_are_those_that_the_standard_library_reads(tmp_path, case, spaced):
    rows = OBJECTS[case]
    mark = (" , ", " : ") if spaced else (",", ":")
    text = "\n".join("  " * spaced + json.dumps(row, separators=mark) for row in rows)
    opened = open_json(put(tmp_path, text, "v.jsonl"))
    wanted: dict[str, list[object]] = {}
    nested = {"objects": ("v",), "objects later": ("v",)}.get(case, ())
    for number, row in enumerate(rows):
        flat = {k: v for k, v in row.items() if k not in nested}
        flat |= {f"{k}.{key}": v for k in nested for key, v in (row[k] or {}).items()}
        for name, value in flat.items():
            wanted.setdefault(name, [None] * len(rows))[number] = value
    assert set(opened.cells) == set(wanted)
    at_once = columns_of(opened.cells, opened.relation, opened.pointers, opened.cells)
    each = ", ".join(opened.cells.values())
    for query in (at_once, f"SELECT {each} FROM {opened.relation}"):
        table = opened.connection.execute(query).fetchall()
        for name, column in zip(opened.cells, zip(*table, strict=True), strict=True):
            assert [None if cell is None else json.loads(cell) for cell in column] == wanted[name]


def test_parquet_that_is_written_anew_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "votes.parquet"
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"a": ["x", "y"], "b": ["x", "x"]}), path)
    table = open_table(path)
    assert table.column("a").values
    parquet.write_table(pa.table({"a": ["y", "x"], "b": ["y", "y"], "c": ["y", "y"]}), path)
    with pytest.raises(DataError, match="must stay the same while it is read"):
        table.column("b")
    path.unlink()
    with pytest.raises(DataError, match="must stay the same while it is read"):
        table.same_values("b")
