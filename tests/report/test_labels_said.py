"""The sentence on two systems: what is shown, what would show it, and no more labels than there are."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.report.first import difference_line


def compared(difference, low, high, verdict="NO DIFFERENCE SHOWN", **more):
    told = {"n_gold": 40, "n_discordant": 12, "n_own_gold": None, "message": ""} | more
    return SimpleNamespace(
        names=("old", "new"), difference=difference, low=low, high=high, verdict=verdict, **told
    )


NOT_SHOWN = "Which of old and new is better is not shown: "


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            compared(-0.16, -0.27, -0.04, "new BETTER"),
            "new is better by 16 points (+4 to +27 for new), by 40 prompts labelled for both: shown.",
        ),
        (
            compared(
                -0.12, -0.3, 0.06
            ),  # 7.84 * 0.3 / 0.01 prompts for 10 points, not for the 12 seen
            f"{NOT_SHOWN}new is ahead by 12 points (-6 to +30 for new), by 40 prompts labelled for both; "
            "10 points take about 236.",
        ),
        (
            compared(0.12, -0.06, 0.3, n_discordant=0),  # a tenth differs at least
            f"{NOT_SHOWN}old is ahead by 12 points (-6 to +30 for old), by 40 prompts labelled for both; "
            "10 points take about 79.",
        ),
        (
            compared(0.001, -0.05, 0.05),
            f"{NOT_SHOWN}they are alike to the point (-5 to +5 for old), by",
        ),
        (
            compared(-0.12, -0.3, 0.06, n_gold=0, n_own_gold=(30, 25)),
            "by 30 and 25 labels of each; 10 points take about 166.",  # 25 (.18 / .1 * 2.8 / 1.96)^2
        ),
        (
            compared(None, -1, 1, "NOT DETERMINED", n_gold=0),
            "Which of old and new is better is not known: no label for both.",
        ),
    ],
)
def test_a_difference_is_said_with_the_labels_that_there_are(result, words):
    assert words in difference_line(result)


def rows(n=60, of=("A", "B"), labelled=("A", "B")):
    return [
        {
            "id": f"{system}{k}",
            "prompt": f"p{k}",
            "app": system,
            "x": "pass" if (k * 7 + len(system)) % 3 else "fail",
            "y": "pass" if (k * 5) % 4 else "fail",
            "human": ("pass" if (k * 7) % 3 else "fail") if system in labelled and k < 25 else None,
        }
        for k in range(n)
        for system in of
    ]


@pytest.mark.parametrize(("labelled", "asked"), [(("A", "B"), True), (("A",), False)])
def test_systems_are_to_be_compared_where_two_have_labels(labelled, asked, tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame(rows(labelled=labelled)).to_csv(path, index=False)
    calls = [step.call for step in ae.report(str(path)).overview.steps]
    assert any("versus" in call for call in calls) == asked


def grown(tmp_path, strategy="spread"):
    """A table that has grown by half, and labels drawn before."""
    path, labels = tmp_path / "grown.csv", tmp_path / "labels.csv"
    before = rows(150, labelled=())
    drawn = ae.next_items(pd.DataFrame(before).drop(columns="human"), 100)
    drawn.write(labels)
    sheet = pd.read_csv(labels, dtype=str)
    sheet["truth"] = ["pass" if int(item[1:]) % 3 else "fail" for item in sheet["item"]]
    sheet.to_csv(labels, index=False)
    pd.DataFrame(rows(200, labelled=())).drop(columns="human").to_csv(path, index=False)
    return str(path), str(labels)


def test_a_table_that_has_grown_is_said_once_in_rate_and_versus(tmp_path, capsys):
    from algeval.cli.main import run

    path, labels = grown(tmp_path)
    for command in ("rate", "versus"):
        run([command, path, "--human", labels, "--good", "pass"])
        out = capsys.readouterr().out
        assert out.count("these labels were drawn from 300 items and the table has 400") == 1


def test_judges_of_the_first_screen_weigh_labels_as_their_card_does(tmp_path):
    path, labels = grown(tmp_path)
    card = ae.judge_card(path, human=labels)
    report = ae.report(path, human=labels)
    table = report.overview.table
    for cells in table.rows:
        row = card.row(cells[0])
        value, low, high = (100 * x for x in row.accuracy)
        assert cells[1] == f"{value:.0f}% ({low:.0f}-{high:.0f})"


def test_an_interval_that_leaves_0_and_settles_nothing_says_why():
    result = compared(
        -0.17,
        -0.28,
        -0.05,
        verdict="NOT SETTLED",
        message="old - new ... NOT SETTLED: the interval leaves 0 but rests on 4 labelled differences.",
    )
    said = difference_line(result)
    assert said.startswith(
        f"{NOT_SHOWN}new is ahead by 17 points (+5 to +28 for new), the interval"
    )
    assert said.endswith("the interval leaves 0 but rests on 4 labelled differences.")


def scored_with_a_file_of_labels(folder):
    rng = np.random.default_rng(5)
    right = rng.random(80) < 0.7
    scores = {f"score_{j}": np.round(rng.normal(right, 0.4), 2) for j in ("gpt4o", "claude")}
    table, labels = folder / "scores.csv", folder / "labels.csv"
    frame = pd.DataFrame({"output_id": [f"o{k}" for k in range(80)], **scores})
    frame.to_csv(table, index=False, sep=";", decimal=",")
    frame[["output_id"]].assign(label=right.astype(int))[:30].to_csv(labels, index=False)
    return table, labels


@pytest.mark.parametrize("cut", [[], ["--cut", "0.5"]])
def test_labels_of_a_file_are_counted_on_the_first_screen_of_scores(tmp_path, capsys, cut):
    table, labels = scored_with_a_file_of_labels(tmp_path)
    assert run(["report", str(table), "--human", str(labels), *cut]) == 0
    said = capsys.readouterr().out
    assert "30 human answers" in said
    assert "from 30 human labels" in said


def two_systems(labelled, n=150):
    """Return outputs of two systems; `labelled` says for which prompts people judged each."""
    rng = np.random.default_rng(5)
    listed = []
    for k in range(n):
        for system, share in (("v1", 0.6), ("v2", 0.75)):
            good = rng.random() < share
            said = [("fail", "pass")[good if rng.random() < 0.85 else not good] for _ in "xy"]
            person = ("fail", "pass")[good] if k in labelled[system] else None
            listed.append(
                {"id": f"{system}-{k}", "prompt": f"p{k}", "system": system}
                | {"gpt4o": said[0], "claude": said[1], "human": person}
            )
    return pd.DataFrame(listed)


def screen(tmp_path, capsys, frame, asked, *words):
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    run([asked, str(path), *words])
    return " ".join(capsys.readouterr().out.split())


def test_a_difference_says_by_how_many_prompts_and_rates_what_each_system_takes(tmp_path, capsys):
    uneven = two_systems({"v1": range(60), "v2": range(40)})
    text = screen(tmp_path, capsys, uneven, "report")
    gap = int(re.search(r"(?:ahead|better) by (\d+) points? \(", text)[1])
    rates = [int(n) for n in re.findall(r"(?:v1|v2)[^.:]*?: (\d+)%", text)[:2]]
    assert abs(abs(rates[1] - rates[0]) - gap) <= 1  # each rounded
    text = screen(tmp_path, capsys, uneven, "columns")
    more = re.search(r"rate of each system to within \d+ points: more human labels .*?:", text)
    numbers = [int(n) for n in re.findall(r"(\d+) of v\d", more.group())]
    assert f"--n {sum(numbers)} " in text
    needed = int(re.search(r"about (\d+) prompts labelled for both, more than the 150 ", text)[1])
    assert needed > 150
    even = two_systems({"v1": range(40), "v2": range(40)})
    assert "by 40 prompts labelled for both" in screen(tmp_path, capsys, even, "report")
    whole = two_systems({"v1": range(150), "v2": range(150)})
    text = screen(tmp_path, capsys, whole, "columns")
    assert "labelled for both" not in text.partition("Missing")[2]


def test_all_labelled_alike_is_no_proof_of_more_like_them(tmp_path, capsys):
    frame = two_systems({"v1": range(60), "v2": range(60)}, n=60)
    frame["human"] = np.where(np.arange(120) // 2 % 3, "pass", "fail")
    text = screen(tmp_path, capsys, frame, "report")
    low, high = map(
        int, re.search(r"alike to the point \(([-+]\d+) to ([-+]\d+) for v2\)", text).groups()
    )
    assert low < 0 < high


def test_columns_leads_on_with_what_the_table_has(tmp_path, capsys):
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 8, 60)
    graded = pd.DataFrame({"segment": [f"s{k}" for k in range(60)], "mt": ["a", "b"] * 30})
    graded = graded.rename(columns={"mt": "system"})
    for judge in ("gpt4o", "claude"):
        graded[judge] = np.clip(truth + rng.integers(-1, 2, 60), 1, 7)
    graded["human"] = [x if k < 30 else None for k, x in enumerate(truth.tolist())]
    text = screen(tmp_path, capsys, graded, "columns")
    for asked in ("rate", "versus"):
        assert re.search(rf"algeval {asked} \S+ --cut 5 ", text)
    assert "'6', ...: --good LABEL" in text
    systems = ["gpt-4", "claude-3", "llama-3"]
    pairs = [rng.permutation(systems)[:2].tolist() for _ in range(60)]
    battles = pd.DataFrame(pairs, columns=["model_a", "model_b"])
    battles.insert(0, "question_id", [f"q{k}" for k in range(60)])
    battles["winner"] = rng.choice(["model_a", "model_b", "tie"], 60)
    for asked in ("report", "columns"):
        assert "algeval leaderboard " in screen(tmp_path, capsys, battles, asked)
    outputs = two_systems({"v1": range(40), "v2": range(40)}, n=40)
    outputs = pd.concat([outputs.assign(epoch=e) for e in (1, 2)], ignore_index=True)
    outputs["id"] = [f"o{k}" for k in range(len(outputs))]
    text = screen(tmp_path, capsys, outputs, "columns")
    assert "some 50 outputs judged three times each; 'epoch' numbers outputs here" in text


def test_pairs_are_called_pairs_and_their_judges_are_offered(tmp_path, capsys):
    rng = np.random.default_rng(2)
    truth = rng.choice(["A", "B"], 80)
    frame = pd.DataFrame({"qid": [f"q{k}" for k in range(80)], "model_a": "old", "model_b": "new"})
    for judge in ("judge_gpt", "judge_claude"):
        frame[judge] = np.where(rng.random(80) < 0.8, truth, rng.permutation(truth))
    frame["human"] = [x if k < 40 else None for k, x in enumerate(truth)]
    text = screen(tmp_path, capsys, frame, "columns")
    assert "80 pairs (qid)" in text
    assert re.search(r"algeval judges \S+ # how good is each judge, by 40 human labels", text)
    assert "taken together" not in screen(tmp_path, capsys, frame, "next")
