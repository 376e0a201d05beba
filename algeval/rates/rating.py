"""`rate`: how often a system passes, from judges' votes and as many labels as there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from itertools import pairwise
from math import ceil, floor, hypot, inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS as METHODS_OF_AGGREGATE
from algeval.aggregate import aggregate
from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import (
    NOT_ANSWERED,
    Axes,
    Caution,
    check_choice,
    check_number,
    counted_by_cut,
    folded,
    with_absent,
)
from algeval.data.reading import Source, as_summary
from algeval.data.votes import LabelledSketch
from algeval.door import reads_as_named
from algeval.door import table as read_table
from algeval.errors import DataError, either_way, option, parameter
from algeval.io.answers import ReadOptions, answered, as_number
from algeval.io.layout import KEY_NAMES, match, shown
from algeval.io.results import where_to_cut
from algeval.io.sources import clusters_on_items, name_of, on_items, read, read_labelled
from algeval.io.tables import open_table
from algeval.logic.proof import Certificate
from algeval.progress import until
from algeval.rates.inputs import (
    LOOKED_AT,
    TARGETS,
    Floats,
    Gold,
    Ints,
    Panel,
    Scope,
    answered_by,
    as_votes,
    chances_of,
    cluster_codes,
    either_setting,
    exact_share,
    good_of_table,
    label_or_pass,
    labels_of_people,
    labels_together,
    likely_grade,
    n_unjudged,
    numbers_by_item,
    panel_of,
    read_gold,
    refuse_of_counts,
    target_of,
)
from algeval.rates.intervals import (
    NOT_RANDOM,
    Balance,
    Chances,
    Drawn,
    Elsewhere,
    Estimate,
    Predictor,
    chances_of_waves,
    check_represents,
    effective_size,
    exact_ends,
    explained,
    explained_range,
    normal_quantile,
    too_few,
    transfer,
    where_few,
)
from algeval.rates.ladder import climb, climb_checked
from algeval.rates.policy import (
    ESCAPED,
    FEWEST_CLUSTERS,
    FEWEST_COPIED,
    FEWEST_GRADED,
    FEWEST_TOGETHER,
    LEVEL,
    REFUTED,
    REFUTED_RATE,
    UNBALANCED,
)
from algeval.rates.rungs import (
    AssumptionRow,
    Ladder,
    Robustness,
    Rung,
    assumption_row,
    brief,
    side_of,
)
from algeval.result import Result, Status, Table, percent, visible
from algeval.result.base import with_reading
from algeval.result.numbers import did_you_mean, how_many, is_bare, level_text, percent_up, rounded
from algeval.result.tables import scalars

# --- How labels came about: at random, with known chances, or elsewhere; and the settings that say so.


ASSUMPTIONS = {
    "random": "labels drawn at random",
    "unequal": "labels drawn with the chances given",
    "waves": "labels drawn in waves with the chances kept beside them",
    "elsewhere": "the verdict errs as often as where the labels are from",
}
"""What an interval from labels rests on, by how they were drawn."""


def inclusion_of(inclusion: Any, gold: Gold, votes: Votes, drawn: str) -> Chances | None:
    """Chance of each labelled item and what its residual adds to the variance.

    None where all were alike. Labels that came in waves have one over their joint weight for a chance.
    """
    n_items = len(votes.items)
    if gold.waves is not None and inclusion is None and drawn != "elsewhere":
        return chances_of_waves(gold, gold.waves, n_items, always=drawn == "unequal")
    chances_ = _chances(inclusion, gold, votes, drawn)
    if chances_ is None:
        return None
    check_represents(chances_, n_items, ESCAPED)
    return chances_, (1 - chances_) / chances_**2


def _chances(inclusion: Any, gold: Gold, votes: Votes, drawn: str) -> Floats | None:
    if drawn != "unequal":
        if inclusion is not None:
            raise DataError(
                f"{parameter('inclusion')} must come with {option('drawn', 'unequal')}; got "
                f"{option('drawn', drawn)}; say which it is"
            )
        chances = gold.inclusion if drawn == "random" else None
        return None if chances is None or np.ptp(chances) == 0 else chances
    if inclusion is None and gold.inclusion is None:
        raise DataError(
            f"{option('drawn', 'unequal')} needs the chance with which each labelled item was "
            "drawn; got none; pass "
            "inclusion={item: chance}, or a column 'inclusion' beside the labels"
        )
    if inclusion is None:
        return gold.inclusion
    return chances_of(inclusion, votes.items, gold.rows)


def elsewhere_of(gold: Any, votes: Votes, label: str) -> tuple[Elsewhere, Gold]:
    """How often the panel's verdict was right on items labelled elsewhere.

    `gold`: Votes of the same judges on other items, with their key; or labels of some of these items.
    """
    gold = _with_votes(gold, votes)
    if isinstance(gold, Votes) and gold is not votes and gold.key is not None:
        lacking = [judge for judge in votes.judges if judge not in gold.judges]
        if lacking:
            raise DataError(
                f"labels from elsewhere must come with votes of the same judges; got none of "
                f"{shown(lacking, 3)}; leave these judges out here too"
            )
        votes = gold.select(judges=votes.judges)
        gold = "key"
    labels = read_gold(gold, votes, label)
    panel = panel_of(votes, label)
    judged = labels.rows[panel.answered[labels.rows] > 0]
    truth, seen = labels.values[panel.answered[labels.rows] > 0], panel.verdict[judged] == 1
    passes, others = truth == 1, truth == 0
    if not passes.any() or not others.any():
        raise DataError(
            f"labels from elsewhere must hold {label!r} and something else; got one kind; label more"
        )
    counts = passes.sum(), (passes & seen).sum(), others.sum(), (others & ~seen).sum()
    return Elsewhere(*map(float, counts)), labels


def _with_votes(gold: Any, votes: Votes) -> Any:
    """Votes with their key where a table holds a column of each judge, and one of labels."""
    if isinstance(gold, Mapping | Votes) or (isinstance(gold, str) and gold == "key"):
        return gold
    names = open_table(gold).names
    key = match(names, KEY_NAMES)
    if key is None or not set(votes.judges) <= set(names):
        return gold
    options = ReadOptions(key=key, judges=votes.judges, labels=votes.labels)
    return read(gold, options, "votes").data


# --- One number per item from the judges: what the labels are compared with.


_NUMBERS = ("verdict", "share", "score")


def predictor_of(kind: Any, votes: Votes, panel: Panel, scores: Scores | None) -> Predictor:
    """Numbers that were asked for, by default the mean score or the share of votes.

    `kind`: "verdict", "share", "score", a method of `aggregate`, or a number per item; `scores`: where
    scores were given, not votes.
    """
    if kind is None:
        kind, named = ("share" if scores is None else "score"), False
    else:
        named = True
    is_name = isinstance(kind, str) and (kind in _NUMBERS or "." not in kind)
    if not is_name:
        return Predictor("numbers given", numbers_by_item(kind, votes.items, "predictor"), named)
    values = _by_name(kind, votes, panel, scores)
    finite = np.isfinite(values)
    return Predictor(kind, panel.filled(values, finite), named)


def _by_name(name: str, votes: Votes, panel: Panel, scores: Scores | None) -> Floats:
    if name == "share":
        return panel.share
    if name == "verdict":
        verdict: Floats = np.where(panel.verdict < 0, np.nan, panel.verdict)
        return verdict
    if name == "score":
        return _mean_scores(scores)
    if name not in METHODS_OF_AGGREGATE:
        choices = [*_NUMBERS, *METHODS_OF_AGGREGATE]
        raise DataError(
            f"{parameter('predictor')} must be one of {choices}, or a number per item; got {name!r}; "
            f"{did_you_mean(name, choices)}"
        )
    with until(inf):
        fitted = aggregate(votes.without_key(), name)
    return np.asarray(fitted.posterior_items[:, fitted.labels.index(panel.label)], np.float64)


def _mean_scores(scores: Scores | None) -> Floats:
    if scores is None:
        raise DataError("predictor 'score' needs scores; got votes; pass Scores, or use 'share'")
    finite = ~np.isnan(scores.values)
    sums, counts = np.where(finite, scores.values, 0.0).sum(axis=1), finite.sum(axis=1)
    means: Floats = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return means


# --- Which interval is taken, by a rule that was fixed before anyone looked, and what it gives.


METHODS = ("auto", "strata", "ppi", "profile", "wilson", "exact", "anytime")
"""What may be asked for where labels were drawn at random."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An interval, and how it came about."""

    method: str
    estimate: Estimate | None  # None where there is none, for the reason in `why`
    why: str  # a clause on the choice
    status: Status = Status.OK


