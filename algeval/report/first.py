"""What a report says first where people labelled some outputs: rates, a difference, the judges by labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.checks.pairs import Suspect
from algeval.aggregate.checks.quality import posterior_grades
from algeval.certificates import check
from algeval.compare.comparison import Comparison
from algeval.data import NOT_ANSWERED, Scores, Votes
from algeval.data.evaluation import is_share
from algeval.data.names import counted_by_cut, is_sparse
from algeval.data.reading import Data, as_counts, keyed_part, n_labelled
from algeval.data.votes import GroupedSketch
from algeval.errors import DataError, option
from algeval.io.answers import answered
from algeval.io.journal import EVEN
from algeval.io.results import Results
from algeval.judges.bias import position_lines
from algeval.judges.card import (
    GRADES_SAID,
    JudgeCard,
    are_grades,
    difference_said,
    judge_card,
    looked_labels,
)
from algeval.judges.intervals import (
    Interval,
    Looked,
    anytime_share,
    rank_correlation,
    ranked_above,
    share,
    tango,
    two_answers,
)
from algeval.judges.wrong import self_consistency
from algeval.rates.inputs import (
    answered_by,
    in_each_order,
    likely_grade,
    pass_label,
    read_gold,
    shared_labels,
)
from algeval.rates.intervals import NOT_RANDOM
from algeval.report.parts import Card, Table
from algeval.result import percent
from algeval.result.numbers import capital, how_many, rate_name, signed
from algeval.verify_alarm import Panel

if TYPE_CHECKING:
    from algeval.judges.bias import JudgeBias, PositionLine
    from algeval.rates.leaderboards import Battles
    from algeval.rates.rating import RateResult
    from algeval.rates.systems import SystemComparison, SystemsComparison

LEVEL = 0.95
_MOST_SYSTEMS = 6
_SEEN = 0.1
"""Difference that the number of labels is told for: the one seen is mostly noise until it is shown."""

_POWER = (1.96 + 0.84) ** 2  # of a two-sided test at 5% that finds a difference in 80 of 100 cases


@dataclass(frozen=True, slots=True)
class ByPeople:
    """What a judge said of the items that people labelled.

    `misses`: passed by people, failed by the judge; `false_passes`: the reverse; each with how many could be.
    """

    judge: str
    n: int
    right: int
    false_passes: tuple[int, int]
    misses: tuple[int, int]
    was_right: NDArray[np.int8]  # (n_items,), -1 where the judge or people said nothing
    # of a journal of labels: its draws, what the judge said of every item, and the place of the good label
    looked: Looked | None
    codes: NDArray[np.int64]
    good: int
    n_labels: int
    card: JudgeCard | None = (
        None  # where labels were drawn with chances, or several are of one prompt
    )
    together: str = ""  # which labels are of one prompt or pair

    @property
    def accuracy(self) -> Interval:
        """Share right with its 95% interval, which holds whenever one stops where labels are a journal."""
        if self.card is not None:
            return self.card.row(self.judge).accuracy
        if self.looked is None:
            return share(self.right, self.n, LEVEL)
        answered = self.codes != NOT_ANSWERED
        return self.looked.share(answered, self.codes == self.looked.truth, LEVEL)

    @property
    def point(self) -> float:
        """Share right, weighed where labels have chances."""
        value = None if self.card is None else self.accuracy.value
        return self.right / max(1, self.n) if value is None else value

    @property
    def false_pass_rate(self) -> Interval:
        """Share passed of what people fail, with its 95% interval."""
        k, n = self.false_passes
        if self.card is not None and self.n_labels == 2 and n:
            label = self.card.labels[1 - self.good]
            value, low, high = self.card.row(self.judge).recall[label]
            return Interval(None if value is None else 1 - value, 1 - high, 1 - low)
        if self.looked is None or self.n_labels != 2:
            return share(k, n, LEVEL)
        answered, said = self.codes != NOT_ANSWERED, self.codes == self.good
        return self.looked.recall(answered & said, answered, 1 - self.good, LEVEL)


_MOST_COUNTED = 1_000_000
"""Items of counts written out one by one."""


def votes_with_labels(data: Data) -> Votes | None:
    """Votes of which some items are labelled, those of counts written out; None where none is."""
    keyed = None if isinstance(data, Votes) else keyed_part(data)
    if isinstance(data, Votes):
        has_labels = data.key is not None and bool((data.key != NOT_ANSWERED).any())
        return data if has_labels else None
    if keyed is None or not 0 < keyed.n_items <= _MOST_COUNTED:
        return None
    sketch = keyed.sketch
    rows, labels = np.nonzero(keyed.keyed)
    times = keyed.keyed[rows, labels].astype(np.int64)
    codes = np.repeat(sketch.codes[rows], times, axis=0)
    key = np.repeat(labels, times).astype(np.int16)
    return Votes(
        tuple(map(str, range(len(key)))), sketch.judges, sketch.labels, sketch.answers, codes, key
    )


class Refuted(NamedTuple):
    """Accuracy of a judge as a method estimates it, outside the interval of what people labelled."""

    method: str
    judge: str
    value: float
    low: float
    high: float


SHARED = "recommended, if errors are shared"
"""Name of the pessimistic accuracies of 'recommended' in figures and tables."""


def refuted_by_labels(comparison: Comparison, rows: Sequence[ByPeople]) -> tuple[Refuted, ...]:
    """Estimated accuracies that the labels of people exclude, method by method."""
    named = {row.judge: row for row in rows if row.n}
    series: dict[str, dict[str, object]] = {}
    for estimate in comparison.estimates:
        if estimate.evaluation is None:
            continue
        evaluation = estimate.evaluation
        series[estimate.method] = {j: evaluation.grade(j) for j in evaluation.judges}
        if estimate.method == "recommended" and estimate.fit is not None:
            grades = posterior_grades(estimate.fit).tolist()
            series[SHARED] = dict(zip(estimate.fit.judges, grades, strict=True))
    excluded = []
    for method, values in series.items():
        for judge, value in values.items():
            if judge not in named or not is_share(value):
                continue
            _, low, high = named[judge].accuracy
            if not low <= float(value) <= high:  # type: ignore[arg-type]
                excluded.append(Refuted(method, judge, float(value), low, high))  # type: ignore[arg-type]
    return tuple(excluded)


def certainty_refuted(comparison: Comparison) -> str:
    """Sentence that labels refute how sure the consensus is of itself; "" where they do not."""
    chosen = next((e for e in comparison.estimates if e.method == "recommended"), None)
    if chosen is None or chosen.fit is None or chosen.score is None or not chosen.score.n_scored:
        return ""
    said = float(chosen.fit.counts @ chosen.fit.posterior.max(axis=1)) / max(1, chosen.fit.n_items)
    right, n = chosen.score.n_correct, chosen.score.n_scored
    _, low, high = share(right, n, LEVEL)
    if low <= said <= high:
        return ""
    return (
        f"The consensus is right on {share_with_interval(right, n)} of the {how_many(n, 'item')} that "
        f"people labelled, and its probabilities average {percent(said, 0)}: they rank the items, they are "
        "not accuracies."
    )


_MOST_REFUTED = 4


def refuted_line(excluded: Sequence[Refuted]) -> str:
    """Sentence on the estimates that the labels of people refute; "" where they refute none."""
    if not excluded:
        return ""
    parts = [
        f"{r.judge} {percent(r.value)} by {r.method} (labels: {100 * r.low:.0f}-{100 * r.high:.0f}%)"
        for r in excluded[:_MOST_REFUTED]
    ]
    more = len(excluded) - _MOST_REFUTED
    dots = f" and {more} more" if more > 0 else ""
    return (
        f"Refuted by the labels, whose 95% intervals exclude these accuracies: {'; '.join(parts)}{dots}. "
        "The accuracies by labels stand with the judges above."
    )


def by_people(votes: Votes, good: str) -> list[ByPeople]:
    """Each judge against what people said; without a good label errors are not parted."""
    index = votes.labels.index(good) if good else -1
    votes, gold = in_each_order(votes, read_gold("key", votes, votes.labels[0]))
    key = votes.key
    assert key is not None
    looked = looked_labels(votes, gold, None)
    card = None
    together = shared_labels(votes, gold)
    weighed = gold.inclusion is not None or together is not None
    if looked is None and (weighed or are_grades(votes.labels)):
        card = judge_card(votes, human="key", level=LEVEL)
    rows = []
    for j, judge in enumerate(votes.judges):
        codes = votes.codes[:, j]
        both = (codes != NOT_ANSWERED) & (key != NOT_ANSWERED)
        right = np.where(both, codes == key, -1).astype(np.int8)
        failed, passed = both & (key != index), both & (key == index)
        rows.append(
            ByPeople(
                judge,
                int(both.sum()),
                int((right == 1).sum()),
                (int((failed & (codes == index)).sum()), int(failed.sum())),
                (int((passed & (codes != index)).sum()), int(passed.sum())),
                right,
                looked,
                codes.astype(np.int64),
                index,
                len(votes.labels),
                card,
                "" if together is None else str(together[1]),
            )
        )
    return rows


def share_with_interval(k: int, n: int) -> str:
    """Share with its 95% interval, in percent."""
    if not n:
        return "-"
    _, low, high = share(k, n, LEVEL)
    return f"{percent(k / n, 0)} ({100 * low:.0f}-{100 * high:.0f})"


def judges_table(
    rows: Sequence[ByPeople],
    good: str,
    agrees: Sequence[str],
    before: Table,
    kept: Sequence[str] = (),
    *,
    picked: bool = False,
) -> Table:
    """Table of judges by what people said, the worst first; columns of `before` that are `kept` beside it."""
    grades = _give_grades(rows, good)
    order = sorted(range(len(rows)), key=lambda k: (rows[k].point, k))
    right = "exact (95%)" if grades else "right (95%)"
    columns: dict[str, list[str]] = {right: [], "labels": []}
    if grades:
        columns = {right: [], "within 1": [], "weighted kappa": [], "higher by": [], "labels": []}
    if good:
        columns |= {"passes what people fail": [], "fails what people pass": []}
    columns["agrees"] = []
    for k in order:
        row = rows[k]
        _, low, high = row.accuracy
        ends = f" ({100 * low:.0f}-{100 * high:.0f})"
        columns[right].append(f"{percent(row.point, 0)}{ends}" if row.n else "-")
        if grades:
            near, beyond, higher = _of_grades(row)
            columns["within 1"].append(near)
            columns["weighted kappa"].append(beyond)
            columns["higher by"].append(higher)
        columns["labels"].append(str(row.n))
        if good:
            columns["passes what people fail"].append("{} of {}".format(*row.false_passes))
            columns["fails what people pass"].append("{} of {}".format(*row.misses))
        columns["agrees"].append(agrees[k])
    old = {row[0]: row for row in before.rows}
    for name in (*kept, "at most", "copies", "missing"):
        if name in before.columns:
            at = before.columns.index(name)
            columns[name] = [old[rows[k].judge][at] for k in order]
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    cells = [tuple(row) for row in zip(*shown.values(), strict=True)]
    named = tuple((rows[k].judge, *cell) for k, cell in zip(order, cells, strict=True))
    estimated = [name for name in kept if name in shown]
    note = _note_of_judges(any(row.looked is not None for row in rows), estimated, list(shown))
    note += "; these labels were not drawn at random, and are of themselves alone" * picked
    return Table(columns=("judge", *shown), rows=named, note=f"{note}.")


def _give_grades(rows: Sequence[ByPeople], good: str) -> bool:
    """Whether judges and people give grades in order, none of which is the good one."""
    card = rows[0].card
    return not good and card is not None and card.are_grades


def _of_grades(row: ByPeople) -> tuple[str, str, str]:
    """How near a judge's grades are to people's: within one level, beyond chance, and how much higher."""
    own = None if row.card is None else row.card.row(row.judge)
    if own is None or own.quadratic_kappa is None or own.within_1 is None:
        return "-", "-", "-"
    value, low, high = own.quadratic_kappa
    beyond = "-" if value is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
    return percent(own.within_1, 0), beyond, difference_said(own)


def _note_of_judges(looked: bool, estimated: Sequence[str], shown: Sequence[str]) -> str:
    """What the columns of the judges' table mean."""
    note = "right: on what people labelled, with its 95% interval"
    if "within 1" in shown:
        note = f"exact: the grade that people gave, with its 95% interval; {GRADES_SAID}"
    if looked:
        note += ", which holds whenever one stops labelling"
    if estimated:
        note += f"; {' and '.join(estimated)}: accuracy estimated without the labels"
    if "agrees" in shown:
        note += "; agrees: mean pairwise agreement"
    if "at most" in shown:
        note += "; at most: by logic, the judge alone"
    if "copies" in shown:
        note += f"; {COPIES}"
    return note


