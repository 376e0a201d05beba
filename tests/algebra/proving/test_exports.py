"""Exported proofs: the script runs on SymPy alone, and the Lean text says what the script says."""

import re
import subprocess
import sys

import pytest
import sympy

from algeval.algebra import prove

CLAIMS = [
    ("Delta_ij = P_A*P_B*d_i*d_j", {}),
    ("Delta_ijk = P_A*P_B*(2*P_A - 1)*d_i*d_j*d_k", {}),
    ("prec_i = P_A*P_iA/f_Ai", {"judges": 1}),
    ("g_i = P_A*P_iA + P_B*P_iB", {"judges": 1}),
    ("R_iA_A - Q_A + R_iB - R_iB_B = 0", {"judges": 1, "model": "axioms"}),
    ("P_A + P_B = 1", {"judges": 1}),
]


def proof_of(claim, options):
    return prove(claim, **options)


@pytest.mark.parametrize(("claim", "options"), CLAIMS)
def test_the_script_runs_by_itself_and_stops_where_a_step_is_wrong(claim, options, tmp_path):
    text = proof_of(claim, options).to_sympy()
    path = tmp_path / "proof.py"
    path.write_text(text)
    subprocess.run([sys.executable, "-I", str(path)], check=True)
    lines = text.splitlines()
    wrong = [k for k, line in enumerate(lines) if line.startswith("s")][-1]
    name, claimed = lines[wrong].split(" = ")
    lines[wrong] = f"{name} = {claimed} + 1"
    path.write_text("\n".join(lines))
    ended = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=False
    )
    assert "AssertionError" in ended.stderr


def polynomial(text, names):
    return sympy.expand(sympy.sympify(text.replace("^", "**"), locals=names))


@pytest.mark.parametrize(("claim", "options"), CLAIMS)
def test_each_linear_combination_of_the_lean_text_is_right(claim, options):
    """Read back: what stands before := less the combination must vanish, as `ring` would find."""
    text = proof_of(claim, options).to_lean()
    declared = re.search(r"example \(([^:]*) : ℝ\)", text)
    variables = declared[1].split() if declared else []
    names = {name: sympy.Symbol(name) for name in variables}
    zero = {
        name: polynomial(body, names)
        for name, body in re.findall(r"^    \((h\d+) : (.*) = 0\)$", text, re.MULTILINE)
    }
    said = text.split("example", 1)[1].split("ℝ)")[-1]
    steps = re.findall(
        r"(?:have (s\d+) )?: ([^:]*) = 0 := by\s+(?:linear_combination (.*)|ring)", said
    )
    assert steps
    for name, claimed, combination in steps:
        left = polynomial(claimed, names)
        right = polynomial(combination or "0", names | zero)
        assert sympy.expand(left - right) == 0
        zero[name] = left


def test_latex_has_a_line_per_cofactor():
    proof = proof_of(*CLAIMS[0])
    text = proof.to_latex()
    assert text.count("&=") == len(proof.steps)
    assert text.count(r"\left(") >= 2 * len(proof.steps[-1].terms)
    assert text.startswith(r"\begin{aligned}")
