"""Alarms as theorems of Coq about every answer key: the data, the standard, and evidence to be checked.

`coq/AlarmCheck.v` says what the theorem means and holds the program that checks it. Evidence there is a
tree that splits on whole numbers, with sums of rows as leaves. What certificates round (caps, levels of
conditions) becomes a split, one side of which a sum refutes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, lcm
from typing import Any

from algeval import verify as other
from algeval import verify_alarm as va
from algeval.errors import DataError
from algeval.export import NotExported

Pattern = tuple[
    int | None, tuple[tuple[int, int], ...]
]  # a label, and answers of judges (-1: none)
Form = dict[Pattern, int]
Cited = tuple[
    Any, ...
]  # ("asked", n), ("path", level from the root) or ("seen", judge, ((answer, k) ...))
Rows = dict[Cited, Fraction]
Row = tuple[Form, int]  # the form is at least the number
Tree = tuple[Any, ...]  # ("leaf", rows) or ("split", form, at, low, high)
Asked = tuple[va.Condition | None, int | None, int | None]  # no condition: there are items

KEYWORDS = set(
    "as at cofix else end exists fix for forall fun if in let match mod return then using where with".split()
)
MAX_DEPTH = 400
MAX_BLAMED = 20_000
MAX_ITEMS = 3_000
SENSES = {">=": "At_least", ">": "Above", "<=": "At_most"}
EQUALITIES = {"size", "observed", "unanswered", "tuple", "label", "pair", "left", "right", "table"}


def plus(form: Form, other_form: Form, k: int = 1) -> Form:
    """form + k * other_form, without zeros."""
    result = defaultdict(int, form)
    for pattern, number in other_form.items():
        result[pattern] += k * number
    return {pattern: number for pattern, number in result.items() if number}


def added(rows: Rows, more: Rows, k: Fraction | int = 1) -> None:
    """Add k times some rows to others, in place."""
    for cited, y in more.items():
        rows[cited] = rows.get(cited, Fraction(0)) + k * y


@dataclass(frozen=True)
class Exam:
    """The data and the standard as AlarmCheck.v has them; `single`: each judge's counts alone."""

    panel: va.Panel
    claim: va.Claim
    asked: tuple[Asked, ...]
    single: bool

    @classmethod
    def of(cls, panel: va.Panel, claim: va.Claim) -> Exam:
        """Each condition once for every judge and label it covers, and the judges held to labels."""
        judges, labels = range(len(panel.judges)), range(len(panel.labels))
        asked: list[Asked] = []
        for c in claim.conditions:
            those = [i for i in judges if c.judge in (None, panel.judges[i])]
            on = [t for t in labels if c.label in (None, panel.labels[t])]
            asked += [
                (c, i, t)
                for i in (those if c.quantity != "prevalence" else [None])
                for t in (on if c.quantity != "grade" else [None])
            ]
        held = [(panel.positions[i], panel.labels.index(t)) for i, t in claim.held]
        asked += [(None, i, t) for i, t in held]
        return cls(panel, claim, tuple(asked), claim.order == 1)

    @property
    def digits(self) -> int:
        """Hexadecimal digits of an answer."""
        digits = 1
        while 16**digits <= len(self.panel.answers):
            digits *= 2
        return digits

    def good(self, n: int) -> Form:
        """Items that count as right."""
        _, i, t = self.asked[n]
        if i is None:
            return {(t, ()): 1}
        return {(s, ((i, s),)): 1 for s in (range(len(self.panel.labels)) if t is None else (t,))}

    def all(self, n: int) -> Form:
        """Items that it is a share of."""
        _, i, t = self.asked[n]
        if i is None:
            return {(None, ()): 1}
        silent = {} if self.claim.missing == "wrong" else {(t, ((i, va.UNANSWERED),)): -1}
        return {(t, ()): 1, **silent}

    def factors(self, n: int) -> tuple[int, int]:
        """a, b of the row a * right + b * all >= 0 of a condition."""
        condition = self.asked[n][0]
        assert condition is not None
        x, q = condition.value, self.panel.n_items
        if condition.sense == ">":
            return q * x.denominator, -(q * x.numerator + 1)
        sign = -1 if condition.sense == "<=" else 1
        return sign * x.denominator, -sign * x.numerator

    def row(self, n: int) -> Row:
        """The row of a condition."""
        if self.asked[n][0] is None:
            return self.all(n), 1
        a, b = self.factors(n)
        return plus({p: a * k for p, k in self.good(n).items()}, self.all(n), b), 0


