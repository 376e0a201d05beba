"""Graded responses: one trait behind ordered levels, and the key as one more judge of the panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate import fitting, policy
from algeval.aggregate.inputs import distinct_rows
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    Found,
    finish,
    read_share,
    refused,
    unrelated_note,
)
from algeval.aggregate.score_kernels import graded_response as kernel
from algeval.aggregate.score_kernels import new_judge
from algeval.aggregate.score_kernels.score_levels import Levels
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores
from algeval.data.settings import check_choice
from algeval.result.wording import how_many

__all__ = ["graded_response", "predict"]

NAME = "graded-response"

_MEANING = {
    "exchangeable": "the key is taken for one more judge of this panel, any of them",
    "weighted": "the key is taken for one more judge of this panel, the more likely the better",
    "trait": "the key is taken for the trait itself, which is too sure where judges err alike",
}


def graded_response(
    data: Scores,
    *,
    prevalence: Any = None,
    cut: object = None,
    posterior: str = "exchangeable",
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> ScoreAggregation:
    """Find a consensus score and a class where judges use a few ordered levels, each in its own way.

    Use it for grades (1 to 5, 0 to 10, yes or no): levels need not be equally far apart, nor mean the
    same to all judges, and scores may be missing anywhere. It sees one thing that judges share; errors
    that some share are part of it.

    Parameters
    ----------
    data : Scores
        At least 3 judges. One with more than 15 distinct scores has its scores binned. A key is never
        read.
    prevalence : number between 0 and 1, shares, "equal" or None
        Share of the higher class, which no scores can tell: every judge is taken to call so many
        items higher. None takes both classes for equally frequent and says so.
    cut : number or text, optional
        Where the higher class begins on the judges' scale, instead: the class is what one more judge
        would say, with the judges' own leniency.
    posterior : "exchangeable", "weighted" or "trait"
        One more judge like any of the panel; the same, drawn by squared loadings, for panels
        of very uneven quality; or whether the trait itself is among the highest share of items.
    tol, max_iter
        EM has converged when no chance of a level moves by more than `tol` and the likelihood stands
        still.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable with fewer than 3 judges whose scores vary on items
        that others scored too. `item_scores` are the median score of one more judge, drawn by squared
        slopes. `parameters` has the slopes and thresholds.

    Raises
    ------
    DataError
        If both `prevalence` and `cut` are given, or a setting is out of range.

    Notes
    -----
    Judge j gives level c or a lower one with probability Phi(t_jc - a_j theta), theta standard normal
    (Samejima 1969); slopes a are drawn around their mean with variance 1. Marginal likelihood is
    climbed by EM on a grid of theta. The probability of the higher class is the mean over theta
    given the scores, and over judges, of Phi(a_j theta - b_j): b_j is judge j's own threshold at `cut`, or
    -sqrt(1 + a_j^2) Phi^-1(prevalence); a judge of negative slope is taken for one who knows nothing. With
    two levels this is the two-parameter probit.

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 1, 2, 2], "k": [0, 1, 2, 2]})
    >>> graded_response(s).item_labels
    ['0', '0', '1', '1']
    """
    share = read_share(data, prevalence, cut)
    how = check_choice("posterior", posterior, tuple(_MEANING))
    settings = share.settings | {"posterior": how}
    settings |= fitting.run_settings(tol=tol, max_iter=max_iter)
    reason = _unsettled(data.values)
    if reason:
        return refused(data, NAME, settings, share, reason)
    levels = Levels.of(data.values)
    rows, place = distinct_rows(levels.codes(data.values), int(levels.sizes.max()))
    counts = np.bincount(place, minlength=len(rows)).astype(float)
    fit = kernel.fit_graded(
        rows, counts, levels.sizes, tol=settings["tol"], max_iter=settings["max_iter"]
    )
    panel = _Panel(levels, fit)
    traits = kernel.grid_posterior(rows, fit)
    mean, variance = kernel.moments(traits, fit.nodes)
    found = Found(
        traits=mean[place],
        spread=np.sqrt(variance)[place],
        higher=panel.higher(traits, how, share.cut, share.share)[place],
        loadings=fit.loading[:, None],
        noise=1 - fit.loading**2,
        own=panel.median(traits)[place],
        end=fit.end,
        parameters=panel.parameters() | {"cut": share.cut},
    )
    message = (
        f"Graded response model on {how_many(data.n_items, 'item')} and {data.n_judges} judges "
        f"{'converged' if fit.end.converged else 'did not converge'}; {_MEANING[how]}, and "
        f"{_class_words(share, how)}; {CAVEAT}."
    )
    notes = [*unrelated_note(data.values), *_binned(data, levels)]
    return finish(data, NAME, settings, found, share, message=message, notes=notes)


def _class_words(share: ClassShare, how: str) -> str:
    """Return what the higher class was taken for."""
    if share.cut is None or how == "trait":
        return f"the share of the higher class for {share.share:.1%} ({share.why})"
    return f"the higher class for what it scores {share.cut:.4g} or more"


def _unsettled(values: Floats) -> str:
    """Return why these scores settle no slopes, or nothing."""
    together = values[(~np.isnan(values)).sum(axis=1) >= 2]
    sizes = Levels.of(together).sizes
    varied, least = int((sizes > 1).sum()), fitting.fewest(NAME, "scores")
    if varied >= least:
        return ""
    return (
        f"The graded response must have at least {least} judges whose scores vary on items that another "
        f"judge scored too; got {varied}: fewer fit one trait in endlessly many ways."
    )


def _binned(data: Scores, levels: Levels) -> list[str]:
    """Return a sentence on the judges whose scores are not their levels."""
    many = [
        judge
        for judge, column, scores in zip(data.judges, data.values.T, levels.scores, strict=True)
        if len(np.unique(column[~np.isnan(column)])) > len(scores)
    ]
    if not many:
        return []
    return [
        f"{', '.join(many[: policy.MOST_NAMED])}{' and others' * (len(many) > policy.MOST_NAMED)} used more "
        f"than {policy.MOST_LEVELS} distinct scores, which are read in bins; rank-factor reads all of them."
    ]


class _Panel(NamedTuple):
    """The judges' levels and curves."""

    levels: Levels
    fit: kernel.GradedResponse

    def median(self, traits: Floats) -> Floats:
        """Return (rows,) the median score of one more judge."""
        curves, nodes, _, _ = self.fit
        weights = new_judge.panel_weights(curves.slope)
        return new_judge.median_score(traits, curves.chances(nodes), self.levels, weights)

    def higher(self, traits: Floats, how: str, cut: float | None, share: float) -> Floats:
        """Return (rows,) the probability of the higher class for posteriors of the trait."""
        curves, nodes = self.fit.curves, self.fit.nodes
        if how == "trait":
            return new_judge.trait_share(traits, nodes, share)
        if cut is None:
            thresholds = new_judge.prevalence_thresholds(curves.slope, share)
        else:
            thresholds = new_judge.own_thresholds(curves, self.levels, cut)
        strength = self.fit.loading if how == "weighted" else np.ones(len(curves.slope))
        strength = np.where(self.levels.sizes > 0, strength, 0.0)
        weights = new_judge.panel_weights(strength)
        return new_judge.higher_share(traits, nodes, curves.slope, thresholds, weights)

    def parameters(self) -> dict[str, Any]:
        """Return what `read` needs, without the thresholds at infinity."""
        rows = self.fit.curves.threshold
        return {
            "slopes": self.fit.curves.slope,
            "thresholds": [row[np.isfinite(row)].tolist() for row in rows],
            "level_cuts": [cuts.tolist() for cuts in self.levels.cuts],
            "level_scores": [scores.tolist() for scores in self.levels.scores],
            "n_nodes": len(self.fit.nodes),
        }

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> _Panel:
        """Return the panel that `parameters` tells of."""
        cuts, scores = (
            tuple(np.array(column, float) for column in told[name])
            for name in ("level_cuts", "level_scores")
        )
        threshold = np.full((len(scores), max(1, *map(len, told["thresholds"]))), np.inf)
        for row, told_row in zip(threshold, told["thresholds"], strict=True):
            row[: len(told_row)] = told_row
        curves = kernel.Curves(np.array(told["slopes"], float), threshold)
        nodes, _ = kernel.grid(told["n_nodes"])
        return cls(Levels(cuts, scores), kernel.GradedResponse(curves, nodes, np.nan, End()))


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    panel = _Panel.read(told)
    traits = kernel.grid_posterior(panel.levels.codes(values), panel.fit)
    higher = panel.higher(traits, result.settings["posterior"], told["cut"], result.prevalence)
    higher = np.where(np.isnan(values).all(axis=1), result.prevalence, higher)
    return np.stack([1 - higher, higher], axis=1)
