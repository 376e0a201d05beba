"""Small exams against brute force: written out one by one, counted by hand, all labels free to be absent."""

import random
from collections import Counter
from fractions import Fraction
from importlib import util
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import numpy as np
import pytest

from algeval.algebra.exams import (
    Exams,
    SmallExams,
    independent_exams,
    plain_exams,
    random_exam,
    symmetries,
)
from algeval.algebra.language import system
from algeval.algebra.proving import Counterexample, prove
from algeval.algebra.statements import exam_of, meanings_in, named_system, read_texts
from algeval.errors import DataError
from algeval.progress import CountedClock

_SPEC = util.spec_from_file_location("counting", Path(__file__).with_name("counting.py"))
counting = util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(counting)


def all_exams(n, r, size):
    """Every exam of so many items, as a list of (true label, answers)."""
    return combinations_with_replacement(list(product(range(r), product(range(r), repeat=n))), size)


def independent(items, n, r):
    """Whether on each label every count is the product of the judges' own counts."""
    for t in range(r):
        here = [u for label, u in items if label == t]
        for u in product(range(r), repeat=n):
            want = Fraction(len(here))
            for i in range(n):
                want *= Fraction(sum(v[i] == u[i] for v in here), len(here)) if here else 0
            if want != here.count(u):
                return False
    return True


class Undefined(Exception):
    pass


def over(a, b):
    if b == 0:
        raise Undefined
    return Fraction(a) / Fraction(b)


class Counted:
    """The quantities of an exam, each counted by its definition."""

    def __init__(self, items, n, r):
        self.items, self.n, self.r, self.Q = items, n, r, len(items)

    def share(self, test):
        return Fraction(sum(test(t, u) for t, u in self.items), self.Q)

    def P(self, t):
        return self.share(lambda label, u: label == t)

    def rate(self, i, t):
        return over(self.share(lambda label, u: label == t == u[i]), self.P(t))

    def g(self, i):
        return self.share(lambda label, u: u[i] == label)

    def f(self, i, a):
        return self.share(lambda label, u: u[i] == a)

    def a(self, i, j):
        return self.share(lambda label, u: u[i] == u[j])

    def unan(self):
        return self.share(lambda label, u: len(set(u)) == 1)

    def delta(self, i, j, a):
        both = self.share(lambda label, u: u[i] == u[j] == a)
        return both - self.f(i, a) * self.f(j, a)

    def kappa(self, i, j):
        chance = sum(self.f(i, a) * self.f(j, a) for a in range(self.r))
        return over(self.a(i, j) - chance, 1 - chance)

    def gamma(self, i, j, t):
        both = over(self.share(lambda label, u: label == t == u[i] == u[j]), self.P(t))
        return both - self.rate(i, t) * self.rate(j, t)


