"""Tests of independent errors, exact and by sampling error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, ClassVar

import flint
import numpy as np
from numpy.typing import NDArray

from algeval.data import Sketch
from algeval.data.names import NOT_ANSWERED, check_whole
from algeval.data.reading import Data, as_sketch
from algeval.door import reads
from algeval.errors import DataError, TooLargeError, option
from algeval.models.independent_fit import fit, generator, marked, vote_share_start
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- A test of error independence that has power: four binary judges, or three judges and R > 2.


Floats = NDArray[np.float64]

_SETS = [s for size in (2, 3, 4) for s in combinations(range(4), size)]
_PLACE = {s: n for n, s in enumerate(_SETS)}
_CELLS = np.array(list(np.ndindex(2, 2, 2, 2)), float)
_WORST_CONDITION = 1e-10
_TRIED = 16
_MOST_LABELS = 12
_PSEUDO_VOTES, _FIT_TOL, _FIT_STEPS = 0.1, 1e-4, 1000
"""Of the fitted independent judges: a tenth of a vote, lest a drawn exam knows no errors."""
_ENOUGH_AS_LARGE = 10
"""So many drawn statistics as large end the drawing: the p-value is then within a third of itself."""
_FIRST_LOOK = 20
"""Drawn exams after which it is asked whether most of them have a statistic at all."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndependenceTest(Result):
    """A Wald statistic of independent errors given the true label, and its calibrated p-value.

    Attributes
    ----------
    status : Status
        `ok`: the test ran. `undetermined`: it cannot, because judges near chance, absent labels or
        too few items leave its statistics without a spread of their own, or (more labels) because
        the counts are so far from independence that eigenvalues are complex.
    statistic, dof : float or None, int
        Wald statistic and its degrees of freedom; None unless the status is ok.
    p_value : float or None
        Share of exams drawn from the fitted independent judges whose statistic is as large; the
        upper tail of chi-square where no exams were asked for. None unless the status is ok.
    n_replicates : int
        Drawn exams that the p-value rests on; 0 where it is chi-square's.
    invariants : (dof,) float array
        The quantities that vanish for independent judges.
    n_used : int
        Items all the judges answered.
    """

    schema: ClassVar[str] = "algeval.independence_test/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    sketch_digest: str
    n_items: int
    n_used: int
    statistic: float | None
    dof: int
    p_value: float | None
    n_replicates: int
    invariants: Floats


@reads
def independence_test(
    data: Data,
    judges: Iterable[object] | None = None,
    *,
    replicates: int = 199,
    seed: int = 0,
) -> IndependenceTest:
    """Test whether the judges err independently, without a key.

    Use it before believing a decoding. Four judges and two labels have 15 frequencies for 9
    parameters; three judges and R > 2 labels have R^3 - 1 for R - 1 + 3 R (R - 1). The surplus is
    what is tested. Three binary judges have no surplus: nothing can be tested there.
    A large p-value does not show independence: errors that correlate alike can pass.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        Only items that all the judges answered are used.
    judges : judge names, optional
        Four for two labels, three for more.
    replicates : int
        Exams drawn from the fitted independent judges to compare the statistic with; drawing stops
        when ten are as far off, so that a p-value near 1 rests on few. 0 takes the tail of
        chi-square, which holds for many items only (see Notes).
    seed : int
        Of the drawn exams.

    Raises
    ------
    DataError
        If the number of judges does not fit the number of labels, or there are answers beyond
        the labels.
    TooLargeError
        If there are more than 12 labels.

    Notes
    -----
    The law of chi-square is one of full tables. Its tail at .05 calls independent judges dependent
    in 18% of exams of 300 items and three labels, 85% with 500 items and five labels, and still 8%
    with 3,000 items and three; hence the drawn exams.

    Examples
    --------
    >>> from itertools import product
    >>> s = Sketch.from_counts({"".join(t): 9 if len(set(t)) == 1 else 1 for t in product("ab", repeat=4)})
    >>> independence_test(s).dof
    6
    """
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    if part.n_labels < 2:
        raise DataError(
            f"the test must have at least two labels; got {list(part.labels)}; pass {option('labels')}"
        )
    wanted = 4 if part.n_labels == 2 else 3
    if part.n_judges != wanted:
        raise DataError(
            f"the test must have {wanted} judges for {part.n_labels} labels; got {part.n_judges}; "
            f"pass {option('judges')} (three binary judges leave nothing to test)"
        )
    if part.n_labels > _MOST_LABELS:
        raise TooLargeError(
            f"the test must have at most {_MOST_LABELS} labels; got {part.n_labels}, whose "
            f"covariance has {((part.n_labels - 2) * part.n_labels * (part.n_labels - 1)) ** 2} "
            "entries; merge labels"
        )
    replicates = check_whole("replicates", replicates, 0)
    seed = check_whole("seed", seed, 0)
    counts = cube(part)
    n_used = int(counts.sum())
    r = part.n_labels
    dof = 6 if r == 2 else (r - 2) * r * (r - 1)
    result, statistic = wald_statistic(counts)
    values = np.full(dof, np.nan) if result is None else result
    values.setflags(write=False)
    p_value, n_drawn = None, 0
    if statistic is not None:
        p_value = _upper_tail(statistic, dof)
        if replicates:
            p_value, n_drawn = _calibrated(counts, statistic, replicates, seed)
    return IndependenceTest(
        status=Status.UNDETERMINED if p_value is None else Status.OK,
        message=_message(statistic, p_value, dof, n_drawn),
        judges=part.judges,
        labels=part.labels,
        sketch_digest=sketch.digest,
        n_items=sketch.n_items,
        n_used=n_used,
        statistic=None if p_value is None else statistic,
        dof=dof,
        p_value=p_value,
        n_replicates=n_drawn,
        invariants=values,
    )


