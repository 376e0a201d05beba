"""Programs in shares, the solver, exact refutations, trees and certificates."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import floor, gcd, inf, lcm
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from algeval.data import Evaluation, Specification
from algeval.data.names import check_number, expect_schema
from algeval.errors import DataError
from algeval.logic.policy import (
    APART,
    ENTRIES_A_SECOND,
    FREED_TOTALS,
    LARGEST_COUNT,
    LEAST_WORK,
    MAX_DEPTH,
    MOST_BLAMED,
    NEAR_WORK,
    NODE_WORK,
    QUESTION_WORK,
    ROUNDINGS,
    SAFE,
    SHOWN_WEIGHTS,
    SIMPLEX_BELOW,
    TRIED_BELOW,
    VIOLATED,
)
from algeval.progress import CountedClock
from algeval.result.numbers import ByValue

# --- Certificates: a claim about the data and the evidence that proves it.


SCHEMA = "algeval.certificate/1"


@dataclass(frozen=True, slots=True, eq=False)
class Certificate(ByValue):
    """A claim and its evidence, as ``python -m algeval.verify`` reads them.

    Parameters
    ----------
    claim : mapping
        Verdict, digest of the data, order, missing rule and specification.
    evidence : mapping
        What proves it: its "kind" is witness, cap, weights, multipliers, branches, together, conflicts or
        keys.

    The format is described in the reference on certificates.
    """

    claim: Mapping[str, Any]
    evidence: Mapping[str, Any]
    read: str = field(default="", compare=False)
    """What the data are about: how many items, whose answers, which labels; for people, not verified."""
    shown: Evaluation | None = field(default=None, compare=False)
    """The evaluation a witness shows, where it was worked out already; not part of the file."""

    @property
    def verdict(self) -> str:
        """One of "possible", "impossible" and "keys": which answer keys are possible."""
        return str(self.claim["verdict"])

    @property
    def kind(self) -> str:
        """The kind of evidence."""
        return str(self.evidence["kind"])

    @property
    def specification(self) -> Specification:
        """The specification the claim speaks of."""
        return Specification.from_dict(self.claim["specification"])

    @property
    def shows(self) -> bool:
        """Whether it is a witness whose `evaluation` needs no data beside it."""
        return self.kind == "witness" and (self.shown is not None or "tables" in self.evidence)

    def explain(self, judges: Sequence[str], labels: Sequence[str]) -> str:
        """In one sentence what the evidence rests on, by name."""
        if self.kind == "weights":
            return _named_weights(self.evidence["weights"], judges, labels)
        if self.kind == "cap":
            named = [
                f"{name} on {label}"
                for name, label in zip(self.evidence["judges"], labels, strict=True)
                if name is not None
            ]
            return f"It rests on how often a label was answered by {', '.join(named)}."
        reasons = {
            "witness": "It shows an answer key and what each judge got right.",
            "multipliers": "It adds up rows of the program to a contradiction.",
            "branches": "each possible set of true labels is excluded, case by case.",
            "keys": "It shows each answer key, and excludes every other where it says so.",
            "conflicts": "It names sets of judges that cannot meet the standard together.",
            "chains": "It follows chains of judges: one is right so often, so the next one is.",
            "together": "It speaks of whole decision tuples: so few judges differ that this order sees them.",
        }
        return reasons[self.kind]

    def describe(self) -> str:
        """Claim in one sentence."""
        if self.verdict == "keys":
            least = "" if self.claim["every"] else "at least "
            n = len(self.claim["keys"])
            what = self.specification.describe()
            return f"With these votes (order {self.claim['order']}), {least}{n} answer keys can meet: {what}."
        can = "can" if self.verdict == "possible" else "cannot"
        return (
            f"With these votes (order {self.claim['order']}), some answer key {can} meet: "
            f"{self.specification.describe()} [{self.kind}]."
        )

    def evaluation(
        self, judges: Sequence[str], labels: Sequence[str], answers: Sequence[str]
    ) -> Evaluation:
        """Evaluation a witness shows."""
        if self.shown is not None:
            return self.shown
        if "tables" not in self.evidence:
            raise DataError(
                f"only a witness with tables is an evaluation; got {self.kind!r}; "
                "read the cells of a full-order witness beside its sketch"
            )
        tables = np.array(self.evidence["tables"], dtype=object).transpose(0, 2, 1)
        return Evaluation.from_counts(judges, labels, answers, self.evidence["key_counts"], tables)

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.certificate/1`)."""
        read = {"read": self.read} if self.read else {}
        claim, evidence = dict(self.claim), dict(self.evidence)
        return {"schema": SCHEMA, **read, "claim": claim, "evidence": evidence}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; this does not verify it."""
        expect_schema(document, SCHEMA)
        return cls(document["claim"], document["evidence"], str(document.get("read", "")))

    def __repr__(self) -> str:
        return f"Certificate({self.verdict}, {self.kind})"


def _named_weights(
    weights: Sequence[Sequence[str]], judges: Sequence[str], labels: Sequence[str]
) -> str:
    named = [
        f"{judge} on {label} (weight {weight})"
        for judge, row in zip(judges, weights, strict=True)
        for label, weight in zip(labels, row, strict=True)
        if Fraction(weight)
    ]
    shown = ", ".join(named[:SHOWN_WEIGHTS]) + (", ..." if len(named) > SHOWN_WEIGHTS else "")
    return (
        f"It rests on {len(named)} accuracies that no answer key lets be so high at once: {shown}."
    )


def claim(
    digest: str, order: int | str, missing: str, specification: Specification, *, possible: bool
) -> dict[str, Any]:
    """Claim of a certificate."""
    return {
        "verdict": "possible" if possible else "impossible",
        "data": digest,
        "order": order,
        "missing": missing,
        "specification": specification.to_dict(),
    }


# --- When a search stops: a limit in seconds that a caller gave, and counted work for each of its
# parts.


class Clock(CountedClock):
    """The clock of a question, whose seconds are the `time_limit` that a caller gave."""

    def __init__(
        self, limit: float | None, work: float = inf, *, whole: CountedClock | None = None
    ) -> None:
        if limit is not None and limit != inf:
            limit = check_number("time_limit", limit)
        super().__init__(limit, work, whole=whole)


_question_work: ContextVar[float] = ContextVar("work of a question", default=QUESTION_WORK)


def question_clock(time_limit: float | None, work: float = inf) -> Clock:
    """Clock of a question: the seconds of a caller, or else counted work, at most so much."""
    if time_limit is None:
        return Clock(None, min(work, _question_work.get()))
    return Clock(time_limit)


@contextmanager
def work_of_questions(work: float) -> Iterator[None]:
    """Context in which a question without a time limit may take so much counted work."""
    token = _question_work.set(work)
    try:
        yield
    finally:
        _question_work.reset(token)


# --- What settling a question ends in: a witness, a refutation, or neither.


Evidence = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A solution in whole numbers, or evidence that there is none, or neither (gave up).

    Attributes
    ----------
    witness : evidence or None
        Whole numbers that meet the conditions, as certificates write them.
    refutation : evidence or None
        Proof that no whole numbers do.
    judges : tuple of int
        The judges a refutation speaks of.
    """

    witness: Evidence | None = None
    refutation: Evidence | None = None
    judges: tuple[int, ...] = ()

    @property
    def possible(self) -> bool | None:
        """True, False, or None where nothing was settled."""
        if self.witness is not None:
            return True
        return None if self.refutation is None else False


