"""`versus`: systems on the same items, and whether one is better."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from string import ascii_lowercase, ascii_uppercase
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from algeval.data import Sketch, Votes
from algeval.data.names import (
    NOT_ANSWERED,
    check_choice,
    check_number,
    check_whole,
    counted_by_cut,
)
from algeval.data.reading import Source
from algeval.data.votes import MOST_LABELS, GroupedSketch, LabelledSketch
from algeval.door import reads_as_named
from algeval.errors import DataError, option, parameter, with_means
from algeval.io.results import Results, own_say_more
from algeval.io.sources import (
    clusters_on_items,
    is_single_table,
    read_labelled,
    read_results,
    saved_counts,
)
from algeval.logic.proof import Certificate, question_clock
from algeval.rates.inputs import (
    LOOKED_AT,
    TARGETS,
    UNJUDGED,
    CountedPairs,
    Floats,
    Gold,
    Ints,
    Labels,
    Pairs,
    Panel,
    Scope,
    answered_by,
    as_votes,
    cells_of_pair,
    chances_of,
    check_letters,
    cluster_codes,
    either_setting,
    exact_share,
    good_of_table,
    human_codes,
    inclusion_of,
    join_gold,
    join_systems,
    join_trials,
    label_or_pass,
    labels_of_people,
    labels_together,
    left_out,
    likely_grade,
    no_labels,
    panel_of,
    read_both,
    read_gold,
    read_side,
    same_outputs,
    target_of,
    touches_few,
)
from algeval.rates.intervals import (
    NOT_RANDOM,
    Difference,
    Drawing,
    Drawn,
    Estimate,
    Labelled,
    Predictor,
    chances_of_waves,
    drawn_balance,
    exact_chance,
    fewest_discordant,
    log_hypergeometric,
    paired_regression,
    paired_strata,
    picked_labels,
    ranks_of,
    stands_for,
    too_few,
)
from algeval.rates.ladder import Proofs, contradictions, of_belief, refused
from algeval.rates.policy import (
    BELIEFS,
    ESCAPED,
    FEWEST_CLUSTERS,
    FEWEST_GOLD,
    LABEL_MOVED,
    LADDER_WORK,
    LEVEL,
    UNBALANCED,
    UNBALANCED_CHANCE,
)
from algeval.rates.rungs import (
    AssumptionRow,
    Belief,
    End,
    Ends,
    Ground,
    assumption_row,
    beliefs_in,
    brief,
    ground_of,
)
from algeval.rates.streams import (
    AnytimeEnds,
    DrawnPairs,
    common_ends,
    paired_ends,
    unpaired_ends,
)
from algeval.result import Result, Status, Table, percent
from algeval.result.base import Record
from algeval.result.numbers import how_many, level_text

# --- A comparison: its settings checked, files joined, labels read.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings(Scope):
    """Settings of a comparison of two systems, checked."""

    label: object
    names: tuple[str, str]
    golds: tuple[Any, Any, Any]  # of A, of B, of both
    outputs: tuple[Any, Any] = (None, None)
    drawn: str | None
    inclusion: Any
    cluster: Any
    method: str
    at_least: object | None  # what is believed of the judges
    usual: tuple[str, ...] = ()  # levels to look at where nothing is believed
    time_limit: float | None  # seconds for the proofs of what follows from it
    margin: float = 0.0  # how much worse a system may be
    unpaired: str = ""  # why outputs that are only counted are not paired
    # the prompt of each output of A and of B, where some prompt has several
    trials: tuple[Sequence[str], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        check_choice("target", self.target, TARGETS)
        check_choice("method", self.method, ("auto", "strata", "ppi"))
        if self.drawn is not None:
            check_choice("drawn", self.drawn, ("random", "differing", "unequal"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question:
    """Two systems on the items they share."""

    settings: Settings
    votes: tuple[Votes | Sketch, Votes | Sketch]
    pairs: Pairs
    # (n_items,), where both put out the same; None where outputs are not known
    same: NDArray[np.bool_] | None
    labels: Labels  # of items labelled for both
    # (n_gold,), the chance with which each of these was drawn, where they differ
    inclusion: Floats | None
    clusters: Ints | None  # (n_items,)
    drawn: str
    notes: tuple[str, ...]  # what reading the labels did
    golds: tuple[Gold, Gold] | None = None  # labels of each system
    # of counts: each system's outputs with all of its labels
    apart: tuple[tuple[Sketch, Gold], tuple[Sketch, Gold]] | None = None
    # same of those to prompts that both answered
    of_common: tuple[tuple[Sketch, Gold], tuple[Sketch, Gold]] | None = None
    counted_labels: Floats | None = None  # of counts: (rows, 2), label of each output; NaN for none
    n_others: tuple[int, int] = (0, 0)  # items that each system answered alone
    not_dealt: str = ""  # what shows that they are not like those of both; they are left out then

    @property
    def open_items(self) -> NDArray[np.bool_]:
        """Where the two systems can differ."""
        return np.ones(len(self.pairs.rows_a), bool) if self.same is None else ~self.same

    @property
    def n_open(self) -> int:
        """On how many items they can."""
        return self.pairs.total(self.open_items)

    @property
    def differing(self) -> NDArray[np.bool_]:
        """Where outputs differ, or verdicts where outputs are not known."""
        if self.pairs.trials:
            return np.asarray(np.nan_to_num(self.pairs.credits) != 0)
        if self.same is not None:
            return ~self.same
        verdicts = self.pairs.verdicts
        return np.asarray((verdicts != 0) & (verdicts != UNJUDGED))

    @property
    def n_discordant(self) -> int:
        """Labelled items on which the labels differ and the systems can."""
        return int((self.labels.differences[self.open_items[self.labels.rows]] != 0).sum())


def read_question(votes: tuple[Votes, Votes], settings: Settings) -> Question:
    """Labels, clusters and chances joined to the items that both systems answered."""
    names = tuple(map(str, settings.names))
    if len(set(names)) != 2 or len(names) != 2:
        raise DataError(
            f"{parameter('names')} must be two different names; got {settings.names!r}; pass "
            "(name_a, name_b)"
        )
    read = _golds(settings.golds, votes, settings.label)
    pairs = join_systems(*votes, settings.label, _labels_of_both(votes, read))
    labels = no_labels() if read is None else join_gold(pairs, *read)
    same = same_outputs(pairs, *settings.outputs)
    drawn, inclusion = _drawn(settings, read, pairs, labels, same)
    cluster, clusters = clusters_on_items(settings.cluster, votes[0], votes[0]), None
    if cluster is not None:
        of_all = cluster_codes(cluster, votes[0].items)[pairs.rows_a]
        clusters = np.unique(of_all, return_inverse=True)[1]
    return Question(
        settings=replace(settings, names=names),
        votes=votes,
        pairs=pairs,
        same=same,
        labels=labels,
        inclusion=inclusion,
        clusters=clusters,
        drawn=drawn,
        notes=tuple(dict.fromkeys(note for gold in read or () for note in gold.notes)),
        golds=read,
        n_others=(len(pairs.only_a), len(pairs.only_b)),
    )


def question_of_trials(votes: tuple[Votes, Votes], settings: Settings) -> Question | None:
    """Question about prompts of which a system has several outputs; None where outputs are looked at.

    Prompts are the items, and clusters of their own, each with the mean over its outputs. Outputs are
    looked at where more is known of them: the chances or the order of their labels, say.
    """
    s = settings
    stated = (s.inclusion, s.drawn, s.at_least, *s.outputs)
    if s.trials is None or any(setting is not None for setting in stated) or s.method == "strata":
        return None
    read = _golds(s.golds, votes, s.label)
    if read is None or not all(len(gold) for gold in read):
        return None
    if any(gold.draws or gold.waves or gold.inclusion is not None for gold in read):
        return None
    truths = _labels_of_both(votes, read)
    a, b = (panel_of(of, s.label, truths=truths) for of in votes)
    pairs, labels = join_trials((a, b), s.trials, read)
    return Question(
        settings=replace(s, names=(str(s.names[0]), str(s.names[1])), usual=()),
        votes=votes,
        pairs=pairs,
        same=None,
        labels=labels,
        inclusion=None,
        clusters=_clusters_of_prompts(votes[0], s, pairs.items),
        drawn="random",
        notes=tuple(dict.fromkeys(note for gold in read for note in gold.notes)),
        golds=read,
        n_others=(len(pairs.only_a), len(pairs.only_b)),
    )


def _clusters_of_prompts(votes: Votes, settings: Settings, prompts: Sequence[str]) -> Ints:
    """Cluster of each prompt of which a system has several outputs: its own, or the one that is stated."""
    cluster = clusters_on_items(settings.cluster, votes, votes)
    if cluster is None or settings.trials is None:
        return np.arange(len(prompts))
    cluster_of: dict[str, int] = {}
    codes = cluster_codes(cluster, votes.items).tolist()
    for prompt, code in zip(settings.trials[0], codes, strict=True):
        if cluster_of.setdefault(prompt, code) != code:
            raise DataError(
                f"all outputs of a prompt must lie in one cluster; got several for {prompt!r}; name a column "
                f"with {option('cluster')} that is the same on all rows of a prompt, or leave it out"
            )
    return np.unique([cluster_of[prompt] for prompt in prompts], return_inverse=True)[1]


def _labels_of_both(
    votes: tuple[Votes | Sketch, Votes | Sketch], golds: tuple[Gold | None, Gold | None] | None
) -> set[str]:
    """Labels that people gave to the outputs of either system."""
    sides = zip(votes, golds or (), strict=False)
    return {name for of, gold in sides for name in labels_of_people(of, gold)}


def _golds(
    golds: tuple[Any, Any, Any], votes: tuple[Votes, Votes], label: object
) -> tuple[Gold, Gold] | None:
    """Labels of each system, None if there are none."""
    if golds[2] is None and (golds[0] is None) != (golds[1] is None):
        raise DataError(
            f"labels must be of both systems' answers; got those of one; pass {option('human_a')} "
            f"and {option('human_b')}"
        )
    a, b = _own_golds(golds, votes, label)
    return None if a is None or b is None else (a, b)


def _own_golds(
    golds: tuple[Any, Any, Any], votes: tuple[Votes | Sketch, Votes | Sketch], label: object
) -> tuple[Gold | None, Gold | None]:
    gold_a, gold_b, both = golds
    if both is not None and (gold_a is not None or gold_b is not None):
        raise DataError(
            f"labels must come as {option('human')} or as {option('human_a')} and "
            f"{option('human_b')}; got both; drop one"
        )
    if both is not None:
        return read_both(both, votes, label)  # type: ignore[arg-type]
    a, b = (
        gold
        if gold is None or isinstance(gold, Gold)
        else read_gold(gold, of, label, name=name, split=True)  # type: ignore[arg-type]  # no labels join counts
        for gold, of, name in zip((gold_a, gold_b), votes, ("human_a", "human_b"), strict=True)
    )
    return a, b


def _drawn(
    settings: Settings,
    golds: tuple[Gold, Gold] | None,
    pairs: Pairs,
    labels: Labels,
    same: NDArray[np.bool_] | None,
) -> tuple[str, Floats | None]:
    """How labels were drawn, and their chances where they differ."""
    drawn, inclusion = settings.drawn, settings.inclusion
    if drawn == "differing" and same is None:
        raise DataError(
            f"{option('drawn', 'differing')} needs to know which outputs differ; got none; pass "
            f"{option('outputs_a')} and {option('outputs_b')}"
        )
    if drawn in ("random", "differing") and inclusion is not None:
        raise DataError(
            f"{parameter('inclusion')} must come with {option('drawn', 'unequal')}; got "
            f"{option('drawn', drawn)}; say which it is"
        )
    if drawn in ("random", "differing") or golds is None:
        return drawn or "random", None
    chances = inclusion_of(inclusion, golds, pairs, labels)
    if chances is None and drawn == "unequal":
        raise DataError(
            f"{option('drawn', 'unequal')} needs the chance of each labelled item; got none; pass "
            f"inclusion={{item: chance}}"
        )
    return "random" if chances is None else "unequal", chances


# --- What a comparison of two systems holds, and how a person reads it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(AssumptionRow):
    """What one source or assumption says of the difference.

    Attributes
    ----------
    name : str
    assumption : str
        What has to hold for it.
    low, estimate, high : Fraction, float or None
        Fractions where they are exact; None where there is no such number.
    against : str
        "above" or "below" 0, "open", "impossible" where the votes contradict the assumption, or "-" where
        there is no interval.
    breaks_at : str
        What makes it wrong.
    remark : str
    """

    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemComparison(Result):
    """Whether system A is better than system B, and by how much.

    Attributes
    ----------
    status : Status
        ok where labels give an interval; `undetermined` where there are none, too few clusters of them, or
        the votes show that they were not drawn at random: votes alone never decide.
    names : (str, str)
    label : str
        What both are compared in.
    target : "items" or "population"
        Whether the difference is that on these items, or in what they were drawn from.
    n_items : int
        Items that both systems answered.
    difference : float or None
        Share of the label in A less that in B; None without labels.
    low, high : float
        The interval; without labels, between what the difference must lie whatever the judges are worth.
    level : float
    verdict : str
        "A BETTER", "B BETTER", "NOT SETTLED" (the interval leaves 0 but an exact test of the labels that
        differ would not reject at this level, or, with judges, there are too few of them), "NO
        DIFFERENCE SHOWN", or "NOT DETERMINED" (no labels, or labels that were picked).
    n_gold : int
        Items labelled for both systems.
    n_discordant : int
        Those of them on which the labels differ.
    rho2 : float or None
        Squared correlation of the labels' differences with the judges'; the share of labels they save.
    method : str
        How labels and judges were put together.
    drawn : str
        How the labelled items were drawn: "random", "differing" or "unequal".
    table : tuple of Line
        What each source says, the fewest assumptions first among those without labels.
    n_differing : int
        Items whose outputs, or else verdicts, differ.
    to_label : tuple of str
        Those of them without labels: draw from these next.
    warnings : tuple of str
    certificates : dict of Certificate
        Proofs of the exact lines, by system, belief and end.
    n_own_items, n_own_gold : (int, int) or None
        Where the difference is that of the two rates, each from all labels of its system, as some items are
        labelled for one of them only: how many items each has, and how many of them are labelled. Of systems
        without an item in common `n_items`, `n_gold` and `n_discordant` are 0 then.
    counted : str
        What the label counts where scores were cut, as "at or above 4"; else empty.
    margin : float
        How much worse a system may be, as it was asked.
    not_worse : tuple of str
        The systems that the interval shows to be not worse by more than the margin; of a margin of 0 the one
        that is shown to be better.
    """

    schema: ClassVar[str] = "algeval.system-comparison/1"

    names: tuple[str, str]
    label: str
    target: str
    n_items: int
    difference: float | None
    low: float
    high: float
    level: float
    verdict: str
    n_gold: int
    n_discordant: int
    rho2: float | None
    method: str
    drawn: str
    table: tuple[Line, ...]
    n_differing: int
    to_label: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    certificates: dict[str, Certificate] = field(default_factory=dict, repr=False)
    n_own_items: tuple[int, int] | None = None
    n_own_gold: tuple[int, int] | None = None
    counted: str = ""
    margin: float = 0.0
    not_worse: tuple[str, ...] = ()

    def within(self, margin: float) -> SystemComparison:
        """Same comparison, with the systems shown to be not worse by more than a margin.

        One label moved against a system must leave its end within the margin: else, where few labels
        differ, in 13% of simulated draws a system as much worse passed, with it in 3.4% at most.
        """
        sizes = zip(
            self.n_own_gold or (self.n_gold,), self.n_own_items or (self.n_items,), strict=True
        )
        labels = [(1 - n / of) / n if self.target == "items" else 1 / n for n, of in sizes if n]
        moved = LABEL_MOVED * sum(labels) / max(1, len(labels))
        ends = (self.low, -self.high) if self.status.ok else (-1.0, -1.0)
        passes = [end - moved > -margin for end in ends]
        if not margin:
            passes = [self.verdict == f"{name} BETTER" for name in self.names]
        names = tuple(name for name, so in zip(self.names, passes, strict=True) if so)
        line = f"\nNOT WORSE by more than {margin:g}: {' and '.join(names) or 'shown of neither'}."
        message = self.message + line * bool(margin)
        return replace(self, margin=margin, not_worse=names, message=message)

    @property
    def meaning(self) -> str:
        """What the difference does not mean."""
        judged = any(line.name == "judges only" for line in self.table)
        rests = (
            "The estimate rests on the labels whatever the judges do; they only narrow it. "
            if judged
            else ""
        )
        return (
            f"{rests}It does not say that one system is better on every kind of item, or at anything but "
            "this label."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per source or assumption."""
        return (Table.of_records("Difference", Line, self.table),)

    def summary(self) -> str:
        """Verdict, what each source says, what to label next, and warnings."""
        width = max(len(line.name) for line in self.table)
        lines = [self.message, f"{'':{width}}  difference     low    high"]
        lines += [self._shown(line, width).rstrip() for line in self.table]
        lines += [self._next()] if self.to_label else []
        lines += [f"Assumes: {self._assumes()}.", self.meaning]
        return "\n".join([*lines, *(f"Warning: {warnings}" for warnings in self.warnings)])

    def _shown(self, line: Line, width: int) -> str:
        mark = "<-" if line is self.table[-1] and self.difference is not None else "  "
        numbers = f"{signed(line.estimate):>10}  {signed(line.low):>6}  {signed(line.high):>6}"
        return f"{line.name:{width}}  {numbers}  {mark}  {line.remark or line.assumption}"

    def _next(self) -> str:
        if self.method == "anytime":
            return (
                "Next: go on with `algeval label`, which draws at random; stop whenever you like."
            )
        return (
            f"Next: draw items to label where the two differ: {len(self.to_label)} such of "
            f"{self.n_items} are not labelled."
        )

    def _assumes(self) -> str:
        about = {
            "items": "it is about these items alone",
            "population": "it is about items like these, of which they are a random sample",
        }[self.target]
        how = {
            "random": "labelled items were drawn at random",
            "differing": "labelled items were drawn at random among those whose outputs differ",
            "unequal": "labelled items were drawn with the chances of inclusion given",
        }[self.drawn]
        return about if self.difference is None else f"{how}; {about}"


