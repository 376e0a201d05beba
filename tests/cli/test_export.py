"""`--export`: the text alone on stdout, all else on stderr, and the exit code of the question."""

import pytest

from algeval.cli.main import run
from algeval.export import FILES, SYSTEMS

CLAIM = "Delta_ij = P_A*P_B*d_i*d_j"
ALARM = ["--example", "mt-bench", "--at-least"]


def said(capsys, *arguments):
    code = run([*arguments])
    return code, *capsys.readouterr()


@pytest.mark.parametrize("kind", ["coq", "lean", "latex", "singular", "m2", "sage", "smt"])
def test_stdout_holds_the_export_alone(capsys, kind):
    plain = said(capsys, "prove", CLAIM)
    code, out, err = said(capsys, "prove", CLAIM, "--export", kind)
    assert code == plain[0] == 0
    assert "Proved" not in out
    assert "Delta_ij" in out or r"\Delta_{ij}" in out
    assert plain[1].splitlines()[0] in err


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["alarm", *ALARM, "0.7"], 1),
        (["alarm", *ALARM, "0.2"], 0),
        (["panel", *ALARM, "0.7"], 1),
        (["threshold", "--example", "mt-bench"], 0),
        (["bounds", "--example", "mt-bench"], 0),
        (["prove", "a_ij >= 1/2", "--judges", "2"], 1),
    ],
)
def test_exit_codes_are_those_of_the_question(capsys, command, code):
    assert said(capsys, *command)[0] == code
    exported, out, err = said(capsys, *command, "--export", "coq")
    assert exported == code
    assert out.lstrip().startswith(("From Coq Require", "(* Written by algeval"))
    assert "Theorem" in out
    assert err.strip()


def test_what_cannot_be_written_ends_with_two_and_the_reason(capsys):
    code, out, err = said(capsys, "prove", "P_A*P_B <= 1/4", "--judges", "1", "--export", "lean")
    assert (code, out) == (2, "")
    assert "nothing was exported" in err
    code, out, err = said(
        capsys, "prove", "MV >= 2*g_i*g_j*g_k", "--time-limit", "1e-9", "--export", "coq"
    )
    if code == 2:
        assert "undecided has no proof" in err


def test_a_file_is_written_and_nothing_printed_on_stdout(capsys, tmp_path):
    file = tmp_path / "claim.v"
    code, out, err = said(capsys, "prove", CLAIM, "--export", "coq", "-o", str(file))
    assert (code, out) == (0, "")
    assert "Theorem" in file.read_text(encoding="utf-8")
    assert str(file) in err.replace("\n", " ") or "Written to" in err


def test_sympy_is_answered_by_sage_with_a_word(capsys):
    sage = said(capsys, "prove", CLAIM, "--export", "sage")[1]
    code, out, err = said(capsys, "prove", CLAIM, "--export", "sympy")
    assert (code, out) == (0, sage)
    assert "sympy is gone" in err


def test_json_and_an_export_exclude_each_other(capsys):
    code, out, err = said(capsys, "prove", CLAIM, "--export", "coq", "--json")
    assert (code, out) == (2, "")
    assert "without --json" in err


def test_equations_of_papers_are_one_file(capsys):
    code, out, _ = said(capsys, "prove", "--only", "S16,S22", "--export", "coq")
    assert code == 0
    assert out.count("Theorem refuted") >= 1
    assert out.count("\nEnd eq_S") == out.count("\nModule eq_S") >= 3
    assert said(capsys, "prove", "--only", "S16", "--export", "smt")[0] == 2


def test_a_file_that_people_wrote_is_left_alone(capsys, tmp_path):
    file = tmp_path / "claim.v"
    assert said(capsys, "prove", CLAIM, "--export", "coq", "-o", str(file))[0] == 0
    assert said(capsys, "prove", "P_A + P_B = 1", "--export", "coq", "-o", str(file))[0] == 0
    own = file.read_text(encoding="utf-8") + "(* mine *)\n"
    file.write_text(own, encoding="utf-8")
    code, _, err = said(capsys, "prove", CLAIM, "--export", "coq", "-o", str(file))
    assert code == 2
    assert "must be a new file" in err
    assert file.read_text(encoding="utf-8") == own


def test_a_file_has_the_ending_of_its_system(capsys, tmp_path):
    code, out, err = said(capsys, "prove", CLAIM, "--export", "coq", "-o", str(tmp_path / "x.csv"))
    assert (code, out) == (2, "")
    assert "must end in .v" in err
    assert not list(tmp_path.iterdir())


def test_names_of_systems_are_those_of_the_package():
    assert tuple(FILES) == SYSTEMS
