"""Factors behind scores: one, or several of which one is taken for the consensus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from algeval.aggregate import fitting, policy
from algeval.aggregate.kernels.one_factor import scale_of
from algeval.aggregate.results import Floats, decide
from algeval.aggregate.score_attributes import cluster_of
from algeval.aggregate.score_directions import Direction, Sought, directions
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    Found,
    finish,
    read_share,
    refused,
    unrelated_note,
)
from algeval.aggregate.score_kernels import factors as law_kernel
from algeval.aggregate.score_kernels.factor_fit import Factors, fit_factors, freedom
from algeval.aggregate.score_kernels.normal_scores import (
    Affine,
    JudgeScale,
    NormalScores,
    judge_scale,
)
from algeval.aggregate.score_kernels.one_more_judge import drawn_judge, panel_of, trait_itself
from algeval.aggregate.score_results import ScoreAggregation, Shift, Standing
from algeval.aggregate.score_scales import anchor_values
from algeval.data import Scores
from algeval.data.settings import check_choice, check_number, check_whole
from algeval.errors import DataError
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["factor", "predict"]

NAME = "factor"


def factor(
    data: Scores,
    *,
    factors: int | None = None,
    scores: str = "normal",
    rotate: str | None = None,
    discount: str | None = None,
    attributes: Mapping[str, Sequence[Any]] | None = None,
    anchors: Mapping[Any, Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    guard: float | None = None,
    posterior: str = "exchangeable",
    prevalence: Any = None,
    cut: object = None,
    seed: int = 0,
    tol: float = 1e-6,
    max_iter: int = 1000,
) -> ScoreAggregation:
    """Find what judges share as one factor, or take a shared confounder out by an explicit act.

    Use it where scores are missing in any pattern, and where you know more than the scores say: that
    a second, narrower trait of some judges is no quality, or that an attribute such as length is none.
    Scores alone cannot tell quality from a confounder. Taking a factor out helps where it is a bias of
    some judges and throws truth away where it is what the best judges share, so nothing is taken out
    unless you ask, and the result says how far that moves the consensus (`shifts`).

    Parameters
    ----------
    data : Scores
        At least 3 judges; a key is never read.
    factors : 1, 2, 3 or None
        How many; None is 1, and 2 where `rotate` or `discount` needs another.
    scores : "normal", "standardised" or "raw"
        What is read: ranks as normal scores, or the scores themselves. The last two differ in units
        alone.
    rotate : "varimax", optional
        Turn the factors until each judge loads on few, and take the one most judges share.
    discount : str, optional
        Name of an attribute: take the direction among the factors that goes with the consensus as
        far as it can while it does not go with the attribute's ranks. "attribute" is the only one.
    attributes : {name: sequence of n_items}, optional
        Attributes beside those the scores carry.
    anchors : {item: score}, optional
        Known scores of some items. They calibrate `item_scores`; and with `rotate` they choose, among
        one factor and the turned ones, the one that goes with them most.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together; all items of a cluster count as one.
    guard : number, optional
        Keep one factor where the correlation with it falls below this.
    posterior : "exchangeable", "weighted" or "trait"
        The key as one more judge like any of the panel; as one drawn by squared loadings, for panels of
        very uneven quality; or as sure as if the trait were the label.
    prevalence, cut
        As of 'rank-factor'.
    seed, tol, max_iter
        Of the starts; of the climb.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; not_identifiable with fewer than 3 judges whose scores vary, too few
        for so many factors, or judges who share no items with two others. The first column of
        `loadings` is the consensus.

    Raises
    ------
    DataError
        If a setting is out of range, or an attribute is not known.

    Notes
    -----
    x = m + L f + e with independent errors of a variance per judge, fitted by maximum likelihood with
    missing scores left out exactly (Lawley and Maxwell 1971; Rubin and Thayer 1982). Of an item whose
    trait has mean t and variance v, the probability of the higher class is the mean over judges of
    Phi((l t - q) / sqrt(1 - l^2 + l^2 v)), with q the quantile of the prevalence: the key is a judge
    drawn from the panel (a judge that goes against it says nothing).

    Examples
    --------
    >>> s = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 3, 7, 8], "k": [0, 0, 1, 2]})
    >>> factor(s).item_labels
    ['0', '0', '1', '1']
    """
    share = read_share(data, prevalence, cut)
    asked = _Asked(
        factors=_how_many(factors, rotate, discount),
        scores=check_choice("scores", scores, ("normal", "standardised", "raw")),
        rotate=check_choice("rotate", rotate, (None, "varimax")),
        discount=discount,
        guard=None if guard is None else check_number("guard", guard, least=0.0, most=1.0),
        posterior=check_choice("posterior", posterior, ("exchangeable", "weighted", "trait")),
        cluster=cluster if isinstance(cluster, str | None) else "given",
        **fitting.run_settings(tol=tol, max_iter=max_iter, seed=seed),
    )
    sought = Sought.of(
        data, asked.rotate, asked.discount, attributes, anchor_values(data.items, anchors)
    )
    clusters = cluster_of(data, cluster, attributes)
    reason = _unsettled(data, asked.factors)
    if reason:
        return refused(data, NAME, asked.settings(share), share, reason)
    return _Fit.of(data, asked, share, clusters).result(sought, told=cluster is not None)


def _how_many(factors: object, rotate: object, discount: object) -> int:
    needed = 2 if rotate or discount else 1
    if factors is None:
        return needed
    found = check_whole("factors", factors, 1, 3)
    if found < needed:
        raise DataError(
            f"factors must be at least 2 to take one out; got {factors!r}; leave it out, or leave out "
            "rotate and discount"
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The settings of the fit."""

    factors: int
    scores: Any
    rotate: str | None
    discount: str | None
    guard: float | None
    posterior: str
    cluster: str | None
    seed: int
    tol: float
    max_iter: int

    def settings(self, share: ClassShare) -> dict[str, Any]:
        """Return all settings as JSON types."""
        return share.settings | {name: getattr(self, name) for name in self.__slots__}


