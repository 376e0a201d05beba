"""The vocabulary of identities: what each symbol means, and its value on an exam.

A *system* names everything an identity may speak of. Its unknowns are the parameters; every other
quantity that carries a symbol of its own (a frequency, a moment, a count) is an *observable* with
its expression in the parameters; the rest (d_i, grades, P_B = 1 - P_A ...) are abbreviations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Literal

import sympy

from algeval.algebra.proving.encode import Encoding, encode, name_judges, name_labels
from algeval.data import NOT_ANSWERED, KeyedSketch
from algeval.data.settings import check_choice
from algeval.errors import DataError, TooLargeError

__all__ = ["ProofModel", "System", "count_values", "evaluate", "system"]

Expr = Any  # sympy.Expr; SymPy is untyped
ProofModel = Literal["independent", "correlated", "axioms"]

_MOST_CELLS = 600


@dataclass(frozen=True, eq=False)
class System:
    """Everything an identity may speak of under one model.

    Attributes
    ----------
    model, judges, labels
        What the symbols are about.
    parameters : tuple of symbols
        The unknowns, algebraically free of one another.
    observables : dict
        {symbol: its definition in parameters and observables named before it}.
    vocabulary : dict
        {name as text: expression in parameters and observables}.
    encoding : Encoding or None
        The polynomials behind the frequencies; None for the axioms.
    """

    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    parameters: tuple[Expr, ...]
    observables: dict[Expr, Expr]
    vocabulary: dict[str, Expr]
    encoding: Encoding | None = None


class _Names:
    """Collects names; a short form that could mean two things is dropped."""

    def __init__(self, judges: Sequence[str], labels: Sequence[str]) -> None:
        self.table: dict[str, Expr] = {}
        self._short: dict[str, Expr | None] = {}
        self.compact = all(len(name) == 1 and name.isalnum() for name in (*judges, *labels))

    def add(self, value: Expr, name: str, short: str | None = None) -> None:
        self.table[name.replace(" ", "")] = value
        if short is not None and self.compact:
            known = self._short.setdefault(short, value)
            if known != value:
                self._short[short] = None

    def add_gamma(self, value: Expr, who: Sequence[str], label: str) -> None:
        short = f"Gamma_{''.join(who)}_{label}"
        self.add(value, f"Gamma_{{{','.join(who)}}}^{{({label})}}", short)

    def finish(self) -> dict[str, Expr]:
        short = {name: value for name, value in self._short.items() if value is not None}
        return short | self.table


def system(
    model: ProofModel, judges: int | Sequence[object] = 3, labels: int | Sequence[object] = 2
) -> System:
    """Return the vocabulary of a model; `sorted(system(...).vocabulary)` lists every name."""
    names, kinds = name_judges(judges), name_labels(labels)
    if model in ("independent", "correlated"):
        return _encoded_system(encode(names, kinds, model=model))
    check_choice("model", model, ("independent", "correlated", "axioms"))
    cells = len(kinds) ** (len(names) + 1)
    if cells > _MOST_CELLS:
        raise TooLargeError(
            f"the axioms of {len(names)} judges and {len(kinds)} labels speak of {cells} counts; at "
            f"most {_MOST_CELLS} are handled; choose fewer judges, one or two suffice for an axiom"
        )
    return _count_system(names, kinds)


def _encoded_system(encoding: Encoding) -> System:
    judges, labels = encoding.judges, encoding.labels
    names = _Names(judges, labels)
    total = sympy.Symbol("Q")
    names.add(total, "Q")
    for label, value in encoding.prevalence.items():
        names.add(total * value, f"Q_{label}")
    _name_rates(names, encoding.response, encoding.prevalence, judges, labels)
    if len(labels) == 2:
        _name_skills(encoding, names)
    for (chosen, label), value in encoding.gamma.items():
        who = [judge for judge, _ in chosen]
        if all(answer == label for _, answer in chosen):
            names.add_gamma(value, who, label)
        elif value.is_Symbol:
            names.add(value, value.name)
    observables: dict[Expr, Expr] = {}
    for decision, symbol in encoding.frequency.items():
        observables[symbol] = encoding.encoded[decision]
        names.add(symbol, symbol.name, "f_" + "".join(decision))
        names.add(total * symbol, f"n_{{{','.join(decision)}}}", "n_" + "".join(decision))
    observables |= _moments(encoding, names)
    return System(
        encoding.model,
        judges,
        labels,
        (*encoding.parameters, total),
        observables,
        names.finish(),
        encoding,
    )


def _name_skills(encoding: Encoding, names: _Names) -> None:
    """Name d_i and, for independent judges, the counts by true label of two labels."""
    first, second = encoding.labels
    for judge in encoding.judges:
        right = [encoding.response[judge, label, label] for label in (first, second)]
        names.add(right[0] + right[1] - 1, f"d_{judge}")
    if encoding.model != "independent":
        return
    for decision, label in product(encoding.frequency, encoding.labels):
        said = zip(encoding.judges, decision, strict=True)
        rates = [encoding.response[judge, label, answer] for judge, answer in said]
        value = sympy.Symbol("Q") * encoding.prevalence[label] * sympy.Mul(*rates)
        names.add(value, f"n_{{{','.join(decision)};{label}}}", f"n_{''.join(decision)}_{label}")


def _moments(encoding: Encoding, names: _Names) -> dict[Expr, Expr]:
    """Return the moments of S9-S15: shares of one answer and, for two labels, central moments."""
    judges, labels = encoding.judges, encoding.labels
    table: dict[Expr, Expr] = {}
    share: dict[tuple[str, str], Expr] = {}
    for place, judge in enumerate(judges):
        for label in labels:
            symbol = sympy.Symbol(f"f_{{{label}_{judge}}}")
            table[symbol] = sympy.Add(
                *(f for t, f in encoding.frequency.items() if t[place] == label)
            )
            share[judge, label] = symbol
            names.add(symbol, f"f_{{{label}_{judge}}}", f"f_{label}{judge}")
    if len(labels) != 2:
        return table
    delta: dict[tuple[str, ...], Expr] = {(): sympy.Integer(1)}
    for size in range(2, min(len(judges), 4) + 1):
        for chosen in combinations(judges, size):
            symbol = sympy.Symbol(f"Delta_{{{','.join(chosen)}}}")
            places = [judges.index(judge) for judge in chosen]
            raw = [
                f for t, f in encoding.frequency.items() if {t[p] for p in places} == {labels[1]}
            ]
            lower = [
                value
                * sympy.Mul(*(share[judge, labels[1]] for judge in chosen if judge not in part))
                for part, value in delta.items()
                if set(part) <= set(chosen)
            ]
            table[symbol] = sympy.Add(*raw) - sympy.Add(*lower)
            delta[chosen] = symbol
            names.add(symbol, symbol.name, "Delta_" + "".join(chosen))
    return table


def _count_system(judges: tuple[str, ...], labels: tuple[str, ...]) -> System:
    """Return the counts of paper 003: n by tuple and label, and everything they add up to."""
    names = _Names(judges, labels)
    decisions = list(product(labels, repeat=len(judges)))
    cell = {(u, t): sympy.Symbol(f"n_{{{','.join(u)};{t}}}") for u, t in product(decisions, labels)}
    for (u, t), symbol in cell.items():
        names.add(symbol, symbol.name, f"n_{''.join(u)}_{t}")
    table: dict[Expr, Expr] = {}

    def define(name: str, parts: list[Expr], short: str | None = None) -> Expr:
        symbol = sympy.Symbol(name)
        table[symbol] = sympy.Add(*parts)
        names.add(symbol, name, short)
        return symbol

    total = define("Q", list(cell.values()))
    key = {t: define(f"Q_{t}", [s for (_, true), s in cell.items() if true == t]) for t in labels}
    for u in decisions:
        symbol = define(f"n_{{{','.join(u)}}}", [cell[u, t] for t in labels], "n_" + "".join(u))
        names.add(symbol / total, f"f_{{{','.join(u)}}}", "f_" + "".join(u))
    rate = {}
    for size in (1, 2):
        for chosen in combinations(range(len(judges)), size):
            for said in product(labels, repeat=size):
                long = ";".join(f"{judges[i]},{a}" for i, a in zip(chosen, said, strict=True))
                long = ",".join(f"({part})" for part in long.split(";")) if size == 2 else long
                short = "_".join(f"{judges[i]}{a}" for i, a in zip(chosen, said, strict=True))
                rows = {t: _matching(cell, chosen, said, t) for t in labels}
                seen = define(
                    f"R_{{{long}}}", [s for row in rows.values() for s in row], f"R_{short}"
                )
                for t, row in rows.items():
                    known = define(f"R_{{{long};{t}}}", row, f"R_{short}_{t}")
                    if size == 1:
                        rate[judges[chosen[0]], t, said[0]] = known / key[t]
                if size == 1:
                    names.add(
                        seen / total,
                        f"f_{{{said[0]}_{judges[chosen[0]]}}}",
                        f"f_{said[0]}{judges[chosen[0]]}",
                    )
    _name_rates(names, rate, {t: key[t] / total for t in labels}, judges, labels)
    _name_gammas(names, rate, cell, key, judges)
    return System("axioms", judges, labels, tuple(cell.values()), table, names.finish())


def _matching(
    cell: Mapping[tuple[tuple[str, ...], str], Expr],
    chosen: Sequence[int],
    said: Sequence[str],
    label: str,
) -> list[Expr]:
    return [
        symbol
        for (u, t), symbol in cell.items()
        if t == label and all(u[i] == a for i, a in zip(chosen, said, strict=True))
    ]


def _name_rates(
    names: _Names,
    rate: Mapping[tuple[str, str, str], Expr],
    share: Mapping[str, Expr],
    judges: Sequence[str],
    labels: Sequence[str],
) -> None:
    for label, value in share.items():
        names.add(value, f"P_{label}")
    for (judge, label, answer), value in rate.items():
        if answer == label:
            names.add(value, f"P_{{{judge},{label}}}", f"P_{judge}{label}")
        else:
            names.add(value, f"P_{{{judge},{answer}|{label}}}")
    for judge in judges:
        grade = sympy.Add(*(share[t] * rate[judge, t, t] for t in labels))
        names.add(grade, f"g_{judge}")


def _name_gammas(
    names: _Names,
    rate: Mapping[tuple[str, str, str], Expr],
    cell: Mapping[tuple[tuple[str, ...], str], Expr],
    key: Mapping[str, Expr],
    judges: Sequence[str],
) -> None:
    """Name the correlations as S44 and S45 define them: averages over items."""
    for size in range(2, min(len(judges), 3) + 1):
        for chosen, label in product(combinations(range(len(judges)), size), key):
            terms = [
                symbol
                * sympy.Mul(*(int(u[i] == label) - rate[judges[i], label, label] for i in chosen))
                for (u, t), symbol in cell.items()
                if t == label
            ]
            names.add_gamma(sympy.Add(*terms) / key[label], [judges[i] for i in chosen], label)


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


def count_values(known: System, exam: KeyedSketch) -> dict[Expr, Fraction]:
    """Return the value of every parameter and observable on an exam, by counting its items.

    Observables are counted from the answers and the key, never computed from the parameters, so
    that a value found here is evidence independent of the encoding.
    """
    sketch = exam.sketch
    if (sketch.judges, sketch.answers) != (known.judges, known.labels):
        raise DataError(
            f"the exam must have judges {list(known.judges)} and answers {list(known.labels)}; got "
            f"{list(sketch.judges)} and {list(sketch.answers)}; rename them"
        )
    if (sketch.codes == NOT_ANSWERED).any():
        raise DataError("every judge must answer every item; some did not; leave those items out")
    if known.encoding is None:
        return _counts_on(known, exam)
    values: dict[Expr, Fraction] = dict(known.encoding.values(exam))
    values[sympy.Symbol("Q")] = Fraction(exam.n_items)
    for decision, symbol in known.encoding.frequency.items():
        values[symbol] = sketch.frequency(decision)
    for symbol, definition in known.observables.items():
        if symbol not in values:
            values[symbol] = _evaluate(definition, values)
    return values


def _counts_on(known: System, exam: KeyedSketch) -> dict[Expr, Fraction]:
    values = {symbol: Fraction(0) for symbol in known.parameters}
    for row in range(len(exam.sketch)):
        said = ",".join(str(answer) for answer in exam.sketch.decision(row))
        for t, label in enumerate(known.labels):
            values[sympy.Symbol(f"n_{{{said};{label}}}")] = Fraction(int(exam.keyed[row, t]))
    return values | {s: _evaluate(d, values) for s, d in known.observables.items()}
