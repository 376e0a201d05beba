"""Whether all judges can be as good as is asked: `alarm`, `check`, `program`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from algeval.data import Evaluation, Specification
from algeval.data.reading import Data
from algeval.door import reads
from algeval.errors import DataError, ImpossibleError, parameter
from algeval.logic import policy
from algeval.logic.exam import (
    Exam,
    frame_of,
    hard_words,
    key_conditions,
    order_words,
    read_exam,
    resolve_order,
    spelled_as,
    standard,
)
from algeval.logic.orders.base import (
    Naming,
    Order,
    Rounding,
    certified,
    decide,
    distinct,
)
from algeval.logic.orders.full import Full
from algeval.logic.proof import (
    Certificate,
    Clock,
    Evidence,
    Outcome,
    Program,
    Row,
    RowId,
    Rows,
    as_problem,
    ended,
    question_clock,
    satisfied,
)
from algeval.logic.questions.asking import answer, order_of
from algeval.logic.questions.panel import decide_panel
from algeval.logic.questions.threshold import Bracket
from algeval.logic.results import Alarm, LogicResult
from algeval.progress import within
from algeval.result import Status, format_exact
from algeval.result.base import Record, with_reading
from algeval.result.files import whole_file
from algeval.result.numbers import how_many
from algeval.result.tables import Table, scalars

# --- A standard as whole numbers, rows and bounds: written to a file, and solved by any solver.


@dataclass(frozen=True, slots=True)
class Variable(Record):
    """An unknown whole number: how many items of one true label got some answers.

    Attributes
    ----------
    name : str
    low, high : int
        Its bounds.
    """

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Constraint(Record):
    """A row: a sum of whole numbers times variables is `bound`, or at least `bound`.

    Attributes
    ----------
    name : str
    terms : tuple of (name of a variable, int)
    equal : bool
    bound : int
    """

    name: str
    terms: tuple[tuple[str, int], ...]
    equal: bool
    bound: int

    def __str__(self) -> str:
        terms = " ".join(
            f"{'-' if k < 0 else '+'} {'' if abs(k) == 1 else f'{abs(k)} '}{name}"
            for name, k in self.terms
        )
        return f"{self.name}: {terms.removeprefix('+ ')} {'=' if self.equal else '>='} {self.bound}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProgramSolution(LogicResult):
    """What a solver says about the program.

    Attributes
    ----------
    feasible : bool or None
        True: its point was rounded and meets every row exactly. False: the solver says that there is
        none, which is no proof. None: it did not come to an end, or its point fails.
    certificate : Certificate or None
        The point as a witness that `verify` checks.
    solver : str
        Who solved it.
    """

    schema: ClassVar[str] = "algeval.program-solution/1"

    specification: Specification
    feasible: bool | None
    certificate: Certificate | None
    solver: str

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation that the point shows."""
        return self._evaluation(self.certificate)

    @property
    def meaning(self) -> str:
        """What the answer does not mean."""
        if self.feasible:
            return "That some answer key would do says nothing of the true one."
        return "A solver's word is no proof; that of `alarm` can be checked by hand."

    def as_tables(self) -> tuple[Table, ...]:
        """Return one row, and what the judges' accuracies are at the point found."""
        return self._with(self.certificate)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntegerProgram(LogicResult):
    """Whether some answer key meets a standard, as whole numbers, rows and bounds.

    Attributes
    ----------
    specification : Specification
        What is asked, the answer key included where its counts are given.
    variables : tuple of Variable
        `Q_a`: items whose true label is a. `R_x_b_true_a`: those of them that judge x answered with b.
    constraints : tuple of Constraint
        `items`, `observed_...`: what was counted. `simplex_...`, `margin_...`: tables add up.
        `asked_...`: the standard.
    """

    schema: ClassVar[str] = "algeval.program/1"

    specification: Specification
    variables: tuple[Variable, ...]
    constraints: tuple[Constraint, ...]
    source: Order = field(repr=False)

    @property
    def meaning(self) -> str:
        """What the program does not mean."""
        return (
            "Feasible: some answer key meets the standard. Infeasible: none does, at this order; a "
            "higher one may exclude more."
        )

    @property
    def problem(self) -> Any:
        """PuLP's LpProblem, made anew: change it and solve it as you like."""
        return self._problem()[0]

    def _program(self) -> Program:
        index = {variable.name: n for n, variable in enumerate(self.variables)}
        rows = [
            Row((c.name,), {index[name]: k for name, k in c.terms}, c.equal, c.bound)
            for c in self.constraints
        ]
        return Program(rows, [v.low for v in self.variables], [v.high for v in self.variables])

    def _problem(self) -> tuple[Any, list[Any]]:
        return as_problem(
            self._program(),
            objective={0: 0},
            names=[variable.name for variable in self.variables],
            row_names=[constraint.name for constraint in self.constraints],
            title="algeval",
        )

    def write_lp(self, path: str | PathLike[str]) -> None:
        """Write the program in the LP format, which nearly every solver reads."""
        with whole_file(path) as beside:
            self.problem.writeLP(str(beside))

    def write_mps(self, path: str | PathLike[str]) -> None:
        """Write the program in the MPS format, for solvers that do not read the LP format."""
        with whole_file(path) as beside:
            self.problem.writeMPS(str(beside))

    def solve(self, solver: Any = None) -> ProgramSolution:
        """Ask a solver, and map its point back to an evaluation.

        Parameters
        ----------
        solver : name or PuLP solver, optional
            Name of one that ``pulp.listSolvers(onlyAvailable=True)`` lists, or such as
            ``pulp.COIN_CMD(msg=False)``, which is CBC; by default HiGHS.

        Raises
        ------
        DataError
            If PuLP has no solver of this name here.
        """
        import pulp

        wanted = pulp.HiGHS(msg=False) if solver is None else solver
        if isinstance(wanted, str):
            present = pulp.listSolvers(onlyAvailable=True)
            if wanted not in present:
                raise DataError(
                    f"{parameter('solver')} must be a solver that PuLP has here; got {wanted!r}; "
                    f"choose from {present}"
                )
            wanted = pulp.getSolver(wanted, msg=False)
        problem, unknowns = self._problem()
        has_point, finished = ended(problem, problem.solve(wanted))
        values = [unknown.value() for unknown in unknowns] if has_point else []
        certificate = self._witness(values)
        feasible = True if certificate else (False if finished and not has_point else None)
        name = str(getattr(wanted, "name", type(wanted).__name__))
        return ProgramSolution(
            status=Status.UNDETERMINED if feasible is None else Status.OK,
            message=_told(feasible, name, self.specification, self.order),
            specification=self.specification,
            feasible=feasible,
            certificate=certificate,
            solver=name,
            **self.source.exam.echo(self.order),
        )

    def _witness(self, values: Sequence[float | None]) -> Certificate | None:
        """Point as a witness, if rounded it meets every row exactly."""
        present = [round(value) for value in values if value is not None]
        if len(present) != len(self.variables) or not satisfied(self._program(), present):
            return None
        shares = np.array(present, np.int64).reshape(-1, self.source.exam.n_labels)
        outcome = Outcome(witness=self.source.witness(shares))
        return certified(self.source, self.specification, outcome)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per constraint, a row per variable, and the settings."""
        rows = [(c.name, str(c).partition(": ")[2]) for c in self.constraints]
        bounds = [(v.name, v.low, v.high) for v in self.variables]
        return (
            Table.of_rows("Constraints", ("name", "constraint"), rows),
            Table.of_rows("Variables", ("name", "low", "high"), bounds),
            scalars(self),
        )


def _told(feasible: bool | None, solver: str, spec: Specification, order: int | str) -> str:
    if feasible is None:
        return f"{solver} came to no end that stands ({order_words(order)}): {spec.short()}."
    if feasible:
        return f"{solver} found an answer key that allows this, checked exactly: {spec.short()}."
    return f"{solver} says that no answer key allows this ({order_words(order)}): {spec.short()}."


# --- The integer program behind an alarm: an order's program, under names that a person reads.


@reads
def program(
    data: Data,
    at_least: object = 0.6,
    *,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
) -> IntegerProgram:
    """Integer program that is feasible exactly where an alarm of its order is not raised.

    Use it to solve an alarm again with a solver of your own, to write it to a file, or to add rows.
    `alarm` itself needs no program at order 1, and proves what it says; this is a check on it.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : number, text or Specification
        The accuracy asked of every judge on every label, or a whole specification. 2/3 as "2/3": the
        rows hold whole numbers only.
    order : 1, 2 or "full"
        Each judge alone, every pair, or all judges together.
    key_counts : (R,) ints, optional
        How many items have each true label, where that is known.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.

    Raises
    ------
    DataError
        If the data, the order or the specification breaks a rule, or a number is too long for a file.
    TooLargeError
        If the program would have too many unknowns.

    Notes
    -----
    No-Knowledge Alarms, equations (12), (13), (16) and (17), and the standard as one row per judge and
    label: with accuracy p/q asked, q times the correct answers are at least p times the items held to.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = Summary.from_counts({"x": {"a": 5, "b": 3}, "y": {"a": 4, "b": 4}})
    >>> print(program(grades, "2/3").constraints[-1])
    asked_1_y_b: - 2 Q_b + 3 R_y_b_true_b >= 0
    """
    exam = read_exam(data, missing)
    spec, read = _specification(exam, at_least, key_counts, require_labels)
    chosen = order_of(data, exam, resolve_order(data, order))
    chosen.check_size()
    variables, constraints = _written(chosen, spec)
    sizes = f"{how_many(len(variables), 'unknown')} and {how_many(len(constraints), 'row')}"
    return IntegerProgram(
        status=Status.OK,
        message=f"{sizes} ({order_words(chosen.name)}); feasible where some answer key allows this: "
        f"{spec.short()}.{read}",
        specification=spec,
        variables=variables,
        constraints=constraints,
        source=chosen,
        **exam.echo(chosen.name),
    )


def _specification(
    exam: Exam, at_least: object, key_counts: Sequence[int] | None, require_labels: bool
) -> tuple[Specification, str]:
    spec = Specification.of(at_least, require_labels=require_labels)
    if spec.min_judges is not None:
        raise DataError(
            "a program must be asked for without min_judges; got a specification with it; leave it out"
        )
    for condition in [] if key_counts is None else key_conditions(exam, key_counts):
        spec = spec & condition
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    return spec, read


def _written(
    order: Order, spec: Specification
) -> tuple[tuple[Variable, ...], tuple[Constraint, ...]]:
    """Program of an order under readable names; what follows from its rows is left out."""
    layout, shares = order.layout, order.program(spec)
    naming = Naming(order.exam, order.sketch.codes.tolist() if isinstance(order, Full) else ())
    labels = order.exam.n_labels
    names = naming.unknowns(layout.forms, labels)
    ends = zip(names, shares.low.ravel().tolist(), shares.high.ravel().tolist(), strict=True)
    totals = [
        (name, tuple((v, 1) for v in names[p * labels : (p + 1) * labels]), True, int(total))
        for p, (name, total) in enumerate(
            zip(naming.totals(layout.forms), layout.totals.tolist(), strict=True)
        )
    ]
    rows = [
        (naming.row(entry), terms, equal, bound)
        for entry, terms, equal, bound in _rows(shares.rows, names)
    ]
    called = distinct([row[0] for row in chain(totals, rows)])
    return (
        tuple(Variable(*end) for end in ends),
        tuple(Constraint(name, *row[1:]) for name, row in zip(called, totals + rows, strict=True)),
    )


def _rows(
    rows: Rows, names: Sequence[str]
) -> Iterator[tuple[RowId, tuple[tuple[str, int], ...], bool, int]]:
    """Yield the id of each row, its terms by name, whether it is an equation, and its bound.

    Label caps follow from the other rows for whole numbers, so they are left to the solver.
    """
    for index, entry in enumerate(rows.ids):
        if entry[0] == "cap":
            continue
        terms: dict[int, int] = {}
        for matrix, factor in ((rows.first, rows.a[index]), (rows.second, rows.b[index])):
            part = slice(matrix.indptr[index], matrix.indptr[index + 1])
            for column, value in zip(matrix.indices[part], matrix.data[part], strict=True):
                terms[int(column)] = terms.get(int(column), 0) + factor * int(value)
        bound = rows.bound[index]
        _check_digits([*terms.values(), bound])
        shown = sorted(terms.items()) or [(0, 0)]
        yield entry, tuple((names[c], k) for c, k in shown), bool(rows.equal[index]), bound


def _check_digits(numbers: Sequence[int]) -> None:
    longest = max(map(abs, numbers))
    if longest >= 10**policy.LP_DIGITS:
        raise DataError(
            f"at_least must be a fraction of at most {policy.LP_DIGITS} digits, which a file holds exactly; "
            f"got {len(str(longest))} digits; round it"
        )


# --- The no-knowledge alarm: say whether the votes alone prove that a specification fails.


@reads
def alarm(
    data: Data,
    at_least: object = 0.6,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    specification: Specification | None = None,
    time_limit: float | None = None,
) -> Alarm:
    """Whether any answer key at all lets the judges meet a specification.

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
        Seconds after which an answer still open is left open. By default work is counted, a minute or two of
        it, so that the answer is the same on any machine; `math.inf` for no limit.

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
    clock = question_clock(time_limit)
    exam = read_exam(data, missing)
    spec = Specification.of(standard(at_least, specification), require_labels=require_labels)
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)

    brackets: list[Bracket] = []

    def ask(chosen: Order, part: Clock) -> Outcome:
        if spec.min_judges is not None:
            return decide_panel(chosen, spec, part)
        return decide(chosen, spec, part, rounding=_as_threshold(chosen, spec, brackets))

    with within("looking for an answer key that allows this", time_limit):
        outcome = answer(data, exam, order, clock, ask)
    possible = outcome.outcome.possible
    status = Status.OK
    if possible is None:
        late = clock.out_of_time or not outcome.order.in_time(clock)
        status = Status.TIME_LIMIT if late else Status.UNDETERMINED
    triggered = None if possible is None else not possible
    why = _why_open(exam, outcome.order, spec, brackets) if possible is None else ""
    shown = outcome.order.name if order is None else resolve_order(data, order)
    result = Alarm(
        status=status,
        message=_sentence(triggered, spec, outcome.order.name) + why + outcome.note + read,
        triggered=triggered,
        specification=spec,
        certificate=certified(outcome.order, spec, outcome.outcome),
        time_limit=time_limit,
        **exam.echo(shown),
    )
    return with_reading(result, data)


