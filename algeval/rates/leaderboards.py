"""`leaderboard`: ratings of systems from judged battles, and the ranks they may have."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, isfinite, log, nan
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog
from scipy.special import expit, log_expit, ndtr, stdtrit

from algeval.data.names import (
    EVEN,
    check_choice,
    check_number,
    check_whole,
    folded,
    read_only,
    side_of,
)
from algeval.data.reading import Tabular
from algeval.door import reads_as_named
from algeval.errors import DataError, option, parameter
from algeval.io.answers import Column, factorise, first_seen, plain
from algeval.io.items import key_source, values_of
from algeval.io.journal import is_journal
from algeval.io.layout import ITEM_NAMES, JUDGE_NAMES, match, shown
from algeval.io.results import Cells as Answers
from algeval.io.results import Results, is_person, pairs_shown, turned_rows
from algeval.io.roles import people_beside_models
from algeval.io.sources import names_columns, read_results
from algeval.io.tables import Table as Table_of_tables
from algeval.io.tables import is_path, open_table
from algeval.rates import policy
from algeval.rates.inputs import either_setting
from algeval.rates.intervals import ranks_of
from algeval.result import Result, Status, Table, percent, to_json
from algeval.result.base import Record
from algeval.result.numbers import did_you_mean, how_many, level_text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# --- Who won a battle, as tables write it: a system of the row, first, second, or a tie.


FIRST, SECOND, TIE, UNKNOWN = 0, 1, 2, -1

_OTHER = -2
_WORDS = {
    FIRST: "first a left model_a modela system_a response_a answer_a assistant_a a>b a>>b",
    SECOND: "second b right model_b modelb system_b response_b answer_b assistant_b b>a b>>a",
    TIE: "tie tied draw equal same both neither bothbad both_bad tie_bothbad a=b",
}
_MEANING = dict.fromkeys((word.replace(" ", "_") for word in EVEN), TIE) | {
    word: code for code, words in _WORDS.items() for word in words.split()
}
_CRAMPED = str.maketrans({" ": "_", "-": "_", "(": "_", ")": None, "[": None, "]": None})


def outcomes_of(
    winner: Column, first: Ints, second: Ints, systems: tuple[str, ...]
) -> NDArray[np.int8]:
    """Who won each battle: FIRST, SECOND, TIE, or UNKNOWN where the cell is blank.

    `first, second`: (n,), places of the two systems; `systems`: a name among them is read as that system
    before it is read as a word.
    """
    texts = [plain(value) for value in winner.values]
    index = {name: k for k, name in enumerate(systems)}
    named = winner.look_up([index.get(text or "", -1) for text in texts])
    meant = winner.look_up([_meaning(text) for text in texts])
    outcome_ = np.select([named == first, named == second], [FIRST, SECOND], meant)
    outcome_ = np.where((named >= 0) & (outcome_ == UNKNOWN), _OTHER, outcome_)
    wrong = np.flatnonzero(outcome_ == _OTHER)
    if len(wrong):
        row = int(wrong[0])
        left, two = systems[first[row]], systems[second[row]]
        raise DataError(
            f"column {winner.name!r} must name the winner: {left!r}, {two!r}, first, second or tie; got "
            f"{texts[winner.codes[row]]!r} in row {row + 1}; rename it"
        )
    return outcome_.astype(np.int8)


def _meaning(text: str | None) -> int:
    if text is None:
        return UNKNOWN
    cramped = text.casefold().translate(_CRAMPED).replace("__", "_")
    side = None if cramped.isdigit() else side_of(text)  # 1 and 2 may be grades
    return _MEANING.get(cramped, _OTHER if side is None else (FIRST, SECOND)[side])


# --- Battles as counts: the distinct battles there are, and how often each cluster holds one.


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The distinct (shown first, shown second, outcome), as rows of a design."""

    n_systems: int
    first: Ints  # (c,)
    second: Ints
    outcome: Ints
    # (c, n_systems), of the log odds that the first wins: +1 first, -1 second, and 1 for being shown first
    design: Any

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def ordered(self) -> bool:
        """Whether being shown first has an effect of its own."""
        return bool(self.design.shape[1] > self.n_systems)

    @property
    def any_tie(self) -> bool:
        """Whether a battle may end in a tie here."""
        return bool((self.outcome == TIE).any())


def cells_of(
    n_systems: int,
    first: Ints,
    second: Ints,
    outcome: NDArray[Any],
    *,
    ordered: bool,
) -> tuple[Cells, Ints]:
    """Cells of some battles, and the cell of each battle."""
    code = (first * n_systems + second) * 3 + outcome
    distinct, cell_of = np.unique(code, return_inverse=True)
    winner, two, end = distinct // 3 // n_systems, distinct // 3 % n_systems, distinct % 3
    n = len(distinct)
    signs = np.concatenate([np.ones(n), -np.ones(n), np.ones(n if ordered else 0)])
    columns = np.concatenate([winner, two, np.full(n if ordered else 0, n_systems)])
    rows = np.tile(np.arange(n), 3 if ordered else 2)
    shape = (n, n_systems + ordered)
    design = sparse.csr_array((signs, (rows, columns)), shape=shape)
    return Cells(n_systems, winner, two, end, design), cell_of


# --- Which systems can be put on one scale: who met, who beat whom, and what the fit cannot settle.


class Standing(NamedTuple):
    """Which systems battles link, and which way."""

    # systems that battles link at all, whoever won; largest first
    groups: tuple[tuple[int, ...], ...]
    # systems between which chains of wins or ties lead both ways; largest first
    components: tuple[tuple[int, ...], ...]
    # (n_systems, n_systems), whether a chain of wins or ties leads from the first to the second
    chain: NDArray[np.bool_]
    # (n_systems,), where the rating of each would go: 0 it has a place among the largest component,
    # inf or -inf it was never beaten by that component, or never won against it, NaN nothing says
    ends: Floats

    @property
    def connected(self) -> bool:
        """Whether battles link all systems, whoever won."""
        return len(self.groups) == 1


