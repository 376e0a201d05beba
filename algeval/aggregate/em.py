"""Fitting loops: votes and prevalence as arrays, EM, climbing, naive Bayes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Aggregation, End, Floats, Indices, distinct_rows
from algeval.data import NOT_ANSWERED, Evaluation, Sketch
from algeval.data.names import Codes, Counts, check_choice, is_sparse
from algeval.errors import DataError, option
from algeval.models.independent import pmf
from algeval.progress import check_time, steps, time_is_up
from algeval.result import exact, percent

# --- Climbing a smooth objective by L-BFGS: what Ising, factor, log-linear, GLAD and Curie-Weiss
# share.


class Objective(Protocol):
    """A penalised log-likelihood with its slope; with `held` posteriors, that of the M-step."""

    def __call__(self, theta: Floats, *, held: Floats | None = None) -> tuple[float, Floats]:
        """Height and slope at a point."""


@dataclass(frozen=True, slots=True, eq=False)
class Climb:
    """Where one climb ended: the vector, the penalised log-likelihood, the largest slope per item."""

    theta: Floats
    objective: float
    gradient: float
    iterations: int
    trace: tuple[float, ...]

    def end(self, tol: float) -> End:
        """How it ended: converged where no slope per item is above `tol`."""
        return End(self.gradient <= tol, self.iterations, self.trace, "The climb")


def climb_value(
    theta: Floats,
    height_and_slope: Callable[[Floats], tuple[float, Floats]],
    n: float,
    *,
    max_iter: int,
    tol: float,
) -> Climb:
    """Climb any objective of `n` items; `gradient` is the largest slope per item at the end."""
    from scipy import optimize

    minimize: Any = optimize.minimize
    scale = max(n, 1.0)
    trace: list[float] = []

    def negative(point: Floats) -> tuple[float, Floats]:
        check_time()
        height, slope = height_and_slope(point)
        return -height / scale, -slope / scale

    def remember(*, intermediate_result: Any) -> None:
        trace.append(-scale * float(intermediate_result.fun))

    options = {"maxiter": max_iter, "gtol": tol, "ftol": 0.0}
    options |= {"maxcor": policy.MEMORY, "maxls": policy.LINE_SEARCH}
    solved = minimize(
        negative, theta, jac=True, method="L-BFGS-B", callback=remember, options=options
    )
    slope = float(np.abs(solved.jac).max())
    return Climb(solved.x, -scale * float(solved.fun), slope, int(solved.nit), tuple(trace))


def climb_from(
    held: Floats, theta: Floats, objective: Objective, n: float, *, max_iter: int, tol: float
) -> Climb:
    """Climb from the M-step at `held` posteriors, itself climbed a little way from `theta`."""
    few, loose = policy.FIRST_CLIMB
    first = climb_value(theta, lambda at: objective(at, held=held), n, max_iter=few, tol=loose)
    return climb_value(first.theta, objective, n, max_iter=max_iter, tol=tol)


def best_climb_from(
    points: Sequence[Floats],
    thetas: Sequence[Floats],
    objective: Objective,
    n: float,
    *,
    max_iter: int,
    tol: float,
) -> tuple[Climb, list[float]]:
    """Climb from every start, as `climb_from`; return the highest climb and every height."""
    starts = zip(points, thetas, strict=True)
    return best_of(
        [
            climb_from(*start, objective, n, max_iter=max_iter, tol=tol)
            for start in steps(starts, "fitting from several starts")
        ]
    )


def best_of(climbs: list[Climb]) -> tuple[Climb, list[float]]:
    """Highest of several climbs, the first on ties, and every height."""
    heights = [climb.objective for climb in climbs]
    return climbs[int(np.argmax(heights))], heights


# --- What is known about the prevalence: nothing, its value, or a Dirichlet prior.


_HOW = "write 'free', 'equal', one share per label that add up to 1, or ('prior', alpha) with alpha >= 1"


@dataclass(frozen=True, slots=True, eq=False)
class PrevalenceRule:
    """How the prevalence is estimated.

    `fixed` (R,): the value, where it is known.
    `pseudo` (R,): pseudo-counts, alpha - 1, added to the expected number of items of each label.
    `setting`: the setting as JSON types, for the result to echo.
    """

    fixed: Floats | None
    pseudo: Floats
    setting: Any

    def update(self, mass: Floats) -> Floats:
        """Prevalence that maximises the objective, given expected counts (R,)."""
        if self.fixed is not None:
            return self.fixed
        total = mass + self.pseudo
        share: Floats = total / total.sum()
        return share

    def log_prior(self, prevalence: Floats) -> float:
        """Log of the prior, up to a constant; 0 when there is none."""
        used = self.pseudo > 0
        return float(self.pseudo[used] @ np.log(prevalence[used]))

    @property
    def symmetric(self) -> bool:
        """Whether renaming the labels leaves the rule as it is."""
        shares = self.pseudo if self.fixed is None else self.fixed
        return bool(np.ptp(shares) == 0)


def read_prevalence(value: object, labels: Sequence[str]) -> PrevalenceRule:
    """Read the setting `prevalence` of every method that has one.

    Parameters
    ----------
    value : "free", "equal", sequence of R shares, mapping from label to share, or ("prior", alpha)
        "equal" is a known share of 1/R each. alpha is one number or one per label, each at least
        1; 1 is no prior.
    labels : sequence of str

    Raises
    ------
    DataError
        If the shares are not one per label, leave [0, 1] or do not add up to 1 (to 1e-9), or an
        alpha is below 1.

    Examples
    --------
    >>> read_prevalence({"a": 0.25, "b": "3/4"}, ["a", "b"]).fixed.tolist()
    [0.25, 0.75]
    """
    if isinstance(value, str) and value == "free":
        return PrevalenceRule(None, np.zeros(len(labels)), "free")
    if isinstance(value, str) and value == "equal":
        return PrevalenceRule(np.full(len(labels), 1 / len(labels)), np.zeros(len(labels)), "equal")
    if isinstance(value, Mapping):
        if set(value) != set(labels):
            raise DataError(f"prevalence must name {list(labels)}; got {list(value)}; {_HOW}")
        value = [value[label] for label in labels]
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        raise DataError(f"prevalence must be a rule or shares; got {value!r}; {_HOW}")
    if len(value) == 2 and isinstance(value[0], str) and value[0] == "prior":
        return _prior(value[1], len(labels))
    return _fixed(value, labels)


def _prior(alpha: Any, n_labels: int) -> PrevalenceRule:
    try:
        pseudo = np.broadcast_to(np.asarray(alpha, float), (n_labels,))
    except (ValueError, TypeError):
        raise DataError(
            f"prevalence prior must be one number or {n_labels}; got {alpha!r}; {_HOW}"
        ) from None
    if not (np.isfinite(pseudo) & (pseudo >= 1)).all():
        raise DataError(f"prevalence prior must be at least 1; got {alpha!r}; {_HOW}")
    return PrevalenceRule(None, pseudo - 1.0, ["prior", np.asarray(alpha, float).tolist()])


def _fixed(shares: Any, labels: Sequence[str]) -> PrevalenceRule:
    shares_ = [exact(share, "prevalence") for share in shares]
    if len(shares_) != len(labels):
        raise DataError(
            f"prevalence must have one share per label ({len(labels)}); got {len(shares_)}; {_HOW}"
        )
    if any(share < 0 for share in shares_) or abs(sum(shares_, Fraction(-1))) > policy.ADD_UP:
        raise DataError(
            f"prevalence must be shares that add up to 1; got {[float(s) for s in shares_]}; {_HOW}"
        )
    values = np.array([float(share) for share in shares_])
    return PrevalenceRule(values / values.sum(), np.zeros(len(labels)), values.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class ShareRange:
    """Between which shares each label lies as stated: `low` and `high` (R,), equal for an exact share.

    `setting`: as JSON types, for the result to echo; `words`: for the message.
    """

    low: Floats
    high: Floats
    setting: Any
    words: str

    def nearest(self, shares: Floats) -> Floats:
        """Shares (R,) within the range that are nearest to these (Kullback-Leibler): one's nearer end.

        They are in proportion to `shares`, which add up to 1, but where an end is reached.
        """
        if ((self.low <= shares) & (shares <= self.high)).all():
            return shares
        kept = np.maximum(shares, policy.EDGE)
        ends = np.sort(np.r_[self.low / kept, self.high / kept])
        sums = np.array([self._scaled(kept, scale).sum() for scale in ends])
        return self._scaled(kept, np.interp(1.0, sums, ends))

    def _scaled(self, shares: Floats, scale: float) -> Floats:
        result: Floats = np.clip(scale * shares, self.low, self.high)
        return result


def read_shares(value: object, labels: Sequence[str]) -> ShareRange:
    """Read a prevalence that is known: exactly, or as a range of a label's share.

    Parameters
    ----------
    value : number, (low, high), "equal", R shares, or mapping
        Of two labels a number or a range is that of the second label. A tuple that grows, (low, high), is a
        range, whatever its ends add up to; a list of numbers that add up to 1 has the share of each label. A
        mapping has a share or a (low, high) for some labels or for all.
    labels : sequence of str

    Raises
    ------
    DataError
        If a share leaves [0, 1], a range is not 0 < low < high < 1, shares of all labels do not add up to 1,
        or those of some leave nothing for the others.

    Examples
    --------
    >>> read_shares((0.01, 0.05), ["fine", "toxic"]).words
    "'toxic' between 1.0% and 5.0%"
    """
    if isinstance(value, str):
        return _exact_shares(read_prevalence(value, labels), labels)
    if isinstance(value, Mapping):
        return _by_label(value, labels)
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        if len(labels) != 2:
            raise DataError(
                f"prevalence must name its label; got {value!r}; {_how_by_label(labels)}"
            )
        return _by_label({labels[1]: value}, labels)
    if not isinstance(value, Sequence | np.ndarray):
        raise DataError(f"prevalence must be a rule or shares; got {value!r}; {_HOW}")
    if len(labels) == 2 and len(value) == 2:
        ends = [exact(share, "prevalence") for share in value]
        is_range = isinstance(value, tuple) or abs(sum(ends, Fraction(-1))) > policy.ADD_UP
        if is_range and ends[0] < ends[1]:
            return _by_label({labels[1]: tuple(value)}, labels)
    elif len(value) == 2:
        raise DataError(f"prevalence must name its label; got {value!r}; {_how_by_label(labels)}")
    return _exact_shares(read_prevalence(value, labels), labels)


def _how_by_label(labels: Sequence[str]) -> str:
    """How a share of one label is written, as the caller types it."""
    typed, label = option("prevalence"), labels[-1]
    if typed.startswith("--"):
        return f"write {typed} {label}=0.1 or {typed} {label}=0.05:0.2"
    return f"write {{{label!r}: 0.1}} or {{{label!r}: (0.05, 0.2)}}"


def _exact_shares(rule: PrevalenceRule, labels: Sequence[str]) -> ShareRange:
    if rule.fixed is None:
        raise DataError(f"prevalence must be shares; got {rule.setting!r}; {_HOW}")
    pairs = list(zip(labels, rule.fixed.tolist(), strict=True))
    words = [f"{label!r} at {percent(share)}" for label, share in pairs[:6]]
    words += ["..."] * (len(pairs) > 6)
    return ShareRange(rule.fixed, rule.fixed, rule.setting, ", ".join(words))


def _by_label(value: Mapping[Any, Any], labels: Sequence[str]) -> ShareRange:
    """Shares of some labels, exactly or between two; one that is not named has what the others leave."""
    unknown = [name for name in value if name not in labels]
    if unknown or not value:
        raise DataError(f"prevalence must name some of {list(labels)}; got {list(value)}; {_HOW}")
    low, high, words = np.zeros(len(labels)), np.zeros(len(labels)), []
    for label, share in value.items():
        pair = isinstance(share, Sequence | np.ndarray) and not isinstance(share, str)
        if pair and len(share) != 2:
            raise DataError(
                f"prevalence of {label!r} must be a share or (low, high); got {share!r}"
            )
        ends = [float(exact(end, "prevalence")) for end in (share if pair else [share])]
        if pair and not 0 < ends[0] < ends[1] < 1:
            raise DataError(
                f"prevalence of {label!r} must be a range with 0 < low < high < 1; got {share!r}"
            )
        if not all(0 <= end <= 1 for end in ends):
            raise DataError(f"prevalence of {label!r} must be from 0 to 1; got {share!r}")
        low[labels.index(label)], high[labels.index(label)] = ends[0], ends[-1]
        between = " and ".join(percent(end) for end in ends)
        words.append(f"{label!r} {'between' if pair else 'at'} {between}")
    setting = {str(k): np.asarray(v, float).tolist() for k, v in value.items()}
    rest = [index for index, label in enumerate(labels) if label not in value]
    slack = -1e-15 if rest else float(policy.ADD_UP)
    if low.sum() > 1 + slack or (not rest and high.sum() < 1 - slack):
        raise DataError(f"prevalence must be shares that add up to 1; got {dict(value)!r}; {_HOW}")
    if len(rest) == 1:
        low[rest], high[rest] = max(0.0, 1 - high.sum()), 1 - low.sum()
    else:
        high[rest] = 1.0
    return ShareRange(low, high, setting, ", ".join(words))


def share_of_second(shares: Floats) -> float:
    """Second of two shares, or refuse an exam of one label."""
    share = float(shares[1])
    if not 0 < share < 1:
        raise DataError(
            f"prevalence must give both labels a positive share; got {shares.tolist()}; "
            "with one label only there is nothing to find"
        )
    return share


class ToldShare(NamedTuple):
    """Where a share comes from: the setting as JSON types, the words of a message, and if it was told."""

    setting: Any
    why: str
    told: bool = True


def told_share(
    value: object, labels: Sequence[str], share_of_votes: float
) -> tuple[float, ToldShare]:
    """Read the share of the second of two labels, for methods that cannot estimate it.

    `value` ("equal", "votes", a number between 0 and 1, or shares as in `read_prevalence`): "equal"
      is one half, "votes" the share of votes given to the second label, a number is its share.
    """
    if isinstance(value, str) and value == "votes":
        edge = policy.SHARE_OF_VOTES_EDGE
        return min(max(share_of_votes, edge), 1 - edge), ToldShare(
            "votes", "as the votes have it", told=False
        )
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        amount = Fraction(exact(value, "prevalence"))
        if not 0 < amount < 1:
            raise DataError(
                f"prevalence must be above 0 and below 1, the share of {labels[1]!r}; got {value!r}; "
                "with one label only there is nothing to find"
            )
        value = [1 - amount, amount]
    rule = read_prevalence(value, labels)
    if rule.fixed is None:
        raise DataError(
            f"prevalence must be told to this method, which cannot estimate it; got {value!r}; "
            "write 'equal', 'votes' or a share"
        )
    share = share_of_second(rule.fixed)
    balanced = rule.setting == "equal"
    return share, ToldShare(rule.setting, "taken as balanced, not told" if balanced else "told")


# --- Sums over votes, the two that EM needs, however the votes are stored.
#
# On distinct decision tuples they are cut into blocks of judges: a block has few distinct sub-tuples,
# so a score is looked up once per block instead of added up judge by judge, and a table is counted
# over sub-tuples instead of over items. Where many judges answer few items each, they are sums over
# (row, judge, answer) triples.


ENGINES = ("auto", "patterns", "triples")


class VoteSums(Protocol):
    """The two sums that EM needs, whatever the votes are stored as."""

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""


def block_size(n_answers: int) -> int:
    """How many judges make a block whose sub-tuples stay few."""
    return max(1, int(np.log(policy.MOST_SUBTUPLES) / np.log(n_answers + 1)))


def one_hot(codes: Codes, n_answers: int) -> Floats:
    """Return (U, N * A): 1 where the judge gave the answer; a missing vote is a row of zeros."""
    hot: NDArray[np.bool_] = codes[:, :, None] == np.arange(n_answers)
    return hot.reshape(len(codes), -1).astype(float)


class BlockVotes:
    """Vote sums on (U, N) distinct decision tuples."""

    def __init__(self, codes: Codes, n_answers: int) -> None:
        self.n_answers = n_answers
        self.shape = codes.shape
        self.blocks: list[tuple[slice, Floats, Indices]] = []
        size = block_size(n_answers)
        for start in range(0, codes.shape[1], size):
            judges = slice(start, min(start + size, codes.shape[1]))
            distinct, rows = distinct_rows(codes[:, judges], n_answers)
            self.blocks.append((judges, one_hot(distinct, n_answers), rows))

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""
        total: Floats = np.zeros((table.shape[1], self.shape[0]))
        for judges, hot, rows in self.blocks:
            flat = table[judges].transpose(1, 0, 2).reshape(table.shape[1], -1)
            total += np.take(flat @ hot.T, rows, axis=1)
        return total.T

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        n_labels = weights.shape[1]
        columns = np.ascontiguousarray(weights.T)
        parts = []
        for _, hot, rows in self.blocks:
            sums = np.stack([np.bincount(rows, w, len(hot)) for w in columns])
            parts.append((sums @ hot).reshape(n_labels, -1, self.n_answers).transpose(1, 0, 2))
        return np.concatenate(parts)


def triples_of(codes: Codes) -> tuple[Indices, Indices, Indices]:
    """Return the (row, judge, answer) of every vote that was given."""
    if is_sparse(codes):
        written = codes.values != NOT_ANSWERED
        triples = codes.rows, codes.columns, codes.values
        row, judge, answer = (part[written].astype(np.intp) for part in triples)
        return row, judge, answer
    row, judge = np.nonzero(codes != NOT_ANSWERED)
    return row, judge, codes[row, judge].astype(np.intp)


class TripleVotes:
    """Vote sums as products with a sparse (rows, judges x answers) matrix of ones."""

    def __init__(
        self,
        triples: tuple[Indices, Indices, Indices],
        *,
        n_rows: int,
        n_judges: int,
        n_answers: int,
    ) -> None:
        from scipy.sparse import csr_array

        row, judge, answer = triples
        self.n_judges, self.n_answers = n_judges, n_answers
        cell = judge * n_answers + answer
        shape = (n_rows, n_judges * n_answers)
        self.votes: Any = csr_array((np.ones(len(row)), (row, cell)), shape=shape)
        self.by_cell: Any = self.votes.T  # same arrays: rows in their order, sums in the cache

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): sum over the answers given of table[judge, :, answer]."""
        flat = table.transpose(0, 2, 1).reshape(-1, table.shape[1])
        total: Floats = self.votes @ np.ascontiguousarray(flat)
        return total

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        flat: Floats = self.by_cell @ np.ascontiguousarray(weights)
        return flat.reshape(self.n_judges, self.n_answers, -1).transpose(0, 2, 1)


