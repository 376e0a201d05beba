"""Check a certificate against the data it speaks of: ``python3 verify.py cert.json data.json``.

This file stands alone: it needs Python and nothing else, and imports nothing of the package whose
verdicts it checks (there it is called ``python -m algeval.verify``). It is written to be read from
top to bottom by somebody who does not trust us. Certificates about all exams, which need no data, are
checked by ``verify_statements.py`` beside it; whoever checks an alarm need not read that file.

1. *Reading*: JSON in, strictly; whole numbers are whole numbers, names are names.
2. *Data*: a sketch or a summary, put in canonical order, and its digest.
3. *Claim*: what the certificate says, about which data; a list of conditions on accuracies.
4. *Program*: every unknown, bound and row of the claim, rebuilt from the data and the claim alone.
5. *Evidence*: one short checker per kind. A certificate only chooses among rows that exist.
6. *Verdict*: one sentence. Exit codes: 0 verified, 1 rejected, 2 unreadable input.

The format, and why each rule is sound, is written down in ``docs/reference/certificates.md``.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import re
import stat
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from threading import Lock
from types import ModuleType
from typing import Any, NoReturn

__all__ = ["Verdict", "main", "verify"]

MAX_NODES = 2_000_000
"""A tree of more nodes than this is refused rather than walked."""

MAX_BITS = 4096
"""Whole numbers longer than this are refused, so that every sentence can be printed."""

MAX_DIGITS = 1000
"""Fractions with a longer numerator or denominator are refused, so that checking takes no ages."""

MAX_COMMON_DIGITS = 10_000
"""The same of the common denominator of all fractions that are added up."""

MAX_BYTES = 1 << 28
"""A file that holds more, or unpacks to more, is not read: checking never needs unbounded memory."""

UNANSWERED = -1
"""The code of an item a judge did not answer."""

FLOOR = "algeval.floor/1"
"""The schema of a certificate that some verdicts are wrong, whatever the answer key."""

STATEMENT = "algeval.inequality/1"
STATED = ("claim", "given", "define", "model", "judges", "labels")
"""The schema of a certificate about all exams, and the fields that say what it claims."""

LOADING = Lock()
"""Held while the file that checks them is loaded, for two threads may ask at once."""


@dataclass(frozen=True)
class Verdict:
    """Result of a check; true exactly when the certificate proves its claim of the data.

    Attributes
    ----------
    ok : bool
        Whether the claim is proved.
    sentence : str
        What was proved, in exact integers, or why nothing was.
    claim : dict or None
        The claim as the certificate states it.
    readable : bool
        False when an input could not be read at all (exit code 2).
    """

    ok: bool
    sentence: str
    claim: Mapping[str, Any] | None = None
    readable: bool = True

    def __bool__(self) -> bool:
        return self.ok


class Rejected(Exception):  # noqa: N818
    """The certificate does not prove its claim."""


class Unreadable(Exception):  # noqa: N818
    """An input is not what it should be, so there is nothing to check."""


def reject(sentence: str) -> NoReturn:
    """Stop: the certificate proves nothing, and why."""
    raise Rejected(sentence)


# 1. Reading ---------------------------------------------------------------------------------------


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
    long = len(text) > 200
    return repr(text[:120]) + (f"... ({len(text)} characters)" if long else "")


def load(source: object, what: str) -> Mapping[str, Any]:
    """JSON object behind a path, a mapping, or an object of the package."""
    if isinstance(source, str | os.PathLike):
        source = read_json(source, what)
    elif not isinstance(source, Mapping):
        maker = getattr(source, "to_dict", None)
        source = maker() if callable(maker) else source
    if not isinstance(source, Mapping):
        raise Unreadable(f"the {what} must be a JSON object; got {type(source).__name__}")
    return source


def read_json(path: str | os.PathLike[str], what: str) -> Any:
    """Read a JSON file, packed where it ends in .gz, without repeated keys and with finite numbers."""

    def refuse(reason: str) -> NoReturn:
        raise Unreadable(f"the {what} {quoted(os.fspath(path))} {reason}") from None

    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe or a device may never end
            refuse("cannot be read: it is not a regular file; give the name of a file")
        with open(path, "rb") as file:
            packed = os.fspath(path).endswith(".gz")
            content = (gzip.GzipFile(fileobj=file) if packed else file).read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            refuse(f"cannot be read: it must hold at most {MAX_BYTES} bytes; it holds more")
        text = content.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=distinct_keys, parse_constant=no_constant)
    except UnicodeDecodeError:
        refuse("cannot be read: it is not UTF-8 text")
    except (zlib.error, gzip.BadGzipFile, EOFError):
        refuse("cannot be read: the packed file is damaged or cut off; make it again")
    except OSError as error:
        refuse(f"cannot be read: {error.strerror or shown(error)}")
    except MemoryError:
        refuse("cannot be read: it does not fit into memory")
    except (ValueError, RecursionError) as error:
        refuse(f"is not proper JSON: {shown(error)}")


def distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object, refusing a key that stands twice (which one would count?)."""
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("an object gives the same key twice")
    return result


def no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{name} is not a number")


def fields(
    value: object, names: Sequence[str], what: str, optional: Sequence[str] = ()
) -> list[Any]:
    """Named fields of an object that has these and no others (optional: None)."""
    if not isinstance(value, Mapping):
        reject(f"{what} must be an object; got {type(value).__name__}")
    for name in names:
        if name not in value:
            reject(f"{what} must have the field {name!r}; it does not")
    for name in value:
        if name not in names and name not in optional:
            reject(f"{what} has the field {quoted(name)}, which this verifier does not know")
    return [value[name] for name in names] + [value.get(name) for name in optional]


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
    top, _, bottom = value.partition("/")
    longest = max(len(top.lstrip("-")), len(bottom))
    if longest > MAX_DIGITS:
        reject(f"{what} must have at most {MAX_DIGITS} digits above and below; got {longest}")
    if bottom and int(bottom) == 0:
        reject(f"{what} must not divide by zero; got {shown(value)}")
    return Fraction(int(top), int(bottom or 1))


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """Least common denominator, refusing one too long to calculate with."""
    scale = 1
    for number in numbers:
        if scale % number.denominator:
            scale = math.lcm(scale, number.denominator)
            if scale.bit_length() * 0.30103 > MAX_COMMON_DIGITS:
                reject(
                    "the common denominator of fractions that are added up must have at most "
                    f"{MAX_COMMON_DIGITS} digits; it has more"
                )
    return scale


