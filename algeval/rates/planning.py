"""`plan`: labels before they are paid, for a rate, a difference, a panel of judges."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from math import inf
from typing import Any, ClassVar, NamedTuple, Required, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from algeval.budgets import Plan
from algeval.budgets import plan as of_classifiers
from algeval.data import Votes
from algeval.data.names import NOT_ANSWERED, check_choice, check_number, check_whole
from algeval.errors import DataError, option, parameter, refusal
from algeval.io.sources import read_labelled
from algeval.logic import reach
from algeval.rates import policy
from algeval.rates.inputs import Floats, Ints, as_votes, either_setting, panel_of, read_gold
from algeval.rates.intervals import normal_quantile
from algeval.rates.sizes import (
    connor,
    exact_pairs,
    labels_needed,
    rows_for_width,
    rows_to_decide,
    rows_to_tell,
    unpaired,
    whole,
)
from algeval.result import Result, Status, Table, percent
from algeval.result.base import Record
from algeval.result.numbers import as_float, how_many, level_text

# --- What plans hold: the number, the ways beside it, and what it rests on.


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way(Record):
    """One way to reach the goal.

    Attributes
    ----------
    name : str
    labels : int or None
        Items to label; None where labels on all of them do not reach it.
    fewest, most : int or None
        The same at the ends of the pilot's interval for `rho2`; None without a pilot.
    rests_on : str
    """

    name: str
    labels: int | None
    fewest: int | None = None
    most: int | None = None
    rests_on: str = ""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelPlan(Result):
    """How many items people must label, without judges and with them.

    Attributes
    ----------
    status : Status
        Always ok; `feasible` says whether the goal can be reached.
    goal : str
        "rate": an interval of a half-width; "accuracy", "recall": the same of a judge; "margin": a difference
        shown with a power.
    labels : int or None
        Items to label, with the judges where `rho2` is known, in each slice; None where labels on all do
        not do.
    table : tuple of Way
        The ways side by side.
    items : int or None
        Items the judges saw; None if as many as one likes.
    items_needed : int
        Items without which no number of labels does; 1 for `target="items"`.
    target : str
        "items": the rate on these items; "population": on what they are a sample of.
    rho2 : float or None
        Squared correlation of the judges' verdict, or its difference, with the truth.
    rho2_low, rho2_high : float or None
        Its interval, where it comes from a pilot.
    rate, half_width, margin, discordance, power : float or None
        What was asked; None where it does not belong to the goal.
    level : float
        Of the interval, or of the test; of all slices at once.
    assumption : str
    warnings : tuple of str
    slices : int
        Slices that each need so many labels; 1 for the whole.
    """

    schema: ClassVar[str] = "algeval.plan-labels/1"
    meaning: ClassVar[str] = (
        "A plan holds on average: the interval that comes out may be wider or narrower. Labels must be "
        "of items drawn at random, and right."
    )

    goal: str
    labels: int | None
    table: tuple[Way, ...]
    items: int | None
    items_needed: int
    target: str
    rho2: float | None
    rho2_low: float | None
    rho2_high: float | None
    rate: float | None
    half_width: float | None
    margin: float | None
    discordance: float | None
    power: float | None
    level: float
    assumption: str
    warnings: tuple[str, ...]
    slices: int = 1

    @property
    def feasible(self) -> bool:
        """Whether labels on these items can reach the goal."""
        return self.labels is not None

    @property
    def own_level(self) -> float:
        """Level of the interval of one slice, with which all slices hold at once (Bonferroni)."""
        return _own_level(self.level, self.slices, one_sided=self.goal == "margin")

    def as_tables(self) -> tuple[Table, ...]:
        """Row per way."""
        return (Table.of_records("Ways", Way, self.table),)

    def summary(self) -> str:
        """Number, the ways, and what they rest on."""
        width = max(len(row.name) for row in self.table)
        rows = [
            f"  {row.name:<{width}}  {_count(row)}  {row.rests_on}".rstrip() for row in self.table
        ]
        lines = [f"Assumes: {self.assumption}.", *(f"Warning: {text}" for text in self.warnings)]
        return "\n".join([self.message, *rows, *lines, self.meaning])


def _own_level(level: float, slices: int, *, one_sided: bool = False) -> float:
    """Level of one of several intervals; of a drop alone the level on one side is meant."""
    sides = 2 if one_sided and slices > 1 else 1
    return 1 - sides * (1 - level) / slices


def _count(row: Way) -> str:
    if row.labels is None:
        return f"{'-':>7}"
    between = "" if row.fewest is None else f" ({row.fewest:,} to {or_never(row.most)})"
    return f"{row.labels:>7,}{between}"


def or_never(most: int | None) -> str:
    """Number of labels as a person reads it."""
    return "never" if most is None else f"{most:,}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PanelSize(Record):
    """So many judges: the share of labels they save, and down to which level logic refutes.

    Attributes
    ----------
    judges : int
    rho2 : float
        What their vote share knows of the truth.
    reach : float or None
        Of their accuracies with enough items, see `reach`; None without `accuracy`.
    """

    judges: int
    rho2: float
    reach: float | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgePlan(Result):
    """What so many judges are worth, and what no number of them passes.

    Attributes
    ----------
    n_judges : int
    rho2 : float
        Squared correlation of the share of their votes with the truth: the share of labels they save.
    ceiling : float
        What it goes to with ever more of such judges.
    rho1 : float
        Mean correlation of one judge's vote with the truth.
    vote_correlation : float
        Mean correlation of two judges' votes.
    n_labels : int or None
        Labels of the pilot; None without one.
    table : tuple of PanelSize
    assumption : str
    accuracy, rate : float or None
        Of each judge, and of the first of two labels; None where correlations were given.
    reach : float or None
        With enough items logic refutes every higher level of accuracy, and no lower one.
    """

    schema: ClassVar[str] = "algeval.plan-judges/1"

    n_judges: int
    rho2: float
    ceiling: float
    rho1: float
    vote_correlation: float
    n_labels: int | None
    table: tuple[PanelSize, ...]
    assumption: str
    accuracy: float | None = None
    rate: float | None = None
    reach: float | None = None

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number of judges."""
        return (Table.of_records("Judges", PanelSize, self.table),)

    def summary(self) -> str:
        """Worth of the panel, of other sizes, and the ceiling."""
        rows = [f"  {size.judges:>6,}  {size.rho2:.3f}" for size in self.table]
        head = "  judges  labels saved"
        end = f"     any  {self.ceiling:.3f}"
        if self.reach is not None and self.accuracy is not None:
            head += "  logic refutes above"
            above = [
                "nothing" if size.reach is None or size.reach >= 1 else percent(size.reach)
                for size in self.table
            ]
            rows = [f"{row}         {level}" for row, level in zip(rows, above, strict=True)]
            end += f"         {percent(max(self.accuracy, 1 - self.accuracy))}"
        return "\n".join([self.message, head, *rows, end, f"Assumes: {self.assumption}."])


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Repeats(Record):
    """So many labels for each of so many items, and the half-width of the rate's interval then."""

    m: int
    items: int
    half_width: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatPlan(Result):
    """How many labels an item should get, for a rate and a budget.

    Attributes
    ----------
    labels_per_item, items : int
    half_width : float
        Of the interval of the rate, put right for wrong labels.
    best_real : float
        The best number of labels if it need not be whole.
    label_accuracy : float
        Chance that a label is right, on either side alike.
    table : tuple of Repeats
        A row per number of labels that the budget pays.
    rate, level : float
    assumption : str
    """

    schema: ClassVar[str] = "algeval.plan-repeats/1"

    labels_per_item: int
    items: int
    half_width: float
    best_real: float
    label_accuracy: float
    table: tuple[Repeats, ...]
    rate: float
    level: float
    assumption: str

    def as_tables(self) -> tuple[Table, ...]:
        """Row per number of labels."""
        return (Table.of_records("Labels per item", Repeats, self.table),)

    def summary(self) -> str:
        """Best number, the rows around it, and what it rests on."""
        near = range(1, self.labels_per_item + 4)
        rows = [
            f"  {row.m:>15}  {row.items:>7,}  {row.half_width:.4f}"
            for row in self.table
            if row.m in near
        ]
        head = f"  labels per item    items  half-width at {level_text(self.level)}"
        return "\n".join([self.message, head, *rows, f"Assumes: {self.assumption}."])