def answer_of(drawn: Drawn, method: str) -> Answer:
    """Interval of the labels and the judges together."""
    answer = _of_people(drawn, method)
    return replace(answer, estimate=drawn.of_truth(answer.estimate))


def _of_people(drawn: Drawn, method: str) -> Answer:
    """Same of what people say, right or wrong."""
    if drawn.picked:
        return _picked(drawn)
    if method in ("auto", "anytime") and drawn.in_order is not None:
        return Answer("anytime", drawn.by_draws(), "it holds whenever one stops")
    if method == "anytime":
        raise DataError(
            f"method 'anytime' needs labels in the order they were drawn; got none for target "
            f"{drawn.target!r}; pass the journal that `algeval label` keeps, without clusters"
        )
    settled = drawn.settled_by
    if settled and method != "auto":
        raise DataError(
            f"{parameter('method')} must be 'auto' where {settled} settles it; got {method!r}; "
            "leave one of them out"
        )
    if drawn.elsewhere is not None:
        return _transferred(drawn, drawn.elsewhere)
    if drawn.inclusion is not None:
        why = "each label counts one over the chance of its item"
        return Answer("weighted", drawn.by_chances(), why)
    if drawn.by_cluster:
        groups = drawn.n_clusters
        if drawn.few_clusters:
            why = f"labels lie in {how_many(groups, 'cluster')}, and {FEWEST_CLUSTERS} are needed"
            return Answer("clustered", None, why, Status.UNDETERMINED)
        why = f"clusters are the unit, {groups} of them with labels"
        return Answer("clustered", drawn.by_clusters(), why)
    return _of_random(drawn, method)


def _of_random(drawn: Drawn, method: str) -> Answer:
    """Interval of labels each as likely as any other, their number chosen beforehand."""
    if method in ("strata", "profile", "ppi") and drawn.panel.is_empty:
        raise DataError(
            f"method {method!r} uses judges; got labels of people alone; take 'exact', 'wilson' or 'auto'"
        )
    if method in ("strata", "profile", "exact") and not drawn.whole:
        raise DataError(
            f"method {method!r} counts whole labels; got ties; take 'ppi', 'wilson' or 'auto'"
        )
    if method == "auto":
        method, why = _chosen(drawn)
    else:
        why = "as asked for"
    if method == "ppi" and too_few(drawn.gold.values):
        method, why = _alone(drawn), TOO_FEW
    return Answer(method, _METHODS[method](drawn), why)


def _picked(drawn: Drawn) -> Answer:
    """What is certain of labels that were picked: the other items may be anything."""
    n_items = drawn.panel.n_items
    if drawn.elsewhere is not None:
        return Answer("transfer", None, drawn.picked, Status.UNDETERMINED)
    passes = float(drawn.gold.values.sum())
    low, high = passes / n_items, 1 - (len(drawn.gold) - passes) / n_items
    certain = f"the rate of these items is certain to be from {low:.2f} to {high:.2f}, whatever others are"
    if drawn.target == "population":  # of which the items are a draw
        low, _ = exact_ends(floor(passes), n_items, drawn.level)
        _, high = exact_ends(ceil(n_items * high), n_items, drawn.level)
    advice = (
        f"draw labels with next, or name the clusters that they lie in with {option('cluster')}"
    )
    ends = Estimate(low, float("nan"), high)
    return Answer("certain", ends, f"{drawn.picked}; {certain}; {advice}", Status.UNDETERMINED)


TOO_FEW = "too few labels, or too much alike, to use the judges"
LABELS_ALONE = "people's labels alone, no judge"


def _chosen(drawn: Drawn) -> tuple[str, str]:
    """Default: strata of the verdict, or the labels alone where the judges cannot help."""
    if drawn.panel.is_empty:
        return _alone(drawn), LABELS_ALONE
    if too_few(drawn.gold.values):
        return _alone(drawn), TOO_FEW
    if not drawn.whole:
        if len(drawn.gold) >= FEWEST_GRADED:
            return "ppi", f"ties count one half; labels regressed on {drawn.predictor.name}"
        return "wilson", f"ties count one half, and with them judges need {FEWEST_GRADED} labels"
    if drawn.predictor.named and drawn.predictor.graded:
        if len(drawn.gold) >= FEWEST_GRADED:
            return "ppi", f"labels regressed on {drawn.predictor.name}"
        few = f"{drawn.predictor.name} needs {FEWEST_GRADED} labels"
        return _stratified(drawn, f"{few}; items in strata by the panel's verdict instead")
    return _stratified(drawn, "items in strata by the panel's verdict")


def _alone(drawn: Drawn) -> str:
    """Form of an interval from the labels alone: exact, or Wilson's where ties count one half."""
    return "exact" if drawn.whole else "wilson"


def _stratified(drawn: Drawn, why: str) -> tuple[str, str]:
    if len(np.unique(drawn.stratum)) == 1:
        return _alone(drawn), "the panel says the same of every item"
    return "strata", why


_METHODS: dict[str, Callable[[Drawn], Estimate]] = {
    "wilson": Drawn.wilson,
    "exact": Drawn.exact,
    "strata": Drawn.by_strata,
    "profile": Drawn.by_profile,
    "ppi": Drawn.by_regression,
}


def _transferred(drawn: Drawn, elsewhere: Elsewhere) -> Answer:
    judged = drawn.panel.answered > 0
    result = transfer(
        float((drawn.panel.verdict == 1).sum()),
        float(judged.sum()),
        elsewhere,
        level=drawn.level,
    )
    if result is None:
        return Answer("transfer", None, "no rate fits these error rates", Status.INCONSISTENT)
    everything = (result.low, result.high) == (0.0, 1.0)
    why = "the verdict's error rates elsewhere are carried over"
    status = Status.NOT_IDENTIFIABLE if everything else Status.OK
    return Answer("transfer", result, why, status)


def labels_only(drawn: Drawn, method: str) -> Estimate | None:
    """Interval that the same labels give without the judges, None where they are elsewhere.

    `method`: the one of the answer, which is this row itself where it is "wilson" or "exact".
    """
    if drawn.elsewhere is not None or drawn.few_clusters:
        return None
    if method == "anytime":
        nothing = Predictor("nothing", np.zeros(len(drawn.panel.verdict)), named=False)
        return replace(drawn, predictor=nothing).by_draws()
    if drawn.inclusion is not None or drawn.by_cluster:
        return drawn.without_judges()
    if method == "exact":
        return drawn.exact()
    result = drawn.wilson()
    if method == "wilson" or not drawn.whole:
        return result
    n, n_items = len(drawn.gold), drawn.panel.n_items if drawn.target == "items" else None
    passes = int(drawn.gold.values.sum())
    low, high = where_few(result.low, result.high, passes, n, drawn.level, n_items=n_items)
    return result._replace(low=low, high=high)


# --- A rate as a page of plain text: the answer first, then a row per assumption, warnings last.


def page(result: RateResult) -> str:
    """Lines of a rate."""
    lines = [_headline(result), result.message, *_table(result), *votes_decide(result)]
    lines += [*_own_remarks(result), *(f"Warning: {warning}." for warning in result.warnings)]
    return "\n".join([*lines, f"What this does not mean: {result.meaning}"])


def _own_remarks(result: RateResult) -> list[str]:
    """Remarks that no warning says, too."""
    warned = {f"Labels: {warning}." for warning in result.warnings}
    return [remark for remark in result.remarks if remark not in warned]


def _headline(result: RateResult) -> str:
    these = "these" if result.target == "items" else "items like these"
    judges = how_many(len(result.judges), "judge") if result.judges else "no judge"
    n_items = (
        how_many(result.n_items, "item") if result.target == "items" else f"{result.n_items:,}"
    )
    parts = [f"{these} {n_items}", judges]
    parts += [how_many(result.n_gold, "label")] if result.n_gold else ["no label"]
    return f"{answer(result)}        {', '.join(parts)}"


