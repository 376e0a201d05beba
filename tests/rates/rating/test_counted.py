"""A rate with labels of a large table: counts of all, and the labelled items one by one."""

import csv
import json
from time import process_time

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.io import counting
from algeval.io.answers import ReadOptions
from algeval.io.counting import Enough, count_large, open_large
from algeval.io.sources import read_labelled, read_with_table
from algeval.rates.inputs import as_votes, labelled_items, panel_of, read_gold


def large(source, given, *, scores=False, **enough):
    """Return what counting a large source gives, None where its votes are to be read."""
    options = ReadOptions(**given)
    opened = open_large(source, options)
    if opened is None:
        return None
    return count_large(opened, options, Enough(**enough), scores=scores)


def written(folder, n_items=600, labels=("no", "yes"), missing=0.1, seed=0):
    """A wide table and labels of 80 of its items."""
    rng = np.random.default_rng(seed)
    key = rng.integers(len(labels), size=n_items)
    votes, gold = folder / "votes.csv", folder / "gold.csv"
    with votes.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "x", "y", "z"])
        for i, t in enumerate(key):
            row = [labels[t if rng.random() < 0.8 else rng.integers(len(labels))] for _ in "xyz"]
            gaps = rng.random(3) < missing
            gaps[0] &= i > 9
            rows.writerow(
                [f"q{i}", *("" if gap else cell for gap, cell in zip(gaps, row, strict=True))]
            )
    with gold.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "label"])
        rows.writerows([f"q{i}", labels[key[i]]] for i in rng.choice(n_items, 80, replace=False))
    return votes, gold


def rate_in(document):
    """The document of the rate inside that of a report."""
    if isinstance(document, dict) and document.get("schema") == "algeval.rate/1":
        return document
    parts = document.values() if isinstance(document, dict) else document
    inside = (rate_in(part) for part in parts if isinstance(part, dict | list))
    return next((one for one in inside if one is not None), None)


@pytest.mark.parametrize("labels", [("no", "yes"), ("a", "b", "yes")])
@pytest.mark.parametrize("settings", [{}, {"method": "wilson"}, {"target": "population"}])
def test_counts_give_what_items_give(tmp_path, monkeypatch, labels, settings):
    votes, gold = written(tmp_path, labels=labels)
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    counted, _ = large(str(votes), {}, labelled=labelled_items(gold))
    assert counted.some.n_items == 80
    assert counted.n_items == 600
    plain = ae.rate(ae.read_votes(votes), "yes", gold, **settings).to_dict()
    found = ae.rate(counted, "yes", gold, **settings).to_dict()
    assert found.pop("balance") == pytest.approx(plain.pop("balance"), abs=1e-12)
    assert found == plain


def test_rows_of_counts_stand_for_all_items(tmp_path, monkeypatch):
    votes, gold = written(tmp_path)
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    counted, _ = large(str(votes), {}, labelled=labelled_items(gold))
    panel, plain = panel_of(counted, "yes"), panel_of(ae.read_votes(votes), "yes")
    assert panel.n_items == plain.n_items == 600
    assert panel.n_unjudged == plain.n_unjudged
    assert panel.total(panel.answered) == plain.answered.sum()
    for verdict in (-1, 0, 1):
        assert panel.total(panel.verdict == verdict) == (plain.verdict == verdict).sum()


@pytest.mark.parametrize("command", ["rate", "report"])
@pytest.mark.parametrize("with_gold", [True, False])
def test_commands_say_of_a_large_table_what_they_say_of_a_small(
    tmp_path, monkeypatch, capsys, command, with_gold
):
    """`report --label` refused tables above 100,000 rows: counts were read where items were asked for."""
    votes, gold = written(tmp_path)
    asked = [command, str(votes), "--label", "yes", "--json"]
    asked += ["--gold", str(gold)] if with_gold else []
    run(asked)
    small = json.loads(capsys.readouterr().out)
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    run(asked)
    found = json.loads(capsys.readouterr().out)
    if command == "report":
        found, small = rate_in(found), rate_in(small)
    for name in (
        "rate",
        "low",
        "high",
        "n_items",
        "n_gold",
        "method",
        "judged",
        "warnings",
        "table",
    ):
        assert found[name] == small[name], name


def test_a_labelled_item_without_votes_is_left_out_and_named(tmp_path, monkeypatch, capsys):
    votes, gold = written(tmp_path)
    asked = ["rate", str(votes), "--label", "yes", "--gold", str(gold), "--json"]
    run(asked)
    before = json.loads(capsys.readouterr().out)
    gold.write_text(gold.read_text() + "strange,yes\n")
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    run(asked)
    found = json.loads(capsys.readouterr().out)
    assert any("'strange'" in warning for warning in found["warnings"])
    assert [found[k] for k in ("rate", "low", "n_items", "n_gold")] == [
        before[k] for k in ("rate", "low", "n_items", "n_gold")
    ]


