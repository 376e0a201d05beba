"""A slow check of proof nodes with SymPy, written apart from the search; for tests.

`shows(node, p, blocks, ge, eq, strict)` says whether a node proves p >= 0 (or > 0) where every ge is
>= 0 and every eq is 0. `blocks` are lists of symbols that are nonnegative and sum to 1.
"""

from fractions import Fraction
from itertools import count, permutations, product
from math import prod

import sympy

_FRESH = count()


def symbols_of(sizes):
    return [[sympy.Symbol(f"y{next(_FRESH)}") for _ in range(size)] for size in sizes]


def reduced(p, blocks):
    """The polynomial with the last coordinate of each block written as 1 minus the others."""
    return sympy.expand(sympy.sympify(p).subs({b[-1]: 1 - sum(b[:-1]) for b in blocks}))


def from_terms(terms, blocks):
    flat = [y for b in blocks for y in b]
    return sum(
        sympy.Rational(c) * prod(y**k for y, k in zip(flat, powers, strict=True))
        for powers, c in terms
    )


def bernstein(p, blocks, degree):
    """{exponents: coefficient} of the form of this degree in each block, or None if it is too low."""
    flat = [y for b in blocks for y in b]
    total = sympy.Integer(0)
    for powers, c in sympy.Poly(reduced(p, blocks), *flat).terms():
        rest = dict(zip(flat, powers, strict=True))
        missing = [d - sum(rest[y] for y in b) for d, b in zip(degree, blocks, strict=True)]
        if min(missing) < 0:
            return None
        fill = prod(sum(b) ** m for b, m in zip(blocks, missing, strict=True))
        total += c * prod(y**k for y, k in rest.items()) * fill
    return dict(sympy.Poly(total, *flat).terms())


def nonnegative(p, blocks, degree):
    found = bernstein(p, blocks, degree)
    return found is not None and all(c >= 0 for c in found.values())


def shows(node, p, blocks, ge=(), eq=(), strict=False, factors=()):
    ge = [None if k in node.get("drop", ()) else g for k, g in enumerate(ge)]
    return _KINDS[node["kind"]](node, p, blocks, ge, list(eq), strict, factors)


def _zero(node, p, blocks, ge, eq, strict, factors):
    return not strict and reduced(p, blocks) == 0


def _coefficients(node, p, blocks, ge, eq, strict, factors):
    if not nonnegative(p, blocks, node["degree"]):
        return False
    corners = product(*blocks)
    values = (reduced(p, blocks).subs({y: int(y in c) for b in blocks for y in b}) for c in corners)
    return not strict or all(value > 0 for value in values)


def _corners(node, p, blocks, ge, eq, strict, factors):
    block = blocks[node["block"]]
    q = reduced(p, blocks)
    speaks = [reduced(h, blocks).has(*block) for h in [g[0] for g in ge if g] + eq]
    if any(speaks) or (q.has(*block) and sympy.Poly(q, *block).total_degree() > 1):
        return False
    rest = [b for b in blocks if b is not block]
    children = {child["position"]: child for child in node["children"]}
    if sorted(children) != list(range(len(block))):
        return False
    for i, child in children.items():
        here = q.subs({y: int(k == i) for k, y in enumerate(block)})
        proof = child["proof"]
        proof = node["children"][proof["same"]]["proof"] if "same" in proof else proof
        if not shows(proof, here, rest, ge, eq, strict, factors):
            return False
    return True


def _split(node, p, blocks, ge, eq, strict, factors):
    i, j = node["edge"]
    at = sympy.Rational(node["at"])
    if not 0 < at < 1 or i == j or len(node["children"]) != 2:
        return False
    a, b = blocks[node["block"]][i], blocks[node["block"]][j]
    halves = [{a: a + (1 - at) * b, b: at * b}, {a: (1 - at) * a, b: b + at * a}]
    for child, half in zip(node["children"], halves, strict=True):

        def put(h, half=half):
            return reduced(h, blocks).subs(half, simultaneous=True)

        moved = [g and (put(g[0]), g[1]) for g in ge]
        if not shows(child, put(p), blocks, moved, [put(e) for e in eq], strict, factors):
            return False
    return True