def signed(value: End | None) -> str:
    """Difference with its sign, to two digits, or three where two would hide the sign."""
    if value is None:
        return "-"
    number = float(value)
    if abs(number) < 1e-9:
        return "0.00"
    return f"{number:+.2f}" if abs(number) >= 0.005 else f"{number:+.3f}"


def still_possible(names: tuple[str, str], low: float, high: float) -> str:
    """By how much either system may be better, of an interval that contains 0."""
    first, second = (round(100 * abs(end), 0 if abs(end) >= 0.005 else 1) for end in (high, low))
    leads = [(name, lead) for name, lead in zip(names, (first, second), strict=True) if lead]
    if not leads:
        return "both have the same share"
    leads.sort(key=lambda lead: -lead[1])
    (larger, most), *other = leads
    points = f"{most:g} point{'' if most == 1 else 's'}"
    rest = f", {other[0][0]} by up to {other[0][1]:g}" if other else ", or both alike"
    return f"{larger} may be better by up to {points}{rest}"


# --- Two systems on items of their own: each one's rate from its labels and judges, then the difference.
#
# The interval of a difference of two rates is put together from the two intervals (MOVER; of Wilson's
# intervals it is Newcombe's): from the difference down by the root of the squares of how far the first may
# be lower and the second higher, and up likewise; less twice their product times the correlation of the
# two estimates, which are independent unless labels are of the same prompts.


def mover(a: Estimate, b: Estimate, correlation: float = 0.0) -> tuple[float, float, float]:
    """Lower end, the difference, and the upper end of two rates whose errors correlate."""

    def side(x: float, y: float) -> float:
        return float(np.sqrt(max(x * x + y * y - 2 * correlation * x * y, 0.0)))

    difference = a.rate - b.rate
    down, up = side(a.rate - a.low, b.high - b.rate), side(a.high - a.rate, b.rate - b.low)
    return max(difference - down, -1.0), difference, min(difference + up, 1.0)


def fisher_chance(passes_a: int, n_a: int, passes_b: int, n_b: int) -> float:
    """Two-sided chance of counts no likelier, if both rates are the same (Fisher's exact test)."""
    total = passes_a + passes_b
    k = np.arange(max(0, total - n_b), min(n_a, total) + 1.0)
    chances = np.exp(log_hypergeometric(k, total, n_a, n_a + n_b))
    seen = chances[int(passes_a - k[0])]
    return float(min(1.0, chances[chances <= seen * (1 + 1e-9)].sum()))


_FAVOUR = "judges who favour one system look like a better system"


class _Side(NamedTuple):
    """One system: its panel, its labels or None, and the interval they give or why there is none."""

    name: str
    votes: Votes | Sketch
    panel: Panel
    how: str
    drawn: Drawn | None = None
    estimate: Estimate | None = None
    alone: Estimate | None = None

    @property
    def n_labels(self) -> int:
        return 0 if self.drawn is None else len(self.drawn.gold)


def compare_unpaired(
    votes: tuple[Votes | Sketch, Votes | Sketch], settings: Settings
) -> SystemComparison:
    """Comparison of two systems that have no item in common, or of whose items there are counts alone."""
    counted = any(isinstance(of, Sketch) for of in votes)
    wrong = {
        "cluster": counted and settings.cluster is not None,
        "inclusion": counted and settings.inclusion is not None,
        f"{option('drawn', 'differing')}": settings.drawn == "differing",
        "outputs": any(output is not None for output in settings.outputs),
        "at_least": settings.at_least is not None,
        f"{option('method', 'ppi')}": settings.method == "ppi",
    }
    for name, there in wrong.items():
        if there:
            raise DataError(
                f"{parameter(name)} must come with items that both systems answered; got "
                f"{'counts' if counted else 'systems without one in common'}; leave it out, or "
                f"{'pass the rows' if counted else 'write the item ids alike'}"
            )
    golds = _own_golds(settings.golds, votes, settings.label)
    settings = replace(settings, target=_target(settings, votes, golds))
    truths = _labels_of_both(votes, golds)
    a, b = (_side(*of, settings, truths) for of in zip(settings.names, votes, golds, strict=True))
    return _assembled_of_unpaired(a, b, settings)


def _side(
    name: str, votes: Votes | Sketch, gold: Gold | None, settings: Settings, truths: Collection[str]
) -> _Side:
    """One system's rate by the rule of `rate`: strata of the verdict, or the labels alone."""
    panel, cluster = panel_of(votes, settings.label, truths=truths), settings.cluster
    if isinstance(votes, Votes):
        cluster = clusters_on_items(cluster, votes, votes)
    clusters = None if cluster is None else cluster_codes(cluster, panel.items)
    if gold is None or not len(gold):
        return _Side(name, votes, panel, f"no answer of {name} is labelled")
    free = cluster is None and settings.inclusion is None and settings.drawn is None
    shared = labels_together(votes, gold, settings.target) if free else None
    if shared is not None:
        clusters, gold = shared[0], replace(gold, notes=(*gold.notes, shared[1]))
    share, judged = panel.share, panel.answered > 0
    filled = panel.filled(share, judged)
    drawn = Drawn(
        gold=gold,
        panel=panel,
        predictor=Predictor("share", filled, named=False),
        clusters=clusters,
        target=settings.target,
        level=settings.level,
        random=settings.random,
    )
    if _in_order(gold, settings):
        always = _rate_in_order(gold, panel, settings, 1 - (1 - settings.level) / 2)
        return _Side(
            name, votes, panel, "anytime", always, always.by_draws(), always.by_draws(False)
        )
    chances = _own_chances(gold, panel, settings)
    if chances is not None and settings.drawn != "random":
        drawn = replace(drawn, inclusion=chances[0], squares=chances[1])
        estimates = drawn.by_chances(), drawn.without_judges()
        return _Side(name, votes, panel, "weighted", drawn, *estimates)
    if settings.drawn == "unequal":
        raise DataError(
            f"{option('drawn', 'unequal')} needs the chance of each labelled item; got none; pass "
            f"inclusion={{item: chance}}"
        )
    if drawn.few_clusters:
        why = f"the labels of {name} lie in fewer than {FEWEST_CLUSTERS} clusters; label more"
        return _Side(name, votes, panel, why, drawn)
    if drawn.by_cluster:
        estimates = drawn.by_clusters(), drawn.without_judges()
        return _Side(name, votes, panel, "clustered", drawn, *estimates)
    alone = drawn.exact()
    if too_few(gold.values) or len(np.unique(panel.verdict)) == 1:
        return _Side(name, votes, panel, "exact", drawn, alone, alone)
    return _Side(name, votes, panel, "strata", drawn, drawn.by_strata(), alone)


def _own_chances(
    gold: Gold, panel: Panel, settings: Settings
) -> tuple[Floats, Floats | None] | None:
    """Chance of each label of one system, and what its residual adds to the variance where that is known."""
    if settings.inclusion is not None:
        return chances_of(settings.inclusion, panel.items, gold.rows), None
    always = settings.drawn == "unequal"
    if gold.waves is not None:
        return chances_of_waves(gold, gold.waves, len(panel.verdict), always=always)
    if gold.inclusion is None or not (always or np.ptp(gold.inclusion)):
        return None
    return gold.inclusion, None


def _unpaired(a: Votes | Sketch, b: Votes | Sketch) -> str:
    """Warning that items are not compared one with another."""
    if isinstance(a, Votes) and isinstance(b, Votes):
        if not set(a.items).isdisjoint(b.items):
            return (
                "unpaired: labels were drawn output by output, and those of items labelled for both do not "
                "stand for all; paired labels say more: label the same items for both"
            )
        apart = f"{a.items[0]!r} and {b.items[0]!r}"
        return (
            f"unpaired: both answered no item, or ids differ, as {apart}; paired labels say more: label the "
            f"same items for both, and write their ids alike; else {_BY_CHANCE.format(unit='item')}"
        )
    if any(isinstance(of, LabelledSketch) and of.some.groupings for of in (a, b)):
        return (
            "unpaired: a system has several outputs of a prompt, of which counts know the prompts of "
            "labelled ones alone"
        )
    return (
        "unpaired: counts do not say which outputs answer one prompt, or few of their labels are of the same "
        f"prompts; if both systems answered the same, count with {option('prompt')}: paired labels say more"
    )


def _cautions_of(votes: Votes | Sketch) -> tuple[str, ...]:
    """Warnings of reading votes, or those with a label of counts."""
    votes = votes.some if isinstance(votes, LabelledSketch) else votes
    return votes.cautions if isinstance(votes, Votes) else ()


def _said_of_labels(a: _Side, b: _Side) -> list[str]:
    """Warnings of reading and on how labels were drawn, as of a table that has grown since; of both once."""
    of_a, of_b = (
        [
            *_cautions_of(side.votes),
            *(
                n
                for n in (() if side.drawn is None else side.drawn.gold.cautions)
                if n != LOOKED_AT
            ),
        ]
        for side in (a, b)
    )
    both = [note for note in dict.fromkeys(of_a) if note in of_b]
    alone = [(a.name, of_a), (b.name, of_b)]
    return [*both, *(f"{name}: {n}" for name, own in alone for n in own if n not in both)]


