"""What names stand for, as expressions: in an encoding's parameters, or in counts by true label.

Both classes answer the same four questions: what the parameters are, which symbol an observable has,
what it is made of, and what expression a name stands for. Nothing is kept; whoever asks does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import sympy

from algeval.algebra.proving.encode import Encoding
from algeval.algebra.proving.meanings import Meaning
from algeval.algebra.proving.statistics import moment, statistic

__all__ = ["CountedNames", "EncodedNames"]

_MOST_JUDGES_OF_A_SYMBOL = 4
"""Moments and counts of more judges have no symbol of their own: they are written out."""

Expr = Any  # sympy.Expr; SymPy is untyped


class EncodedNames:
    """Expressions of the models with parameters: prevalences, rates and correlations."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self.model, self.judges, self.labels = encoding.model, encoding.judges, encoding.labels
        self._total = sympy.Symbol("Q")

    def parameters(self) -> Iterator[tuple[Expr, Meaning]]:
        """Yield every unknown with its meaning: prevalences, rates, correlations, items."""
        found = self.encoding
        judge = {name: place for place, name in enumerate(self.judges)}
        label = {name: place for place, name in enumerate(self.labels)}
        for t, symbol in found.prevalence.items():
            yield from self._if_free(symbol, Meaning("P", label=label[t]))
        for (i, t, a), symbol in found.response.items():
            yield from self._if_free(symbol, Meaning("rate", (judge[i],), (label[a],), label[t]))
        for (chosen, t), symbol in found.gamma.items():
            if symbol.is_Symbol:
                who, said = zip(*((judge[i], label[a]) for i, a in chosen), strict=True)
                yield symbol, Meaning("Gamma", who, said, label[t])
        yield self._total, Meaning("Q")

    @staticmethod
    def _if_free(symbol: Expr, meaning: Meaning) -> Iterator[tuple[Expr, Meaning]]:
        if symbol.is_Symbol:
            yield symbol, meaning

    def observable(self, one: Meaning) -> Expr | None:
        """Return the symbol of what is counted or made of counts, None for an abbreviation."""
        if one.kind == "f":
            return self.encoding.frequency[self._said(one.answers)]
        if one.kind == "share":
            return sympy.Symbol(f"f_{{{self.labels[one.answers[0]]}_{self.judges[one.judges[0]]}}}")
        if one.kind == "Delta" and len(one.judges) <= _MOST_JUDGES_OF_A_SYMBOL:
            return sympy.Symbol(f"Delta_{{{','.join(self.judges[i] for i in one.judges)}}}")
        return None

    def _said(self, answers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.labels[a] for a in answers)

    def definition(self, one: Meaning) -> Expr:
        """Return what an observable is made of."""
        if one.kind == "f":
            return self.encoding.encoded[self._said(one.answers)]
        if one.kind == "share":
            return self._together(one.judges, one.answers)
        raw = self._together(one.judges, (1,) * len(one.judges))
        return _central_moment(one.judges, raw, self._share_of_second, self._moment)

    def _together(self, judges: Sequence[int], answers: Sequence[int]) -> Expr:
        pairs = list(zip(judges, (self.labels[a] for a in answers), strict=True))
        table = self.encoding.frequency.items()
        return sympy.Add(*(f for u, f in table if all(u[i] == a for i, a in pairs)))

    def _share_of_second(self, judge: int) -> Expr:
        return self.observable(Meaning("share", (judge,), (1,)))

    def _moment(self, judges: tuple[int, ...]) -> Expr:
        return self.observable(Meaning("Delta", judges))

    def value(self, one: Meaning) -> Expr:
        """Return the expression a name stands for."""
        symbol = self.observable(one)
        return _written_out(self, one) if symbol is None else symbol

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Expr:
        """Return the share of items with a true label on which judges gave answers."""
        if label is None and len(judges) == 1:
            return self.observable(Meaning("share", tuple(judges), tuple(answers)))
        if label is None:
            return self._together(judges, answers)
        name = self.labels[label]
        if len(judges) < 2:
            rate = self._told(label, judges, answers) if judges else sympy.Integer(1)
            return self.encoding.prevalence[name] * rate
        parts = [
            self.encoding.share_of_label(u, name)
            for u in self.encoding.frequency
            if all(u[i] == self.labels[a] for i, a in zip(judges, answers, strict=True))
        ]
        return self.encoding.prevalence[name] * sympy.Add(*parts)

    def _told(self, label: int, judges: Sequence[int], answers: Sequence[int]) -> Expr:
        return self._rate(Meaning("rate", tuple(judges), tuple(answers), label))

    def rate(self, judge: int, label: int) -> Expr:
        """Return a judge's accuracy on a label."""
        return self._told(label, (judge,), (label,))

    def _delta(self, one: Meaning) -> Expr:
        return moment(one.judges, self)

    def _p(self, one: Meaning) -> Expr:
        return self.encoding.prevalence[self._label(one)]

    def _q(self, one: Meaning) -> Expr:
        return self._total if one.label is None else self._total * self._p(one)

    def _label(self, one: Meaning) -> str:
        return self.labels[one.label or 0]

    def _rate(self, one: Meaning) -> Expr:
        key = (self.judges[one.judges[0]], self._label(one), self.labels[one.answers[0]])
        return self.encoding.response[key]

    def _d(self, one: Meaning) -> Expr:
        return _youden(self._rate, one.judges[0])

    def _g(self, one: Meaning) -> Expr:
        return _grade(self._p, self._rate, one.judges[0], len(self.labels))

    def _gamma(self, one: Meaning) -> Expr:
        who = (self.judges[i] for i in one.judges)
        chosen = tuple(zip(who, self._said(one.answers), strict=True))
        return self.encoding.gamma[chosen, self._label(one)]

    def _n(self, one: Meaning) -> Expr:
        said = self._said(one.answers)
        if one.label is None:
            return self._total * self.encoding.frequency[said]
        label = self._label(one)
        share = self.encoding.prevalence[label] * self.encoding.share_of_label(said, label)
        return self._total * share