def answer(result: RateResult) -> str:
    """Rate with its interval, or that it is not determined."""
    digits = _digits(result)
    named = result.counted or (f"rated {result.label}" if is_bare(result.label) else "")
    name = f"SHARE {named.upper()}:" if named else f"RATE OF {result.label}"
    if result.method == "certain":
        return f"{name} NOT DETERMINED: {NOT_RANDOM}"
    if result.rate is None and result.verdict in ("above", "below"):
        ends = f"{short(result.low, digits)} to {short(result.high, digits)}"
        return f"{name} from {ends} under the belief given"
    if result.rate is None:
        return f"{name} not determined by {'the labels' if result.n_gold else 'these votes'}"
    level = level_text(result.level)
    ends = f"{short(result.low, digits)} to {short(result.high, digits)}"
    return f"{name} {short(result.rate, digits)}, {level} interval {ends}"


def short(value: Fraction | float, digits: int = 2) -> str:
    """Share as it stands in a column."""
    return rounded(value, digits)


def _digits(result: RateResult) -> int:
    """2, or more where the interval is narrower than a few hundredths."""
    width = result.high - result.low
    return 2 if width >= 0.04 else 3 if width >= 0.004 else 4


def worth_of_votes(n: int, effective: float) -> str:
    """What labels achieved beside random ones without judges, in a sentence."""
    return f"{how_many(n, 'label')}: effective sample size about {_rounded(effective)}."


def _rounded(value: float) -> str:
    return f"{float(f'{value:.2g}') if value < 1e4 else float(f'{value:.3g}'):,.0f}"


def table_of(result: RateResult) -> tuple[list[str], list[list[str]]]:
    """Head and the rows of a rate's table as text."""
    digits = _digits(result)
    beside = f"vs {float(result.against):.2f}"
    head = ["row", "assumes", "low", "rate", "high", beside, "fails if"]
    return head, [_cells(row, result, digits) for row in _telling(result)]


def _table(result: RateResult) -> list[str]:
    head, rows = table_of(result)
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    left = (0, 1, 5, 6)
    return [
        "  ".join(
            cell.ljust(w) if k in left else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    ]


def _telling(result: RateResult) -> list[Row]:
    """Rows without those that leave everything open again, or that a sentence below says."""
    return [
        row
        for number, row in enumerate(result.table)
        if not (number > 1 and (row.low, row.high) == (0, 1) and not row.answer)
        and not _THRESHOLD.match(row.name)
    ]


_THRESHOLD = re.compile("every judge right on (?!at least)")


def _named(row: Row) -> str:
    name = brief(row.name)
    return f"{name}  <-" if row.answer else name


def _believed(assumption: str) -> str:
    """Assumption in few words: what it says up to its first stop."""
    return _brief(re.split(r"[:;,(]", assumption, maxsplit=1)[0].strip())


_BRIEF = (
    (r"every judge is right on at least (\S+) of .*", r"each judge right on >= \1"),
    (r"the judges err independently.*", "errors independent"),
    (r"the labelled items were (drawn at random)", r"labels \1"),
    (
        r"labelled items not drawn at random; chance \((.*)\)",
        r"labels not random (\1 error)",
    ),
    (r"one judge right on less than [^;]*", "one judge is worse"),
    (r"they err: (\S+) right on the labels", r"accuracy \1 by labels"),
    (r"^they err$", "judges err"),
    (
        r"no correlation was found that.*; arranged in the worst way, (.*)",
        r"errors correlate \1 (worst case)",
    ),
    (r"; chance \((.*)\)", r"; \1 chance of error"),
    (r"(errors) shared on both labels, (correlated about \S+):.*", r"\1 \2"),
    (r"errors that the model does not know,.*", "errors it does not know"),
    (r"the votes arise as the model .* says", "the model"),
)
"""Words of a row that the page shortens; the result keeps them whole."""


def _brief(text: str) -> str:
    for long, short_ in _BRIEF:
        text = re.sub(long, short_, text)
    return text


def _cells(row: Row, result: RateResult, digits: int) -> list[str]:
    ends = ["" if end is None else short(end, digits) for end in (row.low, row.estimate, row.high)]
    if row.name == RAW:
        shares = [said["votes_for_it"] for said in result.judged.values()]
        votes_for = [share for share in shares if share is not None]
        ends[1] = span(votes_for) if votes_for else "-"
    return [_named(row), _believed(row.assumption), *ends, row.against or "-", _fails(row)]


RAW = "raw judge votes"
"""The row whose rates are one per judge."""


def _fails(row: Row) -> str:
    if not row.refuted:
        return _brief(row.breaks_at)
    by = f" ({row.refuted_by})" if row.refuted_by else ""
    if row.standard_errors is not None:
        by = f" ({row.standard_errors:.1f} se)"
    return f"REFUTED by your labels{by}"


def span(shares: Sequence[float]) -> str:
    """Lowest and the highest of some shares."""
    low, high = short(min(shares)), short(max(shares))
    return low if low == high else f"{low}-{high}"


def votes_decide(result: RateResult) -> list[str]:
    """What the votes would decide without any label."""
    threshold, most = result.conclusion_threshold, result.possible_up_to
    if threshold is None or most is None:
        return []
    begun = "Without labels" if result.n_gold else "The votes"
    beyond = f" (over {percent_up(most)} is impossible)" if most < 1 else ""
    if result.winner is None:
        return [f"{begun}: no belief about accuracy separates the sides{beyond}."]
    side = f"{result.winner} {percent(result.against)}"
    who = f"if every judge is right on more than {percent_up(threshold)}"
    return [f"{begun}: {side} {who}{beyond}."]


# --- What a rate holds: its interval, what that rests on, and what weaker and stronger beliefs would say.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row(AssumptionRow):
    """What one assumption says of the rate.

    Attributes
    ----------
    name, assumption : str
        What has to hold, in short and in words.
    low, estimate, high : Fraction, float or None
    against : str
        Where the interval lies beside the rate compared with: "above", "below", "open" where it holds
        that rate, "impossible" where nothing is left, "" where there is no interval.
    breaks_at : str
        What it takes for the row to be wrong.
    refuted : bool
        Whether the labels speak against it.
    refuted_by : str
        Which judge's labels do, where one judge is graded below what is believed.
    standard_errors : float or None
        By how many its point differs from the labels', where both have a point.
    answer : bool
        Whether it is the row that `rate`, `low` and `high` are taken from.
    """

    refuted: bool = False
    refuted_by: str = ""
    standard_errors: float | None = None
    answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateResult(Result):
    """How often the label is the true one.

    Attributes
    ----------
    status : Status
        ok: the interval rests on labels, or on nothing but what was asked to be believed and decides;
        undetermined: there are no labels, or too few clusters of them, and the votes decide nothing; or
        the labels were not drawn at random;
        not_identifiable: the interval is all of [0, 1]; inconsistent: what was assumed cannot be.
    label : str
        Whose rate it is.
    rate : float or None
        None without labels, and where these were not drawn at random: there is no honest point.
    low, high : float
        Without labels the widest honest set: all of [0, 1], or what `at_least` leaves.
    level : float
    method : str
        "strata", "ppi", "clustered", "weighted", "transfer", "profile", "exact" or "wilson" (the
        labels alone), "anytime" (labels in the order they were drawn), "certain" (labels that were not drawn
        at random: other items may be anything), or "votes" (no label).
    target : "items" or "population"
    assumption : str
        What the interval rests on.
    against : Fraction
        The rate compared with.
    verdict : "above", "below", "open" or "undetermined"
    n_items, n_gold : int
    judges : tuple of str
    rho2 : float or None
        Share of the labels' variance that the judges explain, on the labelled items.
    label_saving : (float, float) or None
        Its interval over resampled labels: the share of labels that the judges save.
    effective_size : float or None
        How many labels drawn at random, without judges, would give an interval as narrow: the labels times
        the ratio of squared widths, at most the number of these items.
    lambda_ : float or None
        The slope on the judges' numbers, where the method has one.
    balance : float or None
        By how many standard errors the labelled items differ from all in the judges' votes; beyond 3 they
        were not drawn at random.
    table : tuple of Row
        From the least assumed to the most, the labels last.
    conclusion_threshold, possible_up_to : Fraction or None
        Whoever believes that every judge is right on more than the first, and at most the second, of
        the items has the verdict `winner` without labels.
    winner : "above", "below" or None
    robustness : Robustness or None
        What it takes to move the estimate of independent errors; never part of the verdict.
    judged : dict
        Of each judge: share of its votes for the label, and how often it was right on labelled items.
    counted : str
        What the label counts where scores were cut, as "at or above 4"; else empty.
    labelled_share : float or None
        Share of the label among these items, where people labelled all of them.
    warnings : tuple of str
    settings : dict
    certificates : dict of Certificate
        Proofs of the exact rows.
    """

    schema: ClassVar[str] = "algeval.rate/1"

    label: str
    rate: float | None
    low: float
    high: float
    level: float
    method: str
    target: str
    assumption: str
    against: Fraction
    verdict: str
    n_items: int
    n_gold: int
    judges: tuple[str, ...]
    rho2: float | None
    label_saving: tuple[float, float] | None
    effective_size: float | None
    lambda_: float | None
    balance: float | None
    table: tuple[Row, ...]
    conclusion_threshold: Fraction | None
    possible_up_to: Fraction | None
    winner: str | None
    robustness: Robustness | None
    judged: dict[str, dict[str, float | None]]
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]
    settings: dict[str, Any]
    certificates: dict[str, Certificate] = field(default_factory=dict, repr=False)
    counted: str = ""
    labelled_share: float | None = None

    @property
    def meaning(self) -> str:
        """What the interval does not mean."""
        if self.method == "votes":
            return "Votes alone have no error bar: more judges, or more items, do not make one."
        others = {
            "items": "It is about these items alone.",
            "population": "It is about items like these, drawn as these were.",
        }
        return f"{others[self.target]} It needs labelled items drawn at random."

    def row(self, name: str) -> Row:
        """Row of this name.

        Raises
        ------
        KeyError
            If there is none.
        """
        rows = {row.name: row for row in self.table}
        if name not in rows:
            raise KeyError(f"no row {name!r}; there are {list(rows)}")
        return rows[name]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per assumption, the judges, and the answer in one row."""
        judges = [(name, *said.values()) for name, said in self.judged.items()]
        return (
            Table.of_records("What each assumption says", Row, self.table),
            Table.of_rows("Judges", ("judge", "votes_for_it", "right_on_labelled"), judges),
            scalars(self),
        )

    def headline(self) -> str:
        """Rate with its interval, and what it rests on."""
        return f"{answer(self)}. {self.message}"

    def _repr_html_(self) -> str:
        """Answer and the rows as the page has them."""
        head, rows = table_of(self)
        cells = Table.of_rows("What each assumption says", head, rows)
        lines = [*votes_decide(self), *_own_remarks(self), *self.warnings, self.meaning]
        text = "".join(f"<p>{escape(visible(line))}</p>" for line in lines)
        return f"<div><p><strong>{escape(visible(self.headline()))}</strong></p>{cells.html()}{text}</div>"

    def summary(self) -> str:
        """Page a person reads: the answer, the rows, what the votes decide, warnings."""
        return page(self)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemRates(Result):
    """How often the label is the true one, for each system of a results table.

    Attributes
    ----------
    status : Status
        That of the first system whose rate is not ok; ok where all are.
    systems : dict of RateResult
        The rate of each system, by name, in the order met.
    """

    schema: ClassVar[str] = "algeval.rates/1"

    systems: dict[str, RateResult]

    @classmethod
    def of(cls, systems: dict[str, RateResult]) -> SystemRates:
        """Rates together, with the worst status."""
        ended = next((r.status for r in systems.values() if not r.status.ok), Status.OK)
        message = "; ".join(f"{name}: {answer(rated)}" for name, rated in systems.items())
        return cls(status=ended, message=f"{message}.", systems=systems)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per system: its rate, the interval and how many labels it rests on."""
        names = ("label", "rate", "low", "high", "level", "verdict", "n_items", "n_gold", "method")
        rows = [(system, *(getattr(r, n) for n in names)) for system, r in self.systems.items()]
        return (Table.of_rows("Rate of each system", ("system", *names), rows),)

    def summary(self) -> str:
        """Page of each system, one below the other; warnings of all of them once, at the end."""
        first, *others = self.systems.values()
        of_all = [w for w in first.warnings if all(w in rated.warnings for rated in others)]
        if not others:
            of_all = []
        pages = []
        for name, rated in self.systems.items():
            own = tuple(w for w in rated.warnings if w not in of_all)
            pages.append(f"{name}: {replace(rated, warnings=own).summary().rstrip()}")
        return "\n\n".join([*pages, *(f"Warning: {warning}" for warning in of_all)])


