"""One-coin aggregation: each judge has one accuracy, whatever the label, by EM on patterns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.aggregate.fitting import (
    Data,
    check_number,
    check_whole,
    data_warnings,
    refused,
    suspect_warnings,
    table_evaluation,
)
from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.methods.majority import vote_counts, vote_shares
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.data import Sketch
from algeval.models.binary import log_sum_exp
from algeval.result import Status

__all__ = ["one_coin"]

_EDGE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class _Coins:
    """Hits (R, U, N), answers given (U, N), counts (U,), wrong answers to choose from, priors."""

    hits: Floats
    given: Floats
    counts: Floats
    others: int
    prior: tuple[float, float]
    rule: PrevalenceRule

    def log_joint(self, p: Floats, prevalence: Floats) -> Floats:
        right, wrong = np.log(p), np.log1p(-p) - np.log(self.others)
        with np.errstate(divide="ignore"):
            prior = np.log(prevalence)
        result: Floats = (self.hits @ (right - wrong)).T + (self.given @ wrong)[:, None] + prior
        return result

    def objective(self, log_likelihood: float, p: Floats, prevalence: Floats) -> float:
        a, b = self.prior[0] - 1, self.prior[1] - 1
        told = a * np.log(p).sum() + b * np.log1p(-p).sum()
        return float(log_likelihood + told + self.rule.log_prior(prevalence))


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    p: Floats
    prevalence: Floats
    posterior: Floats
    log_likelihood: float
    objective: float
    converged: bool
    trace: tuple[float, ...]


def one_coin(
    data: Data,
    *,
    prior: tuple[float, float] = (1.0, 1.0),
    prevalence: Any = "free",
    n_starts: int = 1,
    seed: int = 0,
    tol: float = 1e-9,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels with one accuracy per judge: the simplest model that weighs judges.

    Use it with few items, where confusion tables cannot be learned. It assumes independent errors
    given the label, the same accuracy on every label, and wrong answers spread evenly over all the
    others; a vote left out leaves its factor out. Where accuracy depends on the label, as with
    strict or lenient judges, its prevalence and labels are biased: prefer 'dawid-skene'.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prior : (a, b)
        Beta prior of every accuracy, each at least 1; (1, 1) is maximum likelihood.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    n_starts, seed
        EM from the majority's vote shares, then from perturbations of them; the best is kept.
    tol, max_iter
        EM stops when no accuracy moves by more than `tol`.

    Returns
    -------
    Aggregation
        `parameters` holds the accuracies. Status ok, not_converged, or not_identifiable below 3
        judges. `trace` is the penalised log-likelihood, which never falls.

    Raises
    ------
    DataError
        If a setting is out of range.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> one_coin(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    rule = read_prevalence(prevalence, sketch.labels)
    settings = {
        "prior": [check_number("prior", value, least=1.0) for value in prior],
        "prevalence": rule.setting,
        "n_starts": check_whole("n_starts", n_starts),
        "seed": seed,
        "tol": check_number("tol", tol, least=0.0, strict=True),
        "max_iter": check_whole("max_iter", max_iter),
    }
    if int((sketch.missing < sketch.n_items).sum()) < 3:
        why = (
            "the one-coin model must have at least 3 judges who answered; got fewer, and the "
            "agreement of two says nothing about which is right; add judges"
        )
        return refused(read, "one-coin", settings, why)
    coins = _Coins(
        hits=np.stack([(sketch.codes == t).astype(float) for t in range(sketch.n_labels)]),
        given=(sketch.codes >= 0).astype(float),
        counts=sketch.counts.astype(float),
        others=sketch.n_answers - 1,
        prior=(float(prior[0]), float(prior[1])),
        rule=rule,
    )
    fits = [_em(coins, start, tol, max_iter) for start in label_starts(sketch, n_starts, seed)]
    return _result(read, settings, max(fits, key=lambda fit: fit.objective))


def label_starts(sketch: Sketch, n_starts: int, seed: int) -> list[Floats]:
    """Return (U, R) starting posteriors: the vote shares, softened, then perturbed copies."""
    shares = 0.8 * vote_shares(vote_counts(sketch)) + 0.2 / sketch.n_labels
    rng = np.random.default_rng(seed)
    starts = [shares]
    for _ in range(n_starts - 1):
        noisy = np.log(shares) + rng.normal(0, 1, shares.shape)
        starts.append(np.exp(noisy - log_sum_exp(noisy)[:, None]))
    return starts


def _em(coins: _Coins, posterior: Floats, tol: float, max_iter: int) -> _Fit:
    last = np.full(coins.given.shape[1], np.nan)
    total = coins.counts @ coins.given
    a, b = coins.prior[0] - 1, coins.prior[1] - 1
    trace: list[float] = []
    for _ in range(max_iter):
        weight = posterior * coins.counts[:, None]
        right = np.einsum("ut,tuj->j", weight, coins.hits)
        share = np.divide(
            right + a, total + a + b, where=total + a + b > 0, out=np.full(len(total), 0.5)
        )
        p = np.clip(share, _EDGE, 1 - _EDGE)
        prevalence = coins.rule.update(weight.sum(axis=0))
        joint = coins.log_joint(p, prevalence)
        each = log_sum_exp(joint)
        posterior = np.exp(joint - each[:, None])
        height = float(coins.counts @ each)
        trace.append(coins.objective(height, p, prevalence))
        if np.abs(p - last).max() <= tol:
            return _Fit(p, prevalence, posterior, height, trace[-1], True, tuple(trace))
        last = p
    return _Fit(p, prevalence, posterior, height, trace[-1], False, tuple(trace))


def coin_tables(accuracy: Floats, n_labels: int, n_answers: int) -> Floats:
    """Return (K, R, A) confusion tables of judges with one accuracy, the rest spread evenly."""
    wrong = (1 - accuracy) / (n_answers - 1)
    tables = np.repeat(wrong[:, None, None], n_labels, axis=1).repeat(n_answers, axis=2)
    diagonal = np.arange(n_labels)
    tables[:, diagonal, diagonal] = accuracy[:, None]
    return tables


def _result(read: Patterns, settings: dict[str, Any], fit: _Fit) -> Aggregation:
    sketch = read.sketch
    tables = coin_tables(fit.p, sketch.n_labels, sketch.n_answers)
    evaluation = table_evaluation(sketch, tables, fit.posterior, fit.prevalence)
    told = data_warnings(sketch, "each leaves its factor out of the product, left out at random")
    ended = "" if fit.converged else " EM was stopped before it settled."
    return assemble(
        read,
        method="one-coin",
        settings=settings,
        message=f"One-coin model of {sketch.n_judges} judges, fitted to {sketch.n_items} items.{ended}",
        posterior=fit.posterior,
        evaluation=evaluation,
        status=Status.OK if fit.converged else Status.NOT_CONVERGED,
        log_likelihood=fit.log_likelihood,
        n_iter=len(fit.trace),
        converged=fit.converged,
        trace=fit.trace,
        warnings=tuple(told + suspect_warnings(evaluation)),
        parameters={"accuracy": fit.p},
    )
