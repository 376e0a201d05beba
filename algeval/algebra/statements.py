"""Statements read, counted, tried on exams, and put in coordinates."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Literal, Protocol, cast

import numpy as np
import sympy

from algeval.algebra.inequalities import Domain, Polynomial, Problem, Relation, Statement
from algeval.algebra.language import (
    Meaning,
    ProofModel,
    System,
    in_words,
    moment,
    names_of_kinds,
    near_names,
    statistic,
    system,
)
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch
from algeval.errors import DataError, TooLargeError
from algeval.result import exact

# --- Arithmetic read from text, in whatever the caller computes with; nothing is ever executed.


Value = Any  # whatever the arithmetic computes with

MOST_TEXT = 20_000
MOST_POWER = 64
_BRACED = r"[A-Za-z][A-Za-z0-9]*_\{[^{}]*\}(?:\^\{\([^{}()]*\)\})?"
NAME = re.compile(r"(?<![\w.])(?:" + _BRACED + r"|[A-Za-z_]\w*)")
"""A name as identities write it, in braces or without."""
_IN_BRACES = re.compile(_BRACED)


class Arithmetic(Protocol):
    """What a text is computed in; values have + - * and a unary minus of their own."""

    def name(self, name: str) -> Value:
        """Return what a name stands for, or raise DataError."""

    def number(self, value: Fraction) -> Value:
        """Number."""

    def quotient(self, a: Value, b: Value) -> Value:
        """Return a / b, or raise DataError where b is zero."""

    def power(self, base: Value, exponent: int) -> Value:
        """Power with an exponent >= 0."""


def tidy(text: str) -> str:
    """Text in plain characters: Delta, Gamma, -, one equals sign, >= and <=."""
    for old, new in (
        ("Δ", "Delta"), ("Γ", "Gamma"), ("−", "-"), ("≥", ">="), ("≤", "<="), ("==", "="), ("**", "^"),
    ):  # fmt: skip
        text = text.replace(old, new)
    return text.strip()


def read_expression(side: str, text: str, arithmetic: Arithmetic) -> Value:
    """Value of one side of a statement; `text` is the whole statement, for errors."""
    braced: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        name = f"braced__{len(braced)}"
        braced[name] = match.group().replace(" ", "")
        return name

    source = _IN_BRACES.sub(stand_in, side).replace("^", "**").strip()
    try:
        tree = ast.parse(source, mode="eval")
        return _Reader(source, braced, arithmetic).build(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"identity must be arithmetic on known names; could not read {side.strip()!r} in "
            f"{text!r}; write it like 'Delta_ij = P_A*P_B*d_i*d_j'"
        ) from error


class _Reader:
    """Walks the tree of one text."""

    def __init__(self, source: str, braced: Mapping[str, str], arithmetic: Arithmetic) -> None:
        self._source, self._braced, self._in = source, braced, arithmetic

    def build(self, node: ast.AST) -> Value:
        if isinstance(node, ast.Name):
            return self._in.name(self._braced.get(node.id, node.id))
        if isinstance(node, ast.Constant):
            text = ast.get_source_segment(self._source, node) or ""
            return self._in.number(exact(text.replace("_", ""), "a number in the identity"))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            value = self.build(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        raise self._refused(node)

    def _operation(self, node: ast.BinOp) -> Value:
        left = self.build(node.left)
        if isinstance(node.op, ast.Pow):
            return self._power(left, self._exponent(node.right))
        right = self.build(node.right)
        if isinstance(node.op, ast.Div):
            return self._in.quotient(left, right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        raise self._refused(node)

    def _exponent(self, node: ast.AST) -> int:
        shown = ast.get_source_segment(self._source, node)
        exponent = _Reader(self._source, self._braced, _Numbers(shown)).build(node)
        return _whole(exponent, shown)

    def _power(self, base: Value, exponent: int) -> Value:
        if exponent < 0:
            base = self._in.quotient(self._in.number(Fraction(1)), base)
        return self._in.power(base, abs(exponent))

    def _refused(self, node: ast.AST) -> DataError:
        return DataError(
            "identity must use only names, numbers, brackets and + - * / ^; got "
            f"{ast.get_source_segment(self._source, node)!r}; write functions out"
        )


def _whole(exponent: Any, shown: object) -> int:
    if (
        not isinstance(exponent, Fraction)
        or exponent.denominator != 1
        or abs(exponent) > MOST_POWER
    ):
        raise DataError(
            f"an exponent must be a whole number of at most {MOST_POWER}; got {shown}; "
            "square both sides to remove a root"
        )
    return int(exponent)


class _Numbers:
    """Arithmetic without names, for exponents."""

    def __init__(self, shown: object) -> None:
        self._shown = shown

    def name(self, name: str) -> Value:
        """Refuse a name."""
        return _whole(None, self._shown)

    def number(self, value: Fraction) -> Value:
        return value

    def quotient(self, a: Value, b: Value) -> Value:
        return a / b if b else _whole(None, self._shown)

    def power(self, base: Value, exponent: int) -> Value:
        return base**exponent


# --- Identities: read from text or SymPy without executing anything.


AnyExpr = Any  # sympy.Expr; SymPy is untyped


@dataclass(frozen=True, eq=False)
class Identity:
    """Two sides that are claimed equal, the text they came from, and all it divides by.

    `divided` holds every divisor as written: SymPy cancels while it reads, and what was cancelled
    must not be zero all the same.
    """

    text: str
    left: AnyExpr
    right: AnyExpr = field(default_factory=lambda: sympy.Integer(0))
    divided: tuple[AnyExpr, ...] = ()


def spoken_of(claim: Identity) -> set[AnyExpr]:
    """Symbols in an identity and in all that it divides by."""
    return set().union(*(e.free_symbols for e in (claim.left, claim.right, *claim.divided)))


def meanings_in(texts: Iterable[str], setting: System) -> dict[str, Meaning | None]:
    """What every name in some texts stands for; definitions are in their places."""
    names = (
        match.group().replace(" ", "") for text in texts for match in NAME.finditer(tidy(text))
    )
    return {name: setting.meaning(name) for name in names}


def named_system(texts: Iterable[str], setting: System) -> System:
    """System of the judges that texts speak of, the first one where they speak of none.

    It is the system itself where some name is unknown, or would mean something else.
    """
    meanings = meanings_in(texts, setting)
    who = sorted({i for meaning in meanings.values() if meaning for i in meaning.judges}) or [0]
    if len(who) == len(setting.judges) or None in meanings.values():
        return setting
    model = cast(ProofModel, setting.model)
    smaller = system(model, [setting.judges[i] for i in who], setting.labels)
    for name, meaning in meanings.items():
        same = smaller.meaning(name)
        if same is None or same._replace(judges=tuple(who[i] for i in same.judges)) != meaning:
            return setting
    return smaller


def read_identity(identity: Any, setting: System) -> Identity:
    """Read an identity from text or SymPy; nothing in the text is ever executed.

    Text is arithmetic (+ - * / ^ or **, numbers, brackets) on the names of the vocabulary, with
    one `=` or none (then it is claimed to be zero).
    """
    if isinstance(identity, str):
        return _from_text(identity, setting)
    if isinstance(identity, sympy.Equality):
        left, right = identity.lhs, identity.rhs
    elif isinstance(identity, sympy.Implies | sympy.Equivalent):
        raise DataError(_PREMISE.format(identity))
    elif isinstance(identity, sympy.Rel):
        raise DataError(_REFUSED.format(identity))
    elif isinstance(identity, sympy.Expr):
        left, right = identity, sympy.Integer(0)
    else:
        raise DataError(
            f"identity must be text or a SymPy expression or Eq; got {type(identity).__name__}; "
            "write it like 'Delta_ij = P_A*P_B*d_i*d_j'"
        )
    sides = _from_sympy(left, setting), _from_sympy(right, setting)
    return Identity(as_text(identity), *sides, _divisors(sides))


def as_text(identity: Any) -> Any:
    """Statement of SymPy as text; whatever else it is, as it is."""
    if isinstance(identity, sympy.Equality):
        return f"{identity.lhs} = {identity.rhs}"
    return str(identity) if isinstance(identity, sympy.Basic) else identity


_ARROW = re.compile(r"<=>|={1,2}>|[-–]+>|[⇒⟹⇔→]|\b(?:implies|if|when|given|then)\b")
_RELATION_OF_IDENTITIES = re.compile(r"[=<>≤≥≠]")
_PREMISE = (
    "an identity must be one equation; got a claim under a premise, {0}; write premises as "
    "`prove(claim, given=[...])`"
)
_REFUSED = (
    "an identity must be an equation; got the inequality {0}; `prove` decides inequalities; to count "
    "both sides on an exam write them as an equation"
)


def _from_text(text: str, setting: System) -> Identity:
    if len(text) > MOST_TEXT:
        raise DataError(f"identity must have at most {MOST_TEXT} characters; got {len(text)}")
    if has_premise(text):
        raise DataError(_PREMISE.format(repr(text)))
    if re.search(r"[<>≤≥]|!=|≠", text):
        raise DataError(_REFUSED.format(repr(text)))
    sides = tidy(text).split("=")
    if len(sides) > 2:
        raise DataError(f"identity must have at most one '='; got {text!r}; prove one at a time")
    inside = _Symbolic(setting)
    values = [read_expression(side, text, inside) for side in sides]
    pairs = (*inside.divided, *_divisors(values))
    left, right = (*values, sympy.Integer(0))[:2]
    return Identity(text.strip(), left, right, tuple(dict.fromkeys(pairs)))


def has_premise(text: str) -> bool:
    """Whether a text says that one relation follows from another.

    An arrow "=>" that follows no relation is taken for a mistyped ">=".
    """
    before, *after = _ARROW.split(re.sub(r"\{[^{}]*\}", "", text))
    return bool(after) and any(
        _RELATION_OF_IDENTITIES.search(part) for part in (before, *after[:-1])
    )


def _divisors(sides: Iterable[AnyExpr]) -> tuple[AnyExpr, ...]:
    """Return what the expressions themselves divide by: definitions of names divide, too."""
    parts = (part for side in sides for part in sympy.preorder_traversal(side))
    return tuple(dict.fromkeys(p.base for p in parts if p.is_Pow and p.exp.is_negative))


class _Symbolic:
    """SymPy expressions on a system's names; keeps every divisor."""

    def __init__(self, setting: System) -> None:
        self._known = setting
        self.divided: list[AnyExpr] = []

    def name(self, name: str) -> AnyExpr:
        return _look_up(name, self._known)

    def number(self, value: Fraction) -> AnyExpr:
        return sympy.Rational(value.numerator, value.denominator)

    def quotient(self, a: AnyExpr, b: AnyExpr) -> AnyExpr:
        if b == 0:
            raise DataError("identity must not divide by zero; got a zero denominator; rewrite it")
        if not b.is_Rational:
            self.divided.append(b)
        return a / b

    def power(self, base: AnyExpr, exponent: int) -> AnyExpr:
        return base**exponent


