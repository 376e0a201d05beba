"""The steps of action.yml, run in a scratch repository as GitHub runs them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ACTION = Path(__file__).parents[1] / "action.yml"
BASH = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c")
VOTES = (
    "item,x,y,z\n" + "\n".join(f"{k},a,a,b" if k % 2 else f"{k},b,a,a" for k in range(12)) + "\n"
)


@pytest.fixture
def repository(tmp_path):
    """A repository with votes that allow no common accuracy above one half."""
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    (tmp_path / "votes.csv").write_text(VOTES, encoding="utf-8")
    return tmp_path


def run_action(repository, **given):
    """Run the steps one after another until one fails, and return (its exit code, what ran)."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    inputs = {
        name: str(about.get("default", "")) for name, about in action["inputs"].items()
    } | given
    ran, code = [], 0
    for step in action["runs"]["steps"]:
        name = step.get("name", step.get("uses"))
        if "run" not in step or name == "Install" or (code and step.get("if") != "always()"):
            continue
        told = {key: filled(text, inputs) for key, text in step.get("env", {}).items()}
        told |= {
            "GITHUB_STEP_SUMMARY": str(repository / "summary.md"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        ran.append(name)
        code = subprocess.run(
            [*BASH, step["run"]], cwd=repository, env=os.environ | told, check=False
        ).returncode
    return code, ran


def filled(text, inputs):
    """Put the inputs where a step's environment asks for them."""
    return re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda found: inputs[found[1]], text)


def test_judges_who_cannot_be_so_good_fail_the_run_and_the_summary_says_so(repository):
    code, ran = run_action(repository, votes="votes.csv", **{"at-least": "9/10"})
    assert (code, ran) == (1, ["Summary", "Gate"])
    assert "**ALARM**" in (repository / "summary.md").read_text(encoding="utf-8")
    assert (repository / "algeval-report.html").stat().st_size > 10_000
    assert (repository / "algeval-certificates" / "certificate.json").exists()


def test_judges_who_can_pass_with_a_summary_and_no_proof(repository):
    code, ran = run_action(
        repository, votes="votes.csv", options="--judges x,y", **{"at-least": "1/4"}
    )
    assert (code, ran) == (0, ["Summary", "Gate"])
    assert "no alarm" in (repository / "summary.md").read_text(encoding="utf-8").lower()


def test_votes_that_cannot_be_read_stop_at_the_summary(repository):
    code, ran = run_action(repository, votes="none.csv", **{"at-least": "1/4"})
    assert code != 0
    assert ran == ["Summary"]


@pytest.mark.parametrize("options", ["-o x.html", "--judges x,y -ox.md", "--output=x", "--save x"])
def test_options_write_no_file(repository, options):
    before = sorted(repository.iterdir())
    code, ran = run_action(repository, votes="votes.csv", options=options, **{"at-least": "1/4"})
    assert (code, ran) == (2, ["Summary"])
    assert sorted(repository.iterdir()) == before


def test_votes_are_a_file_whatever_they_are_called(repository):
    code, ran = run_action(repository, votes="--help", **{"at-least": "1/4"})
    assert code != 0
    assert ran == ["Summary"]


def test_what_is_installed_by_default_is_the_checkout_it_came_with():
    """Nothing is on the package index, where anybody could take the name."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (install,) = [step for step in action["runs"]["steps"] if step.get("name") == "Install"]
    assert action["inputs"]["install"]["default"] == ""
    assert install["env"] == {"INSTALL": "${{ inputs.install || github.action_path }}"}
    assert (ACTION.parent / "pyproject.toml").is_file()  # so that pip installs that folder


def test_every_input_is_used(repository):
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    text = ACTION.read_text(encoding="utf-8")
    assert all(re.search(rf"inputs\.{name} (\}}\}}|\|\|)", text) for name in action["inputs"])


def test_foreign_actions_are_pinned_to_a_commit():
    steps = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]
    foreign = [step["uses"] for step in steps if "uses" in step]
    assert foreign
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one) for one in foreign)
