"""Axioms: hand-written forms, ranks, exams by brute force, and a second prover."""

import json
from itertools import product

import numpy as np
import pytest
import sympy

from algeval.algebra import prove
from algeval.data import KeyedSketch, Sketch
from algeval.errors import DataError, TooLargeError
from algeval.logic import axioms


def symbols(text):
    return sympy.symbols(text, integer=True)


def random_exam(rng, judges, labels, n_items):
    names = list("abcd"[:labels])
    codes = rng.integers(0, labels, (n_items, judges))
    sketch = Sketch(list("ijkl"[:judges]), names, names, codes, np.ones(n_items, int))
    keyed = np.zeros((len(sketch), labels), int)
    for u, count in enumerate(sketch.counts.tolist()):
        for t in rng.integers(0, labels, count):
            keyed[u, t] += 1
    return KeyedSketch(sketch, keyed)


def test_one_judge_two_labels_written_by_hand():
    q, qa, qb, ra, rb = symbols("Q Q_a Q_b R_ia R_ib")
    aa, ab, ba, bb = symbols("R_ia_a R_ia_b R_ib_a R_ib_b")
    found = axioms(1)
    assert set(found.equations) == {
        q - qa - qb,
        aa + ba - qa,
        ab + bb - qb,
        aa + ab - ra,
        ba + bb - rb,
        aa - qa + rb - bb,
        bb - qb + ra - aa,
    }
    assert found.kinds == ("size", *["simplex"] * 2, *["observation"] * 2, *["axiom"] * 2)
    assert found.unknowns[:2] == (qa, qb)
    assert found.observed == (q, ra, rb)
    assert found.rank == 5
    assert found.dimension == 2
    assert found.proved
    assert found.complete


def test_the_printed_axiom_of_one_judge_three_labels():
    """Paper 003 (9), label a: R_a;a - Q_a + R_b + R_c - the four counts with answer and truth in {b, c}."""
    qa, aa, b, c = symbols("Q_a R_ia_a R_ib R_ic")
    wrong = symbols("R_ib_b R_ib_c R_ic_b R_ic_c")
    assert axioms(1, labels=3).of_kind("axiom")[0] == aa - qa + b + c - sum(wrong)


def test_the_printed_axiom_of_a_pair_two_labels():
    """Appendix C, de-garbled, for label a."""
    qa, both, ib, jb, bb = symbols("Q_a R_ia_ja_a R_ib R_jb R_ib_jb")
    ibb, jbb, bbb = symbols("R_ib_b R_jb_b R_ib_jb_b")
    expected = both - qa + ib + jb - ibb - jbb - bb + bbb
    assert expected in axioms(2).of_kind("axiom")


def test_the_pair_axiom_as_algebra_writes_it():
    """The same form written independently, three labels."""
    names = "abc"
    for true in names:
        others = [a for a in names if a != true]
        expected = sympy.Symbol(f"R_i{true}_j{true}_{true}", integer=True)
        expected -= sympy.Symbol(f"Q_{true}", integer=True)
        for judge in "ij":
            expected += sum(sympy.Symbol(f"R_{judge}{a}", integer=True) for a in others)
            for a, t in product(others, others):
                expected -= sympy.Symbol(f"R_{judge}{a}_{t}", integer=True)
        for a, b in product(others, others):
            expected -= sympy.Symbol(f"R_i{a}_j{b}", integer=True)
            expected += sum(sympy.Symbol(f"R_i{a}_j{b}_{t}", integer=True) for t in others)
        assert expected in axioms(2, labels=3).of_kind("axiom")


def test_the_axioms_of_one_judge_add_up_to_nothing():
    """For two labels: R equations, but only R - 1 say anything once the answers add up to Q."""
    first, second = axioms(1).of_kind("axiom")
    q, qa, qb, ra, rb = symbols("Q Q_a Q_b R_ia R_ib")
    assert sympy.expand(first + second) == -qa - qb + ra + rb
    assert (first + second).subs({ra: q - rb, qa: q - qb}).expand() == 0


@pytest.mark.parametrize(
    ("order", "labels", "judges"),
    [
        (1, 2, 1),
        (1, 3, 2),
        (1, 4, 1),
        (2, 2, 2),
        (2, 3, 2),
        (2, 2, 3),
        (3, 2, 3),
        (2, 3, 3),
        (4, 2, 4),
    ],
)
def test_proved_complete_and_of_the_right_dimension(order, labels, judges):
    """The dimension by hand: free cells of each group size, counted from interactions.

    A table of a group given its margins has (R-1)^m free numbers per true label; seeing the group
    fixes the sum over true labels, which leaves R-1 of the R.
    """
    found = axioms(order, labels=labels, judges=judges)
    assert found.proved
    assert found.complete
    sizes = sum(sympy.binomial(judges, m) * (labels - 1) ** m for m in range(order + 1))
    assert found.dimension == (labels - 1) * sizes
    assert found.rank <= len(found.equations)


