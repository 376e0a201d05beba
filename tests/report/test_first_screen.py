"""The first screen: what it says, within 40 lines of 100 characters, and what it never says."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.aggregate.checks.quality import posterior_grades
from algeval.data import Votes
from algeval.report.answerable import what_it_answers
from algeval.report.build import reading_notes
from algeval.report.parts import first_screen

SCREENS = Path(__file__).parent.parent / "fixtures" / "screens"


def drawn(n_items, n_judges, seed=0):
    """Independent judges of 60 to 90%, some votes missing."""
    rng = np.random.default_rng(seed)
    key = (rng.random(n_items) < 0.4).astype(int)
    right = rng.random((n_items, n_judges)) < np.linspace(0.6, 0.9, n_judges)
    codes = np.where(right, key[:, None], 1 - key[:, None])
    codes[rng.random(codes.shape) < 0.02] = -1
    judges = [f"judge-{j}" for j in range(n_judges)]
    return Votes(range(n_items), judges, ["no", "yes"], ["no", "yes"], codes.astype(np.int16))


def screen(name):
    if name == "mt-bench":
        settings = {"intervals": 100, "arguments": f"--example {name}"}
        return ae.report(ae.example(name), source=name, **settings).summary()
    votes = drawn(120, int(name.removeprefix("judges")))
    settings = {
        "time_limit": 0,
        "intervals": 20,
    }  # no time: what is found in it depends on the machine
    return ae.report(votes, source="votes.csv", arguments="votes.csv", **settings).summary()


@pytest.mark.parametrize("name", ["mt-bench", "judges25", "judges60"])
def test_it_is_as_kept_on_file_and_fits(name):
    text = screen(name)
    lines = text.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    assert text == (SCREENS / f"{name}.txt").read_text(encoding="utf-8")


def test_every_number_of_the_example_is_that_of_its_own_question():
    votes = ae.example("mt-bench")
    text = ae.report(votes).summary()
    assert ae.threshold(votes).lower == Fraction(1, 2)
    assert "one of the 3 judges has at most 50.0% (1/2) accuracy on some label" in text
    fewest = [ae.panel(votes, level).min_violators for level in ("0.6", "0.75", "0.9")]
    assert f"at least {fewest[0]}, {fewest[1]} and {fewest[2]} of 3 judges miss it" in text
    fit = ae.aggregate(votes)
    for label, n in zip(*np.unique(fit.item_labels, return_counts=True), strict=True):
        assert f"{label} on {n}" in text
    posterior, codes = fit.posterior_items, votes.codes
    for j, judge in enumerate(votes.judges):
        shared = posterior[range(25), codes[:, j]].mean()
        same = np.mean([codes[:, j] == codes[:, k] for k in range(3) if k != j])
        row = next(line for line in text.splitlines() if line.startswith(judge)).split()
        assert row[1] == f"{shared:.1%}"
        assert row[2] == f"{float(fit.evaluation.grade(judge)):.1%}"
        assert row[-1] == f"{same:.1%}"


def test_no_level_is_made_up():
    text = ae.report(ae.example("mt-bench")).summary()
    assert "ALARM" not in text
    asked = ae.report(ae.example("mt-bench"), at_least=0.6).summary()
    assert "ALARM: no answer key whatever allows this" in asked
    assert (
        "--at-least 3/5" in ae.report(ae.example("mt-bench"), at_least=0.6, arguments="x").summary()
    )


def test_columns_that_say_nothing_are_left_out():
    header = ae.report(ae.example("mt-bench")).overview.table.columns
    assert header == ("judge", "accuracy if errors shared", "if independent", "range", "agrees")
    table = {"i": list("aabba?"), "j": list("abbba?"), "k": list("babbaa"), "gold": list("abab  ")}
    votes = ae.read_votes(table, key="gold", labels=["a", "b"])
    shown = ae.report(votes, intervals=0).overview.table
    assert shown.columns == (
        "judge",
        "right (95%)",
        "labels",
        "agrees",
        "at most",
    )
    ceiling = {row[0]: row[-1] for row in shown.rows}
    assert ceiling == {"i": "83.3%", "j": "83.3%", "k": ""}, "an answer that is no label is wrong"


def test_copies_share_a_letter_and_the_next_step_counts_them_as_one(real_votes):
    votes = ae.read_votes(real_votes.parent / "newcomer" / "clones.csv", key="gold")
    found = ae.report(votes, arguments="clones.csv --key gold", intervals=0)
    letters = {row[0]: row[-1] for row in found.overview.table.rows}
    assert letters == {"c1": "A", "c2": "A", "c3": "A", "g1": "", "g2": ""}
    assert "--groups one-each" in found.summary()


def independent_posterior(votes, parameters):
    joint = np.tile(parameters["fit_prevalence"], (votes.n_items, 1))
    for judge, column in enumerate(votes.codes.T):
        answered = column >= 0
        joint[answered] *= parameters["fit_confusion"][judge][:, column[answered]].T
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("method", ["recommended", "pooled-dawid-skene"])
def test_grades_by_the_posterior_are_sums_over_items(method):
    votes = drawn(60, 5, seed=3)
    fit = ae.aggregate(votes, method)
    posterior = fit.posterior_items
    if method == "recommended":  # what independence adds is no reading of shared errors
        weight = fit.parameters["weight"]
        assert weight > 0.1
        added = independent_posterior(votes, fit.parameters)
        posterior = (posterior - weight * added) / (1 - weight)
    by_hand = [
        np.mean([posterior[i, code] for i, code in enumerate(column) if code >= 0])
        for column in votes.codes.T
    ]
    np.testing.assert_allclose(posterior_grades(fit), by_hand, atol=1e-9)


def test_what_reading_did_is_told_and_the_usual_is_not():
    usual = ("x.csv read as CSV", "wide layout (auto-detected)", "judges: 'a'")
    odd = tuple(f"column {k} left out" for k in range(4))
    assert reading_notes(usual) == ()
    assert reading_notes((*usual, *odd)) == (
        *odd[:2],
        "2 more notes on how the data were read, in the full report",
    )


@pytest.mark.parametrize(
    "table", [{"i": ["a"]}, {"i": ["a", "a"], "j": ["a", "a"], "k": ["a", "a"]}]
)
def test_the_smallest_votes_have_a_first_screen(table):
    text = ae.report(ae.read_votes(table)).summary()
    assert "right on every item: logic alone excludes no accuracy" in text


def test_a_summary_has_one():
    text = ae.report(ae.example("mt-bench-summary"), arguments="--example x").summary()
    assert "at most 66.7% (2/3) accuracy" in text
    assert "says tie" in text
    assert "algeval bounds --example x" in text


def test_hostile_names_keep_to_their_cells():
    names = ["[bold]x[/bold]", "a\nb", "\x1b[31mred"]
    codes = [[0, 1, 0], [1, 1, 0], [0, 0, 1]]
    votes = Votes(["1", "2", "3"], names, ["[/]", "b"], ["[/]", "b"], codes)
    text = ae.report(votes, source="\x1b]0;x").summary()
    assert "\x1b" not in text
    assert "[bold]x[/bold]" in text
    assert r"a\nb" in text


def test_the_command_that_cuts_scores_names_them_without_what_only_scores_have():

    rng = np.random.default_rng(0)
    scores = ae.Scores.from_columns({j: rng.normal(size=30) for j in "abc"})
    named = "s.csv --item id --scores --attributes 'a b.csv'"
    text = ae.report(scores, arguments=named).summary()
    assert "algeval report s.csv --item id --cut " in text
    assert f"algeval aggregate {named} --prevalence 0.5" in text


def results_of(n_judges, n_systems, *, labelled=0.3, seed=0):
    """A results table of judges of 70 to 95%, with what people said of some outputs."""
    rng = np.random.default_rng(seed)
    n = 60 * n_systems
    truth = rng.random(n) < 0.7
    right = rng.random((n, n_judges)) < np.linspace(0.7, 0.95, n_judges)
    columns = {"output_id": [f"o{k}" for k in range(n)]}
    if n_systems > 1:
        columns["system"] = [f"version-{k % n_systems}" for k in range(n)]
    for j in range(n_judges):
        columns[f"judge{j}"] = np.where(right[:, j] == truth, "pass", "fail").tolist()
    if labelled:
        known = rng.random(n) < labelled
        said = np.where(truth, "pass", "fail").tolist()
        columns["human"] = [w if k else None for w, k in zip(said, known, strict=True)]
    return columns


def check_screen(text):
    """At most 40 lines, at most two commands, and then one line on what else there is."""
    lines = text.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    commands = [line for line in lines if line.startswith("  algeval ")]
    assert 1 <= len(commands) <= 2
    assert not any("--full" in line or "report.html" in line for line in commands)
    assert "--full" in lines[-1]
    assert "report.html" in lines[-1]


@pytest.mark.parametrize("n_systems", [1, 2, 6])
@pytest.mark.parametrize("n_judges", [1, 2, 3, 12, 60])
@pytest.mark.parametrize("labelled", [0, 0.3], ids=["no labels", "labels"])
def test_every_table_has_a_screen_of_forty_lines_and_two_commands(n_judges, n_systems, labelled):
    columns = results_of(n_judges, n_systems, labelled=labelled)
    settings = {"intervals": 0, "time_limit": 0, "arguments": "results.csv"}
    text = ae.report(columns, source="results.csv", **settings).summary()
    check_screen(text)
    assert "agrees with majority" not in text
    assert ("Consensus" in text) == (n_judges > 2)
    if n_judges == 1:
        assert "share an error" not in text
        assert "agree" not in text


@pytest.mark.parametrize("name", ["support-bot", "mt-bench", "mt-bench-summary", "acs"])
def test_every_example_has_a_screen_of_forty_lines_and_two_commands(name):
    settings = {"intervals": 0, "time_limit": 0, "arguments": f"--example {name}"}
    check_screen(ae.report(ae.example(name), source=name, **settings).summary())


@pytest.mark.parametrize(("systems", "labelled"), [(0, 0), (0, 90), (2, 12), (3, 90)])
def test_the_first_screen_alone_says_what_that_of_the_whole_report_says(systems, labelled):
    """What is left out of a report of which the first screen alone is read is nothing that it shows."""
    rng = np.random.default_rng(7)
    key = rng.random(90) < 0.6
    rows = []
    for k, good in enumerate(key.tolist()):
        row = {"id": f"i{k}"} | ({"system": f"s{k % systems}"} if systems else {})
        for j, accuracy in enumerate((0.7, 0.8, 0.9)):
            row[f"judge {j}"] = "pass" if good == (rng.random() < accuracy) else "fail"
        rows.append(row | {"human": ("fail", "pass")[good] if k < labelled else None})
    short, whole = (ae.report(rows, first_screen=first) for first in (True, False))
    assert short.summary() == whole.summary()
    assert short.verified <= whole.verified


def test_levels_that_the_screen_does_not_say_are_not_worked_on(monkeypatch):
    """With labels it says the limit alone; how many judges miss 60, 75 and 90% may take most of the time."""
    rng = np.random.default_rng(2)
    truth = rng.random(30) < 0.5
    rows = [
        {"id": k, "human": ("fail", "pass")[good] if k < 10 else None}
        | {f"judge{j}": ("fail", "pass")[good != (rng.random() < 0.2)] for j in range(4)}
        for k, good in enumerate(truth.tolist())
    ]
    levels = []
    panel = ae.panel
    monkeypatch.setattr(
        "algeval.report.sections.panel", lambda *a, **b: levels.append(a[1]) or panel(*a, **b)
    )
    ae.report(rows, first_screen=True)
    assert levels == []
    ae.report(rows, first_screen=True, at_least=0.99)
    assert len(levels) == 1
    text = ae.report([{**row, "human": None} for row in rows], first_screen=True).summary()
    assert len(levels) > 1
    assert "If you need 75% or 90%" in text


def crowd(n_items=150, n_judges=9, each=4, seed=3):
    """Raters who answer a third of the items, one of whom always says the same and one guesses."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n_items)
    codes = np.full((n_items, n_judges), -1, np.int16)
    for k, t in enumerate(truth):
        for j in rng.choice(n_judges, each, replace=False):
            codes[k, j] = 2 if j == 4 else rng.integers(3) if j == 7 or rng.random() < 0.2 else t
    raters = [f"rater{j:02d}" for j in range(n_judges)]
    return Votes(range(n_items), raters, ["cat", "dog", "fish"], ["cat", "dog", "fish"], codes)


