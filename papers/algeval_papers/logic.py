"""Claims of No-Knowledge Alarms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import numpy as np

from algeval.algebra import correlations
from algeval.data import Sketch, Specification, Summary, Votes
from algeval.io import example
from algeval.logic import (
    Point,
    Tables,
    alarm,
    axioms,
    bounds,
    count_after_inequalities,
    count_conceivable,
    count_consistent,
    count_keys,
    count_keys_meeting,
    evaluations,
    half_votes,
    is_consistent,
    members,
    multiplicities,
    pair_correlations,
    suspect_key,
    threshold,
    windows,
)
from algeval_papers.claims import Claim, fact, number, numbers
from algeval_papers.equations import entry

# --- The two graders of 25 MT-Bench pairs, as the paper's text and its Table I count them.


LABELS = ("a", "b", "tie")
Counts = tuple[int, int, int]
AUTHORS: Counts = (5, 10, 10)
GPT4: Counts = (4, 18, 3)


def graders(gpt4: Counts = GPT4) -> Summary:
    """Both graders' counts; by default those of the paper's text."""
    rows = np.array([AUTHORS, gpt4])
    return Summary(("authors", "gpt4"), LABELS, LABELS, rows, 25)


def table_1() -> Votes:
    """Votes of Table I as printed: experts, authors, gpt4."""
    data = example("mt-bench")
    assert isinstance(data, Votes)
    return data


@cache
def key_levels(gpt4: Counts = GPT4) -> tuple[tuple[Fraction, Counts], ...]:
    """Return, for every answer key, the highest accuracy both graders can have on every label; ascending."""
    data = graders(gpt4)
    keys = [(a, b, 25 - a - b) for a in range(26) for b in range(26 - a)]
    return tuple(sorted((threshold(data, order=1, key_counts=key).lower, key) for key in keys))


def most_right(judge: str, label: str, key: Counts, gpt4: Counts = GPT4) -> Fraction:
    """Highest accuracy of one grader on one label at an answer key."""
    counts = multiplicities(graders(gpt4), key)
    axis = 1 - counts.pair.index(judge)
    n_keys = counts.of(label).sum(axis=axis)
    position = LABELS.index(label)
    return Fraction(max(right for right, many in enumerate(n_keys) if many), key[position])


def tally(judge: str, votes: Votes | None = None) -> list[int]:
    """Count one judge's answers, by default in Table I."""
    summary = (votes or table_1()).summary()
    row: list[int] = summary.counts[summary.judges.index(judge)].tolist()
    return row


def columns(votes: Votes) -> dict[object, list[str]]:
    """Return {judge: answers}."""
    return {
        judge: [votes.answers[code] for code in votes.codes[:, column]]
        for column, judge in enumerate(votes.judges)
    }


def keyed_by_experts(votes: Votes) -> Votes:
    """Other judges' votes, with the experts' as the key."""
    by_judge = columns(votes)
    key = by_judge.pop("experts")
    return Votes.from_columns(by_judge, items=votes.items, labels=LABELS, key=key)


# --- Section II of the paper: the evaluations of one judge, counted before and after its answers
# are seen.


Triple = tuple[int, int, int]  # items of label a, correct on a, correct on b


def evaluations_of_a_judge() -> tuple[Claim, ...]:
    """Claims on one judge, in the order of the text."""
    return (*_spaces(), *_counts(), *_axioms())


def _spaces() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-4",
            place="section II, the Q-complex",
            paraphrase="label counts of an answer key: all whole numbers from 0 on that add up to Q",
            compute=fact(keys_of_four_items),
        ),
        Claim(
            id="003-dim1",
            place="section II",
            paraphrase="before answers are seen, evaluations fill (R - 1)(R + 1) dimensions: 3, 8, 15 for "
            "R = 2, 3, 4",
            compute=numbers([3, 8, 15], lambda: [free_dimensions(n) for n in (2, 3, 4)]),
        ),
        Claim(
            id="003-F1",
            place="Fig. 1",
            paraphrase="the evaluations of a judge of two labels on 10 items, all of them: 286 points",
            compute=fact(conceivable_points),
        ),
        Claim(
            id="003-F2",
            place="Fig. 2",
            paraphrase="the same points drawn by prevalence and accuracies",
            verdict="conditional",
            compute=fact(points_without_an_accuracy),
            note="only for answer keys in which both labels occur; elsewhere an accuracy is 0 of 0",
        ),
        Claim(
            id="003-F3",
            place="Fig. 3",
            paraphrase="answers (4, 6) leave fewer points by the inequalities, in as many dimensions",
            compute=fact(points_after_inequalities),
        ),
        Claim(
            id="003-8",
            place="(8)",
            paraphrase="R_a;a <= 4 and R_b;b <= 6 for answers (4, 6)",
            compute=fact(inequalities_hold),
        ),
    )