class WeighedVotes:
    """Vote sums in which an answer of judge j counts `weights[j]` times as evidence for a label.

    How a judge answers is estimated from all its votes, so `tables` is left as it is.
    """

    def __init__(self, votes: VoteSums, weights: Floats) -> None:
        self.votes, self.weights = votes, weights[:, None, None]

    def scores(self, table: Floats) -> Floats:
        """Return (U, R): weighted sum over the answers given of table[judge, :, answer]."""
        return self.votes.scores(table * self.weights)

    def tables(self, weights: Floats) -> Floats:
        """Return (N, R, A): sum of weights[row, label] over the rows with each answer."""
        return self.votes.tables(weights)


def choose_engine(codes: Codes, n_answers: int) -> str:
    """Return "triples" where a row has fewer votes than there are blocks of judges."""
    blocks = -(-codes.shape[1] // block_size(n_answers))
    votes = int((codes != NOT_ANSWERED).sum())
    return "triples" if votes < blocks * len(codes) else "patterns"


def vote_sums(codes: Codes, n_answers: int, engine: str = "auto") -> VoteSums:
    """Vote sums of (U, N) decision tuples under the engine asked for."""
    if check_choice("engine", engine, ENGINES) == "auto":
        engine = choose_engine(codes, n_answers)
    if engine == "patterns":
        return BlockVotes(codes, n_answers)
    n_rows, n_judges = codes.shape
    return TripleVotes(triples_of(codes), n_rows=n_rows, n_judges=n_judges, n_answers=n_answers)


def vote_counts(sketch: Sketch) -> Counts:
    """Return (U, R): how many judges gave each label, per decision tuple."""
    columns = [(sketch.codes == label).sum(1) for label in range(sketch.n_labels)]
    return np.stack(columns, axis=1).astype(np.int64)


def vote_entropy(codes: Codes, n_answers: int) -> tuple[Counts, Floats]:
    """Return (rows, A) how many judges gave each answer, and (rows,) the entropy of that in bits.

    It is 0 where all votes agree, and in a row without votes.
    """
    counts = np.stack([(codes == answer).sum(axis=1) for answer in range(n_answers)], axis=1)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)
    return counts, np.maximum(bits, 0.0)