def _assembled_of_unpaired(a: _Side, b: _Side, settings: Settings) -> SystemComparison:
    target, level, drawn = settings.target, settings.level, settings.drawn
    anything = replace(no_belief_line(1, 1, "population"), low=-1.0, high=1.0)
    judged = _line_of_unpaired_judges(a, b)
    table = [*judged, anything]
    why = settings.unpaired or _unpaired(a.votes, b.votes)
    warnings = [why, *_said_of_labels(a, b)]
    picked = [why for why in map(_no_random_draw, (a, b)) if why]
    lacking = picked or [s.how for s in (a, b) if s.estimate is None]
    fields: dict[str, Any] = {"difference": None, "low": -1.0, "high": 1.0, "method": "none"}
    if picked or a.estimate is None or b.estimate is None:
        said = f"{a.name} - {b.name} is not determined by these votes: {'; '.join(lacking)}"
        verdict, because = (
            "NOT DETERMINED",
            NOT_RANDOM if picked else _FAVOUR,
        )
        status = Status.UNDETERMINED
    else:
        always = a.how == b.how == "anytime"
        ends = AnytimeEnds(*mover(a.estimate, b.estimate))
        if always:
            ends = unpaired_ends(AnytimeEnds(*a.estimate[:3]), AnytimeEnds(*b.estimate[:3]))
        low, difference, high = ends
        fields = {"difference": difference, "low": low, "high": high}
        fields["method"] = f"unpaired: {a.how}, {b.how}"
        status = Status.OK
        said = (
            f"{a.name} - {b.name} = {signed(difference)}, {level_text(level)} interval {signed(low)} to "
            f"{signed(high)}; unpaired: {_labelled(a)}, {_labelled(b)}."
        )
        verdict, because = _verdict(a, b, (low, high), settings)
        table[-1:] = _label_lines(a, b, level)
        if always and a.alone is not None and b.alone is not None:
            headline = headline_whenever((a.name, b.name), ends, level)
            said = f"{headline}; unpaired: {_labelled(a)}, {_labelled(b)}."
            verdict, because = verdict_whenever((a.name, b.name), ends, level)
            alone = unpaired_ends(AnytimeEnds(*a.alone[:3]), AnytimeEnds(*b.alone[:3]))
            lines = lines_whenever(alone, ends, "holds whenever one stops", level)
            table[len(judged) :] = lines[: 1 + len(judged)]
            fields["method"] = "anytime"
    return SystemComparison(
        status=status,
        message=f"{said}{'.' if lacking else ''}\n{verdict}: {because}.",
        names=(a.name, b.name),
        label=a.panel.label,
        target=target,
        n_items=0,
        level=level,
        verdict=verdict,
        n_gold=0,
        n_discordant=0,
        rho2=None,
        drawn="unequal" if "weighted" in (a.how, b.how) else drawn or "random",
        table=tuple(table),
        n_differing=0,
        to_label=(),
        warnings=tuple(warnings),
        n_own_items=(a.panel.n_items, b.panel.n_items),
        n_own_gold=(a.n_labels, b.n_labels),
        **fields,
    )


def _verdict(
    a: _Side, b: _Side, ends: tuple[float, float], settings: Settings, both: int = 0
) -> tuple[str, str]:
    """Verdict and its reason; `both`: items labelled for both, without which Fisher's test holds."""
    (low, high), target, level = ends, settings.target, settings.level
    if low <= 0 <= high:
        return "NO DIFFERENCE SHOWN", still_possible((a.name, b.name), low, high)
    golds = [s.drawn.gold for s in (a, b) if s.drawn is not None]
    winner = a.name if low > 0 else b.name
    if target == "items" and all(
        len(gold) == s.panel.n_items for gold, s in zip(golds, (a, b), strict=True)
    ):
        return f"{winner} BETTER", f"every answer is labelled; {_OF_THESE}"
    if a.how == b.how == "exact" and not both:
        counts = [(int(gold.values.sum()), len(gold)) for gold in golds]
        chance = fisher_chance(*counts[0], *counts[1])
        test = f"Fisher's exact test of the labels: p = {chance:.2g}"
        if chance > 1 - level + 1e-12:
            return (
                "NOT SETTLED",
                f"the interval leaves 0 but an exact test does not reject ({test})",
            )
        return f"{winner} BETTER", f"the labels of both decide this ({test})"
    moved = LABEL_MOVED * sum(1 / len(gold) for gold in golds) / 2
    if max(low, -high) <= moved:
        return "NOT SETTLED", "the interval leaves 0 but by less than one label is worth"
    who = "labels" if a.how == b.how == "exact" else "labels and judges"
    return f"{winner} BETTER", f"{who} of each decide this, by the interval"


def _labelled(side: _Side) -> str:
    return f"{side.n_labels} of {how_many(side.panel.n_items, 'item')} of {side.name} labelled"


def _line_of_unpaired_judges(a: _Side, b: _Side) -> list[Line]:
    """Difference of what the panel says of either system; nothing where no judge judged."""
    if a.panel.is_empty:
        return []
    judged = [s.panel.mean(s.panel.credit, s.panel.answered > 0) for s in (a, b)]
    split = are_split(a.panel.credit) or are_split(b.panel.credit)
    return [judges_line(judged[0] - judged[1], split=split)]


def _label_lines(a: _Side, b: _Side, level: float) -> list[Line]:
    lines = []
    both = {"labels only": (a.alone, b.alone), "labels + judges": (a.estimate, b.estimate)}
    for name, (of_a, of_b) in both.items():
        if of_a is None or of_b is None or (name != "labels only" and a.panel.is_empty):
            continue
        lines.append(_of_labels(name, mover(of_a, of_b), _two_rates(a, b, of_a, of_b), level))
    return lines


def _two_rates(a: _Side, b: _Side, of_a: Estimate, of_b: Estimate) -> str:
    rates = ((a.name, of_a), (b.name, of_b))
    return "; ".join(f"{name} {e.rate:.2f} ({e.low:.2f} to {e.high:.2f})" for name, e in rates)


# --- Two systems by their rates: some prompts are labelled, or answered, by one system only.
#
# Pairs alone leave out the labels of one system, and the two rates as if apart leave out what labels of the
# same prompts share. So the difference is that of the two rates, each from all labels of its system, and the
# covariance of their errors comes from the prompts of both. Of prompt p let A have N_ap of its N_a outputs
# and n_ap of its n_a labels, and s be the mean product of residuals (label less the mean of its stratum)
# over labelled outputs of both to one prompt. Then
#
#     cov = s sum_p (n_ap / n_a - N_ap / N_a) (n_bp / n_b - N_bp / N_b),
#
# which is s (k / (n_a n_b) - 1 / N) of the same N prompts with an output each, k of them labelled for both.
# Of what the prompts are a sample of, it is s sum_p n_ap n_bp / (n_a n_b) and the covariance of the strata's
# means over prompts. Which of these it is hangs on what is labelled, never on what the labels say.


def _each_rate(q: Question) -> tuple[_Side, _Side] | None:
    """Each system's rate from all of its labels, where some are of items of one system only.

    None where pairs say it all, and of labels that were not drawn one by one with the same chance.
    """
    s, golds = q.settings, q.golds or ()
    each = q.apart or (() if q.golds is None else tuple(zip(q.votes, q.golds, strict=True)))
    own_clusters = None if q.pairs.trials else q.clusters
    stated = (s.inclusion, s.drawn if s.drawn != "random" else None, q.same, own_clusters)
    if not (q.labels.n_one_sided or any(q.n_others)) or s.method != "auto":
        return None
    if not each or any(of is not None for of in stated):
        return None
    if golds and all(_in_order(gold, s) for gold in golds):
        return None
    truths = {name for votes, gold in each for name in labels_of_people(votes, gold)}
    plain = [len(gold) and bool(np.isin(gold.values, (0, 1)).all()) for _, gold in each]
    panels = (q.pairs.panel_a, q.pairs.panel_b)
    even = [_own_chances(g, p, s) is None for g, p in zip(golds, panels, strict=False)]
    if not all(plain) or not all(even):
        return None
    golds_ = [replace(gold, draws=None, inclusion=None, waves=None, notes=()) for _, gold in each]
    a, b = (
        _side(name, votes, gold, s, truths)
        for name, (votes, _), gold in zip(s.names, each, golds_, strict=True)
    )
    return a, b


def _by_rates(q: Question, a: _Side, b: _Side) -> SystemComparison:
    """Comparison by the difference of two rates whose errors correlate."""
    lacking = [why for why in map(_no_random_draw, (a, b)) if why]
    lacking += [s.how for s in (a, b) if s.estimate is None]
    if lacking:
        return _undetermined(q, "; ".join(lacking))
    assert a.estimate is not None
    assert b.estimate is not None
    assert a.alone is not None
    assert b.alone is not None
    s, n_both = q.settings, len(q.labels)
    of_both = _of_both(q, a, b)
    ends = mover(a.estimate, b.estimate, _correlation(of_both, s, judged=True))
    alone = mover(a.alone, b.alone, _correlation(of_both, s, judged=False))
    verdict, because = _verdict(a, b, (ends[0], ends[2]), s, n_both)
    beliefs, proofs = belief_lines(q) if s.at_least is not None else ((), {})
    each = [("labels only", alone, (a.alone, b.alone))]
    if not a.panel.is_empty:
        each.append(("labels + judges", ends, (a.estimate, b.estimate)))
    lines = [
        _of_labels(name, ends_, _two_rates(a, b, *rates), s.level) for name, ends_, rates in each
    ]
    of_a, common = str(a.n_labels), str(n_both)
    if q.pairs.trials:
        of_a, common = how_many(a.n_labels, "output"), how_many(n_both, q.pairs.unit)
    items = f"the same {how_many(q.pairs.n_items, q.pairs.unit)}, {of_a} labelled for {a.name}, "
    items += f"{b.n_labels} for {b.name}, {common} for both"
    if any(q.n_others):
        items = f"{_labelled(a)}, {_labelled(b)}; {_answered_by_both(q)}"
    headline = (
        f"{a.name} - {b.name} = {signed(ends[1])}, {level_text(s.level)} interval {signed(ends[0])} to "
        f"{signed(ends[2])}; {items}."
    )
    drawn = [(side.name, side.drawn) for side in (a, b) if side.drawn is not None]
    together = [f"{name}: {note}" for name, own in drawn for note in own.gold.cautions]
    warnings = [*_warnings(q, by_rates=True), *together]
    judged = _line_of_judges(q.pairs)
    if any(q.n_others):
        judged = _line_of_unpaired_judges(a, b)
        warnings.append(_dealt(q, ends[1]))
    return _assembled(
        q,
        status=Status.OK,
        message=f"{headline}\n{verdict}: {because}.",
        difference=ends[1],
        low=ends[0],
        high=ends[2],
        verdict=verdict,
        rho2=None,
        method=f"difference of rates: {a.how}, {b.how}",
        table=(*judged, *beliefs, *lines),
        certificates=proofs,
        warnings=tuple(warnings),
        n_own_items=(a.panel.n_items, b.panel.n_items),
        n_own_gold=(a.n_labels, b.n_labels),
    )


class _OfBoth(NamedTuple):
    """Outputs of one system to the prompts that both answered."""

    side: _Side
    prompts: Ints  # (rows,), place of the prompt among those of both, -1 for none
    verdict: NDArray[np.int8]  # (rows,), of the panel
    values: Floats  # (rows,), the labels; NaN for none
    each: Ints  # (n_prompts,), how many prompts each place stands for


def _of_both(q: Question, a: _Side, b: _Side) -> tuple[_OfBoth, _OfBoth]:
    """Outputs and labels of each system by the prompts of both."""
    pairs, sides = q.pairs, []
    rows_of = (pairs.rows_a, pairs.rows_b)
    numbers = {prompt: k for k, prompt in enumerate(pairs.items)} if pairs.trials else {}
    for k, (side, rows) in enumerate(zip((a, b), rows_of, strict=True)):
        if q.counted_labels is not None:
            verdict = (pairs.panel_a, pairs.panel_b)[k].verdict[rows]
            values = q.counted_labels[:, k]
            sides.append(_OfBoth(side, np.arange(len(rows)), verdict, values, pairs.each))
            continue
        assert side.drawn is not None
        values = np.full(len(side.panel.verdict), np.nan)
        values[side.drawn.gold.rows] = side.drawn.gold.values
        prompts = np.full(len(values), -1)
        if q.settings.trials is not None and pairs.trials:
            prompts = np.array([numbers.get(p, -1) for p in q.settings.trials[k]], np.int64)
        else:
            prompts[rows] = np.arange(len(rows))
        sides.append(_OfBoth(side, prompts, side.panel.verdict, values, pairs.each))
    return sides[0], sides[1]


def _correlation(of_both: tuple[_OfBoth, _OfBoth], settings: Settings, *, judged: bool) -> float:
    """Correlation of the errors of two rates, by the prompts of both."""
    z, each = float(ndtri((1 + settings.level) / 2)), of_both[0].each
    residuals, labels, open_, means, deviations = [], [], [], [], []
    for side, prompts, verdict, values, _ in of_both:
        assert side.drawn is not None
        codes, gold = verdict.astype(np.int64) + 1, side.drawn.gold
        own = side.panel.verdict[gold.rows].astype(np.int64) + 1
        if not judged or side.how == "exact":
            codes, own = np.zeros_like(codes), np.zeros_like(own)
        mean = (np.bincount(own, gold.values, 3) + 0.5) / (np.bincount(own, minlength=3) + 1)
        shared, said = prompts >= 0, (prompts >= 0) & ~np.isnan(values)
        n, n_items = side.n_labels, side.panel.n_items
        centred = mean[codes] - np.average(
            mean[codes[shared]] if shared.any() else [0.0],
            weights=each[prompts[shared]] if shared.any() else None,
        )
        size = len(each)
        residuals.append(np.bincount(prompts[said], (values - mean[codes])[said], size))
        labels.append(np.bincount(prompts[said], minlength=size) / n)
        open_.append(labels[-1] - np.bincount(prompts[shared], minlength=size) / n_items)
        means.append(np.bincount(prompts[shared], centred[shared], size) / n_items)
        estimate = side.estimate if judged else side.alone
        assert estimate is not None
        deviations.append((estimate.high - estimate.low) / 2 / z)
    variance = deviations[0] * deviations[1]
    if variance <= 0:
        return 0.0
    both = float((labels[0] * labels[1]) @ each)
    n_pairs = both * of_both[0].side.n_labels * of_both[1].side.n_labels
    shared_part = float((residuals[0] * residuals[1]) @ each) / n_pairs if n_pairs else 0.0
    if settings.target == "population":
        covariance = shared_part * both + float((means[0] * means[1]) @ each)
    else:
        covariance = shared_part * float((open_[0] * open_[1]) @ each)
    return float(np.clip(covariance / variance, -1.0, 1.0))


# --- Systems of which each answered prompts of its own besides: whether chance may have dealt them.


_BY_CHANCE = (
    "the difference is that of the two rates, and says which system is better only if chance dealt the "
    "{unit}s"
)


def _answered_by_both(q: Question) -> str:
    """How many prompts both answered, and how many of these are labelled for both."""
    return f"{how_many(q.pairs.n_items, q.pairs.unit)} of both, {len(q.labels)} labelled for both"


