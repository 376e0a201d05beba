"""Polynomials in floating point, with gradients: for proposals only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.domain import Domain, Polynomial

__all__ = ["FloatPolynomial"]

Array = NDArray[np.float64]

_TINY = 1e-12
"""Coordinates are kept above this, so that logarithms and quotients exist."""


class FloatPolynomial:
    """A polynomial as an array of exponents and one of coefficients."""

    def __init__(self, domain: Domain, polynomial: Polynomial) -> None:
        self._powers = np.zeros((len(polynomial), domain.n))
        self._values = np.zeros(len(polynomial))
        for row, (powers, value) in enumerate(polynomial.to_dict().items()):
            self._powers[row] = [int(k) for k in powers]
            self._values[row] = int(value.p) / int(value.q)

    def __call__(self, point: Array) -> float:
        """Return the value at a point."""
        return float(self._terms(np.maximum(point, _TINY)).sum())

    def gradient(self, point: Array) -> Array:
        """Return the derivatives at a point."""
        inner = np.maximum(point, _TINY)
        slopes: Array = self._terms(inner) @ self._powers / inner
        return slopes

    def _terms(self, point: Array) -> Array:
        terms: Array = self._values * np.exp(self._powers @ np.log(point))
        return terms
