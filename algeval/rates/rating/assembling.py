"""The result of a rate, put together from the ladder and the labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval.data import Sketch, Summary, Votes
from algeval.rates.inputs.verdicts import as_votes, n_unjudged
from algeval.rates.intervals.estimate import Estimate
from algeval.rates.intervals.labelled import explained, explained_range
from algeval.rates.ladder import Ladder
from algeval.rates.ladder.rung import side_of
from algeval.rates.rating.choosing import Answer, Drawn, answer_of, labels_only
from algeval.rates.rating.drawing import ASSUMPTIONS
from algeval.rates.rating.judged import errors_together, grades_of, judged
from algeval.rates.rating.page import worth
from algeval.rates.rating.remarks import (
    balance_of,
    gold_remarks,
    missing_votes,
    unjudged,
    warnings_of,
)
from algeval.rates.rating.results import RateResult, Row
from algeval.rates.rating.rows import judged_by, label_row, raw_row, row_of
from algeval.result import Status, percent

__all__ = ["Question", "of_labels", "of_votes"]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, read once.

    Attributes
    ----------
    data : Votes, Sketch or Summary
        Votes wherever there are labels, which are joined to items.
    label : str
    target : "items" or "population"
    against : Fraction
    level : float
    drawn : "random", "unequal" or "elsewhere"
    tie : str or None
        The label that counts one half.
    asked : dict
        Settings, for the result.
    random : int
    """

    data: Votes | Sketch | Summary
    label: str
    target: str
    against: Fraction
    level: float
    drawn: str
    tie: str | None
    asked: dict[str, Any]
    random: int

    @property
    def votes(self) -> Votes:
        """The votes item by item, without which there are no labels."""
        return as_votes(self.data)

    @property
    def place(self) -> int:
        """Place of the label among the votes' labels."""
        return self.data.labels.index(self.label)

    def result(self, ladder: Ladder | None, **fields: Any) -> RateResult:
        """Return a result with what every result has."""
        known: dict[str, Any] = {
            "label": self.label,
            "level": self.level,
            "target": self.target,
            "against": self.against,
            "n_items": self.data.n_items,
            "judges": self.data.judges,
            "settings": {"drawn": self.drawn, "tie": self.tie, "random": self.random, **self.asked},
            "conclusion_threshold": ladder and ladder.conclusion_threshold,
            "possible_up_to": ladder and ladder.possible_up_to,
            "winner": ladder and ladder.winner,
            "robustness": ladder and ladder.robustness,
            "certificates": ladder.certificates if ladder else {},
        }
        return RateResult(**known, **fields)


def of_votes(question: Question, ladder: Ladder) -> RateResult:
    """Return what votes say without labels: sets, and no point."""
    low, high = float(ladder.low), float(ladder.high)
    said = judged(question.data, question.place)
    word = side_of(ladder.low, ladder.high, question.against, "open")
    impossible = ladder.status is Status.INCONSISTENT
    decided = word != "open" and not impossible
    status = Status.OK if decided else ladder.status
    return question.result(
        ladder,
        status=Status.UNDETERMINED if status.ok and not decided else status,
        message=_told_by_votes(question, ladder, word if decided else ""),
        rate=None,
        low=low,
        high=high,
        method="votes",
        assumption=_believed(question),
        verdict=word if decided else "undetermined",
        n_gold=0,
        rho2=None,
        label_saving=None,
        lambda_=None,
        balance=None,
        table=tuple(_rungs(question, ladder, said)),
        judged=said,
        remarks=tuple(f"Note: {note}" for note in ladder.notes),
        warnings=(*_alarms(ladder), *_unjudged(n_unjudged(question.data))),
    )


def _told_by_votes(question: Question, ladder: Ladder, word: str) -> str:
    beside = percent(question.against)
    if word:
        return f"{word.capitalize()} {beside} for whoever holds the belief given; votes alone say no more."
    if ladder.status is Status.INCONSISTENT:
        return f"What was assumed cannot be. {ladder.message}"
    return (
        f"Undetermined: votes alone decide neither for above nor for below {beside}. "
        "Label items drawn at random."
    )


def _believed(question: Question) -> str:
    asked = question.asked["at_least"]
    return "nothing" if asked is None else f"every judge right on at least {asked} of its answers"


def _alarms(ladder: Ladder | None) -> tuple[str, ...]:
    return () if ladder is None else tuple(alarm.rstrip(".") for alarm in ladder.alarms)


