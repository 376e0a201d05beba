"""Claims and hypotheses as texts: one relation each, definitions put in place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from algeval.algebra.inequalities.problem import Problem, Relation, Statement
from algeval.algebra.proving.coordinates import Space
from algeval.algebra.proving.identities import Identity, has_premise, read_identity
from algeval.algebra.proving.quotients import Quotient
from algeval.algebra.proving.reading import MOST_TEXT, NAME, read_expression, tidy
from algeval.algebra.proving.vocabulary import System
from algeval.errors import DataError

__all__ = ["Texts", "read_problem", "read_texts", "relation_of"]

_RELATION = re.compile(r"<=|>=|<|>|=")
_WRONG = re.compile(r"!=|≠|=<|=>|[<>]{2}")


@dataclass(frozen=True, slots=True)
class Texts:
    """A claim, its hypotheses and definitions, as they are written in a certificate.

    Attributes
    ----------
    claim : str
    given : tuple of str
        One relation each.
    define : dict
        {name: text}; empty where the definitions are put in place already.
    """

    claim: str
    given: tuple[str, ...]
    define: dict[str, str]

    def expanded(self, text: str) -> str:
        """Return a text with every definition put in its place."""
        return _expanded(text, self.define, ())

    def sides(self, text: str) -> tuple[str, str, str]:
        """Return left side, relation and right side of a statement, definitions in place."""
        left, right = _RELATION.split(self.expanded(text))
        return left, relation_of(text), right

    def as_identity(self, text: str, known: System) -> Identity:
        """Return the two sides as SymPy expressions, for counting on exams."""
        left, _, right = self.sides(text)
        return read_identity(f"{left} = {right}", known)


def read_texts(claim: str, given: Iterable[str], define: Mapping[str, str], known: System) -> Texts:
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
    listed = [given] if isinstance(given, str) else given
    hypotheses = tuple(one for text in listed for one in _statements(text))
    texts = Texts(claims[0], hypotheses, definitions)
    if all(name.isidentifier() and known.meaning(name) is None for name in definitions):
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

    found = NAME.sub(put, text)
    if len(found) > 10 * MOST_TEXT:
        raise DataError(
            f"a claim must have at most {10 * MOST_TEXT} characters with all definitions in place; "
            "got more; define less by definitions"
        )
    return found


def relation_of(text: str) -> str:
    """Return the relation of a statement, as written."""
    return str(_RELATION.findall(text)[0])


def read_problem(texts: Texts, space: Space) -> Problem:
    """Return claim and hypotheses as polynomials on the model's domain."""
    claim = _read(texts, texts.claim, space, -1)
    given = tuple(_read(texts, text, space, k) for k, text in enumerate(texts.given))
    return Problem(space.domain, claim, given, tuple(space.divisors.polynomials))


def _read(texts: Texts, text: str, space: Space, number: int) -> Statement:
    left, relation, right = texts.sides(text)
    values = [read_expression(side, text, space) for side in (left, right)]
    if relation.startswith("<"):
        values.reverse()
    difference: Quotient = values[0] - values[1]
    kinds: dict[str, Relation] = {"<": ">", ">": ">", "<=": ">=", ">=": ">=", "=": "="}
    powers = tuple((k, power) for k, power in difference.below.items() if power)
    return Statement(difference.top, kinds[relation], powers, number)
