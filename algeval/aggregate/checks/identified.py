"""Whether a model is identified, and the score test of related errors."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.checks.pairs import WorstPairs
from algeval.aggregate.fitting import read_binary
from algeval.aggregate.ising_kernels import (
    NullFit,
    Parameters,
    filled,
    fit_independent,
    log_linear_scores,
    null_scores,
    partition,
)
from algeval.aggregate.registry import METHODS, Model
from algeval.data.names import check_choice, check_whole
from algeval.data.reading import Source
from algeval.errors import NotIdentifiableError
from algeval.models.binary import Floats, expit, log_expit, patterns
from algeval.models.ising import Ising
from algeval.models.log_linear import sets_of_size
from algeval.progress import steps
from algeval.result import Result, Status

# --- What a model of yes/no votes can learn from so many judges, however many items there are.
#
# The votes of K judges are 2^K - 1 free probabilities. A model can be learned (locally, up to the
# names of the two labels) when the Jacobian of those probabilities has as many independent columns
# as the model has parameters; at a random point that rank decides for almost every point.


MODELS = {m.guard.key: m.guard for m in METHODS.values() if m.guard is not None}
"""The guard table, from the records of the methods: from 3, 4, 5 and 5 judges (generic Jacobian rank)."""


def generic_rank(model: str, n_judges: int, seed: int = 0) -> int:
    """How many parameters the votes of so many judges can pin down.

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
    """Gradient of each pattern's log-probability, and the probabilities themselves.

    `parameters`: fields, couplings and log-odds of the prevalence.
    `votes` (U, K).
    `couplings`: 0, 1 or 2 coupling matrices among the parameters.

    `scores` (U, d): columns: fields of class 0, of class 1, couplings, log-odds of the prevalence.
    `chance` (U,).
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
    """Standard error of the worst-known direction of the parameters, without a ridge.

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


# --- Are the judges independent given the label? The efficient score test, and the pairs it blames.
#
# Fit independence, then ask whether any pair coupling would raise the likelihood: the score of the
# couplings, cleaned of what the fitted parameters explain, against its information. The information
# is summed over patterns under the fitted model; estimated from the data by outer products it
# rejects true independence up to 43% of the time.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTest(WorstPairs, Result):
    """Whether votes look independent given the label.

    Attributes
    ----------
    statistic, degrees, p_value : float, int, float
        The test of all pairs at once; on many items the statistic is chi-square under independence.
    calibration : str
        Where the p-value comes from: "chi-square", or the test that `recalibrated` named.
    pair_z : (N, N) array
        Each pair's own signed test statistic, on many items standard normal under independence.
        With couplings per class it stands for both of a pair: the normal deviate as rare as their
        joint statistic, with the sign of the one further from 0.
    pair_correlation : (N, N) array
        Correlation of the two judges' errors left over after the label (given the fitted one).
    couplings : "shared" or "per class"
        The alternative: one coupling per pair, or one per pair and class.
    information : "enumerated" or "sampled"
        How the expected information was summed.
    """

    schema: ClassVar[str] = "algeval.score_test/1"

    judges: tuple[str, ...]
    n_items: int
    statistic: float
    degrees: int
    p_value: float
    pair_z: Floats
    pair_correlation: Floats
    couplings: str
    information: str
    prevalence: float
    confusion: Floats
    calibration: str = "chi-square"
    settings: dict[str, Any] = field(default_factory=dict)

    def recalibrated(self, p_value: float, calibration: str, message: str) -> ScoreTest:
        """Same test with a p-value of another origin, and the sentence that says so."""
        return replace(self, p_value=p_value, calibration=calibration, message=message)


