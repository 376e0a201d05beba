"""Three judges whose errors are independent, and every trio of a panel: solved in closed form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice, permutations, product
from math import isqrt, prod
from typing import Any, ClassVar

import flint
import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval._lazy import provided
from algeval.data import Evaluation
from algeval.data.evaluation import DASH, is_share, items_behind, shown_share
from algeval.data.names import NOT_ANSWERED, check_choice, check_names, read_only
from algeval.data.reading import Data, as_sketch
from algeval.errors import DataError, TooLargeError, either_way, option
from algeval.result import Exact, Quadratic, Result, Status, format_exact
from algeval.result.base import Record
from algeval.result.numbers import aligned, as_html, expression, how_many
from algeval.result.tables import Table, scalars

# --- Three judges' counts as one exact table: what every decoder reads.


_MOST_ANSWERS = 64


@dataclass(frozen=True, slots=True)
class Moments:
    """Exact moments of a binary trio's decision frequencies (Algebraic Evaluation, S9-S15).

    Attributes
    ----------
    marginals : tuple of 3 Fraction
        How often each judge gave the second label.
    pairs : tuple of 3 Fraction
        X, Y, Z: the covariances of judges (1, 2), (1, 3) and (2, 3).
    trio : Fraction
        D: the third central moment of the three judges.
    """

    marginals: tuple[Fraction, Fraction, Fraction]
    pairs: tuple[Fraction, Fraction, Fraction]
    trio: Fraction

    @property
    def product(self) -> Fraction:
        """T = X Y Z; negative when no prevalence inside (0, 1) fits."""
        x, y, z = self.pairs
        return x * y * z

    @property
    def discriminant(self) -> Fraction:
        """A = D^2 + 4 T, which independent errors make the square of a fraction (S17)."""
        return self.trio**2 + 4 * self.product


@dataclass(frozen=True, slots=True, eq=False)
class Trio:
    """The items all three judges answered, counted by decision tuple."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    # nested tuples of int, shape (A, A, A), counts by the answers of the three judges; answers
    # after the labels that none of the three gave are dropped
    table: tuple[tuple[tuple[int, ...], ...], ...]
    n_items: int
    n_used: int
    sketch_digest: str

    @property
    def binary(self) -> bool:
        """Whether there are two labels and no answer beyond them."""
        return len(self.answers) == 2 == len(self.labels)

    @property
    def flat(self) -> tuple[int, ...]:
        """The counts in lexicographic order of the decision tuples."""
        return tuple(count for plane in self.table for row in plane for count in row)


def trio_of(data: Data, judges: Iterable[object] | None = None) -> Trio:
    """Table of three judges over the items all three answered."""
    sketch = as_sketch(data)
    names = sketch.judges if judges is None else check_names("judge", judges)
    if len(names) != 3:
        raise DataError(
            f"decoding must read exactly three judges; got {len(names)}; pass "
            f"{either_way('judges=[...]', '--judges')} with three"
        )
    if sketch.n_labels < 2:
        raise DataError(
            f"decoding must have at least two labels; got {list(sketch.labels)}; pass {option('labels')}"
        )
    part = sketch.marginal(names)
    kept = (part.codes != NOT_ANSWERED).all(1)
    codes, counts = part.codes[kept], part.counts[kept]
    used = sorted(set(range(part.n_labels)) | {int(c) for c in np.unique(codes)})
    index = {code: position for position, code in enumerate(used)}
    size = len(used)
    if size > _MOST_ANSWERS:
        raise TooLargeError(
            f"decoding must have at most {_MOST_ANSWERS} answers; got {size}, a table of {size**3} "
            "cells; merge answers, or cut scores into labels"
        )
    table = np.zeros((size, size, size), dtype=object)
    for (i, j, k), count in zip(codes.tolist(), counts.tolist(), strict=True):
        table[index[i], index[j], index[k]] += count
    return Trio(
        part.judges,
        part.labels,
        tuple(part.answers[code] for code in used),
        tuple(tuple(tuple(int(c) for c in row) for row in plane) for plane in table.tolist()),
        sketch.n_items,
        int(counts.sum()),
        sketch.digest,
    )


def integer_moments(flat: Any) -> tuple[Any, ...]:
    """Q, n_i, n_j, n_k, Q^2 X, Q^2 Y, Q^2 Z and Q^3 D of the eight counts AAA, AAB, ...

    The counts are whole numbers, or arrays of them: one trio or many.
    """
    _, aab, aba, abb, baa, bab, bba, bbb = flat
    q = sum(flat)
    n_ij, n_ik, n_jk = bba + bbb, bab + bbb, abb + bbb
    n_i, n_j, n_k = baa + bab + n_ij, aba + abb + n_ij, aab + abb + n_ik
    x, y, z = q * n_ij - n_i * n_j, q * n_ik - n_i * n_k, q * n_jk - n_j * n_k
    pairwise = n_i * n_jk + n_j * n_ik + n_k * n_ij
    d = q * q * bbb - q * pairwise + 2 * n_i * n_j * n_k
    return q, n_i, n_j, n_k, x, y, z, d


def moments_of(trio: Trio) -> Moments | None:
    """Exact moments of a binary trio, None for more answers or no items."""
    if not trio.binary or not trio.n_used:
        return None
    q, n_i, n_j, n_k, x, y, z, d = integer_moments(trio.flat)
    return Moments(
        (Fraction(n_i, q), Fraction(n_j, q), Fraction(n_k, q)),
        (Fraction(x, q**2), Fraction(y, q**2), Fraction(z, q**2)),
        Fraction(d, q**3),
    )


