"""The threshold: the highest accuracy all judges could reach on every label at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.data import Sketch
from algeval.logic.demand import Frame, frame_of
from algeval.logic.exam import Data, Exam, order_words, read_exam, resolve_order
from algeval.logic.orders.full import bracket_full, sketch_of
from algeval.logic.orders.order1 import decide, witness_of
from algeval.logic.orders.order1_tables import best_tables
from algeval.logic.orders.order1_threshold import Bracket, at_level, bracket
from algeval.logic.orders.pairs_threshold import PairBracket, bracket_pairs
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate
from algeval.logic.questions.keys import keys_admitted
from algeval.logic.results import Threshold
from algeval.result import Status, format_exact

__all__ = ["threshold"]

SHOWN_KEYS = 20


def threshold(
    data: Data,
    *,
    order: int | str | None = None,
    exact: bool = False,
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
    data : Votes, Sketch, KeyedSketch or Summary
        What the judges answered; a key is never read.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    exact : bool
        Ask for the exact threshold where only a bracket comes cheaply. At order 1 it is always
        exact.
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
    The threshold of paper 003, figure 7, in closed form: Jefferson's apportionment of Q items to
    the labels by the smallest counts. The 45% and 46% printed there are wrong; it is 2/3.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> found = threshold(Summary.from_counts(grades))
    >>> found.lower, found.answer_keys
    (Fraction(2, 3), ((6, 15, 4),))
    """
    exam = read_exam(data, missing)
    resolved = resolve_order(data, order, full=True)
    frame = frame_of(exam, require_labels=require_labels, key_counts=key_counts)
    clock = Clock(time_limit)
    found = bracket(exam, frame.low, frame.high, clock)
    if found is None:
        parts = _Parts(Status.INCONSISTENT, _NO_KEY, Bracket(Fraction(0), Fraction(0), ()))
    elif resolved == 2:
        first = _certify(exam, frame, found, clock, 1)
        parts = _pairs(sketch_of(data), exam, frame, first, clock, exact=exact)
    elif resolved == "full":
        parts = _full(sketch_of(data), exam, frame, clock, exact=exact)
    else:
        parts = _certify(exam, frame, found, clock, resolved)
    return Threshold(
        status=parts.status,
        message=parts.message,
        lower=parts.bracket.lower,
        upper=parts.bracket.upper,
        exact=found is not None and parts.bracket.lower == parts.bracket.upper,
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
    message: str
    bracket: Bracket
    witness: Certificate | None = None
    refutation: Certificate | None = None
    key_count: int | None = None
    answer_keys: tuple[tuple[int, ...], ...] = ()
    relaxation: Fraction | None = None


def _full(sketch: Sketch, exam: Exam, frame: Frame, clock: Clock, *, exact: bool) -> _Parts:
    found = bracket_full(sketch, exam, frame, clock, exact=exact)
    ends = Bracket(found.lower, found.upper, found.answer_keys[0])
    return _Parts(
        Status.TIME_LIMIT if found.timed_out else Status.OK,
        _sentence(ends, "full"),
        ends,
        found.witness,
        found.refutation,
        found.key_count,
        found.answer_keys,
        found.relaxation,
    )


def _pairs(
    sketch: Sketch, exam: Exam, frame: Frame, first: _Parts, clock: Clock, *, exact: bool
) -> _Parts:
    order1 = PairBracket(first.bracket.lower, first.bracket.upper, refutation=first.refutation)
    found = bracket_pairs(sketch, exam, frame, order1, clock, exact=exact)
    ends = Bracket(max(found.lower, Fraction(0)), found.upper, found.key)
    late = Status.TIME_LIMIT if clock.over else Status.UNDETERMINED
    done = found.exact or (found.witness is not None and not exact and not clock.over)
    return _Parts(
        Status.OK if done else late,
        _sentence(ends, 2),
        ends,
        found.witness,
        found.refutation,
        None,
        (found.key,) if found.key else (),
    )


def _certify(exam: Exam, frame: Frame, found: Bracket, clock: Clock, order: int | str) -> _Parts:
    system = at_level(exam, found.lower, frame.low, frame.high)
    spec = frame.specification(found.lower, strict=False)
    witness = witness_of(exam, spec, found.key, best_tables(exam, system, found.key))
    refutation = None
    if found.upper < 1:
        above = frame.specification(found.upper, strict=True)
        refutation = decide(exam, above, Clock(clock.left)).certificate
        if refutation is None or refutation.verdict != "impossible":
            refutation, found = None, Bracket(found.lower, Fraction(1), found.key)
    count, keys = keys_admitted(at_level(exam, found.lower, frame.low, frame.high), SHOWN_KEYS)
    done = found.lower == found.upper
    late = Status.TIME_LIMIT if clock.over else Status.UNDETERMINED
    return _Parts(
        Status.OK if done else late,
        _sentence(found, order),
        found,
        witness,
        refutation,
        count,
        keys,
    )


def _sentence(found: Bracket, order: int | str) -> str:
    if found.lower == found.upper == 1:
        return f"Some answer key allows every judge to be always right on every label ({order_words(order)})."
    if found.lower == found.upper:
        return (
            f"No answer key lets every judge be more than {format_exact(found.lower)} accurate on "
            f"every label, and some answer key allows just that ({order_words(order)})."
        )
    return (
        f"Some answer key lets every judge be at least {format_exact(found.lower)} accurate on every "
        f"label, none more than {format_exact(found.upper)} ({order_words(order)})."
    )