def _look_up(name: str, setting: System) -> AnyExpr:
    value = setting.look_up(name)
    if value is None:
        raise unknown_name(name, setting)
    return value


def unknown_name(name: str, setting: System) -> DataError:
    """Error that says which names there are, and which look like this one."""
    near, words = near_names(name, setting.meanings), in_words(name)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    if words:
        meant = f"{' or '.join(words.names)} is {words.meaning}; "
    if name.startswith(("d_", "Delta")) and len(setting.labels) != 2:
        meant = "d and Delta are about two labels; " + meant
    return DataError(
        f"names must be known to the {setting.model} model; got {name!r}; {meant}names are written "
        f"like {', '.join(names_of_kinds(setting.meanings))}, with judges {_listed(setting.judges)} "
        f"and labels {_listed(setting.labels)}; 'algeval help names' says what each means"
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names if len(names) < 6 else (*names[:2], "...", names[-1]))


def _from_sympy(value: AnyExpr, setting: System) -> AnyExpr:
    """Replace every symbol by what the vocabulary says, after checking the shape of the tree."""
    for part in sympy.preorder_traversal(value):
        if part.is_Float:
            raise DataError(
                f"identity must hold exact numbers; got the float {part}; write it as a fraction"
            )
        if part.is_Pow:
            if not part.exp.is_Integer or abs(int(part.exp)) > MOST_POWER:
                raise DataError(
                    f"an exponent must be a whole number of at most {MOST_POWER}; got {part.exp}; "
                    "square both sides to remove a root"
                )
        elif not (part.is_Symbol or part.is_Rational or part.is_Add or part.is_Mul):
            raise DataError(
                f"identity must be a polynomial or a quotient of polynomials; got {part}; "
                "write functions out"
            )
    return value.xreplace(
        {s: _look_up(s.name.replace(" ", ""), setting) for s in value.free_symbols}
    )


