"""CARE-SVD: quality and confounders by a sparse and a low-rank part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.results import End, Floats
from algeval.aggregate.score_fitting import (
    CAVEAT,
    ClassShare,
    FittedScores,
    anchor_values,
    opened_scores,
    unrelated_note,
)
from algeval.aggregate.score_results import ScoreAggregation
from algeval.aggregate.scores.simple import NormalScores, by_presence
from algeval.data import Scores
from algeval.data.names import check_choice, check_number
from algeval.data.scores import mid_ranks
from algeval.errors import DataError
from algeval.result import Status, percent
from algeval.result.numbers import how_many

# --- A precision matrix as a sparse part less a low-rank part (Chandrasekaran et al. 2012), by
# ADMM.
#
#     minimise  f(S - L) + sum_ij P_ij |S_ij| + low_rank tr L   over  L >= 0
#
# f(R) is -log det R + tr(Sigma R), of normal scores minus twice the log-likelihood per item; or, over
# R >= 0, tr(R Sigma R) / 2 - tr R, the D-trace loss (Zhang and Zou 2014). Both are least where R
# inverts Sigma. Arrays in, arrays out; the steps are tuned for correlation matrices. The end of the
# search is not read off its own moves: every few sweeps a point that meets all constraints is
# compared with a lower bound of the minimum that holds whatever the iterates are.


class Split(NamedTuple):
    """What the search found, and what proves it.

    `sparse`, `low_rank` (p, p): S and L; S - L and L meet their constraints exactly. L has exact
      zeros where it was shrunk.
    `gap`: objective less a lower bound of the minimum; infinite where no bound was found.
    `primal`, `dual`: how far the copies differ, and how far the last sweep moved them (Frobenius).
    `pull`: largest eigenvalue of the slope of f (less the multiplier of R >= 0), from the
      multipliers. L = 0 is optimal if and only if, at the minimum, it is at most the penalty of L.
      What is found here proves more: no minimiser has tr L above gap / (penalty - pull), where that
      is positive.
    """

    sparse: Floats
    low_rank: Floats
    objective: float
    gap: float
    primal: float
    dual: float
    pull: float
    end: End

    @property
    def rank(self) -> int:
        """Number of eigenvalues of L above `policy.SPLIT_ZERO`."""
        return int((np.linalg.eigvalsh(self.low_rank) > policy.SPLIT_ZERO).sum())

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Pairs with an entry of S above `policy.SPLIT_ZERO` in size."""
        rows, columns = np.nonzero(np.triu(np.abs(self.sparse) > policy.SPLIT_ZERO, 1))
        return list(zip(rows.tolist(), columns.tolist(), strict=True))


class _LogDet:
    """-log det R + tr(Sigma R)."""

    name: ClassVar[str] = "log-det"
    copies: ClassVar[int] = 1

    def __init__(self, sigma: Floats) -> None:
        self.sigma = sigma

    def near(self, V: Floats, rho: float) -> Floats:
        d, Q = np.linalg.eigh(V[0] - self.sigma / rho)
        R: Floats = (Q * ((d + np.sqrt(d**2 + 4 / rho)) / 2)) @ Q.T
        return R[None]

    def value(self, R: Floats) -> float:
        least = np.linalg.eigvalsh(R)
        if least[0] <= 0:
            return np.inf
        return float((self.sigma * R).sum() - np.log(least).sum())

    def bound(self, Y: Floats, _: Floats) -> float:
        """Least of f(R) + tr(Y R) over R > 0."""
        values = np.linalg.eigvalsh(self.sigma + Y)
        return len(values) + float(np.log(values).sum()) if values[0] > 0 else -np.inf


