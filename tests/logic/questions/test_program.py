"""The integer program: by brute force, by certificates, by other solvers, and by its file."""

import importlib.util
import json
import re
import subprocess
from fractions import Fraction as F
from pathlib import Path

import highspy
import numpy as np
import pulp
import pytest

import algeval as ae
from algeval.data import Specification, Summary
from algeval.errors import DataError

_spec = importlib.util.spec_from_file_location("brute", Path(__file__).parents[1] / "brute.py")
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

LEVELS = [F(1, 3), F(1, 2), F(7, 12), F(2, 3), F(1)]
CBC = str(getattr(getattr(pulp, "PULP_CBC_CMD", None), "pulp_cbc_path", ""))  # comes with PuLP 3
needs_cbc = pytest.mark.skipif(not Path(CBC).is_file(), reason="this PuLP brings no CBC")


def random_summary(rng):
    """One to three judges, two or three labels, perhaps another answer, perhaps items left out."""
    n_labels, n_judges, n_items = rng.integers(2, 4), rng.integers(1, 4), int(rng.integers(1, 6))
    width = int(n_labels + rng.integers(0, 2))
    rows = rng.multinomial(n_items, [1 / (width + 1)] * (width + 1), n_judges)[:, :width]
    names = [f"j{i}" for i in range(n_judges)]
    return Summary(names, [*"abc"][:n_labels], [*"abcd"][:width], rows, n_items)


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_feasible_exactly_where_some_key_and_tables_do(rule):
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(25):
        summary = random_summary(rng)
        level = LEVELS[rng.integers(len(LEVELS))]
        answer = ae.program(summary, level, missing=rule).solve()
        wanted = brute.possible(summary, rule, lambda c, d, x=level: brute.worst(c, d) >= x)
        assert answer.feasible is wanted
        seen.add(wanted)
        if wanted:
            assert ae.verify(answer.certificate, summary).ok
            assert all(
                v is None or v >= level for v in answer.evaluation.accuracies().ravel().tolist()
            )
    assert seen == {True, False}


@pytest.mark.parametrize("order", [1, 2, "full"])
def test_feasible_exactly_where_the_alarm_of_its_order_is_silent(order):
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(12):
        codes = rng.integers(-1, 3, (int(rng.integers(3, 7)), 3))
        votes = ae.Votes(range(len(codes)), [*"xyz"], [*"abc"], [*"abc"], codes)
        for level in ("1/2", "accuracy(x) >= 0.7 and grade <= 0.8", "accuracy(y, b) > 2/3"):
            answer = ae.program(votes, level, order=order).solve()
            assert answer.feasible is (not ae.alarm(votes, level, order=order).triggered)
            seen.add(answer.feasible)
            if answer.feasible:
                assert ae.verify(answer.certificate, votes.sketch() if order != 1 else votes).ok
    assert seen == {True, False}


def test_mt_bench_is_feasible_at_two_thirds_and_not_above():
    summary = ae.example("mt-bench-summary")
    at, above = ae.program(summary, "2/3"), ae.program(summary, 0.67)
    assert at.solve().feasible is True
    assert above.solve().feasible is False
    assert above.solve().certificate is None
    assert at.solve().evaluation.prevalence.tolist() == [F(6, 25), F(15, 25), F(4, 25)]
    assert [len(at.variables), len(at.constraints)] == [21, 19]
    assert str(at.constraints[0]) == "items: Q_a + Q_b + Q_tie = 25"
    assert (
        str(above.constraints[-1]) == "asked_1_gpt4_tie: - 67 Q_tie + 100 R_gpt4_tie_true_tie >= 0"
    )
    assert "no proof" in above.solve().meaning
    assert at.solve().meaning != above.solve().meaning


def read_by_highs(path):
    """Return whether HiGHS, without PuLP, finds the program of a file feasible."""
    solver = highspy.Highs()
    solver.silent()
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    solver.run()
    ends = {highspy.HighsModelStatus.kOptimal: True, highspy.HighsModelStatus.kInfeasible: False}
    return ends[solver.getModelStatus()]


@pytest.mark.parametrize(
    ("name", "order", "level", "feasible"),
    [
        ("mt-bench-summary", 1, "2/3", True),
        ("mt-bench-summary", 1, "0.67", False),
        ("mt-bench", 1, "0.51", True),
        ("mt-bench", 2, "0.51", True),
        ("mt-bench", "full", "1/2", True),
        ("mt-bench", "full", "0.51", False),
    ],
)
def test_the_file_read_again_has_the_same_answer(tmp_path, name, order, level, feasible):
    found = ae.program(ae.example(name), level, order=order)
    found.write_lp(tmp_path / "alarm.lp")
    assert read_by_highs(tmp_path / "alarm.lp") is feasible
    assert found.solve().feasible is feasible


