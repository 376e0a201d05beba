"""Check a certificate about all exams: the second half of ``verify.py``, which calls it.

An identity or inequality about judges, proved for all exams at once: there is no data. Its text is
read again here and becomes a polynomial p on a *domain*, a product of blocks of coordinates z >= 0
that sum to 1 each: shares of cells (model "axioms"), or prevalences and answer rates ("independent").
Of what the proof brings along nothing is believed. Each node is either a check of signs or of a
polynomial identity, or it divides the domain into parts that cover it.

Polynomials are kept in *affine form*: the last coordinate of every block is replaced by 1 minus the
others, so that two polynomials agree on the domain exactly when they are equal.

It imports the standard library, and from ``verify_alarm.py`` how values are read and refused.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NoReturn

from algeval.verify import nonnegative
from algeval.verify_alarm import (
    MAX_BITS,
    MAX_DIGITS,
    array,
    common_denominator,
    fields,
    fraction,
    kind_of,
    name_list,
    quoted,
    reject,
    shown,
    spend,
    times,
    whole,
)

MAX_CELLS = 600
"""Coordinates of a domain."""

MAX_EXPONENT, MAX_TERMS, MAX_FACTOR_POWER = 40, 200_000, 8
"""Of one coordinate; of one polynomial; of one factor of a proof."""

MAX_STEPS, MAX_PROOF_NODES, MAX_DEPTH = 10_000_000, 20_000, 100
"""Products and sums of coefficients in all; nodes of all proofs; nodes above one another."""

MAX_TEXT, MAX_BRACKETS, MAX_NAMES = 20_000, 100, 100_000
"""Characters of one text; brackets, signs and powers inside one another; names of one kind."""

MAX_WORDS = 50_000
"""Numbers, names and signs of all texts that are read; a definition is read once, however often used."""


A_PRODUCT = 50
"""Steps that a product by a divisor counts for at least, however short."""


def too_large(what: str) -> NoReturn:
    """Stop because of a limit, which is no judgement of the proof."""
    reject(f"too large to check, which does not mean that it is wrong: {what}")


# 1. Polynomials in whole numbers ------------------------------------------------------------------


@dataclass
class Meter:
    """How much arithmetic one check has done."""

    steps: int = 0

    def count(self, steps: int) -> None:
        """Add to the steps, up to the limit."""
        self.steps += steps
        spend(steps)
        if self.steps > MAX_STEPS:
            too_large(f"more than {MAX_STEPS} products and sums of coefficients")


@dataclass(frozen=True)
class Polynomial:
    """The sum of coefficient * monomial, divided by `scale` > 0; all of them whole numbers.

    A monomial is a whole number, too: its byte k is the exponent of coordinate k, so that the sum of
    two monomials is their product. Terms are not zero and share no factor with the scale, so equal
    polynomials have equal terms.
    """

    terms: Mapping[int, int]
    scale: int
    meter: Meter = field(compare=False, repr=False)

    def __add__(self, other: Polynomial) -> Polynomial:
        return total([self, other], self.meter)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return total([self, other.by(-1)], self.meter)

    def __mul__(self, other: Polynomial) -> Polynomial:
        self.meter.count(len(self.terms) * len(other.terms))
        result: defaultdict[int, int] = defaultdict(int)
        for m, c in self.terms.items():
            for n, k in other.terms.items():
                result[m + n] += c * k
            check_terms(result)
        if has_high_exponent(result):
            too_large(f"an exponent above {MAX_EXPONENT}")
        return polynomial(result, self.scale * other.scale, self.meter)

    def __pow__(self, exponent: int) -> Polynomial:
        if has_high_exponent(
            self.terms, MAX_EXPONENT // max(exponent, 1)
        ):  # a top power never cancels
            too_large(f"an exponent above {MAX_EXPONENT}")
        result = self.constant(1)
        for _ in range(exponent):
            result = result * self
        return result

    def by(self, number: Fraction | int) -> Polynomial:
        """Polynomial times a number."""
        k = Fraction(number)
        terms = {m: c * k.numerator for m, c in self.terms.items()}
        return polynomial(terms, self.scale * k.denominator, self.meter)

    def constant(self, number: Fraction | int) -> Polynomial:
        """Number as a polynomial."""
        k = Fraction(number)
        return polynomial({0: k.numerator}, k.denominator, self.meter)

    def value(self) -> Fraction | None:
        """Number that a constant polynomial is, None for any other."""
        return Fraction(self.terms.get(0, 0), self.scale) if set(self.terms) <= {0} else None

    def ratio(self, other: Polynomial) -> Fraction:
        """K where this is k * other, zero where it is no nonzero multiple."""
        if not self.terms or self.terms.keys() != other.terms.keys():
            return Fraction(0)
        m = next(iter(self.terms))
        k = Fraction(self.terms[m] * other.scale, other.terms[m] * self.scale)
        return k if self == other.by(k) else Fraction(0)

    def speaks_of(self, coordinates: Iterable[int]) -> bool:
        """Whether one of the coordinates occurs."""
        mask = bytes_at(coordinates, 255)
        return any(m & mask for m in self.terms)

    def put(self, images: Mapping[int, Polynomial]) -> Polynomial:
        """Polynomial with coordinates replaced, all at the same time."""
        self.meter.count(len(self.terms))
        mask = bytes_at(images, 255)
        parts: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for m, c in self.terms.items():
            parts[m & mask][m & ~mask] = c
        result = []
        for replaced, terms in parts.items():
            product = polynomial(terms, self.scale, self.meter)
            for k, image in images.items():
                product = product * image ** exponent_of(replaced, k)
            result.append(product)
        return total(result, self.meter)


def polynomial(terms: Mapping[int, int], scale: int, meter: Meter) -> Polynomial:
    """Polynomial in lowest terms, refusing one too large to calculate with."""
    terms = {m: c for m, c in terms.items() if c}
    check_terms(terms)
    divisor = math.gcd(scale, *terms.values()) if scale > 1 else 1
    if divisor > 1:
        terms, scale = {m: c // divisor for m, c in terms.items()}, scale // divisor
    if (
        max(map(abs, terms.values()), default=0).bit_length() > MAX_BITS
        or scale.bit_length() > MAX_BITS
    ):
        too_large(f"a coefficient of more than {MAX_BITS} bits")
    return Polynomial(terms, scale, meter)


def total(parts: Iterable[Polynomial], meter: Meter) -> Polynomial:
    """Sum of polynomials."""
    parts = list(parts)
    scale = common_denominator(Fraction(1, part.scale) for part in parts)
    result: defaultdict[int, int] = defaultdict(int)
    for part in parts:
        meter.count(len(part.terms))
        k = scale // part.scale
        for m, c in part.terms.items():
            result[m] += k * c
    return polynomial(result, scale, meter)


def check_terms(terms: Mapping[int, int]) -> None:
    """Refuse a polynomial of too many terms."""
    if len(terms) > MAX_TERMS:
        too_large(f"a polynomial of more than {MAX_TERMS} terms")


def bytes_at(coordinates: Iterable[int], value: int) -> int:
    """Whole number whose bytes at these coordinates have a value, and no others."""
    return sum(value << 8 * k for k in coordinates)


def exponent_of(monomial: int, coordinate: int) -> int:
    """Exponent of a coordinate."""
    return monomial >> 8 * coordinate & 255


def has_high_exponent(monomials: Iterable[int], most: int = MAX_EXPONENT) -> bool:
    """Whether an exponent (at most 80 here) is above `most`: 127 - most more set the byte's top bit."""
    monomials = list(monomials)
    everywhere = range(max(monomials, default=0).bit_length() // 8 + 1)
    more, top = bytes_at(everywhere, 127 - most), bytes_at(everywhere, 128)
    return any(m + more & top for m in monomials)


# 2. Domains ---------------------------------------------------------------------------------------

Blocks = tuple[tuple[int, ...], ...]
"""The coordinates of each block. A coordinate keeps its number for good, also when a block goes."""


def coordinate(block: Sequence[int], index: int, meter: Meter) -> Polynomial:
    """Coordinate in affine form: the last of a block is 1 minus the others."""
    if index < len(block) - 1:
        return Polynomial({1 << 8 * block[index]: 1}, 1, meter)
    others = {1 << 8 * k: -1 for k in block[:-1]}
    return Polynomial({0: 1, **others}, 1, meter)


def affine(p: Polynomial, blocks: Blocks) -> Polynomial:
    """Polynomial with the last coordinate of each block replaced by 1 minus the others."""
    for block in blocks:
        if p.speaks_of(block[-1:]):
            p = p.put({block[-1]: coordinate(block, len(block) - 1, p.meter)})
    return p


def lift(p: Polynomial, blocks: Blocks, degree: Sequence[int]) -> dict[int, int]:
    """Coefficients of p (times its scale) where every term has this degree in each block.

    Each term is multiplied by the sum of a block's coordinates, which is 1, as often as it takes.
    """
    terms = dict(p.terms)
    for block, most in zip(blocks, degree, strict=True):
        layers: list[dict[int, int]] = [{} for _ in range(most + 1)]
        for m, c in terms.items():
            d = sum(exponent_of(m, k) for k in block)
            if d > most:
                reject(f"a degree must be at least that of the polynomial; got {most}, not {d}")
            layers[d][m] = c
        terms = layers[0]
        for layer in layers[1:]:
            terms = risen(terms, block, layer, p.meter)
    return {m: c for m, c in terms.items() if c}


def risen(
    terms: Mapping[int, int], block: Sequence[int], more: Mapping[int, int], meter: Meter
) -> dict[int, int]:
    """Terms times the sum of a block's coordinates, plus more terms."""
    meter.count(len(terms) * len(block))
    result = defaultdict(int, more)
    for m, c in terms.items():
        for k in block:
            result[m + (1 << 8 * k)] += c
    check_terms(result)
    return result


def read_polynomial(value: object, blocks: Blocks, meter: Meter) -> Polynomial:
    """Read [[exponents, "p/q"], ...], one exponent for each coordinate of all blocks."""
    terms: defaultdict[int, Fraction] = defaultdict(Fraction)
    for entry in array(value, "a polynomial"):
        exponents, coefficient = array(entry, "a term of a polynomial", 2)
        terms[read_monomial(exponents, blocks)] += fraction(coefficient, "a coefficient")
    scale = common_denominator(terms.values())
    return polynomial({m: times(c, scale) for m, c in terms.items()}, scale, meter)


def read_monomial(value: object, blocks: Blocks) -> int:
    """Read the exponents of all coordinates, block by block."""
    coordinates = [k for block in blocks for k in block]
    exponents = array(value, "exponents", len(coordinates))
    for exponent in exponents:
        whole(exponent, "an exponent", 0, MAX_EXPONENT)
    return sum(exponent << 8 * k for exponent, k in zip(exponents, coordinates, strict=True))


def read_degree(value: object, blocks: Blocks) -> list[int]:
    """Read one degree for each block."""
    return [whole(n, "a degree", 0, MAX_EXPONENT) for n in array(value, "the degree", len(blocks))]


# 3. Names: what each stands for, in shares of items -----------------------------------------------

Said = tuple[tuple[int, int], ...]
"""Judges with their answers, by position."""

Meaning = tuple[str, tuple[Any, ...]]
"""A method of `Statistics`, and its arguments."""


@dataclass(frozen=True)
class Quotient:
    """num divided by a product of divisors: {position in the list of divisors: power}.

    `counts` is its degree in counts of items: 1 for n_AAB or Q, 0 for shares and numbers.
    """

    num: Polynomial
    den: Mapping[int, int]
    counts: int = 0


class Shares:
    """The domain of a model, and the share of items that have given answers and a given truth."""

    def __init__(self, model: str, n_judges: int, n_labels: int) -> None:
        self.model, self.n_judges, self.n_labels = model, n_judges, n_labels
        self.judges, self.labels = range(n_judges), range(n_labels)
        if max(n_judges, n_labels) > MAX_CELLS or self._size() > MAX_CELLS:
            too_large(f"a domain of more than {MAX_CELLS} coordinates")
        self.meter = Meter()
        width = self._size() if model == "axioms" else n_labels
        self.blocks: Blocks = tuple(
            tuple(range(start, start + width)) for start in range(0, self._size(), width)
        )
        self._sums: dict[tuple[Said, int | None], Polynomial] = {}

    def _size(self) -> int:
        r, n = self.n_labels, self.n_judges
        return int(r ** (n + 1)) if self.model == "axioms" else r + n * r * r

    def rate(self, i: int, a: int, t: int) -> Polynomial:
        """Share of answers a of judge i on label t, where it is a coordinate."""
        return coordinate(self.blocks[1 + i * self.n_labels + t], a, self.meter)

    def share(self, said: Iterable[tuple[int, int]] = (), truth: int | None = None) -> Polynomial:
        """Share of items with these answers, and this true label if one is given."""
        key = (tuple(sorted(said)), truth)
        if key not in self._sums:
            labels = self.labels if truth is None else [truth]
            self._sums[key] = self.sum_of((key[0], t) for t in labels)
        return self._sums[key]

    def sum_of(self, events: Iterable[tuple[Said, int]]) -> Polynomial:
        """Share of items in one of several events that exclude one another."""
        terms: Counter[int] = Counter()
        for said, t in events:
            monomials = self._cells(said, t) if self.model == "axioms" else self._product(said, t)
            self.meter.count(len(monomials))
            terms.update(monomials)
        return affine(Polynomial(dict(terms), 1, self.meter), self.blocks)

    def _product(self, said: Said, t: int) -> list[int]:
        """Return the one monomial of an event whose judges err independently."""
        coordinates = [self.blocks[0][t]]
        coordinates += [self.blocks[1 + i * self.n_labels + t][a] for i, a in said]
        return [bytes_at(coordinates, 1)]

    def _cells(self, said: Said, t: int) -> list[int]:
        """Cells of an event: truth first, then the answers, last judge fastest."""
        answers = dict(said)
        choices = [[answers[i]] if i in answers else self.labels for i in self.judges]
        cells = []
        for u in itertools.product(*choices):
            position = t
            for answer in u:
                position = position * self.n_labels + answer
            cells.append(1 << 8 * position)
        return cells


class Arithmetic:
    """Quotients of polynomials, and the list of all that is divided by."""

    def __init__(self, shares: Shares) -> None:
        self.shares = shares
        self.divisors: list[Polynomial] = []
        self._numbers: dict[tuple[frozenset[tuple[int, int]], int], int] = {}

    def number(self, value: Fraction | int) -> Quotient:
        """Number."""
        return Quotient(Polynomial({}, 1, self.shares.meter).constant(value), {})

    def plus(self, a: Quotient, b: Quotient, sign: int = 1) -> Quotient:
        """Return a + b, or a - b, over the larger power of each divisor."""
        counts = {q.counts for q in (a, b) if q.num.terms}
        if len(counts) > 1:
            reject(
                "counts and shares cannot be added or compared: the number of items is left open"
            )
        self.shares.meter.count(4 * (len(a.den) + len(b.den)))
        den = {k: max(a.den.get(k, 0), b.den.get(k, 0)) for k in {**a.den, **b.den}}
        num = self.over(a, den) + self.over(b, den).by(sign)
        return Quotient(num, den, max(counts, default=0))

    def over(self, a: Quotient, den: Mapping[int, int]) -> Polynomial:
        """Numerator of a over a product of divisors that holds its own."""
        num = a.num
        for k, power in den.items():
            if power > a.den.get(k, 0):
                self.shares.meter.count(A_PRODUCT)
                num = num * self.divisors[k] ** (power - a.den.get(k, 0))
        return num

    def times(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a * b."""
        self.shares.meter.count(4 * (len(a.den) + len(b.den)))
        den = {k: a.den.get(k, 0) + b.den.get(k, 0) for k in {**a.den, **b.den}}
        return Quotient(a.num * b.num, den, a.counts + b.counts)

    def divide(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a / b; what b is made of becomes a divisor, unless it is a number."""
        top = Quotient(a.num * self.over(Quotient(b.num.constant(1), {}), b.den), a.den)
        counts, number = a.counts - b.counts, b.num.value()
        if number is not None:
            if not number:
                reject("the text divides by zero on every exam")
            return Quotient(top.num.by(1 / number), top.den, counts)
        same = (frozenset(b.num.terms.items()), b.num.scale)
        k = self._numbers.setdefault(same, len(self.divisors))
        if k == len(self.divisors):
            self.divisors.append(b.num)
        return Quotient(top.num, {**top.den, k: top.den.get(k, 0) + 1}, counts)

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """Return a to a whole power; a negative one is a power of 1 / a."""
        if exponent < 0:
            a, exponent = self.divide(self.number(1), a), -exponent
        den = {k: power * exponent for k, power in a.den.items()}
        return Quotient(a.num**exponent, den, a.counts * exponent)


class Statistics:
    """What the names stand for."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic, self.shares = arithmetic, arithmetic.shares

    def share(self, said: Said, truth: int | None = None) -> Quotient:
        """Share of items with these answers and this true label."""
        return Quotient(self.shares.share(said, truth), {})

    def count(self, said: Said, truth: int | None = None) -> Quotient:
        """Number of such items: the share, where an exam's size is taken for 1."""
        return replace(self.share(said, truth), counts=1)

    def items(self) -> Quotient:
        """Number of all items."""
        return replace(self.arithmetic.number(1), counts=1)

    def rate(self, i: int, a: int, t: int) -> Quotient:
        """Share of answers a of judge i among the items of true label t."""
        if self.shares.model == "axioms":
            return self.on_label(((i, a),), t)
        return Quotient(self.shares.rate(i, a, t), {})

    def on_label(self, said: Said, t: int) -> Quotient:
        """Share of items with these answers among those of true label t."""
        if self.shares.model == "axioms":
            return self.arithmetic.divide(self.share(said, t), self.share((), t))
        result = self.arithmetic.number(1)
        for i, a in said:
            result = self.arithmetic.times(result, self.rate(i, a, t))
        return result

    def grade(self, i: int) -> Quotient:
        """Share of items that judge i answers rightly."""
        return Quotient(self.shares.sum_of((((i, t),), t) for t in self.shares.labels), {})

    def youden(self, i: int) -> Quotient:
        """P_iA + P_iB - 1."""
        both = self.arithmetic.plus(self.rate(i, 0, 0), self.rate(i, 1, 1))
        return self.arithmetic.plus(both, self.arithmetic.number(1), -1)

    def balanced(self, i: int) -> Quotient:
        """Return (P_iA + P_iB) / 2, which is the area under the curve of one decision, too."""
        both = self.arithmetic.plus(self.rate(i, 0, 0), self.rate(i, 1, 1))
        return self.arithmetic.times(both, self.arithmetic.number(Fraction(1, 2)))

    def recall(self, i: int) -> Quotient:
        """P_iA."""
        return self.rate(i, 0, 0)

    def precision(self, i: int) -> Quotient:
        """Share of true A among the answers A."""
        return self.arithmetic.divide(self.share(((i, 0),), 0), self.share(((i, 0),)))

    def negative(self, i: int) -> Quotient:
        """Share of true B among the answers B."""
        return self.arithmetic.divide(self.share(((i, 1),), 1), self.share(((i, 1),)))

    def f1(self, i: int) -> Quotient:
        """Return 2 TP / (2 TP + FP + FN)."""
        both, right = self.either(i), self.share(((i, 0),), 0)
        return self.arithmetic.divide(self.arithmetic.plus(right, right), both)

    def jaccard(self, i: int) -> Quotient:
        """TP / (TP + FP + FN)."""
        right = self.share(((i, 0),), 0)
        return self.arithmetic.divide(right, self.arithmetic.plus(self.either(i), right, -1))

    def either(self, i: int) -> Quotient:
        """Share of items that are A plus that of answers A."""
        return self.arithmetic.plus(self.share((), 0), self.share(((i, 0),)))

    def mcc_squared(self, i: int) -> Quotient:
        """Return (TP TN - FP FN)^2 / (P_A P_B f_Ai f_Bi)."""
        share = self.shares.share
        cell = {(a, t): share(((i, a),), t) for a in (0, 1) for t in (0, 1)}
        top = cell[0, 0] * cell[1, 1] - cell[0, 1] * cell[1, 0]
        bottom = share((), 0) * share((), 1) * share(((i, 0),)) * share(((i, 1),))
        return self.arithmetic.divide(Quotient(top * top, {}), Quotient(bottom, {}))

    def agreement(self, who: Sequence[int]) -> Quotient:
        """Share of items on which these judges all say the same."""
        labels = self.shares.labels
        events = ((tuple((i, a) for i in who), t) for a in labels for t in labels)
        return Quotient(self.shares.sum_of(events), {})

    def kappa(self, who: Sequence[int]) -> Quotient:
        """Agreement of two judges beyond that of chance."""
        i, j = who
        share = self.shares.share
        parts = (share(((i, a),)) * share(((j, a),)) for a in self.shares.labels)
        return self.corrected(self.agreement(who), total(parts, self.shares.meter))

    def kappa_with_truth(self, i: int) -> Quotient:
        """Agreement of a judge with the truth beyond that of chance."""
        share = self.shares.share
        parts = (share((), t) * share(((i, t),)) for t in self.shares.labels)
        return self.corrected(self.grade(i), total(parts, self.shares.meter))

    def corrected(self, seen: Quotient, chance: Polynomial) -> Quotient:
        """Return (seen - chance) / (1 - chance)."""
        rest = chance.constant(1) - chance
        return self.arithmetic.divide(Quotient(seen.num - chance, {}), Quotient(rest, {}))

    def majority(self, who: Sequence[int]) -> Quotient:
        """Share of items on which most of these judges, an odd number, are right."""
        events = (
            (tuple(zip(who, u, strict=True)), t)
            for t in self.shares.labels
            for u in itertools.product(self.shares.labels, repeat=len(who))
            if 2 * u.count(t) > len(who)
        )
        return Quotient(self.shares.sum_of(events), {})

    def odds(self, said: Said) -> Quotient:
        """Odds of the first label against the second among items with these answers."""
        return self.arithmetic.divide(self.share(said, 0), self.share(said, 1))

    def moment(self, said: Said) -> Quotient:
        """Mean of the product of (1 if the judge says this, else 0) - (its share)."""
        means = {pair: self.share((pair,)) for pair in said}
        return self.mean_product(said, means, self.share)

    def correlation(self, said: Said, t: int) -> Quotient:
        """Same mean and shares among the items of true label t."""
        means = {pair: self.rate(*pair, t) for pair in said}
        return self.mean_product(said, means, lambda some: self.on_label(some, t))

    def mean_product(
        self,
        said: Said,
        means: Mapping[tuple[int, int], Quotient],
        together: Callable[[Said], Quotient],
    ) -> Quotient:
        """Mean of the product of indicators less their means, multiplied out."""
        result = self.arithmetic.number(0)
        for size in range(len(said) + 1):
            for some in itertools.combinations(said, size):
                part = together(some) if some else self.arithmetic.number(1)
                for pair in said:
                    if pair not in some:
                        part = self.arithmetic.times(part, means[pair])
                result = self.arithmetic.plus(result, part, (-1) ** (len(said) - size))
        return result


@dataclass(frozen=True)
class Spelling:
    """The names of one model, family by family: long, short ("" if there is none), meaning.

    A meaning is the method of `Statistics` that makes it, and its arguments.
    """

    judges: Sequence[str]
    labels: Sequence[str]

    def family(self, head: str) -> Iterable[tuple[str, str, Meaning]]:
        """Names that start with `head`."""
        families = {
            "P": self._p, "Q": self._q, "f": self._f, "n": self._n, "R": self._r, "a": self._a,
            "Delta": self._delta, "Gamma": self._gamma, "unan": self._unan, "kappa": self._kappa,
        }  # fmt: skip
        binary = {"MV": self._mv, "odds": self._odds}
        single = {
            "d": "youden", "J": "youden", "BA": "balanced", "AUC": "balanced", "rec": "recall",
            "prec": "precision", "npv": "negative", "F1": "f1", "Jac": "jaccard",
            "MCC2": "mcc_squared",
        }  # fmt: skip
        if len(self.labels) == 2 and head in single:
            return self._each(head, single[head])
        if len(self.labels) == 2 and head in binary:
            return binary[head]()
        return families[head]() if head in families else self._each("g", "grade", head == "g")

    def _each(self, head: str, kind: str, named: bool = True) -> Iterable[tuple[str, str, Meaning]]:
        for i, judge in enumerate(self.judges if named else ()):
            yield f"{head}_{judge}", "", (kind, (i,))
            if head not in ("d", "g"):
                yield f"{head}_{{{judge}}}", "", (kind, (i,))

    def _p(self) -> Iterable[tuple[str, str, Meaning]]:
        for t, label in enumerate(self.labels):
            yield f"P_{label}", "", ("share", ((), t))
        indices = range(len(self.labels))
        for (i, judge), t, a in itertools.product(enumerate(self.judges), indices, indices):
            label, answer, rate = self.labels[t], self.labels[a], ("rate", (i, a, t))
            if a == t:
                yield f"P_{{{judge},{label}}}", f"P_{judge}{label}", rate
            else:
                yield f"P_{{{judge},{answer}|{label}}}", "", rate

    def _q(self) -> Iterable[tuple[str, str, Meaning]]:
        yield "Q", "", ("items", ())
        for t, label in enumerate(self.labels):
            yield f"Q_{label}", "", ("count", ((), t))

    def _f(self) -> Iterable[tuple[str, str, Meaning]]:
        for said in self._everyone():
            yield f"f_{{{self._tuple(said, ',')}}}", f"f_{self._tuple(said)}", ("share", (said,))
        for said in self._answered(1, len(self.judges)):
            pairs = [f"{self.labels[a]}_{self.judges[i]}" for i, a in said]
            short = "f_" + "".join(pairs).replace("_", "")
            yield f"f_{{{','.join(pairs)}}}", short, ("share", (said,))

    def _n(self) -> Iterable[tuple[str, str, Meaning]]:
        for said in self._everyone():
            long, short = self._tuple(said, ","), f"n_{self._tuple(said)}"
            yield from self._counts("n", long, short, said)

    def _r(self) -> Iterable[tuple[str, str, Meaning]]:
        for said in self._answered(1, 4):
            pairs = [f"{self.judges[i]},{self.labels[a]}" for i, a in said]
            long = pairs[0] if len(pairs) == 1 else ",".join(f"({pair})" for pair in pairs)
            yield from self._counts("R", long, "R_" + "_".join(pairs).replace(",", ""), said)

    def _counts(
        self, head: str, long: str, short: str, said: Said
    ) -> Iterable[tuple[str, str, Meaning]]:
        yield f"{head}_{{{long}}}", short, ("count", (said,))
        for t, label in enumerate(self.labels):
            yield f"{head}_{{{long};{label}}}", f"{short}_{label}", ("count", (said, t))

    def _delta(self) -> Iterable[tuple[str, str, Meaning]]:
        for said in self._answered(2, len(self.judges)):
            pairs = (f"{self.judges[i]}:{self.labels[a]}" for i, a in said)
            yield f"Delta_{{{','.join(pairs)}}}", "", ("moment", (said,))
            if len(self.labels) == 2 and all(a == 1 for _, a in said):
                who = [self.judges[i] for i, _ in said]
                yield f"Delta_{{{','.join(who)}}}", f"Delta_{''.join(who)}", ("moment", (said,))

    def _gamma(self) -> Iterable[tuple[str, str, Meaning]]:
        answered = self._answered(2, len(self.judges))
        for said, (t, label) in itertools.product(answered, enumerate(self.labels)):
            who = [self.judges[i] + f":{self.labels[a]}" * (a != t) for i, a in said]
            right = all(a == t for _, a in said)
            short = f"Gamma_{''.join(who)}_{label}" if right else ""
            yield f"Gamma_{{{','.join(who)}}}^{{({label})}}", short, ("correlation", (said, t))

    def _a(self) -> Iterable[tuple[str, str, Meaning]]:
        return self._groups("a", "agreement", [2])

    def _unan(self) -> Iterable[tuple[str, str, Meaning]]:
        yield "unan", "", ("agreement", (tuple(range(len(self.judges))),))
        yield from self._groups("unan", "agreement", range(2, len(self.judges) + 1))

    def _kappa(self) -> Iterable[tuple[str, str, Meaning]]:
        yield from self._groups("kappa", "kappa", [2])
        yield from self._each("kappa", "kappa_with_truth")

    def _mv(self) -> Iterable[tuple[str, str, Meaning]]:
        if len(self.judges) % 2:
            yield "MV", "", ("majority", (tuple(range(len(self.judges))),))
        yield from self._groups("MV", "majority", range(3, len(self.judges) + 1, 2))

    def _odds(self) -> Iterable[tuple[str, str, Meaning]]:
        for said in self._everyone():
            yield (
                f"odds_{{{self._tuple(said, ',')}}}",
                f"odds_{self._tuple(said)}",
                ("odds", (said,)),
            )

    def _groups(
        self, head: str, kind: str, sizes: Iterable[int]
    ) -> Iterable[tuple[str, str, Meaning]]:
        for size in sizes:
            for who in itertools.combinations(range(len(self.judges)), size):
                names = [self.judges[i] for i in who]
                yield f"{head}_{{{','.join(names)}}}", f"{head}_{''.join(names)}", (kind, (who,))

    def _everyone(self) -> Iterable[Said]:
        return self._answered(len(self.judges), len(self.judges))

    def _answered(self, least: int, most: int) -> Iterable[Said]:
        """Every choice of judges, in order, with an answer each."""
        labels = range(len(self.labels))
        for size in range(least, min(most, len(self.judges)) + 1):
            for who in itertools.combinations(range(len(self.judges)), size):
                for answers in itertools.product(labels, repeat=size):
                    yield tuple(zip(who, answers, strict=True))

    def _tuple(self, said: Said, comma: str = "") -> str:
        return comma.join(self.labels[a] for _, a in said)


class Names:
    """The names of a model, each with what it stands for; whatever could mean two things is out."""

    def __init__(self, statistics: Statistics, judges: Sequence[str], labels: Sequence[str]):
        self.statistics = statistics
        n = len(judges)
        self._spellings = [Spelling(tuple(judges), tuple(labels))]
        if tuple(judges) == tuple("ijklmnopqrstuvwxyz"[:n]):  # then they may be called 1, 2, 3 ...
            self._spellings.append(Spelling(tuple(str(i + 1) for i in range(n)), tuple(labels)))
        self._tables: dict[tuple[Spelling, str], dict[str, Meaning | None]] = {}

    def meaning(self, name: str) -> Meaning | None:
        """Return what a name stands for, None if it is unknown or could mean two things."""
        meanings = (self._table(spelling, name.split("_")[0]) for spelling in self._spellings)
        return next((table[name] for table in meanings if name in table), None)

    def look_up(self, name: str) -> Quotient | None:
        """Quotient a name stands for, None where it has no meaning."""
        meaning = self.meaning(name)
        if meaning is None:
            return None
        kind, arguments = meaning
        value: Quotient = getattr(self.statistics, kind)(*arguments)
        return value

    def _table(self, spelling: Spelling, head: str) -> dict[str, Meaning | None]:
        key = (spelling, head)
        if key not in self._tables:
            self._tables[key] = table_of(spelling, head)
        return self._tables[key]


def table_of(spelling: Spelling, head: str) -> dict[str, Meaning | None]:
    """Return {name: meaning} of one family; long names count before short ones."""
    long: dict[str, Meaning | None] = {}
    short: dict[str, Meaning | None] = {}
    names = (*spelling.judges, *spelling.labels)
    compact = all(len(name) == 1 and name.isalnum() for name in names)
    for name, brief, meaning in spelling.family(head):
        for table, text in ((long, name.replace(" ", "")), (short, brief if compact else "")):
            table[text] = meaning if table.get(text, meaning) == meaning else None
        if len(long) > MAX_NAMES:
            too_large(f"more than {MAX_NAMES} names that start with {quoted(head)}")
    return short | long


# 4. The reader of texts ---------------------------------------------------------------------------

TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?)"
    r"|(?P<name>[^\W\d]\w*?_\{[^{}]*\}(?:\^\{\([^{}()]*\)\})?|[^\W\d]\w*)"
    r"|(?P<sign>\*\*|[<>]=|==|[-+*/^()<>=])"
    r"|(?P<other>\S)"
)
SYNONYMS = {"Δ": "Delta", "Γ": "Gamma", "−": "-", "≤": "<=", "≥": ">="}
RELATIONS = {
    ">=": (1, ">="), "<=": (-1, ">="), ">": (1, ">"), "<": (-1, ">"), "=": (1, "="), "==": (1, "=")
}  # fmt: skip