COPIES = "copies: one letter answers nearly alike, count it as one; agrees leaves them out"


_MOST_NAMED = 6


def stand_out_line(suspects: Sequence[Suspect]) -> tuple[str, ...]:
    """Which judges agree with no other beyond chance, and what their answers look like."""
    if not suspects:
        return ()
    causes = {"constant": "always one answer", "flipped": "mostly the opposite"}
    named = [
        f"{s.judge} ({causes[s.cause]})" if s.cause in causes else s.judge
        for s in suspects[:_MOST_NAMED]
    ]
    dots = f" and {len(suspects) - _MOST_NAMED} more" if suspects[_MOST_NAMED:] else ""
    verb = "agrees" if len(suspects) == 1 else "agree"
    line = f"{', '.join(named)}{dots} {verb} with no other judge beyond chance: check before you use them."
    return (line,)


def about_judges(rows: Sequence[ByPeople], good: str) -> tuple[str, ...]:
    """Whether the labels tell the judges apart, and the one error that matters most."""
    lines = []
    scored = [row for row in rows if row.n]
    if len(scored) > 1:
        ordered = sorted(scored, key=lambda row: -row.point)
        best, others = ordered[0], ordered[1:]
        rivals = [row for row in others if not _apart(best, row)]
        alike = [row.judge for row in rivals]
        if alike:
            some = ", ".join([best.judge, *alike][:5]) + (", ..." if len(alike) > 4 else "")
            exactly = " by exact grades" if _give_grades(rows, good) else ""
            n = min(int(((best.was_right >= 0) & (row.was_right >= 0)).sum()) for row in rivals)
            common = how_many(n, "label") + " in common" * (n < best.n)
            lines.append(f"{common} cannot tell {some} apart{exactly}.")
        worse = [row.judge for row in others if row.judge not in alike]
        if worse:
            names = ", ".join(worse[:5]) + (", ..." if worse[5:] else "")
            is_right = "gives people's grade" if _give_grades(rows, good) else "is right"
            lines.append(f"{best.judge} {is_right} more often than {names}: shown by these labels.")
    if good:
        failing = [row for row in scored if row.false_passes[1] >= 5 and row.false_passes[0]]
        if failing:
            row = max(failing, key=lambda r: r.false_passes[0] / r.false_passes[1])
            k, m = row.false_passes
            value, low, high = row.false_pass_rate
            passed = k / m if row.card is None or value is None else value
            lines.append(
                f"{row.judge} passes {percent(passed, 0)} of what people fail ({k} of {m}; "
                f"{100 * low:.0f}-{100 * high:.0f}%)."
            )
        few = max((row.false_passes[1] for row in scored), default=0)
        if 0 < few < 5:
            lines.append(f"People failed only {few}: what judges pass wrongly is hardly seen.")
    return tuple(lines)