class _DTrace:
    """tr(R Sigma R) / 2 - tr R over R >= 0: one copy of R for the loss and one for the constraint."""

    name: ClassVar[str] = "d-trace"
    copies: ClassVar[int] = 2

    def __init__(self, sigma: Floats) -> None:
        self.sigma = sigma
        values, self.Q = np.linalg.eigh(sigma)
        self.half = (values[:, None] + values) / 2

    def near(self, V: Floats, rho: float) -> Floats:
        turned = self.Q.T @ V[0] @ self.Q
        smooth = (np.eye(len(turned)) + rho * turned) / (self.half + rho)
        return np.stack([self.Q @ smooth @ self.Q.T, _shrunk(V[1], 0.0)])

    def value(self, R: Floats) -> float:
        return float((R * (self.sigma @ R)).sum() / 2 - np.trace(R))

    def bound(self, Y: Floats, multipliers: Floats) -> float:
        """Least of f(R) + tr(Y R) - tr(Z R) over all R, Z >= 0 the last multiplier."""
        A = self.Q.T @ (np.eye(len(Y)) - Y + multipliers[1]) @ self.Q
        if self.half.min() <= 0:
            return -np.inf
        return -float((A**2 / self.half).sum()) / 2


LOSSES = {loss.name: loss for loss in (_LogDet, _DTrace)}


@dataclass(frozen=True, slots=True)
class _Problem:
    loss: _LogDet | _DTrace
    penalty: Floats
    low_rank: float

    def near(self, V: Floats, rho: float) -> Floats:
        """Each copy's best point near V: of R, S and L."""
        S = np.sign(V[-2]) * np.maximum(np.abs(V[-2]) - self.penalty / rho, 0.0)
        L = _shrunk(V[-1], self.low_rank / rho)
        return np.concatenate([self.loss.near(V, rho), S[None], L[None]])

    def agreed(self, W: Floats) -> Floats:
        """Nearest copies with R = S - L."""
        k = self.loss.copies
        *R, S, L = W
        D = (2 * sum(R) + S - L) / (2 * k + 1)
        return np.stack([D] * k + [(S + L + D) / 2, (S + L - D) / 2])


class _Sweep(NamedTuple):
    """Copies, what they are pulled to, the scaled multipliers, and the residuals."""

    X: Floats
    V: Floats
    Z: Floats
    U: Floats
    rho: float
    primal: float
    dual: float


def split_sparse_low_rank(
    sigma: Floats,
    *,
    loss: str,
    sparse: float,
    low_rank: float,
    diagonal: bool = True,
    tol: float = 1e-9,
    max_iter: int = 20000,
) -> Split:
    """Split the precision of a (p, p) correlation matrix into S - L.

    Two-block ADMM on copies of R, S and L, over-relaxed; the step starts in proportion to the
    penalties and is balanced by the residuals. It has converged when the gap is at most
    `tol` (1 + |objective|). Both penalties are above 0.
    `diagonal` says whether |S_jj| is penalised too. Where the objective falls for ever (see
    `bottomless`) nothing is searched and the gap is infinite.
    """
    penalty = np.full_like(sigma, sparse)
    if not diagonal:
        np.fill_diagonal(penalty, 0.0)
    problem = _Problem(LOSSES[loss](sigma), penalty, low_rank)
    at = _start(problem, policy.SPLIT_STEP * float(np.sqrt(sparse * low_rank)))
    if bottomless(sigma, loss=loss, sparse=sparse, diagonal=diagonal):
        return _certified(problem, at, 0)._replace(gap=np.inf)
    n_iter = 0
    while True:
        for _ in range(policy.SPLIT_SWEEPS):
            at = _swept(problem, at)
        n_iter += policy.SPLIT_SWEEPS
        split = _certified(problem, at, n_iter)
        if np.isfinite(split.gap) and split.gap <= tol * (1 + abs(split.objective)):
            return split._replace(end=split.end._replace(converged=True))
        if n_iter >= max_iter:
            return split
        if n_iter <= policy.SPLIT_BALANCED_FOR:
            at = _balanced(at)


def bottomless(sigma: Floats, *, loss: str, sparse: float, diagonal: bool = True) -> bool:
    """Whether the D-trace objective is seen to fall for ever where scores do not vary.

    Along S = t u u' with Sigma u = 0 it is t (sparse (sum |u_j|)^2 - 1), less t sparse where the
    diagonal is free. Log-det has a minimum wherever S is penalised.
    """
    if loss != "d-trace":
        return False
    width = np.abs(without_variance(sigma)).sum(axis=0) ** 2
    return bool((sparse * (width - (not diagonal)) < 1).any())