@dataclass(frozen=True)
class Relation:
    """num >= 0, > 0 or = 0, as `sense` says, once the divisors in `odd` have their signs."""

    num: Polynomial
    odd: frozenset[int]
    sense: str


class Reader:
    """Reads one text after the other: arithmetic on names, and one relation.

    A method for each level, from the loosest bond to the tightest, as in Python: sums, products,
    signs, powers, brackets.
    """

    def __init__(self, names: Names, define: Mapping[str, str]) -> None:
        self.names, self.define = names, define
        self.arithmetic = names.statistics.arithmetic
        self._tokens: list[tuple[str, str]] = []
        self._inside: list[str] = []
        self._values: dict[str, Quotient] = {}
        self._depth = self._words = 0

    def relation(self, text: str) -> Relation:
        """Read two sides and the relation between them."""
        self._tokens = self._read(text)
        left = self._sum()
        sign, sense = RELATIONS.get(self._take(), (0, ""))
        if not sign:
            reject(f"a relation must follow the first side of {quoted(text)}")
        right = self._sum()
        self._end(text)
        difference = self.arithmetic.plus(left, right, -1)
        odd = frozenset(k for k, power in difference.den.items() if power % 2)
        return Relation(difference.num.by(sign), odd if sense != "=" else frozenset(), sense)

    def _read(self, text: str) -> list[tuple[str, str]]:
        """Words of a text, and count them: all texts share one limit."""
        words = tokens_of(text)
        self._words += len(words)
        if self._words > MAX_WORDS:
            too_large(f"texts of more than {MAX_WORDS} numbers, names and signs")
        return words

    def _take(self, *signs: str) -> str:
        """Take the next sign, one of some if they are given; return "" where there is none."""
        kind, token = self._tokens[-1]
        if kind != "sign" or (signs and token not in signs):
            return ""
        self._tokens.pop()
        return token

    def _end(self, text: str) -> None:
        if self._tokens[-1][0] != "end":
            reject(f"{quoted(self._tokens[-1][1])} stands where nothing can, in {quoted(text)}")

    def _sum(self) -> Quotient:
        result = self._product()
        while sign := self._take("+", "-"):
            result = self.arithmetic.plus(result, self._product(), 1 if sign == "+" else -1)
        return result

    def _product(self) -> Quotient:
        result = self._signed()
        while sign := self._take("*", "/"):
            factor = self._signed()
            combine = self.arithmetic.times if sign == "*" else self.arithmetic.divide
            result = combine(result, factor)
        return result

    def _signed(self) -> Quotient:
        sign = self._take("+", "-")
        if not sign:
            return self._power()
        with self._deeper():
            value = self._signed()
        return replace(value, num=value.num.by(-1)) if sign == "-" else value

    def _power(self) -> Quotient:
        base = self._atom()
        if not self._take("^", "**"):
            return base
        with self._deeper():
            exponent = self._signed()
        value = exponent.num.value()
        if value is None or exponent.den or exponent.counts or value.denominator > 1:
            reject("an exponent must be a whole number")
        if abs(value) > MAX_EXPONENT:
            too_large(f"an exponent above {MAX_EXPONENT}")
        return self.arithmetic.power(base, int(value))

    def _atom(self) -> Quotient:
        if self._take("("):
            with self._deeper():
                value = self._sum()
            if not self._take(")"):
                reject("a bracket is opened and not closed")
            return value
        kind, token = self._tokens.pop()
        if kind == "number":
            return self.arithmetic.number(Fraction(token))
        if kind != "name":
            reject(f"a number, a name or a bracket must stand where {quoted(token)} is")
        return self._named(token)

    def _named(self, name: str) -> Quotient:
        """Return what a name stands for: of the model, or of the certificate's definitions."""
        if name not in self._values:
            value = self.names.look_up(name)
            self._values[name] = self._defined(name) if value is None else value
        return self._values[name]

    def _defined(self, name: str) -> Quotient:
        """Read a definition of the certificate, once for all its uses."""
        if name not in self.define or name in self._inside:
            reject(f"the name {quoted(name)} means nothing here, or more than one thing, or itself")
        outer, self._tokens = self._tokens, self._read(self.define[name])
        self._inside.append(name)
        with self._deeper():
            value = self._sum()
        self._end(self.define[name])
        self._inside.pop()
        self._tokens = outer
        return value

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAX_BRACKETS:
            too_large(f"a text with more than {MAX_BRACKETS} brackets inside one another")
        yield
        self._depth -= 1