# --- The rows of a rate: the ladder's rungs, then the labels, and which rungs the labels speak against.


def raw_row(judged: dict[str, dict[str, float | None]]) -> Row:
    """Row of each judge's own votes, which have a point and no interval."""
    shares = [x for said in judged.values() if (x := said["right_on_labelled"]) is not None]
    right = f": {span(shares)} right on the labels" if shares else ""
    return assumption_row(Row, RAW, "judges do not err", f"they err{right}", against="")


def row_of(rung: Rung, against: Fraction) -> Row:
    """Rung as a row."""
    word = "impossible" if rung.status is Status.INCONSISTENT else ""
    return assumption_row(
        Row,
        rung.name,
        rung.assumption,
        "never" if rung.breaks_at == "impossible" else rung.breaks_at,
        ends=rung.ends,
        estimate=rung.estimate,
        against=word if rung.ends is None else against,
    )


def _judged(row: Row, rung: Rung | None, result: Estimate, surely: Estimate, level: float) -> Row:
    """Row, marked where the labels speak against it.

    A row with a point of its own is compared by the difference in standard errors; any other by whether its
    interval meets the labels' (`surely`, at a higher level), and by the judges' grades on the labels.
    """
    if rung is not None and rung.refuted_by:
        return replace(row, refuted=True, refuted_by=rung.refuted_by)
    if row.low is None or row.high is None:
        return row
    if row.estimate is None or (rung is not None and rung.exact):
        rounding = 1e-9  # ends of rows are fractions, those of labels are not
        apart = row.high < surely.low - rounding or row.low > surely.high + rounding
        return replace(row, refuted=bool(apart))
    widths = hypot(float(row.high - row.low), result.high - result.low)
    error = widths / (2 * normal_quantile(level))
    errors = abs(float(row.estimate) - result.rate) / error if error else 0.0
    return replace(row, refuted=errors > REFUTED, standard_errors=round(errors, 2))


# --- What is worth a line beside a rate: warnings that shake it, and remarks that explain it.


_PERSON = re.compile(r"human|expert|annotat|gold|truth|label|person|people|manual", re.IGNORECASE)
_STEM = re.compile(r"(.+?)[^0-9A-Za-z]+[0-9A-Za-z]{1,8}")
"""An id as p17/0 or doc3_turn2: what stands before the last separator."""


def unjudged(n: int) -> str:
    """Warning of items without a vote."""
    return f"nobody judged {how_many(n, 'item')} of these; they count, and may be anything"


def balance_of(drawn: Drawn) -> Balance | None:
    """Balance of the labels that are said to be random, None where none are."""
    gold = drawn.random_labels
    if gold is None and drawn.settled_by == "cluster":
        gold = drawn.gold
    if gold is None:
        return None
    return drawn.balance_by(gold)


def warnings_of(drawn: Drawn) -> list[str]:
    """Sentence on each thing that shakes an interval from labels."""
    sentence = _against_judges(drawn.gold.values, drawn.labelled)
    sentence += _unlabelled_verdict(drawn)
    if drawn.panel.n_unjudged and not drawn.panel.is_empty:
        sentence.append(unjudged(drawn.panel.n_unjudged))
    return sentence


def _against_judges(y: Floats, f: Floats) -> list[str]:
    rho2 = explained(y, f)
    if rho2 is None or rho2 * len(y) < UNBALANCED**2 or np.corrcoef(y, f)[0, 1] > 0:
        return []
    return [
        f"the labels go against the judges (correlation -{short(rho2**0.5)}); check whether labels or "
        "items are swapped"
    ]