def score_test(
    data: Source,
    *,
    couplings: str = "shared",
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    max_iter: int = 2000,
) -> ScoreTest:
    """Test whether judges vote independently given the label (efficient score test).

    Use it before believing any method that assumes independence. Two labels only. Votes left out
    are allowed and assumed to be left out at random.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        At least 4 judges (5 with couplings per class).
    couplings : "shared" or "per class"
        The alternative to independence.
    prevalence : "free" or shares
        See `read_prevalence`; a prior is not used.
    n_starts, seed, max_iter
        Starting points of the independent fit, the seed of their noise, and its iterations.

    Returns
    -------
    ScoreTest
        Status ok, or not_converged where the independent fit was stopped.

    Raises
    ------
    NotIdentifiableError
        With too few judges.
    DataError
        If there are not exactly two answers.

    Notes
    -----
    Neyman's form: the score is projected off the fitted parameters, so a slightly penalised fit
    does not bias it. Directions without information are left out of the degrees of freedom.

    The chi-square law is one of many items: on 800 items of six judges, each right five times in
    six, independence is rejected at 5% in 8% of exams. `pair_test` is calibrated instead.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> from algeval.models.binary import TwoClass
    >>> from algeval.models.ising import Ising
    >>> law = [Ising(np.full(5, h), np.zeros((5, 5))) for h in (-1.0, 1.0)]
    >>> _, votes = TwoClass(0.5, *law).sample(2000, 1)
    >>> result = score_test(Votes.from_columns({str(j): v.tolist() for j, v in enumerate(votes.T)}))
    >>> result.degrees, result.p_value > 0.01
    (10, True)
    """
    check_choice("couplings", couplings, ("shared", "per class"))
    check_whole("n_starts", n_starts)
    check_whole("max_iter", max_iter)
    check_whole("seed", seed, 0)
    binary = read_binary(data, prevalence)
    sketch, votes, law = binary.read.sketch, binary.votes, binary.log_odds
    blocks = 1 if couplings == "shared" else 2
    caveat = check_identifiable(("ising", "ising-class-dependent")[blocks - 1], sketch.n_judges)
    rng = np.random.default_rng(seed)
    fit = fit_independent(
        votes, sketch.counts, rule=binary.rule, starts=n_starts, rng=rng, max_iter=max_iter
    )
    options: dict[str, Any] = {"couplings": blocks, "prevalence_free": law is None}
    information, how = _information(fit.parameters, votes, sketch.counts, rng, options)
    scores, _ = null_scores(fit.parameters, votes, **options)
    score = sketch.counts @ scores
    n_null = 2 * sketch.n_judges + (law is None)
    statistic, degrees, z = _project(score, information, n_null, blocks)
    p_value = _chi_square_tail(statistic, degrees)
    fitted = fit.parameters
    return ScoreTest(
        status=Status.OK if fit.converged else Status.NOT_CONVERGED,
        message=_message(statistic, degrees, p_value, caveat),
        judges=sketch.judges,
        n_items=sketch.n_items,
        statistic=statistic,
        degrees=degrees,
        p_value=p_value,
        pair_z=_square(z, sketch.n_judges),
        pair_correlation=_leftover(fit, votes, sketch.counts),
        couplings=couplings,
        information=how,
        prevalence=float(expit(fitted.log_odds)),
        confusion=expit(fitted.h.T),
        settings={
            "prevalence": binary.rule.setting,
            "n_starts": n_starts,
            "seed": seed,
            "max_iter": max_iter,
        },
    )


def _information(
    parameters: Parameters,
    votes: NDArray[np.int8],
    counts: NDArray[np.int64],
    rng: np.random.Generator,
    options: dict[str, Any],
) -> tuple[Floats, str]:
    """N times the expected information, given who answered, and how it was summed."""
    sets, group = np.unique(votes >= 0, axis=0, return_inverse=True)
    sizes: Floats = np.bincount(group.ravel(), weights=counts).astype(float)
    n_rows = float((2.0 ** sets.sum(axis=1)).sum())
    how = "enumerated" if n_rows <= policy.MOST_TEST_ROWS else "sampled"
    if how == "enumerated":
        rows, weights = _every_pattern(sets, sizes)
    else:
        rows = _drawn_patterns(parameters, sets, sizes, rng)
        weights = np.full(len(rows), sizes.sum() / len(rows))
    total: Any = 0.0
    for start in steps(range(0, len(rows), policy.TEST_CHUNK), "weighing patterns of answers"):
        part = slice(start, start + policy.TEST_CHUNK)
        scores, log_chance = null_scores(parameters, rows[part], **options)
        weight = weights[part] * (np.exp(log_chance) if how == "enumerated" else 1.0)
        total = total + (scores * weight[:, None]).T @ scores
    return total, how


def _every_pattern(sets: NDArray[np.bool_], sizes: Floats) -> tuple[NDArray[np.int8], Floats]:
    rows, weights = [], []
    for answered, size in zip(sets, sizes, strict=True):
        part = np.full((1 << int(answered.sum()), len(answered)), -1, np.int8)
        part[:, answered] = patterns(int(answered.sum()))
        rows.append(part)
        weights.append(np.full(len(part), size))
    return np.concatenate(rows), np.concatenate(weights)


