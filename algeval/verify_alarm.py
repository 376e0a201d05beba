"""Check an alarm: that no answer key lets all judges be as good as a certificate says they cannot be.

    python3 verify_alarm.py certificate.json data.json

This file is all that has to be read to trust an alarm of order 1 or of full order. It imports the
standard library only and takes nothing from the certificate but the claim and which rows to add up:
every number is rebuilt from the counts. `verify.py` beside it checks all other kinds and builds on it.

1. *Values*: whole numbers are whole numbers, names are names; work is counted against a budget.
2. *Data*: how often the judges gave which answers, in canonical order, and the digest of that.
3. *Claim*: what is said to be impossible: a list of conditions on accuracies, grades, prevalences.
4. *Program*: every unknown, bound and row of the claim, from the data and the claim alone.
5. *Evidence*: one checker per kind (cap, weights, multipliers, branches). Each is a sum that comes out.
6. *Program*: two files in, one sentence out. Exit code 0: verified; 1: rejected; 2: nothing to check here.

Why each rule is sound is written down in `docs/reference/certificates.md`; how to read this file, in
`docs/reference/verify-alarm.md`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, ClassVar, NoReturn

MAX_BYTES = 1 << 28  # of a file
MAX_STEPS = 5_000_000_000  # sums of one number, in all
MAX_NODES = 2_000_000  # of a tree
MAX_NAMES = 50_000_000  # judges times answers, and unknowns of a sum
MAX_BITS = 4096  # of a whole number, so that every sentence can be printed
MAX_DIGITS = 1000  # of a numerator or denominator
MAX_COMMON_DIGITS = 10_000  # of the common denominator of fractions that are added up
UNANSWERED = -1  # the code of an item a judge did not answer


class Unreadable(Exception):  # noqa: N818
    """An input is not what it should be, so there is nothing to check."""


class Rejected(Exception):  # noqa: N818
    """The certificate does not prove its claim."""


def reject(sentence: str) -> NoReturn:
    """Stop: the certificate proves nothing, and why."""
    raise Rejected(sentence)


# 1. Values ----------------------------------------------------------------------------------------

Names = tuple[str, ...]


@dataclass
class Budget:
    """What one check may take, and took: sums, and seconds only where somebody set a limit."""

    seconds: float | None = None
    steps: int = 0
    started: float = field(default_factory=time.monotonic)


BUDGET: ContextVar[Budget] = ContextVar("what the check at hand may take")


def spend(steps: int) -> None:
    """Count sums of the check at hand, and stop it at its limits."""
    budget = BUDGET.get(None) or Budget()
    budget.steps += steps
    late = budget.seconds is not None and time.monotonic() - budget.started > budget.seconds
    if late or budget.steps > MAX_STEPS:
        most = f"{budget.seconds} seconds" if late else f"{MAX_STEPS} steps"
        reject(f"not checked to the end within {most}, which does not mean that it is wrong")


def shown(value: object) -> str:
    """Value as text fit for one line, whatever it is."""
    try:
        text = value if isinstance(value, str) else str(value)
    except (ValueError, RecursionError):  # Python refuses to print integers beyond 4300 digits
        return "a very long number"
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 200 else f"{text[:120]}... ({len(text)} characters)"


def quoted(name: object) -> str:
    """Name in quotes, fit for one line: what it says can be taken for nothing else."""
    text = name if isinstance(name, str) else shown(name)
    return repr(text[:120]) + f"... ({len(text)} characters)" * (len(text) > 200)


def distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object, refusing a key that stands twice (which one would count?)."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("an object gives the same key twice")
    return result


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{name} is not a number")


def fields(value: object, names: Sequence[str], what: str, more: Sequence[str] = ()) -> list[Any]:
    """Named fields of an object that has these and no others (`more` are optional: None)."""
    if not isinstance(value, Mapping):
        reject(f"{what} must be an object; got {type(value).__name__}")
    lacking = [name for name in names if name not in value]
    strange = [name for name in value if name not in (*names, *more)]
    if lacking:
        reject(f"{what} must have the field {lacking[0]!r}; it does not")
    if strange:
        reject(f"{what} has the field {quoted(strange[0])}, which this verifier does not know")
    return [value.get(name) for name in (*names, *more)]


def array(value: object, what: str, size: int | None = None) -> Sequence[Any]:
    """List, of a certain size."""
    if not isinstance(value, list | tuple):
        reject(f"{what} must be a list; got {type(value).__name__}")
    if size is not None and len(value) != size:
        reject(f"{what} must have {size} entries; got {len(value)}")
    return value


def whole(value: object, what: str, low: int | None = None, high: int | None = None) -> int:
    """Whole number between low and high (true, 1.0 and "1" are not whole numbers)."""
    if type(value) is not int:
        reject(f"{what} must be a whole number; got {shown(value)}")
    if value.bit_length() > MAX_BITS:
        reject(f"{what} must have at most {MAX_BITS} bits; got {value.bit_length()}")
    if (low is not None and value < low) or (high is not None and value > high):
        ends = f">= {low}" if high is None else f"in {low}..{high}"
        reject(f"{what} must be {ends}; got {shown(value)}")
    return value


def fraction(value: object, what: str) -> Fraction:
    """Fraction written "p/q" or "p" (a JSON whole number will do)."""
    if type(value) is int:
        return Fraction(whole(value, what))
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", value):
        reject(f'{what} must be a fraction "p/q"; got {shown(value)}')
    longest = max(map(len, value.lstrip("-").split("/")))
    if longest > MAX_DIGITS:
        reject(f"{what} must have at most {MAX_DIGITS} digits above and below; got {longest}")
    top, _, bottom = value.partition("/")
    if bottom and int(bottom) == 0:
        reject(f"{what} must not divide by zero; got {shown(value)}")
    return Fraction(int(top), int(bottom or 1))


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """Least common denominator, refusing one too long to calculate with."""
    scale, what = 1, "the common denominator of fractions that are added up"
    for number in numbers:
        if scale % number.denominator:
            scale = math.lcm(scale, number.denominator)
            if scale.bit_length() * 0.30103 > MAX_COMMON_DIGITS:
                reject(f"{what} must have at most {MAX_COMMON_DIGITS} digits; it has more")
    return scale


def times(number: Fraction, scale: int) -> int:
    """Number * scale, a whole number because scale is a multiple of the denominator."""
    return number.numerator * (scale // number.denominator)


def name_list(value: object, what: str, allowed: Container[str] | None = None) -> Names:
    """Distinct, non-empty names, all of them among `allowed` if there are such."""
    names = tuple(array(value, what))
    for name in names:
        if not isinstance(name, str) or not name:
            reject(f"{what} must be non-empty text; got {shown(name)}")
        if allowed is not None and name not in allowed:
            reject(f"{what} must be names in the data; got {quoted(name)}")
    if len(set(names)) < len(names):
        reject(f"{what} must be distinct; a name is repeated")
    return names


def whole_table(value: object, shape: tuple[int, ...], what: str) -> Any:
    """Nested lists of whole numbers >= 0 of a certain shape."""
    if not shape:
        return whole(value, f"every number of {what}", 0)
    return [whole_table(entry, shape[1:], what) for entry in array(value, what, shape[0])]


# 2. Data ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel:
    """The observed counts.

    `answer_counts[i][a]` is how often judge i gave answer a; `tuples` holds the decision tuples and their
    counts in lexicographic order, or None when only a summary is known.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    n_items: int
    answer_counts: tuple[tuple[int, ...], ...]
    tuples: tuple[tuple[tuple[int, ...], int], ...] | None

    @cached_property
    def left(self) -> tuple[int, ...]:
        """How many items each judge left unanswered."""
        return tuple(self.n_items - sum(row) for row in self.answer_counts)

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digests of the sketch (where there is one) and of the summary, as the package writes them."""
        names = {"judges": self.judges, "labels": self.labels, "answers": self.answers}
        bodies: dict[str, Any] = {}
        if self.tuples is not None:
            codes, counts = zip(*self.tuples, strict=True)
            bodies["sketch"] = {"codes": codes, "counts": counts}
        bodies["summary"] = {"counts": self.answer_counts, "n_items": self.n_items}
        return {k: digest_of({"schema": f"algeval.{k}/1"} | names | b) for k, b in bodies.items()}

    @cached_property
    def positions(self) -> dict[str, int]:
        """Position of each judge."""
        return {name: i for i, name in enumerate(self.judges)}


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON object in canonical form, leaving out its own digest."""
    body = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def panel_of(judges: Names, labels: Names, answers: Names, rows: Iterable[Any]) -> Panel:
    """Group decision tuples and count the answers of each judge."""
    counts: Counter[tuple[int, ...]] = Counter()
    for codes, count in rows:
        counts[codes] += count
    tuples = tuple(sorted((codes, count) for codes, count in counts.items() if count))
    said = [[0 for _ in (*answers, UNANSWERED)] for _ in judges]  # code -1 is the last place
    for codes, count in tuples:
        for by_answer, code in zip(said, codes, strict=True):
            by_answer[code] += count
    by_judge = tuple(tuple(by_answer[:-1]) for by_answer in said)
    return Panel(judges, labels, answers, sum(n for _, n in tuples), by_judge, tuples)