# --- Exact quotients of polynomials that remember what they divide by.
#
# A quotient is a numerator over a product of *divisors*, each a polynomial written after a division
# sign. Nothing is cancelled, so that whoever reads the same text gets the same numerator; only equal
# divisors are recognised. A quotient also knows whether it is a count of items (weight 1) or a share.


_MOST_TERMS = 200_000
_MOST_PRODUCTS = 20_000_000
_ANY = None
"""The weight of zero, which is a count and a share."""


class NotLinear(Exception):  # noqa: N818 - no error of the user's; whoever asks for linear claims catches it
    """A product of two quantities, where all must be linear."""


class Divisors:
    """The divisors of one problem, each once, in the order in which they appear.

    Where all must be `linear`, a product of two polynomials raises `NotLinear`.
    """

    def __init__(self, domain: Domain, *, linear: bool = False) -> None:
        self.domain, self.linear = domain, linear
        self.polynomials: list[Polynomial] = []

    def number(self, polynomial: Polynomial) -> int:
        """Number of a divisor, a new one if it was not seen."""
        for k, present in enumerate(self.polynomials):
            if present == polynomial:
                return k
        self.polynomials.append(polynomial)
        return len(self.polynomials) - 1

    def product(self, powers: dict[int, int]) -> Polynomial:
        """Product of powers of divisors."""
        return prod((self.polynomials[k] ** p for k, p in powers.items()), start=self.domain.one)


