"""Certificates of every kind, checked by SymPy along another route, and spoilt ones rejected."""

import copy
import json
from collections import Counter
from fractions import Fraction
from importlib import util
from pathlib import Path

import pytest

from algeval.algebra.language import system
from algeval.algebra.proving import Contradiction, Theorem, prove
from algeval.algebra.statements import Space, read_problem, read_texts

_SPEC = util.spec_from_file_location("second_route", Path(__file__).with_name("second_route.py"))
second_route = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(second_route)

HALF = [f"P_{j}{t} >= 1/2" for j in "ij" for t in "AB"]

# the kind of the outermost node, or a step, that the claim is here for
CLAIMS = {
    "coefficients": ("kappa_ij <= a_ij", [], 2, "axioms"),
    "bound": ("a_ij >= 1/2", ["P_iA >= 2/3", "P_iB >= 2/3", *HALF[2:]], 2, "independent"),
    "factors": ("Delta_ij >= 0", ["d_i >= 0", "d_j >= 0"], 2, "independent"),
    "strict factors": (
        "Delta_ij > 0",
        ["d_i > 0", "d_j > 0", "0 < P_A < 1"],
        2,
        "independent",
    ),
    "combination": ("a_ij >= 1/2", ["g_i >= 3/4", "g_j >= 3/4"], 2, "axioms"),
    "times": (
        "Delta_ij >= 0",
        ["d_i >= 0", "d_j >= 0", "Gamma_ij_A >= 0", "Gamma_ij_B >= 0"],
        2,
        "axioms",
    ),
    "multiplier": (
        "P_iA >= P_jA",
        ["f_Bi = f_Bj", "P_iB >= P_jB", "1/10 <= P_A <= 9/10"],
        2,
        "independent",
    ),
    "split": ("Delta_ij <= 1/4", [], 2, "axioms"),
    "margin": ("2*f_Ai^2 - 2*f_Ai + 1 > 0", [], 1, "axioms"),
    "divisor": ("P_iA > 1/4", ["P_iA >= 1/2"], 1, "axioms"),
    "identify": ("a_ij >= 1/2", ["P_iA = P_jA", "P_iB = P_jB"], 2, "independent"),
    "reversed": ("a_ij <= 1/2", ["P_iA = 1 - P_jA", "P_iB = 1 - P_jB"], 2, "independent"),
    "fix": ("Delta_ijk = 0", ["P_A = 1/2"], 3, "independent"),
    "solve": (
        "Delta_ij >= 0",
        ["P_iA = 1 - P_iB/2", "P_jA = 1 - P_jB/2"],
        2,
        "independent",
    ),
    "cofactors": ("a_ij = 1", ["f_AB + f_BA = 0"], 2, "axioms"),
    "strict contradiction": ("g_i >= 0", ["d_i > 1"], 1, "independent"),
    "contradiction": ("g_i > 1/3", ["P_A > 3/5", "P_B > 1/2"], 1, "independent"),
}


def certificate(name):
    claim, given, judges, model = CLAIMS[name]
    found = prove(claim, given=given, judges=judges, model=model)
    assert isinstance(found, Contradiction if "contradiction" in name else Theorem), found
    return json.loads(json.dumps(found.to_dict()))


def accepted(written):
    known = system(written["model"], written["judges"], written["labels"])
    claim = "0 <= 1" if written["claim"] == "contradiction" else written["claim"]
    texts = read_texts(claim, written["given"], written["define"], known)
    return second_route.accepts(written, known, read_problem(texts, Space(known)))


def nodes(value):
    if isinstance(value, dict):
        if "kind" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from nodes(part)


@pytest.fixture(scope="module")
def written():
    return {name: certificate(name) for name in CLAIMS}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n == "coefficients" else n for n in CLAIMS],
)
def test_sympy_accepts_the_certificate(written, name):
    assert accepted(written[name])


def test_every_kind_of_node_and_step_is_among_them(written):
    kinds = {node["kind"] for one in written.values() for node in nodes(one)}
    steps = {step["step"] for one in written.values() for step in one["domain"]}
    fields = {key for one in written.values() for node in nodes(one) for key in node}
    terms = {
        key for one in written.values() for n in nodes(one) for t in n.get("terms", ()) for key in t
    }
    assert kinds >= {"coefficients", "factors", "combination", "split", "zero"}
    assert steps == {"identify", "fix", "bound", "solve", "merge"}
    assert "times" in fields
    assert terms >= {"given", "times"}


def spoilt(one):
    """Yield (what was done, the certificate with it done)."""
    for place, node in enumerate(nodes(one)):

        def changed(place=place):
            other = copy.deepcopy(one)
            return other, list(nodes(other))[place]

        if node["kind"] == "combination":
            for k, _ in enumerate(node["terms"]):
                other, there = changed()
                there["terms"][k]["c"] = str(-Fraction(there["terms"][k]["c"]))
                yield "a negative term", other
        if node["kind"] in ("split", "orders"):
            other, there = changed()
            del there["children"][-1]
            yield "a child is missing", other
        if node["kind"] == "factors":
            other, there = changed()
            there["constant"] = str(-Fraction(there["constant"]))
            yield "the constant turned", other
        if node["kind"] == "coefficients" and any(node["degree"]):
            other, there = changed()
            there["degree"] = [0] * len(there["degree"])
            yield "too low a degree", other


@pytest.mark.parametrize(
    "name",
    [n for n, (claim, *_) in CLAIMS.items() if " = " not in claim and "contradiction" not in n],
)
def test_the_claim_turned_round_is_not_proved_by_it(written, name):
    other = copy.deepcopy(written[name])
    turned = str.maketrans("<>", "><")
    other["claim"] = other["claim"].translate(turned)
    assert not accepted(other)


@pytest.mark.parametrize("name", CLAIMS)
def test_spoilt_certificates_are_rejected(written, name):
    tried = Counter()
    for what, other in spoilt(written[name]):
        tried[what] += 1
        assert tried[what] > 2 or not accepted(other), what
    assert tried or name in ("fix", "cofactors")
