"""Time limits of questions about consensus: what is unfinished is named, and nothing runs on."""

import json
from time import process_time

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate.results import n_cells
from algeval.cli.main import run
from algeval.data import names as settings
from algeval.errors import DataError, TooLargeError
from algeval.progress import TimeUp, check_time, steps, time_is_up, until
from algeval.result import Status


def drawn(n_items, n_judges, n_labels, seed=0):
    rng = np.random.default_rng(seed)
    key = rng.integers(n_labels, size=(n_items, 1))
    other = rng.integers(n_labels, size=(n_items, n_judges))
    codes = np.where(rng.random((n_items, n_judges)) < 0.7, key, other).astype(np.int16)
    labels = [f"l{r:02}" for r in range(n_labels)]
    judges = [f"j{j:02}" for j in range(n_judges)]
    return ae.Votes(range(n_items), judges, labels, labels, codes, None)


def test_loops_end_within_the_shorter_of_two_limits():
    assert not time_is_up()
    with until(None):
        check_time()
    with until(0), until(60):
        assert time_is_up()
        with pytest.raises(TimeUp):
            list(steps(range(3), "counting"))
    assert list(steps(range(3), "counting")) == [0, 1, 2]


def test_diagnose_names_what_it_did_not_finish():
    votes = drawn(200, 6, 2)
    found = ae.diagnose(votes, time_limit=0)
    assert found.status is Status.TIME_LIMIT
    told = " ".join(found.not_done)
    for part in (
        "all pairs",
        "score test",
        "algebraic",
        "held-out",
        "stability",
        "identifiability",
    ):
        assert part in told
    assert found.dependent is None
    json.dumps(found.to_dict())
    whole, same = ae.diagnose(votes), ae.diagnose(votes, time_limit=1000)
    assert same.to_dict() == whole.to_dict()


def test_compare_names_the_methods_it_did_not_finish():
    votes = drawn(200, 6, 3)
    found = ae.compare(votes, time_limit=0, intervals=0)
    assert found.status is Status.TIME_LIMIT
    assert [e.status for e in found.estimates] == [Status.TIME_LIMIT] * 4
    assert "algebra, majority, dawid-skene, recommended unfinished" in found.message
    json.dumps(found.to_dict())
    assert found.summary()


@pytest.mark.parametrize("method", ["recommended", "dawid-skene", "factor", "ising"])
def test_aggregate_ends_where_it_stands(method):
    votes = drawn(200, 6, 2)
    found = ae.aggregate(votes, method, time_limit=0)
    assert found.status is Status.TIME_LIMIT
    assert "time limit" in found.message
    json.dumps(found.to_dict())
    whole = ae.aggregate(votes, method, time_limit=1000)
    assert np.array_equal(whole.posterior, ae.aggregate(votes, method).posterior)


def test_bad_limits_are_refused():
    for ask in (ae.aggregate, ae.diagnose, ae.compare):
        with pytest.raises(DataError, match="time_limit must"):
            ask(drawn(50, 4, 2), time_limit=-1)


@pytest.mark.parametrize("command", ["aggregate", "diagnose", "compare"])
def test_on_the_command_line(command, tmp_path, capsys):
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(drawn(60, 5, 2).to_dict()))
    run([command, str(path), "--time-limit", "0", "--json"])
    assert json.loads(capsys.readouterr().out)["status"] == "time_limit"


@pytest.mark.parametrize(("n_judges", "n_labels"), [(20, 50), (60, 10)])
def test_many_labels_and_many_judges_take_seconds(n_judges, n_labels):
    """The search for copies took 40 s of 50 labels, nearly all for a number that no note tells."""
    votes = drawn(1000, n_judges, n_labels)
    began = process_time()
    assert ae.aggregate(votes).status.ok
    assert process_time() - began < 5


@pytest.mark.parametrize("ask", [ae.aggregate, ae.diagnose, ae.compare])
def test_with_a_limit_it_begins_and_ends_with_what_there_is(ask, monkeypatch):
    monkeypatch.setattr(settings, "MOST_SECONDS", 0.0)
    votes = drawn(200, 6, 3)
    assert ask(votes, time_limit=0).status is Status.TIME_LIMIT
    assert ask(votes, time_limit=1000).status.ok


@pytest.mark.parametrize("ask", [ae.aggregate, ae.diagnose, ae.compare])
def test_sizes_just_above_and_below_the_limit(ask, monkeypatch):
    sizes, told = [drawn(100, 4, 5), drawn(104, 4, 5)], []
    monkeypatch.setattr(settings, "MOST_SECONDS", 0.0)
    for votes in sizes:
        with pytest.raises(TooLargeError) as refused:
            ask(votes)
        told.append(refused.value.seconds)
    assert told[0] < told[1]
    monkeypatch.setattr(settings, "MOST_SECONDS", sum(told) / 2)
    ask(sizes[0])
    with pytest.raises(TooLargeError, match="104 items, 4 judges and 5 labels"):
        ask(sizes[1])


def test_the_command_line_names_the_way_out(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(settings, "MOST_SECONDS", 0.0)
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(drawn(60, 5, 2).to_dict()))
    assert run(["compare", str(path)]) != 0
    assert "--time-limit" in capsys.readouterr().err


def test_the_estimate_counts_different_tuples():
    """A million items with the same few answers are no work."""
    codes = np.zeros((10**6, 20), np.int16)
    codes[:, 0] = np.arange(10**6) % 2
    names = [f"j{j}" for j in range(20)]
    votes = ae.Votes(range(10**6), names, ["a", "b"], ["a", "b"], codes, None)
    assert n_cells(votes) == 2 * 20 * 2
