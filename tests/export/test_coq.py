"""Claims as Coq theorems: coqc accepts them, resting on the real numbers alone, and refuses changed ones."""

import re
import shutil
from importlib import util
from pathlib import Path

import pytest

from algeval.algebra import prove
from algeval.export import NotExported, coq_library, export
from algeval.export.coq import TRUSTED, text, theory
from algeval_papers.equations import catalogue

_SPEC = util.spec_from_file_location("theorems", Path(__file__).with_name("theorems.py"))
theorems = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(theorems)

needs_coqc = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")

ONE, TWO, ANY = {"judges": 1}, {"judges": 2}, {"model": "axioms"}
CLAIMS = [
    # identities
    ("Delta_ij = P_A*P_B*d_i*d_j", {}),
    ("prec_i = P_A*P_iA/f_Ai", ONE),
    ("P_iA = 1 - f_Bi + P_B*d_i", ONE),
    ("R_iA_A - Q_A + R_iB - R_iB_B = 0", ONE | ANY),
    ("kappa_i = (g_i - P_A*f_Ai - P_B*f_Bi)/(1 - P_A*f_Ai - P_B*f_Bi)", ONE),
    # inequalities and hypotheses, of every kind of node that is quick
    ("P_A*P_B <= 1/4", ONE),
    ("prec_i >= P_A", ONE | {"given": ["d_i >= 0"]}),
    ("P_A*P_iA > 0", ONE | {"given": ["P_iA > 1/2", "P_A > 0"]}),
    ("a_ij >= g_i + g_j - 1", TWO | ANY),
    ("a_ij = P_iA*P_jA + (1 - P_iA)*(1 - P_jA)", TWO | {"given": ["P_iA = P_iB", "P_jA = P_jB"]}),
    ("MV >= 5/8", ANY | {"given": ["g_i >= 3/4", "g_j >= 3/4", "g_k >= 3/4"]}),
    ("x >= 1/2", TWO | {"given": ["g_i >= 3/4", "g_j >= 3/4"], "define": {"x": "a_ij"}}),
    ("n_AA <= Q", TWO | ANY),
    ("Delta_ijk = 0", {"given": ["P_A = 1/2"]}),
    # hypotheses that contradict each other
    ("g_i > 0", ONE | {"given": ["d_i > 2"]}),
    # exams
    ("f_Bi = f_Bj", {}),
    ("Gamma_ij_A = 0", {"model": "correlated"}),
    ("Delta_ij = P_A*P_B*d_i*d_j", {"model": "correlated"}),
    ("MV >= g_i", {}),
    ("a_ij >= 3/5", TWO | {"given": ["g_i >= 3/4", "g_j >= 3/4"]}),
    ("Q_A = Q_B", ONE | ANY),
]


def documents(cases):
    return [theorems.document_of(prove(claim, **settings)) for claim, settings in cases]


@needs_coqc
def test_twenty_claims_in_one_file(tmp_path):
    listed = documents(CLAIMS)
    assert {theorems.kind_of(document) for document in listed} == {
        "identity", "inequality", "contradiction", "counterexample"
    }  # fmt: skip
    source = theory(listed)
    answer = theorems.compiled(source, tmp_path)
    assert answer.ok, answer.output
    assert answer.axioms
    assert answer.axioms <= TRUSTED
    assert len(re.findall(r"^Theorem (?:claim|refuted) ", source, re.MULTILINE)) == len(CLAIMS)
    proved = re.search(
        r"^Definition theorems := \((.*)\)\.\nPrint Assumptions theorems\.$", source, re.MULTILINE
    )
    assert len(proved[1].split(", ")) == len(CLAIMS)
    assert not re.search(r"Admitted|admit|Axiom |Parameter ", source)