def standing_of(cells: Cells) -> Standing:
    """Components of "met", and the strong ones of "beats", ties counting both ways."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(cells.n_systems))
    won = cells.outcome != SECOND
    lost = cells.outcome != FIRST
    graph.add_edges_from(zip(cells.first[won].tolist(), cells.second[won].tolist(), strict=True))
    graph.add_edges_from(zip(cells.second[lost].tolist(), cells.first[lost].tolist(), strict=True))
    components = _largest_first(nx.strongly_connected_components(graph))
    groups = _largest_first(nx.weakly_connected_components(graph))
    return Standing(groups, components, _chains(graph, components), _ends(graph, components))


def _largest_first(parts: Iterable[set[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        sorted((tuple(sorted(part)) for part in parts), key=lambda part: (-len(part), part))
    )


def _chains(graph: nx.DiGraph[int], components: tuple[tuple[int, ...], ...]) -> NDArray[np.bool_]:
    """(k, k): whether a chain leads from one to the other, alike for all of a component."""
    k = graph.number_of_nodes()
    chain = np.zeros((k, k), bool)
    for part in components:
        after = [*nx.descendants(graph, part[0]), part[0]]
        chain[np.ix_(part, after)] = True
    np.fill_diagonal(chain, False)
    return chain


def _ends(graph: nx.DiGraph[int], components: tuple[tuple[int, ...], ...]) -> Floats:
    ends = np.full(graph.number_of_nodes(), np.nan)
    main = components[0]
    if len(main) > 1:
        above = nx.ancestors(graph, main[0])
        below = nx.descendants(graph, main[0])
        ends[list(above)], ends[list(below)] = np.inf, -np.inf
        ends[list(main)] = 0
        return ends
    for system, degree in graph.in_degree():
        if graph.out_degree(system) and not degree:
            ends[system] = np.inf
        if degree and not graph.out_degree(system):
            ends[system] = -np.inf
    return ends


def runs_away(cells: Cells, *, ties: bool) -> bool:
    """Whether the likelihood grows for ever in some direction of ratings, order effect and ties.

    A direction in which no battle becomes less likely and one becomes more so, found by a linear program:
    for each battle, a win needs a lead of at least the tie parameter, a tie at most that.
    """
    won, lost = cells.outcome == FIRST, cells.outcome == SECOND
    tied = cells.outcome == TIE
    if not ties:
        won, lost = won | tied, lost | tied
        tied = np.zeros(len(cells), bool)
    rows = [cells.design[won], -cells.design[lost], -cells.design[tied], cells.design[tied]]
    signs = np.repeat([-1.0, -1.0, 1.0, 1.0], [part.shape[0] for part in rows])
    slack = sparse.hstack([sparse.vstack(rows), sparse.csr_array(signs[:, None])]).tocsr()
    m = slack.shape[1]
    limits = [(-1.0, 1.0)] * (m - 1) + [(-1.0, 1.0) if ties else (0.0, 0.0)]
    gain = np.asarray(slack.sum(axis=0)).ravel()
    solved = linprog(-gain, A_ub=-slack, b_ub=np.zeros(slack.shape[0]), bounds=limits)
    return solved.fun is None or bool(-solved.fun > policy.RUNS_AWAY)


# --- Three ways to count a tie: the log likelihood of one battle, and its derivatives.
#
# Each takes the log odds `x` of the first system, the tie parameter `t` and the outcomes, and returns
# the log likelihood, its gradient in (x, t), and the curvatures -d2/dx2, -d2/dxdt and -d2/dt2.


LikelihoodInts = Ints


class Derivatives(NamedTuple):
    """What a battle adds to the log likelihood and its derivatives; arrays (cells,)."""

    log_likelihood: Floats
    by_x: Floats
    by_t: Floats
    curved_x: Floats
    curved_xt: Floats
    curved_t: Floats


class Model(NamedTuple):
    """A way to count ties: its derivatives, where its tie parameter starts, and how that is told."""

    of: Callable[[Floats, float, LikelihoodInts], Derivatives]
    start: float | None
    """None where ties have no parameter."""


def half(x: Floats, t: float, outcome: LikelihoodInts) -> Derivatives:
    """Half a win for each: Bradley-Terry on shares of a win, a quasi-likelihood where there are ties."""
    y = np.select([outcome == FIRST, outcome == TIE], [1.0, 0.5], 0.0)
    p, none = expit(x), np.zeros(len(x))
    likelihood = y * log_expit(x) + (1 - y) * log_expit(-x)
    return Derivatives(likelihood, y - p, none, p * (1 - p), none, none)


def davidson(x: Floats, t: float, outcome: LikelihoodInts) -> Derivatives:
    """Chances of win, loss and tie as exp(x/2), exp(-x/2) and exp(t), up to a factor."""
    logs = np.stack([x / 2, -x / 2, np.full(len(x), t)])
    logs -= np.logaddexp.reduce(logs, axis=0)
    win, loss, tie = np.exp(logs)
    lead = win - loss
    score = (outcome == FIRST) * 1.0 - (outcome == SECOND)
    return Derivatives(
        np.choose(outcome, logs),
        (score - lead) / 2,
        (outcome == TIE) - tie,
        (win + loss - lead**2) / 4,
        -lead * tie / 2,
        tie * (1 - tie),
    )


def rao_kupper(x: Floats, t: float, outcome: LikelihoodInts) -> Derivatives:
    """Let a win take a lead of more than t: chances s(x - t) and s(-x - t), a tie with the rest."""
    if t <= 0:
        worst = np.full(len(x), -np.inf)
        return Derivatives(worst, *(np.zeros(len(x)) for _ in range(5)))
    tied = (outcome == TIE) * 1.0
    up, down = tied + (outcome == FIRST), tied + (outcome == SECOND)
    u, v = expit(x - t), expit(-x - t)
    a, b = up * u * (1 - u), down * v * (1 - v)
    gap = np.expm1(2 * t)
    likelihood = up * log_expit(x - t) + down * log_expit(-x - t) + tied * np.log(gap)
    pull, stiff = 2 * (gap + 1) / gap, 4 * (gap + 1) / gap**2
    won, lost = up * (1 - u), down * (1 - v)
    return Derivatives(
        likelihood, won - lost, tied * pull - won - lost, a + b, b - a, a + b + tied * stiff
    )


MODELS = {
    "half": Model(half, None),
    "davidson": Model(davidson, 0.0),
    "rao-kupper": Model(rao_kupper, 1.0),
}
"""By the name of the setting `ties`."""


# --- What a leaderboard says in a sentence.


_MOST = 5


def headline(systems: Sequence[str], leaders: Sequence[str], level: float) -> str:
    """Who may be first among all systems, from rank sets that hold together."""
    k, sure = len(systems), level_text(level)
    if len(leaders) == 1:
        return f"{leaders[0]} is first of {k} systems, at {sure} for all ranks together."
    if len(leaders) == k:
        return f"No system is shown to be behind another: each of the {k} may be first, at {sure}."
    return (
        f"{len(leaders)} of {k} systems may be first, at {sure} for all ranks together: "
        f"{_few(leaders)}."
    )


def no_scale(groups: Sequence[Sequence[str]]) -> str:
    """Which systems battles do not link."""
    named = "; ".join(_few(part) for part in groups[:_MOST])
    more = f"; and {len(groups) - _MOST} more" if len(groups) > _MOST else ""
    return (
        f"No battles link the {how_many(len(groups), 'group')} of systems {named}{more}: they have no common "
        "scale. Let systems of different groups meet."
    )


def no_end(unbeaten: Sequence[str], winless: Sequence[str]) -> str:
    """Who has a rating without an end, as a further sentence; empty if nobody."""
    sentences = [
        f" {what}: {_few(names)}; the rating has no {end} end."
        for what, names, end in (
            ("Never beaten", unbeaten, "upper"),
            ("Never won", winless, "lower"),
        )
        if names
    ]
    return "".join(sentences)


def not_settled(cause: str) -> str:
    """Why the likelihood has no maximum: `cause` is "ties", "order" or "gold"."""
    return {
        "ties": (
            "Ties and ratings cannot be told apart: battles tie, or go one way, too regularly for this "
            f"model of ties. Use {option('ties', 'half')}, or add battles."
        ),
        "order": (
            "What being shown first does cannot be told from strength: the outcomes go with the order too "
            f"regularly. Add battles, or leave {option('order')} out."
        ),
    }.get(
        cause,
        "The fit did not end: human labels and votes together do not settle the ratings. Label more battles.",
    )


def _few(names: Sequence[str]) -> str:
    """Names, the first few of many."""
    return shown(list(names), _MOST)


# --- Newton's method for ratings: the gauge is a sum of zero, the curvature comes along.


class Fit(NamedTuple):
    """Where the weighted likelihood of some cells is largest."""

    # (p,), ratings with sum 0, then the effect of being shown first and the tie parameter, where fitted
    parameters: Floats
    inverse: Floats  # (p, p), the inverse of the curvature where ratings sum to 0
    scores: Any  # (c, p), the gradient of each cell's log likelihood
    converged: bool


def fit(cells: Cells, weights: Floats, ties: str) -> Fit:
    """Largest likelihood of cells with these weights, which may be negative in part.

    `ties`: one of `MODELS`; without a tie among the cells its parameter is left out.
    """
    model = MODELS["half"] if not cells.any_tie else MODELS[ties]
    at = np.zeros(cells.design.shape[1] + (model.start is not None))
    if model.start is not None:
        at[-1] = model.start
    gauge = np.zeros(len(at))
    gauge[: cells.n_systems] = cells.n_systems**-0.5

    def there(point: Floats) -> tuple[float, Derivatives]:
        eta = cells.design @ point[: cells.design.shape[1]]
        slopes = model.of(eta, float(point[-1]), cells.outcome)
        return float(weights @ slopes.log_likelihood), slopes

    value, slopes = there(at)
    converged = False
    for _ in range(policy.NEWTON_STEPS):
        gradient = scores_of(cells, slopes, len(at)).T @ weights
        curvature = _curvature(cells, slopes, weights, len(at)) + np.outer(gauge, gauge)
        step = _solved(curvature, gradient)
        if step is None:
            break
        if np.abs(step).max() < policy.NEWTON_STILL:
            converged = True
            break
        size, before = 1.0, value
        value, slopes = there(at + step)
        while (
            not value >= before - abs(before) * policy.NEWTON_NOISE and size > policy.NEWTON_STILL
        ):
            size /= 2
            value, slopes = there(at + size * step)
        at = at + size * step
        if np.abs(at).max() > policy.RATING_FAR:
            break
    inverse = np.linalg.pinv(curvature, hermitian=True) - np.outer(gauge, gauge)
    return Fit(at, inverse, scores_of(cells, slopes, len(at)), converged)


def _solved(curvature: Floats, gradient: Floats) -> Floats | None:
    try:
        return np.asarray(np.linalg.solve(curvature, gradient))
    except np.linalg.LinAlgError:
        return None


def scores_of(cells: Cells, derivatives: Derivatives, size: int) -> Any:
    """(c, size): the gradient of each cell in the parameters."""
    from scipy import sparse

    by_x = cells.design.multiply(derivatives.by_x[:, None])
    if size == cells.design.shape[1]:
        return by_x.tocsr()
    return sparse.hstack([by_x, sparse.csr_array(derivatives.by_t[:, None])]).tocsr()


def _curvature(cells: Cells, derivatives: Derivatives, weights: Floats, size: int) -> Floats:
    design, m = cells.design, cells.design.shape[1]
    whole = np.zeros((size, size))
    whole[:m, :m] = (
        design.T @ design.multiply((weights * derivatives.curved_x)[:, None])
    ).toarray()
    if size > m:
        whole[:m, -1] = whole[-1, :m] = design.T @ (weights * derivatives.curved_xt)
        whole[-1, -1] = weights @ derivatives.curved_t
    return whole


# --- Which ranks a system may have: all pairs of systems compared at once.
#
# Systems that chains of wins lead to and fro between have ratings, and are compared by the largest gap of
# two ratings. Where a chain leads one way only, as from a system that was never beaten, ratings are
# infinitely far apart and have no standard error: the two are compared by a test of whether they are equal,
# which needs no rating of either. Every pair has the same share of the error allowed, whichever way it is
# compared.


Bools = NDArray[np.bool_]

_RADEMACHER = 1 / (4 * ndtr(-(2**0.5)))
"""Signs tossed by coins sum to x standard deviations with at most this many times the normal chance
(Bentkus and Dzindzalieta 2015); the sharpest constant there is."""


def spreads(covariance: Floats) -> Floats:
    """(k, k): the standard error of each difference of two ratings."""
    own = np.diag(covariance)
    return np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 0))


def largest_gap(covariance: Floats, degrees: int, level: float, rng: np.random.Generator) -> float:
    """Quantile of the largest standardised difference of two ratings that are equal in truth.

    The multiplier bootstrap with normal multipliers: given what each cluster adds, its draws are normal
    with the sandwich as their covariance, and so are drawn from that. Each difference is divided by the
    root of a chi-square of its own with a degree of freedom less than there are clusters, as each has a
    standard error of its own: one for all would say that either all are too small or none.
    """
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T  # whatever the vectors' signs
    k, errors = len(covariance), spreads(covariance)
    errors = np.where(errors > 0, errors, np.inf)
    n = policy.BOOTSTRAP_DRAWS
    draws = rng.standard_normal((n, k)) @ root
    largest = np.zeros(n)
    for row in range(k - 1):
        gaps = np.abs(draws[:, row + 1 :] - draws[:, [row]]) / errors[row, row + 1 :]
        if degrees < policy.MANY_CLUSTERS:
            gaps /= np.sqrt(2 * rng.standard_gamma(degrees / 2, gaps.shape) / degrees)
        np.maximum(largest, gaps.max(axis=1), out=largest)
    return float(np.quantile(largest, level))


def rank_sets(ahead: Bools) -> list[tuple[int, int]]:
    """Best and the worst rank of each system, all of them right at once.

    `ahead`: (k, k), whether the first is ahead of the second, all entries right at once. Then who
    is ahead of one that is ahead of a third is ahead of the third.
    """
    before = np.zeros_like(ahead)
    while (before != ahead).any():
        before, ahead = ahead, ahead | ((ahead.astype(np.float32) @ ahead) > 0)
    return ranks_of(ahead)


def quantile(degrees: int, level: float) -> float:
    """Quantile of Student's t for an interval of one rating."""
    return float(stdtrit(degrees, (1 + level) / 2))


def ahead_by_chains(
    cells: Cells, counts: Any, chain: Bools, pairs: list[tuple[int, int]]
) -> dict[tuple[int, int], float]:
    """For pairs of systems the chance, at most, of battles so uneven if the two were equal.

    Negative where they speak for the second. With two systems set equal the likelihood has its largest
    value on finite ratings of all that lie on a chain between them. Its slope in their difference, the
    other ratings let free, is a sum over clusters, and of independent clusters each of which could as well
    have been the other way round: the chance is over their signs alone. `cells`: of all systems; `counts`:
    (clusters, cells); `chain`: (n_systems, n_systems), whether a chain of wins or ties leads from the first
    to the second; `pairs`: with a chain from the first to the second.
    """
    sums = np.asarray(counts.sum(axis=0)).ravel()
    chances = {}
    for system, other in pairs:
        between = (chain[system] | _is(system, chain)) & (chain[:, other] | _is(other, chain))
        slopes = _slopes(cells, sums, between, system, other)
        if slopes is not None:
            chances[system, other] = equal_chance(counts @ slopes)
    return chances


def _is(system: int, chain: Bools) -> Bools:
    return np.asarray(np.arange(len(chain)) == system)


def _slopes(cells: Cells, sums: Floats, between: Bools, system: int, other: int) -> Floats | None:
    """What each cell adds to the slope in the difference of two systems at which they are equal."""
    kept = np.flatnonzero(between[cells.first] & between[cells.second] & (sums > 0))
    column = np.cumsum(between) - 1
    merged = column.copy()
    merged[other] = column[system]
    merged -= merged > column[other]
    first, second, n = cells.first[kept], cells.second[kept], int(between.sum())
    joint, cell_of = cells_of(
        n - 1, merged[first], merged[second], cells.outcome[kept], ordered=cells.ordered
    )
    weights = np.bincount(cell_of, sums[kept], minlength=len(joint)).astype(np.float64)
    equal = fit(joint, weights, "half")
    if not equal.converged:
        return None
    eta = (joint.design @ equal.parameters)[cell_of]
    p = 1 / (1 + np.exp(-eta))
    credit = np.select([cells.outcome[kept] == FIRST, cells.outcome[kept] == TIE], [1.0, 0.5], 0.0)
    design = np.zeros((len(kept), n + cells.ordered))
    at = np.arange(len(kept))
    design[at, column[first]], design[at, column[second]] = 1.0, -1.0
    design[:, n:] = 1.0
    curvature = (design.T * (sums[kept] * p * (1 - p))) @ design
    lead = np.zeros(design.shape[1])
    lead[column[system]], lead[column[other]] = 1.0, -1.0
    slopes = np.zeros(len(cells))
    slopes[kept] = (credit - p) * (design @ (np.linalg.pinv(curvature, hermitian=True) @ lead))
    return slopes