def _apart(first: ByPeople, second: ByPeople) -> bool:
    """Whether the first is right more often on the labels of both, as `judge_card` compares them."""
    if first.card is not None:
        return first.card.compare(first.judge, second.judge).difference.low > 0
    if first.looked is not None:
        codes = np.stack([first.codes, second.codes], axis=1)
        within, binary = (codes != NOT_ANSWERED).all(axis=1), two_answers(codes, first.n_labels)
        return first.looked.difference(codes, within, LEVEL, binary=binary).low > 0
    both = (first.was_right >= 0) & (second.was_right >= 0)
    more = int((both & (first.was_right == 1) & (second.was_right == 0)).sum())
    less = int((both & (first.was_right == 0) & (second.was_right == 1)).sum())
    return tango(more, less, int(both.sum()), LEVEL).low > 0


WHENEVER = "The labels are a journal: these intervals hold whenever one stops labelling."
"""Said of rates whose labels came one by one."""


def rate_line(who: str, result: Any) -> str:
    """How often outputs pass, of a system or of all, beside what the judges alone say."""
    named = capital(rate_name(result.label, who, result.counted))
    ends = f"{100 * result.low:.0f}-{100 * result.high:.0f}"
    votes = [entry["votes_for_it"] for entry in result.judged.values()]
    said = sorted(share for share in votes if share is not None)
    judges = ""
    if said:
        shares = dict.fromkeys(f"{100 * share:.0f}" for share in (said[0], said[-1]))
        judges = f"; the judges alone say {'-'.join(shares)}%"
    of = how_many(result.n_gold, "human label")
    if result.labelled_share is not None:
        more = "not known" if result.rate is None else f"{ends}%"
        counted = f"people labelled all {how_many(result.n_gold, 'output')}"
        return f"{named}: {percent(result.labelled_share)}: {counted} ({more} of more like them){judges}."
    if result.method == "certain":
        return f"{named}: not determined by {of}: {NOT_RANDOM}; {ends}% is certain{judges}."
    if result.rate is None:
        return f"{named}: not known from {of}{judges}."
    return f"{named}: {percent(result.rate, 0)} ({ends}), from {of}{judges}."