def test_a_crowd_is_told_who_agrees_with_nobody_and_which_labels_to_ask_again():
    votes = crowd()
    found = ae.report(votes, source="crowd.csv", arguments="crowd.csv", first_screen=True)
    text = " ".join(found.summary().split())
    assert "rater04 (always one answer), rater07 agree with no other judge beyond chance" in text
    calls = [line for line in found.summary().splitlines() if line.startswith("  algeval")]
    assert "algeval next crowd.csv --goal labels -o to_relabel.csv" in calls[0]
    assert "algeval aggregate crowd.csv -o labels.csv" in calls[1]
    assert "atlas" not in found.results  # algebra of trios, which the screen does not show
    assert len(ae.next(votes, 50, goal="labels").items) == 50


def test_a_panel_where_all_vote_is_sent_to_a_random_sample():
    text = ae.report(drawn(120, 8), arguments="votes.csv", first_screen=True).summary()
    assert "--goal labels" not in text
    assert "algeval next votes.csv --n 50" in text


def test_agreement_is_averaged_without_the_copies_of_a_judge():
    rng = np.random.default_rng(5)
    votes = drawn(400, 4, seed=5)
    copy = votes.codes[:, :1].copy()
    copy[rng.random(400) < 0.01] = -1
    codes = np.concatenate([votes.codes, copy], axis=1)
    more = Votes(votes.items, [*votes.judges, "copy"], votes.labels, votes.labels, codes)
    table = ae.report(more, first_screen=True).overview.table
    assert "copies" in table.columns
    assert "agrees leaves them out" in table.note
    column = table.columns.index("agrees")
    shown = {row[0]: row[column] for row in table.rows}
    first, others = codes[:, 0], codes[:, 1:4]
    both = (first[:, None] >= 0) & (others >= 0)
    share = ((first[:, None] == others) & both).sum() / both.sum()
    assert shown["judge-0"] == f"{100 * share:.1f}%"


