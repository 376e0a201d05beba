"""What the verifier accepts about all exams is true on every exam tried, counted item by item.

Texts are evaluated here by Python on shares of cells, with every name counted from its definition.
Names that the package knows are counted by the package's `holds_on`, too.
"""

import copy
import importlib.util
import itertools
import math
import random
import re
from fractions import Fraction as F
from pathlib import Path

import pytest

import algeval.verify_statements as module
from algeval.algebra import holds_on
from algeval.algebra.language import system
from algeval.algebra.statements import random_independent_exams
from algeval.data import KeyedSketch
from algeval.models.independent import exact_exam
from algeval.verify import Rejected, verify


def load_good():
    path = Path(__file__).with_name("test_statements.py")
    spec = importlib.util.spec_from_file_location("worked_on_paper", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.GOOD


GOOD = load_good()


# exams, and texts on them -----------------------------------------------------------------------------


class Exam:
    """Shares of items by (truth, answers), all as positions."""

    def __init__(self, judges, labels, cells):
        self.judges, self.labels, self.cells = judges, labels, cells

    def mean(self, value, truth=None):
        some = [(t, u, w) for (t, u), w in self.cells.items() if truth in (None, t)]
        return sum((w * value(t, u) for t, u, w in some), F(0)) / sum(w for _, _, w in some)

    def share(self, event):
        return self.mean(lambda t, u: F(event(t, u)))

    def central(self, said, truth=None):
        means = [self.mean(lambda t, u, i=i, a=a: F(u[i] == a), truth) for i, a in said]
        pairs = [(i, a, mean) for (i, a), mean in zip(said, means, strict=True)]
        return self.mean(lambda t, u: math.prod((u[i] == a) - m for i, a, m in pairs), truth)

    def __getitem__(self, name):
        head, _, rest = name.partition("_")
        return getattr(self, f"value_{head}")(rest)

    def judge(self, name):
        return self.judges.index(name)

    def label(self, name):
        return self.labels.index(name)

    def value_P(self, rest):
        if len(rest) == 1:
            return self.share(lambda t, u: t == self.label(rest))
        i, what = rest.strip("{}").split(",") if rest[0] == "{" else rest
        answer, _, truth = what.partition("|")
        i, a, t = self.judge(i), self.label(answer), self.label(truth or answer)
        return self.mean(lambda _, u: F(u[i] == a), t)

    def value_f(self, rest):
        if "{" in rest:
            said = [(self.judge(pair[2]), self.label(pair[0])) for pair in rest[1:-1].split(",")]
        elif rest[-1] in self.judges:
            pairs = zip(rest[::2], rest[1::2], strict=True)
            said = [(self.judge(i), self.label(a)) for a, i in pairs]
        else:
            said = list(enumerate(map(self.label, rest)))
        return self.share(lambda t, u: all(u[i] == a for i, a in said))

    def value_g(self, rest):
        return self.share(lambda t, u: u[self.judge(rest)] == t)

    def value_d(self, rest):
        return self[f"P_{rest}A"] + self[f"P_{rest}B"] - 1

    value_J = value_d

    def value_BA(self, rest):
        return (self[f"P_{rest}A"] + self[f"P_{rest}B"]) / 2

    value_AUC = value_BA

    def value_rec(self, rest):
        return self[f"P_{rest}A"]

    def value_Delta(self, rest):
        if ":" not in rest:
            return self.central([(self.judge(i), 1) for i in rest.strip("{}").replace(",", "")])
        pairs = (pair.split(":") for pair in rest.strip("{}").split(","))
        return self.central([(self.judge(i), self.label(a)) for i, a in pairs])

    def value_Gamma(self, rest):
        who, truth = re.fullmatch(r"\{?([^}_]*)\}?(?:_|\^\{\()(\w)\)?\}?", rest).groups()
        pairs = [pair.partition(":") for pair in (who.split(",") if "," in who else who)]
        said = [(self.judge(i), self.label(a or truth)) for i, _, a in pairs]
        return self.central(said, self.label(truth))

    def table(self, rest):
        """True and false positives and negatives, A being positive."""
        i = self.judge(rest)
        pairs = [(0, 0), (1, 0), (0, 1), (1, 1)]
        return [self.share(lambda t, u, p=pair: (t, u[i]) == p) for pair in pairs]

    def value_prec(self, rest):
        tp, fp, _, _ = self.table(rest)
        return tp / (tp + fp)

    def value_npv(self, rest):
        _, _, fn, tn = self.table(rest)
        return tn / (tn + fn)

    def value_F1(self, rest):
        precision, recall = self.value_prec(rest), self.value_rec(rest)
        return 2 / (1 / precision + 1 / recall)

    def value_Jac(self, rest):
        tp, _, _, tn = self.table(rest)
        return tp / (1 - tn)

    def value_MCC2(self, rest):
        tp, fp, fn, tn = self.table(rest)
        return (tp * tn - fp * fn) ** 2 / ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))

    def value_a(self, rest):
        who = [self.judge(i) for i in rest.strip("{}").replace(",", "")]
        return self.share(lambda t, u: len({u[i] for i in who}) == 1)

    def value_unan(self, rest):
        return self.value_a(rest or "".join(self.judges))

    def value_kappa(self, rest):
        i, *others = [self.judge(one) for one in rest.strip("{}").replace(",", "")]
        j = others[0] if others else None

        def other(t, u):
            return t if j is None else u[j]

        seen = self.share(lambda t, u: u[i] == other(t, u))
        chance = sum(
            self.share(lambda t, u, a=a: u[i] == a) * self.share(lambda t, u, a=a: other(t, u) == a)
            for a in range(len(self.labels))
        )
        return 1 - (1 - seen) / (1 - chance)

    def value_MV(self, rest):
        who = [self.judge(i) for i in rest.strip("{}").replace(",", "")] or range(len(self.judges))
        return self.share(lambda t, u: sum(u[i] == t for i in who) > len(who) / 2)

    def value_odds(self, rest):
        said = tuple(map(self.label, rest.strip("{}").replace(",", "")))
        of = [self.share(lambda t, u, x=x: (t, u) == (x, said)) for x in (0, 1)]
        return of[0] / of[1]


