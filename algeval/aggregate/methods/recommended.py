"""The default: which method fits this kind of data, by a stated rule that never reads a label."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

from algeval.aggregate import fitting, policy
from algeval.aggregate.methods.pooled_dawid_skene import NAME as POOLED
from algeval.aggregate.methods.pooled_dawid_skene import (
    pooled_dawid_skene,
    posterior_under,
    tempered,
)
from algeval.aggregate.methods.vote_factor import fit_panel, not_a_panel, share_of_votes
from algeval.aggregate.prevalence import told_share
from algeval.aggregate.results import Aggregation, Floats, decide
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import read_only
from algeval.result.wording import how_many

__all__ = ["recommended"]


def recommended(
    data: fitting.Data,
    *,
    prevalence: Any = ("prior", 2.0),
    judge_weights: Any = None,
    tol: float = 1e-5,
    max_iter: int = 2000,
) -> Aggregation:
    """Find labels and probabilities to rest on, by the kind of data and nothing else.

    Use it when nothing better is known of the judges. The rule:

    - Votes of any shape: 'pooled-dawid-skene'.
    - A dense panel of two labels (at least 3 judges, every two of them with a quarter of the items
      in common, as where all answer all items): labels and tables of 'pooled-dawid-skene', which
      knows how each judge errs on each label, but posteriors held back until they are as sure, on
      average, as 'vote-factor' is, which knows how far judges agree with each other and takes the
      key for one more of them.
    - Scores: 'rank-factor', whose settings and result it then has.

    No key is read and no fit is chosen by how well it looks. What no rule can see is whether the
    classes found are the labels you mean. Where the judges of a dense panel err independently it is
    far too modest (8 such judges: log loss .44, Dawid-Skene's .14); `diagnose` tests that.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : see `dawid_skene`
        Where it is not told, a dense panel takes the share of votes for it in 'vote-factor'.
    judge_weights : optional
        See `pooled_dawid_skene`, which then answers alone.
    tol, max_iter
        See `pooled_dawid_skene`.

    Returns
    -------
    Aggregation
        `parameters` as of 'pooled-dawid-skene', and 'chosen': the method or methods that were
        chosen. Status as 'pooled-dawid-skene'. The log-likelihood is that of the independent fit.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    What each part rests on was measured on public votes; the how-to on choosing a method has the
    table, and one command makes it again.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaaa": 40, "bbbb": 40, "aabb": 12, "bbaa": 10, "abbb": 5})
    >>> recommended(s).parameters["chosen"]
    'pooled-dawid-skene with the confidence of vote-factor'
    """
    told = {"prevalence": prevalence, "judge_weights": judge_weights}
    pooled = pooled_dawid_skene(data, tol=tol, max_iter=max_iter, **told)
    if pooled.evaluation is None:
        return replace(pooled, method="recommended")
    sure = _panel_confidence(pooled)
    if sure is None:
        parameters = pooled.parameters | {"chosen": POOLED}
        return replace(pooled, method="recommended", parameters=parameters)
    return _as_sure_as(pooled, *sure)


def _panel_confidence(pooled: Aggregation) -> tuple[float, str] | None:
    """Return how sure the vote factor is and of what prevalence; None where it does not apply."""
    rule = pooled.settings["prevalence"]
    known = rule if isinstance(rule, str | list) and rule[0] != "prior" else "votes"
    if len(pooled.answers) != 2 or pooled.settings["judge_weights"] is not None:
        return None
    sketch = Sketch(pooled.judges, pooled.labels, pooled.answers, pooled.patterns, pooled.counts)
    read = fitting.read_binary(sketch, "free")
    if not_a_panel(read):
        return None
    told = "votes" if known == "free" else known
    share, words = told_share(told, pooled.labels, share_of_votes(read))
    panel = fit_panel(
        read, share, told=words.told, tol=policy.PANEL_TOL, max_iter=policy.PANEL_STEPS
    )
    posterior = np.stack([1 - panel.share, panel.share], axis=1)
    return _sureness(posterior, pooled), f"{share:.1%} ({words.why})"


def _sureness(posterior: Floats, of: Aggregation) -> float:
    """Return the mean top probability over the items somebody answered."""
    weights = of.counts * (of.patterns != NOT_ANSWERED).any(axis=1)
    return float(weights @ posterior.max(axis=1) / weights.sum())


def _as_sure_as(pooled: Aggregation, target: float, prevalence: str) -> Aggregation:
    """Return the pooled fit with its posteriors divided until they are as sure as the target."""
    plain = posterior_under(pooled, pooled.patterns)

    def gap(log_factor: float) -> float:
        held = tempered(plain, float(np.exp(log_factor)), pooled.patterns)
        return _sureness(held, pooled) - target

    most = policy.MOST_LOG_DIVISOR
    root = 0.0 if gap(0.0) <= 0 else most if gap(most) >= 0 else brentq(gap, 0.0, most, xtol=1e-9)
    factor = float(np.exp(root))
    posterior = read_only(tempered(plain, factor, pooled.patterns))
    ended = "converged" if pooled.converged else "did not converge"
    return replace(
        pooled,
        method="recommended",
        settings=pooled.settings | {"vote_share": 0.0},
        message=(
            f"Pooled Dawid-Skene on {how_many(pooled.n_items, 'item')} and "
            f"{len(pooled.judges)} judges {ended}; "
            f"the panel is dense, so log-probabilities were divided by {factor:.2g} to be as "
            f"sure as the vote factor, with the share of {pooled.labels[1]!r} at {prevalence}."
        ),
        posterior=posterior,
        decisions=read_only(decide(posterior)),
        parameters=pooled.parameters
        | {"overcounting": factor, "chosen": f"{POOLED} with the confidence of vote-factor"},
    )
