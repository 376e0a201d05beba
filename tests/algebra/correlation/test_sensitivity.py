"""First-order effect of error correlations, against Table 1 and finite differences."""

from itertools import product

import numpy as np
import pytest

from algeval.algebra.correlation import error_correlations, sensitivity
from algeval.algebra.decoding import decode
from algeval.algebra.trios import decode_batch
from algeval.data import Evaluation, Sketch
from algeval.errors import DataError

CELLS = np.array(list(product((0, 1), repeat=3)))


def evaluation(p, accuracies):
    confusion = [[[a, 1 - a], [1 - b, b]] for a, b in accuracies]
    return Evaluation(("i", "j", "k"), ("a", "b"), ("a", "b"), [p, 1 - p], confusion)


def test_table_1_first_order_prediction(table_1):
    move, _ = sensitivity(table_1.evaluation()).shift(error_correlations(table_1))
    assert round(move, 5) == -0.01115
    actual = float(decode(table_1).best.prevalence_of("a")) - 0.1
    assert round(actual, 5) == -0.01125


@pytest.mark.parametrize("group", range(4))
@pytest.mark.parametrize("label", range(2))
def test_every_coefficient_is_the_derivative_of_the_decoder(group, label):
    p, accuracies = 0.3, np.array([[0.7, 0.8], [0.65, 0.9], [0.4, 0.85]])
    groups = ((0, 1), (0, 2), (1, 2), (0, 1, 2))
    s = sensitivity(evaluation(p, accuracies))
    share = (p, 1 - p)[label]
    sign = np.where(label == CELLS, 1, -1)
    right = np.where(label == CELLS, accuracies[:, label], 1 - accuracies[:, label])
    outside = [n for n in range(3) if n not in groups[group]]
    direction = share * sign[:, list(groups[group])].prod(1) * right[:, outside].prod(1)
    base = sum(
        w * np.where(t == CELLS, accuracies[:, t], 1 - accuracies[:, t]).prod(1)
        for t, w in enumerate((p, 1 - p))
    )
    scale, step = 2_000_000, 1e-3
    ends = []
    for h in (step, -step):
        counts = np.rint((base + h * direction) * scale).astype(np.int64)
        found = decode_batch(counts[None])
        ends.append(np.concatenate([found.prevalence, found.accuracies.ravel()]))
    slope = (ends[0] - ends[1]) / (2 * step)
    assert abs(slope[0] - s.prevalence[group, label]) < 0.02
    assert np.allclose(slope[1:], s.accuracies[:, :, group, label].ravel(), atol=0.02)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sensitivity(evaluation(0.3, [(0.7, 0.3)] * 3)), "tell them apart"),
        (
            lambda: sensitivity(evaluation(0.3, [(0.7, 0.8)] * 3)).shift({("i",): (0, 0)}),
            "for two or three judges",
        ),
        (
            lambda: sensitivity(evaluation(0.3, [(0.7, 0.8)] * 3)).shift({("i", "j"): (0.1,)}),
            "one number per label",
        ),
        (
            lambda: sensitivity(decode(Sketch.from_counts({"aaa": 1}, labels=["a", "b"]))),
            "must have a best evaluation",
        ),
        (
            lambda: sensitivity(
                Evaluation(("i",), ("a", "b"), ("a", "b"), [0.5, 0.5], [[[1, 0], [0, 1]]])
            ),
            "three judges and two answers",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DataError, match=message):
        call()