@pytest.mark.parametrize("shared", [True, False])
def test_systems_that_share_no_prompt_need_outputs_of_each_not_prompts_of_both(shared, tmp_path):
    rng = np.random.default_rng(4)
    lines = ["output_id,prompt_id,system,gpt4o,human"]
    for k in range(160):
        prompt = k // 2 if shared else k
        right = rng.random() < 0.7
        said = ["fail", "pass"][int(right)]
        human = ["fail", "pass"][int(right == (rng.random() < 0.8))] if k % 8 < 4 else ""
        lines.append(f"o{k},p{prompt},v{k % 2},{said},{human}")
    path = tmp_path / "two.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    text = " ".join(ae.report(path).summary().split())
    assert ("labelled for both" in text) == shared
    assert ("labels of each" in text or "outputs of each" in text) == (not shared)
    assert ("unpaired: both answered no item" in text) == (not shared)


def test_a_judge_with_labels_is_not_said_to_be_of_unknown_accuracy():
    rows = {"id": [f"i{k}" for k in range(40)], "gpt4o": ["pass", "fail"] * 20}
    plain = ae.report(ae.read_results(rows)).summary()
    assert "do not say how often it is right" in plain
    labelled = rows | {"human": ["pass", "fail", "fail", "fail"] * 10}
    assert "do not say how often it is right" not in ae.report(ae.read_results(labelled)).summary()


