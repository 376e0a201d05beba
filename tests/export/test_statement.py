"""The statement of a certificate: as typed, and every name as the verifier understands it."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from algeval import verify_statements as verifier
from algeval.algebra.statements import read_expression
from algeval.export import NotExported, export
from algeval.export.statement import (
    Node,
    Statement,
    Style,
    holds,
    nodes_of,
    number,
    parse,
    value,
    variable,
    written,
)

HEADS = [
    "P", "Q", "f", "n", "R", "a", "Delta", "Gamma", "unan", "kappa", "MV", "odds", "d", "J", "BA", "AUC",
    "rec", "prec", "npv", "F1", "Jac", "MCC2", "g",
]  # fmt: skip


def document(claim, *, model="axioms", judges="ijk", labels="AB", given=(), define=None):
    return {
        "schema": "algeval.inequality/1",
        "claim": claim,
        "given": list(given),
        "define": define or {},
        "model": model,
        "judges": list(judges),
        "labels": list(labels),
        "denominators": [],
        "domain": [],
        "strict": False,
        "proof": {"kind": "zero"},
    }


def statement(claim, **settings):
    return Statement.of(document(claim, **settings))


# Meanings: every name against the verifier's polynomial -------------------------------------------


def names(judges, labels):
    """Every name of every family that means one thing."""
    spelling = verifier.Spelling(tuple(judges), tuple(labels))
    for head in HEADS:
        table = verifier.table_of(spelling, head)
        yield from (name for name, meaning in table.items() if name and meaning is not None)


def shares(draw, parts):
    weights = [draw.randint(1, 30) for _ in range(parts)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def at(p, z):
    """Value of a polynomial of the verifier, where its coordinates have these values."""
    total = Fraction(0)
    for monomial, c in p.terms.items():
        exponents = monomial.to_bytes(len(z), "little")
        total += c * math.prod(z[k] ** n for k, n in enumerate(exponents) if n)
    return total / p.scale


def verified(quotient, divisors, z, size):
    """Value of a quotient of the verifier, where the number of items is `size`."""
    below = Fraction(1)
    for k, power in quotient.den.items():
        below *= at(divisors[k], z) ** power
    return at(quotient.num, z) / below * size**quotient.counts


def reduced(st, z, n_judges):
    """Point of a statement from one of all judges: cells are summed over those that it leaves out."""
    r, point = len(st.labels), dict.fromkeys(st.base, Fraction(0))
    if st.model == "axioms":
        for (t, *u), x in zip(
            itertools.product(range(r), repeat=n_judges + 1), z.values(), strict=True
        ):
            point[st.coordinates["cell", t, tuple(u[i] for i in st.positions)]] += x
    for key, v in st.coordinates.items():
        kind, *rest = key
        if kind == "prevalence":
            point[v] = z[rest[0]]
        elif kind == "rate":
            i, a, t = rest
            point[v] = z[r + i * r * r + t * r + a]
    return point


@pytest.mark.parametrize("model", ["axioms", "independent"])
@pytest.mark.parametrize(("judges", "labels"), [("i", "AB"), ("ijk", "AB"), ("ij", "ABC")])
def test_definitions_agree_with_the_verifier_at_random_points(model, judges, labels):
    draw = random.Random(f"{model}{judges}{labels}")
    space = verifier.Shares(model, len(judges), len(labels))
    arithmetic = verifier.Arithmetic(space)
    known = verifier.Names(verifier.Statistics(arithmetic), judges, labels)
    points = [
        {
            k: x
            for block in space.blocks
            for k, x in zip(block, shares(draw, len(block)), strict=True)
        }
        for _ in range(20)
    ]
    seen = 0
    for name in names(judges, labels):
        st = statement(f"{name} = 0", model=model, judges=judges, labels=labels)
        quotient = known.look_up(name)
        for z in points:
            size = Fraction(draw.randint(1, 50))
            point = reduced(st, z, len(judges)) | ({st.items: size} if st.items else {})
            values = st.values(point)
            assert st.admits(values)
            assert value(st.claim.left, values) == verified(
                quotient, arithmetic.divisors, z, size
            ), name
        seen += 1
    assert seen > 20


# The claim as typed, compared as trees ------------------------------------------------------------


class Tree:
    """Arithmetic of the prover's own reader that writes trees: a second parser."""

    def __init__(self, node):
        self.node = node

    def __add__(self, other):
        return Tree(Node("+", (self.node, other.node)))

    def __sub__(self, other):
        return Tree(Node("-", (self.node, other.node)))

    def __mul__(self, other):
        return Tree(Node("*", (self.node, other.node)))

    def __neg__(self):
        return Tree(Node("negative", (self.node,)))


