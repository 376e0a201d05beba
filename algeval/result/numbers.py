"""Numbers and words as people, JSON and LaTeX write them; status; equality by value."""

from __future__ import annotations

import dataclasses
import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from functools import partial, total_ordering
from itertools import islice
from math import ceil
from numbers import Rational, Real
from typing import Any, TypeAlias

from algeval.errors import DataError, parameter

# --- Text from data made fit for a terminal: what would steer it is shown instead.


_STEERS = (
    r"\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    r"\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"  # invisible, or turns the line around
    r"\ud800-\udfff"  # half a character, which no stream can write
)
_CONTROL = re.compile(f"[{_STEERS}]")
_CONTROL_IN_LINES = re.compile(f"(?!\n)[{_STEERS}]")
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str, *, lines: bool = False) -> str:
    r"""Text with its control characters written out, so that a name cannot steer a terminal.

    Letters of any script, and emoji, stay as they are.

    Parameters
    ----------
    text : str
    lines : bool
        Whether line breaks belong to the text, and stay.

    Examples
    --------
    >>> print(visible("\x1b[31mred\nand more"))
    \x1b[31mred\nand more
    """
    return (_CONTROL_IN_LINES if lines else _CONTROL).sub(_escape, text)


def json_visible(text: str) -> str:
    r"""JSON text with its control characters as JSON escapes; its line breaks stay.

    Examples
    --------
    >>> print(json_visible('["\x9b"]'))
    ["\u009b"]
    """
    return _CONTROL_IN_LINES.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def cut_short(text: str, most: int) -> str:
    """Text of at most so many characters, with dots for what is left out."""
    return text if len(text) <= most else text[: most - 3] + "..."


def short_list(names: Sequence[str], most: int = 100) -> str:
    """Names as `repr` shows a list, as many as fit, and how many there are if not all do."""
    text = repr(list(names[:most]))
    if len(names) <= most and len(text) <= most:
        return text
    shown = ""
    for name in names:
        if len(shown) + len(repr(name)) + 2 > most - 3:
            break
        shown += f"{name!r}, "
    return f"[{shown}... {len(names)} in all]"


