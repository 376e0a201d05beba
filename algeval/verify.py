"""Check a certificate against the data it speaks of: ``python3 verify.py cert.json data.json``.

These files stand alone: they need Python and nothing else, and import nothing of the package whose
verdicts they check (there it is called ``python -m algeval.verify``). They are written to be read from
top to bottom by somebody who does not trust us, and only as far as they need:

* `verify_alarm.py` checks alarms of order 1 and of full order, alone. Whoever checks one may stop there.
* This file builds on it: files that may be anything, judges seen together in twos and more, panels,
  witnesses, answer keys, wrong verdicts.
* `verify_statements.py` checks certificates about all exams, which need no data.

1. *Files*: JSON in, strictly; a sketch, a summary, or what holds one.
2. *Program*: the rows that orders between 1 and full order have beside those of `verify_alarm.py`.
3. *Evidence*: one short checker per kind. A certificate only chooses among rows that exist.
4. *Witnesses*: the unknowns themselves, checked by addition; answer keys, all of them or some.
5. *Verdict*: one sentence. Exit codes: 0 verified, 1 rejected, 2 unreadable input.

The format, and why each rule is sound, is written down in ``docs/reference/certificates.md``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import stat
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain, pairwise, product
from threading import RLock
from types import ModuleType
from typing import Any, ClassVar, NoReturn

LOADING = RLock()
"""Held while a file beside this one is loaded, for two threads may ask at once."""


def beside(name: str) -> ModuleType:
    """File of this name beside this one, wherever both were copied, as a module of the package."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    module = f"algeval.{name}"
    with LOADING:
        if module not in sys.modules:
            spec = spec_from_file_location(module, path)
            if spec is None or spec.loader is None or not os.path.isfile(path):
                what = "statements are" if name == "verify_statements" else "alarms are"
                raise FileNotFoundError(f"{what} checked by {path!r}, and there is no such file")
            sys.modules.setdefault("algeval.verify", sys.modules[__name__])
            sys.modules[module] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules[module])
        return sys.modules[module]


if __package__ != "algeval":
    beside("verify_alarm")

from algeval.verify_alarm import (  # noqa: E402
    ALARMS,
    BUDGET,
    LEAVES,
    MAX_BYTES,
    MAX_NODES,
    MAX_STEPS,
    UNANSWERED,
    Budget,
    Claim,
    Condition,
    Form,
    Leaf,
    Panel,
    Rejected,
    Row,
    Unknown,
    Unreadable,
    array,
    check_alarm,
    check_branches,
    check_digest,
    check_order,
    common_denominator,
    digest_of,
    distinct_keys,
    fields,
    fraction,
    is_alarm,
    kind_of,
    name_list,
    name_words,
    no_constant,
    panel_of,
    quoted,
    read_codes,
    read_panel,
    reject,
    scope_of,
    shown,
    spend,
    times,
    whole,
    whole_table,
)
from algeval.verify_alarm import Program as AlarmProgram  # noqa: E402
from algeval.verify_alarm import read_claim as read_alarm_claim  # noqa: E402

__all__ = ["Verdict", "main", "verify"]

FLOOR = "algeval.floor/1"
"""The schema of a certificate that some verdicts are wrong, whatever the answer key."""

