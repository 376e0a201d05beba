"""What judges share, in the report: a section, at most two lines on the first screen, pictures on a page."""

import json

import numpy as np
import pytest

import algeval as ae
from algeval.report import sections as shared

LOADINGS = np.array([[0.8, 0], [0.8, 0], [0.7, 0], [0.7, 0], [0.3, 0.7], [0.2, 0.8]])


def scores(loadings=LOADINGS, n_items=300):
    rng = np.random.default_rng(2)
    traits = rng.normal(size=(n_items, 2))
    values = traits @ loadings.T + 0.5 * rng.normal(size=(n_items, len(loadings)))
    judges = [f"j{k}" for k in range(len(loadings))]
    return ae.Scores(range(n_items), judges, values, None, {"length": traits[:, 1].tolist()})


def test_a_second_shared_thing_is_on_the_first_screen_in_two_lines(tmp_path):
    made = ae.report(scores(), tmp_path / "report.html", arguments="scores.csv")
    screen = str(made)
    assert "The judges share more than one thing; the narrower one goes with length (+0." in screen
    assert "see algeval confounders scores.csv" in " ".join(screen.split())
    assert screen.count("\n") <= 40
    plain = ae.report(scores(LOADINGS * [1, 0]), arguments="scores.csv")
    assert "share more than one thing;" not in str(plain)
    assert screen.count("\n") <= str(plain).count("\n") + 5  # and three that say it predicts better
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") >= 4
    told = made.full()
    assert "What the judges share" in told
    assert "instead of one factor" in told
    assert "nothing here says which is quality" in told
    sections = json.loads(json.dumps(made.to_dict()))["sections"]
    (shared,) = [one for one in sections if one["title"] == "What the judges share"]
    assert shared["results"]["shared"]["schema"] == "algeval.confounders/1"


def test_large_tables_only_say_how_to_ask(monkeypatch):
    monkeypatch.setattr(shared, "MOST_CELLS", 100)
    made = ae.report(scores())
    assert "as that takes long with 1800 scores; ae.confounders(scores) does" in made.full()


@pytest.mark.parametrize("many", [2, 3])
def test_few_judges(many):
    told = ae.report(scores(LOADINGS[:many])).full()
    assert ("at least 3 judges" in told) == (many == 2)
    assert ("too few to tell two shared things" in told) == (many == 3)