NAME = re.compile(r"[A-Za-z]\w*(?:(?<=_)\{[^{}]*\}(?:\^\{\([^{}()]*\)\})?)?")


def evaluate(text, exam, define):
    source = re.sub(
        rf"({NAME.pattern})|([0-9.]+)",
        lambda m: f"v({m[1]!r})" if m[1] else f"F({m[2]!r})",
        text,
    ).replace("^", "**")
    source = re.sub(r"(?<![<>=])=(?!=)", "==", source)

    def v(name):
        return evaluate(define[name], exam, define) if name in define else exam[name]

    return eval(source, {"F": F, "v": v, "__builtins__": {}})


def truth(document, exam):
    """Return whether a statement holds on an exam; None where it says nothing of it."""
    define = document.get("define", {})
    try:
        given = [evaluate(text, exam, define) for text in document.get("given", ())]
        if document["claim"] == "contradiction":
            return False if all(given) else None
        found = evaluate(document["claim"], exam, define)
    except ZeroDivisionError:
        return None
    return found if all(given) else None


def random_row(rng, parts, most):
    weights = [rng.randint(0, most) for _ in range(parts)]
    weights[rng.randrange(parts)] += not any(weights)
    return [F(w, sum(weights)) for w in weights]


def random_exam(rng, document):
    judges, labels = document["judges"], document["labels"]
    n, r = len(judges), len(labels)
    most = rng.choice([1, 2, 3, 6, 100])
    if document["model"] == "axioms":
        places = [(t, u) for t in range(r) for u in itertools.product(range(r), repeat=n)]
        return Exam(
            judges, labels, dict(zip(places, random_row(rng, len(places), most), strict=True))
        )
    prevalence = [F(0)]
    while not all(prevalence):
        prevalence = random_row(rng, r, most)
    rates = [[random_row(rng, r, most) for _ in range(r)] for _ in range(n)]
    cells = {
        (t, u): prevalence[t] * math.prod(rates[i][t][a] for i, a in enumerate(u))
        for t in range(r)
        for u in itertools.product(range(r), repeat=n)
    }
    return Exam(judges, labels, cells)


