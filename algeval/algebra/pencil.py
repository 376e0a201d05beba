"""Three independent judges with any number of labels, decoded by an exact matrix pencil.

With f[a, b, c] = sum_t P_t A[a, t] B[b, t] C[c, t], the slices M_c = f[:, :, c] add up to
M_1 = A diag(P) B', and every K_c = M_c M_1^-1 = A diag(C[c, :]) A^-1 has the columns of A as
eigenvectors and the third judge's answers as eigenvalues. Everything below is that sentence in
rational arithmetic; where there are more answers than labels, on an invertible block of M_1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from algeval.algebra.trios import (
    EMPTY,
    Solution,
    Trio,
    Verdict,
    best_orders,
    judge_solutions,
    square_part,
)
from algeval.result import Quadratic, Status

Matrix = Any  # flint.fmpq_mat
Component = tuple[Any, tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]  # P_t, A_t, B_t, C_t


@dataclass(frozen=True, slots=True)
class _Face:
    """The slices along one judge: matrices over the answers of the other two."""

    axis: int
    slices: tuple[Matrix, ...]
    total: Matrix
    rank: int


@dataclass(frozen=True, slots=True)
class _Pencil:
    """The commuting matrices of one face, and what turns their eigenvectors into judges."""

    matrices: tuple[Matrix, ...]  # K_c
    lift: Matrix  # E: full columns of A from a block's
    rows: Matrix  # the block's rows of M_1


def decode_pencil(trio: Trio) -> Verdict:
    """Verdict on a trio with any number of labels and answers."""
    if not trio.n_used:
        return EMPTY
    n_labels = len(trio.labels)
    faces = [_face(trio, axis) for axis in range(3)]
    rank = max(face.rank for face in faces)
    widths = [
        _width(faces[2]),
        _width(faces[2], transposed=True),
        _width(faces[0], transposed=True),
    ]
    early = _rank_verdict(trio, n_labels, rank, widths)
    if early is not None:
        return early
    undetermined = None
    for face in (face for face in faces if face.rank == rank):
        verdict = _decode_face(trio, face)
        if verdict.status is not Status.UNDETERMINED:
            return _absent(verdict, rank, trio) if rank < n_labels else verdict
        undetermined = undetermined or verdict
    return undetermined or EMPTY


def _rank_verdict(trio: Trio, n_labels: int, rank: int, widths: list[int]) -> Verdict | None:
    if max(widths) > n_labels:
        return Verdict(
            Status.INCONSISTENT, f"the counts hold the trace of more than {n_labels} labels"
        )
    if max(widths) > rank:
        if n_labels == 2:
            return Verdict(
                Status.INCONSISTENT,
                "the pairs are uncorrelated but the three judges together are not independent",
            )
        poor = [trio.judges[i] for i, width in enumerate(widths) if width < max(widths)]
        named = " and ".join(poor) if len(poor) > 1 else "at least two of the judges"
        return Verdict(
            Status.UNDETERMINED,
            f"every pair of judges leaves a label invisible ({named} cannot tell all labels apart)",
        )
    if rank == 1:
        return Verdict(
            Status.UNDETERMINED,
            "the judges' answers are unrelated: only one label occurs, or at least two of the "
            "judges answer every label alike",
            dimension=3 if trio.binary else None,
        )
    return None


def _absent(verdict: Verdict, rank: int, trio: Trio) -> Verdict:
    """Say what can be said when the counts show fewer labels than there are names."""
    reason = f"the counts show the trace of {rank} labels, not {len(trio.labels)}"
    if verdict.solutions and verdict.status in (Status.OK, Status.NOT_INTEGRAL):
        reason += "; the evaluation shown is the one in which the others never occur"
        return Verdict(
            Status.UNDETERMINED, reason, verdict.solutions, None, (), True, verdict.integral
        )
    return Verdict(Status.UNDETERMINED, reason)


def _face(trio: Trio, axis: int) -> _Face:
    size = len(trio.answers)
    cube = np.moveaxis(np.array(trio.table, dtype=object), axis, 0)
    slices = tuple(
        flint.fmpq_mat(size, size, [flint.fmpq(int(v), trio.n_used) for v in plane.ravel()])
        for plane in cube
    )
    total = sum(slices[1:], slices[0])
    return _Face(axis, slices, total, total.rank())


def _width(face: _Face, *, transposed: bool = False) -> int:
    """Rank of all slices side by side: how many labels the row judge's answers show."""
    parts = [part.transpose() if transposed else part for part in face.slices]
    rows = [[v for part in parts for v in part.table()[a]] for a in range(len(parts))]
    return int(flint.fmpq_mat(rows).rank())