def equal_chance(parts: Floats) -> float:
    """At most how likely a sum is as far from 0, had each part as well had the other sign.

    With a minus where the sum is negative. Exact where all parts are alike and of one sign: the sign test.
    """
    parts = parts[np.abs(parts) > policy.NEWTON_STILL * np.abs(parts).max(initial=0)]
    if not len(parts):
        return 1.0
    total = float(parts.sum())
    chance = 2 * float(_RADEMACHER) * float(ndtr(-abs(total) / float(np.sqrt(parts @ parts))))
    if (parts > 0).all() or (parts < 0).all():
        chance = min(chance, float(2.0 ** (1 - len(parts))))
    return float(np.copysign(min(chance, 1.0), total))


def swept_end(hardest: Floats, tail: float) -> float:
    """Rating below which a system would win everything it has won with less chance than `tail`.

    `hardest`: (n,), of each cluster, the highest rating that it beat there: whatever the battles of
    one cluster have to do with each other, winning all of them is no likelier than winning the hardest.
    """
    low, high = float(hardest.min()) - policy.RATING_FAR, float(hardest.max()) + policy.RATING_FAR
    for _ in range(policy.NEWTON_STEPS):
        middle = (low + high) / 2
        if float(log_expit(middle - hardest).sum()) < np.log(tail):
            low = middle
        else:
            high = middle
    return low


# --- What a leaderboard holds: a row for each system, and what its ratings rest on.


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rated(Record):
    """One system of a leaderboard.

    Attributes
    ----------
    system : str
    rating, low, high : float
        On the natural scale: a difference of 1 is odds of e. Infinite where the battles set no end, NaN
        where nothing says.
    elo, elo_low, elo_high : float
        The same on the Elo scale: 1000 + 400 / log(10) times.
    best_rank, worst_rank : int
        The ranks it may have, right for all systems at once.
    battles, wins, losses, ties : int
    """

    system: str
    rating: float
    low: float
    high: float
    elo: float
    elo_low: float
    elo_high: float
    best_rank: int
    worst_rank: int
    battles: int
    wins: int
    losses: int
    ties: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrderEffect(Record):
    """What being shown first adds to a system's rating, with its interval; 0 is no effect."""

    effect: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaderboard(Result):
    """Ratings of systems from judged battles, with ranks that hold for all of them at once.

    Attributes
    ----------
    status : Status
        Ok; not_identifiable where no battles link some systems to the others, or the order shown, or ties,
        cannot be told from strength; not_converged if the fit did not end.
    table : tuple of Rated
        Best rating first. One that was never beaten is infinite, above a finite lower end; one that never
        won likewise below.
    components : tuple of tuples of str
        Systems that wins and ties link both ways, largest first; one if `connected`. Only within one are
        differences of ratings finite.
    level : float
        Of every interval, and of all rank sets together.
    ties : str
    tie_parameter : float or None
        Davidson's nu, or Rao and Kupper's theta; None where ties have none.
    order_effect : OrderEffect or None
        What being shown first adds to the rating; None unless asked for.
    n_pairs_swapped : int
        Pairs of answers that one judge compared in both orders.
    flip_rate : Fraction or None
        Share of these that got another answer when the order was swapped.
    accuracy_ceiling : Fraction or None
        At most this share of these calls is right, both orders together, whatever the answer key: two
        different answers are not both right. No bound for one order alone, nor where a tie is half right.
    n_battles, n_clusters : int
        Verdicts on pairs, one of each judge in each order; and how many clusters they are of.
    n_pairs : int
        Pairs of answers, each once however many verdicts there are on it; all battles where nothing tells.
    cluster : str or None
        The column whose entries hang together; None where each battle counts as independent.
    n_gold : int
        Pairs of answers that people decided, each once however many judges compared it.
    lambda_ : float or None
        With gold: the weight of the votes, 0 where they are of no help and 1 where they are as good.
    warnings, notes : tuples of str
    covariance : (n_systems, n_systems) array
        Of the ratings, in the order of `table`; NaN where there are none.
    """

    schema: ClassVar[str] = "algeval.leaderboard/1"
    meaning: ClassVar[str] = (
        "Ratings are as judged, corrected where people decided pairs. Errors that strike all systems alike "
        "shrink them and leave their order; a judge that favours a system moves it, and only human labels "
        "can show that."
    )

    table: tuple[Rated, ...]
    components: tuple[tuple[str, ...], ...]
    level: float
    ties: str
    tie_parameter: float | None
    order_effect: OrderEffect | None
    n_pairs_swapped: int
    flip_rate: Fraction | None
    accuracy_ceiling: Fraction | None
    n_battles: int
    n_pairs: int
    n_clusters: int
    cluster: str | None
    n_gold: int
    lambda_: float | None
    random: int
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    covariance: Floats = dataclasses.field(repr=False)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best rating first."""
        return tuple(row.system for row in self.table)

    @property
    def connected(self) -> bool:
        """Whether wins and ties link all systems both ways, so that all ratings are finite."""
        return len(self.components) == 1

    @property
    def ratings(self) -> dict[str, float]:
        """{system: rating}; they sum to 0 over the largest of the `components`."""
        return {row.system: row.rating for row in self.table}

    @property
    def low(self) -> dict[str, float]:
        """{system: lower end}."""
        return {row.system: row.low for row in self.table}

    @property
    def high(self) -> dict[str, float]:
        """{system: upper end}."""
        return {row.system: row.high for row in self.table}

    @property
    def ranks(self) -> dict[str, int | None]:
        """{system: place of its rating}, None where it has none; `rank_sets` says what is known."""
        rated = [row.rating for row in self.table if isfinite(row.rating)]
        return {
            row.system: 1 + sum(r > row.rating for r in rated) if isfinite(row.rating) else None
            for row in self.table
        }

    @property
    def rank_sets(self) -> dict[str, tuple[int, int]]:
        """{system: (best, worst) rank}: at the level, all of them hold together."""
        return {row.system: (row.best_rank, row.worst_rank) for row in self.table}

    def difference(self, entry: str, other: str) -> tuple[float, float, float]:
        """How far one system is ahead of another, and the ends of its interval (of this pair alone).

        Raises
        ------
        DataError
            If a system is not on the leaderboard.
        """
        i, j = self._position(entry), self._position(other)
        c = self.covariance
        error = float(np.sqrt(max(c[i, i] + c[j, j] - 2 * c[i, j], 0)))
        ahead = self.table[i].rating - self.table[j].rating
        wide = quantile(self.n_clusters - 1, self.level) * error if self.n_clusters > 1 else np.inf
        return ahead, ahead - wide, ahead + wide

    def _position(self, system: str) -> int:
        if system not in self.systems:
            near = did_you_mean(system, self.systems)
            raise DataError(f"system must be one of {list(self.systems)}; got {system!r}; {near}")
        return self.systems.index(system)

    def to_dict(self) -> dict[str, Any]:
        """JSON types, and what the ratings mean."""
        return Result.to_dict(self) | {"meaning": to_json(self.meaning)}

    def as_tables(self) -> tuple[Table, ...]:
        """Row per system."""
        return (Table.of_records("Ratings", Rated, self.table),)

    def summary(self) -> str:
        """Leaders, a line for each system, and what the numbers rest on."""
        lines = [self.message, *self._lines(), *self._facts()]
        lines += [f"Warning: {warning}" for warning in self.warnings]
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes), self.meaning])

    def _lines(self) -> list[str]:
        head = ("rank", "system", "rating", level_text(self.level), "Elo", "battles")
        rows = [
            (
                f"{row.best_rank}"
                + (f"-{row.worst_rank}" if row.worst_rank > row.best_rank else ""),
                row.system,
                _number(row.rating),
                f"{_number(row.low)} .. {_number(row.high)}",
                _number(row.elo, 0),
                f"{row.battles:,}",
            )
            for row in self.table
        ]
        widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        return [
            "  " + "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip()
            for row in (head, *rows)
        ]

    @property
    def battles(self) -> str:
        """How many battles, and of how many pairs of answers where some were judged more than once."""
        pairs = "1 pair" if self.n_pairs == 1 else f"{self.n_pairs:,} pairs"
        of = f" (each a verdict, on {pairs} of answers)"
        return f"{self.n_battles:,} battles{of if self.n_pairs < self.n_battles else ''}"

    def _clusters(self) -> str:
        return f"{self.n_clusters:,} clusters by {self.cluster}"

    def _facts(self) -> list[str]:
        unit = "each for itself" if self.cluster is None else self._clusters()
        lines = [f"{self.battles}, {unit}; ties: {self.ties}."]
        if self.n_gold:
            weigh = "" if self.lambda_ is None else f"; the judges' votes weigh {self.lambda_:.2f}"
            lines += [f"People decided {how_many(self.n_gold, 'pair')}{weigh}."]
        if self.order_effect is not None:
            lines += [
                f"Being shown first adds {self.order_effect.effect:.2f} "
                f"({_number(self.order_effect.low)} .. {_number(self.order_effect.high)})."
            ]
        if self.flip_rate is not None and self.accuracy_ceiling is not None:
            lines += [
                f"Asked in both orders: {how_many(self.n_pairs_swapped, 'pair')}, "
                f"{percent(self.flip_rate)} with another answer; so at most "
                f"{percent(self.accuracy_ceiling)} of these calls are right (ties as an answer of their own)."
            ]
        return lines


def _number(value: float | None, digits: int = 2) -> str:
    if value is None or value != value:
        return "-"
    if not isfinite(value):
        return "inf" if value > 0 else "-inf"
    return f"{round(value, digits) + 0.0:.{digits}f}"


# --- How sure ratings are when battles of one prompt hang together: cluster sandwich, with or without gold.
#
# Every estimate here solves "the weighted sum of scores is zero", where clusters are the units that were
# drawn; its covariance is the inverse curvature around the sum of squares of what each cluster adds.


class Sandwich(NamedTuple):
    """A fit, the covariance (p, p) of its parameters, and how much the judges' votes weigh beside gold."""

    fit: Fit
    covariance: Floats
    lambda_: float | None = None


def counts_of(cluster: Ints, cell: Ints, shape: tuple[int, int]) -> Any:
    """(clusters, cells): how often each cluster holds each cell, as a sparse array."""
    return sparse.coo_array((np.ones(len(cell)), (cluster, cell)), shape=shape).tocsr()


def sandwich(cells: Cells, counts: Any, ties: str) -> Sandwich:
    """Fit to all battles, and its covariance clustered by the rows of `counts`."""
    fitted = fit(cells, _column_sums(counts), ties)
    added = counts @ fitted.scores
    return Sandwich(fitted, _around(fitted.inverse, (added.T @ added).toarray(), counts.shape[0]))


