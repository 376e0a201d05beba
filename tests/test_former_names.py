"""Old names of settings: they work, say the new name once, and nothing of ours uses them."""

import ast
import json
import warnings
from pathlib import Path

import pytest

import algeval as ae
from algeval.cli.main import run

ROOT = Path(__file__).parents[1]
ROWS = [
    {
        "item": f"q{k}",
        "gpt4o": "pass" if k % 3 else "fail",
        "claude": "pass" if k % 4 else "fail",
        "human": ("pass" if k % 5 else "fail") if k < 30 else "",
    }
    for k in range(60)
]
BATTLES = [
    {"model_a": x, "model_b": y, "winner": w, "prompt": q, "person": w if q < 6 else ""}
    for q in range(12)
    for x, y, w in (("u", "v", "u"), ("v", "u", "v"))
]
VOTES = [{name: row[name] for name in ("item", "gpt4o", "claude")} for row in ROWS]
LABELS = {row["item"]: row["human"] for row in ROWS if row["human"]}
OTHERS = [row | {"gpt4o": "pass"} for row in VOTES]
CALLS = {
    "rate": (lambda **s: ae.rate(VOTES, **s), {"gold": "human", "label": "good"}),
    "next": (lambda **s: ae.next(VOTES, 3, **s), {"gold": "human", "label": "good"}),
    "report": (
        lambda **s: ae.report(VOTES, intervals=0, time_limit=60, **s),
        {"gold": "human", "label": "good"},
    ),
    "versus": (
        lambda **s: ae.versus(VOTES, OTHERS, **s),
        {"gold_a": "human_a", "gold_b": "human_b", "label": "good"},
    ),
    "plan": (
        lambda **s: ae.plan(half_width=0.1, pilot=VOTES, **s),
        {"gold": "human", "label": "good"},
    ),
    "leaderboard": (lambda **s: ae.leaderboard(BATTLES, **s), {"gold": "human"}),
    "read_votes": (lambda **s: ae.read_votes(ROWS, **s), {"key": "human"}),
    "read_scores": (
        lambda **s: ae.read_scores([{"item": k, "x": k / 7, "gold": k % 2} for k in range(9)], **s),
        {"key": "human"},
    ),
}


def value_of(name, setting):
    if setting in ("label", "good"):
        return "pass"
    named = {"leaderboard": "person", "read_votes": "human", "read_scores": "gold"}
    return named.get(name, LABELS)


@pytest.mark.parametrize("name", CALLS)
def test_an_old_name_works_warns_the_line_that_used_it_and_the_new_one_does_not(name):
    call, renamed = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = call(**{now: value_of(name, now) for now in renamed.values()})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        old = call(**{before: value_of(name, before) for before in renamed})
    assert old == new
    told = {str(warning.message) for warning in caught}
    assert told == {
        f"{before}= is now {now}=; the old name works for one release"
        for before, now in renamed.items()
    }
    assert {warning.category for warning in caught} == {DeprecationWarning}
    assert {warning.filename for warning in caught} == {__file__}


@pytest.mark.parametrize("name", [name for name in CALLS if not name.startswith("read_")])
def test_both_names_at_once_are_refused(name):
    call, renamed = CALLS[name]
    for before, now in renamed.items():
        with pytest.raises(ae.DataError, match=f"{before} and {now} are one setting"):
            call(**{before: value_of(name, before), now: value_of(name, now)})


def test_a_whole_report_on_a_table_with_people_uses_no_old_name(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ae.report(ROWS, tmp_path / "page.html", human="human", good="pass", intervals=0)


FUNCTIONS = [
    "rate",
    "versus",
    "compare_systems",
    "next",
    "next_items",
    "report",
    "plan",
    "leaderboard",
]
READERS = [
    "read_votes",
    "read_results",
    "read_scores",
    "load",
    "read_votes_with_notes",
    "load_with_notes",
]


def old_names_in(text):
    """Old names by which a program sets what has a new one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            old = {"gold", "label"} if name in FUNCTIONS else {"key"} if name in READERS else set()
            yield from (k.arg for k in node.keywords if k.arg in old)


def test_the_package_calls_by_new_names():
    assert list(old_names_in("ae.rate(v, label='a', gold=x); read_votes(v, key='k')")) == [
        "label",
        "gold",
        "key",
    ]
    files = [*(ROOT / "algeval").rglob("*.py"), *(ROOT / "papers").rglob("*.py")]
    used = {str(path): list(old_names_in(path.read_text(encoding="utf-8"))) for path in files}
    assert {path: names for path, names in used.items() if names} == {}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = "item,gpt4o,claude,human\n"
    lines = [",".join(row[name] for name in header.strip().split(",")) for row in ROWS]
    (tmp_path / "votes.csv").write_text(header + "\n".join(lines) + "\n")
    (tmp_path / "labels.csv").write_text(
        "item,label\n" + "".join(f"{item},{label}\n" for item, label in LABELS.items())
    )
    return tmp_path


COMMANDS = {
    "rate": (["--label", "pass"], ["--good", "pass"]),
    "rate ": (["--gold", "labels.csv"], ["--human", "labels.csv"]),
    "rate  ": (["--label=pass", "--gold=human"], ["--good", "pass", "--human", "human"]),
    "next --n 3": (["--gold", "labels.csv"], ["--human", "labels.csv"]),
    "aggregate --no-intervals": (["--key", "human"], ["--human", "human"]),
    "plan --half-width 0.1 --pilot votes.csv": (
        ["--gold", "labels.csv", "--label", "pass"],
        ["--human", "labels.csv", "--good", "pass"],
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_old_option_works_and_says_its_new_name_once_on_stderr(command, files, capsys):
    name, *more = command.split()
    if name != "plan":
        more.insert(0, "votes.csv")
    old, new = COMMANDS[command]
    assert run([name, *more, *new, "--json"]) in (0, 1)
    expected = capsys.readouterr()
    assert expected.err == ""
    assert run([name, *more, *old, "--json"]) in (0, 1)
    told = capsys.readouterr()
    answer, wanted = json.loads(told.out), json.loads(expected.out)
    for document in (answer, wanted):
        document.pop("notes", None)
    assert answer == wanted
    (line,) = told.err.splitlines()
    pairs = [(o.split("=")[0], n) for o, n in (("--label", "--good"), ("--gold", "--human"))]
    for before, now in [*pairs, ("--key", "--human")]:
        typed = any(word.split("=")[0] == before for word in old)
        assert (f"{before} is now {now}" in line) == typed


def test_a_label_that_is_no_good_one_keeps_its_name(files, capsys):
    drawn = ["figure", "accuracies", "--example", "acs", "--label", "A", "-o", "drawn.svg"]
    assert run(drawn) == 0
    assert capsys.readouterr().err == ""
