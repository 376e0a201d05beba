"""What can be said about reading is declared once, and there is one door."""

import inspect
import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

import algeval as ae
from algeval.cli.main import cli
from algeval.door import reads
from algeval.errors import DataError
from algeval.io.answers import (
    CountOptions,
    LoadOptions,
    ReadOptions,
    ScoreOptions,
    VoteOptions,
    declared,
    typed_name,
)
from algeval.io.sources import read, read_data

ROOT = Path(ae.__file__).parent
READERS = {
    "read_votes": VoteOptions,
    "read_votes_with_notes": VoteOptions,
    "read_scores": ScoreOptions,
    "read_scores_with_notes": ScoreOptions,
    "load": LoadOptions,
    "load_with_notes": LoadOptions,
    "read_votes_or_scores": LoadOptions,
    "read_votes_or_scores_with_notes": LoadOptions,
    "count": CountOptions,
}
VOTES = {"item": ["1", "2"], "i": ["a", "b"], "j": ["a", "a"]}


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_every_option_that_is_declared_with_its_type_and_default(name):
    source, *keywords = inspect.signature(getattr(ae.io, name)).parameters.values()
    assert source.name == "source"
    assert all(k.kind is k.KEYWORD_ONLY for k in keywords)
    assert {k.name: (k.annotation, k.default) for k in keywords} == {
        f.name: (f.type, f.default) for f in fields(READERS[name])
    }


@pytest.mark.parametrize("name", ["read_votes", "read_scores", "count", "load"])
def test_its_documentation_describes_each(name):
    text = getattr(ae, name).__doc__
    assert "{options}" not in text
    for option in declared(READERS[name]):
        assert f"\n    {option} : " in text
    assert max(map(len, text.splitlines())) <= 110


def test_a_reader_refuses_an_option_it_does_not_take():
    with pytest.raises(TypeError, match=r"read_scores\(\) got an unexpected .* 'cut'"):
        ae.read_scores(VOTES, cut=1)
    with pytest.raises(TypeError, match=r"count\(\) got an unexpected keyword argument 'key'"):
        ae.count(VOTES, key="i")


def test_commands_take_the_options_of_python():
    command = cli.get_command(click.Context(cli), "alarm")
    typed = {name for p in command.params for name in p.opts}
    assert {f"--{typed_name(name)}" for name in declared(LoadOptions)} <= typed
    rate = cli.get_command(click.Context(cli), "rate")
    assert "--attributes" in {name for p in rate.params for name in p.opts}


def test_every_option_is_about_votes_counts_or_scores():
    parts = [*declared(LoadOptions), *declared(ScoreOptions)]
    assert set(declared(ReadOptions)) == set(parts)
    assert ReadOptions(judges=["i"], latest=False).stated() == {"judges": ["i"]}


def test_reading_returns_data_and_notes():
    reading = read(VOTES, ReadOptions(judges=["j"]), "votes")
    assert reading.data.judges == ("j",)
    assert reading.notes == reading.data.notes


def test_the_door_keeps_name_documentation_and_signature():
    @reads
    def n_judges(data, *, plus=0):
        """Return a number."""
        return data.n_judges + plus

    assert (n_judges.__name__, n_judges.__doc__) == ("n_judges", "Return a number.")
    assert list(inspect.signature(n_judges).parameters) == ["data", "plus"]
    assert n_judges(VOTES, plus=1) == n_judges(data=VOTES, plus=1) == 3
    with pytest.raises(DataError, match="got int"):
        n_judges(3)


AT_THE_EDGE = {
    "aggregate/__init__.py": 1,  # votes or scores
    "aggregate/results.py": 2,  # what every method reads, and what a fit predicts
    "aggregate/scores/confounders.py": 1,
    "compare/nearest.py": 1,  # after an evaluation
    "compare/robustness.py": 5,
    "logic/consistent/members.py": 1,  # after a member
    "rates/inputs.py": 1,
    "rates/rating.py": 1,
    "report/build.py": 1,
}
"""Functions that read by hand, for what they take is not data alone."""


def test_sources_are_read_at_the_edge_alone():
    calls = r"\b(read_(data|table|score_table|data_or_scores)|score_table|table_or_scores)\("
    calling = {}
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("io/", "door.py")) or re.search(
            "algeval.verify import .*read_data", path.read_text()
        ):
            continue
        if name != "verify.py":
            calling[name] = len(re.findall(calls, path.read_text()))
    assert {name: n for name, n in calling.items() if n} == AT_THE_EDGE


def test_a_file_is_opened_once(tmp_path, monkeypatch):
    from algeval.io import counting, formats, layout, tables

    path = tmp_path / "v.csv"
    path.write_text("item,i,j\n" + "".join(f"{k},a,{'ab'[k % 2]}\n" for k in range(40)))
    opened, times = formats.open_file, []

    def once(*given, **named):
        times.append(given)
        return opened(*given, **named)

    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    for room in (counting, layout, tables):
        monkeypatch.setattr(room, "open_file", once)
    assert read_data(path).n_items == 40
    assert len(times) == 1
