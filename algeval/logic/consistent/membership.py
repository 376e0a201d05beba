"""Whether one point, table or set of cells obeys the axioms, each breach in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from algeval.errors import DataError
from algeval.logic.consistent.cells import Cells, Rows, Tables
from algeval.logic.consistent.counting import points_of
from algeval.logic.consistent.pairs import join
from algeval.logic.consistent.points import point_of, reachable
from algeval.logic.consistent.tables import Key, Table
from algeval.logic.results import Point

__all__ = ["Member", "extend", "project", "violations"]

Member = Point | Tables | Cells


def project(rows: Rows, member: Member) -> Member:
    """Check the shape, and leave out what speaks of a higher order than asked."""
    member = type(member)(*map(_plain, member))
    _shape("key_counts", member.key_counts, [rows.labels])
    answers, judges = len(rows.answers), rows.exam.n_judges
    if isinstance(member, Point):
        _shape("correct", member.correct, [judges, rows.labels])
        return member
    if isinstance(member, Cells):
        if rows.order != "full":
            raise DataError(
                f"order must be 'full' for cells; got {rows.order}; leave it out, or give tables"
            )
        _shape("cells", member.cells, [len(rows.patterns), rows.labels])
        return member
    tables = _completed(rows, member)
    _shape("tables", tables, [judges, answers, rows.labels])
    if rows.order == 1:
        return Tables(member.key_counts, tables)
    if member.pairs and [(i, j) for i, j, _ in member.pairs] != rows.pairs():
        raise DataError(f"pairs must be {rows.pairs()}; got others; give each pair once, in order")
    for _, _, table in member.pairs:
        _shape("pairs", table, [answers, answers, rows.labels])
    return Tables(member.key_counts, tables, member.pairs)


def _plain(value: Any) -> Any:
    """Return lists and arrays as nested tuples of Python numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _completed(rows: Rows, member: Tables) -> tuple[Table, ...]:
    """Add the row of items left out where it is not given."""
    answers = len(rows.exam.answers)
    if len(rows.answers) == answers or any(len(table) != answers for table in member.tables):
        return member.tables
    return tuple(
        (
            *table,
            tuple(
                q - sum(c) for q, c in zip(member.key_counts, zip(*table, strict=True), strict=True)
            ),
        )
        for table in member.tables
    )


def _shape(name: str, value: object, wanted: Sequence[int]) -> None:
    if not _fits(value, wanted):
        raise DataError(
            f"{name} must be whole numbers of shape {tuple(wanted)}; got {value!r}; see the names of "
            "judges, answers and labels"
        )


def _fits(value: object, wanted: Sequence[int]) -> bool:
    if not wanted:
        return isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, Sequence) or len(value) != wanted[0]:
        return False
    return all(_fits(part, wanted[1:]) for part in value)


def violations(rows: Rows, member: Member) -> list[str]:
    """Return the axioms and inequalities that a member breaks on its own."""
    return [*_size(rows, member.key_counts), *_own(rows, member)]


def _size(rows: Rows, key: Key) -> Iterator[str]:
    if sum(key) != rows.exam.n_items:
        yield f"size axiom: the answer-key counts sum to {sum(key)}, not {rows.exam.n_items}"
    for label, q in zip(rows.exam.labels, key, strict=True):
        if q < 0:
            yield f"counts are not negative: the answer key has {q} items of {label}"


def _own(rows: Rows, member: Member) -> Iterator[str]:
    if isinstance(member, Point):
        for i, correct in enumerate(member.correct):
            yield from _correct(rows, i, member.key_counts, correct)
    elif isinstance(member, Cells):
        names = [_words(rows, pattern) for pattern in rows.patterns]
        yield from _table(rows, names, rows.counts, member.cells, member.key_counts)
    else:
        for i, table in enumerate(member.tables):
            names = [f"{rows.exam.judges[i]} = {answer}" for answer in rows.answers]
            yield from _table(rows, names, rows.judges[i], table, member.key_counts)
        yield from _pairs(rows, member)


def _correct(rows: Rows, i: int, key: Key, correct: Key) -> Iterator[str]:
    """Say what is wrong with the correct counts of one judge (see `lattice`)."""
    judge, total, right = rows.exam.judges[i], rows.exam.n_items, sum(correct)
    given = rows.judges[i]
    for label, r, q, d in zip(rows.exam.labels, given, key, correct, strict=False):
        if d < 0:
            yield f"counts are not negative: {judge} is right {d} times on {label}"
        elif d > r:
            yield f"{judge} is right {d} times on {label} but answered it only {r} times"
        elif d > q:
            yield f"{judge} is right {d} times on {label} but only {q} items are {label}"
        elif right - d > d - q + total - r:
            yield (
                f"single-judge axiom of {judge} on {label}: {d} - {q} + {total - r} = "
                f"{d - q + total - r} answers other than {label} are on other items, "
                f"but {right - d} are right there"
            )


