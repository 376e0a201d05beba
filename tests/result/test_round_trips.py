"""Everything that is read from JSON is equal to what was written, for random votes of every shape."""

import importlib
import inspect
import json
import pkgutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.aggregate import METHODS
from algeval.data.votes import GroupedSketch, Split
from algeval.result.numbers import same

NAMES = st.text("abAB 1.é'\"\n<", min_size=1, max_size=4)


@st.composite
def votes(draw):
    """Votes with missing answers, answers that are no label, odd names and part of a key."""
    n_judges, n_labels, n_items = draw(st.integers(1, 4)), draw(st.integers(1, 3)), 12
    names = draw(st.lists(NAMES, min_size=n_judges, max_size=n_judges, unique=True))
    labels = draw(st.lists(NAMES, min_size=n_labels, max_size=n_labels, unique=True))
    answers = [*labels, *(["refused"] if draw(st.booleans()) else [])]
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    codes = rng.integers(-1, len(answers), (n_items, n_judges))
    key = rng.integers(-1, n_labels, n_items) if draw(st.booleans()) else None
    return ae.Votes(range(n_items), names, labels, answers, codes, key)


def keyed(found):
    truth = np.arange(found.n_items) % found.n_labels
    return ae.Votes(found.items, *found.axes, found.codes, truth).keyed_sketch()


def grouped(found):
    places = np.arange(found.n_items)
    truth = places % (found.n_labels + 1) - 1
    splits = (
        Split("human", "who", found.labels, truth),
        Split("slice", "topic", ("x", "y z"), places % 3 - 1),
    )
    return GroupedSketch(*found.axes, found.codes, places, splits)


def scores(found):
    """Scores without a key, or with one of classes or of numbers, and an attribute with a gap."""
    values = np.where(found.codes < 0, np.nan, found.codes / 3)
    key = [["a", None], [0.25, None]][found.n_labels % 2] * (found.n_items // 2)
    attributes = {"topic": [None, "x"] * (found.n_items // 2)}
    return ae.Scores(
        found.items, found.judges, values, key if found.key is not None else None, attributes
    )


def specification(found):
    asked = ae.Specification.at_least("2/3") & ae.Specification.prevalence(
        found.labels[0], "<=", 0.4
    )
    return asked.by_at_least(found.n_judges)


def label_stream(found):
    stream = ae.LabelStream(fbar=1 / 3, level=0.9, against="2/5", width=0.25)
    for row in found.codes.tolist():
        stream.add(row[0] == 0, max(row) / 4 if max(row) > 0 else 0)
    return stream


def monitor(found):
    made = ae.Monitor("accuracy >= 0.8", found.judges, found.labels, answers=found.answers)
    made.add(found)
    return made


def verdict_stream(found):
    stream = ae.VerdictStream(baseline=(40, 50) if found.n_labels % 2 else 0.8)
    stream.update((found.codes[:, 0] == 0).tolist())
    return stream


MAKE = {
    "Votes": lambda v: v,
    "Sketch": ae.Votes.sketch,
    "KeyedSketch": keyed,
    "GroupedSketch": grouped,
    "Summary": ae.Votes.summary,
    "Scores": scores,
    "Evaluation": lambda v: keyed(v).evaluation(),
    "Specification": specification,
    "Certificate": lambda v: ae.alarm(v, 0.9, order=1).certificate,
    "Aggregation": lambda v: ae.aggregate(v, "majority"),
    "ScoreAggregation": lambda v: ae.aggregate(scores(v)),
    "Agreement": ae.agreement,
    "Bootstrap": lambda v: ae.aggregate(v, "majority").bootstrap(n=10),
    "Confounders": lambda v: ae.confounders(scores(v), folds=2),
    "Disagreement": lambda v: ae.disagreement(v, ae.aggregate(v, "weighted-majority")),
    "JudgeGroups": lambda v: ae.judge_groups(v, replicates=9, min_common=2),
    "LabelStream": lambda v: label_stream(v),
    "VerdictStream": lambda v: verdict_stream(v),
    "Monitor": lambda v: monitor(v),
    "Plan": lambda v: ae.plan(
        budget=5 * v.n_items, accuracy=0.8, margin="1/50", label_accuracy=0.9, item_cost=v.n_judges
    ),
}


def again(value):
    """Return what a reader of its JSON gets."""
    return type(value).from_dict(json.loads(json.dumps(value.to_dict(), allow_nan=False)))


def test_every_class_that_is_read_is_among_them():
    found = set()
    for part in pkgutil.walk_packages(ae.__path__, "algeval."):
        if not part.name.endswith("__main__") and ".kernels." not in part.name:
            module = importlib.import_module(part.name)
            kinds = [kind for _, kind in inspect.getmembers(module, inspect.isclass)]
            ours = [
                k for k in kinds if k.__module__.startswith("algeval.") and hasattr(k, "from_dict")
            ]
            found |= {kind.__name__ for kind in ours if ".kernels." not in kind.__module__}
    # of a kernel; and counts that live for one question and are never written
    assert found - {"Parameters", "LabelledSketch", "Carried"} == set(MAKE)


@pytest.mark.parametrize("kind", MAKE)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(found=votes())
def test_what_is_read_is_equal_to_what_was_written(kind, found):
    try:
        value = MAKE[kind](found)
    except ae.AlgevalError:  # no votes for this question, which says so
        return
    assert type(value).__name__ == kind
    assert again(value) == value
    assert again(again(value)).to_dict() == value.to_dict()


EXAM = ae.Votes.from_columns(
    {
        judge: list(text * 6)
        for judge, text in zip("ijklm", ["aabb", "abbb", "aaba", "abab", "babb"], strict=True)
    }
)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_the_fit_of_every_method_is_equal_after_a_round_trip(name):
    fit = ae.aggregate(EXAM, name)
    assert again(fit) == fit


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (float("nan"), float("nan"), True),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan]), True),
        (np.array([1.0, np.nan]), np.array([np.nan, 1.0]), False),
        (np.array([1, 2]), np.array([[1, 2]]), False),
        (np.array([None, 1], object), np.array([None, 1], object), True),
        (np.array([1.0]), [1.0], True),
        ([1, (2,)], (1, [2]), True),
        ({"a": [1]}, {"a": [1], "b": 2}, False),
        ([1], [1, 2], False),
        (1, "1", False),
        (None, 0, False),
        ("ab", ["a", "b"], False),
    ],
)  # fmt: skip
def test_what_is_the_same(one, other, equal):
    assert same(one, other) is equal
    assert same(other, one) is equal
