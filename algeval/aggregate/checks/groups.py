"""Judges who are near copies of one another, by tetrads of judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from math import ceil
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.checks.pairs import FittedExam
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED, Sketch, Votes
from algeval.data.names import (
    Codes,
    check_names,
    check_number,
    check_whole,
    expect_schema,
    positions,
)
from algeval.data.reading import Data, as_sketch
from algeval.door import reads
from algeval.errors import DataError, option
from algeval.models.independent_fit import Floats as Single
from algeval.models.independent_fit import generator
from algeval.progress import check_time
from algeval.result import Result, Status, percent
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- Do judges agree more with each other than their ties to the others allow? Tetrads of
# correlations.
#
# If answers are independent given one label, the correlation of two judges is a product of loadings,
# r_ab = l_a l_b, so r_ab r_cd - r_ac r_bd = 0 for any four judges (Spearman 1904). Near copies a, b
# have a large r_ab and equal ties to everybody else: the tetrads over them are positive, whichever
# label a consensus would have followed. Arrays in, arrays out.


Judges = tuple[int, ...]


class Alike(NamedTuple):
    """Correlations of answers, with what they were made of.

    `together` (N, N): sum over answers k of Cov(a = k, b = k) / sqrt(V_a V_b), V the same of a
      judge with itself; for two answers the correlation. 0 where not tested, and on the diagonal.
    `tested` (N, N): 1 for pairs with enough common items, both of whom vary; else 0.
    `same` (N, N): share of the common items on which two judges gave the same answer.
    `shared` (N, N): items both answered.
    `shares` (N, A): how often a judge gives each answer.
    `codes` (U, N), `weights` (U,): decision tuples, and the items behind each.
    """

    together: Floats
    tested: Floats
    same: Floats
    shared: Floats
    shares: Floats
    codes: Codes
    weights: Floats

    @property
    def answered(self) -> Single:
        """(U, N) 1 where an answer was given."""
        marks: Single = (self.codes >= 0).astype(np.float32)
        return marks

    @property
    def deviations(self) -> Single:
        """(U, A, N) answers around their shares, in units of sqrt(V); 0 where none was given."""
        answers = np.arange(self.shares.shape[1])[:, None]
        hot: Single = (self.codes[:, None, :] == answers).astype(np.float32)
        hot -= self.shares.T.astype(np.float32)
        hot *= self.answered[:, None, :]
        hot /= scale_of(self.shares).astype(np.float32)
        return hot

    @property
    def spread(self) -> Floats:
        """(N,) V: the chance that a judge's answers to two items drawn at random differ."""
        result: Floats = 1 - (self.shares**2).sum(axis=1)
        return result


class Counted(NamedTuple):
    """What tetrads say of a group.

    `within`: mean correlation of its pairs.
    `expected`: what one label would give these pairs, from their ties to the others.
    `residual`: (within - expected) / (1 - expected): the correlation of what the label leaves open.
    `tetrad`: mean of r_ab r_cd - r_ac r_bd, a and b inside, c and d outside.
    """

    within: float
    expected: float
    residual: float
    tetrad: float

    def worth(self, size: int) -> float:
        """How many independent judges the group is worth: m / (1 + (m - 1) r)."""
        return size / (1 + (size - 1) * min(max(self.residual, 0.0), 1.0))


NOTHING = Counted(0.0, 1.0, 0.0, 0.0)
"""No tetrad could be taken."""


def alike(codes: Codes, weights: Floats, n_answers: int, least_common: int) -> Alike:
    """Correlations of answers of codes (U, N), row u counted weights[u] times."""
    n = codes.shape[1]
    same, shared, alone = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n_answers, n, n))
    for start in range(0, len(codes), policy.ROWS_AT_ONCE):
        rows = codes[start : start + policy.ROWS_AT_ONCE]
        weighed = (rows >= 0) * weights[start : start + policy.ROWS_AT_ONCE, None]
        shared += weighed.T @ (rows >= 0).astype(float)
        for answer in range(n_answers):
            hot = (rows == answer).astype(float)
            same += (hot * weighed).T @ hot
            alone[answer] += weighed.T @ hot  # of the second, where the first answered
    totals = np.maximum(np.diagonal(shared), 1.0)
    shares = np.diagonal(alone, axis1=1, axis2=2).T / totals[:, None]
    varies = (shares > 0).sum(axis=1) > 1
    tested = ((shared >= least_common) & varies[:, None] & varies).astype(float)
    np.fill_diagonal(tested, 0.0)
    common, scale = np.maximum(shared, 1.0), scale_of(shares)
    crossed = np.einsum("ia,aij->ij", shares, alone)
    covered = same - crossed - crossed.T + shared * (shares @ shares.T)
    together = covered / np.outer(scale, scale) / common * tested
    return Alike(together, tested, same / common, shared, shares, codes, weights)