class Quotient:
    """A numerator in affine form, the powers of its divisors, and its weight in counts."""

    __slots__ = ("below", "home", "top", "weight")

    def __init__(
        self, home: Divisors, top: Polynomial, below: dict[int, int], weight: int | None
    ) -> None:
        self.home, self.top, self.below = home, top, below
        self.weight = _ANY if top.is_zero() else weight
        if len(top) > _MOST_TERMS:
            raise TooLargeError(
                f"the claim has a polynomial of {len(top)} terms; at most {_MOST_TERMS} are handled; "
                "state it with fewer judges or in shares and moments"
            )

    def _made(self, value: Quotient | int | Fraction) -> Quotient:
        if isinstance(value, Quotient):
            return value
        return Quotient(self.home, self.home.domain.constant(value), {}, 0)

    def __add__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        common = {
            k: max(self.below.get(k, 0), other.below.get(k, 0))
            for k in dict.fromkeys((*self.below, *other.below))
        }
        return Quotient(
            self.home, self._over(common) + other._over(common), common, _same(self, other)
        )

    __radd__ = __add__

    def _over(self, common: dict[int, int]) -> Polynomial:
        missing = {k: p - self.below.get(k, 0) for k, p in common.items()}
        return self._times(self.top, self.home.product(missing))

    def __neg__(self) -> Quotient:
        return Quotient(self.home, -self.top, self.below, self.weight)

    def __sub__(self, other: Quotient | int | Fraction) -> Quotient:
        return self + -self._made(other)

    def __rsub__(self, other: int | Fraction) -> Quotient:
        return self._made(other) - self

    def __mul__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        below = dict(self.below)
        for k, power in other.below.items():
            below[k] = below.get(k, 0) + power
        weight = (self.weight or 0) + (other.weight or 0)
        return Quotient(self.home, self._times(self.top, other.top), below, weight)

    __rmul__ = __mul__

    def __truediv__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        if other.top.is_zero():
            raise DataError(
                "a claim must not divide by zero; got a denominator that is always zero; rewrite it"
            )
        top = self._times(self.top, self.home.product(other.below))
        weight = (self.weight or 0) - (other.weight or 0)
        if other.top.is_constant():
            return Quotient(self.home, top / other.top.coefficient(0), self.below, weight)
        k = self.home.number(other.top)
        below = self.below | {k: self.below.get(k, 0) + 1}
        return Quotient(self.home, top, below, weight)

    def __rtruediv__(self, other: int | Fraction) -> Quotient:
        return self._made(other) / self

    def __pow__(self, exponent: int) -> Quotient:
        value = self._made(1)
        for _ in range(exponent):
            value = value * self
        return value

    def _times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        if self.home.linear and not (a.is_constant() or b.is_constant()):
            raise NotLinear
        if len(a) * len(b) > _MOST_PRODUCTS:
            raise TooLargeError(
                f"the claim needs a product of {len(a)} by {len(b)} terms; at most {_MOST_PRODUCTS} "
                "are multiplied; state it with fewer judges or in shares and moments"
            )
        return a * b


