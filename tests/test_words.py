"""Names say what a value is, and docstrings name what they describe: the counts may only fall.

``python tests/test_words.py`` prints both tables as they are now.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = [ROOT / "algeval", ROOT / "papers" / "algeval_papers"]
NO_NAMES = {
    *("found", "told", "given", "asked", "heard", "known", "spoken", "worth", "whose", "sure"),
    *("shaken", "one", "ones", "place", "places", "way", "ways", "thing", "things"),
}
"""Acts by which a value was come to, and words that fit any value."""
ACTS = {"Return", "Say", "Tell", "Ask", "Find", "See"}
"""What a docstring should not begin with: it names what is returned."""

MOST_NAMES = {
    "algeval/aggregate": 66,
    "algeval/algebra": 59,
    "algeval/budgets": 3,
    "algeval/compare": 7,
    "algeval/data": 2,
    "algeval/errors.py": 1,
    "algeval/io": 12,
    "algeval/logic": 45,
    "algeval/models": 4,
    "algeval/progress.py": 1,
    "algeval/rates": 23,
    "algeval/report": 1,
    "algeval/result": 1,
    "algeval/verify_statements.py": 1,
    "algeval_papers": 32,
}
MOST_ACTS = {
    "algeval/aggregate": 205,
    "algeval/algebra": 41,
    "algeval/budgets": 2,
    "algeval/certificates.py": 1,
    "algeval/cli": 3,
    "algeval/compare": 1,
    "algeval/data": 18,
    "algeval/errors.py": 1,
    "algeval/gate.py": 1,
    "algeval/io": 55,
    "algeval/logic": 52,
    "algeval/models": 55,
    "algeval/report": 1,
    "algeval/sklearn.py": 1,
    "algeval/verify.py": 1,
    "algeval/verify_statements.py": 18,
    "algeval_papers": 34,
}


@cache
def nodes_of(tree):
    """Return the nodes of a tree, walked once for all tests."""
    return tuple(ast.walk(tree))


def names_of(tree):
    """Yield every name that a file gives: functions, classes, parameters, variables, fields."""
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def poor_names(tree):
    for name in names_of(tree):
        words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
        if words & NO_NAMES:
            yield name


def acts(tree):
    for node in nodes_of(tree):
        if isinstance(node, ast.FunctionDef):
            first = (ast.get_docstring(node) or "-").split()[0].rstrip(":")
            if first in ACTS:
                yield node.name


@cache
def trees():
    """Return the parsed files of the packages by path."""
    paths = [path for package in FOLDERS for path in sorted(package.rglob("*.py"))]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def counts(kind):
    """Return how often each folder, or file beside the folders, has what `kind` yields."""
    total = Counter()
    for path, tree in trees().items():
        parts = path.relative_to(ROOT).parts
        folder = "/".join(parts[:2]) if parts[0] == "algeval" else "algeval_papers"
        total[folder] += sum(1 for _ in kind(tree))
    return {folder: number for folder, number in sorted(total.items()) if number}


def rises(kind, most):
    return {
        folder: f"{number}, at most {most.get(folder, 0)}"
        for folder, number in counts(kind).items()
        if number > most.get(folder, 0)
    }


def test_poor_names_become_fewer():
    assert rises(poor_names, MOST_NAMES) == {}


def test_docstrings_that_begin_with_an_act_become_fewer():
    assert rises(acts, MOST_ACTS) == {}


def test_the_count_sees_each_kind_of_name():
    code = "class Found: pass\ndef f(told_of, rest):\n    one_row = rest.known = rest.knowns = 1"
    assert sorted(poor_names(ast.parse(code))) == ["Found", "known", "one_row", "told_of"]
    code = 'def f():\n    """Return what."""\ndef g():\n    """Share of votes."""\ndef h(): pass'
    assert list(acts(ast.parse(code))) == ["f"]


if __name__ == "__main__":
    for name, kind in (("MOST_NAMES", poor_names), ("MOST_ACTS", acts)):
        rows = "".join(f'    "{folder}": {n},\n' for folder, n in counts(kind).items())
        print(f"{name} = {{\n{rows}}}")
