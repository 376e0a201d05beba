"""Proof trees of ``algeval.inequality/1`` as Coq lemmas, one for each node.

The tree is walked by the verifier's own rules, so that what is written is what was checked. A lemma speaks
of the coordinates of its goal but the last of each block, which is 1 minus the others; its hypotheses are
those of the goal that it or a node below it uses.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval import verify_statements as verifier
from algeval.export import NotExported
from algeval.export.coq_statement import literal
from algeval.export.statement import powers_of
from algeval.verify_alarm import kind_of
from algeval.verify_statements import Goal, Polynomial

__all__ = ["LAST", "Fact", "Lemma", "Nodes", "form"]

Name = Callable[[int], str]
Fact = tuple[str, int]
"""Hypothesis of a goal: ("G", k) of its inequalities, ("E", k) of its equations, ("D", k) of its divisors."""

MAX_TEXT = 5_000_000
"""Characters of one proof."""

LAST = {">=": "0 <= {}", ">": "0 < {}", "=": "{} = 0"}


def form(terms: Mapping[int, int], scale: int, name: Name) -> str:
    """Terms of a polynomial, over its scale, as text."""
    parts = []
    for monomial, c in terms.items():
        powers = [
            name(k) + (f" ^ {power}" if power > 1 else "") for k, power in powers_of(monomial)
        ]
        number = [] if c == scale and powers else [literal(Fraction(c, scale))]
        parts.append(" * ".join([*number, *powers]))
    return " + ".join(parts) or "0"


def _z(k: int) -> str:
    return f"z{k}"


def _text(p: Polynomial) -> str:
    return form(p.terms, p.scale, _z)


def _sum(parts: Iterable[str]) -> str:
    return " + ".join(parts) or "0"


@dataclass(frozen=True, slots=True)
class Lemma:
    """A node that was written: its name, its goal, and which hypotheses of the goal it has."""

    name: str
    goal: Goal
    needs: frozenset[Fact]

    @property
    def coordinates(self) -> list[int]:
        """Those that it speaks of, in order."""
        return [k for block in self.goal.blocks for k in block[:-1]]

    def facts(self) -> list[Fact]:
        """Hypotheses beside the domain, in order."""
        return sorted(self.needs)

    def apply(self, arguments: Mapping[int, str], fact: Callable[[Fact], str]) -> str:
        """Tactics that pose the lemma as K; `fact` writes the tactic that proves a hypothesis of it."""
        values = " ".join(f"({arguments[k]})" for k in self.coordinates)
        domain = sum(len(block[:-1]) + (len(block) > 1) for block in self.goal.blocks)
        feeds = ["feed K (lra)."] * domain + [f"feed K ({fact(need)})." for need in self.facts()]
        return " ".join([f"pose proof ({self.name} {values}) as K.", *feeds])


def _statement(fact: Fact, goal: Goal) -> str:
    kind, k = fact
    if kind == "E":
        return f"{_text(goal.eq[k])} = 0"
    strict = kind == "D" or k in goal.strict
    p = verifier.form_at(goal.ge if kind == "G" else goal.divisors, k)
    return f"0 {'<' if strict else '<='} {_text(p)}"


class Nodes:
    """Writes the lemmas of proof trees; equal lemmas are written once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[str, str] = {}
        self._size = 0

    def lemma(self, node: Any, goal: Goal) -> Lemma:
        """Write a node and all below it."""
        if isinstance(node, Mapping) and "drop" in node:
            goal = goal.without(node["drop"])
            node = {name: value for name, value in node.items() if name != "drop"}
        work = kind_of(node, verifier.RULES, "a node of the proof")(node, goal)
        children = [self.lemma(child, part) for child, part in work]
        own, tactics = _RULES[node["kind"]](node, goal, children)
        needs = frozenset(own).union(*(child.needs for child in children))
        return self._written(Lemma("", goal, needs), tactics)

    def _written(self, lemma: Lemma, tactics: str) -> Lemma:
        goal, variables = lemma.goal, [_z(k) for k in lemma.coordinates]
        hypotheses = [(f"{kind}{k}", _statement((kind, k), goal)) for kind, k in lemma.facts()]
        domain, lasts = [], []
        for block in goal.blocks:
            others = [_z(k) for k in block[:-1]]
            domain += [(f"N{k}", f"0 <= {_z(k)}") for k in block[:-1]]
            domain += [(f"S{block[-1]}", f"{_sum(others)} <= 1")] if others else []
            k, rest = block[-1], "".join(f" - {z}" for z in others)
            lasts.append(f"last z{k} (1{rest}) L{k} N{k}.")
        every = [*domain, *hypotheses]
        quantified = f"forall {' '.join(variables)} : R, " if variables else ""
        says = " -> ".join([*(text for _, text in every), LAST[goal.sense].format(_text(goal.p))])
        introduced = " ".join([*variables, *(name for name, _ in every)])
        intros = f"intros {introduced}. " if introduced else ""
        proof = f"Proof. {intros}{' '.join(lasts)}\n{tactics}\nQed."
        key = f"{quantified}{says}"
        if key not in self._names:
            self._names[key] = f"node{len(self._names)}"
            self.lines.append(f"Lemma {self._names[key]} : {key}.\n{proof}")
            self._size += len(self.lines[-1])
            if self._size > MAX_TEXT:
                raise NotExported(f"a proof of more than {MAX_TEXT} characters is not written")
        return Lemma(self._names[key], goal, lemma.needs)


