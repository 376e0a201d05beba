"""Shared fixtures: where the real votes lie, and the exams every layer is tried on."""

import os
from pathlib import Path

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # threads that fight for cores cost 10 to 50 times

import pytest

import algeval as ae

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / ".." / "shared" / "data"

SOLVER = (
    "tests/aggregate/checks/test_score_test.py",
    "tests/aggregate/kernels",
    "tests/aggregate/methods/test_curie_weiss.py",
    "tests/aggregate/methods/test_factor.py",
    "tests/aggregate/methods/test_glad.py",
    "tests/aggregate/methods/test_ising.py",
    "tests/aggregate/methods/test_log_linear.py",
    "tests/aggregate/methods/test_simple_models.py",
    "tests/aggregate/score_kernels",
    "tests/aggregate/score_methods",
    "tests/aggregate/test_every_method.py",
    "tests/algebra/decoding/test_groebner.py",
    "tests/algebra/decoding/test_pencil.py",
    "tests/algebra/inequalities",
    "tests/algebra/proving",
    "tests/attack",
    "tests/compare/diagnose",
    "tests/compare/test_learning_curves.py",
    "tests/compare/test_nearest.py",
    "tests/compare/test_paper_002_appendix_e.py",
    "tests/logic/consistent/test_members.py",
    "tests/logic/consistent/test_sampling.py",
    "tests/logic/orders",
    "tests/logic/proof/test_tree.py",
    "tests/logic/questions/test_joint_bounds.py",
    "tests/logic/questions/test_joint_panel.py",
    "tests/logic/questions/test_monitor.py",
    "tests/logic/questions/test_program.py",
    "tests/papers/test_catalogue.py",
    "tests/papers/test_printed_ladder.py",
    "tests/report",
    "tests/test_notebooks.py",
    "tests/test_sentences_consensus.py",
    "tests/test_sentences_scores.py",
    "tests/verify/test_statements_sound.py",
    "tests/verify/test_verify_sound.py",
)
"""Files and folders that take more than a few seconds; `nox -s fast` leaves them out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in SOLVER."""
    slow = tuple(ROOT / place for place in SOLVER)
    for item in items:
        if any(item.path.is_relative_to(place) for place in slow):
            item.add_marker("solver")


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
