"""Groebner bases against the closed form, on every small table."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import pytest

from algeval.algebra.trios import basis_of, decode_closed, decode_groebner, total_accuracy, trio_of
from algeval.data import Sketch

CELLS = list(product((0, 1), repeat=3))


def trio(flat):
    counts = {"".join("ab"[c] for c in cell): n for cell, n in zip(CELLS, flat, strict=True)}
    return trio_of(Sketch.from_counts(counts, judges=["i", "j", "k"], labels=["a", "b"]))


def symmetries():
    place = {cell: position for position, cell in enumerate(CELLS)}
    for order in permutations(range(3)):
        for flip in (0, 1):
            yield tuple(place[tuple(cell[o] ^ flip for o in order)] for cell in CELLS)


def tables_up_to_symmetry(sizes):
    images = tuple(symmetries())
    for q in sizes:
        for chosen in combinations_with_replacement(range(8), q):
            flat = tuple(chosen.count(cell) for cell in range(8))
            if flat == min(tuple(flat[m] for m in image) for image in images):
                yield flat


def assert_engines_agree(flat):
    exact, algebra = decode_closed(trio(flat)), decode_groebner(trio(flat))
    assert exact.status is algebra.status, flat
    assert exact.uninformative == algebra.uninformative, flat
    assert (exact.dimension, exact.in_range) == (algebra.dimension, algebra.in_range), flat
    assert exact.integral == algebra.integral
    assert len(exact.solutions) == len(algebra.solutions)
    for one in exact.solutions:
        assert any(_same(one, other) for other in algebra.solutions), flat
    assert sorted(map(total_accuracy, exact.solutions)) == sorted(
        map(total_accuracy, algebra.solutions)
    )


def _same(one, other):
    return one.prevalence == other.prevalence and one.confusion == other.confusion


def test_engines_agree_on_every_table_of_at_most_five_items():
    tables = list(tables_up_to_symmetry(range(1, 6)))
    assert len(tables) > 100
    for flat in tables:
        assert_engines_agree(flat)


@pytest.mark.parametrize("items", [6, *(pytest.param(n, marks=pytest.mark.slow) for n in (7, 8))])
def test_engines_agree_on_every_table_of_six_to_eight_items(items):
    for flat in tables_up_to_symmetry(range(items, items + 1)):
        assert_engines_agree(flat)


def test_the_basis_of_an_impossible_table_is_one():
    one_pair_uncorrelated = (0, 0, 0, 1, 1, 3, 1, 2)
    assert basis_of(one_pair_uncorrelated).exprs == [1]


def test_the_prevalence_element_is_the_papers_quadratic():
    flat = (568, 553, 649, 1068, 1813, 3607, 3534, 8208)
    basis = basis_of(flat)
    p = basis.gens[-1]
    (univariate,) = [e for e in basis.exprs if e.free_symbols == {p}]
    a, b, c = [univariate.coeff(p, n) for n in (2, 1, 0)]
    assert a + b == 0
    assert Fraction(int(c.p), int(c.q)) / Fraction(int(a.p), int(a.q)) == (
        Fraction(1612380721606215379, 10**24) / Fraction(3190087950361, 16 * 10**16)
    )