def _counts() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-n285",
            place="section II",
            paraphrase="285 evaluations on 10 items, of which 235 pass the inequalities at (4, 6)",
            verdict="erratum",
            compute=fact(counts_beside_285_and_235),
            note="must be 286 and 210, which section II.A of the same paper prints",
        ),
        Claim(
            id="003-n286",
            place="section II.A",
            paraphrase="286 evaluations on 10 items; 210 after the inequalities at (4, 6), 35 after the "
            "axioms",
            compute=numbers([286, 210, 35], counts_of_section_2a),
        ),
        Claim(
            id="003-cube",
            place="section II.A",
            paraphrase="(Q + 1)(Q + 2)(Q + 3)/6 evaluations of a judge of two labels",
            compute=fact(cubic_count),
            note="the Appendix, which is cited for it, does not prove it",
        ),
        Claim(
            id="003-F4",
            place="Fig. 4",
            paraphrase="after the axioms the points lie on a plane",
            compute=fact(points_on_the_plane),
        ),
        Claim(
            id="003-ex",
            place="section II.A, worked example",
            paraphrase="answers (4, 6), 7 items of label a: 3 right on a and 1 on b cannot be, 2 and 1 can",
            compute=fact(worked_example),
        ),
        Claim(
            id="003-10",
            place="(10)",
            paraphrase="the share of evaluations that the axioms leave falls like 1/Q^(R-1)",
            verdict="conditional",
            compute=fact(decay_of_the_share),
            tolerance="exact counts; the factor per doubling of Q within 1% of its limit 2, 4 or 1",
            note="true of full response tables; of the points that the figures draw (correct counts alone) "
            "a share remains for R = 3 however large Q is",
        ),
    )


def _axioms() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-9",
            place="(9)",
            paraphrase="for each label l: R_l;l - Q_l + sum of R_l' - sum of R_l';l'' = 0, over l', l'' "
            "not l",
            compute=entry("003 (9), R=2", "003 (9), R=3"),
        ),
        Claim(
            id="003-9c",
            place="section II.A",
            paraphrase="the axioms of one judge are complete",
            compute=fact(no_further_relation),
            note="the Appendix, which is cited for it, proves only that they hold",
        ),
        Claim(
            id="003-9s",
            place="section II.A",
            paraphrase="the R axioms add up to zero",
            compute=entry("003 (9) sum, R=2", "003 (9) sum, R=3"),
        ),
        Claim(
            id="003-9d",
            place="section II.A",
            paraphrase="the axioms take R - 1 dimensions away: 1, 2, 3 for R = 2, 3, 4",
            compute=numbers([1, 2, 3], lambda: [dimensions_lost(n) for n in (2, 3, 4)]),
        ),
    )


def one_judge() -> Summary:
    """Judge of the running example: 4 answers a, 6 answers b."""
    return Summary.from_counts({"i": {"a": 4, "b": 6}})


def listed(n_items: int) -> list[Triple]:
    """Every evaluation of a judge of two labels, by brute force."""
    keys = range(n_items + 1)
    return [(q, x, y) for q in keys for x in range(q + 1) for y in range(n_items - q + 1)]


def consistent() -> list[Triple]:
    """Evaluations that the answers (4, 6) leave."""
    listing = evaluations(one_judge())
    return [(e.key_counts[0], *e.correct[0]) for e in listing]  # type: ignore[misc]


def passing() -> list[Triple]:
    """Evaluations that pass the inequalities at (4, 6)."""
    return [(q, x, y) for q, x, y in listed(10) if x <= 4 and y <= 6]


def dimension(points: Iterable[Triple]) -> int:
    """Dimension of the smallest flat that holds some points."""
    rows = np.array(list(points))
    return int(np.linalg.matrix_rank(rows - rows[0]))


def keys_of_four_items() -> tuple[str, bool]:
    """Count the label counts of all answer keys of four items and three labels."""
    seen = {tuple(map(key.count, "abc")) for key in product("abc", repeat=4)}
    text = f"{len(seen)} among all {3**4} answer keys of 4 items and 3 labels"
    return text, len(seen) == count_keys(4, 3)


def free_dimensions(labels: int) -> int:
    """How many unknowns of one judge stay free before its answers are seen."""
    import sympy

    system = axioms(1, labels=labels)
    rows = [*system.of_kind("size"), *system.of_kind("simplex")]
    matrix, _ = sympy.linear_eq_to_matrix(rows, list(system.unknowns))
    return len(system.unknowns) - int(matrix.rank())


def dimensions_lost(labels: int) -> int:
    """How many dimensions fall when one judge's answers are seen."""
    return free_dimensions(labels) - axioms(1, labels=labels).dimension


def conceivable_points() -> tuple[str, bool]:
    """List and count the evaluations on ten items."""
    points = listed(10)
    return f"{len(points)} points in {dimension(points)} dimensions", len(points) == 286


