"""The one place that says which orders of logic there are, and which one to use."""

from __future__ import annotations

from algeval.errors import DataError
from algeval.logic.inputs import Data

__all__ = ["resolve_order"]

AVAILABLE: tuple[int | str, ...] = (1,)


def resolve_order(data: Data, order: int | str | None) -> int | str:
    """Return the order to use; None asks for the highest the data supports."""
    if order is None:
        return AVAILABLE[-1]
    if order not in AVAILABLE or isinstance(order, bool):
        raise DataError(
            f"order must be one of {list(AVAILABLE)} or None; got {order!r}; "
            "other orders are not available yet"
        )
    return order