def weighted_counts(codes: Codes, weight: Floats, n_labels: int) -> Floats:
    """Return (rows, R): the weight of the judges (N,) who gave each label.

    A negative weight counts for every other label instead, which leaves the order of labels as is.
    """
    for_it, against = np.maximum(weight, 0.0), np.maximum(-weight, 0.0)
    sides = np.stack([for_it, against], axis=1)
    result = np.empty((len(codes), n_labels))
    for start in range(0, len(codes), policy.ROWS_AT_ONCE):
        block = codes[start : start + policy.ROWS_AT_ONCE]
        weights: Floats | float = 0.0
        if against.any():
            weights = ((block >= 0) & (block < n_labels)).astype(float) @ against
        for label in range(n_labels):
            own = (block == label).astype(float) @ sides
            result[start : start + policy.ROWS_AT_ONCE, label] = own[:, 0] + (weights - own[:, 1])
    return result


def vote_shares(votes: NDArray[np.integer] | Floats) -> Floats:
    """Return (U, R): each label's share of the votes, uniform where there were none."""
    total = votes.sum(1, keepdims=True)
    voted = total > 0
    shares: Floats = np.where(voted, votes / np.where(voted, total, 1), 1.0 / votes.shape[1])
    return shares


# --- Expectation-maximisation: the one loop, and the one EM of judges who err independently.
#
# Arrays in, arrays out. EM sees the votes only through two sums (`VoteSums`), so counts of decision
# tuples and long tables of triples run the same code. A model says how a judge's table follows from
# expected counts of its answers: freely (Dawid and Skene), by one accuracy, or by knowing and habit.