def _decode_face(trio: Trio, face: _Face) -> Verdict:
    pencil = _pencil(face)
    matrices = pencil.matrices
    if any(x * y != y * x for i, x in enumerate(matrices) for y in matrices[:i]):
        return Verdict(
            Status.INCONSISTENT,
            "how two judges answer together, given each answer of the third, contradicts independent errors",
        )
    mixed = _simple_mixture(matrices)
    if mixed is None:
        return _repeated(trio, face, matrices)
    hankel = _hankel(pencil, mixed)
    if hankel.det() == 0:
        return Verdict(
            Status.INCONSISTENT, "a label would have answers whose shares do not add up to 1"
        )
    positive = _positive(hankel)
    if not (positive or _positive(_trace_form(mixed))):
        return Verdict(Status.COMPLEX, "the solutions are complex numbers", dimension=0)
    linear = (f for f, _ in mixed.charpoly().factor()[1] if f.degree() == 1)
    roots = [-f[0] / f[1] for f in linear]
    if len(roots) == face.rank:
        components = _exact_components(pencil, mixed, roots)
    elif face.rank == 2:
        components = _quadratic_components(pencil, mixed)
    else:
        components = _float_components(pencil, mixed)
        return _float_verdict(_name_labels(components, trio, face.axis), positive)
    return judge_solutions(_name_labels(components, trio, face.axis), trio)


def _pencil(face: _Face) -> _Pencil:
    columns = _pivots(face.total, face.rank)
    rows = _pivots(face.total.transpose(), face.rank)

    def block(matrix: Matrix, chosen_rows: list[int], chosen_columns: list[int]) -> Matrix:
        table = matrix.table()
        return flint.fmpq_mat([[table[a][b] for b in chosen_columns] for a in chosen_rows])

    everything = list(range(face.total.nrows()))
    inverse = block(face.total, rows, columns).inv()
    return _Pencil(
        tuple(block(part, rows, columns) * inverse for part in face.slices),
        block(face.total, everything, columns) * inverse,
        block(face.total, rows, everything),
    )


def _pivots(matrix: Matrix, rank: int) -> list[int]:
    """Positions of `rank` independent columns."""
    reduced = matrix.rref()[0].table()
    return [next(b for b, value in enumerate(reduced[a]) if value != 0) for a in range(rank)]