def times(number: Fraction, scale: int) -> int:
    """Number * scale, a whole number because scale is a multiple of the denominator."""
    return number.numerator * (scale // number.denominator)


def nonnegative(value: object, what: str) -> Fraction:
    """Fraction that is not negative."""
    result = fraction(value, what)
    if result < 0:
        reject(f"{what} must not be negative; got {shown(value)}")
    return result


def name_list(value: object, what: str, allowed: Sequence[str] | None = None) -> tuple[str, ...]:
    """Distinct, non-empty names, all of them among `allowed` if there is such a list."""
    names = tuple(array(value, what))
    for name in names:
        if not isinstance(name, str) or not name:
            reject(f"{what} must be non-empty text; got {shown(name)}")
        if allowed is not None and name not in allowed:
            reject(f"{what} must be names in the data; got {quoted(name)}")
    if len(set(names)) < len(names):
        reject(f"{what} must be distinct; a name is repeated")
    return names


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

    def left(self, judge: int) -> int:
        """How many items a judge left unanswered."""
        return self.n_items - sum(self.answer_counts[judge])

    def restrict(self, names: Sequence[str]) -> Panel:
        """Counts of some of the judges, in the order named."""
        positions = [self.judges.index(name) for name in names]
        if self.tuples is None:
            return replace(
                self,
                judges=tuple(names),
                answer_counts=tuple(self.answer_counts[i] for i in positions),
            )
        if positions == list(range(len(self.judges))):
            return self
        rows = self.together(positions).items()
        return panel_of(tuple(names), self.labels, self.answers, rows)

    def together(self, positions: Sequence[int]) -> Counter[tuple[int, ...]]:
        """How often some of the judges gave each combination of answers."""
        counts: defaultdict[tuple[int, ...], int] = defaultdict(int)
        chosen = zip(*(self._columns[i] for i in positions), strict=True)
        for codes, count in zip(chosen, self._counts, strict=True):
            counts[codes] += count
        return Counter(counts)

    @cached_property
    def _columns(self) -> list[tuple[int, ...]]:
        return list(zip(*(codes for codes, _ in self.tuples or ()), strict=True))

    @cached_property
    def _counts(self) -> list[int]:
        return [count for _, count in self.tuples or ()]

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Counter[tuple[int, ...]]]:
        """Counts of two judges' answers together, for those pairs that were looked at."""
        return {}

    @cached_property
    def sketch_digest(self) -> str:
        """The digest of the sketch, as the package writes it."""
        codes, counts = zip(*(self.tuples or ()), strict=True)
        return self._digest({"schema": "algeval.sketch/1", "codes": codes, "counts": counts})

    @cached_property
    def summary_digest(self) -> str:
        """The digest of the summary, as the package writes it."""
        counts = {"counts": self.answer_counts, "n_items": self.n_items}
        return self._digest({"schema": "algeval.summary/1"} | counts)

    def _digest(self, body: Mapping[str, Any]) -> str:
        names = {"judges": self.judges, "labels": self.labels, "answers": self.answers}
        return digest_of({**names, **body})


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of a JSON object in canonical form, leaving out its own digest."""
    body = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def panel_of(
    judges: tuple[str, ...],
    labels: tuple[str, ...],
    answers: tuple[str, ...],
    rows: Iterable[tuple[tuple[int, ...], int]],
) -> Panel:
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
    n_items = sum(count for _, count in tuples)
    return Panel(judges, labels, answers, n_items, by_judge, tuples)


def read_data(source: object) -> Panel:
    """Read a sketch, a keyed sketch or a summary; whatever is wrong with it, say so."""
    if isinstance(source, Panel):
        return source
    inner = getattr(source, "sketch", source)  # votes make a sketch, a keyed sketch holds one
    document = load(inner() if callable(inner) else inner, "data")
    if document.get("schema") == "algeval.keyed_sketch/1":
        document = load(document.get("sketch"), "data")
    readers = {"algeval.sketch/1": read_sketch, "algeval.summary/1": read_summary}
    reader = readers.get(str(document.get("schema")))
    if reader is None:
        raise Unreadable(
            "the data must be an algeval.sketch/1 or an algeval.summary/1; got "
            f"{shown(document.get('schema'))}; perhaps the two files are swapped"
        )
    try:
        panel = reader(document)
    except Rejected as error:
        raise Unreadable(f"the data cannot be used: {error}") from None
    if panel.n_items < 1:
        raise Unreadable("the data must count at least one item; it counts none")
    check_stated_digest(document)
    return panel


def check_stated_digest(document: Mapping[str, Any]) -> None:
    """Compare the digest a file states of itself, if it does, with its content."""
    try:
        matches = document.get("digest") in (None, digest_of(document))
    except (TypeError, ValueError, RecursionError):
        matches = False
    if not matches:
        reject("the data's digest does not match its content; the file was changed or cut short")


def read_names(document: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Judges, the labels, and the answers, which start with the labels."""
    judges, labels, answers = (
        name_list(document.get(kind), kind) for kind in ("judges", "labels", "answers")
    )
    if not judges or not labels or answers[: len(labels)] != labels:
        reject("there must be judges and labels, and the answers must start with the labels")
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


def whole_table(value: object, shape: tuple[int, ...], what: str) -> Any:
    """Nested lists of whole numbers >= 0 of a certain shape."""
    if not shape:
        return whole(value, f"every number of {what}", 0)
    return [whole_table(entry, shape[1:], what) for entry in array(value, what, shape[0])]


# 3. Claim -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """One condition; judge or label None means each of them (a grade has no label, and so on)."""

    quantity: str
    sense: str
    value: Fraction
    judge: str | None
    label: str | None

    def __str__(self) -> str:
        judge = "every judge" if self.judge is None else f"judge {quoted(self.judge)}"
        label = "every label" if self.label is None else f"label {quoted(self.label)}"
        subject = {
            "accuracy": f"accuracy of {judge} on {label}",
            "grade": f"grade of {judge}",
            "prevalence": f"prevalence of {label}",
        }[self.quantity]
        return f"{subject} {self.sense} {self.value}"


@dataclass(frozen=True)
class Claim:
    """What the certificate says; `needed` judges must meet the conditions together.

    `held` lists judges (by name) and labels: each is held to at least one item of the label.
    """

    verdict: str
    data: str
    order: int | str
    missing: str
    conditions: tuple[Condition, ...]
    needed: int
    held: tuple[tuple[str, str], ...] = ()

    def words(self) -> str:
        """Return what is claimed, condition by condition."""
        held = (f"judge {quoted(i)} held to an item of {quoted(t)}" for i, t in self.held)
        return "; ".join([*map(str, self.conditions), *held])


def read_claim(document: object, panel: Panel) -> Claim:
    """Read a claim and check that it is well formed and speaks of this data."""
    names = ("verdict", "data", "order", "missing", "specification")
    verdict, data, order, missing, spec, held = fields(document, names, "the claim", ("held",))
    if verdict not in ("possible", "impossible"):
        reject(f"the verdict must be 'possible' or 'impossible'; got {shown(verdict)}")
    if missing not in ("excluded", "wrong"):
        reject(f"the missing rule must be 'excluded' or 'wrong'; got {shown(missing)}")
    check_order(order, panel)
    check_digest(data, order, panel)
    schema, conditions, needed = fields(
        spec, ("schema", "conditions", "min_judges"), "the specification"
    )
    if schema != "algeval.specification/1":
        reject(f"the specification must be an algeval.specification/1; got {shown(schema)}")
    if not array(conditions, "conditions"):
        reject("the specification must have at least one condition; it has none")
    n_judges = len(panel.judges)
    return Claim(
        verdict,
        data,
        order,
        missing,
        tuple(read_condition(c, panel) for c in conditions),
        n_judges if needed is None else whole(needed, "min_judges", 1, n_judges),
        tuple(read_held(pair, panel) for pair in array(() if held is None else held, "held")),
    )


def read_held(document: object, panel: Panel) -> tuple[str, str]:
    """Read a judge and a label of which the claim is about answer keys that hold the judge to it."""
    judge, label = fields(document, ("judge", "label"), "a judge and a label")
    name_list([judge], "the judge", panel.judges)
    name_list([label], "the label", panel.labels)
    return str(judge), str(label)


def check_order(order: object, panel: Panel) -> None:
    """Accept the orders this verifier has a program for, and for which the data suffice."""
    if order != "full" and (type(order) is not int or order not in (1, 2)):
        reject(f"the order must be 1, 2 or 'full' for this verifier; got {shown(order)}")
    if order != 1 and panel.tuples is None:
        reject(f"a claim of order {order} needs a sketch; the data is a summary")