@dataclass
class Proof:
    """Evidence for a set of judges of an exam, written for AlarmCheck.v.

    `judges`, `conditions`: which ones of the exam those of the program are.
    """

    exam: Exam
    program: other.Program
    judges: Sequence[int]
    conditions: Sequence[int]
    path: list[Row] = field(default_factory=list)
    cuts: list[tuple[Form, int, Tree, bool]] = field(default_factory=list)
    known: dict[tuple[Any, ...], Cited] = field(default_factory=dict)

    # Rows that certificates have and the checker has not: each is a split, one side of which is refuted.

    @property
    def level(self) -> int:
        """Where the next split stands."""
        return len(self.path)

    def cut(self, form: Form, at: int, proof: Tree, *, above: bool) -> Cited:
        """Row form >= at + 1 (above), or form <= at, as a split whose other side a tree refutes."""
        cited = ("path", self.level)
        self.cuts.append((form, at, proof, above))
        self.path.append((form, at + 1) if above else (plus({}, form, -1), -at))
        return cited

    def number(self, c: int, i: int | None, t: int | None) -> int:
        """Position of a condition of the program among those of the exam."""
        condition = self.exam.claim.conditions[self.conditions[c]]
        return self.exam.asked.index((condition, None if i is None else self.judges[i], t))

    def rounded_total(self, n: int) -> Cited:
        """How many items are right, rounded to a whole number, where all items are known in number."""
        if ("total", n) not in self.known:
            condition, i, _ = self.exam.asked[n]
            assert condition is not None
            size = self.exam.panel.n_items - (0 if i is None else self.slack(i))
            a, _ = self.exam.factors(n)
            above = condition.sense != "<="
            level = va.next_fraction(condition.value, self.exam.panel.n_items)
            x = (level if condition.sense == ">" else condition.value) * size
            at = ceil(x) - 1 if above else x.numerator // x.denominator
            rows = {("asked", n): Fraction(1), ("path", self.level): Fraction(abs(a))}
            good = self.exam.good(n)
            other_side = (plus({}, good, -1), -at) if above else (good, at + 1)
            proof = self.leaf(rows, [other_side])
            self.known["total", n] = self.cut(good, at, proof, above=above)
        return self.known["total", n]

    def slack(self, i: int) -> int:
        """How many items a judge of the exam is not held to."""
        return 0 if self.exam.claim.missing == "wrong" else self.exam.panel.left[i]

    def lower(self, n: int) -> tuple[Cited, Fraction]:
        """Row den * C - num * D >= 0 of an accuracy, with the level num/den that certificates use."""
        condition = self.exam.asked[n][0]
        assert condition is not None
        if condition.sense != ">":
            return ("asked", n), condition.value
        x = va.next_fraction(condition.value, self.exam.panel.n_items)
        if ("lower", n) not in self.known:
            form = self.gap(n, x)
            self.known["lower", n] = self.cut(form, 0, self.next_level(n, x), above=False)
        return self.known["lower", n], x

    def gap(self, n: int, x: Fraction) -> Form:
        """num * D - den * C."""
        form = {p: x.numerator * k for p, k in self.exam.all(n).items()}
        return plus(form, self.exam.good(n), -x.denominator)

    def next_level(self, n: int, x: Fraction) -> Tree:
        """Refute num * D - den * C >= 1 for the next level x above a strict one."""
        condition, q, top = self.exam.asked[n][0], self.exam.panel.n_items, ("path", self.level)
        assert condition is not None
        a, _ = self.exam.factors(n)
        row = {("asked", n): Fraction(x.denominator), top: Fraction(a)}
        first = (self.gap(n, x), 1)
        if condition.value.denominator <= q:
            return self.leaf(row, [first])
        below = condition.value.limit_denominator(
            q
        )  # a fraction of at most q items, not above the level
        if below > condition.value:
            below = -va.next_fraction(-condition.value, q)
        held, second = ("path", self.level + 1), ("path", self.level + 2)
        none = self.leaf(
            {top: Fraction(1), held: Fraction(x.numerator)},
            [first, (plus({}, self.exam.all(n), -1), 0)],
        )
        some = (self.exam.all(n), 1)
        small = plus({}, self.gap(n, below), -1)  # den * C - num * D for the level below
        b = below.denominator
        excess = Fraction(b * (q * condition.value.numerator + 1) - below.numerator * a)
        low = self.leaf(
            {("asked", n): Fraction(b), second: Fraction(a), held: excess},
            [first, some, (plus({}, small, -1), 0)],
        )
        high = self.leaf(
            {top: Fraction(b), second: Fraction(x.denominator)}, [first, some, (small, 1)]
        )
        return ("split", self.exam.all(n), 0, none, ("split", small, 0, low, high))

    def cap(self, n: int) -> Cited:
        """Row D <= floor(R / x)."""
        if ("cap", n) not in self.known:
            cited, x = self.lower(n)
            _, i, t = self.exam.asked[n]
            assert i is not None and t is not None
            most = self.program.most(self.judges.index(i), t, x)
            k = x.numerator if x <= 1 else x.numerator - x.denominator
            rows = {cited: Fraction(1), ("path", self.level): Fraction(k)}
            kappa = {(i, t): Fraction(x.denominator)} if x > 1 else {}
            form = self.exam.all(n)
            proof = self.leaf(rows, [(form, most + 1)], kappa)
            self.known["cap", n] = self.cut(form, most, proof, above=False)
        return self.known["cap", n]

    def floor(self, n: int, low: int, low_rows: Rows) -> Cited:
        """Row C >= ceil(x l), where q >= l follows from other rows."""
        cited, x = self.lower(n)
        at, form = ceil(x * low) - 1, self.exam.good(n)
        rows = {cited: Fraction(1), ("path", self.level): Fraction(x.denominator)}
        added(rows, low_rows, x.numerator)
        return self.cut(form, at, self.leaf(rows, [(plus({}, form, -1), -at)]), above=True)

    # Sums of rows

    def row(self, cited: Cited, more: Sequence[Row]) -> Row:
        """Row that is cited; `more` stand below the path."""
        kind, n = cited
        if kind == "asked":
            return self.exam.row(n)
        return self.path[n] if n < self.level else more[n - self.level]

    def leaf(
        self, rows: Rows, more: Sequence[Row] = (), kappa: Mapping[tuple[int, int], Fraction] = {}
    ) -> Tree:
        """Leaf of some rows, with what is known of each judge's answers alone, where that is all."""
        rows = {cited: y for cited, y in rows.items() if y}
        if self.exam.single:
            weights: defaultdict[tuple[int, int], defaultdict[int | None, Fraction]]
            weights = defaultdict(lambda: defaultdict(Fraction))
            for cited, y in rows.items():
                for (label, answers), k in self.row(cited, more)[0].items():
                    for pair in answers:
                        weights[pair][label] += k * y
            labels = range(len(self.exam.panel.labels))
            parts: defaultdict[int, list[tuple[int, Fraction]]] = defaultdict(list)
            asked = {i for i, _ in (*weights, *kappa)}
            codes = range(va.UNANSWERED, len(self.exam.panel.answers))
            for i, a in ((i, a) for i in sorted(asked) for a in codes):
                on = weights.get((i, a), {})
                most = max(
                    on.get(t, Fraction(0)) + on.get(None, Fraction(0)) - kappa.get((i, t), 0)
                    for t in labels
                )
                if most:
                    parts[i].append((a, most))
            rows |= {("seen", i, tuple(part)): Fraction(-1) for i, part in parts.items()}
        return ("leaf", rows)

    # Evidence

    def close(self, evidence: Mapping[str, Any], bounds: Bounds) -> Tree:
        """Leaf of a certificate, below the cuts that it needs."""
        depth, cuts, known = self.level, self.cuts, self.known
        self.cuts, self.known = [], dict(known)
        kinds = {"cap": self.by_caps, "weights": self.by_weights, "multipliers": self.by_rows}
        if evidence["kind"] not in kinds:
            raise NotExported(
                f"evidence of the kind {evidence['kind']!r} is not exported to Coq yet"
            )
        tree = self.leaf(*kinds[evidence["kind"]](evidence, bounds))
        tree = self.under(self.cuts, tree)
        del self.path[depth:]
        self.cuts, self.known = cuts, known
        return tree

    @staticmethod
    def under(cuts: Sequence[tuple[Form, int, Tree, bool]], tree: Tree) -> Tree:
        """Tree below some cuts."""
        for form, at, proof, above in reversed(cuts):
            tree = ("split", form, at, *((proof, tree) if above else (tree, proof)))
        return tree

    def highest(self, i: int, t: int) -> int | None:
        """Which condition asks judge i (of the program) for the highest accuracy on label t."""
        names = self.program.panel.judges[i], self.program.panel.labels[t]
        levels = [
            (self.program.level(c), -k)
            for k, c in enumerate(self.program.conditions)
            if c.quantity == "accuracy" and c.sense != "<=" and c.covers(*names)
        ]
        return self.number(-max(levels)[1], i, t) if levels else None

    def by_caps(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Any, ...]:
        """For each label a judge that can be held to few of its items."""
        rows: Rows = {}
        for t, name in enumerate(evidence["judges"]):
            i = None if name is None else self.program.panel.positions[name]
            if i is None or self.program.cap(i, t) >= bounds.high[t]:
                added(rows, bounds.high_rows[t])
            elif (n := self.highest(i, t)) is not None:
                added(rows, {self.cap(n): Fraction(1)})
        return (rows,)

    def by_weights(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Any, ...]:
        """Weighted accuracies."""
        rows: Rows = {}
        for name in ("weights", "correct"):
            for i, row in enumerate(evidence.get(name) or ()):
                for t, text in enumerate(row or ()):
                    n = self.highest(i, t) if Fraction(text) else None
                    if n is not None and name == "weights":
                        cited, x = self.lower(n)
                        added(rows, {cited: Fraction(text) / x.denominator})
                    elif n is not None:
                        added(
                            rows, {self.floor(n, bounds.low[t], bounds.low_rows[t]): Fraction(text)}
                        )
        for name, side in (("key_low", bounds.low_rows), ("key_high", bounds.high_rows)):
            for t, text in enumerate(evidence.get(name) or ()):
                added(rows, side[t], Fraction(text))
        return (rows,)

    def by_rows(self, evidence: Mapping[str, Any], bounds: Bounds) -> tuple[Any, ...]:
        """Named rows with multipliers; those that hold of any key need not be cited."""
        rows: Rows = {}
        kappa: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        key = [Fraction(0)] * self.program.n_labels
        leaf = va.Leaf(tuple(bounds.low), tuple(bounds.high), bounds.splits)
        for name, text in evidence["rows"]:
            y, (kind, *at) = Fraction(text), name
            if kind != "margin":
                row = self.program.row(name, leaf)
                for t in range(len(key)):
                    key[t] += y * Fraction(row.form.get(("q", t), 0), row.scale)
            if kind == "key":
                kappa[self.judges[at[0]], at[1]] -= y
            elif kind == "split":
                added(rows, {bounds.levels[at[0]]: y})
            elif kind not in EQUALITIES | {"margin"}:
                self.named(rows, kappa, (kind, at, y), bounds)
        for t, w in enumerate(key):
            added(rows, bounds.high_rows[t] if w > 0 else bounds.low_rows[t], abs(w))
        return rows, (), kappa

    def named(
        self, rows: Rows, kappa: Any, entry: tuple[str, Any, Fraction], bounds: Bounds
    ) -> None:
        """Add an inequality, and for judges that left items out what D weighs beside the answers."""
        kind, at, y = entry
        if kind == "held":
            judge, label = self.exam.claim.held[at[0]]
            pair = self.exam.panel.positions[judge], self.exam.panel.labels.index(label)
            n, k = self.exam.asked.index((None, *pair)), y
            added(rows, {("asked", n): y})
        else:
            n = self.number(*at)
            condition, i, t = self.exam.asked[n]
            assert condition is not None
            if condition.quantity != "accuracy":
                added(rows, {self.rounded_total(n): y})
                return
            if kind == "rounded":
                added(rows, {self.floor(n, bounds.low[t or 0], bounds.low_rows[t or 0]): y})
                return
            if kind == "cap":
                k = -y
                added(rows, {self.cap(n): y})
            else:
                cited, x = self.lower(n)
                k = (x if condition.sense == "<=" else -x) * y
                added(rows, {cited: y / x.denominator})
        _, i, t = self.exam.asked[n]
        if self.slack(i or 0):
            kappa[i, t] -= k

    def root(self) -> Bounds:
        """Bounds of the key counts that conditions on prevalences give, as cuts above everything."""
        q, labels = self.program.n_items, range(self.program.n_labels)
        bounds = Bounds(
            [0] * len(labels), [q] * len(labels), [{} for _ in labels], [{} for _ in labels]
        )
        for n, (c, _, t) in enumerate(self.exam.asked):
            if c is not None and c.quantity == "prevalence" and t is not None:
                cited = {self.rounded_total(n): Fraction(1)}
                form, at, _, above = self.cuts[-1]
                if above and at + 1 > bounds.low[t]:
                    bounds.low[t], bounds.low_rows[t] = at + 1, cited
                elif not above and at < bounds.high[t]:
                    bounds.high[t], bounds.high_rows[t] = at, cited
        return bounds.spread(q)

    def tree(self, node: Mapping[str, Any], bounds: Bounds) -> Tree:
        """Tree of a certificate."""
        if "split" not in node:
            return self.close(node, bounds)
        if self.level > MAX_DEPTH:
            raise NotExported(f"a tree deeper than {MAX_DEPTH} splits is not exported to Coq")
        form, at = self.form(node["split"]), node["at"]
        cited, sides = ("path", self.level), []
        for name, row in (("low", (plus({}, form, -1), -at)), ("high", (form, at + 1))):
            self.path.append(row)
            below = bounds.split(node["split"], at, cited, above=name == "high")
            sides.append(self.tree(node[name], below.spread(self.program.n_items)))
            self.path.pop()
        return ("split", form, at, *sides)

    def form(self, name: Sequence[Any]) -> Form:
        """Form that a certificate splits on."""
        kind, *at, t = name
        codes: Iterable[tuple[int, int]] = ()
        if kind == "correct":
            codes = [(at[0], t)]
        elif kind == "answer":
            codes = [(at[0], at[1])]
        elif kind == "cell":
            codes = enumerate(self.program.tuples[at[0]][0])
        elif kind == "pair":
            codes = [(at[0], at[2]), (at[1], at[3])]
        elif kind == "table":
            codes = zip(at[0], at[1], strict=True)
        return {(t, tuple((self.judges[i], a) for i, a in codes)): 1}

    def of(self, evidence: Mapping[str, Any]) -> Tree:
        """Evidence as a whole."""
        bounds = self.root()
        tree = self.tree(evidence["tree"] if evidence["kind"] == "branches" else evidence, bounds)
        return self.under(self.cuts, tree)


