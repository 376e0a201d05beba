"""Claims on single labels and on confounders rest on algeval: they notice when a part of it is wrong."""

from importlib import import_module

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.aggregate.scores.care_svd import leading
from algeval.budgets.kernel import by_squaring, exact_law
from algeval_papers import claims


def turned(found):
    """Return the last direction with its judges in reverse."""
    return found.vectors[::-1, -1]


WRONG = [
    ("labels", "gap_chances", lambda *_: (0.3, 0.2), ["2-majority", "B.1", "B.2"]),
    ("labels", "exact_law", lambda a, b, n: exact_law(b, a, n), ["2-sum", "2-terms"]),
    ("labels", "majority_accuracy", lambda q, m: q * q, ["A2-concave"]),
    ("labels", "majority_accuracy", lambda q, m: 1 - (1 - q) ** m, ["F1a"]),
    ("labels_conjecture", "exact_comparison", lambda *_: (1, 0), ["CJ1", "CJ1-even"]),
    ("labels_conjecture", "count_proved", lambda: 83_345_474, ["CJ1-grid"]),
    (
        "labels_conjecture",
        "by_squaring",
        lambda a, b, n: by_squaring(a, b, n + 1),
        ["A-squaring"],
    ),
    ("labels", "error_rate", lambda a, b: a - b, ["C1-root"]),
    ("labels", "error_rate", lambda a, b: a - b, ["C.1", "C.1-sums", "Cramer"]),
    ("labels_conjecture", "majority_accuracy", lambda q, m: q, ["C.4"]),
    ("labels", "majority_accuracy", lambda q, m: q / 2, ["17"]),
    ("care", "unique_by_kruskal", lambda *_: False, ["D.8", "D.8-judges"]),
    ("care", "posterior", lambda x, _: (np.full((len(x), 4), 0.25), None), ["1"]),
    ("care.care_svd", "balanced", leading, ["3.3-balance"]),
    ("care.care_svd", "subtraction", lambda found, _: found.vectors[:, 0], ["C.4-sign"]),
    (
        "care",
        "leading",
        lambda found: leading(found)._replace(weights=turned(found)),
        ["D.6"],
    ),
    (
        "care",
        "aggregate",
        lambda table, *_, **__: aggregate(table, "average"),
        ["C.3-mixed"],
    ),
]
ABOUT = {"labels": "004", "labels_conjecture": "004", "care": "002"}


@pytest.mark.parametrize(("place", "name", "other", "ids"), WRONG)
def test_what_is_wrong_is_noticed(monkeypatch, place, name, other, ids):
    paper = ABOUT[place.split(".")[0]]
    every = [f"{paper}-{one}" for one in ids]
    assert all(map(confirmed, every))
    monkeypatch.setattr(module(place), name, other)
    assert [one for one in every if confirmed(one)] == []


def confirmed(name):
    (claim,) = claims(only=[name])
    return claim.run().confirmed


def module(name):
    file, *rest = name.split(".")
    home = import_module(f"algeval_papers.{file}")
    return getattr(home, rest[0]) if rest else home
