"""Shares as text: percentages from 0 to 100, or a dash and its reason."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Evaluation
from algeval.data.evaluation import dash_note, items_behind, shown_accuracy, shown_share


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "50.0%"),
        (Fraction(2, 3), "66.7%"),
        (1 + 1e-12, "100.0%"),
        (-1e-12, "0.0%"),
        (1.01, "-"),
        (-0.01, "-"),
        (float("nan"), "-"),
        (None, "-"),
    ],
)
def test_shares(value, text):
    assert shown_share(value) == text


def evaluation(prevalence, accuracy, coverage=None):
    table = np.array([[[accuracy, 1 - accuracy], [0.2, 0.8]]])
    return Evaluation(("i",), ("a", "b"), ("a", "b"), np.array(prevalence), table, coverage)


def test_accuracies_rest_on_the_items_of_the_label_that_were_answered():
    rare = evaluation([0.009, 0.991], 1.0)
    assert items_behind(rare, 0, 0, 100) == pytest.approx(0.9)
    assert shown_accuracy(rare, 0, 0, 100) == "-"
    assert shown_accuracy(rare, 0, 0, 1000) == "100.0%"
    half = evaluation([0.02, 0.98], 1.0, np.array([[0.4, 1.0]]))
    assert shown_accuracy(half, 0, 0, 100) == "-"
    assert shown_accuracy(half, 0, 1, 100) == "80.0%"


def test_the_note_names_only_what_happened():
    assert dash_note([evaluation([0.5, 0.5], 0.9)], 100) == ""
    assert dash_note([evaluation([0.5, 0.5], 1.4)], 100).startswith(
        "A dash: no share leaves 0% to 100%, and"
    )
    assert "less than one item" in dash_note([evaluation([0.001, 0.999], 0.9)], 100)