@pytest.mark.parametrize("picked", [[0, 0, 0], [1, 1, 1]])
def test_labels_that_were_picked_are_seen_in_counts_too(tmp_path, monkeypatch, picked):
    votes, _ = written(tmp_path, missing=0)
    read = ae.read_votes(votes)
    rows = np.flatnonzero((read.codes == picked).all(axis=1))[:60]
    labels = {read.items[row]: "yes" if k % 5 else "no" for k, row in enumerate(rows)}
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(counting, "_surely_small", lambda paths: False)
    counted, _ = large(str(votes), {}, labelled=labelled_items(labels))
    plain = ae.rate(read, "yes", labels).to_dict()
    found = ae.rate(counted, "yes", labels).to_dict()
    assert plain["status"] == "undetermined"
    assert found.pop("balance") == pytest.approx(plain.pop("balance"), abs=1e-12)
    assert found == plain


@pytest.mark.benchmark
def test_counts_cost_a_fraction_of_what_items_cost(tmp_path, monkeypatch):
    """Half a million items of 8 judges; the two ways on the same file, CPU seconds."""
    n_items, rng = 500_000, np.random.default_rng(0)
    key = rng.integers(2, size=n_items)
    codes = np.where(
        rng.random((n_items, 8)) < 0.8, key[:, None], rng.integers(2, size=(n_items, 8))
    )
    names = np.array(["no", "yes"])
    votes, gold = tmp_path / "votes.csv", tmp_path / "gold.csv"
    with votes.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", *"abcdefgh"])
        rows.writerows([f"q{i}", *row] for i, row in enumerate(names[codes].tolist()))
    with gold.open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["item", "label"])
        chosen = rng.choice(n_items, 300, replace=False)
        rows.writerows([f"q{i}", names[key[i]]] for i in chosen)
    seconds = []
    for fewest in (10**9, 1000):
        monkeypatch.setattr(counting, "LARGE", fewest)
        began = process_time()
        assert run(["rate", str(votes), "--label", "yes", "--gold", str(gold)]) == 0
        seconds.append(process_time() - began)
    print(f"by item {seconds[0]:.1f} s, counted {seconds[1]:.1f} s")
    assert seconds[1] < seconds[0] / 2


def in_both(folder):
    """A table with people's labels of some items, and a file with those of others."""
    votes, gold = written(folder, n_items=400, missing=0)
    _, *rows = csv.reader(votes.read_text().splitlines())
    head = ["item", "judge_x", "judge_y", "judge_z"]
    labels = dict(list(csv.reader(gold.read_text().splitlines()))[1:])
    own = {f"q{k}": rows[k][1] for k in range(0, 400, 7) if f"q{k}" not in labels}
    table = folder / "table.csv"
    lines = [[*head, "human_label"], *([*row, own.get(row[0], "")] for row in rows)]
    table.write_text("\n".join(map(",".join, lines)))
    return str(table), str(gold), own, labels


def test_labels_of_a_file_join_those_of_a_large_table_as_of_a_small_one(
    tmp_path, monkeypatch, capsys
):
    table, gold, own, labels = in_both(tmp_path)

    def answers():
        capsys.readouterr()
        assert run(["judges", str(table), "--human", str(gold)]) == 0
        joint, key = read_with_table(str(table), str(gold))[:2]
        assert key == "key"
        alone, own_key = read_labelled(str(table), None)
        assert own_key == "key"
        n_own = len(read_gold("key", as_votes(alone), "yes"))
        return capsys.readouterr().out, int((joint.key >= 0).sum()), n_own

    small = answers()
    monkeypatch.setattr(counting, "LARGE", 100)
    assert large(table, {}) is not None
    assert answers() == small
    assert small[1:] == (len(own) + len(labels), len(own))
    assert read_labelled(str(table), None, items=True)[0].n_items == 400


@pytest.mark.slow
def test_rates_of_a_large_table_with_labels_of_two_kinds_are_those_of_a_small_one(
    tmp_path, monkeypatch, capsys
):
    table, gold, own, labels = in_both(tmp_path)

    def answers():
        for command in ("rate", "report"):
            assert run([command, table, "--human", gold]) == 0
        out = capsys.readouterr().out
        assert f"{len(own) + len(labels)} labels" in out
        assert f"{len(own) + len(labels)} human answers" in out
        both, alone = ae.rate(table, "yes", human=gold), ae.rate(table, "yes")
        assert (both.n_gold, alone.n_gold) == (len(own) + len(labels), len(own))
        by_four = ae.rate(table, "yes", cluster={f"q{k}": k // 4 for k in range(400)})
        return both.rate, alone.rate, by_four.rate

    small = answers()
    monkeypatch.setattr(counting, "LARGE", 100)
    assert answers() == small


def test_a_large_table_that_is_cut_says_what_its_rate_counts(tmp_path, monkeypatch, capsys):
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 100, (300, 2))
    table, gold = tmp_path / "scores.csv", tmp_path / "gold.csv"
    lines = [f"q{k},{x},{y}" for k, (x, y) in enumerate(scores)]
    table.write_text("\n".join(["id,gpt4,claude", *lines]))
    gold.write_text("\n".join(["id,human", *(f"q{k},{int(scores[k, 0] > 50)}" for k in range(60))]))
    said = []
    for fewest in (10**9, 100):
        monkeypatch.setattr(counting, "LARGE", fewest)
        run(["rate", str(table), "--cut", "50", "--human", str(gold)])
        said.append(capsys.readouterr().out.splitlines()[0])
    assert said[0] == said[1]
    assert "SHARE AT OR ABOVE 50" in said[0]