def check_digest(stated: object, order: int | str, panel: Panel) -> None:
    """Check that the claim speaks of this sketch, or at order 1 of this summary."""
    allowed = [] if panel.tuples is None else [panel.sketch_digest]
    if order == 1:
        allowed.append(panel.summary_digest)
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

Unknown = tuple[Any, ...]  # ("q", t) ("m", i, a, t) ("p", i, j, a, b, t) ("n", u, t)
Form = dict[Unknown, int]


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
    splits: tuple[Row, ...] = ()


class Program:
    """The whole-number program of a claim, or of one conflict: every row that may be cited."""

    def __init__(self, panel: Panel, claim: Claim) -> None:
        self.panel = panel
        self.order = claim.order
        self.missing = claim.missing
        self.conditions = [c for c in claim.conditions if c.judge in (None, *panel.judges)]
        self.held_to = claim.held
        self.n_items = panel.n_items
        self.n_judges, self.n_labels = len(panel.judges), len(panel.labels)
        self.n_answers = len(panel.answers)
        self.tuples = panel.tuples or ()
        self._rows: dict[tuple[Any, ...], Row] = {}

    # what a condition asks

    def level(self, condition: Condition) -> Fraction:
        """X, or for a strict condition the next fraction above it."""
        strict = condition.sense == ">"
        return next_fraction(condition.value, self.n_items) if strict else condition.value

    def accuracy_level(self, i: int, t: int) -> Fraction | None:
        """Highest accuracy asked of judge i on label t, or None."""
        return max(
            (
                self.level(c)
                for c in self.conditions
                if c.quantity == "accuracy" and c.sense != "<=" and self.covers(c, i, t)
            ),
            default=None,
        )

    def covers(self, c: Condition, i: int, t: int) -> bool:
        """Whether an accuracy condition speaks of judge i and label t."""
        judge, label = self.panel.judges[i], self.panel.labels[t]
        return c.judge in (None, judge) and c.label in (None, label)

    def total_held(self, i: int) -> int:
        """How many items judge i is held to, over all labels."""
        return self.n_items - self.slack(i)

    def slack(self, i: int) -> int:
        """How many items judge i is not held to: those left out, under 'excluded'."""
        return self.panel.left(i) if self.missing == "excluded" else 0

    def cap(self, i: int, t: int) -> int:
        """Most items of label t that judge i can be held to and meet its condition.

        C >= x D and C <= R[i,t] give D <= R[i,t] / x; C <= D as well, so above 1 there is no item.
        """
        x = self.accuracy_level(i, t)
        most = self.total_held(i)
        if not x:
            return most
        return (
            0 if x > 1 else min(most, self.panel.answer_counts[i][t] * x.denominator // x.numerator)
        )

    def root(self) -> Leaf:
        """Bounds of the key counts that hold everywhere: those of prevalences."""
        low, high = [0] * self.n_labels, [self.n_items] * self.n_labels
        for c in self.conditions:
            for t, label in enumerate(self.panel.labels):
                if c.quantity == "prevalence" and c.label in (None, label):
                    if c.sense == "<=":
                        high[t] = min(high[t], math.floor(c.value * self.n_items))
                    else:
                        low[t] = max(low[t], math.ceil(self.level(c) * self.n_items))
        return Leaf(tuple(low), tuple(high))

    # the unknowns and what they add up to

    def pair_counts(self, i: int, j: int) -> Counter[tuple[int, ...]]:
        """How often judges i and j gave each pair of answers."""
        pairs = self.panel.pairs
        if (i, j) not in pairs:
            pairs[i, j] = self.panel.together((i, j))
        return pairs[i, j]

    def answer_count(self, i: int, a: int) -> int:
        """How often judge i gave answer a (-1: none)."""
        return self.panel.left(i) if a == UNANSWERED else self.panel.answer_counts[i][a]

    def upper(self, unknown: Unknown, leaf: Leaf) -> int:
        """Upper bound of an unknown: the observed count that contains it."""
        kind, *indices = unknown
        if kind == "q":
            return leaf.high[indices[0]]
        if kind == "m":
            return self.answer_count(indices[0], indices[1])
        if kind == "p":
            return self.pair_counts(indices[0], indices[1])[indices[2], indices[3]]
        return self.tuples[indices[0]][1]

    def lower(self, unknown: Unknown, leaf: Leaf) -> int:
        """Lower bound of an unknown."""
        return leaf.low[unknown[1]] if unknown[0] == "q" else 0

    def correct(self, i: int, t: int) -> Form:
        """C[i,t], the items of label t that judge i answered correctly."""
        if self.order != "full":
            return {("m", i, t, t): 1}
        return {("n", u, t): 1 for u, (codes, _) in enumerate(self.tuples) if codes[i] == t}

    def held(self, i: int, t: int) -> Form:
        """D[i,t], the items of label t that judge i is held to."""
        if not self.slack(i):
            return {("q", t): 1}
        if self.order != "full":
            return {("m", i, a, t): 1 for a in range(self.n_answers)}
        return {
            ("n", u, t): 1 for u, (codes, _) in enumerate(self.tuples) if codes[i] != UNANSWERED
        }

    # the rows, by name

    def row(self, name: object, leaf: Leaf) -> Row:
        """Row a certificate names, rebuilt from the data and the claim."""
        key = tuple(array(name, "a row id"))
        kind, indices = (key[0] if key else None), key[1:]
        makers: dict[object, tuple[Callable[..., Row], str]] = {
            "size": (self._size, ""),
            "observed": (self._observed, "ia"),
            "unanswered": (self._unanswered, "i"),
            "key": (self._key, "it"),
            "pair": (self._pair, "ijbb"),
            "left": (self._left, "ijbt"),
            "right": (self._right, "ijbt"),
            "tuple": (self._tuple, "u"),
            "label": (self._label, "t"),
            "condition": (self._condition, "c??"),
            "cap": (self._cap, "cit"),
            "held": (self._held, "h"),
        }
        if kind == "rounded":
            c, i, t = self.indices(indices, "cit")
            return self._rounded(c, i, t, leaf)
        if kind == "split":
            (s,) = self.indices(indices, str(len(leaf.splits)))
            return leaf.splits[int(s)]
        if not isinstance(kind, str) or kind not in makers:
            reject(f"there is no row {shown(kind)} in this program")
        maker, shape = makers[kind]
        checked = (kind, *self.indices(indices, shape))
        if checked not in self._rows:
            self._rows[checked] = maker(*checked[1:])
        return self._rows[checked]

    def indices(self, values: Sequence[object], shape: str) -> list[Any]:
        """Check positions: i, j judges, a an answer, b an answer or -1, t a label, and so on."""
        sizes = {
            "i": self.n_judges,
            "j": self.n_judges,
            "a": self.n_answers,
            "b": self.n_answers,
            "t": self.n_labels,
            "u": len(self.tuples),
            "c": len(self.conditions),
            "h": len(self.held_to),
            "?": max(self.n_judges, self.n_labels),
        }
        kinds = [shape] if shape.isdigit() else list(shape)
        if len(values) != len(kinds):
            reject(f"a row or form must name {len(kinds)} positions; got {len(values)}")
        for value, kind in zip(values, kinds, strict=True):
            if kind != "?" or value is not None:
                size = int(kind) if kind.isdigit() else sizes[kind]
                whole(value, "a position", UNANSWERED if kind == "b" else 0, size - 1)
        return list(values)

    def need(self, *orders: int | str) -> None:
        """Reject a row or form that the order of the claim does not have."""
        if self.order not in orders:
            reject(f"a claim of order {self.order} has no such row or form")

    def _size(self) -> Row:
        return Row({("q", t): 1 for t in range(self.n_labels)}, self.n_items, equality=True)

    def _observed(self, i: int, a: int) -> Row:
        self.need(1, 2)
        form = {("m", i, a, t): 1 for t in range(self.n_labels)}
        return Row(form, self.answer_count(i, a), equality=True)

    def _unanswered(self, i: int) -> Row:
        return self._observed(i, UNANSWERED)

    def _key(self, i: int, t: int) -> Row:
        self.need(1, 2)
        form = {("m", i, a, t): 1 for a in range(UNANSWERED, self.n_answers)}
        return Row(form | {("q", t): -1}, 0, equality=True)

    def _pair(self, i: int, j: int, a: int, b: int) -> Row:
        self.check_pair(i, j)
        form = {("p", i, j, a, b, t): 1 for t in range(self.n_labels)}
        return Row(form, self.pair_counts(i, j)[a, b], equality=True)

    def _left(self, i: int, j: int, a: int, t: int) -> Row:
        self.check_pair(i, j)
        form = {("p", i, j, a, b, t): 1 for b in range(UNANSWERED, self.n_answers)}
        return Row(form | {("m", i, a, t): -1}, 0, equality=True)

    def _right(self, i: int, j: int, b: int, t: int) -> Row:
        self.check_pair(i, j)
        form = {("p", i, j, a, b, t): 1 for a in range(UNANSWERED, self.n_answers)}
        return Row(form | {("m", j, b, t): -1}, 0, equality=True)

    def check_pair(self, i: int, j: int) -> None:
        """Pair tables exist at order 2, once for each two judges."""
        self.need(2)
        if i >= j:
            reject(f"a pair of judges must be named in order; got {i}, {j}")

    def _tuple(self, u: int) -> Row:
        self.need("full")
        form = {("n", u, t): 1 for t in range(self.n_labels)}
        return Row(form, self.tuples[u][1], equality=True)

    def _label(self, t: int) -> Row:
        self.need("full")
        form = {("n", u, t): 1 for u in range(len(self.tuples))}
        return Row(form | {("q", t): -1}, 0, equality=True)

    def _condition(self, c: int, i: Any, t: Any) -> Row:
        condition = self.conditions[c]
        x = self.level(condition)
        sign = -1 if condition.sense == "<=" else 1
        if condition.quantity == "accuracy":
            i, t = self.indices([i, t], "it")
            self.check_covered(c, i, t)
            form = add(self.correct(i, t), x.denominator, self.held(i, t), -x.numerator)
            return Row({v: sign * k for v, k in form.items()}, 0, scale=x.denominator)
        if condition.quantity == "grade":
            if t is not None:
                reject("a grade has no label")
            (i,) = self.indices([i], "i")
            self.check_covered(c, i, None)
            form = {v: 1 for label in range(self.n_labels) for v in self.correct(i, label)}
            return constant_row(form, x * self.total_held(i), sign)
        if i is not None:
            reject("a prevalence has no judge")
        (t,) = self.indices([t], "t")
        self.check_covered(c, None, t)
        return constant_row({("q", t): 1}, x * self.n_items, sign)

    def check_covered(self, c: int, i: int | None, t: int | None) -> None:
        """Check that condition c speaks of this judge and this label."""
        condition = self.conditions[c]
        judge = None if i is None else self.panel.judges[i]
        label = None if t is None else self.panel.labels[t]
        if condition.judge not in (None, judge) or condition.label not in (None, label):
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
        most = 0 if x > 1 else self.panel.answer_counts[i][t] * x.denominator // x.numerator
        return Row(dict.fromkeys(self.held(i, t), -1), -most)

    def _held(self, h: int) -> Row:
        judge, label = self.held_to[h]
        if judge not in self.panel.judges:
            reject(f"the judge {quoted(judge)} is not among those the evidence speaks of")
        return Row(self.held(self.panel.judges.index(judge), self.panel.labels.index(label)), 1)

    def _rounded(self, c: int, i: int, t: int, leaf: Leaf) -> Row:
        x = self.lower_accuracy(c, i, t)
        self.check_held_to_all(i)
        return Row(self.correct(i, t), math.ceil(x * leaf.low[t]))

    def check_held_to_all(self, i: int) -> None:
        """C >= ceil(x l) follows from q >= l only for a judge held to every item."""
        if self.slack(i):
            reject(f"judge {quoted(self.panel.judges[i])} is not held to every item")

    # the splits

    def form(self, name: object) -> Form:
        """Whole-number quantity that a tree splits on."""
        kind, *indices = array(name, "a form") or [None]
        if kind == "key":
            return {("q", *self.indices(indices, "t")): 1}
        if kind == "correct":
            return self.correct(*self.indices(indices, "it"))
        if kind == "cell":
            self.need("full")
            return {("n", *self.indices(indices, "ut")): 1}
        if kind == "answer":
            self.need(1, 2)
            return {("m", *self.indices(indices, "ibt")): 1}
        if kind == "pair":
            i, j, a, b, t = self.indices(indices, "ijbbt")
            self.check_pair(i, j)
            return {("p", i, j, a, b, t): 1}
        reject(f"there is no form {shown(kind)} to split on")

    def split(self, leaf: Leaf, name: object, at: int) -> tuple[Leaf, Leaf]:
        """Return what is known where the form is <= at, and where it is >= at + 1."""
        form = self.form(name)
        below = Row(dict.fromkeys(form, -1), -at)
        above = Row(form, at + 1)
        low, high = list(leaf.low), list(leaf.high)
        for kind, *indices in form if len(form) == 1 else ():
            if kind == "q":
                high[indices[0]] = min(high[indices[0]], at)
                low[indices[0]] = max(low[indices[0]], at + 1)
        return (
            Leaf(leaf.low, tuple(high), (*leaf.splits, below)),
            Leaf(tuple(low), leaf.high, (*leaf.splits, above)),
        )


def add(first: Form, k: int, second: Form, m: int) -> Form:
    """K * first + m * second."""
    result: defaultdict[Unknown, int] = defaultdict(int)
    for v, coefficient in first.items():
        result[v] += k * coefficient
    for v, coefficient in second.items():
        result[v] += m * coefficient
    return dict(result)


def constant_row(form: Form, bound: Fraction, sign: int) -> Row:
    """Form >= bound, or form <= bound for sign -1; the form is whole, so the bound rounds."""
    if sign > 0:
        return Row(form, math.ceil(bound))
    return Row(dict.fromkeys(form, -1), -math.floor(bound))


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
            name_list([name], "judges of a cap", program.panel.judges)
            i = program.panel.judges.index(name)
            used.add(i)
            most = min(most, program.cap(i, t))
        total += most
        words.append(f"{quoted(program.panel.labels[t])} {most}")
    slack = sum(program.slack(i) for i in used)
    if total + slack >= program.n_items:
        reject(f"the caps sum to {total + slack}, which is not below {program.n_items} items")
    left_out = f" and {slack} left out" if slack else ""
    return f"label by label at most {', '.join(words)}{left_out}, {total + slack} < {program.n_items} items"


def check_weights(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Bound the weighted surplus sum of y (C - x D), which a met specification keeps >= 0."""
    if program.order != "full" and not (program.order == 2 and program.n_judges <= 2):
        reject("weights speak of whole decision tuples, so they need the full order")
    _, weights, correct, key_low, key_high = fields(
        evidence, ("kind", "weights"), "weights evidence", ("correct", "key_low", "key_high")
    )
    y, w = weight_table(weights, program), weight_table(correct, program)
    low, high = weight_row(key_low, program), weight_row(key_high, program)
    scale = common_denominator(
        [*low, *high, *(z for table in (y, w) for row in table for z in row)]
    )
    gain, loss, scaled = [], [], 0
    for i in range(program.n_judges):
        levels = [program.accuracy_level(i, t) for t in range(program.n_labels)]
        for t, x in enumerate(levels):
            if x is None and (y[i][t] or w[i][t]):
                reject("a weight falls on a judge and label of which nothing is asked")
            if w[i][t]:
                program.check_held_to_all(i)
                scaled += times(w[i][t], scale) * math.ceil((x or 0) * leaf.low[t])
        gain.append([y[i][t] + w[i][t] for t in range(program.n_labels)])
        loss.append([y[i][t] * (x or 0) for t, x in enumerate(levels)])
    scaled += sum(times(z, scale) * bound for z, bound in zip(low, leaf.low, strict=True))
    scaled -= sum(times(z, scale) * bound for z, bound in zip(high, leaf.high, strict=True))
    right = Fraction(scaled, scale)
    extra = [a - b for a, b in zip(low, high, strict=True)]
    left = surplus(program, gain, loss, extra)
    if left >= right:
        reject(f"the weighted surplus may reach {shown(left)}, which is not below {shown(right)}")
    return f"the weighted surplus is at most {shown(left)} and would have to be at least {shown(right)}"


def surplus(
    program: Program,
    gain: Sequence[Sequence[Fraction]],
    loss: Sequence[Sequence[Fraction]],
    extra: Sequence[Fraction],
) -> Fraction:
    """Sum over u of n(u) max over t of [sum of i (gain 1[u_i=t] - loss d_i(u,t)) + extra]."""
    numbers = [*extra, *(z for table in (gain, loss) for row in table for z in row)]
    scale = common_denominator(numbers)
    up, down = ([[times(z, scale) for z in row] for row in table] for table in (gain, loss))
    start = [times(z, scale) for z in extra]
    busy = [i for i in range(program.n_judges) if any(up[i]) or any(down[i])]
    terms = []  # of each busy judge: what each of its codes adds to each label
    for i in busy:
        by_code = {}
        for code in range(UNANSWERED, program.n_answers):
            held = code != UNANSWERED or program.missing == "wrong"
            added = [-d if held else 0 for d in down[i]]
            if 0 <= code < program.n_labels:
                added[code] += up[i][code]
            by_code[code] = added
        terms.append(by_code)
    alike: Counter[tuple[int, ...]] = Counter()  # tuples that the weights cannot tell apart
    for codes, count in program.tuples:
        alike[tuple([codes[i] for i in busy])] += count
    total = 0
    for codes, count in alike.items():
        chosen = [by_code[code] for by_code, code in zip(terms, codes, strict=True)]
        total += count * max(map(sum, zip(start, *chosen, strict=True)))
    return Fraction(total, scale)


def weight_table(value: object, program: Program) -> list[list[Fraction]]:
    """Read nonnegative weights per judge and label; absent means zero."""
    if value is None:
        return [[Fraction(0)] * program.n_labels for _ in range(program.n_judges)]
    return [weight_row(row, program) for row in array(value, "weights", program.n_judges)]


def weight_row(value: object, program: Program) -> list[Fraction]:
    """Read nonnegative weights per label; absent means zero."""
    if value is None:
        return [Fraction(0)] * program.n_labels
    return [nonnegative(z, "a weight") for z in array(value, "weights", program.n_labels)]


def check_multipliers(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Add up rows: sum of y (row) >= y.b, yet its left side cannot exceed its bounds' maximum."""
    _, named = fields(evidence, ("kind", "rows"), "multipliers evidence")
    terms = []
    for entry in array(named, "rows"):
        name, multiplier = array(entry, "a row with its multiplier", 2)
        row = program.row(name, leaf)
        y = fraction(multiplier, "a multiplier")
        if y < 0 and not row.equality:
            reject(f"the multiplier of an inequality must not be negative; got {shown(multiplier)}")
        terms.append((y / row.scale, row))
    scale = common_denominator(y for y, _ in terms)
    w: defaultdict[Unknown, int] = defaultdict(int)
    right = 0
    for y, row in terms:
        k = times(y, scale)
        right += k * row.bound
        for unknown, coefficient in row.form.items():
            w[unknown] += k * coefficient
    left = 0
    for unknown, k in w.items():
        left += k * (program.upper(unknown, leaf) if k > 0 else program.lower(unknown, leaf))
    if left >= right:
        reject(f"the rows add up to at most {shown(left)}, which is not below {shown(right)}")
    return (
        f"{len(terms)} rows add up to at most {shown(left)} and would have to reach {shown(right)}"
    )


def check_branches(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Split on whole numbers until each part is refuted; both sides of every split are visited."""
    _, tree = fields(evidence, ("kind", "tree"), "branches evidence")
    waiting: list[tuple[object, Leaf]] = [(tree, leaf)]
    seen = leaves = 0
    while waiting:
        node, here = waiting.pop()
        seen += 1
        if seen > MAX_NODES:
            reject(f"the tree has more than {MAX_NODES} nodes")
        if isinstance(node, Mapping) and "split" in node:
            form, at, low, high = fields(node, ("split", "at", "low", "high"), "a split")
            below, above = program.split(here, form, whole(at, "a split point"))
            waiting += [(low, below), (high, above)]
        else:
            kind_of(node, LEAVES, "a leaf")(node, program, here)
            leaves += 1
    return f"the whole numbers are split into {leaves} cases, each refuted"


LEAVES: dict[str, Callable[[Mapping[str, Any], Program, Leaf], str]] = {
    "cap": check_cap,
    "weights": check_weights,
    "multipliers": check_multipliers,
}
REFUTATIONS = LEAVES | {"branches": check_branches}


def refute(evidence: object, panel: Panel, claim: Claim, what: str = "evidence") -> str:
    """Check that no answer key lets all judges of this panel meet the conditions together."""
    program = Program(panel, claim)
    checker = kind_of(evidence, REFUTATIONS, what)
    reason: str = checker(evidence, program, program.root())
    return reason


def check_conflicts(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> tuple[int, str]:
    """How many judges must fall short, whatever the answer key, and why."""
    if "chains" in evidence:
        return check_chains(evidence, panel, claim)
    _, listed, tree, shared = fields(
        evidence, ("kind", "conflicts", "tree"), "conflicts evidence", ("nodes",)
    )
    conflicts = []
    for entry in array(listed, "conflicts"):
        judges, reason = fields(entry, ("judges", "evidence"), "a conflict")
        names = name_list(judges, "judges of a conflict", panel.judges)
        if not names:
            reject("a conflict must name at least one judge")
        refute(reason, panel.restrict(names), claim, "the evidence of a conflict")
        conflicts.append(frozenset(names))
    least = least_blamed(tree, conflicts, array(shared or (), "nodes"))
    return least, f"{len(conflicts)} sets of judges cannot meet it together"


def check_tallies(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> tuple[int, str]:
    """How many judges must have a lower grade: s of them have at most min(s, commonest) right on an item."""
    fields(evidence, ("kind",), "tallies evidence")
    conditions = claim.conditions
    levels = {(c.quantity, c.sense, c.value) for c in conditions}
    every = any(c.judge is None for c in conditions) or {c.judge for c in conditions} == set(
        panel.judges
    )
    quantity, sense, value = next(iter(levels))
    if len(levels) > 1 or not every or quantity != "grade" or sense == "<=" or claim.held:
        reject("tallies speak of one least grade that every judge is to have, and of nothing else")
    if panel.tuples is None or claim.order != "full":
        reject("tallies speak of whole decision tuples, so they need the full order")
    if claim.missing == "excluded" and any(map(panel.left, range(len(panel.judges)))):
        reject("judges that left items out have grades of their own; tallies need the rule 'wrong'")
    needed = value * panel.n_items
    least = math.floor(needed) + 1 if sense == ">" else math.ceil(needed)
    commonest = [(max(tally(codes, panel)), count) for codes, count in panel.tuples]
    n = len(panel.judges)
    able = max(
        s for s in range(n + 1) if s * least <= sum(min(s, m) * count for m, count in commonest)
    )
    return (
        n - able,
        f"{able + 1} judges with {least} right each need more than the commonest labels give",
    )


def tally(codes: Sequence[int], panel: Panel) -> list[int]:
    """How many of these judges gave each label."""
    counts = [0] * len(panel.labels)
    for code in codes:
        if 0 <= code < len(counts):
            counts[code] += 1
    return counts


def check_floor(document: Mapping[str, Any], panel: Panel) -> str:
    """What a certificate of wrong verdicts proves of the data: judges, weights, how many right at most."""
    _, claim, evidence = fields(document, ("schema", "claim", "evidence"), "the certificate")
    stated, order, names, right, weights, counts, labelled = fields(
        claim,
        ("data", "order", "judges", "right"),
        "the claim",
        ("weights", "label_counts", "labelled"),
    )
    if order not in (1, "full"):
        reject(f"the order must be 1 or 'full' for wrong verdicts; got {shown(order)}")
    check_order(order, panel)
    check_digest(stated, order, panel)
    judges = name_list(names, "judges of the claim", panel.judges)
    if not judges:
        reject("the claim must name at least one judge; it names none")
    part = panel.restrict(judges)
    kind, multipliers = fields(evidence, ("kind",), "the evidence", ("multipliers",))
    if kind != "tallies":
        reject(f"wrong verdicts are proved by tallies; got {shown(kind)}")
    if order == 1:
        if (
            weights is not None
            or counts is not None
            or labelled is not None
            or multipliers is not None
        ):
            reject("a claim of order 1 on wrong verdicts has no weights, label counts or labels")
        most = Fraction(most_by_counts(part))
    else:
        most = most_right(part, weights, counts, labelled, multipliers)
    stated_most = fraction(right, "the most that are right")
    if stated_most < most:
        reject(f"the tallies allow {shown(most)} right, more than the {shown(stated_most)} claimed")
    verdicts = sum(map(sum, part.answer_counts))
    if weights is not None:
        what = f"the weighted sum of right verdicts is at most {shown(stated_most)}"
    else:
        wrong = verdicts - math.floor(stated_most)
        what = f"at least {wrong} of {verdicts} verdicts are wrong"
    provisos = ["each label is true of as many items as stated"] if counts is not None else []
    provisos += ["the labels stated are right"] if labelled is not None else []
    provided = f", provided that {' and that '.join(provisos)}" if provisos else ""
    n = len(judges)
    scope = f"{panel.n_items} items, {n} judge{'s' * (n != 1)}, order {order}, data {stated}"
    return f"Verified ({scope}): whatever the answer key, {what}{provided}."


def most_right(
    panel: Panel, weights: object, counts: object, labelled: object, multipliers: object
) -> Fraction:
    """Upper bound on the weighted number of right verdicts, whatever the answer key.

    An item of label t adds its tally of t less u_t; the u_t of all items are u_t times how many items are t.
    """
    n_labels = len(panel.labels)
    each = [Fraction(1)] * len(panel.judges)
    if weights is not None:
        each = [nonnegative(w, "a weight") for w in array(weights, "weights", len(panel.judges))]
    u = [Fraction(0)] * n_labels
    if multipliers is not None:
        u = [fraction(x, "a multiplier") for x in array(multipliers, "multipliers", n_labels)]
    scale = common_denominator([*each, *u])
    w, v = [times(x, scale) for x in each], [times(x, scale) for x in u]
    fixed = read_labelled(labelled, panel)
    total = 0
    for codes, count in panel.tuples or ():
        right = [0] * n_labels
        for weight, code in zip(w, codes, strict=True):
            if 0 <= code < n_labels:
                right[code] += weight
        left = count
        for t in range(n_labels):
            n = fixed.get((codes, t), 0)
            total += n * (right[t] - v[t])
            left -= n
        if left < 0:
            reject("more items of a decision tuple are labelled than there are")
        total += left * max(r - x for r, x in zip(right, v, strict=True))
    for t, (low, high) in enumerate(read_label_counts(counts, panel)):
        total += max(v[t] * low, v[t] * high)
    return Fraction(total, scale)


def read_label_counts(counts: object, panel: Panel) -> list[tuple[int, int]]:
    """Least and most items of each label that a claim is about; 0 and all of them by default."""
    n = panel.n_items
    if counts is None:
        return [(0, n)] * len(panel.labels)
    ends = []
    for entry in array(counts, "label counts", len(panel.labels)):
        low, high = array(entry, "a label count", 2)
        low = whole(low, "a label count", 0, n)
        ends.append((low, whole(high, "a label count", low, n)))
    return ends


def read_labelled(labelled: object, panel: Panel) -> dict[tuple[tuple[int, ...], int], int]:
    """How many items of a decision tuple (of these judges) are stated to have a label."""
    fixed: dict[tuple[tuple[int, ...], int], int] = {}
    for entry in array(() if labelled is None else labelled, "labels"):
        codes, label, count = array(entry, "a label of items", 3)
        key = (
            read_codes(codes, len(panel.judges), len(panel.answers)),
            whole(label, "a label", 0, len(panel.labels) - 1),
        )
        if key in fixed:
            reject("labels of one decision tuple are stated twice")
        fixed[key] = whole(count, "a count of labels", 1, panel.n_items)
    tuples = {codes for codes, _ in panel.tuples or ()}
    if not {codes for codes, _ in fixed} <= tuples:
        reject("a decision tuple that is labelled is not in the data")
    return fixed


def most_by_counts(panel: Panel) -> int:
    """Most verdicts that may be right by each judge's counts alone: the largest of #{i : R_it >= j}."""
    runs = []
    for t in range(len(panel.labels)):
        counts = sorted((row[t] for row in panel.answer_counts), reverse=True)
        for k, (high, low) in enumerate(zip(counts, [*counts[1:], 0], strict=True), 1):
            runs.append((k, high - low))
    total, left = 0, panel.n_items
    for value, length in sorted(runs, reverse=True):
        taken = min(left, length)
        total, left = total + value * taken, left - taken
    return total


def least_blamed(
    tree: object, conflicts: Sequence[frozenset[str]], shared: Sequence[object]
) -> int:
    """Length of the shortest path of a blame tree, checking every node.

    Whoever falls short includes a member of each conflict; following that member down from the
    root meets one more such judge at every node, because a node's conflict avoids those above it.
    """
    waiting: list[tuple[object, frozenset[str]]] = [(tree, frozenset())]
    visited: set[tuple[int, frozenset[str]]] = set()
    least, seen = None, 0
    while waiting:
        node, blamed = waiting.pop()
        seen += 1
        if seen > MAX_NODES:
            reject(f"the blame tree has more than {MAX_NODES} nodes")
        if type(node) is int:
            position = whole(node, "a shared node's position", 0, len(shared) - 1)
            if (position, blamed) in visited:
                continue
            visited.add((position, blamed))
            node = shared[position]
        if node is None:
            least = len(blamed) if least is None else min(least, len(blamed))
            continue
        position, children = fields(node, ("conflict", "children"), "a node of the blame tree")
        conflict = conflicts[whole(position, "a conflict's position", 0, len(conflicts) - 1)]
        if conflict & blamed:
            reject("a node of the blame tree blames a judge that is blamed above it")
        if not isinstance(children, Mapping) or set(children) != conflict:
            reject("a node of the blame tree must have one child for each member of its conflict")
        waiting += [(child, blamed | {name}) for name, child in children.items()]
    return least or 0


def check_chains(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> tuple[int, str]:
    """Two labels: judges whose intervals of key counts are disjoint cannot meet it together."""
    _, chains = fields(evidence, ("kind", "chains"), "chains evidence")
    if len(panel.labels) != 2:
        reject(f"chains need exactly two labels; the data has {len(panel.labels)}")
    program = Program(panel, claim)
    intervals = [key_interval(program, i) for i in range(program.n_judges)]
    listed = [name_list(chain, "a chain", panel.judges) for chain in array(chains, "chains")]
    named = name_list([name for chain in listed for name in chain], "judges of chains")
    for name, (low, high) in zip(panel.judges, intervals, strict=True):
        if name not in named and low <= high:
            reject(f"judge {quoted(name)} can meet it alone, so it must stand in a chain")
    for chain in listed:
        ends = [intervals[panel.judges.index(name)] for name in chain]
        last = -1
        for low, high in sorted(end for end in ends if end[0] <= end[1]):
            if low <= last:
                reject("two judges of one chain can meet it together")
            last = high
    reason = f"at most one judge of each chain can meet it; chains: {len(listed)}"
    return program.n_judges - len(listed), reason


def key_interval(program: Program, i: int) -> tuple[int, int]:
    """Interval that holds q of the first label whenever judge i meets its conditions."""
    low, high = program.total_held(i) - program.cap(i, 1), program.cap(i, 0)
    if low > high:  # D on the first label has nowhere to be
        return (1, 0)
    root = program.root()
    low = max(low, root.low[0], program.n_items - root.high[1])
    high = min(high + program.slack(i), root.high[0], program.n_items - root.low[1])
    return (low, high) if low <= high else (1, 0)


# A witness: the unknowns themselves, checked by addition.


@dataclass(frozen=True)
class Tables:
    """A proposed solution: items of each label, and `table[i][a][t]` for every judge."""

    key: list[int]
    table: list[list[list[int]]]


def check_witness(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> str:
    """Check a proposed solution against the data, then against every condition."""
    readers = {1: read_tables, 2: read_pairs, "full": read_cells}
    optional = ("judges",)
    tables = readers[claim.order](evidence, Program(panel, claim), optional)
    if claim.needed < len(panel.judges) or evidence.get("judges") is not None:
        names = name_list(evidence.get("judges"), "judges of the witness", panel.judges)
    else:
        names = panel.judges
    if len(names) < claim.needed:
        reject(f"the witness names {len(names)} judges; the claim asks for {claim.needed}")
    vacuous = check_conditions(tables, names, panel, claim)
    key = ", ".join(f"{quoted(a)} {n}" for a, n in zip(panel.labels, tables.key, strict=True))
    note = f" ({vacuous} of them vacuously, on labels with no item)" if vacuous else ""
    who = "" if len(names) == len(panel.judges) else f" {', '.join(quoted(n) for n in names)}"
    return f"the answer key {key} meets it{who and ' for'}{who}{note}"


def read_tables(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of order 1."""
    names = ("kind", "key_counts", "tables")
    _, key_counts, tables = fields(evidence, names, "the witness", optional)[:3]
    key = whole_table(key_counts, (program.n_labels,), "key_counts")
    shape = (program.n_judges, program.n_answers, program.n_labels)
    result = Tables(key, whole_table(tables, shape, "tables"))
    if sum(key) != program.n_items:
        reject(f"key_counts must sum to {program.n_items} items; got {sum(key)}")
    for i, table in enumerate(result.table):
        name = program.panel.judges[i]
        if tuple(map(sum, table)) != program.panel.answer_counts[i]:
            reject(f"the table of judge {quoted(name)} does not add up to its answers in the data")
        if min(unanswered(result, i)) < 0:
            reject(f"judge {quoted(name)} answers more items of a label than the answer key has")
    return result


def unanswered(tables: Tables, i: int) -> list[int]:
    """How many items of each label judge i left unanswered."""
    answered = [sum(column) for column in zip(*tables.table[i], strict=True)]
    return [q - n for q, n in zip(tables.key, answered, strict=True)]


def read_pairs(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of order 2: the tables of order 1 and those of each pair of judges."""
    pairs = array(evidence.get("pairs"), "pairs")
    single = {name: value for name, value in evidence.items() if name != "pairs"}
    tables = read_tables(single, program, optional)
    margins = [[*table, unanswered(tables, i)] for i, table in enumerate(tables.table)]
    codes = [*range(program.n_answers), UNANSWERED]
    expected = {(i, j) for j in range(program.n_judges) for i in range(j)}
    listed = []
    for entry in pairs:
        i, j, cells = array(entry, "a pair", 3)
        i, j = program.indices([i, j], "ij")
        listed.append((i, j))
        table = whole_table(cells, (len(codes), len(codes), program.n_labels), "a pair table")
        observed = program.pair_counts(i, j)
        if any(
            sum(table[a][b]) != observed[x, y]
            for a, x in enumerate(codes)
            for b, y in enumerate(codes)
        ):
            reject(f"the table of judges {i}, {j} does not add up to the pairs in the data")
        rows = [[sum(cell) for cell in zip(*row, strict=True)] for row in table]
        columns = [
            [sum(cell) for cell in zip(*column, strict=True)] for column in zip(*table, strict=True)
        ]
        if rows != margins[i] or columns != margins[j]:
            reject(f"the table of judges {i}, {j} does not agree with the tables of the two")
    if len(listed) != len(expected) or set(listed) != expected:
        reject("the witness must have one table for each two judges")
    return tables


def read_cells(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of full order: how many items of each decision tuple have each label."""
    _, cells = fields(evidence, ("kind", "cells"), "the witness", optional)[:2]
    rows = whole_table(cells, (len(program.tuples), program.n_labels), "cells")
    answers = [*range(program.n_answers), UNANSWERED]  # so that code -1 is the last place too
    said = [[[0 for _ in answers] for _ in program.panel.judges] for _ in range(program.n_labels)]
    for (codes, count), row in zip(program.tuples, rows, strict=True):
        if sum(row) != count:
            reject(f"a row of cells must sum to the {count} items of its tuple; got {sum(row)}")
        for by_judge, n in zip(said, row, strict=True):
            if n:
                for by_answer, code in zip(by_judge, codes, strict=True):
                    by_answer[code] += n
    key = [sum(column) for column in zip(*rows, strict=True)]
    judges, answered = range(program.n_judges), answers[:-1]
    return Tables(key, [[[table[i][a] for table in said] for a in answered] for i in judges])


def check_conditions(tables: Tables, names: Sequence[str], panel: Panel, claim: Claim) -> int:
    """Check each condition of the named judges; return how many hold with nothing to count."""
    vacuous = 0
    for c in claim.conditions:
        for count, total in quantities(c, tables, names, panel, claim.missing):
            vacuous += not total
            if total and not holds(c, count, total):
                reject(f"the witness does not meet {c}: it has {count} of {total}")
    for judge, label in claim.held:
        i, t = panel.judges.index(judge), panel.labels.index(label)
        left = unanswered(tables, i)[t] if claim.missing == "excluded" else 0
        if tables.key[t] - left < 1:
            reject(f"the witness does not hold judge {quoted(judge)} to an item of {quoted(label)}")
    return vacuous


def quantities(
    c: Condition, tables: Tables, names: Sequence[str], panel: Panel, missing: str
) -> list[tuple[int, int]]:
    """Count and the total of each quantity a condition covers."""
    labels = [t for t, label in enumerate(panel.labels) if c.label in (None, label)]
    if c.quantity == "prevalence":
        return [(tables.key[t], panel.n_items) for t in labels]
    result = []
    for i, name in enumerate(panel.judges):
        if name in names and c.judge in (None, name):
            left = unanswered(tables, i) if missing == "excluded" else [0] * len(panel.labels)
            pairs = [(tables.table[i][t][t], tables.key[t] - left[t]) for t in labels]
            whole_test = [(sum(n for n, _ in pairs), sum(total for _, total in pairs))]
            result += whole_test if c.quantity == "grade" else pairs
    return result


def holds(c: Condition, count: int, total: int) -> bool:
    """Whether count out of total meets the condition."""
    bound = c.value * total
    return (
        count >= bound if c.sense == ">=" else count > bound if c.sense == ">" else count <= bound
    )


# 6. Verdict ---------------------------------------------------------------------------------------


def check(certificate: Mapping[str, Any], panel: Panel) -> str:
    """Return what the certificate proves of the data, or reject it."""
    if "claim" not in certificate or "evidence" not in certificate:
        reject("a certificate must have a claim and evidence")
    claim = read_claim(certificate["claim"], panel)
    evidence = certificate["evidence"]
    words = claim.words()
    n_judges = len(panel.judges)
    scope = (
        f"{panel.n_items} item{'s' * (panel.n_items != 1)}, {n_judges} judge{'s' * (n_judges != 1)}, "
        f"order {claim.order}, missing {claim.missing}, "
        f"data {claim.data}"
    )
    if claim.verdict == "possible":
        kind_of(evidence, {"witness": None}, "evidence")
        reason = check_witness(evidence, panel, claim)
        who = (
            "" if claim.needed == n_judges else f" for at least {claim.needed} of {n_judges} judges"
        )
        return f"Verified ({scope}): possible{who}: {words}; {reason}."
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if kind == "conflicts":
        short, reason = check_conflicts(evidence, panel, claim)
    elif kind == "tallies":
        short, reason = check_tallies(evidence, panel, claim)
    else:
        short, reason = 1, refute(evidence, panel, claim)
    if short < n_judges - claim.needed + 1:
        reject(
            f"the evidence shows that at least {short} of {n_judges} judges fall short; "
            f"the claim needs {n_judges - claim.needed + 1}"
        )
    if claim.needed == n_judges:
        return f"Verified ({scope}): impossible whatever the answer key: {words}; {reason}."
    return (
        f"Verified ({scope}): whatever the answer key, at least {short} of {n_judges} judges fall "
        f"short of: {words}; {reason}."
    )


def verify(certificate: object, data: object = None) -> Verdict:
    """Check a certificate against the data it speaks of.

    Parameters
    ----------
    certificate : path, dict or object with ``to_dict()``
        An `algeval.certificate/1`, or an `algeval.inequality/1`, which speaks of no data.
    data : path, dict, votes, sketch, keyed sketch or summary
        What the certificate speaks of (or what `read_data` made of it, to read it once for many).

    Returns
    -------
    Verdict
        True when the claim is proved; its `sentence` says what was proved, or why nothing was.
        Nothing is raised for a bad certificate or bad data.
    """
    claim = None
    try:
        document = load(certificate, "certificate")
        if document.get("schema") == STATEMENT:
            claim = {name: document.get(name) for name in STATED}
            return Verdict(True, statement_checker()(document), claim)
        if document.get("schema") not in ("algeval.certificate/1", FLOOR):
            raise Unreadable(
                "the certificate must be an algeval.certificate/1, an algeval.floor/1 or an "
                "algeval.inequality/1; got "
                f"{shown(document.get('schema'))}; perhaps the two files are swapped"
            )
        claim = document.get("claim")
        if data is None:
            raise Unreadable("the data must be a JSON object named after the certificate; got none")
        checker = check_floor if document.get("schema") == FLOOR else check
        return Verdict(True, checker(document, read_data(data)), claim)
    except Unreadable as error:
        return Verdict(False, f"Unreadable: {error}.", claim, readable=False)
    except Rejected as error:
        return Verdict(False, f"Rejected: {error}.", claim)
    except (RecursionError, MemoryError, OverflowError, ValueError):
        return Verdict(False, "Rejected: the certificate is too deep or too large to check.", claim)


def statement_checker() -> Callable[[Mapping[str, Any]], str]:
    """Checker of certificates about all exams: in the file beside this one, wherever it was copied."""
    name = "algeval.verify_statements"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "verify_statements.py")
    with LOADING:
        if name not in sys.modules:
            spec = spec_from_file_location(name, path)
            if spec is None or spec.loader is None or not os.path.isfile(path):
                raise Unreadable(
                    f"statements are checked by {quoted(path)}, and there is no such file"
                )
            sys.modules["algeval.verify"] = sys.modules[__name__]  # whose functions that file uses
            sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        checker: Callable[[Mapping[str, Any]], str] = sys.modules[name].check_statement
    return checker


def read_once(path: str) -> object:
    """Data of a file; the path where it fails, so that `verify` says what is wrong."""
    try:
        return read_data(path)
    except (Rejected, Unreadable, RecursionError, MemoryError, OverflowError, ValueError):
        return path


def needs_data(path: str) -> bool:
    """Whether a file is anything but a certificate about all exams."""
    try:
        return load(path, "certificate").get("schema") != STATEMENT
    except Unreadable:
        return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m algeval.verify" if __spec__ else "verify.py",
        description="Check certificates, those about one exam against its data.",
    )
    parser.add_argument(
        "files",
        nargs="+",
        help="JSON files, schema algeval.inequality/1 or algeval.certificate/1; where there is one of "
        "the latter, last of all the data, schema algeval.sketch/1 or algeval.summary/1",
    )
    files = parser.parse_args(arguments).files
    data = None
    if len(files) > 1 and needs_data(files[-1]):
        data = read_once(files.pop())
    worst = 0
    for certificate in files:
        verdict = verify(certificate, data)
        worst = max(worst, 0 if verdict.ok else 1 if verdict.readable else 2)
        stream = sys.stdout if verdict.ok else sys.stderr
        if stream is not None:  # closed
            text = verdict.sentence.encode("ascii", "backslashreplace").decode("ascii")
            stream.write(text + "\n")
    return worst


class _CallableModule(ModuleType):
    """The module itself answers the call, so that ``algeval.verify(...)`` is the function.

    It shows the function's help, and is pickled by name.
    """

    def __call__(self, certificate: object, data: object = None) -> Verdict:
        return verify(certificate, data)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return verify.__doc__

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _CallableModule

if __name__ == "__main__":
    sys.exit(main())
