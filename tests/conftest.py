"""Shared fixtures: where the real votes lie, and the exams every layer is tried on."""

from pathlib import Path

import pytest

import algeval as ae

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"


@pytest.fixture(scope="session")
def real_votes() -> Path:
    """The folder of real votes; tests that need it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip("the folder of real votes is not on this machine")
    return DATA


@pytest.fixture
def mt_summary() -> ae.Summary:
    """The two graders of paper 003, as its text gives them."""
    return ae.Summary.from_counts(
        {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    )


@pytest.fixture
def acs_sketch() -> ae.Sketch:
    """Table 1 of paper 001: the observed counts of the three classifiers."""
    counts = {"AAA": 568, "AAB": 553, "ABA": 649, "BAA": 1813}
    counts |= {"BBA": 3534, "BAB": 3607, "ABB": 1068, "BBB": 8208}
    return ae.Sketch.from_counts(counts)
