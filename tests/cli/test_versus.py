"""`algeval versus` and `algeval next` on files."""

import csv
import json
import random

import pytest

import algeval as ae
from algeval.cli.main import run

ITEMS = [f"q{k}" for k in range(60)]
A = ["pass"] * 50 + ["fail"] * 10
B = ["pass"] * 25 + ["fail"] * 35


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, truth in (("a", A), ("b", B)):
        rows = [["item", "gpt4", "claude", "gold"]]
        rows += [[item, t, t, t] for item, t in zip(ITEMS, truth, strict=True)]
        with open(f"{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows([row[:3] for row in rows])
        with open(f"keyed_{name}.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)
        with open(f"gold_{name}.csv", "w", newline="") as file:
            labelled = [row[:1] + row[3:] for row in rows[1::2]]
            csv.writer(file).writerows([["item", "truth"], *labelled])
    return tmp_path


def told(capsys, *arguments):
    code = run(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def test_without_labels_there_is_no_verdict_and_the_code_is_one(files, capsys):
    code, out, err = told(capsys, "versus", "a.csv", "b.csv", "--good", "pass")
    assert (code, err) == (1, "")
    assert "NOT DETERMINED" in out
    assert "+ accuracy 80%" in out


def test_with_labels_the_better_is_named(files, capsys):
    labels = ("--human-a", "gold_a.csv", "--human-b", "gold_b.csv")
    code, out, _ = told(capsys, "versus", "a.csv", "b.csv", "--good", "pass", *labels)
    assert code == 0
    assert "A BETTER" in out
    given = ("versus", "a.csv", "b.csv", "--good", "pass", *labels)
    assert told(capsys, *given, "--require", "second")[0] == 1
    assert told(capsys, *given, "--require", "first", "--names", "new,old")[0] == 0
    for name, code in (("A", 0), ("B", 1)):
        assert told(capsys, *given, "--require", name)[0] == code
    named = (*given, "--names", "candidate,second")
    for name, code in (("candidate", 0), ("first", 0), ("second", 1)):
        assert told(capsys, *named, "--require", name)[0] == code
    code, out, err = told(capsys, *named, "--require", "candidat")
    assert (code, out) == (2, "")
    assert err == (
        "algeval: --require must be a system, candidate or second, or first or second; got 'candidat'; "
        "did you mean 'candidate'?\n"
    )
    found = json.loads(told(capsys, *given, "--json")[1])
    assert found["verdict"] == "A BETTER"
    assert found["n_gold"] == 30


def test_labels_that_were_picked_exit_with_one(files, capsys):
    for name, truth in (("a", A), ("b", B)):
        rows = [f"{item},{word}" for item, word in zip(ITEMS[:25], truth[:25], strict=True)]
        (files / f"picked_{name}.csv").write_text("\n".join(["item,truth", *rows]))
    labels = ("--human-a", "picked_a.csv", "--human-b", "picked_b.csv")
    for required in ([], ["--require", "first"], ["--require", "second"]):
        given = ("versus", "a.csv", "b.csv", "--good", "pass", *labels, *required)
        code, out, _ = told(capsys, *given)
        assert code == 1
        assert "these labels were not drawn at random" in out
        assert "BETTER" not in out


def test_the_key_of_both_files_is_gold(files, capsys):
    code, out, _ = told(
        capsys, "versus", "keyed_a.csv", "keyed_b.csv", "--good", "pass", "--key", "gold"
    )
    assert code == 0
    assert "60 items, all labelled" in out
    assert "A BETTER" in out


def test_the_first_file_is_of_the_first_system(files, capsys):
    """A passes 50 of 60 and B 25: the judges' difference is +0.42, not the reverse."""
    found = json.loads(told(capsys, "versus", "a.csv", "b.csv", "--good", "pass", "--json")[1])
    assert found["table"][0]["estimate"] == pytest.approx(25 / 60)


def test_an_error_names_the_option(files, capsys):
    code, _, err = told(
        capsys, "versus", "a.csv", "b.csv", "--good", "pass", "--human-a", "gold_a.csv"
    )
    assert code == 2
    assert "--human-b" in err


def test_next_writes_what_versus_reads(files, capsys):
    code, out, _ = told(
        capsys,
        *("next", "a.csv", "--other", "b.csv", "--goal", "difference", "--n", "30"),
        *("--good", "pass", "-o", "label.csv"),
    )
    assert code == 0
    assert "30 items of 60" in out
    with open("label.csv") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 30
    for row in rows:
        place = ITEMS.index(row["item"])
        row |= {"truth_a": A[place], "truth_b": B[place]}
    with open("label.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    code, out, _ = told(
        capsys, "versus", "a.csv", "b.csv", "--good", "pass", "--human", "label.csv"
    )
    assert code == 0
    assert "A BETTER" in out
    assert "chances of inclusion" in out
    code, out, _ = told(capsys, "next", "a.csv", "--n", "4", "--json")
    assert len(json.loads(out)["items"]) == 4


def test_the_first_file_is_the_first_system(files, capsys):
    code, out, _ = told(capsys, "versus", "a.csv", "b.csv", "--good", "pass", "--json")
    (line,) = [row for row in json.loads(out)["table"] if row["name"] == "judges only"]
    assert code == 1
    assert round(line["estimate"], 3) == round((50 - 25) / 60, 3)
    assert json.loads(out)["source"] == "a.csv"


def test_an_error_keeps_words_that_are_no_options(files, capsys):
    with open("strange.csv", "w") as file:
        file.write("item,truth_a,truth_b\nq1,maybe,pass\n")
    code, _, err = told(
        capsys, "versus", "a.csv", "b.csv", "--good", "pass", "--human", "strange.csv"
    )
    assert code == 2
    assert "every label of" in err
    assert "read the votes with --labels naming" in err


def test_a_p_value_beside_a_verdict_says_what_it_is_of(capsys):
    assert run(["versus", "--example", "support-bot"]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert "labels and judges together decide this" in screen
    assert "labels alone would not: exact McNemar p = 0.3" in screen


def test_verdicts_on_pairs_are_for_leaderboard(files, capsys):
    rows = [["id", "model_a", "model_b", "response_a", "response_b", "gpt4"]]
    rows += [[f"p{k}", "x", "y", f"It is {k}.", f"{k}, I think.", "AB"[k % 2]] for k in range(40)]
    with open("pairs.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    code, _, err = told(capsys, "versus", "pairs.csv")
    assert code == 2
    assert err.endswith("rank these with algeval leaderboard pairs.csv\n")
    code, out, err = told(capsys, "rate", "pairs.csv")
    assert (code, out) == (2, "")
    assert "rank the systems with algeval leaderboard pairs.csv" in err
    assert err.endswith("count a side with --good A\n")
    assert "RATE OF A" in told(capsys, "rate", "pairs.csv", "--good", "A")[1]


def test_battles_of_the_arena_are_for_leaderboard(files, capsys):
    rows = [["question_id", "model_a", "model_b", "judge", "winner"]]
    for k in range(40):
        pair = [("x", "y"), ("y", "z"), ("z", "x")][k % 3]
        rows += [[f"q{k}", *pair, judge, ("model_a", "tie")[k % 2]] for judge in ("i", "j")]
    with open("battles.csv", "w", newline="") as file:
        csv.writer(file).writerows(rows)
    for command in ("versus", "rate"):
        code, _, err = told(capsys, command, "battles.csv")
        assert code == 2
        assert "algeval leaderboard battles.csv" in err
    assert "RATE OF model_a" in told(capsys, "rate", "battles.csv", "--good", "model_a")[1]


def two_versions(path, labelled):
    """Write outputs of two systems to some prompts; `labelled`: the prompts with a label of each."""
    rng = random.Random(9)
    lines = ["prompt_id,system,gpt4o,claude,human"]
    for system, of in labelled.items():
        for k in range(60):
            good = rng.random() < 0.7
            words = ["pass" if good == (rng.random() < p) else "fail" for p in (0.9, 0.85, 0.97)]
            human = words[2] if k in of else ""
            lines.append(f"p{k},{system},{words[0]},{words[1]},{human}")
    path.write_text("\n".join(lines))
    return path


def test_labels_of_one_system_and_prompts_of_one_system_are_said(tmp_path, capsys):
    some = {"v1": {*range(3), *range(10, 19)}, "v2": {*range(3), *range(30, 39)}}
    path = two_versions(tmp_path / "t.csv", some)
    assert run(["versus", str(path)]) == 0
    assert "12 labelled for v1, 12 for v2, 3 for both." in capsys.readouterr().out
    lines = [line for line in path.read_text().splitlines() if not line.startswith("p59,v2")]
    path.write_text("\n".join(lines).replace("p58,v1", "p60,v1"))  # each has a prompt of its own
    assert run(["versus", str(path)]) == 0
    out = capsys.readouterr().out
    assert (
        "12 of 60 items of v1 labelled, 12 of 59 items of v2 labelled; 58 items of both, 3 labelled"
        in out
    )
    assert "58 items were answered by both, 2 by v1 alone and 1 by v2 alone" in out


def test_no_prompt_labelled_for_both_is_said(tmp_path):
    path = two_versions(tmp_path / "t.csv", {"v1": range(12), "v2": range(20, 32)})
    assert ae.versus(path).warnings[0] == (
        "unpaired: no prompt of 60 has labels for both systems: label the same prompts for both, which says "
        "more"
    )


@pytest.mark.parametrize(
    ("labelled", "said"),
    [
        ({"v1": range(12), "v2": ()}, "got 12 outputs of 'v1' and none of 'v2'"),
        (
            {"v1": range(8), "v2": range(9), "v3": ()},
            "got 8 outputs of 'v1', 9 outputs of 'v2' and none of 'v3'",
        ),
    ],
)
def test_a_system_without_a_label_is_named(labelled, said, tmp_path, capsys):
    path = two_versions(tmp_path / "t.csv", labelled)
    assert run(["versus", str(path)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert run(["versus", str(path), "--ignore", "human"]) == 1  # what it offers


def test_next_of_two_systems_in_a_table_says_what_takes_its_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["prompt_id,system,response,gpt-4o,claude"]
    for p in range(40):
        for system in ("old", "new"):
            verdict = "pass" if (p + len(system)) % 3 else "fail"
            rows.append(f"p{p},{system},what {system} says of question {p},{verdict},{verdict}")
    (tmp_path / "results.csv").write_text("\n".join(rows) + "\n")
    line = ("results.csv", "--goal", "difference", "--n", "12", "-o", "to_label.csv")
    code, said, _ = told(capsys, "next", *line)
    assert code == 0
    assert "write what people say into truth of to_label.csv" in said
    assert said.rstrip().endswith("algeval versus results.csv --human to_label.csv")
    lines = (tmp_path / "to_label.csv").read_text().splitlines()
    assert lines[0] == "item,inclusion,truth,response"
    assert len(lines) == 25
    filled = [lines[0], *(line.replace(",,", ",pass,") for line in lines[1:])]
    (tmp_path / "to_label.csv").write_text("\n".join(filled) + "\n")
    _, said, _ = told(capsys, "versus", "results.csv", "--human", "to_label.csv")
    assert "the same 40 items, 12 labelled for both" in said
    _, said, _ = told(capsys, "next", "results.csv", "--n", "3")
    assert "-o to_label.csv writes the file to fill in" in said


@pytest.mark.parametrize(("both", "times"), [(40, 1), (20, 1), (0, 1), (20, 3)])
@pytest.mark.parametrize("target", ["items", "population"])
def test_rates_and_their_difference_are_the_same_in_python_and_on_the_command_line(
    both, times, target, tmp_path, capsys
):
    rng = random.Random(both)
    lines = ["id,prompt,system,gpt4o,claude,human"]
    for system, of in (("v1", range(40)), ("v2", range(40 - both, 80 - both))):
        for k in of:
            labelled = rng.random() < 0.5
            for trial in range(times):
                good = rng.random() < 0.7
                words = ["pass" if good == (rng.random() < p) else "fail" for p in (0.9, 0.85, 1)]
                human = words[2] if labelled else ""
                lines.append(
                    f"{system}{k}.{trial},what is {k}?,{system},{words[0]},{words[1]},{human}"
                )
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines))
    results, shown = ae.read_results(path), {}
    for command in ("versus", "rate"):
        assert run([command, str(path), "--target", target, "--json"]) == 0
        shown[command] = json.loads(capsys.readouterr().out)
    found, ends = ae.versus(path, target=target), ("difference", "low", "high", "verdict")
    assert [shown["versus"][name] for name in ends] == [getattr(found, name) for name in ends]
    rates = {name: ae.rate(part, target=target) for name, part in results.by_system.items()}
    for name, rate in rates.items():
        own = shown["rate"]["systems"][name]
        assert (own["rate"], own["low"], own["high"]) == (rate.rate, rate.low, rate.high)
    if both < 40:
        assert found.difference == pytest.approx(rates["v1"].rate - rates["v2"].rate)


def test_clusters_that_no_column_is_called_by_are_refused_with_the_columns(tmp_path, capsys):
    rows = [["id", "question", "system", "gpt4", "human"]]
    for k in range(40):
        said = ("pass", "fail")[k % 3 == 0]
        rows.append([f"o{k}", f"q{k // 2}", "AB"[k % 2], said, said if k < 20 else ""])
    path = tmp_path / "both.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    for command in ("versus", "rate", "judges"):
        code, out, err = told(capsys, command, str(path), "--cluster", "nope")
        assert (code, out) == (2, "")
        assert "got 'nope': no column and no file is called so; choose one" in err
        assert "the columns are 'id', 'question', 'system', 'gpt4', 'human'" in err
    with pytest.raises(ae.DataError, match="got 'nope': no file is called so, and no column that"):
        ae.judge_card(str(path), cluster="nope")
