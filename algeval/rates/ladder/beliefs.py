"""What somebody may believe of the judges: `at_least` as specifications, each with its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from algeval.data import Specification
from algeval.errors import DataError
from algeval.logic.demand import spelled_as
from algeval.logic.exam import Exam
from algeval.rates.inputs import exact_share
from algeval.rates.policy import FLOORS
from algeval.result import percent
from algeval.result.wording import did_you_mean

__all__ = ["Belief", "beliefs_in"]

_OF_ANSWERED = "of the items it answered"


@dataclass(frozen=True, slots=True)
class Belief:
    """A specification of the judges, and whether somebody asked for it.

    Attributes
    ----------
    name, assumption, breaks_at : str
        As of a rung.
    specification : Specification
    asked : bool
        Whether it is what the user believes; else it is looked at for comparison.
    """

    name: str
    assumption: str
    breaks_at: str
    specification: Specification
    asked: bool


def beliefs_in(
    exam: Exam, at_least: object | None, usual: Sequence[str] = FLOORS
) -> tuple[Belief, ...]:
    """Return what `at_least` asks of the judges; of none, the usual levels to look at.

    Parameters
    ----------
    exam : Exam
    at_least : number, mapping, text, Specification or None
        A number: every judge is right on at least this share of the items it answered. {judge: number}:
        the same of some judges. {label: number}: every judge, of the items of this label. Text and
        specifications say all of it themselves.
    usual : sequence of str
        The levels to look at where nothing is believed.

    Raises
    ------
    DataError
        If a name is not known, or a number is no share.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> from algeval.logic.exam import read_exam
    >>> exam = read_exam(Summary.from_counts({"x": {"a": 9, "b": 1}}))
    >>> [belief.name for belief in beliefs_in(exam, 0.9)]
    ['every judge right on at least 90%', 'every judge right on at least 90% of each label']
    """
    if at_least is None:
        return tuple(_of_all(level, asked=False) for level in usual)
    if isinstance(at_least, Mapping):
        return (_of_mapping(exam, at_least),)
    if isinstance(at_least, Specification) or _is_text(at_least):
        return (_as_specified(exam, Specification.of(at_least)),)
    return _of_all(at_least, asked=True), _of_each_label(at_least)


def _is_text(at_least: object) -> bool:
    return isinstance(at_least, str) and any(letter.isalpha() for letter in at_least)


def _of_all(level: object, *, asked: bool) -> Belief:
    share = _share(level)
    return Belief(
        f"every judge right on at least {share}",
        f"every judge is right on at least {share} {_OF_ANSWERED}",
        f"one judge right on less than {share}",
        Specification.grade(">=", level),
        asked,
    )


def _of_each_label(level: object) -> Belief:
    share = _share(level)
    return Belief(
        f"every judge right on at least {share} of each label",
        f"every judge is right on at least {share} of the items of each label that it answered",
        f"one judge right on less than {share} of the items of one label",
        Specification.accuracy(">=", level),
        False,
    )


def _of_mapping(exam: Exam, levels: Mapping[Any, Any]) -> Belief:
    parts = list(_parts(exam, levels))
    if not parts:
        raise DataError("at_least must name a judge or a label; got an empty mapping; write 0.7")
    spec = parts[0]
    for part in parts[1:]:
        spec = spec & part
    return _as_specified(exam, spec)


def _parts(exam: Exam, levels: Mapping[Any, Any]) -> Iterator[Specification]:
    names = [str(name) for name in levels]
    if any(name in exam.judges and name in exam.labels for name in names):
        raise DataError(
            "at_least must name judges or labels by names that no other has; got a name of both; write "
            'conditions, as in "grade of x >= 70%"'
        )
    for name, level in zip(names, levels.values(), strict=True):
        if name in exam.labels:
            yield Specification.accuracy(">=", level, label=name)
        elif name not in exam.judges:
            near = did_you_mean(name, (*exam.judges, *exam.labels))
            raise DataError(
                f"at_least must name judges {list(exam.judges)} or labels {list(exam.labels)}; got "
                f"{name!r}; {near}"
            )
        elif isinstance(level, Mapping):
            for label, x in level.items():
                yield Specification.accuracy(">=", x, judge=name, label=str(label))
        else:
            yield Specification.grade(">=", level, judge=name)


def _as_specified(exam: Exam, spec: Specification) -> Belief:
    spec, _ = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    if spec.min_judges is not None:
        raise DataError(
            "at_least must be asked of every judge named; got 'at least k of the judges'; leave that out"
        )
    words = spec.describe()
    return Belief("as specified", words, "one of these conditions fails", spec, asked=True)


def _share(level: object) -> str:
    value = exact_share(level, "at_least")
    return percent(value, 0 if (100 * value).denominator == 1 else 1)
