"""What the paper says of agreement equations, and of more labels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from algeval.data import Evaluation
from algeval.models.independent import exact_exam
from algeval.replicate.algebraic.exams import decoded
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, identities

__all__ = ["other_work"]

_AGREE = "f_AAA + f_AAB + f_BBA + f_BBB"


def other_work() -> tuple[Claim, ...]:
    """Return the claims on agreement equations and on more labels."""
    on_label = "(P_i{0}*P_j{0} + (1-P_i{0})*(1-P_j{0}) + 2*Gamma_ij_{0})"
    both = " + ".join(f"P_{label}*{on_label.format(label)}" for label in "AB")
    independent = "g_i*g_j + (1-g_i)*(1-g_j)"
    return (
        Claim(
            id="001-RW1",
            place="Related work",
            printed="agreement equations are part of those for the frequencies of correlated judges",
            compute=identities(f"{_AGREE} = {both}", model="correlated"),
            note="a pair's agreement is the sum of four of the eight frequencies",
        ),
        Claim(
            id="001-RW2",
            place="Related work",
            printed="errors independent over all items, as agreement equations take them, give another "
            "solution than errors independent on each label",
            compute=identities(
                f"{_AGREE} - ({independent}) = 2*P_A*P_B*(P_iA-P_iB)*(P_jA-P_jB)",
                false=[f"{_AGREE} = {independent}"],
            ),
        ),
        Claim(
            id="001-CodeS3",
            place="caption of Code S3",
            printed="three independent judges of three labels can be evaluated too",
            compute=fact(three_labels_decoded),
        ),
    )


def three_labels_decoded() -> tuple[str, bool]:
    """Decode an exact exam of three judges and three labels."""
    rows = np.array([[6, 1, 1], [1, 5, 2], [2, 1, 5]], object)
    confusion = np.array([rows, rows[::-1, ::-1], np.roll(rows, 1, (0, 1))]) * Fraction(1, 8)
    labels = ("A", "B", "C")
    shares = np.array([Fraction(n, 10) for n in (2, 3, 5)])
    truth = Evaluation(("i", "j", "k"), labels, labels, shares, confusion)
    exam = exact_exam(truth)
    found = decoded(exam)
    right = found.best == truth
    told = f"{exam.n_items} items decode to {'the true' if right else 'another'} evaluation"
    return f"{told}, by an exact matrix pencil", right and found.engine == "pencil"
