"""Every name as a quotient of polynomials on the domain of its model.

Independent errors: a simplex of prevalences, and for every judge and true label one of its answers.
Any errors at all: one simplex of the shares of items by true label and decision tuple.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Literal

from algeval.algebra.inequalities.domain import Domain, Polynomial
from algeval.algebra.proving.identities import unknown_name
from algeval.algebra.proving.meanings import Meaning
from algeval.algebra.proving.quotients import Divisors, Quotient
from algeval.algebra.proving.statistics import moment, statistic
from algeval.algebra.proving.vocabulary import System
from algeval.errors import DataError, TooLargeError

__all__ = ["Space"]

_MOST_CELLS = 256
_MOST_POWER = 40


class Space:
    """The arithmetic of inequalities about a system's names.

    Attributes
    ----------
    domain : Domain
    divisors : Divisors
        All that was divided by so far.
    under_even_powers : list of polynomials
        Bases of even powers that were read: forms whose squares may be needed.
    named : list of polynomials
        What the names that were read stand for, each once, where they do not divide.
    """

    def __init__(self, known: System) -> None:
        self._known = known
        self.judges, self.labels = known.judges, known.labels
        n, r = len(self.judges), len(self.labels)
        self.model: Literal["independent", "axioms"] = (
            "independent" if known.model == "independent" else "axioms"
        )
        size = r + n * r * r if self.model == "independent" else r ** (n + 1)
        if size > _MOST_CELLS:
            raise TooLargeError(
                f"an inequality about {n} judges and {r} labels has {size} unknowns; at most "
                f"{_MOST_CELLS} are handled; name fewer judges"
            )
        blocks = [r] * (1 + n * r) if self.model == "independent" else [size]
        self.domain = Domain(blocks)
        self.divisors = Divisors(self.domain)
        self.under_even_powers: list[Polynomial] = []
        self.named: list[Polynomial] = []

    def name(self, name: str) -> Quotient:
        """Return what a name stands for."""
        meaning = self._known.meaning(name)
        if meaning is None:
            raise unknown_name(name, self._known)
        value = self._value(meaning)
        if not value.below and value.top not in self.named:
            self.named.append(value.top)
        return value

    def number(self, value: Fraction) -> Quotient:
        """Return a number."""
        return Quotient(self.divisors, self.domain.constant(value), {}, 0)

    def quotient(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a / b."""
        return a / b

    def power(self, base: Quotient, exponent: int) -> Quotient:
        """Return a power, and remember the base of an even one."""
        if exponent > _MOST_POWER:
            raise DataError(
                f"an exponent in an inequality must be at most {_MOST_POWER}; got {exponent}; lower it"
            )
        if exponent and exponent % 2 == 0 and not base.below and not base.top.is_constant():
            self.under_even_powers.append(base.top ** (exponent // 2))
        return base**exponent

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Quotient:
        """Return the share of items with a true label on which judges gave answers."""
        labels = range(len(self.labels)) if label is None else (label,)
        pairs = dict(zip(judges, answers, strict=True))
        part = self._of_independent if self.model == "independent" else self._of_cells
        total = sum((part(t, pairs) for t in labels), 0 * self.domain.one)
        return Quotient(self.divisors, self.domain.affine(total), {}, 0)

    def _of_independent(self, label: int, pairs: dict[int, int]) -> Polynomial:
        rates = (self._coordinate(i, label, a) for i, a in pairs.items())
        return prod(rates, start=self.domain.gens[label])

    def _coordinate(self, judge: int, label: int, answer: int) -> Polynomial:
        r = len(self.labels)
        return self.domain.gens[r + (judge * r + label) * r + answer]

    def _of_cells(self, label: int, pairs: dict[int, int]) -> Polynomial:
        n, r = len(self.judges), len(self.labels)
        choices = [(pairs[i],) if i in pairs else range(r) for i in range(n)]
        total = 0 * self.domain.one
        for u in product(*choices):
            place = label
            for answer in u:
                place = place * r + answer
            total += self.domain.gens[place]
        return total

    def rate(self, judge: int, label: int) -> Quotient:
        """Return a judge's accuracy on a label."""
        return self._rate(Meaning("rate", (judge,), (label,), label))

    def _value(self, one: Meaning) -> Quotient:
        made = getattr(self, f"_{one.kind.lower()}", None)
        value: Quotient = statistic(one, self) if made is None else made(one)
        return value

    def _rate(self, one: Meaning) -> Quotient:
        label = one.label or 0
        if self.model == "independent":
            polynomial = self.domain.affine(self._coordinate(one.judges[0], label, one.answers[0]))
            return Quotient(self.divisors, polynomial, {}, 0)
        return self.joint(label, one.judges, one.answers) / self.joint(label)

    def _p(self, one: Meaning) -> Quotient:
        return self.joint(one.label)

    def _d(self, one: Meaning) -> Quotient:
        i = one.judges[0]
        return self.rate(i, 0) + self.rate(i, 1) - 1

    def _g(self, one: Meaning) -> Quotient:
        right = (self.joint(t, one.judges, (t,)) for t in range(len(self.labels)))
        return sum(right, self.number(Fraction(0)))

    def _f(self, one: Meaning) -> Quotient:
        return self.joint(one.label, one.judges, one.answers)

    _share = _f

    def _counted(self, one: Meaning) -> Quotient:
        share = self.joint(one.label, one.judges, one.answers)
        return Quotient(self.divisors, share.top, {}, 1)

    _q = _n = _r = _counted

    def _delta(self, one: Meaning) -> Quotient:
        value: Quotient = moment(one.judges, self)
        return value

    def _gamma(self, one: Meaning) -> Quotient:
        """Return the mean over one label's items of the product of (right or not) - accuracy."""
        t = one.label or 0
        if set(one.answers) != {t}:
            raise DataError(
                "correlations in an inequality must be of right answers; got one of wrong answers; "
                "write it out in shares f_{B_i,B_j} or counts"
            )
        size = len(one.judges)
        total = self._subsets_of_right(one.judges, t)
        k = self.divisors.number(self.joint(t).top)
        return Quotient(self.divisors, total.top, {k: size}, 0)

    def _subsets_of_right(self, judges: Sequence[int], label: int) -> Quotient:
        """Return a correlation times the prevalence to the power of its number of judges."""
        here = self.joint(label)
        right = {i: self.joint(label, (i,), (label,)) for i in judges}
        total = self.number(Fraction(0))
        for chosen in product((False, True), repeat=len(judges)):
            inside = [i for i, on in zip(judges, chosen, strict=True) if on]
            rest = prod(
                (right[i] for i in judges if i not in inside), start=self.number(Fraction(1))
            )
            if inside:
                together = self.joint(label, inside, (label,) * len(inside))
                rest = rest * together * here ** (len(inside) - 1)
            total = total + (-1) ** (len(judges) - len(inside)) * rest
        return total