# --- Neighbours among the fractions whose denominator is at most Q, exactly.


def _neighbour(value: Fraction, largest: int, sign: int) -> Fraction:
    """Nearest fraction above (sign 1) or below (sign -1) one of denominator <= Q."""
    a, b = value.numerator, value.denominator
    first = (-sign * pow(a, -1, b)) % b if b > 1 else 0
    d = largest - (largest - first) % b
    return Fraction(a * d + sign, b * d)


def next_fraction(value: Fraction, largest: int) -> Fraction:
    """Smallest fraction above `value` with denominator at most `largest`.

    An accuracy is a fraction with denominator at most the number of items, so "> x" and ">= the
    next fraction after x" ask the same of it.

    Examples
    --------
    >>> next_fraction(Fraction(5, 8), 25), next_fraction(Fraction(1), 10)
    (Fraction(12, 19), Fraction(11, 10))
    """
    near = value.limit_denominator(largest)
    return near if near > value else _neighbour(near, largest, 1)


def previous_fraction(value: Fraction, largest: int) -> Fraction:
    """Largest fraction below `value` with denominator at most `largest`."""
    near = value.limit_denominator(largest)
    return near if near < value else _neighbour(near, largest, -1)


def farey_floor(value: Fraction, largest: int) -> Fraction:
    """Largest fraction not above `value` with denominator at most `largest`."""
    near = value.limit_denominator(largest)
    return near if near <= value else _neighbour(near, largest, -1)


# --- Programs whose unknowns lay observed counts on the labels: every question of every order.
#
# Every unknown is a share v[p,t] of a known total p (the items of a decision tuple, of a pair of
# answers, of one judge's answer, or all items) that goes to label t, so the shares of a total add up
# to it. All other rows couple shares or state conditions. For given multipliers of those rows the
# best multiplier of each total is a maximum over labels, so it is found exactly, whatever rounding
# the others went through.


