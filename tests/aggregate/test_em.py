"""The one loop: what `tol` means, how it ends, and that nothing else iterates EM."""

import ast
from pathlib import Path

import pytest

from algeval.aggregate import em
from algeval.aggregate.em import Step, iterate
from algeval.aggregate.results import End


def halving(state):
    """Moves halve from 1, and so do gains: heights 0, 1, 3/2, 7/4, ..."""
    return Step(state, state + 1, 0.5**state, 2 - 2 * 0.5**state)


@pytest.mark.parametrize(
    ("tol", "n_items", "steps"),
    [
        (0.25, 1e9, 3),  # moves 1, 1/2, 1/4: the move decides
        (0.25, 1, 4),  # gains -, 1, 1/2, 1/4: the gain decides
        (0.25, 2, 3),  # a gain of 1/2 is 1/4 per item
    ],
)
def test_converged_is_the_first_step_that_gains_and_moves_at_most_tol(tol, n_items, steps):
    found, end = iterate(halving, 0, tol=tol, n_items=n_items, max_iter=99)
    assert found == steps - 1
    assert end.converged
    assert end.n_iter == len(end.trace) == steps
    assert end.trace[:3] == (0, 1, 1.5)


def test_a_first_step_that_does_not_move_is_no_proof_of_a_top():
    found, end = iterate(lambda s: Step(s, s + 1, 0.0, 1.0), 0, tol=0, n_items=1, max_iter=9)
    assert (found, end) == (1, End(True, 2, (1.0, 1.0), "EM"))


def test_a_loop_without_an_objective_is_judged_by_its_moves():
    found, end = iterate(lambda s: Step(s, s + 1, 0.5**s), 0, tol=0.1, n_items=1, max_iter=99)
    assert (found, end) == (4, End(True, 5, (), "EM"))


def test_out_of_steps_is_not_converged():
    found, end = iterate(halving, 0, tol=1e-9, n_items=1, max_iter=3)
    assert found == 2
    assert not end.converged
    assert end.n_iter == 3


def test_no_other_module_of_aggregate_has_a_loop_that_runs_until_it_stands_still():
    home = Path(em.__file__).parent
    loops = {
        (path.name, function.name)
        for path in home.rglob("*.py")
        for function in ast.walk(ast.parse(path.read_text()))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.While)
        or (isinstance(node, ast.For) and "max_iter" in ast.unparse(node.iter))
    }
    searches = {
        ("bootstrap.py", "_refined"),  # tells patterns apart until no more are
        ("groups.py", "search"),  # for groups of judges, one after the other: nothing is fitted
        ("groups.py", "_drawn_extremes"),  # draws exams until there are enough
        ("recommended.py", "_root"),  # closes in on a root between two ends
        ("graded.py", "fit_graded"),  # grid after grid, each with the one loop inside
        ("factor.py", "_ascend"),  # starts a climb anew where the library's stalls
        ("care_svd.py", "split_sparse_low_rank"),  # alternating directions, ended by a certificate
    }
    assert loops - searches == {("em.py", "iterate")}


def test_a_share_is_that_of_the_second_label_or_of_its_votes():
    assert em.told_share(0.25, ["a", "b"], 0.4)[0] == 0.25
    assert em.told_share("votes", ["a", "b"], 0.4)[0] == 0.4