# The rules: what a node itself needs, and its proof --------------------------------------------------

Proof = tuple[list[Fact], str]
Writer = Callable[[Mapping[str, Any], Goal, list[Lemma]], Proof]

_APPLY = {">=": ("node_ge", "nn"), ">": ("node_gt", "some"), "=": ("node_eq", "polynomials")}


def _expand(goal: Goal) -> str:
    return f"subst {' '.join(_z(block[-1]) for block in goal.blocks)}"


def _balance(goal: Goal, size: str, body: str, zero: str = "0", facts: str = "") -> str:
    """Finish: size * p is the body plus what is zero."""
    lemma, signs = _APPLY[goal.sense]
    return (
        f"apply ({lemma} ({size}) _ ({body}) ({zero})); "
        f"[pp | {_expand(goal)}; polynomials | {facts}ring | {signs}]."
    )


def _cases(blocks: Iterable[Sequence[int]]) -> str:
    """Cases by a positive coordinate of each block."""
    result = []
    for block in blocks:
        x = f"X{block[-1]}"
        either = " \\/ ".join(f"0 < {_z(k)}" for k in block)
        pattern = x
        for _ in block[1:]:
            pattern = f"[{x}|{pattern}]"
        result += [f"assert ({x} : {either}) by one_positive", f"destruct {x} as {pattern}"]
    return "; ".join(result)


def _here(lemma: Lemma, images: Mapping[int, str] | None = None) -> str:
    """Tactics that pose a child's lemma at images of its coordinates; the facts are up to ring."""
    arguments = {k: _z(k) for k in lemma.coordinates} | dict(images or {})
    return lemma.apply(arguments, lambda fact: f"same {fact[0]}{fact[1]}")


