"""Scores of two systems, without a cut: their mean difference, prompt by prompt."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError


def scores(systems=("v1", "v2"), n=40, trials=1, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for p in range(n):
        of_prompt = rng.normal()
        for k, system in enumerate(systems):
            for t in range(trials):
                good = of_prompt + 0.6 * k + rng.normal(0, 0.5)
                rows.append(
                    {"output_id": f"{system}-{p}-{t}", "prompt_id": f"p{p}", "system": system}
                    | {"gpt4o_score": round(7 + good + rng.normal(0, 0.3), 3)}
                    | {"claude_score": round(5 + good + rng.normal(0, 0.6), 3)}
                )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("trials", [1, 3])
def test_the_interval_is_that_of_pairs_of_prompts(trials):
    frame = scores(trials=trials)
    made = ae.read_results(frame).score_differences
    assert [*made] == ["gpt4o_score", "claude_score"]
    for judge, (mean, low, high, n) in made.items():
        means = frame.groupby(["prompt_id", "system"])[judge].mean().unstack()
        test = ttest_rel(means["v2"], means["v1"])
        ends = test.confidence_interval(0.95)
        assert n == 40
        assert mean == pytest.approx((means["v2"] - means["v1"]).mean())
        assert (low, high) == pytest.approx((ends.low, ends.high))


def test_a_prompt_that_one_system_lacks_takes_no_part():
    frame = scores()
    frame = frame[~((frame["system"] == "v2") & frame["prompt_id"].isin(["p1", "p2"]))]
    made = ae.read_results(frame).score_differences
    kept = frame[~frame["prompt_id"].isin(["p1", "p2"])]
    assert made["gpt4o_score"][3] == 38
    assert made == ae.read_results(kept).score_differences


def test_three_systems_and_labels_have_none():
    assert ae.read_results(scores(("a", "b", "c"))).score_differences == {}
    assert ae.read_results(scores(), cut=6.5).score_differences == {}
    assert ae.read_results(scores(), cut=6.5).mean_scores == ""


def test_the_report_and_the_refusal_of_versus_say_it(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    scores().to_csv(path, index=False)
    mean = ae.read_results(path).score_differences["gpt4o_score"][0]
    line = f"Mean score of v2 less that of v1, prompt by prompt: gpt4o_score {mean:+.3g} ("
    assert run([str(path)]) == 0
    assert line in " ".join(capsys.readouterr().out.split())
    assert line in ae.report(str(path)).overview.answers[0]
    assert run(["versus", str(path)]) == 2
    said = capsys.readouterr().err
    assert "Answer with --cut" in said
    assert line in said
    with pytest.raises(DataError, match="Mean score of v2 less that of v1") as raised:
        ae.versus(str(path))
    assert raised.value.questions
    assert run(["alarm", str(path)]) == 2
    assert "Mean score" not in capsys.readouterr().err
