"""The one module that talks to solvers: what it returns is a proposal, never a proof.

Small programs with named rows go to HiGHS through PuLP (`propose_integers`). The two that are built
as sparse arrays, `least_violation` and `whole_point`, call the same HiGHS through SciPy: PuLP hands
out neither duals of HiGHS as arrays nor a way to pass a matrix, and writing 10^5 terms as PuLP
expressions costs more than solving them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.logic.proof.program import Program, Row

__all__ = [
    "Proposal",
    "Violation",
    "as_problem",
    "ended",
    "least_violation",
    "propose_integers",
    "whole_point",
]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an integer solver says: values if it found some, and whether it finished."""

    values: list[int] | None
    finished: bool


def propose_integers(
    program: Program,
    *,
    objective: Mapping[int, float] | None = None,
    integers: Sequence[int] | None = None,
    time_limit: float | None = None,
) -> Proposal:
    """Ask HiGHS (through PuLP) for a whole-number point that maximises the objective.

    Columns left out of `integers` are continuous there; every value comes back rounded.
    """
    import pulp

    if any(_cannot_hold(row) for row in program.rows):
        return Proposal(None, True)
    rows = [row for row in program.rows if row.terms]
    problem, unknowns = as_problem(
        replace(program, rows=rows),
        objective=objective or {},
        whole=None if integers is None else set(integers),
    )
    status = problem.solve(pulp.HiGHS(msg=False, timeLimit=time_limit, gapRel=0))
    found, finished = ended(problem, status)
    values = [unknown.value() for unknown in unknowns]
    if not found or any(value is None for value in values):
        return Proposal(None, finished)
    return Proposal([round(value) for value in values], finished)


def _cannot_hold(row: Row) -> bool:
    return not row.terms and (row.bound > 0 or (row.equality and row.bound != 0))


def as_problem(
    program: Program,
    *,
    objective: Mapping[int, float],
    whole: set[int] | None = None,
    names: Sequence[str] | None = None,
    row_names: Sequence[str] | None = None,
    title: str = "proposal",
) -> tuple[Any, list[Any]]:
    """Return a program as PuLP's problem to be maximised, and its unknowns in order.

    Columns left out of `whole` are continuous; by default all are whole numbers. No row may be empty.
    """
    import pulp

    problem = pulp.LpProblem(title, pulp.LpMaximize)
    make = getattr(problem, "add_variable", pulp.LpVariable)  # PuLP before 3.3 has no add_variable
    form_of = getattr(pulp.LpAffineExpression, "from_list", pulp.LpAffineExpression)  # 4 has it
    called = [f"v{j}" for j in range(program.n_columns)] if names is None else names
    unknowns = [
        make(name, low, high, pulp.LpInteger if whole is None or j in whole else pulp.LpContinuous)
        for j, (name, low, high) in enumerate(
            zip(called, program.lower, program.upper, strict=True)
        )
    ]
    problem += form_of([(unknowns[j], c) for j, c in objective.items()])
    told = row_names if row_names is not None else [None] * len(program.rows)
    for row, name in zip(program.rows, told, strict=True):
        form = form_of([(unknowns[j], float(c)) for j, c in row.terms.items()])
        bound = float(row.bound)
        problem += (form == bound if row.equality else form >= bound), name
    return problem, unknowns


def ended(problem: Any, status: Any) -> tuple[bool, bool]:
    """Return whether PuLP has a point, and whether the search came to its end."""
    import pulp

    if hasattr(status, "has_solution"):  # PuLP 4, whose statuses have the numbers of PuLP 3
        return status.has_solution, status.status in (_PULP_OPTIMAL, _PULP_INFEASIBLE)
    found = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
    return found, status == _PULP_INFEASIBLE or problem.sol_status == pulp.LpSolutionOptimal


_PULP_OPTIMAL, _PULP_INFEASIBLE = 1, -1


@dataclass(frozen=True, slots=True)
class Violation:
    """The least s by which all rows can be missed at once, the duals, and the point."""

    amount: float
    multipliers: NDArray[np.float64]
    equal_multipliers: NDArray[np.float64]
    point: NDArray[np.float64]


def least_violation(
    rows: Any,
    bound: NDArray[Any],
    box: tuple[NDArray[Any], NDArray[Any]],
    *,
    equal: tuple[Any, NDArray[Any]] | None = None,
    time_limit: float | None = None,
    method: str = "highs-ds",
    surplus: float = 1.0,
) -> Violation | None:
    """Minimise s such that rows v + s >= bound, with v in a box and equalities met exactly.

    Parameters
    ----------
    rows : (M, n) sparse array
    bound : (M,) array
    box : two (n,) arrays
        Bounds of the unknowns.
    equal : (K, n) sparse array and (K,) array, optional
    time_limit : float, optional
        Seconds.
    method : "highs-ds" or "highs-ipm"
    surplus : float
        How far s may go below zero.

    None when the equalities cannot be met, or the solver gave up.
    """
    from scipy import optimize, sparse

    sp: Any = sparse
    linprog: Any = optimize.linprog
    m, n = rows.shape
    options = {} if equal is None else {"A_eq": _widened(equal[0]), "b_eq": equal[1]}
    low, high = (
        np.append(np.asarray(part, float), end)
        for part, end in zip(box, (-surplus, np.inf), strict=True)
    )
    solved = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=-sp.hstack([rows, sp.csr_array(np.ones((m, 1)))]).tocsr(),
        b_ub=-bound,
        bounds=np.column_stack([low, high]),
        method=method,
        options={} if time_limit is None else {"time_limit": max(time_limit, 0.01)},
        **options,
    )
    if solved.status != 0:
        return None
    return Violation(
        float(solved.fun),
        np.maximum(-solved.ineqlin.marginals, 0),
        np.asarray(solved.eqlin.marginals, float),
        np.asarray(solved.x[:-1], float),
    )


def _widened(matrix: Any) -> Any:
    from scipy import sparse

    sp: Any = sparse
    return sp.hstack([matrix, sp.csr_array((matrix.shape[0], 1))]).tocsr()


def whole_point(
    rows: Sequence[tuple[Any, Any, Any]],
    box: tuple[NDArray[Any], NDArray[Any]],
    *,
    whole: NDArray[Any] | None = None,
    objective: NDArray[Any] | None = None,
    time_limit: float | None = None,
) -> tuple[NDArray[np.float64] | None, bool]:
    """Ask HiGHS for a whole-number point of low <= matrix v <= high, v in a box.

    Parameters
    ----------
    rows : sequence of (matrix, low, high)
    box : two (n,) arrays
    whole : (n,) bool array, optional
        Which unknowns are whole numbers; default all.
    objective : (n,) array, optional
        What to maximise.

    Returns the point, or None, and whether the solver came to an end (None and True: it found
    the program infeasible).
    """
    from scipy import optimize

    solver: Any = optimize.milp
    n = len(box[0])
    solved = solver(
        np.zeros(n) if objective is None else -objective,
        integrality=np.ones(n) if whole is None else whole.astype(float),
        bounds=optimize.Bounds(*box),
        constraints=[optimize.LinearConstraint(*part) for part in rows],
        options={"mip_rel_gap": 0}
        | ({} if time_limit is None else {"time_limit": max(time_limit, 0.01)}),
    )
    if solved.x is None:
        return None, solved.status == _SCIPY_INFEASIBLE
    return np.asarray(solved.x, float), solved.status == 0


_SCIPY_INFEASIBLE = 2
