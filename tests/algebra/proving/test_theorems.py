import json
from fractions import Fraction

import pytest
import sympy

from algeval.algebra.proving import Contradiction, Counterexample, Theorem, Undecided, prove
from algeval.errors import DataError, TooLargeError
from algeval.result import Status
from algeval.verify import verify

COVARIANCE = ("Delta_ij >= 0", ["d_i >= 0", "d_j >= 0"])


def test_a_theorem_says_whether_independence_is_needed():
    found = prove(COVARIANCE[0], given=COVARIANCE[1], judges=2)
    assert (found.holds, found.model, found.status) == (True, "independent", Status.OK)
    assert isinstance(found.any_exam, Counterexample)
    assert found.any_exam.left < found.any_exam.right == 0
    assert "; if they are not, it can fail." in found.message
    assert "without the assumption of independent errors" in found.summary()
    wide = prove("prec_i >= P_A", given="d_i >= 0", judges=1)
    assert (wide.model, wide.any_exam) == ("axioms", None)
    assert "holds on every exam, if d_i >= 0" in wide.message


def test_the_certificate_is_what_is_saved(tmp_path):
    found = prove(COVARIANCE[0], given=COVARIANCE[1], judges=2)
    path = tmp_path / "proof.json"
    found.save(path)
    written = json.loads(path.read_text())
    assert written == json.loads(json.dumps(found.to_dict())) == found.certificate
    assert written["schema"] == "algeval.inequality/1"
    assert (written["claim"], written["given"], written["strict"]) == (*COVARIANCE, False)
    assert (written["judges"], written["labels"]) == (["i", "j"], ["A", "B"])


def test_equal_verdicts_are_equal_and_short_in_print():
    one, two = (prove("P_A*P_B <= 1/4", judges=1) for _ in range(2))
    assert one == two
    assert len(repr(one)) < 300


def test_a_counterexample_satisfies_the_hypotheses():
    found = prove("BA_i >= 1/2", given=["g_i >= 1/2"], judges=1)
    assert isinstance(found, Counterexample)
    assert "that satisfies g_i >= 1/2" in found.message
    assert (found.exam.n_items, found.smallest, found.given) == (4, True, ("g_i >= 1/2",))
    assert found.left < Fraction(1, 2) == found.right


def test_equal_sides_refute_a_strict_claim_only():
    assert prove("P_A*P_B <= 1/4", judges=1).holds
    found = prove("P_A*P_B < 1/4", judges=1)
    assert found.left == found.right == Fraction(1, 4)


def test_hypotheses_that_contradict_each_other_prove_nothing():
    found = prove("g_i >= 0", given=["P_A > 3/5", "P_A < 1/2"], judges=1)
    assert isinstance(found, Contradiction)
    assert (found.holds, found.status) == (None, Status.INCONSISTENT)
    assert found.certificate["claim"] == "contradiction"
    assert "contradict each other" in found.summary()
    divides = prove("prec_i >= 0", given=["P_A > 3/5", "P_A < 1/2"], judges=1)
    assert divides.certificate["denominators"] == []


def test_undecided_says_what_was_tried():
    # an equality that two inequalities imply: cofactors of equalities cannot show it
    found = prove("P_A = 1/2", given=["P_A >= 1/2", "P_A <= 1/2"], judges=1)
    assert isinstance(found, Undecided)
    assert (found.holds, found.status, found.least) == (None, Status.UNDETERMINED, 0)
    assert "cofactors one degree higher" in found.tried
    assert "Not decided: " in found.message
    assert "state it as >= and <=" in found.message
    assert "least difference of the sides seen: 0" in found.summary()


def test_a_claim_that_is_nowhere_defined_is_not_decided():
    found = prove("prec_i >= 1/2", given="f_Ai = 0", judges=1)
    assert isinstance(found, Undecided)
    assert "divides by zero wherever the hypotheses hold" in found.message


def test_a_hint_is_a_square():
    # zero at irrational points off the diagonals
    claim = "P_iA^4 - P_iA^2 + P_jA^4 - P_jA^2 + 1/2 >= 0"
    hint = ["P_iA^2 - 1/2", "P_jA^2 - 1/2"]
    assert prove(claim, judges=2, hint=hint).holds
    with pytest.raises(DataError, match="a hint must be a polynomial"):
        prove(claim, judges=2, hint="1/P_iA")


