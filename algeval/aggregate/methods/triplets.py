"""Triplet aggregation: judge quality from the moments of three judges at a time, no iteration.

The method of moments of discrete weak supervision. Given the label, independent judges have
Cov(x_i, x_j) = g_i g_j on spins x = +-1, with g_i^2 = cov_ij cov_ik / cov_jk for every pair j, k;
the median over pairs is taken. Third moments give the prevalence where it is not known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import log_table, posterior_of
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.aggregate.votes import vote_sums
from algeval.data.settings import check_number
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["triplets"]


def triplets(data: fitting.Data, *, prevalence: Any = "free", floor: float = 0.01) -> Aggregation:
    """Grade judges and label items from pairwise and triple agreement rates alone.

    Use it as a fast cross-check of 'dawid-skene': the same assumption (errors independent given
    the label), closed formulas, no starting point, no local optimum. Two labels, 3 judges or more.
    Rates are those of the items the judges concerned all answered.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : "free" or shares
        Known shares of the labels; "free" takes them from third moments, which need many items.
        A prior is not used.
    floor : float
        Estimated error rates are kept in [floor, 1 - floor], so that no judge is taken for
        infallible because of noise.

    Returns
    -------
    Aggregation
        Status ok; out_of_range when the moments give a rate outside [0, 1]; not_identifiable below
        3 judges or when no triple of judges has usable agreement. Judges are taken to be better
        than chance on the whole.

    Notes
    -----
    Every moment is an average over the items that the two or three judges concerned all answered.
    On 50,000 items of five judges and a true share of 80%, the share found was within .01 of it with
    0, 30 and 50 percent of the votes missing at random and within .02 with 70 percent.

    Raises
    ------
    DataError
        If there are not exactly two answers or a setting is out of range.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "aba": 7, "bba": 6, "bab": 5, "bbb": 45})
    >>> triplets(s, prevalence=[0.5, 0.5]).decisions.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    binary = fitting.read_binary(data, prevalence)
    settings = {
        "prevalence": binary.rule.setting,
        "floor": check_number("floor", floor, least=0.0, strict=True),
    }
    if binary.n_heard < fitting.fewest("triplets"):
        why = "triplets must have at least 3 judges; got fewer who answered; add judges"
        return fitting.refused(binary.read, "triplets", settings, why)
    spins = np.where(binary.votes < 0, 0.0, 2.0 * binary.votes - 1)
    given = (binary.votes >= 0).astype(float)
    counts = binary.counts.astype(float)
    mean, cov = _pair_moments(spins, given, counts)
    g = _loadings(cov)
    if g is None:
        why = (
            "triplets must find three judges who agree more than chance, most of them on one side; "
            "got none, so the votes say nothing about the label by this method; use other judges"
        )
        return fitting.refused(binary.read, "triplets", settings, why)
    skew = _skew(spins, given, counts, g)
    lean = _lean(binary, skew)
    return _result(binary, settings, mean, g, lean)


