"""A standard as whole numbers, rows and bounds: written to a file, and solved by any solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from algeval.data import Evaluation, Specification
from algeval.logic.exam import order_words
from algeval.logic.orders.base import Order, certified
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.outcome import Outcome
from algeval.logic.proof.program import Program, Row, satisfied
from algeval.logic.proof.solver import as_problem, ended
from algeval.logic.results import LogicResult
from algeval.result import Status
from algeval.result.base import Record
from algeval.result.files import whole_file
from algeval.result.tables import Table, scalars

__all__ = ["Constraint", "IntegerProgram", "ProgramSolution", "Variable"]


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
        place = {variable.name: n for n, variable in enumerate(self.variables)}
        rows = [
            Row((c.name,), {place[name]: k for name, k in c.terms}, c.equal, c.bound)
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

    def solve(self, solver: Any = None) -> ProgramSolution:
        """Ask a solver, and map its point back to an evaluation.

        Parameters
        ----------
        solver : PuLP solver, optional
            Such as ``pulp.COIN_CMD(msg=False)``, which is CBC; by default HiGHS.
        """
        import pulp

        asked = pulp.HiGHS(msg=False) if solver is None else solver
        problem, unknowns = self._problem()
        has_point, finished = ended(problem, problem.solve(asked))
        values = [unknown.value() for unknown in unknowns] if has_point else []
        certificate = self._witness(values)
        feasible = True if certificate else (False if finished and not has_point else None)
        name = str(getattr(asked, "name", type(asked).__name__))
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
        """Return a point as a witness, if rounded it meets every row exactly."""
        known = [round(value) for value in values if value is not None]
        if len(known) != len(self.variables) or not satisfied(self._program(), known):
            return None
        shares = np.array(known, np.int64).reshape(-1, self.source.exam.n_labels)
        outcome = Outcome(witness=self.source.witness(shares))
        return certified(self.source, self.specification, outcome)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per constraint, a row per variable, and the settings."""
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