def leaning(bias: JudgeBias | None, table: Results | None, arguments: str) -> tuple[str, ...]:
    """Warning of the strongest effect that is shown: of order on pairs, else of length or another column."""
    if table is not None and table.layout == "pairwise":
        if table.n_items * max(1, len(table.judged)) > _MOST_PAIRED:
            return ()
        shown = [line for line in position_lines(table, LEVEL) if line.p <= 1 - LEVEL]
        shown.sort(key=lambda line: line.p)
        return tuple(_order_said(line) for line in shown[:1])
    effects = [
        line
        for line in (() if bias is None else bias.lines)
        if line.p_adjusted is not None and line.p_adjusted <= 1 - LEVEL
        if line.points is not None and abs(line.points) >= 0.5  # else it is said as 0
    ]
    if bias is None or not effects:
        return ()
    line = effects[0]
    assert line.points is not None
    what = f"gives {bias.good!r}" if bias.good else "is right"
    where = f"where {line.by!r} is {'high' if line.value is None else repr(line.value)}"
    ends = (
        ""
        if line.low is None or line.high is None
        else f" ({signed(line.low)} to {signed(line.high)})"
    )
    quarters = " from its lower to its upper quartile" if line.value is None else ""
    more = len(effects) - 1
    rest = f"; {how_many(more, 'more effect')}: algeval judges {arguments} --by all" if more else ""
    return (
        f"Warning: {line.judge} {what} {'more' if line.points > 0 else 'less'} often {where}, though people "
        f"say the same: {signed(line.points)} points{ends}{quarters}{rest}.",
    )


