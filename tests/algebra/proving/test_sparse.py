import random
from fractions import Fraction

import sympy

from algeval.algebra.proving import prove
from algeval.algebra.ring import Ring, Sparse


def test_sparse_values_are_values():
    symbols = sympy.symbols("x0:8")
    ring = Ring(symbols)
    draw = random.Random(2)
    for trial in range(40):
        terms = [
            sympy.Rational(draw.randint(-9, 9), draw.randint(1, 3))
            * sympy.Mul(*(draw.choice(symbols) ** draw.randint(0, 3) for _ in range(3)))
            for _ in range(draw.randint(0, 25))
        ]
        polynomial = ring.polynomial(sympy.Add(*terms), ring.generators)
        sparse = Sparse(ring, polynomial)
        for _ in range(10):
            given = draw.sample(symbols, draw.randint(0, 8))
            point = {s: draw.randint(0, 4) for s in given}
            want = ring.at(polynomial, {s: Fraction(v) for s, v in point.items()})
            assert sparse.at(point) == want, trial


def test_false_claims_of_three_judges_and_labels_took_minutes():
    # One item of each label has no correlation, so four items is the least.
    found = prove("Gamma_ij_A = 0", model="axioms", judges=3, labels=3, time_limit=30)
    assert (found.exam.n_items, found.smallest) == (4, True)
    said = [found.exam.sketch.decision(row) for row in range(len(found.exam.sketch))]
    assert {u[2] for u in said} == {"A"}  # the third judge is not spoken of
    counts = found.exam.keyed[:, 0].tolist()
    right = [(u[0] == "A", u[1] == "A", c) for u, c in zip(said, counts, strict=True) if c]
    total = sum(counts)
    both = Fraction(sum(c for i, j, c in right if i and j), total)
    alone = [Fraction(sum(one[2] for one in right if one[k]), total) for k in (0, 1)]
    assert found.left == both - alone[0] * alone[1]
