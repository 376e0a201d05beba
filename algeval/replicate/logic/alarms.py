"""The abstract, sections III and V: no-knowledge alarms, and two graders of 25 pairs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from algeval.data import Sketch, Specification, Summary
from algeval.logic import alarm, bounds, count_keys_meeting, evaluations
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.logic.graders import (
    GPT4,
    LABELS,
    Counts,
    graders,
    key_levels,
    most_right,
)

__all__ = ["alarms"]

KEY: Counts = (8, 9, 8)
"""The answer key of Fig. 6."""

TABLE: Counts = (5, 18, 2)
"""gpt4's answers as Table I has them."""


def alarms() -> tuple[Claim, ...]:
    """Return the claims on alarms."""
    return (*_abstract(), *_at_one_key(), *_at_all_keys(), *_by_label(), *_conclusions())


def _abstract() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-abs1",
            place="abstract",
            printed="two experts who disagree cannot both be right on everything",
            compute=fact(disagreement_excludes_perfection),
        ),
        Claim(
            id="003-abs2",
            place="abstract",
            printed="if two experts agree on everything, no evaluation of them is excluded",
            verdict="conditional",
            compute=fact(agreement_excludes_something),
            tolerance="exact, on ten items: both say a on 6 and b on 4",
            note="true of demands that ask the same of both; different demands on the two are excluded",
        ),
        Claim(
            id="003-LP",
            place="abstract",
            printed="what is consistent with the counts are the whole-number solutions of a linear program",
            compute=fact(points_by_program),
        ),
        Claim(
            id="003-M1",
            place="section III",
            printed="an alarm is silent as soon as one answer key lets all judges meet the standard",
            compute=fact(alarm_and_keys_agree),
        ),
    )


def _conclusions() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-V",
            place="section V",
            printed="logic never shows judges who agree to be wrong",
            compute=fact(grades_of_judges_who_agree),
            tolerance="exact, on eight items of three labels",
        ),
    )


def _at_one_key() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-F6",
            place="Fig. 6",
            printed="gpt4 with answers (4, 18, 3), key (8, 9, 8): at most about 25% right on ties",
            verdict="erratum",
            compute=fact(most_right_on_ties),
            note="must be 3/8; the 2/8 belongs to (5, 18, 2), which is how Table I has gpt4's answers",
        ),
        Claim(
            id="003-F6m",
            place="Fig. 6, colour scale",
            printed="response tables behind a point: up to about 2000",
            verdict="not reproducible",
            note="the paper does not say what is counted per point, and one number of the scale is legible",
        ),
        Claim(
            id="003-50",
            place="section III",
            printed="at the key (8, 9, 8) a standard of 50% sets off the alarm",
            compute=fact(level_at_the_key),
        ),
    )


def _at_all_keys() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-45",
            place="section III, Fig. 7",
            printed="the highest accuracy that both graders can have on every label at some key is about 45%",
            verdict="erratum",
            compute=fact(highest_level),
            note="must be 2/3; 5/11 = 45% comes out when gpt4's counts of a and b are exchanged",
        ),
        Claim(
            id="003-46",
            place="section III, Fig. 7, (11)",
            printed="every standard above 46% sets off the alarm",
            verdict="erratum",
            compute=fact(keys_above_46_percent),
            note="only standards above 2/3 do, by the counts the paper gives",
        ),
        Claim(
            id="003-F7",
            place="Fig. 7",
            printed="one such highest accuracy for each of 351 answer keys, in ascending order",
            compute=fact(curve_over_keys),
            note="its height is another matter, see 003-45",
        ),
    )


def _by_label() -> tuple[Claim, ...]:
    return (
        Claim(
            id="003-F8",
            place="section III, Fig. 8",
            printed="for one label alone the highest accuracy runs from 0% to 100% over the keys, so no "
            "threshold for one label can set off an alarm",
            verdict="conditional",
            compute=fact(range_of_each_label),
            note="the conclusion holds, since each label reaches 100%; the lower end is not 0%",
        ),
    )


def disagreement_excludes_perfection() -> tuple[str, bool]:
    """Ask for perfection of two judges who differ on one item of ten."""
    exam = Sketch.from_counts({"aa": 5, "bb": 4, "ab": 1})
    found = alarm(exam, 1)
    return f"one difference in ten items: {found.message}", found.triggered is True