def _same(a: Quotient, b: Quotient) -> int | None:
    """Weight of a sum, refusing to add items to shares."""
    if _ANY in (a.weight, b.weight):
        return a.weight if b.weight is _ANY else b.weight
    if a.weight != b.weight:
        raise DataError(
            "an inequality must compare counts with counts and shares with shares; got a sum of both; "
            "divide by Q, or multiply by it"
        )
    return a.weight


# --- What every name is made of, in whatever arithmetic shares of items are computed with.


class Named:
    """Names of a system, in an arithmetic that says what `joint`, `number` and `counted` are."""

    def __init__(self, setting: System) -> None:
        self._known = setting
        self.judges, self.labels = setting.judges, setting.labels

    def name(self, name: str) -> Value:
        """Return what a name stands for."""
        meaning = self._known.meaning(name)
        if meaning is None:
            raise unknown_name(name, self._known)
        return self._value(meaning)

    def number(self, value: Fraction) -> Value:
        """Number."""
        raise NotImplementedError

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Value:
        """Share of items with a true label on which judges gave answers."""
        raise NotImplementedError

    def counted(self, meaning: Meaning) -> Value:
        """Number of such items."""
        raise NotImplementedError

    def rate(self, judge: int, label: int) -> Value:
        """Judge's accuracy on a label."""
        return self._rate(Meaning("rate", (judge,), (label,), label))

    def _value(self, meaning: Meaning) -> Value:
        made = getattr(self, f"_{meaning.kind.lower()}", None)
        return statistic(meaning, self) if made is None else made(meaning)

    def _rate(self, meaning: Meaning) -> Value:
        label = meaning.label or 0
        return self.joint(label, meaning.judges, meaning.answers) / self.joint(label)

    def _p(self, meaning: Meaning) -> Value:
        return self.joint(meaning.label)

    def _d(self, meaning: Meaning) -> Value:
        i = meaning.judges[0]
        return self.rate(i, 0) + self.rate(i, 1) - 1

    def _g(self, meaning: Meaning) -> Value:
        right = (self.joint(t, meaning.judges, (t,)) for t in range(len(self.labels)))
        return sum(right, self.number(Fraction(0)))

    def _f(self, meaning: Meaning) -> Value:
        return self.joint(meaning.label, meaning.judges, meaning.answers)

    _share = _f

    def _q(self, meaning: Meaning) -> Value:
        return self.counted(meaning)

    _n = _r = _q

    def _delta(self, meaning: Meaning) -> Value:
        return moment(meaning.judges, self)

    def _gamma(self, meaning: Meaning) -> Value:
        """Mean over one label's items of the product of (answered so or not) - rate."""
        here = self.joint(meaning.label)
        return self._subsets(meaning) / here ** len(meaning.judges)

    def _subsets(self, meaning: Meaning) -> Value:
        """Correlation times the prevalence to the power of its number of judges."""
        label, pairs = meaning.label, list(zip(meaning.judges, meaning.answers, strict=True))
        here = self.joint(label)
        single = [self.joint(label, (i,), (a,)) for i, a in pairs]
        total = self.number(Fraction(0))
        for chosen in product((False, True), repeat=len(pairs)):
            inside = [pair for pair, on in zip(pairs, chosen, strict=True) if on]
            rest = prod(
                (share for share, on in zip(single, chosen, strict=True) if not on),
                start=self.number(Fraction(1)),
            )
            if inside:
                together = self.joint(label, *zip(*inside, strict=True))
                rest = rest * together * here ** (len(inside) - 1)
            total = total + (-1) ** (len(pairs) - len(inside)) * rest
        return total


