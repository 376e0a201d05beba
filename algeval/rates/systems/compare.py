"""Two systems compared: from labels a verdict, from votes alone none."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.rates.inputs.pairs import left_out
from algeval.rates.intervals.paired import Difference
from algeval.rates.intervals.paired_regression import Labelled
from algeval.rates.policy import FEWEST_CLUSTERS, FEWEST_DISCORDANT, FEWEST_GOLD
from algeval.rates.systems.believed import belief_lines
from algeval.rates.systems.drawing import check_stands_for, chosen_not_drawn, plain_chances
from algeval.rates.systems.estimates import Design, labels_alone, with_judges
from algeval.rates.systems.lines import judges_line, labels_lines, no_belief_line
from algeval.rates.systems.question import Question
from algeval.rates.systems.result import SystemComparison, signed
from algeval.result import Status
from algeval.result.wording import how_many, level_text

__all__ = ["compare_two"]


def compare_two(question: Question) -> SystemComparison:
    """Return the comparison: determined where labels do, and what logic allows elsewhere."""
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
    nothing = no_belief_line(n_open, q.pairs.n_items, q.target)
    beliefs, proofs = belief_lines(q)
    asked = q.at_least is not None
    impossible = asked and beliefs[0].low is None
    widest = beliefs[0] if asked and not impossible else nothing
    a, b = q.names
    said = f"{a} - {b} is not determined by these votes: {why}"
    if impossible:
        said += f"; and no answer keys leave it possible that {beliefs[0].assumption}"
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
        certificates=proofs,
        warnings=_warnings(q),
    )


def _determined(q: Question, design: Design) -> SystemComparison:
    """Return what labels and judges say together."""
    alone = labels_alone(design)
    found, method, judged = with_judges(design, q.pairs, q.method)
    n_open = int(q.open_items.sum())
    verdict, because = _verdict(q, found, n_all=n_open)
    beliefs, proofs = belief_lines(q) if q.at_least is not None else ((), {})
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
        certificates=proofs,
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
