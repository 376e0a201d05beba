"""A journal loses no label and doubles none: torn lines, full disks, two processes, merging in any order."""

import errno
import json
import os
import random
import subprocess
import sys

import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import journal as journals
from algeval.io.journal import (
    Journal,
    is_journal,
    journal_table,
    merge,
    read_journal,
)

START = {
    "schema": "algeval.labels/1",
    "kind": "start",
    "id": "s",
    "time": "2026-01-01T00:00:00.000Z",
    "digest": "d",
    "n_items": 10,
    "goal": "rate",
    "labels": ["pass", "fail"],
    "good": "pass",
    "seed": 0,
}


def said(number, item, who="anna", label="pass", kind="label", **more):
    record = {"id": f"{who}{number}", "kind": kind, "item": item, "who": who}
    record |= {"time": f"2026-01-01T00:00:{number:02}.000Z", **more}
    return record | ({"label": label} if kind == "label" else {})


def undo(number, undoes, who="anna"):
    return {**said(number, "", who, kind="undo"), "undoes": undoes}


def begun(path, *records):
    journal = Journal(path)
    journal.add(START, *records)
    return journal


def truths(journal):
    labels = journal.labels
    return {item: labels.truth(item) for item in labels.by_item}


def test_the_last_word_of_a_person_counts_and_what_was_taken_back_does_not(tmp_path):
    journal = begun(
        tmp_path / "j.jsonl",
        said(1, "a"),
        said(2, "b", label="fail"),
        undo(3, "anna2"),
        said(4, "b", label="pass"),
        said(5, "c", kind="unsure"),
        said(6, "d", kind="skip"),
        said(7, "a", "ben", "fail"),
        {**said(8, "a", label="fail"), "kind": "second"},
    )
    assert truths(journal) == {"a": {"pass": 1, "fail": 1}, "b": {"pass": 1}, "c": {}, "d": {}}
    assert journal.labels.draws() == ["a", "b", "c", "d"]
    assert [r["label"] for r in journal.labels.second] == ["fail"]
    assert journal.labels.turns == {"anna": 6, "ben": 1}