def points_without_an_accuracy() -> tuple[str, bool]:
    """Count the points at which a label does not occur."""
    points = listed(10)
    undefined = sum(q in (0, 10) for q, _, _ in points)
    text = (
        f"{len(points) - undefined} points can be drawn, {undefined} have no accuracy on one label"
    )
    return text, undefined > 0


def points_after_inequalities() -> tuple[str, bool]:
    """Count the points that pass the inequalities, and their dimension."""
    points = passing()
    good = len(points) == count_after_inequalities(one_judge()) and dimension(points) == 3
    return f"{len(points)} points in {dimension(points)} dimensions", good


def inequalities_hold() -> tuple[str, bool]:
    """Check the inequalities on every consistent evaluation."""
    points = consistent()
    text = f"so it is at all {len(points)} consistent evaluations"
    return text, set(points) <= set(passing())


def counts_of_section_2a() -> tuple[int, int, int]:
    """Count before, after the inequalities, and after the axioms."""
    judge = one_judge()
    return count_conceivable(10, 2), count_after_inequalities(judge), len(evaluations(judge))


def counts_beside_285_and_235() -> tuple[str, bool]:
    """Count the same by lists, where 285 and 235 are printed."""
    counts = len(listed(10)), len(passing())
    return f"{counts[0]} and {counts[1]}", counts == counts_of_section_2a()[:2] == (286, 210)


def cubic_count() -> tuple[str, bool]:
    """Compare the cubic with lists for small tests."""
    sizes = range(1, 21)
    good = all(
        (n + 1) * (n + 2) * (n + 3) // 6 == len(listed(n)) == count_conceivable(n, 2) for n in sizes
    )
    return f"equal to the length of the list for each of Q = 1 to {sizes[-1]}", good


def points_on_the_plane() -> tuple[str, bool]:
    """Count the consistent points, and their dimension."""
    points = consistent()
    return f"{len(points)} points in {dimension(points)} dimensions", dimension(points) == 2


def worked_example() -> tuple[str, bool]:
    """Ask whether the two points of the example can be."""
    judge = one_judge()
    bad, good = (is_consistent(Point((7, 3), ((x, 1),)), judge) for x in (3, 2))
    texts = [judge.violated[0] if judge.violated else "can be" for judge in (bad, good)]
    return f"3 and 1: {texts[0]}; 2 and 1: {texts[1]}", not bad.ok and good.ok


def decay_of_the_share() -> tuple[str, bool]:
    """By what the share of consistent evaluations is divided when Q doubles."""
    two = _share_of_tables(384, 2) / _share_of_tables(768, 2)
    three = _share_of_tables(768, 3) / _share_of_tables(1536, 3)
    points = _share_of_points(48) / _share_of_points(96)
    text = f"doubling Q divides the share of tables by {two:.3f} (R = 2) and {three:.3f} (R = 3), "
    text += f"that of the points drawn by {points:.3f} (R = 3)"
    near = zip((two, three, points), (2, 4, 1), strict=True)
    return text, all(abs(value / limit - 1) < 0.01 for value, limit in near)


