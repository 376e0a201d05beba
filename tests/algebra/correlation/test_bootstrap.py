"""Resampled tests decoded again."""

import numpy as np
import pytest

from algeval.algebra.correlation import bootstrap
from algeval.data import Sketch
from algeval.errors import DataError, TooLargeError
from algeval.result import Status


def test_bootstrap_is_seeded_counts_statuses_and_covers_the_estimate(table_1):
    one, two = bootstrap(table_1, seed=3), bootstrap(table_1, seed=3)
    assert one.prevalence.tolist() == two.prevalence.tolist()
    assert one.prevalence.tolist() != bootstrap(table_1, seed=4).prevalence.tolist()
    assert sum(one.status_counts.values()) == one.n_samples == 1000
    low, high = one.prevalence
    assert low < 0.0887 < high
    assert 0.06 < high - low < 0.14
    assert "of the population" in one.message


def test_bootstrap_of_unrelated_judges_is_undetermined():
    result = bootstrap(Sketch.from_counts({"aaa": 5}, labels=["a", "b"]), n_samples=20)
    assert (result.status, result.n_used) == (Status.UNDETERMINED, 0)
    assert np.isnan(result.prevalence).all()
    assert "resampling says nothing" in result.message
    assert "nan" not in result.summary()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap(Sketch.from_counts({"abc": 1})), "two labels"),
        (
            lambda: bootstrap(Sketch.from_counts({"aba": 1}), level=2),
            "level must be between 0 and 1; got 2",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_a_bootstrap_larger_than_memory_is_refused(table_1):
    with pytest.raises(TooLargeError, match="at most 1000000; got 1000000000, whose counts"):
        bootstrap(table_1, n_samples=10**9)