def with_gold(cells: Cells, votes: Any, labelled: Any, gold: Any, ties: str) -> Sandwich:
    """Prediction-powered fit: votes everywhere, put right by gold where there is any.

    It solves `lambda mean(s of votes) + mean over labelled (s of gold - lambda s of votes) = 0`, s the
    score of a battle, with the lambda that makes the ratings' variances smallest in sum. `votes, labelled,
    gold`: (clusters, cells), counts of all votes, of those where gold is known, and of gold in
    their place.
    """
    parts = [part / part.sum() for part in (gold, votes, labelled)]
    sums = [_column_sums(part) for part in parts]
    share = 1.0
    for last in [False] * policy.LAMBDA_ROUNDS + [True]:
        fitted, share = _at_most(share, cells, sums, ties)
        if not fitted.converged:
            return Sandwich(fitted, np.full_like(fitted.inverse, np.nan), share)
        squares, base, slope = _pieces(parts, sums, fitted)
        if not last:
            share = _best_share(fitted, cells.n_systems, squares, base, slope)
    blend = base + share * slope
    covariance = _around(fitted.inverse, blend.T @ squares @ blend, votes.shape[0])
    return Sandwich(fitted, covariance, share)


def _at_most(share: float, cells: Cells, sums: list[Floats], ties: str) -> tuple[Fit, float]:
    """Fit with a share of the votes, of which less is taken where this much has no largest likelihood.

    A few labels weigh so much against as many votes that a system may have won less than nothing.
    """
    while True:
        fitted = fit(cells, sums[0] + share * (sums[1] - sums[2]), ties)
        if fitted.converged or not share:
            return fitted, share
        share = share / 2 if share > policy.LAMBDA_LEAST else 0.0


def _pieces(parts: list[Any], sums: list[Floats], fitted: Fit) -> tuple[Floats, Floats, Floats]:
    """Cross products of what clusters hold, and how they add up: base + share * slope.

    What a cluster adds is centred, part by part, by its number of battles, as means and not sums are
    estimated; the columns are the scores of gold, votes and labelled votes, then these numbers.
    """
    added = [part @ fitted.scores for part in parts]
    sizes = [sparse.csr_array(part.sum(axis=1)[:, None]) for part in parts]
    held = sparse.hstack([*added, *sizes]).tocsr()
    means = [total @ fitted.scores for total in sums]
    p = len(fitted.parameters)
    identity, none = np.eye(p), np.zeros((p, p))
    signs = ((1, 0, 0), (0, 1, -1))
    base, slope = (
        np.vstack(
            [
                *(identity * s if s else none for s in sign),
                *(-s * m for s, m in zip(sign, means, strict=True)),
            ]
        )
        for sign in signs
    )
    return (held.T @ held).toarray(), base, slope


def _best_share(fit: Fit, n_systems: int, squares: Floats, base: Floats, slope: Floats) -> float:
    rows = fit.inverse[:n_systems]
    against = np.trace(rows @ base.T @ squares @ slope @ rows.T)
    own = np.trace(rows @ slope.T @ squares @ slope @ rows.T)
    return float(np.clip(-against / own, 0, 1)) if own > policy.NEWTON_NOISE else 0.0


def _around(inverse: Floats, squares: Floats, n_clusters: int) -> Floats:
    """Inverse * squares * inverse, a little larger for few clusters."""
    more = n_clusters / (n_clusters - 1) if n_clusters > 1 else np.nan
    return np.asarray(more * inverse @ squares @ inverse)


def _column_sums(counts: Any) -> Floats:
    return np.asarray(counts.sum(axis=0)).ravel()


# --- A table of battles, read: which two systems met, who won, on which prompt, before which judge.


_PAIRS = (
    *(("model_a", "model_b"), ("system_a", "system_b"), ("assistant_a", "assistant_b")),
    *(("model_1", "model_2"), ("model1", "model2"), ("system_1", "system_2")),
    *(("system1", "system2"), ("player_a", "player_b"), ("left", "right")),
    *(("first", "second"), ("a", "b")),
)
_WINNERS = (
    *("winner", "outcome", "result", "verdict", "preference", "preferred", "choice", "vote"),
    *("answer", "label", "judgment", "judgement"),
)
_SIDES = {"1": "first", "2": "second"}
_ITEMS = (
    *("item", "item_id", "prompt", "prompt_id", "question", "question_id", "task", "task_id"),
    *("instruction", "instruction_id", "example_id", "instance_id", "conversation_id"),
)
_IDS = ("id", "pair_id")  # of prompts where some repeat
_SHOWN = ("shown_first", "first_shown", "presented_first")

Codes = Ints


@dataclass(frozen=True, slots=True)
class Named:
    """The columns a caller named; None where names are to be recognised."""

    first: str | None = None
    second: str | None = None
    winner: str | None = None
    judge: str | None = None
    item: str | None = None
    order: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Battles:
    """Battles, a row each, blank ones left out."""

    systems: tuple[str, ...]  # in order of first appearance
    first: Codes  # (n,), places of the systems in `systems`; `first` is the one shown first
    second: Codes
    outcome: NDArray[np.int8]  # (n,), 0 the first won, 1 the second, 2 a tie
    item: Codes | None  # (n,), the prompt and the judge, as numbers from 0
    judge: Codes | None
    names: dict[str, str]  # {role: column} that were read
    kept: Codes  # (n,), rows of the table
    items: tuple[str, ...] = ()
    pair: Codes | None = None  # (n,), the two answers in whatever order, where these are known
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.outcome)

    def swapped(self, rows: NDArray[np.bool_]) -> Battles:
        """Same battles with the two systems exchanged in some rows."""
        other = np.array([SECOND, FIRST, TIE], np.int8)
        return replace(
            self,
            first=np.where(rows, self.second, self.first),
            second=np.where(rows, self.first, self.second),
            outcome=np.where(rows, other[self.outcome], self.outcome),
        )


_BY_PEOPLE = "by_people"
_PAIR_SHOWN = "pair_shown"
_CALLED = "prompts_called"


def _pairs_in(table: Any, words: Mapping[str, Any]) -> Results | None:
    """Results of a table of pairs, with some columns named; None of another."""
    results, layout = None, ""
    try:
        results = read_results(table)
        layout = results.layout
    except DataError as error:  # what a plain table of battles lacks is said better
        layout = "" if error.reading is None else error.reading.layout
    if layout == "pairwise" and (words or results is None):
        return read_results(table, **words)
    return results


def of_results(pairs: Any, named: Named, human: Any = None) -> tuple[Any, Any, Any]:
    """Table of battles of a results table of pairs, what people said of them, and what is left of `human`.

    Anything else is left as it is: a plain table of battles names its winner, or its columns are stated.
    `human`: columns of the table, or labels that are joined by item.
    """
    results = pairs if isinstance(pairs, Results) else None
    if results is None and not _is_plain(pairs, named):
        columns = human if human is not None and names_columns(human, pairs) else None
        words = {"judge": named.judge, "item": named.item, "human": columns}
        results = _pairs_in(pairs, {name: w for name, w in words.items() if w is not None})
        human = None if columns is not None and results is not None else human
    if results is None:
        results = _raters_on_pairs(pairs, named, human)
    if results is None:
        return _people_apart(pairs, named) if human is None else (pairs, None, human)
    systems = results.reading.named("system")
    if results.layout != "pairwise" or len(systems) != 2:
        return pairs, None, human
    if human is not None and results.has_people(human):
        human = None  # they are those of the table
    elif human is not None and _are_labels(human):
        results, human = results.with_people(human), None
    judged, of_people = _deciders(results)
    people, _ = _battles_by(results, of_people) or (None, [])
    if judged:
        battles, pair_of = _battles_by(results, judged) or (None, [])
        if battles is not None and people is not None:  # pair by pair: a prompt may have several
            battles[_BY_PEOPLE] = [people["winner"][k] for k in pair_of]
        return battles, people, human
    if people is None:
        raise DataError(
            f"{results.name} must have a column that says who won; got {list(results.scored)}, numbers: "
            f"write who won, and name it with {option('winner')}"
        )
    return people, None, human


def _deciders(results: Results) -> tuple[Mapping[str, Answers], Mapping[str, Answers]]:
    """Judges of pairs, and people together; people count as judges where they decided other pairs."""
    judged = results.judged or results.preferences
    if not results.said:
        return judged, {}
    labelled = results._person[1] >= 0
    apart = not any((labelled & (codes >= 0)).any() for _, codes in judged.values())
    if judged and apart:
        return {**judged, **results.said}, {}
    return judged, {"people": results._person}


def _raters_on_pairs(pairs: Any, named: Named, human: Any) -> Results | None:
    """Results of a table with a row per verdict of a rater on a pair; None of another."""
    stated = (named.first, named.second, named.winner, named.order, human is not None)
    if any(stated) or type(pairs).__module__.startswith("algeval."):
        return None
    if (named.judge or match(list(open_table(pairs).names), JUDGE_NAMES)) is None:
        return None
    words: dict[str, Any] = {"judge": named.judge, "item": named.item}
    try:
        results = read_results(pairs, **{n: w for n, w in words.items() if w is not None})
    except DataError:
        return None
    return results if results.pairs_in_rows else None


def _people_apart(pairs: Any, named: Named) -> tuple[Any, Any, Any]:
    """Battles that machines judged, and those that people did, by the names in the column of judges."""
    if type(pairs).__module__.startswith("algeval."):
        return pairs, None, None
    table = open_table(pairs)
    name = named.judge or match(list(table.names), JUDGE_NAMES)
    if name is None or name not in table.names:
        return pairs, None, None
    who = table.column(name).texts()
    raters = tuple(dict.fromkeys(text for text in who if text is not None))
    people = {rater for rater in raters if is_person(rater, raters)} | people_beside_models(raters)
    if not people:
        return pairs, None, None
    cells = {n: table.column(n).texts() for n in table.names}
    of_people = [rater in people for rater in who]
    item = match(list(table.names), ITEM_NAMES)
    if item is not None:
        met: tuple[set[str | None], set[str | None]] = (set(), set())
        for text, own in zip(cells[item], of_people, strict=True):
            met[own].add(text)
        if met[0].isdisjoint(met[1]):
            return pairs, None, None  # they decided other pairs than the machines
    machines, picks = (
        {
            n: [text for text, own in zip(of, of_people, strict=True) if own == side]
            for n, of in cells.items()
        }
        for side in (False, True)
    )
    return machines, None, _majority_of(picks, named)


def _majority_of(picks: dict[str, list[Any]], named: Named) -> dict[str, list[Any]]:
    """People's battles with one decision of a prompt and two systems: what most say, blank where tied."""
    battles, _ = read_battles(picks, named)
    if battles.item is None:
        return picks
    own = (battles.item, battles.first, battles.second, battles.outcome)
    codes, outcomes = _codes_of_gold(*own, len(battles.systems))
    votes: dict[int, Counter[int]] = {}
    for code, outcome in zip(codes.tolist(), outcomes.tolist(), strict=True):
        votes.setdefault(code, Counter())[outcome] += 1
    kept: dict[int, int] = {}
    for row, code, outcome in zip(
        battles.kept.tolist(), codes.tolist(), outcomes.tolist(), strict=True
    ):
        (most, n), *others = votes[code].most_common(2)
        if outcome == most and not (others and others[0][1] == n):
            kept.setdefault(code, row)
    winner, rows = battles.names["winner"], {*kept.values()}
    return picks | {winner: [w if k in rows else None for k, w in enumerate(picks[winner])]}


