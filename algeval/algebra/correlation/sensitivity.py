"""How error correlations would move a decoded binary trio, to first order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.decoding.results import Decoding, evaluation_of
from algeval.data import Evaluation
from algeval.data.names import positions, read_only
from algeval.errors import DataError
from algeval.result import Result, Status
from algeval.result.tables import Table

__all__ = ["GROUPS", "Sensitivity", "binary_trio", "coefficients", "rates_of", "sensitivity"]

Floats: TypeAlias = NDArray[np.float64]

GROUPS = ((0, 1), (0, 2), (1, 2), (0, 1, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sensitivity(Result):
    """First-order effect of error correlations on what `decode` returns for a binary trio.

    Attributes
    ----------
    prevalence : (4, 2) float array
        d(share of the first label) / d(Gamma): rows are the judge groups (1, 2), (1, 3), (2, 3),
        (1, 2, 3), columns the label on which the judges' correctness is correlated.
    accuracies : (3, 2, 4, 2) float array
        d(accuracy of judge i on label t) / d(Gamma), same last two axes.
    """

    schema: ClassVar[str] = "algeval.sensitivity/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    prevalence: Floats
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per derivative: of what, by the correlation of which judges on which label."""
        of: list[tuple[Any, ...]] = [("prevalence", None, self.labels[0], self.prevalence)]
        of += [
            ("accuracy", judge, label, self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        rows = [
            (*named, ", ".join(self.judges[k] for k in GROUPS[g]), self.labels[u], table[g, u])
            for *named, table in of
            for g, u in np.ndindex(4, 2)
        ]
        names = ("quantity", "judge", "label", "correlated judges", "on label", "derivative")
        return (Table.of_rows("Derivatives", names, rows),)

    def shift(
        self, correlations: Mapping[tuple[str, ...], tuple[Any, Any]]
    ) -> tuple[float, Floats]:
        """Return the predicted error of the prevalence and of the (3, 2) accuracies.

        Parameters
        ----------
        correlations : mapping
            {group of judge names: (Gamma on the first label, Gamma on the second)}; groups left
            out are uncorrelated. `error_correlations` measures them where the key is known.
        """
        gamma = np.zeros((4, 2))
        for group, values in correlations.items():
            places = tuple(sorted(positions("judge", group, self.judges)))
            if places not in GROUPS or len(values) != 2:
                raise DataError(
                    f"correlations must give two numbers for two or three judges; got {values!r} "
                    f"for {group!r}; one number per label"
                )
            gamma[GROUPS.index(places)] = [float(value) for value in values]
        move = (self.accuracies * gamma).sum((2, 3))
        return float((self.prevalence * gamma).sum()), move


def sensitivity(evaluation: Evaluation | Decoding) -> Sensitivity:
    """Return how error correlations would move the decoded evaluation, to first order.

    Use it to ask how much a suspected common cause matters: a correlation is divided by the
    product of the judges' skills P_iA + P_iB - 1, so judges near chance amplify it.

    Raises
    ------
    DataError
        If the evaluation is not of three judges and two labels, or a judge has no skill, or a
        label never occurs.

    Notes
    -----
    Derivatives of the s-form at zero correlation, with correlations as in Algebraic Evaluation, S44-S45.
    """
    chosen = binary_trio(evaluation)
    p, accuracy = rates_of(chosen)
    into_p, into_accuracy = coefficients(p, accuracy)
    return Sensitivity(
        status=Status.OK,
        message="First-order effect of error correlations on the decoded evaluation.",
        judges=chosen.judges,
        labels=chosen.labels,
        prevalence=read_only(into_p),
        accuracies=read_only(into_accuracy),
    )


def binary_trio(evaluation: Evaluation | Decoding) -> Evaluation:
    """Return an evaluation of three judges and two answers, or say what is wrong."""
    evaluation = evaluation_of(evaluation)
    if len(evaluation.judges) != 3 or len(evaluation.answers) != 2:
        raise DataError(
            f"the evaluation must be of three judges and two answers; got "
            f"{len(evaluation.judges)} judges and answers {list(evaluation.answers)}"
        )
    return evaluation


def rates_of(evaluation: Evaluation) -> tuple[float, Floats]:
    """Return the share of the first label and the (3, 2) accuracies."""
    floats = evaluation.to_floats()
    p, accuracy = float(floats.prevalence[0]), floats.accuracies().astype(float)
    if not (p * (1 - p) and (accuracy.sum(1) != 1).all()):
        raise DataError(
            "both labels must occur and every judge must tell them apart; got a label that never "
            "occurs or a judge that answers both alike"
        )
    return p, accuracy


def coefficients(p: float, accuracy: Floats) -> tuple[Floats, Floats]:
    """Return d(p)/d(Gamma) (4, 2) and d(accuracy)/d(Gamma) (3, 2, 4, 2)."""
    skill = accuracy.sum(1) - 1
    share = np.array([p, 1 - p])
    sign = np.array([-1.0, 1.0])
    into_p = np.zeros((4, 2))
    for g, group in enumerate(GROUPS):
        factor = 2 if len(group) == 3 else 1
        into_p[g] = factor * sign * share / skill[list(group)].prod()
    into_accuracy = np.zeros((3, 2, 4, 2))
    for i in range(3):
        j, k = (n for n in range(3) if n != i)
        opposite, trio = GROUPS.index((j, k)), 3
        for t in range(2):
            other = 1 - t
            row = into_accuracy[i, t]
            for n in (j, k):
                row[GROUPS.index((min(i, n), max(i, n))), t] = 1 / skill[n]
            row[trio, t] = 1 / (skill[j] * skill[k])
            ratio = share[other] / share[t] / (skill[j] * skill[k])
            row[opposite, other] = -ratio * skill[i]
            row[trio, other] = -ratio
    return into_p, into_accuracy
