"""The language of statements: names, statistics, expressions."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, combinations, product
from math import prod
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, cast

import sympy

from algeval.algebra.correlation import Correlations, correlations
from algeval.data import Evaluation, KeyedSketch
from algeval.data.names import check_choice, check_names, check_whole
from algeval.errors import DataError, TooLargeError
from algeval.result import exact
from algeval.result.numbers import aligned, size_text
from algeval.result.numbers import expression as as_latex

# --- What a name stands for: a kind, and positions of judges, answers and a true label.


class Meaning(NamedTuple):
    """What a name stands for; judges, answers and label are positions, label None is "any".

    Kinds: P, rate, d, g, Q, f, n, share, Delta, Gamma, R; of statistics those in `statistics`.
    """

    kind: str
    judges: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()
    label: int | None = None


# --- Statistics that have a name of their own, as arithmetic on shares of items.
#
# Each formula is written once and works in any arithmetic with + - * / and whole numbers: in SymPy
# expressions for identities, in exact quotients of polynomials for inequalities. It asks for
# `share(label, judges, answers)`, the share of items with that true label (None: any) on which
# those judges gave those answers, and for `rate(judge, label)`, an accuracy.
#
# The positive label is the first one. ``Delta`` looks at whether a judge gave the second label.


Value = Any  # whatever the arithmetic computes with
Spelling = tuple[Meaning, str, str]  # what it stands for, the long name, the short name

_MOST_GROUPS = 4096
_MOST_IN_ODDS = 8
_OF_ONE = ("kappa",)
_OF_ONE_TWO_LABELS = ("rec", "prec", "npv", "F1", "Jac", "BA", "AUC", "J", "MCC2")


class Shares(Protocol):
    """An arithmetic in which statistics can be written."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Value:
        """Share of items with a true label on which judges gave answers."""

    def rate(self, judge: int, label: int) -> Value:
        """Judge's accuracy on a label."""


class InWords(NamedTuple):
    """Names of one kind, what they mean, and the words that people use for them."""

    names: tuple[str, ...]
    meaning: str
    words: tuple[str, ...] = ()


NAMES_IN_WORDS = (
    InWords(
        ("P_A",), "prevalence: share of items whose true label is A", ("prevalence", "base rate")
    ),
    InWords(
        ("P_iA",),
        "accuracy of judge i on items of true label A (recall, sensitivity; of the other label specificity)",
        ("sensitivity", "specificity", "recall", "tpr", "tnr"),
    ),
    InWords(
        ("P_{i,B|A}",),
        "error rate: share of the items of true label A that i calls B",
        ("fpr", "fnr", "error"),
    ),
    InWords(
        ("g_i",), "accuracy of judge i: share of items on which i is right", ("accuracy", "acc")
    ),
    InWords(("f_Ai",), "share of items that i calls A", ("positive rate",)),
    InWords(("f_AiBj", "f_AiBjAk"), "share of items that i calls A and j calls B (and k calls A)"),
    InWords(("f_AAB",), "share of items with these answers, in the order of the judges"),
    InWords(("Q", "Q_A"), "number of items; of true label A"),
    InWords(("n_AAB", "n_AAB_A"), "number of items with these answers; and of true label A"),
    InWords(("a_ij",), "agreement: share of items on which i and j say the same", ("agreement",)),
    InWords(
        ("unan", "unan_ij"),
        "share of items on which all judges, or those named, say the same",
        ("unanimity",),
    ),
    InWords(
        ("kappa_ij", "kappa_i"),
        "Cohen's kappa of two judges; of a judge with the truth",
        ("cohen",),
    ),
    InWords(("Delta_{i:A,j:B}",), "covariance of 'i says A' and 'j says B'", ("covariance",)),
    InWords(
        ("Gamma_ij_A",),
        "covariance of two judges being right among the items of true label A (0 if errors are independent)",
        ("correlation",),
    ),
    InWords(
        ("R_iA", "R_iA_B", "R_iA_jB", "R_iA_jB_A"),
        "counts of answers; with the true label last (axioms)",
    ),
    InWords(
        ("Delta_ij", "Delta_ijk"),
        "central moment of the second label's indicators (two labels)",
        ("moment",),
    ),
    InWords(
        ("d_i", "J_i"), "P_iA + P_iB - 1, Youden's index (two labels)", ("youden", "informedness")
    ),
    InWords(
        ("BA_i", "AUC_i"),
        "balanced accuracy, (P_iA + P_iB)/2 (two labels)",
        ("balanced accuracy", "roc"),
    ),
    InWords(
        ("prec_i", "rec_i", "npv_i"),
        "precision and recall of the first label, precision of the second (two labels)",
        ("precision", "ppv"),
    ),
    InWords(
        ("F1_i", "Jac_i"),
        "F1 and Jaccard index of the first label (two labels)",
        ("iou", "jaccard"),
    ),
    InWords(
        ("MCC2_i",),
        "Matthews' correlation coefficient, squared (two labels)",
        ("mcc", "phi", "matthews"),
    ),
    InWords(
        ("MV", "MV_ijk"),
        "share of items on which the majority is right (two labels, odd)",
        ("majority",),
    ),
    InWords(
        ("odds_AAB",), "odds of the first label given these answers (two labels)", ("posterior",)
    ),
)
"""Every kind of name in statements, of judges i, j, k and labels A, B."""


def spellings(judges: Sequence[str], labels: Sequence[str]) -> Iterator[Spelling]:
    """Yield every named statistic of these judges and labels."""
    two = len(labels) == 2
    for i, judge in enumerate(judges):
        for kind in (*_OF_ONE, *(_OF_ONE_TWO_LABELS if two else ())):
            yield Meaning(kind, (i,)), f"{kind}_{{{judge}}}", f"{kind}_{judge}"
    for chosen in combinations(range(len(judges)), 2):
        for kind in ("a", "kappa"):
            yield _of_group(kind, chosen, judges)
    yield from _marginals(judges, labels)
    yield from _of_groups(judges, two)
    if two:
        everyone = tuple(range(len(judges)))
        for u in product(range(2), repeat=len(judges)) if len(judges) <= _MOST_IN_ODDS else ():
            said = [labels[a] for a in u]
            yield (
                Meaning("odds", everyone, u),
                f"odds_{{{','.join(said)}}}",
                f"odds_{''.join(said)}",
            )


def _of_group(kind: str, chosen: tuple[int, ...], judges: Sequence[str]) -> Spelling:
    who = [judges[i] for i in chosen]
    return Meaning(kind, chosen), f"{kind}_{{{','.join(who)}}}", f"{kind}_{''.join(who)}"


