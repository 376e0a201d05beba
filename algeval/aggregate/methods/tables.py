"""Judges who err independently: one-coin, Dawid-Skene, and relatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from algeval.aggregate import em, fitting, policy
from algeval.aggregate.checks.quality import Overcounting, overcounting
from algeval.aggregate.em import (
    Climb,
    Fit,
    PrevalenceRule,
    Problem,
    Step,
    VoteSums,
    WeighedVotes,
    best_em,
    choose_engine,
    climb_value,
    iterate,
    log_table,
    posterior_of,
    read_prevalence,
    run_em,
    triples_of,
    vote_counts,
    vote_shares,
    vote_sums,
    weighted_counts,
)
from algeval.aggregate.methods.voting import smoothed_shares
from algeval.aggregate.results import Aggregation, End, Floats, Indices, assemble, read_patterns
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, check_number
from algeval.errors import DataError, method_setting
from algeval.models.binary import log_sum_exp
from algeval.result import Status
from algeval.result.numbers import how_many

# --- Triplet aggregation: judge quality from the moments of three judges at a time, no iteration.
#
# The method of moments of discrete weak supervision. Given the label, independent judges have
# Cov(x_i, x_j) = g_i g_j on spins x = +-1, with g_i^2 = cov_ij cov_ik / cov_jk for every pair j, k;
# the median over pairs is taken. Third moments give the prevalence where it is not known.


def triplets(data: fitting.Data, *, prevalence: Any = "free", floor: float = 0.01) -> Aggregation:
    """Grade judges and label items from pairwise and triple agreement rates alone.

    Use it as a fast cross-check of 'dawid-skene': the same assumption (errors independent given
    the label), closed formulas, no starting point, no local optimum. Two labels, 3 judges or more.
    Rates are those of the items the judges concerned all answered.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prevalence : "free" or shares
        Known shares of the labels; "free" takes them from third moments, which need many items.
        A prior is not used.
    floor : float
        Estimated error rates are kept in [floor, 1 - floor], so that no judge is taken for
        infallible because of noise.

    Returns
    -------
    Aggregation
        Status ok; out_of_range when the moments give a rate outside [0, 1]; not_identifiable below
        3 judges or when no triple of judges has usable agreement. Judges are taken to be better
        than chance on the whole.

    Notes
    -----
    Every moment is an average over the items that the two or three judges concerned all answered.
    On 50,000 items of five judges and a true share of 80%, the share found was within .01 of it with
    0, 30 and 50 percent of the votes missing at random and within .02 with 70 percent.

    Raises
    ------
    DataError
        If there are not exactly two answers or a setting is out of range.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "aba": 7, "bba": 6, "bab": 5, "bbb": 45})
    >>> triplets(s, prevalence=[0.5, 0.5]).decisions.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    floor = check_number("floor", floor, least=0.0, strict=True)
    binary = fitting.opened_binary("triplets", data, prevalence=prevalence, floor=floor)
    if binary.too_few:
        why = "triplets must have at least 3 judges; got fewer who answered; add judges"
        return binary.refused(why)
    spins = np.where(binary.votes < 0, 0.0, 2.0 * binary.votes - 1)
    answered = (binary.votes >= 0).astype(float)
    counts = binary.counts.astype(float)
    mean, cov = _pair_moments(spins, answered, counts)
    g = _loadings(cov)
    if g is None:
        why = (
            "triplets must find three judges who agree more than chance, most of them on one side; "
            "got none, so the votes say nothing about the label by this method; use other judges"
        )
        return binary.refused(why)
    return _result(binary, mean, g, _lean(binary, _skew(spins, answered, counts, g)))


