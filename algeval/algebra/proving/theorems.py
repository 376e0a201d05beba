"""Inequalities and claims under hypotheses: read, decided, and told with their evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from algeval.algebra.inequalities.goal import Deadline
from algeval.algebra.inequalities.pipeline import Outcome, decide
from algeval.algebra.inequalities.problem import Problem
from algeval.algebra.proving.coordinates import Space
from algeval.algebra.proving.proofs import Counterexample
from algeval.algebra.proving.reading import read_expression, tidy
from algeval.algebra.proving.refuting import Found, Refuter
from algeval.algebra.proving.statements import Texts, read_problem, relation_of
from algeval.algebra.proving.verdicts import Contradiction, Theorem, Undecided
from algeval.algebra.proving.vocabulary import System, system
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

__all__ = ["Verdict", "decide_claim"]

Verdict = Theorem | Counterexample | Contradiction | Undecided

_SMALL_EXAMS = 0.5
_CONTRADICTION = 10.0
_NOWHERE = "a proof that the hypotheses leave no exam on which the claim divides by no zero: found"
_WITHOUT_INDEPENDENCE = 0.25
"""Share of the time that is spent on the same claim without assuming independent errors."""


@dataclass(frozen=True, slots=True)
class _Question:
    known: System
    texts: Texts
    hint: tuple[str, ...]


def decide_claim(texts: Texts, known: System, hint: Sequence[str], time_limit: float) -> Verdict:
    """Return a verdict on a claim in a system; without independence first, where that is assumed."""
    deadline = Deadline(time_limit)
    question = _Question(known, texts, tuple(hint))
    if known.model != "independent":
        return _decided(question, deadline)
    part = _WITHOUT_INDEPENDENCE * time_limit
    return _decided(
        question, deadline, lambda: _without_independence(question, deadline.part(part))
    )


def _read(question: _Question) -> tuple[Space, Problem, Refuter]:
    space = Space(question.known)
    problem = read_problem(question.texts, space)
    return space, problem, Refuter(question.known, question.texts, problem)


def _forms(question: _Question, space: Space) -> list[Any]:
    """Return forms to be squared: those of the hints, and the bases of even powers in the claim."""
    given = []
    for text in question.hint:
        value = read_expression(question.texts.expanded(tidy(text)), text, space)
        if value.below:
            raise DataError(
                f"a hint must be a polynomial; got {text!r}, which divides; multiply it out"
            )
        given.append(value.top)
    return [*given, *space.under_even_powers]


def _decided(
    question: _Question, deadline: Deadline, wider: Callable[[], Verdict | None] = lambda: None
) -> Verdict:
    """Return a verdict; `wider` is asked first what becomes of the claim where less is assumed."""
    space, problem, refuter = _read(question)
    if refuter.small(deadline.part(_SMALL_EXAMS)) and refuter.found is not None:
        return _refuted(question, refuter.found)
    beside = wider()
    if isinstance(beside, Theorem | Contradiction):
        return beside
    outcome = decide(
        problem,
        deadline,
        confirm=refuter.confirm,
        squares=_forms(question, space),
        named=space.named,
    )
    return _told(question, space, refuter, outcome, beside)


def _without_independence(question: _Question, deadline: Deadline) -> Verdict | None:
    """Return what becomes of the claim on any exam whatever; None if it cannot be stated there."""
    known = question.known
    try:
        wider = system("axioms", known.judges, known.labels)
        return _decided(_Question(wider, question.texts, question.hint), deadline)
    except (DataError, TooLargeError):
        return None


def _told(
    question: _Question, space: Space, refuter: Refuter, outcome: Outcome, wider: Verdict | None
) -> Verdict:
    if outcome.verdict == "refuted" and refuter.found is not None:
        return _refuted(question, refuter.found)
    if outcome.verdict == "proved":
        return _proved(question, space, outcome, wider)
    if outcome.verdict == "contradiction":
        own, alone = _without_the_claim(question, space, outcome)
        if alone.verdict == "contradiction":
            return _contradicted(question, own, alone)
        outcome.tried.append(_NOWHERE)
    return _open(question, refuter, outcome, wider)


_ASSUMES = {"independent": "whenever errors are independent", "axioms": "on every exam"}


def _about(question: _Question, model: str) -> dict[str, Any]:
    texts, known = question.texts, question.known
    return {
        "claim": texts.claim,
        "given": texts.given,
        "define": dict(texts.define),
        "model": model,
        "judges": known.judges,
        "labels": known.labels,
    }


def _header(question: _Question, space: Space, outcome: Outcome, claim: str) -> dict[str, Any]:
    texts, known = question.texts, question.known
    strict = outcome.strict if claim != texts.claim else relation_of(claim) in ("<", ">")
    return {
        "schema": Theorem.schema,
        "claim": claim,
        "given": list(texts.given),
        "define": dict(texts.define),
        "model": space.model,
        "judges": list(known.judges),
        "labels": list(known.labels),
        "denominators": list(outcome.denominators),
        "domain": [move.step for move in outcome.moves],
        "strict": strict,
        "proof": outcome.node,
    }


def _proved(question: _Question, space: Space, outcome: Outcome, wider: Verdict | None) -> Theorem:
    texts = question.texts
    assumed = _ASSUMES[space.model]
    seen = wider if isinstance(wider, Counterexample | Undecided) else None
    empty = "" if outcome.feasible else "; no exam that satisfies the hypotheses was found"
    divides = "; where it divides by zero it says nothing" if outcome.denominators else ""
    return Theorem(
        status=Status.OK,
        message=f"Proved: {texts.claim} holds {assumed}{_if(texts)}{_beside(seen)}{divides}{empty}.",
        method=outcome.tried[-1],
        any_exam=seen,
        certificate=_header(question, space, outcome, texts.claim),
        **_about(question, space.model),
    )


def _beside(seen: Counterexample | Undecided | None) -> str:
    if isinstance(seen, Counterexample):
        return "; if they are not, it can fail"
    return "" if seen is None else "; whether that is needed was not decided"


def _if(texts: Texts) -> str:
    return "" if not texts.given else ", if " + " and ".join(texts.given)


def _refuted(question: _Question, found: Found) -> Counterexample:
    texts = question.texts
    return Counterexample.of(
        texts.claim,
        question.known,
        found.exam,
        (found.left, found.right),
        smallest=found.smallest,
        given=texts.given,
        define=texts.define,
    )


def _without_the_claim(
    question: _Question, space: Space, outcome: Outcome
) -> tuple[Space, Outcome]:
    """Return the contradiction proved from the hypotheses alone: what the claim divides by is left out."""
    if not outcome.denominators:
        return space, outcome
    alone = Texts("0 > 0", question.texts.given, question.texts.define)
    own = Space(question.known)
    problem = read_problem(alone, own)
    again = decide(problem, Deadline(_CONTRADICTION), confirm=lambda point: False)
    return own, again


def _contradicted(question: _Question, space: Space, outcome: Outcome) -> Contradiction:
    texts = question.texts
    return Contradiction(
        status=Status.INCONSISTENT,
        message=(
            f"The hypotheses contradict each other: no exam satisfies {' and '.join(texts.given)}, so "
            f"{texts.claim} says nothing; drop one of them."
        ),
        certificate=_header(question, space, outcome, "contradiction"),
        **_about(question, space.model),
    )


def _open(
    question: _Question, refuter: Refuter, outcome: Outcome, wider: Verdict | None
) -> Undecided:
    late = "time ran out" in outcome.tried
    advice = "raise time_limit or give a hint" if late else "give a hint, or state a simpler claim"
    if relation_of(question.texts.claim) == "=":
        advice = "state it as >= and <=, which allow more kinds of proof"
    if _NOWHERE in outcome.tried:
        advice = "it divides by zero wherever the hypotheses hold: restate it"
    if refuter.absent:
        advice = (
            "it fails only where some label does not occur: add P_A > 0 and the like to `given`"
        )
    return Undecided(
        status=Status.TIME_LIMIT if late else Status.UNDETERMINED,
        message=(
            f"Not decided: {question.texts.claim} was neither proved nor refuted{_if(question.texts)}; "
            f"{advice}."
        ),
        tried=tuple(outcome.tried),
        least=outcome.least,
        any_exam=wider if isinstance(wider, Counterexample) else None,
        **_about(question, question.known.model),
    )
