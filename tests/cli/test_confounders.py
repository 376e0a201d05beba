"""What judges share, on the command line: attributes, clusters, texts, JSON, and no key."""

import csv
import json

import numpy as np
import pytest

from algeval.cli.main import run as run_command


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    quality, length = rng.normal(size=(2, 240))
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", *"uvwxyz", "length", "question", "answer_text", "gold"])
        for i in range(240):
            drawn = [quality[i] + rng.normal() for _ in range(3)]
            drawn += [0.4 * quality[i] + 1.5 * length[i] + rng.normal() for _ in range(3)]
            text = "A sentence of words. " * int(20 + 8 * length[i])
            cells = [f"{score:.3f}" for score in drawn] + [f"{length[i]:.3f}", i // 2, text]
            writer.writerow([f"i{i}", *cells, int(quality[i] > 0)])
    return str(path)


@pytest.fixture
def run(capsys):
    def run_it(*arguments):
        code = run_command([str(a) for a in arguments])
        told = capsys.readouterr()
        return code, told.out + told.err

    return run_it


def test_columns_files_clusters_and_texts(run, table, tmp_path):
    judges = ["--judges", "u,v,w,x,y,z"]
    code, told = run("confounders", table, *judges, "--attributes", "length", "--key", "gold")
    assert code == 0
    assert "The 6 judges share more than one thing" in told
    assert "with length (+" in told.splitlines()[0]
    assert "the key was not used" in told
    assert "By this you say" in told
    own = tmp_path / "known.csv"
    with open(table, newline="") as stream:
        rows = list(csv.DictReader(stream))
    own.write_text("\n".join(["item,size", *(f"{r['item']},{r['length']}" for r in rows), ""]))
    code, told = run("confounders", table, *judges, "--attributes", own)
    assert (code, "size (+" in told) == (0, True)
    code, told = run(
        "confounders", table, "--cluster", "question", "--texts", "answer_text", "--json"
    )
    found = json.loads(told)
    assert found["n_clusters"] == 120
    assert found["schema"] == "algeval.confounders/1"
    assert "question" not in found["judges"]
    assert "characters" in {one["attribute"] for one in found["associations"]}


def test_what_is_missing_or_wrong_is_said(run, table):
    code, told = run("confounders", table, "--cluster", "questoin")
    assert (code, "questoin" in told) == (2, True)
    code, told = run("confounders", table, "--folds", "1")
    assert (code, "folds must be a whole number of at least 2" in told) == (2, True)
    code, told = run("confounders", table, "--judges", "u,v")
    assert (code, "at least 3 judges" in told) == (1, True)
    code, told = run("confounders", "--example", "mt-bench")
    assert (code, "confounders must see scores" in told) == (2, True)
    assert "Traceback" not in told