_MOST_PAIRED = 1500
"""Verdicts on pairs to which the first screen looks for an effect of order."""


def _order_said(line: PositionLine) -> str:
    side = "first" if line.n_first > line.n_second else "second"
    n = line.n_first + line.n_second
    return (
        f"Warning: {line.judge} leans to the answer shown {side}: of {how_many(n, 'pair')} on which it chose "
        f"one side in both orders, {max(line.n_first, line.n_second)} times that one."
    )


def by_judges_alone(results: Results | None, votes: Votes, good: str) -> tuple[str, ...]:
    """How often the judges give the good label, of each system, where no person labelled anything."""
    if not good or good not in votes.answers or (results is not None and results.reading.pairs):
        return ()
    parts = {} if results is None else results.by_system
    named = {"": votes}
    if len(parts) > 1:
        options = {name: replace(part.options, good=good) for name, part in parts.items()}
        named = {f" of {n}": replace(p, options=options[n]).votes for n, p in parts.items()}
    words = [_said(who, part, good) for who, part in list(named.items())[:_MOST_SYSTEMS]]
    words = [word for word in words if word]
    if not words:
        return ()
    who = "the judge gives it to" if votes.n_judges == 1 else "the judges give it to"
    return (
        f"{capital(rate_name(good, counted=counted_by_cut(good, votes.notes)))}: not known without human "
        f"labels; {who} {', '.join(words)}.",
    )


class PairRanks(NamedTuple):
    """Sentences on which system is preferred, and the first of them in a few words."""

    lines: tuple[str, ...] = ()
    short: str = ""
    cards: tuple[Card, ...] = ()


def ranks_of_pairs(results: Results) -> PairRanks:
    """Which system people and judges prefer, of a table of pairs; nothing of other tables."""
    if not results.names_winners or len(results.items) > _MOST_PAIRS:
        return PairRanks()
    from algeval.rates.leaderboards import (
        Named,
        leaderboard,
        of_results,
        once_a_pair,
        read_battles,
        wins,
    )

    try:
        board = leaderboard(results)
    except DataError:
        return PairRanks()
    by_judges, picks, _ = of_results(results, Named())
    alone = picks is None and bool(results.said)  # nobody but people decided
    people = PairRanks()
    if alone or picks is not None:
        battles, _ = read_battles(by_judges if alone else once_a_pair(picks), Named())
        people = _picks(results, battles, board.systems)
    if alone or len(board.systems) != 2:
        return PairRanks((*people.lines, board.message), people.short, people.cards)
    battles, _ = read_battles(by_judges, Named())
    first, (won, lost, ties) = board.systems[0], wins(battles, board.systems[0])
    decided = how_many(won + lost, "verdict")
    tied = f"; {how_many(ties, 'tie')}" if ties else ""
    who = "By the judges: " if people.lines else ""
    short = f"{first} wins {percent(won / max(1, won + lost), 0)}"
    both = "Of both: " if people.lines else ""
    lines = (*people.lines, f"{who}{short} of {decided}{tied}. {both}{board.message}")
    return PairRanks(lines, people.short or f"{short} by the judges", people.cards)