def _unsettled(data: Scores, factors: int) -> str:
    """Return why these scores settle no such factors, or nothing."""
    seen = ~np.isnan(data.values)
    varied = scale_of(data.values, np.ones(data.n_items)).spread > 0
    n = int(varied.sum())
    if n < 3:
        return (
            f"Factors must have at least 3 judges whose scores vary; got {n}: fewer correlations fit one "
            "trait in endlessly many ways."
        )
    if freedom(n, factors) < 0:
        return (
            f"{how_many(factors, 'factor')} must have more judges than {n} whose scores vary: the "
            "correlations fit them in endlessly many ways; ask for fewer."
        )
    part = seen[:, varied].astype(float)
    met = (part.T @ part > 1).sum(axis=1) - 1
    if met.min() < 2:
        lonely = np.array(data.judges)[varied][int(met.argmin())]
        return (
            f"Every judge must share items with at least two others; {lonely!r} shares some with "
            f"{met.min()}; leave it out with select(judges=...)."
        )
    return ""


class _Position(NamedTuple):
    """Where items stand on a direction, how surely, and how judges load on it."""

    mean: Floats
    variance: Floats
    loading: Floats


class _Law(NamedTuple):
    """A fit, and what it says of the factors of every item."""

    fit: Factors
    held: law_kernel.FactorPosterior

    def along(self, turn: Floats) -> _Position:
        """Return positions on a direction of the factors."""
        variance = np.einsum("i,nij,j->n", turn, self.held.covariance, turn)
        loading = self.fit.law.standard_loading @ turn
        return _Position(self.held.mean @ turn, variance, loading)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """One factor, and as many as were asked for, fitted to the judges' scale."""

    data: Scores
    asked: _Asked
    share: ClassShare
    scale: JudgeScale
    values: Floats
    one: _Law
    many: _Law
    plain: _Law

    @classmethod
    def of(cls, data: Scores, asked: _Asked, share: ClassShare, clusters: NDArray[np.intp]) -> _Fit:
        scale = judge_scale(data.values, asked.scores)
        values = scale.transform(data.values)
        counts = (1 / np.bincount(clusters))[clusters]

        def fitted(k: int, counts: Floats | None) -> _Law:
            rng = np.random.default_rng(asked.seed)
            found = fit_factors(
                values, k, rng=rng, counts=counts, tol=asked.tol, max_iter=asked.max_iter
            )
            return _Law(found, law_kernel.posterior(found.law, values))

        alone = bool((counts == 1).all())
        plain = fitted(1, None)
        one = plain if alone else fitted(1, counts)
        many = one if asked.factors == 1 else fitted(asked.factors, None if alone else counts)
        return cls(data, asked, share, scale, values, one, many, plain)

    def higher(self, at: _Position) -> Floats:
        """Return the probabilities of the higher class."""
        return _higher(at.mean, at.variance, self.key(at))

    def key(self, at: _Position) -> dict[str, Any]:
        """Return the law of the key, given how judges load on the consensus."""
        speaks = ~self.one.fit.silent
        counted = float(at.mean.std()) if self.share.counted else None
        loading, threshold, weight = panel_of(
            at.loading[speaks],
            quantile=-float(ndtri(self.share.share)),
            counted=counted,
            informed=self.asked.posterior == "weighted",
        )
        return {
            "posterior": self.asked.posterior,
            "share": self.share.share,
            "key_loading": loading,
            "key_threshold": threshold,
            "key_weight": weight,
        }

    def result(self, sought: Sought, *, told: bool) -> ScoreAggregation:
        """Return the result for the direction sought, beside that of one factor."""
        base = self.one.along(np.ones(1))
        shifts = []
        if told:
            shifts.append(self._moved("cluster", _ONCE, self.plain.along(np.ones(1)), base))
        taken, turn = self.many, np.eye(self.asked.factors)
        found = directions(sought, taken.held, base.mean, taken.fit.law)
        if found is not None:
            shifts.append(self._shift(found, base))
            turn = found.turn
            if found.one_factor or not shifts[-1].taken:
                taken, turn = self.one, np.ones((1, 1))
        return self._assembled(taken, turn, shifts, found)

    def _shift(self, found: Direction, base: _Position) -> Shift:
        """Return how far a direction moves the consensus; the guard may keep it from being taken."""
        if found.one_factor:
            return Shift(found.act, 1.0, 0.0, found.asserts)
        shift = self._moved(found.act, found.asserts, base, self.many.along(found.turn[:, 0]))
        guard = self.asked.guard
        return replace(shift, taken=guard is None or shift.correlation >= guard)

    def _moved(self, act: str, asserts: str, base: _Position, at: _Position) -> Shift:
        before, after = (Standing(p.mean, decide(_two(self.higher(p)))) for p in (base, at))
        return Shift.between(act, asserts, before, after)

    def _assembled(
        self, taken: _Law, turn: Floats, shifts: list[Shift], found: Direction | None
    ) -> ScoreAggregation:
        at, means = taken.along(turn[:, 0]), taken.held.mean @ turn
        law, end = taken.fit.law, taken.fit.end
        size = np.where(law.variance > 0, law.variance, 1.0)
        key = self.key(at)
        ended = "converged" if end.converged else "did not converge"
        what = found.what if found is not None else _WHAT[min(turn.shape[1], 2)]
        n, k = self.data.n_items, self.data.n_judges
        read = "ranks as normal scores" if self.asked.scores == "normal" else "scores as given"
        message = (
            f"{how_many(turn.shape[1], 'factor')} behind {k} judges on {how_many(n, 'item')} ({read}); the "
            f"climb {ended}; the consensus is {what}; the key is taken for one more judge, and the share "
            f"of the higher class for {self.share.share:.1%} ({self.share.why}); {CAVEAT}."
        )
        return finish(
            self.data,
            NAME,
            self.asked.settings(self.share),
            Found(
                traits=at.mean,
                spread=np.sqrt(at.variance),
                higher=_higher(at.mean, at.variance, key),
                loadings=law.standard_loading @ turn,
                noise=np.where(law.variance > 0, law.noise / size, 1.0),
                end=end,
                parameters=_parameters(law, turn, self.scale) | {"factor_means": means} | key,
            ),
            self.share,
            message=message,
            notes=[*unrelated_note(self.values), *self._alike()],
            status=None if end.converged else Status.NOT_CONVERGED,
            shifts=shifts,
        )

    def _alike(self) -> list[str]:
        """Return a sentence on pairs of judges who share more than the factor."""
        residual = law_kernel.residual_correlations(self.one.fit.law, self.values)
        pairs = law_kernel.alike_pairs(residual)
        if not len(pairs):
            return []
        shown = [
            f"{self.data.judges[i]} and {self.data.judges[j]}"
            for i, j in pairs[: policy.MOST_NAMED]
        ]
        more = f" and {len(pairs) - len(shown)} more pairs" if len(pairs) > len(shown) else ""
        return [
            f"What one factor leaves of {', '.join(shown)}{more} correlates above "
            f"{policy.NEAR_COPIES:g}: they are near copies, or share a second thing with "
            "each other. Copies draw the consensus to themselves: leave one of each pair out. If they are "
            "none, one factor is not enough, or copies of something else have taken it; see confounders."
        ]