class CountedNames:
    """Expressions in the counts of No-Knowledge Alarms: n by tuple and label, and what they add up to."""

    model, encoding = "axioms", None

    def __init__(self, judges: tuple[str, ...], labels: tuple[str, ...]) -> None:
        self.judges, self.labels = judges, labels
        self._everyone = tuple(range(len(judges)))
        decisions = product(range(len(labels)), repeat=len(judges))
        cells = [Meaning("n", self._everyone, u, t) for u in decisions for t in range(len(labels))]
        self._cells = {cell: sympy.Symbol(self._name(cell)) for cell in cells}

    def parameters(self) -> Iterator[tuple[Expr, Meaning]]:
        """Yield every count by decision tuple and true label."""
        for cell, symbol in self._cells.items():
            yield symbol, cell

    def _name(self, one: Meaning) -> str:
        label = "" if one.label is None else ";" + self.labels[one.label]
        said = [self.labels[a] for a in one.answers]
        if one.kind == "n":
            return f"n_{{{','.join(said)}{label}}}"
        if one.kind == "Q":
            return "Q" + label.replace(";", "_")
        pairs = [f"{self.judges[i]},{a}" for i, a in zip(one.judges, said, strict=True)]
        inside = pairs[0] if len(pairs) == 1 else ",".join(f"({pair})" for pair in pairs)
        return f"R_{{{inside}{label}}}"

    def observable(self, one: Meaning) -> Expr | None:
        """Return the symbol of a count, None for what is made of counts."""
        if one.kind not in ("Q", "n", "R"):
            return None
        return self._cells.get(one) or sympy.Symbol(self._name(one))

    def definition(self, one: Meaning) -> Expr:
        """Return the cells that a count is the sum of."""
        parts = [
            symbol
            for cell, symbol in self._cells.items()
            if one.label in (None, cell.label)
            and all(cell.answers[i] == a for i, a in zip(one.judges, one.answers, strict=True))
        ]
        return sympy.Add(*parts)

    def value(self, one: Meaning) -> Expr:
        """Return the expression a name stands for."""
        symbol = self.observable(one)
        return _written_out(self, one) if symbol is None else symbol

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Expr:
        """Return the share of items with a true label on which judges gave answers."""
        if not judges:
            return self._p(Meaning("P", label=label))
        return self._count(tuple(judges), tuple(answers), label) / self._key()

    def rate(self, judge: int, label: int) -> Expr:
        """Return a judge's accuracy on a label."""
        return self._rate(Meaning("rate", (judge,), (label,), label))

    def _key(self, label: int | None = None) -> Expr:
        return self.observable(Meaning("Q", label=label))

    def _count(
        self, judges: tuple[int, ...], answers: tuple[int, ...], label: int | None = None
    ) -> Expr:
        counted = Meaning("R", judges, answers, label)
        few = len(judges) <= _MOST_JUDGES_OF_A_SYMBOL
        return self.observable(counted) if few else self.definition(counted)

    def _p(self, one: Meaning) -> Expr:
        return self._key(one.label) / self._key()

    def _rate(self, one: Meaning) -> Expr:
        return self._count(one.judges, one.answers, one.label) / self._key(one.label)

    def _f(self, one: Meaning) -> Expr:
        return self.observable(Meaning("n", one.judges, one.answers)) / self._key()

    def _share(self, one: Meaning) -> Expr:
        return self._count(one.judges, one.answers) / self._key()

    def _d(self, one: Meaning) -> Expr:
        return _youden(self._rate, one.judges[0])

    def _g(self, one: Meaning) -> Expr:
        return _grade(self._p, self._rate, one.judges[0], len(self.labels))

    def _delta(self, one: Meaning) -> Expr:
        few = len(one.judges) <= _MOST_JUDGES_OF_A_SYMBOL
        return self._moment(one.judges) if few else moment(one.judges, self)

    def _moment(self, judges: tuple[int, ...]) -> Expr:
        raw = self._count(judges, (1,) * len(judges)) / self._key()
        return _central_moment(judges, raw, lambda i: self._share(_second(i)), self._moment)

    def _gamma(self, one: Meaning) -> Expr:
        """Return a correlation as S44 and S45 define it: an average over items."""
        t = one.label
        rates = [self._rate(Meaning("rate", (i,), (t or 0,), t)) for i in one.judges]
        terms = [
            symbol
            * sympy.Mul(
                *(int(cell.answers[i] == t) - r for i, r in zip(one.judges, rates, strict=True))
            )
            for cell, symbol in self._cells.items()
            if cell.label == t
        ]
        return sympy.Add(*terms) / self._key(t)


