"""The card of judges: against counting by hand, in every form of input, and what it refuses."""

import json

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

import algeval as ae
from algeval.errors import DataError
from algeval.judges.intervals import mcnemar, share, tango
from algeval.report.figures import draw

ROWS = {
    "id": [f"q{k}" for k in range(40)],
    "gpt4o": ["pass"] * 24 + ["fail"] * 16,
    "claude": (["pass"] * 3 + ["fail"]) * 10,
    "human": (["pass"] * 20 + ["fail"] * 10 + [None] * 10),
}


def counted(judge):
    pairs = [(s, h) for s, h in zip(ROWS[judge], ROWS["human"], strict=True) if h is not None]
    return {
        (a, b): sum(p == (a, b) for p in pairs) for a in ("fail", "pass") for b in ("fail", "pass")
    }


@pytest.mark.parametrize("judge", ["gpt4o", "claude"])
def test_a_card_counts_as_a_person_does(judge):
    row, n = ae.judge_card(ROWS).row(judge), counted(judge)
    assert row.n == 30
    assert row.confusion == (
        (n["fail", "fail"], n["fail", "pass"]),
        (n["pass", "fail"], n["pass", "pass"]),
        (0, 0),
    )
    assert row.accuracy == share(n["fail", "fail"] + n["pass", "pass"], 30)
    assert row.recall["pass"] == share(n["pass", "pass"], 20)
    assert row.recall["fail"] == share(n["fail", "fail"], 10)
    assert row.precision["pass"] == share(n["pass", "pass"], n["pass", "pass"] + n["pass", "fail"])
    assert row.quadratic_kappa is None


def test_a_card_is_the_same_in_every_form():
    frame = pd.DataFrame(ROWS)
    wanted = ae.judge_card(ROWS).to_dict()
    labels = {i: h for i, h in zip(ROWS["id"], ROWS["human"], strict=True) if h is not None}
    without = frame.drop(columns="human")
    shuffled = frame.sample(frac=1, random_state=1)
    for card in (
        ae.judge_card(frame),
        ae.judge_card(ae.read_results(frame)),
        ae.judge_card(ae.read_results(frame).votes),
        ae.judge_card(frame, human="human"),
        ae.judge_card(without, human=labels),
        ae.judge_card(shuffled),
    ):
        made = card.to_dict()
        for name in ("judges", "base_rates", "n_gold", "status"):
            assert json.dumps(made[name], sort_keys=True) == json.dumps(
                wanted[name], sort_keys=True
            )


def test_two_judges_are_compared_on_labels_of_both():
    card = ae.judge_card(ROWS)
    said = card.compare("gpt4o", "claude")
    right = {
        judge: [s == h for s, h in zip(ROWS[judge], ROWS["human"], strict=True) if h is not None]
        for judge in ("gpt4o", "claude")
    }
    b = sum(x and not y for x, y in zip(right["gpt4o"], right["claude"], strict=True))
    c = sum(y and not x for x, y in zip(right["gpt4o"], right["claude"], strict=True))
    assert (said.only_first, said.only_second, said.n) == (b, c, 30)
    assert said.difference == tango(b, c, 30)
    assert said.p == mcnemar(b, c)
    assert said.better == ("gpt4o" if said.difference.low > 0 else None)
    assert "gpt4o" in str(card.best())
    with pytest.raises(DataError, match="did you mean 'claude'"):
        card.compare("gpt4o", "claud")


def test_a_judge_that_always_passes_stands_beside():
    card = ae.judge_card(ROWS)
    assert card.constant.judge == "always 'pass'"
    assert card.constant.accuracy.value == pytest.approx(20 / 30)
    assert card.constant.balanced_accuracy.value == pytest.approx(0.5)
    assert card.constant.kappa.value == pytest.approx(0)
    lazy = {("claude_lazy" if name == "claude" else name): cells for name, cells in ROWS.items()}
    lazy["claude_lazy"] = ["pass"] * 40
    assert any(line.startswith("claude_lazy") for line in ae.judge_card(lazy).warnings)


def test_grades_have_a_quadratic_kappa():
    table = {"x": [1, 2, 3, 4, 5] * 8, "y": [1, 2, 3, 5, 4] * 8}
    votes = ae.Votes.from_columns(table, key=[1, 2, 3, 4, 5] * 8)
    rows = ae.judge_card(votes).judges
    assert rows[0].quadratic_kappa.value == 1
    assert 0.8 < rows[1].quadratic_kappa.value < 1


def test_a_label_that_people_never_gave():
    table = dict(ROWS, human=["pass"] * 10 + [None] * 30)
    card = ae.judge_card(table)
    assert card.status.value == "undetermined"
    assert "'fail'" in card.message
    assert card.row("gpt4o").balanced_accuracy.value is None
    assert card.row("gpt4o").kappa.value is None
    assert "-" in card.summary()


