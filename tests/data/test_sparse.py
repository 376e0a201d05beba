"""Tables kept as their votes: every question answered as of the table written out."""

import pickle
import tracemalloc

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import posterior_grades
from algeval.data import NOT_ANSWERED, Sketch, Votes, sparse
from algeval.data import sketch as sketch_module
from algeval.data.names import is_sparse, mostly_empty
from algeval.data.sparse import SparseArray, sparse_table
from algeval.errors import TooLargeError
from algeval.logic import threshold


def drawn(shape, share, n_answers, seed):
    rng = np.random.default_rng(seed)
    dense = rng.integers(0, n_answers, shape).astype(np.int16)
    dense[rng.random(shape) >= share] = NOT_ANSWERED
    return dense


def kept(dense, rest=NOT_ANSWERED):
    rows, columns = np.nonzero(dense != rest)
    order = np.random.default_rng(0).permutation(len(rows))  # cells come in any order
    rows, columns = rows[order], columns[order]
    return sparse_table(rows, columns, dense[rows, columns], dense.shape, rest)


TABLES = [
    drawn((30, 7), 0.3, 3, 0),
    drawn((5, 40), 0.1, 2, 1),
    drawn((6, 3), 1.0, 2, 2),
    np.full((4, 3), NOT_ANSWERED, np.int16),
]
QUESTIONS = [
    lambda a: a,
    lambda a: a == 1,
    lambda a: a != NOT_ANSWERED,
    lambda a: (a >= 0) & (a < 2),
    lambda a: ~(a == 0),
    lambda a: a.astype(float) + 0.5,
    lambda a: (a == 1).sum(),
    lambda a: (a == 1).sum(axis=0),
    lambda a: (a != NOT_ANSWERED).sum(axis=1),
    lambda a: (a == NOT_ANSWERED).sum(axis=1, keepdims=True),
    lambda a: a.sum(axis=0),
    lambda a: (a == 0).any(axis=0),
    lambda a: (a == NOT_ANSWERED).all(axis=1),
    lambda a: (a >= 0).any(),
    lambda a: (a.min(), a.max()),
    lambda a: (a == 1) * np.arange(len(a))[:, None],
    lambda a: np.arange(len(a)) @ (a == 1),
    lambda a: np.arange(len(a)) @ (a == NOT_ANSWERED),
    lambda a: (a == NOT_ANSWERED) @ np.arange(a.shape[1]),
    lambda a: np.ones((2, len(a))) @ (a >= 0),
    lambda a: (a >= 0) @ np.ones((a.shape[1], 2)),
    lambda a: a[1:3],
    lambda a: a[[2, 0, 2]],
    lambda a: a[(a >= 0).sum(axis=1) > 1],
    lambda a: a[-1],
    lambda a: a[:, 1],
    lambda a: a[:, -1],
    lambda a: a[1:4, [2, 0]],
    lambda a: a[:, 1:],
    lambda a: a[:, [1, 1]],
    lambda a: a[2, 1],
    lambda a: a.T,
    lambda a: a.tolist(),
    lambda a: a.astype(np.int64, copy=False),
    lambda a: np.stack(list(a)),
    lambda a: a + np.arange(a.shape[1]),
    lambda a: np.array(["x", "y", "z", "-"])[a],
    lambda a: pickle.loads(pickle.dumps(a)),
    lambda a: (a == a) & (a[:] == a),
]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("dense", TABLES)
def test_it_answers_as_the_table_written_out(question, dense):
    own, expected = question(kept(dense)), np.asarray(question(dense))
    assert np.shape(own) == expected.shape
    np.testing.assert_array_equal(np.asarray(own), expected)


def test_large_counts_stay_exact():
    codes = kept(drawn((30, 7), 0.3, 3, 0))
    counts = np.full(30, 2**56 + 1)
    dense = np.asarray(codes)
    assert (counts @ (codes == 1)).tolist() == (counts @ (dense == 1).astype(np.int64)).tolist()
    sketch = Sketch(list("abcdefg"), list("xyz"), list("xyz"), codes, counts)
    assert sketch.missing.tolist() == (counts @ (dense < 0).astype(np.int64)).tolist()


@pytest.mark.parametrize(("share", "n_answers"), [(0.02, 2), (0.1, 3), (0.6, 2), (1.0, 1), (0, 2)])
def test_rows_are_grouped_in_lexicographic_order(share, n_answers):
    for seed in range(5):
        dense = drawn((200, 9), share, n_answers, seed)
        expected, of_rows = np.unique(dense, axis=0, return_inverse=True)
        distinct, inverse = sketch_module.group_rows(kept(dense), n_answers)
        assert is_sparse(distinct)
        np.testing.assert_array_equal(np.asarray(distinct), expected)
        np.testing.assert_array_equal(inverse, of_rows.ravel())


def test_a_table_too_large_to_be_written_out_says_so(monkeypatch):
    monkeypatch.setattr(sparse, "MOST_DENSE", 50)
    table = kept(drawn((30, 7), 0.3, 3, 0))
    assert (table >= 0).sum() > 0
    with pytest.raises(TooLargeError, match="30 x 7; choose fewer judges"):
        np.asarray(table)
    monkeypatch.setattr(sparse, "MOST_LISTED", 50)
    with pytest.raises(
        TooLargeError, match="30 items or tuples x 7 judges; write labels to a table"
    ):
        table.tolist()


