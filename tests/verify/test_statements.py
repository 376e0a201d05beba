"""Certificates about all exams, each worked on paper, and what is wrong with others."""

import copy
import json
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from time import process_time

import pytest

import algeval.verify_statements as module
from algeval.verify import main, verify

ROOT = Path(__file__).parents[2]


def certificate(claim, proof, model="axioms", judges="ij", labels="AB", **more):
    header = {"schema": "algeval.inequality/1", "claim": claim, "model": model}
    names = {"judges": list(judges), "labels": list(labels)}
    strict = ">" in claim.replace(">=", "") or "<" in claim.replace("<=", "")
    return {**header, **names, "strict": strict, "proof": proof, **more}


def coefficients(*degree):
    return {"kind": "coefficients", "degree": list(degree)}


def polynomial(size, *terms):
    """[[exponents, coefficient]] of terms (coefficient, coordinate, coordinate, ...)."""
    result = []
    for c, *coordinates in terms:
        exponents = [0] * size
        for k in coordinates:
            exponents[k] += 1
        result.append([exponents, c])
    return result


def monomial(size, *coordinates):
    return polynomial(size, ("1", *coordinates))[0][0]


# Coordinates, axioms and two judges: cells 0..3 of truth A, 4..7 of truth B, answers AA AB BA BB.
# Independent, judge i alone: 0 1 prevalences, 2 3 its answers on A, 4 5 on B. With j also 6 7 and 8 9.

SEEN = certificate("a_ij >= g_i + g_j - 1", coefficients(1))
"""1 + a_ij - g_i - g_j counts an item twice that both get wrong alike, and no item negatively."""

WEIGHTED = certificate(
    "g_i <= P_iA + P_iB",
    {
        "kind": "corners",
        "block": 0,
        "children": [
            {"position": 0, "proof": coefficients(0, 1)},
            {"position": 1, "proof": coefficients(1, 0)},
        ],
    },
    "independent",
    "i",
)
"""Where all items are A the difference is P_iB, where all are B it is P_iA."""

QUARTER = certificate(
    "Delta_ij <= 1/4",
    {
        "kind": "split",
        "block": 0,
        "edge": [0, 3],
        "at": "1/2",
        "children": [coefficients(2), coefficients(2)],
    },
    domain=[
        {"step": "merge", "coordinates": [[0, 0], [0, 4]]},
        {"step": "merge", "coordinates": [[0, 1], [0, 4]]},
        {"step": "merge", "coordinates": [[0, 2], [0, 4]]},
        {"step": "merge", "coordinates": [[0, 4], [0, 3]]},
    ],
)
"""With shares w x y z of AA AB BA BB: (w+x+y+z)^2 / 4 - wz + xy, and at most 1/4 is in the way."""

SQUARE = {"polynomial": polynomial(10, ("1", 2), ("-1", 6)), "power": 2}
MEANS = certificate(
    "P_iA^2 + P_jA^2 >= 2*P_iA*P_jA",
    {"kind": "factors", "constant": "1", "factors": [SQUARE]},
    "independent",
)

SORTED = certificate(
    MEANS["claim"],
    {
        "kind": "orders",
        "blocks": [1, 3],
        "children": [
            {"order": [1, 3], "proof": coefficients(0, 0, 0, 2)},
            {"order": [3, 1], "proof": {"same": 0}},
        ],
    },
    "independent",
)
"""P_iA = t, P_jA = t + u: the difference is u^2."""


def used(k, degree=(0, 0, 0, 0, 0)):
    """The k-th inequality, as it stands."""
    return {"kind": "combination", "degree": list(degree), "terms": [{"c": "1", "given": [k]}]}


def factor(proof, *terms):
    return {"polynomial": polynomial(10, *terms), "power": 1, "sign": 1, "proof": proof}


TOGETHER = certificate(
    "Delta_ij >= 0",
    {
        "kind": "factors",
        "constant": "1",
        "factors": [
            factor(coefficients(1, 0, 0, 0, 0), ("1", 0)),
            factor(coefficients(1, 0, 0, 0, 0), ("1", 1)),
            factor(used(0, (0, 1, 1, 0, 0)), ("1", 2), ("-1", 4)),
            factor(used(1, (0, 0, 0, 1, 1)), ("1", 6), ("1", 9), ("-1",)),
        ],
    },
    "independent",
    given=["d_i >= 0", "0 <= d_j"],
)
"""Delta_ij = P_A P_B d_i d_j; d_i is P_iA less the rate of A on B, and P_B the last of its block."""


def strictly(given, *terms):
    return factor(used(given), *terms)


TOGETHER_STRICTLY = certificate(
    "Delta_ij > 0",
    {
        "kind": "factors",
        "constant": "1",
        "factors": [
            strictly(2, ("1", 0)),
            strictly(3, ("1", 1)),
            strictly(0, ("1", 2), ("-1", 4)),
            strictly(1, ("1", 6), ("-1", 8)),
        ],
    },
    "independent",
    given=["d_i > 0", "d_j > 0", "0 < P_A", "P_A < 1"],
)

HALF = certificate(
    "a_ij >= 1/2",
    {
        "kind": "combination",
        "degree": [1],
        "terms": [{"c": "1", "given": [0]}, {"c": "1", "given": [1]}],
    },
    given=["g_i >= 3/4", "g_j >= 3/4"],
)
"""a_ij - 1/2 is (a_ij + 1 - g_i - g_j) + (g_i - 3/4) + (g_j - 3/4)."""

MARGIN = certificate(
    "P_A*P_iA > 1/10",
    {
        "kind": "combination",
        "degree": [1, 1, 0],
        "terms": [
            {"c": "1", "given": [0, 1]},
            {"c": "1/2", "given": [0]},
            {"c": "1/2", "given": [1]},
        ],
        "margin": "3/20",
    },
    "independent",
    "i",
    given=["P_A >= 1/2", "P_iA >= 1/2"],
)
"""xy = (x - 1/2)(y - 1/2) + (x - 1/2)/2 + (y - 1/2)/2 + 1/4, and 1/4 - 1/10 is 3/20."""

