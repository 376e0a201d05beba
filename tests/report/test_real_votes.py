"""The main job on real votes of many judges, some answers missing, long and wide."""

import pytest

import algeval as ae
from algeval.verify import verify


def test_civil_comments_report(real_votes):
    path = real_votes / "civilcomments_judge_scores.csv"
    votes = ae.read_votes(path, item="item", key="gold", cut=4.5)
    assert (votes.n_items, votes.n_judges, votes.labels) == (2500, 21, ("0", "1"))
    assert votes.missing.sum() == 487
    found = ae.report(votes, at_least=0.6)
    assert found.alarm is True
    assert found.verified >= 5
    text = found.full()
    assert "487 of 52500 votes are missing" in text
    assert "used to score judges" in text


@pytest.mark.parametrize(
    ("name", "labels"), [("bluebird", ("0", "1")), ("web", ("0", "1", "2", "3", "4"))]
)
def test_long_tables_of_workers(real_votes, name, labels):
    votes = ae.read_votes(
        real_votes / f"{name}_votes.csv", item="item", judge="worker", answer="label"
    )
    assert votes.labels == labels
    found = ae.report(votes, at_least=0.6, time_limit=2)
    assert found.verified >= 2
    if name == "web":
        alarm = found.sections[1].results["alarm"]
        assert ae.alarm(votes, at_least=0.6, order=1).triggered is False
        assert alarm.triggered is not False, "of all votes together no key allows it"
        assert alarm.triggered is None or verify(alarm.certificate, votes.sketch()).ok
