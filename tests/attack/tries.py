"""Seeded random exams and specifications, how many of them to try, and what was tried."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import Exam

from algeval.data import Condition, Sketch, Specification

PATIENCE = float(os.environ.get("ALGEVAL_ATTACK_SECONDS", "300"))
"""Seconds after which a slow check stops trying; it still must have tried its minimum."""


class Tries:
    """Numbered tries within a number and a time; what was tried is counted, printed and asserted."""

    def __init__(self, name, most, least, seconds):
        self.name, self.most, self.least = name, most, least
        self.ends = time.monotonic() + seconds
        self.counted = Counter()

    def __iter__(self):
        """Yield a generator of random numbers for each try, the same in every run."""
        seed = 0
        while self.counted["tried"] < self.most and time.monotonic() < self.ends:
            yield random.Random(f"{self.name}/{seed}")
            seed += 1

    def count(self, what="tried", number=1):
        """Count something that was tried."""
        self.counted[what] += number

    def done(self):
        """Print what was tried, and see that it was enough."""
        print(f"\n{self.name}: " + ", ".join(f"{n} {what}" for what, n in self.counted.items()))
        assert self.counted["tried"] >= self.least, f"{self.name}: only {dict(self.counted)}"


def amounts(quick, slow):
    """Parametrise a check: a slice for every run, and as many as asked under ``-m slow``."""
    return pytest.mark.parametrize(
        ("most", "least", "seconds"),
        [
            pytest.param(quick, quick // 4, 30, id=str(quick)),
            pytest.param(slow, quick, PATIENCE, id=str(slow), marks=pytest.mark.slow),
        ],
    )


LARGEST = {
    1: {2: 8, 3: 7, 4: 6},
    2: {2: 7, 3: 5, 4: 4},
    3: {2: 7, 3: 4, 4: 3},
    "full": {2: 8, 3: 6, 4: 5},
}
"""Most items that can be listed in a moment, by order and number of labels."""


def random_exam(rng, order):
    """Return a random exam of one to four judges: answers missing, or never correct, every now and then."""
    n_labels = rng.choice([2, 2, 3, 3, 4])
    n_judges = rng.choice({1: [1, 2, 3, 4], 2: [3, 3, 4], 3: [4], "full": [2, 3, 4]}[order])
    n_items = rng.randint(1, LARGEST[order][n_labels] - (order == 2 and n_judges == 4))
    n_answers = n_labels + (rng.random() < 0.2)
    missing = rng.choice([0, 0, 0.15, 0.4])
    truth = [rng.randrange(n_labels) for _ in range(n_items)]
    skill = [rng.choice([0, 0.3, 0.7, 0.9]) for _ in range(n_judges)]

    def answer(i, label):
        if rng.random() < missing:
            return -1
        return label if rng.random() < skill[i] else rng.randrange(n_answers)

    votes = [[answer(i, label) for i in range(n_judges)] for label in truth]
    return Exam(votes, n_labels, n_answers)


def as_sketch(exam):
    """Return the exam as algeval reads it."""
    codes = np.array(exam.votes, np.int16)
    return Sketch(exam.judges, exam.labels, exam.answers, codes, np.ones(exam.n_items, int))


def random_rule(rng):
    """Return one of the two rules for missing votes."""
    return rng.choice(["excluded", "wrong"])


def random_level(rng, exam):
    """Return a level near those an exam of this size can attain."""
    bottom = rng.randint(1, max(2, exam.n_items))
    level = Fraction(rng.randint(0, bottom), bottom)
    nudge = rng.choice([0, 0, 0, Fraction(1, 1000), Fraction(-1, 1000)])
    return min(Fraction(1), max(Fraction(0), level + nudge))


def random_condition(rng, exam):
    """Return one condition on some judge, some label, or all."""
    quantity = rng.choice(["accuracy", "accuracy", "accuracy", "grade", "prevalence"])
    judge = rng.choice([None, *exam.judges]) if quantity != "prevalence" else None
    label = rng.choice([None, *exam.labels]) if quantity != "grade" else None
    sense = rng.choice([">=", ">=", ">", "<="])
    level = random_level(rng, exam)
    if quantity == "prevalence":
        level = level / exam.n_labels if sense != "<=" else 1 - level / exam.n_labels
    return Condition(quantity, sense, level, judge, label)


def random_specification(rng, exam):
    """Return a level for all, strict or not, or a conjunction of up to four conditions."""
    if rng.random() < 0.4:
        return Specification.at_least(random_level(rng, exam), strict=rng.random() < 0.25)
    return Specification(tuple(random_condition(rng, exam) for _ in range(rng.randint(1, 4))))


def conditions_of(spec):
    """Return the conditions of a specification as the brute force reads them."""
    return spec.to_dict()["conditions"]
