"""Which judges are near copies of each other, and how many independent judges the panel is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.checks.group_search import Merged, Rule, Search, search
from algeval.aggregate.checks.pair_test import FittedExam
from algeval.aggregate.kernels.tetrads import Alike
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import expect_schema
from algeval.data.reading import as_sketch
from algeval.data.settings import check_number, check_whole
from algeval.io.sources import Source, read_data
from algeval.models.independent_fit import generator
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["JudgeGroup", "JudgeGroups", "copies_note", "judge_groups"]


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
            f"{self.agreement:.1%}, {self.explained:.1%} explained by their ties to the other judges; "
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
        """Return a row per judge: the number of its group, if it has one, and whether it counts."""
        group = {judge: k for k, names in enumerate(self.groups, start=1) for judge in names}
        columns = {
            "judge": self.judges,
            "group": [group.get(judge) for judge in self.judges],
            "left out": [judge in self.left_out for judge in self.judges],
        }
        names = ("group", "agreement", "explained", "shared_errors", "worth", "p_value")
        rows = [(k, *(getattr(one, n) for n in names[1:])) for k, one in enumerate(self.found, 1)]
        return Table("Judges", columns), Table.of_rows("Groups", names, rows), scalars(self)

    def summary(self) -> str:
        """Return the verdict, a line for each group, and the warnings."""
        lines = [self.message, *(f"  {group.sentence()}" for group in self.found)]
        n, worth = len(self.judges), self.effective_judges
        if worth == worth:
            lines.append(f"The {n} judges are worth at most {worth:.1f} independent ones.")
        elif self.status.ok:
            lines.append(
                f"How many independent ones the {n} judges are worth, so few items do not say."
            )
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        numbers = {
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


def judge_groups(
    data: Source,
    *,
    level: float = 0.05,
    closeness: float = 0.5,
    min_common: int = policy.MIN_COMMON,
    replicates: int = 99,
    seed: int = 0,
) -> JudgeGroups:
    """Find judges that agree far beyond what one label explains: near copies, to be counted as one.

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
    data = read_data(data)
    rule = Rule(
        level=check_number("level", level, least=0, most=1, strict=True),
        closeness=check_number("closeness", closeness, least=0, most=1, strict=True),
        min_common=check_whole("min_common", min_common, 2),
        replicates=check_whole("replicates", replicates),
        seed=check_whole("seed", seed, 0),
    )
    return _found(as_sketch(data), rule)


@lru_cache(maxsize=1)  # a report asks twice: for its section, and for the warning of a fit
def _found(sketch: Sketch, rule: Rule) -> JudgeGroups:
    plain = _in_order_of_names(sketch)
    ended = search(plain, rule)
    groups = tuple(
        sorted(
            (_group(merged, ended, plain, sketch.judges) for merged in ended.groups),
            key=lambda group: (group.worth, sketch.judges.index(group.judges[0])),
        )
    )
    status, message = _verdict(sketch, ended, groups)
    effective, shared = (
        _effective(plain, ended, rule.seed) if status is Status.OK else (float("nan"), float("nan"))
    )
    usable = {plain.judges[place] for unit in ended.panel.units for place in unit}
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


def copies_note(sketch: Sketch) -> list[str]:
    """Return a warning that names near copies, if there are any; none is looked for in huge panels."""
    if sketch.n_judges**2 * len(sketch) > policy.MOST_COPIES_WORK:
        return []
    found = judge_groups(sketch)
    return [
        f"{group.sentence()}; groups='one-each' does." for group in found.found if found.status.ok
    ]


def _in_order_of_names(sketch: Sketch) -> Sketch:
    """Return the same counts with judges, labels and answers sorted, so that order tells nothing."""
    judges = sorted(sketch.judges)
    labels = sorted(sketch.labels)
    answers = [*labels, *sorted(sketch.answers[sketch.n_labels :])]
    place = np.array([*(answers.index(answer) for answer in sketch.answers), NOT_ANSWERED])
    columns = [sketch.judges.index(judge) for judge in judges]
    codes = place[sketch.codes[:, columns]].astype(np.int16)
    return Sketch(tuple(judges), tuple(labels), tuple(answers), codes, sketch.counts)


def _verdict(sketch: Sketch, ended: Search, groups: tuple[JudgeGroup, ...]) -> tuple[Status, str]:
    n_heard = int((sketch.missing < sketch.n_items).sum())
    n_usable = sum(len(unit) for unit in ended.panel.units)
    if n_heard < policy.FEWEST_UNITS - 1:
        told = "groups are seen by how judges go with others, so there must be at least four"
        return Status.NOT_IDENTIFIABLE, f"{how_many(n_heard, 'judge')} answered; {told}."
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
    found, places = ended.panel.found, np.array(merged.members)
    here = ended.panel.measured(merged.members)
    left, right = np.triu_indices(len(places), 1)
    left, right = places[left], places[right]
    tested = found.tested[left, right] > 0
    chance = (found.shares[left] * found.shares[right]).sum(axis=1)
    explained = chance + here.expected * np.sqrt(found.spread[left] * found.spread[right])
    names = [
        tuple(sorted((plain.judges[place] for place in unit), key=order.index))
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
        agreement=float(found.same[left, right][tested].mean()),
        explained=float(np.clip(explained[tested].mean(), 0, 1)),
        shared_errors=here.residual,
        worth=here.worth(len(places)),
        p_value=merged.p_value,
        fewest_common=int(found.shared[left, right].min()),
        rivals=tuple(rivals[: policy.MOST_RIVALS]),
    )


def _effective(plain: Sketch, ended: Search, seed: int) -> tuple[float, float]:
    """Return how many judges the panel is worth, and the mean correlation of errors it rests on."""
    if plain.n_items < policy.FEWEST_ON_A_LABEL * plain.n_labels:
        return float("nan"), float("nan")
    kept = list(ended.panel.own())
    exam = FittedExam.of(plain.marginal([plain.judges[place] for place in kept]))
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
    usable = sorted(place for unit in ended.panel.units for place in unit)
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


def _equal(plain: Sketch, found: Alike, groups: tuple[JudgeGroup, ...]) -> Iterator[str]:
    """Name judges whose answers never differ, on many items, and who are in no group."""
    equal = (found.tested > 0) & (found.same * found.shared >= found.shared - 0.5)
    equal &= found.shared >= policy.EQUAL_ITEMS
    for i, j in np.argwhere(np.triu(equal, 1)):
        names = plain.judges[i], plain.judges[j]
        if not any(set(names) <= set(group.judges) for group in groups):
            yield (
                f"{_listed(names)} gave the same answer on all {found.shared[i, j]:.0f} common items: "
                "copies, or both right. The other judges do not tell."
            )


def _listed(names: tuple[str, ...]) -> str:
    """Return names as text; of many the first few."""
    shown = list(names[: policy.MOST_NAMED])
    if len(names) > len(shown):
        shown.append(f"{len(names) - len(shown)} more")
    return ", ".join(shown)


def _tuples(rows: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _group_in(document: Mapping[str, Any]) -> JudgeGroup:
    read = {"judges": tuple(document["judges"]), "rivals": _tuples(document["rivals"])}
    return JudgeGroup(**{**document, **read})
