"""One-coin aggregation: each judge has one accuracy, whatever the label, by EM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import Problem
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.prevalence import read_prevalence
from algeval.aggregate.results import Aggregation, Floats
from algeval.data.settings import check_number
from algeval.result.wording import how_many

__all__ = ["one_coin"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Coins(Problem):
    """Tables of one accuracy each; `pseudo` is (2,): right and wrong answers."""

    tied: ClassVar[bool] = True

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, Floats]:
        right = np.trace(tables[:, :, : tables.shape[1]], axis1=1, axis2=2) + self.pseudo[0]
        total = tables.sum((1, 2)) + self.pseudo.sum()
        share = np.divide(right, total, where=total > 0, out=np.full(len(total), 0.5))
        accuracy = np.clip(share, policy.EDGE, 1 - policy.EDGE)
        return fitting.coin_tables(accuracy, *tables.shape[1:]), accuracy

    def log_prior(self, confusion: Floats, own: Any) -> float:
        return float(self.pseudo @ np.array([np.log(own).sum(), np.log1p(-own).sum()]))


def one_coin(
    data: fitting.Data,
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
        EM is converged at the first step that gains at most `tol` nats per item and moves no
        chance of an answer or label by more.

    Returns
    -------
    Aggregation
        `parameters` holds the accuracies. Status ok, not_converged, or not_identifiable below 3
        judges or two answers. `trace` is the penalised log-likelihood, which never falls.

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
    run = fitting.run_settings(n_starts=n_starts, seed=seed, tol=tol, max_iter=max_iter)
    settings = {
        "prior": [check_number("prior", value, least=1.0) for value in prior],
        "prevalence": rule.setting,
        **run,
    }
    if fitting.n_heard(sketch) < fitting.fewest("one-coin"):
        why = (
            "the one-coin model must have at least 3 judges who answered; got fewer, and the "
            "agreement of two says nothing about which is right; add judges"
        )
        return fitting.refused(read, "one-coin", settings, why)
    if sketch.n_answers < 2:
        why = fitting.one_answer("the one-coin model", sketch.answers)
        return fitting.refused(read, "one-coin", settings, why)
    pseudo = np.array(settings["prior"]) - 1
    fit = fitting.fit_tables(_Coins, read, run, pseudo=pseudo, prevalence=rule)
    return fitting.finish_tables(
        read,
        "one-coin",
        settings,
        message=f"One-coin model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fit.confusion,
        posterior=fit.posterior,
        prevalence=fit.prevalence,
        end=fit.end,
        log_likelihood=fit.log_likelihood,
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        parameters={"accuracy": fit.own},
    )
