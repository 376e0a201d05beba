"""Polynomials in floating point, with gradients: for proposals only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.domain import Domain, Polynomial

__all__ = ["FloatPolynomial"]

Array = NDArray[np.float64]


class FloatPolynomial:
    """A polynomial as an array of exponents and one of coefficients."""

    def __init__(self, domain: Domain, polynomial: Polynomial) -> None:
        table = polynomial.to_dict() or {(0,) * domain.n: 0}
        self._powers = np.array([[int(k) for k in powers] for powers in table], float)
        self._values = np.array([float(_number(v)) for v in table.values()])
        degrees = self._powers.max(axis=0)
        self._used = [int(c) for c in np.flatnonzero(degrees)]

    def __call__(self, point: Array) -> float:
        """Return the value at a point."""
        return float(self._values @ np.prod(point**self._powers, axis=1))

    def gradient(self, point: Array) -> Array:
        """Return the derivatives at a point."""
        slopes = np.zeros(len(point))
        for c in self._used:
            lower = self._powers.copy()
            lower[:, c] = np.maximum(lower[:, c] - 1, 0)
            factor = self._values * self._powers[:, c]
            slopes[c] = factor @ np.prod(point**lower, axis=1)
        return slopes


def _number(value: object) -> float:
    top, bottom = getattr(value, "p", value), getattr(value, "q", 1)
    return int(top) / int(bottom)  # type: ignore[call-overload, no-any-return]