# --- Every name as a quotient of polynomials on the domain of its model.
#
# Independent errors: a simplex of prevalences, and for every judge and true label one of its answers.
# Any errors at all: one simplex of the shares of items by true label and decision tuple.


_MOST_CELLS = 256
_MOST_POWER = 40


class Space(Named):
    """The arithmetic of inequalities about a system's names.

    `divisors`: all that was divided by so far; `under_even_powers`: bases of even powers that
    were read: forms whose squares may be needed; `named`: what the names that were read stand
    for, each once, where they do not divide.
    """

    def __init__(self, setting: System, *, linear: bool = False) -> None:
        super().__init__(setting)
        n, r = len(self.judges), len(self.labels)
        self.model: Literal["independent", "axioms"] = (
            "independent" if setting.model == "independent" else "axioms"
        )
        size = r + n * r * r if self.model == "independent" else r ** (n + 1)
        if size > _MOST_CELLS:
            raise TooLargeError(
                f"an inequality about {n} judges and {r} labels has {size} unknowns; at most "
                f"{_MOST_CELLS} are handled; name fewer judges"
            )
        blocks = [r] * (1 + n * r) if self.model == "independent" else [size]
        self.domain = Domain(blocks)
        self.divisors = Divisors(self.domain, linear=linear)
        self.under_even_powers: list[Polynomial] = []
        self.named: list[Polynomial] = []

    def name(self, name: str) -> Quotient:
        """Return what a name stands for."""
        value: Quotient = super().name(name)
        if not value.below and value.top not in self.named:
            self.named.append(value.top)
        return value

    def number(self, value: Fraction) -> Quotient:
        """Number."""
        return Quotient(self.divisors, self.domain.constant(value), {}, 0)

    def quotient(self, a: Quotient, b: Quotient) -> Quotient:
        """Return a / b."""
        return a / b

    def power(self, base: Quotient, exponent: int) -> Quotient:
        """Power, and remember the base of an even one."""
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
        """Share of items with a true label on which judges gave answers."""
        labels = range(len(self.labels)) if label is None else (label,)
        pairs = dict(zip(judges, answers, strict=True))
        part = self._of_independent if self.model == "independent" else self._of_cells
        total = sum((part(t, pairs) for t in labels), 0 * self.domain.one)
        return Quotient(self.divisors, self.domain.affine(total), {}, 0)

    def counted(self, meaning: Meaning) -> Quotient:
        """Share of such items, as a count."""
        share = self.joint(meaning.label, meaning.judges, meaning.answers)
        return Quotient(self.divisors, share.top, {}, 1)

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
            index = label
            for answer in u:
                index = index * r + answer
            total += self.domain.gens[index]
        return total

    def _rate(self, meaning: Meaning) -> Quotient:
        if self.model == "axioms":
            value: Quotient = super()._rate(meaning)
            return value
        gen = self._coordinate(meaning.judges[0], meaning.label or 0, meaning.answers[0])
        return Quotient(self.divisors, self.domain.affine(gen), {}, 0)

    def _gamma(self, meaning: Meaning) -> Quotient:
        t = meaning.label or 0
        if set(meaning.answers) != {t}:
            raise DataError(
                "correlations in an inequality must be of right answers; got one of wrong answers; "
                "write it out in shares f_{B_i,B_j} or counts"
            )
        k = self.divisors.number(self.joint(t).top)
        return Quotient(self.divisors, self._subsets(meaning).top, {k: len(meaning.judges)}, 0)