EVEN = certificate(
    "g_i = BA_i",
    {
        "kind": "combination",
        "terms": [],
        "cofactors": [[0, polynomial(6, ("1", 2), ("-1", 5))]],
    },
    "independent",
    "i",
    given=["P_A = 1/2"],
)
"""g_i - (P_iA + P_iB)/2 = (P_A - 1/2)(P_iA - P_iB), and P_iB is the last of its block."""

MULTIPLIED = certificate(
    "P_iA >= P_jA",
    {
        "kind": "combination",
        "degree": [0, 2, 0, 1, 0],
        "terms": [{"c": "1", "given": [0]}],
        "multiplier": polynomial(10, ("1",), ("1", 2)),
    },
    "independent",
    given=["(1 + P_iA)*(P_iA - P_jA) >= 0"],
)

DIVIDED = certificate(
    "g_i >= 1/2",
    {
        "kind": "combination",
        "degree": [2],
        "terms": [{"c": "1", "given": [0]}],
        "times": [[0, 1]],
    },
    "axioms",
    "i",
    given=["P_A*(g_i - 1/2) >= 0", "1/P_A >= 1"],
    denominators=[{"sign": 1, "proof": coefficients(1)}],
)
"""Where 1/P_A is defined, P_A may be divided out of the first condition."""

CANCELLED = certificate(
    "P_A >= P_B",
    {
        "kind": "combination",
        "degree": [2],
        "terms": [{"c": "1", "given": [0]}],
        "positive": [[1, 1]],
    },
    "axioms",
    "i",
    given=["(1 - g_i)*(P_A - P_B) >= 0", "g_i < 1"],
)
"""The factor 1 - g_i of the first condition is positive by the second."""

POSITIVE = certificate(
    "P_iA > 1/4",
    {
        "kind": "combination",
        "degree": [1],
        "terms": [{"c": "1", "given": [0]}, {"c": "1/4", "given": [1]}],
    },
    "axioms",
    "i",
    given=["P_iA >= 1/2"],
    denominators=[{"sign": 1, "proof": coefficients(1)}],
)
"""With r right of q items of A: r - q/4 = (r - q/2) + q/4, and q > 0 where P_iA is defined."""

MOMENT = certificate("Delta_ij = P_A*P_B*d_i*d_j", {"kind": "zero"}, "independent")

EMPTY = certificate(
    "contradiction",
    {
        "kind": "combination",
        "degree": [1],
        "terms": [{"c": "6", "given": [0]}, {"c": "6", "given": [1]}],
    },
    "axioms",
    "i",
    given=["P_A >= 2/3", "P_B > 1/2"],
)
"""6 (P_A - 2/3) + 6 (P_B - 1/2) = -1."""

STRICTLY_EMPTY = certificate(
    "contradiction",
    {
        "kind": "combination",
        "degree": [0],
        "terms": [{"c": "1", "given": [0]}, {"c": "1", "given": [1]}],
    },
    "axioms",
    "i",
    given=["g_i > 1/2", "g_i <= 1/2"],
) | {"strict": True}
"""0 = (g_i - 1/2) + (1/2 - g_i), of which the first is above zero."""

ONE_COIN = certificate(
    "g_i = P_iA",
    {"kind": "zero"},
    "independent",
    "i",
    given=["P_iA = P_iB"],
    domain=[{"step": "identify", "given": 0, "blocks": [1, 2], "reversed": True}],
)
SAME_RATE = certificate(
    "f_Ai = P_iA",
    {"kind": "zero"},
    "independent",
    "i",
    given=["2*P_{i,A|B} = 2*P_iA"],
    domain=[{"step": "identify", "given": 0, "blocks": [2, 1], "reversed": False}],
)
BALANCED = certificate(
    "2*g_i = P_iA + P_iB",
    {"kind": "zero"},
    "independent",
    "i",
    given=["1/2 = P_B"],
    domain=[{"step": "fix", "given": 0, "block": 0, "value": "1/2"}],
)
FLOOR = certificate(
    "P_iA*P_iB >= 4/9",
    coefficients(0, 1, 1),
    "independent",
    "i",
    given=["P_{i,B|A} <= 1/3", "P_iB >= 2/3"],
    domain=[
        {"step": "bound", "block": 1, "lower": ["2/3", "0"], "givens": [0, None]},
        {"step": "bound", "block": 2, "lower": ["0", "2/3"], "givens": [None, 1]},
    ],
)
"""(2/3 + x/3)(2/3 + y/3) is at least 4/9; a bound on an error rate is one on its mate."""

SOLVED = certificate(
    "P_iA*P_iB <= 1/4",
    {
        "kind": "factors",
        "constant": "1",
        "factors": [{"polynomial": polynomial(4, ("1", 2), ("-1/2",)), "power": 2}],
    },
    "independent",
    "i",
    given=["P_iA + P_iB = 1"],
    domain=[{"step": "solve", "given": 0, "block": 1, "value": polynomial(6, ("1", 4))}],
)
"""P_iA is the rate of A on B, called x: 1/4 - x(1 - x) = (x - 1/2)^2."""

RANGE = certificate(
    "P_iB <= 1/2",
    {"kind": "combination", "degree": [0, 1], "terms": [{"c": "1/2", "given": [0]}]},
    "independent",
    "i",
    given=["2*P_iB + P_iA = 1"],
    domain=[{"step": "solve", "given": 0, "block": 1, "value": polynomial(6, ("-1",), ("2", 4))}],
)
"""P_iA = 2x - 1 with x = 1 - P_iB, and P_iA >= 0 says that x is at least 1/2."""

RANGE_TOP = certificate(
    "P_iB <= 1/2",
    {"kind": "combination", "degree": [0, 1], "terms": [{"c": "1/2", "given": [1]}]},
    "independent",
    "i",
    given=["P_iA = 2*P_iB"],
    domain=[{"step": "solve", "given": 0, "block": 1, "value": polynomial(6, ("2", 5))}],
)
"""P_iA = 2y with y = P_iB, and P_iA <= 1 says that y is at most 1/2."""