def _unlabelled_verdict(drawn: Drawn) -> list[str]:
    panel, verdict = drawn.panel, drawn.panel.verdict
    seen = set(verdict[drawn.gold.rows].tolist())
    names = {1: repr(panel.label), 0: f"not {panel.label!r}", -1: "open"}
    return [
        f"none of the {int(panel.total(verdict == v))} items whose verdict is {names[v]} has a label"
        for v in names
        if v not in seen and (verdict == v).any()
    ]


def copies_of_labels(votes: Votes, answered: Ints, drawn: Drawn) -> list[str]:
    """Sentence on each judge that looks like a copy of the labels.

    It gives every labelled item its label, and answers nothing else, or is called like a person, or agrees
    on more labels than a good judge would. `answered`: (n_judges,), of all items.
    """
    gold = drawn.gold.settled(len(votes.labels))
    truth, n = gold.truth, len(gold)
    if n < FEWEST_COPIED[0] or not np.ptp(truth):
        return []
    same = (votes.codes[gold.rows] == truth[:, None]).all(axis=0)
    sentences = []
    for k in np.flatnonzero(same).tolist():
        name = votes.judges[k]
        alone = answered[k] == n < drawn.panel.n_items
        if alone or _PERSON.search(name) or n >= FEWEST_COPIED[1]:
            sentences.append(
                f"column {name!r} agrees with the labels on all {n} labelled items: is it a judge? If it "
                "holds the labels, leave it out of the judges "
                f"({either_way('judges=, --judges', '--judges')})"
            )
    return sentences


def missing_votes(panel: Panel) -> list[str]:
    """Sentence where judges left items out."""
    of = len(panel.judges) * panel.n_items
    missing = of - int(panel.total(panel.answered))
    if not missing:
        return []
    return [
        f"{percent(missing / of)} of the votes are missing: a verdict is of those who answered."
    ]


def unnamed_clusters(votes: Votes) -> list[str]:
    """Sentence where ids come in groups, as p17/0 to p17/4, whose votes are more alike than others.

    Equal votes alone are no sign: a few judges have few patterns of votes. A column of prompts or sources
    whose values items share is one.
    """
    for name, codes in votes.groupings:
        sizes = np.bincount(codes[codes >= 0])
        shared = sizes[sizes > 1]
        if len(shared) >= FEWEST_CLUSTERS:
            named = either_way(f"cluster={name!r} (--cluster {name})", f"--cluster {name}")
            return [
                f"{shared.sum():,} items share {len(shared):,} values of {name!r}: are they more alike than "
                "others? Each counts for itself here, and an interval for a population is then too narrow: "
                f"name the groups with {named}."
            ]
    groups: dict[str, list[int]] = {}
    for row, item in enumerate(votes.items):
        stem = _STEM.fullmatch(item)
        if stem is not None:
            groups.setdefault(stem[1], []).append(row)
    several = [rows for rows in groups.values() if len(rows) > 1]
    grouped = sum(map(len, several))
    if len(several) < FEWEST_CLUSTERS or 2 * grouped < votes.n_items or not votes.judges:
        return []
    _, pattern, counts = np.unique(votes.codes, axis=0, return_inverse=True, return_counts=True)
    pattern = pattern.ravel()
    pairs = np.array([pair for rows in several for pair in pairwise(rows)])
    alike = pattern[pairs[:, 0]] == pattern[pairs[:, 1]]
    usual = float((counts * (counts - 1)).sum()) / (votes.n_items * (votes.n_items - 1))
    error = (usual * (1 - usual) / len(pairs)) ** 0.5
    if usual == 1 or alike.mean() - usual <= UNBALANCED * error:
        return []
    first, last = votes.items[several[0][0]], votes.items[several[0][-1]]
    how = "have the same votes" if alike.all() else "have votes more alike than others"
    return [
        f"{grouped:,} items come in {len(several):,} groups by their ids, as {first} and {last}, "
        f"which {how}: copies, or answers to one prompt? Each counts for itself here, and an interval for a "
        "population is then too narrow: name the groups with "
        f"{either_way('cluster= (--cluster)', '--cluster')}."
    ]


def gold_remarks(gold: Gold, result: Estimate | None, level: float) -> list[str]:
    """Sentence where all labels are alike, and one where annotators differ."""
    lines = [f"Labels: {note}." for note in gold.notes]
    n, passes = len(gold), gold.values.sum()
    if result is not None and passes in (0, n):
        of, end = ("failures", 1 - result.low) if passes else ("passes", result.high)
        lines.append(
            f"{how_many(n, 'label')}, no {of}: at most {percent(end)} {of}, at {level_text(level)}."
        )
    if gold.agreement is not None and gold.agreement < 1:
        lines.append(
            f"Two annotators of an item agree in {percent(gold.agreement, 0)}: labels that err pull a rate "
            "towards one half."
        )
    return lines


# --- How good the judges were on the labelled items, and whether they erred together there.


def judged(
    data: Votes | Sketch | Summary, column: int, right: Mapping[str, float | None] | None = None
) -> dict[str, dict[str, float | None]]:
    """Of each judge the share of its votes for a label, and how often it was right.

    `right`: how often each judge was right on labelled items.
    """
    if not data.judges:
        return {}
    counts = as_summary(data).counts
    answered = counts.sum(axis=1)
    return {
        judge: {
            "votes_for_it": float(counts[row, column] / answered[row]) if answered[row] else None,
            "right_on_labelled": None if right is None else right[judge],
        }
        for row, judge in enumerate(data.judges)
    }


def grades_of(votes: Votes, gold: Gold) -> dict[str, float | None]:
    """How often each judge was right on the labelled items that it answered."""
    gold = gold.settled(len(votes.labels))
    answers = votes.codes[gold.rows]
    return {judge: _right(answers[:, k], gold.truth) for k, judge in enumerate(votes.judges)}


def _right(answers: NDArray[np.int16], truth: Ints) -> float | None:
    answered = answers != NOT_ANSWERED
    return float((answers == truth)[answered].mean()) if answered.any() else None


def errors_together(votes: Votes, gold: Gold) -> str:
    """Sentence on the correlations of two judges' errors within a label, or an empty text.

    There is none where labels are too few to tell, or one judge is alone.
    """
    codes = votes.codes[gold.rows]
    sentences = []
    for kind, of_label in (("passes", gold.values == 1), ("fails", gold.values == 0)):
        correlations = _correlations(codes[of_label], gold.truth[of_label])
        if len(correlations):
            low, high = short(float(correlations.min())), short(float(correlations.max()))
            sentences.append(f"{low if low == high else f'{low} to {high}'} among labelled {kind}")
    return f"Error correlation between judges: {', '.join(sentences)}." if sentences else ""


def _correlations(codes: NDArray[np.int16], truth: Ints) -> Floats:
    """Correlations of errors of all pairs of judges who answered enough items together."""
    answered = (codes != NOT_ANSWERED).astype(np.float64)
    wrong = answered * (codes != truth[:, None])
    n = answered.T @ answered
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = wrong.T @ answered / n
        both = wrong.T @ wrong / n - mean * mean.T
        spread = mean * (1 - mean)
        correlation = both / np.sqrt(spread * spread.T)
    pairs = np.triu_indices(len(n), 1)
    kept = (n[pairs] >= FEWEST_TOGETHER) & np.isfinite(correlation[pairs])
    result: Floats = correlation[pairs][kept]
    return result


# --- The result of a rate, put together from the ladder and the labels.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Question(Scope):
    """Settings of one rate, and its votes."""

    data: Votes | Sketch | Summary  # Votes wherever there are labels, which are joined to items
    label: str
    against: Fraction
    drawn: str
    tie: str | None  # the label that counts one half
    asked: dict[str, Any]  # settings, for the result
    human_accuracy: tuple[Fraction, Fraction] | None = None  # of passes and of fails

    @property
    def votes(self) -> Votes:
        """The votes item by item, without which there are no labels."""
        return as_votes(self.data)

    @property
    def place(self) -> int:
        """Place of the label among the votes' labels."""
        return self.data.labels.index(self.label)

    def result(self, ladder: Ladder | None, **fields: Any) -> RateResult:
        """Result with what every result has."""
        settings: dict[str, Any] = {
            "label": self.label,
            "level": self.level,
            "target": self.target,
            "against": self.against,
            "n_items": self.data.n_items,
            "judges": self.data.judges,
            "settings": {"drawn": self.drawn, "tie": self.tie, "random": self.random, **self.asked}
            | ({"human_accuracy": self.human_accuracy} if self.human_accuracy else {}),
            "conclusion_threshold": ladder and ladder.conclusion_threshold,
            "possible_up_to": ladder and ladder.possible_up_to,
            "winner": ladder and ladder.winner,
            "robustness": ladder and ladder.robustness,
            "certificates": ladder.certificates if ladder else {},
        }
        return RateResult(**settings, **fields)