@dataclass
class Bounds:
    """low <= q <= high at a node, and the rows that say so."""

    low: list[int]
    high: list[int]
    low_rows: list[Rows]
    high_rows: list[Rows]
    splits: tuple[va.Split, ...] = ()
    levels: tuple[Cited, ...] = ()

    def split(self, name: Sequence[Any], at: int, cited: Cited, *, above: bool) -> Bounds:
        """Bounds on one side of a split."""
        side = Bounds(
            *map(list, (self.low, self.high, self.low_rows, self.high_rows)),  # type: ignore[arg-type]
            (*self.splits, (name, at, above)),
            (*self.levels, cited),
        )
        if name[0] == "key":
            t = name[1]
            if above and at + 1 > self.low[t]:
                side.low[t], side.low_rows[t] = at + 1, {cited: Fraction(1)}
            elif not above and at < self.high[t]:
                side.high[t], side.high_rows[t] = at, {cited: Fraction(1)}
        return side

    def spread(self, n_items: int) -> Bounds:
        """What follows for each key count from the others, which add up to all items."""
        labels = range(len(self.low))
        spare, lacking = sum(self.high) - n_items, n_items - sum(self.low)
        result = replace(
            self,
            low=[max(a, b - spare) for a, b in zip(self.low, self.high, strict=True)],
            high=[min(b, a + lacking) for a, b in zip(self.low, self.high, strict=True)],
            low_rows=list(self.low_rows),
            high_rows=list(self.high_rows),
        )
        for t in labels:
            others = [s for s in labels if s != t]
            for ends, rows, source in (
                ((self.low, result.low), result.low_rows, self.high_rows),
                ((self.high, result.high), result.high_rows, self.low_rows),
            ):
                if ends[0][t] != ends[1][t]:
                    rows[t] = {}
                    for s in others:
                        added(rows[t], source[s])
        return result


