"""Specifications: the least accuracy that judges must reach, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self

from algeval.data.names import check_choice, check_whole, expect_schema, folded
from algeval.errors import DataError
from algeval.result import exact, format_exact
from algeval.result.numbers import MAX_DIGITS

# --- Specifications written as text: ``accuracy >= 0.6 and prevalence(tie) in 0.1..0.4``.
#
# Grammar::
#
#     specification  = ["at least" NUMBER "judges" [":"]] condition {("and" | ";") condition}
#     condition      = quantity [arguments] (sense NUMBER | "in" NUMBER ".." NUMBER)
#     quantity       = "accuracy" | "grade" | "prevalence"
#     arguments      = "(" argument ["," argument] ")"
#     argument       = ["judge=" | "label="] (NAME | 'quoted name' | "*")
#     sense          = ">=" | ">" | "<="


Part = tuple[str, str, Fraction, str | None, str | None]
"""Quantity, sense, level, judge and label of one condition; None means every one."""

FORMS = (
    "'accuracy >= 0.6 and prevalence(tie) in 0.1..0.4', 'accuracy(*, tie) >= 0.9' on one label, "
    "'accuracy(gpt4, tie) >= 0.9' of one judge, 'at least 2 judges: accuracy >= 0.7'"
)
_HELP = f"write it like {FORMS}"

_PANEL = re.compile(r"\s*at\s+least\s+(\d+)\s+(?:of\s+the\s+)?judges?\b\s*:?\s*", re.IGNORECASE)
_NUMBER = r"\d+(?:\.(?!\.)\d*)?(?:\s*/\s*\d+)?%?|\.\d+%?"
_CONDITION = re.compile(
    rf"""\s*(?P<quantity>[a-z]\w*)\s*
    (?:\((?P<arguments>(?:[^()'"]|'[^']*'|"[^"]*")*)\)\s*)?
    (?:(?P<sense>>=|<=|>|<|==|=|≥|≤)\s*(?P<value>{_NUMBER})
      |in\s+(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER}))\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_SEPARATOR = re.compile(r"(?:and\b|;|,)\s*", re.IGNORECASE)
_ARGUMENT = re.compile(
    r"""\s*(?:(?P<name>judge|label)\s*=\s*)?(?:'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<bare>[^,'"]*?))\s*(?:,|$)""",
    re.IGNORECASE,
)
_SENSES = {"≥": ">=", "≤": "<="}


def read_conditions(text: str, quantities: Sequence[str]) -> tuple[list[Part], int | None]:
    """Conditions that a text of this grammar states, and of how many judges at least (None: of all).

    Without arguments a condition is about every judge and label; ``accuracy(*, tie)`` is about one label.
    """
    panel = _PANEL.match(text)
    start = panel.end() if panel else 0
    conditions: list[Part] = []
    while True:
        condition = _CONDITION.match(text, start)
        if not condition:
            raise DataError(f"a specification must be conditions; got {text[start:]!r}; {_HELP}")
        conditions += _conditions(condition, quantities)
        start = condition.end()
        if start == len(text):
            break
        separator = _SEPARATOR.match(text, start)
        if not separator:
            raise DataError(f"conditions must be joined by 'and'; got {text[start:]!r}; {_HELP}")
        start = separator.end()
    return conditions, int(panel.group(1)) if panel else None


def _conditions(condition: re.Match[str], quantities: Sequence[str]) -> list[Part]:
    quantity = condition["quantity"].lower()
    if quantity not in quantities:
        raise DataError(
            f"quantity must be one of {list(quantities)}; got {condition['quantity']!r}; {_HELP}"
        )
    text = condition["arguments"]
    names = {"judge": None, "label": None}
    roles = iter(["label"] if quantity == "prevalence" else ["judge", "label"])
    for name, value in _split(text or ""):
        role = name or next(roles, None)
        if role is None:
            raise DataError(f"{quantity} must have fewer arguments; got ({text}); {_HELP}")
        names[role] = None if value == "*" else value  # type: ignore[assignment]
    judge, label = names["judge"], names["label"]
    if condition["value"] is None:
        low, high = _number(condition["low"]), _number(condition["high"])
        if low > high:
            raise DataError(
                f"a range must go upwards; got {condition['low']}..{condition['high']}; swap them"
            )
        return [(quantity, ">=", low, judge, label), (quantity, "<=", high, judge, label)]
    sense = _SENSES.get(condition["sense"], condition["sense"])
    return [(quantity, sense, _number(condition["value"]), judge, label)]


def _number(text: str) -> Fraction:
    return exact(text.replace(" ", ""), "the level")


def _argument(name: str) -> str:
    """Name as an argument, in quotes where it needs them."""
    return name if re.fullmatch(r"[^\s,'\"()=*][^,'\"()=]*", name) else repr(name)


def _split(text: str) -> list[tuple[str | None, str]]:
    result, start = [], 0
    while start < len(text):
        argument = _ARGUMENT.match(text, start)
        if not argument:
            raise DataError(
                f"arguments must be names; got ({text}); quote names with odd characters"
            )
        quoted = argument["single"] if argument["single"] is not None else argument["double"]
        name = argument["name"].lower() if argument["name"] else None
        result.append((name, quoted if quoted is not None else argument["bare"]))
        start = argument.end()
    return result


# --- What is asked of judges: linear conditions on an evaluation.


QUANTITIES = ("accuracy", "grade", "prevalence")
SENSES = (">=", ">", "<=")


@dataclass(frozen=True, slots=True)
class Condition:
    """One linear condition on an evaluation.

    Parameters
    ----------
    quantity : "accuracy", "grade" or "prevalence"
        accuracy: correct answers on items of a label; grade: correct answers over all items;
        prevalence: share of a label in the answer key.
    sense : ">=", ">" or "<="
    value : Fraction
        The level, in [0, 1].
    judge, label : str or None
        None means every judge, every label. A grade has no label, a prevalence no judge.

    A label no item of which the judge answered satisfies any accuracy condition (vacuously).

    Examples
    --------
    >>> Condition("accuracy", ">=", 0.6, label="tie").describe()
    "accuracy of every judge on label 'tie' >= 3/5"
    """

    quantity: str
    sense: str
    value: Fraction
    judge: str | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        value = exact(self.value, "the level")
        if max(abs(value.numerator), value.denominator) >= 10**MAX_DIGITS:
            raise DataError(f"the level must have at most {MAX_DIGITS} digits; got more; round it")
        check_choice("quantity", self.quantity, QUANTITIES)
        check_choice("sense", self.sense, SENSES)
        if not 0 <= value <= 1:
            raise DataError(
                f"the level must lie in [0, 1]; got {value}; write 60 percent as 0.6 or '60%'"
            )
        if self.quantity == "grade" and self.label is not None:
            raise DataError(f"a grade must not name a label; got {self.label!r}; use accuracy")
        if self.quantity == "prevalence" and self.judge is not None:
            raise DataError(f"a prevalence must not name a judge; got {self.judge!r}; leave it out")
        object.__setattr__(self, "value", value)

    def describe(self) -> str:
        """Condition in words."""
        judge = "every judge" if self.judge is None else f"judge {self.judge!r}"
        label = "every label" if self.label is None else f"label {self.label!r}"
        subject = {
            "accuracy": f"accuracy of {judge} on {label}",
            "grade": f"grade of {judge}",
            "prevalence": f"prevalence of {label}",
        }[self.quantity]
        return f"{subject} {self.sense} {self.value}"

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {
            "quantity": self.quantity,
            "judge": self.judge,
            "label": self.label,
            "sense": self.sense,
            "value": str(self.value),
        }


@dataclass(frozen=True, slots=True)
class Specification:
    """What judges must meet: all of its conditions, or at least `min_judges` judges all of theirs.

    Build with `Specification.at_least(0.6)`, the functions `accuracy`, `grade`, `prevalence`, and
    combine with ``&``.

    Examples
    --------
    >>> spec = Specification.at_least(0.6) & Specification.prevalence("tie", "<=", 0.4)
    >>> print(spec.describe())
    accuracy of every judge on every label >= 3/5, and prevalence of label 'tie' <= 2/5
    """

    conditions: tuple[Condition, ...]
    min_judges: int | None = None

    def __post_init__(self) -> None:
        conditions = tuple(self.conditions)
        if not conditions:
            raise DataError("a specification must have at least one condition; got none")
        if self.min_judges is not None:
            check_whole("min_judges", self.min_judges)
        object.__setattr__(self, "conditions", conditions)

    @classmethod
    def at_least(cls, value: object, *, strict: bool = False) -> Self:
        """Return: accuracy >= value (or > value) for every judge on every label."""
        return cls((Condition("accuracy", ">" if strict else ">=", exact(value, "the level")),))

    @classmethod
    def accuracy(
        cls, sense: str, value: object, *, judge: str | None = None, label: str | None = None
    ) -> Self:
        """Return one condition on accuracy."""
        return cls((Condition("accuracy", sense, exact(value, "the level"), judge, label),))

    @classmethod
    def grade(cls, sense: str, value: object, *, judge: str | None = None) -> Self:
        """Return one condition on the grade."""
        return cls((Condition("grade", sense, exact(value, "the level"), judge),))

    @classmethod
    def prevalence(cls, label: str | None, sense: str, value: object) -> Self:
        """Return one condition on the share of a label (None: of every label)."""
        return cls((Condition("prevalence", sense, exact(value, "the level"), None, label),))

    @classmethod
    def of(cls, value: object, *, require_labels: bool = False) -> Specification:
        """Specification from one, from text, or from a level for every judge and label.

        With `require_labels` every label must occur in the answer key.
        """
        if isinstance(value, Specification):
            spec: Specification = value
        elif isinstance(value, str) and any(letter.isalpha() for letter in value):
            spec = parse_specification(value)
        else:
            spec = cls.at_least(value)
        if not require_labels:
            return spec
        occurs = Condition("prevalence", ">", Fraction(0))
        return Specification((*spec.conditions, occurs), spec.min_judges)

    @property
    def level(self) -> tuple[Fraction, bool] | None:
        """(x, strict) when the whole specification is "every judge >= x (or > x) everywhere"."""
        if len(self.conditions) != 1 or self.min_judges is not None:
            return None
        c = self.conditions[0]
        if (
            c.quantity != "accuracy"
            or c.sense == "<="
            or c.judge is not None
            or c.label is not None
        ):
            return None
        return c.value, c.sense == ">"

    def spelled(self, labels: Iterable[str]) -> Specification:
        """Same with each label spelled as in `labels`, whatever its case and full stop.

        A label that none of `labels` matches, or more than one, stays as it is.
        """
        names = list(labels)
        forms = [folded(label) for label in names]
        conditions = []
        for c in self.conditions:
            form = None if c.label is None else folded(c.label)
            if form is not None and c.label not in names and forms.count(form) == 1:
                c = replace(c, label=names[forms.index(form)])
            conditions.append(c)
        return replace(self, conditions=tuple(conditions))

    def check_names(self, judges: Iterable[str], labels: Iterable[str]) -> None:
        """Raise `DataError` if a condition names a judge or label that does not exist."""
        all_judges, all_labels = list(judges), list(labels)
        for c in self.conditions:
            hint = ""
            if c.judge is not None and c.judge not in all_judges:
                if folded(c.judge) in map(folded, all_labels):
                    hint = f"; a label stands second: write accuracy(*, {_argument(c.judge)})"
                raise DataError(f"judge {c.judge!r} is not known; choose from {all_judges}{hint}")
            if c.label is not None and c.label not in all_labels:
                if c.label in all_judges and c.quantity == "accuracy":
                    hint = f"; a judge stands first: write accuracy({_argument(c.label)})"
                raise DataError(f"label {c.label!r} is not known; choose from {all_labels}{hint}")
        if self.min_judges is not None and self.min_judges > len(all_judges):
            raise DataError(
                f"min_judges must be at most the number of judges, {len(all_judges)}; got {self.min_judges}"
            )

    def __and__(self, other: object) -> Specification:
        if not isinstance(other, Specification):
            return NotImplemented
        if self.min_judges is not None or other.min_judges is not None:
            raise DataError(
                "'at least k of the judges' must be added last, over the whole conjunction"
            )
        return Specification(self.conditions + other.conditions)

    def by_at_least(self, min_judges: int) -> Specification:
        """Same conditions, asked of at least `min_judges` of the judges."""
        return Specification(self.conditions, min_judges)

    def describe(self) -> str:
        """Specification in words."""
        words = ", and ".join(condition.describe() for condition in self.conditions)
        if self.min_judges is None:
            return words
        return f"at least {self.min_judges} of the judges: {words}"

    def short(self) -> str:
        """Specification in as few words as fit, with a percentage."""
        if self.level is None:
            return self.describe()
        value, strict = self.level
        bound = "more than" if strict else "at least"
        return f"every judge {bound} {format_exact(value)} accurate on every label"

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.specification/1`)."""
        return {
            "schema": "algeval.specification/1",
            "conditions": [condition.to_dict() for condition in self.conditions],
            "min_judges": self.min_judges,
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.specification/1")
        conditions = tuple(
            Condition(c["quantity"], c["sense"], Fraction(c["value"]), c["judge"], c["label"])
            for c in document["conditions"]
        )
        return cls(conditions, document["min_judges"])


def parse_specification(text: str) -> Specification:
    """Specification written as text; the grammar is that at the top of this module."""
    parts, min_judges = read_conditions(text, QUANTITIES)
    return Specification(tuple(Condition(*part) for part in parts), min_judges)
