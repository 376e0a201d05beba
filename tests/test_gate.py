"""The pytest fixture, in scratch projects of its own: what passes, what fails, and what is left behind."""

import json
import subprocess
import sys

import pytest

pytest_plugins = ("pytester",)

VOTES = (
    "item,x,y,z\n" + "\n".join(f"{k},a,a,b" if k % 2 else f"{k},b,a,a" for k in range(12)) + "\n"
)
TEST = """
def test_gate(judges):
    judges("votes.csv").at_least({level!r})
"""


@pytest.fixture
def project(pytester):
    """A project with votes that allow no common accuracy above one half."""
    (pytester.path / "votes.csv").write_text(VOTES, encoding="utf-8")
    return pytester


def run(project, level):
    project.makepyfile(TEST.format(level=level))
    return project.runpytest_subprocess("-p", "no:cacheprovider")


@pytest.fixture(autouse=True)
def _no_summary(monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_a_gate_that_can_be_passed_passes_and_leaves_nothing(project):
    run(project, "1/4").assert_outcomes(passed=1)
    assert not (project.path / "algeval-certificates").exists()


def test_a_gate_that_cannot_fails_with_a_proof_anyone_can_check(project):
    result = run(project, "9/10")
    result.assert_outcomes(failed=1)
    told = result.stdout.str()
    assert "no answer key whatever allows this" in told
    assert "Certificate. Verified" in told
    folder = project.path / "algeval-certificates" / "test_gate"
    held = json.loads((folder / "certificate.json").read_text(encoding="utf-8"))
    assert held["schema"] == "algeval.certificate/1"
    checked = subprocess.run(
        [sys.executable, "-S", "verify.py", "certificate.json", "sketch.json"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_folder_can_be_chosen(project):
    project.makeini("[pytest]\nalgeval_certificates = proofs\n")
    run(project, "9/10").assert_outcomes(failed=1)
    assert (project.path / "proofs" / "test_gate" / "certificate.json").exists()


def test_a_file_that_cannot_be_read_is_an_error_in_one_sentence(project):
    (project.path / "votes.csv").write_text("item,x\n", encoding="utf-8")
    result = run(project, "1/2")
    result.assert_outcomes(failed=1)
    assert "votes.csv must hold votes" in result.stdout.str()


@pytest.mark.parametrize(("level", "verdict"), [("1/4", "passed"), ("9/10", "failed")])
def test_the_summary_of_a_run_tells_each_verdict_beside_what_was_there(
    project, monkeypatch, level, verdict
):
    page = project.path / "summary.md"
    page.write_text("before\n\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    run(project, level)
    first, _, heading, _, told, *_ = page.read_text(encoding="utf-8").splitlines()
    assert first == "before"
    assert heading == (
        f"### Judges gate {verdict}: "
        "`test_the_summary_of_a_run_tells_each_verdict_beside_what_was_there.py::test_gate`"
    )
    assert told.startswith("    Alarm: " if verdict == "failed" else "    No alarm")
