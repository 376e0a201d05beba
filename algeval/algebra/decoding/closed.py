"""The closed form of three independent binary judges, classified in exact integers."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from algeval.algebra.decoding.trio import Trio, integer_moments
from algeval.algebra.decoding.verdict import (
    EMPTY,
    Solution,
    Verdict,
    binary_solution,
    judge_solutions,
)
from algeval.result import Exact, Quadratic, Status

__all__ = ["decode_closed", "square_part"]

_SMALL_PRIMES = [n for n in range(2, 1000) if all(n % k for k in range(2, isqrt(n) + 1))]


def decode_closed(trio: Trio) -> Verdict:
    """Return the verdict on a binary trio.

    With X, Y, Z, D the moments and s^2 = D^2 + 4 X Y Z, the two points are
    p = (s + D) / 2s, d_i = s / Z, d_j = s / Y, d_k = s / X, one for each sign of s; nothing here
    divides by a moment that may vanish.
    """
    if not trio.n_used:
        return EMPTY
    moments = integer_moments(trio.flat)
    x, y, z, d = moments[4:]
    if 0 in (x, y, z):
        return _degenerate((x, y, z), d)
    a = d * d + 4 * x * y * z
    if a < 0:
        return Verdict(Status.COMPLEX, "the discriminant D^2 + 4XYZ is negative", dimension=0)
    if a == 0:
        return Verdict(Status.INCONSISTENT, "D^2 + 4XYZ is zero while XYZ is not")
    scale, rest = square_part(a)
    return judge_solutions([_point(moments, sign * scale, rest) for sign in (1, -1)], trio)


def _degenerate(pairs: tuple[int, int, int], d: int) -> Verdict:
    zeros = [place for place, value in enumerate(pairs) if value == 0]
    if len(zeros) == 1:
        return Verdict(Status.INCONSISTENT, "exactly one pair of judges is uncorrelated")
    if d != 0:
        return Verdict(
            Status.INCONSISTENT,
            "the pairs are uncorrelated but the three judges together are not independent",
        )
    if len(zeros) == 2:
        (correlated,) = set(range(3)) - set(zeros)
        alone = {0: 2, 1: 1, 2: 0}[correlated]
        return Verdict(
            Status.UNDETERMINED,
            "one judge answers both labels alike, and two judges cannot be graded alone",
            dimension=2,
            uninformative=(alone,),
        )
    return Verdict(
        Status.UNDETERMINED,
        "the judges' answers are unrelated: only one label occurs, or at least two of the judges "
        "answer both labels alike",
        dimension=3,
    )


def _point(moments: tuple[int, ...], b: int, rest: int) -> Solution:
    """Return the point for s = b * sqrt(rest) / Q^3, in integers until the last division."""
    q, n_i, n_j, n_k, x, y, z, d = moments
    half = Fraction(1, 2)
    p = Quadratic.make(half, Fraction(d, 2 * b * rest), rest)
    accuracies: list[tuple[Exact, Exact]] = []
    for n, opposite in ((n_i, z), (n_j, y), (n_k, x)):
        scale = 2 * q * opposite
        slope = Fraction(b, scale)
        on_a = Quadratic.make(Fraction(2 * opposite * (q - n) - d, scale), slope, rest)
        on_b = Quadratic.make(Fraction(2 * opposite * n + d, scale), slope, rest)
        accuracies.append((on_a, on_b))
    return binary_solution(p, accuracies)


def square_part(n: int) -> tuple[int, int]:
    """Return (k, m) with n = k^2 m for n > 0: m = 1 exactly when n is a square.

    Squares of small primes are taken out of m so that roots print short; m need not be square-free.
    """
    root = isqrt(n)
    if root * root == n:
        return root, 1
    k = 1
    for prime in _SMALL_PRIMES:
        square = prime * prime
        if square > n:
            break
        while n % square == 0:
            n //= square
            k *= prime
    root = isqrt(n)
    return (k * root, 1) if root * root == n else (k, n)
