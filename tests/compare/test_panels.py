"""Copies of an attribute correlate as told, and stand on the judges' scale."""

import numpy as np
import pytest
from scipy.stats import norm, rankdata

import algeval as ae
from algeval.compare import with_copies
from algeval.errors import DataError


def scores(n=20_000, seed=0):
    rng = np.random.default_rng(seed)
    length = np.exp(rng.normal(size=n))
    values = rng.normal(size=(n, 2)) * [2.0, 4.0] + [3.0, 5.0]
    return length, ae.Scores(range(n), ["i", "j"], values, None, {"length": length.tolist()})


def test_copies_correlate_with_the_attribute_and_each_other_as_told():
    length, panel = scores()
    found = with_copies(panel, "length", 3, reliability=0.81, seed=5)
    assert found.judges[2:] == ("length copy 1", "length copy 2", "length copy 3")
    copies = found.values[:, 2:]
    trait = norm.ppf((rankdata(length) - 0.5) / len(length))
    corr = np.corrcoef(np.column_stack([trait, copies]).T)
    np.testing.assert_allclose(corr[0, 1:], 0.9, atol=0.01)
    np.testing.assert_allclose(corr[np.triu_indices(4, 1)][3:], 0.81, atol=0.02)
    np.testing.assert_allclose(copies.mean(axis=0), panel.values.mean(), atol=0.1)
    np.testing.assert_allclose(copies.std(axis=0), 3.0, atol=0.1)
    assert np.array_equal(found.values[:, :2], panel.values)


def test_items_without_the_attribute_get_no_copy_and_seeds_repeat():
    panel = ae.Scores.from_columns({"i": [1, 2, 3, 9]})
    more = {"n": [5, None, 7, 8]}
    one, two, other = (with_copies(panel, "n", 2, seed=s, attributes=more) for s in (1, 1, 2))
    assert np.isnan(one.values[1, 1:]).all()
    assert one == two != other


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"attribute": "words"}, "'words' must be one of"),
        ({"k": 0}, "k must be a whole number"),
        ({"reliability": 1.2}, "reliability must be from 0 to 1"),
        ({"attribute": "same", "attributes": {"same": [1] * 50}}, "'same' must vary"),
    ],
)
def test_bad_input_is_refused(change, message):
    _, panel = scores(50)
    with pytest.raises(DataError, match=message):
        with_copies(panel, **{"attribute": "length", "k": 2} | change)
