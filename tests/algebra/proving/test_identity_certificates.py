"""Every identity of the papers has a certificate that the verifier proves from the text alone."""

import json

import pytest

from algeval.algebra import prove
from algeval.algebra.proving import identity_certificate
from algeval.errors import NotSolvedError
from algeval.verify import main, verify
from algeval_papers import catalogue

PROVED = [
    (entry, text)
    for entry in catalogue()
    for text in (entry.printed if entry.verdict == "proved" else entry.corrected)
]
REFUTED = [
    (entry, text) for entry in catalogue() if entry.verdict == "erratum" for text in entry.printed
]


def made(entry, text):
    judges, labels = "ijklmn"[: entry.judges], "ABC"[: entry.labels]
    return identity_certificate(text, model=entry.model, judges=judges, labels=labels)


@pytest.mark.parametrize(("entry", "text"), PROVED, ids=lambda one: getattr(one, "number", ""))
def test_what_is_proved_is_verified_by_other_code(entry, text):
    assert verify(made(entry, text)).ok


@pytest.mark.parametrize(("entry", "text"), REFUTED, ids=lambda one: getattr(one, "number", ""))
def test_what_is_refuted_gets_none_and_is_rejected(entry, text):
    with pytest.raises(NotSolvedError, match="must be an identity"):
        made(entry, text)
    true = made(*PROVED[0])
    judges, labels = list("ijklmn"[: entry.judges]), list("ABC"[: entry.labels])
    model = "independent" if entry.model == "independent" else "axioms"
    forged = true | {"claim": text, "judges": judges, "labels": labels, "model": model}
    assert not verify(forged).ok


def test_a_proof_saves_the_certificate_of_its_weakest_model(tmp_path, capsys):
    proof = prove("f_AA*f_BB - f_AB*f_BA = Delta_ij", judges=2)
    path = tmp_path / "proof.json"
    proof.save(path)
    assert json.loads(path.read_text())["model"] == "axioms"
    assert main([str(path)]) == 0
    assert "for every exam" in capsys.readouterr().out


def test_a_division_is_told():
    proof = prove("prec_i = P_A*P_iA/f_Ai")
    assert len(proof.certificate["denominators"]) == 2  # f_Ai, and P_A in P_iA on any exam
    assert verify(proof.certificate).ok