@needs_cbc
@pytest.mark.parametrize(("level", "feasible"), [("2/3", True), ("0.67", False)])
def test_cbc_agrees_by_pulp_and_by_the_file(tmp_path, level, feasible):
    found = ae.program(ae.example("mt-bench-summary"), level)
    answer = found.solve(pulp.COIN_CMD(path=CBC, msg=False))
    assert answer.feasible is feasible
    assert answer.solver == "COIN_CMD"
    assert answer.solver in answer.message
    found.write_lp(tmp_path / "alarm.lp")
    told = subprocess.run(
        [CBC, str(tmp_path / "alarm.lp"), "solve"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert ("Optimal solution found" in told) is feasible
    assert ("infeasible" in told.lower()) is not feasible


def test_a_file_holds_whole_numbers_only(tmp_path):
    data = ae.example("mt-bench")
    for order in (1, 2, "full"):
        ae.program(data, "accuracy >= 0.637 and prevalence(tie) <= 1/3", order=order).write_lp(
            tmp_path / "alarm.lp"
        )
        text, seal = (tmp_path / "alarm.lp").read_text().rsplit("\\ written by algeval", 1)
        assert len(seal.split()[0]) == 64
        assert not re.search(r"\d\.\d|\de[+-]?\d", text)
        assert "637 Q_a" in text
        assert "0 <= Q_tie <= 8" in text


def test_numbers_too_long_for_a_file_are_refused():
    summary = ae.example("mt-bench-summary")
    assert ae.program(summary, F(7, 10**12 - 11)).solve().feasible
    with pytest.raises(DataError, match="at most 12 digits, which a file holds exactly; got 13"):
        ae.program(summary, F(7, 10**12 + 39))


def test_answer_keys_that_are_known():
    summary = ae.example("mt-bench-summary")
    for key in ((6, 15, 4), (7, 15, 3), (8, 9, 8)):
        found = ae.program(summary, "2/3", key_counts=key)
        wanted = all(
            min(r, q) >= F(2, 3) * q
            for row in summary.counts.tolist()
            for r, q in zip(row, key, strict=True)
        )
        assert found.solve().feasible is wanted
        assert (
            [v.low for v in found.variables[:3]] == [v.high for v in found.variables[:3]] == [*key]
        )
    assert ae.program(summary, 0.1, require_labels=True).variables[0].low == 1


def test_a_program_can_be_changed_and_its_problem_is_made_anew():
    found = ae.program(ae.example("mt-bench-summary"), "2/3")
    problem = found.problem
    named = {variable.name: variable for variable in problem.variables()}
    problem += named["Q_a"] >= 7, "more"
    problem.solve(pulp.HiGHS(msg=False))
    assert problem.status == -1
    assert found.solve().feasible


def test_a_row_that_nothing_can_meet():
    """The judge never says a label, so its grade cannot be reached; the row has no unknowns."""
    summary = Summary(["x"], ["a", "b"], ["a", "b", "none"], np.array([[0, 0, 3]]), 3)
    assert ae.program(summary, "grade >= 1/3").solve().feasible is False
    assert ae.program(summary, "grade >= 0").solve().feasible is True


class _Guess:
    """A solver that sets every unknown to a number and says that this is optimal."""

    name = "guess"

    def __init__(self, value):
        self.value = value

    def actualSolve(self, problem, **more):
        for variable in problem.variables():
            variable.varValue = self.value
        problem.assignStatus(1, 1)
        return 1


def test_a_point_that_fails_a_row_does_not_count():
    found = ae.program(ae.example("mt-bench-summary"), "2/3")
    answer = found.solve(_Guess(1.0))
    assert answer.feasible is None
    assert answer.certificate is None
    assert answer.status.value == "undetermined"
    assert "guess came to no end that stands" in answer.message


def test_json():
    found = ae.program(ae.example("mt-bench-summary"), "2/3")
    document = json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == "algeval.program/1"
    assert document["variables"][0] == {"name": "Q_a", "low": 0, "high": 25}
    assert document["constraints"][0]["terms"] == [["Q_a", 1], ["Q_b", 1], ["Q_tie", 1]]
    assert "source" not in document
    answer = json.loads(json.dumps(found.solve().to_dict()))
    assert answer["feasible"] is True
    assert answer["certificate"]["evidence"]["kind"] == "witness"


def test_a_file_of_either_format_says_the_same(tmp_path):
    """Another reader of both, of judges whose names a file cannot hold."""
    names = {"a judge, or two": {"yes": 3, "no": 4}, "Ω": {"yes": 5, "no": 2}}
    for level, feasible in (("1/2", True), ("9/10", False)):
        program = ae.program(ae.Summary.from_counts(names), level)
        program.write_lp(tmp_path / "x.lp")
        program.write_mps(tmp_path / "x.mps")
        for path in (tmp_path / "x.lp", tmp_path / "x.mps"):
            solver = highspy.Highs()
            solver.silent()
            assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
            assert solver.getNumCol() == len(program.variables)
            assert solver.getNumRow() == len(program.constraints)
            solver.run()
            optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
            assert optimal is feasible


@pytest.mark.filterwarnings("ignore:PULP_CBC_CMD is deprecated")
def test_each_solver_that_is_here_is_asked_by_its_name():
    summary = ae.example("mt-bench-summary")
    for name in pulp.listSolvers(onlyAvailable=True):
        found = ae.program(summary, "2/3").solve(name)
        assert (found.solver, found.feasible) == (name, True)
        assert ae.program(summary, "0.67").solve(name).feasible is False
    with pytest.raises(
        DataError, match=r"solver must be a solver that PuLP has here; got 'glop'; .*HiGHS"
    ):
        ae.program(summary, "2/3").solve("glop")


def test_what_is_refused():
    summary = ae.example("mt-bench-summary")
    with pytest.raises(DataError, match="without min_judges"):
        ae.program(summary, Specification.at_least("0.6").by_at_least(1))
    with pytest.raises(DataError, match="order must be one of"):
        ae.program(summary, order=2)
    with pytest.raises(DataError, match="answer-key counts must"):
        ae.program(summary, key_counts=(1, 2, 3))


def test_the_program_of_the_chapter_is_the_file_that_is_written(tmp_path):
    page = Path(__file__).parents[3] / "docs" / "chapters" / "order-1-logic.md"
    shown = page.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    counts = ae.Summary.from_counts({"i": {"a": 2, "b": 3}, "j": {"a": 3, "b": 2}})
    ae.program(counts, at_least=0.9).write_lp(tmp_path / "level.lp")
    written = (tmp_path / "level.lp").read_text(encoding="utf-8")
    assert shown.strip() == written.split("Subject To\n")[1].split("Bounds")[0].strip()
