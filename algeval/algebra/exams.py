"""Small exams, all of them in order of size, and what statements say on many at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, count, permutations, product
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.language import Meaning, System
from algeval.algebra.statements import Items, Named, Texts, read_expression
from algeval.progress import CountedClock

# --- Exact quotients of whole numbers, one for each exam.


Array = NDArray[Any]
Whole = Any  # an array of whole numbers, or one of them for all exams

_IN_A_WORD = 2**62


def _wide(most: int, *values: Whole) -> Iterator[Whole]:
    """Yield values in whole numbers of any size, where a word is too short for `most`."""
    for value in values:
        yield (
            value.astype(object) if most >= _IN_A_WORD and isinstance(value, np.ndarray) else value
        )


class Ratio:
    """Quotients `num / den`, neither larger than `most`; where `den` is zero the exam is left out."""

    __slots__ = ("den", "home", "most", "num")

    def __init__(self, home: Exams, num: Whole, den: Whole, most: int) -> None:
        self.home, self.num, self.den, self.most = home, num, den, most

    def _made(self, value: Ratio | int | Fraction) -> Ratio:
        return value if isinstance(value, Ratio) else self.home.number(Fraction(value))

    def __add__(self, other: Ratio | int | Fraction) -> Ratio:
        other = self._made(other)
        if self.den is other.den:
            most = self.most + other.most
            a, b = _wide(most, self.num, other.num)
            return Ratio(self.home, a + b, self.den, most)
        most = 2 * self.most * other.most
        a, b, c, d = _wide(most, self.num, self.den, other.num, other.den)
        return Ratio(self.home, a * d + c * b, b * d, most)

    __radd__ = __add__

    def __neg__(self) -> Ratio:
        return Ratio(self.home, -self.num, self.den, self.most)

    def __sub__(self, other: Ratio | int | Fraction) -> Ratio:
        return self + -self._made(other)

    def __rsub__(self, other: int | Fraction) -> Ratio:
        return self._made(other) - self

    def __mul__(self, other: Ratio | int | Fraction) -> Ratio:
        other = self._made(other)
        most = self.most * other.most
        a, b, c, d = _wide(most, self.num, self.den, other.num, other.den)
        return Ratio(self.home, a * c, b * d, most)

    __rmul__ = __mul__

    def __truediv__(self, other: Ratio | int | Fraction) -> Ratio:
        other = self._made(other)
        self.home.defined &= other.num != 0
        return self * Ratio(self.home, other.den, other.num, other.most)

    def __rtruediv__(self, other: int | Fraction) -> Ratio:
        return self._made(other) / self

    def __pow__(self, exponent: int) -> Ratio:
        return prod([self] * exponent, start=self._made(1))

    @property
    def sign(self) -> Array:
        """Signs, one for each exam."""
        return np.broadcast_to(np.sign(self.num) * np.sign(self.den), self.home.defined.shape)

    def at(self, row: int) -> Fraction:
        """Quotient on one exam; zero where it divides by zero."""
        num, den = (np.broadcast_to(x, self.home.defined.shape)[row] for x in (self.num, self.den))
        return Fraction(int(num), int(den)) if den else Fraction(0)


# --- The names of a system, counted on many exams at once.
#
# A cell is a true label with what every judge answered, numbered with the label first. An exam is a row of
# cells, one for each item, or one for each kind of item with how many there are.


class Exams(Named):
    """Arithmetic of a system's names on many exams: `defined` says where nothing was divided by zero."""

    def __init__(self, setting: System) -> None:
        super().__init__(setting)
        r, n = len(self.labels), len(self.judges)
        self.numbers = np.arange(r ** (n + 1)).reshape((r,) * (n + 1))
        self._names: dict[str, Meaning | None] = {}

    def load(self, cells: Array, counts: Array | None = None) -> Exams:
        """Exams to speak of from now on."""
        self.cells, self._counts = cells, counts
        self._total = cells.shape[1] if counts is None else counts.sum(axis=1)
        self._most = int(np.max(self._total, initial=1))
        self.defined = np.ones(len(cells), bool)
        return self

    def single(self, items: Items) -> Exams:
        """Load one exam."""
        cells = [int(self.numbers[label, *said]) for label, said in items]
        return self.load(np.array([cells]), np.array([list(items.values())], dtype=np.int64))

    def items(self, row: int) -> Items:
        """Items of one exam."""
        where = zip(*np.unravel_index(self.cells[row], self.numbers.shape), strict=True)
        counts = np.ones(self.cells.shape[1], int) if self._counts is None else self._counts[row]
        result: Counter[tuple[int, tuple[int, ...]]] = Counter()
        for (label, *said), number in zip(where, counts, strict=True):
            result[int(label), tuple(map(int, said))] += int(number)
        return +result

    def number(self, value: Fraction) -> Ratio:
        """Number."""
        return Ratio(
            self, value.numerator, value.denominator, max(abs(value.numerator), value.denominator)
        )

    def quotient(self, a: Ratio, b: Ratio) -> Ratio:
        """Quotient."""
        return a / b

    def power(self, base: Ratio, exponent: int) -> Ratio:
        """Power."""
        return base**exponent

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Ratio:
        """Share of items with a true label on which judges gave answers."""
        return Ratio(self, self._matching(label, judges, answers), self._total, self._most)

    def counted(self, meaning: Meaning) -> Ratio:
        """Number of such items."""
        number = self._matching(meaning.label, meaning.judges, meaning.answers)
        return Ratio(self, number, 1, self._most)

    def _matching(self, label: int | None, judges: Sequence[int], answers: Sequence[int]) -> Array:
        mask = np.zeros(self.numbers.shape, bool)
        chosen: list[Any] = [slice(None)] * mask.ndim
        chosen[0] = slice(None) if label is None else label
        for i, answer in zip(judges, answers, strict=True):
            chosen[i + 1] = answer
        mask[tuple(chosen)] = True
        inside = mask.ravel()[self.cells]
        counts = inside if self._counts is None else inside * self._counts
        total: Array = counts.sum(axis=1)
        return total

    def difference(self, text: str, texts: Texts) -> tuple[Ratio, str]:
        """Left side minus right side of a statement, and its relation."""
        left, relation, right = texts.sides(text)
        return read_expression(left, text, self) - read_expression(right, text, self), relation

    def sides(self, texts: Texts) -> tuple[Fraction, Fraction]:
        """Both sides of the claim on the first exam."""
        left, _, right = texts.sides(texts.claim)
        values = (read_expression(side, texts.claim, self) for side in (left, right))
        a, b = (value.at(0) for value in values)
        return a, b

    def refuting(self, texts: Texts) -> Array:
        """Whether every hypothesis holds, the claim does not, and nothing is divided by zero."""
        result = ~self._holds(texts.claim, texts)
        for text in texts.given:
            if not (result & self.defined).any():
                break
            result &= self._holds(text, texts)
        refuted: Array = result & self.defined
        return refuted

    def _holds(self, text: str, texts: Texts) -> Array:
        difference, relation = self.difference(text, texts)
        sign = difference.sign
        wanted = {">": (1,), "<": (-1,), ">=": (0, 1), "<=": (0, -1), "=": (0,)}[relation]
        return np.isin(sign.astype(int), wanted)