@pytest.mark.parametrize(("apart", "n"), [(False, 20), (True, 40)])
def test_a_label_beside_both_orders_of_a_pair_is_one_decision(apart, n):
    rows = []
    for k in range(30):
        best = "new" if k % 3 else "old"
        for turn, (a, b) in enumerate((("new", "old"), ("old", "new"))):
            said = "B" if apart and k == 0 and turn else "A" if a == best else "B"
            judge = "A" if a == best or k % 5 == 0 else "B"
            row = {"prompt_id": f"p{k}", "model_a": a, "model_b": b, "response_a": f"{a} {k}"}
            rows.append(
                row | {"response_b": f"{b} {k}", "gpt": judge, "human": said if k < 20 else None}
            )
    text = " ".join(ae.report(ae.read_results(rows)).summary().split())
    assert f"of {n} pairs" in text


@pytest.mark.parametrize("n_less", [3, 30])
def test_what_is_labelled_throughout_is_said_of_more_outputs(n_less):
    n = 60
    passed = {"old": 40 - n_less, "new": 40}
    rows = [
        {
            "id": f"{name}{k}",
            "system": name,
            "judge": "fail" if k % 6 == 0 else said,
            "human": said,
        }
        for name, most in passed.items()
        for k in range(n)
        for said in ["pass" if k < most else "fail"]
    ]
    report = ae.report(rows, source="votes.csv")
    said = " ".join(report.summary().split())
    compared = ae.versus(rows, system="system", good="pass")
    assert compared.target == "population"
    assert (compared.verdict == "new BETTER") == (n_less == 30) == (": shown." in said)
    assert ("better is not shown" in said) == (n_less == 3)
    low, high = round(100 * -compared.high), round(100 * -compared.low)
    assert f"({low:+} to {high:+} for new)" in said
    assert "people labelled all 60 outputs (" in said
    card = next(card for card in report.overview.cards if card.name == "slide-difference.svg")
    assert card.interval == f"95% confidence interval {low:+} to {high:+} points"
    of_these = ae.versus(rows, system="system", good="pass", target="items")
    assert of_these.verdict == "new BETTER"
    assert "sure of these items, not of more like them" in of_these.message