STATEMENT = "algeval.inequality/1"
STATED = ("claim", "given", "define", "model", "judges", "labels")
"""The schema of a certificate about all exams, and the fields that say what it claims."""


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
    budget : str
        What a check may take: bytes of a file, steps, and seconds if somebody set a limit; and what
        this one took.
    """

    ok: bool
    sentence: str
    claim: Mapping[str, Any] | None = None
    readable: bool = True
    budget: str = field(default="", compare=False)

    def __bool__(self) -> bool:
        return self.ok


# 1. Files -----------------------------------------------------------------------------------------


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


def read_data(source: object) -> Panel:
    """Read a sketch, a keyed sketch or a summary; whatever is wrong with it, say so."""
    if isinstance(source, Panel):
        return source
    inner = getattr(source, "sketch", source)  # votes make a sketch, a keyed sketch holds one
    document = load(inner() if callable(inner) else inner, "data")
    if document.get("schema") == "algeval.keyed_sketch/1":
        document = load(document.get("sketch"), "data")
    panel = read_panel(document)
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


def nonnegative(value: object, what: str) -> Fraction:
    """Fraction that is not negative."""
    result = fraction(value, what)
    if result < 0:
        reject(f"{what} must not be negative; got {shown(value)}")
    return result


def read_claim(document: object, panel: Panel) -> Claim:
    """Read a claim, and which judges it holds to an item of which label."""
    if not isinstance(document, Mapping) or document.get("held") is None:
        alone = document
        if isinstance(document, Mapping):
            alone = {name: value for name, value in document.items() if name != "held"}
        return read_alarm_claim(alone, panel)
    claim = read_alarm_claim({k: v for k, v in document.items() if k != "held"}, panel)
    held = tuple(read_held(pair, panel) for pair in array(document["held"], "held"))
    return replace(claim, held=held)


def read_held(document: object, panel: Panel) -> tuple[str, str]:
    """Read a judge and a label of which the claim is about answer keys that hold the judge to it."""
    judge, label = fields(document, ("judge", "label"), "a judge and a label")
    name_list([judge], "the judge", panel.positions)
    name_list([label], "the label", panel.labels)
    return str(judge), str(label)


# 2. Program ---------------------------------------------------------------------------------------


def restrict(panel: Panel, names: Sequence[str]) -> Panel:
    """Counts of some of the judges, in the order named."""
    positions = [panel.positions[name] for name in names]
    if panel.tuples is None:
        counts = tuple(panel.answer_counts[i] for i in positions)
        return replace(panel, judges=tuple(names), answer_counts=counts)
    if len(names) == len(panel.judges) and positions == sorted(positions):
        return panel
    rows = together(panel, tuple(positions)).items()
    spend(len(positions) * (len(rows) + len(panel.answers)))
    return panel_of(tuple(names), panel.labels, panel.answers, rows)


def together(panel: Panel, positions: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """How often some of the judges gave each combination of answers; kept while there is room."""
    kept = vars(panel).setdefault("together", {})
    if "columns" not in kept:  # codes of each judge, by how often their tuple was seen
        rows: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        for codes, count in panel.tuples or ():
            rows[count].append(codes)
        kept |= {"columns": {n: list(zip(*alike, strict=True)) for n, alike in rows.items()}, "": 0}
    if positions not in kept:
        counts: Counter[tuple[int, ...]] = Counter()
        for n, columns in kept["columns"].items():
            for chosen, times in Counter(
                zip(*[columns[i] for i in positions], strict=True)
            ).items():
                counts[chosen] += n * times
        spend(len(panel.tuples or ()) * len(positions))
        kept[""] += len(counts) * (8 + len(positions)) // 8
        if kept[""] > MAX_KEPT:
            kept = vars(panel)["together"] = {"columns": kept["columns"], "": 0}
        kept[positions] = counts
    return kept[positions]  # type: ignore[no-any-return]


MAX_KEPT = 1_000_000
"""Numbers that are kept of what judges answered together."""


class Program(AlarmProgram):
    """The program of a claim of any order, of some judges, or of judges held to labels."""

    def __init__(self, panel: Panel, claim: Claim) -> None:
        super().__init__(panel, claim)
        self.sizes["h"] = len(claim.held)

    def pair_counts(self, i: int, j: int) -> Counter[tuple[int, ...]]:
        """How often judges i and j gave each pair of answers."""
        return together(self.panel, (i, j))

    def set_counts(self, judges: tuple[int, ...]) -> Counter[tuple[int, ...]]:
        """How often some judges gave each answers together."""
        return together(self.panel, judges)

    def upper(self, unknown: Unknown, leaf: Leaf) -> int:
        """Upper bound of an unknown: the observed count that contains it."""
        if unknown[0] == "p":
            return self.pair_counts(unknown[1], unknown[2])[unknown[3], unknown[4]]
        if unknown[0] == "s":
            return self.set_counts(unknown[1])[unknown[2]]
        return super().upper(unknown, leaf)

    def row(self, name: object, leaf: Leaf) -> Row:
        """Row a certificate names, rebuilt from the data and the claim."""
        kind, *indices = array(name, "a row id") or [None]
        if kind == "table":
            judges, answers = self.answers_of(array(indices, "a table", 2))
            return self._table(judges, answers)
        if kind == "margin":
            judges, j, answers, t = array(indices, "a margin", 4)
            return self._margin(*self.answers_of((judges, answers), without=j), j, t)
        return super().row(name, leaf)

    def answers_of(
        self, named: Sequence[object], without: object = None
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Three judges or more, in order, and an answer (or -1) of each, but for one left out."""
        judges = tuple(array(named[0], "the judges of a table"))
        self.indices(judges, "i" * len(judges))
        if len(judges) < 3 or any(i >= j for i, j in pairwise(judges)):
            reject("a table must name three judges or more, in order; two are a pair")
        self.need(len(judges))
        if without is not None and without not in judges:
            reject("a margin must leave out a judge of its table")
        answers = tuple(array(named[1], "the answers of a table"))
        self.indices(answers, "b" * (len(judges) - (without is not None)))
        return judges, answers

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
        """Pair tables exist from order 2 on, once for each two judges."""
        if i >= j:
            reject(f"a pair of judges must be named in order; got {i}, {j}")

    def _table(self, judges: tuple[int, ...], answers: tuple[int, ...]) -> Row:
        form = {("s", judges, answers, t): 1 for t in range(self.n_labels)}
        return Row(form, self.set_counts(judges)[answers], equality=True)

    def _margin(
        self, judges: tuple[int, ...], answers: tuple[int, ...], j: object, t: object
    ) -> Row:
        (left_out, label) = self.indices([j, t], "it")
        k = judges.index(left_out)
        rest = judges[:k] + judges[k + 1 :]
        form = {
            ("s", judges, (*answers[:k], b, *answers[k:]), label): 1
            for b in range(UNANSWERED, self.n_answers)
        }
        whole = ("p", *rest, *answers, label) if len(rest) == 2 else ("s", rest, answers, label)
        return Row(form | {whole: -1}, 0, equality=True)

    def _held(self, h: int) -> Row:
        judge, label = self.claim.held[h]
        if judge not in self.panel.judges:
            reject(f"the judge {quoted(judge)} is not among those the evidence speaks of")
        return Row(self.held(self.panel.positions[judge], self.panel.labels.index(label)), 1)

    ROWS: ClassVar[dict[str, Any]] = AlarmProgram.ROWS | {
        "pair": (_pair, "ijbb", 2),
        "left": (_left, "ijbt", 2),
        "right": (_right, "ijbt", 2),
        "held": (_held, "h", None),
    }

    def form(self, name: object) -> Form:
        """Whole-number quantity that a tree splits on."""
        kind, *indices = array(name, "a form") or [None]
        if kind == "pair":
            self.need(2)
            i, j, a, b, t = self.indices(indices, "ijbbt")
            self.check_pair(i, j)
            return {("p", i, j, a, b, t): 1}
        if kind == "table":
            judges, answers, t = array(indices, "a table with a label", 3)
            self.indices([t], "t")
            return {("s", *self.answers_of((judges, answers)), t): 1}
        return super().form(name)


