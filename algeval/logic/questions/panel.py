"""How many judges must fall short, and the largest panel that might not."""

from __future__ import annotations

from dataclasses import replace

from algeval.data import Specification
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.demand import read_specification, spelled_as
from algeval.logic.exam import Data, Exam, order_words, orders_down_from, read_exam
from algeval.logic.orders.base import Order, certified, refuted
from algeval.logic.orders.choose import order_of
from algeval.logic.orders.order1 import Order1
from algeval.logic.policy import STEP_SHARE
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Outcome
from algeval.logic.questions.conflicts import PanelFound, search
from algeval.logic.questions.panel_closed import largest_panel
from algeval.logic.questions.steps import highest_that_fits
from algeval.logic.results import Panel
from algeval.progress import within
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["decide_panel", "panel"]


def panel(
    data: Source,
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
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label, or a whole specification.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports. What lower
        orders prove holds there too, and is taken where it is more.
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
    data = read_data(data)
    clock = Clock(time_limit)
    exam = read_exam(data, missing)
    spec = Specification.of(at_least, require_labels=require_labels)
    if spec.min_judges is not None:
        raise DataError(
            f"a panel must be asked for without min_judges; got {spec.min_judges}; leave it out, the "
            "panel is the answer to how many"
        )
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    asked = highest_that_fits(data, exam, order, clock)
    with within("finding how many judges must fall short", time_limit):
        found, proved_by = _best(data, asked, spec, clock)
    exact = found.violators + len(found.panel) == exam.n_judges
    witness = refutation = None
    if found.witness is not None:
        at_least_these = spec.by_at_least(len(found.panel))
        witness = certified(asked, at_least_these, Outcome(witness=found.witness))
    if found.violators and found.evidence is not None:
        one_more = spec.by_at_least(exam.n_judges - found.violators + 1)
        refutation = refuted(proved_by, one_more, found.evidence)
    return Panel(
        status=_status(clock, asked.name, exact=exact, late=found.late),
        message=_sentence(exam, spec, found, asked.name, exact=exact) + read,
        specification=spec,
        min_violators=found.violators,
        largest_panel=tuple(exam.judges[i] for i in found.panel),
        exact=exact,
        certificate=refutation,
        witness=witness,
        failing=tuple(exam.judges[i] for i in found.failing),
        pairwise=tuple((exam.judges[i], exam.judges[j]) for i, j in found.pairs),
        time_limit=time_limit,
        **exam.echo(asked.name),
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
    """Return the largest panel at one order."""
    if isinstance(order, Order1) and read_specification(order.exam, spec).simple:
        return largest_panel(order, spec, clock)
    return search(order, spec, clock, enough=enough)


def _best(data: Data, order: Order, spec: Specification, clock: Clock) -> tuple[PanelFound, Order]:
    """Return the largest panel at an order, and the order that proves how many fall short.

    Where an order leaves something open, each lower one is asked whether it proves more.
    """
    part = clock.part() if order.name == 1 else clock.part(share=STEP_SHARE)
    found, proved_by = _find(order, spec, part), order
    n_judges = order.exam.n_judges
    for name in orders_down_from(data, order.name)[1:]:
        if found.violators + len(found.panel) == n_judges:
            break
        lower = order_of(data, order.exam, name)
        more = _find(lower, spec, clock.part() if name == 1 else clock.part(share=STEP_SHARE))
        if more.violators > found.violators:
            kept = replace(found, violators=more.violators, evidence=more.evidence)
            found, proved_by = kept, lower
    return found, proved_by


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
        who = "the one judge" if n == 1 else f"all {n} judges"
        return f"Some answer key lets {who} meet this: {words}."
    fall = how_many(n, "judge falls", "judges fall")
    text = f"At least {found.violators} of {fall} short of this: {words}."
    found_panel = f"The largest panel found that may not has {how_many(size, 'judge')}."
    return text if exact else f"{text} {found_panel}"
