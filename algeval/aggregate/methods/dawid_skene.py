"""Dawid and Skene's method: confusion tables and labels together, by EM."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import Fit, Problem, best_em
from algeval.aggregate.inputs import read_patterns
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, Floats
from algeval.aggregate.votes import choose_engine, vote_counts, vote_shares, vote_sums
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.errors import DataError
from algeval.result.wording import how_many

__all__ = ["dawid_skene", "evaluation_of_fit", "label_notes", "not_identifiable"]


def dawid_skene(
    data: Votes | Sketch | KeyedSketch,
    *,
    prior: Any = 1.0,
    prevalence: Any = "free",
    n_starts: int = 1,
    seed: int = 0,
    engine: str = "auto",
    tol: float = 1e-7,
    max_iter: int = 5000,
) -> Aggregation:
    """Fit one confusion table per judge, and the labels, by maximum likelihood or with priors.

    Use it when the judges differ in quality and err independently given the true label. It assumes
    just that: where judges share mistakes its posteriors are far too sure of themselves, and a
    class it finds need not be the label you mean. A missing vote is left out of the product, which
    assumes votes are missing for reasons that have nothing to do with the true label.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prior : float or array broadcast to (N, R, A)
        Dirichlet parameters of every confusion row, at least 1; 1 is maximum likelihood. For two
        answers 2 means Beta(2, 2): one pseudo-vote for each answer.
    prevalence : "free", shares, or ("prior", alpha)
        Estimated, known, or with a Dirichlet prior; see `read_prevalence`.
    n_starts : int
        Starts of EM: the majority's vote shares, then perturbations of them drawn with `seed`;
        the best end is kept.
    engine : "auto", "patterns" or "triples"
        Sums over distinct decision tuples, or over single votes (faster when each judge answers
        few items). The result is the same.
    tol : float
        Converged when a step gains at most `tol` nats per item and moves no parameter by more.
    max_iter : int

    Returns
    -------
    Aggregation
        Status ok; not_converged after `max_iter` steps; not_identifiable, with uniform posteriors
        and no evaluation, where fewer than 3 judges answered, or no item has 3 answers (2 are
        enough for two labels of known prevalence). `trace` is the penalised log-likelihood, which
        never falls. The labels are named so that they agree best with the majority vote, where the
        settings do not tell them apart already.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Dawid and Skene (1979); Balasubramanian et al., Algorithm 1 with the specialisation of D.1.

    Examples
    --------
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45}, judges=["i", "j", "k"])
    >>> dawid_skene(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    rule = read_prevalence(prevalence, read.sketch.labels)
    pseudo = _read_prior(prior, read.sketch)
    run = fitting.run_settings(n_starts=n_starts, seed=seed, tol=tol, max_iter=max_iter)
    votes = vote_sums(read.sketch.codes, read.sketch.n_answers, engine)
    if engine == "auto":
        engine = choose_engine(read.sketch.codes, read.sketch.n_answers)
    settings = {
        "prior": np.asarray(prior, float).tolist(),
        "prevalence": rule.setting,
        "engine": engine,
        **run,
    }
    reason = not_identifiable(read.sketch, rule)
    if reason:
        return fitting.refused(read, "dawid-skene", settings, reason)
    counts = read.sketch.counts.astype(float)
    problem = Problem(votes=votes, counts=counts, pseudo=pseudo, prevalence=rule)
    shares = vote_shares(vote_counts(read.sketch))
    starts = _starts(shares, run["n_starts"], run["seed"]) if read.start is None else [read.start]
    best, fits = best_em(problem, starts, tol=run["tol"], max_iter=run["max_iter"])
    fit, renamed = _orient(best, problem, shares)
    sketch = read.sketch
    ended = "converged" if fit.converged else "did not converge"
    return fitting.finish(
        read,
        "dawid-skene",
        settings,
        message=(
            f"Dawid-Skene on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges {ended} in "
            f"{how_many(len(fit.trace), 'step')}; it holds if errors are independent given the true label."
        ),
        posterior=fit.posterior,
        evaluation=evaluation_of_fit(sketch, problem, fit),
        end=fit.end._replace(what=""),
        log_likelihood=fit.log_likelihood,
        notes=_notes(sketch, fit, fits, renamed),
    )


def _starts(shares: Floats, n_starts: int, seed: int) -> list[Floats]:
    rng = np.random.default_rng(seed)
    ones = np.ones(shares.shape[1])
    noise = (rng.dirichlet(ones, len(shares)) for _ in range(n_starts - 1))
    return [shares, *((shares + luck) / 2 for luck in noise)]


def _orient(fit: Fit, problem: Problem, shares: Floats) -> tuple[Fit, str]:
    """Return the fit with its classes named after the labels the majority uses for them."""
    agreement = (fit.posterior * problem.counts[:, None]).T @ shares
    order = fitting.best_naming(agreement)
    if np.array_equal(order, np.arange(len(order))):
        return fit, ""
    by_label = problem.pseudo - problem.pseudo[:, order]
    if not problem.prevalence.symmetric or by_label.any():
        return fit, (
            "The classes found agree better with the majority under other names, but the "
            "prevalence or prior given ties each name to its class; check that setting."
        )
    named = replace(
        fit,
        prevalence=fit.prevalence[order],
        confusion=fit.confusion[:, order],
        mass=fit.mass[:, order],
        posterior=fit.posterior[:, order],
    )
    return named, "The classes found were renamed to agree best with the majority vote."


def evaluation_of_fit(sketch: Sketch, problem: Problem, fit: Fit) -> Evaluation:
    """Return the tables with NaN in rows that rest on nothing, and coverage."""
    weights = fit.posterior * problem.counts[:, None]
    behind = problem.votes.tables(weights).sum(2)
    mass = weights.sum(0)
    unknown = (behind <= 0) & (problem.pseudo.sum(2) <= 0)
    confusion = np.where(unknown[:, :, None], np.nan, fit.confusion)
    coverage = None
    if not sketch.complete:
        coverage = np.minimum(behind / np.where(mass > 0, mass, np.nan), 1.0)
    return Evaluation(*sketch.axes, fit.prevalence, confusion, coverage)


def not_identifiable(sketch: Sketch, rule: PrevalenceRule) -> str:
    """Return why no number of such items settles the model, or nothing."""
    given = sketch.codes != NOT_ANSWERED
    judges = int(given.any(0).sum())
    least = fitting.fewest("dawid-skene")
    if judges < least:
        return (
            f"Dawid-Skene must have at least 3 judges; got {judges} with answers: two judges' "
            "tables fit the counts in endlessly many ways."
        )
    most = int(given.sum(1).max())
    enough = 2 if rule.fixed is not None and sketch.n_labels == 2 else least
    if most < enough:
        return (
            f"Dawid-Skene must see items with at least {enough} answers; got at most {most}: "
            "agreement of fewer does not settle tables and prevalence."
        )
    return ""


def _notes(sketch: Sketch, fit: Fit, fits: list[Fit], renamed: str) -> tuple[str, ...]:
    notes = [renamed] if renamed else []
    given = sketch.codes != NOT_ANSWERED
    notes += fitting.missing_note(sketch, "their factors are left out")
    notes += fitting.silent_note(sketch)
    if not given.any(0).all():
        names = [j for j, any_ in zip(sketch.judges, given.any(0), strict=True) if not any_]
        notes.append(f"Judges without a single answer: {', '.join(names)}.")
    if given.shape[1] == fitting.fewest("dawid-skene") and sketch.n_labels == sketch.n_answers == 2:
        notes.append(
            "With three judges and two labels the model has as many parameters as the counts have "
            "freedom, so its fit says nothing about whether it is right."
        )
    free = sketch.n_labels * (sketch.n_answers - 1)
    thin = int(((sketch.counts @ given < free) & given.any(0)).sum())
    if thin:
        notes.append(
            f"{how_many(thin, 'judge')} answered fewer items than a table has free numbers ({free}); "
            "prior=2 steadies such tables."
        )
    notes += label_notes(sketch, fit)
    if len(fits) > 1:
        near = fit.objective - policy.ALIKE_STARTS * sketch.n_items
        same = sum(other.objective >= near for other in fits)
        notes.append(f"{same} of {len(fits)} starts ended at the best log-likelihood.")
    return tuple(notes)


def label_notes(sketch: Sketch, fit: Fit) -> list[str]:
    """Return a sentence on each label nobody answered, or expected on less than one item."""
    notes = []
    used = {code for code in np.unique(sketch.codes).tolist() if code != NOT_ANSWERED}
    expected = fit.posterior.T @ sketch.counts
    for place, label in enumerate(sketch.labels):
        if place not in used:
            notes.append(f"No judge ever answered {label!r}; its class is not tied to that name.")
        elif expected[place] < 1:
            notes.append(
                f"Label {label!r} is expected on less than one item; its rows rest on almost nothing."
            )
    return notes


def _read_prior(prior: Any, sketch: Sketch) -> Floats:
    shape = (sketch.n_judges, sketch.n_labels, sketch.n_answers)
    how = f"give one number or an array that broadcasts to {shape} (judge, true, answered)"
    try:
        alpha: Floats = np.broadcast_to(np.asarray(prior, float), shape)
    except (ValueError, TypeError):
        raise DataError(f"prior must fit (N, R, A) = {shape}; got {prior!r}; {how}") from None
    if not (np.isfinite(alpha) & (alpha >= 1)).all():
        raise DataError(
            f"prior must be at least 1, where the posterior has a maximum; got {prior!r}; {how}"
        )
    return alpha - 1.0