KAPPA = certificate(
    "kappa_ij <= a_ij",
    coefficients(3),
    denominators=[{"sign": 1, "proof": coefficients(2)}],
)
"""With e the agreement of chance: a - (a - e)/(1 - e) = e (1 - a)/(1 - e)."""

MAJORITY = certificate(
    "MV >= mean",
    coefficients(*[1] * 7),
    "independent",
    "ijk",
    given=[f"P_{judge}{label} >= 1/2" for judge in "ijk" for label in "AB"],
    define={"mean": "(g_i + g_j + g_k)/3"},
    domain=[
        {
            "step": "bound",
            "block": k + 1,
            "lower": [["1/2", "0"], ["0", "1/2"]][k % 2],
            "givens": [[k, None], [None, k]][k % 2],
        }
        for k in range(6)
    ],
)

GOOD = {
    "coefficients": SEEN, "corners": WEIGHTED, "split": QUARTER, "orders": SORTED, "factors": MEANS,
    "factors with signs": TOGETHER, "strict factors": TOGETHER_STRICTLY, "combination": HALF,
    "margin": MARGIN, "cofactors": EVEN, "multiplier": MULTIPLIED, "times": DIVIDED,
    "positive": CANCELLED,
    "strict divisor": POSITIVE, "zero": MOMENT, "contradiction": EMPTY,
    "strict contradiction": STRICTLY_EMPTY, "identify reversed": ONE_COIN,
    "identify": SAME_RATE, "fix": BALANCED, "bound": FLOOR, "solve": SOLVED, "range": RANGE,
    "top of a range": RANGE_TOP,
    "kappa": KAPPA, "majority": MAJORITY,
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_what_was_worked_on_paper_is_verified(name):
    found = verify(GOOD[name])
    assert found.sentence.startswith("Verified (all exams, judges 'i'")
    assert found.ok
    assert found.readable
    assert found.claim["claim"] == GOOD[name]["claim"]


def kinds_of(value):
    if isinstance(value, dict):
        return {value.get("kind"), value.get("step")}.union(*map(kinds_of, value.values()))
    return set().union(*map(kinds_of, value)) if isinstance(value, list) else set()


def test_every_kind_of_node_and_of_step_is_among_them():
    kinds = set().union(*map(kinds_of, GOOD.values())) - {None}
    nodes = {"zero", "coefficients", "corners", "split", "orders", "factors", "combination"}
    assert kinds == nodes | {"identify", "fix", "bound", "solve", "merge"}


def test_the_sentence_says_all_that_is_assumed_and_no_more():
    assert verify(SEEN).sentence == (
        "Verified (all exams, judges 'i', 'j', labels 'A', 'B'): for every exam that the judges answer "
        "in full, 'a_ij >= g_i + g_j - 1' holds; 1 node of proof. No data were used: it says nothing of "
        "any judges in particular."
    )
    said = verify(MAJORITY).sentence
    assert "whenever the judges err independently of one another on each label" in said
    assert "'MV >= mean' holds if 'P_iA >= 1/2' and 'P_iB >= 1/2' and 'P_jA >= 1/2'" in said
    assert "where mean is '(g_i + g_j + g_k)/3'" in said
    assert said.endswith(
        "in particular, nor that they err independently, nor that the conditions hold."
    )
    assert "divided" not in said
    assert "wherever nothing is divided by zero" in verify(KAPPA).sentence
    assert "it cannot be that 'P_A >= 2/3' and 'P_B > 1/2'" in verify(EMPTY).sentence


# tampering --------------------------------------------------------------------------------------------


def edited(document, *path, to):
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    if to is None:
        del place[path[-1]]
    return document


REJECTED = [
    # the text
    (SEEN, ("claim",), "a_ij >= g_i + g_j", "coefficients are negative"),
    (SEEN, ("claim",), "a_ij > g_i + g_j - 1", "'strict' must be true"),
    (SEEN, ("strict",), True, "'strict' must be true"),
    (SEEN, ("strict",), 0, "'strict' must be true"),
    (SEEN, ("claim",), "a_ij >= g_i + g_j - 1 >= 0", "stands where nothing can"),
    (SEEN, ("claim",), "a_ij", "a relation must follow"),
    (SEEN, ("claim",), "a_ij >= h_i", "means nothing here"),
    (SEEN, ("claim",), "a_ij >= g_i $ 2", "cannot be read"),
    (SEEN, ("claim",), "a_ij >= (g_i", "opened and not closed"),
    (SEEN, ("claim",), "a_ij >=", "must stand where 'the end' is"),
    (SEEN, ("claim",), "a_ij >= g_i^P_A", "an exponent must be a whole number"),
    (SEEN, ("claim",), "a_ij >= g_i^(1/2)", "an exponent must be a whole number"),
    (SEEN, ("claim",), "a_ij >= g_i/(P_A + P_B - 1)", "divides by zero"),
    (SEEN, ("claim",), "n_AA >= f_AA", "counts and shares"),
    (SEEN, ("claim",), "n_AA + 1 >= 1", "counts and shares"),
    (SEEN, ("claim",), 7, "a text must"),
    (SEEN, ("define",), {"g_i": "0"}, "may not be given another"),
    (SEEN, ("define",), {"two words": "0"}, "must be one word"),
    (MAJORITY, ("define", "mean"), "mean + g_i - mean", "or itself"),
    (SEEN, ("given",), ["P_iA >= 1"], "denominators must have 1 entries"),
    (SEEN, ("model",), "correlated", "the model must be"),
    (SEEN, ("judges",), [], "there must be a judge"),
    (SEEN, ("labels",), ["A"], "there must be a judge"),
    (SEEN, ("labels",), ["A", "A"], "must be distinct"),
    (SEEN, ("extra",), 1, "does not know"),
    (EMPTY, ("given",), None, "a contradiction must have givens"),
    # nodes
    (SEEN, ("proof", "kind"), "trust", "proves no such claim"),
    (SEEN, ("proof", "degree"), [0], "at least that of the polynomial"),
    (SEEN, ("proof", "degree"), [1, 0], "must have 1 entries"),
    (SEEN, ("proof",), {"kind": "zero"}, "not the same polynomial"),
    (MOMENT, ("claim",), "Delta_ij = P_A*P_B*d_i", "not the same polynomial"),
    (MOMENT, ("proof",), coefficients(2, 2, 2, 2, 2), "prove no identity"),
    (WEIGHTED, ("proof", "children"), WEIGHTED["proof"]["children"][:1], "must have 2 entries"),
    (WEIGHTED, ("proof", "children", 1, "position"), 0, "a child for each coordinate"),
    (WEIGHTED, ("given",), ["P_A >= 1/2"], "a given speaks of the block"),
    (WEIGHTED, ("claim",), "g_i*P_A <= P_iA + P_iB", "not affine in the block"),
    (QUARTER, ("proof", "children"), [coefficients(2)], "must have 2 entries"),
    (QUARTER, ("proof", "at"), "0", "strictly between"),
    (QUARTER, ("proof", "at"), "1", "strictly between"),
    (QUARTER, ("proof", "at"), "1/3", "coefficients are negative"),
    (QUARTER, ("proof", "edge"), [0, 0], "strictly between"),
    (QUARTER, ("proof", "edge"), [0, 2], "coefficients are negative"),
    (QUARTER, ("proof", "edge"), [0, 4], "must be in 0..3"),
    (QUARTER, ("domain", 0, "coordinates"), [[0, 0], [0, 5]], "merged coordinates alone"),
    (QUARTER, ("domain", 0, "coordinates"), [[0, 0], [0, 0]], "two or more, and distinct"),
    (QUARTER, ("domain", 0, "coordinates"), [[0, 0]], "two or more, and distinct"),
    (SORTED, ("proof", "children"), SORTED["proof"]["children"][:1], "must have 2 entries"),
    (SORTED, ("proof", "children", 1, "order"), [1, 3], "a child for each order"),
    (SORTED, ("proof", "blocks"), [1, 1], "distinct blocks"),
    (SORTED, ("proof", "blocks"), [1], "2 to 5 blocks"),
    (SORTED, ("proof", "children", 1, "proof", "same"), 1, "of kind None proves no such claim"),
    (MEANS, ("proof", "factors", 0, "power"), 9, "must be in 1..8"),
    (MEANS, ("proof", "factors", 0, "power"), 1, "a sign must be 1 or -1"),
    (MEANS, ("proof", "constant"), "-1", "is not the polynomial"),
    (TOGETHER, ("proof", "factors", 0, "sign"), -1, "make the product negative"),
    (TOGETHER, ("proof", "factors", 2, "proof"), coefficients(0, 1, 1, 0, 0), "are negative"),
    (TOGETHER, ("proof", "factors", 2, "proof"), used(1, (0, 1, 1, 1, 1)), "are negative"),
    (TOGETHER, ("given",), ["d_i >= 0"], "must be in 0..0"),
    (HALF, ("proof", "terms", 0, "c"), "-1", "must not be negative"),
    (HALF, ("proof", "terms", 0, "given"), [2], "must be in 0..1"),
    (HALF, ("proof", "drop"), [1], "may not be used here"),
    (HALF, ("claim",), "a_ij > 1/2", "'strict' must be true"),
    (MARGIN, ("proof", "margin"), "0", "a strict inequality needs a margin"),
    (MARGIN, ("proof", "margin"), "4/20", "are negative"),
    (MARGIN, ("proof", "margin"), "-1/20", "must not be negative"),
    (MARGIN, ("proof", "multiplier"), polynomial(6, ("1",)), "a multiplier allows no margin"),
    (EVEN, ("proof", "cofactors", 0, 0), 1, "must be in 0..0"),
    (EVEN, ("proof", "terms"), [{"c": "1"}], "cofactors only"),
    (EVEN, ("proof", "margin"), "1", "cofactors only"),
    (EVEN, ("proof", "cofactors", 0, 1), polynomial(6, ("1", 2)), "do not add up"),
    (MULTIPLIED, ("proof", "multiplier"), None, "are negative"),
    (MULTIPLIED, ("proof", "multiplier"), polynomial(10, ("1", 2)), "at every corner"),
    (MULTIPLIED, ("proof", "multiplier"), polynomial(10, ("1",), ("-1", 2)), "positive coefficients"),
    (MULTIPLIED, ("proof", "multiplier"), [], "positive coefficients"),
    (DIVIDED, ("proof", "times"), [[1, 1]], "must be in 0..0"),
    (DIVIDED, ("denominators", 0, "proof"), None, "must have a proof of its sign"),
    (DIVIDED, ("denominators", 0, "sign"), -1, "are negative"),
    (DIVIDED, ("denominators", 0, "sign"), 2, "a sign must be 1 or -1"),
    (DIVIDED, ("given",), ["P_A*(g_i - 1/2) >= 0", "P_A <= 1"], "must have 0 entries"),
    (CANCELLED, ("given", 1), "g_i <= 1", "may not be used here"),
    (CANCELLED, ("given", 0), "(1 - g_i)*(P_A - P_B) >= -1/10", "are negative"),
    (CANCELLED, ("proof", "positive"), [[0, 1]], "may not be used here"),
    (CANCELLED, ("proof", "positive"), [[2, 1]], "must be in 0..1"),
    (CANCELLED, ("proof", "positive"), [[1, 0]], "must be in 1..8"),
    (CANCELLED, ("proof", "positive"), None, "are negative"),
    (CANCELLED, ("proof", "drop"), [1], "may not be used here"),
    (POSITIVE, ("given",), ["P_iA >= 1/4"], "are negative"),
    (POSITIVE, ("proof", "terms", 1, "times"), monomial(4, 0), "or a term of strict givens"),
    (POSITIVE, ("proof", "terms", 1, "square"), polynomial(4, ("1",)), "or a term of strict"),
    (POSITIVE, ("proof", "terms", 1, "c"), "0", "or a term of strict givens"),
    (POSITIVE, ("proof", "drop"), [1], "may not be used here"),
    (TOGETHER_STRICTLY, ("given", 0), "d_i >= 0", "or a term of strict givens"),
    (EMPTY, ("proof", "terms", 0, "c"), "5", "are negative"),
    (STRICTLY_EMPTY, ("given", 0), "g_i >= 1/2", "or a term of strict givens"),
    (STRICTLY_EMPTY, ("strict",), False, "are negative"),
    (EMPTY, ("strict",), 1, "'strict' must be true"),
    # steps
    (ONE_COIN, ("domain", 0, "reversed"), False, "does not say that these coordinates are equal"),
    (ONE_COIN, ("domain", 0, "reversed"), 1, "'reversed' true or false"),
    (ONE_COIN, ("domain", 0, "blocks"), [1, 1], "must have two blocks"),
    (ONE_COIN, ("given",), ["P_iA >= P_iB"], "cannot be used like this"),
    (ONE_COIN, ("domain",), ONE_COIN["domain"] * 2, "must be in 0..1"),
    (ONE_COIN, ("domain", 0, "step"), "trust", "a step must be one of"),
    (BALANCED, ("domain", 0, "value"), "1/3", "does not say that this coordinate"),
    (BALANCED, ("given",), ["P_B = 1/2 + P_iA - P_iA^2"], "does not say that this coordinate"),
    (FLOOR, ("domain", 0, "lower"), ["3/4", "0"], "does not say that this coordinate"),
    (FLOOR, ("domain", 0, "lower"), ["2/3", "1/3"], "must name the given"),
    (FLOOR, ("domain", 1, "givens"), [None, 0], "is used by two steps"),
    (FLOOR, ("given", 0), "P_{i,B|A} >= 1/3", "does not say that this coordinate"),
    (FLOOR, ("given", 0), "P_{i,B|A} = 1/3", "cannot be used like this"),
    (SOLVED, ("domain", 0, "value"), polynomial(6, ("1", 5)), "does not say that this coordinate"),
    (SOLVED, ("domain", 0, "value"), polynomial(6, ("1", 2)), "must not speak of that block"),
    (SOLVED, ("domain", 0, "block"), 0, "does not say that this coordinate"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "path", "value", "words"), REJECTED)
def test_what_is_wrong_is_said_in_one_sentence(document, path, value, words):
    found = verify(edited(document, *path, to=value))
    assert found.sentence.startswith("Rejected: ")
    assert words in found.sentence
    assert found.readable
    assert not found


# traps ------------------------------------------------------------------------------------------------


def test_equations_are_hypotheses_that_cut_corners_off_too():
    trick = WEIGHTED | {"claim": "g_i <= 1/2", "given": ["P_A = 1/2"]}
    assert "a given speaks of the block" in verify(trick).sentence


def test_a_product_of_two_coordinates_of_one_block_is_not_affine():
    """It is zero at every corner of the block, and not zero between them."""
    none = {"kind": "corners", "block": 0, "children": []}
    none["children"] = [{"position": i, "proof": coefficients()} for i in range(4)]
    trick = certificate("n_A_A*n_B_A <= 0", none, judges="i")
    assert "not affine in the block" in verify(trick).sentence
    assert verify(trick | {"claim": "n_A_A - Q <= 0"})


def test_a_strict_claim_is_positive_at_the_corners_too():
    above = certificate("a_ij > g_i + g_j - 1", coefficients(1))
    assert "may be zero at a corner" in verify(above).sentence
    assert verify(above | {"claim": "a_ij > g_i + g_j - 2"})
    assert not verify(above | {"proof": coefficients(2)})


def test_only_pairs_can_be_sorted():
    orders = copy.deepcopy(SORTED["proof"])
    trick = certificate(MEANS["claim"], orders, "independent", labels="ABC")
    assert "blocks of two coordinates" in verify(trick).sentence


def test_an_even_power_alone_is_not_positive():
    claim = {"claim": "P_iA^2 + P_jA^2 > 2*P_iA*P_jA", "strict": True}
    assert "a sign must be 1 or -1" in verify(MEANS | claim).sentence


def test_zero_times_something_negative_is_not_positive():
    """P_A - P_A > 0 as 0 * (P_A - 2), with a true proof that 2 - P_A > 0."""
    below = {"kind": "combination", "degree": [1], "margin": "1"}
    product = {
        "polynomial": polynomial(4, ("1", 0), ("-2",)),
        "power": 1,
        "sign": -1,
        "proof": below,
    }
    claim = certificate(
        "2*P_A > P_A*2", {"kind": "factors", "constant": "0", "factors": [product]}, judges="i"
    )
    assert "must not be zero" in verify(claim).sentence
    whole = claim["proof"] | {"constant": "-1"}
    assert verify(
        claim
        | {
            "claim": "2 > P_A",
            "proof": edited(
                whole, "factors", 0, "polynomial", to=polynomial(4, ("1", 0), ("1", 1), ("-2",))
            ),
        }
    )


def test_a_multiplier_has_no_margin_and_proves_nothing_strict():
    one = {"multiplier": polynomial(4, ("1",))}
    strict = POSITIVE | {"proof": POSITIVE["proof"] | one}
    assert "a multiplier allows no margin" in verify(strict).sentence
    node = {"kind": "combination", "degree": [1], "terms": [], "margin": "1/2"}
    loose = certificate("P_A >= -1", node, judges="i")
    assert verify(loose)
    assert "a multiplier allows no margin" in verify(loose | {"proof": node | one}).sentence


def test_the_sign_of_a_factor_of_even_power_does_not_count():
    """(P_A - 2)^2 > 0 and not < 0, by a proof that 2 - P_A > 0."""
    below = {"kind": "combination", "degree": [1], "margin": "1"}
    square = {"power": 2, "sign": -1, "proof": below}
    square["polynomial"] = polynomial(4, ("1", 0), ("1", 1), ("-2",))
    proof = {"kind": "factors", "constant": "1", "factors": [square]}
    above = certificate("(P_A - 2)^2 > 0", proof, judges="i")
    assert verify(above)
    turned = above | {"claim": "(P_A - 2)^2 < 0", "proof": proof | {"constant": "-1"}}
    assert "make the product negative" in verify(turned).sentence
    assert not verify(edited(above, "proof", "factors", 0, "proof", to=None))


def test_a_divisor_may_not_prove_its_own_sign():
    """d_i/d_i >= 0 says nothing, yet after multiplication it would read d_i >= 0."""
    trick = certificate(
        "d_i >= 0",
        used(0, (0, 1, 1)),
        "independent",
        "i",
        given=["d_i/d_i >= 0"],
        denominators=[{"sign": 1, "proof": used(0, (0, 1, 1))}],
    )
    assert "may not be used here" in verify(trick).sentence


def test_a_divisor_may_not_be_used_to_prove_its_own_sign():
    """That d_i is not zero is given, that it is positive is what is to be shown."""
    divisor = polynomial(6, ("1", 2), ("-1", 4))
    square = {"kind": "combination", "degree": [0, 0, 0], "terms": [{"c": "1", "square": divisor}]}
    for node, words in (
        (used(0, (0, 0, 0)), "must be in 0..-1"),
        (square | {"times": [[0, 1]]}, "may not be used here"),
    ):
        trick = certificate(
            "1/d_i >= 0",
            coefficients(0, 0, 0),
            "independent",
            "i",
            denominators=[{"sign": 1, "proof": node}],
        )
        assert words in verify(trick).sentence


def test_equal_sides_are_not_greater_than_one_another():
    claim = certificate("P_A + P_B > 1", {"kind": "zero"}, judges="i")
    assert "not the same polynomial" in verify(claim).sentence


def test_a_bound_may_not_come_from_a_given_whose_divisor_it_settles():
    """With P_iA = 1/5 and P_iB = 3/5 both conditions hold, as d_i is negative; the claim does not."""
    steps = [
        {"step": "bound", "block": 1, "lower": ["1/2", "0"], "givens": [0, None]},
        {"step": "bound", "block": 2, "lower": ["0", "1/2"], "givens": [None, 1]},
    ]
    trick = certificate(
        "P_iA >= 1/2",
        coefficients(0, 1, 1),
        "independent",
        "i",
        given=["(P_iA - 1/2)/d_i >= 0", "P_iB >= 1/2"],
        denominators=[{"sign": 1, "proof": coefficients(0, 1, 1)}],
        domain=steps,
    )
    assert "cannot be used like this" in verify(trick).sentence
    assert verify(trick | {"given": ["P_iA >= 1/2", "P_iB >= 1/2"], "claim": "P_iA/d_i >= 0"})


def test_a_negative_divisor_turns_the_inequality():
    """(1 - P_A)/(P_A - 1) >= 0 is never true where it is defined; its negative is."""
    negative = [{"sign": -1, "proof": coefficients(1, 0, 0)}]
    claim = certificate(
        "(1 - P_A)/(P_A - 1) <= 0", coefficients(2, 0, 0), "independent", "i", denominators=negative
    )
    assert verify(claim)
    assert not verify(claim | {"claim": "(1 - P_A)/(P_A - 1) >= 0"})
    assert not verify(edited(claim, "denominators", 0, "sign", to=1))


def test_an_identity_needs_no_signs():
    text = "g_i = P_A*P_iA + P_B*P_iB"
    claim = certificate(text, {"kind": "zero"}, judges="i", denominators=[{"sign": 1}] * 2)
    assert verify(claim)
    assert "must have 2 entries" in verify(claim | {"denominators": []}).sentence


def test_an_even_power_of_a_divisor_needs_no_sign_but_an_odd_one_does():
    square = certificate(
        "(1/d_i)^2 >= 0", coefficients(0, 0, 0), "independent", "i", denominators=[{"sign": 1}]
    )
    assert verify(square)
    cube = square | {"claim": "(1/d_i)^3 >= 0"}
    assert "must have a proof of its sign" in verify(cube).sentence


def test_corners_are_no_extremes_where_a_divisor_vanishes():
    """P_A >= 0 at P_A = 0 was to be divided by P_A, which is zero there."""
    node = {"kind": "combination", "degree": [0, 0], "terms": [], "times": [[0, 1]]}
    trick = certificate(
        "g_i >= P_iA",
        {
            "kind": "corners",
            "block": 0,
            "children": [{"position": 1, "proof": node}, {"position": 0, "proof": node}],
        },
        "independent",
        "i",
        given=["1/P_A >= 1"],
        denominators=[{"sign": 1, "proof": coefficients(1, 0, 0)}],
    )
    assert "a given speaks of the block" in verify(trick).sentence
    trick["proof"]["drop"] = [0, 1]
    assert "may not be used here" in verify(trick).sentence


def test_fixing_outside_the_domain_and_empty_floors_are_no_proofs():
    fix = {"step": "fix", "given": 0, "block": 0, "value": "3/2"}
    vacuous = certificate(
        "P_iA >= 2", coefficients(0, 0), "independent", "i", given=["P_A = 3/2"], domain=[fix]
    )
    assert "must lie in 0..1" in verify(vacuous).sentence
    floor = {"step": "bound", "block": 0, "lower": ["2/3", "2/3"], "givens": [0, 1]}
    vacuous = certificate(
        "P_iA >= 2",
        coefficients(0, 0, 0),
        "independent",
        "i",
        given=["P_A >= 2/3", "P_B >= 2/3"],
        domain=[floor],
    )
    assert "must sum to less than 1" in verify(vacuous).sentence
    point = edited(vacuous, "domain", 0, "lower", to=["2/3", "1/3"])
    point["given"][1] = "P_B >= 1/3"
    assert "must sum to less than 1" in verify(point).sentence


def test_equalities_are_closed_step_by_step():
    """P_iA = P_iB and P_iA = P_jA: the second speaks of what the first made of the blocks."""
    steps = [
        {"step": "identify", "given": 0, "blocks": [1, 2], "reversed": True},
        {"step": "identify", "given": 1, "blocks": [1, 2], "reversed": False},
    ]
    claim = certificate(
        "P_jA = g_i", {"kind": "zero"}, "independent", given=["P_iA = P_iB", "P_iA = P_jA"]
    )
    assert not verify(claim)
    assert verify(claim | {"domain": steps})


def test_all_orders_of_three_are_needed():
    """x^2 + y^2 + z^2 >= xy + yz + zx of three accuracies."""
    orders = [list(order) for order in permutations([1, 3, 5])]
    proof = coefficients(0, 0, 0, 0, 2)
    children = [{"order": order, "proof": proof} for order in orders]
    claim = certificate(
        "P_iA^2 + P_jA^2 + P_kA^2 >= P_iA*P_jA + P_jA*P_kA + P_kA*P_iA",
        {"kind": "orders", "blocks": [5, 1, 3], "children": children},
        "independent",
        "ijk",
    )
    assert verify(claim)
    for k in range(6):
        less = copy.deepcopy(claim)
        less["proof"]["children"][k]["order"] = orders[k - 1]
        assert "a child for each order" in verify(less).sentence
        del less["proof"]["children"][k]
        assert "must have 6 entries" in verify(less).sentence


def test_labels_and_judges_of_any_name_and_number_are_read():
    claim = "f_{yes_GPT-4,no_m2} <= f_{no_m2}"
    words = certificate(claim, coefficients(1), judges=["GPT-4", "m2"], labels=["yes", "no"])
    assert verify(words)
    numbers = certificate("P_1A*P_2B = P_iA*P_jB", {"kind": "zero"}, "independent")
    assert verify(numbers)
    union = "a_ij + a_ik + a_jk >= 1"
    assert verify(certificate(union, coefficients(1), judges="ijk"))
    assert not verify(certificate(union, coefficients(1), judges="ijk", labels="ABC"))
    triangle = "(1 - a_ij) + (1 - a_jk) ≥ 1 − a_ik"
    assert verify(certificate(triangle, coefficients(1), judges="ijk", labels="ABC"))


def test_a_name_that_could_mean_two_things_means_nothing():
    text = "f_AB >= 0"
    assert verify(certificate(text, coefficients(1)))
    assert "more than one thing" in verify(certificate(text, coefficients(1), judges="iB")).sentence


def test_counts_are_compared_with_counts_only():
    assert verify(certificate("n_AA_A <= Q_A", coefficients(1)))
    assert verify(certificate("R_iA_jB*Q >= 0*Q_A", coefficients(1)))
    assert verify(certificate("Q_A^2 <= Q*Q_A", coefficients(2)))
    assert not verify(certificate("Q_A^2 <= Q_A", coefficients(2)))


# limits -----------------------------------------------------------------------------------------------


def deep(levels):
    node = coefficients(1)
    for _ in range(levels):
        node = {"kind": "split", "block": 0, "edge": [0, 1], "at": "1/2", "children": [node, node]}
    return node


@pytest.mark.parametrize(
    "document",
    [
        SEEN | {"proof": deep(15)},
        certificate("P_A >= 0", coefficients(40), judges="ijklmnopq"),
        certificate("P_A >= 0", coefficients(1), judges="ijklm", labels="ABC"),
        certificate("(P_A + P_iA + P_jA)^40*(P_iB + P_jB + 2)^40 >= 0", {}, "independent"),
        certificate("P_A^41 >= 0", {}, "independent"),
        certificate("P_A^21*P_A^20 >= 0", {}, "independent"),
        certificate("P_A >= 1^41 - 1", {}, "independent"),
        certificate("P_A >= 0 + " + "(" * 101 + "0" + ")" * 101, {}),
        certificate(f"P_A >= {'7' * 999}*{'7' * 999}", {}),
        SEEN | {"claim": "P_A^20 >= 0", "proof": coefficients(40)},
    ],
)
def test_what_is_too_large_is_said_to_be_not_wrong_but_too_large(document):
    found = verify(document)
    assert "Rejected: too large to check, which does not mean that it is wrong" in found.sentence
    assert found.readable


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        ("MAX_STEPS", "kappa"),
        ("MAX_TERMS", "kappa"),
        ("MAX_PROOF_NODES", "orders"),
        ("MAX_DEPTH", "orders"),
        ("MAX_NAMES", "kappa"),
        ("MAX_NAMES", "multiplier"),
        ("MAX_BITS", "majority"),
        ("MAX_CELLS", "coefficients"),
        ("MAX_BRACKETS", "multiplier"),
        ("MAX_EXPONENT", "factors"),
        ("MAX_WORDS", "coefficients"),
    ],
)
def test_every_limit_is_kept(limit, name, monkeypatch):
    assert verify(GOOD[name])
    monkeypatch.setattr(module, limit, 0)
    assert "too large to check" in verify(GOOD[name]).sentence


