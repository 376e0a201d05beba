"""The threshold: the highest accuracy all judges could reach on every label at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.io.sources import Source, read_data
from algeval.logic.demand import Frame, frame_of
from algeval.logic.exam import order_words, read_exam, resolve_order
from algeval.logic.orders.base import Order, certified, decide, refuted
from algeval.logic.orders.choose import order_of
from algeval.logic.orders.full import Full
from algeval.logic.orders.highest import Highest, at_level, highest
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.tables import tables_in_time
from algeval.logic.policy import (
    CLOSED_CELLS,
    CLOSING_SECONDS,
    KEY_SECONDS,
    MOST_CELLS_FOR_KEYS,
    MOST_ITEMS_FOR_KEYS,
    SHOWN_KEYS,
)
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.tree import keys_meeting
from algeval.logic.questions.bracket import Bracket
from algeval.logic.questions.keys import keys_admitted
from algeval.logic.results import Threshold
from algeval.progress import within
from algeval.result import Status, format_exact

__all__ = ["threshold"]


def threshold(
    data: Source,
    *,
    order: int | str | None = None,
    exact: bool | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    key_counts: Sequence[int] | None = None,
    time_limit: float | None = 60.0,
) -> Threshold:
    """Return the highest x for which some answer key lets every judge reach x on every label.

    An alarm set above it goes off, an alarm at it does not. Use it when no level is given: it says
    how high the worst accuracy could be, whatever the truth.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    exact : bool or None
        Search on for the exact threshold where only a bracket comes cheaply, or leave the bracket. None
        searches on for a few seconds where few different tuples of answers occur. At order 1 it is
        always exact.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    key_counts : (R,) ints, optional
        Only answer keys with these many items of each label.
    time_limit : float or None
        Seconds after which the bracket reached is returned; None for no limit.

    Returns
    -------
    Threshold
        Status `ok` (orders 2 and full: for a bracket as well, unless `exact` was asked for);
        `time_limit` or `undetermined` where lower < upper; `inconsistent` where no answer key is of
        the kind asked for.

    Raises
    ------
    DataError
        If the data or the order breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    The threshold of No-Knowledge Alarms, figure 7, in closed form: Jefferson's apportionment of Q items to
    the labels by the smallest counts. The 45% and 46% printed there are wrong; it is 2/3.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> found = threshold(Summary.from_counts(grades))
    >>> found.lower, found.answer_keys
    (Fraction(2, 3), ((6, 15, 4),))
    """
    data = read_data(data)
    clock = Clock(time_limit)
    exam = read_exam(data, missing)
    resolved = resolve_order(data, order)
    frame = frame_of(exam, require_labels=require_labels, key_counts=key_counts)
    first = Order1(exam)
    with within("finding the highest accuracy all judges can have", time_limit):
        found = highest(exam, frame.low, frame.high, clock)
        if found is None:
            parts = _Parts(Status.INCONSISTENT, Fraction(0), Fraction(0))
        elif resolved == 1:
            parts = _certified(first, frame, found, clock)
        else:
            asked = order_of(data, exam, resolved)
            parts = _closed_in(asked, first, frame, found, clock, exact=exact)
    return Threshold(
        status=parts.status,
        message=_NO_KEY if found is None else _sentence(parts.lower, parts.upper, resolved),
        lower=parts.lower,
        upper=parts.upper,
        exact=found is not None and parts.lower == parts.upper,
        witness=parts.witness,
        refutation=parts.refutation,
        key_count=parts.key_count,
        answer_keys=parts.answer_keys,
        relaxation=parts.relaxation,
        require_labels=require_labels,
        time_limit=time_limit,
        **exam.echo(resolved),
    )


_NO_KEY = (
    "No answer key is of the kind asked for: every label must occur, or the counts do not fit."
)


@dataclass(frozen=True, slots=True)
class _Parts:
    status: Status
    lower: Fraction
    upper: Fraction
    witness: Certificate | None = None
    refutation: Certificate | None = None
    key_count: int | None = None
    answer_keys: tuple[tuple[int, ...], ...] = ()
    relaxation: Fraction | None = None


def _certified(order: Order1, frame: Frame, found: Highest, clock: Clock) -> _Parts:
    """Return the threshold of order 1, which is known, with its proofs."""
    exam = order.exam
    system = at_level(exam, found.lower, frame.low, frame.high)
    spec = frame.specification(found.lower, strict=False)
    tables = tables_in_time(exam, system, found.key, clock)
    lower = found.lower if tables is not None else Fraction(0)  # a level without a witness is none
    shown = None if tables is None else order.at_key(found.key, tables)
    upper, evidence = _refuted_above(order, frame, found, clock)
    refutation = None
    if evidence is not None:
        refutation = refuted(order, frame.specification(upper, strict=True), evidence)
    count, keys = keys_admitted(system, SHOWN_KEYS, clock)
    late = Status.TIME_LIMIT if clock.over else Status.UNDETERMINED
    return _Parts(
        Status.OK if lower == upper else late,
        lower,
        upper,
        certified(order, spec, Outcome(witness=shown)),
        refutation,
        count,
        keys,
    )


def _refuted_above(
    order: Order1, frame: Frame, found: Highest, clock: Clock
) -> tuple[Fraction, Evidence | None]:
    """Return the upper end of order 1 and its proof; 1 where there is none."""
    if found.upper >= 1 or clock.over:
        return Fraction(1), None
    above = frame.specification(found.upper, strict=True)
    evidence = decide(order, above, Clock(clock.left)).refutation
    return (Fraction(1) if evidence is None else found.upper), evidence


def _closed_in(
    order: Order, first: Order1, frame: Frame, found: Highest, clock: Clock, *, exact: bool | None
) -> _Parts:
    """Return the bracket of an order, from that of order 1, which it never exceeds."""
    upper, evidence = _refuted_above(first, frame, found, clock)
    holds = evidence is not None and (order.name == 2 or evidence["kind"] == "cap")
    ends = Bracket(order, frame, clock)
    ends.run(upper, evidence if holds else None)
    unasked = exact is None and order.layout.totals.size * order.exam.n_labels <= CLOSED_CELLS
    ends.close(clock.part(CLOSING_SECONDS) if unasked else clock, exact=exact or unasked)
    witness = refutation = None
    if ends.shares is not None:
        spec = frame.specification(ends.lower, strict=False)
        witness = certified(order, spec, Outcome(witness=order.witness(ends.shares)))
    if evidence is not None and upper < ends.upper:  # nothing of this order proves as much
        ends.upper = upper
        refutation = refuted(first, frame.specification(upper, strict=True), evidence)
    elif ends.refutation is not None and ends.upper < 1:
        spec = frame.specification(ends.upper, strict=True)
        refutation = refuted(order, spec, ends.refutation)
    count, keys = _keys(order, frame, ends, clock)
    return _Parts(
        _status(ends, clock, exact=bool(exact)),
        max(ends.lower, Fraction(0)),
        ends.upper,
        witness,
        refutation,
        count,
        keys,
        ends.relaxation,
    )


def _status(ends: Bracket, clock: Clock, *, exact: bool) -> Status:
    """Return `ok` for a bracket too, unless an exact answer was asked for."""
    over = not (ends.narrow or ends.order.in_time(clock))
    if ends.closed or (ends.shares is not None and not exact and not over):
        return Status.OK
    late = over or ends.order.name == "full"
    return Status.TIME_LIMIT if late else Status.UNDETERMINED


def _keys(
    order: Order, frame: Frame, ends: Bracket, clock: Clock
) -> tuple[int | None, tuple[tuple[int, ...], ...]]:
    """Return how many answer keys attain an exact threshold, and which, where that is cheap."""
    known = () if ends.shares is None else (tuple(ends.shares[0].tolist()),)
    small = order.layout.totals.size * order.exam.n_labels <= MOST_CELLS_FOR_KEYS
    if not (
        isinstance(order, Full)
        and ends.closed
        and small
        and order.exam.n_items <= MOST_ITEMS_FOR_KEYS
    ):
        return None, known
    program = ends.program(ends.lower)
    keys = keys_meeting(program, Clock(KEY_SECONDS), most=order.nodes[1], near=order.near)
    return (None, known) if keys is None else (len(keys), tuple(keys[:SHOWN_KEYS]))


def _sentence(lower: Fraction, upper: Fraction, order: int | str) -> str:
    words = order_words(order)
    if lower == upper == 1:
        return f"Some answer key allows every judge to be always right on every label ({words})."
    if lower == upper:
        return (
            f"No answer key lets every judge be more than {format_exact(lower)} accurate on "
            f"every label, and some answer key allows just that ({words})."
        )
    return (
        f"Some answer key lets every judge be at least {format_exact(lower)} accurate on every "
        f"label, none more than {format_exact(upper)} ({words})."
    )
