"""Exports other than Coq: their programs accept what is true, refuse what is not, and say what was typed."""

import json
import re
import shutil
import subprocess
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from algeval.algebra import prove
from algeval.export import NotExported, export, latex
from algeval.export.statement import Reading, Statement, parse_relation, value, variables_of

IDENTITIES = [
    ("Delta_ij = P_A*P_B*d_i*d_j", {}),
    ("prec_i = P_A*P_iA/f_Ai", {"judges": 1}),
    ("g_i = (Q_A/Q)*(R_iA_A/Q_A) + (Q_B/Q)*(R_iB_B/Q_B)", {"judges": 1, "model": "axioms"}),
    ("MV = 3*unan - unan + MV - 2*unan", {}),
    ("Jac_i = F1_i/(2 - F1_i)", {"judges": 1}),
    ("kappa_ij = (a_ij - f_Ai*f_Aj - f_Bi*f_Bj)/(1 - f_Ai*f_Aj - f_Bi*f_Bj)", {"judges": 2}),
    ("P_A + P_B + P_C = 1", {"judges": 1, "labels": 3}),
]
INEQUALITIES = [
    ("P_A*P_B <= 1/4", {"judges": 1}),
    ("1 - a_ij <= 1 - g_i + 1 - g_j", {"judges": 2}),
    ("prec_i >= P_A", {"judges": 1, "given": ["d_i >= 0"]}),
    ("a_ij >= 1/2", {"judges": 2, "given": ["g_i >= 3/4", "g_j >= 3/4"]}),
]
FALSE = [
    ("f_Bi = f_Bj", {"judges": 2}),
    ("Delta_ij = P_A*P_B*d_i*d_j", {"judges": 2, "model": "correlated"}),
    ("g_i = P_iA", {"judges": 1}),
]
PROGRAMS = {
    "smt": (["z3", "-T:20", "-in"], "unsat", "sat"),
    "singular": (["Singular", "-q"], "PROVED", "REFUTED"),
    "m2": (["M2", "--script", "/dev/stdin"], "PROVED", "REFUTED"),
}
HOSTILE = '*) -/ "\n;}); print("PROVED"); (check-sat) \\end{document} {{x}}'


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


KINDS = [pytest.param(kind, marks=needs(PROGRAMS[kind][0][0])) for kind in PROGRAMS]


def document(claim, options):
    result = prove(claim, **options)
    return result.to_dict() if result.holds is False else dict(result.certificate)


def said(kind, text):
    command = ["timeout", "15", *PROGRAMS[kind][0]]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout


def last_line(kind, text):
    return said(kind, text).strip().splitlines()[-1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("claim", "options"), IDENTITIES)
def test_identities_are_accepted(kind, claim, options):
    assert last_line(kind, export(document(claim, options), kind)) == PROGRAMS[kind][1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("claim", "options"), FALSE)
def test_exams_that_refute_are_accepted(kind, claim, options):
    assert last_line(kind, export(document(claim, options), kind)) == PROGRAMS[kind][2]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("term", ["+ P_A/7", "- P_A*P_B", "+ 1/1000"])
@pytest.mark.parametrize(("claim", "options"), IDENTITIES[:3])
def test_a_term_added_is_refused(kind, claim, options, term):
    forged = document(claim, options)
    forged["claim"] += term
    assert last_line(kind, export(forged, kind)) not in PROGRAMS[kind][1:2]


@pytest.mark.parametrize("kind", KINDS)
def test_an_exam_that_does_not_refute_is_refused(kind):
    forged = document(*FALSE[0])
    forged["exam"]["keyed"] = [[1, 0] for _ in forged["exam"]["keyed"]]
    forged["exam"]["sketch"]["codes"] = [[0, 0] for _ in forged["exam"]["sketch"]["codes"]]
    assert last_line(kind, export(forged, kind)) != PROGRAMS[kind][2]


@needs("z3")
@pytest.mark.parametrize(("claim", "options"), INEQUALITIES)
def test_inequalities_and_their_mutants_in_real_arithmetic(claim, options):
    true = document(claim, options)
    assert last_line("smt", export(true, "smt")) == "unsat"
    sign = "<=" if "<=" in claim else ">="
    left, right = claim.split(sign)
    shift = "+ 1/50" if sign == "<=" else "- 1/50"
    assert (
        last_line("smt", export(true | {"claim": f"{left}{shift} {sign} {right}"}, "smt")) == "sat"
    )
    if options.get("given"):
        assert last_line("smt", export(true | {"given": []}, "smt")) == "sat"