@needs_coqc
@pytest.mark.parametrize("number", [1, 6, 7, 15], ids=lambda k: CLAIMS[k][0])
def test_what_was_changed_is_refused(number, tmp_path):
    (document,) = documents([CLAIMS[number]])
    changed = theorems.forgeries(document)
    assert changed
    for name, source in changed.items():
        assert source != text(document)
        answer = theorems.compiled(source, tmp_path)
        assert not answer.ok, name
        assert "Error" in answer.output


@needs_coqc
def test_an_axiom_of_ones_own_is_seen(tmp_path):
    (document,) = documents(CLAIMS[:1])
    source = re.sub(
        r"Proof\. unfold statement\..*?Qed\.", "Admitted.", text(document), flags=re.DOTALL
    )
    answer = theorems.compiled(source, tmp_path)
    assert answer.ok
    assert not answer.trusted


def code_of(source):
    """A file without its strings."""
    return re.sub(r'"(?:[^"]|"")*"', '""', source)


HOSTILE = [
    "b *) Axiom cheat : False. (*",
    '"]%string. Axiom cheat : False. Definition x := ["',
    "é\n",
    "forall",
]


@needs_coqc
def test_no_text_of_the_reader_is_code(tmp_path):
    listed = []
    for label in HOSTILE:
        settings = {"labels": [label, "B"], "judges": ["exists", label + "2"]}
        listed.append(theorems.document_of(prove("P_B <= 1", **settings)))
        listed.append(theorems.document_of(prove("g_exists <= 1", **settings)))
        listed.append(theorems.document_of(prove("g_exists = P_B", **settings)))
    source = theory(listed)
    assert source.isascii()
    bare = code_of(source)
    assert re.search(r"\bAxiom\b", source)
    assert not re.search(r"\b(Axiom|cheat|exists)\b", bare)
    answer = theorems.compiled(source, tmp_path)
    assert answer.trusted, answer.output


def identity(claim, **settings):
    return {
        "schema": "algeval.inequality/1",
        "claim": claim,
        "model": "independent",
        "judges": ["i", "j"],
        "labels": ["A", "B"],
        "denominators": [],
        "strict": False,
        "proof": {"kind": "zero"},
    } | settings


@needs_coqc
@pytest.mark.parametrize(
    "document",
    [
        identity("x = x_", define={"x": "P_A", "x_": "P_B"}),
        identity("P_A = 1/2", labels=["A", "A_"]),
        identity("f_{A,AA} = f_{AA,A}", labels=["A", "AA"], model="axioms"),
        identity("P_{iA,B} = P_{i,A|B}", judges=["i", "iA"]),
        identity("P_A = P_B"),
    ],
    ids=lambda document: document["claim"],
)
def test_false_claims_with_names_that_look_alike_are_refused(document, tmp_path):
    assert not theorems.compiled(text(document), tmp_path).ok


def test_a_forged_certificate_of_correlated_errors_is_not_written():
    with pytest.raises(NotExported, match="model"):
        export(identity("Delta_ij = P_A*P_B*d_i*d_j", model="correlated"), "coq")


def test_a_claim_that_divides_by_zero_everywhere_is_not_written():
    with pytest.raises(NotExported, match="zero"):
        export(identity("P_A/(P_A - P_A) = 5"), "coq")


def test_every_theorem_shows_an_exam_or_says_that_none_is_known():
    holding = documents([CLAIMS[6]])[0]
    assert "Theorem example" in text(holding)
    simple = documents([("P_A*P_B <= 1/4", ONE)])[0]
    assert "Theorem example" not in text(simple)  # nothing is assumed
    source = text(dict(simple, given=["P_A > 1"]))
    assert "Theorem example" not in source
    assert "the theorem may say nothing" in source
    impossible = documents([("g_i > 0", ONE | {"given": ["d_i > 2"]})])[0]
    assert "No exam satisfies the hypotheses" in text(impossible)


def test_a_false_counterexample_is_not_written():
    document = documents([("f_Bi = f_Bj", {})])[0]
    sketch = document["exam"]["sketch"]
    sketch["codes"] = [[0] * len(codes) for codes in sketch["codes"]]
    with pytest.raises(NotExported, match="fails"):
        export(document, "coq")