def test_an_item_put_off_keeps_its_turn_among_the_draws(tmp_path):
    journal = begun(
        tmp_path / "j.jsonl",
        said(1, "late", kind="skip"),
        said(2, "b"),
        said(3, "late", label="fail"),
    )
    assert journal.labels.draws() == ["late", "b"]
    assert truths(journal)["late"] == {"fail": 1}


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_line_that_a_crash_has_torn_is_read_over_and_what_follows_is_kept(tmp_path, cut):
    path = tmp_path / "j.jsonl"
    begun(path, said(1, "a"), said(2, "b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    again = Journal(path)
    lost = cut > 1  # without its end alone the line can still be read
    assert set(truths(again)) == ({"a"} if lost else {"a", "b"})
    again.add(said(3, "c"))
    assert path.read_bytes().startswith(whole[:-cut])  # nothing is ever rewritten
    once_more = Journal(path)
    assert set(truths(once_more)) == ({"a", "c"} if lost else {"a", "b", "c"})
    assert len(once_more.torn) == lost
    assert sum(1 for r in once_more.records if r["id"] == "anna2") == (not lost)


def test_a_full_disk_leaves_the_file_and_what_is_known_as_they_were(tmp_path, monkeypatch):
    path = tmp_path / "j.jsonl"
    journal = begun(path, said(1, "a"))
    before = path.read_bytes()
    real = os.write

    def full(descriptor, data):
        if len(data) > 20:
            return real(descriptor, bytes(data[:20]))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journals.os, "write", full)
    with pytest.raises(OSError, match="No space"):
        journal.add(said(2, "b"))
    assert path.read_bytes() == before
    assert set(truths(journal)) == {"a"}
    monkeypatch.setattr(journals.os, "write", real)
    journal.add(said(2, "b"))
    assert set(truths(Journal(path))) == {"a", "b"}


def test_what_cannot_be_forced_onto_the_disk_is_no_label(tmp_path, monkeypatch):
    path = tmp_path / "j.jsonl"
    journal = begun(path)
    before = path.read_bytes()

    def fails(descriptor):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(journals.os, "fsync", fails)
    with pytest.raises(OSError, match="Input/output"):
        journal.add(said(1, "a"))
    assert path.read_bytes() == before


def test_two_processes_that_write_at_once_lose_and_double_nothing(tmp_path):
    path = tmp_path / "j.jsonl"
    begun(path)
    program = (
        "import sys; from algeval.io.journal import Journal; j = Journal(sys.argv[1]); w = sys.argv[2]\n"
        "for k in range(60): j.add({'id': f'{w}{k}', 'kind': 'label', 'item': f'{w}{k}', 'who': w, "
        "'label': 'pass', 'time': '2026'})"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", program, str(path), who]) for who in ("anna", "ben")
    ]
    assert [process.wait(60) for process in both] == [0, 0]
    journal = Journal(path)
    assert len(journal.labels.acts) == 120
    assert len(path.read_text().splitlines()) == 121
    assert journal.torn == []


def test_merging_is_the_same_in_any_order_and_however_often(tmp_path):
    parts = [
        begun(tmp_path / "a.jsonl", said(1, "x"), said(4, "y", label="fail"), undo(9, "anna1")),
        begun(tmp_path / "b.jsonl", said(2, "x", "ben"), said(3, "z", "ben", kind="unsure")),
        begun(tmp_path / "c.jsonl", said(5, "y", "cleo"), said(6, "w", "cleo", "fail")),
    ]
    results = []
    for seed in range(6):
        order = random.Random(seed).sample(parts, 3)
        target = begun(tmp_path / f"m{seed}.jsonl")
        assert merge(target, order) == 7
        assert merge(target, order) == 0
        results.append((truths(target), target.labels.draws()))
    assert all(result == results[0] for result in results)
    assert results[0][0]["x"] == {"pass": 1}


def test_journals_of_other_tables_or_draws_are_not_merged(tmp_path):
    own = begun(tmp_path / "a.jsonl", said(1, "x"))
    for name, value in (("digest", "other"), ("seed", 3), ("goal", "slices")):
        other = Journal(tmp_path / f"{name}.jsonl")
        other.add({**START, name: value}, said(2, "y"))
        with pytest.raises(DataError, match=f"another {name}"):
            merge(own, [other])
    with pytest.raises(DataError, match="must be a file that"):
        read_journal(tmp_path / "none.jsonl")


def test_other_files_are_no_journals(tmp_path):
    for text in ("", "item,truth\na,pass\n", '{"schema": "algeval.sketch/1"}\n', '{"item": "a"}\n'):
        path = tmp_path / "f.jsonl"
        path.write_text(text)
        assert not is_journal(path)
    begun(path := tmp_path / "j.jsonl")
    assert is_journal(path)


def test_nonsense_lines_are_counted_and_skipped(tmp_path):
    path = tmp_path / "j.jsonl"
    begun(path, said(1, "a"))
    with path.open("ab") as stream:
        stream.write(b'[1, 2]\n{"kind": "label"}\n{"kind": "magic", "id": "m"}\n\xff\xfe\n\n')
    journal = Journal(path)
    assert set(truths(journal)) == {"a"}
    assert journal.torn == [3, 4, 5, 6]
    assert "4 lines of j.jsonl cannot be read (line 3, 4, 5, 6)" in " ".join(journal_table(path)[1])


def test_the_table_has_draws_of_what_nobody_could_tell_and_no_truth(tmp_path):
    path = tmp_path / "j.jsonl"
    begun(path, said(1, "a"), said(2, "b", kind="unsure"), said(3, "c", label="fail"))
    columns, notes = journal_table(path)
    assert columns == {
        "item": ["a", "b", "c"],
        "truth": ["pass", None, "fail"],
        "draw": ["1", "2", "3"],
        "of_items": ["10"] * 3,  # how many the table had
    }
    assert any("nobody could tell" in note for note in notes)


def test_strata_get_the_chance_of_their_labels_among_the_votes_at_hand(tmp_path):
    path = tmp_path / "j.jsonl"
    items = [f"i{k}" for k in range(10)]
    strata = {item: "big" if k < 8 else "small" for k, item in enumerate(items)}
    journal = Journal(path)
    journal.add(
        {**START, "strata": strata}, said(1, "i0"), said(2, "i1", label="fail"), said(3, "i9")
    )
    votes = ae.data.Votes.from_columns(
        {"w": ["pass"] * 10, "x": ["fail"] + ["pass"] * 9}, items=items
    )
    from algeval.rates.inputs import read_gold

    gold = read_gold(str(path), votes, "pass")
    assert gold.rows.tolist() == [0, 1, 9]
    assert gold.inclusion.tolist() == [2 / 8, 2 / 8, 1 / 2]
    assert gold.draws.strata.tolist() == [0] * 8 + [1] * 2
    part = votes.select(items=items[1:])
    part_gold = read_gold(str(path), part, "pass")
    assert part_gold.inclusion.tolist() == [1 / 7, 1 / 2]


def test_an_empty_journal_asks_for_labels(tmp_path):
    path = tmp_path / "j.jsonl"
    begun(path)
    with pytest.raises(DataError, match="label some items first"):
        journal_table(path)
    assert json.loads(path.read_text())["kind"] == "start"


WRONG_TYPES = [
    *({**said(2, "b"), name: value} for name in ("id", "item", "who", "time", "label", "shown", "note")
      for value in ([], {}, 3, None)),
    *({**said(2, "b"), "seconds": value} for value in ("abc", [], None, float("nan"), float("inf"))),
    *({**undo(2, "anna1"), "undoes": value} for value in ([], 3, None)),
    {**said(2, "b"), "kind": ["label"]},
]  # fmt: skip


@pytest.mark.parametrize("record", WRONG_TYPES, ids=repr)
def test_a_line_with_a_field_of_another_type_is_named_and_read_over(tmp_path, record):
    path = tmp_path / "j.jsonl"
    begun(path, said(1, "a"))
    with path.open("a") as stream:
        stream.write(json.dumps(record) + "\n" + json.dumps(said(3, "c")) + "\n")
    journal = Journal(path)
    assert set(truths(journal)) == {"a", "c"}
    assert journal.torn == [3]
    assert "1 line of j.jsonl cannot be read (line 3)" in " ".join(journal_table(path)[1])
    journal.add(said(4, "d"))
    assert set(truths(Journal(path))) == {"a", "c", "d"}


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"seconds": 1e400, "kind": "label"}', "9" * 5000, "null", '"x"']
)
def test_no_line_ends_the_reading(tmp_path, text):
    path = tmp_path / "j.jsonl"
    begun(path, said(1, "a"))
    with path.open("a") as stream:
        stream.write(text + "\n")
    assert (set(truths(Journal(path))), Journal(path).torn) == ({"a"}, [3])


