"""Judges whose errors share a factor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import fitting, policy
from algeval.aggregate.em import Climb, best_climb_from, told_share
from algeval.aggregate.fitting import TwoClassProblem, starting_points
from algeval.aggregate.results import Aggregation, End, Floats, check_fitted
from algeval.data.names import Codes, check_number, check_whole
from algeval.errors import DataError, TooLargeError
from algeval.models.binary import TwoClass, expit, log_expit, log_sum_exp
from algeval.models.factor import Factor
from algeval.result import percent
from algeval.result.numbers import how_many

# --- The vote factor: one trait behind a full panel's two-label votes, and the key as one more
# judge.


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
    read = fitting.opened_binary("vote-factor", data, max_iter=max_iter, tol=tol)
    sketch = read.sketch
    labels = sketch.labels
    share, words = told_share(prevalence, labels, share_of_votes(read))
    read = replace(read, settings={"prevalence": words.setting, **read.settings})
    refusal = not_a_panel(read)
    if refusal:
        return read.refused(refusal)
    panel = fit_panel(read, share, fixed=words.told, **read.run)
    ended = "converged" if panel.found.end.converged else "did not converge"
    return fitting.finish_two(
        read,
        message=(
            f"Vote factor on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges "
            f"{ended}; the key "
            f"is taken for one more judge (loading {panel.key.loading:.2f}), and the share of "
            f"{labels[1]!r} for {percent(share)} ({words.why}); {_CAVEAT}."
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
    read: fitting.Binary, prevalence: float, *, fixed: bool, tol: float, max_iter: int
) -> fitting.Fitted:
    """Fit the factor to two-label votes; a row without votes keeps the prevalence."""
    counts = read.counts.astype(float)
    return fitting.fit_key(read.votes, counts, prevalence, fixed=fixed, tol=tol, max_iter=max_iter)


def _values(votes: NDArray[np.integer]) -> Floats:
    values = votes.astype(float)
    values[votes < 0] = np.nan
    return values


def share_of_votes(read: fitting.Binary) -> float:
    """Share of votes for the second label, half where nobody voted."""
    n_votes = float(((read.votes >= 0).sum(axis=1) * read.counts).sum())
    ones = float(((read.votes == 1).sum(axis=1) * read.counts).sum())
    return ones / n_votes if n_votes else 0.5


def not_a_panel(read: fitting.Binary) -> str:
    """Return why the votes settle no correlations of all pairs of judges, or nothing."""
    advice = "use 'pooled-dawid-skene', which reads votes of any shape"
    return fitting.unsettled_pairs(read.votes, read.counts.astype(float), "vote-factor", advice)


def _chances(read: fitting.Binary, share: Floats) -> Floats:
    """Return (2, K): each judge's expected share of votes for the second label, per class."""
    weights = np.stack([1 - share, share]) * read.counts
    ones, answered = weights @ (read.votes == 1), weights @ (read.votes >= 0)
    result: Floats = np.divide(ones, answered, out=np.full(ones.shape, np.nan), where=answered > 0)
    return result


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes; a row without votes keeps the prevalence."""
    check_fitted(result, "vote-factor")
    arrays = {name: np.array(value, float) for name, value in result.parameters.items()}
    factor_ = fitting.OneFactor(arrays["loading"], arrays["noise"], End())
    scale = fitting.Scale(arrays["center"], arrays["spread"])
    key = fitting.KeyLaw(float(arrays["key_loading"]), float(arrays["key_threshold"]))
    values = _values(np.asarray(codes))
    share = fitting.higher_share(values, scale, factor_, key, float(arrays["prevalence"]))
    return np.stack([1 - share, share], axis=1)


# --- The penalised likelihood of a latent-factor model on vote patterns, and its climb.
#
# Arrays in, arrays out. Judge j votes 1 with log-odds b_j + a_j (y - 1/2) + lambda_j . z, the r
# entries of z standard normal and unseen (Balasubramanian et al., Proposition 1). The factors are summed
# over a
# trapezoid grid; a vote left out leaves its chance out. The gradient is the M-step's at the current
# posteriors of (y, z).


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FactorProblem(TwoClassProblem):
    """Votes, (Q, r) nodes and penalties."""

    ones: Floats
    zeros: Floats
    nodes: Floats
    log_weights: Floats
    ridge: float
    loading_ridge: float

    @property
    def k(self) -> int:
        """Number of judges."""
        return int(self.ones.shape[1])

    @property
    def rank(self) -> int:
        """Number of factors."""
        return int(self.nodes.shape[1])

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of baselines and effects, and of loadings."""
        return (self.ridge, 2 * self.k), (self.loading_ridge, self.rank * self.k)