def scale_of(shares: Floats) -> Floats:
    """(N,) sqrt(V) of judges who give answers so often; infinite where they give one alone."""
    varies = (shares > 0).sum(axis=1) > 1
    scale: Floats = np.sqrt(np.where(varies, 1 - (shares**2).sum(axis=1), np.inf))
    return scale


def candidates(agreements: Alike, closeness: float, most_members: int) -> list[Judges]:
    """Groups worth a look: branches of two trees that join the closest judges first.

    One tree joins by correlation, one by how far a pair's correlation exceeds what its ties to the
    others allow, which finds poor copies among good judges. Branches whose mean correlation is below
    `closeness` are left out, for what is left of it after the label is smaller still; so are those
    with fewer than half of their pairs tested.
    """
    from scipy.cluster.hierarchy import linkage

    n = len(agreements.tested)
    if n < 4:
        return []
    branches: set[Judges] = set()
    residuals = _pair_residuals(agreements)
    for near in (agreements.together, residuals):
        apart = 1 - np.clip((near + near.T) / 2, -1, 1)[np.triu_indices(n, 1)]
        members: list[Judges] = [(judge,) for judge in range(n)]
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
        for table in (agreements.together, agreements.tested)
    )
    sizes = inside.sum(axis=0)
    close: NDArray[np.bool_] = (within >= closeness * tested) & (2 * tested >= sizes * (sizes - 1))
    return [branch for branch, kept in zip(few, close, strict=True) if kept]


def _marks(groups: list[Judges], n: int) -> Single:
    """Return (N, G): 1 where a judge is in a group."""
    inside = np.zeros((n, len(groups)), np.float32)
    for number, group in enumerate(groups):
        inside[list(group), number] = 1
    return inside


def _pair_residuals(agreements: Alike) -> Floats:
    r, tested = agreements.together, agreements.tested
    possible, products = _over_outsiders(tested, r), _over_outsiders(r, tested)
    testable = (possible > 0) & (tested > 0)
    expected = np.divide(products, possible, where=testable, out=np.ones_like(r))
    expected = np.clip(expected, 0, 1)
    left = 1 - expected
    result: Floats = np.divide(r - expected, left, where=left > 0, out=np.full_like(r, -1.0))
    return result


def _over_outsiders(x: Floats, c: Floats) -> Floats:
    """Return (N, N): sum over c, d other than a, b of x[a, c] c[c, d] x[b, d]."""
    along = (x * c).sum(axis=1)
    result: Floats = x @ c @ x.T - x * along - x * along[:, None] + x * x * c
    return result


def measured(agreements: Alike, group: Judges, outside: Judges) -> Counted:
    """Return what the tetrads of a group against judges outside say."""
    g, o = np.array(group)[:, None], np.array(outside)
    r, tested = agreements.together, agreements.tested
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
    return Counted(within, expected, residual, tetrad)


def measured_all(agreements: Alike, groups: list[Judges]) -> list[Counted]:
    """Return what the tetrads of each group against all other judges say.

    Where every pair is tested the sums over c and d have closed forms: of all pairs less those with
    c = d or a = b.
    """
    n = len(agreements.tested)
    if agreements.tested.sum() < n * (n - 1):
        everyone = set(range(n))
        return [
            measured(agreements, group, tuple(sorted(everyone - set(group)))) for group in groups
        ]
    r, inside = agreements.together, _marks(groups, n).astype(float)
    outside = 1 - inside
    towards, against = r @ inside, r @ outside
    within, outer, total = (
        (side * two).sum(axis=0)
        for side, two in ((inside, towards), (outside, against), (inside, against))
    )
    same = (inside * against**2).sum(axis=0) + (outside * towards**2).sum(axis=0)
    products = total**2 - same + (inside * (r**2 @ outside)).sum(axis=0)
    sizes = inside.sum(axis=0)
    inner_pairs, outer_pairs = sizes * (sizes - 1), (n - sizes) * (n - sizes - 1)
    columns = within, outer, products, inner_pairs, outer_pairs
    return [_pairs_of_votes(*numbers) for numbers in zip(*columns, strict=True)]


def _pairs_of_votes(
    within: float, outer: float, products: float, inner_pairs: float, outer_pairs: float
) -> Counted:
    if outer <= 0:
        return NOTHING
    mean = float(within / inner_pairs)
    expected = float(np.clip(products / (inner_pairs * outer), 0, 1))
    residual = (mean - expected) / (1 - expected) if expected < 1 else 0.0
    tetrad = float((within * outer - products) / (inner_pairs * outer_pairs))
    return Counted(mean, expected, residual, tetrad)


