import numpy as np
import pytest

from algeval.io.answers import Column
from algeval.io.engines import in_order
from algeval.io.tuples import Grouped


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]])
def test_rows_stand_in_the_order_of_their_texts_whatever_order_they_came_in(order):
    rows = [("a", 10, 1), ("a", 9, 2), ("b", None, 3), (None, 9, 4)]
    rows = [rows[place] for place in order]
    names, numbers = ("b", "a"), (9, 10)
    first = np.array([-1 if n is None else names.index(n) for n, _, _ in rows])
    second = np.array([-1 if x is None else numbers.index(x) for _, x, _ in rows])
    table = Grouped(
        {"i": Column("i", names, first), "j": Column("j", numbers, second)},
        np.array([n for _, _, n in rows]),
    )
    assert in_order(table).weights.tolist() == [4, 1, 2, 3]  # "10" stands before "9"
    assert in_order(table).column("i").texts() == [None, "a", "a", "b"]
