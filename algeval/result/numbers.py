"""Exact numbers: fractions, and a + b*sqrt(d) with a, b fractions and d a whole number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import total_ordering
from numbers import Rational, Real
from typing import TypeAlias

from algeval.errors import DataError

__all__ = ["MAX_DIGITS", "Exact", "Quadratic", "exact", "format_exact", "percent"]


def exact(value: object, name: str = "value") -> Fraction:
    """Read a number exactly as a person wrote it: 0.6 and "0.6" and "60%" all mean 3/5.

    Parameters
    ----------
    value : int, float, str, Fraction, Decimal or NumPy scalar
        A float means the decimal it prints as, not the nearest binary fraction.
    name : str
        What to call the number in an error.

    Raises
    ------
    DataError
        If `value` is not a finite number.

    Examples
    --------
    >>> exact(0.6), exact("60%"), exact("3/5")
    (Fraction(3, 5), Fraction(3, 5), Fraction(3, 5))
    """
    rational = _rational(value)
    if rational is not None:
        return rational
    if isinstance(value, Decimal):
        value = str(value)
    elif isinstance(value, Real) and not isinstance(value, bool):
        value = repr(float(value))
    if isinstance(value, str):
        return _from_text(value, name)
    raise DataError(
        f"{name} must be a number; got {value!r}; give an int, a fraction or text like '2/3'"
    )


def _rational(value: object) -> Fraction | None:
    """Return a whole number or fraction of any library as a `Fraction`, anything else as None."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        return None
    return Fraction(int(value.numerator), int(value.denominator))


def _from_text(text: str, name: str) -> Fraction:
    stripped = text.strip()
    scale = 1
    if stripped.endswith("%"):
        stripped, scale = stripped[:-1], 100
    _check_length(stripped, name)
    try:
        return (Fraction(stripped) if "/" in stripped else _decimal(stripped, name)) / scale
    except DataError:
        raise
    except (ValueError, ZeroDivisionError, InvalidOperation, OverflowError) as error:
        raise DataError(
            f"{name} must be a finite number; got {text!r}; write it like 0.6, '60%' or '3/5'"
        ) from error


MAX_DIGITS = 1000
"""Numbers that take more digits to write are refused: what rests on them could not be checked in time."""


def _check_length(text: str, name: str) -> None:
    if len(text) > 2 * MAX_DIGITS + 1 or max(map(len, text.split("/"))) > MAX_DIGITS:
        raise DataError(
            f"{name} must have at most {MAX_DIGITS} digits; got {text[:20]!r} and {len(text) - 20} "
            "characters more; round it"
        )


