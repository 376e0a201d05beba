"""Three judges' counts as one exact table: what every decoder reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.data.names import NOT_ANSWERED, check_names
from algeval.data.reading import Data, as_sketch
from algeval.errors import DataError, TooLargeError

__all__ = ["Moments", "Trio", "integer_moments", "moments_of", "trio_of"]

_MOST_ANSWERS = 64


@dataclass(frozen=True, slots=True)
class Moments:
    """Exact moments of a binary trio's decision frequencies (Algebraic Evaluation, S9-S15).

    Attributes
    ----------
    marginals : tuple of 3 Fraction
        How often each judge gave the second label.
    pairs : tuple of 3 Fraction
        X, Y, Z: the covariances of judges (1, 2), (1, 3) and (2, 3).
    trio : Fraction
        D: the third central moment of the three judges.
    """

    marginals: tuple[Fraction, Fraction, Fraction]
    pairs: tuple[Fraction, Fraction, Fraction]
    trio: Fraction

    @property
    def product(self) -> Fraction:
        """T = X Y Z; negative when no prevalence inside (0, 1) fits."""
        x, y, z = self.pairs
        return x * y * z

    @property
    def discriminant(self) -> Fraction:
        """A = D^2 + 4 T, which independent errors make the square of a fraction (S17)."""
        return self.trio**2 + 4 * self.product


@dataclass(frozen=True, slots=True, eq=False)
class Trio:
    """The items all three judges answered, counted by decision tuple.

    Attributes
    ----------
    table : nested tuples of int, shape (A, A, A)
        Counts by the answers of the three judges; answers after the labels that none of the three
        gave are dropped.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    table: tuple[tuple[tuple[int, ...], ...], ...]
    n_items: int
    n_used: int
    sketch_digest: str

    @property
    def binary(self) -> bool:
        """Whether there are two labels and no answer beyond them."""
        return len(self.answers) == 2 == len(self.labels)

    @property
    def flat(self) -> tuple[int, ...]:
        """The counts in lexicographic order of the decision tuples."""
        return tuple(count for plane in self.table for row in plane for count in row)


def trio_of(data: Data, judges: Iterable[object] | None = None) -> Trio:
    """Return the table of three judges over the items all three answered."""
    sketch = as_sketch(data)
    names = sketch.judges if judges is None else check_names("judge", judges)
    if len(names) != 3:
        raise DataError(
            f"decoding must read exactly three judges; got {len(names)}; pass judges=[...] with three"
        )
    if sketch.n_labels < 2:
        raise DataError(
            f"decoding must have at least two labels; got {list(sketch.labels)}; pass labels="
        )
    part = sketch.marginal(names)
    kept = (part.codes != NOT_ANSWERED).all(1)
    codes, counts = part.codes[kept], part.counts[kept]
    used = sorted(set(range(part.n_labels)) | {int(c) for c in np.unique(codes)})
    place = {code: position for position, code in enumerate(used)}
    size = len(used)
    if size > _MOST_ANSWERS:
        raise TooLargeError(
            f"decoding must have at most {_MOST_ANSWERS} answers; got {size}, a table of {size**3} "
            "cells; merge answers, or cut scores into labels"
        )
    table = np.zeros((size, size, size), dtype=object)
    for (i, j, k), count in zip(codes.tolist(), counts.tolist(), strict=True):
        table[place[i], place[j], place[k]] += count
    return Trio(
        part.judges,
        part.labels,
        tuple(part.answers[code] for code in used),
        tuple(tuple(tuple(int(c) for c in row) for row in plane) for plane in table.tolist()),
        sketch.n_items,
        int(counts.sum()),
        sketch.digest,
    )


def integer_moments(flat: Any) -> tuple[Any, ...]:
    """Return Q, n_i, n_j, n_k, Q^2 X, Q^2 Y, Q^2 Z and Q^3 D of the eight counts AAA, AAB, ...

    The counts are whole numbers, or arrays of them: one trio or many.
    """
    _, aab, aba, abb, baa, bab, bba, bbb = flat
    q = sum(flat)
    n_ij, n_ik, n_jk = bba + bbb, bab + bbb, abb + bbb
    n_i, n_j, n_k = baa + bab + n_ij, aba + abb + n_ij, aab + abb + n_ik
    x, y, z = q * n_ij - n_i * n_j, q * n_ik - n_i * n_k, q * n_jk - n_j * n_k
    pairwise = n_i * n_jk + n_j * n_ik + n_k * n_ij
    d = q * q * bbb - q * pairwise + 2 * n_i * n_j * n_k
    return q, n_i, n_j, n_k, x, y, z, d


def moments_of(trio: Trio) -> Moments | None:
    """Return the exact moments of a binary trio, None for more answers or no items."""
    if not trio.binary or not trio.n_used:
        return None
    q, n_i, n_j, n_k, x, y, z, d = integer_moments(trio.flat)
    return Moments(
        (Fraction(n_i, q), Fraction(n_j, q), Fraction(n_k, q)),
        (Fraction(x, q**2), Fraction(y, q**2), Fraction(z, q**2)),
        Fraction(d, q**3),
    )
