"""The appendices of the paper: proofs, ground truth, pairs of judges, exams, sequences."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from algeval.algebra import correlations
from algeval.data import Sketch, Summary, Votes
from algeval.logic import (
    Tables,
    axioms,
    bounds,
    evaluations,
    half_votes,
    members,
    pair_correlations,
    windows,
)
from algeval.replicate.claim import Claim
from algeval.replicate.computed import entry, fact, numbers
from algeval.replicate.logic.graders import LABELS, keyed_by_experts, table_1, tally

__all__ = ["appendices"]


def appendices() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendices."""
    return (*_proofs(), *_pairs(), *_exams())


def _proofs() -> tuple[Claim, ...]:
    both = ("003 (12)-(13), R=2", "003 (12)-(13), R=3")
    return (
        Claim(
            id="003-12",
            place="Appendix A (12)",
            printed="R_r = sum over true labels t of R_r;t",
            compute=entry(*both),
        ),
        Claim(
            id="003-13",
            place="Appendix A (13)",
            printed="Q_t = sum over answers r of R_r;t",
            compute=entry(*both),
        ),
        Claim(
            id="003-AppA",
            place="Appendix A",
            printed="(9) follows from (12) and (13) by cancelling terms, for any R",
            compute=fact(axiom_vanishes),
        ),
        Claim(
            id="003-AppB",
            place="Appendix B",
            printed="votes (model a, tie) make a preference for a, each tie counting half for both sides",
            compute=fact(half_votes_decide),
        ),
    )


def _pairs() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-14b",
            place="Appendix C (14)",
            printed="the counts of a pair's joint answers, whose margins are each judge's own counts",
            compute=fact(margins_of_the_pair),
        ),
        Claim(
            id="003-15",
            place="Appendix C (15)",
            printed="no joint answer is given more often on a true label than altogether",
            compute=fact(pair_inequality),
            tolerance="exact, over all pair tables of one exam of five items",
        ),
        Claim(
            id="003-16",
            place="Appendix C (16), (17)",
            printed="one linear relation per label and pair of judges, always zero",
            compute=entry("003 M=2, R=2", "003 M=2, R=3"),
            note="the sums were read by their structure, since the text at hand garbles them",
        ),
        Claim(
            id="003-16c",
            place="Appendix C",
            printed="these R relations are the axioms of a pair",
            verdict="conditional",
            compute=fact(relations_missing),
            note="complete for two labels only: the (R - 1)^2 free pair counts that are seen say more",
        ),
        Claim(
            id="003-18",
            place="Appendix C (18)",
            printed="how far a pair's answers go together: R_rs;t/Q_t - (R_r;t/Q_t)(R_s;t/Q_t)",
            compute=fact(correlations_of_the_graders),
        ),
    )


def _exams() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-19",
            place="Appendix D (19)",
            printed="g_i = sum over labels of (Q_t/Q)(R_t;t/Q_t), the share of items answered correctly",
            compute=entry("003 (19), R=2", "003 (19), R=3"),
        ),
        Claim(
            id="003-D",
            place="Appendix D",
            printed="at an answer key the consistent evaluations of an exam make a set of possible grades",
            compute=fact(grades_at_a_key),
        ),
        Claim(
            id="003-E",
            place="Appendix E",
            printed="Q items make Q - 1 consecutive pairs, a test of R^2 labels: 24 and 9 for Table I",
            compute=numbers([24, 9], windows_of_table_1),
        ),
    )


def axiom_vanishes() -> tuple[str, bool]:
    """Expand the axioms of one judge into counts by answer and true label, for several R."""
    found = [axioms(1, labels=labels) for labels in (2, 3, 4, 5)]
    good = all(one.proved and len(one.of_kind("axiom")) == len(one.labels) for one in found)
    sizes = ", ".join(str(len(one.labels)) for one in found)
    return f"each expands to zero for R = {sizes}", good


def half_votes_decide() -> tuple[str, bool]:
    """Decide (a, tie), (tie, tie) and (a, b)."""
    votes = {"1": ["a", "tie"], "2": ["tie", "tie"], "3": ["a", "b"]}
    found = half_votes(votes).decisions
    return f"(a, tie): {found[0]}; (tie, tie): {found[1]}; (a, b): {found[2]}", (
        found == ("a", "tie", "tie")
    )