def _marginals(judges: Sequence[str], labels: Sequence[str]) -> Iterator[Spelling]:
    """Yield shares of what two or three judges answered together, and covariances of two."""
    for size in (2, 3):
        for chosen in combinations(range(len(judges)), size):
            for answers in product(range(len(labels)), repeat=size):
                pairs = [(judges[i], labels[a]) for i, a in zip(chosen, answers, strict=True)]
                long = ",".join(f"{a}_{i}" for i, a in pairs)
                short = "f_" + "".join(a + i for i, a in pairs)
                yield Meaning("joint", chosen, answers), f"f_{{{long}}}", short
                if size == 2:
                    inside = ",".join(f"{i}:{a}" for i, a in pairs)
                    long = f"Delta_{{{inside}}}"
                    yield Meaning("covariance", chosen, answers), long, long


def _of_groups(judges: Sequence[str], two: bool) -> Iterator[Spelling]:
    """Yield unanimity and, for two labels and an odd number, the accuracy of the majority."""
    everyone = tuple(range(len(judges)))
    most = len(judges) if 2 ** len(judges) <= _MOST_GROUPS else 3
    yield Meaning("unan", everyone), "unan", "unan"
    if two and len(judges) % 2:
        yield Meaning("MV", everyone), "MV", "MV"
    for size in range(2, most + 1):
        for chosen in combinations(everyone, size):
            yield _of_group("unan", chosen, judges)
            if two and size % 2:
                yield _of_group("MV", chosen, judges)


def statistic(meaning: Meaning, shares: Shares) -> Value:
    """Named statistic in the arithmetic of `shares`."""
    return _FORMULAS[meaning.kind](meaning, shares)


def moment(judges: Sequence[int], shares: Shares) -> Value:
    """Mean of the product of (1 if the judge said the second label, else 0) - its mean."""
    single = {i: shares.joint(None, (i,), (1,)) for i in judges}
    total: Value = 0
    for size in range(len(judges) + 1):
        for chosen in combinations(judges, size):
            rest = prod(single[i] for i in judges if i not in chosen)
            together = shares.joint(None, chosen, (1,) * size) if chosen else 1
            total = total + (-1) ** (len(judges) - size) * together * rest
    return total


def covariance(meaning: Meaning, shares: Shares) -> Value:
    """How much oftener than by chance two judges gave two answers together."""
    single = [
        shares.joint(None, (i,), (a,)) for i, a in zip(meaning.judges, meaning.answers, strict=True)
    ]
    return shares.joint(None, meaning.judges, meaning.answers) - single[0] * single[1]


def _said(shares: Shares, judge: int, answer: int, label: int | None = None) -> Value:
    return shares.joint(label, (judge,), (answer,))


def _precision(meaning: Meaning, shares: Shares, label: int = 0) -> Value:
    i = meaning.judges[0]
    return _said(shares, i, label, label) / _said(shares, i, label)


def _f1(meaning: Meaning, shares: Shares) -> Value:
    i = meaning.judges[0]
    return 2 * _said(shares, i, 0, 0) / (shares.joint(0) + _said(shares, i, 0))


def _jaccard(meaning: Meaning, shares: Shares) -> Value:
    i = meaning.judges[0]
    both = _said(shares, i, 0, 0)
    return both / (shares.joint(0) + _said(shares, i, 0) - both)


def _youden_of_statistics(meaning: Meaning, shares: Shares) -> Value:
    i = meaning.judges[0]
    return shares.rate(i, 0) + shares.rate(i, 1) - 1


def _balanced(meaning: Meaning, shares: Shares) -> Value:
    i = meaning.judges[0]
    return (shares.rate(i, 0) + shares.rate(i, 1)) / 2


def _squared_correlation(meaning: Meaning, shares: Shares) -> Value:
    """Square of Matthews' correlation of a judge's answers with the key."""
    i = meaning.judges[0]
    above = _said(shares, i, 0, 0) - shares.joint(0) * _said(shares, i, 0)
    spread = shares.joint(0) * shares.joint(1) * _said(shares, i, 0) * _said(shares, i, 1)
    return above**2 / spread


def _agreement(meaning: Meaning, shares: Shares) -> Value:
    return sum(shares.joint(None, meaning.judges, (a, a)) for a in range(len(shares.labels)))


def _kappa(meaning: Meaning, shares: Shares) -> Value:
    """Cohen's kappa of two judges, or of one judge with the key."""
    *others, last = meaning.judges
    first: Callable[[int], Value] = (
        (lambda a: _said(shares, others[0], a)) if others else shares.joint
    )
    chance = sum(first(a) * _said(shares, last, a) for a in range(len(shares.labels)))
    agreed = (
        _agreement(meaning, shares)
        if others
        else sum(_said(shares, last, t, t) for t in range(len(shares.labels)))
    )
    return (agreed - chance) / (1 - chance)


def _majority(meaning: Meaning, shares: Shares) -> Value:
    """Share of items on which more than half of the judges are right."""
    cells = product(range(len(shares.labels)), product((0, 1), repeat=len(meaning.judges)))
    return sum(
        shares.joint(t, meaning.judges, u) for t, u in cells if 2 * u.count(t) > len(meaning.judges)
    )


def _unanimity(meaning: Meaning, shares: Shares) -> Value:
    size = len(meaning.judges)
    return sum(shares.joint(None, meaning.judges, (a,) * size) for a in range(len(shares.labels)))


def _odds(meaning: Meaning, shares: Shares) -> Value:
    return shares.joint(0, meaning.judges, meaning.answers) / shares.joint(
        1, meaning.judges, meaning.answers
    )


_FORMULAS: dict[str, Callable[[Meaning, Shares], Value]] = {
    "rec": lambda one, shares: shares.rate(one.judges[0], 0),
    "prec": _precision,
    "npv": lambda one, shares: _precision(one, shares, 1),
    "F1": _f1,
    "Jac": _jaccard,
    "kappa": _kappa,
    "BA": _balanced,
    "AUC": _balanced,
    "J": _youden_of_statistics,
    "MCC2": _squared_correlation,
    "a": _agreement,
    "MV": _majority,
    "unan": _unanimity,
    "odds": _odds,
    "joint": lambda one, shares: shares.joint(None, one.judges, one.answers),
    "covariance": covariance,
}


# --- A mapping whose values are made when they are first asked for.


Key = TypeVar("Key")
Computed = TypeVar("Computed")


