"""Old module paths: they import, they warn, and they disturb nothing."""

import subprocess
import sys

import pytest

from algeval._moved import MOVED


def run(code, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False
    )


def test_every_old_path_holds_the_names_of_the_new_one():
    told = [
        "import sys, warnings",
        "from importlib import import_module",
        "from algeval._moved import MOVED",
        "for old, new in MOVED.items():",
        "    with warnings.catch_warnings(record=True) as caught:",
        "        warnings.simplefilter('always')",
        "        a, b = vars(import_module(old)), vars(import_module(new))",
        "        assert all(a[k] is b[k] for k in b if k[0] != '_'), old",
        "    (one,) = [w for w in caught if issubclass(w.category, DeprecationWarning)]",
        "    assert old in str(one.message) and new in str(one.message)",
        "    assert one.filename == '<string>' or 'importlib' in one.filename",
    ]
    found = run("\n".join(told), "-W", "ignore")
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    ("old", "name"),
    [
        ("algeval.aggregate.scoring", "score"),
        ("algeval.aggregate.majority", "evaluate_by_majority"),
        ("algeval.aggregate.agreement", "agreement"),
        ("algeval.aggregate.dawid_skene", "dawid_skene"),
        ("algeval.report.figures_data", "key_levels"),
        ("algeval.replicate.claim", "Claim"),
        ("algeval.replicate.algebraic.exams", "correlated_yet_rational"),
        ("algeval.budgets.sweep", "admissible"),
    ],
)
def test_a_name_comes_from_its_old_path_with_a_warning_that_names_the_new(old, name):
    found = run(f"from {old} import {name}; print({name}.__module__)", "-W", "always")
    assert found.stdout.strip() == MOVED[old]
    assert f"{old} has moved and will be removed: import {MOVED[old]}" in found.stderr
    assert run(f"from {old} import {name}", "-W", "error::DeprecationWarning").returncode != 0


@pytest.mark.parametrize("name", ["Entry", "Outcome", "catalogue", "misprints", "printed_ladder"])
def test_a_name_that_left_for_the_papers_warns_and_is_the_same(name):
    code = (
        f"import algeval as ae, algeval_papers as p; print(ae.algebra.{name} is p.{name}, "
        f"{name!r} in ae.algebra.__all__)"
    )
    result = run(code, "-W", "always")
    assert result.stdout.strip() == "True False"
    assert f"algeval.algebra.{name} has moved and will be removed: use algeval_papers.{name}" in (
        result.stderr
    )
    assert "<string>:1" in result.stderr


@pytest.mark.parametrize("name", ["separation", "mean_field", "glauber"])
def test_a_model_that_left_for_the_papers_warns_and_works(name):
    result = run(f"import algeval as ae; print(ae.models.{name}.{name}.__name__)", "-W", "always")
    assert result.stdout.strip() == name
    assert f"algeval.models.{name} has moved" in result.stderr


def test_an_old_path_that_was_a_command_still_runs():
    def printed(name):
        command = [sys.executable, "-m", name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert printed("algeval.budgets.conjecture") == printed("algeval_papers.conjecture") != ""


def test_a_function_whose_name_an_old_path_had_can_still_be_called():
    code = (
        "from algeval.aggregate.agreement import agreement; import algeval as ae; "
        "s = ae.Sketch.from_counts({'aa': 3, 'ab': 1}); "
        "print(ae.aggregate.agreement(s).summary() == agreement(s).summary())"
    )
    assert run(code, "-W", "ignore").stdout.strip() == "True"


def test_nothing_warns_unless_an_old_path_is_used():
    code = "import algeval as ae, algeval.aggregate as a; [getattr(a, n) for n in a.__all__]"
    assert run(code, "-W", "error").returncode == 0


def test_other_missing_modules_are_still_missing():
    found = run("import algeval.aggregate.nothing")
    assert "ModuleNotFoundError: No module named 'algeval.aggregate.nothing'" in found.stderr