Ints = np.ndarray[Any, np.dtype[Any]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]
RowId = tuple[Any, ...]
Writer = Callable[[Sequence[tuple[RowId, int]], Sequence[int]], Evidence | None]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of whole numbers: a * first + b * second >= bound, or = bound, each `scale` times the real row.

    The two matrices hold 0, 1 and -1, so that products stay exact however long the numbers of a
    condition are.
    """

    ids: tuple[RowId, ...]
    # (M, n) sparse int64
    first: Any
    second: Any
    a: tuple[int, ...]
    b: tuple[int, ...]
    bound: tuple[int, ...]
    scale: tuple[int, ...]
    equal: Ints  # (M,) bool

    @classmethod
    def of(
        cls, ids: Sequence[RowId], matrix: Any, bound: Sequence[int], *, equal: bool = False
    ) -> Rows:
        """Rows matrix v >= bound (or = bound)."""
        from scipy import sparse

        ones = (1,) * len(ids)
        nothing = sparse.csr_array(matrix.shape, dtype=np.int64)
        which = np.full(len(ids), equal)
        return cls(tuple(ids), matrix, nothing, ones, (0,) * len(ids), tuple(bound), ones, which)

    @property
    def n_entries(self) -> int:
        """How many entries of the matrices are not 0."""
        return int(self.first.nnz + self.second.nnz)

    def __add__(self, other: Rows) -> Rows:
        return Rows(
            self.ids + other.ids,
            _stacked(self.first, other.first),
            _stacked(self.second, other.second),
            self.a + other.a,
            self.b + other.b,
            self.bound + other.bound,
            self.scale + other.scale,
            np.concatenate([self.equal, other.equal]),
        )

    def kept(self, indices: Ints) -> Rows:
        """Some of the rows."""

        def some(values: Sequence[Any]) -> tuple[Any, ...]:
            return tuple(values[p] for p in indices.tolist())

        return Rows(
            some(self.ids),
            self.first[indices],
            self.second[indices],
            some(self.a),
            some(self.b),
            some(self.bound),
            some(self.scale),
            self.equal[indices],
        )

    def values(self, shares: Ints) -> list[int]:
        """Left sides at whole-number shares (n,), exactly."""
        first, second = _times(self.first, shares), _times(self.second, shares)
        return [a * v + b * w for a, v, b, w in zip(self.a, first, self.b, second, strict=True)]

    def summed(self, weights: Sequence[int]) -> Ints:
        """(n,) the sum of the rows, each times a whole number, exactly."""
        total: Ints = np.zeros(self.first.shape[1], object)
        matrices = zip((self.first, self.second), self.columns, (self.a, self.b), strict=True)
        for matrix, turned, factors in matrices:
            times = [w * k for w, k in zip(weights, factors, strict=True)]
            if any(times):
                most = max(map(abs, times))
                if most * max(1, matrix.nnz) < SAFE:
                    part = turned @ np.array(times, np.int64)
                else:
                    used = [r for r, w in enumerate(times) if w]
                    chosen = np.array([times[r] for r in used], object)
                    part = np.array(_times(matrix[used].T.tocsr(), chosen), object)
                total = total + part.astype(object)
        return total

    @cached_property
    def columns(self) -> tuple[Any, Any]:
        """Both matrices by column."""
        return self.first.T.tocsr(), self.second.T.tocsr()

    @cached_property
    def real(self) -> tuple[Any, Ints]:
        """Rows and their bounds in floats, each row at its real size."""
        a, b, bound = (
            np.array([float(Fraction(v, s)) for v, s in zip(part, self.scale, strict=True)])
            for part in (self.a, self.b, self.bound)
        )
        matrix = self.first.multiply(a[:, None]) + self.second.multiply(b[:, None])
        return matrix.tocsr(), bound


def _stacked(above: Any, below: Any) -> Any:
    from scipy import sparse

    return sparse.vstack([above, below]).tocsr()


def _times(matrix: Any, vector: Ints) -> list[int]:
    """Matrix @ vector in exact whole numbers."""
    most = max((abs(int(v)) for v in (vector.max(initial=0), vector.min(initial=0))), default=0)
    if vector.dtype != object and most * max(1, matrix.nnz) < SAFE:
        result: list[int] = (matrix @ vector).tolist()
        return result
    table = matrix.tocoo()
    values, out = vector.tolist(), [0] * matrix.shape[0]
    entries = zip(table.row.tolist(), table.col.tolist(), table.data.tolist(), strict=True)
    for row, column, entry in entries:
        out[row] += entry * values[column]
    return out


@dataclass(frozen=True, slots=True)
class Extra:
    """A row that holds at a node: sign * (sum of columns) >= bound."""

    name: RowId
    columns: tuple[int, ...]
    sign: int
    bound: int


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """What is known below some splits: low <= v <= high, (P, R), and further rows.

    `cited` says which split narrowed a bound, for those the verifier does not narrow by itself.
    """

    low: Ints
    high: Ints
    cited: Mapping[tuple[int, int], int] = field(default_factory=dict)
    extra: tuple[Extra, ...] = ()
    depth: int = 0

    def narrowed(self, column: int, at: int, *, above: bool) -> Node:
        """Side on which the unknown is at most `at`, or at least `at + 1`."""
        low, high = self.low.copy(), self.high.copy()
        if above:
            low.flat[column] = max(low.flat[column], at + 1)
        else:
            high.flat[column] = min(high.flat[column], at)
        cited = dict(self.cited)
        if column >= low.shape[1]:
            cited[column, int(above)] = self.depth
        return replace(self, low=low, high=high, cited=cited, depth=self.depth + 1)

    def with_row(self, columns: Sequence[int], at: int, *, above: bool) -> Node:
        """Side on which a sum of unknowns is at most `at`, or at least `at + 1`."""
        sign, bound = (1, at + 1) if above else (-1, -at)
        row = Extra(("split", self.depth), tuple(columns), sign, bound)
        return replace(self, extra=(*self.extra, row), depth=self.depth + 1)


@dataclass(frozen=True, eq=False)
class Shares:
    """The program of one specification.

    Part 0 is the answer key: its total is Q and its shares are q[t].
    """

    totals: Ints  # (P,) ints
    parts: Sequence[RowId]  # the row that says that the shares of a total add up to it
    forms: Sequence[RowId]  # what a split on share t of a part is called, without t
    rows: Rows  # every other row
    # (P, R) ints
    low: Ints
    high: Ints
    # sequence of (row id, columns of C, level, label), C >= ceil(x l) wherever q[t] >= l
    rounded: Sequence[tuple[RowId, tuple[int, ...], Fraction, int]] = ()
    # the unknowns that add up to C[i,t], where something is asked of it
    asked: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    n_first: int = 1  # how many of the first totals to split before the rest
    floors: Sequence[RowId | None] = ()  # the condition that bounds q[t] from below
    # per label the row, if there is just one, that says that other shares add up to q[t]. Its
    # multiplier follows from what is to be left on q[t]
    links: tuple[int, ...] = ()
    # another way to write a refutation from (row id, multiplier) pairs and what is left on the
    # key, where there is one
    write: Writer | None = None

    @property
    def n_labels(self) -> int:
        """Number of labels, R."""
        return int(self.low.shape[1])

    @property
    def n_columns(self) -> int:
        """Number of unknowns."""
        return int(self.low.size)

    @cached_property
    def matrices(self) -> tuple[Any, Any]:
        """Inequalities and equalities in floats; the last equalities add shares up to their totals."""
        from scipy import sparse

        sp: Any = sparse
        matrix, _ = self.rows.real
        n, equal = self.n_columns, self.rows.equal
        ends = np.arange(0, n + 1, self.n_labels)
        adds = sp.csr_array((np.ones(n), np.arange(n), ends), shape=(len(self.totals), n))
        return matrix[~equal], sp.vstack([matrix[equal], adds]).tocsr()

    def root(self) -> Node:
        """Node without splits."""
        return self.refreshed(Node(self.low, self.high))

    def refreshed(self, node: Node) -> Node:
        """Node with the rows that follow from its bounds on the answer key."""
        extra = [row for row in node.extra if row.name[0] == "split"]
        for name, columns, x, t in self.rounded:
            least = -(-x.numerator * int(node.low[0, t]) // x.denominator)
            if least > 0:
                extra.append(Extra(name, columns, 1, least))
        return replace(node, extra=tuple(extra))

    def plain(self) -> Shares:
        """Program without the rows that only follow from others: caps and roundings."""
        kept = [r for r, name in enumerate(self.rows.ids) if name[0] != "cap"]
        return replace(self, rows=self.rows.kept(np.array(kept, np.intp)), rounded=())

    def with_row(
        self,
        first: tuple[Sequence[int], int],
        second: tuple[Sequence[int], int],
        bound: int,
        *,
        scale: int = 1,
    ) -> Shares:
        """Program with the row that two sums of columns, times numbers, are >= bound.

        No certificate names it.
        """
        (columns, a), (others, b) = first, second
        sums = self._sum_of(columns), self._sum_of(others)
        row = Rows((("asked",),), *sums, (a,), (b,), (bound,), (scale,), np.array([False]))
        return replace(self, rows=self.rows + row)

    def _sum_of(self, columns: Sequence[int]) -> Any:
        from scipy import sparse

        sp: Any = sparse
        entries = (np.ones(len(columns), np.int64), ([0] * len(columns), list(columns)))
        return sp.csr_array(entries, shape=(1, self.n_columns), dtype=np.int64)

    def split_form(self, column: int) -> list[Any]:
        """Name of an unknown as certificates write it."""
        part, t = divmod(column, self.n_labels)
        return [*_as_lists(self.forms[part]), t]

    def satisfied(self, shares: Ints) -> bool:
        """Check whole-number shares (P, R) exactly."""
        if (shares < self.low).any() or (shares > self.high).any():
            return False
        if not np.array_equal(shares.sum(1), self.totals):
            return False
        reach = self.rows.values(shares.ravel())
        return all(
            v == b if equal else v >= b
            for v, b, equal in zip(reach, self.rows.bound, self.rows.equal.tolist(), strict=True)
        )


def refutation(shares: Shares, node: Node, base: Ints, extra: Sequence[int]) -> Evidence | None:
    """Multipliers as evidence if they prove, exactly, that no shares meet the rows.

    `base` (M,) whole numbers (objects or int64), multipliers of the rows of `shares`, >= 0 on
    inequalities; at `links`, what is to be left on the counts of the answer key; `extra`:
    multipliers of the rows of the node.
    """
    rows = shares.rows
    base = base.astype(object)
    left = {t: int(base[r]) for t, r in enumerate(shares.links)}
    base[list(shares.links)] = 0
    used = np.flatnonzero(base).tolist()
    common = lcm(*(rows.scale[r] for r in used), 1)
    weights = [0] * len(rows.ids)
    for r in used:
        weights[r] = int(base[r]) * (common // rows.scale[r])
    gains, right = rows.summed(weights), sum(w * rows.bound[r] for r, w in enumerate(weights) if w)
    for y, row in zip(extra, node.extra, strict=True):
        if y:
            right += y * common * row.bound
            gains[list(row.columns)] += y * common * row.sign
    named: list[tuple[RowId, int]] = [(rows.ids[r], int(base[r]) * common) for r in used]
    named += [(row.name, y * common) for y, row in zip(extra, node.extra, strict=True) if y]
    linked = [0] * len(rows.ids)
    for t, r in enumerate(shares.links):
        linked[r] = int(gains[t]) - left[t] * common
    if any(linked):
        gains = gains + rows.summed(linked)
    gains = _compact(gains.reshape(node.low.shape), shares, node)
    offset, reach = best_totals(gains, node.low, node.high, shares.totals)
    if sum(reach.tolist()) >= right:
        return None
    final = gains + offset[:, None]
    cited = _cited_bounds(final, node)
    if shares.write is not None and not cited:
        written = shares.write(named, final[0].tolist())
        if written is not None:
            return written
    named += [(rows.ids[r], linked[r]) for r in shares.links if linked[r]]
    named += [(shares.parts[p], int(offset[p])) for p in np.flatnonzero(offset).tolist()]
    return _as_evidence(named + cited)


def _compact(gains: Ints, shares: Shares, node: Node) -> Ints:
    """Whole numbers as 64-bit ones where every product and sum stays within."""
    most = max((abs(v) for v in gains.ravel().tolist()), default=0)
    largest = max(int(shares.totals.max(initial=0)), int(node.high.max(initial=0)), 1)
    return gains.astype(np.int64) if most * largest * 4 * gains.size < SAFE else gains


def best_totals(gains: Ints, low: Ints, high: Ints, totals: Ints) -> tuple[Ints, Ints]:
    """Per total the multiplier that bounds its shares best, and the bound (P,).

    sum over t of max of (gain + y) v over low <= v <= high, less y * total, is convex and piecewise
    linear in y with kinks at -gain.
    """
    low, high, totals = (np.asarray(part).astype(gains.dtype) for part in (low, high, totals))
    best = reach = None
    for t in range(gains.shape[1]):
        y = -gains[:, t]
        w = gains + y[:, None]
        value = np.where(w > 0, w * high, w * low).sum(1) - y * totals
        if best is None or reach is None:
            best, reach = y, value
        else:
            better = value < reach
            best, reach = np.where(better, y, best), np.where(better, value, reach)
    if best is None or reach is None:
        best = reach = np.zeros(0, np.int64)
    return best, reach


def _cited_bounds(weights: Ints, node: Node) -> list[tuple[RowId, int]]:
    """Cite the splits behind bounds that the verifier does not narrow: each absorbs its weight."""
    rows: list[tuple[RowId, int]] = []
    for (column, above), split in node.cited.items():
        w = int(weights.flat[column])
        if (w > 0 and not above) or (w < 0 and above):
            rows.append((("split", split), abs(w)))
    return rows


def _as_evidence(rows: Sequence[tuple[RowId, int]]) -> Evidence:
    shared = gcd(*(y for _, y in rows)) or 1
    return {
        "kind": "multipliers",
        "rows": [[_as_lists(name), str(y // shared)] for name, y in rows],
    }


def _as_lists(name: RowId) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in name]


def empty_total(shares: Shares, node: Node) -> Evidence | None:
    """Refute a node at which the bounds of the shares of one total contradict it."""
    for t, row in enumerate(shares.floors):
        if row is not None and shares.low[0, t] > shares.high[0, t]:
            return _as_evidence([(row, 1)])
    over, under = node.low.sum(1) > shares.totals, node.high.sum(1) < shares.totals
    for p in np.flatnonzero(over | under).tolist():
        y = 1 if under[p] else -1
        weights = np.zeros(node.low.shape, np.int64)
        weights[p] = y
        return _as_evidence([(shares.parts[p], y), *_cited_bounds(weights, node)])
    return None


# --- Linear programs kept exact: rows with names, whole-number bounds on every unknown.


@dataclass(frozen=True, slots=True)
class Row:
    """One row: sum of terms = bound, or >= bound.

    `name` is the row id of the certificate format; `terms` maps columns to coefficients.
    """

    name: tuple[Any, ...]
    terms: Mapping[int, Fraction | int]
    equality: bool
    bound: Fraction | int


@dataclass(frozen=True, slots=True)
class Program:
    """Rows over unknowns v with lower <= v <= upper."""

    rows: Sequence[Row]
    lower: Sequence[int]
    upper: Sequence[int]

    @property
    def n_columns(self) -> int:
        """Number of unknowns."""
        return len(self.lower)


def satisfied(program: Program, values: Sequence[int]) -> bool:
    """Check a point exactly."""
    if any(
        not low <= v <= high
        for low, v, high in zip(program.lower, values, program.upper, strict=True)
    ):
        return False
    for row in program.rows:
        total = sum(coefficient * values[column] for column, coefficient in row.terms.items())
        if total < row.bound or (row.equality and total != row.bound):
            return False
    return True


# --- The one module that talks to solvers: what it returns is a proposal, never a proof.
#
# Small programs with named rows go to HiGHS through PuLP (`propose_integers`). The two that are built
# as sparse arrays, `least_violation` and `whole_point`, call the same HiGHS through SciPy: PuLP hands
# out neither duals of HiGHS as arrays nor a way to pass a matrix, and writing 10^5 terms as PuLP
# expressions costs more than solving them.


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
    clock: Clock | None = None,
) -> Proposal:
    """Ask HiGHS (through PuLP) for a whole-number point that maximises the objective.

    Columns left out of `integers` are continuous there; every value comes back rounded.
    """
    import pulp

    clock = clock or Clock(None)

    if any(_cannot_hold(row) for row in program.rows):
        return Proposal(None, True)
    rows = [row for row in program.rows if row.terms]
    problem, unknowns = as_problem(
        replace(program, rows=rows),
        objective=objective or {},
        whole=None if integers is None else set(integers),
    )
    work = 5 * work_of(sum(len(row.terms) for row in rows))  # PuLP passes it on term by term
    status = problem.solve(pulp.HiGHS(msg=False, timeLimit=clock.left, gapRel=0))
    result, finished = ended(problem, status)
    clock.spend(work * (1 + NODE_WORK * problem.solverModel.getInfo().mip_node_count))
    values = [unknown.value() for unknown in unknowns]
    if not result or any(value is None for value in values):
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
    """Program as PuLP's problem to be maximised, and its unknowns in order.

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
    text = row_names if row_names is not None else [None] * len(program.rows)
    for row, name in zip(program.rows, text, strict=True):
        form = form_of([(unknowns[j], float(c)) for j, c in row.terms.items()])
        bound = float(row.bound)
        problem += (form == bound if row.equality else form >= bound), name
    return problem, unknowns


