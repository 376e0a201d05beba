"""Every command that `columns` and `report` name works on the file they name it for."""

import re
import shlex

import numpy as np
import pytest

from algeval.cli.main import run
from algeval.io.roles import good_label


def pairs():
    rng = np.random.default_rng(0)
    rows = ["question_id,model_a,model_b,winner_gpt4,winner_claude,winner_human,swapped"]
    for k in range(60):
        a, b = rng.permutation(["x", "y", "z"])[:2]
        votes = rng.choice(["A", "B", "tie"], 2, p=[0.5, 0.4, 0.1])
        human = rng.choice(["A", "B"]) if k % 3 == 0 else ""
        rows.append(f"{k},{a},{b},{votes[0]},{votes[1]},{human},{k % 2 == 0}")
    return rows


def scores(comma):
    rng = np.random.default_rng(1)
    rows = ["response_id;gpt_score;claude_score;expert;length"]
    for k in range(50):
        trait = rng.normal(6, 1.5)
        cells = [f"{trait + rng.normal():.1f}" for _ in range(2)]
        cells.append(f"{trait:.1f}" if k % 2 == 0 else "")
        row = ";".join([f"r{k:02}", *cells, str(rng.integers(50, 400))])
        rows.append(row.replace(".", ",") if comma else row)
    return rows


def good_or_bad():
    rng = np.random.default_rng(2)
    rows = ["id,faithfulness,relevancy,recall,human_ok"]
    for k in range(60):
        good = rng.random() < 0.6
        cells = [f"{np.clip(0.4 + 0.3 * good + 0.15 * rng.normal(), 0, 1):.4f}" for _ in range(3)]
        rows.append(",".join([f"q{k}", *cells, str(good) if k < 30 else ""]))
    return rows


def crowd():
    rng = np.random.default_rng(3)
    rows = ["task_id,worker_id,label"]
    for k in range(40):
        truth = rng.random() < 0.5
        for w in rng.permutation(8)[:4]:
            rows.append(f"t{k},w{w},{'yes' if truth ^ (rng.random() < 0.2) else 'no'}")
    return rows


def preferences():
    """Pairs of two systems, judged from 1, the first answer is better, to 2, the second is."""
    rng = np.random.default_rng(4)
    rows = ["instruction,output_1,generator_1,output_2,generator_2,annotator,preference"]
    words = list("abcdefghijkl")
    for k in range(60):
        said = [" ".join(w + "rst" for w in rng.choice(words, 12)) for _ in range(3)]
        number = rng.choice([1, 1.02, 1.5, 1.98, 2], p=[0.2, 0.1, 0.1, 0.2, 0.4])
        rows.append(f"{said[0]} {k},{said[1]},base,{said[2]},mine,ann,{number}")
    return rows


def metrics():
    """Verdicts of two metrics beside numbers of a third, a row per prompt and model."""
    rng = np.random.default_rng(5)
    rows = ["instance_id,model,exact_match,quasi_exact_match,f1_score,num_output_tokens"]
    for k in range(60):
        for model in ("gpt-4", "llama-2-70b"):
            exact = rng.random() < 0.5
            cells = [int(exact), int(exact or rng.random() < 0.1), f"{rng.random():.3f}"]
            rows.append(",".join(map(str, [f"id{k}", model, *cells, rng.integers(1, 30)])))
    return rows


def feedback():
    """A verdict and a number under one prefix."""
    rng = np.random.default_rng(6)
    rows = ["id,outputs.answer,feedback.helpful,feedback.relevance_score,latency"]
    for k in range(60):
        words = " ".join(rng.choice(["river", "code", "value", "list", "answer"], 9))
        helpful = rng.choice(["yes", "no"])
        rows.append(f"{k},{words} {k},{helpful},{rng.random():.2f},{rng.random():.3f}")
    return rows


FILES = {
    "preferences": preferences(),
    "metrics": metrics(),
    "feedback": feedback(),
    "pairs": pairs(),
    "scores": scores(comma=False),
    "decimal-commas": scores(comma=True),
    "scores-and-classes": good_or_bad(),
    "crowd": crowd(),
}