def _is_plain(table: Any, named: Named) -> bool:
    """Whether a table is a plain one of battles: two systems and a winner, by their names or as stated."""
    if any((named.first, named.second, named.winner)):
        return True
    if type(table).__module__.startswith("algeval."):
        return True
    names = open_table(table).names
    return _has_pair(names) and match(list(names), _WINNERS) is not None


def _has_pair(names: Sequence[str]) -> bool:
    """Whether two columns are called like the two systems of a battle."""
    called = {n.strip().casefold() for n in names}
    return any({a, b} <= called for a, b in _PAIRS)


def _are_labels(human: Any) -> bool:
    """Whether people's answers are labels by item, and no battles of their own."""
    if is_path(human) and not os.path.exists(human):
        return False
    if is_path(human) and is_journal(human):
        return True
    if isinstance(human, Mapping) and all(isinstance(cell, str) for cell in human.values()):
        return True
    if values_of(human) is not None or (
        isinstance(human, list) and human and isinstance(human[0], str)
    ):
        return False
    return not _has_pair(open_table(human).names)


_MADE = {"prompt", "model_a", "model_b", "winner", "judge", "shown_first", _PAIR_SHOWN, _CALLED}
"""Columns of battles that are made of a results table."""


def _battles_by(
    results: Results, answers: Mapping[str, Answers]
) -> tuple[dict[str, list[Any]], list[int]] | None:
    """Columns of battles as each judge, or people, decided them, and the pair of each; None of nobody.

    A judge who saw a pair in both orders decided two battles.
    """
    if not answers:
        return None
    rows, n = results.rows, len(results.items)
    first, second = (results.reading.columns[c] for c in results.reading.named("system"))
    prompt = results.reading.named("prompt")
    by = results.reading.columns[prompt[0]] if prompt and results.n_prompts < n else None
    turned = turned_rows(results.reading)[rows]
    named = {first.low: "first", second.low: "second"}  # 'contender' in a column of that name
    winners: list[str | None] = []
    pair_of, exchanged, judges = [], [], []
    for judge, cells in answers.items():
        (texts, codes), at, other = _decided(results, judge, cells, turned)
        numbered = set(texts) <= {"1", "2", "tie"}
        words = [_SIDES.get(t, t) if numbered else named.get(folded(t), t) for t in texts]
        winners += [words[code] if code >= 0 else None for code in codes.tolist()]
        judges += [judge] * len(codes)
        pair_of += at.tolist()
        exchanged += other.tolist()
    of = rows[pair_of]
    sides = [[column.texts[k] for k in column.codes[of]] for column in (first, second)]
    by_text = pairs_shown(results.reading)
    ids = [by.name] if by is not None else list(results.reading.item)
    others = [n for n in results.reading.named("prompt", "slice", "item") if n not in _MADE]
    columns = [results.reading.columns[name] for name in others]
    return {
        **{c.name: np.array([*c.texts, None], object)[c.codes[of]].tolist() for c in columns},
        **({_CALLED: ids * len(of)} if len(ids) == 1 else {}),
        **({_PAIR_SHOWN: [by_text[row] for row in of.tolist()]} if by_text else {}),
        "prompt": [by.texts[k] for k in by.codes[of]]
        if by is not None
        else [results.items[k] for k in pair_of],
        "model_a": sides[0],
        "model_b": sides[1],
        "winner": winners,
        "judge": judges,
        "shown_first": [b if turn else a for a, b, turn in zip(*sides, exchanged, strict=True)],
    }, pair_of


def _decided(
    results: Results, judge: str, cells: Answers, turned: NDArray[np.bool_]
) -> tuple[Answers, NDArray[np.int64], NDArray[np.bool_]]:
    """Verdicts of a judge, the pair of each, and whether it was shown exchanged: of each order by itself."""
    pairs = np.arange(len(results.items))
    if results.turned is None or judge not in results.runs:
        return cells, pairs, turned
    (texts, codes), of_row = results.runs[judge]
    kept = codes >= 0
    if len(of_row) != len(results.turned) or not kept.any():
        return cells, pairs, turned
    return (texts, codes[kept]), of_row[kept], results.turned[kept]


