"""The value of every symbol on an exam, counted from its items: another route than the package's.

Nothing is computed from an encoding: a correlation is its average over items, a frequency is counted from the
answers. A label that does not occur has accuracies of zero here.
"""

import math
from collections import Counter
from fractions import Fraction

from algeval.algebra.language import Meaning
from algeval.algebra.statements import items_of


def evaluate(expression, values):
    """Exact value of a rational expression, None where it divides by zero."""
    try:
        return _evaluate(expression, values)
    except ZeroDivisionError:
        return None


def _evaluate(expression, values):
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


class Values(dict):
    """{symbol: its value on one exam}, each counted when it is first asked for."""

    def __init__(self, setting, items):
        super().__init__()
        self._known = setting
        self._items = items
        self._total = sum(items.values())
        self._labels = Counter()
        for (t, _), count in items.items():
            self._labels[t] += count

    def __missing__(self, symbol):
        meaning = self._known.symbols[symbol]
        if meaning.kind == "Delta":
            value = _evaluate(self._known.observables[symbol], self)
        else:
            value = self._counted(meaning)
        self[symbol] = value
        return value

    def of(self, symbols):
        """Values of some symbols."""
        return {symbol: self[symbol] for symbol in symbols}

    def _counted(self, meaning):
        if meaning.kind in ("Q", "n", "R"):
            return Fraction(self._matching(meaning))
        if meaning.kind in ("f", "share"):
            return Fraction(self._matching(meaning), self._total)
        if meaning.kind == "P":
            return Fraction(self._labels[meaning.label or 0], self._total)
        on_label = self._labels[meaning.label or 0]
        if not on_label:
            return Fraction(0)  # Algebraic Evaluation, S53
        return (
            Fraction(self._matching(meaning), on_label)
            if meaning.kind == "rate"
            else self._gamma(meaning)
        )

    def _matching(self, meaning) -> int:
        pairs = tuple(zip(meaning.judges, meaning.answers, strict=True))
        return sum(
            count
            for (t, u), count in self._items.items()
            if meaning.label in (None, t) and all(u[i] == a for i, a in pairs)
        )

    def _gamma(self, meaning):
        pairs = tuple(zip(meaning.judges, meaning.answers, strict=True))
        rates = [self._counted(Meaning("rate", (i,), (a,), meaning.label)) for i, a in pairs]
        total = Fraction(0)
        for (t, u), count in self._items.items():
            if t == meaning.label:
                shifts = ((u[i] == a) - r for (i, a), r in zip(pairs, rates, strict=True))
                total += count * math.prod(shifts)
        return total / self._labels[meaning.label or 0]


def count_values(setting, exam):
    """Value of every parameter and observable on an exam."""
    return Values(setting, items_of(setting, exam))