# Text ---------------------------------------------------------------------------------------------


def answer_text(a: int) -> str:
    """An answer, or none."""
    return "None" if a < 0 else f"Some {a}"


def pairs_text(pairs: Iterable[tuple[int, int]]) -> str:
    """Answers of some judges."""
    return "[" + "; ".join(f"({i}, {answer_text(a)})" for i, a in pairs) + "]"


def form_text(form: Form) -> str:
    """Form of AlarmCheck.v."""
    cells = (
        f"(({'None' if t is None else f'Some {t}'}, {pairs_text(pairs)})%nat, {k})"
        for (t, pairs), k in form.items()
    )
    return "[" + "; ".join(cells) + "]"


def tree_text(tree: Tree, depth: int = 0) -> str:
    """Tree of AlarmCheck.v."""
    if tree[0] == "split":
        _, form, at, low, high = tree
        sides = f"({tree_text(low, depth + 1)})\n  ({tree_text(high, depth + 1)})"
        return f"Split {form_text(form)} {f'({at})' if at < 0 else at} {sides}"
    rows = {cited: y for cited, y in tree[1].items() if y}
    parts = (k for cited in rows if cited[0] == "seen" for _, k in cited[2])
    scale = lcm(*(y.denominator for y in (*rows.values(), *parts)))
    return "Leaf [" + "; ".join(row_text(c, y * scale, scale, depth) for c, y in rows.items()) + "]"


