"""The statement of a certificate as one tree, which every printer writes in its own spelling.

Base variables with their domain, definitions as hypotheses, denominators as hypotheses, hypotheses, and
the claim as typed: never expanded, never moved to one side. Each variable has an identifier of ASCII
letters, digits and underscores that ends in ``_`` and its own number, so that no two agree, whatever the
reader typed; `legend` says what was typed.
"""

from __future__ import annotations

import ast
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partialmethod
from typing import Any

from algeval import verify_alarm, verify_statements
from algeval.export import NotExported

__all__ = [
    "Meanings", "Node", "Reading", "Relation", "Statement", "Style", "holds", "is_constant", "nodes_of",
    "number", "parse", "parse_relation", "powers_of", "renamed", "value", "variable", "variables_of",
    "written",
]  # fmt: skip

MAX_VARIABLES = 600
"""Base variables of one statement."""

# 1. Trees -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """One expression.

    kind : "number" (its `number`), "variable" (its `name`), "negative" (of one part), "+", "-", "*", "/" (of
        two parts), or "^" (of one part, with a whole `number` >= 0 as exponent).
    """

    kind: str
    parts: tuple[Node, ...] = ()
    number: Fraction = Fraction(0)
    name: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two sides as typed; `sign` is one of = < > <= >=."""

    sign: str
    left: Node
    right: Node


def number(x: Fraction | int) -> Node:
    """Number as a tree."""
    return Node("number", number=Fraction(x))


def variable(name: str) -> Node:
    """Variable as a tree."""
    return Node("variable", name=name)


def _joined(sign: str, nodes: Iterable[Node], neutral: int) -> Node:
    listed = list(nodes)
    result = listed[0] if listed else number(neutral)
    for node in listed[1:]:
        result = Node(sign, (result, node))
    return result


def _total(nodes: Iterable[Node]) -> Node:
    return _joined("+", nodes, 0)


def _product(*nodes: Node) -> Node:
    return _joined("*", nodes, 1)


def _over(top: Node, bottom: Node) -> Node:
    return Node("/", (top, bottom))


def _less(left: Node, right: Node) -> Node:
    return Node("-", (left, right))


def nodes_of(node: Node) -> Iterator[Node]:
    """Every expression inside one, itself first."""
    yield node
    for part in node.parts:
        yield from nodes_of(part)


def variables_of(node: Node) -> Iterator[str]:
    """Names of the variables of an expression, in order, with repetitions."""
    return (part.name for part in nodes_of(node) if part.kind == "variable")


def is_constant(node: Node) -> bool:
    """Whether no variable occurs."""
    return next(variables_of(node), None) is None


def renamed(node: Node, images: Mapping[str, Node]) -> Node:
    """Expression with variables replaced."""
    if node.kind == "variable":
        return images[node.name]
    parts = tuple(renamed(part, images) for part in node.parts)
    return Node(node.kind, parts, node.number)


