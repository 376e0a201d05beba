"""The integer program behind an alarm: an order's program, under names that a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from algeval.data import Specification
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic import policy
from algeval.logic.demand import key_conditions, spelled_as
from algeval.logic.exam import Exam, order_words, read_exam, resolve_order
from algeval.logic.orders.base import Order
from algeval.logic.orders.choose import order_of
from algeval.logic.orders.full import Full
from algeval.logic.orders.layout import check_size
from algeval.logic.orders.naming import Naming, distinct
from algeval.logic.proof.shares import RowId, Rows
from algeval.logic.questions.integer_program import Constraint, IntegerProgram, Variable
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["program"]


def program(
    data: Source,
    at_least: object = 0.6,
    *,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
) -> IntegerProgram:
    """Return the integer program that is feasible exactly where an alarm of its order is silent.

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
    data = read_data(data)
    exam = read_exam(data, missing)
    spec, read = _specification(exam, at_least, key_counts, require_labels)
    asked = order_of(data, exam, resolve_order(data, order))
    check_size(asked.n_unknowns, lowest=asked.name == 1)
    variables, constraints = _written(asked, spec)
    sizes = f"{how_many(len(variables), 'unknown')} and {how_many(len(constraints), 'row')}"
    return IntegerProgram(
        status=Status.OK,
        message=f"{sizes} ({order_words(asked.name)}); feasible where some answer key allows this: "
        f"{spec.short()}.{read}",
        specification=spec,
        variables=variables,
        constraints=constraints,
        source=asked,
        **exam.echo(asked.name),
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
    """Return the program of an order under readable names; what follows from its rows is left out."""
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
        (naming.row(one), terms, equal, bound)
        for one, terms, equal, bound in _rows(shares.rows, names)
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
    for place, one in enumerate(rows.ids):
        if one[0] == "cap":
            continue
        terms: dict[int, int] = {}
        for matrix, factor in ((rows.first, rows.a[place]), (rows.second, rows.b[place])):
            part = slice(matrix.indptr[place], matrix.indptr[place + 1])
            for column, value in zip(matrix.indices[part], matrix.data[part], strict=True):
                terms[int(column)] = terms.get(int(column), 0) + factor * int(value)
        bound = rows.bound[place]
        _check_digits([*terms.values(), bound])
        shown = sorted(terms.items()) or [(0, 0)]
        yield one, tuple((names[c], k) for c, k in shown), bool(rows.equal[place]), bound


def _check_digits(numbers: Sequence[int]) -> None:
    longest = max(map(abs, numbers))
    if longest >= 10**policy.LP_DIGITS:
        raise DataError(
            f"at_least must be a fraction of at most {policy.LP_DIGITS} digits, which a file holds exactly; "
            f"got {len(str(longest))} digits; round it"
        )