def row_text(cited: Cited, y: Fraction, scale: int, depth: int) -> str:
    """Row with its whole multiplier; what judges answered bears it in its own numbers."""
    if cited[0] == "asked":
        return f"(Asked {cited[1]}, {y})"
    if cited[0] == "path":
        return f"(Path {depth - 1 - cited[1]}, {y})"
    _, i, part = cited
    cells = "; ".join(f"([({i}, {answer_text(a)})]%nat, {-k * scale})" for a, k in part)
    return f"(Seen {i} [{cells}], 1)"


def safe(name: str) -> str:
    r"""Name for a comment: letters, digits, blanks, _ and -; anything else as \u{code}."""
    plain = (
        c if (c.isascii() and c.isalnum()) or c in " _-." else f"\\u{{{ord(c):x}}}" for c in name
    )
    return "".join(plain)


def code_text(codes: Iterable[int], digits: int) -> str:
    """Answers as one hexadecimal number."""
    return "0x" + "".join(f"{a + 1:0{digits}x}" for a in codes)


def exam_text(exam: Exam) -> str:
    """The data."""
    panel = exam.panel

    def table(judges: Sequence[int], rows: Iterable[tuple[Sequence[int], int]]) -> str:
        cells = (f"({code_text(codes, exam.digits)}, {count})" for codes, count in rows if count)
        joined = ";\n    ".join(cells)
        return f"([{'; '.join(map(str, judges))}]%nat,\n   [{joined}]%N)"

    codes = range(va.UNANSWERED, len(panel.answers))
    if exam.single:
        program = va.Program(panel, exam.claim)
        tables = [
            table([i], [((a,), program.answer_count(i, a)) for a in codes])
            for i in range(len(panel.judges))
        ]
    else:
        tables = [table(range(len(panel.judges)), panel.tuples or ())]
    wrong = "true" if exam.claim.missing == "wrong" else "false"
    return f"Exam {len(panel.labels)} {wrong} {4 * exam.digits} [\n  " + ";\n  ".join(tables) + "]"