def without_variance(sigma: Floats) -> Floats:
    """Return (p, m) the unit combinations of scores that do not vary, as columns."""
    values, vectors = np.linalg.eigh(sigma)
    vectors_: Floats = vectors[:, values < policy.SPLIT_SINGULAR]
    return vectors_


def _start(problem: _Problem, rho: float) -> _Sweep:
    eye = np.eye(len(problem.penalty))
    Z = np.stack([eye] * (problem.loss.copies + 1) + [np.zeros_like(eye)])
    return _Sweep(Z, Z, Z, np.zeros_like(Z), rho, np.inf, np.inf)


def _swept(problem: _Problem, at: _Sweep) -> _Sweep:
    V = at.Z - at.U
    X = problem.near(V, at.rho)
    W = policy.SPLIT_RELAXED * X + (1 - policy.SPLIT_RELAXED) * at.Z + at.U
    Z = problem.agreed(W)
    primal = float(np.linalg.norm(X - Z))
    dual = at.rho * float(np.linalg.norm(Z - at.Z))
    return _Sweep(X, V, Z, W - Z, at.rho, primal, dual)


def _balanced(at: _Sweep) -> _Sweep:
    """Same point with another step where one residual is relatively far above the other.

    The primal one is measured by the copies, the dual one by the multipliers (Wohlberg 2017).
    """
    copies = max(float(np.linalg.norm(at.X)), float(np.linalg.norm(at.Z)))
    primal = at.primal * at.rho * float(np.linalg.norm(at.U))
    dual = at.dual * copies
    if primal > policy.SPLIT_UNBALANCED * dual:
        return at._replace(rho=at.rho * 2, U=at.U / 2)
    if dual > policy.SPLIT_UNBALANCED * primal:
        return at._replace(rho=at.rho / 2, U=at.U * 2)
    return at


def _certified(problem: _Problem, at: _Sweep, n_iter: int) -> Split:
    """Iterate, made feasible, with a lower bound from its multipliers, made feasible.

    The multiplier Y of S = R + L lies in the box |Y_ij| <= P_ij because S was soft-thresholded;
    scaling it down keeps it there and makes low_rank I + Y >= 0 true.
    """
    S, L = at.X[-2], at.X[-1]
    S = S + max(0.0, -float(np.linalg.eigvalsh(S - L)[0])) * np.eye(len(S))
    penalties = float((problem.penalty * np.abs(S)).sum()) + problem.low_rank * float(np.trace(L))
    objective = problem.loss.value(S - L) + penalties
    multipliers = at.rho * (at.X - at.V)
    Y = -multipliers[-2]
    pull = -float(np.linalg.eigvalsh(Y)[0])
    kept = min(1.0, problem.low_rank / pull) if pull > 0 else 1.0
    bound = problem.loss.bound(kept * Y, multipliers)
    gap = objective - bound if np.isfinite([objective, bound]).all() else np.inf
    end = End(False, n_iter, (), "ADMM")
    return Split(S, L, objective, gap, at.primal, at.dual, pull, end)


def _shrunk(V: Floats, by: float) -> Floats:
    """V with eigenvalues lowered by `by`, none below 0."""
    values, Q = np.linalg.eigh((V + V.T) / 2)
    values = values - by
    kept = values > 0
    result: Floats = (Q[:, kept] * values[kept]) @ Q[:, kept].T
    return result


# --- Which direction of a low-rank part is quality: leading, balanced, anchored, or a subtraction.
#
# With one latent variable per eigenvector v of L, its mean given standardised scores z is a multiple of
# v.z: weights are v itself, of length 1, and no inverse is taken. Nothing in L says which of its
# directions is what the user means; each rule is an assertion. Arrays in, arrays out.