def ended(problem: Any, status: Any) -> tuple[bool, bool]:
    """Whether PuLP has a point, and whether the search came to its end."""
    import pulp

    if hasattr(status, "has_solution"):  # PuLP 4, whose statuses have the numbers of PuLP 3
        return status.has_solution, status.status in (_PULP_OPTIMAL, _PULP_INFEASIBLE)
    result = problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)
    return result, status == _PULP_INFEASIBLE or problem.sol_status == pulp.LpSolutionOptimal


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
    interior: bool = False,
    surplus: float = 1.0,
) -> Violation | None:
    """Minimise s such that rows v + s >= bound, with v in a box and equalities met exactly.

    `rows` (M, n) sparse array; `bound` (M,) array; `box`: two (n,) arrays, bounds of the unknowns;
    `equal` (K, n) sparse array and (K,) array, optional; `time_limit`: seconds; `interior`: whether by
    interior point; `surplus`: how far s may go below zero. None when the equalities cannot be met, or
    the solver gave up.
    """
    import highspy

    m = rows.shape[0]
    parts = [_with_column(rows, 1.0)]
    if equal is not None:
        parts.append(_with_column(equal[0], 0.0))
    right = np.concatenate([bound, [] if equal is None else equal[1]]).astype(float)
    solver = lp_model(parts, right, m, (np.append(box[0], -surplus), np.append(box[1], np.inf)))
    settings: dict[str, Any] = {"solver": "ipm" if interior else "simplex"}
    if time_limit is not None:
        settings["time_limit"] = max(time_limit, 0.01)
    for option, value in settings.items():
        solver.setOptionValue(option, value)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return _violation(solver, m, m + len(right[m:]))