# claim, hypotheses, judges, labels, and whether the claim holds and the hypotheses do, counted by hand
CASES = {
    "P_A < 1": ("P_A < 1", [], 1, 2, lambda e: e.P(0) < 1, lambda e: True),
    "f_Bi = f_Bj": ("f_Bi = f_Bj", [], 2, 2, lambda e: e.f(0, 1) == e.f(1, 1), lambda e: True),
    "accuracies": ("P_iA = P_iB", [], 1, 2, lambda e: e.rate(0, 0) == e.rate(0, 1), lambda e: True),
    "half": ("P_iA*(1-P_iA) <= 1/5", [], 1, 2,
             lambda e: e.rate(0, 0) * (1 - e.rate(0, 0)) <= Fraction(1, 5), lambda e: True),
    "thirds": ("P_A*P_B*P_C < 1/27", [], 1, 3, lambda e: e.P(0) * e.P(1) * e.P(2) < Fraction(1, 27),
               lambda e: True),
    "balance": ("(P_iA + P_iB)/2 >= 1/2", ["g_i >= 1/2"], 1, 2,
                lambda e: (e.rate(0, 0) + e.rate(0, 1)) / 2 >= Fraction(1, 2),
                lambda e: e.g(0) >= Fraction(1, 2)),
    "moment": ("Delta_{i:B,j:B} >= 0", ["P_iA >= 1/2", "P_iB > 1/2"], 2, 2,
               lambda e: e.delta(0, 1, 1) >= 0,
               lambda e: e.rate(0, 0) >= Fraction(1, 2) and e.rate(0, 1) > Fraction(1, 2)),
    "kappa": ("kappa_ij >= 0", ["a_ij >= 3/5"], 2, 2, lambda e: e.kappa(0, 1) >= 0,
              lambda e: e.a(0, 1) >= Fraction(3, 5)),
    "gamma": ("Gamma_ij_A <= 1/5", [], 2, 2, lambda e: e.gamma(0, 1, 0) <= Fraction(1, 5), lambda e: True),
    "alike": ("g_i + g_j + g_k <= 1 + 2*unan", [], 3, 2,
              lambda e: e.g(0) + e.g(1) + e.g(2) <= 1 + 2 * e.unan(), lambda e: True),
    "pairs": ("a_ij + a_ik + a_jk >= 1", ["g_i < 1/2", "g_j < 1/2", "g_k > 3/5"], 3, 2,
              lambda e: e.a(0, 1) + e.a(0, 2) + e.a(1, 2) >= 1,
              lambda e: e.g(0) < Fraction(1, 2) and e.g(1) < Fraction(1, 2) and e.g(2) > Fraction(3, 5)),
    "mixed": ("a_ij*a_ik <= a_jk + 1/5", ["unan < 1"], 3, 2,
              lambda e: e.a(0, 1) * e.a(0, 2) <= e.a(1, 2) + Fraction(1, 5), lambda e: e.unan() < 1),
    "quotient": ("(P_A - f_Ai + P_A*P_iA)/P_A >= 1", [], 1, 2,
                 lambda e: over(e.P(0) - e.f(0, 0) + e.P(0) * e.rate(0, 0), e.P(0)) >= 1, lambda e: True),
}  # fmt: skip


def by_hand(name, n, r, model, most):
    """Items of the smallest exams that refute, by going through all of up to so many."""
    *_, holds, supposed = CASES[name]
    for size in range(1, most + 1):
        results = []
        for items in all_exams(n, r, size):
            exam = Counted(items, n, r)
            if model == "independent" and not independent(items, n, r):
                continue
            try:
                if not holds(exam) and supposed(exam):
                    results.append(Counter(items))
            except Undefined:
                continue
        if results:
            return size, results
    return None, []


@pytest.mark.parametrize("model", ["axioms", "independent"])
@pytest.mark.parametrize("name", CASES)
def test_the_smallest_exam_is_the_smallest_by_brute_force(name, model):
    claim, given, n, r, *_ = CASES[name]
    if name == "gamma" and model == "independent":
        with pytest.raises(DataError, match="names must be known"):
            prove(claim, judges=n, model=model)
        return
    most = {(1, 2): 7, (1, 3): 5, (2, 2): 6, (3, 2): 5}[n, r]
    size, exams = by_hand(name, n, r, model, most)
    texts = read_texts(claim, given, {}, system(model, n, r))
    small = SmallExams(system(model, n, r), texts)
    items = small.search(CountedClock(None), below=most + 1)
    assert (items and sum(items.values())) == size
    if items is None:
        assert small.sizes == most
    else:
        assert items in exams
        found = prove(claim, given=given, judges=n, labels=r, model=model)
        assert (found.exam.n_items, found.smallest) == (size, True)


@pytest.mark.parametrize(
    ("n", "r", "most"), [(1, 2, 6), (2, 2, 5), (1, 3, 4), (3, 2, 4), (2, 3, 3)]
)
def test_independent_exams_are_all_of_them(n, r, most):
    got = Counter()
    exams = Exams(system("independent", n, r))
    for rows in independent_exams(system("independent", n, r)):
        if rows.shape[1] > most:
            break
        for row in range(len(rows)):
            got[frozenset(exams.load(rows).items(row).items())] += 1
    want = [
        frozenset(Counter(items).items())
        for size in range(1, most + 1)
        for items in all_exams(n, r, size)
        if independent(items, n, r)
    ]
    assert got == Counter(want)


