"""What each order says of a threshold or of panels, asked in turn within one time limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from time import monotonic
from typing import NamedTuple

from algeval.data.reading import Data
from algeval.errors import TooLargeError
from algeval.logic import panel, threshold
from algeval.logic.exam import orders_down_from, read_exam, resolve_order
from algeval.result import exact

__all__ = ["Bracket", "PanelSteps", "panel_steps", "threshold_brackets"]

Order = int | str


class Bracket(NamedTuple):
    """The threshold of an order: some answer key allows `lower`, none more than `upper`."""

    order: Order
    lower: Fraction
    upper: Fraction


class PanelSteps(NamedTuple):
    """How many judges fall short at each level asked: at least `fewest`, and `most` is enough.

    Attributes
    ----------
    order : int or "full"
    n_judges : int
    levels : tuple of Fraction
        Ascending.
    fewest, most : tuples of int
        Neither ever falls along the levels.
    """

    order: Order
    n_judges: int
    levels: tuple[Fraction, ...]
    fewest: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def left_open(self) -> tuple[Fraction, ...]:
        """The levels at which the two differ."""
        both = zip(self.levels, self.fewest, self.most, strict=True)
        return tuple(level for level, low, high in both if low < high)


class _Time:
    """The seconds that are left for all questions together."""

    def __init__(self, limit: float | None) -> None:
        self._end = None if limit is None else monotonic() + limit

    def share(self, questions: int) -> float | None:
        """Return the part of one of so many questions."""
        return None if self._end is None else max(0.0, self._end - monotonic()) / max(questions, 1)


def _orders_up(data: Data) -> tuple[Order, ...]:
    """Return the orders that the data support, the lowest first."""
    return orders_down_from(data, resolve_order(data, None))[::-1]


def threshold_brackets(
    data: Data, *, missing: str = "excluded", time_limit: float | None = 60.0
) -> tuple[Bracket, ...]:
    """Return the threshold of every order the data support, the lowest order first.

    What a lower order refutes is impossible at a higher one, and what a higher one allows is possible
    at a lower one: each bracket is held to that. An order whose program is too large tells nothing
    else.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> [str(b.upper) for b in threshold_brackets(Summary.from_counts(grades))]
    ['2/3']
    """
    clock, found = _Time(time_limit), []
    orders, upper = _orders_up(data), Fraction(1)
    for place, order in enumerate(orders):
        lower = Fraction(0)
        try:
            seconds = clock.share(len(orders) - place)
            told = threshold(data, order=order, missing=missing, time_limit=seconds)
            lower, upper = told.lower, min(upper, told.upper)
        except TooLargeError:
            pass
        found.append(Bracket(order, lower, upper))
    lowers = accumulate((b.lower for b in reversed(found)), max)
    pairs = zip(reversed(found), lowers, strict=True)
    return tuple(bracket._replace(lower=lower) for bracket, lower in pairs)[::-1]


def panel_steps(
    data: Data,
    levels: Sequence[object],
    *,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> tuple[PanelSteps, ...]:
    """Return for every order how many judges fall short of each level, the lowest order first.

    Asked by halves: between two levels with the same answer every level has it too.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> three = {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    >>> panel_steps(Summary.from_counts(three), ["1/2", 1])[0].fewest
    (1, 2)
    """
    asked = tuple(sorted({exact(level, "level") for level in levels}))
    clock, found = _Time(time_limit), []
    orders, n_judges = _orders_up(data), read_exam(data, missing).n_judges
    below = (0,) * len(asked)
    for place, order in enumerate(orders):

        def ask(
            k: int, open_: int, order: Order = order, left: int = len(orders) - place
        ) -> tuple[int, int]:
            seconds = clock.share(open_ + (left - 1) * len(asked))
            try:
                told = panel(data, asked[k], order=order, missing=missing, time_limit=seconds)
            except TooLargeError:
                return 0, n_judges
            return told.min_violators, n_judges - len(told.largest_panel)

        fewest, most = _by_halves(ask, below, n_judges)
        found.append(PanelSteps(order, n_judges, asked, fewest, most))
        below = fewest
    above = [n_judges] * len(asked)
    for place in range(len(found) - 1, -1, -1):
        above = list(map(min, above, found[place].most))
        found[place] = found[place]._replace(most=tuple(above))
    return tuple(found)


def _by_halves(
    ask: Callable[[int, int], tuple[int, int]], below: Sequence[int], n_judges: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lower and upper ends at all places; neither falls, so ends settle what lies between."""
    n = len(below)
    fewest, most = list(below), [n_judges] * n
    waiting = [n - 1, *([0] if n > 1 else []), *_halves(0, n - 1)]
    for done, k in enumerate(waiting):
        if fewest[k] == most[k]:
            continue
        low, high = ask(k, n - done)
        fewest[k:] = [max(low, one) for one in fewest[k:]]
        most[: k + 1] = [min(high, one) for one in most[: k + 1]]
    return tuple(fewest), tuple(most)


def _halves(low: int, high: int) -> list[int]:
    """Return the places between two, the middle ones first."""
    found, spans = [], [(low, high)]
    for a, b in spans:
        if b - a > 1:
            middle = (a + b) // 2
            found.append(middle)
            spans += [(a, middle), (middle, b)]
    return found
