"""Rates and beliefs as people write them, kept exact: 0.8, "80%" and "4/5" are the same."""

from __future__ import annotations

from fractions import Fraction

from algeval.errors import DataError
from algeval.result import exact

__all__ = ["exact_share"]


def exact_share(value: object, name: str) -> Fraction:
    """Return a setting as a fraction from 0 to 1.

    Raises
    ------
    DataError
        If it is none.

    Examples
    --------
    >>> exact_share("80%", "at_least")
    Fraction(4, 5)
    """
    share = exact(value, name)
    if not 0 <= share <= 1:
        raise DataError(
            f"{name} must lie from 0 to 1; got {value!r}; write 70 percent as 0.7 or '70%'"
        )
    return share
