"""MMSR: judges' skills from their pairwise agreement alone, robust to a few judges gone astray."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate.checks.agreement import pair_tables
from algeval.aggregate.fitting import Data, fewest, n_heard, refused, run_settings
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.kernels import rank_one as kernel
from algeval.aggregate.methods.wawa import weighted_vote
from algeval.aggregate.results import Aggregation
from algeval.data import Sketch
from algeval.data.settings import check_number

__all__ = ["mmsr"]


def mmsr(
    data: Data, *, smoothing: float = 1.0, tol: float = 1e-6, max_iter: int = 2000
) -> Aggregation:
    """Weigh judges by the log-odds of skills that explain how often each two of them agree.

    Use it as a reference where some judges answer at random or against the others. It assumes
    independent errors, one skill per judge whatever the label, and most judges above chance.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of the heaviest judge's weight shared evenly among the labels before shares are
        taken; see `majority`.
    tol, max_iter
        Converged when no product of two skills moves by more than `tol`.

    Returns
    -------
    Aggregation
        MMSR gives labels only: `posterior` holds smoothed shares of the weights, no probabilities;
        a judge of negative weight counts for the labels it did not give. `parameters` holds the
        weights, at most 1 in size. Status ok; not_converged; not_identifiable with fewer than 3
        judges, or where common items do not connect them in an odd circle, or no item is decided.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Ma and Olshevsky, Adversarial crowdsourcing through robust rank-one matrix completion (2020).
    With C the agreement of two judges, (R C - 1) / (R - 1) has mean s_i s_j. |s| is found by turns,
    each the mean of the ratios left when the F largest and F smallest beyond the present value are
    gone, F = least number of partners / 2 - 1. Signs are those of the leading eigenvector of the
    matrix of signs. A skill s is right with chance p = s (R - 1) / R + 1 / R, its weight
    log((R - 1) p / (1 - p)), s kept 1 / sqrt(items) off its ends.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaab": 5, "bbba": 5, "aabb": 1}, judges=["i", "j", "k", "l"])
    >>> mmsr(s).decisions.tolist(), mmsr(s).parameters["weight"].round(1).tolist()
    ([0, 0, 1], [1.0, 1.0, 1.0, -1.0])
    """
    settings = {
        "smoothing": check_number("smoothing", smoothing, least=0.0),
        **run_settings(tol=tol, max_iter=max_iter),
    }
    read = read_patterns(data)
    R = read.sketch.n_labels
    pairs = pair_tables(read.sketch.codes, read.sketch.counts, R)
    together = pairs.sum(axis=(2, 3)) * ~np.eye(len(pairs), dtype=bool)
    heard = together.any(axis=1)
    reason = _refusal(read.sketch, together > 0, heard)
    if reason:
        return refused(read, "mmsr", settings, reason)
    alike = np.trace(pairs, axis1=2, axis2=3) / np.maximum(together, 1)
    seen = (together > 0)[np.ix_(heard, heard)]
    X = np.where(seen, (R * alike[np.ix_(heard, heard)] - 1) / (R - 1), 0.0)
    edge = 1 / np.sqrt(read.sketch.n_items)
    run = {name: settings[name] for name in ("tol", "max_iter")}
    size, end = kernel.rank_one(X, seen, edge=edge, **run)
    skill = kernel.signs(X) * size
    chance = np.clip(skill, edge - 1 / (R - 1), 1 - edge) * (R - 1) / R + 1 / R
    weight = np.zeros(read.sketch.n_judges)
    weight[heard] = np.log((R - 1) * chance / (1 - chance))
    weight /= max(np.abs(weight).max(), edge)
    end = end._replace(what="The search for skills")
    return weighted_vote(read, "mmsr", settings, weight, name="MMSR", end=end)


def _refusal(sketch: Sketch, met: Any, heard: Any) -> str:
    """Return why the pairs settle no skills: only a connected graph with an odd circle does."""
    n, least = n_heard(sketch), fewest("mmsr")
    if n < least or sketch.n_labels < 2:
        return f"MMSR must have at least {least} judges and 2 labels; got {n} judges; add some"
    from scipy.sparse.csgraph import connected_components

    twice = np.kron([[0, 1], [1, 0]], met[np.ix_(heard, heard)])
    if len(twice) and connected_components(twice)[0] == 1:
        return ""
    return (
        "MMSR must have judges whose common items connect them in an odd circle; got separate "
        "groups, or two sides; use another method"
    )
