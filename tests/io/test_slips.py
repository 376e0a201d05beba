"""Labels that look mistyped: said, counted as missing, and never read as another."""

import random

import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.io.answers import Rules, slips_among

RULES = Rules.make(None, None, None)


def table(odd=None, column="human", n=200, labelled=80):
    rng = random.Random(1)
    rows = []
    for k in range(n):
        good = rng.random() < 0.75
        said = {j: "yes" if good ^ (rng.random() < 0.1) else "no" for j in ("gpt4o", "claude")}
        said["human"] = ("yes" if good else "no") if k < labelled else None
        rows.append({"id": str(1000 + k)} | said)
    if odd is not None:
        rows[16][column] = odd
    return rows


@pytest.mark.parametrize(
    ("odd", "like"),
    [
        ("yess", "yes"),
        ("yees", "yes"),
        ("ye", None),  # of two labels one letter off, this is read: see below
        ("y", "yes"),
        ("n", "no"),
        ("yes?", "yes"),
        ("noo", "no"),
        ("on", None),
        ("maybe", None),
        ("yes but", None),
    ],
)
def test_what_looks_mistyped_is_rare_and_one_letter_off(odd, like):
    tallies = {"yes": 60, "no": 20, odd: 1}
    expected = {"ye": "yes"}.get(odd, like)
    assert slips_among(tallies, RULES) == ({} if expected is None else {odd: expected})


@pytest.mark.parametrize(
    ("odd", "label"),
    [
        ("symptomatic", "asymptomatic"),
        ("asymptomatic", "symptomatic"),
        ("safe", "unsafe"),
        ("invalid text", "valid text"),
        ("B+", "B"),
        ("B-", "B"),
        ("model b", "model a"),
        ("grade 2", "grade 1"),
        ("4", "5"),
        ("v2", "v1"),
        ("cat", "car"),
        ("10", "1"),
    ],
)
def test_labels_of_their_own_are_none(odd, label):
    assert slips_among({label: 60, "other": 60, odd: 1}, RULES) == {}


def test_neither_is_what_is_said_often_or_named_by_an_option():
    assert slips_among({"pass": 60, "fail": 40, "passs": 8}, RULES) == {}
    assert slips_among({"pass": 4, "fail": 3, "passs": 1}, RULES) == {}
    assert slips_among({"pass": 60, "fail": 40, "pss": 1}, RULES) == {"pss": "pass"}
    assert slips_among({"hat": 60, "hate": 40, "hatt": 1}, RULES) == {}  # like both
    assert slips_among({"hats": 60, "hate": 40, "hat": 1}, RULES) == {}
    named = Rules.make(None, ["pass", "fail", "passs"], None)
    assert slips_among({"pass": 60, "fail": 40, "passs": 1}, named) == {}
    same = Rules.make(None, None, None, None, {"passs": "pass"})
    assert slips_among({"pass": 60, "fail": 40, "passs": 1}, same) == {}


def test_a_persons_slip_is_missing_and_said_and_the_rest_is_answered():
    results = ae.read_results(table("yess"))
    assert results.good == "yes"
    assert results.n_labelled == 79
    assert results.human.get("1016") is None
    note = (
        "1 label 'yess' of 'human' (id 1016) is like 'yes' and counts as missing: correct it, or "
        "same={'yess': 'yes'}"
    )
    assert note in results.notes
    rows = table()
    rows[16]["human"] = None
    other = ae.read_results(rows)
    assert ae.rate(results).rate == ae.rate(other).rate
    assert note in ae.rate(results).warnings


def test_what_the_sentence_says_reads_it_as_that_label():
    rows = table("yess")
    corrected = [r | {"human": "yes"} if r["human"] == "yess" else r for r in rows]
    same = ae.read_results(rows, same={"yess": "yes"})
    assert ae.rate(same).rate == ae.rate(corrected).rate
    assert not [note for note in same.notes if "is like" in note]


def test_a_judges_slip_is_a_vote_not_given():
    results = ae.read_results(table("yees", "claude"))
    assert results.votes.labels == ("no", "yes")
    assert results.votes.missing.tolist() == [0, 1]
    assert any("'yees' of 'claude' (id 1016)" in note for note in results.votes.cautions)
    columns = {j: [r[j] for r in table("yees", "claude")] for j in ("gpt4o", "claude")}
    votes = ae.read_votes(columns | {"x": columns["gpt4o"]}, judges=["gpt4o", "claude", "x"])
    assert votes.missing.tolist() == [0, 1, 0]
    assert any("1 vote 'yees' is like 'yes'" in note for note in votes.cautions)


def test_a_judge_that_spells_all_its_answers_so_is_no_slip():
    names = [f"j{k}" for k in range(60)]
    columns = {j: ["pass", "fail"] * 20 for j in names} | {"odd": ["passs", "fail"] * 20}
    votes = ae.read_votes(columns)
    assert not [note for note in votes.notes if "is like" in note]


def test_the_screens_say_it(tmp_path, capsys):
    path = tmp_path / "t.csv"
    pd.DataFrame(table("yess")).to_csv(path, index=False)
    for command in ([str(path)], ["columns", str(path)], ["rate", str(path)]):
        assert run(command) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "1 label 'yess' of 'human' (id 1016) is like 'yes' and counts as missing" in out
        assert "--same yess=yes" in out
        assert "yess': --good" not in out


def test_labels_of_a_file_that_say_otherwise_are_counted(tmp_path):
    rows = table()
    results = ae.read_results(rows)
    changed = {r["id"]: r["human"] for r in rows if r["human"]}
    changed["1003"] = "no" if changed["1003"] == "yes" else "yes"
    drawn = pd.DataFrame(
        {"item": [*changed], "wave": 1, "strategy": "spread", "inclusion": 0.4}
        | {"truth": [*changed.values()]}
    )
    joined = results.with_people(drawn)
    said = "of 80 items with a label of 'human' and in the file they differ on 1, where the file's count"
    assert said in joined.votes.cautions
    assert joined.human["1003"] == changed["1003"]
    drawn.loc[drawn["item"] == "1003", "truth"] = results.human["1003"]
    assert not [n for n in results.with_people(drawn).notes if "differ" in n]
