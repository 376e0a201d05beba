"""Settings checked once: whole numbers, numbers, and choices from a list."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from operator import index
from typing import TypeVar

from algeval.errors import DataError
from algeval.result.wording import did_you_mean

__all__ = ["check_choice", "check_number", "check_whole"]

Choice = TypeVar("Choice")


def check_whole(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """Return a whole number of at least `least` (and at most `most`), or say what is wrong.

    A float that is a whole number is one; a truth value is none.
    """
    try:
        plain = isinstance(value, bool)
        number = least - 1 if plain else _as_whole(value)
    except (TypeError, ValueError, OverflowError):
        number = least - 1
    if number < least or (most is not None and number > most):
        rule = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise DataError(f"{name} must be a whole number {rule}; got {value!r}; change it")
    return number


def _as_whole(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return index(value)  # type: ignore[arg-type]


def check_number(
    name: str,
    value: object,
    *,
    least: float | None = None,
    most: float | None = None,
    strict: bool = False,
) -> float:
    """Return a finite number within bounds, or say what is wrong.

    strict : whether the bounds themselves are refused.
    """
    try:
        number = float("nan") if isinstance(value, bool | str) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    low = least is not None and (number < least or (strict and number == least))
    high = most is not None and (number > most or (strict and number == most))
    if not isfinite(number) or low or high:
        raise DataError(f"{name} must be {_bounds(least, most, strict)}; got {value!r}; change it")
    return number


def _bounds(least: float | None, most: float | None, strict: bool) -> str:
    if least is not None and most is not None:
        return f"{'between' if strict else 'from'} {least:g} {'and' if strict else 'to'} {most:g}"
    if least is not None:
        return f"above {least:g}" if strict else f"at least {least:g}"
    if most is not None:
        return f"below {most:g}" if strict else f"at most {most:g}"
    return "a finite number"


def check_choice(name: str, value: Choice, choices: Sequence[Choice]) -> Choice:
    """Return one of the choices, or say which there are."""
    if value not in choices:
        near = did_you_mean(value, choices)
        raise DataError(f"{name} must be one of {list(choices)}; got {value!r}; {near}")
    return value
