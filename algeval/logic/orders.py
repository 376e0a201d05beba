"""The one place that says which orders of logic there are, and which one to use."""

from __future__ import annotations

from algeval.data import Summary
from algeval.errors import DataError
from algeval.logic.inputs import Data

__all__ = ["order_words", "resolve_order"]

Order = int | str


def resolve_order(data: Data, order: Order | None, *, full: bool = False) -> Order:
    """Return the order to use; None asks for the highest the data support, or else for order 1.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
        A summary supports order 1 only, as does a single judge.
    order : int, "full" or None
        The number of judges means "full".
    full : bool
        Whether None means the highest order; where that may take long it means order 1.
    """
    joint = not isinstance(data, Summary) and _n_judges(data) > 1
    available: tuple[Order, ...] = (1,)
    if joint:
        available = (1, "full") if _n_judges(data) == 2 else (1, 2, "full")
    if order is None:
        return available[-1] if full else 1
    wanted = "full" if joint and order == _n_judges(data) and order != 1 else order
    if wanted not in available or isinstance(order, bool):
        raise DataError(
            f"order must be one of {list(available)} or None (counts per judge, or one judge, have "
            f"order 1 only); got {order!r}; choose one of them"
        )
    return wanted


def order_words(order: Order) -> str:
    """Return the order as a sentence names it."""
    return "full order" if order == "full" else f"order {order}"


def _n_judges(data: Data) -> int:
    plain = getattr(data, "sketch", data)
    return len(data.judges if callable(plain) else plain.judges)  # type: ignore[union-attr]
