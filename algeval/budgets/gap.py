"""What one labelled item says about two classifiers: +1, -1 or nothing, and with which chances."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from algeval.budgets.majority import majority_accuracy
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["LabelAccuracy", "Rivals", "assumption_1", "assumption_2", "gap_chances"]

Spread: TypeAlias = tuple[tuple[Fraction, Fraction], ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Rivals:
    """Two classifiers, by the chances that exactly one of them is right on an item.

    Numbers are read as a person wrote them: 0.8 is 4/5.

    Attributes
    ----------
    better_alone, worse_alone : Fraction
        Chance that only the better one is right, and that only the worse one is.

    Examples
    --------
    >>> Rivals.independent(0.8, 0.01).disagree
    Fraction(157, 500)
    """

    better_alone: Fraction
    worse_alone: Fraction

    def __post_init__(self) -> None:
        """Check the chances."""
        better, worse = self.better_alone, self.worse_alone
        if not (0 <= worse < better and better + worse <= 1):
            raise DataError(
                "the better classifier must be right alone more often than the worse one; "
                f"got {float(better):g} and {float(worse):g}; change the accuracies"
            )

    @property
    def disagree(self) -> Fraction:
        """How often the two answer differently."""
        return self.better_alone + self.worse_alone

    @classmethod
    def independent(cls, accuracy: Any, margin: Any) -> Rivals:
        """Return two classifiers that err independently, right with `accuracy` and `accuracy + margin`."""
        worse = _chance(accuracy, "accuracy")
        best = worse + exact(margin, "margin")
        if not worse < best <= 1:
            raise DataError(
                f"margin must be above 0 and leave accuracy + margin at most 1; got {margin!r}; change it"
            )
        return cls((1 - worse) * best, worse * (1 - best))

    @classmethod
    def correlated(cls, accuracy: Any, better_if_wrong: Any, better_if_right: Any) -> Rivals:
        """Return classifiers by the worse one's accuracy, and the better one's where it is wrong or right.

        These are p_w, p_b^0 and p_b^1 of the paper on single labels.
        """
        worse = _chance(accuracy, "accuracy")
        wrong = _chance(better_if_wrong, "better_if_wrong")
        right = _chance(better_if_right, "better_if_right")
        return cls((1 - worse) * wrong, worse * (1 - right))


def _chance(given: Any, name: str) -> Fraction:
    value = exact(given, name)
    if not 0 <= value <= 1:
        raise DataError(f"{name} must be from 0 to 1; got {given!r}; change it")
    return value


@dataclasses.dataclass(frozen=True, slots=True)
class LabelAccuracy:
    """How often one label is right, where only the better classifier is right, and where only the worse.

    Attributes
    ----------
    better, worse : tuple of (q, weight)
        Accuracies in [1/2, 1] and how often each occurs; the weights sum to 1. One pair if all items are
        alike.
    """

    better: Spread
    worse: Spread

    @classmethod
    def of(cls, given: Any) -> LabelAccuracy:
        """Read a number; a pair (q_b, q_w); or {"better": {q: weight}, "worse": {q: weight}}.

        Examples
        --------
        >>> LabelAccuracy.of((0.9, 0.8)).mean
        (Fraction(9, 10), Fraction(4, 5))
        """
        if isinstance(given, LabelAccuracy):
            return given
        if isinstance(given, Mapping):
            return cls._of_mapping(given)
        pair = tuple(given) if isinstance(given, list | tuple) else (given, given)
        if len(pair) != 2:
            raise DataError(
                "label_accuracy must be one number or two, where only the better and where only the "
                f"worse classifier is right; got {given!r}; write it like 0.8, or 0.85 and 0.8"
            )
        return cls(*(((_accuracy(q), Fraction(1)),) for q in pair))

    @classmethod
    def _of_mapping(cls, given: Mapping[Any, Any]) -> LabelAccuracy:
        if set(given) != {"better", "worse"}:
            raise DataError(
                "label_accuracy must have the parts 'better' and 'worse'; "
                f"got {sorted(map(str, given))}; write {{'better': {{0.8: 1}}, 'worse': {{0.7: 1}}}}"
            )
        return cls(*(_spread(given[name]) for name in ("better", "worse")))

    @property
    def mean(self) -> tuple[Fraction, Fraction]:
        """q_b and q_w: how often one label is right in either event."""
        return self.majority(1)

    @property
    def varies(self) -> bool:
        """Whether some items are labelled better than others within an event."""
        return len(self.better) > 1 or len(self.worse) > 1

    def majority(self, m: int) -> tuple[Fraction, Fraction]:
        """Return how often the majority of m labels is right in either event."""
        return _mean(self.better, m), _mean(self.worse, m)

    def plain(self) -> Any:
        """Return what `of` reads, as JSON types."""
        if self.varies:
            parts = {"better": self.better, "worse": self.worse}
            return {name: {str(q): str(w) for q, w in part} for name, part in parts.items()}
        q_b, q_w = map(str, self.mean)
        return q_b if q_b == q_w else [q_b, q_w]


def _accuracy(given: Any) -> Fraction:
    q = exact(given, "label_accuracy")
    if not Fraction(1, 2) <= q <= 1:
        raise DataError(
            f"label_accuracy must be from 0.5 to 1; got {given!r}; labels worse than chance name no winner"
        )
    return q


def _spread(given: Any) -> Spread:
    if not isinstance(given, Mapping) or not given:
        raise DataError(
            f"label_accuracy must give {{accuracy: weight}}; got {given!r}; write {{0.7: 0.5, 0.9: 0.5}}"
        )
    pairs = tuple((_accuracy(q), exact(w, "weight")) for q, w in given.items())
    if min(w for _, w in pairs) < 0 or sum(w for _, w in pairs) != 1:
        raise DataError(
            f"label_accuracy must give weights that sum to 1; got {given!r}; write {{0.7: 0.5, 0.9: 0.5}}"
        )
    return pairs


def _mean(part: Spread, m: int) -> Fraction:
    return sum((w * majority_accuracy(q, m) for q, w in part), Fraction(0))


def gap_chances(rivals: Rivals, labels: LabelAccuracy, m: int = 1) -> tuple[Fraction, Fraction]:
    """Return the chances of +1 and -1: the label, a majority of m, sides with the better, with the worse.

    Propositions B.1 and B.2 of the paper on single labels.

    Examples
    --------
    >>> gap_chances(Rivals.independent(0.8, 0.01), LabelAccuracy.of(0.8))
    (Fraction(4, 25), Fraction(77, 500))
    """
    q_b, q_w = labels.majority(m)
    better, worse = rivals.better_alone, rivals.worse_alone
    return better * q_b + worse * (1 - q_w), better * (1 - q_b) + worse * q_w


def assumption_1(labels: LabelAccuracy) -> bool:
    """Whether labels are at least as good where only the better classifier is right."""
    q_b, q_w = labels.mean
    return bool(q_b >= q_w)


def assumption_2(rivals: Rivals, labels: LabelAccuracy, m: int) -> bool:
    """Whether what varying accuracy takes from a majority of m harms the better classifier no less.

    The paper's (1), multiplied out, so that it has a meaning where the worse is never right alone.
    """
    if not labels.varies:
        return True
    found, mean = labels.majority(m), labels.mean
    lost = [majority_accuracy(q, m) - part for q, part in zip(mean, found, strict=True)]
    return bool(rivals.better_alone * lost[0] >= rivals.worse_alone * lost[1])