def _orders(node, p, blocks, ge, eq, strict, factors):
    chosen = node["blocks"]
    if any(len(blocks[b]) != 2 for b in chosen):
        return False
    if sorted(map(tuple, (c["order"] for c in node["children"]))) != sorted(permutations(chosen)):
        return False
    for child in node["children"]:
        (new,) = symbols_of([len(chosen) + 1])
        put = {blocks[b][0]: sum(new[: k + 1]) for k, b in enumerate(child["order"])}
        rest = [b for k, b in enumerate(blocks) if k not in chosen] + [new]
        moved = [g and (reduced(g[0], blocks).subs(put), g[1]) for g in ge]
        here = reduced(p, blocks).subs(put)
        equal = [reduced(e, blocks).subs(put) for e in eq]
        proof = child["proof"]
        proof = node["children"][proof["same"]]["proof"] if "same" in proof else proof
        if not shows(proof, here, rest, moved, equal, strict, factors):
            return False
    return True


def _factors(node, p, blocks, ge, eq, strict, factors):
    constant = sympy.Rational(node["constant"])
    parts = [from_terms(f["polynomial"], blocks) for f in node["factors"]]
    product_ = constant * prod(q ** f["power"] for q, f in zip(parts, node["factors"], strict=True))
    if reduced(p - product_, blocks) != 0:
        return False
    sign = sympy.sign(constant)
    for q, f in zip(parts, node["factors"], strict=True):
        if f["power"] % 2 or strict:
            if not shows(f["proof"], f["sign"] * q, blocks, ge, eq, strict, factors):
                return False
            sign *= f["sign"] if f["power"] % 2 else 1
    return sign > 0


def _combination(node, p, blocks, ge, eq, strict, factors):
    flat = [y for b in blocks for y in b]
    times = prod(factors[k] ** power for k, power in node.get("times", ()))
    rest = p * times
    if "multiplier" in node:
        if strict or any(Fraction(c) < 0 for _, c in node["multiplier"]):
            return False
        multiplier = from_terms(node["multiplier"], blocks)
        corners = product(*blocks)
        if any(multiplier.subs({y: int(y in c) for y in flat}) <= 0 for c in corners):
            return False
        rest *= multiplier
    evidence = Fraction(node.get("margin", 0)) > 0
    rest -= sympy.Rational(node.get("margin", 0))
    for term in node["terms"]:
        given = [ge[k] for k in term.get("given", ())]
        if Fraction(term["c"]) < 0 or None in given:
            return False
        powers = term.get("times", [0] * len(flat))
        form = from_terms(term["square"], blocks) if "square" in term else 1
        monomial = prod(y**k for y, k in zip(flat, powers, strict=True))
        rest -= sympy.Rational(term["c"]) * monomial * prod(g[0] for g in given) * form**2
        plain = not any(powers) and "square" not in term and given and all(g[1] for g in given)
        evidence = evidence or (plain and Fraction(term["c"]) > 0)
    for k, cofactor in node["cofactors"]:
        rest -= from_terms(cofactor, blocks) * eq[k]
    return (evidence or not strict) and nonnegative(rest, blocks, node["degree"])


_KINDS = {
    "zero": _zero,
    "coefficients": _coefficients,
    "corners": _corners,
    "split": _split,
    "orders": _orders,
    "factors": _factors,
    "combination": _combination,
}