def wald_statistic(counts: NDArray[Any]) -> tuple[Floats | None, float | None]:
    """Invariants and the Wald statistic of a cube of counts; None where it has none."""
    n_used = int(counts.sum())
    if not n_used:
        return None, None
    with np.errstate(all="ignore"):
        f = counts / n_used
        result = _four_binary(f) if counts.shape[0] == 2 else _three_judges(f)
        return (None, None) if result is None else (result[0], _wald(*result, n_used))


def wald_statistics(counts: NDArray[Any]) -> Floats:
    """Wald statistics (S,) of cubes of counts (S, R, ..., R); NaN where there is none."""
    if counts.shape[1] == 2:
        n_used = counts.sum(axis=(1, 2, 3, 4))
        with np.errstate(all="ignore"):
            f = counts / n_used[:, None, None, None, None]
            return _walds(*_four_binary(f), n_used)
    single = [wald_statistic(cube)[1] for cube in counts]
    return np.array([np.nan if value is None else value for value in single])


def fitted_law(counts: NDArray[Any]) -> Floats:
    """Chances of all cells under the independent judges fitted to a cube of counts."""
    r, n = counts.shape[0], counts.ndim
    cells = np.indices(counts.shape).reshape(n, -1).T
    votes = marked(cells[None].astype(np.int16), r)
    weights = counts.reshape(1, -1).astype(float)
    start = vote_share_start(votes, r)
    laws = fit(votes, start, weights, pseudo=_PSEUDO_VOTES, tol=_FIT_TOL, max_iter=_FIT_STEPS)
    logs = np.log(laws.tables[0].astype(float))
    chance = np.exp(np.einsum("una,rna->ur", votes[0].astype(float), logs))
    law = chance @ laws.prevalence[0].astype(float)
    result: Floats = (law / law.sum()).reshape(counts.shape)
    return result


def _calibrated(
    counts: NDArray[Any], statistic: float, replicates: int, seed: int
) -> tuple[float | None, int]:
    """P-value and the drawn exams behind it; None where most have no statistic."""
    rng = generator(seed, counts)
    law, n_used = fitted_law(counts).ravel(), int(counts.sum())
    as_large = n = 0
    for drawn in range(1, replicates + 1):
        _, other = wald_statistic(rng.multinomial(n_used, law).reshape(counts.shape))
        if other is not None:
            n += 1
            as_large += other >= statistic
        if as_large >= _ENOUGH_AS_LARGE:
            return as_large / n, n
        if drawn >= _FIRST_LOOK and n < drawn / 2:
            return None, 0
    return ((as_large + 1) / (n + 1), n) if n >= replicates / 2 else (None, 0)


def _message(statistic: float | None, p_value: float | None, dof: int, n_drawn: int) -> str:
    if statistic is None or p_value is None:
        return "The test of independence cannot be run on these counts."
    how = f" by {n_drawn} exams drawn from the fitted independent judges" if n_drawn else ""
    text = f"Wald statistic {statistic:.1f} on {dof} degrees of freedom, p = {p_value:.2g}{how}: "
    if p_value <= 0.05:
        return text + "evidence that the judges' errors are not independent."
    return text + "no evidence against independent errors, which does not show independence."


