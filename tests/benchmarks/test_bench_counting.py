"""Counting at the size of the data: ratios to bare DuckDB and a pandas peer, in one run."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.benchmark

ROWS, JUDGES = 10**7, [f"j{k}" for k in range(8)]
LISTED = ", ".join(JUDGES)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    import duckdb

    folder = tmp_path_factory.mktemp("counting")
    cells = ", ".join(
        f"CASE WHEN random() < 0.02 THEN NULL WHEN (random() < 0.75) = (i % 5 < 3) THEN 'yes' ELSE 'no' END "
        f"AS {name}"
        for name in JUDGES
    )
    con = duckdb.connect()
    con.execute("SELECT setseed(0.3)")
    con.execute(
        f"COPY (SELECT 'q' || i AS item, {cells} FROM range({ROWS}) r(i)) TO '{folder}/items.parquet'"
    )
    con.execute(
        f"COPY (SELECT * EXCLUDE item FROM '{folder}/items.parquet') TO '{folder}/plain.parquet'"
    )
    con.execute(
        "COPY (SELECT item, judge, answer FROM (UNPIVOT (SELECT * FROM "
        f"'{folder}/items.parquet' LIMIT {ROWS // 7}) ON {LISTED} INTO NAME judge VALUE answer)) "
        f"TO '{folder}/long.parquet'"
    )
    return folder


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


def sketch(*paths):
    return [sys.executable, "-m", "algeval", "sketch", *map(str, paths), "-o", os.devnull]


def bare(path):
    query = f"SELECT {LISTED}, count(*) FROM '{path}' GROUP BY ALL"
    return [sys.executable, "-c", f"import duckdb; duckdb.sql({query!r}).fetchall()"]


def pandas(path):
    code = f"import pandas; pandas.read_parquet({str(path)!r}).groupby({JUDGES!r}, dropna=False).size()"
    return [sys.executable, "-c", code]


def test_ten_million_rows_take_little_more_than_bare_duckdb(data):
    plain, items = data / "plain.parquet", data / "items.parquet"
    duck, counted, checked, peer = best([bare(plain), sketch(plain), sketch(items), pandas(plain)])
    assert counted[0] < 1.6 * duck[0]
    assert counted[1] < 150
    assert checked[0] < 4 * duck[0]
    assert checked[1] < 600
    assert peer[0] > counted[0]
    assert peer[1] > 4 * counted[1]


def test_memory_stays_flat(data):
    plain = data / "plain.parquet"
    once, five = best([sketch(plain), sketch(*[plain] * 5)], times=1)
    assert five[1] < 1.3 * once[1]


def test_ten_million_votes_in_long_form(data):
    ((_, peak),) = best([sketch(data / "long.parquet")], times=1)
    assert peak < 1000