def _table(
    rows: Rows, names: Sequence[str], seen: Sequence[int], table: Table, key: Key
) -> Iterator[str]:
    for name, count, row in zip(names, seen, table, strict=True):
        yield from _observed(name, count, row)
    for t, (label, q) in enumerate(zip(rows.exam.labels, key, strict=True)):
        found = sum(row[t] for row in table)
        if found != q:
            what = names[0].split(" = ")[0] if " = " in names[0] else "decision tuples"
            yield f"simplex axiom: the answers of {what} on items of {label} sum to {found}, not {q}"


def _observed(name: str, count: int, cell: Key) -> Iterator[str]:
    if min(cell) < 0:
        yield f"counts are not negative: {name} has {list(cell)}"
    if sum(cell) != count:
        yield (
            f"observation axiom: {name} was seen {count} times, but by true label {list(cell)} sum to "
            f"{sum(cell)}"
        )


def _pairs(rows: Rows, member: Tables) -> Iterator[str]:
    answers = range(len(rows.answers))
    for i, j, table in member.pairs:
        pair = rows.exam.judges[i], rows.exam.judges[j]
        seen = rows.pair_counts(i, j)
        for a, b in product(answers, answers):
            name = f"{pair[0]}, {pair[1]} = {rows.answers[a]}, {rows.answers[b]}"
            yield from _observed(name, seen.get((a, b), 0), table[a][b])
        for a, t in product(answers, range(rows.labels)):
            left = sum(table[a][b][t] for b in answers)
            right = sum(table[b][a][t] for b in answers)
            yield from _margin(rows, pair, (i, a, t), left, member)
            yield from _margin(rows, pair, (j, a, t), right, member)


def _margin(
    rows: Rows, pair: tuple[str, str], place: tuple[int, int, int], found: int, member: Tables
) -> Iterator[str]:
    i, a, t = place
    wanted = member.tables[i][a][t]
    if found != wanted:
        yield (
            f"marginalisation axiom: the pair {pair[0]}, {pair[1]} has {found} items of "
            f"{rows.exam.labels[t]} that {rows.exam.judges[i]} answered {rows.answers[a]}, its own table "
            f"{wanted}"
        )


def _words(rows: Rows, pattern: Key) -> str:
    return ", ".join(rows.answers[a] for a in pattern)


def extend(rows: Rows, member: Member) -> list[str]:
    """Say whether nothing of the order asked lies above a member of a lower order."""
    if rows.order == 1 or isinstance(member, Cells):
        return []
    if rows.order == "full":
        return _extend_full(rows, member)
    if isinstance(member, Point):
        key = member.key_counts
        found = (key, member.correct) in set(points_of(rows, key))
        return [] if found else ["no tables of the pairs, with any answer key, give this point"]
    if member.pairs:
        return []
    margins = join(rows).margins
    return [
        f"no table of the pair {rows.exam.judges[i]}, {rows.exam.judges[j]} has these two margins"
        for i, j in rows.pairs()
        if member.tables[j] not in margins[i, j].get(member.tables[i], {})
    ]


def _extend_full(rows: Rows, member: Point | Tables) -> list[str]:
    if isinstance(member, Point):
        target = (*member.key_counts, *(d for row in member.correct for d in row))
        found = target in reachable(rows, point_of, target)
    elif member.pairs:
        target = tuple(
            n for _, _, table in member.pairs for row in table for cell in row for n in cell
        )
        found = target in reachable(rows, _pairs_of, target)
    else:
        target = tuple(n for table in member.tables for row in table for n in row)
        found = target in reachable(rows, _tables_of, target)
    return [] if found else ["no answer key laid on the decision tuples gives this"]


def _tables_of(rows: Rows, pattern: Key, split: Key) -> Key:
    zero = (0,) * rows.labels
    answers = range(len(rows.answers))
    return tuple(n for given in pattern for a in answers for n in (split if a == given else zero))


def _pairs_of(rows: Rows, pattern: Key, split: Key) -> Key:
    zero = (0,) * rows.labels
    cells = list(product(range(len(rows.answers)), repeat=2))
    return tuple(
        n
        for i, j in rows.pairs()
        for cell in cells
        for n in (split if cell == (pattern[i], pattern[j]) else zero)
    )