def z_of(agreements: Alike, groups: list[Judges], tetrads: Floats) -> Floats:
    """Tetrads in standard errors, from how each item moves the mean correlations."""
    inside = _marks(groups, agreements.codes.shape[1])
    z, answered, weights = (
        agreements.deviations,
        agreements.answered,
        agreements.weights.astype(np.float32),
    )
    u, a, n = z.shape
    ours = (z.reshape(u * a, n) @ inside).reshape(u, a, -1)
    theirs = z.sum(axis=2)[:, :, None] - ours
    squares = np.einsum("uan,uan->un", z, z)
    own, counted = squares @ inside, answered @ inside
    others = squares.sum(axis=1)[:, None] - own
    rest = answered.sum(axis=1)[:, None] - counted
    within = _mean((ours**2).sum(axis=1) - own, counted**2 - counted, weights)
    outer = _mean((theirs**2).sum(axis=1) - others, rest**2 - rest, weights)
    across = _mean((ours * theirs).sum(axis=1), counted * rest, weights)
    moves = within[1] * outer[0] + outer[1] * within[0] - 2 * across[0] * across[1]
    errors = np.sqrt(weights @ moves**2)
    result: Floats = np.divide(tetrads, errors, where=errors > 0, out=np.zeros_like(tetrads))
    return result


def _mean(products: Single, pairs: Single, weights: Single) -> tuple[Single, Single]:
    """Mean products (G,) of pairs of judges, and how each row moves them (U, G)."""
    total = np.maximum(weights @ pairs, np.float32(1))
    value = (weights @ products) / total
    products -= value * pairs
    products /= total
    return value, products


# --- A panel in which a group of judges counts as one: by one judge of each, or by weights.


Unit = tuple[int, ...]


@reads(items=True)
def one_of_each(data: Data, groups: Iterable[Sequence[object]]) -> Votes | Sketch:
    """Votes of one judge of each group, and of everybody in no group.

    The judge kept is the one of its group with most answers; among equals the one that goes most with
    the whole panel (sum of its correlations); among equals the first named. Judges keep their order,
    and items that only the others answered stay.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        Votes keep their key; of a keyed sketch the sketch is returned.
    groups : tuples of judge names, as `JudgeGroups.groups`

    Raises
    ------
    DataError
        If a name is not known, or in two groups.
    """
    sketch = as_sketch(data)
    units = units_of(sketch.judges, groups)
    agreements = alike(sketch.codes, sketch.counts.astype(float), sketch.n_answers, 1)
    ranks = centrality(agreements)
    kept = sorted(most_central(unit, ranks) for unit in units)
    names = [sketch.judges[judge] for judge in kept]
    return data.select(judges=names) if isinstance(data, Votes) else sketch.marginal(names)


def group_weights(judges: Sequence[object], groups: Iterable[Sequence[object]]) -> Floats:
    """Return (N,) weights: 1 / size of a judge's group, 1 for a judge in none.

    Raises
    ------
    DataError
        If a name is not known, or in two groups.

    Examples
    --------
    >>> group_weights(["i", "j", "k"], [("i", "k")]).tolist()
    [0.5, 1.0, 0.5]
    """
    names = check_names("judge", judges)
    weights = np.ones(len(names))
    for unit in units_of(names, groups):
        weights[list(unit)] = 1 / len(unit)
    return weights


def units_of(judges: Sequence[str], groups: Iterable[Sequence[object]]) -> list[Unit]:
    """Places of each group's judges, then of each other judge alone."""
    units: list[Unit] = []
    taken: set[int] = set()
    for group in groups:
        indices = positions("judge", group, judges)
        twice = [judges[judge] for judge in indices if judge in taken]
        if twice:
            raise DataError(f"groups must not share a judge; got {twice[0]!r} twice; merge them")
        taken.update(indices)
        units.append(tuple(indices))
    return units + [(judge,) for judge in range(len(judges)) if judge not in taken]


def centrality(agreements: Alike) -> list[int]:
    """Each judge's rank as the one who stands for its group, 0 first; see `one_of_each`."""
    answers = np.diagonal(agreements.shared)
    ties = agreements.together.sum(axis=1).round(6)
    order = np.lexsort((np.arange(len(answers)), -ties, -answers))
    result: list[int] = np.argsort(order).tolist()
    return result


def most_central(unit: Unit, ranks: Sequence[int]) -> int:
    """Judge that stands for a group."""
    return min(unit, key=lambda place: ranks[place])


# --- The search behind `judge_groups`: the tightest group beyond chance becomes one judge, and
# again.


