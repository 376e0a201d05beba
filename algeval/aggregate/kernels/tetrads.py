"""Do judges agree more with each other than their ties to the others allow? Tetrads of correlations.

If answers are independent given one label, the correlation of two judges is a product of loadings,
r_ab = l_a l_b, so r_ab r_cd - r_ac r_bd = 0 for any four judges (Spearman 1904). Near copies a, b
have a large r_ab and equal ties to everybody else: the tetrads over them are positive, whichever
label a consensus would have followed. Arrays in, arrays out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.data.names import Codes
from algeval.models.independent_fit import Floats as Single

__all__ = ["Alike", "Found", "alike", "candidates", "measured", "measured_all", "z_of"]

Places = tuple[int, ...]


class Alike(NamedTuple):
    """Correlations of answers, with what they were made of.

    Attributes
    ----------
    together : (N, N) array
        sum over answers k of Cov(a = k, b = k) / sqrt(V_a V_b), V the same of a judge with itself;
        for two answers the correlation. 0 where not tested, and on the diagonal.
    tested : (N, N) array
        1 for pairs with enough common items, both of whom vary; else 0.
    same : (N, N) array
        Share of the common items on which two judges gave the same answer.
    shared : (N, N) array
        Items both answered.
    shares : (N, A) array
        How often a judge gives each answer.
    deviations : (U, A, N) array
        Answers around their shares, in units of sqrt(V); 0 where none was given.
    given : (U, N) array
    weights : (U,) array
        Items behind each row.
    """

    together: Floats
    tested: Floats
    same: Floats
    shared: Floats
    shares: Floats
    deviations: Floats
    given: Floats
    weights: Floats

    @property
    def spread(self) -> Floats:
        """(N,) V: the chance that a judge's answers to two items drawn at random differ."""
        result: Floats = 1 - (self.shares**2).sum(axis=1)
        return result


class Found(NamedTuple):
    """What tetrads say of a group.

    Attributes
    ----------
    within : float
        Mean correlation of its pairs.
    expected : float
        What one label would give these pairs, from their ties to the others.
    residual : float
        (within - expected) / (1 - expected): the correlation of what the label leaves open.
    tetrad : float
        Mean of r_ab r_cd - r_ac r_bd, a and b inside, c and d outside.
    """

    within: float
    expected: float
    residual: float
    tetrad: float

    def worth(self, size: int) -> float:
        """Return how many independent judges the group is worth: m / (1 + (m - 1) r)."""
        return size / (1 + (size - 1) * min(max(self.residual, 0.0), 1.0))


NOTHING = Found(0.0, 1.0, 0.0, 0.0)
"""No tetrad could be taken."""


def alike(codes: Codes, weights: Floats, n_answers: int, least_common: int) -> Alike:
    """Return the correlations of answers of codes (U, N), row u counted weights[u] times."""
    u, n = codes.shape
    hot = (codes[:, None, :] == np.arange(n_answers)[:, None]).astype(np.float32)
    given: Floats = hot.sum(axis=1)
    weighed = given * weights[:, None].astype(np.float32)
    shared = (weighed.T @ given).astype(float)
    totals = np.maximum(weighed.sum(axis=0), 1.0)
    shares = np.einsum("uan,u->na", hot, weights.astype(np.float32), optimize=True)
    shares = shares.astype(float) / totals[:, None]
    spread = 1 - (shares**2).sum(axis=1)
    varies = (shares > 0).sum(axis=1) > 1
    scale = np.sqrt(np.where(varies, spread, np.inf))
    deviations = (hot - shares.T.astype(np.float32)) * given[:, None, :] / scale.astype(np.float32)
    flat, plain = deviations.reshape(u * n_answers, n), hot.reshape(u * n_answers, n)
    rows = np.repeat(weights, n_answers).astype(np.float32)[:, None]
    tested = ((shared >= least_common) & varies[:, None] & varies).astype(float)
    np.fill_diagonal(tested, 0.0)
    common = np.maximum(shared, 1.0)
    together = ((rows * flat).T @ flat).astype(float) / common * tested
    same = ((rows * plain).T @ plain).astype(float) / common
    return Alike(together, tested, same, shared, shares, deviations, given, weights)


def candidates(found: Alike, closeness: float, most_members: int) -> list[Places]:
    """Return groups worth a look: branches of two trees that join the closest judges first.

    One tree joins by correlation, one by how far a pair's correlation exceeds what its ties to the
    others allow, which finds poor copies among good judges. Branches whose mean correlation is below
    `closeness` are left out, for what is left of it after the label is smaller still; so are those
    with fewer than half of their pairs tested.
    """
    from scipy.cluster.hierarchy import linkage

    n = len(found.tested)
    if n < 4:
        return []
    branches: set[Places] = set()
    residuals = _pair_residuals(found)
    for near in (found.together, residuals):
        apart = 1 - np.clip((near + near.T) / 2, -1, 1)[np.triu_indices(n, 1)]
        members: list[Places] = [(place,) for place in range(n)]
        for left, right, *_ in linkage(apart, "average"):
            members.append(tuple(sorted(members[int(left)] + members[int(right)])))
        branches.update(members[n:])
    most = min(n - 2, most_members)
    few = sorted(
        branch
        for branch in branches
        if len(branch) <= most
        and (len(branch) > 2 or residuals[branch] >= closeness - policy.ROUNDING)
    )
    inside = _marks(few, n)
    within, tested = (
        np.einsum("ng,nm,mg->g", inside, table, inside, optimize=True)
        for table in (found.together, found.tested)
    )
    sizes = inside.sum(axis=0)
    close: NDArray[np.bool_] = (within >= closeness * tested) & (2 * tested >= sizes * (sizes - 1))
    return [branch for branch, kept in zip(few, close, strict=True) if kept]