def test_time_is_kept():
    claim = "P_iA^4 + P_jA^4 + P_kA^4 + P_lA^4 + 1/10^6 > 4*P_iA*P_jA*P_kA*P_lA"
    found = prove(claim, judges=4, time_limit=0.05)
    assert isinstance(found, Undecided)
    assert found.status is Status.TIME_LIMIT
    assert "pass a longer time_limit" in found.message


def test_exams_without_a_label_are_no_counterexamples_of_independent_judges():
    found = prove("P_A*P_iA > 0", given=["P_iA > 1/2"], judges=1, time_limit=5)
    assert isinstance(found, Undecided | Theorem)
    assert prove("P_A*P_iA > 0", given=["P_iA > 1/2", "P_A > 0"], judges=1).holds


def test_definitions_hypotheses_and_equalities():
    define = {"loss": "P_A*(1 - P_iA) + 2*P_B*(1 - P_iB)"}
    assert prove("loss <= 2 - 2*g_i", define=define, judges=1).holds
    assert prove("loss = 2 - 2*g_i - P_A*(1 - P_iA)", define=define, judges=1).holds
    shadow = prove("kappa_ij <= 2", define={"kappa_ij": "(a_ij - 1/2)/(1/2)"}, judges=2)
    assert shadow.certificate["define"] == {}
    assert "(a_ij - 1/2)" in shadow.claim
    equal = prove("a_ij = P_iA*P_jA + (1 - P_iA)*(1 - P_jA)", given=["P_iA = P_iB", "P_jA = P_jB"])
    assert (equal.holds, equal.model) == (True, "independent")
    half = prove("Delta_ijk = 0", given="P_A = 1/2")
    assert half.certificate["proof"] == {"kind": "zero"}


def test_sympy_inequalities_are_read():
    a, b = sympy.symbols("P_A P_B")
    assert prove(sympy.Le(a * b, sympy.Rational(1, 4)), judges=1).holds
    assert not prove(sympy.Gt(a, b), judges=1).holds
    assert prove(sympy.Eq(sympy.Symbol("d_i"), 0), judges=1, given=["P_iA = 1 - P_iB"]).holds


def test_correlated_judges_are_any_exam():
    found = prove("f_AiAj >= f_Ai + f_Aj - 1", model="correlated", judges=2)
    assert (found.holds, found.model) == (True, "axioms")
    assert not prove(*COVARIANCE[:1], given=COVARIANCE[1], model="correlated", judges=2).holds
    with pytest.raises(DataError, match="correlations in an inequality must be of right answers"):
        prove("Gamma_{i:B,j}^{(A)} >= 0", model="correlated", judges=2, labels=3)


def test_too_many_unknowns_are_refused():
    with pytest.raises(TooLargeError, match="512 unknowns"):
        prove("unan <= 1", model="axioms", judges=8)
    assert prove("g_i <= 1", model="axioms", judges=8).judges == ("i",)


def test_the_verdict_does_not_wait_for_what_independence_is_for():
    # five equal judges: without independence 64 cells and equations of degree 5
    names = [f"P_{judge}{label}" for judge in "ijklm" for label in "AB"]
    given = [*(f"{name} = P_iA" for name in names[1:]), "P_iA >= 1/2"]
    found = prove("MV >= MV_ijk", judges=5, given=given)
    assert (found.holds, found.model) == (True, "independent")
    assert verify(found.certificate).ok
    assert "whenever errors are independent" in found.message


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("27*P_iA*P_jA*P_kA <= (P_iA+P_jA+P_kA)^3", []),
        ("P_iA^2 + P_jB^2 >= 2*P_iA*P_jB", []),
        ("prec_i >= prec_j", ["P_iA >= P_jA", "P_iB >= P_jB"]),
    ],
)
def test_claims_about_judges_one_at_a_time_hold_on_every_exam(claim, given):
    found = prove(claim, given=given)
    assert (found.holds, found.model, found.any_exam) == (True, "independent", None)
    assert "holds on every exam: it is about judges one at a time" in found.message
    assert "whenever errors" not in found.message
    assert verify(found.certificate).ok
    assert ("divides by zero" in found.message) == ("prec" in claim)


