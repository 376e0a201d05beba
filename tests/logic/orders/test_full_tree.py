"""Branch certificates: exact leaves, both forms of a leaf, and what stops a tree."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.orders.full_leaf import cap_evidence
from algeval.logic.orders.full_program import FullProgram, uniform
from algeval.logic.orders.full_tree import (
    Node,
    Tree,
    _GaveUp,
    attaining_keys,
    branch,
    root_leaf,
    root_node,
)
from algeval.verify import verify

F = Fraction
TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
CELLS_NEEDED = dict.fromkeys(["aaabbb", "abbaab", "bababa", "bbabaa", "aaaaaa", "bbbbbb"], 1)


class Exam:
    """A sketch, its program, and one level for everybody."""

    def __init__(self, counts, labels, level, missing="excluded"):
        self.sketch = Sketch.from_counts(counts, labels=list(labels))
        s, self.level, self.missing = self.sketch, level, missing
        self.program = FullProgram.build(s.codes, s.counts, s.n_labels, missing=missing)
        shape = (s.n_judges, s.n_labels)
        self.levels = uniform(level, np.ones(shape, bool))
        self.cited = np.zeros(shape, int)

    def branch(self, **settings):
        return branch(self.program, self.levels, self.cited, **settings)

    def verdict(self, evidence):
        claim = {
            "verdict": "impossible",
            "data": self.sketch.digest,
            "order": "full",
            "missing": self.missing,
            "specification": Specification.at_least(self.level).to_dict(),
        }
        document = {"schema": "algeval.certificate/1", "claim": claim, "evidence": evidence}
        return verify(json.loads(json.dumps(document)), self.sketch.to_dict())


def leaves(node):
    if "kind" in node:
        return [node]
    return leaves(node["low"]) + leaves(node["high"])


def splits(node):
    return [] if "kind" in node else [node["split"][0], *splits(node["low"]), *splits(node["high"])]


def test_two_leaves_refute_12_19_on_table_1():
    exam = Exam(TABLE_1, "abt", F(12, 19))
    found = exam.branch()
    assert found.cells is None
    assert len(leaves(found.evidence["tree"])) == 2
    assert exam.verdict(found.evidence)


def test_a_tree_stops_at_a_labelling():
    exam = Exam(TABLE_1, "abt", F(5, 8))
    found = exam.branch()
    assert found.evidence is None
    assert exam.program.meets(found.cells, exam.levels)


def test_cells_or_correct_counts_must_be_split_with_six_judges():
    exam = Exam(CELLS_NEEDED, "ab", F(2, 3))
    found = exam.branch()
    assert set(splits(found.evidence["tree"])) & {"correct", "cell"}
    assert exam.verdict(found.evidence)


def test_a_certificate_cut_down_is_rejected():
    exam = Exam(TABLE_1, "abt", F(12, 19))
    tree = exam.branch().evidence["tree"]
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
    used = set()
    for seed in range(24):
        counts, labels = random_counts(seed)
        for missing, x in product(("excluded", "wrong"), (F(2, 5), F(1, 2), F(3, 5), F(3, 4))):
            exam = Exam(counts, labels, x, missing)
            found = exam.branch()
            assert (found.cells is None) is not (found.evidence is None)
            if found.evidence is None:
                assert exam.program.meets(found.cells, exam.levels)
                continue
            verdict = exam.verdict(found.evidence)
            assert verdict, verdict.sentence
            used |= features(found.evidence)
            for leaf in leaves(found.evidence.get("tree", found.evidence)):
                used |= features(leaf)
    assert used >= {"weights", "multipliers", "branches", "correct", "key_low", "key_high"}
    assert used >= {"row condition", "row rounded", "row cap", "row label", "row tuple"}


def test_caps_are_evidence_of_full_order():
    exam = Exam({"cc": 1, "aa": 1, "cb": 1}, "abc", F(2, 3))
    evidence = cap_evidence(exam.program, exam.levels, exam.cited)
    assert len(evidence["rows"]) == 4
    assert exam.verdict(evidence)
    reached = Exam({"cc": 1, "aa": 1, "cb": 1}, "abc", F(1, 2))
    assert cap_evidence(reached.program, reached.levels, reached.cited) is None


def test_root_leaf_refutes_or_hands_over_the_labelling():
    exam = Exam({"ab": 5, "ba": 5}, "ab", F(3, 5))
    evidence, cells = root_leaf(exam.program, exam.levels, exam.cited)
    assert exam.verdict(evidence)
    reached = Exam({"ab": 5, "ba": 5}, "ab", F(1, 2))
    evidence, cells = root_leaf(reached.program, reached.levels, reached.cited)
    assert evidence is None
    assert cells.sum(1).tolist() == [5, 5]


def test_a_tree_gives_up_by_nodes_and_by_time():
    exam = Exam(CELLS_NEEDED, "ab", F(2, 3))
    by_nodes = exam.branch(max_nodes=1)
    assert (by_nodes.cells, by_nodes.evidence, by_nodes.n_nodes) == (None, None, 1)
    by_time = exam.branch(until=0.0)
    assert (by_time.cells, by_time.evidence, by_time.n_nodes) == (None, None, 0)
    assert attaining_keys(exam.program, exam.levels, exam.cited, until=0.0) is None


def test_attaining_keys_of_the_swapped_exam():
    exam = Exam({"ab": 2, "ba": 2}, "ab", F(1, 2))
    keys = attaining_keys(exam.program, exam.levels, exam.cited)
    assert keys == [(0, 4), (2, 2), (4, 0)]


def test_children_of_a_node():
    node = Node((0, 0), (4, 4))
    assert node.child((("key", 1), 2), above=True).low == (0, 3)
    assert node.child((("key", 1), 2), above=False).high == (4, 2)
    row = node.child((("correct", 1, 0), 2), above=True).splits[0]
    assert (row.kind, row.place, row.label, row.right, row.split) == ("correct", 1, 0, 3, 0)
    exam = Exam({"ab": 2, "ba": 2}, "ab", F(1, 2))
    assert root_node(exam.program).high == (4, 4)


def test_whole_labellings_that_miss_are_split_cell_by_cell():
    """Where floats see no fraction left, cells are halved until every one is fixed."""
    exam = Exam({"ab": 1, "ba": 1}, "ab", F(1, 2))
    tree = Tree(exam.program, exam.levels, exam.cited)
    node, cells = root_node(exam.program), np.array([[1, 0], [0, 1]])
    fixed = set()
    for _ in range(4):
        split = tree._inner_split(node, cells.astype(float), cells)
        (kind, u, t), at = split
        assert kind == "cell"
        node = node.child(split, above=at < cells[u, t])
        fixed.add((u, t))
    assert len(fixed) == 4
    with pytest.raises(_GaveUp):
        tree._inner_split(node, cells.astype(float), cells)
