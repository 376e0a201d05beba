"""Tables of nothing but ids and votes: which are read, as what, and which are left to the readers behind."""

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from algeval.data import Votes
from algeval.data.cells import factorise
from algeval.data.column_words import ITEM
from algeval.data.contract import contract
from algeval.data.facts import facts_of
from algeval.data.names import FrameRows, RowNumbers
from algeval.data.read import MOST_BYTES, MOST_ROWS, votes_of
from algeval.errors import DataError
from algeval.io.answers import UNSTATED
from algeval.io.asking import proposal_of
from algeval.io.sources import read
from algeval.io.summaries import read_summaries

COLUMNS = {
    "item_id": ["s", "t", "u", "v"],
    "gpt4": ["pass", "fail", "pass", "fail"],
    "claude": ["pass", None, "pass", "pass"],
}
VOTES = Votes(
    ("s", "t", "u", "v"),
    ("gpt4", "claude"),
    ("fail", "pass"),
    ("fail", "pass"),
    np.array([[1, 1], [0, -1], [1, 1], [0, 1]]),
)
PLAIN = {"w": list("aabba"), "x": list("abbba"), "y": list("aabab")}


def records(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def file(folder, columns, name="votes.csv", **how):
    path = folder / name
    pd.DataFrame(columns).to_csv(path, index=False, **how)
    return path


CONTAINERS = {
    "lists": lambda columns, folder: columns,
    "tuples": lambda columns, folder: {name: tuple(c) for name, c in columns.items()},
    "arrays": lambda columns, folder: {n: np.array(c, object) for n, c in columns.items()},
    "records": lambda columns, folder: records(columns),
    "pandas": lambda columns, folder: pd.DataFrame(columns),
    "polars": lambda columns, folder: pl.DataFrame(columns),
    "path": lambda columns, folder: file(folder, columns),
    "text": lambda columns, folder: str(file(folder, columns)),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_table_is_read_from_any_of_these(container, tmp_path):
    votes = votes_of(CONTAINERS[container](COLUMNS, tmp_path))
    assert votes == VOTES
    assert votes.notes[1:] == (
        "wide layout (auto-detected): item 'item_id'",
        "judges: 'gpt4', 'claude'",
        "1 of 8 votes missing",
    )


def test_rows_without_ids_are_numbered():
    votes = votes_of(PLAIN)
    assert (votes.items, votes.judges) == (("1", "2", "3", "4", "5"), ("w", "x", "y"))
    assert type(votes.items) is RowNumbers
    assert type(votes_of(pd.DataFrame(PLAIN)).items) is FrameRows
    assert type(votes_of(pl.DataFrame(PLAIN)).items) is RowNumbers


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        ([1, 0, 1, 1], ("0", "1")),
        ([1.0, 0.0, None, 1.0], ("0", "1")),
        ([True, False, True, True], ("False", "True")),
        (["no", " yes ", "no", "NA"], ("no", "yes")),
        (["b", float("nan"), "a", ""], ("a", "b")),
    ],
)
def test_cells_are_read_as_the_readers_do(cells, labels):
    table = {"id": ["s", "t", "u", "v"], "x": cells, "y": cells[::-1]}
    votes = votes_of(table)
    assert votes == read(table, UNSTATED, "votes").data
    assert votes.labels == labels