def agreement_excludes_something() -> tuple[str, bool]:
    """Ask two judges who agree for perfection, and then for different accuracies."""
    exam = Sketch.from_counts({"aa": 6, "bb": 4}, judges=["first", "second"])
    apart = Specification.accuracy(">=", Fraction(9, 10), judge="first")
    apart &= Specification.accuracy("<=", Fraction(1, 2), judge="second")
    same, different = alarm(exam, 1), alarm(exam, apart)
    told = "both right on everything: not excluded; " if same.triggered is False else "excluded; "
    told += "first right on 90% and second on at most 50% of each label: "
    told += "excluded" if different.triggered else "not excluded"
    return told, same.triggered is False and different.triggered is True


def grades_of_judges_who_agree() -> tuple[str, bool]:
    """Return the range of the grade of three judges who say the same."""
    exam = Sketch.from_counts({"aaa": 4, "bbb": 3, "ccc": 1})
    ends = list(bounds(exam, order="full").grade_of("1") or ())
    told = "three judges who agree on all items: each may be right on any share from "
    return told + " to ".join(map(str, ends)), ends == [0, 1]


def points_by_program() -> tuple[str, bool]:
    """List the evaluations of one judge by an integer program, and by closed form."""
    one = Summary.from_counts({"i": {"a": 4, "b": 6}})
    by_program, by_formula = (set(evaluations(one, engine=name)) for name in ("pulp", "lattice"))
    told = f"{len(by_program)} solutions for answers (4, 6), by a solver; {len(by_formula)} by closed form"
    return told, by_program == by_formula


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
    """Return how right gpt4 can be on ties, by the text's counts and by Table I's."""
    text, table = (most_right("gpt4", "tie", KEY, counts) for counts in (GPT4, TABLE))
    return f"{text} by (4, 18, 3); {table} by (5, 18, 2)", (text, table) == (
        Fraction(3, 8),
        Fraction(1, 4),
    )


def level_at_the_key() -> tuple[str, bool]:
    """Return what both graders can reach on every label at the key of Fig. 6."""
    (level,) = (level for level, key in key_levels() if key == KEY)
    return f"both can reach {level} there, no more", level < Fraction(1, 2)


def highest_level() -> tuple[str, bool]:
    """Return the threshold, and what it is with gpt4's a and b exchanged."""
    level, key = key_levels()[-1]
    exchanged = [key_levels(counts)[-1][0] for counts in ((18, 4, 3), (18, 5, 2))]
    told = f"{level}, at the key {key}; with gpt4's a and b exchanged {exchanged[0]} "
    told += f"by the text's counts and {exchanged[1]} by Table I's"
    return told, (level, *exchanged) == (Fraction(2, 3), Fraction(5, 11), Fraction(5, 11))


def keys_above_46_percent() -> tuple[str, bool]:
    """Set the alarm at 47%, and count the keys that allow more than some levels."""
    above = [
        count_keys_meeting(graders(), Specification.at_least(x, strict=True))
        for x in ("0.46", "0.5", "0.6")
    ]
    found = alarm(graders(), Fraction(47, 100), order=1)
    told = "no alarm" if found.triggered is False else "alarm"
    told += f" at 47%: {above[0]} keys allow more than 46%, {above[1]} more than 1/2, "
    told += f"{above[2]} more than 3/5"
    return told, found.triggered is False and above[0] > 0


def curve_over_keys() -> tuple[str, bool]:
    """Return the number of keys, and the ends of the curve."""
    levels = [level for level, _ in key_levels()]
    return f"{len(levels)} keys, from {levels[0]} to {levels[-1]}", len(levels) == 351


def range_of_each_label() -> tuple[str, bool]:
    """Return the lowest and highest level that both graders can have on each label alone."""
    found = {label: _levels_on(label) for label in LABELS}
    told = ", ".join(f"{label}: {low} to {high}" for label, (low, high) in found.items())
    ends = found.values()
    return told, all(high == 1 for _, high in ends) and all(low > 0 for low, _ in ends)


def _levels_on(label: str) -> tuple[Fraction, Fraction]:
    """Return the highest level that every key allows on one label, and the highest that some key does."""
    data, every = graders(), len(key_levels())
    least = int(data.counts[:, LABELS.index(label)].min())
    levels = [
        Fraction(0),
        *(Fraction(least, q) for q in range(data.n_items, max(least, 1) - 1, -1)),
    ]
    occurs = Specification.prevalence(label, ">=", Fraction(1, data.n_items))

    def highest(asked: Sequence[Specification], keys: int) -> Fraction:
        met = (count_keys_meeting(data, one) >= keys for one in asked)
        return max(level for level, enough in zip(levels, met, strict=True) if enough)

    reached = [Specification.accuracy(">=", level, label=label) for level in levels]
    return highest(reached, every), highest([one & occurs for one in reached], 1)