class Trees:
    def name(self, name):
        return Tree(variable(name))

    def number(self, x):
        return Tree(number(x))

    def quotient(self, a, b):
        return Tree(Node("/", (a.node, b.node)))

    def power(self, base, exponent):
        return Tree(Node("^", (base.node,), Fraction(exponent)))


TYPED = [
    "P_iA - (P_iB - P_jA)",
    "-(P_iA + P_iB)*2",
    "-P_iA^2",
    "(P_A + P_B)^2/(3*P_iA)/P_iB",
    "P_iA*P_iA^-2 + 2^-1",
    "1/2 - 0.95*a_ij + 1e3",
    "Delta_{i, j} + P_{i,B|A}*Gamma_{i,j}^{(A)}",
    "+P_A - -P_B",
    "2^2^2*P_A",
]


def as_typed(st, node):
    """Expression with what the reader typed in the place of identifiers."""
    if node.kind == "variable":
        return variable(st.legend[node.name])
    return Node(node.kind, tuple(as_typed(st, part) for part in node.parts), node.number)


@pytest.mark.parametrize("side", TYPED)
def test_a_claim_is_what_was_typed(side):
    second = read_expression(side, side, Trees()).node
    assert parse(side) == second
    st = statement(f"{side} <= P_kA")
    assert as_typed(st, st.claim.left) == second
    assert st.claim.sign == "<="
    assert as_typed(st, st.claim.right) == variable("P_kA")


@pytest.mark.parametrize("side", TYPED)
def test_what_is_written_is_read_back_as_the_same_tree(side):
    style = Style(number=lambda x: f"({x})" if x.denominator > 1 else f"{x}")
    once = parse(side)
    again = parse(written(once, style))
    draw = random.Random(side)
    point = {node.name: Fraction(draw.randint(1, 99), 100) for node in nodes_of(once) if node.name}
    assert value(again, point) == value(once, point)


