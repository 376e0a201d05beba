"""What the page for contributors says is what is there: sessions, checks, links, version."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def settings():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_session_is_told_and_every_session_told_exists():
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    sessions = re.findall(r"^@nox\.session\ndef (\w+)", noxfile, re.MULTILINE)
    assert re.findall(r"^\| `nox -s (\w+)` \|", PAGE, re.MULTILINE) == sessions


def test_the_checks_told_are_those_of_ci():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    told = PAGE.split("## What CI checks")[1].split("\n## ")[0]
    for command in (
        "pytest -n auto",
        "ruff format --check .",
        "ruff check .",
        "mypy",
        "lint-imports",
    ):
        assert command in told
        assert command in script or command in (ROOT / "README.md").read_text(encoding="utf-8")
    steps = re.findall(r'^ *step "(.*)"$', script, re.MULTILINE)
    # the fresh environment, the tools' installation and "done" check nothing; lint is one step there
    assert len(re.findall(r"^\d\. ", told, re.MULTILINE)) == len(steps) - 3


def test_every_link_leads_somewhere():
    for target in re.findall(r"\]\(([^)\s#]+)\)", PAGE):
        assert (ROOT / target).exists(), target


def test_every_mark_is_explained():
    for mark in settings()["tool"]["pytest"]["ini_options"]["markers"]:
        assert f"`{mark.split(':')[0]}`" in PAGE


def test_the_citation_speaks_of_this_version_and_licence():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = settings()["project"]
    assert f"\nversion: {project['version']}\n" in cited
    assert f"\nlicense: {project['license']}\n" in cited
    assert all(f"- name: {author['name']}\n" in cited for author in project["authors"])


def test_what_is_left_out_of_fast_exists():
    conftest = (ROOT / "tests" / "conftest.py").read_text(encoding="utf-8")
    listed = re.findall(r'^    "(tests/[^"]*)",$', conftest.split("\nEVERY")[0], re.MULTILINE)
    slow = re.findall(r'^    "(tests/[^"[]*).*",$', conftest.split("\nSLOW")[1], re.MULTILINE)
    thinned = re.findall(r'^    "(tests/[^"]*)": \d+,$', conftest, re.MULTILINE)
    assert listed == sorted(listed)
    assert slow
    assert thinned
    for path, _, name in (place.partition("::") for place in listed + slow + thinned):
        assert (ROOT / path).exists(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), name
