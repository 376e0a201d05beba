"""MMSR: judges' skills from their pairwise agreement alone, robust to a few judges gone astray."""

from __future__ import annotations

import numpy as np

from algeval.aggregate.em import Step, iterate
from algeval.aggregate.fitting import Data, fewest, n_heard, refused, run_settings
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.methods.wawa import weighted_vote
from algeval.aggregate.results import Aggregation, Floats
from algeval.data import Sketch
from algeval.data.settings import check_number

__all__ = ["mmsr"]


def mmsr(
    data: Data, *, smoothing: float = 1.0, tol: float = 1e-6, max_iter: int = 2000
) -> Aggregation:
    """Weigh judges by the log-odds of skills that explain how often each two of them agree.

    Use it as a reference where some judges answer at random or against the others. It assumes
    labels about equally frequent, independent errors, one skill per judge, and that most judges are
    better than chance. Any number of labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    smoothing : float
        Votes of the heaviest judge's weight shared evenly among the labels before shares are
        taken; see `majority`.
    tol, max_iter
        Converged when no product of two skills moves by more than `tol`. Trimming may turn in
        circles: then the status says so.

    Returns
    -------
    Aggregation
        MMSR gives labels only: `posterior` holds smoothed shares of the weights, no probabilities;
        a judge of negative weight counts for all labels it did not give. `evaluation` grades the
        judges against the labels found; `parameters` holds the weights, at most 1 in size.
        Status ok; not_converged; not_identifiable with fewer than 3 judges, or where the pairs of
        judges with common items are not connected by an odd circle, which settles no skills.

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
    ([0, 0, 0], [1.0, 1.0, 1.0, -1.0])
    """
    settings = {
        "smoothing": check_number("smoothing", smoothing, least=0.0),
        **run_settings(tol=tol, max_iter=max_iter),
    }
    read = read_patterns(data)
    together, matched = _pairs(read.sketch)
    reason = _refusal(read.sketch, together)
    if reason:
        return refused(read, "mmsr", settings, reason)
    R, heard = read.sketch.n_labels, together.any(axis=1)
    seen = together[np.ix_(heard, heard)] > 0
    share = matched[np.ix_(heard, heard)] / np.maximum(together[np.ix_(heard, heard)], 1)
    X = np.where(seen, (R * share - 1) / (R - 1), 0.0)
    edge = 1 / np.sqrt(read.sketch.n_items)

    def step(state: tuple[Floats, Floats]) -> Step:
        u, v = state
        right = _trimmed(np.abs(X), seen, u, v, edge)
        left = _trimmed(np.abs(X), seen, right, u, edge)
        moved = np.abs(np.outer(left, right) - np.outer(u, v)).max()
        return Step((left, right), (left, right), float(moved))

    start = np.full(len(X), np.sqrt(np.abs(X[seen]).mean()))
    run = {name: settings[name] for name in ("tol", "max_iter")}
    (u, v), end = iterate(step, (start, start), n_items=1, **run)
    skill = _signs(X) * u * np.sqrt(np.linalg.norm(v) / np.linalg.norm(u))
    chance = np.clip(skill, edge - 1 / (R - 1), 1 - edge) * (R - 1) / R + 1 / R
    weight = np.zeros(read.sketch.n_judges)
    weight[heard] = np.log((R - 1) * chance / (1 - chance))
    weight /= max(np.abs(weight).max(), edge)
    end = end._replace(what="The search for skills")
    return weighted_vote(read, "mmsr", settings, weight, name="MMSR", end=end)


def _pairs(sketch: Sketch) -> tuple[Floats, Floats]:
    """Return (N, N) items both judges labelled, and those they agree on; 0 on the diagonal."""
    hot = [(sketch.codes == place).astype(float) for place in range(sketch.n_labels)]
    counts = sketch.counts[:, None]
    matched, given = sum(said.T @ (said * counts) for said in hot), sum(hot)
    together = np.asarray(given).T @ (given * counts)
    off = ~np.eye(sketch.n_judges, dtype=bool)
    return together * off, np.asarray(matched) * off


def _refusal(sketch: Sketch, together: Floats) -> str:
    """Return why the pairs settle no skills: only a connected graph with an odd circle does."""
    from scipy.sparse.csgraph import connected_components

    heard, least = n_heard(sketch), fewest("mmsr")
    if heard < least or sketch.n_labels < 2:
        return f"MMSR must have at least {least} judges and 2 labels; got {heard} judges; add some"
    met = (together > 0)[np.ix_(together.any(axis=1), together.any(axis=1))]
    none = np.zeros_like(met)
    if met.any() and connected_components(np.block([[none, met], [met, none]]))[0] == 1:
        return ""
    return (
        "MMSR must have judges whose common items connect them in an odd circle; got separate "
        "groups, or two sides; use another method"
    )


def _trimmed(X: Floats, seen: Floats, other: Floats, present: Floats, edge: float) -> Floats:
    """Return (N,) means of X[:, j] / other, the F largest and smallest beyond `present` left out."""
    ratios = np.where(seen, X / np.maximum(other, edge)[:, None], np.nan)
    degree = seen.sum(axis=0)
    F = max(0, int(degree.min()) // 2 - 1)
    low = np.minimum((ratios < present).sum(axis=0), F)
    high = degree - np.minimum((ratios > present).sum(axis=0), F)
    rank = np.arange(len(X))[:, None]
    kept = (rank >= low) & (rank < high)
    result: Floats = np.where(kept, np.sort(ratios, axis=0), 0.0).sum(axis=0) / kept.sum(axis=0)
    return np.maximum(result, edge)


def _signs(X: Floats) -> Floats:
    """Return (N,) signs of the leading eigenvector of sign(X), most of them positive."""
    leading = np.linalg.eigh(np.sign(X))[1][:, -1]
    lean = np.sign(leading.sum()) or 1.0
    return np.where(leading * lean < 0, -1.0, 1.0)
