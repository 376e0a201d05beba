"""How many judges must fall short, and the largest panel that might not."""

from __future__ import annotations

from algeval.data import Specification
from algeval.errors import DataError
from algeval.logic.demand import System, read_specification, select_exam, system_of
from algeval.logic.exam import Data, Exam, order_words, read_exam, resolve_order
from algeval.logic.orders.find_key import find_key
from algeval.logic.orders.full import sketch_of
from algeval.logic.orders.order1 import decide, witness_of
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.questions.panel_joint import JointPanel, find_joint_panel
from algeval.logic.questions.panel_order1 import (
    PanelFound,
    find_panel,
    pairwise_conflicts,
    restricted,
)
from algeval.logic.results import Panel
from algeval.result import Status

__all__ = ["panel"]


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
    if resolved == 1:
        found = _order1(exam, spec, clock)
    else:
        found = find_joint_panel(sketch_of(data), exam, spec, resolved, clock)
    exact = found.violators + len(found.panel) == exam.n_judges
    return Panel(
        status=_status(clock, resolved, exact=exact),
        message=_sentence(exam, spec, found, resolved, exact=exact),
        specification=spec,
        min_violators=found.violators,
        largest_panel=tuple(exam.judges[i] for i in found.panel),
        exact=exact,
        certificate=_refutation(exam, spec, found, resolved),
        witness=found.witness,
        failing=tuple(exam.judges[i] for i in found.failing),
        pairwise=tuple((exam.judges[i], exam.judges[j]) for i, j in found.pairs),
        time_limit=time_limit,
        **exam.echo(resolved),
    )


def _status(clock: Clock, order: int | str, *, exact: bool) -> Status:
    if exact:
        return Status.OK
    if clock.over:
        return Status.TIME_LIMIT
    return Status.TOO_LARGE if order == 1 else Status.UNDETERMINED


def _order1(exam: Exam, spec: Specification, clock: Clock) -> JointPanel:
    found = find_panel(exam, spec, clock)
    failing, pairs = _small_conflicts(exam, spec, clock)
    witness = _witness(exam, spec, found)
    return JointPanel(
        found.panel, witness, found.violators, found.evidence, tuple(failing), tuple(pairs)
    )


def _sentence(
    exam: Exam, spec: Specification, found: JointPanel, order: int | str, *, exact: bool
) -> str:
    n, size, words = exam.n_judges, len(found.panel), f"{spec.short()} ({order_words(order)})"
    if found.violators == 0 and exact:
        return f"Some answer key lets all {n} judges meet this: {words}."
    text = f"At least {found.violators} of {n} judges fall short of this: {words}."
    return text if exact else f"{text} The largest panel found that may not has {size} judges."


def _refutation(
    exam: Exam, spec: Specification, found: JointPanel, order: int | str
) -> Certificate | None:
    if found.violators == 0 or found.evidence is None:
        return None
    asked = spec.by_at_least(exam.n_judges - found.violators + 1)
    stated = claim(exam.digest, order, exam.rule, asked, possible=False)
    return Certificate(stated, found.evidence)


def _witness(exam: Exam, spec: Specification, found: PanelFound) -> Certificate | None:
    if not found.panel or found.tables is None:
        return None
    names = tuple(exam.judges[i] for i in found.panel)
    asked = spec.by_at_least(len(names))
    return witness_of(exam, asked, found.key, found.tables, judges=names)


def _small_conflicts(
    exam: Exam, spec: Specification, clock: Clock
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the judges that fail alone, and the pairs of others that cannot both succeed."""
    asked = read_specification(exam, spec)
    everyone = range(exam.n_judges)
    if asked.simple:
        system: System = system_of(exam, asked)
        able = [i for i in everyone if find_key(system.select([i]), clock).key is not None]
        failing = [i for i in everyone if i not in able]
        return failing, pairwise_conflicts(system, able)
    failing = [i for i in everyone if _impossible(exam, spec, [i], clock)]
    able = [i for i in everyone if i not in failing]
    pairs = [(i, j) for i in able for j in able if i < j and _impossible(exam, spec, [i, j], clock)]
    return failing, pairs


def _impossible(exam: Exam, spec: Specification, group: list[int], clock: Clock) -> bool:
    decision = decide(select_exam(exam, group), restricted(spec, exam, group), clock)
    return decision.certificate is not None and not decision.possible
