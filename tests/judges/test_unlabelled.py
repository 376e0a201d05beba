"""Gaps of two judges by group, wins at equal length, and clusters left out one by one."""

import numpy as np
import pytest

import algeval as ae
from algeval.data import Votes
from algeval.errors import DataError
from algeval.judges import bias
from algeval.judges.bias import shuffled_p, slope
from algeval.judges.unlabelled import rate_at_equal_length


def test_clusters_are_left_out_one_by_one():
    rng = np.random.default_rng(0)
    clusters = rng.integers(0, 14, 90)
    strata, x = rng.integers(0, 2, 90), rng.normal(size=90)
    j = (rng.random(90) < 0.3 + 0.4 * strata).astype(float)
    design = np.column_stack([strata == 0, strata == 1, x]).astype(float)
    beta = np.linalg.lstsq(design, j, rcond=None)[0][-1]
    without = [
        np.linalg.lstsq(design[clusters != g], j[clusters != g], rcond=None)[0][-1]
        for g in range(14)
    ]
    value, low, high, _ = slope(x, j, strata, clusters, 0.95)
    error = np.sqrt(13 / 14 * np.sum((np.array(without) - beta) ** 2))
    assert value == pytest.approx(beta)
    assert high - low == pytest.approx(2 * 2.160368656 * error)  # t, 13 degrees


def test_a_cluster_that_settles_the_slope_alone_has_no_interval():
    strata, clusters = np.zeros(40, int), np.arange(40) // 4
    x = (clusters == 3).astype(float)
    j = np.tile([0.0, 1.0], 20)
    assert slope(x, j, strata, clusters, 0.95) is None


def test_draws_of_groups_are_those_of_all_arrangements(monkeypatch):
    rng = np.random.default_rng(1)
    strata = np.repeat([0, 1], 8)
    x = np.eye(3)[rng.integers(0, 3, 16)]
    j = np.concatenate([rng.permuted([1.0] * 3 + [0.0] * 5), rng.permuted([1.0] * 4 + [0.0] * 4)])
    exact = shuffled_p(x, j, strata)
    monkeypatch.setattr(bias, "_ARRANGEMENTS", 0)
    drawn = shuffled_p(x, j, strata)
    assert (exact[1], drawn[1]) == ("exact", "permutations")
    assert drawn[0] == pytest.approx(exact[0], abs=4 * np.sqrt(0.25 / 9_999))


def test_two_judges_whose_gap_is_another_in_one_language():
    rng = np.random.default_rng(2)
    spanish = rng.random(600) < 0.4
    truth = rng.random(600) < 0.7
    said = [np.where(truth ^ (rng.random(600) < 0.1), "pass", "fail") for _ in range(2)]
    said[0] = np.where(spanish & (rng.random(600) < 0.5), "pass", said[0])
    table = {"id": [f"q{k}" for k in range(600)], "gpt4": said[0], "claude": said[1]}
    table["language"] = np.where(spanish, "es", "en")
    result = ae.judge_bias(table, by="language")
    (line,) = result.gaps
    counts = [
        (
            int(((said[0] == "pass") & (said[1] == "fail") & part).sum()),
            int(((said[1] == "pass") & (said[0] == "fail") & part).sum()),
            int(part.sum()),
        )
        for part in (~spanish, spanish)
    ]
    gaps = [100 * (b - c) / n for b, c, n in counts]
    assert (line.value, line.inside, line.outside) == ("en", *map(pytest.approx, gaps))
    assert line.low < line.difference < line.high < 0
    assert line.p_adjusted < 0.01
    assert "unless the truth differs between groups" in result.summary()
    assert "bias" not in result.summary().lower().replace("a judge is biased", "")


