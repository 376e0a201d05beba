"""What rates and comparisons are about unless they are asked, and which systems a gate lets pass."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import algeval as ae
from algeval.cli.main import run


def outputs(n, more, less, both_pass=None):
    """Two systems on the same n prompts, all labelled: b alone passes `more`, a alone `less`."""
    both_pass = (n - more - less) // 2 if both_pass is None else both_pass
    pairs = [(0, 1)] * more + [(1, 0)] * less + [(1, 1)] * both_pass
    pairs += [(0, 0)] * (n - len(pairs))
    return pd.DataFrame(
        [
            {"case": f"c{k}", "version": name, "human": ("fail", "pass")[passed]}
            for k, pair in enumerate(pairs)
            for name, passed in zip("ab", pair, strict=True)
        ]
    )


# n, b alone right, a alone right, margin, exit code of --require b. Without a margin by hand: McNemar's
# exact p is twice the sum of C(m, k) for k up to the smaller count, over 2^m of m prompts that differ.
GATES = [
    (100, 1, 0, None, 1),  # p = 1
    (100, 5, 0, None, 1),  # 2 / 32 = .063
    (100, 6, 0, None, 0),  # 2 / 64 = .031
    (100, 0, 6, None, 1),  # the other one
    (100, 7, 1, None, 1),  # 2 (1 + 8) / 256 = .070
    (100, 8, 1, None, 0),  # 2 (1 + 9) / 512 = .039
    (100, 9, 2, None, 1),  # 2 (1 + 11 + 55) / 2,048 = .065
    (100, 10, 2, None, 0),  # 2 (1 + 12 + 66) / 4,096 = .039
    (100, 11, 3, None, 1),  # 2 (1 + 14 + 91 + 364) / 16,384 = .057
    (100, 12, 3, None, 0),  # 2 (1 + 15 + 105 + 455) / 32,768 = .035
    (100, 20, 20, None, 1),  # p = 1
    (20, 5, 0, None, 1),
    (20, 6, 0, None, 0),
    (500, 12, 3, None, 0),
    # with a margin: 0 of n leave up to 1 - .025^(1/n); else about d - 1.96 sqrt(m / n^2 - d^2 / n) - 1 / n
    (100, 0, 0, "0.05", 0),  # 3.6%
    (100, 0, 0, "0.02", 1),
    (20, 0, 0, "0.05", 1),  # 17%
    (100, 5, 8, "0.05", 1),  # -.03 - .07 - .01
    (100, 5, 8, "0.15", 0),
    (400, 10, 10, "0.05", 0),  # -.022 - .003
    (400, 10, 10, "0.02", 1),
    (100, 0, 12, "0.1", 1),  # worse by 12 points
]


@pytest.mark.parametrize(("n", "more", "less", "margin", "code"), GATES)
def test_the_gate_of_two_systems_is_about_more_items_like_these(
    n, more, less, margin, code, tmp_path, capsys
):
    path = tmp_path / "outputs.csv"
    outputs(n, more, less).to_csv(path, index=False)
    words = ["versus", str(path), "--require", "b"]
    assert run([*words, *(["--margin", margin] if margin else [])]) == code
    said = capsys.readouterr().out
    assert ("NOT WORSE by more than" in said) == (margin is not None)
    lead = f"{'b' if more > less else 'a'} has {abs(more - less)} more"
    assert f"on these {n} items {lead if more != less else 'both have as many'}" in said


# passes of n, all labelled, the rate compared with, exit code: Clopper and Pearson's lower end by hand
@pytest.mark.parametrize(
    ("passes", "n", "against", "code"),
    [
        (20, 20, "0.80", 0),  # .025^(1/20) = .832
        (20, 20, "0.85", 1),
        (80, 100, "0.70", 0),  # .708
        (80, 100, "0.75", 1),
        (100, 100, "0.96", 0),  # .025^(1/100) = .964
        (100, 100, "0.97", 1),
    ],
)
def test_the_gate_of_a_rate_is_about_more_items_like_these(passes, n, against, code, tmp_path):
    path = tmp_path / "outputs.csv"
    human = ["pass"] * passes + ["fail"] * (n - passes)
    pd.DataFrame({"case": [f"c{k}" for k in range(n)], "human": human}).to_csv(path, index=False)
    assert (
        run(["rate", str(path), "--good", "pass", "--against", against, "--require", "above"])
        == code
    )


@pytest.mark.parametrize("labelled", [0.2, 0.45, 0.55, 0.95, 1.0])
def test_the_default_is_more_items_like_these_once_half_are_labelled(labelled):
    rng = np.random.default_rng(3)
    rows = outputs(60, 10, 6)
    rows["gpt"] = np.where(rng.random(120) < 0.8, rows.human, "pass")
    some = set(rng.permutation(60)[: round(60 * labelled)].tolist())
    rows.loc[[int(case[1:]) not in some for case in rows.case], "human"] = None
    about = "population" if labelled > 0.5 else "items"
    found = ae.versus(rows)
    assert found.target == about
    stated = ae.versus(rows, target=about)
    assert (found.low, found.high, found.verdict) == (stated.low, stated.high, stated.verdict)
    for part in ae.read_results(rows).by_system.values():
        rate, stated = ae.rate(part), ae.rate(part, target=about)
        assert (rate.target, rate.low, rate.high) == (about, stated.low, stated.high)
        assert (rate.labelled_share is None) == (labelled < 1)
    third = rows[rows.version == "a"].assign(version="third")
    assert ae.versus(pd.concat([rows, third])).target == about


@pytest.mark.parametrize("seed", range(12))
def test_report_and_versus_say_the_same_of_two_systems(seed):
    rng = np.random.default_rng(seed)
    rows = outputs(int(rng.integers(20, 80)), int(rng.integers(0, 12)), int(rng.integers(0, 4)))
    found, text = ae.versus(rows), " ".join(ae.report(rows).summary().split())
    shown = found.verdict.endswith(" BETTER")
    assert (f"{found.verdict[0]} is better by" in text and ": shown." in text) == shown
    assert ("is better is not shown" in text) == (not shown)
    low, high = sorted(round(100 * end) for end in (found.low, found.high))
    ahead = text.partition(" for a)")[1] or text.partition(" for b)")[1]
    ends = (low, high) if ahead == " for a)" else (-high, -low)
    assert ends_of(text) == ends


def ends_of(text):
    """Ends of the difference that a text prints, in points."""
    low, high = re.search(r"\(([-+]?\d+) to ([-+]?\d+) for [ab]\)", text).groups()
    return int(low), int(high)


def of_many(seed, n=120, rates=(0.75, 0.75, 0.72, 0.66)):
    """Systems that solve one task after another, a few of them alone."""
    rng = np.random.default_rng(seed)
    ease = rng.random(n)
    return {
        name: (ease + 0.1 * rng.normal(size=n) < rate)
        for name, rate in zip(("s1", "s2", "s3", "s4"), rates, strict=True)
    }


@pytest.mark.parametrize("seed", range(6))
def test_no_pair_of_many_systems_is_better_that_the_exact_test_leaves_open(seed):
    solved = of_many(seed)
    rows = pd.DataFrame(
        [
            {"task": f"t{k}", "agent": name, "human": ("fail", "pass")[int(own[k])]}
            for k in range(120)
            for name, own in solved.items()
        ]
    )
    result = ae.versus(rows)
    assert result.target == "population"
    for pair in result.pairs:
        a, b = solved[pair.first], solved[pair.second]
        more, less = int((a & ~b).sum()), int((b & ~a).sum())
        if more + less == 0 or binomtest(more, more + less).pvalue > 0.05:
            assert not pair.verdict.endswith("BETTER")


def test_a_margin_is_of_two_systems_and_a_share():
    rows = outputs(40, 3, 3)
    assert ae.versus(rows).not_worse == ()
    assert ae.versus(outputs(40, 9, 0)).not_worse == ("b",)
    assert ae.versus(rows, margin=0.3).not_worse == ("a", "b")
    unlabelled = rows.drop(columns="human").assign(gpt=["pass", "fail"] * 40)
    assert ae.versus(unlabelled, margin=0.3).not_worse == ()
    with pytest.raises(ae.DataError, match="margin must lie from 0 to 1; got 2"):
        ae.versus(rows, margin=2)
    third = rows[rows.version == "a"].assign(version="third")
    with pytest.raises(ae.DataError, match="margin must come with two systems; got 3"):
        ae.versus(pd.concat([rows, third]), margin=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "margin"), [(50, 0.05), (100, 0.05), (100, 0.1)])
@pytest.mark.parametrize("less", [0.0, 0.02, 0.1])
def test_a_system_worse_by_the_margin_seldom_passes(n, margin, less):
    """Truly worse by the margin, a system passes in 5% at most; 400 draws, so 8% but once in 100."""
    rng, passed = np.random.default_rng(1), 0
    seen = {}
    for more, fewer, _ in rng.multinomial(n, [less, less + margin, 1 - 2 * less - margin], 400):
        case = int(more), int(fewer)
        if case not in seen:
            seen[case] = "b" in ae.versus(outputs(n, *case), margin=margin).not_worse
        passed += seen[case]
    assert passed <= 32