def standard_text(exam: Exam) -> str:
    """The standard, as it was typed."""
    lines = []
    for c, i, t in exam.asked:
        share = (
            f"Prevalence {t}" if i is None else f"Grade {i}" if t is None else f"Accuracy {i} {t}"
        )
        what = (
            "Of_some 0 1"
            if c is None
            else f"{SENSES[c.sense]} {c.value.numerator} {c.value.denominator}"
        )
        lines.append(f"Condition ({share}) {what}")
    return "[\n  " + ";\n  ".join(lines) + "]"


HEADER = """From Coq Require Import ZArith List.
From Algeval Require Import AlarmCheck.
Import ListNotations.
Open Scope Z_scope.
"""


def legend(exam: Exam) -> str:
    """What the numbers stand for, in a comment that no name can leave."""
    lines = [f"Data {exam.claim.data}; order {exam.claim.order}; {exam.panel.n_items} items."]
    for kind, names in (("judge", exam.panel.judges), ("answer", exam.panel.answers)):
        lines += [f"{kind} {n}: {safe(name)}" for n, name in enumerate(names)]
    lines.append(f"The first {len(exam.panel.labels)} answers are the labels.")
    return "(* " + "\n   ".join(lines) + " *)\n"


def refutation(exam: Exam, evidence: Mapping[str, Any], names: Sequence[str]) -> Tree:
    """Evidence that some judges cannot meet their conditions together."""
    panel, claim = other.restrict(exam.panel, names), exam.claim
    if evidence["kind"] == "together":
        claim, evidence = replace(claim, order="full"), evidence["evidence"]
    conditions = [k for k, c in enumerate(claim.conditions) if c.judge is None or c.judge in names]
    judges = [exam.panel.positions[name] for name in names]
    return Proof(exam, other.Program(panel, claim), judges, conditions).of(evidence)


def among(exam: Exam, names: Sequence[str]) -> Exam:
    """Exam with the conditions of some judges, and those on prevalences."""
    judges = {exam.panel.positions[name] for name in names}
    return replace(exam, asked=tuple(a for a in exam.asked if a[1] is None or a[1] in judges))


def blame_text(evidence: Mapping[str, Any], need: int) -> str:
    """Blame tree, as deep as it is needed, with its shared nodes written out."""
    conflicts, shared = [c["judges"] for c in evidence["conflicts"]], evidence.get("nodes") or ()
    count = 0

    def text(node: Any, need: int) -> str:
        nonlocal count
        count += 1
        if count > MAX_BLAMED:
            raise NotExported(
                f"a blame tree of more than {MAX_BLAMED} nodes is not exported to Coq"
            )
        node = shared[node] if type(node) is int else node
        if need == 0 or node is None:
            return "Enough"
        each = (text(node["children"][name], need - 1) for name in conflicts[node["conflict"]])
        return f"(Blame {node['conflict']} [{'; '.join(each)}])"

    return text(evidence["tree"], need)


