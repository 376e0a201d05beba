"""Truths that several claims share, and the one way to say that two computations agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from algeval.models.binary import Floats, TwoClass
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.ising import Ising

__all__ = [
    "LOWER",
    "PREVALENCE",
    "ROUNDING",
    "UPPER",
    "Classes",
    "agree",
    "both_log_pmf",
    "random_classes",
    "some_classes",
    "spins",
]

UPPER = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}
LOWER = {"beta0": 0.5, "field0": -0.5, "beta1": 5.0, "c": 1.0}
"""The two rows of Figure 4; both have the prevalence below."""
PREVALENCE = 0.7

ROUNDING = "1e-10, for rounding"
"""The tolerance of claims that hold exactly and are computed in floats."""


def agree(left: ArrayLike, right: ArrayLike, what: str, within: float = 1e-10) -> tuple[str, bool]:
    """Return what is compared, with how many values, and whether all differ by at most `within`."""
    one, other = np.broadcast_arrays(np.asarray(left, float), np.asarray(right, float))
    gap = float(np.abs(one - other).max())
    if not gap <= within:
        return f"{what}: differ by up to {gap:.3g}", False
    return f"{what}: equal, {one.size} values", True


class Classes(NamedTuple):
    """A prevalence of label 1, and the Ising laws of the votes on label 0 and on label 1."""

    prevalence: float
    no: Ising
    yes: Ising

    @property
    def truth(self) -> TwoClass:
        """The mixture."""
        return TwoClass(*self)


def random_classes(n_judges: int, seed: int, *, shared: bool = False) -> Classes:
    """Return two Ising classes drawn at random, with one coupling matrix for both if `shared`."""
    rng = np.random.default_rng(seed)

    def couplings() -> Floats:
        upper: Floats = np.triu(rng.normal(size=(n_judges, n_judges)), 1)
        return upper + upper.T

    first = couplings()
    second = first if shared else couplings()
    fields = rng.normal(size=(2, n_judges))
    prevalence = float(rng.uniform(0.1, 0.9))
    return Classes(prevalence, Ising(fields[0], first), Ising(fields[1], second))


def some_classes(*, shared: bool = False, n_judges: int = 5) -> Iterator[Classes]:
    """Yield twenty truths drawn at random, the same ones every time."""
    return (random_classes(n_judges, seed, shared=shared) for seed in range(20))


def both_log_pmf(
    n_judges: int, *, beta0: float, beta1: float, field0: float = 0.0, c: float = 0.0
) -> tuple[Floats, Floats]:
    """Return the log-probabilities of the number of 1 votes on label 0 and on label 1."""
    crowd = CurieWeiss(n_judges, beta0, field0)
    return crowd.log_pmf(), CurieWeiss(n_judges, beta1, c / n_judges).log_pmf()


def spins(n_judges: int) -> Floats:
    """Return (K + 1,): the magnetisation M, from -1 to 1, by the number of 1 votes."""
    result: Floats = 2 * np.arange(n_judges + 1) / n_judges - 1
    return result