def accepts(certificate, known, problem):
    """Whether a whole certificate proves its claim, its polynomials taken from SymPy's vocabulary.

    `problem` holds the polynomials that the certificate is about: each must be the difference of the
    sides of its text, as SymPy computes it, times the divisors that the text names.
    """
    statement = _Statement(certificate, known, problem)
    claim, *given = (statement.polynomial(one) for one in (problem.claim, *problem.given))
    state = _State(statement.blocks, claim, dict(enumerate(given)), statement.divisors)
    for step in certificate["domain"]:
        if not _STEPS[step["step"]](step, state, certificate):
            return False
    relations = [_relation(text) for text in certificate["given"]]
    signs = []
    plain = {k for k, g in enumerate(problem.given) if g.plain}
    unsigned = [(h, ">" in r or ("<" in r and "=" not in r)) if k in plain and r != "=" else None
                for k, h, r in state.listed(relations) if r != "="]  # fmt: skip
    unsigned += [(h, False) for h in state.left]
    for divisor, entry in zip(state.divisors, certificate["denominators"], strict=True):
        proof = entry.get("proof")
        if proof is not None:
            equal = [h for _, h, r in state.listed(relations) if r == "="]
            if not shows(proof, entry["sign"] * divisor, state.blocks, unsigned, equal):
                return False
        signs.append(entry["sign"] if proof is not None else None)

    def turned(h, odd):
        return h * prod((signs[k] for k in odd), start=1)

    ge = [
        (turned(h, problem.given[k].odd), r in "<>")
        for k, h, r in state.listed(relations)
        if r != "="
    ]
    ge += [(h, False) for h in state.left]
    ge += [(s * d, True) for s, d in zip(signs, state.divisors, strict=True) if s is not None]
    eq = [h for _, h, r in state.listed(relations) if r == "="]
    if certificate["claim"] == "contradiction":
        strict = certificate["strict"]
        p = sympy.Integer(0 if strict else -1)
        return shows(certificate["proof"], p, state.blocks, ge, eq, strict)
    goal = state.claim
    if _relation(certificate["claim"]) != "=":
        goal = turned(goal, problem.claim.odd)
    factors = {k: s * d for k, (s, d) in enumerate(zip(signs, state.divisors, strict=True)) if s}
    return shows(certificate["proof"], goal, state.blocks, ge, eq, certificate["strict"], factors)


def _relation(text):
    return next(r for r in ("<=", ">=", "<", ">", "=") if r in text)


class _Statement:
    """The domain's symbols, and the polynomials of a problem, compared with SymPy's."""

    def __init__(self, certificate, known, problem):
        self.known, self.problem = known, problem
        self.blocks = symbols_of(problem.domain.sizes)
        self.flat = [y for b in self.blocks for y in b]
        self.divisors = [self._plain(d) for d in problem.divisors]
        self.texts = [certificate["claim"], *certificate["given"]]
        self.values = self._values()

    def _plain(self, polynomial):
        found = {tuple(map(int, k)): sympy.Rational(int(c.p), int(c.q)) for k, c in
                 polynomial.to_dict().items()}  # fmt: skip
        return sympy.Poly.from_dict(found or {(0,) * len(self.flat): 0}, *self.flat).as_expr()

    def _values(self):
        """{SymPy symbol of a parameter: domain coordinate}."""
        r = len(self.known.labels)
        places = {}
        for symbol in self.known.parameters:
            one = self.known.symbols[symbol]
            if one.kind == "P":
                places[symbol] = self.flat[one.label]
            elif one.kind == "rate":
                k = r + (one.judges[0] * r + one.label) * r + one.answers[0]
                places[symbol] = self.flat[k]
            elif one.kind == "n":
                k = one.label
                for a in one.answers:
                    k = k * r + a
                places[symbol] = self.flat[k]
            else:
                places[symbol] = sympy.Integer(1)
        return places

    def polynomial(self, one):
        from algeval.algebra.statements import read_identity

        text = self.texts[one.number + 1]
        if text == "contradiction":
            return sympy.Integer(0)
        claim = read_identity("=".join(self._sides(text)), self.known)
        value = claim.left - claim.right
        value = -value if "<" in text else value
        for symbol in reversed(list(self.known.observables)):
            if value.has(symbol):
                value = value.subs(symbol, self.known.observables[symbol])
        top, bottom = sympy.fraction(sympy.together(value.subs(self.values)))
        mine = self._plain(one.polynomial)
        below = prod((self.divisors[k] ** power for k, power in one.powers), start=1)
        assert reduced(top * below - mine * bottom, self.blocks) == 0, text
        return mine

    def _sides(self, text):
        left, right = text.split(_relation(text))
        return left, right


