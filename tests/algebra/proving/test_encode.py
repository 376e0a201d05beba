import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

from algeval.algebra.correlation import correlations
from algeval.algebra.language import encode, name_judges, name_labels
from algeval.data import Evaluation, KeyedSketch
from algeval.errors import DataError, TooLargeError


def random_evaluation(judges, labels, seed):
    draw = random.Random(seed)

    def row():
        weights = [draw.randint(1, 9) for _ in labels]
        return [Fraction(w, sum(weights)) for w in weights]

    confusion = [[row() for _ in labels] for _ in judges]
    return Evaluation(judges, labels, labels, np.array(row()), np.array(confusion, dtype=object))


def random_exam(judges, labels, seed):
    draw = random.Random(seed)
    decisions = list(product(labels, repeat=len(judges)))
    return KeyedSketch.from_counts(
        {label: {t: draw.randint(0, 3) for t in decisions} for label in labels},
        judges=judges,
        labels=labels,
        answers=labels,
    )


def test_the_eight_polynomials_of_theorem_0_1():
    names = ["P_A", *(f"P_{{{i},{t}}}" for i in "ijk" for t in "AB")]
    p, ia, ib, ja, jb, ka, kb = map(sympy.Symbol, names)
    q = 1 - p
    printed = {  # S55-S62, retyped
        "AAA": p * ia * ja * ka + q * (1 - ib) * (1 - jb) * (1 - kb),
        "AAB": p * ia * ja * (1 - ka) + q * (1 - ib) * (1 - jb) * kb,
        "ABA": p * ia * (1 - ja) * ka + q * (1 - ib) * jb * (1 - kb),
        "BAA": p * (1 - ia) * ja * ka + q * ib * (1 - jb) * (1 - kb),
        "BBA": p * (1 - ia) * (1 - ja) * ka + q * ib * jb * (1 - kb),
        "BAB": p * (1 - ia) * ja * (1 - ka) + q * ib * (1 - jb) * kb,
        "ABB": p * ia * (1 - ja) * (1 - ka) + q * (1 - ib) * jb * kb,
        "BBB": p * (1 - ia) * (1 - ja) * (1 - ka) + q * ib * jb * kb,
    }
    encoding = encode(3)
    assert {"".join(t): v for t, v in encoding.encoded.items()} == printed
    assert [str(f) for f in encoding.frequency.values()][1] == "f_{A,A,B}"
    assert encoding.parameters == (p, ia, ib, ja, jb, ka, kb)
    assert sympy.expand(sum(encoding.polynomials) - sum(encoding.frequency.values()) + 1) == 0


@pytest.mark.parametrize(("n", "r"), [(1, 2), (2, 2), (3, 2), (5, 2), (1, 3), (3, 3), (2, 4)])
def test_independent_frequencies_are_the_direct_sums(n, r):
    judges, labels = name_judges(n), name_labels(r)
    evaluation = random_evaluation(judges, labels, seed=10 * n + r)
    found = encode(n, r).frequencies(evaluation)
    for decision in product(range(r), repeat=n):
        want = Fraction(0)
        for t in range(r):
            share = evaluation.prevalence[t]
            for judge, answer in enumerate(decision):
                share *= evaluation.confusion[judge, t, answer]
            want += share
        assert found[tuple(labels[a] for a in decision)] == want
    assert all(isinstance(v, Fraction) for v in found.values())
    assert len(encode(n, r).parameters) == r - 1 + n * r * (r - 1)


@pytest.mark.parametrize(("n", "r"), [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3)])
def test_correlated_encoding_describes_any_exam(n, r):
    judges, labels = name_judges(n), name_labels(r)
    keyed = random_exam(judges, labels, seed=n + 100 * r)
    encoding = encode(n, r, model="correlated")
    assert len(encoding.parameters) == r ** (n + 1) - 1
    found = encoding.frequencies(keyed)
    assert found == {t: keyed.sketch.frequency(t) for t in found}
    assert encoding.frequencies(correlations(keyed)) == found
    by_name = {s.name: v for s, v in encoding.values(keyed).items()}
    assert encoding.frequencies(by_name) == found


