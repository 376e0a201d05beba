"""What a model of yes/no votes can learn from so many judges, however many items there are.

The votes of K judges are 2^K - 1 free probabilities. A model can be learned (locally, up to the
names of the two labels) when the Jacobian of those probabilities has as many independent columns
as the model has parameters; at a random point that rank decides for almost every point.
"""

from __future__ import annotations

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.kernels.ising import Parameters, partition
from algeval.aggregate.kernels.log_linear import log_linear_scores
from algeval.aggregate.registry import METHODS, Model
from algeval.data.settings import check_choice, check_whole
from algeval.errors import NotIdentifiableError
from algeval.models.binary import Floats, expit, log_expit, patterns
from algeval.models.ising import Ising
from algeval.models.log_linear import sets_of_size

__all__ = [
    "MODELS",
    "check_identifiable",
    "generic_rank",
    "mixture_scores",
    "worst_direction",
    "worst_standard_error",
]

MODELS = {m.guard.key: m.guard for m in METHODS.values() if m.guard is not None}
"""The guard table, from the records of the methods: from 3, 4, 5 and 5 judges (generic Jacobian rank)."""


def generic_rank(model: str, n_judges: int, seed: int = 0) -> int:
    """Return how many parameters the votes of so many judges can pin down.

    The rank of the Jacobian of the pattern probabilities at a random point.

    Parameters
    ----------
    model : str
        A key of `MODELS`.
    n_judges : int
        At most 10.

    Examples
    --------
    >>> [generic_rank("independent", k) for k in (2, 3, 4)]
    [3, 7, 9]
    """
    check_whole("n_judges", n_judges, 1, policy.MOST_RANK)
    rng = np.random.default_rng(seed)
    if _model(model).order == 3:
        return _rank(*_third_order_scores(n_judges, rng))
    couplings = _model(model).couplings
    W = np.zeros((2, n_judges, n_judges))
    for y in range(couplings):
        upper = np.triu(rng.normal(0, 0.7, (n_judges, n_judges)), 1)
        W[y:] = upper + upper.T
    h = rng.normal(0, 1, (2, n_judges)) + np.array([[-0.8], [0.8]])
    scores, chance = mixture_scores(Parameters(h, W, 0.4), patterns(n_judges), couplings)
    return _rank(scores, chance)


def _rank(scores: Floats, chance: Floats) -> int:
    singular = np.linalg.svd(scores * np.sqrt(chance)[:, None], compute_uv=False)
    return int((singular > policy.RANK_TOL * singular[0]).sum())


def _third_order_scores(n_judges: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    bits = 1 << np.arange(n_judges - 1, -1, -1)
    sets = sets_of_size(n_judges, 2, min(3, n_judges))
    terms = np.array([bits[list(judges)].sum() for judges in sets], np.int64)
    coefficients = np.zeros((2, 1 << n_judges))
    coefficients[:, bits] = rng.normal(0, 1, (2, n_judges)) + np.array([[-0.8], [0.8]])
    coefficients[:, terms] = rng.normal(0, 0.7, len(terms))
    return log_linear_scores(coefficients, terms, 0.4)


def _model(name: str) -> Model:
    return MODELS[check_choice("model", name, list(MODELS))]


def check_identifiable(model: str, n_judges: int) -> str:
    """Refuse a model that so few judges cannot pin down; return a caveat where it is saturated.

    Returns
    -------
    str
        Empty, or one sentence saying that the model fits any frequencies of the votes.

    Raises
    ------
    NotIdentifiableError
        If there are fewer judges than the guard table asks for.

    Examples
    --------
    >>> check_identifiable("ising", 5)
    ''
    """
    row = _model(model)
    parameters, cells = row.n_parameters(n_judges), 2**n_judges - 1
    if n_judges < row.minimum:
        raise NotIdentifiableError(
            f"the {row.name} model must have at least {row.minimum} judges; got {n_judges}, whose "
            f"votes are {cells} frequencies for {parameters} parameters of which only some can be "
            "learned; add judges or use a simpler model"
        )
    if n_judges > row.minimum:
        return ""
    return (
        f"With {n_judges} judges the {row.name} model is saturated ({parameters} parameters, "
        f"{cells} frequencies): it can fit nearly anything, so a good fit says nothing."
    )


def mixture_scores(
    parameters: Parameters, votes: np.ndarray, couplings: int, *, prevalence_free: bool = True
) -> tuple[Floats, Floats]:
    """Return the gradient of each pattern's log-probability, and the probabilities themselves.

    Parameters
    ----------
    parameters : Parameters
        Fields, couplings and log-odds of the prevalence.
    votes : (U, K) array of 0 and 1
    couplings : int
        0, 1 or 2 coupling matrices among the parameters.

    Returns
    -------
    scores : (U, d) array
        Columns: fields of class 0, of class 1, couplings, log-odds of the prevalence.
    chance : (U,) array
    """
    J = votes.astype(float)
    k = J.shape[1]
    left, right = np.triu_indices(k, 1)
    products = J[:, left] * J[:, right]
    parts = [partition(parameters.h[y], parameters.W[y], couplings > 0) for y in range(2)]
    joint = np.empty((len(J), 2))
    for y in range(2):
        energy = J @ parameters.h[y] + products @ parameters.W[y][left, right]
        joint[:, y] = energy - parts[y][0] + log_expit((2 * y - 1) * parameters.log_odds)
    total = np.logaddexp(joint[:, 0], joint[:, 1])
    share = np.exp(joint - total[:, None])
    blocks = [share[:, y : y + 1] * (J - parts[y][1]) for y in range(2)]
    pairs = [share[:, y : y + 1] * (products - parts[y][2][left, right]) for y in range(2)]
    if couplings == 1:
        blocks.append(pairs[0] + pairs[1])
    elif couplings == 2:
        blocks += pairs
    if prevalence_free:
        blocks.append(share[:, 1:] - expit(parameters.log_odds))
    return np.concatenate(blocks, axis=1), np.exp(total)


def worst_standard_error(
    parameters: Parameters,
    couplings: int,
    n_items: int,
    *,
    prevalence_free: bool = True,
    seed: int = 0,
) -> float:
    """Return the standard error of the worst-known direction of the parameters, without a ridge.

    One over the root of the smallest eigenvalue of the Fisher information of `n_items` items,
    summed over all patterns up to 14 judges and over 16,384 draws from the model above that.
    Above 1, the ridge and the start decide the answer in that direction.
    """
    k = parameters.h.shape[1]
    rows = patterns(k) if k <= policy.MOST_FISHER else _draws(parameters, seed)
    scores, chance = mixture_scores(parameters, rows, couplings, prevalence_free=prevalence_free)
    weights = chance if k <= policy.MOST_FISHER else np.full(len(rows), 1 / len(rows))
    return worst_direction(scores, weights, n_items)


def worst_direction(scores: Floats, weights: Floats, n_items: int) -> float:
    """Return one over the root of the smallest eigenvalue of the information of weighted scores."""
    information = n_items * (scores * weights[:, None]).T @ scores
    smallest = float(np.linalg.eigvalsh(information)[0])
    return float("inf") if smallest <= policy.NO_INFORMATION * n_items else smallest**-0.5


def _draws(parameters: Parameters, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ones = int(rng.binomial(policy.FISHER_DRAWS, float(expit(parameters.log_odds))))
    sizes = (policy.FISHER_DRAWS - ones, ones)
    drawn = [Ising(parameters.h[y], parameters.W[y]).sample(sizes[y], rng) for y in range(2)]
    return np.concatenate(drawn)