def _escape(result: re.Match[str]) -> str:
    character = result[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


# --- Equal by value: two results, or two sets of data, are equal when all they hold is.


def same(first: Any, other: Any) -> bool:
    """Whether two values hold the same: arrays compared cell by cell, NaN equal to NaN.

    A list equals a tuple or an array of the same values, as it does after a round trip through JSON.
    """
    if first is other:
        return True
    if hasattr(first, "dtype") and hasattr(other, "dtype"):
        if first.shape != other.shape:
            return False
        if first.dtype == object or other.dtype == object:
            return same(first.tolist(), other.tolist())
        return bool(((first == other) | ((first != first) & (other != other))).all())
    first, other = (x.tolist() if hasattr(x, "dtype") else x for x in (first, other))
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        return first.keys() == other.keys() and all(same(first[key], other[key]) for key in first)
    if isinstance(first, list | tuple) and isinstance(other, list | tuple):
        return len(first) == len(other) and all(map(same, first, other))
    if isinstance(first, partial) and isinstance(other, partial):
        parts = ((call.func, call.args, call.keywords) for call in (first, other))
        return same(*parts)
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        return _same_fields(first, other)
    return bool(first == other) or bool(first != first and other != other)


def _same_fields(first: Any, other: Any) -> bool:
    if type(first) is not type(other):
        return False
    names = [field.name for field in dataclasses.fields(first) if field.compare]
    return all(same(getattr(first, name), getattr(other, name)) for name in names)


class ByValue:
    """A frozen dataclass whose equality, hash, copies and pickles go by its fields.

    The hash reads texts alone, so that it agrees with equality whatever else there is.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return _same_fields(self, other) if isinstance(other, ByValue) else NotImplemented

    def __hash__(self) -> int:
        values = _state(self).values()
        return hash((type(self).__name__, *(v for v in values if isinstance(v, str))))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), _state(self))


def _state(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _restored(kind: type, state: dict[str, Any]) -> Any:
    """Make an object of its fields; arrays are read-only again, which a pickle forgets."""
    value: Any = object.__new__(kind)
    for name, kept in state.items():
        if hasattr(kept, "setflags"):
            kept.setflags(write=False)
        object.__setattr__(value, name, kept)
    return value


# --- Exact numbers: fractions, and a + b*sqrt(d) with a, b fractions and d a whole number.


def as_float(value: object, name: str = "value") -> float:
    """Number as a person wrote it, as a float; one too large for that is refused."""
    try:
        return float(exact(value, name))
    except OverflowError:
        raise DataError(
            f"{parameter(name)} must be less than 1e308 in size; got more; change it"
        ) from None


def exact(value: object, name: str = "value") -> Fraction:
    """Number exactly as a person wrote it: 0.6 and "0.6" and "60%" all mean 3/5.

    Parameters
    ----------
    value : int, float, str, Fraction, Decimal or NumPy scalar
        A float means the decimal it prints as, not the nearest binary fraction.
    name : str
        What to call the number in an error.

    Raises
    ------
    DataError
        If `value` is not a finite number.

    Examples
    --------
    >>> exact(0.6), exact("60%"), exact("3/5")
    (Fraction(3, 5), Fraction(3, 5), Fraction(3, 5))
    """
    rational = _rational(value)
    if rational is not None:
        return rational
    if isinstance(value, Decimal):
        value = str(value)
    elif isinstance(value, Real) and not isinstance(value, bool):
        value = repr(float(value))
    if isinstance(value, str):
        return _from_text(value, name)
    raise DataError(
        f"{parameter(name)} must be a number; got {value!r}; give an int, a fraction or text like '2/3'"
    )


def _rational(value: object) -> Fraction | None:
    """Whole number or fraction of any library as a `Fraction`, anything else as None."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        return None
    return Fraction(int(value.numerator), int(value.denominator))


def _from_text(text: str, name: str) -> Fraction:
    stripped = text.strip()
    scale = 1
    if stripped.endswith("%"):
        stripped, scale = stripped[:-1], 100
    if len(stripped) > 2 * MAX_DIGITS + 1 or max(map(len, stripped.split("/"))) > MAX_DIGITS:
        raise DataError(
            f"{parameter(name)} must have at most {MAX_DIGITS} digits; got {stripped[:20]!r} and "
            f"{len(stripped) - 20} characters more; round it"
        )
    try:
        return (Fraction(stripped) if "/" in stripped else _decimal(stripped, name)) / scale
    except DataError:
        raise
    except (ValueError, ZeroDivisionError, InvalidOperation, OverflowError) as error:
        raise DataError(
            f"{parameter(name)} must be a finite number; got {text!r}; write it like 0.6, '60%' or '3/5'"
        ) from error


MAX_DIGITS = 1000
"""Numbers that take more digits to write are refused: what rests on them could not be checked in time."""


def _decimal(text: str, name: str) -> Fraction:
    """Decimal, but expand no power of ten beyond the limit on digits."""
    number = Decimal(text)
    if not number:
        return Fraction(0)
    if number.is_finite() and abs(number.adjusted()) > MAX_DIGITS:
        raise DataError(
            f"{parameter(name)} must have an exponent from -{MAX_DIGITS} to {MAX_DIGITS}; got {text!r}; "
            "write it like 0.6, '60%' or '3/5'"
        )
    return Fraction(number)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """The exact real number a + b*sqrt(d), with d > 0 not a perfect square.

    Arithmetic stays inside the field of one d; mixing two different fields raises `DataError`.
    Comparisons are exact. Build with `Quadratic.make`, which returns a `Fraction` when b is zero
    or d is a perfect square.
    """

    a: Fraction
    b: Fraction
    d: int

    @staticmethod
    def make(a: Fraction | int, b: Fraction | int, d: int) -> Exact:
        """A + b*sqrt(d), as a `Fraction` whenever it is rational."""
        if d < 0:
            raise DataError(
                f"d must be >= 0 for a real number; got {d}; the number would be complex"
            )
        root = math.isqrt(d)
        if b == 0 or root * root == d:
            return Fraction(a) + Fraction(b) * root
        return Quadratic(Fraction(a), Fraction(b), d)

    def _pair(self, other: object) -> tuple[Fraction, Fraction] | None:
        if isinstance(other, Quadratic):
            if other.d == self.d:
                return other.a, other.b
            ratio = Fraction(other.d, self.d)
            root = _fraction_sqrt(ratio)
            if root is None:
                raise DataError(
                    f"numbers must share one square root; got sqrt({self.d}) and sqrt({other.d}); "
                    "compare them as floats instead"
                )
            return other.a, other.b * root
        rational = _rational(other)
        return None if rational is None else (rational, Fraction(0))

    def __add__(self, other: object) -> Exact:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        return Quadratic.make(self.a + pair[0], self.b + pair[1], self.d)

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.a, -self.b, self.d)

    def __sub__(self, other: object) -> Exact:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        return Quadratic.make(self.a - pair[0], self.b - pair[1], self.d)

    def __rsub__(self, other: object) -> Exact:
        return (-self) + other

    def __mul__(self, other: object) -> Exact:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        a, b = pair
        return Quadratic.make(self.a * a + self.b * b * self.d, self.a * b + self.b * a, self.d)

    __rmul__ = __mul__

    def _inverse(self) -> Exact:
        norm = self.a * self.a - self.b * self.b * self.d
        return Quadratic.make(self.a / norm, -self.b / norm, self.d)

    def __truediv__(self, other: object) -> Exact:
        if (pair := self._pair(other)) is None:
            return NotImplemented
        divisor = Quadratic.make(pair[0], pair[1], self.d)
        if isinstance(divisor, Quadratic):
            return self * divisor._inverse()
        return Quadratic.make(self.a / divisor, self.b / divisor, self.d)

    def __rtruediv__(self, other: object) -> Exact:
        pair = self._pair(other)
        return NotImplemented if pair is None else self._inverse() * pair[0]

    def sign(self) -> int:
        """-1 or 1: the exact sign (the number is irrational, hence never zero)."""
        a_sign, b_sign = _sign(self.a), _sign(self.b)
        if a_sign * b_sign >= 0:
            return b_sign
        return a_sign if self.a * self.a > self.b * self.b * self.d else b_sign

    def __eq__(self, other: object) -> bool:
        if isinstance(other, float):
            return float(self) == other
        try:
            pair = self._pair(other)
        except DataError:
            return False
        return pair is not None and pair == (self.a, self.b)

    def __hash__(self) -> int:
        return hash((self.a, self.b * self.b * self.d, _sign(self.b)))

    def __lt__(self, other: object) -> bool:
        if isinstance(other, float):
            return float(self) < other
        if self._pair(other) is None:
            return NotImplemented
        difference = self - other
        return (difference.sign() if isinstance(difference, Quadratic) else _sign(difference)) < 0

    def conjugate(self) -> Quadratic:
        """A - b*sqrt(d), the other root of the same quadratic."""
        return Quadratic(self.a, -self.b, self.d)

    def __float__(self) -> float:
        b_squared = self.b * self.b * self.d
        bits = b_squared.numerator.bit_length() - b_squared.denominator.bit_length()
        scale = 1 << max(0, 160 - bits)
        root = Fraction(math.isqrt(int(b_squared * scale * scale)), scale)
        return float(self.a + (root if self.b > 0 else -root))

    def __str__(self) -> str:
        sign = "+" if self.b > 0 else "-"
        return f"{self.a} {sign} {abs(self.b)}*sqrt({self.d})"


