"""Tell scores from labels: many numbers, or several that are no whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from algeval.errors import DataError
from algeval.io.answers import Rules, as_number

__all__ = ["LOOKS_LIKE_SCORES", "look_like_scores", "refuse_scores", "score_notes"]

LOOKS_LIKE_SCORES = 20
"""More distinct numbers than this are taken for scores, not for numbered labels."""

_FEW_DECIMALS = 11
"""More distinct numbers than this are, where some are no whole numbers: 0 to 5 in halves are labels."""


def look_like_scores(answers: Iterable[str]) -> bool:
    """Whether answers are scores by their looks.

    Examples
    --------
    >>> look_like_scores(["0", "0.5", "1"]), look_like_scores(map(str, range(30)))
    (False, True)
    """
    numbers = [number for number in map(as_number, answers) if number is not None]
    decimals = any(number != int(number) for number in numbers)
    return len(numbers) > (_FEW_DECIMALS if decimals else LOOKS_LIKE_SCORES)


def score_notes(answers: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Return a hint where answers look like scores, or what the cut did."""
    if rules.cut is not None:
        return (f"scores cut: {float(rules.cut):g} and above is '1', below is '0'",)
    if rules.labels is None and not rules.exact and look_like_scores(answers):
        numbers = sum(as_number(name) is not None for name in answers)
        return (f"answers look like scores ({numbers} numbers); cut= makes two labels of them",)
    return ()


def refuse_scores(answers: Sequence[str]) -> None:
    """Refuse scores where labels are needed.

    Raises
    ------
    DataError
        If the answers look like scores.
    """
    if look_like_scores(answers):
        numbers = [name for name in answers if as_number(name) is not None]
        raise DataError(
            f"votes must be labels; got {len(numbers)} different numbers from {numbers[0]} to {numbers[-1]}, "
            "which look like scores; pass cut= to make two labels of them (or exact_labels= if each is "
            "a label)"
        )
