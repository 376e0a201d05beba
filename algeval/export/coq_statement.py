"""The statement of a claim in Coq, and the first steps of every proof of it.

No text of the reader stands in the code or in a comment: what was typed is a string, and identifiers are our
own. Names of hypotheses hold no underscore and identifiers do, so that they cannot meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from algeval.export.statement import Node, Relation, Statement, Style, written

__all__ = ["STYLE", "Opening", "literal", "quoted", "shown", "side"]


def literal(x: Fraction | int) -> str:
    """Number as Coq reads it among reals."""
    x = Fraction(x)
    text = f"{x.numerator}" if x.denominator == 1 else f"{x.numerator} / {x.denominator}"
    return text if x >= 0 and x.denominator == 1 else f"({text})"


STYLE = Style(number=literal, power=lambda base, exponent: f"{base} ^ {exponent}")


def side(node: Node) -> str:
    """Expression as typed."""
    return written(node, STYLE)


def shown(relation: Relation) -> str:
    """Relation as typed."""
    return f"{side(relation.left)} {relation.sign} {side(relation.right)}"


def quoted(text: str) -> str:
    """Text as a string of Coq: printable ASCII, so that nothing in it can be read as code."""
    plain = text.encode("ascii", "backslashreplace").decode("ascii")
    plain = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in plain)
    return '"' + plain.replace('"', '""') + '"'


class Opening:
    """Statement, names of its hypotheses, and how a proof of it begins.

    Hypotheses: N of each coordinate, S of each block, HQ of the number of items, F of each definition, D of
    each divisor, G of each hypothesis of the claim, each followed by its position; the first steps add L of
    each block.
    """

    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        self.lasts = [block[-1] for block in statement.blocks]

    def lines(self, claim: str | None = None) -> list[str]:
        """Statement with its claim, or with another text instead."""
        st = self.statement
        if claim is None:
            claim = "False" if st.claim is None else shown(st.claim)
        result = [f"forall {' '.join(st.base)} : R,"] if st.base else []
        for block in st.blocks:
            result.append("  " + " ".join(f"0 <= {v} ->" for v in block))
            result.append(f"  {' + '.join(block)} = 1 ->")
        result += [f"  0 < {st.items} ->"] if st.items else []
        result += [f"  forall {v}, {v} = {side(node)} ->" for v, node in st.definitions.items()]
        result += [f"  {side(divisor)} <> 0 ->" for divisor in st.divisors]
        result += [f"  {shown(hypothesis)} ->" for hypothesis in st.hypotheses]
        return [*result, f"  {claim}"]

    def names(self) -> list[str]:
        """Names of all that is introduced, in order."""
        st = self.statement
        result, n = list(st.base), 0
        for b, block in enumerate(st.blocks):
            result += [f"N{n + k}" for k in range(len(block))] + [f"S{b}"]
            n += len(block)
        result += ["HQ"] if st.items else []
        for k, v in enumerate(st.definitions):
            result += [v, f"F{k}"]
        result += [f"D{k}" for k in range(len(st.divisors))]
        return result + [f"G{k}" for k in range(len(st.hypotheses))]

    def start(self, goal: str = "statement") -> list[str]:
        """First steps: everything introduced, the last coordinate of each block expressed by the others."""
        result = [f"Proof. unfold {goal}. intros {' '.join(self.names())}."]
        for b, block in enumerate(self.statement.blocks):
            rest = "".join(f" - {v}" for v in block[:-1])
            result.append(f"assert (L{b} : {block[-1]} = 1{rest}) by lra.")
        return result

    def expand(self, variables: Iterable[str] = (), lasts: bool = True) -> str:
        """Tactic that puts definitions in place, and some variables that a hypothesis gives a value."""
        st = self.statement
        clear = " ".join(f"G{k}" for k in range(len(st.hypotheses)))
        replaced: Sequence[str] = [*reversed(list(st.definitions)), *variables]
        replaced = [*replaced, *(self.lasts if lasts else ())]
        return (
            "; ".join(
                [
                    *([f"clear {clear}"] if clear else []),
                    *([f"subst {' '.join(replaced)}"] if replaced else []),
                ]
            )
            or "idtac"
        )
