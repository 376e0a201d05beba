"""Which order answers: the one place where its name becomes an object."""

from __future__ import annotations

from algeval.data.reading import as_sketch
from algeval.logic.exam import Data, Exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.pairs import Order2

__all__ = ["order_of"]


def order_of(data: Data, exam: Exam, name: int | str) -> Order:
    """Return the order of this name on the data; `exam` is what was read from them."""
    if name == 1:
        return Order1(exam)
    sketch = as_sketch(data, f"order {name} needs them; use order=1")
    return Full(exam, sketch) if name == "full" else Order2(exam, sketch)
