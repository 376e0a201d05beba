"""Malformed and hostile files and values, through the readers and the command line.

Whatever a file holds, the command line ends with 0, 1 or 2, says in one line what is wrong, shows no
traceback, and writes nothing to a terminal that a terminal would obey.
"""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import time

import click
import duckdb
import pytest
from mutants import mutant
from tries import Tries, amounts

import algeval as ae
from algeval.cli.main import cli, run
from algeval.data import Specification, Summary, Votes
from algeval.errors import AlgevalError

KNOWN: set[str] = set()
"""Names of checks that are expected to fail for now; empty where nothing is known to be wrong."""

NO_INTERNAL_ERROR = (0, 1, 2)


@pytest.fixture(autouse=True)
def known(request):
    """Mark what is known to fail; it must then fail."""
    if request.node.name.removeprefix("test_") in KNOWN:
        request.applymarker(pytest.mark.xfail(reason="known", strict=True))


@pytest.fixture
def call(capsys):
    """Run the command line in this process: exit code, what it printed, what it complained of."""

    def run_it(*arguments):
        code = run([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run_it


def printable(text):
    """Whether a terminal would only show the text, and obey nothing in it."""
    return all(c.isprintable() or c in "\n\t" for c in text)


def sound(code, out, err):
    """Whether a command ended as commands should; what it printed is judged by `printable`."""
    refused = code == 2 and err.startswith("algeval: ") and err.count("\n") == 1
    return code in NO_INTERNAL_ERROR and "Traceback" not in out + err and (code != 2 or refused)


# files that were whole once ------------------------------------------------------------------------

WIDE = "item,j1,j2,j3\n1,a,a,b\n2,b,b,b\n3,a,b,\n4,b,a,b\n5,a,a,a\n"
LONG = "item,judge,answer\n" + "".join(
    f"{row.split(',')[0]},j{j},{answer}\n"
    for row in WIDE.splitlines()[1:]
    for j, answer in enumerate(row.split(",")[1:], 1)
    if answer
)


def as_lines():
    """The wide table as JSON lines."""
    head, *rows = (line.split(",") for line in WIDE.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def parquet_bytes(folder):
    """The wide table as a Parquet file."""
    (folder / "source.csv").write_text(WIDE, encoding="utf-8")
    source, target = folder / "source.csv", folder / "source.parquet"
    duckdb.sql(f"copy (select * from read_csv('{source}')) to '{target}' (format parquet)")
    return target.read_bytes()


@pytest.fixture(scope="module")
def whole_files(tmp_path_factory):
    """(ending, bytes) of files that are in order."""
    sketch = ae.Sketch.from_counts({"aab": 2, "aba": 1, "bbb": 3}, judges=["j1", "j2", "j3"])
    texts = [
        (".csv", WIDE),
        (".csv", LONG),
        (".tsv", WIDE.replace(",", "\t")),
        (".jsonl", "\n".join(map(json.dumps, as_lines()))),
        (".json", json.dumps(as_lines())),
        (".json", json.dumps(sketch.to_dict())),
        (".json", json.dumps(sketch.summary().to_dict())),
    ]
    files = [(ending, text.encode()) for ending, text in texts]
    files.append((".csv.gz", gzip.compress(WIDE.encode())))
    return [*files, (".parquet", parquet_bytes(tmp_path_factory.mktemp("whole")))]


SPLICES = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\n", b'"', b"'", b",", b",,,", b"\t", b";",
    b"\x1b[31m", b"\x9b", b"\x07", "\u202e\u200b".encode(), b"\xe2\x80\xa8", b"=1+1", b"NaN", b"1e400",
    b"-1", b"0.5", b"null", b"9" * 400, b"{", b"[", b"}", b"]", b":", b"true", b"x" * 5000, b"<script>",
    b"%s%n", b"../../etc", b"'; drop", b"a", b"b", b"1", b"\n6,a,b,a\n",
]  # fmt: skip


CELLS = [
    "", " ", "a ", "A", "b", "c", "nan", "null", "None", "-", "?", "0", "1", "1.0", "1e400", "-inf", "true",
    "é", "\u202ea", "\x1b[31ma", "\x00", "'a'", '"a,b"', '"a\nb"', "=a", "a" * 3000, "9" * 30, "1_000", "１",
]  # fmt: skip
"""What a cell may hold that is hardly an answer, in a file that is in order otherwise."""


def odd(rng, ending, content):
    """Return a file of the same form with strange cells or strange fields."""
    if ending == ".json":
        document = json.loads(content)
        if isinstance(document, dict):
            document.pop("digest", None)
        try:
            return json.dumps(mutant(rng, document)).encode()
        except ValueError:  # Python writes no number of more than 4300 digits
            return broken(rng, content)
    mark = re.escape("\t" if ending == ".tsv" else ",")
    parts = re.split(f"({mark}|\n)", content.decode())
    for _ in range(rng.choice([1, 1, 2, 5])):
        parts[2 * rng.randrange(len(parts) // 2)] = rng.choice(CELLS)
    return "".join(parts).encode()


def broken(rng, content):
    """Return the bytes of a file after one to four accidents."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        place, other = sorted((rng.randint(0, len(content)), rng.randint(0, len(content))))
        action = rng.choice(["splice", "splice", "cut", "lose", "repeat", "flip", "flip", "swap"])
        if action == "splice":
            content = content[:place] + rng.choice(SPLICES) + content[place:]
        elif action == "cut":
            content = content[:other]
        elif action == "lose":
            content = content[:place] + content[min(other, place + 12) :]
        elif action == "repeat":
            content = content[:other] + content[place:]
        elif action == "flip" and place < len(content):
            content = content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :]
        elif action == "swap":
            content = content[other:] + content[:other]
    return content


COMMANDS = [
    ["alarm"], ["alarm"], ["alarm", "--json"], ["threshold"], ["panel", "--at-least", "1"], ["bounds"],
    ["sketch"], ["report"], ["aggregate"], ["aggregate", "--method", "majority"], ["decode"],
]  # fmt: skip


def test_whole_files_are_read(whole_files, call, tmp_path):
    for ending, content in whole_files:
        path = tmp_path / f"votes{ending}"
        path.write_bytes(content)
        code, _, err = call("alarm", path)
        assert (code in (0, 1), err) == (True, ""), ending


@pytest.mark.filterwarnings("ignore")
@amounts(60, 10_000)
def test_broken_files(most, least, seconds, whole_files, call, tmp_path):
    tries, wrong = Tries("broken files", most, least, seconds), []
    known = "hostile_file[damaged_gzip]" in KNOWN
    files = [one for one in whole_files if not (known and one[0].endswith(".gz"))]
    for rng in tries:
        ending, content = rng.choice(files)
        wrong_ending = rng.random() < 0.1
        path = tmp_path / f"votes{rng.choice(files)[0] if wrong_ending else ending}"
        strange = ending in (".csv", ".tsv", ".json") and rng.random() < 0.5
        path.write_bytes(odd(rng, ending, content) if strange else broken(rng, content))
        command, *options = rng.choice(COMMANDS)
        code, out, err = call(command, path, *options)
        tries.count()
        tries.count({0: "read", 1: "alarms", 2: "refused"}.get(code, "wrong"))
        obeyed = "names_that_a_terminal_would_obey" not in KNOWN and not printable(out + err)
        if obeyed or not sound(code, out, err):
            wrong.append(
                (command, *options, path.name, path.read_bytes()[:2000], code, ascii(err[:600]))
            )
        path.unlink()
    tries.done()
    assert not wrong, (len(wrong), wrong[:5])


# votes are not changed in silence ------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["j1=b", "j3=a", "x=1", "date=2026-01-01"])
def test_a_parquet_file_is_read_whatever_its_folder_is_called(folder, tmp_path):
    place = tmp_path / folder
    place.mkdir()
    rows = "select '1' item, 'a' j1, 'b' j2 union all select '2', 'b', 'b' order by 1"
    duckdb.sql(f"copy ({rows}) to '{place / 'v.parquet'}' (format parquet)")
    votes = ae.read_votes(place / "v.parquet")
    assert (votes.judges, votes.answers) == (("j1", "j2"), ("a", "b"))
    assert votes.codes.tolist() == [[0, 1], [1, 1]]


REFUSED = {
    "repeated_key": (".jsonl", '{"item":"1","j1":"a","j1":"b","j2":"a"}\n{"item":"2","j1":"b","j2":"a"}\n'),
    "cut_off_array": (".json", '[{"item":"1","j1":"a","j2":"b"},{"item":"2","j1":"b","j2":"b"},'),
    "half_a_code": (
        ".json",
        '{"schema":"algeval.sketch/1","judges":["x"],"labels":["a","b"],"answers":["a","b"],'
        '"codes":[[0.5],[1]],"counts":[1,2]}',
    ),
    "null_as_a_judge": (
        ".json",
        '{"schema":"algeval.sketch/1","judges":["1",null],"labels":["a","b"],"answers":["a","b"],'
        '"codes":[[0,0],[1,1]],"counts":[1,2]}',
    ),
    "two_numbers_without_bounds": (
        ".jsonl",
        '{"item":"1","j1":1e400,"j2":2e400}\n{"item":"2","j1":1,"j2":1}\n',
    ),
    "infinity": (".jsonl", '{"item":"1","j1":Infinity,"j2":1}\n{"item":"2","j1":1,"j2":1}\n'),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, call, tmp_path):
    ending, text = REFUSED[name]
    path = tmp_path / f"votes{ending}"
    path.write_text(text, encoding="utf-8")
    code, out, err = call("sketch", path)
    assert code == 2, (out, err)
    assert sound(code, out, err)


def test_blank_lines_are_no_items(tmp_path):
    """In a table of two columns they are skipped; in one of one column they may be votes not given."""
    path = tmp_path / "votes.csv"
    path.write_text("j1,j2\na,a\n\nb,b\n\n", encoding="utf-8")
    assert ae.read_votes(path).n_items == 2
    path.write_text("j1\na\n\nb\n\n", encoding="utf-8")
    with pytest.raises(ae.DataError, match="must have no blank lines"):
        ae.read_votes(path)


# a terminal obeys nothing --------------------------------------------------------------------------

CONTROLS = ["\x1b[31m", "\x1b]0;pwn\x07", "\b\b\b", "\x9b31m", "\u202e", "\u200b", "\x07"]
SHOWN_BY = [
    "report",
    "aggregate",
    "bounds",
    "alarm",
    "threshold",
    "panel",
    "sketch",
    "diagnose",
    "decode",
]


@pytest.mark.filterwarnings("ignore")
def test_names_that_a_terminal_would_obey(call, tmp_path):
    """One judge for each control sequence, whose name and whose answer hold it."""
    path, judges = tmp_path / "votes.csv", [f"{c}n{i}" for i, c in enumerate(CONTROLS)]
    for chosen in (judges[:3], judges[2:5], judges[4:]):
        rows = [[f"{chosen[0]}a", *["b"] * (len(chosen) - 1)], ["b"] * len(chosen)]
        rows.append([f"{chosen[0]}a"] * len(chosen))
        lines = [["item", *chosen], *([str(i), *row] for i, row in enumerate(rows))]
        path.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")
        ended = {command: call(command, path) for command in SHOWN_BY}
        assert all(sound(*one) for one in ended.values()), ended
        raw = [command for command, (_, out, err) in ended.items() if not printable(out + err)]
        assert not raw, [ascii(name) for name in chosen]


# verdicts and their certificates -------------------------------------------------------------------


def test_more_than_one_is_refuted_with_a_certificate_that_verifies():
    asked = "accuracy(*, a) > 1 and accuracy(*, b) > 1/2"
    summary = Summary.from_counts({"x": {"a": 4, "b": 2}})
    found = ae.alarm(summary, asked)
    assert found.triggered
    assert ae.verify(found.certificate, summary).ok


def test_more_than_one_in_a_panel_has_a_certificate_that_verifies():
    rows = [(1, 3, 0), (2, 2, 0), (0, 1, 3), (0, 4, 0)]
    counts = {f"j{i}": dict(zip("abc", row, strict=True)) for i, row in enumerate(rows)}
    summary = Summary.from_counts(counts, labels=["a", "b"], answers=["a", "b", "c"], n_items=4)
    found = ae.panel(summary, "accuracy(*, b) > 1")
    assert found.certificate is None or ae.verify(found.certificate, summary).ok


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["one-coin", "glad"])
def test_one_label_is_refused_or_aggregated_without_nan(method):
    votes = Votes(range(5), ["x", "y", "z"], ["a"], ["a"], [[0] * 3] * 5)
    try:
        found = ae.aggregate(votes, method=method)
    except AlgevalError:
        return
    assert (found.posterior_items == 1).all()


# streams that are closed ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("alarm votes.csv 2>&- >/dev/null", (0, 1)),
        ("alarm nowhere.csv 2>&-", (2,)),
        ("alarm - <&-", (2,)),
    ],
    ids=["no_stderr", "no_stderr_and_no_file", "no_stdin"],
)
def test_closed_streams(words, codes, tmp_path):
    (tmp_path / "votes.csv").write_text(WIDE, encoding="utf-8")
    command = f'"{sys.executable}" -m algeval {words}'
    ended = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=here(), capture_output=True, check=False
    )
    assert ended.returncode in codes


def here():
    """The environment, with the package that is being tested first on the path."""
    root = os.path.dirname(os.path.dirname(ae.__file__))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}


# hostile cells, numbers and headers ----------------------------------------------------------------

HOSTILE_FILES = {
    "nested_cell": (".jsonl", '{"item":"1","j1":' + "[" * 5000 + "]" * 5000 + ',"j2":"a"}\n'),
    "long_integer": (".jsonl", '{"item":"1","j1":' + "7" * 5000 + ',"j2":"a"}\n'),
    "long_integer_in_a_sketch": (
        ".json",
        '{"schema":"algeval.sketch/1","counts":[' + "7" * 5000 + "]}",
    ),
    "nested_document": (".json", "[" * 100_000),
    "nul_bytes": (".csv", "item,j1,j2\n1,a\0b,a\n2,b,b\n"),
    "mixed_newlines": (".csv", "item,j1,j2\r\n1,a,b\n2,b,b\r\n3,a,a\n"),
    "nothing": (".csv", ""),
    "a_header_only": (".csv", "item,j1,j2\n"),
    "damaged_gzip": (".csv.gz", gzip.compress(WIDE.encode())[:10] + b"\xff" * 40),
    "one_huge_cell": (".csv", "item,j1,j2\n1," + "x" * 3_000_000 + ",a\n"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", HOSTILE_FILES)
def test_hostile_file(name, call, tmp_path):
    ending, text = HOSTILE_FILES[name]
    path = tmp_path / f"votes{ending}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    code, out, err = call("alarm", path)
    assert sound(code, out, err), (code, err[:500])
    assert "CSV Parser" not in err, err
    assert "Parallel CSV Reader" not in err, err


@pytest.mark.parametrize(
    "level",
    ["0." + "3" * 5000, "1e-9999", "9" * 5000, "1/0", "nan", "-1", "1e5", "٣/٤", "", "0x1"],
    ids=range(10),
)
def test_hostile_level(level, call, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(WIDE, encoding="utf-8")
    code, out, err = call("alarm", path, "--at-least", level)
    assert sound(code, out, err), (code, err[:500])


@pytest.mark.parametrize("names", ["a\nb", "a\r", "x" * 140_000, '"a', ",", ""])
def test_hostile_names_in_an_option(names, call, tmp_path):
    """A line end in a list was an internal error of the csv module."""
    path = tmp_path / "votes.csv"
    path.write_text(WIDE, encoding="utf-8")
    for option in ("--judges", "--labels", "--map"):
        code, out, err = call("alarm", path, option, names)
        assert sound(code, out, err), (code, err[:500])


def test_a_name_too_long_for_a_header_is_refused_in_a_sentence(call, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(f"item,{'x' * 140_000},b\n1,p,f\n2,f,p\n", encoding="utf-8")
    for command in ("report", "columns", "alarm"):
        code, _, err = call(command, path)
        assert (code, "Binder" in err) == (2, False), err[:300]
        assert "characters" in err, err[:300]


@pytest.mark.parametrize(
    "words", ["leaderboard F --level", "aggregate F --prevalence", "plan --half-width"]
)
def test_a_number_too_large_for_a_float_is_refused(words, call, tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(WIDE, encoding="utf-8")
    words = [path if word == "F" else word for word in words.split()]
    for number in ("1e999", "9" * 400, "-1e400"):
        code, out, err = call(*words, number)
        assert code == 2, err[:300]
        assert sound(code, out, err), err[:300]


ABSURD = [
    *(
        "",
        "0",
        "-1",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "1/0",
        "½",
        "٣",
        "9" * 500,
        "-",
        "=",
        "a=b",
        "a=b=c",
        "{}",
    ),
    *(
        "[]",
        "null",
        "\n",
        "a\nb",
        "\x1b[31m",
        "..",
        "/",
        "a",
        "a,b",
        "60%",
        "101%",
        ",",
        "'",
        '"',
        "$(id)",
        "0x1",
    ),
]
QUICK = ("simulate", "columns", "alarm", "evaluations", "bounds", "sketch", "next")


@pytest.mark.filterwarnings("ignore")
@amounts(24, 2000)
def test_absurd_values_of_every_option(most, least, seconds, call, tmp_path):
    """A value that no option should have is refused in a sentence: it never is an internal error."""
    path = tmp_path / "votes.csv"
    path.write_text(WIDE, encoding="utf-8")
    tries = Tries("absurd values of options", most, least, seconds)
    names = set(cli.list_commands(click.Context(cli))) - {"replicate", "watch", "label"}
    names = names.intersection(QUICK) if most < 100 else names
    for rng in tries:
        name = rng.choice(sorted(names))
        params = cli.get_command(click.Context(cli), name).params
        options = [
            p for p in params if p.opts[0].startswith("--") and not getattr(p, "hidden", False)
        ] * 2
        words = [] if name in ("simulate", "examples", "plan", "completion") else [path]
        for option in rng.sample(options, min(2, len(options))):
            if not {"output", "save", "plot"} & {option.name}:
                words += (
                    [option.opts[0]] if option.is_flag else [option.opts[0], rng.choice(ABSURD)]
                )
        code, out, err = call(name, *words)
        assert code in NO_INTERNAL_ERROR, (name, words, err[:500])
        assert code != 2 or (out + err).strip(), (name, words)
        assert "Traceback" not in out + err, (name, words)
        tries.count()
    tries.done()


def test_a_path_that_the_locale_cannot_write(tmp_path):
    path = tmp_path / "vötes.csv"
    path.write_text(WIDE, encoding="utf-8")
    plain = here() | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "algeval", "alarm", os.fsencode(path)]
    ended = subprocess.run(command, env=plain, capture_output=True, check=False)
    assert ended.returncode in NO_INTERNAL_ERROR


def test_a_header_longer_than_a_block_is_read(call, tmp_path):
    names = [f"judge-{'x' * 2000}-{i}" for i in range(135)]
    path = tmp_path / "votes.csv"
    row = ",".join("ab"[i % 2] for i in range(len(names)))
    path.write_text(f"item,{','.join(names)}\n1,{row}\n2,{row}\n", encoding="utf-8")
    code, _, err = call("threshold", path, "--judges", f"{names[0]},{names[-1]}", "--order", "1")
    assert (code, err) == (0, "")


def test_a_line_separator_inside_a_name_is_part_of_the_name(tmp_path):
    for inside in ("\u2028", "\x0b", "\x85"):
        path = tmp_path / "votes.csv"
        path.write_text(f"item,j{inside}1,j2\n1,a,b\n2,b,b\n", encoding="utf-8", newline="")
        assert ae.read_votes(path).judges == (f"j{inside}1", "j2")


# work that must end --------------------------------------------------------------------------------


def ends_within(seconds, code):
    """Whether a line of Python ends in time, with an answer or a sentence."""
    program = f"import algeval as ae\ntry:\n    {code}\nexcept ae.AlgevalError:\n    pass\n"
    try:
        ended = subprocess.run(
            [sys.executable, "-c", program],
            env=here(),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def test_a_level_with_a_huge_exponent_ends():
    assert ends_within(6, "ae.Specification.at_least('1e-9999999')")


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim",
    ["(P_A+f_Bi+d_i+d_j)^60=0", "*".join(f"(Q-{k})" for k in range(1, 9)) + "*(P_A-P_B)=0"],
    ids=["power", "product"],
)
def test_a_huge_identity_ends(claim):
    assert ends_within(30, f"ae.prove({claim!r})")


@pytest.mark.slow
def test_a_panel_keeps_its_time_limit():
    code = (
        "import numpy as np; rng = np.random.default_rng(0); labels = [f'l{t}' for t in range(200)]; "
        "table = rng.multinomial(2000, [1/200]*200, size=2000); "
        "s = ae.Summary([f'j{i}' for i in range(2000)], labels, labels, table, 2000); "
        "ae.panel(s, .9, time_limit=10)"
    )
    assert ends_within(40, code)


@pytest.mark.slow
def test_multipliers_with_long_denominators_are_refused_in_time():
    sketch = ae.Sketch.from_counts({"ab": 5, "ba": 5})
    document = ae.alarm(sketch, 1, order="full").certificate.to_dict()
    rows = [[["tuple", k % 2], f"1/{10**3999 + 2 * k + 1}"] for k in range(100)]
    document["evidence"] = {"kind": "multipliers", "rows": rows}
    start = time.monotonic()
    assert not ae.verify(document, sketch)
    assert time.monotonic() - start < 5


def test_specifications_in_words_that_are_none():
    words = [
        "accuracy", "accuracy >=", "accuracy >= 2", "grade(x) >= 1/0", "prevalence(a) in 1..0", "((((",
        "at least 0 judges", "accuracy >= 0.5 and", "accuracy(\x00) >= 0.5", "accuracy >= " + "9" * 5000,
        "\u202e >= 1",
    ]  # fmt: skip
    for text in words:
        with pytest.raises(AlgevalError):
            ae.alarm(ae.Sketch.from_counts({"ab": 1}), text)
        with pytest.raises(AlgevalError):
            Specification.of(text).check_names(["x"], ["a"])


def test_whatever_is_no_file_is_refused(call, tmp_path):
    (tmp_path / "folder").mkdir()
    names = [
        tmp_path / "folder",
        tmp_path / "nowhere.csv",
        "http://localhost/x.csv",
        "*.csv",
        "\n",
        "",
        "/dev/null",
    ]
    for name in names:
        code, out, err = call("alarm", name)
        assert code == 2, (name, out, err)
        assert sound(code, out, err), (name, err)
    with pytest.raises(AlgevalError):
        ae.read_votes(io.BytesIO(b"\xff\xfe\x00"))
