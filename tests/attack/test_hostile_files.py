"""Files made to do something else than vote: to read other files, to fill memory or disk, not to end.

A file can do nothing but vote. Whatever else it tries ends with exit code 2 and one sentence, soon.
"""

import gzip
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from pathlib import Path

import duckdb
import openpyxl
import pytest

import algeval as ae
from algeval.cli import output
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.io import formats
from algeval.io.readers import base

HERE = {**os.environ, "PYTHONPATH": str(Path(ae.__file__).parents[1])}
ROWS = [(k, "ab"[k % 2], "ab"[k % 3 > 0]) for k in range(12)]
ENDLESS = {
    "duckdb": "SELECT 1 AS item, 'a' AS j1, count(*) AS j2 FROM range(1000000000000) a, range(1000000) b",
    "sqlite": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
    "SELECT count(*) AS item, 1 AS j1, 2 AS j2 FROM r",
}
SECRET = "TOPSECRET"


@pytest.fixture
def call(capsys):
    def run_it(*arguments):
        code = run([str(one) for one in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run_it


def refused(ended):
    """Whether a command ended with one sentence."""
    code, out, err = ended
    return code == 2 and not out and err.startswith("algeval: ") and err.count("\n") == 1


def database(path, **views):
    """Make a database with the table votes, and views."""
    connection = duckdb.connect(str(path)) if path.suffix == ".duckdb" else sqlite3.connect(path)
    with closing(connection):
        connection.execute("CREATE TABLE votes (item INTEGER, j1 VARCHAR, j2 VARCHAR)")
        connection.executemany("INSERT INTO votes VALUES (?, ?, ?)", ROWS)
        for name, query in views.items():
            connection.execute(f"CREATE VIEW {name} AS {query}")
        if path.suffix != ".duckdb":
            connection.commit()
    return path


def in_time(command, seconds=60, memory=4 << 30):
    """Run a command in a process of its own that has little memory, and return how it ended."""
    ended = subprocess.run(
        [sys.executable, "-m", "algeval", *map(str, command)],
        env=HERE,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
    )
    return ended.returncode, ended.stdout, ended.stderr


# databases -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1 AS item, content AS j1, content AS j2 FROM read_blob('{secret}')",
        "SELECT 1 AS item, content AS j1, content AS j2 FROM read_text('{secret}')",
        "SELECT 1 AS item, a AS j1, a AS j2 FROM read_csv('{secret}')",
        "SELECT 1 AS item, file AS j1, file AS j2 FROM glob('{folder}/*')",
        "SELECT 1 AS item, content AS j1, content AS j2 FROM read_text('/proc/self/environ')",
    ],
)
def test_a_view_reads_no_other_file_and_no_environment(query, call, tmp_path, monkeypatch):
    folder = tmp_path / SECRET
    folder.mkdir()
    (folder / "secret.csv").write_text(f"a\n{SECRET}\n", encoding="utf-8")
    monkeypatch.setenv("ALGEVAL_TEST", SECRET)
    view = query.format(secret=folder / "secret.csv", folder=folder)
    path = database(tmp_path / "v.duckdb", stolen=view)
    for command in ("alarm", "report", "sketch"):
        ended = call(command, path, "--table", "stolen")
        assert refused(ended)
        assert SECRET not in ended[2]
    with pytest.raises(DataError, match="must read that file alone"):
        ae.read_votes(path, table="stolen")
    assert ae.read_votes(path, table="votes").n_items == len(ROWS)


def test_a_file_of_any_name_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = database(tmp_path / "made.duckdb")
    for name in ("http:x.duckdb", "postgres:x", "file:x", "s3:y.duckdb"):
        made.rename(name)
        assert ae.read_votes(name).n_items == len(ROWS)
        made = Path(name)
    Path("file:x.csv").write_text("item,j1,j2\n1,a,b\n2,b,a\n", encoding="utf-8")
    assert ae.read_votes("file:x.csv").n_items == 2


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_table_is_read_beside_a_view_that_never_ends(kind, tmp_path):
    path = database(tmp_path / f"v.{kind}", endless=ENDLESS[kind])
    start = time.monotonic()
    assert ae.read_votes(path, table="votes").n_items == len(ROWS)
    with pytest.raises(DataError, match=r"holds .*'votes' .*choose with table='votes'"):
        ae.read_votes(path)
    assert time.monotonic() - start < 10