@pytest.mark.parametrize(("n", "r"), [(2, 2), (3, 2), (2, 3)])
def test_the_rule_for_gammas_is_proved_for_any_by_label_table(n, r):
    # Everything symbolic: a table of shares x_u on one label, its rates and its correlations from
    # the definition, put into the encoding, must give back x_u.
    judges, labels = name_judges(n), name_labels(r)
    encoding = encode(n, r, model="correlated")
    label = labels[0]
    decisions = list(product(labels, repeat=n))
    x = {u: sympy.Symbol("x" + "".join(u)) for u in decisions[:-1]}
    x[decisions[-1]] = 1 - sum(x.values())
    rate = {(i, a): sum(x[u] for u in decisions if u[i] == a) for i, a in product(range(n), labels)}
    values = {}
    for (judge, true, answer), symbol in encoding.response.items():
        if symbol.is_Symbol and true == label:
            values[symbol] = rate[judges.index(judge), answer]
    for (chosen, true), symbol in encoding.gamma.items():
        if symbol.is_Symbol and true == label:
            pairs = [(judges.index(j), a) for j, a in chosen]
            values[symbol] = sum(
                x[u] * sympy.prod([(1 if u[i] == a else 0) - rate[i, a] for i, a in pairs])
                for u in decisions
            )
    only = {encoding.prevalence[other]: int(other == label) for other in labels[:-1]}
    for u in decisions:
        rebuilt = encoding.encoded[u].subs(only).xreplace(values)
        assert sympy.expand(rebuilt - x[u]) == 0


def test_correlated_with_zero_gammas_is_independent():
    plain, full = encode(3), encode(3, model="correlated")
    for decision, value in full.encoded.items():
        zero = {s: 0 for s in full.parameters if s.name.startswith("Gamma")}
        assert sympy.expand(value.subs(zero) - plain.encoded[decision]) == 0


def test_each_pair_correlation_enters_with_the_sign_of_two_agreements():
    encoding = encode(2, model="correlated")
    gamma = sympy.Symbol("Gamma_{i,j}^{(A)}")
    p = sympy.Symbol("P_A")
    signs = {"".join(t): sympy.diff(v, gamma) / p for t, v in encoding.encoded.items()}
    assert signs == {"AA": 1, "AB": -1, "BA": -1, "BB": 1}
    assert encoding.latex(gamma) == r"\Gamma_{i,j}^{(A)}"


def test_an_absent_label_follows_the_paper():
    keyed = KeyedSketch.from_counts(
        {"A": {"AB": 1}, "B": {}}, judges=["i", "j"], answers=["A", "B"]
    )
    values = encode(2).values(keyed)
    assert {s.name: v for s, v in values.items()} == {
        "P_A": 1, "P_{i,A}": 1, "P_{j,A}": 0, "P_{i,B}": 0, "P_{j,B}": 0,
    }  # fmt: skip
    assert encode(2).frequencies(keyed)["A", "B"] == 1


def test_names():
    encoding = encode(["gpt4", "llama"], ["yes", "no"])
    assert str(encoding.frequency["yes", "no"]) == "f_{yes,no}"
    assert [s.name for s in encoding.parameters[:2]] == ["P_yes", "P_{gpt4,yes}"]
    assert name_judges(7) == tuple("ijklmno")
    assert name_labels(3) == ("A", "B", "C")


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="model must be"):
        encode(3, model="other")
    with pytest.raises(DataError, match="judges must be a whole number of at least 1"):
        encode(0)
    with pytest.raises(DataError, match="labels must be a whole number of at least 2"):
        encode(3, 1)
    with pytest.raises(TooLargeError, match="at most 50000 are built"):
        encode(12, 3)
    evaluation = random_evaluation(("i", "j"), ("A", "B"), seed=1)
    with pytest.raises(DataError, match="judges and answers must be"):
        encode(3).frequencies(evaluation)
    with pytest.raises(DataError, match="must see correlations"):
        encode(2, model="correlated").frequencies(evaluation)
    with pytest.raises(DataError, match="must hold exact fractions"):
        encode(2).frequencies(evaluation.to_floats())
    with pytest.raises(DataError, match="must all have values"):
        encode(2).frequencies({"P_A": 1})