def of_other_kinds(folder):
    frame = pd.DataFrame(COLUMNS)
    yield "a lazy frame", pl.LazyFrame(COLUMNS)
    yield "an index that names the items", frame.set_index("item_id")
    yield "rows chosen of a frame", frame[frame.gpt4 == "pass"]
    yield "columns with a name", frame.rename_axis("judges", axis="columns")
    yield "columns without text for a name", frame.rename(columns={"gpt4": 4})
    yield "an Arrow table", pl.DataFrame(COLUMNS).to_arrow()
    yield "a Series", frame["gpt4"]
    yield "columns that are Series", dict(frame)
    yield "an array", frame.to_numpy()
    yield "rows", frame.to_numpy().tolist()
    yield "nothing", {}
    yield "no records", []
    yield "counts of labels", {"gpt4": {"a": 3, "b": 1}, "claude": {"a": 2, "b": 2}}
    yield "a counter", Counter({("a", "b"): 3, ("b", "b"): 1})
    yield "columns of unlike lengths", {"x": list("aab"), "y": list("ab")}
    yield "lists in cells", {"x": [["a"], ["b"]], "y": [["a"], ["a"]]}
    yield "a number", 7
    yield "a text that is no path", "\0"
    yield "a file that is not there", folder / "none.csv"
    yield "a folder", folder
    yield "tabs", file(folder, COLUMNS, "votes.tsv", sep="\t")
    yield "semicolons", file(folder, COLUMNS, "semi.csv", sep=";")
    yield (
        "another encoding",
        file(folder, {**COLUMNS, "é": list("abab")}, "l.csv", encoding="latin-1"),
    )
    yield "several files", [file(folder, COLUMNS), file(folder, COLUMNS, "more.csv")]
    for name, text in {
        "empty": "",
        "head": "x,y\n",
        "numbers": "1,2\na,b\nb,b\n",
        "no_head": "a,b\na,b\nb,b\na,a\n",
        "blank": "x,y\na,b\n\nb,b\na,a\n",
        "short": "x,y\na,b\nb\na,a\n",
        "quotes": 'x,y\na,"b"c\nb,b\na,a\n',
        "comment": "# made today,\nx,y\na,b\nb,b\n",
        "alone": "x\na\nb\nb\na\n",
    }.items():
        path = folder / f"{name}.csv"
        path.write_text(text)
        yield name, path


def test_other_kinds_are_left_to_the_readers(tmp_path):
    read_here = [kind for kind, source in of_other_kinds(tmp_path) if votes_of(source) is not None]
    assert read_here == []


@pytest.mark.parametrize("empty", [{}, [], [{}], {"x": []}, [{}, {}]])
def test_a_table_without_cells_is_left_to_the_readers(empty):
    assert votes_of(empty) is None