def once_a_pair(people: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """People's battles with one decision of a pair that stands in both orders, if it is the same throughout.

    A label written beside both orders is one label; people who decided each by itself differ somewhere.
    """
    first: dict[tuple[Any, ...], tuple[int, str, Any]] = {}
    again: set[int] = set()
    texts = people.get(_PAIR_SHOWN, people["prompt"])
    columns = (texts, people["prompt"], people["model_a"], people["model_b"], people["winner"])
    for row, (text, prompt, a, b, winner) in enumerate(zip(*columns, strict=True)):
        if winner is None:
            continue
        side = side_of(winner)
        system = winner if side is None else (a, b)[side]
        before = first.setdefault((text, prompt, frozenset((a, b))), (row, a, system))
        if before[0] == row or before[1] == a:
            continue
        if before[2] != system:
            return people
        again.add(row)
    return people | {"winner": [None if k in again else w for k, w in enumerate(people["winner"])]}


def wins(battles: Battles, system: str) -> tuple[int, int, int]:
    """Battles that a system won, lost and tied."""
    k = battles.systems.index(system)
    first, second = battles.first == k, battles.second == k
    won = first & (battles.outcome == FIRST) | second & (battles.outcome == SECOND)
    tied = (first | second) & (battles.outcome == TIE)
    met = first | second
    return int(won.sum()), int((met & ~won & ~tied).sum()), int(tied.sum())


def read_battles(pairs: Any, named: Named) -> tuple[Battles, Table_of_tables]:
    """Battles and the table they were read from."""
    if isinstance(pairs, Results):
        raise DataError(
            f"{pairs.name} must hold pairs of systems and who won, as it is read; got a table of another "
            "layout; name the two columns of systems with "
            f"{option('system')}, or of a plain table of battles leave reading options out"
        )
    if type(pairs).__module__.startswith("algeval."):
        raise DataError(
            f"{parameter('pairs')} must be a table of battles, a row each with two systems and who won; got "
            f"{type(pairs).__name__}, which do not say which systems met; pass the table"
        )
    table = open_table(pairs)
    names = _columns(table, named)
    systems, first, second = _systems(table, names)
    outcome = outcomes_of(table.column(names["winner"]), first, second, systems)
    kept = np.flatnonzero(outcome != UNKNOWN)
    if not len(kept):
        raise DataError(
            f"column {names['winner']!r} must name at least one winner; got none; fill it"
        )
    blank = len(outcome) - len(kept)
    notes = (f"{how_many(blank, 'battle')} without a winner left out",) if blank else ()
    items, item = _codes(table, names.get("item"), kept)
    battles = Battles(
        systems=systems,
        first=first[kept],
        second=second[kept],
        outcome=outcome[kept],
        item=item,
        judge=_codes(table, names.get("judge"), kept)[1],
        names=names,
        kept=kept,
        items=items,
        notes=notes,
        pair=_codes(table, _PAIR_SHOWN if _PAIR_SHOWN in table.names else None, kept)[1],
    )
    if "order" not in names:
        return battles, table
    return battles.swapped(_second_shown(table.column(names["order"]), battles)), table


def outcome_column(table: Table_of_tables, name: str, battles: Battles) -> NDArray[np.int8]:
    """Another column of winners for the same battles, UNKNOWN where blank."""
    _expect(table.names, name, "human")
    systems, first, second = _systems(table, battles.names)
    outcomes = outcomes_of(table.column(name), first, second, systems)[battles.kept]
    turned = first[battles.kept] != battles.first
    other = np.array([SECOND, FIRST, TIE, UNKNOWN], np.int8)
    return np.where(turned, other[outcomes], outcomes).astype(np.int8)


def _columns(table: Table_of_tables, named: Named) -> dict[str, str]:
    first, second = _pair(table.names, named)
    rest = [name for name in table.names if name not in (first, second)]
    winner = _column_named(rest, named.winner, _WINNERS, "winner")
    if winner is None:
        raise DataError(
            f"a table of battles must have a column that says who won; got {shown(table.names)}; name it "
            f"with {option('winner')}"
        )
    columns = {"first": first, "second": second, "winner": winner}
    rest = [name for name in rest if name != winner]
    judges = [name for name in JUDGE_NAMES if name != "model"]
    for role, names in (("judge", judges), ("item", _ITEMS), ("order", _SHOWN)):
        column = _column_named(rest, getattr(named, role), names, role)
        if column is not None:
            columns[role] = column
    if "item" not in columns and (ids := match(rest, _IDS)) and not _numbers_rows(table, ids):
        columns["item"] = ids
    return columns


def _numbers_rows(table: Table_of_tables, name: str) -> bool:
    """Whether a column numbers the rows, and is not of prompts that several judged."""
    texts = table.column(name).texts()
    return None in texts or len(set(texts)) == len(texts)


def _pair(names: Sequence[str], named: Named) -> tuple[str, str]:
    if (named.first is None) != (named.second is None):
        raise DataError(
            f"{option('first')} and {option('second')} must both name a column; got "
            "one of them; give both"
        )
    if named.first is not None and named.second is not None:
        return _expect(names, named.first, "first"), _expect(names, named.second, "second")
    plainly = {name.strip().casefold(): name for name in names}
    for first, second in _PAIRS:
        if first in plainly and second in plainly:
            return plainly[first], plainly[second]
    raise DataError(
        f"a table of battles must have two columns of systems, as model_a and model_b; got {shown(names)}; "
        f"name them with {option('first')} and {option('second')}; systems of one column, each output judged "
        "by itself, are compared by versus"
    )


def _column_named(
    rest: Sequence[str], name: str | None, usual: Sequence[str], role: str
) -> str | None:
    return match(rest, usual) if name is None else _expect(rest, name, role)


def _expect(names: Sequence[str], name: str, role: str) -> str:
    if name in names:
        return name
    near = did_you_mean(name, names, f"there are {shown(names)}")
    raise DataError(f"{role}= must name a column; got {name!r}; {near}")


def _systems(table: Table_of_tables, names: dict[str, str]) -> tuple[tuple[str, ...], Codes, Codes]:
    columns = [table.column(names["first"]), table.column(names["second"])]
    texts = [[plain(value) for value in column.values] for column in columns]
    index: dict[str | None, int] = {None: -1}
    for text in (*texts[0], *texts[1]):
        index.setdefault(text, len(index) - 1)
    first, second = (
        column.look_up([index[t] for t in text])
        for column, text in zip(columns, texts, strict=True)
    )
    wrong = np.flatnonzero((first < 0) | (second < 0) | (first == second))
    if len(wrong):
        raise DataError(
            f"every battle must be between two systems; row {wrong[0] + 1} names "
            f"{'one of them twice' if first[wrong[0]] >= 0 and second[wrong[0]] >= 0 else 'fewer'}; "
            "correct it"
        )
    return tuple(str(name) for name in index if name is not None), first, second


def _codes(
    table: Table_of_tables, name: str | None, kept: Codes
) -> tuple[tuple[str, ...], Codes | None]:
    """Names in a column and the place of each row's, refusing blanks."""
    if name is None:
        return (), None
    column = _texts(table.column(name))
    codes = column.codes[kept]
    if (codes < 0).any():
        row = kept[np.flatnonzero(codes < 0)[0]] + 1
        raise DataError(
            f"column {name!r} must be filled in every battle; row {row} is blank; fill it"
        )
    distinct, firsts = first_seen(codes)
    return tuple(str(column.values[code]) for code in distinct.tolist()), firsts


def _texts(column: Column) -> Column:
    """Column whose values are distinct texts."""
    texts = [plain(value) for value in column.values]
    index = {text: k for k, text in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    codes = column.look_up([-1 if text is None else index[text] for text in texts])
    return Column(column.name, tuple(index), codes)


def _second_shown(order: Column, battles: Battles) -> NDArray[np.bool_]:
    """Where the system of the second column was shown first."""
    rows = Column(order.name, order.values, order.codes[battles.kept])
    shown_first = outcomes_of(rows, battles.first, battles.second, battles.systems)
    wrong = np.flatnonzero((shown_first != FIRST) & (shown_first != SECOND))
    if len(wrong):
        raise DataError(
            f"column {order.name!r} must name the system shown first in every battle; row "
            f"{battles.kept[wrong[0]] + 1} does not; fill it"
        )
    return np.asarray(shown_first == SECOND)


# --- What was drawn independently: prompts with all their battles, or single battles for want of better.


class Units(NamedTuple):
    """The cluster of each battle, as numbers from 0; the column they come from; warnings."""

    codes: Ints
    name: str | None
    warnings: tuple[str, ...]


def units_of(
    table: Table_of_tables, battles: Battles, cluster: str | Sequence[Any] | None
) -> Units:
    """Clusters asked for, by default the prompts, and else the battles one by one."""
    if cluster is None and battles.item is not None:
        return Units(battles.item, battles.names["item"], ())
    if cluster is None:
        warning = (
            "battles are taken as independent, for want of a column of prompts; several votes on one "
            f"prompt are not, and intervals are then too narrow: name the column with {option('cluster')}"
        )
        return Units(np.arange(len(battles)), None, (warning,))
    name, codes = _named_columns(table, cluster)
    codes = codes[battles.kept]
    if (codes < 0).any():
        n = int((codes < 0).sum())
        raise DataError(
            f"every battle must belong to a cluster; {how_many(n, 'battle')} without one in {name}; give "
            "each its own name if it stands alone"
        )
    return Units(np.unique(codes, return_inverse=True)[1], name, _split(battles, codes, name))


def _named_columns(table: Table_of_tables, cluster: str | Sequence[Any]) -> tuple[str, Ints]:
    if isinstance(cluster, str):
        if cluster not in table.names:
            raise DataError(
                f"{parameter('cluster')} must name a column; got {cluster!r}; choose from "
                f"{shown(table.names)}"
            )
        return cluster, table.column(cluster).codes
    column = factorise("cluster", cluster)
    if len(column.codes) != table.n_rows:
        raise DataError(
            f"{parameter('cluster')} must hold one entry for each row ({table.n_rows}); got "
            f"{len(column.codes)}; or name "
            "a column"
        )
    return "cluster", column.codes


def _split(battles: Battles, codes: Ints, name: str) -> tuple[str, ...]:
    """Warn where the battles of one prompt lie in several clusters."""
    if battles.item is None:
        return ()
    largest = np.full(int(battles.item.max()) + 1, -1, np.int64)
    np.maximum.at(largest, battles.item, codes)
    n = len(np.unique(battles.item[largest[battles.item] != codes]))
    if not n:
        return ()
    sentence = f"{how_many(n, 'prompt has', 'prompts have')} battles in several clusters of {name}"
    return (
        f"{sentence}; votes on one prompt are not independent, and intervals may be too narrow",
    )


# --- True winners of some battles: a column of the table, or a table of its own joined by prompt.


Outcomes = NDArray[np.int8]


def gold_outcomes(
    gold: Any, table: Table_of_tables, battles: Battles, pairs: Any = None
) -> Outcomes:
    """True outcome of each battle, UNKNOWN where there is none.

    `gold`: a column of `table` with winners, blank where unknown; or a table of prompts, two systems each,
    and the winner, whatever the order of the two; `pairs`: what the table was read from.
    """
    if isinstance(gold, Mapping) and any(isinstance(cells, str) for cells in gold.values()):
        raise DataError(
            f"{parameter('human')} must say which two systems met, as a prompt may have several "
            "pairs; got a mapping of "
            "prompts; pass a table with columns prompt, model_a, model_b and winner"
        )
    if values_of(gold) is not None:
        own = key_source(table, gold, pairs)
        if own.column is None:
            raise DataError(
                f"{parameter('human')} must be a column of the battles, or a table of prompts, "
                "systems and winners; got one "
                f"{type(gold).__name__} of values, which are never joined by position; name the column"
            )
        gold = own.column
    column = isinstance(gold, str) and (gold in table.names or not os.path.exists(gold))
    outcomes = outcome_column(table, gold, battles) if column else _joined(gold, battles)
    if (outcomes == UNKNOWN).all():
        raise DataError(
            f"{parameter('human')} must name the winner of at least one of the battles; got none; "
            f"leave {option('human')} out"
        )
    return outcomes


def _joined(gold: Any, battles: Battles) -> Outcomes:
    true, _ = read_battles(gold, Named())
    if battles.item is None or true.item is None:
        raise DataError(
            f"{parameter('human')} must be joined by prompt; one of the tables has no column of "
            "prompts; name it 'prompt' "
            "in both, or name a column of the battles"
        )
    systems = {name: k for k, name in enumerate(battles.systems)}
    items = {name: k for k, name in enumerate(battles.items)}
    number = np.array([systems.get(name, -1) for name in true.systems])
    item = np.array([items.get(name, -1) for name in true.items])[true.item]
    first, second = number[true.first], number[true.second]
    here = (item >= 0) & (first >= 0) & (second >= 0)
    code, outcome = _codes_of_gold(
        item[here], first[here], second[here], true.outcome[here], len(systems)
    )
    code, outcome = _first_of_each(code, outcome)
    codes, _ = _codes_of_gold(
        battles.item, battles.first, battles.second, battles.outcome, len(systems)
    )
    at = np.minimum(np.searchsorted(code, codes), max(len(code) - 1, 0))
    if not len(code):
        return np.full(len(battles), UNKNOWN, np.int8)
    outcomes = np.where(code[at] == codes, outcome[at], UNKNOWN)
    return _turned(outcomes, battles.first > battles.second)


def _codes_of_gold(
    item: NDArray[Any], first: NDArray[Any], second: NDArray[Any], outcome: Outcomes, k: int
) -> tuple[Ints, Outcomes]:
    """Number per prompt and pair of systems, and the outcome as the lower place sees it."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    return (item * k + low) * k + high, _turned(outcome, first > second)


def _turned(outcome: NDArray[Any], where: NDArray[np.bool_]) -> Outcomes:
    other = np.array([SECOND, FIRST, TIE, UNKNOWN], np.int8)
    return np.where(where, other[outcome], outcome).astype(np.int8)


def _first_of_each(code: Ints, outcome: Outcomes) -> tuple[Ints, Outcomes]:
    distinct, first, group = np.unique(code, return_index=True, return_inverse=True)
    kept = outcome[first]
    if (kept[group] != outcome).any():
        raise DataError(
            f"{parameter('human')} must name one winner for a prompt and two systems; got two "
            "different ones; keep one, "
            "the majority of several people for example"
        )
    return distinct, kept


# --- Judges asked about the same two answers in both orders: how often they say something else.


class Flips(NamedTuple):
    """How often the answer changes with the order, and what that says of accuracy.

    Attributes
    ----------
    n_pairs : int
        Pairs of answers that one judge compared in both orders.
    rate : Fraction or None
        Share of these that did not get the same answer every time; None without such a pair.
    ceiling : Fraction or None
        No judge was right on more than this share of these calls, both orders together: of two
        different answers one at most is right. 1 - rate/2 where each order was asked once. It is no
        bound on one order alone, and none where a tie counts as half right.
    """

    n_pairs: int
    rate: Fraction | None
    ceiling: Fraction | None


def flips_of(battles: Battles) -> Flips:
    """What the battles of one item, judge and pair of systems say in both orders."""
    if battles.item is None:
        return Flips(0, None, None)
    low = np.minimum(battles.first, battles.second)
    high = np.maximum(battles.first, battles.second)
    judge = np.zeros(len(battles), np.int64) if battles.judge is None else battles.judge
    k, j = len(battles.systems), int(judge.max()) + 1
    item = battles.item if battles.pair is None else battles.pair
    groups = np.unique(((item * j + judge) * k + low) * k + high, return_inverse=True)[1]
    in_order = battles.first == low
    said = np.where(battles.outcome == TIE, TIE, (battles.outcome == FIRST) != in_order)
    both = _any(groups, in_order) & _any(groups, ~in_order)
    if not both.any():
        return Flips(0, None, None)
    times = np.stack([np.bincount(groups, said == side, len(both)) for side in (0, 1, TIE)])[
        :, both
    ]
    same, calls = times.max(axis=0), times.sum(axis=0)
    n = int(both.sum())
    return Flips(
        n,
        Fraction(int((same < calls).sum()), n),
        Fraction(int(same.sum()), int(calls.sum())),
    )


def _any(group: NDArray[np.intp], where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.bincount(group, where) > 0


# --- From battles to ratings: what can be put on one scale, the fit, and why there may be none.


Ints = Ints


class Request(NamedTuple):
    """What is fitted to: battles, the cluster of each, true outcomes or None, ties, the order effect."""

    battles: Battles
    cluster: Ints
    gold: NDArray[np.int8] | None
    ties: str
    ordered: bool


class Estimate(NamedTuple):
    """What came of it.

    Attributes
    ----------
    standing : Standing
    main : (m,) int array
        Systems on one scale, in the order of the fit; none where there is no fit.
    found : Sandwich or None
        None where no two systems share a scale, or the fit did not end.
    n_clusters : int
        Of the battles fitted to.
    failed : str
        Why there is no fit: "", "scale", "one order", "ties", "order" or "gold".
    chained : dict
        {(one, other): chance} of pairs that have no rating both, but a chain of wins from one to the other:
        how likely such battles are at most if the two are equal, negative where they speak for the other.
    one_way : OneWay or None
        The battles between systems that wins do not link both ways.
    """

    standing: Standing
    main: Ints
    found: Sandwich | None
    n_clusters: int
    failed: str
    chained: Mapping[tuple[int, int], float] = MappingProxyType({})
    one_way: Sweep | None = None
    first: float = 0.0
    """What being shown first adds; 0 unless asked for."""


class Sweep(NamedTuple):
    """Battles by their cluster, winner and loser, and whether the winner was shown first."""

    cluster: Ints
    winner: Ints
    loser: Ints
    shown_first: NDArray[np.bool_]


def estimate(battles_: Request) -> Estimate:
    """Ratings of the largest group of systems that have a common scale."""
    battles = battles_.battles
    rows = _Rows.of(battles_)
    k = len(battles.systems)
    standing = standing_of(rows.cells(k, ordered=False)[0])
    none = np.array([], np.int64)
    main = np.array(standing.components[0], np.int64)
    if battles_.ordered and not _both_orders(battles):
        return Estimate(standing, none, None, 0, "one order")
    chained = _chained(rows, standing, k, ordered=battles_.ordered)
    if len(main) < 2:
        n = len(np.unique(battles_.cluster))
        return Estimate(standing, none, None, n, "scale", *chained)
    rows = rows.among(main, k)
    cells, cell_of = rows.cells(len(main), ordered=battles_.ordered)
    fitted, n_clusters = rows.fitted(cells, cell_of, battles_.ties)
    far = np.abs(fitted.fit.parameters).max() > policy.RATING_HIGH
    cause = _cause(rows, cells, battles_) if far or not fitted.fit.converged else ""
    if fitted.fit.converged and cause not in {"ties", "order"}:
        first = float(fitted.fit.parameters[len(main)]) if battles_.ordered else 0.0
        return Estimate(standing, main, fitted, n_clusters, "", *chained, first)
    return Estimate(standing, none, None, n_clusters, cause)


def _chained(
    rows: _Rows, standing: Standing, k: int, *, ordered: bool
) -> tuple[dict[tuple[int, int], float], Sweep | None]:
    """How surely one of two systems is ahead that have no rating both, and the battles it rests on.

    With gold these are of the gold alone: how far votes may be trusted is seen on ratings.
    """
    if len(standing.components) == 1:
        return {}, None
    if len(rows.known):
        n = rows.n_votes
        none = np.array([], np.int64)
        rows = _Rows(rows.first[n:], rows.second[n:], rows.outcome[n:], rows.cluster[n:], none)
    part = np.empty(k, np.int64)
    for number, systems in enumerate(standing.components):
        part[list(systems)] = number
    rated = (part == 0) & (len(standing.components[0]) > 1)
    open_pairs = standing.chain & ~(rated[:, None] & rated)
    open_pairs &= ~(open_pairs.T & np.tri(k, dtype=bool))  # a pair linked both ways stands once
    if open_pairs.sum() > policy.MOST_CHAINED:
        met = np.zeros((k, k), bool)
        met[rows.first, rows.second] = met[rows.second, rows.first] = True
        open_pairs &= met
    cells, cell_of = rows.cells(k, ordered=ordered)
    distinct, cluster = np.unique(rows.cluster, return_inverse=True)
    counts = counts_of(cluster, cell_of, (len(distinct), len(cells)))
    pairs = [(int(system), int(other)) for system, other in np.argwhere(open_pairs)]
    between = part[rows.first] != part[rows.second]
    first, second = rows.first[between], rows.second[between]
    won = rows.outcome[between] == FIRST
    sweep = Sweep(
        rows.cluster[between], np.where(won, first, second), np.where(won, second, first), won
    )
    return ahead_by_chains(cells, counts, standing.chain, pairs), sweep


class _Rows(NamedTuple):
    """Votes, and below them the gold of some of the same battles."""

    first: Ints
    second: Ints
    outcome: NDArray[np.int8]
    cluster: Ints
    known: Ints
    """The rows of votes that have gold."""

    @classmethod
    def of(cls, battles_: Request) -> _Rows:
        battles = battles_.battles
        gold = np.full(0, UNKNOWN, np.int8) if battles_.gold is None else battles_.gold
        labelled = np.flatnonzero(gold != UNKNOWN)
        return cls(
            np.concatenate([battles.first, battles.first[labelled]]),
            np.concatenate([battles.second, battles.second[labelled]]),
            np.concatenate([battles.outcome, gold[labelled]]),
            np.concatenate([battles_.cluster, battles_.cluster[labelled]]),
            labelled,
        )

    @property
    def n_votes(self) -> int:
        return len(self.first) - len(self.known)

    def cells(self, n_systems: int, *, ordered: bool) -> tuple[Cells, Ints]:
        return cells_of(n_systems, self.first, self.second, self.outcome, ordered=ordered)

    def among(self, main: Ints, n_systems: int) -> _Rows:
        """Rows between some systems, which are numbered anew."""
        column = np.full(n_systems, -1)
        column[main] = np.arange(len(main))
        first, second = column[self.first], column[self.second]
        kept = (first >= 0) & (second >= 0)
        votes = kept[: self.n_votes]
        labelled = (np.cumsum(votes) - 1)[self.known[kept[self.n_votes :]]]
        return _Rows(first[kept], second[kept], self.outcome[kept], self.cluster[kept], labelled)

    def fitted(self, cells: Cells, cell_of: Ints, ties: str) -> tuple[Sandwich, int]:
        distinct, cluster = np.unique(self.cluster, return_inverse=True)
        shape, n = (len(distinct), len(cells)), self.n_votes
        votes = counts_of(cluster[:n], cell_of[:n], shape)
        if not len(self.known):
            return sandwich(cells, votes, ties), len(distinct)
        labelled = counts_of(cluster[self.known], cell_of[self.known], shape)
        gold = counts_of(cluster[n:], cell_of[n:], shape)
        return with_gold(cells, votes, labelled, gold, ties), len(distinct)


def _both_orders(battles: Battles) -> bool:
    """Whether some two systems met in both orders."""
    k = len(battles.systems)
    there = np.unique(battles.first * k + battles.second)
    return bool(np.isin(there % k * k + there // k, there).any())


def _cause(rows: _Rows, cells: Cells, battles_: Request) -> str:
    """What makes the likelihood grow for ever."""
    if len(rows.known):
        return "gold"
    free = MODELS[battles_.ties].start is not None and cells.any_tie
    unordered = rows.cells(cells.n_systems, ordered=False)[0]
    if runs_away(unordered, ties=free):
        return "ties"
    return "order" if battles_.ordered and runs_away(cells, ties=free) else "gold"


# --- From an estimate to the numbers of each system: rating, interval, ranks, wins.


class Ranking(NamedTuple):
    """Numbers of all systems, in the order of the battles."""

    ratings: Floats  # (k,), standard errors are infinite where there is none
    errors: Floats
    covariance: Floats  # (k, k)
    wide: float  # standard errors from a rating to the end of its interval
    ranks: list[tuple[int, int]]
    # {system: end} of those that were never beaten by what is rated, or never won: the one end there is
    swept: dict[int, float]

    @property
    def order(self) -> list[int]:
        """Places of the systems, best first; those without a rating stand by their ranks, or last."""
        below = np.where(np.isnan(self.ratings), inf, -self.ratings)
        middle = np.array([best + worst for best, worst in self.ranks])
        end = np.array([-self.swept.get(system, 0.0) for system in range(len(below))])
        lowest = np.isneginf(self.ratings)
        return [int(k) for k in np.lexsort((end, lowest, middle, below))]

    def ends(self, row: int) -> tuple[float, float]:
        """Interval of one rating."""
        if row in self.swept:
            end = self.swept[row]
            return (end, inf) if self.ratings[row] > 0 else (-inf, end)
        if not np.isfinite(self.errors[row]):
            return -inf, inf
        reach = self.wide * self.errors[row]
        return float(self.ratings[row] - reach), float(self.ratings[row] + reach)


def ranking(estimate: Estimate, level: float, seed: int) -> Ranking:
    """What is known of each system."""
    k, n = len(estimate.standing.ends), estimate.n_clusters
    settled = np.isinf(estimate.standing.ends) & (estimate.failed in ("", "scale"))
    ratings = np.where(settled, estimate.standing.ends, nan)
    errors, covariance, ranks = np.full(k, inf), np.full((k, k), nan), [(1, k)] * k
    if estimate.failed not in ("", "scale"):
        return Ranking(ratings, errors, covariance, nan, ranks, {})
    main, wide = estimate.main, quantile(n - 1, level) if n > 1 else inf
    if estimate.found is not None:
        ratings[main] = estimate.found.fit.parameters[: len(main)]
        if n > 1:
            own = estimate.found.covariance[: len(main), : len(main)]
            errors[main] = np.sqrt(np.maximum(np.diag(own), 0))
            covariance[np.ix_(main, main)] = own
    numbers = Ranking(ratings, errors, covariance, wide, ranks, {})
    return numbers._replace(
        ranks=rank_sets(_ahead(estimate, numbers, level, seed)),
        swept=_swept(estimate, numbers, level),
    )


def _ahead(estimate: Estimate, numbers: Ranking, level: float, seed: int) -> NDArray[np.bool_]:
    """(k, k): whether one system is ahead of the other, each pair with its share of the error."""
    k, m, n = len(numbers.ratings), len(estimate.main), estimate.n_clusters
    ahead = np.zeros((k, k), bool)
    share = (1 - level) / (k * (k - 1) / 2)
    if m > 1 and n > 1:
        at = np.ix_(estimate.main, estimate.main)
        own, ratings = numbers.covariance[at], numbers.ratings[estimate.main]
        # without pairs of other kinds this is the level itself
        together = level if m == k else 1 - share * m * (m - 1) / 2
        # draws do not hang on the order of the rows
        order = np.lexsort((np.diag(own).round(9), ratings.round(9)))
        in_order = own[np.ix_(order, order)]
        gap = largest_gap(in_order, n - 1, together, np.random.default_rng(seed))
        ahead[at] = ratings[:, None] - ratings > gap * spreads(own)
    for (system, other), chance in estimate.chained.items():
        if abs(chance) <= share:
            ahead[(system, other) if chance > 0 else (other, system)] = True
    return ahead


def _swept(estimate: Estimate, numbers: Ranking, level: float) -> dict[int, float]:
    """The one end of the rating of each system that has an infinite one.

    Against rated systems, or, where none has met them, against those whose end is already known, with half
    of the error each time. Without two systems that beat each other there is no scale to be on: zero is
    then half way between a system and those it met.
    """
    battles = estimate.one_way
    if battles is None:
        return {}
    won = _swept_side(estimate, numbers, battles, 1.0, (1 - level) / 2)
    turned = Sweep(battles.cluster, battles.loser, battles.winner, ~battles.shown_first)
    lost = _swept_side(estimate, numbers, turned, -1.0, (1 - level) / 2)
    return won | {system: -end for system, end in lost.items()}


def _swept_side(
    estimate: Estimate, numbers: Ranking, battles: Sweep, sign: float, tail: float
) -> dict[int, float]:
    """Ends of those that never lost, or, on ratings with the other sign, that never won."""
    own, other, main = battles.winner, battles.loser, estimate.main
    systems = sign * numbers.ratings == inf
    beaten = sign * np.where(np.isfinite(numbers.ratings), numbers.ratings, nan)
    if not len(main):
        beaten = np.where(systems, nan, 0.0)
    ends: dict[int, float] = {}
    while True:
        beaten_by = ~np.isnan(beaten[other])
        ends_of = {}
        for system in np.flatnonzero(systems & np.isnan(beaten)).tolist():
            rows = np.flatnonzero((own == system) & beaten_by)
            if len(rows):
                effect = sign * estimate.first * np.where(battles.shown_first[rows], 1, -1)
                hard = beaten[other[rows]] - effect
                ends_of[system] = _end(
                    estimate, numbers, hard, battles.cluster[rows], other[rows], tail
                )
        if not ends_of:
            return {system: end / (1 if len(main) else 2) for system, end in ends.items()}
        ends |= ends_of
        for system, end in ends_of.items():
            beaten[system] = end
        tail /= 2


def _end(
    estimate: Estimate,
    numbers: Ranking,
    hard: Floats,
    cluster: Ints,
    other: Ints,
    tail: float,
) -> float:
    """End from the hardest battle of each cluster, less what the others' ratings may err."""
    by_cluster = np.lexsort((-hard, cluster))
    rows = by_cluster[np.flatnonzero(np.diff(cluster[by_cluster], prepend=-1))]
    mean = np.bincount(other[rows], minlength=len(numbers.ratings)) / len(rows)
    c = np.nan_to_num(numbers.covariance)
    error = max(float(mean @ c @ mean), 0.0) ** 0.5
    unknown = estimate.found is not None and not np.isfinite(numbers.errors).any()
    return -inf if unknown else swept_end(hard[rows], tail) - (numbers.wide * error if error else 0)


def rated(battles: Battles, numbers: Ranking) -> tuple[Rated, ...]:
    """Record per system, best first."""
    k = len(battles.systems)
    sides = (battles.first, FIRST, SECOND), (battles.second, SECOND, FIRST)
    wins, losses, ties = np.sum(
        [
            [np.bincount(who[battles.outcome == end], minlength=k) for end in (won, lost, TIE)]
            for who, won, lost in sides
        ],
        axis=0,
    ).tolist()
    return tuple(
        _rated(
            battles.systems[system], numbers, system, (wins[system], losses[system], ties[system])
        )
        for system in numbers.order
    )


def _rated(system: str, numbers: Ranking, number: int, counts: tuple[int, int, int]) -> Rated:
    low, high = numbers.ends(number)
    rating = float(numbers.ratings[number])
    wins, losses, ties = counts
    return Rated(
        system=system,
        rating=rating,
        low=low,
        high=high,
        elo=_elo(rating),
        elo_low=_elo(low),
        elo_high=_elo(high),
        best_rank=numbers.ranks[number][0],
        worst_rank=numbers.ranks[number][1],
        battles=wins + losses + ties,
        wins=wins,
        losses=losses,
        ties=ties,
    )


def _elo(rating: float) -> float:
    return policy.ELO_CENTRE + policy.ELO_POINTS / log(10) * rating


# --- A leaderboard: Bradley-Terry on judged battles, by clusters, with ranks that hold at once.


@reads_as_named
def leaderboard(
    pairs: Tabular,
    cluster: str | Sequence[Any] | None = None,
    *,
    ties: str = "davidson",
    order: str | None = None,
    human: Any = None,
    level: float = policy.LEVEL,
    random: int = 0,
    first: str | None = None,
    second: str | None = None,
    winner: str | None = None,
    judge: str | None = None,
    item: str | None = None,
    gold: Any = None,
) -> Leaderboard:
    """Ratings of systems from judged battles, with intervals and the ranks each may have.

    Votes on one prompt hang together, so intervals rest on clusters, and rank sets hold for all systems
    at once: two systems are apart only if no chance of the prompts explains it. Ratings are those of the
    judges. With people's winners of some battles, `human`, they are those of people.

    Parameters
    ----------
    pairs : path, data frame, records or columns
        A row per vote: two systems (model_a and model_b; the first is taken as shown first), who won
        (a name, first, second or tie, model_a or model_b), and where there is one the prompt, the
        judge, and a column `shown_first`.
    cluster : str or sequence, optional
        Column of what was drawn independently, or an entry per row; by default the prompt.
    ties : "davidson", "half" or "rao-kupper"
        Davidson's ties, half a win for each, or Rao and Kupper's threshold.
    order : str, optional
        "first" adds an effect of being shown first; any other text names the column that says which
        system was. Two systems must have met in both orders.
    human : str, path or table, optional
        Winners by people, of battles drawn at random: a column, blank where unknown, or a table joined by
        prompt and systems.
    level : float
        Of each interval, and of all rank sets together.
    random : int
        Seed of the draws behind the rank sets.
    first, second, winner, judge, item : str, optional
        Columns, where their names are not recognised.
    gold : optional
        The old name of `human`, for one release.

    Returns
    -------
    Leaderboard

    Raises
    ------
    DataError
        If the table is none of battles, or a setting is out of range.

    Notes
    -----
    Davidson (1970) for ties, Rao and Kupper (1967) for thresholds; rank sets after Mogstad, Romano,
    Shaikh and Wilhelm (2024).

    Examples
    --------
    >>> rows = [("x", "y", "x")] * 6 + [("x", "y", "y")] * 2 + [("y", "x", "tie")] * 2
    >>> found = leaderboard([dict(zip(("model_a", "model_b", "winner"), r)) for r in rows])
    >>> found.systems, found.rank_sets["x"]
    (('x', 'y'), (1, 2))
    """
    check_choice("ties", ties, list(MODELS))
    level = check_number("level", level, least=0, most=1, strict=True)
    column = None if order in (None, "first") else order
    columns = Named(first, second, winner, judge, item, column)
    stated = either_setting(gold, human, "gold", "human")
    made, people, human = of_results(pairs, columns, stated)
    if made is not pairs:
        pairs, columns = made, Named(order=column, item="prompt" if "prompt" in made else None)
    battles, table = read_battles(pairs, columns)
    units = units_of(table, battles, cluster)
    notes = battles.notes
    if human is None and people is not None and order is None and ties == "davidson":
        human = _BY_PEOPLE if _BY_PEOPLE in table.names else people
    true = None if human is None else gold_outcomes(human, table, battles, pairs)
    if true is not None and order is None and ties == "davidson" and TIE not in true:
        if TIE in battles.outcome:
            notes = (*notes, "people named no tie: a tie of the judges counts half for each")
        ties = "half"
    if true is not None and (order is not None or ties == "rao-kupper"):
        raise DataError(
            f"{parameter('human')} must stand without {option('order')} and with "
            f"{option('ties', 'davidson')} or 'half': it puts the votes right "
            f"whatever made them wrong; got {option('order', order)} and {option('ties', ties)}; "
            "leave them out"
        )
    n_gold = 0 if true is None else _n_pairs_in(battles, true != UNKNOWN)
    estimated, unused = _estimated(
        Request(battles, units.codes, true, ties, order is not None), n_gold
    )
    numbers = ranking(estimated, level, check_whole("random", random, 0))
    names = battles.systems
    flips = flips_of(battles)
    status, message = _said(names, estimated, numbers, level)
    return Leaderboard(
        status=status,
        message=message,
        table=rated(battles, numbers),
        components=tuple(tuple(names[k] for k in part) for part in estimated.standing.components),
        level=level,
        ties=ties,
        tie_parameter=_tie_parameter(estimated, order is not None),
        order_effect=None if order is None else _order_effect(estimated, numbers),
        n_pairs_swapped=flips.n_pairs,
        flip_rate=flips.rate,
        accuracy_ceiling=flips.ceiling,
        n_battles=len(battles),
        n_pairs=_n_pairs_in(battles, np.ones(len(battles), bool)),
        n_clusters=len(np.unique(units.codes)),
        cluster=_called(units.name, table, made=pairs is made),
        n_gold=n_gold,
        lambda_=None if estimated.found is None else estimated.found.lambda_,
        random=random,
        warnings=(*unused, *units.warnings, *_few_clusters(estimated)),
        notes=notes,
        covariance=read_only(numbers.covariance[np.ix_(numbers.order, numbers.order)]),
    )


def _estimated(request: Request, n_gold: int) -> tuple[Estimate, tuple[str, ...]]:
    """Estimate by votes and people's picks, or by those that settle something, and why.

    Of too few picks the votes are left as they are; of picks that leave no end with them, people's stand
    alone.
    """
    said = f"people decided {how_many(n_gold, 'pair')}"
    if 0 < n_gold < policy.FEWEST_PICKS:
        return estimate(request._replace(gold=None)), (
            f"{said}, too few to put the judges right by: ratings and ranks are as judged, and wrong where "
            "judges favour a system; have people decide more pairs",
        )
    estimated = estimate(request)
    if not n_gold or estimated.failed != "gold":
        return estimated, ()
    assert request.gold is not None
    own = request.gold != UNKNOWN
    battles = request.battles
    picks = replace(battles, first=battles.first[own], second=battles.second[own])
    picks = replace(picks, outcome=request.gold[own], kept=battles.kept[own])
    alone = estimate(Request(picks, request.cluster[own], None, request.ties, ordered=False))
    if alone.failed not in ("", "scale"):
        return estimated, ()
    return alone, (
        f"{said}, too one-sided to be weighed with the judges' votes: ratings and ranks are by people's "
        "picks alone; have people decide more pairs",
    )


def _called(name: str | None, table: Table_of_tables, *, made: bool) -> str | None:
    """Name of a column of clusters, as the table has it that battles were made of."""
    if not made or name != "prompt" or _CALLED not in table.names:
        return name
    return table.column(_CALLED).texts()[0]


def _n_pairs_in(battles: Battles, rows: Bools) -> int:
    """Pairs of answers among some battles: those of several judges are one."""
    if battles.item is None or battles.judge is None:
        return int(rows.sum())
    if battles.pair is not None:
        return len(np.unique(battles.pair[rows]))
    # rows of a prompt that one judge saw in one order are several pairs
    low, high = np.minimum(battles.first, battles.second), np.maximum(battles.first, battles.second)
    ordered = np.stack([battles.item, low, high, battles.judge, battles.first])[:, rows]
    each, n = np.unique(ordered, axis=1, return_counts=True)
    groups = np.unique(each[:3], axis=1, return_inverse=True)[1].ravel()
    most = np.zeros(groups.max() + 1 if len(groups) else 0, np.int64)
    np.maximum.at(most, groups, n)
    return int(most.sum())


def _said(
    names: Sequence[str], estimated: Estimate, numbers: Ranking, level: float
) -> tuple[Status, str]:
    if estimated.failed == "gold":
        return Status.NOT_CONVERGED, not_settled("gold")
    if estimated.failed in ("ties", "order"):
        return Status.NOT_IDENTIFIABLE, not_settled(estimated.failed)
    if estimated.failed == "one order":
        return Status.NOT_IDENTIFIABLE, (
            "What being shown first does cannot be told: no two systems met in both orders. Ask in both, or "
            f"leave {option('order')} out."
        )
    unbeaten, winless = (
        [name for name, end in zip(names, estimated.standing.ends, strict=True) if end == infinite]
        for infinite in (np.inf, -np.inf)
    )
    endless = no_end(unbeaten, winless)
    if not estimated.standing.connected:
        groups = [[names[k] for k in part] for part in estimated.standing.groups]
        return Status.NOT_IDENTIFIABLE, no_scale(groups) + endless
    leaders = [names[k] for k in numbers.order if numbers.ranks[k][0] == 1]
    return Status.OK, headline(names, leaders, level) + endless


def _few_clusters(estimated: Estimate) -> tuple[str, ...]:
    n, k = estimated.n_clusters, len(estimated.standing.ends)
    if not n or n >= max(policy.FEWEST_CLUSTERS, policy.CLUSTERS_PER_SYSTEM * k):
        return ()
    sentence = f"intervals rest on {how_many(n, 'cluster')} for {how_many(k, 'system')}"
    return (f"{sentence}, too few to be sure that they hold at their level; add prompts",)


def _tie_parameter(estimated: Estimate, ordered: bool) -> float | None:
    if estimated.found is None:
        return None
    at = estimated.found.fit.parameters[len(estimated.main) + ordered :]
    return float(np.exp(at[0])) if len(at) else None


def _order_effect(estimated: Estimate, numbers: Ranking) -> OrderEffect | None:
    if estimated.found is None:
        return None
    column = len(estimated.main)
    at = float(estimated.found.fit.parameters[column])
    reach = numbers.wide * float(np.sqrt(estimated.found.covariance[column, column]))
    return OrderEffect(effect=at, low=at - reach, high=at + reach)