@dataclass(frozen=True, slots=True, eq=False)
class FactorParameters:
    """Baselines b and label effects a (K,), loadings lam (K, r), the prevalence's log-odds."""

    b: Floats
    a: Floats
    lam: Floats
    log_odds: float


def make_factor_problem(
    votes: NDArray[np.int8],
    counts: NDArray[np.int64],
    *,
    n_nodes: int,
    rank: int = 1,
    **settings: Any,
) -> FactorProblem:
    """Lay out the votes and the grid of the factors, `n_nodes` along each."""
    cells = 2 * n_nodes**rank * len(votes)
    if cells > policy.MOST_FACTOR_CELLS:
        raise TooLargeError(
            f"the sum over the hidden traits must have at most {policy.MOST_FACTOR_CELLS:,} cells "
            f"(patterns x labels x nodes); got {cells:,}, {8 * cells / 1e9:.1f} GB for each array; lower "
            "n_nodes or rank"
        )
    line = np.linspace(-policy.REACH, policy.REACH, n_nodes)
    nodes = np.stack(np.meshgrid(*([line] * rank), indexing="ij"), axis=-1).reshape(-1, rank)
    log_weights = -0.5 * (nodes**2).sum(axis=1)
    return FactorProblem(
        ones=(votes == 1).astype(float),
        zeros=(votes == 0).astype(float),
        counts=counts.astype(float),
        nodes=nodes,
        log_weights=log_weights - log_sum_exp(log_weights),
        **settings,
    )


def unpack_factor(theta: Floats, problem: FactorProblem) -> FactorParameters:
    """Parameters from the vector the climb moves."""
    b, a, *axes = theta[: (2 + problem.rank) * problem.k].reshape(-1, problem.k)
    return FactorParameters(b, a, np.stack(axes, axis=1), problem.odds(theta))


def factor_joint(parameters: FactorParameters, problem: FactorProblem) -> tuple[Floats, Floats]:
    """Return (U, 2, Q) log-probabilities of pattern, label and node, and (K, 2, Q) log-odds."""
    odds = np.stack(
        [
            (parameters.b + side * parameters.a)[:, None] + parameters.lam @ problem.nodes.T
            for side in (-0.5, 0.5)
        ],
        axis=1,
    )
    flat = odds.reshape(problem.k, -1)
    joint = problem.ones @ log_expit(flat) + problem.zeros @ log_expit(-flat)
    prior = log_expit(np.array([-1.0, 1.0]) * parameters.log_odds)
    weights = prior[:, None] + problem.log_weights
    return joint.reshape(len(joint), 2, -1) + weights, odds


def factor_posteriors(theta: Floats, problem: FactorProblem) -> tuple[Floats, Floats]:
    """Posterior of label 1 and the log-probability of each pattern."""
    joint, _ = factor_joint(unpack_factor(theta, problem), problem)
    by_label = log_sum_exp(joint)
    total = log_sum_exp(by_label)
    return np.exp(by_label[:, 1] - total), total


