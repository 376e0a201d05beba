import random
from itertools import product

import pytest

from algeval.algebra.proving import holds_on, prove
from algeval.data import KeyedSketch


def random_exam(n, seed):
    draw = random.Random(seed)
    decisions = list(product("AB", repeat=n))
    return KeyedSketch.from_counts(
        {label: {t: draw.randint(0, 4) for t in decisions} for label in "AB"},
        judges=list("ijklmnop"[:n]),
        labels=["A", "B"],
        answers=["A", "B"],
    )


@pytest.mark.parametrize(
    ("text", "judges"),
    [
        ("f_AA*f_BB - f_AB*f_BA = Delta_ij", 2),
        ("f_Bi = P_A*(1-P_iA) + P_B*P_iB", 3),
        ("P_iA = 1 - f_Bi + P_B*d_i", 3),
        ("n_ABA = n_ABA_A + n_ABA_B", 3),
        ("f_AAA+f_AAB+f_ABA+f_ABB+f_BAA+f_BAB+f_BBA+f_BBB = 1", 3),
        ("P_A + P_B = 1", 3),
        ("d_i/P_A = (P_iB - (1 - P_iA))/P_A", 3),
        ("f_Bi = P_A*(1-P_iA) + P_B*P_iB", 7),
    ],
)
def test_independence_was_asked_for_where_nothing_need_be_assumed(text, judges):
    found = prove(text, judges=judges)
    assert found.model == "independent"
    assert found.weakest == found.weaker.model == "correlated"
    assert "holds on every exam" in found.message
    assert ("independent errors are not needed" in found.message) == (len(found.judges) > 1)
    assert "whenever errors are independent" not in found.message
    if judges < 7:
        assert found.check()
        for seed in range(20):  # counted under the axioms: another vocabulary, no encoding
            sides = holds_on(text, random_exam(judges, seed))
            assert sides is None or sides[0] == sides[1]
    assert found.to_dict()["weaker"]["model"] == "correlated"


@pytest.mark.parametrize(
    "text",
    [
        "Delta_ij = P_A*P_B*d_i*d_j",
        "f_AAA = P_A*P_iA*P_jA*P_kA + P_B*(1-P_iB)*(1-P_jB)*(1-P_kB)",
        "n_AAA_A = Q*P_A*P_iA*P_jA*P_kA",
        "d_i^2*P_A*P_B = Delta_ij*Delta_ik/Delta_jk",
        "Delta_ij*d_k = Delta_ik*d_j",
    ],
)
def test_independence_is_asked_for_where_an_exam_needs_it(text):
    found = prove(text)
    assert (found.weakest, found.weaker) == ("independent", None)
    assert found.message.startswith(f"Proved: {text} holds whenever errors are independent")
    sides = [holds_on(text, random_exam(3, seed)) for seed in range(20)]
    assert any(one is not None and one[0] != one[1] for one in sides)


def test_other_models_say_what_they_said():
    text = "f_AA*f_BB - f_AB*f_BA = Delta_ij"
    for model, said in {
        "correlated": "holds on every exam, whatever the correlations.",
        "axioms": "holds on every exam; it divides by Q.",
    }.items():
        found = prove(text, judges=2, model=model)
        assert found.message == f"Proved: {text} {said}"
        assert (found.weakest, found.weaker) == (model, None)


def test_a_weaker_proof_of_something_else_does_not_check():
    found, other = prove("P_A + P_B = 1"), prove("P_iA = 1 - f_Bi + P_B*d_i")
    fields = {name: getattr(found, name) for name in (
        "status", "message", "identity", "model", "judges", "labels", "difference", "nonzero",
        "multiplier", "steps",
    )}  # fmt: skip
    assert type(found)(**fields, weaker=found.weaker).check()
    assert not type(found)(**fields, weaker=other.weaker).check()


def test_what_could_not_be_decided_is_said(monkeypatch):
    # As where there are too many judges for either weaker model, or no time is left.
    from algeval.algebra import proving

    monkeypatch.setattr(proving, "_MODELS", ())
    text = "f_AA*f_BB - f_AB*f_BA = Delta_ij"
    found = prove(text, judges=2)
    assert found.weaker is None
    assert "independent; whether that is needed was not decided" in found.message
    for seed in range(5):
        left, right = holds_on(text, random_exam(2, seed))
        assert left == right
    # one judge, or several one at a time: independence is no assumption
    assert prove("P_A + P_B = 1").message.startswith("Proved: P_A + P_B = 1 holds on every exam;")
    apart = prove("g_i + g_j = P_A*(P_iA + P_jA) + P_B*(P_iB + P_jB)", judges=2)
    assert "holds on every exam: it is about judges one at a time" in apart.message
