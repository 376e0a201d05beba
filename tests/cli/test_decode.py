"""`algeval decode`: an exit code of use in scripts, and a first line without algebra."""

import json

import pytest

from algeval.cli.main import run


def sketch_file(folder, counts):
    """Write the counts of decision tuples of the judges x, y and z."""
    document = {
        "schema": "algeval.sketch/1",
        "judges": ["x", "y", "z"],
        "labels": ["a", "b"],
        "answers": ["a", "b"],
        "codes": [["ab".index(answer) for answer in row] for row in counts],
        "counts": list(counts.values()),
    }
    path = folder / "counts.json"
    path.write_text(json.dumps(document))
    return str(path)


ONCE = dict.fromkeys(["aaa", "aab", "aba", "abb", "baa", "bab", "bba"], 1)

CASES = [
    (ONCE | {"bbb": 9}, "ok", 0, "can be graded: independent errors"),
    (
        ONCE | {"bbb": 7, "aaa": 3},
        "irrational",
        0,
        "can be graded as if their errors were independent",
    ),
    ({"aab": 1, "aba": 1, "baa": 1, "bbb": 5}, "irrational", 1, "cannot be graded by algebra"),
    (ONCE | {"bbb": 1}, "undetermined", 1, "leave open how good"),
    ({"aab": 3, "abb": 1, "baa": 1, "bba": 3, "bab": 2, "aba": 2}, None, 1, "cannot be graded"),
]


@pytest.mark.parametrize(("counts", "status", "code", "words"), CASES)
def test_an_estimate_is_0_and_none_is_1(counts, status, code, words, tmp_path, capsys):
    path = sketch_file(tmp_path, counts)
    assert run(["decode", path]) == code
    first = capsys.readouterr().out.splitlines()[0]
    assert words in first
    assert run(["decode", path, "--json"]) == code
    document = json.loads(capsys.readouterr().out)
    if status is not None:
        assert document["status"] == status
    numbers = [n for e in document["evaluations"][:1] for n in e["prevalence"]]
    assert bool(numbers) or code == 1


def test_trio_is_another_spelling_of_judges(tmp_path, capsys):
    path = tmp_path / "votes.csv"
    rows = ["aaaa", "bbbb"] * 9 + ["aaab", "aaba", "abaa", "baaa", "abbb", "babb", "bbab", "bbba"]
    path.write_text(
        "\n".join(["item,w,x,y,z", *(f"{i},{','.join(r)}" for i, r in enumerate(rows))])
    )
    told = []
    for option in ("--judges", "--trio"):
        run(["decode", str(path), option, "z,w,y", "--json"])
        told.append(json.loads(capsys.readouterr().out)["evaluations"])
    assert told[0] == told[1] != []


@pytest.fixture
def call(capsys):
    """Run the command line; return its exit code and what it printed."""

    def called(*words):
        code = run([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return called


def test_show_algebra_prints_every_step_after_the_verdict(call):
    code, out, err = call("decode", "--example", "acs", "--show-algebra")
    assert (code, err) == (0, "")
    assert "1 is right on 48.9" in out.partition("1. If errors")[0]
    steps = [line[:2] for line in out.splitlines() if line[:1].isdigit() and line[1:3] == ". "]
    assert steps == [f"{n}." for n in range(1, 9)]
    assert "Delta_ijk = -1836336489/500000000000" in out
    assert "P_A = 1/2 - 3*sqrt(" in out


def test_show_algebra_in_json(call):
    document = json.loads(call("decode", "--example", "acs", "--show-algebra", "--json")[1])
    assert document["schema"] == "algeval.decoding/1"
    assert document["ladder"]["schema"] == "algeval.ladder/1"
    assert [step["name"] for step in document["ladder"]["steps"]][-1] == "check"
    assert "ladder" not in json.loads(call("decode", "--example", "acs", "--json")[1])


def test_show_algebra_needs_three_judges_of_two_labels(call, tmp_path):
    path = tmp_path / "four.csv"
    path.write_text("item,w,x,y,z\n1,a,a,b,a\n2,b,b,b,a\n3,a,b,a,b\n")
    code, _, err = call("decode", path, "--show-algebra")
    assert code == 2
    assert "--show-algebra must have three judges; got 4" in err
    code, _, err = call("decode", "--example", "mt-bench", "--show-algebra")
    assert code == 2
    assert "two answers, the labels" in err
