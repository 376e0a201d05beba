"""Dawid and Skene's method with rows shrunk to the panel's, and posteriors held back: any votes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate import fitting, naive_bayes, policy
from algeval.aggregate.checks.overcounting import Overcounting, overcounting
from algeval.aggregate.em import Fit, Problem, Step, iterate, log_table, posterior_of, run_em
from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.methods.dawid_skene import evaluation_of_fit, label_notes, not_identifiable
from algeval.aggregate.methods.majority import smoothed_shares
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, End, Floats
from algeval.aggregate.votes import VoteSums, WeighedVotes, vote_sums, weighted_counts
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import Codes
from algeval.data.settings import check_number
from algeval.errors import DataError
from algeval.result.wording import how_many

__all__ = ["held_back", "pooled_dawid_skene", "posterior_under", "predict", "tempered"]

NAME = "pooled-dawid-skene"


def pooled_dawid_skene(
    data: fitting.Data,
    *,
    prevalence: Any = ("prior", 2.0),
    vote_share: float = policy.SHARE_WEIGHT,
    judge_weights: Any = None,
    tol: float = 1e-5,
    max_iter: int = 2000,
) -> Aggregation:
    """Fit one table per judge, each drawn to what the panel as a whole does, and doubt the result.

    Use it on votes of any shape, sparse ones too: judges of few votes and labels of few items
    borrow the panel's rows instead of going astray. It assumes that judges err independently
    given the label and are variations on one panel; that judges share errors is allowed for by
    holding posteriors back, not modelled. It does not see that classes found may not be the labels
    you mean, which no votes can show.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : see `dawid_skene`
        By default estimated with one pseudo-item per label, lest a rare label vanish.
    vote_share : float
        Weight of the smoothed vote share mixed into the posteriors, from 0 to 1.
    judge_weights : N numbers above 0 and at most 1, optional
        How often each judge's evidence counts; `group_weights` gives 1 / size of its group.
    tol, max_iter
        Converged when no posterior moves by more than `tol`.

    Returns
    -------
    Aggregation
        `parameters` holds the pooled rows ('pool', (R, A)), the overcounting c that log-posteriors
        were divided by, and what it came from: inflation within the classes found ('within'), at
        most ('bound'), and the votes per item. Status as `dawid_skene`. `trace` is the penalised
        log-likelihood once the pool stands; it never falls. `log_likelihood` is of the independent fit.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Row r of judge j has a Dirichlet prior of mean mu_r and A pseudo-votes in all, so its estimate
    is (N_jra + A mu_ra) / (N_jr. + A). The pool mu_r is the best linear estimate of that mean if
    answers are Dirichlet-multinomial: judges are weighed by A / (A + N_jr.), so none owns the
    pool; a prior of A / 2 votes has 70% on the label itself. Pool and posteriors are iterated to a
    fixed point (empirical Bayes: no objective of both), then EM goes on with the pool fixed, where
    the objective rises. Posteriors are those of the fit to the power 1 / c, c = max(1, within^2) +
    k^(1 / min(R, 3)) - 1 with k votes per item: log c has its prior median at half of log k
    (between independent and all copies), and shared errors seen are added. The tenth of vote share
    and the exponent for R > 2 were settled on with public crowd data; see the how-to on methods.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45}, judges=["i", "j", "k"])
    >>> pooled_dawid_skene(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    rule = read_prevalence(prevalence, read.sketch.labels)
    settings = {
        "prevalence": rule.setting,
        "vote_share": check_number("vote_share", vote_share, least=0.0, most=1.0),
        "judge_weights": _weights(judge_weights, read.sketch),
        **fitting.run_settings(tol=tol, max_iter=max_iter),
    }
    reason = not_identifiable(read.sketch, rule)
    if reason:
        return fitting.refused(read, NAME, settings, reason)
    votes = vote_sums(read.sketch.codes, read.sketch.n_answers)
    counts = read.sketch.counts.astype(float)
    pooled = _pooled_fit(read, _weighed(votes, settings), rule, settings)
    weights = settings["judge_weights"]
    found = overcounting(
        votes,
        pooled.fit.confusion,
        pooled.fit.posterior,
        counts,
        None if weights is None else np.array(weights),
    )
    return _result(read, settings, pooled, found)


def _weights(given: Any, sketch: Sketch) -> list[float] | None:
    """Return one checked weight per judge, or None where all count fully."""
    if given is None:
        return None
    try:
        weights = np.asarray(given, float)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (sketch.n_judges,) or not ((weights > 0) & (weights <= 1)).all():
        raise DataError(
            f"judge_weights must be {sketch.n_judges} numbers above 0 and at most 1, one per judge; "
            f"got {given!r}; group_weights makes them"
        )
    result: list[float] = weights.tolist()
    return result


def _weighed(votes: VoteSums, settings: Mapping[str, Any]) -> VoteSums:
    weights = settings.get("judge_weights")
    return votes if weights is None else WeighedVotes(votes, np.array(weights))


def _shares(codes: Codes, n_labels: int, weights: Any, smoothing: float) -> Floats:
    """Return (rows, R) smoothed shares of the votes, each counted with its judge's weight."""
    told = np.ones(codes.shape[1]) if weights is None else np.array(weights)
    return smoothed_shares(weighted_counts(codes, told, n_labels), smoothing)


class Pooled(NamedTuple):
    """A fit under the fixed pool (R, A), its problem, and how both loops ended."""

    fit: Fit
    problem: Problem
    pool: Floats
    end: End


def _pooled_fit(
    read: Patterns, votes: VoteSums, rule: PrevalenceRule, settings: dict[str, Any]
) -> Pooled:
    sketch = read.sketch
    counts = sketch.counts.astype(float)
    shape = sketch.n_judges, sketch.n_labels, sketch.n_answers

    def step(posterior: Floats) -> Step:
        weights = posterior * counts[:, None]
        tables = votes.tables(weights)
        pool = _pool(tables)
        rows = tables + sketch.n_answers * pool
        confusion = rows / rows.sum(2, keepdims=True)
        scores = votes.scores(log_table(confusion))
        following, _ = posterior_of(scores, rule.update(weights.sum(0)))
        moved = float(np.abs(following - posterior).max())
        return Step((pool, following), following, moved)

    run = {name: settings[name] for name in ("tol", "max_iter")}
    weights = settings["judge_weights"]
    start = read.start
    if start is None:
        start = _shares(sketch.codes, sketch.n_labels, weights, 0.0)
    (pool, posterior), first = iterate(step, start, n_items=counts.sum(), **run)
    pseudo = np.broadcast_to(sketch.n_answers * pool, shape)
    problem = Problem(votes=votes, counts=counts, pseudo=pseudo, prevalence=rule)
    fit = run_em(problem, posterior, **run)
    end = End(first.converged and fit.converged, first.n_iter + fit.end.n_iter, fit.trace)
    return Pooled(fit, problem, pool, end)


def _pool(tables: Floats) -> Floats:
    """Return (R, A) the panel's rows from expected counts of answers (N, R, A)."""
    n_labels, n_answers = tables.shape[1:]
    prior = np.full((n_labels, n_answers), (1 - policy.POOL_DIAGONAL) / max(n_answers - 1, 1))
    np.fill_diagonal(prior, policy.POOL_DIAGONAL)
    weight = n_answers / (n_answers + tables.sum(2, keepdims=True))
    total = (tables * weight).sum(0) + policy.POOL_PRIOR * n_answers * prior
    result: Floats = total / total.sum(1, keepdims=True)
    return result


def _divisor(found: Overcounting, sketch: Sketch) -> tuple[float, float]:
    """Return what log-posteriors are divided by, and the votes per item."""
    per_item = np.maximum((sketch.codes != NOT_ANSWERED).sum(1), 1)
    votes = float(per_item @ sketch.counts) / sketch.n_items
    return max(1.0, found.within**2) + votes ** (1 / min(max(sketch.n_labels, 1), 3)) - 1, votes


def _result(
    read: Patterns, settings: dict[str, Any], pooled: Pooled, found: Overcounting
) -> Aggregation:
    sketch, fit = read.sketch, pooled.fit
    factor, per_item = _divisor(found, sketch)
    ended = "converged" if pooled.end.converged else "did not converge"
    return fitting.finish(
        read,
        NAME,
        settings,
        message=(
            f"Pooled Dawid-Skene on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges {ended}; "
            f"log-probabilities were divided by {factor:.2g}, for judges may share errors "
            f"(inflation seen {found.within:.2f}, {per_item:.3g} votes per item)."
        ),
        posterior=held_back(fit.posterior, factor, settings, sketch.codes),
        evaluation=evaluation_of_fit(sketch, pooled.problem, fit),
        end=pooled.end,
        log_likelihood=fit.log_likelihood,
        notes=_notes(sketch, fit),
        parameters={
            "pool": pooled.pool,
            "overcounting": factor,
            "within": found.within,
            "bound": found.bound,
            "votes_per_item": per_item,
        },
    )


def _notes(sketch: Sketch, fit: Fit) -> list[str]:
    notes = fitting.missing_note(sketch, "their factors are left out")
    return [*notes, *fitting.silent_note(sketch), *label_notes(sketch, fit)]


def tempered(posterior: Floats, factor: float, codes: Codes) -> Floats:
    """Return (rows, R) posteriors to the power 1 / factor, rescaled.

    A row without votes keeps its posterior, which is the prevalence.
    """
    logs = np.log(np.maximum(posterior, policy.TINY)) / factor
    power = np.exp(logs - logs.max(axis=1, keepdims=True))
    power /= power.sum(axis=1, keepdims=True)
    silent = (codes == NOT_ANSWERED).all(axis=1)
    return np.where(silent[:, None], posterior, power)


def held_back(
    posterior: Floats, factor: float, settings: Mapping[str, Any], codes: Codes
) -> Floats:
    """Return tempered posteriors (rows, R) with some of the smoothed vote share mixed in.

    A row without votes keeps the prevalence. `settings` are those of the method.
    """
    power = tempered(posterior, factor, codes)
    if not settings["vote_share"]:
        return power
    silent = (codes == NOT_ANSWERED).all(axis=1)
    weight = np.where(silent, 0.0, settings["vote_share"])[:, None]
    shares = _shares(codes, posterior.shape[1], settings.get("judge_weights"), 1.0)
    result: Floats = (1 - weight) * power + weight * shares
    return result


def posterior_under(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of votes under the fit, before they are held back."""
    evaluation: Any = result.evaluation
    votes = vote_sums(codes, len(result.answers))
    return naive_bayes.naive_bayes(_weighed(votes, result.settings), evaluation)[0]


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of other votes, held back by the same factor and vote share."""
    rows = np.asarray(codes, np.int16)
    factor = float(result.parameters["overcounting"])
    return held_back(posterior_under(result, rows), factor, result.settings, rows)