def cube(part: Sketch) -> NDArray[Any]:
    """Counts by answers, one axis per judge, over the items all of them answered."""
    kept = (part.codes != NOT_ANSWERED).all(1)
    codes, counts = part.codes[kept], part.counts[kept]
    if codes.size and codes.max() >= part.n_labels:
        raise DataError(
            f"the test must have no answers beyond the labels; got {list(part.answers)}; "
            "leave those items out"
        )
    cube = np.zeros((part.n_labels,) * part.n_judges, np.int64)
    np.add.at(cube, tuple(codes.T), counts)
    return cube


def _wald(values: Floats, covariance: Floats, n: int) -> float | None:
    """N g' C^-1 g, None where C is singular."""
    statistic = float(_walds(values[None], covariance[None], np.array([n]))[0])
    return None if np.isnan(statistic) else statistic


def _walds(values: Floats, covariance: Floats, n: NDArray[Any]) -> Floats:
    """N g' C^-1 g (S,) of invariants (S, K) and covariances (S, K, K), NaN where C is singular."""
    results = np.full(len(values), np.nan)
    scale = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    usable = np.isfinite(covariance).all(axis=(1, 2)) & (scale > 0).all(axis=1)
    scale = scale[usable]
    correlation = covariance[usable] / (scale[:, :, None] * scale[:, None, :])
    regular = np.linalg.eigvalsh(correlation)[:, 0] >= _WORST_CONDITION
    kept = np.flatnonzero(usable)[regular]
    scaled = values[kept] / scale[regular]
    solved = np.linalg.solve(correlation[regular], scaled[:, :, None])[:, :, 0]
    results[kept] = n[kept] * (scaled * solved).sum(axis=1)
    return results


def _upper_tail(statistic: float, dof: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(dof, statistic))


def _four_binary(f: Floats) -> tuple[Floats, Floats]:
    """Six invariants (..., 6) of four binary judges and their covariance times Q, of (..., 2, 2, 2, 2).

    Two tetrads, three ratios of trio moments, and the quartic
    D_0123 D_02 D_12 = D_23 (D_01 D_02 D_12 + D_012^2), all zero for independent judges.
    """
    weights = f.reshape(*f.shape[:-4], 16)
    c = np.moveaxis(_CELLS - (weights @ _CELLS)[..., None, :], -1, 0)  # (4, ..., 16)
    products = np.stack([c[list(s)].prod(axis=0) for s in _SETS], axis=-2)
    moments = (products @ weights[..., None])[..., 0]
    d = {s: moments[..., n] for s, n in _PLACE.items()}
    influence = products - moments[..., None]
    for s, n in _PLACE.items():
        for judge in s:
            rest = tuple(other for other in s if other != judge)
            if len(rest) > 1:
                influence[..., n, :] -= c[judge] * d[rest][..., None]
    values, gradient = _invariants(d)
    moved = gradient @ influence
    return values, (moved * weights[..., None, :]) @ np.swapaxes(moved, -1, -2)


def _invariants(d: dict[tuple[int, ...], Any]) -> tuple[Floats, Floats]:
    """Six invariants (..., 6) and their gradient (..., 6, 11) in the moments of `_SETS`."""
    pairs = [
        (((0, 1), (2, 3)), ((0, 2), (1, 3))),
        (((0, 1), (2, 3)), ((0, 3), (1, 2))),
        (((0, 1, 2), (0, 3)), ((0, 1, 3), (0, 2))),
        (((0, 1, 2), (0, 3)), ((0, 2, 3), (0, 1))),
        (((0, 1, 2), (1, 3)), ((1, 2, 3), (0, 1))),
    ]
    shape = np.shape(d[0, 1])
    values, gradient = np.zeros((*shape, 6)), np.zeros((*shape, 6, len(_SETS)))
    for row, (first, second) in enumerate(pairs):
        values[..., row] = d[first[0]] * d[first[1]] - d[second[0]] * d[second[1]]
        for sign, (x, y) in ((1, first), (-1, second)):
            gradient[..., row, _PLACE[x]] = sign * d[y]
            gradient[..., row, _PLACE[y]] = sign * d[x]
    x, y, z = d[0, 1], d[0, 2], d[1, 2]
    trio, last, quad = d[0, 1, 2], d[2, 3], d[0, 1, 2, 3]
    values[..., 5] = quad * y * z - last * (x * y * z + trio**2)
    for s, slope in {
        (0, 1, 2, 3): y * z,
        (0, 1): -last * y * z,
        (0, 2): quad * z - last * x * z,
        (1, 2): quad * y - last * x * y,
        (2, 3): -(x * y * z + trio**2),
        (0, 1, 2): -2 * last * trio,
    }.items():
        gradient[..., 5, _PLACE[s]] = slope
    return values, gradient


