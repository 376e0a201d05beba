"""Two reductions, run: Independent Set at full order, three-colouring at order 2."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product

import pytest

import algeval as ae


def exam_of(n, edges, k):
    """Exam in which every judge reaches n/(n + 1) exactly if k of n vertices have no edge among them."""
    items = [("a", *("b" if v in edge else "a" for edge in edges)) for v in range(n)]
    unanimous = 1 + len(edges)
    items += [("a",) * unanimous] * (n + 1) + [("b",) * unanimous] * (n * (n - k))
    return ae.Sketch.from_counts(Counter(items), labels=["a", "b"])


def has_independent(n, edges, k):
    return any(
        not any(set(edge) <= set(chosen) for edge in edges) for chosen in combinations(range(n), k)
    )


def graphs(n):
    pairs = list(combinations(range(n), 2))
    for mask in range(1, 1 << len(pairs)):
        yield [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]


def agrees(n, edges, k):
    data = exam_of(n, edges, k)
    found = ae.alarm(data, F(n, n + 1))
    assert found.triggered is not has_independent(n, edges, k), (n, edges, k)
    assert ae.verify(found.certificate, data).ok


def test_independent_set_on_three_vertices():
    for edges in ([(0, 1)], [(0, 1), (1, 2)], [(0, 1), (1, 2), (0, 2)]):
        for k in (1, 2):
            agrees(3, edges, k)


@pytest.mark.slow
def test_independent_set_on_every_graph_of_four_vertices():
    for n in (2, 3, 4):
        for edges in graphs(n):
            for k in range(1, n):
                agrees(n, edges, k)


def colouring(n, edges, colours="123"):
    """Exam of order 2 and conditions that can be met exactly if a graph has a colouring with these colours.

    An item v and an item v' for each vertex, labels 1 to 3 and 1' to 3'; a judge answers on one or two items.
    """
    labels = ["1", "2", "3", "4", "5", "6"]
    judges, conditions = [], []

    def judge(answers, most):
        name = f"j{len(judges)}"
        judges.append(answers)
        if most is not None:
            conditions.append(ae.Condition("grade", "<=", F(most, 2 * n), name, None))

    allowed = {*colours}, {str(int(colour) + 3) for colour in colours}
    for v in range(n):
        for item, own in zip((v, n + v), allowed, strict=True):
            judge({item: "1"}, None)
            for label in labels:
                if label not in own:
                    judge({item: label}, 0)
        for s, t in product("123", "456"):
            if int(t) - 3 != int(s):
                judge({v: s, n + v: t}, 1)
    for v, w in [*edges, *((w, v) for v, w in edges)]:
        for s in "123":
            judge({v: s, n + w: str(int(s) + 3)}, 1)
    rows = [tuple(answers.get(item, "-") for answers in judges) for item in range(2 * n)]
    names = [f"j{k}" for k in range(len(judges))]
    data = ae.Sketch.from_counts(Counter(rows), judges=names, labels=labels, answers=[*labels, "-"])
    return data, ae.Specification(tuple(conditions))


def has_colouring(n, edges, colours):
    return any(
        all(chosen[v] != chosen[w] for v, w in edges) for chosen in product(colours, repeat=n)
    )


EDGE, TRIANGLE = (2, [(0, 1)]), (3, [(0, 1), (1, 2), (0, 2)])


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["1", "12", "123"])
@pytest.mark.parametrize(("n", "edges"), [EDGE, TRIANGLE])
def test_a_small_graph_is_refuted_exactly_where_it_has_no_colouring(n, edges, colours):
    data, spec = colouring(n, edges, colours)
    answer = ae.alarm(data, spec, order=2, time_limit=300)
    assert answer.triggered is not has_colouring(n, edges, colours)
    assert ae.verify(answer.certificate, data).ok
