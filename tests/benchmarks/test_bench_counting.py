"""Counting at the size of the data: ratios to bare DuckDB and a pandas peer, in one run.

ALGEVAL_BENCH_ROWS=100000000 takes so many rows, or votes of a long table; the default is ten million.
"""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.benchmark

ROWS = int(os.environ.get("ALGEVAL_BENCH_ROWS", 10**7))
JUDGES = [f"j{k}" for k in range(8)]
LISTED = ", ".join(JUDGES)
ANSWER = "CASE WHEN (random() < 0.75) = (i % 5 < 3) THEN 'yes' ELSE 'no' END"
PARTS = 10


def written(folder, query, n, times=""):
    """Write parts of a table in turn; i is the number of an item."""
    import duckdb

    folder.mkdir()
    con = duckdb.connect(config={"memory_limit": "2GB", "temp_directory": str(folder.parent)})
    con.execute("SELECT setseed(0.3)")
    for part in range(PARTS):
        rows = f"range({part * n // PARTS}, {(part + 1) * n // PARTS}) r(i)"
        con.execute(f"COPY (SELECT {query} FROM {rows}{times}) TO '{folder}/{part}.parquet'")
    con.close()
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counting")
    cells = ", ".join(
        f"CASE WHEN random() < 0.02 THEN NULL ELSE {ANSWER} END AS {j}" for j in JUDGES
    )
    written(folder / "plain", cells, ROWS)
    written(folder / "items", f"'q' || i AS item, {cells}", ROWS)
    for judges in (8, 60):
        vote = f"'q' || i AS item, 'j' || k AS judge, {ANSWER} AS answer"
        written(folder / f"long{judges}", vote, ROWS // judges, f", range({judges}) s(k)")
    worker = "'w' || ((i * 7919 + k * (2 * (i % 200) + 1)) % 5000)"
    vote = f"'q' || i AS item, {worker} AS judge, {ANSWER} AS answer"
    written(folder / "sparse", vote, ROWS // 10, ", range(10) s(k)")
    return folder


@pytest.fixture(scope="module")
def texts(data):
    import duckdb

    kinds = {"t.csv": "", "t.csv.gz": "(COMPRESSION gzip)", "t.jsonl": "(FORMAT json)"}
    for name, options in kinds.items():
        duckdb.sql(f"COPY (SELECT * FROM '{data}/items/*.parquet') TO '{data}/{name}' {options}")
    return data


# a process starts with the peak of the one that made it, so a small one makes it
LAUNCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(process.returncode)
"""


def cost(command):
    """Return the seconds of processor and the peak in MB of a process."""
    launched = [sys.executable, "-c", LAUNCHER, *command]
    done = subprocess.run(launched, capture_output=True, text=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    print(f"{seconds:.2f} s of processor, {peak:.0f} MB:", *command[1:5])
    return seconds, peak


def best(commands, times=3):
    """Return the least seconds and the largest peak of each, the runs interleaved."""
    runs = [[cost(command) for command in commands] for _ in range(times)]
    pairs = zip(*runs, strict=True)
    return [(min(s for s, _ in one), max(m for _, m in one)) for one in pairs]


def sketch(*paths, more=()):
    command = [sys.executable, "-m", "algeval", "sketch", *map(str, paths)]
    return [*command, *more, "-o", os.devnull]


def bare(path, select=LISTED):
    query = f"SELECT {select}, count(*) FROM '{path}' GROUP BY ALL"
    return [sys.executable, "-c", f"import duckdb; duckdb.sql({query!r}).fetchall()"]


def pandas(path):
    code = f"import pandas; pandas.read_parquet({str(path)!r}).groupby({JUDGES!r}, dropna=False).size()"
    return [sys.executable, "-c", code]


def test_a_wide_table_takes_little_more_than_bare_duckdb(data):
    plain, items = data / "plain", data / "items"
    commands = [bare(plain / "*.parquet"), sketch(plain), sketch(items)]
    duck, counted, checked = best(commands)
    assert counted[0] < 1.6 * duck[0] + 0.5  # half a second of Python's start
    assert counted[1] < 150
    assert checked[0] < 4 * duck[0] + 0.5
    assert checked[1] < 600


@pytest.mark.skipif(ROWS > 10**7, reason="pandas takes a kilobyte a row")
def test_pandas_takes_more(data):
    counted, peer = best([sketch(data / "plain"), pandas(data / "plain")])
    assert peer[0] > counted[0]
    assert peer[1] > 4 * counted[1]


def test_memory_stays_flat(data):
    plain = sorted((data / "plain").iterdir())
    once, five = best([sketch(*plain), sketch(*plain * 5)], times=1)
    assert five[1] < 1.3 * once[1]


def test_a_report_takes_a_sketch_and_its_own_seconds(data, tmp_path):
    counts = tmp_path / "s.json"
    command = [sys.executable, "-m", "algeval"]
    subprocess.run([*command, "sketch", str(data / "items"), "-o", str(counts)], check=True)
    whole, counted, own = best(
        [
            [*command, "report", str(data / "items")],
            sketch(data / "items"),
            [*command, "report", str(counts)],
        ]
    )
    assert whole[0] < 1.5 * counted[0] + own[0]


def test_a_function_of_python_counts_a_path_like_the_command(data):
    path = data / "items"
    code = f"import algeval as ae; ae.threshold({str(path)!r}, order=1)"
    command = [sys.executable, "-m", "algeval", "threshold", str(path), "--order", "1"]
    called, typed = best([[sys.executable, "-c", code], command], times=2)
    assert called[0] < 1.3 * typed[0]
    assert called[1] < 600


@pytest.mark.parametrize(
    ("name", "more", "ratio"),
    [("long8", (), 2), ("long60", ("--summary",), 3), ("sparse", ("--summary",), 4)],
)
def test_votes_in_long_form_fit_a_gigabyte(data, name, more, ratio):
    """The peer looks for repeated votes, and no more."""
    path = data / name
    votes = f"SELECT item, judge, count(*) AS n FROM '{path}/*.parquet' GROUP BY ALL"
    peer = (
        f"import duckdb; duckdb.sql({f'SELECT count(*) FROM ({votes}) WHERE n > 1'!r}).fetchall()"
    )
    duck, counted = best([[sys.executable, "-c", peer], sketch(path, more=more)], times=1)
    assert counted[1] < 1000
    assert counted[0] < ratio * duck[0] + 1


@pytest.mark.parametrize(("name", "ratio"), [("t.csv", 4), ("t.csv.gz", 4), ("t.jsonl", 12)])
def test_text_is_counted_where_it_lies(texts, name, ratio):
    duck, counted = best([bare(texts / name), sketch(texts / name)], times=1)
    assert counted[0] < ratio * duck[0] + 0.5
    assert counted[1] < 700