def read_names(document: Mapping[str, Any]) -> tuple[Names, ...]:
    """Judges, the labels, and the answers, which start with the labels."""
    kinds = "judges", "labels", "answers"
    judges, labels, answers = (name_list(document.get(kind), kind) for kind in kinds)
    if not judges or not labels or answers[: len(labels)] != labels:
        reject("there must be judges and labels, and the answers must start with the labels")
    if len(judges) * len(answers) > MAX_NAMES:
        reject(f"judges times answers must be at most {MAX_NAMES}; there are more")
    return judges, labels, answers


def read_sketch(document: Mapping[str, Any]) -> Panel:
    """Read counts of decision tuples."""
    judges, labels, answers = read_names(document)
    counts = array(document.get("counts"), "counts")
    rows = []
    for row, count in zip(array(document.get("codes"), "codes", len(counts)), counts, strict=True):
        codes = read_codes(row, len(judges), len(answers))
        rows.append((codes, whole(count, "a count", 0)))
    return panel_of(judges, labels, answers, rows)


def read_codes(row: object, n_judges: int, n_answers: int) -> tuple[int, ...]:
    """Read a decision tuple: each code is -1 or the place of an answer."""
    codes = tuple(array(row, "a decision tuple", n_judges))
    fine = {int}.issuperset(map(type, codes)) and min(codes) >= UNANSWERED
    if not (fine and max(codes) < n_answers):
        for code in codes:  # one by one, to say which is wrong
            whole(code, "a code", UNANSWERED, n_answers - 1)
    return codes