def test_clusters_and_chances():
    table = ROWS | {"prompt_id": [f"p{k // 2}" for k in range(40)]}
    plain, wide = ae.judge_card(table), ae.judge_card(table, cluster="prompt_id")
    assert any("prompt_id" in line for line in plain.warnings)
    assert wide.clusters == 15
    a, b = plain.row("claude").accuracy, wide.row("claude").accuracy
    assert a.value == b.value
    with pytest.raises(DataError, match="at least 8 clusters; got 2"):
        ae.judge_card(table, cluster={i: str(int(i[1:]) // 20) for i in ROWS["id"]})
    with pytest.raises(DataError, match="guarantee"):
        wide.best(guarantee=True)
    even = ae.judge_card(ROWS, inclusion=dict.fromkeys(ROWS["id"], 0.5))
    assert even.row("claude").accuracy.value == pytest.approx(a.value)


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ({k: ROWS[k] for k in ("id", "gpt4o", "claude")}, {}, "labels that people gave; got none"),
        (
            ae.Sketch.from_counts({"ab": 3, "bb": 2}),
            {},
            "item by item, as labels are joined to items; got Sketch",
        ),
        (ROWS, {"level": 1}, "level must be"),
        (ROWS, {"human": {"other": "pass"}}, "other"),
    ],
)
def test_what_a_card_cannot_do_is_said(data, options, words):
    with pytest.raises(DataError, match=words):
        ae.judge_card(data, **options)


def test_the_document_is_of_its_schema():
    card = ae.judge_card(ae.example("support-bot"))
    assert Draft202012Validator(ae.schema("judge_card")).is_valid(card.to_dict())
    assert np.isfinite(card.to_frame()["accuracy"]).all()
    assert "may be best: gpt4o, claude" in str(card.best())
    assert "May be best" in card.summary()


def test_the_figure_shows_each_judge_and_what_it_confuses():
    card = ae.judge_card(ae.example("support-bot"))
    figure = card.plot()
    axes = [a for part in figure.subfigs for a in part.axes]
    assert [a.get_xlabel() for a in axes[:4]] == [
        *("accuracy", "balanced accuracy", "recall of fail", "recall of pass")
    ]
    first = axes[4]  # the most accurate judge
    assert first.get_title() == "claude"
    wanted = np.array(card.row("claude").confusion).T[:, :2]
    assert [int(t.get_text()) for t in first.texts] == wanted.ravel().tolist()
    points = [line.get_xdata()[0] for line in axes[0].lines if line.get_marker() == "o"]
    assert points == [card.row(j).accuracy.value for j in ("claude", "gpt4o", "gemini")]
    assert "claude: right on 97.5% (92-100)" in figure.get_label()
    assert "1 less accurate judge" in card.plot(most=2).get_suptitle()
    with pytest.raises(DataError, match="a JudgeCard, or Votes with a key"):
        draw("judge-card", ae.Sketch.from_counts({"ab": 3}))


def repeated(times):
    """Outputs of 60 prompts, as many each, of which 40 prompts have a label beside every output."""
    rng = np.random.default_rng(4)
    rows = []
    for k in range(60):
        truth, says = rng.random() < 0.6, {j: rng.random() < 0.8 for j in ("gpt4o", "claude")}
        words = {j: "pass" if truth == right else "fail" for j, right in says.items()}
        person = {"human": ("pass" if truth else "fail") if k < 40 else None}
        rows += [
            {"output_id": f"o{k}-{t}", "prompt_id": f"q{k}"} | words | person for t in range(times)
        ]
    return pd.DataFrame(rows)


def test_a_label_beside_all_outputs_of_a_prompt_counts_once():
    card = ae.judge_card(repeated(4))
    assert (card.clusters, card.n_gold) == (40, 160)
    assert any("160 labels are of 40 values of 'prompt_id'" in w for w in card.warnings)
    named = ae.judge_card(repeated(4), cluster="prompt_id")
    once = ae.judge_card(repeated(1))
    assert once.clusters is None
    for judge in ("gpt4o", "claude"):
        own = card.row(judge).accuracy
        assert own == named.row(judge).accuracy
        alone = once.row(judge).accuracy
        assert own.value == pytest.approx(alone.value)
        assert own.high - own.low > 0.9 * (alone.high - alone.low)  # of four copies it was half
    rates = [ae.rate(repeated(times)) for times in (1, 4)]
    widths = [r.high - r.low for r in rates]
    assert widths[1] > 0.75 * widths[0]  # by other methods
    assert ae.rate(repeated(4), cluster="prompt_id").low == rates[1].low


def test_labels_that_differ_within_prompts_count_one_by_one():
    frame = repeated(4)
    frame.loc[::4, "human"] = "fail"
    card = ae.judge_card(frame)
    assert card.clusters is None
    assert any("name it with cluster" in w for w in card.warnings)


def test_pairs_shown_in_both_orders_count_once_in_intervals():
    rng = np.random.default_rng(1)
    rows = []
    for k in range(50):
        better = rng.choice(["m1", "m2"])
        for a, b in (("m1", "m2"), ("m2", "m1")):
            person = "A" if a == better else "B"
            other = "B" if person == "A" else "A"
            says = {j: person if rng.random() < 0.8 else other for j in ("gpt4o", "claude")}
            label = person if k < 30 else None
            rows.append(
                {"prompt": f"question {k} about it", "model_a": a, "model_b": b, **says}
                | {"human": label}
            )
    card = ae.judge_card(pd.DataFrame(rows))
    assert (card.clusters, card.n_gold) == (30, 60)
    assert any("60 labels are of 30 pairs" in w for w in card.warnings)
    text = str(ae.report(pd.DataFrame(rows)))
    row = card.row("gpt4o").accuracy
    assert f"({100 * row.low:.0f}-{100 * row.high:.0f})" in text
    assert "a pair counts once in intervals" in text


def graded(low=1, n_levels=5):
    """Grades of two judges and people: one near and higher, one that guesses."""
    rng = np.random.default_rng(8)
    truth = rng.integers(0, n_levels, 120)
    near = np.clip(truth + rng.choice([0, 1, 1], 120), 0, n_levels - 1)
    guess = rng.integers(0, n_levels, 120)
    columns = {"gpt4o": near, "claude": guess, "teacher": truth}
    return pd.DataFrame({name: values + low for name, values in columns.items()})


def test_grades_are_compared_exactly_within_one_level_and_in_order():
    frame = graded()
    frame["teacher"] = frame["teacher"].astype(object).where(np.arange(120) % 2 == 0, None)
    card = ae.judge_card(frame)
    kept = frame.dropna()
    for judge in ("gpt4o", "claude"):
        row, gap = card.row(judge), kept[judge] - kept["teacher"].astype(int)
        assert row.accuracy.value == (gap == 0).mean()
        assert row.within_1 == (gap.abs() <= 1).mean()
        assert row.mean_difference == pytest.approx(gap.mean())
        chance = np.subtract.outer(kept[judge].to_numpy(), kept["teacher"].to_numpy(int)) ** 2
        kappa = 1 - (gap**2).mean() / chance.mean()  # by hand
        assert row.quadratic_kappa.value == pytest.approx(kappa, abs=0.03)  # of a smoothed table
    said = card.summary()
    assert "exact within 1 weighted kappa higher by" in " ".join(said.split())
    assert "recall" not in said
    screen = str(ae.report(frame))
    line = next(x for x in screen.splitlines() if x.startswith("gpt4o"))
    assert f"{100 * card.row('gpt4o').within_1:.0f}%" in line
    assert f"{card.row('gpt4o').mean_difference:+.1f}" in line
    assert "by exact grades" in screen or "gives people's grade more often" in screen


def test_numbers_of_three_classes_are_no_grades():
    card = ae.judge_card(graded(low=0, n_levels=3))
    assert not card.are_grades
    assert "recall 0" in card.summary()
    assert ae.judge_card(graded(low=1, n_levels=3)).are_grades


def test_the_first_screen_offers_a_cut_of_grades(tmp_path, capsys):
    from algeval.cli.main import run

    path = tmp_path / "marks.csv"
    graded().assign(essay_id=[f"e{k}" for k in range(120)]).to_csv(path, index=False)
    assert run([str(path)]) == 0
    said = capsys.readouterr().out
    assert "weighted kappa" in said
    commands = [
        x.split("#")[0].split()[1:] for x in said.splitlines() if x.startswith("  algeval ")
    ]
    assert [words[0] for words in commands] == ["rate", "judges"]
    for words in commands:
        assert run(words) == 0


@pytest.mark.parametrize("words", [("A", "B"), ("left", "right"), ("first", "second")])
@pytest.mark.parametrize("exchanged", [False, True])
def test_each_verdict_on_pairs_in_both_orders_counts_however_the_orders_are_written(
    tmp_path, words, exchanged
):
    rng = np.random.default_rng(4)
    rows, right, labelled, steady = [], 0, 0, 0
    for k in range(60):
        better = "xy"[int(rng.random() < 0.5)]
        wrong = "y" if better == "x" else "x"
        by_place = rng.random() < 0.3
        truthful = [better if rng.random() < 0.8 else wrong for _ in range(2)]
        said = [first if by_place else own for first, own in zip("xy", truthful, strict=True)]
        is_labelled = k % 3 != 0
        labelled += is_labelled
        right += is_labelled * sum(own == better for own in said)
        steady += is_labelled and said[0] == said[1]
        for turned, own in enumerate(said):
            first = "xy"[turned]
            row = {"prompt_id": f"p{k}", "model_a": "x", "model_b": "y", "swapped": bool(turned)}
            if exchanged:
                row = {"prompt_id": f"p{k}", "model_a": first, "model_b": "yx"[turned]}
            row["gpt_verdict"] = words[own != first]
            row["human_label"] = words[better != first] if is_labelled else None
            rows.append(row)
    path = tmp_path / "pairs.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    assert steady < labelled
    for data in (path, ae.read_results(path), ae.read_results(path).votes, pd.DataFrame(rows)):
        (row,) = ae.judge_card(data).judges
        assert row.n == 2 * labelled
        assert row.accuracy.value == pytest.approx(right / (2 * labelled))
    card = ae.judge_card(path)
    alone = ae.judge_card(path, cluster={item: item for item in ae.read_results(path).items})
    if not exchanged:
        assert card.judges[0].accuracy == alone.judges[0].accuracy  # pairs are the clusters
        assert any("at most one is right" in line for line in card.warnings)
        assert f"{right / (2 * labelled):.0%}" in ae.report(path, intervals=0).summary()


def test_of_few_pairs_in_both_orders_the_answers_that_changed_are_said_to_be_left_out():
    rows = [
        {
            "prompt_id": f"p{k}",
            "model_a": "x",
            "model_b": "y",
            "swapped": turned,
            "gpt_verdict": "AB"[(k + turned * (k % 3 > 0)) % 2],
            "human_label": "AB"[(k + turned) % 2] if k < 8 else None,
        }
        for k in range(20)
        for turned in (0, 1)
    ]
    card = ae.judge_card(pd.DataFrame(rows))
    assert any("changes with the order do not count" in line for line in card.warnings)


def test_an_interval_that_leaves_0_beside_a_test_that_does_not_reject_tells_nobody_apart():
    key = ["pass"] * 20
    votes = ae.Votes.from_columns(
        {"x": key, "y": ["fail"] * 4 + key[4:]}, items=[f"q{k}" for k in range(20)], key=key
    )
    found = ae.judge_card(votes).compare("x", "y")
    assert found.difference.low > 0
    assert found.p == pytest.approx(2 * 0.5**4 - 0.5**4)  # mid-p of 4 against none
    assert found.better is None
    assert "the interval leaves 0 but the test does not reject; these labels cannot" in str(found)


def test_pairs_judged_in_both_orders_are_counted_as_pairs():
    rows = []
    for k in range(40):
        for a, b in (("m1", "m2"), ("m2", "m1")):
            better = "m1" if k % 3 else "m2"
            judged = {
                j: "A" if (a == better) ^ (k % n == 0) else "B"
                for j, n in (("gpt", 5), ("claude", 7))
            }
            human = ("A" if a == better else "B") if k < 30 else None
            rows.append(
                {"pair_id": f"p{k}", "order": a + b, "model_a": a, "model_b": b}
                | judged
                | {"human": human}
            )
    card = ae.judge_card(rows)
    assert "people's labels of 30 of 40 pairs (60 of 80 with their order)" in card.message


def test_labels_in_whole_prompts_of_trials_make_prompts_the_unit():
    rng = np.random.default_rng(6)
    rows = [
        {"prompt_id": f"q{p}", "system": system, "response": f"{system} of {p} in {trial}"}
        | {"gpt_judge": ("fail", "pass")[int(rng.random() < 0.6)]}
        for p in range(30)
        for system in "AB"
        for trial in range(4)
    ]
    for row in rows:
        at = int(row["prompt_id"][1:])
        right = at % 5 > 0 or rng.random() < 0.1
        human = row["gpt_judge"] if right else {"fail": "pass", "pass": "fail"}[row["gpt_judge"]]
        row["human"] = human if at % 2 else None
    results = ae.read_results(pd.DataFrame(rows))
    card = ae.judge_card(results, human="key")
    by_prompt = ae.judge_card(results, human="key", cluster="prompt_id")
    accuracy = [c.judges[0].accuracy for c in (card, by_prompt)]
    assert (accuracy[0].low, accuracy[0].high) == (accuracy[1].low, accuracy[1].high)
    assert any("stand together in 15 values of 'prompt_id'" in w for w in card.warnings)