def test_a_hypothesis_about_two_judges_together_needs_independence():
    # without it a_ij = 1 says nothing of the accuracy of either
    given = ["a_ij = 1", "P_A = 1/2"]
    found = prove("P_iA*(1 - P_iA) <= 0", given=given, judges=2)
    assert (found.holds, found.model) == (True, "independent")
    assert "holds whenever errors are independent" in found.message
    assert "if they are not, it can fail" in found.message
    assert prove("P_iA*(1 - P_iA) <= 0", given=given, judges=2, model="correlated").holds is False
    assert prove("R_{i,A} + R_{j,A} >= 0", judges=2, model="axioms").holds


@pytest.mark.parametrize(
    ("claim", "given", "labels"),
    [
        ("10*p^3*(1-p)^2+5*p^4*(1-p)+p^5 >= 3*p^2-2*p^3", ["p >= 1/2"], 2),
        ("kappa_i^2 <= MCC2_i", [], 2),
        ("det > 0", ["P_iA > 1/2", "P_iB > 1/2", "P_iC > 1/2"], 3),
    ],
)
def test_one_judge_is_never_called_independent(claim, given, labels):
    rows = {t: {a: f"P_{{i,{a}|{t}}}" if a != t else f"P_i{t}" for a in "ABC"} for t in "ABC"}
    det = " + ".join(
        f"{sign}*{rows['A'][a]}*{rows['B'][b]}*{rows['C'][c]}"
        for sign, (a, b, c) in zip(
            ("1", "1", "1", "-1", "-1", "-1"),
            ("ABC", "BCA", "CAB", "ACB", "BAC", "CBA"),
            strict=True,
        )
    )
    define = {"p": "P_iA"} | ({"det": det} if labels == 3 else {})
    found = prove(claim, given=given, judges=1, labels=labels, define=define)
    assert found.holds
    assert "independent" not in found.summary()
    assert ("where it divides by zero" in found.message) == ("kappa" in claim)
    assert verify(found.certificate).ok


def test_a_strict_hypothesis_cancels_a_factor():
    found = prove("P_A*P_iA >= P_B*P_iB", given=["F1_i >= g_i", "g_i < 1"], judges=1)
    assert found.holds
    assert verify(found.certificate).ok
    weak = prove("P_A*P_iA >= P_B*P_iB", given=["F1_i >= g_i", "g_i <= 1"], judges=1)
    assert weak.holds is False  # all items right, and more of them B
    assert weak.left < weak.right


def test_what_is_too_large_for_any_exam_is_decided_for_independent_judges():
    found = prove("unan <= 1", judges=3, labels=5)
    assert (found.holds, found.any_exam) == (True, None)
    assert "whenever errors are independent" in found.message


def test_a_contradiction_of_independent_judges_is_not_one_of_every_exam():
    given = ["Delta_ij < 0", "d_i > 0", "d_j > 0"]
    found = prove("g_i >= 0", given=given, judges=2)
    assert isinstance(found, Contradiction)
    assert "no exam with independent errors satisfies Delta_ij < 0" in found.message
    assert isinstance(prove("g_i > 0", given=given, judges=2, model="axioms"), Theorem)
    wide = prove("g_i >= 0", given=["g_i >= 3/4", "g_j >= 3/4", "a_ij < 1/2"], judges=2)
    assert isinstance(wide, Contradiction)
    assert "no exam satisfies g_i >= 3/4" in wide.message


def test_hints_of_linear_claims_are_read():
    assert prove("g_i <= 1", judges=2, hint=["P_iA*P_jA", "g_i - g_j"]).holds
    claim = "P_iA^4 - P_iA^2 + P_jA^4 - P_jA^2 + 1/2 >= -a_ij"
    found = prove(claim, judges=2, hint=["P_iA^2 - 1/2", "P_jA^2 - 1/2"])
    assert found.holds  # on any exam the hints divide, which is no error of the user's
    with pytest.raises(DataError, match="a hint must be a polynomial"):
        prove("g_i <= 1", judges=1, model="axioms", hint="P_iA")