def _picks(results: Results, battles: Battles, systems: Sequence[str]) -> PairRanks:
    """How often people picked a system: the first of two, each of more.

    With an interval where pairs are independent and drawn at random, of a journal one that always holds.
    """
    from algeval.rates.leaderboards import wins

    drawn = {column.name: {*column.cells} - {None} for column in results.drawn}
    even = len(drawn.get("inclusion", ())) < 2 and drawn.get("strategy", set()) <= {*EVEN}
    random = results.n_prompts == len(results.items) and even and not drawn.get("stratum")
    parts, shares = [], []
    cards: tuple[Card, ...] = ()
    for system in systems[: 1 if len(systems) == 2 else _MOST_SYSTEMS]:
        won, lost, ties = wins(battles, system)
        n = won + lost
        if not n:
            continue
        ends = anytime_share(won, n, LEVEL) if "draw" in drawn else share(won, n, LEVEL)[1:]
        between = f" ({100 * ends[0]:.0f}-{100 * ends[1]:.0f})" if random else ""
        tied = f" ({how_many(ties, 'tie')})" if ties else ""
        shares.append(f"{system} wins {percent(won / n, 0)}")
        parts.append(f"{shares[-1]}{between} of {how_many(n, 'pair')}{tied}")
        if random and len(systems) == 2:
            cards = (_card_of_pairs(systems, (won, n, ties), ends, whenever="draw" in drawn),)
    more = "; ..." if len(systems) > _MOST_SYSTEMS else ""
    line = f"By people: {'; '.join(parts)}{more}."
    short = f"{', '.join(shares)}{', ...' if more else ''} by people"
    return PairRanks((line,), short, cards) if parts else PairRanks()


def _card_of_pairs(
    systems: Sequence[str], counts: tuple[int, int, int], ends: Sequence[float], *, whenever: bool
) -> Card:
    """Card of how often people picked the first of two systems."""
    (won, n, ties), (low, high) = counts, ends
    tied = f", {how_many(ties, 'tie')} left out" if ties else ""
    holds = ", whenever one stops labelling" if whenever else ""
    return Card(
        name="slide.svg",
        title=f"{systems[0]} wins against {systems[1]}",
        value=percent(won / n, 0),
        interval=f"95% confidence interval {100 * low:.0f}% to {100 * high:.0f}%{holds}",
        size=f"{how_many(n, 'pair')} that people decided{tied}",
        caveat="Assumes: pairs drawn at random, each judged apart.",
        low=float(low),
        point=won / n,
        high=float(high),
    )


_MOST_PAIRS = 20_000  # beyond it the ranks take longer than the rest of the report


def _said(who: str, votes: Votes, good: str) -> str:
    """Share of a label among each judge's verdicts, lowest and highest."""
    if good not in votes.answers:
        return ""
    answered = (votes.codes != NOT_ANSWERED).sum(axis=0)
    gave = (votes.codes == votes.answers.index(good)).sum(axis=0)
    shares = sorted(100 * (gave / np.maximum(answered, 1))[answered > 0])
    if not shares:
        return ""
    low, high = f"{shares[0]:.0f}", f"{shares[-1]:.0f}"
    return f"{low if low == high else f'{low}-{high}'}%{who or ' of the outputs'}"


def points(share: float) -> int:
    """Share in whole points, rounded as a number of two decimals is."""
    return round(100 * float(f"{share:.2f}"))


def difference_line(result: Any) -> str:
    """Which of two systems is better, in one sentence, and how many labels would show it."""
    if len(result.names) > 2:
        return _several_line(result)
    first, second = result.names
    if result.difference is None:
        few = all(result.n_own_gold or (0,))
        why = "no label for both" if not few else "labels of too few prompts of each"
        why = NOT_RANDOM if NOT_RANDOM in result.message else why
        return f"Which of {first} and {second} is better is not known: {why}."
    gap = -result.difference  # of the second over the first
    low, high = sorted((-result.low, -result.high))
    better = second if gap >= 0 else first
    if gap < 0:
        gap, low, high = -gap, -high, -low
    ends = f"({signed(points(low))} to {signed(points(high))} for {better})"
    if result.verdict.endswith("BETTER"):
        lead = f"{better} is better by {how_many(points(gap), 'point')}"
        return f"{lead} {ends}, by {_basis(result)}: shown."
    ahead = f"{better} is ahead by {how_many(points(gap), 'point')}"
    ahead = ahead if points(gap) else "they are alike to the point"
    text = f"Which of {first} and {second} is better is not shown: {ahead} {ends}"
    if unsettled := _why_not_settled(result):
        return f"{text}, {unsettled}."
    if result.n_own_gold is None:
        wanted = _POWER * max(result.n_discordant / max(1, result.n_gold), _SEEN) / _SEEN**2
    else:
        wider = (high - low) / 2 * (_POWER**0.5 / 1.96) / _SEEN
        wanted = wider**2 * min(result.n_own_gold)
    return f"{text}, by {_basis(result)}; 10 points take about {max(ceil(wanted), 2)}."