def _three_judges(f: Floats) -> tuple[Floats, Floats] | None:
    """Off-diagonals of the pencil in its own eigenbasis, and their covariance times Q.

    With K_x = (sum_c x_c M_c) M^-1, take the eigenvectors of one K_u and ask whether the others
    are diagonal in them. The derivative accounts for the eigenvectors moving with the counts.
    """
    r = f.shape[0]
    axis = max(range(3), key=lambda n: np.linalg.svd(f.sum(n), compute_uv=False)[-1])
    slices = np.moveaxis(f, axis, 2)
    total = slices.sum(2)
    if np.linalg.svd(total, compute_uv=False)[-1] < 1e-12:
        return None
    inverse = np.linalg.inv(total)
    matrices = np.einsum("abc,bd->cad", slices, inverse)
    u = _separating(matrices)
    if u is None:
        return None
    mixed = np.tensordot(u, matrices, 1)
    roots, columns = np.linalg.eig(mixed)
    if roots.imag.any():
        return None
    roots, columns = roots.real, columns.real  # NumPy 2.5 says complex of real ones as well
    back, right = np.linalg.inv(columns), inverse @ columns
    off = ~np.eye(r, dtype=bool)
    values, moves = [], []
    for x in _complement(u):
        other = back @ np.tensordot(x, matrices, 1) @ columns
        mu = np.diag(other)
        gaps = (mu[None, :] - mu[:, None]) / np.where(off, roots[None, :] - roots[:, None], 1)
        factor = (x - mu[:, None])[:, None, :] - gaps[:, :, None] * (u - roots[:, None])[:, None, :]
        move = np.einsum("stc,sa,bt->stabc", factor, back, right)
        values.append(other[off])
        moves.append(move[off].reshape(off.sum(), -1))
    moved, weights = np.concatenate(moves), slices.ravel()
    mean = moved @ weights
    return np.concatenate(values), (moved * weights) @ moved.T - np.outer(mean, mean)


def _separating(matrices: Floats) -> Floats | None:
    """Mixture of slices, of a few fixed ones, whose real eigenvalues lie farthest apart."""
    rng = np.random.default_rng(0)
    best, widest = None, 0.0
    for u in rng.normal(size=(_TRIED, len(matrices))):
        u -= u.mean()
        u /= np.linalg.norm(u)
        roots = np.linalg.eigvals(np.tensordot(u, matrices, 1))
        if roots.imag.any():
            continue
        gap = float(np.diff(np.sort(roots.real)).min())
        if gap > widest:
            best, widest = u, gap
    return best


def _complement(u: Floats) -> Floats:
    """Orthonormal basis of the mixtures beyond `u` and the sum of all slices."""
    span = np.stack([np.ones(len(u)), u])
    _, _, basis = np.linalg.svd(span)
    result: Floats = basis[2:]
    return result


# --- Do rates between 0 and 1 exist that give the counts back, if errors are independent: yes or
# no, exactly.
#
# For binary judges the question is whether a table of counts has nonnegative rank two. Two conditions
# decide
# it: every flattening has rank at most two, and after naming each judge's two answers suitably the table is
# supermodular: joint counts are never larger than those of the tuples above and below.


