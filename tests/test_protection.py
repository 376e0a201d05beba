"""Each method, order, reader and question has a test by brute force and one of something planted."""

import ast
import inspect
import tomllib
from functools import cache
from pathlib import Path

import pytest

import algeval as ae
from algeval.aggregate.registry import METHODS, SCORE_METHODS
from algeval.io.readers import READERS

HERE = Path(__file__).parent
LIST = tomllib.loads((HERE / "protection.toml").read_text(encoding="utf-8"))
NO_QUESTIONS = {
    "example", "load", "read_results", "read_scores", "read_sketch", "read_votes", "report",
    "schema", "show_progress",
}  # fmt: skip
"""Public functions that read, show or compose what others answer."""
QUESTIONS = {
    name
    for name in ae.__all__
    if not inspect.isclass(getattr(ae, name)) and callable(getattr(ae, name))
} - NO_QUESTIONS
KINDS = {
    "methods": set(METHODS),
    "score_methods": set(SCORE_METHODS),
    "orders": {"1", "2", "m", "full"},
    "readers": {reader.name for reader in READERS},
    "questions": QUESTIONS,
}


@cache
def functions(file):
    """Names of the test functions of a file, with the decorators of each."""
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {node.name: tuple(map(ast.unparse, node.decorator_list)) for node in found}


def test_the_list_is_of_all_there_is():
    assert {kind: set(rows) for kind, rows in LIST.items()} == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_each_has_two_different_tests_that_exist_and_are_not_kept_for_the_slow_lane(kind):
    for name, tests in LIST[kind].items():
        assert len(set(tests)) == 2, name
        for file, test in (listed.split("::") for listed in tests):
            assert test in functions(file), (name, file, test)
            kept = ("pytest.mark.slow", "pytest.mark.skip", "NEEDS_")
            assert not any(mark.startswith(kept) for mark in functions(file)[test]), (name, test)


def test_what_is_listed_runs_in_the_fast_lane(request):
    listed = {f"tests/{test}" for rows in LIST.values() for pair in rows.values() for test in pair}
    seen = {}
    for item in request.session.items:
        name = f"{item.nodeid.split('::')[0]}::{item.name.split('[')[0]}"
        seen[name] = seen.get(name, False) or not item.get_closest_marker("solver")
    assert not [name for name in listed if seen.get(name) is False]