class Directions(NamedTuple):
    """Eigenvalues (r,), largest first, and eigenvectors (p, r), each with a sum of at least 0."""

    values: Floats
    vectors: Floats

    @property
    def breadth(self) -> Floats:
        """(r,) cosine with equal weights on all judges: 1 if balanced, near 0 if narrow or mixed."""
        result: Floats = self.vectors.sum(axis=0) / np.sqrt(len(self.vectors))
        return result

    def scores(self, standard: Floats) -> Floats:
        """Return (n_items, r) the score of every item along every direction (E.8)."""
        result: Floats = standard @ self.vectors
        return result


class Quality(NamedTuple):
    """The direction taken.

    `weights` (p,): of length 1, for standardised scores.
    `place`: which eigenvector, 0 the leading one.
    `gap`: distance of its eigenvalue to the nearest other one as a share of the larger, 1 where it
      is alone: an eigenvector is known no better than noise / gap.
    """

    weights: Floats
    place: int
    gap: float

    @property
    def tied(self) -> bool:
        """Whether another eigenvalue is so near that the direction is open."""
        return self.gap < policy.NEAR_TIE


def directions(low_rank: Floats) -> Directions:
    """Directions of L whose eigenvalues exceed `policy.SPLIT_ZERO`."""
    values, vectors = np.linalg.eigh(low_rank)
    kept = values[::-1] > policy.SPLIT_ZERO
    vectors = vectors[:, ::-1][:, kept]
    return Directions(values[::-1][kept], vectors * np.where(vectors.sum(axis=0) < 0, -1.0, 1.0))


def leading(directions_: Directions) -> Quality:
    """Eigenvector of the largest eigenvalue: quality is what judges share most.

    The least robust rule: a few near copies share more with one another than good judges do.
    """
    return _taken(directions_, 0)


def balanced(directions_: Directions) -> Quality:
    """Eigenvector of largest breadth: quality is what all judges share alike."""
    return _taken(directions_, int(directions_.breadth.argmax()))


def anchored(directions_: Directions, standard: Floats, anchors: Floats) -> Quality:
    """Eigenvector whose scores of (m, p) anchored items agree best with (m,) anchors.

    Agreement is the rank correlation in size; the sign follows it, for anchors tell it better than
    the sum of the weights. Without any agreement the sum decides.
    """
    columns = np.column_stack([directions_.scores(standard), anchors])
    ranks = np.apply_along_axis(mid_ranks, 0, columns)
    ranks -= ranks.mean(axis=0)
    size = np.linalg.norm(ranks, axis=0)
    size[size == 0] = np.inf
    agreement = (ranks[:, :-1].T @ ranks[:, -1]) / (size[:-1] * size[-1])
    index = int(np.abs(agreement).argmax())
    quality = _taken(directions_, index)
    return quality._replace(weights=-quality.weights) if agreement[index] < 0 else quality


def subtraction(directions_: Directions, index: int) -> Floats:
    """Weights (p,) that subtract the other directions from one (C.4), for replication only.

    Columns of loadings are eigenvectors times roots of eigenvalues, for L is loadings times their
    transpose; the formula itself is lost in the text we read. The result hangs on the signs of
    the eigenvectors, which L does not tell: here all sums are at least 0.
    """
    loadings = directions_.vectors * np.sqrt(directions_.values)
    weights: Floats = 2 * loadings[:, index] - loadings.sum(axis=1)
    return weights / float(np.linalg.norm(weights))


def _taken(directions_: Directions, index: int) -> Quality:
    others = np.append(np.delete(directions_.values, index), 0.0)
    value = directions_.values[index]
    gap = float((np.abs(others - value) / np.maximum(others, value)).min())
    return Quality(directions_.vectors[:, index], index, gap)


def with_latents(loadings: Floats, sigma: Floats) -> Floats:
    """Return (p, r) correlations of judges with latent variables of these (p, r) loadings.

    Judges and latents have the joint precision [[S, -K], [-K', I]], so that L = K K', the latents'
    covariance with the judges is Sigma K, and their variance 1 + k' Sigma k.
    """
    covariance = sigma @ loadings
    result: Floats = covariance / np.sqrt(1 + (loadings * covariance).sum(axis=0))
    return result