def of_votes(question: Question, ladder: Ladder) -> RateResult:
    """What votes say without labels: sets, and no point."""
    low, high = float(ladder.low), float(ladder.high)
    said = judged(question.data, question.place)
    word = side_of(ladder.low, ladder.high, question.against, "open")
    impossible = ladder.status is Status.INCONSISTENT
    decided = word != "open" and not impossible
    status = Status.OK if decided else ladder.status
    return question.result(
        ladder,
        status=Status.UNDETERMINED if status.ok and not decided else status,
        message=_sentence_by_votes(question, ladder, word if decided else ""),
        rate=None,
        low=low,
        high=high,
        method="votes",
        assumption=_believed_of_assembling(question),
        verdict=word if decided else "undetermined",
        n_gold=0,
        rho2=None,
        label_saving=None,
        effective_size=None,
        lambda_=None,
        balance=None,
        table=tuple(_rungs(question, ladder, said)),
        judged=said,
        remarks=tuple(f"Note: {note}" for note in ladder.notes),
        warnings=(*_alarms(ladder), *_unjudged(n_unjudged(question.data))),
    )


def _sentence_by_votes(question: Question, ladder: Ladder, word: str) -> str:
    beside = percent(question.against)
    if word:
        return f"{word.capitalize()} {beside} for whoever holds the belief given; votes alone say no more."
    if ladder.status is Status.INCONSISTENT:
        return f"What was assumed cannot be. {ladder.message}"
    return (
        f"Without human labels the rate is not known, nor whether it is above {beside}. "
        "Label a random sample."
    )


def _believed_of_assembling(question: Question) -> str:
    belief = question.asked["at_least"]
    return "nothing" if belief is None else f"every judge right on at least {belief} of its answers"


def _alarms(ladder: Ladder | None) -> tuple[str, ...]:
    return () if ladder is None else tuple(alarm.rstrip(".") for alarm in ladder.alarms)


def _unjudged(n: int) -> list[str]:
    return [unjudged(n)] if n else []


def _rungs(
    question: Question, ladder: Ladder | None, said: dict[str, dict[str, float | None]]
) -> list[Row]:
    if ladder is None:
        return []
    return [raw_row(said), *(row_of(rung, question.against) for rung in ladder.rungs)]


def of_labels(question: Question, drawn: Drawn, ladder: Ladder | None, method: str) -> RateResult:
    """What labels and judges say together, beside what either says alone."""
    answer = answer_of(drawn, method)
    estimate = answer.estimate
    low, high = (0.0, 1.0) if estimate is None else (estimate.low, estimate.high)
    word = side_of(low, high, question.against, "open") if answer.status.ok else "undetermined"
    grades = None if drawn.elsewhere or drawn.picked else grades_of(question.votes, drawn.gold)
    said = judged(question.data, question.place, grades)
    rows = _rungs(question, ladder, said)
    if ladder is not None and answer.status.ok and drawn.elsewhere is None:
        higher = replace(drawn, level=max(question.level, REFUTED_RATE))
        surely = answer_of(higher, method).estimate
        if estimate is not None and surely is not None:
            rungs = {rung.name: rung for rung in ladder.rungs}
            rows = [
                _judged(row, rungs.get(row.name), estimate, surely, question.level) for row in rows
            ]
    rho2, saving = (None, None) if drawn.picked else _explained(drawn, answer.method)
    warnings = _unjudged(drawn.panel.n_unjudged)
    if drawn.elsewhere is None and not question.data.judges:
        warnings = warnings_of(drawn)
    elif drawn.elsewhere is None:
        every = as_summary(question.data).answered
        warnings = copies_of_labels(question.votes, every, drawn) + warnings_of(drawn)
    effective = _effective(drawn, answer)
    by_strata = answer.method in ("strata", "profile", "transfer")
    return question.result(
        ladder,
        status=answer.status,
        message=_sentence_by_labels(question, drawn, answer, word, effective),
        rate=None if estimate is None or estimate.rate != estimate.rate else estimate.rate,
        low=low,
        high=high,
        method=answer.method,
        assumption=_assumption(question, drawn),
        verdict=word,
        n_gold=len(drawn.gold),
        labelled_share=float(drawn.gold.values.mean()) if _all_labelled(drawn) else None,
        rho2=rho2,
        label_saving=saving,
        effective_size=effective,
        lambda_=None if estimate is None or by_strata else estimate.slope,
        balance=None if drawn.balance is None else drawn.balance.z,
        table=(*rows, *_label_rows(question, drawn, answer)),
        judged=said,
        remarks=_remarks(question, drawn, estimate),
        warnings=(*_alarms(ladder), *warnings),
    )


def _all_labelled(drawn: Drawn) -> bool:
    return drawn.elsewhere is None and len(drawn.gold) == drawn.panel.n_items


def _remarks(question: Question, drawn: Drawn, result: Estimate | None) -> tuple[str, ...]:
    remarks = gold_remarks(drawn.gold, None if drawn.picked else result, question.level)
    if drawn.elsewhere is None and not drawn.picked:
        remarks.append(errors_together(question.votes, drawn.gold))
    if drawn.clusters is None:
        remarks += unnamed_clusters(question.votes)
    return tuple(line for line in (*remarks, *missing_votes(drawn.panel)) if line)


def _assumption(question: Question, drawn: Drawn) -> str:
    """What the interval rests on: how labels were drawn, and how often people see right."""
    how = "unequal" if drawn.gold.waves is None else "waves"
    assumption = ASSUMPTIONS[question.drawn if drawn.inclusion is None else how]
    if drawn.human_accuracy is None:
        return assumption
    sees_pass, sees_fail = map(percent, drawn.human_accuracy)
    return f"{assumption}; people see {sees_pass} of passes and {sees_fail} of fails as such"


def _explained(drawn: Drawn, method: str) -> tuple[float | None, tuple[float, float] | None]:
    """Rho^2 of the numbers that were used, and its range; nothing where none were."""
    if method in ("wilson", "exact", "transfer"):
        return None, None
    f = drawn.compared(method)[drawn.gold.rows]
    y = drawn.gold.values
    return explained(y, f), explained_range(y, f, level=drawn.level, random=drawn.random)


def _effective(drawn: Drawn, answer: Answer) -> float | None:
    """Effective sample size: how many random labels, without judges, would be as narrow.

    None where no judge and no design had a part in the interval.
    """
    estimate = answer.estimate
    none = ("wilson", "exact", "transfer", "anytime")
    if estimate is None or not answer.status.ok or answer.method in none:
        return None
    return effective_size(estimate, len(drawn.gold), drawn.panel.n_items, drawn.target, drawn.level)


def _sentence_by_labels(
    question: Question, drawn: Drawn, answer: Answer, word: str, effective: float | None
) -> str:
    beside, assumption = percent(question.against), _assumption(question, drawn)
    n, every = len(drawn.gold), ""
    if _all_labelled(drawn) and drawn.target == "population":
        every = (
            f" Of these {n} themselves, all labelled, {float(drawn.gold.values.sum()):g} are it."
        )
    if not answer.status.ok:
        return f"Undetermined: {answer.why}.{every}"
    sentence = {"open": f"Open: the interval holds {beside}"}.get(
        word, f"{word.capitalize()} {beside}"
    )
    gained = "" if effective is None or n >= drawn.panel.n_items else worth_of_votes(n, effective)
    differ = drawn.gold.differ and f"{drawn.gold.differ[0].upper()}{drawn.gold.differ[1:]}. "
    return f"{sentence} ({assumption}; {answer.why}).{every} {differ}{gained}".rstrip()