def _share_of_tables(n_items: int, labels: int) -> float:
    even: dict[object, int] = dict.fromkeys("abc"[:labels], n_items // labels)
    cells = labels**2
    every = comb(n_items + cells - 1, cells - 1)
    return count_consistent(Summary.from_counts({"i": even})) / every


def _share_of_points(n_items: int) -> float:
    even: dict[object, int] = dict.fromkeys("abc", n_items // 3)
    return evaluations(Summary.from_counts({"i": even})).count / count_conceivable(n_items, 3)


def no_further_relation() -> tuple[str, bool]:
    """Check by exact ranks that no other linear relation holds on every exam."""
    systems = [axioms(1, labels=labels) for labels in (2, 3, 4)]
    ranks = ", ".join(str(system.rank) for system in systems)
    text = f"rank {ranks} for R = 2, 3, 4: each relation proved, and no other holds on every exam"
    return text, all(system.complete and system.proved for system in systems)


# --- Section II.B of the paper, and its counts of patterns: several judges at one answer key.


def groups() -> tuple[Claim, ...]:
    """Claims on several judges, in the order of the text."""
    return (
        Claim(
            id="003-R1",
            place="section II",
            paraphrase="N judges of R labels can agree and disagree in R^N ways: 8, 27, 16 for (R, N) = "
            "(2, 3), "
            "(3, 3), (2, 4)",
            compute=numbers([8, 27, 16], patterns_of_answers),
            note="the exponent is hardly legible in the text at hand; N is right",
        ),
        Claim(
            id="003-RW",
            place="section VI",
            paraphrase="R of the R^N patterns of answers are full agreement: 2, 3, 2",
            compute=numbers([2, 3, 2], patterns_of_agreement),
        ),
        Claim(
            id="003-ladder",
            place="section II.B",
            paraphrase="what pairs of judges allow lies inside what each judge alone allows",
            compute=fact(ladder_of_orders),
            tolerance="exact, on one exam of five items",
        ),
        Claim(
            id="003-F5",
            place="Fig. 5",
            paraphrase="at 6 items of a and 4 of b: what the axioms leave of judges with answers (4, "
            "6), (7, 3)",
            compute=fact(points_at_one_key),
        ),
        Claim(
            id="003-351",
            place="section III",
            paraphrase="351 answer-key counts for 25 items and three labels",
            compute=number(351, lambda: count_keys(25, 3)),
        ),
    )


_SIZES = ((2, 3), (3, 3), (2, 4))


def _patterns(labels: int, judges: int) -> list[tuple[str, ...]]:
    from algeval.algebra import encode

    return list(encode(judges, labels).frequency)


def patterns_of_answers() -> list[int]:
    """Count the decision tuples."""
    return [len(_patterns(*size)) for size in _SIZES]


def patterns_of_agreement() -> list[int]:
    """Count the decision tuples in which all judges say the same."""
    return [sum(len(set(t)) == 1 for t in _patterns(*size)) for size in _SIZES]


def ladder_of_orders() -> tuple[str, bool]:
    """Project every pair table to order 1, and compare points and thresholds of the orders."""
    exam = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})
    pairs = members(exam, order=2)
    inside = all(is_consistent(pair, exam, order=1).ok for pair in pairs)
    points = [count_consistent(exam, order=order, of="points") for order in (1, 2, "full")]
    levels = [threshold(exam, order=order).lower for order in (1, 2, "full")]
    text = f"all {len(pairs)} pair tables project to order 1; points at orders 1, 2, 3: "
    text += f"{', '.join(map(str, points))}; thresholds {', '.join(map(str, levels))}"
    falling = all(sorted(levels_of, reverse=True) == levels_of for levels_of in (points, levels))
    return text, inside and falling


def points_at_one_key() -> tuple[str, bool]:
    """List the evaluations of two judges at the answer key (6, 4), and put each into the axiom."""
    counted = [_correct_at((6, 4), counts) for counts in ((4, 6), (7, 3))]
    text = " and ".join(f"{len(points)} points" for points in counted)
    on_plane = [
        x - 6 + said_b - y == 0
        for points, said_b in zip(counted, (6, 3), strict=True)
        for x, y in points
    ]
    return f"{text}, all on the axiom", all(on_plane) and all(counted)


def _correct_at(key: tuple[int, int], counts: tuple[int, int]) -> list[tuple[int, ...]]:
    """How many a and how many b a judge can have right at an answer key."""
    answered: dict[object, int] = dict(zip("ab", counts, strict=True))
    judge = Summary.from_counts({"i": answered})
    return [point.correct[0] for point in evaluations(judge, key_counts=key)]


# --- The abstract, sections III and V: no-knowledge alarms, and two graders of 25 pairs.


KEY: Counts = (8, 9, 8)
"""The answer key of Fig. 6."""

TABLE: Counts = (5, 18, 2)
"""gpt4's answers as Table I has them."""


def alarms() -> tuple[Claim, ...]:
    """Claims on alarms."""
    return (*_abstract(), *_at_one_key(), *_at_all_keys(), *_by_label(), *_conclusions())


def _abstract() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-abs1",
            place="abstract",
            paraphrase="two experts who disagree cannot both be right on everything",
            compute=fact(disagreement_excludes_perfection),
        ),
        Claim(
            id="003-abs2",
            place="abstract",
            paraphrase="if two experts agree on everything, no evaluation of them is excluded",
            verdict="conditional",
            compute=fact(agreement_excludes_something),
            tolerance="exact, on ten items: both say a on 6 and b on 4",
            note="true of demands that ask the same of both; different demands on the two are excluded",
        ),
        Claim(
            id="003-LP",
            place="abstract",
            paraphrase="what is consistent with the counts are the whole-number solutions of a linear "
            "program",
            compute=fact(points_by_program),
        ),
        Claim(
            id="003-M1",
            place="section III",
            paraphrase="an alarm is silent as soon as one answer key lets all judges meet the standard",
            compute=fact(alarm_and_keys_agree),
        ),
    )


def _conclusions() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-V",
            place="section V",
            paraphrase="logic never shows judges who agree to be wrong",
            compute=fact(grades_of_judges_who_agree),
            tolerance="exact, on eight items of three labels",
        ),
    )


