"""Conditions meet the labels of the votes."""

from algeval.data import Specification


def test_labels_are_spelled_as_in_the_votes_where_only_one_matches():
    asked = Specification.of(
        "accuracy(x, YES) >= 0.5 and prevalence('No.') >= 0.1 and prevalence(z) >= 0"
    )
    assert [c.label for c in asked.spelled(["yes", "no"]).conditions] == ["yes", "no", "z"]
    assert [c.label for c in asked.spelled(["yes", "Yes", "no"]).conditions] == ["YES", "no", "z"]
    assert [c.label for c in asked.spelled(["YES", "yes", "No."]).conditions] == ["YES", "No.", "z"]
