"""The order that answers, and the steps that questions share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from algeval.data.reading import Data, as_sketch
from algeval.errors import TooLargeError, option
from algeval.logic.exam import Exam, order_words, orders_down_from, resolve_order
from algeval.logic.orders.base import Order
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.pairs import Order2
from algeval.logic.orders.tables import Tables
from algeval.logic.policy import STEP_SHARE
from algeval.logic.proof import Clock, Outcome

# --- Which order answers: the one place where its name becomes an object.


def order_of(data: Data, exam: Exam, name: int | str) -> Order:
    """Order of this name on the data; `exam` is what was read from them."""
    if name == 1:
        return Order1(exam)
    sketch = as_sketch(data, f"order {name} needs them; use {option('order', 1)}")
    if name == "full":
        return Full(exam, sketch)
    return Order2(exam, sketch) if name == 2 else Tables(exam, sketch, int(name))


# --- From the highest order down: what a lower order still proves where a higher one is left open.
#
# What a lower order refutes is impossible at every higher one, for that only knows more. What a lower
# order leaves possible may still be refuted above it, so it is an answer only where no order was named.


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """An outcome, the order that settled it, and the higher orders that were left open."""

    order: Order
    outcome: Outcome
    left_open: tuple[int | str, ...] = ()

    @property
    def note(self) -> str:
        """A sentence on what was left open, with a space before it; nothing where nothing was."""
        if not self.left_open or self.outcome.possible is None:
            return ""
        words = " and ".join(order_words(name) for name in self.left_open)
        return (
            f" Within the limits {words} settled nothing; this is {order_words(self.order.name)}."
        )


def answer(
    data: Data,
    exam: Exam,
    order: int | str | None,
    clock: Clock,
    ask: Callable[[Order, Clock], Outcome],
) -> Answer:
    """Settle a question at an order, or step down from it.

    `order`: None: the highest the data support, and any lower one where that is left open. An
    order that was named is answered by a lower one only where that refutes; `ask`: settles the
    question at one order.
    """
    names = orders_down_from(data, resolve_order(data, order))
    left_open: list[int | str] = []
    first: Answer | None = None
    for index, name in enumerate(names):
        lowest = name == names[-1]
        part = clock.part() if lowest else clock.part(share=STEP_SHARE)
        try:
            chosen = order_of(data, exam, name)
            outcome = ask(chosen, part)
        except TooLargeError:
            if (order is not None and not index) or lowest:
                raise
            left_open.append(name)
            continue
        result = Answer(chosen, outcome, tuple(left_open))
        if outcome.possible is False or (outcome.possible and (order is None or not index)):
            return result
        first = first or result
        left_open.append(name)
    assert first is not None  # the lowest order either answered or raised
    return first


def highest_that_fits(
    data: Data,
    exam: Exam,
    order: int | str | None,
    clock: Clock,
    *,
    any_condition: bool = False,
) -> Order:
    """Order asked for; of none in particular, the highest whose program fits.

    A program fits if it is not too large, and can be built and solved in the time left.

    any_condition : whether more will be asked than accuracies from below, which full order settles
        at any size.
    """
    names = orders_down_from(data, resolve_order(data, order))
    for name in names[:-1] if order is None else ():
        chosen = order_of(data, exam, name)
        if not clock.over and not chosen.in_time(clock):
            continue
        try:
            if any_condition or name != "full":
                chosen.check_size()
        except TooLargeError:
            continue
        return chosen
    return order_of(data, exam, names[0] if order is not None else names[-1])