def _at_one_key() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-F6",
            place="Fig. 6",
            paraphrase="gpt4 with answers (4, 18, 3), key (8, 9, 8): at most about 25% right on ties",
            verdict="erratum",
            compute=fact(most_right_on_ties),
            note="must be 3/8; the 2/8 belongs to (5, 18, 2), which is how Table I has gpt4's answers",
        ),
        Claim(
            id="003-F6m",
            place="Fig. 6, colour scale",
            paraphrase="response tables behind a point: up to about 2000",
            verdict="not reproducible",
            note="the paper does not say what is counted per point, and one number of the scale is legible",
        ),
        Claim(
            id="003-50",
            place="section III",
            paraphrase="at the key (8, 9, 8) a standard of 50% sets off the alarm",
            compute=fact(level_at_the_key),
        ),
    )


def _at_all_keys() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-45",
            place="section III, Fig. 7",
            paraphrase="the highest accuracy that both graders can have on every label at some key is "
            "about 45%",
            verdict="erratum",
            compute=fact(highest_level),
            note="must be 2/3; 5/11 = 45% comes out when gpt4's counts of a and b are exchanged",
        ),
        Claim(
            id="003-46",
            place="section III, Fig. 7, (11)",
            paraphrase="every standard above 46% sets off the alarm",
            verdict="erratum",
            compute=fact(keys_above_46_percent),
            note="only standards above 2/3 do, by the counts the paper gives",
        ),
        Claim(
            id="003-F7",
            place="Fig. 7",
            paraphrase="one such highest accuracy for each of 351 answer keys, in ascending order",
            compute=fact(curve_over_keys),
            note="its height is another matter, see 003-45",
        ),
    )


def _by_label() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-F8",
            place="section III, Fig. 8",
            paraphrase="for one label alone the highest accuracy runs from 0% to 100% over the keys, so no "
            "threshold for one label can set off an alarm",
            verdict="conditional",
            compute=fact(range_of_each_label),
            note="the conclusion holds, since each label reaches 100%; the lower end is not 0%",
        ),
    )


def disagreement_excludes_perfection() -> tuple[str, bool]:
    """Ask for perfection of two judges who differ on one item of ten."""
    exam = Sketch.from_counts({"aa": 5, "bb": 4, "ab": 1})
    verdict = alarm(exam, 1)
    return f"one difference in ten items: {verdict.message}", verdict.triggered is True


def agreement_excludes_something() -> tuple[str, bool]:
    """Ask two judges who agree for perfection, and then for different accuracies."""
    exam = Sketch.from_counts({"aa": 6, "bb": 4}, judges=["first", "second"])
    apart = Specification.accuracy(">=", Fraction(9, 10), judge="first")
    apart &= Specification.accuracy("<=", Fraction(1, 2), judge="second")
    same, different = alarm(exam, 1), alarm(exam, apart)
    text = "both right on everything: not excluded; " if same.triggered is False else "excluded; "
    text += "first right on 90% and second on at most 50% of each label: "
    text += "excluded" if different.triggered else "not excluded"
    return text, same.triggered is False and different.triggered is True


def grades_of_judges_who_agree() -> tuple[str, bool]:
    """Range of the grade of three judges who say the same."""
    exam = Sketch.from_counts({"aaa": 4, "bbb": 3, "ccc": 1})
    ends = list(bounds(exam, order="full").grade_of("1") or ())
    text = "three judges who agree on all items: each may be right on any share from "
    return text + " to ".join(map(str, ends)), ends == [0, 1]


def points_by_program() -> tuple[str, bool]:
    """List the evaluations of one judge by an integer program, and by closed form."""
    judge = Summary.from_counts({"i": {"a": 4, "b": 6}})
    by_program, by_formula = (set(evaluations(judge, engine=name)) for name in ("pulp", "lattice"))
    text = f"{len(by_program)} solutions for answers (4, 6), by a solver; {len(by_formula)} by closed form"
    return text, by_program == by_formula


def alarm_and_keys_agree() -> tuple[str, bool]:
    """Set the alarm at, and just above, every level that some key allows."""
    levels = [level for level, _ in key_levels()]
    tried = sorted(
        {x for level in levels for x in (level, min(level + Fraction(1, 1000), Fraction(1)))}
    )
    data = graders()
    agree = all(
        alarm(data, x, order=1).triggered == (not any(level >= x for level in levels))
        for x in tried
    )
    return f"so it is at each of {len(tried)} levels tried, over {len(levels)} keys", agree


def most_right_on_ties() -> tuple[str, bool]:
    """How right gpt4 can be on ties, by the text's counts and by Table I's."""
    text, table = (most_right("gpt4", "tie", KEY, counts) for counts in (GPT4, TABLE))
    return f"{text} by (4, 18, 3); {table} by (5, 18, 2)", (text, table) == (
        Fraction(3, 8),
        Fraction(1, 4),
    )


def level_at_the_key() -> tuple[str, bool]:
    """What both graders can reach on every label at the key of Fig. 6."""
    (level,) = (level for level, key in key_levels() if key == KEY)
    return f"both can reach {level} there, no more", level < Fraction(1, 2)