def _of_common(q: Question) -> Question:
    """Same question about the items alone that both answered."""
    if q.golds is None:
        return replace(q, n_others=(0, 0), apart=q.of_common)
    both, trials = {*q.pairs.items}, q.settings.trials if q.pairs.trials else None
    votes, golds, prompts = [], [], []
    for k, (own, gold) in enumerate(zip(q.votes, q.golds, strict=True)):
        assert isinstance(own, Votes)
        names = own.items if trials is None else trials[k]
        kept = np.flatnonzero([name in both for name in names])
        inside = np.isin(gold.rows, kept)
        part = {name: value[inside] for name, value in _parts_of(gold).items()}
        golds.append(replace(gold, **part | {"rows": np.searchsorted(kept, gold.rows[inside])}))
        votes.append(own.select(items=[own.items[row] for row in kept.tolist()]))
        prompts.append([names[row] for row in kept.tolist()])
    pair, labelled = (votes[0], votes[1]), (golds[0], golds[1])
    truths, label = _labels_of_both(pair, labelled), q.settings.label
    if trials is None:
        pairs = join_systems(*pair, label, truths)
        labels = join_gold(pairs, *labelled)
    else:
        a, b = (panel_of(of, label, truths=truths) for of in pair)
        pairs, labels = join_trials((a, b), (prompts[0], prompts[1]), labelled)
    own_prompts = q.settings.trials if trials is None else (prompts[0], prompts[1])
    return replace(
        q,
        settings=replace(q.settings, trials=own_prompts),
        votes=pair,
        golds=labelled,
        pairs=replace(pairs, only_a=q.pairs.only_a, only_b=q.pairs.only_b),
        labels=labels,
        n_others=(0, 0),
    )


def _parts_of(gold: Gold) -> dict[str, Any]:
    """What is known of each label."""
    parts = {"truth": gold.truth, "values": gold.values, "inclusion": gold.inclusion}
    parts["prompts"] = gold.prompts
    return {name: value for name, value in parts.items() if value is not None}


def _on_common(q: Question, target: str) -> tuple[float, float, float] | None:
    """Ends and difference of the two rates on what both answered; None where too few have labels."""
    common = _of_common(q)
    common = replace(common, settings=replace(common.settings, target=target))
    sides = None if common.pairs.trials else _each_rate(common)
    if sides is None:
        design = _design(common)
        few = len(common.labels) < FEWEST_GOLD or _too_few(common, design)
        return None if few else with_judges(design, common.pairs, common.settings.method)[0]
    a, b = sides
    if a.estimate is None or b.estimate is None or min(a.n_labels, b.n_labels) < FEWEST_GOLD:
        return None
    correlation = _correlation(_of_both(common, a, b), common.settings, judged=True)
    return mover(a.estimate, b.estimate, correlation)


def _dealt(q: Question, difference: float) -> str:
    """What a difference of rates rests on where systems answered different prompts."""
    n, unit = q.pairs.n_items, q.pairs.unit
    count = f"{n} {unit} was" if n == 1 else f"{n} {unit}s were"
    each = " and ".join(
        f"{k} by {name} alone" for k, name in zip(q.n_others, q.settings.names, strict=True) if k
    )
    text = f"{count} answered by both, {each}: {_BY_CHANCE.format(unit=unit)}"
    common = _on_common(q, q.settings.target)
    if common is None or abs(common[1] - difference) < 0.005:
        return text
    low, of_both, high = common
    ahead = q.settings.names[of_both < 0]
    if of_both < 0:
        low, of_both, high = -high, -of_both, -low
    return f"{text}; on the {n} of both {ahead} leads by {of_both:.2f} ({signed(low)} to {signed(high)})"


def _not_dealt(q: Question, a: _Side, b: _Side) -> str:
    """What shows that chance did not deal the prompts to the systems; empty where nothing does.

    Those of both would else be a random part of each system's, in what judges say and in the labels.
    """
    for k, of in enumerate(_of_both(q, a, b)):
        if not q.n_others[k]:
            continue
        parts = _parts_of_trials(q, k, of) if q.pairs.trials else _parts(q, k, of)
        if abs(parts.balance) > UNBALANCED:
            return _apart(q, of.side.name, "judges", parts.judged)
        (more, n), (less, m) = parts.said
        if fisher_chance(more, n, less, m) < UNBALANCED_CHANCE:
            return _apart(q, of.side.name, "people", [more / n, less / m])
    return ""


class _Parts(NamedTuple):
    """What is seen of outputs of one system to prompts of its own, and to those of both."""

    balance: float  # by how many standard errors judges say other things of these
    judged: list[float]  # share of the label by judges, of either
    said: tuple[tuple[int, int], tuple[int, int]]  # labels and how many there are, of either


def _parts(q: Question, k: int, of: _OfBoth) -> _Parts:
    """Of systems with an output of each prompt, or of counts of these."""
    every = of.side.panel
    panel, rows = ((q.pairs.panel_a, q.pairs.rows_a), (q.pairs.panel_b, q.pairs.rows_b))[k]
    weights = np.ones(len(every.share), np.int64) if every.weights is None else every.weights
    finite, judged = np.isfinite(every.share), np.isfinite(panel.share[rows])
    values = np.unique(every.share[finite])
    sizes = np.bincount(np.searchsorted(values, every.share[finite]), weights[finite], len(values))
    shares, each = panel.share[rows][judged], of.each[judged]
    of_both = np.bincount(np.searchsorted(values, shares), each, len(values)).astype(np.int64)
    few, others = of_both, sizes.astype(np.int64) - of_both
    if few.sum() > others.sum():  # either is a random part if the other is
        few, others = others, few
    n = int(few.sum())
    share = np.concatenate([np.repeat(values, few), values])
    balance = drawn_balance(
        share, np.arange(n), None, np.concatenate([np.ones(n, np.int64), others])
    )
    credit, credits = every.credit[finite] @ weights[finite], panel.credit[rows][judged] @ each
    n_all, n_both = weights[finite].sum(), each.sum()
    shares_of = [
        float((credit - credits) / max(n_all - n_both, 1)),
        float(credits / max(n_both, 1)),
    ]
    assert of.side.drawn is not None
    said = ~np.isnan(of.values) & (of.prompts >= 0)
    labels, some = of.side.drawn.gold.values, of.each[of.prompts[said]]
    right, n_said = int(of.values[said] @ some), int(some.sum())
    alone = int(labels.sum()) - right, len(labels) - n_said
    return _Parts(balance, shares_of, (alone, (right, n_said)))


def _parts_of_trials(q: Question, k: int, of: _OfBoth) -> _Parts:
    """Of systems with several outputs of a prompt, of which one label of each prompt counts."""
    assert q.settings.trials is not None
    panel, alone = of.side.panel, of.prompts < 0
    names = np.unique(q.settings.trials[k], return_inverse=True)[1]
    judged = panel.answered > 0
    shares = [
        float(panel.credit[judged & part].mean()) if (judged & part).any() else 0.0
        for part in (alone, ~alone)
    ]
    rows = np.flatnonzero(~np.isnan(of.values))
    rows = rows[np.unique(names[rows], return_index=True)[1]]
    own, both = of.values[rows[alone[rows]]], of.values[rows[~alone[rows]]]
    said = (int(own.sum()), len(own)), (int(both.sum()), len(both))
    return _Parts(drawn_balance(panel.share, np.flatnonzero(~alone), names), shares, said)


def _apart(q: Question, name: str, who: str, shares: list[float]) -> str:
    """How outputs to prompts of one system alone differ from its outputs to those of both."""
    alone, both = (percent(share, 0) for share in shares)
    label = q.pairs.panel_a.label
    return (
        f"{who} say {label!r} of {alone} of what {name} alone answered, and of {both} of its answers to the "
        f"{q.pairs.unit}s of both"
    )


def _no_random_draw(side: _Side) -> str:
    """Why the labels of one system decide nothing, as they were not drawn at random."""
    if side.drawn is None or side.how == "weighted":
        return ""
    why = side.drawn.balance_by(side.drawn.gold).refutes
    return why and f"of {side.name} {why}"


# --- What beliefs about the judges leave possible of a difference: the ladder's rungs of both systems.


def belief_lines(q: Question) -> tuple[tuple[Line, ...], Proofs]:
    """What follows from what is believed, or from some beliefs to look at, and the proofs.

    What is believed holds of the judges on both systems.
    """
    if q.settings.at_least is None and not q.settings.usual:
        return (), {}
    a, b = (list(_sides(q, ground)) for ground in _grounds(q))
    proofs = {
        f"{name}: {what}": proof
        for name, sides in zip(q.settings.names, (a, b), strict=True)
        for side in sides
        for what, proof in side.proofs.items()
    }
    return tuple(_line(q, *both) for both in zip(a, b, strict=True)), proofs


class _BelievedSide(NamedTuple):
    """What a belief leaves possible of one system: `ends` are None where nothing is."""

    belief: Belief
    ends: Ends | None
    exact: bool
    proofs: Proofs


def _grounds(q: Question) -> tuple[Ground, ...]:
    """Ground of each system's ladder: the items that both answered, half the error each."""
    clock = question_clock(q.settings.time_limit, LADDER_WORK)
    half = (1 + q.settings.level) / 2
    return tuple(
        ground_of(
            votes.select(items=q.pairs.items)
            if isinstance(votes, Votes) and len(rows) < votes.n_items
            else votes,
            q.pairs.panel_a.label,
            against=Fraction(1, 2),
            target=q.settings.target,
            level=half,
            clock=clock,
        )
        for votes, rows in zip(q.votes, (q.pairs.rows_a, q.pairs.rows_b), strict=True)
    )


def _sides(q: Question, ground: Ground) -> Iterator[_BelievedSide]:
    refuted = contradictions(ground)
    for belief in beliefs_in(ground.exam, q.settings.at_least, q.settings.usual):
        if belief.asked or q.settings.at_least is None:
            rung, proofs = of_belief(ground, belief)
            possible = not rung.exact or refused(ground, belief, refuted) is None
            yield _BelievedSide(belief, rung.ends if possible else None, rung.exact, proofs)


def _line(q: Question, a: _BelievedSide, b: _BelievedSide) -> Line:
    exact = a.exact and b.exact
    most = Fraction(q.n_open, q.pairs.n_items) if q.settings.target == "items" else Fraction(1)
    ends = difference_allowed(a.ends, b.ends, most)
    remark = "of these items alone" if exact and q.settings.target != "items" else ""
    return assumption_row(
        Line,
        brief(a.belief.name),
        f"{a.belief.assumption}, for both systems",
        a.belief.breaks_at + ("" if exact else f"; chance ({percent(1 - q.settings.level, 0)})"),
        ends=ends,
        against="impossible" if ends is None else Fraction(0),
        remark=remark if ends else "impossible: the votes contradict it",
    )


def difference_allowed(a: Ends | None, b: Ends | None, most: Fraction) -> Ends | None:
    """Between what the difference of two rates lies, given what each may be.

    `most`: the share of the items on which the two can differ.
    """
    if a is None or b is None:
        return None
    low, high = max(a[0] - b[1], -most), min(a[1] - b[0], most)
    return (low, high) if low <= high else None


# --- What a comparison of several systems holds: every pair, and the ranks that each may have.


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Record):
    """Two of the systems.

    Attributes
    ----------
    first, second : str
    difference : float or None
        Share of the label in the first less that in the second.
    low, high : float
        Of all pairs at once: at `level` no pair's interval misses.
    verdict : str
        As of two systems, by Holm's steps over all pairs: at `level` no verdict is wrong.
    n_items, n_gold, n_discordant : int
        Items in common, labelled for both, and labelled differently.
    """

    first: str
    second: str
    difference: float | None
    low: float
    high: float
    verdict: str
    n_items: int
    n_gold: int
    n_discordant: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemsComparison(Result):
    """Which of several systems are better than which.

    Attributes
    ----------
    status : Status
        ok where labels give every pair an interval; else `undetermined`, or `inconsistent` where votes
        contradict what was believed.
    names : tuple of str
    label : str
    target : "items" or "population"
    level : float
        Of all intervals together, of all verdicts together, and of all ranks together.
    pairs : tuple of Pair
    ranks : dict of str to (int, int)
        The best and the worst rank that a system may have, 1 the highest share.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.systems-comparison/1"
    meaning: ClassVar[str] = (
        "Verdicts and ranks rest on the labels. Systems whose ranks overlap may be equal; it does not say "
        "that they are."
    )

    names: tuple[str, ...]
    label: str
    target: str
    level: float
    pairs: tuple[Pair, ...]
    ranks: dict[str, tuple[int, int]]
    warnings: tuple[str, ...] = ()

    def pair(self, first: str, second: str) -> Pair:
        """Pair of two systems, as it stands in `pairs`."""
        return next(
            compared
            for compared in self.pairs
            if {compared.first, compared.second} == {first, second}
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Row per pair, and a row per system."""
        ranks = [(name, *self.ranks[name]) for name in self.names]
        return (
            Table.of_records("Pairs", Pair, self.pairs),
            Table.of_rows("Ranks", ("system", "best", "worst"), ranks),
        )

    def summary(self) -> str:
        """Verdict, the ranks, a line a pair, and warnings."""
        width = max(map(len, self.names))
        lines = [self.message, f"{'system':{max(width, 6)}}  rank"]
        for name in sorted(self.names, key=lambda name: self.ranks[name]):
            best, worst = self.ranks[name]
            lines.append(
                f"{name:{max(width, 6)}}  {best if best == worst else f'{best} to {worst}'}"
            )
        both = max(len(_named(pair)) for pair in self.pairs)
        lines.append(f"{'':{both}}  difference     low    high")
        lines += [
            f"{_named(pair):{both}}  {signed(pair.difference):>10}  {signed(pair.low):>6}  "
            f"{signed(pair.high):>6}  {pair.verdict}"
            for pair in self.pairs
        ]
        lines.append(self.meaning)
        return "\n".join([*lines, *(f"Warning: {warnings}" for warnings in self.warnings)])


def _named(pair: Pair) -> str:
    return f"{pair.first} - {pair.second}"


# --- With what chance labelled items were drawn, and whether that can be.


def check_stands_for(chances: Floats, n_open: int) -> None:
    """Refuse chances whose labels stand for far fewer or far more items than there are.

    The sum of one over the chance estimates how many items could have been drawn. Where only some could, as
    those whose outputs differ, the estimate would be of them.
    """
    total = stands_for(chances, n_open, ESCAPED)
    if total is not None:
        raise DataError(
            f"labelled items must stand for all {n_open} on which the systems can differ; got chances of "
            f"inclusion by which they stand for about {total:.0f}; if only items whose outputs differ "
            f"could be drawn, pass {option('outputs_a')}, {option('outputs_b')} and "
            f"{option('drawn', 'differing')}"
        )