# --- Exams in order of size. Any exam at all: multisets of cells, of those that differ by a permutation that
# the statements do not see the first one only. Independent errors: on each label every product is whole.


_CHUNK = 1 << 14
_MANY = 20_000
_MOST_MADE = 4_000_000
_MOST_SYMMETRIES = 150


def independent_exams(setting: System) -> Iterator[Array]:
    """Yield every exam with exactly independent errors, as rows of cells, smallest first."""
    r, n = len(setting.labels), len(setting.judges)
    for size in count(1):
        for key in compositions(size, r):
            tables = [_label_exams(items, r, n) for items in key]
            if any(table is None for table in tables):
                return
            shape = [len(table) for table in tables if table is not None]
            for start in range(0, prod(shape), _CHUNK):
                rows = np.unravel_index(np.arange(start, min(start + _CHUNK, prod(shape))), shape)
                parts = [
                    t[k] + label * r**n
                    for label, (t, k) in enumerate(zip(tables, rows, strict=True))
                ]
                yield np.concatenate(parts, axis=1)


@lru_cache(maxsize=256)
def compositions(total: int, parts: int) -> tuple[tuple[int, ...], ...]:
    """Ways to write a number as an ordered sum of so many, the larger ones first."""
    if parts == 1:
        return ((total,),)
    return tuple(
        (first, *rest)
        for first in range(total, -1, -1)
        for rest in compositions(total - first, parts - 1)
    )


