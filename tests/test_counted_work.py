"""No default bound is a wall clock: the same data give the same answer, however busy the machine."""

import inspect
from itertools import count

import click
import pytest

import algeval as ae
from algeval.cli.main import COMMANDS, cli
from algeval.errors import NotSolvedError
from algeval.logic.proof import work_of_questions

VOTES = ae.read_votes(
    {
        f"j{j}": ["abc"[(7 * k * k + 3 * j * k + j * j) % 11 % 3] for k in range(60)]
        for j in range(7)
    }
)


def defaults():
    for name in ae.__all__:
        value = getattr(ae, name)
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception)):
            for parameter in inspect.signature(value).parameters.values():
                if parameter.name == "time_limit":
                    yield name, parameter.default


def test_no_function_has_a_limit_in_seconds_by_default():
    limits = dict(defaults())
    assert len(limits) > 10
    assert {name for name, default in limits.items() if default is not None} == set()
    assert inspect.signature(ae.algebra.groebner_basis).parameters["time_limit"].default is None


def test_no_command_has_a_limit_in_seconds_by_default():
    with_limit = 0
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        for parameter in command.params:
            if parameter.name == "time_limit":
                with_limit += 1
                assert not isinstance(parameter.default, int | float), name
    assert with_limit > 5


QUESTIONS = {
    "threshold": lambda: ae.threshold(VOTES),
    "alarm": lambda: ae.alarm(VOTES, at_least=0.62),
    "panel": lambda: ae.panel(VOTES, 0.7),
    "bounds": lambda: ae.bounds(VOTES),
    "rate": lambda: ae.rate(VOTES, "a"),
    "relations": lambda: ae.relations(["Delta_ij", "Delta_ik", "Delta_jk", "f_Bi"], complete=True),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_machine_on_which_hours_pass_gives_the_same_answer(name, monkeypatch):
    with work_of_questions(0.1):
        calm = QUESTIONS[name]()
        hours = count(0, 3600)
        monkeypatch.setattr("algeval.progress.monotonic", lambda: float(next(hours)))
        assert QUESTIONS[name]() == calm


def test_work_that_is_over_leaves_a_bracket_and_its_status():
    with work_of_questions(1e-6):
        bracket = ae.threshold(VOTES, order=2, exact=True)
    assert bracket.status is ae.Status.TIME_LIMIT
    settled = ae.threshold(VOTES, order=2, exact=True)
    assert bracket.lower <= settled.lower <= settled.upper <= bracket.upper
    assert bracket.lower < bracket.upper


def test_a_proof_by_default_ends_by_work(monkeypatch):
    monkeypatch.setattr("algeval.algebra.proving._WORK", {True: 1e-6, False: 1e-6})
    with pytest.raises(NotSolvedError, match="within the work done by default"):
        ae.prove("Delta_ij = P_A*P_B*d_i*d_j")
    claim = "P_iA^4 + P_jA^4 + P_kA^4 + P_lA^4 + 1/10^6 > 4*P_iA*P_jA*P_kA*P_lA"
    verdict = ae.prove(claim, judges=4)
    assert verdict.status is ae.Status.TIME_LIMIT
    assert "pass a longer time_limit" in verdict.message