def _several_line(result: SystemsComparison) -> str:
    """Which of several systems are better than which, all pairs at once."""
    shown = []
    for pair in result.pairs:
        better = pair.verdict.removesuffix(" BETTER")
        if better in (pair.first, pair.second):
            shown.append(f"{better} than {pair.second if better == pair.first else pair.first}")
    said = ", ".join(shown) or "none"
    return f"Shown to be better, all {len(result.pairs)} pairs at once: {said}."


def _basis(result: Any) -> str:
    """What a difference was read from."""
    if result.n_own_gold is None:
        return f"{how_many(result.n_gold, 'prompt')} labelled for both"
    return f"{' and '.join(map(str, result.n_own_gold))} labels of each"


def _why_not_settled(result: Any) -> str:
    """Why an interval that leaves 0 shows no difference, as the verdict says it; "" of others."""
    if result.verdict != "NOT SETTLED":
        return ""
    _, leaves, but = result.message.partition(" leaves 0 but ")
    return f"the interval leaves 0 but {but.partition(chr(10))[0].rstrip('.')}" if leaves else ""


def strongest_floor(
    data: Data, results: Results | None, counts: Panel | None
) -> tuple[str, dict[str, Any]]:
    """The strongest sentence on verdicts that are wrong whatever the truth, and its certificate.

    The verifier accepted it where it has the `counts`.
    """
    joint = as_counts(data)
    if len(joint.judges) < 2 and (results is None or not results.runs):
        return "", {}
    if is_sparse(getattr(joint, "codes", None)):
        return "", {}  # thousands of judges have millions of pairs
    of_rows = results is not None and bool(results.judged) and results.counts is None
    wrong = self_consistency(results if of_rows else data)
    sentences = wrong.sentences
    if not sentences:
        return "", {}
    proofs = wrong.certificates
    for repeat in wrong.repeats:  # of data of their own
        check({"repeats": proofs[f"repeats of {repeat.judge}"]}, repeat.votes)
    kept = {"wrong": proofs["wrong"]} if wrong.least_wrong else {}
    if counts is not None:
        check(kept, counts)
    return sentences[0], kept


class Rates(NamedTuple):
    """Lines on how often outputs pass, and the results they say: of each system, and of two compared."""

    lines: tuple[str, ...]
    of: dict[str, RateResult]
    difference: SystemComparison | None = None
    cautions: tuple[str, ...] = ()


def rates_of(
    table: Results | GroupedSketch | None,
    label: str,
    whole: RateResult,
    rate: Any,
) -> Rates:
    """Rate, of each system where there are several, and the difference of two; cautions.

    `table` : of rows, or their counts by system; `whole` : the rate of all outputs, which is not said where
    there are several systems; `rate` makes one.
    """
    parts: Mapping[str, Results | GroupedSketch] = {}
    if isinstance(table, Results):
        table = replace(table, options=replace(table.options, good=label))
    if table is not None:
        parts = table.by_system if isinstance(table, Results) else table.each("system")
    if len(parts) < 2:
        first = (WHENEVER,) if whole.method == "anytime" else ()
        lines_of_rate = (rate_line("", whole), *first)
        return Rates(lines_of_rate, {"": whole}, cautions=tuple(_cautions(whole)))
    lines: list[str] = []
    cautions: list[str] = []
    each: list[tuple[str, list[str]]] = []
    made: dict[str, RateResult] = {}
    for name, part in list(parts.items())[:_MOST_SYSTEMS]:
        own: Any = part
        if isinstance(part, Results):
            own = _rated(part)
        if not n_labelled(own):
            named = capital(rate_name(label, name, whole.counted))
            lines.append(f"{named}: not known, no human label.")
            continue
        made[name] = rate(own, label)
        lines.append(rate_line(name, made[name]))
        each.append((name, _cautions(made[name])))
    if len(parts) > _MOST_SYSTEMS:
        more_systems = how_many(len(parts) - _MOST_SYSTEMS, "more system")
        lines.append(f"... and {more_systems}, which versus compares, too.")
    first_own = each[0][1] if len(each) == len(parts) else []
    of_all = [c for c in first_own if all(c in own for _, own in each)]
    cautions += of_all
    cautions += [f"{name}: {c}" for name, own in each for c in own if c not in of_all]
    compared = _difference(table, label) if len(parts) <= _MOST_SYSTEMS else None
    lines += [] if compared is None else [difference_line(compared)]
    if compared is not None and len(parts) == 2:
        cautions += [w for w in compared.warnings if w not in cautions]
    if made and all(result.method == "anytime" for result in made.values()):
        lines.append(WHENEVER)
    of_two = compared if len(parts) == 2 else None
    return Rates(tuple(lines), made, of_two, tuple(cautions))