class Lazy(Mapping[Key, Computed], Generic[Key, Computed]):
    """Keys in a fixed order, each with a function of no arguments that makes its value.

    Twelve judges have 33,000 names; an identity speaks of a handful.
    """

    def __init__(self, makers: Mapping[Key, Callable[[], Computed]]) -> None:
        self._makers = dict(makers)
        self._made: dict[Key, Computed] = {}

    def __getitem__(self, key: Key) -> Computed:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __iter__(self) -> Iterator[Key]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return f"Lazy({len(self)} keys)"


# --- Every name an identity may use, and what it stands for; nothing is computed here.
#
# A name stands for a `Meaning`: a kind, and positions of judges, answers and a true label. Each has
# a long spelling, ``P_{i,A}``, and where all names are single characters a short one, ``P_iA``; a
# short one that could mean two things is dropped.


_MOST_JUDGES_IN_A_COUNT = 4
_MOST_COMPARED = 5_000
_MOST_NAMES = 100  # each doubles the terms of a model, of which fewer than 2^17 are built


def name_judges(judges: int | Iterable[object]) -> tuple[str, ...]:
    """Names of judges; a number stands for the paper's i, j, k, ..., z.

    Above 18 judges, which no model reaches, it stands for 1, 2, 3, ...

    Examples
    --------
    >>> name_judges(3)
    ('i', 'j', 'k')
    """
    return _named("judge", judges, 1, string.ascii_lowercase[8:])


def name_labels(labels: int | Iterable[object]) -> tuple[str, ...]:
    """Names of labels; a number stands for A, B, C, ...

    Examples
    --------
    >>> name_labels(2)
    ('A', 'B')
    """
    return _named("label", labels, 2, string.ascii_uppercase)


def _named(kind: str, names: int | Iterable[object], least: int, letters: str) -> tuple[str, ...]:
    checked = None if isinstance(names, int) else check_names(kind, names)
    count = check_whole(f"{kind}s", names, least) if checked is None else len(checked)
    if count > _MOST_NAMES:
        raise TooLargeError(
            f"{kind}s must be at most {_MOST_NAMES}, which is more than any model is built for; got "
            f"{size_text(count)}; choose fewer"
        )
    if checked is not None:
        return checked
    return tuple(letters[:count] if count <= len(letters) else map(str, range(1, count + 1)))


def numbered(judges: Sequence[str]) -> tuple[str, ...] | None:
    """Return 1, 2, 3, ... if the judges are i, j, k, ...: another spelling of the same judges."""
    if tuple(judges) != name_judges(len(judges)):
        return None
    return tuple(map(str, range(1, len(judges) + 1)))


def rate_name(judge: str, label: str, answer: str) -> str:
    """Long name of an accuracy or error rate."""
    return f"P_{{{judge},{label}}}" if answer == label else f"P_{{{judge},{answer}|{label}}}"


def gamma_name(judges: Sequence[str], answers: Sequence[str], label: str) -> str:
    """Long name of a correlation; answers that are right are not named."""
    parts = [j if a == label else f"{j}:{a}" for j, a in zip(judges, answers, strict=True)]
    return "Gamma_{" + ",".join(parts) + "}^{(" + label + ")}"


class _Spellings:
    """Collects the names of one model."""

    def __init__(self, model: str, judges: Sequence[str], labels: Sequence[str]) -> None:
        self.model, self.judges, self.labels = model, judges, labels
        self.table: dict[str, Meaning] = {}
        self._short: dict[str, Meaning | None] = {}
        self._compact = all(len(name) == 1 and name.isalnum() for name in (*judges, *labels))
        self._decisions = list(product(range(len(labels)), repeat=len(judges)))

    def add(self, meaning: Meaning, name: str, short: str | None = None) -> None:
        self.table[name.replace(" ", "")] = meaning
        if short is not None and self._compact:
            present = self._short.setdefault(short, meaning)
            if present != meaning:
                self._short[short] = None

    def finish(self) -> dict[str, Meaning]:
        short = {name: meaning for name, meaning in self._short.items() if meaning is not None}
        return short | self.table

    def chosen(self, most: int, least: int = 1) -> Iterable[tuple[int, ...]]:
        n = len(self.judges)
        return chain.from_iterable(
            combinations(range(n), size) for size in range(least, min(n, most) + 1)
        )

    def single(self) -> None:
        """Add what is about the key, or about one judge."""
        self.add(Meaning("Q"), "Q")
        for t, label in enumerate(self.labels):
            self.add(Meaning("Q", label=t), f"Q_{label}")
            self.add(Meaning("P", label=t), f"P_{label}")
        for i, judge in enumerate(self.judges):
            self.add(Meaning("g", (i,)), f"g_{judge}")
            if len(self.labels) == 2:
                self.add(Meaning("d", (i,)), f"d_{judge}")
            for (t, label), (a, answer) in product(enumerate(self.labels), repeat=2):
                short = f"P_{judge}{label}" if a == t else None
                self.add(Meaning("rate", (i,), (a,), t), rate_name(judge, label, answer), short)
            for a, answer in enumerate(self.labels):
                self.add(
                    Meaning("share", (i,), (a,)), f"f_{{{answer}_{judge}}}", f"f_{answer}{judge}"
                )

    def decisions(self) -> None:
        """Add the frequency and the counts of every decision tuple."""
        everyone = tuple(range(len(self.judges)))
        for u in self._decisions:
            said = [self.labels[a] for a in u]
            long, short = ",".join(said), "".join(said)
            self.add(Meaning("f", everyone, u), f"f_{{{long}}}", f"f_{short}")
            self.add(Meaning("n", everyone, u), f"n_{{{long}}}", f"n_{short}")
            for t, label in enumerate(self.labels):
                self.add(
                    Meaning("n", everyone, u, t), f"n_{{{long};{label}}}", f"n_{short}_{label}"
                )

    def moments(self) -> None:
        """Add the central moments of two labels."""
        if len(self.labels) != 2:
            return
        for chosen in self.chosen(len(self.judges), 2):
            who = [self.judges[i] for i in chosen]
            self.add(
                Meaning("Delta", chosen), f"Delta_{{{','.join(who)}}}", f"Delta_{''.join(who)}"
            )

    def statistics(self) -> None:
        """Add what has a name of its own: precision, kappa, the majority's accuracy ..."""
        for meaning, long, short in spellings(self.judges, self.labels):
            plain = long.startswith(f"{meaning.kind}_{{") and short.isidentifier()
            if plain and len(meaning.judges) == 1:
                self.add(meaning, short)
            self.add(meaning, long, short)

    def gammas(self, most: int, free: Callable[[int], Iterable[int]]) -> None:
        """Add the correlations whose answers are free parameters, `free` by true label."""
        for chosen, (t, label) in product(self.chosen(most, 2), enumerate(self.labels)):
            who = [self.judges[i] for i in chosen]
            for answers in product(free(t), repeat=len(chosen)):
                said = [self.labels[a] for a in answers]
                right = set(answers) == {t}
                short = f"Gamma_{''.join(who)}_{label}" if right else None
                self.add(Meaning("Gamma", chosen, answers, t), gamma_name(who, said, label), short)

    def responses(self) -> None:
        """Add the counts R of answers of up to four judges."""
        for chosen in self.chosen(_MOST_JUDGES_IN_A_COUNT):
            for said in product(range(len(self.labels)), repeat=len(chosen)):
                pairs = [
                    (self.judges[i], self.labels[a]) for i, a in zip(chosen, said, strict=True)
                ]
                long = ",".join(f"({i},{a})" for i, a in pairs)
                long = long if len(pairs) > 1 else long[1:-1]
                short = "R_" + "_".join(i + a for i, a in pairs)
                self.add(Meaning("R", chosen, said), f"R_{{{long}}}", short)
                for t, label in enumerate(self.labels):
                    self.add(
                        Meaning("R", chosen, said, t), f"R_{{{long};{label}}}", f"{short}_{label}"
                    )


