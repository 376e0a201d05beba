"""The part that has to be read to trust an alarm: how long it is, what it imports, that it works alone."""

import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import algeval as ae
from algeval import verify_alarm
from algeval.data import Sketch, Specification
from algeval.verify import verify

PATH = Path(verify_alarm.__file__)
ODD = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})
MISSING = Sketch.from_counts({("a", "b", None): 2, ("b", "a", "a"): 2, ("a", "a", "b"): 1})


def lines_of_code(text):
    """Lines that hold more than a comment or a docstring."""
    tree, blank = ast.parse(text), {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE}
    blank |= {tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank:
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= set(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def test_it_is_as_long_as_its_page_says():
    """The page and the decision name the lines, and how many of them are code at most."""
    text = PATH.read_text(encoding="utf-8")
    for page in ("reference/verify-alarm.md", "decisions/two-file-verifier.md"):
        said = (PATH.parents[1] / "docs" / page).read_text(encoding="utf-8")
        lines, code = map(int, re.search(r"(\d+) lines,\s+(\d+) of\s+them code", said).groups())
        assert 0 <= lines - len(text.splitlines()) < 50
        assert 0 <= code - lines_of_code(text) < 10


def test_it_imports_the_standard_library_only():
    tree = ast.parse(PATH.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [part.name for part in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


ALARMS = [
    (ODD, 1, Specification.at_least("4/5") & Specification.prevalence("a", ">=", "1/2")),
    (ODD, "full", Specification.at_least("3/4")),
    (ODD, "full", Specification.grade(">", "4/5")),
    (MISSING, "full", Specification.at_least("9/10")),
    (MISSING, 1, Specification.at_least("99/100") & Specification.prevalence("a", "<=", "1/5")),
]


@pytest.mark.parametrize(("data", "order", "spec"), ALARMS)
def test_it_checks_alarms_alone(data, order, spec, tmp_path):
    found = ae.alarm(data, spec, order=order)
    assert found.triggered
    shutil.copy(PATH, tmp_path)
    (tmp_path / "alarm.json").write_text(json.dumps(found.certificate.to_dict()))
    bad = json.loads(json.dumps(found.certificate.to_dict()))
    bad["claim"]["specification"]["conditions"] = bad["claim"]["specification"]["conditions"][-1:]
    bad["claim"]["specification"]["conditions"][0]["value"] = "0"
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    (tmp_path / "data.json").write_text(json.dumps(data.to_dict()))

    def run(name):
        command = [sys.executable, "-S", "-O", "-I", "verify_alarm.py", name, "data.json"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("alarm.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == verify(found.certificate, data).sentence + "\n"
    done = run("bad.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Rejected: ")


def without(document, *path):
    """Document without the field at the end of a path."""
    document = json.loads(json.dumps(document))
    place = document
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return document


LOUD = ae.alarm(ODD, "3/4").certificate.to_dict()
DATA = ODD.to_dict()
OTHER = "must be an alarm on all judges, of order 1 or full order; verify.py has the rest"
FILES = [
    ("no certificate", [], DATA, 2, "must hold a JSON object"),
    ("no object", "3", DATA, 2, "must hold a JSON object"),
    ("schema alone", {"schema": "algeval.certificate/1"}, DATA, 2, OTHER),
    ("no evidence", without(LOUD, "evidence"), DATA, 2, OTHER),
    ("no kind", without(LOUD, "evidence", "kind"), DATA, 2, OTHER),
    ("swapped", DATA, LOUD, 2, "perhaps the two files are swapped"),
    ("twice", LOUD, LOUD, 2, "perhaps the two files are swapped"),
    ("silence", ae.alarm(ODD, "1/2").certificate.to_dict(), DATA, 2, OTHER),
    ("pairs", ae.threshold(ODD, order=2).refutation.to_dict(), DATA, 2, OTHER),
    ("panel", ae.panel(ODD, "4/5").certificate.to_dict(), DATA, 2, OTHER),
    ("strange data", LOUD, DATA | {"schema": []}, 2, "must be an algeval.sketch/1"),
    ("broken data", LOUD, without(DATA, "judges"), 2, "the data cannot be used: judges must be"),
    ("empty data", LOUD, DATA | {"codes": [], "counts": []}, 2, "at least one item"),
    ("no claim field", without(LOUD, "claim", "missing"), DATA, 1, "must have the field 'missing'"),
    ("no rows", without(LOUD, "evidence", "weights"), DATA, 1, "must have the field 'weights'"),
    ("other data", LOUD, MISSING.to_dict(), 1, "speaks of other data"),
    ("fine", LOUD, DATA, 0, "Verified (5 items; judges '1', '2', '3'; labels 'a', 'b'; order full"),
]


@pytest.mark.parametrize(("made", "counts", "code", "words"), [row[1:] for row in FILES],
                         ids=[row[0] for row in FILES])  # fmt: skip
def test_its_exit_code_says_whether_a_proof_is_false_or_not_for_it(
    made, counts, code, words, tmp_path, capsys
):
    paths = []
    for name, document in (("certificate", made), ("data", counts)):
        paths.append(str(tmp_path / f"{name}.json"))
        Path(paths[-1]).write_text(json.dumps(document))
    assert one_sentence(paths, capsys) == (code, words)


def one_sentence(paths, capsys):
    """Exit code, and the sentence but for its first word and what is not asked for."""
    code = verify_alarm.main(*paths)
    out, err = capsys.readouterr()
    said = out if code == 0 else err
    assert (out == "") == (code != 0)
    assert (err == "") == (code == 0)
    assert said.count("\n") == 1
    assert said.startswith(("Verified (", "Rejected: ", "Unreadable: ")[code])
    return Said(code, said)


class Said(tuple):
    """Exit code and sentence; equal to a code and words of the sentence."""

    def __new__(cls, *parts):
        return super().__new__(cls, parts)

    def __eq__(self, other):
        return self[0] == other[0] and other[1] in self[1]

    __hash__ = tuple.__hash__


UNREADABLE = {
    "cut off": b'{"schema": ',
    "deep": b'{"claim": ' * 200_000,
    "not text": b"\xff\xfe\x00",
    "empty": b"",
    "no number": b'{"claim": NaN}',
    "twice the key": b'{"claim": 1, "claim": 2}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_files_that_cannot_be_read_are_not_false_proofs(name, tmp_path, capsys):
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    bad.write_bytes(UNREADABLE[name])
    good.write_text(json.dumps(DATA))
    assert one_sentence([str(bad), str(good)], capsys) == (2, "bad.json' cannot be read")


def test_missing_files_and_arguments_are_not_false_proofs(tmp_path, capsys):
    gone = str(tmp_path / "gone.json")
    assert one_sentence([gone, gone], capsys) == (2, "gone.json' cannot be read")
    assert one_sentence([str(tmp_path), gone], capsys) == (2, "cannot be read")
    for paths in ([], [gone], [gone] * 3):
        assert one_sentence(paths, capsys) == (2, f"name two files; got {len(paths)}")
    command = [sys.executable, "-S", "-I", str(PATH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Unreadable: name two files")


def test_it_leaves_the_rest_to_the_verifier():
    panel = verify_alarm.read_sketch(ODD.to_dict())
    quiet = ae.alarm(ODD, "1/2").certificate
    pairs = ae.threshold(ODD, order=2).refutation
    for certificate in (quiet, pairs):
        assert verify(certificate, ODD)
        with pytest.raises(verify_alarm.Unreadable, match=r"verify\.py has the rest"):
            verify_alarm.check_alarm(certificate.to_dict(), panel)


def test_what_a_check_may_take_is_in_its_verdict(monkeypatch):
    loud = ae.alarm(ODD, "3/4").certificate
    verdict = verify(loud, ODD)
    assert verdict.budget.startswith(tuple("123456789"))
    assert "of at most 5000000000 steps" in verdict.budget
    assert "(no limit), files of at most 268435456 bytes" in verdict.budget
    late = verify(loud, ODD, seconds=0)
    assert not late
    assert "not checked to the end within 0 seconds, which does not mean that it is wrong" in (
        late.sentence
    )
    assert "(at most 0)" in late.budget
    monkeypatch.setattr(verify_alarm, "MAX_STEPS", 1)
    assert "within 1 steps" in verify(loud, ODD).sentence