def orbit(items, n, r, judges, labels):
    """Exam under all permutations of some judges and some labels."""
    results = set()
    for order in permutations(judges):
        for new in permutations(labels):
            to = dict(zip(labels, new, strict=True))
            seat = list(range(n))
            for i, j in zip(judges, order, strict=True):
                seat[i] = j
            moved = Counter()
            for (t, u), number in items.items():
                said = tuple(to.get(u[seat[i]], u[seat[i]]) for i in range(n))
                moved[to.get(t, t), said] += number
            results.add(frozenset(moved.items()))
    return results


@pytest.mark.parametrize(
    ("claim", "n", "r", "judges", "labels"),
    [
        ("g_i + g_j + g_k <= 1 + 2*unan", 3, 2, (0, 1, 2), (0, 1)),
        ("g_i + g_j <= 3*P_A", 2, 3, (0, 1), (1, 2)),
        ("g_i >= g_j", 2, 3, (), (0, 1, 2)),
        ("g_i = g_j", 2, 3, (0, 1), (0, 1, 2)),
        ("P_iA >= P_jB", 2, 2, (), ()),
    ],
)
def test_only_permutations_that_a_claim_does_not_see_are_used(
    claim, n, r, judges, labels, monkeypatch
):
    monkeypatch.setattr("algeval.algebra.exams._MANY", 0)
    known = system("axioms", n, r)
    texts = read_texts(claim, (), {}, known)
    exams = Exams(known)
    size = 1 + len(symmetries(exams, texts))
    assert size == len(list(permutations(judges))) * len(list(permutations(labels)))
    seen = {1: [], 2: [], 3: []}
    for rows in plain_exams(known, texts):
        if rows.shape[1] > 3:
            break
        seen[rows.shape[1]] += [exams.load(rows).items(row) for row in range(len(rows))]
    for items, listed in seen.items():
        every = {frozenset(Counter(exam).items()) for exam in all_exams(n, r, items)}
        covered = [orbit(exam, n, r, judges, labels) for exam in listed]
        assert sum(map(len, covered)) == len(every)  # no two from one orbit
        assert set().union(*covered) == every


def test_numbers_that_fill_a_word_are_exact():
    known = system("axioms", 1, 2)
    exams = Exams(known)
    for power in (5, 30, 64):
        texts = read_texts(f"(P_A/3)^{power} + g_i/7^{power} >= f_Ai*P_iA/2^{power}", (), {}, known)
        items = {(0, (0,)): 5, (0, (1,)): 3, (1, (0,)): 4, (1, (1,)): 7}
        left, right = exams.single(items).sides(texts)
        assert left == Fraction(8, 57) ** power + Fraction(12, 19) / 7**power
        assert right == Fraction(9, 19) * Fraction(5, 8) / 2**power
        assert exams.single(items).refuting(texts)[0] == (left < right)


def test_every_name_counts_what_the_other_route_counts():
    draw = random.Random(5)
    for model, n, r in (("axioms", 2, 3), ("axioms", 3, 2), ("correlated", 3, 2)):
        known = system(model, n, r)
        exams = Exams(known)
        cells = list(product(range(r), product(range(r), repeat=n)))
        items = Counter(draw.choices(cells, k=25))
        items.update((t, (t,) * n) for t in range(r))
        values = counting.count_values(known, exam_of(known, items))
        names = [name for name in known.meanings if name.isidentifier()]
        for name in draw.sample(names, min(120, len(names))):
            loaded = exams.single(items)
            value = loaded.name(name)
            want = counting.evaluate(known.vocabulary[name], values)
            assert bool(loaded.defined[0]) == (want is not None), name
            assert want is None or value.at(0) == want, name


