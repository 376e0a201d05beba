"""The value of every symbol on an exam, counted from its items.

Nothing is computed from an encoding: a correlation is its average over items, a frequency is
counted from the answers. So a value found here is evidence independent of what is being proved.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from algeval.algebra.proving.names import Meaning
from algeval.algebra.proving.vocabulary import System
from algeval.data import NOT_ANSWERED, KeyedSketch
from algeval.errors import DataError

__all__ = ["Items", "Values", "count_values", "evaluate", "items_of"]

Expr = Any  # sympy.Expr; SymPy is untyped
Items = Mapping[tuple[int, tuple[int, ...]], int]
"""{(true label, answers), as positions: number of items}."""


def evaluate(expression: Expr, values: Mapping[Expr, Fraction]) -> Fraction | None:
    """Return the exact value of a rational expression, None where it divides by zero."""
    try:
        return _evaluate(expression, values)
    except ZeroDivisionError:
        return None


def _evaluate(expression: Expr, values: Mapping[Expr, Fraction]) -> Fraction:
    if expression.is_Symbol:
        return values[expression]
    if expression.is_Rational:
        return Fraction(int(expression.p), int(expression.q))
    parts = [_evaluate(part, values) for part in expression.args[:1]]
    if expression.is_Pow:
        return parts[0] ** int(expression.exp)
    for part in expression.args[1:]:
        value = _evaluate(part, values)
        parts[0] = parts[0] + value if expression.is_Add else parts[0] * value
    return parts[0]


class Values(dict[Any, Fraction]):
    """{symbol: its value on one exam}, each counted when it is first asked for."""

    def __init__(self, known: System, items: Items) -> None:
        super().__init__()
        self._known = known
        self._items = items
        self._total = sum(items.values())
        self._labels: Counter[int] = Counter()
        for (t, _), count in items.items():
            self._labels[t] += count

    def __missing__(self, symbol: Expr) -> Fraction:
        meaning = self._known.symbols[symbol]
        if meaning.kind == "Delta":
            value = _evaluate(self._known.observables[symbol], self)
        else:
            value = self._counted(meaning)
        self[symbol] = value
        return value

    def of(self, symbols: Iterable[Expr]) -> dict[Expr, Fraction]:
        """Return the values of some symbols."""
        return {symbol: self[symbol] for symbol in symbols}

    def _counted(self, one: Meaning) -> Fraction:
        if one.kind in ("Q", "n", "R"):
            return Fraction(self._matching(one))
        if one.kind in ("f", "share"):
            return Fraction(self._matching(one), self._total)
        if one.kind == "P":
            return Fraction(self._labels[one.label or 0], self._total)
        on_label = self._labels[one.label or 0]
        if not on_label:
            return Fraction(0)  # Algebraic Evaluation, S53
        return Fraction(self._matching(one), on_label) if one.kind == "rate" else self._gamma(one)

    def _matching(self, one: Meaning) -> int:
        pairs = tuple(zip(one.judges, one.answers, strict=True))
        return sum(
            count
            for (t, u), count in self._items.items()
            if one.label in (None, t) and all(u[i] == a for i, a in pairs)
        )

    def _gamma(self, one: Meaning) -> Fraction:
        pairs = tuple(zip(one.judges, one.answers, strict=True))
        rates = [self._counted(Meaning("rate", (i,), (a,), one.label)) for i, a in pairs]
        total = Fraction(0)
        for (t, u), count in self._items.items():
            if t == one.label:
                shifts = ((u[i] == a) - r for (i, a), r in zip(pairs, rates, strict=True))
                total += count * math.prod(shifts)
        return total / self._labels[one.label or 0]


def items_of(known: System, exam: KeyedSketch) -> Items:
    """Return the items of an exam whose judges and answers are the system's."""
    sketch = exam.sketch
    if (sketch.judges, sketch.answers) != (known.judges, known.labels):
        raise DataError(
            f"the exam must have judges {list(known.judges)} and answers {list(known.labels)}; got "
            f"{list(sketch.judges)} and {list(sketch.answers)}; rename them"
        )
    if (sketch.codes == NOT_ANSWERED).any():
        raise DataError("every judge must answer every item; some did not; leave those items out")
    place = {label: t for t, label in enumerate(known.labels)}
    items: dict[tuple[int, tuple[int, ...]], int] = {}
    for row in range(len(sketch)):
        said = tuple(place[str(answer)] for answer in sketch.decision(row))
        for t, label in enumerate(sketch.labels):
            count = int(exam.keyed[row, t])
            if count:
                items[place[label], said] = count
    return items


def count_values(known: System, exam: KeyedSketch) -> Values:
    """Return the value of every parameter and observable on an exam, by counting its items."""
    return Values(known, items_of(known, exam))