def tokens_of(text: str) -> list[tuple[str, str]]:
    """Words of a text with their kinds, the last one first: a stack to take from."""
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        reject(f"a text must be of at most {MAX_TEXT} characters; got {shown(text)}")
    for symbol, plain in SYNONYMS.items():
        text = text.replace(symbol, plain)
    words = [
        (str(match.lastgroup), match.group().replace(" ", "")) for match in TOKEN.finditer(text)
    ]
    for kind, word in words:
        if kind == "other" or (kind == "number" and len(word) > MAX_DIGITS):
            reject(f"{quoted(word)} cannot be read in {quoted(text)}")
    return [("end", "the end"), *reversed(words)]


# 5. The domain, made smaller by the givens --------------------------------------------------------


class Setting:
    """A claim, its givens and divisors as polynomials, and the domain they live on.

    `forms` holds them all, so that each step replaces coordinates in all of them at once. A given
    that a step has used up is no longer among them.
    """

    def __init__(
        self,
        shares: Shares,
        claim: Relation,
        givens: Sequence[Relation],
        divisors: Sequence[Polynomial],
    ) -> None:
        self.blocks, self.meter = shares.blocks, shares.meter
        self.claim, self.givens, self.divisors = claim, givens, divisors
        self._ranges = 0
        self.forms: dict[tuple[str, int], Polynomial] = {("claim", 0): claim.num}
        self.forms |= {("given", k): relation.num for k, relation in enumerate(givens)}
        self.forms |= {("divisor", k): divisor for k, divisor in enumerate(divisors)}

    def sign(self, signs: Sequence[int]) -> None:
        """Multiply each relation by its divisors of odd power, which have these signs."""
        odd = {("divisor", k): {k} for k in range(len(signs))}
        odd |= {("given", k): set(relation.odd) for k, relation in enumerate(self.givens)}
        odd["claim", 0] = set(self.claim.odd)
        for key, form in self.forms.items():
            self.forms[key] = form.by(math.prod(signs[k] for k in odd[key]))

    def take(self, k: object, sense: str) -> Polynomial:
        """Use up a given: an equation, or an inequality whose divisors needed no sign."""
        k = whole(k, "a given", 0, len(self.givens) - 1)
        relation = self.givens[k]
        if (relation.sense == "=") != (sense == "=") or relation.odd:
            reject(f"given {k} cannot be used like this")
        if ("given", k) not in self.forms:
            reject(f"given {k} is used by two steps")
        return self.forms.pop(("given", k))

    def pair(self, b: object) -> tuple[int, ...]:
        """Block of two coordinates."""
        block = self.blocks[whole(b, "a block", 0, len(self.blocks) - 1)]
        if len(block) != 2:
            reject(f"block {b} must have two coordinates; it has {len(block)}")
        return block

    def coordinate(self, block: Sequence[int], index: int) -> Polynomial:
        """Coordinate of a block as a polynomial."""
        return coordinate(block, index, self.meter)

    def number(self, value: Fraction | int) -> Polynomial:
        """Number as a polynomial."""
        return Polynomial({}, 1, self.meter).constant(value)

    def put(self, images: Mapping[int, Polynomial]) -> None:
        """Replace coordinates everywhere."""
        self.forms = {key: p.put(images) for key, p in self.forms.items()}

    def drop(self, block: Sequence[int]) -> None:
        """Leave out a block that nothing speaks of any more."""
        self.blocks = tuple(other for other in self.blocks if other != block)

    # the steps

    def identify(self, step: Mapping[str, Any]) -> None:
        """Make one of two pairs that a given says to be equal."""
        _, k, blocks, turned = fields(step, ("step", "given", "blocks", "reversed"), "a step")
        kept, gone = (self.pair(b) for b in array(blocks, "blocks", 2))
        if type(turned) is not bool or kept == gone:
            reject("identify must have two blocks, and 'reversed' true or false")
        mate = self.coordinate(gone, int(turned))
        if not self.take(k, "=").ratio(self.coordinate(kept, 0) - mate):
            reject(f"given {k} does not say that these coordinates are equal")
        self.put({gone[0]: self.coordinate(kept, int(turned))})
        self.drop(gone)

    def fix(self, step: Mapping[str, Any]) -> None:
        """Leave out a pair whose first coordinate a given says to be a number."""
        _, k, b, value = fields(step, ("step", "given", "block", "value"), "a step")
        number = fraction(value, "a value")
        if not 0 <= number <= 1:
            reject(f"a value must lie in 0..1; got {shown(value)}")
        self._solved(k, self.pair(b), self.number(number))

    def solve(self, step: Mapping[str, Any]) -> None:
        """Leave out a pair whose first coordinate a given expresses by others; keep its range."""
        _, k, b, value = fields(step, ("step", "given", "block", "value"), "a step")
        block, image = self.pair(b), affine(self._polynomial(value), self.blocks)
        if image.speaks_of(block):
            reject("the value of a block must not speak of that block")
        self._solved(k, block, image)
        for form in (image, self.number(1) - image):
            self.forms["range", self._ranges] = form
            self._ranges += 1

    def _polynomial(self, value: object) -> Polynomial:
        return read_polynomial(value, self.blocks, self.meter)

    def _solved(self, k: object, block: Sequence[int], image: Polynomial) -> None:
        if not self.take(k, "=").ratio(self.coordinate(block, 0) - image):
            reject(f"given {k} does not say that this coordinate has this value")
        self.put({block[0]: image})
        self.drop(block)

    def bound(self, step: Mapping[str, Any]) -> None:
        """Bound a block's coordinates from below: it is a smaller simplex, z = l + rest z'."""
        _, b, lower, givens = fields(step, ("step", "block", "lower", "givens"), "a step")
        block = self.blocks[whole(b, "a block", 0, len(self.blocks) - 1)]
        low = [nonnegative(x, "a bound") for x in array(lower, "lower", len(block))]
        for position, k in enumerate(array(givens, "givens", len(block))):
            if k is None and low[position]:
                reject("a bound above zero must name the given that says so")
            shifted = self.coordinate(block, position) - self.number(low[position])
            if k is not None and self.take(k, ">=").ratio(shifted) <= 0:
                reject(f"given {k} does not say that this coordinate is at least {low[position]}")
        rest = 1 - sum(low)
        if rest <= 0:
            reject("lower bounds of one block must sum to less than 1")
        self.put(
            {
                block[i]: self.coordinate(block, i).by(rest) + self.number(low[i])
                for i in range(len(block) - 1)
            }
        )

    def merge(self, step: Mapping[str, Any]) -> None:
        """Make one coordinate of those of a block that matter by their sum only."""
        _, named = fields(step, ("step", "coordinates"), "a step")
        pairs = [array(pair, "a coordinate", 2) for pair in array(named, "coordinates")]
        numbers = {whole(b, "a block", 0, len(self.blocks) - 1) for b, _ in pairs}
        if len(numbers) != 1:
            reject("merged coordinates must lie in one block")
        block = self.blocks[numbers.pop()]
        positions = sorted(whole(i, "a coordinate", 0, len(block) - 1) for _, i in pairs)
        if len(set(positions)) < max(2, len(positions)):
            reject("merged coordinates must be two or more, and distinct")
        first, rest = block[positions[0]], [block[i] for i in positions[1:]]
        small = tuple(k for k in block if k not in rest)
        blocks = tuple(small if other == block else other for other in self.blocks)
        self.forms = {
            key: q
            for key, p in self.forms.items()
            if (q := self._merged(key, p, first, rest, blocks)) is not None
        }
        self.blocks = blocks

    def _merged(
        self, key: tuple[str, int], p: Polynomial, first: int, rest: Sequence[int], blocks: Blocks
    ) -> Polynomial | None:
        """Q with p = q at (first + rest); a divisor for which there is none is lost."""
        q = p.put(dict.fromkeys(rest, self.number(0)))
        together = Polynomial({1 << 8 * k: 1 for k in (first, *rest)}, 1, self.meter)
        if affine(q.put({first: together}), self.blocks) == p:
            return affine(q, blocks)
        if key[0] != "divisor":
            reject(f"the {key[0]} does not depend on the sum of the merged coordinates alone")
        return None

    def goal(self, signed: Sequence[int], careful: bool = False) -> Goal:
        """Claim as it stands, with what the steps left over.

        Divisors whose sign is proved are > 0. To prove one (`careful`), no given may be used that
        needs such a sign itself.
        """
        ge: list[Polynomial | None] = []
        eq: list[Polynomial] = []
        strict: set[int] = set()
        for (kind, k), form in self.forms.items():
            if kind == "given" and self.givens[k].sense == "=":
                eq.append(form)
            elif kind in ("given", "range"):
                if kind == "given" and self.givens[k].sense == ">":
                    strict.add(len(ge))
                barred = careful and kind == "given" and self.givens[k].odd
                ge.append(None if barred else form)
        positive = [self.forms.get(("divisor", k)) for k in signed]
        strict |= set(range(len(ge), len(ge) + len(positive)))
        indices = range(len(self.divisors))
        signed_forms = tuple(
            self.forms.get(("divisor", k)) if k in signed else None for k in indices
        )
        claim, sense = self.forms["claim", 0], self.claim.sense
        every = (*ge, *positive)
        return Goal(self.blocks, claim, sense, every, frozenset(strict), tuple(eq), signed_forms)

    def sign_goal(self, k: int) -> Goal:
        """Return that a divisor is not negative."""
        if ("divisor", k) not in self.forms:
            reject(f"divisor {k} does not depend on the sum of merged coordinates alone")
        return replace(self.goal((), True), p=self.forms["divisor", k], sense=">=")