# --- What a few labelled items tell before the rest is paid: how much judges know of the truth.


class Pilot(NamedTuple):
    """Votes, and the truth of some of their items as seen from a label."""

    votes: Votes
    place: int  # of the label among the votes' labels
    rows: Ints  # (n,), labelled items
    truth: Floats  # (n,), 1 the label, 0 another
    verdict: Floats  # (n,), the panel's, one half for a tie of two, NaN where nobody judged


class Differences(NamedTuple):
    """Of two systems on the items labelled for both: true differences, those of the verdicts, all items."""

    truth: Floats
    verdict: Floats
    n_items: int


def read_pilot(pilot: Any, gold: Any, label: Any) -> Pilot:
    """Pilot's votes and labels; the votes' own key by default."""
    pilot, gold = read_labelled(pilot, gold)
    votes = as_votes(pilot, "pilot")
    if label is None:
        raise DataError(
            f"{parameter('good')} must say whose rate the pilot is about; got none; choose from "
            f"{list(votes.labels)}"
        )
    panel = panel_of(votes, label)
    labels = read_gold("key" if gold is None else gold, votes, label)
    return Pilot(
        votes,
        votes.labels.index(panel.label),
        labels.rows,
        labels.values,
        panel.credit[labels.rows],
    )


def read_paired_pilot(pilot: Any, gold: Any, label: Any) -> Differences:
    """Two systems' differences on the items labelled for both.

    `pilot`: on the first system's outputs and on the second's, of the same items; `gold`: labels of each;
    by default the keys of the votes; `label`: the one that counts for a system.
    """
    if not isinstance(pilot, list | tuple) or len(pilot) != 2:
        raise DataError(
            f"{parameter('pilot')} must be two tables for a margin, one of each system; got "
            f"{type(pilot).__name__}; pass "
            "(votes_a, votes_b)"
        )
    golds = (None, None) if gold is None else gold
    if not isinstance(golds, list | tuple) or len(golds) != 2:
        raise DataError(
            f"{parameter('human')} must be two sets of labels for a margin; got "
            f"{type(gold).__name__}; pass (human_a, human_b)"
        )
    a, b = (read_pilot(system, of, label) for system, of in zip(pilot, golds, strict=True))
    values_a, values_b = _by_item(a), _by_item(b)
    both = [(values_a[item], values_b[item]) for item in values_a if item in values_b]
    if not both:
        raise DataError(
            "pilots must share items that are labelled for both; got none; match the ids"
        )
    (truth_a, verdict_a), (truth_b, verdict_b) = np.transpose(both, (1, 2, 0))
    n_items = len({*a.votes.items} & {*b.votes.items})
    differences = Differences(truth_a - truth_b, verdict_a - verdict_b, n_items)
    if not differences.truth.any():
        raise DataError(
            f"the pilot must hold items on which the systems differ; got none of {len(both)}; label more"
        )
    return differences


def _by_item(pilot: Pilot) -> dict[str, tuple[float, float]]:
    """Mapping {item: (truth, verdict)} of the labelled items somebody judged."""
    items = [pilot.votes.items[row] for row in pilot.rows.tolist()]
    cells = zip(items, pilot.truth.tolist(), pilot.verdict.tolist(), strict=True)
    return {item: (truth, verdict) for item, truth, verdict in cells if verdict >= 0}


def rho2_with_range(
    truth: NDArray[Any], verdict: NDArray[Any], seed: int
) -> tuple[float, float, float]:
    """Squared correlation of verdict and truth, and the ends of its bootstrap interval."""
    n = len(truth)
    if n < policy.FEWEST_GOLD:
        raise DataError(
            f"a pilot must hold at least {policy.FEWEST_GOLD} labelled items with votes; got {n}; label "
            f"more, or give {option('rho2')}"
        )
    cells, counts = np.unique(np.stack([truth, verdict]), axis=1, return_counts=True)
    draws = np.random.default_rng(seed).multinomial(n, counts / n, policy.PILOT_DRAWS)
    rho2 = _squared(cells, np.vstack([counts, draws]) / n)
    low, high = np.quantile(rho2[1:], [(1 - policy.LEVEL) / 2, (1 + policy.LEVEL) / 2])
    return float(rho2[0]), float(low), float(high)


def _squared(cells: Floats, shares: Floats) -> Floats:
    """Squared correlation of two values (2, cells), by draws of shares (draws, cells)."""
    y, f = cells
    both = shares @ (y * f) - (shares @ y) * (shares @ f)
    spread = (shares @ y**2 - (shares @ y) ** 2) * (shares @ f**2 - (shares @ f) ** 2)
    moving = spread > policy.STILL
    return np.asarray(np.divide(both**2, spread, out=np.zeros(len(both)), where=moving))