def _label_rows(question: Question, drawn: Drawn, answer: Answer) -> list[Row]:
    assumption, breaks_at = _assumption(question, drawn), level_text(1 - question.level)
    breaks_at = f"{breaks_at} chance of error"
    if drawn.picked and answer.estimate is not None:
        assumption, breaks_at = "labels are right, other items may be anything", "never"
    by_labels = answer.method in ("wilson", "exact")
    rows = [
        (
            "labels only",
            None if drawn.picked else drawn.of_truth(labels_only(drawn, answer.method)),
            by_labels,
        ),
        ("labels + judges", None if by_labels else answer.estimate, True),
    ]
    return [
        assumption_row(
            Row,
            name,
            assumption,
            breaks_at,
            ends=(estimate.low, estimate.high),
            estimate=None if np.isnan(estimate.rate) else estimate.rate,
            against=question.against,
            answer=is_answer,
        )
        for name, estimate, is_answer in rows
        if estimate is not None
    ]


# --- `rate`: reads once, asks the ladder and the labels, and puts their answers in one table.


@reads_as_named
def rate(
    votes: Source | Scores,
    good: object = None,
    human: Any = None,
    *,
    drawn: str = "random",
    target: str = "auto",
    against: object = Fraction(1, 2),
    inclusion: Any = None,
    predictor: Any = None,
    cluster: Any = None,
    tie: str | None = None,
    at_least: object = None,
    level: float = 0.95,
    method: str = "auto",
    random: int = 0,
    time_limit: float | None = None,
    models: bool = False,
    human_accuracy: Any = None,
    label: object = None,
    gold: Any = None,
) -> RateResult:
    """Pass rate: from human labels its confidence interval, from votes alone what they can say.

    With labels the interval is theirs, narrowed by the judges as far as the labels show that the judges
    are right. Without labels there is no point and no error bar: the table says what each belief about
    the judges leaves possible, and what it takes to be wrong.

    Parameters
    ----------
    votes : Votes, Scores, Sketch, KeyedSketch, Summary, or a table of votes
        Counts alone, a sketch or a summary, will do without labels.
    good : str, optional
        The label to count. By default the label that is named like a pass, as "pass" or "yes", where there
        is just one. Scores are cut in two, and it is "1" there.
    human : name of a column, mapping, path, table, Series, Votes or "key", optional
        What people said of some items, joined on their ids: columns of the votes' table, {item: label}, a
        table or file of two columns, several of these in a list, a Series with the index of the votes' data
        frame, or "key" for the key of the votes. Of a results table its human column is taken without it. A
        Series or array without ids fits only votes without ids, one value a row, and the result warns of it.
        Labels of items that nobody voted on are left out, with a warning.
    drawn : "random", "unequal" or "elsewhere"
        How the labelled items were chosen: every item as likely as any other; each with a known chance
        (`inclusion`); or not from these items at all, so that only the verdict's error rates can be
        carried over. Then `human` is Votes of the same judges with a key, or labels of items among these.
    target : "auto", "items" or "population"
        The rate on these items, or on more items like them. "auto": on more items like them once half of
        these are labelled, as what is counted needs no interval; else on these.
    against : number
        The rate to compare with.
    inclusion : mapping, path, table or sequence, optional
        The chance with which each labelled item was drawn.
    predictor : str, mapping, path, table or sequence, optional
        The judges' number of an item: "verdict", "share", "score" (the mean score), a method of
        `aggregate`, or a number per item made without these labels. By default the panel's verdict.
    cluster : mapping, path, table, sequence or name of a column, optional
        Which items belong together, as responses to one prompt do; a column of prompts, sources or
        conversations in the votes' table may be named.
    tie : str, optional
        The label of a tie, as "tie": it counts one half, in labels and in votes. Strata count whole labels,
        so ties need method "ppi" or "wilson"; and logic speaks of whole labels, so its rows are left out.
    at_least : number, optional
        What share of its answers every judge is believed to have right.
    level : float
        Coverage of the interval.
    method : "auto", "strata", "ppi", "profile", "wilson", "exact" or "anytime"
        "auto": "anytime" of a journal of `label`, which holds whenever one stops; else strata of the panel's
        verdict; the labels alone, between exact ends, where they are fewer than ten or fewer than three of a
        kind; clusters as the unit where the target is a population of them. "ppi" regresses the labels on a
        graded predictor. Name a method before you look.
    random : int
        Seed.
    time_limit : float or None
        Seconds for the rows without labels; by default work is counted.
    models : bool
        Whether to fit models too, a row each. They add no evidence.
    human_accuracy : two numbers, or text such as "0.98,0.7", optional
        How often people see a pass as a pass, and a fail as a fail, where that is known: the rate is then of
        passes, not of what people say. It is an assumption, which these labels do not show.
    label, gold : optional
        The old names of `good` and `human`, for one release.

    Returns
    -------
    RateResult
        ok: there is an interval from labels, or `at_least` decides; undetermined: neither;
        not_identifiable: the interval is all of [0, 1]; inconsistent: what was assumed is impossible.

    Raises
    ------
    DataError
        If labels do not fit the votes, or a setting is not one of those above.

    Notes
    -----
    The default is the posterior of two strata with Beta(1/2, 1/2) each: for these items exact and without
    draws, and of width zero where every item is labelled.

    Examples
    --------
    >>> judge = ["pass"] * 60 + ["fail"] * 40
    >>> votes = Votes.from_columns({"x": judge, "y": judge})
    >>> labels = {item: judge[int(item) - 1] for item in votes.items[::4]} | {"1": "fail"}
    >>> found = rate(votes, "pass", labels)
    >>> found.method, found.verdict, round(found.rate, 2), round(found.low, 2), round(found.high, 2)
    ('strata', 'open', 0.56, 0.46, 0.68)
    """
    check_choice("drawn", drawn, ["random", "unequal", "elsewhere"])
    check_choice("target", target, TARGETS)
    check_choice("method", method, list(METHODS))
    if tie is not None and drawn == "elsewhere":
        raise DataError(
            f"{parameter('tie')} must be left out where {option('drawn', 'elsewhere')}: error rates are of "
            "whole labels; got both; leave one out"
        )
    source = votes
    by_item = method == "ppi" or drawn != "random"
    by_item |= any(of is not None for of in (cluster, inclusion, predictor, tie))
    people = either_setting(gold, human, "gold", "human")
    votes, gold = read_labelled(votes, people, items=by_item)
    scores = votes if isinstance(votes, Scores) else None
    label = either_setting(label, good, "label", "good")
    held = _read(votes, needs_items=gold is not None)
    if isinstance(held, Votes) and not held.judges:
        labels = with_absent(held.labels, label)
        held = replace(held, labels=labels, answers=labels)
    if label is None and scores is None:
        label = good_of_table(source, held.labels)
    label = _label_of(label, held, scores, name_of(source))
    if scores is not None and isinstance(gold, str) and gold == "key":
        _refuse_grades(scores, name_of(source))
    if isinstance(held, Votes):
        inclusion, predictor = (on_items(of, source, held) for of in (inclusion, predictor))
        cluster = clusters_on_items(cluster, source, held)
    question = Question(
        data=held,
        label=label,
        target=target,
        against=exact_share(against, "against"),
        level=check_number("level", level, least=0, most=1, strict=True),
        drawn=drawn,
        tie=tie,
        asked={"method": method}
        | {n: _sentence(x) for n, x in (("predictor", predictor), ("at_least", at_least))},
        human_accuracy=_people_see(human_accuracy, drawn),
        random=random,
    )
    if isinstance(held, Votes) and (at_least is not None or drawn == "elsewhere"):
        held.need_judges()
    if gold is None and question.human_accuracy is not None:
        raise DataError(
            f"{parameter('human_accuracy')} is about labels; got it and no labels; pass {option('human')}"
        )
    climbing = {"at_least": at_least, "models": models, "time_limit": time_limit}
    if gold is None:
        question = replace(question, target=target_of(target, ()))
        _check_unlabelled(question, scores, inclusion, name_of(source))
        unlabelled = of_votes(question, _climbed(question, None, climbing))
        return with_reading(_in_words(unlabelled, held, scores), held)
    drawing = _drawn(question, scores, gold, inclusion, predictor, cluster)
    logical = scores is None and tie is None and bool(held.judges)
    ladder = _climbed(question, drawing.grading, climbing) if logical else None
    question = replace(question, target=drawing.target)
    result = _in_words(_of_drawn(question, drawing, ladder, method), held, scores)
    return with_reading(result, held, drawing.gold)


