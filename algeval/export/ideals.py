"""Equations as membership in an ideal, for Singular, Macaulay2 and Sage.

The ideal holds the definitions, that each block of shares sums to 1, the equations among the hypotheses,
and for each divisor D an unknown that times D is 1. A claim whose difference lies in it is true wherever
nothing is divided by zero. An ideal that holds 1 would hold anything, so the scripts look at that first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from algeval.export import NotExported
from algeval.export.statement import Node, Statement, Style, number, value, written

__all__ = ["m2", "sage", "singular"]


@dataclass(frozen=True, slots=True)
class _Script:
    """The same question in one program's words; braces are filled in by `str.format`."""

    comment: str
    style: Style
    layout: str


_PLAIN = Style(number=lambda x: f"({x})")

_SINGULAR = _Script(
    "//",
    _PLAIN,
    """ring R = 0, ({names}), dp;
ideal H = {ideal};
poly claim = {claim};
ideal G = groebner(H);
if (reduce(poly(1), G) == 0) {{ print("VACUOUS"); }}
else {{ if ((reduce(claim, G) == 0) == {member}) {{ print("{good}"); }} else {{ print("NOT {good}"); }} }}
quit;
""",
)

_M2 = _Script(
    "--",
    _PLAIN,
    """R = QQ[{names}];
H = ideal({ideal});
claim = 0_R + {claim};
answer = if (claim % H == 0) === ({member} == 1) then "{good}" else "NOT {good}";
print(if 1_R % H == 0 then "VACUOUS" else answer);
exit 0
""",
)

_SAGE = _Script(
    "#",
    Style(number=lambda x: f"QQ({str(x)!r})", power=lambda base, exponent: f"{base}**{exponent}"),
    """from sage.all import QQ, PolynomialRing
R = PolynomialRing(QQ, "{names}")
{names} = R.gens()
H = R.ideal([{ideal}])
claim = R({claim})
print("VACUOUS" if R(1) in H else "{good}" if (claim in H) == bool({member}) else "NOT {good}")
""",
)


def singular(document: Mapping[str, Any]) -> str:
    """Equation, or an exam on which it fails, as a script of Singular."""
    return _text(document, _SINGULAR)


def m2(document: Mapping[str, Any]) -> str:
    """Equation, or an exam on which it fails, as a script of Macaulay2."""
    return _text(document, _M2)


def sage(document: Mapping[str, Any]) -> str:
    """Equation, or an exam on which it fails, as a script of Sage."""
    return _text(document, _SAGE)


def _text(document: Mapping[str, Any], script: _Script) -> str:
    statement, exam = Statement.of(document), document.get("exam")
    claim = statement.claim
    if claim is None or claim.sign != "=":
        raise NotExported(
            "a claim must be an equation to be one of an ideal; got an inequality or a contradiction; "
            "choose coq or smt"
        )
    unused = [relation for relation in statement.hypotheses if relation.sign != "="]
    if exam is None and unused and document["proof"]["kind"] != "zero":
        raise NotExported(
            "an ideal holds equations alone, and this proof needs an inequality among its hypotheses; "
            "choose coq or smt"
        )
    write = _Polynomials(statement, script.style)
    members = [
        *(f"{' + '.join(map(write.names.__getitem__, block))} - 1" for block in statement.blocks),
        *(f"{write.names[name]} - ({write(tree)})" for name, tree in statement.definitions.items()),
        *(f"{write.inverses[divisor]}*({write(divisor)}) - 1" for divisor in statement.divisors),
        *(write.difference(relation) for relation in statement.hypotheses if relation.sign == "="),
    ]
    if exam is not None:
        point = statement.point(exam)
        members += [
            f"{write.names[name]} - {write(number(share))}" for name, share in point.items()
        ]
    legend = {write.names[identifier]: typed for identifier, typed in statement.legend.items()}
    good = "PROVED" if exam is None else "REFUTED"
    head = [
        f"{script.comment} expected answer: {good}",
        *(f"{script.comment} {name}: {json.dumps(typed)}" for name, typed in legend.items()),
        *(
            [f"{script.comment} hypotheses that are no equations are not needed, and left out"]
            if unused
            else []
        ),
    ]
    body = script.layout.format(
        names=", ".join(write.order), ideal=", ".join(members), claim=write.difference(claim),
        member=int(exam is None), good=good,
    )  # fmt: skip
    return "\n".join(head) + "\n" + body


class _Polynomials:
    """Expressions of a statement as polynomials, in which each divisor has an unknown that is its inverse."""

    def __init__(self, statement: Statement, style: Style) -> None:
        definitions = [*reversed([*statement.definitions])]
        variables = (*definitions, *statement.base)
        self.inverses = {divisor: f"y{k}" for k, divisor in enumerate(statement.divisors, 1)}
        self.names = {variable: f"x{k}" for k, variable in enumerate(variables, 1)}
        self.order = [
            *(self.names[v] for v in definitions),
            *self.inverses.values(),
            *(self.names[v] for v in statement.base),
        ]
        rename: Callable[[str], str] = lambda name: self.names.get(name, name)  # noqa: E731
        self.style = Style(style.number, rename, style.power)

    def __call__(self, node: Node) -> str:
        """Text of an expression."""
        return written(self._whole(node), self.style)

    def difference(self, relation: Any) -> str:
        """Left side minus right side."""
        return self(Node("-", (relation.left, relation.right)))

    def _whole(self, node: Node) -> Node:
        """Same expression, in which nothing is divided."""
        if node.kind != "/":
            return Node(node.kind, tuple(map(self._whole, node.parts)), node.number, node.name)
        top, bottom = node.parts
        inverse = self.inverses.get(bottom)
        other = number(1 / value(bottom, {})) if inverse is None else Node("variable", name=inverse)
        return Node("*", (self._whole(top), other))