def latent(loading: Floats, sigma: Floats, standard: Floats, seen: Floats) -> tuple[Floats, Floats]:
    """Return (n_items,) mean and variance of a latent variable given the scores seen, prior (0, 1).

    `standard` holds 0 where `seen` is 0. Given all scores it is k.z with variance 1, over its prior
    variance 1 + k' Sigma k; scores not seen are normal given the others.
    """
    total = 1 + float(loading @ sigma @ loading)
    mean, variance = np.zeros(len(seen)), np.zeros(len(seen))
    for seen_, here in by_presence(seen.astype(bool)):
        weights, left = _conditional(loading, sigma, seen_)
        mean[here], variance[here] = standard[here] @ weights, 1 + left
    return mean / np.sqrt(total), variance / total


def _conditional(loading: Floats, sigma: Floats, seen: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights (p,) of the scores seen for k.z, and the variance the others leave."""
    if seen.all():
        return loading, 0.0
    gone = ~seen
    inverse = np.linalg.pinv(sigma[np.ix_(seen, seen)], rcond=policy.SPLIT_SINGULAR, hermitian=True)
    filled = sigma[np.ix_(gone, seen)] @ inverse
    weights = np.zeros(len(loading))
    weights[seen] = loading[seen] + loading[gone] @ filled
    left = sigma[np.ix_(gone, gone)] - filled @ sigma[np.ix_(seen, gone)]
    return weights, max(float(loading[gone] @ left @ loading[gone]), 0.0)


# --- CARE-SVD: what judges share is split off the graph of their errors, and one direction of it is
# taken.


NAME = "care-svd"

DIRECTIONS = ("leading", "balanced", "anchored")
RULES = ("vector", "subtraction")


def care_svd(
    data: Scores,
    *,
    scores: Literal["standardised", "normal"] = "standardised",
    loss: Literal["d-trace", "log-det"] = "d-trace",
    sparse: float | None = None,
    low_rank: float | None = None,
    direction: Literal["leading", "balanced", "anchored"] = "leading",
    anchors: Mapping[Any, Any] | None = None,
    rule: Literal["vector", "subtraction"] = "vector",
    prevalence: Any = None,
    cut: object = None,
    tol: float = 1e-9,
    max_iter: int = 20000,
) -> ScoreAggregation:
    """Take one direction of what judges share beyond the links between single judges.

    Use it to see how many things judges share and which judges err together, or to redo the CARE paper. As
    a consensus it was within .02 of one factor (rank correlation with people) on the scores it was tried
    on. A few near copies of anything become the leading direction: beside 21 language models three
    judges who only measured length took it (.61 fell to -.04); `balanced` withstood 8 of them, and
    `anchored` with 50 anchors all 16 tried.

    Parameters
    ----------
    data : Scores
        At least 3 judges; every two with a quarter of the items in common. A key is never read.
    scores : "standardised" or "normal"
        What is read: the scores themselves, or their ranks as normal scores.
    loss : "d-trace" or "log-det"
        D-trace is the authors' and needs scores none of which is a combination of others; log-det is
        the likelihood of normal scores.
    sparse, low_rank : number above 0, optional
        Penalties of the links' sizes and of the shared part's eigenvalues, on correlations. None is the
        authors' .004 / sqrt(judges).
    direction : "leading", "balanced" or "anchored"
        Which eigenvector is quality: of the largest eigenvalue, of the largest cosine with equal
        weights, or the one that ranks the anchored items most as the anchors do. Each is an assertion.
    anchors : {item: score}, optional
        Known scores of at least 3 items, for ``direction="anchored"``. As in every method of scores
        they also move `item_scores`.
    rule : "vector" or "subtraction"
        Weights are the eigenvector, or it less the others (C.4), for replication only: it hangs on
        signs that scores do not tell.
    prevalence, cut
        As of 'rank-factor'.
    tol, max_iter
        Converged when the objective is proved to be within tol (1 + |objective|) of its minimum.

    Returns
    -------
    ScoreAggregation
        Status ok; not_converged; undetermined where the best shared part is exactly none;
        not_identifiable with fewer than 3 judges whose scores vary, where some pair has fewer than a
        quarter of the items in common, or where D-trace has no minimum. `loadings` are the judges'
        correlations with each latent variable, quality first; `parameters` holds `weights` for
        standardised scores, `directions` (their columns), `eigenvalues`, `edges` and the proved `gap`.

    Raises
    ------
    DataError
        If a setting is out of range, or anchors are too few or missing.

    Notes
    -----
    With S the links and L = K K' the shared part of the precision of standardised scores z, the
    latent variable of a column k is normal given z with mean k.z and variance 1. Correlations are of
    the items each pair scored; a score left out is normal given the others.
    D-trace penalises the diagonal of S too, as the authors' code does; log-det does not. Classes
    are those of 'rank-factor'. Source: CARE, sections 3.2, 3.3 and C.4; Chandrasekaran et al. (2012).

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(300, 5))
    >>> found = care_svd(Scores(range(300), list("abcde"), draws + draws[:, [0]]))
    >>> found.status.value, found.judges[found.loading.argmax()]
    ('ok', 'a')
    """
    case = opened_scores(
        "care-svd",
        data,
        prevalence,
        cut,
        max_iter=max_iter,
        tol=tol,
        **_penalties(data, sparse=sparse, low_rank=low_rank),
        scores=check_choice("scores", scores, ("standardised", "normal")),
        loss=check_choice("loss", loss, tuple(LOSSES)),
        direction=check_choice("direction", direction, DIRECTIONS),
        rule=check_choice("rule", rule, RULES),
    )
    settings, share = dict(case.settings), case.share
    anchors_ = _anchors(data, direction, anchors)
    read = _Read.of(data, settings["scores"])
    reason = _unfit(data, read, settings)
    if reason:
        return case.refused(reason)
    split = split_sparse_low_rank(read.values.matrix, **_run(settings))
    if not split.rank:
        status, why = _nothing_shared(split)
        return case.refused(why, status=status)
    taken = _taken_of_care_svd(directions(split.low_rank), read.values.scores, anchors_, settings)
    loadings = with_latents(taken.loadings, read.values.matrix)
    fit = _fitted(read, taken, loadings[:, 0], split.end, share)
    ranks = {} if read.ranks is None else read.ranks.parameters()
    fitted = FittedScores(
        traits=fit.mean,
        spread=np.sqrt(fit.variance),
        higher=fit.share,
        loadings=loadings,
        noise=fit.found.noise,
        end=split.end,
        parameters=_parameters(data, fit, split, taken) | ranks,
    )
    message = _message(data, settings, split, taken, share)
    notes = [
        *unrelated_note(data.values),
        *_notes(data, taken, settings),
        *_stopped(data, read, split),
    ]
    return case.finish(fitted, message=message, notes=notes)


class _Read(NamedTuple):
    """How ranks are read, if they are, and what is read."""

    ranks: NormalScores | None
    values: fitting.Standardised

    @classmethod
    def of(cls, data: Scores, scores: str) -> _Read:
        ranks = NormalScores.of(data.values) if scores == "normal" else None
        values = data.values if ranks is None else ranks.transform(data.values)
        return cls(ranks, fitting.standardised(values))


def _run(settings: Mapping[str, Any]) -> dict[str, Any]:
    names = "loss", "sparse", "low_rank", "tol", "max_iter"
    return {name: settings[name] for name in names} | {"diagonal": settings["loss"] == "d-trace"}


def _unfit(data: Scores, read: _Read, settings: Mapping[str, Any]) -> str:
    """Return why these scores cannot be split, or nothing."""
    advice = "leave judges of few scores out with select(judges=...)"
    ones = np.ones(data.n_items)
    reason = fitting.unsettled_pairs(data.values, ones, NAME, advice, reads="scores")
    run = _run(settings)
    options = {name: run[name] for name in ("loss", "sparse", "diagonal")}
    if not reason and bottomless(read.values.matrix, **options):
        return _combined(data, read.values.matrix)
    return reason


def _fitted(
    read: _Read, taken: _Taken, loading: Floats, end: End, share: ClassShare
) -> fitting.Fitted:
    """Latent variable of every item and the higher class, by a key that is one more judge."""
    standard, seen, sigma, scale = read.values
    mean, variance = latent(taken.loadings[:, 0], sigma, standard, seen)
    factor = fitting.OneFactor(loading, np.maximum(1 - loading**2, 0.0), end)
    ones = np.ones(len(mean))
    key = fitting.key_law(factor, variance, ones, share.share, fixed=not share.counted)
    higher = fitting.key_posterior(mean, variance, key)
    return fitting.Fitted(scale, sigma, factor, key, mean, variance, higher)


def _penalties(data: Scores, **supplied: float | None) -> dict[str, float]:
    """Checked penalties, the authors' where none is told."""
    default = policy.SPLIT_PENALTY / np.sqrt(data.n_judges)
    return {
        name: float(default) if value is None else check_number(name, value, least=0.0, strict=True)
        for name, value in supplied.items()
    }


