"""What people said, and no judge: rates and differences by a second method, and every screen."""

import json
import random
from math import comb

import pytest
from scipy.stats import binomtest, fisher_exact, hypergeom

import algeval as ae
from algeval.cli.main import run

ALPHA = 0.05


def outputs(seed, n=60, labelled=0.5, together=True):
    """Outputs of two systems on n prompts, some labelled, by prompts or each apart."""
    draw = random.Random(seed)
    rows = []
    for k in range(n):
        both = draw.random() < labelled
        for system, share in (("v1", 0.6), ("v2", 0.75)):
            said = both if together else draw.random() < labelled
            label = "good" if draw.random() < share else "bad"
            rows.append(
                {
                    "id": f"{k}{system}",
                    "prompt": f"Write about topic {k} please",
                    "system": system,
                    "human": label if said else None,
                }
            )
    return rows


def one(n_items, n, passes):
    """A table of ids and labels: so many items, labels, passes."""
    labels = ["pass"] * passes + ["fail"] * (n - passes) + [None] * (n_items - n)
    return [{"id": f"q{k}", "human_label": label} for k, label in enumerate(labels)]


def rate_of(n_items, n, passes, **settings):
    return ae.rate(one(n_items, n, passes), good="pass", **settings)


def file_of(rows, path):
    lines = [",".join(rows[0])]
    lines += [",".join("" if cell is None else str(cell) for cell in row.values()) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("n", "passes"), [(7, 0), (20, 13), (22, 16), (30, 29)])
def test_of_a_population_the_interval_is_clopper_and_pearson_s(n, passes):
    found = rate_of(40, n, passes, target="population")
    exact = binomtest(passes, n).proportion_ci(method="exact")
    if passes > 0:
        assert found.rate == pytest.approx(passes / n)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-6)
    assert (found.method, found.judges, found.judged) == ("exact", (), {})


def possible(n_items, n, passes):
    """Least and most passes among all items that the tails of the draw leave."""
    kept = [
        total
        for total in range(passes, n_items - (n - passes) + 1)
        if hypergeom.sf(passes - 1, n_items, total, n) > ALPHA / 2
        and hypergeom.cdf(passes, n_items, total, n) > ALPHA / 2
    ]
    return kept[0], kept[-1]


@pytest.mark.parametrize(("n_items", "n", "passes"), [(12, 5, 3), (40, 20, 13), (60, 22, 16)])
def test_of_these_items_the_interval_inverts_the_draw_without_replacement(n_items, n, passes):
    found = rate_of(n_items, n, passes, target="items")
    low, high = possible(n_items, n, passes)
    assert (found.low * n_items, found.high * n_items) == pytest.approx((low, high))


def test_of_these_items_it_covers_whatever_the_number_of_passes():
    n_items, n = 18, 8
    ends = [rate_of(n_items, n, passes) for passes in range(n + 1)]
    for total in range(n_items + 1):
        held = sum(
            comb(total, k) * comb(n_items - total, n - k)
            for k, found in enumerate(ends)
            if found.low - 1e-9 <= total / n_items <= found.high + 1e-9
        )
        assert held / comb(n_items, n) >= 0.95