def crowd(n_items=300, n_workers=60, votes=4, labels="abc", seed=0):
    """Rows of a long table: a few workers on every item."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), n_items)
    accuracy = rng.uniform(0.5, 0.95, n_workers)
    rows = []
    for item in range(n_items):
        for worker in rng.choice(n_workers, votes, replace=False):
            right = rng.random() < accuracy[worker]
            label = truth[item] if right else rng.integers(len(labels))
            rows.append({"item": f"q{item}", "worker": f"w{worker}", "label": labels[label]})
    key = {f"q{item}": labels[t] for item, t in enumerate(truth) if item % 3}
    return rows, key


@pytest.fixture
def both(monkeypatch):
    """Votes of one table, written out and kept as votes."""

    def read(rows, **options):
        dense = ae.read_votes(rows, **options)
        with monkeypatch.context() as patch:
            patch.setattr(sparse, "SPARSE_FROM", 0)
            few = ae.read_votes(rows, **options)
        assert isinstance(dense.codes, np.ndarray)
        assert is_sparse(few.codes)
        return dense, few

    return read


def test_votes_read_are_the_same(both):
    rows, key = crowd()
    dense, few = both(rows, key=key)
    assert few == dense
    assert few.notes == dense.notes
    assert repr(few) == repr(dense)
    assert few.missing.tolist() == dense.missing.tolist()
    assert few.sketch() == dense.sketch()
    assert few.sketch().digest == dense.sketch().digest
    assert few.summary() == dense.summary()
    assert few.keyed_sketch().evaluation() == dense.keyed_sketch().evaluation()
    chosen = {"judges": dense.judges[5:20], "items": dense.items[10:90:7]}
    assert few.select(**chosen) == dense.select(**chosen)
    assert few.to_dict() == dense.to_dict()
    assert pickle.loads(pickle.dumps(few)) == dense


def test_records_are_the_same(monkeypatch):
    rows, _ = crowd()
    records = [tuple(row.values()) for row in rows]
    dense = Votes.from_records(records)
    monkeypatch.setattr(sparse, "SPARSE_FROM", 0)
    few = Votes.from_records(records)
    assert is_sparse(few.codes)
    assert few == dense


METHODS = (
    "majority wawa weighted-majority dawid-skene one-coin mace glad pooled-dawid-skene recommended"
)


@pytest.mark.parametrize("labels", ["ab", "abc"])
@pytest.mark.parametrize("method", METHODS.split())
def test_methods_answer_the_same(both, method, labels):
    dense, few = both(crowd(labels=labels)[0])
    limit = {} if "majority" in method or method == "wawa" else {"max_iter": 12}
    expected, own = (aggregate(votes, method, **limit) for votes in (dense, few))
    assert own.message == expected.message
    assert own.warnings == expected.warnings
    assert own.decisions.tolist() == expected.decisions.tolist()
    np.testing.assert_allclose(own.posterior, expected.posterior, rtol=0, atol=1e-10)
    np.testing.assert_array_equal(own.item_pattern, expected.item_pattern)
    for name in ("prevalence", "confusion", "coverage"):
        parts = (getattr(result.evaluation, name) for result in (own, expected))
        first, second = (np.array(part, float) for part in parts)
        np.testing.assert_allclose(first, second, rtol=0, atol=1e-10)
    again = own.predict(few.select(items=few.items[:9]))
    np.testing.assert_allclose(again, own.predict(dense.select(items=few.items[:9])), atol=1e-10)


def test_only_large_tables_with_few_votes_are_kept_as_votes():
    assert mostly_empty(10**9, 10**6)
    assert not mostly_empty(10**9, 10**9 // 8)
    assert not mostly_empty(10**6, 10)


def test_what_judges_are_graded_by_is_the_same(both):
    dense, few = both(crowd()[0])
    expected, own = (aggregate(votes, "recommended", max_iter=12) for votes in (dense, few))
    for first, second in zip(expected.accuracy_ranges(), own.accuracy_ranges(), strict=True):
        np.testing.assert_allclose(
            np.array(first[1:], float), np.array(second[1:], float), atol=1e-10
        )
    grades = (posterior_grades(result) for result in (expected, own))
    np.testing.assert_allclose(*grades, rtol=0, atol=1e-10)


def test_the_first_screen_asks_logic_of_each_judge_and_nothing_of_pairs(both):
    dense, few = both(crowd()[0])
    own = ae.report(few, first_screen=True)
    assert own.results["threshold"].lower == threshold(dense.summary()).lower
    assert "groups" not in own.results
    assert any("pairs of judges, most without a common item" in str(s.lines) for s in own.sections)
    assert f"{few.n_items} " in str(own)
    for question in (ae.diagnose, ae.self_consistency, ae.report):
        with pytest.raises(TooLargeError, match=f"all pairs of judges; {few.n_judges}"):
            question(few)


@pytest.mark.slow
def test_memory_follows_the_votes_and_not_the_workers():
    rng = np.random.default_rng(0)
    n = 40_000
    item = np.repeat(np.arange(n // 4), 4)

    def peak(n_workers):
        worker = (rng.integers(0, n_workers // 4, n) * 4 + np.tile(np.arange(4), n // 4)).tolist()
        table = {"item": item.tolist(), "worker": worker, "label": rng.integers(0, 3, n).tolist()}
        ae.read_votes({"item": [1, 1], "worker": ["a", "b"], "label": [0, 1]})
        tracemalloc.start()
        votes = ae.read_votes(table)
        aggregate(votes, "dawid-skene", max_iter=2)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top, votes

    few, _ = peak(8)
    many, votes = peak(4_000)
    assert is_sparse(votes.codes)
    assert isinstance(votes.codes, SparseArray)
    assert many < 3 * few