READY = """
import sys
from algeval.cli.main import main
import algeval.io.formats as module
choose = module.choose_table
def chosen(*arguments):
    found = choose(*arguments)
    print("ready", flush=True)
    return found
module.choose_table = chosen
main(["alarm", sys.argv[1], "--table", "endless", "--at-least", "2/3"])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_query(kind, sent, code, tmp_path):
    path = database(tmp_path / f"v.{kind}", endless=ENDLESS[kind])
    process = subprocess.Popen(
        [sys.executable, "-c", READY.format(kind=kind), str(path)],
        env=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        process.stdout.readline()
        time.sleep(0.5)
        process.send_signal(sent)
        _, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == code
    assert err.strip() == "algeval: stopped"


def test_a_cell_made_of_nothing_is_refused(call, tmp_path):
    huge = "SELECT 1 AS item, hex(zeroblob(900000000)) AS j1, 'b' AS j2"
    path = database(tmp_path / "v.sqlite", huge=huge)
    assert refused(call("alarm", path, "--table", "huge"))


def test_too_little_memory_is_a_sentence(call, monkeypatch, tmp_path):
    def full(*_, **__):
        raise MemoryError

    path = tmp_path / "v.csv"
    path.write_text("item,j1,j2\n1,a,b\n", encoding="utf-8")
    monkeypatch.setattr("algeval.io.sources.read", full)
    assert refused(call("alarm", path))


# workbooks -----------------------------------------------------------------------------------------


def workbook(folder, name, *changes):
    """Write a workbook of 6 rows and 2 judges, and change what its sheet says."""
    book = openpyxl.Workbook()
    for row in [("item", "j1", "j2"), *ROWS[:6]]:
        book.active.append(row)
    book.save(folder / "plain.xlsx")
    with zipfile.ZipFile(folder / "plain.xlsx") as old, zipfile.ZipFile(folder / name, "w") as new:
        for member in old.namelist():
            text = old.read(member)
            for before, after in changes if "sheet1" in member else ():
                assert before.encode() in text
                text = text.replace(before.encode(), after.encode())
            new.writestr(member, text)
    return folder / name


@pytest.mark.parametrize("said", ["A1:C3", "A1:B7", "A1", "B2:B2", "A1:ZZ9999"])
def test_a_sheet_is_read_whole_whatever_size_it_says_it_has(said, tmp_path):
    path = workbook(tmp_path, "v.xlsx", ('ref="A1:C7"', f'ref="{said}"'))
    assert ae.read_votes(path) == ae.read_votes(tmp_path / "plain.xlsx")
    assert ae.read_votes(path).n_items == 6


def test_a_row_of_a_huge_number_is_refused(call, tmp_path):
    changes = [(f'"{c}7"', f'"{c}2000000000"') for c in "ABC"]
    path = workbook(tmp_path, "v.xlsx", ('<row r="7"', '<row r="2000000000"'), *changes)
    assert refused(call("alarm", path))


# what unpacks to more than fits --------------------------------------------------------------------


def packed(path, head, unit, n, tail=b""):
    """Write a gzip file of which n megabytes are one unit again and again."""
    many = gzip.compress(unit * ((1 << 20) // len(unit)))
    path.write_bytes(gzip.compress(head) + many * n + gzip.compress(tail))
    return path


BOMBS = {
    "nl.csv.gz": (b"item,j1,j2\n1,a,b\n", b"\n", b""),
    "one.csv.gz": (b"j1\na\n", b"\n", b""),
    "rows.csv.gz": (b"j1,j2\n", b"a,b\n", b""),
    "nl.jsonl.gz": (b'{"item":1,"j1":"a","j2":"b"}\n', b"\n", b""),
    "rows.jsonl.gz": (b"", b'{"j1":"a","j2":"b"}\n', b""),
    "list.json.gz": (b"[", b"[],", b"1]"),
    "spaces.csv.gz": (b"item,j1,j2\n", b" ", b""),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_unpacks_to_no_more_than_is_sound(name, call, tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_MOST_FOR_NOTHING", 6 << 20)
    monkeypatch.setattr(base, "MOST_BYTES", 5 << 20)
    head, unit, tail = BOMBS[name]
    assert refused(call("alarm", packed(tmp_path / name, head, unit, 12, tail)))


def test_honest_votes_that_pack_well_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "_MOST_FOR_NOTHING", 1 << 10)
    rows = "".join(f"{k},{'ab'[k % 7 % 2]},a\n" for k in range(30_000))
    (tmp_path / "v.csv.gz").write_bytes(gzip.compress(f"item,j1,j2\n{rows}".encode()))
    assert ae.read_votes(tmp_path / "v.csv.gz").n_items == 30_000


def log(path, *samples):
    header = {"eval": {"scorers": []}, "status": "success", "version": 2, "plan": {}}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        for k, text in enumerate(samples):
            archive.writestr(f"samples/{k}.json", text)
    return path


def test_a_log_is_limited_in_all_and_not_by_member_alone(call, tmp_path, monkeypatch):
    monkeypatch.setattr(base, "_MOST_IN_ALL", 1 << 20)
    path = log(tmp_path / "v.eval", *(json.dumps({"x": "a" * 300_000}) for _ in range(4)))
    ended = call("alarm", path)
    assert refused(ended)
    assert "must unpack to at most 1 MB" in ended[2]


def test_a_log_of_very_many_lists_is_refused(call, tmp_path, monkeypatch):
    monkeypatch.setattr(base, "_MOST_WEIGHT", 1000)
    ended = call("alarm", log(tmp_path / "v.eval", f'{{"a":[{"[]," * 999}1]}}'))
    assert refused(ended)
    assert "must fit in memory" in ended[2]


def test_a_log_with_a_password_is_refused(call, tmp_path):
    path = log(tmp_path / "v.eval", "{}")
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(content)
    ended = call("alarm", path)
    assert refused(ended)
    assert "encrypted" in ended[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_of_ten_gigabytes_ends_in_little_memory(name, tmp_path):
    head, unit, tail = BOMBS[name]
    assert refused(in_time(["alarm", packed(tmp_path / name, head, unit, 10_000, tail)], 120))


@pytest.mark.slow
def test_logs_of_gigabytes_end_in_little_memory(tmp_path):
    lists = log(tmp_path / "lists.eval", '{"a":[' + "[]," * 70_000_000 + "1]}")
    assert refused(in_time(["alarm", lists], 120))
    text = json.dumps({"x": "a" * (240 << 20)})
    assert refused(in_time(["alarm", log(tmp_path / "many.eval", *[text] * 10)], 120))


# devices and pipes ---------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such device")
def test_a_device_is_no_file(call):
    assert refused(call("alarm", "/dev/zero"))
    with pytest.raises(DataError, match="a pipe or a device"):
        ae.read_votes("/dev/zero")


def test_a_pipe_that_does_not_end_is_refused(call, monkeypatch, tmp_path):
    monkeypatch.setattr(output, "MOST_BYTES", 1 << 22)
    source = open("/dev/zero", "rb")  # noqa: SIM115
    monkeypatch.setattr(output, "standard_input", lambda: source)
    ended = call("alarm", "-")
    source.close()
    assert refused(ended)
    assert "must say at most 4 MB" in ended[2]


# what is written -----------------------------------------------------------------------------------

WRITING = """
import sys, time
from algeval.cli.main import _ended_by_signals
from algeval.result.files import whole_file
with _ended_by_signals(), whole_file(sys.argv[1]) as beside:
    beside.write_text("half")
    print("ready", flush=True)
    time.sleep(30)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_the_old_file_and_no_other(sent, tmp_path):
    (tmp_path / "v.csv").write_text("old", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", WRITING, str(tmp_path / "v.csv")],
        env=HERE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    process.stdout.readline()
    process.send_signal(sent)
    process.communicate(timeout=20)
    assert [one.name for one in tmp_path.iterdir()] == ["v.csv"]
    assert (tmp_path / "v.csv").read_text(encoding="utf-8") == "old"


def test_what_spills_lies_in_a_folder_of_our_own():
    folder = Path(formats.spill_folder())
    assert str(os.getpid()) not in folder.name
    assert os.name == "nt" or folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["verify.py", "sketch.json", "certificate.json"])