# --- The two estimates of a difference, from labels alone and with the judges, by how labels were drawn.


_TURNED = [2, 1, 0, 3]
"""The strata of the verdicts' difference where the two systems change places."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design(Drawing):
    """Labelled differences and how their items were drawn."""

    labelled: Labelled  # on open items: those on which the two systems can differ
    open_items: NDArray[np.bool_]  # (n_items,)
    weights: Ints | None = None  # of rows that are only counted

    @property
    def _whole(self) -> bool:
        """Whether no difference is graded."""
        return bool(np.isin(self.labelled.values, (-1, 0, 1)).all())

    def strata_hold(self, codes: Ints) -> bool:
        """Whether labels of one stratum were drawn with one chance, item by item, and are not graded."""
        if self.clusters is not None or not self._whole:
            return False
        chances, strata = self.labelled.chances, codes[self.labelled.rows]
        return all(np.ptp(chances[strata == code]) < 1e-9 for code in np.unique(strata))

    def by_strata(self, codes: Ints) -> Difference:
        """Difference from labels in strata, numbered from 0 to 2 as the verdicts differ, or 3.

        Posterior draws are those of the system whose labels lead, so that the other order of the two has
        the same ends with the sign changed.
        """
        counts = np.zeros((4, 3), np.int64)
        outcome = self.labelled.values.astype(np.int64) + 1
        np.add.at(counts, (codes[self.labelled.rows], outcome), 1)
        of = None if self.weights is None else self.weights[self.open_items]
        sizes = np.bincount(codes[self.open_items], of, 4).astype(np.int64)
        turned, turned_sizes = counts[_TURNED, ::-1], sizes[_TURNED]
        lead = int(counts[:, 2].sum() - counts[:, 0].sum())
        own, other = (c.tolist() + n.tolist() for c, n in ((counts, sizes), (turned, turned_sizes)))
        turn = lead < 0 or (lead == 0 and own > other)
        if turn:
            counts, sizes = turned, turned_sizes
        same = int((~self.open_items).sum())
        low, estimate, high = paired_strata(
            counts, sizes, same=same, **self.scope, random=self.random
        )
        if own == other:
            low, estimate, high = min(low, -high), 0.0, max(high, -low)
        return (
            Difference(0 - high, 0 - estimate, 0 - low) if turn else Difference(low, estimate, high)
        )

    def by_regression(self, judged: Floats) -> Difference:
        """Difference by regression on what the judges say."""
        return paired_regression(
            self.labelled,
            judged,
            open_items=self.open_items,
            clusters=self.clusters,
            **self.scope,
        )


def labels_alone(design: Design) -> Difference:
    """What the labels say without the judges."""
    single = np.zeros(len(design.open_items), np.int64)
    if design.strata_hold(single):
        return design.by_strata(single)
    return design.by_regression(single.astype(np.float64))


def with_judges(design: Design, pairs: Pairs, method: str) -> tuple[Difference, str, Floats]:
    """Difference that labels and judges give, how, and the judges' differences used.

    `method`: "auto", "strata" of the verdicts' difference, or "ppi" on the shares'.
    """
    verdicts = pairs.verdicts.astype(np.int64)
    codes = np.where(verdicts == UNJUDGED, 3, verdicts + 1)
    plain = np.where(verdicts == UNJUDGED, 0, verdicts).astype(np.float64)
    if len(design.labelled.values) < FEWEST_GOLD or pairs.panel_a.is_empty:
        return labels_alone(design), "labels alone", plain
    if pairs.trials:
        judged = pairs.shares if method == "ppi" else np.nan_to_num(pairs.credits)
        return design.by_regression(judged), "regression on means over trials", judged
    if method != "ppi" and (method == "strata" or design.strata_hold(codes)):
        return design.by_strata(codes), "strata of the verdicts", plain
    judged = pairs.shares if method == "ppi" else plain
    how = "shares" if method == "ppi" else "verdicts"
    return design.by_regression(judged), f"regression on the {how}", judged


# --- The lines of a comparison: what judges and labels say of the difference.


def _line_of_judges(pairs: Pairs) -> list[Line]:
    """Difference of the panel's verdicts, which has no interval; a tie counts in equal parts.

    Nothing where no judge judged.
    """
    if pairs.panel_a.is_empty:
        return []
    credits = pairs.credits
    kept = ~np.isnan(credits)
    weights = None if pairs.weights is None else pairs.weights[kept]
    judged = float(np.average(credits[kept], weights=weights)) if kept.any() else None
    sides = (pairs.panel_a.credit[pairs.rows_a], pairs.panel_b.credit[pairs.rows_b])
    return [judges_line(judged, split=any(are_split(side[kept]) for side in sides))]


def are_split(credit: Floats) -> bool:
    """Whether the panel is split on some item, which then counts in part."""
    return bool(((credit > 0) & (credit < 1)).any())


def judges_line(judged: float | None, *, split: bool) -> Line:
    """Difference of the panel's verdicts, which has no interval."""
    ties = "; ties of judges count in equal parts" if split else ""
    return assumption_row(
        Line,
        "judges only",
        "judges do not err",
        "a judge favours one system",
        estimate=judged,
        against="-",
        remark=f"no interval: a judge that favours one system cannot be seen without labels{ties}",
    )


def no_belief_line(n_open: int, n_items: int, target: str) -> Line:
    """What holds whatever the judges are worth: of these items, only those that can differ count."""
    finite = target == "items" and n_open < n_items
    most = Fraction(n_open, n_items) if finite else Fraction(1)
    assumption = "identical outputs are equally right" if finite else "nothing"
    return assumption_row(
        Line, "votes alone", assumption, "never", ends=(-most, most), against="open"
    )


def labels_lines(
    q: Question, alone: Difference, together: Difference, judged: Floats
) -> tuple[Line, ...]:
    """Difference by labels alone, and by labels and judges, who say `judged` of the labelled items."""
    d, (a, b), level = q.labels.differences, q.settings.names, q.settings.level
    more, less, same = int((d > 0).sum()), int((d < 0).sum()), int((d == 0).sum())
    agree = int((np.sign(judged) == np.sign(d)).sum())
    how = "right more often" if q.pairs.trials else "right alone"
    counts = f"{a} {how} {more}, {b} {how} {less}, same {same}"
    agreement = f"judges agree with the labels on {agree} of {len(d)} differences"
    lines = [_of_labels("labels only", alone, counts, level)]
    if not q.pairs.panel_a.is_empty:
        lines.append(_of_labels("labels + judges", together, agreement, level))
    return tuple(lines)


def _of_labels(name: str, ends: tuple[float, float, float], remark: str, level: float) -> Line:
    low, difference, high = ends
    return assumption_row(
        Line,
        name,
        "labelled items drawn as said",
        f"{level_text(1 - level)} chance of error, or labels not drawn as said",
        ends=(low, high),
        estimate=difference,
        against=Fraction(0),
        remark=remark,
    )


# --- Two systems compared: from labels a verdict, from votes alone none.


def compare_pair(votes_a: Source, votes_b: Source, settings: Settings) -> SystemComparison:
    """Comparison of two systems: paired where they have items in common, else unpaired."""
    if isinstance(votes_a, Sketch) and isinstance(votes_b, Sketch):
        return compare_unpaired((votes_a, votes_b), settings).within(settings.margin)
    votes = as_votes(votes_a, "votes_a"), as_votes(votes_b, "votes_b")
    _refuse_labels_alone(votes)
    if settings.target == "auto":
        golds = _own_golds(settings.golds, votes, settings.label)
        settings = replace(settings, target=_target(settings, votes, golds))
    of_trials = question_of_trials(votes, settings)
    apart = "" if of_trials is None or settings.target != "items" else _why_apart(of_trials)
    if apart:
        result = compare_unpaired(votes, replace(settings, unpaired=apart))
    elif of_trials is not None:
        result = _answer(of_trials)
    elif set(votes[0].items).isdisjoint(votes[1].items):
        result = compare_unpaired(votes, settings)
    else:
        question = read_question(votes, settings)
        unpaired = _of_outputs(question) and _each_rate(question) is None
        result = compare_unpaired(votes, settings) if unpaired else _answer(question)
    counted = counted_by_cut(result.label, votes[0].notes)
    return replace(result, counted=counted).within(settings.margin)


def _target(
    settings: Settings, votes: Iterable[Votes | Sketch], golds: Iterable[Gold | None]
) -> str:
    """What the comparison is about, by how many outputs of each system people labelled."""
    pairs = [*zip(votes, golds, strict=True)]
    if any(gold is not None and gold.draws is not None for _, gold in pairs):
        return target_of(settings.target, ())  # a journal, whose interval is of these items
    return target_of(settings.target, ((len(gold or ()), of.n_items) for of, gold in pairs))


def _refuse_labels_alone(votes: tuple[Votes, Votes]) -> None:
    """Refuse people's labels on the items of one system as the votes on another."""
    judged = [bool((v.codes >= 0).any()) for v in votes]
    if judged[0] == judged[1]:
        return
    labels, other = votes[judged[0]], votes[judged[1]]
    if not {*labels.items} <= {*other.items}:
        return
    which = ("first", "second") if judged[1] else ("second", "first")
    raise DataError(
        f"both files must hold verdicts on a system each; the {which[0]} has no verdict, only people's "
        f"labels of {how_many(len(labels.items), 'item')} of the {which[1]}; where they are on the same "
        f"outputs, name the {which[1]} alone, with {option('human')} and the file of labels"
    )


_UNEVEN = 0.2  # of labelled prompts, with more labels of one system: outputs were drawn one by one
BY_OUTPUT = (
    "unpaired: labels were drawn output by output, which says more of these outputs than prompts of which a "
    "part is labelled; of prompts like these (target 'population') the difference is prompt by prompt"
)


def _why_apart(q: Question) -> str:
    """Why outputs of trials are compared by the labels of each system; empty where prompts are compared.

    That labels stand in whole prompts is seen by how many have one, not by what they say.
    """
    if q.labels.uneven <= _UNEVEN or q.golds is None or q.settings.trials is None:
        return ""
    if any(q.n_others):  # compared by the rates of both
        return ""
    groups = [np.unique(own, return_inverse=True)[1] for own in q.settings.trials]
    if not any(touches_few(gold.rows, own) for gold, own in zip(q.golds, groups, strict=True)):
        return BY_OUTPUT
    if len(q.labels) >= FEWEST_CLUSTERS:
        return ""
    return (
        f"unpaired: people labelled prompts of each system, and {len(q.labels)} of them for both; "
        f"{FEWEST_CLUSTERS} or more say more: label the same prompts for both"
    )


def _of_outputs(q: Question) -> bool:
    """Whether labels have chances of their own outputs, and those labelled for both do not stand for all."""
    s = q.settings
    stated = (s.inclusion, s.drawn, s.cluster, s.at_least, *s.outputs)
    if q.inclusion is None or any(setting is not None for setting in stated) or s.method == "ppi":
        return False
    chances = q.inclusion[q.open_items[q.labels.rows]]
    return q.labels.n_one_sided > 0 and stands_for(chances, q.n_open) is not None


def _answer(question: Question) -> SystemComparison:
    always = _whenever(question)
    if always is not None:
        return always
    others = any(question.n_others)
    sides = _each_rate(question)
    if sides is not None:
        why = _not_dealt(question, *sides) if others else ""
        if not why:
            return _by_rates(question, *sides)
        return _answer(replace(_of_common(question), not_dealt=why))
    design = _design(question)
    why = _too_few(question, design) or _picked(question, design)
    return _undetermined(question, why) if why else _determined(question, design)


# --- Pairs of outputs that are only counted.


def question_of_counts(
    counts: GroupedSketch, pair: tuple[str, str], settings: Settings
) -> Question | None:
    """Two systems on the prompts that both answered; None where each system's own labels say more.

    Labelled pairs are gone through one by one, the others by their counts.
    """
    cells, prompts = cells_of_pair(counts, pair)
    codes = human_codes(counts)
    has_label = codes[cells] != NOT_ANSWERED
    both, either = has_label.all(axis=1), has_label.any(axis=1)
    n_both = int(prompts[both].sum())
    system, labelled = counts.split("system"), codes != NOT_ANSWERED
    own = [system.codes == system.values.index(name) for name in pair]
    of_a, of_b = (int(counts.cells[rows & labelled].sum()) for rows in own)
    alone = [int(counts.cells[side].sum()) - int(prompts.sum()) for side in own]
    each = (of_a, of_b)
    if not len(prompts) or own_say_more(n_both, each, FEWEST_GOLD):
        return None
    _refuse_items(settings, n_both)
    theirs = codes[(own[0] | own[1]) & labelled]
    truths = {counts.labels[code] for code in np.unique(theirs).tolist()}
    pairs, rows, n = CountedPairs.of(counts, cells, prompts, settings.label, truths)
    half_labelled = int(prompts[either & ~both].sum())
    index = counts.labels.index(pairs.panel_a.label)
    said = np.where(codes[rows] == NOT_ANSWERED, np.nan, codes[rows] == index).astype(np.float64)
    right = said[:n]
    votes_a, votes_b = (
        Sketch(*counts.axes, counts.codes[counts.tuples[side]], pairs.each) for side in rows.T
    )
    return Question(
        settings=replace(settings, names=pair),
        votes=(votes_a, votes_b),
        pairs=pairs,
        same=None,
        labels=Labels(np.arange(n), right[:, 0], right[:, 1], half_labelled),
        inclusion=None,
        clusters=None,
        drawn="random",
        notes=(_split_prompts(counts.n_parts),) if any(alone) and counts.n_parts > 1 else (),
        counted_labels=said,
        of_common=_counts_of_common(counts, cells, prompts, pairs.panel_a.label),
        n_others=(alone[0], alone[1]),
    )


def _counts_of_common(counts: GroupedSketch, cells: Ints, prompts: Ints, label: str) -> Any:
    """Counts of each system's outputs to prompts of both, with their labels; None where one has none."""
    each: list[tuple[Sketch, Gold]] = []
    for own in cells.T if counts.has("human") else ():
        n = np.bincount(own, prompts, len(counts.cells)).astype(np.int64)
        human = (counts.split("human"),)
        part = GroupedSketch(*counts.axes, counts.codes[counts.tuples], n, human).labelled()
        if isinstance(part, LabelledSketch):
            each.append((part, read_gold("key", part.some, label, split=True)))
    return tuple(each) if len(each) == 2 else None


