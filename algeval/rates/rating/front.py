"""`rate`: reads once, asks the ladder and the labels, and puts their answers in one table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import NOT_ANSWERED
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.rates.inputs import (
    Gold,
    as_votes,
    cluster_codes,
    exact_share,
    label_place,
    panel_of,
    read_gold,
)
from algeval.rates.ladder import Ladder, climb
from algeval.rates.rating.assembling import Question, of_labels, of_votes
from algeval.rates.rating.choosing import METHODS, Drawn
from algeval.rates.rating.drawing import ASSUMPTIONS, elsewhere_of, inclusion_of
from algeval.rates.rating.predictors import predictor_of
from algeval.rates.rating.results import RateResult

__all__ = ["rate"]


def rate(
    votes: Source | Scores,
    label: object = None,
    gold: Any = None,
    *,
    drawn: str = "random",
    target: str = "items",
    against: object = Fraction(1, 2),
    inclusion: Any = None,
    predictor: Any = None,
    cluster: Any = None,
    tie: str | None = None,
    at_least: object = None,
    level: float = 0.95,
    method: str = "auto",
    random: int = 0,
    time_limit: float | None = 20.0,
    models: bool = False,
) -> RateResult:
    """Say how often a label is the true one: from votes what they can say, from labels an interval.

    With labels the interval is theirs, narrowed by the judges as far as the labels show that the judges
    are right. Without labels there is no point and no error bar: the table says what each belief about
    the judges leaves possible, and what it takes to be wrong.

    Parameters
    ----------
    votes : Votes, Scores, Sketch, KeyedSketch, Summary, or a table of votes
        Counts alone, a sketch or a summary, will do without labels.
    label : str
        Whose rate it is, for example "pass". Scores are cut in two, and it is "1" there.
    gold : mapping, path, table, Votes or "key", optional
        True labels of some items: {item: label}, two columns, or "key" for the key of the votes.
    drawn : "random", "unequal" or "elsewhere"
        How the labelled items were chosen: every item as likely as any other; each with a known chance
        (`inclusion`); or not from these items at all, so that only the verdict's error rates can be
        carried over. Then `gold` is Votes of the same judges with a key, or labels of items among these.
    target : "items" or "population"
        The rate on these items, or on what they were drawn from.
    against : number
        The rate to compare with.
    inclusion : mapping, path, table or sequence, optional
        The chance with which each labelled item was drawn.
    predictor : str, mapping, path, table or sequence, optional
        The judges' number of an item: "verdict", "share", "score" (the mean score), a method of
        `aggregate`, or a number per item made without these labels. By default the panel's verdict.
    cluster : mapping, path, table or sequence, optional
        Which items belong together, as responses to one prompt do.
    tie : str, optional
        The label of a tie, as "tie": it counts one half, in labels and in votes. Strata count whole labels,
        so ties need method "ppi" or "wilson"; and logic speaks of whole labels, so its rows are left out.
    at_least : number, optional
        What share of its answers every judge is believed to have right.
    level : float
        Coverage of the interval.
    method : "auto", "strata", "ppi", "profile" or "wilson"
        "auto": strata of the panel's verdict; the labels alone where they are fewer than ten or fewer
        than three of a kind; clusters as the unit where the target is a population of them. "ppi"
        regresses the labels on a graded predictor. Name a method before you look.
    random : int
        Seed.
    time_limit : float or None
        Seconds for the rows without labels.
    models : bool
        Whether to fit models too, a row each. They add no evidence.

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
    draws, so that it has width zero once every item is labelled.

    Examples
    --------
    >>> judge = ["pass"] * 60 + ["fail"] * 40
    >>> votes = Votes.from_columns({"x": judge, "y": judge})
    >>> labels = {item: judge[int(item) - 1] for item in votes.items[::4]} | {"1": "fail"}
    >>> found = rate(votes, "pass", labels)
    >>> found.method, found.verdict, round(found.rate, 2), round(found.low, 2), round(found.high, 2)
    ('strata', 'open', 0.56, 0.46, 0.64)
    """
    check_choice("drawn", drawn, list(ASSUMPTIONS))
    check_choice("target", target, ["items", "population"])
    check_choice("method", method, list(METHODS))
    if tie is not None and drawn == "elsewhere":
        raise DataError(
            "tie must be left out where drawn='elsewhere': error rates are of whole labels; got both; leave "
            "one out"
        )
    scores = votes if isinstance(votes, Scores) else None
    held = _read(votes, needs_items=gold is not None)
    question = Question(
        data=held,
        label=_label_of(label, held.labels, scores),
        target=target,
        against=exact_share(against, "against"),
        level=check_number("level", level, least=0, most=1, strict=True),
        drawn=drawn,
        tie=tie,
        asked={"method": method, "predictor": _told(predictor), "at_least": _told(at_least)},
        random=random,
    )
    climbing = {"at_least": at_least, "models": models, "time_limit": time_limit}
    if gold is None:
        _check_unlabelled(question, scores, inclusion)
        return of_votes(question, _climbed(question, None, climbing))
    given = _drawn(question, scores, gold, inclusion, predictor, cluster)
    logical = scores is None and tie is None
    ladder = _climbed(question, given.plainly_drawn, climbing) if logical else None
    return of_labels(question, given, ladder, method)


def _read(votes: Source | Scores, *, needs_items: bool) -> Votes | Sketch | Summary:
    """Return the votes; where nothing is joined to items, their counts will do."""
    if isinstance(votes, Scores):
        return _cut_in_two(votes)
    found = read_data(votes, items=needs_items)
    if needs_items:
        return as_votes(found)
    return found.sketch if isinstance(found, KeyedSketch) else found


def _label_of(label: object, labels: tuple[str, ...], scores: Scores | None) -> str:
    if label is not None:
        return labels[label_place(labels, label)]
    if scores is not None:
        return "1"
    raise DataError(
        f"label must name the label whose rate is asked for; got none; choose from {list(labels)}"
    )


def _told(setting: Any) -> Any:
    """Return a setting as a result keeps it: data are not kept."""
    if setting is None or isinstance(setting, str | int | float | Fraction):
        return setting
    return "given"


def _cut_in_two(scores: Scores) -> Votes:
    """Return votes cut at each judge's middle score, whatever its scale; labels had no part in it."""
    values = scores.values
    above = values > np.nanmedian(values, axis=0, keepdims=True)
    codes = np.where(np.isnan(values), NOT_ANSWERED, above).astype(np.int16)
    known = scores.key_kind == "class" and set(scores.key or ()) <= {"0", "1", None}
    key = scores.cut(0).key if known else None
    return Votes(scores.items, scores.judges, ("0", "1"), ("0", "1"), codes, key)