def test_a_proof_overwrites_no_file_of_the_user(name, call, tmp_path):
    votes, folder = tmp_path / "v.csv", tmp_path / "mine"
    votes.write_text("item,x,y\n1,a,b\n2,b,b\n3,a,a\n", encoding="utf-8")
    folder.mkdir()
    (folder / name).write_text("MINE", encoding="utf-8")
    ended = call("alarm", votes, "--at-least", "1", "--save", folder)
    assert ended[0] == 2
    assert "output must be a new file" in ended[2]
    assert name in ended[2]
    assert [(one.name, one.read_text()) for one in folder.iterdir()] == [(name, "MINE")]
    (folder / name).unlink()
    assert call("alarm", votes, "--at-least", "1", "--save", folder)[0] == 1
    votes.write_text("item,x,y\n1,a,b\n2,b,b\n3,b,a\n", encoding="utf-8")
    assert call("alarm", votes, "--at-least", "1", "--save", folder)[0] == 1


# what is printed -----------------------------------------------------------------------------------

COMMANDS = ["::stop-commands::x", "##[error]y", "##vso[task.z]w"]


def test_no_name_is_a_command_of_a_workflow(call, tmp_path):
    path = tmp_path / "v.csv"
    rows = "".join(f"{k},{'ab'[k % 2]},{'ab'[k % 3 > 0]},a\n" for k in range(8))
    path.write_text(f"item,{','.join(COMMANDS)}\n{rows}", encoding="utf-8")
    for words in (["report", "--full"], ["aggregate"]):
        code, out, err = call(*words[:1], path, *words[1:])
        assert code == 0, err
        lines = (out + err).splitlines()
        assert not [line for line in lines if line.strip().startswith("::")]
        assert not [line for line in lines if "##[" in line or "##vso[" in line]
    code, out, _ = call("sketch", path, "--json")
    assert code == 0
    assert json.loads(out)["judges"] == COMMANDS
    assert "##[" not in out


@pytest.mark.parametrize("stamp", ["abc", "1.5", "-1", ""])
def test_a_date_that_is_none_is_refused(stamp, call, monkeypatch, tmp_path):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", stamp)
    assert refused(call("examples"))