@pytest.mark.parametrize("kind", [k for k in KINDS if k.values[0] != "smt"])
def test_hypotheses_that_contradict_each_other_prove_nothing(kind):
    forged = document("P_A + P_B = 1", {"judges": 1})
    forged |= {"claim": "P_A = 7", "given": ["P_A = 2", "P_A = 3"]}
    assert last_line(kind, export(forged, kind)) == "VACUOUS"


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_look_alike_stay_apart(kind):
    """Judges i and iA: rates of either could be spelled P_iAB."""
    forged = document("P_{i,A} = P_{i,A}", {"judges": ["i", "iA"], "labels": 2})
    forged |= {"judges": ["i", "iA"], "claim": "P_{iA,B} = P_{i,A|B}"}
    assert last_line(kind, export(forged, kind)) not in PROGRAMS[kind][1:2]


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_labels_are_never_run(kind):
    labels = ["good", HOSTILE]
    true = document("P_A + P_B = 1", {"judges": ["i"]}) | {"labels": labels}
    true["claim"] = "P_good = P_good"
    forged = true | {"claim": "P_good = 1"}
    assert last_line(kind, export(true, kind)) == PROGRAMS[kind][1]
    assert (
        PROGRAMS[kind][1] not in said(kind, export(forged, kind)).replace("NOT PROVED", "").split()
    )


@pytest.mark.parametrize("kind", ["singular", "m2", "sage"])
def test_ideals_refuse_what_is_no_equation(kind):
    with pytest.raises(NotExported, match="must be an equation"):
        export(document(*INEQUALITIES[0]), kind)
    source = document(*INEQUALITIES[2]) | {"claim": "P_iA = 1", "given": ["P_iA >= 1"]}
    with pytest.raises(NotExported, match="inequality among its hypotheses"):
        export(source, kind)


def test_the_script_of_sage_is_python_that_asks_the_same():
    """The ideal and the claim of Sage are those of Singular, number for number."""
    source = document(*IDENTITIES[1])
    ours, theirs = export(source, "sage"), export(source, "singular")
    compile(ours, "claim.sage", "exec")
    plain = re.sub(r"QQ\('([^']*)'\)", r"(\1)", ours).replace("**", "^")
    (ideal,) = re.findall(r"ideal H = (.*);", theirs)
    assert f"R.ideal([{ideal}])" in plain
    assert f"claim = R({re.findall(r'poly claim = (.*);', theirs)[0]})" in plain


# --- Lean: no kernel at hand, so that its text is read back.


@pytest.mark.parametrize(("claim", "options"), [*IDENTITIES, *FALSE])
def test_what_lean_is_to_prove_is_the_statement(claim, options):
    source = document(claim, options)
    statement, text = Statement.of(source), export(source, "lean")
    assert text.startswith("-- Not compiled by us")
    body = text.split("theorem", 1)[1]
    binders = re.findall(r"^    \((\w+) : (.*)\)$", body, re.MULTILINE)
    plain = re.sub(r"\((-?[\d/]+) : ℝ\)", r"(\1)", body.replace("≤", "<=").replace("≥", ">="))
    facts = dict(re.findall(r"^    \((\w+) : (.*)\)$", plain, re.MULTILINE))
    reals = [name for name, kind in binders if kind == "ℝ"]
    assert reals == [*statement.base, *statement.definitions]
    for name, tree in statement.definitions.items():
        assert parse_relation(facts[f"def_{name}"]).right == tree
    assert len([n for n in facts if n.startswith("ne_")]) == len(statement.divisors)
    (goal,) = re.findall(r"^    : (.*) := by$|^    , (.*)\) := by$", plain, re.MULTILINE)
    assert parse_relation("".join(goal)) == statement.claim


def test_lean_refuses_what_it_has_no_proof_for():
    with pytest.raises(NotExported, match="identity or refuted"):
        export(document(*INEQUALITIES[0]), "lean")


# --- LaTeX: what stands there means the same, and is typeset.


def frequencies(rng, judges, labels):
    """A random exam: {(true label, answers): share}, all shares above zero."""
    cells = [(t, u) for t in labels for u in product(labels, repeat=len(judges))]
    counts = [rng.randint(1, 9) for _ in cells]
    return {cell: Fraction(n, sum(counts)) for cell, n in zip(cells, counts, strict=True)}


