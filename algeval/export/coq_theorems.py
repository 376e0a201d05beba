"""Inequalities and claims under hypotheses in Coq: the certificate's tree, put at a statement's point."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from algeval import verify_statements as verifier
from algeval.export import NotExported
from algeval.export.coq_nodes import Fact, Lemma, Nodes, form
from algeval.export.coq_statement import Opening, literal, side
from algeval.export.statement import Node, Relation, Statement, powers_of, variables_of
from algeval.verify_statements import Polynomial, Quotient

__all__ = ["Derivation"]


class Fractions:
    """Expressions of a statement as the verifier's quotients, in its coordinates without unused judges.

    A coordinate keeps the verifier's number. A judge that no formula speaks of gives the first label always,
    which is an exam like any other.
    """

    def __init__(self, statement: Statement, n_judges: int) -> None:
        self.statement = statement
        model, n_labels = statement.model, len(statement.labels)
        self.shares = verifier.Shares(model, n_judges, n_labels)
        self.arithmetic = verifier.Arithmetic(self.shares)
        self.numbers = {
            v: self._number(key) for key, v in statement.coordinates.items() if key[0] != "items"
        }
        self.identifiers = {k: v for v, k in self.numbers.items()}
        self.blocks = tuple(tuple(self.numbers[v] for v in block) for block in statement.blocks)
        self._values: dict[str, Quotient] = {}
        for block, row in zip(self.blocks, statement.blocks, strict=True):
            for index, v in enumerate(row):
                self._values[v] = Quotient(verifier.coordinate(block, index, self.shares.meter), {})
        if statement.items:
            self._values[statement.items] = replace(self.arithmetic.number(1), counts=1)
        unit = self.arithmetic.number(1).num
        self.reduced = {k: self._image(k, unit) for block in self.shares.blocks for k in block}

    def _number(self, key: tuple[Any, ...]) -> int:
        """Number of a base variable among the verifier's coordinates."""
        kind, *rest = key
        r, n = len(self.statement.labels), self.shares.n_judges
        if kind == "prevalence":
            return int(rest[0])
        if kind == "rate":
            i, a, t = rest
            return int(self.shares.blocks[1 + i * r + t][a])
        t, u = rest
        answers = dict(zip(self.statement.positions, u, strict=True))
        position = int(t)
        for i in range(n):
            position = position * r + answers.get(i, 0)
        return position

    def _image(self, k: int, unit: Polynomial) -> Polynomial:
        """What a coordinate of the verifier is here."""
        for block in self.blocks:
            if k in block:
                return verifier.coordinate(block, block.index(k), self.shares.meter)
        home = next(block for block in self.shares.blocks if k in block)
        constant = self.statement.model == "independent" and k == home[0]
        return unit if constant else unit.by(0)

    def of(self, node: Node) -> Quotient:
        """Quotient that an expression is."""
        if node.kind == "number":
            return self.arithmetic.number(node.number)
        if node.kind == "variable":
            if node.name not in self._values:
                self._values[node.name] = self.of(self.statement.definitions[node.name])
            return self._values[node.name]
        parts = [self.of(part) for part in node.parts]
        if node.kind == "negative":
            return replace(parts[0], num=parts[0].num.by(-1))
        if node.kind == "^":
            return self.arithmetic.power(parts[0], int(node.number))
        combine = {
            "+": self.arithmetic.plus,
            "-": lambda a, b: self.arithmetic.plus(a, b, -1),
            "*": self.arithmetic.times,
            "/": self.arithmetic.divide,
        }
        return combine[node.kind](*parts)

    def name(self, k: int) -> str:
        """Identifier of a coordinate."""
        return self.identifiers[k]