def read_summary(document: Mapping[str, Any]) -> Panel:
    """Read how often each judge gave each answer."""
    judges, labels, answers = read_names(document)
    n_items = whole(document.get("n_items"), "n_items", 0)
    counts = whole_table(document.get("counts"), (len(judges), len(answers)), "counts")
    if any(sum(row) > n_items for row in counts):
        reject("no judge may have more answers than there are items")
    return Panel(judges, labels, answers, n_items, tuple(map(tuple, counts)), None)


# 3. Claim -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """One condition; judge or label None means each of them (a grade has no label, and so on)."""

    quantity: str
    sense: str
    value: Fraction
    judge: str | None
    label: str | None

    def covers(self, judge: str | None, label: str | None) -> bool:
        """Whether it speaks of a judge and a label."""
        return self.judge in (None, judge) and self.label in (None, label)

    def __str__(self) -> str:
        judge = "every judge" if self.judge is None else f"judge {quoted(self.judge)}"
        label = "every label" if self.label is None else f"label {quoted(self.label)}"
        of = {"accuracy": f"{judge} on {label}", "grade": judge, "prevalence": label}[self.quantity]
        return f"{self.quantity} of {of} {self.sense} {self.value}"


@dataclass(frozen=True)
class Claim:
    """What the certificate says; `needed` judges must meet the conditions together.

    `held` lists judges (by name) and labels: each is held to at least one item of the label. It is
    no part of an alarm, see verify.py.
    """

    verdict: str
    data: str
    order: int | str
    missing: str
    conditions: tuple[Condition, ...]
    needed: int
    held: tuple[tuple[str, str], ...] = ()

    def words(self) -> str:
        """The claim, condition by condition."""
        held = (f"judge {quoted(i)} held to an item of {quoted(t)}" for i, t in self.held)
        return "; ".join([*map(str, self.conditions), *held])


def read_claim(document: object, panel: Panel) -> Claim:
    """Read a claim and check that it is well formed and speaks of this data."""
    names = ("verdict", "data", "order", "missing", "specification")
    verdict, data, order, missing, spec = fields(document, names, "the claim")
    if verdict not in ("possible", "impossible"):
        reject(f"the verdict must be 'possible' or 'impossible'; got {shown(verdict)}")
    if missing not in ("excluded", "wrong"):
        reject(f"the missing rule must be 'excluded' or 'wrong'; got {shown(missing)}")
    check_order(order, panel)
    check_digest(data, order, panel)
    parts = ("schema", "conditions", "min_judges")
    schema, listed, needed = fields(spec, parts, "the specification")
    if schema != "algeval.specification/1":
        reject(f"the specification must be an algeval.specification/1; got {shown(schema)}")
    conditions = tuple(read_condition(c, panel) for c in array(listed, "conditions"))
    if not conditions:
        reject("the specification must have at least one condition; it has none")
    n = len(panel.judges)
    needed = n if needed is None else whole(needed, "min_judges", 1, n)
    return Claim(verdict, data, order, missing, conditions, needed)


def check_order(order: object, panel: Panel) -> None:
    """Accept the orders this verifier has a program for, and for which the data suffice."""
    most = max(2, len(panel.judges))
    if order != "full" and (type(order) is not int or not 1 <= order <= most):
        reject(f"the order must be 1..{most} (the number of judges) or 'full'; got {shown(order)}")
    if order != 1 and panel.tuples is None:
        reject(f"a claim of order {order} needs a sketch; the data is a summary")


def check_digest(stated: object, order: int | str, panel: Panel) -> None:
    """Check that the claim speaks of this sketch, or at order 1 of this summary."""
    allowed = [value for kind, value in panel.digests.items() if kind == "sketch" or order == 1]
    if stated not in allowed:
        reject(f"the claim speaks of other data: it names {shown(stated)}, this is {allowed[0]}")


def read_condition(document: object, panel: Panel) -> Condition:
    """Read one condition."""
    names = ("quantity", "judge", "label", "sense", "value")
    quantity, judge, label, sense, value = fields(document, names, "a condition")
    if quantity not in ("accuracy", "grade", "prevalence") or sense not in (">=", ">", "<="):
        reject(f"there is no condition {shown(quantity)} {shown(sense)}")
    level = fraction(value, "a level")
    if not 0 <= level <= 1:
        reject(f"a level must lie in 0..1; got {shown(value)}")
    spend(1 + len(panel.judges) + len(panel.labels))
    if judge is not None and (judge not in panel.judges or quantity == "prevalence"):
        reject(f"a condition on {quantity} cannot name the judge {quoted(judge)}")
    if label is not None and (label not in panel.labels or quantity == "grade"):
        reject(f"a condition on {quantity} cannot name the label {quoted(label)}")
    return Condition(quantity, sense, level, judge, label)