_OPERATORS: dict[str, Callable[[Fraction, Fraction], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


def value(node: Node, point: Mapping[str, Fraction]) -> Fraction:
    """Exact value where the variables have these; a ZeroDivisionError where it divides by zero."""
    if node.kind == "number":
        return node.number
    if node.kind == "variable":
        return point[node.name]
    parts = [value(part, point) for part in node.parts]
    if node.kind == "negative":
        return -parts[0]
    if node.kind == "^":
        return Fraction(parts[0] ** int(node.number))
    return Fraction(_OPERATORS[node.kind](*parts))


def powers_of(monomial: int) -> Iterator[tuple[int, int]]:
    """Coordinates of a monomial of the verifier with their powers, which stand in it byte by byte."""
    exponents = monomial.to_bytes((monomial.bit_length() + 7) // 8, "little")
    return ((k, power) for k, power in enumerate(exponents) if power)


# 2. Texts as trees --------------------------------------------------------------------------------


_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/",
    ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=",
}  # fmt: skip
_SPELLED = {"^": "**", "=": "=="}


class _Reader:
    """One text, in the verifier's words; Python's grammar has their order of operations."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._leaves: list[Node] = []
        _, *words = verify_statements.tokens_of(text)
        try:
            self.tree = ast.parse(" ".join(map(self._word, reversed(words))), mode="eval").body
        except (SyntaxError, ValueError, MemoryError) as error:
            raise self._refused() from error

    def _word(self, token: tuple[str, str]) -> str:
        kind, word = token
        if kind == "sign":
            return _SPELLED.get(word, word)
        self._leaves.append(variable(word) if kind == "name" else number(Fraction(word)))
        return f"leaf{len(self._leaves) - 1}"

    def _refused(self) -> NotExported:
        return NotExported(
            "a claim must be arithmetic on names and numbers, powers small and whole, with one relation; "
            f"got {self._text[:120]!r}"
        )

    def relation(self) -> Relation:
        """Two sides and the relation between them; without a relation, that the text is zero."""
        tree = self.tree
        if not isinstance(tree, ast.Compare):
            return Relation("=", self.node(tree), number(0))
        if len(tree.ops) > 1:
            raise self._refused()
        return Relation(
            _SIGNS[type(tree.ops[0])], self.node(tree.left), self.node(tree.comparators[0])
        )

    def node(self, tree: ast.expr) -> Node:
        """Expression."""
        if isinstance(tree, ast.Name):
            return self._leaves[int(tree.id.removeprefix("leaf"))]
        if isinstance(tree, ast.UnaryOp):
            inner = self.node(tree.operand)
            return Node("negative", (inner,)) if isinstance(tree.op, ast.USub) else inner
        if not isinstance(tree, ast.BinOp):
            raise self._refused()
        left, right = self.node(tree.left), self.node(tree.right)
        if not isinstance(tree.op, ast.Pow):
            return Node(_SIGNS[type(tree.op)], (left, right))
        power = value(right, {}) if is_constant(right) else Fraction(1, 2)
        if power.denominator > 1 or abs(power) > verify_statements.MAX_EXPONENT:
            raise self._refused()
        return Node("^", (left if power >= 0 else _over(number(1), left),), abs(power))


def parse(text: str) -> Node:
    """Expression of a text; its variables are the names as typed, without blanks."""
    reader = _Reader(text)
    return reader.node(reader.tree)


def parse_relation(text: str) -> Relation:
    """Relation of a text; its variables are the names as typed, without blanks."""
    return _Reader(text).relation()


# 3. What the names mean ---------------------------------------------------------------------------

Said = tuple[tuple[int, int], ...]
"""Judges with their answers, by position."""

Base = tuple[Any, ...]
"""A base variable: ("cell", t, u), ("prevalence", t), ("rate", i, a, t) or ("items",)."""


class Meanings:
    """Definition of every name of the language in base variables, written as a reader knows it.

    It mirrors `verify_statements.Statistics` method by method and expands nothing. `base` gives the
    variable of each base quantity; `judges` are the positions of those that the statement is about.
    """

    def __init__(
        self, model: str, judges: Sequence[int], n_labels: int, base: Callable[[Base], Node]
    ) -> None:
        self.model, self.judges, self.labels, self.base = model, judges, range(n_labels), base

    def blocks(self) -> list[list[Base]]:
        """Base quantities of the domain in the verifier's order; each block sums to 1."""
        labels = self.labels
        if self.model == "axioms":
            tuples = itertools.product(labels, repeat=len(self.judges))
            return [[("cell", t, u) for t, u in itertools.product(labels, list(tuples))]]
        rates = itertools.product(self.judges, labels)
        return [
            [("prevalence", t) for t in labels],
            *([("rate", i, a, t) for a in labels] for i, t in rates),
        ]

    def share(self, said: Said = (), truth: int | None = None) -> Node:
        """Share of items with these answers, and this true label if one is meant."""
        truths = self.labels if truth is None else [truth]
        if self.model == "axioms":
            answers = dict(said)
            choices = [[answers[i]] if i in answers else self.labels for i in self.judges]
            cells = itertools.product(truths, list(itertools.product(*choices)))
            return _total(self.base(("cell", t, u)) for t, u in cells)
        if truth is None and not said:
            return number(1)
        return _total(_product(self.base(("prevalence", t)), *self._rates(said, t)) for t in truths)

    def _rates(self, said: Said, t: int) -> Iterator[Node]:
        return (self.rate(i, a, t) for i, a in said)

    def count(self, said: Said, truth: int | None = None) -> Node:
        """Number of such items."""
        return _product(self.items(), self.share(said, truth))

    def items(self) -> Node:
        """Number of all items."""
        return self.base(("items",))

    def rate(self, i: int, a: int, t: int) -> Node:
        """Share of answers a of judge i among the items of true label t."""
        if self.model == "axioms":
            return self.on_label(((i, a),), t)
        return self.base(("rate", i, a, t))

    def on_label(self, said: Said, t: int) -> Node:
        """Share of items with these answers among those of true label t."""
        if self.model == "axioms":
            return _over(self.share(said, t), self.share((), t))
        return _product(*self._rates(said, t))

    def grade(self, i: int) -> Node:
        """Share of items that judge i answers rightly."""
        return _total(self.share(((i, t),), t) for t in self.labels)

    def _of_judge(self, formula: str, i: int) -> Node:
        """Formula in shares of items: right and wrong answers A and B, true labels, answers, rates."""
        parts: dict[str, tuple[Said, int | None]] = {
            "TP": (((i, 0),), 0), "TN": (((i, 1),), 1), "FP": (((i, 0),), 1), "FN": (((i, 1),), 0),
            "P_A": ((), 0), "P_B": ((), 1), "f_A": (((i, 0),), None), "f_B": (((i, 1),), None),
        }  # fmt: skip
        tree = parse(formula)
        images = {name: self.share(*parts[name]) for name in variables_of(tree) if name in parts}
        return renamed(tree, images | {"r_A": self.rate(i, 0, 0), "r_B": self.rate(i, 1, 1)})

    youden = partialmethod(_of_judge, "r_A + r_B - 1")
    balanced = partialmethod(_of_judge, "(r_A + r_B)/2")
    recall = partialmethod(_of_judge, "r_A")
    precision = partialmethod(_of_judge, "TP/f_A")
    negative = partialmethod(_of_judge, "TN/f_B")
    f1 = partialmethod(_of_judge, "2*TP/(P_A + f_A)")
    jaccard = partialmethod(_of_judge, "TP/(P_A + f_A - TP)")
    mcc_squared = partialmethod(_of_judge, "(TP*TN - FP*FN)^2/(P_A*P_B*f_A*f_B)")

    def agreement(self, who: Sequence[int]) -> Node:
        """Share of items on which these judges all say the same."""
        return _total(self.share(tuple((i, a) for i in who)) for a in self.labels)

    def kappa(self, who: Sequence[int]) -> Node:
        """Agreement of two judges beyond that of chance."""
        i, j = who
        pairs = ((self.share(((i, a),)), self.share(((j, a),))) for a in self.labels)
        return _corrected(self.agreement(who), _total(_product(*pair) for pair in pairs))

    def kappa_with_truth(self, i: int) -> Node:
        """Agreement of a judge with the truth beyond that of chance."""
        pairs = ((self.share((), t), self.share(((i, t),))) for t in self.labels)
        return _corrected(self.grade(i), _total(_product(*pair) for pair in pairs))

    def majority(self, who: Sequence[int]) -> Node:
        """Share of items on which most of these judges, an odd number, are right."""
        answers = list(itertools.product(self.labels, repeat=len(who)))
        return _total(
            self.share(tuple(zip(who, u, strict=True)), t)
            for t, u in itertools.product(self.labels, answers)
            if 2 * u.count(t) > len(who)
        )

    def odds(self, said: Said) -> Node:
        """Odds of the first label against the second among items with these answers."""
        return _over(self.share(said, 0), self.share(said, 1))

    def moment(self, said: Said) -> Node:
        """Mean of the product of (1 if the judge says this, else 0) - (its share)."""
        return _mean_product(said, lambda pair: self.share((pair,)), self.share)

    def correlation(self, said: Said, t: int) -> Node:
        """Same mean and shares among the items of true label t."""
        return _mean_product(
            said, lambda pair: self.rate(*pair, t), lambda some: self.on_label(some, t)
        )


def _corrected(seen: Node, chance: Node) -> Node:
    return _over(_less(seen, chance), _less(number(1), chance))


def _mean_product(
    said: Said, mean: Callable[[tuple[int, int]], Node], together: Callable[[Said], Node]
) -> Node:
    """Mean of a product of deviations: f_ij - f_i f_j of two; multiplied out of more.

    The terms in which all judges but one, or all, give their mean are multiples of the product of all
    means; they are one term.
    """
    result = together(said)
    for size in range(len(said) - 1, 1, -1):
        sign = "-" if (len(said) - size) % 2 else "+"
        for some in itertools.combinations(said, size):
            others = (mean(pair) for pair in said if pair not in some)
            result = Node(sign, (result, _product(together(some), *others)))
    n = len(said)  # sizes 1 and 0: n terms of one sign, one of the other
    means = _product(*map(mean, said))
    term = means if n == 2 else _product(number(n - 1), means)
    return Node("+" if n % 2 else "-", (result, term))


# 4. The statement ---------------------------------------------------------------------------------

Point = Mapping[str, Fraction]
"""{identifier: value} of all base variables; with definitions once `Statement.values` has added them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a certificate says.

    Attributes
    ----------
    model : str
        "axioms": on every exam; or "independent".
    judges, labels, positions : tuples
        Judges that no formula speaks of are left out; `positions` are those of the others in the certificate.
    blocks : tuple of tuples of identifiers
        The base variables; each is >= 0, and each block sums to 1.
    coordinates : dict of base quantity to identifier
        What each base variable is: ("cell", true label, answers), ("prevalence", t),
        ("rate", judge, answer, t), or ("items",); judges are positions in the certificate.
    items : str
        Identifier of the number of items, which is > 0; empty where no count occurs.
    definitions : dict of identifier to Node
        In order: one may use those before it.
    divisors : tuple of Node
        Each is not zero: all that is divided by, in definitions, hypotheses and claim.
    hypotheses : tuple of Relation
    claim : Relation or None
        None: that the hypotheses contradict each other.
    legend : dict of identifier to str
        What the reader typed, or what a base variable is that nobody typed.
    """

    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    positions: tuple[int, ...]
    blocks: tuple[tuple[str, ...], ...]
    coordinates: Mapping[Base, str]
    items: str
    definitions: Mapping[str, Node]
    divisors: tuple[Node, ...]
    hypotheses: tuple[Relation, ...]
    claim: Relation | None
    legend: Mapping[str, str]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Statement:
        """Statement of a certificate or of a counterexample, which states what it refutes.

        Raises
        ------
        NotExported
            For a model or a text that cannot be written.
        """
        reading = Reading(document)
        full = reading.statement("independent", range(len(reading.judges)))
        return reading.statement(reading.model, sorted(_judges_of(full)))

    @property
    def base(self) -> tuple[str, ...]:
        """Identifiers of the base variables, the number of items last."""
        return (*itertools.chain(*self.blocks), *([self.items] if self.items else []))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Hypotheses and claim."""
        return self.hypotheses if self.claim is None else (*self.hypotheses, self.claim)

    def values(self, point: Point) -> dict[str, Fraction] | None:
        """Values of base variables and definitions; None where something is divided by zero."""
        result = dict(point)
        try:
            for identifier, definition in self.definitions.items():
                result[identifier] = value(definition, result)
            defined = all(value(divisor, result) for divisor in self.divisors)
        except ZeroDivisionError:
            return None
        return result if defined else None

    def admits(self, values: Point) -> bool:
        """Whether values, as `values` gives them, lie in the domain and satisfy the hypotheses."""
        inside = all(
            sum(values[v] for v in block) == 1 and min(values[v] for v in block) >= 0
            for block in self.blocks
        )
        counted = not self.items or values[self.items] > 0
        return inside and counted and all(holds(relation, values) for relation in self.hypotheses)

    def point(self, exam: Mapping[str, Any]) -> dict[str, Fraction]:
        """Base variables on an exam (``algeval.keyed_sketch/1``, with the judges of the certificate).

        Where a label does not occur, a judge's rates on it are free: all answers are the first label.
        """
        counts = _counts(exam, self.labels)
        size = sum(counts.values())
        if not size:
            raise NotExported("an exam must have an item; got none")
        return {v: self._on_exam(key, counts, size) for key, v in self.coordinates.items()}

    def _on_exam(
        self, key: Base, counts: Mapping[tuple[int, tuple[int, ...]], int], size: int
    ) -> Fraction:
        kind, *rest = key
        if kind == "items":
            return Fraction(size)
        if kind == "cell":
            t, answers = rest
            seen = ((n, s, tuple(u[i] for i in self.positions)) for (s, u), n in counts.items())
            return Fraction(sum(n for n, s, u in seen if (s, u) == (t, answers)), size)
        t = rest[-1]
        on_label = {u: n for (s, u), n in counts.items() if s == t}
        total = sum(on_label.values())
        if kind == "prevalence":
            return Fraction(total, size)
        i, a, _ = rest
        if not total:
            return Fraction(int(a == 0))
        return Fraction(sum(n for u, n in on_label.items() if u[i] == a), total)


def holds(relation: Relation, values: Point) -> bool:
    """Whether a relation holds where the variables have these values."""
    left, right = value(relation.left, values), value(relation.right, values)
    return bool(_OPERATORS[relation.sign](left, right))


def _counts(
    exam: Mapping[str, Any], labels: Sequence[str]
) -> dict[tuple[int, tuple[int, ...]], int]:
    """Items of an exam by (true label, answers), as positions in `labels`."""
    sketch, position = exam["sketch"], {label: t for t, label in enumerate(labels)}
    result = {}
    for codes, row in zip(sketch["codes"], exam["keyed"], strict=True):
        if min(codes) < 0:
            raise NotExported(
                "an exam must be answered in full to be exported; some answers are missing"
            )
        answers = tuple(position[sketch["answers"][code]] for code in codes)
        for label, count in zip(sketch["labels"], row, strict=True):
            result[position[label], answers] = count
    return result


def _judges_of(statement: Statement) -> set[int]:
    """Judges that occur in a statement of the independent model."""
    keys = {identifier: key for key, identifier in statement.coordinates.items()}
    trees = [
        *statement.definitions.values(),
        *(side for relation in statement.relations for side in (relation.left, relation.right)),
    ]
    seen = {keys[name] for tree in trees for name in variables_of(tree) if name in keys}
    return {key[1] for key in seen if key[0] == "rate"}


def _identifier(text: str, position: int) -> str:
    stem = re.sub("[^A-Za-z0-9]+", "_", text).strip("_")[:40].rstrip("_")
    stem = stem if stem[:1].isalpha() else f"v{stem}"
    return f"{stem}_{position}"


class Reading:
    """One document, read."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        refuted = document["schema"] == "algeval.counterexample/1"
        model = document["model"]
        if model not in ("axioms", "independent", "correlated"):
            raise NotExported(
                f"a model must be axioms, independent or correlated to be exported; got {model!r}"
            )
        self.model = "independent" if model == "independent" else "axioms"
        self.judges = verify_alarm.name_list(document["judges"], "judges")
        self.labels = verify_alarm.name_list(document["labels"], "labels")
        text = verify_statements.text_of(document["identity" if refuted else "claim"])
        self.claim = None if text == verify_statements.CONTRADICTION else parse_relation(text)
        self.hypotheses = [parse_relation(text) for text in document.get("given", ())]
        self.define = {
            name.replace(" ", ""): parse(text) for name, text in document.get("define", {}).items()
        }
        shares = verify_statements.Shares("independent", len(self.judges), len(self.labels))
        statistics = verify_statements.Statistics(verify_statements.Arithmetic(shares))
        self.names = verify_statements.Names(statistics, self.judges, self.labels)

    def statement(self, model: str, judges: Sequence[int]) -> Statement:
        """Statement about some of the judges."""
        return _Writing(self, model, judges).statement()


class _Writing:
    """Names looked up, numbered and defined, for one statement."""

    def __init__(self, reading: Reading, model: str, judges: Sequence[int]) -> None:
        self.reading, self.positions = reading, tuple(judges)
        self.meanings = Meanings(model, judges, len(reading.labels), self._base)
        self.coordinates: dict[Base, str] = {}
        self.definitions: dict[str, Node] = {}
        self.legend: dict[str, str] = {}
        self.typed: dict[str, Node] = {}
        self.named: set[str] = set()  # base variables that the reader typed
        self.pending: list[str] = []
        self.blocks = self.meanings.blocks()
        n = sum(map(len, self.blocks))
        if n > MAX_VARIABLES:
            raise NotExported(
                f"a statement may have at most {MAX_VARIABLES} base variables; got {n}: name fewer judges"
            )
        for key in itertools.chain(*self.blocks):
            self._base(key)

    def statement(self) -> Statement:
        """Build it, definitions before those that use them."""
        reading = self.reading
        hypotheses = tuple(self._relation(relation) for relation in reading.hypotheses)
        claim = None if reading.claim is None else self._relation(reading.claim)
        identifiers = [*self.coordinates.values(), *self.definitions]
        if len(set(identifiers)) < len(identifiers) or set(self.legend) != set(identifiers):
            raise NotExported(f"identifiers must be distinct; got {identifiers}")
        relations = hypotheses if claim is None else (*hypotheses, claim)
        trees = [*self.definitions.values(), *(x for r in relations for x in (r.left, r.right))]
        return Statement(
            model=self.meanings.model,
            judges=tuple(reading.judges[i] for i in self.positions),
            labels=reading.labels,
            positions=self.positions,
            blocks=tuple(tuple(self.coordinates[key] for key in block) for block in self.blocks),
            coordinates=self.coordinates,
            items=self.coordinates.get(("items",), ""),
            definitions=self.definitions,
            divisors=_divisors(trees),
            hypotheses=hypotheses,
            claim=claim,
            legend=self.legend,
        )

    def _relation(self, relation: Relation) -> Relation:
        names = dict.fromkeys((*variables_of(relation.left), *variables_of(relation.right)))
        images = {name: self._name(name) for name in names}
        return Relation(
            relation.sign, renamed(relation.left, images), renamed(relation.right, images)
        )

    def _name(self, name: str) -> Node:
        """Variable of a name as typed: a base variable, or one that is defined."""
        if name not in self.typed:
            meaning = self.reading.names.meaning(name)
            if meaning is None:
                definition = self._own(name)
            else:
                definition = getattr(self.meanings, meaning[0])(*meaning[1])
            self.typed[name] = self._defined(name, definition)
        return self.typed[name]

    def _defined(self, name: str, definition: Node) -> Node:
        unnamed = set(self.coordinates.values()) - self.named
        if definition.kind == "variable" and definition.name in unnamed:
            self.named.add(definition.name)
            self.legend[definition.name] = name
            return definition
        identifier = self._fresh(name)
        self.definitions[identifier] = definition
        return variable(identifier)

    def _own(self, name: str) -> Node:
        """Definition of the reader's own."""
        if name not in self.reading.define or name in self.pending:
            raise NotExported(f"the name {name[:120]!r} means nothing here, or itself")
        self.pending.append(name)
        tree = self.reading.define[name]
        images = {inner: self._name(inner) for inner in dict.fromkeys(variables_of(tree))}
        self.pending.pop()
        return renamed(tree, images)

    def _fresh(self, text: str) -> str:
        identifier = _identifier(text, len(self.legend) + 1)
        self.legend[identifier] = text
        return identifier

    def _base(self, key: Base) -> Node:
        if key not in self.coordinates:
            self.coordinates[key] = self._fresh(self._plain(key))
        return variable(self.coordinates[key])

    def _plain(self, key: Base) -> str:
        """What a base variable is, for one that the reader did not type."""
        judges, labels, (kind, *rest) = self.reading.judges, self.reading.labels, key
        if kind == "items":
            return "Q"
        if kind == "prevalence":
            return f"P_{labels[rest[0]]}"
        if kind == "rate":
            i, a, t = rest
            end = labels[t] if a == t else f"{labels[a]}|{labels[t]}"
            return f"P_{{{judges[i]},{end}}}"
        t, u = rest
        return f"c_{{{','.join(labels[a] for a in u)};{labels[t]}}}"


def _divisors(trees: Iterable[Node]) -> tuple[Node, ...]:
    """All that is divided by, each once; numbers are looked at here and need no hypothesis."""
    bottoms = (node.parts[1] for tree in trees for node in nodes_of(tree) if node.kind == "/")
    distinct = tuple(dict.fromkeys(bottoms))
    if any(is_constant(bottom) and not value(bottom, {}) for bottom in distinct):
        raise NotExported("a claim must not divide by the number zero")
    return tuple(bottom for bottom in distinct if not is_constant(bottom))


# 5. Trees as text ---------------------------------------------------------------------------------

LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "negative": 3, "^": 4, "number": 5, "variable": 5}
"""How tightly each kind binds; brackets are written wherever that is not tight enough."""


@dataclass(frozen=True, slots=True)
class Style:
    """How one system spells an expression; the defaults are those of most.

    number, variable : functions that write a Fraction and an identifier; a number that is not written as one
        word needs its own brackets.
    power : function of the base, in brackets where needed, and the exponent.
    """

    number: Callable[[Fraction], str] = lambda x: f"({x})" if x < 0 or x.denominator > 1 else f"{x}"
    variable: Callable[[str], str] = str
    power: Callable[[str, int], str] = lambda base, exponent: f"{base}^{exponent}"


def written(node: Node, style: Style = Style()) -> str:
    """Expression as text, with the brackets that keep it the same tree."""

    def inside(part: Node, least: int) -> str:
        text = written(part, style)
        return text if LEVELS[part.kind] >= least else f"({text})"

    level = LEVELS[node.kind]
    if node.kind == "number":
        return style.number(node.number)
    if node.kind == "variable":
        return style.variable(node.name)
    if node.kind == "negative":
        return f"(-{inside(node.parts[0], level + 1)})"
    if node.kind == "^":
        return style.power(inside(node.parts[0], level + 1), int(node.number))
    left, right = node.parts
    return f"{inside(left, level)} {node.kind} {inside(right, level + 1)}"
