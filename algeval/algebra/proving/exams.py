"""Small exams, smallest first: where a false identity is looked for.

Independent errors on a finite test are a strong condition: every count by true label must be a
whole number, so the exams are generated from the answer key and the judges' counts on each label.
Any exam at all is allowed for correlated judges and for the axioms.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from algeval.algebra.proving.counting import Items
from algeval.algebra.proving.vocabulary import System
from algeval.data import Evaluation, KeyedSketch

__all__ = [
    "exam_of",
    "independent_exams",
    "independent_sizes",
    "plain_exams",
    "random_independent_exams",
    "random_plain_exams",
]

_MOST_ROWS = 60_000

Rows = tuple[tuple[int, ...], ...]


def independent_exams(
    known: System, most_items: int, judges: Sequence[int] | None = None
) -> Iterator[Evaluation]:
    """Yield every exactly independent exam on which all labels occur, smallest first.

    What is yielded is its evaluation; `exact_exam` makes the smallest exam that has it. Where the
    places of some judges are given, the others always give the first answer.
    """
    varying = tuple(range(len(known.judges)) if judges is None else judges)
    n, r = len(varying), len(known.labels)
    for size in range(r, most_items + 1):
        for key in _compositions(size, r, least=1):
            tables = [_label_exams(count, r, n) for count in key]
            for rows in product(*tables):
                yield _evaluation(known, key, _with_constant(known, key, varying, rows))


def _with_constant(
    known: System, key: Sequence[int], varying: Sequence[int], rows: Sequence[Rows]
) -> Sequence[Rows]:
    """Return the rows of all judges, those that do not vary with the first answer only."""
    if len(varying) == len(known.judges):
        return rows
    full = []
    for count, some in zip(key, rows, strict=True):
        constant = (count, *(0 for _ in known.labels[1:]))
        given = dict(zip(varying, some, strict=True))
        full.append(tuple(given.get(i, constant) for i in range(len(known.judges))))
    return full


def independent_sizes(n_judges: int, n_labels: int) -> int:
    """Return up to how many items the exams of one label are listed in reasonable time."""
    size = 1
    while math.comb(size + n_labels, n_labels - 1) ** n_judges <= _MOST_ROWS:
        size += 1
    return size + n_labels - 1


def _evaluation(known: System, key: Sequence[int], rows: Sequence[Rows]) -> Evaluation:
    size = sum(key)
    prevalence = np.array([Fraction(count, size) for count in key], dtype=object)
    confusion = np.array(
        [
            [[Fraction(v, key[t]) for v in rows[t][judge]] for t in range(len(key))]
            for judge in range(len(known.judges))
        ],
        dtype=object,
    )
    return Evaluation(known.judges, known.labels, known.labels, prevalence, confusion)


@lru_cache(maxsize=256)
def _compositions(total: int, parts: int, least: int = 0) -> tuple[tuple[int, ...], ...]:
    if parts == 1:
        return ((total,),) if total >= least else ()
    return tuple(
        (first, *rest)
        for first in range(total, least - 1, -1)
        for rest in _compositions(total - first, parts - 1, least)
    )


@lru_cache(maxsize=256)
def _label_exams(items: int, n_labels: int, n_judges: int) -> tuple[Rows, ...]:
    """Return the judges' answer counts on one label whose independent cells are all whole."""
    rows = _compositions(items, n_labels)
    unit = items ** (n_judges - 1)
    if unit == 1:
        return tuple(product(rows, repeat=n_judges))
    return tuple(
        chosen
        for chosen in product(rows, repeat=n_judges)
        if all(math.prod(cell) % unit == 0 for cell in product(*chosen))
    )


def random_independent_exams(known: System, tries: int, seed: int = 0) -> Iterator[Evaluation]:
    """Yield evaluations of exactly independent exams, denominators growing slowly."""
    draw = random.Random(seed)
    n, r = len(known.judges), len(known.labels)
    for attempt in range(tries):
        most = 2 + attempt // 50
        prevalence = _random_row(draw, r, most, least=1)
        confusion = [[_random_row(draw, r, most) for _ in range(r)] for _ in range(n)]
        shape: Any = np.array(confusion, dtype=object)
        yield Evaluation(known.judges, known.labels, known.labels, np.array(prevalence), shape)


def _random_row(draw: random.Random, parts: int, most: int, least: int = 0) -> list[Fraction]:
    weights = [draw.randint(least, most) for _ in range(parts)]
    if not any(weights):
        weights[draw.randrange(parts)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def plain_exams(
    known: System, most_items: int, judges: Sequence[int] | None = None
) -> Iterator[Items]:
    """Yield the items of every exam on which all labels occur, smallest first.

    Where the places of some judges are given, the others always give the first answer.
    """
    cells = _cells(known, judges)
    for size in range(len(known.labels), most_items + 1):
        for chosen in combinations_with_replacement(cells, size):
            if len({label for label, _ in chosen}) == len(known.labels):
                yield Counter(chosen)


def random_plain_exams(known: System, tries: int, seed: int = 0) -> Iterator[Items]:
    """Yield items of exams of growing size, drawn evenly from all tuples and labels."""
    draw = random.Random(seed)
    cells = _cells(known)
    for attempt in range(tries):
        size = 4 * len(known.labels) + attempt // 20
        chosen = [draw.choice(cells) for _ in range(size)]
        if len({label for label, _ in chosen}) == len(known.labels):
            yield Counter(chosen)


def _cells(known: System, judges: Sequence[int] | None = None) -> list[tuple[int, tuple[int, ...]]]:
    labels = range(len(known.labels))
    choices = [labels if judges is None or i in judges else (0,) for i in range(len(known.judges))]
    return list(product(labels, product(*choices)))


def exam_of(known: System, items: Items) -> KeyedSketch:
    """Return the exam that has these items."""
    table: dict[object, dict[Any, int]] = {label: {} for label in known.labels}
    for (t, said), count in items.items():
        table[known.labels[t]][tuple(known.labels[a] for a in said)] = count
    return KeyedSketch.from_counts(
        table, judges=known.judges, labels=known.labels, answers=known.labels
    )