def verdicts(document, tries, seed=0):
    """{True, False}, as far as exams were found that show it."""
    rng = random.Random(seed)
    found = {truth(document, random_exam(rng, document)) for _ in range(tries)}
    return found - {None}


@pytest.mark.parametrize("name", GOOD)
def test_what_was_worked_on_paper_is_true(name):
    empty = GOOD[name]["claim"] == "contradiction"
    assert verdicts(GOOD[name], 400) == (set() if empty else {True})


# mutations --------------------------------------------------------------------------------------------


def places_of(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*path, key), part
        if isinstance(part, dict | list):
            yield from places_of(part, (*path, key))


def changed_texts(text):
    for old, new in (
        (">=", "<="), ("<=", ">="), (">", "<"), ("<", ">"), (" = ", " >= "), (">=", "="),
        ("+", "-"), ("-", "+"), ("*", "+"), ("/", "*"), ("A", "B"), ("B", "A"), ("i", "j"), ("j", "i"),
        ("1", "2"), ("2", "1"), ("3", "4"), ("^2", "^3"), ("^2", ""), ("g_i", "P_iA"), ("(", "2*("),
    ):  # fmt: skip
        for match in re.finditer(re.escape(old), text):
            yield text[: match.start()] + new + text[match.end() :]


def changes_of(key, value):
    """Yield other values that may stand where this one stands."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value - 1, value + 1, -value, 2 * value + 1)
    elif isinstance(value, str) and re.fullmatch(r"-?\d+(/\d+)?", value):
        yield from map(str, (-F(value), F(value) + F(1, 7), F(value) - F(1, 7), 2 * F(value), 0))
    elif isinstance(value, str) and key not in ("kind", "step", "schema", "model"):
        yield from changed_texts(value)
    elif isinstance(value, list) and value:
        yield from (value[:-1], value[1:], value[::-1], [*value, value[0]], [])


def mutations(document):
    for path, value in places_of(document):
        if path[0] in ("judges", "labels", "model"):
            continue
        for other in changes_of(path[-1], value):
            if other != value:
                mutant = copy.deepcopy(document)
                place = mutant
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = other
                yield path, mutant


STATED = ("claim", "given", "define", "model", "judges", "labels")


def is_harmless(path, before, after):
    """Whether a change of a proof alone may leave a proof: a larger degree, an order, some slack."""
    if "degree" in path:
        return True
    if path[-1] in ("c", "margin"):
        return 0 < F(after) < F(before)
    return isinstance(after, list) and sorted(map(repr, after)) == sorted(map(repr, before))


def at(document, path):
    for key in path:
        document = document[key]
    return document


@pytest.mark.parametrize("name", GOOD)
def test_a_changed_certificate_is_rejected_unless_what_it_states_is_true(name):
    good = GOOD[name]
    seen = accepted = 0
    for path, mutant in mutations(good):
        seen += 1
        if not verify(mutant):
            continue
        accepted += 1
        if path[0] in STATED or (path == ("strict",) and good["claim"] == "contradiction"):
            assert False not in verdicts(mutant, 150), (path, mutant)
        else:
            assert is_harmless(path, at(good, path), at(mutant, path)), (path, mutant)
    assert seen > 10
    assert accepted <= 0.3 * seen


# false claims -----------------------------------------------------------------------------------------


def random_polynomial(rng, sizes):
    return [
        [[rng.choice([0, 0, 0, 0, 1, 2]) for _ in range(sum(sizes))], str(F(rng.randint(-3, 3), 2))]
        for _ in range(rng.randint(1, 3))
    ]


def random_combination(rng, sizes, n_given):
    terms = []
    for _ in range(rng.randint(0, 3)):
        term = {"c": str(F(rng.randint(0, 4), rng.choice([1, 2])))}
        if n_given:
            term["given"] = [rng.randrange(n_given) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.5:
            term["times"] = [rng.choice([0, 0, 1]) for _ in range(sum(sizes))]
        if rng.random() < 0.3:
            term["square"] = random_polynomial(rng, sizes)
        terms.append(term)
    node = {"kind": "combination", "degree": [rng.choice([3, 4]) for _ in sizes], "terms": terms}
    if rng.random() < 0.5:
        node["margin"] = rng.choice(["1/100", "1/10", "1/2"])
    elif rng.random() < 0.3:
        node["multiplier"] = random_polynomial(rng, sizes)
    if n_given and rng.random() < 0.3:
        node["positive"] = [[rng.randrange(n_given), 1]]
    return node


def random_node(rng, sizes, n_given, depth=0):
    """A proof tree of the right shape, whether it proves anything or not."""
    kinds = ["coefficients", "combination"]
    kinds += ["split", "corners"] * (depth < 3 and any(size > 1 for size in sizes))
    pairs = [b for b, size in enumerate(sizes) if size == 2]
    kinds += ["orders"] * (depth < 3 and len(pairs) > 1)
    kind = rng.choice(kinds)
    if kind == "combination":
        return random_combination(rng, sizes, n_given)
    if kind == "coefficients":
        return {"kind": kind, "degree": [rng.choice([1, 2, 2, 3]) for _ in sizes]}
    if kind == "orders":
        b, c = rng.sample(pairs, 2)
        rest = [*(size for place, size in enumerate(sizes) if place not in (b, c)), 3]
        orders = [
            {"order": order, "proof": random_node(rng, rest, n_given, depth + 1)}
            for order in ([b, c], [c, b])
        ]
        return {"kind": kind, "blocks": [b, c], "children": orders}
    b = rng.choice([b for b, size in enumerate(sizes) if size > 1])
    if kind == "split":
        halves = [random_node(rng, sizes, n_given, depth + 1) for _ in range(2)]
        edge, where = rng.sample(range(sizes[b]), 2), rng.choice(["1/2", "1/3", "3/4"])
        return {"kind": kind, "block": b, "edge": edge, "at": where, "children": halves}
    rest = sizes[:b] + sizes[b + 1 :]
    corners = [
        {"position": i, "proof": random_node(rng, rest, n_given, depth + 1)}
        for i in range(sizes[b])
    ]
    return {"kind": kind, "block": b, "children": corners}


ATOMS = {
    "axioms": ["g_i", "g_j", "a_ij", "P_A", "f_Bi", "f_AB", "Delta_ij", "P_iA", "f_{A_i,B_j}", "1"],
    "independent": ["P_A", "P_iA", "P_iB", "P_jA", "P_jB", "g_i", "d_i", "f_Bi", "Delta_ij", "1"],
}


def random_claim(rng, model):
    def side():
        parts = []
        for _ in range(rng.randint(1, 3)):
            atoms = [rng.choice(ATOMS[model]) for _ in range(rng.randint(1, 2))]
            parts.append("*".join([str(F(rng.randint(1, 4), rng.choice([1, 2, 4]))), *atoms]))
        return " + ".join(parts)

    return f"{side()} {rng.choice(['>=', '>', '<='])} {side()}"


@pytest.mark.parametrize("model", ["axioms", "independent"])
def test_random_proofs_of_random_claims_never_prove_what_is_false(model):
    rng = random.Random(5)
    sizes = [8] if model == "axioms" else [2] * 5
    unit = [{"sign": 1, "proof": {"kind": "coefficients", "degree": [1]}}]
    accepted = refuted = 0
    for seed in range(100):
        claim = random_claim(rng, model)
        given = [random_claim(rng, model) for _ in range(rng.randint(0, 1))]
        divided = model == "axioms" and any("P_iA" in text for text in (claim, *given))
        document = {
            "schema": "algeval.inequality/1", "claim": claim, "given": given, "model": model,
            "judges": ["i", "j"], "labels": ["A", "B"], "strict": " > " in claim,
            "denominators": unit * divided,
        }  # fmt: skip
        false = False in verdicts(document, 60, seed)
        refuted += false
        simple = [{"kind": "coefficients", "degree": [d] * len(sizes)} for d in (2, 4)]
        for node in [*simple, *(random_node(rng, sizes, len(given)) for _ in range(8))]:
            found = verify(document | {"proof": node})
            accepted += found.ok
            assert not (found and false), (document, node)
            assert "denominators" not in found.sentence
    assert refuted > 40
    assert accepted > 20


FALSE_BY_A_HAIR = {
    "coefficients": "a_ij >= g_i + g_j - 999/1000",
    "corners": "g_i + 1/1000 <= P_iA + P_iB",
    "split": "Delta_ij <= 249/1000",
    "orders": "P_iA^2 + P_jA^2 >= 2*P_iA*P_jA + 1/1000*P_iA",
    "factors": "P_iA^2 + P_jA^2 >= 2*P_iA*P_jA + 1/1000*P_jA",
    "factors with signs": "Delta_ij >= 1/1000*P_A*d_i",
    "combination": "a_ij >= 1/2 + 1/1000",
    "margin": "P_A*P_iA > 1/4",
    "multiplier": "P_iA >= P_jA + 1/1000",
    "cofactors": "g_i = BA_i + 1/1000*P_iA",
    "times": "g_i >= 1/2 + 1/1000",
    "zero": "Delta_ij = P_A*P_B*d_i*d_j + 1/1000*P_A",
    "bound": "P_iA*P_iB >= 4/9 + 1/1000",
    "solve": "P_iA*P_iB <= 1/4 - 1/1000",
    "kappa": "kappa_ij <= a_ij - 1/1000*a_ij",
    "majority": "MV >= mean + 1/1000*P_A",
}


@pytest.mark.parametrize("name", FALSE_BY_A_HAIR)
def test_what_is_false_by_a_thousandth_is_not_proved_by_any_change_of_the_proof(name):
    false = GOOD[name] | {"claim": FALSE_BY_A_HAIR[name]}
    rng = random.Random(1)
    assert any(truth(false, random_exam(rng, false)) is False for _ in range(20_000))
    assert verify(false).sentence.startswith("Rejected: ")
    for path, mutant in mutations(false):
        if path[0] not in STATED:
            assert not verify(mutant), path


# the reader -------------------------------------------------------------------------------------------


def reading(model, judges, labels):
    shares = module.Shares(model, len(judges), len(labels))
    arithmetic = module.Arithmetic(shares)
    return arithmetic, module.Names(module.Statistics(arithmetic), judges, labels)


def value_at(p, point):
    """The value of a polynomial where the coordinates have these values."""
    total = F(0)
    for m, c in p.terms.items():
        exponents = m.to_bytes(len(point), "little")
        total += c * math.prod(z**e for z, e in zip(point, exponents, strict=True))
    return total / p.scale


def quotient_at(q, arithmetic, point):
    bottom = math.prod(value_at(arithmetic.divisors[k], point) ** e for k, e in q.den.items())
    return value_at(q.num, point) / bottom


def places_for(n, r):
    return list(itertools.product(range(r), itertools.product(range(r), repeat=n)))


def counted_exam(model, seed, judges, labels):
    """An exam as the package counts it, and the values of the verifier's coordinates."""
    if model == "independent":
        known = system(model, judges, labels)
        *_, found = random_independent_exams(known, 60 + 10 * (seed % 7), seed)
        rates = (x for table in found.confusion for row in table for x in row)
        return exact_exam(found), [F(x) for x in (*found.prevalence, *rates)]
    rng = random.Random(seed)
    counts = {place: rng.randint(0, 4) for place in places_for(len(judges), len(labels))}
    for t in range(len(labels)):
        counts[t, (t,) * len(judges)] += 1
    table = {t: {} for t in labels}
    for (t, u), count in counts.items():
        table[labels[t]][tuple(labels[a] for a in u)] = count
    exam = KeyedSketch.from_counts(table, judges=judges, labels=labels, answers=labels)
    return exam, [F(count, exam.n_items) for count in counts.values()]