_MOST_JUDGES = 9
Counts = dict[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class Minor(Record):
    """Three rows and three columns of a flattening whose determinant is not zero.

    Attributes
    ----------
    rows, columns : tuples of 3 str
        Joint answers of the judges on one side, and of those on the other.
    counts : (3, 3) nested tuple of int
    determinant : int
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    determinant: int


@dataclass(frozen=True, slots=True)
class Binomial(Record):
    """Two decision tuples given more often than supermodularity allows.

    Attributes
    ----------
    high : tuple of str
        The answer of each judge that counts as the higher one.
    one, other : tuple of str
        Decision tuples whose counts, multiplied, exceed those of `meet` and `join`.
    meet, join : tuple of str
        Judge by judge the lower, and the higher, of the two answers.
    counts : tuple of 4 int
        Of one, other, meet, join.
    """

    high: tuple[str, ...]
    one: tuple[str, ...]
    other: tuple[str, ...]
    meet: tuple[str, ...]
    join: tuple[str, ...]
    counts: tuple[int, int, int, int]

    def __str__(self) -> str:
        a, b, c, d = self.counts
        named = (",".join(t) for t in (self.one, self.other, self.meet, self.join))
        return "n({})*n({}) > n({})*n({}): {} > {}".format(*named, a * b, c * d)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatesExist(Result):
    """Whether a prevalence and accuracies in [0, 1] give the counts back, if errors are independent.

    Attributes
    ----------
    exist : bool
        Exact. True where there are some; that they are real numbers, not that whole items do it.
    minor : Minor or None
        The proof where some flattening has rank three or more.
    violated : tuple of Binomial
        The proof where all have rank two: one for each way to call answers higher, 2^(N-1) of them.
    n_used : int
        Items that all the judges answered.
    """

    schema: ClassVar[str] = "algeval.rates-exist/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_used: int
    exist: bool
    minor: Minor | None
    violated: tuple[Binomial, ...]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per violated binomial, and the verdict."""
        rows = [(",".join(entry.high), str(entry)) for entry in self.violated]
        return scalars(self), Table.of_rows("Violated", ("higher answers", "binomial"), rows)

    def summary(self) -> str:
        """Verdict, and what proves it."""
        lines = [self.message]
        if self.minor is not None:
            rows, columns = " | ".join(self.minor.rows), " | ".join(self.minor.columns)
            table = "; ".join(" ".join(map(str, row)) for row in self.minor.counts)
            lines.append(f"  rows {rows}; columns {columns}: {table}")
        lines += [f"  {','.join(entry.high)} higher: {entry}" for entry in self.violated]
        return "\n".join(lines)


@reads
def rates_exist(data: Data, judges: Iterable[object] | None = None) -> RatesExist:
    """Say exactly whether rates in [0, 1] exist that explain binary judges by independent errors.

    Use it where `decode` says `out_of_range` or `irrational`, and for more than three judges: the answer
    is complete, and a no comes with whole numbers that anybody can multiply.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        Two labels and no other answer; a key is never used.
    judges : judge names, optional
        Two to nine of them; only items that all of them answered are used.

    Raises
    ------
    DataError
        If there are fewer than two judges, other answers than two labels, or no items.
    TooLargeError
        If there are more than nine judges.

    Notes
    -----
    Allman, Rhodes, Sturmfels and Zwiernik, *Tensors of nonnegative rank two* (2015): a nonnegative
    table has nonnegative rank at most two exactly if it is supermodular and its flattenings have rank at
    most two. With real votes of four judges or more the ranks nearly always forbid it.

    Examples
    --------
    >>> found = rates_exist(Sketch.from_counts({"aab": 3, "aba": 2, "baa": 2, "bbb": 1}))
    >>> found.exist, len(found.violated)
    (False, 4)
    """
    sketch = as_sketch(data)
    part = sketch if judges is None else sketch.marginal(judges)
    counts = _checked(part)
    minor = _minor(part, counts)
    violated = () if minor is not None else _violated(part, counts)
    exist = minor is None and not violated
    return RatesExist(
        status=Status.OK if exist else Status.INCONSISTENT,
        message=_message_of_rates_exist(part, exist, minor),
        judges=part.judges,
        labels=part.labels,
        n_used=sum(counts.values()),
        exist=exist,
        minor=minor,
        violated=violated,
    )


def _checked(part: Sketch) -> Counts:
    kept = (part.codes != NOT_ANSWERED).all(1)
    codes, counts = part.codes[kept].tolist(), part.counts[kept].tolist()
    binary = part.n_labels == 2 and all(code < 2 for row in codes for code in row)
    if not binary or not counts or part.n_judges < 2:
        raise DataError(
            "rates_exist must have two or more judges who gave two answers, the labels, to some items; got "
            f"{how_many(part.n_judges, 'judge')}, answers {list(part.answers)} and "
            f"{how_many(sum(counts), 'item')}; choose {option('judges')}, or merge labels"
        )
    if part.n_judges > _MOST_JUDGES:
        raise TooLargeError(
            f"rates_exist must have at most {_MOST_JUDGES} judges; got {part.n_judges}; choose "
            f"{option('judges')}"
        )
    return {tuple(row): int(n) for row, n in zip(codes, counts, strict=True)}


def _message_of_rates_exist(part: Sketch, exist: bool, minor: Minor | None) -> str:
    names = how_many(part.n_judges, "judge")
    if exist:
        return (
            f"Yes: a prevalence and accuracies between 0 and 1 give back all counts of the {names} if errors "
            "are independent; that shows neither that they are, nor that the numbers are true."
        )
    why = "some three rows and columns have a determinant other than 0"
    if minor is None:
        why = "whatever answer of each judge is called the higher, some product of counts is too large"
    return f"No: no rates between 0 and 1 give back the counts of the {names} by independent errors: {why}."


def _minor(part: Sketch, counts: Counts) -> Minor | None:
    """Three rows and columns of a flattening that are independent, None if there are none."""
    n = part.n_judges
    sides = (s for size in range(2, n // 2 + 1) for s in combinations(range(n), size))
    for side in sides:
        rest = tuple(i for i in range(n) if i not in side)
        rows = sorted({tuple(u[i] for i in side) for u in counts})
        columns = sorted({tuple(u[i] for i in rest) for u in counts})
        table = [
            [counts.get(_merged(side, row, rest, column), 0) for column in columns] for row in rows
        ]
        chosen = _independent(table)
        if chosen is None:
            continue
        across = _independent([[table[r][c] for r in chosen] for c in range(len(columns))])
        picked = tuple(tuple(table[r][c] for c in across or ()) for r in chosen)
        return Minor(
            tuple(_said(part, side, rows[r]) for r in chosen),
            tuple(_said(part, rest, columns[c]) for c in across or ()),
            picked,
            int(flint.fmpz_mat([list(row) for row in picked]).det()),
        )
    return None


def _merged(
    side: tuple[int, ...], row: tuple[int, ...], rest: tuple[int, ...], column: tuple[int, ...]
) -> tuple[int, ...]:
    answers = dict(zip((*side, *rest), (*row, *column), strict=True))
    return tuple(answers[i] for i in range(len(answers)))


def _said(part: Sketch, side: tuple[int, ...], answers: tuple[int, ...]) -> str:
    pairs = zip(side, answers, strict=True)
    return " ".join(f"{part.judges[i]}={part.answers[a]}" for i, a in pairs)


def _independent(table: list[list[int]]) -> list[int] | None:
    """Places of three independent rows, None if the rank is two or less."""
    chosen: list[int] = []
    for index in range(len(table)):
        rows = [table[p] for p in (*chosen, index)]
        if flint.fmpz_mat(rows).rank() == len(rows):
            chosen.append(index)
        if len(chosen) == 3:
            return chosen
    return None


def _violated(part: Sketch, counts: Counts) -> tuple[Binomial, ...]:
    """Violated binomial for each way to call answers higher; none if one way has none."""
    results = []
    for flips in product((0, 1), repeat=part.n_judges - 1):
        broken = next(_broken(counts, (0, *flips)), None)
        if broken is None:
            return ()
        results.append(_binomial(part, counts, (0, *flips), broken))
    return tuple(results)


def _broken(counts: Counts, flips: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield pairs of tuples, their meet and join, whose counts are not supermodular."""
    for entry, other in combinations(sorted(counts), 2):
        meet, join = _meet_and_join(entry, other, flips)
        if counts[entry] * counts[other] > counts.get(meet, 0) * counts.get(join, 0):
            yield entry, other, meet, join


def _meet_and_join(
    entry: tuple[int, ...], other: tuple[int, ...], flips: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lower and higher answers, where of a flipped judge answer 0 is the higher."""
    ranked = [sorted((a ^ f, b ^ f)) for a, b, f in zip(entry, other, flips, strict=True)]
    low = tuple(pair[0] ^ f for pair, f in zip(ranked, flips, strict=True))
    return low, tuple(pair[1] ^ f for pair, f in zip(ranked, flips, strict=True))


def _binomial(
    part: Sketch, counts: Counts, flips: tuple[int, ...], broken: tuple[tuple[int, ...], ...]
) -> Binomial:
    entry, other, meet, join = (tuple(part.answers[a] for a in t) for t in broken)
    a, b, c, d = (counts.get(t, 0) for t in broken)
    high = tuple(part.labels[1 - f] for f in flips)
    return Binomial(high, entry, other, meet, join, (a, b, c, d))
