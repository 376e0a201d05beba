"""The scikit-learn wrapper: scikit-learn's own checks, then what it is for."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import algeval as ae
from algeval.sklearn import EXPECTED_FAILED_CHECKS, LabelAggregator


def expected(estimator):
    return EXPECTED_FAILED_CHECKS if estimator.method == "dawid-skene" else {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [LabelAggregator(), LabelAggregator(method="dawid-skene")], expected_failed_checks=expected
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


def drawn(n_items=200, n_judges=6, seed=0):
    rng = np.random.default_rng(seed)
    key = rng.integers(0, 2, n_items)
    votes = np.where(rng.random((n_items, n_judges)) < 0.8, key[:, None], 1 - key[:, None])
    return votes, key


def test_same_answer_as_the_library():
    X, key = drawn()
    found = LabelAggregator().fit(X)
    votes = ae.Votes(range(len(X)), range(X.shape[1]), ["0", "1"], ["0", "1"], X.astype(np.int16))
    plain = ae.aggregate(votes, "recommended")
    assert np.array_equal(found.predict_proba(X), plain.predict(votes))
    assert (found.predict(X) == key).mean() > 0.9
    assert np.array_equal(found.labels_, found.fit_predict(X))


def test_y_is_never_read():
    X, key = drawn()
    proba = [LabelAggregator().fit(X, y).predict_proba(X) for y in (None, key, 1 - key)]
    assert np.array_equal(proba[0], proba[1])
    assert np.array_equal(proba[0], proba[2])


@pytest.mark.parametrize("text", [False, True])
def test_votes_left_out(text):
    X, _ = drawn()
    X = X.astype(float)
    X[::3, 0] = np.nan
    given = X
    if text:
        given = np.array([[None if v != v else "ny"[int(v)] for v in row] for row in X], object)
    found = LabelAggregator().fit(given)
    assert found.classes_.tolist() == (["n", "y"] if text else [0.0, 1.0])
    assert found.result_.patterns.min() == -1
    assert len(found.predict(given)) == len(X)


def test_a_tie_goes_to_the_first_class():
    X = [[0, 1], [1, 1], [0, 0]]
    assert LabelAggregator(method="majority").fit_predict(X).tolist() == [0, 1, 0]


def test_refusals():
    X, _ = drawn()
    with pytest.raises(NotFittedError):
        LabelAggregator().predict(X)
    found = LabelAggregator().fit(X)
    with pytest.raises(ae.DataError, match="X must hold labels seen in fit; got"):
        found.predict(X + 5)
    with pytest.raises(ae.NotIdentifiableError, match="n_features = 2"):
        LabelAggregator(method="dawid-skene").fit(X[:, :2])
    with pytest.raises(ae.DataError, match="setting 'nonsense'"):
        LabelAggregator(settings={"nonsense": 1}).fit(X)
    with pytest.raises(ValueError, match="must hold at least one answer"):
        LabelAggregator().fit(np.full((4, 3), np.nan))


def test_settings_survive_a_clone():
    told = clone(LabelAggregator(method="dawid-skene", settings={"prior": 2}))
    assert told.get_params() == {
        "method": "dawid-skene",
        "settings": {"prior": 2},
        "learn": False,
    }
    X, _ = drawn()
    assert told.fit(X).result_.settings["prior"] == 2


def test_labels_of_some_rows_are_read_where_that_is_wanted():
    X, key = drawn()
    y = np.where(np.arange(len(key)) < 30, 1 - key, -1)
    plain = LabelAggregator().fit(X, y)
    learned = LabelAggregator(learn=True).fit(X, y)
    assert np.array_equal(plain.predict_proba(X), LabelAggregator().fit(X).predict_proba(X))
    assert learned.result_.learned.n == 30
    assert (learned.labels_[:30] == 1 - key[:30]).all()
    assert (learned.predict(X)[30:] != key[30:]).mean() > 0.5
    some = y.astype(float)
    some[y < 0] = np.nan
    again = LabelAggregator(learn=True).fit(X, some)
    assert np.array_equal(again.predict_proba(X), learned.predict_proba(X))
    with pytest.raises(ae.DataError, match="one entry a row"):
        LabelAggregator(learn=True).fit(X, y[:5])