# --- Claims and hypotheses as texts: one relation each, definitions put in place.


_RELATION = re.compile(r"<=|>=|<|>|=")
_WRONG = re.compile(r"!=|≠|=<|=>|[<>]{2}")


@dataclass(frozen=True, slots=True)
class Texts:
    """A claim, its hypotheses and definitions, as they are written in a certificate."""

    claim: str
    given: tuple[str, ...]  # one relation each
    define: dict[str, str]  # {name: text}; empty where the definitions are put in place already

    def expanded(self, text: str) -> str:
        """Text with every definition put in its place."""
        return _expanded(text, self.define, ())

    def sides(self, text: str) -> tuple[str, str, str]:
        """Left side, relation and right side of a statement, definitions in place."""
        left, right = _RELATION.split(self.expanded(text))
        return left, relation_of(text), right


def read_texts(
    claim: str, conditions: Iterable[str], define: Mapping[str, str], setting: System
) -> Texts:
    """Check the texts and bring them into one form: one relation each, plain characters.

    A definition that has a name of the model is put in place, so that the texts mean the same to
    whoever knows the model's names only.
    """
    definitions = {_name(name): tidy(_text(value)) for name, value in define.items()}
    for name, value in definitions.items():
        _expanded(name, definitions, ())
        if _RELATION.search(value):
            raise DataError(
                f"a definition must be an expression; got {name!r} as {value!r}; leave the relation out"
            )
    claims = list(_statements(claim))
    if len(claims) > 1:
        raise DataError(
            f"a claim must have one relation; got {claim!r}; prove one inequality at a time"
        )
    listed = [conditions] if isinstance(conditions, str) else conditions
    hypotheses = tuple(entry for text in listed for entry in _statements(text))
    texts = Texts(claims[0], hypotheses, definitions)
    if all(name.isidentifier() and setting.meaning(name) is None for name in definitions):
        return texts
    return Texts(texts.expanded(claims[0]), tuple(map(texts.expanded, hypotheses)), {})


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        shown = f"{len(value)} characters" if isinstance(value, str) else type(value).__name__
        raise DataError(
            f"claims, hypotheses and definitions must be text of at most {MOST_TEXT} characters; "
            f"got {shown}; write them like 'P_iA >= 1/2'"
        )
    return value


def _name(name: object) -> str:
    plain = tidy(_text(name)).replace(" ", "")
    if NAME.fullmatch(plain) is None:
        raise DataError(
            f"a defined name must be letters, digits and _, or name_{{...}}; got {name!r}; rename it"
        )
    return plain


def _statements(text: str) -> Iterable[str]:
    """Yield the relations of a text; a chain a <= b <= c is two."""
    plain = tidy(_text(text))
    if has_premise(plain) or _WRONG.search(plain):
        raise DataError(
            f"a claim must be one relation =, >=, <=, > or <; got {text!r}; write premises as "
            "given=[...]"
        )
    sides, relations = _RELATION.split(plain), _RELATION.findall(plain)
    if not relations:
        sides, relations = [plain, "0"], ["="]
    if len({relation.rstrip("=") for relation in relations}) > 1:
        raise DataError(
            f"a chain of relations must go one way; got {text!r}; write its parts separately"
        )
    for left, relation, right in zip(sides, relations, sides[1:], strict=False):
        yield f"{left.strip()} {relation} {right.strip()}"


