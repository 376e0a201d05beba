"""Two equal systems whose items come in clusters: how often they are parted, and what is covered."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import algeval as ae
from algeval.report.answerable import what_it_answers

LABELS = ["fail", "pass"]
RUNS = 1000


def votes_of(passed, items):
    return ae.Votes(
        items=items,
        judges=["j"],
        labels=LABELS,
        answers=LABELS,
        codes=passed.astype(np.int16)[:, None],
    )


def differences(cluster, accuracy, rng):
    """True differences with mean 0, alike within clusters, and what a judge makes of them."""
    n = len(cluster)
    lean = rng.choice([-1, 0, 1], cluster.max() + 1, p=[0.25, 0.5, 0.25])[cluster]
    own = rng.choice([-1, 0, 1], n, p=[0.1, 0.8, 0.1])
    true = np.where(rng.random(n) < 0.6, lean * (rng.random(n) < 0.5), own)
    blind = rng.choice([-1, 0, 1], n, p=[0.15, 0.7, 0.15])
    return true, np.where(rng.random(n) < accuracy, true, blind)


@pytest.mark.slow
@pytest.mark.parametrize("whole", [False, True], ids=["items", "clusters"])
@pytest.mark.parametrize("accuracy", [0.0, 0.8])
@pytest.mark.parametrize(("level", "most"), [(0.95, 0.05), (0.99, 0.01)])
def test_equal_systems_are_parted_no_more_than_the_level(whole, accuracy, level, most):
    """Labels of 100 items drawn one by one, or of ten whole clusters."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(60), 10)
    items = [str(k) for k in range(len(cluster))]
    of_item = dict(zip(items, cluster.tolist(), strict=True))
    parted = covered = 0
    for _ in range(RUNS):
        true, seen = differences(cluster, accuracy, rng)
        drawn = np.flatnonzero(np.isin(cluster, rng.permutation(60)[:10]))
        rows = drawn if whole else rng.permutation(len(cluster))[:100]
        result = ae.compare_systems(
            votes_of(seen >= 0, items),
            votes_of(seen <= 0, items),
            label="pass",
            level=level,
            target="population",
            cluster=of_item,
            gold_a={items[k]: LABELS[int(true[k] >= 0)] for k in rows},
            gold_b={items[k]: LABELS[int(true[k] <= 0)] for k in rows},
        )
        parted += result.verdict.endswith("BETTER")
        covered += result.low <= 0 <= result.high
    print(f"parted {parted / RUNS:.4f}, covered {covered / RUNS:.4f} at {level}")
    assert parted / RUNS <= most + 2 * (most / RUNS) ** 0.5
    least = level - 0.02  # few clusters: a regression's interval is a little short, .932 of .95
    assert covered / RUNS >= least - 2 * (least * (1 - least) / RUNS) ** 0.5


# --- Several outputs of a prompt by each system: prompts are compared, by means over their trials.


def trials(n=40, times=(3, 3), labelled=1.0, seed=0, interaction=1.0):
    """Rows of trials of two systems, whose chances of a pass hang on the prompt and the system."""
    rng = np.random.default_rng(seed)
    rows = []
    for p in range(n):
        of_prompt = rng.normal(0.5, 1)
        for system, more, k in (("old", 0.0, times[0]), ("new", 0.7, times[1])):
            chance = 1 / (1 + np.exp(-(of_prompt + more + interaction * rng.normal())))
            for trial in range(k):
                good = int(rng.random() < chance)
                judged = {
                    f"gpt-{j}": ("fail", "pass")[good ^ int(rng.random() < 0.2)] for j in (1, 2)
                }
                said = ("fail", "pass")[good] if rng.random() < labelled else None
                rows.append(
                    {"prompt_id": f"p{p}", "system": system, "trial": trial, **judged}
                    | {"response": f"what {system} says of {p} in {trial}", "human": said}
                )
    return rows


def means(rows):
    """Difference of each prompt's mean labels, of prompts labelled for both."""
    frame = pd.DataFrame(rows).dropna(subset="human").assign(y=lambda f: f.human == "pass")
    each = frame.groupby(["prompt_id", "system"]).y.mean().unstack().dropna()
    return (each["old"] - each["new"]).to_numpy()


@pytest.mark.parametrize("times", [(3, 3), (2, 4)])
def test_trials_are_compared_prompt_by_prompt(times):
    rows = trials(times=times)
    result = ae.versus(rows, target="population")
    d = means(rows)
    alone = next(line for line in result.table if line.name == "labels only")
    half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / len(d) ** 0.5
    assert alone.estimate == pytest.approx(d.mean())
    assert (alone.high - alone.low) / 2 == pytest.approx(half, rel=0.05)
    assert (result.n_items, result.n_gold) == (40, len(d))
    assert result.n_discordant == (d != 0).sum()
    assert "prompts" in result.message
    assert "means over trials of a prompt" in result.message


