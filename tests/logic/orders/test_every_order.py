"""Every order from 1 to the number of judges: fixtures, signed labellings, copies, forgeries."""

import copy
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

import algeval as ae
from algeval.errors import DataError, TooLargeError
from algeval.logic.exam import read_exam
from algeval.logic.orders import tables
from algeval.logic.orders.tables import Tables, independent
from algeval.logic.proof import next_fraction
from algeval.verify import verify

SIX = "aabb abab abba baab baba bbaa"
FIXTURES = [
    ("aab bba", (1, "1/2", "1/2")),
    ("aaa aaa abb bab bba", (1, "3/4", "2/3")),
    ("aaa aaa aaa abb bab bba", (1, "4/5", "2/3")),
    ("cac bca acc bac", ("1/2", "1/2", "1/4")),
    ("aaaa aabb abab baab", ("1/2", "1/2", "1/3", "1/3")),
    ("aaaa aaaa aabb bbab bbba", (1, "3/4", "2/3", "2/3")),
    (SIX, (1, "2/3", "2/3", "1/2")),
    (f"aaaa {SIX}", (1, "2/3", "2/3", "4/7")),
    (f"aaab {SIX}", ("3/4", "1/2", "1/2", "3/7")),
    (f"aaaa aaaa {SIX}", (1, "5/7", "2/3", "5/8")),
    (f"aaaa aaab aaba abab abba bbaa {SIX}", ("4/5", "2/3", "5/9", "1/2")),
    ("aaba abbc acab bbac", ("1/2", "1/2", "1/4", "1/4")),
    ("bba- baab -bbb", ("1/2", "1/3", "1/3", "1/3")),
    ("-b-a -bba aba- a--b -ab-", (1, "1/3", "1/4", "1/4")),
]
ALL_STRICT = f"aaaa aaab aaba abab abba bbaa {SIX}"


def sketch_of(items):
    """Sketch of items written as text, a dash where a judge did not answer."""
    rows = [tuple(None if a == "-" else a for a in item) for item in items.split()]
    labels = sorted({a for row in rows for a in row if a})
    return ae.Sketch.from_counts({row: rows.count(row) for row in rows}, labels=labels)


def proved(data, *certificates):
    for certificate in certificates:
        if certificate is not None:
            verdict = verify(certificate, data)
            assert verdict.ok, verdict.sentence


SLOW = (3, 9, 10, 11)
"""Places of the fixtures that take seconds."""


@pytest.mark.parametrize(
    ("items", "levels"),
    [pytest.param(*f, marks=[pytest.mark.slow] * (k in SLOW)) for k, f in enumerate(FIXTURES)],
)
def test_fixtures_at_every_order(items, levels):
    data = sketch_of(items)
    for order, level in enumerate(map(F, levels), start=1):
        found = ae.threshold(data, order=order, exact=True)
        assert (found.lower, found.upper) == (level, level)
        proved(data, found.witness, found.refutation)
        silent = ae.alarm(data, level, order=order)
        assert silent.triggered is False
        loud = ae.alarm(data, ae.Specification.at_least(level, strict=True), order=order)
        assert loud.triggered
        proved(data, silent.certificate, loud.certificate)


def test_grades_of_the_fixture_whose_orders_all_differ():
    data = sketch_of(ALL_STRICT)
    for order, level in enumerate(map(F, ("11/12", "2/3", "7/12", "1/2")), start=1):
        silent = ae.alarm(data, f"grade >= {level}", order=order)
        loud = ae.alarm(data, f"grade > {level}", order=order)
        assert (silent.triggered, loud.triggered) == (False, True)
        proved(data, silent.certificate, loud.certificate)


def test_the_ladder_stops_where_an_order_tells_all_there_is():
    found = ae.threshold(sketch_of(f"aaaa {SIX}"), ladder=True)
    assert [r.order for r in found.ladder] == [1, 2, 3, "full"]
    assert [r.lower for r in found.ladder] == [F(1), F(2, 3), F(2, 3), F(4, 7)]
    assert "Full order: 57.1% (4/7)" in found.summary()
    short = ae.threshold(sketch_of("aaaa aabb abab baab"), ladder=True)
    assert [r.lower for r in short.ladder] == [F(1, 2), F(1, 2), F(1, 3), F(1, 3)]
    none = ae.threshold(sketch_of("aaaa aaab aaba abaa baaa bbbb"), ladder=True)
    assert [r.order for r in none.ladder] == [1, 2, "full"]  # order 2 says what full order says


def test_an_order_of_m_may_have_tables_that_no_answer_key_has():
    """Every triple of the six items labelled by its majority: 2/3; item by item two of four are right."""
    data = sketch_of(SIX)
    found = ae.threshold(data, order=3)
    assert found.lower == F(2, 3)
    assert ae.threshold(data).upper == F(1, 2)
    assert len(found.witness.evidence["sets"]) == 4