def mean_correlations(pilot: Pilot) -> tuple[float, float]:
    """Mean correlation of a vote with the truth, and of two votes; constant judges count 0."""
    codes = pilot.votes.codes
    answered = (codes != NOT_ANSWERED).astype(float)
    votes = (codes == pilot.place) * answered
    rows = pilot.rows
    with_truth = _correlations(
        votes[rows], answered[rows], pilot.truth[:, None], np.ones((len(rows), 1))
    )
    each_other = _correlations(votes, answered, votes, answered)
    apart = ~np.eye(len(each_other), dtype=bool)
    return float(with_truth.mean()), float(each_other[apart].mean()) if apart.any() else 0.0


def _correlations(x: Floats, has_x: Floats, y: Floats, has_y: Floats) -> Floats:
    """(columns of x, columns of y): correlations over the rows that both have."""
    n = np.maximum(has_x.T @ has_y, 1)
    mean_x, mean_y = x.T @ has_y / n, has_x.T @ y / n
    both = x.T @ y / n - mean_x * mean_y
    spread = ((x * x).T @ has_y / n - mean_x**2) * (has_x.T @ (y * y) / n - mean_y**2)
    return np.divide(
        both, np.sqrt(np.maximum(spread, 0)), out=np.zeros_like(both), where=spread > policy.STILL
    )


# --- Numbers as people write them: 0.8, "80%" and "4/5" are the same.


def number(
    settings: dict[str, Any],
    name: str,
    *,
    least: float = 0,
    most: float | None = None,
    strict: bool = True,
) -> float:
    """Setting as a number between bounds, which `strict` refuses."""
    value = as_float(settings[name], name)
    below = value <= least if strict else value < least
    above = most is not None and (value >= most if strict else value > most)
    if below or above:
        rule = f"above {least:g}" if strict else f"from {least:g}"
        if most is not None:
            rule += f" and below {most:g}" if strict else f" to {most:g}"
        raise DataError(f"{parameter(name)} must be {rule}; got {settings[name]!r}; change it")
    return value


# --- Labels that may be wrong: one for each of many items, or several for each of fewer.


def accuracy_of_agreement(agreement: float) -> float:
    """How often a label is right if two of one item agree so often.

    Both people err equally often and unrelated, on either label alike, and are right more often than not.
    """
    if agreement <= 0.5:
        raise DataError(
            f"agreement must be above 1/2, or the labels say nothing; got {agreement:g}; check them"
        )
    return float(round((1 + (2 * agreement - 1) ** 0.5) / 2, 12))


def noise(accuracy: float) -> float:
    """What a wrong label adds to the variance of one item, the rate being put right for it."""
    return accuracy * (1 - accuracy) / (2 * accuracy - 1) ** 2


def plan_repeats(settings: dict[str, Any]) -> RepeatPlan:
    """How many labels an item should get for a budget."""
    rate, budget = number(settings, "rate", most=1), number(settings, "budget")
    item_cost = number(settings, "item_cost", strict=False) if "item_cost" in settings else 0.0
    label_cost = number(settings, "label_cost") if "label_cost" in settings else 1.0
    level = check_number("level", settings.get("level", policy.LEVEL), least=0, most=1, strict=True)
    most = check_whole("most_labels", settings.get("most_labels", policy.MOST_REPEATS), 1)
    right = _accuracy(settings)
    spread, more, z = rate * (1 - rate), noise(right), normal_quantile(level)
    table = [
        Repeats(m=m, items=n, half_width=z * ((spread + more / m) / n) ** 0.5)
        for m in range(1, most + 1)
        if (n := int((budget + 1e-9) / (item_cost + m * label_cost))) >= 1
    ]
    if not table:
        raise DataError(
            f"{parameter('budget')} must pay at least one item with one label; got {budget:g}; raise it"
        )
    best = min(table, key=lambda row: row.half_width)
    real = (item_cost / label_cost * more / spread) ** 0.5
    return RepeatPlan(
        status=Status.OK,
        message=_message(best, right, level),
        labels_per_item=best.m,
        items=best.items,
        half_width=best.half_width,
        best_real=real,
        label_accuracy=right,
        table=tuple(table),
        rate=rate,
        level=level,
        assumption=f"labels right {percent(right)} of the time on either side, errors unrelated, and the "
        "rate put right for them; uncorrected it leans towards one half",
    )


def _accuracy(settings: dict[str, Any]) -> float:
    if ("label_accuracy" in settings) == ("agreement" in settings):
        raise DataError(
            f"a plan of labels per item must know {parameter('label_accuracy')} or the agreement of two "
            f"labels; got {'both' if 'agreement' in settings else 'neither'}; give one"
        )
    if "agreement" in settings:
        return accuracy_of_agreement(number(settings, "agreement", most=1, strict=False))
    accuracy = number(settings, "label_accuracy", least=0.5)
    if accuracy > 1:
        raise DataError(
            f"{parameter('label_accuracy')} must be above 0.5 and at most 1; got "
            f"{settings['label_accuracy']!r}; change it"
        )
    return accuracy


def _message(best: Repeats, right: float, level: float) -> str:
    sentence = (
        f"{how_many(best.m, 'label')} for each of {best.items:,} items is best: the rate to within "
        f"{best.half_width:.3f} at {level_text(level)}."
    )
    if best.m > 1 or right == 1:
        return sentence
    return f"{sentence} Label 30 to 50 of them twice, drawn at random, to know how often labels are right."


# --- How much a panel of so many judges knows of the truth, and what no number of them passes.


def panel_rho2(rho1: float, vote_correlation: float, judges: int) -> float:
    """Squared correlation of a share of votes with the truth.

    `rho1`: correlation of one judge's vote with the truth; `vote_correlation`: of two judges' votes.
    """
    return judges * rho1**2 / (1 + (judges - 1) * vote_correlation)


