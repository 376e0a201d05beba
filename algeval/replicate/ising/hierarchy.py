"""Sections 1 and 2: the laws of votes, and Bayes' rule under each."""

from __future__ import annotations

import numpy as np

from algeval.models.binary import Floats, TwoClass, expit, log_sum_exp, logit, patterns
from algeval.models.ising import BayesRule, Ising, bayes_rule
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.ising.laws import ROUNDING, Classes, agree, random_classes, some_classes
from algeval.replicate.ising.potts import potts_log_odds_are_quadratic

__all__ = ["hierarchy"]

VOTES = patterns(5).astype(float)


def log_law_by_listing(fields: Floats, couplings: Floats) -> Floats:
    """Return the log-probabilities of (1), with its sum over ordered pairs written out."""
    k = len(fields)
    energy = VOTES @ fields
    for j in range(k):
        for other in range(k):
            if j != other:
                energy = energy + 0.5 * couplings[j, other] * VOTES[:, j] * VOTES[:, other]
    result: Floats = energy - log_sum_exp(energy)
    return result


def law_is_the_listed_one() -> tuple[str, bool]:
    """Compare (1), listed, with the law used everywhere here."""
    laws = [law for classes in some_classes() for law in (classes.no, classes.yes)]
    listed = [log_law_by_listing(law.fields, law.couplings) for law in laws]
    ours = [law.log_probability(VOTES) for law in laws]
    return agree(listed, ours, "log-probabilities of 40 random laws of 5 judges")


def display_without_the_half() -> tuple[str, bool]:
    """Compare the two displays on the first table of Appendix B."""
    from algeval.replicate.ising.appendix_b import SHARED

    law = SHARED.no
    with_half = law.probabilities()[0b101]
    without = Ising(law.fields, 2 * law.couplings).probabilities()[0b101]
    told = (
        f"P(101 | 0) = {with_half:.4f} with the half, {without:.4f} without; the table has 0.9099"
    )
    return told, abs(with_half - 0.9099) < 5e-5 < abs(without - 0.9099)


def levels_are_nested() -> tuple[str, bool]:
    """See which Bayes rules are linear, and that each level has laws that the one below lacks."""
    flat = np.zeros((5, 5))
    free = random_classes(5, 0)
    shared = random_classes(5, 0, shared=True)
    none = Classes(0.5, Ising(np.arange(5) / 5, flat), Ising(np.ones(5), flat))
    linear = [bayes_rule(classes.truth).is_linear for classes in (none, shared, free)]
    coupled = [bool(classes.no.couplings.any()) for classes in (none, shared, free)]
    told = "Bayes' rule is linear without couplings and with shared ones, and not with couplings per class"
    return told, linear == [True, True, False] and coupled == [False, True, True]


def odds_by_listing(classes: Classes) -> Floats:
    """Return the log-odds of label 1 for every pattern, from the two listed laws."""
    listed = [log_law_by_listing(law.fields, law.couplings) for law in (classes.no, classes.yes)]
    result: Floats = logit(classes.prevalence) + listed[1] - listed[0]
    return result


def odds_are_the_quadratic() -> tuple[str, bool]:
    """Compare listed log-odds with the quadratic in the differences of fields and couplings."""
    every = list(some_classes())
    listed = [odds_by_listing(classes) for classes in every]
    rules = [bayes_rule(classes.truth).log_odds(VOTES) for classes in every]
    return agree(listed, rules, "log-odds of 20 random truths on all votes of 5 judges")


def rule_has_the_printed_coefficients() -> tuple[str, bool]:
    """Compare the rule that minimises the risk with the sign of (2)."""
    for prevalence, no, yes in some_classes():
        truth = TwoClass(prevalence, no, yes)
        printed = BayesRule(
            intercept=float(logit(prevalence)) - yes.log_z + no.log_z,
            linear=yes.fields - no.fields,
            quadratic=yes.couplings - no.couplings,
        )
        if abs(truth.risk(printed.decide(VOTES)) - truth.bayes_risk()) > 1e-12:
            return "the printed rule is not Bayes'", False
    return "the printed rule has Bayes' risk for 20 random truths of 5 judges", True


def shared_couplings_cancel() -> tuple[str, bool]:
    """Compare listed log-odds under (3) with logit pi + sum of c_j J_j + Delta_Z."""
    listed, printed = [], []
    for classes in some_classes(shared=True):
        prevalence, no, yes = classes
        listed.append(odds_by_listing(classes))
        c, delta = yes.fields - no.fields, no.log_z - yes.log_z
        printed.append(logit(prevalence) + VOTES @ c + delta)
    return agree(listed, printed, "log-odds of 20 random truths with shared couplings")


def shifted_fields() -> tuple[str, bool]:
    """See that h_j + (y - 1/2) c_j are any two fields, and that h is their mean and c their gap."""
    left, right = [], []
    for _, no, yes in some_classes(shared=True):
        fields = np.stack([no.fields, yes.fields])
        h, c = fields.mean(axis=0), fields[1] - fields[0]
        left += [h + (y - 0.5) * c for y in (0, 1)]
        right += [fields[0], fields[1]]
    return agree(left, right, "fields of both classes of 20 random truths")


