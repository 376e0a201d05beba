"""A symmetric matrix of rank one from some of its entries, a few of which may be far off."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate.em import Step, iterate
from algeval.aggregate.results import End, Floats

__all__ = ["rank_one", "signs", "trimmed_means"]


def rank_one(X: Floats, seen: Any, *, edge: float, tol: float, max_iter: int) -> tuple[Floats, End]:
    """Return s (N,) with |X[i, j]| near s_i s_j where `seen`, and how the search ended.

    X ~ u v' is fitted by turns (Ma and Olshevsky 2020, algorithm 1); nothing falls below `edge`.
    """
    size = np.abs(X)

    def step(state: tuple[Floats, Floats]) -> Step:
        u, v = state
        right = np.maximum(trimmed_means(size, seen, u, v), edge)
        left = np.maximum(trimmed_means(size, seen, right, u), edge)
        moved = np.abs(np.outer(left, right) - np.outer(u, v)).max()
        return Step((left, right), (left, right), float(moved))

    start = np.full(len(X), max(edge, np.sqrt(size[seen].mean())))
    (u, v), end = iterate(step, (start, start), tol=tol, n_items=1, max_iter=max_iter)
    found: Floats = u * np.sqrt(np.linalg.norm(v) / np.linalg.norm(u))
    return found, end


def trimmed_means(size: Floats, seen: Any, other: Floats, present: Floats) -> Floats:
    """Return (N,) means of size[:, j] / other, at most F left out at either end.

    Left out are the F largest and the F smallest, as far as they lie beyond the present value of j;
    F is half the least number of entries seen in a column, less one.
    """
    ratios = np.where(seen, size / other[:, None], np.nan)
    degree = seen.sum(axis=0)
    F = max(0, int(degree.min()) // 2 - 1)
    low = np.minimum((ratios < present).sum(axis=0), F)
    high = degree - np.minimum((ratios > present).sum(axis=0), F)
    rank = np.arange(len(size))[:, None]
    kept = (rank >= low) & (rank < high)
    result: Floats = np.where(kept, np.sort(ratios, axis=0), 0.0).sum(axis=0) / kept.sum(axis=0)
    return result


def signs(X: Floats) -> Floats:
    """Return (N,) signs of the leading eigenvector of sign(X), most of them positive."""
    leading = np.linalg.eigh(np.sign(X))[1][:, -1]
    lean = np.sign(leading.sum()) or 1.0
    return np.where(leading * lean < 0, -1.0, 1.0)