def highest_level() -> tuple[str, bool]:
    """Threshold, and what it is with gpt4's a and b exchanged."""
    level, key = key_levels()[-1]
    exchanged = [key_levels(counts)[-1][0] for counts in ((18, 4, 3), (18, 5, 2))]
    text = f"{level}, at the key {key}; with gpt4's a and b exchanged {exchanged[0]} "
    text += f"by the text's counts and {exchanged[1]} by Table I's"
    return text, (level, *exchanged) == (Fraction(2, 3), Fraction(5, 11), Fraction(5, 11))


def keys_above_46_percent() -> tuple[str, bool]:
    """Set the alarm at 47%, and count the keys that allow more than some levels."""
    above = [
        count_keys_meeting(graders(), Specification.at_least(x, strict=True))
        for x in ("0.46", "0.5", "0.6")
    ]
    verdict = alarm(graders(), Fraction(47, 100), order=1)
    text = "no alarm" if verdict.triggered is False else "alarm"
    text += f" at 47%: {above[0]} keys allow more than 46%, {above[1]} more than 1/2, "
    text += f"{above[2]} more than 3/5"
    return text, verdict.triggered is False and above[0] > 0


def curve_over_keys() -> tuple[str, bool]:
    """Number of keys, and the ends of the curve."""
    levels = [level for level, _ in key_levels()]
    return f"{len(levels)} keys, from {levels[0]} to {levels[-1]}", len(levels) == 351


def range_of_each_label() -> tuple[str, bool]:
    """Lowest and highest level that both graders can have on each label alone."""
    ranges = {label: _levels_on(label) for label in LABELS}
    text = ", ".join(f"{label}: {low} to {high}" for label, (low, high) in ranges.items())
    ends = ranges.values()
    return text, all(high == 1 for _, high in ends) and all(low > 0 for low, _ in ends)


def _levels_on(label: str) -> tuple[Fraction, Fraction]:
    """Highest level that every key allows on one label, and the highest that some key does."""
    data, every = graders(), len(key_levels())
    least = int(data.counts[:, LABELS.index(label)].min())
    levels = [
        Fraction(0),
        *(Fraction(least, q) for q in range(data.n_items, max(least, 1) - 1, -1)),
    ]
    occurs = Specification.prevalence(label, ">=", Fraction(1, data.n_items))

    def highest(demands: Sequence[Specification], keys: int) -> Fraction:
        met = (count_keys_meeting(data, demand) >= keys for demand in demands)
        return max(level for level, enough in zip(levels, met, strict=True) if enough)

    reached = [Specification.accuracy(">=", level, label=label) for level in levels]
    return highest(reached, every), highest([demand & occurs for demand in reached], 1)


# --- Table I of the paper, and what it says beside the text: 25 pairs, two panels and gpt4.


def table() -> tuple[Claim, ...]:
    """Claims on the votes themselves."""
    return (
        Claim(
            id="003-Tab1a",
            place="Table I, caption",
            paraphrase="the experts say a on 4, b on 14 and tie on 7 of 25 pairs",
            compute=numbers([4, 14, 7], lambda: tally("experts")),
        ),
        Claim(
            id="003-Tab1b",
            place="section III, Fig. 6",
            paraphrase="the authors' answers are (5, 10, 10)",
            compute=numbers([5, 10, 10], lambda: tally("authors")),
        ),
        Claim(
            id="003-Tab1c",
            place="section III, Figs. 6 and 7, against Table I",
            paraphrase="gpt4's answers are (4, 18, 3)",
            verdict="wording",
            compute=numbers([5, 18, 2], lambda: tally("gpt4")),
            note="Table I has (5, 18, 2): one vote differs, see 003-14 for which",
        ),
        Claim(
            id="003-14",
            place="section III",
            paraphrase="against the experts' key the lowest accuracy is about 14%, gpt4 on ties",
            verdict="erratum",
            compute=fact(accuracy_on_ties),
            note="14% is 1/7; it and the text's (4, 18, 3) come out together if a vote of gpt4 that Table I "
            "prints as a, on one of two items, was a tie",
        ),
        Claim(
            id="003-IV",
            place="section IV",
            paraphrase="whatever the key, the disagreement of experts bounds how right all of them can be on "
            "every label",
            compute=fact(level_of_the_experts),
            tolerance="exact, on the votes of experts and authors in Table I, each judge's counts alone",
        ),
        Claim(
            id="003-80",
            place="sections I.A and IV",
            paraphrase="human experts agree on about 80% of the MT-Bench pairs",
            verdict="not reproducible",
            note="needs the five thousand human judgements of MT-Bench: public, but not in the "
            "paper, which prints 25",
        ),
    )


