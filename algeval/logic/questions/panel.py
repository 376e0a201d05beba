"""How many judges must fall short, and the largest panel that might not."""

from __future__ import annotations

from dataclasses import replace

from algeval.data import Specification
from algeval.errors import DataError
from algeval.logic.demand import read_specification
from algeval.logic.exam import Data, Exam, order_words, read_exam, resolve_order
from algeval.logic.orders.base import Order, certified, refuted
from algeval.logic.orders.choose import order_of
from algeval.logic.orders.order1 import Order1
from algeval.logic.policy import ORDER_1_SECONDS
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Outcome
from algeval.logic.questions.conflicts import PanelFound, search
from algeval.logic.questions.panel_closed import largest_panel
from algeval.logic.results import Panel
from algeval.result import Status

__all__ = ["decide_panel", "panel"]


def panel(
    data: Data,
    at_least: object = 0.6,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = 60.0,
) -> Panel:
    """Return how many judges must fall short of a specification, whatever the answer key.

    Use it after an alarm: it says how many judges the alarm is about, and which judges could all
    be as good as asked.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
        What the judges answered; a key is never read.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label, or a whole specification.
    order : int, "full" or None
        How many judges' joint answers to use. None is order 1, which needs no search with two
        labels; orders 2 and "full" can only show that more judges fall short.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float or None
        Seconds after which what is proved so far is returned; None for no limit.

    Returns
    -------
    Panel
        Status `ok` when `min_violators` and the largest panel add up to all judges; otherwise
        both stand, but may be improved: `time_limit`, `too_large` (order 1: the proof would need
        too many cases) or `undetermined` (other orders: some group of judges was not settled).

    Raises
    ------
    DataError
        If the data, the order or the specification breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    Two labels: every judge allows an interval of answer keys, and the largest panel is the depth of
    the intervals. More labels: an integer program, proved by conflicts and a blame tree. Orders 2
    and full: pairs of judges first, then whatever stands in the way of the largest panel they leave.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> three = {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    >>> panel(Summary.from_counts(three), at_least=1).min_violators
    2
    """
    exam = read_exam(data, missing)
    spec = Specification.of(at_least, require_labels=require_labels)
    if spec.min_judges is not None:
        raise DataError(
            f"a panel must be asked for without min_judges; got {spec.min_judges}; leave it out, the "
            "panel is the answer to how many"
        )
    spec.check_names(exam.judges, exam.labels)
    resolved = resolve_order(data, order)
    clock = Clock(time_limit)
    asked = order_of(data, exam, resolved)
    found = _find(asked, spec, clock)
    exact = found.violators + len(found.panel) == exam.n_judges
    witness = refutation = None
    if found.witness is not None:
        at_least_these = spec.by_at_least(len(found.panel))
        witness = certified(asked, at_least_these, Outcome(witness=found.witness))
    if found.violators and found.evidence is not None:
        one_more = spec.by_at_least(exam.n_judges - found.violators + 1)
        refutation = refuted(asked, one_more, found.evidence)
    return Panel(
        status=_status(clock, resolved, exact=exact, late=found.late),
        message=_sentence(exam, spec, found, resolved, exact=exact),
        specification=spec,
        min_violators=found.violators,
        largest_panel=tuple(exam.judges[i] for i in found.panel),
        exact=exact,
        certificate=refutation,
        witness=witness,
        failing=tuple(exam.judges[i] for i in found.failing),
        pairwise=tuple((exam.judges[i], exam.judges[j]) for i, j in found.pairs),
        time_limit=time_limit,
        **exam.echo(resolved),
    )


def decide_panel(order: Order, spec: Specification, clock: Clock) -> Outcome:
    """Settle whether at least `spec.min_judges` judges can meet the conditions together."""
    n_judges = order.exam.n_judges
    needed = spec.min_judges or n_judges
    found = _find(order, Specification(spec.conditions), clock, enough=needed)
    if len(found.panel) >= needed and found.witness is not None:
        return Outcome(witness=found.witness)
    if found.violators >= n_judges - needed + 1 and found.evidence is not None:
        return Outcome(refutation=found.evidence)
    return Outcome()


def _find(
    order: Order, spec: Specification, clock: Clock, *, enough: int | None = None
) -> PanelFound:
    """Return the largest panel; of an order that left something open, at least what order 1 proves."""
    if isinstance(order, Order1):
        if read_specification(order.exam, spec).simple:
            return largest_panel(order, spec, clock)
        return search(order, spec, clock)[0]
    found, complete = search(order, spec, clock, enough=enough)
    if complete:
        return found
    first = _find(Order1(order.exam), spec, Clock(ORDER_1_SECONDS))
    listed = () if first.evidence is None else first.evidence.get("conflicts", ())
    holds = order.name == 2 or all(c["evidence"]["kind"] == "cap" for c in listed)
    if first.violators > found.violators and holds:
        return replace(found, violators=first.violators, evidence=first.evidence)
    return found


def _status(clock: Clock, order: int | str, *, exact: bool, late: bool) -> Status:
    if exact and not late:
        return Status.OK
    if clock.over or late:
        return Status.TIME_LIMIT
    return Status.TOO_LARGE if order == 1 else Status.UNDETERMINED


def _sentence(
    exam: Exam, spec: Specification, found: PanelFound, order: int | str, *, exact: bool
) -> str:
    n, size, words = exam.n_judges, len(found.panel), f"{spec.short()} ({order_words(order)})"
    if found.violators == 0 and exact:
        return f"Some answer key lets all {n} judges meet this: {words}."
    text = f"At least {found.violators} of {n} judges fall short of this: {words}."
    return text if exact else f"{text} The largest panel found that may not has {size} judges."