def _unjudged(n: int) -> list[str]:
    return [unjudged(n)] if n else []


def _rungs(
    question: Question, ladder: Ladder | None, said: dict[str, dict[str, float | None]]
) -> list[Row]:
    if ladder is None:
        return []
    return [raw_row(said), *(row_of(rung, question.against) for rung in ladder.rungs)]


def of_labels(question: Question, drawn: Drawn, ladder: Ladder | None, method: str) -> RateResult:
    """Return what labels and judges say together, beside what either says alone."""
    answer = answer_of(drawn, method)
    found = answer.estimate
    low, high = (0.0, 1.0) if found is None else (found.low, found.high)
    word = side_of(low, high, question.against, "open") if answer.status.ok else "undetermined"
    unbalanced = balance_of(drawn.panel, drawn.gold) if drawn.plainly_drawn else None
    grades = None if drawn.elsewhere else grades_of(question.votes, drawn.gold)
    said = judged(question.data, question.place, grades)
    rows = _rungs(question, ladder, said)
    if ladder is not None and found is not None and drawn.elsewhere is None:
        rows = judged_by(rows, ladder, found, question.level)
    rho2, saving = _explained(drawn, answer.method)
    return question.result(
        ladder,
        status=answer.status,
        message=_told_by_labels(question, drawn, answer, word, saving),
        rate=None if found is None or found.rate != found.rate else found.rate,
        low=low,
        high=high,
        method=answer.method,
        assumption=ASSUMPTIONS[_how(question, drawn)],
        verdict=word,
        n_gold=len(drawn.gold),
        rho2=rho2,
        label_saving=saving,
        lambda_=_slope(answer),
        balance=unbalanced,
        table=(*rows, *_label_rows(question, drawn, answer)),
        judged=said,
        remarks=_remarks(question, drawn, found),
        warnings=(*_alarms(ladder), *_shaken(drawn, unbalanced)),
    )


def _remarks(question: Question, drawn: Drawn, found: Estimate | None) -> tuple[str, ...]:
    told = gold_remarks(drawn.gold, found, question.level)
    if drawn.elsewhere is None:
        told.append(errors_together(question.votes, drawn.gold))
    return tuple(line for line in (*told, *missing_votes(drawn.panel)) if line)


def _shaken(drawn: Drawn, unbalanced: float | None) -> list[str]:
    return (
        warnings_of(drawn, unbalanced)
        if drawn.elsewhere is None
        else _unjudged(drawn.panel.n_unjudged)
    )


def _how(question: Question, drawn: Drawn) -> str:
    return "unequal" if drawn.inclusion is not None else question.drawn


def _slope(answer: Answer) -> float | None:
    if answer.estimate is None or answer.method in ("strata", "profile", "transfer"):
        return None
    return answer.estimate.slope


def _explained(drawn: Drawn, method: str) -> tuple[float | None, tuple[float, float] | None]:
    """Return rho^2 of the numbers that were used, and its range; nothing where none were."""
    if method in ("wilson", "transfer"):
        return None, None
    f = drawn.compared(method)[drawn.gold.rows]
    y = drawn.gold.values
    return explained(y, f), explained_range(y, f, level=drawn.level, random=drawn.random)


def _told_by_labels(
    question: Question, drawn: Drawn, answer: Answer, word: str, saving: tuple[float, float] | None
) -> str:
    beside, assumption = percent(question.against), ASSUMPTIONS[_how(question, drawn)]
    if not answer.status.ok:
        return f"Undetermined: {answer.why}."
    told = {"open": f"Open: the interval holds {beside}"}.get(word, f"{word.capitalize()} {beside}")
    gained = "" if saving is None else worth(len(drawn.gold), saving, drawn.panel.n_items)
    return f"{told} ({assumption}; {answer.why}). {gained}".rstrip()


def _label_rows(question: Question, drawn: Drawn, answer: Answer) -> list[Row]:
    assumption = ASSUMPTIONS[_how(question, drawn)]
    found: list[tuple[str, Estimate | None, bool]] = [
        ("labels only", labels_only(drawn), answer.method == "wilson")
    ]
    if answer.method != "wilson":
        found.append(("labels + judges", answer.estimate, True))
    return [
        label_row(
            name,
            estimate,
            assumption=assumption,
            against=question.against,
            level=question.level,
            answer=is_answer,
        )
        for name, estimate, is_answer in found
        if estimate is not None
    ]