def _pair_moments(spins: Floats, answered: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Return (K,) means and (K, K) covariances over the items both judges answered."""
    weight = counts[:, None]
    both = (answered * weight).T @ answered
    mean = (spins * weight).sum(axis=0) / np.maximum(np.diagonal(both), 1)
    pair_mean = (spins * weight).T @ answered / np.maximum(both, 1)
    product = (spins * weight).T @ spins / np.maximum(both, 1)
    return mean, product - pair_mean * pair_mean.T


def _loadings(cov: Floats) -> Floats | None:
    """Return (K,) g: sizes by medians over pairs, signs from the leading direction of cov."""
    k = len(cov)
    sizes = np.full(k, np.nan)
    for i in range(k):
        others = np.delete(np.arange(k), i)
        row = cov[i, others]
        block = cov[np.ix_(others, others)]
        left, right = np.triu_indices(k - 1, 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = row[left] * row[right] / block[left, right]
        usable = np.isfinite(squares) & (np.abs(block[left, right]) > policy.NO_COVARIANCE)
        if usable.any():
            sizes[i] = np.sqrt(max(float(np.median(squares[usable])), 0.0))
    if not (np.nan_to_num(sizes) > 0).any():
        return None
    off = cov - np.diag(np.diagonal(cov))
    direction = np.linalg.eigh(off)[1][:, -1]
    if abs(direction.sum()) < policy.NO_SIDE:
        return None
    direction = direction * (1.0 if direction.sum() >= 0 else -1.0)
    signs = np.where(direction < 0, -1.0, 1.0)
    result: Floats = signs * np.minimum(np.nan_to_num(sizes), 1.0)
    return result


def _skew(spins: Floats, answers: Floats, counts: Floats, g: Floats) -> float:
    """Least-squares t in E[c_i c_j c_k] = t g_i g_j g_k over all triples.

    Every expectation is an average over the items that all three answered, and so are the means its
    votes are centred by; a triple weighs as many items as it has, so that complete votes weigh alike.
    """
    total = counts.sum()
    top = bottom = 0.0
    for i in range(len(g) - 2):
        rest = slice(i + 1, None)
        own, answered = counts * spins[:, i], counts * answers[:, i]
        x, y = spins[:, rest], answers[:, rest]
        shared = (y * answered[:, None]).T @ y
        n = np.maximum(shared, 1)
        first = (y * own[:, None]).T @ y / n
        second = (x * answered[:, None]).T @ y / n
        pair_first = (x * own[:, None]).T @ y / n
        both = (x * answered[:, None]).T @ x / n
        raw = (x * own[:, None]).T @ x / n
        third = raw - first * both - second * pair_first.T - second.T * pair_first
        third += 2 * first * second * second.T
        model = g[i] * np.outer(g[rest], g[rest])
        weight = np.triu(shared / total, 1)
        top += float((weight * third * model).sum())
        bottom += float((weight * model**2).sum())
    return top / bottom if bottom > 0 else 0.0


def _lean(binary: fitting.Binary, skew: float) -> float:
    """M = 2 pi - 1: known, or from t = -2 m / sqrt(1 - m^2)."""
    if binary.rule.fixed is not None:
        return float(2 * binary.rule.fixed[1] - 1)
    return float(np.clip(-skew / np.hypot(2, skew), -policy.MOST_LEAN, policy.MOST_LEAN))


def _result(binary: fitting.Binary, mean: Floats, g: Floats, lean: float) -> Aggregation:
    floor = float(binary.settings["floor"])
    half_gap = g / np.sqrt(1 - lean**2)
    middle = mean - lean * half_gap
    raw = np.stack([(1 + middle - half_gap) / 2, (1 + middle + half_gap) / 2])
    chance = np.clip(raw, floor, 1 - floor)
    prevalence = np.array([(1 - lean) / 2, (1 + lean) / 2])
    sketch = binary.sketch
    tables = fitting.binary_tables(chance)
    scores = vote_sums(sketch.codes, 2).scores(log_table(tables))
    posterior, each = posterior_of(scores, prevalence)
    evaluation = fitting.table_evaluation(sketch, tables, posterior, prevalence)
    moved = [
        judge
        for judge, was, now in zip(sketch.judges, raw.T, chance.T, strict=True)
        if np.abs(was - now).max() > policy.ROUNDING
    ]
    note = fitting.missing_note(sketch, "moments use the items the judges concerned all answered")
    if moved:
        note.append(
            f"The moments of {', '.join(moved)} give error rates outside "
            f"[{floor:g}, {1 - floor:g}]: noise, or errors that are not independent."
        )
    return assemble(
        binary.read,
        method="triplets",
        settings=binary.settings,
        message=f"Triplet moments of {sketch.n_judges} judges on {how_many(sketch.n_items, 'item')}.",
        posterior=posterior,
        evaluation=evaluation,
        status=Status.OUT_OF_RANGE
        if np.abs(2 * raw - 1).max() > 1 + policy.ROUNDING
        else Status.OK,
        log_likelihood=float(sketch.counts @ each),
        warnings=tuple(note + fitting.suspect_note(evaluation)),
        parameters={"rates": raw, "loadings": g},
    )


# --- MACE: a judge either knows the label or answers from a habit (Hovy et al., 2013), by EM.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Habits(Problem):
    """Tables from the chance of knowing (N,) and a habit (N, A).

    `pseudo` is (2,): knowing and guessing; `habit` the pseudo-count of every answer.
    """

    tied: ClassVar[bool] = True

    habit: float

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, tuple[Floats, Floats]]:
        n_judges, n_labels, n_answers = tables.shape
        half, even = np.full(n_judges, 0.5), np.full((n_judges, n_answers), 1 / n_answers)
        knowing, habit = (half, even) if last is None else last
        theta = knowing[:, None]
        knew_share = theta / (theta + (1 - theta) * habit)
        total = tables.sum(1)
        hits = np.zeros_like(total)
        hits[:, :n_labels] = np.diagonal(tables, axis1=1, axis2=2)
        knew = hits * np.where(theta > 0, knew_share, 0.0)
        number = total.sum(axis=1) + self.pseudo.sum()
        fresh = np.divide(
            knew.sum(axis=1) + self.pseudo[0], number, where=number > 0, out=np.zeros(n_judges)
        )
        guessed = total - knew + self.habit
        row = guessed.sum(axis=1, keepdims=True)
        drawn = np.where(row > 0, guessed / np.where(row > 0, row, 1.0), 1 / n_answers)
        edge = policy.MACE_EDGE
        own = np.clip(fresh, edge, 1 - edge), np.maximum(drawn, edge)
        return _tables(*own, n_labels), own

    def log_prior(self, confusion: Floats, own: Any) -> float:
        knowing, habit = own
        logs = np.array([np.log(knowing).sum(), np.log1p(-knowing).sum()])
        return float(self.pseudo @ logs + self.habit * np.log(habit).sum())


def _tables(knowing: Floats, habit: Floats, n_labels: int) -> Floats:
    """Return (N, R, A): chance of each answer, given the label."""
    tables = np.repeat(((1 - knowing)[:, None] * habit)[:, None, :], n_labels, axis=1)
    diagonal = np.arange(n_labels)
    tables[:, diagonal, diagonal] += knowing[:, None]
    return tables


def mace(
    data: fitting.Data,
    *,
    knowing: tuple[float, float] = (1.5, 1.5),
    habit: float = 1.1,
    prevalence: Any = "free",
    n_starts: int = 5,
    seed: int = 0,
    tol: float = 1e-8,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels when some judges sometimes answer without looking.

    Use it for crowds with spammers: a judge knows the label with a chance of its own, and answers
    from a habit, the same on every item, when it does not. It assumes independent errors given the
    label, and that nobody is worse than guessing. A vote left out leaves its factor out.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    knowing : (a, b)
        Beta prior of each judge's chance of knowing, each at least 1.
    habit : float
        Dirichlet prior of each judge's habit, at least 1.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`. The original takes equal shares: pass them to have it so.
    n_starts, seed
        EM from the majority's vote shares, then from perturbations of them; the best is kept.
    tol, max_iter
        EM is converged at the first step that gains at most `tol` nats per item and moves no
        chance of an answer or label by more.

    Returns
    -------
    Aggregation
        `parameters` holds knowing (N,) and habit (N, A). Status ok, not_converged, or
        not_identifiable below 3 judges. `trace` is the penalised log-likelihood.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Maximum a posteriori, where the original has a variational posterior under Beta(1/2, 1/2).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> mace(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    case = fitting.opened(
        "mace",
        data,
        knowing=[check_number("knowing", value, least=1.0) for value in knowing],
        habit=habit,
        prevalence=prevalence,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )
    sketch, settings = case.sketch, case.settings
    if case.too_few:
        return case.refused("MACE must have at least 3 judges who answered; got fewer; add judges")
    pseudo = np.array(settings["knowing"]) - 1
    fit = fitting.fit_tables(_Habits, case, pseudo=pseudo, habit=settings["habit"] - 1)
    rows = zip(sketch.judges, fit.own[0], strict=True)
    idle = [judge for judge, share in rows if share < policy.IDLE]
    return fitting.finish_tables(
        case,
        message=f"MACE model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fit.confusion / fit.confusion.sum(axis=2, keepdims=True),
        posterior=fit.posterior,
        prevalence=fit.prevalence,
        end=fit.end,
        log_likelihood=fit.log_likelihood,
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        suspects=False,
        notes=[f"{', '.join(idle)} almost never know the label, by this model."] if idle else [],
        parameters={"knowing": fit.own[0], "habit": fit.own[1]},
    )


# --- GLAD: judges differ in ability, items in difficulty (Whitehill et al., 2009).
#
# A judge is right with chance sigma(alpha_j * exp(b_u)): ability alpha_j, ease exp(b_u) of the item.
# Items with the same votes have the same most probable ease, so one ease per vote pattern gives
# exactly the answer of one ease per item.


class _Block(NamedTuple):
    """Votes on some neighbouring rows, by row and then by answer, so that sums are sums of neighbours.

    `row`, `judge` and `cell` (the position in (rows, R + 1), whose last column is for answers that are no
    label) are (votes,); the votes of `rows` begin at `row_starts`, those of `cells` at `cell_starts`.
    """

    part: slice
    row: Indices
    judge: Indices
    cell: Indices
    rows: Indices
    row_starts: Indices
    cells: Indices
    cell_starts: Indices

    def by_row(self, values: Floats) -> Floats:
        """Return (rows,): sum of a number a vote over the votes of each row."""
        sums = np.zeros(self.part.stop - self.part.start)
        if len(values):
            sums[self.rows] = np.add.reduceat(values, self.row_starts)
        return sums

    def by_answer(self, values: Floats, n_labels: int) -> Floats:
        """Return (R + 1, rows): sum of a number a vote over the votes of each row of each label."""
        sums = np.zeros((self.part.stop - self.part.start) * (n_labels + 1))
        if len(values):
            sums[self.cells] = np.add.reduceat(values, self.cell_starts)
        return np.ascontiguousarray(sums.reshape(-1, n_labels + 1).T)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem:
    """Votes given, in blocks that a processor's cache holds; counts (U,), priors; abilities to predict with.

    The vector climbed is the log-ease of every pattern, then abilities and prevalence logits
    unless they are `known`.
    """

    blocks: tuple[_Block, ...]
    n_judges: int
    counts: Floats
    others: int
    spread: float
    rule: PrevalenceRule
    known: tuple[Floats, Floats] | None = None


def glad(
    data: fitting.Data,
    *,
    spread: float = 1.0,
    prevalence: Any = "equal",
    seed: int | None = None,
    max_iter: int = 2000,
    tol: float = 1e-6,
) -> Aggregation:
    """Find labels when some items are harder than others and some judges better than others.

    Use it when each item has many votes. It assumes independent errors given the label and the
    item's ease, the same ability on every label, and wrong answers spread evenly over the others.
    One ease per item is a parameter per item: posteriors are too sure with few votes each.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    spread : float
        Standard deviation of the normal priors: abilities around 1, log-eases around 0.
    prevalence : "equal", "free", shares, or ("prior", alpha)
        See `read_prevalence`. The source takes it as known. Beware of "free": one ability for
        all labels has no other way to say that judges are strict or lenient, so the prevalence
        found says it instead, at a higher likelihood and with worse labels (see Notes).
    seed : int, optional
        Has no effect, as the only start is ability 1 and ease 1; deprecated, do not pass it.
    max_iter, tol
        Iterations of the climb, and the largest slope per item at which it may stop.

    Returns
    -------
    Aggregation
        `parameters` holds ability (N,) and, per pattern, ease (U,). The evaluation's accuracies
        are averages over items. Status ok, not_converged, or not_identifiable below 3 judges
        or two answers.

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    The model of Whitehill et al. (2009), climbed in all parameters at once instead of by EM.
    Bluebird (108 items, 39 workers, their median accuracy 87% on one label and 52% on the other)
    shows what "free" does: it finds a prevalence of 95%, 28 nats (penalised) above equal shares, and labels
    58.3% right instead of 72.2%. Where judges differ by label, prefer 'dawid-skene' (89.8%).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> glad(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    case = fitting.opened(
        "glad",
        data,
        spread=spread,
        prevalence=prevalence,
        seed=fitting.without_effect("seed", seed, "the only start is ability 1 and ease 1"),
        max_iter=max_iter,
        tol=tol,
    )
    sketch = case.sketch
    if case.too_few:
        return case.refused("GLAD must have at least 3 judges who answered; got fewer; add judges")
    if sketch.n_answers < 2:
        return case.refused(fitting.one_answer("GLAD", sketch.answers))
    counts = sketch.counts.astype(float)
    problem = _problem(sketch.codes, counts, sketch.n_answers, case.rule, spread)
    start = np.concatenate(
        [np.zeros(len(sketch)), np.ones(sketch.n_judges), np.zeros(sketch.n_labels)]
    )
    climb = _climb(start, problem, case.settings)
    b, alpha, shares = _split(climb.theta, problem)
    _, _, posterior, each = _value(climb.theta, problem)
    accuracy = _average_chance(np.exp(b), alpha, problem.counts)
    return fitting.finish_tables(
        case,
        message=f"GLAD model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fitting.coin_tables(accuracy, sketch.n_labels, sketch.n_answers),
        posterior=posterior,
        prevalence=shares,
        end=climb.end(case.settings["tol"]),
        log_likelihood=float(problem.counts @ each),
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        parameters={"ability": alpha, "ease": np.exp(b), "prevalence": shares},
    )


def _problem(
    codes: Codes,
    counts: Floats,
    n_answers: int,
    rule: PrevalenceRule,
    spread: float,
    fixed: tuple[Floats, Floats] | None = None,
) -> _Problem:
    return _Problem(
        blocks=tuple(_blocks(codes, len(rule.pseudo))),
        n_judges=codes.shape[1],
        counts=counts,
        others=n_answers - 1,
        spread=float(spread),
        rule=rule,
        known=fixed,
    )


def _blocks(codes: Codes, n_labels: int) -> Iterator[_Block]:
    """Blocks of neighbouring rows that have few votes together."""
    row, judge, answer = triples_of(codes)
    width = n_labels + 1
    cell = row * width + np.minimum(answer, n_labels)
    order = np.argsort(cell, kind="stable")
    row, judge, cell = row[order], judge[order], cell[order]
    ends = np.searchsorted(row, np.arange(len(codes)), side="right")
    edges = np.flatnonzero(np.diff(ends // policy.BLOCK_VOTES)) + 1
    for start, stop in pairwise([0, *edges.tolist(), len(codes)]):
        votes = slice(int(ends[start - 1]) if start else 0, int(ends[stop - 1]))
        own, own_cell = row[votes] - start, cell[votes] - start * width
        rows, row_starts = np.unique(own, return_index=True)
        cells, cell_starts = np.unique(own_cell, return_index=True)
        sums = rows, row_starts, cells, cell_starts
        yield _Block(slice(start, stop), own, judge[votes], own_cell, *sums)


def _climb(theta: Floats, problem: _Problem, settings: dict[str, Any]) -> Climb:
    n = float(problem.counts.sum())
    return climb_value(
        theta,
        lambda point: _value(point, problem)[:2],
        n,
        max_iter=int(settings["max_iter"]),
        tol=float(settings["tol"]),
    )


def _split(theta: Floats, problem: _Problem) -> tuple[Floats, Floats, Floats]:
    """Log-eases, abilities and prevalence."""
    u, k = len(problem.counts), problem.n_judges
    if problem.known is not None:
        return theta, *problem.known
    logits = theta[u + k :]
    if problem.rule.fixed is not None:
        return theta[:u], theta[u : u + k], problem.rule.fixed
    return theta[:u], theta[u : u + k], np.exp(logits - log_sum_exp(logits))


def _value(theta: Floats, problem: _Problem) -> tuple[float, Floats, Floats, Floats]:
    """Penalised log-likelihood, its gradient, posteriors and log-probabilities."""
    b, alpha, prevalence = _split(theta, problem)
    ease = np.exp(np.clip(b, -policy.MOST_LOG_EASE, policy.MOST_LOG_EASE))
    height, gradient = _penalised(problem, theta, b, alpha)
    posterior, each = np.empty((len(b), len(prevalence))), np.empty(len(b))
    slopes = np.zeros(len(alpha))
    for block in problem.blocks:
        part = block.part
        parts = _of_block(block, ease[part], alpha, prevalence, problem)
        posterior[part], each[part], by_row, by_judge = parts
        gradient[part] += by_row
        slopes += by_judge
    if problem.known is None:
        k = len(alpha)
        gradient[len(b) : len(b) + k] += slopes
        if problem.rule.fixed is None:
            mass = problem.counts @ posterior + problem.rule.pseudo
            gradient[len(b) + k :] += mass - mass.sum() * prevalence
            height += problem.rule.log_prior(prevalence)
    return height + float(problem.counts @ each), gradient, posterior, each


def _of_block(
    block: _Block, ease: Floats, alpha: Floats, prevalence: Floats, problem: _Problem
) -> tuple[Floats, Floats, Floats, Floats]:
    """Posteriors, log-probabilities, slopes of the log-eases of a block, and its part of the abilities'."""
    n_labels = len(prevalence)
    skill = alpha[block.judge]
    score = np.maximum(ease[block.row] * skill, -policy.MOST_EXPONENT)
    odds_against = 1.0 + np.exp(-score)
    said = block.by_answer(score + np.log(problem.others), n_labels)
    with np.errstate(divide="ignore"):
        joint = said[:-1] + np.log(prevalence)[:, None]
    # a vote against a label has chance 1 / (1 + e^score) / others
    joint -= said.sum(axis=0) + block.by_row(np.log(odds_against))
    each = log_sum_exp(joint, axis=0)
    posterior = np.zeros((len(ease), n_labels + 1))
    np.exp(joint.T - each[:, None], out=posterior[:, :-1])
    slope = posterior.ravel()[block.cell] - 1.0 / odds_against
    counts = problem.counts[block.part]
    by_judge = np.bincount(block.judge, slope * (counts * ease)[block.row], len(alpha)).astype(
        float
    )
    return posterior[:, :-1], each, counts * ease * block.by_row(slope * skill), by_judge


def _average_chance(ease: Floats, alpha: Floats, counts: Floats) -> Floats:
    """Return (N,): chance of each judge to be right, averaged over all items."""
    total = np.zeros(len(alpha))
    step = max(1, policy.CHANCE_CELLS // len(alpha))
    for start in range(0, len(ease), step):
        part = slice(start, start + step)
        score = ease[part, None] * alpha
        total += counts[part] @ (1.0 / (1.0 + np.exp(np.minimum(-score, policy.MOST_EXPONENT))))
    result: Floats = total / counts.sum()
    return result


def _penalised(problem: _Problem, theta: Floats, b: Floats, alpha: Floats) -> tuple[float, Floats]:
    """Log-prior of eases (one per item) and abilities, and its gradient."""
    variance = problem.spread**2
    gradient = np.zeros(len(theta))
    gradient[: len(b)] = -problem.counts * b / variance
    height = -0.5 * float(problem.counts @ b**2) / variance
    if problem.known is None:
        gradient[len(b) : len(b) + len(alpha)] = -(alpha - 1) / variance
        height -= 0.5 * float(((alpha - 1) ** 2).sum()) / variance
    return height, gradient


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of other votes: their ease is found with abilities fixed."""
    alpha = np.array(result.parameters["ability"], float)
    prevalence = np.array(result.parameters["prevalence"], float)
    rule = read_prevalence(prevalence.tolist(), result.labels)
    problem = _problem(
        codes,
        np.ones(len(codes)),
        len(result.answers),
        rule,
        float(result.settings["spread"]),
        (alpha, prevalence),
    )
    settings = dict(zip(("max_iter", "tol"), policy.GLAD_PREDICT, strict=True))
    return _value(_climb(np.zeros(len(codes)), problem, settings).theta, problem)[2]


# --- Dawid and Skene's method: confusion tables and labels together, by EM.


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
    sketch = read.sketch
    pseudo = _read_prior(prior, sketch)
    votes = vote_sums(sketch.codes, sketch.n_answers, engine)
    if engine == "auto":
        engine = choose_engine(sketch.codes, sketch.n_answers)
    case = fitting.opened(
        "dawid-skene",
        read,
        prior=np.asarray(prior, float).tolist(),
        prevalence=prevalence,
        engine=engine,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )
    reason = not_identifiable(sketch, case.rule)
    if reason:
        return case.refused(reason)
    counts = sketch.counts.astype(float)
    problem = Problem(votes=votes, counts=counts, pseudo=pseudo, prevalence=case.rule)
    shares = vote_shares(vote_counts(sketch))
    drawn = case.settings["n_starts"], case.settings["seed"]
    starts = _starts(shares, *drawn) if read.start is None else [read.start]
    best, fits = best_em(problem, starts, **case.run)
    fit, renamed = _orient(best, problem, shares)
    ended = "converged" if fit.converged else "did not converge"
    return fitting.finish(
        case,
        message=(
            f"Dawid-Skene on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges {ended} in "
            f"{how_many(len(fit.trace), 'step')}; it assumes errors independent given the true label."
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
    """Fit with its classes named after the labels the majority uses for them."""
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
    """Tables with NaN in rows that rest on nothing, and coverage."""
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
    answered = sketch.codes != NOT_ANSWERED
    judges = int(answered.any(0).sum())
    least = fitting.fewest("dawid-skene")
    if judges < least:
        return (
            f"Dawid-Skene must have at least 3 judges; got {judges} with answers: two judges' "
            "tables fit the counts in endlessly many ways."
        )
    most = int(answered.sum(1).max())
    enough = 2 if rule.fixed is not None and sketch.n_labels == 2 else least
    if most < enough:
        return (
            f"Dawid-Skene must see items with at least {enough} answers; got at most {most}: "
            "agreement of fewer does not settle tables and prevalence."
        )
    return ""


def _notes(sketch: Sketch, fit: Fit, fits: list[Fit], renamed: str) -> tuple[str, ...]:
    notes = [renamed] if renamed else []
    answered = sketch.codes != NOT_ANSWERED
    notes += fitting.missing_note(sketch, "each item is judged by the votes it has")
    notes += fitting.silent_note(sketch)
    if not answered.any(0).all():
        names = [j for j, any_ in zip(sketch.judges, answered.any(0), strict=True) if not any_]
        notes.append(f"Judges without a single answer: {', '.join(names)}.")
    if (
        answered.shape[1] == fitting.fewest("dawid-skene")
        and sketch.n_labels == sketch.n_answers == 2
    ):
        notes.append(
            "With three judges and two labels the model has as many parameters as the counts have "
            "freedom, so its fit says nothing about whether it is right."
        )
    free = sketch.n_labels * (sketch.n_answers - 1)
    thin = int(((sketch.counts @ answered < free) & answered.any(0)).sum())
    if thin:
        notes.append(
            f"{how_many(thin, 'judge')} answered fewer items than a table has free numbers ({free}); "
            f"{method_setting('prior', 2)} steadies such tables."
        )
    notes += label_notes(sketch, fit)
    if len(fits) > 1:
        near = fit.objective - policy.ALIKE_STARTS * sketch.n_items
        same = sum(other.objective >= near for other in fits)
        notes.append(f"{same} of {len(fits)} starts ended at the best log-likelihood.")
    return tuple(notes)


def label_notes(sketch: Sketch, fit: Fit) -> list[str]:
    """Sentence on each label nobody answered, or expected on less than one item."""
    notes = []
    expected = fit.posterior.T @ sketch.counts
    for index, label in enumerate(sketch.labels):
        if not (sketch.codes == index).any():
            notes.append(f"No judge ever answered {label!r}; its class is not tied to that name.")
        elif expected[index] < 1:
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


# --- Dawid and Skene's method with rows shrunk to the panel's, and posteriors held back: any votes.


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
        By default estimated with one pseudo-item per label, lest a rare label vanish. Shares that are
        told are kept whole: only the evidence of the votes is held back, and posteriors average to them.
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
        most ('bound'), the votes per item, and 'label_weights', (R,), by which the evidence held back
        is multiplied where the prevalence was told (None otherwise). Status as `dawid_skene`. `trace`
        is the penalised log-likelihood once the pool stands; it never falls. `log_likelihood` is of the
        independent fit.

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
    (between independent and all copies), and shared errors seen are added. A prevalence that was told
    is no evidence that judges share, so it is left out of the power: posteriors are the likelihoods of
    the votes to the power 1 / c, times the shares told, with odds moved until posteriors average to
    those shares. The tenth of vote share
    and the exponent for R > 2 were settled on with public crowd data; see the how-to on methods.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45}, judges=["i", "j", "k"])
    >>> pooled_dawid_skene(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    read = read_patterns(data)
    sketch = read.sketch
    case = fitting.opened(
        NAME,
        read,
        prevalence=prevalence,
        vote_share=vote_share,
        judge_weights=_weights(judge_weights, sketch),
        max_iter=max_iter,
        tol=tol,
    )
    reason = not_identifiable(sketch, case.rule)
    if reason:
        return case.refused(reason)
    votes = vote_sums(sketch.codes, sketch.n_answers)
    pooled = _pooled_fit(case, _weighed(votes, case.settings))
    weights = case.settings["judge_weights"]
    inflation = overcounting(
        votes,
        pooled.fit.confusion,
        pooled.fit.posterior,
        sketch.counts.astype(float),
        None if weights is None else np.array(weights),
    )
    return _result_of_pooled_dawid_skene(case, pooled, inflation)


def _weights(supplied: Any, sketch: Sketch) -> list[float] | None:
    """Return one checked weight per judge, or None where all count fully."""
    if supplied is None:
        return None
    try:
        weights = np.asarray(supplied, float)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (sketch.n_judges,) or not ((weights > 0) & (weights <= 1)).all():
        raise DataError(
            f"judge_weights must be {sketch.n_judges} numbers above 0 and at most 1, one per judge; "
            f"got {supplied!r}; group_weights makes them"
        )
    result: list[float] = weights.tolist()
    return result


def _weighed(votes: VoteSums, settings: Mapping[str, Any]) -> VoteSums:
    weights = settings.get("judge_weights")
    return votes if weights is None else WeighedVotes(votes, np.array(weights))


def _shares(codes: Codes, n_labels: int, weights: Any, smoothing: float) -> Floats:
    """Return (rows, R) smoothed shares of the votes, each counted with its judge's weight."""
    weights_ = np.ones(codes.shape[1]) if weights is None else np.array(weights)
    return smoothed_shares(weighted_counts(codes, weights_, n_labels), smoothing)


class Pooled(NamedTuple):
    """A fit under the fixed pool (R, A), its problem, and how both loops ended."""

    fit: Fit
    problem: Problem
    pool: Floats
    end: End


def _pooled_fit(case: fitting.Case, votes: VoteSums) -> Pooled:
    sketch, rule = case.sketch, case.rule
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

    start = case.read.start
    if start is None:
        start = _shares(sketch.codes, sketch.n_labels, case.settings["judge_weights"], 0.0)
    (pool, posterior), first = iterate(step, start, n_items=counts.sum(), **case.run)
    pseudo = np.broadcast_to(sketch.n_answers * pool, shape)
    problem = Problem(votes=votes, counts=counts, pseudo=pseudo, prevalence=rule)
    fit = run_em(problem, posterior, **case.run)
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


def _divisor(inflation: Overcounting, sketch: Sketch) -> tuple[float, float]:
    """Return what log-posteriors are divided by, and the votes per item."""
    per_item = np.maximum((sketch.codes != NOT_ANSWERED).sum(1), 1)
    votes = float(per_item @ sketch.counts) / sketch.n_items
    return max(1.0, inflation.within**2) + votes ** (1 / min(max(sketch.n_labels, 1), 3)) - 1, votes


def _result_of_pooled_dawid_skene(
    case: fitting.Case, pooled: Pooled, inflation: Overcounting
) -> Aggregation:
    sketch, settings, fit = case.sketch, case.settings, pooled.fit
    factor, per_item = _divisor(inflation, sketch)
    fixed = case.rule.fixed
    share_ = None if fixed is None else _told(sketch, fit.posterior, factor, settings, fixed)
    kept = "" if share_ is None else "; the prevalence told was kept whole"
    ended = "converged" if pooled.end.converged else "did not converge"
    return fitting.finish(
        case,
        message=(
            f"Pooled Dawid-Skene on {how_many(sketch.n_items, 'item')} and {sketch.n_judges} judges {ended}; "
            f"probabilities were softened (log-odds divided by {factor:.2g}) because judges may share errors "
            f"({per_item:.3g} votes per item){kept}."
        ),
        posterior=held_back(fit.posterior, factor, settings, sketch.codes, share_),
        evaluation=evaluation_of_fit(sketch, pooled.problem, fit),
        end=pooled.end,
        log_likelihood=fit.log_likelihood,
        notes=_notes_of_pooled_dawid_skene(sketch, fit),
        parameters={
            "pool": pooled.pool,
            "overcounting": factor,
            "within": inflation.within,
            "bound": inflation.bound,
            "votes_per_item": per_item,
            "label_weights": None if share_ is None else share_.weights,
        },
    )


def _notes_of_pooled_dawid_skene(sketch: Sketch, fit: Fit) -> list[str]:
    notes = fitting.missing_note(sketch, "each item is judged by the votes it has")
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


class Told(NamedTuple):
    """A prevalence (R,) that was told, and the weights (R,) that evidence held back is given by it."""

    shares: Floats
    weights: Floats


def held_back(
    posterior: Floats,
    factor: float,
    settings: Mapping[str, Any],
    codes: Codes,
    share: Told | None = None,
) -> Floats:
    """Tempered posteriors (rows, R) with some of the smoothed vote share mixed in.

    A row without votes keeps the prevalence. `settings` are those of the method. Of posteriors under
    a prevalence that was told only the evidence is held back; then its labels are weighed.
    """
    silent = (codes == NOT_ANSWERED).all(axis=1)[:, None]
    held = tempered(posterior if share is None else _evidence(posterior, share), factor, codes)
    if settings["vote_share"]:
        weight = np.where(silent, 0.0, settings["vote_share"])
        shares = _shares(codes, posterior.shape[1], settings.get("judge_weights"), 1.0)
        held = (1 - weight) * held + weight * shares
    if share is None:
        return held
    joint = held * share.weights
    return np.where(silent, posterior, joint / joint.sum(axis=1, keepdims=True))


def _evidence(posterior: Floats, share: Told) -> Floats:
    """Posteriors (rows, R) as they would be of equal shares; 0 for labels that do not occur."""
    occurs = share.shares > 0
    ratio = np.where(occurs, posterior, 0.0) / np.where(occurs, share.shares, 1.0)
    result: Floats = ratio / ratio.sum(axis=1, keepdims=True)
    return result


def _told(
    sketch: Sketch, posterior: Floats, factor: float, settings: Mapping[str, Any], shares: Floats
) -> Told:
    """Weights of labels with which posteriors average to the shares that were told.

    Log-odds move by b from those told, so that sum_u n_u p_u(b) + b = n shares: the 1 before b is a
    normal prior of deviation 1, which keeps a few items from being forced to the shares of many.
    """
    answered = (sketch.codes != NOT_ANSWERED).any(axis=1)
    counts = sketch.counts[answered].astype(float)
    even = Told(shares, np.ones(len(shares)))
    held = held_back(posterior[answered], factor, settings, sketch.codes[answered], even)
    base = np.log(np.maximum(held * shares, policy.TINY))
    moved = np.zeros(len(shares))
    for _ in range(policy.TOLD_STEPS):
        joint = np.exp(base + moved - (base + moved).max(axis=1, keepdims=True))
        joint /= joint.sum(axis=1, keepdims=True)
        mass = counts @ joint
        slope = counts.sum() * shares - mass - moved
        bend = np.diag(mass + 1) - (joint * counts[:, None]).T @ joint
        step = np.clip(np.linalg.solve(bend, slope), -1, 1)
        moved += step
        if np.abs(step).max() <= policy.ROUNDING:
            break
    return Told(shares, shares * np.exp(moved))


def posterior_under(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of votes under the fit, before they are held back."""
    evaluation: Any = result.evaluation
    votes = vote_sums(codes, len(result.answers))
    return em.naive_bayes(_weighed(votes, result.settings), evaluation)[0]


def predict_pooled_dawid_skene(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, R) posteriors of other votes, held back by the same factor and vote share."""
    rows = codes
    factor, pair = float(result.parameters["overcounting"]), None
    if result.parameters["label_weights"] is not None:
        evaluation: Any = result.evaluation
        pair = Told(evaluation.to_floats().prevalence, np.array(result.parameters["label_weights"]))
    return held_back(posterior_under(result, rows), factor, result.settings, rows, pair)


# --- One-coin aggregation: each judge has one accuracy, whatever the label, by EM.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Coins(Problem):
    """Tables of one accuracy each; `pseudo` is (2,): right and wrong answers."""

    tied: ClassVar[bool] = True

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, Floats]:
        right = np.trace(tables[:, :, : tables.shape[1]], axis1=1, axis2=2) + self.pseudo[0]
        total = tables.sum((1, 2)) + self.pseudo.sum()
        share = np.divide(right, total, where=total > 0, out=np.full(len(total), 0.5))
        accuracy = np.clip(share, policy.EDGE, 1 - policy.EDGE)
        return fitting.coin_tables(accuracy, *tables.shape[1:]), accuracy

    def log_prior(self, confusion: Floats, own: Any) -> float:
        return float(self.pseudo @ np.array([np.log(own).sum(), np.log1p(-own).sum()]))


def one_coin(
    data: fitting.Data,
    *,
    prior: tuple[float, float] = (1.0, 1.0),
    prevalence: Any = "free",
    n_starts: int = 1,
    seed: int = 0,
    tol: float = 1e-9,
    max_iter: int = 5000,
) -> Aggregation:
    """Find labels with one accuracy per judge: the simplest model that weighs judges.

    Use it with few items, where confusion tables cannot be learned. It assumes independent errors
    given the label, the same accuracy on every label, and wrong answers spread evenly over all the
    others; a vote left out leaves its factor out. Where accuracy depends on the label, as with
    strict or lenient judges, its prevalence and labels are biased: prefer 'dawid-skene'.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    prior : (a, b)
        Beta prior of every accuracy, each at least 1; (1, 1) is maximum likelihood.
    prevalence : "free", shares, or ("prior", alpha)
        See `read_prevalence`.
    n_starts, seed
        EM from the majority's vote shares, then from perturbations of them; the best is kept.
    tol, max_iter
        EM is converged at the first step that gains at most `tol` nats per item and moves no
        chance of an answer or label by more.

    Returns
    -------
    Aggregation
        `parameters` holds the accuracies. Status ok, not_converged, or not_identifiable below 3
        judges or two answers. `trace` is the penalised log-likelihood, which never falls.

    Raises
    ------
    DataError
        If a setting is out of range.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> s = Sketch.from_counts({"aaa": 40, "aab": 9, "bba": 6, "bbb": 45})
    >>> one_coin(s).decisions.tolist()
    [0, 0, 1, 1]
    """
    case = fitting.opened(
        "one-coin",
        data,
        prior=[check_number("prior", value, least=1.0) for value in prior],
        prevalence=prevalence,
        n_starts=n_starts,
        seed=seed,
        max_iter=max_iter,
        tol=tol,
    )
    sketch = case.sketch
    if case.too_few:
        why = (
            "the one-coin model must have at least 3 judges who answered; got fewer, and the "
            "agreement of two says nothing about which is right; add judges"
        )
        return case.refused(why)
    if sketch.n_answers < 2:
        return case.refused(fitting.one_answer("the one-coin model", sketch.answers))
    fit = fitting.fit_tables(_Coins, case, pseudo=np.array(case.settings["prior"]) - 1)
    return fitting.finish_tables(
        case,
        message=f"One-coin model of {sketch.n_judges} judges, fitted to {how_many(sketch.n_items, 'item')}.",
        tables=fit.confusion,
        posterior=fit.posterior,
        prevalence=fit.prevalence,
        end=fit.end,
        log_likelihood=fit.log_likelihood,
        before=fitting.missing_note(sketch, fitting.LEFT_OUT),
        parameters={"accuracy": fit.own},
    )