def panel_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that too few judges can meet their conditions."""
    if "conflicts" not in evidence:
        kind = "chains" if "chains" in evidence else evidence["kind"]
        raise NotExported(
            f"a claim about some judges proved by {kind!r} is not exported to Coq yet"
        )
    n, k = len(exam.panel.judges), exam.claim.needed
    conflicts = ";\n  ".join(
        f"([{'; '.join(str(exam.panel.positions[i]) for i in c['judges'])}]%nat,\n  "
        f"{tree_text(refutation(among(exam, c['judges']), c['evidence'], c['judges']))})"
        for c in evidence["conflicts"]
    )
    return f"""Definition {name}_conflicts : list (list nat * tree) := [\n  {conflicts}].
Definition {name}_blame : blame := {blame_text(evidence, n - k + 1)}.

Theorem {name} : forall K, agrees {name}_exam K ->
  ~ exists P, NoDup P /\\ incl P (judges {name}_exam) /\\ length P = {k}%nat /\\
    (forall c, In c {name}_standard -> asked_of P c -> meets {name}_exam K c).
Proof. apply (panel_sound _ _ _ {name}_conflicts {name}_blame). vm_compute. reflexivity. Qed.
"""


def alarm_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that not all judges can meet their conditions; one set of judges that cannot is enough."""
    judges: Sequence[str] = exam.panel.judges
    if evidence.get("conflicts"):
        first = evidence["conflicts"][0]
        judges, evidence = first["judges"], first["evidence"]
    return f"""Definition {name}_evidence : tree := {tree_text(refutation(exam, evidence, judges))}.

Theorem {name} : forall K, agrees {name}_exam K ->
  ~ (forall c, In c {name}_standard -> meets {name}_exam K c).
Proof. apply (check_sound _ _ {name}_evidence). vm_compute. reflexivity. Qed.
"""


def items_of(exam: Exam, evidence: Mapping[str, Any]) -> Counter[tuple[tuple[int, ...], int]]:
    """Items of a witness: how many have which answers and which true label."""
    panel, order, n = exam.panel, exam.claim.order, len(exam.panel.judges)
    if order == "full":
        rows = zip((codes for codes, _ in panel.tuples or ()), evidence["cells"], strict=True)
        return Counter({(u, t): k for u, row in rows for t, k in enumerate(row) if k})
    if order == 1:
        return side_by_side(evidence["tables"], evidence["key_counts"])
    if order != n:
        raise NotExported(
            f"a witness of order {order} of {n} judges is tables, which need not be those of items"
        )
    if order == 2:
        ((*_, table),) = evidence["pairs"]
        codes = (*range(len(panel.answers)), va.UNANSWERED)
        cells = {
            ((codes[a], codes[b]), t): k
            for a, of_a in enumerate(table)
            for b, of_b in enumerate(of_a)
            for t, k in enumerate(of_b)
        }
        return Counter({cell: k for cell, k in cells.items() if k})
    ((_, rows),) = evidence["sets"]
    return Counter({(tuple(u), t): k for u, row in rows for t, k in enumerate(row) if k})


def side_by_side(
    tables: Sequence[Sequence[Sequence[int]]], key: Sequence[int]
) -> Counter[tuple[tuple[int, ...], int]]:
    """Items on which each judge has its own table: whatever answers stand side by side."""
    items: Counter[tuple[tuple[int, ...], int]] = Counter()
    for t, size in enumerate(key):
        columns = []
        for table in tables:
            column = [a for a, row in enumerate(table) for _ in range(row[t])]
            columns.append([*column, *[va.UNANSWERED] * (size - len(column))])
        items.update((codes, t) for codes in zip(*columns, strict=True))
    return items