def _in_words(result: RateResult, held: Any, scores: Scores | None) -> RateResult:
    """Rate that says what its label counts: people's word for a class, or from where on scores are cut."""
    words = None if scores is None else scores.key_words
    if words is not None:
        return replace(result, label=words[int(result.label)])
    counted = counted_by_cut(result.label, getattr(getattr(held, "some", held), "notes", ()))
    return replace(result, counted=counted) if counted else result


def _of_drawn(question: Question, drawn: Drawn, ladder: Ladder | None, method: str) -> RateResult:
    """Rate from labels, which is refused where the votes refute that they were drawn at random."""
    if ladder is not None and ladder.not_random:
        drawn = replace(drawn, refused=True)
    return of_labels(question, drawn, ladder, method)


def rate_by_labels(
    votes: Votes | Sketch | KeyedSketch | Summary,
    label: object,
    time_limit: float | None = None,
) -> RateResult:
    """`rate` of votes with a key, without the rows on what beliefs about the judges leave possible.

    Its numbers and warnings are those of `rate`; it is for reports that do not show these rows.
    """
    source, gold = read_labelled(votes, "key")
    held = _read(source, needs_items=True)
    question = Question(
        data=held,
        label=label_or_pass(label, held.labels, answered_by(held), likely_grade(held)),
        target="auto",
        against=Fraction(1, 2),
        level=LEVEL,
        drawn="random",
        tie=None,
        asked={"method": "auto", "predictor": None, "at_least": None},
        random=0,
    )
    drawing = _drawn(question, None, gold, None, None, None)
    question = replace(question, target=drawing.target)
    grading = drawing.grading
    ladder = climb_checked(held, question.label, grading, time_limit) if held.judges else None
    result = _in_words(_of_drawn(question, drawing, ladder, "auto"), held, None)
    return with_reading(result, held, drawing.gold)


def _read(votes: Source | Scores, *, needs_items: bool) -> Votes | Sketch | Summary:
    """Votes; where nothing is joined to items, their counts will do."""
    if isinstance(votes, Scores):
        return _cut_in_two(votes)
    data = read_table(votes, items=needs_items)
    if isinstance(data, LabelledSketch):
        return data
    if needs_items:
        return as_votes(data)
    return data.sketch if isinstance(data, KeyedSketch) else data


def _label_of(label: object, held: Axes, scores: Scores | None, name: str) -> str:
    if scores is not None and scores.key_words is not None and label is not None:
        words = [*map(folded, scores.key_words)]
        return str(words.index(folded(str(label)))) if folded(str(label)) in words else str(label)
    if label is None and scores is not None:
        return "1"
    stated = str(label)
    if scores is None or stated in held.labels or as_number(stated.rstrip("%")) is None:
        return label_or_pass(label, held.labels, answered_by(held), likely_grade(held))
    raise DataError(
        f"{parameter('good')} must be a label, and judges of {name} give scores; got {label}; "
        f"{answered('cut', stated)} counts {label} and above"
    )


def _people_see(stated: Any, drawn: str) -> tuple[Fraction, Fraction] | None:
    """How often people see passes and fails as such."""
    if stated is None:
        return None
    parts = stated.split(",") if isinstance(stated, str) else stated
    try:
        sees_pass, sees_fail = (exact_share(part, "human_accuracy") for part in parts)
    except (TypeError, ValueError):
        sees_pass = sees_fail = Fraction(0)
    if sees_pass + sees_fail <= 1 or drawn == "elsewhere":
        raise DataError(
            f"{parameter('human_accuracy')} must be two shares that add up to more than 1, of passes and of "
            f"fails that people see as such, with labels of these items; got {stated!r}; an example is "
            f"{option('human_accuracy', '0.98,0.7')}"
        )
    return sees_pass, sees_fail


def _sentence(setting: Any) -> Any:
    """Setting as a result keeps it: data are not kept."""
    if setting is None or isinstance(setting, str | int | float | Fraction):
        return setting
    return "given"


def _refuse_grades(scores: Scores, name: str) -> None:
    """Refuse people's numbers, of which none is known to be good, with the question where to cut."""
    if scores.key is not None and scores.key_kind == "number":
        raise where_to_cut(scores, name)


def _cut_in_two(scores: Scores) -> Votes:
    """Votes cut at each judge's middle score, whatever its scale; labels had no part in it."""
    values = scores.values
    above = values > np.nanmedian(values, axis=0, keepdims=True)
    codes = np.where(np.isnan(values), NOT_ANSWERED, above).astype(np.int16)
    binary = scores.key_kind == "class" and set(scores.key or ()) <= {"0", "1", None}
    key = scores.cut(0).key if binary else None
    return Votes(scores.items, scores.judges, ("0", "1"), ("0", "1"), codes, key)


def _check_unlabelled(question: Question, scores: Scores | None, inclusion: Any, name: str) -> None:
    if scores is not None:
        _refuse_grades(scores, name)
        error = where_to_cut(scores, name)
        refused = DataError(
            f"scores say nothing of a rate without labels; got none; pass {option('human')}, or cut "
            f"them into votes: {error.questions[0].question} Answer with {error.questions[0].answers[0]}"
        )
        refused.questions = error.questions
        raise refused
    if question.tie is not None:
        raise DataError(
            f"tie says what labels are worth; got {option('tie', question.tie)} and no labels; pass "
            f"{option('human')}, or ask for "
            "the rate of each label"
        )
    if inclusion is not None or question.drawn != "random":
        raise DataError(
            f"drawn and inclusion are about labels; got {option('drawn', question.drawn)} and no "
            f"labels; pass {option('human')}"
        )


def _climbed(question: Question, gold: Gold | None, climbing: dict[str, Any]) -> Ladder:
    return climb(
        question.data,
        question.label,
        against=question.against,
        gold=gold,
        target=target_of(question.target, ()),  # logic is of these items, unless asked for more
        level=question.level,
        **climbing,
    )


def _drawn(
    question: Question,
    scores: Scores | None,
    gold: Any,
    inclusion: Any,
    predictor: Any,
    cluster: Any,
) -> Drawn:
    votes, held = question.votes, question.data
    counted = held if isinstance(held, LabelledSketch) else None
    plain = predictor is None or (isinstance(predictor, str) and predictor in ("verdict", "share"))
    needing = {
        "cluster": cluster,
        "inclusion": inclusion,
        "predictor": None if plain else predictor,
    }
    refuse_of_counts(counted, needing)
    elsewhere = None
    if question.drawn == "elsewhere":
        elsewhere, labels = elsewhere_of(gold, votes, question.label)
    else:
        labels = read_gold(gold, votes, question.label, tie=question.tie, split=True)
        labels = replace(labels, notes=tuple(n for n in labels.notes if n != LOOKED_AT))
    if counted is not None:
        own = tuple(note for note in counted.some.notes if isinstance(note, Caution))
        labels = replace(labels, notes=(*labels.notes, *own))
    people = labels_of_people(votes, labels) if elsewhere is None else ()
    seen = votes if counted is None else counted
    panel = panel_of(seen, question.label, question.tie, people)
    whole = elsewhere is None and labels.draws is None
    # the interval of a journal, which holds whenever one stops, is of these items
    target = target_of(question.target, [(len(labels) * whole, panel.n_items)])
    together = None if cluster is None else cluster_codes(cluster, votes.items)
    free = plain and inclusion is None and question.asked["method"] == "auto"
    if cluster is None and free and question.drawn == "random":
        shared = labels_together(votes if counted is None else counted, labels, target)
        if shared is not None:
            together, said = shared
            labels = replace(labels, notes=(*labels.notes, said))
    if counted and labels.inclusion is not None and np.ptp(labels.inclusion):
        raise DataError(
            "labels drawn with unequal chances must come with votes item by item; got counts; pass the votes"
        )
    chances = inclusion_of(inclusion, labels, votes, question.drawn)
    drawn = Drawn(
        gold=labels,
        panel=panel,
        predictor=predictor_of(predictor, votes, panel, scores),
        # what people say of these items is a draw, too, given which of them are passes
        target=target if question.human_accuracy is None else "population",
        level=question.level,
        random=question.random,
        human_accuracy=question.human_accuracy,
        clusters=together,
        inclusion=None if chances is None else chances[0],
        squares=None if chances is None else chances[1],
        elsewhere=elsewhere,
    )
    return drawn if elsewhere is not None else replace(drawn, balance=balance_of(drawn))