PANELS = [("ij", "AB"), ("ijk", "AB"), ("ij", "ABC"), (["one", "two"], ["yes", "no"])]


@pytest.mark.parametrize("model", ["axioms", "independent"])
@pytest.mark.parametrize(("judges", "labels"), PANELS)
def test_every_name_of_the_package_has_the_value_that_is_counted(model, judges, labels):
    judges, labels = list(judges), list(labels)
    arithmetic, names = reading(model, judges, labels)
    exam, point = counted_exam(model, 3, judges, labels)
    compared = 0
    for name in system(model, judges, labels).meanings:
        counted = holds_on(name, exam, model=model)
        found = names.look_up(name)
        assert found is not None, name
        if counted is not None:
            expected = counted[0] / F(exam.n_items) ** found.counts
            assert quotient_at(found, arithmetic, point) == expected, name
            compared += 1
    assert compared > 30


def random_text(rng, names, depth=0):
    if depth > 3 or rng.random() < 0.3:
        return rng.choice([rng.choice(names), str(rng.randint(0, 3)), "0.25", "3/7"])
    left, right = (random_text(rng, names, depth + 1) for _ in range(2))
    return rng.choice(
        [f"({left})", f"-{left}", f"{left} + {right}", f"{left} - ({right})", f"{left}*{right}",
         f"({left})/({right})", f"({left})^2", f"({left})**-1", f"2^-1*{left}", f"{left}-{right}"]
    )  # fmt: skip


