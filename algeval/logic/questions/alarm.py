"""The no-knowledge alarm: say whether the votes alone prove that a specification fails."""

from __future__ import annotations

from algeval.data import Specification
from algeval.io.sources import Source, read_data
from algeval.logic.demand import spelled_as, standard
from algeval.logic.exam import order_words, read_exam, resolve_order
from algeval.logic.orders.base import Order, certified, decide
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Outcome
from algeval.logic.questions.panel import decide_panel
from algeval.logic.questions.steps import answer
from algeval.logic.results import Alarm
from algeval.progress import within
from algeval.result import Status

__all__ = ["alarm"]


def alarm(
    data: Source,
    at_least: object = 0.6,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    specification: Specification | None = None,
    time_limit: float | None = 60.0,
) -> Alarm:
    """Say whether any answer key at all lets the judges meet a specification.

    Use it as a smoke detector: it needs no answer key and assumes nothing about the judges, so
    when it goes off something is wrong for certain. When it is silent nothing has been shown.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label, or a whole specification.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports, or a lower one
        where that is left open (the result says which). A named order is answered by a lower one
        only where that refutes, which holds at every higher order too.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    specification : Specification, optional
        The former name of `at_least`; deprecated.
    time_limit : float or None
        Seconds after which an answer still open is left open; None for no limit.

    Returns
    -------
    Alarm
        `triggered` is True, False or None; `certificate` proves it. Status `ok`, or `time_limit`
        or `undetermined` where it is None.

    Raises
    ------
    DataError
        If the data, the order or the specification breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    No-Knowledge Alarms, section III; the closed form is Jefferson's apportionment.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> alarm(Summary.from_counts(grades), at_least=0.67).triggered
    True
    """
    data = read_data(data)
    clock = Clock(time_limit)
    exam = read_exam(data, missing)
    spec = Specification.of(standard(at_least, specification), require_labels=require_labels)
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)

    def ask(asked: Order, part: Clock) -> Outcome:
        return (decide if spec.min_judges is None else decide_panel)(asked, spec, part)

    with within("looking for an answer key that allows this", time_limit):
        found = answer(data, exam, order, clock, ask)
    possible = found.outcome.possible
    status = Status.OK
    if possible is None:
        late = not found.order.in_time(clock)
        status = Status.TIME_LIMIT if late else Status.UNDETERMINED
    triggered = None if possible is None else not possible
    shown = found.order.name if order is None else resolve_order(data, order)
    return Alarm(
        status=status,
        message=_sentence(triggered, spec, found.order.name) + found.note + read,
        triggered=triggered,
        specification=spec,
        certificate=certified(found.order, spec, found.outcome),
        time_limit=time_limit,
        **exam.echo(shown),
    )


def _sentence(triggered: bool | None, spec: Specification, order: int | str) -> str:
    if triggered is None:
        return f"Open: could not settle within the limits whether this can hold: {spec.short()}."
    if triggered:
        return f"Alarm: no answer key whatever allows this: {spec.short()} ({order_words(order)})."
    return f"No alarm: some answer key allows this: {spec.short()} ({order_words(order)})."