def _check_unlabelled(question: Question, scores: Scores | None, inclusion: Any) -> None:
    if scores is not None:
        raise DataError(
            "scores say nothing of a rate without labels; got no gold; pass gold=, or cut them into votes "
            "with read_votes(data, cut=x)"
        )
    if question.tie is not None:
        raise DataError(
            f"tie says what labels are worth; got tie={question.tie!r} and no gold; pass gold=, or ask for "
            "the rate of each label"
        )
    if inclusion is not None or question.drawn != "random":
        raise DataError(
            f"drawn and inclusion are about labels; got drawn={question.drawn!r} and no gold; pass gold="
        )


def _climbed(question: Question, gold: Gold | None, climbing: dict[str, Any]) -> Ladder:
    return climb(
        question.data,
        question.label,
        against=question.against,
        gold=gold,
        target=question.target,
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
    votes = question.votes
    panel = panel_of(votes, question.label, question.tie)
    elsewhere = None
    if question.drawn == "elsewhere":
        elsewhere, labels = elsewhere_of(gold, votes, question.label)
    else:
        labels = read_gold(gold, votes, question.label, tie=question.tie)
    return Drawn(
        gold=labels,
        panel=panel,
        predictor=predictor_of(predictor, votes, panel, scores),
        target=question.target,
        level=question.level,
        random=question.random,
        clusters=None if cluster is None else cluster_codes(cluster, votes.items),
        inclusion=inclusion_of(inclusion, labels, votes, question.drawn),
        elsewhere=elsewhere,
    )