# --- How many labels each judge of a trio tells apart, as far as the counts show it.


def flattening_ranks(trio: Trio) -> tuple[int, ...]:
    """For each judge the rank of its answers against the joint answers of the other two.

    It is at most the rank of the judge's confusion table, hence at least that many labels are told
    apart. Exact, in whole numbers.
    """
    cube = np.array(trio.table, dtype=object)
    size = len(trio.answers)
    rows = (np.moveaxis(cube, axis, 0).reshape(size, -1).tolist() for axis in range(3))
    return tuple(flint.fmpz_mat(table).rank() for table in rows)


def blind_judges(ranks: tuple[int, ...], n_labels: int) -> tuple[int, ...]:
    """Judges whom the counts prove to answer every label alike.

    Where a judge tells all labels apart, the ranks of the other two are those of their own tables.
    """
    if max(ranks) < n_labels:
        return ()
    return tuple(judge for judge, rank in enumerate(ranks) if rank == 1)


def rank_words(trio: Trio, ranks: tuple[int, ...]) -> str:
    """Return what the ranks say of each judge, and what they would have to add up to."""
    n_labels = len(trio.labels)
    text = ", ".join(f"{judge} {rank}" for judge, rank in zip(trio.judges, ranks, strict=True))
    words = f"; kinds of items that the counts show told apart, of {n_labels}: {text}"
    if sum(ranks) < 2 * n_labels + 2:
        words += f" (one evaluation, by Kruskal's condition: {2 * n_labels + 2} in all)"
    return words


# --- What a decoder found before it is dressed as a result, and the checks every engine shares.