def test_a_large_table_is_left_to_the_readers(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("x,y\n" + "a,b\nb,b\n" * (MOST_BYTES // 8 + 1))
    assert votes_of(path) is None
    rows = {"x": list("ab") * (MOST_ROWS // 2), "y": list("bb") * (MOST_ROWS // 2)}
    assert votes_of(rows).n_items == votes_of(pd.DataFrame(rows)).n_items == MOST_ROWS
    rows = {name: [*cells, "a"] for name, cells in rows.items()}
    assert votes_of(rows) is votes_of(pd.DataFrame(rows)) is None


def test_a_file_beside_a_file_of_columns_is_left_to_the_readers(tmp_path):
    path = file(tmp_path, COLUMNS)
    assert votes_of(path) == VOTES
    (tmp_path / "columns.toml").write_text("")
    assert votes_of(path) is None


WORDS = {
    "spellings": {"x": ["Yes", "no", "yes", "no", "no"]},
    "a slip": {"x": ["pass", "pas", "fail", "pass", "fail"]},
    "true and 1": {"x": [True, False, 1, 0, 1]},
    "what failed": {"x": ["a", "error", "b", "a", "b"]},
    "a dash": {"x": ["a", "-", "b", "a", "b"]},
    "what may be missing": {"x": ["a", "skipped", "b", "a", "b"]},
    "missing elsewhere": {"x": ["a", r"\N", "b", "a", "b"]},
    "a rule": {"x": ["---", "b", "a", "a", "b"]},
    "a list": {"x": ["['a']", "['b']", "['a']", "['b']", "['b']"]},
    "sentences": {"x": ["it is not so", "it is so", "it is so", "it is not so", "it is so"]},
    "one label": {"x": list("aaaaa"), "y": list("aaaaa")},
    "no answer": {"x": list("abbab"), "y": [None] * 5},
    "no label shared": {"gpt4": list("abbab"), "claude": list("cdcdc")},
    "an answer of its own on each item": {"x": list("abcde"), "y": list("aabbc")},
    "numbers beside words": {"x": ["a", 1, "a", "b", 1]},
    "minus": {"x": [-1, 1, 1, 0, 0]},
    "shares": {"x": ["50%", "20%", "20%", "50%", "50%"]},
    "grades": {"x": [1, 2, 3, 3, 2] * 4, "y": [1, 1, 3, 2, 2] * 4},
    "scores": {"x": [0.1, 0.4, 0.2, 0.4, 0.2], "y": [0.1, 0.4, 0.2, 0.4, 0.3]},
    "two rows of numbers": {"x": [0, 1], "y": [1, 0]},
    "a column called like counts": {"x": [0, 1, 1, 0, 1], "n": [1, 1, 0, 0, 1]},
    "numbers of nobody": {"model": list("abcde"), "x": [0, 1, 1, 0, 1], "y": [1, 1, 0, 0, 1]},
    "a row of totals": {"id": [*"stuv", "total"], "x": list("abbab"), "y": list("aabab")},
    "a row of grand totals": {
        "id": [*"stuv", "Grand total"],
        "x": list("abbab"),
        "y": list("aabab"),
    },
    "who answered": {"id": list("stuvw"), "x": list("abbab"), "user": list("aabab")},
    "what was asked": {"id": list("stuvw"), "x": list("abbab"), "prompt": list("aabab")},
    "a choice of several": {"winner_a": [0, 1, 1, 0, 1], "winner_b": [1, 0, 0, 1, 0]},
    "people": {"gpt4": list("abbab"), "human": list("aabab")},
    "numbered people": {"surgeon_1": list("abbab"), "surgeon_2": list("aabab")},
    "systems": {"id": list("stuvw"), "system": list("mnmnm"), "gpt4": list("abbab")},
    "a group": {"id": list("stuvw"), "topic": list("mnmnm"), "gpt4": list("abbab")},
    "ids that repeat": {"id": list("ssttu"), "gpt4": list("abbab"), "claude": list("abbaa")},
    "an id that is blank": {"id": [*"stuv", None], "gpt4": list("abbab")},
    "an id that is called nothing like one": {"ref": list("stuvw"), "x": list("abbab")},
    "two ids": {"id": list("stuvw"), "uid": list("lmnop"), "gpt4": list("abbab")},
    "a row per answer": {"item": list("ssttu"), "judge": list("xyxyx"), "label": list("abbab")},
    "a tool's": {"task": list("sstt"), "worker": list("xyxy"), "label": list("abba")},
    "runs of a judge": {"gpt4_run1": list("abbab"), "gpt4_run2": list("abbbb")},
    "what asks": {"gpt4_correct": list("abbab"), "gpt4": list("aabab")},
}


@pytest.mark.parametrize("name", WORDS)
def test_what_needs_a_word_is_left_to_the_readers(name):
    table = WORDS[name]
    if len(table) == 1:
        table = {**table, "y": next(iter(table.values()))}
    assert votes_of(table) is None


# --- Random tables: the roles are the contract's, the votes those of the readers, counts are no votes.

JUDGES = [
    "w x y z u v",
    "gpt4 claude gemini llama mistral qwen",
    "judge_1 judge_2 judge_3 judge_4 judge_5 judge_6",
    "rater1 rater2 rater3 rater4 rater5 rater6",
    "alice bob carol dan eve fay",
    "llm_label grader_label gpt4_label claude_label o1_label x_label",
]
NAMES = [
    *(
        "user",
        "human",
        "gold",
        "model",
        "system",
        "label",
        "topic",
        "n",
        "count",
        "total",
        "tp",
        "fp",
    ),
    *("fn", "tn", "pass", "fail", "item", "question", "A", "B", "judge", "verdict", "name", "rows"),
    *("0", "correct", "gpt4_correct", "prompt", "run", "score", "tokens", "wins", "reviewer"),
]
LABELS = [
    *(
        list("ab"),
        list("abc"),
        ["pass", "fail"],
        ["yes", "no"],
        [0, 1],
        [True, False],
        ["A", "tie"],
    ),
    *(
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        ["true", "false"],
        ["Yes", "yes", "no"],
        ["1.0", "0.0"],
        ["a", 1],
    ),
    *(
        [0, 1, -1],
        ["pass", "fail", "error"],
        ["pas", "pass", "fail"],
        [10, 20, 30],
        ["a", "-"],
        ["a"],
    ),
]
IDS = {
    "texts": lambda n: [f"s{k}" for k in range(n)],
    "numbers": lambda n: list(range(n)),
    "repeated": lambda n: [f"s{k // 2}" for k in range(n)],
    "totals": lambda n: [*(f"s{k}" for k in range(n - 1)), "total"],
    "names": lambda n: [*"xyzuvw", *(f"s{k}" for k in range(n))][:n],
}


def random_table(seed):
    rng = random.Random(seed)
    n, clean = rng.choice([2, 3, 4, 6, 8, 10, 12, 20, 40]), rng.random() < 0.7
    judges, labels = rng.choice(JUDGES).split(), rng.choice(LABELS)
    table = {}
    if rng.random() < 0.6:
        name = rng.choice(["id", "question_id", "name", "", "judge", "n", *sorted(ITEM)])
        table[name] = IDS[rng.choice(["texts", "texts", *IDS])](n)
    for j in range(rng.randint(1, 5)):
        own = labels if clean or rng.random() < 0.8 else rng.choice(LABELS)
        share = rng.random()
        cells = [own[0] if rng.random() < share else rng.choice(own) for _ in range(n)]
        if rng.random() < 0.3:
            cells = [None if rng.random() < 0.2 else cell for cell in cells]
        table[judges[j] if clean or rng.random() < 0.6 else rng.choice(NAMES)] = cells
    columns = list(table.items())
    if rng.random() < 0.3:
        rng.shuffle(columns)
    return dict(columns), rng


TABLES = [random_table(seed) for seed in range(2000)]
READ = [(table, votes) for table, _ in TABLES if (votes := votes_of(table)) is not None]


def as_read(table):
    """Facts of a table, which the contract reads."""
    n_rows = len(next(iter(table.values())))
    return facts_of(
        SimpleNamespace(
            names=tuple(table), n_rows=n_rows, column=lambda name: factorise(name, table[name])
        )
    )


def test_many_tables_are_read_here():
    assert len(READ) > 150
    assert sum({*votes.labels} == {"0", "1"} for _, votes in READ) > 10


def test_roles_are_those_of_the_contract_which_asks_nothing():
    for table, votes in READ:
        reading = contract(as_read(table), votes_only=True)
        assert reading.named("judge") == [*votes.judges], table
        assert len(reading.named("item")) == (type(votes.items) is tuple), table
        assert {*reading.roles.values()} <= {"judge", "item"}, table
        assert proposal_of(reading) is None, table


def by_the_readers(table):
    """Votes that the readers behind the door make of a table; None where they refuse it or ask."""
    try:
        return read(table, UNSTATED, "votes").data
    except DataError:
        return None


def test_votes_are_those_of_the_readers():
    """But where a name says less to them: that a column holds ids."""
    equal = 0
    for table, votes in READ:
        same = by_the_readers(table)
        if same == votes:
            equal += 1
            assert type(same.items) is type(votes.items)
            assert same.groupings == ()
        elif same is not None:
            assert same == replace(votes, items=same.items), table
            assert same.items == votes.items or type(same.items) is RowNumbers, table
    assert equal > 200
    assert equal > 0.9 * len(READ)


def test_no_table_of_counts_is_read_as_votes():
    n_counts = 0
    for table, _ in TABLES:
        try:
            counted = read_summaries(table, UNSTATED)
        except DataError:
            counted = True
        if counted is not None:
            n_counts += 1
            assert votes_of(table) is None, table
    assert n_counts > 20


@pytest.mark.parametrize("container", [name for name in CONTAINERS if name != "arrays"])
def test_containers_and_orders_change_nothing(container, tmp_path):
    for table, votes in READ[::5]:
        if container in ("pandas", "polars", "path", "text") and "" in table:
            continue
        again = votes_of(CONTAINERS[container](table, tmp_path))
        booleans = {*votes.labels} == {"False", "True"}
        if container == "polars" and booleans:  # where they are true and false
            continue
        if again is None:  # a label or an id is also the name of a column
            assert container in ("path", "text"), table
            continue
        assert again == votes, table


def test_rows_in_another_order_have_the_same_votes():
    for table, votes in READ[::3]:
        n = votes.n_items
        order = random.Random(n).sample(range(n), n)
        again = votes_of({name: [cells[k] for k in order] for name, cells in table.items()})
        assert again.judges == votes.judges
        assert again.codes.tolist() == votes.codes[order].tolist()


@pytest.mark.parametrize("name", ["human_toxic", "annotator_anna", "expert_ok"])
def test_a_column_whose_name_says_a_person_is_no_judge_here(name):
    said = ["yes", "no", "yes"] * 8
    assert votes_of({"id": [f"s{k}" for k in range(24)], name: said}) is None
    assert votes_of({"id": [f"s{k}" for k in range(24)], "w": said, name: said}) is None
