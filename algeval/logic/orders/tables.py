"""Lay each judge's answers on an answer key so that it is right as often as possible."""

from __future__ import annotations

from collections.abc import Sequence

from algeval.logic.demand import System
from algeval.logic.exam import Exam
from algeval.logic.policy import WITHOUT_CLOCK
from algeval.logic.proof.clock import Clock

__all__ = ["best_tables", "lay_out", "tables_in_time"]


def best_tables(exam: Exam, system: System, key: Sequence[int]) -> list[list[list[int]]]:
    """Return tables[i][a][t] in which every judge of the system meets its levels at this key."""
    return [_best_table(exam, system, i, key) for i in range(exam.n_judges)]


def tables_in_time(
    exam: Exam, system: System, key: Sequence[int], clock: Clock
) -> list[list[list[int]]] | None:
    """Return the best tables, or None where time runs out before they are laid out."""
    tables = []
    for i in range(exam.n_judges):
        if i % WITHOUT_CLOCK == WITHOUT_CLOCK - 1 and clock.over:
            return None
        tables.append(_best_table(exam, system, i, key))
    return tables


def _best_table(exam: Exam, system: System, i: int, key: Sequence[int]) -> list[list[int]]:
    held = _held(system, i, key)
    given = list(exam.counts[i])
    skipped = exam.missing[i] if not exam.excused[i] else 0
    correct = [min(r, d) for r, d in zip(given, held, strict=False)]
    return lay_out([*given, skipped], held, correct)[:-1]


def _held(system: System, i: int, key: Sequence[int]) -> list[int]:
    """Choose which items of each label the judge is held to: those within its caps first."""
    left = system.n_items - system.excused[i]
    held = []
    for q, cap in zip(key, system.caps[i], strict=True):
        held.append(min(q, cap, left))
        left -= held[-1]
    for t, q in enumerate(key):
        more = min(q - held[t], left)
        held[t] += more
        left -= more
    return held


def lay_out(given: Sequence[int], held: Sequence[int], correct: Sequence[int]) -> list[list[int]]:
    """Return table[a][t] with these margins and this diagonal, filled greedily.

    The rest of row t and of column t must not both be positive, as when `correct` is as large as
    it can be.
    """
    n_labels = len(held)
    table = [[0] * n_labels for _ in given]
    rows, columns = list(given), list(held)
    for t, right in enumerate(correct):
        table[t][t] = right
        rows[t] -= right
        columns[t] -= right
    t = 0
    for a, row in enumerate(table):
        while rows[a] > 0:
            while columns[t] == 0:
                t += 1
            more = min(rows[a], columns[t])
            row[t] += more
            rows[a] -= more
            columns[t] -= more
    return table
