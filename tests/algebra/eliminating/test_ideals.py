import time
from fractions import Fraction
from itertools import combinations

import pytest
import sympy
from sympy.polys.groebnertools import is_groebner

from algeval.algebra.eliminating import discriminant_factors, groebner_basis
from algeval.algebra.language import encode
from algeval.algebra.proving import prove
from algeval.data import Sketch
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

ORDER = ["AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB"]
X, Y, Z, D = (sympy.Symbol(f"Delta_{{{who}}}") for who in ("i,j", "i,k", "j,k", "i,j,k"))
P = sympy.Symbol("P_A")
QUADRATIC = (D**2 + 4 * X * Y * Z) * (P**2 - P) + X * Y * Z


def trio(*counts):
    return Sketch.from_counts(dict(zip(ORDER, counts, strict=True)), labels=["A", "B"])


def raw_moments():
    """S9-S15 in the eight frequencies, f_AAA eliminated, retyped."""
    f = {t: sympy.Symbol("f_{" + ",".join(t) + "}") for t in ORDER}
    i = f["BAA"] + f["BAB"] + f["BBA"] + f["BBB"]
    j = f["ABA"] + f["ABB"] + f["BBA"] + f["BBB"]
    k = f["AAB"] + f["ABB"] + f["BAB"] + f["BBB"]
    x = f["BBA"] + f["BBB"] - i * j
    y = f["BAB"] + f["BBB"] - i * k
    z = f["ABB"] + f["BBB"] - j * k
    return {X: x, Y: y, Z: z, D: f["BBB"] - (i * j * k + i * z + j * y + k * x)}


def test_theorem_0_2_by_machine_within_ten_seconds():
    started = time.process_time()
    basis = groebner_basis("frequencies")
    assert time.process_time() - started < 10
    assert basis.status is Status.OK
    (found,) = basis.prevalence_polynomials
    want = sympy.Poly(QUADRATIC.xreplace(raw_moments()), P, *basis.observables)
    got = sympy.Poly(found, P, *basis.observables)
    assert got == want or got == -want
    assert got.degree(P) == 2
    # No element is free of unknowns: any seven frequencies are possible.
    assert all(g.free_symbols & set(basis.unknowns) for g in basis.polynomials)


def test_every_element_of_the_frequency_basis_vanishes_on_exams():
    # Independent of the engine: at random evaluations the frequencies are the direct sums.
    basis = groebner_basis("frequencies")
    point = {s: Fraction(n + 2, 2 * n + 7) for n, s in enumerate(basis.unknowns)}
    value = {str(s): v for s, v in point.items()}
    for t, symbol in encode(3).frequency.items():
        total = Fraction(0)
        for label, share in (("A", value["P_A"]), ("B", 1 - value["P_A"])):
            for judge, answer in zip("ijk", t, strict=True):
                right = value[f"P_{{{judge},{label}}}"]
                share *= right if answer == label else 1 - right
            total += share
        point[symbol] = total
    symbols = (*basis.unknowns, *basis.observables)
    for terms in basis.rows:
        total = Fraction(0)
        for powers, coefficient in terms:
            part = Fraction(coefficient)
            for symbol, power in zip(symbols, powers, strict=True):
                part *= point[symbol] ** power
            total += part
        assert total == 0


@pytest.mark.parametrize("form", ["centred", "moments"])
def test_engines_agree_in_the_moments(form):
    by_flint = groebner_basis(form, engine="flint", time_limit=None)
    by_sympy = groebner_basis(form, engine="sympy", time_limit=None)
    for basis in (by_flint, by_sympy):
        (quadratic,) = basis.prevalence_polynomials
        assert sympy.expand(quadratic - QUADRATIC) == 0
    # Every element of one basis reduces to zero modulo the other, over the field of the moments.
    domain = sympy.QQ.frac_field(*by_sympy.observables)
    field = sympy.groebner(
        by_sympy.polynomials, *by_sympy.unknowns, order="lex", domain=domain, method="buchberger"
    )
    assert all(field.contains(g) for g in by_flint.polynomials)
    wide = (*by_flint.unknowns, *by_flint.observables)
    polys = [sympy.Poly(g, *wide).set_domain("QQ") for g in by_flint.polynomials]
    ring = sympy.ring(wide, sympy.QQ, "lex")[0]
    assert is_groebner([ring.from_dict(dict(p.terms())) for p in polys], ring)
    # And whatever SymPy found holds on every independent exam.
    if form == "moments":
        assert all(prove(g).holds for g in by_sympy.polynomials)