def _written_out(names: EncodedNames | CountedNames, one: Meaning) -> Expr:
    """Return what an abbreviation or a named statistic stands for."""
    made = getattr(names, f"_{one.kind.lower()}", None)
    return statistic(one, names) if made is None else made(one)


def _second(judge: int) -> Meaning:
    return Meaning("share", (judge,), (1,))


def _youden(rate: Callable[[Meaning], Expr], judge: int) -> Expr:
    """Return d = P_A + P_B - 1 of one judge and two labels."""
    return rate(Meaning("rate", (judge,), (0,), 0)) + rate(Meaning("rate", (judge,), (1,), 1)) - 1


def _grade(
    share: Callable[[Meaning], Expr], rate: Callable[[Meaning], Expr], judge: int, n_labels: int
) -> Expr:
    """Return the share of all items that one judge answers rightly."""
    return sympy.Add(
        *(
            share(Meaning("P", label=t)) * rate(Meaning("rate", (judge,), (t,), t))
            for t in range(n_labels)
        )
    )


def _central_moment(
    judges: tuple[int, ...],
    raw: Expr,
    share: Callable[[int], Expr],
    moment: Callable[[tuple[int, ...]], Expr],
) -> Expr:
    """Return a central moment of answers B from the share of items all judges answer B.

    S12-S15, and the same step for four judges: the share minus, over every smaller group, its
    moment times the single shares of the others.
    """
    lower = [sympy.Mul(*(share(i) for i in judges))]
    for size in range(2, len(judges)):
        for part in combinations(judges, size):
            rest = sympy.Mul(*(share(i) for i in judges if i not in part))
            lower.append(moment(part) * rest)
    return raw - sympy.Add(*lower)