def test_the_library_holds_what_exports_import():
    assert (coq_library() / "Tac.v").is_file()
    source = text(documents(CLAIMS[:1])[0])
    assert "From Algeval Require Import Tac." in source


OWN_THEOREMS = {
    "OneItem": [
        "one_item",
        "one_item_strict",
        "one_item_equal",
        "one_item_over",
        "one_item_over_strict",
    ],
    "OrderOne": ["order_one"],
    "Floor": ["plurality_floor", "plurality_reached"],
}


@needs_coqc
@pytest.mark.parametrize("file", OWN_THEOREMS)
def test_our_own_theorems_rest_on_nothing(file, tmp_path):
    source = (coq_library() / f"{file}.v").read_text(encoding="utf-8")
    for name in OWN_THEOREMS[file]:
        assert f"Theorem {name} " in source
        assert f"Print Assumptions {name}." in source
    answer = theorems.compiled(source, tmp_path)
    assert answer.ok, answer.output
    assert answer.output.count("Closed under the global context") == len(OWN_THEOREMS[file])


def test_an_export_says_what_is_wrong_with_its_kind():
    proof = prove("P_A + P_B = 1")
    with pytest.raises(NotExported, match="kind must be one of coq, lean"):
        proof.export("agda")
    with pytest.raises(NotExported, match="to be exported"):
        export({"schema": "algeval.sketch/1"}, "coq")
    with pytest.raises(NotExported, match="must be a certificate"):
        theory([])
    with pytest.raises(NotExported, match="lacks or misuses"):
        export({"schema": "algeval.inequality/1"}, "coq")
    assert "Theorem claim" in proof.export("coq")


def test_an_equation_of_a_paper_names_its_certificates():
    outcomes = [entry.run() for entry in catalogue(["S18", "S16"])]
    named = {name: c for outcome in outcomes for name, c in outcome.certificates.items()}
    assert len(named) == sum(len(o.proofs) + len(o.refutations) for o in outcomes)
    source = theory(named.values(), list(named))
    for name in named:
        assert name.isidentifier()
        assert f"Module {name}.\n" in source


@needs_coqc
@pytest.mark.slow
def test_the_papers_as_one_file(tmp_path):
    named, size = {}, 0
    for entry in catalogue():
        certificates = entry.run().certificates
        size += len(certificates)
        named |= certificates
    assert len(named) == size > 100
    answer = theorems.compiled(theory(named.values(), list(named)), tmp_path, limit=1800)
    assert answer.trusted, answer.output


@needs_coqc
@pytest.mark.slow
def test_claims_of_an_outside_author_are_decided_rightly_and_compile(tmp_path):
    listed = []
    for claim, given, settings, truth in theorems.outside.CLAIMS:
        answer = prove(claim, given=given, **settings)
        assert answer.holds is truth, claim
        listed.append(theorems.document_of(answer))
    answer = theorems.compiled(theory(listed), tmp_path)
    assert answer.trusted, answer.output


@needs_coqc
@pytest.mark.slow
def test_every_known_claim_compiles_twenty_a_file(tmp_path):
    every = list(theorems.known())
    listed = [document for document in every if document.get("claim") not in theorems.TOO_LARGE]
    assert len(listed) == len(every) - len(theorems.TOO_LARGE) > 150
    for k in range(0, len(listed), 20):
        answer = theorems.compiled(theory(listed[k : k + 20]), tmp_path, limit=900)
        assert answer.trusted, answer.output


@needs_coqc
@pytest.mark.slow
def test_every_fifth_known_claim_is_refused_when_changed(tmp_path):
    for document in list(theorems.known())[::5]:
        for name, source in theorems.forgeries(document).items():
            answer = theorems.compiled(source, tmp_path)
            assert not answer.ok, (name, document)
