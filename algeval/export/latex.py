r"""Claims as theorems of LaTeX: the claim as typed, what its names mean, and a proof in prose.

The text needs amsmath, amsthm and ``\newtheorem{theorem}{Theorem}``. Definitions are probabilities of
an item drawn at random: T is its true label, and the name of a judge stands for its answer too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from algeval import verify_alarm
from algeval import verify_statements as verifier
from algeval.export.statement import (
    LEVELS,
    Meanings,
    Node,
    Reading,
    Relation,
    Said,
    Statement,
    nodes_of,
    number,
    powers_of,
    variable,
    variables_of,
)  # fmt: skip

__all__ = ["text"]

_SIGNS = {"<=": r"\le", ">=": r"\ge"}
_GREEK = {"Delta": r"\Delta", "Gamma": r"\Gamma", "kappa": r"\kappa"}
_ESCAPES = {c: rf"\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def text(document: Mapping[str, Any]) -> str:
    """Certificate or counterexample as a theorem and its proof."""
    reading, statement = Reading(document), Statement.of(document)
    meaning = _Meaning(reading, statement)
    relations = [*reading.hypotheses, *([reading.claim] if reading.claim is not None else [])]
    typed = dict.fromkeys(
        name for relation in relations for side in (relation.left, relation.right)
        for name in variables_of(side)
    )  # fmt: skip
    definitions = meaning.definitions(typed)
    exam = document.get("exam")
    body = [
        "% needs \\usepackage{amsmath,amsthm} and \\newtheorem{theorem}{Theorem}",
        r"\begin{theorem}",
        *_theorem(reading, statement, refuted=exam is not None),
        r"\end{theorem}",
        _where(statement, meaning, definitions),
        r"\begin{proof}",
        *(_proof(document, statement) if exam is None else _exam(document, exam)),
        r"\end{proof}",
    ]
    return "\n".join(line for line in body if line) + "\n"


def _theorem(reading: Reading, statement: Statement, *, refuted: bool) -> Iterable[str]:
    """Premise and claim."""
    yield _premise(statement, refuted=refuted)
    conditions = [f"${_relation(relation)}$" for relation in reading.hypotheses]
    claim = reading.claim
    if claim is None:
        yield f"the conditions {', '.join(conditions)} cannot hold together."
        return
    if conditions:
        yield f"with {' and '.join(conditions)}"
    yield r"\["
    yield f"{_relation(claim)}"
    yield r"\]"
    yield (
        "fails."
        if refuted
        else "holds wherever nothing is divided by zero."
        if statement.divisors
        else "holds."
    )


def _premise(statement: Statement, *, refuted: bool) -> str:
    several = len(statement.judges) > 1
    start = "There is an exam" if refuted else "On every exam"
    if statement.model == "independent" and several:
        start += " of judges whose errors are independent given the true label"
    labels = ", ".join(f"${_word(label)}$" for label in statement.labels)
    return f"{start} with labels {labels}{' on which' if refuted else ','}"


def _where(statement: Statement, meaning: _Meaning, definitions: Sequence[str]) -> str:
    """What the names mean, in a paragraph."""
    judges = ", ".join(f"${_word(judge)}$" for judge in statement.judges)
    lines = ["Here $T$ is the true label of an item drawn at random"]
    if judges:
        lines.append(
            f"and {judges} {'are the answers' if len(statement.judges) > 1 else 'is the answer'} to it"
        )
    if meaning.counts:
        lines.append("and $Q$ is the number of items")
    rest = ";\n".join(f"${line}$" for line in definitions)
    return f"{' '.join(lines)};\n{rest}." if rest else f"{' '.join(lines)}."


# --- What the names mean, in probabilities.


class _Probabilities(Meanings):
    """Same meanings, with shares of items as probabilities instead of sums of cells."""

    def __init__(self, reading: Reading, judges: Sequence[int]) -> None:
        super().__init__("axioms", judges, len(reading.labels), lambda _: variable("Q"))
        self.who = [_word(judge) for judge in reading.judges]
        self.names = [_word(label) for label in reading.labels]

    def _events(self, said: Said) -> str:
        return r",\, ".join(f"{self.who[i]}{{=}}{self.names[a]}" for i, a in said)

    def share(self, said: Said = (), truth: int | None = None) -> Node:
        """Probability of answers and of a true label."""
        true = [] if truth is None else [f"T{{=}}{self.names[truth]}"]
        events = [*([self._events(said)] if said else []), *true]
        joined = r",\, ".join(events)
        return variable(rf"\Pr({joined})") if events else number(1)

    def on_label(self, said: Said, t: int) -> Node:
        """Probability of answers given a true label."""
        return (
            variable(rf"\Pr({self._events(said)} \mid T{{=}}{self.names[t]})")
            if said
            else number(1)
        )

    def grade(self, i: int) -> Node:
        """Probability of a right answer."""
        return variable(rf"\Pr({self.who[i]}{{=}}T)")

    def agreement(self, who: Sequence[int]) -> Node:
        """Probability of equal answers."""
        return variable(rf"\Pr({'{=}'.join(self.who[i] for i in who)})")

    def majority(self, who: Sequence[int]) -> Node:
        """Probability that most of them are right."""
        return variable(
            rf"\Pr(\text{{most of }} {', '.join(self.who[i] for i in who)} \text{{ are }} T)"
        )

    def moment(self, said: Said) -> Node:
        """Covariance, or a central moment of more answers."""
        return super().moment(said) if len(said) == 2 else variable(self._central(said, ""))

    def correlation(self, said: Said, t: int) -> Node:
        """Same among the items of a true label."""
        condition = rf" \mid T{{=}}{self.names[t]}"
        return (
            super().correlation(said, t)
            if len(said) == 2
            else variable(self._central(said, condition))
        )

    def _central(self, said: Said, condition: str) -> str:
        factors = (
            rf"\bigl(\mathbf{{1}}[{self._events((pair,))}] - \Pr({self._events((pair,))}{condition})\bigr)"
            for pair in said
        )
        return rf"\mathrm{{E}}\bigl[{''.join(factors)}{condition}\bigr]"


class _Meaning:
    """Names that were typed, each with its definition as a formula."""

    def __init__(self, reading: Reading, statement: Statement) -> None:
        self.reading, self.counts = reading, bool(statement.items)
        self.probabilities = _Probabilities(reading, statement.positions)

    def definitions(self, typed: Iterable[str]) -> list[str]:
        """A line for each name, before the names that it needs."""
        lines: dict[str, str] = {}
        waiting = [*typed]
        while waiting:
            name = waiting.pop(0)
            if name in lines or name == "Q":
                continue
            tree = self._tree(name)
            lines[name] = f"{_name(name)} = {_formula(tree)}"
            if name in self.reading.define:
                waiting += variables_of(self.reading.define[name])
        return [*lines.values()]

    def _tree(self, name: str) -> Node:
        meaning = self.reading.names.meaning(name)
        if meaning is None:
            return _spelled(self.reading.define[name])
        return getattr(self.probabilities, meaning[0])(*meaning[1])  # type: ignore[no-any-return]


# --- Proofs in prose.

_RULES = {
    "coefficients": "Multiplied out and brought to one degree by sums of shares, which are $1$, the "
    "difference of the sides has no negative coefficient.",
    "combination": "A positive multiple of the difference of the sides is a sum of products of shares, "
    "squares and what the conditions say is not negative, with coefficients that are not negative.",
    "factors": "The difference of the sides is a product whose factors have the signs that make it not "
    "negative.",
    "corners": "The difference of the sides is affine in some of the shares, so that it is least where "
    "one of them is $1$ and the others are $0$; in each of these cases it is not negative.",
    "split": "Two of the shares are compared, and in either case the difference of the sides is not "
    "negative.",
    "orders": "In every order in which the shares can stand, the difference of the sides is not negative.",
}
"""Sentence for the root of each proof; the certificate holds the numbers."""


def _proof(document: Mapping[str, Any], statement: Statement) -> Iterable[str]:
    if document["proof"]["kind"] == "zero":
        independent = statement.model == "independent" and len(statement.judges) > 1
        shares = (
            "the shares of the true labels and the rates of each judge's answers on each of them"
            if independent
            else "the shares of items with a true label and answers"
        )
        yield f"Insert the definitions, written in {shares}; each of these families sums to $1$."
        yield (
            "Multiplied with all denominators, both sides are the same polynomial."
            if statement.divisors
            else "Both sides are the same polynomial."
        )
        return
    steps = {step["step"] for step in document.get("domain", ())}
    if steps & {"identify", "fix", "solve", "bound"}:
        yield "Insert what the conditions say of single shares."
    if statement.divisors:
        yield "Where the claim says something the denominators are positive, and one multiplies with them."
    display = None if steps - {"merge"} else _display(document)
    if display is not None:
        yield f"The larger side minus the smaller is{' then' if statement.divisors else ''}"
        yield rf"\[ {display}, \]"
        yield "in which nothing is negative."
    else:
        yield _RULES[document["proof"]["kind"]]
    if document["strict"]:
        yield "At every such point something in it is positive, so that the inequality is strict."
    if display is None:
        yield "All coefficients and cases, in whole numbers and fractions, are in the certificate."


_MOST_TERMS = 12
"""Terms of a formula that is shown."""


def _display(document: Mapping[str, Any]) -> str | None:
    """Formula at the root of a proof of one node, in probabilities; None where it is long or another kind."""
    token = verify_alarm.BUDGET.set(verify_alarm.Budget())
    setting = verifier.read_setting(verifier.read_statement(document), document["strict"] is True)
    signs = verifier.read_signs(document.get("denominators", ()), setting)
    cells = {k: frozenset([k]) for block in setting.blocks for k in block}
    for step in document.get("domain", ()):
        blocks = setting.blocks
        merged = sorted(blocks[b][i] for b, i in step["coordinates"])
        cells[merged[0]] = frozenset().union(*(cells[k] for k in merged))
        verifier.take_step(step, setting)
    goal, proof = setting.goal([*signs]), document["proof"]
    verify_alarm.BUDGET.reset(token)
    names = {k: _probability(cells[k], document) for block in goal.blocks for k in block}
    if proof["kind"] == "coefficients":
        degree = verifier.read_degree(proof["degree"], goal.blocks)
        terms = verifier.lift(verifier.affine(goal.p, goal.blocks), goal.blocks, degree)
        return _terms(terms, goal.p.scale, names)
    if proof["kind"] == "factors":
        factors = []
        for factor in proof["factors"]:
            p = verifier.read_polynomial(factor["polynomial"], goal.blocks, goal.p.meter)
            formula = _terms(p.terms, p.scale, names)
            if formula is None or factor["power"] % 2:
                return None
            factors.append(rf"\bigl({formula}\bigr)^{{{factor['power']}}}")
        return _number(number(Fraction(proof["constant"]))) + "".join(factors)
    return None


def _terms(terms: Mapping[int, int], scale: int, names: Mapping[int, str | None]) -> str | None:
    """Polynomial in probabilities; None where it is long, or speaks of what has no name."""
    if len(terms) > _MOST_TERMS:
        return None
    result = ""
    for monomial, c in terms.items():
        powers = [(names[k], n) for k, n in powers_of(monomial)]
        if any(name is None for name, _ in powers):
            return None
        factors = [f"{name}" + (f"^{{{n}}}" if n > 1 else "") for name, n in powers]
        size = Fraction(abs(c), scale)
        lead = [] if size == 1 and factors else [_number(number(size))]
        sign = ("-" if c < 0 else "") if not result else (" - " if c < 0 else " + ")
        result += sign + r"\,".join([*lead, *factors])
    return result or "0"


def _probability(cells: frozenset[int], document: Mapping[str, Any]) -> str | None:
    """Probability of some of the verifier's coordinates together; None where none says it shortly."""
    judges, labels = [[_word(name) for name in document[key]] for key in ("judges", "labels")]
    n, r = len(judges), len(labels)
    if document["model"] == "independent":
        k = min(cells)
        if len(cells) > 1:
            return None
        if k < r:
            return rf"\Pr(T{{=}}{labels[k]})"
        rate, a = divmod(k - r, r)
        i, t = divmod(rate, r)
        return rf"\Pr({judges[i]}{{=}}{labels[a]} \mid T{{=}}{labels[t]})"
    digits = [tuple(k // r**p % r for p in range(n, -1, -1)) for k in cells]
    ranges = [set(column) for column in zip(*digits, strict=True)]
    if len(cells) != prod(map(len, ranges)) or any(1 < len(own) < r for own in ranges):
        return None
    spelled = zip(["T", *judges], ranges, strict=True)
    events = [f"{who}{{=}}{labels[min(own)]}" for who, own in spelled if len(own) == 1]
    joined = r",\, ".join([*events[1:], *events[:1]] if ranges[0] != set(range(r)) else events)
    return rf"\Pr({joined})" if events else "1"


def _exam(document: Mapping[str, Any], exam: Mapping[str, Any]) -> Iterable[str]:
    """The exam as a sentence, and the two sides on it."""
    sketch, rows = exam["sketch"], []
    for codes, counts in zip(sketch["codes"], exam["keyed"], strict=True):
        answers = ", ".join(_word(sketch["answers"][code]) for code in codes)
        rows += [
            f"${n}$ with true label ${_word(label)}$ and answers ${answers}$"
            for label, n in zip(sketch["labels"], counts, strict=True)
            if n
        ]
    size = sum(map(sum, exam["keyed"]))
    judges = ", ".join(f"${_word(judge)}$" for judge in sketch["judges"])
    yield f"Take {size} {'item' if size == 1 else 'items'}, answered by {judges}: {'; '.join(rows)}."
    yield f"The left side is ${document['left']}$ and the right side is ${document['right']}$."


# --- Formulas.


def _relation(relation: Relation) -> str:
    left, right = (_formula(_spelled(side)) for side in (relation.left, relation.right))
    return f"{left} {_SIGNS.get(relation.sign, relation.sign)} {right}"


def _spelled(node: Node) -> Node:
    """Tree whose variables are spelled as LaTeX."""
    if node.kind == "variable":
        return variable(_name(node.name))
    return Node(node.kind, tuple(map(_spelled, node.parts)), node.number)


def _formula(node: Node) -> str:
    def inside(part: Node, least: int) -> str:
        formula = _formula(part)
        closed = LEVELS[part.kind] >= least or part.kind == "/"
        return formula if closed else rf"\left({formula}\right)"

    parts, level = node.parts, LEVELS[node.kind]
    if node.kind == "number":
        return _number(node)
    if node.kind == "variable":
        return node.name
    if node.kind == "negative":
        return f"-{inside(parts[0], level + 1)}"
    if node.kind == "^":
        base = inside(parts[0], level + 1)
        return (
            f"{{{base}}}^{{{node.number}}}"
            if parts[0].kind != "/"
            else rf"\left({base}\right)^{{{node.number}}}"
        )
    if node.kind == "/":
        return rf"\frac{{{_formula(parts[0])}}}{{{_formula(parts[1])}}}"
    sign = rf" {node.kind} " if node.kind != "*" else _times(parts[1])
    right = level if node.kind in "+*" else level + 1
    return f"{inside(parts[0], level)}{sign}{inside(parts[1], right)}"


def _times(right: Node) -> str:
    """Sign of a product: none before a name, a dot before what starts with a number."""
    first = next(part for part in nodes_of(right) if not part.parts)
    return r" \cdot " if first.kind == "number" and right.kind != "/" else r"\,"


def _number(node: Node) -> str:
    top, bottom = node.number.numerator, node.number.denominator
    return f"{top}" if bottom == 1 else rf"\tfrac{{{top}}}{{{bottom}}}"


def _word(name: str) -> str:
    """Name of a judge or label: a letter as it is, a word upright, what is not ASCII by its code point."""
    if re.fullmatch("[A-Za-z]", name):
        return name
    escaped = "".join(_ESCAPES.get(c, c if " " <= c <= "~" else f"[U+{ord(c):04X}]") for c in name)
    return rf"\text{{{escaped}}}"


def _name(typed: str) -> str:
    """Name as typed: its head as a symbol, the rest as an index."""
    head, _, tail = typed.partition("_")
    upright = rf"\mathrm{{{head}}}" if re.fullmatch("[A-Za-z0-9]{2,}", head) else _word(head)
    symbol = _GREEK.get(head, upright)
    if not tail:
        return symbol
    if "{" not in tail:
        words = [re.sub("[^A-Za-z0-9]", lambda c: _word(c[0]), part) for part in tail.split("_")]
        return f"{symbol}_{{{','.join(words)}}}"
    pieces = re.findall(r"[^{}_^(),:|;]+|[(),:|;^]", tail)
    index = "".join(
        r" \mid " if p == "|" else p if p in "(),:;" else r"\,;" if p == "^" else _word(p)
        for p in pieces
    )
    return f"{symbol}_{{{index}}}"