def _expanded(text: str, define: Mapping[str, str], inside: tuple[str, ...]) -> str:
    def put(match: re.Match[str]) -> str:
        name = match.group().replace(" ", "")
        if name not in define:
            return match.group()
        if name in inside:
            raise DataError(
                f"a definition must not rest on itself; got {' -> '.join((*inside, name))}; break the circle"
            )
        return f"({_expanded(define[name], define, (*inside, name))})"

    result = NAME.sub(put, text)
    if len(result) > 10 * MOST_TEXT:
        raise DataError(
            f"a claim must have at most {10 * MOST_TEXT} characters with all definitions in place; "
            "got more; define less by definitions"
        )
    return result


def relation_of(text: str) -> str:
    """Relation of a statement, as written."""
    return str(_RELATION.findall(text)[0])


def read_problem(texts: Texts, space: Space) -> Problem:
    """Claim and hypotheses as polynomials on the model's domain."""
    claim = _read(texts, texts.claim, space, -1)
    values = tuple(_read(texts, text, space, k) for k, text in enumerate(texts.given))
    return Problem(space.domain, claim, values, tuple(space.divisors.polynomials))


def _read(texts: Texts, text: str, space: Space, number: int) -> Statement:
    left, relation, right = texts.sides(text)
    values = [read_expression(side, text, space) for side in (left, right)]
    if relation.startswith("<"):
        values.reverse()
    difference: Quotient = values[0] - values[1]
    kinds: dict[str, Relation] = {"<": ">", ">": ">", "<=": ">=", ">=": ">=", "=": "="}
    powers = tuple((k, power) for k, power in difference.below.items() if power)
    return Statement(difference.top, kinds[relation], powers, number)


# --- Exams as items, and back.


Items = Mapping[tuple[int, tuple[int, ...]], int]
"""{(true label, answers), as positions: number of items}."""


def items_of(setting: System, exam: KeyedSketch) -> Items:
    """Items of an exam whose judges and answers are the system's."""
    sketch = exam.sketch
    if (sketch.judges, sketch.answers) != (setting.judges, setting.labels):
        raise DataError(
            f"the exam must have judges {list(setting.judges)} and answers {list(setting.labels)}; got "
            f"{list(sketch.judges)} and {list(sketch.answers)}; rename them"
        )
    if (sketch.codes == NOT_ANSWERED).any():
        raise DataError("every judge must answer every item; some did not; leave those items out")
    index = {label: t for t, label in enumerate(setting.labels)}
    items: dict[tuple[int, tuple[int, ...]], int] = {}
    for row in range(len(sketch)):
        said = tuple(index[str(answer)] for answer in sketch.decision(row))
        for t, label in enumerate(sketch.labels):
            count = int(exam.keyed[row, t])
            if count:
                items[index[label], said] = count
    return items


# --- Exams drawn at random, and an exam from its items.


def random_independent_exams(setting: System, tries: int, seed: int = 0) -> Iterator[Evaluation]:
    """Yield evaluations of exactly independent exams, denominators growing slowly."""
    draw = random.Random(seed)
    n, r = len(setting.judges), len(setting.labels)
    for attempt in range(tries):
        most = 2 + attempt // 50
        prevalence = _random_row(draw, r, most, least=1)
        confusion = [[_random_row(draw, r, most) for _ in range(r)] for _ in range(n)]
        shape: Any = np.array(confusion, dtype=object)
        yield Evaluation(
            setting.judges, setting.labels, setting.labels, np.array(prevalence), shape
        )


def _random_row(draw: random.Random, parts: int, most: int, least: int = 0) -> list[Fraction]:
    weights = [draw.randint(least, most) for _ in range(parts)]
    if not any(weights):
        weights[draw.randrange(parts)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def exam_of(setting: System, items: Items) -> KeyedSketch:
    """Exam that has these items."""
    table: dict[object, dict[Any, int]] = {label: {} for label in setting.labels}
    for (t, said), count in items.items():
        table[setting.labels[t]][tuple(setting.labels[a] for a in said)] = count
    return KeyedSketch.from_counts(
        table, judges=setting.judges, labels=setting.labels, answers=setting.labels
    )
