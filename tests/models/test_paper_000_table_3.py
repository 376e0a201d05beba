"""Paper 000, Table 3: the accuracy of uniform majority among independent judges, exactly."""

import numpy as np
import pytest

from algeval.models.binary import TwoClass, logit, patterns
from algeval.models.ising import Ising

SETUPS = {
    1: ([0.90, 0.90, 0.90, 0.90, 0.90, 0.90], [0.90, 0.90, 0.90, 0.95, 0.90, 0.95]),
    2: ([0.26, 0.53, 0.64, 0.50, 0.67, 0.70], [0.34, 0.54, 0.65, 0.76, 0.70, 0.30]),
    3: ([0.26, 0.30, 0.24, 0.50, 0.70, 0.80], [0.80, 0.90, 0.50, 0.60, 0.37, 0.23]),
    4: ([0.60, 0.63, 0.74, 0.75, 0.67, 0.80], [0.70, 0.59, 0.95, 0.86, 0.77, 0.83]),
}


def truth(setup):
    sensitivity, specificity = (np.array(row) for row in SETUPS[setup])
    flat = np.zeros((6, 6))
    return TwoClass(0.5, Ising(logit(1 - specificity), flat), Ising(logit(sensitivity), flat))


@pytest.mark.parametrize(("setup", "exact"), [(1, 0.9948), (2, 0.5946), (3, 0.5347), (4, 0.9104)])
def test_uniform_majority_exactly(setup, exact):
    """Erratum: the text says strict majority; the table needs ties to count as 1."""
    ones = patterns(6).sum(axis=1)
    assert round(1 - truth(setup).risk(ones >= 3), 4) == exact


def test_strict_majority_does_not_give_the_table():
    ones = patterns(6).sum(axis=1)
    strict = [1 - truth(setup).risk(ones > 3) for setup in SETUPS]
    printed = (0.9950, 0.5970, 0.5200, 0.9170)
    assert max(abs(a - b) for a, b in zip(strict, printed, strict=True)) > 0.03