class Derivation:
    """One certificate with a tree: its lemmas, and the proof of its theorem."""

    def __init__(self, document: Mapping[str, Any], opening: Opening) -> None:
        self.opening, self.statement = opening, opening.statement
        self.document = document
        self.setting = verifier.read_setting(
            verifier.read_statement(document), document["strict"] is True
        )
        entries = document.get("denominators", ())
        self.signs = [entry["sign"] for entry in entries]
        self.proofs = verifier.read_signs(entries, self.setting)
        self.fractions = Fractions(self.statement, len(document["judges"]))
        self.divisors = [p.put(self.fractions.reduced) for p in self.setting.divisors]
        self.forms = {key: p.put(self.fractions.reduced) for key, p in self.setting.forms.items()}
        self.back = dict(self.fractions.reduced)
        self.nodes = Nodes()
        self.lines = opening.start()
        self.gone: list[str] = []  # base variables that hypotheses express by others
        self.images: dict[int, Polynomial] = {}  # by these
        self.ranges = 0
        self.texts: dict[int, str] = {}  # of the verifier's divisors
        self.merged: dict[int, str] = {}  # names of coordinates that are sums
        self.watched = self._watch()

    def _watch(self) -> dict[str, int]:
        """Let the steps move the polynomials of definitions, too, beside the divisors."""
        statistics = verifier.Statistics(self.fractions.arithmetic)
        names = verifier.Names(statistics, self.document["judges"], self.document["labels"])
        result: dict[str, int] = {}
        for v in self.statement.definitions:
            q = names.look_up(self.statement.legend[v])
            if q is not None and not any(q.den.values()) and not q.counts:
                result[v] = len(self.divisors) + len(result)
                self.setting.forms["divisor", result[v]] = q.num
        return result

    # -- fractions ---------------------------------------------------------------------------------

    def _by(self) -> str:
        return f"({self.opening.expand([*self.merged.values(), *self.gone])}; fractions)"

    def _form(self, p: Polynomial) -> str:
        return form(p.terms, p.scale, self.fractions.name)

    def _weight(self, q: Quotient, signed: bool) -> str:
        """Product of what a quotient is divided by; positive, if it is to be."""
        parts = []
        for number, power in self._divided(q).items():
            text = self.texts[number]
            if not signed:
                parts.append(f"({text}) ^ {power}")
            elif power % 2:
                parts.append(f"({literal(self.signs[number])} * ({text})) ^ {power}")
            else:
                parts.append(f"(({text}) ^ {power // 2}) ^ 2")
        if q.counts < 0:
            parts.append(f"{self.statement.items} ^ {-q.counts}")
        return " * ".join(parts) or "1"

    def _size(self, q: Quotient) -> str:
        return f"{self.statement.items} ^ {q.counts}" if q.counts > 0 else "1"

    def _divide(self) -> None:
        """Facts that no divisor of the certificate is zero: Z and its position."""
        for j, node in enumerate(self.statement.divisors):
            q = self.fractions.of(node)
            if q.num.value() is not None:
                continue
            k = self._position(q.num)
            if k in self.texts:
                continue
            plain = not q.counts and not any(q.den.values())
            self.texts[k] = side(node) if plain else self._form(q.num)
            if plain:
                self.lines.append(f"pose proof D{j} as Z{k}.")
                continue
            self.lines.append(
                f"pose proof (form_nonzero ({self._weight(q, signed=False)}) ({self._size(q)}) "
                f"({self.texts[k]}) _ ltac:(powers) D{j} ltac:{self._by()}) as Z{k}."
            )

    def _position(self, divisor: Polynomial) -> int:
        """Position of a divisor in the certificate."""
        if divisor not in self.divisors:
            raise NotExported("the certificate divides by other polynomials than are written here")
        return self.divisors.index(divisor)

    def _divided(self, q: Quotient) -> dict[int, int]:
        """Powers of the certificate's divisors in a quotient."""
        mine = self.fractions.arithmetic.divisors
        return {self._position(mine[k]): power for k, power in q.den.items() if power}

    # -- hypotheses --------------------------------------------------------------------------------

    def _hypothesis(self, k: int) -> None:
        """State a hypothesis of the claim as a polynomial: H and its position."""
        relation, read = self.statement.hypotheses[k], self.setting.givens[k]
        weight, size, low, high, text = self._balanced(relation, ("given", k))
        rule = {">=": "form_of_le", ">": "form_of_lt", "=": "form_of_eq"}[read.sense]
        turned = {">=": "(Rge_le _ _ {})", ">": "(Rgt_lt _ _ {})", "=": "(eq_sym {})"}
        fact = turned.get(relation.sign, "{}").format(f"G{k}")
        positive = "powers" if read.sense == "=" else "pp"
        self.lines.append(
            f"pose proof ({rule} ({weight}) ({size}) ({text}) ({low}) ({high}) "
            f"ltac:({positive}) ltac:(pp) {fact} ltac:{self._by()}) as H{k}."
        )

    def _balanced(self, relation: Relation, key: tuple[str, int]) -> tuple[str, str, str, str, str]:
        """Weight W, size s, both sides, and form f, such that low * W + s * f = high * W."""
        left, right = self.fractions.of(relation.left), self.fractions.of(relation.right)
        q = self.fractions.arithmetic.plus(left, right, -1)
        low, high = side(relation.right), side(relation.left)
        p, signed = q.num, relation.sign != "="
        if relation.sign in ("<", "<="):
            low, high, p = high, low, p.by(-1)
        if signed:
            odd = [k for k, power in self._divided(q).items() if power % 2]
            p = p.by(math.prod(self.signs[k] for k in odd))
        if p != self.forms[key]:
            raise NotExported("the certificate reads a relation otherwise than it is written here")
        text = self._form(p)
        return self._weight(q, signed), self._size(q), low, high, text

    # -- steps towards the domain ------------------------------------------------------------------

    def _step(self, step: Mapping[str, Any]) -> None:
        kind, setting = step["step"], self.setting
        back: dict[int, Polynomial] = {}
        if kind in ("identify", "fix", "solve"):
            self._solved(step)
        elif kind == "bound":
            block, low = setting.blocks[step["block"]], [Fraction(x) for x in step["lower"]]
            for k, least in zip(block, low, strict=True):
                shifted = self.back[k] - self.back[k].constant(least)
                back[k] = shifted.by(Fraction(1, 1 - sum(low)))
        elif kind == "merge":
            block = setting.blocks[step["coordinates"][0][0]]
            positions = sorted(i for _, i in step["coordinates"])
            back[block[positions[0]]] = verifier.total(
                [self.back[block[i]] for i in positions], setting.meter
            )
        verifier.take_step(step, setting)
        self.back.update(back)

    def _solved(self, step: Mapping[str, Any]) -> None:
        """Express a coordinate by others, as an equation among the hypotheses says."""
        setting, k = self.setting, step["given"]
        if step["step"] == "identify":
            kept, lost = (setting.pair(b) for b in step["blocks"])
            image, index = self.back[kept[int(step["reversed"])]], lost[0]
        else:
            lost = setting.pair(step["block"])
            index = lost[0]
            image = self.back[index].constant(0)
            if step["step"] == "fix":
                image = image.constant(Fraction(step["value"]))
            else:
                value = verifier.read_polynomial(step["value"], setting.blocks, setting.meter)
                image = verifier.affine(value, setting.blocks).put(self.back)
        number = next((n for n in self.fractions.identifiers if self._is(n, index)), None)
        if number is None:
            raise NotExported(
                "the certificate solves for what is no base variable of the statement"
            )
        name, text = self.fractions.name(number), self._form(image)
        moved = self.forms["given", k].put(self.images)
        ratio = moved.ratio(self.back[index] - image)
        self.lines.append(
            f"assert (V{number} : {name} = {text}) by (apply (form_equal {literal(ratio)} _ _ _ "
            f"ltac:(powers) H{k}); {self.opening.expand(self.gone)}; polynomials)."
        )
        self.images = {n: p.put({number: image}) for n, p in self.images.items()} | {number: image}
        self.gone.append(name)
        self.back = {c: p.put({number: image}) for c, p in self.back.items()}
        if step["step"] == "solve":
            for p in (image, image.constant(1) - image):
                self.lines.append(f"assert (R{self.ranges} : 0 <= {self._form(p)}) by lra.")
                self.ranges += 1

    def _is(self, number: int, index: int) -> bool:
        return self.back[index].terms == {1 << 8 * number: 1} and self.back[index].scale == 1

    # -- the theorem -------------------------------------------------------------------------------

    def proof(self) -> list[str]:
        """Lines of the proof, after which `nodes` holds the lemmas it rests on."""
        self._divide()
        givens = self.setting.givens
        for k, relation in enumerate(givens):
            if not relation.odd:
                self._hypothesis(k)
        for step in self.document.get("domain", ()):
            self._step(step)
        for k, tree in self.proofs.items():
            self._sign(k, tree)
        for k, relation in enumerate(givens):
            if relation.odd:
                self._hypothesis(k)
        signed = list(self.proofs)
        goal = self.setting.goal(signed)
        lemma = self.nodes.lemma(self.document["proof"], goal)
        last = self._by_merged(lemma)
        self.lines.append(self._put(lemma, self._facts(signed)))
        self._conclude(last or f"{self.opening.expand(self.gone)}; fractions")
        return self.lines

    def _by_merged(self, lemma: Lemma) -> str:
        """Names of merged coordinates, and what the claim's variables are in them; last step of the proof.

        Sums of many shares stand in few polynomials of the claim, so that multiplying them out is not needed.
        """
        claim = self.statement.claim
        sides = [] if claim is None else [*variables_of(claim.left), *variables_of(claim.right)]
        forms = {v: self.setting.forms.get(("divisor", self.watched.get(v, -1))) for v in sides}
        sums = [k for k in lemma.coordinates if len(self.back[k].terms) > 1]
        if not sums or None in forms.values():
            return ""
        for k in sums:
            self.lines.append(f"last Y{k} ({self._form(self.back[k])}) EY{k} NY{k}.")
            self.merged[k] = f"Y{k}"
        images = {
            k: self.merged.get(k) or f"({self._form(self.back[k])})" for k in lemma.coordinates
        }
        for v, p in forms.items():
            text = form(p.terms, p.scale, images.__getitem__) if p is not None else ""
            self.lines.append(f"assert (T{self.watched[v]} : {v} = {text}) by {self._by()}.")
        return "; ".join([*(f"rewrite ?T{self.watched[v]}" for v in forms), "polynomials"])

    def _facts(self, signed: list[int]) -> dict[Fact, str]:
        """Name of what proves each hypothesis of a goal."""
        names: list[str] = []
        equations: list[str] = []
        for kind, k in self.setting.forms:
            if kind == "given" and self.setting.givens[k].sense == "=":
                equations.append(f"H{k}")
            elif kind in ("given", "range"):
                names.append(f"{'H' if kind == 'given' else 'R'}{k}")
        names += [f"P{k}" for k in signed]
        facts: dict[Fact, str] = {("G", j): name for j, name in enumerate(names)}
        facts |= {("E", j): name for j, name in enumerate(equations)}
        return facts | {("D", k): f"P{k}" for k in signed}

    def _put(self, lemma: Lemma, facts: Mapping[Fact, str]) -> str:
        arguments = {k: self.merged.get(k) or self._form(self.back[k]) for k in lemma.coordinates}
        return lemma.apply(arguments, lambda need: f"exactly {facts[need]} by {self._by()}")

    def _sign(self, k: int, tree: object) -> None:
        """Prove that a divisor has its sign: P and its position."""
        lemma = self.nodes.lemma(tree, self.setting.sign_goal(k))
        signed = f"{literal(self.signs[k])} * ({self.texts[k]})"
        self.lines.append(
            f"assert (P{k} : 0 < {signed}). {{ {self._put(lemma, self._facts([]))} "
            f"apply positive_of; [exactly K by {self._by()} | "
            f"intro E; apply Z{k}; lra]. }}"
        )

    def _conclude(self, last: str) -> None:
        if self.statement.claim is None:
            self.lines.append("lra. Qed.")
            return
        weight, size, *_ = self._balanced(self.statement.claim, ("claim", 0))
        sense = self.setting.claim.sense
        turned = {">=": "apply Rle_ge. ", ">": "apply Rlt_gt. ", "=": "symmetry. "}
        rule = {">=": "le_of_form", ">": "lt_of_form", "=": "eq_of_form"}[sense]
        positive = "powers" if sense == "=" else "pp"
        self.lines.append(
            f"{turned.get(self.statement.claim.sign, '')}apply ({rule} ({weight}) ({size}) _ _ _ "
            f"ltac:({positive}) ltac:(pp) K); {last}. Qed."
        )

    # -- an exam -----------------------------------------------------------------------------------

    def example(self, tries: int) -> dict[str, Fraction] | None:
        """Values that satisfy the hypotheses and divide by no zero; None where no try does."""
        draw = random.Random(0)
        for attempt in range(tries):
            point = {
                v: x
                for block in self.statement.blocks
                for v, x in zip(block, _shares(draw, len(block), 1 + attempt // 20), strict=True)
            }
            if self.statement.items:
                point[self.statement.items] = Fraction(1)
            self._replace(point)
            values = self.statement.values(point)
            if values is not None and self.statement.admits(values):
                return values
        return None

    def _replace(self, point: dict[str, Fraction]) -> None:
        """Give the variables that equations express by others the values they must have."""
        for number, image in self.images.items():
            name = self.fractions.name(number)
            block = next(block for block in self.statement.blocks if name in block)
            point[name] = _value(image, lambda k: point[self.fractions.name(k)])
            point[block[-1]] = 1 - sum((point[v] for v in block[:-1]), Fraction(0))


def _shares(draw: random.Random, parts: int, most: int) -> list[Fraction]:
    weights = [draw.randint(0, most) for _ in range(parts)]
    if not any(weights):
        weights[draw.randrange(parts)] = 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def _value(p: Polynomial, at: Callable[[int], Fraction]) -> Fraction:
    """Value of a polynomial."""
    result = Fraction(0)
    for monomial, c in p.terms.items():
        powers = (at(k) ** power for k, power in powers_of(monomial))
        result += Fraction(math.prod(powers, start=Fraction(c, p.scale)))
    return result