# --- Pairs of systems in long tables: a row per judge.


def pairs(column, who="judge", orders=1, n=40, seed=0):
    """Rows of verdicts of three judges on pairs of three systems, perhaps in both orders."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(n):
        a, b = rng.permutation(["m1", "m2", "m3"])[:2]
        for x, y in ((a, b), (b, a))[:orders]:
            for judge in ("gpt-4o", "claude-3", "llama-70b"):
                better = a if rng.random() < 0.7 else b
                verdict = "tie" if rng.random() < 0.1 else ("A" if better == x else "B")
                systems = {"model_a": str(x), "model_b": str(y)}
                rows.append({"pair_id": f"p{k}"} | systems | {who: judge, column: verdict})
    return rows


@pytest.mark.parametrize("column", ["verdict", "preference"])
@pytest.mark.parametrize("who", ["judge", "annotator"])
@pytest.mark.parametrize("orders", [1, 2])
def test_pairs_of_a_long_table_are_ranked(tmp_path, column, who, orders):
    path = tmp_path / "pairs.csv"
    pd.DataFrame(pairs(column, who, orders)).to_csv(path, index=False)
    results = ae.read_results(path)
    assert results.pairs_in_rows
    assert len(results.items) == 40 * orders
    assert {*results.judged} == {"gpt-4o", "claude-3", "llama-70b"}
    answers, missing = what_it_answers(results, "pairs.csv")
    assert answers[0].command == "algeval leaderboard pairs.csv"
    assert not any("--good" in need for m in missing for need in m)
    shared = [g.name for g in results.votes.groupings if len(set(g.codes.tolist())) == 40]
    assert ("pair" in shared) == (orders == 2)  # a pair in both orders counts once
    both = any("both ways round" in need for m in missing for need in m)
    assert both == (orders == 1)
    assert "algeval leaderboard" in ae.report(path, arguments="pairs.csv").summary()
    assert "versus" not in ae.report(path, arguments="pairs.csv").summary()


def test_nobody_is_told_to_rate_a_side(tmp_path):
    path = tmp_path / "arena.csv"
    rows = [r for r in pairs("winner") if r["judge"] == "gpt-4o"]
    for r in rows:
        r |= {"question_id": r.pop("pair_id")}
        r["winner"] = {"A": "model_a", "B": "model_b"}.get(r["winner"], "tie")
    pd.DataFrame(rows).drop(columns="judge").to_csv(path, index=False)
    text = ae.report(path, arguments="arena.csv").full()
    assert "--good first" not in text
    assert "algeval judges arena.csv --human to_label.csv" in " ".join(text.split())


def test_battles_in_both_orders_side_by_side_miss_no_pairs():
    sides = ["model_a", "model_b"]
    rows = [
        {"question_id": k, "model_a": a, "model_b": b, "gpt4o_winner": sides[k % 2]}
        | {"claude_winner": sides[k % 3 == 0]}
        for k in range(40)
        for a, b in (("x", "y"), ("y", "x"))
    ]
    for part, missed in ((rows, False), (rows[::2], True)):
        _, missing = what_it_answers(ae.read_results(part), "battles.csv")
        assert any("both ways round" in need for m in missing for need in m) == missed


@pytest.mark.parametrize("others", [0, 30])
def test_systems_that_answered_other_prompts_are_said_to_need_chance(others):
    """Labels of no prompt for both: of the same prompts either system may be better, of others by chance."""
    rng = np.random.default_rng(3)
    rows = []
    for prompt in range(100):
        for system, first, last in (("old", 0, 100 - others), ("new", others, 100)):
            if not first <= prompt < last:
                continue
            good = rng.random() < 0.6
            said = {"judge": ("fail", "pass")[int(good ^ (rng.random() < 0.2))]}
            mine = prompt % 2 == (system == "old")
            human = ("fail", "pass")[int(good)] if mine and prompt % 4 < 2 else None
            rows.append({"prompt": f"q{prompt}", "system": system} | said | {"human": human})
    screen = ae.report(rows).summary()
    assert "label the same prompts for both" in " ".join(screen.split())
    assert ("only if chance dealt the prompts" in " ".join(screen.split())) is bool(others)


def test_as_many_raters_are_shown_as_the_screen_has_room_for():
    columns = ("judge", *(f"what people say of it {k}" for k in range(6)))  # several blocks
    rows = tuple((f"rater{j:02d}", *["50% (0-95)"] * 6) for j in range(40))
    report = ae.report(crowd(), first_screen=True)
    overview = replace(
        report.overview, table=replace(report.overview.table, columns=columns, rows=rows)
    )
    text = first_screen(replace(report, overview=overview))
    raters = sum(line.startswith("rater") for line in text.splitlines())
    blocks = sum(line.startswith("judge ") for line in text.splitlines())
    assert blocks > 1
    assert raters > 2 * blocks
    assert 40 - blocks < text.count("\n") <= 40
    assert f"... and {40 - raters // blocks} more judges between these" in text


def test_a_scale_of_five_is_named_in_full():
    rng = np.random.default_rng(2)
    codes = rng.integers(5, size=(60, 3)).astype(np.int16)
    votes = Votes(range(60), ["x", "y", "z"], [*"12345"], [*"12345"], codes)
    text = ae.report(votes, first_screen=True).summary()
    assert "5 labels (1, 2, 3, 4, 5);" in text


def two_systems(seed, n=100):
    """Prompts that two systems answered, judged by two models, every third labelled for both."""
    rng, rows = np.random.default_rng(seed), []
    for p in range(n):
        of_prompt = rng.normal()
        for system, lead in (("base", 0.2), ("cand", 0.5)):
            good = of_prompt + lead + 0.7 * rng.normal() > 0
            rows.append(
                {"prompt_id": f"p{p}", "system": system, "response": f"{system} says {p} of it"}
            )
            for judge, right in (("gpt4o", 0.8), ("claude", 0.85)):
                rows[-1][judge] = ("fail", "pass")[int((rng.random() < right) == good)]
            rows[-1]["human"] = ("fail", "pass")[int(good)] if p % 3 == 0 else None
    return rows


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_difference_says_what_it_was_read_from(seed):
    rows = two_systems(seed)
    text = " ".join(ae.report(rows, intervals=0).summary().split())
    assert f"by {ae.versus(rows).n_gold} prompts labelled for both" in text
