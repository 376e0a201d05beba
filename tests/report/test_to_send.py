"""A page to send: labels counted as they are, no folder named, and no command that does not answer."""

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.data import Votes
from algeval.data.reading import n_labelled
from algeval.report.build import names_only


def table(path, *, judges=3, labels=("fail", "pass"), n=60, keyed=0, numbers=False, seed=0):
    """Write a wide table of judges who are right on 80%; the key has `keyed` items."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), n)
    with path.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", *(f"j{k}" for k in range(judges)), *(["human"] if keyed else [])])
        for q in range(n):
            said = np.where(
                rng.random(judges) < 0.8, truth[q], rng.integers(0, len(labels), judges)
            )
            cells = [labels[code] for code in said]
            if numbers:
                cells = (truth[q] + rng.normal(size=judges)).round(3).tolist()
            rows.writerow(
                [f"q{q}", *cells, *([labels[truth[q]] if q < keyed else ""] * bool(keyed))]
            )


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """A folder to work in, whose name no page may hold, and another with the files."""
    (tmp_path / "here").mkdir()
    (tmp_path / "secret customer").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "secret customer"


def ask(capsys, *arguments):
    code = run([str(argument) for argument in arguments])
    return code, "".join(capsys.readouterr())


FAST = ("--no-intervals", "--time-limit", "0.5")


def test_labels_are_counted_and_what_they_were_used_for_is_said(inside, capsys):
    table(inside / "v.csv", n=60, keyed=20)
    named = (inside / "v.csv", "--key", "human")
    assert n_labelled(ae.read_votes(inside / "v.csv", key="human")) == 20
    for gold in ((), ("--gold", "key")):
        words = "for the rate and to score judges"
        label = ("--good", "pass")
        text = "".join(
            ask(capsys, "report", *named, *gold, *label, *more, *FAST)[1]
            for more in ((), ("--full",))
        )
        flat = " ".join(text.split())
        assert f"human labels for 20 items, used {words}" in flat
        assert f"Human labels for 20 items, used {words}" in flat
        assert "All items are labelled" not in flat
        assert "60 of 60 items, taken" not in flat
        assert "used to score judges" not in flat
        assert "The labels are people's: 20 of 60 items" in flat


@pytest.mark.parametrize("known", [0, 1, 7, 30])
def test_labels_are_counted_alike_whatever_holds_them(known):
    key = [k % 2 for k in range(known)] + [-1] * (30 - known)
    codes = np.arange(90).reshape(30, 3) % 2
    votes = Votes(range(30), list("xyz"), ["a", "b"], ["a", "b"], codes, key)
    scores = ae.Scores(
        [str(k) for k in range(30)],
        list("xyz"),
        codes + 0.5,
        [str(t) if t >= 0 else None for t in key],
    )
    assert n_labelled(votes) == n_labelled(scores) == known
    assert n_labelled(votes.sketch()) == n_labelled(votes.summary()) == 0
    if known:
        assert n_labelled(votes.keyed_sketch()) == known
    for held in (votes, scores):
        told = ae.report(held, **({} if held is scores else {"intervals": 0})).overview.about
        assert told.endswith(
            f"; human labels for {known} item{'s' * (known != 1)}, used to score judges."
            if known
            else "; no human labels."
        )


def pages(capsys, arguments):
    """Return the report in every form that is sent."""
    for ending in ("html", "json"):
        path = f"../secret customer/page.{ending}"
        code, told = ask(capsys, "report", *arguments, *FAST, "-o", path)
        assert code == 0, told
        with open(path, encoding="utf-8") as stream:
            yield ending, stream.read()


@pytest.fixture
def no_figures(monkeypatch):
    """Pages without figures, which name no files and take long."""
    monkeypatch.setattr("algeval.report.render.pictures", lambda data, results: [])


@pytest.mark.parametrize(
    "kind", ["absolute", "relative", "two files", "gold", "sketch", "scores", "option="]
)
def test_no_page_names_a_folder(kind, inside, tmp_path, capsys, no_figures):
    table(inside / "v.csv", keyed=20)
    table(inside / "w.csv", judges=1, seed=2)
    table(inside / "s.csv", numbers=True)
    (inside / "gold.csv").write_text("item,label\nq1,pass\nq3,fail\nq5,pass\nq6,fail\n")
    table(inside / "v2.csv", n=60, keyed=20)
    ae.read_votes(inside / "v.csv", key="human").sketch().to_file(inside / "sketch.json")
    arguments = {
        "absolute": [inside / "v.csv", "--key", "human"],
        "relative": ["../secret customer/v.csv", "--key", "human"],
        "two files": [inside / "v.csv", inside / "w.csv", "--layout", "wide"],
        "gold": [
            inside / "v.csv",
            "--key",
            "human",
            "--good",
            "pass",
            "--human",
            inside / "gold.csv",
        ],
        "sketch": [inside / "sketch.json"],
        "scores": [inside / "s.csv", "--scores"],
        "option=": [inside / "v.csv", f"--key={inside / 'gold.csv'}"],
    }[kind]
    if kind == "two files":
        for place in (0, 1):
            lines = (inside / "v.csv").read_text().splitlines(keepends=True)
            part = [lines[0], *lines[1 + 30 * place : 31 + 30 * place]]
            (inside / f"part{place}.csv").write_text("".join(part))
        arguments = [inside / "part0.csv", inside / "part1.csv", "--key", "human"]
    for ending, text in pages(capsys, arguments):
        for folder in ("secret customer", tmp_path.name, "..\\/", "../"):
            assert folder not in text, (ending, folder)
        assert "a shareable page" not in text, ending
        assert "-o report.html" not in text, ending
        assert ending != "html" or "Made by" in text
    screen = ask(capsys, "report", *arguments, *FAST)[1]
    assert shlex.quote(str(arguments[0])) in screen, "at the terminal commands work as they stand"


def test_in_python_neither(inside, no_figures):
    table(inside / "v.csv")
    for ending in ("html", "md", "txt", "json"):
        path = inside / f"page.{ending}"
        found = ae.report(inside / "v.csv", path, intervals=0, time_limit=2)
        assert "secret customer" not in path.read_text(encoding="utf-8")
        assert "secret customer" not in json.dumps(found.to_dict())
        found.to_file(inside / "again.md")
        assert "secret customer" not in (inside / "again.md").read_text(encoding="utf-8")
        assert "secret customer" in found.summary()


def test_words_that_are_no_files_stay(inside):
    words = ["--good", "a/b", "--at-least", "3/5", "--map=x/y=z", "-", "x" * 5000]
    assert names_only(words) == words


KINDS = {
    "3 judges": ({}, ()),
    "key": ({"keyed": 20}, ("--human", "human")),
    "key, rated": ({"keyed": 20}, ("--human", "human", "--good", "pass")),
    "all keyed": ({"keyed": 60}, ("--human", "human")),
    "5 judges": ({"judges": 5, "n": 120}, ()),
    "1 judge": ({"judges": 1}, ()),
    "2 judges": ({"judges": 2}, ()),
    "3 labels": ({"labels": ("a", "b", "tie"), "keyed": 30}, ("--human", "human")),
    "3 labels, no key": ({"labels": ("a", "b", "tie")}, ()),
    "odd labels": ({"labels": ("-x", "it's y"), "keyed": 30}, ("--human", "human")),
    "0 and 1": ({"labels": ("0", "1"), "keyed": 30}, ("--human", "human")),
    "1 to 5": ({"labels": tuple("12345"), "n": 90}, ()),
    "strict": ({}, ("--at-least", "accuracy > 0.6")),
    "conditions": ({}, ("--at-least", "accuracy >= 0.6 and prevalence(pass) <= 0.5")),
    "scores": ({"numbers": True}, ("--scores",)),
    "scores, found": ({"numbers": True}, ()),
    "scores, key": ({"numbers": True, "labels": ("0", "1"), "keyed": 30}, ("--human", "human")),
}
NO_ANSWER = ("No test of independence applies", "no label", "not determined")


def suggested(document):
    """Return every command that a report names: as a step, or in a sentence."""
    lines = [line for section in document["sections"] for line in section["lines"]]
    told = [found for line in lines for found in re.findall(r": (algeval \w+ [^;]*)", line)]
    told += [step["call"] for step in document["overview"]["steps"]]
    return list(dict.fromkeys(told))


def fill(labels):
    """Fill in the file of items to label, as people do."""
    path = Path("to_label.csv")
    head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    with path.open("w", newline="", encoding="utf-8") as stream:
        filled = [[*row[:-1], labels[place % len(labels)]] for place, row in enumerate(rows)]
        csv.writer(stream).writerows([head, *filled])


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_that_a_report_suggests_answers(kind, inside, capsys, monkeypatch):
    settings, options = KINDS[kind]
    monkeypatch.chdir(inside)
    table(inside / "my votes.csv", **settings)
    code, text = ask(capsys, "report", "my votes.csv", *options, *FAST, "--json")
    assert code in (0, 1), text
    calls = suggested(json.loads(text))
    assert len(calls) >= 2
    labels = ("0", "1") if settings.get("numbers") else settings.get("labels", ("fail", "pass"))
    for call in calls:
        words = shlex.split(call)[1:]
        if "--human to_label.csv" in " ".join(words):
            fill(labels)
        code, text = ask(capsys, *words)
        assert code in (0, 1), (call, text)
        assert not [told for told in NO_ANSWER if told in text], (call, text)


def test_at_the_terminal_the_report_itself_answers_further(inside, capsys, no_figures):
    table(inside / "v.csv", keyed=20)
    screen = ask(capsys, "report", inside / "v.csv", "--key", "human", *FAST)[1]
    options = re.findall(r"--full|-o report\.html", screen[screen.index("Add --full") :])
    assert len(options) == 2
    for words in options:
        code, text = ask(
            capsys, "report", inside / "v.csv", "--key", "human", *words.split(), *FAST
        )
        assert code == 0, text


@pytest.mark.parametrize("form", ["sketch", "summary", "keyed_sketch"])
def test_so_do_those_for_counts(form, inside, capsys, monkeypatch):
    table(inside / "v.csv", keyed=30, judges=4)
    counts = getattr(ae.read_votes(inside / "v.csv", key="human"), form)()
    counts.to_file(inside / "counts.json")
    monkeypatch.chdir(inside)
    code, text = ask(capsys, "report", "counts.json", *FAST, "--json")
    assert code == 0
    calls = suggested(json.loads(text))
    assert len(calls) >= 2
    for call in calls:
        code, text = ask(capsys, *shlex.split(call)[1:])
        assert code in (0, 1), (call, text)
        assert not [told for told in NO_ANSWER if told in text], (call, text)


def test_with_labels_a_rate_is_suggested_and_without_them_a_sample(inside, capsys):
    table(inside / "v.csv", keyed=20)
    text = ask(capsys, "report", inside / "v.csv", "--key", "human", *FAST)[1]
    assert "'pass' rate: " in text
    assert "from 20 human labels" in text
    assert "algeval next" in text
    text = ask(capsys, "report", inside / "v.csv", "--ignore", "human", *FAST)[1]
    assert "algeval next" in text
    assert "algeval rate" not in text


def test_words_of_a_command_keep_the_names_of_files_alone():
    words = ["report", "v.csv", "--at-least", "3/5", "-o", "/home/me/page.html"]
    assert names_only(words) == [*words[:-1], "page.html"]
    assert names_only(["--output=/home/me/page.html"]) == ["--output=page.html"]