# 3. Evidence --------------------------------------------------------------------------------------
#
# Each checker returns the reason in words, or rejects.


def check_chains_of_judges(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Two labels, every vote given: what one judge has right bounds what the next one has, and so on.

    Let q items have the first label, and judge i answer it on c of them. With pair counts N, c - c' is
    at most N[first, second], c + c' at most q + N[first, first] and at least q - N[second, second]. For
    each q one chain of judges ends in a lower bound for a judge's c, and one in a smaller upper bound.
    Both are linear in q, so that it suffices to look at both ends of a range; where it has one q, whole
    numbers are rounded on the way.
    """
    _, cases = fields(evidence, ("kind", "cases"), "chains of judges")
    if type(program.order) is not int or program.order < 2:
        reject("chains of judges rest on pairs of judges, which are known from order 2 on")
    if not program.n_labels == program.n_answers == 2 or any(program.panel.left):
        reject("chains of judges need two labels, no other answers, and every vote")
    low = max(leaf.low[0], program.n_items - leaf.high[1])
    most = min(leaf.high[0], program.n_items - leaf.low[1])
    for case in array(cases, "cases"):
        items, at_least, at_most = fields(case, ("items", "at_least", "at_most"), "a case")
        first, last = (whole(q, "a number of items", 0) for q in array(items, "items", 2))
        if first > low or last < first:
            reject(
                f"the cases must cover every number of items; {low} comes before {first}..{last}"
            )
        for q in (first, last):
            least = Chain(program, at_least, q, upper=False, rounded=first == last)
            greatest = Chain(program, at_most, q, upper=True, rounded=first == last)
            if least.upper or not greatest.upper or least.judge != greatest.judge:
                reject("a case must bound one judge from below and from above")
            if least.value <= greatest.value:
                reject(
                    f"with {q} items the chains leave {shown(least.value)}..{shown(greatest.value)}"
                )
        low = max(low, last + 1)
    if low <= most:
        reject(f"the cases must cover every number of items; they end before {low}")
    return f"chains of judges contradict one another, whatever q of the first label ({len(cases)} cases)"


class Chain:
    """A bound on how often a judge answers the first of two labels where it is true, and what follows."""

    def __init__(
        self, program: Program, chain: object, q: int, *, upper: bool, rounded: bool
    ) -> None:
        name, why, steps = array(chain, "a chain", 3)
        self.program, self.q, self.rounded = program, q, rounded
        self.judge = self.named(name)
        start = self.judge
        self.upper, self.value = (not upper, Fraction(0)) if why is None else self.bound(why)
        sign = 1  # of the first judge's own number, where the chain starts from that: c <= c, or c >= c
        for step in array(steps, "steps"):
            other, how = array(step, "a step", 2)
            sign = -sign if how == "together" else sign
            self.step(self.named(other), how)
        if why is None:
            if self.judge != start or sign > 0:
                reject("a chain without a bound must come back to its first judge, turned about")
            self.value /= 2
            if rounded:
                self.value = Fraction(
                    math.floor(self.value) if self.upper else math.ceil(self.value)
                )

    def named(self, name: object) -> int:
        """Position of a judge."""
        name_list([name], "a judge of a chain", self.program.panel.positions)
        return self.program.panel.positions[str(name)]

    def step(self, other: int, how: object) -> None:
        """From one judge to the next."""
        if other == self.judge or how not in ("apart", "together"):
            reject(f"a step must go to another judge, 'apart' or 'together'; got {shown(how)}")
        spend(1)
        both = self.program.pair_counts(self.judge, other)
        if how == "together":
            here = -both[1, 1] if self.upper else both[0, 0]
            self.value, self.upper = self.q + here - self.value, not self.upper
        else:
            self.value += both[1, 0] if self.upper else -both[0, 1]
        self.judge = other

    def bound(self, why: object) -> tuple[bool, Fraction]:
        """Bound on one judge: from its own answers, or from a condition."""
        kind, *indices = array(why, "a reason") or [None]
        own, n_items = self.program.panel.answer_counts[self.judge], self.program.n_items
        plain = {
            "none": (False, 0),
            "others": (False, self.q - own[1]),
            "all": (True, self.q),
            "answers": (True, own[0]),
        }
        if isinstance(kind, str) and kind in plain and not indices:
            upper, value = plain[kind]
            return upper, Fraction(value)
        if kind != "condition":
            reject(f"there is no reason {shown(kind)} for a bound")
        c, t = self.program.indices(indices, "c?")
        condition = self.program.conditions[c]
        x, upper = self.program.level(condition), condition.sense == "<="
        if condition.quantity == "grade" and t is None:
            self.program.check_covered(c, self.judge, None)
            right = math.floor(x * n_items) if upper else math.ceil(x * n_items)
            bound = Fraction(right - n_items + self.q + own[0], 2)
        elif condition.quantity == "accuracy":
            (t,) = self.program.indices([t], "t")
            self.program.check_covered(c, self.judge, t)
            others = n_items - self.q
            bound = x * self.q if t == 0 else own[0] - others + x * others
        else:
            reject("a bound on a judge is a condition on its accuracy or grade")
        if self.rounded:
            bound = Fraction(math.floor(bound) if upper else math.ceil(bound))
        return upper, bound


def check_together(evidence: Mapping[str, Any], program: Program, leaf: Leaf) -> str:
    """Judges at most as many as the order, but for copies: among them it sees whole decision tuples."""
    _, inner = fields(evidence, ("kind", "evidence"), "evidence of judges together")
    if type(program.order) is not int or program.order < 2:
        reject("judges are seen together from order 2 on; full order sees them anyway")
    differ = independent(program)
    if differ > program.order:
        reject(f"{differ} judges differ, more than order {program.order} sees together")
    full = Program(program.panel, replace(program.claim, order="full"))
    reason: str = kind_of(inner, ALARMS, "the evidence of judges together")(inner, full, leaf)
    return reason


def independent(program: Program) -> int:
    """How many judges are left when those whose answers follow from one other's are dropped.

    If j's answer is f(i's answer), then tables that hold i tell all that tables that hold j would: in every
    evaluation of order 2 or more n_ij(a, b; t) is 0 unless b = f(a).
    """
    columns = list(zip(*(codes for codes, _ in program.tuples), strict=True))
    left = list(range(len(columns)))

    def follows(i: int, j: int) -> bool:
        seen: dict[int, int] = {}
        spend(len(program.tuples))
        return all(seen.setdefault(a, b) == b for a, b in zip(columns[i], columns[j], strict=True))

    for j in reversed(range(len(columns))):
        if any(i != j and follows(i, j) for i in left):
            left.remove(j)
    return len(left)


REFUTATIONS: dict[str, Any] = ALARMS | {
    "together": check_together,
    "chains": check_chains_of_judges,
}


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
        names = name_list(judges, "judges of a conflict", panel.positions)
        if not names:
            reject("a conflict must name at least one judge")
        refute(reason, restrict(panel, names), claim, "the evidence of a conflict")
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
    if claim.missing == "excluded" and any(panel.left):
        reject("judges that left items out have grades of their own; tallies need the rule 'wrong'")
    needed = value * panel.n_items
    least = math.floor(needed) + 1 if sense == ">" else math.ceil(needed)
    n = len(panel.judges)
    commonest: Counter[int] = Counter()  # how many items have which most votes for one label
    for codes, count in panel.tuples:
        votes = Counter(code for code in codes if 0 <= code < len(panel.labels))
        commonest[max(votes.values(), default=0)] += count
    spend(n * (len(panel.tuples) + len(commonest)))
    able = max(
        s
        for s in range(n + 1)
        if s * least <= sum(min(s, m) * count for m, count in commonest.items())
    )
    return (
        n - able,
        f"{able + 1} judges with {least} right each need more than the commonest labels give",
    )


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
    judges = name_list(names, "judges of the claim", panel.positions)
    if not judges:
        reject("the claim must name at least one judge; it names none")
    part = restrict(panel, judges)
    kind, multipliers = fields(evidence, ("kind",), "the evidence", ("multipliers",))
    if kind != "tallies":
        reject(f"wrong verdicts are proved by tallies; got {shown(kind)}")
    each = [Fraction(1)] * len(judges)
    if weights is not None:
        each = [nonnegative(w, "a weight") for w in array(weights, "weights", len(judges))]
    if order == 1:
        if counts is not None or labelled is not None or multipliers is not None:
            reject("a claim of order 1 on wrong verdicts has no label counts and no labels")
        most = most_by_counts(part, each)
    else:
        most = most_right(part, each, counts, labelled, multipliers)
    stated_most = fraction(right, "the most that are right")
    if stated_most < most:
        reject(f"the tallies allow {shown(most)} right, more than the {shown(stated_most)} claimed")
    verdicts = sum(map(sum, part.answer_counts))
    if weights is not None:
        what = f"the weighted sum of right verdicts is at most {shown(stated_most)}"
        if is_mean(each, part):
            what = f"the mean of the judges' accuracies on what they answered is at most {shown(stated_most)}"
    else:
        wrong = verdicts - math.floor(stated_most)
        what = f"at least {wrong} of {verdicts} verdicts are wrong"
    provisos = ["each label is true of as many items as stated"] if counts is not None else []
    provisos += ["the labels stated are right"] if labelled is not None else []
    provided = f", provided that {' and that '.join(provisos)}" if provisos else ""
    who = f"{name_words('judge', judges)}; {name_words('label', panel.labels)}"
    scope = f"{panel.n_items} items; {who}; order {order}; data {stated}"
    return f"Verified ({scope}): whatever the answer key, {what}{provided}."


def is_mean(weights: Sequence[Fraction], panel: Panel) -> bool:
    """Whether the weighted sum of right verdicts is at least the mean of the judges' own accuracies."""
    answered = [sum(row) for row in panel.answer_counts]
    n = sum(a > 0 for a in answered)
    return all(w * a * n >= 1 for w, a in zip(weights, answered, strict=True) if a)