def spell(model: str, judges: Sequence[str], labels: Sequence[str]) -> dict[str, Meaning]:
    """Return {name: meaning} for a model, judges and labels as named."""
    names = _Spellings(model, judges, labels)
    names.single()
    names.moments()
    names.statistics()
    if model == "correlated":
        names.gammas(len(judges), lambda t: free_answers(len(labels), t))
    if model == "axioms":
        names.gammas(_MOST_JUDGES_IN_A_COUNT, lambda t: [t])
        names.responses()
    names.decisions()
    return names.finish()


def free_answers(n_labels: int, label: int) -> list[int]:
    """Answers whose rate is a parameter: all but the last wrong one."""
    dropped = n_labels - 1 if label != n_labels - 1 else n_labels - 2
    return [answer for answer in range(n_labels) if answer != dropped]


def spelling_with_numbers(
    model: str, judges: Sequence[str], labels: Sequence[str]
) -> dict[str, Meaning]:
    """Names in which judges i, j, k are 1, 2, 3; none for judges of other names."""
    numbers = numbered(judges)
    return {} if numbers is None else spell(model, numbers, labels)


def names_of_kinds(meanings: dict[str, Meaning]) -> list[str]:
    """Return one name of each kind, the shortest and first: what a reader needs to write others."""
    shown: dict[tuple[object, ...], str] = {}
    for name, meaning in meanings.items():
        right = meaning.kind == "rate" and meaning.answers == (meaning.label,)
        size = len(meaning.judges) if meaning.kind not in ("f", "n") else 0
        if size > 3:
            continue
        kind = (meaning.kind, size, meaning.label is None, right)
        if kind not in shown or len(name) < len(shown[kind]):
            shown[kind] = name
    return sorted(shown.values(), key=lambda name: (len(name), name))


def near_names(name: str, meanings: Iterable[str]) -> list[str]:
    """Up to three known names that look like `name`, those of the same family first."""
    present = list(meanings)
    heads = list(dict.fromkeys(meaning.split("_")[0] for meaning in present))
    head = name.split("_")[0]
    family = [h for h in heads if h.lower() == head.lower()] or get_close_matches(head, heads, 1)
    same = [meaning for meaning in present if meaning.split("_")[0] in family]
    wanted = _plain(name)
    pool: dict[str, str] = {}
    for meaning in same or present:
        pool.setdefault(_plain(meaning), meaning)
    keys = [meaning for meaning in pool if abs(len(meaning) - len(wanted)) <= 2]
    if len(keys) > _MOST_COMPARED:
        return []
    turned = [meaning for meaning in keys if sorted(meaning) == sorted(wanted)]
    alike = get_close_matches(wanted, keys, 3, 0.5)
    return [pool[meaning] for meaning in dict.fromkeys((*turned, *alike))][:3]


def in_words(name: str) -> InWords | None:
    """Names of which people would speak so: `accuracy_i` or `TPR_i`."""
    head = re.split(r"[_{]", name)[0].lower()
    return next((n for n in NAMES_IN_WORDS if head in [w.replace(" ", "") for w in n.words]), None)


def _plain(name: str) -> str:
    """Name without case and brackets, in which two spellings look the same."""
    return re.sub(r"\W", "", name.lower())


# --- The encode step: decision-tuple frequencies as polynomials in what judges know.
#
# Independent errors give Algebraic Evaluation's Theorem 0.1 (S55-S62) for any number of judges and labels.
# With every error correlation as a further unknown (`model="correlated"`) the polynomials describe
# any exam whatever; the rule that holds for two labels holds for any number, because it only
# expands ``1[u_i = a] = (1[u_i = a] - P_i(a)) + P_i(a)`` over the judges.


Model = Literal["independent", "correlated"]
Decision = tuple[str, ...]
AnyExpr = Any  # sympy.Expr; SymPy is untyped

_MOST_TERMS = 50_000


