"""Every name an identity may use, and what it stands for; nothing is computed here.

A name stands for a `Meaning`: a kind, and positions of judges, answers and a true label. Each has
a long spelling, ``P_{i,A}``, and where all names are single characters a short one, ``P_iA``; a
short one that could mean two things is dropped.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import chain, combinations, product

from algeval.algebra.proving.meanings import Meaning
from algeval.algebra.proving.statistics import spellings
from algeval.data.names import check_names
from algeval.data.settings import check_whole

__all__ = [
    "Meaning",
    "free_answers",
    "gamma_name",
    "name_judges",
    "name_labels",
    "names_of_kinds",
    "near_names",
    "numbered",
    "rate_name",
    "spell",
    "spelling_with_numbers",
]

_MOST_JUDGES_IN_A_COUNT = 4
_MOST_COMPARED = 5_000


def name_judges(judges: int | Iterable[object]) -> tuple[str, ...]:
    """Return the names of judges; a number stands for the paper's i, j, k, ..., z.

    Above 18 judges, which no model reaches, it stands for 1, 2, 3, ...

    Examples
    --------
    >>> name_judges(3)
    ('i', 'j', 'k')
    """
    return _named("judge", judges, 1, string.ascii_lowercase[8:])


def name_labels(labels: int | Iterable[object]) -> tuple[str, ...]:
    """Return the names of labels; a number stands for A, B, C, ...

    Examples
    --------
    >>> name_labels(2)
    ('A', 'B')
    """
    return _named("label", labels, 2, string.ascii_uppercase)


def _named(kind: str, names: int | Iterable[object], least: int, letters: str) -> tuple[str, ...]:
    if not isinstance(names, int):
        return check_names(kind, names)
    count = check_whole(f"{kind}s", names, least)
    return tuple(letters[:count] if count <= len(letters) else map(str, range(1, count + 1)))


def numbered(judges: Sequence[str]) -> tuple[str, ...] | None:
    """Return 1, 2, 3, ... if the judges are i, j, k, ...: another spelling of the same judges."""
    if tuple(judges) != name_judges(len(judges)):
        return None
    return tuple(map(str, range(1, len(judges) + 1)))


def rate_name(judge: str, label: str, answer: str) -> str:
    """Return the long name of an accuracy or error rate."""
    return f"P_{{{judge},{label}}}" if answer == label else f"P_{{{judge},{answer}|{label}}}"


def gamma_name(judges: Sequence[str], answers: Sequence[str], label: str) -> str:
    """Return the long name of a correlation; answers that are right are not named."""
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
            known = self._short.setdefault(short, meaning)
            if known != meaning:
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
    """Return the answers whose rate is a parameter: all but the last wrong one."""
    dropped = n_labels - 1 if label != n_labels - 1 else n_labels - 2
    return [answer for answer in range(n_labels) if answer != dropped]


def spelling_with_numbers(
    model: str, judges: Sequence[str], labels: Sequence[str]
) -> dict[str, Meaning]:
    """Return the names in which judges i, j, k are 1, 2, 3; none for judges of other names."""
    numbers = numbered(judges)
    return {} if numbers is None else spell(model, numbers, labels)


def names_of_kinds(meanings: dict[str, Meaning]) -> list[str]:
    """Return one name of each kind, the shortest and first: what a reader needs to write others."""
    shown: dict[tuple[object, ...], str] = {}
    for name, one in meanings.items():
        right = one.kind == "rate" and one.answers == (one.label,)
        size = len(one.judges) if one.kind not in ("f", "n") else 0
        if size > 3:
            continue
        kind = (one.kind, size, one.label is None, right)
        if kind not in shown or len(name) < len(shown[kind]):
            shown[kind] = name
    return sorted(shown.values(), key=lambda name: (len(name), name))


def near_names(name: str, meanings: Iterable[str]) -> list[str]:
    """Return up to three known names that look like `name`, those of the same family first."""
    known = list(meanings)
    heads = list(dict.fromkeys(one.split("_")[0] for one in known))
    head = name.split("_")[0]
    family = [h for h in heads if h.lower() == head.lower()] or get_close_matches(head, heads, 1)
    same = [one for one in known if one.split("_")[0] in family]
    wanted = _plain(name)
    pool: dict[str, str] = {}
    for one in same or known:
        pool.setdefault(_plain(one), one)
    keys = [one for one in pool if abs(len(one) - len(wanted)) <= 2]
    if len(keys) > _MOST_COMPARED:
        return []
    turned = [one for one in keys if sorted(one) == sorted(wanted)]
    alike = get_close_matches(wanted, keys, 3, 0.5)
    return [pool[one] for one in dict.fromkeys((*turned, *alike))][:3]


def _plain(name: str) -> str:
    """Return a name without case and brackets, in which two spellings look the same."""
    return re.sub(r"\W", "", name.lower())
