"""Curie-Weiss aggregation: equal judges, coupled by one strength per label (Balasubramanian et al., eq. 7).

Only how many judges said 1 matters, so the data are the counts of (judges who answered, ones).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.climb import Climb, best_of, climb_value
from algeval.aggregate.kernels.two_classes import TwoClassProblem
from algeval.aggregate.results import Aggregation, Floats, check_fitted
from algeval.data.names import Codes
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError
from algeval.models.binary import TwoClass, expit, log_expit, log_sum_exp
from algeval.models.curie_weiss import CurieWeiss, log_binomials

__all__ = ["curie_weiss", "fitted_law", "predict"]

_STARTS = (
    ((0.3, -0.5), (0.3, 0.5)),
    ((0.5, -0.5), (1.5, 0.02)),
    ((0.5, 0.0), (1.5, 0.0)),
    ((0.9, -0.2), (0.9, 0.2)),
    ((1.5, -0.02), (0.5, 0.5)),
)
"""(beta, field) of class 0 and class 1: Balasubramanian et al.'s regimes and plain independence-like ones."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem(TwoClassProblem):
    """Cells (answered, ones) with counts; log-ways (C, K + 1) of a cell given the total of ones."""

    ways: Floats
    k: int
    ridge: float

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        return ((self.ridge, 4),)


def curie_weiss(
    data: fitting.Data,
    *,
    statistic: str = "count",
    ridge: float = 0.1,
    prevalence: Any = "free",
    seed: int | None = None,
    max_iter: int = 1000,
    tol: float = 1e-7,
) -> Aggregation:
    """Find labels when equal judges herd, and herd more on one label than on the other.

    Use it to study Balasubramanian et al.'s separation: a majority that is too large may speak for
    the label on which judges follow each other, whichever answer they agree on. All judges are taken to be
    alike. Two labels, at least 5 judges, any number of them; votes left out are summed over.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    statistic : "count" or "size"
        Posterior from how many said 1, or only from how far that is from half of the judges (the
        |M| of the paper), which ignores which side they agree on.
    ridge : float
        Penalty ridge / 2 times the squares of the couplings beta and of K times the fields.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    seed : int, optional
        Has no effect, as the five starts are fixed; deprecated, do not pass it.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds beta (2,), field (2,) and log_odds. Label 1 is the class with the larger
        share of 1 votes; where the shares are within .02, the more coupled class, as in the paper.
        Status ok, not_converged, or not_identifiable below 5 judges.

    Raises
    ------
    DataError
        If there are not exactly two answers, a setting is out of range, or `statistic` is "size"
        and votes are missing.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnnn": 30, "nnnny": 20, "yyyyn": 22, "yyyyy": 28, "nnyyn": 4})
    >>> bool(curie_weiss(s).evaluation.accuracy("1", "y") > 0.5)
    True
    """
    check_choice("statistic", statistic, ("count", "size"))
    binary = fitting.read_binary(data, prevalence)
    if statistic == "size" and not binary.read.sketch.complete:
        raise DataError(
            "votes must be complete for statistic='size'; got some left out; use 'count'"
        )
    settings = {
        "statistic": statistic,
        "ridge": check_number("ridge", ridge, least=0.0, strict=True),
        "prevalence": binary.rule.setting,
        "seed": fitting.without_effect("seed", seed, "its five starts are fixed"),
        **fitting.run_settings(max_iter=max_iter, tol=tol),
    }
    k, least = binary.n_heard, fitting.fewest("curie-weiss")
    if k < least:
        why = (
            f"the Curie-Weiss model must have at least {least} judges; got {k} who answered, whose "
            f"counts of 1 votes are {k} frequencies for 5 parameters; add judges"
        )
        return fitting.refused(binary.read, "curie-weiss", settings, why)
    problem = _problem(binary, float(ridge))
    best, _ = best_of([_climb(start, problem, settings) for start in _STARTS])
    return _result(binary, settings, problem, best)


def _problem(binary: fitting.Binary, ridge: float) -> _Problem:
    answered, ones = (binary.votes >= 0).sum(axis=1), (binary.votes == 1).sum(axis=1)
    pairs, cell = np.unique(np.stack([answered, ones], axis=1), axis=0, return_inverse=True)
    k = binary.votes.shape[1]
    ways = np.full((len(pairs), k + 1), -np.inf)
    whole = log_binomials(k)
    for row, (size, one) in enumerate(pairs.tolist()):
        span = slice(one, one + k - size + 1)
        ways[row, span] = log_binomials(k - size) - whole[span]
    counts = np.bincount(cell.ravel(), weights=binary.counts).astype(float)
    return _Problem(ways=ways, counts=counts, k=k, ridge=ridge, **binary.prevalence_settings)


def _laws(theta: Floats, k: int) -> tuple[CurieWeiss, CurieWeiss]:
    """Return the two laws; the vector holds beta and K times the field of each class."""
    b0, f0, b1, f1 = theta[:4].tolist()
    return CurieWeiss(k, b0, f0 / k), CurieWeiss(k, b1, f1 / k)


