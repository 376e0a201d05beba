"""Decoding speed as ratios: engines against one another, and a batch against a loop."""

from itertools import product
from time import perf_counter

import numpy as np
import pytest

from algeval.algebra import decode, decode_batch
from algeval.algebra.independence import _four_binary, _wald
from algeval.algebra.pencil import decode_pencil
from algeval.algebra.trios import decode_closed, decode_groebner, trio_of
from algeval.data import Evaluation, Sketch
from algeval.models.independent import exact_exam

pytestmark = pytest.mark.benchmark

COUNTS = (568, 553, 649, 1068, 1813, 3607, 3534, 8208)
CELLS = ["".join(t) for t in product("ab", repeat=3)]


def seconds(call, repeats=5):
    best = float("inf")
    for _ in range(repeats):
        start = perf_counter()
        call()
        best = min(best, perf_counter() - start)
    return best


def binary():
    return trio_of(Sketch.from_counts(dict(zip(CELLS, COUNTS, strict=True))))


def planted(r):
    rows = np.full((r, r), 1) + np.diag(np.arange(r, 2 * r))
    tables = [
        np.roll(rows, shift, axis=0)[np.argsort(np.roll(np.arange(r), shift))] for shift in range(3)
    ]
    from fractions import Fraction

    confusion = np.array(
        [[[Fraction(int(v), int(row.sum())) for v in row] for row in t] for t in tables],
        dtype=object,
    )
    prevalence = np.array([Fraction(1, r)] * r, dtype=object)
    names = tuple("abcdefgh"[:r])
    return Evaluation(("i", "j", "k"), names, names, prevalence, confusion)


def test_closed_form_against_groebner():
    trio = binary()
    closed, groebner = seconds(lambda: decode_closed(trio)), seconds(lambda: decode_groebner(trio))
    print(f"\nclosed {closed * 1e6:.0f} us, groebner {groebner * 1e3:.1f} ms")
    assert groebner > 5 * closed


def test_pencil_by_number_of_labels():
    for r in (2, 3, 4, 5):
        evaluation = planted(r)
        trio = trio_of(exact_exam(evaluation))
        print(f"\nR = {r}: {seconds(lambda trio=trio: decode_pencil(trio)) * 1e3:.1f} ms", end="")
    assert seconds(lambda: decode_pencil(binary())) < seconds(lambda: decode_groebner(binary()))


def test_a_batch_against_a_loop():
    rng = np.random.default_rng(0)
    laws = rng.dirichlet(np.ones(8), size=10_000)
    tables = np.vstack([rng.multinomial(20_000, law, size=20) for law in laws])
    batch = seconds(lambda: decode_batch(tables), 2) / len(tables)
    few = [Sketch.from_counts(dict(zip(CELLS, map(int, row), strict=True))) for row in tables[:200]]
    loop = seconds(lambda: [decode(s) for s in few], 2) / len(few)
    print(
        f"\nbatch {batch * 1e6:.2f} us a trio, loop {loop * 1e6:.0f} us, ratio {loop / batch:.0f}"
    )
    assert loop > 30 * batch


def test_four_judge_statistic():
    rng = np.random.default_rng(0)
    f = rng.dirichlet(np.ones(16) * 5).reshape((2,) * 4)
    took = seconds(lambda: _wald(*_four_binary(f), 1000))
    print(f"\nfour-judge test {took * 1e6:.0f} us")
    assert took < 0.02


def test_a_peer_with_the_same_answer():
    evaluators = pytest.importorskip("ntqr.r2.evaluators")
    sketches = pytest.importorskip("ntqr.r2.datasketches")
    sketch = Sketch.from_counts(dict(zip(CELLS, COUNTS, strict=True)))
    votes = {tuple(cell): count for cell, count in zip(CELLS, COUNTS, strict=True)}
    peer = seconds(
        lambda: (
            evaluators.ErrorIndependentEvaluation(sketches.TrioVoteCounts(votes)).evaluation_exact
        )
    )
    ours = seconds(lambda: decode(sketch))
    print(
        f"\none trio: peer {peer * 1e3:.1f} ms, ours {ours * 1e3:.2f} ms, ratio {peer / ours:.0f}"
    )
    assert peer > 5 * ours