def lp_model(parts: Sequence[Any], right: NDArray[Any], m: int, box: tuple[Any, Any]) -> Any:
    """Model of HiGHS that minimises its last unknown: `m` rows at least `right`, the rest equal to it."""
    import highspy
    from scipy import sparse

    sp: Any = sparse
    rows = sp.vstack(list(parts)).tocsr()
    solver = highspy.Highs()
    for option, value in {"output_flag": False, "threads": 1}.items():
        solver.setOptionValue(option, value)
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = rows.shape
    lp.col_cost_ = np.append(np.zeros(rows.shape[1] - 1), 1.0)
    lp.col_lower_, lp.col_upper_ = (np.asarray(end, float) for end in box)
    lp.row_lower_ = right
    lp.row_upper_ = np.where(np.arange(len(right)) < m, np.inf, right)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = rows.indptr, rows.indices
    lp.a_matrix_.value_ = rows.data
    solver.passModel(lp)
    return solver


def _violation(solver: Any, m: int, fixed: int) -> Violation:
    """Solution of a model of which rows `m` to `fixed` are equalities."""
    solution = solver.getSolution()
    duals, point = np.asarray(solution.row_dual), np.asarray(solution.col_value)
    own = np.concatenate([duals[:m], duals[fixed:]])
    return Violation(float(point[-1]), np.maximum(own, 0), duals[m:fixed].copy(), point[:-1].copy())


def _with_column(matrix: Any, entry: float) -> Any:
    """Sparse matrix with a last column that holds one number."""
    from scipy import sparse

    sp: Any = sparse
    matrix = matrix.tocsr()
    (m, n), ends = matrix.shape, matrix.indptr
    if not entry:
        return sp.csr_array((matrix.data, matrix.indices, ends), shape=(m, n + 1))
    entries = np.insert(matrix.data, ends[1:], entry), np.insert(matrix.indices, ends[1:], n)
    return sp.csr_array((*entries, ends + np.arange(m + 1)), shape=(m, n + 1))


def whole_point(
    rows: Sequence[tuple[Any, Any, Any]],
    box: tuple[NDArray[Any], NDArray[Any]],
    *,
    whole: NDArray[Any] | None = None,
    objective: NDArray[Any] | None = None,
    clock: Clock | None = None,
) -> tuple[NDArray[np.float64] | None, bool]:
    """Ask HiGHS for a whole-number point of low <= matrix v <= high, v in a box.

    `rows`: sequence of (matrix, low, high); `box`: two (n,) arrays; `whole` (n,) bool array,
    optional, which unknowns are whole numbers; default all; `objective` (n,) array, optional,
    what to maximise; `clock`: its seconds, and the nodes that its work allows, end the search;
    the nodes taken are counted. Returns the point, or None, and whether the solver came to an end
    (None and True: it found the program infeasible).
    """
    from scipy import optimize

    solver: Any = optimize.milp
    n, clock = len(box[0]), clock or Clock(None)
    work = work_of(sum(int(getattr(part[0], "nnz", 0) or np.size(part[0])) for part in rows))
    nodes = _most_nodes(clock, work)
    solved = solver(
        np.zeros(n) if objective is None else -objective,
        integrality=np.ones(n) if whole is None else whole.astype(float),
        bounds=optimize.Bounds(*box),
        constraints=[optimize.LinearConstraint(*part) for part in rows],
        options={"mip_rel_gap": 0}
        | ({} if clock.left is None else {"time_limit": max(clock.left, 0.01)})
        | ({} if nodes is None else {"node_limit": nodes}),
    )
    clock.spend(work * (1 + NODE_WORK * (solved.get("mip_node_count") or 0)))
    if solved.status == _SCIPY_LIMIT:
        clock.note_time()
    if solved.x is None:
        return None, solved.status == _SCIPY_INFEASIBLE
    return np.asarray(solved.x, float), solved.status == 0


_SCIPY_LIMIT, _SCIPY_INFEASIBLE = 1, 2


def _most_nodes(clock: Clock, work: float) -> int | None:
    """Nodes of an integer program that the work left allows, if it is limited."""
    most = (clock.work_left - work) / (NODE_WORK * work)
    return None if most == inf else max(1, int(most))


def work_of(n_entries: int) -> float:
    """Work of a linear program of so many entries."""
    return LEAST_WORK + n_entries / ENTRIES_A_SECOND


# --- Settle a program of shares: whole-number shares, or a tree whose leaves are exact refutations.
#
# The tree is the certificate. Splits go first on the answer key, then on correct counts, then on single
# shares; every leaf is refuted by multipliers that were rounded to whole numbers and checked exactly.


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """The least violation in items, its multipliers, and the real shares (P, R)."""

    amount: float
    base: Ints
    extra: Ints
    shares: Ints


class _GaveUp(Exception):  # noqa: N818
    """Time, nodes or depth ran out."""


class _Found(Exception):  # noqa: N818
    """Whole-number shares meet every row; holds them."""


def relax(
    shares: Shares,
    node: Node,
    clock: Clock,
    *,
    surplus: float = 1.0,
    warm: _Warm | None = None,
) -> Relaxation | None:
    """Solve the relaxation at a node: the least violation of its inequalities, equalities exact.

    surplus : how many items beyond the rows count (the violation is negative where all are met).
    warm : the model of a tree of these shares, which starts where the last node ended.
    """
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None
    unit = max(1.0, float(shares.totals[0]) / LARGEST_COUNT)
    clock.spend(work_of(shares.rows.n_entries))
    if warm is not None and clock.left is None:
        solved = warm.solve(node)
        if solved is not None:
            return _read(shares, solved, unit)
    made = _Arrays.of(shares, node, unit)
    solved = made.solve(clock, surplus)
    if solved is None and not clock.over:
        return _elastic(shares, made, unit, clock)
    return None if solved is None else _read(shares, solved, unit)