@pytest.mark.parametrize(
    "text",
    [
        "P_A",
        "P_A +",
        "(P_A = 1",
        "P_A = 1)",
        "P_A = 1 = 2",
        "P_A ^ P_B = 1",
        "P_A P_B = 1",
        "x = 1",
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(text):
    if text == "P_A":  # without a relation it is claimed to be zero, as `prove` takes it
        assert statement(text).claim.right == number(0)
        return
    with pytest.raises(NotExported, match=r"must|nothing"):
        export(document(text), "coq")


# Faults that a second reading found in a prototype ------------------------------------------------


def test_names_of_ones_own_that_differ_by_a_stroke_stay_two():
    st = statement("x = x_", define={"x": "P_A", "x_": "P_B"}, model="independent")
    assert st.claim.left != st.claim.right
    values = st.values({v: Fraction(k == 0) for block in st.blocks for k, v in enumerate(block)})
    assert not holds(st.claim, values)


@pytest.mark.parametrize(
    ("judges", "labels"),
    [
        ("ij", ["A", "A_"]),
        ("ij", ["A", "AA"]),
        (["i", "iA"], ["A", "B"]),
        (["i", "i_"], ["A", "A|A"]),
    ],
)
@pytest.mark.parametrize("model", ["axioms", "independent"])
def test_identifiers_are_distinct_whatever_labels_and_judges_are_called(judges, labels, model):
    sides = "*".join(f"P_{{{judge},{label}}}" for judge in judges for label in labels)
    st = statement(f"{sides} = 1", judges=judges, labels=labels, model=model)
    identifiers = [*itertools.chain(*st.blocks), *st.definitions]
    assert len(set(identifiers)) == len(identifiers)
    assert len({name.replace("_", "") for name in identifiers}) == len(identifiers)
    assert set(st.legend) == set(identifiers)
    cells = 2**3 if model == "axioms" else 2 + 2 * 4
    assert sum(map(len, st.blocks)) == cells


@pytest.mark.parametrize(
    "labels", [["é", "λ"], ["forall", "exists"], ["1", "2"], ["fun", "b *) x (*"], ['"', "\n"]]
)
def test_identifiers_are_plain_and_no_word_of_a_language(labels):
    judges = ["match", "let", "ж"]
    st = statement(f"P_{{match,{labels[0]}}}*g_let*g_ж = 1", judges=judges, labels=labels)
    assert st.judges == tuple(judges)
    for name in itertools.chain(*st.blocks, st.definitions):
        assert name.isascii()
        assert name.isidentifier()
        assert name.rsplit("_", 1)[1].isdigit()
    if labels[1] == "λ":
        assert "P_{match,é}" in st.legend.values()


def test_correlated_errors_are_any_errors():
    counter = {
        "schema": "algeval.counterexample/1",
        "identity": "Delta_ij = P_A*P_B*d_i*d_j",
        "model": "correlated",
        "judges": ["i", "j"],
        "labels": ["A", "B"],
        "exam": {
            "sketch": {"judges": ["i", "j"], "labels": ["A", "B"], "answers": ["A", "B"],
                       "codes": [[0, 0], [1, 1], [1, 0]]},
            "keyed": [[1, 0], [1, 0], [0, 1]],
        },
    }  # fmt: skip
    st = Statement.of(counter)
    assert st.model == "axioms"
    values = st.values(st.point(counter["exam"]))
    assert st.admits(values)
    assert not holds(st.claim, values)


def test_an_unknown_model_is_refused():
    with pytest.raises(NotExported, match="model must be"):
        statement("P_A = 1", model="latent")


@pytest.mark.parametrize("claim", ["P_A/(1 - 1) = 5", "P_A^-1/0 = 5"])
def test_dividing_by_the_number_zero_is_refused(claim):
    with pytest.raises(NotExported, match="zero"):
        statement(claim)


def test_a_divisor_that_is_always_zero_admits_no_exam():
    st = statement("P_A/(P_A - P_A) = 5")
    draw = random.Random(0)
    assert all(
        st.values({v: x for b in st.blocks for v, x in zip(b, shares(draw, len(b)), strict=True)})
        is None
        for _ in range(20)
    )


@pytest.mark.parametrize("model", ["axioms", "independent"])
def test_judges_that_no_formula_speaks_of_are_left_out(model):
    claims = {
        "P_A + P_B = 1": (),
        "P_jA = 1": ("j",),
        "P_iA = x": ("i", "k"),
        "a_ik = 1": ("i", "k"),
        "unan = 1": ("i", "j", "k"),
        "f_ABA = 1": ("i", "j", "k"),
        "P_2A = 1": ("j",),
    }
    for claim, judges in claims.items():
        st = statement(claim, model=model, define={"x": "P_kB"})
        assert st.judges == judges, claim
        size = 2 ** (1 + len(judges)) if model == "axioms" else 2 + 4 * len(judges)
        assert sum(map(len, st.blocks)) == size
    given = statement("P_iA = 1", model=model, given=["P_jA >= 1/2"])
    assert given.judges == ("i", "j")


def test_one_meaning_typed_in_two_ways_is_two_equal_variables():
    st = statement("P_iA = P_{i,A}", model="independent")
    assert st.claim.left != st.claim.right
    for point in ({v: Fraction(1, len(b)) for b in st.blocks for v in b},):
        assert holds(st.claim, st.values(point))


def test_what_is_divided_by_is_a_hypothesis_in_definitions_too():
    st = statement("prec_i + 1/P_B = P_A/2", judges="i")
    divisors = [written(divisor) for divisor in st.divisors]
    assert len(divisors) == 2
    assert not any(divisor == "2" for divisor in divisors)
