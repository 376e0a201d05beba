"""Majority vote: what most judges say, with every tie in sight."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.aggregate.votes import vote_counts, vote_shares
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, Counts
from algeval.data.settings import check_choice, check_number
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.result.wording import how_many

__all__ = ["evaluate_by_majority", "graded_against", "majority", "predict", "smoothed_shares"]

RULES = ("plurality", "majority")
TIES = ("undecided", "first", "random")


def majority(
    data: Votes | Sketch | KeyedSketch,
    *,
    rule: str = "plurality",
    ties: str = "undecided",
    seed: int | None = None,
    smoothing: float = 1.0,
) -> Aggregation:
    """Give each item the label most judges gave it.

    Use it as the reference every model must beat. As an estimate of the judges it assumes that the
    majority is right; judges that err together make each other look good. An item a judge did not
    answer, and an answer that is no label, count as no vote for any label.

    Parameters
    ----------
    data : Votes, Sketch or KeyedSketch
    rule : "plurality" or "majority"
        "plurality": the label with most votes; "majority": only if more than half of the answers
        given to the item, refusals and the like included, are that label.
    ties : "undecided", "first" or "random"
        What to do when labels share the first place: leave the item without a label, take the
        first in label order, or draw one (items with the same decision tuple get the same draw).
        An item nobody gave a label stays undecided.
    seed : int, optional
        Needed by, and only for, ties="random".
    smoothing : float
        Votes shared evenly among the labels before shares are taken, so that a label nobody voted
        for is unlikely, not impossible. 0 gives plain shares, whose log loss is endless where all
        judges are wrong together.

    Returns
    -------
    Aggregation
        `posterior` holds smoothed vote shares (uniform where nobody voted for a label), whatever
        `ties` says: (votes + smoothing / R) / (all votes + smoothing). `evaluation` holds each judge
        against the majority labels, undecided items left out (`evaluate_by_majority` gives it in
        fractions). Status ok always.

    Raises
    ------
    DataError
        If a setting is not one of its choices, or no item could be decided.

    Notes
    -----
    The evaluation is (S1)-(S8) of Algebraic Evaluation, for any number of judges and labels.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> float(majority(s).evaluation.accuracy("k", "b"))
    1.0
    """
    _check(rule, ties, seed)
    smoothing = check_number("smoothing", smoothing, least=0.0)
    read = read_patterns(data)
    sketch = read.sketch
    votes = vote_counts(sketch)
    decisions = _choose(votes, _answered(sketch), rule, ties, seed)
    undecided = int(sketch.counts[decisions == NOT_ANSWERED].sum())
    evaluation = None
    if undecided < sketch.n_items:
        evaluation = graded_against(sketch, decisions).to_floats()
    decided = sketch.n_items - undecided
    message = (
        f"Majority vote ({rule}) of {how_many(sketch.n_judges, 'judge')} labels {decided} of "
        f"{how_many(sketch.n_items, 'item')}; {undecided} are undecided."
    )
    return assemble(
        read,
        method="majority",
        settings={"rule": rule, "ties": ties, "seed": seed, "smoothing": smoothing},
        message=message,
        posterior=smoothed_shares(votes, smoothing),
        evaluation=evaluation,
        decisions=decisions,
        warnings=_warnings(read, votes, ties),
    )


def evaluate_by_majority(
    data: Source,
    *,
    rule: str = "plurality",
    ties: str = "undecided",
    seed: int | None = None,
) -> Evaluation:
    """Return the judges graded against the majority labels, in exact fractions.

    Parameters, rules and the items left out are those of `majority`.

    Raises
    ------
    DataError
        If every item is undecided.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> evaluate_by_majority(s).accuracy("j", "a")
    Fraction(5, 7)
    """
    _check(rule, ties, seed)
    sketch = read_patterns(data).sketch
    decisions = _choose(vote_counts(sketch), _answered(sketch), rule, ties, seed)
    if (decisions == NOT_ANSWERED).all():
        raise DataError(
            "some item must have a majority label to grade judges against; got none; "
            "use more judges or ties='first'"
        )
    return graded_against(sketch, decisions)


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return the smoothed vote shares of other decision tuples, (rows, R)."""
    counts = [(codes == place).sum(1) for place in range(len(result.labels))]
    return smoothed_shares(np.stack(counts, axis=1), float(result.settings.get("smoothing", 0.0)))


def smoothed_shares(votes: NDArray[np.integer] | Floats, smoothing: float = 1.0) -> Floats:
    """Return (rows, R): each label's share of the votes and of `smoothing` more, spread evenly."""
    if not smoothing:
        return vote_shares(votes)
    total = votes.sum(axis=1, keepdims=True) + smoothing
    result: Floats = (votes + smoothing / votes.shape[1]) / total
    return result


def _answered(sketch: Sketch) -> NDArray[np.integer]:
    answered: NDArray[np.integer] = (sketch.codes != NOT_ANSWERED).sum(1)
    return answered


def _choose(
    votes: Counts, answered: NDArray[np.integer], rule: str, ties: str, seed: int | None
) -> Codes:
    top = votes.max(1)
    first = votes == top[:, None]
    choice = first.argmax(1)
    tied = first.sum(1) > 1
    if ties == "random":
        luck = np.random.default_rng(seed).random(votes.shape)
        choice = np.where(first, luck, -1.0).argmax(1)
    open_ = (top == 0) | (tied & (ties == "undecided"))
    if rule == "majority":
        open_ |= 2 * top <= answered
    return np.where(open_, NOT_ANSWERED, choice).astype(np.int16)


def graded_against(sketch: Sketch, decisions: Codes) -> Evaluation:
    """Return the exact evaluation that takes the decisions for the truth."""
    keyed = np.zeros((len(sketch), sketch.n_labels), np.int64)
    decided = decisions != NOT_ANSWERED
    keyed[decided, decisions[decided]] = sketch.counts[decided]
    kept = Sketch(*sketch.axes, sketch.codes[decided], sketch.counts[decided])
    return KeyedSketch(kept, keyed[decided]).evaluation()


def _warnings(read: Patterns, votes: Counts, ties: str) -> tuple[str, ...]:
    sketch = read.sketch
    top = votes == votes.max(1, keepdims=True)
    silent = int(sketch.counts[votes.sum(1) == 0].sum())
    tied = int(sketch.counts[(top.sum(1) > 1) & (votes.sum(1) > 0)].sum())
    missing = int(sketch.missing.sum())
    odd = int(((sketch.codes >= sketch.n_labels).sum(1) * sketch.counts).sum())
    handled = {"undecided": "left undecided", "first": "given the first label in label order"}
    end = handled.get(ties, "settled by a seeded draw")
    told = {
        f"{how_many(tied, 'item is', 'items are')} tied and {end}.": tied,
        f"{how_many(silent, 'item')} got no vote for any label.": silent,
        f"{how_many(missing, 'vote is', 'votes are')} missing and left out.": missing,
        f"{how_many(odd, 'answer is', 'answers are')} no label and left out.": odd,
    }
    return tuple(sentence for sentence, count in told.items() if count)


def _check(rule: str, ties: str, seed: int | None) -> None:
    check_choice("rule", rule, RULES)
    check_choice("ties", ties, TIES)
    if (ties == "random") != (seed is not None):
        raise DataError(
            f"seed must be given with ties='random' and only then; got seed={seed!r} with "
            f"ties={ties!r}; pass a whole number or leave it out"
        )