def _simple_mixture(matrices: tuple[Matrix, ...]) -> Matrix | None:
    """Sum_c m^c K_c with distinct eigenvalues, or None when no m gives them.

    Two labels that the sliced judge answers differently get equal eigenvalues for at most
    A - 1 values of m, so failing for more than (A - 1) R (R - 1) / 2 of them is a proof.
    """
    r, a = matrices[0].nrows(), len(matrices)
    for m in range((a - 1) * r * (r - 1) // 2 + 2):
        if m == 1:
            continue  # the K_c add up to the identity
        mixed = matrices[0]
        for c, matrix in enumerate(matrices[1:], 1):
            mixed = mixed + matrix * m**c
        polynomial = mixed.charpoly()
        if polynomial.gcd(polynomial.derivative()).degree() == 0:
            return mixed
    return None


def _repeated(trio: Trio, face: _Face, matrices: tuple[Matrix, ...]) -> Verdict:
    for matrix in matrices:
        smallest = matrix.minpoly()
        if smallest.gcd(smallest.derivative()).degree() > 0:
            return Verdict(
                Status.INCONSISTENT, "the judges' tables have no full set of eigenvectors"
            )
    blind = all(matrix.minpoly().degree() == 1 for matrix in matrices)
    return Verdict(
        Status.UNDETERMINED,
        f"{trio.judges[face.axis]} answers two labels alike, and two judges cannot tell them apart",
        dimension=2 if trio.binary else None,
        uninformative=(face.axis,) if blind and face.rank == len(trio.labels) else (),
    )


def _hankel(pencil: _Pencil, mixed: Matrix) -> Matrix:
    """Hankel matrix of the moments sum_t P_t lambda_t^n.

    It is singular exactly when some P_t is zero or some eigenvector adds up to zero, and positive
    definite exactly when all eigenvalues are real and all P_t positive.
    """
    r = mixed.nrows()
    left = _ones(1, pencil.lift.nrows()) * pencil.lift
    right = pencil.rows * _ones(pencil.rows.ncols(), 1)
    moments = []
    for _ in range(2 * r - 1):
        moments.append((left * right)[0, 0])
        right = mixed * right
    return _antidiagonal(moments)


def _antidiagonal(values: list[Any]) -> Matrix:
    """Matrix whose entry (a, b) is values[a + b]."""
    r = (len(values) + 1) // 2
    return flint.fmpq_mat([[values[a + b] for b in range(r)] for a in range(r)])


def _diagonal(values: list[Any]) -> Matrix:
    r = len(values)
    return flint.fmpq_mat([[values[a] if a == b else 0 for b in range(r)] for a in range(r)])


def _ones(rows: int, columns: int) -> Matrix:
    return flint.fmpq_mat(rows, columns, [1] * (rows * columns))


def _positive(symmetric: Matrix) -> bool:
    table = symmetric.table()
    return all(
        flint.fmpq_mat([row[:size] for row in table[:size]]).det() > 0
        for size in range(1, len(table) + 1)
    )


def _trace_form(mixed: Matrix) -> Matrix:
    """Matrix of traces of powers, positive definite when all eigenvalues are real."""
    r = mixed.nrows()
    power = _diagonal([1] * r)
    traces = []
    for _ in range(2 * r - 1):
        traces.append(sum((power[a, a] for a in range(1, r)), power[0, 0]))
        power = power * mixed
    return _antidiagonal(traces)


def _exact_components(pencil: _Pencil, mixed: Matrix, roots: list[Any]) -> list[Component]:
    r = mixed.nrows()
    identity = _diagonal([1] * r)
    vectors = [_null_vector(mixed - identity * root) for root in roots]
    columns = flint.fmpq_mat(vectors).transpose()
    sums = (_ones(1, pencil.lift.nrows()) * pencil.lift * columns).entries()
    columns = columns * _diagonal([1 / value for value in sums])
    back = columns.inv()
    first = (pencil.lift * columns).transpose().table()
    weighted = (back * pencil.rows).table()
    third = [(back * matrix * columns).table() for matrix in pencil.matrices]
    components = []
    for t in range(r):
        share = sum(weighted[t][1:], weighted[t][0])
        second = [v / share for v in weighted[t]]
        parts = (first[t], second, [table[t][t] for table in third])
        components.append((_fraction(share), *(tuple(map(_fraction, part)) for part in parts)))
    return components  # type: ignore[return-value]


def _null_vector(matrix: Matrix) -> list[Any]:
    """Vector spanning the one-dimensional kernel."""
    r = matrix.nrows()
    reduced = matrix.rref()[0].table()
    pivots = [next(b for b, v in enumerate(reduced[a]) if v != 0) for a in range(r - 1)]
    (free,) = set(range(r)) - set(pivots)
    vector = [reduced[0][0] * 0] * r
    vector[free] = vector[free] + 1
    for a, b in enumerate(pivots):
        vector[b] = -reduced[a][free]
    return vector


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _fractions(matrix: Matrix) -> list[list[Fraction]]:
    return [[_fraction(v) for v in row] for row in matrix.table()]


def _quadratic_components(pencil: _Pencil, mixed: Matrix) -> list[Component]:
    """Two components of a rank-two pencil whose eigenvalues are irrational."""
    (k00, k01), (k10, k11) = _fractions(mixed)
    disc = (k00 - k11) ** 2 + 4 * k01 * k10
    scale, rest = square_part(disc.numerator * disc.denominator)
    half = Fraction(scale, 2 * disc.denominator)
    roots = [Quadratic.make((k00 + k11) / 2, sign * half, rest) for sign in (1, -1)]
    lift, rows = _fractions(pencil.lift), _fractions(pencil.rows)
    weights = [_total([row[b] for row in lift]) for b in range(2)]
    vectors = []
    for root in roots:
        below = root - k00
        total = weights[0] * k01 + weights[1] * below
        vectors.append((k01 / total, below / total))
    (v00, v10), (v01, v11) = vectors
    det = v00 * v11 - v01 * v10
    back = [[v11 / det, -v01 / det], [-v10 / det, v00 / det]]
    components = []
    for t, root in enumerate(roots):
        first = tuple(row[0] * vectors[t][0] + row[1] * vectors[t][1] for row in lift)
        weighted = [back[t][0] * x + back[t][1] * y for x, y in zip(*rows, strict=True)]
        share = _total(weighted)
        second = tuple(value / share for value in weighted)
        third = [_eigenvalue(_fractions(matrix), k00, k01, root) for matrix in pencil.matrices]
        components.append((share, first, second, tuple(third)))
    return components


def _eigenvalue(matrix: list[list[Fraction]], k00: Fraction, k01: Fraction, root: Any) -> Any:
    """Eigenvalue of a matrix that commutes with K, on K's eigenvector of `root`."""
    slope = matrix[0][1] / k01
    return matrix[0][0] - slope * k00 + slope * root


def _total(values: list[Any]) -> Any:
    return sum(values[1:], values[0])


def _float_components(pencil: _Pencil, mixed: Matrix) -> list[Component]:
    """Components in floating point: their exact numbers need roots of high degree."""

    def floats(matrix: Matrix) -> Any:
        return np.array([[float(v) for v in row] for row in _fractions(matrix)])

    _, columns = np.linalg.eig(floats(mixed))
    lift = floats(pencil.lift)
    columns = np.real(columns) / (lift @ np.real(columns)).sum(0)
    weighted = np.linalg.solve(columns, floats(pencil.rows))
    third = [np.diag(np.linalg.solve(columns, floats(m) @ columns)) for m in pencil.matrices]
    shares = weighted.sum(1)
    first, second = (lift @ columns).T, weighted / shares[:, None]
    return [
        (
            float(shares[t]),
            tuple(first[t].tolist()),
            tuple(second[t].tolist()),
            tuple(float(values[t]) for values in third),
        )
        for t in range(len(shares))
    ]


def _float_verdict(solutions: list[Solution], positive: bool) -> Verdict:
    entries = [v for judge in solutions[0].confusion for row in judge if row for v in row]
    accurate = positive and all(0 <= value <= 1 for value in entries)
    status = Status.IRRATIONAL if positive else Status.OUT_OF_RANGE
    reason = (
        "the numbers hold roots, not fractions only" if positive else "a prevalence leaves [0, 1]"
    )
    return Verdict(status, reason, tuple(solutions), dimension=0, in_range=accurate)


def _name_labels(components: list[Component], trio: Trio, axis: int) -> list[Solution]:
    """Solutions: both label orders of two labels, else those of greatest accuracy."""
    n_labels = len(trio.labels)
    judges = [list(part) for part in zip(*(c[1:] for c in components), strict=True)]
    tables = [judges[0], judges[1]]
    tables.insert(axis, judges[2])
    if len(components) == 2 == n_labels:
        orders: list[tuple[int, ...]] = [(0, 1), (1, 0)]
    else:
        weights = [
            [_total([table[s][t] for table in tables]) for t in range(n_labels)]
            for s in range(len(components))
        ]
        orders = best_orders(weights)
    solutions = []
    for order in orders:
        where = {label: s for s, label in enumerate(order)}
        prevalence = tuple(
            components[where[t]][0] if t in where else Fraction(0) for t in range(n_labels)
        )
        confusion = tuple(
            tuple(table[where[t]] if t in where else None for t in range(n_labels))
            for table in tables
        )
        solutions.append(Solution(prevalence, confusion))
    return solutions