def plan_judges(settings: dict[str, Any]) -> JudgePlan:
    """What so many judges are worth, from two correlations or from a pilot."""
    judges = check_whole("judges", settings["judges"], 1)
    if "accuracy" in settings:
        return _plan_by_accuracy(settings, judges)
    if "rate" in settings:
        do = f"give {parameter('accuracy')} too, or leave it out"
        raise refusal("rate", f"go with {parameter('accuracy')}", repr(settings["rate"]), do)
    rho1, between, n_labels = _correlations_of_judges(settings)
    limit = 1.0 if between <= 0 else min(1.0, rho1**2 / between)
    if 1 + (judges - 1) * between <= 0 or panel_rho2(rho1, between, judges) > 1:
        raise DataError(
            f"{parameter('vote_correlation')} must be large enough for {how_many(judges, 'judge')} "
            "who each agree with the "
            f"truth as {parameter('rho1')} = {rho1:.3g} says; got {between:.3g}; check both"
        )
    sizes = sorted({*policy.PANEL_SIZES, judges})
    table = [
        (size, panel_rho2(rho1, between, size)) for size in sizes if between > 0 or size <= judges
    ]
    rho2 = panel_rho2(rho1, between, judges)
    return JudgePlan(
        status=Status.OK,
        message=f"{how_many(judges, 'judge')} of this kind save {rho2:.3f} of the labels, and no number of "
        f"them more than {limit:.3f}.",
        n_judges=judges,
        rho2=rho2,
        ceiling=limit,
        rho1=rho1,
        vote_correlation=between,
        n_labels=n_labels,
        table=tuple(PanelSize(judges=size, rho2=table_) for size, table_ in table if table_ <= 1),
        assumption="judges alike: each as close to the truth, and each two as close to one another"
        + (
            ""
            if n_labels is None
            else f", as on average in a pilot of {how_many(n_labels, 'label')}"
        ),
    )


def _plan_by_accuracy(settings: dict[str, Any], judges: int) -> JudgePlan:
    """What so many judges of an accuracy are worth if their errors are independent."""
    for extra in ("rho1", "vote_correlation", "pilot", "human", "good"):
        if extra in settings:
            do = f"leave it or {parameter('accuracy')} out"
            raise refusal(extra, f"not go with {parameter('accuracy')}", repr(settings[extra]), do)
    accuracy = number(settings, "accuracy", least=0, most=1, strict=False)
    rate = number(settings, "rate", least=0, most=1) if "rate" in settings else 0.5
    said = rate * accuracy + (1 - rate) * (1 - accuracy)
    spread = said * (1 - said)
    rho1 = abs(2 * accuracy - 1) * (rate * (1 - rate) / spread) ** 0.5 if spread else 1.0
    sizes = sorted({*policy.PANEL_SIZES, judges})
    limits = {size: reach(size, accuracy, prevalence=rate) for size in sizes}
    rho2 = panel_rho2(rho1, rho1**2, judges)
    limit = limits[judges]
    return JudgePlan(
        status=Status.OK,
        message=f"{how_many(judges, 'judge')} of this kind {'saves' if judges == 1 else 'save'} {rho2:.3f} "
        f"of the labels. {limit.refuted} {limit.more_judges}".rstrip(),
        n_judges=judges,
        rho2=rho2,
        ceiling=1.0 if rho1 else 0.0,
        rho1=rho1,
        vote_correlation=rho1**2,
        n_labels=None,
        table=tuple(
            PanelSize(judges=size, rho2=panel_rho2(rho1, rho1**2, size), reach=limits[size].limit)
            for size in sizes
        ),
        assumption=f"two labels, {percent(rate)} of items the first; judges each right on "
        f"{percent(accuracy)} of items, whose errors are independent: of judges who err together neither "
        "is as good",
        accuracy=accuracy,
        rate=rate,
        reach=limit.limit,
    )


def _correlations_of_judges(settings: dict[str, Any]) -> tuple[float, float, int | None]:
    plain = {"rho1", "vote_correlation"} & settings.keys()
    if "pilot" in settings and not plain:
        pilot = read_pilot(settings["pilot"], settings.get("human"), settings.get("good"))
        rho1, between = mean_correlations(pilot)
        return rho1, between, len(pilot.rows)
    if len(plain) < 2 or "pilot" in settings:
        raise DataError(
            f"the judges must be told of by {parameter('rho1')} and "
            f"{parameter('vote_correlation')}, by {parameter('accuracy')}, or by a pilot; got "
            f"{', '.join(sorted(plain | ({'pilot'} & settings.keys()))) or 'neither'}; "
            "give the two or one of the others"
        )
    rho1 = number(settings, "rho1", least=0, most=1, strict=False)
    return rho1, number(settings, "vote_correlation", least=-1, most=1, strict=False), None


# --- What plans for a rate and for a margin say alike of judges and of pilots.


Rho2 = tuple[float, float | None, float | None]
"""The squared correlation, and the ends of its interval where it comes from a pilot."""


class Items(NamedTuple):
    """The items that may be labelled, and what they stand for.

    `number`: how many the judges saw, infinite if as many as one likes; `population`: whether the answer is
    about what they are a sample of.
    """

    number: float
    population: bool

    @property
    def seen(self) -> int | None:
        """How many the judges saw; None if as many as one likes."""
        return None if self.number == inf else int(self.number)

    @property
    def target(self) -> str:
        """What the answer is about, in one word."""
        return "population" if self.population else "items"

    def labels(self, alone: float, rho2: float) -> int | None:
        """Labels with judges, from those on endless items without; None if none do."""
        return labels_needed(alone, rho2, self.number, population=self.population)

    def needed(self, alone: float) -> int:
        """Items without which no number of labels does."""
        return whole(alone) if self.population else 1


def read_items(settings: dict[str, Any], seen: float = inf) -> Items:
    """Items and the target that were given; `seen` stands in for the items."""
    number = check_whole("items", settings["items"], 1) if "items" in settings else seen
    target = check_choice("target", settings.get("target", "items"), ["items", "population"])
    return Items(number, target == "population")


def row_with_judges(
    name: str, words: str, labels: Callable[[float], int | None], rho2: Rho2
) -> Way:
    """Way with judges, and its range where rho2 has one.

    `words`: what it rests on, with {} for rho2.
    """
    point, low, high = rho2
    if low is None or high is None:
        return Way(name=name, labels=labels(point), rests_on=words.format(f"{point:.2f}"))
    return Way(
        name=name,
        labels=labels(point),
        fewest=labels(high),
        most=labels(low),
        rests_on=words.format(f"{point:.2f} [{low:.2f}, {high:.2f}]"),
    )


def pilot_warnings(
    n_labels: int | None, rows: Sequence[Way], rho2: Rho2 | None = None
) -> tuple[str, ...]:
    """Warn where few labels with judges will do, and where few tell what judges know."""
    sentences = []
    if rho2 is not None and rho2[0] == 1:
        sentences.append(
            "rho2 = 1 says that the judges never err, and then no label is needed; measure it on a pilot"
        )
    judged = any(row.name.endswith("judges") for row in rows)
    if judged and 0 < (rows[-1].labels or 0) < policy.ENOUGH_LABELS:
        sentences.append(
            f"with fewer than {policy.ENOUGH_LABELS} labels how far judges can be relied on is itself a "
            "guess, and the interval comes out wider by a tenth or so; label some more"
        )
    if n_labels is not None and n_labels < policy.ENOUGH_PILOT:
        n = how_many(n_labels, "label")
        sentences.append(f"a pilot of {n} knows rho2 poorly; plan by the larger number")
    return tuple(sentences)


