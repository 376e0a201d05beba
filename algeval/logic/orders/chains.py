"""Order 2 of two labels and complete votes: chains of judges, in closed form at any number of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from typing import Any

import numpy as np

from algeval.data import Specification
from algeval.logic.exam import Exam, Frame, level_of, read_specification
from algeval.logic.orders.pair_interior import Pairs
from algeval.logic.policy import CHAIN_CASES, CHAIN_GRID, MOST_CHAINED_ITEMS, SAFE
from algeval.logic.proof import Bools, Clock, Evidence, Ints, farey_floor, next_fraction

# --- Order 2 with two labels a, b and complete votes: inequalities between two judges at a time.
#
# Let q items be a, and let c[i] of them be answered with a by judge i. Given q and c, the table of a pair
# has one free whole number, and pairs do not meet otherwise; so pair tables exist exactly when for all i, j
#
#   c[i] - c[j] <= N[ij = ab],   q - N[ij = bb] <= c[i] + c[j] <= q + N[ij = aa],
#   max(0, q - R[i,b]) <= c[i] <= min(q, R[i,a]),
#
# and what is asked of a judge is a bound on its own c[i]. Write +c[i] and -c[i] as nodes: an inequality is an
# edge, and a path from one node to another says what follows for the last from the first ("x at least ..,
# so y at most .."). A path from -c[i] to +c[j] adds q once, one back takes it away; so the shortest paths are
# the same for every q, up to q, and are worked out once. Whole c exist exactly when, for each judge, what
# follows from below does not exceed what follows from above, halves rounded (Jaffar, Maher, Stuckey and Yap
# 1994; Bagnara, Hill and Zaffanella 2009).


@dataclass(frozen=True, slots=True)
class Limit:
    """Bound on one judge, (constant + slope * q) / scale; `why` as certificates write it."""

    why: tuple[Any, ...]
    constant: int
    slope: int
    scale: int

    def at(self, q: int) -> int:
        """Numerator at q."""
        return self.constant + self.slope * q

    def whole(self, q: int, upper: bool) -> int:
        """Bound of a whole number."""
        return self.at(q) // self.scale if upper else -(-self.at(q) // self.scale)


Limits = tuple[list[list[Limit]], list[list[Limit]]]
"""Of each judge, bounds from below, and from above."""


def fits(exam: Exam) -> bool:
    """Whether an exam has two labels, no other answers, all votes, and numbers that stay within 64 bits."""
    two = exam.n_labels == len(exam.answers) == 2
    return two and not any(exam.missing) and exam.n_items <= MOST_CHAINED_ITEMS


@dataclass(frozen=True, eq=False)
class Chains:
    """The pairs of an exam, and what follows from one judge for another."""

    exam: Exam
    pairs: Pairs

    @cached_property
    def edges(self) -> Ints:
        """(2N, 2N) what a step adds, but for q; node i is +c[i], node N + i is -c[i]."""
        n = self.exam.n_judges
        edges = np.full((2 * n, 2 * n), _NEVER)
        np.fill_diagonal(edges, 0)
        for (i, j), table in self.pairs.items():
            aa, ab, ba, bb = (int(table[x, y]) for x in (1, 2) for y in (1, 2))
            for start, end, more in (
                (j, i, ab),
                (i, j, ba),
                (n + i, n + j, ab),
                (n + j, n + i, ba),
                (n + i, j, aa),
                (n + j, i, aa),
                (i, n + j, bb),
                (j, n + i, bb),
            ):
                edges[start, end] = more
        return edges

    @cached_property
    def paths(self) -> tuple[Ints, Ints]:
        """Shortest paths between all nodes (2N, 2N), and the node before the last of each."""
        far = self.edges.copy()
        before = np.tile(np.arange(len(far))[:, None], len(far))
        for k in range(len(far)):
            through = far[:, k, None] + far[None, k]
            shorter = through < far
            far[shorter] = through[shorter]
            before[shorter] = np.broadcast_to(before[k], far.shape)[shorter]
        return far, before

    @cached_property
    def _blocks(self) -> tuple[Ints, Ints, Ints]:
        """Paths between judges: +k to +i, -k to +i (adds q), and +k to -i (takes q)."""
        n, far = self.exam.n_judges, self.paths[0]
        return far[:n, :n], far[n:, :n], far[:n, n:]

    def limits(self, spec: Specification) -> Limits:
        """Bounds on each judge that a specification, and its own answers, give."""
        exam, Q = self.exam, self.exam.n_items
        low = [
            [Limit(("none",), 0, 0, 1), Limit(("others",), -row[1], 1, 1)] for row in exam.counts
        ]
        high = [
            [Limit(("all",), 0, 1, 1), Limit(("answers",), row[0], 0, 1)] for row in exam.counts
        ]
        for c, condition in enumerate(spec.conditions):
            if condition.quantity == "prevalence":
                continue
            x = level_of(condition, Q)
            p, r = x.numerator, x.denominator
            upper = condition.sense == "<="
            for i, judge in enumerate(exam.judges):
                if condition.judge not in (None, judge):
                    continue
                side, right = (high if upper else low)[i], exam.counts[i][0]
                if condition.quantity == "grade":  # 2 c + Q - q - R[i,a] are right
                    least = floor(x * Q) if upper else ceil(x * Q)
                    side.append(Limit(("condition", c, None), least - Q + right, 1, 2))
                    continue
                if condition.label in (None, exam.labels[0]):
                    side.append(Limit(("condition", c, 0), 0, p, r))
                if condition.label in (None, exam.labels[1]):  # Q - q - R[i,a] + c of Q - q
                    limit = (right * r - (r - p) * Q, r - p)
                    side.append(Limit(("condition", c, 1), *limit, r))
        return low, high

    def settle(
        self, spec: Specification, clock: Clock, *, prove: bool = True
    ) -> tuple[tuple[int, list[int]] | None, Evidence | None]:
        """Items of the first label and c of every judge that meet a specification, or the proof that none do.

        Without `prove` the proof is left empty. Both None where too many answer keys would have to be
        looked at one by one, or time ran out.
        """
        ends = self._ends(spec)
        if ends[0] > ends[1]:
            return None, None
        return _Search(self, self.limits(spec), ends, clock).run(prove)

    def _ends(self, spec: Specification) -> tuple[int, int]:
        """Fewest and most items of the first label that a specification allows."""
        demands, Q = read_specification(self.exam, spec), self.exam.n_items
        low = max(demands.low[0], Q - demands.high[1])
        return low, min(demands.high[0], Q - demands.low[1])

    def meeting(self, spec: Specification, clock: Clock) -> Bools:
        """(N, N) whether whole numbers were found with which two judges meet a specification together.

        Up to `CHAIN_GRID` numbers of items of the first label are tried.
        """
        n, ends = self.exam.n_judges, self._ends(spec)
        met = np.zeros((n, n), bool)
        if ends[0] > ends[1]:
            return met
        q = np.unique(np.linspace(*ends, CHAIN_GRID).astype(np.int64))
        low, high = _Search(self, self.limits(spec), ends, clock).whole_ends(q)
        same, minus = self.edges[:n, :n, None], self.edges[:n, n:, None]
        plus = self.edges[n:, :n, None]
        for i in range(n):
            together = q - minus[i]  # both at least, in sum
            least = [low - same[i], together - high, -((same[i] - together) // 2)]
            own = np.maximum(low[i], np.max(least, axis=0))
            bottom = np.max([low, own - same[:, i], together - own], axis=0)
            top = np.min([high, own + same[i], q + plus[i] - own], axis=0)
            met[i] = ((own <= high[i]) & (bottom <= top)).any(1)
        return met

    def tables(self, q: int, c: Sequence[int]) -> dict[tuple[int, int], int]:
        """Items of the first label that both judges of each pair answered with it."""
        result = {}
        for (i, j), table in self.pairs.items():
            ab, ba = int(table[1, 2]), int(table[2, 1])
            result[i, j] = max(0, c[i] + c[j] - q, c[i] - ab, c[j] - ba)
        return result

    def chain(self, start: int, end: int) -> list[int]:
        """Nodes of the shortest path from one to another."""
        nodes, before = [end], self.paths[1]
        while nodes[-1] != start:
            nodes.append(int(before[start, nodes[-1]]))
        return nodes[::-1]

    def highest(
        self, frame: Frame, clock: Clock
    ) -> tuple[Fraction, Evidence | None, int, list[int]] | None:
        """Threshold, the proof that nothing is above it (None at 1), and q and c that attain it."""
        Q = self.exam.n_items

        def ask(x: Fraction) -> tuple[tuple[int, list[int]] | None, Evidence | None]:
            return self.settle(frame.specification(x, strict=False), clock, prove=False)

        best, _ = ask(Fraction(0))
        if best is None:
            return None
        level, above, evidence = self.lowest(*best), Fraction(1) + Fraction(1, Q), None
        while (beyond := next_fraction(level, Q)) < above:
            if clock.over:
                return None
            middle = max(beyond, farey_floor((level + above) / 2, Q))
            point, refuted = ask(middle)
            if point is not None:
                best, level = point, self.lowest(*point)
            elif refuted is not None:
                above, evidence = middle, refuted
            else:
                return None
        if above <= 1:  # as "> level", which asks for the next fraction
            spec = frame.specification(level, strict=True)
            evidence = self.settle(spec, clock)[1]
            if evidence is None:
                return None
        return level, evidence, *best

    def lowest(self, q: int, c: Sequence[int]) -> Fraction:
        """Lowest accuracy at q and c."""
        left, levels = self.exam.n_items - q, [Fraction(1)]
        for n, (right, _) in zip(c, self.exam.counts, strict=True):
            levels += [Fraction(n, q)] if q else []
            levels += [Fraction(left - right + n, left)] if left else []
        return min(levels)


_NEVER = 1 << 50


def _parts(items: Sequence[int], size: int) -> list[Sequence[int]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _evidence(cases: Sequence[dict[str, Any]]) -> Evidence:
    return {"kind": "chains", "cases": sorted(cases, key=lambda case: list(case["items"]))}


_PARTS = ("constant", "slope", "scale")


class _Search:
    """Numbers q of items of the first label, in which judges can meet their bounds."""

    def __init__(self, chains: Chains, limits: Limits, ends: tuple[int, int], clock: Clock) -> None:
        self.chains, self.limits, self.ends, self.clock = chains, limits, ends, clock
        self.n = chains.exam.n_judges
        self.same, self.plus, self.minus = chains._blocks

    def run(self, prove: bool) -> tuple[tuple[int, list[int]] | None, Evidence | None]:
        """Whole c at some q, or cases that refute every q."""
        best = self._least()
        if self.miss([best])[0] > 0:
            if not prove:
                return None, {}
            tried = (self._beyond(q, -1) + self._beyond(q + 1, 1) for q in (best - 1, best))
            return None, next((_evidence(c) for c in tried if self._covered(c)), None)
        first, last = self._edge(best, -1), self._edge(best, 1)
        if last - first >= CHAIN_CASES:
            return self._some(first, last, best), None
        items = sorted(range(first, last + 1), key=lambda q: abs(q - best))
        bounds = [self.followed(part) for part in _parts(items, CHAIN_GRID)]
        open_ = np.concatenate([(down.max(1) <= up.min(1)).all(0) for up, down in bounds])
        for index in np.flatnonzero(open_).tolist():
            point = self.whole(items[index])
            if point is not None:
                return (items[index], point), None
        if open_.any() or self.clock.over:
            return None, None
        if not prove:
            return None, {}
        cases = [case for part in _parts(items, CHAIN_GRID) for case in self._cases(part)]
        cases += self._beyond(first - 1, -1) + self._beyond(last + 1, 1)
        return None, _evidence(cases) if self._covered(cases) else None

    def _covered(self, cases: Sequence[dict[str, Any]]) -> bool:
        """Whether cases speak of every q."""
        low, high = self.ends
        covered: int = sum(last - first + 1 for first, last in (c["items"] for c in cases))
        return covered == high - low + 1

    # real numbers: what is missed is convex in q

    def ends_of(self, q: Ints) -> tuple[Any, Any]:
        """(N, G) greatest lower and least upper bound of each judge on its own, in floats."""
        low, high = (
            constant.astype(float)[..., None] + slope.astype(float)[..., None] * q
            for constant, slope, _ in self.arrays
        )
        scales = [scale.astype(float)[..., None] for _, _, scale in self.arrays]
        return (low / scales[0]).max(1), (high / scales[1]).min(1)

    @cached_property
    def arrays(self) -> list[tuple[Ints, Ints, Ints]]:
        """Constants, slopes and scales (N, K) of the bounds on each side, the last ones repeated."""
        result = []
        for side in self.limits:
            most = max(map(len, side))
            rows = [[*own, *[own[-1]] * (most - len(own))] for own in side]
            parts = ([[getattr(x, name) for x in own] for own in rows] for name in _PARTS)
            whole = [np.array(part, object) for part in parts]
            large = max(abs(int(v)) for part in whole for v in part.ravel())
            small = large * self.chains.exam.n_items < SAFE
            constant, slope, scale = (p.astype(np.int64) if small else p for p in whole)
            result.append((constant, slope, scale))
        return result

    def miss(self, q: Sequence[int] | Ints) -> Any:
        """(G,) by how many items some chain of real numbers fails at most; <= 0 where none does."""
        items = np.asarray(q, np.int64)
        low, high = self.ends_of(items)
        worst = (low[None] - high[:, None] - self.same[..., None]).max((0, 1))
        sums = (low[:, None] + low[None] - self.plus[..., None]).max((0, 1)) - items
        sums = np.maximum(
            sums, items - (high[:, None] + high[None] + self.minus[..., None]).min((0, 1))
        )
        return np.maximum(worst, sums / 2) - 1e-9 * max(1, self.chains.exam.n_items)

    def _least(self) -> int:
        low, high = self.ends
        while high - low > 2:
            grid = np.unique(np.linspace(low, high, CHAIN_GRID).astype(np.int64))
            index = int(self.miss(grid).argmin())
            low, high = int(grid[max(index - 1, 0)]), int(grid[min(index + 1, len(grid) - 1)])
        grid = np.arange(low, high + 1)
        return int(grid[self.miss(grid).argmin()])

    def _edge(self, inside: int, side: int) -> int:
        """Last q on one side where no chain of real numbers fails."""
        end = self.ends[side > 0]
        if self.miss([end])[0] <= 0:
            return end
        while abs(end - inside) > 1:
            grid = np.unique(np.linspace(inside, end, CHAIN_GRID).astype(np.int64))[::side]
            last = int(np.flatnonzero(self.miss(grid) <= 0)[-1])
            inside, end = int(grid[last]), int(grid[last + 1])
        return inside

    def _some(self, first: int, last: int, best: int) -> tuple[int, list[int]] | None:
        """Whole c at one of many q."""
        steps = {best, *np.linspace(first, last, CHAIN_GRID).astype(int).tolist()}
        for q in sorted(steps, key=lambda q: abs(q - best)):
            for near in {q, min(q + 1, last)}:
                point = self.whole(near)
                if point is not None:
                    return near, point
        return None

    # whole numbers at one q

    def whole(self, q: int) -> list[int] | None:
        """Whole c at q; None where there are none."""
        up, down = (part[:, :, 0] for part in self.followed([q]))
        most, least, c = up.min(1), down.max(1), np.zeros(self.n, np.int64)
        if (least > most).any():
            return None
        for i in range(
            self.n
        ):  # given those before, what is left of the range of each has a whole number
            lowest = np.concatenate([least[i : i + 1], c[:i] - self.same[i, :i]])
            lowest = np.append(lowest, q - self.minus[:i, i] - c[:i]).max()
            highest = np.concatenate([most[i : i + 1], c[:i] + self.same[:i, i]])
            if lowest > np.append(highest, q + self.plus[:i, i] - c[:i]).min():
                return None
            c[i] = lowest
        numbers: list[int] = c.tolist()
        return numbers

    def whole_ends(self, q: Ints) -> tuple[Ints, Ints]:
        """(N, G) greatest lower and least upper bound of each judge on its own, in whole numbers."""
        (constant, slope, scale), above = self.arrays
        low = -(-(constant[..., None] + slope[..., None] * q) // scale[..., None]).min(1)
        constant, slope, scale = above
        high = ((constant[..., None] + slope[..., None] * q) // scale[..., None]).min(1)
        return low.astype(np.int64), high.astype(np.int64)

    def followed(self, items: Sequence[int]) -> tuple[Ints, Ints]:
        """(N, 2N + 1, G) what follows at many q for each judge, from above and from below.

        From a bound of each judge in the same sense, of each in the other, and from itself, halved.
        """
        q, own = np.array(items, np.int64), np.arange(self.n)
        low, high = self.whole_ends(q)
        same, plus, minus = (part[:, :, None] for part in (self.same, self.plus, self.minus))
        up = [
            (high[:, None] + same).transpose(1, 0, 2),
            (q + plus - low[:, None]).transpose(1, 0, 2),
            ((q + plus[own, own]) // 2)[:, None],
        ]
        down = [
            low[None] - same,
            (q - minus - high[:, None]).transpose(1, 0, 2),
            (-((minus[own, own] - q) // 2))[:, None],
        ]
        return np.concatenate(up, 1), np.concatenate(down, 1)

    def _cases(self, items: Sequence[int]) -> list[dict[str, Any]]:
        """Case for each q at which some judge's bounds contradict one another."""
        up, down = self.followed(items)
        gap = down.max(1) - up.min(1)
        judges, downs, ups = gap.argmax(0).tolist(), down.argmax(1), up.argmin(1)
        return [
            self._case((q, q), i, int(downs[i, g]), int(ups[i, g]), None)
            for g, (q, i) in enumerate(zip(items, judges, strict=True))
        ]

    # cases

    def _beyond(self, q: int, side: int) -> list[dict[str, Any]]:
        """Case that refutes q and all beyond it on one side; empty where no q is or none was found.

        Two chains fail at q, and more and more beyond: what is missed is convex, and less before q.
        """
        end = self.ends[side > 0]
        if (end - q) * side < 0:
            return []
        low, high = (part[:, 0] for part in self.ends_of(np.array([q])))
        gaps = np.stack(
            [
                low[None] - high[:, None] - self.same,
                (low[:, None] + low[None] - self.plus - q) / 2,
                (q - self.minus - high[:, None] - high[None]) / 2,
            ]
        )
        for flat in np.argsort(-gaps, axis=None)[:CHAIN_GRID].tolist():
            which, k, i = np.unravel_index(flat, gaps.shape)
            down, up = [(i, k), (i, self.n + k), (self.n + k, i)][which]
            low_q, high_q = sorted((q, end))
            case = self._case((low_q, high_q), int(i), int(down), int(up), q)
            if self._fails(case, q) and self._fails(case, end):
                return [case]
        return []

    def _fails(self, case: dict[str, Any], q: int) -> bool:
        """Whether the chains of a case contradict one another at q, in real numbers."""
        low, high = (self._value(case[side], side, q) for side in ("at_least", "at_most"))
        return bool(low > high)

    def _value(self, part: Sequence[Any], side: str, q: int) -> Fraction:
        """What a chain ends in at q."""
        who, why, steps = part
        at = [self.chains.exam.judges.index(name) for name in [who, *(step[0] for step in steps)]]
        upward = (side == "at_most") == (sum(step[1] == "together" for step in steps) % 2 == 0)
        limit = next(x for x in self.limits[upward][at[0]] if list(x.why) == list(why))
        value, edges = Fraction(limit.at(q), limit.scale), self.chains.edges
        for i, j, step in zip(at, at[1:], steps, strict=False):
            if step[1] == "together":
                start, end = (i, self.n + j) if upward else (self.n + i, j)
                more = int(edges[start, end])
                value = q - more - value if upward else q + more - value
                upward = not upward
            else:
                value += int(edges[i, j]) if upward else -int(edges[j, i])
        return value

    def _case(
        self, items: tuple[int, int], i: int, down: int, up: int, at: int | None
    ) -> dict[str, Any]:
        """Case that what follows for judge i from below exceeds what follows from above."""
        q = items[0] if at is None else at
        return {
            "items": list(items),
            "at_least": self._part(i, down, 0, q, rounded=at is None),
            "at_most": self._part(i, up, 1, q, rounded=at is None),
        }

    def _part(self, i: int, column: int, side: int, q: int, *, rounded: bool) -> list[Any]:
        """Chain for judge i: who it starts from, why, and the steps."""
        n, names = self.n, self.chains.exam.judges
        end = i if side else n + i
        if column == 2 * n:  # from itself, halved
            nodes, why = self.chains.chain(n + i if side else i, end), None
            if len(nodes) == 1:
                nodes = [n + i if side else i, end]
        else:
            turned, k = divmod(column, n)
            start = k if bool(side) != bool(turned) else n + k
            nodes = self.chains.chain(start, end)
            limits, upper = self.limits[start < n][k], start < n
            value = (
                (lambda x: x.whole(q, upper)) if rounded else (lambda x: Fraction(x.at(q), x.scale))
            )
            best = min(limits, key=value) if upper else max(limits, key=value)
            why = list(best.why)
        steps = [
            [names[b % n], "apart" if (a < n) == (b < n) else "together"]
            for a, b in pairwise(nodes)
        ]
        return [names[nodes[0] % n], why, steps]