class _Warm:
    """Relaxations of one tree in one model: a node changes bounds and its own last rows."""

    def __init__(self, shares: Shares) -> None:
        self.unit = max(1.0, float(shares.totals[0]) / LARGEST_COUNT)
        made = _Arrays.of(shares, Node(shares.low, shares.high), self.unit)
        parts = [_with_column(made.left, 1.0), _with_column(made.equal[0], 0.0)]
        self.m, self.k, self.n = made.left.shape[0], made.equal[0].shape[0], shares.n_columns
        self.extra: tuple[Extra, ...] = ()
        right = np.concatenate([made.right, made.equal[1]])
        box = np.append(made.box[0], -1.0), np.append(made.box[1], np.inf)
        self.model = lp_model(parts, right, self.m, box)
        self.model.setOptionValue("solver", "simplex")

    def solve(self, node: Node) -> Violation | None:
        """Least violation at a node; None where the solver does not say."""
        import highspy

        solver, fixed = self.model, self.m + self.k
        kept = 0  # rows of the last node that only change their bound
        for old, row in zip(self.extra, node.extra, strict=False):
            if (old.columns, old.sign) != (row.columns, row.sign):
                break
            if old.bound != row.bound:
                solver.changeRowBounds(fixed + kept, row.bound / self.unit, highspy.kHighsInf)
            kept += 1
        if len(self.extra) > kept:
            gone = np.arange(fixed + kept, fixed + len(self.extra), dtype=np.int32)
            solver.deleteRows(len(gone), gone)
        for row in node.extra[kept:]:
            at = np.array([*row.columns, self.n], np.int32)
            signs = np.append(np.full(len(row.columns), float(row.sign)), 1.0)
            solver.addRow(row.bound / self.unit, highspy.kHighsInf, len(at), at, signs)
        self.extra = node.extra
        low, high = node.low.ravel() / self.unit, node.high.ravel() / self.unit
        solver.changeColsBounds(self.n, np.arange(self.n, dtype=np.int32), low, high)
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        return _violation(solver, self.m, fixed)


def _read(shares: Shares, solved: Violation, unit: float) -> Relaxation:
    unequal = shares.rows.equal
    base, n_own = np.zeros(len(shares.rows.ids)), int((~unequal).sum())
    base[~unequal] = solved.multipliers[:n_own]
    base[unequal] = solved.equal_multipliers[: int(unequal.sum())]
    point = solved.point.reshape(shares.low.shape) * unit
    return Relaxation(solved.amount * unit, base, solved.multipliers[n_own:], point)


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """A program in floats: its inequalities, its equalities, its box."""

    unequal: Ints
    left: Any
    right: Ints
    equal: tuple[Any, Ints]
    box: tuple[Ints, Ints]

    @classmethod
    def of(cls, shares: Shares, node: Node, unit: float) -> _Arrays:
        equal, bound = shares.rows.equal, shares.rows.real[1] / unit
        left, together = shares.matrices
        if node.extra:
            from scipy import sparse

            lengths = [len(row.columns) for row in node.extra]
            signs = np.repeat([row.sign for row in node.extra], lengths).astype(float)
            indices = np.repeat(np.arange(len(lengths)), lengths)
            columns = [c for row in node.extra for c in row.columns]
            sp: Any = sparse
            more = sp.csr_array((signs, (indices, columns)), shape=(len(lengths), shares.n_columns))
            left = sp.vstack([left, more]).tocsr()
        right = np.concatenate([bound[~equal], [row.bound / unit for row in node.extra]])
        sums = np.concatenate([bound[equal], shares.totals / unit])
        box = node.low.ravel() / unit, node.high.ravel() / unit
        return cls(equal, left, right, (together, sums), box)

    def solve(self, clock: Clock, surplus: float) -> Violation | None:
        return least_violation(
            self.left,
            self.right,
            self.box,
            equal=self.equal,
            time_limit=clock.left,
            interior=len(self.box[0]) > SIMPLEX_BELOW,
            surplus=surplus,
        )


def _elastic(shares: Shares, made: _Arrays, unit: float, clock: Clock) -> Relaxation | None:
    """Let the coupling equalities be missed too, where bounds make them impossible."""
    from scipy import sparse

    sp: Any = sparse
    matrix, bound = made.equal
    n_coupling = int(made.unequal.sum())
    coupling, rest = matrix[:n_coupling], matrix[n_coupling:]
    left = sp.vstack([coupling, -coupling, made.left]).tocsr()
    clock.spend(work_of(shares.rows.n_entries))
    right = np.concatenate([bound[:n_coupling], -bound[:n_coupling], made.right])
    solved = least_violation(
        left, right, made.box, equal=(rest, bound[n_coupling:]), time_limit=clock.left
    )
    if solved is None:
        return None
    up, down, own = np.split(solved.multipliers, [n_coupling, 2 * n_coupling])
    plain = Violation(solved.amount, own, up - down, solved.point)
    return _read(shares, plain, unit)


def refutation_at(shares: Shares, node: Node, relaxed: Relaxation) -> Evidence | None:
    """Round the multipliers, more and more finely, until they refute the node exactly."""
    if relaxed.amount <= VIOLATED:
        return None
    base = relaxed.base.copy()
    if shares.links:
        base[list(shares.links)] = _left_on_key(shares, node, relaxed)
    proposed = np.concatenate([base, relaxed.extra])
    most = float(np.abs(proposed).max(initial=0.0))
    if most <= 0:
        return None
    last = None
    for scale in ROUNDINGS:
        whole = np.rint(proposed / most * scale).astype(np.int64)
        whole //= int(np.gcd.reduce(whole)) or 1
        if last is not None and np.array_equal(whole, last):
            continue
        last = whole
        result = refutation(shares, node, whole[: len(base)], whole[len(base) :].tolist())
        if result is not None:
            return result
    return None


def _left_on_key(shares: Shares, node: Node, relaxed: Relaxation) -> Ints:
    """(R,) what the multipliers leave on the counts of the answer key, its own total included."""
    matrix, _ = shares.rows.real
    labels = shares.n_labels
    gains = np.asarray(matrix[:, :labels].T @ relaxed.base, float)
    for y, row in zip(relaxed.extra, node.extra, strict=True):
        for column in row.columns if len(row.columns) == 1 else ():
            if column < labels:
                gains[column] += y * row.sign
    offset, _ = best_totals(gains[None], node.low[:1], node.high[:1], shares.totals[:1])
    left: Ints = gains + offset[0]
    return left


Leaf = Callable[[Shares, Node, Relaxation], Evidence | None]


def root_refutation(
    shares: Shares, clock: Clock, *, leaf: Leaf = refutation_at
) -> tuple[Evidence | None, Relaxation | None]:
    """Refutation without any split, or else the relaxation.

    Where another way to write refutations is known, the conditions are tried alone first: what
    rests on them alone is short, and a person can read it.
    """
    node = shares.root()
    empty = empty_total(shares, node)
    if empty is not None or clock.over:
        return empty, None
    relaxed = None
    for program in (shares.plain(), shares) if shares.write is not None else (shares,):
        node = program.root()
        relaxed = relax(program, node, clock)
        if relaxed is None:
            return None, None
        evidence = leaf(program, node, relaxed)
        if evidence is not None:
            return evidence, None
    return None, relaxed