@pytest.mark.parametrize("name", FILES)
def test_each_command_named_on_a_screen_works(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("\n".join(FILES[name]) + "\n", encoding="utf-8")
    commands = []
    for first in (["columns", "mine.csv"], ["report", "mine.csv"]):
        assert run(first) in (0, 1)
        out = capsys.readouterr().out
        commands += re.findall(r"^  (algeval .*?)(?:  #.*)?$", out, re.MULTILINE)
    assert len(set(commands)) >= 2
    for command in set(commands):
        assert run(shlex.split(command)[1:]) in (0, 1), (command, capsys.readouterr().err)


def test_pairs_are_ranked_by_judges_and_by_people(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(FILES["pairs"]) + "\n", encoding="utf-8")
    assert run(["leaderboard", str(path)]) == 0
    out = capsys.readouterr().out
    assert "120 battles (each a verdict, on 60 pairs of answers), 60 clusters by question_id" in out
    assert "People decided 20 pairs" in out  # each judged by two


def test_numbers_from_1_to_2_name_winners(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(FILES["preferences"]) + "\n", encoding="utf-8")
    said = [float(row.rpartition(",")[2]) for row in FILES["preferences"][1:]]
    won, lost = sum(x > 1.5 for x in said), sum(x < 1.5 for x in said)
    assert run(["report", str(path)]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    assert (
        f"mine wins {won / (won + lost):.0%} of {won + lost} verdicts; {60 - won - lost} ties."
        in screen
    )
    assert run(["leaderboard", str(path)]) == 0
    assert "60 battles, 60 clusters by prompt" in capsys.readouterr().out


def test_verdicts_beside_numbers_are_the_judges(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    for name, expected in (
        ("metrics", "Share rated 1: not known without human labels; the judges give it to"),
        ("feedback", "'yes' rate: not known without human labels; the judge gives it to"),
    ):
        path.write_text("\n".join(FILES[name]) + "\n", encoding="utf-8")
        assert run(["report", str(path)]) == 0
        assert expected in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("bad", ["not resolved", "unresolved", "Not resolved", "not_resolved"])
def test_a_good_word_with_not_before_it_is_the_other_label(bad):
    assert good_label(["Resolved", bad]) == "resolved"


def test_not_toxic_is_left_to_the_reader():
    assert good_label(["toxic", "not toxic"]) is None


def test_two_people_beside_judges_are_no_systems(tmp_path, capsys):
    rows = ["id,gpt4o,claude,human_ann,human_bo"]
    for k in range(40):
        rows.append(f"{k},{'pass' if k % 3 else 'fail'},{'pass' if k % 4 else 'fail'},pass,fail")
    rows[5:9] = [row.replace("pass,fail", "fail,pass") for row in rows[5:9]]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run(["columns", str(path)]) == 0
    said = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()[1:6]}
    assert said == dict.fromkeys(("gpt4o", "claude"), "judge") | {
        "id": "item",
        "human_ann": "human",
        "human_bo": "human",
    }


def test_thumbs_of_people_are_labels(tmp_path, capsys):
    rows = ["_step,judge_gpt,judge_claude,annotator.thumb"]
    for k in range(60):
        thumb = "" if k % 3 else "\N{THUMBS UP SIGN}" if k % 2 else "\N{THUMBS DOWN SIGN}"
        rows.append(
            f"{k},{'true' if k % 2 else 'false'},{'true' if (k % 2) ^ (k % 10 == 0) else 'false'},{thumb}"
        )
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert run(["report", str(path)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "20 human answers (33%); '\N{THUMBS UP SIGN}' is the good label" in out
    assert "judge_gpt 100% (86-100) 20" in out


def test_scores_are_held_against_people(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(FILES["scores-and-classes"]) + "\n", encoding="utf-8")
    assert run(["report", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Share rated True" in out
    assert "from 30 human labels" in out
    assert "chance that of two items the one people call 'True' has the higher score" in out
    path.write_text("\n".join(FILES["decimal-commas"]) + "\n", encoding="utf-8")
    assert run(["report", str(path)]) == 0
    assert "rank correlation with people's scores" in capsys.readouterr().out