@dataclass(frozen=True, eq=False)
class Encoding:
    """Every decision-tuple frequency as a polynomial in the parameters.

    Attributes
    ----------
    judges, labels : tuple of str
        Names; answers are the labels.
    model : str
        "independent" or "correlated".
    prevalence : dict
        {label: expression}; the last is 1 minus the others (S84).
    response : dict
        {(judge, true label, answer): expression}; on each label one wrong answer is 1 minus the
        others, so that two labels leave one accuracy P_{i,A} per judge and label.
    gamma : dict
        {(((judge, answer), ...), label): expression}; empty for independent judges.
    frequency : dict
        {decision tuple: symbol}, f_{A,A,B} and so on.
    encoded : mapping
        {decision tuple: expression}, the right-hand sides, each made when it is first asked for.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    model: str
    prevalence: dict[str, AnyExpr]
    response: dict[tuple[str, str, str], AnyExpr]
    gamma: dict[tuple[tuple[tuple[str, str], ...], str], AnyExpr]
    frequency: dict[Decision, AnyExpr]
    encoded: Mapping[Decision, AnyExpr]

    @cached_property
    def parameters(self) -> tuple[AnyExpr, ...]:
        """The unknowns: prevalences, accuracies and error rates, then correlations."""
        tables = (self.prevalence, self.response, self.gamma)
        results: list[AnyExpr] = []
        for table in tables:
            results += [value for value in table.values() if value.is_Symbol]
        return tuple(dict.fromkeys(results))

    @cached_property
    def polynomials(self) -> tuple[AnyExpr, ...]:
        """The generating set f_t - enc_t(parameters), one polynomial per decision tuple."""
        return tuple(f - self.encoded[t] for t, f in self.frequency.items())

    def share_of_label(self, decision: Decision, label: str) -> AnyExpr:
        """Share of one label's items that get one decision tuple."""
        return _given(decision, label, self.judges, self.response, self.gamma)

    def latex(self, expression: AnyExpr) -> str:
        """Expression as LaTeX in the paper's notation."""
        return as_latex(expression, most=None)

    def _repr_latex_(self) -> str:
        return aligned(
            (as_latex(f), as_latex(self.encoded[t]), "") for t, f in self.frequency.items()
        )

    def values(self, source: KeyedSketch | Evaluation | Correlations) -> dict[AnyExpr, Fraction]:
        """Exact value of every parameter on an exam or evaluation.

        A label that does not occur gets accuracy and correlation 0, as in Algebraic Evaluation, S53.
        An `Evaluation` holds no correlations and fits the independent model only.
        """
        result: Correlations | None = None
        if isinstance(source, KeyedSketch):
            result = correlations(source)
        elif isinstance(source, Correlations):
            result = source
        evaluation = source if isinstance(source, Evaluation) else result.evaluation  # type: ignore[union-attr]
        self._check(evaluation, result)
        values = _evaluation_values(self, evaluation)
        for (chosen, label), symbol in self.gamma.items():
            if symbol.is_Symbol and result is not None:
                judges, answers = zip(*chosen, strict=True)
                who = [evaluation.judges[self.judges.index(judge)] for judge in judges]
                values[symbol] = result.of(who, label, answers)
        return values

    def _check(self, evaluation: Evaluation, correlations_: Correlations | None) -> None:
        judges = (self.judges, numbered(self.judges))
        if evaluation.judges not in judges or evaluation.answers != self.labels:
            raise DataError(
                f"judges and answers must be {list(self.judges)} and {list(self.labels)}; got "
                f"{list(evaluation.judges)} and {list(evaluation.answers)}; encode with those names"
            )
        if not evaluation.exact:
            raise DataError("the evaluation must hold exact fractions; got floats; give Fractions")
        if self.model == "correlated" and correlations_ is None:
            raise DataError(
                "the correlated model must see correlations; got an Evaluation; give keyed counts "
                "or Correlations"
            )

    def frequencies(
        self, source: KeyedSketch | Evaluation | Correlations | Mapping[Any, object]
    ) -> dict[Decision, Fraction]:
        """Exact frequency of every decision tuple that the parameters produce.

        Parameters
        ----------
        source : KeyedSketch, Evaluation, Correlations or mapping
            Where the parameters come from; a mapping gives them by symbol or by printed name.
        """
        if isinstance(source, Mapping):
            options = {
                self._numbered.get(str(name), str(name)): exact(value, str(name))
                for name, value in source.items()
            }
            missing = [s.name for s in self.parameters if s.name not in options]
            if missing:
                raise DataError(
                    f"the parameters must all have values; got none for {missing[0]}; add it"
                )
            arguments = [options[s.name] for s in self.parameters]
        else:
            values = self.values(source)
            arguments = [values[s] for s in self.parameters]
        result = self._evaluator(*arguments)
        return dict(zip(self.frequency, map(Fraction, result), strict=True))

    @cached_property
    def _numbered(self) -> dict[str, str]:
        """{name of a parameter with judges 1, 2, 3: the same with i, j, k}."""
        numbers = numbered(self.judges)
        if numbers is None:
            return {}
        other = encode(numbers, self.labels, model=cast(Model, self.model))
        pairs = zip(other.parameters, self.parameters, strict=True)
        return {old.name: new.name for old, new in pairs if old.name != new.name}

    @cached_property
    def _evaluator(self) -> Any:
        # Only whole numbers occur in the expressions, so fractions go in and fractions come out.
        plain = {s: sympy.Symbol(f"v{index}") for index, s in enumerate(self.parameters)}
        rows = [value.xreplace(plain) for value in self.encoded.values()]
        return sympy.lambdify(list(plain.values()), rows, modules=[{}])


def _evaluation_values(encoding: Encoding, evaluation: Evaluation) -> dict[AnyExpr, Fraction]:
    values: dict[AnyExpr, Fraction] = {}
    for t, label in enumerate(encoding.labels):
        if encoding.prevalence[label].is_Symbol:
            values[encoding.prevalence[label]] = Fraction(evaluation.prevalence[t])
    for (judge, label, answer), symbol in encoding.response.items():
        if symbol.is_Symbol:
            index = (
                encoding.judges.index(judge),
                encoding.labels.index(label),
                encoding.labels.index(answer),
            )
            value = evaluation.confusion[index]
            values[symbol] = Fraction(0) if value is None else Fraction(value)
    return values


def encode(
    judges: int | Iterable[object] = 3,
    labels: int | Iterable[object] = 2,
    *,
    model: Model = "independent",
) -> Encoding:
    """Polynomials that encode an exam into decision-tuple frequencies.

    Parameters
    ----------
    judges, labels : int or sequence of str
        How many, or their names.
    model : {"independent", "correlated"}
        Whether errors are independent given the true label, or correlated in any way, every
        correlation of every order being a parameter.

    Returns
    -------
    Encoding
        Symbols, polynomials, and exact numbers in both directions.

    Raises
    ------
    TooLargeError
        If the polynomials would have more than 50,000 products.

    Notes
    -----
    Algebraic Evaluation, Theorem 0.1 (S55-S62); the correlations are those of S44 and S45.

    Examples
    --------
    >>> encode(1).polynomials[0]
    -P_A*P_{i,A} + f_{A} - (1 - P_A)*(1 - P_{i,B})
    """
    judges, labels = name_judges(judges), name_labels(labels)
    check_choice("model", model, ("independent", "correlated"))
    n_labels = len(labels)
    n_judges = len(judges)
    terms = n_labels ** (n_judges + 1) * (2**n_judges if model == "correlated" else 1)
    if terms > _MOST_TERMS:
        raise TooLargeError(
            f"the {model} encoding of {n_judges} judges and {n_labels} labels has {terms} products; "
            f"at most {_MOST_TERMS} are built; choose fewer judges or labels"
        )
    prevalence: dict[str, AnyExpr] = {label: sympy.Symbol(f"P_{label}") for label in labels[:-1]}
    prevalence[labels[-1]] = 1 - sympy.Add(*prevalence.values())
    response = _responses(judges, labels)
    gamma = _gammas(judges, labels) if model == "correlated" else {}
    decisions = list(product(labels, repeat=len(judges)))
    frequency = {t: sympy.Symbol("f_{" + ",".join(t) + "}") for t in decisions}
    encoded = Lazy(
        {t: partial(_encoded, t, judges, prevalence, response, gamma) for t in decisions}
    )
    return Encoding(judges, labels, model, prevalence, response, gamma, frequency, encoded)