Exact: TypeAlias = Fraction | Quadratic
"""An exact real number: a fraction or a + b*sqrt(d)."""


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _fraction_sqrt(value: Fraction) -> Fraction | None:
    """Exact square root of a positive fraction, or None when it is irrational."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    root = Fraction(top, bottom)
    return root if root * root == value else None


def is_bare(label: str) -> bool:
    """Whether a label says nothing by itself: 1, 4.5, true."""
    return label.casefold() in ("true", "false") or bool(re.fullmatch(r"[-+]?\d+(\.\d+)?", label))


def rate_name(label: str, of: str = "", counted: str = "") -> str:
    """What the rate of a label is called: 'pass' rate of v1, of a bare one share of v1 rated 1.

    `counted` : what the label counts after a cut: share of v1 at or above 4.
    """
    if counted or is_bare(label):
        rated = counted or f"rated {label}"
        return f"share of {of} {rated}" if of else f"share {rated}"
    return f"{label!r} rate of {of}" if of else f"{label!r} rate"


def capital(text: str) -> str:
    """Text with a capital first, as a sentence begins."""
    return text[:1].upper() + text[1:]


def percent(value: Exact | float, digits: int = 1) -> str:
    """Number as a percentage a person reads, rounded to the nearest, halves to even.

    Text and figures round by this function alone, so that a page has one text for one number; where a
    proved limit is meant its exact fraction stands beside it, see `format_exact`.

    Examples
    --------
    >>> percent(Fraction(2, 3)), percent(Fraction(29, 80)), percent(29 / 80)
    ('66.7%', '36.2%', '36.2%')
    """
    return f"{rounded(value, digits, 100)}%"


def rounded(value: Exact | float, digits: int = 1, times: int = 1) -> str:
    """Number, multiplied first, with so many decimals: the nearest, halves to even.

    A float means the decimal that it prints as with 12 decimals, so that 0.165 and 33/200 are alike.
    """
    number = _rational(value)
    if number is None:
        near = float(value)
        if not math.isfinite(near):
            return f"{near:.{digits}f}"
        number = Fraction(repr(round(near, 12)))
    return f"{round(number * times * 10**digits) / 10**digits:.{digits}f}"


def format_exact(value: Exact | float, digits: int = 1) -> str:
    """Percentage with its exact form behind it; floats and whole numbers stand alone.

    Examples
    --------
    >>> format_exact(Fraction(2, 3))
    '66.7% (2/3)'
    >>> format_exact(Fraction(1))
    '100.0%'
    """
    whole = isinstance(value, int) or (isinstance(value, Fraction) and value.denominator == 1)
    if isinstance(value, float) or whole:
        return percent(value, digits)
    return f"{percent(value, digits)} ({value})"


# --- Formulas as LaTeX: names, exact numbers, expressions of SymPy, equations under each other.


_MOST_TERMS = 40
_MOST_ROWS = 64
_GREEK = re.compile(r"^(Gamma|Delta)(?=_)")
_SPECIAL = {c: "\\" + c for c in " #$%&_{}"} | {
    "\\": r"\backslash ",
    "^": r"\hat{\ }",
    "~": r"\sim ",
}


def name(text: str) -> str:
    r"""Name of a judge or label in upright letters; every TeX reads it, MathJax too."""
    return r"\mathrm{" + "".join(_SPECIAL.get(c, c) for c in visible(text)) + "}"


def expression(value: Any, *, most: int | None = _MOST_TERMS) -> str:
    r"""Number or an expression of SymPy; of a sum of more terms than `most`, how many."""
    if value is None or value != value:
        return r"\text{--}"
    if isinstance(value, float):
        return f"{value:.4g}"
    import sympy

    written = as_sympy(value)
    terms = len(sympy.Add.make_args(written))
    if most is not None and terms > most:
        return rf"\text{{a sum of {terms} terms}}"
    symbols = {s: _GREEK.sub(r"\\\1", s.name) for s in written.free_symbols}
    return str(sympy.latex(written, symbol_names=symbols))


def as_sympy(value: Any) -> Any:
    """Fraction or a + b*sqrt(d) as SymPy writes it; expressions as they are."""
    import sympy

    if isinstance(value, Quadratic):
        return as_sympy(value.a) + as_sympy(value.b) * sympy.sqrt(value.d)
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.sympify(value)


def aligned(rows: Iterable[tuple[str, str, str]]) -> str:
    """Equations under each other: left side, right side, and a remark behind, all LaTeX.

    A row without a left side goes on with the one above. Of many rows the first are shown.
    """
    lines = []
    for left, right, remark in islice(rows, _MOST_ROWS + 1):
        equals = "&=" if left else r"&\quad"
        lines.append(f"{left} {equals} {right}" + (f" && {remark}" if remark else ""))
    lines[_MOST_ROWS:] = [r"&\;\;\vdots"] * (len(lines) > _MOST_ROWS)
    return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"


def products(total: Any, terms: Sequence[tuple[Any, Any]]) -> str:
    """Expression as the sum of products of two factors, one a line; as 0 if there is none."""
    factors = [rf"\left({expression(a)}\right) \left({expression(b)}\right)" for a, b in terms]
    first, *more = factors or ["0"]
    return aligned([(expression(total), first, ""), *(("", f"+ {part}", "") for part in more)])


def grid(rows: Iterable[Sequence[str]], columns: str) -> str:
    """Table of formulas; `columns` says how they are set, as in an array of LaTeX."""
    lines = " \\\\\n".join(" & ".join(row) for row in rows)
    return f"$$\\begin{{array}}{{{columns}}}\n{lines}\n\\end{{array}}$$"


def as_html(formula: str) -> str:
    """Formulas as a part of a page that MathJax sets."""
    return f'<div class="math">{html.escape(formula)}</div>'


# --- The one enumeration of how an attempt to answer ended.


class Status(StrEnum):
    """How an attempt to answer ended; `advice` says what the user can do about it."""

    OK = "ok"
    NOT_CONVERGED = "not_converged"
    TIME_LIMIT = "time_limit"
    TOO_LARGE = "too_large"
    NOT_IDENTIFIABLE = "not_identifiable"
    UNDETERMINED = "undetermined"
    INCONSISTENT = "inconsistent"
    IRRATIONAL = "irrational"
    NOT_INTEGRAL = "not_integral"
    OUT_OF_RANGE = "out_of_range"
    COMPLEX = "complex"

    @property
    def ok(self) -> bool:
        """Whether the answer is complete and needs no caveat of its own."""
        return self is Status.OK

    @property
    def advice(self) -> str:
        """One sentence of advice to the user."""
        return _ADVICE[self]


_ADVICE = {
    Status.OK: "The answer is complete.",
    Status.NOT_CONVERGED: "The iteration stopped before its tolerance; raise max_iter or tol.",
    Status.TIME_LIMIT: "Stopped early; what is certified so far stands, pass a longer time_limit for more.",
    Status.TOO_LARGE: "The work was refused before starting; ask for fewer judges, labels or items.",
    Status.NOT_IDENTIFIABLE: (
        "More items would not settle this model; use more judges or a simpler model."
    ),
    Status.UNDETERMINED: "The counts leave the answer open; use more judges, or other ones.",
    Status.INCONSISTENT: (
        "No evaluation of the assumed kind produces these counts; drop the assumption."
    ),
    Status.IRRATIONAL: (
        "On a finite test exactly independent errors give fractions, so these judges' errors are "
        "not exactly independent here; nearly every real test says so, and it does not measure "
        "how far off."
    ),
    Status.NOT_INTEGRAL: (
        "The solution is rational but no whole number of items produces it, so the judges' errors "
        "are not exactly independent on this test."
    ),
    Status.OUT_OF_RANGE: "The solution leaves [0, 1], so the judges' errors are not independent.",
    Status.COMPLEX: "The solutions are complex numbers, so the judges' errors are not independent.",
}


# --- Words that messages share: nouns that are counted, and the name that was probably meant.


def how_many(n: int, noun: str, many: str = "") -> str:
    """Number with its noun, in the singular for one.

    many : the plural where it is not the noun and an s.
    """
    return f"{n} {noun}" if n == 1 else f"{n} {many or noun + 's'}"


def signed(value: float, digits: int = 0) -> str:
    """Number with its sign, and none where it is 0 to so many digits."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def size_text(n: int) -> str:
    """Whole number as text, cut where it is too long to print.

    Examples
    --------
    >>> size_text(12), size_text(10**5000)
    ('12', 'over 10^12')
    """
    return str(n) if n <= 10**12 else "over 10^12"


def level_text(level: float) -> str:
    """Level of confidence as it was asked for, never rounded up to certainty."""
    return f"{100 * level:.10g}%"


def percent_up(share: Fraction) -> str:
    """Share as a percentage rounded up, so that what holds above it holds above the text too."""
    return f"{ceil(1000 * share) / 10:.1f}%"


def did_you_mean(name: object, choices: Iterable[object], otherwise: str = "choose one") -> str:
    """Question about the choice nearest to a name, or `otherwise` if none is near."""
    from difflib import get_close_matches

    plain = {str(choice).casefold(): choice for choice in choices}
    near = get_close_matches(str(name).casefold(), plain, 1)
    return f"did you mean {plain[near[0]]!r}?" if near else otherwise