@dataclass(frozen=True, slots=True)
class Rule:
    """The settings of a search."""

    level: float = 0.05
    closeness: float = 0.5
    min_common: int = policy.MIN_COMMON
    replicates: int = 99
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Merged:
    """A group that became one judge: its judges, the p-value, and who could be the group instead."""

    members: Unit
    p_value: float
    rivals: tuple[Unit, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """All judges' correlations, and the units that count as one judge each."""

    found: Alike
    ranks: list[int]
    units: tuple[Unit, ...]

    @classmethod
    def of(cls, sketch: Sketch, rule: Rule) -> Panel:
        """Panel in which every judge who can be compared is a unit."""
        agreements = _alike(sketch, rule)
        units = tuple(
            (judge,) for judge in range(sketch.n_judges) if agreements.tested[judge].any()
        )
        return cls(agreements, centrality(agreements), units)

    def merging(self, members: Unit) -> Panel:
        """Panel in which these judges are one unit."""
        units = tuple(unit for unit in self.units if not set(unit) <= set(members))
        return Panel(self.found, self.ranks, (*units, members))

    def own(self) -> dict[int, Unit]:
        """Return {the judge that stands for it: unit}, in the order of judges."""
        return dict(sorted((most_central(unit, self.ranks), unit) for unit in self.units))

    def others(self, members: Unit) -> Unit:
        """Return one judge of each unit without these judges."""
        apart = [unit for unit in self.units if not set(unit) & set(members)]
        return tuple(sorted(most_central(unit, self.ranks) for unit in apart))

    def measured(self, members: Unit) -> Counted:
        """Return what tetrads say of some judges against one judge of each other unit."""
        return measured(self.found, members, self.others(members))


class Search(NamedTuple):
    """Where a search ended."""

    panel: Panel
    groups: tuple[Merged, ...]


@dataclass(frozen=True, slots=True)
class _Look:
    """A group that passes for near copies."""

    members: Unit
    found: Counted
    z: float

    @property
    def worth(self) -> float:
        return self.found.worth(len(self.members))


def search(sketch: Sketch, rule: Rule) -> Search:
    """Merge the tightest group that chance does not explain into one judge, until there is none."""
    panel = Panel.of(sketch, rule)
    merged: list[Merged] = []
    while len(panel.units) >= policy.FEWEST_UNITS:
        chosen = _round(sketch, panel, rule)
        if chosen is None:
            break
        panel = panel.merging(chosen.members)
        inside = [absorbed for absorbed in merged if set(absorbed.members) <= set(chosen.members)]
        merged = [absorbed for absorbed in merged if absorbed not in inside]
        p_value = max(absorbed.p_value for absorbed in [chosen, *inside])
        rivals = tuple(dict.fromkeys(r for absorbed in [chosen, *inside] for r in absorbed.rivals))
        merged.append(Merged(chosen.members, p_value, rivals))
    return Search(panel, tuple(merged))


def _round(sketch: Sketch, panel: Panel, rule: Rule) -> Merged | None:
    """Tightest group of units beyond chance, or None."""
    own = panel.own()
    reduced = sketch.marginal([sketch.judges[unit_] for unit_ in own])
    looks = _looks(_alike(reduced, rule), rule.closeness)
    looks = [_joined(look, list(own.values()), panel) for look in looks]
    looks = [look for look in looks if look.z > 0 and _close(panel, look, rule.closeness)]
    if not looks:
        return None
    drawn = _drawn_extremes(reduced, max(look.z for look in looks), rule)
    beyond = {
        look: (1 + int((drawn >= look.z).sum())) / (len(drawn) + 1)
        for look in sorted(looks, key=lambda look: (look.worth, look.members))
    }
    passed = [look for look, p_value in beyond.items() if p_value <= rule.level]
    if not passed:
        return None
    chosen = passed[0]
    rivals = [look.members for look in passed if not set(look.members) & set(chosen.members)]
    return Merged(chosen.members, beyond[chosen], tuple(rivals))


def _joined(look: _Look, own: list[Unit], panel: Panel) -> _Look:
    """Group of the reduced panel as a group of all judges, measured on all of them."""
    members = tuple(sorted(judge for unit_ in look.members for judge in own[unit_]))
    return _Look(members, panel.measured(members), look.z)


def _close(panel: Panel, look: _Look, closeness: float) -> bool:
    outside = panel.others(look.members)
    return look.found.residual >= closeness and not _milder_outside(
        panel.found, look.members, outside
    )


def _looks(agreements: Alike, closeness: float) -> list[_Look]:
    """Groups of a panel that are as close as asked, with their z."""
    n = len(agreements.tested)
    groups = candidates(agreements, closeness, policy.MOST_GROUP if n > policy.FEW_JUDGES else n)
    measures = zip(groups, measured_all(agreements, groups), strict=True)
    close = {group: here for group, here in measures if here.residual >= closeness}
    if not close:
        return []
    z = z_of(agreements, list(close), np.array([here.tetrad for here in close.values()]))
    return [
        _Look(group, here, float(value))
        for (group, here), value in zip(close.items(), z, strict=True)
    ]


def _milder_outside(agreements: Alike, group: Unit, outside: Unit) -> bool:
    """Whether far milder sharing of errors among the others would explain the same tetrads."""
    here, there = measured(agreements, group, outside), measured(agreements, outside, group)
    if there is NOTHING:
        return False
    strength = (len(outside) - 1) * max(there.residual, 0.0) ** 2
    return strength < policy.FAR_MILDER * (len(group) - 1) * here.residual**2


def _drawn_extremes(panel: Sketch, z: float, rule: Rule) -> Floats:
    """Largest z of any group, close or not, in each exam of independent judges.

    With close groups alone the p-value is too small on few items: which groups come out close in
    drawn exams depends on what the fit took for the judges' accuracies. Drawing stops where
    nothing can be rejected any more.
    """
    rng = generator(rule.seed, panel.codes, panel.counts)
    exam = FittedExam.of(panel)
    answered = float(1 - panel.missing.sum() / (panel.n_items * panel.n_judges))
    exam = exam._replace(most_drawn=ceil(policy.GROUP_ITEMS / answered))
    most = max(1, policy.DRAWN_CELLS // (exam.n_drawn * panel.n_judges * panel.n_answers))
    enough = ceil(rule.level * (rule.replicates + 1))
    extremes: list[float] = []
    while len(extremes) < rule.replicates:
        size = min(most, policy.DRAWN_AT_ONCE, rule.replicates - len(extremes))
        for codes in exam.drawn(size, rng):
            check_time()
            agreements = alike(codes, np.ones(len(codes)), panel.n_answers, rule.min_common)
            extremes.append(max((look.z for look in _looks(agreements, 0.0)), default=0.0))
        if sum(extreme >= z for extreme in extremes) >= enough:
            break
    return np.array(extremes)


def _alike(sketch: Sketch, rule: Rule) -> Alike:
    return alike(sketch.codes, sketch.counts.astype(float), sketch.n_answers, rule.min_common)


# --- Which judges are near copies of each other, and how many independent judges the panel is
# worth.


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeGroup:
    """Judges that answer nearly alike.

    Attributes
    ----------
    judges : tuple of str
    agreement : float
        Share of their common items on which two of them gave the same answer, mean over pairs.
    explained : float
        The agreement one label would give them, from their ties to everybody else.
    shared_errors : float
        Correlation left after that, 1 for copies: (within - expected) / (1 - expected).
    worth : float
        How many independent judges they are worth, m / (1 + (m - 1) shared_errors) of m.
    p_value : float
        How often independent judges have a group that stands out as far; of a group that was put
        together in steps the largest.
    fewest_common : int
        Fewest common items of two of them.
    rivals : tuple of tuples of str
        Other judges who would be a group, were this one none: votes cannot tell which of them is.
    """

    judges: tuple[str, ...]
    agreement: float
    explained: float
    shared_errors: float
    worth: float
    p_value: float
    fewest_common: int
    rivals: tuple[tuple[str, ...], ...] = ()

    def sentence(self) -> str:
        """Return what a report says of them."""
        near = self.agreement >= policy.NEARLY_ALIKE
        alike = "nearly alike" if near else "alike more often than one label explains"
        return (
            f"{_listed(self.judges)} answer {alike}: count them as one (agreement "
            f"{percent(self.agreement)}, {percent(self.explained)} explained by their ties to the "
            "other judges; "
            f"worth {self.worth:.1f} judges)"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeGroups(Result):
    """Groups of near copies among judges.

    Attributes
    ----------
    status : Status
        ok; not_identifiable with fewer than three judges; undetermined where three judges, or too
        few common items, leave nothing to compare.
    groups : tuple of tuples of str
        The judges of each group, the one nearest to a single judge first.
    found : tuple of JudgeGroup
        What each group rests on.
    effective_judges : float
        How many independent judges the panel is worth at most; see `judge_groups`. NaN without an
        answer.
    error_correlation : float
        Mean correlation of the errors of two judges of different groups; NaN where it cannot be
        seen.
    left_out : tuple of str
        Judges that always give one answer, or share too few items with everybody. They count for
        nothing.
    n_untested : int
        Pairs of the other judges with fewer than `min_common` common items.
    """

    schema: ClassVar[str] = "algeval.judge_groups/1"

    judges: tuple[str, ...]
    n_items: int
    groups: tuple[tuple[str, ...], ...]
    found: tuple[JudgeGroup, ...]
    effective_judges: float
    error_correlation: float
    left_out: tuple[str, ...]
    n_untested: int
    warnings: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per judge: the number of its group, if it has one, and whether it counts."""
        group = {judge: k for k, names in enumerate(self.groups, start=1) for judge in names}
        columns = {
            "judge": self.judges,
            "group": [group.get(judge) for judge in self.judges],
            "left out": [judge in self.left_out for judge in self.judges],
        }
        names = ("group", "agreement", "explained", "shared_errors", "worth", "p_value")
        rows = [
            (k, *(getattr(entry, n) for n in names[1:])) for k, entry in enumerate(self.found, 1)
        ]
        return Table("Judges", columns), Table.of_rows("Groups", names, rows), scalars(self)

    def summary(self) -> str:
        """Verdict, a line for each group, and the warnings."""
        lines = [self.message, *(f"  {group.sentence()}" for group in self.found)]
        n, votes_ = len(self.judges), self.effective_judges
        if votes_ == votes_:
            lines.append(f"The {n} judges are worth at most {votes_:.1f} independent ones.")
        elif self.status.ok:
            lines.append(
                f"How many independent ones the {n} judges are worth, so few items do not say."
            )
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        numbers: dict[str, Any] = {
            name: float("nan") if document[name] is None else float(document[name])
            for name in ("effective_judges", "error_correlation")
        }
        return cls(
            status=Status(document["status"]),
            message=document["message"],
            judges=tuple(document["judges"]),
            n_items=document["n_items"],
            groups=_tuples(document["groups"]),
            found=tuple(_group_in(group) for group in document["found"]),
            left_out=tuple(document["left_out"]),
            n_untested=document["n_untested"],
            warnings=tuple(document["warnings"]),
            settings=dict(document["settings"]),
            **numbers,
        )


@reads
def judge_groups(
    data: Data,
    *,
    level: float = 0.05,
    closeness: float = 0.5,
    min_common: int = policy.MIN_COMMON,
    replicates: int = 99,
    seed: int = 0,
) -> JudgeGroups:
    """Judges that agree far beyond what one label explains: near copies, to be counted as one.

    Use it before any consensus: one model asked three times outvotes two good ones, and a consensus
    that has followed the copies calls them the best judges and the good ones dependent. No fitted
    label enters the statistic, so that this cannot happen. Any number of labels; votes left out are
    allowed and assumed to be left out at random.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        A key is not read. Four judges or more who share items; of three, one label explains any
        agreement.
    level : float
        Largest p-value of a group.
    closeness : float
        Smallest `shared_errors` of a group, between 0 and 1; 1/2 where half of what two judges have
        beyond the label is in common.
    min_common : int
        Only pairs with at least this many common items are compared.
    replicates : int
        Exams of independent judges drawn in each step, at most.
    seed : int

    Returns
    -------
    JudgeGroups

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    r_ab is the correlation of two judges' answers (for more labels summed over them). With errors
    independent given one label, r_ab is a product of loadings, so any two judges c, d outside a group
    say what a pair inside it may have: r_ac r_bd / r_cd (Spearman, 1904). `explained` takes the sum
    of r_ac r_bd over the sum of r_cd, `shared_errors` what is left of 1, and the statistic is the mean
    tetrad r_ab r_cd - r_ac r_bd in its standard error. Groups looked at are the branches of two
    trees that join the closest judges first; those with `shared_errors` of at least `closeness` are
    compared with the largest statistic of any group in exams drawn from the independent judges fitted
    to the votes. Of those beyond chance the one worth fewest judges (Clemen and Winkler, 1985) becomes one
    judge, and the search starts again.

    Tetrads are symmetric: "these three copy each other" and "those two err together while these
    three are good" can be the same votes. The tighter group is named, and the other as its rival.
    A group is not named where 3% of its dependence among the others would explain as much.

    Independent judges had a group in at most 3% of 200 exams in each of 14 designs (60 to 3,000 items,
    2 to 10 labels, 4 to 30 judges, votes missing). Copies of a judge right on 75%, among others of 65
    to 90%, were named first in 80 to 100% of exams of 300 items and 95% or more of 1,000 (pairs and
    threes among 5, 8 and 20 judges, 2 and 4 labels, 3% or 10% of each copy's answers changed); on 100
    items in 40 to 100%, least among five judges of two labels. With 20% changed two copies share a
    third of what is open, less than `closeness`: not named. In the other direction: of nine judges
    of a real set, the two best came out as a group.

    `effective_judges` is G / (1 + (G - 1) r) (Clemen and Winkler, 1985): G judges, each group one, and
    r the mean correlation of their errors around the label fitted to one judge of each, at least 0;
    up to 2,000 items less what 40 exams of independent judges leave, and 0 within two of their spreads.
    With fewer than ten items a label it cannot be told and is NaN.
    Copies count as one. It is "at most": the fitted label takes up part of what all judges share.
    """
    rule = Rule(
        level=check_number("level", level, least=0, most=1, strict=True),
        closeness=check_number("closeness", closeness, least=0, most=1, strict=True),
        min_common=check_whole("min_common", min_common, 2),
        replicates=check_whole("replicates", replicates),
        seed=check_whole("seed", seed, 0),
    )
    return _groups_of_units(as_sketch(data), rule)


@lru_cache(maxsize=1)  # a report asks twice: for its section, and for the warning of a fit
def _searched(sketch: Sketch, rule: Rule) -> tuple[Sketch, Search, tuple[JudgeGroup, ...]]:
    """Counts in order of names, how the search ended, and its groups."""
    plain = _in_order_of_names(sketch)
    ended = search(plain, rule)
    groups = tuple(
        sorted(
            (_group(merged, ended, plain, sketch.judges) for merged in ended.groups),
            key=lambda group: (group.worth, sketch.judges.index(group.judges[0])),
        )
    )
    return plain, ended, groups


@lru_cache(maxsize=1)
def _groups_of_units(sketch: Sketch, rule: Rule) -> JudgeGroups:
    plain, ended, groups = _searched(sketch, rule)
    status, message = _verdict(sketch, ended, groups)
    effective, shared = (
        _effective(plain, ended, rule.seed) if status is Status.OK else (float("nan"), float("nan"))
    )
    usable = {plain.judges[index] for unit in ended.panel.units for index in unit}
    left_out = tuple(judge for judge in sketch.judges if judge not in usable)
    n_untested = _untested(ended)
    return JudgeGroups(
        status=status,
        message=message,
        judges=sketch.judges,
        n_items=sketch.n_items,
        groups=tuple(group.judges for group in groups),
        found=groups,
        effective_judges=effective,
        error_correlation=shared,
        left_out=left_out,
        n_untested=n_untested,
        warnings=tuple(_warnings(plain, ended, groups, left_out, rule.min_common)),
        settings=asdict(rule),
    )


def near_copies(sketch: Sketch) -> tuple[tuple[str, ...], ...]:
    """Judges of each group of near copies; none is looked for in huge panels."""
    return tuple(group.judges for group in _usual_groups(sketch))


def _usual_groups(sketch: Sketch) -> tuple[JudgeGroup, ...]:
    if sketch.n_judges**2 * len(sketch) > policy.MOST_COPIES_WORK:
        return ()
    _, ended, groups = _searched(sketch, Rule())
    return groups if _verdict(sketch, ended, groups)[0].ok else ()


def copies_note(sketch: Sketch) -> list[str]:
    """Warning that names near copies, if there are any; none is looked for in huge panels."""
    groups = _usual_groups(sketch)
    return [f"{group.sentence()}; {option('groups', 'one-each')} does." for group in groups]


def _in_order_of_names(sketch: Sketch) -> Sketch:
    """Same counts with judges, labels and answers sorted, so that order tells nothing."""
    judges = sorted(sketch.judges)
    labels = sorted(sketch.labels)
    answers = [*labels, *sorted(sketch.answers[sketch.n_labels :])]
    order = np.array([*(answers.index(answer) for answer in sketch.answers), NOT_ANSWERED])
    columns = [sketch.judges.index(judge) for judge in judges]
    codes = order[sketch.codes[:, columns]].astype(np.int16)
    return Sketch(tuple(judges), tuple(labels), tuple(answers), codes, sketch.counts)


def _verdict(sketch: Sketch, ended: Search, groups: tuple[JudgeGroup, ...]) -> tuple[Status, str]:
    n_heard = int((sketch.missing < sketch.n_items).sum())
    n_usable = sum(len(unit) for unit in ended.panel.units)
    if n_heard < policy.FEWEST_UNITS - 1:
        sentence = "groups are seen by how judges go with others, so there must be at least four"
        return Status.NOT_IDENTIFIABLE, f"{how_many(n_heard, 'judge')} answered; {sentence}."
    if n_usable < policy.FEWEST_UNITS:
        return Status.UNDETERMINED, (
            f"{how_many(n_usable, 'judge')} with varied answers and enough items in common; of "
            "three, one label explains any agreement, so at least four are needed to see groups."
        )
    size = f"{how_many(len(sketch.judges), 'judge')}, {how_many(sketch.n_items, 'item')}"
    if groups:
        some = "One group" if len(groups) == 1 else f"{len(groups)} groups"
        return Status.OK, f"{some} of near copies among {size}."
    return (
        Status.OK,
        f"No judges agree far enough beyond what one label explains to be copies ({size}).",
    )


def _group(merged: Merged, ended: Search, plain: Sketch, order: tuple[str, ...]) -> JudgeGroup:
    """Return what is told of a group, its judges in the order of the data."""
    agreements, indices = ended.panel.found, np.array(merged.members)
    here = ended.panel.measured(merged.members)
    left, right = np.triu_indices(len(indices), 1)
    left, right = indices[left], indices[right]
    tested = agreements.tested[left, right] > 0
    chance = (agreements.shares[left] * agreements.shares[right]).sum(axis=1)
    explained = chance + here.expected * np.sqrt(agreements.spread[left] * agreements.spread[right])
    names = [
        tuple(sorted((plain.judges[judge] for judge in unit), key=order.index))
        for unit in (merged.members, *merged.rivals)
    ]
    within = [set(group.members) for group in ended.groups]
    rivals = [
        judges
        for unit, judges in zip(merged.rivals, names[1:], strict=True)
        if not any(set(unit) <= members for members in within)
    ]
    return JudgeGroup(
        judges=names[0],
        agreement=float(agreements.same[left, right][tested].mean()),
        explained=float(np.clip(explained[tested].mean(), 0, 1)),
        shared_errors=here.residual,
        worth=here.worth(len(indices)),
        p_value=merged.p_value,
        fewest_common=int(agreements.shared[left, right].min()),
        rivals=tuple(rivals[: policy.MOST_RIVALS]),
    )


def _effective(plain: Sketch, ended: Search, seed: int) -> tuple[float, float]:
    """How many judges the panel is worth, and the mean correlation of errors it rests on."""
    if plain.n_items < policy.FEWEST_ON_A_LABEL * plain.n_labels:
        return float("nan"), float("nan")
    kept = list(ended.panel.own())
    exam = FittedExam.of(plain.marginal([plain.judges[judge] for judge in kept]))
    pairs = np.triu_indices(len(kept), 1)
    compared = ended.panel.found.tested[np.ix_(kept, kept)][pairs] > 0

    def mean(sums: NDArray[np.float64]) -> float:
        return float(exam.correlation(sums)[pairs][compared].mean())

    shared = mean(exam.measured())
    if exam.stretch == 1:
        # few items: pseudo-votes bias every judge's chances alike, and chance leaves some correlation
        rng = generator(seed, exam.answered, exam.counts[0])
        alone = [mean(sums) for sums in exam.repeated(policy.EFFECTIVE_EXAMS, rng)]
        beyond = shared - float(np.mean(alone))
        shared = beyond if beyond > policy.EFFECTIVE_SPREADS * float(np.std(alone)) else 0.0
    shared = max(0.0, shared)
    return len(kept) / (1 + (len(kept) - 1) * shared), shared


def _untested(ended: Search) -> int:
    usable = sorted(judge for unit in ended.panel.units for judge in unit)
    tested = ended.panel.found.tested[np.ix_(usable, usable)]
    return int((tested[np.triu_indices(len(usable), 1)] == 0).sum())


def _warnings(
    plain: Sketch,
    ended: Search,
    groups: tuple[JudgeGroup, ...],
    left_out: tuple[str, ...],
    min_common: int,
) -> Iterator[str]:
    if groups and not any(group.rivals for group in groups):
        yield (
            "judges who are right together where all others err look like copies; if you doubt that "
            "a group shares its origin, ask for some true labels."
        )
    for group in groups:
        if group.rivals:
            rival, named = _listed(group.rivals[0]), _listed(group.judges)
            yield (
                f"{rival} would be a group if {named} were none; votes cannot tell which of the two "
                "err together, so ask for some true labels."
            )
    if left_out:
        yield (
            f"{_listed(left_out)} always gave one answer or shared fewer than {min_common} items with "
            "anybody; not compared, and not counted."
        )
    if n_untested := _untested(ended):
        n_usable = sum(len(unit) for unit in ended.panel.units)
        yield (
            f"{n_untested} of {n_usable * (n_usable - 1) // 2} pairs share fewer than {min_common} "
            "items and were not compared; copies among them are not seen."
        )
    yield from _equal(plain, ended.panel.found, groups)


def _equal(plain: Sketch, agreements: Alike, groups: tuple[JudgeGroup, ...]) -> Iterator[str]:
    """Name judges whose answers never differ, on many items, and who are in no group."""
    equal = (agreements.tested > 0) & (
        agreements.same * agreements.shared >= agreements.shared - 0.5
    )
    equal &= agreements.shared >= policy.EQUAL_ITEMS
    for i, j in np.argwhere(np.triu(equal, 1)):
        names = plain.judges[i], plain.judges[j]
        if not any(set(names) <= set(group.judges) for group in groups):
            yield (
                f"{_listed(names)} gave the same answer on all {agreements.shared[i, j]:.0f} common items: "
                "copies, or both right. The other judges do not tell."
            )


def _listed(names: tuple[str, ...]) -> str:
    """Names as text; of many the first few."""
    shown = list(names[: policy.MOST_NAMED])
    if len(names) > len(shown):
        shown.append(f"{len(names) - len(shown)} more")
    return ", ".join(shown)


def _tuples(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _group_in(document: Mapping[str, Any]) -> JudgeGroup:
    read = {"judges": tuple(document["judges"]), "rivals": _tuples(document["rivals"])}
    return JudgeGroup(**{**document, **read})