def _by_zero(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    return [], "ring."


def _by_coefficients(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    degrees = verifier.read_degree(node["degree"], goal.blocks)
    body = form(verifier.lift(goal.p, goal.blocks, degrees), 1, _z)
    finish = _balance(goal, literal(goal.p.scale), body)
    if goal.sense == ">":
        blocks = [block for block, degree in zip(goal.blocks, degrees, strict=True) if degree]
        cases = _cases(blocks)
        finish = f"{cases}; {finish}" if cases else finish
    return [], finish


def _by_combination(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    positive = [("D", goal.divisors, *pair) for pair in node.get("times") or ()]
    positive += [("G", goal.ge, *pair) for pair in node.get("positive") or ()]
    needs: list[Fact] = [(kind, k) for kind, _, k, _ in positive]
    size = [f"({_text(verifier.form_at(forms, k))}) ^ {power}" for _, forms, k, power in positive]
    left = goal.p
    for _, forms, k, power in positive:
        left = left * verifier.form_at(forms, k) ** power
    tactics = ""
    if node.get("multiplier") is not None:
        m = verifier.read_multiplier(node["multiplier"], goal)
        left, blocks = left * m, [block for block in goal.blocks if m.speaks_of(block)]
        size.append(f"({_text(m)})")
        cases = _cases(blocks)
        tactics = f"assert (M : 0 < {_text(m)}) by ({cases + '; ' if cases else ''}some). "
    margin = Fraction(node.get("margin") or 0)
    parts, body = [left, left.constant(-margin)], [literal(margin)] if margin else []
    for term in node.get("terms") or ():
        parts.append(verifier.read_term(term, goal).by(-1))
        needs += [("G", k) for k in term.get("given") or ()]
        body.append(_term(term, goal))
    zero = []
    for k, cofactor in node.get("cofactors") or ():
        q = goal.polynomial(cofactor)
        parts.append((q * goal.eq[k]).by(-1))
        needs.append(("E", k))
        zero.append(f"({_text(q)}) * ({_text(goal.eq[k])})")
    rest = verifier.affine(verifier.total(parts, goal.p.meter), goal.blocks)
    if rest.terms:
        lifted = verifier.lift(rest, goal.blocks, verifier.read_degree(node["degree"], goal.blocks))
        body.append(f"{literal(Fraction(1, rest.scale))} * ({form(lifted, 1, _z)})")
    facts = "".join(f"rewrite ?E{k}; " for kind, k in needs if kind == "E")
    return needs, tactics + _balance(goal, " * ".join(size) or "1", _sum(body), _sum(zero), facts)


def _term(term: Mapping[str, Any], goal: Goal) -> str:
    """One term of a combination: number, monomial, hypotheses, square."""
    factors = [literal(Fraction(term["c"]))]
    if term.get("times") is not None:
        factors.append(form({verifier.read_monomial(term["times"], goal.blocks): 1}, 1, _z))
    factors += [f"({_text(verifier.form_at(goal.ge, k))})" for k in term.get("given") or ()]
    if term.get("square") is not None:
        factors.append(f"({_text(goal.polynomial(term['square']))}) ^ 2")
    return " * ".join(factors)


def _by_factors(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    waiting, tactics = iter(children), []
    factors = [literal(abs(Fraction(node["constant"])))]
    for j, entry in enumerate(node["factors"]):
        q, power = (
            verifier.affine(goal.polynomial(entry["polynomial"]), goal.blocks),
            entry["power"],
        )
        if power % 2 or goal.sense == ">":
            child = next(waiting)
            text = _text(child.goal.p)
            tactics.append(
                f"assert (K{j} : {LAST[goal.sense].format(text)}). {{ {_here(child)} exact K. }}"
            )
            factors.append(f"({text}) ^ {power}" if power > 1 else f"({text})")
        else:
            inner = f"({_text(q)})"
            factors.append(f"({inner} ^ {power // 2}) ^ 2" if power > 2 else f"{inner} ^ 2")
    return [], " ".join([*tactics, _balance(goal, "1", " * ".join(factors))])


def _by_corners(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    block, tactics, parts = goal.block(node["block"]), [], []
    for child, entry in zip(children, node["children"], strict=True):
        j, text = entry["position"], _text(child.goal.p)
        tactics.append(
            f"assert (K{j} : {LAST[goal.sense].format(text)}). {{ {_here(child)} exact K. }}"
        )
        parts.append((j, text))
    body = _sum(f"{_z(block[j])} * ({text})" for j, text in parts)
    if goal.sense == "=":
        facts = "".join(f"rewrite ?K{j}; " for j, _ in parts)
        return [], " ".join([*tactics, _balance(goal, "1", "0", body, facts)])
    cases = f"{_cases([block])}; " if goal.sense == ">" else ""
    return [], " ".join([*tactics, cases + _balance(goal, "1", body)])


def _by_split(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    block, w = goal.block(node["block"]), Fraction(node["at"])
    i, j = node["edge"]
    x, y = goal.coordinate(block, i), goal.coordinate(block, j)
    near_i = {block[i]: x - y.by((1 - w) / w), block[j]: y.by(1 / w)}
    near_j = {block[i]: x.by(1 / (1 - w)), block[j]: y - x.by(w / (1 - w))}
    cases = []
    for child, images in zip(children, (near_i, near_j), strict=True):
        cases.append(f"- {_here(child, {k: _text(p) for k, p in images.items()})} same K.")
    left, right = _text(y.by(1 - w)), _text(x.by(w))
    return [], "\n".join([f"destruct (Rle_or_lt ({left}) ({right})).", *cases])


def _by_orders(node: Mapping[str, Any], goal: Goal, children: list[Lemma]) -> Proof:
    first = {b: goal.block(b)[0] for b in node["blocks"]}
    orders = [tuple(first[b] for b in entry["order"]) for entry in node["children"]]
    named, tactics = {}, []
    for n, (order, child) in enumerate(zip(orders, children, strict=True)):
        steps = child.goal.blocks[-1]
        images = {steps[0]: _z(order[0])}
        images |= {
            k: f"{_z(b)} - {_z(a)}"
            for k, (a, b) in zip(steps[1:], itertools.pairwise(order), strict=False)
        }
        sorted_so = "".join(f"{_z(a)} <= {_z(b)} -> " for a, b in itertools.pairwise(order))
        claim = LAST[goal.sense].format(_text(goal.p))
        tactics.append(
            f"assert (K{n} : {sorted_so}{claim}). {{ intros. {_here(child, images)} same K. }}"
        )
        named[order] = n
    tactics.append(_sorted((), tuple(first.values()), named) + ".")
    return [], "\n".join(tactics)


def _sorted(
    order: tuple[int, ...], rest: tuple[int, ...], named: Mapping[tuple[int, ...], int]
) -> str:
    """Insert one coordinate after the other where it belongs; each order ends with its case."""
    if not rest:
        return f"(apply K{named[order]}; lra)"
    x, later = rest[0], rest[1:]

    def inserted(position: int) -> str:
        end = _sorted((*order[:position], x, *order[position:]), later, named)
        if position == len(order):
            return end
        return f"(destruct (Rle_or_lt {_z(x)} {_z(order[position])}); [{end} | {inserted(position + 1)}])"

    return inserted(0)


_RULES: dict[str, Writer] = {
    "zero": _by_zero,
    "coefficients": _by_coefficients,
    "corners": _by_corners,
    "split": _by_split,
    "orders": _by_orders,
    "factors": _by_factors,
    "combination": _by_combination,
}