@lru_cache(maxsize=256)
def _label_exams(items: int, n_labels: int, n_judges: int) -> Any:
    """Answers, as numbers of decision tuples, to one label's items; None if too many to list."""
    if items < 2:
        return np.arange(n_labels ** (n_judges * items)).reshape(-1, 1)[:, :items]
    rows = np.array(compositions(items, n_labels))
    table = rows
    for _ in range(n_judges - 1):
        if table.size * rows.size > _MOST_MADE:
            return None
        made = table[:, None, :, None] * rows[None, :, None, :]
        table = (made[(made % items == 0).all(axis=(2, 3))] // items).reshape(
            -1, table.shape[1] * n_labels
        )
    numbers = np.tile(np.arange(table.shape[1]), len(table))
    return np.repeat(numbers, table.ravel()).reshape(len(table), items)


def plain_exams(setting: System, texts: Texts) -> Iterator[Array]:
    """Yield every exam, as rows of cells, smallest first, up to permutations the statements do not see."""
    exams = Exams(setting)
    n_cells = exams.numbers.size
    level, group = np.zeros((1, 0), np.int32), None
    while True:
        if group is None and len(level) * n_cells > _MANY:
            group = symmetries(exams, texts)
            level = level[_first(level, group)]
        made = []
        for rows in np.array_split(level, 1 + len(level) * n_cells // _CHUNK):
            larger = _extended(rows, n_cells)
            made.append(larger[_first(larger, group or ())])
            yield made[-1]
        level = np.concatenate(made)


def _extended(rows: Array, n_cells: int) -> Array:
    """Rows with one more cell, not before their last."""
    last = rows[:, -1] if rows.shape[1] else np.zeros(len(rows), np.int32)
    many = n_cells - last
    start = np.repeat(np.cumsum(many) - many, many)
    new = np.arange(many.sum()) - start + np.repeat(last, many)
    return np.column_stack([np.repeat(rows, many, axis=0), new]).astype(np.int32)


def _first(rows: Array, group: Iterable[Array]) -> Array:
    """Whether no permutation makes a row that comes before it."""
    keep = np.ones(len(rows), bool)
    for moved in group:
        change = rows - np.sort(moved[rows], axis=1)
        where = (change != 0).argmax(axis=1) if rows.shape[1] else np.zeros(len(rows), int)
        if rows.shape[1]:
            keep &= change[np.arange(len(rows)), where] <= 0
    return keep


def symmetries(exams: Exams, texts: Texts) -> list[Array]:
    """Permutations of cells, by those of judges and labels, that leave what is claimed as it is.

    Exchanges of two are compared on exams drawn at random, on which all values must be the same.
    """
    numbers, draw = exams.numbers, np.random.default_rng(0)
    sample = draw.integers(0, numbers.size, (48, 29))
    plain = _values(exams.load(sample), texts)

    def by_judges(order: Sequence[int]) -> Array:
        return numbers.transpose(0, *(1 + i for i in order)).ravel()

    def by_labels(order: Sequence[int]) -> Array:
        return numbers[np.ix_(*[order] * numbers.ndim)].ravel()

    groups: list[list[Array]] = []
    for size, make in ((len(exams.judges), by_judges), (len(exams.labels), by_labels)):
        classes = [{i} for i in range(size)]
        for a, b in combinations(range(size), 2):
            order = [b if i == a else a if i == b else i for i in range(size)]
            if _values(exams.load(make(order)[sample]), texts) == plain:
                together = [part for part in classes if part & {a, b}]
                classes = [part for part in classes if part not in together] + [
                    set().union(*together)
                ]
        groups.append([make(order) for order in _orders(size, classes)])
    judges, labels = groups
    if len(judges) * len(labels) <= _MOST_SYMMETRIES:
        return [a[b] for a, b in product(judges, labels)][1:]
    return max((part for part in groups if len(part) <= _MOST_SYMMETRIES), key=len, default=[])[1:]


def _orders(size: int, classes: Sequence[set[int]]) -> Iterator[list[int]]:
    """Yield the orders of so many that mix members of one class only."""
    if prod(math.factorial(len(part)) for part in classes) > 10 * _MOST_SYMMETRIES:
        classes = []
    for chosen in product(*(permutations(sorted(part)) for part in classes)):
        order = list(range(size))
        for part, new in zip(classes, chosen, strict=True):
            for i, j in zip(sorted(part), new, strict=True):
                order[i] = j
        yield order


def _values(exams: Exams, texts: Texts) -> Counter[Any]:
    """What every statement says on all exams; of an equation the sign does not matter."""
    results: Counter[Any] = Counter()
    rows = range(len(exams.cells))
    for k, text in enumerate((texts.claim, *texts.given)):
        exams.defined[:] = True
        value, relation = exams.difference(text, texts)
        numbers = [value.at(row) if exams.defined[row] else None for row in rows]
        if relation == "=":
            numbers = [None if number is None else abs(number) for number in numbers]
        results[k == 0, relation, tuple(numbers)] += 1
    return results


# --- The smallest exam on which a claim fails, and exams made smaller item by item.


MOST_EXAMS = 1_000_000
_A_BATCH, _AN_EXAM = 1e-3, 3e-8
"""Work of a batch of exams, and of an exam for each character of the statements."""


class SmallExams:
    """The exams of a system in order of size: `sizes` says up to how many items none refutes the claim."""

    def __init__(self, setting: System, texts: Texts) -> None:
        self.sizes = 0
        self.exams, self._texts = Exams(setting), texts
        independent = setting.model == "independent"
        self._rows = independent_exams(setting) if independent else plain_exams(setting, texts)
        self._size, self._seen = 1, 0
        self._work = _AN_EXAM * sum(map(len, map(texts.expanded, (texts.claim, *texts.given))))

    def search(
        self, deadline: CountedClock, *, most: int = MOST_EXAMS, below: float = inf
    ) -> Items | None:
        """Items of the smallest exam that refutes the claim, of the first `most` below a size."""
        while self.sizes + 1 < below and self._seen < most and not deadline.over:
            rows = next(self._rows, None)
            if rows is None:
                return None
            if rows.shape[1] > self._size:
                self._size, self.sizes = rows.shape[1], rows.shape[1] - 1
            if self._size >= below:
                return None
            deadline.spend(_A_BATCH + self._work * len(rows))
            self._seen += max(1, len(rows))
            refuting = self.exams.load(rows).refuting(self._texts)
            if refuting.any():
                return self.exams.items(int(refuting.argmax()))
        return None

    def refutes(self, items: Items) -> bool:
        """Whether one exam refutes the claim."""
        return bool(self.exams.single(items).refuting(self._texts)[0])

    def sides(self, items: Items) -> tuple[Fraction, Fraction]:
        """Both sides of the claim on an exam."""
        return self.exams.single(items).sides(self._texts)

    def shrunk(self, items: Items, deadline: CountedClock) -> Items:
        """Exam without items that it does not need to refute the claim: any errors are allowed."""
        cells, counts = list(items), np.array(list(items.values()), dtype=np.int64)
        numbers = np.array([int(self.exams.numbers[label, *said]) for label, said in cells])
        while True:
            fewer = [
                np.where(np.arange(len(cells)) == k, counts - less, counts)
                for k, here in enumerate(counts)
                for less in {int(here) >> shift for shift in range(int(here).bit_length())}
            ]
            options = np.array([row for row in fewer if row.sum()])
            if not len(options) or deadline.over_before(_A_BATCH + self._work * len(options)):
                break
            loaded = self.exams.load(np.broadcast_to(numbers, options.shape), options)
            refuting = options[loaded.refuting(self._texts)]
            if not len(refuting):
                break
            counts = refuting[refuting.sum(axis=1).argmin()]
        return {cell: int(number) for cell, number in zip(cells, counts, strict=True) if number}


def random_exam(setting: System, texts: Texts, tries: int) -> Items | None:
    """Exam that refutes the claim, of so many of growing size, drawn evenly from all cells."""
    exams, draw = Exams(setting), np.random.default_rng(0)
    for size in 4 * len(setting.labels) + np.arange(min(tries, 40)):
        rows = draw.integers(0, exams.numbers.size, (math.ceil(tries / 40), size))
        refuting = exams.load(rows).refuting(texts)
        if refuting.any():
            return exams.items(int(refuting.argmax()))
    return None