def test_exams_are_made_smaller_until_no_item_can_go():
    known = system("axioms", 3, 4)
    texts = read_texts("g_i+g_j+g_k <= 1 + 2*unan", (), {}, known)
    small = SmallExams(known, texts)
    draw = np.random.default_rng(3)
    cells = list(product(range(4), product(range(4), repeat=3)))
    items = {cells[k]: int(draw.integers(100, 900)) for k in draw.choice(256, 40, replace=False)}
    for cell in [(t, (t, t, (t + 1) % 4)) for t in range(4)]:
        items[cell] = 20_000
    assert small.refutes(items)
    shrunk = small.shrunk(items, CountedClock(None))
    assert small.refutes(shrunk)
    assert sum(shrunk.values()) == 1


def test_claims_that_got_large_exams_get_small_ones():
    axiom = "R_iA_A - Q_A + (R_iB - R_iB_B) + (R_iC - R_iC_C) = 0"
    found = prove(axiom, model="axioms", judges=1, labels=3)
    assert (found.exam.n_items, found.smallest, found.left, found.right) == (1, True, 1, 0)
    for model in ("axioms", "independent"):
        found = prove("g_i+g_j+g_k <= 1 + 2*unan", labels=4, model=model)
        assert (found.exam.n_items, found.smallest, found.left, found.right) == (1, True, 2, 1)


def test_only_judges_that_a_claim_speaks_of_are_shown():
    found = prove("g_i <= 1/2", judges=3)
    assert (found.judges, found.exam.sketch.judges) == (("i",), ("i",))
    assert found.message.endswith("; the same for any further judges.")
    assert "independent" not in found.message
    proof = prove("g_k = P_A*P_kA + P_B*P_kB", judges=3)
    assert (proof.judges, proof.check()) == (("k",), True)
    assert proof.message.endswith("; the same for any further judges.")
    assert "further judges" not in prove("g_i <= 1/2", judges=1).message


@pytest.mark.parametrize(
    ("text", "judges"),
    [
        ("unan <= 1", ("i", "j", "k")),
        ("MV <= 1", ("i", "j", "k")),
        ("f_AAB <= 1", ("i", "j", "k")),
        ("n_AAB <= Q", ("i", "j", "k")),
        ("R_iA_kB <= Q", ("i", "k")),
        ("g_1 <= 1", ("i",)),
        ("g_1 <= g_3", ("i", "j", "k")),  # numbers are another name of i, j, k only
        ("P_A <= 1", ("i",)),
        ("zeta <= g_i", ("i", "j", "k")),
    ],
)
def test_judges_are_spoken_of_by_meaning(text, judges):
    known = named_system([text], system("axioms", 3, 2))
    assert known.judges == judges
    full = meanings_in([text], system("axioms", 3, 2))
    assert [m and m.kind for m in meanings_in([text], known).values()] == [
        m and m.kind for m in full.values()
    ]


def test_a_random_exam_refutes_what_it_is_said_to():
    known = system("axioms", 2, 2)
    texts = read_texts("a_ij = 1/2", (), {}, known)
    items = random_exam(known, texts, 12)
    exam = Counted(list(Counter(items).elements()), 2, 2)
    assert exam.a(0, 1) != Fraction(1, 2)
    assert random_exam(known, read_texts("a_ij <= 1", (), {}, known), 200) is None


def test_an_exam_whose_smaller_ones_were_not_all_tried_is_not_called_the_smallest():
    half = [f"P_{j}{t} >= 1/2" for j in "ij" for t in "ABC"]
    found = prove("a_ij >= 1/3", given=half, judges=2, labels=3)
    assert isinstance(found, Counterexample)
    assert (found.smallest, found.exam.n_items > 6) == (False, True)
    assert "fails on an exactly independent exam of" in found.message
    assert "(no such exam has 6 items or fewer)" in found.message
    assert independent(list(items_in(found.exam)), 2, 3)


def items_in(exam):
    """Items of an exam, each as (true label, answers), by position."""
    labels = exam.sketch.labels
    for row in range(len(exam.sketch)):
        said = tuple(labels.index(a) for a in exam.sketch.decision(row))
        for t, number in enumerate(exam.keyed[row]):
            yield from [(t, said)] * int(number)