def test_orders_that_do_not_exist_are_refused():
    data = sketch_of(SIX)
    for order in (0, 5, True):
        with pytest.raises(DataError, match="order must be one of"):
            ae.threshold(data, order=order)
    assert ae.threshold(data, order=4).order == "full"
    with pytest.raises(DataError, match="orders between"):
        ae.count_consistent(data, order=3)


def test_too_large_an_order_names_full_order(monkeypatch):
    data = sketch_of(ALL_STRICT)
    monkeypatch.setattr(tables, "MOST_UNKNOWNS_BETWEEN", 50)
    with pytest.raises(TooLargeError, match="ask at full order"):
        ae.alarm(data, "5/9", order=3)
    # of the ladder the orders are left out, and it says so
    found = ae.threshold(data, ladder=True)
    assert [(r.order, r.status) for r in found.ladder][2] == (3, "too_large")


# Copies


def test_judges_whose_answers_follow_from_another_are_no_judges_more():
    codes = np.array([[0, 1, 0, 1, -1], [1, 0, 0, 1, -1], [0, 1, 1, 1, -1], [1, 0, 1, 0, 1]])
    assert (
        len(independent(codes)) == 3
    )  # the second is the first turned about; the last follows from the fourth
    data = sketch_of("aaab aabb abab abaa baab baba bbaa".replace("a", "a"))
    doubled = ae.Sketch.from_counts(
        {(*u, u[0]): n for u, n in data.to_counts().items()}, labels=data.labels
    )
    full = ae.threshold(doubled)
    found = ae.threshold(doubled, order=4, exact=True)
    assert (found.lower, found.upper) == (full.lower, full.upper)
    proved(doubled, found.witness, found.refutation)
    loud = ae.alarm(doubled, ae.Specification.at_least(full.lower, strict=True), order=4)
    assert loud.triggered
    proved(doubled, loud.certificate)


def test_three_judges_in_conflict_are_the_whole_refutation():
    """Three judges refute it by themselves: their tuples are all that the certificate speaks of."""
    three = ae.Sketch.from_counts({"cac": 1, "bca": 1, "acc": 1, "bac": 1}, labels=list("abc"))
    more = ae.Sketch.from_counts(
        {(*u, x): n for u, n in three.to_counts().items() for x in "ab"}, labels=list("abc")
    )
    three_of_them = [ae.Condition("accuracy", ">=", F(1, 2), judge, None) for judge in "123"]
    found = ae.alarm(more, ae.Specification(tuple(three_of_them)), order=3)
    assert found.triggered
    assert found.certificate.kind == "conflicts"
    (conflict,) = found.certificate.evidence["conflicts"]
    assert conflict["evidence"]["kind"] == "together"
    assert len(conflict["judges"]) == 3
    proved(more, found.certificate)


# Forgeries


def test_forged_tables_and_groups_are_rejected():
    data = sketch_of(ALL_STRICT)
    good = ae.threshold(data, order=3).witness.to_dict()
    assert verify(good, data).ok

    def rejected(change, words):
        bad = copy.deepcopy(good)
        change(bad["evidence"])
        verdict = verify(bad, data)
        assert not verdict.ok
        assert words in verdict.sentence

    def move(evidence):
        cell = next(row[1] for row in evidence["sets"][0][1] if row[1][0])
        cell[0], cell[1] = cell[0] - 1, cell[1] + 1

    rejected(move, "do not agree")
    rejected(lambda e: e["sets"].pop(), "one table for each 3 judges")
    rejected(lambda e: e["sets"][0][1].pop(), "does not add up")
    rejected(lambda e: e["sets"].__setitem__(0, e["sets"][1]), "one table for each 3 judges")

    def swap(evidence):
        table = evidence["tables"][0]
        table[0], table[1] = table[1], table[0]

    rejected(swap, "the table of judge")
    # evidence of whole tuples is none where more judges differ than the order sees
    full = ae.threshold(data).refutation.to_dict()
    claim = full["claim"] | {"order": 3}
    forged = full | {"claim": claim, "evidence": {"kind": "together", "evidence": full["evidence"]}}
    assert "4 judges differ" in verify(forged, data).sentence
    inner = {"judges": list(data.judges), "evidence": forged["evidence"]}
    tree = {"conflict": 0, "children": dict.fromkeys(data.judges)}
    conflicts = {"kind": "conflicts", "conflicts": [inner], "tree": tree}
    assert not verify(forged | {"evidence": conflicts}, data).ok
    assert (
        "no such row"
        in verify(
            full
            | {"claim": claim, "evidence": {"kind": "multipliers", "rows": [[["label", 0], "1"]]}},
            data,
        ).sentence
    )
    # rows of four judges are none of order 3
    row = ["table", [0, 1, 2, 3], [0, 0, 0, 0]]
    four = full | {"claim": claim, "evidence": {"kind": "multipliers", "rows": [[row, "1"]]}}
    assert "no such row" in verify(four, data).sentence
    row = ["table", [0, 2, 1], [0, 0, 0]]
    turned = full | {"claim": claim, "evidence": {"kind": "multipliers", "rows": [[row, "1"]]}}
    assert "in order" in verify(turned, data).sentence


# Brute force: order m is signed labellings whose totals over m answers are in range


