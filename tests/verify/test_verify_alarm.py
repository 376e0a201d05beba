"""The part that has to be read to trust an alarm: how long it is, what it imports, that it works alone."""

import ast
import io
import json
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


def test_it_has_at_most_600_lines_of_code():
    assert lines_of_code(PATH.read_text(encoding="utf-8")) <= 600


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


def test_it_leaves_the_rest_to_the_verifier():
    panel = verify_alarm.read_sketch(ODD.to_dict())
    quiet = ae.alarm(ODD, "1/2").certificate
    pairs = ae.threshold(ODD, order=2).refutation
    for certificate in (quiet, pairs):
        assert verify(certificate, ODD)
        with pytest.raises(verify_alarm.Rejected, match=r"verify\.py has the rest"):
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
