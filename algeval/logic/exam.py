"""What the logic reads: the counts of an exam, whatever it was given as, and at which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from algeval.data import KeyedSketch, Summary
from algeval.data.names import Axes
from algeval.data.reading import Data, as_counts
from algeval.errors import DataError

__all__ = ["Data", "Exam", "order_words", "orders_down_from", "read_exam", "resolve_order"]

Order = int | str

RULES = ("excluded", "wrong")


@dataclass(frozen=True, slots=True)
class Exam(Axes):
    """Counts of one exam as Python integers, and the rule for missing answers.

    Attributes
    ----------
    counts : N tuples of A ints
        How often judge i gave answer a, R[i,a].
    missing : N ints
        How many items judge i did not answer.
    """

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    missing: tuple[int, ...]
    n_items: int
    rule: str
    digest: str

    @property
    def excused(self) -> tuple[int, ...]:
        """(N,) how many items judge i is not held to."""
        return self.missing if self.rule == "excluded" else (0,) * self.n_judges

    def held(self, judge: int) -> int:
        """Return how many items a judge is held to."""
        return self.n_items - self.excused[judge]

    def echo(self, order: int | str) -> dict[str, Any]:
        """Return the fields every logical result repeats."""
        return {
            "order": order,
            "missing_rule": self.rule,
            "n_items": self.n_items,
            "judges": self.judges,
            "labels": self.labels,
            "answers": self.answers,
            "missing_counts": self.missing,
        }


def read_exam(data: Data, missing: str = "excluded") -> Exam:
    """Read the counts of each judge, and the digest that certificates will quote."""
    if missing not in RULES:
        raise DataError(f"missing must be one of {list(RULES)}; got {missing!r}; choose one")
    plain = as_counts(data)
    summary = plain.summary()
    if summary.n_items < 1:
        raise DataError("data must hold at least one item; got none; check the file or selection")
    return Exam(
        judges=summary.judges,
        labels=summary.labels,
        answers=summary.answers,
        counts=_rows(summary.counts.tolist()),
        missing=tuple(summary.missing.tolist()),
        n_items=summary.n_items,
        rule=missing,
        digest=plain.digest,
    )


def _rows(table: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in table)


def resolve_order(data: Data, order: Order | None) -> Order:
    """Return the order to use; None asks for the highest the data support.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
        A summary supports order 1 only, as does a single judge.
    order : int, "full" or None
        The number of judges means "full".
    """
    joint = not isinstance(data, Summary) and _n_judges(data) > 1
    available = _available(data)
    if order is None:
        return available[-1]
    wanted = "full" if joint and order == _n_judges(data) and order != 1 else order
    if wanted not in available or isinstance(order, bool):
        raise DataError(
            f"order must be one of {list(available)} or None (counts per judge, or one judge, have "
            f"order 1 only); got {order!r}; choose one of them"
        )
    return wanted


def orders_down_from(data: Data, order: Order) -> tuple[Order, ...]:
    """Return an order and those below it, the highest first."""
    available = _available(data)
    return available[available.index(order) :: -1]


def _available(data: Data) -> tuple[Order, ...]:
    if isinstance(data, Summary) or _n_judges(data) < 2:
        return (1,)
    return (1, "full") if _n_judges(data) == 2 else (1, 2, "full")


def order_words(order: Order) -> str:
    """Return the order as a sentence names it."""
    return "full order" if order == "full" else f"order {order}"


def _n_judges(data: Data) -> int:
    return (data.sketch if isinstance(data, KeyedSketch) else data).n_judges