def _as_threshold(
    order: Order, spec: Specification, brackets: list[Bracket] | None = None
) -> Rounding | None:
    """Search for a witness that `threshold` makes, where its question is the same.

    brackets : gets the bracket it makes
    """
    level = Specification(spec.conditions[:1]).level
    if level is None or order.name == 1:
        return None
    x, strict = level
    for require_labels in (False, True):
        frame = frame_of(order.exam, require_labels=require_labels, key_counts=None)
        if frame.specification(x, strict=strict) == spec:
            break
    else:
        return None

    def witness(clock: Clock) -> Evidence | None:
        bracket = Bracket(order, frame, clock)
        if brackets is not None:
            brackets.append(bracket)
        shares = bracket.reach(x, strict=strict)
        return None if shares is None else order.witness(shares)

    return witness


def _why_open(exam: Exam, order: Order, spec: Specification, brackets: Sequence[Bracket]) -> str:
    """Why an alarm was left open, and between which levels the threshold is proved to lie."""
    level = Specification(spec.conditions[:1]).level
    bracket = next((b for b in brackets if b.order is order), None)
    if level is None or bracket is None:
        return hard_words(exam, order.name)
    bound = bracket.relaxation
    why = hard_words(exam, order.name, "The level", None if bound is None else (level[0], bound))
    if bracket.lower < 0:
        return why
    low, high = format_exact(bracket.lower), format_exact(bracket.upper)
    return (
        f" Some answer key lets every judge reach {low}, none lets every judge exceed {high}.{why}"
    )