def find_shares(
    shares: Shares,
    clock: Clock,
    *,
    whole: Ints | None = None,
    fixed: Ints | None = None,
    objective: Ints | None = None,
) -> tuple[Ints | None, bool]:
    """Ask the solver for whole-number shares; return them, rounded, and whether it finished.

    whole : (P,) bool
        Totals whose shares must be whole numbers; the rest is rounded.
    fixed : (P, R), optional
        Shares below 0 are free, others are given.
    objective : (P * R,), optional
        What to maximise.
    """
    low, high = shares.low, shares.high
    if fixed is not None:
        low, high = np.where(fixed >= 0, fixed, low), np.where(fixed >= 0, fixed, high)
    if (low > high).any():
        return None, True
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None, False
    made = _Arrays.of(shares, Node(low, high), 1.0)
    matrix, bound = made.equal
    integral = None if whole is None else np.repeat(whole, shares.n_labels)
    point, finished = whole_point(
        [(matrix, bound, bound), (made.left, made.right, np.inf)],
        made.box,
        whole=integral,
        objective=objective,
        clock=clock,
    )
    if point is None:
        return None, finished
    return np.rint(point).astype(np.int64).reshape(low.shape), finished


def real_shares(shares: Shares, clock: Clock, objective: Ints) -> Ints | None:
    """Real shares (P, R) that maximise an objective (P * R,), as the solver proposes."""
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None
    made = _Arrays.of(shares, shares.root(), 1.0)
    matrix, bound = made.equal
    point, _ = whole_point(
        [(matrix, bound, bound), (made.left, made.right, np.inf)],
        made.box,
        whole=np.zeros(shares.n_columns, bool),
        objective=objective,
        clock=clock,
    )
    return None if point is None else point.reshape(shares.low.shape)


Split = tuple[list[Any], int, Node, Node]


