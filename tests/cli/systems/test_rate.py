"""`algeval rate` from the command line: the page, JSON, files beside the votes, exit codes."""

import json

import pytest

from algeval import read_votes
from algeval.cli.main import run

PASSES = [k % 10 < 7 for k in range(120)]


def word(passes):
    return "pass" if passes else "fail"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = ["item,x,y"]
    lines += [
        f"i{k},{word(p ^ (k % 9 == 0))},{word(p ^ (k % 7 == 0))}" for k, p in enumerate(PASSES)
    ]
    (tmp_path / "votes.csv").write_text("\n".join(lines))
    labels = ["item,label,inclusion"]
    labels += [f"i{k},{word(PASSES[k])},{0.5 if k % 2 else 0.25}" for k in range(0, 120, 3)]
    (tmp_path / "drawn.csv").write_text("\n".join(labels))
    (tmp_path / "labels.csv").write_text("\n".join(line.rpartition(",")[0] for line in labels))
    (tmp_path / "prompts.csv").write_text(
        "\n".join(["item,prompt", *(f"i{k},p{k // 4}" for k in range(120))])
    )
    return tmp_path


def told(capsys, *arguments):
    code = run(["rate", "votes.csv", "--good", "pass", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_without_labels_nothing_is_settled(folder, capsys):
    code, out, _ = told(capsys)
    assert code == 1
    assert "RATE OF pass not determined by these votes" in out
    assert "these 120 items, 2 judges, no label" in out


def test_labels_give_an_interval(folder, capsys):
    code, out, _ = told(capsys, "--human", "labels.csv")
    assert code == 0
    assert "RATE OF pass 0.7" in out
    assert "labels + judges  <-" in out
    assert "40 labels" in out


def test_what_is_required_decides_the_exit_code(folder, capsys):
    asked = (("above", "50%"), ("above", "0.7"), ("below", "9/10"), ("below", "0.7"))
    codes = [
        told(capsys, "--human", "labels.csv", "--require", side, "--against", against)[0]
        for side, against in asked
    ]
    assert codes == [0, 1, 0, 1]


def test_json_holds_the_numbers(folder, capsys):
    code, out, _ = told(capsys, "--human", "labels.csv", "--json", "--target", "population")
    found = json.loads(out)
    assert (code, found["schema"], found["target"]) == (0, "algeval.rate/1", "population")
    assert found["low"] < 0.7 < found["high"]
    assert found["table"][-1]["answer"] is True


def test_chances_clusters_and_methods_come_from_options(folder, capsys):
    weighted = json.loads(told(capsys, "--human", "drawn.csv", "--json")[1])
    assert weighted["method"] == "weighted"
    plain = json.loads(
        told(
            capsys,
            "--human",
            "labels.csv",
            "--drawn",
            "unequal",
            "--inclusion",
            "drawn.csv",
            "--json",
        )[1]
    )
    assert plain["low"] == weighted["low"]
    clustered = ("--cluster", "prompts.csv", "--target", "population", "--json")
    assert json.loads(told(capsys, "--human", "labels.csv", *clustered)[1])["method"] == "clustered"
    asked = ("--method", "ppi", "--predictor", "share", "--level", "0.9", "--json")
    found = json.loads(told(capsys, "--human", "labels.csv", *asked)[1])
    assert (found["method"], found["level"]) == ("ppi", 0.9)


def test_error_rates_come_from_a_table_of_other_items(folder, capsys):
    lines = (folder / "votes.csv").read_text().splitlines()
    other = [lines[0] + ",gold"]
    other += [f"old-{line},{word(p)}" for line, p in zip(lines[1:], PASSES, strict=True)]
    (folder / "release1.csv").write_text("\n".join(other))
    code, out, _ = told(capsys, "--human", "release1.csv", "--drawn", "elsewhere", "--json")
    found = json.loads(out)
    assert (code, found["method"], found["n_gold"]) == (0, "transfer", 120)
    assert found["low"] < 0.7 < found["high"]


def test_a_belief_is_no_label(folder, capsys):
    code, out, _ = told(capsys, "--at-least", "0.85")
    assert code == 0
    assert "+ accuracy 85%" in out
    assert "for whoever holds the belief given" in out


def test_a_wrong_option_is_one_sentence(folder, capsys):
    code, _, err = told(capsys, "--human", "labels.csv", "--predictor", "best")
    assert code == 2
    assert err.startswith("algeval: --predictor must be one of")
    assert told(capsys, "--human", "nowhere.csv")[0] == 2


def test_a_tie_counts_one_half(folder, capsys):
    drawn = [f"i{k},{'tie' if k % 4 == 0 else word(PASSES[k])}" for k in range(0, 120, 2)]
    (folder / "ties.csv").write_text("\n".join(["item,label", *drawn]))
    code, out, _ = told(capsys, "--human", "ties.csv", "--tie", "tie", "--json")
    found = json.loads(out)
    assert (code, found["method"], found["n_gold"]) == (0, "ppi", 60)
    code, _, err = told(capsys, "--human", "ties.csv")
    assert (code, "must be one of the votes' labels" in err) == (2, True)


def test_counts_per_judge_are_enough_without_labels(folder, capsys):
    (folder / "counts.json").write_text(json.dumps(read_votes("votes.csv").summary().to_dict()))
    code = run(["rate", "counts.json", "--good", "pass", "--at-least", "90%"])
    assert code == 0
    assert "no label" in capsys.readouterr().out
    assert run(["rate", "counts.json", "--good", "pass", "--human", "labels.csv"]) == 2
    assert "votes item by item" in capsys.readouterr().err


def test_a_belief_that_decides_leads_and_is_called_a_belief(folder, capsys):
    code, out, _ = told(capsys, "--at-least", "0.8", "--against", "0.3")
    assert code == 0
    assert out.splitlines()[0].startswith("votes.csv: RATE OF pass from 0.")
    assert "under the belief given" in out.splitlines()[0]


def test_a_cut_makes_votes_of_scores(folder, capsys):
    lines = ["item,x,y", *(f"i{k},{k % 10},{(k + 1) % 10}" for k in range(100))]
    (folder / "scores.csv").write_text("\n".join(lines))
    found = {}
    for cut in ("3", "8"):
        arguments = ["scores.csv", "--scores", "--cut", cut, "--good", "1", "--at-least", "0.9"]
        run(["rate", *arguments, "--json"])
        found[cut] = json.loads(capsys.readouterr().out)
    assert found["3"]["low"] > found["8"]["high"], (
        "seven of ten scores are 3 or more, two are 8 or more"
    )


def test_waves_of_labels_go_from_file_to_file(folder, capsys):
    """Each wave reads what the one before wrote; five are as good as one random draw."""
    for wave in range(1, 6):
        before = ["--human", f"w{wave - 1}.csv"] if wave > 1 else []
        asked = ["--good", "pass", "--n", "8", "--seed", str(wave), "-o", f"w{wave}.csv", *before]
        assert run(["next", "votes.csv", *asked]) == 0
        lines = (folder / f"w{wave}.csv").read_text().splitlines()
        filled = [
            line + word(PASSES[int(line.split(",")[0][1:])]) if line.endswith(",") else line
            for line in lines
        ]
        (folder / f"w{wave}.csv").write_text("\n".join(filled))
    capsys.readouterr()
    assert filled[0] == "item,wave,strategy,inclusion,truth"
    assert {line.split(",")[1] for line in filled[1:]} == {"1", "2", "3", "4", "5"}
    found = json.loads(told(capsys, "--human", "w5.csv", "--json")[1])
    assert (found["n_gold"], found["method"], found["assumption"]) == (
        40,
        "strata",
        "labels drawn at random",
    )
    plain = [f"{line.split(',')[0]},{line.split(',')[-1]}" for line in filled]
    (folder / "plain.csv").write_text("\n".join(plain))
    same = json.loads(told(capsys, "--human", "plain.csv", "--json")[1])
    assert (same["low"], same["high"]) == (found["low"], found["high"])
    assert found["effective_size"] > 40


def test_picked_labels_fail_what_is_required(folder, capsys):
    rows = [line.split(",") for line in (folder / "votes.csv").read_text().splitlines()[1:]]
    picked = [f"{i},{word(PASSES[int(i[1:])])}" for i, x, y in rows if x == y == "pass"][:40]
    (folder / "picked.csv").write_text("\n".join(["item,label", *picked]))
    for side, against in (("above", "0.6"), ("above", "0.01"), ("below", "0.99")):
        code, out, _ = told(
            capsys, "--human", "picked.csv", "--require", side, "--against", against
        )
        assert code == 1
        assert "NOT DETERMINED: these labels were not drawn at random" in out.splitlines()[0]
        assert "REFUTED" not in out