def read_slices(settings: dict[str, Any]) -> int:
    """How many slices are asked about at once."""
    return check_whole("slices", settings.get("slices", 1), 1)


def _in_slices(number: int, slices: int) -> str:
    """Words for labels in each slice."""
    return f" in each of {slices} slices ({slices * number:,} in all)" if slices > 1 else ""


# --- Labels that show one of two systems better on the same items, with a power.


class _Goal(NamedTuple):
    margin: float
    discordance: float
    rate: float
    z_level: float
    z_power: float
    items: Items
    slices: int

    @property
    def alone(self) -> float:
        """Labels for an interval of the difference, from endless items without judges.

        Of slices the variance is at least that of those which did not change.
        """
        spread = self.discordance - (0.0 if self.slices > 1 else self.margin**2)
        return spread * ((self.z_level + self.z_power) / self.margin) ** 2

    def labels(self, rho2: float) -> int | None:
        return self.items.labels(self.alone, rho2)

    def on_items(self, labels: int) -> int | None:
        """Labels if there are so many items."""
        return labels if labels <= self.items.number else None


def plan_margin(settings: dict[str, Any]) -> LabelPlan:
    """How many items must be labelled for both systems, alone, with judges, and unpaired."""
    level = check_number("level", settings.get("level", policy.LEVEL), least=0, most=1, strict=True)
    power = number(settings, "power", most=1) if "power" in settings else policy.POWER
    pilot = _pilot(settings)
    own = _own_level(level, read_slices(settings), one_sided=True)
    goal, rho2 = _goal(_with_pilot(settings, pilot), own, power), _rho2(settings, pilot)
    n_slices = goal.slices
    rows = _rows_of_margin(goal, own, power, rho2)
    if n_slices > 1:  # the change of each is estimated, not tested by its discordant pairs
        rows = [
            row for row in rows if row.name in ("same items, an interval", "the same and judges")
        ]
    best = rows[0] if rho2 is None else rows[-1]
    return LabelPlan(
        status=Status.OK,
        message=_message_of_margin(goal, rows, best, (power, level, n_slices)),
        goal="margin",
        labels=best.labels,
        table=tuple(rows),
        items=goal.items.seen,
        items_needed=goal.items.needed(goal.alone),
        target=goal.items.target,
        rho2=None if rho2 is None else rho2[0],
        rho2_low=None if rho2 is None else rho2[1],
        rho2_high=None if rho2 is None else rho2[2],
        rate=goal.rate,
        half_width=None,
        margin=goal.margin,
        discordance=goal.discordance,
        power=power,
        level=level,
        assumption=f"systems that differ on {percent(goal.discordance)} of the items, one right and one "
        "wrong; "
        + (f"rates near {goal.rate:.2f} (for unpaired alone); " if n_slices == 1 else "")
        + "labels drawn at random, and right",
        warnings=pilot_warnings(None if pilot is None else len(pilot.truth), rows, rho2),
        slices=n_slices,
    )


def _pilot(settings: dict[str, Any]) -> Differences | None:
    if "pilot" not in settings:
        return None
    both = {"discordance", "rho2"} & settings.keys()
    if both:
        raise DataError(f"{min(both)} must be given or come from a pilot; got both; leave one out")
    return read_paired_pilot(settings["pilot"], settings.get("human"), settings.get("good"))


def _with_pilot(settings: dict[str, Any], pilot: Differences | None) -> dict[str, Any]:
    """Settings with the pilot's discordance, and its items unless others are given."""
    if pilot is None:
        return settings
    return {"items": pilot.n_items} | settings | {"discordance": float(np.abs(pilot.truth).mean())}


def _rho2(settings: dict[str, Any], pilot: Differences | None) -> Rho2 | None:
    if pilot is not None:
        seed = check_whole("random", settings.get("random", 0), 0)
        return rho2_with_range(pilot.truth, pilot.verdict, seed)
    if "rho2" in settings:
        return number(settings, "rho2", least=0, most=1, strict=False), None, None
    return None


def _goal(settings: dict[str, Any], level: float, power: float) -> _Goal:
    discordance = number(settings, "discordance", most=1, strict=False)
    margin = number(settings, "margin", most=1)
    if not 0 < margin <= discordance or margin**2 == discordance:
        raise DataError(
            f"{parameter('discordance')} must be above 0, at most 1 and at least the margin "
            f"({margin:g}), as a system is "
            f"ahead only where they differ; got {discordance:g}; change it"
        )
    items = read_items(settings)
    rate = number(settings, "rate", most=1) if "rate" in settings else policy.HARDEST
    ends = normal_quantile(level), float(ndtri(power))
    return _Goal(margin, discordance, rate, *ends, items, read_slices(settings))


def _rows_of_margin(goal: _Goal, level: float, power: float, rho2: Rho2 | None) -> list[Way]:
    ends = goal.z_level, goal.z_power
    exactly = exact_pairs(goal.discordance, goal.margin, level, power)
    apart = unpaired(goal.rate, goal.margin, *ends)
    rows = [
        Way(
            name="same items, a test",
            labels=goal.on_items(connor(goal.discordance, goal.margin, *ends)),
            rests_on="items labelled for both systems; large-sample test of those that differ",
        ),
        Way(
            name="the same, exact test",
            labels=exactly and goal.on_items(exactly),
            rests_on="the same, with the binomial test",
        ),
        Way(name="other items each", labels=apart, rests_on="items for each of the systems"),
        Way(
            name=_JUDGES_DIFFER,
            labels=_where_judges_differ(goal, level, power),
            rests_on="two judges, or versions of one, with two labels: items on which their verdicts differ",
        ),
        Way(
            name="same items, an interval",
            labels=goal.labels(0),
            rests_on="of the difference, which must leave 0",
        ),
    ]
    if rho2 is not None:
        words = "judges whose differences know rho2 = {} of the true ones"
        rows.append(row_with_judges("the same and judges", words, goal.labels, rho2))
    return rows


_JUDGES_DIFFER = "where two judges differ"


def _where_judges_differ(goal: _Goal, level: float, power: float) -> int | None:
    """Labels of items on which two judges' verdicts differ: with two labels the share is their discordance.

    Of these items, where they are so many, by the exact set; of items like them by McNemar's mid-p test.
    """
    first = (1 + goal.margin / goal.discordance) / 2
    if goal.items.number == inf:
        return rows_to_tell(first, level, power)
    rows = round(goal.discordance * goal.items.number)
    if not goal.items.population:
        return rows_to_decide(round(first * rows), rows, level, power) if rows else None
    needed = rows_to_tell(first, level, power)
    return needed if needed is not None and needed <= rows else None


