"""What rests on judges' scores that are not published, or on numbers lost in the text."""

from __future__ import annotations

from algeval.replicate.claim import Claim

__all__ = ["unpublished"]

PUBLISHED = (
    "judges' scores are published for ASSET, CivilComments and PKU-BETTER; those of "
    "PKU-BETTER our copy lacks"
)
LOST = "the cells are empty in the text we read"

MISSING = (
    (
        "26.8",
        "abstract, section 5.1",
        "error down by up to 26.8% (UltraFeedback, against majority)",
        PUBLISHED,
    ),
    ("17.37", "section 5.1", "17.37% better than averages over six scored sets", PUBLISHED),
    ("12.75", "section 5.1", "12.75% better than majorities over six scored sets", PUBLISHED),
    ("13.4", "section 5.1", "13.4% more accurate on Summarize than the best baseline", PUBLISHED),
    (
        "5of6",
        "section 5.1",
        "best accuracy on 5 of 6 sets of classes and pairs",
        f"{PUBLISHED}; {LOST}",
    ),
    ("T1", "Table 1", "mean absolute errors on six scored sets", f"{LOST}; {PUBLISHED}"),
    ("T2", "Table 2", "accuracies on six sets of classes and pairs", f"{LOST}; {PUBLISHED}"),
    ("F2", "Figure 2", "correlations of two confounders with attributes, Review-5K", PUBLISHED),
    ("F3", "Figure 3", "correlations of the confounder with attributes, PKU-Safer", PUBLISHED),
    (
        "F4",
        "section 5.3, Figure 4",
        "eight programs added lower the error by 15.2% (majority) and 11.1% (UWS)",
        "neither the 30 programs' nor the models' scores of FeedbackQA are published",
    ),
    (
        "T3",
        "Table 3",
        "changes under beauty .919, .506, 1.229, .508, .375 and authority .824, .325, .754, .271, .233",
        "scores before and after are not published; `ae.robustness` computes such a table",
    ),
    (
        "T4",
        "Table 4",
        "false positive rates of six attacks: .441 to .674, .504 to .587, and 0 to .496 with CARE",
        "the judges' answers are not published; `ae.false_positives` computes such a table",
    ),
    ("T6", "Table 6", "loadings of 14 judges on FeedbackQA", PUBLISHED),
    ("T7", "E.8, Table 7", "the first factor has the least error of all", f"{LOST}; {PUBLISHED}"),
    (
        "F6",
        "Figure 6",
        "curves of E.9 over 10 and 25 seeds",
        "the means, strengths and numbers of items are lost with the formulas; 002-E.9.1-svd to "
        "002-E.9.2-named",
    ),
    (
        "4-constants",
        "Theorems 4.2, 4.3, D.5, D.9",
        "numbers of items that suffice",
        "the universal constants are not specified, and the displays are lost; rates in n are 002-4.2, "
        "002-4.3",
    ),
    (
        "F8",
        "Figure 8",
        "errors of E.10 over ten seeds",
        "means and number of items are lost; see 002-E.10",
    ),
)
"""Name, place, what is printed, and what is missing."""


def unpublished() -> tuple[Claim, ...]:
    """Return the claims in about the order of the text."""
    return tuple(
        Claim(
            id=f"002-{name}",
            place=place,
            printed=printed,
            verdict="not reproducible",
            note=missing,
        )
        for name, place, printed, missing in MISSING
    )