def shared_rule_is_a_threshold() -> tuple[str, bool]:
    """See that (5) has Bayes' risk, and is a weighted vote."""
    for classes in some_classes(shared=True):
        truth, rule = classes.truth, bayes_rule(classes.truth)
        says = VOTES @ rule.linear + rule.intercept >= 0
        if not rule.is_linear or abs(truth.risk(says) - truth.bayes_risk()) > 1e-12:
            return "the threshold is not Bayes' rule", False
    return "the threshold has Bayes' risk for 20 random truths of 5 judges", True


def spins_are_a_weighted_vote_too() -> tuple[str, bool]:
    """Compare sum c J with half the sum over spins, on all votes, in whole numbers."""
    c = np.array([3, -7, 2, 11, -5])
    votes = patterns(5).astype(int)
    left, right = 2 * (votes @ c), (2 * votes - 1) @ c + c.sum()
    return f"equal on {len(left)} patterns, in whole numbers", bool((left == right).all())


def without_couplings_judges_are_logistic() -> tuple[str, bool]:
    """Compare W = 0 with the product of logistic chances, and its log-odds with the per-judge terms."""
    h, c = np.array([0.3, -1.1, 0.7, 0.0, 2.0]), np.array([1.5, 0.4, -0.8, 2.2, 0.1])
    flat = np.zeros((5, 5))
    laws = [Ising(h + (y - 0.5) * c, flat) for y in (0, 1)]
    p = [expit(h + (y - 0.5) * c) for y in (0, 1)]
    product = [np.log(np.where(VOTES == 1, chance, 1 - chance)).sum(axis=1) for chance in p]
    term = VOTES * (logit(p[1]) - logit(p[0])) + np.log((1 - p[1]) / (1 - p[0]))
    left = [*(law.log_probability(VOTES) for law in laws), product[1] - product[0]]
    told, same = agree(left, [*product, term.sum(axis=1)], "laws and log-odds of 5 judges")
    return told, same and bool(np.allclose(logit(p[1]) - logit(p[0]), c))


def hierarchy() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="000-M1",
            place="Section 1, first display",
            printed="P(J | Y) is proportional to exp(J'h + J'WJ)",
            verdict="wording",
            compute=fact(display_without_the_half),
            tolerance="half a unit of the last printed digit",
            note="(1) has J'WJ / 2, and Appendix B's table comes out with the half alone",
        ),
        Claim(
            id="000-fn1",
            place="Footnote 1",
            printed="several labels are handled by Potts models",
            compute=fact(potts_log_odds_are_quadratic),
            tolerance=ROUNDING,
            note="the law and its log-odds are checked for three labels; no method here fits it to votes",
        ),
        Claim(
            id="000-M2",
            place="Figure 2",
            printed="independence is a special case of shared couplings, and these of couplings per class; "
            "Bayes' rule is linear, linear, quadratic",
            compute=fact(levels_are_nested),
        ),
        Claim(
            id="000-1",
            place="(1)",
            printed="law of the votes given a label: fields, and couplings summed over ordered pairs, halved",
            compute=fact(law_is_the_listed_one),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-2a",
            place="2.1, display after (1)",
            printed="log-odds = logit pi + sum of Dh_j J_j + half the sum of DW_jk J_j J_k - log Z1 + log Z0",
            compute=fact(odds_are_the_quadratic),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-2b",
            place="(2)",
            printed="Bayes' rule: b0 + sum of a_j J_j + sum over pairs of b_jk J_j J_k >= 0, a = Dh, b = DW",
            compute=fact(rule_has_the_printed_coefficients),
            tolerance="1e-12, for rounding",
        ),
        Claim(
            id="000-3",
            place="(3)",
            printed="shared couplings: fields h_j + (y - 1/2) c_j",
            compute=fact(shifted_fields),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-4",
            place="(4)",
            printed="shared couplings cancel: log-odds = logit pi + sum of c_j J_j - log Z1 + log Z0",
            compute=fact(shared_couplings_cancel),
            tolerance=ROUNDING,
        ),
        Claim(
            id="000-5",
            place="(5)",
            printed="Bayes' rule with shared couplings: sum of c_j J_j + b0 >= 0",
            compute=fact(shared_rule_is_a_threshold),
            tolerance="1e-12, for rounding",
        ),
        Claim(
            id="000-5a",
            place="2.2, after (5)",
            printed="with spins X = 2J - 1: sum of c_j J_j = half the sum of c_j X_j + half the sum of c_j",
            compute=fact(spins_are_a_weighted_vote_too),
        ),
        Claim(
            id="000-5b",
            place="2.2, W = 0",
            printed="P(J_j = 1 | y) = sigma(h_j + (y - 1/2) c_j); difference of logits c_j; log-odds "
            "J_j (logit p1 - logit p0) + log (1 - p1)/(1 - p0) per judge",
            compute=fact(without_couplings_judges_are_logistic),
            tolerance=ROUNDING,
        ),
    )