@pytest.mark.parametrize("target", ["items", "population"])
def test_trials_labelled_for_one_system_here_and_the_other_there_are_compared_by_their_rates(
    target,
):
    rows = trials(labelled=0.4)
    result, results = ae.versus(rows, target=target), ae.read_results(rows)
    rates = {name: ae.rate(part, target=target) for name, part in results.by_system.items()}
    a, b = result.names
    assert result.difference == pytest.approx(rates[a].rate - rates[b].rate)
    if target == "population":
        assert result.method == "difference of rates: clustered, clustered"
        assert f"{rates[a].n_gold} outputs labelled for {a}" in result.message
        assert f"{result.n_gold} prompts for both" in result.message


def test_trials_need_no_column_of_trials_and_no_order():
    rows = trials()
    expected = ae.versus(rows, target="population")
    ids = [{"id": f"{r['prompt_id']}/{r['system']}/{r['trial']}"} | r for r in rows]
    plain = [{k: v for k, v in r.items() if k != "trial"} for r in rows]
    for other in (ids, plain):
        same = ae.versus(other, target="population")
        assert (same.n_items, same.low, same.high) == (40, expected.low, expected.high)
    mixed = [ids[k] for k in np.random.default_rng(1).permutation(len(ids))]
    a, b = expected.names
    shuffled = ae.versus(mixed, target="population")
    assert abs(shuffled.difference) == pytest.approx(abs(expected.difference))
    assert {*shuffled.names} == {a, b}


def test_labels_of_some_trials_leave_the_others_open():
    full, part = trials(), [r | ({"human": None} if r["trial"] else {}) for r in trials()]
    all_labelled, some = (ae.versus(rows, target="items") for rows in (full, part))
    assert all_labelled.low == all_labelled.high == pytest.approx(means(full).mean())
    assert some.low < some.difference < some.high
    assert "labelled for both, some in part" in some.message
    assert "every prompt that can differ is labelled" in all_labelled.message


def test_labels_drawn_output_by_output_count_apart_for_these_outputs():
    part = trials(labelled=0.5)
    of_these, of_more = (ae.versus(part, target=target) for target in ("items", "population"))
    assert of_these.n_own_items == (120, 120)
    assert of_more.n_items == 40
    assert "drawn output by output" in of_these.warnings[0]
    assert of_these.high - of_these.low < of_more.high - of_more.low


def test_several_systems_with_trials_are_paired_by_prompt():
    rows = trials()
    third = [r | {"system": "third"} for r in trials(seed=1) if r["system"] == "old"]
    result = ae.versus(rows + third)
    assert {pair.n_items for pair in result.pairs} == {40}
    of_two = ae.versus(rows)
    pair = next(p for p in result.pairs if {p.first, p.second} == {"old", "new"})
    assert pair.difference == pytest.approx(of_two.difference)


def test_the_report_and_columns_count_prompts_of_trials(tmp_path):
    path = tmp_path / "trials.csv"
    pd.DataFrame(trials()).to_csv(path, index=False)
    assert "by 40 prompts labelled for both" in ae.report(path).summary().replace("\n", " ")
    answers, _ = what_it_answers(ae.read_results(path), "trials.csv")
    assert any("by 40 prompts labelled for all" in answer.question for answer in answers)


@pytest.mark.slow
def test_intervals_of_trials_hold_where_unclustered_ones_miss():
    hits = np.zeros(3)
    n, chance = (
        200,
        1 / (1 + np.exp(-np.random.default_rng(9).normal(0.5, (1 + 2.5**2) ** 0.5, 10**6))),
    )
    more = 1 / (1 + np.exp(-np.random.default_rng(8).normal(1.2, (1 + 2.5**2) ** 0.5, 10**6)))
    truth = float(chance.mean() - more.mean())
    for seed in range(n):
        rows = trials(30, (6, 6), seed=seed, interaction=2.5)
        of_trials = ae.versus(rows, target="population")
        parts = list(ae.read_results(rows).split("system").values())
        matched = ae.versus(*(p.by_prompt().votes for p in parts), human="key", target="population")
        apart = ae.versus(*(p.votes for p in parts), human="key", target="population")
        for k, result in enumerate((of_trials, matched, apart)):
            hits[k] += result.low <= truth <= result.high
    assert hits[0] / n > 0.91
    assert hits[1] / n < 0.85
    assert hits[2] / n > 0.91  # prompts of the votes are known