def _value(theta: Floats, problem: _Problem) -> tuple[float, Floats]:
    k = problem.k
    log_odds = problem.odds(theta)
    spin = 2.0 * np.arange(k + 1) - k
    features = np.stack([spin**2 / (2 * k), spin / k])
    laws = _laws(theta, k)
    inner = np.stack([problem.ways + law.log_pmf() for law in laws], axis=1)
    by_class = log_sum_exp(inner)
    joint = by_class + log_expit(np.array([-log_odds, log_odds]))
    total = log_sum_exp(joint)
    weights = problem.counts[:, None] * np.exp(joint - total[:, None])
    blocks = []
    for y, law in enumerate(laws):
        share = weights[:, y] @ np.exp(inner[:, y] - by_class[:, y : y + 1])
        blocks.append(features @ (share - weights[:, y].sum() * law.pmf()))
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, float(problem.counts @ total), blocks)


def _climb(
    start: tuple[tuple[float, float], tuple[float, float]],
    problem: _Problem,
    settings: dict[str, Any],
) -> Climb:
    (b0, h0), (b1, h1) = start
    theta = np.array([b0, h0 * problem.k, b1, h1 * problem.k, 0.0])
    return climb_value(
        theta[: problem.size],
        lambda point: _value(point, problem),
        problem.n_items,
        max_iter=settings["max_iter"],
        tol=settings["tol"],
    )


def _mixture(theta: Floats, problem: _Problem, free: bool) -> tuple[TwoClass, bool]:
    """Return the fitted law with its labels in order, and whether the order is a convention."""
    first, second = _laws(theta, problem.k)
    log_odds = problem.odds(theta)
    gap = float(second.marginals()[0] - first.marginals()[0])
    alike = abs(gap) <= policy.ALIKE_CLASSES
    swap = second.beta < first.beta if alike else gap < 0
    if swap and free:
        return fitting.mixture(-log_odds, second, first), alike
    return fitting.mixture(log_odds, first, second), alike


def _result(
    binary: fitting.Binary, settings: dict[str, Any], problem: _Problem, best: Climb
) -> Aggregation:
    law, alike = _mixture(best.theta, problem, binary.rule.symmetric)
    sketch = binary.read.sketch
    notes = fitting.missing_note(sketch, fitting.SUMMED_OVER)
    if alike:
        notes.append(
            "Both classes vote 1 about equally often, so the votes cannot say which class is "
            f"{sketch.labels[1]!r}; the more coupled class is called so."
        )
    no, yes = law.negative, law.positive
    return fitting.finish_two(
        binary,
        "curie-weiss",
        settings,
        message=f"Curie-Weiss model of {problem.k} equal judges, fitted to {sketch.n_items} items.",
        share=_share(law, binary.votes, settings["statistic"]),
        chance=fitting.marginals(law),
        prevalence=law.prevalence,
        end=best.end(settings["tol"]),
        log_likelihood=float(sketch.counts @ law.log_probability(binary.votes)),
        suspects=False,
        notes=notes,
        parameters={
            "beta": [no.beta, yes.beta],  # type: ignore[attr-defined]
            "field": [no.field, yes.field],  # type: ignore[attr-defined]
            "log_odds": float(np.log(law.prevalence) - np.log1p(-law.prevalence)),
        },
    )


def _share(law: TwoClass, votes: NDArray[np.int8], statistic: str) -> Floats:
    if statistic == "count":
        return law.posterior(votes)
    ones = (votes == 1).sum(axis=1)
    k = law.n_judges
    both = []
    for one in (law.negative, law.positive):
        log_pmf = one.log_pmf()  # type: ignore[attr-defined]
        folded = np.logaddexp(log_pmf, log_pmf[::-1])
        both.append(folded[np.maximum(ones, k - ones)])
    prior = np.log(law.prevalence) - np.log1p(-law.prevalence)
    return expit(prior + both[1] - both[0])


def fitted_law(result: Aggregation) -> TwoClass:
    """Return the fitted law of votes.

    Raises
    ------
    DataError
        If the result is not of method "curie-weiss" or holds no fit.
    """
    check_fitted(result, "curie-weiss")
    found = result.parameters
    k = len(result.judges)
    laws = [CurieWeiss(k, *pair) for pair in zip(found["beta"], found["field"], strict=True)]
    return TwoClass(float(expit(found["log_odds"])), laws[0], laws[1])


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; votes left out are summed over."""
    votes = np.asarray(codes).astype(np.int8)
    statistic = str(result.settings["statistic"])
    if statistic == "size" and (votes < 0).any():
        raise DataError("votes must be complete for statistic='size'; got some left out")
    share = _share(fitted_law(result), votes, statistic)
    return np.stack([1 - share, share], axis=1)