def test_where_all_are_labelled_the_share_is_counted():
    found = rate_of(10, 10, 7, target="items")
    assert found.labelled_share == 0.7
    assert (found.rate, found.low, found.high) == (0.7, 0.7, 0.7)
    assert [row.name for row in found.table] == ["labels only"]
    assert "0 judges" not in found.summary()


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("labelled", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("target", ["items", "population"])
def test_answers_are_those_of_a_judge_who_says_the_same_of_all(together, labelled, target):
    for seed in range(3):
        rows = outputs(seed, 40, labelled, together)
        constant = [{**row, "judge": "good"} for row in rows]
        alone, beside = (ae.read_results(rows), ae.read_results(constant, judges=["judge"]))
        for system, part in alone.split().items():
            a = ae.rate(part, target=target)
            b = ae.rate(beside.split()[system], "good", target=target)
            assert (a.rate, a.low, a.high, a.verdict) == (b.rate, b.low, b.high, b.verdict)
        a, b = (ae.versus(results, target=target) for results in (alone, beside))
        assert (a.difference, a.low, a.high) == (b.difference, b.low, b.high)
        assert (a.verdict, a.n_gold, a.n_own_gold) == (b.verdict, b.n_gold, b.n_own_gold)
        assert [line.name for line in a.table] == ["labels only"]
        assert "judge" not in a.summary()


def test_a_difference_is_shown_where_the_exact_test_shows_it():
    more, less, same = 14, 3, 13
    said = [("good", "bad")] * more + [("bad", "good")] * less + [("good", "good")] * same
    said += [(None, None)] * 30
    rows = [
        {"id": f"{k}{s}", "prompt": f"p{k}", "system": s, "human": pair[j]}
        for k, pair in enumerate(said)
        for j, s in enumerate("ab")
    ]
    found = ae.versus(rows)
    p = binomtest(more, more + less).pvalue
    assert found.verdict == "a BETTER"
    assert f"exact McNemar test of the labels: p = {p:.2g}" in found.message


def test_of_unpaired_systems_fisher_s_test_decides():
    rows = [
        {"id": f"{s}{k}", "system": s, "human": "good" if k < passes else "bad"}
        for s, passes in (("a", 18), ("b", 5))
        for k in range(20)
    ] + [{"id": f"{s}x{k}", "system": s, "human": None} for s in "ab" for k in range(40)]
    found = ae.versus(rows)
    assert found.verdict == "a BETTER"
    assert f"p = {fisher_exact([[18, 2], [5, 15]]).pvalue:.2g}" in found.message


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
def test_the_difference_covers_in_simulation(target):
    n, held = 400, 0
    for seed in range(n):
        draw = random.Random(seed)
        truth = [(draw.random() < 0.6, draw.random() < 0.75) for _ in range(50)]
        labelled = {*draw.sample(range(50), 20)}
        rows = [
            {
                "id": f"{k}{s}",
                "prompt": f"p{k}",
                "system": s,
                "human": ("good" if pair[j] else "bad") if k in labelled else None,
            }
            for k, pair in enumerate(truth)
            for j, s in enumerate("ab")
        ]
        found = ae.versus(rows, target=target)
        true = sum(a - b for a, b in truth) / 50 if target == "items" else 0.6 - 0.75
        held += found.low - 1e-9 <= true <= found.high + 1e-9
    assert held / n >= 0.93


def test_an_item_counts_the_mean_of_several_people():
    said = [("yes", "yes", "no"), ("no", "no", "yes"), ("yes", "yes", None), ("yes", "no", None)]
    rows = [
        {"id": k, "human_1": a, "human_2": b, "human_3": c} for k, (a, b, c) in enumerate(said * 5)
    ]
    found = ae.rate(rows)
    mean = (2 / 3 + 1 / 3 + 1 + 1 / 2) / 4
    assert (found.n_gold, found.n_items, found.rate) == (20, 20, pytest.approx(mean))
    assert "People differ on 15 of 20 items" in found.message


def test_grades_of_people_are_cut_or_it_is_asked_where():
    rows = [{"id": k, "human_score": k % 5 + 1} for k in range(20)]
    with pytest.raises(ae.DataError, match="Which label counts"):
        ae.rate(rows)
    found = ae.rate(rows, cut=4)
    assert (found.rate, found.counted) == (0.4, "at or above 4")
    many = [{"id": k, "human_quality": k} for k in range(60)]
    with pytest.raises(ae.DataError, match="From where on is an output good, by 'human_quality'"):
        ae.rate(many)


def test_which_answer_of_bad_news_is_good_is_asked():
    rows = [{"id": k, "human_toxic": "yes" if k % 3 else "no"} for k in range(30)]
    with pytest.raises(ae.DataError, match="Which answer of 'human_toxic' is the good one"):
        ae.rate(rows)
    assert ae.rate(rows, good="no").rate == pytest.approx(1 / 3)


def test_no_label_at_all_is_refused_in_a_sentence():
    with pytest.raises(ae.DataError):
        ae.rate([{"id": k, "human": None} for k in range(5)])


def test_slices_and_draws_need_no_judge():
    rows = [
        {**row, "topic": "math" if k % 3 else "code"}
        for k, row in enumerate(outputs(4, 90, 0.7, together=False))
    ]
    found = ae.slices(ae.read_results(rows), by="topic")
    assert found.n_labelled
    assert all(row.n_verdicts == 0 for row in found.table)
    assert "surely wrong" not in found.summary()
    drawn = ae.next(ae.read_results(rows), 10)
    assert "outputs of a system had the same chance" in drawn.message
    assert "judges" not in drawn.message
    assert len(set(drawn.items) & {row["id"] for row in rows if row["human"]}) == 0


@pytest.mark.parametrize(
    "question",
    [
        lambda t: ae.alarm(t, 0.6),
        lambda t: ae.threshold(t),
        lambda t: ae.judge_card(t),
        lambda t: ae.judge_bias(t, by="system"),
        lambda t: ae.aggregate(t, "majority"),
        lambda t: ae.compare(t),
        lambda t: ae.next(t, 5, goal="labels"),
        lambda t: ae.rate(t, at_least=0.8),
    ],
)
def test_questions_about_judges_say_that_there_is_none(question):
    with pytest.raises(ae.DataError, match="must have a column of a judge's verdicts") as refused:
        question(ae.read_results(outputs(1)))
    assert "\n" not in str(refused.value)


def test_numbers_that_may_be_judges_are_not_passed_over():
    rows = [{"id": k, "x": k % 7 / 3, "gold": "pass" if k % 3 else "fail"} for k in range(40)]
    with pytest.raises(
        ae.DataError, match=r"judge's verdicts.* say that these are none: covariate='x'"
    ):
        ae.rate(rows)
    assert ae.rate(rows, covariate="x").n_gold == 40


def test_methods_that_use_judges_are_refused():
    with pytest.raises(ae.DataError, match="uses judges; got labels of people alone"):
        rate_of(30, 12, 7, method="ppi")
    assert rate_of(30, 12, 7, method="wilson").method == "wilson"


def test_the_screen_says_what_the_labels_settle_and_what_they_do_not(tmp_path, capsys):
    path = file_of(outputs(2, 60, 0.5), tmp_path / "human.csv")
    assert run([path]) == 0
    screen = capsys.readouterr().out
    assert "no judge; " in screen
    assert "'good' rate of v1: " in screen
    assert " better by " in screen or "is better is not shown" in " ".join(screen.split())
    assert "Of judges this table says nothing" in screen
    assert "algeval next" in screen
    assert "algeval versus" in screen
    assert "algeval judges" not in screen
    assert "algeval aggregate" not in screen


def test_columns_name_what_the_labels_answer(tmp_path, capsys):
    path = file_of(outputs(2, 60, 0.5), tmp_path / "human.csv")
    assert run(["columns", path]) == 0
    said = capsys.readouterr().out
    assert f"algeval rate {path}" in said
    assert f"algeval versus {path}" in said
    assert "anything about judges: a column of verdicts" in said
    assert "0 judges" not in said
    assert "algeval judges" not in said


def test_page_slide_and_json_are_written(tmp_path, capsys):
    path, page = file_of(outputs(2, 60, 0.5), tmp_path / "human.csv"), tmp_path / "report.html"
    assert run(["report", path, "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count("What this cannot say") == 2  # its heading, and the contents
    assert ">Judges<" not in text
    assert "0 judges" not in text
    assert text.count('class="slide"') == 3  # a rate of each system, and the difference
    capsys.readouterr()
    assert run(["report", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["overview"]["table"]["rows"] == []
    assert run(["report", path, "--full"]) == 0
    assert "The labels" in capsys.readouterr().out
    assert run(["rate", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"]["v1"]["judges"] == []
    assert run(["versus", path, "--json"]) == 0
    assert [line["name"] for line in json.loads(capsys.readouterr().out)["table"]] == [
        "labels only"
    ]


def test_grades_without_a_cut_are_reported_with_the_command_that_cuts_them(tmp_path, capsys):
    rows = [{"id": k, "system": "ab"[k % 2], "human_score": k % 5 + 1} for k in range(40)]
    path = file_of(rows, tmp_path / "grades.csv")
    assert run([path]) == 0
    screen = capsys.readouterr().out
    assert "not known until it is said from which grade on" in screen
    assert f"algeval rate {path} --cut 4" in screen
    assert run([path, "--cut", "4"]) == 0
    assert "Share of a at or above 4" in capsys.readouterr().out


def test_labels_may_stand_in_a_file_of_their_own(tmp_path, capsys):
    rows = outputs(2, 60, 0.5)
    table = file_of(
        [{k: v for k, v in row.items() if k != "human"} for row in rows], tmp_path / "t.csv"
    )
    said = [{"id": row["id"], "label": row["human"]} for row in rows if row["human"]]
    labels = file_of(said, tmp_path / "labels.csv")
    whole = ae.versus(rows)
    found = ae.versus(table, human=labels)
    assert (found.difference, found.low, found.high) == (whole.difference, whole.low, whole.high)
    assert ae.rate(table, human=labels).n_gold == len(said)
    assert run([table, "--human", labels]) == 0
    screen = capsys.readouterr().out
    assert "'good' rate of v1: " in screen
    assert f"--human {labels}" in screen
    assert run(["versus", table, "--human", labels]) == 0
    assert run(["rate", table]) == 2
    assert "must have a column of a judge's verdicts" in capsys.readouterr().err


def test_labels_of_one_system_or_both_make_one_difference(tmp_path, capsys):
    rows = outputs(6, n=100, labelled=0.4, together=False)
    compared = ae.versus(rows)
    rates = {
        system: [r["human"] == "good" for r in rows if r["system"] == system and r["human"]]
        for system in ("v1", "v2")
    }
    shares = [sum(said) / len(said) for said in rates.values()]
    assert compared.difference == pytest.approx(shares[0] - shares[1])
    assert compared.n_own_gold == tuple(map(len, rates.values()))
    assert [line.name for line in compared.table] == ["labels only"]
    path = file_of(rows, tmp_path / "labels.csv")
    for words in ([path], ["versus", path], [path, "-o", str(tmp_path / "page.html")]):
        assert run(words) == 0
        assert "judges alone say" not in capsys.readouterr().out


def test_where_all_fail_the_labels_that_nobody_gave_can_be_named():
    rows = [{"id": k, "gpt4o": "fail", "human": "fail" if k < 20 else None} for k in range(60)]
    with pytest.raises(ae.DataError, match=r"labels=\['pass', 'fail'\] \(nobody says 'pass'\)"):
        ae.rate(rows)
    with pytest.raises(ae.DataError, match=r"name all labels: labels=\['pass', 'fail'\]"):
        ae.rate(rows, good="pass")
    assert ae.rate(rows, labels=["pass", "fail"]).rate == 0
