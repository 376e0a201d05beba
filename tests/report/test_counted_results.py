"""The first screen of a large results table, made from counts and the rows with a human label."""

import numpy as np
import pytest

import algeval as ae
import algeval.io.counting as counting
from algeval.errors import DataError
from algeval.io.answers import UNSTATED
from algeval.io.counting import Enough, count_results, open_large
from algeval.io.sources import read

_PARTS = "_FIRST", "_ALL_OVER", "_OF_EACH"


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A few hundred rows are large, and roles are found from few of them."""
    monkeypatch.setattr(counting, "LARGE", 300)
    for name, n in zip(_PARTS, (60, 120, 60), strict=True):
        monkeypatch.setattr(counting, name, n)


def table(n=600, systems=2, labelled=80, seed=3, **more):
    """Rows of outputs with three judges, a text, and people's labels of some."""
    rng = np.random.default_rng(seed)
    good = rng.random(n) < 0.7
    rows = []
    for k in range(n):
        row = {"id": f"item{k}", "text": f"this is what the bot answered to question {k} " * 2}
        if systems:
            row["system"] = f"bot {k % systems}"
        for j, accuracy in enumerate((0.8, 0.85, 0.9)):
            right = rng.random() < accuracy
            row[f"judge{j}"] = "pass" if good[k] == right else "fail"
        row["human"] = ("fail", "pass")[int(good[k])] if k % (n // labelled) == 0 else ""
        rows.append(row | {name: value(k) for name, value in more.items()})
    return rows


def written(rows, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(
        "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"
    )
    return path


def counts_of(path):
    opened = open_large(str(path), UNSTATED)
    return None if opened is None else count_results(opened, UNSTATED, path.name)


def lines_without_notes(text):
    """Lines of a screen but for notes, which may go on in lines below."""
    kept, note = [], False
    for line in text.splitlines():
        note = line.startswith("Note: ") or (note and line[:1].islower())
        kept += [] if note else [line]
    return kept


@pytest.mark.parametrize("systems", [0, 1, 2, 3])
def test_what_counts_say_is_what_the_rows_say(tmp_path, systems):
    path = written(table(systems=systems), tmp_path)
    made = counts_of(path)
    assert made is not None
    rows = ae.read_results(path)
    counts, results, notes = made
    assert counts.to_counts() == rows.votes.sketch().to_counts()
    if systems:
        assert results.headline() == rows.headline()
        assert results.human == rows.human
    else:  # a plain table of votes
        assert results is None
        assert counts.keyed_sketch().n_items == len(rows.human)
    assert any("counted where they lie" in note for note in notes)
    short = ae.report(path, first_screen=True)
    counting.LARGE = 10_000  # now the rows are read
    whole = ae.report(path, first_screen=True)
    assert lines_without_notes(short.summary()) == lines_without_notes(whole.summary())


def test_only_the_first_screen_takes_counts(tmp_path):
    path = written(table(), tmp_path)
    assert read(str(path), UNSTATED, "data or scores", Enough()).results.counts is None
    assert read(str(path), UNSTATED, "data or scores", Enough(of_results=True)).results.counts
    assert ae.report(path).to_dict()["overview"]["about"].startswith("600 outputs")


def twice(rows):
    """One output has two rows, far from those from which roles are found."""
    rows[501]["id"] = rows[500]["id"]


def late_system(rows):
    for row in rows[400:]:
        row["system"] = f"bot {row['id']}"


def late_label(rows):
    rows[401]["judge1"] = "refused to answer"


def late_person(rows):
    rows[599]["human"] = "hard to say"


@pytest.mark.parametrize("change", [twice, late_system])
def test_rows_are_read_where_all_are_not_what_some_are(tmp_path, change):
    rows = table()
    change(rows)
    assert counts_of(written(rows, tmp_path)) is None


@pytest.mark.parametrize("change", [late_label, late_person])
def test_an_answer_that_few_rows_have_is_counted_too(tmp_path, change):
    rows = table()
    change(rows)
    path = written(rows, tmp_path)
    made = counts_of(path)
    if change is late_label:  # people never say it: it is asked about, of a large table, too
        assert made is None
        with pytest.raises(DataError, match="answers, or none"):
            ae.read_results(path)
        return
    expected = ae.read_results(path).votes.sketch()
    assert made is None or made[0].to_counts() == expected.to_counts()


@pytest.mark.parametrize(
    "more",
    [
        {"prompt": lambda k: f"question {k // 2} asked by a user of the bot"},
        {"topic": lambda k: ("billing", "travel")[k % 2]},
        {"score": lambda k: k % 97 / 97},
        {"trial": lambda k: k % 2 + 1},
    ],
)
def test_tables_that_say_more_are_read(tmp_path, more):
    rows = table(**more)
    if "trial" in more:
        for k, row in enumerate(rows):
            row["id"] = f"item{k // 2}"
    assert counts_of(written(rows, tmp_path)) is None


def test_ids_in_groups_are_looked_at_row_by_row(tmp_path):
    rows = table()
    for k, row in enumerate(rows):
        row["id"] = f"p{k // 5}/{k % 5}"
    assert counts_of(written(rows, tmp_path)) is None


def test_a_table_without_labels_or_with_few_rows_is_read(tmp_path):
    rows = table()
    assert counts_of(written([row | {"human": ""} for row in rows], tmp_path)) is None
    assert counts_of(written(rows[:200], tmp_path)) is None
