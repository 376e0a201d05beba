"""The members of the consistent set: list them, and say of one why it is in or out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import ClassVar

from algeval.data import KeyedSketch
from algeval.data.reading import Data
from algeval.data.settings import check_choice
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.logic.consistent.by_program import members_by_program
from algeval.logic.consistent.cells import Cells, PairTable, Rows, Tables, read_rows
from algeval.logic.consistent.counting import count_consistent
from algeval.logic.consistent.listing import Listing
from algeval.logic.consistent.membership import Member, extend, project, violations
from algeval.logic.consistent.pairs import join, pair_tables
from algeval.logic.consistent.tables import Key, Table, tables_at
from algeval.logic.policy import MOST_PROGRAMS
from algeval.logic.results import LogicResult, Point
from algeval.result import Status
from algeval.result.tables import Table as Grid
from algeval.result.tables import scalars
from algeval.result.wording import how_many

__all__ = ["MemberSet", "Membership", "is_consistent", "members"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemberSet(Listing[Tables | Cells]):
    """The tables consistent with the votes, enumerated lazily.

    Iterating yields `Tables` (orders 1 and 2) or `Cells` (full order), lexicographically descending:
    answer-key counts first, then the judges' tables, then the pairs'.
    As long as `count`, up to Python's `sys.maxsize`; true when there is one.

    Attributes
    ----------
    count : int
        How many there are.
    key_counts : tuple of int or None
        The answer key asked for; None means all of the Q-complex.
    engine : "lattice" or "pulp"
        How they are found.
    """

    schema: ClassVar[str] = "algeval.members/1"


def members(
    data: Source,
    *,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    engine: str = "lattice",
    missing: str = "excluded",
) -> MemberSet:
    """List every table that could lie behind the votes, lazily and in a stable order.

    `evaluations` lists R-space points; this lists the whole tables that the points are a shadow of.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : 1, 2 or "full"
        Each judge alone, every pair, or all judges together (the number of judges means "full").
    key_counts : (R,) ints, optional
        One answer key; all of them if left out.
    engine : "lattice" or "pulp"
        Row by row, or an integer program solved once per member, each cut off in turn (small exams).
    missing : "excluded" or "wrong"
        Echoed; it does not change which tables there are.

    Raises
    ------
    DataError
        If the data, the order, the key or the engine breaks a rule.
    TooLargeError
        If counting, or joining pairs, or solving programs would take too long.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = members(Summary.from_counts({"x": {"a": 4, "b": 6}}), key_counts=(6, 4))
    >>> found.count, next(iter(found)).tables
    (5, (((4, 0), (2, 4)),))
    """
    data = read_data(data)
    rows = read_rows(data, order, missing)
    key = rows.key(key_counts)
    check_choice("engine", engine, tuple(_ENGINES))
    count = count_consistent(data, order=order, key_counts=key_counts, missing=missing)
    if engine == "pulp" and count > MOST_PROGRAMS:
        raise TooLargeError(
            f"{count} integer programs would be solved, more than {MOST_PROGRAMS}; use "
            "engine='lattice', or key_counts= for one answer key"
        )
    return MemberSet(
        status=Status.OK,
        message=f"{how_many(count, 'table is', 'tables are')} consistent with how "
        f"{how_many(rows.exam.n_judges, 'judge')} answered.",
        count=count,
        key_counts=key,
        engine=engine,
        lister=partial(_ENGINES[engine], rows, key),
        **rows.exam.echo(rows.order),
    )


def _by_program(rows: Rows, key: Key | None) -> Iterator[Tables | Cells]:
    return iter(sorted(members_by_program(rows, key), reverse=True))


def _lattice(rows: Rows, key: Key | None) -> Iterator[Tables | Cells]:
    if rows.order == 2:
        yield from _order_2(rows, key)
        return
    for q in rows.keys(key):
        if rows.order == "full":
            yield from (Cells(q, cells) for cells in tables_at(rows.counts, q))
        else:
            yield from (Tables(q, tables) for tables in _judges(rows.judges, q))


def _judges(judges: tuple[Key, ...], q: Key) -> Iterator[tuple[Table, ...]]:
    """Yield one table per judge; `product` would hold all tables of every judge in memory."""
    if not judges:
        yield ()
        return
    for first in tables_at(judges[0], q):
        for others in _judges(judges[1:], q):
            yield (first, *others)


def _order_2(rows: Rows, key: Key | None) -> Iterator[Tables]:
    for chosen, _ in join(rows).choices(key):
        q = tuple(map(sum, zip(*chosen[0], strict=True)))
        options: list[list[tuple[int, int, PairTable]]] = [
            [(i, j, table) for table in pair_tables(rows, (i, j), chosen[i], chosen[j])]
            for i, j in rows.pairs()
        ]
        for pairs in product(*options):
            yield Tables(q, chosen, pairs)


_ENGINES: dict[str, Callable[[Rows, Key | None], Iterator[Tables | Cells]]] = {
    "lattice": _lattice,
    "pulp": _by_program,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Membership(LogicResult):
    """Whether one evaluation could lie behind the votes, and if not, why.

    Attributes
    ----------
    ok : bool
        Whether it could.
    violated : tuple of str
        Each axiom or inequality it breaks, in words and with the numbers.
    """

    schema: ClassVar[str] = "algeval.membership/1"

    ok: bool
    violated: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return "Consistent is not probable, and says nothing about which answer key is true."

    def as_tables(self) -> tuple[Grid, ...]:
        """Return the verdict in one row, and what is violated."""
        return scalars(self), Grid("Violated", {"violated": self.violated})

    def summary(self) -> str:
        """Return the verdict and everything that is broken."""
        return "\n".join([LogicResult.summary(self), *(f"- {text}" for text in self.violated)])


def is_consistent(
    member: Member | KeyedSketch,
    data: Source,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
) -> Membership:
    """Say whether a point or table could lie behind the votes, and which axiom it breaks if not.

    Parameters
    ----------
    member : Point, Tables, Cells or KeyedSketch
        A point (answer-key counts and correct counts), the tables of orders 1 and 2, or the cells of
        full order; a keyed sketch must be of these votes.
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : 1, 2 or "full", optional
        The member's own if left out. At a higher order: whether something of that order lies above it.
        At a lower one: whether what it says at that order is consistent.
    missing : "excluded" or "wrong"
        Echoed; it does not change the verdict.

    Raises
    ------
    DataError
        If the member does not have the shape of the data.
    TooLargeError
        If finding something of a higher order above it would take too long.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> seen = Summary.from_counts({"x": {"a": 4, "b": 6}})
    >>> is_consistent(Point((7, 3), ((2, 1),)), seen).ok
    True
    >>> print(is_consistent(Point((7, 3), ((5, 1),)), seen).violated[0])
    x is right 5 times on a but answered it only 4 times
    """
    data = read_data(data)
    given: Member = _cells(member, data) if isinstance(member, KeyedSketch) else member
    if not isinstance(given, Point | Tables | Cells):
        raise DataError(
            f"member must be a Point, Tables, Cells or KeyedSketch; got {type(member).__name__}; "
            "build one of them"
        )
    rows = read_rows(data, _own_order(given) if order is None else order, missing)
    same = project(rows, given)
    broken = violations(rows, same) or extend(rows, same)
    return Membership(
        status=Status.OK,
        message=_verdict(broken, rows),
        ok=not broken,
        violated=tuple(broken),
        **rows.exam.echo(rows.order),
    )


def _own_order(member: Member) -> int | str:
    if isinstance(member, Cells):
        return "full"
    return 2 if isinstance(member, Tables) and member.pairs else 1


def _cells(member: KeyedSketch, data: Data) -> Cells:
    rows = read_rows(data, "full")
    other = read_rows(member, "full")
    if (rows.patterns, rows.counts) != (other.patterns, other.counts):
        raise DataError("member must be an exam with these votes; got other votes; use its sketch")
    cells = tuple(map(tuple, member.keyed.tolist()))
    return Cells(tuple(member.keyed.sum(0).tolist()), cells)


def _verdict(broken: Sequence[str], rows: Rows) -> str:
    if not broken:
        return f"It is consistent with the votes at order {rows.order}."
    return f"It is not consistent with the votes at order {rows.order}: {broken[0]}."
