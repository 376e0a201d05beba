"""Evidence of alarms as `coq/AlarmCheck.v` reads it: a tree that splits on whole numbers, with sums of rows.

Rows of that file are the conditions, the splits above, and how often judges gave answers. What certificates
round (caps, grades, strict levels) is here a cut: a split, one side of which a sum of rows refutes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from algeval import verify_alarm as va
from algeval.export import NotExported
from algeval.verify import Program

Pattern = tuple[
    int | None, tuple[tuple[int, int], ...]
]  # a label, and answers of judges (-1: none)
Form = dict[Pattern, int]
Row = tuple[Form, int]  # the form is at least the number
Cited = tuple[Any, ...]  # ("asked", n), ("path", level) or ("seen", judge, ((answer, number), ...))
Rows = dict[Cited, Fraction]
Tree = tuple[Any, ...]  # ("leaf", rows) or ("split", form, at, low, high)
End = tuple[int, Rows]  # a bound of a key count, and the rows that say so
Kappa = Mapping[tuple[int, int], Fraction]  # of a judge and a label, beside the judge's answers

MAX_DEPTH = 300
EQUALITIES = {
    "size",
    "observed",
    "unanswered",
    "tuple",
    "label",
    "pair",
    "left",
    "right",
    "table",
    "margin",
}


def plus(form: Form, more: Form, k: int = 1) -> Form:
    """Sum of a form and k times another, without zeros."""
    result = defaultdict(int, form)
    for pattern, number in more.items():
        result[pattern] += k * number
    return {pattern: number for pattern, number in result.items() if number}


def add(rows: Rows, more: Rows, k: Fraction | int = 1) -> Rows:
    """Rows with k times others added, in place."""
    for cited, y in more.items():
        rows[cited] = rows.get(cited, Fraction(0)) + k * y
    return rows


@dataclass(frozen=True)
class Exam:
    """Data and standard: each condition once a judge and label (no condition: there are such items)."""

    panel: va.Panel
    claim: va.Claim
    standard: tuple[tuple[va.Condition | None, int | None, int | None], ...]

    @classmethod
    def of(cls, panel: va.Panel, claim: va.Claim) -> Exam:
        """The standard of a claim, condition by condition, and whom it holds to items of a label."""
        standard: list[tuple[va.Condition | None, int | None, int | None]] = []
        for c in claim.conditions:
            judges = [i for i, name in enumerate(panel.judges) if c.judge in (None, name)]
            labels = [t for t, name in enumerate(panel.labels) if c.label in (None, name)]
            those: list[int | None] = [None] if c.quantity == "prevalence" else [*judges]
            these: list[int | None] = [None] if c.quantity == "grade" else [*labels]
            standard += [(c, i, t) for i in those for t in these]
        held = ((panel.positions[i], panel.labels.index(t)) for i, t in claim.held)
        return cls(panel, claim, (*standard, *((None, i, t) for i, t in held)))

    def among(self, names: Sequence[str]) -> Exam:
        """Exam with the conditions of some judges, and those on prevalences."""
        judges = {None, *(self.panel.positions[name] for name in names)}
        return replace(self, standard=tuple(entry for entry in self.standard if entry[1] in judges))

    @cached_property
    def numbers(self) -> dict[Any, int]:
        """Where each condition stands."""
        return {entry: n for n, entry in enumerate(self.standard)}

    def slack(self, i: int | None) -> int:
        """How many items a judge is not held to."""
        return 0 if i is None or self.claim.missing == "wrong" else self.panel.left[i]

    def condition(self, n: int) -> tuple[va.Condition, int, int]:
        """Condition with its judge and label (0 where it has none)."""
        condition, i, t = self.standard[n]
        if condition is None:
            raise TypeError("only a condition has a level")
        return condition, i or 0, t or 0

    def good(self, n: int) -> Form:
        """Items that count as right."""
        _, i, t = self.standard[n]
        if i is None:
            return {(t, ()): 1}
        return {(s, ((i, s),)): 1 for s in (range(len(self.panel.labels)) if t is None else (t,))}

    def all(self, n: int) -> Form:
        """Items that these are a share of."""
        _, i, t = self.standard[n]
        form: Form = {(t if i is not None else None, ()): 1}
        if i is not None and self.claim.missing == "excluded":
            form[t, ((i, va.UNANSWERED),)] = -1
        return form

    def factors(self, n: int) -> tuple[int, int]:
        """a, b of the row a * good + b * all >= 0."""
        condition, q = self.condition(n)[0], self.panel.n_items
        x = condition.value
        if condition.sense == ">":
            return q * x.denominator, -(q * x.numerator + 1)
        sign = -1 if condition.sense == "<=" else 1
        return sign * x.denominator, -sign * x.numerator

    def row(self, n: int) -> Row:
        """Row of a condition."""
        if self.standard[n][0] is None:
            return self.all(n), 1
        a, b = self.factors(n)
        return plus(plus({}, self.good(n), a), self.all(n), b), 0


@dataclass(frozen=True)
class Bounds:
    """low <= q <= high at a node, and the splits above it with where they stand."""

    low: tuple[End, ...]
    high: tuple[End, ...]
    splits: tuple[va.Split, ...] = ()
    levels: tuple[Cited, ...] = ()

    def narrowed(self, t: int, at: int, cited: Cited, *, above: bool) -> Bounds:
        """Bounds where q_t >= at + 1 (above), or q_t <= at."""
        ends, end = (self.low, at + 1) if above else (self.high, at)
        if (end > ends[t][0]) is not above or end == ends[t][0]:
            return self
        ends = (*ends[:t], (end, {cited: Fraction(1)}), *ends[t + 1 :])
        return replace(self, low=ends) if above else replace(self, high=ends)

    def below(self, name: Sequence[Any], at: int, cited: Cited, *, above: bool) -> Bounds:
        """Bounds on one side of a split."""
        side = self.narrowed(name[1], at, cited, above=above) if name[0] == "key" else self
        return replace(side, splits=(*self.splits, (name, at, above)), levels=(*self.levels, cited))

    def spread(self, n_items: int) -> Bounds:
        """What follows for each key count from the others, which add up to all items."""

        def better(own: tuple[End, ...], others: tuple[End, ...], sign: int) -> tuple[End, ...]:
            rest, ends = n_items - sum(end for end, _ in others), []
            for t, (end, rows) in enumerate(own):
                implied = rest + others[t][0]
                if sign * implied > sign * end:
                    rows = {}
                    for _, more in (*others[:t], *others[t + 1 :]):
                        add(rows, more)
                    end = implied
                ends.append((end, rows))
            return tuple(ends)

        low, high = better(self.low, self.high, 1), better(self.high, self.low, -1)
        return replace(self, low=low, high=high)


@dataclass
class Proof:
    """Evidence about some judges of an exam: `judges` and `conditions` say which those of the program are."""

    exam: Exam
    program: Program
    judges: Sequence[int]
    conditions: Sequence[int]
    path: list[Row] = field(default_factory=list)
    cuts: list[tuple[Form, int, Tree, bool]] = field(default_factory=list)
    memo: dict[tuple[str, int], Cited] = field(default_factory=dict)

    @property
    def top(self) -> Cited:
        """The next split."""
        return "path", len(self.path)

    def inside(self, row: Row) -> Proof:
        """Proof of one side of the next split."""
        return replace(self, path=[*self.path, row], cuts=[])

    def under(self, tree: Tree) -> Tree:
        """Tree below the cuts."""
        for form, at, proof, above in reversed(self.cuts):
            tree = ("split", form, at, *((proof, tree) if above else (tree, proof)))
        return tree

    def keep(self, form: Form, at: int, proof: Tree, *, above: bool) -> Cited:
        """Row form >= at + 1 (above), or form <= at, of which `proof` refutes the other side."""
        cited = self.top
        self.cuts.append((form, at, proof, above))
        self.path.append((form, at + 1) if above else (plus({}, form, -1), -at))
        return cited

    def cut(
        self, form: Form, at: int, rows: Rows, k: int, *, above: bool, kappa: Kappa | None = None
    ) -> Cited:
        """The same, where some rows and k times the other side refute it."""
        other = (plus({}, form, -1), -at) if above else (form, at + 1)
        proof = self.inside(other).leaf({**rows, self.top: Fraction(k)}, kappa)
        return self.keep(form, at, proof, above=above)

    # Rows of certificates

    def total(self, n: int) -> Cited:
        """How many items are right, in whole numbers, where it is known of how many."""
        if ("total", n) not in self.memo:
            condition, i, _ = self.exam.condition(n)
            slack = self.exam.slack(i) if condition.quantity == "grade" else 0
            share = self.program.level(condition) * (self.exam.panel.n_items - slack)
            above, k = condition.sense != "<=", abs(self.exam.factors(n)[0])
            at = ceil(share) - 1 if above else floor(share)
            rows = {("asked", n): Fraction(1)}
            self.memo["total", n] = self.cut(self.exam.good(n), at, rows, k, above=above)
        return self.memo["total", n]

    def accuracy(self, n: int) -> tuple[Cited, Fraction]:
        """Row den * C - num * D >= 0 with the level num/den that certificates use, or its opposite."""
        condition, q = self.exam.condition(n)[0], self.exam.panel.n_items
        x = self.program.level(condition)
        if condition.sense != ">":
            return ("asked", n), x
        if ("accuracy", n) not in self.memo:
            gap = self.gap(n, x)
            inside, (a, b), top = self.inside((gap, 1)), self.exam.factors(n), self.top
            rows = {("asked", n): Fraction(x.denominator), top: Fraction(a)}
            if condition.value.denominator > q:  # between two fractions of at most q items
                lower = -va.next_fraction(-condition.value, q)
                some = inside.cut(self.exam.all(n), 0, {top: Fraction(1)}, x.numerator, above=True)
                excess = Fraction(-b * lower.denominator - a * lower.numerator)
                rows = {("asked", n): Fraction(lower.denominator), some: excess}
                least = inside.cut(plus({}, self.gap(n, lower), -1), 0, rows, a, above=True)
                rows = {top: Fraction(lower.denominator), least: Fraction(x.denominator)}
            proof = inside.under(inside.leaf(rows))
            self.memo["accuracy", n] = self.keep(gap, 0, proof, above=False)
        return self.memo["accuracy", n], x

    def gap(self, n: int, x: Fraction) -> Form:
        """What a level lacks, num * D - den * C."""
        return plus(plus({}, self.exam.all(n), x.numerator), self.exam.good(n), -x.denominator)

    def cap(self, n: int) -> Cited:
        """Row D <= floor(R / x)."""
        if ("cap", n) not in self.memo:
            cited, x = self.accuracy(n)
            _, i, t = self.exam.condition(n)
            most = self.program.most(self.judges.index(i), t, x)
            k, kappa = x.numerator, {}
            if x > 1:  # C <= D refutes one item
                k, kappa = x.numerator - x.denominator, {(i, t): Fraction(x.denominator)}
            rows = {cited: Fraction(1)}
            self.memo["cap", n] = self.cut(
                self.exam.all(n), most, rows, k, above=False, kappa=kappa
            )
        return self.memo["cap", n]

    def rounded(self, n: int, low: End) -> Cited:
        """Row C >= ceil(x l), where q >= l."""
        cited, x = self.accuracy(n)
        rows = add({cited: Fraction(1)}, low[1], x.numerator)
        return self.cut(self.exam.good(n), ceil(x * low[0]) - 1, rows, x.denominator, above=True)

    # Sums of rows

    def leaf(self, rows: Rows, kappa: Kappa | None = None) -> Tree:
        """Leaf of rows; at order 1 with what is known of each judge's answers, whatever the label."""
        rows = {cited: y for cited, y in rows.items() if y}
        kappa = kappa or {}
        if self.exam.claim.order == 1:
            weights: defaultdict[Any, Fraction] = defaultdict(Fraction)
            for (kind, n), y in rows.items():
                for (t, pairs), k in (self.exam.row(n) if kind == "asked" else self.path[n])[
                    0
                ].items():
                    for i, a in pairs:
                        weights[i, a, t] += k * y
            labels = range(self.program.n_labels)
            for i in sorted({i for i, *_ in (*weights, *kappa)}):
                most = {
                    a: max(
                        weights[i, a, t] + weights[i, a, None] - kappa.get((i, t), 0)
                        for t in labels
                    )
                    for a in range(va.UNANSWERED, self.program.n_answers)
                }
                rows["seen", i, tuple((a, -k) for a, k in most.items() if k)] = Fraction(1)
        return ("leaf", rows)

    def number(self, c: int, i: int | None, t: int | None) -> int:
        """Position in the exam of a condition of the program."""
        judge = None if i is None else self.judges[i]
        return self.exam.numbers[self.exam.claim.conditions[self.conditions[c]], judge, t]

    def highest(self, i: int, t: int) -> int | None:
        """Which condition asks judge i of the program for the highest accuracy on label t."""
        names = self.program.panel.judges[i], self.program.panel.labels[t]
        levels = [
            (self.program.level(c), -k)
            for k, c in enumerate(self.program.conditions)
            if c.quantity == "accuracy" and c.sense != "<=" and c.covers(*names)
        ]
        return self.number(-max(levels)[1], i, t) if levels else None

    def by_caps(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Rows, Kappa]:
        """For each label a judge who can be held to few of its items."""
        rows: Rows = {}
        for t, name in enumerate(evidence["judges"]):
            i = None if name is None else self.program.panel.positions[name]
            n = None if i is None else self.highest(i, t)
            if i is None or n is None or self.program.cap(i, t) >= bounds.high[t][0]:
                add(rows, bounds.high[t][1])
            else:
                add(rows, {self.cap(n): Fraction(1)})
        return rows, {}

    def by_weights(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Rows, Kappa]:
        """Weighted accuracies, right answers in whole numbers, and bounds of key counts."""
        rows: Rows = {}

        def weights(name: str) -> Iterable[tuple[int, int, Fraction]]:
            for i, row in enumerate(evidence.get(name) or ()):
                for t, text in enumerate(row or ()):
                    n = self.highest(i, t) if Fraction(text) else None
                    if n is not None:
                        yield n, t, Fraction(text)

        for n, _, y in weights("weights"):
            cited, x = self.accuracy(n)
            add(rows, {cited: y / x.denominator})
        for n, t, y in weights("correct"):
            add(rows, {self.rounded(n, bounds.low[t]): y})
        for name, ends in (("key_low", bounds.low), ("key_high", bounds.high)):
            for (_, more), text in zip(ends, evidence.get(name) or (), strict=False):
                add(rows, more, Fraction(text))
        return rows, {}

    def by_rows(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Rows, Kappa]:
        """Rows with multipliers; those that hold of every key need no citing, nor do bounds of tuples."""
        rows: Rows = {}
        kappa: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        low, high = (tuple(end for end, _ in ends) for ends in (bounds.low, bounds.high))
        keys = [Fraction(0)] * self.program.n_labels
        for name, text in evidence["rows"]:
            y, (kind, *at) = Fraction(text), name
            row = self.program.row(name, va.Leaf(low, high, bounds.splits))
            for t in range(len(keys)):
                keys[t] += y * Fraction(row.form.get(("q", t), 0), row.scale)
            if kind == "key":
                kappa[self.judges[at[0]], at[1]] -= y
            elif kind == "split":
                add(rows, {bounds.levels[at[0]]: y})
            elif kind not in EQUALITIES:
                n, cited, d = self.named(kind, at, bounds)
                add(rows, {cited[0]: y / cited[1]})
                _, i, label = self.exam.standard[n]
                if i is not None and label is not None and self.exam.slack(i):
                    kappa[i, label] -= d * y
        for w, lower, upper in zip(keys, bounds.low, bounds.high, strict=True):
            add(rows, upper[1] if w > 0 else lower[1], abs(w))
        return rows, kappa

    def named(
        self, kind: str, at: Sequence[Any], bounds: Bounds
    ) -> tuple[int, tuple[Cited, int], Fraction]:
        """Condition behind an inequality, its row with the scale, and what D weighs in it."""
        if kind == "held":
            judge, label = self.exam.claim.held[at[0]]
            pair = self.exam.panel.positions[judge], self.exam.panel.labels.index(label)
            n = self.exam.numbers[None, *pair]
            return n, (("asked", n), 1), Fraction(1)
        n = self.number(*at)
        condition, _, t = self.exam.condition(n)
        if condition.quantity != "accuracy":
            return n, (self.total(n), 1), Fraction(0)
        if kind == "rounded":
            return n, (self.rounded(n, bounds.low[t]), 1), Fraction(0)
        if kind == "cap":
            return n, (self.cap(n), 1), Fraction(-1)
        cited, x = self.accuracy(n)
        return n, (cited, x.denominator), x if condition.sense == "<=" else -x

    # Trees

    def root(self) -> Bounds:
        """Bounds of key counts that conditions on prevalences give, as cuts above everything."""
        q, labels = self.program.n_items, range(self.program.n_labels)
        bounds = Bounds(tuple((0, {}) for _ in labels), tuple((q, {}) for _ in labels))
        for n, (c, _, t) in enumerate(self.exam.standard):
            if c is not None and c.quantity == "prevalence" and t is not None:
                cited = self.total(n)
                _, at, _, above = self.cuts[-1]
                bounds = bounds.narrowed(t, at, cited, above=above)
        return bounds.spread(q)

    def tree(self, node: Mapping[str, Any], bounds: Bounds) -> Tree:
        """Tree of a certificate from a node on."""
        if "split" not in node:
            kinds = {"cap": self.by_caps, "weights": self.by_weights, "multipliers": self.by_rows}
            if node["kind"] == "listed":  # one key is left, and the path has to say so
                for t, (end, rows) in enumerate(bounds.low):
                    self.cut({(t, ()): 1}, end - 1, rows, 1, above=True)
                return self.leaf({})
            if node["kind"] == "chains":
                return self.cases(node["cases"], bounds)
            if node["kind"] not in kinds:
                raise NotExported(
                    f"evidence of the kind {node['kind']!r} is not exported to Coq yet"
                )
            return self.leaf(*kinds[node["kind"]](node, bounds))
        if len(self.path) > MAX_DEPTH:
            raise NotExported(f"a tree deeper than {MAX_DEPTH} splits is not exported to Coq")
        form, at = self.form(node["split"]), node["at"]
        sides = []
        for name, row in (("low", (plus({}, form, -1), -at)), ("high", (form, at + 1))):
            side = replace(self.inside(row), memo=dict(self.memo))
            below = bounds.below(node["split"], at, self.top, above=name == "high")
            sides.append(side.under_of(node[name], below.spread(self.program.n_items)))
        return ("split", form, at, *sides)

    # Chains of judges (two labels): pairs of answers need no citing where tuples are whole

    def cases(self, cases: Sequence[Mapping[str, Any]], bounds: Bounds) -> Tree:
        """Tree of the cases of chains, from one number of items of the first label to the next."""
        if not cases:
            rows = add(dict(bounds.low[0][1]), bounds.high[0][1])
            return self.leaf(rows)
        first, rest = cases[0], cases[1:]
        last = first["items"][1]
        if last < bounds.low[0][0]:
            return self.cases(rest, bounds)
        q: Form = {(0, ()): 1}
        sides: list[Tree] = []
        for above, row in ((False, (plus({}, q, -1), -last)), (True, (q, last + 1))):
            side = replace(self.inside(row), memo=dict(self.memo))
            below = bounds.below(("key", 0), last, self.top, above=above)
            below = replace(below.spread(self.program.n_items), splits=(), levels=())
            sides.append(side.under(side.cases(rest, below) if above else side.case(first, below)))
        return ("split", q, last, *sides)

    def case(self, case: Mapping[str, Any], bounds: Bounds) -> Tree:
        """Two chains that contradict one another in a range of q."""
        exact = case["items"][0] == case["items"][1]
        rows, slope = self.chain(case["at_least"], bounds, exact=exact)
        more, less = self.chain(case["at_most"], bounds, exact=exact)
        ends = bounds.low[0] if slope > less else bounds.high[0]
        return self.leaf(add(add(rows, more), ends[1], abs(slope - less)))

    def chain(self, chain: Sequence[Any], bounds: Bounds, *, exact: bool) -> tuple[Rows, Fraction]:
        """Rows that a chain rests on, and how its bound grows with the items of the first label."""
        name, why, steps = chain
        i = self.program.panel.positions[name]
        rows: Rows = {}
        slope = Fraction(why in (["others"], ["all"]))
        if why is not None and why[0] == "condition":
            rows, slope = self.start(i, why[1:], bounds, exact=exact)
        for _, how in steps:
            slope = 1 - slope if how == "together" else slope
        if why is None and exact:
            raise NotExported("a chain that bounds twice a whole number is not exported to Coq yet")
        return rows, slope / 2 if why is None else slope

    def start(
        self, i: int, at: Sequence[Any], bounds: Bounds, *, exact: bool
    ) -> tuple[Rows, Fraction]:
        """Condition at the start of a chain; where q is known, in whole numbers."""
        n = self.number(at[0], i, at[1])
        condition, judge, t = self.exam.condition(n)
        upper, q = condition.sense == "<=", bounds.low[0][0]
        if condition.quantity == "grade":
            cited, slope, k = self.total(n), Fraction(1, 2), 2
            _, right = self.path[cited[1]]
            own = self.program.panel.answer_counts[i][0]
            value = Fraction(abs(right) - self.program.n_items + q + own, 2)
            form: Form = {(0, ((judge, 0),)): 1}
            label, y, w = 0, Fraction(1, 2), 1
        else:
            cited, x = self.accuracy(n)
            slope, k, form, label = (x if t == 0 else 1 - x), x.denominator, self.exam.good(n), t
            value = x * (q if t == 0 else self.program.n_items - q)
            y, w = Fraction(1, x.denominator), x.numerator
        if not exact:
            return {cited: y}, slope
        ends = bounds.high[label] if upper else bounds.low[label]
        rows = add({cited: Fraction(1)}, ends[1], w)
        whole = floor(value) if upper else ceil(value) - 1
        cut = self.cut(form, whole, rows, k, above=not upper)
        return {cut: Fraction(1)}, Fraction(label)  # right on the second label: more of the first

    def under_of(self, node: Mapping[str, Any], bounds: Bounds) -> Tree:
        """Tree of a certificate below the cuts that it needs."""
        return self.under(self.tree(node, bounds))

    def form(self, name: Sequence[Any]) -> Form:
        """Form that a certificate splits on."""
        kind, *at, t = name
        tuples = self.program.tuples
        codes: dict[str, Any] = {
            "key": lambda: (),
            "correct": lambda: [(at[0], t)],
            "answer": lambda: [(at[0], at[1])],
            "cell": lambda: enumerate(tuples[at[0]][0]),
            "pair": lambda: [(at[0], at[2]), (at[1], at[3])],
            "table": lambda: zip(at[0], at[1], strict=True),
        }
        return {(t, tuple((self.judges[i], a) for i, a in codes[kind]())): 1}


def refutation(exam: Exam, program: Program, evidence: Mapping[str, Any]) -> Tree:
    """Evidence that the judges of a program cannot meet the conditions of an exam together."""
    conditions = exam.claim.conditions
    names = program.panel.judges
    own = [k for k, c in enumerate(conditions) if c.judge is None or c.judge in names]
    proof = Proof(exam, program, [exam.panel.positions[name] for name in names], own)
    bounds = proof.root()
    return proof.under_of(evidence["tree"] if evidence["kind"] == "branches" else evidence, bounds)