def _anchors(data: Scores, direction: str, anchors: Mapping[Any, Any] | None) -> Floats | None:
    """Return (n_items,) known scores of items somebody scored, NaN elsewhere, where they are needed."""
    if direction != "anchored":
        return None
    anchors_ = anchor_values(data.items, anchors)
    n = 0
    if anchors_ is not None:
        anchors_[np.isnan(data.values).all(axis=1)] = np.nan
        n = int((~np.isnan(anchors_)).sum())
    if n < policy.FEWEST_ANCHORS:
        raise DataError(
            f"anchors must name at least {policy.FEWEST_ANCHORS} items that some judge scored, for "
            f"direction='anchored'; got {n}; write anchors={{'q1': 7, ...}} or another direction"
        )
    return anchors_


class _Taken(NamedTuple):
    """The directions and (N, r) loadings, quality first; unit weights; the rule's and the even one."""

    found: Directions
    chosen: Quality
    even: Quality
    loadings: Floats
    weights: Floats


def _taken_of_care_svd(
    directions_: Directions, standard: Floats, anchors: Floats | None, settings: Mapping[str, Any]
) -> _Taken:
    even = balanced(directions_)
    if anchors is not None:
        at = ~np.isnan(anchors)
        chosen = anchored(directions_, standard[at], anchors[at])
    else:
        chosen = even if settings["direction"] == "balanced" else leading(directions_)
    weights = chosen.weights
    if settings["rule"] == "subtraction":
        weights = subtraction(directions_, chosen.place)
    order = [chosen.place, *(k for k in range(len(directions_.values)) if k != chosen.place)]
    ordered = Directions(directions_.values[order], directions_.vectors[:, order])
    loadings = ordered.vectors * np.sqrt(ordered.values)
    loadings[:, 0] = weights * np.sqrt(ordered.values[0])
    return _Taken(ordered, chosen, even, loadings, weights)


