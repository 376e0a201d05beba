"""Couplings and leftover correlations as drawn against the numbers of the results."""

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import pair_test
from algeval.report.figures import draw


@pytest.fixture(scope="module")
def votes(make_votes):
    return make_votes(5, ["no", "yes"], n_items=150, missing=0.0).without_key()


def table(axes):
    found = np.ma.filled(axes.images[0].get_array().astype(float), np.nan)
    assert np.isnan(np.diag(found)).all()
    return found


def off(matrix):
    found = np.array(matrix, float)
    np.fill_diagonal(found, np.nan)
    return found


def test_leftover_correlations_of_a_test_and_of_votes(votes):
    told = pair_test(votes, replicates=1)
    for data in (votes, told):
        figure = draw("couplings", data)
        np.testing.assert_allclose(table(figure.axes[0]), off(told.pair_correlation))
        low, high = figure.axes[0].images[0].get_clim()
        assert low == -high
        assert "left over" in figure.axes[1].get_ylabel()
    correlation = np.abs(off(told.pair_correlation))
    assert f"{np.nanmax(correlation):.2f}" in figure.get_label()


def test_shared_couplings_are_one_table_and_those_per_label_two(votes):
    one = ae.aggregate(votes, "ising", n_starts=1)
    two = ae.aggregate(votes, "ising-class-dependent", n_starts=1)
    figure = draw("couplings", one)
    assert len(figure.axes) == 2
    np.testing.assert_allclose(table(figure.axes[0]), off(one.parameters["couplings"][0]))
    figure = draw("couplings", two)
    assert [a.get_title() for a in figure.axes[:2]] == ["items of no", "items of yes"]
    for axes, W in zip(figure.axes[:2], two.parameters["couplings"], strict=True):
        np.testing.assert_allclose(table(axes), off(W))
    figure = draw("couplings", two, label="yes")
    np.testing.assert_allclose(table(figure.axes[0]), off(two.parameters["couplings"][1]))
    with pytest.raises(ae.DataError, match="label"):
        draw("couplings", two, label="maybe")


def test_log_linear_shows_pairs_and_counts_what_it_leaves_out(votes):
    fit = ae.aggregate(votes, "log-linear", n_starts=1)
    drawn = table(draw("couplings", fit).axes[0])
    told = dict(
        zip(map(tuple, fit.parameters["sets"]), fit.parameters["interactions"], strict=True)
    )
    for i in range(5):
        for j in range(i):
            assert drawn[i, j] == drawn[j, i] == told[j, i]
    assert "10 terms of three judges are not shown" in draw("couplings", fit).get_suptitle()


def test_methods_without_couplings_are_refused(four):
    with pytest.raises(ae.DataError, match="fit with couplings between judges"):
        draw("couplings", ae.aggregate(four.without_key(), "majority"))
    with pytest.raises(ae.DataError, match="got Summary"):
        draw("couplings", four.summary())
