"""Neighbours among the fractions whose denominator is at most Q, exactly."""

from fractions import Fraction

__all__ = ["farey_floor", "next_fraction", "previous_fraction"]


def _neighbour(value: Fraction, largest: int, sign: int) -> Fraction:
    """Return the nearest fraction above (sign 1) or below (sign -1) one of denominator <= Q."""
    a, b = value.numerator, value.denominator
    first = (-sign * pow(a, -1, b)) % b if b > 1 else 0
    d = largest - (largest - first) % b
    return Fraction(a * d + sign, b * d)


def next_fraction(value: Fraction, largest: int) -> Fraction:
    """Return the smallest fraction above `value` with denominator at most `largest`.

    An accuracy is a fraction with denominator at most the number of items, so "> x" and ">= the
    next fraction after x" ask the same of it.

    Examples
    --------
    >>> next_fraction(Fraction(5, 8), 25), next_fraction(Fraction(1), 10)
    (Fraction(12, 19), Fraction(11, 10))
    """
    near = value.limit_denominator(largest)
    return near if near > value else _neighbour(near, largest, 1)


def previous_fraction(value: Fraction, largest: int) -> Fraction:
    """Return the largest fraction below `value` with denominator at most `largest`."""
    near = value.limit_denominator(largest)
    return near if near < value else _neighbour(near, largest, -1)


def farey_floor(value: Fraction, largest: int) -> Fraction:
    """Return the largest fraction not above `value` with denominator at most `largest`."""
    near = value.limit_denominator(largest)
    return near if near <= value else _neighbour(near, largest, -1)
