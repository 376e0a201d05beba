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
