"""The vote factor: one trait behind a full panel's two-label votes, and the key as one more judge."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting
from algeval.aggregate.kernels import one_factor as kernel
from algeval.aggregate.prevalence import told_share
from algeval.aggregate.results import Aggregation, End, Floats, check_fitted
from algeval.data.names import Codes
from algeval.result.wording import how_many

__all__ = ["fit_panel", "not_a_panel", "predict", "share_of_votes", "vote_factor"]

_CAVEAT = "what the judges share need not be the label you mean"


def vote_factor(
    data: fitting.Data, *, prevalence: Any = "equal", tol: float = 1e-7, max_iter: int = 3000
) -> Aggregation:
    """Find labels as if the answer key were one more judge drawn from the panel.

    Use it on a panel of judges who all answer (nearly) every item and err together, as language
    models do: its posteriors are never surer than one more such judge would be of the others. It
    takes the correlations of the votes for those of one normal trait, and the key for a judge that
    loads on the trait as the judges do in the root mean square. Where judges err independently,
    or the key is better than a typical judge, it is too modest. Two labels, at least 3 judges.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : "equal", "votes", one share of the second label, or shares
        The votes cannot tell it. "equal" takes both labels for equally frequent, "votes" takes
        the share of votes for each; tell it if you know it.
    tol, max_iter
        EM has converged when no loading moves by more than `tol` and the likelihood stands still.

    Returns
    -------
    Aggregation
        `parameters` holds loading, noise, center and spread of each judge, the key's loading and
        threshold, and the prevalence taken. `evaluation` grades the judges against the
        posteriors. Status ok; not_converged; not_identifiable with fewer than 3 judges who vary, or
        where some pair of judges has fewer than a quarter of the items in common.

    Raises
    ------
    DataError
        If there are not exactly two answers, or a setting is out of range.

    Notes
    -----
    Votes are standardised per judge; one normal factor is fitted to their correlations by EM (Rubin
    and Thayer 1982). With the posterior mean m and variance v of the trait and the key's loading l,
    the probability of the second label is Phi((l m - t) / sqrt(1 - l^2 + l^2 v)), with t the quantile
    that leaves a share `prevalence` above it. A share taken from the votes is only a hint: t is then
    l times that quantile of the trait means, which is nearer to 0.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnn": 40, "yyyy": 30, "yynn": 9, "nnyy": 8, "ynyn": 3, "nyyy": 5})
    >>> vote_factor(s).decisions.tolist()
    [0, 1, 1, 0, 0, 1]
    """
    read = fitting.read_binary(data, "free")
    labels = read.read.sketch.labels
    share, words = told_share(prevalence, labels, share_of_votes(read))
    settings = {"prevalence": words.setting, **fitting.run_settings(tol=tol, max_iter=max_iter)}
    refusal = not_a_panel(read)
    if refusal:
        return fitting.refused(read.read, "vote-factor", settings, refusal)
    run = {name: settings[name] for name in ("tol", "max_iter")}
    panel = fit_panel(read, share, told=words.told, **run)
    ended = "converged" if panel.found.end.converged else "did not converge"
    sketch = read.read.sketch
    return fitting.finish_two(
        read,
        "vote-factor",
        settings,
        message=(
            f"Vote factor on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges "
            f"{ended}; the key "
            f"is taken for one more judge (loading {panel.key.loading:.2f}), and the share of "
            f"{labels[1]!r} for {share:.1%} ({words.why}); {_CAVEAT}."
        ),
        share=panel.share,
        chance=_chances(read, panel.share),
        prevalence=share,
        end=panel.found.end._replace(what=""),
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        parameters={
            "loading": panel.found.loading,
            "noise": panel.found.noise,
            "center": panel.scale.center,
            "spread": panel.scale.spread,
            "key_loading": panel.key.loading,
            "key_threshold": panel.key.threshold,
            "prevalence": share,
        },
    )


def fit_panel(
    read: fitting.Binary, prevalence: float, *, told: bool, tol: float, max_iter: int
) -> kernel.Fitted:
    """Fit the factor to two-label votes; a row without votes keeps the prevalence."""
    counts = read.counts.astype(float)
    return kernel.fit_key(
        _values(read.votes), counts, prevalence, told=told, tol=tol, max_iter=max_iter
    )


def _values(votes: NDArray[np.integer]) -> Floats:
    values = votes.astype(float)
    values[votes < 0] = np.nan
    return values


def share_of_votes(read: fitting.Binary) -> float:
    """Return the share of votes for the second label, half where nobody voted."""
    given = float(((read.votes >= 0).sum(axis=1) * read.counts).sum())
    ones = float(((read.votes == 1).sum(axis=1) * read.counts).sum())
    return ones / given if given else 0.5


def not_a_panel(read: fitting.Binary) -> str:
    """Return why the votes settle no correlations of all pairs of judges, or nothing."""
    advice = "use 'pooled-dawid-skene', which reads votes of any shape"
    return fitting.unsettled_pairs(
        _values(read.votes), read.counts.astype(float), "vote-factor", advice
    )


def _chances(read: fitting.Binary, share: Floats) -> Floats:
    """Return (2, K): each judge's expected share of votes for the second label, per class."""
    weights = np.stack([1 - share, share]) * read.counts
    ones, given = weights @ (read.votes == 1), weights @ (read.votes >= 0)
    result: Floats = np.divide(ones, given, out=np.full(ones.shape, np.nan), where=given > 0)
    return result


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; a row without votes keeps the prevalence."""
    check_fitted(result, "vote-factor")
    told = {name: np.array(value, float) for name, value in result.parameters.items()}
    found = kernel.OneFactor(told["loading"], told["noise"], End())
    scale = kernel.Scale(told["center"], told["spread"])
    key = kernel.KeyLaw(float(told["key_loading"]), float(told["key_threshold"]))
    values = _values(np.asarray(codes))
    share = kernel.higher_share(values, scale, found, key, float(told["prevalence"]))
    return np.stack([1 - share, share], axis=1)