# --- Labels of trials that people gave prompt by prompt, and not output by output.


def equal_systems(seed, *, n=40, times=4, share=0.35, by="cell"):
    """Rows of two equal systems whose outputs of a prompt are nearly alike, labelled cell by cell or not."""
    rng = np.random.default_rng(seed)
    rows = []
    for p in range(n):
        for system in "AB":
            alike, drawn = rng.random() < 0.6, rng.random() < share
            for trial in range(times):
                good = alike if rng.random() < 0.95 else not alike
                labelled = drawn if by == "cell" else rng.random() < share
                said = ("fail", "pass")[int(good)] if labelled else None
                rows.append(
                    {"prompt_id": f"q{p}", "system": system, "trial": trial, "human": said}
                    | {"response": f"what {system} says of {p} in {trial}", "good": good}
                )
    return pd.DataFrame(rows)


def gap(frame, result):
    truth = frame.groupby("system").good.mean()
    return truth[result.names[0]] - truth[result.names[1]]


@pytest.mark.parametrize("share", [0.35, 0.6])
def test_labels_in_whole_cells_of_trials_count_by_prompt(share):
    frame = equal_systems(3, share=share)
    rows = frame.drop(columns="good")
    result, results = ae.versus(rows), ae.read_results(rows)
    labelled = rows.dropna(subset="human").groupby("system").prompt_id.unique()
    both = {*labelled["A"]} & {*labelled["B"]}
    how = "difference of rates" if len(both) >= 10 else "unpaired"
    assert result.method == f"{how}: clustered, clustered"
    assert any("stand together" in warning for warning in result.warnings)
    for name, part in results.by_system.items():
        rate = ae.rate(part)
        assert rate.n_gold == 4 * len(labelled[name])
        by_prompt = ae.rate(part, cluster="prompt_id")
        assert (rate.low, rate.rate, rate.high) == (by_prompt.low, by_prompt.rate, by_prompt.high)
        said = f"stand together in {len(labelled[name])} values of 'prompt_id'"
        assert any(said in warning for warning in rate.warnings)


def test_labels_of_few_whole_prompts_leave_rate_and_difference_open(tmp_path):
    rows = equal_systems(5, share=0.15).drop(columns="good")
    assert max(rows.dropna(subset="human").groupby("system").prompt_id.nunique()) < 10
    result = ae.versus(rows)
    assert (result.verdict, result.difference) == ("NOT DETERMINED", None)
    assert "fewer than 10 clusters" in result.message
    assert {ae.rate(part).rate for part in ae.read_results(rows).by_system.values()} == {None}
    path = tmp_path / "trials.csv"
    rows.to_csv(path, index=False)
    text = " ".join(ae.report(path).summary().split())
    assert "is better is not known: labels of too few prompts of each." in text


def test_what_people_said_does_not_choose_between_prompts_and_outputs():
    for by in ("cell", "output"):
        rows = equal_systems(7, by=by).drop(columns="good")
        said = rows.human.dropna()
        methods = set()
        for seed in range(4):
            order = np.random.default_rng(seed).permutation(len(said))
            other = rows.assign(human=pd.Series(said.to_numpy()[order], said.index))
            methods.add(ae.versus(other).method)
        assert len(methods) == 1, methods
        assert ("clustered" in methods.pop()) is (by == "cell")


def held(frames):
    """Return in how many tables the interval of a difference holds the true one, and how many have one."""
    hits = known = 0
    for frame in frames:
        result = ae.versus(frame.drop(columns="good"))
        if result.difference is not None:
            known += 1
            hits += result.low - 1e-9 <= gap(frame, result) <= result.high + 1e-9
    return hits, known


@pytest.mark.slow
@pytest.mark.parametrize("by", ["cell", "output"])
def test_intervals_of_trials_cover_for_labels_in_cells_and_output_by_output(by):
    hits, known = held(equal_systems(seed, by=by) for seed in range(300))
    assert known > 200
    assert hits / known > 0.92


# --- Of more prompts like these: outputs of a prompt belong together, however labels were drawn.


@pytest.mark.parametrize("share", [0.35, 1.0])
def test_of_more_prompts_a_prompt_counts_once_where_labels_were_drawn_output_by_output(share):
    rows = equal_systems(2, by="output", share=share).drop(columns="good")
    parts = ae.read_results(rows).by_system
    for part in parts.values():
        rate = ae.rate(part, target="population")
        by_prompt = ae.rate(part, target="population", cluster="prompt_id")
        assert (rate.low, rate.rate, rate.high) == (by_prompt.low, by_prompt.rate, by_prompt.high)
        assert "of more like them each counts once" in " ".join(rate.warnings)
        of_these = ae.rate(part, target="items")
        assert of_these.method != "clustered"  # these outputs are as they were drawn
    once = rows[rows.trial == 0]
    for part in ae.read_results(once).by_system.values():
        assert ae.rate(part, target="population").method != "clustered"