_ONCE = "items of a cluster say the same thing once, not as many times as there are items"
_WHAT = {1: "the only factor", 2: "the leading one"}


def _two(higher: Floats) -> Floats:
    return np.stack([1 - higher, higher], axis=1)


def _higher(mean: Floats, variance: Floats, key: Mapping[str, Any]) -> Floats:
    if key["posterior"] == "trait":
        return trait_itself(mean, variance, key["share"])
    parts = (np.asarray(key[f"key_{name}"], float) for name in ("loading", "threshold", "weight"))
    return drawn_judge(mean, variance, tuple(parts))  # type: ignore[arg-type]


def _parameters(law: law_kernel.FactorLaw, turn: Floats, scale: JudgeScale) -> dict[str, Any]:
    kept: dict[str, Any] = {"mean": law.mean, "factor_loading": law.loading, "error": law.noise}
    if isinstance(scale, NormalScores):
        kept |= scale.parameters()
    else:
        kept |= {"center": scale.center, "spread": scale.spread}
    return kept | {"turn": turn}


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    told = result.parameters
    scale: JudgeScale
    if "scores_seen" in told:
        scale = NormalScores.read(told)
    else:
        scale = Affine(np.array(told["center"], float), np.array(told["spread"], float))
    law = law_kernel.FactorLaw(
        *(np.array(told[n], float) for n in ("mean", "factor_loading", "error"))
    )
    turn = np.array(told["turn"], float)[:, 0]
    found = law_kernel.posterior(law, scale.transform(values))
    variance = np.einsum("i,nij,j->n", turn, found.covariance, turn)
    higher = _higher(found.mean @ turn, variance, told)
    return _two(np.where(np.isnan(values).all(axis=1), result.prevalence, higher))