def _decimal(text: str, name: str) -> Fraction:
    """Return a decimal, but expand no power of ten beyond the limit on digits."""
    number = Decimal(text)
    if not number:
        return Fraction(0)
    if number.is_finite() and abs(number.adjusted()) > MAX_DIGITS:
        raise DataError(
            f"{name} must have an exponent from -{MAX_DIGITS} to {MAX_DIGITS}; got {text!r}; write it "
            "like 0.6, '60%' or '3/5'"
        )
    return Fraction(number)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """The exact real number a + b*sqrt(d), with d > 0 not a perfect square.

    Arithmetic stays inside the field of one d; mixing two different fields raises `DataError`.
    Comparisons are exact. Build with `Quadratic.make`, which returns a `Fraction` when b is zero
    or d is a perfect square.
    """

    a: Fraction
    b: Fraction
    d: int

    @staticmethod
    def make(a: Fraction | int, b: Fraction | int, d: int) -> Exact:
        """Return a + b*sqrt(d), as a `Fraction` whenever it is rational."""
        if d < 0:
            raise DataError(
                f"d must be >= 0 for a real number; got {d}; the number would be complex"
            )
        root = math.isqrt(d)
        if b == 0 or root * root == d:
            return Fraction(a) + Fraction(b) * root
        return Quadratic(Fraction(a), Fraction(b), d)

    def _pair(self, other: object) -> tuple[Fraction, Fraction] | None:
        if isinstance(other, Quadratic):
            if other.d == self.d:
                return other.a, other.b
            ratio = Fraction(other.d, self.d)
            root = _fraction_sqrt(ratio)
            if root is None:
                raise DataError(
                    f"numbers must share one square root; got sqrt({self.d}) and sqrt({other.d}); "
                    "compare them as floats instead"
                )
            return other.a, other.b * root
        rational = _rational(other)
        return None if rational is None else (rational, Fraction(0))

    def __add__(self, other: object) -> Exact:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        return Quadratic.make(self.a + pair[0], self.b + pair[1], self.d)

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.a, -self.b, self.d)

    def __sub__(self, other: object) -> Exact:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        return Quadratic.make(self.a - pair[0], self.b - pair[1], self.d)

    def __rsub__(self, other: object) -> Exact:
        return (-self) + other

    def __mul__(self, other: object) -> Exact:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        a, b = pair
        return Quadratic.make(self.a * a + self.b * b * self.d, self.a * b + self.b * a, self.d)

    __rmul__ = __mul__

    def _inverse(self) -> Exact:
        norm = self.a * self.a - self.b * self.b * self.d
        return Quadratic.make(self.a / norm, -self.b / norm, self.d)

    def __truediv__(self, other: object) -> Exact:
        pair = self._pair(other)
        if pair is None:
            return NotImplemented
        divisor = Quadratic.make(pair[0], pair[1], self.d)
        if isinstance(divisor, Quadratic):
            return self * divisor._inverse()
        return Quadratic.make(self.a / divisor, self.b / divisor, self.d)

    def __rtruediv__(self, other: object) -> Exact:
        pair = self._pair(other)
        return NotImplemented if pair is None else self._inverse() * pair[0]

    def sign(self) -> int:
        """Return -1 or 1: the exact sign (the number is irrational, hence never zero)."""
        a_sign, b_sign = _sign(self.a), _sign(self.b)
        if a_sign * b_sign >= 0:
            return b_sign
        return a_sign if self.a * self.a > self.b * self.b * self.d else b_sign

    def __eq__(self, other: object) -> bool:
        if isinstance(other, float):
            return float(self) == other
        try:
            pair = self._pair(other)
        except DataError:
            return False
        return pair is not None and pair == (self.a, self.b)

    def __hash__(self) -> int:
        return hash((self.a, self.b * self.b * self.d, _sign(self.b)))

    def __lt__(self, other: object) -> bool:
        if isinstance(other, float):
            return float(self) < other
        if self._pair(other) is None:
            return NotImplemented
        difference = self - other
        return (difference.sign() if isinstance(difference, Quadratic) else _sign(difference)) < 0

    def conjugate(self) -> Quadratic:
        """Return a - b*sqrt(d), the other root of the same quadratic."""
        return Quadratic(self.a, -self.b, self.d)

    def __float__(self) -> float:
        b_squared = self.b * self.b * self.d
        scale = 1 << max(0, 160 - _bits(b_squared))
        root = Fraction(math.isqrt(int(b_squared * scale * scale)), scale)
        return float(self.a + (root if self.b > 0 else -root))

    def __str__(self) -> str:
        sign = "+" if self.b > 0 else "-"
        return f"{self.a} {sign} {abs(self.b)}*sqrt({self.d})"


Exact: TypeAlias = Fraction | Quadratic
"""An exact real number: a fraction or a + b*sqrt(d)."""


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length()


def _fraction_sqrt(value: Fraction) -> Fraction | None:
    """Return the exact square root of a positive fraction, or None when it is irrational."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    root = Fraction(top, bottom)
    return root if root * root == value else None


def percent(value: Exact | float, digits: int = 1) -> str:
    """Return a number as a percentage a person reads.

    Examples
    --------
    >>> percent(Fraction(2, 3))
    '66.7%'
    """
    return f"{100 * float(value):.{digits}f}%"


def format_exact(value: Exact | float, digits: int = 1) -> str:
    """Return the percentage with its exact form behind it; floats and whole numbers stand alone.

    Examples
    --------
    >>> format_exact(Fraction(2, 3))
    '66.7% (2/3)'
    >>> format_exact(Fraction(1))
    '100.0%'
    """
    whole = isinstance(value, int) or (isinstance(value, Fraction) and value.denominator == 1)
    if isinstance(value, float) or whole:
        return percent(value, digits)
    return f"{percent(value, digits)} ({value})"