# 6. The nodes of a proof --------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """What a node must prove: p >= 0, > 0 or = 0, where all `ge` are >= 0 and all `eq` are 0.

    Those of `ge` at the positions in `strict` are > 0, and so are the `divisors`, wherever the claim is
    defined. What a proof may not use is None.
    """

    blocks: Blocks
    p: Polynomial
    sense: str
    ge: tuple[Polynomial | None, ...] = ()
    strict: frozenset[int] = frozenset()
    eq: tuple[Polynomial, ...] = ()
    divisors: tuple[Polynomial | None, ...] = ()

    def moved(self, images: Mapping[int, Polynomial], blocks: Blocks) -> Goal:
        """Goal in other coordinates."""

        def all_of(forms: tuple[Polynomial | None, ...]) -> tuple[Polynomial | None, ...]:
            return tuple(None if form is None else form.put(images) for form in forms)

        eq = tuple(form.put(images) for form in self.eq)
        p, ge, divisors = self.p.put(images), all_of(self.ge), all_of(self.divisors)
        return replace(self, blocks=blocks, p=p, ge=ge, eq=eq, divisors=divisors)

    def without(self, value: object) -> Goal:
        """Goal with no use of some of the inequalities."""
        dropped = {whole(k, "a given", 0, len(self.ge) - 1) for k in array(value, "drop")}
        kept = (None if k in dropped else form for k, form in enumerate(self.ge))
        return replace(self, ge=tuple(kept))

    def without_divisors_of(self, block: Sequence[int]) -> Goal:
        """Goal with no use of the divisors that speak of a block."""
        kept = (
            None if divisor is None or divisor.speaks_of(block) else divisor
            for divisor in self.divisors
        )
        return replace(self, divisors=tuple(kept))

    def block(self, b: object) -> tuple[int, ...]:
        """Block by its position."""
        return self.blocks[whole(b, "a block", 0, len(self.blocks) - 1)]

    def coordinate(self, block: Sequence[int], index: int) -> Polynomial:
        """Coordinate of a block as a polynomial."""
        return coordinate(block, index, self.p.meter)

    def polynomial(self, value: object) -> Polynomial:
        """Read a polynomial in all coordinates, as written."""
        return read_polynomial(value, self.blocks, self.p.meter)


Work = list[tuple[object, Goal]]
"""Nodes that remain to be checked, each with its goal."""


def prove(node: object, goal: Goal) -> int:
    """Check a proof from its root down; return the number of nodes."""
    waiting: list[tuple[object, Goal, int]] = [(node, goal, 0)]
    seen = 0
    while waiting:
        node, goal, depth = waiting.pop()
        seen += 1
        if seen > MAX_PROOF_NODES or depth > MAX_DEPTH:
            too_large(f"a proof of more than {MAX_PROOF_NODES} nodes, or {MAX_DEPTH} deep")
        rule = kind_of(node, RULES, "a node of the proof")
        if isinstance(node, Mapping) and "drop" in node:
            goal = goal.without(node["drop"])
            node = {name: value for name, value in node.items() if name != "drop"}
        waiting += [(child, part, depth + 1) for child, part in rule(node, goal)]
    return seen


def inequality_only(goal: Goal, kind: str) -> None:
    """Refuse an identity."""
    if goal.sense == "=":
        reject(f"{kind} prove no identity")


def by_zero(node: Mapping[str, Any], goal: Goal) -> Work:
    """Check that the two sides are the same polynomial."""
    fields(node, ("kind",), "a zero node")
    if goal.sense != "=" or goal.p.terms:
        reject("the two sides are not the same polynomial")
    return []


def by_coefficients(node: Mapping[str, Any], goal: Goal) -> Work:
    """Check that no coefficient is negative; for > 0, that those of all corners are positive.

    At any point choose in each block a coordinate that is not zero: the corner they name is positive.
    """
    _, degree = fields(node, ("kind", "degree"), "a coefficients node")
    inequality_only(goal, "coefficients")
    degrees = read_degree(degree, goal.blocks)
    terms = lift(goal.p, goal.blocks, degrees)
    check_signs(terms)
    if goal.sense == ">":
        corners = [
            [n << 8 * k for k in block] for block, n in zip(goal.blocks, degrees, strict=True) if n
        ]
        if math.prod(map(len, corners)) > len(terms) or any(
            sum(corner) not in terms for corner in itertools.product(*corners)
        ):
            reject("the polynomial may be zero at a corner of the domain, and must be positive")
    return []


def check_signs(terms: Mapping[int, int]) -> None:
    """Refuse a negative coefficient."""
    negative = sum(c < 0 for c in terms.values())
    if negative:
        reject(f"{negative} of {len(terms)} coefficients are negative")


def children_of(value: object, what: str, count: int) -> list[tuple[Any, object]]:
    """Return (what it is for, proof) of each child; a proof {"same": k} is that of child k."""
    pairs = [fields(child, (what, "proof"), "a child") for child in array(value, "children", count)]
    result = []
    for key, proof in pairs:
        if isinstance(proof, Mapping) and "same" in proof:
            (k,) = fields(proof, ("same",), "a repeated proof")
            proof = pairs[whole(k, "a child", 0, count - 1)][1]
        result.append((key, proof))
    return result


def by_corners(node: Mapping[str, Any], goal: Goal) -> Work:
    """Look at the corners of a block in which p is affine and of which no given speaks."""
    _, b, children = fields(node, ("kind", "block", "children"), "a corners node")
    block = goal.block(b)
    if any(form is not None and form.speaks_of(block) for form in (*goal.ge, *goal.eq)):
        reject("a given speaks of the block, so that its corners are not the extremes")
    if any(sum(exponent_of(m, k) for k in block) > 1 for m in goal.p.terms):
        reject(
            "the polynomial is not affine in the block, so that its corners are not the extremes"
        )
    cases = children_of(children, "position", len(block))
    if sorted(whole(position, "a position", 0) for position, _ in cases) != list(range(len(block))):
        reject("there must be a child for each coordinate of the block")
    blocks = tuple(other for other in goal.blocks if other != block)
    goal = goal.without_divisors_of(block)  # they may be zero at a corner and nowhere else
    number = goal.p.constant
    return [
        (
            proof,
            goal.moved({k: number(int(i == position)) for i, k in enumerate(block[:-1])}, blocks),
        )
        for position, proof in cases
    ]


def by_split(node: Mapping[str, Any], goal: Goal) -> Work:
    """Divide a block by a point on the edge from corner i to corner j; each part is a simplex."""
    _, b, edge, at, children = fields(
        node, ("kind", "block", "edge", "at", "children"), "a split node"
    )
    block, where = goal.block(b), fraction(at, "a point of an edge")
    i, j = (whole(end, "an end", 0, len(block) - 1) for end in array(edge, "an edge", 2))
    if i == j or not 0 < where < 1:
        reject("a split must have two ends and a point strictly between them")
    first, second = array(children, "children", 2)
    y_i, y_j = goal.coordinate(block, i), goal.coordinate(block, j)
    near_i = {block[i]: y_i + y_j.by(1 - where), block[j]: y_j.by(where)}
    near_j = {block[i]: y_i.by(1 - where), block[j]: y_j + y_i.by(where)}
    return [(first, goal.moved(near_i, goal.blocks)), (second, goal.moved(near_j, goal.blocks))]


def by_orders(node: Mapping[str, Any], goal: Goal) -> Work:
    """Sort pairs (x, 1 - x) by x: for each order, the steps from 0 to 1 make a simplex."""
    _, listed, children = fields(node, ("kind", "blocks", "children"), "an orders node")
    named = array(listed, "blocks")
    pairs = {whole(b, "a block", 0): goal.block(b) for b in named}
    if len(pairs) < len(named) or any(len(block) != 2 for block in pairs.values()):
        reject("orders must be of distinct blocks of two coordinates")
    if not 2 <= len(pairs) <= 5:
        reject(f"orders must be of 2 to 5 blocks; got {len(pairs)}")
    cases = children_of(children, "order", math.factorial(len(pairs)))
    orders = [tuple(whole(b, "a block", 0) for b in array(order, "an order")) for order, _ in cases]
    if set(orders) != set(itertools.permutations(pairs)):
        reject("there must be a child for each order of the blocks")
    fresh = 1 + max(k for block in goal.blocks for k in block)
    steps = tuple(range(fresh, fresh + len(pairs) + 1))
    blocks = (*(block for block in goal.blocks if block not in pairs.values()), steps)
    result = []
    for order, (_, proof) in zip(orders, cases, strict=True):
        images = {
            pairs[b][0]: Polynomial({1 << 8 * k: 1 for k in steps[: n + 1]}, 1, goal.p.meter)
            for n, b in enumerate(order)
        }
        result.append((proof, goal.moved(images, blocks)))
    return result


def by_factors(node: Mapping[str, Any], goal: Goal) -> Work:
    """Write p as a product; each factor has a sign, an even power by itself unless p > 0."""
    _, constant, factors = fields(node, ("kind", "constant", "factors"), "a factors node")
    inequality_only(goal, "factors")
    number = fraction(constant, "a constant")
    if not number:
        reject("the constant of a product must not be zero")
    product, work = goal.p.constant(number), []
    positive = number > 0
    for entry in array(factors, "factors"):
        form, power, sign, proof = fields(
            entry, ("polynomial", "power"), "a factor", ("sign", "proof")
        )
        factor = affine(goal.polynomial(form), goal.blocks)
        power = whole(power, "a power", 1, MAX_FACTOR_POWER)
        product = product * factor**power
        if power % 2 or goal.sense == ">":
            sign = sign_of(sign)
            work.append((proof, replace(goal, p=factor.by(sign))))
            positive ^= sign < 0 and power % 2 == 1
    if product != goal.p:
        reject("the product of the factors is not the polynomial")
    if not positive:
        reject("the signs of the factors make the product negative")
    return work


def sign_of(value: object) -> int:
    """Read 1 or -1."""
    if type(value) is not int or value not in (1, -1):
        reject(f"a sign must be 1 or -1; got {shown(value)}")
    return value


def by_combination(node: Mapping[str, Any], goal: Goal) -> Work:
    """Write p as a sum of what is not negative and multiples of what is zero.

    What is left of m * p, with m > 0, once a margin, c * monomial * givens * square and multiples of
    equations are taken away has no negative coefficient; for an identity nothing is left.
    """
    _, degree, terms, cofactors, margin, multiplier, powers, positive = fields(
        node, ("kind",), "a combination node",
        ("degree", "terms", "cofactors", "margin", "multiplier", "times", "positive"),
    )  # fmt: skip
    terms = array(() if terms is None else terms, "terms")
    least = nonnegative("0" if margin is None else margin, "a margin")
    if goal.sense == "=" and (terms or least):
        reject("an identity has cofactors only, no terms and no margin")
    if multiplier is not None and (least or goal.sense == ">"):
        reject("a multiplier allows no margin, and proves no strict inequality")
    strict = [form if k in goal.strict else None for k, form in enumerate(goal.ge)]
    left = (
        goal.p * positive_form(powers, goal.divisors, goal) * positive_form(positive, strict, goal)
    )
    if multiplier is not None:
        left = left * read_multiplier(multiplier, goal)
    parts = [left, left.constant(-least), *(read_term(term, goal).by(-1) for term in terms)]
    for pair in array(() if cofactors is None else cofactors, "cofactors"):
        k, cofactor = array(pair, "a cofactor", 2)
        parts.append((goal.polynomial(cofactor) * form_at(goal.eq, k)).by(-1))
    if goal.sense == ">" and not least and not any(is_positive(term, goal) for term in terms):
        reject("a strict inequality needs a margin, or a term of strict givens alone")
    check_rest(affine(total(parts, goal.p.meter), goal.blocks), degree, goal)
    return []


def check_rest(rest: Polynomial, degree: object, goal: Goal) -> None:
    """Check that what is left of a combination is not negative; nothing, for an identity."""
    if goal.sense != "=":
        check_signs(lift(rest, goal.blocks, read_degree(degree, goal.blocks)))
    elif rest.terms:
        reject("the cofactors do not add up to the difference of the two sides")


def form_at(forms: Sequence[Polynomial | None], k: object) -> Polynomial:
    """Return one of the givens, or of the divisors, that a proof may use."""
    form = forms[whole(k, "a position", 0, len(forms) - 1)]
    if form is None:
        reject(f"what stands at position {k} may not be used here: its sign is not known")
    return form


def read_term(value: object, goal: Goal) -> Polynomial:
    """Read c * monomial * product of givens * square, which is not negative."""
    c, givens, exponents, square = fields(value, ("c",), "a term", ("given", "times", "square"))
    result = goal.p.constant(nonnegative(c, "a coefficient of a combination"))
    if exponents is not None:
        monomial = Polynomial({read_monomial(exponents, goal.blocks): 1}, 1, goal.p.meter)
        result = result * monomial
    for k in array(() if givens is None else givens, "the givens of a term"):
        result = result * form_at(goal.ge, k)
    return result if square is None else result * goal.polynomial(square) ** 2


def is_positive(term: Mapping[str, Any], goal: Goal) -> bool:
    """Whether a term, read before, is a positive number times strict givens alone."""
    givens, exponents = term.get("given") or (), term.get("times") or ()
    plain = term.get("square") is None and not any(exponents) and fraction(term["c"], "c") > 0
    return plain and goal.strict.issuperset(givens)


def positive_form(value: object, forms: Sequence[Polynomial | None], goal: Goal) -> Polynomial:
    """Read a product of powers of divisors, or of strict givens: positive wherever the claim is at stake."""
    result = goal.p.constant(1)
    for pair in array(() if value is None else value, "factors of the claim"):
        k, power = array(pair, "a power of a factor", 2)
        result = result * form_at(forms, k) ** whole(power, "a power", 1, MAX_FACTOR_POWER)
    return result


def read_multiplier(value: object, goal: Goal) -> Polynomial:
    """Read a polynomial that is positive on the domain.

    None of its coefficients is negative, and at each corner it is positive. Any point has in each
    block a coordinate that is not zero; the term that is positive at the corner they name is positive there.
    """
    m = goal.polynomial(value)
    if min(m.terms.values(), default=-1) < 0:
        reject("a multiplier must have positive coefficients")
    blocks = [block for block in goal.blocks if m.speaks_of(block)]
    if math.prod(map(len, blocks)) > MAX_NAMES:
        too_large(f"a multiplier on a domain of more than {MAX_NAMES} corners")
    for corner in itertools.product(*blocks):
        others = [k for block in blocks for k in block if k not in corner]
        mask = bytes_at(others, 255)
        if all(monomial & mask for monomial in m.terms):
            reject("a multiplier must be positive at every corner of the domain")
    return m


RULES: dict[str, Callable[[Mapping[str, Any], Goal], Work]] = {
    "zero": by_zero,
    "coefficients": by_coefficients,
    "corners": by_corners,
    "split": by_split,
    "orders": by_orders,
    "factors": by_factors,
    "combination": by_combination,
}


# 7. The whole certificate -------------------------------------------------------------------------

CONTRADICTION = "contradiction"


@dataclass(frozen=True)
class Statement:
    """What a certificate about all exams says, in its own words."""

    claim: str
    given: tuple[str, ...]
    define: Mapping[str, str]
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]

    def words(self) -> str:
        """Return what is claimed, in full: texts in quotes can be taken for nothing else."""
        scope = "for every exam that the judges answer in full"
        if self.model == "independent":
            scope = "whenever the judges err independently of one another on each label"
        givens = " and ".join(map(repr, self.given))
        text = f"{self.claim!r} holds{' if ' if givens else ''}{givens}"
        if self.claim == CONTRADICTION:
            text = f"it cannot be that {givens}"
        meanings = "".join(f", where {name} is {means!r}" for name, means in self.define.items())
        return f"{scope}, {text}{meanings}"

    def caveat(self) -> str:
        """Return what the certificate does not say."""
        return (
            "No data were used: it says nothing of any judges in particular"
            + (", nor that they err independently" if self.model == "independent" else "")
            + (", nor that the conditions hold" if self.given else "")
        )


def check_statement(document: Mapping[str, Any]) -> str:
    """Return what a certificate proves of all exams, or reject it."""
    names = ("schema", "claim", "model", "judges", "labels", "strict", "proof")
    optional = ("given", "define", "denominators", "domain")
    fields(document, names, "the certificate", optional)
    statement = read_statement(document)
    setting = read_setting(statement, document["strict"] is True)
    if document["strict"] is not (setting.claim.sense == ">"):
        reject("'strict' must be true for > and <, and false otherwise")
    proofs = read_signs(document.get("denominators", ()), setting)
    for step in array(document.get("domain", ()), "domain"):
        take_step(step, setting)
    nodes = sum(prove(proof, setting.sign_goal(k)) for k, proof in proofs.items())
    nodes += prove(document["proof"], setting.goal(list(proofs)))
    people = ", ".join(map(repr, statement.judges))
    kinds = ", ".join(map(repr, statement.labels))
    defined = ", wherever nothing is divided by zero" if setting.divisors else ""
    return (
        f"Verified (all exams, judges {people}, labels {kinds}): {statement.words()}{defined}; "
        f"{nodes} node{'s' * (nodes != 1)} of proof. {statement.caveat()}."
    )


def read_statement(document: Mapping[str, Any]) -> Statement:
    """Read what is claimed, of which judges and labels."""
    model = document["model"]
    if model not in ("axioms", "independent"):
        reject(f"the model must be 'axioms' or 'independent'; got {shown(model)}")
    define = document.get("define", {})
    if not isinstance(define, Mapping):
        reject("define must be an object")
    for name in define:
        if not re.fullmatch(r"[^\W\d]\w*", name):
            reject(f"a name must be one word; got {quoted(name)}")
    result = Statement(
        text_of(document["claim"]),
        tuple(text_of(text) for text in array(document.get("given", ()), "given")),
        {name: text_of(text) for name, text in define.items()},
        model,
        name_list(document["judges"], "judges"),
        name_list(document["labels"], "labels"),
    )
    if not result.judges or len(result.labels) < 2:
        reject("there must be a judge and two labels")
    if result.claim == CONTRADICTION and not result.given:
        reject("a contradiction must have givens")
    return result


def text_of(value: object) -> str:
    """Text, not too long to read."""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        reject(f"a text must have at most {MAX_TEXT} characters; got {shown(value)}")
    return value


def read_setting(statement: Statement, strict: bool) -> Setting:
    """Rebuild the polynomials of a statement from its texts.

    That the givens contradict each other is what -1 >= 0 says, or 0 > 0, which needs a strict proof.
    """
    shares = Shares(statement.model, len(statement.judges), len(statement.labels))
    arithmetic = Arithmetic(shares)
    names = Names(Statistics(arithmetic), statement.judges, statement.labels)
    for name in statement.define:
        if names.meaning(name) is not None:
            reject(f"the name {quoted(name)} has a meaning, and may not be given another")
    reader = Reader(names, statement.define)
    if statement.claim == CONTRADICTION:
        number, sense = (0, ">") if strict else (-1, ">=")
        claim = Relation(arithmetic.number(number).num, frozenset(), sense)
    else:
        claim = reader.relation(statement.claim)
    givens = [reader.relation(text) for text in statement.given]
    return Setting(shares, claim, givens, arithmetic.divisors)


def read_signs(value: object, setting: Setting) -> dict[int, object]:
    """Multiply out the divisors with the signs they are said to have; return the proofs of these."""
    entries = array(value, "denominators", len(setting.divisors))
    signs, proofs = [], {}
    for k, entry in enumerate(entries):
        sign, proof = fields(entry, ("sign",), "a denominator", ("proof",))
        signs.append(sign_of(sign))
        if proof is not None:
            proofs[k] = proof
    for relation in (setting.claim, *setting.givens):
        if not relation.odd <= proofs.keys():
            reject("a divisor of odd power must have a proof of its sign")
    setting.sign(signs)
    return proofs


def take_step(step: object, setting: Setting) -> None:
    """Take one step towards the domain of the proof."""
    steps = {
        "identify": setting.identify,
        "fix": setting.fix,
        "solve": setting.solve,
        "bound": setting.bound,
        "merge": setting.merge,
    }
    name = step.get("step") if isinstance(step, Mapping) else None
    if not isinstance(name, str) or name not in steps or not isinstance(step, Mapping):
        reject(f"a step must be one of {', '.join(steps)}; got {shown(name)}")
    steps[name](step)