def _sentence(triggered: bool | None, spec: Specification, order: int | str) -> str:
    if triggered is None:
        return f"Open: could not settle within the limits whether this can hold: {spec.short()}."
    if triggered:
        return f"Alarm: no answer key whatever allows this: {spec.short()} ({order_words(order)})."
    return f"No alarm: some answer key allows this: {spec.short()} ({order_words(order)})."


# --- Check a specification in a pipeline: silence returns, impossibility raises.


@reads
def check(
    data: Data,
    at_least: object = None,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = None,
    specification: object = None,
) -> Alarm:
    """Raise `ImpossibleError` if no answer key lets the judges meet a specification.

    Use it in a test of a pipeline, beside the asserts on everything else: the error is an
    `AssertionError`, and its message is the verdict in one sentence. It needs no answer key.
    Passing shows nothing but that the votes do not contradict the specification.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : text, number or Specification
        Such as ``"accuracy >= 0.6"``; a number is asked of every judge on every label.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float, optional
        Seconds after which an answer still open counts as not solved.
    specification : optional
        The former name of `at_least`; deprecated.

    Returns
    -------
    Alarm
        The silent alarm, with a witness: one answer key and evaluation that meet the specification.

    Raises
    ------
    ImpossibleError
        If the specification is impossible; `error.alarm.certificate` proves it.
    NotSolvedError
        If it could not be settled within the limits: a guard must not pass what it did not check.
    DataError
        If the data, the order or the specification breaks a rule.

    Notes
    -----
    No-Knowledge Alarms, section III.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> judges = Sketch.from_counts({"aa": 6, "bb": 3, "ab": 1}, judges=["first", "second"])
    >>> check(judges, "accuracy >= 0.6").triggered
    False
    """
    spec = Specification.of(standard(at_least, specification), require_labels=require_labels)
    result = alarm.core(data, spec, order=order, missing=missing, time_limit=time_limit)
    if result.triggered:
        raise ImpossibleError(result.message, result)
    return result.raise_for_status()
