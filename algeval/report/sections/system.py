"""How often a label is the true one: what a report says of the system that the judges judge."""

from __future__ import annotations

import re
from typing import Any

from algeval.data import Scores, Votes
from algeval.rates.rating import RateResult, rate
from algeval.rates.rating.page import answer, table_of, votes_decide
from algeval.report.parts import Section, Table
from algeval.result import percent
from algeval.result.wording import how_many

__all__ = ["TITLE", "proofs_of", "system_line", "system_section"]

TITLE = "What this says about the system"
_PASSES = frozenset({"1", "accept", "correct", "good", "pass", "passed", "true", "yes"})
_MOST_LABELS = 6
_WORDS = ("you must believe", "fails if")
_MOST_LETTERS = 100


def system_section(
    data: Votes | Scores,
    arguments: str,
    *,
    label: object = None,
    gold: Any = None,
    time_limit: float | None = 10.0,
) -> Section:
    """Return the section: the table of a rate, or, as no label is chosen unasked, how to ask.

    Parameters
    ----------
    data : Votes or Scores
        A key takes part only as `gold="key"`.
    arguments : str
        How the data are named on the command line; empty in Python.
    label : str, optional
        Whose rate is asked for.
    gold : mapping, path, table or "key", optional
        True labels of items drawn at random.
    time_limit : float, seconds
        For the rows without labels.
    """
    if label is None and gold is None:
        return Section(title=TITLE, lines=(_to_ask(data, arguments),))
    found = rate(data, label, gold, time_limit=time_limit)
    return Section(
        title=TITLE,
        lines=(
            f"{answer(found)}.",
            found.message,
            *votes_decide(found),
            *_of_key(data, gold, arguments),
            *found.remarks,
            *(f"Note: {warning}." for warning in found.warnings),
        ),
        tables=(_table(found, without=_WORDS[:1]),),
        page_tables=(_table(found),),
        caveat=found.meaning,
        results={"rate": found},
    )


def _to_ask(data: Votes | Scores, arguments: str) -> str:
    """Return what a rate would tell, and the command."""
    if isinstance(data, Scores):
        call = "ae.rate(scores, gold=labels)"
        if arguments:
            call = f"algeval rate {arguments} --gold LABELS"
        return f"How often an item passes is told by labels of some items, and scores sharpen it: {call}"
    named = _passing(data)
    choices = ", ".join(data.labels[:_MOST_LABELS]) + ", ..." * (len(data.labels) > _MOST_LABELS)
    one_of = "" if named else f" (LABEL is one of {choices})"
    label = named or "LABEL"
    call = (
        f"algeval rate {arguments} --label {label}" if arguments else f'ae.rate(votes, "{label}")'
    )
    return (
        "How often a label is the true one, so how often a system passes, and which beliefs or true labels "
        f"would settle it: {call}{one_of}"
    )


def _passing(data: Votes) -> str:
    """Return the one label that is named like a pass and can be typed as it is; nothing else."""
    found = [label for label in data.labels if label.lower() in _PASSES]
    return found[0] if len(found) == 1 else ""


def _of_key(data: Votes | Scores, gold: Any, arguments: str) -> tuple[str, ...]:
    """Return what part the key of the votes had: none, unless it was named as the labels."""
    known = 0 if data.key is None else sum(truth is not None for truth in data.key)
    asks = "--gold key" if arguments else 'gold="key"'
    if not known:
        return ()
    among = f"{known} of {data.n_items} items"
    if not _is_key(gold):
        return (f"The key of {among} had no part in this; with {asks} its labels are the labels.",)
    told = f"The labels are those of the key ({asks}): {among}, taken as drawn at random."
    if known < data.n_items:
        return (told,)
    counted = (
        "All items are labelled: the rate is counted, and the rows above the labels show what "
    )
    return (told, f"{counted}would have been said without them.")


def _is_key(gold: Any) -> bool:
    return isinstance(gold, str) and gold == "key"


def _table(found: RateResult, without: tuple[str, ...] = ()) -> Table:
    head, rows = table_of(found)
    kept = [place for place, name in enumerate(head) if name not in without]
    return Table(
        columns=tuple(head[place] for place in kept),
        rows=tuple(tuple(row[place].strip() for place in kept) for row in rows),
        words=tuple(name for name in _WORDS if name not in without),
    )


def system_line(section: Section) -> tuple[str, ...]:
    """Return the line for the first screen, if a rate was asked for."""
    found = section.results.get("rate")
    if found is None:
        return ()
    told = answer(found)
    more = f" ({how_many(found.n_gold, 'label')})." if found.n_gold else f"{_decided(found)}."
    return (told[:_MOST_LETTERS] if len(told + more) > _MOST_LETTERS else told + more,)


def _decided(found: RateResult) -> str:
    """Return which belief has a side, where one has."""
    if found.winner is None or found.conclusion_threshold is None:
        return ""
    side = f"{found.winner} {percent(found.against)}"
    return f"; {side} if all judges are right on over {percent(found.conclusion_threshold)}"


def proofs_of(section: Section) -> dict[str, Any]:
    """Return the certificates of the section's rows, under names of files."""
    found = section.results.get("rate")
    if found is None:
        return {}
    return {
        f"system-{place}-{re.sub('[^a-z0-9]+', '-', name.lower()).strip('-')}": proof
        for place, (name, proof) in enumerate(found.certificates.items(), 1)
    }
