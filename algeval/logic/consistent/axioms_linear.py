"""The linear algebra behind the axioms: symbols, equations as rows, exact rank.

Every symbol is a count on the exam, and expands into the finest counts there are, n(u;t): items of true
label t whose decision tuple is u. A linear relation between symbols holds on every exam exactly when its
expansion vanishes, because the n(u;t) of exams are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

__all__ = ["Form", "Quantity", "Vocabulary", "generate", "margins_seen", "rank", "sizes"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A count: items on which the judges in `given` gave these answers, and of true label `true`.

    `given`: pairs (judge, label), by position; `true`: position or None. With no judge and no label
    it is the number of items.
    """

    given: tuple[tuple[int, int], ...] = ()
    true: int | None = None

    @property
    def observed(self) -> bool:
        """Whether it can be counted without the answer key."""
        return self.true is None


Form = dict[Quantity, int]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Sizes: R labels, N judges, groups of up to m of them."""

    labels: int
    judges: int
    order: int

    def groups(self, least: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the groups of judges, small ones first."""
        for size in range(least, self.order + 1):
            yield from combinations(range(self.judges), size)

    def decisions(self, group: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yield every joint answer of a group."""
        for answers in product(range(self.labels), repeat=len(group)):
            yield tuple(zip(group, answers, strict=True))

    def unknown(self) -> list[Quantity]:
        """Return q[t], then the counts by true label."""
        labels = range(self.labels)
        given = [u for group in self.groups() for u in self.decisions(group)]
        return [Quantity((), t) for t in labels] + [Quantity(u, t) for u in given for t in labels]

    def observed(self) -> list[Quantity]:
        """Return Q, then the counts without true label."""
        return [
            Quantity(),
            *(Quantity(u) for group in self.groups() for u in self.decisions(group)),
        ]

    def expansion(self, quantity: Quantity) -> Iterator[int]:
        """Yield the places of the n(u;t) that a quantity is the sum of."""
        fixed = dict(quantity.given)
        options = [
            [fixed[i]] if i in fixed else list(range(self.labels)) for i in range(self.judges)
        ]
        truths = range(self.labels) if quantity.true is None else [quantity.true]
        for u in product(*options):
            place = 0
            for answer in u:
                place = place * self.labels + answer
            for t in truths:
                yield place * self.labels + t

    def expand(self, form: Form) -> dict[int, int]:
        """Return a form in terms of the n(u;t); empty when it holds on every exam."""
        total: dict[int, int] = {}
        for quantity, coefficient in form.items():
            for place in self.expansion(quantity):
                total[place] = total.get(place, 0) + coefficient
        return {place: value for place, value in total.items() if value}


def generate(words: Vocabulary) -> Iterator[tuple[str, Form]]:
    """Yield (kind, form) for every axiom; each form is zero on every exam."""
    labels = range(words.labels)
    yield "size", {Quantity(): 1} | {Quantity((), t): -1 for t in labels}
    for group in words.groups():
        for t in labels:
            yield "simplex", _sum(words, group, t) | {Quantity((), t): -1}
    for group in words.groups(least=2):
        for left_out in group:
            rest = tuple(i for i in group if i != left_out)
            for u, t in product(words.decisions(rest), labels):
                yield "marginalisation", _margin(words, u, left_out, t) | {Quantity(u, t): -1}
    for group in words.groups():
        for u in words.decisions(group):
            yield "observation", {Quantity(u, t): 1 for t in labels} | {Quantity(u): -1}
    for group in words.groups():
        for t in labels:
            yield "axiom", _all_correct(words, group, t)


def _sum(words: Vocabulary, group: Sequence[int], t: int) -> Form:
    return {Quantity(u, t): 1 for u in words.decisions(group)}


def _margin(words: Vocabulary, u: tuple[tuple[int, int], ...], judge: int, t: int | None) -> Form:
    return {Quantity(tuple(sorted((*u, (judge, a)))), t): 1 for a in range(words.labels)}


def _all_correct(words: Vocabulary, group: Sequence[int], t: int) -> Form:
    """Count the items of label t that the whole group answered correctly, by inclusion and exclusion.

    The items of label t that a subgroup all answered wrongly are those they all answered with another
    label, less those of them whose true label is another one: the printed axioms for groups of one
    and two judges, and the same for any number.
    """
    form: Form = {Quantity(tuple((i, t) for i in group), t): 1, Quantity((), t): -1}
    others = [a for a in range(words.labels) if a != t]
    for size in range(1, len(group) + 1):
        sign = (-1) ** (size + 1)
        for part in combinations(group, size):
            for answers in product(others, repeat=size):
                u = tuple(zip(part, answers, strict=True))
                form[Quantity(u)] = sign
                form |= {Quantity(u, s): -sign for s in others}
    return form


def margins_seen(words: Vocabulary) -> Iterator[Form]:
    """Yield the relations between observed counts alone: joint counts sum to those of fewer judges."""
    for group in words.groups():
        for left_out in group:
            rest = tuple(i for i in group if i != left_out)
            for u in words.decisions(rest):
                yield _margin(words, u, left_out, None) | {Quantity(u): -1}


def sizes(words: Vocabulary) -> tuple[int, int]:
    """Return how many counts there are, and how many of the finest ones n(u;t)."""
    joint = sum(comb(words.judges, m) * words.labels**m for m in range(1, words.order + 1))
    return (joint + 1) * (words.labels + 1), words.labels ** (words.judges + 1)


def rank(forms: Iterable[Mapping[Any, int]]) -> int:
    """Return how many of the forms are linearly independent over the fractions, exactly."""
    from flint import fmpz_mat

    listed = [dict(form) for form in forms if form]
    columns = {name: j for j, name in enumerate(dict.fromkeys(k for form in listed for k in form))}
    if not columns:
        return 0
    matrix = [[0] * len(columns) for _ in listed]
    for row, form in zip(matrix, listed, strict=True):
        for name, value in form.items():
            row[columns[name]] = value
    return int(fmpz_mat(matrix).rank())