class _State:
    """Blocks, claim and hypotheses while steps are taken."""

    def __init__(self, blocks, claim, given, divisors):
        self.blocks, self.claim, self.given, self.divisors = blocks, claim, given, divisors
        self.left = []

    def put(self, values, used=()):
        def moved(h):
            return sympy.expand(sympy.sympify(h).subs(values, simultaneous=True))

        self.claim = moved(self.claim)
        self.given = {k: moved(h) for k, h in self.given.items() if k not in used}
        self.divisors = [moved(d) for d in self.divisors]
        self.left = [moved(h) for h in self.left]

    def listed(self, relations):
        return [(k, h, relations[k]) for k, h in sorted(self.given.items())]


def _multiple(h, wanted, blocks):
    """Whether h is a number other than 0 times something on the domain; the number, or None."""
    a, b = reduced(h, blocks), reduced(wanted, blocks)
    ratio = sympy.cancel(a / b) if b != 0 else None
    return ratio if ratio is not None and ratio.is_Rational and ratio != 0 else None


def _identify(step, state, certificate):
    b, c = step["blocks"]
    x, y = state.blocks[b], state.blocks[c]
    other = x[::-1] if step["reversed"] else x
    if _multiple(state.given[step["given"]], x[0] - y[int(step["reversed"])], state.blocks) is None:
        return False
    state.put(dict(zip(y, other, strict=True)), {step["given"]})
    del state.blocks[c]
    return True


def _fix(step, state, certificate):
    block = state.blocks[step["block"]]
    value = sympy.Rational(step["value"])
    if _multiple(state.given[step["given"]], block[0] - value, state.blocks) is None:
        return False
    state.put({block[0]: value, block[1]: 1 - value}, {step["given"]})
    del state.blocks[step["block"]]
    return 0 <= value <= 1


def _bound(step, state, certificate):
    block, lower = state.blocks[step["block"]], list(map(sympy.Rational, step["lower"]))
    for y, low, k in zip(block, lower, step["givens"], strict=True):
        if k is None:
            if low != 0:
                return False
        else:
            ratio = _multiple(state.given[k], y - low, state.blocks)
            if ratio is None or ratio <= 0:
                return False
    room = 1 - sum(lower)
    used = {k for k in step["givens"] if k is not None}
    state.put({y: low + room * y for y, low in zip(block, lower, strict=True)}, used)
    return room > 0


def _solve(step, state, certificate):
    block = state.blocks[step["block"]]
    value = from_terms(step["value"], state.blocks)
    if value.has(*block):
        return False
    if _multiple(state.given[step["given"]], block[0] - value, state.blocks) is None:
        return False
    state.put({block[0]: value, block[1]: 1 - value}, {step["given"]})
    state.left += [value, 1 - value]
    del state.blocks[step["block"]]
    return True


def _merge(step, state, certificate):
    places = step["coordinates"]
    block = state.blocks[places[0][0]]
    chosen = [block[i] for _, i in places]
    put = {chosen[0]: sum(chosen), **dict.fromkeys(chosen[1:], 0)}
    for h in [state.claim, *state.given.values(), *state.divisors, *state.left]:
        if reduced(h - sympy.sympify(h).subs(put, simultaneous=True), state.blocks) != 0:
            return False
    before = [list(b) for b in state.blocks]
    state.put({b[-1]: 1 - sum(b[:-1]) for b in before})
    state.put(dict.fromkeys(chosen[1:], 0))
    state.blocks[places[0][0]] = [y for y in block if y not in chosen[1:]]
    return len({b for b, _ in places}) == 1


_STEPS = {"identify": _identify, "fix": _fix, "bound": _bound, "solve": _solve, "merge": _merge}