def _drawn_patterns(
    parameters: Parameters, sets: NDArray[np.bool_], sizes: Floats, rng: np.random.Generator
) -> NDArray[np.int8]:
    label = (rng.random(policy.TEST_DRAWS) < expit(parameters.log_odds)).astype(int)
    drawn = (rng.random((policy.TEST_DRAWS, sets.shape[1])) < expit(parameters.h)[label]).astype(
        np.int8
    )
    answered = sets[rng.choice(len(sets), policy.TEST_DRAWS, p=sizes / sizes.sum())]
    result: NDArray[np.int8] = np.where(answered, drawn, np.int8(-1))
    return result


def _project(
    score: Floats, information: Floats, n_null: int, blocks: int
) -> tuple[float, int, Floats]:
    """Statistic, its degrees of freedom, and each pair's own z."""
    null, tested = slice(None, n_null), slice(n_null, None)
    across = information[tested, null] @ np.linalg.pinv(
        information[null, null], rcond=policy.NULL_RCOND, hermitian=True
    )
    clean = score[tested] - across @ score[null]
    left = information[tested, tested] - across @ information[null, tested]
    left = (left + left.T) / 2
    values, vectors = np.linalg.eigh(left)
    kept = values > policy.TESTED_RCOND * np.diagonal(information)[tested].max()
    along = vectors[:, kept].T @ clean
    own = np.diagonal(left)
    steady = own > policy.TESTED_RCOND * np.diagonal(information)[tested]
    z = np.where(steady, clean / np.sqrt(np.where(steady, own, 1.0)), 0.0)
    if blocks == 2:
        z = _both_classes(z, clean, left, steady)
    return float((along**2 / values[kept]).sum()), int(kept.sum()), z


def _chi_square_tail(statistic: float, degrees: int) -> float:
    from scipy.special import gammaincc

    return float(gammaincc(degrees / 2, statistic / 2)) if degrees else 1.0


def _both_classes(z: Floats, clean: Floats, left: Floats, defined: NDArray[np.bool_]) -> Floats:
    """Return one z per pair: the normal deviate as rare as the statistic of its two couplings.

    The larger of the two would exceed 1.96 for one pair in ten.
    """
    from scipy.special import ndtri_exp

    first, second = z.reshape(2, -1)
    n = len(first)
    larger = np.where(np.abs(first) >= np.abs(second), first, second)
    for pair in range(n):
        both = [pair, n + pair]
        block = left[np.ix_(both, both)]
        if (
            defined[both].all()
            and np.linalg.det(block) > policy.TESTED_RCOND * block.diagonal().prod()
        ):
            joint = float(clean[both] @ np.linalg.solve(block, clean[both]))
            larger[pair] = np.copysign(-ndtri_exp(-joint / 2 - np.log(2)), larger[pair])
    return larger


def _square(pairs: Floats, k: int) -> Floats:
    result = np.zeros((k, k))
    result[np.triu_indices(k, 1)] = pairs
    return result + result.T


def _leftover(fit: NullFit, votes: NDArray[np.int8], counts: NDArray[np.int64]) -> Floats:
    """Return (N, N): correlation of votes around their fitted chances given the label."""
    k = votes.shape[1]
    products, variance = np.zeros((k, k)), np.zeros((k, k))
    answered = (votes >= 0).astype(float)
    for y in range(2):
        weight = counts * (fit.posterior if y else 1 - fit.posterior)
        chance = expit(fit.parameters.h[y])
        error = filled(fit.parameters, votes, y) - chance
        products += (error * weight[:, None]).T @ error
        both = (answered * weight[:, None]).T @ answered
        spread = np.sqrt(chance * (1 - chance))
        variance += both * np.outer(spread, spread)
    result: Floats = products / np.where(variance > 0, variance, 1.0)
    np.fill_diagonal(result, 1.0)
    return result


def _message(statistic: float, degrees: int, p_value: float, caveat: str) -> str:
    shown = f"p = {p_value:.3g}" if p_value > 0 else "p < 1e-300"
    verdict = (
        "The votes show no dependence beyond the label"
        if p_value > 0.05
        else "The judges' errors are dependent given the label"
    )
    test = f"score test of independence {statistic:.1f} on {degrees} degrees of freedom, {shown}"
    return f"{verdict} ({test}). {caveat}".strip()