def signed_possible(data, m, x):
    """Whether whole numbers of any sign, with totals over m fixed answers >= 0, reach x (all votes given)."""
    n, labels = data.n_judges, data.n_labels
    values = sorted(set(data.codes.ravel().tolist()) | set(range(labels)))
    cells = list(product(values, repeat=n))
    index = {u: k for k, u in enumerate(cells)}
    counts = np.zeros(len(cells), int)
    for u, c in zip(data.codes.tolist(), data.counts.tolist(), strict=True):
        counts[index[tuple(u)]] += c
    size = len(cells) * labels
    rows, low, high = [], [], []

    def row(entries, least, most):
        line = np.zeros(size)
        for k, v in entries:
            line[k] += v
        rows.append(line)
        low.append(least)
        high.append(most)

    for k, c in enumerate(counts):
        row([(k * labels + t, 1) for t in range(labels)], c, c)
    for judges in combinations(range(n), m):
        for said in product(values, repeat=m):
            inside = [k for k, u in enumerate(cells) if tuple(u[i] for i in judges) == said]
            for t in range(labels):
                row([(k * labels + t, 1) for k in inside], 0, np.inf)
    for i in range(n):
        for t in range(labels):
            terms = []
            for k, u in enumerate(cells):
                held = u[i] >= 0
                terms.append((k * labels + t, x.denominator * (u[i] == t) - x.numerator * held))
            row(terms, 0, np.inf)
    total = int(counts.sum())
    solved = milp(
        np.zeros(size),
        integrality=np.ones(size),
        bounds=Bounds(-total, total),
        constraints=LinearConstraint(np.array(rows), low, high),
    )
    assert solved.status in (0, 2)
    return solved.status == 0


def agrees(data, m):
    found = ae.threshold(data, order=m, exact=True)
    assert found.exact, found.status
    assert signed_possible(data, m, found.lower)
    if found.lower < 1:
        assert not signed_possible(data, m, next_fraction(found.lower, data.n_items))
    proved(data, found.witness, found.refutation)
    return found.lower


def exams(n_judges, n_items):
    """Every exam of two labels up to the order of the items, each judge's first answer a."""
    tuples = ["".join(u) for u in product("ab", repeat=n_judges)]
    for items in combinations_with_replacement(tuples, n_items):
        columns = list(zip(*items, strict=True))
        if columns == sorted(columns) and items[0][0] == "a":
            yield ae.Sketch.from_counts({u: items.count(u) for u in items}, labels=["a", "b"])


@pytest.mark.parametrize("seed", range(2))
def test_thresholds_are_those_of_signed_labellings(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-(seed % 2), 2, (5, 4)).astype(np.int16)
    data = ae.Sketch([f"j{i}" for i in range(4)], ["a", "b"], ["a", "b"], codes, np.ones(5, int))
    assert agrees(data, 3) >= ae.threshold(data, exact=True).lower


@pytest.mark.slow
@pytest.mark.parametrize(("n_judges", "most"), [(3, 6), (4, 5)])
def test_every_small_exam_at_every_order(n_judges, most):
    tried = 0
    for n_items in range(2, most + 1):
        for data in exams(n_judges, n_items):
            levels = [agrees(data, m) for m in range(1, n_judges + 1)]
            assert levels == sorted(levels, reverse=True)
            tried += 1
    print(n_judges, most, tried, "exams")
    assert tried > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_random_exams_with_missing_votes_and_three_labels(seed):
    rng = np.random.default_rng([7, seed])
    labels, n = int(rng.integers(2, 4)), int(rng.integers(3, 6 if seed % 10 == 0 else 5))
    size = int(rng.integers(3, 7 if labels == 2 else 5))
    codes = rng.integers(-int(rng.random() < 0.5), labels, (size, n)).astype(np.int16)
    names = list("abc")[:labels]
    data = ae.Sketch([f"j{i}" for i in range(n)], names, names, codes, np.ones(size, int))
    if (labels + 1) ** n > 300:
        pytest.skip("too many tuples for the program that checks it")
    for m in range(2, n):
        agrees(data, m)


# The general class is the special ones


def test_the_general_class_at_order_2_is_order_2():
    for items, levels in FIXTURES[:7]:
        data = sketch_of(items)
        general = Tables(read_exam(data), data, 2)
        pairs = general.layout
        from algeval.logic.orders.pairs import Order2

        special = Order2(read_exam(data), data).layout
        assert sorted(map(str, pairs.parts)) == sorted(map(str, special.parts))
        assert sorted(map(str, pairs.coupling.ids)) == sorted(map(str, special.coupling.ids))
        assert levels[1]


@pytest.mark.slow
@pytest.mark.parametrize("order", [3, "full"])
def test_every_question_at_order_3(order):
    data = sketch_of(ALL_STRICT)
    panel = ae.panel(data, "3/5", order=order)
    proved(data, panel.certificate, panel.witness)
    assert panel.exact
    assert panel.min_violators >= 1
    program = ae.program(data, "5/9", order=order)
    assert program.solve().feasible is (order == 3)