@pytest.mark.parametrize("field", [{"n_items": "10"}, {"labels": [1, 2]}, {"before": {"a": 1}}])
def test_a_start_with_a_field_of_another_type_is_no_start(tmp_path, field):
    path = tmp_path / "j.jsonl"
    path.write_text(json.dumps({**START, **field}) + "\n" + json.dumps(said(1, "a")) + "\n")
    with pytest.raises(DataError, match="must be a file that `algeval label` wrote"):
        read_journal(path)


def test_no_number_that_is_none_is_written(tmp_path):
    journal = begun(tmp_path / "j.jsonl", said(1, "a"))
    before = journal.path.read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        journal.add(said(2, "b", seconds=float("nan")))
    assert journal.path.read_bytes() == before


@pytest.mark.parametrize("seed", range(20))
def test_acts_of_a_file_are_in_the_order_of_its_lines_whatever_the_clock_says(tmp_path, seed):
    rng = random.Random(seed)
    journal, last, undone = begun(tmp_path / "j.jsonl"), {}, []
    for k in range(30):
        item, label = rng.choice("abcde"), rng.choice(["pass", "fail"])
        time = f"20{rng.randrange(10, 60)}-01-01T00:00:00.000Z"
        if last and rng.random() < 0.2:
            act = journal.labels.latest["anna"][-1].id
            journal.add({**undo(k, act), "id": f"u{k}", "time": time})
            undone.append(act)
        else:
            journal.add({**said(k, item, label=label), "time": time})
        acts = [r for r in journal.records if r["kind"] == "label" and r["id"] not in undone]
        last = {r["item"]: {r["label"]: 1} for r in acts}
        assert truths(journal) == last
        assert [act.id for act in journal.labels.latest.get("anna", [])] == [r["id"] for r in acts]


def test_acts_of_several_files_are_in_the_order_of_time(tmp_path):
    late = begun(tmp_path / "late.jsonl", said(9, "x", label="fail"), said(1, "y", label="fail"))
    early = Journal(tmp_path / "early.jsonl")
    early.add({**START, "id": "other"}, said(5, "x", "anna", id="e1"), said(6, "y", id="e2"))
    for k, (own, other) in enumerate([(late, early), (early, late)]):
        target = tmp_path / f"{k}.jsonl"
        target.write_bytes(own.path.read_bytes())
        merge(Journal(target), [other])
        # the clock of the late one was set back between its lines, not before its second
        assert truths(Journal(target)) == {"x": {"fail": 1}, "y": {"fail": 1}}


def removed(path):
    path.unlink()


def emptied(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replaced(path):
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes() + b"{}\n")
    other.replace(path)


def rewritten(path):
    path.write_bytes(path.read_bytes().replace(b"anna", b"annabel") + b"\n" * 500)


def another(path):
    path.unlink()
    path.write_text("my own notes\n" * 200)


@pytest.mark.parametrize("act", [removed, emptied, cut, replaced, rewritten, another])
def test_what_is_acknowledged_is_in_the_file_whatever_happens_to_it(tmp_path, act):
    path = tmp_path / "j.jsonl"
    journal = begun(path, said(1, "a"), said(2, "b"), said(3, "c"))
    act(path)
    foreign = path.read_bytes() if path.exists() else b""
    journal.read_on() if path.exists() else None
    assert set(truths(journal)) == {"a", "b", "c"}
    if foreign:
        with pytest.raises(OSError, match="replaced, cut or changed by something else"):
            journal.add(said(4, "d"))
        assert path.read_bytes() == foreign
        assert set(truths(journal)) == {"a", "b", "c"}
        path.rename(tmp_path / "aside")
    journal.add(said(4, "d"))
    journal.add(said(5, "e"))
    again = read_journal(path)
    assert set(truths(again)) == set(truths(journal)) == {"a", "b", "c", "d", "e"}
    assert (again.start, again.torn) == (START, [])
    assert path.read_bytes().count(b"\n") == 6