def _combined(data: Scores, sigma: Floats) -> str:
    """Return why D-trace has no minimum, with the judges of the clearest combination."""
    null = without_variance(sigma)
    names = [j for j, part in zip(data.judges, np.abs(null[:, 0]), strict=True) if part > 0.1]
    if null.shape[1] > 1 or len(names) > policy.MOST_NAMED:
        which = f"{how_many(null.shape[1], 'combination')} of the judges' scores"
    else:
        which = f"one combination of the scores of {', '.join(names)}"
    return (
        f"D-trace has no minimum, for nothing varies along {which} (copies, sums, more judges than items, "
        "or correlations over different items); leave judges out with select(judges=...), or write "
        "loss='log-det'."
    )


def _nothing_shared(split: Split) -> tuple[Status, str]:
    if not split.end.converged:
        return Status.NOT_CONVERGED, (
            f"The split was stopped after {split.end.n_iter} sweeps with nothing shared, which proves "
            "nothing; raise max_iter."
        )
    return Status.UNDETERMINED, (
        "With these penalties the best shared part is exactly none, so no direction is quality; lower "
        "low_rank, raise sparse, or use 'rank-factor'."
    )


def _parameters(data: Scores, fit: fitting.Fitted, split: Split, taken: _Taken) -> dict[str, Any]:
    return fitting.key_parameters(fit) | {
        "correlations": fit.matrix,
        "weights": taken.weights,
        "precision_loading": taken.loadings[:, 0],
        "directions": taken.found.vectors,
        "eigenvalues": taken.found.values,
        "edges": [[data.judges[i], data.judges[j]] for i, j in split.edges],
        "objective": split.objective,
        "gap": split.gap if np.isfinite(split.gap) else None,
    }