def _message_of_margin(
    goal: _Goal, rows: list[Way], best: Way, settings: tuple[float, float, int]
) -> str:
    power, level, n_slices = settings
    sure = f"power {level_text(power)} at {level_text(level)}"
    if n_slices > 1:
        sure += " all together"
    by_name = {row.name: row.labels for row in rows}
    judges = by_name.get(_JUDGES_DIFFER)
    of_judges = f" Of two judges, {judges:,} items on which they differ do." if judges else ""
    if best.labels is None:
        return (
            f"No number of labels on {goal.items.number:,} items shows a difference of {goal.margin:g} with "
            f"{sure}: it takes {whole(goal.alone):,} items; get more items, not labels.{of_judges}"
        )
    between = (
        "" if best.fewest is None else f" ({best.fewest:,} to {or_never(best.most)} by the pilot)"
    )
    if n_slices > 1:
        return (
            f"{how_many(best.labels, 'item')}{between}{_in_slices(best.labels, n_slices)} labelled for both "
            f"systems show in which slice the rate fell by {goal.margin:g}, with {sure}."
        )
    return (
        f"{how_many(best.labels, 'item')}{between} labelled for both systems show a difference of "
        f"{goal.margin:g} with {sure}; on items of their own each system takes "
        f"{by_name['other items each']:,}.{of_judges}"
    )


# --- The questions a plan answers, each with the settings that belong to it: exactly one is asked.


class ClassifierQuestion(TypedDict, total=False):
    """Which of two classifiers is better, for a budget of labels."""

    budget: Required[Any]
    accuracy: Required[Any]
    label_accuracy: Required[Any]
    margin: Any
    item_cost: Any
    label_cost: Any
    gold_cost: Any
    better_if_wrong: Any
    better_if_right: Any
    disagreements: bool
    most_labels: int
    n_labels: int


class JudgeRateQuestion(TypedDict, total=False):
    """A judge's accuracy, or its recall of a label, known to within half a width."""

    half_width: Required[Any]
    accuracy: Any
    recall: Any
    rate: Any
    items: int
    slices: int
    level: float


class RateQuestion(TypedDict, total=False):
    """A rate, known to within half a width."""

    half_width: Required[Any]
    slices: int
    rate: Any
    rho2: Any
    pilot: Any
    human: Any
    good: Any
    gold: Any
    label: Any
    items: int
    target: str
    level: float
    random: int


class MarginQuestion(TypedDict, total=False):
    """Two systems on the same items, a margin apart: by their discordance, or by a pilot of both."""

    margin: Required[Any]
    slices: int
    discordance: Any
    pilot: Any
    human: Any
    good: Any
    gold: Any
    label: Any
    random: int
    power: Any
    rate: Any
    rho2: Any
    items: int
    target: str
    level: float


class JudgeQuestion(TypedDict, total=False):
    """What so many judges are worth."""

    judges: Required[int]
    accuracy: Any
    rate: Any
    rho1: Any
    vote_correlation: Any
    pilot: Any
    human: Any
    good: Any
    gold: Any
    label: Any


class RepeatQuestion(TypedDict, total=False):
    """How many labels an item, for a rate and a budget."""

    budget: Required[Any]
    rate: Required[Any]
    label_accuracy: Any
    agreement: Any
    item_cost: Any
    label_cost: Any
    most_labels: int
    level: float


class Question(NamedTuple):
    """What is asked for, in words; the sets of settings that ask it; all that may go with them."""

    words: Callable[[], str]
    asked_by: tuple[frozenset[str], ...]
    settings: frozenset[str]


def _question(words: Callable[[], str], asked_by: str, kind: Any) -> Question:
    alternatives = tuple(frozenset(alternative.split()) for alternative in asked_by.split(" or "))
    return Question(words, alternatives, kind.__required_keys__ | kind.__optional_keys__)


QUESTIONS = {
    "rate": _question(lambda: f"{option('half_width')} for a rate", "half_width", RateQuestion),
    "margin": _question(
        lambda: f"{option('margin')} and {option('discordance')} for two systems",
        "margin discordance or margin pilot",
        MarginQuestion,
    ),
    "judge": _question(
        lambda: (
            f"{option('half_width')} and {option('accuracy')} or {option('recall')} for a judge"
        ),
        "half_width accuracy or half_width recall",
        JudgeRateQuestion,
    ),
    "judges": _question(
        lambda: f"{option('judges')} for what so many are worth", "judges", JudgeQuestion
    ),
    "classifiers": _question(
        lambda: f"{option('budget')} and {option('accuracy')} for two classifiers",
        "budget accuracy",
        ClassifierQuestion,
    ),
    "repeats": _question(
        lambda: f"{option('budget')} and {option('rate')} for labels per item",
        "budget rate",
        RepeatQuestion,
    ),
}
"""By name."""


def question_of(settings: dict[str, Any]) -> str:
    """Which question the settings ask."""
    goals = {
        name: alternative
        for name, question in QUESTIONS.items()
        for alternative in question.asked_by
        if settings.keys() >= alternative
    }
    names = [  # a half-width and an accuracy ask about a judge, not about a rate
        name for name, own in goals.items() if not any(own < other for other in goals.values())
    ]
    if len(names) != 1:
        choices = "; ".join(question.words() for question in QUESTIONS.values())
        words = ", ".join(option(name) for name in settings) or "nothing"
        raise DataError(
            f"a plan must have exactly one goal: {choices}; got {words}; give one of these"
        )
    extra = sorted(settings.keys() - QUESTIONS[names[0]].settings)
    if extra:
        raise DataError(
            f"{parameter(extra[0])} must be left out of a plan with {QUESTIONS[names[0]].words()}; got "
            f"{settings[extra[0]]!r}; it belongs to another goal"
        )
    return names[0]


# --- Labels for a rate that is to be known to within half a width.


class _RateGoal(NamedTuple):
    rate: float
    half_width: float
    items: Items
    level: float
    slices: int

    @property
    def alone(self) -> float:
        own = _own_level(self.level, self.slices)
        return rows_for_width(self.rate, self.half_width, own, exact=True)

    def labels(self, rho2: float) -> int | None:
        numbers, few = self.items.labels(self.alone, rho2), self.items.labels(self.alone, 0)
        if numbers is None or few is None:
            return None
        of_a_kind = policy.FEWEST_OF_A_KIND / min(self.rate, 1 - self.rate)
        return max(numbers, min(few, whole(max(policy.FEWEST_GOLD, of_a_kind))))


