"""C.3: scores that are not normal, read as normal scores, keep the links and the loadings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from algeval.aggregate import aggregate
from algeval.replicate.care.designs import table_of
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["levels"]

LOADING = np.array([0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5])
LINKED = {(0, 4), (2, 6)}
ITEMS, FREEDOM = 4000, 2.5
LEVELS = np.array([-1.2, -0.5, 0.3, 1.0])


def levels() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    kinds = (
        ("ordinal", "ordered levels", _ordinal, ""),
        ("mixed", "flags beside real scores", _mixed, ""),
        ("skewed", "skewed scores", _skewed, "on scores as they are the links are lost"),
        ("heavy", "rows with heavy tails (multivariate t)", _heavy_rows, ""),
    )
    return (
        *(_kept(name, what, see, note) for name, what, see, note in kinds),
        Claim(
            id="002-C.3-scale",
            place="C.3",
            printed="of a multivariate t or a scale mixture the covariance is the normal one times a number, "
            "and "
            "decomposes alike",
            compute=fact(_scaled_precision),
            note="in fractions, with 5 degrees of freedom: covariance 5/3 of the normal one",
        ),
        Claim(
            id="002-C.3-skewed-raw",
            place="C.3",
            printed="skewed scores need only a rescaling",
            verdict="conditional",
            compute=fact(lambda: _found(_skewed, "standardised", kept=False)),
            tolerance=SEEDED,
            note="not by a factor: links and loadings of skewed scores return with ranks (002-C.3-skewed)",
        ),
    )


SEEDED = "the set of links of the sparse part; 4,000 seeded items, one factor and two linked pairs"


def _kept(name: str, what: str, see: Callable[[Any, Any], Any], note: str) -> Claim:
    return Claim(
        id=f"002-C.3-{name}",
        place="C.3",
        printed=f"with {what} the graph of the judges is unchanged",
        compute=fact(lambda: _found(see, "normal", kept=True)),
        tolerance=SEEDED,
        note=note,
    )


def _panel(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    errors = np.eye(8)
    for i, j in LINKED:
        errors[i, j] = errors[j, i] = 0.45
    drawn = rng.multivariate_normal(np.zeros(8), errors, ITEMS) * np.sqrt(1 - LOADING**2)
    return rng.normal(size=(ITEMS, 1)) * LOADING + drawn


def _ordinal(x: Any, _: Any) -> Any:
    return 1.0 + (x[:, :, None] > LEVELS).sum(axis=2)


def _mixed(x: Any, _: Any) -> Any:
    return np.where(np.arange(8) % 2, x > np.repeat([0.0, -0.4, 0.4, 0.2], 2), x)


def _skewed(x: Any, _: Any) -> Any:
    return np.exp(2 * x)


def _heavy_rows(x: Any, rng: Any) -> Any:
    return x / np.sqrt(rng.chisquare(FREEDOM, size=(ITEMS, 1)) / FREEDOM)


def _found(see: Callable[[Any, Any], Any], scores: str, *, kept: bool) -> tuple[str, bool]:
    """Return the links found in three panels, and whether they are those planted in every one, or in none."""
    right = 0
    for seed in range(3):
        values = see(_panel(seed), np.random.default_rng(seed + 1000))
        table = table_of(values)
        setting = {"loss": "log-det", "sparse": 0.1, "low_rank": 0.2}
        found = aggregate(table, "care-svd", scores=scores, **setting)
        links = {tuple(sorted(map(int, pair))) for pair in found.parameters.get("edges", [])}
        right += links == LINKED
    return f"the two planted links, and no other, in {right} of 3 panels", right == (
        3 if kept else 0
    )


def _scaled_precision() -> tuple[str, bool]:
    sparse = sp.Matrix([[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 3, 0], [0, 0, 0, 3]])
    link = sp.Matrix([1, 1, 1, 1]) / 2
    precision = sparse - link * link.T
    scaled = (precision.inv() * sp.Rational(5, 3)).inv()
    rest = scaled - sparse * sp.Rational(3, 5)
    return f"3/5 of S less a part of rank {rest.rank()}", rest.rank() == 1