class Step(NamedTuple):
    """One step: what is reported if it is the last, where it leads, how far, and how high it stands.

    `moved` is the largest move of a probability; `height` is in nats, or None where the loop climbs
    nothing: approximate steps have no objective that must rise.
    """

    found: Any
    following: Any
    moved: float
    height: float | None = None


def iterate(
    step: Callable[[Any], Step], start: Any, *, tol: float, n_items: float, max_iter: int
) -> tuple[Any, End]:
    """Repeat a step until it stands still; return what the last one found, and how it ended.

    The one meaning of `tol`: converged is the first step that gains at most `tol` nats per item and
    moves no probability (of an answer, of a label) by more than `tol`. A loop without an objective
    is judged by its moves alone.
    """
    trace: list[float] = []
    state, n_iter = start, 0
    while True:
        state_, state, moved, height = step(state)
        n_iter += 1
        still = height is None
        if height is not None:
            trace.append(height)
            still = len(trace) > 1 and trace[-1] - trace[-2] <= tol * n_items
        converged = still and moved <= tol
        if converged or n_iter >= max_iter or time_is_up():
            return state_, End(converged, n_iter, tuple(trace), "EM")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """What EM maximises; this one has free tables, a model with others overrides its two methods.

    Attributes
    ----------
    tied : bool
        Whether the rows of a judge's table follow from the same few numbers.
    votes : VoteSums
    counts : (U,) float array
        Items per row.
    pseudo : (N, R, A) array
        Pseudo-counts, alpha - 1 of the Dirichlet priors on the confusion rows.
    prevalence : PrevalenceRule
    """

    tied: ClassVar[bool] = False

    votes: VoteSums
    counts: Floats
    pseudo: Floats
    prevalence: PrevalenceRule

    def rows(self, tables: Floats, last: Any) -> tuple[Floats, Any]:
        """Return the (N, R, A) confusion that is best for expected counts, and the model's own.

        `last` is the model's own parameters of the step before, None at first.
        """
        tables = tables + self.pseudo
        total = _row_sums(tables)[:, :, None]
        if (total > 0).all():
            return tables / total, None
        filled = total > 0
        return np.where(filled, tables / np.where(filled, total, 1.0), 1.0 / tables.shape[2]), None

    def log_prior(self, confusion: Floats, own: Any) -> float:
        """Log of the prior of the tables, up to a constant."""
        used = self.pseudo > 0
        return float(self.pseudo[used] @ np.log(confusion[used])) if used.any() else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where EM ended; `mass` (N, R) is the expected number of items behind each confusion row.

    `own` holds the parameters of a model whose tables are not free.
    """

    prevalence: Floats
    confusion: Floats
    mass: Floats
    posterior: Floats
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool
    own: Any = None

    @property
    def objective(self) -> float:
        """Penalised log-likelihood at the end, nats."""
        return self.trace[-1]

    @property
    def end(self) -> End:
        """How EM ended."""
        return End(self.converged, len(self.trace), self.trace, "EM")


class _Parameters(NamedTuple):
    prevalence: Floats
    confusion: Floats
    mass: Floats
    own: Any


def run_em(problem: Problem, start: Floats, *, tol: float, max_iter: int) -> Fit:
    """Run EM from a posterior (U, R) until both the objective and the parameters stand still.

    Moves are those of the prevalence and of the tables; a row (where rows are tied, a table) that
    rests on less than one item is weighed by what it rests on. At most `max_iter` E-steps are
    taken. See `iterate` for `tol`.
    """

    def step(at: _Parameters) -> Step:
        scores = problem.votes.scores(log_table(at.confusion))
        posterior, evidence = posterior_of(scores, at.prevalence)
        log_likelihood = float((problem.counts * evidence).sum())
        prior = problem.prevalence.log_prior(at.prevalence)
        height = log_likelihood + (problem.log_prior(at.confusion, at.own) + prior)
        following = _m_step(problem, posterior, at.own)
        moved = _distance(at, following, tied=problem.tied)
        return Step((at, posterior, log_likelihood), following, moved, height)

    n_items = float(problem.counts.sum())
    first = _m_step(problem, start, None)
    fit, end = iterate(step, first, tol=tol, n_items=n_items, max_iter=max_iter)
    at, posterior, log_likelihood = fit
    return Fit(
        prevalence=at.prevalence,
        confusion=at.confusion,
        mass=at.mass,
        posterior=posterior,
        log_likelihood=log_likelihood,
        trace=end.trace,
        converged=end.converged,
        own=at.own,
    )


def best_em(
    problem: Problem, starts: list[Floats], *, tol: float, max_iter: int
) -> tuple[Fit, list[Fit]]:
    """Run EM from every start; return the fit of the highest objective, and all of them."""
    each = steps(starts, "fitting from several starts")
    fits = [run_em(problem, start, tol=tol, max_iter=max_iter) for start in each]
    return max(fits, key=lambda fit: fit.objective), fits


def log_table(confusion: Floats) -> Floats:
    """Logs of probabilities, finite at zero so that 0 * log 0 stays 0."""
    return np.log(np.maximum(confusion, policy.TINY))


def posterior_of(scores: Floats, prevalence: Floats) -> tuple[Floats, Floats]:
    """Posterior (U, R) and the log-likelihood (U,) of rows with these scores."""
    # labels first: sums over a short last axis are several times slower
    joint = np.add(scores.T, log_table(prevalence)[:, None], order="C")
    top = joint.max(0)
    np.subtract(joint, top, out=joint)
    np.exp(joint, out=joint)
    total = joint.sum(0)
    joint /= total
    return joint.T, top + np.log(total)


def _m_step(problem: Problem, posterior: Floats, last: Any) -> _Parameters:
    weights = posterior * problem.counts[:, None]
    tables = problem.votes.tables(weights)
    confusion, own = problem.rows(tables, last)
    return _Parameters(problem.prevalence.update(weights.sum(0)), confusion, _row_sums(tables), own)


def _row_sums(tables: Floats) -> Floats:
    """Sums (N, R) of tables (N, R, A); few answers are added one by one, which is several times as fast."""
    if tables.shape[2] > _FEW_ANSWERS:
        sums: Floats = tables.sum(2)
        return sums
    return reduce(np.add, np.moveaxis(tables, 2, 0))


_FEW_ANSWERS = 7
"""From eight numbers on NumPy adds in pairs, whose last digits are others."""


def _distance(old: _Parameters, new: _Parameters, *, tied: bool) -> float:
    mass = new.mass.sum(1, keepdims=True) if tied else new.mass
    weight = np.minimum(mass, 1.0)[:, :, None]
    rows = float((np.abs(new.confusion - old.confusion) * weight).max())
    return max(rows, float(np.abs(new.prevalence - old.prevalence).max()))


# --- Posteriors from an evaluation, if the judges err independently given the true label.


def naive_bayes(
    votes: VoteSums, evaluation: Evaluation, *, floor: float = 0.0
) -> tuple[Floats, Floats]:
    """Posterior (U, R) and log-likelihood (U,) of decision tuples.

    Probabilities below `floor` are raised to it and rows rescaled; a row about which nothing is
    known, and a missing vote, say nothing.
    """
    floats = evaluation.to_floats()
    return posterior_of(votes.scores(log_table(_floored(floats, floor))), floats.prevalence)


def _floored(evaluation: Evaluation, floor: float) -> Floats:
    """Tables with unknown rows uniform and no chance below `floor`."""
    confusion = np.nan_to_num(evaluation.confusion, nan=1.0 / len(evaluation.answers))
    confusion = np.clip(confusion, floor, None)
    result: Floats = confusion / confusion.sum(2, keepdims=True)
    return result


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Posterior (rows, R) of other decision tuples under a fitted evaluation."""
    if result.evaluation is None:  # pragma: no cover - Aggregation.predict refuses before
        raise RuntimeError(result.message)
    floor = float(result.settings.get("floor", 0.0))
    votes = vote_sums(codes, len(result.answers))
    return naive_bayes(votes, result.evaluation, floor=floor)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Independent:
    """The law of votes of judges who err independently given the label, as fitted.

    Chances are kept above 1e-4, so that nothing is impossible.
    """

    evaluation: Evaluation

    def log_probability(self, codes: Codes) -> Floats:
        """Return (rows,): log-probability of decision tuples."""
        logs: Floats = np.log(pmf(self.evaluation, codes))
        return logs


def fitted_law(result: Aggregation) -> Independent:
    """Fitted law of votes of a method that assumes independent errors."""
    if result.evaluation is None:  # pragma: no cover - law_of refuses before
        raise RuntimeError(result.message)
    floats = result.evaluation.to_floats()
    confusion = _floored(floats, policy.HELD_OUT_FLOOR)
    return Independent(Evaluation(*floats.axes, floats.prevalence, confusion))
