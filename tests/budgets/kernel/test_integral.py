import numpy as np
import pytest

from algeval.budgets.kernel import _sines


@pytest.mark.parametrize("nodes", [2, 3, 4, 7, 8, 31, 32, 33, 100])
def test_sines_by_turning_are_off_by_a_rounding_a_row_at_most(nodes):
    angle = np.pi / 4 / nodes * np.array([1.0, 0.37, 1e-3, 1e-9])
    found = _sines(angle, nodes)
    assert found.shape == (nodes - 1, 4)
    rows = np.arange(1, nodes)[:, None]
    assert (np.abs(found / np.sin(rows * angle) - 1) <= (rows + 1) * 2**-52).all()
