"""One question of several: judges whose answers have nothing in common are asked different things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from algeval.errors import DataError
from algeval.io.answers import as_number
from algeval.io.layout import shown
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.result.wording import how_many

__all__ = ["keep_one_question", "one_question", "unlike"]


def one_question(
    asked: str | None,
    known: Mapping[str, int],
    name: str,
    *,
    noun: str = "vote",
    before: str = "",
) -> str:
    """Return the question asked for, or the only one there is.

    Parameters
    ----------
    asked : str or None
    known : mapping
        The questions and how often each was answered.
    name : str
        Of the file.
    noun : str
        What was counted.
    before : str
        What stands before a question in question=.

    Raises
    ------
    DataError
        If the question is not asked in the file, or there are several and none was named.

    Examples
    --------
    >>> one_question(None, {"verdict": 9}, "x.json")
    'verdict'
    """
    if asked is None and len(known) > 1:
        listed = ", ".join(f"{one!r} ({how_many(n, noun)})" for one, n in known.items())
        raise DataError(
            f"the judges of one table must answer one question; {name} asks {listed}; choose with "
            f"question={before + next(iter(known))!r}"
        )
    question = next(iter(known)) if asked is None else asked
    if question not in known:
        raise DataError(
            f"question must be one that {name} asks; got {question!r}; it asks {shown(tuple(known))}"
        )
    return question


def keep_one_question(
    found: Gathered, question_of: Mapping[str, str], wanted: Wanted, name: str
) -> None:
    """Keep the judges of the question asked for, or refuse where several are left.

    Judges answer one question if they have an answer in common, or if all give whole numbers, or all
    numbers with fractions. One who gives a single answer throughout is taken to answer that of the others.

    Parameters
    ----------
    found : Gathered
        Is cut down in place.
    question_of : mapping
        The question of each judge; a judge not in it is a question of its own.
    wanted : Wanted
    name : str
        Of the file.

    Raises
    ------
    DataError
        If the question is not asked in the file, or judges of several are left and none was named.
    """
    given = found.answers_by_judge()
    if wanted.question is not None:
        _keep(found, question_of, wanted.question, list(given), name)
        return
    chosen = [judge for judge in given if wanted.judges is None or judge in wanted.judges]
    if unlike([given[judge] for judge in chosen]):
        votes: dict[str, int] = {}
        for judge in found.judges:
            if judge in chosen:
                question = question_of.get(judge, judge)
                votes[question] = votes.get(question, 0) + 1
        raise _several(name, votes)


def _keep(
    found: Gathered, question_of: Mapping[str, str], question: str, judges: list[str], name: str
) -> None:
    kept = [judge for judge in judges if question in (judge, question_of.get(judge, judge))]
    if not kept:
        known = tuple(dict.fromkeys(question_of.get(judge, judge) for judge in judges))
        raise DataError(
            f"question must be one that {name} asks; got {question!r}; it asks {shown(known)}"
        )
    others = [judge for judge in judges if judge not in kept]
    if others:
        n = sum(judge in others for judge in found.judges)
        found.left_out[f"votes on other questions, of {shown(tuple(others), 6)}"] += n
    found.keep(kept)


def _several(name: str, votes: Mapping[str, int]) -> DataError:
    listed = ", ".join(f"{q!r} ({how_many(n, 'vote')})" for q, n in list(votes.items())[:8])
    return DataError(
        f"the judges of one table must answer one question; {name} has some with unlike answers: {listed}; "
        f"choose with question={next(iter(votes))!r}, or name judges that agree on the answers in judges="
    )


def unlike(given: Iterable[set[str]]) -> bool:
    """Whether judges, by the answers each gave, fall into groups that were asked different things."""
    groups: list[set[str]] = []
    for answers in given:
        met = [group for group in groups if group & answers]
        groups = [group for group in groups if group not in met]
        groups += [answers.union(*met)] if answers else []
    kinds = {_kind(group) for group in groups}
    told_apart = [group for group in groups if len(group) > 1 and _kind(group) == "text"]
    return len(kinds) > 1 or len(told_apart) > 1


def _kind(answers: set[str]) -> str:
    """Return what answers are: text, whole numbers, or numbers with fractions."""
    numbers = [as_number(answer) for answer in answers]
    if any(number is None for number in numbers):
        return "text"
    whole = all(number is not None and number.is_integer() for number in numbers)
    return "whole" if whole else "fractions"
