"""Learning curves: what is fitted, what is scored, and that the key stays out of the fits."""

import numpy as np
import pytest

import algeval as ae
from algeval.compare import learning_curve
from algeval.compare.robustness import _score
from algeval.report.figures.judges import learning_curve_figure
from algeval.result import Status


def drawn(n_items=300, n_judges=5, seed=0):
    rng = np.random.default_rng(seed)
    key = rng.integers(0, 2, n_items)
    accuracy = np.linspace(0.55, 0.9, n_judges)
    codes = np.where(rng.random((n_items, n_judges)) < accuracy, key[:, None], 1 - key[:, None])
    names = ["0", "1"]
    return ae.Votes(
        range(n_items), range(n_judges), names, names, codes.astype(np.int16), key.astype(np.int16)
    )


def test_scores_by_hand():
    posterior = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
    accuracy, loss = _score(posterior, np.array([0, 0, 0]))
    assert accuracy == pytest.approx((0.5 + 1 + 0) / 3)
    assert loss == pytest.approx(-np.log(0.5 * 0.9 * 0.2) / 3)


def test_more_items_and_more_judges_help():
    curve = learning_curve(
        drawn(600), ["dawid-skene"], sizes=[10, 300], n_judges=[3, 5], n_repeats=8
    )
    few, many = curve.of("dawid-skene")
    assert many.accuracy > few.accuracy
    assert many.accuracy > curve.of("dawid-skene", n_judges=3)[1].accuracy
    assert many.n_done == 8
    assert many.accuracy_error > 0
    assert "5 judges, 300 items" in curve.summary()


def test_the_same_seed_gives_the_same_curve_and_the_key_moves_no_fit(monkeypatch):
    votes = drawn()
    seen = []
    original = ae.aggregate.aggregate

    def watched(data, *rest, **settings):
        seen.append(data)
        return original(data, *rest, **settings)

    monkeypatch.setattr("algeval.aggregate.aggregate", watched)
    curves = [learning_curve(votes, ["majority"], sizes=[50], n_repeats=2) for _ in range(2)]
    assert curves[0].to_dict() == curves[1].to_dict()
    assert all(data.key is None and data.n_items == 50 for data in seen)


def test_methods_that_fail_are_counted():
    curve = learning_curve(drawn(), ["majority", "ising"], sizes=[100], n_judges=[3], n_repeats=2)
    assert curve.status is Status.NOT_IDENTIFIABLE
    (point,) = curve.of("ising")
    assert (point.n_done, point.accuracy) == (0, None)
    assert "no fit" in curve.summary()


def test_unkeyed_items_are_not_scored():
    votes = drawn(60)
    key = np.array(votes.key)
    key[:30] = -1
    part = ae.Votes(votes.items, votes.judges, votes.labels, votes.answers, votes.codes, key)
    assert learning_curve(part, ["majority"], sizes=[29], n_repeats=2).status.ok
    with pytest.raises(ae.DataError, match="sizes must be a whole number from 1 to 29"):
        learning_curve(part, ["majority"], sizes=[30])


def test_refusals():
    with pytest.raises(ae.DataError, match="votes must carry a key"):
        learning_curve(drawn().without_key(), sizes=[5])
    with pytest.raises(ae.DataError, match="must not be empty"):
        learning_curve(drawn(), [], sizes=[5])
    with pytest.raises(ae.DataError, match="n_judges must be a whole number from 1 to 5"):
        learning_curve(drawn(), sizes=[5], n_judges=[9])
    curve = learning_curve(drawn(), ["majority"], sizes=[5], n_repeats=1)
    with pytest.raises(ae.DataError, match="is not on the curve"):
        curve.of("ising")
    with pytest.raises(ae.DataError, match="measure must be one of"):
        learning_curve_figure(curve, measure="beauty")


@pytest.mark.parametrize("over", ["items", "judges"])
def test_figure_shows_the_points(over):
    curve = learning_curve(
        drawn(), ["majority", "dawid-skene"], sizes=[20, 200], n_judges=[3, 4, 5], n_repeats=3
    )
    figure = learning_curve_figure(curve, measure="log_loss", over=over)
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == list(curve.methods)
    first = axes.containers[0].lines[0]
    assert first.get_xdata().tolist() == ([20, 200] if over == "items" else [3, 4, 5])
    expected = [p.log_loss for p in curve.points if p.method == "majority"]
    shown = expected[-2:] if over == "items" else expected[1::2]
    assert first.get_ydata().tolist() == shown