def next_fraction(x: Fraction, n_items: int) -> Fraction:
    """Next fraction above x with a denominator of at most n_items (1 + 1/Q above 1).

    An accuracy C/D has D <= Q, so it is above x exactly when it is at least this.
    """
    below = x.limit_denominator(n_items)  # one of the two neighbours of x, or x itself
    if below > x:
        return below
    a, b = below.numerator, below.denominator
    q = n_items - (n_items + pow(a, -1, b)) % b  # the largest q <= Q with a*q = -1 modulo b
    return Fraction((a * q + 1) // b, q)


# 4. Program ---------------------------------------------------------------------------------------

Unknown = tuple[Any, ...]  # ("q", t) ("m", i, a, t) ("n", u, t); verify.py has more
Form = dict[Unknown, int]
Split = tuple[Any, int, bool]  # name of a form, k, and whether it is >= k + 1 or <= k
Least = int | str | None  # the least order that has a row; None: every order has it


@dataclass(frozen=True)
class Row:
    """`form >= bound` (or `= bound`): `scale` times the row of the documentation, in integers."""

    form: Form
    bound: int
    scale: int = 1
    equality: bool = False


@dataclass(frozen=True)
class Leaf:
    """What is known at a node of a branch tree: low <= q <= high, and the splits above it."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    splits: Sequence[Split] = ()


class Program:
    """The whole-number program of a claim, or of one conflict: every row that may be cited."""

    def __init__(self, panel: Panel, claim: Claim) -> None:
        self.panel, self.claim = panel, claim
        self.order = claim.order
        self.missing = claim.missing
        spend(1 + len(claim.conditions))
        self.conditions = [
            c for c in claim.conditions if c.judge is None or c.judge in panel.positions
        ]
        self.n_items = panel.n_items
        self.n_judges, self.n_labels = len(panel.judges), len(panel.labels)
        self.n_answers = len(panel.answers)
        self.tuples = panel.tuples or ()
        self.sizes = dict.fromkeys("ij", self.n_judges) | dict.fromkeys("ab", self.n_answers)
        self.sizes |= {"t": self.n_labels, "?": max(self.n_judges, self.n_labels)}
        self.sizes |= {"u": len(self.tuples), "c": len(self.conditions)}
        self.no_weights = [Fraction(0)] * self.n_labels

    def level(self, condition: Condition) -> Fraction:
        """X, or for a strict condition the next fraction above it."""
        strict = condition.sense == ">"
        return next_fraction(condition.value, self.n_items) if strict else condition.value

    def accuracy_level(self, i: int, t: int) -> Fraction | None:
        """Highest accuracy asked of judge i on label t, or None."""
        spend(len(self.conditions))
        pair = self.panel.judges[i], self.panel.labels[t]
        levels = (c for c in self.conditions if c.quantity == "accuracy" and c.sense != "<=")
        return max((self.level(c) for c in levels if c.covers(*pair)), default=None)

    def total_held(self, i: int) -> int:
        """How many items judge i is held to, over all labels."""
        return self.n_items - self.slack(i)

    def slack(self, i: int) -> int:
        """How many items judge i is not held to: those left out, under 'excluded'."""
        return self.panel.left[i] if self.missing == "excluded" else 0

    def cap(self, i: int, t: int) -> int:
        """Most items of label t that judge i can be held to and meet its condition.

        C >= x D and C <= R[i,t] give D <= R[i,t] / x; C <= D as well, so above 1 there is no item.
        """
        x = self.accuracy_level(i, t)
        return min(self.total_held(i), self.most(i, t, x)) if x else self.total_held(i)

    def most(self, i: int, t: int, x: Fraction) -> int:
        """R[i,t] / x, rounded down; 0 above 1."""
        counts = self.panel.answer_counts[i]
        return 0 if x > 1 else counts[t] * x.denominator // x.numerator

    def root(self) -> Leaf:
        """Bounds of the key counts that hold everywhere: those of prevalences."""
        low, high = [0] * self.n_labels, [self.n_items] * self.n_labels
        for c in self.conditions:
            spend(1 + self.n_labels * (c.quantity == "prevalence"))
            for t, label in enumerate(self.panel.labels if c.quantity == "prevalence" else ()):
                if c.label in (None, label):
                    if c.sense == "<=":
                        high[t] = min(high[t], math.floor(c.value * self.n_items))
                    else:
                        low[t] = max(low[t], math.ceil(self.level(c) * self.n_items))
        return self.leaf(low, high)

    def answer_count(self, i: int, a: int) -> int:
        """How often judge i gave answer a (-1: none)."""
        return self.panel.left[i] if a == UNANSWERED else self.panel.answer_counts[i][a]

    def upper(self, unknown: Unknown, leaf: Leaf) -> int:
        """Upper bound of an unknown: the observed count that contains it."""
        kind, *indices = unknown
        if kind == "q":
            return leaf.high[indices[0]]
        if kind == "m":
            return self.answer_count(indices[0], indices[1])
        return self.tuples[indices[0]][1]

    def lower(self, unknown: Unknown, leaf: Leaf) -> int:
        """Lower bound of an unknown."""
        return leaf.low[unknown[1]] if unknown[0] == "q" else 0

    def correct(self, i: int, t: int) -> Form:
        """C[i,t], the items of label t that judge i answered correctly."""
        if self.order != "full":
            return {("m", i, t, t): 1}
        spend(len(self.tuples))
        return {("n", u, t): 1 for u, (codes, _) in enumerate(self.tuples) if codes[i] == t}

    def held(self, i: int, t: int) -> Form:
        """D[i,t], the items of label t that judge i is held to."""
        if not self.slack(i):
            return {("q", t): 1}
        if self.order != "full":
            return {("m", i, a, t): 1 for a in range(self.n_answers)}
        spend(len(self.tuples))
        return {("n", u, t): 1 for u, (v, _) in enumerate(self.tuples) if v[i] != UNANSWERED}

    def row(self, name: object, leaf: Leaf) -> Row:
        """Row a certificate names, rebuilt from the data and the claim."""
        kind, *indices = array(name, "a row id") or [None]
        if kind == "rounded":
            return self._rounded(leaf, *self.indices(indices, "cit"))
        if kind == "split":
            (s,) = self.indices(indices, str(len(leaf.splits)))
            split, at, above = leaf.splits[int(s)]
            form = self.form(split)
            return Row(form, at + 1) if above else Row(dict.fromkeys(form, -1), -at)
        if not isinstance(kind, str) or kind not in self.ROWS:
            reject(f"there is no row {shown(kind)} in this program")
        maker, shape, least = self.ROWS[kind]
        self.need(least)
        row: Row = maker(self, *self.indices(indices, shape))
        return row

    def indices(self, values: Sequence[object], shape: str) -> list[Any]:
        """Check positions: i, j judges, a an answer, b an answer or -1, t a label, and so on."""
        kinds = [shape] if shape.isdigit() else list(shape)
        if len(values) != len(kinds):
            reject(f"a row or form must name {len(kinds)} positions; got {len(values)}")
        for value, kind in zip(values, kinds, strict=True):
            if kind != "?" or value is not None:
                size = int(kind) if kind.isdigit() else self.sizes[kind]
                whole(value, "a position", UNANSWERED if kind == "b" else 0, size - 1)
        return list(values)

    def need(self, least: Least) -> None:
        """Reject what the order of the claim does not have: a number has the rows of those below it."""
        fine = self.order == least if "full" in (self.order, least) else self.order >= (least or 0)  # type: ignore[operator]
        if least is not None and not fine:
            reject(f"a claim of order {self.order} has no such row or form")

    def _size(self) -> Row:
        return Row({("q", t): 1 for t in range(self.n_labels)}, self.n_items, equality=True)

    def _observed(self, i: int, a: int) -> Row:
        form = {("m", i, a, t): 1 for t in range(self.n_labels)}
        return Row(form, self.answer_count(i, a), equality=True)

    def _unanswered(self, i: int) -> Row:
        return self._observed(i, UNANSWERED)

    def _key(self, i: int, t: int) -> Row:
        form = {("m", i, a, t): 1 for a in range(UNANSWERED, self.n_answers)}
        return Row(form | {("q", t): -1}, 0, equality=True)

    def _tuple(self, u: int) -> Row:
        form = {("n", u, t): 1 for t in range(self.n_labels)}
        return Row(form, self.tuples[u][1], equality=True)

    def _label(self, t: int) -> Row:
        form = {("n", u, t): 1 for u in range(len(self.tuples))}
        return Row(form | {("q", t): -1}, 0, equality=True)

    def _condition(self, c: int, i: Any, t: Any) -> Row:
        condition = self.conditions[c]
        x, quantity = self.level(condition), condition.quantity
        sign = -1 if condition.sense == "<=" else 1
        shape = {"accuracy": "it", "grade": "i", "prevalence": "t"}[quantity]
        if (quantity == "grade" and t is not None) or (quantity == "prevalence" and i is not None):
            reject("a grade has no label" if t is not None else "a prevalence has no judge")
        self.indices([p for p, kind in ((i, "i"), (t, "t")) if kind in shape], shape)
        self.check_covered(c, i, t)
        if quantity == "accuracy":
            form = dict.fromkeys(self.held(i, t), -sign * x.numerator)
            for unknown in self.correct(i, t):
                form[unknown] = form.get(unknown, 0) + sign * x.denominator
            return Row(form, 0, scale=x.denominator)
        if quantity == "grade":
            right = {v: sign for label in range(self.n_labels) for v in self.correct(i, label)}
            return Row(right, math.ceil(sign * x * self.total_held(i)))
        return Row({("q", t): sign}, math.ceil(sign * x * self.n_items))

    def check_covered(self, c: int, i: int | None, t: int | None) -> None:
        """Check that condition c speaks of this judge and this label."""
        condition = self.conditions[c]
        judge = None if i is None else self.panel.judges[i]
        label = None if t is None else self.panel.labels[t]
        if not condition.covers(judge, label):
            reject(f"condition {c} does not cover judge {quoted(judge)} and label {quoted(label)}")

    def lower_accuracy(self, c: int, i: int, t: int) -> Fraction:
        """Level of a condition that asks judge i for accuracy on label t."""
        condition = self.conditions[c]
        if condition.quantity != "accuracy" or condition.sense == "<=":
            reject(f"condition {c} asks for no accuracy from below")
        self.check_covered(c, i, t)
        return self.level(condition)

    def _cap(self, c: int, i: int, t: int) -> Row:
        x = self.lower_accuracy(c, i, t)
        if not x:
            reject(f"condition {c} has level 0 and caps nothing")
        return Row(dict.fromkeys(self.held(i, t), -1), -self.most(i, t, x))

    def _rounded(self, leaf: Leaf, c: int, i: int, t: int) -> Row:
        x = self.lower_accuracy(c, i, t)
        self.check_held_to_all(i)
        return Row(self.correct(i, t), math.ceil(x * leaf.low[t]))

    def check_held_to_all(self, i: int) -> None:
        """C >= ceil(x l) follows from q >= l only for a judge held to every item."""
        if self.slack(i):
            reject(f"judge {quoted(self.panel.judges[i])} is not held to every item")

    ROWS: ClassVar[dict[str, tuple[Callable[..., Row], str, Least]]] = {"size": (_size, "", None)}
    ROWS |= {"observed": (_observed, "ia", 1), "unanswered": (_unanswered, "i", 1)}
    ROWS |= {"key": (_key, "it", 1), "tuple": (_tuple, "u", "full"), "label": (_label, "t", "full")}
    ROWS |= {"condition": (_condition, "c??", None), "cap": (_cap, "cit", None)}

    FORMS: ClassVar[dict[str, tuple[str, str, Least]]] = {"key": ("q", "t", None)}
    FORMS |= {"cell": ("n", "ut", "full"), "answer": ("m", "ibt", 1)}

    def form(self, name: object) -> Form:
        """Whole-number quantity that a tree splits on."""
        kind, *indices = array(name, "a form") or [None]
        if kind == "correct":
            return self.correct(*self.indices(indices, "it"))
        if not isinstance(kind, str) or kind not in self.FORMS:
            reject(f"there is no form {shown(kind)} to split on")
        letter, shape, least = self.FORMS[kind]
        self.need(least)
        return {(letter, *self.indices(indices, shape)): 1}

    def split(self, leaf: Leaf, name: object, at: int) -> tuple[Leaf, Leaf]:
        """Leaves where the form is <= at, and where it is >= at + 1."""
        form = self.form(name)
        low, high = list(leaf.low), list(leaf.high)
        for kind, *indices in form if len(form) == 1 else ():
            if kind == "q":
                high[indices[0]] = min(high[indices[0]], at)
                low[indices[0]] = max(low[indices[0]], at + 1)
        return self.leaf(leaf.low, high, leaf.splits), self.leaf(low, leaf.high, leaf.splits)

    def leaf(self, low: Sequence[int], high: Sequence[int], splits: Sequence[Split] = ()) -> Leaf:
        """Leaf with what follows for each key count from the others, which add up to all items."""
        spare, lacking = sum(high) - self.n_items, self.n_items - sum(low)
        pairs = list(zip(low, high, strict=True))
        least, most = [max(a, b - spare) for a, b in pairs], [min(b, a + lacking) for a, b in pairs]
        return Leaf(tuple(least), tuple(most), splits)


# 5. Evidence --------------------------------------------------------------------------------------
#
# Each checker returns the reason in words, or rejects.


def kind_of(evidence: object, checkers: Mapping[str, Any], what: str) -> Any:
    """Checker for the kind of evidence at hand."""
    if not isinstance(evidence, Mapping):
        reject(f"{what} must be an object; got {type(evidence).__name__}")
    kind = evidence.get("kind")
    if not isinstance(kind, str) or kind not in checkers:
        reject(f"{what} of kind {shown(kind)} proves no such claim; known: {', '.join(checkers)}")
    return checkers[kind]


def check_cap(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """For each label one judge: q_t <= D + (items it is not held to); the caps do not reach Q."""
    (_, names) = fields(evidence, ("kind", "judges"), "cap evidence")
    total, used, words = 0, set(), []
    for t, name in enumerate(array(names, "judges of a cap", program.n_labels)):
        most = leaf.high[t]
        if name is not None:
            name_list([name], "judges of a cap", program.panel.positions)
            i = program.panel.positions[name]
            used.add(i)
            most = min(most, program.cap(i, t))
        total += most
        words.append(f"{quoted(program.panel.labels[t])} {most}")
    slack = sum(program.slack(i) for i in used)
    if total + slack >= program.n_items:
        reject(f"the caps sum to {total + slack}, which is not below {program.n_items} items")
    words[-1] += f" and {slack} left out" * bool(slack)
    return f"label by label at most {', '.join(words)}, {total + slack} < {program.n_items} items"


def check_weights(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Bound the weighted surplus sum of y (C - x D), which a met specification keeps >= 0."""
    if program.order != "full" and not (program.order == 2 and program.n_judges <= 2):
        reject("weights speak of whole decision tuples, so they need the full order")
    more = ("correct", "key_low", "key_high")
    parts = fields(evidence, ("kind", "weights"), "weights evidence", more)
    y, w = (
        [weight_row(row, program) for row in array(part, "weights", program.n_judges)]
        for part in (parts[1], [None] * program.n_judges if parts[2] is None else parts[2])
    )
    low, high = (weight_row(part, program) for part in parts[3:])
    common_denominator([*low, *high, *(z for row in (*y, *w) for z in row)])
    spend(2 * program.n_judges * program.n_labels)
    right = sum(map(mul, low, leaf.low), Fraction(0)) - sum(map(mul, high, leaf.high))
    gain, loss = {}, {}  # of the judges with a weight
    for i in [i for i in range(program.n_judges) if any(y[i]) or any(w[i])]:
        levels = [program.accuracy_level(i, t) for t in range(program.n_labels)]
        for t, x in enumerate(levels):
            if x is None and (y[i][t] or w[i][t]):
                reject("a weight falls on a judge and label of which nothing is asked")
            if w[i][t]:
                program.check_held_to_all(i)
                right += w[i][t] * math.ceil((x or 0) * leaf.low[t])
        gain[i] = [a + b for a, b in zip(y[i], w[i], strict=True)]
        loss[i] = [a * (x or 0) for a, x in zip(y[i], levels, strict=True)]
    left = surplus(program, gain, loss, [a - b for a, b in zip(low, high, strict=True)])
    if left >= right:
        reject(f"the weighted surplus may reach {shown(left)}, which is not below {shown(right)}")
    return f"the weighted surplus is at most {shown(left)} and would have to be at least {shown(right)}"


def surplus(program: Program, gain: Any, loss: Any, extra: Sequence[Fraction]) -> Fraction:
    """Sum over u of n(u) max over t of [sum of i (gain 1[u_i=t] - loss d_i(u,t)) + extra]."""
    parts = [*gain.values(), *loss.values(), extra]
    scale = common_denominator(z for row in parts for z in row)
    up, down = ([[times(z, scale) for z in row] for row in g.values()] for g in (gain, loss))
    alike: Counter[tuple[int, ...]] = Counter()  # tuples that the weights cannot tell apart
    for codes, count in program.tuples:
        alike[tuple([codes[i] for i in gain])] += count
    spend(len(program.tuples) * (len(gain) + 1) + len(alike) * (len(gain) + program.n_labels))
    held = [times(z, scale) - sum(column) for z, *column in zip(extra, *down, strict=True)]
    total = 0
    for codes, count in alike.items():
        sums = held.copy()
        for code, more, less in zip(codes, up, down, strict=True):
            if 0 <= code < program.n_labels:
                sums[code] += more[code]
            elif code == UNANSWERED and program.missing == "excluded":
                spend(program.n_labels)
                sums = [z + d for z, d in zip(sums, less, strict=True)]
        total += count * max(sums)
    return Fraction(total, scale)


def weight_row(value: object, program: Program) -> list[Fraction]:
    """Read nonnegative weights per label; absent means zero."""
    if value is None:
        return program.no_weights
    weights = [fraction(z, "a weight") for z in array(value, "weights", program.n_labels)]
    if any(z < 0 for z in weights):
        reject(f"a weight must not be negative; got {shown(min(weights))}")
    return weights


def check_multipliers(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Add up rows: sum of y (row) >= y.b, yet its left side cannot exceed its bounds' maximum."""
    _, named = fields(evidence, ("kind", "rows"), "multipliers evidence")
    w: defaultdict[Unknown, int] = defaultdict(int)
    right, scale = 0, 1  # w and right are scale times what they stand for
    for entry in array(named, "rows"):  # one row at a time, for a row may be as long as the data
        name, multiplier = array(entry, "a row with its multiplier", 2)
        row = program.row(name, leaf)
        y = fraction(multiplier, "a multiplier") / row.scale
        if y < 0 and not row.equality:
            reject(f"the multiplier of an inequality must not be negative; got {shown(multiplier)}")
        larger = common_denominator([Fraction(1, scale), y])
        if larger > scale:
            spend(len(w))
            right *= larger // scale
            w.update({unknown: number * (larger // scale) for unknown, number in w.items()})
        scale, k = larger, times(y, larger)
        right += k * row.bound
        for unknown, coefficient in row.form.items():
            w[unknown] += k * coefficient
        spend(1 + len(row.form))
        if len(w) > MAX_NAMES:
            reject(f"rows that are added up must have at most {MAX_NAMES} unknowns; they have more")
    left = 0
    for unknown, k in w.items():
        left += k * (program.upper(unknown, leaf) if k > 0 else program.lower(unknown, leaf))
    if left >= right:
        reject(f"the rows add up to at most {shown(left)}, which is not below {shown(right)}")
    return (
        f"{len(named)} rows add up to at most {shown(left)} and would have to reach {shown(right)}"
    )


def check_branches(evidence: Mapping[str, Any], program: Any, leaf: Leaf, ends: Any = None) -> str:
    """Split on whole numbers until each part is refuted; both sides of every split are visited."""
    _, tree = fields(evidence, ("kind", "tree"), "branches evidence")
    path: list[Split] = []  # to the node at hand
    waiting: list[tuple[Any, Leaf, int, Sequence[Split]]]
    waiting = [(tree, Leaf(leaf.low, leaf.high, path), 0, ())]
    seen = leaves = 0
    while waiting:
        node, here, depth, last = waiting.pop()
        path[depth:] = last
        seen += 1
        spend(1 + program.n_labels)
        if seen > MAX_NODES:
            reject(f"the tree has more than {MAX_NODES} nodes")
        if isinstance(node, Mapping) and "split" in node:
            form, at, low, high = fields(node, ("split", "at", "low", "high"), "a split")
            below, above = program.split(here, form, whole(at, "a split point"))
            waiting.append((low, below, len(path), [(form, at, False)]))
            waiting.append((high, above, len(path), [(form, at, True)]))
        else:
            kind_of(node, ends or LEAVES, "a leaf")(node, program, here)
            leaves += 1
    return f"the whole numbers are split into {leaves} cases, each refuted"


LEAVES: dict[str, Any] = {"cap": check_cap, "weights": check_weights}
LEAVES |= {"multipliers": check_multipliers}
ALARMS: dict[str, Any] = LEAVES | {"branches": check_branches}


def name_words(kind: str, names: Sequence[str]) -> str:
    """Names of a kind in words: all of them up to six, else five and how many more."""
    words = ", ".join(map(quoted, names if len(names) <= 6 else names[:5]))
    more = f" and {len(names) - 5} more" if len(names) > 6 else ""
    return f"{kind}{'s' * (len(names) != 1)} {words}{more}"


def scope_of(claim: Claim, panel: Panel) -> str:
    """Size of the exam, who took it, settings and data, in words."""
    who = f"{name_words('judge', panel.judges)}; {name_words('label', panel.labels)}"
    size = f"{panel.n_items} item{'s' * (panel.n_items != 1)}; {who}"
    return f"{size}; order {claim.order}; missing {claim.missing}; data {claim.data}"


KIND = "an alarm on all judges, of order 1 or full order"


def is_alarm(certificate: Mapping[str, Any], panel: Panel) -> bool:
    """Whether this file checks it: an alarm on all judges, of order 1 or of full order."""
    claim, evidence = certificate.get("claim"), certificate.get("evidence")
    if not isinstance(claim, Mapping) or not isinstance(evidence, Mapping) or "held" in claim:
        return False
    spec = claim.get("specification")
    every = not isinstance(spec, Mapping) or spec.get("min_judges") in (None, len(panel.judges))
    kind = claim.get("verdict"), claim.get("order")
    alarms = ("impossible", 1), ("impossible", "full")
    return every and kind in alarms and str(evidence.get("kind")) in ALARMS


def check_alarm(certificate: Mapping[str, Any], panel: Panel) -> str:
    """The sentence that an alarm proves of the data, or a rejection."""
    if not is_alarm(certificate, panel):
        raise Unreadable(f"the certificate must be {KIND}; verify.py has the rest")
    claim, evidence = read_claim(certificate["claim"], panel), certificate["evidence"]
    program = Program(panel, claim)
    reason = kind_of(evidence, ALARMS, "evidence")(evidence, program, program.root())
    what = f"impossible whatever the answer key: {claim.words()}; {reason}"
    return f"Verified ({scope_of(claim, panel)}): {what}."


def read_panel(document: Mapping[str, Any]) -> Panel:
    """Read a sketch or a summary; whatever is wrong with it, say so."""
    readers = {"algeval.sketch/1": read_sketch, "algeval.summary/1": read_summary}
    schema = document.get("schema")
    if not isinstance(schema, str) or schema not in readers:
        what = f"the data must be an algeval.sketch/1 or an algeval.summary/1; got {shown(schema)}"
        raise Unreadable(f"{what}; perhaps the two files are swapped")
    try:
        panel = readers[schema](document)
    except Rejected as error:
        raise Unreadable(f"the data cannot be used: {error}") from None
    if panel.n_items < 1:
        raise Unreadable("the data must count at least one item; it counts none")
    return panel


# 6. Program ---------------------------------------------------------------------------------------


def read_file(path: str) -> Mapping[str, Any]:
    """JSON object of a file."""
    try:
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES).decode("utf-8-sig")
        document = json.loads(text, object_pairs_hook=distinct_keys, parse_constant=no_constant)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"the file {quoted(path)} cannot be read: {shown(error)}") from None
    if not isinstance(document, Mapping):
        raise Unreadable(f"the file {quoted(path)} must hold a JSON object; it does not")
    return document


def main(*paths: str) -> int:
    """Check one alarm: 0 if it is verified, 1 if it is rejected, 2 if there is none to check here."""
    BUDGET.set(Budget())
    try:
        if len(paths) != 2:
            raise Unreadable(f"name two files; got {len(paths)}: first {KIND}, then its data")
        certificate, counts = map(read_file, paths)
        code, sentence = 0, check_alarm(certificate, read_panel(counts))
    except Unreadable as error:
        code, sentence = 2, f"Unreadable: {error}."
    except Rejected as error:
        code, sentence = 1, f"Rejected: {error}."
    except (RecursionError, MemoryError, OverflowError, ValueError):
        code, sentence = 1, "Rejected: the certificate is too deep or too large to check."
    line = sentence.encode("ascii", "backslashreplace").decode("ascii")
    print(line, file=sys.stderr if code else sys.stdout)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