@pytest.mark.parametrize(
    "counts",
    [
        (1, 1, 1, 1, 1, 1, 1, 9),
        (568, 553, 649, 1813, 3534, 3607, 1068, 8208),
        (0, 0, 0, 0, 1, 1, 1, 5),
        (0, 0, 0, 0, 0, 1, 1, 6),
        (0, 1, 1, 1, 1, 1, 3, 0),
    ],
)
def test_engines_agree_on_numbers(counts):
    by_flint = groebner_basis("numeric", sketch=trio(*counts), engine="flint", time_limit=None)
    by_sympy = groebner_basis("numeric", sketch=trio(*counts), engine="sympy", time_limit=None)
    assert set(by_flint.polynomials) == set(by_sympy.polynomials)


def test_table_1_has_the_corrected_quadratic():
    sketch = trio(568, 553, 649, 1813, 3534, 3607, 1068, 8208)
    (quadratic,) = groebner_basis("numeric", sketch=sketch, time_limit=None).prevalence_polynomials
    a = sympy.Rational(3190087950361, 16 * 10**16)
    c = sympy.Rational(1612380721606215379, 10**24)
    monic = sympy.Poly(quadratic, P).monic()
    assert monic == sympy.Poly(P**2 - P + c / a, P)


def test_an_inconsistent_table_has_the_whole_ring():
    basis = groebner_basis("numeric", sketch=trio(0, 0, 0, 0, 1, 1, 1, 5), time_limit=None)
    assert basis.polynomials == (1,)
    assert basis.prevalence_polynomials == ()


def test_time_runs_out_as_a_status():
    basis = groebner_basis("frequencies", time_limit=0.01)
    assert basis.status is Status.TIME_LIMIT
    assert basis.rows == ()
    assert "not finished in 0.01 seconds" in basis.summary()


def test_what_is_hopeless_is_refused():
    with pytest.raises(TooLargeError, match="use engine='flint'"):
        groebner_basis("frequencies", engine="sympy")
    with pytest.raises(TooLargeError, match="engine='pencil'"):
        groebner_basis("numeric", sketch=Sketch.from_counts({"ABC": 1}))
    with pytest.raises(TooLargeError, match="two to five judges"):
        groebner_basis("numeric", sketch=Sketch.from_counts({"ABABAB": 1}))
    with pytest.raises(DataError, match="form must be"):
        groebner_basis("other")
    with pytest.raises(DataError, match="engine must be"):
        groebner_basis("centred", engine="maple")
    with pytest.raises(DataError, match="a sketch must come with"):
        groebner_basis("numeric")
    with pytest.raises(DataError, match="two answers"):
        groebner_basis("numeric", sketch=Sketch.from_counts({"AB.": 1, "BBA": 1}))


def test_a_basis_as_json_and_as_text():
    basis = groebner_basis("centred", time_limit=None)
    document = basis.to_dict()
    assert document["schema"] == "algeval.basis/1"
    assert len(document["polynomials"]) == len(basis.rows)
    assert "centred basis by flint" in basis.summary()


PATTERNS = [combo for size in range(5) for combo in combinations(["ij", "ik", "jk", "ijk"], size)]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_discriminant_is_a_square_only_without_correlation(pattern):
    # Theorem 0.3, all 16 patterns.
    factors = discriminant_factors(pattern)
    assert all(power % 2 == 0 for _, power in factors) == (not pattern)
    # The product is a, recomputed from the correlated encoding instead of central moments.
    encoding = encode(3, model="correlated")
    p_b = {j: sympy.Symbol(f"P_{{{j},B}}") for j in "ijk"}
    values = {s: sympy.Rational(n + 1, 3 * n + 5) for n, s in enumerate(encoding.parameters)}
    off = [
        s for s in encoding.parameters
        if s.name.startswith("Gamma") and s.name.split("}")[0][7:].replace(",", "") not in pattern
    ]  # fmt: skip
    values |= dict.fromkeys(off, 0)
    f = {"".join(t): v.xreplace(values) for t, v in encoding.encoded.items()}
    numbers = {sympy.Symbol("f_{" + ",".join(t) + "}"): f["".join(t)] for t in encoding.encoded}
    m = {key: value.xreplace(numbers) for key, value in raw_moments().items()}
    want = m[D] ** 2 + 4 * m[X] * m[Y] * m[Z]
    d = {
        sympy.Symbol(f"d_{j}"): values[sympy.Symbol(f"P_{{{j},A}}")] + values[p_b[j]] - 1
        for j in "ijk"
    }
    got = sympy.prod([factor.xreplace(values | d) ** power for factor, power in factors])
    assert want != 0
    assert got == want


def test_sixteen_patterns():
    assert len(PATTERNS) == len(set(PATTERNS)) == 16
    with pytest.raises(DataError, match="correlated must name sets"):
        discriminant_factors(["il"])