def _split_prompts(n_parts: int) -> str:
    """Warning that a sum of counts lacks pairs."""
    return (
        f"these counts are the sum of {n_parts} parts, and a prompt whose outputs lie in two parts is not "
        "paired: divide the table so that a prompt lies in one part, or count it whole"
    )


def _why_unpaired(counts: GroupedSketch, pair: tuple[str, str]) -> str:
    """Why outputs of two systems are not compared prompt by prompt though prompts were counted."""
    _, prompts = cells_of_pair(counts, pair)
    if len(prompts):
        return (
            f"unpaired: of {how_many(int(prompts.sum()), 'prompt')} that both answered too few have labels "
            "of both; paired labels say more: label the same prompts for both"
        )
    n = int(counts.cells.sum())
    alone = f"none of {pair[0]} shares one with {pair[1]}"
    why = f"unpaired: of {how_many(n, 'output')} counted by prompt {alone}"
    return f"{why}; {_split_prompts(counts.n_parts)}" if counts.n_parts > 1 else why


def _refuse_items(settings: Settings, n_labelled: int) -> None:
    """Refuse what needs the items of paired outputs."""
    stated = {
        "cluster": settings.cluster is not None,
        "inclusion": settings.inclusion is not None,
        "drawn": settings.drawn not in (None, "random"),
        "method": settings.method == "ppi",
    }
    for name in [name for name, is_there in stated.items() if is_there]:
        raise DataError(
            f"{option(name)} must come with outputs item by item; got counts, which have neither ids nor "
            "chances; pass the rows"
        )
    if n_labelled > MOST_LABELS:
        raise DataError(
            f"at most {MOST_LABELS:,} pairs of outputs may have human labels, as they are gone through one "
            f"by one; got {n_labelled:,}; count a random part of them"
        )


# --- Labels that came one by one from a journal: a difference that holds whenever one stops.


def _in_order(gold: Gold | None, settings: Settings) -> bool:
    """Whether the order of the draws is known, and nothing is asked that needs more than it."""
    if gold is None or gold.draws is None or settings.method != "auto":
        return False
    narrowed = (settings.drawn, settings.inclusion, settings.cluster)
    stratified = gold.draws.strata is not None
    return narrowed == (None, None, None) and not (stratified and settings.target != "items")


def _rate_in_order(gold: Gold, panel: Panel, settings: Settings, level: float) -> Drawn:
    """Labels of one system in the order drawn, helped by the share of votes."""
    share = np.where(np.isnan(panel.share), 0.5, panel.share)
    return Drawn(
        gold=gold,
        panel=panel,
        predictor=Predictor("share", share, named=False),
        target=settings.target,
        level=level,
        random=settings.random,
    )


def _drawn_pairs(q: Question, golds: tuple[Gold, Gold]) -> DrawnPairs:
    """Open items in the order in which both systems' labels were drawn."""
    values, positions = np.empty((2, q.pairs.n_items)), np.empty((2, q.pairs.n_items))
    rows_of = (q.pairs.rows_a, q.pairs.rows_b)
    for k, (gold, rows, panel) in enumerate(
        zip(golds, rows_of, (q.pairs.panel_a, q.pairs.panel_b), strict=True)
    ):
        value, position = np.full((2, len(panel.items)), np.nan)
        value[gold.rows] = gold.values
        if gold.draws is not None and gold.draws.numbers is not None:
            position[gold.draws.rows] = gold.draws.numbers
        values[k], positions[k] = value[rows], position[rows]
    closed = np.asarray((~np.isnan(values) & np.isnan(positions)).any(axis=0))[q.open_items]
    d, last = (values[0] - values[1])[q.open_items], positions.max(axis=0)[q.open_items]
    drawn = np.flatnonzero(~np.isnan(last) & ~closed)
    drawn = drawn[np.argsort(last[drawn], kind="stable")]
    return DrawnPairs(~closed, (np.cumsum(~closed) - 1)[drawn], d[drawn], d[closed])


def _whenever(q: Question) -> SystemComparison | None:
    """Comparison that holds whenever one stops; None of labels whose order is not known.

    Where prompts were drawn, by the differences of their labels; where outputs were drawn one by one, by
    these and by the two rates, each with half of the chance of a miss.
    """
    golds, level = q.golds, q.settings.level
    if golds is None or not all(_in_order(gold, q.settings) for gold in golds):
        return None
    draws = [gold.draws for gold in golds if gold.draws is not None]
    stratified = any(own.strata is not None for own in draws)
    finite = q.settings.target == "items"
    others = any(q.n_others)
    by_rates = others or not (all(own.by_prompt for own in draws) and not stratified)
    by_rates = by_rates and bool(q.open_items.all())
    by_pairs = not stratified and not (by_rates and others)
    if not (by_rates or by_pairs):
        return None
    part = 1 - (1 - level) / (by_rates + by_pairs)
    scale = float(q.open_items.mean()) if finite else 1.0
    pairs, lines = _drawn_pairs(q, golds), []
    for judged in (None, q.pairs.shares[q.open_items]):
        ends = []
        if by_pairs:
            own = paired_ends(pairs, judged, part, finite=finite)
            ends.append(AnytimeEnds(*(scale * end for end in own)))
        if by_rates:
            each = [
                _rate_in_order(gold, panel, q.settings, 1 - (1 - part) / 2).by_draws(
                    judged is not None
                )
                for gold, panel in zip(golds, (q.pairs.panel_a, q.pairs.panel_b), strict=True)
            ]
            ends.append(unpaired_ends(*(AnytimeEnds(*rate[:3]) for rate in each)))
        lines.append(common_ends(ends))
    alone, together = lines
    a, b = q.settings.names
    verdict, because = verdict_whenever((a, b), together, level)
    both = f"{len(pairs.rows)} of {how_many(q.pairs.n_items, 'item')} labelled for both"
    by_rates = by_rates and others
    table = _line_of_judges(q.pairs)
    beliefs, proofs = belief_lines(q) if q.settings.at_least is not None else ((), {})
    remark = f"{both}; holds whenever one stops"
    lines_of_labels = lines_whenever(alone, together, remark, level)
    table += [*beliefs, *lines_of_labels[: 1 if q.pairs.panel_a.is_empty else 2]]
    return _assembled(
        q,
        status=Status.OK,
        message=f"{headline_whenever((a, b), together, level)}; {both}.\n{verdict}: {because}.",
        difference=together.rate,
        low=together.low,
        high=together.high,
        verdict=verdict,
        rho2=None,
        method="anytime",
        table=tuple(table),
        certificates=proofs,
        warnings=(
            *(note for note in _warnings(q, by_rates=by_rates) if note != LOOKED_AT),
            *([_dealt(q, together.rate)] if by_rates else []),
        ),
    )


def headline_whenever(names: tuple[str, str], ends: AnytimeEnds, level: float) -> str:
    """The difference, and that its interval holds whenever one stops."""
    return (
        f"{names[0]} - {names[1]} = {signed(ends.rate)}, {level_text(level)} interval {signed(ends.low)} to "
        f"{signed(ends.high)}, which holds whenever one stops"
    )


def verdict_whenever(names: tuple[str, str], ends: AnytimeEnds, level: float) -> tuple[str, str]:
    """Verdict and its reason: the interval alone decides, as it may be looked at after every label."""
    if ends.low <= 0 <= ends.high:
        return "NO DIFFERENCE SHOWN", still_possible(names, ends.low, ends.high)
    why = f"its interval leaves 0, and misses at any time with a chance of at most {level_text(1 - level)}"
    return f"{names[0] if ends.low > 0 else names[1]} BETTER", why


def lines_whenever(
    alone: AnytimeEnds, together: AnytimeEnds, remark: str, level: float
) -> tuple[Line, Line]:
    """Lines of the labels alone, and of labels and judges."""
    both = {"labels only": alone, "labels + judges": together}
    first, second = (_of_labels(name, ends, remark, level) for name, ends in both.items())
    return first, second


def _picked(q: Question, design: Design) -> str:
    """Why labels decide nothing, as they were not drawn at random; empty if nothing shows it.

    Where no label that is missing could turn the sign, it does not matter how they were drawn.
    """
    n = len(design.labelled.values)
    if q.drawn == "unequal" or _certain(q, design.labelled):
        return ""
    why = picked_labels(q.pairs, q.labels.rows, q.open_items, q.clusters) if n else ""
    if not why:
        return ""
    outputs = f"{option('outputs_a')} and {option('outputs_b')}"
    differing = "" if q.same is not None else f", or say with {outputs} which differ"
    return f"{why}; draw labels with next(goal='difference'){differing}"


def _certain(q: Question, labelled: Labelled) -> bool:
    """Whether no label that is missing could turn the sign, given the labelled differences."""
    d = labelled.values[labelled.settled]
    left = q.n_open - len(d)
    return q.settings.target == "items" and (abs(float(d.sum())) > left or not left)


def _design(q: Question) -> Design:
    """Labelled differences of open items, with the chance of each."""
    is_open = q.open_items[q.labels.rows]
    n_open = q.n_open
    n = int(is_open.sum())
    chances = np.full(n, n / max(n_open, 1))  # of items drawn at random, one by one
    if q.inclusion is not None:
        chances = q.inclusion[is_open]
        check_stands_for(chances, n_open)
    partly = None if q.labels.partly is None else q.labels.partly[is_open]
    labelled = Labelled(q.labels.rows[is_open], q.labels.differences[is_open], chances, partly)
    return Design(
        labelled=labelled,
        open_items=q.open_items,
        weights=q.pairs.weights,
        clusters=q.clusters,
        target=q.settings.target,
        level=q.settings.level,
        random=q.settings.random,
    )


def _too_few(q: Question, design: Design) -> str:
    """Why labels give no interval; empty if they do."""
    n = len(design.labelled.values)
    if not n:
        where = "" if not len(q.labels) else " on which the outputs differ"
        return f"no item{where} is labelled for both systems"
    if q.clusters is None:
        return ""
    groups = len(np.unique(q.clusters[design.labelled.rows]))
    if groups >= FEWEST_CLUSTERS:
        return ""
    return (
        f"the labels lie in {how_many(groups, 'cluster')} and {FEWEST_CLUSTERS} are needed to see how "
        "clusters differ; label one item in each of more"
    )


def _undetermined(q: Question, why: str) -> SystemComparison:
    """What logic alone allows."""
    nothing = no_belief_line(q.n_open, q.pairs.n_items, q.settings.target)
    beliefs, proofs = belief_lines(q)
    believed = q.settings.at_least is not None
    impossible = believed and beliefs[0].low is None
    widest = beliefs[0] if believed and not impossible else nothing
    a, b = q.settings.names
    said = f"{a} - {b} is not determined by these votes: {why}"
    headline = NOT_RANDOM if NOT_RANDOM in why else _FAVOUR
    if impossible:
        said += f"; and no answer keys leave it possible that {beliefs[0].assumption}"
    return _assembled(
        q,
        status=Status.INCONSISTENT if impossible else Status.UNDETERMINED,
        message=f"{said}.\nNOT DETERMINED: {headline}.",
        difference=None,
        low=float(widest.low or 0),
        high=float(widest.high or 0),
        verdict="NOT DETERMINED",
        rho2=None,
        method="none",
        table=(*_line_of_judges(q.pairs), nothing, *beliefs),
        certificates=proofs,
        warnings=_warnings(q),
    )


def _determined(q: Question, design: Design) -> SystemComparison:
    """What labels and judges say together."""
    alone = labels_alone(design)
    difference, method, judged = with_judges(design, q.pairs, q.settings.method)
    verdict, because = _verdict_of_compare(
        q, difference, design.labelled, alone=_by_labels_alone(q, design, judged)
    )
    beliefs, proofs = belief_lines(q) if q.settings.at_least is not None else ((), {})
    lines = labels_lines(q, alone, difference, judged[q.labels.rows])
    return _assembled(
        q,
        status=Status.OK,
        message=f"{_headline(q, difference)}\n{verdict}: {because}.",
        difference=difference.estimate,
        low=difference.low,
        high=difference.high,
        verdict=verdict,
        rho2=_rho2(design.labelled.values, judged[design.labelled.rows]),
        method=method,
        table=(*_line_of_judges(q.pairs), *beliefs, *lines),
        certificates=proofs,
        warnings=(*_warnings(q), *_compare_of_labels(q, design, method)),
    )


def _headline(q: Question, difference: Difference) -> str:
    a, b = q.settings.names
    every = len(q.labels) == q.pairs.n_items
    same = f"{'all' if every else len(q.labels)} labelled for both"
    if q.pairs.trials:
        some = q.labels.partly is not None and q.labels.partly.any()
        same += f"{', some in part' if some else ''}; means over trials of a prompt"
    lead = float(q.labels.differences.sum())
    if every and not q.pairs.trials and q.settings.target == "population":
        ahead = f"{a if lead > 0 else b} has {abs(lead):g} more" if lead else "both have as many"
        same += f"; on these {q.pairs.n_items} items {ahead}"
    return (
        f"{a} - {b} = {signed(difference.estimate)}, {level_text(q.settings.level)} interval "
        f"{signed(difference.low)} to {signed(difference.high)}; the same "
        f"{how_many(q.pairs.n_items, q.pairs.unit)}, {same}."
    )


def _by_labels_alone(q: Question, design: Design, judged: np.ndarray[Any, Any]) -> bool:
    """Whether the labels of items drawn one by one decide and no judge helps: the exact test then holds."""
    return bool(
        q.clusters is None
        and q.drawn != "unequal"
        and (len(design.labelled.values) < FEWEST_GOLD or not np.ptp(judged[q.open_items]))
    )


_OF_THESE = "sure of these items, not of more like them (target 'population')"