def accuracy_on_ties() -> tuple[str, bool]:
    """Gpt4's accuracy on ties, and which single changes of a vote restore what the text says."""
    votes = table_1()
    ours = _on_ties(votes)
    restoring = [
        item.split(":")[0]
        for item, changed in _one_vote_changed(votes)
        if (_on_ties(changed), tuple(tally("gpt4", changed))) == (Fraction(1, 7), GPT4)
    ]
    text = (
        f"{ours} by Table I; 1/7 and (4, 18, 3) together after one change, to a tie, on question "
    )
    return text + " or ".join(restoring), ours == 0 and restoring == ["91", "98"]


def _on_ties(votes: Votes) -> Any:
    """Gpt4's accuracy on the items that the experts call a tie."""
    return keyed_by_experts(votes).keyed_sketch().evaluation().accuracy("gpt4", "tie")


def _one_vote_changed(votes: Votes) -> Iterator[tuple[str, Votes]]:
    """Yield (item, votes) for each change of one vote of gpt4 to a tie."""
    for row, item in enumerate(votes.items):
        changed = columns(votes)
        changed["gpt4"][row] = "tie"
        yield item, Votes.from_columns(changed, items=votes.items, labels=LABELS)


def level_of_the_experts() -> tuple[str, bool]:
    """Level of the two panels of Table I, whatever the key, and how often they agree."""
    suspicion = suspect_key(table_1(), ["experts", "authors"], order=1)
    text = f"{suspicion.level}, where the two agree on {suspicion.agreement} of the pairs"
    return text, suspicion.exact and suspicion.level < 1


# --- The appendices of the paper: proofs, ground truth, pairs of judges, exams, sequences.


def appendices() -> tuple[Claim, ...]:
    """Claims in the order of the appendices."""
    return (*_proofs(), *_pairs(), *_exams())


def _proofs() -> tuple[Claim, ...]:
    both = ("003 (12)-(13), R=2", "003 (12)-(13), R=3")
    return (
        Claim(
            id="003-12",
            place="Appendix A (12)",
            paraphrase="R_r = sum over true labels t of R_r;t",
            compute=entry(*both),
        ),
        Claim(
            id="003-13",
            place="Appendix A (13)",
            paraphrase="Q_t = sum over answers r of R_r;t",
            compute=entry(*both),
        ),
        Claim(
            id="003-AppA",
            place="Appendix A",
            paraphrase="(9) follows from (12) and (13) by cancelling terms, for any R",
            compute=fact(axiom_vanishes),
        ),
        Claim(
            id="003-AppB",
            place="Appendix B",
            paraphrase="votes (model a, tie) make a preference for a, each tie counting half for both sides",
            compute=fact(half_votes_decide),
        ),
    )


def _pairs() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-14b",
            place="Appendix C (14)",
            paraphrase="the counts of a pair's joint answers, whose margins are each judge's own counts",
            compute=fact(margins_of_the_pair),
        ),
        Claim(
            id="003-15",
            place="Appendix C (15)",
            paraphrase="no joint answer is given more often on a true label than altogether",
            compute=fact(pair_inequality),
            tolerance="exact, over all pair tables of one exam of five items",
        ),
        Claim(
            id="003-16",
            place="Appendix C (16), (17)",
            paraphrase="one linear relation per label and pair of judges, always zero",
            compute=entry("003 M=2, R=2", "003 M=2, R=3"),
            note="the sums were read by their structure, since the text at hand garbles them",
        ),
        Claim(
            id="003-16c",
            place="Appendix C",
            paraphrase="these R relations are the axioms of a pair",
            verdict="conditional",
            compute=fact(relations_missing),
            note="complete for two labels only: the (R - 1)^2 free pair counts that are seen say more",
        ),
        Claim(
            id="003-18",
            place="Appendix C (18)",
            paraphrase="how far a pair's answers go together: R_rs;t/Q_t - (R_r;t/Q_t)(R_s;t/Q_t)",
            compute=fact(correlations_of_the_graders),
        ),
    )


def _exams() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-19",
            place="Appendix D (19)",
            paraphrase="g_i = sum over labels of (Q_t/Q)(R_t;t/Q_t), the share of items answered correctly",
            compute=entry("003 (19), R=2", "003 (19), R=3"),
        ),
        Claim(
            id="003-D",
            place="Appendix D",
            paraphrase="at an answer key the consistent evaluations of an exam make a set of possible grades",
            compute=fact(grades_at_a_key),
        ),
        Claim(
            id="003-E",
            place="Appendix E",
            paraphrase="Q items make Q - 1 consecutive pairs, a test of R^2 labels: 24 and 9 for Table I",
            compute=numbers([24, 9], windows_of_table_1),
        ),
    )


def axiom_vanishes() -> tuple[str, bool]:
    """Expand the axioms of one judge into counts by answer and true label, for several R."""
    systems = [axioms(1, labels=labels) for labels in (2, 3, 4, 5)]
    good = all(
        system.proved and len(system.of_kind("axiom")) == len(system.labels) for system in systems
    )
    sizes = ", ".join(str(len(system.labels)) for system in systems)
    return f"each expands to zero for R = {sizes}", good