def _responses(judges: Sequence[str], labels: Sequence[str]) -> dict[tuple[str, str, str], AnyExpr]:
    table: dict[tuple[str, str, str], AnyExpr] = {}
    for judge, label in product(judges, labels):
        free = {
            answer: sympy.Symbol(rate_name(judge, label, answer)) for answer in _free(labels, label)
        }
        for answer in labels:
            value = free.get(answer, 1 - sympy.Add(*free.values()))
            table[judge, label, answer] = value
    return table


def _free(labels: Sequence[str], label: str) -> list[str]:
    return [labels[a] for a in free_answers(len(labels), labels.index(label))]


def _gammas(
    judges: Sequence[str], labels: Sequence[str]
) -> dict[tuple[tuple[tuple[str, str], ...], str], AnyExpr]:
    """Every correlation; those with a dropped answer are minus the sum of the others."""
    table: dict[tuple[tuple[tuple[str, str], ...], str], AnyExpr] = {}
    for size in range(2, len(judges) + 1):
        for chosen, label in product(combinations(judges, size), labels):
            free = _free(labels, label)
            for answers in product(labels, repeat=size):
                choices = [[a] if a in free else free for a in answers]
                sign = (-1) ** sum(a not in free for a in answers)
                symbols = [
                    sympy.Symbol(gamma_name(chosen, values, label)) for values in product(*choices)
                ]
                table[tuple(zip(chosen, answers, strict=True)), label] = sign * sympy.Add(*symbols)
    return table


def _encoded(
    decision: Decision,
    judges: Sequence[str],
    prevalence: Mapping[str, AnyExpr],
    response: Mapping[tuple[str, str, str], AnyExpr],
    gamma: Mapping[tuple[tuple[tuple[str, str], ...], str], AnyExpr],
) -> AnyExpr:
    """Share of all items that get one decision tuple."""
    parts = (p * _given(decision, t, judges, response, gamma) for t, p in prevalence.items())
    return sympy.Add(*parts)


def _given(
    decision: Decision,
    label: str,
    judges: Sequence[str],
    response: Mapping[tuple[str, str, str], AnyExpr],
    gamma: Mapping[tuple[tuple[tuple[str, str], ...], str], AnyExpr],
) -> AnyExpr:
    """Share of one label's items that get one decision tuple."""
    said = dict(zip(judges, decision, strict=True))
    rates = {judge: response[judge, label, answer] for judge, answer in said.items()}
    total = sympy.Mul(*rates.values())
    if not gamma:
        return total
    terms = [total]
    for size in range(2, len(judges) + 1):
        for chosen in combinations(judges, size):
            shared = gamma[tuple((j, said[j]) for j in chosen), label]
            terms.append(shared * sympy.Mul(*(rates[j] for j in judges if j not in chosen)))
    return sympy.Add(*terms)


# --- What names stand for, as expressions: in an encoding's parameters, or in counts by true label.
#
# Both classes answer the same four questions: what the parameters are, which symbol an observable has,
# what it is made of, and what expression a name stands for. Nothing is kept; whoever asks does.


_MOST_JUDGES_OF_A_SYMBOL = 4
"""Moments and counts of more judges have no symbol of their own: they are written out."""

Expr = Any  # sympy.Expr; SymPy is untyped


class EncodedNames:
    """Expressions of the models with parameters: prevalences, rates and correlations."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self.model, self.judges, self.labels = encoding.model, encoding.judges, encoding.labels
        self._total = sympy.Symbol("Q")

    def parameters(self) -> Iterator[tuple[Expr, Meaning]]:
        """Yield every unknown with its meaning: prevalences, rates, correlations, items."""
        result = self.encoding
        judge = {name: index for index, name in enumerate(self.judges)}
        label = {name: index for index, name in enumerate(self.labels)}
        for t, symbol in result.prevalence.items():
            yield from self._if_free(symbol, Meaning("P", label=label[t]))
        for (i, t, a), symbol in result.response.items():
            yield from self._if_free(symbol, Meaning("rate", (judge[i],), (label[a],), label[t]))
        for (chosen, t), symbol in result.gamma.items():
            if symbol.is_Symbol:
                who, said = zip(*((judge[i], label[a]) for i, a in chosen), strict=True)
                yield symbol, Meaning("Gamma", who, said, label[t])
        yield self._total, Meaning("Q")

    @staticmethod
    def _if_free(symbol: Expr, meaning: Meaning) -> Iterator[tuple[Expr, Meaning]]:
        if symbol.is_Symbol:
            yield symbol, meaning

    def observable(self, meaning: Meaning) -> Expr | None:
        """Symbol of what is counted or made of counts, None for an abbreviation."""
        if meaning.kind == "f":
            return self.encoding.frequency[self._said(meaning.answers)]
        if meaning.kind == "share":
            return sympy.Symbol(
                f"f_{{{self.labels[meaning.answers[0]]}_{self.judges[meaning.judges[0]]}}}"
            )
        if meaning.kind == "Delta" and len(meaning.judges) <= _MOST_JUDGES_OF_A_SYMBOL:
            return sympy.Symbol(f"Delta_{{{','.join(self.judges[i] for i in meaning.judges)}}}")
        return None

    def _said(self, answers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.labels[a] for a in answers)

    def definition(self, meaning: Meaning) -> Expr:
        """Return what an observable is made of."""
        if meaning.kind == "f":
            return self.encoding.encoded[self._said(meaning.answers)]
        if meaning.kind == "share":
            return self._together(meaning.judges, meaning.answers)
        raw = self._together(meaning.judges, (1,) * len(meaning.judges))
        return _central_moment(meaning.judges, raw, self._share_of_second, self._moment)

    def _together(self, judges: Sequence[int], answers: Sequence[int]) -> Expr:
        pairs = list(zip(judges, (self.labels[a] for a in answers), strict=True))
        table = self.encoding.frequency.items()
        return sympy.Add(*(f for u, f in table if all(u[i] == a for i, a in pairs)))

    def _share_of_second(self, judge: int) -> Expr:
        return self.observable(Meaning("share", (judge,), (1,)))

    def _moment(self, judges: tuple[int, ...]) -> Expr:
        return self.observable(Meaning("Delta", judges))

    def value(self, meaning: Meaning) -> Expr:
        """Expression a name stands for."""
        symbol = self.observable(meaning)
        return _written_out(self, meaning) if symbol is None else symbol

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Expr:
        """Share of items with a true label on which judges gave answers."""
        if label is None and len(judges) == 1:
            return self.observable(Meaning("share", tuple(judges), tuple(answers)))
        if label is None:
            return self._together(judges, answers)
        name = self.labels[label]
        if len(judges) < 2:
            rate = self._told(label, judges, answers) if judges else sympy.Integer(1)
            return self.encoding.prevalence[name] * rate
        parts = [
            self.encoding.share_of_label(u, name)
            for u in self.encoding.frequency
            if all(u[i] == self.labels[a] for i, a in zip(judges, answers, strict=True))
        ]
        return self.encoding.prevalence[name] * sympy.Add(*parts)

    def _told(self, label: int, judges: Sequence[int], answers: Sequence[int]) -> Expr:
        return self._rate(Meaning("rate", tuple(judges), tuple(answers), label))

    def rate(self, judge: int, label: int) -> Expr:
        """Judge's accuracy on a label."""
        return self._told(label, (judge,), (label,))

    def _delta(self, meaning: Meaning) -> Expr:
        return moment(meaning.judges, self)

    def _p(self, meaning: Meaning) -> Expr:
        return self.encoding.prevalence[self._label(meaning)]

    def _q(self, meaning: Meaning) -> Expr:
        return self._total if meaning.label is None else self._total * self._p(meaning)

    def _label(self, meaning: Meaning) -> str:
        return self.labels[meaning.label or 0]

    def _rate(self, meaning: Meaning) -> Expr:
        key = (
            self.judges[meaning.judges[0]],
            self._label(meaning),
            self.labels[meaning.answers[0]],
        )
        return self.encoding.response[key]

    def _d(self, meaning: Meaning) -> Expr:
        return _youden(self._rate, meaning.judges[0])

    def _g(self, meaning: Meaning) -> Expr:
        return _grade(self._p, self._rate, meaning.judges[0], len(self.labels))

    def _gamma(self, meaning: Meaning) -> Expr:
        who = (self.judges[i] for i in meaning.judges)
        chosen = tuple(zip(who, self._said(meaning.answers), strict=True))
        return self.encoding.gamma[chosen, self._label(meaning)]

    def _n(self, meaning: Meaning) -> Expr:
        said = self._said(meaning.answers)
        if meaning.label is None:
            return self._total * self.encoding.frequency[said]
        label = self._label(meaning)
        share = self.encoding.prevalence[label] * self.encoding.share_of_label(said, label)
        return self._total * share