def _pair_moments(spins: Floats, given: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return (K,) means and (K, K) covariances over the items both judges answered."""
    weight = counts[:, None]
    both = (given * weight).T @ given
    mean = (spins * weight).sum(axis=0) / np.maximum(np.diagonal(both), 1)
    pair_mean = (spins * weight).T @ given / np.maximum(both, 1)
    product = (spins * weight).T @ spins / np.maximum(both, 1)
    return mean, product - pair_mean * pair_mean.T


def _loadings(cov: Floats) -> Floats | None:
    """Return (K,) g: sizes by medians over pairs, signs from the leading direction of cov."""
    k = len(cov)
    sizes = np.full(k, np.nan)
    for i in range(k):
        others = np.delete(np.arange(k), i)
        row = cov[i, others]
        block = cov[np.ix_(others, others)]
        left, right = np.triu_indices(k - 1, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = row[left] * row[right] / block[left, right]
        usable = np.isfinite(squares) & (np.abs(block[left, right]) > policy.NO_COVARIANCE)
        if usable.any():
            sizes[i] = np.sqrt(max(float(np.median(squares[usable])), 0.0))
    if not (np.nan_to_num(sizes) > 0).any():
        return None
    off = cov - np.diag(np.diagonal(cov))
    direction = np.linalg.eigh(off)[1][:, -1]
    if abs(direction.sum()) < policy.NO_SIDE:
        return None
    direction = direction * (1.0 if direction.sum() >= 0 else -1.0)
    signs = np.where(direction < 0, -1.0, 1.0)
    result: Floats = signs * np.minimum(np.nan_to_num(sizes), 1.0)
    return result


def _skew(spins: Floats, given: Floats, counts: Floats, g: Floats) -> float:
    """Return the least-squares t in E[c_i c_j c_k] = t g_i g_j g_k over all triples.

    Every expectation is an average over the items that all three answered, and so are the means its
    votes are centred by; a triple weighs as many items as it has, so that complete votes weigh alike.
    """
    total = counts.sum()
    top = bottom = 0.0
    for i in range(len(g) - 2):
        rest = slice(i + 1, None)
        own, answered = counts * spins[:, i], counts * given[:, i]
        x, y = spins[:, rest], given[:, rest]
        shared = (y * answered[:, None]).T @ y
        n = np.maximum(shared, 1)
        first = (y * own[:, None]).T @ y / n
        second = (x * answered[:, None]).T @ y / n
        pair_first = (x * own[:, None]).T @ y / n
        both = (x * answered[:, None]).T @ x / n
        raw = (x * own[:, None]).T @ x / n
        third = raw - first * both - second * pair_first.T - second.T * pair_first
        third += 2 * first * second * second.T
        model = g[i] * np.outer(g[rest], g[rest])
        weight = np.triu(shared / total, 1)
        top += float((weight * third * model).sum())
        bottom += float((weight * model**2).sum())
    return top / bottom if bottom > 0 else 0.0


def _lean(binary: fitting.Binary, skew: float) -> float:
    """Return m = 2 pi - 1: known, or from t = -2 m / sqrt(1 - m^2)."""
    if binary.rule.fixed is not None:
        return float(2 * binary.rule.fixed[1] - 1)
    return float(np.clip(-skew / np.hypot(2, skew), -policy.MOST_LEAN, policy.MOST_LEAN))


def _result(
    binary: fitting.Binary, settings: dict[str, Any], mean: Floats, g: Floats, lean: float
) -> Aggregation:
    floor = float(settings["floor"])
    half_gap = g / np.sqrt(1 - lean**2)
    middle = mean - lean * half_gap
    raw = np.stack([(1 + middle - half_gap) / 2, (1 + middle + half_gap) / 2])
    chance = np.clip(raw, floor, 1 - floor)
    prevalence = np.array([(1 - lean) / 2, (1 + lean) / 2])
    sketch = binary.read.sketch
    tables = fitting.binary_tables(chance)
    scores = vote_sums(sketch.codes, 2).scores(log_table(tables))
    posterior, each = posterior_of(scores, prevalence)
    evaluation = fitting.table_evaluation(sketch, tables, posterior, prevalence)
    moved = [
        judge
        for judge, was, now in zip(sketch.judges, raw.T, chance.T, strict=True)
        if np.abs(was - now).max() > policy.ROUNDING
    ]
    told = fitting.missing_note(sketch, "moments use the items the judges concerned all answered")
    if moved:
        told.append(
            f"The moments of {', '.join(moved)} give error rates outside "
            f"[{floor:g}, {1 - floor:g}]: noise, or errors that are not independent."
        )
    return assemble(
        binary.read,
        method="triplets",
        settings=settings,
        message=f"Triplet moments of {sketch.n_judges} judges on {how_many(sketch.n_items, 'item')}.",
        posterior=posterior,
        evaluation=evaluation,
        status=Status.OUT_OF_RANGE
        if np.abs(2 * raw - 1).max() > 1 + policy.ROUNDING
        else Status.OK,
        log_likelihood=float(sketch.counts @ each),
        warnings=tuple(told + fitting.suspect_note(evaluation)),
        parameters={"rates": raw, "loadings": g},
    )
