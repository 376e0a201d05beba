"""Statistics that have a name of their own, as arithmetic on shares of items.

Each formula is written once and works in any arithmetic with + - * / and whole numbers: in SymPy
expressions for identities, in exact quotients of polynomials for inequalities. It asks for
`share(label, judges, answers)`, the share of items with that true label (None: any) on which
those judges gave those answers, and for `rate(judge, label)`, an accuracy.

The positive label is the first one. ``Delta`` looks at whether a judge gave the second label.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import prod
from typing import Any, Protocol

from algeval.algebra.proving.meanings import Meaning

__all__ = ["Shares", "covariance", "moment", "spellings", "statistic"]

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
        """Return the share of items with a true label on which judges gave answers."""

    def rate(self, judge: int, label: int) -> Value:
        """Return a judge's accuracy on a label."""


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


def statistic(one: Meaning, shares: Shares) -> Value:
    """Return a named statistic in the arithmetic of `shares`."""
    return _FORMULAS[one.kind](one, shares)


def moment(judges: Sequence[int], shares: Shares) -> Value:
    """Return the mean of the product of (1 if the judge said the second label, else 0) - its mean."""
    single = {i: shares.joint(None, (i,), (1,)) for i in judges}
    total: Value = 0
    for size in range(len(judges) + 1):
        for chosen in combinations(judges, size):
            rest = prod(single[i] for i in judges if i not in chosen)
            together = shares.joint(None, chosen, (1,) * size) if chosen else 1
            total = total + (-1) ** (len(judges) - size) * together * rest
    return total


def covariance(one: Meaning, shares: Shares) -> Value:
    """Return how much oftener than by chance two judges gave two answers together."""
    single = [shares.joint(None, (i,), (a,)) for i, a in zip(one.judges, one.answers, strict=True)]
    return shares.joint(None, one.judges, one.answers) - single[0] * single[1]


def _said(shares: Shares, judge: int, answer: int, label: int | None = None) -> Value:
    return shares.joint(label, (judge,), (answer,))


def _right(shares: Shares, judge: int) -> Value:
    """Return a judge's grade: the share of items it answered rightly."""
    return sum(_said(shares, judge, t, t) for t in range(len(shares.labels)))


def _precision(one: Meaning, shares: Shares, label: int = 0) -> Value:
    i = one.judges[0]
    return _said(shares, i, label, label) / _said(shares, i, label)


def _f1(one: Meaning, shares: Shares) -> Value:
    i = one.judges[0]
    return 2 * _said(shares, i, 0, 0) / (shares.joint(0) + _said(shares, i, 0))


def _jaccard(one: Meaning, shares: Shares) -> Value:
    i = one.judges[0]
    both = _said(shares, i, 0, 0)
    return both / (shares.joint(0) + _said(shares, i, 0) - both)


def _youden(one: Meaning, shares: Shares) -> Value:
    i = one.judges[0]
    return shares.rate(i, 0) + shares.rate(i, 1) - 1


def _balanced(one: Meaning, shares: Shares) -> Value:
    i = one.judges[0]
    return (shares.rate(i, 0) + shares.rate(i, 1)) / 2


def _squared_correlation(one: Meaning, shares: Shares) -> Value:
    """Return the square of Matthews' correlation of a judge's answers with the key."""
    i = one.judges[0]
    above = _said(shares, i, 0, 0) - shares.joint(0) * _said(shares, i, 0)
    spread = shares.joint(0) * shares.joint(1) * _said(shares, i, 0) * _said(shares, i, 1)
    return above**2 / spread


def _agreement(one: Meaning, shares: Shares) -> Value:
    return sum(shares.joint(None, one.judges, (a, a)) for a in range(len(shares.labels)))


def _kappa(one: Meaning, shares: Shares) -> Value:
    """Return Cohen's kappa of two judges, or of one judge with the key."""
    *others, last = one.judges
    first: Callable[[int], Value] = (
        (lambda a: _said(shares, others[0], a)) if others else shares.joint
    )
    chance = sum(first(a) * _said(shares, last, a) for a in range(len(shares.labels)))
    agreed = _agreement(one, shares) if others else _right(shares, last)
    return (agreed - chance) / (1 - chance)


def _majority(one: Meaning, shares: Shares) -> Value:
    """Return the share of items on which more than half of the judges are right."""
    cells = product(range(len(shares.labels)), product((0, 1), repeat=len(one.judges)))
    return sum(shares.joint(t, one.judges, u) for t, u in cells if 2 * u.count(t) > len(one.judges))


def _unanimity(one: Meaning, shares: Shares) -> Value:
    size = len(one.judges)
    return sum(shares.joint(None, one.judges, (a,) * size) for a in range(len(shares.labels)))


def _odds(one: Meaning, shares: Shares) -> Value:
    return shares.joint(0, one.judges, one.answers) / shares.joint(1, one.judges, one.answers)


_FORMULAS: dict[str, Callable[[Meaning, Shares], Value]] = {
    "rec": lambda one, shares: shares.rate(one.judges[0], 0),
    "prec": _precision,
    "npv": lambda one, shares: _precision(one, shares, 1),
    "F1": _f1,
    "Jac": _jaccard,
    "kappa": _kappa,
    "BA": _balanced,
    "AUC": _balanced,
    "J": _youden,
    "MCC2": _squared_correlation,
    "a": _agreement,
    "MV": _majority,
    "unan": _unanimity,
    "odds": _odds,
    "joint": lambda one, shares: shares.joint(None, one.judges, one.answers),
    "covariance": covariance,
}