def test_full_order_leaves_every_tuple_free():
    """At full order each tuple's split over true labels is free: R^N (R - 1)."""
    assert axioms("full", judges=3).dimension == 8
    assert axioms("full", labels=3, judges=2).dimension == 18


def test_rank_by_another_library():
    found = axioms(2, labels=2)
    names = (*found.unknowns, *found.observed)
    matrix = sympy.Matrix([[e.coeff(s) for s in names] for e in found.equations])
    assert matrix.rank() == found.rank
    unknown = matrix[:, : len(found.unknowns)]
    assert len(found.unknowns) - unknown.rank() == found.dimension


def test_the_printed_axioms_alone_are_weaker_for_pairs_with_three_labels():
    """Beside the relations of observed counts: complete for two labels, not from three on."""
    printed = ("size", "simplex", "marginalisation", "axiom")
    seen = ("size", "simplex", "marginalisation", "observation")
    for order, labels, judges, short in [(1, 3, 2, 0), (2, 2, 2, 0), (2, 3, 2, 1), (2, 4, 2, 5)]:
        found = axioms(order, labels=labels, judges=judges)
        assert found.rank - found.rank_of(*printed) == short
        assert found.rank_of(*seen) == found.rank


def test_a_table_the_printed_pair_axioms_let_through():
    """What the missing rank means: change the answers seen along one direction they do not see."""
    found = axioms(2, labels=3)
    rng = np.random.default_rng(0)
    exam = random_exam(rng, 2, 3, 30)
    assert set(found.residuals(exam)) == {0}
    shift = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])  # zero margins, zero diagonal
    values = {}
    for a, b in product(range(3), repeat=2):
        values[sympy.Symbol(f"R_i{'abc'[a]}_j{'abc'[b]}", integer=True)] = int(shift[a, b])
    changes = [e.subs(values).subs(dict.fromkeys(e.free_symbols, 0)) for e in found.equations]
    broken = {k for k, change in zip(found.kinds, changes, strict=True) if change != 0}
    assert broken == {"observation"}


@pytest.mark.parametrize(
    ("order", "labels", "judges"), [(1, 2, 1), (2, 2, 2), (2, 3, 2), (3, 2, 3)]
)
def test_every_equation_is_zero_on_random_exams(order, labels, judges):
    found = axioms(order, labels=labels, judges=judges)
    rng = np.random.default_rng(5)
    for n_items in (1, 2, 7, 20):
        assert set(found.residuals(random_exam(rng, judges, labels, n_items))) == {0}


def test_a_wrong_equation_would_be_seen():
    """The residuals are computed from the exam, so a false equation does not vanish."""
    found = axioms(1)
    exam = KeyedSketch.from_counts({"a": {"a": 3, "b": 2}, "b": {"a": 1}}, judges=["i"])
    values = dict(zip((str(s) for s in found.unknowns), [5, 1, 3, 1, 2, 0], strict=True))
    assert values == {"Q_a": 5, "Q_b": 1, "R_ia_a": 3, "R_ia_b": 1, "R_ib_a": 2, "R_ib_b": 0}
    assert set(found.residuals(exam)) == {0}
    from dataclasses import replace

    changed = replace(found, equations=(found.equations[0] + found.unknowns[0],), kinds=("size",))
    assert changed.residuals(exam) == (5,)


@pytest.mark.parametrize(("order", "labels", "judges"), [(1, 2, 1), (1, 3, 1), (2, 2, 2)])
def test_the_algebra_proves_each_from_the_definitions(order, labels, judges):
    found = axioms(order, labels=list("ABC")[:labels], judges=list("ij")[:judges])
    for equation in found.equations:
        proof = prove(
            f"{equation} = 0",
            labels=list("ABC")[:labels],
            judges=list("ij")[:judges],
            model="axioms",
        )
        assert proof.holds, equation


def test_latex_summary_and_json():
    found = axioms(1, labels=["model_a", "tie"], judges=["gpt4"])
    assert r"Q - Q_{\text{model_a}} - Q_{\text{tie}} &= 0 \\" in found.latex()
    assert r"R_{\text{tie}_{gpt4}; \text{model_a}}" in found.latex()
    assert found.latex().count("&= 0") == len(found.equations)
    assert "5 of them independent" in found.summary()
    document = json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == "algeval.axioms/1"
    assert document["equations"][0] == "Q - Q_model_a - Q_tie"


def test_what_is_refused():
    with pytest.raises(DataError, match="order must be 'full' or a whole number from 1 to"):
        axioms(3, judges=2)
    with pytest.raises(DataError, match="judges must be given with order='full'"):
        axioms("full")
    with pytest.raises(DataError, match="labels must be a number from 1 to 8 or names"):
        axioms(1, labels=9)
    with pytest.raises(DataError, match="kind must be one of"):
        axioms(1).of_kind("theorem")
    with pytest.raises(DataError, match="exam must have 1 judges and 2 labels"):
        axioms(1).residuals(KeyedSketch.from_counts({"a": {"ab": 1}}, labels=list("ab")))
    with pytest.raises(TooLargeError, match="finding the rank of the axioms would take about"):
        axioms("full", labels=4, judges=5)