def factor_value(
    theta: Floats, problem: FactorProblem, held: Floats | None = None
) -> tuple[float, Floats]:
    """Penalised log-likelihood and its gradient; with `held` label posteriors fixed."""
    parameters = unpack_factor(theta, problem)
    joint, odds = factor_joint(parameters, problem)
    by_label = log_sum_exp(joint)
    if held is None:
        label = by_label - log_sum_exp(by_label)[:, None]
        share = problem.counts[:, None] * np.exp(label)
        likelihood = float(problem.counts @ log_sum_exp(by_label))
    else:
        share = problem.counts[:, None] * np.stack([1 - held, held], axis=1)
        likelihood = float((share * by_label).sum())
    weights = (share[:, :, None] * np.exp(joint - by_label[:, :, None])).reshape(len(joint), -1)
    slope = problem.ones.T @ weights
    slope -= (slope + problem.zeros.T @ weights) * expit(odds.reshape(problem.k, -1))
    slope = slope.reshape(odds.shape)
    by_class = slope.sum(axis=2)
    blocks = [
        by_class.sum(axis=1),
        0.5 * (by_class[:, 1] - by_class[:, 0]),
        (slope.sum(axis=1) @ problem.nodes).T.ravel(),
        *problem.odds_slope(theta, share.sum(axis=0)),
    ]
    return problem.penalised(theta, likelihood, blocks)


# --- Latent-factor aggregation: one or two hidden traits of each item move all judges together.
#
# Balasubramanian et al., Proposition 1 with rank 1 or 2 and Algorithm 1, with the factors integrated out.


_TRAITS = {1: "", 2: " with two hidden traits"}


