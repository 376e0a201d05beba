"""The vocabulary of identities: what each symbol means, as an expression.

A *system* names everything an identity may speak of. Its unknowns are the parameters; every other
quantity that carries a symbol of its own (a frequency, a moment, a count) is an *observable* with
its expression in the parameters; the rest (d_i, grades, P_B = 1 - P_A ...) are abbreviations.
Expressions are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

from algeval.algebra.proving.encode import Encoding, encode
from algeval.algebra.proving.expressions import CountedNames, EncodedNames
from algeval.algebra.proving.lazy import Lazy
from algeval.algebra.proving.names import (
    Meaning,
    name_judges,
    name_labels,
    spell,
    spelling_with_numbers,
)
from algeval.data.settings import check_choice
from algeval.errors import TooLargeError

__all__ = ["ProofModel", "System", "system"]

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
    observables : mapping
        {symbol: its definition in parameters and observables named before it}.
    meanings : dict
        {name as text: what it stands for}.
    symbols : dict
        {symbol of a parameter or observable: what it stands for}.
    vocabulary : mapping
        {name as text: expression in parameters and observables}.
    encoding : Encoding or None
        The polynomials behind the frequencies; None for the axioms.
    """

    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    parameters: tuple[Expr, ...]
    observables: Mapping[Expr, Expr]
    meanings: dict[str, Meaning]
    symbols: dict[Expr, Meaning]
    vocabulary: Mapping[str, Expr]
    encoding: Encoding | None = None

    @cached_property
    def cells(self) -> dict[tuple[int, tuple[int, ...]], Expr]:
        """{(true label, answers), as positions: symbol}, where counts are the parameters."""
        found = ((self.symbols[symbol], symbol) for symbol in self.parameters)
        return {(one.label or 0, one.answers): symbol for one, symbol in found if one.kind == "n"}

    def look_up(self, name: str) -> Expr | None:
        """Return what a name stands for; judges i, j, k may be written 1, 2, 3; None if unknown."""
        if name in self.vocabulary:
            return self.vocabulary[name]
        meaning = self.meaning(name)
        known = (long for long, one in self.meanings.items() if one == meaning)
        return None if meaning is None else self.vocabulary[next(known)]

    def meaning(self, name: str) -> Meaning | None:
        """Return the meaning of a name; judges i, j, k may be written 1, 2, 3; None if unknown."""
        if name in self.meanings or not any(character.isdecimal() for character in name):
            return self.meanings.get(name)
        return spelling_with_numbers(self.model, self.judges, self.labels).get(name)


def system(
    model: ProofModel, judges: int | Sequence[object] = 3, labels: int | Sequence[object] = 2
) -> System:
    """Return the vocabulary of a model; `sorted(system(...).vocabulary)` lists every name."""
    names, kinds = name_judges(judges), name_labels(labels)
    if model in ("independent", "correlated"):
        return _system(EncodedNames(encode(names, kinds, model=model)))
    check_choice("model", model, ("independent", "correlated", "axioms"))
    cells = len(kinds) ** (len(names) + 1)
    if cells > _MOST_CELLS:
        raise TooLargeError(
            f"the axioms of {len(names)} judges and {len(kinds)} labels speak of {cells} counts; at "
            f"most {_MOST_CELLS} are handled; choose fewer judges, one or two suffice for an axiom"
        )
    return _system(CountedNames(names, kinds))


def _system(made: EncodedNames | CountedNames) -> System:
    meanings = spell(made.model, made.judges, made.labels)
    known: dict[Expr, Meaning] = dict(made.parameters())
    parameters = tuple(known)
    definitions: dict[Expr, Callable[[], Expr]] = {}
    for meaning in sorted(set(meanings.values()), key=_order):
        symbol = made.observable(meaning)
        if symbol is not None and symbol not in known:
            known[symbol] = meaning
            definitions[symbol] = partial(made.definition, meaning)
    values = {name: partial(made.value, meaning) for name, meaning in meanings.items()}
    return System(
        made.model,
        made.judges,
        made.labels,
        parameters,
        Lazy(definitions),
        meanings,
        known,
        Lazy(values),
        made.encoding,
    )


_FIRST = ("f", "share", "Delta", "Q", "n", "R")


def _order(meaning: Meaning) -> tuple[Any, ...]:
    """Return a sorting key by which nothing is defined before what it is made of."""
    place = _FIRST.index(meaning.kind) if meaning.kind in _FIRST else len(_FIRST)
    label = -1 if meaning.label is None else meaning.label
    return place, len(meaning.judges), meaning.judges, meaning.answers, label
