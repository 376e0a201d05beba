"""The door: data pass as they are, anything else is read once, and readers are imported by a table alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import algeval as ae
from algeval import door
from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes

ROOT = Path(ae.__file__).parent
COLUMNS = {"x": ["a", "b", "a", "b"], "y": ["a", "b", "b", "b"], "z": ["a", "a", "a", "b"]}
VOTES = Votes.from_columns(COLUMNS)
OWN = [
    VOTES,
    VOTES.sketch(),
    VOTES.summary(),
    KeyedSketch.from_counts({"a": {("a",): 2}, "b": {("b",): 1}}, judges=["x"]),
]
BELOW = ("logic", "algebra", "aggregate", "compare")


def loaded(question):
    """Modules that are loaded when a question about votes was answered, by a fresh interpreter."""
    code = f"""
import sys
import algeval as ae
votes = ae.Votes.from_columns({COLUMNS!r})
{question}
print(*sorted(name for name in sys.modules if name.startswith("algeval.")))
"""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(run.stdout.split())


@pytest.mark.parametrize(
    "question",
    [
        "ae.alarm(votes, 0.9)",
        "ae.check(votes, 0.1)",
        "ae.threshold(votes)",
        "ae.bounds(votes, order=1)",
        "ae.decode(votes)",
        "ae.aggregate(votes, 'majority')",
        "ae.aggregate(votes, 'dawid-skene', prior=2)",
        "ae.agreement(votes)",
    ],
)
def test_readers_are_not_imported_by_a_question_about_votes(question):
    names = loaded(question)
    assert "algeval.door" in names
    assert not {name for name in names if name.split(".")[1] == "io"}


def test_no_module_below_the_door_imports_readers():
    imports = {
        path.relative_to(ROOT).as_posix(): node.module
        for folder in BELOW
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("algeval.io")
    }
    assert imports == {}


def decorated(tree):
    """Names of the functions of a module that take any source."""
    for node in tree.body:
        words = [ast.unparse(d) for d in getattr(node, "decorator_list", [])]
        if any(word.startswith("reads") and word != "reads_as_named" for word in words):
            yield node.name


def test_bodies_call_functions_of_data():
    trees = {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for folder in BELOW
        for path in (ROOT / folder).rglob("*.py")
    }
    public = {name for tree in trees.values() for name in decorated(tree)}
    assert {"alarm", "decode", "judge_groups"} <= public
    twice = []
    for path, tree in trees.items():
        imported = {
            part.asname or part.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("algeval.")
            for part in node.names
        }
        names = public & {*imported, *decorated(tree)}
        calls = [n.func for n in ast.walk(tree) if isinstance(n, ast.Call)]
        twice += [(path.name, f.id) for f in calls if isinstance(f, ast.Name) and f.id in names]
    own = {"partition", "bootstrap"}  # other functions of these names
    assert [pair for pair in twice if pair[1] not in own] == []


@pytest.mark.parametrize("data", OWN, ids=lambda data: type(data).__name__)
def test_data_pass_as_they_are(data):
    assert door.table(data) is data
    assert door.table_or_scores(data) is data


def test_scores_pass_where_they_may_be_read():
    scores = Scores.from_columns({"x": [0.1, 0.7], "y": [0.2, 0.4]})
    assert door.table_or_scores(scores) is scores
    assert door.score_table(scores) is scores
    with pytest.raises(ae.DataError, match="got Scores"):
        door.table(scores)


def test_a_table_is_read():
    assert door.table(COLUMNS) == VOTES
    assert door.table_or_scores(COLUMNS) == VOTES
    with pytest.raises(ae.DataError, match="got int"):
        door.table(7)


@door.reads
def n_answers(data, plus=0, *, times=1):
    """Number of answers."""
    return times * data.n_answers + plus


def test_a_function_of_data_takes_a_table_and_its_core_does_not():
    assert n_answers(COLUMNS) == n_answers(VOTES) == n_answers(data=VOTES) == 2
    assert n_answers(COLUMNS, 1, times=3) == n_answers.core(VOTES, 1, times=3) == 7
    with pytest.raises(AttributeError):
        n_answers.core(COLUMNS)


def test_words_on_reading_are_of_a_table():
    assert n_answers(COLUMNS, judges=["x", "y"], labels=["a", "b", "c"]) == 3
    for data in OWN:
        with pytest.raises(ae.DataError, match="labels must come with a table; got"):
            n_answers(data, labels=["a", "b", "c"])
    with pytest.raises(TypeError, match="labls"):
        n_answers(VOTES, labls=["a"])
    with pytest.raises(TypeError, match="missing"):
        n_answers(labels=["a"])


def test_labels_of_people_come_with_votes_or_are_rows():
    assert door.labelled(VOTES, {"1": "a"}) == (VOTES, {"1": "a"})
    rows = door.label_rows({"1": "a", "3": "b"}, "human", VOTES.items)
    assert (rows.items, rows.values, dict(rows.beside)) == (("1", "3"), ("a", "b"), {})


def test_people_of_a_results_table_are_counted():
    table = {"id": ["s", "t", "u"], "gpt4o": ["a", "b", "a"], "human": ["a", None, "b"]}
    assert door.n_people(ae.read_results(table)) == 2
    assert door.n_people(VOTES) == door.n_people(COLUMNS) == 0
    assert isinstance(door.table(VOTES.summary()), Summary | Sketch)
