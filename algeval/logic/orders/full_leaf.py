"""Leaves of a refutation at full order: multipliers checked exactly, then written as evidence.

A leaf adds up rows with whole-number multipliers. It is a refutation when the most that any
labelling can give, tuple by tuple, stays below what the rows ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.full_program import FullProgram, Ints, Levels, cap_judges
from algeval.logic.orders.full_relax import Row
from algeval.logic.orders.weights import surplus

__all__ = ["Evidence", "cap_evidence", "leaf_evidence", "refutes"]

Evidence = dict[str, Any]


def cap_evidence(program: FullProgram, levels: Levels, conditions: Ints) -> Evidence | None:
    """Return the order-1 refutation, label caps that do not reach Q, as rows of full order."""
    total = 0
    rows: list[Any] = [[["size"], "1"]]
    for t, cap in enumerate(cap_judges(program, levels)):
        if cap is None or cap[0] >= program.high[t]:
            total += program.high[t]
        else:
            total += cap[0]
            rows.append([["cap", int(conditions[cap[1], t]), cap[1], t], "1"])
    return {"kind": "multipliers", "rows": rows} if total < program.n_items else None


def refutes(
    program: FullProgram, levels: Levels, rows: Sequence[Row], whole: Sequence[int]
) -> bool:
    """Whether these whole-number multipliers of the rows prove, exactly, that none meets them."""
    common = int(np.lcm.reduce([x.denominator for row in levels for x in row if x] or [1]))
    hit = np.zeros((program.n_judges, program.n_labels), object)
    held, labels = hit.copy(), np.zeros(program.n_labels, object)
    cells: dict[tuple[int, int], int] = {}
    needed = 0
    for row, k in zip(rows, whole, strict=True):
        if not k:
            continue
        k *= common
        needed += k * row.right
        i, t = row.place, row.label
        if row.kind in ("condition", "rounded", "correct"):
            hit[i, t] += row.sign * k
        if row.kind == "condition":
            held[i, t] += int((levels[i][t] or 0) * k)
        elif row.kind == "cap":
            held[i, t] += k
        elif row.kind == "cell":
            cells[i, t] = cells.get((i, t), 0) + row.sign * k
        elif row.kind in ("low", "high"):
            labels[t] += k if row.kind == "low" else -k
    return surplus(program, hit, held, labels, cells) < needed


def leaf_evidence(
    program: FullProgram,
    levels: Levels,
    conditions: Ints,
    rows: Sequence[Row],
    whole: Sequence[int],
) -> Evidence:
    """Return these multipliers as evidence: weights where they can be, else cited rows."""
    used = [(row, k) for row, k in zip(rows, whole, strict=True) if k]
    if all(row.kind not in ("cap", "correct", "cell") for row, _ in used):
        return _as_weights(program, used)
    return _as_multipliers(program, levels, conditions, used)


def _as_weights(program: FullProgram, used: Sequence[tuple[Row, int]]) -> Evidence:
    shape = (program.n_judges, program.n_labels)
    tables = {"condition": np.zeros(shape, object), "rounded": np.zeros(shape, object)}
    ends = {"low": [0] * program.n_labels, "high": [0] * program.n_labels}
    for row, k in used:
        if row.kind in tables:
            tables[row.kind][row.place, row.label] += k
        else:
            ends[row.kind][row.label] += k
    as_text = {name: [[str(y) for y in line] for line in table] for name, table in tables.items()}
    result: Evidence = {"kind": "weights", "weights": as_text["condition"]}
    if tables["rounded"].any():
        result["correct"] = as_text["rounded"]
    for name, values in ends.items():
        if any(values):
            result[f"key_{name}"] = [str(z) for z in values]
    return result


def _as_multipliers(
    program: FullProgram, levels: Levels, conditions: Ints, used: Sequence[tuple[Row, int]]
) -> Evidence:
    """Write a leaf as multipliers: the rows it uses, then the rows that balance them.

    The bounds of the key stand for the rows "low" and "high": the row of label t, which holds
    -q[t], is weighted so that just their multipliers are left on q[t]; the row of tuple u then
    takes the largest score away from its cells.
    """
    n_labels = program.n_labels
    rows: list[Any] = []
    score = np.zeros((len(program.counts), n_labels), object)
    on_key: list[Fraction] = [Fraction(0)] * n_labels
    for row, k in used:
        name = _row_id(conditions, row)
        if name is not None:
            rows.append([name, str(k)])
        on_key[row.label] += _add_row(program, levels, score, row, k)
    for t, balance in enumerate(on_key):
        score[:, t] += balance
        if balance:
            rows.append([["label", t], str(balance)])
    rows += [[["tuple", u], str(-Fraction(best))] for u, best in enumerate(score.max(1)) if best]
    return {"kind": "multipliers", "rows": rows}


def _add_row(program: FullProgram, levels: Levels, score: Ints, row: Row, k: int) -> Fraction:
    """Add k times a row to the cells' scores; return what it puts on the key count."""
    i, t = row.place, row.label
    if row.kind in ("low", "high"):
        return Fraction(k if row.kind == "low" else -k)
    if row.kind == "cell":
        score[i, t] += row.sign * k
        return Fraction(0)
    if row.kind != "cap":
        score[:, t] += row.sign * k * (program.codes[:, i] == t).astype(object)
    rate = Fraction(0)
    if row.kind in ("condition", "cap"):
        rate = k * ((levels[i][t] or Fraction(0)) if row.kind == "condition" else Fraction(1))
    if program.always[i]:
        return -rate
    score[:, t] -= rate * program.held[:, i].astype(object)
    return Fraction(0)


def _row_id(conditions: Ints, row: Row) -> list[Any] | None:
    """Return the name certificates give a row, None for the bounds of the key."""
    if row.kind in ("low", "high"):
        return None
    if row.split >= 0:
        return ["split", row.split]
    return [row.kind, int(conditions[row.place, row.label]), row.place, row.label]