def most_right(
    panel: Panel, each: Sequence[Fraction], counts: object, labelled: object, multipliers: object
) -> Fraction:
    """Upper bound on the weighted number of right verdicts, whatever the answer key.

    An item of label t adds its tally of t less u_t; the u_t of all items are u_t times how many items are t.
    """
    n_labels = len(panel.labels)
    u = [Fraction(0)] * n_labels
    if multipliers is not None:
        u = [fraction(x, "a multiplier") for x in array(multipliers, "multipliers", n_labels)]
    scale = common_denominator([*each, *u])
    w, v = [times(x, scale) for x in each], [times(x, scale) for x in u]
    fixed = read_labelled(labelled, panel)
    total = 0
    spend(len(panel.tuples or ()) * (len(each) + n_labels))
    for codes, count in panel.tuples or ():
        right = [0] * n_labels
        for weight, code in zip(w, codes, strict=True):
            if 0 <= code < n_labels:
                right[code] += weight
        left = count
        for t, n in fixed.get(codes, {}).items():
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


def read_labelled(labelled: object, panel: Panel) -> dict[tuple[int, ...], dict[int, int]]:
    """How many items of a decision tuple (of these judges) are stated to have which label."""
    fixed: dict[tuple[int, ...], dict[int, int]] = {}
    for entry in array(() if labelled is None else labelled, "labels"):
        codes, label, count = array(entry, "a label of items", 3)
        stated = fixed.setdefault(read_codes(codes, len(panel.judges), len(panel.answers)), {})
        label = whole(label, "a label", 0, len(panel.labels) - 1)
        if label in stated:
            reject("labels of one decision tuple are stated twice")
        stated[label] = whole(count, "a count of labels", 1, panel.n_items)
    if not set(fixed) <= {codes for codes, _ in panel.tuples or ()}:
        reject("a decision tuple that is labelled is not in the data")
    return fixed