@pytest.mark.parametrize("model", ["axioms", "independent"])
def test_the_polynomial_of_a_text_has_the_value_that_sympy_gives_it(model):
    rng = random.Random(11)
    judges, labels = ["i", "j"], ["A", "B"]
    meanings = system(model, judges, labels).meanings
    shares = [name for name, one in meanings.items() if one.kind not in ("Q", "n", "R")]
    compared = 0
    for seed in range(150):
        left, right = random_text(rng, shares), random_text(rng, shares)
        exam, point = counted_exam(model, seed, judges, labels)
        arithmetic, names = reading(model, judges, labels)
        try:
            sides = holds_on(f"{left} = {right}", exam, model=model)
            read = module.Reader(names, {}).relation(f"{left} >= {right}")
        except (ValueError, Rejected):  # it divides by zero on every exam, or is very long
            continue
        values = [value_at(divisor, point) for divisor in arithmetic.divisors]
        if sides is None or not all(values):
            continue
        compared += 1
        signed = value_at(read.num, point) * math.prod(values[k] for k in read.odd)
        assert (signed > 0) == (sides[0] > sides[1]), (left, right)
        assert (signed < 0) == (sides[0] < sides[1]), (left, right)
    assert compared > 60


NEW = [
    "prec_i", "npv_j", "rec_i", "F1_i", "Jac_i", "BA_j", "AUC_i", "J_i", "kappa_i", "kappa_ij",
    "kappa_{i,k}", "MCC2_k", "a_ij", "a_{j,k}", "unan", "unan_ik", "unan_{i,j,k}", "MV", "MV_ijk",
    "odds_AAB", "odds_{B,A,B}", "f_{B_i,A_k}", "f_{A_i,A_j,B_k}", "Delta_{i:A,j:B}", "Delta_ijk",
    "Delta_{i:B,j:A,k:A}", "Gamma_{i:B,j}^{(A)}", "Gamma_ijk_B", "d_k", "g_i", "f_BiAk",
]  # fmt: skip
ANY_LABELS = [
    "kappa_i", "kappa_ij", "a_ij", "unan", "g_j", "f_{C_i,A_j}", "Delta_{i:C,j:A}", "Gamma_ij_C",
    "Gamma_{i:A,j:B}^{(C)}", "P_{i,C|A}", "f_CiAj",
]  # fmt: skip


@pytest.mark.parametrize("model", ["axioms", "independent"])
@pytest.mark.parametrize(
    ("judges", "labels", "texts"), [("ijk", "AB", NEW), ("ij", "ABC", ANY_LABELS)]
)
def test_every_other_name_has_the_value_that_its_definition_gives(model, judges, labels, texts):
    judges, labels = list(judges), list(labels)
    arithmetic, names = reading(model, judges, labels)
    compared = 0
    for seed in range(5):
        exam, point = counted_exam(model, seed, judges, labels)
        cells = {}
        for row in range(len(exam.sketch)):
            u = tuple(labels.index(answer) for answer in exam.sketch.decision(row))
            for t in range(len(labels)):
                cells[t, u] = F(int(exam.keyed[row, t]), exam.n_items)
        counted = Exam(judges, labels, cells)
        for name in texts:
            try:
                expected = counted[name]
            except ZeroDivisionError:
                continue
            assert quotient_at(names.look_up(name), arithmetic, point) == expected, name
            compared += 1
    assert compared > 3 * len(texts)
