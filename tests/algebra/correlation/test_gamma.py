import random
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.algebra.correlation import (
    correlations,
    error_correlations,
    frequencies_from,
    keyed_from,
)
from algeval.data import Evaluation, KeyedSketch
from algeval.errors import DataError, TooLargeError
from algeval.models.independent import exact_exam
from algeval.result import Status


def random_exam(n_judges, labels, seed, answers=None, most=4):
    draw = random.Random(seed)
    table = {
        label: {t: draw.randint(0, most) for t in product(answers or labels, repeat=n_judges)}
        for label in labels
    }
    return KeyedSketch.from_counts(table, labels=labels, answers=answers), table


def direct_gamma(table, labels, chosen, answers, label):
    """Average of a product of deviations, item by item, straight from the definition (S44, S45)."""
    rows = [t for t, count in table[label].items() for _ in range(count)]
    rates = [
        Fraction(sum(t[i] == a for t in rows), len(rows))
        for i, a in zip(chosen, answers, strict=True)
    ]
    total = Fraction(0)
    for t in rows:
        part = Fraction(1)
        for i, a, rate in zip(chosen, answers, rates, strict=True):
            part *= (t[i] == a) - rate
        total += part
    return total / len(rows)


@pytest.mark.parametrize(("n", "labels"), [(2, "AB"), (3, "AB"), (2, "ABC"), (3, "ABC")])
def test_every_gamma_is_the_average_it_is_defined_as(n, labels):
    keyed, table = random_exam(n, tuple(labels), seed=n)
    found = correlations(keyed)
    names = keyed.sketch.judges
    for size in range(2, n + 1):
        for chosen in combinations(range(n), size):
            for label, answers in product(labels, product(labels, repeat=size)):
                want = direct_gamma(table, labels, chosen, answers, label)
                assert found.of([names[i] for i in chosen], label, answers) == want


def test_gamma_by_hand():
    # Label A: AA, AB, BA, BB counted 2, 1, 1, 0: P = 3/4 each, Gamma = 2/4 - 9/16.
    keyed = KeyedSketch.from_counts({"A": {"AA": 2, "AB": 1, "BA": 1}, "B": {"BB": 1}})
    found = correlations(keyed)
    assert found[("1", "2"), "A"] == Fraction(-1, 16)
    assert found[("1", "2"), "B"] == 0
    assert found.of(["1", "2"], "A", ["A", "B"]) == Fraction(1, 16)
    assert not found.independent
    assert dict(found.items()) == {
        (("1", "2"), "A"): Fraction(-1, 16),
        (("1", "2"), "B"): Fraction(0),
    }
    assert "Gamma_1,2(A) = -1/16 (-0.0625)" in found.summary()
    assert found.to_dict()["gammas"][0] == {"judges": ["1", "2"], "label": "A", "value": "-1/16"}


def test_identical_judges_reach_the_variance_the_paper_quotes():
    # "Fully correlated classifiers at 60% accuracy have a value of 0.24."
    keyed = KeyedSketch.from_counts({"A": {"AA": 3, "BB": 2}, "B": {"BB": 1}})
    assert correlations(keyed)[("1", "2"), "A"] == Fraction(24, 100)


@pytest.mark.parametrize(
    ("n", "labels"),
    [(1, "AB"), (2, "AB"), (3, "AB"), (4, "AB"), (5, "AB"), (2, "ABC"), (3, "ABC"), (4, "ABC")],
)
def test_round_trip(n, labels):
    keyed, _ = random_exam(n, tuple(labels), seed=10 * n, most=2)
    back = keyed_from(correlations(keyed))
    assert back.sketch == keyed.sketch
    assert np.array_equal(back.keyed, keyed.keyed)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 6), min_size=16, max_size=16).filter(any))
def test_round_trip_of_any_binary_trio_even_with_an_absent_label(counts):
    decisions = list(product("AB", repeat=3))
    keyed = KeyedSketch.from_counts(
        {
            "A": dict(zip(decisions, counts[:8], strict=True)),
            "B": dict(zip(decisions, counts[8:], strict=True)),
        }
    )
    found = correlations(keyed)
    shares = frequencies_from(found)
    assert [shares["A"][t] for t in decisions] == [Fraction(c, sum(counts)) for c in counts[:8]]
    assert keyed_from(found).sketch == keyed.sketch


def test_answers_that_are_never_correct_take_part():
    keyed, table = random_exam(2, ("A", "B"), seed=3, answers=("A", "B", "tie"))
    found = correlations(keyed)
    want = direct_gamma(table, "AB", (0, 1), ("tie", "A"), "A")
    assert found.of(["1", "2"], "A", ["tie", "A"]) == want
    assert keyed_from(found).sketch == keyed.sketch