def test_proofs_deeper_than_a_hundred_nodes_are_too_large():
    node = coefficients(1)
    for _ in range(101):
        node = {"kind": "split", "block": 0, "edge": [0, 1], "at": "1/2", "children": [node, {}]}
        node["children"][1] = coefficients(1)
    assert "too large to check" in verify(SEEN | {"proof": node}).sentence


STARTS = ["0", "1", "2", "P_iA", "P_A - P_A", "1/P_iA"]
NESTED = ["{0} + {0}", "{0} * {0}", "{0} - {0}", "{0}/({0} + 1)", "0*{0} + 0/({0} + 2)", "-{0}"]


def soon(document, seconds=2):
    """The verdict, which must come soon; all that is multiplied out, up to the limit, takes longest."""
    start = process_time()
    found = verify(document)
    whole = "products and sums" in found.sentence
    assert process_time() - start < (10 if whole else seconds), found.sentence
    assert found.sentence.isprintable()
    return found


@pytest.mark.parametrize("levels", [1, 14, 59, 98])
def test_a_definition_is_read_once_however_often_it_is_used(levels):
    for start in STARTS:
        for text in NESTED:
            define = {f"x{k + 1}": text.format(f"x{k}") for k in range(levels)}
            claim = f"x{levels} >= 0"
            soon(certificate(claim, {}, "independent", define={"x0": start} | define))
    zero = {f"x{k + 1}": f"x{k} + x{k}" for k in range(levels)} | {"x0": "0"}
    assert soon(certificate(f"x{levels} >= 0", coefficients(0), define=zero))