def most_by_counts(panel: Panel, each: Sequence[Fraction]) -> Fraction:
    """Most that right verdicts weigh by each judge's counts alone: the largest weights of {i : R_it >= j}."""
    runs = []
    for t in range(len(panel.labels)):
        counts = sorted(
            ((row[t], w) for row, w in zip(panel.answer_counts, each, strict=True)), reverse=True
        )
        weight = Fraction(0)
        for (high, w), (low, _) in zip(counts, [*counts[1:], (0, 0)], strict=True):
            weight += w
            runs.append((weight, high - low))
    total, left = Fraction(0), panel.n_items
    for value, length in sorted(runs, reverse=True):
        taken = min(left, length)
        total, left = total + value * taken, left - taken
    return total


def least_blamed(
    tree: object, conflicts: Sequence[frozenset[str]], shared: Sequence[object]
) -> int:
    """Length of the shortest path of a blame tree, checking every node once.

    Whoever falls short includes a member of each conflict; following that member down from the
    root meets one more such judge at every node, because a node's conflict avoids those above it.
    It avoids those blamed on each path that leads to it exactly where it avoids all of them at once, so
    that the union is all that need be known; and a path blames as many judges as it is long. Children
    stand behind their parents in `shared`, so that all paths to a node were followed when it is its turn.
    """
    bit = {name: k for k, name in enumerate(dict.fromkeys(chain(*conflicts)))}
    waiting: list[tuple[object, int, int]] = [(tree, 0, 0)]
    arrivals: dict[int, tuple[int, int]] = {}  # at a shared node: all judges above, shortest path
    lengths, seen = set(), 0
    for turn in range(-1, len(shared)):
        if turn in arrivals:
            waiting.append((shared[turn], *arrivals.pop(turn)))
        while waiting:
            node, above, length = waiting.pop()
            seen += 1
            spend(1 + len(bit) // 1000)
            if seen > MAX_NODES or (len(waiting) + len(arrivals)) * len(bit) > 8 * MAX_BYTES:
                reject(f"the blame tree has more than {MAX_NODES} nodes, or too many at a time")
            if type(node) is int:
                later = whole(node, "a shared node's position", turn + 1, len(shared) - 1)
                others, shorter = arrivals.get(later, (above, length))
                arrivals[later] = above | others, min(length, shorter)
                continue
            if node is None:
                lengths.add(length)
                continue
            position, children = fields(node, ("conflict", "children"), "a node of the blame tree")
            position = whole(position, "a conflict's position", 0, len(conflicts) - 1)
            if sum(1 << bit[name] for name in conflicts[position]) & above:
                reject("a node of the blame tree blames a judge that is blamed above it")
            if not isinstance(children, Mapping) or set(children) != conflicts[position]:
                reject(
                    "a node of the blame tree must have one child for each member of its conflict"
                )
            for name, child in children.items():
                waiting.append((child, above | 1 << bit[name], length + 1))
    return min(lengths, default=0)


def check_chains(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> tuple[int, str]:
    """Two labels: judges whose intervals of key counts are disjoint cannot meet it together."""
    _, chains = fields(evidence, ("kind", "chains"), "chains evidence")
    if len(panel.labels) != 2:
        reject(f"chains need exactly two labels; the data has {len(panel.labels)}")
    program = Program(panel, claim)
    intervals = [key_interval(program, i) for i in range(program.n_judges)]
    listed = [name_list(names, "a chain", panel.positions) for names in array(chains, "chains")]
    named = set(name_list([name for names in listed for name in names], "judges of chains"))
    for name, (low, high) in zip(panel.judges, intervals, strict=True):
        if name not in named and low <= high:
            reject(f"judge {quoted(name)} can meet it alone, so it must stand in a chain")
    for names in listed:
        ends = [intervals[panel.positions[name]] for name in names]
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


# 4. Witnesses -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tables:
    """A proposed solution: items of each label; how many of them each judge has right, and left out."""

    key: list[int]
    right: list[list[int]]
    left: list[list[int]]


def shown_by(
    evidence: Mapping[str, Any], panel: Panel, claim: Claim
) -> tuple[Tables, Sequence[str], int]:
    """Tables of a witness that meets the claim, its judges, and how many conditions have nothing to count."""
    reader = {1: read_tables, 2: read_pairs, "full": read_cells}.get(claim.order, read_sets)
    tables = reader(evidence, Program(panel, claim), ("judges",))
    if claim.needed < len(panel.judges) or evidence.get("judges") is not None:
        names = name_list(evidence.get("judges"), "judges of the witness", panel.positions)
    else:
        names = panel.judges
    if len(names) < claim.needed:
        reject(f"the witness names {len(names)} judges; the claim asks for {claim.needed}")
    return tables, names, check_conditions(tables, names, panel, claim)


def check_witness(evidence: Mapping[str, Any], panel: Panel, claim: Claim) -> str:
    """Check a proposed solution against the data, then against every condition."""
    tables, names, vacuous = shown_by(evidence, panel, claim)
    key = key_words(tables.key, panel)
    note = f" ({vacuous} of them vacuously, on labels with no item)" if vacuous else ""
    who = "" if len(names) == len(panel.judges) else f" {', '.join(quoted(n) for n in names)}"
    return f"the answer key {key} meets it{who and ' for'}{who}{note}"


def key_words(key: Sequence[int], panel: Panel) -> str:
    """Items of each label, in words."""
    return ", ".join(f"{quoted(a)} {n}" for a, n in zip(panel.labels, key, strict=True))


def check_keys(certificate: Mapping[str, Any], panel: Panel) -> str:
    """Which answer keys meet a specification: each listed one does, and if it says so no other."""
    more = ("keys", "every")
    document = certificate["claim"]
    listed, every = (document.get(name) for name in more)
    alone = {name: value for name, value in document.items() if name not in more}
    if alone.get("verdict") != "keys" or type(every) is not bool:
        reject("a claim on answer keys has the verdict 'keys', and 'every' is true or false")
    claim = read_claim(alone | {"verdict": "possible"}, panel)
    if claim.needed < len(panel.judges) or claim.held:
        reject("a claim on answer keys speaks of all judges, and holds none to a label")
    kind, witnesses, tree = fields(
        certificate["evidence"], ("kind", "witnesses"), "evidence of answer keys", ("tree",)
    )
    if kind != "keys" or (tree is not None) != every:
        reject("answer keys are shown by a witness each, and a tree where there are no others")
    keys = [tuple(whole_table(key, (len(panel.labels),), "a key")) for key in array(listed, "keys")]
    if not keys or len(set(keys)) < len(keys):
        reject("there must be answer keys, and each must stand once")
    for key, witness in zip(keys, array(witnesses, "witnesses", len(keys)), strict=True):
        kind_of(witness, {"witness": None}, "evidence of a key")
        tables, names, _ = shown_by(witness, panel, claim)
        if tuple(tables.key) != key or len(names) < len(panel.judges):
            reject(
                f"the witness has the key {list(tables.key)}, not {list(key)}, or leaves judges out"
            )
    text = "; ".join(key_words(key, panel) for key in keys[:SHOWN_KEYS])
    text += f"; and {len(keys) - SHOWN_KEYS} more" * (len(keys) > SHOWN_KEYS)
    if not every:
        what = f"at least these {len(keys)} answer keys meet {claim.words()}: {text}"
        return f"Verified ({scope_of(claim, panel)}): {what}."
    program = Program(panel, replace(claim, verdict="impossible"))
    ends = LEAVES | {"listed": partial(check_listed, frozenset(keys))}
    reason = check_branches({"kind": "branches", "tree": tree}, program, program.root(), ends)
    what = f"{len(keys)} answer keys meet {claim.words()}, and no other: {text}"
    reason = reason.replace("refuted", "refuted or listed")
    return f"Verified ({scope_of(claim, panel)}): {what}; {reason}."


def check_listed(
    keys: frozenset[tuple[int, ...]], evidence: Mapping[str, Any], program: Program, leaf: Leaf
) -> str:
    """One answer key is left, and it is listed."""
    fields(evidence, ("kind",), "a listed key")
    if leaf.low != leaf.high or leaf.low not in keys:
        reject(f"a part of the tree with the keys {leaf.low}..{leaf.high} is no listed key")
    return "a listed key"


SHOWN_KEYS = 20
"""How many answer keys a sentence lists."""


def read_tables(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of order 1."""
    return read_judges(evidence, program, optional)[0]


def read_judges(
    evidence: Mapping[str, Any], program: Program, optional: Sequence[str]
) -> tuple[Tables, list[list[list[int]]]]:
    """Read a witness of order 1, and `table[i][a][t]` for every judge, code -1 in the last place."""
    names = ("kind", "key_counts", "tables")
    _, key_counts, tables = fields(evidence, names, "the witness", optional)[:3]
    key = whole_table(key_counts, (program.n_labels,), "key_counts")
    tables = whole_table(tables, (program.n_judges, program.n_answers, program.n_labels), "tables")
    if sum(key) != program.n_items:
        reject(f"key_counts must sum to {program.n_items} items; got {sum(key)}")
    result = Tables(key, [], [])
    for i, table in enumerate(tables):
        name = program.panel.judges[i]
        if tuple(map(sum, table)) != program.panel.answer_counts[i]:
            reject(f"the table of judge {quoted(name)} does not add up to its answers in the data")
        left = [q - sum(column) for q, *column in zip(key, *table, strict=True)]
        if min(left) < 0:
            reject(f"judge {quoted(name)} answers more items of a label than the answer key has")
        result.right.append([table[t][t] for t in range(program.n_labels)])
        result.left.append(left)
        table.append(left)
    return result, tables


def read_pairs(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of order 2: the tables of order 1 and those of each pair of judges."""
    pairs = array(evidence.get("pairs"), "pairs")
    single = {name: value for name, value in evidence.items() if name != "pairs"}
    tables, margins = read_judges(single, program, optional)
    codes = [*range(program.n_answers), UNANSWERED]
    listed = set()
    for entry in pairs:
        i, j, cells = array(entry, "a pair", 3)
        i, j = program.indices([i, j], "ij")
        program.check_pair(i, j)
        listed.add((i, j))
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
    if not len(pairs) == len(listed) == math.comb(program.n_judges, 2):
        reject("the witness must have one table for each two judges")
    return tables


Cells = dict[tuple[int, ...], list[int]]  # answers of some judges: items of each label


def read_sets(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of order m >= 3: the tables of order 1 and those of every m judges.

    Those agree that differ in one judge; so all agree that share judges, exchanging one judge at a time.
    """
    sets = array(evidence.get("sets"), "sets")
    single = {name: value for name, value in evidence.items() if name != "sets"}
    tables, alone = read_judges(single, program, optional)
    size = int(program.order)
    listed: dict[tuple[int, ...], Cells] = {}
    for entry in sets:
        judges, cells = read_set(entry, size, program)
        listed[judges] = cells
        for k, i in enumerate(judges):
            own = margin(cells, (k,))
            for a in range(UNANSWERED, program.n_answers):  # code -1 is the last place of a table
                if own.get((a,), [0] * program.n_labels) != alone[i][a]:
                    name = quoted(program.panel.judges[i])
                    reject(f"the tables do not agree with that of judge {name}")
    if not len(sets) == len(listed) == math.comb(program.n_judges, size):
        reject(f"the witness must have one table for each {size} judges")
    for judges, k in product(listed, range(size)):
        check_agreement(listed, judges, k)
    return tables


def read_set(entry: object, size: int, program: Program) -> tuple[tuple[int, ...], Cells]:
    """Read some judges, in order, and their table, which adds up to the data."""
    names, rows = array(entry, "a table", 2)
    judges = tuple(program.indices(array(names, "the judges of a table", size), "i" * size))
    if any(i >= j for i, j in pairwise(judges)):
        reject(f"the judges of a table must be named in order; got {list(judges)}")
    cells = {}
    for row in array(rows, "the rows of a table"):
        answers, parts = array(row, "a row of a table", 2)
        answers = tuple(program.indices(array(answers, "answers", size), "b" * size))
        cells[answers] = whole_table(parts, (program.n_labels,), "a table")
    if {answers: sum(parts) for answers, parts in cells.items()} != program.set_counts(judges):
        reject(f"the table of judges {list(judges)} does not add up to their answers in the data")
    return judges, cells


def check_agreement(
    listed: Mapping[tuple[int, ...], Cells], judges: tuple[int, ...], k: int
) -> None:
    """Check that a table agrees with the one that has, in place of its k-th judge, the first it can.

    So all tables agree that have the other judges in common.
    """
    rest = judges[:k] + judges[k + 1 :]
    first = next(i for i in range(len(judges)) if i not in rest)
    other = tuple(sorted((*rest, first)))
    if other != judges:
        here, there = ([n for n, i in enumerate(names) if i in rest] for names in (judges, other))
        if margin(listed[judges], here) != margin(listed[other], there):
            reject(f"two tables of judges {list(rest)} and one more do not agree")


def margin(cells: Cells, columns: Sequence[int]) -> Cells:
    """Table of the judges in some columns."""
    result: Cells = {}
    for answers, parts in cells.items():
        chosen = tuple([answers[k] for k in columns])
        result[chosen] = [
            a + b for a, b in zip(result.get(chosen, [0] * len(parts)), parts, strict=True)
        ]
        spend(len(columns) + len(parts))
    return result


def read_cells(evidence: Mapping[str, Any], program: Program, optional: Sequence[str]) -> Tables:
    """Read a witness of full order: how many items of each decision tuple have each label."""
    _, cells = fields(evidence, ("kind", "cells"), "the witness", optional)[:2]
    rows = whole_table(cells, (len(program.tuples), program.n_labels), "cells")
    right, left = ([[0] * program.n_labels for _ in program.panel.judges] for _ in range(2))
    for (codes, count), row in zip(program.tuples, rows, strict=True):
        if sum(row) != count:
            reject(f"a row of cells must sum to the {count} items of its tuple; got {sum(row)}")
        for t, n in enumerate(row):
            if n:
                spend(len(codes))
                for i, code in enumerate(codes):
                    if code == t:
                        right[i][t] += n
                    elif code == UNANSWERED:
                        left[i][t] += n
    return Tables([sum(column) for column in zip(*rows, strict=True)], right, left)


def check_conditions(tables: Tables, names: Sequence[str], panel: Panel, claim: Claim) -> int:
    """Check each condition of the named judges; return how many hold with nothing to count."""
    vacuous, positions = 0, {name: panel.positions[name] for name in names}
    for c in claim.conditions:
        for count, total in quantities(c, tables, positions, panel, claim.missing):
            vacuous += not total
            if total and not holds(c, count, total):
                reject(f"the witness does not meet {c}: it has {count} of {total}")
    for judge, label in claim.held:
        i, t = panel.positions[judge], panel.labels.index(label)
        left = tables.left[i][t] if claim.missing == "excluded" else 0
        if tables.key[t] - left < 1:
            reject(f"the witness does not hold judge {quoted(judge)} to an item of {quoted(label)}")
    return vacuous


def quantities(
    c: Condition, tables: Tables, positions: Mapping[str, int], panel: Panel, missing: str
) -> list[tuple[int, int]]:
    """Count and the total of each quantity a condition covers."""
    labels = [t for t, label in enumerate(panel.labels) if c.label in (None, label)]
    if c.quantity == "prevalence":
        return [(tables.key[t], panel.n_items) for t in labels]
    result = []
    for i in (
        positions.values()
        if c.judge is None
        else [positions[n] for n in (c.judge,) if n in positions]
    ):
        spend(len(panel.labels))
        left = tables.left[i] if missing == "excluded" else [0] * len(panel.labels)
        pairs = [(tables.right[i][t], tables.key[t] - left[t]) for t in labels]
        whole_test = [(sum(n for n, _ in pairs), sum(total for _, total in pairs))]
        result += whole_test if c.quantity == "grade" else pairs
    return result


def holds(c: Condition, count: int, total: int) -> bool:
    """Whether count out of total meets the condition."""
    bound = c.value * total
    return (
        count >= bound if c.sense == ">=" else count > bound if c.sense == ">" else count <= bound
    )


# 5. Verdict ---------------------------------------------------------------------------------------


def check(certificate: Mapping[str, Any], panel: Panel) -> str:
    """Return what the certificate proves of the data, or reject it."""
    if "claim" not in certificate or "evidence" not in certificate:
        reject("a certificate must have a claim and evidence")
    if is_alarm(certificate, panel):
        return check_alarm(certificate, panel)
    if isinstance(certificate["claim"], Mapping) and "keys" in certificate["claim"]:
        return check_keys(certificate, panel)
    claim = read_claim(certificate["claim"], panel)
    evidence = certificate["evidence"]
    words = claim.words()
    n_judges = len(panel.judges)
    scope = scope_of(claim, panel)
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


def verify(certificate: object, data: object = None, *, seconds: float | None = None) -> Verdict:
    """Check a certificate against the data it speaks of.

    Parameters
    ----------
    certificate : path, dict or object with ``to_dict()``
        An `algeval.certificate/1`, or an `algeval.inequality/1`, which speaks of no data.
    data : path, dict, votes, sketch, keyed sketch or summary
        What the certificate speaks of (or what `read_data` made of it, to read it once for many).
    seconds : float or None
        Give up after so many seconds, and say so; by default only bytes and steps are limited.

    Returns
    -------
    Verdict
        True when the claim is proved; its `sentence` says what was proved, or why nothing was.
        Nothing is raised for a bad certificate or bad data.
    """
    BUDGET.set(Budget(seconds))
    verdict = _verdict(certificate, data)
    budget, limit = BUDGET.get(), "no limit" if seconds is None else f"at most {seconds}"
    took = (
        f"{budget.steps} of at most {MAX_STEPS} steps, {time.monotonic() - budget.started:.2f} seconds "
        f"({limit}), files of at most {MAX_BYTES} bytes"
    )
    return replace(verdict, budget=took)


def _verdict(certificate: object, data: object) -> Verdict:
    claim = None
    try:
        document = load(certificate, "certificate")
        if document.get("schema") == STATEMENT:
            claim = {name: document.get(name) for name in STATED}
            return Verdict(True, beside("verify_statements").check_statement(document), claim)
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
    except (Unreadable, FileNotFoundError) as error:
        return Verdict(False, f"Unreadable: {error}.", claim, readable=False)
    except Rejected as error:
        return Verdict(False, f"Rejected: {error}.", claim)
    except (RecursionError, MemoryError, OverflowError, ValueError):
        return Verdict(False, "Rejected: the certificate is too deep or too large to check.", claim)


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
    parser.add_argument(
        "--seconds", type=float, help="give up on a certificate after so many seconds, and say so"
    )
    options = parser.parse_args(arguments)
    files = options.files
    data = None
    if len(files) > 1 and needs_data(files[-1]):
        data = read_once(files.pop())
    worst = 0
    for certificate in files:
        verdict = verify(certificate, data, seconds=options.seconds)
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

    def __call__(
        self, certificate: object, data: object = None, *, seconds: float | None = None
    ) -> Verdict:
        return verify(certificate, data, seconds=seconds)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return verify.__doc__

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _CallableModule

if __name__ == "__main__":
    sys.exit(main())