def witness_text(exam: Exam, evidence: Mapping[str, Any], name: str) -> str:
    """Theorem that some answer key lets the conditions be met."""
    n, items = len(exam.panel.judges), items_of(exam, evidence)
    if len(items) > MAX_ITEMS:
        raise NotExported(
            f"a witness of more than {MAX_ITEMS} kinds of items is not exported to Coq"
        )
    cells = ";\n  ".join(
        f"({code_text(u, exam.digits)}, {t}, {k})" for (u, t), k in sorted(items.items())
    )
    start = f"Definition {name}_witness : witness := [\n  {cells}]%N.\n\nTheorem {name} : exists K,"
    if exam.claim.needed == n:
        return f"""{start} agrees {name}_exam K /\\
  forall c, In c {name}_standard -> meets {name}_exam K c.
Proof. apply (witness_of_all _ _ {name}_witness). vm_compute. reflexivity. Qed.
"""
    if exam.claim.held:
        raise NotExported(
            "a witness for some judges, of whom others are held to labels, is not exported"
        )
    judges = [exam.panel.positions[name] for name in evidence["judges"]]
    chosen = f"[{'; '.join(map(str, judges))}]%nat"
    return f"""{start} agrees {name}_exam K /\\
  (NoDup {chosen} /\\ incl {chosen} (judges {name}_exam)) /\\
  forall c, In c {name}_standard -> asked_of {chosen} c -> meets {name}_exam K c.
Proof. apply (witness_sound _ _ _ {name}_witness). vm_compute. reflexivity. Qed.
"""


def text_of(panel: va.Panel, claim: va.Claim, evidence: Mapping[str, Any], name: str) -> str:
    """Data, standard, evidence, the theorem, and that it speaks of something."""
    exam = Exam.of(panel, claim)
    write = alarm_text if claim.needed == len(panel.judges) else panel_text
    if claim.verdict == "possible":
        write = witness_text
    return f"""{legend(exam)}Definition {name}_exam : exam := {exam_text(exam)}.
Definition {name}_standard : list condition := {standard_text(exam)}.
{write(exam, evidence, name)}
(* The data are those of some answer key. *)
Theorem {name}_key : exists K, agrees {name}_exam K.
Proof. apply some_key. vm_compute. reflexivity. Qed.
"""


def checked(certificate: Mapping[str, Any], data: object, name: str) -> str:
    """Theorem of a certificate that proves its claim of the data."""
    verdict = other.verify(certificate, data)
    if not verdict:
        raise DataError(f"the certificate must prove its claim of these data; {verdict.sentence}")
    token = va.BUDGET.set(va.Budget())
    try:
        if "claim" not in certificate or "keys" in certificate["claim"]:
            raise NotExported("only alarms, panels and witnesses are exported to Coq yet")
        panel = other.read_data(other.load(data, "data"))
        claim = other.read_claim(certificate["claim"], panel)
        return text_of(panel, claim, certificate["evidence"], name)
    except RecursionError:
        raise NotExported("evidence nested so deeply is not exported to Coq") from None
    finally:
        va.BUDGET.reset(token)


def coq(document: Mapping[str, Any], data: object, *, name: str = "alarm") -> str:
    """Alarm as a theorem of Coq: no answer key lets the standard be met.

    Parameters
    ----------
    document : mapping
        A certificate (`algeval.certificate/1`), or a result that holds one (`algeval.alarm/1`).
    data : mapping, path, Sketch or Summary
        The data that the certificate speaks of.
    name : str
        What the theorem is called.

    Raises
    ------
    DataError
        If the certificate does not prove its claim of these data.
    NotExported
        If certificates of this kind are not written in Coq yet.
    """
    if re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) is None or name in KEYWORDS:
        raise DataError(
            f"name must be lower-case letters, digits and _, and no word of Coq; got {name!r}; choose another"
        )
    certificate = document.get("certificate", document)
    if certificate is None:
        raise NotExported("what was left open has no certificate, so there is nothing to export")
    return HEADER + "\n" + checked(certificate, data, name)


def coq_of(certificates: Mapping[str, Mapping[str, Any] | None], data: object) -> str:
    """Several certificates about the same data as theorems of one file, under their names or numbers.

    Those that are not written in Coq yet stand in a comment, with the reason.

    Raises
    ------
    NotExported
        If none can be written.
    """
    texts, reasons, shared = [], [], {}
    for n, (title, certificate) in enumerate(certificates.items(), start=1):
        if certificate is None:
            continue
        plain = re.fullmatch(r"[a-z]+", title) and title not in KEYWORDS
        name = title if plain else f"theorem_{n}"
        try:
            text = checked(certificate, data, name)
        except NotExported as error:
            reasons.append(f"{safe(title)}: {error}")
            continue
        start = text.index(f"{name}_exam : exam := ") + len(f"{name}_exam : exam := ")
        end = text.index(f".\nDefinition {name}_standard", start)
        exam = shared.setdefault(text[start:end], f"{name}_exam")
        if exam != f"{name}_exam":
            text = text[:start] + exam + text[end:]
        texts.append(f"(* {safe(title)} *)\n{text}")
    if not texts:
        raise NotExported("; ".join(reasons) or "nothing was proved, so there is nothing to export")
    comments = "".join(f"(* Not exported: {safe(reason)} *)\n" for reason in reasons)
    return HEADER + "\n" + "\n".join(texts) + comments