def test_items_somebody_skipped_are_left_out_and_counted():
    keyed = KeyedSketch.from_counts(
        {"A": {"AA": 2, "AB": 1, "BA": 1, "A.": 5}, "B": {"BB": 1}}, answers=["A", "B"]
    )
    found = correlations(keyed)
    assert (found.n_items, found.n_used, found.n_left_out) == (10, 5, 5)
    assert found[("1", "2"), "A"] == Fraction(-1, 16)
    assert "5 items that some judge did not answer" in found.message


def test_no_item_at_all_is_a_status():
    keyed = KeyedSketch.from_counts({"A": {"A.": 1}, "B": {".B": 1}}, answers=["A", "B"])
    assert correlations(keyed).status is Status.UNDETERMINED


def test_independent_exams_have_no_correlation():
    rate = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 3), Fraction(2, 3)]]
    half = np.array([Fraction(1, 2)] * 2)
    evaluation = Evaluation(("i", "j", "k"), ("A", "B"), ("A", "B"), half, np.array([rate] * 3))
    found = correlations(exact_exam(evaluation))
    assert found.independent
    assert set(dict(found.items()).values()) == {Fraction(0)}


def test_frequencies_from_hand_made_gammas():
    row = [[Fraction(3, 5), Fraction(2, 5)], [Fraction(1, 4), Fraction(3, 4)]]
    prevalence = np.array([Fraction(1, 3), Fraction(2, 3)])
    evaluation = Evaluation(("i", "j"), ("A", "B"), ("A", "B"), prevalence, np.array([row, row]))
    shares = frequencies_from(evaluation, {(("i", "j"), "A"): "1/50"})
    assert shares["A"]["A", "A"] == Fraction(1, 3) * (Fraction(9, 25) + Fraction(1, 50))
    assert shares["A"]["A", "B"] == Fraction(1, 3) * (Fraction(6, 25) - Fraction(1, 50))
    assert shares["B"]["B", "B"] == Fraction(2, 3) * Fraction(9, 16)
    assert sum(v for table in shares.values() for v in table.values()) == 1


def test_wrong_input_is_named():
    keyed = KeyedSketch.from_counts({"A": {"AA": 1}, "B": {"BB": 1}})
    found = correlations(keyed)
    with pytest.raises(DataError, match="gammas must come alone"):
        frequencies_from(found, {})
    with pytest.raises(DataError, match="two judges or more"):
        frequencies_from(found.evaluation, {(("1",), "A"): 0})
    with pytest.raises(DataError, match="answers must name one per judge"):
        found.of(["1", "2"], "A", ["A"])
    with pytest.raises(DataError, match="must hold exact fractions"):
        frequencies_from(found.evaluation.to_floats(), {})
    with pytest.raises(TooLargeError, match="choose fewer judges"):
        correlations(KeyedSketch.from_counts({"A": {"A" * 12: 1}, "B": {"B" * 12: 1}}))


def test_correlations_by_hand_and_the_encoding_they_complete(table_1):
    gamma = error_correlations(table_1)
    truth = table_1.evaluation()
    p = [truth.accuracy(j, "a") for j in "ijk"]
    # f(aaa | a) = P P P + sum P Gamma_pair + Gamma_trio
    pairs = (("j", "k"), ("i", "k"), ("i", "j"))
    encoded = p[0] * p[1] * p[2] + gamma["i", "j", "k"][0]
    encoded += sum(one * gamma[pair][0] for one, pair in zip(p, pairs, strict=True))
    assert encoded == Fraction(424, 2000)


def test_error_correlations_are_means_of_products_over_the_items_of_a_label():
    keyed, table = random_exam(3, list("ab"), 11, answers=list("abc"))
    found = error_correlations(keyed)
    groups = [(0, 1), (0, 2), (1, 2), (0, 1, 2)]
    assert list(found) == [tuple("123"[place] for place in group) for group in groups]
    for values, group in zip(found.values(), groups, strict=True):
        right = [direct_gamma(table, "ab", group, t * len(group), t) for t in "ab"]
        assert list(values) == right


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: error_correlations(KeyedSketch.from_counts({"a": {"ab": 1}, "b": {"ab": 1}})),
            "three judges and two labels",
        ),
        (
            lambda: error_correlations(KeyedSketch.from_counts({"a": {"ab.": 1}, "b": {"aba": 1}})),
            "answered every item",
        ),
        (
            lambda: error_correlations(
                KeyedSketch.from_counts({"a": {"aba": 1}}, labels=["a", "b"])
            ),
            "label 'b' must occur",
        ),
    ],
)
def test_error_correlations_refuse(call, message):
    with pytest.raises(DataError, match=message):
        call()