def factor(
    data: fitting.Data,
    *,
    rank: int = 1,
    ridge: float = 0.1,
    loading_ridge: float = 5.0,
    prevalence: Any = "free",
    n_starts: int = 3,
    n_nodes: int | None = None,
    seed: int = 0,
    max_iter: int = 1000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when something unseen about an item, besides its label, sways every judge.

    Use it when judges' errors go together because items differ (topic, length, difficulty): far
    fewer parameters than `ising`, any number of judges, and a vote left out is simply left out.
    Two labels, at least 4 judges (5 at rank 2). The label and the traits compete to explain
    agreement: when a trait is the stronger, the classes found are not the labels.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    rank : 1 or 2
        Number of hidden traits. With 2, groups of judges may be swayed by different traits.
    ridge : float
        Penalty ridge / 2 times the sum of squared baselines and label effects.
    loading_ridge : float
        The same for the loadings on the trait. Weak values let the trait crowd out the label: on
        real votes of 21 LLM judges .5 found classes far from the labels, 5 did not.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    n_starts, seed
        Climbs from soft majority vote and perturbed copies of it; the highest is kept.
    n_nodes : int, optional
        Points on [-6, 6], along each trait, of the grid summed over; 61, or 25 at rank 2.
    max_iter, tol
        Iterations of a climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds baseline b, effect a and loading of each judge (log-odds of the second
        label: b + a (y - 1/2) + loading . z) and log_odds. Loadings are (K,), or (K, 2) turned to
        their principal axes, as traits can be rotated freely. Status ok, not_converged, or
        not_identifiable below 4 judges (5 at rank 2).

    Raises
    ------
    TooLargeError
        If the arrays of the sum over the traits would take gigabytes.
    DataError
        If there are not exactly two answers or a setting is out of range.

    Notes
    -----
    The climb is L-BFGS on the penalised observed log-likelihood; its gradient is the M-step's.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"nnnn": 40, "yyyy": 30, "yynn": 9, "nnyy": 8, "ynyn": 3, "nyyy": 5})
    >>> factor(s).decisions.tolist()[0]
    0
    """
    if rank not in _TRAITS:
        raise DataError(f"rank must be 1 or 2; got {rank!r}; a grid over more traits is too large")
    binary = fitting.opened_binary(
        "factor",
        data,
        rank=int(rank),
        ridge=check_number("ridge", ridge, least=0.0, strict=True),
        loading_ridge=loading_ridge,
        prevalence=prevalence,
        n_nodes=check_whole("n_nodes", policy.NODES[rank] if n_nodes is None else n_nodes, 11),
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )
    k, least = binary.n_heard, fitting.fewest("factor") + rank - 1
    if k < least:
        free = (2 + rank) * k + 2 - rank
        at = "" if rank == 1 else f" at rank {rank}"
        why = (
            f"the latent-factor model must have at least {least} judges{at}; got {k} who "
            f"answered, whose votes are {2**k - 1} frequencies for {free} parameters; add judges or "
            "use 'dawid-skene'"
        )
        return binary.refused(why)
    return _fit(binary)


def _fit(binary: fitting.Binary) -> Aggregation:
    settings = binary.settings
    problem = make_factor_problem(
        binary.votes,
        binary.counts,
        rank=settings["rank"],
        n_nodes=settings["n_nodes"],
        ridge=settings["ridge"],
        loading_ridge=settings["loading_ridge"],
        **binary.prevalence_settings,
    )
    rng = np.random.default_rng(settings["seed"])
    points = starting_points(binary.votes, settings["n_starts"], rng)
    thetas = [_first_theta(problem, rng) for _ in points]
    value = partial(factor_value, problem=problem)
    climb = best_climb_from(points, thetas, value, problem.n_items, **binary.run)
    return _result(binary, problem, climb)


def _first_theta(problem: FactorProblem, rng: np.random.Generator) -> Floats:
    """Loadings alone: one trait moves all alike; a second at random, as 0 would stay 0."""
    lam = np.full((problem.rank, problem.k), policy.FIRST_LOADING)
    if problem.rank > 1:
        lam[1:] *= rng.choice([-1.0, 1.0], (problem.rank - 1, problem.k))
        lam[1:] += rng.normal(0, policy.TRAIT_NOISE, (problem.rank - 1, problem.k))
    theta = np.zeros(problem.size)
    theta[2 * problem.k : (2 + problem.rank) * problem.k] = lam.ravel()
    return theta


def _turned(lam: Floats) -> Floats:
    """Loadings along their principal axes, each axis signed to a sum of at least 0."""
    if lam.shape[1] > 1:
        left, length, _ = np.linalg.svd(lam, full_matrices=False)
        lam = left * length
    return lam * np.where(lam.sum(axis=0) < 0, -1.0, 1.0)


def _result(
    binary: fitting.Binary, problem: FactorProblem, climbed: tuple[Climb, list[float]]
) -> Aggregation:
    theta = climbed[0].theta
    parameters = unpack_factor(theta, problem)
    share, total = factor_posteriors(theta, problem)
    share, swapped = binary.oriented(share)
    if swapped:
        parameters = FactorParameters(
            parameters.b, -parameters.a, parameters.lam, -parameters.log_odds
        )
    loading = _turned(parameters.lam)
    return fitting.finish_climb(
        binary,
        climbed,
        law=_law(parameters),
        message=(
            f"Latent-factor model of {problem.k} judges{_TRAITS[problem.rank]}, fitted to "
            f"{binary.read.sketch.n_items} items."
        ),
        share=share,
        log_likelihood=float(problem.counts @ total),
        missing=fitting.LEFT_OUT,
        parameters={
            "baseline": parameters.b,
            "effect": parameters.a,
            "loading": loading[:, 0] if problem.rank == 1 else loading,
            "log_odds": parameters.log_odds,
        },
    )


def _law(parameters: FactorParameters) -> TwoClass:
    laws = [Factor(parameters.b + half * parameters.a, parameters.lam) for half in (-0.5, 0.5)]
    return fitting.mixture(parameters.log_odds, *laws)


def fitted_law(result: Aggregation) -> TwoClass:
    """Fitted law of votes: posteriors, risks and samples under the model."""
    check_fitted(result, "factor")
    parameters = result.parameters
    b, a, lam = (np.array(parameters[name], float) for name in ("baseline", "effect", "loading"))
    return _law(FactorParameters(b, a, lam, float(parameters["log_odds"])))