@pytest.mark.parametrize("alike", [True, False])
def test_gaps_of_judges_free_of_the_group_are_rarely_shown(alike):
    """The truth is the same in both groups; two errors or twice the same."""
    rng = np.random.default_rng(3)
    shown = 0
    for _ in range(60):
        group = rng.integers(0, 2, 120)
        truth = rng.random(120) < 0.7
        noise = rng.random((120, 2)) < 0.15
        noise[:, 1] = np.where(rng.random(120) < (0.7 if alike else 0.0), noise[:, 0], noise[:, 1])
        codes = (truth[:, None] ^ noise).astype(int)
        votes = Votes.from_columns({"a": codes[:, 0].tolist(), "b": codes[:, 1].tolist()})
        by = {"group": dict(zip(votes.items, group.tolist(), strict=True))}
        by["group"] = {k: "xy"[v] for k, v in by["group"].items()}
        shown += ae.judge_bias(votes, by, good="1").gaps[0].p_adjusted <= 0.05
    assert shown <= 9  # 3 expected; 9 or more in .3% of runs at a size of .05


def test_wins_at_equal_length_are_those_of_a_logistic_fit():
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(4)
    gap = rng.normal(30, 80, 300)
    won = (rng.random(300) < 1 / (1 + np.exp(-0.3 - 0.01 * gap))).astype(float)
    value, low, high = rate_at_equal_length(won, gap, np.arange(300))
    design = np.column_stack([np.ones(300), np.tanh(gap / gap.std())])
    fitted = api.Logit(won, design).fit(disp=0)
    assert value == pytest.approx(1 / (1 + np.exp(-fitted.params[0])))
    error = (np.log(high / (1 - high)) - np.log(low / (1 - low))) / 2 / 1.968
    assert error == pytest.approx(fitted.bse[0], rel=0.1)
    assert rate_at_equal_length((gap > 0).astype(float), gap, np.arange(300)) is None  # separated


def pairs():
    rng = np.random.default_rng(5)
    rows = []
    for k in range(120):
        short, long = "a b " * rng.integers(5, 20), "a b " * rng.integers(15, 40)
        turned = bool(rng.random() < 0.5)
        second_wins = rng.random() < 0.7
        winner = "B" if second_wins ^ turned else "A"
        answers = [long, short] if turned else [short, long]
        names = ["new", "old"] if turned else ["old", "new"]
        rows.append(
            {"prompt_id": f"p{k}", "model_a": names[0], "model_b": names[1]}
            | {"response_a": f"{answers[0]}{k}", "response_b": f"{answers[1]}{k}", "gpt4": winner}
        )
    return rows


def test_a_table_of_pairs_says_who_wins_at_equal_length():
    rows = pairs()
    result = ae.judge_bias(rows)
    (line,) = result.lengths
    new = sum((r["gpt4"] == "A") == (r["model_a"] == "new") for r in rows) / 120
    wins = new if line.system == "new" else 1 - new
    assert (line.n_pairs, line.win_rate) == (120, pytest.approx(wins))
    assert line.low < line.controlled < line.high
    assert "not which is better" in line.message
    assert line.message in result.summary()


def judged(systems):
    rng = np.random.default_rng(6)
    n, own = 800, [s for s in systems if "gpt" in s]
    system = rng.choice(systems, n)
    truth = rng.random(n) < 0.6
    wrong = rng.random((n, 2)) < 0.12
    verdict = truth ^ wrong[:, 0] | (np.isin(system, own) & (rng.random(n) < 0.4))
    table = {"id": [f"q{k}" for k in range(n)], "system": system.tolist()}
    table |= {"gpt4_judge": np.where(verdict, "pass", "fail").tolist()}
    table["claude_judge"] = np.where(truth ^ wrong[:, 1], "pass", "fail").tolist()
    return table | {"human": np.where(truth, "pass", "fail").tolist()}


def test_a_judge_that_favours_its_own_family():
    result = ae.judge_bias(judged(["gpt-4o", "gpt-3.5", "llama-3", "qwen-2", "claude-2"]), "family")
    (line,) = result.lines  # one system of claude's family: nothing to tell apart
    assert (line.judge, line.value) == ("gpt4_judge", "its own family")
    assert line.low > 5
    assert "shown" in line.message


def test_system_and_family_that_are_the_same_are_refused():
    with pytest.raises(DataError, match="one and the same here"):
        ae.judge_bias(judged(["gpt-4o", "llama-3", "qwen-2"]), "family")
