"""Appendix B: three judges, and a rule that knows every marginal and is sure of the wrong label."""

from __future__ import annotations

import numpy as np

from algeval.models.ising import Ising
from algeval.replicate.claim import Claim, Found
from algeval.replicate.computed import fact, numbers
from algeval.replicate.ising.laws import Classes

__all__ = ["SHARED", "appendix_b"]


def _couplings(w12: float, w13: float, w23: float) -> list[list[float]]:
    return [[0.0, w12, w13], [w12, 0.0, w23], [w13, w23, 0.0]]


W = _couplings(-2.7496, 4.4583, -4.8249)
SHARED = Classes(0.5, Ising([-1.7447, 2.2991, 3.5085], W), Ising([-2.0094, 0.1721, -2.7597], W))
PER_CLASS = Classes(
    0.5,
    Ising([2.7369, 1.3602, 1.9559], _couplings(-2.4445, 2.4553, -2.9206)),
    Ising([-2.5484, -2.2580, -0.9266], _couplings(-3.3637, 3.0718, -0.0677)),
)
"""The paper's two truths, as printed."""

TABLE = {
    "000": ("0.00181", "0.3196"),
    "001": ("0.0603", "0.0202"),
    "010": ("0.0180", "0.3796"),
    "011": ("0.00483", "0.000193"),
    "100": ("0.000316", "0.0428"),
    "101": ("0.9099", "0.2342"),
    "110": ("0.000201", "0.00325"),
    "111": ("0.00465", "0.000143"),
}


_INPUTS = 3e-4
"""Six parameters, each printed to 4 decimals, move the log of a chance by up to 6 times 5e-5."""


def _matches(value: float, printed: str, *, slack: float = 0.0) -> bool:
    """Say whether a value rounds to the printed digits, up to a share `slack` of it."""
    places = len(printed.split(".")[1])
    near: bool = abs(value - float(printed)) <= 0.5 * 10**-places * 1.000001 + slack * value
    return near


def table_entry_by_entry() -> Found:
    """Round the 16 chances to the digits printed."""
    ours = [law.probabilities() for law in (SHARED.no, SHARED.yes)]
    right = [
        _matches(ours[y][int(votes, 2)], printed[y])
        for votes, printed in TABLE.items()
        for y in (0, 1)
    ]
    return Found(f"{sum(right)} of {len(right)} entries round to the printed digits", all(right))


def bayes_posterior_of(classes: Classes, votes: str) -> list[float]:
    """Return P(votes | 0), P(votes | 1) and Bayes' posterior."""
    row = [[int(vote) for vote in votes]]
    chances = [float(np.exp(law.log_probability(row))[0]) for law in (classes.no, classes.yes)]
    return [*chances, float(classes.truth.posterior(row)[0])]


def independent_posterior_of(classes: Classes, votes: str) -> list[float]:
    """Return the products of marginals on each label, and the posterior made of them."""
    row = np.array([int(vote) for vote in votes])
    products = [
        float(np.prod(np.where(row == 1, q, 1 - q)))
        for q in (classes.no.marginals(), classes.yes.marginals())
    ]
    return [*products, float(classes.truth.independent_posterior([row])[0])]


def labels_are_opposite() -> tuple[str, bool]:
    """Decide both printed patterns by Bayes and by independence."""
    cases = ((SHARED, "011"), (PER_CLASS, "110"))
    pairs = [(bayes_posterior_of(*case)[2], independent_posterior_of(*case)[2]) for case in cases]
    told = ", ".join(f"{ours:.7f} against {theirs:.7f}" for ours, theirs in pairs)
    return told, all(ours < 0.05 < 0.95 < theirs for ours, theirs in pairs)


_DIGITS = "half a unit of the last printed digit"
_ROUNDED = f"{_DIGITS}, and a share of 3e-4, as the parameters are printed to 4 decimals"


def appendix_b() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-B6",
            place="Appendix B, after (9)",
            printed="judges 1 and 3 attract (W13 > 0); judge 2 repels both (W12, W23 < 0)",
            compute=fact(
                lambda: (
                    "W13 > 0 > W12, W23",
                    min(W[0][2], -W[0][1], -W[1][2]) > 0
                    and bool((np.array(W) == np.array(W).T).all()),
                )
            ),
        ),
        Claim(
            id="000-B1",
            place="Appendix B, table",
            printed="the chances of the 8 patterns on both labels, 16 numbers",
            compute=table_entry_by_entry,
            tolerance=_DIGITS,
        ),
        Claim(
            id="000-B2",
            place="Appendix B, votes 011",
            printed="P(011 | 0) = 0.0048253, P(011 | 1) = 0.0001929, posterior 0.038",
            compute=_each(
                ["0.0048253", "0.0001929", "0.038"], lambda: bayes_posterior_of(SHARED, "011")
            ),
            tolerance=_ROUNDED,
        ),
        Claim(
            id="000-B3",
            place="Appendix B, marginals",
            printed="chances of a 1 vote: 0.9150, 0.0277, 0.9797 on label 0, and 0.2804, 0.3832, 0.2548 "
            "on label 1",
            compute=numbers(
                [0.9150, 0.0277, 0.9797, 0.2804, 0.3832, 0.2548],
                lambda: [*SHARED.no.marginals(), *SHARED.yes.marginals()],
                tolerance=0.5e-4,
            ),
            tolerance=_DIGITS,
        ),
        Claim(
            id="000-B4",
            place="Appendix B, (10)",
            printed="products of marginals 0.00230 and 0.0702; posterior under independence 0.968",
            compute=_each(
                ["0.00230", "0.0702", "0.968"], lambda: independent_posterior_of(SHARED, "011")
            ),
            tolerance=_ROUNDED,
        ),
        Claim(
            id="000-B5",
            place="Appendix B, couplings per class",
            printed="P(110 | 0) = 0.00393, P(110 | 1) = 0.000124, posterior 0.031, under independence 0.957",
            compute=_each(
                ["0.00393", "0.000124", "0.031", "0.957"],
                lambda: [
                    *bayes_posterior_of(PER_CLASS, "110"),
                    independent_posterior_of(PER_CLASS, "110")[2],
                ],
            ),
            tolerance=_ROUNDED,
        ),
        Claim(
            id="000-B7",
            place="Section 1 and Appendix B",
            printed="independence is nearly certain of the label that Bayes rejects",
            compute=fact(labels_are_opposite),
        ),
    )


def _each(printed: list[str], compute):  # type: ignore[no-untyped-def]
    def run() -> Found:
        ours = compute()
        right = [_matches(a, b, slack=_INPUTS) for a, b in zip(ours, printed, strict=True)]
        return Found(", ".join(f"{value:.7f}" for value in ours), all(right))

    return run
