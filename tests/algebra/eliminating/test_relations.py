"""Relations: as many as are known, true on exams counted item by item, minimal, and complete."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import pytest

import algeval as ae
from algeval.algebra import holds_on
from algeval.algebra.language import system
from algeval.algebra.polynomial_relations import eliminate, parametrise, relations
from algeval.algebra.ring import Clock
from algeval.errors import DataError, TooLargeError
from algeval.models.independent import exact_exam
from algeval.progress import CountedClock


def moments(judges, *sizes):
    return ["Delta_" + "".join(chosen) for size in sizes for chosen in combinations(judges, size)]


FOUR = moments("ijkl", 2, 3, 4)
RAW = ["f_" + "".join(said) for said in product("AB", repeat=4)][1:]
ONE_COIN = [f"P_{judge}A = P_{judge}B" for judge in "ijkl"]
EVEN = [f"P_{{{i},{t}}} = P_{{{i},A}}" for i in "ijk" for t in "BC"] + [
    f"P_{{{i},{x}|{t}}} = (1 - P_{{{i},{t}}})/2" for i in "ijk" for t, x in ("AB", "BA", "CA")
]
KNOWN = [
    (FOUR, {}, {2: 10, 3: 6}),
    (FOUR, {"degree": 4}, {2: 10, 3: 6}),
    (FOUR, {"given": ["P_A = 1/2"]}, {1: 4, 2: 3}),
    (moments("ijklm", 2), {}, {2: 10}),
    (moments("ijklm", 2, 3, 4, 5), {"degree": 2, "limit": 200}, {2: 104}),
    (RAW, {"limit": 40}, {3: 32}),
    (moments("ijkl", 2), {"given": ["d_i = d_j"]}, {1: 2, 2: 1}),
    ([f"a_{i}{j}" for i, j in combinations("ijkl", 2)], {"given": ONE_COIN}, {2: 2}),
    (["kappa_ij", "kappa_ik", "kappa_jk"], {"degree": 5}, {}),
    (["P_A", "rec_i", "prec_i", "g_i", "F1_i"], {}, {2: 1, 3: 2}),
    (["a_ij", "a_ik", "a_jk", "unan_ijk"], {"given": EVEN, "labels": 3}, {3: 1}),
    (["R_iA", "R_iA_A", "R_iA_B"], {"model": "axioms"}, {1: 1}),
]


@pytest.mark.parametrize(("statistics", "options", "by_degree"), KNOWN)
def test_there_are_as_many_as_are_known(statistics, options, by_degree):
    found = relations(statistics, **options)
    assert Counter(one.degree for one in found.relations) == by_degree
    assert found.n_found == sum(by_degree.values())


RATES = [(F(3, 4), F(1, 2)), (F(2, 3), F(1, 4)), (F(1, 2), F(1, 4)), (F(2, 3), F(4, 5))]


def exam(prevalence, rates=RATES):
    """An exam with exactly independent errors; counted, never computed, below."""
    confusion = np.array([[[a, 1 - a], [1 - b, b]] for a, b in rates])
    shares = np.array([prevalence, 1 - prevalence])
    return exact_exam(ae.Evaluation(list("ijkl"), ["A", "B"], ["A", "B"], shares, confusion))


@pytest.mark.parametrize("statistics", [FOUR, RAW, ["P_A", "rec_i", "prec_i", "g_i", "F1_i"]])
def test_every_relation_holds_where_it_is_counted(statistics):
    counted = exam(F(1, 3))
    for one in relations(statistics, limit=40, judges=4).relations:
        left, right = holds_on(one.text, counted, model="independent")
        assert left == right


def test_a_relation_under_a_hypothesis_needs_it():
    found = relations(FOUR, given=["P_A = 1/2"]).relations
    for one in found:
        left, right = holds_on(one.text, exam(F(1, 2)), model="independent")
        assert left == right
    broken = [holds_on(one.text, exam(F(1, 3)), model="independent") for one in found]
    assert all(left != right for left, right in broken)


def test_each_has_a_proof_of_its_own():
    found = relations(FOUR).relations
    for one in (found[0], found[-1]):
        assert one.proof.holds
        assert one.proof.check()


def test_elimination_finds_27_and_none_is_missing():
    found = relations(FOUR, complete=True)
    assert (found.complete, found.eliminated, found.n_found) == (True, 27, 16)
    assert "Every relation of any degree follows" in found.message


@pytest.mark.parametrize("left_out", [0, 9, 10, 15])
def test_no_relation_follows_from_the_others(left_out):
    """A second way: division by a Groebner basis of the other fifteen."""
    found = relations(FOUR).relations
    kept = [dict(one.terms) for k, one in enumerate(found) if k != left_out]
    known = system("independent", 4)
    among = parametrise(known, FOUR, (), Clock(CountedClock(60), "a test"))
    polynomials = [{m: F(c) for m, c in one.items()} for one in kept]
    assert eliminate(among, polynomials, None).missing


def test_elimination_adds_what_a_low_degree_misses():
    found = relations(FOUR, degree=2, complete=True)
    assert found.complete
    assert found.n_found > 10
    assert {one.degree for one in found.relations} >= {2, 3}


def test_elimination_that_outgrows_its_limits_is_no_matter_of_time():
    """Fifteen raw frequencies of four judges: it ended by size and said time_limit."""
    names = [f"f_{''.join(t)}" for t in product("AB", repeat=4)][:15]
    found = relations(names, degree=1, complete=True)
    assert (found.status.value, found.complete) == ("too_large", False)
    assert "outgrew its limits" in found.message


def test_none_up_to_a_degree_is_not_none_at_all():
    found = relations(["kappa_ij", "kappa_ik", "kappa_jk"], degree=2)
    assert found.message.startswith("No relation up to degree 2")
    assert not found.complete
    assert "any degree" not in found.message
    sure = relations(["P_A", "P_iA"], degree=1, complete=True)
    assert sure.complete
    assert "none of any degree" in sure.message


def test_degrees_with_too_many_monomials_are_left_out_and_said_to_be():
    found = relations(moments("ijklm", 2, 3, 4, 5), degree=3)
    assert (found.status.value, found.searched_degree, len(found.relations)) == ("too_large", 2, 20)
    assert "Degree 3 was left out" in found.message
    assert "... and 84 more" in found.summary()
    with pytest.raises(TooLargeError, match="at most 2200 monomials"):
        relations([f"{k}*P_A" for k in range(1, 2_300)])


def test_the_number_of_judges_follows_from_the_names():
    assert relations(["Delta_jk", "P_iA"], degree=1).judges == ("i", "j", "k")
    assert relations(["P_A", "Q_A"], degree=1).judges == ("i",)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"statistics": "Delta_ij"}, "must be a list of texts"),
        ({"statistics": []}, "at least 1; got none"),
        ({"statistics": ["Delta_ix"]}, "names must be known .* 'Delta_ix'"),
        ({"given": ["P_A*P_iA = P_A"]}, "must say one thing; .* says"),
        ({"given": ["P_A = 1/2", "P_A = 1/3"]}, "fulfilled by some exam; 'P_A = 1/3' contradicts"),
        ({"given": ["P_iA^2 + P_iB^2 = 1"]}, "linear in some parameter"),
        ({"given": ["d_i = 0"], "statistics": ["P_A/d_i"]}, "statistic must be defined"),
        ({"degree": 0}, "degree must be"),
        ({"given": ["P_A >= 1/2"]}, "given must be equations; got 'P_A >= 1/2'; leave it out"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(DataError, match=message):
        relations(**{"statistics": ["P_A"]} | arguments)