def _message(
    data: Scores, settings: Mapping[str, Any], split: Split, taken: _Taken, share: ClassShare
) -> str:
    ended = "converged" if split.end.converged else "did not converge"
    rule = " less the others" if settings["rule"] == "subtraction" else ""
    values = taken.found.values
    return (
        f"CARE-SVD ({settings['loss']}) on {how_many(data.n_items, 'item')} and {data.n_judges} judges "
        f"{ended}: {how_many(len(values), 'shared direction')}, {how_many(len(split.edges), 'link')}; "
        f"the {settings['direction']} direction{rule} is taken for quality (eigenvalue {values[0]:.3g}); "
        f"the share of the higher class is taken for {percent(share.share)} ({share.why}); {CAVEAT}."
    )


def _notes(data: Scores, taken: _Taken, settings: Mapping[str, Any]) -> list[str]:
    """Sentences on missing scores, ties, a narrow leading direction, and the subtraction."""
    notes = []
    if data.missing.any():
        notes.append("Correlations are over the items that both judges of a pair scored.")
    if taken.chosen.tied:
        notes.append(
            f"Another eigenvalue is within {percent(taken.chosen.gap, 0)} of the one taken: any "
            "mixture of the two directions would do as well."
        )
    if settings["direction"] == "leading" and taken.even.place:
        most = np.abs(taken.weights).argsort()[::-1][:3]
        names = ", ".join(data.judges[j] for j in most)
        notes.append(
            f"The leading direction is carried by few judges, most by {names}, and may be what near copies "
            "share; direction='balanced' takes another one."
        )
    if settings["rule"] == "subtraction":
        notes.append(
            "The subtraction rule is for replication: it hangs on the signs of directions, which scores "
            "do not tell, and on one set of comments it ranked far worse than one factor."
        )
    return notes


def _stopped(data: Scores, read: _Read, split: Split) -> list[str]:
    """How far off a stopped search may be, and the judges most alike, who slow it down."""
    if split.end.converged:
        return []
    alike = np.abs(np.triu(read.values.matrix, 1))
    i, j = np.unravel_index(int(alike.argmax()), alike.shape)
    return [
        f"The search was stopped within {split.gap:.2g} of the least objective, as far as is proved; raise "
        f"max_iter or penalties, or leave out {data.judges[i]} or {data.judges[j]}, whose scores "
        f"correlate {read.values.matrix[i, j]:.4f}: near copies slow it down."
    ]


def predict(result: ScoreAggregation, values: Floats) -> Floats:
    """Return (rows, 2) posteriors of (rows, N) scores; a row without scores keeps the prevalence."""
    parameters = result.parameters
    scale, key = fitting.read_key(parameters)
    if "scores_seen" in parameters:
        values = NormalScores.read(parameters).transform(values)
    seen = (~np.isnan(values)).astype(float)
    loading, sigma = (
        np.array(parameters[name], float) for name in ("precision_loading", "correlations")
    )
    mean, variance = latent(loading, sigma, scale.standard(values), seen)
    higher = np.where(
        seen.any(axis=1), fitting.key_posterior(mean, variance, key), result.prevalence
    )
    return np.stack([1 - higher, higher], axis=1)