class CountedNames:
    """Expressions in the counts of No-Knowledge Alarms: n by tuple and label, and what they add up to."""

    model, encoding = "axioms", None

    def __init__(self, judges: tuple[str, ...], labels: tuple[str, ...]) -> None:
        self.judges, self.labels = judges, labels
        self._everyone = tuple(range(len(judges)))
        decisions = product(range(len(labels)), repeat=len(judges))
        cells = [Meaning("n", self._everyone, u, t) for u in decisions for t in range(len(labels))]
        self._cells = {cell: sympy.Symbol(self._name(cell)) for cell in cells}

    def parameters(self) -> Iterator[tuple[Expr, Meaning]]:
        """Yield every count by decision tuple and true label."""
        for cell, symbol in self._cells.items():
            yield symbol, cell

    def _name(self, meaning: Meaning) -> str:
        label = "" if meaning.label is None else ";" + self.labels[meaning.label]
        said = [self.labels[a] for a in meaning.answers]
        if meaning.kind == "n":
            return f"n_{{{','.join(said)}{label}}}"
        if meaning.kind == "Q":
            return "Q" + label.replace(";", "_")
        pairs = [f"{self.judges[i]},{a}" for i, a in zip(meaning.judges, said, strict=True)]
        inside = pairs[0] if len(pairs) == 1 else ",".join(f"({pair})" for pair in pairs)
        return f"R_{{{inside}{label}}}"

    def observable(self, meaning: Meaning) -> Expr | None:
        """Symbol of a count, None for what is made of counts."""
        if meaning.kind not in ("Q", "n", "R"):
            return None
        return self._cells.get(meaning) or sympy.Symbol(self._name(meaning))

    def definition(self, meaning: Meaning) -> Expr:
        """Cells that a count is the sum of."""
        parts = [
            symbol
            for cell, symbol in self._cells.items()
            if meaning.label in (None, cell.label)
            and all(
                cell.answers[i] == a for i, a in zip(meaning.judges, meaning.answers, strict=True)
            )
        ]
        return sympy.Add(*parts)

    def value(self, meaning: Meaning) -> Expr:
        """Expression a name stands for."""
        symbol = self.observable(meaning)
        return _written_out(self, meaning) if symbol is None else symbol

    def joint(
        self, label: int | None, judges: Sequence[int] = (), answers: Sequence[int] = ()
    ) -> Expr:
        """Share of items with a true label on which judges gave answers."""
        if not judges:
            return self._p(Meaning("P", label=label))
        return self._count(tuple(judges), tuple(answers), label) / self._key()

    def rate(self, judge: int, label: int) -> Expr:
        """Judge's accuracy on a label."""
        return self._rate(Meaning("rate", (judge,), (label,), label))

    def _key(self, label: int | None = None) -> Expr:
        return self.observable(Meaning("Q", label=label))

    def _count(
        self, judges: tuple[int, ...], answers: tuple[int, ...], label: int | None = None
    ) -> Expr:
        counted = Meaning("R", judges, answers, label)
        few = len(judges) <= _MOST_JUDGES_OF_A_SYMBOL
        return self.observable(counted) if few else self.definition(counted)

    def _p(self, meaning: Meaning) -> Expr:
        return self._key(meaning.label) / self._key()

    def _rate(self, meaning: Meaning) -> Expr:
        return self._count(meaning.judges, meaning.answers, meaning.label) / self._key(
            meaning.label
        )

    def _f(self, meaning: Meaning) -> Expr:
        return self.observable(Meaning("n", meaning.judges, meaning.answers)) / self._key()

    def _share(self, meaning: Meaning) -> Expr:
        return self._count(meaning.judges, meaning.answers) / self._key()

    def _d(self, meaning: Meaning) -> Expr:
        return _youden(self._rate, meaning.judges[0])

    def _g(self, meaning: Meaning) -> Expr:
        return _grade(self._p, self._rate, meaning.judges[0], len(self.labels))

    def _delta(self, meaning: Meaning) -> Expr:
        few = len(meaning.judges) <= _MOST_JUDGES_OF_A_SYMBOL
        return self._moment(meaning.judges) if few else moment(meaning.judges, self)

    def _moment(self, judges: tuple[int, ...]) -> Expr:
        raw = self._count(judges, (1,) * len(judges)) / self._key()
        return _central_moment(
            judges, raw, lambda i: self._share(Meaning("share", (i,), (1,))), self._moment
        )

    def _gamma(self, meaning: Meaning) -> Expr:
        """Correlation as S44 and S45 define it: an average over items."""
        t = meaning.label
        rates = [self._rate(Meaning("rate", (i,), (t or 0,), t)) for i in meaning.judges]
        terms = [
            symbol
            * sympy.Mul(
                *(int(cell.answers[i] == t) - r for i, r in zip(meaning.judges, rates, strict=True))
            )
            for cell, symbol in self._cells.items()
            if cell.label == t
        ]
        return sympy.Add(*terms) / self._key(t)


