"""The matrix pencil: planted exams of two to eight labels, and every way it can decline."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest

from algeval.algebra.decoding import decode
from algeval.algebra.pencil import decode_pencil
from algeval.algebra.trios import best_orders, decode_batch, decode_closed, trio_of
from algeval.data import Evaluation, Sketch
from algeval.models.independent import exact_exam
from algeval.result import Status

F = Fraction
NAMES = "abcdefgh"


def planted(prevalence, tables, answers=None):
    r = len(prevalence)
    labels = tuple(NAMES[:r])
    confusion = np.array([[[F(v) for v in row] for row in t] for t in tables], dtype=object)
    return Evaluation(
        ("i", "j", "k"),
        labels,
        labels if answers is None else answers,
        np.array([F(v) for v in prevalence], dtype=object),
        confusion,
    )


def skilled(r, seed, a=None, base=2):
    """Random tables with a heavy diagonal over a small common denominator, so that Q fits."""
    draw = random.Random(seed)
    a = a or r
    total = 2 * base * a

    def row(t):
        cuts = [draw.randint(0, base) for _ in range(a)]
        cuts[t] = 0
        cuts[t] = total - sum(cuts)
        return [F(c, total) for c in cuts]

    weights = [draw.randint(1, 3) for _ in range(r)]
    prevalence = [F(w, sum(weights)) for w in weights]
    return prevalence, [[row(t) for t in range(r)] for _ in range(3)]


@pytest.mark.parametrize("r", range(2, 9))
@pytest.mark.parametrize("seed", range(3))
def test_planted_exams_are_recovered(r, seed):
    truth = planted(*skilled(r, seed))
    result = decode(exact_exam(truth), engine="pencil")
    assert result.status is Status.OK, result.message
    assert result.best.prevalence.tolist() == truth.prevalence.tolist()
    assert result.best.confusion.tolist() == truth.confusion.tolist()


def test_more_answers_than_labels_are_decoded_on_a_block():
    prevalence, tables = skilled(3, 5, a=5)
    truth = planted(prevalence, tables, answers=("a", "b", "c", "refused", "invalid"))
    result = decode(exact_exam(truth))
    assert (result.engine, result.status) == ("pencil", Status.OK)
    assert result.best.confusion.tolist() == truth.confusion.tolist()


def binary_tables(sizes):
    for q in sizes:
        for chosen in combinations_with_replacement(range(8), q):
            yield tuple(chosen.count(c) for c in range(8))


def assert_engines_agree(tables):
    tables = list(tables)
    batch = decode_batch(tables)
    for row, flat in enumerate(tables):
        cells = {"".join(t): n for t, n in zip(product("ab", repeat=3), flat, strict=True)}
        trio = trio_of(Sketch.from_counts(cells, labels=["a", "b"]))
        one, other = decode_closed(trio), decode_pencil(trio)
        assert batch.status_of(row) is one.status, flat
        for name in ("status", "dimension", "uninformative", "in_range", "integral"):
            assert getattr(one, name) == getattr(other, name), (flat, name)
        assert len(one.solutions) == len(other.solutions)
        for point in one.solutions:
            assert any(
                point.prevalence == p.prevalence and point.confusion == p.confusion
                for p in other.solutions
            ), flat


def test_engines_agree_on_every_binary_table_of_at_most_five_items():
    assert_engines_agree(binary_tables(range(1, 6)))


@pytest.mark.parametrize("items", [6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_engines_agree_on_every_binary_table_of_six_to_eight_items(items):
    assert_engines_agree(binary_tables(range(items, items + 1)))


@pytest.mark.parametrize("axis", range(3))
def test_one_rank_deficient_judge_is_put_on_the_sliced_axis(axis):
    prevalence, tables = skilled(3, 1)
    top, bottom = [F(1, 2), F(1, 4), F(1, 4)], [F(0), F(1, 2), F(1, 2)]
    tables[axis] = [top, bottom, [(x + y) / 2 for x, y in zip(top, bottom, strict=True)]]
    truth = planted(prevalence, tables)
    result = decode(exact_exam(truth))
    assert result.status is Status.OK
    orders = [e.confusion.tolist() for e in result.orders()]
    assert truth.confusion.tolist() in orders


def test_two_rank_deficient_judges_are_undetermined_and_named():
    prevalence, tables = skilled(3, 1)
    top, bottom = [F(1, 2), F(1, 4), F(1, 4)], [F(0), F(1, 2), F(1, 2)]
    low = [top, bottom, [(x + y) / 2 for x, y in zip(top, bottom, strict=True)]]
    result = decode(exact_exam(planted(prevalence, [tables[0], low, low[::-1]])))
    assert result.status is Status.UNDETERMINED
    assert "j and k cannot tell all labels apart" in result.message


def test_a_judge_that_answers_two_labels_alike_leaves_them_open():
    prevalence, tables = skilled(3, 2)
    tables[2] = [tables[2][0], tables[2][1], tables[2][1]]
    result = decode(exact_exam(planted(prevalence, tables)))
    assert result.status is Status.UNDETERMINED
    assert "k answers two labels alike" in result.message
    assert result.uninformative == ()


def test_a_judge_blind_to_every_label_is_named():
    prevalence, tables = skilled(3, 2)
    tables[0] = [tables[0][0]] * 3
    result = decode(exact_exam(planted(prevalence, tables)))
    assert (result.status, result.uninformative) == (Status.UNDETERMINED, ("i",))


@pytest.mark.parametrize("seed", range(5))
def test_a_label_that_never_occurs_is_recovered_and_called_undetermined(seed):
    prevalence, tables = skilled(3, seed)
    share = prevalence[0] / (prevalence[0] + prevalence[2])
    truth = planted([share, 0, 1 - share], tables)
    result = decode(exact_exam(truth))
    assert result.status is Status.UNDETERMINED
    assert "trace of 2 labels, not 3" in result.message
    best = result.best
    assert best.prevalence.tolist() == [share, 0, 1 - share]
    assert best.confusion[:, [0, 2]].tolist() == truth.confusion[:, [0, 2]].tolist()
    assert best.confusion[:, 1].tolist() == [[None] * 3] * 3


def test_unrelated_answers_of_three_labels_are_undetermined():
    result = decode(Sketch.from_counts({"".join(t): 1 for t in product("abc", repeat=3)}))
    assert result.status is Status.UNDETERMINED
    assert "unrelated" in result.message


def test_three_labels_are_overdetermined_so_most_tables_are_inconsistent():
    draw = np.random.default_rng(0)
    cells = {"".join(t): int(draw.integers(1, 50)) for t in product("abc", repeat=3)}
    result = decode(Sketch.from_counts(cells))
    assert result.status is Status.INCONSISTENT
    assert "contradicts independent errors" in result.message


def test_five_answers_of_two_labels_must_show_two_labels():
    prevalence, tables = skilled(3, 4)
    exam = exact_exam(planted(prevalence, tables)).sketch
    two = Sketch(exam.judges, ("a", "b"), exam.answers, exam.codes, exam.counts)
    result = decode(two)
    assert result.status is Status.INCONSISTENT
    assert "more than 2 labels" in result.message


def conjugate_exam(d, scale):
    """Three labels, two of them conjugate over Q(sqrt d): rational counts, no rational solution."""

    # x + y*sqrt(d) as pairs; the trace of a product over both conjugates is rational
    def times(p, q):
        return (p[0] * q[0] + d * p[1] * q[1], p[0] * q[1] + p[1] * q[0])

    pair = [
        [(F(1, 2), F(1, 16)), (F(1, 4), F(-1, 16)), (F(1, 4), F(0))],
        [(F(1, 4), F(-1, 16)), (F(1, 2), F(0)), (F(1, 4), F(1, 16))],
        [(F(1, 2), F(1, 16)), (F(3, 8), F(-1, 16)), (F(1, 8), F(0))],
    ]
    third = [F(1, 8), F(1, 8), F(3, 4)]
    cells = {}
    for a, b, c in product(range(3), repeat=3):
        value = times(times(pair[0][a], pair[1][b]), pair[2][c])
        total = 2 * value[0] / 3 + third[a] * third[b] * third[c] / 3
        count = total * scale
        assert count.denominator == 1
        assert count >= 0
        cells[NAMES[a] + NAMES[b] + NAMES[c]] = int(count)
    return cells


def test_irrational_three_labels_give_floats():
    cells = conjugate_exam(2, 3 * 2**12)
    result = decode(Sketch.from_counts(cells))
    assert result.status is Status.IRRATIONAL
    assert result.best is not None
    assert not result.best.exact
    assert result.in_range
    assert sorted(result.best.prevalence.tolist()) == pytest.approx([1 / 3] * 3)
    irrational = 1 / 2 + 2**0.5 / 16
    entries = result.best.confusion.ravel()
    assert abs(entries - irrational).min() < 1e-12


def test_complex_three_labels():
    result = decode(Sketch.from_counts(conjugate_exam(-1, 3 * 2**12)))
    assert result.status is Status.COMPLEX
    assert result.evaluations == ()


def test_negative_prevalence_is_out_of_range():
    weights = [F(3, 4), F(1, 2), F(-1, 4)]
    near = [
        [[4, 2, 2], [2, 4, 2], [2, 3, 3]],
        [[4, 2, 2], [2, 4, 2], [3, 2, 3]],
        [[4, 2, 2], [2, 4, 2], [3, 3, 2]],
    ]
    tables = [[[F(v, 8) for v in row] for row in table] for table in near]
    cells = {}
    for cell in product(range(3), repeat=3):
        value = sum(
            w * tables[0][t][cell[0]] * tables[1][t][cell[1]] * tables[2][t][cell[2]]
            for t, w in enumerate(weights)
        )
        cells["".join(NAMES[c] for c in cell)] = value
    scale = np.lcm.reduce([v.denominator for v in cells.values()])
    assert min(cells.values()) >= 0
    result = decode(Sketch.from_counts({k: int(v * int(scale)) for k, v in cells.items()}))
    assert result.status is Status.OUT_OF_RANGE
    assert sorted(result.evaluations[0].prevalence.tolist()) == sorted(weights)


def test_label_orders_are_listed_lazily_and_the_best_comes_first():
    truth = planted(*skilled(3, 7))
    result = decode(exact_exam(truth))
    orders = result.orders()
    first = next(orders)
    assert first.confusion.tolist() == result.best.confusion.tolist()
    rest = list(orders)
    assert len(rest) == 5
    total = sum(first.accuracies().ravel())
    assert all(sum(e.accuracies().ravel()) < total for e in rest)


def test_best_orders_is_exact_and_lists_every_optimum():
    draw = random.Random(3)
    for _ in range(40):
        r = draw.randint(1, 4)
        width = draw.randint(r, 5)
        weights = [[F(draw.randint(0, 3), 2) for _ in range(width)] for _ in range(r)]
        scored = {
            order: sum(weights[s][t] for s, t in enumerate(order))
            for order in permutations(range(width), r)
        }
        most = max(scored.values())
        assert sorted(best_orders(weights)) == sorted(o for o, v in scored.items() if v == most)
        found = best_orders([[float(w) for w in row] for row in weights])
        assert scored[found[0]] == most


def test_ties_of_ten_labels_are_listed_up_to_a_thousand():
    flat = [[F(1, 10)] * 10 for _ in range(10)]
    orders = best_orders(flat)
    assert len(set(orders)) == len(orders) == 1000
    assert all(sorted(order) == list(range(10)) for order in orders)


def test_a_tie_of_three_labels_says_several():
    def table(right):
        return [[right if s == t else (1 - right) / 2 for s in range(3)] for t in range(3)]

    truth = planted([F(1, 3)] * 3, [table(F(1, 2)), table(F(1, 4)), table(F(1, 4))])
    result = decode(exact_exam(truth))
    assert (result.status, result.tie, len(result.evaluations)) == (Status.OK, True, 6)
    assert "several label orders have the same total accuracy" in result.message