class _Tree:
    def __init__(
        self, shares: Shares, clock: Clock, most: int, leaf: Leaf, near: Any = None
    ) -> None:
        self.shares, self.clock, self.left, self.leaf, self.near = shares, clock, most, leaf, near
        self.warm = _Warm(shares) if shares.n_columns <= SIMPLEX_BELOW else None

    def relax(self, node: Node) -> tuple[Node, Relaxation | Evidence]:
        """Node as it stands, with its relaxation or the evidence that it is empty."""
        self.left -= 1
        if self.left < 0 or self.clock.over or node.depth > MAX_DEPTH:
            raise _GaveUp
        node = self.shares.refreshed(node)
        empty = empty_total(self.shares, node)
        if empty is not None:
            return node, empty
        relaxed = relax(self.shares, node, self.clock, warm=self.warm)
        if relaxed is None:
            raise _GaveUp
        return node, relaxed

    def visit(self, node: Node, solved: Any = None) -> Evidence:
        """Tree below a node; raises when shares are found, or when it gives up."""
        node, relaxed = solved or self.relax(node)
        if not isinstance(relaxed, Relaxation):
            return relaxed
        leaf = self.leaf(self.shares, node, relaxed)
        if leaf is not None:
            return leaf
        whole = np.rint(relaxed.shares).astype(np.int64)
        for whole_ in (whole,) if self.near is None else (whole, self.near(relaxed.shares)):
            if self.shares.satisfied(whole_):
                raise _Found(whole_)
        (form, at, low, high), below, above = self.choose(node, relaxed.shares)
        return {
            "split": form,
            "at": at,
            "low": self.visit(low, below),
            "high": self.visit(high, above),
        }

    def choose(self, node: Node, point: Ints) -> tuple[Split, Any, Any]:
        """Next split; among several key counts, try each and keep the strongest."""
        keys = [self._at(node, t, point) for t in self._fractional(node, point[:1])]
        if len(keys) > 1 and self.shares.n_labels > 2 and self.shares.n_columns <= TRIED_BELOW:
            tried = [(split, self.relax(split[2]), self.relax(split[3])) for split in keys]
            return max(tried, key=lambda one: min(_strength(one[1]), _strength(one[2])))
        for split in chain(keys, self._inner(node, point)):
            return split, None, None
        raise _GaveUp

    def _inner(self, node: Node, point: Ints) -> Iterator[Split]:
        """Yield splits below the key: its roundings, correct counts, the first totals, any share."""
        key = np.rint(point[0]).astype(np.int64).tolist()
        flat = point.ravel()
        for _, columns, x, t in self.shares.rounded:
            least = -(-x.numerator * key[t] // x.denominator)
            if node.low[0, t] < key[t] and float(flat[list(columns)].sum()) < least - APART:
                yield self._key(node, t, key[t] - 1)
        yield from self._correct(node, flat)
        for part in (point[: self.shares.n_first], point):
            for column in self._fractional(node, part):
                yield self._at(node, column, point)
        for column in np.flatnonzero(node.low.ravel() < node.high.ravel())[:1].tolist():
            yield self._at(node, column, point)

    def _correct(self, node: Node, flat: Ints) -> Iterator[Split]:
        """Split the most fractional correct count that sums several unknowns."""
        apart = []
        for pair, columns in self.shares.asked.items():
            value = float(flat[list(columns)].sum())
            if len(columns) > 1 and abs(value - round(value)) > APART:
                apart.append((abs(value - round(value)), pair, floor(value)))
        for _, pair, at in sorted(apart, reverse=True)[:1]:
            columns = self.shares.asked[pair]
            low, high = (node.with_row(columns, at, above=side) for side in (False, True))
            yield ["correct", *pair], at, low, high

    def _fractional(self, node: Node, shares: Ints) -> list[int]:
        """Fractional unknowns of the first totals, the most fractional one first."""
        free = (node.low < node.high)[: len(shares)]
        distance = (np.abs(shares - np.rint(shares)) * free).ravel()
        apart = np.flatnonzero(distance > APART)
        return [int(c) for c in apart[np.argsort(-distance[apart], kind="stable")]]

    def _at(self, node: Node, column: int, point: Ints) -> Split:
        low, high = int(node.low.flat[column]), int(node.high.flat[column])
        return self._key(node, column, min(max(floor(point.flat[column]), low), high - 1))

    def _key(self, node: Node, column: int, at: int) -> Split:
        sides = node.narrowed(column, at, above=False), node.narrowed(column, at, above=True)
        return self.shares.split_form(column), at, *sides


def _strength(solved: tuple[Node, Any]) -> float:
    """How far a side of a split is from possible."""
    relaxed = solved[1]
    return relaxed.amount if isinstance(relaxed, Relaxation) else np.inf


def branch(
    shares: Shares,
    clock: Clock,
    *,
    most: int,
    leaf: Leaf = refutation_at,
    near: Callable[[Ints], Ints] | None = None,
    node: Node | None = None,
) -> tuple[Ints | None, Evidence | None]:
    """Decide by branch and bound: whole-number shares, or evidence that there are none, or neither.

    `most`: how many relaxations to solve at most; `leaf`: turns a node and its relaxation into a
    refutation, where it can; `near`: whole-number shares near real ones; simple rounding is
    always tried; `node`: where to start; default the root.
    """
    tree = _Tree(shares, clock, most, leaf, near)
    try:
        outcome = tree.visit(shares.root() if node is None else node)
    except _GaveUp:
        return None, None
    except _Found as whole:
        return whole.args[0], None
    return None, outcome if "kind" in outcome else {"kind": "branches", "tree": outcome}


def keys_meeting(
    shares: Shares, clock: Clock, *, most: int, near: Callable[[Ints], Ints] | None = None
) -> tuple[dict[tuple[int, ...], Ints], Evidence] | None:
    """Every answer key (counts by label) at which the rows can be met, with shares of just that key.

    With them the tree that refutes every other key. None when the work ran out. Boxes of keys are halved
    until each is refuted or one key that can.
    """
    tree = _Tree(shares, clock, most, refutation_at, near)
    proof: Evidence = {}
    waiting, keys = [(shares.root(), proof)], {}
    while waiting:
        node, part = waiting.pop()
        node = _tightened(node, int(shares.totals[0]))
        try:
            node, relaxed = tree.relax(node)
        except _GaveUp:
            return None
        refuted = relaxed if not isinstance(relaxed, Relaxation) else None
        if isinstance(relaxed, Relaxation):
            refuted = refutation_at(shares, node, relaxed)
        if refuted is not None:
            part.update(refuted)
            continue
        low, high = node.low[0], node.high[0]
        t = int((high - low).argmax())
        if low[t] < high[t]:
            form, at, below, above = tree._key(node, t, int(low[t] + high[t]) // 2)
            part.update({"split": form, "at": at, "low": {}, "high": {}})
            waiting += [(above, part["high"]), (below, part["low"])]
            continue
        alone = replace(
            shares, low=node.low, high=node.high
        )  # shares of another key are none of this
        outcome, evidence = branch(alone, clock, most=most, near=near, node=node)
        if outcome is not None:
            keys[tuple(low.tolist())] = outcome
            part["kind"] = "listed"
        elif evidence is None:
            return None
        else:
            part.update(evidence.get("tree", evidence))
    return dict(sorted(keys.items())), proof


def _tightened(node: Node, n_items: int) -> Node:
    """Node with the bounds on the key that its own sum implies."""
    low, high = node.low.copy(), node.high.copy()
    least, most = int(low[0].sum()), int(high[0].sum())
    low[0] = np.maximum(node.low[0], n_items - most + node.high[0])
    high[0] = np.minimum(node.high[0], n_items - least + node.low[0])
    return Node(low, high, node.cited, node.extra, node.depth)


# --- Prove how many judges fall short from certified conflicts: a blame tree.
#
# Whoever falls short includes a member of each conflict. Blame one, look at a conflict among the
# judges not blamed yet, blame one of its members, and so on: every path of length v names v judges
# that fall short together, so at least v do. The tree is written with one node for each set of
# judges blamed, however many paths lead to it.


@dataclass(frozen=True, slots=True)
class Conflict:
    """Judges that cannot meet the conditions together, with the evidence about them alone."""

    members: frozenset[int]
    order: tuple[int, ...]
    evidence: Mapping[str, Any]


def _bits(judges: Iterable[int]) -> int:
    """Judges as bits of a whole number."""
    return sum(1 << i for i in judges)


class Blame:
    """Grow a tree from known conflicts, and an oracle that finds one among some of the judges."""

    def __init__(
        self,
        n_judges: int,
        conflict: Callable[[frozenset[int]], Conflict | None],
        clock: Clock,
        earlier: Sequence[Conflict] = (),
    ) -> None:
        self.everyone = frozenset(range(n_judges))
        self.conflict, self.clock = conflict, clock
        self.found = sorted(earlier, key=lambda c: len(c.order))
        self._smallest_first = sorted(self._ranked(k, c) for k, c in enumerate(self.found))
        self.choice: dict[frozenset[int], int | None] = {}

    def choose(self, blamed: frozenset[int]) -> int | None:
        """Position of a conflict that avoids the judges blamed."""
        if blamed not in self.choice:
            bits = _bits(blamed)
            index = next((k for _, k, own in self._smallest_first if not own & bits), None)
            self.choice[blamed] = self._look(blamed) if index is None else index
        return self.choice[blamed]

    def _look(self, blamed: frozenset[int]) -> int | None:
        if self.clock.over or blamed == self.everyone:
            return None
        new = self.conflict(self.everyone - blamed)
        if new is None:
            return None
        insort(self._smallest_first, self._ranked(len(self.found), new))
        self.found.append(new)
        return len(self.found) - 1

    @staticmethod
    def _ranked(index: int, conflict: Conflict) -> tuple[int, int, int]:
        return len(conflict.members), index, _bits(conflict.members)

    def depth(self, most: int) -> int:
        """How many judges can be blamed on every path, within the limit on nodes."""
        level: dict[frozenset[int], None] = {frozenset(): None}
        n_nodes = 0
        for reached in range(most):
            following: dict[frozenset[int], None] = {}
            for blamed in level:
                index = None if self.clock.over else self.choose(blamed)
                if index is None:
                    return reached
                following |= dict.fromkeys(blamed | {i} for i in self.found[index].members)
            n_nodes += len(following)
            if n_nodes > MOST_BLAMED:
                return reached
            level = following
        return most

    def nodes(self, depth: int, names: Sequence[str]) -> list[Any]:
        """Node for each set of judges blamed; children are positions further on in the list."""
        nodes: list[Any] = []
        sets, position = [frozenset[int]()], {}
        for blamed in sets:
            conflict, last = self.choose(blamed) or 0, len(blamed) == depth - 1
            children: dict[str, int | None] = {}
            for i in self.found[conflict].order:
                after = blamed | {i}
                if not last and after not in position:
                    position[after] = len(sets)
                    sets.append(after)
                children[names[i]] = None if last else position[after]
            nodes.append({"conflict": conflict, "children": children})
        return nodes


def grow_blame(blame: Blame, names: Sequence[str], most: int) -> tuple[int, dict[str, Any] | None]:
    """How many judges are proved to fall short, at most `most`, and the evidence."""
    depth = blame.depth(most)
    if depth == 0:
        return 0, None
    conflicts = [
        {"judges": [names[i] for i in c.order], "evidence": dict(c.evidence)} for c in blame.found
    ]
    nodes = blame.nodes(depth, names)
    return depth, {"kind": "conflicts", "conflicts": conflicts, "tree": 0, "nodes": nodes}


# --- Whole-number shares near the best real ones, where asking for all whole numbers at once takes
# long.
#
# A real solution at a corner of its polytope has few fractional shares. All others are kept, and the
# solver is asked for the rest; what it returns is checked. Its value is compared with that of the real
# solution, beyond which nothing lies.


def near_best(shares: Shares, objective: Ints, clock: Clock) -> Ints | None:
    """Whole-number shares, checked, that come near the greatest objective; None without any.

    objective : (P * R,)
    """
    real = real_shares(shares, clock, objective)
    if real is None:
        return None
    whole = np.rint(real).astype(np.int64)
    kept: Ints = np.asarray((np.abs(real - whole) <= APART).all(axis=1))
    kept[0] = False
    indices = np.arange(len(kept))
    for step in FREED_TOTALS:
        free = ~kept if step is None else ~kept | (indices % step == 0)
        fixed = np.where(free[:, None], -1, whole)
        whole_, _ = find_shares(shares, clock.part(NEAR_WORK), fixed=fixed, objective=objective)
        if whole_ is not None and shares.satisfied(whole_):
            return whole_
    return None