@dataclass(frozen=True, slots=True)
class Solution:
    """One point of the variety: prevalence[t] and confusion[judge][t][answer].

    A row of the confusion is None where the label never occurs.
    """

    prevalence: tuple[Any, ...]
    confusion: tuple[tuple[tuple[Any, ...] | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the decoding ended, why, and the points found (all label orders of a binary trio)."""

    status: Status
    reason: str
    solutions: tuple[Solution, ...] = ()
    dimension: int | None = None
    uninformative: tuple[int, ...] = ()
    in_range: bool | None = None
    integral: bool | None = None


EMPTY = Verdict(Status.UNDETERMINED, "no item was answered by all three judges")


def binary_solution(p: Exact, accuracies: Sequence[tuple[Exact, Exact]]) -> Solution:
    """Point with prevalence `p` of the first label and (P_iA, P_iB) of each judge."""
    return Solution(
        (p, 1 - p),
        tuple(((on_a, 1 - on_a), (1 - on_b, on_b)) for on_a, on_b in accuracies),
    )


def total_accuracy(solution: Solution) -> Any:
    """Sum of every judge's accuracy on every label that occurs (Algebraic Evaluation, eq. 4)."""
    total: Any = 0
    for rows in solution.confusion:
        for t, row in enumerate(rows):
            if row is not None:
                total = total + row[t]
    return total


def cell_counts(solution: Solution, n_items: int) -> list[list[Any]]:
    """Return [true label][decision tuple]: the number of items independent errors put there."""
    cells = []
    for t, share in enumerate(solution.prevalence):
        rows = [judge[t] for judge in solution.confusion]
        if any(row is None for row in rows):
            width = max(len(row) for judge in solution.confusion for row in judge if row)
            cells.append([Fraction(0)] * width**3)
            continue
        first, second, third = (row for row in rows if row is not None)
        ones = [n_items * share * x for x in first]
        twos = [entry * y for entry in ones for y in second]
        cells.append([two * z if two else two for two in twos for z in third])
    return cells


def judge_solutions(solutions: Sequence[Solution], trio: Trio) -> Verdict:
    """Verdict on real solutions: prevalence, squareness, accuracies, whole numbers.

    The label orders of one solution share their cells, so the first speaks for all.
    """
    points = tuple(solutions)
    first = points[0]
    shares = first.prevalence
    entries = [v for judge in first.confusion for row in judge if row is not None for v in row]
    inside = all(0 <= share <= 1 for share in shares)
    accurate = all(0 <= entry <= 1 for entry in entries)
    end = partial(Verdict, solutions=points, dimension=0)
    if not inside:
        return end(Status.OUT_OF_RANGE, "a prevalence leaves [0, 1]", in_range=False)
    if any(isinstance(v, Quadratic) for v in (*shares, *entries)):
        reason = "the solution is irrational"
        reason = reason if accurate else f"an accuracy leaves [0, 1] and {reason}"
        return end(Status.IRRATIONAL, reason, in_range=accurate)
    if not accurate:
        return end(Status.OUT_OF_RANGE, "an accuracy or error rate leaves [0, 1]", in_range=False)
    cells = cell_counts(first, trio.n_used)
    if any(
        sum(column) != count
        for column, count in zip(zip(*cells, strict=True), trio.flat, strict=True)
    ):
        raise RuntimeError("a decoded evaluation does not reproduce its counts; please report this")
    whole = all(cell.denominator == 1 for row in cells for cell in row)
    status = Status.OK if whole else Status.NOT_INTEGRAL
    reason = (
        "whole numbers of items reproduce every count"
        if whole
        else "reproducing the counts would take fractions of items"
    )
    return end(status, reason, in_range=True, integral=whole)


# --- The ladder as an object: steps, and the equations of each.


AnyExpr = Any  # sympy.Expr; SymPy is untyped

_SHARE = re.compile(r"f_\{B_(\w)\}")
_LONG = 12


def plain(value: AnyExpr) -> str:
    """Expression in the short names that `prove` reads.

    Examples
    --------
    >>> import sympy
    >>> plain(sympy.Symbol("f_{B_i}") * sympy.Symbol("Delta_{i,j,k}")**2)
    'Delta_ijk^2*f_Bi'
    """
    return re.sub(r"[{},]", "", _SHARE.sub(r"f_B\1", str(value))).replace("**", "^")


@dataclass(frozen=True, slots=True)
class Equation(Record):
    """Two sides, and where Algebraic Evaluation prints it.

    Attributes
    ----------
    left, right : sympy expression
    number : str
        "S16" and so on; empty where the paper does not print it.
    """

    left: AnyExpr
    right: AnyExpr
    number: str = ""

    def __str__(self) -> str:
        right = plain(self.right)
        number = self.right.is_number and len(right) > _LONG
        near = f" = {complex(self.right):.6g}" if number and not self.right.is_real else ""
        near = f" = {float(self.right):.6g}" if number and self.right.is_real else near
        behind = f"   ({self.number})" if self.number else ""
        return f"{plain(self.left)} = {right}{near}{behind}"

    def _repr_latex_(self) -> str:
        return aligned([self.row()])

    def row(self) -> tuple[str, str, str]:
        """Both sides and the number as LaTeX."""
        number = rf"\text{{({self.number})}}" if self.number else ""
        return expression(self.left), expression(self.right), number


@dataclass(frozen=True, slots=True)
class LadderStep(Record):
    """One step from the counts to the evaluations.

    Attributes
    ----------
    name : str
        One of `Ladder.names`.
    text : str
        What the step does, in a sentence.
    equations : tuple of Equation
    """

    name: str
    text: str
    equations: tuple[Equation, ...]

    def summary(self) -> str:
        """Sentence and the equations, a line each."""
        return "\n".join([self.text, *(f"  {equation}" for equation in self.equations)])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"LadderStep({self.name!r}, {how_many(len(self.equations), 'equation')})"

    def _repr_latex_(self) -> str:
        return aligned([equation.row() for equation in self.equations])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ladder(Result):
    """Every step of decoding three judges by computer algebra.

    Attributes
    ----------
    status : Status
        Of the decoding; `ok` where the moments stay symbols.
    judges, labels : tuple of str
        Who is called i, j, k, and which labels are A and B.
    steps : tuple of LadderStep
        All eight, or those up to where the ladder ends: nothing solves the equations, infinitely many
        evaluations do, or the two that do are complex.
    """

    schema: ClassVar[str] = "algeval.ladder/1"
    names: ClassVar[tuple[str, ...]] = (
        "encode",
        "moments",
        "basis",
        "elimination",
        "quadratic",
        "roots",
        "substitution",
        "check",
    )

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    steps: tuple[LadderStep, ...]

    def __iter__(self) -> Iterator[LadderStep]:
        return iter(self.steps)

    def step(self, name: str) -> LadderStep:
        """Step of this name.

        Raises
        ------
        DataError
            If there is none, or the ladder ends before it.
        """
        results = {step.name: step for step in self.steps}
        check_choice("name", name, tuple(results))
        return results[name]

    def equation(self, number: str) -> Equation:
        """Equation that Algebraic Evaluation prints under this number."""
        results = {e.number: e for step in self.steps for e in step.equations if e.number}
        check_choice("number", number, tuple(results))
        return results[number]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per equation: step, left side, right side, number in the paper."""
        rows = [
            (step.name, plain(e.left), plain(e.right), e.number)
            for step in self.steps
            for e in step.equations
        ]
        return (Table.of_rows("Equations", ("step", "left", "right", "number"), rows),)

    def summary(self) -> str:
        """Every step as a person reads it."""
        steps = [f"{n}. {step.summary()}" for n, step in enumerate(self.steps, start=1)]
        return "\n".join([self.message, *steps])

    def _repr_latex_(self) -> str:
        return "\n\n".join(step._repr_latex_() for step in self.steps)

    def _repr_html_(self) -> str:
        steps = "".join(f"<p>{step.text}</p>{as_html(step._repr_latex_())}" for step in self.steps)
        return f"<div>{Result._repr_html_(self)}{steps}</div>"


# --- What decoding returns.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decoding(Result):
    """The evaluations of three judges that independent errors allow, with the self-alarm.

    Attributes
    ----------
    status : Status
        `ok`: whole numbers of items reproduce every count; a candidate, since counts alone never
        prove independence. `irrational`, `not_integral`, `out_of_range`, `complex`,
        `inconsistent`: the errors are not exactly independent on this test, `evaluations` still
        holds the estimates where there are any. `undetermined`: independent errors could produce
        the counts in infinitely many ways; this is no alarm.
    engine : str
        "closed", "groebner" or "pencil".
    reason : str
        Why the status is what it is, in half a sentence.
    n_items, n_used, n_left_out : int
        Items in the data, items all three judges answered, and the rest.
    evaluations : tuple of Evaluation
        Two labels: both solutions, greatest total accuracy first. More labels: the label orders of
        greatest total accuracy (`orders()` has all). Exact unless the status is irrational and
        there are more than two labels.
    tie : bool
        Whether several label orders share the greatest total accuracy.
    moments : Moments or None
        X, Y, Z, D and the discriminant a of a binary trio, exact.
    in_range : bool or None
        Whether every number of the solution lies in [0, 1].
    integral : bool or None
        Whether every count by true label is a whole number of items.
    dimension : int or None
        Dimension of the set of solutions over the complex numbers: 0 is finitely many.
    uninformative : tuple of str
        Judges the counts prove to answer every label alike.
    ranks : tuple of int
        Where the status is undetermined: how many labels the counts show that each judge tells apart,
        the rank of its answers against those of the other two. Otherwise empty.
    """

    schema: ClassVar[str] = "algeval.decoding/1"
    frame_table: ClassVar[int] = -1

    engine: str
    reason: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    sketch_digest: str
    n_items: int
    n_used: int
    n_left_out: int
    evaluations: tuple[Evaluation, ...]
    tie: bool
    moments: Moments | None
    in_range: bool | None
    integral: bool | None
    dimension: int | None
    uninformative: tuple[str, ...]
    ranks: tuple[int, ...] = ()

    @property
    def best(self) -> Evaluation | None:
        """The evaluation of greatest total accuracy (Algebraic Evaluation, eq. 4); None if none, or a tie."""
        return self.evaluations[0] if self.evaluations and not self.tie else None

    def orders(self) -> Iterator[Evaluation]:
        """Yield the evaluation under every assignment of names to the labels found, R! in all."""
        if not self.evaluations:
            return
        base = self.evaluations[0]
        for order in permutations(range(len(base.labels))):
            indices = np.array(order)
            yield Evaluation(*base.axes, base.prevalence[indices], base.confusion[:, indices, :])

    def ladder(self) -> Ladder:
        """Every step from the counts to both solutions, by computer algebra (two labels only)."""
        # the symbolic part rests on this one, so the front of the package hands it down
        ladder: Ladder = provided["ladder"](self)
        return ladder

    def as_tables(self) -> tuple[Table, ...]:
        """Verdict, the accuracies of each solution, and every number of each.

        `to_frame` returns the last: solution, judge, label, answer, value.
        """
        numbered = list(enumerate(self.evaluations, start=1))
        rows = [
            (k, *row)
            for k, evaluation in numbered
            for row in zip(*evaluation.as_tables()[2].columns.values(), strict=True)
        ]
        names = ("solution", "judge", "label", "answer", "value")
        shown = [
            replace(t, title=f"{t.title} ({k})") for k, e in numbered for t in e.as_tables()[:2]
        ]
        return scalars(self), *shown, Table.of_rows("Confusion tables", names, rows)

    def summary(self) -> str:
        """Verdict, and the numbers of the evaluations it rests on."""
        lines = [self.message]
        shown = self.evaluations if self.tie else self.evaluations[:1]
        for number, evaluation in enumerate(shown, 1):
            if self.tie:
                lines.append(f"Solution {number} of {len(shown)} with the same total accuracy:")
            lines += _evaluation_lines(evaluation, self.n_used)
        if self.moments is not None:
            x, y, z = self.moments.pairs
            lines.append(
                f"  for the algebra: moments X = {x}, Y = {y}, Z = {z}, D = {self.moments.trio}"
            )
            lines.append(f"  and discriminant a = {self.moments.discriminant}")
        return "\n".join(lines)


def evaluation_of(values: Evaluation | Decoding) -> Evaluation:
    """Evaluation, or the best one of a decoding, or say why there is none."""
    if isinstance(values, Decoding) and values.best is None:
        raise DataError(
            f"the decoding must have a best evaluation; got status {values.status.value!r}"
            f"{' with a tie' if values.tie else ''}; pass one of .evaluations"
        )
    chosen = values.best if isinstance(values, Decoding) else values
    if not isinstance(chosen, Evaluation):
        raise DataError(
            f"evaluation must be an Evaluation or a Decoding; got {type(chosen).__name__}; "
            "decode three judges and pass that"
        )
    return chosen


def _evaluation_lines(evaluation: Evaluation, n_items: int) -> list[str]:
    lines = []
    for t, label in enumerate(evaluation.labels):
        share = evaluation.prevalence[t]
        lines.append(f"  {label}: {shown_exactly(share)} of the items")
        for i, judge in enumerate(evaluation.judges):
            if items_behind(evaluation, i, t, n_items) < 1:
                why = "rests on less than one item" if is_share(share) else "is one on no share"
                lines.append(f"    {judge}: {DASH} (its accuracy {why})")
                continue
            value = evaluation.confusion[i, t, t]
            lines.append(f"    {judge} is right on {shown_exactly(value)} of them")
    return lines


def shown_exactly(value: Any) -> str:
    """Share exactly and as a percentage; a dash and the number where it is no share."""
    if value is None or value != value:
        return f"{DASH} (unknown)"
    if not is_share(value):
        return f"{DASH} ({float(value):.4g} leaves [0, 1])"
    if isinstance(value, float):
        return shown_share(value)
    text = format_exact(value)
    return text if len(text) <= 40 else shown_share(value, 4)


# --- The closed form of three independent binary judges, classified in exact integers.


_SMALL_PRIMES = [n for n in range(2, 1000) if all(n % k for k in range(2, isqrt(n) + 1))]


def decode_closed(trio: Trio) -> Verdict:
    """Verdict on a binary trio.

    With X, Y, Z, D the moments and s^2 = D^2 + 4 X Y Z, the two points are
    p = (s + D) / 2s, d_i = s / Z, d_j = s / Y, d_k = s / X, one for each sign of s; nothing here
    divides by a moment that may vanish.
    """
    if not trio.n_used:
        return EMPTY
    moments = integer_moments(trio.flat)
    x, y, z, d = moments[4:]
    if 0 in (x, y, z):
        return _degenerate((x, y, z), d)
    a = d * d + 4 * x * y * z
    if a < 0:
        return Verdict(Status.COMPLEX, "the discriminant D^2 + 4XYZ is negative", dimension=0)
    if a == 0:
        return Verdict(Status.INCONSISTENT, "D^2 + 4XYZ is zero while XYZ is not")
    scale, rest = square_part(a)
    return judge_solutions([_point(moments, sign * scale, rest) for sign in (1, -1)], trio)


def _degenerate(pairs: tuple[int, int, int], d: int) -> Verdict:
    zeros = [index for index, value in enumerate(pairs) if value == 0]
    if len(zeros) == 1:
        return Verdict(Status.INCONSISTENT, "exactly one pair of judges is uncorrelated")
    if d != 0:
        return Verdict(
            Status.INCONSISTENT,
            "the pairs are uncorrelated but the three judges together are not independent",
        )
    if len(zeros) == 2:
        (correlated,) = set(range(3)) - set(zeros)
        alone = {0: 2, 1: 1, 2: 0}[correlated]
        return Verdict(
            Status.UNDETERMINED,
            "one judge answers both labels alike, and two judges cannot be graded alone",
            dimension=2,
            uninformative=(alone,),
        )
    return Verdict(
        Status.UNDETERMINED,
        "the judges' answers are unrelated: only one label occurs, or at least two of the judges "
        "answer both labels alike",
        dimension=3,
    )


def _point(moments: tuple[int, ...], b: int, rest: int) -> Solution:
    """Point for s = b * sqrt(rest) / Q^3, in integers until the last division."""
    q, n_i, n_j, n_k, x, y, z, d = moments
    half = Fraction(1, 2)
    p = Quadratic.make(half, Fraction(d, 2 * b * rest), rest)
    accuracies: list[tuple[Exact, Exact]] = []
    for n, opposite in ((n_i, z), (n_j, y), (n_k, x)):
        scale = 2 * q * opposite
        slope = Fraction(b, scale)
        on_a = Quadratic.make(Fraction(2 * opposite * (q - n) - d, scale), slope, rest)
        on_b = Quadratic.make(Fraction(2 * opposite * n + d, scale), slope, rest)
        accuracies.append((on_a, on_b))
    return binary_solution(p, accuracies)


def square_part(n: int) -> tuple[int, int]:
    """Return (k, m) with n = k^2 m for n > 0: m = 1 exactly when n is a square.

    Squares of small primes are taken out of m so that roots print short; m need not be square-free.
    """
    root = isqrt(n)
    if root * root == n:
        return root, 1
    k = 1
    for prime in _SMALL_PRIMES:
        square = prime * prime
        if square > n:
            break
        while n % square == 0:
            n //= square
            k *= prime
    root = isqrt(n)
    return (k * root, 1) if root * root == n else (k, n)


# --- Decode many binary trios at once: integer moments, exact verdicts, floating-point estimates.


STATUSES = (
    Status.OK,
    Status.IRRATIONAL,
    Status.NOT_INTEGRAL,
    Status.OUT_OF_RANGE,
    Status.COMPLEX,
    Status.INCONSISTENT,
    Status.UNDETERMINED,
)
"""What the numbers in `BatchDecoding.codes` stand for."""

MOST_ITEMS = 2_097_151
"""Largest test whose moments fit 64 bits; larger ones are decoded one by one."""

_MOST = 2**63 - 1
_CHUNK = 20_000
_CODE = {status: place for place, status in enumerate(STATUSES)}
_MODULI = ((63, 65, 11, 17, 19, 23), (29, 31, 37, 41, 43), (47, 53, 59, 61))
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def inside(prevalence: Floats, accuracies: Floats) -> NDArray[np.bool_]:
    """Return (M,): whether every number of a solution lies in [0, 1]; NaN does not."""
    points: Floats = np.column_stack([prevalence, accuracies.reshape(len(prevalence), -1)])
    with np.errstate(invalid="ignore"):
        result: NDArray[np.bool_] = np.all((points >= 0) & (points <= 1), axis=1)
    return result


def count_statuses(codes: NDArray[np.int8]) -> dict[str, int]:
    """How many codes stand for each status."""
    counts = np.bincount(codes, minlength=len(STATUSES))
    return {s.value: int(n) for s, n in zip(STATUSES, counts, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatchDecoding(Result):
    """The verdicts and best estimates of many binary trios.

    Attributes
    ----------
    status : Status
        Always `ok`: the batch ran; each trio has its own verdict.
    codes : (M,) int8 array
        Positions in `STATUSES`, exact.
    prevalence : (M,) float array
        Share of the first label in the solution of greatest total accuracy; NaN where there is no
        real, isolated solution.
    accuracies : (M, 3, 2) float array
        P_iA and P_iB of the same solution.
    tie : (M,) bool array
        Whether both label orders have the same total accuracy; one of them is shown.
    """

    schema: ClassVar[str] = "algeval.batch_decoding/1"

    codes: NDArray[np.int8]
    prevalence: Floats
    accuracies: Floats
    tie: NDArray[np.bool_]

    def status_of(self, row: int) -> Status:
        """Verdict on one trio."""
        return STATUSES[int(self.codes[row])]

    @property
    def status_counts(self) -> dict[str, int]:
        """How many trios ended in each status."""
        return count_statuses(self.codes)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per trio: status, prevalence of the first label, six accuracies, and ties."""
        columns: dict[str, Any] = {"status": [STATUSES[c].value for c in self.codes.tolist()]}
        columns |= {"prevalence": self.prevalence}
        for i, t in np.ndindex(3, 2):
            columns[f"judge {i + 1} on label {t + 1}"] = self.accuracies[:, i, t]
        return (Table("Trios", columns | {"tie": self.tie}),)

    def summary(self) -> str:
        """Number of trios in each status."""
        lines = [f"  {name}: {n}" for name, n in self.status_counts.items() if n]
        return "\n".join([self.message, *lines])


def decode_batch(counts: ArrayLike) -> BatchDecoding:
    """Decode many binary trios: the same verdicts as `decode`, thousands of times faster.

    Use it for every trio of a large panel, or for bootstrap samples.

    Parameters
    ----------
    counts : (M, 8) int array
        Items with decision tuples AAA, AAB, ABA, ABB, BAA, BAB, BBA, BBB.

    Raises
    ------
    DataError
        If the counts are not whole numbers >= 0 in eight columns.

    Notes
    -----
    Moments are 64-bit integers, so every sign is exact; a discriminant is called a square only
    after `math.isqrt` says so, and most are ruled out by their residues first.

    Examples
    --------
    >>> decode_batch([[1, 1, 1, 1, 1, 1, 1, 9], [4, 0, 0, 0, 0, 0, 0, 0]]).status_counts["ok"]
    1
    """
    table = _check(counts)
    m = len(table)
    codes, tie = np.empty(m, np.int8), np.zeros(m, bool)
    points = np.full((7, m), np.nan)
    for start in range(0, m, _CHUNK):
        part = slice(start, start + _CHUNK)
        flat = np.array(table[part].T, np.int64, order="C")
        large = _large(flat)
        flat[:, large] = 0
        codes[part], points[:, part], tie[part] = _chunk(flat)
        for row in start + large:
            codes[row], points[:, row], tie[row] = _one(tuple(map(int, table[row])))
    return BatchDecoding(
        status=Status.OK,
        message=f"{how_many(m, 'trio')} decoded.",
        codes=read_only(codes),
        prevalence=read_only(points[0]),
        accuracies=read_only(points[1:].T.reshape(m, 3, 2)),
        tie=read_only(tie),
    )


def _check(counts: ArrayLike) -> NDArray[Any]:
    try:
        table = np.asarray(counts)
    except ValueError as error:
        raise DataError(
            "counts must have eight columns, AAA to BBB; got rows of different lengths"
        ) from error
    if table.ndim != 2 or table.shape[1] != 8:
        raise DataError(f"counts must have eight columns, AAA to BBB; got shape {table.shape}")
    if table.dtype.kind not in "iu" and table.size:
        raise DataError(f"counts must be whole numbers; got dtype {table.dtype}; count items")
    if not table.size:
        return table
    if table.min() < 0:
        raise DataError(f"counts must be >= 0; got {table.min()}; recount")
    if table.max() > _MOST:
        raise DataError(f"counts must lie in 0..2^63-1; got {table.max()}; recount")
    return table


def _large(flat: Ints) -> NDArray[np.intp]:
    """Columns of counts (8, m) whose moments may not fit 64 bits."""
    items = flat.sum(0)  # cannot wrap unless one of the counts is itself too large
    if flat.max() <= MOST_ITEMS:
        return np.flatnonzero(items > MOST_ITEMS)
    return np.flatnonzero((items > MOST_ITEMS) | (flat > MOST_ITEMS).any(0))


def _chunk(flat: Ints) -> tuple[NDArray[np.int8], Floats, NDArray[np.bool_]]:
    """Codes (m,), points (7, m) and ties (m,) of counts (8, m)."""
    # products may wrap around 2^64 on the way; the moments fit, so they come out right
    moments: Ints = np.stack(integer_moments(flat))
    codes, candidates = _codes(moments)
    with np.errstate(all="ignore"):
        points, tie = _points(moments)
    points[:, codes >= _CODE[Status.COMPLEX]] = np.nan
    tie &= codes < _CODE[Status.COMPLEX]
    names: dict[tuple[int, ...], Verdict] = {}
    for row in candidates:
        counts = tuple(map(int, flat[:, row]))
        verdict = names[counts] = names.get(counts) or decode_closed(_trio(counts))
        codes[row] = _CODE[verdict.status]
        if verdict.in_range:  # known exactly, so rounding must not put the point outside
            points[:, row] = points[:, row].clip(0, 1)
    return codes, points, tie


def _codes(moments: Ints) -> tuple[NDArray[np.int8], NDArray[np.intp]]:
    """Codes (m,), and the rows whose discriminant may be a square and must be decoded."""
    x, y, z, d = moments[4:]
    zeros = (x == 0).view(np.int8) + (y == 0) + (z == 0)
    positive = (zeros == 0) & ~((x < 0) ^ (y < 0) ^ (z < 0))
    codes = np.where(positive, _CODE[Status.IRRATIONAL], _CODE[Status.INCONSISTENT]).astype(np.int8)
    codes[(zeros >= 2) & (d == 0)] = _CODE[Status.UNDETERMINED]
    negative = np.flatnonzero((zeros == 0) & ~positive)
    sign = _discriminant_sign(moments[4:, negative])
    codes[negative[sign < 0]] = _CODE[Status.COMPLEX]
    codes[negative[sign > 0]] = _CODE[Status.OUT_OF_RANGE]
    return codes, _square_candidates(moments[4:], positive)


def _discriminant_sign(moments: Ints) -> Ints:
    """Exact sign of D^2 + 4 XYZ; floats decide only where they cannot be wrong."""
    x, y, z, d = moments.astype(float)
    squared, product = d * d, 4 * x * y * z
    sign: Ints = np.sign(squared + product).astype(np.int64)
    close = np.abs(squared + product) <= 1e-12 * (squared + np.abs(product))
    for row in np.flatnonzero(close):
        xi, yi, zi, di = map(int, moments[:, row])
        a = di * di + 4 * xi * yi * zi
        sign[row] = (a > 0) - (a < 0)
    return sign


def _square_candidates(moments: Ints, among: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Rows whose discriminant is a square modulo every modulus: few are not squares.

    Products that wrap around 2^64 are still right modulo 64, which rules out four fifths.
    """
    x, y, z, d = moments
    rows = np.flatnonzero(_squares(64)[(d * d + 4 * x * y * z) & 63] & among)
    for moduli in _MODULI:
        product = prod(moduli)
        x, y, z, d = moments[:, rows] % product
        residue = (d * d % product + 4 * (x * y % product) * z) % product
        kept = np.ones(len(rows), bool)
        for modulus in moduli:
            kept &= _squares(modulus)[residue % modulus]
        rows = rows[kept]
    return rows


@cache
def _squares(modulus: int) -> NDArray[np.bool_]:
    """Return which residues are squares."""
    square = np.zeros(modulus, bool)
    square[np.arange(modulus) ** 2 % modulus] = True
    return square


def _points(moments: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """Return (7, m): p, then P_iA, P_iB of each judge, of the label order of greatest accuracy."""
    q = moments[0].astype(float)
    f = moments[1:4] / q
    x, y, z = moments[4:7] / (q * q)
    d = moments[7] / (q * q * q)
    product = x * y * z
    a = _discriminants(moments, d * d, 4 * product)
    terms = np.stack([y * z, x * z, x * y])
    total = terms.sum(0)
    near = np.abs(total) <= 1e-12 * np.abs(terms).sum(0)
    order = np.sign(total) * np.sign(product)
    for row in np.flatnonzero(near):
        xi, yi, zi = map(int, moments[4:7, row])
        exact = (yi * zi + xi * zi + xi * yi) * xi * yi * zi
        order[row] = (exact > 0) - (exact < 0)
    tie = order == 0
    s = np.where(tie, 1.0, order) * np.sqrt(a)
    same = s * d >= 0
    larger = (np.abs(s) + np.abs(d)) / (2 * np.abs(s))
    smaller = 2 * product / (np.abs(s) * (np.abs(s) + np.abs(d)))
    p, rest = np.where(same, larger, smaller), np.where(same, smaller, larger)
    skill = s / np.stack([z, y, x])
    points = np.empty((7, len(q)))
    points[0] = p
    points[1::2] = 1 - f + rest * skill
    points[2::2] = f + p * skill
    return points, tie


def _discriminants(moments: Ints, squared: Floats, product: Floats) -> Floats:
    """D^2 + 4 XYZ to full precision, from whole numbers where the two parts cancel."""
    a: Floats = squared + product
    for row in np.flatnonzero((product < 0) & (np.abs(a) < 1e-2 * squared)):
        q, x, y, z, d = map(int, moments[[0, 4, 5, 6, 7], row])
        a[row] = (d * d + 4 * x * y * z) / q**6
    return a


def _trio(flat: tuple[int, ...]) -> Trio:
    names = ("A", "B")
    cube = tuple(
        tuple(tuple(flat[4 * i + 2 * j : 4 * i + 2 * j + 2]) for j in (0, 1)) for i in (0, 1)
    )
    return Trio(("i", "j", "k"), names, names, cube, sum(flat), sum(flat), "")


def _one(flat: tuple[int, ...]) -> tuple[int, list[float], bool]:
    """Decode one trio exactly, for tests too large for 64-bit moments."""
    verdict = decode_closed(_trio(flat))
    if not verdict.solutions:
        return _CODE[verdict.status], [float("nan")] * 7, False
    first, second = verdict.solutions
    totals = total_accuracy(first), total_accuracy(second)
    best = first if totals[0] >= totals[1] else second
    values = [best.prevalence[0]]
    for table in best.confusion:
        for t, row in enumerate(table):
            values.append(row[t] if row is not None else Fraction(0))
    return _CODE[verdict.status], [float(v) for v in values], bool(totals[0] == totals[1])


# --- Decode by computer algebra: a Groebner basis of the eight polynomials, read as a solution.
#
# Nothing here knows the closed form. The engine exists so that two methods that share no formula
# can be compared, and so that the reader sees the basis itself.


Value = Any  # Fraction or Quadratic


def decode_groebner(trio: Trio) -> Verdict:
    """Verdict on a binary trio by a lexicographic basis with the prevalence last."""
    if not trio.n_used:
        return EMPTY
    basis = basis_of(trio.flat)
    if basis.exprs == [1]:
        return Verdict(
            Status.INCONSISTENT, "the ideal is everything: no evaluation reproduces the counts"
        )
    leads = [polynomial.LM(order=basis.order).exponents for polynomial in basis.polys]
    dimension = _dimension(leads, len(basis.gens))
    if dimension:
        # judges whose P_iA + P_iB - 1 the ideal forces to zero
        gens = basis.gens
        blind = tuple(
            judge for judge in range(3) if basis.contains(gens[2 * judge] + gens[2 * judge + 1] - 1)
        )
        reason = f"the evaluations that reproduce the counts form a set of dimension {dimension}"
        return Verdict(Status.UNDETERMINED, reason, dimension=dimension, uninformative=blind)
    points = _solve(basis)
    if points is None:
        return Verdict(Status.COMPLEX, "both points of the variety are complex", dimension=0)
    solutions = [binary_solution(v[6], [(v[0], v[1]), (v[2], v[3]), (v[4], v[5])]) for v in points]
    return judge_solutions(solutions, trio)


def basis_of(flat: Sequence[int]) -> Any:
    """SymPy's reduced Groebner basis of f_t - enc_t over the rationals (Algebraic Evaluation, eq. 2).

    Unknowns, in decreasing order: P_iA, P_iB, P_jA, P_jB, P_kA, P_kB, P_A.
    """
    import sympy

    names = "P_iA P_iB P_jA P_jB P_kA P_kB P_A"
    unknowns = sympy.symbols(names)
    q = sum(flat)
    generators = []
    p = unknowns[6]
    for count, decision in zip(flat, product((0, 1), repeat=3), strict=True):
        on_a, on_b = p, 1 - p
        for judge, answer in enumerate(decision):
            right_a, right_b = unknowns[2 * judge], unknowns[2 * judge + 1]
            on_a *= 1 - right_a if answer else right_a
            on_b *= right_b if answer else 1 - right_b
        generators.append(sympy.expand(on_a + on_b) - sympy.Rational(count, q))
    return sympy.groebner(generators, *unknowns, order="lex", method="buchberger")


def _dimension(leads: list[tuple[int, ...]], n: int) -> int:
    """Largest number of unknowns that no leading monomial lies in alone."""
    supports = [{v for v, power in enumerate(lead) if power} for lead in leads]
    free = 0
    for chosen in product((False, True), repeat=n):
        inside = {v for v, taken in enumerate(chosen) if taken}
        if len(inside) > free and not any(support <= inside for support in supports):
            free = len(inside)
    return free


def _solve(basis: Any) -> list[list[Value]] | None:
    """Points of a zero-dimensional basis, None when they are complex.

    Reads the basis from the last unknown to the first. Each unknown has a basis element whose
    leading monomial is a power of it: of degree one it is a number or follows from later
    unknowns; the one of degree two is where the label swap enters.
    """
    n = len(basis.gens)
    partial: list[list[Value]] = [[Fraction(0)] * n]
    for v in reversed(range(n)):
        terms = _power_element(basis, v)
        extended: list[list[Value]] = []
        for point in partial:
            roots = _roots(_substitute(terms, v, point))
            if roots is None:
                return None
            extended += [[*point[:v], root, *point[v + 1 :]] for root in roots]
        partial = extended
    return partial


def _power_element(basis: Any, v: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Terms of the basis element whose leading monomial is a power of unknown `v`."""
    for polynomial in basis.polys:
        lead = polynomial.LM(order=basis.order).exponents
        if lead[v] and sum(lead) == lead[v]:
            return [
                (tuple(monomial), Fraction(int(c.p), int(c.q)))
                for monomial, c in polynomial.terms()
            ]
    raise RuntimeError("a zero-dimensional basis lacks a power of an unknown; please report this")


def _substitute(
    terms: list[tuple[tuple[int, ...], Fraction]], v: int, point: list[Value]
) -> list[Value]:
    """Coefficients, constant first, in unknown `v` with later unknowns filled in."""
    degree = max(monomial[v] for monomial, _ in terms)
    coefficients: list[Value] = [Fraction(0)] * (degree + 1)
    for monomial, coefficient in terms:
        value: Value = coefficient
        for index, power in enumerate(monomial):
            if index != v:
                for _ in range(power):
                    value = value * point[index]
        coefficients[monomial[v]] = coefficients[monomial[v]] + value
    return coefficients


def _roots(coefficients: list[Value]) -> list[Value] | None:
    if len(coefficients) == 2:
        return [-coefficients[0] / coefficients[1]]
    c, b, a = coefficients
    disc = b * b - 4 * a * c
    if disc < 0:
        return None
    scale, rest = square_part(disc.numerator * disc.denominator)
    half = Fraction(scale, disc.denominator) / (2 * a)
    middle = -b / (2 * a)
    return [Quadratic.make(middle, sign * half, rest) for sign in (1, -1)]


# --- Which name each label found by the algebra should carry: greatest total accuracy, exactly.


_EXACT_LABELS = 10
_MOST_ORDERS = 1000


def best_orders(weights: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """Injective assignments of components to labels of greatest total weight.

    Parameters
    ----------
    weights : (r, R) numbers, r <= R
        weights[component][label]: total accuracy gained if the component is the label.

    Returns
    -------
    list of tuple
        order[component] = label; every optimum, up to a thousand of them, when the weights are
        exact and R is at most 10, else one found by `scipy.optimize.linear_sum_assignment`.
    """
    r, n_labels = len(weights), len(weights[0])
    if n_labels > _EXACT_LABELS or any(isinstance(w, float) for row in weights for w in row):
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(np.array(weights, float), maximize=True)
        return [tuple(int(c) for c in columns[np.argsort(rows)])]

    @cache
    def most(component: int, taken: int) -> Any:
        if component == r:
            return 0
        return max(
            weights[component][label] + most(component + 1, taken | 1 << label)
            for label in range(n_labels)
            if not taken >> label & 1
        )

    def trace(component: int, taken: int) -> Iterator[tuple[int, ...]]:
        if component == r:
            yield ()
            return
        for label in range(n_labels):
            if taken >> label & 1:
                continue
            after = taken | 1 << label
            if weights[component][label] + most(component + 1, after) == most(component, taken):
                yield from ((label, *rest) for rest in trace(component + 1, after))

    return list(islice(trace(0, 0), _MOST_ORDERS))