def test_the_sum_of_what_is_defined_in_many_levels_is_right():
    """2 to the 98 times P_A is not below P_A, and not above 2 to the 97."""
    define = {f"x{k + 1}": f"x{k} + x{k}" for k in range(98)} | {"x0": "P_A"}
    assert soon(certificate("x98 >= P_A", coefficients(1), define=define))
    assert soon(certificate(f"x98 >= {2**98}*P_A", coefficients(1), define=define))
    assert not soon(certificate(f"x98 <= {2**97}*P_A", coefficients(1), define=define))


LONG = {
    "chain": ("x5000 >= 0", {f"x{k}": f"x{k - 1} + 1" if k else "0" for k in range(5001)}, ()),
    "wide": (
        "x97 >= 0",
        {f"x{k}": "+".join([f"x{k - 1}"] * 600) if k else "0" for k in range(98)},
        (),
    ),
    "sums": ("1 >= 0", {}, ["+".join(["0"] * 9_000) + " >= 0"] * 9),
    "terms": ("1 >= 0", {}, ["+".join(["P_A*P_B"] * 2_000) + " >= 0"] * 9),
    "divisors": (
        "1 >= 0",
        {},
        ["+".join(f"0/(P_A+{1000 * n + k})" for k in range(900)) + " >= 0" for n in range(9)],
    ),
    "power of a ratio": ("(P_A + P_iA + P_jA + 1)^40 >= 0", {}, ()),
    "power of a power": ("((P_A + f_Bi + 1)^7)^6 >= 0", {}, ()),
    "minuses": ("-" * 9_000 + "1 >= 0", {}, ()),
    "powers": ("2^" * 4_000 + "1 >= 0", {}, ()),
    "itself": ("x0 >= 0", {"x0": "x1 + 1", "x1": "x0"}, ()),
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_refused_in_a_sentence(name):
    claim, define, given = LONG[name]
    seconds = 0.3 if name.startswith("power of") else 2  # refused before it is multiplied out
    found = soon(certificate(claim, coefficients(0), define=define, given=given), seconds)
    assert found.sentence.startswith("Rejected: ")
    assert len(found.sentence) < 300


@pytest.mark.parametrize("name", ["split", "orders", "multiplier", "times", "range", "kappa"])
def test_junk_in_any_place_gives_one_sentence_and_no_traceback(name):
    for path, value in places_of(GOOD[name]):
        for junk in (None, True, -1, 1.5, "x", [], {}, [[]], 10**50):
            found = verify(put(GOOD[name], path, junk))
            assert found.sentence.startswith(("Rejected: ", "Unreadable: ", "Verified (all"))
            assert found.sentence.isprintable()
            if not isinstance(junk, type(value)) and junk not in (None, [], {}):
                assert not found or (junk in (-1, 10**50) and isinstance(value, str)), (path, junk)


def put(document, path, value):
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


def places_of(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key), part
        if isinstance(part, dict | list):
            yield from places_of(part, (*path, key))


# the command line -------------------------------------------------------------------------------------


def test_the_two_files_alone_need_no_data_and_no_package(tmp_path):
    for name in ("verify.py", "verify_alarm.py", "verify_statements.py"):
        shutil.copy(ROOT / "algeval" / name, tmp_path / name)
    (tmp_path / "good.json").write_text(json.dumps(TOGETHER))
    (tmp_path / "bad.json").write_text(json.dumps(TOGETHER | {"given": ["d_i >= 0", "d_i >= 0"]}))

    def run(*names):
        command = [sys.executable, "-S", "-O", "-I", "verify.py", *names]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("good.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == verify(TOGETHER).sentence + "\n"
    done = run("good.json", "bad.json")
    assert done.returncode == 1
    assert done.stderr.startswith("Rejected: ")
    assert done.stdout.startswith("Verified (all exams")


def test_the_first_file_alone_says_which_file_a_statement_needs(tmp_path):
    for part in ("verify.py", "verify_alarm.py"):
        shutil.copy(ROOT / "algeval" / part, tmp_path / part)
    (tmp_path / "good.json").write_text(json.dumps(TOGETHER))
    command = [sys.executable, "-S", "-I", "verify.py", "good.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Unreadable: statements are checked by ")
    assert "verify_statements.py', and there is no such file." in done.stderr


def test_a_statement_is_checked_by_code_beside_the_verifier_and_not_in_the_folder(tmp_path):
    (tmp_path / "verify_statements.py").write_text("def check_statement(document): return 'fooled'")
    (tmp_path / "bad.json").write_text(json.dumps(TOGETHER | {"proof": None}))
    for command in (["-m", "algeval.verify"], [str(ROOT / "algeval" / "verify.py")]):
        done = subprocess.run(
            [sys.executable, *command, "bad.json"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.startswith("Rejected: ")


def test_threads_that_check_statements_at_once_load_the_checker_once():
    code = (
        "import json, sys; from concurrent.futures import ThreadPoolExecutor; "
        "from algeval.verify import verify; assert 'algeval.verify_statements' not in sys.modules; "
        "document = json.loads(sys.stdin.read()); pool = ThreadPoolExecutor(8); "
        "print(sum(v.ok for v in pool.map(verify, [document] * 8)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(TOGETHER),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "8\n"


def test_certificates_of_both_kinds_can_be_named_together(tmp_path, capsys):
    fixtures = ROOT / "tests" / "fixtures" / "certificates"
    path = tmp_path / "seen.json"
    path.write_text(json.dumps(SEEN))
    both = [str(path), str(fixtures / "cap.json")]
    assert main([*both, str(fixtures / "data_mt_bench.json")]) == 0
    assert capsys.readouterr().out.count("Verified (") == 2
    assert main([str(path), str(fixtures / "data_mt_bench.json")]) == 0
    assert main([str(fixtures / "cap.json")]) == 2
    assert "named after the certificate" in capsys.readouterr().err
    assert main([str(fixtures / "cap.json"), str(path)]) == 2
