"""Is system A better than system B? From labels a verdict, from votes alone none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algeval.io.sources import Source
from algeval.rates.inputs.pairs import left_out
from algeval.rates.intervals.paired import Difference
from algeval.rates.intervals.paired_regression import Labelled
from algeval.rates.policy import FEWEST_CLUSTERS, FEWEST_DISCORDANT, FEWEST_GOLD, LEVEL
from algeval.rates.systems.drawing import check_stands_for, chosen_not_drawn, plain_chances
from algeval.rates.systems.estimates import Design, labels_alone, with_judges
from algeval.rates.systems.lines import belief_lines, judges_line, labels_lines, no_belief_line
from algeval.rates.systems.question import Question, read_question
from algeval.rates.systems.result import SystemComparison, signed
from algeval.result import Status, percent
from algeval.result.wording import how_many, level_text

__all__ = ["compare_systems"]


def compare_systems(
    votes_a: Source,
    votes_b: Source,
    *,
    label: object,
    gold_a: Any = None,
    gold_b: Any = None,
    gold: Any = None,
    cluster: Any = None,
    target: str = "items",
    drawn: str | None = None,
    inclusion: Any = None,
    outputs_a: Any = None,
    outputs_b: Any = None,
    at_least: object = None,
    method: str = "auto",
    level: float = LEVEL,
    names: Sequence[str] = ("A", "B"),
    random: int = 0,
) -> SystemComparison:
    """Compare how often two systems' answers to the same items have a label, such as "pass".

    Labels decide and judges sharpen. Without labels there is no verdict however many judges agree: one
    that favours a system cannot be seen in votes, and more judges make the error look smaller.

    Parameters
    ----------
    votes_a, votes_b : Votes, or tables
        Judges' votes on the answers of each system. Items are joined by id; those of one file alone are
        left out and named.
    label : str
        Whose share is compared.
    gold_a, gold_b : mapping, path, table, Votes or "key", optional
        People's labels of some of the answers of each, as `rate` takes them. Items labelled for both
        count.
    gold : table or "key", optional
        Both at once: a table with columns item, truth_a and truth_b, or the keys of both votes.
    cluster : mapping, table or sequence, optional
        Items that belong together, as {item: cluster}, or in the order of A's items. Clusters are the unit
        then; ten at least must have labels.
    target : "items" or "population"
        The difference on these items, or in what they are a sample of.
    drawn : "random", "differing" or "unequal", optional
        How the labelled items were drawn: among all, among those whose outputs differ, or with the
        chances of `inclusion`. Random is assumed, and said, unless there are such chances.
    inclusion : mapping or table, optional
        {item: chance} with which labelled items were drawn, or a table with such a column; by default the
        column "inclusion" of the labels.
    outputs_a, outputs_b : mapping, table or sequence, optional
        What the systems put out. Where both are the same text the difference is 0 for certain.
    at_least : number, optional
        Show what follows if every judge is right on at least this share of what it answered.
    method : "auto", "strata" or "ppi"
        Strata of the difference of verdicts, or regression on the difference of shares. Auto takes strata
        where they hold: no clusters, no graded labels, one chance per stratum. Choose before looking.
    level : float
        Of the interval.
    names : two str
        What to call the systems.
    random : int
        Seed of the posterior draws.

    Returns
    -------
    SystemComparison
        Status ok with an interval; `undetermined` without labels or with too few clusters of them;
        `inconsistent` where the votes contradict `at_least`.

    Raises
    ------
    DataError
        If the files share no item or label, a label is of an unknown item, or a setting is wrong.

    Notes
    -----
    Differences D of labels are 1, 0 or -1. Three strata of the same difference of verdicts, a Dirichlet
    prior of a third each, and unlabelled items drawn from the posterior. A verdict needs six labelled
    differences: with five, no sign test reaches 5%.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> items = [f"q{k}" for k in range(40)]
    >>> a = Votes.from_columns({"j": ["pass"] * 35 + ["fail"] * 5}, items=items)
    >>> b = Votes.from_columns({"j": ["pass"] * 15 + ["fail"] * 25}, items=items)
    >>> compare_systems(a, b, label="pass").verdict
    'NOT DETERMINED'
    >>> gold_a = {q: "pass" for q in items[10:30]}
    >>> gold_b = {q: "pass" if q < "q15" else "fail" for q in items[10:30]}
    >>> compare_systems(a, b, label="pass", gold_a=gold_a, gold_b=gold_b).verdict
    'A BETTER'
    """
    question = read_question(
        votes_a,
        votes_b,
        label,
        golds=(gold_a, gold_b, gold),
        outputs=(outputs_a, outputs_b),
        drawing=(drawn, inclusion),
        cluster=cluster,
        target=target,
        at_least=at_least,
        method=method,
        level=level,
        names=names,
        random=random,
    )
    design = _design(question)
    too_few = _too_few(question, design)
    return _undetermined(question, too_few) if too_few else _determined(question, design)


def _design(q: Question) -> Design:
    """Return the labelled differences of open items, with the chance of each."""
    is_open = q.open_items[q.labels.rows]
    n_open = int(q.open_items.sum())
    chances = plain_chances(int(is_open.sum()), n_open)
    if q.inclusion is not None:
        chances = q.inclusion[is_open]
        check_stands_for(chances, n_open)
    labelled = Labelled(q.labels.rows[is_open], q.labels.differences[is_open], chances)
    return Design(labelled, q.open_items, q.clusters, q.target, q.level, q.random)


def _too_few(q: Question, design: Design) -> str:
    """Return why labels give no interval; empty if they do."""
    n = len(design.labelled.values)
    if not n:
        told = "" if not len(q.labels) else " on which the outputs differ"
        return f"no item{told} is labelled for both systems"
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
    """Return what logic alone allows."""
    n_open = int(q.open_items.sum())
    nothing = no_belief_line(n_open, q.pairs.n_items)
    beliefs = belief_lines(q.votes, q.pairs, q.beliefs, n_open)
    impossible = q.asked and beliefs[0].low is None
    widest = beliefs[0] if q.asked and not impossible else nothing
    a, b = q.names
    said = f"{a} - {b} is not determined by these votes: {why}"
    if impossible:
        said += f"; and no answer key leaves every judge right on {percent(q.beliefs[0])}"
    return _assembled(
        q,
        status=Status.INCONSISTENT if impossible else Status.UNDETERMINED,
        message=f"{said}.\nNOT DETERMINED: judges who favour one system look like a better system.",
        difference=None,
        low=float(widest.low or 0),
        high=float(widest.high or 0),
        verdict="NOT DETERMINED",
        rho2=None,
        method="none",
        table=(judges_line(q.pairs), nothing, *beliefs),
        warnings=_warnings(q),
    )


def _determined(q: Question, design: Design) -> SystemComparison:
    """Return what labels and judges say together."""
    alone = labels_alone(design)
    found, method, judged = with_judges(design, q.pairs, q.method)
    n_open = int(q.open_items.sum())
    verdict, because = _verdict(q, found, n_all=n_open)
    beliefs = belief_lines(q.votes, q.pairs, q.beliefs, n_open) if q.asked else ()
    lines = labels_lines(alone, found, q.labels, judged[q.labels.rows], q.names)
    return _assembled(
        q,
        status=Status.OK,
        message=f"{_headline(q, found)}\n{verdict}: {because}.",
        difference=found.estimate,
        low=found.low,
        high=found.high,
        verdict=verdict,
        rho2=_rho2(design.labelled.values, judged[design.labelled.rows]),
        method=method,
        table=(judges_line(q.pairs), *beliefs, *lines),
        warnings=(*_warnings(q), *_of_labels(q, design, method)),
    )


def _headline(q: Question, found: Difference) -> str:
    a, b = q.names
    same = "all" if len(q.labels) == q.pairs.n_items else f"{len(q.labels)}"
    return (
        f"{a} - {b} = {signed(found.estimate)}, {level_text(q.level)} interval {signed(found.low)} to "
        f"{signed(found.high)}; the same {how_many(q.pairs.n_items, 'item')}, {same} labelled for both."
    )


def _verdict(q: Question, found: Difference, *, n_all: int) -> tuple[str, str]:
    """Return the verdict and its reason; where all that can differ is labelled, nothing is left to luck."""
    discordant = q.n_discordant
    certain = q.target == "items" and int(q.open_items[q.labels.rows].sum()) == n_all
    if found.low <= 0 <= found.high:
        most = max(abs(found.low), abs(found.high))
        return "NO DIFFERENCE SHOWN", f"up to {most:.2f} either way is possible"
    if discordant < FEWEST_DISCORDANT and not certain:
        return "NOT SETTLED", (
            f"the interval leaves 0 but rests on {how_many(discordant, 'labelled difference')} "
            f"({FEWEST_DISCORDANT} needed)"
        )
    winner = q.names[0] if found.low > 0 else q.names[1]
    rests = "every item that can differ is labelled" if certain else "the labels decide this"
    return f"{winner} BETTER", f"{rests}, {how_many(discordant, 'labelled difference')}"


def _rho2(d: Any, judged: Any) -> float | None:
    if len(d) < 3 or not np.ptp(d) or not np.ptp(judged):
        return None
    return float(np.corrcoef(d, judged)[0, 1]) ** 2


def _warnings(q: Question) -> tuple[str, ...]:
    told = [*left_out(q.names, q.pairs), *q.notes]
    if q.labels.n_one_sided:
        n = how_many(q.labels.n_one_sided, "item")
        told.append(f"{n} labelled for one system only: label the other's answer too")
    at_odds = int(q.labels.differences[~q.open_items[q.labels.rows]].any())
    if at_odds:
        told.append("labels differ on identical outputs: labels are not consistent; 0 was taken")
    return tuple(told)


def _of_labels(q: Question, design: Design, method: str) -> tuple[str, ...]:
    told = []
    if len(design.labelled.values) < FEWEST_GOLD:
        told.append(f"fewer than {FEWEST_GOLD} labels are too few to use the judges")
    if q.drawn == "random":
        told.append(chosen_not_drawn(q.pairs, q.labels.rows) or "")
    return tuple(filter(None, told))


def _assembled(q: Question, **found: Any) -> SystemComparison:
    """Return the result with what is the same whatever was found."""
    labelled = np.zeros(q.pairs.n_items, bool)
    labelled[q.labels.rows] = True
    next_rows = np.flatnonzero(q.differing & ~labelled)
    return SystemComparison(
        names=q.names,
        label=q.pairs.panel_a.label,
        target=q.target,
        n_items=q.pairs.n_items,
        level=q.level,
        n_gold=len(q.labels),
        n_discordant=q.n_discordant,
        drawn=q.drawn,
        n_differing=int(q.differing.sum()),
        to_label=tuple(q.pairs.items[row] for row in next_rows.tolist()),
        **found,
    )