def test_the_interval_of_more_prompts_is_as_wide_as_resampled_prompts_say():
    rows = equal_systems(11, n=120, by="output", share=0.5)
    part = ae.read_results(rows.drop(columns="good")).by_system["A"]
    rate = ae.rate(part, target="population")
    own = rows[(rows.system == "A") & rows.human.notna()]
    sums = own.assign(passes=own.human == "pass").groupby("prompt_id").passes.agg(["sum", "size"])
    rng = np.random.default_rng(0)
    drawn = sums.to_numpy()[rng.integers(0, len(sums), (4000, len(sums)))].sum(axis=1)
    spread = (drawn[:, 0] / drawn[:, 1]).std()
    assert (rate.high - rate.low) / 2 / 1.96 == pytest.approx(spread, rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize("share", [0.35, 0.6])
def test_rates_of_trials_hold_where_labels_were_drawn_output_by_output(target, share):
    hits = runs = 0
    for seed in range(200):
        frame = equal_systems(seed, by="output", share=share)
        part = ae.read_results(frame.drop(columns="good")).by_system["A"]
        rate = ae.rate(part, target=target)
        truth = frame[frame.system == "A"].good.mean() if target == "items" else 0.59
        runs += 1
        hits += rate.low <= truth <= rate.high
    assert hits / runs > 0.91


@pytest.mark.slow
@pytest.mark.parametrize("both", [0, 20, 40])
@pytest.mark.parametrize("by", ["cell", "output"])
def test_differences_of_trials_hold_where_systems_answered_other_prompts(both, by):
    def table(seed):
        frame = equal_systems(seed, n=80 - both, share=0.5, by=by)
        number = frame.prompt_id.str[1:].astype(int)
        of_b = (frame.system == "B") & (number >= 40 - both)
        return frame[((frame.system == "A") & (number < 40)) | of_b]

    hits, runs = held(map(table, range(150)))
    assert runs > 130
    assert hits / runs > 0.9


def outputs_in_topics(trials, shared):
    """Outputs of two systems on prompts of 30 topics, alike within a topic, some labelled."""
    rng = np.random.default_rng(2)
    rows = []
    for topic in range(30):
        gap = rng.normal(0, 1.5)
        for k in range(4):
            for system, sign in (("old", -1), ("new", 1)):
                for trial in range(trials):
                    good = rng.random() < 1 / (1 + np.exp(-sign * gap))
                    said = [good ^ (rng.random() < 0.2) for _ in range(2)]
                    row = {"prompt": f"q{topic}.{k}" if shared else f"{system}{topic}.{k}"}
                    row |= {"trial": trial} if trials > 1 else {}
                    row |= {"system": system, "topic": f"t{topic}"}
                    row |= {f"j{j}": ("fail", "pass")[int(s)] for j, s in enumerate(said)}
                    rows.append(row | {"human": ("fail", "pass")[int(good)] if k else None})
    return rows


@pytest.mark.parametrize(("trials", "shared"), [(3, True), (1, True), (1, False)])
def test_a_column_of_a_results_table_names_clusters_of_any_outputs(trials, shared):
    rows = outputs_in_topics(trials, shared)
    prompt = "prompt" if shared else None
    apart, clustered = (
        ae.versus(rows, system="system", prompt=prompt, good="pass", cluster=c, target="population")
        for c in (None, "topic")
    )
    assert clustered.high - clustered.low > 1.2 * (apart.high - apart.low)
    if shared:
        frame = pd.DataFrame(rows)
        said = frame[frame["human"].notna()].assign(good=lambda t: t["human"] == "pass")
        means = said.groupby(["topic", "system"])["good"].mean().unstack()
        gaps = (means["old"] - means["new"]).to_numpy()
        rng = np.random.default_rng(0)
        draws = rng.choice(gaps, (2000, len(gaps))).mean(
            axis=1
        )  # a bootstrap of topics, labels alone
        low, high = np.quantile(draws, [0.025, 0.975])
        assert 0.6 < (clustered.high - clustered.low) / (high - low) < 1.4


def test_each_output_a_cluster_of_its_own_is_no_cluster():
    rows = outputs_in_topics(1, True)
    ask = {"system": "system", "prompt": "prompt", "good": "pass"}
    alone = ae.versus(rows, cluster="prompt", **ask)
    assert (alone.low, alone.high) == (ae.versus(rows, **ask).low, ae.versus(rows, **ask).high)