def _verdict_of_compare(
    q: Question, difference: Difference, labelled: Labelled, *, alone: bool
) -> tuple[str, str]:
    """Verdict and its reason.

    Of labels alone no verdict is given that the exact test of those that differ (McNemar) would not give at
    this level. With judges the interval decides, with one label moved against it, as it would else leave 0
    a little too often; but never on fewer labels that differ than the test needs. Where no label that is
    missing could turn the sign, nothing is left to luck.
    """
    d, n_open = labelled.values, q.n_open
    left, certain = n_open - int(labelled.settled.sum()), _certain(q, labelled)
    more, less = int((d > 0).sum()), int((d < 0).sum())
    if difference.low <= 0 <= difference.high:
        open_ = still_possible(q.settings.names, difference.low, difference.high)
        return "NO DIFFERENCE SHOWN", f"{open_}{_labels_against(q, more, less, alone=alone)}"
    if not certain:
        moved = LABEL_MOVED / len(d) * n_open / q.pairs.n_items
        moved *= left / n_open if q.settings.target == "items" else 1.0
        far = max(difference.low, -difference.high) > moved
        why = _not_settled(q, more, less, alone=alone, far=far)
        if why:
            return "NOT SETTLED", f"the interval leaves 0 but {why}"
    winner = q.settings.names[0] if difference.low > 0 else q.settings.names[1]
    split = how_many(more + less, "labelled difference")
    if certain:
        last = (
            f"every {q.pairs.unit} that can differ is labelled"
            if not left
            else "no other label can turn it"
        )
        return f"{winner} BETTER", f"{last}, {split}; {_OF_THESE}"
    tested = f"{max(more, less)} against {min(more, less)}"
    p = exact_chance(more, less)
    if alone:
        chance = f"exact McNemar test of the labels: p = {_p(p)}"
        return f"{winner} BETTER", f"the labels decide this, {split}, {tested} ({chance})"
    how = ""
    if q.clusters is None and q.drawn != "unequal":
        would = "would, too" if p <= 1 - q.settings.level else "would not"
        how = f"; labels alone {would}: exact McNemar p = {_p(p)}"
    by = "the labels decide" if q.pairs.panel_a.is_empty else "labels and judges together decide"
    return f"{winner} BETTER", (f"{by} this, {split}, {tested} (by their interval{how})")


def _labels_against(q: Question, more: int, less: int, *, alone: bool) -> str:
    """Why no difference is shown though a test of the labels alone would show one; empty if it would not."""
    p = exact_chance(more, less)
    if alone or q.clusters is not None or q.drawn == "unequal" or p > 1 - q.settings.level:
        return ""
    return (
        " (by the interval of labels and judges, which decides; labels alone would show one: exact McNemar "
        f"p = {_p(p)})"
    )


def _not_settled(q: Question, more: int, less: int, *, alone: bool, far: bool) -> str:
    """Why labels on which the systems differ are too few, or too even; empty if they are not."""
    needed, split = fewest_discordant(q.settings.level), "labelled difference"
    m = more + less
    if q.clusters is not None:
        rows = q.open_items[q.labels.rows]
        sums = np.bincount(q.clusters[q.labels.rows[rows]], q.labels.differences[rows])
        m, split = int((sums != 0).sum()), "cluster with labelled differences"
    if m < needed:
        count = how_many(
            m, split, split.replace("cluster ", "clusters ") if " with" in split else ""
        )
        return f"rests on {count} ({needed} needed)"
    chance = exact_chance(more, less)
    if alone and chance > 1 - q.settings.level + 1e-12:
        return (
            f"an exact McNemar test of {more + less} labelled differences, {max(more, less)} against "
            f"{min(more, less)}, does not (p = {_p(chance)})"
        )
    return "" if alone or far else "by less than one label is worth"


def _p(chance: float) -> str:
    return f"{chance:.2g}" if chance >= 0.001 else "less than 0.001"


def _rho2(d: Any, judged: Any) -> float | None:
    if len(d) < 3 or not np.ptp(d) or not np.ptp(judged):
        return None
    return float(np.corrcoef(d, judged)[0, 1]) ** 2


def _warnings(q: Question, *, by_rates: bool = False) -> tuple[str, ...]:
    each = [votes.cautions for votes in q.votes if isinstance(votes, Votes)]
    reading = dict.fromkeys(note for notes in each for note in notes)
    sentences = [*reading, *([] if any(q.n_others) and by_rates else _said_of_others(q)), *q.notes]
    if q.labels.n_one_sided:
        n = how_many(q.labels.n_one_sided, q.pairs.unit)
        role = "count in its rate, but not in pairs" if by_rates else "take no part"
        sentences.append(f"{n} labelled for one system only {role}: label the other's answer too")
    at_odds = int(q.labels.differences[~q.open_items[q.labels.rows]].any())
    if at_odds:
        sentences.append(
            "labels differ on identical outputs: labels are not consistent; 0 was taken"
        )
    return tuple(sentences)


def _said_of_others(q: Question) -> list[str]:
    """What was left out as one system alone answered it, and why."""
    names, unit = q.settings.names, q.pairs.unit
    sentences = list(left_out(names, q.pairs))
    if q.counted_labels is not None:
        left = zip(names, q.n_others, strict=True)
        sentences = [f"{how_many(n, unit)} of {name} alone left out" for name, n in left if n]
    if q.not_dealt:
        sentences.append(
            f"chance did not deal the {unit}s to the systems ({q.not_dealt}): those of both alone are "
            "compared"
        )
    return sentences


def _compare_of_labels(q: Question, design: Design, method: str) -> tuple[str, ...]:
    sentences = []
    if len(design.labelled.values) < FEWEST_GOLD and not q.pairs.panel_a.is_empty:
        sentences.append(f"fewer than {FEWEST_GOLD} labels are too few to use the judges")
    if q.drawn != "unequal" and _certain(q, design.labelled):  # else looked at before
        why = picked_labels(q.pairs, q.labels.rows, q.open_items, q.clusters)
        sentences += (
            [f"{why}; the verdict holds all the same, the interval may miss"] if why else []
        )
    return tuple(sentences)


def _assembled(q: Question, **result: Any) -> SystemComparison:
    """Result with what is the same whatever was found."""
    labelled = np.zeros(len(q.pairs.rows_a), bool)
    labelled[q.labels.rows] = True
    counted = q.pairs.weights is not None  # items that have no ids
    next_rows = np.flatnonzero(q.differing & ~labelled)[: 0 if counted else None]
    return SystemComparison(
        names=q.settings.names,
        label=q.pairs.panel_a.label,
        target=q.settings.target,
        n_items=q.pairs.n_items,
        level=q.settings.level,
        n_gold=len(q.labels),
        n_discordant=q.n_discordant,
        drawn=q.drawn,
        n_differing=q.pairs.total(q.differing),
        to_label=tuple(q.pairs.items[row] for row in next_rows.tolist()),
        **result,
    )


# --- Several systems on the same items: all pairs at once.
#
# Intervals are those of two systems at a level that m pairs share (Bonferroni). Verdicts step down (Holm):
# as pairs are settled, those left share the error between fewer.


Found = dict[tuple[str, str], SystemComparison]