def _written_out(names: EncodedNames | CountedNames, meaning: Meaning) -> Expr:
    """Return what an abbreviation or a named statistic stands for."""
    made = getattr(names, f"_{meaning.kind.lower()}", None)
    return statistic(meaning, names) if made is None else made(meaning)


def _youden(rate: Callable[[Meaning], Expr], judge: int) -> Expr:
    """D = P_A + P_B - 1 of one judge and two labels."""
    return rate(Meaning("rate", (judge,), (0,), 0)) + rate(Meaning("rate", (judge,), (1,), 1)) - 1


def _grade(
    share: Callable[[Meaning], Expr], rate: Callable[[Meaning], Expr], judge: int, n_labels: int
) -> Expr:
    """Share of all items that one judge answers rightly."""
    return sympy.Add(
        *(
            share(Meaning("P", label=t)) * rate(Meaning("rate", (judge,), (t,), t))
            for t in range(n_labels)
        )
    )


def _central_moment(
    judges: tuple[int, ...],
    raw: Expr,
    share: Callable[[int], Expr],
    moment: Callable[[tuple[int, ...]], Expr],
) -> Expr:
    """Central moment of answers B from the share of items all judges answer B.

    S12-S15, and the same step for four judges: the share minus, over every smaller group, its
    moment times the single shares of the others.
    """
    lower = [sympy.Mul(*(share(i) for i in judges))]
    for size in range(2, len(judges)):
        for part in combinations(judges, size):
            rest = sympy.Mul(*(share(i) for i in judges if i not in part))
            lower.append(moment(part) * rest)
    return raw - sympy.Add(*lower)


# --- The vocabulary of identities: what each symbol means, as an expression.
#
# A *system* names everything an identity may speak of. Its unknowns are the parameters; every other
# quantity that carries a symbol of its own (a frequency, a moment, a count) is an *observable* with
# its expression in the parameters; the rest (d_i, grades, P_B = 1 - P_A ...) are abbreviations.
# Expressions are made when they are first asked for.


ProofModel = Literal["independent", "correlated", "axioms"]

_MOST_CELLS = 600


@dataclass(frozen=True, eq=False)
class System:
    """Everything an identity may speak of under one model."""

    # what the symbols are about
    model: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    parameters: tuple[AnyExpr, ...]  # the unknowns, algebraically free of one another
    # {symbol: its definition in parameters and observables named before it}
    observables: Mapping[AnyExpr, AnyExpr]
    meanings: dict[str, Meaning]  # {name as text: what it stands for}
    # {symbol of a parameter or observable: what it stands for}
    symbols: dict[AnyExpr, Meaning]
    # {name as text: expression in parameters and observables}
    vocabulary: Mapping[str, AnyExpr]
    encoding: Encoding | None = None  # the polynomials behind the frequencies; None for the axioms

    @cached_property
    def cells(self) -> dict[tuple[int, tuple[int, ...]], AnyExpr]:
        """{(true label, answers), as positions: symbol}, where counts are the parameters."""
        pairs = ((self.symbols[symbol], symbol) for symbol in self.parameters)
        return {
            (entry.label or 0, entry.answers): symbol
            for entry, symbol in pairs
            if entry.kind == "n"
        }

    def look_up(self, name: str) -> AnyExpr | None:
        """Return what a name stands for; judges i, j, k may be written 1, 2, 3; None if unknown."""
        if name in self.vocabulary:
            return self.vocabulary[name]
        meaning = self.meaning(name)
        present = (long for long, meaning_ in self.meanings.items() if meaning_ == meaning)
        return None if meaning is None else self.vocabulary[next(present)]

    def meaning(self, name: str) -> Meaning | None:
        """Meaning of a name; judges i, j, k may be written 1, 2, 3; None if unknown."""
        if name in self.meanings or not any(character.isdecimal() for character in name):
            return self.meanings.get(name)
        return spelling_with_numbers(self.model, self.judges, self.labels).get(name)


def system(
    model: ProofModel, judges: int | Sequence[object] = 3, labels: int | Sequence[object] = 2
) -> System:
    """Vocabulary of a model; `sorted(system(...).vocabulary)` lists every name."""
    names, kinds = name_judges(judges), name_labels(labels)
    if model in ("independent", "correlated"):
        return _system(EncodedNames(encode(names, kinds, model=model)))
    check_choice("model", model, ("independent", "correlated", "axioms"))
    cells = len(kinds) ** (len(names) + 1)
    if cells > _MOST_CELLS:
        raise TooLargeError(
            f"the axioms of {len(names)} judges and {len(kinds)} labels speak of {cells} counts; at "
            f"most {_MOST_CELLS} are handled; choose fewer judges, one or two suffice for an axiom"
        )
    return _system(CountedNames(names, kinds))


def _system(made: EncodedNames | CountedNames) -> System:
    meanings = spell(made.model, made.judges, made.labels)
    names: dict[AnyExpr, Meaning] = dict(made.parameters())
    parameters = tuple(names)
    definitions: dict[AnyExpr, Callable[[], AnyExpr]] = {}
    for meaning in sorted(set(meanings.values()), key=_order):
        symbol = made.observable(meaning)
        if symbol is not None and symbol not in names:
            names[symbol] = meaning
            definitions[symbol] = partial(made.definition, meaning)
    values = {name: partial(made.value, meaning) for name, meaning in meanings.items()}
    return System(
        made.model,
        made.judges,
        made.labels,
        parameters,
        Lazy(definitions),
        meanings,
        names,
        Lazy(values),
        made.encoding,
    )


_FIRST = ("f", "share", "Delta", "Q", "n", "R")


def _order(meaning: Meaning) -> tuple[Any, ...]:
    """Sorting key by which nothing is defined before what it is made of."""
    index = _FIRST.index(meaning.kind) if meaning.kind in _FIRST else len(_FIRST)
    label = -1 if meaning.label is None else meaning.label
    return index, len(meaning.judges), meaning.judges, meaning.answers, label