def _marks(groups: list[Places], n: int) -> Single:
    """Return (N, G): 1 where a judge is in a group."""
    inside = np.zeros((n, len(groups)), np.float32)
    for place, group in enumerate(groups):
        inside[list(group), place] = 1
    return inside


def _pair_residuals(found: Alike) -> Floats:
    r, tested = found.together, found.tested
    possible, products = _over_outsiders(tested, r), _over_outsiders(r, tested)
    known = (possible > 0) & (tested > 0)
    expected = np.divide(products, possible, where=known, out=np.ones_like(r))
    expected = np.clip(expected, 0, 1)
    left = 1 - expected
    result: Floats = np.divide(r - expected, left, where=left > 0, out=np.full_like(r, -1.0))
    return result


def _over_outsiders(x: Floats, c: Floats) -> Floats:
    """Return (N, N): sum over c, d other than a, b of x[a, c] c[c, d] x[b, d]."""
    along = (x * c).sum(axis=1)
    result: Floats = x @ c @ x.T - x * along - x * along[:, None] + x * x * c
    return result


def measured(found: Alike, group: Places, outside: Places) -> Found:
    """Return what the tetrads of a group against judges outside say."""
    g, o = np.array(group)[:, None], np.array(outside)
    r, tested = found.together, found.tested
    o = o[tested[g, o].any(axis=0)]
    inner, inner_tested = r[g, g.T], tested[g, g.T]
    across, across_tested = r[g, o], tested[g, o]
    outer, outer_tested = r[o[:, None], o], tested[o[:, None], o]
    possible = inner_tested * (across_tested @ outer @ across_tested.T)
    products = inner_tested * (across @ outer_tested @ across.T)
    # c = d is left out by the zero diagonals of the outer tables
    n_tetrads = float((inner_tested * (across_tested @ outer_tested @ across_tested.T)).sum())
    if n_tetrads == 0 or possible.sum() <= 0:
        return NOTHING
    within = float(inner.sum() / inner_tested.sum())
    expected = float(np.clip(products.sum() / possible.sum(), 0, 1))
    residual = (within - expected) / (1 - expected) if expected < 1 else 0.0
    tetrad = float((inner * possible - products).sum() / n_tetrads)
    return Found(within, expected, residual, tetrad)


def measured_all(found: Alike, groups: list[Places]) -> list[Found]:
    """Return what the tetrads of each group against all other judges say.

    Where every pair is tested the sums over c and d have closed forms: of all pairs less those with
    c = d or a = b.
    """
    n = len(found.tested)
    if found.tested.sum() < n * (n - 1):
        everyone = set(range(n))
        return [measured(found, group, tuple(sorted(everyone - set(group)))) for group in groups]
    r, inside = found.together, _marks(groups, n).astype(float)
    outside = 1 - inside
    towards, against = r @ inside, r @ outside
    within, outer, total = (
        (one * two).sum(axis=0)
        for one, two in ((inside, towards), (outside, against), (inside, against))
    )
    same = (inside * against**2).sum(axis=0) + (outside * towards**2).sum(axis=0)
    products = total**2 - same + (inside * (r**2 @ outside)).sum(axis=0)
    sizes = inside.sum(axis=0)
    inner_pairs, outer_pairs = sizes * (sizes - 1), (n - sizes) * (n - sizes - 1)
    columns = within, outer, products, inner_pairs, outer_pairs
    return [_found(*numbers) for numbers in zip(*columns, strict=True)]


def _found(
    within: float, outer: float, products: float, inner_pairs: float, outer_pairs: float
) -> Found:
    if outer <= 0:
        return NOTHING
    mean = float(within / inner_pairs)
    expected = float(np.clip(products / (inner_pairs * outer), 0, 1))
    residual = (mean - expected) / (1 - expected) if expected < 1 else 0.0
    tetrad = float((within * outer - products) / (inner_pairs * outer_pairs))
    return Found(mean, expected, residual, tetrad)


def z_of(found: Alike, groups: list[Places], tetrads: Floats) -> Floats:
    """Return tetrads in standard errors, from how each item moves the mean correlations."""
    inside = _marks(groups, found.given.shape[1])
    z, given, weights = found.deviations, found.given, found.weights.astype(np.float32)
    u, a, n = z.shape
    ours = (z.reshape(u * a, n) @ inside).reshape(u, a, -1)
    theirs = z.sum(axis=2)[:, :, None] - ours
    squares = np.einsum("uan,uan->un", z, z)
    own, counted = squares @ inside, given @ inside
    others = squares.sum(axis=1)[:, None] - own
    rest = given.sum(axis=1)[:, None] - counted
    within = _mean((ours**2).sum(axis=1) - own, counted**2 - counted, weights)
    outer = _mean((theirs**2).sum(axis=1) - others, rest**2 - rest, weights)
    across = _mean((ours * theirs).sum(axis=1), counted * rest, weights)
    moves = within[1] * outer[0] + outer[1] * within[0] - 2 * across[0] * across[1]
    errors = np.sqrt(weights @ moves**2)
    result: Floats = np.divide(tetrads, errors, where=errors > 0, out=np.zeros_like(tetrads))
    return result


def _mean(products: Single, pairs: Single, weights: Single) -> tuple[Single, Single]:
    """Return mean products (G,) of pairs of judges, and how each row moves them (U, G)."""
    total = np.maximum(weights @ pairs, np.float32(1))
    value = (weights @ products) / total
    products -= value * pairs
    products /= total
    return value, products
