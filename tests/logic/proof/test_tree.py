"""Trees of programs of shares: exact leaves, every form of a leaf, and what stops a tree."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import refuted
from algeval.logic.orders.full import Full
from algeval.logic.proof import (
    Clock,
    Node,
    Rows,
    Shares,
    _GaveUp,
    _Tree,
    branch,
    find_shares,
    keys_meeting,
    refutation_at,
    relax,
    root_refutation,
)
from algeval.verify import verify

F = Fraction
TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
CELLS_NEEDED = dict.fromkeys(["aaabbb", "abbaab", "bababa", "bbabaa", "aaaaaa", "bbbbbb"], 1)


class Exam:
    """A sketch, its program at full order, and one level for everybody."""

    def __init__(self, counts, labels, level, missing="excluded", key=None):
        self.sketch = Sketch.from_counts(counts, labels=list(labels))
        self.level, self.missing = level, missing
        self.spec = Specification.at_least(level)
        self.spec = self.spec if key is None else self.spec & key
        self.order = Full(read_exam(self.sketch, missing), self.sketch)
        self.program = self.order.program(self.spec)

    def branch(self, *, clock=None, most=20_000):
        clock = clock or Clock(None)
        return branch(self.program, clock, most=most, near=self.order.near)

    def keys(self, clock=None):
        clock = clock or Clock(None)
        found = keys_meeting(self.program, clock, most=20_000, near=self.order.near)
        return found if found is None else list(found[0])

    def reached(self, shares):
        """Whether shares are a labelling of the sketch that reaches the level, by its cells alone."""
        cells = shares[1:]
        assert (cells >= 0).all()
        assert cells.sum(1).tolist() == self.sketch.counts.tolist()
        assert cells.sum(0).tolist() == shares[0].tolist()
        labelling = self.order.labelling
        right, held = labelling.correct(cells), labelling.held_counts(cells)
        pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
        return all(c >= self.level * d for c, d in pairs)

    def verdict(self, evidence):
        document = refuted(self.order, self.spec, evidence).to_dict()
        assert document["claim"]["order"] == "full"
        assert document["claim"]["verdict"] == "impossible"
        return verify(json.loads(json.dumps(document)), self.sketch.to_dict())


def leaves(node):
    if "kind" in node:
        return [node]
    return leaves(node["low"]) + leaves(node["high"])


def splits(node):
    return [] if "kind" in node else [node["split"][0], *splits(node["low"]), *splits(node["high"])]


# Full order


def test_two_leaves_refute_12_19_on_table_1():
    exam = Exam(TABLE_1, "abt", F(12, 19))
    found, evidence = exam.branch()
    assert found is None
    assert evidence["kind"] == "branches"
    assert len(leaves(evidence["tree"])) == 2
    assert exam.verdict(evidence)


def test_a_tree_stops_at_a_labelling():
    exam = Exam(TABLE_1, "abt", F(5, 8))
    found, evidence = exam.branch()
    assert evidence is None
    assert exam.program.satisfied(found)
    assert exam.reached(found)


def test_cells_or_correct_counts_must_be_split_with_six_judges():
    exam = Exam(CELLS_NEEDED, "ab", F(2, 3))
    _, evidence = exam.branch()
    assert set(splits(evidence["tree"])) & {"correct", "cell"}
    assert exam.verdict(evidence)


def test_a_certificate_cut_down_is_rejected():
    exam = Exam(TABLE_1, "abt", F(12, 19))
    tree = exam.branch()[1]["tree"]
    for side in ("low", "high"):
        other = "high" if side == "low" else "low"
        assert not exam.verdict({"kind": "branches", "tree": tree | {side: tree[other]}})
    assert not exam.verdict({"kind": "branches", "tree": tree | {"at": tree["at"] + 1}})


def random_counts(seed):
    """Twelve items, three judges, two or three labels; every fifth item left out by one judge."""
    rng = np.random.default_rng(seed)
    n_labels = 2 + seed % 2
    words = ["".join("abc"[v] for v in rng.integers(0, n_labels, 3)) for _ in range(12)]
    if seed % 4 > 1:
        words = [w[:-1] + "." if k % 5 == 0 else w for k, w in enumerate(words)]
    return {w: words.count(w) for w in words}, "abc"[:n_labels]


def features(leaf):
    """What a leaf makes use of: its kind, optional fields, kinds of rows."""
    rows = {f"row {name[0]}" for name, _ in leaf.get("rows", [])}
    return {leaf["kind"], *rows, *(set(leaf) & {"correct", "key_low", "key_high"})}


def test_every_tree_verifies_and_every_form_of_leaf_occurs():
    used, levels = set(), (F(2, 5), F(1, 2), F(3, 5), F(5, 8), F(3, 4))
    bounds = [None, *(Specification.prevalence("a", sense, F(1, 3)) for sense in (">=", "<="))]
    for seed in range(24):
        counts, labels = random_counts(seed)
        for missing, x, key in product(("excluded", "wrong"), levels, bounds):
            exam = Exam(counts, labels, x, missing, key)
            found, evidence = exam.branch()
            assert (found is None) is not (evidence is None)
            if evidence is None:
                assert exam.program.satisfied(found)
                assert exam.reached(found)
                continue
            verdict = exam.verdict(evidence)
            assert verdict, verdict.sentence
            used |= features(evidence)
            for leaf in leaves(evidence.get("tree", evidence)):
                used |= features(leaf)
    assert used >= {"weights", "multipliers", "branches", "correct", "key_low", "key_high"}
    assert used >= {"row condition", "row rounded", "row cap", "row label", "row tuple"}


def test_the_root_refutes_or_hands_over_the_labelling():
    exam = Exam({"ab": 5, "ba": 5}, "ab", F(3, 5))
    evidence, relaxed = root_refutation(exam.program, Clock(None))
    assert relaxed is None
    assert exam.verdict(evidence)
    reached = Exam({"ab": 5, "ba": 5}, "ab", F(1, 2))
    evidence, relaxed = root_refutation(reached.program, Clock(None))
    assert evidence is None
    assert relaxed.shares[1:].sum(1).tolist() == [5, 5]


def test_a_tree_gives_up_by_nodes_and_by_time():
    exam = Exam(CELLS_NEEDED, "ab", F(2, 3))
    assert exam.branch(most=1) == (None, None)
    assert exam.branch(clock=Clock(0.0)) == (None, None)
    assert exam.keys(Clock(0.0)) is None


def test_attaining_keys_of_the_swapped_exam():
    exam = Exam({"ab": 2, "ba": 2}, "ab", F(1, 2))
    assert exam.keys() == [(0, 4), (2, 2), (4, 0)]


def test_children_of_a_node():
    node = Node(np.array([[0, 0], [0, 0]]), np.array([[4, 4], [2, 2]]))
    above, below = (node.narrowed(1, 2, above=side) for side in (True, False))
    assert above.low[0].tolist() == [0, 3]
    assert below.high[0].tolist() == [4, 2]
    assert (above.depth, below.depth, node.low.max()) == (1, 1, 0)
    assert not above.cited
    row = node.with_row((2, 3), 2, above=True).extra[0]
    assert (row.name, row.columns, row.sign, row.bound) == (("split", 0), (2, 3), 1, 3)
    row = node.with_row((2, 3), 2, above=False).extra[0]
    assert (row.sign, row.bound) == (-1, -2)
    exam = Exam({"ab": 2, "ba": 2}, "ab", F(1, 2))
    assert exam.program.root().high[0].tolist() == [4, 4]


def test_a_split_below_the_key_is_cited():
    """The verifier narrows bounds on the key only: the row of any other split is named."""
    node = Node(np.zeros((2, 2), int), np.array([[4, 4], [2, 2]]))
    below = node.narrowed(0, 1, above=False).narrowed(3, 0, above=True)
    assert below.cited == {(3, 1): 1}
    assert below.low[1].tolist() == [0, 1]


def test_whole_labellings_that_miss_are_split_until_all_is_fixed():
    """Where floats see no fraction left, shares are halved until every one is fixed."""
    exam = Exam({"ab": 1, "ba": 1}, "ab", F(1, 2))
    tree = _Tree(exam.program, Clock(None), 100, refutation_at)
    point = exam.order.shares(np.array([[1, 0], [0, 1]]))
    node, forms = exam.program.root(), []
    while (node.low < node.high).any():
        form, _, *both = next(tree._inner(node, point.astype(float)))
        sides = [side for side in both if _within(side, point)]
        assert len(sides) == 1
        assert sides[0].depth == node.depth + 1
        node = sides[0]
        forms.append(form)
        assert len(forms) < 20
    assert {form[0] for form in forms} == {"key", "cell"}
    assert np.array_equal(node.low, point)
    assert not list(tree._inner(node, point.astype(float)))
    with pytest.raises(_GaveUp):
        tree.choose(node, point.astype(float))


def _within(node, point):
    return bool((node.low <= point).all() and (point <= node.high).all())


# Programs made by hand, and at random


def rows_of(entries, bound, *, equal=False, a=None, scale=None):
    """Rows named ("row", 0), ("row", 1), ... whose columns hold 0, 1 and -1, times a."""
    from scipy import sparse

    table = np.array(entries, np.int64)
    names = [("row", k) for k in range(len(table))]
    ones = (1,) * len(names)
    return Rows(
        tuple(names),
        sparse.csr_array(table),
        sparse.csr_array(table.shape, dtype=np.int64),
        tuple(a or ones),
        (0,) * len(names),
        tuple(bound),
        tuple(scale or ones),
        np.full(len(names), equal),
    )


def program_of(totals, n_labels, rows, high=None):
    """Totals on labels with nothing but these rows."""
    totals = np.array(totals, np.int64)
    most = np.repeat(totals[:, None], n_labels, 1) if high is None else np.array(high, np.int64)
    names = [("size",), *(("tuple", p) for p in range(len(totals) - 1))]
    forms = [("key",), *(("cell", p) for p in range(len(totals) - 1))]
    return Shares(totals, names, forms, rows, np.zeros_like(most), most)


def real_rows(shares):
    """{row id: (coefficients, bound, whether it is an equality)}, in fractions."""
    rows, found = shares.rows, {}
    first, second = rows.first.toarray().tolist(), rows.second.toarray().tolist()
    for r, name in enumerate(rows.ids):
        left = [
            F(rows.a[r] * v + rows.b[r] * w, rows.scale[r])
            for v, w in zip(first[r], second[r], strict=True)
        ]
        found[name] = left, F(rows.bound[r], rows.scale[r]), bool(rows.equal[r])
    for p, name in enumerate(shares.parts):
        within = [int(c // shares.n_labels == p) for c in range(shares.n_columns)]
        found[tuple(name)] = within, int(shares.totals[p]), True
    return found


def contradicts(rows, evidence, low, high):
    """Whether multipliers prove, in fractions, that no shares in the box meet the rows."""
    assert evidence["kind"] == "multipliers"
    total, left = F(0), [F(0)] * len(low)
    for name, y in evidence["rows"]:
        coefficients, bound, equal = rows[tuple(name)]
        assert equal or F(y) >= 0
        total += F(y) * bound
        left = [w + F(y) * c for w, c in zip(left, coefficients, strict=True)]
    reach = sum(max(w * a, w * b) for w, a, b in zip(left, low, high, strict=True))
    return reach < total


def proves(shares, evidence):
    """Whether evidence is a proof: boxes narrow at splits on the key, rows are added at others."""

    def visit(node, rows, low, high, depth):
        if "kind" in node:
            return contradicts(rows, node, low, high)
        form, *places, t = node["split"]
        column = t if form == "key" else (1 + places[0]) * shares.n_labels + t
        unit, at = [int(c == column) for c in range(shares.n_columns)], node["at"]
        down, up = dict(rows), dict(rows)
        less, more = list(high), list(low)
        if form == "key":
            less[column], more[column] = min(less[column], at), max(more[column], at + 1)
        else:
            down["split", depth] = [-u for u in unit], -at, False
            up["split", depth] = unit, at + 1, False
        return visit(node["low"], down, low, less, depth + 1) and visit(
            node["high"], up, more, high, depth + 1
        )

    low, high = (part.ravel().tolist() for part in (shares.low, shares.high))
    return visit(evidence.get("tree", evidence), real_rows(shares), low, high, 0)


def test_a_contradiction_by_hand():
    """u + v = 3 with u, v <= 1, and w the rest of 5."""
    shares = program_of([5], 3, rows_of([[1, 1, 0]], [3], equal=True), [[1, 1, 5]])
    evidence, relaxed = root_refutation(shares, Clock(None))
    assert relaxed is None
    assert evidence == {"kind": "multipliers", "rows": [[["row", 0], "1"]]}
    assert proves(shares, evidence)
    assert not proves(shares, {"kind": "multipliers", "rows": [[["row", 0], "-1"]]})
    assert branch(shares, Clock(None), most=1) == (None, evidence)
    assert find_shares(shares, Clock(None)) == (None, True)


def test_multipliers_of_inequalities_are_never_negative():
    rng = np.random.default_rng(3)
    for _ in range(20):
        shares = random_program(rng)
        relaxed = relax(shares, shares.root(), Clock(None))
        if relaxed is not None:
            assert (relaxed.base[~shares.rows.equal] >= 0).all()


def test_a_feasible_program_is_not_refuted():
    shares = program_of([9], 3, rows_of([[1, 1, 0]], [3], equal=True), [[5, 5, 9]])
    evidence, relaxed = root_refutation(shares, Clock(None))
    assert evidence is None
    assert relaxed.amount <= 1e-9
    found, ended = find_shares(shares, Clock(None))
    assert ended
    assert shares.satisfied(found)
    assert shares.satisfied(branch(shares, Clock(None), most=99)[0])


def test_a_thin_gap_needs_an_exact_check():
    """u >= 3 v and 3 v >= u + tiny have no float slack to speak of, yet the fractions decide."""
    first = rows_of([[1, 0, 0], [-1, 0, 0]], [0, 1], a=(1, 10**6), scale=(3, 10**6))
    second = rows_of([[0, -1, 0], [0, 1, 0]], [0, 0])
    rows = Rows(
        first.ids,
        first.first,
        second.first,
        first.a,
        (3, 3 * 10**6),
        first.bound,
        first.scale,
        first.equal,
    )
    tight = program_of([18], 3, rows, [[9, 9, 18]])
    assert real_rows(tight)["row", 0] == ([F(1, 3), -1, 0], 0, False)
    assert real_rows(tight)["row", 1] == ([-1, 3, 0], F(1, 10**6), False)
    evidence, _ = root_refutation(tight, Clock(None))
    assert evidence is not None
    assert proves(tight, evidence)


def random_program(rng):
    """Two totals on three labels, inequalities of small whole numbers, sometimes an equality."""
    from scipy import sparse

    def signs():
        return sparse.csr_array(rng.integers(-1, 2, (4, 6)))

    def numbers(low, high):
        return tuple(rng.integers(low, high, 4).tolist())

    rows = Rows(
        tuple(("row", k) for k in range(4)),
        signs(),
        signs(),
        numbers(-3, 4),
        numbers(-3, 4),
        numbers(-2, 6),
        numbers(1, 4),
        rng.random(4) < 0.15,
    )
    return program_of([4, 3], 3, rows, rng.integers(1, 5, (2, 3)).clip(max=[[4], [3]]))


def test_every_whole_number_program_is_settled_like_enumeration():
    rng, seen, points = np.random.default_rng(2), [], list(product(range(5), repeat=3))
    keys, inner = ([p for p in points if sum(p) == n] for n in (4, 3))
    for _ in range(60):
        shares = random_program(rng)
        tables = [np.array(both) for both in product(keys, inner)]
        meeting = [v for v in tables if _meets(shares, v)]
        possible = bool(meeting)
        assert [v.tolist() for v in tables if shares.satisfied(v)] == [v.tolist() for v in meeting]
        found, evidence = branch(shares, Clock(None), most=2_000)
        assert (found is not None) is possible
        assert (evidence is None) is possible
        assert found is None or shares.satisfied(found)
        assert evidence is None or proves(shares, evidence)
        proposed, ended = find_shares(shares, Clock(None))
        assert ended
        assert (proposed is not None) is possible
        assert proposed is None or shares.satisfied(proposed)
        at_once, _ = root_refutation(shares, Clock(None))
        assert at_once is None or (not possible and proves(shares, at_once))
        expected = {tuple(v[0].tolist()) for v in meeting}
        assert list(keys_meeting(shares, Clock(None), most=2_000)[0]) == sorted(expected)
        kind = None if evidence is None else evidence["kind"]
        seen.append(kind)
    assert {None, "multipliers", "branches"} <= set(seen)


def _meets(shares, table):
    """The rows and the box, in fractions."""
    if (table > shares.high).any():
        return False
    v = table.ravel().tolist()
    reach = [
        (sum(c * n for c, n in zip(left, v, strict=True)), bound, equal)
        for left, bound, equal in real_rows(shares).values()
    ]
    return all(w == bound if equal else w >= bound for w, bound, equal in reach)


def test_no_time_settles_nothing():
    """2 u = 1 has no whole solution, and one split shows it."""
    rows = rows_of([[1, 0]], [1], equal=True, a=(2,))
    shares = program_of([1], 2, rows)
    assert branch(shares, Clock(0.0), most=99) == (None, None)
    assert branch(shares, Clock(None), most=1) == (None, None)
    found, evidence = branch(shares, Clock(None), most=99)
    assert found is None
    assert evidence["kind"] == "branches"
    assert "split" in evidence["tree"]
    assert proves(shares, evidence)