def half_votes_decide() -> tuple[str, bool]:
    """Decide (a, tie), (tie, tie) and (a, b)."""
    votes = {"1": ["a", "tie"], "2": ["tie", "tie"], "3": ["a", "b"]}
    decisions = half_votes(votes).decisions
    return f"(a, tie): {decisions[0]}; (tie, tie): {decisions[1]}; (a, b): {decisions[2]}", (
        decisions == ("a", "tie", "tie")
    )


def small_exam() -> Sketch:
    """Three judges on five items."""
    return Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})


def margins_of_the_pair() -> tuple[str, bool]:
    """Count the joint answers of authors and gpt4 in Table I, and add them up."""
    counts = table_1().select(["authors", "gpt4"]).sketch().to_counts()
    sums = [
        [sum(n for answers, n in counts.items() if answers[position] == label) for label in LABELS]
        for position in (0, 1)
    ]
    text = f"{len(counts)} of 9 joint answers occur; margins {sums[0]} and {sums[1]}"
    return text, sums == [tally("authors"), tally("gpt4")]


def pair_inequality() -> tuple[str, bool]:
    """Compare every pair count given a true label with the pair count seen."""
    exam = small_exam()
    tables = [member for member in members(exam, order=2) if isinstance(member, Tables)]
    most = max(max(_beyond_what_is_seen(member, exam)) for member in tables)
    return f"so it is in all {len(tables)} pair tables", most <= 0


def _beyond_what_is_seen(tables: Tables, exam: Sketch) -> Iterator[int]:
    """Yield each pair count given a true label less the count of that pair of answers."""
    for i, j, table in tables.pairs:
        seen = exam.marginal([exam.judges[i], exam.judges[j]]).to_counts()
        for a, b in product(range(exam.n_answers), repeat=2):
            answers = exam.answers[a], exam.answers[b]
            yield from (count - seen.get(answers, 0) for count in table[a][b])


def relations_missing() -> tuple[str, bool]:
    """How many independent relations the printed ones leave out, for R = 2, 3, 4."""
    missing = []
    for labels in (2, 3, 4):
        system = axioms(2, labels=labels)
        kinds = ("size", "simplex", "marginalisation", "axiom")
        missing.append(system.rank - system.rank_of(*kinds))
    text = ", ".join(map(str, missing))
    return f"relations left out: {text} for R = 2, 3, 4", missing[0] == 0 and missing[1] > 0


def correlations_of_the_graders() -> tuple[str, bool]:
    """Compute (18) for authors and gpt4 against the experts' key, and compare with its possible range."""
    votes = keyed_by_experts(table_1())
    gamma = correlations(votes.keyed_sketch())
    ranges = pair_correlations(votes, "authors", "gpt4", key_counts=tally("experts"))
    same = inside = True
    for r, s, t in product(LABELS, repeat=3):
        value = gamma.of(votes.judges, t, (r, s))
        least, most = ranges.range_of(r, s, t) or (Fraction(0), Fraction(0))
        same &= value == _counted_correlation(votes, r, s, t)
        inside &= least <= value <= most
    both = gamma.of(votes.judges, "b")
    text = f"authors and gpt4 against the experts: {both} for b and b on b, and so all 27, each in its range"
    return text, same and inside


def _counted_correlation(votes: Votes, r: str, s: str, t: str) -> Fraction:
    """Return (18), counted item by item."""
    assert votes.key is not None
    rows = votes.codes[votes.key == LABELS.index(t)].tolist()
    first, second = ([LABELS[row[position]] for row in rows] for position in (0, 1))
    both = sum(pair == (r, s) for pair in zip(first, second, strict=True))
    n = len(rows)
    return Fraction(both, n) - Fraction(first.count(r), n) * Fraction(second.count(s), n)


def grades_at_a_key() -> tuple[str, bool]:
    """List the grades of a judge who says a nine times, at five items of each label."""
    judge = Summary.from_counts({"i": {"a": 9, "b": 1}})
    grades = sorted(
        {Fraction(sum(point.correct[0]), 10) for point in evaluations(judge, key_counts=(5, 5))}
    )
    ends = bounds(judge, order=1, key_counts=(5, 5)).grade_of("i")
    text = f"answers (9, 1) at 5 items of each label: {', '.join(map(str, grades))}"
    return text, ends == (grades[0], grades[-1])


def windows_of_table_1() -> tuple[int, int]:
    """Number of consecutive pairs of Table I, and of their labels."""
    counted = windows(table_1(), 2)
    return len(counted), counted.n_labels


# --- All of them.


def claims() -> tuple[Claim, ...]:
    """Claims: one judge, several, alarms, the votes of Table I, the appendices."""
    return (*evaluations_of_a_judge(), *groups(), *alarms(), *table(), *appendices())