@dataclass(frozen=True, slots=True)
class Systems:
    """Several systems by name, with their votes and their labels, if any."""

    label: object
    votes: Mapping[str, Votes | Sketch]
    golds: Mapping[str, Gold | None] | None
    counts: GroupedSketch | None = None  # with pairs of outputs
    own: Systems | None = (
        None  # the same outputs under names of their own, not those of their prompts
    )
    trials: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of_counts(cls, counts: GroupedSketch, human: object, label: object) -> Systems:
        """Systems that items are counted by, with their labels."""
        parts = {name: part.labelled(human) for name, part in counts.each("system").items()}
        if len(parts) < 2:
            raise DataError(f"versus needs two systems or more; got counts of {list(parts)}")
        golds = {
            name: read_gold("key", part.some, label, split=True)
            if isinstance(part, LabelledSketch)
            else None
            for name, part in parts.items()
        }
        return cls(label, parts, golds, None if counts.pairs is None else counts)

    @classmethod
    def of(
        cls,
        votes: Any,
        names: Sequence[str] | None,
        label: object,
        gold: Any,
        own: Any = None,
        trials: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> Systems:
        """Systems as they were given: {name: votes}, or a list and perhaps names; `own`: named apart.

        trials : the prompt of each output of each, where some prompt has several.
        """
        tables = list(votes.values()) if isinstance(votes, Mapping) else votes
        if not isinstance(tables, list | tuple) or len(tables) < 2:
            raise DataError(
                "versus needs two systems or more; got one; pass votes_b, {name: votes} or a list"
            )
        if names is None:
            names = list(votes) if isinstance(votes, Mapping) else ascii_uppercase[: len(tables)]
        names_ = [str(name) for name in names]
        if len(set(names_)) != len(tables) or len(names_) != len(tables):
            raise DataError(
                f"{parameter('names')} must be {len(tables)} different names, one a system; got "
                f"{names!r}; pass {option('names')}"
            )
        each = _each(gold, names_)
        if each is not None and len(each) == len(tables):
            pairs = [read_labelled(table, own) for table, own in zip(tables, each, strict=True)]
            tables, gold = [table for table, _ in pairs], [own for _, own in pairs]
        read = {
            n: as_votes(table, f"votes of {n}") for n, table in zip(names_, tables, strict=True)
        }
        golds = None if gold is None else _golds_of_several(gold, read, label)
        apart = None if own is None else cls.of(own, names, label, gold)
        prompts = dict(zip(names_, trials.values(), strict=True)) if trials else {}
        return cls(label, read, golds, own=apart, trials=prompts)

    def compared(self, pair: tuple[str, str], settings: Settings) -> SystemComparison:
        """Comparison of two of them."""
        a, b = pair
        golds = [(self.golds or {}).get(name) for name in self.votes]
        settings = replace(settings, target=_target(settings, self.votes.values(), golds))
        if self.counts is not None:
            paired = question_of_counts(self.counts, pair, settings)
            if paired is not None:
                return _answer(replace(paired, apart=self._apart(pair))).within(settings.margin)
            settings = replace(settings, unpaired=_why_unpaired(self.counts, pair))
        if self.own is not None and self._own_say_more(pair):
            return self.own.compared(pair, settings)
        own = (None, None) if self.golds is None else (self.golds[a], self.golds[b])
        trials = (self.trials[a], self.trials[b]) if self.trials else None
        of_pair = replace(settings, names=pair, golds=(*own, None), trials=trials)
        return compare_pair(self.votes[a], self.votes[b], of_pair)

    def _apart(self, pair: tuple[str, str]) -> Any:
        """Counts of each system's outputs with its labels; None without."""
        each = [(self.votes[name], (self.golds or {}).get(name)) for name in pair]
        return tuple(each) if all(gold is not None for _, gold in each) else None

    def _own_say_more(self, pair: tuple[str, str]) -> bool:
        """Whether labels of each system say more than those of prompts labelled for both."""
        if self.golds is None:
            return False
        a, b = (
            {str(self.votes[name].items[row]) for row in gold.rows.tolist()}  # type: ignore[union-attr]  # counts have none
            for name in pair
            if (gold := self.golds[name]) is not None
        )
        return own_say_more(len(a & b), (len(a), len(b)), FEWEST_GOLD)


def _golds_of_several(gold: Any, votes: dict[str, Votes], label: object) -> dict[str, Gold]:
    """Labels of each system: a list in their order, by name, a table of all, or their keys."""
    each = _each(gold, list(votes))
    if each is None:
        check_letters(gold, ascii_lowercase[: len(votes)])
        letters = zip(ascii_lowercase, votes.items(), strict=False)
        return {name: read_side(gold, letter, entry, label) for letter, (name, entry) in letters}
    if len(each) != len(votes):
        raise DataError(
            f"{parameter('human')} must hold the labels of each of the {len(votes)} systems; got "
            f"{len(each)}; add the others"
        )
    return {
        name: read_gold(labels, entry, label, name=f"human of {name}", split=True)
        for (name, entry), labels in zip(votes.items(), each, strict=True)
    }


def _each(gold: Any, names: Sequence[str]) -> list[Any] | None:
    """Labels of each system where they are given apart, None for a table of all."""
    if isinstance(gold, Mapping) and set(gold) == set(names):
        return [gold[name] for name in names]
    if isinstance(gold, list | tuple) and not all(_is_row(value) for value in gold):
        return list(gold)
    return ["key"] * len(names) if isinstance(gold, str) and gold == "key" else None


def _is_row(value: Any) -> bool:
    """Whether it is a row of a table of all systems, and not {item: label} of one."""
    return isinstance(value, Mapping) and any(str(key).lower() == "truth_a" for key in value)


def compare_several(systems: Systems, settings: Settings) -> SystemsComparison:
    """Every pair, with intervals, verdicts and ranks that hold together at a level."""
    level = settings.level
    if settings.margin:
        raise DataError(
            f"{parameter('margin')} must come with two systems; got {len(systems.votes)}; compare two"
        )
    pairs = list(combinations(systems.votes, 2))

    def at(n_pairs: int, pairs_: Sequence[tuple[str, str]]) -> Found:
        shared = replace(settings, level=1 - (1 - level) / n_pairs)
        return {pair: systems.compared(pair, shared) for pair in pairs_}

    first = at(len(pairs), pairs)
    verdicts = _stepped_down(first, at)
    names = tuple(systems.votes)
    system = first[pairs[0]]
    return SystemsComparison(
        status=_status(first),
        message=_message(names, first, verdicts, level),
        names=names,
        label=system.label,
        target=system.target,
        level=level,
        pairs=tuple(_pair(pair, first[pair], verdicts[pair]) for pair in pairs),
        ranks=dict(zip(names, ranks_of(_ahead(names, first)), strict=True)),
        warnings=tuple(
            f"{a}, {b}: {text}" for (a, b), pair in first.items() for text in pair.warnings
        ),
    )


def _stepped_down(
    first: Found, at: Callable[[int, Sequence[tuple[str, str]]], Found]
) -> dict[tuple[str, str], str]:
    """Verdicts: pairs left open are asked again at the level that fewer share."""
    verdicts = {pair: ordered.verdict for pair, ordered in first.items()}
    left = [pair for pair in first if not _settled(verdicts[pair])]
    n_before = len(first)
    while left and len(left) < n_before and any(ordered.status.ok for ordered in first.values()):
        n_before = len(left)
        verdicts |= {pair: ordered.verdict for pair, ordered in at(n_before, left).items()}
        left = [pair for pair in left if not _settled(verdicts[pair])]
    return verdicts


def _settled(verdict: str) -> bool:
    return verdict.endswith(" BETTER")


def _ahead(
    names: tuple[str, ...], compared: Found
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """(k, k): whether the interval of a pair says that the one is ahead of the other."""
    ahead = np.zeros((len(names), len(names)), bool)
    for (a, b), pair in compared.items():
        i, j = names.index(a), names.index(b)
        ahead[i, j] = pair.verdict == f"{a} BETTER"
        ahead[j, i] = pair.verdict == f"{b} BETTER"
    return ahead


def _status(compared: Found) -> Status:
    statuses = [comparison.status for comparison in compared.values()]
    if Status.INCONSISTENT in statuses:
        return Status.INCONSISTENT
    return Status.OK if all(status.ok for status in statuses) else Status.UNDETERMINED


def _message(
    names: tuple[str, ...], compared: Found, verdicts: dict[tuple[str, str], str], level: float
) -> str:
    n = len(compared)
    if not any(comparison.status.ok for comparison in compared.values()):
        if any(NOT_RANDOM in comparison.message for comparison in compared.values()):
            return f"{how_many(len(names), 'system')}: NOT DETERMINED: {NOT_RANDOM}."
        return (
            f"{how_many(len(names), 'system')}, no labels: NOT DETERMINED. Judges who favour one system look "
            "like a better system."
        )
    settled = sum(map(_settled, verdicts.values()))
    return (
        f"{how_many(len(names), 'system')}: {settled} of {how_many(n, 'pair')} settled, all at once at "
        f"{percent(level, 0)}."
    )


def _pair(pair: tuple[str, str], comparison: SystemComparison, verdict: str) -> Pair:
    return Pair(
        first=pair[0],
        second=pair[1],
        difference=comparison.difference,
        low=comparison.low,
        high=comparison.high,
        verdict=verdict,
        n_items=comparison.n_items,
        n_gold=comparison.n_gold,
        n_discordant=comparison.n_discordant,
    )


# --- Is one system better than another? Two of them, or all pairs of several.


def _tables(votes: Any) -> list[Any]:
    return list(votes.values()) if isinstance(votes, Mapping) else list(votes)


class _OfTable(NamedTuple):
    """Systems of a results table."""

    votes: Mapping[str, Votes]  # paired by prompts where these pair them
    gold: Any = None
    label: object = None
    own: dict[str, Votes] | None = None  # by output
    unpaired: str = ""  # why two are not paired by prompts
    alone: Collection[
        object
    ] = ()  # columns of which each output of a system has a value of its own
    # the prompt of each output, where some prompt has several
    trials: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def trials_of_two(self) -> Any:
        """Those of two systems, None of more."""
        return tuple(self.trials.values()) if len(self.trials) == 2 else None


def _of_results(
    source: Any, gold: Any, label: object, *, system: str | None, prompt: str | None
) -> _OfTable:
    """Votes on each system of a results table, where labels are, and the good label."""
    named = None if isinstance(gold, str) and gold == "key" else gold
    if isinstance(source, Results):
        own = named is None or source.has_people(named)
        results = source if own else source.with_people(named)
    else:
        results = read_results(source, human=named, system=system, prompt=prompt)
    parts = results.each_system(FEWEST_GOLD)
    if results.layout == "pairwise":
        raise DataError(
            "a results table must have a row for each output of a system to compare two; its rows are pairs, "
            "of which judges say who won; rank their systems with leaderboard (ae.leaderboard, algeval "
            "leaderboard)"
        )
    if len(parts) < 2:
        raise DataError(
            f"a results table must hold two systems or more to compare them; got {list(results.systems)}; "
            f"name their column with {option('system')}, or pass the votes on each"
        )
    with with_means():
        _ = results.votes
    _need_labels_of_each(results, parts)
    few = _few_for_both(results)
    return _OfTable(
        votes={name: part.votes for name, part in parts.items()},
        own={name: part.votes for name, part in results.by_system.items()},
        gold="key" if results.said else None,
        label=results.good if label is None else label,
        alone=_alone(results, parts),
        unpaired=few,
        trials={} if few else results.prompts_of_trials,
    )


def _alone(results: Results, parts: Mapping[str, Results]) -> list[object]:
    """Columns of ids, prompts and groups that no two outputs of a system share: clusters of one."""
    shared = {own.name for part in parts.values() for own in part.votes.groupings}
    return [n for n in results.reading.named("item", "prompt", "slice") if n not in shared]


def _need_labels_of_each(results: Results, parts: Mapping[str, Results]) -> None:
    """Refuse systems of which people labelled one and another not."""
    n = {name: part.n_labelled for name, part in parts.items()}
    unlabelled = [name for name in n if not n[name]]
    if not any(n.values()) or not unlabelled:
        return
    some = ", ".join(f"{how_many(k, 'output')} of {name!r}" for name, k in n.items() if k)
    column = next(iter(results.said))
    raise DataError(
        f"people must have labelled outputs of each system to compare them; got {some} and none of "
        f"{', '.join(map(repr, unlabelled))}; label some of the same prompts, or leave people out "
        f"({option('ignore', column)}), which settles nothing"
    )


def _few_for_both(results: Results) -> str:
    """Why the outputs of two systems are not paired by prompts that both answered; "" where they are."""
    parts = results.by_system
    if len(parts) != 2 or not results.pairs_prompts or not results.said:
        return ""
    if not results.own_labels_say_more(FEWEST_GOLD):
        return ""
    a, b = results.answered_prompts
    dealt = "" if a == b else f"; {_BY_CHANCE.format(unit='prompt')}"
    return (
        f"unpaired: no prompt of {len(a & b)} has labels for both systems: label the same prompts for both, "
        f"which says more{dealt}"
    )


# which result it is hangs on votes_b alone: the settings are not written three times
@overload
def versus(votes_a: Source, votes_b: Source, **settings: Any) -> SystemComparison: ...


@overload
def versus(
    votes_a: Mapping[str, Source] | Sequence[Source], votes_b: None = None, **settings: Any
) -> SystemsComparison: ...


@overload
def versus(votes_a: Source, votes_b: None = None, **settings: Any) -> Any: ...


@reads_as_named  # type: ignore[misc]
def versus(
    votes_a: Source | Mapping[str, Source] | Sequence[Source],
    votes_b: Source | None = None,
    *,
    good: object = None,
    human: Any = None,
    human_a: Any = None,
    human_b: Any = None,
    system: str | None = None,
    prompt: str | None = None,
    cluster: Any = None,
    target: str = "auto",
    margin: object = 0,
    drawn: str | None = None,
    inclusion: Any = None,
    outputs_a: Any = None,
    outputs_b: Any = None,
    at_least: object = None,
    method: str = "auto",
    level: float = LEVEL,
    names: Sequence[str] | None = None,
    random: int = 0,
    time_limit: float | None = None,
    label: object = None,
    gold: Any = None,
    gold_a: Any = None,
    gold_b: Any = None,
) -> SystemComparison | SystemsComparison:
    """Difference between two systems in how often a label, such as "pass", is the true one.

    Labels decide and judges sharpen. Without labels there is no verdict however many judges agree: one
    that favours a system cannot be seen in votes, and more judges make the error look smaller. Of more than
    two systems every pair is compared, all intervals right at once, with the ranks that each may have.
    `compare_systems`, the old name, is the same function.

    Parameters
    ----------
    votes_a, votes_b : Votes, or tables
        Judges' votes on the answers of each system. Items are joined by id; those of one file alone are
        left out and named. Without an item in common they are compared unpaired: each system's rate from its
        own labels and judges, and the difference of the two. Of several systems {name: votes} or a list,
        without `votes_b`; settings for two (those ending in _a or _b) are left out then.
        One results table with a column of systems does for all: outputs are paired by prompt. Where a prompt
        has several outputs of a system (trials), prompts are compared, by means over their outputs, and are
        what intervals count; labels drawn output by output count apart for these outputs. So do counts by
        system, which are paired where they were counted with `prompt=`, else compared unpaired.
    good : str, optional
        The label whose share is compared; by default the label named like a pass.
    human : name of a column, table, file or "key", optional
        What people said of both: of a results table a column of it, taken without it where the table has one;
        else a table with columns item, truth_a and truth_b, or the keys of both votes. Of several systems a
        list in their order, {name: labels}, a table with truth_a, truth_b, truth_c ..., or "key".
    human_a, human_b : mapping, path, table, Votes or "key", optional
        What people said of each apart, as `rate` takes it. Items labelled for both count.
    system, prompt : str, optional
        Of a results table, the columns of systems and of what pairs their outputs; found by looking
        otherwise.
    cluster : mapping, table or sequence, optional
        Items that belong together, as {item: cluster}, or in the order of A's items. Clusters are the unit
        then; ten at least must have labels.
    target : "auto", "items" or "population"
        The difference on these items, or on more items like them. "auto": on more items like them once
        people labelled half of a system's, else on these.
    margin : number
        How much worse a system may be and still pass: `not_worse` says of which of two the interval shows
        that it is worse by no more. Choose it before you look.
    drawn : "random", "differing" or "unequal", optional
        How the labelled items were drawn: among all, among those whose outputs differ, or with the
        chances of `inclusion`. Random is assumed, and said, unless there are such chances.
    inclusion : mapping or table, optional
        {item: chance} with which labelled items were drawn, or a table with such a column; by default the
        column "inclusion" of the labels.
    outputs_a, outputs_b : mapping, table or sequence, optional
        What the systems put out. Where both are the same text the difference is 0 for certain.
    at_least : number, mapping, text or Specification, optional
        What is believed of the judges, as `rate` takes it: show what follows if every judge is right on at
        least this share of what it answered, for both systems.
    method : "auto", "strata" or "ppi"
        Strata of the difference of verdicts, or regression on the difference of shares. Auto takes strata
        where they hold: no clusters, no graded labels, one chance per stratum. Choose before looking.
    level : float
        Of the interval.
    names : sequence of str, optional
        What to call the systems; A, B, ... by default.
    random : int
        Seed of the posterior draws.
    time_limit : float or None
        Seconds for proofs of what follows from beliefs, by default counted work; closed forms are
        always worked out.
    label, gold, gold_a, gold_b : optional
        The old names of `good`, `human`, `human_a` and `human_b`, for one release.

    Returns
    -------
    SystemComparison, or of several systems SystemsComparison
        Status ok with an interval; `undetermined` without labels, with too few clusters of them, or where
        the votes show that they were picked, unless no label that is missing could turn the sign;
        `inconsistent` where the votes contradict `at_least`.

    Raises
    ------
    DataError
        If the files share no item or label, a label is of an unknown item, or a setting is wrong.

    Notes
    -----
    Differences D of labels are 1, 0 or -1. Three strata of the same difference of verdicts, a Dirichlet
    prior of a third each, and unlabelled items drawn from the posterior. Labels alone give no verdict that
    McNemar's exact test would not give at the level; with judges the interval decides, with one label moved
    against it, and never on fewer labelled differences than that test needs (six at 95%, eight at 99%). Of
    unpaired systems labels alone give none that Fisher's exact test would not.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> items = [f"q{k}" for k in range(40)]
    >>> a = Votes.from_columns({"j": ["pass"] * 35 + ["fail"] * 5}, items=items)
    >>> b = Votes.from_columns({"j": ["pass"] * 15 + ["fail"] * 25}, items=items)
    >>> versus(a, b, good="pass").verdict
    'NOT DETERMINED'
    >>> human_a = {q: "pass" for q in items[10:30]}
    >>> human_b = {q: "pass" if q < "q15" else "fail" for q in items[10:30]}
    >>> versus(a, b, good="pass", human_a=human_a, human_b=human_b).verdict
    'A BETTER'
    """
    label = either_setting(label, good, "label", "good")
    gold = either_setting(gold, human, "gold", "human")
    human_a = either_setting(gold_a, human_a, "gold_a", "human_a")
    human_b = either_setting(gold_b, human_b, "gold_b", "human_b")
    table = _OfTable({})
    if votes_b is None:
        votes_a = cast("Source", saved_counts(votes_a))
    if votes_b is None and not isinstance(votes_a, GroupedSketch) and is_single_table(votes_a):
        table = _of_results(votes_a, gold, label, system=system, prompt=prompt)
        tables, gold, label = table.votes, table.gold, table.label
        cluster = None if isinstance(cluster, str) and cluster in table.alone else cluster
        names = list(tables) if names is None else names
        votes_a, votes_b = tables, None
        if len(tables) == 2:
            votes_a, votes_b = tables.values()
    if label is None and isinstance(votes_a, GroupedSketch):
        label = label_or_pass(None, votes_a.labels, votes_a.judges)
    if label is None:
        first = votes_a if votes_b is not None else next(iter(_tables(votes_a)), None)
        votes = as_votes(first, "votes_a")
        stated = good_of_table(first, votes.labels)
        label = label_or_pass(stated, votes.labels, answered_by(votes), likely_grade(votes))
    settings = Settings(
        label=label,
        names=("A", "B") if names is None or votes_b is None else names,  # type: ignore[arg-type]
        golds=(human_a, human_b, gold),
        outputs=(outputs_a, outputs_b),
        drawn=drawn,
        inclusion=inclusion,
        cluster=cluster,
        target=target,
        margin=float(exact_share(margin, "margin")),
        method=method,
        level=check_number("level", level, least=0, most=1, strict=True),
        random=check_whole("random", random, least=0),
        at_least=at_least,
        usual=() if votes_b is None else BELIEFS,
        time_limit=time_limit,
        unpaired=table.unpaired,
        trials=table.trials_of_two,
    )
    if votes_b is None:
        of_two = (human_a, human_b, outputs_a, outputs_b)
        if any(arguments is not None for arguments in of_two):
            raise DataError(
                f"{parameter('human_a')}, {parameter('human_b')}, {parameter('outputs_a')} and "
                f"{parameter('outputs_b')} must come with two systems; got votes_b=None; pass "
                f"{option('human')} for several, or both files"
            )
        if isinstance(votes_a, GroupedSketch):
            systems = Systems.of_counts(votes_a, gold, label)
            if len(systems.votes) == 2:
                a, b = systems.votes
                usual = () if systems.counts is None else BELIEFS
                return systems.compared((a, b), replace(settings, usual=usual))
        else:
            systems = Systems.of(votes_a, names, label, gold, table.own, table.trials)
        return compare_several(systems, settings)
    return compare_pair(votes_a, votes_b, settings)


compare_systems = versus  # its old name
