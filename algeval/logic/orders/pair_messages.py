"""Messages between pairs of judges in whole numbers: the exact proof that no key reaches a level.

Weights y on accuracies give each judge's answers a gain f[i](a; t) = y[i,t] (1[a = t] - x[i,t] d[i](a)).
Messages that add up to it, judge by judge, bound what any evaluation of order 2 can gain:
``sum over pairs of answers of n max_t (u[i](a; t) + u[j](b; t))``. Where that is negative the levels are
refuted. Floats propose; they are rounded, what the rounding left over is sent along with one message of
each judge, and the sum is computed in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from algeval.logic.orders.labelling import Levels
from algeval.logic.orders.pair_interior import Middle
from algeval.logic.orders.pair_tables import Floats, Ints, PairTables
from algeval.logic.policy import MESSAGE_ROUNDINGS, SAFE
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence

__all__ = ["Messages", "messages_evidence", "refuting_messages"]


@dataclass(frozen=True, slots=True, eq=False)
class Messages:
    """Whole-number weights (N, R), and messages (N, N, W, R): from a judge, to its pair with another.

    All are `scale` times the real ones, so that gains are whole numbers too.
    """

    weights: Ints
    sent: Ints
    scale: int


def refuting_messages(
    tables: PairTables, found: Middle, levels: Levels, clock: Clock
) -> Messages | None:
    """Return the smallest whole messages found that refute levels (N, R), exactly; None without any."""
    asked = np.array([[float(x or 0) for x in row] for row in levels])
    sent = _folded(tables, found, asked)
    most = float(found.weights.max(initial=0.0))
    if most <= 0:
        return None
    for size in MESSAGE_ROUNDINGS:
        if clock.over:
            break
        messages = _whole(tables, found.weights * (size / most), sent * (size / most), levels)
        if _bound(tables, messages.sent) < 0:
            return messages
    return None


def _folded(tables: PairTables, found: Middle, levels: Floats) -> Floats:
    """(N, N, W, R) real messages that add up to the gains at levels.

    What was gained beyond them is the sum of something for each answer and something for each label.
    The first goes anywhere; the second moves to the first judge and cancels there.
    """
    n = tables.n_judges
    sent = np.zeros((n, n, *found.first.shape[1:]))
    sent[tables.left, tables.right], sent[tables.right, tables.left] = found.first, found.second
    losses = tables.losses()[:, :, None] * found.weights[:, None, :]
    lower = losses * (found.levels - levels)[:, None, :] / (n - 1)
    sent += lower[:, None] * (1 - np.eye(n))[:, :, None, None]
    gains = tables.hits() * found.weights[:, None, :] - losses * levels[:, None, :]
    over = gains - sent.sum(1)
    by_label = over[:, -1:] - over[:, -1:, -1:]
    sent[1:, 0] += by_label[1:]
    sent[0, 1:] -= by_label[1:]
    return sent


def _whole(tables: PairTables, weights: Floats, sent: Floats, levels: Levels) -> Messages:
    """Round weights and messages; each judge's first message makes its gains come out right."""
    n, whole = tables.n_judges, np.rint(weights).astype(np.int64).astype(object)
    used = [
        [Fraction(x or 0) if y else Fraction(0) for x, y in zip(row, own, strict=True)]
        for row, own in zip(levels, whole.tolist(), strict=True)
    ]
    scale = lcm(*(x.denominator for row in used for x in row))
    asked = np.array([[int(x * scale) for x in row] for row in used], dtype="O")
    sums = np.rint(np.cumsum(sent, 1))
    rounded = np.diff(sums, axis=1, prepend=0)
    rounded[~np.repeat(tables.given[:, None], n, 1)] = 0
    largest = scale * max(1.0, float(np.abs(weights).max()), float(np.abs(rounded).max()))
    kind = np.int64 if largest * 4 * n * tables.counts.sum() < SAFE else object
    result = rounded.astype(np.int64).astype(kind) * scale
    gains = tables.hits().astype(kind) * (whole * scale).astype(kind)[:, None]
    gains = gains - tables.losses().astype(kind)[:, :, None] * (whole * asked).astype(kind)[:, None]
    over = gains - result.sum(1)
    result[1:, 0] += over[1:]
    result[0, 1] += over[0]
    return Messages(whole * scale, result, scale)


def _best(tables: PairTables, sent: Ints) -> Ints:
    """(P, W, W) the best sum of two messages over the labels."""
    first, second = sent[tables.left, tables.right], sent[tables.right, tables.left]
    best: Ints = (first[:, :, None, :] + second[:, None, :, :]).max(3)
    return best


def _bound(tables: PairTables, sent: Ints) -> int:
    """Return what any evaluation can gain at most, exactly; `sent` holds small enough numbers."""
    best = _best(tables, sent)
    return int((tables.counts.astype(best.dtype) * best).sum())


def messages_evidence(
    tables: PairTables,
    messages: Messages,
    levels: Levels,
    condition: Callable[[int, int], int],
    excused: Sequence[int],
) -> Evidence:
    """Return evidence of kind `multipliers`.

    condition : which condition asks a judge and a label for its level.
    """
    rows: list[tuple[list[Any], int]] = []
    for i, t in np.argwhere(messages.weights > 0).tolist():
        y, x = int(messages.weights[i, t]), levels[i][t] or Fraction(0)
        rows.append((["condition", condition(i, t), i, t], y))
        if not excused[i]:
            rows.append((["key", i, t], -int(y * x)))
    codes = tables.code.tolist()
    sent = messages.sent
    best = _best(tables, sent)
    for p, (i, j) in enumerate(tables.names):
        for name, own, table in (("left", i, sent[i, j]), ("right", j, sent[j, i])):
            for a, t in np.argwhere(table != 0).tolist():
                rows.append(([name, i, j, codes[own][a], t], int(table[a, t])))
        for a, b in np.argwhere((best[p] != 0) & (tables.counts[p] > 0)).tolist():
            rows.append((["pair", i, j, codes[i][a], codes[j][b]], -int(best[p, a, b])))
    shared = gcd(*(y for _, y in rows)) or 1
    return {"kind": "multipliers", "rows": [[name, str(y // shared)] for name, y in rows if y]}