def share_of(exam, judges, condition):
    """Share of an exam in what stands between the brackets of Pr."""
    event, _, given = condition.partition(r"\mid")
    spelled = [*judges, "T"]

    def holds(cell, events):
        answers = dict(zip(spelled, [*cell[1], cell[0]], strict=True))
        chains = [e.strip().split("{=}") for e in events.split(r",\,") if e.strip()]
        return all(len({answers.get(x, x) for x in chain}) == 1 for chain in chains)

    within = [cell for cell in exam if holds(cell, given)]
    return sum(exam[c] for c in within if holds(c, event)) / sum(exam[c] for c in within)


@pytest.mark.parametrize(
    "name",
    ["P_A", "P_iA", "g_i", "f_Ai", "f_AiBj", "a_ij", "unan", "kappa_ij", "kappa_i", "Delta_ij", "Gamma_ij_A",
     "d_i", "BA_i", "prec_i", "npv_i", "rec_i", "F1_i", "Jac_i", "MCC2_i", "odds_AAB", "f_AAB"],
)  # fmt: skip
def test_definitions_in_latex_mean_what_the_name_means(name):
    source = document("P_A + P_B = 1", {"judges": 3, "model": "axioms"})
    source |= {"claim": f"{name} = {name}", "judges": ["i", "j", "k"]}
    reading, statement = Reading(source), Statement.of(source)
    meaning = latex._Meaning(reading, statement)
    tree = meaning._tree(name)
    rng = Random(name)
    for _ in range(5):
        exam = frequencies(rng, "ijk", "AB")
        point = {
            v: sum(
                share for (t, u), share in exam.items()
                if key[0] == "cell" and "AB".index(t) == key[1]
                and tuple("AB".index(u["ijk".index("ijk"[p])]) for p in statement.positions) == key[2]
            )
            for key, v in statement.coordinates.items()
        }  # fmt: skip
        values = statement.values(point)
        left = value(statement.claim.left, values)
        said = {
            v: share_of(exam, "ijk", re.fullmatch(r"\\Pr\((.*)\)", v)[1])
            for v in variables_of(tree)
        }
        assert value(tree, said) == left


def test_a_covariance_is_a_difference_of_probabilities():
    text = export(document(*IDENTITIES[0]), "latex")
    assert r"\Delta_{ij} = P_{A}\,P_{B}\,d_{i}\,d_{j}" in text
    assert r"\Delta_{ij} = \Pr(i{=}B,\, j{=}B) - \Pr(i{=}B)\,\Pr(j{=}B)" in text


def test_small_proofs_show_the_sum_or_square():
    text = export(document(*INEQUALITIES[0]), "latex")
    assert r"\[ \tfrac{1}{4}\bigl(2\,\Pr(T{=}A) - 1\bigr)^{2}, \]" in text
    text = export(document("R_iA_A <= R_iA", {"judges": 1, "model": "axioms"}), "latex")
    assert r"\[ \Pr(i{=}A,\, T{=}B), \]" in text
    strict = export(document("P_A*P_B < 1/3", {"judges": 1}), "latex")
    assert "the inequality is strict" in strict


@needs("pdflatex")
@pytest.mark.slow
def test_theorems_are_typeset(tmp_path):
    sources = [document(claim, options) for claim, options in [*IDENTITIES, *INEQUALITIES, *FALSE]]
    odd = document("P_A + P_B = 1", {"judges": 1})
    odd |= {"labels": ["good", HOSTILE + " ü 中 %&$#_^~"], "claim": "P_good = P_good"}
    theorems = "\n".join(export(source, "latex") for source in [*sources, odd])
    page = (
        r"\documentclass{article}\usepackage{amsmath,amsthm}\newtheorem{theorem}{Theorem}\begin{document}"
        + theorems + r"\end{document}"
    )  # fmt: skip
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert theorems.count(r"\begin{theorem}") == len(sources) + 1


def test_exports_hold_no_line_of_a_name():
    """A line break in a name stays inside its quotation."""
    source = document("P_A + P_B = 1", {"judges": ["i"]}) | {
        "labels": ["good", HOSTILE],
        "claim": "P_good = P_good",
    }
    for kind in ("smt", "singular", "m2", "sage", "lean"):
        legend = [line for line in export(source, kind).splitlines() if "PROVED\\" in line]
        assert legend
        assert all(json.dumps(HOSTILE)[1:-1] in line for line in legend)