def plan_rate(settings: dict[str, Any]) -> LabelPlan:
    """How many labels do, alone and with judges."""
    pilot = None
    if "pilot" in settings:
        pilot = read_pilot(settings["pilot"], settings.get("human"), settings.get("good"))
    goal, rho2 = _goal_of_rate(settings, pilot), _rho2_of_rate(settings, pilot)
    rows = [Way(name="labels only", labels=goal.labels(0), rests_on="random labels")]
    if rho2 is not None:
        words = "judges who know rho2 = {} of the truth"
        rows.append(row_with_judges("labels and judges", words, goal.labels, rho2))
    labels = rows[-1].labels
    return LabelPlan(
        status=Status.OK,
        message=_message_of_rate(goal, rows, rho2),
        goal="rate",
        labels=labels,
        table=tuple(rows),
        items=goal.items.seen,
        items_needed=goal.items.needed(goal.alone),
        target=goal.items.target,
        rho2=None if rho2 is None else rho2[0],
        rho2_low=None if rho2 is None else rho2[1],
        rho2_high=None if rho2 is None else rho2[2],
        rate=goal.rate,
        half_width=goal.half_width,
        margin=None,
        discordance=None,
        power=None,
        level=goal.level,
        assumption=_assumption(settings, pilot, goal),
        warnings=pilot_warnings(None if pilot is None else len(pilot.rows), rows, rho2),
        slices=goal.slices,
    )


def _goal_of_rate(settings: dict[str, Any], pilot: Pilot | None) -> _RateGoal:
    half_width = number(settings, "half_width", most=0.5)
    if "rate" in settings:
        rate = number(settings, "rate", most=1)
    else:
        rate = policy.HARDEST if pilot is None else float(pilot.truth.mean())
        if not 0 < rate < 1:
            rate = policy.HARDEST
    items = read_items(settings, inf if pilot is None else len(pilot.votes.items))
    level = check_number("level", settings.get("level", policy.LEVEL), least=0, most=1, strict=True)
    return _RateGoal(rate, half_width, items, level, read_slices(settings))


def _rho2_of_rate(settings: dict[str, Any], pilot: Pilot | None) -> Rho2 | None:
    if "rho2" in settings and pilot is not None:
        raise DataError(
            f"{parameter('rho2')} must be given or come from a pilot; got both; leave one out"
        )
    if pilot is not None:
        judged = pilot.verdict >= 0
        seed = check_whole("random", settings.get("random", 0), 0)
        return rho2_with_range(pilot.truth[judged], pilot.verdict[judged], seed)
    if "rho2" in settings:
        return number(settings, "rho2", least=0, most=1, strict=False), None, None
    return None


def _message_of_rate(goal: _RateGoal, rows: list[Way], rho2: Rho2 | None) -> str:
    best = rows[-1]
    within = f"within {goal.half_width:g} at {level_text(goal.level)}"
    if goal.slices > 1:
        within += " all together"
    if best.labels is None:
        return (
            f"No number of labels on {goal.items.number:,} items tells the population's rate to {within}: "
            f"it takes {whole(goal.alone):,} items; get more items, not labels."
        )
    each = _in_slices(best.labels, goal.slices)
    rate = "its rate" if goal.slices > 1 else "the rate"
    sentence = f"{how_many(best.labels, 'label')}{each} tell {rate} to {within}"
    if best.fewest is not None:
        sentence += f", and {best.fewest:,} to {or_never(best.most)} as far as the pilot can say"
    return sentence + (f"; without judges {rows[0].labels:,}." if rho2 is not None else ".")


def _assumption(settings: dict[str, Any], pilot: Pilot | None, goal: _RateGoal) -> str:
    guessed = " (the hardest case)" if "rate" not in settings and pilot is None else ""
    about = "these items" if not goal.items.population else "what the items are a sample of"
    of_pilot = "" if pilot is None else f"; rho2 as among {len(pilot.rows)} labels of the pilot"
    return f"a rate near {goal.rate:.2f}{guessed} of {about}; labels drawn at random, and right{of_pilot}"


# --- Labels for a judge's accuracy, or its recall of a label: the card's interval, over every outcome.


def plan_judge(settings: dict[str, Any]) -> LabelPlan:
    """How many labels bring the interval of a judge's accuracy or recall to half a width."""
    figure = "recall" if "recall" in settings else "accuracy"
    if "accuracy" in settings and "recall" in settings:
        raise DataError(
            f"a plan must be about {parameter('accuracy')} or {parameter('recall')}; got both; leave one out"
        )
    if figure == "accuracy" and "rate" in settings:
        raise DataError(
            f"{parameter('rate')} must be left out of a plan with {option('accuracy')}; got "
            f"{settings['rate']!r}; with {option('recall')} it is the share of outputs with that label"
        )
    value = number(settings, figure, most=1)
    half_width = number(settings, "half_width", most=0.5)
    level = check_number("level", settings.get("level", policy.LEVEL), least=0, most=1, strict=True)
    items, n_slices = read_items(settings).number, read_slices(settings)
    n = rows_for_width(value, half_width, _own_level(level, n_slices))
    rows = [Way(name="labels only", labels=n, rests_on="random labels")]
    what, share = f"a judge's {figure}", None
    if figure == "recall":
        rows = [Way(name="of that label", labels=n, rests_on="items that people give the label")]
        what = "a judge's recall of a label"
        if "rate" in settings:
            share = number(settings, "rate", most=1)
            rests_on = f"random labels, of which {percent(share)} are that one"
            rows.append(Way(name="drawn at random", labels=whole(n / share), rests_on=rests_on))
    needed = rows[-1].labels or 0
    if needed > items:
        rows[-1] = dataclasses.replace(rows[-1], labels=None)
    within = f"within {half_width:g} at {level_text(level)}" + " all together" * (n_slices > 1)
    message = f"{how_many(needed, 'label')}{_in_slices(needed, n_slices)} tell {what} to {within}"
    if figure == "recall":
        message += f"; {n:,} of them of that label" if share is not None else ", all of that label"
    message += "."
    if rows[-1].labels is None:
        message = (
            f"No number of labels on {items:,} items tells {what} to {within}: it takes {needed:,} items; "
            "get more items, not labels."
        )
    return LabelPlan(
        status=Status.OK,
        message=message,
        goal=figure,
        labels=rows[-1].labels,
        table=tuple(rows),
        items=None if items == inf else int(items),
        items_needed=needed,
        target="population",
        rho2=None,
        rho2_low=None,
        rho2_high=None,
        rate=value,
        half_width=half_width,
        margin=None,
        discordance=None,
        power=None,
        level=level,
        assumption=f"a judge whose {figure} is near {value:.2f} on items like these; labels right",
        warnings=(),
        slices=n_slices,
    )


