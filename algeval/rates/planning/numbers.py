"""Numbers as people write them: 0.8, "80%" and "4/5" are the same."""

from __future__ import annotations

from typing import Any

from algeval.errors import DataError
from algeval.result import exact

__all__ = ["number"]


def number(
    given: dict[str, Any],
    name: str,
    *,
    least: float = 0,
    most: float | None = None,
    strict: bool = True,
) -> float:
    """Return a setting as a number between bounds, which `strict` refuses.

    Raises
    ------
    DataError
        If it is none, or out of bounds.

    Examples
    --------
    >>> number({"rate": "70%"}, "rate", most=1)
    0.7
    """
    value = float(exact(given[name], name))
    below = value <= least if strict else value < least
    above = most is not None and (value >= most if strict else value > most)
    if below or above:
        rule = f"above {least:g}" if strict else f"from {least:g}"
        if most is not None:
            rule += f" and below {most:g}" if strict else f" to {most:g}"
        raise DataError(f"{name} must be {rule}; got {given[name]!r}; change it")
    return value
