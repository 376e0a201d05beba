"""The questions a plan answers, each with the settings that belong to it: exactly one is asked."""

from __future__ import annotations

from typing import Any, NamedTuple, Required, TypedDict

from algeval.errors import DataError

__all__ = [
    "QUESTIONS",
    "ClassifierQuestion",
    "JudgeQuestion",
    "MarginQuestion",
    "Question",
    "RateQuestion",
    "RepeatQuestion",
    "question_of",
]


class ClassifierQuestion(TypedDict, total=False):
    """Which of two classifiers is better, for a budget of labels."""

    budget: Required[Any]
    accuracy: Required[Any]
    label_accuracy: Required[Any]
    margin: Any
    item_cost: Any
    label_cost: Any
    gold_cost: Any
    better_if_wrong: Any
    better_if_right: Any
    disagreements: bool
    most_labels: int


class RateQuestion(TypedDict, total=False):
    """A rate, known to within half a width."""

    half_width: Required[Any]
    rate: Any
    rho2: Any
    pilot: Any
    gold: Any
    label: Any
    items: int
    target: str
    level: float
    random: int


class MarginQuestion(TypedDict, total=False):
    """Two systems on the same items, a margin apart: by their discordance, or by a pilot of both."""

    margin: Required[Any]
    discordance: Any
    pilot: Any
    gold: Any
    label: Any
    random: int
    power: Any
    rate: Any
    rho2: Any
    items: int
    target: str
    level: float


class JudgeQuestion(TypedDict, total=False):
    """What so many judges are worth."""

    judges: Required[int]
    rho1: Any
    vote_correlation: Any
    pilot: Any
    gold: Any
    label: Any


class RepeatQuestion(TypedDict, total=False):
    """How many labels an item, for a rate and a budget."""

    budget: Required[Any]
    rate: Required[Any]
    label_accuracy: Any
    agreement: Any
    item_cost: Any
    label_cost: Any
    most_labels: int
    level: float


class Question(NamedTuple):
    """What is asked for, in words; the sets of settings that ask it; all that may go with them."""

    words: str
    asked_by: tuple[frozenset[str], ...]
    settings: frozenset[str]


def _question(words: str, asked_by: str, kind: Any) -> Question:
    ways = tuple(frozenset(way.split()) for way in asked_by.split(" or "))
    return Question(words, ways, kind.__required_keys__ | kind.__optional_keys__)


QUESTIONS = {
    "rate": _question("half_width= for a rate", "half_width", RateQuestion),
    "margin": _question(
        "margin= and discordance= for two systems",
        "margin discordance or margin pilot",
        MarginQuestion,
    ),
    "judges": _question("judges= for what so many are worth", "judges", JudgeQuestion),
    "classifiers": _question(
        "budget= and accuracy= for two classifiers", "budget accuracy", ClassifierQuestion
    ),
    "repeats": _question("budget= and rate= for labels per item", "budget rate", RepeatQuestion),
}
"""By name."""


def question_of(given: dict[str, Any]) -> str:
    """Return which question the settings ask.

    Raises
    ------
    DataError
        If they ask none, or several, or a setting belongs to another question.
    """
    asked = [
        name for name, one in QUESTIONS.items() if any(given.keys() >= way for way in one.asked_by)
    ]
    if len(asked) != 1:
        choices = "; ".join(one.words for one in QUESTIONS.values())
        told = ", ".join(f"{name}=" for name in given) or "nothing"
        raise DataError(
            f"a plan must have exactly one goal: {choices}; got {told}; give one of these"
        )
    extra = sorted(given.keys() - QUESTIONS[asked[0]].settings)
    if extra:
        raise DataError(
            f"{extra[0]} must be left out of a plan with {QUESTIONS[asked[0]].words}; got "
            f"{given[extra[0]]!r}; it belongs to another goal"
        )
    return asked[0]