# --- Before labels are paid: one question at a time, told apart by the goal that is given.


@overload
def plan(**settings: Unpack[ClassifierQuestion]) -> Plan: ...
@overload
def plan(**settings: Unpack[JudgeRateQuestion]) -> LabelPlan: ...
@overload
def plan(**settings: Unpack[RateQuestion]) -> LabelPlan: ...
@overload
def plan(**settings: Unpack[MarginQuestion]) -> LabelPlan: ...
@overload
def plan(**settings: Unpack[JudgeQuestion]) -> JudgePlan: ...
@overload
def plan(**settings: Unpack[RepeatQuestion]) -> RepeatPlan: ...
def plan(
    *,
    half_width: Any = None,
    rate: Any = None,
    rho2: Any = None,
    pilot: Any = None,
    human: Any = None,
    good: Any = None,
    items: int | None = None,
    target: str | None = None,
    level: float | None = None,
    random: int | None = None,
    margin: Any = None,
    discordance: Any = None,
    power: Any = None,
    judges: int | None = None,
    rho1: Any = None,
    vote_correlation: Any = None,
    budget: Any = None,
    accuracy: Any = None,
    recall: Any = None,
    slices: int | None = None,
    label_accuracy: Any = None,
    agreement: Any = None,
    item_cost: Any = None,
    label_cost: Any = None,
    gold_cost: Any = None,
    better_if_wrong: Any = None,
    better_if_right: Any = None,
    disagreements: bool | None = None,
    most_labels: int | None = None,
    n_labels: int | None = None,
    label: Any = None,
    gold: Any = None,
) -> Plan | LabelPlan | JudgePlan | RepeatPlan:
    """How many labels a rate, a comparison or a budget needs, before any are paid.

    Exactly one goal is given, and the settings that belong to it. Numbers are read as written: 0.8 and
    "80%" are 4/5.

    ========================================  ============================================================
    goal                                      with
    ========================================  ============================================================
    `half_width`: a rate to within so much    `rate`, `items`, `target`, `level`; `rho2`, or `pilot`, `human`
                                              and `good`; `slices`
    `half_width` and `accuracy` or `recall`:  `items`, `level`, `slices`; of a recall `rate`
    a judge's, to within so much
    `margin` and `discordance`: two systems,  `power`, `level`, `rate`; `rho2`, `items`, `target`; `slices`;
    judges, or versions, on the same items    or, in place of `discordance` and `rho2`, a `pilot` of both
    `judges`: what so many are worth          `rho1` and `vote_correlation`, or `pilot`, `human`, `good`; or
                                              `accuracy` and `rate`, and down to which level logic refutes
    `budget` and `accuracy`: two classifiers  `label_accuracy`, and all that `algeval.budgets.plan` takes
    `budget` and `rate`: labels per item      `label_accuracy` or `agreement`, `item_cost`, `label_cost`
    ========================================  ============================================================

    Parameters
    ----------
    half_width : number
        Half the interval of the rate.
    rate : number
        What it may be; 1/2, the hardest, by default. With a recall: the share of outputs with that label.
    recall : number
        What a judge's recall of a label may be.
    slices : int
        Slices that are asked about at once; numbers are for each, and so are `items`.
    rho2 : number
        Squared correlation of the judges' verdict with the truth; of their differences with the true
        ones for a margin.
    pilot : votes or a table
        Votes on items of which some have a label of people, `human` (default: those that came with
        the votes), seen from the label `good`. For a margin two of each: (votes_a, votes_b),
        (human_a, human_b).
    items : int
        Items that the judges see; endless by default, or those of the pilot.
    target : "items" or "population"
        The rate on these items, or on what they are a sample of.
    level, power : number
        Of the interval and of the comparison; .95 and .8 by default.
    random : int
        Seed of the pilot's resamples.
    margin, discordance : number
        By how much one system is better, and the share of items on which one is right and one wrong. Of
        two judges with two labels, or two versions of one, it is that of items on which they differ.
    judges : int
        How many.
    rho1, vote_correlation : number
        Correlation of one vote with the truth, and of two votes.
    budget, accuracy, label_accuracy, margin, gold_cost, better_if_wrong, better_if_right
        See `algeval.budgets.plan`, which answers in words of two classifiers. With a half-width `accuracy`
        is what a judge's may be; with `judges` that of each, their errors independent.
    disagreements, most_labels, n_labels
        The same.
    agreement : number
        How often two labels of one item agree, in place of `label_accuracy`.
    item_cost, label_cost : number
        Of an item and of a label; 0 and 1 by default.
    label, gold : optional
        The old names of `good` and `human`, for one release.

    Returns
    -------
    LabelPlan, JudgePlan, RepeatPlan or Plan
        By the goal; each has `table`, the alternatives, and `summary()`.

    Raises
    ------
    DataError
        If there is no goal or several, a setting belongs to another, or a number is out of range.

    Examples
    --------
    >>> plan(rate=0.7, half_width=0.05, rho2=0.24, items=2000).labels
    229
    >>> plan(margin=0.03, discordance=0.1).labels
    870
    >>> plan(half_width=0.05, accuracy=0.9).labels
    139
    >>> found = plan(budget=1500, accuracy=0.8, margin=0.01, label_accuracy=0.8)
    >>> found.labels_per_item, round(found.win, 5), found.verdict
    (1, 0.65237, 'proved')
    """
    good = either_setting(label, good, "label", "good")
    human = either_setting(gold, human, "gold", "human")
    label = gold = None
    settings = {name: value for name, value in locals().items() if value is not None}
    return _ANSWERS[question_of(settings)](settings)


def _of_classifiers(settings: dict[str, Any]) -> Plan:
    if "label_accuracy" not in settings:
        do = "say how often a label is right, as 0.8"
        raise refusal("label_accuracy", "be given for two classifiers", "none", do)
    return of_classifiers(**settings)


_ANSWERS: dict[str, Callable[[dict[str, Any]], Plan | LabelPlan | JudgePlan | RepeatPlan]] = {
    "classifiers": _of_classifiers,
    "rate": plan_rate,
    "judge": plan_judge,
    "margin": plan_margin,
    "judges": plan_judges,
    "repeats": plan_repeats,
}