def _rated(part: Results) -> Votes | Scores | None:
    """What a rate of a system is made of: scores where judges gave nothing else, else votes."""
    uncut = part.scored and not part.judged and part.options.cut is None
    return part.scores if uncut else part.votes


def _cautions(rated: Any) -> list[str]:
    """Why a rate is not known though people labelled outputs, and its warnings."""
    said = rated.rate is not None or rated.method == "certain"
    why = "" if said else rated.message.partition("Undetermined: ")[2]
    return [*([why] if why else []), *rated.warnings]


def _difference(table: Any, label: str) -> Any:
    """Comparison of the systems; None where they cannot be compared."""
    from algeval.rates.systems import versus

    try:
        return versus(table, good=label)
    except DataError:
        return None


def good_of(votes: Votes, label: object, results: Results | None) -> str:
    """The label a rate counts; "" where it cannot be told."""
    if label is not None:
        return str(label)
    if results is not None:
        return results.good or ""
    return pass_label(votes.labels, answered_by(votes))


def which_is_good(votes: Votes, table: Results | None) -> tuple[str, ...]:
    """Which setting says what is good, where labels do not, and how high people's grades are."""
    start = "How often outputs are good is not known until it is said"
    grade, key = likely_grade(votes), votes.key
    if not grade:
        labels = ", ".join(map(repr, votes.labels))
        return (f"{start} which label is ({option('good')}), of {labels}.",)
    assert key is not None
    grades = np.array([float(label) for label in votes.labels])
    system = table.system_of if table is not None and len(table.system_of) == len(key) else ()
    groups = {name: np.array([of == name for of in system]) for name in dict.fromkeys(system)}
    parts = []
    for name, rows in {"": np.ones(len(key), bool), **(groups if len(groups) > 1 else {})}.items():
        said = grades[key[rows & (key != NOT_ANSWERED)]]
        mean = f"{said.mean():.2f}" if len(said) else "-"
        parts.append(f"{f'of {name} ' if name else ''}{mean} ({len(said)} labelled)")
    return (
        f"{start} from which grade on: {answered('cut', grade)} counts {grade} and above.",
        f"Mean grade by people, without an interval: {', '.join(parts[: _MOST_SYSTEMS + 1])}.",
    )


# --- Judges who give numbers, by what people said.


def _low_is_good(by: Mapping[str, Interval]) -> str:
    """Which judges surely give lower scores to what people call good."""
    low = [judge for judge, interval in by.items() if interval.high < 0.5]
    return f"; below 50% low scores are the good ones ({', '.join(low)})" if low else ""


def scores_by_people(data: Scores) -> tuple[dict[str, Interval], str]:
    """How far each judge's scores go with what people said, and what the number is; {} without people.

    Rank correlation with people's numbers, or how often a good item is above a bad one.
    """
    classes = data.key_kind == "class"
    if data.key is None or (classes and set(data.key) - {"0", "1", None}):
        return {}, ""
    rows = np.flatnonzero([k is not None for k in data.key])
    truth = np.array([float(data.key[row] or 0) for row in rows.tolist()])
    by = {}
    for judge, scores in zip(data.judges, data.values[rows].T, strict=True):
        both = ~np.isnan(scores)
        x, y = scores[both], truth[both]
        by[judge] = ranked_above(x, y == 1, LEVEL) if classes else rank_correlation(x, y, LEVEL)
    if classes:
        pass_it = "pass" if data.key_words is None else f"call {data.key_words[1]!r}"
        return (
            by,
            f"people: chance that of two items the one people {pass_it} has the higher score, with 95% "
            f"interval{_low_is_good(by)}",
        )
    return by, "people: rank correlation with people's scores, with 95% interval"