def small_exam() -> Sketch:
    """Return three judges on five items."""
    return Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})


def margins_of_the_pair() -> tuple[str, bool]:
    """Count the joint answers of authors and gpt4 in Table I, and add them up."""
    counts = table_1().select(["authors", "gpt4"]).sketch().to_counts()
    sums = [
        [sum(n for answers, n in counts.items() if answers[place] == label) for label in LABELS]
        for place in (0, 1)
    ]
    told = f"{len(counts)} of 9 joint answers occur; margins {sums[0]} and {sums[1]}"
    return told, sums == [tally("authors"), tally("gpt4")]


def pair_inequality() -> tuple[str, bool]:
    """Compare every pair count given a true label with the pair count seen."""
    exam = small_exam()
    tables = [one for one in members(exam, order=2) if isinstance(one, Tables)]
    most = max(max(_beyond_what_is_seen(one, exam)) for one in tables)
    return f"so it is in all {len(tables)} pair tables", most <= 0


def _beyond_what_is_seen(one: Tables, exam: Sketch) -> Iterator[int]:
    """Yield each pair count given a true label less the count of that pair of answers."""
    for i, j, table in one.pairs:
        seen = exam.marginal([exam.judges[i], exam.judges[j]]).to_counts()
        for a, b in product(range(exam.n_answers), repeat=2):
            answers = exam.answers[a], exam.answers[b]
            yield from (count - seen.get(answers, 0) for count in table[a][b])


def relations_missing() -> tuple[str, bool]:
    """Return how many independent relations the printed ones leave out, for R = 2, 3, 4."""
    missing = []
    for labels in (2, 3, 4):
        found = axioms(2, labels=labels)
        kinds = ("size", "simplex", "marginalisation", "axiom")
        missing.append(found.rank - found.rank_of(*kinds))
    told = ", ".join(map(str, missing))
    return f"relations left out: {told} for R = 2, 3, 4", missing[0] == 0 and missing[1] > 0


def correlations_of_the_graders() -> tuple[str, bool]:
    """Compute (18) for authors and gpt4 against the experts' key, and compare with its possible range."""
    votes = keyed_by_experts(table_1())
    found = correlations(votes.keyed_sketch())
    ranges = pair_correlations(votes, "authors", "gpt4", key_counts=tally("experts"))
    same = inside = True
    for r, s, t in product(LABELS, repeat=3):
        value = found.of(votes.judges, t, (r, s))
        least, most = ranges.range_of(r, s, t) or (Fraction(0), Fraction(0))
        same &= value == _counted_correlation(votes, r, s, t)
        inside &= least <= value <= most
    both = found.of(votes.judges, "b")
    told = f"authors and gpt4 against the experts: {both} for b and b on b, and so all 27, each in its range"
    return told, same and inside


def _counted_correlation(votes: Votes, r: str, s: str, t: str) -> Fraction:
    """Return (18), counted item by item."""
    assert votes.key is not None
    rows = votes.codes[votes.key == LABELS.index(t)].tolist()
    first, second = ([LABELS[row[place]] for row in rows] for place in (0, 1))
    both = sum(pair == (r, s) for pair in zip(first, second, strict=True))
    n = len(rows)
    return Fraction(both, n) - Fraction(first.count(r), n) * Fraction(second.count(s), n)


def grades_at_a_key() -> tuple[str, bool]:
    """List the grades of a judge who says a nine times, at five items of each label."""
    one = Summary.from_counts({"i": {"a": 9, "b": 1}})
    grades = sorted(
        {Fraction(sum(point.correct[0]), 10) for point in evaluations(one, key_counts=(5, 5))}
    )
    ends = bounds(one, order=1, key_counts=(5, 5)).grade_of("i")
    told = f"answers (9, 1) at 5 items of each label: {', '.join(map(str, grades))}"
    return told, ends == (grades[0], grades[-1])


def windows_of_table_1() -> tuple[int, int]:
    """Return the number of consecutive pairs of Table I, and of their labels."""
    found = windows(table_1(), 2)
    return len(found), found.n_labels
