"""The label-free default: Dawid-Skene's labels, with posteriors held back where judges err together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from algeval.aggregate import naive_bayes, policy
from algeval.aggregate.checks.overcounting import Overcounting, overcounting
from algeval.aggregate.methods.dawid_skene import dawid_skene
from algeval.aggregate.results import Aggregation, Floats
from algeval.aggregate.votes import vote_sums
from algeval.data import NOT_ANSWERED, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, read_only
from algeval.data.settings import check_number
from algeval.result import Status

__all__ = ["predict", "recommended", "tempered"]


def recommended(
    data: Votes | Sketch | KeyedSketch,
    *,
    prior: float = 2.0,
    prevalence: Any = "free",
    n_starts: int = 1,
    seed: int = 0,
    tol: float = 1e-7,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels and posteriors to be believed with moderation, on votes of any shape.

    Use it when nothing better is known of the judges. The rule: labels and tables are those of
    'dawid-skene' with one pseudo-vote per answer, which steadies judges of few votes; posteriors
    are those of that fit to the power 1 / c and rescaled, where c >= 1 says how many times over
    shared errors were counted: the square of the inflation seen within the classes found (they
    take up part of it), but at most the inflation if all agreement were shared error. Independent
    judges have c near 1 and keep their posteriors. No key is read. The rule does not see that the
    classes found may not be the labels you mean, which no votes can show.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prior : float
        See `dawid_skene`.
    prevalence, n_starts, seed, tol, max_iter
        See `dawid_skene`.

    Returns
    -------
    Aggregation
        `parameters` holds c as overcounting, and within and bound it came from. Status as
        `dawid_skene`. The log-likelihood is that of the independent fit.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    The square was settled on by looking at four public data sets with keys (the table in
    tests/benchmarks/real_votes.py), so that table is no independent test of it.

    Examples
    --------
    >>> s = Sketch.from_counts({"aaaa": 40, "bbbb": 40, "aabb": 12, "bbaa": 10, "abbb": 5})
    >>> recommended(s).parameters["overcounting"] > 1.2
    True
    """
    told = {
        "prior": check_number("prior", prior, least=1.0),
        "prevalence": prevalence,
        "n_starts": n_starts,
        "seed": seed,
        "tol": tol,
        "max_iter": max_iter,
    }
    fitted = dawid_skene(data, **told)
    settings = {name: fitted.settings[name] for name in told}
    if fitted.evaluation is None:
        return replace(fitted, method="recommended", settings=settings)
    found = _measured(fitted)
    posterior = tempered(fitted.posterior, found.factor, fitted.patterns)
    parameters = {
        "overcounting": found.factor,
        "within": found.within,
        "bound": found.bound,
    }
    return replace(
        fitted,
        method="recommended",
        settings=settings,
        message=_message(fitted, found),
        posterior=read_only(posterior),
        parameters=parameters,
    )


def _measured(fitted: Aggregation) -> Overcounting:
    evaluation: Any = fitted.evaluation
    n_answers = len(fitted.answers)
    confusion = np.nan_to_num(evaluation.confusion, nan=1.0 / n_answers)
    votes = vote_sums(fitted.patterns, n_answers)
    return overcounting(votes, confusion, fitted.posterior, fitted.counts.astype(float))


def tempered(posterior: Floats, factor: float, codes: Codes) -> Floats:
    """Return (rows, R) posteriors to the power 1 / factor, rescaled.

    A row without votes keeps its posterior, which is the prevalence.
    """
    logs = np.log(np.maximum(posterior, policy.TINY)) / factor
    power = np.exp(logs - logs.max(axis=1, keepdims=True))
    power /= power.sum(axis=1, keepdims=True)
    silent = (codes == NOT_ANSWERED).all(axis=1)
    return np.where(silent[:, None], posterior, power)


def _message(fitted: Aggregation, found: Overcounting) -> str:
    ended = "converged" if fitted.status is Status.OK else "did not converge"
    if found.factor < policy.HELD_BACK:
        told = "no overcounting of shared errors was found, posteriors stand as they are"
    else:
        told = (
            f"log-probabilities were divided by {found.factor:.2g}, for judges share errors "
            f"(inflation {found.within:.2f} within the classes, {found.bound:.2f} in all)"
        )
    return (
        f"Dawid-Skene with held-back posteriors on {fitted.n_items} items and "
        f"{len(fitted.judges)} judges {ended}; {told}."
    )


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of other votes, held back by the same factor."""
    plain = naive_bayes.predict(result, codes)
    return tempered(plain, float(result.parameters["overcounting"]), np.asarray(codes, np.int16))
